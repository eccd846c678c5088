//! Texts with escapes.
//!
//! Most of them nobody looks at. So reading only sees that their escapes are right ([`end`]), and what they stand for is made when
//! someone asks for it ([`Escaped::text`]).

use super::scan::Window;
use std::sync::OnceLock;

/// A text that has escapes.
#[derive(Clone, Debug)]
pub(super) struct Escaped {
    /// Where it starts, behind the quote.
    start: u32,
    /// Where it ends, before the other.
    end: u32,
    /// The text without escapes, once someone has asked.
    decoded: OnceLock<Box<str>>,
}

impl Escaped {
    pub(super) fn new(start: u32, end: u32) -> Escaped {
        Escaped { start, end, decoded: OnceLock::new() }
    }

    /// Returns the text without escapes, given all that was read.
    pub(super) fn text(&self, all: &str) -> &str {
        self.decoded.get_or_init(|| {
            let written = all.get(self.start as usize..self.end as usize).unwrap_or_default();
            decode(written).unwrap_or_default()
        })
    }
}

#[cfg(test)]
impl Escaped {
    /// Returns the text without escapes, if someone has asked for it before.
    pub(super) fn decoded(&self) -> Option<&str> {
        self.decoded.get().map(|text| &**text)
    }
}

/// The place behind the string that has its first backslash at `backslash`. Nothing if it does not end, or has a wrong escape or a
/// control character.
pub(super) fn end(text: &[u8], marks: &[u8], backslash: u32) -> Option<u32> {
    let mut at = backslash;
    loop {
        match *text.get(at as usize)? {
            b'"' => return Some(at + 1),
            b'\\' => {
                let letter = *text.get(at as usize + 1)?;
                at += if LETTERS[letter as usize] != 0 {
                    2
                } else {
                    let (_, length) = unicode(text.get(at as usize + 1..)?)?;
                    1 + length
                };
            }
            _ => return None,
        }
        at = Window::new(marks, at).first(marks);
    }
}

/// Decodes the escapes of a text.
fn decode(written: &str) -> Option<Box<str>> {
    let mut decoded = String::with_capacity(written.len());
    let mut rest = written;
    while let Some((before, behind)) = rest.split_once('\\') {
        decoded.push_str(before);
        let letter = *behind.as_bytes().first()?;
        let (character, length) = match LETTERS[letter as usize] {
            0 => unicode(behind.as_bytes())?,
            byte => (char::from(byte), 1),
        };
        decoded.push(character);
        rest = behind.get(length as usize..)?;
    }
    decoded.push_str(rest);
    Some(decoded.into())
}

/// The character of each letter behind a backslash; zero where it is no escape.
const LETTERS: [u8; 256] = {
    let mut letters = [0; 256];
    letters[b'"' as usize] = b'"';
    letters[b'\\' as usize] = b'\\';
    letters[b'/' as usize] = b'/';
    letters[b'b' as usize] = 8;
    letters[b'f' as usize] = 12;
    letters[b'n' as usize] = b'\n';
    letters[b'r' as usize] = b'\r';
    letters[b't' as usize] = b'\t';
    letters
};

/// The character of an escape by number, and how long that is without its backslash. One beyond 16 bits is a pair of surrogates, of which
/// each needs the other.
fn unicode(bytes: &[u8]) -> Option<(char, u32)> {
    let b'u' = *bytes.first()? else { return None };
    let unit = four_digits(bytes.get(1..5)?)?;
    if !(0xD800..0xDC00).contains(&unit) {
        return Some((char::from_u32(unit)?, 5));
    }
    let [b'\\', b'u'] = *bytes.get(5..7)? else { return None };
    let low = four_digits(bytes.get(7..11)?)?.checked_sub(0xDC00).filter(|&low| low < 0x400)?;
    Some((char::from_u32(0x10000 + ((unit - 0xD800) << 10) + low)?, 11))
}

fn four_digits(digits: &[u8]) -> Option<u32> {
    digits.iter().try_fold(0, |value, &digit| Some(value << 4 | char::from(digit).to_digit(16)?))
}
