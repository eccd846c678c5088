//! Arguments of MCP tool calls: a tool of a calendar, as servers publish them.

use serde_json::{Value, json};

use super::{Place, Random, Set, generate};

const SCHEMA: &str = r##"{
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "description": "Create an event in a calendar and invite people to it",
  "properties": {
    "calendarId": {"type": "string", "minLength": 1, "description": "The calendar to add the event to"},
    "title": {"type": "string", "minLength": 1, "maxLength": 200},
    "start": {"type": "string", "format": "date-time", "description": "When it starts, as RFC 3339"},
    "durationMinutes": {"type": "integer", "minimum": 5, "maximum": 1440, "default": 30},
    "visibility": {"type": "string", "enum": ["default", "public", "private", "confidential"]},
    "attendees": {
      "type": "array",
      "description": "Who is invited",
      "maxItems": 50,
      "items": {
        "type": "object",
        "properties": {
          "email": {"type": "string", "pattern": "^[^@\\s]+@[^@\\s]+$"},
          "displayName": {"type": "string"},
          "optional": {"type": "boolean", "default": false}
        },
        "required": ["email"],
        "additionalProperties": false
      }
    },
    "reminders": {
      "type": "array",
      "items": {
        "type": "object",
        "properties": {
          "method": {"enum": ["email", "popup"]},
          "minutes": {"type": "integer", "minimum": 0}
        },
        "required": ["method", "minutes"]
      }
    },
    "location": {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/place"}, {"type": "null"}]},
    "sendUpdates": {"type": "boolean", "default": true}
  },
  "required": ["calendarId", "title", "start"],
  "additionalProperties": false,
  "$defs": {
    "place": {
      "type": "object",
      "properties": {
        "latitude": {"type": "number", "minimum": -90, "maximum": 90},
        "longitude": {"type": "number", "minimum": -180, "maximum": 180}
      },
      "required": ["latitude", "longitude"]
    }
  }
}"##;

/// Generates calls of one tool.
pub(super) fn set() -> Set {
    generate("mcp", SCHEMA, 500, call)
}

fn call(random: &mut Random, wrong: Option<Place>) -> Value {
    let attendees: Vec<Value> = (0..random.between(1, 8)).map(|_| attendee(random)).collect();
    let mut call = json!({
        "calendarId": format!("{}-{}", random.name(), random.hex(12)),
        "title": random.text(4),
        "start": random.time(),
        "durationMinutes": random.pick(&[15, 30, 45, 60, 90]),
        "attendees": attendees,
        "sendUpdates": random.percent(50)
    });
    if random.percent(60) {
        call["visibility"] = random.pick(&["default", "public", "private", "confidential"]).into();
    }
    if random.percent(40) {
        call["reminders"] =
            json!([{"method": random.pick(&["email", "popup"]), "minutes": random.below(120)}]);
    }
    if random.percent(60) {
        call["location"] = match random.below(3) {
            0 => random.text(3).into(),
            1 => json!({"latitude": random.decimal(90), "longitude": random.decimal(180)}),
            _ => Value::Null,
        };
    }
    match wrong {
        None => {}
        Some(Place::Early) => call["calendarId"] = random.below(1000).into(),
        Some(Place::Middle) => {
            let at = Place::Middle.among(attendees.len());
            call["attendees"][at]["email"] = random.name().into();
        }
        Some(Place::Late) if random.percent(50) => call["notify"] = true.into(),
        Some(Place::Late) => call["sendUpdates"] = "yes".into(),
    }
    call
}

fn attendee(random: &mut Random) -> Value {
    let mut attendee = json!({"email": format!("{}.{}@example.com", random.name(), random.name())});
    if random.percent(50) {
        attendee["displayName"] = random.text(2).into();
    }
    if random.percent(30) {
        attendee["optional"] = true.into();
    }
    attendee
}
