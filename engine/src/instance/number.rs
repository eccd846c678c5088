//! Exact numbers: comparison, equality, divisibility.
//!
//! A number is an integer of 64 bits, a float, or a text. Integers are themselves. A float stands for
//! the decimal number that its shortest text shows: 0.1 is a tenth, not the binary fraction
//! next to it. So `0.0075` is a multiple of `0.0001`, and a schema means what its text says.
//!
//! Nearly all comparisons are decided on machine words. The rest goes through [`Decimal`], digits
//! and an exponent, at a cost that grows with the digits and not with the exponent's value.

use crate::limits::Exhausted;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::fmt::{self, Write};

/// A number as a representation holds it.
#[derive(Clone, Copy, Debug)]
pub enum Number<'a> {
    /// An integer that is not negative.
    Unsigned(u64),
    /// A negative integer.
    Signed(i64),
    /// A finite float.
    Float(f64),
    /// Any number, by its text (serde_json's `arbitrary_precision`).
    Exact(&'a serde_json::Number),
}

/// Integers up to here are floats exactly.
pub(crate) const EXACT_IN_FLOAT: i128 = 1 << 53;

impl Number<'_> {
    /// Whether the value has no fraction: 1.0 has none.
    #[inline]
    pub fn is_integer(self) -> bool {
        match self {
            Number::Unsigned(_) | Number::Signed(_) => true,
            Number::Float(value) => value.fract() == 0.0,
            Number::Exact(number) => match self.decimal() {
                Ok(decimal) => decimal.exponent >= 0,
                Err(_) => !number.to_string().contains("e-"),
            },
        }
    }

    /// Whether it was written without a fraction, which is what draft-04 calls an integer.
    pub(crate) fn is_written_as_integer(self) -> bool {
        match self {
            Number::Unsigned(_) | Number::Signed(_) => true,
            // Written with a fraction or an exponent, or as an integer that is too large for 64 bits.
            Number::Float(value) => value.abs() >= u64::MAX as f64,
            Number::Exact(number) => self.is_integer() && !number.to_string().contains('.'),
        }
    }

    /// The value, if it is an integer, and not too large to be told at once.
    #[inline]
    pub(crate) fn integer(self) -> Option<i128> {
        match self {
            Number::Unsigned(value) => Some(i128::from(value)),
            Number::Signed(value) => Some(i128::from(value)),
            Number::Float(value) if value.fract() == 0.0 && value.abs() < EXACT_IN_FLOAT as f64 => {
                Some(value as i128)
            }
            Number::Float(_) | Number::Exact(_) => None,
        }
    }

    /// What a comparison of this number costs, in steps: one for each 64 digits.
    #[inline]
    pub(crate) fn cost(self) -> u64 {
        match self {
            Number::Unsigned(_) | Number::Signed(_) | Number::Float(_) => 0,
            Number::Exact(number) => (text(number).len() / 64) as u64,
        }
    }

    pub(crate) fn decimal(self) -> Result<Decimal, Exhausted> {
        match self {
            Number::Unsigned(value) => Ok(Decimal::from_integer(i128::from(value))),
            Number::Signed(value) => Ok(Decimal::from_integer(i128::from(value))),
            Number::Float(value) => {
                let mut buffer = Buffer::default();
                let _ = write!(buffer, "{value:e}");
                Decimal::parse(&buffer.0)
            }
            Number::Exact(number) => Decimal::parse(&text(number).0),
        }
    }

    /// How the two compare by value.
    #[inline]
    pub(crate) fn compare(self, other: Number<'_>) -> Result<Ordering, Exhausted> {
        match (self, other) {
            (Number::Unsigned(a), Number::Unsigned(b)) => Ok(a.cmp(&b)),
            (Number::Float(a), Number::Float(b)) => Ok(a.partial_cmp(&b).unwrap_or(Ordering::Equal)),
            (Number::Float(a), Number::Unsigned(b)) if i128::from(b) < EXACT_IN_FLOAT => {
                Ok(a.partial_cmp(&(b as f64)).unwrap_or(Ordering::Equal))
            }
            (Number::Unsigned(a), Number::Float(b)) if i128::from(a) < EXACT_IN_FLOAT => {
                Ok((a as f64).partial_cmp(&b).unwrap_or(Ordering::Equal))
            }
            (Number::Unsigned(_), Number::Signed(..0)) => Ok(Ordering::Greater),
            (Number::Signed(..0), Number::Unsigned(_)) => Ok(Ordering::Less),
            _ => self.compare_mixed(other),
        }
    }

    fn compare_mixed(self, other: Number<'_>) -> Result<Ordering, Exhausted> {
        let small = |integer: i128| integer.abs() < EXACT_IN_FLOAT;
        match (self.integer(), other.integer()) {
            (Some(a), Some(b)) => return Ok(a.cmp(&b)),
            (Some(a), None) if small(a) => {
                if let Number::Float(b) = other {
                    return Ok((a as f64).partial_cmp(&b).unwrap_or(Ordering::Equal));
                }
            }
            (None, Some(b)) if small(b) => {
                if let Number::Float(a) = self {
                    return Ok(a.partial_cmp(&(b as f64)).unwrap_or(Ordering::Equal));
                }
            }
            _ => {}
        }
        Ok(self.decimal()?.cmp(&other.decimal()?))
    }

    /// Whether the two are one number.
    #[inline]
    pub(crate) fn equals(self, other: Number<'_>) -> Result<bool, Exhausted> {
        Ok(self.compare(other)? == Ordering::Equal)
    }
}

