//! Character classes: sets of code points, and how `[…]` is read.
//!
//! Rust's strings have no surrogates, and neither have our sets: `[\uD800-\uDFFF]` is empty.

use std::sync::Arc;

use super::error::{Kind, PatternError};
use super::escape::Atom;
use super::parse::Parser;
use super::property::Property;
use crate::unicode::ranges::{Ranges, complement, contains, normalize, push_points};

/// A set of characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Class {
    ranges: Ranges,
    properties: Vec<Property>,
    negated: bool,
}

const DIGIT: &[(char, char)] = &[('0', '9')];
const WORD: &[(char, char)] = &[('0', '9'), ('A', 'Z'), ('_', '_'), ('a', 'z')];
/// `WhiteSpace` and `LineTerminator` of ECMA-262: all of Zs, and what ASCII and history added.
const SPACE: &[(char, char)] = &[
    ('\t', '\r'),
    (' ', ' '),
    ('\u{a0}', '\u{a0}'),
    ('\u{1680}', '\u{1680}'),
    ('\u{2000}', '\u{200a}'),
    ('\u{2028}', '\u{2029}'),
    ('\u{202f}', '\u{202f}'),
    ('\u{205f}', '\u{205f}'),
    ('\u{3000}', '\u{3000}'),
    ('\u{feff}', '\u{feff}'),
];
const LINE_END: &[(char, char)] = &[('\n', '\n'), ('\r', '\r'), ('\u{2028}', '\u{2029}')];

impl Class {
    /// About how many bytes it has on the heap, where nobody shares it: an allocation takes some more than it holds.
    pub fn heap_bytes(&self) -> usize {
        let ranges =
            if self.ranges.spilled() { 16 + self.ranges.capacity() * size_of::<(char, char)>() } else { 0 };
        let properties = self.properties.capacity();
        let properties = if properties > 0 { 16 + properties * size_of::<Property>() } else { 0 };
        // Itself, with the counts of those who share it.
        16 + 16 + size_of::<Class>() + ranges + properties
    }

    /// Whether the set is the complement of what [`ranges`](Class::ranges) and
    /// [`properties`](Class::properties) describe.
    pub fn is_negated(&self) -> bool {
        self.negated
    }

    /// Returns the ranges, ascending and apart from each other.
    ///
    /// Without properties the class is never negated: these ranges are the whole set.
    pub fn ranges(&self) -> &[(char, char)] {
        &self.ranges
    }

    /// Returns the Unicode properties in the class. The set is the union of these and the ranges.
    pub fn properties(&self) -> &[Property] {
        &self.properties
    }

    /// Whether the set has this character.
    pub fn contains(&self, c: char) -> bool {
        let found = contains(&self.ranges, c) || self.properties.iter().any(|property| property.contains(c));
        found != self.negated
    }

    /// Builds a class from ranges and properties in any order.
    pub(super) fn new(mut ranges: Ranges, mut properties: Vec<Property>, negated: bool) -> Class {
        normalize(&mut ranges);
        if negated && properties.is_empty() {
            return Class::of(complement(&ranges));
        }
        properties.sort_unstable();
        properties.dedup();
        Class { ranges, properties, negated }
    }

    /// Builds a class from normalized ranges.
    fn of(ranges: Ranges) -> Class {
        Class { ranges, properties: Vec::new(), negated: false }
    }

    /// Builds a class of one code point; the class is empty if that is a surrogate.
    pub(super) fn point(point: u32) -> Class {
        let mut ranges = Ranges::new();
        push_points(&mut ranges, point, point);
        Class::of(ranges)
    }

    /// Builds the empty class.
    pub(super) fn none() -> Class {
        Class::of(Ranges::new())
    }

    /// Returns the intersection, if neither class has properties.
    pub(super) fn meet(&self, other: &Class) -> Option<Class> {
        let outside = self.negate()?.union(&other.negate()?)?;
        outside.negate()
    }

    /// Returns the union, if neither class has properties.
    pub(super) fn union(&self, other: &Class) -> Option<Class> {
        let mut ranges = self.plain()?.clone();
        ranges.extend_from_slice(other.plain()?);
        normalize(&mut ranges);
        Some(Class::of(ranges))
    }

    /// Returns the complement, if the class has no properties.
    pub(super) fn negate(&self) -> Option<Class> {
        self.plain().map(|ranges| Class::of(complement(ranges)))
    }

    /// Returns the ranges, if there are no properties.
    fn plain(&self) -> Option<&Ranges> {
        Some(&self.ranges).filter(|_| self.properties.is_empty())
    }

