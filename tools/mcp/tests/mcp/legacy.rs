//! Envelopes for older clients: that they mean the same, that references follow, and the way back.

use serde_json::{Value, json};
use stanchion_mcp::stanchion::{Dialect, Validator, Verdict};
use stanchion_mcp::{OutputSchema, Profile, Wrapping, legacy};
use stanchion_suite::official::{Official, Section};

/// A schema that moved into the envelope.
#[track_caller]
fn moved(schema: Value, expected: Value) {
    let envelope = legacy::wrap_schema(&schema).unwrap();
    assert_eq!(envelope["properties"]["result"], expected);
    assert_eq!((&envelope["type"], &envelope["required"]), (&json!("object"), &json!(["result"])));
    assert_eq!(legacy::unwrap_schema(&envelope), Some(schema));
}

#[test]
fn versions_compare_as_text() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", ""] {
        assert!(legacy::is_legacy(version), "{version}");
    }
    for version in ["2026-07-28", "2027-01-01", "DRAFT-2026-v1"] {
        assert!(!legacy::is_legacy(version), "{version}");
    }
}

#[test]
fn references_follow_the_schema() {
    moved(
        json!({"items": {"$ref": "#/$defs/a~1b"}, "$defs": {"a/b": {"$ref": "#"}}}),
        json!({"items": {"$ref": "#/properties/result/$defs/a~1b"}, "$defs": {"a/b": {"$ref": "#/properties/result"}}}),
    );
    moved(
        json!({"items": {"$dynamicRef": "#/$defs/n"}, "$defs": {"n": {"$anchor": "m"}, "k": {"$ref": "#m"}}}),
        json!({"items": {"$dynamicRef": "#/properties/result/$defs/n"}, "$defs": {"n": {"$anchor": "m"}, "k": {"$ref": "#m"}}}),
    );
    // A keyword that nobody knows may hold what a reference leads to.
    moved(
        json!({"$ref": "#/x-types/t", "x-types": {"t": {"not": {"$ref": "#/x-types/u"}}, "u": {}}}),
        json!({
            "$ref": "#/properties/result/x-types/t",
            "x-types": {"t": {"not": {"$ref": "#/properties/result/x-types/u"}}, "u": {}}
        }),
    );
}

#[test]
fn what_only_looks_like_a_reference_stays() {
    for schema in [
        json!({"enum": [{"$ref": "#/a"}], "default": {"$ref": "#"}, "examples": [{"$ref": "#/c"}]}),
        json!({"const": {"properties": {"a": {"$ref": "#/b"}}}}),
        json!({"items": {"properties": {"$ref": {"type": "string"}, "$id": {"type": "string"}}}}),
        json!({"required": ["$ref", "#/a"], "title": "#/b"}),
    ] {
        moved(schema.clone(), schema);
    }
    // A property that has the name of such a keyword holds a schema.
    moved(
        json!({"items": {"properties": {"const": {"$ref": "#/items"}}}}),
        json!({"items": {"properties": {"const": {"$ref": "#/properties/result/items"}}}}),
    );
}

#[test]
fn a_document_in_the_document_stays_as_it_is() {
    let inner = json!({"$id": "https://example.com/inner", "$ref": "#/$defs/q", "$defs": {"q": {}}});
    moved(
        json!({"items": inner, "not": {"$ref": "#/items"}}),
        json!({"items": inner, "not": {"$ref": "#/properties/result/items"}}),
    );
    moved(inner.clone(), inner);
}

#[test]
fn an_id_that_makes_no_document_is_passed_by() {
    let draft07 = "http://json-schema.org/draft-07/schema#";
    let schema = |reference: &str| json!({"$schema": draft07, "items": {"$id": "#a", "not": {"$ref": reference}}, "definitions": {"b": {}}});
    moved(schema("#/definitions/b"), schema("#/properties/result/definitions/b"));
    // In draft-07 a reference hides the `$id` beside it.
    let schema = |reference: &str| json!({"$schema": draft07, "items": {"$id": "https://example.com/", "$ref": reference}, "definitions": {"b": {}}});
    moved(schema("#/definitions/b"), schema("#/properties/result/definitions/b"));
    // In draft-04 it is called `id`; since then that is any word.
    let schema = |dialect: &str| json!({"$schema": dialect, "items": {"id": "https://example.com/", "not": {"$ref": "#"}}});
    let draft04 = schema("http://json-schema.org/draft-04/schema#");
    moved(draft04.clone(), draft04);
    let envelope = legacy::wrap_schema(&schema(draft07)).unwrap();
    assert_eq!(envelope["properties"]["result"]["items"]["not"]["$ref"], "#/properties/result");
}

#[test]
fn the_dialect_is_declared_at_the_root() {
    let schema = json!({"$schema": "http://json-schema.org/draft-07/schema#", "type": "array", "items": [true, false]});
    let envelope = legacy::wrap_schema(&schema).unwrap();
    assert_eq!(envelope["$schema"], schema["$schema"]);
    let validator = Validator::new(&envelope).unwrap();
    assert!(validator.is_valid(&json!({"result": [1]})));
    assert!(!validator.is_valid(&json!({"result": [1, 2]})));
    // If only the root of an envelope has it, what comes out has it, too.
    let envelope =
        json!({"$schema": "s", "type": "object", "properties": {"result": {}}, "required": ["result"]});
    assert_eq!(legacy::unwrap_schema(&envelope), Some(json!({"$schema": "s"})));
}

