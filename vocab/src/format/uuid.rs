//! `uuid`: RFC 4122 §3. Thirty-two hexadecimal digits in groups of 8, 4, 4, 4 and 12.
//!
//! Version and variant are not checked: the grammar does not restrict them, and new versions keep
//! appearing.

pub(super) fn is_uuid(text: &str) -> bool {
    text.len() == 36
        && text.bytes().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}
