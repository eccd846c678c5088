//! Texts with escapes.

use super::scan::Window;

/// Decodes the string that starts at `start` and has its first backslash at `backslash`. Returns the place behind
/// its closing quote, or nothing if it has none, or a wrong escape, or a control character.
pub(super) fn decode(
    text: &str,
    marks: &[u8],
    start: u32,
    backslash: u32,
    decoded: &mut String,
) -> Option<u32> {
    let bytes = text.as_bytes();
    let mut start = start;
    let mut at = backslash;
    loop {
        decoded.push_str(text.get(start as usize..at as usize)?);
        match *bytes.get(at as usize)? {
            b'"' => return Some(at + 1),
            b'\\' => {
                let (character, length) = escape(bytes.get(at as usize + 1..)?)?;
                decoded.push(character);
                start = at + 1 + length;
            }
            _ => return None,
        }
        at = Window::new(marks, start).first(marks);
    }
}

/// The character of an escape, and how long it is without its backslash.
fn escape(bytes: &[u8]) -> Option<(char, u32)> {
    let character = match *bytes.first()? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => return unicode(bytes),
        _ => return None,
    };
    Some((character, 1))
}

/// The character of an escape by number. One beyond 16 bits is a pair of surrogates, of which each needs the other.
fn unicode(bytes: &[u8]) -> Option<(char, u32)> {
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
