//! Descriptions of HTTP interfaces, in the manner of OpenAPI: closed objects that allow `x-` members, names by pattern, and
//! schemas that contain schemas.

use serde_json::{Map, Value, json};

use super::{Place, Random, Set, generate};

const SCHEMA: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "openapi": {"type": "string", "pattern": "^3\\.1\\.\\d+$"},
    "info": {
      "type": "object",
      "properties": {
        "title": {"type": "string"},
        "version": {"type": "string"},
        "description": {"type": "string"},
        "license": {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}
      },
      "required": ["title", "version"],
      "patternProperties": {"^x-": true},
      "additionalProperties": false
    },
    "servers": {
      "type": "array",
      "items": {"type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]}
    },
    "paths": {
      "type": "object",
      "patternProperties": {"^/": {"$ref": "#/$defs/path"}, "^x-": true},
      "additionalProperties": false
    },
    "components": {
      "type": "object",
      "properties": {
        "schemas": {"type": "object", "additionalProperties": {"$ref": "#/$defs/schema"}}
      },
      "additionalProperties": false
    }
  },
  "required": ["openapi", "info", "paths"],
  "patternProperties": {"^x-": true},
  "additionalProperties": false,
  "$defs": {
    "path": {
      "type": "object",
      "properties": {
        "summary": {"type": "string"},
        "parameters": {"$ref": "#/$defs/parameters"},
        "get": {"$ref": "#/$defs/operation"},
        "put": {"$ref": "#/$defs/operation"},
        "post": {"$ref": "#/$defs/operation"},
        "delete": {"$ref": "#/$defs/operation"},
        "patch": {"$ref": "#/$defs/operation"}
      },
      "patternProperties": {"^x-": true},
      "additionalProperties": false
    },
    "operation": {
      "type": "object",
      "properties": {
        "tags": {"type": "array", "items": {"type": "string"}, "uniqueItems": true},
        "summary": {"type": "string"},
        "operationId": {"type": "string"},
        "deprecated": {"type": "boolean"},
        "parameters": {"$ref": "#/$defs/parameters"},
        "requestBody": {
          "type": "object",
          "properties": {"content": {"$ref": "#/$defs/content"}, "required": {"type": "boolean"}},
          "required": ["content"]
        },
        "responses": {
          "type": "object",
          "properties": {"default": {"$ref": "#/$defs/response"}},
          "patternProperties": {"^[1-5](?:[0-9]{2}|XX)$": {"$ref": "#/$defs/response"}},
          "minProperties": 1,
          "additionalProperties": false
        }
      },
      "required": ["responses"],
      "patternProperties": {"^x-": true},
      "additionalProperties": false
    },
    "parameters": {"type": "array", "items": {"$ref": "#/$defs/parameter"}},
    "parameter": {
      "type": "object",
      "properties": {
        "name": {"type": "string"},
        "in": {"enum": ["query", "header", "path", "cookie"]},
        "required": {"type": "boolean"},
        "schema": {"$ref": "#/$defs/schema"}
      },
      "required": ["name", "in", "schema"],
      "if": {"properties": {"in": {"const": "path"}}},
      "then": {"properties": {"required": {"const": true}}, "required": ["required"]},
      "additionalProperties": false
    },
    "response": {
      "type": "object",
      "properties": {"description": {"type": "string"}, "content": {"$ref": "#/$defs/content"}},
      "required": ["description"],
      "additionalProperties": false
    },
    "content": {
      "type": "object",
      "propertyNames": {"pattern": "^[a-z*]+/[a-z0-9.+*-]+$"},
      "additionalProperties": {"type": "object", "properties": {"schema": {"$ref": "#/$defs/schema"}}}
    },
    "schema": {
      "type": ["object", "boolean"],
      "properties": {
        "$ref": {"type": "string"},
        "type": {"enum": ["null", "boolean", "integer", "number", "string", "array", "object"]},
        "properties": {"type": "object", "additionalProperties": {"$ref": "#/$defs/schema"}},
        "items": {"$ref": "#/$defs/schema"},
        "required": {"type": "array", "items": {"type": "string"}},
        "minimum": {"type": "number"},
        "maxLength": {"type": "integer", "minimum": 0}
      }
    }
  }
}"##;

/// Generates whole documents.
pub(super) fn set() -> Set {
    generate("openapi", SCHEMA, 200, document)
}

fn document(random: &mut Random, wrong: Option<Place>) -> Value {
    let count = random.between(3, 9);
    let at = wrong.map(|place| place.among(count));
    let mut paths = Map::new();
    for index in 0..count {
        // Names in the order of a sorted map, so that the first one is the same in either map.
        let path = format!("/{index}/{}/{{id}}", random.name());
        let mut item = path_item(random);
        if at == Some(index) {
            match random.below(3) {
                0 => item["get"]["responses"] = json!({"2000": {"description": "too long"}}),
                1 => item["parameters"][0]["required"] = false.into(),
                _ => {
                    item["put"]["requestBody"]["content"]["application/json"]["schema"] =
                        json!({"type": "text"})
                }
            }
        }
        paths.insert(path, item);
    }
    let schemas: Map<String, Value> =
        (0..random.between(2, 6)).map(|index| (format!("Type{index}"), schema(random, 3))).collect();
    json!({
        "openapi": "3.1.0",
        "info": {"title": random.text(3), "version": "1.0.0", "x-audience": random.name()},
        "servers": [{"url": format!("https://{}.example.com", random.name())}],
        "paths": paths,
        "components": {"schemas": schemas}
    })
}

fn path_item(random: &mut Random) -> Value {
    json!({
        "summary": random.text(5),
        "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
        "get": {
            "tags": [random.name()],
            "operationId": random.name(),
            "parameters": [{"name": "page", "in": "query", "schema": {"type": "integer", "minimum": 1}}],
            "responses": responses(random)
        },
        "put": {
            "tags": [random.name()],
            "summary": random.text(6),
            "requestBody": {"content": content(random), "required": true},
            "responses": responses(random)
        }
    })
}

fn responses(random: &mut Random) -> Value {
    json!({
        "200": {"description": random.text(3), "content": content(random)},
        "4XX": {"description": random.text(2)},
        "default": {"description": random.text(2), "content": content(random)}
    })
}

fn content(random: &mut Random) -> Value {
    json!({"application/json": {"schema": schema(random, 2)}})
}

fn schema(random: &mut Random, depth: usize) -> Value {
    match random.below(if depth == 0 { 3 } else { 5 }) {
        0 => json!({"type": "string", "maxLength": random.below(100)}),
        1 => json!({"type": "integer", "minimum": random.below(10)}),
        2 => json!({"$ref": "#/components/schemas/Type0"}),
        3 => json!({"type": "array", "items": schema(random, depth - 1)}),
        _ => {
            let names = [random.name(), random.name(), random.name()];
            let members: Map<String, Value> =
                names.iter().map(|name| ((*name).to_owned(), schema(random, depth - 1))).collect();
            json!({"type": "object", "properties": members, "required": [names[0]]})
        }
    }
}
