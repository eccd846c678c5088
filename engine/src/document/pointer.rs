//! JSON Pointer: [RFC 6901](https://www.rfc-editor.org/rfc/rfc6901), also as a URI fragment.

use serde_json::Value;
use smallvec::SmallVec;
use std::borrow::Cow;

/// Appends `token` to a pointer, escaped.
pub(crate) fn push(pointer: &mut String, token: &str) {
    pointer.push('/');
    let mut rest = token;
    while let Some(at) = rest.bytes().position(is_escaped) {
        pointer.push_str(&rest[..at]);
        pointer.push_str(if rest.as_bytes()[at] == b'~' { "~0" } else { "~1" });
        rest = &rest[at + 1..];
    }
    pointer.push_str(rest);
}

fn is_escaped(byte: u8) -> bool {
    matches!(byte, b'~' | b'/')
}

/// Appends a place in an array to a pointer.
pub(crate) fn push_index(pointer: &mut String, index: usize) {
    pointer.push('/');
    pointer.push_str(itoa::Buffer::new().format(index));
}

/// The token that an escaped one stands for; `None` where a `~` is followed by neither 0 nor 1.
pub(crate) fn unescape(token: &str) -> Option<Cow<'_, str>> {
    if !token.contains('~') {
        return Some(Cow::Borrowed(token));
    }
    let mut text = String::with_capacity(token.len());
    let mut characters = token.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '~' => match characters.next()? {
                '0' => '~',
                '1' => '/',
                _ => return None,
            },
            _ => character,
        });
    }
    Some(Cow::Owned(text))
}

/// A fragment with its percent escapes decoded; `None` where they are malformed or not UTF-8.
pub(crate) fn percent_decode(fragment: &str) -> Option<Cow<'_, str>> {
    if !fragment.contains('%') {
        return Some(Cow::Borrowed(fragment));
    }
    let mut bytes = Vec::with_capacity(fragment.len());
    let mut rest = fragment.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        if first == b'%' {
            let hex = |byte: u8| char::from(byte).to_digit(16);
            let (&[high, low], after) = after.split_first_chunk::<2>()?;
            bytes.push((hex(high)? * 16 + hex(low)?) as u8);
            rest = after;
        } else {
            bytes.push(first);
            rest = after;
        }
    }
    String::from_utf8(bytes).ok().map(Cow::Owned)
}

/// The longest pointer, and the longest URI, that errors, warnings and lists of places have, in bytes.
pub(crate) const LONGEST: usize = 1024;

/// A text of up to `most` bytes: a longer one is cut in its middle, where an ellipsis stands. A name of a megabyte would otherwise be
/// repeated for each place below it.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    shortened_parts(&[text], most)
}

/// The same for a text in parts, which are never put together where they are long.
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

/// Appends `text` as it stands in a URI fragment: what a fragment may not hold is percent-encoded.
pub(crate) fn push_as_fragment(fragment: &mut String, text: &str) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte) {
            fragment.push(char::from(byte));
        } else {
            fragment.push('%');
            fragment.push(char::from(HEX[usize::from(byte >> 4)]));
            fragment.push(char::from(HEX[usize::from(byte & 15)]));
        }
    }
}

/// The member or item that an unescaped token names.
pub(crate) fn child<'v>(value: &'v Value, token: &str) -> Option<&'v Value> {
    match value {
        Value::Object(map) => map.get(token),
        Value::Array(items) => items.get(index(token)?),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// An array index: digits without a leading zero.
fn index(token: &str) -> Option<usize> {
    let plain = token.bytes().all(|byte| byte.is_ascii_digit()) && (token == "0" || !token.starts_with('0'));
    if plain { token.parse().ok() } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn escapes() {
        let mut pointer = String::new();
        push(&mut pointer, "a/b~c");
        push(&mut pointer, "");
        assert_eq!(pointer, "/a~1b~0c/");
        assert_eq!(unescape("a~1b~0c").unwrap(), "a/b~c");
        assert_eq!(unescape("~01").unwrap(), "~1");
        assert_eq!(unescape("~2"), None);
        assert_eq!(unescape("~"), None);
        assert_eq!(percent_decode("%25%C3%A9").unwrap(), "%é");
        assert_eq!(percent_decode("%2"), None);
        assert_eq!(percent_decode("%ff"), None);
        let mut fragment = String::new();
        push_as_fragment(&mut fragment, "/^a é");
        assert_eq!(fragment, "/%5Ea%20%C3%A9");
    }

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
