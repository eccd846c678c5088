//! State that a verdict leaves behind for the explanation hides no error: the errors are those of a program that is not
//! optimized, which leaves no such state.

use serde_json::{Value, json};
use stanchion::Validator;

#[track_caller]
fn check(schema: &Value, instance: &Value, expected: &[&str]) {
    for optimize in [true, false] {
        let validator = Validator::builder().optimize(optimize).build(schema).unwrap();
        let errors: Vec<String> = validator.iter_errors(instance).map(|error| error.to_string()).collect();
        assert_eq!(errors, expected, "optimized: {optimize}");
        let first = validator.validate(instance).unwrap_err().to_string();
        assert_eq!(first, expected[0], "optimized: {optimize}");
    }
}

#[test]
fn items_behind_the_first_failure_are_told() {
    check(
        &json!({"items": {"type": "array", "items": {"type": "integer"}}}),
        &json!([[1], [2, "a", 3, "b"], [4], ["c"]]),
        &[
            "/1/1: expected an integer, found the string \"a\"",
            "/1/3: expected an integer, found the string \"b\"",
            "/3/0: expected an integer, found the string \"c\"",
        ],
    );
}

#[test]
fn what_two_walks_in_one_ask_is_told_of_each() {
    check(
        &json!({
            "allOf": [
                {"properties": {"a": {"type": "string"}, "c": {"items": {"minimum": 2}}}},
                {"properties": {"a": {"minLength": 3}, "b": {"type": "integer"}, "c": {"items": {"maximum": 5}}}}
            ],
            "properties": {"d": {"type": "null"}}
        }),
        &json!({"a": "x", "b": "y", "c": [3, 1, 7], "d": 1}),
        &[
            "/c/1: 1 is less than the minimum 2",
            "/a: \"x\" has 1 character, fewer than the minimum 3",
            "/b: expected an integer, found the string \"y\"",
            "/c/2: 7 is more than the maximum 5",
            "/d: expected null, found 1",
        ],
    );
}

/// A walk may stand for more walks than anyone looks through to see what it says of one of them.
#[test]
fn what_very_many_walks_in_one_ask_is_told_of_each() {
    // No two are alike, so that none is taken for another.
    let names: Vec<String> = ('a'..='z').map(|letter| letter.to_string().repeat(8)).collect();
    let mut branches: Vec<Value> = names.iter().map(|name| json!({"required": [name]})).collect();
    branches.push(json!({"properties": {"inside": {"$ref": "#"}}}));
    let mut instance = json!({"inside": {}});
    for name in &names {
        instance[name] = json!(1);
        if !["bbbbbbbb", "mmmmmmmm", "yyyyyyyy"].contains(&name.as_str()) {
            instance["inside"][name] = json!(1);
        }
    }
    check(
        &json!({"allOf": branches}),
        &instance,
        &[
            "/inside: missing required property \"bbbbbbbb\"",
            "/inside: missing required property \"mmmmmmmm\"",
            "/inside: missing required property \"yyyyyyyy\"",
        ],
    );
}

#[test]
fn a_block_inside_itself_is_told_at_each_level() {
    check(
        &json!({
            "minProperties": 2,
            "properties": {"inside": {"$ref": "#"}, "n": {"type": "integer"}},
            "not": {"required": ["never"]},
            "propertyNames": {"maxLength": 6}
        }),
        &json!({"inside": {"inside": {"inside": {}, "n": 1}, "n": "a"}, "n": "b"}),
        &[
            "/inside/inside/inside: found 0 properties, fewer than the minimum 2",
            "/inside/n: expected an integer, found the string \"a\"",
            "/n: expected an integer, found the string \"b\"",
        ],
    );
}

#[test]
fn a_walk_of_another_block_says_nothing_of_the_own() {
    check(
        &json!({
            "$defs": {"b": {"not": {"const": 1}, "required": ["a"]}},
            "dependentSchemas": {"ab": {
                "additionalProperties": {"type": "object"},
                "allOf": [{"$ref": "#/$defs/b"}, {"const": 1}]
            }}
        }),
        &json!({"ab": null}),
        &[
            "/: missing required property \"a\"",
            "/: expected 1, found an object of 1 property",
            "/ab: expected an object, found null",
        ],
    );
}