#[test]
fn booleans_travel_too() {
    for (given, sent) in [(json!(true), json!({})), (json!(false), json!({"not": {}}))] {
        assert_eq!(legacy::wrap_schema(&given).unwrap()["properties"]["result"], sent);
        let output = OutputSchema::new(given.clone()).unwrap();
        assert_eq!((output.schema(), output.schema_for("2026-07-28").unwrap()), (&given, &sent));
    }
    let output = OutputSchema::new(true).unwrap();
    assert_eq!(output.value_for("2025-11-25", json!(null)), json!({"result": null}));
    assert!(output.is_wrapped_for("2025-11-25") && !output.is_wrapped_for("2026-07-28"));
}

#[test]
fn an_object_schema_travels_as_it_is() {
    let schema =
        json!({"type": "object", "properties": {"result": {"type": "object"}}, "required": ["result"]});
    let output = OutputSchema::new(schema.clone()).unwrap();
    assert_eq!(output.schema_for("2025-11-25").unwrap(), &schema);
    assert_eq!(output.value_for("2025-11-25", json!({"result": {}})), json!({"result": {}}));
    // And is not taken for an envelope.
    assert!(output.unwrapped(&Profile::default()).is_none());
    assert_eq!(output.natural_value("2025-11-25", json!({"result": {}})), json!({"result": {}}));
}

#[test]
fn what_is_no_envelope_is_not_opened() {
    for schema in [
        json!({"type": "object", "properties": {"result": {}}}),
        json!({"type": "object", "properties": {"result": {}, "more": {}}, "required": ["result"]}),
        json!({"type": "object", "properties": {"result": {}}, "required": ["result"], "description": "mine"}),
        json!({"properties": {"result": {}}, "required": ["result"]}),
        json!({"type": "object", "properties": {"result": {"items": {"$ref": "#"}}}, "required": ["result"]}),
        json!({"type": "object", "properties": {"result": {"$ref": "#/properties/results"}}, "required": ["result"]}),
        json!(true),
    ] {
        assert_eq!(legacy::unwrap_schema(&schema), None, "{schema}");
    }
    for value in [json!({}), json!({"result": 1, "more": 2}), json!([1])] {
        assert_eq!(legacy::unwrap_value(value.clone()), Err(value));
    }
}

#[test]
fn the_c_sharp_way_has_no_envelope_for_nullable_objects() {
    let profile = Profile::default().wrapping(Wrapping::CSharp);
    let nullable = json!({"type": ["null", "object"], "properties": {"a": {"$ref": "#"}}});
    let output = OutputSchema::with(&profile, nullable.clone()).unwrap();
    assert_eq!(
        output.schema_for("2025-11-25").unwrap(),
        &json!({"type": "object", "properties": {"a": {"$ref": "#"}}})
    );
    assert_eq!(output.schema_for("2026-07-28").unwrap(), &nullable);
    assert_eq!(output.value_for("2025-11-25", json!({"a": null})), json!({"a": null}));
    assert_eq!(output.value_for("2025-11-25", json!(null)), json!(null));
    // All else goes the way of the others.
    let list = OutputSchema::with(&profile, json!({"type": ["object", "array"]})).unwrap();
    assert_eq!(list.value_for("2025-11-25", json!({})), json!({"result": {}}));
    // Without the option nullable objects do, too.
    let output = OutputSchema::new(nullable).unwrap();
    assert_eq!(output.value_for("2025-11-25", json!({"a": null})), json!({"result": {"a": null}}));
}

/// Every schema of the official suite that stays in its document, in an envelope: the verdicts are the same. Left out are those with a `$recursiveRef`
/// among several documents, which cannot be put into one.
#[test]
fn an_envelope_changes_no_verdict() {
    let official = Official::get().unwrap_or_else(|error| panic!("{error}"));
    let mut compared = 0;
    for dialect in Dialect::ALL {
        for file in official.files(dialect, Section::Required).expect("files") {
            for group in &file.groups {
                let tests = group
                    .tests
                    .iter()
                    .map(|test| serde_json::from_str(test.data.get()).expect("an instance"));
                compared += compare(group.schema.clone(), dialect, &group.description, tests);
            }
        }
    }
    assert!(compared > 4_500, "{compared}");
}

fn compare(mut schema: Value, dialect: Dialect, name: &str, instances: impl Iterator<Item = Value>) -> usize {
    if let Value::Object(members) = &mut schema {
        members.entry("$schema").or_insert_with(|| dialect.uri().into());
    }
    let build = |schema: &Value| Validator::builder().dialect(dialect).build(schema);
    let Ok(natural) = build(&schema) else { return 0 };
    let envelope = match Wrapping::Envelope.wrap(&schema, dialect) {
        Ok(envelope) => envelope,
        Err(error) => {
            assert!(error.to_string().contains("$recursiveRef"), "{dialect:?}, {name}: {error}");
            return 0;
        }
    };
    let wrapped = build(&envelope).unwrap_or_else(|error| panic!("{dialect:?}, {name}: {error}\n{envelope}"));
    let back =
        legacy::unwrap_schema_as(&envelope, dialect).map(|schema| build(&schema).expect("what it was"));
    assert!(back.is_some() || schema["type"] == "object", "{dialect:?}, {name}: {envelope}");
    let mut compared = 0;
    for instance in instances {
        let expected = natural.verdict(&instance);
        assert!(!matches!(expected, Verdict::Undecided(_)), "{name}");
        assert_eq!(
            back.as_ref().map_or(expected, |back| back.verdict(&instance)),
            expected,
            "{dialect:?}, {name}"
        );
        let enveloped = legacy::wrap_value(instance);
        assert_eq!(wrapped.verdict(&enveloped), expected, "{dialect:?}, {name}: {enveloped}\n{envelope}");
        compared += 1;
    }
    compared
}
