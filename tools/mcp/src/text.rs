//! JSON text that may nest deeper than serde_json's own limit.

use serde_json::{Deserializer, Value};
use stanchion::{Array, Node, Object, Reader, View};

/// Deepest nesting of arrays and objects in a text. A level of a schema takes up to two of them,
/// `{"allOf": […]}`.
const MAX_DEPTH: usize = 256;

/// Parses one value. The error is a sentence.
pub(crate) fn parse(text: &str) -> Result<Value, String> {
    // INVARIANT: without serde_json's own limit, parsing recurses, so the depth is checked before.
    if depth(text) > MAX_DEPTH {
        return Err(format!("nested deeper than {MAX_DEPTH} levels"));
    }
    let mut reader = Deserializer::from_str(text);
    reader.disable_recursion_limit();
    let mut values = reader.into_iter::<Value>();
    match values.next() {
        None => Err("expected a value, found nothing".to_owned()),
        Some(Err(error)) => Err(error.to_string()),
        Some(Ok(value)) => match values.next() {
            None => Ok(value),
            Some(_) => Err("expected one value, found more".to_owned()),
        },
    }
}

/// Parses one value for its structure alone: each number becomes `0`, since serde_json cannot hold
/// every number.
pub(crate) fn skeleton(text: &str) -> Option<Value> {
    let mut reader = Reader::new();
    let instance = reader.parse_str(text).ok()?;
    Some(build(instance.root()))
}

/// Builds the value of a node.
///
/// INVARIANT: the reader bounds the depth.
fn build<'a, N: Node<'a>>(node: N) -> Value {
    match node.view() {
        View::Null => Value::Null,
        View::Bool(value) => Value::Bool(value),
        View::Number(_) => Value::from(0),
        View::String(text) => Value::from(text),
        View::Array(items) => items.iter().map(build).collect(),
        View::Object(members) => {
            members.iter().map(|(name, value)| (name.to_owned(), build(value))).collect()
        }
    }
}

/// Returns a lower bound for the nesting of brackets, whether or not the text is JSON.
fn depth(text: &str) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    let mut bytes = text.bytes();
    let mut in_string = false;
    while let Some(byte) = bytes.next() {
        match byte {
            b'"' => in_string = !in_string,
            b'\\' if in_string => drop(bytes.next()),
            b'{' | b'[' if !in_string => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' if !in_string => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_told_before_reading() {
        assert_eq!(depth(r#"{"a[": ["\"{", {}]}"#), 3);
        let nested = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(parse(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(parse(&nested(MAX_DEPTH + 1)).unwrap_err(), "nested deeper than 256 levels");
        assert!(parse(&"[".repeat(1_000_000)).is_err());
    }

    #[test]
    fn one_value_is_read() {
        assert_eq!(parse(" true "), Ok(Value::Bool(true)));
        assert_eq!(parse("").unwrap_err(), "expected a value, found nothing");
        assert_eq!(parse("{} {}").unwrap_err(), "expected one value, found more");
        assert!(parse("{").unwrap_err().contains("line 1"));
    }
}
