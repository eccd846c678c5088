//! [`InputSchema`]: the schema of a tool's arguments.

use crate::defaults::{Defaults, Filled};
use crate::header::Headers;
use crate::profile::{MissingType, Profile};
use crate::refusal::{Part, Reason, Refusal};
use crate::schema::{Compiled, Source};
use crate::violations::{Subject, Violations};
use crate::words;
use serde_json::Value;
use stanchion::{Cache, Dialect, TextError, Validator};
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// The `inputSchema` of a tool, compiled: immutable, cheap to clone, shared between threads.
///
/// The root is an object with `"type": "object"` and any other keywords of its dialect. `$schema`
/// names the dialect, 2020-12 if it is absent. References stay in the document.
///
/// ```
/// use serde_json::json;
/// use stanchion_mcp::InputSchema;
///
/// let text = r#"{ "type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"] }"#;
/// let input = InputSchema::from_text(text)?;
/// assert_eq!(input.text(), text);
///
/// assert!(input.validate_arguments(&json!({"city": "Turin"})).is_ok());
/// let invalid = input.validate_arguments(&json!({})).unwrap_err();
/// assert!(invalid.text().contains("city"));
/// # Ok::<(), stanchion_mcp::Refusal>(())
/// ```
#[derive(Clone)]
pub struct InputSchema(Arc<Inner>);

struct Inner {
    compiled: Compiled,
    defaults: OnceLock<Defaults>,
}

impl InputSchema {
    /// Compiles a schema given as a value: a `serde_json::Value` or `Map`.
    pub fn new(schema: impl Into<Value>) -> Result<InputSchema, Refusal> {
        InputSchema::with(&Profile::default(), schema)
    }

    /// Compiles a schema given as JSON text, which is kept byte for byte.
    pub fn from_text(text: &str) -> Result<InputSchema, Refusal> {
        InputSchema::with_text(&Profile::default(), text)
    }

    /// Compiles a schema with a profile.
    pub fn with(profile: &Profile, schema: impl Into<Value>) -> Result<InputSchema, Refusal> {
        InputSchema::read(profile, None, Source::value(schema.into()))
    }

    /// Compiles JSON text with a profile.
    pub fn with_text(profile: &Profile, text: &str) -> Result<InputSchema, Refusal> {
        InputSchema::read(profile, None, Source::text(Part::Input, text)?)
    }

    pub(crate) fn read(
        profile: &Profile,
        cache: Option<&Cache>,
        mut source: Source,
    ) -> Result<InputSchema, Refusal> {
        let refused = |reason| Err(Refusal::new(Part::Input, reason).in_words(profile.words));
        let Value::Object(root) = source.root() else {
            let found = words::found(source.root());
            return refused(Reason::Root { expected: "an object with \"type\": \"object\"", found });
        };
        match (root.get("type"), profile.missing_type) {
            (Some(Value::String(name)), _) if name == "object" => {}
            (Some(other), _) => return refused(Reason::Type { found: Some(words::found(other)) }),
            (None, MissingType::Object) => source.default_to_object(),
            (None, MissingType::Refuse) => return refused(Reason::Type { found: None }),
        }
        let compiled = source.compile(Part::Input, profile, cache)?;
        if profile.checks_headers
            && let Err(fault) = Headers::of_dialect(&compiled.value, compiled.dialect)
        {
            return refused(Reason::Header(fault));
        }
        Ok(InputSchema(Arc::new(Inner { compiled, defaults: OnceLock::new() })))
    }

    /// Returns the schema as it was given, and as it goes to the peer. A root `type` that the
    /// profile supplied is included.
    pub fn schema(&self) -> &Value {
        &self.0.compiled.value
    }

    /// Whether it was made from exactly this schema.
    pub(crate) fn is_of(&self, given: &Value, text: Option<&str>) -> bool {
        self.0.compiled.is_of(given, text)
    }

    pub(crate) fn compiled(&self) -> &Compiled {
        &self.0.compiled
    }

    /// Returns the dialect of the schema: the one that it declares, or that of the profile.
    pub fn dialect(&self) -> Dialect {
        self.0.compiled.dialect
    }

    /// Returns the schema as JSON text: byte for byte as it was given, if it was given as text.
    pub fn text(&self) -> Cow<'_, str> {
        self.0.compiled.text()
    }

    /// Returns the validator, for other uses.
    pub fn validator(&self) -> &Validator {
        &self.0.compiled.validator
    }

    /// Checks whether arguments conform.
    pub fn validate_arguments(&self, arguments: &Value) -> Result<(), Violations> {
        self.0.compiled.check(Subject::Arguments, arguments)
    }

    /// Checks whether arguments given as JSON text conform. All digits of numbers count.
    pub fn validate_arguments_text(&self, text: &str) -> Result<Result<(), Violations>, TextError> {
        self.0.compiled.check_text(Subject::Arguments, text)
    }

    /// Fills in the schema's defaults and validates the result; see [`Filled`].
    ///
    /// An absent member gets the `default` of its subschema, also in nested objects and arrays,
    /// through `allOf` and through references within the document. Existing members are never
    /// changed. A default that would make the arguments invalid is left out.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion_mcp::InputSchema;
    ///
    /// let input = InputSchema::new(json!({
    ///     "type": "object",
    ///     "properties": {
    ///         "city": {"type": "string"},
    ///         "unit": {"enum": ["celsius", "fahrenheit"], "default": "celsius"},
    ///         "page": {"$ref": "#/$defs/page", "default": {}}
    ///     },
    ///     "required": ["city", "unit"],
    ///     "$defs": {"page": {"type": "object", "properties": {"size": {"type": "integer", "default": 20}}}}
    /// }))?;
    /// let filled = input.fill_defaults(json!({"city": "Turin"})).unwrap();
    /// assert_eq!(filled.arguments, json!({"city": "Turin", "unit": "celsius", "page": {"size": 20}}));
    /// # Ok::<(), stanchion_mcp::Refusal>(())
    /// ```
    pub fn fill_defaults(&self, arguments: Value) -> Result<Filled, Violations> {
        self.defaults().fill(&self.0.compiled, arguments)
    }

    pub(crate) fn defaults(&self) -> &Defaults {
        self.0.defaults.get_or_init(|| Defaults::new(self.schema(), self.dialect()))
    }

    /// Returns the arguments that are repeated in HTTP headers, by `x-mcp-header`.
    pub fn headers(&self) -> Result<Headers, crate::header::HeaderFault> {
        Headers::of_dialect(self.schema(), self.dialect())
    }
}

impl fmt::Debug for InputSchema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("InputSchema").field(self.schema()).finish()
    }
}
