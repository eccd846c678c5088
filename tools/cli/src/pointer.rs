//! JSON Pointers, as text and as the fragment of a URI.

use std::hash::{DefaultHasher, Hash, Hasher};

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

/// A pointer of at most some 1,000 bytes. Of a longer one the middle is left out, and a hash of the whole stands there: so it differs
/// from others, and a name of a megabyte is not repeated for all that is below it.
pub(crate) fn shortened(pointer: String) -> String {
    const LONGEST: usize = 1000;
    if pointer.len() <= LONGEST {
        return pointer;
    }
    let mut hasher = DefaultHasher::new();
    pointer.hash(&mut hasher);
    let boundary = |at: &usize| pointer.is_char_boundary(*at);
    let start = (0..=LONGEST / 2).rev().find(boundary).unwrap_or(0);
    let end = (pointer.len() - LONGEST / 2..pointer.len()).find(boundary).unwrap_or(pointer.len());
    format!("{}…{:x}…{}", &pointer[..start], hasher.finish(), &pointer[end..])
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
    fn long_pointers_are_cut_and_stay_apart() {
        let long =
            |letter: &str| format!("/properties/{}{letter}{}/not", "é".repeat(1_000), "é".repeat(1_000));
        let short = shortened(long("a"));
        assert!(short.len() < 1_100 && short.starts_with("/properties/é") && short.ends_with("é/not"));
        assert_ne!(short, shortened(long("b")));
        assert_eq!(shortened("/not".to_owned()), "/not");
    }

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
