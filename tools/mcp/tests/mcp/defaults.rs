//! Defaults: where they come from, that nothing is overwritten, that the result is valid, and that it ends.

use serde_json::{Value, json};
use stanchion_mcp::{Filled, InputSchema, Tool};

fn fill(schema: &Value, arguments: Value) -> Filled {
    InputSchema::new(schema.clone()).expect("a schema").fill_defaults(arguments).expect("valid arguments")
}

#[track_caller]
fn filled(schema: Value, arguments: Value, expected: Value) {
    let filled = fill(&schema, arguments);
    assert_eq!(filled.arguments, expected);
    assert!(filled.is_complete);
}

fn object(properties: Value) -> Value {
    json!({"type": "object", "properties": properties})
}

#[test]
fn what_is_absent_is_filled_in() {
    let schema = object(json!({"a": {"default": 1}, "b": {"default": null}, "c": {}}));
    filled(schema.clone(), json!({}), json!({"a": 1, "b": null}));
    assert_eq!(fill(&schema, json!({"b": 2})).places, ["/a"]);
}

#[test]
fn what_is_there_is_never_changed() {
    let schema = object(json!({"a": {"default": {"x": 1}}, "b": {"default": 1}}));
    filled(schema, json!({"a": {}, "b": null}), json!({"a": {}, "b": null}));
}

#[test]
fn a_required_member_may_come_from_its_default() {
    let schema = json!({"type": "object", "properties": {"unit": {"default": "m"}}, "required": ["unit"]});
    filled(schema, json!({}), json!({"unit": "m"}));
}

#[test]
fn nested_objects_and_arrays_are_followed() {
    let item = json!({"properties": {"n": {"default": 1}}});
    let schema = object(json!({
        "inner": object(json!({"deep": object(json!({"a": {"default": 1}}))})),
        "list": {"type": "array", "items": item},
        "pair": {"type": "array", "prefixItems": [item, {}], "items": object(json!({"m": {"default": 2}}))},
        "map": {"type": "object", "additionalProperties": item, "properties": {"x": {}}}
    }));
    filled(
        schema,
        json!({"inner": {"deep": {}}, "list": [{}, {"n": 0}, 3], "pair": [{}, {}, {}], "map": {"x": {}, "y": {}}}),
        json!({
            "inner": {"deep": {"a": 1}},
            "list": [{"n": 1}, {"n": 0}, 3],
            "pair": [{"n": 1}, {}, {"m": 2}],
            "map": {"x": {}, "y": {"n": 1}}
        }),
    );
}

#[test]
fn objects_are_not_made_up() {
    filled(object(json!({"inner": object(json!({"a": {"default": 1}}))})), json!({}), json!({}));
}

#[test]
fn a_default_is_filled_in_turn() {
    let schema = object(json!({"page": {
        "type": "object", "default": {"from": 1}, "properties": {"from": {"default": 0}, "size": {"default": 20}}
    }}));
    filled(schema.clone(), json!({}), json!({"page": {"from": 1, "size": 20}}));
    assert_eq!(fill(&schema, json!({})).places, ["/page", "/page/size"]);
}

#[test]
fn references_are_followed() {
    let schema = |reference: &str| {
        json!({
            "type": "object",
            "properties": {"p": {"$ref": reference}, "q": {"$ref": "#/$defs/a%20b~1c"}},
            "$defs": {"page": {"$anchor": "page", "properties": {"size": {"default": 20}}}, "a b/c": {"default": "d"}}
        })
    };
    for reference in ["#/$defs/page", "#page"] {
        filled(schema(reference), json!({"p": {}}), json!({"p": {"size": 20}, "q": "d"}));
    }
    // `allOf` and a reference at the root.
    let schema = json!({
        "type": "object",
        "allOf": [{"$ref": "#/$defs/base"}, {"properties": {"b": {"default": 2}}}],
        "$defs": {"base": {"properties": {"a": {"default": 1}, "b": {"default": 3}}}}
    });
    filled(schema, json!({}), json!({"a": 1, "b": 3}));
}

#[test]
fn a_reference_stays_in_its_document() {
    let schema = json!({
        "type": "object",
        "properties": {"p": {
            "$id": "https://example.com/p", "properties": {"x": {"$ref": "#/$defs/d"}}, "$defs": {"d": {"default": "inner"}}
        }},
        "$defs": {"d": {"default": "outer"}}
    });
    filled(schema, json!({"p": {}}), json!({"p": {"x": "inner"}}));
}

#[test]
fn older_dialects_have_defaults_beside_references() {
    let schema = json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "type": "object",
        "properties": {
            "p": {"$ref": "#/definitions/page", "default": {}},
            "t": {"items": [{"properties": {"a": {"default": 1}}}], "additionalItems": {"properties": {"b": {"default": 2}}}}
        },
        "definitions": {"page": {"type": "object", "properties": {"size": {"default": 20}}}}
    });
    filled(schema, json!({"t": [{}, {}]}), json!({"p": {"size": 20}, "t": [{"a": 1}, {"b": 2}]}));
}

