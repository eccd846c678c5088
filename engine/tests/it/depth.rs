//! Deep schemas and instances on a small stack.

use serde_json::{Value, json};
use stanchion::{Exhausted, Limits, Validator, Verdict};

/// Runs on a thread with 512 KiB of stack, which is what the default limits promise to need.
fn on_small_stack<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    std::thread::Builder::new().stack_size(512 << 10).spawn(work).unwrap().join().unwrap()
}

/// A value in a million wrappings.
fn nest(wrap: impl Fn(Value) -> Value) -> Value {
    (0..1_000_000).fold(json!(true), |inner, _| wrap(inner))
}

/// Never dropped: serde_json would recurse.
fn leak(value: Value) -> &'static Value {
    Box::leak(Box::new(value))
}

fn deep_array() -> Value {
    nest(|inner| Value::Array(vec![inner]))
}

#[test]
fn deep_instances_are_undecided_where_the_schema_follows_them() {
    let instance = leak(deep_array());
    for schema in [
        json!({"items": {"$ref": "#"}}),
        json!({"anyOf": [{"items": {"$ref": "#"}}, {"type": "string"}]}),
        json!({"allOf": [{"items": {"$ref": "#"}}], "unevaluatedItems": false}),
        json!({"if": {"items": {"$ref": "#"}}, "then": {"oneOf": [true, {"contains": {"not": {}}}]}}),
        json!({"not": {"contains": {"$ref": "#"}}}),
    ] {
        for optimize in [true, false] {
            let validator = Validator::builder().optimize(optimize).build(&schema).unwrap();
            on_small_stack(move || {
                assert_eq!(validator.verdict(instance), Verdict::Undecided(Exhausted::Depth));
                assert_eq!(validator.validate(instance).unwrap_err().exhausted(), Some(Exhausted::Depth));
                assert_eq!(validator.evaluate(instance).verdict(), Verdict::Undecided(Exhausted::Depth));
            });
        }
    }
}

#[test]
fn deep_instances_are_no_trouble_where_the_schema_does_not_follow_them() {
    let instance = leak(deep_array());
    let validator =
        Validator::new(&json!({"type": "array", "maxItems": 1, "items": {"type": "array"}})).unwrap();
    on_small_stack(move || {
        assert_eq!(validator.verdict(instance), Verdict::Valid);
        assert!(validator.evaluate(instance).is_valid());
    });
}

#[test]
fn deep_values_compare_within_bounds() {
    let instance = leak(deep_array());
    let validator = Validator::new(&json!({"const": [[[1]]]})).unwrap();
    on_small_stack(move || assert_eq!(validator.verdict(instance), Verdict::Invalid));

    let two = leak(Value::Array(vec![deep_array(), deep_array()]));
    let validator = Validator::new(&json!({"uniqueItems": true})).unwrap();
    on_small_stack(move || assert_eq!(validator.verdict(two), Verdict::Invalid));
}

#[test]
fn deep_schemas_are_refused() {
    let wraps: [fn(Value) -> Value; 4] = [
        |inner| Value::Object([("items".to_owned(), inner)].into_iter().collect()),
        |inner| Value::Object([("const".to_owned(), inner)].into_iter().collect()),
        |inner| Value::Object([("x-unknown".to_owned(), inner)].into_iter().collect()),
        |inner| Value::Object([("allOf".to_owned(), Value::Array(vec![inner]))].into_iter().collect()),
    ];
    for wrap in wraps {
        let schema = leak(nest(wrap));
        on_small_stack(move || {
            let error = Validator::new(schema).unwrap_err();
            assert!(error.to_string().ends_with(" levels of nesting, the limit is 64"), "{error}");
        });
    }
}

#[test]
fn depth_is_counted_from_the_root() {
    let nested = |levels: usize| (0..levels).fold(json!({}), |inner, _| json!({"not": inner}));
    let limits = Limits::default().depth(3);
    let builder = Validator::builder().limits(limits);
    assert!(builder.build(&nested(3)).is_ok());
    assert!(builder.build(&nested(4)).is_err());
}

#[test]
fn deep_texts_are_refused_with_their_place() {
    let validator = Validator::new(&json!({"items": {"$ref": "#"}})).unwrap();
    on_small_stack(move || {
        for deep in
            ["[".repeat(1_000_000), "{\"a\":".repeat(1_000_000), "[".repeat(1_000) + &"]".repeat(1_000)]
        {
            let error = validator.verdict_json(deep.as_bytes()).unwrap_err();
            assert_eq!(error.line(), 1, "{error}");
        }
        let shallow = "[".repeat(100) + &"]".repeat(100);
        assert_eq!(validator.verdict_json(shallow.as_bytes()).unwrap(), Verdict::Valid);
    });
}
