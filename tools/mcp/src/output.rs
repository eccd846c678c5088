//! [`OutputSchema`]: the schema of a tool's structured content.

use crate::edit::Edits;
use crate::legacy;
use crate::profile::Profile;
use crate::protocol::ProtocolVersion;
use crate::refusal::{Part, Reason, Refusal};
use crate::schema::{self, Compiled, Source};
use crate::violations::{Subject, Violations};
use crate::words;
use serde_json::Value;
use stanchion::{Cache, TextError, Validator};
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Keywords that describe the root of an output schema. Without any of them it may be a shorthand.
const ROOT: [&str; 9] = ["type", "$ref", "oneOf", "anyOf", "allOf", "not", "if", "const", "enum"];

/// The `outputSchema` of a tool, compiled: immutable, cheap to clone, shared between threads.
///
/// It may be any schema: of an object, an array, a number, a union; or `true`, or `false`.
///
/// ```
/// use serde_json::json;
/// use stanchion_mcp::OutputSchema;
///
/// let output = OutputSchema::new(json!({"type": "array", "items": {"type": "number"}}))?;
/// assert!(output.validate_structured_content(&json!([20.5, 21])).is_ok());
///
/// // Clients from before 2026-07-28 know objects alone.
/// assert_eq!(output.schema_for("2025-11-25")?["required"], json!(["result"]));
/// assert_eq!(output.value_for("2025-11-25", json!([20.5])), json!({"result": [20.5]}));
/// assert_eq!(output.value_for("2026-07-28", json!([20.5])), json!([20.5]));
/// # Ok::<(), stanchion_mcp::Refusal>(())
/// ```
#[derive(Clone)]
pub struct OutputSchema(Arc<Inner>);

struct Inner {
    compiled: Compiled,
    profile: Arc<Profile>,
    /// The schema as an object, if it is a boolean.
    sendable: Option<Value>,
    /// The schema for older clients, if it differs; made on first use.
    legacy: OnceLock<Result<Option<Value>, Refusal>>,
}

impl OutputSchema {
    /// Compiles a schema given as a value: a `serde_json::Value`, a `Map`, or a boolean.
    pub fn new(schema: impl Into<Value>) -> Result<OutputSchema, Refusal> {
        OutputSchema::with(&Profile::default(), schema)
    }

    /// Compiles a schema given as JSON text, which is kept byte for byte.
    pub fn from_text(text: &str) -> Result<OutputSchema, Refusal> {
        OutputSchema::with_text(&Profile::default(), text)
    }

    /// Compiles a schema with a profile.
    pub fn with(profile: &Profile, schema: impl Into<Value>) -> Result<OutputSchema, Refusal> {
        OutputSchema::read(&Arc::new(profile.clone()), None, Source::value(schema.into()))
    }

    /// Compiles JSON text with a profile.
    pub fn with_text(profile: &Profile, text: &str) -> Result<OutputSchema, Refusal> {
        OutputSchema::read(&Arc::new(profile.clone()), None, Source::text(Part::Output, text)?)
    }

