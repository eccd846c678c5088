//! A table of names, for looking up a member's name in the schema's names.
//!
//! A name of up to 16 bytes is two words and a length, and compares as such; a longer one compares its
//! words and length before its memory. These words are hashed, which is one multiplication. Hashes are
//! seeded, since both sides of a look-up may be hostile.

use ahash::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

/// Seeds that nobody outside this process can foresee. They never change a verdict.
pub(crate) fn random_seeds() -> RandomState {
    let random = || std::hash::RandomState::new().build_hasher().finish();
    RandomState::with_seeds(random(), random(), random(), random())
}

/// A name that is so many slots from where it should be is too far away.
const FAR: usize = 16;

/// Names, each with its index in the order given, and with something of its own. Repeated names keep the first index.
#[derive(Clone, Debug)]
pub(crate) struct NameTable<T = ()> {
    entries: Vec<Entry<T>>,
    /// Shared between tables.
    names: Vec<Arc<str>>,
    /// Index + 1 by hash, open addressing, a power of two long; 0 is free.
    slots: Vec<u32>,
    seeds: [u64; 2],
    /// Whether names are hashed as a whole, and not by their keys: too many that are long have one key.
    by_text: bool,
}

#[derive(Clone, Copy, Debug)]
struct Entry<T> {
    head: u64,
    tail: u64,
    len: u32,
    value: T,
}

/// A name's first and last eight bytes (overlapping, or padded with zeros) and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    head: u64,
    tail: u64,
    /// Cut at what 32 bits hold. Names that long compare their memory as well.
    len: u32,
}

/// The first and last eight bytes of a text, overlapping, or padded with zeros. With the length they tell all texts of up to 16 bytes
/// apart.
#[inline(always)]
pub(crate) fn ends(name: &str) -> (u64, u64) {
    let bytes = name.as_bytes();
    let len = bytes.len();
    match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
        _ => match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            (Some(first), Some(last)) => {
                (u64::from(u32::from_le_bytes(*first)), u64::from(u32::from_le_bytes(*last)))
            }
            _ => match bytes {
                &[first, .., last] => {
                    (u64::from(first) | u64::from(bytes[len / 2]) << 8 | u64::from(last) << 16, 0)
                }
                &[only] => (u64::from(only), 0),
                [] => (0, 0),
            },
        },
    }
}

impl Key {
    #[inline(always)]
    fn new(name: &str) -> Key {
        let (head, tail) = ends(name);
        Key { head, tail, len: name.len() as u32 }
    }

    /// Whether equal keys mean equal names.
    #[inline(always)]
    fn is_whole(name: &str) -> bool {
        name.len() <= 16
    }

    /// A hash of the key: both words, each with a secret, multiplied and folded.
    #[inline(always)]
    fn hash(self, seeds: [u64; 2]) -> usize {
        let product =
            u128::from(self.head ^ seeds[0]) * u128::from(self.tail ^ seeds[1] ^ u64::from(self.len));
        (product as u64 ^ (product >> 64) as u64) as usize
    }
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
            let Key { head, tail, len } = Key::new(&name);
            entries.push(Entry { head, tail, len, value });
            names.push(name);
        }
        let seeds_of_keys = [seeds.hash_one(0), seeds.hash_one(1)];
        let mut table = NameTable { entries, names, slots: Vec::new(), seeds: seeds_of_keys, by_text: false };
        if !table.fill_slots(seeds) {
            table.by_text = true;
            table.fill_slots(seeds);
        }
        table
    }

    /// Gives each name a slot. Returns whether none is far from where it should be.
    fn fill_slots(&mut self, seeds: &RandomState) -> bool {
        let size = (self.entries.len() * 2).next_power_of_two();
        self.slots = vec![0; size];
        for (index, name) in self.names.iter().enumerate() {
            let first = self.hash(Key::new(name), name, seeds);
            let free =
                (0..size).find(|away| self.slots[(first + away) & (size - 1)] == 0).unwrap_or_default();
            if free > FAR && !self.by_text {
                return false;
            }
            self.slots[(first + free) & (size - 1)] = index as u32 + 1;
        }
        true
    }

    #[inline(always)]
    fn hash(&self, key: Key, name: &str, seeds: &RandomState) -> usize {
        if self.by_text { hash_text(name, seeds) } else { key.hash(self.seeds) }
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

    /// What belongs to each name.
    pub(crate) fn values(&self) -> impl Iterator<Item = T> {
        self.entries.iter().map(|entry| entry.value)
    }

    pub(crate) fn get(&self, index: usize) -> &str {
        &self.names[index]
    }

    /// The index of a name.
    #[inline]
    pub(crate) fn find(&self, name: &str, seeds: &RandomState) -> Option<usize> {
        self.look_up(name, seeds).map(|(index, _)| index)
    }

    /// The index of a name, and what belongs to it.
    #[inline(always)]
    pub(crate) fn look_up(&self, name: &str, seeds: &RandomState) -> Option<(usize, &T)> {
        let key = Key::new(name);
        let mask = self.slots.len() - 1;
        let mut slot = self.hash(key, name, seeds) & mask;
        loop {
            let index = (self.slots[slot] as usize).checked_sub(1)?;
            let entry = &self.entries[index];
            if entry.head == key.head
                && entry.tail == key.tail
                && entry.len == key.len
                && (Key::is_whole(name) || *self.names[index] == *name)
            {
                return Some((index, &entry.value));
            }
            slot = (slot + 1) & mask;
        }
    }
}

#[cold]
#[inline(never)]
fn hash_text(name: &str, seeds: &RandomState) -> usize {
    seeds.hash_one(name) as usize
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
                assert_eq!(table.find(name, &seeds), want, "{name} among {count}");
            }
        }
    }

    #[test]
    fn finds_long_names_that_share_their_ends() {
        let seeds = random_seeds();
        let names: Vec<String> = (10_000..12_000).map(|number| format!("prefix00{number}suffix00")).collect();
        let table = NameTable::new(names.iter().map(String::as_str), &seeds);
        assert!(table.by_text);
        for (index, name) in names.iter().enumerate() {
            assert_eq!(table.find(name, &seeds), Some(index));
        }
        assert_eq!(table.find("prefix0099999suffix00", &seeds), None);
    }

    #[test]
    fn tells_names_apart_that_share_their_ends() {
        let seeds = random_seeds();
        let table = NameTable::new(["prefix00_a_suffix00", "abc", "cba", "abcd\0"], &seeds);
        assert_eq!(table.find("prefix00_a_suffix00", &seeds), Some(0));
        assert_eq!(table.find("prefix00_b_suffix00", &seeds), None);
        assert_eq!(table.find("cba", &seeds), Some(2));
        assert_eq!(table.find("abcd", &seeds), None);
        assert_eq!(table.find("\0abc", &seeds), None);
    }
}
