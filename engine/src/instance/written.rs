//! A number as it is written: all of its digits, however many there are.

use super::decimal::{Append, Buffer, Bytes, Decimal};
use super::serde_json::NUMBERS_ARE_TEXT;
use crate::limits::Exhausted;
use std::fmt::{self, Write};

/// A number by its text, for numbers that neither 64 bits nor a float hold exactly.
///
/// ```
/// use stanchion::Written;
/// let number = Written::new("18446744073709551616").unwrap();
/// assert!(number.is_integer());
/// assert!(!Written::new("1e-999999999").unwrap().is_integer());
/// assert!(Written::new("0x10").is_none());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Written<'a>(Source<'a>);

#[derive(Clone, Copy, Debug)]
enum Source<'a> {
    /// JSON text, and what was seen when it was read.
    Text { text: &'a str, notation: Notation },
    /// A number of a program with serde_json's `arbitrary_precision`. Its text can be copied, but not borrowed.
    Number(&'a serde_json::Number),
}

/// The type of a number, as far as its text shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Notation {
    /// Digits alone: `100`
    Plain = 0,
    /// An integer with a fraction or an exponent: `1.0`, `1e2`
    Integer = 1,
    /// A number that is no integer: `1.5`, `1e-2`
    Fraction = 2,
}

impl<'a> Written<'a> {
    /// A number by its JSON text. Nothing if the text is no JSON number.
    pub fn new(text: &'a str) -> Option<Written<'a>> {
        let parts = Parts::of(text.as_bytes());
        let are_digits = |digits: &[u8]| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
        let is_whole = are_digits(parts.whole) && (parts.whole.len() == 1 || parts.whole[0] != b'0');
        let is_number = is_whole
            && parts.fraction.is_none_or(are_digits)
            && parts.exponent.is_none_or(|exponent| are_digits(unsigned(exponent)));
        is_number.then(|| Written::noted(text, parts.notation()))
    }

    /// A number whose text was read before.
    #[inline]
    pub(super) fn noted(text: &'a str, notation: Notation) -> Written<'a> {
        Written(Source::Text { text, notation })
    }

    /// Whether the value has no fraction: `1.0` and `1e2` have none.
    pub fn is_integer(self) -> bool {
        self.notation() != Notation::Fraction
    }

    /// Whether it is written with neither a fraction nor an exponent.
    pub fn is_plain(self) -> bool {
        self.notation() == Notation::Plain
    }

    /// Looks at all digits, unless somebody did so before.
    pub(super) fn notation(self) -> Notation {
        match self.0 {
            Source::Text { notation, .. } => notation,
            Source::Number(number) => Parts::of(&copied(number)).notation(),
        }
    }

    /// The float next to the value, which may be infinite.
    pub(crate) fn nearest(self) -> f64 {
        let parse = |text: &str| text.parse().unwrap_or(0.0);
        match self.0 {
            Source::Text { text, .. } => parse(text),
            Source::Number(number) => parse(std::str::from_utf8(&copied(number)).unwrap_or_default()),
        }
    }

    /// How many bytes its text has, which takes no look at them.
    pub(crate) fn len(self) -> usize {
        struct Length(usize);
        impl Write for Length {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0 += text.len();
                Ok(())
            }
        }
        match self.0 {
            Source::Text { text, .. } => text.len(),
            Source::Number(number) => {
                let mut length = Length(0);
                let _ = write!(length, "{number}");
                length.0
            }
        }
    }

    /// Returns how many bytes have to be read to find the type.
    #[inline]
    pub(crate) fn unread(self) -> usize {
        match self.0 {
            Source::Number(_) if NUMBERS_ARE_TEXT => self.len(),
            Source::Text { .. } | Source::Number(_) => 0,
        }
    }

    /// A number that no other number of the instance has.
    pub(crate) fn address(self) -> usize {
        match self.0 {
            Source::Text { text, .. } => text.as_ptr().addr(),
            Source::Number(number) => std::ptr::from_ref(number).addr(),
        }
    }

    pub(super) fn decimal<'b>(self, buffer: &'b mut Buffer) -> Result<Decimal<'b>, Exhausted>
    where
        'a: 'b,
    {
        match self.0 {
            Source::Text { text, .. } => Decimal::parse(text.as_bytes(), &mut buffer.digits),
            Source::Number(number) => {
                buffer.text.clear();
                let _ = write!(Append(&mut buffer.text), "{number}");
                Decimal::parse(&buffer.text, &mut buffer.digits)
            }
        }
    }
}

