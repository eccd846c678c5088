//! The search for patterns with backreferences, as ECMA-262 describes it: one branch after the
//! other.
//!
//! Branches that were not tried yet are on an explicit stack, together with the changes to undo
//! before:
//!
//! ```text
//! Branch    go on there
//! Restore   the slot had another value
//! Look      a lookaround is open: what is above belongs to its body
//! ```
//!
//! When the body of a lookaround has matched, its branches leave the stack: ECMA-262 never
//! backtracks into it. Its captures remain, and so do the entries that undo them. A negative
//! lookaround leaves neither.

use smallvec::SmallVec;

use super::Instruction;
use super::run::{Search, Threads};

/// Value of a slot that holds no place. No text is that long.
const NOWHERE: usize = usize::MAX;

#[derive(Clone, Copy)]
enum Frame {
    Branch { pc: u32, at: usize },
    Restore { slot: u32, value: usize },
    Look,
}

/// A lookaround whose body is being tried.
struct Open {
    /// Its index among the frames.
    frame: usize,
    negative: bool,
    /// The instruction at which the search continues if it holds.
    next: u32,
    at: usize,
    /// Whether the text is read from right to left outside of it.
    backward: bool,
}

/// The state of a backtracking search.
#[derive(Default)]
struct Trail {
    frames: SmallVec<[Frame; 64]>,
    open: SmallVec<[Open; 2]>,
    slots: SmallVec<[usize; 16]>,
    /// Whether the text is read from right to left.
    backward: bool,
}

