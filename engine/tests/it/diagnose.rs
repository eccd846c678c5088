//! All that is wrong with a schema, and what it probably did not mean.

use expect_test::{Expect, expect};
use serde_json::{Value, json};
use stanchion::{
    Dialect, Limits, References, SchemaErrorKind, SchemaWarningKind, Validator, ValidatorBuilder,
};

/// Errors and warnings, a line each.
#[track_caller]
fn check_with(builder: &ValidatorBuilder, schema: &Value, expect: Expect) {
    // Whichever order maps have.
    let mut schema = schema.clone();
    schema.sort_all_objects();
    let diagnosis = builder.diagnose(&schema);
    let mut text = String::new();
    for error in diagnosis.errors() {
        text += &format!("error: {error}\n");
    }
    for warning in diagnosis.warnings() {
        text += &format!("warning: {warning}\n");
    }
    expect.assert_eq(&text);
    match builder.build(&schema) {
        Ok(_) => assert!(diagnosis.errors().is_empty(), "the schema is accepted"),
        Err(first) => {
            let listed = diagnosis.errors().iter().any(|error| error.to_string() == first.to_string());
            assert!(listed, "what ends building is among them: {first}");
        }
    }
}

#[track_caller]
fn check(schema: &Value, expect: Expect) {
    check_with(&Validator::builder(), schema, expect);
}

