//! Marks of evaluated items and members: those that some keyword has been applied to.
//!
//! A block with `unevaluatedItems` or `unevaluatedProperties` opens a frame: one bit for each item or
//! member of its node, and one for «all». Keywords that run on the same node set bits in it. What
//! runs on a child sets none: the frame is suspended on the way down.
//!
//! A branch that may fail without failing the block (`anyOf`, `if`, …) gets a frame of its own on top,
//! which is merged into the one below if the branch holds, and dropped if not. So a frame
//! holds just the marks of what has held, and there is nothing to undo.

use super::lazy_box::LazyBox;
use crate::limits::{Budget, Stopped};

/// The evaluated children of nodes. Empty in most runs.
#[derive(Debug, Default)]
pub(crate) struct Marks(LazyBox<Stack>);

/// A stack of frames in one array of words.
#[derive(Debug, Default)]
struct Stack {
    words: Vec<u64>,
    /// The frame that marks go to; none where nobody asks.
    current: Option<Frame>,
}

/// A frame's words: the first is «all», the others are bits by index.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    start: usize,
    len: usize,
}

impl Marks {
    /// Whether marks are asked for.
    #[inline]
    pub(crate) fn active(&self) -> bool {
        self.current().is_some()
    }

    /// The frame that marks go to.
    #[inline]
    fn current(&self) -> Option<Frame> {
        self.0.get().and_then(|stack| stack.current)
    }

    /// The words of a frame and of all above it.
    #[inline]
    fn words_from(&mut self, frame: Frame) -> &mut [u64] {
        self.0.get_mut().and_then(|stack| stack.words.get_mut(frame.start..)).unwrap_or_default()
    }

    /// Opens a frame for a node of `count` children. Returns the frame below, for [`Marks::close`].
    pub(crate) fn open(&mut self, budget: &mut Budget, count: usize) -> Result<Option<Frame>, Stopped> {
        self.push(budget, 1 + count.div_ceil(64))
    }

    /// Opens a frame for a branch on the same node, if marks are asked for.
    #[inline]
    pub(crate) fn branch(&mut self, budget: &mut Budget) -> Result<Option<Frame>, Stopped> {
        match self.current() {
            Some(frame) => self.push(budget, frame.len),
            None => Ok(None),
        }
    }

    #[inline]
    fn push(&mut self, budget: &mut Budget, len: usize) -> Result<Option<Frame>, Stopped> {
        budget.hold(len * 8)?;
        budget.spend((len / 16) as u64)?;
        let stack = self.0.get_or_default();
        let start = stack.words.len();
        stack.words.resize(start + len, 0);
        Ok(stack.current.replace(Frame { start, len }))
    }

    /// Ends the frame on top, and goes on with the one below, which gets the marks if they `hold`.
    /// The frame below is one for the same node, or suspended, or none.
    pub(crate) fn close(&mut self, budget: &mut Budget, below: Option<Frame>, hold: bool) {
        let Some(Stack { words, current }) = self.0.get_mut() else { return };
        let Some(frame) = *current else { return };
        if let (true, Some(below)) = (hold, below) {
            let (low, high) = words.split_at_mut(frame.start);
            for (low, high) in low[below.start..].iter_mut().zip(high) {
                *low |= *high;
            }
        }
        words.truncate(frame.start);
        budget.release(frame.len * 8);
        *current = below;
    }

    /// The words of the frame on top, for a memo.
    pub(crate) fn words(&self) -> &[u64] {
        match self.0.get() {
            Some(Stack { words, current: Some(frame) }) => &words[frame.start..frame.start + frame.len],
            Some(Stack { current: None, .. }) | None => &[],
        }
    }

    /// Marks what a memo has.
    pub(crate) fn add(&mut self, words: &[u64]) {
        if let Some(frame) = self.current() {
            for (word, other) in self.words_from(frame).iter_mut().zip(words) {
                *word |= other;
            }
        }
    }

    /// Stops marking, on the way to a child. Returns what [`Marks::resume`] takes.
    #[inline]
    pub(crate) fn suspend(&mut self) -> Option<Frame> {
        self.0.get_mut().and_then(|stack| stack.current.take())
    }

    #[inline]
    pub(crate) fn resume(&mut self, frame: Option<Frame>) {
        if let Some(stack) = self.0.get_mut() {
            stack.current = frame;
        }
    }

    /// Marks one item or member.
    #[inline]
    pub(crate) fn mark(&mut self, index: usize) {
        if let Some(frame) = self.current() {
            self.words_from(frame)[1 + index / 64] |= 1 << (index % 64);
        }
    }

    /// Marks all items or members.
    #[inline]
    pub(crate) fn mark_all(&mut self) {
        if let Some(frame) = self.current() {
            self.words_from(frame)[0] = 1;
        }
    }

    /// Whether all are marked at once.
    pub(crate) fn has_all(&self) -> bool {
        self.words().first().is_some_and(|&all| all != 0)
    }

    /// Whether one item or member is marked.
    pub(crate) fn has(&self, index: usize) -> bool {
        self.words().get(1 + index / 64).is_some_and(|word| word & (1 << (index % 64)) != 0)
    }
}
