//! Values of headers: arguments as text, and back.

use super::{HEADER_MISMATCH, HeaderType, Headers, ParameterHeader};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Number, Value, json};
use std::fmt;

/// Markers before and after a value in Base64.
const MARKS: (&str, &str) = ("=?base64?", "?=");

/// Encodes a text as the value of a header: unchanged if that is safe, otherwise in Base64.
///
/// ```
/// use stanchion_mcp::header;
///
/// assert_eq!(header::encode("us-west1"), "us-west1");
/// assert_eq!(header::encode(" padded "), "=?base64?IHBhZGRlZCA=?=");
/// assert_eq!(header::decode("=?base64?IHBhZGRlZCA=?=").as_deref(), Some(" padded "));
/// ```
pub fn encode(text: &str) -> String {
    let is_plain = text.bytes().all(is_allowed);
    let is_trimmed = text.trim_matches([' ', '\t']) == text;
    if is_plain && is_trimmed && !text.is_empty() && marked(text).is_none() {
        return text.to_owned();
    }
    format!("{}{}{}", MARKS.0, STANDARD.encode(text), MARKS.1)
}

/// Decodes the value of a header. `None` if it has characters that headers must not have (only
/// visible ASCII, space and tab are allowed), or if it is marked as Base64 and is not, or is not
/// UTF-8.
pub fn decode(value: &str) -> Option<String> {
    if !value.bytes().all(is_allowed) {
        return None;
    }
    match marked(value) {
        None => Some(value.to_owned()),
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok(),
    }
}

/// Whether a byte is allowed in the value of a header: visible ASCII, space and tab (RFC 9110,
/// section 5.5).
fn is_allowed(byte: u8) -> bool {
    byte == b'\t' || (b' '..=b'~').contains(&byte)
}

/// Returns the text between the markers.
fn marked(value: &str) -> Option<&str> {
    value.strip_prefix(MARKS.0)?.strip_suffix(MARKS.1)
}

/// Returns an argument as text. `None` for values that headers cannot carry: null, arrays, objects,
/// integers out of the safe range.
fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Bool(value) => Some(value.to_string()),
        Value::Number(number) => number_text(number),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn number_text(number: &Number) -> Option<String> {
    let value = number.as_f64().filter(|value| value.is_finite())?;
    if value.fract() != 0.0 {
        return Some(number.to_string());
    }
    // 42.0 is the integer 42.
    crate::content::safe_integer(number).map(|value| value.to_string())
}

/// Whether a value is an integer that headers cannot carry.
fn is_unsafe(value: &Value) -> bool {
    let number = if let Value::Number(number) = value { number } else { return false };
    number.as_f64().is_none_or(|value| value.fract() == 0.0) && crate::content::safe_integer(number).is_none()
}

impl ParameterHeader {
    /// Returns the argument, if it is present and not null.
    fn argument<'a>(&self, arguments: &'a Value) -> Option<&'a Value> {
        let mut value = arguments;
        for name in self.path() {
            value = value.as_object()?.get(name)?;
        }
        Some(value)
    }

    /// Whether the text of a header agrees with the argument. Numbers compare by value.
    fn says(&self, header: &str, argument: &Value, text: &str) -> bool {
        let is_number = matches!(self.kind(), HeaderType::Integer | HeaderType::Number);
        match argument.as_f64().filter(|_| is_number && is_decimal(header)) {
            Some(value) => header.parse() == Ok(value),
            None => header == text,
        }
    }
}

/// Whether a text is digits with a sign and a fraction, and nothing that programs read differently.
fn is_decimal(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    match unsigned.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(unsigned),
    }
}

impl Headers {
    /// Returns the headers of a call, by name and value. An absent or null argument has none.
    pub fn of(&self, arguments: &Value) -> Vec<(String, String)> {
        let header = |header: &ParameterHeader| {
            let text = text_of(header.argument(arguments)?)?;
            Some((header.name().to_owned(), encode(&text)))
        };
        self.iter().filter_map(header).collect()
    }

    /// Checks that the headers of a request agree with its body. `find` looks a header up by its
    /// name, ignoring case.
    ///
    /// A header for an absent or null argument is ignored, unless it has characters that headers
    /// must not have. An argument whose type does not match the schema is not checked here. An
    /// integer beyond ±(2^53−1) matches no header.
    pub fn check<'h>(
        &self,
        arguments: &Value,
        find: impl Fn(&str) -> Option<&'h str>,
    ) -> Result<(), HeaderMismatch> {
        for header in self.iter() {
            let value = find(header.name());
            if let Some(value) = value.filter(|value| !value.bytes().all(is_allowed)) {
                return Err(HeaderMismatch::characters(header.name(), value));
            }
            let Some(argument) = header.argument(arguments) else { continue };
            if is_unsafe(argument) {
                return Err(HeaderMismatch::new(header.name(), &argument.to_string(), value));
            }
            let Some(text) = text_of(argument) else { continue };
            let mismatch = |found: Option<&str>| Err(HeaderMismatch::new(header.name(), &text, found));
            match value {
                None => return mismatch(None),
                Some(value) => match decode(value) {
                    Some(decoded) if header.says(&decoded, argument, &text) => {}
                    Some(_) | None => return mismatch(Some(value)),
                },
            }
        }
        Ok(())
    }
}

/// A header that disagrees with the body: HTTP's status 400 with JSON-RPC's error −32020.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderMismatch {
    name: String,
    /// The value in the body. `None` if the header itself is malformed.
    expected: Option<String>,
    found: Option<String>,
}

impl HeaderMismatch {
    pub(super) fn new(name: &str, expected: &str, found: Option<&str>) -> HeaderMismatch {
        let (name, expected) = (name.to_owned(), Some(expected.to_owned()));
        HeaderMismatch { name, expected, found: found.map(str::to_owned) }
    }

    /// Makes the error for a header with characters that headers must not have, or with malformed
    /// Base64.
    pub(super) fn characters(name: &str, found: &str) -> HeaderMismatch {
        HeaderMismatch { name: name.to_owned(), expected: None, found: Some(found.to_owned()) }
    }

    /// Returns the header's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the error in JSON-RPC's form: `{"code", "message"}`.
    pub fn to_error(&self) -> Value {
        json!({"code": HEADER_MISMATCH, "message": self.to_string()})
    }
}

impl fmt::Display for HeaderMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let quoted = crate::words::quoted;
        match (&self.expected, &self.found) {
            (Some(expected), None) => {
                write!(f, "header {} is missing, the body has {}", self.name, quoted(expected))
            }
            (Some(expected), Some(found)) => {
                write!(f, "header {} is {}, the body has {}", self.name, quoted(found), quoted(expected))
            }
            (None, found) => {
                let found = quoted(found.as_deref().unwrap_or_default());
                write!(f, "header {} is {found}, which has characters that no header has", self.name)
            }
        }
    }
}

impl std::error::Error for HeaderMismatch {}
