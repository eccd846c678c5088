//! Numbers, as serde_json reads them: an integer that fits 64 bits is that, anything else a float.

use super::{Entry, Kind};
use crate::instance::serde_json::NUMBERS_ARE_TEXT;
use std::cell::Cell;

/// So many digits always fit 64 bits.
const FIT: usize = 19;

/// Ten to the power of the index, each of which a float is exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// The same as integers, of less than 60 bits.
const INTEGERS: [u64; 19] = {
    let mut powers = [1; 19];
    let mut power = 1;
    while power < powers.len() {
        powers[power] = powers[power - 1] * 10;
        power += 1;
    }
    powers
};

/// A byte, in each byte of a word.
const ALL: u64 = 0x0101_0101_0101_0101;

/// The integer of up to seven digits that these eight bytes start with, and how many digits it has. Nothing if they start with no
/// number, or another one.
#[inline(always)]
pub(super) fn short(word: u64) -> Option<(u64, u32)> {
    let others = others(word);
    // Eight digits, or none.
    if others == 0 || others as u8 != 0 {
        return None;
    }
    let count = others.trailing_zeros() / 8;
    if word as u8 == b'0' && count > 1 {
        return None;
    }
    if let b'.' | b'e' | b'E' = (word >> (8 * count)) as u8 {
        return None;
    }
    Some((number(word, count), count))
}

/// How many of these eight bytes are digits, up to the first that is none.
#[inline(always)]
fn leading_digits(word: u64) -> u32 {
    others(word).trailing_zeros() / 8
}

/// The high bit of each byte that is no digit. A byte may carry into those behind it, so that only the first is sure.
#[inline(always)]
fn others(word: u64) -> u64 {
    let digits = word ^ (ALL * u64::from(b'0'));
    (digits.wrapping_add(ALL * 0x76) | digits) & (ALL * 0x80)
}

/// The number of the first digits of a word, of which there are one to eight.
#[inline(always)]
fn number(word: u64, count: u32) -> u64 {
    // Zeros before the digits, then each with its neighbor, each pair with the next, and so on.
    let ones = (word ^ (ALL * u64::from(b'0'))) << (64 - 8 * count);
    let tens = (ones.wrapping_mul(10)).wrapping_add(ones >> 8) & 0x00FF_00FF_00FF_00FF;
    let hundreds = (tens.wrapping_mul(100)).wrapping_add(tens >> 16) & 0x0000_FFFF_0000_FFFF;
    (hundreds.wrapping_mul(10_000)).wrapping_add(hundreds >> 32) & 0xFFFF_FFFF
}

/// Reads the number that starts at `start`, and returns the place behind it.
#[cold]
#[inline(never)]
pub(super) fn read(
    text: &str,
    start: usize,
    numbers: &mut Vec<serde_json::Number>,
    entry: &Cell<Entry>,
) -> Option<usize> {
    let bytes = text.as_bytes();
    let negative = bytes.get(start) == Some(&b'-');
    let first = start + usize::from(negative);
    let (mut digits, mut at) = digits(bytes, first, 0);
    let mut count = at - first;
    // No digit, or a zero before others.
    if count == 0 || (count > 1 && bytes[first] == b'0') {
        return None;
    }
    let mut exponent: i64 = 0;
    let mut is_integer = true;
    if bytes.get(at) == Some(&b'.') {
        is_integer = false;
        let point = at + 1;
        (digits, at) = self::digits(bytes, point, digits);
        if at == point {
            return None;
        }
        count += at - point;
        exponent -= (at - point) as i64;
    }
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
    if is_integer {
        // Twenty digits may fit.
        let value = if count <= FIT { Some(digits) } else { text.get(first..at)?.parse().ok() };
        match value {
            Some(value) if !negative => {
                entry.set(Entry::number(Kind::Unsigned, value));
                return Some(at);
            }
            Some(value) if value != 0 && value <= 1 << 63 => {
                entry.set(Entry::number(Kind::Signed, value.wrapping_neg()));
                return Some(at);
            }
            _ => {}
        }
    }
    let text = text.get(start..at)?;
    if NUMBERS_ARE_TEXT {
        numbers.push(serde_json::from_str(text).ok()?);
        entry.set(Entry::number(Kind::Exact, numbers.len() as u64 - 1));
        return Some(at);
    }
    let value = match nearest(digits, exponent) {
        Some(value) if count <= FIT => {
            if negative {
                -value
            } else {
                value
            }
        }
        _ => text.parse().ok()?,
    };
    entry.set(Entry::number(Kind::Float, value.to_bits()));
    value.is_finite().then_some(at)
}

