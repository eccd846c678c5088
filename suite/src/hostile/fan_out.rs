//! Reference fan-out: two references to the next level at each of 50 levels, all on one node. Followed one by one they are
//! 2⁵⁰ visits; there are 51 verdicts to find.

use super::{Attack, Family, to, tower, with, wrap};
use serde_json::{Map, Value, json};

/// A keyword that joins two subschemas. If both have the same verdict, it is the verdict of the
/// whole.
type Join = fn(Value, Value) -> Value;

pub(super) const JOINS: [(&str, Join); 9] = [
    ("allOf", all_of),
    ("anyOf", any_of),
    ("oneOf", one_of),
    ("not", not),
    ("double not", double_not),
    ("if", condition),
    ("else", alternative),
    ("dependentSchemas", dependent),
    ("sibling of $ref", sibling),
];

fn all_of(a: Value, b: Value) -> Value {
    json!({"allOf": [a, b]})
}

fn any_of(a: Value, b: Value) -> Value {
    json!({"anyOf": [a, b]})
}

/// `oneOf` of which exactly one branch can hold: the other also requires a member that no instance
/// has.
fn one_of(a: Value, b: Value) -> Value {
    json!({"oneOf": [{"allOf": [b, {"required": ["never"]}]}, a]})
}

fn not(a: Value, b: Value) -> Value {
    json!({"not": {"anyOf": [{"not": a}, {"not": b}]}})
}

fn double_not(a: Value, b: Value) -> Value {
    json!({"not": {"not": a}, "allOf": [b]})
}

fn condition(a: Value, b: Value) -> Value {
    json!({"if": a, "then": b, "else": false})
}

fn alternative(a: Value, b: Value) -> Value {
    json!({"if": a, "then": true, "else": b})
}

/// `dependentSchemas`, for objects with the members `a` and `b`.
fn dependent(a: Value, b: Value) -> Value {
    json!({"dependentSchemas": {"a": a, "b": b}})
}

fn sibling(a: Value, b: Value) -> Value {
    with(a, json!({"allOf": [b]}))
}

pub(super) fn families() -> Vec<Family> {
    vec![equal(), distinct(), through_members(), shapes()]
}

/// Returns an object to which every join applies, with the leaf's member or without.
fn node(ok: bool) -> Value {
    if ok { json!({"a": 1, "b": 1, "ok": 1}) } else { json!({"a": 1, "b": 1}) }
}

fn leaf() -> Value {
    json!({"required": ["ok"]})
}

fn attack(schema: Value) -> Attack {
    Attack::new(schema).valid(node(true)).invalid(node(false))
}

/// Towers whose two references are equal.
fn equal() -> Family {
    let mut family = Family::new("fan-out");
    for (name, join) in JOINS {
        family.add(name, 4, 50, move |levels| attack(tower(levels, leaf(), |_, a, b| join(a, b))));
    }
    family.add("mixture", 9, 50, |levels| {
        attack(tower(levels, leaf(), |level, a, b| JOINS[level % JOINS.len()].1(a, b)))
    });
    family
}

/// Towers in which every level and every reference has a keyword of its own, so that no two are
/// equal.
fn distinct() -> Family {
    fn own(schema: Value, number: usize) -> Value {
        with(schema, json!({"maxProperties": 1000 + number}))
    }
    let mut family = Family::new("fan-out, nothing equal");
    for (name, join) in JOINS {
        family.add(name, 4, 50, move |levels| {
            let level =
                |level: usize, a, b| own(join(own(a, 3 * level), own(b, 3 * level + 1)), 3 * level + 2);
            attack(tower(levels, leaf(), level))
        });
    }
    family.add("titles alone", 4, 50, |levels| {
        let titled =
            |schema, level: usize, way: &str| with(schema, json!({"title": format!("{way} of {level}")}));
        attack(tower(levels, leaf(), |level, a, b| {
            any_of(titled(a, level, "one way"), titled(b, level, "the other way"))
        }))
    });
    family.add("mixture", 9, 50, |levels| {
        attack(tower(levels, leaf(), |level, a, b| {
            own(JOINS[level % JOINS.len()].1(own(a, 2 * level), own(b, 2 * level + 1)), 1000 + level)
        }))
    });
    family
}

