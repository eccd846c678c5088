//! Common parts of input and output schemas: the source, and its validator.

use crate::profile::{Profile, Words};
use crate::refusal::{Part, Reason, Refusal};
use crate::text;
use crate::violations::{Subject, Violations, Wording};
use serde_json::Value;
use stanchion::{Cache, Dialect, Node, Reader, TextError, Validator, Verdict};
use std::borrow::Cow;

/// A schema as it was given: the value, and the text if there was one.
pub(crate) struct Source {
    value: Value,
    text: Option<String>,
    /// Whether we supplied the root's `type`.
    is_stamped: bool,
}

impl Source {
    pub(crate) fn value(value: Value) -> Source {
        Source { value, text: None, is_stamped: false }
    }

    /// Takes a schema that was parsed before, with its text.
    pub(crate) fn read(value: Value, text: Option<&str>) -> Source {
        Source { value, text: text.map(str::to_owned), is_stamped: false }
    }

    pub(crate) fn text(part: Part, text: &str) -> Result<Source, Refusal> {
        let value = text::parse(text).map_err(|message| Refusal::new(part, Reason::Text { message }))?;
        Ok(Source::read(value, Some(text)))
    }

    pub(crate) fn root(&self) -> &Value {
        &self.value
    }

    /// Adds `"type": "object"` to a root without `type`. The rest of a text is unchanged.
    pub(crate) fn default_to_object(&mut self) {
        let Value::Object(members) = &mut self.value else { return };
        let separator = if members.is_empty() { "" } else { "," };
        members.insert("type".to_owned(), "object".into());
        self.is_stamped = true;
        if let Some(text) = &mut self.text
            && let Some(open) = text.find('{')
        {
            text.insert_str(open + 1, &format!("\"type\":\"object\"{separator}"));
        }
    }

    /// Checks the bounds and compiles.
    pub(crate) fn compile(
        self,
        part: Part,
        profile: &Profile,
        cache: Option<&Cache>,
    ) -> Result<Compiled, Refusal> {
        let validator = compile(part, profile, cache, &self.value)?;
        let Source { value, text, is_stamped } = self;
        let (text, dialect) = (text.map(String::into_boxed_str), profile.dialect_of(&value));
        let (wording, words) = (profile.wording.clone(), profile.words);
        Ok(Compiled { value, text, is_stamped, validator, dialect, wording, words })
    }
}

/// Checks the bounds of a schema and compiles it.
pub(crate) fn compile(
    part: Part,
    profile: &Profile,
    cache: Option<&Cache>,
    schema: &Value,
) -> Result<Validator, Refusal> {
    let refused = |reason| Refusal::new(part, reason).in_words(profile.words);
    if let Some(dialect) = profile.refused_dialect(schema) {
        return Err(refused(Reason::Dialect { dialect }));
    }
    profile.counting.check(schema).map_err(|error| refused(Reason::Bounds(error)))?;
    let mut schema = Cow::Borrowed(schema);
    if profile.ignores_dialect && schema.get("$schema").is_some() {
        schema.to_mut().as_object_mut().map(|members| members.remove("$schema"));
    }
    let validator = match cache {
        Some(cache) => cache.get_or_build(&schema),
        None => profile.builder().build(&schema),
    };
    validator.map_err(|error| refused(Reason::Schema(error)))
}

/// Whether two values are equal, the order of members included.
pub(crate) fn is_identical(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| is_identical(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| left.0 == right.0 && is_identical(left.1, right.1))
        }
        (left, right) => left == right,
    }
}

/// A schema with its validator.
pub(crate) struct Compiled {
    pub(crate) value: Value,
    text: Option<Box<str>>,
    is_stamped: bool,
    pub(crate) validator: Validator,
    pub(crate) dialect: Dialect,
    wording: Wording,
    words: Words,
}

impl Compiled {
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match &self.text {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(self.value.to_string()),
        }
    }

    /// Whether the schema came as text.
    pub(crate) fn has_text(&self) -> bool {
        self.text.is_some()
    }

    /// Whether the root's `type` was supplied.
    pub(crate) fn is_stamped(&self) -> bool {
        self.is_stamped
    }

    /// Checks whether a value is valid. This is the hot path: errors are computed only for invalid
    /// values.
    pub(crate) fn check<'a>(&self, subject: Subject, value: impl Node<'a>) -> Result<(), Violations> {
        match self.validator.verdict(value) {
            Verdict::Valid => Ok(()),
            Verdict::Invalid | Verdict::Undecided(_) => {
                Err(Violations::of(&self.validator, subject, &self.wording, self.words, value))
            }
        }
    }

    /// Checks whether a value is valid, and returns how many steps that took.
    pub(crate) fn measure<'a>(
        &self,
        subject: Subject,
        value: impl Node<'a>,
    ) -> (u64, Result<(), Violations>) {
        let measured = self.validator.measure(value);
        let result = match measured.verdict {
            Verdict::Valid => Ok(()),
            Verdict::Invalid | Verdict::Undecided(_) => {
                Err(Violations::of(&self.validator, subject, &self.wording, self.words, value))
            }
        };
        (measured.steps, result)
    }

    /// Checks whether a value given as text is valid. All digits of numbers count.
    pub(crate) fn check_text(
        &self,
        subject: Subject,
        text: &str,
    ) -> Result<Result<(), Violations>, TextError> {
        let mut reader = Reader::new();
        let instance = reader.parse_str(text)?;
        Ok(self.check(subject, instance.root()))
    }

    /// Whether this was made from exactly this schema.
    pub(crate) fn is_of(&self, given: &Value, text: Option<&str>) -> bool {
        if self.text.is_some() != text.is_some() {
            return false;
        }
        if let (Some(kept), Some(text), false) = (&self.text, text, self.is_stamped) {
            return **kept == *text;
        }
        match (&self.value, given) {
            (Value::Object(kept), Value::Object(given)) if self.is_stamped => {
                let is_kept = |(name, value): (&String, &Value)| kept.get(name) == Some(value);
                text.is_none()
                    && !given.contains_key("type")
                    && given.len() + 1 == kept.len()
                    && given.iter().all(is_kept)
            }
            (kept, given) => is_identical(kept, given),
        }
    }
}
