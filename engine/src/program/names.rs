//! A table of names, for looking up a member's name in the schema's names.
//!
//! A name is found by its length where few names of the table have the same: so where to look is known before the text of a member's
//! name has come from memory. Where many are as long as each other, it is found by a hash of its end, one multiplication. Hashes are seeded, since both sides
//! of a look-up may be hostile.
//!
//! Then the two are compared by the word of the end and the length, which are all of a name of up to 8 bytes; one of up to 16 compares the word of its start
//! as well, and a longer one its memory.

use crate::instance::{MemberName, ONE_WORD, TWO_WORDS, ends};
use ahash::RandomState;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

/// Seeds that nobody outside this process can foresee. They never change a verdict.
pub(crate) fn random_seeds() -> RandomState {
    let random = || std::hash::RandomState::new().build_hasher().finish();
    RandomState::with_seeds(random(), random(), random(), random())
}

/// Names are found by their length if so many have the same at the most, which are then looked at one by one,
const ALIKE: usize = 6;

/// and none is longer than this.
const LONGEST: usize = 63;

/// So many names may have one slot by their hash.
const CROWD: usize = 16;

/// No entry, so that a slot that leads to none is a free one.
const FREE: u16 = u16::MAX;

/// For each name that is hashed there are so many slots, or more: most names that are not there come to a free one at once.
const SLOTS: usize = 4;

/// Of so many seeds the best are taken, where there are few names.
const TRIES: u64 = 8;

/// So many are few.
const FEW: usize = 32;

/// Names, each with its index in the order given, and with something of its own. Repeated names keep the first index.
#[derive(Clone, Debug)]
pub(crate) struct NameTable<T = ()> {
    entries: Vec<Entry<T>>,
    /// The first entry of each slot. Empty where [`NameTable::by_text`] is not.
    slots: Vec<u16>,
    /// Whether slots are lengths; else they are hashes of ends, and as many as a power of two.
    by_length: bool,
    seed: u64,
    /// Shared between tables.
    names: Vec<Arc<str>>,
    /// Where too many long names have one key, or there are too many for slots: indexes by the whole name.
    by_text: Option<Box<ByText>>,
}

#[derive(Clone, Debug)]
struct ByText(HashMap<Arc<str>, u32, RandomState>);

#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    last: u64,
    first: u64,
    len: u32,
    /// The next entry of the same slot.
    next: u16,
    value: T,
}

impl<T> Entry<T> {
    fn slot(&self, seed: u64, count: usize) -> usize {
        hash(self.last, self.len, seed) & count.wrapping_sub(1)
    }
}

/// Where a name should be, by its end and its length: of the product with a secret, the half that all bits have a part in.
#[inline(always)]
fn hash(last: u64, len: u32, seed: u64) -> usize {
    ((u128::from(last ^ u64::from(len)) * u128::from(seed)) >> 64) as usize
}

impl NameTable {
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>, seeds: &RandomState) -> NameTable {
        NameTable::with(names.into_iter().map(|name| (Arc::from(name), ())), seeds)
    }
}

impl<T: Copy> NameTable<T> {
    /// Names with what belongs to them.
    pub(crate) fn with(names: impl IntoIterator<Item = (Arc<str>, T)>, seeds: &RandomState) -> NameTable<T> {
        let given = names.into_iter();
        let mut entries = Vec::with_capacity(given.size_hint().0);
        let mut names = Vec::with_capacity(given.size_hint().0);
        for (name, value) in given {
            let (last, first) = ends(name.as_bytes());
            entries.push(Entry { last, first, len: name.len() as u32, next: FREE, value });
            names.push(name);
        }
        let slots = Vec::new();
        let mut table = NameTable { entries, slots, by_length: false, seed: 0, names, by_text: None };
        if !table.fill_by_length() {
            table.fill_by_hash(seeds);
        }
        table
    }

    /// Gives each length a slot, if that leaves few names in each.
    fn fill_by_length(&mut self) -> bool {
        let longest = self.entries.iter().map(|entry| entry.len as usize).max().unwrap_or(0);
        if longest > LONGEST || self.entries.len() >= usize::from(FREE) {
            return false;
        }
        self.slots = vec![FREE; longest + 1];
        let shared = chain(&mut self.entries, &mut self.slots, ALIKE, |entry| entry.len as usize);
        self.by_length = shared.is_some();
        self.by_length
    }

