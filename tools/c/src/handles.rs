//! Handles: numbers that look like pointers, each good for one thing until it is freed.
//!
//! A handle is the index of a slot, with how often that slot was used before. One that was freed, one of another kind and
//! one that was made up are all found out, and lead to nothing. A slot that was used as often as can be counted is not used
//! again, so a stale handle never comes to life.
//!
//! A lookup takes no lock, and what it gives stays alive while it is used, even if another thread frees the handle.

use arc_swap::{ArcSwapOption, Guard};
use std::ptr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The lowest bits say what a handle is for.
const KIND_BITS: u32 = 3;

/// How many bits the index has.
const INDEX_BITS: u32 = if usize::BITS >= 64 { 30 } else { 19 };

/// A slot is used this often.
const MAX_GENERATION: usize = (1 << (usize::BITS - KIND_BITS - INDEX_BITS)) - 1;

/// The first chunk has so many slots, and every further one twice as many as the one before.
const FIRST_CHUNK: usize = 64;

/// Chunks for all indices there are.
const CHUNKS: usize = INDEX_BITS as usize - FIRST_CHUNK.trailing_zeros() as usize;

type Chunk<T> = Box<[ArcSwapOption<Entry<T>>]>;

/// Something that a handle stands for.
pub(crate) struct Entry<T> {
    generation: usize,
    pub(crate) value: T,
}

/// All that handles of one kind stand for.
pub(crate) struct Handles<T> {
    kind: usize,
    chunks: [OnceLock<Chunk<T>>; CHUNKS],
    free: Mutex<Free>,
}

/// Slots that can be used.
struct Free {
    /// Those that were used and freed, with how often they were used.
    slots: Vec<(usize, usize)>,
    /// The first that was never used.
    next: usize,
}

/// Something that a handle stands for, while it is used.
pub(crate) type Held<T> = Guard<Option<Arc<Entry<T>>>>;

impl<T> Handles<T> {
    /// No handles yet. The kind is from 1 to 7, and no other handles have it.
    pub(crate) const fn new(kind: usize) -> Handles<T> {
        assert!(0 < kind && kind < 1 << KIND_BITS);
        let free = Mutex::new(Free { slots: Vec::new(), next: 0 });
        Handles { kind, chunks: [const { OnceLock::new() }; CHUNKS], free }
    }

    /// A handle for a value; none if there are too many.
    pub(crate) fn insert(&self, value: T) -> Option<usize> {
        let (index, generation) = {
            let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
            match free.slots.pop() {
                Some(slot) => slot,
                None => {
                    let index = free.next;
                    free.next = index + 1;
                    // So that no handle is a small number.
                    (index, 1)
                }
            }
        };
        let (chunk, at) = place(index)?;
        let slots = self
            .chunks
            .get(chunk)?
            .get_or_init(|| (0..FIRST_CHUNK << chunk).map(|_| ArcSwapOption::const_empty()).collect());
        slots.get(at)?.store(Some(Arc::new(Entry { generation, value })));
        Some((generation << INDEX_BITS | index) << KIND_BITS | self.kind)
    }

    /// What a handle stands for, if it is one.
    #[inline]
    pub(crate) fn get(&self, handle: usize) -> Option<Held<T>> {
        let (slot, generation) = self.slot(handle)?;
        let held = slot.load();
        held.as_ref().filter(|entry| entry.generation == generation)?;
        Some(held)
    }

    /// Frees a handle. Returns whether it was one.
    pub(crate) fn remove(&self, handle: usize) -> bool {
        let Some((slot, generation)) = self.slot(handle) else { return false };
        let held = slot.load_full().filter(|entry| entry.generation == generation);
        let Some(entry) = held else { return false };
        // Of two threads that free the same handle, one is first.
        let before = slot.compare_and_swap(&Some(Arc::clone(&entry)), None);
        if !before.as_ref().is_some_and(|before| ptr::eq(&**before, &*entry)) {
            return false;
        }
        if generation < MAX_GENERATION {
            let index = handle >> KIND_BITS & ((1 << INDEX_BITS) - 1);
            let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
            free.slots.push((index, generation + 1));
        }
        true
    }

