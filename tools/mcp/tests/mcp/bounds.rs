//! Counting of levels and subschemas, by mode.

use serde_json::{Value, json};
use stanchion_mcp::bounds::{self, OutOfBounds};
use stanchion_mcp::stanchion::Limits;
use stanchion_mcp::{Counting, InputSchema, OutputSchema, Profile, Reason};

/// `levels` schemas around a leaf, by a keyword that holds the next as `wrap` makes it.
fn nested(levels: usize, leaf: Value, wrap: impl Fn(Value) -> Value) -> Value {
    (0..levels).fold(leaf, |inner, _| wrap(inner))
}

fn is_too_deep(counted: &Result<usize, OutOfBounds>) -> bool {
    matches!(counted, Err(OutOfBounds::Depth { limit: 64 }))
}

#[test]
fn typescript_counts_a_scalar_as_a_level_and_a_map_not() {
    let items =
        |levels, leaf| bounds::typescript(&nested(levels, leaf, |inner| json!({"items": inner})), 64, 10_000);
    assert_eq!(items(64, json!({})), Ok(65));
    assert!(is_too_deep(&items(64, json!({"type": "string"}))));
    let all_of = |levels| {
        bounds::typescript(&nested(levels, json!({}), |inner| json!({"allOf": [inner]})), 64, 10_000)
    };
    assert_eq!(all_of(32), Ok(33));
    assert!(is_too_deep(&all_of(33)));
    let properties = |levels| {
        bounds::typescript(
            &nested(levels, json!({}), |inner| json!({"properties": {"a": inner}})),
            64,
            10_000,
        )
    };
    assert_eq!(properties(64), Ok(65));
    assert!(is_too_deep(&properties(65)));
}

#[test]
fn ruby_counts_every_value_as_a_level() {
    let items =
        |levels, leaf| bounds::ruby(&nested(levels, leaf, |inner| json!({"items": inner})), 64, 10_000);
    assert_eq!(items(63, json!({})), Ok(64));
    assert!(is_too_deep(&items(63, json!({"type": "string"}))));
    let properties = |levels| {
        bounds::ruby(&nested(levels, json!({}), |inner| json!({"properties": {"a": inner}})), 64, 10_000)
    };
    assert_eq!(properties(31), Ok(63));
    assert!(is_too_deep(&properties(32)));
}

#[test]
fn payloads_are_data_for_typescript_and_schemas_for_ruby() {
    let schema = json!({"examples": [{"$ref": "https://example.com/"}], "const": {"a": {}}});
    assert_eq!(bounds::typescript(&schema, 64, 10_000), Ok(1));
    let outside = OutOfBounds::Reference { keyword: "$ref", target: "https://example.com/".to_owned() };
    assert_eq!(bounds::ruby(&schema, 64, 10_000), Err(outside));
    // A property of that name is no payload.
    assert!(bounds::typescript(&json!({"properties": {"default": {"$ref": "other"}}}), 64, 10_000).is_err());
    assert_eq!(bounds::typescript(&json!({"properties": {"default": {"x-y": {}}}}), 64, 10_000), Ok(3));
}

#[test]
fn a_count_stops_at_its_limit() {
    let flat = |count: usize| json!({"anyOf": vec![json!({}); count]});
    assert_eq!(bounds::typescript(&flat(99), 64, 100), Ok(100));
    assert_eq!(bounds::typescript(&flat(100), 64, 100), Err(OutOfBounds::Subschemas { limit: 100 }));
    assert_eq!(bounds::ruby(&flat(100), 64, 100), Err(OutOfBounds::Subschemas { limit: 100 }));
    assert_eq!(bounds::ruby(&json!(true), 64, 100), Ok(0));
}

#[test]
fn the_mode_of_a_profile_decides() {
    let properties = nested(40, json!({}), |inner| json!({"type": "object", "properties": {"a": inner}}));
    let with = |counting| InputSchema::with(&Profile::default().counting(counting), properties.clone());
    assert!(with(Counting::Engine).is_ok());
    assert!(with(Counting::TypeScript).is_ok());
    let refusal = with(Counting::Ruby).unwrap_err();
    assert!(matches!(refusal.reason(), Reason::Bounds(OutOfBounds::Depth { limit: 64 })));
    assert_eq!(refusal.to_string(), "inputSchema: schema has more than 64 levels of nesting");

    // Deep data is within the bounds of one, and out of those of the others.
    let deep = json!({"const": nested(70, json!(1), |inner| json!([inner]))});
    let with = |counting| OutputSchema::with(&Profile::default().counting(counting), deep.clone());
    assert!(with(Counting::TypeScript).is_ok());
    assert!(with(Counting::Ruby).is_err());
    let refusal = with(Counting::Engine).unwrap_err();
    assert_eq!(refusal.to_string(), "outputSchema: schema has 70 levels of nesting, the limit is 64");
}

#[test]
fn limits_of_the_caller_hold_in_every_mode() {
    let wide = json!({"type": "object", "anyOf": vec![json!({}); 200]});
    let deep = nested(20, json!({}), |inner| json!({"type": "object", "properties": {"a": inner}}));
    for counting in [Counting::Engine, Counting::TypeScript, Counting::Ruby] {
        let with = |limits, schema: &Value| {
            InputSchema::with(&Profile::default().counting(counting).limits(limits), schema.clone())
        };
        // Whichever is set first.
        let profile = Profile::default().limits(Limits::default().subschemas(100)).counting(counting);
        assert!(InputSchema::with(&profile, wide.clone()).is_err(), "{counting:?}");
        assert!(with(Limits::default().subschemas(100), &wide).is_err(), "{counting:?}");
        assert!(with(Limits::default().subschemas(300), &wide).is_ok(), "{counting:?}");
        assert!(with(Limits::default().depth(10), &deep).is_err(), "{counting:?}");
        assert!(with(Limits::default().depth(30), &deep).is_ok(), "{counting:?}");
    }
    // Larger limits do not raise those of a mode; other limits leave its counts alone.
    let large = json!({"type": "object", "anyOf": vec![json!({}); 11_000]});
    let profile = Profile::default().counting(Counting::TypeScript);
    assert!(InputSchema::with(&profile.clone().limits(Limits::default().subschemas(20_000)), large).is_err());
    let data = json!({"const": nested(70, json!(1), |inner| json!([inner]))});
    assert!(OutputSchema::with(&profile.limits(Limits::default().steps(1_000)), data).is_ok());
}
