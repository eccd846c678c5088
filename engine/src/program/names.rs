//! A table of names, for looking up a member's name in the schema's names.
//!
//! A name whose text is elsewhere in memory is found by its length, where few names of the table have the same: so its entry is known before the text has
//! been loaded. One whose end is at hand, or as long as many others, is found by a hash of its end, one multiplication. Hashes are seeded, since both sides
//! of a lookup may be hostile.
//!
//! Then the two are compared by the word of the end and the length, which are all of a name of up to 8 bytes; one of up to 16 compares the word of its start
//! as well, one of up to 32 the two between them, and a longer one its memory.

use crate::heap::Heap;
use crate::instance::{MemberName, ONE_WORD, TWO_WORDS, ends, last_word};
use crate::limits::{Budget, Stopped};
use ahash::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

/// Seeds that nobody outside this process can foresee. They never change a verdict.
pub(crate) fn random_seeds() -> RandomState {
    let random = || std::hash::RandomState::new().build_hasher().finish();
    RandomState::with_seeds(random(), random(), random(), random())
}

/// Other seeds, as hard to foresee as these.
pub(crate) fn derived_seeds(seeds: &RandomState, number: u64) -> RandomState {
    let next = |place: u64| seeds.hash_one((number, place));
    RandomState::with_seeds(next(0), next(1), next(2), next(3))
}

/// The most names of one length in a table that finds names by their length. They are compared one by one.
const ALIKE: usize = 6;

/// The longest name in a table that finds names by their length.
const LONGEST: usize = 63;

/// The index for a length that no name has. A table that finds names by their length has fewer entries than this.
const NO_LENGTH: u8 = u8::MAX;

/// The most names that may share a slot by their hash.
const CROWD: usize = 16;

/// Like [`CROWD`], where some are longer than [`LONGEST`], so that they take longer to compare.
const CROWD_OF_LONG: usize = 4;

/// A table of more names than this does not stay in the first cache.
const NEARBY: usize = 4_096;

/// A table of more names than this does not stay in the caches of one core.
const FAR: usize = 32_768;

/// The longest name that its entry holds completely.
const FOUR_WORDS: usize = 32;

/// The index of a free slot.
const FREE: u16 = u16::MAX;

/// The least number of slots for each name. With so many, most lookups of unknown names find a free slot at once.
const SLOTS: usize = 4;

/// The number of seeds that are tried, where there are few names.
const TRIES: u64 = 8;

/// The most names for which several seeds are tried.
const NAMES_WITH_SEVERAL_SEEDS: usize = 32;

/// Names, each with its index in the order given, and with a value. Repeated names keep the first index.
#[derive(Clone, Debug)]
pub(crate) struct NameTable<T = ()> {
    entries: Vec<Entry<T>>,
    /// The first entry of each length, where [`NameTable::by_length`] is set. Not elsewhere in memory: a walk needs it for every member.
    lengths: [u8; LONGEST + 1],
    /// Whether few names have the same length.
    by_length: bool,
    /// The first entry by the hash of its end; as many as a power of two. Empty where [`NameTable::by_text`] is not, and where names are found
    /// by their length, unless the table is one for walks.
    slots: Vec<u16>,
    seed: u64,
    /// Shared between tables.
    names: Vec<Arc<str>>,
    /// The length of the longest name.
    longest: usize,
    /// The bytes of all names.
    bytes: usize,
    /// Where too many long names have one key, or there are too many for slots: indexes by the whole name.
    by_text: Option<Box<ByText>>,
}

/// Indexes of names by a hash of the whole text: open addressing, since a map with its own names would take thrice the room.
#[derive(Clone, Debug)]
pub(super) struct ByText {
    /// As many as a power of two, at least a third more than there are names.
    pub(super) slots: Box<[u32]>,
    seeds: RandomState,
}

impl ByText {
    /// No index.
    const FREE: u32 = u32::MAX;

