//! Collections of features on a map, in the manner of GeoJSON: geometries distinguished by `type`,
//! and many small arrays of numbers.

use serde_json::{Value, json};

use super::{Place, Random, Set, generate};

const SCHEMA: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "type": {"const": "FeatureCollection"},
    "bbox": {"type": "array", "minItems": 4, "maxItems": 6, "items": {"type": "number"}},
    "features": {"type": "array", "items": {"$ref": "#/$defs/feature"}}
  },
  "required": ["type", "features"],
  "$defs": {
    "feature": {
      "type": "object",
      "properties": {
        "type": {"const": "Feature"},
        "id": {"type": ["string", "number"]},
        "properties": {"type": ["object", "null"]},
        "geometry": {"oneOf": [{"type": "null"}, {"$ref": "#/$defs/geometry"}]}
      },
      "required": ["type", "properties", "geometry"]
    },
    "geometry": {
      "oneOf": [
        {
          "type": "object",
          "properties": {"type": {"const": "Point"}, "coordinates": {"$ref": "#/$defs/position"}},
          "required": ["type", "coordinates"]
        },
        {
          "type": "object",
          "properties": {
            "type": {"const": "MultiPoint"},
            "coordinates": {"type": "array", "items": {"$ref": "#/$defs/position"}}
          },
          "required": ["type", "coordinates"]
        },
        {
          "type": "object",
          "properties": {"type": {"const": "LineString"}, "coordinates": {"$ref": "#/$defs/line"}},
          "required": ["type", "coordinates"]
        },
        {
          "type": "object",
          "properties": {
            "type": {"const": "Polygon"},
            "coordinates": {"type": "array", "items": {"allOf": [{"$ref": "#/$defs/line"}, {"minItems": 4}]}}
          },
          "required": ["type", "coordinates"]
        },
        {
          "type": "object",
          "properties": {
            "type": {"const": "GeometryCollection"},
            "geometries": {"type": "array", "items": {"$ref": "#/$defs/geometry"}}
          },
          "required": ["type", "geometries"]
        }
      ]
    },
    "position": {
      "type": "array",
      "prefixItems": [
        {"type": "number", "minimum": -180, "maximum": 180},
        {"type": "number", "minimum": -90, "maximum": 90}
      ],
      "minItems": 2,
      "maxItems": 3,
      "items": {"type": "number"}
    },
    "line": {"type": "array", "minItems": 2, "items": {"$ref": "#/$defs/position"}}
  }
}"##;

/// Generates collections of some features each.
pub(super) fn set() -> Set {
    generate("geojson", SCHEMA, 200, collection)
}

fn collection(random: &mut Random, wrong: Option<Place>) -> Value {
    let count = random.between(4, 24);
    let mut features: Vec<Value> = (0..count).map(|id| feature(random, id)).collect();
    if let Some(place) = wrong {
        features[place.among(count)]["geometry"] = match random.below(4) {
            0 => json!({"type": "Point", "coordinates": [200.5, 45.0]}),
            1 => json!({"type": "Polygon", "coordinates": [line(random, 3)]}),
            2 => json!({"type": "Circle", "coordinates": position(random)}),
            _ => json!({"type": "LineString", "coordinates": [position(random), ["7.6", "45.1"]]}),
        };
    }
    json!({"type": "FeatureCollection", "bbox": [-180.0, -90.0, 180.0, 90.0], "features": features})
}

fn feature(random: &mut Random, id: usize) -> Value {
    let geometry = if random.percent(5) { Value::Null } else { geometry(random, 1) };
    let properties =
        json!({"name": random.text(2), "height": random.below(4000), "open": random.percent(50)});
    json!({"type": "Feature", "id": id, "properties": properties, "geometry": geometry})
}

fn geometry(random: &mut Random, depth: usize) -> Value {
    match random.below(4 + depth) {
        0 => json!({"type": "Point", "coordinates": position(random)}),
        1 => json!({"type": "MultiPoint", "coordinates": line(random, 5)}),
        2 => json!({"type": "LineString", "coordinates": line(random, 12)}),
        3 => json!({"type": "Polygon", "coordinates": [line(random, 9), line(random, 5)]}),
        _ => json!({"type": "GeometryCollection", "geometries": [geometry(random, 0), geometry(random, 0)]}),
    }
}

fn line(random: &mut Random, points: usize) -> Value {
    (0..points).map(|_| position(random)).collect()
}

fn position(random: &mut Random) -> Value {
    json!([random.decimal(360) - 180.0, random.decimal(180) - 90.0])
}
