//! Rows of a table: long arrays of records with many scalars.

use serde_json::{Value, json};

use super::{Place, Random, Set, generate};

const SCHEMA: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "table": {"type": "string"},
    "rows": {
      "type": "array",
      "maxItems": 10000,
      "items": {
        "type": "object",
        "properties": {
          "id": {"type": "integer", "minimum": 1},
          "account": {"type": "string", "minLength": 12, "maxLength": 12},
          "booked": {"type": "string", "format": "date-time"},
          "amount": {"type": "number", "minimum": -1000000, "maximum": 1000000},
          "currency": {"enum": ["EUR", "USD", "GBP", "CHF", "JPY"]},
          "kind": {"enum": ["debit", "credit", "fee", "interest"]},
          "reference": {"type": ["string", "null"], "maxLength": 140},
          "cleared": {"type": "boolean"},
          "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 5}
        },
        "required": ["id", "account", "booked", "amount", "currency", "kind"],
        "additionalProperties": false
      }
    }
  },
  "required": ["rows"]
}"##;

/// Generates tables of 30 to 120 rows.
pub(super) fn set() -> Set {
    generate("table", SCHEMA, 200, table)
}

fn table(random: &mut Random, wrong: Option<Place>) -> Value {
    let count = random.between(30, 120);
    let mut rows: Vec<Value> = (1..=count).map(|id| row(random, id)).collect();
    if let Some(place) = wrong {
        let row = &mut rows[place.among(count)];
        match random.below(5) {
            0 => row["amount"] = "12.50".into(),
            1 => row["currency"] = "XYZ".into(),
            2 => row["account"] = random.hex(13).into(),
            3 => row["note"] = random.name().into(),
            _ => drop(row.as_object_mut().and_then(|row| row.remove("kind"))),
        }
    }
    json!({"table": random.name(), "rows": rows})
}

fn row(random: &mut Random, id: usize) -> Value {
    let reference = if random.percent(30) { Value::Null } else { random.text(4).into() };
    json!({
        "id": id,
        "account": random.hex(12),
        "booked": random.time(),
        "amount": random.decimal(20_000) - 10_000.0,
        "currency": random.pick(&["EUR", "USD", "GBP", "CHF", "JPY"]),
        "kind": random.pick(&["debit", "credit", "fee", "interest"]),
        "reference": reference,
        "cleared": random.percent(80),
        "tags": [random.name(), random.name()]
    })
}
