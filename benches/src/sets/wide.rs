//! Wide closed objects: 72 members by name and nothing else.

use serde_json::{Map, Value, json};

use super::{Place, Random, Set, generate};

const TOPICS: [&str; 12] = [
    "display",
    "network",
    "storage",
    "account",
    "privacy",
    "keyboard",
    "sound",
    "battery",
    "updates",
    "language",
    "backup",
    "developer",
];
const ASPECTS: [&str; 6] = ["Enabled", "Level", "Name", "Mode", "Ratio", "List"];

/// Generates settings of a device.
pub(super) fn set() -> Set {
    let properties: Map<String, Value> = TOPICS
        .iter()
        .flat_map(|topic| ASPECTS.iter().map(move |aspect| (format!("{topic}{aspect}"), schema(aspect))))
        .collect();
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": properties,
        "required": ["displayEnabled", "accountName", "languageName"],
        "additionalProperties": false
    });
    generate("wide", &schema.to_string(), 400, settings)
}

fn schema(aspect: &str) -> Value {
    match aspect {
        "Enabled" => json!({"type": "boolean"}),
        "Level" => json!({"type": "integer", "minimum": 0, "maximum": 100}),
        "Name" => json!({"type": "string", "minLength": 1, "maxLength": 60}),
        "Mode" => json!({"enum": ["auto", "on", "off", "custom"]}),
        "Ratio" => json!({"type": "number", "minimum": 0, "maximum": 1}),
        _ => json!({"type": "array", "items": {"type": "string"}}),
    }
}

fn settings(random: &mut Random, wrong: Option<Place>) -> Value {
    // Some instances have nearly all members, some have few.
    let share = random.between(25, 100);
    let mut members: Vec<(String, Value)> = Vec::new();
    for topic in TOPICS {
        for aspect in ASPECTS {
            let name = format!("{topic}{aspect}");
            let required = ["displayEnabled", "accountName", "languageName"].contains(&name.as_str());
            if required || random.percent(share) {
                members.push((name, value(random, aspect)));
            }
        }
    }
    // In the order of a sorted map, so that the first one is the same in either map.
    members.sort_by(|(a, _), (b, _)| a.cmp(b));
    if let Some(place) = wrong {
        let at = place.among(members.len());
        if random.percent(50) {
            members[at].1 = json!({"unexpected": true});
        } else {
            let name = format!("{}Color", members[at].0);
            members.insert(at, (name, "red".into()));
        }
    }
    Value::Object(members.into_iter().collect())
}

fn value(random: &mut Random, aspect: &str) -> Value {
    match aspect {
        "Enabled" => random.percent(50).into(),
        "Level" => random.below(101).into(),
        "Name" => random.text(3).into(),
        "Mode" => random.pick(&["auto", "on", "off", "custom"]).into(),
        "Ratio" => random.decimal(1).into(),
        _ => (0..random.below(4)).map(|_| random.name()).collect(),
    }
}
