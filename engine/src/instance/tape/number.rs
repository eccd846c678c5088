//! Numbers. An integer that fits 64 bits is that. Of any other the reader sees that it is right, and leaves it to whoever looks at it:
//! as its digits and an exponent where a float has all of them, else as its place in the text.
//!
//! Numbers that serde_json refuses are refused: those beyond all floats, unless it keeps numbers as texts.

use super::{Entry, Kind};
use crate::instance::serde_json::NUMBERS_ARE_TEXT;
use crate::instance::written::{self, Notation, Parts};
use std::cell::Cell;

/// Most digits that always fit 64 bits.
const FIT: usize = 19;

/// Numbers below this keep their digits when they are read to a float and written again.
const MAX_ROUND_TRIP: u64 = 1_000_000_000_000_000;

/// Ten to the power of the index. Floats represent each exactly.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
];

/// Ten to the power of the index, as integers of less than 60 bits.
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
pub(super) fn read(text: &str, start: usize, entry: &Cell<Entry>) -> Option<usize> {
    let bytes = text.as_bytes();
    let negative = bytes.get(start) == Some(&b'-');
    let first = start + usize::from(negative);
    let (mut digits, mut at) = digits(bytes, first, 0);
    let mut count = at - first;
    // No digit, or a zero before others.
    if count == 0 || (count > 1 && bytes[first] == b'0') {
        return None;
    }
    let whole = &bytes[first..at];
    let (mut fraction, mut power) = (None, None);
    let mut exponent: i64 = 0;
    if bytes.get(at) == Some(&b'.') {
        let point = at + 1;
        (digits, at) = self::digits(bytes, point, digits);
        if at == point {
            return None;
        }
        count += at - point;
        exponent -= (at - point) as i64;
        fraction = Some(&bytes[point..at]);
    }
    if let Some(b'e' | b'E') = bytes.get(at) {
        at += 1;
        let start = at;
        at += usize::from(matches!(bytes.get(at), Some(b'-' | b'+')));
        let first = at;
        while digit(bytes, at).is_some() {
            at += 1;
        }
        if at == first {
            return None;
        }
        exponent = exponent.saturating_add(written::exponent(&bytes[start..at]));
        power = Some(&bytes[start..at]);
    }
    if fraction.is_none() && power.is_none() {
        // Twenty digits may fit.
        let value = if count <= FIT { Some(digits) } else { text.get(first..at)?.parse().ok() };
        match value {
            Some(value) if !negative => {
                entry.set(Entry::number(Kind::Unsigned, value));
                return Some(at);
            }
            Some(value) if value <= 1 << 63 => {
                entry.set(Entry::number(Kind::Signed, value.wrapping_neg()));
                return Some(at);
            }
            _ => {}
        }
    }
    if count <= FIT
        && let Some(bits) = few_digits(negative, digits, exponent)
    {
        entry.set(Entry::number(Kind::Decimal, bits));
        return Some(at);
    }
    let parts = Parts { is_negative: negative, whole, fraction, exponent: power };
    let notation = parts.notation() as u16;
    entry.set(Entry { short: notation, ..Entry::new(Kind::Exact, start as u32, (at - start) as u32) });
    let is_in_range = NUMBERS_ARE_TEXT
        || exponent.saturating_add(count as i64) < i64::from(f64::MAX_10_EXP)
        || text.get(start..at)?.parse().is_ok_and(f64::is_finite);
    is_in_range.then_some(at)
}

/// A number of few digits as one word: a bit for the sign, seven for how many of the digits are behind the point, and the digits.
///
/// Larger numbers are not put so, and neither is minus zero: their floats may have been integers to draft-04, and they were not.
#[inline(always)]
fn few_digits(negative: bool, digits: u64, exponent: i64) -> Option<u64> {
    let (digits, places) = match exponent {
        0.. => (digits.checked_mul(*INTEGERS.get(exponent as usize)?)?, 0),
        _ => (digits, exponent.unsigned_abs()),
    };
    let is_minus_zero = negative && digits == 0;
    (digits < MAX_ROUND_TRIP && places < POWERS.len() as u64 && !is_minus_zero)
        .then_some(digits << 8 | places << 1 | u64::from(negative))
}

/// The float of a number of few digits. Two floats that are exact give the float next to their quotient.
#[inline(always)]
pub(super) fn of_few_digits(bits: u64) -> f64 {
    let power = POWERS.get((bits >> 1 & 0x7F) as usize).copied().unwrap_or(1.0);
    let value = (bits >> 8) as f64 / power;
    if bits & 1 == 0 { value } else { -value }
}

/// How a number is written, as an entry says.
pub(super) fn notation(short: u16) -> Notation {
    const NOTATIONS: [Notation; 3] = [Notation::Plain, Notation::Integer, Notation::Fraction];
    NOTATIONS.get(short as usize).copied().unwrap_or(Notation::Fraction)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::decimal::Buffer;
    use crate::instance::{Number, Written};

    #[track_caller]
    fn check(text: &str) {
        let entry = Cell::new(Entry::NULL);
        for padding in ["", ", \"a\": 12345"] {
            let padded = format!("{text}{padding}");
            assert_eq!(read(&padded, 0, &entry), Some(text.len()), "{text}");
            let entry = entry.get();
            let exact = Written::new(text).unwrap();
            if entry.kind == Kind::Decimal {
                // The float next to the number, and no digit is lost.
                let float = of_few_digits(entry.bits());
                assert_eq!(float.to_bits(), text.parse::<f64>().unwrap().to_bits(), "{text}");
                let (mut buffer, mut another) = (Buffer::default(), Buffer::default());
                let float = Number::Float(float).decimal(&mut buffer).unwrap();
                assert_eq!(float, Number::Exact(exact).decimal(&mut another).unwrap(), "{text}");
            } else if entry.kind == Kind::Exact {
                assert_eq!(&padded[entry.plain_range()], text);
                assert_eq!(notation(entry.short) == Notation::Plain, exact.is_plain(), "{text}");
                assert_eq!(notation(entry.short) != Notation::Fraction, exact.is_integer(), "{text}");
            }
        }
    }

    #[test]
    fn no_digit_is_lost() {
        let mut seed: u64 = 1;
        for _ in 0..50_000 {
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
    fn numbers_beside_floats() {
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
