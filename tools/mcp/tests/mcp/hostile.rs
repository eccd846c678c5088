//! Schemas that were made to hang or to fill the memory: what this crate does with a schema, beside compiling it, ends.

use serde_json::{Map, Value, json};
use stanchion_mcp::header::{self, HeaderFaultKind};
use stanchion_mcp::{Headers, InputSchema, OutputSchema, Profile, Tool};
use stanchion_suite::hostile;

#[test]
fn attacks_on_the_engine_are_none_here() {
    let profile = Profile::lenient();
    let mut accepted = 0;
    for recipe in hostile::recipes() {
        let mut schema = recipe.full().schema;
        if let Ok(output) = OutputSchema::with(&profile, schema.clone()) {
            if let Ok(envelope) = output.schema_for("2025-11-25") {
                assert!(!output.is_wrapped_for("2025-11-25") || envelope["type"] == "object", "{recipe}");
            }
            accepted += 1;
        }
        if let Value::Object(members) = &mut schema {
            members.insert("type".to_owned(), "object".into());
        }
        let Ok(input) = InputSchema::with(&profile, schema) else { continue };
        // Whether `{}` conforms or not, there is an answer, and a text that is bounded.
        match Tool::new("hostile", input.clone(), None).fill_call(None) {
            Ok(filled) => assert!(filled.arguments.is_object(), "{recipe}"),
            Err(error) => assert!(error.to_string().chars().count() < 2_200, "{recipe}: {error}"),
        }
        assert!(input.headers().is_ok(), "{recipe}");
    }
    assert!(accepted > 300, "{accepted}");
}

#[test]
fn a_long_name_above_many_headers_is_not_copied_for_each() {
    let inner: Map<String, Value> = (0..100)
        .map(|index| (index.to_string(), json!({"type": "string", "x-mcp-header": format!("H{index}")})))
        .collect();
    let long = "x".repeat(100_000);
    let schema = json!({"type": "object", "properties": {long: {"properties": inner}}});
    let fault = Headers::new(&schema).unwrap_err();
    assert_eq!(fault.kind(), &HeaderFaultKind::TooLarge);
    assert!(header::reachable(&schema).len() < 100);
}

/// As many sites for one object as it has members, and each member asks each site.
#[test]
fn many_subschemas_of_many_members_are_cut_off() {
    let branches: Vec<Value> = (0..3_000)
        .map(|index| json!({"properties": {index.to_string(): {"properties": {"a": {"default": 1}}}}}))
        .collect();
    let input = InputSchema::new(json!({"type": "object", "allOf": branches})).unwrap();
    let arguments: Value = (0..3_000).map(|index| (index.to_string(), json!({}))).collect();
    let filled = input.fill_defaults(arguments.clone()).unwrap();
    assert_eq!((filled.is_complete, filled.arguments == arguments), (false, true));
}

#[test]
fn many_anchors_are_found_in_one_walk() {
    let count = 3_000;
    let properties: Map<String, Value> =
        (0..count).map(|index| (format!("p{index}"), json!({"$ref": format!("#a{index}")}))).collect();
    let defs: Map<String, Value> = (0..count)
        .map(|index| (format!("d{index}"), json!({"$anchor": format!("a{index}"), "default": index})))
        .collect();
    let input = InputSchema::new(json!({"type": "object", "properties": properties, "$defs": defs})).unwrap();
    let filled = input.fill_defaults(json!({})).unwrap();
    assert_eq!((filled.places.len(), &filled.arguments["p7"]), (count, &json!(7)));
}
