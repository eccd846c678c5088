//! Results that break their tool's output schema.

use crate::call::error_result;
use crate::violations::Violations;
use serde_json::Value;
use stanchion::{Exhausted, ValidationError};
use std::fmt;

/// What a result that passed may still need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// Whether `content` lacks a text block with the structured content, which the server then adds:
    /// [`content::text_block`](crate::content::text_block).
    pub needs_mirror: bool,
}

/// Why a result was refused.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ResultError {
    /// There is an output schema, no `isError`, and no `structuredContent`. `null` would be one.
    Missing,
    /// The structured content does not conform.
    Content(InvalidContent),
    /// Structured content that is no object lacks its text mirror, and the profile demands it.
    NoMirror,
}

impl ResultError {
    /// What is wrong, in a text that is bounded in length.
    pub fn text(&self) -> String {
        match self {
            ResultError::Missing => {
                "The tool has an output schema, but its result has no structuredContent.".to_owned()
            }
            ResultError::Content(error) => error.text(),
            ResultError::NoMirror => {
                "The result's structuredContent is no object, and content has no text block that mirrors it."
                    .to_owned()
            }
        }
    }

    /// The `CallToolResult` with `isError` that a server sends in place of the one that was refused.
    pub fn to_result(&self, version: &str) -> Value {
        error_result(&self.text(), version)
    }
}

impl fmt::Display for ResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for ResultError {}

impl From<InvalidContent> for ResultError {
    fn from(error: InvalidContent) -> ResultError {
        ResultError::Content(error)
    }
}

/// Structured content that does not conform to the output schema, or could not be checked within the limits.
#[derive(Clone, Debug)]
pub struct InvalidContent(pub(crate) Box<Violations>);

impl InvalidContent {
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
            None => "The structured content does not conform to the tool's output schema:",
            Some(_) => "The structured content could not be checked against the tool's output schema:",
        })
    }
}

impl fmt::Display for InvalidContent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for InvalidContent {}
