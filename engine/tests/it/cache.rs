//! The cache: what is found, what is kept, and for how long.

use serde_json::{Value, json};
use stanchion::{Cache, Limits, Validator};

/// Whether both schemas are compiled to one program.
fn is_shared(cache: &Cache, one: &Value, other: &Value) -> bool {
    let (one, other) = (cache.get_or_build(one).unwrap(), cache.get_or_build(other).unwrap());
    std::ptr::eq(one.program(), other.program())
}

#[test]
fn a_schema_is_found_by_its_content() {
    let cache = Cache::default();
    let schema = json!({"$id": "urn:a", "properties": {"a": {"const": [1, -1, 0.5, null, true, "é"]}}});
    assert!(is_shared(&cache, &schema, &schema.clone()));
    assert_eq!(cache.len(), 1);
}

#[test]
fn schemas_that_differ_are_told_apart() {
    let long = "x".repeat(300);
    let schemas = [
        json!(true),
        json!(false),
        json!({}),
        json!({"$id": "urn:a", "type": "string"}),
        json!({"$id": "urn:a", "type": "number"}),
        json!({"const": 1}),
        json!({"const": 1.0}),
        json!({"const": -1}),
        json!({"const": u64::MAX}),
        json!({"const": 0.0}),
        json!({"const": -0.0}),
        json!({"const": "1"}),
        json!({"const": null}),
        json!({"const": true}),
        json!({"const": false}),
        json!({"const": []}),
        json!({"const": {}}),
        json!({"const": [[]]}),
        json!({"const": [[], []]}),
        json!({"const": [[[]]]}),
        json!({"const": ["ab", "c"]}),
        json!({"const": ["a", "bc"]}),
        json!({"const": {"a": "b"}}),
        json!({"const": ["a", "b"]}),
        json!({"const": [1, {"a": 2}]}),
        json!({"const": [{"a": 1}, 2]}),
        json!({"const": long}),
        json!({"const": long[1..]}),
    ];
    let cache = Cache::default();
    for (at, one) in schemas.iter().enumerate() {
        for other in &schemas[..at] {
            assert!(!is_shared(&cache, one, other), "{one} and {other}");
        }
    }
    assert_eq!(cache.len(), schemas.len());
}

/// Who counts on the order of members gets that of the schema.
#[test]
#[cfg(feature = "preserve_order")]
fn the_order_of_members_is_kept() {
    let one: Value = serde_json::from_str(r#"{"minLength": 1, "pattern": "a"}"#).unwrap();
    let other: Value = serde_json::from_str(r#"{"pattern": "a", "minLength": 1}"#).unwrap();
    assert!(!is_shared(&Cache::default(), &one, &other));
}

fn numbered(number: usize) -> Value {
    json!({"const": number})
}

#[test]
fn entries_are_bounded_and_the_used_ones_stay() {
    let cache = Cache::default().entries(10);
    let used = cache.get_or_build(&numbered(0)).unwrap();
    for number in 1..1000 {
        cache.get_or_build(&numbered(number)).unwrap();
        let again = cache.get_or_build(&numbered(0)).unwrap();
        assert!(std::ptr::eq(used.program(), again.program()), "gone after {number}");
        assert!(cache.len() <= 10);
    }
    cache.clear();
    assert!(cache.is_empty());
}

#[test]
fn bytes_are_bounded() {
    let cache = Cache::default().bytes(100_000);
    for number in 0..1000 {
        cache.get_or_build(&json!({"description": "x".repeat(number % 500), "const": number})).unwrap();
    }
    assert!((10..80).contains(&cache.len()), "{} entries", cache.len());
    // What would take all room and more is compiled, and not kept.
    let before = cache.len();
    let large = cache.get_or_build(&json!({"description": "x".repeat(50_000), "type": "null"})).unwrap();
    assert!(large.is_valid(&json!(null)));
    assert_eq!(cache.len(), before);
    let none = Cache::default().entries(0);
    assert!(none.get_or_build(&json!(true)).is_ok() && none.is_empty());
}

/// A schema that is refused is refused each time, and pushes nothing out.
#[test]
fn failures_are_not_kept() {
    let cache = Cache::new(Validator::builder().limits(Limits::default().depth(2))).entries(2);
    let kept = cache.get_or_build(&numbered(1)).unwrap();
    for number in 0..100 {
        assert!(cache.get_or_build(&json!({"type": number})).is_err());
    }
    assert!(cache.get_or_build(&json!({"not": {"not": {"not": {"not": {}}}}})).is_err());
    let again = cache.get_or_build(&numbered(1)).unwrap();
    assert!(std::ptr::eq(kept.program(), again.program()));
    assert_eq!(cache.len(), 1);
}

/// A schema that is nested too deep for a key is left to the limits, and costs no stack.
#[test]
fn deep_schemas_are_refused() {
    let mut schema = json!({});
    for _ in 0..200_000 {
        schema = Value::Array(vec![schema]);
    }
    let mut schema = Value::Object(serde_json::Map::from_iter([("const".to_owned(), schema)]));
    assert!(Cache::default().get_or_build(&schema).is_err());
    // A value is dropped by recursion: take it apart.
    let mut left = schema["const"].take();
    while let Value::Array(mut items) = left {
        left = items.pop().unwrap_or_default();
    }
}

#[test]
fn threads_share_a_cache() {
    let cache = Cache::default().entries(7);
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let cache = &cache;
            scope.spawn(move || {
                for round in 0..2000 {
                    let number = (round * (thread + 1)) % 20;
                    let validator = cache.get_or_build(&numbered(number)).unwrap();
                    assert!(validator.is_valid(&json!(number)));
                    assert!(!validator.is_valid(&json!(number + 1)));
                }
            });
        }
    });
    assert_eq!(cache.len(), 7);
}

#[test]
fn caches_are_shared() {
    fn is_shared<T: Send + Sync>() {}
    is_shared::<Cache>();
}
