//! Which branch of a union errors speak of.

use expect_test::{Expect, expect};
use serde_json::Value;
use stanchion::{ErrorKind, Validator};

/// All errors of an instance, a line each.
#[track_caller]
fn check(schema: &str, instance: &str, expect: Expect) {
    let schema: Value = serde_json::from_str(schema).expect("a schema");
    let instance: Value = serde_json::from_str(instance).expect("an instance");
    let validator = Validator::new(&schema).expect("a validator");
    let errors = validator.iter_errors(&instance);
    let first = validator.validate(&instance).err().map(|error| error.to_string());
    assert_eq!(first, errors.as_slice().first().map(ToString::to_string), "`validate` gives the first");
    let evaluated: Vec<String> =
        validator.evaluate(&instance).errors().map(|error| error.to_string()).collect();
    let mut lines: Vec<String> = errors.as_slice().iter().map(ToString::to_string).collect();
    expect.assert_eq(&(lines.join("\n") + "\n"));
    // An evaluation keeps the order of the keywords.
    let mut sorted = evaluated;
    sorted.sort();
    lines.sort();
    assert_eq!(sorted, lines, "an evaluation has the same errors");
}

const SHAPES: &str = r##"{"oneOf": [
    {"type": "object", "properties": {"kind": {"const": "circle"}, "radius": {"type": "number", "minimum": 0}}, "required": ["kind", "radius"]},
    {"type": "object", "properties": {"kind": {"const": "square"}, "side": {"type": "number", "minimum": 0}}, "required": ["kind", "side"]},
    {"$ref": "#/$defs/group"}],
  "$defs": {"group": {"type": "object", "properties": {"kind": {"enum": ["group", "set"]}, "members": {"type": "array", "items": {"$ref": "#"}}}, "required": ["kind", "members"], "additionalProperties": false}}
}"##;

