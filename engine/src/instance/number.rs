//! Exact numbers: comparison, equality, divisibility.
//!
//! A number is an integer of 64 bits, a float, or a text. Integers are themselves. A float stands for
//! the decimal number that its shortest text shows: 0.1 is a tenth, not the binary fraction
//! next to it. So `0.0075` is a multiple of `0.0001`, and a schema means what its text says.
//!
//! That holds for every number of up to 15 digits. A float whose shortest text has more may have been any number that rounds to it:
//! beside a number that is known by its text it is compared as a float. So a schema that was read to a
//! `serde_json::Value` takes `18446744073709551616` where it says so itself.
//!
//! Nearly all comparisons are decided on machine words, and most others on the floats next to both numbers. The rest goes
//! through [`Decimal`], digits and an exponent, at a cost that grows with the digits and not with the exponent's value.

use super::Written;
use super::decimal::{Buffer, Decimal};
use crate::limits::{Budget, Exhausted, Stopped};
use std::cmp::Ordering;
use std::fmt;

/// A number as a representation holds it.
#[derive(Clone, Copy, Debug)]
pub enum Number<'a> {
    /// An integer that is not negative.
    Unsigned(u64),
    /// A negative integer.
    Signed(i64),
    /// A finite float.
    Float(f64),
    /// Any number, by its text.
    Exact(Written<'a>),
}

/// Integers up to here are floats exactly.
pub(crate) const EXACT_IN_FLOAT: i128 = 1 << 53;

impl<'a> Number<'a> {
    /// Whether the value has no fraction: 1.0 has none.
    #[inline]
    pub fn is_integer(self) -> bool {
        match self {
            Number::Unsigned(_) | Number::Signed(_) => true,
            Number::Float(value) => value.fract() == 0.0,
            Number::Exact(number) => number.is_integer(),
        }
    }

    /// Whether the value has no fraction. Pays for the digits that have to be looked at.
    #[inline]
    pub(crate) fn is_integer_within(self, budget: &mut Budget) -> Result<bool, Stopped> {
        if let Number::Exact(number) = self {
            budget.spend_bytes(number.unread())?;
        }
        Ok(self.is_integer())
    }

    /// Whether it was written without a fraction and an exponent, which is what draft-04 calls an integer.
    pub(crate) fn is_written_as_integer(self) -> bool {
        const BEYOND: f64 = u64::MAX as f64;
        match self {
            Number::Unsigned(_) | Number::Signed(_) => true,
            // Integers that 64 bits cannot hold are floats in a `serde_json::Value`, and so is `-0`. Whether they were written as
            // integers is not known then; of other floats it is known that they were not.
            Number::Float(value) => value >= BEYOND || value <= i64::MIN as f64 || is_minus_zero(value),
            Number::Exact(number) => number.is_plain(),
        }
    }

    /// Whether it was written without a fraction and an exponent. Pays for the digits that have to be looked at.
    pub(crate) fn is_written_as_integer_within(self, budget: &mut Budget) -> Result<bool, Stopped> {
        if let Number::Exact(number) = self {
            budget.spend_bytes(number.unread())?;
        }
        Ok(self.is_written_as_integer())
    }

    /// Returns the value, if it is an integer of 64 bits.
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

    /// Returns the cost of comparing this number, in steps: one for each 32 digits.
    #[inline]
    pub(crate) fn cost(self) -> u64 {
        match self {
            Number::Unsigned(_) | Number::Signed(_) | Number::Float(_) => 0,
            Number::Exact(number) => (number.len() / 32) as u64,
        }
    }

