//! Events in an envelope, in the manner of CloudEvents: a payload whose schema depends on the type of the event, and
//! extensions whose names follow a pattern.

use serde_json::{Value, json};

use super::{Place, Random, Set, generate};

const SCHEMA: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "specversion": {"const": "1.0"},
    "id": {"type": "string", "minLength": 1},
    "source": {"type": "string", "format": "uri-reference", "minLength": 1},
    "type": {"type": "string", "minLength": 1},
    "subject": {"type": "string", "minLength": 1},
    "time": {"type": "string", "format": "date-time"},
    "datacontenttype": {"type": "string", "pattern": "^[a-z]+/[a-z0-9.+-]+$"},
    "dataschema": {"type": "string", "format": "uri"},
    "data": {"type": "object"}
  },
  "required": ["specversion", "id", "source", "type"],
  "patternProperties": {"^[a-z0-9]{1,20}$": true},
  "additionalProperties": false,
  "allOf": [
    {
      "if": {"properties": {"type": {"const": "com.example.order.placed"}}},
      "then": {"properties": {"data": {"$ref": "#/$defs/order"}}}
    },
    {
      "if": {"properties": {"type": {"const": "com.example.order.shipped"}}},
      "then": {"properties": {"data": {"$ref": "#/$defs/shipment"}}, "required": ["data"]}
    },
    {
      "if": {"properties": {"type": {"const": "com.example.user.changed"}}},
      "then": {"properties": {"data": {"$ref": "#/$defs/change"}}, "required": ["data", "subject"]}
    }
  ],
  "$defs": {
    "order": {
      "type": "object",
      "properties": {
        "orderId": {"type": "string", "pattern": "^[0-9a-f]{8}$"},
        "currency": {"type": "string", "minLength": 3, "maxLength": 3},
        "lines": {
          "type": "array",
          "minItems": 1,
          "items": {
            "type": "object",
            "properties": {
              "sku": {"type": "string"},
              "quantity": {"type": "integer", "minimum": 1},
              "price": {"type": "number", "exclusiveMinimum": 0}
            },
            "required": ["sku", "quantity", "price"]
          }
        }
      },
      "required": ["orderId", "lines"]
    },
    "shipment": {
      "type": "object",
      "properties": {
        "orderId": {"type": "string"},
        "carrier": {"enum": ["post", "road", "rail", "air"]},
        "weight": {"type": "number", "minimum": 0}
      },
      "required": ["orderId", "carrier"]
    },
    "change": {
      "type": "object",
      "minProperties": 1,
      "additionalProperties": {
        "type": "object",
        "properties": {"from": true, "to": true},
        "required": ["from", "to"],
        "additionalProperties": false
      }
    }
  }
}"##;

/// Generates events of four types, one of them unknown to the schema.
pub(super) fn set() -> Set {
    generate("events", SCHEMA, 500, event)
}

fn event(random: &mut Random, wrong: Option<Place>) -> Value {
    let kind = random.pick(&["order.placed", "order.shipped", "user.changed", "system.started"]);
    let order = random.hex(8);
    let data = match kind {
        "order.placed" => {
            let lines: Vec<Value> = (0..random.between(1, 9)).map(|_| line(random)).collect();
            json!({"orderId": order, "currency": "EUR", "lines": lines})
        }
        "order.shipped" => {
            json!({"orderId": order, "carrier": random.pick(&["post", "road"]), "weight": random.decimal(50)})
        }
        "user.changed" => {
            json!({"mail": {"from": random.name(), "to": random.name()}, "age": {"from": 30, "to": 31}})
        }
        _ => json!({"host": random.name()}),
    };
    let mut event = json!({
        "specversion": "1.0",
        "id": random.hex(32),
        "source": format!("/shop/{}", random.name()),
        "type": format!("com.example.{kind}"),
        "subject": random.name(),
        "time": random.time(),
        "datacontenttype": "application/json",
        "data": data,
        "traceparent": format!("00-{}-{}-01", random.hex(32), random.hex(16))
    });
    match wrong {
        None => {}
        Some(Place::Early) => event["specversion"] = "0.3".into(),
        Some(Place::Middle) => match kind {
            "order.placed" => event["data"]["lines"][0]["quantity"] = 0.into(),
            "order.shipped" => event["data"]["carrier"] = "boat".into(),
            "user.changed" => event["data"]["mail"]["by"] = random.name().into(),
            _ => event["data"] = random.name().into(),
        },
        Some(Place::Late) => event["trace_state"] = random.name().into(),
    }
    event
}

fn line(random: &mut Random) -> Value {
    json!({"sku": random.hex(6), "quantity": random.between(1, 9), "price": random.decimal(100) + 0.5})
}