    /// Gives each name a slot by its hash, with the seed by which the fewest share one.
    fn fill_by_hash(&mut self, seeds: &RandomState) {
        let count = (self.entries.len() * SLOTS).next_power_of_two();
        self.slots = vec![FREE; count];
        let tries = match self.entries.len() {
            ..=FEW => TRIES,
            count if count < usize::from(FREE) => 1,
            _ => 0,
        };
        let mut chain_by =
            |seed| chain(&mut self.entries, &mut self.slots, CROWD, |entry| entry.slot(seed, count));
        let seeded = (0..tries).map(|attempt| seeds.hash_one(attempt));
        let mut best = None;
        for seed in seeded {
            let Some(shared) = chain_by(seed) else { continue };
            if best.is_none_or(|(least, _)| shared < least) {
                best = Some((shared, seed));
            }
            if shared == 0 {
                break;
            }
        }
        if let Some((_, seed)) = best {
            chain_by(seed);
            self.seed = seed;
            return;
        }
        self.slots = Vec::new();
        let mut by_text = HashMap::with_capacity_and_hasher(self.names.len(), seeds.clone());
        for (index, name) in self.names.iter().enumerate() {
            by_text.entry(Arc::clone(name)).or_insert(index as u32);
        }
        self.by_text = Some(Box::new(ByText(by_text)));
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    pub(crate) fn values_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.iter_mut().map(|entry| &mut entry.value)
    }

    /// The names, to share them.
    pub(crate) fn shared(&self) -> impl Iterator<Item = &Arc<str>> {
        self.names.iter()
    }

    /// A name, to share it.
    pub(crate) fn share(&self, index: usize) -> &Arc<str> {
        &self.names[index]
    }

    /// What belongs to each name.
    pub(crate) fn values(&self) -> impl Iterator<Item = T> {
        self.entries.iter().map(|entry| entry.value)
    }

    pub(crate) fn get(&self, index: usize) -> &str {
        &self.names[index]
    }

    /// The index of a name.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.look_up(name.as_bytes()).map(|(index, _)| index)
    }

    /// The index of a name, and what belongs to it. A loop has no more of it than what most names need: the rest is apart, so that
    /// it takes no registers from them.
    #[inline(always)]
    pub(crate) fn look_up<'n>(&self, name: impl MemberName<'n>) -> Option<(usize, &T)> {
        let Some((last, len)) = name.end() else { return self.look_up_bytes(name.bytes()) };
        let slot = match self.by_length {
            true => len as usize,
            false => hash(last, len, self.seed) & self.slots.len().wrapping_sub(1),
        };
        let Some(&(mut next)) = self.slots.get(slot) else {
            return if self.by_length { None } else { self.look_up_text(name.bytes()) };
        };
        loop {
            let index = usize::from(next);
            let entry = self.entries.get(index)?;
            if entry.last == last && entry.len == len && self.has_start_of(index, entry, name) {
                return Some((index, &entry.value));
            }
            next = entry.next;
        }
    }

    /// The same for a name whose end is not at hand.
    #[cold]
    #[inline(never)]
    fn look_up_bytes(&self, name: &[u8]) -> Option<(usize, &T)> {
        self.look_up(name)
    }

    /// Whether an entry has all of a name that is as long, and ends alike.
    #[inline(always)]
    fn has_start_of<'n>(&self, index: usize, entry: &Entry<T>, name: impl MemberName<'n>) -> bool {
        entry.len <= ONE_WORD
            || entry.first == name.start() && (entry.len <= TWO_WORDS || self.is_whole(index, name.bytes()))
    }

    /// Whether the entry of an index has all of a name that is as long, and has its ends.
    #[inline(never)]
    fn is_whole(&self, index: usize, name: &[u8]) -> bool {
        let Some(text) = self.names.get(index) else { return false };
        let words = text.as_bytes().as_chunks::<8>().0.iter().zip(name.as_chunks::<8>().0);
        words.skip(1).all(|(one, other)| one == other)
    }

    /// Whether the entry of an index has that name.
    #[inline(always)]
    pub(crate) fn is<'n>(&self, index: usize, name: impl MemberName<'n>) -> bool {
        let Some(entry) = self.entries.get(index) else { return false };
        let Some((last, len)) = name.end() else { return self.get(index).as_bytes() == name.bytes() };
        entry.last == last && entry.len == len && self.has_start_of(index, entry, name)
    }

    #[cold]
    #[inline(never)]
    fn look_up_text(&self, name: &[u8]) -> Option<(usize, &T)> {
        let index = *self.by_text.as_ref()?.0.get(str::from_utf8(name).ok()?)? as usize;
        Some((index, &self.entries[index].value))
    }
}

