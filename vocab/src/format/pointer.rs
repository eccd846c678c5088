//! `json-pointer` and `relative-json-pointer`: RFC 6901 §3, and the draft by Luff, Andrews and Hutton.
//!
//! ```text
//! json-pointer           ""   "/a/0"   "/a~1b/m~0n"
//! relative-json-pointer  "0"   "1/a"   "0#"   "0+1/a"   "2-1#"
//! ```
//!
//! Only the plain text form counts: `#/a`, the form in a URI's fragment, is not a pointer here.
//!
//! The shift among an array's items (`+1`, `-1`) came with the draft that 2020-12 refers to. The
//! grammar there omits `#` after a shift, but the examples and the next revision have it, so it is
//! accepted.

pub(super) fn is_json_pointer(text: &str) -> bool {
    let starts_well = text.is_empty() || text.starts_with('/');
    // In each piece after a tilde, the escape must be complete.
    starts_well && text.split('~').skip(1).all(|after| after.starts_with(['0', '1']))
}

pub(super) fn is_relative_json_pointer(text: &str) -> bool {
    let Some(mut rest) = after_integer(text) else { return false };
    if let Some(shift) = rest.strip_prefix(['+', '-']) {
        let Some(after) = after_integer(shift) else { return false };
        rest = after;
    }
    rest == "#" || is_json_pointer(rest)
}

/// Skips the integer at the start of `text`: `0`, or digits that do not start with `0`.
fn after_integer(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix('0') {
        return Some(rest);
    }
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    (rest.len() < text.len()).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_complete() {
        assert!(is_json_pointer("/~0~1/~01"));
        assert!(!is_json_pointer("/a~"));
        assert!(!is_json_pointer("/~~0"));
        assert!(!is_json_pointer("/~2"));
    }

    #[test]
    fn shifts_take_an_integer() {
        assert!(is_relative_json_pointer("0-1#"));
        assert!(is_relative_json_pointer("10+20/a"));
        assert!(!is_relative_json_pointer("0+/a"));
        assert!(!is_relative_json_pointer("0+01/a"));
        assert!(!is_relative_json_pointer("0+1-1"));
    }
}
