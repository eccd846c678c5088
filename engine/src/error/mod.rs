//! Why a schema was refused ([`SchemaError`]), and why an instance was ([`ValidationError`]).
//!
//! Both are opaque: methods give the place and the facts, `Display` gives one line that starts with
//! the place. A new keyword or a new limit is no breaking change.
//!
//! A validation error is a place in an explanation, which it shares with the others of the same instance. Its paths, its facts, and what the
//! branches of a union said are read from there when someone asks.

mod errors;
mod kind;
mod messages;
mod model;
mod schema;
pub(crate) mod text;
mod warning;
pub(crate) mod words;

pub use errors::Errors;
pub use kind::{Branch, ErrorKind};
pub use messages::Messages;
pub(crate) use schema::NO_RESOURCE;
pub use schema::{SchemaError, SchemaErrorKind};
pub use warning::{SchemaWarning, SchemaWarningKind};

pub(crate) use kind::value_bytes;

use crate::explain::{Explanation, Failure};
use crate::limits::Exhausted;
use stanchion_vocab::Type;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// An instance was rejected: the keyword, the place in the instance and in the schema, and the facts.
///
/// ```
/// use serde_json::json;
/// use stanchion::{ErrorKind, Validator};
///
/// let validator = Validator::new(&json!({
///     "properties": {"filter": {"$ref": "#/$defs/filter"}},
///     "$defs": {"filter": {"properties": {"limit": {"maximum": 100}}}}
/// }))?;
/// let error = validator.validate(&json!({"filter": {"limit": 250}})).unwrap_err();
///
/// assert_eq!(error.to_string(), "/filter/limit: 250 is more than the maximum 100");
/// assert_eq!(error.keyword(), "maximum");
/// assert_eq!(error.instance_path(), "/filter/limit");
/// assert_eq!(error.schema_path(), "/$defs/filter/properties/limit/maximum");
/// assert_eq!(error.evaluation_path(), "/properties/filter/$ref/properties/limit/maximum");
/// assert_eq!(error.absolute_location(), "#/$defs/filter/properties/limit/maximum");
/// assert!(matches!(error.kind(), ErrorKind::Maximum { limit, found } if limit == "100" && found == "250"));
/// # Ok::<(), stanchion::SchemaError>(())
/// ```
#[derive(Clone)]
pub struct ValidationError(Box<Fault>);

#[derive(Clone)]
struct Fault {
    source: Source,
    places: Places,
    /// The facts, put together.
    kind: OnceLock<ErrorKind>,
}

/// The places of an error, as far as someone has asked for them.
#[derive(Clone, Default)]
struct Places {
    instance_path: OnceLock<String>,
    schema_path: OnceLock<String>,
    evaluation_path: OnceLock<String>,
    absolute_location: OnceLock<String>,
}

/// Where an error comes from.
#[derive(Clone)]
enum Source {
    Exhausted(Exhausted),
    /// A unit of an explanation that failed.
    Unit(Arc<Explanation>, u32),
}

impl ValidationError {
    fn new(source: Source) -> ValidationError {
        ValidationError(Box::new(Fault { source, places: Places::default(), kind: OnceLock::new() }))
    }

    pub(crate) fn exhaustion(exhausted: Exhausted) -> ValidationError {
        ValidationError::new(Source::Exhausted(exhausted))
    }

    /// The error of a unit that failed.
    pub(crate) fn of(explanation: &Arc<Explanation>, unit: u32) -> ValidationError {
        ValidationError::new(Source::Unit(Arc::clone(explanation), unit))
    }

    /// Replaces the facts, and keeps the place.
    pub(crate) fn with_kind(&self, kind: ErrorKind) -> ValidationError {
        let mut error = self.clone();
        error.0.kind = OnceLock::from(kind);
        error
    }

    /// The explanation that it is read from, and its unit in that.
    fn found(&self) -> Option<(&Arc<Explanation>, u32)> {
        if let Source::Unit(explanation, unit) = &self.0.source { Some((explanation, *unit)) } else { None }
    }

    /// A text that is read from the explanation when someone first asks.
    fn read<'e>(&'e self, text: &'e OnceLock<String>, read: impl Fn(&Explanation, u32) -> String) -> &'e str {
        text.get_or_init(|| self.found().map_or_else(String::new, |(found, unit)| read(found, unit)))
    }

    /// The keyword that was not satisfied. Where a `false` rejected, the keyword that applied it;
    /// empty at the root.
    pub fn keyword(&self) -> &str {
        self.found().map_or("", |(found, unit)| found.keyword(unit))
    }

    /// The place in the instance, as a JSON Pointer. A property that is unknown or missing, or whose name is rejected, is
    /// a fault of its object.
    pub fn instance_path(&self) -> &str {
        self.read(&self.0.places.instance_path, Explanation::instance_path)
    }

    /// The keyword's place in its own document, as a JSON Pointer.
    pub fn schema_path(&self) -> &str {
        self.read(&self.0.places.schema_path, Explanation::schema_path)
    }

    /// The way to the keyword from the root of the schema, through references, as a JSON Pointer.
    pub fn evaluation_path(&self) -> &str {
        self.read(&self.0.places.evaluation_path, Explanation::evaluation_path)
    }

