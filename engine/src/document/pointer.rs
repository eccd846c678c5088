//! JSON Pointers into a schema: the functions of `stanchion_vocab::pointer`, the value that a token
//! leads to, and shortened pointers.

use serde_json::Value;
use smallvec::SmallVec;

pub(crate) use stanchion_vocab::pointer::{decode_fragment, push, push_as_fragment, push_index, unescape};

/// Most bytes of a pointer, and of a URI, in errors, warnings and lists of places.
pub(crate) const LONGEST: usize = 1024;

/// Shortens a text to at most `most` bytes: an ellipsis replaces the middle of a longer one. Otherwise a name of a
/// megabyte would be repeated for each place below it.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    shortened_parts(&[text], most)
}

/// Shortens a text that is given in parts. A long one is never built as a whole.
pub(crate) fn shortened_parts(parts: &[&str], most: usize) -> String {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    if length <= most {
        return parts.concat();
    }
    let half = most.saturating_sub('…'.len_utf8()) / 2;
    let mut text = String::with_capacity(most);
    for part in parts {
        let end = (0..=part.len().min(half - text.len())).rev().find(|&at| part.is_char_boundary(at));
        text.push_str(&part[..end.unwrap_or(0)]);
        if end != Some(part.len()) {
            break;
        }
    }
    text.push('…');
    let mut room = half;
    let mut ends: SmallVec<[&str; 16]> = SmallVec::new();
    for part in parts.iter().rev() {
        let least = part.len() - part.len().min(room);
        let start = (least..=part.len()).find(|&at| part.is_char_boundary(at)).unwrap_or(part.len());
        ends.push(&part[start..]);
        room -= part.len() - start;
        if start > 0 {
            break;
        }
    }
    ends.iter().rev().for_each(|end| text.push_str(end));
    text
}

/// Returns the member or item that an unescaped token names.
pub(crate) fn child<'v>(value: &'v Value, token: &str) -> Option<&'v Value> {
    match value {
        Value::Object(map) => map.get(token),
        Value::Array(items) => items.get(stanchion_vocab::pointer::index(token)?),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn long_texts_are_cut_in_the_middle() {
        assert_eq!(shortened("/properties/a", 13), "/properties/a");
        assert_eq!(shortened("/properties/a", 12), "/pro…es/a");
        assert_eq!(shortened("/ééééééé", 12), "/é…éé");
        for most in 3..40 {
            let parts = ["/properties/", "ééé", "", "/not", "/anyOf/3"];
            let whole = parts.concat();
            assert_eq!(shortened_parts(&parts, most), shortened(&whole, most), "{most}");
            assert!(shortened(&whole, most).len() <= most, "{most}");
        }
    }

    #[test]
    fn children() {
        let value = json!({"": [10, 11], "a": null});
        let items = child(&value, "").unwrap();
        assert_eq!(child(items, "1"), Some(&json!(11)));
        assert_eq!(child(items, "01"), None);
        assert_eq!(child(items, "-"), None);
        assert_eq!(child(items, "+1"), None);
        assert_eq!(child(&value, "b"), None);
    }
}
