//! Divisibility, exact and mostly on machine words.

use super::decimal::{Buffer, Decimal};
use super::number::Number;
use crate::heap::Heap;
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
        let mut buffer = Buffer::default();
        Ok(divisor.divides(&self.decimal(&mut buffer)?))
    }
}

/// The divisor of a `multipleOf`, in the forms that a division needs.
#[derive(Clone, Debug)]
pub(crate) struct Divisor {
    small: Option<NonZeroU64>,
    scaled: Option<Scaled>,
    integer: Option<i128>,
    is_positive: bool,
    /// The divisor is this times ten to the `exponent`.
    magnitude: Magnitude,
    exponent: i64,
}

/// The digits of a divisor, as an integer.
#[derive(Clone, Debug)]
enum Magnitude {
    Word(NonZeroU64),
    /// Nine digits each, the most significant first. There are three at least.
    Limbs(Box<[u32]>),
}

impl Heap for Divisor {
    fn heap(&self) -> usize {
        match &self.magnitude {
            Magnitude::Word(_) => 0,
            Magnitude::Limbs(limbs) => limbs.heap(),
        }
    }
}

impl Divisor {
    pub(crate) fn new(number: Number<'_>) -> Result<Divisor, Exhausted> {
        let integer = number.integer();
        let small = integer.and_then(|integer| NonZeroU64::new(u64::try_from(integer).ok()?));
        let mut buffer = Buffer::default();
        let decimal = number.decimal(&mut buffer)?;
        let magnitude = match u64::try_from(decimal.digits.len()) {
            // Zero has no digits, and is no divisor.
            Ok(..=19) => Magnitude::Word(NonZeroU64::new(value(decimal.digits)).unwrap_or(NonZeroU64::MIN)),
            _ => Magnitude::Limbs(limbs(decimal.digits, 0).map(|limb| limb as u32).collect()),
        };
        let scaled = Scaled::new(&decimal);
        let (is_positive, exponent) = (decimal.is_positive(), decimal.exponent);
        Ok(Divisor { small, scaled, integer, is_positive, magnitude, exponent })
    }

    /// The divisor as an integer of 64 bits, if it is one.
    pub(crate) fn small(&self) -> Option<NonZeroU64> {
        self.small
    }

    pub(crate) fn is_positive(&self) -> bool {
        self.is_positive
    }

    /// Returns the cost of a division, in steps, given that of a comparison of the dividend.
    pub(crate) fn cost(&self, dividend: u64) -> u64 {
        let Magnitude::Limbs(limbs) = &self.magnitude else { return 4 * (1 + dividend) };
        // Every limb of the dividend, and of the zeros behind it, times every limb of the divisor.
        let limbs = limbs.len() as u64;
        (4 + 4 * dividend + 4 * limbs).saturating_mul(1 + limbs / 4)
    }

    /// Whether `self · k` is the dividend for some integer `k`.
    ///
    /// With `a · 10^e` for the dividend, if the divisor's digits are `b` and its own exponent is taken off, the question is
    /// whether `b` divides `a · 10^e`. If `e` is negative it does not: `a` does not end in a zero. If `e`
    /// is large, only so many tens can matter as `b` has factors of two or five, and it has
    /// no more of either than four for each digit.
    fn divides(&self, dividend: &Decimal<'_>) -> bool {
        if dividend.digits.is_empty() {
            return true;
        }
        let Ok(tens) = u64::try_from(dividend.exponent.saturating_sub(self.exponent)) else { return false };
        match &self.magnitude {
            Magnitude::Word(divisor) => {
                is_multiple_of_word(dividend.digits, tens.min(4 * 19) as usize, *divisor)
            }
            Magnitude::Limbs(divisor) => {
                let zeros = tens.min(4 * DIGITS as u64 * divisor.len() as u64) as usize;
                is_multiple_of_limbs(dividend.digits, zeros, divisor)
            }
        }
    }
}