/// The digits from a place on, behind those that were read before, and the place behind them. Past [`FIT`] digits, it is not
/// their number.
#[inline(always)]
fn digits(bytes: &[u8], mut at: usize, mut value: u64) -> (u64, usize) {
    while let Some(eight) = bytes.get(at..at + 8).and_then(<[u8]>::first_chunk) {
        let word = u64::from_le_bytes(*eight);
        let count = leading_digits(word);
        if count < 8 {
            if count > 0 {
                value = value.wrapping_mul(INTEGERS[count as usize]).wrapping_add(number(word, count));
            }
            return (value, at + count as usize);
        }
        value = value.wrapping_mul(INTEGERS[8]).wrapping_add(number(word, 8));
        at += 8;
    }
    while let Some(digit) = digit(bytes, at) {
        value = value.wrapping_mul(10).wrapping_add(digit);
        at += 1;
    }
    (value, at)
}

#[inline(always)]
fn digit(bytes: &[u8], at: usize) -> Option<u64> {
    let digit = bytes.get(at)?.wrapping_sub(b'0');
    (digit < 10).then_some(u64::from(digit))
}

/// The float next to a number with these digits and this exponent, where that takes a step or two.
#[inline(always)]
fn nearest(digits: u64, exponent: i64) -> Option<f64> {
    let power = usize::try_from(exponent.unsigned_abs()).ok()?;
    // Two floats that are exact give the float next to their product or quotient.
    if digits <= 1 << 53 {
        let (digits, power) = (digits as f64, POWERS.get(power)?);
        return Some(if exponent < 0 { digits / power } else { digits * power });
    }
    // So does a quotient of more bits than a float has, here 58 at least, if its last bit says whether there is a rest.
    let power = INTEGERS.get(power).filter(|_| exponent < 0)?;
    let dividend = u128::from(digits) << 64;
    let (quotient, rest) = (dividend / u128::from(*power), dividend % u128::from(*power));
    const ONE: f64 = (1u128 << 64) as f64;
    Some((quotient | u128::from(rest != 0)) as f64 / ONE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str) {
        let entry = Cell::new(Entry::NULL);
        let mut numbers = Vec::new();
        for padding in ["", ", \"a\": 12345"] {
            let padded = format!("{text}{padding}");
            assert_eq!(read(&padded, 0, &mut numbers, &entry), Some(text.len()), "{text}");
            if entry.get().kind == Kind::Float {
                assert_eq!(entry.get().bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
            }
        }
    }

    #[test]
    fn floats_are_the_nearest() {
        let mut seed: u64 = 1;
        for _ in 0..200_000 {
            seed = seed.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            let digits = seed >> (seed % 61);
            let point = (seed >> 32) % 21;
            let text = format!("{digits:020}");
            let (whole, fraction) = text.split_at(text.len() - point as usize);
            let whole = whole.trim_start_matches('0');
            let sign = if seed & 1 == 0 { "-" } else { "" };
            let whole = if whole.is_empty() { "0" } else { whole };
            check(&format!("{sign}{whole}.{fraction}0"));
            check(&format!("{sign}{whole}e-{point}"));
            check(&format!("{sign}{whole}E{point}"));
        }
    }

    #[test]
    fn halves_go_to_even() {
        // Between two floats, and a little to either side.
        for text in
            ["9007199254740993.0", "9007199254740993.001", "9007199254740992.999", "900719925474.0993"]
        {
            check(text);
            check(&format!("-{text}"));
        }
        for shift in 0..11 {
            let half = ((1u64 << 53 | 1) << 1 | 1) << shift >> 1;
            check(&format!("{half}.0"));
            check(&format!("{half}.5"));
            check(&format!("{half}00e-2"));
        }
    }
}
