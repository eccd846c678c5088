//! Forms: what may be asked for, and what may be entered.

use serde_json::{Value, json};
use stanchion_mcp::{ElicitationSchema, Part};

fn form(property: Value) -> Value {
    json!({"type": "object", "properties": {"p": property}})
}

#[track_caller]
fn accepts(property: Value) {
    ElicitationSchema::new(form(property)).unwrap_or_else(|refusal| panic!("{refusal}"));
}

#[track_caller]
fn refuses(schema: Value, path: &str, message: &str) {
    let refusal = ElicitationSchema::new(schema).expect_err("a refusal");
    assert_eq!((refusal.part(), refusal.path()), (Part::Requested, path), "{refusal}");
    assert!(refusal.to_string().contains(message), "{refusal}");
}

#[test]
fn properties_are_texts_numbers_booleans_and_choices() {
    accepts(
        json!({"type": "string", "title": "T", "description": "D", "minLength": 1, "maxLength": 2, "default": "a"}),
    );
    for format in ["email", "uri", "date", "date-time"] {
        accepts(json!({"type": "string", "format": format}));
    }
    accepts(json!({"type": "number", "minimum": 0.5, "maximum": 1, "default": 0.7}));
    accepts(json!({"type": "integer", "default": 1.0}));
    accepts(json!({"type": "boolean", "default": false}));
    accepts(json!({"type": "string", "enum": ["a", "b"], "default": "a"}));
    accepts(json!({"type": "string", "enum": ["a", "b"], "enumNames": ["A", "B"]}));
    accepts(json!({"type": "string", "oneOf": [{"const": "a", "title": "A"}], "default": "a"}));
    accepts(
        json!({"type": "array", "items": {"type": "string", "enum": ["a"]}, "minItems": 0, "maxItems": 1, "default": ["a"]}),
    );
    accepts(json!({"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}}));
    accepts(json!({"type": "string", "x-widget": {"$ref": "anything"}}));
}

#[test]
fn the_root_is_a_flat_object() {
    assert!(ElicitationSchema::new(json!({"type": "object", "properties": {}})).is_ok());
    let full = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "title": "T",
        "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false
    });
    assert!(ElicitationSchema::new(full).is_ok());
    refuses(json!(true), "", "expected an object, found true");
    refuses(json!({"properties": {}}), "/type", "expected \"object\", found nothing");
    refuses(json!({"type": "object"}), "/properties", "expected an object, found nothing");
    refuses(json!({"type": "object", "properties": {}, "required": ["a"]}), "/required/0", "found \"a\"");
    refuses(json!({"type": "object", "properties": {}, "required": [1]}), "/required", "an array of strings");
    refuses(
        json!({"type": "object", "properties": {}, "allOf": []}),
        "/allOf",
        "not in elicitation's subset",
    );
    refuses(
        json!({"type": "object", "properties": {}, "$defs": {}}),
        "/$defs",
        "not in elicitation's subset",
    );
    refuses(
        json!({"type": "object", "properties": {}, "additionalProperties": {}}),
        "/additionalProperties",
        "a boolean",
    );
}

#[test]
fn anything_else_is_refused() {
    for (property, path, message) in [
        (json!({"type": "object", "properties": {}}), "/type", "found \"object\""),
        (json!({"type": ["string", "null"]}), "/type", "found an array"),
        (json!({"type": "null"}), "/type", "found \"null\""),
        (json!({"$ref": "#"}), "/type", "found nothing"),
        (json!(true), "", "expected an object"),
        (json!({"type": "string", "contentEncoding": "base64"}), "/contentEncoding", "subset"),
        (json!({"type": "string", "format": "hostname"}), "/format", "\"email\""),
        (json!({"type": "string", "minLength": -1}), "/minLength", "a count"),
        (json!({"type": "string", "default": 1}), "/default", "a string"),
        (json!({"type": "string", "enum": []}), "/enum", "at least one choice"),
        (json!({"type": "string", "enum": [1]}), "/enum", "an array of strings"),
        (json!({"type": "string", "enum": ["a"], "enumNames": []}), "/enumNames", "as many names"),
        (json!({"type": "string", "enum": ["a"], "oneOf": []}), "/oneOf", "subset"),
        (json!({"type": "string", "oneOf": [{"const": "a"}]}), "/oneOf/0/title", "a string, found nothing"),
        (json!({"type": "string", "oneOf": [{"const": 1, "title": "A"}]}), "/oneOf/0/const", "a string"),
        (json!({"type": "string", "oneOf": []}), "/oneOf", "an array of choices"),
        (json!({"type": "string", "anyOf": [{"const": "a", "title": "A"}]}), "/anyOf", "subset"),
        (json!({"type": "integer", "default": 1.5}), "/default", "an integer"),
        (json!({"type": "number", "multipleOf": 2}), "/multipleOf", "subset"),
        (json!({"type": "boolean", "const": true}), "/const", "subset"),
        (json!({"type": "array"}), "/items", "the choices"),
        (json!({"type": "array", "items": {"type": "string"}}), "/items/enum", "found nothing"),
        (json!({"type": "array", "items": {"type": "object"}}), "/items/type", "\"string\""),
        (
            json!({"type": "array", "items": {"type": "string", "enum": ["a"]}, "default": "a"}),
            "/default",
            "an array of strings",
        ),
        (
            json!({"type": "array", "items": {"type": "string", "enum": ["a"]}, "uniqueItems": true}),
            "/uniqueItems",
            "subset",
        ),
    ] {
        refuses(form(property), &format!("/properties/p{path}"), message);
    }
}

#[test]
fn content_is_checked_with_its_formats() {
    let schema = json!({
        "type": "object",
        "properties": {
            "email": {"type": "string", "format": "email"},
            "colors": {"type": "array", "items": {"anyOf": [{"const": "r", "title": "Red"}, {"const": "b", "title": "Blue"}]}, "maxItems": 1}
        },
        "required": ["email"]
    });
    let form = ElicitationSchema::new(schema.clone()).unwrap();
    assert_eq!(form.schema(), &schema);
    assert!(form.validate_content(&json!({"email": "a@example.com", "colors": ["r"]})).is_ok());
    for content in [
        json!({}),
        json!({"email": "a"}),
        json!({"email": "a@example.com", "colors": ["x"]}),
        json!({"email": "a@example.com", "colors": ["r", "b"]}),
        json!(null),
    ] {
        let invalid = form.validate_content(&content).unwrap_err();
        assert!(invalid.text().starts_with("The content does not conform"), "{}", invalid.text());
    }
}
