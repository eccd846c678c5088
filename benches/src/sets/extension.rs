//! A tree that is extended through dynamic references: one schema describes the nodes and leaves
//! them open; a second one closes them and describes their data.

use serde_json::{Value, json};

use super::{Place, Random, Set, generate};

const SCHEMA: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "$id": "https://example.com/strict-tree",
  "$dynamicAnchor": "node",
  "$ref": "tree",
  "properties": {"data": {"$ref": "#/$defs/data"}},
  "required": ["data"],
  "unevaluatedProperties": false,
  "$defs": {
    "data": {
      "type": "object",
      "properties": {
        "label": {"type": "string", "minLength": 1},
        "weight": {"type": "number", "minimum": 0},
        "state": {"enum": ["open", "closed"]}
      },
      "required": ["label"],
      "additionalProperties": false
    },
    "tree": {
      "$schema": "https://json-schema.org/draft/2020-12/schema",
      "$id": "https://example.com/tree",
      "$dynamicAnchor": "node",
      "type": "object",
      "properties": {
        "id": {"type": "integer"},
        "data": true,
        "children": {"type": "array", "items": {"$dynamicRef": "#node"}}
      },
      "required": ["id"]
    }
  }
}"##;

/// Generates trees of some dozens of nodes.
pub(super) fn set() -> Set {
    generate("extension", SCHEMA, 250, tree)
}

fn tree(random: &mut Random, wrong: Option<Place>) -> Value {
    let mut tree = node(random, 4);
    let Some(place) = wrong else { return tree };
    // The root, a node on the way down, or the last leaf.
    let steps = match place {
        Place::Early => 0,
        Place::Middle => 2,
        Place::Late => 4,
    };
    let mut at = &mut tree;
    for _ in 0..steps {
        let last = at["children"].as_array().map_or(0, |children| children.len() - 1);
        at = &mut at["children"][last];
    }
    match random.below(3) {
        0 => at["data"]["weight"] = (-1).into(),
        1 => at["parent"] = 0.into(),
        _ => at["data"]["label"] = Value::Null,
    }
    tree
}

fn node(random: &mut Random, depth: usize) -> Value {
    let data = json!({"label": random.text(2), "weight": random.decimal(10), "state": random.pick(&["open", "closed"])});
    let mut node = json!({"id": random.below(10_000), "data": data});
    if depth > 0 {
        node["children"] = (0..random.between(1, 3)).map(|_| self::node(random, depth - 1)).collect();
    }
    node
}
