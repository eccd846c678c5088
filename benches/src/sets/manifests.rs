//! Manifests of packages: many optional members, maps from names to versions, and members of one form or another.

use serde_json::{Map, Value, json};

use super::{Place, Random, Set, generate};

const SCHEMA: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "name": {"type": "string", "maxLength": 214, "pattern": "^(?:@[a-z0-9-~][a-z0-9-._~]*/)?[a-z0-9-~][a-z0-9-._~]*$"},
    "version": {"type": "string", "pattern": "^\\d+\\.\\d+\\.\\d+(?:-[0-9A-Za-z.-]+)?$"},
    "description": {"type": "string"},
    "keywords": {"type": "array", "items": {"type": "string"}},
    "private": {"type": "boolean"},
    "license": {"type": "string"},
    "author": {"$ref": "#/$defs/person"},
    "contributors": {"type": "array", "items": {"$ref": "#/$defs/person"}},
    "repository": {
      "anyOf": [
        {"type": "string"},
        {
          "type": "object",
          "properties": {"type": {"type": "string"}, "url": {"type": "string"}, "directory": {"type": "string"}},
          "required": ["type", "url"]
        }
      ]
    },
    "bin": {"anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": {"type": "string"}}]},
    "exports": {"$ref": "#/$defs/exports"},
    "files": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
    "scripts": {"type": "object", "additionalProperties": {"type": "string"}},
    "engines": {
      "type": "object",
      "properties": {"node": {"type": "string"}, "npm": {"type": "string"}},
      "additionalProperties": {"type": "string"}
    },
    "dependencies": {"$ref": "#/$defs/dependencies"},
    "devDependencies": {"$ref": "#/$defs/dependencies"},
    "peerDependencies": {"$ref": "#/$defs/dependencies"},
    "workspaces": {"type": "array", "items": {"type": "string"}}
  },
  "required": ["name", "version"],
  "dependentRequired": {"contributors": ["author"]},
  "$defs": {
    "person": {
      "type": ["string", "object"],
      "properties": {
        "name": {"type": "string"},
        "email": {"type": "string", "format": "email"},
        "url": {"type": "string", "format": "uri"}
      },
      "required": ["name"]
    },
    "dependencies": {"type": "object", "additionalProperties": {"type": "string"}},
    "exports": {
      "oneOf": [
        {"type": "string", "pattern": "^\\./"},
        {"type": "null"},
        {"type": "array", "items": {"$ref": "#/$defs/exports"}},
        {"type": "object", "additionalProperties": {"$ref": "#/$defs/exports"}}
      ]
    }
  }
}"##;

/// Generates manifests of packages.
pub(super) fn set() -> Set {
    generate("manifests", SCHEMA, 400, manifest)
}

fn manifest(random: &mut Random, wrong: Option<Place>) -> Value {
    let mut manifest = json!({
        "name": format!("@{}/{}-{}", random.name(), random.name(), random.hex(4)),
        "version": format!("{}.{}.{}", random.below(9), random.below(30), random.below(30)),
        "description": random.text(8),
        "license": random.pick(&["MIT", "Apache-2.0", "ISC"]),
        "author": {"name": random.text(2), "email": "someone@example.com"},
        "keywords": [random.name(), random.name(), random.name()],
        "repository": {"type": "git", "url": format!("https://example.com/{}.git", random.name())},
        "scripts": {"build": "tsc -p .", "test": "node --test", "lint": random.text(3)},
        "dependencies": dependencies(random, 12),
        "devDependencies": dependencies(random, 20)
    });
    if random.percent(50) {
        let entry =
            json!({"import": "./index.mjs", "require": "./index.cjs", "types": ["./index.d.ts", null]});
        manifest["exports"] = json!({".": entry, "./package.json": "./package.json"});
    }
    if random.percent(40) {
        manifest["contributors"] =
            json!([random.text(2), {"name": random.text(2)}, {"name": random.text(2)}]);
    }
    if random.percent(40) {
        manifest["engines"] = json!({"node": ">=20", "npm": ">=10"});
    }
    match wrong {
        None => {}
        Some(Place::Early) => manifest["name"] = "Not A Name".into(),
        Some(Place::Middle) if random.percent(50) => {
            manifest["author"] = json!({"email": "someone@example.com"})
        }
        Some(Place::Middle) => manifest["exports"] = json!({".": {"import": "index.mjs"}}),
        Some(Place::Late) if random.percent(50) => manifest["devDependencies"]["zz-last"] = 3.into(),
        Some(Place::Late) => manifest["workspaces"] = json!(["packages/*", false]),
    }
    manifest
}

fn dependencies(random: &mut Random, most: usize) -> Value {
    let count = random.between(1, most);
    let dependency =
        |_| (format!("{}-{}", random.name(), random.hex(3)), format!("^{}.0.0", random.below(20)).into());
    Value::Object((0..count).map(dependency).collect::<Map<String, Value>>())
}
