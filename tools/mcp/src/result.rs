//! Results that break their tool's output schema, or the protocol's rules for results.

use crate::call::error_result;
use crate::profile::Words;
use crate::protocol::ProtocolVersion;
use crate::violations::Violations;
use crate::words;
use serde_json::Value;
use std::fmt;

/// A valid result, and what it may still need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Checked {
    /// Whether `content` lacks a text block with the structured content, which the server then adds:
    /// [`content::text_block`](crate::content::text_block).
    pub needs_mirror: bool,
}

/// The error for a refused result.
#[derive(Clone, Debug)]
pub struct ResultError {
    tool: String,
    words: Words,
    kind: ResultErrorKind,
}

/// The reason why a result was refused.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ResultErrorKind {
    /// There is an output schema, no `isError`, and no `structuredContent`. `null` would be one.
    Missing,
    /// The structured content does not conform.
    Content(Violations),
    /// Structured content that is not an object lacks its text mirror, and the profile demands it.
    NoMirror,
    /// The text mirror would be longer than the profile allows.
    TooLarge {
        /// Most bytes of the mirror.
        limit: usize,
    },
    /// Neither the protocol nor an agreed extension has this `resultType`.
    ResultType {
        /// The actual value.
        found: String,
    },
    /// The result is malformed.
    Shape {
        /// The place in the result.
        path: &'static str,
        /// The expected value.
        expected: &'static str,
        /// The actual value.
        found: String,
    },
}

impl ResultError {
    pub(crate) fn new(tool: &str, words: Words, kind: ResultErrorKind) -> ResultError {
        ResultError { tool: tool.to_owned(), words, kind }
    }

    /// Returns the reason.
    pub fn kind(&self) -> &ResultErrorKind {
        &self.kind
    }

    /// Formats the error as a text of bounded length.
    pub fn text(&self) -> String {
        match &self.kind {
            ResultErrorKind::Missing => self.words.missing(&self.tool),
            ResultErrorKind::Content(error) => error.text(),
            ResultErrorKind::NoMirror => {
                "The result's structuredContent is no object, and content has no text block that mirrors it."
                    .to_owned()
            }
            ResultErrorKind::TooLarge { limit } => {
                format!(
                    "The result's structuredContent is too large: its text would have more than {limit} bytes."
                )
            }
            ResultErrorKind::ResultType { found } => {
                format!("The result has an unknown resultType: {found}.")
            }
            ResultErrorKind::Shape { path, expected, found } => {
                format!(
                    "The result is malformed: {}: expected {expected}, found {found}.",
                    words::place(path)
                )
            }
        }
    }

    /// Returns the `CallToolResult` with `isError` that a server sends instead of the refused one.
    pub fn to_result<'v>(&self, version: impl Into<ProtocolVersion<'v>>) -> Value {
        error_result(&self.text(), version.into())
    }
}

impl fmt::Display for ResultError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for ResultError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            ResultErrorKind::Content(error) => Some(error),
            ResultErrorKind::Missing
            | ResultErrorKind::NoMirror
            | ResultErrorKind::TooLarge { .. }
            | ResultErrorKind::ResultType { .. }
            | ResultErrorKind::Shape { .. } => None,
        }
    }
}
