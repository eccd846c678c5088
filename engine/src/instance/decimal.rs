//! Decimal numbers of any length: order, equality, divisibility.
//!
//! Their cost grows with their digits, and never with the value of an exponent.

use super::written::{Parts, exponent, without_zeros};
use crate::limits::Exhausted;
use smallvec::SmallVec;
use std::cmp::Ordering;
use std::fmt::{self, Write};

/// Bytes on the stack, unless there are many.
pub(super) type Bytes = SmallVec<[u8; 32]>;

/// Where a decimal has its digits, if they cannot be borrowed from its text.
#[derive(Default)]
pub(crate) struct Buffer {
    pub(super) text: Bytes,
    pub(super) digits: Bytes,
}

impl Buffer {
    /// The decimal that something is when it is written.
    pub(super) fn decimal(&mut self, number: fmt::Arguments<'_>) -> Result<Decimal<'_>, Exhausted> {
        self.text.clear();
        let _ = Append(&mut self.text).write_fmt(number);
        Decimal::parse(&self.text, &mut self.digits)
    }
}

pub(super) struct Append<'b>(pub(super) &'b mut Bytes);

impl Write for Append<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

/// A decimal number in its one canonical form: `digits`, taken as an integer, times ten to the
/// `exponent`. Digits neither start nor end with a zero; zero has none, and is not negative.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Decimal<'t> {
    is_negative: bool,
    /// As characters.
    pub(super) digits: &'t [u8],
    pub(super) exponent: i64,
}

/// Exponents beyond a quintillion are more than we compute with.
const MAX_EXPONENT: u64 = 1_000_000_000_000_000_000;

impl<'t> Decimal<'t> {
    /// Reads a number as JSON (or Rust's `{:e}`) writes it. Digits that are not together in the text are put into the buffer.
    pub(super) fn parse(text: &'t [u8], buffer: &'t mut Bytes) -> Result<Decimal<'t>, Exhausted> {
        let parts = Parts::of(text);
        let fraction = without_zeros(parts.fraction.unwrap_or_default());
        let start = parts.whole.iter().take_while(|&&digit| digit == b'0').count();
        let (digits, end) = match (&parts.whole[start..], fraction) {
            (whole, []) => (without_zeros(whole), parts.whole.len() as i64),
            ([], fraction) => {
                let zeros = fraction.iter().take_while(|&&digit| digit == b'0').count();
                (&fraction[zeros..], -(fraction.len() as i64))
            }
            (whole, fraction) => {
                buffer.clear();
                buffer.extend_from_slice(whole);
                buffer.extend_from_slice(fraction);
                (&**buffer, -(fraction.len() as i64))
            }
        };
        // Behind a point, the exponent is where the digits end; before it, how many zeros were left out.
        let shift = if fraction.is_empty() { end - (start + digits.len()) as i64 } else { end };
        if digits.is_empty() {
            return Ok(Decimal { is_negative: false, digits, exponent: 0 });
        }
        let exponent = exponent(parts.exponent.unwrap_or_default());
        if exponent.unsigned_abs() >= MAX_EXPONENT {
            return Err(Exhausted::Number);
        }
        Ok(Decimal { is_negative: parts.is_negative, digits, exponent: exponent + shift })
    }

    /// The magnitude and whether it is negative, if this is an integer whose magnitude fits 64 bits.
    pub(crate) fn small_integer(&self) -> Option<(u64, bool)> {
        let zeros = usize::try_from(self.exponent).ok().filter(|zeros| zeros + self.digits.len() <= 20)?;
        let zeros = std::iter::repeat_n(&b'0', zeros);
        let magnitude = self.digits.iter().chain(zeros).try_fold(0u64, |value, &digit| {
            value.checked_mul(10)?.checked_add(u64::from(digit.wrapping_sub(b'0')))
        })?;
        Some((magnitude, self.is_negative))
    }

    pub(crate) fn is_negative(&self) -> bool {
        self.is_negative
    }

    pub(super) fn is_positive(&self) -> bool {
        !self.is_negative && !self.digits.is_empty()
    }
}

impl Ord for Decimal<'_> {
    fn cmp(&self, other: &Decimal<'_>) -> Ordering {
        let sign = |decimal: &Decimal<'_>| match (decimal.digits.is_empty(), decimal.is_negative) {
            (true, _) => 0,
            (false, true) => -1,
            (false, false) => 1,
        };
        let by_sign = sign(self).cmp(&sign(other));
        if by_sign != Ordering::Equal {
            return by_sign;
        }
        // The place of the first digit decides, then the digits: neither side starts with a zero.
        let place = |decimal: &Decimal<'_>| decimal.exponent.saturating_add(decimal.digits.len() as i64);
        let magnitude = place(self).cmp(&place(other)).then_with(|| self.digits.cmp(other.digits));
        if self.is_negative { magnitude.reverse() } else { magnitude }
    }
}

impl PartialOrd for Decimal<'_> {
    fn partial_cmp(&self, other: &Decimal<'_>) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare(one: &str, other: &str) -> Ordering {
        let (mut buffer, mut another) = (Bytes::new(), Bytes::new());
        let one = Decimal::parse(one.as_bytes(), &mut buffer).unwrap();
        one.cmp(&Decimal::parse(other.as_bytes(), &mut another).unwrap())
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
            assert_eq!(compare(low, low), Ordering::Equal);
            for high in &ascending[index + 1..] {
                assert_eq!(compare(low, high), Ordering::Less, "{low} < {high}");
                assert_eq!(compare(high, low), Ordering::Greater, "{high} > {low}");
            }
        }
    }

    #[test]
    fn one_form_for_one_value() {
        for (one, other) in [
            ("1", "1.0"),
            ("100", "1e2"),
            ("0.0", "-0"),
            ("0.01", "1e-2"),
            ("1E+2", "1e2"),
            ("1200.003400", "12000034e-4"),
            ("0.0012", "12e-4"),
            ("1200", "0.0012e6"),
            ("0e5", "0.000"),
            ("0e99999999999999999999", "0"),
        ] {
            let (mut buffer, mut another) = (Bytes::new(), Bytes::new());
            let one = Decimal::parse(one.as_bytes(), &mut buffer).unwrap();
            assert_eq!(one, Decimal::parse(other.as_bytes(), &mut another).unwrap(), "{other}");
        }
        let mut buffer = Bytes::new();
        for text in ["1e1000000000000000001", "1e99999999999999999999999999", "1e-99999999999999999999999999"]
        {
            assert_eq!(Decimal::parse(text.as_bytes(), &mut buffer).err(), Some(Exhausted::Number));
        }
    }
}
