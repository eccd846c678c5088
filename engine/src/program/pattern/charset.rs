//! Sets of characters, as the simple engine asks them.

use stanchion_vocab::ecma::Class;
use std::sync::Arc;

/// A set of characters: a bit for each of ASCII, and what is beyond.
#[derive(Clone, Debug)]
pub(super) struct Set {
    ascii: Ascii,
    beyond: Beyond,
}

/// The characters beyond ASCII in a set.
#[derive(Clone, Debug)]
enum Beyond {
    None,
    All,
    Some(Arc<Class>),
}

/// A bit for each character of ASCII.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Ascii([u64; 2]);

impl Ascii {
    pub(super) const NONE: Ascii = Ascii([0; 2]);
    pub(super) const ALL: Ascii = Ascii([u64::MAX; 2]);

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
    pub(super) fn new(class: &Arc<Class>) -> Set {
        if !class.properties().is_empty() {
            let members = (0..128u8).filter(|&byte| class.contains(char::from(byte)));
            let ascii = members.map(Ascii::of).fold(Ascii::default(), Ascii::union);
            return Set { ascii, beyond: Beyond::Some(Arc::clone(class)) };
        }
        // Without properties the ranges are the set.
        let mut mask = 0u128;
        let mut beyond = Beyond::None;
        for &(start, end) in class.ranges() {
            if start.is_ascii() {
                let last = u32::from(end).min(127);
                mask |= (u128::MAX >> (127 - last)) & (u128::MAX << u32::from(start));
            }
            if start <= '\u{80}' && end == char::MAX {
                beyond = Beyond::All;
            } else if !end.is_ascii() {
                beyond = Beyond::Some(Arc::clone(class));
            }
        }
        Set { ascii: Ascii::from_mask(mask), beyond }
    }

    /// The set of one character of ASCII.
    pub(super) fn of(byte: u8) -> Set {
        Set { ascii: Ascii::of(byte), beyond: Beyond::None }
    }

    pub(super) fn ascii(&self) -> Ascii {
        self.ascii
    }

    pub(super) fn has_beyond(&self) -> bool {
        !matches!(self.beyond, Beyond::None)
    }

    /// The length of the character at `at`, if there is one and the set has it.
    #[inline]
    pub(super) fn take(&self, text: &str, at: usize) -> Option<usize> {
        let byte = *text.as_bytes().get(at)?;
        if byte.is_ascii() { self.ascii.has(byte).then_some(1) } else { self.take_beyond(text, at) }
    }

    fn take_beyond(&self, text: &str, at: usize) -> Option<usize> {
        let found = match &self.beyond {
            Beyond::None => return None,
            // In the middle of a character there is none.
            Beyond::All | Beyond::Some(_) => text.get(at..)?.chars().next()?,
        };
        let has = match &self.beyond {
            Beyond::None => false,
            Beyond::All => true,
            Beyond::Some(class) => class.contains(found),
        };
        has.then(|| found.len_utf8())
    }

    /// Where the longest row of the set's characters that begins at `at` ends.
    #[inline]
    pub(super) fn take_all(&self, text: &str, mut at: usize) -> usize {
        loop {
            let rest = &text.as_bytes()[at..];
            let ascii = rest.iter().position(|&byte| !byte.is_ascii() || !self.ascii.has(byte));
            match ascii {
                None => return text.len(),
                Some(length) => at += length,
            }
            match self.take(text, at) {
                None => return at,
                Some(length) => at += length,
            }
        }
    }
}
