//! JSON text that may nest deeper than serde_json's own limit.

use serde_json::{Deserializer, Value};
use stanchion::{Array, Node, Object, Reader, TextError, View};
use stanchion_vocab::nesting;

/// Deepest nesting of arrays and objects in a text. A level of a schema takes up to two of them,
/// `{"allOf": […]}`.
const MAX_DEPTH: usize = 256;

/// Deepest nesting that [`Reader`] takes.
pub(crate) const READER_DEPTH: usize = 127;

/// Parses one value. The error is a sentence.
pub(crate) fn parse(text: &str) -> Result<Value, String> {
    // INVARIANT: without serde_json's own limit, parsing recurses, so the depth is checked before.
    if nesting::too_deep(text.as_bytes(), MAX_DEPTH).is_some() {
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

/// Checks that a text is JSON, but for what nests deeper than a reader takes.
pub(crate) fn check_outer(text: &str) -> Result<(), TextError> {
    match Reader::new().parse_str(text) {
        Err(_) if nesting::too_deep(text.as_bytes(), READER_DEPTH).is_some() => {
            Reader::new().parse_str(&without_depths(text)).map(drop)
        }
        read => read.map(drop),
    }
}

/// Replaces all that nests deeper than a reader takes by `0`. What stays is where it was.
fn without_depths(text: &str) -> String {
    let mut flat = String::with_capacity(text.len());
    let mut deep_from = None;
    let mut end = 0;
    for (place, open) in nesting::brackets(text.as_bytes()).chain([(text.len(), 0)]) {
        match deep_from {
            None if open > READER_DEPTH => {
                flat.push_str(&text[end..place]);
                deep_from = Some(place);
            }
            Some(from) if open <= READER_DEPTH => {
                end = text.len().min(place + 1);
                flat.push('0');
                let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
                flat.extend(text.as_bytes()[from + 1..end].iter().map(|byte| blank(*byte)));
                deep_from = None;
            }
            None | Some(_) => {}
        }
    }
    flat.push_str(&text[end..]);
    flat
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depth_is_told_before_reading() {
        let nested = |levels| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        assert!(parse(&nested(MAX_DEPTH)).is_ok());
        assert_eq!(parse(&nested(MAX_DEPTH + 1)).unwrap_err(), "nested deeper than 256 levels");
        assert!(parse(&"[".repeat(1_000_000)).is_err());
    }

    #[test]
    fn a_text_is_checked_around_what_is_too_deep() {
        let deep = |inner: &str| format!("{}{inner}{}", "[".repeat(200), "]".repeat(200));
        assert!(check_outer(&deep("")).is_ok());
        assert!(check_outer(&format!("{{\"a\": {}, \"é\": [{}]}}", deep("é"), deep("\n{]"))).is_ok());
        // The place of an error is that in the whole text.
        let error = check_outer(&format!("[{}\n, {}, x]", deep("\n"), deep("1"))).unwrap_err();
        assert_eq!((error.line(), error.column()), (3, 2 + 401 + 3));
        assert!(check_outer(&"[".repeat(1_000_000)).is_err());
        assert!(check_outer(&format!("{}\"", "[".repeat(200))).is_err());
        assert!(check_outer("{").is_err());
    }

    #[test]
    fn one_value_is_read() {
        assert_eq!(parse(" true "), Ok(Value::Bool(true)));
        assert_eq!(parse("").unwrap_err(), "expected a value, found nothing");
        assert_eq!(parse("{} {}").unwrap_err(), "expected one value, found more");
        assert!(parse("{").unwrap_err().contains("line 1"));
    }
}
