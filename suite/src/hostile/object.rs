//! Objects with thousands of names in the schema, in the instance or in both.

use super::{Attack, Expected, Family, object};
use serde_json::{Value, json};

pub(super) fn families() -> Vec<Family> {
    vec![names(), patterns(), members(), dependencies(), collisions(), merges()]
}

/// Returns an object that maps each name to the subschema.
fn each(names: impl IntoIterator<Item = String>, schema: Value) -> Value {
    object(names.into_iter().map(|name| (name, schema.clone())))
}

fn numbered(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|index| format!("{prefix}{index}")).collect()
}

/// Returns the object with one more member.
fn and(mut object: Value, name: &str, value: Value) -> Value {
    object[name] = value;
    object
}

fn names() -> Family {
    let mut family = Family::new("propertyNames");
    family.add("a pattern over 10,000 names", 5, 10_000, |count| {
        let members = each(numbered("name_", count), 1.into());
        Attack::new(json!({"propertyNames": {"pattern": "^(?:[a-z]+_)+[0-9]+$"}}))
            .valid(members.clone())
            .invalid(and(members, "name_", 1.into()))
    });
    family.add("100 patterns over 1,000 names", 4, 100, |count| {
        let branches: Vec<Value> =
            numbered("^p", count).iter().map(|p| json!({"pattern": format!("{p}_")})).collect();
        let names = (0..10 * count).map(|index| format!("p{}_{index}", index % count));
        let members = each(names, 1.into());
        Attack::new(json!({"propertyNames": {"anyOf": branches}})).valid(members.clone()).invalid(and(
            members,
            "q0_0",
            1.into(),
        ))
    });
    family.add("5,000 names out of 5,000", 5, 5_000, |count| {
        let names = numbered("name", count);
        let members = each(names.clone(), 1.into());
        Attack::new(json!({"propertyNames": {"enum": names}})).valid(members.clone()).invalid(and(
            members,
            "name",
            1.into(),
        ))
    });
    family.add("long names", 3, 200, |count| {
        let members = each((0..count).map(|index| format!("{}{index}", "n".repeat(5_000))), 1.into());
        Attack::new(
            json!({"propertyNames": {"pattern": "^n*[0-9]+$", "minLength": 5_000, "maxLength": 6_000}}),
        )
        .valid(members.clone())
        .invalid(and(members, &"n".repeat(5_500), 1.into()))
    });
    family
}

fn patterns() -> Family {
    let mut family = Family::new("patternProperties");
    let integer = || json!({"type": "integer"});
    family.add("2,000 prefixes, 2,000 names", 5, 2_000, move |count| {
        let members = each((0..count).map(|index| format!("p{index}_x")), 1.into());
        Attack::new(
            json!({"patternProperties": each((0..count).map(|index| format!("^p{index}_")), integer())}),
        )
        .valid(members.clone())
        .invalid(and(members, &format!("p{}_y", count - 1), "text".into()))
    });
    family.add("2,000 prefixes, 2,000 names, nothing else", 5, 2_000, move |count| {
        let schema = json!({
            "patternProperties": each((0..count).map(|index| format!("^p{index}_")), integer()),
            "additionalProperties": false
        });
        let members = each((0..count).map(|index| format!("p{index}_x")), 1.into());
        Attack::new(schema).valid(members.clone()).invalid(and(members, "q0_x", 1.into()))
    });
    family.add("500 patterns with classes, 1,000 names", 5, 500, move |count| {
        let patterns = (0..count).map(|index| format!("^[a-z]+[_-]{index}(?:x|y)*$"));
        let members = each(
            (0..2 * count).map(|index| format!("name_{}{}", index / 2, ["", "xy"][index % 2])),
            1.into(),
        );
        Attack::new(json!({"patternProperties": each(patterns, integer()), "additionalProperties": false}))
            .valid(members.clone())
            .invalid(and(members, "name_0xyz", 1.into()))
    });
    family.add("300 patterns that all match, 1,000 names", 5, 300, |count| {
        let patterns =
            (0..count).map(|index| (format!("^n.*|^m{index}$"), json!({"maximum": 1_000 + index})));
        let members = each(numbered("n", 1_000), 1_000.into());
        Attack::new(json!({"patternProperties": object(patterns)})).valid(members.clone()).invalid(and(
            members,
            "n999",
            (1_000 + count).into(),
        ))
    });
    family.add("overlapping, in the middle of long names", 3, 60, move |count| {
        let patterns = (0..count).map(|index| format!("a.*b.*{index}z"));
        let members = each((0..count).map(|index| format!("{}b{index}z", "a".repeat(1_000))), 1.into());
        Attack::new(
            json!({"patternProperties": each(patterns, integer()), "additionalProperties": {"type": "null"}}),
        )
        .valid(members.clone())
        .invalid(and(members, &format!("{}b{count}y", "a".repeat(1_000)), 1.into()))
    });
    family
}

