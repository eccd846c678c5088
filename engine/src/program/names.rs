//! A table of names, for looking up a member's name in the schema's names.
//!
//! A name of up to 16 bytes is two words and a length, and compares as such; a longer one compares its
//! words and length before its memory. A few names are scanned, many are hashed. Hashes are
//! seeded, since both sides of a look-up may be hostile.

use ahash::RandomState;
use std::hash::{BuildHasher, Hasher};

/// Seeds that nobody outside this process can foresee. They never change a verdict.
pub(crate) fn random_seeds() -> RandomState {
    let random = || std::hash::RandomState::new().build_hasher().finish();
    RandomState::with_seeds(random(), random(), random(), random())
}

/// Up to so many names are scanned.
const SCANNED: usize = 8;

/// Names, each with its index in the order given, and with something of its own. Repeated names keep the first index.
#[derive(Clone, Debug)]
pub(crate) struct NameTable<T = ()> {
    entries: Vec<Entry<T>>,
    names: Vec<Box<str>>,
    /// For many names: index + 1 by hash, open addressing, a power of two long; 0 is free.
    slots: Vec<u32>,
    seeds: [u64; 2],
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

impl Key {
    #[inline(always)]
    fn new(name: &str) -> Key {
        let bytes = name.as_bytes();
        let len = bytes.len();
        let (head, tail) = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
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
        };
        Key { head, tail, len: len as u32 }
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
        NameTable::with(names.into_iter().map(|name| (name, ())), seeds)
    }
}

impl<T: Copy> NameTable<T> {
    /// Names with what belongs to them.
    pub(crate) fn with<'n>(
        names: impl IntoIterator<Item = (&'n str, T)>,
        seeds: &RandomState,
    ) -> NameTable<T> {
        let names = names.into_iter();
        let (entries, names) = names
            .map(|(name, value)| {
                let Key { head, tail, len } = Key::new(name);
                (Entry { head, tail, len, value }, Box::from(name))
            })
            .unzip();
        let mut table = NameTable { entries, names, slots: Vec::new(), seeds: [0; 2] };
        if table.entries.len() > SCANNED {
            table.fill_slots(seeds);
        }
        table
    }

    fn fill_slots(&mut self, seeds: &RandomState) {
        let size = (self.entries.len() * 2).next_power_of_two();
        self.slots = vec![0; size];
        self.seeds = [seeds.hash_one(0), seeds.hash_one(1)];
        for (index, name) in self.names.iter().enumerate() {
            let hash = match Key::is_whole(name) {
                true => Key::new(name).hash(self.seeds),
                false => seeds.hash_one(&**name) as usize,
            };
            let mut slot = hash & (size - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = index as u32 + 1;
        }
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
        let key = Key::new(name);
        self.find_key(key, name, seeds).map(|(index, _)| index)
    }

    /// A name that is likely to be at `hint`: names come in the order of the schema more often than not.
    #[inline(always)]
    pub(crate) fn find_from(&self, hint: usize, name: &str, seeds: &RandomState) -> Option<(usize, &T)> {
        let key = Key::new(name);
        if let Some(entry) = self.entries.get(hint)
            && entry.head == key.head
            && entry.tail == key.tail
            && entry.len == key.len
            && Key::is_whole(name)
        {
            return Some((hint, &entry.value));
        }
        self.find_key(key, name, seeds)
    }

    #[inline(always)]
    fn find_key(&self, key: Key, name: &str, seeds: &RandomState) -> Option<(usize, &T)> {
        if !Key::is_whole(name) {
            let index = self.find_long(name, seeds)?;
            return Some((index, &self.entries[index].value));
        }
        let is_it =
            |entry: &Entry<T>| entry.head == key.head && entry.tail == key.tail && entry.len == key.len;
        if self.slots.is_empty() {
            for (index, entry) in self.entries.iter().enumerate() {
                if is_it(entry) {
                    return Some((index, &entry.value));
                }
            }
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut slot = key.hash(self.seeds) & mask;
        loop {
            let index = (self.slots[slot] as usize).checked_sub(1)?;
            let entry = &self.entries[index];
            if is_it(entry) {
                return Some((index, &entry.value));
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The index of a name that is more than its key.
    #[inline(never)]
    fn find_long(&self, name: &str, seeds: &RandomState) -> Option<usize> {
        let key = Key::new(name);
        if self.slots.is_empty() {
            return (0..self.entries.len()).find(|&index| self.is_at(index, key, name));
        }
        let mask = self.slots.len() - 1;
        let mut slot = seeds.hash_one(name) as usize & mask;
        loop {
            let index = (self.slots[slot] as usize).checked_sub(1)?;
            if self.is_at(index, key, name) {
                return Some(index);
            }
            slot = (slot + 1) & mask;
        }
    }

    #[inline]
    fn is_at(&self, index: usize, key: Key, name: &str) -> bool {
        let entry = &self.entries[index];
        entry.head == key.head
            && entry.tail == key.tail
            && entry.len == key.len
            && *self.names[index] == *name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_is_there_and_nothing_else() {
        let seeds = random_seeds();
        let names: Vec<String> = (0..40).map(|length| "x".repeat(length)).collect();
        for count in [0, 1, SCANNED, SCANNED + 1, names.len()] {
            let table = NameTable::new(names[..count].iter().map(String::as_str), &seeds);
            for (index, name) in names.iter().enumerate() {
                let want = (index < count).then_some(index);
                assert_eq!(table.find(name, &seeds), want, "{name} among {count}");
            }
        }
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