    /// The slot that a handle may be for, and its generation.
    #[inline]
    fn slot(&self, handle: usize) -> Option<(&ArcSwapOption<Entry<T>>, usize)> {
        if handle & ((1 << KIND_BITS) - 1) != self.kind {
            return None;
        }
        let rest = handle >> KIND_BITS;
        let (chunk, at) = place(rest & ((1 << INDEX_BITS) - 1))?;
        let slot = self.chunks.get(chunk)?.get()?.get(at)?;
        Some((slot, rest >> INDEX_BITS))
    }
}

/// The chunk of a slot, and the place in it. The chunks start at 0, 64, 192, 448 …
#[inline]
fn place(index: usize) -> Option<(usize, usize)> {
    let shifted = index.checked_add(FIRST_CHUNK)?;
    let chunk = shifted.ilog2() - FIRST_CHUNK.ilog2();
    let start = (FIRST_CHUNK << chunk) - FIRST_CHUNK;
    Some((chunk as usize, index - start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn a_handle_is_good_once() {
        let handles = Handles::new(1);
        let first = handles.insert("first").unwrap();
        assert_eq!(handles.get(first).unwrap().as_ref().unwrap().value, "first");
        assert!(handles.remove(first));
        assert!(!handles.remove(first));
        assert!(handles.get(first).is_none());

        let second = handles.insert("second").unwrap();
        assert_ne!(first, second, "the slot is the same, the handle is not");
        assert!(handles.get(first).is_none());
        assert!(!handles.remove(first));
        assert_eq!(handles.get(second).unwrap().as_ref().unwrap().value, "second");
    }

    #[test]
    fn what_is_no_handle_leads_to_nothing() {
        let (handles, others) = (Handles::new(1), Handles::new(2));
        let handle = handles.insert(()).unwrap();
        let other = others.insert(()).unwrap();
        assert!(handles.get(other).is_none() && others.get(handle).is_none());
        for made_up in [0, 1, 2, handle + 8, handle + 1, usize::MAX, usize::MAX - 6, usize::MAX / 2] {
            assert!(handles.get(made_up).is_none(), "{made_up:x}");
            assert!(!handles.remove(made_up));
        }
    }

    #[test]
    fn slots_are_in_chunks() {
        assert_eq!(
            [0, 63, 64, 191, 192].map(|index| place(index).unwrap()),
            [(0, 0), (0, 63), (1, 0), (1, 127), (2, 0)]
        );
        let handles = Handles::new(3);
        let all: Vec<usize> = (0..1000).map(|number| handles.insert(number).unwrap()).collect();
        for (number, handle) in all.iter().enumerate() {
            assert_eq!(handles.get(*handle).unwrap().as_ref().unwrap().value, number);
        }
        assert!(all.iter().all(|handle| handles.remove(*handle)));
        assert!(all.iter().all(|handle| handles.get(*handle).is_none()));
        let largest = (1 << INDEX_BITS) - 1 - FIRST_CHUNK;
        assert!(place(largest).unwrap().0 < CHUNKS);
    }

    #[test]
    fn one_thread_frees_while_others_look() {
        let handles: Handles<String> = Handles::new(1);
        for round in 0..200 {
            let handle = handles.insert(round.to_string()).unwrap();
            let freed = thread::scope(|scope| {
                let workers: Vec<_> = (0..4)
                    .map(|worker| {
                        let handles = &handles;
                        scope.spawn(move || {
                            if let Some(held) = handles.get(handle) {
                                assert_eq!(held.as_ref().unwrap().value, round.to_string());
                            }
                            usize::from(worker % 2 == 0 && handles.remove(handle))
                        })
                    })
                    .collect();
                workers.into_iter().map(|worker| worker.join().unwrap()).sum::<usize>()
            });
            assert_eq!(freed, 1);
        }
    }
}