/// Towers in which each level is one step further into the instance.
fn through_members() -> Family {
    let mut family = Family::new("fan-out through members");
    for (name, join) in JOINS {
        family.add(name, 4, 40, move |levels| {
            let instance = |ok: bool| wrap(levels, node(ok), |inner| json!({"a": inner, "b": 1}));
            let schema = tower(levels, leaf(), |_, a, b| json!({"properties": {"a": join(a, b)}}));
            Attack::new(schema).valid(instance(true)).invalid(instance(false))
        });
    }
    family.add("two members to the same level", 2, 6, |levels| {
        // A tree of nodes, with two branches at each of them.
        let schema = tower(levels, json!({"type": "integer"}), |_, a, b| {
            json!({"anyOf": [{"properties": {"l": a, "r": b}}, {"properties": {"l": b, "r": a}, "maxProperties": 3}]})
        });
        fn tree(levels: usize, last: Value) -> Value {
            match levels {
                0 => last,
                _ => json!({"l": tree(levels - 1, 1.into()), "r": tree(levels - 1, last)}),
            }
        }
        Attack::new(schema).valid(tree(levels, 1.into())).invalid(tree(levels, "1".into()))
    });
    family
}

/// Other shapes than a tower.
fn shapes() -> Family {
    let mut family = Family::new("fan-out, other shapes");
    family.add("ten references a level", 2, 30, |levels| {
        attack(tower(levels, leaf(), |_, a, _| json!({"anyOf": vec![a; 10]})))
    });
    family.add("to the next level and the one after", 5, 80, |levels| {
        let schema =
            tower(levels, leaf(), |level, a, _| any_of(a, to(&format!("l{}", (level + 2).min(levels)))));
        attack(schema)
    });
    family.add("to every later level", 4, 80, |levels| {
        let schema = tower(levels, leaf(), |level, _, _| {
            let later: Vec<Value> = (level + 1..=levels).map(|later| to(&format!("l{later}"))).collect();
            json!({"anyOf": later})
        });
        attack(schema)
    });
    family.add("into a branch of the same level", 4, 50, |levels| {
        let mut schema = leaf();
        let mut places = vec![String::from("#")];
        for _ in 0..levels {
            places.push(format!("{}/allOf/0", places[places.len() - 1]));
        }
        for level in (0..levels).rev() {
            schema = json!({"allOf": [schema, {"$ref": places[level + 1]}]});
        }
        attack(schema)
    });
    family.add("two of the same in oneOf", 3, 50, |levels| {
        // Both branches or neither: no level ever holds.
        let schema = tower(levels, leaf(), |_, a, b| json!({"oneOf": [a, b]}));
        Attack::new(schema).invalid(node(true)).invalid(node(false))
    });
    family.add("in draft-07", 4, 50, |levels| {
        let mut definitions = Map::new();
        for level in 0..levels {
            let next = json!({"$ref": format!("#/definitions/l{}", level + 1)});
            definitions.insert(format!("l{level}"), json!({"dependencies": {"a": next, "b": next}}));
        }
        definitions.insert(format!("l{levels}"), leaf());
        attack(json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "allOf": [{"$ref": "#/definitions/l0"}],
            "definitions": definitions
        }))
    });
    family.add("on every item", 4, 45, |levels| {
        let mut schema = tower(levels, json!({"type": "integer"}), |_, a, b| any_of(a, b));
        let definitions = schema["$defs"].take();
        let good: Vec<Value> = (0..200).map(Value::from).collect();
        let mut bad = good.clone();
        bad.push("last".into());
        Attack::new(json!({"items": to("l0"), "$defs": definitions})).valid(good).invalid(bad)
    });
    family.add("on every name", 4, 45, |levels| {
        let mut schema = tower(levels, json!({"maxLength": 4}), |_, a, b| any_of(a, b));
        let definitions = schema["$defs"].take();
        let names = |last: &str| {
            let names = (0..200).map(|index| format!("n{index}")).chain([last.to_owned()]);
            super::object(names.map(|name| (name, 1.into())))
        };
        Attack::new(json!({"propertyNames": to("l0"), "$defs": definitions}))
            .valid(names("last"))
            .invalid(names("zz too long"))
    });
    family
}