    /// The number as a decimal, whose digits may be in the buffer.
    pub(crate) fn decimal<'b>(self, buffer: &'b mut Buffer) -> Result<Decimal<'b>, Exhausted>
    where
        'a: 'b,
    {
        match self {
            Number::Unsigned(value) => buffer.decimal(format_args!("{value}")),
            Number::Signed(value) => buffer.decimal(format_args!("{value}")),
            Number::Float(value) if value.is_finite() => buffer.decimal(format_args!("{value:e}")),
            // No JSON has such a number, but whoever implements `Node` may.
            Number::Float(_) => buffer.decimal(format_args!("0")),
            Number::Exact(number) => number.decimal(buffer),
        }
    }

    /// Returns the float next to the number. Rounding keeps the order of numbers, so that numbers with different floats are ordered by these.
    pub(crate) fn nearest(self) -> f64 {
        match self {
            Number::Unsigned(value) => value as f64,
            Number::Signed(value) => value as f64,
            Number::Float(value) => value,
            Number::Exact(number) => number.nearest(),
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
        if let (Some(one), Some(other)) = (self.integer(), other.integer()) {
            return Ok(one.cmp(&other));
        }
        match self.nearest().partial_cmp(&other.nearest()) {
            Some(order @ (Ordering::Less | Ordering::Greater)) => Ok(order),
            Some(Ordering::Equal) | None => self.compare_digits(other),
        }
    }

    /// How two numbers compare that are next to the same float.
    fn compare_digits(self, other: Number<'_>) -> Result<Ordering, Exhausted> {
        if let (Number::Float(float), Number::Exact(number)) | (Number::Exact(number), Number::Float(float)) =
            (self, other)
            && is_rounded(float)
            && number.is_integer() == Number::Float(float).is_integer()
        {
            return Ok(Ordering::Equal);
        }
        let (mut buffer, mut another) = (Buffer::default(), Buffer::default());
        Ok(self.decimal(&mut buffer)?.cmp(&other.decimal(&mut another)?))
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

pub(super) fn is_minus_zero(float: f64) -> bool {
    float.to_bits() == (-0.0f64).to_bits()
}

/// Whether a float may stand for a number of more digits than a float always keeps.
fn is_rounded(float: f64) -> bool {
    /// So many digits are the same when they were read to a float and written again.
    const KEPT: usize = 15;
    let mut buffer = Buffer::default();
    Number::Float(float).decimal(&mut buffer).is_ok_and(|decimal| decimal.digits.len() > KEPT)
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn written_numbers() {
        let exact = |text| Number::Exact(Written::new(text).unwrap());
        let order = |one: Number<'_>, other: Number<'_>| {
            let order = one.compare(other).unwrap();
            assert_eq!(other.compare(one), Ok(order.reverse()));
            order
        };
        use Ordering::{Equal, Greater, Less};
        assert_eq!(order(exact("18446744073709551616"), Number::Unsigned(u64::MAX)), Greater);
        assert_eq!(order(exact("9223372036854775808.0"), Number::Unsigned(1 << 63)), Equal);
        assert_eq!(order(exact("-9223372036854775809"), Number::Signed(i64::MIN)), Less);
        assert_eq!(order(exact("9007199254740993.0"), Number::Float(9_007_199_254_740_992.0)), Equal);
        // A float of few digits is what it says.
        assert_eq!(order(exact("0.1000000000000000055511151231257827"), Number::Float(0.1)), Greater);
        assert_eq!(order(exact("0.1000000000000000000"), Number::Float(0.1)), Equal);
        // One of many digits was rounded.
        assert_eq!(order(exact("18446744073709551616"), Number::Float(18_446_744_073_709_551_616.0)), Equal);
        assert_eq!(order(exact("3.14159265358979323846"), Number::Float(std::f64::consts::PI)), Equal);
        assert_eq!(order(exact("18446744073709551616.5"), Number::Float(18_446_744_073_709_551_616.0)), Less);
        // No float is this large, or this small.
        assert_eq!(order(exact("1e999999999"), Number::Float(f64::MAX)), Greater);
        assert_eq!(order(exact("1e-999999999"), Number::Unsigned(0)), Greater);
        assert_eq!(order(exact("2e999999999"), exact("1e999999999")), Greater);
        assert_eq!(order(exact("1e99999999999999999999"), Number::Unsigned(1)), Greater);
        assert_eq!(
            exact("1e99999999999999999999").compare(exact("1e99999999999999999998")),
            Err(Exhausted::Number)
        );
        assert_eq!(size_of::<Number<'_>>(), 24);
    }
}