impl fmt::Display for Number<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Unsigned(value) => write!(f, "{value}"),
            Number::Signed(value) => write!(f, "{value}"),
            Number::Float(value) => match serde_json::Number::from_f64(*value) {
                Some(number) => write!(f, "{number}"),
                None => write!(f, "{value}"),
            },
            Number::Exact(number) => write!(f, "{number}"),
        }
    }
}

/// A text on the stack, unless it is long.
#[derive(Default)]
struct Buffer(SmallVec<[u8; 32]>);

impl Buffer {
    fn len(&self) -> usize {
        self.0.len()
    }
}

impl Write for Buffer {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

fn text(number: &serde_json::Number) -> Buffer {
    let mut buffer = Buffer::default();
    let _ = write!(buffer, "{number}");
    buffer
}

/// A decimal number in its one canonical form: `digits`, taken as an integer, times ten to the
/// `exponent`. Digits neither start nor end with a zero; zero has none, and is not negative.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Decimal {
    negative: bool,
    digits: SmallVec<[u8; 24]>,
    pub(super) exponent: i64,
}

impl Decimal {
    fn from_integer(value: i128) -> Decimal {
        let mut buffer = Buffer::default();
        let _ = write!(buffer, "{}", value.unsigned_abs());
        Decimal::canonical(value < 0, buffer.0.iter().copied(), 0)
    }

    /// Reads a number as JSON (or Rust's `{:e}`) writes it. An exponent beyond a quintillion is
    /// more than we compute with.
    fn parse(text: &[u8]) -> Result<Decimal, Exhausted> {
        let (negative, text) = match text.strip_prefix(b"-") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = match text.iter().position(|byte| matches!(byte, b'e' | b'E')) {
            Some(at) => (&text[..at], read_exponent(&text[at + 1..])?),
            None => (text, 0),
        };
        let fraction = match mantissa.iter().position(|&byte| byte == b'.') {
            Some(at) => mantissa.len() - at - 1,
            None => 0,
        };
        let digits = mantissa.iter().copied().filter(u8::is_ascii_digit);
        Ok(Decimal::canonical(negative, digits, exponent - fraction as i64))
    }

