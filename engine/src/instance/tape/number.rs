//! Numbers, as serde_json reads them: an integer that fits 64 bits is that, anything else a float.

use super::{Entry, Kind};
use crate::instance::serde_json::NUMBERS_ARE_TEXT;

/// So many digits always fit 64 bits.
const FIT: usize = 19;

/// Ten to the power of the index, each of which a float is exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The integer of up to seven digits that these eight bytes start with, and how many digits it has. Nothing if they start with no
/// number, or another one.
#[inline(always)]
pub(super) fn short(word: u64) -> Option<(u64, u32)> {
    const ALL: u64 = 0x0101_0101_0101_0101;
    let digits = word ^ (ALL * u64::from(b'0'));
    // The high bit of each byte that is no digit. A byte may carry into those behind it, which does not matter.
    let others = (digits.wrapping_add(ALL * 0x76) | digits) & (ALL * 0x80);
    let bits = others.trailing_zeros() & !7;
    if !(8..64).contains(&bits) || (bits > 8 && digits as u8 == 0) {
        return None;
    }
    if let b'.' | b'e' | b'E' = (word >> bits) as u8 {
        return None;
    }
    // Zeros before the digits, then each with its neighbor, each pair with the next, and so on.
    let ones = digits << (64 - bits);
    let tens = (ones.wrapping_mul(10)).wrapping_add(ones >> 8) & 0x00FF_00FF_00FF_00FF;
    let hundreds = (tens.wrapping_mul(100)).wrapping_add(tens >> 16) & 0x0000_FFFF_0000_FFFF;
    let value = (hundreds.wrapping_mul(10_000)).wrapping_add(hundreds >> 32) & 0xFFFF_FFFF;
    Some((value, bits / 8))
}

/// Reads the number that starts at `start`, and returns the place behind it.
#[inline(never)]
pub(super) fn read(
    text: &str,
    start: usize,
    numbers: &mut Vec<serde_json::Number>,
    entry: &mut Entry,
) -> Option<usize> {
    let bytes = text.as_bytes();
    let negative = bytes.get(start) == Some(&b'-');
    let first = start + usize::from(negative);
    let mut at = first;
    let mut value: u64 = 0;
    while let Some(digit) = digit(bytes, at) {
        value = value.wrapping_mul(10).wrapping_add(digit);
        at += 1;
    }
    // No digit, or a zero before others.
    if at == first || (at > first + 1 && bytes.get(first) == Some(&b'0')) {
        return None;
    }
    let is_integer = !matches!(bytes.get(at), Some(b'.' | b'e' | b'E'));
    if is_integer && at - first <= FIT {
        if !negative {
            *entry = Entry::number(Kind::Unsigned, value);
            return Some(at);
        }
        if value != 0 && value <= 1 << 63 {
            *entry = Entry::number(Kind::Signed, value.wrapping_neg());
            return Some(at);
        }
    }
    read_float(text, start, first, numbers, entry)
}

#[inline(always)]
fn digit(bytes: &[u8], at: usize) -> Option<u64> {
    let digit = bytes.get(at)?.wrapping_sub(b'0');
    (digit < 10).then_some(u64::from(digit))
}

/// The number whose first digit is at `first`, if that is not an integer of up to [`FIT`] digits.
#[inline(never)]
fn read_float(
    text: &str,
    start: usize,
    first: usize,
    numbers: &mut Vec<serde_json::Number>,
    entry: &mut Entry,
) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut at = first;
    let mut digits: u64 = 0;
    while let Some(digit) = digit(bytes, at) {
        digits = digits.wrapping_mul(10).wrapping_add(digit);
        at += 1;
    }
    let mut count = at - first;
    let mut exponent: i64 = 0;
    if bytes.get(at) == Some(&b'.') {
        at += 1;
        let fraction = at;
        while let Some(digit) = digit(bytes, at) {
            digits = digits.wrapping_mul(10).wrapping_add(digit);
            at += 1;
        }
        if at == fraction {
            return None;
        }
        count += at - fraction;
        exponent -= (at - fraction) as i64;
    }
    let mut is_integer = exponent == 0;
    if let Some(b'e' | b'E') = bytes.get(at) {
        is_integer = false;
        at += 1;
        let negative = bytes.get(at) == Some(&b'-');
        at += usize::from(matches!(bytes.get(at), Some(b'-' | b'+')));
        let first = at;
        let mut value: i64 = 0;
        while let Some(digit) = digit(bytes, at) {
            value = value.saturating_mul(10).saturating_add(digit as i64);
            at += 1;
        }
        if at == first {
            return None;
        }
        exponent = exponent.saturating_add(if negative { -value } else { value });
    }
    let text = text.get(start..at)?;
    if is_integer && let Ok(value) = text.parse::<u64>() {
        *entry = Entry::number(Kind::Unsigned, value);
        return Some(at);
    }
    if NUMBERS_ARE_TEXT {
        numbers.push(serde_json::from_str(text).ok()?);
        *entry = Entry::number(Kind::Exact, numbers.len() as u64 - 1);
        return Some(at);
    }
    // Two floats that are exact give the float next to their product or quotient.
    let power = usize::try_from(exponent.unsigned_abs()).ok().and_then(|power| POWERS.get(power));
    let value = match power {
        Some(power) if count <= FIT && digits <= 1 << 53 => {
            let digits = digits as f64;
            let value = if exponent < 0 { digits / power } else { digits * power };
            if first > start { -value } else { value }
        }
        _ => text.parse().ok()?,
    };
    *entry = Entry::number(Kind::Float, value.to_bits());
    value.is_finite().then_some(at)
}
