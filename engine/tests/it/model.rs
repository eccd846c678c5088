//! Errors for readers: texts for a model, cut and masked values, words of one's own, limits.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use stanchion::{ErrorKind, Limits, Messages, Validator};

/// Schemas and instances have their members in order, whichever order maps have.
fn sorted(mut value: Value) -> Value {
    value.sort_all_objects();
    value
}

fn validator(schema: &Value) -> Validator {
    Validator::new(&sorted(schema.clone())).expect("a validator")
}

#[track_caller]
fn check(schema: &Value, instance: &Value, characters: usize, expect: Expect) {
    let text = validator(schema).iter_errors(&sorted(instance.clone())).for_model(characters);
    assert!(text.chars().count() <= characters, "{} characters: {text}", text.chars().count());
    expect.assert_eq(&text);
}

fn search() -> Value {
    json!({
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "filter": {"$ref": "#/$defs/filter"},
            "sort": {"oneOf": [{"enum": ["date", "name"]}, {"type": "null"}]}
        },
        "required": ["query"],
        "additionalProperties": false,
        "$defs": {"filter": {
            "type": "object",
            "properties": {
                "limit": {"type": "integer", "minimum": 1, "maximum": 100},
                "tags": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "integer"}]}},
                "since": {"type": "string", "format": "date"}
            },
            "required": ["limit"]
        }}
    })
}

#[test]
fn one_error_is_one_line() {
    check(
        &search(),
        &json!({"query": "a", "filter": {"limit": 250}}),
        500,
        expect!["/filter/limit: 250 is more than the maximum 100"],
    );
}

