//! What input and output schemas have in common: the schema as it came, and its validator.

use crate::profile::Profile;
use crate::refusal::{Part, Reason, Refusal};
use crate::text;
use crate::violations::{Violations, Wording};
use serde_json::Value;
use stanchion::{Cache, Validator, Verdict};
use std::borrow::Cow;

/// A schema as it came: the value, and the text if there was one.
pub(crate) struct Source {
    value: Value,
    text: Option<String>,
    /// Whether the root's `type` is ours.
    is_stamped: bool,
}

impl Source {
    pub(crate) fn value(value: Value) -> Source {
        Source { value, text: None, is_stamped: false }
    }

    pub(crate) fn text(part: Part, text: &str) -> Result<Source, Refusal> {
        let value = text::parse(text).map_err(|message| Refusal::new(part, Reason::Text { message }))?;
        Ok(Source { value, text: Some(text.to_owned()), is_stamped: false })
    }

    pub(crate) fn root(&self) -> &Value {
        &self.value
    }

    /// Adds `"type": "object"` to a root that has no `type`. The rest of a text stays as it is.
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
        let refused = |reason| Refusal::new(part, reason);
        profile.counting.check(&self.value).map_err(|error| refused(Reason::Bounds(error)))?;
        let validator = match cache {
            Some(cache) => cache.get_or_build(&self.value),
            None => profile.builder().build(&self.value),
        };
        let validator = validator.map_err(|error| refused(Reason::Schema(error)))?;
        let Source { value, text, is_stamped } = self;
        let text = text.map(String::into_boxed_str);
        Ok(Compiled { value, text, is_stamped, validator, wording: profile.wording.clone() })
    }
}

/// A schema with its validator.
pub(crate) struct Compiled {
    pub(crate) value: Value,
    text: Option<Box<str>>,
    is_stamped: bool,
    pub(crate) validator: Validator,
    wording: Wording,
}

impl Compiled {
    pub(crate) fn text(&self) -> Cow<'_, str> {
        match &self.text {
            Some(text) => Cow::Borrowed(text),
            None => Cow::Owned(self.value.to_string()),
        }
    }

    /// Whether a value is valid. This is the hot path: errors are only looked for when there are some.
    pub(crate) fn check(&self, value: &Value) -> Result<(), Box<Violations>> {
        match self.validator.verdict(value) {
            Verdict::Valid => Ok(()),
            Verdict::Invalid | Verdict::Undecided(_) => {
                Err(Box::new(Violations::of(&self.validator, &self.wording, value)))
            }
        }
    }

    /// Whether this was made of that very schema.
    pub(crate) fn is_of(&self, given: &Value) -> bool {
        match (&self.value, given) {
            (Value::Object(kept), Value::Object(given)) if self.is_stamped => {
                let is_kept = |(name, value): (&String, &Value)| kept.get(name) == Some(value);
                !given.contains_key("type") && given.len() + 1 == kept.len() && given.iter().all(is_kept)
            }
            (kept, given) => kept == given,
        }
    }
}
