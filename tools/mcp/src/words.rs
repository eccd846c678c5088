//! Values in messages.

use serde_json::Value;
use stanchion_vocab::pointer;

/// Most characters of untrusted text in a message.
const MAX_SHOWN: usize = 100;

/// Formats a text as JSON, cut if it is long.
pub(crate) fn quoted(text: &str) -> String {
    let end = text.char_indices().nth(MAX_SHOWN);
    Value::from(end.map_or_else(|| text.to_owned(), |(end, _)| format!("{}…", &text[..end]))).to_string()
}

/// Describes a value: «an object», or the value itself if that is short.
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

/// Returns a step of a JSON Pointer.
pub(crate) fn step(name: &str) -> String {
    pointer::join("", name)
}

/// Returns a JSON Pointer as messages show it: the root is `/`.
pub(crate) fn place(path: &str) -> &str {
    if path.is_empty() { "/" } else { path }
}