/// How many digits a limb has.
const DIGITS: usize = 9;

/// The base: every limb is less than this.
const BASE: u64 = 1_000_000_000;

/// The number that a few digits are.
fn value(digits: &[u8]) -> u64 {
    digits.iter().fold(0, |value: u64, &digit| {
        value.wrapping_mul(10).wrapping_add(u64::from(digit.wrapping_sub(b'0')))
    })
}

/// Digits and zeros behind them, nine at a time, the most significant first.
fn limbs(digits: &[u8], zeros: usize) -> impl Iterator<Item = u64> {
    // The first limb is what is left over by the others.
    let all = digits.len() + zeros;
    let first = (all % DIGITS).min(all);
    let ends = (first..=all).step_by(DIGITS).skip(usize::from(first == 0));
    ends.map(move |end| {
        let start = end.saturating_sub(DIGITS);
        let (from, to) = (start.min(digits.len()), end.min(digits.len()));
        value(&digits[from..to]) * 10u64.pow((end - to.max(start)) as u32)
    })
}

/// Horner's rule, nine digits at a time.
fn is_multiple_of_word(digits: &[u8], zeros: usize, divisor: NonZeroU64) -> bool {
    if divisor.get() <= u64::from(u32::MAX) {
        return limbs(digits, zeros).fold(0, |rest, limb| (rest * BASE + limb) % divisor) == 0;
    }
    let divisor = u128::from(divisor.get());
    limbs(digits, zeros).fold(0, |rest, limb| (rest * u128::from(BASE) + u128::from(limb)) % divisor) == 0
}

/// Long division by three limbs or more, of which only the rest is kept.
fn is_multiple_of_limbs(digits: &[u8], zeros: usize, divisor: &[u32]) -> bool {
    let [first, second, ..] = *divisor else { return false };
    let leading = u128::from(first) * u128::from(BASE) + u128::from(second);
    // One limb longer than the divisor, which is less than the divisor with a zero before it.
    let mut rest: Vec<u32> = vec![0; divisor.len() + 1];
    for limb in limbs(digits, zeros) {
        rest.copy_within(1.., 0);
        if let Some(last) = rest.last_mut() {
            *last = limb as u32;
        }
        // How often the divisor is in the rest, by the first limbs of both: at most two too many.
        let top = rest[..3].iter().fold(0, |top, &limb| top * u128::from(BASE) + u128::from(limb));
        let quotient = (top / leading) as u64;
        let mut borrow = 0;
        for (place, &limb) in rest[1..].iter_mut().zip(divisor).rev() {
            let taken = quotient * u64::from(limb) + borrow;
            let low = taken % BASE;
            let is_short = u64::from(*place) < low;
            borrow = taken / BASE + u64::from(is_short);
            *place = (u64::from(*place) + BASE * u64::from(is_short) - low) as u32;
        }
        let mut missing = borrow - u64::from(rest[0]);
        while missing > 0 {
            let mut carry = 0;
            for (place, &limb) in rest[1..].iter_mut().zip(divisor).rev() {
                let sum = u64::from(*place) + u64::from(limb) + carry;
                carry = sum / BASE;
                *place = (sum % BASE) as u32;
            }
            missing -= carry;
        }
        rest[0] = 0;
    }
    rest.iter().all(|&limb| limb == 0)
}

/// A decimal number as an integer by a power of ten that is a float exactly.
#[derive(Clone, Copy, Debug)]
struct Scaled {
    integer: NonZeroU64,
    power: f64,
}

impl Scaled {
    fn new(decimal: &Decimal<'_>) -> Option<Scaled> {
        // Ten to the 22 is the last power that is a float.
        let places =
            u32::try_from(decimal.exponent.min(0).unsigned_abs()).ok().filter(|&places| places <= 22)?;
        let mut shifted = *decimal;
        shifted.exponent = shifted.exponent.max(0);
        let (integer, _) = shifted.small_integer()?;
        Some(Scaled { integer: NonZeroU64::new(integer)?, power: 10f64.powi(places as i32) })
    }

