//! JSON Pointers, as text and as the fragment of a URI.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

/// What RFC 3986 does not let stand in a fragment.
const ENCODED: &AsciiSet = &CONTROLS
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

/// Adds a step.
pub(crate) fn push(pointer: &mut String, step: &str) {
    pointer.push('/');
    pointer.push_str(&step.replace('~', "~0").replace('/', "~1"));
}

/// A pointer as a reference within its document.
pub(crate) fn to_fragment(pointer: &str) -> String {
    format!("#{}", utf8_percent_encode(pointer, ENCODED))
}

/// What stands behind the `#` of a reference; as it is, if it is no text once decoded.
pub(crate) fn from_fragment(fragment: &str) -> String {
    percent_decode_str(fragment).decode_utf8().map_or_else(|_| fragment.to_owned(), |text| text.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_and_back() {
        let mut pointer = "/$defs".to_owned();
        push(&mut pointer, "a b/%é~");
        let fragment = to_fragment(&pointer);
        assert_eq!(fragment, "#/$defs/a%20b~1%25%C3%A9~0");
        assert_eq!(from_fragment(&fragment[1..]), pointer);
        assert_eq!(from_fragment("%ff"), "%ff");
    }
}
