//! Snapshots of the programs that schemas compile to. `UPDATE_EXPECT=1 cargo test -p stanchion --test it listings::` rewrites the snapshots.

use expect_test::{Expect, expect};
use serde_json::Value;
use stanchion::Validator;

/// The single place that compiles: the plain program if `optimize` is off, with the fast code if on.
#[track_caller]
fn check(schema: &str, optimize: bool, listing: Expect) {
    let mut schema: Value = serde_json::from_str(schema).unwrap();
    // Whichever order maps have.
    schema.sort_all_objects();
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
fn intervals() {
    check(
        r#"{"type": "integer", "minimum": 1, "exclusiveMaximum": 100, "properties": {"a": {"minimum": 1, "maximum": 2.5}}}"#,
        true,
        expect![[r#"
            block 0
              0000 Type {integer}               /type
              0001 Below 100                    /exclusiveMaximum
              0002 AtLeast 1                    /minimum
              0003 Properties ["a"] → 1         /properties
              fast  yes {}  ask {number}
              0006 InRange 1..=99               /type
            block 1  /properties/a
              0004 AtMost 2.5                   /properties/a/maximum
              0005 AtLeast 1                    /properties/a/minimum
              fast  yes {null boolean string array object}  ask {number}
              0007 InRange 1..=2.5              /properties/a/maximum
        "#]],
    );
}

#[test]
fn arrays_and_texts_joined() {
    check(
        r##"{"type": "array", "minItems": 2, "maxItems": 3, "uniqueItems": true,
            "prefixItems": [{"type": "string", "minLength": 1, "pattern": "^a"}], "items": {"type": "number"}}"##,
        true,
        expect![[r#"
            block 0
              0000 Type {array}                 /type
              0001 ItemsAtMost 3                /maxItems
              0002 ItemsAtLeast 2               /minItems
              0003 UniqueItems                  /uniqueItems
              0004 PrefixItems → 2              /prefixItems
              0005 EachItem 1.. → 1             /items
              fast  yes {}  ask {array}
              0010 Items 2..=3 unique → 2       /maxItems
            block 1  /items
              0006 Type {number}                /items/type
              fast  yes {number}  ask {}
            block 2  /prefixItems/0
              0007 Type {string}                /prefixItems/0/type
              0008 LengthAtLeast 1              /prefixItems/0/minLength
              0009 Matches "^a"                 /prefixItems/0/pattern
              fast  yes {}  ask {string}
              0012 Text 1.. "^a"                /prefixItems/0/minLength
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
fn walks_merged() {
    check(
        r##"{"allOf": [{"$ref": "#/$defs/base"}], "type": "object", "properties": {"a": {"maxLength": 9}, "b": true},
            "unevaluatedProperties": false,
            "$defs": {"base": {"properties": {"a": {"minLength": 1}, "c": {"type": "string"}}, "required": ["a"]}}}"##,
        true,
        expect![[r#"
            block 0
              0000 Type {object}                /type
              0001 AllOf → 2                    /allOf
              0002 Properties ["a", "b"] → 3 4  /properties
              0003 UnevaluatedProperties → 5    /unevaluatedProperties
              fast  yes {}  ask {object}
              0014 Members ["a", "b", "c"] → 8  /properties
            block 1  /$defs/base
              0004 Required ["a"]               /$defs/base/required
              0005 Properties ["a", "c"] → 6 7  /$defs/base/properties
              fast  yes {null boolean number string array}  ask {object}
              0013 Members ["a", "c"] → 6       /$defs/base/required
            block 2  /allOf/0
              0006 Call → 1                     /allOf/0/$ref
              fast  yes {null boolean number string array}  ask {object} → 1
            block 3  /properties/a
              0007 LengthAtMost 9               /properties/a/maxLength
              fast  yes {null boolean number array object}  ask {string}
            block 4  /properties/b
              fast  yes {null boolean number string array object}  ask {}
            block 5  /unevaluatedProperties
              0008 Never
              fast  yes {}  ask {}
            block 6  /$defs/base/properties/a
              0009 LengthAtLeast 1              /$defs/base/properties/a/minLength
              fast  yes {null boolean number array object}  ask {string}
            block 7  /$defs/base/properties/c
              0010 Type {string}                /$defs/base/properties/c/type
              fast  yes {string}  ask {}
            block 8  /properties/a
              0011 Call → 3                     /properties/a/allOf
              0012 Call → 6                     /properties/a/allOf
              fast  yes {null boolean number array object}  ask {string}
              0020 Text 1..=9                   /properties/a/maxLength
        "#]],
    );
}

#[test]
fn branches_of_what_is_evaluated() {
    check(
        r##"{"type": "object", "properties": {"a": true}, "anyOf": [{"properties": {"b": {"type": "string"}}}, {"required": ["c"]}],
            "unevaluatedProperties": false}"##,
        true,
        expect![[r#"
            block 0
              0000 Type {object}                /type
              0001 AnyOf → 1 2                  /anyOf
              0002 Properties ["a"] → 3         /properties
              0003 UnevaluatedProperties → 4    /unevaluatedProperties
              fast  yes {}  ask {object}
              0008 Unevaluated ["a", "b"] → 1 2 4 /unevaluatedProperties
            block 1  /anyOf/0
              0004 Properties ["b"] → 5         /anyOf/0/properties
              fast  yes {null boolean number string array}  ask {object}
              0009 Members ["b"] →              /anyOf/0/properties
            block 2  /anyOf/1
              0005 Required ["c"]               /anyOf/1/required
              fast  yes {null boolean number string array}  ask {object}
              0010 Members ["c"] →              /anyOf/1/required
            block 3  /properties/a
              fast  yes {null boolean number string array object}  ask {}
            block 4  /unevaluatedProperties
              0006 Never
              fast  yes {}  ask {}
            block 5  /anyOf/0/properties/b
              0007 Type {string}                /anyOf/0/properties/b/type
              fast  yes {string}  ask {}
        "#]],
    );
}

#[test]
fn conditions_about_one_member() {
    check(
        r##"{"type": "object", "allOf": [
            {"if": {"properties": {"kind": {"const": "a"}}}, "then": {"required": ["x"]}},
            {"if": {"properties": {"kind": {"enum": ["a", "b"]}}, "required": ["kind"]}, "else": {"minProperties": 2}}]}"##,
        true,
        expect![[r#"
            block 0
              0000 Type {object}                /type
              0001 AllOf → 1 2                  /allOf
              fast  yes {}  ask {object}
              0013 Pick "kind" of 2 → 4 5       /if
            block 1  /allOf/0
              0002 If → 3 4                     /allOf/0/if
              fast  yes {null boolean number string array}  ask {object}
              0011 Pick "kind" of 1 → 4         /allOf/0/if
            block 2  /allOf/1
              0003 If → 6 5                     /allOf/1/if
              fast  yes {null boolean number string array}  ask {object}
              0012 Pick "kind" of 2 → 5         /allOf/1/if
            block 3  /allOf/0/if
              0004 Properties ["kind"] → 7      /allOf/0/if/properties
              fast  yes {null boolean number string array}  ask {object}
              0014 Members ["kind"] → 7         /allOf/0/if/properties
            block 4  /allOf/0/then
              0005 Required ["x"]               /allOf/0/then/required
              fast  yes {null boolean number string array}  ask {object}
              0015 Members ["x"] →              /allOf/0/then/required
            block 5  /allOf/1/else
              0006 MembersAtLeast 2             /allOf/1/else/minProperties
              fast  yes {null boolean number string array}  ask {object}
            block 6  /allOf/1/if
              0007 Required ["kind"]            /allOf/1/if/required
              0008 Properties ["kind"] → 8      /allOf/1/if/properties
              fast  yes {null boolean number string array}  ask {object}
              0017 Members ["kind"] → 8         /allOf/1/if/required
            block 7  /allOf/0/if/properties/kind
              0009 Equals "a"                   /allOf/0/if/properties/kind/const
              fast  yes {}  ask {string}
            block 8  /allOf/1/if/properties/kind
              0010 IsOneOf ["a","b"]            /allOf/1/if/properties/kind/enum
              fast  yes {}  ask {string}
        "#]],
    );
}

#[test]
fn unions() {
    check(
        r##"{"oneOf": [{"properties": {"kind": {"const": "a"}}, "required": ["kind"]},
                       {"properties": {"kind": {"enum": ["b", 1]}}}, {"type": ["null", "string"]}]}"##,
        true,
        expect![[r#"
            block 0
              0000 OneOf → 1 2 3                /oneOf
              fast  yes {}  ask {object}
              0007 Pick "kind" of 3 → 1 2       /oneOf
            block 1  /oneOf/0
              0001 Required ["kind"]            /oneOf/0/required
              0002 Properties ["kind"] → 4      /oneOf/0/properties
              fast  yes {null boolean number string array}  ask {object}
              0008 Members ["kind"] → 4         /oneOf/0/required
            block 2  /oneOf/1
              0003 Properties ["kind"] → 5      /oneOf/1/properties
              fast  yes {null boolean number string array}  ask {object}
              0009 Members ["kind"] → 5         /oneOf/1/properties
            block 3  /oneOf/2
              0004 Type {null string}           /oneOf/2/type
              fast  yes {null string}  ask {}
            block 4  /oneOf/0/properties/kind
              0005 Equals "a"                   /oneOf/0/properties/kind/const
              fast  yes {}  ask {string}
            block 5  /oneOf/1/properties/kind
              0006 IsOneOf ["b",1]              /oneOf/1/properties/kind/enum
              fast  yes {}  ask {number string}
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

/// The long form says what a walk asks of each member, also where the type alone decides.
#[test]
fn gates_of_members() {
    let schema = serde_json::json!({
        "additionalProperties": false,
        "properties": {
            "city": {"type": "string", "minLength": 1},
            "days": {"type": "integer"},
            "note": true,
            "tags": {"type": ["array", "null"], "items": {"type": "string"}, "maxItems": 3}
        },
        "required": ["city", "who"],
        "type": "object"
    });
    let validator = Validator::new(&schema).unwrap();
    let listing = format!("{:#}", validator.program());
    expect![[r#"
        block 0
          0000 Type {object}                /type
          0001 Required ["city", "who"]     /required
          0002 Properties ["city", "days", "note", "tags"] → 2 3 4 5 /properties
          0003 AdditionalProperties → 1     /additionalProperties
          fast  yes {}  ask {object}
          0012 Members ["city", "days", "note", "tags", "who"] → 2 5 /required
                 "city": string if LengthAtLeast 1  required
                 "days": integer
                 "note": any
                 "tags": null; array → 5
                 "who": never  required
                 others: never
    "#]]
    .assert_eq(listing.split("block 1 ").next().unwrap());
}