    fn of(names: &[Arc<str>], seeds: &RandomState) -> ByText {
        let count = (names.len() + names.len() / 3 + 1).next_power_of_two();
        let mut table = ByText { slots: vec![ByText::FREE; count].into(), seeds: seeds.clone() };
        for (index, name) in names.iter().enumerate() {
            let slot = table.slot(names, name.as_bytes());
            if table.slots[slot] == ByText::FREE {
                table.slots[slot] = index as u32;
            }
        }
        table
    }

    /// The slot that a name has, or a free one where it would be.
    fn slot(&self, names: &[Arc<str>], name: &[u8]) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = self.seeds.hash_one(name) as usize & mask;
        loop {
            match self.slots[slot] {
                ByText::FREE => return slot,
                index if names[index as usize].as_bytes() == name => return slot,
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn find(&self, names: &[Arc<str>], name: &[u8]) -> Option<usize> {
        let index = self.slots[self.slot(names, name)];
        if index == ByText::FREE { None } else { Some(index as usize) }
    }
}

/// The value of a name comes first, so that an entry's address is also that of its value.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Entry<T> {
    value: T,
    /// The last eight bytes of the name.
    last: u64,
    /// The first eight; of a name that has fewer its [`short_word`].
    first: u64,
    /// Of a name of more than two words those next to the first and to the last.
    inner: [u64; 2],
    len: u32,
    /// The next entry of the same length,
    next_as_long: u16,
    /// and of the same slot.
    next_in_slot: u16,
}

/// Hashes a name by its end and its length: the half of the product with a secret that all bits contribute to.
#[inline(always)]
fn hash(last: u64, len: u32, seed: u64) -> usize {
    ((u128::from(last ^ u64::from(len)) * u128::from(seed)) >> 64) as usize
}

/// All bytes of a name of fewer than eight, given its length: of most such names both halves, which may overlap. That is cheaper than to put
/// its bytes in order, as [`last_word`] does.
#[inline(always)]
fn short_word(name: &[u8]) -> u64 {
    match (name.first_chunk(), name.last_chunk()) {
        (Some(first), Some(last)) => {
            u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
        }
        _ => last_word(name),
    }
}

/// The words next to the first and to the last, of a name that has more than those.
#[inline(always)]
fn inner_words(name: &[u8]) -> [u64; 2] {
    let (Some(start), Some(end)) = (name.first_chunk::<16>(), name.last_chunk::<16>()) else { return [0; 2] };
    [start.last_chunk(), end.first_chunk()].map(|word| word.map_or(0, |word| u64::from_le_bytes(*word)))
}

impl NameTable {
    pub(crate) fn new<'n>(names: impl IntoIterator<Item = &'n str>, seeds: &RandomState) -> NameTable {
        NameTable::with(names.into_iter().map(|name| (Arc::from(name), ())), seeds)
    }
}

impl<T: Copy> NameTable<T> {
    /// Makes a table of names with their values, for single lookups.
    pub(crate) fn with(names: impl IntoIterator<Item = (Arc<str>, T)>, seeds: &RandomState) -> NameTable<T> {
        let mut table = NameTable::by_lengths(names);
        if !table.by_length {
            table.fill_slots(seeds);
        }
        table
    }

    /// Like [`NameTable::with`], for walks over all members of an object, where the ends of names may be at hand.
    pub(crate) fn for_walks(
        names: impl IntoIterator<Item = (Arc<str>, T)>,
        seeds: &RandomState,
    ) -> NameTable<T> {
        let mut table = NameTable::by_lengths(names);
        table.fill_slots(seeds);
        table
    }

