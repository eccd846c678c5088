//! `unevaluatedProperties` and `unevaluatedItems` over towers of references: a verdict alone is not enough, as every branch
//! that holds also has to mark what it has evaluated.

use super::{Attack, Family, object, tower, with, wrap};
use serde_json::{Value, json};

pub(super) fn families() -> Vec<Family> {
    vec![properties(), items(), owners()]
}

fn name(index: usize) -> String {
    format!("p{index}")
}

/// The members `p0` to `p{count - 1}`.
fn members(count: usize, value: Value) -> Value {
    object((0..count).map(|index| (name(index), value.clone())))
}

/// A level of a tower, from its number and two references to the next.
type Level = fn(usize, Value, Value) -> Value;

/// The root closes an object, and every level of a tower below evaluates one member of it.
fn properties() -> Family {
    let mut family = Family::new("unevaluatedProperties");
    let joins: [(&str, Level); 6] = [
        ("allOf", |_, a, b| json!({"allOf": [a, b]})),
        ("anyOf", |_, a, b| json!({"anyOf": [a, b]})),
        ("oneOf", |_, a, b| json!({"oneOf": [{"allOf": [a, {"required": ["never"]}]}, b]})),
        ("if", |_, a, b| json!({"if": a, "then": b})),
        ("dependentSchemas", |level, a, b| json!({"dependentSchemas": {"p0": a, name(level): b}})),
        ("nothing equal", |level, a, b| {
            json!({"anyOf": [
                with(a, json!({"maxProperties": 1000 + level})),
                with(b, json!({"minProperties": 1, "maxProperties": 2000 + level}))
            ]})
        }),
    ];
    for (title, join) in joins {
        family.add(format!("a tower, {title}"), 4, 45, move |levels| {
            let schema = tower(levels, json!({}), |level, a, b| {
                // Level 0 has `p0` from the definition of its own, so that `dependentSchemas` may name it twice.
                with(join(level.max(1), a, b), json!({"properties": {name(level): true}}))
            });
            let schema = with(schema, json!({"unevaluatedProperties": false}));
            let mut more = members(levels, 1.into());
            more["x"] = 1.into();
            Attack::new(schema).valid(members(levels, 1.into())).invalid(more)
        });
    }
    family.add("a tower whose branches evaluate different members", 4, 45, |levels| {
        // A member counts as evaluated if it is 1, by the first branch of its level alone.
        let schema = tower(levels, json!({}), |level, a, b| {
            let first = json!({"properties": {name(level): {"const": 1}}});
            json!({"anyOf": [with(a, first), b]})
        });
        let schema = with(schema, json!({"unevaluatedProperties": false}));
        let mut other = members(levels, 1.into());
        other[name(levels / 2)] = 2.into();
        Attack::new(schema).valid(members(levels, 1.into())).invalid(other)
    });
    family.add("2,000 branches, each with a member of its own", 5, 2_000, |count| {
        let branches: Vec<Value> =
            (0..count).map(|index| json!({"properties": {name(index): true}})).collect();
        let mut more = members(count, 1.into());
        more["x"] = 1.into();
        Attack::new(json!({"anyOf": branches, "unevaluatedProperties": false}))
            .valid(members(count, 1.into()))
            .invalid(more)
    });
    family.add("2,000 branches that evaluate all members", 3, 2_000, |count| {
        let branch = |index: usize| json!({"additionalProperties": true, "maxProperties": count + 1 + index});
        let branches: Vec<Value> = (0..count).map(branch).collect();
        let of = |branches: Vec<Value>| json!({"anyOf": branches, "unevaluatedProperties": false});
        let first = json!({"minProperties": 1});
        Attack::new(of([vec![first], branches].concat()))
            .valid(members(count, 1.into()))
            .invalid(members(4 * count, 1.into()))
    });
    family.add("2,000 branches of which one evaluates all members", 3, 2_000, |count| {
        let branch = |index: usize| json!({"additionalProperties": true, "maxProperties": index});
        let branches: Vec<Value> = (0..=count).map(branch).collect();
        Attack::new(json!({"oneOf": branches, "unevaluatedProperties": false}))
            .valid(members(count, 1.into()))
            .invalid(members(count - 1, 1.into()))
    });
    family.add("branches nested in branches, each with a member", 4, 60, |levels| {
        let mut schema = json!({});
        for level in 0..levels {
            schema = json!({"properties": {name(level): true}, "anyOf": [schema, {"maxProperties": level}]});
        }
        let schema = with(schema, json!({"unevaluatedProperties": false}));
        let mut more = members(levels, 1.into());
        more["x"] = 1.into();
        Attack::new(schema).valid(members(levels, 1.into())).invalid(more)
    });
    family.add("100 patterns", 4, 100, |count| {
        let branches: Vec<Value> =
            (0..count).map(|index| json!({"patternProperties": {format!("^g{index}_"): true}})).collect();
        let names = |last: &str| {
            let names = (0..4 * count).map(|index| format!("g{}_{index}", index % count));
            object(names.chain([last.to_owned()]).map(|name| (name, 1.into())))
        };
        Attack::new(json!({"anyOf": branches, "unevaluatedProperties": false}))
            .valid(names("g0_last"))
            .invalid(names("h0_last"))
    });
    family
}

