//! Messages: a snapshot for every keyword.

use expect_test::{Expect, expect};
use serde_json::Value;
use stanchion::Validator;

/// All errors of an instance, a line each: the line, and the keyword's place by evaluation.
#[track_caller]
fn check(schema: &str, instance: &str, expect: Expect) {
    let schema: Value = serde_json::from_str(schema).expect("a schema");
    let instance: Value = serde_json::from_str(instance).expect("an instance");
    let validator = Validator::builder().assert_formats(true).build(&schema).expect("a validator");
    let errors = validator.iter_errors(&instance);
    let first = validator.validate(&instance).err().map(|error| error.to_string());
    assert_eq!(first, errors.as_slice().first().map(ToString::to_string), "`validate` gives the first");
    let lines: Vec<String> =
        errors.map(|error| format!("{error}    {}\n", error.evaluation_path())).collect();
    expect.assert_eq(&lines.concat());
}

#[test]
fn types() {
    check(
        r#"{"type": "integer"}"#,
        r#""three""#,
        expect![[r#"
        /: expected an integer, found the string "three"    /type
    "#]],
    );
    check(
        r#"{"type": "integer"}"#,
        "1.5",
        expect![[r#"
        /: expected an integer, found 1.5    /type
    "#]],
    );
    check(
        r#"{"type": ["string", "null", "array"]}"#,
        "true",
        expect![[r#"
            /: expected a string, an array or null, found true    /type
        "#]],
    );
    check(
        r#"{"type": "object"}"#,
        "[1, 2]",
        expect![[r#"
        /: expected an object, found an array of 2 items    /type
    "#]],
    );
    check(
        r#"{"type": "array"}"#,
        r#"{"a": 1}"#,
        expect![[r#"
            /: expected an array, found an object of 1 property    /type
        "#]],
    );
    check(
        r#"{"$schema": "http://json-schema.org/draft-04/schema#", "type": "integer"}"#,
        "1.0",
        expect![[r#"
        /: expected an integer, found 1.0    /type
    "#]],
    );
}

#[test]
fn constants() {
    check(
        r#"{"const": {"a": 1}}"#,
        r#"{"a": 2}"#,
        expect![[r#"
            /: expected {"a":1}, found an object of 1 property    /const
        "#]],
    );
    check(
        r#"{"const": "metric"}"#,
        r#""imperial""#,
        expect![[r#"
        /: expected "metric", found "imperial"    /const
    "#]],
    );
    check(
        r#"{"enum": ["celsius", "fahrenheit"]}"#,
        r#""kelvin""#,
        expect![[r#"
        /: "kelvin" is not one of "celsius", "fahrenheit"    /enum
    "#]],
    );
    check(
        r#"{"enum": ["celsius", "fahrenheit"]}"#,
        r#""Celcius""#,
        expect![[r#"
        /: "Celcius" is not one of "celsius", "fahrenheit" (did you mean "celsius"?)    /enum
    "#]],
    );
    check(
        r#"{"enum": []}"#,
        "1",
        expect![[r#"
        /: 1 is not one of the values of "enum", which has none    /enum
    "#]],
    );
    check(
        r#"{"enum": [0,1,2,3,4,5,6,7,8,9,10,11]}"#,
        "12",
        expect![[r#"
            /: 12 is not one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11    /enum
        "#]],
    );
}

#[test]
fn numbers() {
    check(
        r#"{"minimum": 1}"#,
        "0",
        expect![[r#"
        /: 0 is less than the minimum 1    /minimum
    "#]],
    );
    check(
        r#"{"properties": {"filter": {"properties": {"limit": {"maximum": 100}}}}}"#,
        r#"{"filter": {"limit": 250}}"#,
        expect![[r#"
            /filter/limit: 250 is more than the maximum 100    /properties/filter/properties/limit/maximum
        "#]],
    );
    check(
        r#"{"exclusiveMinimum": 0}"#,
        "0",
        expect![[r#"
        /: 0 is not more than the exclusive minimum 0    /exclusiveMinimum
    "#]],
    );
    check(
        r#"{"exclusiveMaximum": 1}"#,
        "1",
        expect![[r#"
        /: 1 is not less than the exclusive maximum 1    /exclusiveMaximum
    "#]],
    );
    check(
        r#"{"multipleOf": 0.1}"#,
        "0.25",
        expect![[r#"
        /: 0.25 is not a multiple of 0.1    /multipleOf
    "#]],
    );
}

#[test]
fn texts() {
    check(
        r#"{"minLength": 1}"#,
        r#""""#,
        expect![[r#"
        /: "" has 0 characters, fewer than the minimum 1    /minLength
    "#]],
    );
    check(
        r#"{"maxLength": 1}"#,
        r#""ab""#,
        expect![[r#"
        /: "ab" has 2 characters, more than the maximum 1    /maxLength
    "#]],
    );
    check(
        r#"{"pattern": "^[a-z]+$"}"#,
        r#""a1""#,
        expect![[r#"
        /: "a1" does not match the pattern "^[a-z]+$"    /pattern
    "#]],
    );
    check(
        r#"{"format": "date"}"#,
        r#""tomorrow""#,
        expect![[r#"
        /: "tomorrow" is not of the format "date"    /format
    "#]],
    );
    check(
        r#"{"$schema": "http://json-schema.org/draft-07/schema#", "contentEncoding": "base64"}"#,
        r#""?""#,
        expect![[r#"
            /: this text does not hold base64    /contentEncoding
        "#]],
    );
    check(
        r#"{"$schema": "http://json-schema.org/draft-07/schema#", "contentMediaType": "application/json"}"#,
        r#""{""#,
        expect![[r#"
            /: this text does not hold application/json    /contentMediaType
        "#]],
    );
}

#[test]
fn arrays() {
    check(
        r#"{"minItems": 2}"#,
        "[1]",
        expect![[r#"
        /: found 1 item, fewer than the minimum 2    /minItems
    "#]],
    );
    check(
        r#"{"maxItems": 1}"#,
        "[1, 2]",
        expect![[r#"
        /: found 2 items, more than the maximum 1    /maxItems
    "#]],
    );
    check(
        r#"{"uniqueItems": true}"#,
        "[1, 2, 1.0]",
        expect![[r#"
        /: items 0 and 2 are equal    /uniqueItems
    "#]],
    );
    check(
        r#"{"contains": {"type": "string"}}"#,
        "[1]",
        expect![[r#"
            /: "contains" accepts 0 items, fewer than the minimum 1    /contains
        "#]],
    );
    check(
        r#"{"contains": true, "maxContains": 1}"#,
        "[1, 2]",
        expect![[r#"
            /: "contains" accepts more than 1 item    /contains
        "#]],
    );
    check(
        r#"{"prefixItems": [{"type": "string"}, false], "items": {"type": "null"}}"#,
        "[1, 2, 3]",
        expect![[r#"
            /0: expected a string, found 1    /prefixItems/0/type
            /1: item 1 is not allowed    /prefixItems/1
            /2: expected null, found 3    /items/type
        "#]],
    );
    check(
        r#"{"prefixItems": [true], "items": false}"#,
        "[1, 2]",
        expect![[r#"
        /1: item 1 is not allowed    /items
    "#]],
    );
    check(
        r#"{"prefixItems": [true], "unevaluatedItems": false}"#,
        "[1, 2]",
        expect![[r#"
        /1: item 1 is not allowed    /unevaluatedItems
    "#]],
    );
}

#[test]
fn objects() {
    check(
        r#"{"minProperties": 1}"#,
        "{}",
        expect![[r#"
        /: found 0 properties, fewer than the minimum 1    /minProperties
    "#]],
    );
    check(
        r#"{"maxProperties": 1}"#,
        r#"{"a": 1, "b": 2}"#,
        expect![[r#"
        /: found 2 properties, more than the maximum 1    /maxProperties
    "#]],
    );
    check(
        r#"{"required": ["city"]}"#,
        "{}",
        expect![[r#"
        /: missing required property "city"    /required
    "#]],
    );
    check(
        r#"{"required": ["city", "unit"]}"#,
        "{}",
        expect![[r#"
        /: missing required properties "city", "unit"    /required
    "#]],
    );
    check(
        r#"{"required": ["city"]}"#,
        r#"{"citty": 1}"#,
        expect![[r#"
        /: missing required property "city" (is "citty" meant to be "city"?)    /required
    "#]],
    );
    check(
        r#"{"dependentRequired": {"a": ["b", "c"]}}"#,
        r#"{"a": 1}"#,
        expect![[r#"
        /: property "a" requires "b", "c"    /dependentRequired
    "#]],
    );
    check(
        r#"{"dependentSchemas": {"a": {"required": ["b"]}}}"#,
        r#"{"a": 1}"#,
        expect![[r#"
        /: missing required property "b"    /dependentSchemas/a/required
    "#]],
    );
    check(
        r#"{"properties": {"a": false}}"#,
        r#"{"a": 1}"#,
        expect![[r#"
        /a: property "a" is not allowed    /properties/a
    "#]],
    );
    check(
        r#"{"patternProperties": {"^x-": {"type": "string"}}}"#,
        r#"{"x-a": 1}"#,
        expect![[r#"
        /x-a: expected a string, found 1    /patternProperties/^x-/type
    "#]],
    );
    check(
        r#"{"propertyNames": {"maxLength": 2}}"#,
        r#"{"abc": 1}"#,
        expect![[r#"
        /: property name "abc" is not allowed: "abc" has 3 characters, more than the maximum 2    /propertyNames
    "#]],
    );
    check(
        r#"{"propertyNames": false}"#,
        r#"{"abc": 1}"#,
        expect![[r#"
        /: property name "abc" is not allowed: nothing is allowed here    /propertyNames
    "#]],
    );
}

#[test]
fn unknown_properties() {
    let closed =
        r#"{"properties": {"city": {}, "unit": {}}, "required": ["city"], "additionalProperties": false}"#;
    check(
        closed,
        r#"{"citty": 1}"#,
        expect![[r#"
        /: unknown property "citty" (did you mean "city"?)    /additionalProperties
        /: missing required property "city"    /required
    "#]],
    );
    check(
        closed,
        r#"{"city": 1, "citty": 1}"#,
        expect![[r#"
        /: unknown property "citty"    /additionalProperties
    "#]],
    );
    check(
        closed,
        r#"{"city": 1, "Unit": 1, "x": 1}"#,
        expect![[r#"
        /: unknown property "Unit" (did you mean "unit"?)    /additionalProperties
        /: unknown property "x"    /additionalProperties
    "#]],
    );
    check(
        r#"{"additionalProperties": {"type": "string"}}"#,
        r#"{"a": 1}"#,
        expect![[r#"
        /a: expected a string, found 1    /additionalProperties/type
    "#]],
    );
    check(
        r#"{"allOf": [{"properties": {"city": {}}}], "unevaluatedProperties": false}"#,
        r#"{"sity": 1}"#,
        expect![[r#"
            /: unknown property "sity" (did you mean "city"?)    /unevaluatedProperties
        "#]],
    );
}

#[test]
fn logic() {
    check(
        r#"{"not": {"type": "null"}}"#,
        "null",
        expect![[r#"
        /: this is what "not" excludes    /not
    "#]],
    );
    check(
        "false",
        "1",
        expect![[r#"
        /: nothing is allowed here    
    "#]],
    );
    check(
        r#"{"allOf": [{"minimum": 2}, {"maximum": 0}]}"#,
        "1",
        expect![[r#"
        /: 1 is less than the minimum 2    /allOf/0/minimum
        /: 1 is more than the maximum 0    /allOf/1/maximum
    "#]],
    );
    check(
        r#"{"if": {"minimum": 2}, "then": {"maximum": 3}, "else": {"minimum": 1}}"#,
        "4",
        expect![[r#"
        /: 4 is more than the maximum 3    /then/maximum
    "#]],
    );
    check(
        r#"{"if": {"minimum": 2}, "then": {"maximum": 3}, "else": {"minimum": 1}}"#,
        "0",
        expect![[r#"
        /: 0 is less than the minimum 1    /else/minimum
    "#]],
    );
    check(
        r##"{"$ref": "#/$defs/a", "$defs": {"a": {"minimum": 2}}}"##,
        "1",
        expect![[r#"
        /: 1 is less than the minimum 2    /$ref/minimum
    "#]],
    );
    check(
        r##"{"$dynamicRef": "#a", "$defs": {"a": {"$dynamicAnchor": "a", "minimum": 2}}}"##,
        "1",
        expect![[r#"
            /: 1 is less than the minimum 2    /$dynamicRef/minimum
        "#]],
    );
}
