//! Why a schema was refused ([`SchemaError`]), and why an instance was ([`ValidationError`]).
//!
//! Both are opaque: methods give the place and the facts, `Display` gives one line that starts with
//! the place. A new keyword or a new limit is no breaking change.
//!
//! A validation error is the way to an instruction that failed, or inside a union a place in the tree of that, which it shares with others.
//! Its facts, and what the other branches of a union said, are read from there when someone asks.

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

pub(crate) use errors::Found;
pub(crate) use kind::value_bytes;

use crate::limits::Exhausted;
use crate::report::{Chain, Findings, Place};
use stanchion_vocab::Type;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};
use text::{Push, ShortText};

/// An instance was refused: the keyword, the place in the instance and in the schema, and the facts.
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
    paths: Paths,
    /// The other paths, which fewer ask for.
    place: OnceLock<Box<Place>>,
    /// The facts, put together.
    kind: OnceLock<Box<ErrorKind>>,
}

/// The place in the instance, and behind it the name of a member that is not known.
#[derive(Clone, Debug)]
pub(crate) struct Paths {
    pub(crate) text: ShortText,
    /// Where the name starts.
    pub(crate) rest: usize,
}

impl Paths {
    #[inline]
    fn new() -> Paths {
        Paths { text: ShortText::new(), rest: 0 }
    }

    pub(crate) fn instance(&self) -> &str {
        &self.text[..self.rest]
    }

    /// The last step of the place in the instance.
    pub(crate) fn last_step(&self) -> &str {
        self.instance().rsplit('/').next().unwrap_or_default()
    }

    pub(crate) fn rest(&self) -> &str {
        &self.text[self.rest..]
    }
}

/// Where an error comes from.
#[derive(Clone)]
enum Source {
    Exhausted,
    Unit {
        findings: Arc<Findings>,
        /// A failed instruction, or for `propertyNames` the block that refused a name.
        unit: u32,
    },
    /// An instruction that failed, of which no more than the way to it was kept.
    Chain(Chain),
}

impl ValidationError {
    pub(crate) fn exhaustion(exhausted: Exhausted) -> ValidationError {
        let kind = OnceLock::from(Box::new(ErrorKind::Exhausted(exhausted)));
        let (paths, place) = (Paths::new(), OnceLock::new());
        ValidationError(Box::new(Fault { source: Source::Exhausted, paths, place, kind }))
    }

    /// The error of a unit, with other facts than the unit's own where these are given.
    pub(crate) fn of(findings: &Arc<Findings>, unit: u32, kind: Option<ErrorKind>) -> ValidationError {
        ValidationError::at(findings, unit, findings.way_to(unit as usize).paths(), kind)
    }

    /// The same, of which the place is known.
    pub(crate) fn at(
        findings: &Arc<Findings>,
        unit: u32,
        paths: Paths,
        kind: Option<ErrorKind>,
    ) -> ValidationError {
        let source = Source::Unit { findings: Arc::clone(findings), unit };
        let kind = kind.map_or_else(OnceLock::new, |kind| OnceLock::from(Box::new(kind)));
        ValidationError(Box::new(Fault { source, paths, place: OnceLock::new(), kind }))
    }

    /// The error at the end of a chain, without its paths.
    #[inline]
    pub(crate) fn of_chain(chain: Chain) -> ValidationError {
        let (place, kind) = (OnceLock::new(), OnceLock::new());
        // Not on the stack first: it is large.
        let fault = Box::new_uninit();
        ValidationError(Box::write(
            fault,
            Fault { source: Source::Chain(chain), paths: Paths::new(), place, kind },
        ))
    }

    /// The chain that it is at the end of, and its paths.
    #[inline]
    pub(crate) fn chain_mut(&mut self) -> Option<(&mut Chain, &mut Paths)> {
        let Fault { source: Source::Chain(chain), paths, .. } = &mut *self.0 else { return None };
        Some((chain, paths))
    }

    /// How long its paths are, with the name of a member that is not known.
    #[inline]
    pub(crate) fn path_bytes(&self) -> usize {
        self.0.paths.text.len()
    }

    /// What it is read from, and its unit in that.
    fn found(&self) -> Option<(&Arc<Findings>, u32)> {
        match &self.0.source {
            Source::Exhausted => None,
            Source::Unit { findings, unit } => Some((findings, *unit)),
            Source::Chain(chain) => Some(chain.tree(&self.0.paths)),
        }
    }

    /// The same place with other facts.
    pub(crate) fn with_kind(&self, kind: ErrorKind) -> ValidationError {
        let Fault { source, paths, .. } = &*self.0;
        let (source, paths, place) = (source.clone(), paths.clone(), OnceLock::new());
        ValidationError(Box::new(Fault { source, paths, place, kind: OnceLock::from(Box::new(kind)) }))
    }

    fn place(&self) -> &Place {
        self.0.place.get_or_init(|| match self.found() {
            None => Box::default(),
            Some((findings, unit)) => Box::new(findings.place(unit as usize)),
        })
    }

