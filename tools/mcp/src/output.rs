//! [`OutputSchema`]: what a tool gives.

use crate::legacy::{self, Wrapping};
use crate::profile::Profile;
use crate::refusal::{Part, Reason, Refusal};
use crate::result::InvalidContent;
use crate::schema::{Compiled, Source};
use crate::words;
use serde_json::Value;
use stanchion::{Cache, Validator};
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// Keywords that say what the root of an output schema is. Without any of them it may be a shorthand.
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
/// assert_eq!(output.schema_for("2025-11-25")["required"], json!(["result"]));
/// assert_eq!(output.value_for("2025-11-25", json!([20.5])), json!({"result": [20.5]}));
/// assert_eq!(output.value_for("2026-07-28", json!([20.5])), json!([20.5]));
/// # Ok::<(), stanchion_mcp::Refusal>(())
/// ```
#[derive(Clone)]
pub struct OutputSchema(Arc<Inner>);

struct Inner {
    compiled: Compiled,
    wrapping: Wrapping,
    /// The schema for older clients, if that is another; made when the first of them asks.
    legacy: OnceLock<Option<Value>>,
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

    /// Compiles a schema by the choices of a profile.
    pub fn with(profile: &Profile, schema: impl Into<Value>) -> Result<OutputSchema, Refusal> {
        OutputSchema::read(profile, None, Source::value(schema.into()))
    }

    /// Compiles JSON text by the choices of a profile.
    pub fn with_text(profile: &Profile, text: &str) -> Result<OutputSchema, Refusal> {
        OutputSchema::read(profile, None, Source::text(Part::Output, text)?)
    }

    pub(crate) fn read(
        profile: &Profile,
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
        Ok(OutputSchema(Arc::new(Inner { compiled, wrapping: profile.wrapping, legacy: OnceLock::new() })))
    }

    /// The schema as it was given, and as it goes to a peer of today. Where the profile supplied the root's `type`, that is in it.
    pub fn schema(&self) -> &Value {
        &self.0.compiled.value
    }

    /// Whether it was made of that very schema.
    pub(crate) fn is_of(&self, given: &Value) -> bool {
        self.0.compiled.is_of(given)
    }

    /// The schema as JSON text: byte for byte as it was given, if it was given as text.
    pub fn text(&self) -> Cow<'_, str> {
        self.0.compiled.text()
    }

    /// The validator, for what this type does not do.
    pub fn validator(&self) -> &Validator {
        &self.0.compiled.validator
    }

    /// Whether a value conforms. `null`, `false`, `0` and `""` are values like any other.
    pub fn validate_structured_content(&self, value: &Value) -> Result<(), InvalidContent> {
        self.0.compiled.check(value).map_err(InvalidContent)
    }

    /// Whether values travel in an envelope to a peer with that protocol version.
    pub fn is_wrapped_for(&self, version: &str) -> bool {
        legacy::is_legacy(version) && self.0.wrapping.wraps(self.schema())
    }

    /// The schema for a peer with that protocol version.
    pub fn schema_for(&self, version: &str) -> &Value {
        if !legacy::is_legacy(version) {
            return self.schema();
        }
        let legacy = self.0.legacy.get_or_init(|| self.0.wrapping.project(self.schema()));
        legacy.as_ref().unwrap_or_else(|| self.schema())
    }

    /// A value for a peer with that protocol version. Older ones take objects alone, so what is none is wrapped in any case.
    pub fn value_for(&self, version: &str, value: Value) -> Value {
        let wraps = legacy::is_legacy(version) && self.0.wrapping.wraps_value(Some(self.schema()), &value);
        if wraps { legacy::wrap_value(value) } else { value }
    }

    /// The schema inside the envelope, if this is what a server of today sends to an older client. The client then knows what the
    /// values really are. `None` if it is no envelope.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion_mcp::{OutputSchema, Profile};
    ///
    /// let natural = OutputSchema::new(json!({"type": "array", "items": {"$ref": "#/$defs/n"}, "$defs": {"n": {"type": "number"}}}))?;
    /// let received = OutputSchema::new(natural.schema_for("2025-06-18").clone())?;
    /// assert_eq!(received.unwrapped(&Profile::default()).unwrap().schema(), natural.schema());
    /// assert_eq!(received.natural_value("2025-06-18", json!({"result": [1]})), json!([1]));
    /// # Ok::<(), stanchion_mcp::Refusal>(())
    /// ```
    pub fn unwrapped(&self, profile: &Profile) -> Option<OutputSchema> {
        OutputSchema::with(profile, legacy::unwrap_schema(self.schema())?).ok()
    }

    /// A value that came from a server, at that protocol version, without the envelope that older clients get. Whether there is one is told by this
    /// schema, which is the server's as the client received it.
    pub fn natural_value(&self, version: &str, value: Value) -> Value {
        if legacy::is_legacy(version) && legacy::is_envelope(self.schema()) {
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
