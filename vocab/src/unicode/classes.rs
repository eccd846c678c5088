//! Classes of characters: canonical combining classes, directions, and how letters join.
//!
//! The tables are one file, [`classes.bin`](PACKED), in which ranges have numbers of seven bits a byte: the
//! gap before a range, its length, and the class. Characters in no range have class 0. A table is
//! unpacked on first use. A test compares them with the crates that they were made from.

use super::number;
use std::sync::OnceLock;

pub(super) static PACKED: &[u8] = include_bytes!("classes.bin");

/// The tables, in the order of the file.
#[derive(Clone, Copy, Debug)]
pub(super) enum Table {
    Combining,
    Direction,
    Joining,
}

/// Ranges of characters with their class, ascending.
type Ranges = Box<[(u32, u32, u8)]>;

static UNPACKED: [OnceLock<Ranges>; 3] = [const { OnceLock::new() }; 3];

/// A Bidi class, as far as RFC 5893 distinguishes them, by the names of Unicode.
#[allow(clippy::upper_case_acronyms)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Direction {
    L,
    R,
    AL,
    AN,
    EN,
    ES,
    CS,
    ET,
    ON,
    BN,
    NSM,
    Other,
}

impl Direction {
    pub(super) const ALL: [Direction; 12] = {
        use Direction::{AL, AN, BN, CS, EN, ES, ET, L, NSM, ON, Other, R};
        [L, R, AL, AN, EN, ES, CS, ET, ON, BN, NSM, Other]
    };

    /// Returns the direction of a character.
    pub(crate) fn of(c: char) -> Direction {
        Direction::ALL[usize::from(class(Table::Direction, c))]
    }
}

/// How a letter joins its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Joining {
    /// It does not, or it is no letter.
    Other,
    Dual,
    Left,
    Right,
    /// Its neighbours join as if it were not there.
    Transparent,
}

impl Joining {
    pub(super) const ALL: [Joining; 5] =
        [Joining::Other, Joining::Dual, Joining::Left, Joining::Right, Joining::Transparent];

    /// Returns how a character joins.
    pub(crate) fn of(c: char) -> Joining {
        Joining::ALL[usize::from(class(Table::Joining, c))]
    }
}

/// Returns the canonical combining class of a character.
pub(crate) fn combining(c: char) -> u8 {
    if c.is_ascii() { 0 } else { class(Table::Combining, c) }
}

fn class(table: Table, c: char) -> u8 {
    let ranges = UNPACKED[table as usize].get_or_init(|| unpack(table));
    let point = u32::from(c);
    let at = ranges.partition_point(|&(_, end, _)| end < point);
    ranges.get(at).filter(|(start, ..)| *start <= point).map_or(0, |(.., class)| *class)
}

fn unpack(table: Table) -> Ranges {
    let mut bytes = PACKED;
    let mut packed: &[u8] = &[];
    for _ in 0..=table as usize {
        let length = number(&mut bytes) as usize;
        (packed, bytes) = bytes.split_at_checked(length).unwrap_or_default();
    }
    let mut ranges = Vec::new();
    let mut from = 0;
    while !packed.is_empty() {
        let start = from + number(&mut packed);
        let end = start + number(&mut packed);
        ranges.push((start, end, number(&mut packed) as u8));
        from = end + 1;
    }
    ranges.into()
}
