//! [`Violations`]: the errors of a value, and the text that a model gets.

use crate::profile::{InvalidCalls, Told, Words};
use crate::protocol::ProtocolVersion;
use stanchion::{Errors, Exhausted, Messages, Node, ValidationError, Validator};
use std::fmt;

/// Settings for the texts of errors.
#[derive(Clone, Debug)]
pub(crate) struct Wording {
    pub(crate) messages: Messages,
    /// Most characters of a text for a model, without its introduction.
    pub(crate) characters: usize,
    pub(crate) told: Told,
    // The setting of `messages`, for `Profile::to_json`.
    pub(crate) masks_values: bool,
    pub(crate) value_length: usize,
}

impl Default for Wording {
    fn default() -> Wording {
        Wording {
            messages: Messages::new(),
            characters: 2_000,
            told: Told::All,
            masks_values: false,
            value_length: 100,
        }
    }
}

/// The checked value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subject {
    /// The arguments of a call.
    Arguments,
    /// The structured content of a result.
    Content,
    /// The content of a form, in elicitation.
    Form,
}

/// A value that does not conform to its schema, or could not be checked within the limits.
#[derive(Clone, Debug)]
pub struct Violations(Box<Inner>);

#[derive(Clone, Debug)]
struct Inner {
    subject: Subject,
    tool: String,
    errors: Errors,
    wording: Wording,
    words: Words,
    answer: InvalidCalls,
}

impl Violations {
    /// Collects the errors of a value that was not found valid.
    pub(crate) fn of<'a>(
        validator: &Validator,
        subject: Subject,
        wording: &Wording,
        words: Words,
        value: impl Node<'a>,
    ) -> Violations {
        let (errors, wording) = (validator.iter_errors(value), wording.clone());
        let answer = InvalidCalls::default();
        Violations(Box::new(Inner { subject, tool: String::new(), errors, wording, words, answer }))
    }

    /// Sets the tool, and how its invalid calls are answered.
    pub(crate) fn of_tool(mut self, tool: &str, answer: InvalidCalls) -> Violations {
        tool.clone_into(&mut self.0.tool);
        self.0.answer = answer;
        self
    }

    /// Returns what was checked.
    pub fn subject(&self) -> Subject {
        self.0.subject
    }

    /// Returns the errors, the most helpful first.
    pub fn errors(&self) -> &[ValidationError] {
        self.0.errors.as_slice()
    }

    /// Returns the limit that was reached, if the value could not be checked completely.
    pub fn undecided(&self) -> Option<Exhausted> {
        self.errors().first().and_then(ValidationError::exhausted)
    }

    /// Returns how such arguments are answered.
    pub(crate) fn answer(&self) -> InvalidCalls {
        self.0.answer
    }

    /// Formats the errors, one per line and bounded in length, as a text that a model can act on.
    pub fn text(&self) -> String {
        let Inner { subject, tool, errors, wording, words, .. } = &*self.0;
        let introduction = match (self.undecided(), subject) {
            (None, Subject::Arguments) => words.arguments(tool),
            (None, Subject::Content) => words.content(tool),
            (None, Subject::Form) => "The content does not conform to the requested schema:".to_owned(),
            (Some(_), Subject::Arguments) => {
                "The arguments could not be checked against the tool's input schema:".to_owned()
            }
            (Some(_), Subject::Content) => {
                "The structured content could not be checked against the tool's output schema:".to_owned()
            }
            (Some(_), Subject::Form) => {
                "The content could not be checked against the requested schema:".to_owned()
            }
        };
        format!(
            "{introduction}\n{}",
            words.errors(errors, &wording.messages, wording.told, wording.characters)
        )
    }

    /// Returns the `CallToolResult` with `isError` for a client with this protocol version.
    pub fn to_result<'v>(&self, version: impl Into<ProtocolVersion<'v>>) -> serde_json::Value {
        crate::call::error_result(&self.text(), version.into())
    }

    /// Returns the errors as JSON: `[{"instancePath", "schemaPath", "keyword", "message"}]`.
    pub fn to_json(&self) -> serde_json::Value {
        let one = |error: &ValidationError| {
            serde_json::json!({
                "instancePath": error.instance_path(),
                "schemaPath": error.schema_path(),
                "keyword": error.keyword(),
                "message": self.0.wording.messages.message(error),
            })
        };
        self.errors().iter().map(one).collect()
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for Violations {}
