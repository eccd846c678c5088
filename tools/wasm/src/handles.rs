//! Handles: numbers, each good for one thing until it is freed.
//!
//! A handle is the index of a slot, with how often that slot was used before, and a kind. One that was freed, one of another kind and one that
//! was made up lead to nothing. Slots that were used as often as can be counted are left alone until all others are worn out as well, which is
//! after half a billion handles. Handles are never below 8, so that a function can return either a handle or a status, and have 31 bits, so that
//! they are the same number where a host reads them as signed.

/// The lowest bits say what a handle is for.
const KIND_BITS: u32 = 2;

const INDEX_BITS: u32 = 17;

/// A slot is used this often.
const MAX_GENERATION: u32 = (1 << (31 - KIND_BITS - INDEX_BITS)) - 1;

/// All that handles of one kind stand for.
pub(crate) struct Handles<T> {
    kind: u32,
    slots: Vec<Slot<T>>,
    /// The slots that are free and may be used again.
    free: Vec<u32>,
    /// The slots that are free, and were used as often as can be counted.
    worn: Vec<u32>,
}

struct Slot<T> {
    generation: u32,
    value: Option<T>,
}

impl<T> Handles<T> {
    /// No handles yet. The kind is from 1 to 3, and no other handles have it.
    pub(crate) const fn new(kind: u32) -> Handles<T> {
        assert!(0 < kind && kind < 1 << KIND_BITS);
        Handles { kind, slots: Vec::new(), free: Vec::new(), worn: Vec::new() }
    }

    /// A handle for a value; none if there are too many.
    pub(crate) fn insert(&mut self, value: T) -> Option<u32> {
        let index = match self.free.pop() {
            Some(index) => index,
            None if self.slots.len() < 1 << INDEX_BITS => {
                // The first use is number one, so that no handle is a small number.
                self.slots.push(Slot { generation: 1, value: None });
                self.slots.len() as u32 - 1
            }
            None => {
                let index = self.worn.pop()?;
                self.slots.get_mut(index as usize)?.generation = 1;
                index
            }
        };
        let slot = self.slots.get_mut(index as usize)?;
        slot.value = Some(value);
        Some((slot.generation << INDEX_BITS | index) << KIND_BITS | self.kind)
    }

    /// What a handle stands for, if it is one.
    #[inline]
    pub(crate) fn get(&self, handle: u32) -> Option<&T> {
        let (index, generation) = self.parts(handle)?;
        let slot = self.slots.get(index as usize)?;
        slot.value.as_ref().filter(|_| slot.generation == generation)
    }

    /// Frees a handle. Returns what it stood for, if it was one.
    pub(crate) fn remove(&mut self, handle: u32) -> Option<T> {
        let (index, generation) = self.parts(handle)?;
        let slot = self.slots.get_mut(index as usize).filter(|slot| slot.generation == generation)?;
        let value = slot.value.take()?;
        if generation < MAX_GENERATION {
            slot.generation += 1;
            self.free.push(index);
        } else {
            self.worn.push(index);
        }
        Some(value)
    }

    #[inline]
    fn parts(&self, handle: u32) -> Option<(u32, u32)> {
        let rest = handle >> KIND_BITS;
        let is_kind = handle & ((1 << KIND_BITS) - 1) == self.kind;
        is_kind.then_some((rest & ((1 << INDEX_BITS) - 1), rest >> INDEX_BITS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_is_good_until_it_is_freed() {
        let mut handles = Handles::new(1);
        let (a, b) = (handles.insert("a").unwrap(), handles.insert("b").unwrap());
        assert!(a >= 8 && b >= 8 && a.cast_signed() > 0);
        assert_eq!((handles.get(a), handles.get(b)), (Some(&"a"), Some(&"b")));
        assert_eq!(handles.remove(a), Some("a"));
        assert_eq!(handles.get(a), None);
        assert_eq!(handles.remove(a), None);
        let c = handles.insert("c").unwrap();
        assert_ne!(a, c);
        assert_eq!((handles.get(a), handles.get(c)), (None, Some(&"c")));
        let all = (0..16).chain([c ^ 1, c ^ 3, c + 4, c + 8, u32::MAX, u32::MAX - 2]);
        assert_eq!(all.filter_map(|made_up| handles.get(made_up)).count(), 0);
    }

    #[test]
    fn a_slot_is_left_when_it_was_used_often() {
        let mut handles = Handles::new(2);
        let mut before = Vec::new();
        for turn in 0..2 * MAX_GENERATION {
            let handle = handles.insert(turn).unwrap();
            before.push(handle);
            assert_eq!(handles.remove(handle), Some(turn));
        }
        assert_eq!(handles.slots.len(), 2);
        assert!(before.iter().all(|handle| handle.cast_signed() >= 8));
        before.sort_unstable();
        before.dedup();
        assert_eq!(before.len() as u32, 2 * MAX_GENERATION);
    }
}
