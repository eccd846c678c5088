//! Makes one walk of two, where a block and those that it calls all look at the members of an object, or at the items
//! of an array (`join.rs`).
//!
//! ```text
//! before  0005 Members ["a"] → 1    after  0007 Members ["a", "b"] → 1 2
//!         0006 Members ["b"] → 2
//! ```
//!
//! A child has one gate. Where both walks have something to ask of it, that is the gate of a block made for it, which calls
//! both and has walks of its own to merge.

use super::fuse::{Code, Fuse, REQUIRED};
use super::gates::Answers;
use super::join;
use crate::program::{
    Applicator, Assertion, Block, BlockId, Fast, FastBlock, Gate, Id, Member, Members, NameTable, Plain,
};
use ahash::RandomState;
use smallvec::SmallVec;
use stanchion_vocab::Keyword;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The most levels of blocks that were made for pairs of blocks.
const MOST_LEVELS: usize = 8;

/// An instruction that could not be merged with so many others is left as it is.
const MOST_FAILURES: usize = 8;

/// The part of a node that an instruction reads, if it can be merged with others that read the same part.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    Members,
    Array,
    Text,
}

impl Subject {
    fn of(instruction: Fast) -> Option<Subject> {
        if matches!(instruction, Fast::Members(_)) {
            Some(Subject::Members)
        } else if join::is_of_arrays(instruction) {
            Some(Subject::Array)
        } else if join::is_of_texts(instruction) {
            Some(Subject::Text)
        } else {
            None
        }
    }
}

