//! How errors are put into words: with or without the values of the instance, how much of them, and by whom.

use super::text::{KEPT, masked, shortened, shown_place};
use super::words::write_kind;
use super::{ErrorKind, ValidationError};
use std::borrow::Cow;
use std::fmt::{self, Write};
use std::sync::Arc;

/// Most lines are no longer.
const LINE: usize = 160;

/// Words of the caller's own; none for the usual ones.
type Words = dyn Fn(&ErrorKind) -> Option<String> + Send + Sync;

/// How errors are put into words.
///
/// ```
/// use serde_json::json;
/// use stanchion::{ErrorKind, Messages, Validator};
///
/// let validator = Validator::new(&json!({
///     "properties": {"pin": {"maxLength": 4}},
///     "required": ["user"]
/// }))?;
/// let errors = validator.iter_errors(&json!({"pin": "12345"}));
///
/// // Values may be secrets.
/// let masked = Messages::new().mask_values(true);
/// let lines: Vec<String> = errors.as_slice().iter().map(|error| masked.line(error)).collect();
/// assert_eq!(lines, [
///     "/: missing required property \"user\"",
///     "/pin: a string has 5 characters, more than the maximum 4",
/// ]);
///
/// // Another language, for what it has words for.
/// let german = Messages::new().words(|kind| match kind {
///     ErrorKind::Required { missing, .. } => Some(format!("es fehlt: {}", missing.join(", "))),
///     _ => None,
/// });
/// assert_eq!(german.line(&errors.as_slice()[0]), "/: es fehlt: user");
/// # Ok::<(), stanchion::SchemaError>(())
/// ```
#[derive(Clone)]
pub struct Messages {
    is_masked: bool,
    value_length: usize,
    words: Option<Arc<Words>>,
}

impl Default for Messages {
    fn default() -> Messages {
        Messages { is_masked: false, value_length: KEPT, words: None }
    }
}

impl Messages {
    /// As [`ValidationError::message`] has them.
    pub fn new() -> Messages {
        Messages::default()
    }

    /// Whether values of the instance are left out: «a string» in the place of a text. Names of properties are shown, here and in
    /// places; so are the values of the schema.
    #[must_use]
    pub fn mask_values(mut self, mask: bool) -> Messages {
        self.is_masked = mask;
        self
    }

    /// How many characters of a value are shown: 100, and no more than that.
    #[must_use]
    pub fn value_length(mut self, characters: usize) -> Messages {
        self.value_length = characters.min(KEPT);
        self
    }

    /// Words of the caller's own: from the facts to a sentence without the place. Where the function has none, the usual
    /// ones are taken. Its facts are masked and cut as these messages say.
    #[must_use]
    pub fn words(mut self, words: impl Fn(&ErrorKind) -> Option<String> + Send + Sync + 'static) -> Messages {
        self.words = Some(Arc::new(words));
        self
    }

    /// Describes an error in a sentence, without the place.
    pub fn message(&self, error: &ValidationError) -> String {
        let mut text = String::new();
        // Writing to a text cannot fail.
        let _ = self.write_message(&mut text, error);
        text
    }

    /// The place and the message, in one line.
    pub fn line(&self, error: &ValidationError) -> String {
        let mut text = String::with_capacity(LINE);
        let _ = self.write_line(&mut text, error);
        text
    }

    pub(super) fn write_message(&self, f: &mut dyn Write, error: &ValidationError) -> fmt::Result {
        let kind = self.shown(error.kind());
        match self.words.as_ref().and_then(|words| words(&kind)) {
            Some(own) => f.write_str(&own),
            None => write_kind(f, &kind, self),
        }
    }

    pub(super) fn write_line(&self, f: &mut dyn Write, error: &ValidationError) -> fmt::Result {
        if error.exhausted().is_none() {
            write!(f, "{}: ", shown_place(error.instance_path()))?;
        }
        self.write_message(f, error)
    }

    /// The facts as they may be shown.
    pub(crate) fn shown<'k>(&self, kind: &'k ErrorKind) -> Cow<'k, ErrorKind> {
        if self.is_masked {
            Cow::Owned(kind.with_values(&|value| masked(value).to_owned()))
        } else if self.value_length < KEPT {
            Cow::Owned(kind.with_values(&|value| shortened(value, self.value_length)))
        } else {
            Cow::Borrowed(kind)
        }
    }
}

impl fmt::Debug for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Messages")
            .field("is_masked", &self.is_masked)
            .field("value_length", &self.value_length)
            .finish_non_exhaustive()
    }
}
