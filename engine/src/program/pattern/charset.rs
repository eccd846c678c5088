//! Sets of characters, quick to ask for ASCII.

use super::work::Work;
use stanchion_vocab::ecma::Class;
use std::sync::Arc;

/// A set of characters: a bit for each of ASCII, and what is beyond.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Set {
    ascii: Ascii,
    beyond: Beyond,
}

/// The characters beyond ASCII in a set.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Beyond {
    None,
    All,
    One(char),
    Some(Arc<Class>),
}

/// A bit for each character of ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ascii([u64; 2]);

impl Ascii {
    pub(super) const NONE: Ascii = Ascii([0; 2]);

    pub(super) fn of(byte: u8) -> Ascii {
        Ascii::from_mask(1 << (byte & 127))
    }

    fn from_mask(mask: u128) -> Ascii {
        Ascii([mask as u64, (mask >> 64) as u64])
    }

    #[inline]
    fn has(self, byte: u8) -> bool {
        self.0[usize::from(byte >> 6) & 1] >> (byte & 63) & 1 == 1
    }

    pub(super) fn union(self, other: Ascii) -> Ascii {
        Ascii([self.0[0] | other.0[0], self.0[1] | other.0[1]])
    }

    pub(super) fn meets(self, other: Ascii) -> bool {
        (self.0[0] & other.0[0]) | (self.0[1] & other.0[1]) != 0
    }
}

impl Set {
    /// The characters beyond ASCII, where they are ranges.
    pub(super) fn class(&self) -> Option<&Class> {
        match &self.beyond {
            Beyond::None | Beyond::All | Beyond::One(_) => None,
            Beyond::Some(class) => Some(class),
        }
    }

    /// The set of a class. What it has by properties stays in their tables.
    pub(super) fn new(class: &Arc<Class>) -> Set {
        let (mut ascii, mut beyond) = of_ranges(class.ranges(), class);
        if !class.properties().is_empty() {
            for property in class.properties() {
                let (members, _) = of_ranges(property.ranges(), class);
                ascii |= if property.is_negated() { !members } else { members };
            }
            beyond = Beyond::Some(Arc::clone(class));
            if class.is_negated() {
                ascii = !ascii;
            }
        }
        Set { ascii: Ascii::from_mask(ascii), beyond }
    }

    /// The set of a class as ranges alone, if there is enough work for as many as there are.
    pub(super) fn plain(class: &Arc<Class>, work: &mut Work) -> Option<Set> {
        if class.properties().is_empty() {
            return Some(Set::new(class));
        }
        work.spend(4 * class.properties().iter().map(|property| property.ranges().len()).sum::<usize>())?;
        Some(Set::new(&Arc::new(class.without_properties())))
    }

    /// The characters of words: what `\w` takes.
    pub(super) fn words() -> Set {
        let words = (0..128u8).filter(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
        Set { ascii: words.map(Ascii::of).fold(Ascii::NONE, Ascii::union), beyond: Beyond::None }
    }

    /// The set of one character.
    pub(super) fn of(c: char) -> Set {
        match u8::try_from(c) {
            Ok(byte) if byte.is_ascii() => Set { ascii: Ascii::of(byte), beyond: Beyond::None },
            Ok(_) | Err(_) => Set { ascii: Ascii::NONE, beyond: Beyond::One(c) },
        }
    }

    pub(super) fn has(&self, c: char) -> bool {
        match u8::try_from(c) {
            Ok(byte) if byte.is_ascii() => self.ascii.has(byte),
            Ok(_) | Err(_) => self.has_beyond_ascii(c),
        }
    }

    fn has_beyond_ascii(&self, c: char) -> bool {
        match &self.beyond {
            Beyond::None => false,
            Beyond::All => true,
            Beyond::One(only) => *only == c,
            Beyond::Some(class) => class.contains(c),
        }
    }

    /// Adds the characters beyond ASCII at which the set begins, and those at which it ends; or nothing if some of it is given by
    /// properties.
    pub(super) fn push_borders(&self, borders: &mut Vec<char>) -> Option<()> {
        let one;
        let ranges = match &self.beyond {
            Beyond::None | Beyond::All => &[],
            Beyond::One(c) => {
                one = [(*c, *c)];
                &one[..]
            }
            Beyond::Some(class) if class.properties().is_empty() => class.ranges(),
            Beyond::Some(_) => return None,
        };
        for &(start, end) in ranges {
            // Behind the last one before the surrogates comes the first one after them.
            let after = if end == '\u{d7ff}' { Some('\u{e000}') } else { char::from_u32(u32::from(end) + 1) };
            borders.extend([Some(start), after].into_iter().flatten().filter(|c| !c.is_ascii()));
        }
        Some(())
    }

    pub(super) fn ascii(&self) -> Ascii {
        self.ascii
    }

    pub(super) fn has_beyond(&self) -> bool {
        !matches!(self.beyond, Beyond::None)
    }

    /// How many lists of ranges are searched for a character beyond ASCII.
    pub(super) fn price(&self) -> u64 {
        match &self.beyond {
            Beyond::Some(class) => 1 + class.properties().len() as u64,
            Beyond::None | Beyond::All | Beyond::One(_) => 0,
        }
    }

    /// The length of the character at `at`, if there is one and the set has it.
    #[inline]
    pub(super) fn take(&self, text: &str, at: usize) -> Option<usize> {
        let byte = *text.as_bytes().get(at)?;
        if byte.is_ascii() { self.ascii.has(byte).then_some(1) } else { self.take_beyond(text, at) }
    }

    fn take_beyond(&self, text: &str, at: usize) -> Option<usize> {
        if !self.has_beyond() {
            return None;
        }
        // In the middle of a character there is none.
        let found = text.get(at..)?.chars().next()?;
        self.has_beyond_ascii(found).then(|| found.len_utf8())
    }
}

/// The characters of ASCII in ascending ranges, a bit for each; and those beyond, which belong to this class.
fn of_ranges(ranges: &[(char, char)], class: &Arc<Class>) -> (u128, Beyond) {
    let mut mask = 0u128;
    for &(start, end) in ranges.iter().take_while(|(start, _)| start.is_ascii()) {
        let last = u32::from(end).min(127);
        mask |= (u128::MAX >> (127 - last)) & (u128::MAX << u32::from(start));
    }
    let beyond = match ranges.last() {
        Some(&(start, end)) if start <= '\u{80}' && end == char::MAX => Beyond::All,
        Some((_, end)) if !end.is_ascii() => Beyond::Some(Arc::clone(class)),
        Some(_) | None => Beyond::None,
    };
    (mask, beyond)
}
