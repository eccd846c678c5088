//! Sheer size: of the instance, of the schema, of unions, of the list of errors.

use super::{Attack, Family, object, to, tower, wrap};
use serde_json::{Value, json};

pub(super) fn families() -> Vec<Family> {
    vec![deep_and_wide(), branches(), large_schemas(), errors()]
}

fn nested(levels: usize, leaf: Value) -> Value {
    wrap(levels, leaf, |inner| Value::Array(vec![inner]))
}

fn deep_and_wide() -> Family {
    let mut family = Family::new("deep and wide instances");
    family.add("100,000 items", 10, 100_000, |count| {
        let items: Vec<Value> = (0..count).map(Value::from).collect();
        let mut other = items.clone();
        other[count - 1] = "last".into();
        Attack::new(json!({"items": {"type": "integer", "minimum": 0}})).valid(items).invalid(other)
    });
    family.add("more items than there are fixed steps", 10, 2_500_000, |count| {
        let items = vec![Value::from(1); count];
        let mut other = items.clone();
        other[count - 1] = (-1).into();
        Attack::new(json!({"items": {"type": "integer", "minimum": 0}})).valid(items).invalid(other)
    });
    family.add("160,000 records", 10, 160_000, |count| {
        let record =
            |name: &str| json!({"id": 1, "name": name, "tags": ["a", "b"], "at": {"x": 0.5, "y": 2}});
        let schema = json!({"items": {
            "type": "object",
            "properties": {
                "id": {"type": "integer", "minimum": 1},
                "name": {"type": "string", "pattern": "^[a-z ]+$", "maxLength": 40},
                "tags": {"items": {"enum": ["a", "b", "c"]}, "uniqueItems": true},
                "at": {"$ref": "#/$defs/point"}
            },
            "required": ["id", "name", "at"],
            "additionalProperties": false
        }, "$defs": {"point": {
            "type": "object",
            "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
            "required": ["x", "y"]
        }}});
        let mut other = vec![record("somebody"); count];
        other[count - 1] = record("SOMEBODY");
        Attack::new(schema).valid(vec![record("somebody"); count]).invalid(other)
    });
    family.add("100,000 items that are also counted, unique and closed", 10, 100_000, |count| {
        let schema = json!({
            "prefixItems": [{"const": 0}],
            "items": {"type": "integer"},
            "minItems": count,
            "uniqueItems": true,
            "contains": {"const": count - 1},
            "unevaluatedItems": false
        });
        let items: Vec<Value> = (0..count).map(Value::from).collect();
        let mut other = items.clone();
        other[count - 1] = 1.into();
        Attack::new(schema).valid(items).invalid(other)
    });
    family.add("nested 10,000 times, looked at from outside", 5, 10_000, |levels| {
        Attack::new(json!({"type": "array", "minItems": 1, "prefixItems": [{"type": "array"}]}))
            .valid(nested(levels, json!([])))
            .invalid(Value::Array(vec![1.into(), nested(levels, json!([]))]))
    });
    family.add("nested 10,000 times, followed all the way", 5, 10_000, |levels| {
        Attack::new(json!({"type": "array", "items": {"$ref": "#"}}))
            .valid(nested(levels, json!([])))
            .invalid(nested(levels, 1.into()))
            .beyond("instance_depth")
    });
    family.add("nested 10,000 times, compared", 5, 10_000, |levels| {
        Attack::new(json!({"uniqueItems": true}))
            .valid(Value::Array(vec![nested(levels, 1.into()), nested(levels, 2.into())]))
            .invalid(Value::Array(vec![nested(levels, 1.into()), nested(levels, 1.into())]))
    });
    family.add("nested 10,000 times, against a constant", 5, 10_000, |levels| {
        let constant = nested(4, 1.into());
        Attack::new(json!({"anyOf": [{"const": constant}, {"enum": [constant, [[]]]}]}))
            .valid(nested(4, 1.into()))
            .invalid(nested(levels, 1.into()))
    });
    family.add("nested 60 times, followed all the way", 5, 60, |levels| {
        Attack::new(json!({"type": ["array", "integer"], "items": {"$ref": "#"}}))
            .valid(nested(levels, 1.into()))
            .invalid(nested(levels, Value::Null))
    });
    family.add("wide and deep", 3, 9, |levels| {
        fn tree(levels: usize, last: Value) -> Value {
            match levels {
                0 => last,
                _ => json!({"a": tree(levels - 1, 1.into()), "b": tree(levels - 1, 1.into()), "c": tree(levels - 1, last)}),
            }
        }
        Attack::new(json!({"type": ["object", "integer"], "additionalProperties": {"$ref": "#"}}))
            .valid(tree(levels, 1.into()))
            .invalid(tree(levels, "text".into()))
    });
    family.add("a text of 4 MB", 10, 4_000_000, |length| {
        Attack::new(json!({"minLength": length / 2, "maxLength": length / 2}))
            .valid("é".repeat(length / 2))
            .invalid("é".repeat(length / 2 + 1))
    });
    family.add("the length of a text, 500 times", 3, 500, |count| {
        let branches: Vec<Value> = (0..count).map(|index| json!({"maxLength": 40_000 + index})).collect();
        Attack::new(json!({"allOf": branches})).valid("é".repeat(40_000)).invalid("é".repeat(40_001))
    });
    family
}

