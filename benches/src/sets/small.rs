//! Small sets, of a few instances each: one aspect per set.

use serde_json::{Value, json};

use super::Set;

/// Generates the arguments of a tool: a few scalars, one of them with choices.
pub(super) fn tool_call() -> Set {
    let schema = json!({
        "type": "object",
        "properties": {
            "city": {"type": "string", "minLength": 1, "description": "Where"},
            "days": {"type": "integer", "minimum": 1, "maximum": 14, "default": 3},
            "unit": {"enum": ["celsius", "fahrenheit"]},
            "fields": {"type": "array", "items": {"type": "string"}, "maxItems": 8}
        },
        "required": ["city"],
        "additionalProperties": false
    });
    let instances = vec![
        (json!({"city": "Turin", "days": 3, "unit": "celsius", "fields": ["wind", "rain"]}), true),
        (json!({"city": "Turin"}), true),
        (json!({"city": "Turin", "days": 15}), false),
        (json!({"citty": "Turin"}), false),
    ];
    Set { name: "tool_call", schema, instances }
}

/// Generates a large array of small objects.
pub(super) fn records() -> Set {
    let schema = json!({
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "id": {"type": "integer", "minimum": 0},
                "name": {"type": "string", "maxLength": 40},
                "email": {"type": "string", "pattern": "^[^@]+@[^@]+$"},
                "active": {"type": "boolean"},
                "score": {"type": "number", "minimum": 0, "maximum": 1},
                "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true}
            },
            "required": ["id", "name", "active"]
        }
    });
    let record = |id: usize| {
        json!({
            "id": id,
            "name": format!("Person {id}"),
            "email": format!("person{id}@example.com"),
            "active": id.is_multiple_of(2),
            "score": (id % 100) as f64 / 100.0,
            "tags": ["a", "b", format!("t{id}")]
        })
    };
    let valid: Vec<Value> = (0..500).map(record).collect();
    let mut invalid = valid.clone();
    invalid[499]["score"] = json!(2);
    Set { name: "records", schema, instances: vec![(valid.into(), true), (invalid.into(), false)] }
}

/// Generates a recursive document.
pub(super) fn tree() -> Set {
    let schema = json!({
        "$ref": "#/$defs/node",
        "$defs": {
            "node": {
                "type": "object",
                "properties": {
                    "label": {"type": "string"},
                    "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}
                },
                "required": ["label"],
                "additionalProperties": false
            }
        }
    });
    fn node(depth: usize, leaf: Value) -> Value {
        match depth {
            0 => json!({"label": leaf}),
            _ => {
                json!({"label": "inner", "children": [node(depth - 1, "leaf".into()), node(depth - 1, leaf)]})
            }
        }
    }
    let instances = vec![(node(7, "leaf".into()), true), (node(7, 1.into()), false)];
    Set { name: "tree", schema, instances }
}

/// Generates events of several kinds, distinguished by a constant.
pub(super) fn union() -> Set {
    let event = |kind: &str, payload: Value| {
        json!({
            "type": "object",
            "properties": {"kind": {"const": kind}, "at": {"type": "integer"}, "payload": payload},
            "required": ["kind", "payload"]
        })
    };
    let kinds = ["opened", "closed", "moved", "renamed", "shared", "deleted"];
    let branches: Vec<Value> = kinds
        .iter()
        .enumerate()
        .map(|(index, kind)| event(kind, json!({"type": "object", "required": [format!("field{index}")]})))
        .collect();
    let schema = json!({"type": "array", "items": {"oneOf": branches}});
    let events = |wrong: bool| -> Value {
        let event = |index: usize| {
            let field = format!("field{}", if wrong && index == 119 { 9 } else { index % 6 });
            json!({"kind": kinds[index % 6], "at": index, "payload": {field: index}})
        };
        (0..120).map(event).collect()
    };
    Set { name: "union", schema, instances: vec![(events(false), true), (events(true), false)] }
}

/// Generates objects that are put together from parts and closed as a whole.
pub(super) fn unevaluated() -> Set {
    let schema = json!({
        "allOf": [{"$ref": "#/$defs/base"}, {"$ref": "#/$defs/audit"}],
        "anyOf": [
            {"properties": {"street": {"type": "string"}}, "required": ["street"]},
            {"properties": {"box": {"type": "integer"}}, "required": ["box"]}
        ],
        "unevaluatedProperties": false,
        "$defs": {
            "base": {"properties": {"id": {"type": "string"}, "city": {"type": "string"}}, "required": ["id"]},
            "audit": {"properties": {"createdBy": {"type": "string"}, "version": {"type": "integer"}}}
        }
    });
    let instances = vec![
        (json!({"id": "a", "city": "Turin", "street": "Via Po", "createdBy": "me", "version": 3}), true),
        (json!({"id": "a", "city": "Turin", "box": 7, "createdBy": "me", "version": 3}), true),
        (json!({"id": "a", "city": "Turin", "box": 7, "door": 3}), false),
    ];
    Set { name: "unevaluated", schema, instances }
}
