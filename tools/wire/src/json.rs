//! Writing JSON text, and reading values that may be nested deeper than serde_json takes by itself.

use serde_json::{Deserializer, Value};
use stanchion_vocab::nesting;
use std::fmt::{self, Write};

/// How deep arrays and objects may be nested in a schema or in options. A level of a schema is up to two of them.
const DEPTH: usize = 256;

/// JSON text that grows. Commas are set by what stands before.
#[derive(Debug, Default)]
pub(crate) struct JsonText {
    text: String,
}

impl JsonText {
    pub(crate) fn new() -> JsonText {
        JsonText { text: String::with_capacity(256) }
    }

    /// How long the text is.
    pub(crate) fn len(&self) -> usize {
        self.text.len()
    }

    fn comma(&mut self) {
        if !matches!(self.text.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.text.push(',');
        }
    }

    /// Writes an object; `members` writes what is in it.
    pub(crate) fn object(&mut self, members: impl FnOnce(&mut JsonText)) {
        self.comma();
        self.text.push('{');
        members(self);
        self.text.push('}');
    }

    /// Writes an array; `items` writes what is in it.
    pub(crate) fn array(&mut self, items: impl FnOnce(&mut JsonText)) {
        self.comma();
        self.text.push('[');
        items(self);
        self.text.push(']');
    }

    /// Writes the name of a member. Its value comes next.
    pub(crate) fn name(&mut self, name: &str) -> &mut JsonText {
        self.string(name);
        self.text.push(':');
        self
    }

    pub(crate) fn string(&mut self, text: &str) {
        self.comma();
        self.text.push('"');
        push_escaped(&mut self.text, text);
        self.text.push('"');
    }

    pub(crate) fn bool(&mut self, value: bool) {
        self.raw(if value { "true" } else { "false" });
    }

    pub(crate) fn number(&mut self, value: u64) {
        self.comma();
        self.display(&value);
    }

    /// Writes text that is JSON already.
    pub(crate) fn raw(&mut self, json: &str) {
        self.comma();
        self.text.push_str(json);
    }

    pub(crate) fn value(&mut self, value: &Value) {
        self.comma();
        self.display(value);
    }

    /// Writes a string, or `null` if there is none.
    pub(crate) fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.string(text),
            None => self.raw("null"),
        }
    }

    pub(crate) fn strings<'s>(&mut self, texts: impl IntoIterator<Item = &'s str>) {
        self.array(|json| texts.into_iter().for_each(|text| json.string(text)));
    }

    fn display(&mut self, value: &dyn fmt::Display) {
        // Writing into a string does not fail.
        let _ = write!(self.text, "{value}");
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.text.into_bytes()
    }
}

/// Appends a text with the escapes that JSON demands.
fn push_escaped(out: &mut String, text: &str) {
    let mut start = 0;
    for (at, byte) in text.bytes().enumerate() {
        let short = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..=0x1f => "",
            _ => continue,
        };
        out.push_str(&text[start..at]);
        start = at + 1;
        if short.is_empty() {
            const DIGITS: &[u8; 16] = b"0123456789abcdef";
            out.push_str("\\u00");
            out.push(char::from(DIGITS[usize::from(byte >> 4)]));
            out.push(char::from(DIGITS[usize::from(byte & 15)]));
        } else {
            out.push_str(short);
        }
    }
    out.push_str(&text[start..]);
}

/// Why a text was not read, and where.
#[derive(Debug)]
pub(crate) struct NotJson {
    pub(crate) message: String,
    pub(crate) line: usize,
    pub(crate) column: usize,
}

/// Reads one value.
pub(crate) fn parse(text: &[u8]) -> Result<Value, NotJson> {
    // INVARIANT: without serde_json's own limit the text is read by recursion, so its depth is known before.
    if let Some(at) = nesting::too_deep(text, DEPTH) {
        let (line, column) = place(text, at);
        let message = format!("nested deeper than {DEPTH} levels at line {line} column {column}");
        return Err(NotJson { message, line, column });
    }
    let mut reader = Deserializer::from_slice(text);
    reader.disable_recursion_limit();
    let value = serde::Deserialize::deserialize(&mut reader).and_then(|value| reader.end().map(|()| value));
    value.map_err(|error: serde_json::Error| NotJson {
        line: error.line(),
        column: error.column(),
        message: error.to_string(),
    })
}

/// The line and the column of a byte, from 1.
pub(crate) fn place(text: &[u8], at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
    let column = 1 + before.iter().rev().take_while(|&&byte| byte != b'\n').count();
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_and_escapes() {
        let mut json = JsonText::new();
        json.object(|json| {
            json.name("a").array(|json| {
                json.number(1);
                json.string("\"\\\n\u{1}\u{1f}é");
                json.array(|_| {});
                json.object(|_| {});
            });
            json.name("b,").bool(true);
            json.name("c:").optional(None);
        });
        let text = String::from_utf8(json.into_bytes()).unwrap();
        assert_eq!(text, r#"{"a":[1,"\"\\\n\u0001\u001fé",[],{}],"b,":true,"c:":null}"#);
        assert!(serde_json::from_str::<Value>(&text).is_ok());
    }

    #[test]
    fn depth_is_known_before_reading() {
        let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(parse(nested(DEPTH).as_bytes()).is_ok());
        assert!(parse(br#"{"a[": ["\"{", {}]}"#).is_ok());
        let error = parse(nested(1_000_000).as_bytes()).unwrap_err();
        assert_eq!((error.line, error.column), (1, 257));
        assert!(parse(b"{} {}").is_err());
        assert!(parse(b"\"\xff\"").is_err());
        assert!(parse(b"").is_err());
    }
}
