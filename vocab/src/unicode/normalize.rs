//! Normalization, UAX #15: compatibility decomposition (NFKD) and canonical composition (NFC).
//!
//! The table is a file, [`decompositions.bin`](PACKED), that has a record for each character that decomposes:
//!
//! ```text
//! gap             how many characters were left out since the record before
//! 3 × n + kind    n characters; see `Kind`
//! n numbers       the difference of each to the one at its place in the record before
//! ```
//!
//! Numbers have seven bits a byte, so a run of characters that decompose alike takes four bytes for
//! each. Pairs that compose are not stored: they are the canonical decompositions, read backwards.
//! Hangul syllables are computed. A test compares the results with those of the crate unicode-normalization.

use super::classes::combining;
use super::number;
use std::sync::LazyLock;

pub(super) static PACKED: &[u8] = include_bytes!("decompositions.bin");

static TABLES: LazyLock<Tables> = LazyLock::new(Tables::unpack);

/// The kind of a decomposition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Compatibility = 0,
    /// Canonical, and composes again.
    Composes = 1,
    /// Canonical, and stays decomposed.
    Excluded = 2,
}

struct Tables {
    /// The characters that decompose, ascending, and where their decompositions end in `chars`.
    records: Vec<(char, usize, Kind)>,
    chars: Vec<char>,
    /// Pairs with what they compose to, ascending.
    pairs: Vec<((char, char), char)>,
}

impl Tables {
    fn unpack() -> Tables {
        let mut tables = Tables { records: Vec::new(), chars: Vec::new(), pairs: Vec::new() };
        let mut packed = PACKED;
        let mut point = 0;
        let mut before: [u32; 20] = [0; 20];
        while !packed.is_empty() {
            point += number(&mut packed);
            let head = number(&mut packed);
            for place in before.iter_mut().take(head as usize / 3) {
                let difference = number(&mut packed);
                // The lowest bit is the sign.
                *place = place.wrapping_add(difference >> 1 ^ (difference & 1).wrapping_neg());
                tables.chars.extend(char::from_u32(*place));
            }
            let kind = [Kind::Compatibility, Kind::Composes, Kind::Excluded][head as usize % 3];
            tables.records.extend(char::from_u32(point).map(|c| (c, tables.chars.len(), kind)));
            point += 1;
        }
        tables.pair();
        tables
    }

    /// Finds the pairs: the last character of a canonical decomposition, and what those before it compose to.
    fn pair(&mut self) {
        for length in 2..=4 {
            let mut pairs = Vec::new();
            for at in 0..self.records.len() {
                if let (composed, Kind::Composes, [first, middle @ .., last]) = self.record(at)
                    && middle.len() + 2 == length
                {
                    let first = middle.iter().try_fold(*first, |first, c| self.compose(first, *c));
                    pairs.extend(first.map(|first| ((first, *last), composed)));
                }
            }
            self.pairs.extend(pairs);
            self.pairs.sort_unstable();
        }
    }

    fn record(&self, at: usize) -> (char, Kind, &[char]) {
        let (c, end, kind) = self.records[at];
        let start = at.checked_sub(1).map_or(0, |before| self.records[before].1);
        (c, kind, &self.chars[start..end])
    }

    fn compose(&self, first: char, second: char) -> Option<char> {
        let at = self.pairs.binary_search_by_key(&(first, second), |(pair, _)| *pair).ok()?;
        Some(self.pairs[at].1)
    }
}

/// Returns the compatibility decomposition of a text.
pub(crate) fn nfkd(text: impl Iterator<Item = char>) -> Vec<char> {
    let mut chars = Vec::new();
    text.for_each(|c| decompose(c, true, &mut chars));
    order(&mut chars);
    chars
}

/// Returns the canonical composition of a text.
pub(crate) fn nfc(text: impl Iterator<Item = char>) -> String {
    let mut chars = Vec::new();
    text.for_each(|c| decompose(c, false, &mut chars));
    order(&mut chars);
    compose_all(&chars).into_iter().collect()
}

