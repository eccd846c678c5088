//! JSON text, read into buffers that are used again.
//!
//! A text is read onto a [`tape`](super::tape), in one pass. What is not JSON is read again by serde_json, whose
//! errors have a line and a column. The verdict is that of the `serde_json::Value` of the text.

use super::tape::{self, Instance};
use serde_json::Value;
use std::fmt;

/// A text that is not JSON, is nested deeper than 127 arrays and objects, or is too long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    message: Box<str>,
    line: usize,
    column: usize,
}

impl TextError {
    /// The line of the error, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The column of the error, from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// What is wrong with a text that was refused.
    #[cold]
    fn of(text: &[u8]) -> TextError {
        match serde_json::from_slice::<Value>(text) {
            Err(error) => {
                let (line, column) = (error.line(), error.column());
                let message = error.to_string();
                let place = format!(" at line {line} column {column}");
                TextError { message: message.strip_suffix(&place).unwrap_or(&message).into(), line, column }
            }
            // It is an error of ours if this is ever seen.
            Ok(_) => TextError { message: "the text was not understood".into(), line: 1, column: 1 },
        }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at line {} column {}", self.message, self.line, self.column)
    }
}

impl std::error::Error for TextError {}

/// Buffers for reading JSON text, kept from one document to the next.
///
/// ```
/// use stanchion::{Reader, Validator, Verdict};
/// let validator = Validator::new(&serde_json::json!({"type": "integer"}))?;
/// let mut reader = Reader::new();
/// assert_eq!(validator.verdict_json_with(&mut reader, b"42")?, Verdict::Valid);
/// assert_eq!(validator.verdict_json_with(&mut reader, b"[]")?, Verdict::Invalid);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Reader {
    buffers: tape::Buffers,
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}

impl Reader {
    /// No buffers yet: they grow with the first document.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// Reads a text once, for any number of validators.
    #[inline]
    pub fn parse<'r>(&'r mut self, text: &'r [u8]) -> Result<Instance<'r>, TextError> {
        let read = simdutf8::basic::from_utf8(text).ok().and_then(|text| Some((text, tape::fill(text, &mut self.buffers)?)));
        let Some((text, length)) = read else { return Err(TextError::of(text)) };
        let tape::Buffers { entries, decoded, numbers, .. } = &self.buffers;
        Ok(Instance { text, decoded, entries: entries.get(..length).unwrap_or_default(), numbers })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::conformance::{self, render};

    #[test]
    fn conforms() {
        conformance::check(|text| render(Reader::new().parse(text.as_bytes()).unwrap().root()));
    }
}
