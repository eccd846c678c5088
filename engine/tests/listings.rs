//! What schemas compile to. `UPDATE_EXPECT=1 cargo test -p stanchion --test listings` rewrites the snapshots.

use expect_test::{Expect, expect};
use stanchion::Validator;

/// The single place that compiles: the plain program if `optimize` is off, with the fast code if on.
#[track_caller]
fn check(schema: &str, optimize: bool, listing: Expect) {
    let schema = serde_json::from_str(schema).unwrap();
    let validator = Validator::builder().optimize(optimize).build(&schema).unwrap();
    listing.assert_eq(&validator.program().to_string());
}

#[test]
fn assertions() {
    check(
        r#"{"type": ["string", "null"], "minLength": 1, "pattern": "^a", "enum": ["a", "ab"], "title": "T"}"#,
        false,
        expect![[r#"
            block 0
              0000 Type {null string}           /type
              0001 IsOneOf ["a","ab"]           /enum
              0002 LengthAtLeast 1              /minLength
              0003 Matches "^a"                 /pattern
              0004 Annotate "T"                 /title
        "#]],
    );
}

#[test]
fn objects() {
    check(
        r#"{"properties": {"a": {"type": "string"}, "b": true}, "required": ["a"], "additionalProperties": false}"#,
        false,
        expect![[r#"
            block 0
              0000 Required ["a"]               /required
              0001 Properties ["a", "b"] → 2 3  /properties
              0002 AdditionalProperties → 1     /additionalProperties
            block 1  /additionalProperties
              0003 Never
            block 2  /properties/a
              0004 Type {string}                /properties/a/type
            block 3  /properties/b
        "#]],
    );
}

#[test]
fn objects_fused() {
    check(
        r#"{"properties": {"a": {"type": "string"}, "b": true}, "required": ["a", "c"], "title": "T"}"#,
        true,
        expect![[r#"
            block 0
              0000 Required ["a", "c"]          /required
              0001 Properties ["a", "b"] → 1 2  /properties
              0002 Annotate "T"                 /title
              fast  yes {null boolean number string array}  ask {object}
              0004 Members ["a", "b", "c"] →    /required
            block 1  /properties/a
              0003 Type {string}                /properties/a/type
              fast  yes {string}  ask {}
            block 2  /properties/b
              fast  yes {null boolean number string array object}  ask {}
        "#]],
    );
}

#[test]
fn recursion() {
    check(
        r##"{"type": "array", "items": {"$ref": "#"}}"##,
        false,
        expect![[r#"
        block 0
          0000 Type {array}                 /type
          0001 EachItem 0.. → 1             /items
        block 1  /items
          0002 Call → 0                     /items/$ref
    "#]],
    );
}

#[test]
fn composition() {
    check(
        r#"{"anyOf": [{"const": 1}, {"not": {"minimum": 2}}], "if": true, "then": {"multipleOf": 3}, "contains": false, "minContains": 0}"#,
        false,
        expect![[r#"
            block 0
              0000 AnyOf → 1 2                  /anyOf
              0001 If → 4 5                     /if
              0002 Contains 0.. → 3             /contains
            block 1  /anyOf/0
              0003 Equals 1                     /anyOf/0/const
            block 2  /anyOf/1
              0004 Not → 6                      /anyOf/1/not
            block 3  /contains
              0005 Never
            block 4  /if
            block 5  /then
              0006 MultipleOf 3                 /then/multipleOf
            block 6  /anyOf/1/not
              0007 AtLeast 2                    /anyOf/1/not/minimum
        "#]],
    );
}

#[test]
fn unevaluated_comes_last() {
    check(
        r##"{"unevaluatedProperties": false, "$ref": "#/$defs/x", "$defs": {"x": {"patternProperties": {"^a": {}}}}}"##,
        false,
        expect![[r#"
            block 0
              0000 Call → 1                     /$ref
              0001 UnevaluatedProperties → 2    /unevaluatedProperties
            block 1  /$defs/x
              0002 PatternProperties ["^a"] → 3 /$defs/x/patternProperties
            block 2  /unevaluatedProperties
              0003 Never
            block 3  /$defs/x/patternProperties/^a
        "#]],
    );
}
