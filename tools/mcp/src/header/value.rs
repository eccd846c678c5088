//! What stands in a header: arguments as text, and back.

use super::{HEADER_MISMATCH, HeaderType, Headers, ParameterHeader};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Number, Value, json};
use std::fmt;

/// What a value in Base64 begins and ends with.
const MARKS: (&str, &str) = ("=?base64?", "?=");
/// The largest integer of which a double tells all neighbors apart.
const SAFE: f64 = 9_007_199_254_740_991.0;

/// A text as the value of a header: as it is if that is safe, in Base64 if not.
///
/// ```
/// use stanchion_mcp::header;
///
/// assert_eq!(header::encode("us-west1"), "us-west1");
/// assert_eq!(header::encode(" padded "), "=?base64?IHBhZGRlZCA=?=");
/// assert_eq!(header::decode("=?base64?IHBhZGRlZCA=?=").as_deref(), Some(" padded "));
/// ```
pub fn encode(text: &str) -> String {
    let is_plain = text.bytes().all(|byte| byte == b'\t' || (b' '..=b'~').contains(&byte));
    let is_trimmed = text.trim_matches([' ', '\t']) == text;
    if is_plain && is_trimmed && !text.is_empty() && marked(text).is_none() {
        return text.to_owned();
    }
    format!("{}{}{}", MARKS.0, STANDARD.encode(text), MARKS.1)
}

/// The text that the value of a header stands for. `None` if it should be Base64 and is not, or not of UTF-8.
pub fn decode(value: &str) -> Option<String> {
    match marked(value) {
        None => Some(value.to_owned()),
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok(),
    }
}

/// What is between the marks.
fn marked(value: &str) -> Option<&str> {
    value.strip_prefix(MARKS.0)?.strip_suffix(MARKS.1)
}

/// An argument as text. `None` for what has no place in a header: null, arrays, objects, integers out of the safe range.
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
    (value.abs() <= SAFE).then(|| format!("{value:.0}"))
}

impl ParameterHeader {
    /// The argument, if it is there and not null.
    fn argument<'a>(&self, arguments: &'a Value) -> Option<&'a Value> {
        let mut value = arguments;
        for name in self.path() {
            value = value.as_object()?.get(name)?;
        }
        Some(value)
    }

    /// Whether the text of a header says what the argument says. Numbers compare by value.
    fn says(&self, header: &str, argument: &Value, text: &str) -> bool {
        let is_number = matches!(self.kind(), HeaderType::Integer | HeaderType::Number);
        match argument.as_f64().filter(|_| is_number && is_decimal(header)) {
            Some(value) => header.parse() == Ok(value),
            None => header == text,
        }
    }
}

/// Digits with a sign and a fraction, and nothing that programs read in different ways.
fn is_decimal(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    match unsigned.split_once('.') {
        Some((whole, fraction)) => digits(whole) && digits(fraction),
        None => digits(unsigned),
    }
}

impl Headers {
    /// The headers of a call, by name and value. An argument that is absent or null has none.
    pub fn of(&self, arguments: &Value) -> Vec<(String, String)> {
        let header = |header: &ParameterHeader| {
            let text = text_of(header.argument(arguments)?)?;
            Some((header.name().to_owned(), encode(&text)))
        };
        self.iter().filter_map(header).collect()
    }

    /// Whether the headers of a request say what its body says. `find` looks a header up by its name, which has no case.
    ///
    /// A header for an argument that is absent or null is ignored. An argument of another type than the schema has is not the header's fault, and
    /// neither looked at.
    pub fn check<'h>(
        &self,
        arguments: &Value,
        find: impl Fn(&str) -> Option<&'h str>,
    ) -> Result<(), HeaderMismatch> {
        for header in self.iter() {
            let Some(argument) = header.argument(arguments) else { continue };
            let Some(text) = text_of(argument) else { continue };
            let mismatch =
                |found| Err(HeaderMismatch { name: header.name().to_owned(), expected: text.clone(), found });
            match find(header.name()) {
                None => return mismatch(None),
                Some(value) => match decode(value) {
                    Some(decoded) if header.says(&decoded, argument, &text) => {}
                    Some(_) | None => return mismatch(Some(value.to_owned())),
                },
            }
        }
        Ok(())
    }
}

/// A header that does not say what the body says: HTTP's status 400 with JSON-RPC's error −32020.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderMismatch {
    name: String,
    expected: String,
    found: Option<String>,
}

impl HeaderMismatch {
    /// The header's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The error as JSON-RPC has it: `{"code", "message"}`.
    pub fn to_error(&self) -> Value {
        json!({"code": HEADER_MISMATCH, "message": self.to_string()})
    }
}

impl fmt::Display for HeaderMismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let expected = crate::words::quoted(&self.expected);
        match &self.found {
            None => write!(f, "header {} is missing, the body has {expected}", self.name),
            Some(found) => {
                write!(f, "header {} is {}, the body has {expected}", self.name, crate::words::quoted(found))
            }
        }
    }
}

impl std::error::Error for HeaderMismatch {}