fn branches() -> Family {
    let mut family = Family::new("thousands of branches");
    for union in ["anyOf", "oneOf"] {
        family.add(format!("{union} of 9,000 constants"), 5, 9_000, move |count| {
            let branches: Vec<Value> =
                (0..count).map(|index| json!({"const": format!("c{index}")})).collect();
            Attack::new(json!({union: branches}))
                .valid(format!("c{}", count - 1))
                .invalid(format!("c{count}"))
        });
        family.add(format!("{union} of 1,000 kinds of object, 500 items"), 5, 1_000, move |count| {
            let kind = |index: usize| {
                json!({
                    "type": "object",
                    "properties": {"kind": {"const": format!("kind{index}")}, "value": {"maximum": index}},
                    "required": ["kind"]
                })
            };
            let item = |index: usize| json!({"kind": format!("kind{index}"), "value": index});
            let good: Vec<Value> = (0..count / 2).map(|index| item(count - 1 - index)).collect();
            let mut bad = good.clone();
            bad.push(json!({"kind": "kind0", "value": 1}));
            Attack::new(json!({"items": {union: (0..count).map(kind).collect::<Vec<_>>()}}))
                .valid(good)
                .invalid(bad)
        });
    }
    family.add("oneOf of 5,000, two of which hold", 5, 5_000, |count| {
        let branches: Vec<Value> = (0..count)
            .map(|index| {
                if index == count / 2 {
                    json!({"minimum": 7})
                } else {
                    json!({"minimum": index + 10, "title": "x"})
                }
            })
            .collect();
        Attack::new(json!({"type": "integer", "oneOf": branches})).valid(7).invalid(10).invalid(1)
    });
    family.add("allOf of 9,000", 5, 9_000, |count| {
        // Together with the subschemas of `not`, 9,000 subschemas.
        let branches: Vec<Value> = (0..count / 2).map(|index| json!({"not": {"const": index}})).collect();
        Attack::new(json!({"allOf": branches})).valid("text").invalid(count / 2 - 1)
    });
    family.add("unions in unions", 3, 60, |levels| {
        let mut schema = json!({"type": "integer"});
        for level in 0..levels {
            schema = json!({"oneOf": [{"const": format!("c{level}")}, schema, {"type": "null", "title": level.to_string()}]});
        }
        Attack::new(schema).valid(1).valid("c0").invalid("c").invalid(json!([]))
    });
    family.add("if in else in else", 3, 60, |levels| {
        let schema = (0..levels).fold(
            json!(false),
            |other, level| json!({"if": {"const": level}, "then": {"type": "integer"}, "else": other}),
        );
        Attack::new(schema).valid(0).valid(levels - 1).invalid(levels)
    });
    family
}

fn large_schemas() -> Family {
    let mut family = Family::new("schemas as large as the limits");
    family.add("9,990 subschemas, all different", 10, 9_990, |count| {
        let each = |index: usize| (format!("p{index}"), json!({"type": "integer", "maximum": index}));
        let schema = json!({"properties": object((0..count - 1).map(each))});
        let last = format!("p{}", count - 2);
        Attack::new(schema).valid(json!({&last: count - 2})).invalid(json!({last: count}))
    });
    family.add("64 levels", 5, 63, |levels| {
        let schema = wrap(levels, json!({"type": "integer"}), |inner| json!({"properties": {"a": inner}}));
        let instance = |leaf: Value| wrap(levels, leaf, |inner| json!({"a": inner}));
        Attack::new(schema).valid(instance(1.into())).invalid(instance("text".into()))
    });
    family.add("a description of 3 MB", 10, 3_000_000, |length| {
        Attack::new(json!({"description": "d".repeat(length), "type": "integer"})).valid(1).invalid("text")
    });
    family.add("200,000 examples", 10, 200_000, |count| {
        let examples: Vec<Value> = (0..count).map(Value::from).collect();
        Attack::new(json!({"examples": examples, "default": {"a": [1]}, "type": "integer"}))
            .valid(1)
            .invalid("text")
    });
    family.add("9,000 unknown keywords", 10, 9_000, |count| {
        let unknown =
            (0..count).map(|index| (format!("x-{index}"), json!({"type": "nothing", "$ref": "nowhere"})));
        let schema = super::with(object(unknown), json!({"type": "integer"}));
        Attack::new(schema).valid(1).invalid("text")
    });
    family.add("9,000 definitions that nobody uses", 10, 9_000, |count| {
        let unused =
            |index: usize| (format!("d{index}"), json!({"minimum": index, "pattern": format!("^d{index}$")}));
        Attack::new(json!({"$defs": object((0..count).map(unused)), "type": "integer"}))
            .valid(1)
            .invalid("text")
    });
    family.add("9,990 subschemas on 100 nodes", 5, 9_990, |count| {
        let branches: Vec<Value> = (0..count - 3).map(|index| json!({"maximum": 1_000 + index})).collect();
        let items = vec![Value::from(1_000); 100];
        let mut bad = items.clone();
        bad[99] = 1_001.into();
        Attack::new(json!({"items": {"allOf": branches}})).valid(items).invalid(bad)
    });
    family
}

