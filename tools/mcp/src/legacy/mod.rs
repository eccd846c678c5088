//! Clients from before 2026-07-28, which accept only objects.
//!
//! For them, an output schema that is not for an object is wrapped in an envelope, and so are its
//! values:
//!
//! ```text
//! {"type": "array", …}    {"type": "object", "properties": {"result": {"type": "array", …}}, "required": ["result"]}
//! [1, 2]                  {"result": [1, 2]}
//! ```
//!
//! The schema moves down by two steps, so references to places in it are rewritten; see [`wrap_schema`].

mod rewrite;

use crate::dialect;
use crate::protocol::ProtocolVersion;
use rewrite::{Direction, Rewrite, Stuck};
use serde_json::{Map, Value, json};
use stanchion::Dialect;
use std::fmt;

pub use crate::protocol::FIRST_NATURAL;

/// Whether a peer with this negotiated protocol version accepts only objects. Versions are dates
/// and compare as text.
pub fn is_legacy<'v>(version: impl Into<ProtocolVersion<'v>>) -> bool {
    version.into().is_legacy()
}

/// The form of output schemas and values for older clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Wrapping {
    /// A schema without `"type": "object"` is wrapped in the envelope, and so is each value that is
    /// not an object. The envelope accepts a wrapped value exactly if the schema accepts the value.
    #[default]
    Envelope,
    /// The form of the TypeScript SDK 2.4.0. It differs for references into data, for references
    /// with percent signs, and for `$recursiveAnchor` at the root of a schema of 2019-09.
    TypeScript,
    /// The form of the C# SDK 2.2: `"type": ["object", "null"]` becomes `"type": "object"`, without
    /// an envelope for it or its values; `$schema` is not repeated; and every member `$ref` is
    /// rewritten, also in data.
    CSharp,
}

impl Wrapping {
    /// Whether a schema, and thus its values, are wrapped.
    pub fn wraps(self, schema: &Value) -> bool {
        let is_object = match self {
            Wrapping::Envelope | Wrapping::TypeScript => is_object_schema(schema),
            Wrapping::CSharp => is_object_schema(schema) || is_nullable_object(schema),
        };
        !is_object
    }

    /// Whether a value is wrapped, given the output schema of its tool.
    pub fn wraps_value(self, schema: Option<&Value>, value: &Value) -> bool {
        self.wraps_kind(schema, value.is_object())
    }

    pub(crate) fn wraps_kind(self, schema: Option<&Value>, is_object: bool) -> bool {
        match (self, schema) {
            (Wrapping::CSharp, Some(schema)) => self.wraps(schema),
            (Wrapping::Envelope | Wrapping::TypeScript, Some(schema)) => self.wraps(schema) || !is_object,
            (_, None) => !is_object,
        }
    }

    /// Returns the schema for older clients, if it differs. `dialect` applies to a schema that
    /// declares none.
    pub fn project(self, schema: &Value, dialect: Dialect) -> Result<Option<Value>, NotWrapped> {
        if self.wraps(schema) {
            return self.wrap(schema, dialect).map(Some);
        }
        if is_object_schema(schema) {
            return Ok(None);
        }
        let mut object = schema.clone();
        object["type"] = "object".into();
        Ok(Some(object))
    }

    /// Wraps a schema. `dialect` applies to a schema that declares none.
    pub fn wrap(self, schema: &Value, dialect: Dialect) -> Result<Value, NotWrapped> {
        let schema: &Value = &sendable(schema);
        let mut envelope = Map::new();
        if let Some(dialect @ Value::String(_)) = schema.get("$schema")
            && self != Wrapping::CSharp
        {
            envelope.insert("$schema".to_owned(), dialect.clone());
        }
        let moved = match self {
            Wrapping::Envelope => {
                let dialect = dialect::declared(schema).unwrap_or(dialect);
                Rewrite::new(schema, Direction::In, dialect).run(schema).map_err(NotWrapped)?
            }
            Wrapping::TypeScript => Rewrite::typescript(schema).run(schema).map_err(NotWrapped)?,
            Wrapping::CSharp => {
                let mut moved = schema.clone();
                rewrite::move_blindly(&mut moved);
                moved
            }
        };
        envelope.insert("type".to_owned(), "object".into());
        envelope.insert("properties".to_owned(), json!({"result": moved}));
        envelope.insert("required".to_owned(), json!(["result"]));
        Ok(Value::Object(envelope))
    }
}