    pub(crate) fn read(
        profile: &Arc<Profile>,
        cache: Option<&Cache>,
        mut source: Source,
    ) -> Result<OutputSchema, Refusal> {
        match source.root() {
            Value::Bool(_) => {}
            Value::Object(root) => {
                let is_shorthand = !ROOT.iter().any(|keyword| root.contains_key(*keyword));
                if profile.shorthand_output && is_shorthand {
                    source.default_to_object();
                }
            }
            other @ (Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_)) => {
                let reason = Reason::Root { expected: "an object or a boolean", found: words::found(other) };
                return Err(Refusal::new(Part::Output, reason));
            }
        }
        let compiled = source.compile(Part::Output, profile, cache)?;
        let sendable = compiled.value.is_boolean().then(|| legacy::sendable(&compiled.value).into_owned());
        let profile = Arc::clone(profile);
        Ok(OutputSchema(Arc::new(Inner { compiled, profile, sendable, legacy: OnceLock::new() })))
    }

    /// Returns the schema as it was given. A root `type` that the profile supplied is included.
    pub fn schema(&self) -> &Value {
        &self.0.compiled.value
    }

    /// Whether it was made from exactly this schema.
    pub(crate) fn is_of(&self, given: &Value, text: Option<&str>) -> bool {
        self.0.compiled.is_of(given, text)
    }

    /// Returns the schema as JSON text: byte for byte as it was given, if it was given as text.
    pub fn text(&self) -> Cow<'_, str> {
        self.0.compiled.text()
    }

    /// Returns the validator, for other uses.
    pub fn validator(&self) -> &Validator {
        &self.0.compiled.validator
    }

    /// Checks whether a value conforms. `null`, `false`, `0` and `""` are values like any other.
    pub fn validate_structured_content(&self, value: &Value) -> Result<(), Violations> {
        self.0.compiled.check(Subject::Content, value)
    }

    /// Checks whether a value given as JSON text conforms. All digits of numbers count.
    pub fn validate_structured_content_text(&self, text: &str) -> Result<Result<(), Violations>, TextError> {
        self.0.compiled.check_text(Subject::Content, text)
    }

    /// Whether values are wrapped in an envelope for a peer with this protocol version.
    pub fn is_wrapped_for<'v>(&self, version: impl Into<ProtocolVersion<'v>>) -> bool {
        version.into().is_legacy() && self.0.profile.wrapping.wraps(self.schema())
    }

    /// Returns the schema for a current peer: an object, even if it was given as a boolean.
    pub fn sendable(&self) -> &Value {
        self.0.sendable.as_ref().unwrap_or_else(|| self.schema())
    }

    /// Returns the schema for a peer with this protocol version. A wrapped schema must fit the same
    /// bounds; if it does not, the tool cannot be shown to older clients.
    pub fn schema_for<'v>(&self, version: impl Into<ProtocolVersion<'v>>) -> Result<&Value, Refusal> {
        if !version.into().is_legacy() {
            return Ok(self.sendable());
        }
        match self.0.legacy.get_or_init(|| self.project()) {
            Ok(Some(schema)) => Ok(schema),
            Ok(None) => Ok(self.sendable()),
            Err(refusal) => Err(refusal.clone()),
        }
    }

    fn project(&self) -> Result<Option<Value>, Refusal> {
        let profile = &self.0.profile;
        let projected = profile.wrapping.project(self.schema(), self.0.compiled.dialect);
        let projected = projected.map_err(|error| Refusal::new(Part::Output, Reason::Envelope(error)))?;
        if let Some(schema) = &projected {
            schema::compile(Part::Output, profile, None, schema).map_err(Refusal::in_envelope)?;
        }
        Ok(projected)
    }

    /// Returns the schema for a peer with this protocol version, as JSON text. A schema given as
    /// text keeps its digits and the order of its members.
    pub fn text_for<'v>(&self, version: impl Into<ProtocolVersion<'v>>) -> Result<Cow<'_, str>, Refusal> {
        let version = version.into();
        let schema = self.schema_for(version)?;
        if std::ptr::eq(schema, self.schema()) {
            return Ok(self.text());
        }
        let is_envelope = self.is_wrapped_for(version);
        let inner = if is_envelope { schema.pointer("/properties/result") } else { Some(schema) };
        let edited = inner
            .and_then(|inner| Edits::between(self.schema(), inner))
            .filter(|_| self.0.compiled.has_text());
        let Some(edits) = edited else { return Ok(Cow::Owned(schema.to_string())) };
        let inner = edits.apply(&self.text());
        if !is_envelope {
            return Ok(Cow::Owned(inner));
        }
        let dialect = schema.get("$schema").map_or_else(String::new, |uri| format!("\"$schema\":{uri},"));
        let envelope = format!(
            "{{{dialect}\"type\":\"object\",\"properties\":{{\"result\":{inner}}},\"required\":[\"result\"]}}"
        );
        Ok(Cow::Owned(envelope))
    }

    /// Returns a value for a peer with this protocol version. Older ones accept only objects, so
    /// any other value is wrapped.
    pub fn value_for<'v>(&self, version: impl Into<ProtocolVersion<'v>>, value: Value) -> Value {
        let wraps =
            version.into().is_legacy() && self.0.profile.wrapping.wraps_value(Some(self.schema()), &value);
        if wraps { legacy::wrap_value(value) } else { value }
    }

    /// Returns the schema inside the envelope, if this is an envelope that a current server sends
    /// to an older client. The client then knows the real type of the values. `None` if it is not
    /// an envelope.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion_mcp::{OutputSchema, Profile};
    ///
    /// let natural = OutputSchema::new(json!({"type": "array", "items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"type": "number"}}}))?;
    /// let received = OutputSchema::new(natural.schema_for("2025-06-18")?.clone())?;
    /// assert_eq!(received.unwrapped(&Profile::default()).unwrap().schema(), natural.schema());
    /// assert_eq!(received.natural_value("2025-06-18", json!({"result": [1]})), json!([1]));
    /// # Ok::<(), stanchion_mcp::Refusal>(())
    /// ```
    pub fn unwrapped(&self, profile: &Profile) -> Option<OutputSchema> {
        OutputSchema::with(profile, self.natural_schema()?).ok()
    }

    /// Returns the schema inside the envelope, not compiled.
    pub(crate) fn natural_schema(&self) -> Option<Value> {
        legacy::unwrap_schema_as(self.schema(), self.0.compiled.dialect)
    }

    /// Whether a peer with this protocol version sends values in an envelope, judging by this
    /// schema.
    pub(crate) fn is_envelope_for(&self, version: ProtocolVersion<'_>) -> bool {
        version.is_legacy() && legacy::is_envelope(self.schema())
    }

    /// Unwraps a value from a server with this protocol version, if this schema, as the client
    /// received it, is an envelope. Other values are returned unchanged.
    pub fn natural_value<'v>(&self, version: impl Into<ProtocolVersion<'v>>, value: Value) -> Value {
        if self.is_envelope_for(version.into()) {
            return legacy::unwrap_value(value).unwrap_or_else(|value| value);
        }
        value
    }
}

impl fmt::Debug for OutputSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("OutputSchema").field(self.schema()).finish()
    }
}