fn decompose(c: char, with_compatibility: bool, chars: &mut Vec<char>) {
    if c.is_ascii() {
        return chars.push(c);
    }
    if hangul::decompose(c, chars) {
        return;
    }
    let found = TABLES.records.binary_search_by_key(&c, |(c, ..)| *c).ok().map(|at| TABLES.record(at));
    match found {
        Some((_, Kind::Compatibility, parts)) if with_compatibility => chars.extend(parts),
        Some((_, Kind::Composes | Kind::Excluded, parts)) if with_compatibility => {
            // The parts of a canonical decomposition may decompose further.
            parts.iter().for_each(|part| decompose(*part, true, chars));
        }
        Some((_, Kind::Composes | Kind::Excluded, parts)) => chars.extend(parts),
        Some((_, Kind::Compatibility, _)) | None => chars.push(c),
    }
}

/// Sorts marks that follow each other by their class.
fn order(chars: &mut [char]) {
    for marks in chars.split_mut(|c| combining(*c) == 0) {
        marks.sort_by_key(|c| combining(*c));
    }
}

fn compose_all(chars: &[char]) -> Vec<char> {
    let mut composed: Vec<char> = Vec::with_capacity(chars.len());
    let mut starter = None;
    let mut last_class = 0;
    for &c in chars {
        let class = combining(c);
        if let Some(at) = starter {
            let is_blocked = composed.len() > at + 1 && last_class >= class;
            if !is_blocked && let Some(both) = compose(composed[at], c) {
                composed[at] = both;
                continue;
            }
        }
        if class == 0 {
            starter = Some(composed.len());
        }
        last_class = class;
        composed.push(c);
    }
    composed
}

fn compose(first: char, second: char) -> Option<char> {
    if second.is_ascii() {
        return None;
    }
    hangul::compose(first, second).or_else(|| TABLES.compose(first, second))
}

/// Syllables of Hangul: a leading consonant, a vowel, and perhaps a trailing consonant.
mod hangul {
    const SYLLABLE: u32 = 0xac00;
    const LEADING: u32 = 0x1100;
    const VOWEL: u32 = 0x1161;
    /// The one before the first trailing consonant: it stands for none.
    const TRAILING: u32 = 0x11a7;
    const LEADINGS: u32 = 19;
    const VOWELS: u32 = 21;
    const TRAILINGS: u32 = 28;

    /// Decomposes a syllable. Returns whether it is one.
    pub(super) fn decompose(c: char, chars: &mut Vec<char>) -> bool {
        let Some(index) = index(c, SYLLABLE, LEADINGS * VOWELS * TRAILINGS) else { return false };
        let (rest, trailing) = (index / TRAILINGS, index % TRAILINGS);
        let parts = [LEADING + rest / VOWELS, VOWEL + rest % VOWELS, TRAILING + trailing];
        let count = if trailing == 0 { 2 } else { 3 };
        chars.extend(parts.into_iter().take(count).filter_map(char::from_u32));
        true
    }

    /// Composes a syllable, or adds a trailing consonant to one.
    pub(super) fn compose(first: char, second: char) -> Option<char> {
        if let (Some(leading), Some(vowel)) = (index(first, LEADING, LEADINGS), index(second, VOWEL, VOWELS))
        {
            return char::from_u32(SYLLABLE + (leading * VOWELS + vowel) * TRAILINGS);
        }
        let syllable = index(first, SYLLABLE, LEADINGS * VOWELS * TRAILINGS)?;
        let trailing = index(second, TRAILING, TRAILINGS).filter(|trailing| *trailing > 0)?;
        (syllable % TRAILINGS == 0).then(|| char::from_u32(SYLLABLE + syllable + trailing))?
    }

    /// Returns how far a character is from the first of so many.
    fn index(c: char, first: u32, count: u32) -> Option<u32> {
        u32::from(c).checked_sub(first).filter(|index| *index < count)
    }
}