impl Fuse<'_> {
    /// Merges walks over members, and instructions that read the same part of a node. It takes time linear
    /// in the code, however much can be merged.
    pub(super) fn merge(&mut self, code: &mut Code) {
        let mut is_merged: SmallVec<[bool; 16]> = SmallVec::from_elem(false, code.len());
        for at in 0..code.len() {
            if is_merged[at] {
                continue;
            }
            if let Some(subject) = Subject::of(code[at].0) {
                let mut failures = 0;
                for other in at + 1..code.len() {
                    if is_merged[other] || Subject::of(code[other].0) != Some(subject) {
                        continue;
                    }
                    if let Some(walk) = self.both(code[at].0, code[other].0) {
                        code[at].0 = walk;
                        is_merged[other] = true;
                        continue;
                    }
                    failures += 1;
                    if failures == MOST_FAILURES {
                        break;
                    }
                }
            }
            self.gated(&mut code[at].0);
        }
        let mut merged = is_merged.into_iter();
        code.retain(|_| merged.next() != Some(true));
    }

    /// Makes one list of all names that a block and those that it calls require, where they are too many for a walk.
    pub(super) fn merge_required(&mut self, code: &mut Code) {
        let lists = code.iter().filter(|(instruction, _)| self.only_requires(*instruction));
        let count = |instruction: Fast| self.required_names(instruction).map_or(0, Iterator::count);
        let (lists, names) = lists.fold((0, 0), |(lists, names), &(one, _)| (lists + 1, names + count(one)));
        if lists < 2 || names <= REQUIRED || self.pay(names).is_none() {
            return;
        }
        let mut seen: HashSet<&str, RandomState> = HashSet::with_hasher(self.program.seeds.clone());
        let all = code.iter().filter(|(instruction, _)| self.only_requires(*instruction));
        let all = all.filter_map(|&(instruction, _)| self.required_names(instruction)).flatten();
        let all: Vec<(Arc<str>, ())> =
            all.filter(|name| seen.insert(name)).map(|name| (Arc::clone(name), ())).collect();
        let table = NameTable::with(all, &self.program.seeds);
        let required = Fast::Assert(Assertion::Required(self.program.names.push(table)));
        let mut is_first = true;
        code.retain_mut(|(instruction, _)| {
            if !self.only_requires(*instruction) {
                return true;
            }
            *instruction = required;
            std::mem::take(&mut is_first)
        });
    }

    /// Whether an instruction asks for names, and nothing of the members that have them.
    fn only_requires(&self, instruction: Fast) -> bool {
        let Fast::Members(id) = instruction else {
            return matches!(instruction, Fast::Assert(Assertion::Required(_)));
        };
        let members = &self.program.members[id];
        members.patterned.is_none()
            && members.rest.is_open()
            && members.names.values().all(|member| member.gate.is_open())
    }

    /// The names that such an instruction asks for.
    fn required_names(&self, instruction: Fast) -> Option<impl Iterator<Item = &Arc<str>>> {
        let (required, members) = if let Fast::Assert(Assertion::Required(id)) = instruction {
            (Some(&self.program.names[id]), None)
        } else if let Fast::Members(id) = instruction {
            (None, Some(&self.program.members[id].names))
        } else {
            return None;
        };
        let required = required.into_iter().flat_map(NameTable::shared);
        let of_walk = members.into_iter().flat_map(|names| names.shared().zip(names.values()));
        let of_walk = of_walk.filter(|(_, member)| usize::from(member.bit) != REQUIRED);
        Some(required.chain(of_walk.map(|(name, _)| name)))
    }

    /// Pays for reading so many names.
    pub(super) fn pay(&mut self, names: usize) -> Option<()> {
        self.names_left = self.names_left.checked_sub(names)?;
        Some(())
    }

    /// One instruction for both, if there is one.
    fn both(&mut self, one: Fast, other: Fast) -> Option<Fast> {
        self.pay(1)?;
        if let (Fast::Members(one), Fast::Members(other)) = (one, other) {
            let members = self.members_of_both(one, other)?;
            return Some(Fast::Members(self.program.members.push(members)));
        }
        self.joined(one, other)
    }

    fn members_of_both(&mut self, one: Id<Members>, other: Id<Members>) -> Option<Members> {
        self.pay(self.program.members[one].names.len() + self.program.members[other].names.len())?;
        let (named, rests) = {
            let (one, other) = (&self.program.members[one], &self.program.members[other]);
            let mut places: HashMap<&str, usize, RandomState> =
                HashMap::with_hasher(self.program.seeds.clone());
            let mut named: Vec<(Arc<str>, [Option<Member>; 2])> = Vec::new();
            for (name, member) in one.names.shared().zip(one.names.values()) {
                places.insert(name, named.len());
                named.push((Arc::clone(name), [Some(member), None]));
            }
            for (name, member) in other.names.shared().zip(other.names.values()) {
                match places.get(&**name) {
                    Some(&place) => named[place].1[1] = Some(member),
                    None => named.push((Arc::clone(name), [None, Some(member)])),
                }
            }
            (named, [one.rest, other.rest])
        };
        let rest = self.gate_of_both(rests[0], rests[1])?;
        let mut required = 0;
        let mut members = Vec::with_capacity(named.len());
        for (name, said) in named {
            let [one, other] = [0, 1].map(|side| said[side].map_or(rests[side], |member| member.gate));
            let is_required = said.iter().flatten().any(|member| usize::from(member.bit) != REQUIRED);
            let bit = if is_required { required } else { REQUIRED };
            required += usize::from(is_required);
            let gate = self.gate_of_both(one, other)?;
            members.push((name, Member { gate, bit: bit as u8, is_property: true }));
        }
        if required > REQUIRED {
            return None;
        }
        let names = NameTable::for_walks(members, &self.program.seeds);
        Some(Members::new(names, required, None, rest))
    }

    /// A gate that says what both say, if there can be one.
    pub(super) fn gate_of_both(&mut self, one: Gate, other: Gate) -> Option<Gate> {
        if one == other || other.is_open() {
            return Some(one);
        }
        let block = match (one.asks().is_empty(), other.asks().is_empty()) {
            (true, _) => other.block,
            (_, true) => one.block,
            (false, false) => self.block_of_both(one.block, other.block)?,
        };
        let gate = Answers::of(one).and(Answers::of(other)).gate(block);
        let refuses = one.refuses().or(other.refuses());
        // The block is asked of no type that one of the gates refuses, and has code for all that it is asked of.
        let knows = self.program.gate(block).asks();
        let is_right = gate.asks().and(refuses).is_empty() && gate.asks().and(knows) == gate.asks();
        is_right.then_some(gate)
    }

    /// A block that calls both.
    fn block_of_both(&mut self, one: BlockId, other: BlockId) -> Option<BlockId> {
        if let Some(&made) = self.made.get(&(one, other)) {
            return Some(made);
        }
        // Blocks made of blocks that were made nest, which costs depth in a run.
        let levels = 1 + [one, other]
            .map(|block| self.levels.get(&block).copied().unwrap_or(0))
            .into_iter()
            .fold(0, usize::max);
        let needs_care = [one, other].iter().any(|&block| self.program.fast(block).needs_care);
        if self.room < 2 || needs_care || levels > MOST_LEVELS {
            return None;
        }
        self.room -= 2;
        let id = BlockId(self.program.blocks.len() as u32);
        let start = self.program.code.len() as u32;
        self.program.code.extend([one, other].map(|block| Plain::Apply(Applicator::Call(block))));
        self.program.origins.extend([Keyword::AllOf; 2]);
        let like = self.program.block(one);
        let block = Block {
            plain: start..start + 2,
            step: like.step.clone(),
            owns_marks: false,
            enters: false,
            same_as: id,
            is_light: false,
            is_shared: true,
            ..*like
        };
        let answers = [one, other].map(|block| Answers::of(*self.program.gate(block)));
        let gate = answers[0].and(answers[1]).gate(id);
        self.program.blocks.push(block);
        self.program.fast.push(FastBlock { gate, start: 0, end: 0, needs_care: false });
        self.written.push(false);
        self.made.insert((one, other), id);
        self.levels.insert(id, levels);
        Some(id)
    }
}