    /// Whether this divides a float; nothing if a float is not exact enough to decide that.
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
    use crate::instance::Written;

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
                let mut buffer = Buffer::default();
                let exactly = divisor.divides(&Number::Float(value).decimal(&mut buffer).unwrap());
                assert_eq!(Number::Float(value).is_multiple_of(&divisor), Ok(exactly), "{value} by {text}");
            }
        }
    }

    fn is_multiple(value: &str, divisor: &str) -> bool {
        let number = |text| Number::Exact(Written::new(text).unwrap());
        number(value).is_multiple_of(&Divisor::new(number(divisor)).unwrap()).unwrap()
    }

    #[test]
    fn multiples() {
        assert!(is_multiple("0.0075", "0.0001"));
        assert!(!is_multiple("0.00751", "0.0001"));
        assert!(is_multiple("1e308", "0.5"));
        assert!(!is_multiple("1e308", "0.123456789"));
        assert!(is_multiple("0", "0.3"));
        assert!(is_multiple("-4.5", "1.5"));
        assert!(!is_multiple("1", "3"));
        assert!(is_multiple("1e1000000", "1024"));
        assert!(is_multiple("1e1000000000000", "1e-1000000000000"));
        assert!(is_multiple("18446744073709551616", "1048576"));
        assert!(!is_multiple("18446744073709551616", "5"));
        assert!(is_multiple("340282366920938463463374607431768211456", "9223372036854775808"));
        assert!(!is_multiple("340282366920938463463374607431768211457", "9223372036854775808"));
        // A divisor of more digits than a word holds.
        assert!(is_multiple("246913578024691357802469135780", "123456789012345678901234567890"));
        assert!(!is_multiple("246913578024691357802469135781", "123456789012345678901234567890"));
        assert!(is_multiple("1e100", "1267650600228229401496703205376"));
        assert!(!is_multiple("1e99", "1267650600228229401496703205377"));
    }

    /// Products of long numbers, by the way that children learn.
    #[test]
    fn products_are_multiples_and_their_neighbors_are_not() {
        let mut seed = 3u64;
        let mut next = move |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for round in 0..400 {
            let mut digits = |count: u64| -> Vec<u8> {
                // Rows of nines and zeros are where estimates go wrong.
                let kind = next(3);
                let digit = |place: u64| match (kind, next(8)) {
                    (1, 1..) => 9,
                    (2, 1..) => 0,
                    _ => next(9) + u64::from(place == 0),
                };
                let mut digits: Vec<u8> = (0..count).map(digit).map(|digit| digit as u8).collect();
                digits[0] = digits[0].max(1);
                digits
            };
            let (one, other) = (digits(1 + round % 70), digits(1 + round / 7));
            let mut product = vec![0u32; one.len() + other.len()];
            for (i, a) in one.iter().enumerate() {
                for (j, b) in other.iter().enumerate() {
                    product[i + j + 1] += u32::from(a * b);
                }
            }
            for place in (1..product.len()).rev() {
                product[place - 1] += product[place] / 10;
                product[place] %= 10;
            }
            let text = |digits: &[u32]| -> String {
                let all: String = digits.iter().map(ToString::to_string).collect();
                all.trim_start_matches('0').to_owned()
            };
            let divisor = text(&one.iter().map(|&digit| u32::from(digit)).collect::<Vec<_>>());
            assert!(is_multiple(&text(&product), &divisor), "{} by {divisor}", text(&product));
            if divisor != "1" {
                let last = product.len() - 1;
                product[last] = if product[last] == 9 { 8 } else { product[last] + 1 };
                assert!(!is_multiple(&text(&product), &divisor), "{} by {divisor}", text(&product));
            }
        }
    }
}