    /// The keyword's place as a URI: that of its resource, cut at 2 KiB, and a pointer within it.
    pub fn absolute_location(&self) -> &str {
        self.read(&self.0.places.absolute_location, Explanation::absolute_location)
    }

    /// The facts of the error.
    pub fn kind(&self) -> &ErrorKind {
        self.0.kind.get_or_init(|| match &self.0.source {
            Source::Exhausted(exhausted) => ErrorKind::Exhausted(*exhausted),
            Source::Unit(explanation, unit) => explanation.kind(*unit),
        })
    }

    /// The innermost union that this error is in, if it is one of a branch: an error of the kind [`ErrorKind::AnyOf`] or
    /// [`ErrorKind::OneOf`], with what all branches said. Those that a discriminator rules out say just that.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion::{ErrorKind, Validator};
    ///
    /// let validator = Validator::new(&json!({"anyOf": [
    ///     {"type": "string"},
    ///     {"type": "array", "items": {"type": "string"}}
    /// ]}))?;
    /// let error = validator.iter_errors(&json!(["a", 5])).next().unwrap();
    /// assert_eq!(error.to_string(), "/1: expected a string, found 5");
    ///
    /// let union = error.union().unwrap();
    /// let ErrorKind::AnyOf { branches } = union.kind() else { unreachable!() };
    /// assert_eq!(branches[0].errors()[0].to_string(), "/1: expected a string, found 5");
    /// assert_eq!(branches[1].errors()[0].to_string(), "/: expected a string, found an array of 2 items");
    /// # Ok::<(), stanchion::SchemaError>(())
    /// ```
    pub fn union(&self) -> Option<ValidationError> {
        let (found, unit) = self.found()?;
        let is_union = |&unit: &u32| found.tree.failure(unit).is_some_and(Failure::is_open_union);
        let union = found.tree.chain(unit).skip(1).find(is_union)?;
        Some(ValidationError::of(found, union))
    }

    /// A sketch of what the schema wants at this place, of at most so many characters: where properties are missing or not
    /// known, where an object or array was expected, and for unions. Elsewhere the message says it all.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion::Validator;
    ///
    /// let validator = Validator::new(&json!({
    ///     "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
    ///     "required": ["city"]
    /// }))?;
    /// let error = validator.validate(&json!({"days": 2})).unwrap_err();
    /// assert_eq!(error.expected_shape(100).unwrap(), r#"{"city": string, "days"?: integer >=1}"#);
    /// # Ok::<(), stanchion::SchemaError>(())
    /// ```
    pub fn expected_shape(&self, max_chars: usize) -> Option<String> {
        let (found, unit) = self.found()?;
        let kind = self.kind();
        let helps = if let ErrorKind::Type { expected, .. } = kind {
            expected.has(Type::Object) || expected.has(Type::Array)
        } else {
            matches!(
                kind,
                ErrorKind::UnknownProperty { .. }
                    | ErrorKind::Required { .. }
                    | ErrorKind::MinProperties { .. }
                    | ErrorKind::PropertyNames { .. }
                    | ErrorKind::AnyOf { .. }
                    | ErrorKind::OneOf { .. }
            )
        };
        if helps { found.sketch(unit, max_chars) } else { None }
    }

    /// Advice on what to do, where the message says only what is wrong: a number in quotes, JSON inside a string, `null` where a member should be left
    /// out.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion::Validator;
    ///
    /// let validator = Validator::new(&json!({"properties": {"days": {"type": "integer"}}}))?;
    /// let error = validator.validate(&json!({"days": "3"})).unwrap_err();
    /// assert_eq!(error.advice().unwrap(), "send it without the quotes");
    /// # Ok::<(), stanchion::SchemaError>(())
    /// ```
    pub fn advice(&self) -> Option<String> {
        self.found().and_then(|(found, unit)| found.advice(unit))
    }

    /// The limit that was reached, if the run ended before it had a verdict, or before all errors were found.
    pub fn exhausted(&self) -> Option<Exhausted> {
        if let Source::Exhausted(exhausted) = self.0.source { Some(exhausted) } else { None }
    }

    /// Describes the error in a sentence, without the place. [`Messages`] has choices.
    pub fn message(&self) -> String {
        self.kind().to_string()
    }
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Messages::default().write_line(f, self)
    }
}

impl fmt::Debug for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ValidationError")
            .field("keyword", &self.keyword())
            .field("instance_path", &self.instance_path())
            .field("schema_path", &self.schema_path())
            .field("evaluation_path", &self.evaluation_path())
            .field("absolute_location", &self.absolute_location())
            .field("kind", self.kind())
            .finish()
    }
}

impl std::error::Error for ValidationError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_can_be_sent() {
        fn is_error<T: std::error::Error + Send + Sync + 'static>() {}
        is_error::<SchemaError>();
        is_error::<ValidationError>();
        is_error::<Exhausted>();
    }

    #[test]
    fn errors_are_one_pointer() {
        assert_eq!(size_of::<SchemaError>(), size_of::<usize>());
        assert_eq!(size_of::<ValidationError>(), size_of::<usize>());
    }
}
