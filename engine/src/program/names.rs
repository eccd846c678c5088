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

/// Names, each with its index in the order given. Repeated names keep the first index.
#[derive(Clone, Debug, Default)]
pub(crate) struct NameTable {
    keys: Vec<Key>,
    names: Vec<Box<str>>,
    /// For many names: index + 1 by hash, open addressing, a power of two long; 0 is free.
    slots: Vec<u32>,
}

/// A name's first and last eight bytes (overlapping, or padded with zeros) and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    head: u64,
    tail: u64,
    len: u64,
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
        Key { head, tail, len: len as u64 }
    }

    /// Whether equal keys mean equal names.
    #[inline]
    fn is_whole(self) -> bool {
        self.len <= 16
    }

    #[inline]
    fn hash(self, name: &str, seeds: &RandomState) -> u64 {
        if self.is_whole() { seeds.hash_one((self.head, self.tail, self.len)) } else { seeds.hash_one(name) }
    }
}

impl NameTable {
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>, seeds: &RandomState) -> NameTable {
        let names: Vec<Box<str>> = names.into_iter().map(Box::from).collect();
        let keys: Vec<Key> = names.iter().map(|name| Key::new(name)).collect();
        let mut table = NameTable { keys, names, slots: Vec::new() };
        if table.keys.len() > SCANNED {
            table.fill_slots(seeds);
        }
        table
    }

    fn fill_slots(&mut self, seeds: &RandomState) {
        let size = (self.keys.len() * 2).next_power_of_two();
        self.slots = vec![0; size];
        for index in 0..self.keys.len() {
            let mut slot = self.keys[index].hash(&self.names[index], seeds) as usize & (size - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = index as u32 + 1;
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    pub(crate) fn get(&self, index: usize) -> &str {
        &self.names[index]
    }

    /// The index of a name.
    #[inline]
    pub(crate) fn find(&self, name: &str, seeds: &RandomState) -> Option<usize> {
        self.find_key(Key::new(name), name, seeds)
    }

    #[inline]
    fn find_key(&self, key: Key, name: &str, seeds: &RandomState) -> Option<usize> {
        if self.slots.is_empty() {
            self.scan(key.head, key.tail, name)
        } else {
            self.find_hashed(key.head, key.tail, name, seeds)
        }
    }

    #[inline(never)]
    fn scan(&self, head: u64, tail: u64, name: &str) -> Option<usize> {
        let key = Key { head, tail, len: name.len() as u64 };
        let found = |index: &usize| key.is_whole() || *self.names[*index] == *name;
        self.keys.iter().position(|&other| other == key).filter(found).or_else(|| {
            // Long names may differ only inside.
            if key.is_whole() {
                None
            } else {
                (0..self.keys.len()).find(|&index| self.is_at(index, key, name))
            }
        })
    }

    #[inline(never)]
    fn find_hashed(&self, head: u64, tail: u64, name: &str, seeds: &RandomState) -> Option<usize> {
        let key = Key { head, tail, len: name.len() as u64 };
        let mask = self.slots.len() - 1;
        let mut slot = key.hash(name, seeds) as usize & mask;
        loop {
            let index = (self.slots[slot] as usize).checked_sub(1)?;
            if self.is_at(index, key, name) {
                return Some(index);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The index of a name that is likely to be at `hint`, or not far behind: names come in the order of the
    /// schema more often than not.
    #[inline(always)]
    pub(crate) fn find_from(&self, hint: usize, name: &str, seeds: &RandomState) -> Option<usize> {
        let key = Key::new(name);
        if let Some(&next) = self.keys.get(hint)
            && next == key
            && (key.is_whole() || *self.names[hint] == *name)
        {
            return Some(hint);
        }
        self.find_key(key, name, seeds)
    }

    #[inline]
    fn is_at(&self, index: usize, key: Key, name: &str) -> bool {
        self.keys[index] == key && (key.is_whole() || *self.names[index] == *name)
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