impl<'a> From<&'a serde_json::Number> for Written<'a> {
    #[inline]
    fn from(number: &'a serde_json::Number) -> Written<'a> {
        Written(Source::Number(number))
    }
}

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Source::Text { text, .. } => f.write_str(text),
            Source::Number(number) => write!(f, "{number}"),
        }
    }
}

fn copied(number: &serde_json::Number) -> Bytes {
    let mut text = Bytes::new();
    let _ = write!(Append(&mut text), "{number}");
    text
}

/// The parts of a number's text.
pub(super) struct Parts<'t> {
    pub(super) is_negative: bool,
    /// The digits before the point.
    pub(super) whole: &'t [u8],
    /// The digits behind the point, if there is one.
    pub(super) fraction: Option<&'t [u8]>,
    /// The text behind the `e`, if there is one.
    pub(super) exponent: Option<&'t [u8]>,
}

impl<'t> Parts<'t> {
    pub(super) fn of(text: &'t [u8]) -> Parts<'t> {
        let (is_negative, text) = match text.strip_prefix(b"-") {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let (mantissa, exponent) = split(text, |byte| matches!(byte, b'e' | b'E'));
        let (whole, fraction) = split(mantissa, |byte| byte == b'.');
        Parts { is_negative, whole, fraction, exponent }
    }

    pub(super) fn notation(&self) -> Notation {
        if self.fraction.is_none() && self.exponent.is_none() {
            return Notation::Plain;
        }
        let fraction = without_zeros(self.fraction.unwrap_or_default());
        let whole = without_zeros(self.whole);
        if fraction.is_empty() && whole.is_empty() {
            return Notation::Integer;
        }
        // How many places the value has behind the point, or zeros before it, if the exponent is left out.
        let places = match fraction.len() {
            0 => -((self.whole.len() - whole.len()) as i64),
            places => places as i64,
        };
        if exponent(self.exponent.unwrap_or_default()) >= places {
            Notation::Integer
        } else {
            Notation::Fraction
        }
    }
}

/// Splits a text at the first byte that is one of some. The second part is none, if there is no such byte.
fn split(text: &[u8], is_one: impl Fn(u8) -> bool) -> (&[u8], Option<&[u8]>) {
    // A block at a time, which is done with many bytes at once.
    const BLOCK: usize = 64;
    let has_one = |block: &&[u8]| block.iter().fold(false, |found, &byte| found | is_one(byte));
    let start = text.chunks(BLOCK).take_while(|block| !has_one(block)).count() * BLOCK;
    match text.iter().skip(start).position(|&byte| is_one(byte)) {
        Some(at) => (&text[..start + at], Some(&text[start + at + 1..])),
        None => (text, None),
    }
}

/// Digits without the zeros at their end.
pub(super) fn without_zeros(digits: &[u8]) -> &[u8] {
    match digits.iter().rposition(|&digit| digit != b'0') {
        Some(last) => &digits[..=last],
        None => &[],
    }
}

fn unsigned(exponent: &[u8]) -> &[u8] {
    exponent.strip_prefix(b"-").or(exponent.strip_prefix(b"+")).unwrap_or(exponent)
}

/// An exponent as text, with or without a sign; the greatest or the least there is, if it is beyond that.
pub(super) fn exponent(text: &[u8]) -> i64 {
    let digits = unsigned(text).iter();
    let value = digits.fold(0i64, |value, &digit| {
        value.saturating_mul(10).saturating_add(i64::from(digit.wrapping_sub(b'0')))
    });
    if text.first() == Some(&b'-') { -value } else { value }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_a_number_is_written() {
        for (text, notation) in [
            ("0", Notation::Plain),
            ("-0", Notation::Plain),
            ("18446744073709551616", Notation::Plain),
            ("0.0", Notation::Integer),
            ("-0e-99999999999999999999", Notation::Integer),
            ("1.0", Notation::Integer),
            ("100e-2", Notation::Integer),
            ("1.50e1", Notation::Integer),
            ("1e99999999999999999999", Notation::Integer),
            ("100e-3", Notation::Fraction),
            ("1.55e1", Notation::Fraction),
            ("1e-99999999999999999999", Notation::Fraction),
            ("1.0000000000000000000000000000000000000001", Notation::Fraction),
        ] {
            assert_eq!(Written::new(text).unwrap().notation(), notation, "{text}");
        }
        for text in
            ["", "-", "01", "1.", ".5", "1e", "1e+", "+1", "1 ", "0x1", "NaN", "1.5.5", "1e5e5", "--1"]
        {
            assert!(Written::new(text).is_none(), "{text:?}");
        }
    }
}
