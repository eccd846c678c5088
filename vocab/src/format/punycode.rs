//! Punycode, RFC 3492: a text of any characters, written with letters, digits and hyphens.
//!
//! ```text
//! münchen  →  mnchen-3ya      the ASCII characters, a hyphen, and then where `ü` goes
//! ```
//!
//! The tail is a list of numbers in base 36, least digit first. Each says how far to walk to the
//! next insertion: through all places of the text for one code point, then for the next code point.
//! How many digits a number has depends on a threshold per digit. The threshold depends on a bias
//! that follows the sizes seen so far ([`adapt`]).
//!
//! The algorithm takes one page. The crates that offer it bring the tables of a whole Unicode
//! library, ten times our dependency tree. Texts longer than any label are refused, so insertion
//! stays cheap.

const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const INITIAL_BIAS: u32 = 72;
const INITIAL_CODE_POINT: u32 = 0x80;

/// Longest text in characters: no label is longer than 63 octets, and each character takes at least
/// one.
const MAX_CHARS: usize = 63;

/// Decodes `code`, which is in lower case.
pub(super) fn decode(code: &str) -> Option<String> {
    if code.len() > MAX_CHARS || !code.is_ascii() {
        return None;
    }
    let (plain, mut tail) = match code.rsplit_once('-') {
        Some((plain, tail)) => (plain, tail.bytes()),
        None => ("", code.bytes()),
    };
    let mut text: Vec<char> = plain.chars().collect();
    let (mut code_point, mut place, mut bias) = (INITIAL_CODE_POINT, 0_u32, INITIAL_BIAS);
    while tail.len() > 0 {
        let start = place;
        let mut weight = 1_u32;
        for threshold in thresholds(bias) {
            let digit = digit_value(tail.next()?)?;
            place = place.checked_add(digit.checked_mul(weight)?)?;
            if digit < threshold {
                break;
            }
            weight = weight.checked_mul(BASE - threshold)?;
        }
        let places = u32::try_from(text.len()).ok()? + 1;
        bias = adapt(place - start, places, start == 0);
        code_point = code_point.checked_add(place / places)?;
        place %= places;
        text.insert(usize::try_from(place).ok()?, char::from_u32(code_point)?);
        place += 1;
    }
    Some(text.into_iter().collect())
}

/// Encodes `text`; `None` if the code would not fit into any label.
pub(super) fn encode(text: &str) -> Option<String> {
    if text.chars().nth(MAX_CHARS).is_some() {
        return None;
    }
    let mut code: String = text.chars().filter(char::is_ascii).collect();
    let mut placed = u32::try_from(code.len()).ok()?;
    if placed > 0 {
        code.push('-');
    }
    let mut others: Vec<u32> = text.chars().filter(|c| !c.is_ascii()).map(u32::from).collect();
    others.sort_unstable();
    others.dedup();

    let (mut last, mut delta, mut bias) = (INITIAL_CODE_POINT, 0_u32, INITIAL_BIAS);
    let mut first = true;
    for current in others {
        delta = delta.checked_add((current - last).checked_mul(placed + 1)?)?;
        for c in text.chars().map(u32::from) {
            if c < current {
                delta = delta.checked_add(1)?;
            } else if c == current {
                push_number(&mut code, delta, bias);
                bias = adapt(delta, placed + 1, first);
                first = false;
                delta = 0;
                placed += 1;
            }
        }
        delta = delta.checked_add(1)?;
        last = current + 1;
    }
    Some(code)
}

fn push_number(code: &mut String, number: u32, bias: u32) {
    let mut rest = number;
    for threshold in thresholds(bias) {
        if rest < threshold {
            break;
        }
        let above = rest - threshold;
        code.push(digit(threshold + above % (BASE - threshold)));
        rest = above / (BASE - threshold);
    }
    code.push(digit(rest));
}

/// Returns, for each digit of a number, the value below which it is the last one.
fn thresholds(bias: u32) -> impl Iterator<Item = u32> {
    (1..).map(move |position: u32| (position * BASE).saturating_sub(bias).clamp(T_MIN, T_MAX))
}

/// Returns the bias for the next number, from the last one. The first number says least about the
/// others and is damped most.
fn adapt(delta: u32, places: u32, first: bool) -> u32 {
    let mut delta = if first { delta / DAMP } else { delta / 2 };
    delta += delta / places;
    let mut bias = 0;
    while delta > (BASE - T_MIN) * T_MAX / 2 {
        delta /= BASE - T_MIN;
        bias += BASE;
    }
    bias + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

fn digit_value(byte: u8) -> Option<u32> {
    char::from(byte).to_digit(BASE).map(|value| {
        // In Punycode, letters come before digits; in `to_digit`, after them.
        if value < 10 { value + 26 } else { value - 10 }
    })
}

/// Returns the digit for a value.
///
/// INVARIANT: `value` is below `BASE`, so it is a letter or, from 26 on, a digit.
fn digit(value: u32) -> char {
    let value = u8::try_from(value).unwrap_or(u8::MAX);
    char::from(if value < 26 { b'a' + value } else { b'0'.wrapping_add(value - 26) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ways() {
        for (text, code) in [
            ("münchen", "mnchen-3ya"),
            ("bücher", "bcher-kva"),
            ("ü", "tda"),
            ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
            ("παράδειγμα", "hxajbheg2az3al"),
            ("пример", "e1afmkfd"),
            ("💩", "ls8h"),
        ] {
            assert_eq!(encode(text).as_deref(), Some(code));
            assert_eq!(decode(code).as_deref(), Some(text));
        }
    }

    #[test]
    fn what_does_not_decode() {
        // A number without end, an overflow, letters and signs that are no digits, too long.
        for code in ["td9", "99999999", "a-é", "-!", &"a".repeat(64)] {
            assert_eq!(decode(code), None, "{code}");
        }
    }
}