fn members() -> Family {
    let mut family = Family::new("thousands of members");
    family.add("5,000 properties, 5,000 members", 5, 5_000, |count| {
        let names = numbered("name", count);
        let schema = json!({
            "properties": each(names.clone(), json!({"type": "integer"})),
            "required": names,
            "additionalProperties": false
        });
        let members = each(names, 1.into());
        let mut one_less = members.clone();
        if let Value::Object(members) = &mut one_less {
            members.remove("name3");
        }
        Attack::new(schema)
            .valid(members.clone())
            .invalid(and(members.clone(), "name", 1.into()))
            .invalid(and(members, "name4", "text".into()))
            .invalid(one_less)
    });
    family.add("9,000 properties, ten members", 10, 9_000, |count| {
        let schema = json!({"properties": each(numbered("name", count), json!({"type": "integer"}))});
        let members = each(numbered("name", 10), 1.into());
        Attack::new(schema).valid(members.clone()).invalid(and(members, "name9", "text".into()))
    });
    family.add("ten properties, 50,000 members", 10, 50_000, |count| {
        let schema = json!({
            "properties": each(numbered("name", 10), json!({"type": "integer"})),
            "additionalProperties": {"type": "null"}
        });
        let members = and(each(numbered("other", count), Value::Null), "name5", 1.into());
        Attack::new(schema).valid(members.clone()).invalid(and(members, "name7", Value::Null))
    });
    family.add("the same properties in 100 branches", 3, 100, |count| {
        let names = numbered("name", 90);
        let branches: Vec<Value> = (0..count)
            .map(|branch| json!({"properties": each(names.clone(), json!({"maximum": 10 + branch}))}))
            .collect();
        let members = each(numbered("name", 500), 10.into());
        Attack::new(json!({"allOf": branches})).valid(members.clone()).invalid(and(
            members,
            "name89",
            11.into(),
        ))
    });
    family.add("required, 300 branches of 600 names", 3, 300, |count| {
        let names = numbered("name", 2 * count);
        let branches: Vec<Value> =
            (0..count).map(|branch| json!({"required": names, "maxProperties": 10_000 + branch})).collect();
        let members = each(names, 1.into());
        let mut one_less = members.clone();
        if let Value::Object(members) = &mut one_less {
            members.remove("name5");
        }
        Attack::new(json!({"allOf": branches})).valid(members).invalid(one_less)
    });
    family
}

fn dependencies() -> Family {
    let mut family = Family::new("dependentRequired lattices");
    family.add("each name wants all others", 5, 400, |count| {
        let names = numbered("n", count);
        let schema = json!({"dependentRequired": each(names.clone(), json!(names))});
        let members = each(names, 1.into());
        let mut one_less = members.clone();
        if let Value::Object(members) = &mut one_less {
            members.remove("n1");
        }
        Attack::new(schema).valid(members).invalid(one_less)
    });
    family.add("150,000 names want the same one", 5, 150_000, |count| {
        let wants = (0..count).map(|index| (format!("k{index}"), json!(["a"])));
        Attack::new(json!({"dependentRequired": object(wants)}))
            .valid(json!({"k1": 1, "a": 1}))
            .invalid(json!({"k1": 1, "b": 1}))
    });
    family.add("each name wants the next", 5, 9_000, |count| {
        let wants = |index: usize| (format!("n{index}"), json!([format!("n{}", index + 1)]));
        let schema = json!({"dependentRequired": object((0..count).map(wants))});
        Attack::new(schema)
            .valid(each(numbered("n", count + 1), 1.into()))
            .invalid(each(numbered("n", count), 1.into()))
    });
    family.add("dependentSchemas that want each other", 5, 400, |count| {
        let wants = |index: usize| {
            let others = [(index + 1) % count, (index + 2) % count].map(|other| format!("n{other}"));
            (format!("n{index}"), json!({"required": others, "minProperties": 2}))
        };
        let schema = json!({"dependentSchemas": object((0..count).map(wants))});
        Attack::new(schema)
            .valid(each(numbered("n", count), 1.into()))
            .invalid(each(numbered("n", count - 1), 1.into()))
    });
    family.add("dependentSchemas by level", 4, 45, |levels| {
        let schema = super::tower(
            levels,
            json!({"required": ["ok"]}),
            |level, a, b| json!({"dependentSchemas": {format!("a{level}"): a, format!("b{level}"): b}}),
        );
        let members = each(numbered("a", levels).into_iter().chain(numbered("b", levels)), 1.into());
        Attack::new(schema).valid(and(members.clone(), "ok", 1.into())).invalid(members)
    });
    family
}

