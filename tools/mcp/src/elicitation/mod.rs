//! Elicitation: the forms that a server asks a user to fill in.
//!
//! A `requestedSchema` is a small part of JSON Schema, so that a client can draw it: an object whose properties are texts, numbers, booleans, or
//! choices of one or several texts. `subset.rs` has the rules.

mod subset;

use crate::profile::Profile;
use crate::refusal::{Part, Refusal};
use crate::schema::{Compiled, Source};
use crate::violations::Violations;
use serde_json::Value;
use stanchion::{Exhausted, ValidationError};
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
    /// Checks and compiles a schema given as a value. `format` is an assertion here: it says what the user may enter.
    pub fn new(schema: impl Into<Value>) -> Result<ElicitationSchema, Refusal> {
        ElicitationSchema::with(&Profile::default().assert_formats(true), schema)
    }

    /// The same, by the choices of a profile.
    pub fn with(profile: &Profile, schema: impl Into<Value>) -> Result<ElicitationSchema, Refusal> {
        let source = Source::value(schema.into());
        subset::check(source.root()).map_err(|reason| Refusal::new(Part::Requested, reason))?;
        Ok(ElicitationSchema(Arc::new(source.compile(Part::Requested, profile, None)?)))
    }

    /// The schema as it was given.
    pub fn schema(&self) -> &Value {
        &self.0.value
    }

    /// The schema as JSON text.
    pub fn text(&self) -> Cow<'_, str> {
        self.0.text()
    }

    /// Whether what the user entered conforms.
    pub fn validate_content(&self, content: &Value) -> Result<(), InvalidForm> {
        self.0.check(content).map_err(InvalidForm)
    }
}

impl fmt::Debug for ElicitationSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ElicitationSchema").field(self.schema()).finish()
    }
}

/// Content that does not conform to the requested schema, or could not be checked within the limits.
#[derive(Clone, Debug)]
pub struct InvalidForm(Box<Violations>);

impl InvalidForm {
    /// What is wrong, the most helpful first.
    pub fn errors(&self) -> &[ValidationError] {
        self.0.errors()
    }

    /// What ran out, if the content was not found wrong but could not be checked within the limits.
    pub fn undecided(&self) -> Option<Exhausted> {
        self.0.undecided()
    }

    /// What is wrong: a line for each error, bounded in length.
    pub fn text(&self) -> String {
        self.0.text(match self.undecided() {
            None => "The content does not conform to the requested schema:",
            Some(_) => "The content could not be checked against the requested schema:",
        })
    }
}

impl fmt::Display for InvalidForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for InvalidForm {}
