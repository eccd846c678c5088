//! Elicitation: the forms that a server asks a user to fill in.
//!
//! A `requestedSchema` is a small subset of JSON Schema, so that a client can draw it: an object
//! whose properties are texts, numbers, booleans, or choices of one or several texts. `subset.rs`
//! has the rules, which differ by protocol version. `result.rs` checks the answer.

mod result;
mod subset;

pub use result::{ElicitAction, ElicitError};

use crate::profile::Profile;
use crate::protocol::ProtocolVersion;
use crate::refusal::{Part, Reason, Refusal};
use crate::schema::{Compiled, Source};
use crate::violations::{Subject, Violations};
use crate::words;
use serde_json::{Map, Value};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

/// The `requestedSchema` of an elicitation, compiled: immutable, cheap to clone, shared between threads.
///
/// ```
/// use serde_json::json;
/// use stanchion_mcp::ElicitationSchema;
///
/// let form = ElicitationSchema::new(json!({
///     "type": "object",
///     "properties": {
///         "email": {"type": "string", "format": "email"},
///         "color": {"type": "string", "oneOf": [{"const": "#f00", "title": "Red"}, {"const": "#00f", "title": "Blue"}]}
///     },
///     "required": ["email"]
/// }))?;
/// assert!(form.validate_content(&json!({"email": "ada@example.com", "color": "#f00"})).is_ok());
/// assert!(form.validate_content(&json!({"email": "ada"})).is_err());
///
/// let refusal = ElicitationSchema::new(json!({
///     "type": "object", "properties": {"address": {"type": "object"}}
/// })).unwrap_err();
/// assert_eq!(
///     refusal.to_string(),
///     "requestedSchema: /properties/address/type: expected \"string\", \"number\", \"integer\", \"boolean\" or \"array\", found \"object\"",
/// );
/// # Ok::<(), stanchion_mcp::Refusal>(())
/// ```
#[derive(Clone)]
pub struct ElicitationSchema(Arc<Compiled>);

impl ElicitationSchema {
    /// Checks and compiles a schema given as a value, by the rules of all versions together.
    /// `format` is an assertion here, since it restricts what the user may enter.
    pub fn new(schema: impl Into<Value>) -> Result<ElicitationSchema, Refusal> {
        ElicitationSchema::for_version(
            &Profile::default().assert_formats(true),
            ProtocolVersion::ABSENT,
            schema,
        )
    }

    /// Checks and compiles a schema with a profile, by the rules of all versions together.
    pub fn with(profile: &Profile, schema: impl Into<Value>) -> Result<ElicitationSchema, Refusal> {
        ElicitationSchema::for_version(profile, ProtocolVersion::ABSENT, schema)
    }

    /// Checks and compiles a schema by the rules of this protocol version.
    ///
    /// | | |
    /// |---|---|
    /// | 2025-06-18 | texts, numbers and booleans; one of some texts by `enum`; defaults of booleans alone |
    /// | 2025-11-25 | also defaults of all, choices with titles, several choices, and `pattern` |
    /// | 2026-07-28 | as 2025-11-25, without `pattern` |
    pub fn for_version<'v>(
        profile: &Profile,
        version: impl Into<ProtocolVersion<'v>>,
        schema: impl Into<Value>,
    ) -> Result<ElicitationSchema, Refusal> {
        ElicitationSchema::read(profile, version.into(), Source::value(schema.into()))
    }

    /// Checks and compiles a schema given as JSON text, which is kept byte for byte.
    pub fn from_text<'v>(
        profile: &Profile,
        version: impl Into<ProtocolVersion<'v>>,
        text: &str,
    ) -> Result<ElicitationSchema, Refusal> {
        ElicitationSchema::read(profile, version.into(), Source::text(Part::Requested, text)?)
    }

    fn read(
        profile: &Profile,
        version: ProtocolVersion<'_>,
        source: Source,
    ) -> Result<ElicitationSchema, Refusal> {
        let refused = |reason| Refusal::new(Part::Requested, reason);
        subset::check(source.root(), version).map_err(refused)?;
        let form = ElicitationSchema(Arc::new(source.compile(Part::Requested, profile, None)?));
        match form.bad_default() {
            Some(reason) => Err(refused(reason)),
            None => Ok(form),
        }
    }

    /// Finds a default that its own property rejects, such as one outside of the choices or the
    /// bounds.
    fn bad_default(&self) -> Option<Reason> {
        let defaults = self.defaults();
        let errors = self.0.validator.iter_errors(&Value::Object(defaults.clone()));
        let is_of = |path: &str, name: &str| {
            path.strip_prefix(&words::step(name)).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        errors.as_slice().iter().find_map(|error| {
            let name = defaults.keys().find(|name| is_of(error.instance_path(), name))?;
            let path = format!("/properties{}/default", words::step(name));
            Some(Reason::Subset { path, message: error.message() })
        })
    }

    /// Returns the defaults of the properties.
    fn defaults(&self) -> Map<String, Value> {
        let properties = self.schema().get("properties").and_then(Value::as_object);
        let default =
            |(name, schema): (&String, &Value)| Some((name.clone(), schema.get("default")?.clone()));
        properties.into_iter().flatten().filter_map(default).collect()
    }

    /// Returns the schema as it was given.
    pub fn schema(&self) -> &Value {
        &self.0.value
    }

    /// Returns the schema as JSON text: byte for byte as it was given, if it was given as text.
    pub fn text(&self) -> Cow<'_, str> {
        self.0.text()
    }

    /// Checks whether the user's input conforms.
    pub fn validate_content(&self, content: &Value) -> Result<(), Violations> {
        self.0.check(Subject::Form, content)
    }

    /// Returns the user's input, with the defaults of absent properties.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion_mcp::ElicitationSchema;
    ///
    /// let form = ElicitationSchema::new(json!({
    ///     "type": "object", "properties": {"days": {"type": "integer", "default": 3}, "city": {"type": "string"}}
    /// }))?;
    /// assert_eq!(form.fill_content(json!({"city": "Turin"})), json!({"city": "Turin", "days": 3}));
    /// # Ok::<(), stanchion_mcp::Refusal>(())
    /// ```
    pub fn fill_content(&self, mut content: Value) -> Value {
        if let Value::Object(members) = &mut content {
            for (name, default) in self.defaults() {
                members.entry(name).or_insert(default);
            }
        }
        content
    }
}

impl fmt::Debug for ElicitationSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ElicitationSchema").field(self.schema()).finish()
    }
}