/// The error for a schema that cannot be wrapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotWrapped(Stuck);

impl fmt::Display for NotWrapped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Stuck::Outside => "a reference leads to the envelope itself",
            Stuck::Recursion => {
                "$recursiveRef among several documents depends on the root, which the envelope changes"
            }
            Stuck::TooLarge => "the references that lead into data would copy too much of it",
        })
    }
}

impl std::error::Error for NotWrapped {}

fn is_object_schema(schema: &Value) -> bool {
    schema.get("type").is_some_and(|kind| kind == "object")
}

/// Whether the schema has `"type": ["object", "null"]`, in either order.
fn is_nullable_object(schema: &Value) -> bool {
    let kinds = schema.get("type").and_then(Value::as_array);
    kinds.is_some_and(|kinds| {
        kinds.len() == 2 && kinds.contains(&json!("object")) && kinds.contains(&json!("null"))
    })
}

/// Returns a schema as an object, which is all that other SDKs can read: `true` becomes `{}`, and
/// `false` becomes `{"not": {}}`.
pub fn sendable(schema: &Value) -> std::borrow::Cow<'_, Value> {
    use std::borrow::Cow;
    match schema {
        Value::Bool(true) => Cow::Owned(json!({})),
        Value::Bool(false) => Cow::Owned(json!({"not": {}})),
        Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
            Cow::Borrowed(schema)
        }
    }
}

/// Wraps a schema by [`Wrapping::Envelope`]; one that declares no dialect is read as 2020-12.
///
/// `$schema` is repeated at the root, where the dialect is looked for. References to places in the document, `#` and `#/…`, get the new way,
/// percent signs decoded. That goes by position: only where the value of `$ref` or `$dynamicRef` is a reference, not in `const`, `enum`, `default` or
/// `examples`, and not for a property that happens to have such a name. What has an `$id` of its own is a document of its own, and stays as it is.
///
/// A reference may lead to a place that is data, such as `#/examples/0`. It then leads to a copy under `x-copies`, so that the data stays as it is. A `$recursiveRef` of 2019-09 becomes a `$ref`.
pub fn wrap_schema(schema: &Value) -> Result<Value, NotWrapped> {
    Wrapping::Envelope.wrap(schema, Dialect::default())
}

/// Unwraps a schema. `None` if it is not in an envelope, or refers to the envelope itself.
pub fn unwrap_schema(schema: &Value) -> Option<Value> {
    unwrap_schema_as(schema, Dialect::default())
}

/// Unwraps a schema. One that declares no dialect is read as `dialect`.
pub fn unwrap_schema_as(schema: &Value, dialect: Dialect) -> Option<Value> {
    let inner = enveloped(schema)?;
    let dialect = dialect::declared(schema).unwrap_or(dialect);
    let mut moved = Rewrite::new(schema, Direction::Out, dialect).run(inner).ok()?;
    // An envelope from another implementation may declare the dialect at its root alone.
    if let (Value::Object(members), Some(dialect)) = (&mut moved, schema.get("$schema")) {
        members.entry("$schema").or_insert_with(|| dialect.clone());
    }
    Some(moved)
}

/// Whether a schema is an envelope.
pub fn is_envelope(schema: &Value) -> bool {
    enveloped(schema).is_some()
}

/// Returns the schema inside the envelope, unchanged.
fn enveloped(schema: &Value) -> Option<&Value> {
    let root = schema.as_object()?;
    let is_plain =
        root.keys().all(|name| matches!(name.as_str(), "$schema" | "type" | "properties" | "required"));
    let properties = root.get("properties")?.as_object()?;
    let is_envelope = is_object_schema(schema)
        && properties.len() == 1
        && root.get("required").is_some_and(|names| *names == json!(["result"]));
    let inner = properties.get("result").filter(|_| is_plain && is_envelope)?;
    // An object needs no envelope: this is a tool with a property of that name.
    (!is_object_schema(inner)).then_some(inner)
}

/// Wraps a value in the envelope.
pub fn wrap_value(value: Value) -> Value {
    json!({"result": value})
}

/// Unwraps a value, or returns it unchanged as an error if it is not in an envelope.
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