    fn by_lengths(names: impl IntoIterator<Item = (Arc<str>, T)>) -> NameTable<T> {
        let given = names.into_iter();
        let mut entries = Vec::with_capacity(given.size_hint().0);
        let mut names = Vec::with_capacity(given.size_hint().0);
        for (name, value) in given {
            let (last, first) = ends(name.as_bytes());
            let len = name.len() as u32;
            let first = if len < ONE_WORD { short_word(name.as_bytes()) } else { first };
            let inner = inner_words(name.as_bytes());
            entries.push(Entry { value, last, first, inner, len, next_as_long: FREE, next_in_slot: FREE });
            names.push(name);
        }
        let lengths = [NO_LENGTH; LONGEST + 1];
        let (by_length, slots, by_text) = (false, Vec::new(), None);
        let longest = names.iter().map(|name| name.len()).max().unwrap_or(0);
        let bytes = names.iter().map(|name| name.len()).sum();
        let mut table =
            NameTable { entries, lengths, by_length, slots, seed: 0, names, longest, bytes, by_text };
        table.fill_lengths();
        table
    }

    /// Chains names of equal length, if they are few.
    fn fill_lengths(&mut self) {
        if self.longest > LONGEST || self.entries.len() >= usize::from(NO_LENGTH) {
            return;
        }
        let mut first = [FREE; LONGEST + 1];
        let length = |entry: &Entry<T>| entry.len as usize;
        let chained = chain(&mut self.entries, &mut first, ALIKE, length, |entry| &mut entry.next_as_long);
        self.by_length = chained.is_some();
        // Those that are no entry are cut to one that is none, too.
        self.lengths = first.map(|index| index as u8);
    }