/// Long lists of errors: runs that report must end as well.
fn errors() -> Family {
    let mut family = Family::new("error explosions");
    family.add("50,000 wrong items", 5, 50_000, |count| {
        Attack::new(json!({"items": {"type": "string"}})).invalid(vec![Value::from(1); count])
    });
    family.add("20 errors for each of 5,000 items", 5, 5_000, |count| {
        let branches: Vec<Value> = (0..20).map(|index| json!({"minimum": 10 + index})).collect();
        Attack::new(json!({"items": {"allOf": branches}})).invalid(vec![Value::from(1); count])
    });
    family.add("unions of unions, all wrong", 3, 45, |levels| {
        let schema = tower(levels, json!({"type": "string"}), |level, a, b| {
            json!({"anyOf": [super::with(a, json!({"minimum": level + 2})), b, {"const": level + 10}]})
        });
        Attack::new(schema).invalid(1)
    });
    family.add("allOf towers, all wrong", 3, 45, |levels| {
        let schema = tower(
            levels,
            json!({"type": "string"}),
            |level, a, b| json!({"allOf": [a, b], "minimum": level + 2}),
        );
        Attack::new(schema).invalid(1)
    });
    family.add("a tree of errors", 3, 12, |levels| {
        fn tree(levels: usize) -> Value {
            match levels {
                0 => json!(1),
                _ => json!([tree(levels - 1), tree(levels - 1)]),
            }
        }
        Attack::new(json!({"type": "object", "items": {"$ref": "#"}})).invalid(tree(levels))
    });
    family.add("5,000 names that are missing", 5, 5_000, |count| {
        let names: Vec<String> = (0..count).map(|index| format!("name{index}")).collect();
        Attack::new(json!({"required": names, "minProperties": 1})).invalid(json!({}))
    });
    family.add("10,000 names that are too many", 5, 10_000, |count| {
        let members = object((0..count).map(|index| (format!("name{index}"), 1.into())));
        Attack::new(json!({"additionalProperties": false, "propertyNames": {"maxLength": 2}}))
            .invalid(members)
    });
    family.add("an error about 2 MB of text", 10, 2_000_000, |length| {
        let text = "x".repeat(length);
        Attack::new(json!({"anyOf": [{"const": text.clone() + "y"}, {"pattern": "^y"}, {"maxLength": 3}, {"type": "null"}]}))
            .invalid(text)
    });
    family.add("an error about a constant of 100,000 items", 10, 100_000, |count| {
        let constant: Vec<Value> = (0..count).map(Value::from).collect();
        Attack::new(json!({"items": {"enum": [constant, "text"]}})).invalid(vec![Value::from(1); 500])
    });
    family.add("paths of 60 long names", 3, 60, |levels| {
        let name = "long".repeat(1_000);
        let instance = wrap(levels, vec![Value::from(1); 500].into(), |inner| json!({name.as_str(): inner}));
        Attack::new(json!({"additionalProperties": {"$ref": "#"}, "items": {"type": "string"}}))
            .invalid(instance)
    });
    family.add("forgiven and wrong", 5, 2_000, |count| {
        // The definition fails first where that does not matter, and then where it does.
        let schema = json!({
            "items": {"anyOf": [to("text"), to("text"), true], "allOf": [to("text")], "not": {"not": to("text")}},
            "$defs": {"text": {"type": "string", "minLength": 2}}
        });
        Attack::new(schema).invalid(vec![Value::from(1); count])
    });
    family.add("annotations by the thousand", 5, 5_000, |count| {
        let schema = json!({
            "title": "list",
            "items": {"title": "item", "description": "d".repeat(200), "default": [1, 2, 3], "examples": vec![1; 50]}
        });
        Attack::new(schema).valid(vec![Value::from(1); count])
    });
    family.add("annotations, doubling at each level", 3, 45, |levels| {
        let schema = tower(
            levels,
            json!({"title": "leaf", "type": "integer"}),
            |level, a, b| json!({"title": format!("level {level}"), "anyOf": [a, b]}),
        );
        Attack::new(schema).valid(1).invalid("text")
    });
    family
}