    fn canonical(negative: bool, digits: impl Iterator<Item = u8>, mut exponent: i64) -> Decimal {
        let mut digits: SmallVec<[u8; 24]> =
            digits.map(|digit| digit - b'0').skip_while(|&digit| digit == 0).collect();
        while digits.last() == Some(&0) {
            digits.pop();
            exponent += 1;
        }
        let zero = digits.is_empty();
        Decimal { negative: negative && !zero, digits, exponent: if zero { 0 } else { exponent } }
    }

    /// The magnitude and whether it is negative, if this is an integer whose magnitude fits 64 bits.
    pub(crate) fn small_integer(&self) -> Option<(u64, bool)> {
        if self.exponent < 0 || self.exponent > 20 {
            return None;
        }
        let zeros = std::iter::repeat_n(&0, self.exponent as usize);
        let magnitude = self
            .digits
            .iter()
            .chain(zeros)
            .try_fold(0u64, |value, &digit| value.checked_mul(10)?.checked_add(u64::from(digit)))?;
        Some((magnitude, self.negative))
    }

    pub(crate) fn is_negative(&self) -> bool {
        self.negative
    }

    pub(super) fn is_positive(&self) -> bool {
        !self.negative && !self.digits.is_empty()
    }

    /// Whether `divisor · k` is this for some integer `k`.
    ///
    /// With `a · 10^e` for the quotient's numerator and `b` for the divisor's digits, the question is
    /// whether `b` divides `a · 10^e`. If `e` is negative it does not: `a` does not end in a zero. If `e`
    /// is large, only so many tens can matter as `b` has factors of two or five, and it has
    /// no more of either than four for each digit.
    pub(super) fn is_multiple_of(&self, divisor: &Decimal) -> bool {
        if self.digits.is_empty() {
            return true;
        }
        let tens = self.exponent.saturating_sub(divisor.exponent);
        if tens < 0 {
            return false;
        }
        let tens = (tens as u64).min(4 * divisor.digits.len() as u64) as usize;
        let dividend = self.digits.iter().copied().chain(std::iter::repeat_n(0, tens));
        if divisor.digits.len() <= 19 {
            let divisor = divisor.digits.iter().fold(0u128, |value, &digit| value * 10 + u128::from(digit));
            dividend.fold(0u128, |rest, digit| (rest * 10 + u128::from(digit)) % divisor) == 0
        } else {
            remainder_is_zero(dividend, &divisor.digits)
        }
    }
}

/// Long division by more digits than fit a word: each digit of the dividend costs at most nine
/// subtractions.
fn remainder_is_zero(dividend: impl Iterator<Item = u8>, divisor: &[u8]) -> bool {
    // One digit longer than the divisor, most significant first.
    let mut rest: Vec<u8> = vec![0; divisor.len() + 1];
    for digit in dividend {
        rest.rotate_left(1);
        if let Some(last) = rest.last_mut() {
            *last = digit;
        }
        while rest[0] > 0 || &rest[1..] >= divisor {
            let mut borrow = 0;
            for (place, &digit) in rest[1..].iter_mut().zip(divisor).rev() {
                let taken = digit + borrow;
                borrow = u8::from(*place < taken);
                *place = *place + 10 * borrow - taken;
            }
            rest[0] -= borrow;
        }
    }
    rest.iter().all(|&digit| digit == 0)
}

/// An exponent as text, with or without a sign.
fn read_exponent(text: &[u8]) -> Result<i64, Exhausted> {
    let (negative, digits) = match text.split_first() {
        Some((b'-', rest)) => (true, rest),
        Some((b'+', rest)) => (false, rest),
        Some(_) | None => (false, text),
    };
    let mut value: i64 = 0;
    for &digit in digits {
        if value >= 100_000_000_000_000_000 {
            return Err(Exhausted::Number);
        }
        value = value * 10 + i64::from(digit.wrapping_sub(b'0'));
    }
    Ok(if negative { -value } else { value })
}