    /// Gives each name a slot by its hash, with the seed by which the fewest share one.
    fn fill_slots(&mut self, seeds: &RandomState) {
        let count = (self.entries.len() * SLOTS).next_power_of_two();
        self.slots = vec![FREE; count];
        let tries = match self.entries.len() {
            ..=NAMES_WITH_SEVERAL_SEEDS => TRIES,
            count if count < usize::from(FREE) => 1,
            _ => 0,
        };
        let crowd = if self.longest > LONGEST { CROWD_OF_LONG } else { CROWD };
        let mut chain_by = |seed| {
            let slot = |entry: &Entry<T>| hash(entry.last, entry.len, seed) & (count - 1);
            chain(&mut self.entries, &mut self.slots, crowd, slot, |entry| &mut entry.next_in_slot)
        };
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
        if let Some((shared, seed)) = best {
            // Where none share a slot, that was the last seed that was tried.
            if shared > 0 {
                chain_by(seed);
            }
            self.seed = seed;
            return;
        }
        self.slots = Vec::new();
        self.by_text = Some(Box::new(ByText::of(&self.names, seeds)));
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The bytes that it has on the heap.
    pub(crate) fn on_heap(&self) -> usize {
        self.entries.heap() + self.slots.heap() + self.names.heap() + self.by_text.heap()
    }

    /// The bytes of all names.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Whether lookups of some names cost [`NameTable::extra_steps`].
    #[inline]
    pub(crate) fn has_costly_lookups(&self) -> bool {
        self.longest > LONGEST || self.entries.len() > NEARBY
    }

    /// The cost of looking up a name, beyond the first step: a name that may be one of the long ones
    /// is compared byte by byte, and the entries of a large table have to come from memory.
    #[inline]
    pub(crate) fn extra_steps(&self, name: &[u8]) -> u64 {
        let count = self.entries.len();
        let from_memory = u64::from(count > NEARBY) * 3 + u64::from(count > FAR) * 8;
        let is_compared = name.len() > LONGEST && name.len() <= self.longest;
        from_memory + if is_compared { (name.len() / 64) as u64 } else { 0 }
    }

    /// Finds the index of a name, and pays for the lookup.
    #[inline]
    pub(crate) fn find_within(&self, budget: &mut Budget, name: &str) -> Result<Option<usize>, Stopped> {
        budget.spend(self.extra_steps(name.as_bytes()))?;
        Ok(self.find(name))
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

    /// Returns the value of each name.
    pub(crate) fn values(&self) -> impl Iterator<Item = T> {
        self.entries.iter().map(|entry| entry.value)
    }

    /// Returns the value of the first name.
    #[inline]
    pub(crate) fn first(&self) -> Option<&T> {
        self.entries.first().map(|entry| &entry.value)
    }

    pub(crate) fn get(&self, index: usize) -> &str {
        &self.names[index]
    }

    /// The index of a name.
    #[inline]
    pub(crate) fn find(&self, name: &str) -> Option<usize> {
        self.look_up(name.as_bytes()).map(|(index, _)| index)
    }

    /// Finds the index of a name, and its value.
    #[inline(always)]
    pub(crate) fn look_up<'n, N: MemberName<'n>>(&self, name: N) -> Option<(usize, &T)> {
        if N::END_IS_AT_HAND || !self.is_by_length() {
            return self.look_by_hash(name);
        }
        self.look_by_length(name)
    }

    /// Whether names can be found by their length. A walk tests this once, and has a loop for each case.
    #[inline(always)]
    pub(crate) fn is_by_length(&self) -> bool {
        self.by_length
    }

    /// Like [`NameTable::look_up`], by length. The code for long names is apart, so that it takes no registers from the others.
    // INVARIANT: all entries from `lengths` on have that length, so it is not compared.
    #[inline(always)]
    pub(crate) fn look_by_length<'n>(&self, name: impl MemberName<'n>) -> Option<(usize, &T)> {
        let name = name.bytes();
        // Where a length is known to be one of the table's there is nothing to check.
        let as_long = || self.lengths.get(name.len()).map_or(usize::from(FREE), |&index| usize::from(index));
        if name.len() < ONE_WORD as usize {
            let word = short_word(name);
            return self.look_among(as_long(), |_, entry| entry.first == word);
        }
        if name.len() > TWO_WORDS as usize {
            return self.look_among_long(as_long(), name);
        }
        let (last, first) = ends(name);
        self.look_among(as_long(), |_, entry| entry.last == last && entry.first == first)
    }

    /// The first entry with that name, among those of its length, from an index on.
    #[inline(always)]
    fn look_among(
        &self,
        mut index: usize,
        is_the_one: impl Fn(usize, &Entry<T>) -> bool,
    ) -> Option<(usize, &T)> {
        loop {
            let entry = self.entries.get(index)?;
            if is_the_one(index, entry) {
                return Some((index, &entry.value));
            }
            index = usize::from(entry.next_as_long);
        }
    }

    /// Looks up a name of more than two words.
    #[inline(never)]
    fn look_among_long(&self, index: usize, name: &[u8]) -> Option<(usize, &T)> {
        if name.len() > FOUR_WORDS {
            return self.look_among_longest(index, name);
        }
        let ((last, first), inner) = (ends(name), inner_words(name));
        self.look_among(index, |_, entry| entry.last == last && entry.first == first && entry.inner == inner)
    }

    /// Looks up a name whose first words do not differ from those of others.
    #[cold]
    #[inline(never)]
    fn look_among_longest(&self, index: usize, name: &[u8]) -> Option<(usize, &T)> {
        self.look_among(index, |index, _| self.is_whole(index, name))
    }

    /// Looks up a name by the hash of its end. Only the part that most names need is inlined into loops.
    #[inline(always)]
    pub(crate) fn look_by_hash<'n, N: MemberName<'n>>(&self, name: N) -> Option<(usize, &T)> {
        let Some((last, len)) = name.end() else { return self.look_up_bytes(name.bytes()) };
        let slot = hash(last, len, self.seed) & self.slots.len().wrapping_sub(1);
        let Some(&index) = self.slots.get(slot) else { return self.look_up_text(name.bytes()) };
        if len > TWO_WORDS {
            return self.look_further(index, name.bytes());
        }
        let index = usize::from(index);
        let entry = self.entries.get(index)?;
        if entry.last == last && entry.len == len && (len <= ONE_WORD || entry.first == name.start()) {
            return Some((index, &entry.value));
        }
        if entry.next_in_slot == FREE { None } else { self.look_further(entry.next_in_slot, name.bytes()) }
    }

    /// Looks up a long name, or one whose slot has others before it.
    #[inline(never)]
    fn look_further(&self, mut next: u16, name: &[u8]) -> Option<(usize, &T)> {
        loop {
            let index = usize::from(next);
            let entry = self.entries.get(index)?;
            if self.is(index, name) {
                return Some((index, &entry.value));
            }
            next = entry.next_in_slot;
        }
    }

    /// Looks up a name whose end is not at hand.
    #[cold]
    #[inline(never)]
    fn look_up_bytes(&self, name: &[u8]) -> Option<(usize, &T)> {
        self.look_up(name)
    }

    /// Whether the entry of an index has a name, by its text.
    #[cold]
    #[inline(never)]
    fn is_whole(&self, index: usize, name: &[u8]) -> bool {
        self.names.get(index).is_some_and(|text| text.as_bytes() == name)
    }

    /// Whether the entry of an index has that name.
    #[inline(always)]
    pub(crate) fn is<'n>(&self, index: usize, name: impl MemberName<'n>) -> bool {
        let Some(entry) = self.entries.get(index) else { return false };
        let Some((last, len)) = name.end() else { return self.is_whole(index, name.bytes()) };
        entry.last == last
            && entry.len == len
            && (len <= ONE_WORD
                || entry.first == name.start()
                    && (len <= TWO_WORDS
                        || entry.inner == inner_words(name.bytes())
                            && (len as usize <= FOUR_WORDS || self.is_whole(index, name.bytes()))))
    }

