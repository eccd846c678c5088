//! `$dynamicRef`. In one resource it is a reference like any other. Among several, the meaning of a
//! subschema depends on the path that led to it, and validation is PSPACE-hard in general (Attouche
//! and others, POPL 2024).

use super::{Attack, Family, object, wrap};
use serde_json::{Map, Value, json};

pub(super) fn families() -> Vec<Family> {
    vec![one_resource(), several_resources()]
}

fn one_resource() -> Family {
    let mut family = Family::new("$dynamicRef in one resource");
    for union in ["allOf", "anyOf"] {
        family.add(format!("a tower, {union}"), 4, 50, move |levels| {
            let level = |level: usize| {
                let next = json!({"$dynamicRef": format!("#l{}", level + 1)});
                let schema = json!({"$dynamicAnchor": format!("l{level}"), union: [next, next]});
                (format!("l{level}"), schema)
            };
            let mut definitions = object((0..levels).map(level));
            definitions["leaf"] = json!({"$dynamicAnchor": format!("l{levels}"), "type": "integer"});
            let schema = json!({"$dynamicRef": "#l0", "$defs": definitions});
            Attack::new(schema).valid(1).invalid("text")
        });
    }
    family.add("two ways by depth", 4, 40, |levels| {
        let schema = json!({
            "$dynamicAnchor": "node",
            "type": ["array", "integer"],
            "anyOf": [{"items": {"$dynamicRef": "#node"}}, {"items": {"$dynamicRef": "#node"}, "maxItems": 9}]
        });
        let instance = |leaf: Value| wrap(levels, leaf, |inner| json!([inner]));
        Attack::new(schema).valid(instance(1.into())).invalid(instance("text".into()))
    });
    family.add("2019-09, two ways by depth", 4, 40, |levels| {
        let schema = json!({
            "$schema": "https://json-schema.org/draft/2019-09/schema",
            "$recursiveAnchor": true,
            "type": ["array", "integer"],
            "anyOf": [{"items": {"$recursiveRef": "#"}}, {"items": {"$recursiveRef": "#"}, "maxItems": 9}]
        });
        let instance = |leaf: Value| wrap(levels, leaf, |inner| json!([inner]));
        Attack::new(schema).valid(instance(1.into())).invalid(instance("text".into()))
    });
    family.add("closed at each level", 4, 40, |levels| {
        let schema = json!({
            "$dynamicAnchor": "node",
            "type": ["object", "integer"],
            "anyOf": [
                {"properties": {"a": {"$dynamicRef": "#node"}}},
                {"patternProperties": {"^a$": {"$dynamicRef": "#node"}}}
            ],
            "unevaluatedProperties": false
        });
        let instance = |leaf: Value| wrap(levels, leaf, |inner| json!({"a": inner}));
        Attack::new(schema).valid(instance(1.into())).invalid(instance(json!({"b": 1})))
    });
    family
}