impl<E> Search<'_, E> {
    /// Whether the pattern is found.
    pub(super) fn backtrack(&mut self) -> Result<bool, E> {
        self.prepare()?;
        let mut trail = Trail::default();
        let slots = self.matcher.slots;
        self.pay(slots as u64 / 16)?;
        self.reserve(&mut trail.slots, slots)?;
        trail.slots.resize(slots, NOWHERE);
        let mut spare = Threads::default();
        let mut from = 0;
        loop {
            if self.attempt(from, &mut trail, &mut spare)? {
                return Ok(true);
            }
            match self.read(from, false) {
                Some(c) if !self.matcher.anchored => from += c.len_utf8(),
                Some(_) | None => return Ok(false),
            }
        }
    }

    /// Whether the pattern matches from a place on. If not, the trail is unchanged.
    fn attempt(&mut self, from: usize, trail: &mut Trail, spare: &mut Threads) -> Result<bool, E> {
        let code = &self.matcher.main[..];
        let mut pc = 0;
        let mut at = from;
        loop {
            self.pay(1)?;
            let mut next = pc + 1;
            let succeeds = match code[pc as usize] {
                Instruction::Char(wanted) => {
                    let found = self.read(at, trail.backward) == Some(wanted);
                    if found {
                        at = trail.advance(at, wanted.len_utf8());
                    }
                    found
                }
                Instruction::Class(class) => match self.read(at, trail.backward) {
                    Some(c) if self.is_in(class, c)? => {
                        at = trail.advance(at, c.len_utf8());
                        true
                    }
                    Some(_) | None => false,
                },
                Instruction::Backreference(capture) => match self.repeated(capture, at, trail)? {
                    Some(length) => {
                        at = trail.advance(at, length);
                        true
                    }
                    None => false,
                },
                Instruction::Assert(assertion) => self.holds(assertion, at),
                Instruction::Look(look) => self.ask(look as usize, at, Some(spare))?,
                Instruction::Enter { behind, negative, next } => {
                    let backward = std::mem::replace(&mut trail.backward, behind);
                    let open = Open { frame: trail.frames.len(), negative, next, at, backward };
                    self.push(&mut trail.open, open)?;
                    self.push(&mut trail.frames, Frame::Look)?;
                    true
                }
                Instruction::Leave => match self.leave(trail)? {
                    Some((after, place)) => {
                        (next, at) = (after, place);
                        true
                    }
                    None => false,
                },
                Instruction::Save(slot) => {
                    self.set(trail, slot, at)?;
                    true
                }
                Instruction::Clear(slot) => {
                    self.set(trail, slot, NOWHERE)?;
                    true
                }
                Instruction::Forget { first, slots } => {
                    self.pay(u64::from(slots))?;
                    for slot in first..first + slots {
                        self.set(trail, slot, NOWHERE)?;
                    }
                    true
                }
                Instruction::Progress(slot) => trail.slots[slot as usize] != at,
                Instruction::Jump(target) => {
                    next = target;
                    true
                }
                Instruction::Split { first, second } => {
                    self.push(&mut trail.frames, Frame::Branch { pc: second, at })?;
                    next = first;
                    true
                }
                Instruction::Match => return Ok(true),
                // INVARIANT: only sections that `run.rs` walks have these.
                Instruction::Switch { .. } | Instruction::Begin(_) | Instruction::Run(_) => false,
            };
            if succeeds {
                pc = next;
            } else {
                match trail.back() {
                    Some(resumed) => (pc, at) = resumed,
                    None => return Ok(false),
                }
            }
        }
    }

    /// Returns the length of the capture, if its text occurs here. An unset capture is empty.
    fn repeated(&mut self, capture: u32, at: usize, trail: &Trail) -> Result<Option<usize>, E> {
        let slot = 2 * capture as usize;
        let text = self.text.as_bytes();
        // INVARIANT: start ≤ end, whatever the direction of reading; or one of them is `NOWHERE`.
        let Some(captured) = text.get(trail.slots[slot]..trail.slots[slot + 1]) else {
            return Ok(Some(0));
        };
        let rest = if trail.backward { &text[..at] } else { &text[at..] };
        if captured.len() > rest.len() {
            return Ok(None);
        }
        self.pay(captured.len() as u64 / 64)?;
        let stands = if trail.backward { rest.ends_with(captured) } else { rest.starts_with(captured) };
        Ok(stands.then_some(captured.len()))
    }

    fn set(&mut self, trail: &mut Trail, slot: u32, value: usize) -> Result<(), E> {
        let before = std::mem::replace(&mut trail.slots[slot as usize], value);
        if before != value {
            self.push(&mut trail.frames, Frame::Restore { slot, value: before })?;
        }
        Ok(())
    }

    /// Leaves the innermost lookaround, whose body has matched. Returns where to continue, unless
    /// it is negative.
    fn leave(&mut self, trail: &mut Trail) -> Result<Option<(u32, usize)>, E> {
        // INVARIANT: every `Leave` follows an `Enter`.
        let Some(open) = trail.open.pop() else { return Ok(None) };
        self.pay((trail.frames.len() - open.frame) as u64)?;
        trail.backward = open.backward;
        if open.negative {
            while trail.frames.len() > open.frame + 1 {
                trail.undo();
            }
            trail.frames.pop();
            return Ok(None);
        }
        let mut kept = open.frame;
        for above in open.frame..trail.frames.len() {
            if matches!(trail.frames[above], Frame::Restore { .. }) {
                trail.frames[kept] = trail.frames[above];
                kept += 1;
            }
        }
        trail.frames.truncate(kept);
        Ok(Some((open.next, open.at)))
    }
}

impl Trail {
    /// Returns the place `bytes` further on, in the direction of reading.
    fn advance(&self, at: usize, bytes: usize) -> usize {
        if self.backward { at - bytes } else { at + bytes }
    }

    /// Backtracks to the last branch that was not tried, if there is one.
    fn back(&mut self) -> Option<(u32, usize)> {
        loop {
            if let Some(way) = self.undo()? {
                return Some(way);
            }
        }
    }

    /// Undoes the last frame, if there is one. Returns where to continue, if the frame is a branch.
    fn undo(&mut self) -> Option<Option<(u32, usize)>> {
        Some(match self.frames.pop()? {
            Frame::Branch { pc, at } => Some((pc, at)),
            Frame::Restore { slot, value } => {
                self.slots[slot as usize] = value;
                None
            }
            Frame::Look => {
                // The body did not match.
                let open = self.open.pop()?;
                self.backward = open.backward;
                open.negative.then_some((open.next, open.at))
            }
        })
    }
}
