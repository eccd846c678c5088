//! Unions with a discriminator: each element of a drawing is one of ten kinds, distinguished by a
//! constant.

use serde_json::{Value, json};

use super::{Place, Random, Set, generate};

/// The kinds, and the members that each has beside the common ones.
const KINDS: [(&str, &[&str]); 10] = [
    ("rectangle", &["width", "height"]),
    ("circle", &["radius"]),
    ("ellipse", &["rx", "ry"]),
    ("line", &["x2", "y2"]),
    ("polyline", &["points"]),
    ("polygon", &["points", "sides"]),
    ("text", &["content", "size"]),
    ("image", &["href", "width", "height"]),
    ("arc", &["radius", "from", "to"]),
    ("use", &["href"]),
];

/// Generates drawings.
pub(super) fn set() -> Set {
    let branch = |(kind, members): (&str, &[&str])| {
        let mut schema = json!({
            "type": "object",
            "properties": {
                "kind": {"const": kind},
                "x": {"type": "number"},
                "y": {"type": "number"},
                "fill": {"type": "string", "pattern": "^#[0-9a-f]{6}$"}
            },
            "required": ["kind", "x", "y"],
            "additionalProperties": false
        });
        for &member in members {
            schema["properties"][member] = member_schema(member);
        }
        let required = ["kind", "x", "y"].iter().chain(members);
        schema["required"] = required.copied().collect();
        schema
    };
    let branches: Vec<Value> = KINDS.into_iter().map(branch).collect();
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"elements": {"type": "array", "items": {"oneOf": branches}}},
        "required": ["elements"]
    });
    generate("shapes", &schema.to_string(), 250, drawing)
}

fn member_schema(member: &str) -> Value {
    match member {
        "content" => json!({"type": "string"}),
        "href" => json!({"type": "string", "minLength": 1}),
        "sides" => json!({"type": "integer", "minimum": 3}),
        "points" => json!({
            "type": "array",
            "minItems": 2,
            "items": {"type": "array", "prefixItems": [{"type": "number"}, {"type": "number"}], "items": false, "minItems": 2}
        }),
        _ => json!({"type": "number", "minimum": 0}),
    }
}

fn drawing(random: &mut Random, wrong: Option<Place>) -> Value {
    let count = random.between(5, 30);
    let mut elements: Vec<Value> = (0..count).map(|_| element(random)).collect();
    if let Some(place) = wrong {
        let element = &mut elements[place.among(count)];
        match random.below(4) {
            0 => element["kind"] = "blob".into(),
            1 => element["x"] = "left".into(),
            2 => element["fill"] = "red".into(),
            _ => element["stroke"] = 1.into(),
        }
    }
    json!({"elements": elements})
}

fn element(random: &mut Random) -> Value {
    let (kind, members) = random.pick(&KINDS);
    let mut element = json!({"kind": kind, "x": random.decimal(800), "y": random.decimal(600)});
    if random.percent(70) {
        element["fill"] = format!("#{}", random.hex(6)).into();
    }
    for &member in members {
        element[member] = match member {
            "content" | "href" => random.text(2).into(),
            "sides" => random.between(3, 9).into(),
            "points" => {
                (0..random.between(2, 8)).map(|_| json!([random.decimal(800), random.decimal(600)])).collect()
            }
            _ => random.decimal(300).into(),
        };
    }
    element
}