/// Names that careless hashing or comparing confuses.
fn collisions() -> Family {
    let mut family = Family::new("names that look alike");
    let alike = |index: usize| format!("firstfew{index:05}lastfew_");
    let checks = move |count: usize, name: fn(usize) -> String| {
        let names: Vec<String> = (0..count).map(name).collect();
        let schema = json!({
            "properties": object((0..count).map(|index| (name(index), json!({"const": index})))),
            "required": names,
            "additionalProperties": false
        });
        let members = object((0..count).map(|index| (name(index), index.into())));
        Attack::new(schema)
            .valid(members.clone())
            .invalid(and(members.clone(), &name(count), 1.into()))
            .invalid(and(members, &name(count - 1), 0.into()))
    };
    family.add("the same first and last eight bytes", 5, 3_000, move |count| checks(count, alike));
    family.add("equal but for one byte, at any place", 5, 60, move |count| {
        checks(count, |index| (0..64).map(|at| if at == index { 'x' } else { 'y' }).collect())
    });
    family.add("one the beginning of the next", 5, 500, move |count| {
        checks(count, |index| "n".repeat(index + 1))
    });
    family.add("zeros, and nothing", 5, 200, move |count| checks(count, |index| "\0".repeat(index)));
    family.add("\"Aa\" and \"BB\"", 5, 2_000, move |count| {
        checks(count, |index| (0..12).map(|bit| if index >> bit & 1 == 0 { "Aa" } else { "BB" }).collect())
    });
    family.add("names with a meaning elsewhere", 1, 1, |_| {
        let names = ["__proto__", "constructor", "toString", "", "$ref", "~0", "~1", "/", "%25", "é", "e\u{301}"];
        let schema = json!({
            "properties": object(names.iter().enumerate().map(|(index, name)| ((*name).to_owned(), json!({"const": index})))),
            "additionalProperties": false
        });
        let members = object(names.iter().enumerate().map(|(index, name)| ((*name).to_owned(), index.into())));
        Attack::new(schema)
            .valid(members.clone())
            .valid(json!({}))
            .invalid(and(members.clone(), "hasOwnProperty", 1.into()))
            .invalid(and(members.clone(), "e\u{301}", 9.into()))
            .invalid(and(members, "~", 1.into()))
    });
    family.add("a name given 10,000 times", 3, 10_000, |count| {
        // The last one wins.
        let text = |last: &str| format!("{{{}\"name\":{last}}}", "\"name\":\"text\",".repeat(count));
        Attack::new(json!({"properties": {"name": {"type": "integer"}}, "maxProperties": 1}))
            .text(Expected::Valid, text("1"))
            .text(Expected::Invalid, text("\"text\""))
    });
    family.add("a name given twice, on 120 levels", 3, 120, |levels| {
        let text = |last: &str| {
            let mut text = format!("[{}{last}]", "11111,".repeat(levels * 1_500));
            for _ in 0..levels {
                text = format!(r#"{{"a":0,"a":{text}}}"#);
            }
            text
        };
        let schema = json!({
            "type": ["object", "array"], "properties": {"a": {"$ref": "#"}},
            "minProperties": 1, "maxProperties": 1, "items": {"type": "integer"}
        });
        Attack::new(schema).text(Expected::Valid, text("1")).text(Expected::Invalid, text("null"))
    });
    family.add("a name given twice among 5,000", 3, 5_000, |count| {
        let members: Vec<String> = (0..count).map(|index| format!("\"name{index}\":1")).collect();
        let text = |name: &str| format!("{{\"name1\":\"text\",{},\"{name}\":\"text\"}}", members.join(","));
        Attack::new(json!({"additionalProperties": {"type": "integer"}, "properties": {"other": true}}))
            .text(Expected::Valid, text("other"))
            .text(Expected::Invalid, text("name2"))
    });
    family
}

/// Schemas on which a compiler that merges walks or chooses branches by a member may go too far.
fn merges() -> Family {
    let mut family = Family::new("walks to merge");
    let text = || json!({"type": "string"});
    let one = |name: String, schema: Value| json!({"properties": each([name], schema)});
    let reference = |name: &str| json!({"$ref": format!("#/$defs/{name}")});
    family.add("allOf of 9,900, of all types", 5, 9_900, |count| {
        let part = |index: usize| json!({"required": [format!("a{index}")], "minItems": index % 7, "maxItems": 10 + index % 5, "maxLength": 20 + index});
        Attack::new(json!({"allOf": (0..count).map(part).collect::<Vec<_>>()}))
            .valid(object((0..count).map(|index| (format!("a{index}"), json!(1)))))
            .invalid(object((1..count).map(|index| (format!("a{index}"), json!(1)))))
            .valid(json!([1, 2, 3, 4, 5, 6, 7, 8]))
            .invalid(json!([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]))
            .valid("x".repeat(20))
            .invalid("x".repeat(21))
    });
    family.add("allOf of 4,900, a property each", 5, 4_900, move |count| {
        let blocks: Vec<Value> = numbered("n", count).into_iter().map(|name| one(name, text())).collect();
        let members = each(numbered("n", 50.min(count)), "x".into());
        Attack::new(json!({"allOf": blocks})).valid(members.clone()).invalid(and(members, "n0", 1.into()))
    });
    family.add("allOf of 3,000, items each", 5, 3_000, move |count| {
        let blocks: Vec<Value> =
            numbered("n", count).into_iter().map(|name| json!({"items": one(name, text())})).collect();
        Attack::new(json!({"allOf": blocks})).valid(json!([{"n0": "x"}])).invalid(json!([{"n0": 1}]))
    });
    family.add("allOf of 3,000 about one member", 5, 3_000, move |count| {
        let blocks: Vec<Value> =
            numbered("n", count).into_iter().map(|name| one("a".to_owned(), one(name, text()))).collect();
        Attack::new(json!({"allOf": blocks}))
            .valid(json!({"a": {"n0": "x"}}))
            .invalid(json!({"a": {"n0": 1}}))
    });
    for (what, closed) in [("2,400 users of 2,400 properties", false), ("the same, closed", true)] {
        family.add(what, 5, 2_400, move |count| {
            let mut user = reference("wide");
            user["properties"] = each(["a".to_owned()], text());
            if closed {
                user["unevaluatedProperties"] = false.into();
            }
            let wide = json!({"properties": each(numbered("n", count), text())});
            let schema = json!({"properties": each(numbered("u", count), user), "$defs": {"wide": wide}});
            Attack::new(schema)
                .valid(json!({"u0": {"n0": "x", "a": "x"}, "u1": {}}))
                .invalid(json!({"u0": {"n0": "x", "a": 1}}))
        });
    }
    family.add("branches through shared allOfs", 4, 3_300, move |count| {
        let many = |name: &str| -> Vec<Value> { (0..count).map(|_| reference(name)).collect() };
        let kind = |others: Vec<Value>| {
            let mut schema = one("kind".to_owned(), json!({"const": "x"}));
            if !others.is_empty() {
                schema["allOf"] = others.into();
            }
            schema
        };
        let branch = |index: usize| json!({"$ref": "#/$defs/a", "minProperties": index});
        Attack::new(json!({
            "anyOf": (0..count).map(branch).collect::<Vec<_>>(),
            "$defs": {"a": kind(many("b")), "b": {"allOf": many("c")}, "c": kind(vec![])}
        }))
        .valid(json!({"kind": "x"}))
        .invalid(json!({"kind": "y"}))
    });
    family
}
