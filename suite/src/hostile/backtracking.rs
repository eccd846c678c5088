//! Two branches at each level of the instance, which fail at the end: a validator that tries one
//! branch after the other visits the same place 2⁴⁰ times.

use super::fan_out::JOINS;
use super::{Attack, Family, object, to, with, wrap};
use serde_json::{Value, json};

/// A step from a node into its child.
struct Into {
    name: &'static str,
    /// The subschema that applies another one to the child.
    way: fn(Value) -> Value,
    /// A node with the child.
    node: fn(Value) -> Value,
}

const WAYS: [Into; 11] = [
    Into { name: "properties", way: |next| json!({"properties": {"a": next}}), node: member },
    Into { name: "patternProperties", way: |next| json!({"patternProperties": {"^a": next}}), node: member },
    Into { name: "additionalProperties", way: |next| json!({"additionalProperties": next}), node: member },
    Into { name: "unevaluatedProperties", way: |next| json!({"unevaluatedProperties": next}), node: member },
    Into {
        name: "dependentSchemas",
        way: |next| json!({"dependentSchemas": {"a": {"properties": {"a": next}}}}),
        node: member,
    },
    Into { name: "items", way: |next| json!({"items": next}), node: item },
    Into { name: "prefixItems", way: |next| json!({"prefixItems": [next]}), node: item },
    Into { name: "contains", way: |next| json!({"contains": next}), node: item },
    Into { name: "unevaluatedItems", way: |next| json!({"unevaluatedItems": next}), node: item },
    Into {
        name: "maxContains",
        way: |next| json!({"contains": {"not": next}, "minContains": 0, "maxContains": 0}),
        node: item,
    },
    Into {
        name: "items and properties",
        way: |next| json!({"properties": {"a": next}, "items": next}),
        node: |child| json!([{"a": child}]),
    },
];

fn member(child: Value) -> Value {
    json!({"a": child})
}

fn item(child: Value) -> Value {
    json!([child])
}

/// Returns a schema for all kinds of nodes; a text is not one.
fn kinds() -> Value {
    json!({"type": ["object", "array", "integer"]})
}

pub(super) fn families() -> Vec<Family> {
    vec![two_ways(), joined(), states()]
}

/// `anyOf` over a step and the same step again, with a keyword of its own.
fn two_ways() -> Family {
    let mut family = Family::new("backtracking by depth");
    for Into { name, way, node } in WAYS {
        family.add(format!("anyOf, {name}"), 4, 40, move |levels| {
            let other = with(way(json!({"$ref": "#"})), json!({"maxProperties": 9, "maxItems": 9}));
            let schema = with(kinds(), json!({"anyOf": [way(json!({"$ref": "#"})), other]}));
            let levels = if name == "items and properties" { levels / 2 } else { levels };
            let instance = |leaf: Value| wrap(levels, leaf, node);
            Attack::new(schema).valid(instance(1.into())).invalid(instance("text".into()))
        });
    }
    family
}

/// Like `two_ways`, with other keywords that join two subschemas.
fn joined() -> Family {
    let mut family = Family::new("backtracking, other unions");
    for (name, join) in JOINS {
        family.add(format!("{name}, properties"), 4, 35, move |levels| {
            let way = |own: usize| json!({"properties": {"a": {"$ref": "#/$defs/node"}}, "maxProperties": own});
            let schema = json!({
                "$ref": "#/$defs/node",
                "$defs": {"node": {"anyOf": [{"type": "integer"}, with(join(way(8), way(9)), json!({"type": "object"}))]}}
            });
            let instance = |leaf: Value| wrap(levels, leaf, |inner| json!({"a": inner, "b": 1}));
            Attack::new(schema).valid(instance(1.into())).invalid(instance("text".into()))
        });
    }
    family
}

/// Definitions as states of an automaton: each leads to several others.
fn states() -> Family {
    let mut family = Family::new("backtracking among states");
    for (name, states, join) in
        [("two states", 2, "anyOf"), ("20 states", 20, "anyOf"), ("8 states, allOf", 8, "allOf")]
    {
        family.add(name, 4, 45, move |levels| {
            let state = |own: usize| {
                let ways: Vec<Value> = (0..states)
                    .map(|next| json!({"properties": {"a": to(&format!("s{next}"))}, "maxProperties": 10 + next}))
                    .collect();
                let state = json!({"type": ["object", "integer"], join: ways, "title": format!("state {own}")});
                (format!("s{own}"), state)
            };
            let schema = json!({"$ref": "#/$defs/s0", "$defs": object((0..states).map(state))});
            let instance = |leaf: Value| wrap(levels, leaf, member);
            Attack::new(schema).valid(instance(1.into())).invalid(instance("text".into()))
        });
    }
    family.add("the last state only", 5, 45, |levels| {
        // The path must count its levels: only the state after all of them accepts a text.
        let state = |index: usize| {
            let next =
                |by: usize| json!({"properties": {"a": to(&format!("s{}", (index + by).min(levels)))}});
            let accepts = if index == levels { json!({"type": "string"}) } else { json!({"type": "object"}) };
            let state = match index == levels {
                true => accepts,
                false => with(accepts, json!({"anyOf": [next(2), next(1)]})),
            };
            (format!("s{index}"), state)
        };
        let schema = json!({"$ref": "#/$defs/s0", "$defs": object((0..=levels).map(state))});
        let instance = |levels: usize| wrap(levels, "text".into(), member);
        // Two levels at a time need half of the steps; with fewer the end is out of reach.
        Attack::new(schema)
            .valid(instance(levels))
            .valid(instance(levels / 2 + 1))
            .invalid(instance(levels / 2 - 1))
    });
    family.add("a tree with two ways at each node", 3, 7, |levels| {
        fn tree(levels: usize, last: Value) -> Value {
            match levels {
                0 => last,
                _ => json!([tree(levels - 1, 1.into()), tree(levels - 1, last)]),
            }
        }
        let ways = json!([{"items": {"$ref": "#"}}, {"items": {"$ref": "#"}, "maxItems": 9}]);
        let schema = with(kinds(), json!({"anyOf": ways}));
        Attack::new(schema).valid(tree(levels, 1.into())).invalid(tree(levels, "text".into()))
    });
    family
}
