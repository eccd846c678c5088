//! How messages name values.

use serde_json::Value;
use stanchion_vocab::pointer;

/// How many characters of a stranger's text a message shows.
const SHOWN: usize = 100;

/// A text as JSON writes it, cut.
pub(crate) fn quoted(text: &str) -> String {
    let end = text.char_indices().nth(SHOWN);
    Value::from(end.map_or_else(|| text.to_owned(), |(end, _)| format!("{}…", &text[..end]))).to_string()
}

/// What a value is: «an object», or the value itself where that is short.
pub(crate) fn found(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(_) => "a number".to_owned(),
        Value::String(text) => quoted(text),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

/// A step of a JSON Pointer.
pub(crate) fn step(name: &str) -> String {
    pointer::join("", name)
}

/// A JSON Pointer as messages have it: the root is `/`.
pub(crate) fn place(path: &str) -> &str {
    if path.is_empty() { "/" } else { path }
}
