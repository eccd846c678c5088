//! Buffers for reading, kept from one text to the next.

use super::escape::Escaped;
use super::{Entry, Instance, Kind};
use std::ops::Range;

/// Buffers that are used again from one text to the next.
#[derive(Default)]
pub(in crate::instance) struct Buffers {
    /// As long as there is room for a tape.
    pub(super) entries: Vec<Entry>,
    pub(super) beside: Beside,
    /// A bit for each byte of the text that may end a string. See [`scan`](super::scan).
    pub(super) marks: Vec<u8>,
    /// A word for each name of each open object, those of the innermost one last. See [`repeated`](super::repeated).
    pub(super) words: Vec<u64>,
}

impl Buffers {
    /// Returns the instance that a text was read to, given the length of its tape.
    #[inline]
    pub(in crate::instance) fn instance<'b>(&'b self, text: &'b str, length: usize) -> Instance<'b> {
        let Buffers { entries, beside: Beside { escaped, .. }, .. } = self;
        Instance { text, escaped, entries: entries.get(..length).unwrap_or_default() }
    }
}

/// A container that is being read, or none.
#[derive(Clone, Copy, Default)]
pub(super) struct Open {
    /// How much of the tape was left where it starts, and in the lowest bit whether it is an object. Zero if there is none.
    header: u32,
    /// Of an array: how many items it has so far. Of an object: where its words start.
    pub(super) from: u32,
}

impl Open {
    // INVARIANT: an entry takes two bytes of text, so that their number has a bit to spare.
    #[inline(always)]
    pub(super) fn new(kind: Kind, left: u32, from: u32) -> Open {
        Open { header: left << 1 | u32::from(kind == Kind::Object), from }
    }

    /// The entry that stands for a container of that kind while it is open. It names the container around it.
    #[inline(always)]
    pub(super) fn wait(self, kind: Kind) -> Entry {
        Entry::new(kind, self.header, self.from)
    }

    /// Reads the entry that [`Open::wait`] made.
    #[inline(always)]
    pub(super) fn waiting(entry: Entry) -> Open {
        Open { header: entry.low, from: entry.high }
    }

    /// How much of the tape was left where it starts.
    #[inline(always)]
    pub(super) fn left(self) -> u32 {
        self.header >> 1
    }

    #[inline(always)]
    pub(super) fn is_none(self) -> bool {
        self.header == 0
    }

    #[inline(always)]
    pub(super) fn is_object(self) -> bool {
        self.header & 1 != 0
    }
}

/// The data that entries refer to, besides the text.
#[derive(Default)]
pub(super) struct Beside {
    /// Texts that have escapes.
    pub(super) escaped: Vec<Escaped>,
    /// Members that are still on the tape though their name comes again. See [`repeated`](super::repeated).
    pub(super) dropped: Vec<Range<usize>>,
}

impl Beside {
    /// Few texts leave something here, and where nothing is written nobody who reads it waits for that.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        if !self.escaped.is_empty() || !self.dropped.is_empty() {
            self.forget();
        }
    }

    #[cold]
    #[inline(never)]
    fn forget(&mut self) {
        self.escaped.clear();
        self.dropped.clear();
    }
}

/// Makes room for so many.
#[inline(always)]
pub(super) fn make_room<T: Clone>(buffer: &mut Vec<T>, count: usize, value: T) {
    if buffer.len() < count {
        grow(buffer, count, value);
    }
}

#[cold]
#[inline(never)]
fn grow<T: Clone>(buffer: &mut Vec<T>, count: usize, value: T) {
    buffer.resize(count, value);
}
