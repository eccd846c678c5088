//! Repeated names: of the members with one name the last counts, and only that.
//!
//! While an object is read, each of its names leaves a [`word`]; names that are equal leave equal words. When it is closed the
//! words are compared: a few each with each, more by a table of bits, many after sorting them. Only if two are equal are
//! words made of all bytes of the names, and if two of those are equal, names compared. If names are equal too, all members but the last are taken off the tape.
//!
//! Whoever knows how words are made can make them equal, and gains the time of a sort.

use super::{Beside, Entry, Kind};
use crate::instance::last_word;
use std::cell::Cell;
use std::ops::Range;

/// Up to so many words are compared each with each.
const COMPARED_DIRECTLY: usize = 8;

/// Names of up to so many bytes have a word of their end alone.
pub(super) const SHORT: u32 = 16;

/// A word for a name: its last eight bytes, or all with zeros behind, and its length; for a long one see [`long_word`].
#[inline(always)]
pub(super) const fn short_word(last: u64, len: u32) -> u64 {
    last ^ len as u64
}

/// The word of any name.
#[inline(never)]
pub(super) fn word(name: &[u8]) -> u64 {
    if name.len() > SHORT as usize { long_word(name) } else { short_word(last_word(name), name.len() as u32) }
}

/// The eight bytes before `end`, or as many as there are, behind zeros.
#[inline(never)]
pub(super) fn before(source: &[u8], end: usize) -> u64 {
    match (source.get(..end).and_then(<[u8]>::last_chunk), source.first_chunk()) {
        (Some(bytes), _) => u64::from_le_bytes(*bytes),
        // There are fewer than eight, and others behind them.
        (None, Some(bytes)) if end > 0 => u64::from_le_bytes(*bytes) << (64 - 8 * end.min(8)),
        (None, _) => source.iter().take(end).fold(0, |word, &byte| word >> 8 | u64::from(byte) << 56),
    }
}

/// A word of all bytes of a name. Long names, such as paths, have no other, since many start and end alike.
#[inline(always)]
pub(super) fn long_word(name: &[u8]) -> u64 {
    // Most have up to 32 bytes, which are the first and the last sixteen.
    let length = name.len();
    if let 16..=32 = length {
        let at = |place: usize| name[place..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let [a, b, c, d] = [0, 8, length - 16, length - 8].map(at);
        return mix(a ^ length as u64) ^ mix(b ^ mix(c ^ mix(d)));
    }
    longer_word(name)
}

#[inline(never)]
fn longer_word(name: &[u8]) -> u64 {
    let (words, _) = name.as_chunks::<8>();
    let last = name.last_chunk().copied().unwrap_or_default();
    words.iter().chain([&last]).fold(name.len() as u64, |word, &bytes| mix(word ^ u64::from_le_bytes(bytes)))
}

/// Spreads what is in the low bits over the high ones.
#[inline(always)]
fn mix(word: u64) -> u64 {
    word.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
}

/// Whether two of the words are equal. They may be in another order afterwards.
#[inline(always)]
pub(super) fn may_be(words: &mut [u64]) -> bool {
    match words {
        [a, b] => a == b,
        [a, b, c] => a == b || a == c || b == c,
        _ => may_be_among_more(words),
    }
}

#[inline(never)]
fn may_be_among_more(words: &mut [u64]) -> bool {
    let count = words.len();
    if count <= COMPARED_DIRECTLY {
        return are_few_equal(words);
    }
    let surely_not = count <= 32 && !share_a_bit::<32>(words) || count <= 256 && !share_a_bit::<256>(words);
    !surely_not && {
        words.sort_unstable();
        words.windows(2).any(|pair| pair[0] == pair[1])
    }
}

/// Whether two of a few words are equal. How many there are nobody can predict: each is compared with all before it at once.
#[inline(always)]
fn are_few_equal(words: &[u64]) -> bool {
    let mut seen = [0; COMPARED_DIRECTLY];
    words.iter().zip(0..COMPARED_DIRECTLY).fold(false, |found, (&word, place)| {
        let found = seen.iter().fold(found, |found, &other| found | (other == word));
        seen[place] = word;
        found
    })
}

/// Whether two of the words come to the same bit of a table. If they are equal they do.
fn share_a_bit<const SIZE: usize>(words: &[u64]) -> bool {
    let mut table = [0u64; SIZE];
    words.iter().any(|&word| {
        let place = mix(word);
        let bits = &mut table[place as usize % SIZE];
        let bit = 1 << (place >> 58);
        let shared = *bits & bit != 0;
        *bits |= bit;
        shared
    })
}

/// Whether two names may be equal of the object at `header` by words of all their bytes. There is a place in `words` for each.
fn may_be_in_full(
    words: &mut [u64],
    tape: &[Cell<Entry>],
    header: usize,
    text: &str,
    beside: &Beside,
) -> bool {
    let mut at = header + 1;
    for word in words.iter_mut() {
        let [entry, value, ..] = &tape[at..] else { break };
        *word = long_word(name(entry.get(), text, beside));
        at += 2 + value.get().below as usize;
    }
    may_be(words)
}

/// A name on the tape.
fn name<'t>(entry: Entry, text: &'t str, beside: &'t Beside) -> &'t [u8] {
    if entry.kind == Kind::Escaped {
        return beside.escaped[entry.low as usize].text(text).as_bytes();
    }
    &text.as_bytes()[entry.range()]
}

/// Takes those members of an object off the tape whose name comes again. The object is the last thing
/// on the tape, and two of its words are equal. Returns where it ends then, and how many members are left.
#[cold]
#[inline(never)]
pub(super) fn drop(
    words: &mut [u64],
    tape: &[Cell<Entry>],
    object: Range<usize>,
    text: &str,
    beside: &Beside,
) -> (usize, u32) {
    let Range { start: header, end } = object;
    if !may_be_in_full(words, tape, header, text, beside) {
        return (end, words.len() as u32);
    }
    let name = |tape: &[Cell<Entry>], at: usize| name(tape[at].get(), text, beside);
    // The places of the names, by name and then by place.
    let mut places = Vec::new();
    let mut at = header + 1;
    while at < end {
        places.push(at);
        at += 2 + tape[at + 1].get().below as usize;
    }
    places.sort_by(|&a, &b| name(tape, a).cmp(name(tape, b)));
    let mut kept: Vec<usize> = places
        .iter()
        .enumerate()
        .filter(|&(index, &at)| places.get(index + 1).is_none_or(|&next| name(tape, at) != name(tape, next)))
        .map(|(_, &at)| at)
        .collect();
    kept.sort_unstable();
    let mut end = header + 1;
    for &at in &kept {
        let length = 2 + tape[at + 1].get().below as usize;
        move_down(tape, at, length, end);
        end += length;
    }
    (end, kept.len() as u32)
}

/// Moves a member to a place before it. Its containers know where their children are.
fn move_down(tape: &[Cell<Entry>], from: usize, length: usize, to: usize) {
    for (from, to) in (from..from + length).zip(to..) {
        let mut entry = tape[from].get();
        if matches!(entry.kind, Kind::Array | Kind::Object) {
            // Of one that is empty it may be anything.
            entry.high = entry.high.wrapping_sub((from - to) as u32);
        }
        tape[to].set(entry);
    }
}