#[test]
fn what_is_evaluated_depends_on_what_holds() {
    check(
        &json!({
            "not": {"properties": {"a": {"prefixItems": [false]}}},
            "unevaluatedProperties": {"type": "object"}
        }),
        &json!({"a": null}),
        &["/: this is what \"not\" excludes", "/a: expected an object, found null"],
    );
    check(
        &json!({
            "allOf": [{"unevaluatedProperties": {"type": "integer"}}],
            "unevaluatedProperties": false
        }),
        &json!({"b": "x"}),
        &["/b: expected an integer, found the string \"x\"", "/: unknown property \"b\""],
    );
}

#[test]
fn an_array_is_not_taken_for_its_first_item() {
    check(
        &json!({
            "$ref": "#/$defs/b",
            "$defs": {"b": {"oneOf": [{
                "additionalProperties": false,
                "prefixItems": [{"$ref": "#/$defs/b"}],
                "required": ["a"]
            }]}}
        }),
        &json!([{"a": null}]),
        &["/0: unknown property \"a\""],
    );
}

/// A walk asks for up to 63 required names; others are asked for beside it.
#[test]
fn very_many_required_names_are_told() {
    let names: Vec<String> = (0..70).map(|number| format!("name{number}")).collect();
    let mut instance: Value =
        names.iter().map(|name| (name.clone(), json!(1))).collect::<serde_json::Map<_, _>>().into();
    instance["name7"] = json!("seven");
    instance.as_object_mut().unwrap().remove("name69");
    check(
        &json!({
            "properties": {"name7": {"type": ["string", "integer"]}},
            "required": names,
            "allOf": [{"properties": {"name7": {"type": "integer"}}}]
        }),
        &instance,
        &[
            "/: missing required property \"name69\"",
            "/name7: expected an integer, found the string \"seven\"",
        ],
    );
}

#[test]
fn what_a_walk_ended_at_may_not_be_the_first_that_is_told() {
    let schema = json!({
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["c"],
        "additionalProperties": {"type": "null"}
    });
    // Properties come before others, whatever their order in the object.
    check(
        &schema,
        &json!({"aa": 1, "b": "x", "c": null}),
        &["/b: expected an integer, found the string \"x\"", "/aa: expected null, found 1"],
    );
    check(
        &schema,
        &json!({"aa": 1, "b": "x"}),
        &[
            "/: missing required property \"c\"",
            "/b: expected an integer, found the string \"x\"",
            "/aa: expected null, found 1",
        ],
    );
    check(
        &json!({"required": ["a"], "additionalProperties": {"type": "null"}}),
        &json!({"b": 1}),
        &["/: missing required property \"a\"", "/b: expected null, found 1"],
    );
    check(
        &json!({"additionalProperties": {"additionalProperties": false}}),
        &json!({"a": {}, "b": {"c": 1}}),
        &["/b: unknown property \"c\""],
    );
}

#[test]
fn the_first_item_has_the_address_of_its_array() {
    check(
        &json!({"items": {"properties": {"a": {"type": "integer"}}, "required": ["b"], "additionalProperties": false}}),
        &json!([{"a": "x", "c": 1}, {"a": 1, "d": 2}]),
        &[
            "/0: unknown property \"c\"",
            "/0: missing required property \"b\"",
            "/0/a: expected an integer, found the string \"x\"",
            "/1: unknown property \"d\"",
            "/1: missing required property \"b\"",
        ],
    );
}

#[test]
fn all_that_is_wrong_with_one_value_is_told() {
    let schema = json!({"properties": {
        "a": {"type": "string", "enum": ["x"]},
        "b": {"properties": {"c": {}}, "required": ["c", "d"], "additionalProperties": false}
    }});
    check(
        &schema,
        &json!({"a": 1, "b": {"c": 1, "d": 2}}),
        &["/a: expected a string, found 1", "/a: 1 is not one of \"x\"", "/b: unknown property \"d\""],
    );
    check(
        &schema,
        &json!({"b": {"c": 1, "d": 2, "e": 3}}),
        &["/b: unknown property \"d\"", "/b: unknown property \"e\""],
    );
    check(&schema, &json!({"b": {"c": 1}}), &["/b: missing required property \"d\""]);
}

