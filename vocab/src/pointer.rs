//! JSON Pointers ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)), as text and as the fragment of a URI.
//!
//! ```
//! use stanchion_vocab::pointer;
//!
//! let mut place = String::from("/properties");
//! pointer::push(&mut place, "a/b");
//! assert_eq!(place, "/properties/a~1b");
//! assert_eq!(pointer::tokens(&place).unwrap(), ["properties", "a/b"]);
//! assert_eq!(pointer::to_fragment("/a b"), "#/a%20b");
//! assert_eq!(pointer::decode_fragment("/a%20b").unwrap(), "/a b");
//! ```

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use std::borrow::Cow;

/// The ASCII characters that RFC 3986 does not allow in a fragment.
const NOT_IN_FRAGMENTS: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Appends `/` and an escaped token to a pointer.
pub fn push(pointer: &mut String, token: &str) {
    pointer.push('/');
    let mut rest = token;
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'~' | b'/')) {
        pointer.push_str(&rest[..at]);
        pointer.push_str(if rest.as_bytes()[at] == b'~' { "~0" } else { "~1" });
        rest = &rest[at + 1..];
    }
    pointer.push_str(rest);
}

/// Appends `/` and an array index to a pointer.
pub fn push_index(pointer: &mut String, index: usize) {
    pointer.push('/');
    pointer.push_str(itoa::Buffer::new().format(index));
}

/// Returns the pointer to a member: `pointer` with `/` and an escaped token behind it.
pub fn join(pointer: &str, token: &str) -> String {
    let mut joined = String::with_capacity(pointer.len() + 1 + token.len());
    joined.push_str(pointer);
    push(&mut joined, token);
    joined
}

/// Decodes the escapes of a token. `None` if a `~` is followed by neither `0` nor `1`.
pub fn unescape(token: &str) -> Option<Cow<'_, str>> {
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

/// Splits a pointer into its tokens, without their escapes. `None` if it is not a JSON Pointer.
pub fn tokens(pointer: &str) -> Option<Vec<Cow<'_, str>>> {
    let mut parts = pointer.split('/');
    if parts.next() != Some("") {
        return None;
    }
    parts.map(unescape).collect()
}

/// Reads a token as an array index: digits without a leading zero.
pub fn index(token: &str) -> Option<usize> {
    let is_index =
        token.bytes().all(|byte| byte.is_ascii_digit()) && (token == "0" || !token.starts_with('0'));
    if is_index { token.parse().ok() } else { None }
}

/// Decodes the percent escapes of a fragment. `None` if they are malformed, or if the result is not UTF-8.
pub fn decode_fragment(fragment: &str) -> Option<Cow<'_, str>> {
    let is_code = |code: &[u8]| code.iter().all(u8::is_ascii_hexdigit);
    let is_well_formed =
        fragment.split('%').skip(1).all(|after| after.as_bytes().get(..2).is_some_and(is_code));
    if is_well_formed { percent_decode_str(fragment).decode_utf8().ok() } else { None }
}

/// Appends `text` to a fragment, percent-encoded where RFC 3986 demands it.
pub fn push_as_fragment(fragment: &mut String, text: &str) {
    fragment.extend(utf8_percent_encode(text, NOT_IN_FRAGMENTS));
}

/// Returns the reference within a document that stands for a pointer: `#` and the pointer as a fragment.
pub fn to_fragment(pointer: &str) -> String {
    let mut fragment = String::from("#");
    push_as_fragment(&mut fragment, pointer);
    fragment
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_escaped_and_unescaped() {
        assert_eq!(join(&join("", "a/b~c"), ""), "/a~1b~0c/");
        assert_eq!(unescape("a~1b~0c").unwrap(), "a/b~c");
        assert_eq!(unescape("~01").unwrap(), "~1");
        assert_eq!(unescape("~2"), None);
        assert_eq!(unescape("~"), None);
        assert_eq!(tokens("").unwrap(), [""; 0]);
        assert_eq!(tokens("/").unwrap(), [""]);
        assert_eq!(tokens("/~01//é").unwrap(), ["~1", "", "é"]);
        assert_eq!(tokens("a"), None);
        assert_eq!(tokens("/~"), None);
    }

    #[test]
    fn indices_are_digits_without_a_leading_zero() {
        assert_eq!(index("0"), Some(0));
        assert_eq!(index("10"), Some(10));
        for token in ["", "01", "00", "-", "+1", "1a", "99999999999999999999999"] {
            assert_eq!(index(token), None, "{token}");
        }
        let mut pointer = String::new();
        push_index(&mut pointer, 120);
        assert_eq!(pointer, "/120");
    }

    #[test]
    fn fragments_are_encoded_and_decoded() {
        let mut fragment = String::new();
        push_as_fragment(&mut fragment, "/^a é");
        assert_eq!(fragment, "/%5Ea%20%C3%A9");
        assert_eq!(to_fragment("/$defs/a b~1%é~0"), "#/$defs/a%20b~1%25%C3%A9~0");
        assert_eq!(decode_fragment("%25%C3%a9").unwrap(), "%é");
        assert_eq!(decode_fragment("a").unwrap(), "a");
        for malformed in ["%", "%2", "%zz", "a%é", "%ff", "%+1"] {
            assert_eq!(decode_fragment(malformed), None, "{malformed}");
        }
        // Of all ASCII characters, those that RFC 3986 allows in a fragment stay as they are.
        for byte in 0..128_u8 {
            let text = char::from(byte).to_string();
            let is_plain = byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte);
            assert_eq!(to_fragment(&text) == format!("#{text}"), is_plain, "{text:?}");
        }
    }
}