#[test]
fn shapes_are_sketched_where_they_help() {
    check(
        &search(),
        &json!({"query": "a", "filter": {}}),
        500,
        expect![[r#"
        /filter: missing required property "limit"
        Expected at /filter: {"limit": integer 1..100, "since"?: string (date), "tags"?: (string|integer)[]}"#]],
    );
    check(
        &search(),
        &json!({"qurey": "a", "filter": [], "sort": 5}),
        500,
        expect![[r#"
            4 errors:
            - /: unknown property "qurey" (did you mean "query"?)
            - /: missing required property "query"
            - /filter: expected an object, found an array of 0 items
            - /sort: expected "date", "name" or null, found 5
            Expected at /: {"query": string, "filter"?: {"limit": integer 1..100, "since"?: string (date), "tags"?: (string|integer)[]}, "sort"?: "date"|"name"|null}"#]],
    );
    check(
        &json!({"items": {"prefixItems": [{"type": "string"}, {"type": "number"}], "minItems": 2}, "type": "array"}),
        &json!({}),
        200,
        expect![[r#"
            /: expected an array, found an object of 0 properties
            Expected at /: [string, number][]"#]],
    );
    check(
        &json!({"additionalProperties": {"type": "boolean"}, "type": "object"}),
        &json!([]),
        200,
        expect![[r#"
            /: expected an object, found an array of 0 items
            Expected at /: {[name]: boolean}"#]],
    );
}

#[test]
fn texts_stay_within_their_bound() {
    let instance =
        json!({"qurey": "a", "filter": {"limit": 0, "tags": [true, null], "since": 5}, "sort": "size"});
    for characters in 0..700 {
        let text = validator(&search()).iter_errors(&instance).for_model(characters);
        assert!(text.chars().count() <= characters, "{characters}: {text}");
    }
    check(
        &search(),
        &instance,
        160,
        expect![[r#"
        7 errors:
        - /: unknown property "qurey" (did you mean "query"?)
        - /: missing required property "query"
        - and 5 more"#]],
    );
    check(
        &search(),
        &instance,
        40,
        expect![[r#"
        7 errors:
        - /: unknown pro…
        - and 6 more"#]],
    );
}

#[test]
fn recursive_schemas_are_sketched_a_few_levels_down() {
    let tree = json!({
        "type": "object",
        "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#"}}},
        "required": ["name"]
    });
    check(
        &tree,
        &json!({"children": [{}]}),
        300,
        expect![[r#"
            2 errors:
            - /: missing required property "name"
            - /children/0: missing required property "name"
            Expected at /: {"name": string, "children"?: {"name": string, "children"?: {…}[]}[]}"#]],
    );
}

#[test]
fn it_says_that_more_were_cut() {
    let validator = Validator::builder()
        .limits(Limits::default().errors(3))
        .build(&json!({"items": {"type": "string"}}))
        .expect("a validator");
    let errors = validator.iter_errors(&json!([1, 2, 3, 4, 5]));
    assert!(errors.is_cut());
    expect![[r#"
        /0: expected a string, found 1
        /1: expected a string, found 2
        /2: expected a string, found 3
        and more"#]]
    .assert_eq(&errors.to_string());
    expect![[r#"
        more than 3 errors:
        - /0: expected a string, found 1
        - /1: expected a string, found 2
        - /2: expected a string, found 3
        - and more"#]]
    .assert_eq(&errors.for_model(500));
    expect![[r#"
        more than 3 errors:
        - /0: expected a…
        - and more than 2 more"#]]
    .assert_eq(&errors.for_model(60));
    let errors = validator.iter_errors(&json!([1, 2, 3]));
    assert!(!errors.is_cut());
    assert_eq!(errors.len(), 3);
}

#[test]
fn values_are_cut() {
    let validator = validator(&json!({"maxLength": 3}));
    let error = validator.validate(&json!("é".repeat(300))).expect_err("an error");
    expect![[r#"/: "éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé…" has 300 characters, more than the maximum 3"#]].assert_eq(&error.to_string());
    let short = Messages::new().value_length(5);
    expect![[r#"/: "ééééé…" has 300 characters, more than the maximum 3"#]].assert_eq(&short.line(&error));
    let ErrorKind::MaxLength { found: 300, limit: 3, value } = error.kind() else { panic!("{error:?}") };
    assert_eq!(value.chars().count(), 103);
}

#[test]
fn values_can_be_masked() {
    let schema = json!({"properties": {
        "password": {"pattern": "^[a-z]{12,}$"},
        "pin": {"maximum": 9999, "type": "integer"},
        "mode": {"enum": ["a", "b"]},
        "key": {"anyOf": [{"type": "null"}, {"const": "k"}]},
        "names": {"propertyNames": {"maxLength": 1}},
        "flag": {"const": false},
        "list": {"type": "string"}
    }});
    let instance = json!({
        "password": "s3cret", "pin": 12345, "mode": "s3cret", "key": "s3cret", "names": {"ab": 1}, "flag": true, "list": ["s3cret"]
    });
    let errors = validator(&schema).iter_errors(&sorted(instance));
    let masked = Messages::new().mask_values(true);
    let lines: Vec<String> = errors.as_slice().iter().map(|error| masked.line(error) + "\n").collect();
    expect![[r#"
        /flag: expected false, found a boolean
        /key: expected "k", found a string
        /list: expected a string, found an array of 1 item
        /mode: a string is not one of "a", "b"
        /names: property name "ab" is not allowed: a string has 2 characters, more than the maximum 1
        /password: a string does not match the pattern "^[a-z]{12,}$"
        /pin: a number is more than the maximum 9999
    "#]]
    .assert_eq(&lines.concat());
    let text = masked.for_model(&errors, 2000);
    assert!(!text.contains("s3cret") && !text.contains("12345"), "{text}");
}

#[test]
#[allow(clippy::wildcard_enum_match_arm, reason = "for all others, the words that there are")]
fn words_of_ones_own_see_what_is_shown() {
    let messages = Messages::new().mask_values(true).words(|kind| {
        if let ErrorKind::AnyOf { branches } = kind {
            let said: Vec<String> = branches.iter().map(|branch| branch.errors()[0].message()).collect();
            return Some(said.join(" / "));
        }
        let ErrorKind::Maximum { found, limit } = kind else { return None };
        Some(format!("{found} > {limit}"))
    });
    let validator = validator(&json!({"properties": {
        "a": {"anyOf": [{"const": "x"}, {"const": "y"}]},
        "b": {"maximum": 1},
        "c": {"minimum": 1}
    }}));
    let errors = validator.iter_errors(&json!({"a": "s3cret", "b": 2, "c": 0}));
    expect![[r#"
        3 errors:
        - /a: expected "x", found a string / expected "y", found a string
        - /b: a number > 1
        - /c: a number is less than the minimum 1
        Expected at /a: "x"|"y""#]]
    .assert_eq(&messages.for_model(&errors, 500));
}

#[test]
fn a_line_is_one_line() {
    let validator =
        validator(&json!({"additionalProperties": {"type": "integer"}, "propertyNames": {"maxLength": 20}}));
    let errors = validator.iter_errors(&json!({"a\nb": "c\nd\u{1b}[0m", "deep/est~": "\u{202e}"}));
    expect![[r#"
        /a\u000ab: expected an integer, found the string "c\nd\u001b[0m"
        /deep~1est~0: expected an integer, found the string "\u202e""#]]
    .assert_eq(&errors.to_string());
}

#[test]
fn deep_places_are_named() {
    let mut schema = json!({"maximum": 1});
    let mut instance = json!(2);
    for level in 0..20 {
        schema = if level % 2 == 0 { json!({"items": schema}) } else { json!({"properties": {"a": schema}}) };
        instance = if level % 2 == 0 { json!([0, instance]) } else { json!({"a": instance}) };
    }
    let error = validator(&schema).validate(&instance).expect_err("an error");
    assert_eq!(error.instance_path(), "/a/1".repeat(10));
    assert_eq!(error.schema_path(), "/properties/a/items".repeat(10) + "/maximum");
}