#[test]
fn a_discriminator_tells_the_branch() {
    check(
        SHAPES,
        r#"{"kind": "circle", "radius": "big"}"#,
        expect![[r#"
        /radius: expected a number, found the string "big"
    "#]],
    );
    check(
        SHAPES,
        r#"{"kind": "square", "radius": 1}"#,
        expect![[r#"
        /: missing required property "side"
    "#]],
    );
    check(
        SHAPES,
        r#"{"kind": "set", "members": [], "x": 1}"#,
        expect![[r#"
        /: unknown property "x"
    "#]],
    );
}

#[test]
fn a_discriminator_that_no_branch_takes_is_the_error() {
    check(
        SHAPES,
        r#"{"kind": "circel", "radius": 1}"#,
        expect![[r#"
        /kind: "circel" is not one of "circle", "square", "group", "set" (did you mean "circle"?)
    "#]],
    );
    check(
        SHAPES,
        r#"{"kind": 5, "radius": 1}"#,
        expect![[r#"
        /kind: 5 is not one of "circle", "square", "group", "set"
    "#]],
    );
}

#[test]
fn without_a_discriminator_the_members_tell() {
    check(
        SHAPES,
        r#"{"side": 1}"#,
        expect![[r#"
        /: missing required property "kind"
    "#]],
    );
    check(
        SHAPES,
        "{}",
        expect![[r#"
        /: none of the 3 alternatives of "oneOf" accepts this: missing required properties "kind", "radius"; or missing required properties "kind", "side"; or missing required properties "kind", "members"
    "#]],
    );
}

#[test]
fn nested_unions_stay_short() {
    check(
        SHAPES,
        r#"{"kind": "group", "members": [{"kind": "circle", "radius": 1}, {"kind": "group", "members": [{"kind": "square", "side": -1}]}]}"#,
        expect![[r#"
            /members/1/members/0/side: -1 is less than the minimum 0
        "#]],
    );
    check(
        r#"{"anyOf": [{"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}, {"anyOf": [{"required": ["c"]}, {"required": ["d"]}]}]}"#,
        "{}",
        expect![[r#"
            /: none of the 4 alternatives of "anyOf" accepts this: missing required property "a"; or missing required property "b"; or missing required property "c"; or missing required property "d"
        "#]],
    );
}

#[test]
fn the_type_tells_the_branch() {
    let list = r#"{"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}, {"type": "null"}]}"#;
    check(
        list,
        r#"["a", 1]"#,
        expect![[r#"
        /1: expected a string, found 1
    "#]],
    );
    check(
        list,
        "5",
        expect![[r#"
            /: expected a string, an array or null, found 5
        "#]],
    );
    check(
        r#"{"oneOf": [{"type": "integer", "minimum": 1}, {"enum": ["all", "none"]}]}"#,
        r#""some""#,
        expect![[r#"
            /: "some" is not one of "all", "none"
        "#]],
    );
    check(
        r#"{"oneOf": [{"type": "integer", "minimum": 1}, {"enum": ["all", "none"]}]}"#,
        "0",
        expect![[r#"
        /: 0 is less than the minimum 1
    "#]],
    );
    check(
        r#"{"anyOf": [{"const": "a"}, {"const": "b"}, {"type": "null"}]}"#,
        r#""c""#,
        expect![[r#"
            /: expected "a", "b" or null, found "c"
        "#]],
    );
}

#[test]
fn what_lies_deeper_is_closer() {
    let schema = r#"{"anyOf": [
        {"properties": {"a": {"properties": {"b": {"type": "string"}}}}},
        {"properties": {"a": {"type": "string"}}}]}"#;
    check(
        schema,
        r#"{"a": {"b": 1}}"#,
        expect![[r#"
        /a/b: expected a string, found 1
    "#]],
    );
}

#[test]
fn branches_that_are_equally_close_are_told_together() {
    check(
        r#"{"anyOf": [{"required": ["a"]}, {"required": ["b"]}]}"#,
        "{}",
        expect![[r#"
        /: none of the 2 alternatives of "anyOf" accepts this: missing required property "a"; or missing required property "b"
    "#]],
    );
    check(
        r#"{"anyOf": [{"minimum": 5}, {"multipleOf": 2}, {"const": 7}, {"minimum": 9}, {"minimum": 11}]}"#,
        "1",
        expect![[r#"
            /: none of the 5 alternatives of "anyOf" accepts this: 1 is less than the minimum 5; or 1 is not a multiple of 2; or expected 7, found 1; or 1 is less than the minimum 9; or 1 is less than the minimum 11
        "#]],
    );
}

#[test]
fn several_branches_that_accept_are_named() {
    check(
        r#"{"oneOf": [{"minimum": 1}, {"type": "string"}, {"maximum": 5}]}"#,
        "3",
        expect![[r#"
        /: more than one alternative of "oneOf" accepts this: 0, 2
    "#]],
    );
}

#[test]
fn the_other_branches_are_there() {
    let schema: Value = serde_json::from_str(SHAPES).expect("a schema");
    let validator = Validator::new(&schema).expect("a validator");
    let instance = serde_json::json!({"kind": "circle", "radius": "big"});
    let error = validator.iter_errors(&instance).next().expect("an error");
    let union = error.union().expect("a union");
    assert_eq!((union.instance_path(), union.schema_path()), ("", "/oneOf"));
    let ErrorKind::OneOf { accepted, branches } = union.kind() else { panic!("{union:?}") };
    assert!(accepted.is_empty());
    let mut text = String::new();
    for branch in branches {
        for error in branch.errors() {
            text += &format!("{}: {error}\n", branch.index());
        }
    }
    expect![[r#"
        0: /radius: expected a number, found the string "big"
        1: /kind: expected "square", found "circle"
        2: /kind: "circle" is not one of "group", "set"
    "#]]
    .assert_eq(&text);
    assert!(union.union().is_none());
}

/// Branches that a discriminator rules out report nothing else, so that there is room for all of them.
#[test]
fn a_discriminator_has_all_its_values() {
    let required: Vec<String> = (0..9).map(|name| name.to_string()).collect();
    let mut schema =
        serde_json::json!({"anyOf": [], "$defs": {"base": {"required": ["id"], "minProperties": 5}}});
    let mut branches = Vec::new();
    for number in 0..30 {
        schema["$defs"][format!("kind{number}")] = serde_json::json!({"const": format!("kind-{number}")});
        branches.push(serde_json::json!({"allOf": [{"$ref": "#/$defs/base"}, {
            "properties": {"kind": {"$ref": format!("#/$defs/kind{number}")}},
            "required": required,
            "unevaluatedProperties": false
        }]}));
    }
    schema["anyOf"] = branches.into();
    let instance = serde_json::json!({"x": 1, "y": 2, "kind": "kind"});
    for optimize in [false, true] {
        let validator = Validator::builder().optimize(optimize).build(&schema).expect("a validator");
        let error = validator.iter_errors(&instance).next().expect("an error");
        assert_eq!(error.instance_path(), "/kind");
        let ErrorKind::Enum { expected, .. } = error.kind() else { panic!("{error}") };
        assert_eq!(expected.len(), 30);
        let union = error.union().expect("a union");
        let ErrorKind::AnyOf { branches } = union.kind() else { panic!("{union}") };
        let said: Vec<&str> = branches[7].errors().iter().map(|error| error.evaluation_path()).collect();
        assert_eq!(said, ["/anyOf/7/allOf/1/properties/kind/$ref/const"]);
        assert_eq!(branches.len(), 30);
    }
}

/// Unions inside unions, as deep as a schema may be: their errors are found, and short.
#[test]
fn deep_unions_are_bounded() {
    let mut schema = serde_json::json!({"required": ["z"]});
    for level in 0..60 {
        schema = serde_json::json!({"anyOf": [schema, {"required": [format!("a{level}")]}]});
    }
    let validator = Validator::new(&schema).expect("a validator");
    let errors = validator.iter_errors(&serde_json::json!({}));
    assert_eq!(errors.len(), 1);
    let text = errors.to_string();
    assert!(text.len() < 300, "{text}");
    assert!(format!("{:?}", errors.as_slice()).len() < 1 << 20);
}

/// The first error of a branch represents it, also where everything is kept.
#[test]
fn unknown_properties_come_first_in_an_evaluation_too() {
    check(
        r##"{"anyOf": [{"$ref": "#/$defs/closed"}, {"const": 1}], "$defs": {
            "nothing": false,
            "closed": {"$ref": "#/$defs/nothing", "additionalProperties": false}
        }}"##,
        r#"{"a": null}"#,
        expect![[r#"
            /: none of the 2 alternatives of "anyOf" accepts this: unknown property "a", and nothing is allowed here; or expected 1, found an object of 1 property
        "#]],
    );
}

/// Failures in a branch that is not the closest, or in a condition, take no room from the errors.
#[test]
fn branches_and_conditions_of_an_evaluation_have_bounds_of_their_own() {
    #[track_caller]
    fn check(schema: &str, items: usize, errors: usize, is_cut: bool) {
        let schema: Value = serde_json::from_str(schema).expect("a schema");
        let instance: Value = (0..items).collect();
        let validator = Validator::new(&schema).expect("a validator");
        let evaluation = validator.evaluate(&instance);
        assert_eq!(evaluation.errors().count(), errors);
        assert_eq!(validator.iter_errors(&instance).count(), errors);
        assert_eq!(evaluation.is_cut(), is_cut);
        assert_eq!(evaluation.basic().get("incomplete").is_some(), is_cut);
    }
    check(r#"{"anyOf": [{"items": {"type": "string"}}, {"items": {"type": "object"}}]}"#, 100, 1, false);
    check(r#"{"if": {"items": {"type": "string"}}, "else": {"maxItems": 3}}"#, 100, 1, false);
    check(r#"{"anyOf": [{"items": {"type": "string"}}, {"type": "string"}]}"#, 150, 100, true);
    check(r#"{"anyOf": [{"items": {"type": "string"}}, {"items": {"type": "integer"}}]}"#, 150, 0, false);
    check(r#"{"items": {"type": "string"}}"#, 101, 100, true);
}

#[test]
fn a_condition_that_fails_is_no_error_of_its_branch() {
    check(
        r#"{"anyOf": [{"not": {}}, {"if": {"type": "number"}, "else": {"enum": ["a"]}}]}"#,
        r#""b""#,
        expect![[r#"
        /: none of the 2 alternatives of "anyOf" accepts this: this is what "not" excludes; or "b" is not one of "a"
    "#]],
    );
}

/// A union has all its branches, and the errors of as many as there is room for.
#[test]
fn a_union_of_many_branches_has_all_of_them() {
    let branch = |index: usize| {
        serde_json::json!({"type": "object", "properties": {
            "kind": {"const": format!("k{index}")}, "size": {"type": "integer"}
        }})
    };
    let branches: Vec<Value> = (0..150).map(branch).collect();
    let validator = Validator::new(&serde_json::json!({ "anyOf": branches })).expect("a validator");
    let found = |instance: Value| {
        let errors = validator.iter_errors(&instance);
        let [error] = errors.as_slice() else { unreachable!("one error of {instance}") };
        let first = validator.validate(&instance).unwrap_err();
        assert_eq!(format!("{error:?}"), format!("{first:?}"), "`validate` gives the first");
        let union = error.union().unwrap_or_else(|| error.clone());
        let ErrorKind::AnyOf { branches } = union.kind() else { unreachable!("a union") };
        assert_eq!(branches.len(), 150);
        let last = branches.iter().rfind(|branch| !branch.errors().is_empty()).expect("an error");
        (error.evaluation_path().to_owned(), last.errors()[0].to_string())
    };
    let path = |index: usize, end: &str| format!("/anyOf/{index}/properties/{end}");
    assert_eq!(
        found(serde_json::json!({"kind": "k7", "size": "big"})),
        (path(7, "size/type"), r#"/kind: expected "k127", found "k7""#.to_owned())
    );
    assert_eq!(
        found(serde_json::json!({"kind": "k", "size": 1})),
        (path(0, "kind/const"), r#"/kind: expected "k127", found "k""#.to_owned())
    );
    assert_eq!(
        found(serde_json::json!({"kind": 0.5})),
        (path(0, "kind/const"), r#"/kind: expected "k127", found 0.5"#.to_owned())
    );
    let of_type = "/: expected an object, found 5".to_owned();
    assert_eq!(found(serde_json::json!(5)), ("/anyOf".to_owned(), of_type));
}

#[test]
fn a_message_counts_all_branches() {
    let branches: Vec<Value> =
        (0..5_000).map(|index| serde_json::json!({"required": [format!("r{index}")]})).collect();
    let validator = Validator::new(&serde_json::json!({ "anyOf": branches })).expect("a validator");
    let text = validator.validate(&serde_json::json!({})).unwrap_err().to_string();
    assert!(text.starts_with("/: none of the 5000 alternatives of \"anyOf\" accepts this: "), "{text}");
    assert!(text.ends_with("; and 4992 more") && text.len() < 2_000, "{text}");
}

/// A long URI is not copied into every error, nor into what a union is made of.
#[test]
fn long_identifiers_stay_out_of_errors() {
    let id = format!("https://example.com/{}", "x".repeat(2_000_000));
    let branch = |kind: &str| serde_json::json!({"items": {"type": kind}});
    let schema = serde_json::json!({"$id": id, "anyOf": [branch("string"), branch("null")]});
    let validator = Validator::new(&schema).expect("a validator");
    let instance: Value = (0..100).collect();
    let error = validator.validate(&instance).unwrap_err();
    assert!(format!("{error:?}").len() < 1 << 20);
    let schema = serde_json::json!({"$id": id, "items": {"type": "string"}});
    let validator = Validator::new(&schema).expect("a validator");
    let errors = validator.iter_errors(&instance);
    assert_eq!(errors.len(), 100);
    let bytes: usize = errors.map(|error| error.absolute_location().len()).sum();
    assert!(bytes < 1 << 20, "{bytes}");
}