    /// Returns the set as ranges alone, with all properties looked up.
    pub fn without_properties(&self) -> Class {
        let mut all = self.ranges.clone();
        for property in &self.properties {
            if property.is_negated() {
                all.extend(complement(property.ranges()));
            } else {
                all.extend_from_slice(property.ranges());
            }
        }
        normalize(&mut all);
        Class::of(if self.negated { complement(&all) } else { all })
    }
}

/// A class that is written in one or two characters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Shorthand {
    Dot,
    Digit,
    NotDigit,
    Word,
    NotWord,
    Space,
    NotSpace,
}

impl Shorthand {
    fn ranges(self) -> Ranges {
        match self {
            Shorthand::Dot => complement(LINE_END),
            Shorthand::Digit => DIGIT.into(),
            Shorthand::NotDigit => complement(DIGIT),
            Shorthand::Word => WORD.into(),
            Shorthand::NotWord => complement(WORD),
            Shorthand::Space => SPACE.into(),
            Shorthand::NotSpace => complement(SPACE),
        }
    }
}

/// Most classes in brackets that the parser caches by their source.
const MAX_CACHED_CLASSES: usize = 8;

/// A member of a class in brackets.
enum Member {
    Point(u32),
    Set(Arc<Class>),
}

impl Parser<'_> {
    /// Returns the class of a shorthand. It is shared, so a megabyte of dots takes the memory of
    /// one.
    pub(super) fn shorthand(&mut self, sign: Shorthand) -> Arc<Class> {
        if let Some((_, class)) = self.shorthands.iter().find(|(known, _)| *known == sign) {
            return Arc::clone(class);
        }
        let class = Arc::new(Class::of(sign.ranges()));
        self.shorthands.push((sign, Arc::clone(&class)));
        class
    }

    /// Reads `[…]`, after its `[`. Classes that occur often, such as `[0-9]`, come from a cache.
    pub(super) fn class(&mut self, open: usize) -> Result<Arc<Class>, PatternError> {
        let rest = self.from(open);
        if let Some((source, class)) = self.classes.iter().find(|(source, _)| rest.starts_with(source)) {
            let class = Arc::clone(class);
            self.back_to(open + source.len());
            return Ok(class);
        }
        let class = Arc::new(self.brackets(open)?);
        if self.classes.len() < MAX_CACHED_CLASSES {
            let length = self.offset() - open;
            self.classes.push((&rest[..length], Arc::clone(&class)));
        }
        Ok(class)
    }

    fn brackets(&mut self, open: usize) -> Result<Class, PatternError> {
        let negated = self.eat('^');
        let mut ranges = Ranges::new();
        let mut properties = Vec::new();
        loop {
            if self.eat(']') {
                return Ok(Class::new(ranges, properties, negated));
            }
            let offset = self.offset();
            let start = self.member(open)?;
            // A `-` is a range only between two members: before the closing bracket it is a member
            // itself.
            if self.peek() == Some('-') && self.peek_second().is_some_and(|next| next != ']') {
                self.eat('-');
                match (start, self.member(open)?) {
                    (Member::Point(start), Member::Point(end)) if start <= end => {
                        push_points(&mut ranges, start, end);
                    }
                    (Member::Point(_), Member::Point(_)) => {
                        return Err(PatternError::new(offset, Kind::RangeOrder));
                    }
                    // Annex B: `[\d-x]` has no range, but three members.
                    (start, end) => {
                        self.tolerate();
                        add(&mut ranges, &mut properties, start);
                        ranges.push(('-', '-'));
                        add(&mut ranges, &mut properties, end);
                    }
                }
            } else {
                add(&mut ranges, &mut properties, start);
            }
        }
    }

    fn member(&mut self, open: usize) -> Result<Member, PatternError> {
        let offset = self.offset();
        match self.next() {
            None => Err(PatternError::new(open, Kind::Unclosed('['))),
            Some('\\') => Ok(match self.class_escape(offset)? {
                Atom::Point(point) => Member::Point(point),
                Atom::Class(class) => Member::Set(class),
            }),
            Some(c) => Ok(Member::Point(u32::from(c))),
        }
    }
}

fn add(ranges: &mut Ranges, properties: &mut Vec<Property>, member: Member) {
    match member {
        Member::Point(point) => push_points(ranges, point, point),
        Member::Set(class) => {
            // INVARIANT: escapes yield ranges or one property, and are never negated as a class.
            ranges.extend_from_slice(&class.ranges);
            properties.extend_from_slice(&class.properties);
        }
    }
}