impl Ord for Decimal {
    fn cmp(&self, other: &Decimal) -> Ordering {
        let sign = |decimal: &Decimal| match (decimal.digits.is_empty(), decimal.negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let by_sign = sign(self).cmp(&sign(other));
        if by_sign != Ordering::Equal {
            return by_sign;
        }
        // The place of the first digit decides, then the digits: neither side starts with a zero.
        let place = |decimal: &Decimal| decimal.exponent.saturating_add(decimal.digits.len() as i64);
        let magnitude = place(self).cmp(&place(other)).then_with(|| self.digits.cmp(&other.digits));
        if self.negative { magnitude.reverse() } else { magnitude }
    }
}

impl PartialOrd for Decimal {
    fn partial_cmp(&self, other: &Decimal) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text.as_bytes()).unwrap()
    }

    #[test]
    fn order_by_value() {
        let ascending = [
            "-1e400",
            "-12.5",
            "-12.45",
            "-1",
            "-1e-5",
            "0",
            "1e-400",
            "0.1",
            "0.10000000000000000001",
            "0.11",
            "1",
            "1.5",
            "9",
            "10",
            "10.5",
            "99999999999999999999",
            "1e20",
            "1e400",
        ];
        for (index, low) in ascending.iter().enumerate() {
            assert_eq!(decimal(low).cmp(&decimal(low)), Ordering::Equal);
            for high in &ascending[index + 1..] {
                assert_eq!(decimal(low).cmp(&decimal(high)), Ordering::Less, "{low} < {high}");
                assert_eq!(decimal(high).cmp(&decimal(low)), Ordering::Greater, "{high} > {low}");
            }
        }
    }

    #[test]
    fn one_form_for_one_value() {
        for (one, other) in [("1", "1.0"), ("100", "1e2"), ("0.0", "-0"), ("0.01", "1e-2"), ("1E+2", "1e2")] {
            assert_eq!(decimal(one), decimal(other));
        }
        assert_eq!(Decimal::parse(b"1e1000000000000000001"), Err(Exhausted::Number));
        assert_eq!(Decimal::parse(b"1e99999999999999999999999999"), Err(Exhausted::Number));
    }

    #[test]
    fn mixed_kinds() {
        let less = |a: Number<'_>, b: Number<'_>| {
            assert_eq!(a.compare(b), Ok(Ordering::Less));
            assert_eq!(b.compare(a), Ok(Ordering::Greater));
        };
        less(Number::Signed(-1), Number::Unsigned(0));
        less(Number::Unsigned(1), Number::Float(1.5));
        less(Number::Unsigned(u64::MAX), Number::Float(1e20));
        less(Number::Unsigned(9_007_199_254_740_992), Number::Unsigned(9_007_199_254_740_993));
        less(Number::Float(-1e300), Number::Signed(i64::MIN));
        assert_eq!(Number::Float(1.0).equals(Number::Unsigned(1)), Ok(true));
        assert_eq!(Number::Float(1e19).equals(Number::Unsigned(10_000_000_000_000_000_000)), Ok(true));
    }

    #[test]
    fn multiples() {
        let multiple = |value: &str, divisor: &str| decimal(value).is_multiple_of(&decimal(divisor));
        assert!(multiple("0.0075", "0.0001"));
        assert!(!multiple("0.00751", "0.0001"));
        assert!(multiple("1e308", "0.5"));
        assert!(!multiple("1e308", "0.123456789"));
        assert!(multiple("0", "0.3"));
        assert!(multiple("-4.5", "1.5"));
        assert!(!multiple("1", "3"));
        assert!(multiple("1e1000000", "1024"));
        assert!(multiple("1e1000000000000", "1e-1000000000000"));
        // A divisor of more digits than a word holds.
        assert!(multiple("246913578024691357802469135780", "123456789012345678901234567890"));
        assert!(!multiple("246913578024691357802469135781", "123456789012345678901234567890"));
        assert!(multiple("1e100", "1267650600228229401496703205376"));
        assert!(!multiple("1e99", "1267650600228229401496703205377"));
    }
}
