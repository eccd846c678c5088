//! Everything that begins with `\`.

use std::sync::Arc;

use smallvec::SmallVec;

use super::ast::{Assertion, Ast};
use super::class::{Class, Shorthand};
use super::error::{Kind, PatternError};
use super::parse::{Parser, Target, Term};
use super::property::Property;

/// The value of an escape that stands for a character or a class.
pub(super) enum Atom {
    /// A code point, which may be a surrogate.
    Point(u32),
    Class(Arc<Class>),
}

impl Parser<'_> {
    /// Reads an escape outside of brackets, after its `\`, which is at `offset`.
    pub(super) fn escape(&mut self, offset: usize) -> Result<Term, PatternError> {
        match self.peek() {
            Some('b') => {
                self.next();
                Ok(Term::Fixed(Ast::Assertion(Assertion::WordBoundary)))
            }
            Some('B') => {
                self.next();
                Ok(Term::Fixed(Ast::Assertion(Assertion::NotWordBoundary)))
            }
            Some('1'..='9') => {
                let digits = self.digits();
                // More digits than `u32` holds are more groups than we accept: refused when groups
                // are counted.
                let number = digits.parse().unwrap_or(u32::MAX);
                Ok(self.refer(offset, Target::Number(number, digits)))
            }
            Some('k') => {
                self.next();
                if !self.eat('<') {
                    return Err(PatternError::new(offset, Kind::Malformed { escape: 'k', wanted: "<name>" }));
                }
                let name = self.group_name()?;
                Ok(self.refer(offset, Target::Name(name)))
            }
            _ => match self.character_escape(offset)? {
                Atom::Point(point) => Ok(match char::from_u32(point) {
                    Some(c) => Term::Char(c),
                    // Half of a surrogate pair: no Rust string contains it.
                    None => Term::Atom(Ast::Class(Arc::new(Class::point(point)))),
                }),
                Atom::Class(class) => Ok(Term::Atom(Ast::Class(class))),
            },
        }
    }

    /// Reads an escape in brackets, after its `\`.
    pub(super) fn class_escape(&mut self, offset: usize) -> Result<Atom, PatternError> {
        match self.peek() {
            Some('b') => {
                self.next();
                Ok(Atom::Point(0x08))
            }
            Some('-') => {
                self.next();
                Ok(Atom::Point(u32::from('-')))
            }
            _ => self.character_escape(offset),
        }
    }

    /// Reads an escape that means the same inside and outside of brackets.
    fn character_escape(&mut self, offset: usize) -> Result<Atom, PatternError> {
        let refused = |kind| Err(PatternError::new(offset, kind));
        let Some(c) = self.next() else {
            return refused(Kind::Backslash);
        };
        let point = match c {
            't' => 0x09,
            'n' => 0x0a,
            'v' => 0x0b,
            'f' => 0x0c,
            'r' => 0x0d,
            'c' => match self.peek() {
                Some(letter) if letter.is_ascii_alphabetic() => {
                    self.next();
                    u32::from(letter) % 32
                }
                Some(_) | None => return refused(Kind::Control),
            },
            '0' => match self.peek() {
                Some('0'..='9') => return refused(Kind::Octal),
                Some(_) | None => 0,
            },
            'x' => match self.hex(2) {
                Some(point) => point,
                None => return refused(Kind::Malformed { escape: 'x', wanted: "two hexadecimal digits" }),
            },
            'u' => self.unicode_escape(offset)?,
            'd' => return Ok(Atom::Class(self.shorthand(Shorthand::Digit))),
            'D' => return Ok(Atom::Class(self.shorthand(Shorthand::NotDigit))),
            'w' => return Ok(Atom::Class(self.shorthand(Shorthand::Word))),
            'W' => return Ok(Atom::Class(self.shorthand(Shorthand::NotWord))),
            's' => return Ok(Atom::Class(self.shorthand(Shorthand::Space))),
            'S' => return Ok(Atom::Class(self.shorthand(Shorthand::NotSpace))),
            'p' | 'P' => {
                return self.property_escape(offset, c == 'P').map(|class| Atom::Class(Arc::new(class)));
            }
            '^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')' | '[' | ']' | '{' | '}' | '|' | '/' => {
                u32::from(c)
            }
            // Annex B: an escaped character that needs no escape is the character itself.
            ' ' => self.tolerated(c),
            c if c.is_ascii_punctuation() => self.tolerated(c),
            c => return refused(Kind::Escape(c)),
        };
        Ok(Atom::Point(point))
    }

    fn tolerated(&mut self, c: char) -> u32 {
        self.tolerate();
        u32::from(c)
    }

    /// Reads `\u…`, after its `u`: four digits, two times four that are a surrogate pair, or `{…}`.
    pub(super) fn unicode_escape(&mut self, offset: usize) -> Result<u32, PatternError> {
        let refused = || {
            let wanted = "four hexadecimal digits or {digits}";
            PatternError::new(offset, Kind::Malformed { escape: 'u', wanted })
        };
        if self.eat('{') {
            let mut point: u32 = 0;
            let mut digits = 0;
            while let Some(digit) = self.peek().and_then(|c| c.to_digit(16)) {
                self.next();
                digits += 1;
                point = point.saturating_mul(16).saturating_add(digit);
            }
            if digits == 0 || !self.eat('}') {
                return Err(refused());
            }
            return if point <= 0x10_ffff {
                Ok(point)
            } else {
                Err(PatternError::new(offset, Kind::CodePoint))
            };
        }
        let first = self.hex(4).ok_or_else(refused)?;
        if (0xd800..0xdc00).contains(&first) {
            // The second half belongs to the first only if they form a pair: `\uD83D\u0041` are two
            // escapes.
            let behind = self.offset();
            if self.eat('\\')
                && self.eat('u')
                && let Some(second @ 0xdc00..0xe000) = self.hex(4)
            {
                return Ok(0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00));
            }
            self.back_to(behind);
        }
        Ok(first)
    }

    /// Reads exactly `digits` hexadecimal digits.
    fn hex(&mut self, digits: usize) -> Option<u32> {
        let mut value = 0;
        for _ in 0..digits {
            value = value * 16 + self.peek()?.to_digit(16)?;
            self.next();
        }
        Some(value)
    }

    /// Reads `\p{…}`, after its `p`.
    fn property_escape(&mut self, offset: usize, negated: bool) -> Result<Class, PatternError> {
        let refused = |kind| PatternError::new(offset, kind);
        if !self.eat('{') {
            return Err(refused(Kind::PropertySyntax));
        }
        let rest = self.rest();
        let is_name = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '=';
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let inside = &rest[..end];
        self.back_to(self.offset() + end);
        if !self.eat('}') || inside.is_empty() {
            return Err(refused(Kind::PropertySyntax));
        }
        let (name, value) = match inside.split_once('=') {
            None => (inside, None),
            Some((name, value)) => (name, Some(value)),
        };
        let property = Property::find(name, value).map_err(refused)?;
        let property = if negated { property.negate() } else { property };
        Ok(Class::new(SmallVec::new(), vec![property], false))
    }
}