/// Puts entries into slots, in order, each behind those that have its slot already. Returns how many of those there are; nothing if too many
/// would have one slot.
fn chain<T>(
    entries: &mut [Entry<T>],
    slots: &mut [u16],
    most: usize,
    slot_of: impl Fn(&Entry<T>) -> usize,
) -> Option<usize> {
    slots.fill(FREE);
    let mut shared = 0;
    for index in 0..entries.len() {
        entries[index].next = FREE;
        let slot = slot_of(&entries[index]);
        let (mut before, mut next, mut count) = (None, slots[slot], 1);
        while next != FREE {
            (before, next, count) = (Some(next), entries[usize::from(next)].next, count + 1);
        }
        if count > most {
            return None;
        }
        match before {
            None => slots[slot] = index as u16,
            Some(before) => entries[usize::from(before)].next = index as u16,
        }
        shared += usize::from(before.is_some());
    }
    Some(shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_is_there_and_nothing_else() {
        let seeds = random_seeds();
        let names: Vec<String> = (0..40).map(|length| "x".repeat(length)).collect();
        for count in [0, 1, 8, names.len()] {
            let table = NameTable::new(names[..count].iter().map(String::as_str), &seeds);
            for (index, name) in names.iter().enumerate() {
                let want = (index < count).then_some(index);
                assert_eq!(table.find(name), want, "{name} among {count}");
            }
        }
    }

    #[test]
    fn finds_names_of_one_length() {
        let seeds = random_seeds();
        let names: Vec<String> = (10..90).map(|number| format!("name{number}")).collect();
        for count in [1, ALIKE, ALIKE + 1, 79] {
            let table = NameTable::new(names[..count].iter().map(String::as_str), &seeds);
            assert_eq!(table.by_length, count <= ALIKE);
            for (index, name) in names.iter().enumerate() {
                assert_eq!(table.find(name), (index < count).then_some(index), "{name} among {count}");
            }
        }
    }

    #[test]
    fn repeated_names_keep_the_first_index() {
        let table = NameTable::new(["a", "b", "a", "b"], &random_seeds());
        assert_eq!([table.find("a"), table.find("b")], [Some(0), Some(1)]);
    }

    #[test]
    fn finds_more_names_than_slots_can_number() {
        let seeds = random_seeds();
        let names: Vec<String> = (0..70_000).map(|number| format!("{number}")).collect();
        for (count, by_text) in [(65_534, false), (65_535, true), (names.len(), true)] {
            let table = NameTable::new(names[..count].iter().map(String::as_str), &seeds);
            assert!(table.by_text.is_some() || !by_text);
            for index in [0, 1, 65_533, 65_534, 65_535, 69_999] {
                assert_eq!(table.find(&names[index]), (index < count).then_some(index), "{index} of {count}");
            }
        }
    }

    #[test]
    fn finds_long_names_that_share_their_ends() {
        let seeds = random_seeds();
        let names: Vec<String> = (10_000..12_000).map(|number| format!("prefix00{number}suffix00")).collect();
        let table = NameTable::new(names.iter().map(String::as_str), &seeds);
        assert!(table.by_text.is_some());
        for (index, name) in names.iter().enumerate() {
            assert_eq!(table.find(name), Some(index));
        }
        assert_eq!(table.find("prefix0099999suffix00"), None);
    }

    #[test]
    fn tells_names_apart_that_share_their_ends() {
        let seeds = random_seeds();
        let table = NameTable::new(["prefix00_a_suffix00", "abc", "cba", "abcd\0"], &seeds);
        assert_eq!(table.find("prefix00_a_suffix00"), Some(0));
        assert_eq!(table.find("prefix00_b_suffix00"), None);
        assert_eq!(table.find("cba"), Some(2));
        assert_eq!(table.find("abcd"), None);
        assert_eq!(table.find("\0abc"), None);
    }
}