#[test]
fn several_errors_at_once() {
    check(
        &json!({
            "type": "strnig",
            "minLength": -1,
            "properties": {"a": {"minimum": "1", "pattern": "("}, "b": 5},
            "items": [true],
            "required": ["a", "a"],
            "allOf": []
        }),
        expect![[r#"
            error: /type: expected one of "array", "boolean", "integer", "null", "number", "object", "string", found "strnig" (did you mean "string"?)
            error: /minLength: expected an integer of 0 or more, found -1
            error: /required/1: expected each name once, found "a"
            error: /allOf: expected a non-empty array of schemas, found an empty array
            error: /items: expected a schema (an object or a boolean), found an array
            error: /properties/a/minimum: expected a number, found a string
            error: /properties/a/pattern: pattern "(" is not an ECMA-262 pattern: offset 0: ( is never closed
            error: /properties/b: expected a schema (an object or a boolean), found a number
        "#]],
    );
}

#[test]
fn types_of_other_languages_are_translated() {
    check(
        &json!({"type": ["int", "Str", "bool", "whatever"]}),
        expect![[r#"
        error: /type/0: expected one of "array", "boolean", "integer", "null", "number", "object", "string", found "int" (did you mean "integer"?)
    "#]],
    );
    check(
        &json!({"type": "dict"}),
        expect![[r#"
        error: /type: expected one of "array", "boolean", "integer", "null", "number", "object", "string", found "dict" (did you mean "object"?)
    "#]],
    );
}

#[test]
fn references_that_lead_nowhere() {
    check(
        &json!({
            "properties": {
                "a": {"$ref": "#/$defs/adress"},
                "b": {"$ref": "#/definitions/address"},
                "c": {"$ref": "#adress"},
                "d": {"$ref": "#/$defs/person"},
                "e": {"$ref": "https://example.com/x"},
                "f": {"$ref": "#/$defs/%zz"}
            },
            "$defs": {"address": {"$anchor": "address"}}
        }),
        expect![[r##"
            error: /properties/e/$ref: reference "https://example.com/x" leaves the document; only references that start with # are followed
            error: /properties/a/$ref: no "#/$defs/adress"; there is "#/$defs/address"
            error: /properties/b/$ref: no "#/definitions/address"; there is "#/$defs/address"
            error: /properties/c/$ref: no "#adress"; there is "#address"
            error: /properties/d/$ref: reference "#/$defs/person" leads nowhere: there is nothing at that place
            error: /properties/f/$ref: reference "#/$defs/%zz" leads nowhere: its percent escapes are malformed
        "##]],
    );
    let builder = Validator::builder()
        .references(References::Bundled)
        .resource("https://example.com/item", &json!(true));
    check_with(
        &builder,
        &json!({"$ref": "https://example.com/itm"}),
        expect![[r#"
        error: /$ref: no "https://example.com/itm"; there is "https://example.com/item"
    "#]],
    );
}

#[test]
fn rings_and_duplicates() {
    check(
        &json!({
            "$ref": "#",
            "$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}, "c": {"type": 5}}
        }),
        expect![[r##"
            error: /$defs/b: anchor "x" is there twice
            error: /$ref: reference "#" comes back to itself on the same instance, without end
            error: /$defs/c/type: expected a type name or a non-empty array of type names, found a number
        "##]],
    );
}

#[test]
fn misspelt_keywords_are_warnings() {
    check(
        &json!({
            "requried": ["a"],
            "propertis": {},
            "additionalproperties": false,
            "x-requred": 1,
            "nullable": true,
            "example": 1,
            "ref": "#",
            "minimun": 1,
            "descripton": "text",
            "properties": {"requried": {"enums": [1]}}
        }),
        expect![[r#"
            warning: /additionalproperties: unknown keyword "additionalproperties" (did you mean "additionalProperties"?)
            warning: /descripton: unknown keyword "descripton" (did you mean "description"?)
            warning: /minimun: unknown keyword "minimun" (did you mean "minimum"?)
            warning: /ref: unknown keyword "ref" (did you mean "$ref"?)
            warning: /requried: unknown keyword "requried" (did you mean "required"?)
            warning: /properties/requried/enums: unknown keyword "enums" (did you mean "enum"?)
        "#]],
    );
}

#[test]
fn keywords_of_other_dialects_are_warnings() {
    check(
        &json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "prefixItems": [true],
            "dependentRequired": {},
            "$defs": {"a": true},
            "properties": {"a": {"$ref": "#/$defs/a", "minLength": 1, "description": "text"}}
        }),
        expect![[r#"
            warning: /dependentRequired: keyword "dependentRequired" has no meaning in http://json-schema.org/draft-07/schema
            warning: /prefixItems: keyword "prefixItems" has no meaning in http://json-schema.org/draft-07/schema
            warning: /properties/a/minLength: keyword "minLength" is hidden by the "$ref" beside it in http://json-schema.org/draft-07/schema
        "#]],
    );
    check(
        &json!({"additionalItems": false}),
        expect![[r#"
        warning: /additionalItems: keyword "additionalItems" has no meaning in https://json-schema.org/draft/2020-12/schema
    "#]],
    );
    check_with(
        &Validator::builder().dialect(Dialect::Draft04),
        &json!({"const": 1, "if": {}}),
        expect![[r#"
            warning: /const: keyword "const" has no meaning in http://json-schema.org/draft-04/schema
            warning: /if: keyword "if" has no meaning in http://json-schema.org/draft-04/schema
        "#]],
    );
}

#[test]
fn unknown_formats_are_warnings() {
    check(
        &json!({"properties": {"a": {"format": "date_time"}, "b": {"format": "int32"}, "c": {"format": "uuid"}}}),
        expect![[r#"
            warning: /properties/a/format: unknown format "date_time" (did you mean "date-time"?)
            warning: /properties/b/format: unknown format "int32"
        "#]],
    );
    let builder = Validator::builder().format("currency", |text| text.len() == 3);
    check_with(
        &builder,
        &json!({"anyOf": [{"format": "currency"}, {"format": "curency"}]}),
        expect![[r#"
        warning: /anyOf/1/format: unknown format "curency" (did you mean "currency"?)
    "#]],
    );
}

#[test]
fn a_limit_is_the_end() {
    let builder = Validator::builder().limits(Limits::default().subschemas(3));
    check_with(
        &builder,
        &json!({"type": 5, "allOf": [true, true, true, true]}),
        expect![[r#"
            error: schema has 5 subschemas, the limit is 3
        "#]],
    );
}

#[test]
fn lists_are_bounded() {
    let wrong: Vec<Value> = (0..500).map(|_| json!({"type": 5, "requried": []})).collect();
    let diagnosis = Validator::builder().diagnose(&json!({"allOf": wrong}));
    assert!(diagnosis.errors().len() <= 101 && diagnosis.warnings().len() == 100 && diagnosis.is_cut());
}

#[test]
fn what_is_right_is_clean() {
    let diagnosis = Validator::builder().diagnose(&json!({"type": "object", "title": "T", "x-y": 1}));
    assert!(diagnosis.is_clean(), "{diagnosis:?}");
}

#[test]
fn facts_can_be_matched_on() {
    let diagnosis =
        Validator::builder().diagnose(&json!({"$ref": "#/$defs/b", "$defs": {"a": true}, "titel": 1}));
    let kind = diagnosis.errors()[0].kind();
    assert!(
        matches!(kind, SchemaErrorKind::Unresolved { reference, .. } if reference == "#/$defs/b"),
        "{kind:?}"
    );
    assert_eq!(
        *diagnosis.warnings()[0].kind(),
        SchemaWarningKind::MisspeltKeyword { name: "titel".to_owned(), suggestion: "title".to_owned() }
    );
}
