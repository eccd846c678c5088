//! What is read: files, and standard input under the name `-`.

use std::fs;
use std::io::{self, Read};

use serde_json::Value;

/// The name that stands for standard input.
pub(crate) const STDIN: &str = "-";

/// A document that was read whole: its name for messages, its text for pictures, its value.
pub(crate) struct Document {
    pub(crate) name: String,
    #[allow(dead_code, reason = "for pictures of errors, which are on their way")]
    pub(crate) text: String,
    pub(crate) value: Value,
}

/// Standard input ends once: at most one of the files may be `-`.
pub(crate) fn read_once<'f>(files: impl IntoIterator<Item = &'f str>) -> Result<(), String> {
    match files.into_iter().filter(|file| *file == STDIN).count() {
        0 | 1 => Ok(()),
        _ => Err("standard input (`-`) can be read only once".to_owned()),
    }
}

/// Reads a file, or standard input.
pub(crate) fn read(file: &str) -> Result<Vec<u8>, String> {
    let read = if file == STDIN {
        let mut text = Vec::new();
        io::stdin().read_to_end(&mut text).map(|_| text)
    } else {
        fs::read(file)
    };
    read.map_err(|error| format!("{file}: {error}"))
}

/// Reads a file of JSON; the error has the line and the column.
pub(crate) fn read_json(file: &str) -> Result<Document, String> {
    let text = read(file)?;
    let value = serde_json::from_slice(&text).map_err(|error| format!("{file}: {error}"))?;
    // What serde_json takes is UTF-8.
    let text = String::from_utf8(text).map_err(|error| format!("{file}: {error}"))?;
    Ok(Document { name: file.to_owned(), text, value })
}