    #[cold]
    #[inline(never)]
    fn look_up_text(&self, name: &[u8]) -> Option<(usize, &T)> {
        if self.by_length {
            return self.look_by_length(name);
        }
        // Not hashed in vain.
        if name.len() > self.longest {
            return None;
        }
        let index = self.by_text.as_ref()?.find(&self.names, name)?;
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
    next_of: impl Fn(&mut Entry<T>) -> &mut u16,
) -> Option<usize> {
    slots.fill(FREE);
    let mut shared = 0;
    for index in 0..entries.len() {
        *next_of(&mut entries[index]) = FREE;
        let mut place = &mut slots[slot_of(&entries[index])];
        let mut before = 0;
        while *place != FREE {
            place = next_of(&mut entries[usize::from(*place)]);
            before += 1;
        }
        if before >= most {
            return None;
        }
        *place = index as u16;
        shared += usize::from(before > 0);
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
    fn finds_more_names_than_lengths_can_number() {
        let seeds = random_seeds();
        let names: Vec<String> =
            (0..300usize).map(|index| format!("{index:0>width$}", width = 3 + index % 60)).collect();
        for count in [254, 255, 256, 300] {
            let table = NameTable::new(names[..count].iter().map(String::as_str), &seeds);
            assert_eq!(table.by_length, count < 255);
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
    fn tells_names_apart_that_differ_in_one_place() {
        let seeds = random_seeds();
        for len in 1..=48 {
            for place in 0..len {
                let name =
                    |letter: &str| format!("{}{letter}{}", "x".repeat(place), "x".repeat(len - place - 1));
                let names = [name("a"), name("b")];
                let table = NameTable::new(names.iter().map(String::as_str), &seeds);
                let for_walks = NameTable::for_walks(names.map(|name| (Arc::from(name), ())), &seeds);
                assert!(!for_walks.slots.is_empty());
                for (letter, expected) in [("a", Some(0)), ("b", Some(1)), ("c", None)] {
                    let name = name(letter);
                    for table in [&table, &for_walks] {
                        let by_hash = table.look_by_hash(name.as_bytes()).map(|(index, ())| index);
                        assert_eq!([table.find(&name), by_hash], [expected; 2], "{name}");
                    }
                }
            }
        }
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
