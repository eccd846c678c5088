//! Divisibility, exact and mostly on machine words.

use super::number::{Decimal, Number};
use crate::limits::Exhausted;
use std::num::NonZeroU64;

impl Number<'_> {
    /// Whether this is `divisor` times an integer. The divisor is not zero.
    pub(crate) fn is_multiple_of(self, divisor: &Divisor) -> Result<bool, Exhausted> {
        // Dividing 128 bits takes a call and many times as long.
        if let (Number::Unsigned(value), Some(small)) = (self, divisor.small) {
            return Ok(value % small == 0);
        }
        if let (Some(value), Some(divisor)) = (self.integer(), divisor.integer) {
            return Ok(value % divisor == 0);
        }
        if let (Number::Float(value), Some(scaled)) = (self, divisor.scaled)
            && let Some(is_multiple) = scaled.divides(value)
        {
            return Ok(is_multiple);
        }
        Ok(self.decimal()?.is_multiple_of(&divisor.decimal))
    }
}

/// What `multipleOf` divides by, in the forms that a division needs.
#[derive(Clone, Debug)]
pub(crate) struct Divisor {
    small: Option<NonZeroU64>,
    scaled: Option<Scaled>,
    integer: Option<i128>,
    decimal: Decimal,
}

impl Divisor {
    pub(crate) fn new(number: Number<'_>) -> Result<Divisor, Exhausted> {
        let integer = number.integer();
        let small = integer.and_then(|integer| NonZeroU64::new(u64::try_from(integer).ok()?));
        let decimal = number.decimal()?;
        Ok(Divisor { small, scaled: Scaled::new(&decimal), integer, decimal })
    }

    /// The divisor as an integer of 64 bits, if it is one.
    pub(crate) fn small(&self) -> Option<NonZeroU64> {
        self.small
    }

    pub(crate) fn is_positive(&self) -> bool {
        self.decimal.is_positive()
    }
}

/// A decimal number as an integer by a power of ten that is a float exactly.
#[derive(Clone, Copy, Debug)]
struct Scaled {
    integer: NonZeroU64,
    power: f64,
}

impl Scaled {
    fn new(decimal: &Decimal) -> Option<Scaled> {
        // Ten to the 22 is the last power that is a float.
        let places =
            u32::try_from(decimal.exponent.min(0).unsigned_abs()).ok().filter(|&places| places <= 22)?;
        let mut shifted = decimal.clone();
        shifted.exponent = shifted.exponent.max(0);
        let (integer, _) = shifted.small_integer()?;
        Some(Scaled { integer: NonZeroU64::new(integer)?, power: 10f64.powi(places as i32) })
    }

    /// Whether this divides a float; nothing if that takes more than a float to tell.
    ///
    /// A multiple is an integer by the same power of ten. If that integer has up to 15 digits, it is the nearest one to the float
    /// times the power, and by that power it is the float again: the division rounds to the float that is nearest to
    /// the decimal number, and no two decimal numbers of 15 digits have the same.
    #[inline]
    fn divides(self, value: f64) -> Option<bool> {
        let value = value.abs();
        let integer = (value * self.power).round();
        (integer < 1e15).then(|| integer / self.power == value && (integer as u64) % self.integer == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn multiples_of_floats_are_told_by_floats() {
        let texts = ["0.01", "0.0001", "0.5", "2.5", "1e-22", "3", "0.3", "1e-23", "1e20", "0.07"];
        let mut values =
            vec![0.0, -0.0, 0.1, 0.29, 0.07, 1e-22, 3e-22, 5e-324, 4.35, 1.005, 0.30000000000000004];
        values.extend([
            1e14,
            999_999_999_999_999.9,
            99_999_999_999_999.98,
            1e15,
            1e22,
            1e300,
            123_456.78,
            2.675,
        ]);
        values.extend((0..2000).map(|index| f64::from(index) * 0.01));
        values.extend((0..2000).map(|index| f64::from(index) / 100.0));
        for text in texts {
            let number: serde_json::Number = serde_json::from_str(text).unwrap();
            let divisor = Divisor::new(Number::from(&number)).unwrap();
            for value in values.iter().flat_map(|&value| [value, -value]) {
                let exactly = Number::Float(value).decimal().unwrap().is_multiple_of(&divisor.decimal);
                assert_eq!(Number::Float(value).is_multiple_of(&divisor), Ok(exactly), "{value} by {text}");
            }
        }
    }
}
