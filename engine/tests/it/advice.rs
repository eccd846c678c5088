//! Texts for a model say what to do, and claim nothing wrong about unions.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use stanchion::Validator;

/// The text for a model, of at most 1,000 characters.
#[track_caller]
fn check(schema: &Value, instance: &Value, expect: Expect) {
    let [text, plain] = [true, false].map(|optimize| {
        let validator = Validator::builder().optimize(optimize).build(schema).unwrap();
        validator.iter_errors(instance).for_model(1000)
    });
    assert_eq!(text, plain);
    expect.assert_eq(&text);
}

#[test]
fn where_nothing_decides_all_branches_are_listed() {
    let schema = json!({"oneOf": [
        {"type": "object", "properties": {"page_id": {"type": "string"}}, "required": ["page_id"]},
        {"type": "object", "properties": {"type": {"const": "database_id"}, "database_id": {"type": "string"}}, "required": ["database_id"]},
        {"type": "object", "properties": {"type": {"const": "workspace"}}, "required": ["type"]}
    ]});
    check(
        &schema,
        &json!({"type": "page_id", "id": "1f2e"}),
        expect![[r#"
        /: none of the 3 alternatives of "oneOf" accepts this: missing required property "database_id", and /type: expected "database_id", found "page_id"; or /type: expected "workspace", found "page_id"; or missing required property "page_id"
        Expected at /: {"page_id": string}|{"database_id": string, "type"?: "database_id"}|{"type": "workspace"}"#]],
    );
}

#[test]
fn json_in_a_string_is_sent_as_it_is() {
    let schema = json!({"properties": {
        "tags": {"type": "array", "items": {"type": "string"}},
        "filter": {"anyOf": [{"type": "object"}, {"type": "null"}]}
    }});
    check(
        &schema,
        &json!({"tags": "[\"a\", \"b\"]"}),
        expect![[r#"
        /tags: expected an array, found the string "[\"a\", \"b\"]"; send the array itself, not JSON in a string
        Expected at /tags: string[]"#]],
    );
    check(
        &schema,
        &json!({"filter": "{\"limit\": 1}"}),
        expect![[r#"
        /filter: expected an object or null, found the string "{\"limit\": 1}"; send the object itself, not JSON in a string
        Expected at /filter: object|null"#]],
    );
    check(
        &schema,
        &json!({"tags": "a, b"}),
        expect![[r#"
        /tags: expected an array, found the string "a, b"
        Expected at /tags: string[]"#]],
    );
}

#[test]
fn quotes_are_taken_off() {
    let schema = json!({"properties": {"days": {"type": "integer"}, "all": {"type": "boolean"}}});
    check(
        &schema,
        &json!({"days": "3"}),
        expect![[r#"/days: expected an integer, found the string "3"; send it without the quotes"#]],
    );
    check(
        &schema,
        &json!({"all": "true"}),
        expect![[r#"/all: expected a boolean, found the string "true"; send it without the quotes"#]],
    );
    check(
        &schema,
        &json!({"days": "3.5"}),
        expect![[r#"/days: expected an integer, found the string "3.5""#]],
    );
}

#[test]
fn null_is_left_out_where_it_may_be() {
    let schema = json!({"properties": {"a": {"type": "string"}, "b": {"type": "string"}}, "required": ["b"]});
    check(&schema, &json!({"a": null, "b": "x"}), expect!["/a: expected a string, found null; leave it out"]);
    check(&schema, &json!({"b": null}), expect!["/b: expected a string, found null"]);
}

#[test]
fn one_of_many_is_wrapped() {
    let schema =
        json!({"properties": {"points": {"type": "array", "items": {"type": "object", "required": ["x"]}}}});
    check(
        &schema,
        &json!({"points": {"x": 1}}),
        expect![[r#"
        /points: expected an array, found an object of 1 property; wrap it in [ ]
        Expected at /points: {"x": any}[]"#]],
    );
}

#[test]
fn what_is_wrapped_is_unwrapped() {
    let schema = json!({
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city"],
        "additionalProperties": false
    });
    check(
        &schema,
        &json!({"arguments": {"city": "Turin", "days": 3}}),
        expect![[r#"
        2 errors:
        - /: unknown property "arguments"
        - /: missing required property "city"; put the members of "arguments" at the root
        Expected at /: {"city": string, "days"?: integer}"#]],
    );
}

#[test]
fn every_misspelt_member_is_named() {
    let schema = json!({"properties": {"city": {}, "country": {}}, "required": ["city", "country"]});
    check(
        &schema,
        &json!({"citty": 1, "contry": 2}),
        expect![[r#"
        /: missing required properties "city", "country" (is "citty" meant to be "city", and "contry" to be "country"?)
        Expected at /: {"city": any, "country": any}"#]],
    );
}

#[test]
fn branches_that_all_match_are_told_apart() {
    let schema = json!({"oneOf": [
        {"title": "by name", "properties": {"name": {"type": "string"}}},
        {"properties": {"id": {"type": "integer"}}},
        {"type": "string"}
    ]});
    check(
        &schema,
        &json!({"name": "a", "id": 1}),
        expect![[r#"
        /: more than one alternative of "oneOf" accepts this: 0, 1; it must be only one of "by name" or {"id"?: integer}
        Expected at /: {"name"?: string}|{"id"?: integer}|string"#]],
    );
}

#[test]
fn what_not_excludes_is_said() {
    check(
        &json!({"not": {"required": ["a", "b"]}}),
        &json!({"a": 1, "b": 2}),
        expect![[r#"/: this is what "not" excludes; it must not be {"a": any, "b": any}"#]],
    );
}

#[test]
fn all_values_are_listed_while_they_fit() {
    let days: Vec<String> = (1..=31).map(|day| format!("d{day}")).collect();
    check(
        &json!({"enum": days}),
        &json!("d0x0"),
        expect![[
            r#"/: "d0x0" is not one of "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9", "d10", "d11", "d12", "d13", "d14", "d15", "d16", "d17", "d18", "d19", "d20", "d21", "d22", "d23", "d24", "d25", "d26", "d27", "d28", "d29", "d30", "d31""#
        ]],
    );
}

#[test]
fn a_sketch_has_what_then_wants() {
    let schema = json!({
        "type": "object",
        "properties": {"kind": {"enum": ["a", "b"]}},
        "if": {"properties": {"kind": {"const": "a"}}},
        "then": {"properties": {"size": {"type": "integer", "minimum": 1, "maximum": 9007199254740991i64}}, "required": ["size"]}
    });
    check(
        &schema,
        &json!({"kind": "a"}),
        expect![[r#"
        /: missing required property "size"
        Expected at /: {"size": integer >=1, "kind"?: "a"|"b"}"#]],
    );
}