    /// The keyword that was not satisfied. Where a `false` refused, the keyword that applied it;
    /// empty at the root.
    pub fn keyword(&self) -> &str {
        self.found().map_or("", |(findings, unit)| findings.keyword(unit as usize))
    }

    /// The place in the instance, as a JSON Pointer. A property that is unknown or missing, or whose name is refused, is
    /// a fault of its object.
    pub fn instance_path(&self) -> &str {
        self.0.paths.instance()
    }

    /// The keyword's place in its own document, as a JSON Pointer.
    pub fn schema_path(&self) -> &str {
        if let Source::Chain(chain) = &self.0.source
            && let Some(kept) = chain.kept_pointer()
        {
            return kept;
        }
        self.find_schema_path()
    }

    /// The same, where nobody has asked before.
    #[inline(never)]
    fn find_schema_path(&self) -> &str {
        let kept = match &self.0.source {
            Source::Exhausted => None,
            Source::Unit { findings, unit } => findings.keyword_pointer(*unit as usize),
            Source::Chain(chain) => chain.keyword_pointer(),
        };
        kept.unwrap_or_else(|| &self.place().schema_path)
    }

    /// The way to the keyword from the root of the schema, through references, as a JSON Pointer.
    pub fn evaluation_path(&self) -> &str {
        &self.place().evaluation_path
    }

    /// The keyword's place as a URI: that of its resource, and a pointer within it.
    pub fn absolute_location(&self) -> &str {
        &self.place().absolute_location
    }

    /// What is wrong, with the facts.
    pub fn kind(&self) -> &ErrorKind {
        self.0.kind.get_or_init(|| Box::new(self.find_kind()))
    }

    fn find_kind(&self) -> ErrorKind {
        match &self.0.source {
            Source::Exhausted => ErrorKind::Not,
            Source::Unit { findings, unit } => findings.kind(*unit),
            Source::Chain(chain) => chain.kind(&self.0.paths),
        }
    }

    /// What is wrong, for who asks once: it is kept only where someone wants to.
    pub(crate) fn kind_once(&self) -> Cow<'_, ErrorKind> {
        match self.0.kind.get() {
            Some(kind) => Cow::Borrowed(kind),
            None => Cow::Owned(self.find_kind()),
        }
    }

    /// The innermost union that this error is in, if it is one of a branch: an error of the kind [`ErrorKind::AnyOf`] or
    /// [`ErrorKind::OneOf`], with what all branches said. Those that a discriminator rules out say just that. What
    /// [`Validator::validate`](crate::Validator::validate) gives may know its own branch alone.
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
        let (findings, unit) = self.found()?;
        findings.union_around(unit).map(|union| ValidationError::of(findings, union, None))
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
        let (findings, unit) = self.found()?;
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
        if helps { findings.sketch(unit as usize, max_chars) } else { None }
    }

    /// Appends the place, before the message of a line.
    #[inline(always)]
    pub(crate) fn push_place(&self, text: &mut ShortText) {
        if self.is_exhaustion() {
            return;
        }
        match self.instance_path() {
            "" => text.push_str("/"),
            path => text::push_in_one_line(text, path),
        }
        text.push_str(": ");
    }

    /// Whether the run ended before it had a verdict.
    pub(crate) fn is_exhaustion(&self) -> bool {
        matches!(self.0.source, Source::Exhausted)
    }

    /// What ran out, if the run ended before it had a verdict.
    pub fn exhausted(&self) -> Option<Exhausted> {
        if let Some(ErrorKind::Exhausted(exhausted)) = self.0.kind.get().map(Box::as_ref) {
            Some(*exhausted)
        } else {
            None
        }
    }

    /// What is wrong, in a sentence without the place. [`Messages`] has choices.
    pub fn message(&self) -> String {
        let mut text = ShortText::new();
        self.push_message(&mut text);
        text.into_string()
    }

    /// Appends the message.
    #[inline(always)]
    pub(crate) fn push_message(&self, text: &mut ShortText) {
        let is_put = match (&self.0.source, self.0.kind.get()) {
            (Source::Exhausted, _) | (_, Some(_)) => false,
            (Source::Unit { findings, unit }, None) => findings.put_sentence(text, *unit as usize),
            (Source::Chain(chain), None) => chain.put_sentence(text, &self.0.paths),
        };
        if !is_put {
            self.put_facts(text);
        }
    }

    /// Appends the message, by way of all facts.
    #[inline(never)]
    fn put_facts(&self, text: &mut ShortText) {
        words::put(text, &self.kind_once(), &Messages::default());
    }
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = ShortText::new();
        self.push_place(&mut text);
        self.push_message(&mut text);
        f.write_str(&text)
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

/// A place as messages show it: in one line, and `/` for the root.
#[inline]
pub(crate) fn shown_place(path: &str) -> Cow<'_, str> {
    match path {
        "" => Cow::Borrowed("/"),
        _ if text::is_printable(path) => Cow::Borrowed(path),
        _ => Cow::Owned(text::in_one_line(path)),
    }
}

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