/// The root closes an array.
fn items() -> Family {
    let mut family = Family::new("unevaluatedItems");
    let numbers = |count: usize| -> Value { (0..count).map(Value::from).collect() };
    for union in ["allOf", "anyOf"] {
        family.add(format!("a tower of prefixItems, {union}"), 4, 45, move |levels| {
            let schema = tower(
                levels,
                json!({}),
                |level, a, b| json!({"prefixItems": vec![true; level + 1], union: [a, b]}),
            );
            let schema = with(schema, json!({"unevaluatedItems": false}));
            Attack::new(schema).valid(numbers(levels)).invalid(numbers(levels + 1))
        });
        family.add(format!("a tower of contains, {union}"), 4, 45, move |levels| {
            let schema =
                tower(levels, json!({}), |level, a, b| json!({"contains": {"const": level}, union: [a, b]}));
            let schema = with(schema, json!({"unevaluatedItems": false}));
            Attack::new(schema).valid(numbers(levels)).invalid(numbers(levels + 1))
        });
    }
    family.add("a tower of if", 4, 45, move |levels| {
        let schema = tower(levels, json!({}), |level, a, b| {
            json!({"if": with(a, json!({"contains": {"const": level}})), "then": b, "else": false})
        });
        let schema = with(schema, json!({"unevaluatedItems": false}));
        Attack::new(schema).valid(numbers(levels)).invalid(numbers(levels + 1))
    });
    family.add("contains over 20,000 items", 5, 20_000, move |count| {
        let schema = json!({"contains": {"type": "integer"}, "unevaluatedItems": {"type": "string"}});
        let item = |index: usize| if index.is_multiple_of(2) { json!(index) } else { json!("text") };
        let mut good: Vec<Value> = (0..count).map(item).collect();
        let bad: Vec<Value> = good.iter().cloned().chain([Value::Null]).collect();
        good.push("end".into());
        Attack::new(schema).valid(good).invalid(bad)
    });
    family
}

/// Nested blocks with `unevaluated…` keywords.
fn owners() -> Family {
    let mut family = Family::new("owners in owners");
    for union in ["allOf", "anyOf"] {
        family.add(format!("every level of a tower is closed, {union}"), 4, 45, move |levels| {
            let closed = |level: usize| {
                json!({"properties": {name(level): true}, "unevaluatedProperties": {"type": "integer"}})
            };
            let schema = tower(levels, closed(levels), |level, a, b| {
                with(closed(level), json!({union: [a, b]}))
            });
            let mut other = members(levels, 1.into());
            other["x"] = "text".into();
            Attack::new(schema).valid(members(levels, 1.into())).invalid(other)
        });
    }
    family.add("closed at each level of the instance", 4, 40, |levels| {
        let schema = json!({
            "type": ["object", "integer"],
            "anyOf": [
                {"properties": {"a": {"$ref": "#"}}},
                {"properties": {"a": {"$ref": "#"}, "b": true}, "maxProperties": 9}
            ],
            "unevaluatedProperties": false
        });
        let instance = |leaf: Value| wrap(levels, leaf, |inner| json!({"a": inner, "b": 1}));
        Attack::new(schema)
            .valid(instance(1.into()))
            .invalid(instance("text".into()))
            .invalid(instance(json!({"c": 1})))
    });
    family.add("the same definition, closed and open", 4, 40, |levels| {
        // `node` runs on each object twice: for a closed owner that needs its marks, and for nobody.
        let schema = json!({
            "$ref": "#/$defs/closed",
            "$defs": {
                "node": {"properties": {"a": {"$ref": "#/$defs/closed"}}, "type": ["object", "integer"]},
                "closed": {
                    "not": {"not": {"$ref": "#/$defs/node"}},
                    "anyOf": [{"$ref": "#/$defs/node"}, {"$ref": "#/$defs/node", "required": ["z"]}],
                    "unevaluatedProperties": false
                }
            }
        });
        let instance = |leaf: Value| wrap(levels, leaf, |inner| json!({"a": inner}));
        Attack::new(schema).valid(instance(1.into())).invalid(instance(json!({"b": 1})))
    });
    family.add("owners as branches", 4, 40, |levels| {
        // Each level is closed on its own; the second branch of each never holds.
        let schema = tower(levels, json!({"properties": {"p0": true}}), |_, a, b| {
            json!({"anyOf": [
                with(b, json!({"properties": {"z": true}, "unevaluatedProperties": false, "required": ["z"]})),
                with(a, json!({"unevaluatedProperties": false}))
            ]})
        });
        Attack::new(schema).valid(json!({"p0": 1})).invalid(json!({"p0": 1, "q": 1}))
    });
    family
}
