//! Configuration of a service: objects in objects in objects, each closed, with groups that contain groups.

use serde_json::{Map, Value, json};

use super::{Place, Random, Set, generate};

const SCHEMA: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "version": {"const": 2},
    "logging": {
      "type": "object",
      "properties": {
        "level": {"enum": ["trace", "debug", "info", "warn", "error"]},
        "sinks": {"type": "array", "items": {"$ref": "#/$defs/sink"}}
      },
      "additionalProperties": false
    },
    "server": {
      "type": "object",
      "properties": {
        "listen": {
          "type": "object",
          "properties": {
            "address": {"type": "string"},
            "port": {"type": "integer", "minimum": 1, "maximum": 65535},
            "tls": {
              "type": "object",
              "properties": {
                "certificate": {"type": "string"},
                "key": {"type": "string"},
                "protocols": {
                  "type": "object",
                  "properties": {"min": {"enum": ["1.2", "1.3"]}, "max": {"enum": ["1.2", "1.3"]}},
                  "additionalProperties": false
                }
              },
              "dependentRequired": {"certificate": ["key"], "key": ["certificate"]},
              "additionalProperties": false
            }
          },
          "required": ["port"],
          "additionalProperties": false
        },
        "timeouts": {"type": "object", "additionalProperties": {"$ref": "#/$defs/duration"}}
      },
      "required": ["listen"],
      "additionalProperties": false
    },
    "routes": {"$ref": "#/$defs/group"}
  },
  "required": ["version", "server"],
  "additionalProperties": false,
  "$defs": {
    "duration": {"type": ["integer", "string"], "minimum": 0, "pattern": "^[0-9]+(?:ms|s|m|h)$"},
    "sink": {
      "type": "object",
      "properties": {
        "kind": {"enum": ["file", "stdout", "syslog"]},
        "path": {"type": "string"},
        "rotate": {
          "type": "object",
          "properties": {"every": {"$ref": "#/$defs/duration"}, "keep": {"type": "integer", "minimum": 1}},
          "additionalProperties": false
        }
      },
      "required": ["kind"],
      "additionalProperties": false
    },
    "group": {
      "type": "object",
      "properties": {
        "match": {
          "type": "object",
          "properties": {
            "path": {"type": "string"},
            "methods": {"type": "array", "items": {"enum": ["GET", "PUT", "POST", "DELETE"]}, "uniqueItems": true}
          },
          "additionalProperties": false
        },
        "limits": {
          "type": "object",
          "properties": {
            "rate": {"type": "object", "properties": {"requests": {"type": "integer", "minimum": 0}, "per": {"$ref": "#/$defs/duration"}}},
            "body": {"type": "integer", "multipleOf": 1024}
          },
          "additionalProperties": false
        },
        "to": {"type": "string", "minLength": 1},
        "groups": {"type": "object", "additionalProperties": {"$ref": "#/$defs/group"}}
      },
      "additionalProperties": false
    }
  }
}"##;

/// Generates configurations with routes some levels deep.
pub(super) fn set() -> Set {
    generate("configuration", SCHEMA, 250, configuration)
}

fn configuration(random: &mut Random, wrong: Option<Place>) -> Value {
    let depth = random.between(4, 8);
    let mut configuration = json!({
        "version": 2,
        "logging": {
            "level": random.pick(&["info", "warn"]),
            "sinks": [{"kind": "stdout"}, {"kind": "file", "path": "/var/log/a", "rotate": {"every": "24h", "keep": 7}}]
        },
        "server": {
            "listen": {
                "address": "::",
                "port": random.between(1, 65535),
                "tls": {"certificate": random.hex(40), "key": random.hex(40), "protocols": {"min": "1.2", "max": "1.3"}}
            },
            "timeouts": {"read": "30s", "write": 5000, "idle": "2m"}
        }
    });
    let late = wrong == Some(Place::Late);
    configuration["routes"] = group(random, depth, late);
    match wrong {
        None | Some(Place::Late) => {}
        Some(Place::Early) if random.percent(50) => configuration["version"] = 1.into(),
        Some(Place::Early) => configuration["logging"]["sinks"][1]["rotate"]["keep"] = 0.into(),
        Some(Place::Middle) if random.percent(50) => {
            configuration["server"]["listen"]["port"] = 70_000.into()
        }
        Some(Place::Middle) => configuration["server"]["listen"]["tls"]["protocols"]["min"] = "1.1".into(),
    }
    configuration
}

/// Returns a group with nested groups. `wrong` puts a mistake in the deepest group of its last branch.
fn group(random: &mut Random, depth: usize, wrong: bool) -> Value {
    let mut group = json!({
        "match": {"path": format!("/{}", random.name()), "methods": ["GET", "POST"]},
        "limits": {"rate": {"requests": random.below(1000), "per": "1s"}, "body": 1024 * random.below(64)}
    });
    if depth == 0 {
        group["to"] = random.name().into();
        if wrong {
            group["limits"]["body"] = 1000.into();
        }
        return group;
    }
    let count = if depth > 4 { 1 } else { random.between(1, 2) };
    let members: Map<String, Value> = (0..count)
        .map(|index| (format!("g{index}"), self::group(random, depth - 1, wrong && index + 1 == count)))
        .collect();
    group["groups"] = members.into();
    group
}
