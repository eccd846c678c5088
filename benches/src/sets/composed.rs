//! Objects and arrays that are put together from parts and closed as a whole, by `unevaluatedProperties` and
//! `unevaluatedItems`.

use serde_json::{Value, json};

use super::{Place, Random, Set, generate};

const SCHEMA: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "allOf": [{"$ref": "#/$defs/entity"}, {"$ref": "#/$defs/audited"}],
  "properties": {
    "kind": {"enum": ["person", "company"]},
    "addresses": {"type": "array", "items": {"$ref": "#/$defs/address"}},
    "history": {"type": "array", "items": {"$ref": "#/$defs/entry"}}
  },
  "required": ["kind"],
  "if": {"properties": {"kind": {"const": "person"}}},
  "then": {
    "properties": {"givenName": {"type": "string"}, "familyName": {"type": "string"}, "born": {"type": "string"}},
    "required": ["familyName"]
  },
  "else": {
    "properties": {"legalName": {"type": "string"}, "vat": {"type": "string", "pattern": "^[A-Z]{2}[0-9]{8,12}$"}},
    "required": ["legalName"]
  },
  "unevaluatedProperties": false,
  "$defs": {
    "entity": {
      "type": "object",
      "properties": {"id": {"type": "string", "minLength": 8}, "labels": {"type": "array", "items": {"type": "string"}}},
      "required": ["id"]
    },
    "audited": {
      "type": "object",
      "properties": {
        "createdAt": {"type": "string"},
        "createdBy": {"type": "string"},
        "revision": {"type": "integer", "minimum": 1}
      },
      "dependentSchemas": {"createdBy": {"required": ["createdAt"]}},
      "patternProperties": {"^meta[A-Z]": {"type": "string"}}
    },
    "address": {
      "allOf": [
        {"properties": {"country": {"type": "string", "minLength": 2, "maxLength": 2}}, "required": ["country"]},
        {
          "oneOf": [
            {"properties": {"street": {"type": "string"}, "number": {"type": "integer"}}, "required": ["street"]},
            {"properties": {"box": {"type": "integer", "minimum": 1}}, "required": ["box"]}
          ]
        }
      ],
      "unevaluatedProperties": false
    },
    "entry": {
      "type": "array",
      "allOf": [{"prefixItems": [{"type": "string"}]}, {"prefixItems": [true, {"enum": ["create", "change", "close"]}]}],
      "anyOf": [{"prefixItems": [true, true, {"type": "integer"}]}, {"maxItems": 2}],
      "unevaluatedItems": false
    }
  }
}"##;

/// Generates people and companies.
pub(super) fn set() -> Set {
    generate("composed", SCHEMA, 400, entity)
}

fn entity(random: &mut Random, wrong: Option<Place>) -> Value {
    let addresses: Vec<Value> = (0..random.between(1, 4)).map(|_| address(random)).collect();
    let history: Vec<Value> = (0..random.between(1, 8)).map(|_| entry(random)).collect();
    let mut entity = json!({
        "id": random.hex(16),
        "labels": [random.name(), random.name()],
        "createdAt": random.time(),
        "createdBy": random.name(),
        "revision": random.between(1, 40),
        "metaSource": random.name(),
        "addresses": addresses,
        "history": history
    });
    if random.percent(50) {
        entity["kind"] = "person".into();
        entity["givenName"] = random.text(1).into();
        entity["familyName"] = random.text(1).into();
    } else {
        entity["kind"] = "company".into();
        entity["legalName"] = random.text(3).into();
        entity["vat"] = format!("IT{:011}", random.below(100_000_000)).into();
    }
    match wrong {
        None => {}
        Some(Place::Early) => entity["id"] = random.hex(4).into(),
        Some(Place::Middle) if random.percent(50) => entity["addresses"][0]["floor"] = 3.into(),
        Some(Place::Middle) => entity["history"][history.len() / 2] = json!([random.time(), "change", 1, 2]),
        Some(Place::Late) if random.percent(50) => entity["nickname"] = random.name().into(),
        Some(Place::Late) => entity["revision"] = 0.into(),
    }
    entity
}

fn address(random: &mut Random) -> Value {
    match random.below(2) {
        0 => json!({"country": "IT", "street": random.text(2), "number": random.between(1, 200)}),
        _ => json!({"country": "CH", "box": random.between(1, 9999)}),
    }
}

fn entry(random: &mut Random) -> Value {
    match random.below(2) {
        0 => json!([random.time(), "create"]),
        _ => json!([random.time(), random.pick(&["change", "close"]), random.below(100)]),
    }
}
