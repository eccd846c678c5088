//! The memo of a run: the verdict of a block on a node, with the marks that belong to it.
//!
//! A block that several ways lead to may be run on one node again and again, twice as often at each
//! level of the schema or of the instance. Remembering makes that once. It costs more than most blocks do,
//! so an ordinary run does without: it starts when the run has spent more than an honest one would
//! (see [`steps_before_memo`](super::steps_before_memo)), and only for blocks that more than one way leads to.
//!
//! A verdict depends on the block, the node, and where the dynamic scope leads dynamic references, and on nothing
//! else: not on what was evaluated before, nor on how the run came here. So these three are the key.
//! Marks are asked for under an `unevaluated…` keyword; a verdict that was remembered without them does
//! not serve there.
//!
//! Memory is bounded. When it is used up the run goes on without remembering more.

use crate::instance::{Array, Node, Number, Object, View};
use crate::limits::Budget;
use crate::program::BlockId;
use ahash::RandomState;
use std::collections::HashMap;

/// The approximate size of an entry, with its share of the table's spare room.
const ENTRY_BYTES: usize = 2 * size_of::<(Key, Entry)>();

/// A block on a node, in a dynamic scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    node: Identity,
    block: u32,
    scope: u32,
    with_marks: bool,
}

impl Key {
    pub(crate) fn new(block: BlockId, node: Identity, scope: u32, with_marks: bool) -> Key {
        Key { node, block: block.0, scope, with_marks }
    }
}

/// An identity that differs for nodes with possibly different verdicts: containers and texts by where
/// they are, other scalars by what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Identity {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(u64),
    Exact(usize),
    /// By address and length: another length at this address is another text.
    Text(usize, usize),
    Array(usize, usize),
    Object(usize, usize),
}

impl Identity {
    pub(crate) fn of<'a, N: Node<'a>>(node: View<'a, N>) -> Identity {
        match node {
            View::Null => Identity::Null,
            View::Bool(value) => Identity::Bool(value),
            View::Number(Number::Unsigned(value)) => Identity::Unsigned(value),
            View::Number(Number::Signed(value)) => Identity::Signed(value),
            View::Number(Number::Float(value)) => Identity::Float(value.to_bits()),
            View::Number(Number::Exact(number)) => Identity::Exact(number.address()),
            View::String(text) => Identity::Text(text.as_ptr().addr(), text.len()),
            View::Array(items) => Identity::Array(items.address(), items.len()),
            View::Object(members) => Identity::Object(members.address(), members.len()),
        }
    }
}

#[derive(Debug)]
struct Entry {
    holds: bool,
    /// Where the marks are in [`Memo::marks`].
    marks: (u32, u32),
}

/// The verdicts that a run remembers.
#[derive(Debug)]
pub(crate) struct Memo {
    entries: HashMap<Key, Entry, RandomState>,
    marks: Vec<u64>,
    /// How many bytes may still be taken.
    room: usize,
}

impl Memo {
    /// Remembers nothing yet, and at most `room` bytes.
    pub(crate) fn new(seeds: RandomState, room: usize) -> Memo {
        Memo { entries: HashMap::with_hasher(seeds), marks: Vec::new(), room }
    }

    /// The verdict, if it is remembered, and the words of the marks.
    pub(crate) fn recall(&self, key: &Key) -> Option<(bool, &[u64])> {
        let entry = self.entries.get(key)?;
        let (start, len) = entry.marks;
        Some((entry.holds, &self.marks[start as usize..(start + len) as usize]))
    }

    /// Remembers a verdict with its marks, if there is room.
    pub(crate) fn remember(&mut self, budget: &mut Budget, key: Key, holds: bool, marks: &[u64]) {
        let bytes = ENTRY_BYTES + 2 * size_of_val(marks);
        let Some(room) = self.room.checked_sub(bytes) else { return };
        if !budget.hold_if_possible(bytes) {
            return;
        }
        self.room = room;
        let start = self.marks.len() as u32;
        self.marks.extend_from_slice(marks);
        self.entries.insert(key, Entry { holds, marks: (start, marks.len() as u32) });
    }
}
