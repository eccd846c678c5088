//! Strings of all sorts: patterns that are prefixes, classes or alternatives, lengths in
//! characters, and formats as annotations.

use serde_json::{Value, json};

use super::{Place, Random, Set, generate};

const SCHEMA: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "properties": {
    "id": {"type": "string", "pattern": "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$"},
    "slug": {"type": "string", "pattern": "^[a-z0-9]+(?:-[a-z0-9]+)*$", "maxLength": 80},
    "mail": {"type": "string", "format": "email", "pattern": "^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$"},
    "phone": {"type": "string", "pattern": "^\\+?[0-9 ()-]{7,20}$"},
    "site": {"type": "string", "format": "uri", "pattern": "^https?://"},
    "created": {"type": "string", "format": "date-time", "pattern": "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(?:\\.\\d+)?(?:Z|[+-]\\d{2}:\\d{2})$"},
    "version": {"type": "string", "pattern": "^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?$"},
    "color": {"type": "string", "pattern": "^#(?:[0-9a-fA-F]{3}){1,2}$"},
    "language": {"type": "string", "pattern": "^[a-z]{2,3}(?:-[A-Z]{2})?$"},
    "file": {"type": "string", "pattern": "\\.(?:png|jpe?g|webp|svg)$"},
    "title": {"type": "string", "minLength": 3, "maxLength": 60},
    "body": {"type": "string", "minLength": 1, "maxLength": 2000, "pattern": "\\S"},
    "labels": {
      "type": "object",
      "propertyNames": {"pattern": "^[a-z][a-z0-9_.]*$", "maxLength": 40},
      "additionalProperties": {"type": "string", "maxLength": 63}
    },
    "codes": {"type": "array", "items": {"type": "string", "pattern": "^[A-Z]{2}[0-9]{4}$"}}
  },
  "required": ["id", "slug", "mail", "title"],
  "additionalProperties": false
}"##;

/// Generates records that are all strings.
pub(super) fn set() -> Set {
    generate("strings", SCHEMA, 400, record)
}

fn record(random: &mut Random, wrong: Option<Place>) -> Value {
    let uuid = [8, 4, 4, 4, 12].map(|digits| random.hex(digits)).join("-");
    let slug = format!("{}-{}-{}", random.name(), random.name(), random.below(100));
    let codes: Vec<String> =
        (0..random.between(2, 12)).map(|_| format!("TO{:04}", random.below(10_000))).collect();
    let words = random.between(10, 90);
    let mut record = json!({
        "id": uuid,
        "slug": slug,
        "mail": format!("{}@{}.example.com", random.name(), random.name()),
        "phone": format!("+39 011 {:07}", random.below(10_000_000)),
        "site": format!("https://{}.example.com/{}", random.name(), random.name()),
        "created": random.time(),
        "version": format!("{}.{}.{}-rc.{}", random.below(9), random.below(30), random.below(9), random.below(9)),
        "color": format!("#{}", random.hex(6)),
        "language": random.pick(&["it", "de-CH", "en-GB", "ja"]),
        "file": format!("{}.{}", random.name(), random.pick(&["png", "jpg", "jpeg", "svg"])),
        "title": random.text(5),
        "body": random.text(words),
        "labels": {"app.name": random.name(), "tier": random.name(), "owner_team": random.name()},
        "codes": codes
    });
    match wrong {
        None => {}
        Some(Place::Early) => record["id"] = random.hex(32).into(),
        Some(Place::Middle) if random.percent(50) => record["file"] = "drawing.gif".into(),
        Some(Place::Middle) => record["labels"]["Tier"] = random.name().into(),
        Some(Place::Late) => match random.below(3) {
            0 => record["title"] = "東京".into(),
            1 => record["codes"][codes.len() - 1] = "to12".into(),
            _ => record["version"] = "1.02.3".into(),
        },
    }
    record
}