#[test]
fn branches_that_may_not_be_meant_are_not_followed() {
    let schema = json!({
        "type": "object",
        "anyOf": [{"properties": {"a": {"default": 1}}}],
        "if": {"properties": {"b": {"default": 2}}},
        "then": {"properties": {"c": {"default": 3}}}
    });
    filled(schema, json!({}), json!({}));
}

#[test]
fn a_default_that_does_not_fit_is_left_out() {
    let schema = object(json!({
        "bad": {"type": "string", "default": null},
        "good": {"type": "integer", "default": 1},
        "nested": {"type": "object", "default": {}, "properties": {"bad": {"maximum": 1, "default": 2}}}
    }));
    filled(schema, json!({}), json!({"good": 1, "nested": {}}));
}

#[test]
fn of_defaults_that_do_not_fit_together_the_first_are_taken() {
    let mut schema = object(json!({"a": {"default": 1}, "b": {"default": 2}}));
    schema["maxProperties"] = json!(1);
    filled(schema, json!({}), json!({"a": 1}));
}

#[test]
fn arguments_that_are_wrong_stay_wrong() {
    let schema = object(json!({"a": {"default": 1}, "b": {"type": "string"}}));
    let invalid = InputSchema::new(schema).unwrap().fill_defaults(json!({"b": 1})).unwrap_err();
    let places: Vec<&str> = invalid.errors().iter().map(|error| error.instance_path()).collect();
    assert_eq!(places, ["/b"]);
}

#[test]
fn a_recursive_schema_ends() {
    let schema =
        json!({"type": "object", "properties": {"next": {"$ref": "#", "default": {}}, "n": {"default": 1}}});
    // The default of `next` has no end, so it is not applied; that of `n` is, in what the caller sent.
    filled(schema, json!({"next": {}}), json!({"next": {"n": 1}, "n": 1}));
    // A ring of two.
    let schema = json!({
        "type": "object",
        "properties": {"b": {"$ref": "#/$defs/b"}},
        "$defs": {
            "a": {"default": {}, "properties": {"b": {"$ref": "#/$defs/b"}}},
            "b": {"default": {}, "properties": {"a": {"$ref": "#/$defs/a"}}}
        }
    });
    assert!(fill(&schema, json!({})).is_complete);
}

/// Levels that each have the next one twice: `2^levels` defaults.
fn doubling(levels: usize) -> Value {
    let level = |index: usize| {
        let next = json!({"$ref": format!("#/$defs/{}", index + 1), "default": {}});
        (index.to_string(), json!({"properties": {"l": next, "r": next}}))
    };
    let mut defs: serde_json::Map<String, Value> = (0..levels).map(level).collect();
    defs.insert(levels.to_string(), json!({}));
    json!({"type": "object", "properties": {"l": {"$ref": "#/$defs/0", "default": {}}}, "$defs": defs})
}

#[test]
fn a_schema_that_doubles_is_cut_off() {
    assert!(fill(&doubling(5), json!({})).is_complete);
    let cut = fill(&doubling(60), json!({}));
    assert_eq!((cut.arguments, cut.is_complete), (json!({}), false));
    // Ways to one subschema that double are one way.
    let twice = |index: usize| json!({"allOf": [{"$ref": format!("#/$defs/{index}")}, {"$ref": format!("#/$defs/{index}")}]});
    let mut defs: serde_json::Map<String, Value> =
        (0..60).map(|index| (index.to_string(), twice(index + 1))).collect();
    defs.insert("60".to_owned(), json!({"properties": {"a": {"default": 1}}}));
    let schema = json!({"type": "object", "allOf": [{"$ref": "#/$defs/0"}], "$defs": defs});
    filled(schema, json!({}), json!({"a": 1}));
}

#[test]
fn large_defaults_are_cut_off() {
    let text = "x".repeat(100_000);
    let item = object(json!({"text": {"default": text}}));
    let schema = object(json!({"list": {"type": "array", "items": item}}));
    let arguments = |count| json!({"list": vec![json!({}); count]});
    assert!(fill(&schema, arguments(10)).is_complete);
    let cut = fill(&schema, arguments(11));
    assert_eq!((cut.arguments, cut.is_complete), (arguments(11), false));
}

/// A default that would nest deeper than a reader takes is left out, from a value and from text.
#[test]
fn deep_defaults_are_cut_off() {
    let nested = |levels| (0..levels).fold(json!(0), |inner, _| json!([inner]));
    let schema =
        object(json!({"list": {"items": {"items": {"$ref": "#"}}}, "deep": {"default": nested(50)}}));
    let arguments = |levels| (0..levels).fold(json!({}), |inner, _| json!({"list": [[inner]]}));
    let tool = Tool::new("t", InputSchema::new(schema.clone()).unwrap(), None);
    for (levels, fits) in [(25, true), (26, false)] {
        let given = arguments(levels);
        let filled = fill(&schema, given.clone());
        assert_eq!(filled.is_complete, fits, "{levels}");
        assert_eq!(filled.arguments != given, fits, "{levels}");
        let text = tool.fill_call_text(Some(&given.to_string())).unwrap().unwrap();
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), filled.arguments);
    }
}
