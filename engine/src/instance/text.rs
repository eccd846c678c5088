//! JSON text, read into reusable buffers.
//!
//! A text is read onto a [`tape`](super::tape). A text that is not JSON is read again by
//! serde_json, whose errors have a line and a column. The verdict is that of the
//! `serde_json::Value` of the text, if that has all digits of its numbers.

use super::tape::{self, Instance};
use serde_json::Value;
use std::fmt;

/// Most bytes of a text by default.
const TEXT_BYTES: usize = 1 << 30;

/// The error for a text that is not JSON, nests deeper than 127 arrays and objects, or is too long.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    message: Box<str>,
    line: usize,
    column: usize,
}

impl TextError {
    /// Returns the line of the error, from 1.
    pub fn line(&self) -> usize {
        self.line
    }

    /// Returns the column of the error, from 1.
    pub fn column(&self) -> usize {
        self.column
    }

    /// Finds the error in a text that was refused.
    #[cold]
    fn of(text: &[u8]) -> TextError {
        match serde_json::from_slice::<Value>(text) {
            Err(error) => {
                let (line, column) = (error.line(), error.column());
                let message = error.to_string();
                let place = format!(" at line {line} column {column}");
                TextError { message: message.strip_suffix(&place).unwrap_or(&message).into(), line, column }
            }
            // A bug, if this is ever seen.
            Ok(_) => TextError { message: "the text was not understood".into(), line: 1, column: 1 },
        }
    }

    /// Makes the error for a text that is too long. Its place is the first byte beyond the limit.
    #[cold]
    fn too_long(text: &[u8], limit: usize) -> TextError {
        let before = text.get(..limit).unwrap_or(text);
        let line = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        TextError {
            message: format!("the text has more than {limit} bytes (Reader::text_bytes)").into(),
            line: 1 + before.iter().filter(|&&byte| byte == b'\n').count(),
            column: 1 + line.len(),
        }
    }

    /// Moves the error to a line of a larger text.
    pub(crate) fn in_line(self, line: usize) -> TextError {
        TextError { line: line + self.line - 1, ..self }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at line {} column {}", self.message, self.line, self.column)
    }
}

impl std::error::Error for TextError {}

/// Reads JSON text, with buffers that are reused for the next text.
///
/// ```
/// use stanchion::{Reader, Validator, Verdict};
/// let validator = Validator::new(&serde_json::json!({"type": "integer"}))?;
/// let mut reader = Reader::new();
/// assert_eq!(validator.verdict_json_with(&mut reader, b"42")?, Verdict::Valid);
/// assert_eq!(validator.verdict_json_with(&mut reader, b"[]")?, Verdict::Invalid);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Buffers take about four times the longest text that was read, up to fifteen times if that is
/// mostly commas and digits, and up to thirty if it is mostly short strings with escapes, all of
/// which were decoded.
pub struct Reader {
    buffers: tape::Buffers,
    text_bytes: usize,
}

impl Default for Reader {
    fn default() -> Reader {
        Reader { buffers: tape::Buffers::default(), text_bytes: TEXT_BYTES }
    }
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").field("text_bytes", &self.text_bytes).finish_non_exhaustive()
    }
}

impl Reader {
    /// Makes a reader without buffers: they grow with the first text.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// Sets how long a text may be, in bytes. Default: 1 GiB; always less than 4 GiB. In a text of
    /// many lines, this applies to each line.
    ///
    /// ```
    /// use stanchion::Reader;
    /// let mut reader = Reader::new().text_bytes(5);
    /// assert!(reader.parse(b"[1,2]").is_ok());
    /// let error = reader.parse(b"[1, 2]").unwrap_err();
    /// assert_eq!(error.to_string(), "the text has more than 5 bytes (Reader::text_bytes) at line 1 column 6");
    /// ```
    #[must_use]
    pub fn text_bytes(mut self, bytes: usize) -> Reader {
        self.text_bytes = bytes.min(u32::MAX as usize);
        self
    }

    /// Reads a text once, for any number of validators.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion::{Reader, Validator};
    ///
    /// let old = Validator::new(&json!({"required": ["city"]}))?;
    /// let new = Validator::new(&json!({"required": ["city", "days"], "properties": {"days": {"minimum": 1}}}))?;
    ///
    /// let mut reader = Reader::new();
    /// let instance = reader.parse(br#"{"city": "Turin", "days": 0}"#)?;
    /// assert!(old.is_valid(instance.root()));
    /// let error = new.validate(instance.root()).unwrap_err();
    /// assert_eq!(error.to_string(), "/days: 0 is less than the minimum 1");
    ///
    /// let error = reader.parse(br#"{"city": Turin}"#).unwrap_err();
    /// assert_eq!((error.line(), error.column()), (1, 10));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn parse<'r>(&'r mut self, text: &'r [u8]) -> Result<Instance<'r>, TextError> {
        if text.len() <= self.text_bytes
            && let Ok(text) = simdutf8::basic::from_utf8(text)
        {
            return self.parse_str(text);
        }
        Err(self.refuse(text))
    }

    /// Reads a `str` like [`Reader::parse`], without checking that it is UTF-8.
    #[inline]
    pub fn parse_str<'r>(&'r mut self, text: &'r str) -> Result<Instance<'r>, TextError> {
        // The caller assembles the instance. One that is returned through memory is copied, and
        // reading it waits for the copy.
        match self.read(text) {
            Some(length) => Ok(self.buffers.instance(text, length)),
            None => Err(self.refuse(text.as_bytes())),
        }
    }

    /// Reads a text into the buffers. Returns how long its tape is.
    #[inline]
    fn read(&mut self, text: &str) -> Option<usize> {
        if text.len() > self.text_bytes { None } else { tape::fill(text, &mut self.buffers) }
    }

    /// Finds the error in a text that could not be read.
    #[cold]
    fn refuse(&self, text: &[u8]) -> TextError {
        if text.len() > self.text_bytes {
            TextError::too_long(text, self.text_bytes)
        } else {
            TextError::of(text)
        }
    }
}

/// The lines of a text that are not blank, with their numbers.
pub(crate) struct Lines<'t> {
    rest: &'t [u8],
    number: usize,
}

impl<'t> Lines<'t> {
    pub(crate) fn new(text: &'t [u8]) -> Lines<'t> {
        Lines { rest: text, number: 0 }
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = (usize, &'t [u8]);

    fn next(&mut self) -> Option<(usize, &'t [u8])> {
        while !self.rest.is_empty() {
            let (line, rest) = self.rest.split_at(tape::end_of_line(self.rest));
            self.rest = rest.get(1..).unwrap_or_default();
            self.number += 1;
            // JSON treats a carriage return as white space.
            if !line.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')) {
                return Some((self.number, line));
            }
        }
        None
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

    #[test]
    fn lines_are_counted_and_blank_ones_skipped() {
        let lines = |text: &'static str| {
            let lines = Lines::new(text.as_bytes());
            lines.map(|(number, line)| (number, std::str::from_utf8(line).unwrap())).collect::<Vec<_>>()
        };
        assert_eq!(lines(""), []);
        assert_eq!(lines("\n\r\n \t\n"), []);
        assert_eq!(lines("1"), [(1, "1")]);
        assert_eq!(lines("1\r\n\n {}\n3\n"), [(1, "1\r"), (3, " {}"), (4, "3")]);
    }
}