fn several_resources() -> Family {
    let mut family = Family::new("$dynamicRef among resources");
    for (title, open) in [("choices, of which one holds", true), ("choices, of which none holds", false)] {
        family.add(title, 3, 20, move |choices| choose(choices, open));
    }
    for (title, open) in
        [("choices by depth, of which one holds", true), ("choices by depth, of which none holds", false)]
    {
        family.add(title, 3, 20, move |choices| choose_by_depth(choices, open));
    }
    family.add("two ways through the same resources", 3, 25, |levels| {
        // Both branches of a level enter the same resource, so the scope at each level is always
        // the same.
        let mut definitions = Map::new();
        for level in 0..levels {
            let next = json!({"$ref": format!("r{}", level + 1)});
            definitions.insert(
                format!("r{level}"),
                json!({"$id": format!("r{level}"), "anyOf": [next, next], "$defs": {"x": {"$dynamicAnchor": "x", "type": "integer"}}}),
            );
        }
        definitions.insert(
            format!("r{levels}"),
            json!({"$id": format!("r{levels}"), "$dynamicRef": "#x", "$defs": {"x": {"$dynamicAnchor": "x"}}}),
        );
        let schema = json!({"$id": "https://example.com/root", "$ref": "r0", "$defs": definitions});
        Attack::new(schema).valid(1).invalid("text").bundled().hard()
    });
    family.add("a list and what is in it", 3, 30, |levels| {
        // The example of the specification, twice: the outermost resource decides what the items of
        // a list are.
        let strict = |own: &str, kind: &str| {
            json!({"$id": own, "$ref": "list", "$defs": {"x": {"$dynamicAnchor": "item", "anyOf": [{"type": kind}, {"$ref": "list"}]}}})
        };
        let schema = json!({
            "$id": "https://example.com/root",
            "anyOf": [{"$ref": "texts"}, {"$ref": "numbers"}],
            "$defs": {
                "texts": strict("texts", "string"),
                "numbers": strict("numbers", "integer"),
                "list": {
                    "$id": "list",
                    "type": "array",
                    "anyOf": [{"items": {"$dynamicRef": "#item"}}, {"items": {"$dynamicRef": "#item"}, "maxItems": 9}],
                    "$defs": {"x": {"$dynamicAnchor": "item"}}
                }
            }
        });
        let instance = |leaf: Value| wrap(levels, leaf, |inner| json!([inner]));
        Attack::new(schema)
            .valid(instance(1.into()))
            .valid(instance("text".into()))
            .invalid(instance(Value::Null))
            .invalid(instance(json!(["text", 1])))
            .bundled()
            .hard()
    });
    family
}

/// Builds choices between a resource that lets `x…` hold and one that does not. At the end all `x…`
/// are required. With `open`, the last combination to be tried holds.
fn choose(choices: usize, open: bool) -> Attack {
    let mut definitions = Map::new();
    for choice in 0..choices {
        for (side, holds) in [("no", false), ("yes", open || choice + 1 < choices)] {
            let own = format!("{side}{choice}");
            let mut resource = next_choice(choice + 1, choices);
            resource["$id"] = own.clone().into();
            resource["$defs"] = json!({"x": {"$dynamicAnchor": format!("x{choice}"), "allOf": [holds]}});
            definitions.insert(own, resource);
        }
    }
    definitions.insert("end".to_owned(), end(choices));
    let mut schema = next_choice(0, choices);
    schema["$id"] = "https://example.com/root".into();
    schema["$defs"] = definitions.into();
    let attack = Attack::new(schema).bundled().hard();
    if open { attack.valid(1) } else { attack.invalid(1) }
}

fn next_choice(choice: usize, choices: usize) -> Value {
    if choice == choices {
        return json!({"$ref": "end"});
    }
    json!({"anyOf": [{"$ref": format!("no{choice}")}, {"$ref": format!("yes{choice}")}]})
}

/// Like [`choose`], with a step into the instance at each choice.
fn choose_by_depth(choices: usize, open: bool) -> Attack {
    let mut attack = choose(choices, open);
    for choice in 0..choices {
        for side in ["no", "yes"] {
            let resource = &mut attack.schema["$defs"][format!("{side}{choice}")];
            let next = match resource.get("anyOf") {
                Some(ways) => json!({"anyOf": ways}),
                None => json!({"$ref": "end"}),
            };
            let id = resource["$id"].take();
            let definitions = resource["$defs"].take();
            *resource = json!({"$id": id, "$defs": definitions, "items": next});
        }
    }
    let instance = &mut attack.instances[0];
    instance.value = wrap(choices, 1.into(), |inner| json!([inner]));
    attack
}

/// Returns the resource that requires all `x…` of the resources that were entered before.
fn end(choices: usize) -> Value {
    let wanted: Vec<Value> =
        (0..choices).map(|choice| json!({"$dynamicRef": format!("#x{choice}")})).collect();
    let anchors =
        (0..choices).map(|choice| (format!("x{choice}"), json!({"$dynamicAnchor": format!("x{choice}")})));
    json!({"$id": "end", "allOf": wanted, "$defs": object(anchors)})
}
