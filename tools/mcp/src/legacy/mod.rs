//! Clients from before 2026-07-28, which know objects alone.
//!
//! For them an output schema that is not of an object travels in an envelope, and so do its values:
//!
//! ```text
//! {"type": "array", …}    {"type": "object", "properties": {"result": {"type": "array", …}}, "required": ["result"]}
//! [1, 2]                  {"result": [1, 2]}
//! ```
//!
//! The schema moves down by two steps, so references to places in it are rewritten; see [`wrap_schema`].

mod rewrite;

use rewrite::{Direction, Rewrite};
use serde_json::{Map, Value, json};

/// The first protocol version whose clients take any output.
pub const FIRST_NATURAL: &str = "2026-07-28";

/// Whether a peer with that negotiated protocol version takes objects alone. Versions are dates and compare as text.
pub fn is_legacy(version: &str) -> bool {
    version < FIRST_NATURAL
}

/// How output schemas and values travel to older clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Wrapping {
    /// As the TypeScript SDK 2.4.0 does it: whatever is not `"type": "object"` goes into the envelope, and so does each value that is no object.
    #[default]
    Envelope,
    /// As the C# SDK does it: `"type": ["object", "null"]` becomes `"type": "object"`, without an envelope for it or its values.
    NullableObject,
}

impl Wrapping {
    /// Whether a schema, and thus its values, travel in the envelope.
    pub fn wraps(self, schema: &Value) -> bool {
        let is_object = match self {
            Wrapping::Envelope => is_object_schema(schema),
            Wrapping::NullableObject => is_object_schema(schema) || is_nullable_object(schema),
        };
        !is_object
    }

    /// Whether a value travels in the envelope, given the output schema of its tool.
    pub fn wraps_value(self, schema: Option<&Value>, value: &Value) -> bool {
        match (self, schema) {
            (Wrapping::NullableObject, Some(schema)) => self.wraps(schema),
            (Wrapping::Envelope, Some(schema)) => self.wraps(schema) || !value.is_object(),
            (_, None) => !value.is_object(),
        }
    }

    /// The schema for older clients, if it is another.
    pub fn project(self, schema: &Value) -> Option<Value> {
        if self.wraps(schema) {
            return Some(wrap_schema(schema));
        }
        if is_object_schema(schema) {
            return None;
        }
        let mut object = schema.clone();
        object["type"] = "object".into();
        Some(object)
    }
}

fn is_object_schema(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "object")
}

/// `"type": ["object", "null"]`, in either order.
fn is_nullable_object(schema: &Value) -> bool {
    let kinds = schema.get("type").and_then(Value::as_array);
    kinds.is_some_and(|kinds| {
        kinds.len() == 2 && kinds.contains(&json!("object")) && kinds.contains(&json!("null"))
    })
}

/// Puts a schema into the envelope.
///
/// `$schema` is repeated at the root, where the dialect is looked for. References to places in the document, `#` and `#/…`, get the new way.
/// That goes by position: only where the value of `$ref` or `$dynamicRef` is a reference, not in `const`, `enum`, `default` or `examples`, and not
/// for a property that happens to have such a name. What has an `$id` of its own is a document of its own, and stays as it is.
///
/// A `$recursiveRef` of 2019-09 becomes a `$ref`, unless the root has `"$recursiveAnchor": true`: then it stays as it is, as in the
/// TypeScript SDK, and such a schema asks of older clients more than it should.
pub fn wrap_schema(schema: &Value) -> Value {
    let mut envelope = Map::new();
    if let Some(dialect @ Value::String(_)) = schema.get("$schema") {
        envelope.insert("$schema".to_owned(), dialect.clone());
    }
    // Moving in never fails: every place has a new one.
    let moved = Rewrite::new(schema, Direction::In).schema(schema).unwrap_or_else(|| schema.clone());
    envelope.insert("type".to_owned(), "object".into());
    envelope.insert("properties".to_owned(), json!({"result": moved}));
    envelope.insert("required".to_owned(), json!(["result"]));
    Value::Object(envelope)
}

/// Takes a schema out of the envelope. `None` if it is not in one, or refers to the envelope itself.
pub fn unwrap_schema(schema: &Value) -> Option<Value> {
    let inner = enveloped(schema)?;
    let mut moved = Rewrite::new(schema, Direction::Out).schema(inner)?;
    // An envelope that somebody else made may declare the dialect at its root alone.
    if let (Value::Object(members), Some(dialect)) = (&mut moved, schema.get("$schema")) {
        members.entry("$schema").or_insert_with(|| dialect.clone());
    }
    Some(moved)
}

/// Whether a schema is an envelope.
pub fn is_envelope(schema: &Value) -> bool {
    enveloped(schema).is_some()
}

/// What is in the envelope, as it stands there.
fn enveloped(schema: &Value) -> Option<&Value> {
    let root = schema.as_object()?;
    let is_plain =
        root.keys().all(|name| matches!(name.as_str(), "$schema" | "type" | "properties" | "required"));
    let properties = root.get("properties")?.as_object()?;
    let is_envelope = is_object_schema(schema)
        && properties.len() == 1
        && root.get("required").is_some_and(|names| *names == json!(["result"]));
    let inner = properties.get("result").filter(|_| is_plain && is_envelope)?;
    // An object needs no envelope: this is a tool that has a property of that name.
    (!is_object_schema(inner)).then_some(inner)
}

/// Puts a value into the envelope.
pub fn wrap_value(value: Value) -> Value {
    json!({"result": value})
}

/// Takes a value out of the envelope, or gives it back if it is not in one.
pub fn unwrap_value(value: Value) -> Result<Value, Value> {
    match value {
        Value::Object(mut members) if members.len() == 1 && members.contains_key("result") => {
            Ok(members.remove("result").unwrap_or_default())
        }
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => Err(value),
    }
}