#[test]
fn long_places_are_whole() {
    let name = "long~".repeat(100);
    let member = json!({"type": "integer"});
    for (schema, within) in [
        (json!({"properties": {&name: member}}), ""),
        (json!({"anyOf": [{"properties": {&name: member}}, {"type": "string"}]}), "/anyOf/0"),
    ] {
        let validator = Validator::new(&schema).unwrap();
        let instance = json!({&name: "x"});
        let first = validator.validate(&instance).unwrap_err();
        let all: Vec<_> = validator.iter_errors(&instance).collect();
        assert_eq!(all.len(), 1);
        let escaped = name.replace('~', "~0");
        for error in [&first, &all[0]] {
            assert_eq!(error.instance_path(), format!("/{escaped}"));
            assert_eq!(error.schema_path(), format!("{within}/properties/{escaped}/type"));
            assert_eq!(error.to_string(), format!("/{escaped}: expected an integer, found the string \"x\""));
        }
    }
}

#[test]
fn parts_of_a_walk_are_told_in_their_order() {
    let schema = json!({
        "$defs": {
            "base": {"properties": {"z": {"type": "integer"}, "deep": {"items": {"maximum": 3}}}},
            "named": {"allOf": [{"$ref": "#/$defs/base"}], "properties": {"name": {"type": "string"}}, "required": ["name"]}
        },
        "type": "object",
        "properties": {"a": {"type": "integer"}, "name": {"minLength": 2}},
        "allOf": [{"$ref": "#/$defs/named"}, {"properties": {"b": {"type": "integer"}}}]
    });
    // The walk over all members ends at the first that any part refuses.
    check(
        &schema,
        &json!({"a": "x", "b": "y", "name": "n", "z": "z"}),
        &[
            "/z: expected an integer, found the string \"z\"",
            "/b: expected an integer, found the string \"y\"",
            "/a: expected an integer, found the string \"x\"",
            "/name: \"n\" has 1 character, fewer than the minimum 2",
        ],
    );
    check(
        &schema,
        &json!({"a": 1, "b": "y", "deep": [1, 2, 7], "name": "nn"}),
        &["/deep/2: 7 is more than the maximum 3", "/b: expected an integer, found the string \"y\""],
    );
    check(
        &schema,
        &json!({"a": "x", "b": 1}),
        &["/: missing required property \"name\"", "/a: expected an integer, found the string \"x\""],
    );
}

/// A union or a condition beside the walk over members is reported before what is inside of these, and hides none of it.
#[test]
fn what_is_beside_a_walk_is_told_in_its_order() {
    let schema = json!({
        "properties": {"a": {"type": "string"}, "b": {"items": {"type": "integer"}}},
        "dependentRequired": {"a": ["b"]},
        "anyOf": [{"minProperties": 2}, {"required": ["only"]}],
        "additionalProperties": false
    });
    check(&schema, &json!({"a": "x", "b": [1, "y"]}), &["/b/1: expected an integer, found the string \"y\""]);
    check(
        &schema,
        &json!({"a": 1, "b": [1, "y"]}),
        &["/a: expected a string, found 1", "/b/1: expected an integer, found the string \"y\""],
    );
    check(
        &schema,
        &json!({"a": 1, "c": true}),
        &["/: unknown property \"c\"", "/: property \"a\" requires \"b\"", "/a: expected a string, found 1"],
    );
    check(
        &json!({
            "allOf": [
                {"properties": {"a": {"type": "string"}}},
                {"properties": {"b": {"properties": {"c": {"type": "null"}}}}}
            ],
            "if": {"required": ["d"]},
            "then": {"maxProperties": 1}
        }),
        &json!({"a": "x", "b": {"c": 1}, "d": 0}),
        &["/b/c: expected null, found 1", "/: found 3 properties, more than the maximum 1"],
    );
}
