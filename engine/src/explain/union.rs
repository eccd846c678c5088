//! Unions that reject: what each branch has against a node, and which of them speaks for the union.
//!
//! Every branch is walked through within bounds. Then they are ranked, by this and in this order:
//!
//! 1. whether the branch takes values of that type at all;
//! 2. the discriminator, a member that more than one branch gives by `const` or `enum`: whether it is the branch's;
//! 3. how many of the object's members the branch has among its `properties`;
//! 4. how deep the shallowest of its failures lies. That a value is another constant speaks against a branch, so it counts as a
//!    failure of the object around it.
//!
//! If one branch is ahead of all others, its errors are those of the union. If all that may be meant have an error in common,
//! that is the error. If a discriminator has a value that no branch takes, the error is at the discriminator. Otherwise
//! nothing decides, and the error is about the union, with what each branch lacks.

use super::failure::Failure;
use super::hints::{self, Class, Closeness, UnionHints};
use super::tree::{OwnedStep, Unit};
use super::walk::{ErrorSink, Mode, Walker};
use crate::instance::Node;
use crate::keyword::apply::{Edge, Halt};
use crate::program::BlockId;
use std::cmp::Reverse;

/// How many failures are found in a branch of a union; in one inside a branch, half as many.
const IN_BRANCH: usize = 8;

/// How many failures are found in all branches of a union, and in those inside them.
const IN_UNION: usize = 128;

/// So many branches that are equally close are compared by what they say.
const COMPARED: usize = 8;

/// A branch of a union that rejected a node.
#[derive(Clone, Debug)]
pub(crate) struct RejectedBranch {
    pub(crate) index: usize,
    /// Its first failures, as units.
    pub(crate) errors: Vec<u32>,
    /// Whether there are more.
    is_cut: bool,
    /// How close it looks, and how deep the shallowest of its errors lies; more is closer.
    rank: (Closeness, usize),
}

/// The error or errors that represent a union.
enum Speaker {
    /// One branch.
    Branch(RejectedBranch),
    /// The discriminator, by its failure in the closest branch, and the instructions of all branches that ask for another.
    Tag(u32, Vec<u32>),
    /// The errors that all branches share which may be meant.
    Shared(Vec<u32>),
    /// The union itself.
    Union,
}

impl Walker<'_> {
    /// Explains a union.
    pub(super) fn union<'a, N: Node<'a>>(
        &mut self,
        branches: &[BlockId],
        is_one: bool,
        node: N,
    ) -> Result<(), Halt> {
        let mut accepted = Vec::new();
        // Who needs no marks and no units need not know all branches that accept.
        let is_first_enough = !is_one && self.mode == Mode::Errors && !self.ask.marks().active();
        for (index, &branch) in branches.iter().enumerate() {
            self.ask.budget().spend(1)?;
            if self.try_block(Edge::item(index), OwnedStep::Here, branch, node)? {
                if self.mode == Mode::Errors {
                    self.ask.mark(branch, node)?;
                }
                accepted.push(index);
                if is_first_enough {
                    return Ok(());
                }
            }
        }
        match accepted.len() {
            0 if self.mode == Mode::Everything => self.reject(|_| Ok(Failure::NoBranch(is_one, Vec::new()))),
            0 => self.explain_union(branches, is_one, node),
            1 => Ok(()),
            _ if is_one => self.reject(|_| Ok(Failure::Branches(accepted))),
            _ => Ok(()),
        }
    }

    /// Explains a union none of whose branches accepts.
    fn explain_union<'a, N: Node<'a>>(
        &mut self,
        branches: &[BlockId],
        is_one: bool,
        node: N,
    ) -> Result<(), Halt> {
        if self.only_member.is_some() {
            return Ok(());
        }
        if self.sink.is_full() {
            return self.end_full();
        }
        let hints = hints::find(&mut self.ask, branches, node)?;
        self.ask.budget().hold(branches.len() * size_of::<RejectedBranch>())?;
        let unit = self.unit_of_instruction()?;
        let mut found = self.walk_branches(branches, &hints, node)?;
        found.sort_by_key(|found| (Reverse(found.rank), found.index));
        let speaker = self.speaker(&hints, &found);
        let failure = Failure::NoBranch(is_one, found);
        self.ask.budget().hold(failure.bytes(self.program))?;
        self.set_failure(unit, failure);
        match speaker {
            Speaker::Union => self.add_error(unit),
            Speaker::Tag(leaf, asking) => self.add_tag_error(leaf, asking),
            // There is more than was found. Unions inside are then no longer inside a union, also for who wants but one error.
            Speaker::Branch(RejectedBranch { index, errors, is_cut: true, .. })
                if self.union_room.is_none() || errors.len() < self.sink.limit =>
            {
                self.enter(Edge::item(index), OwnedStep::Here, branches[index], node, false)
            }
            Speaker::Branch(RejectedBranch { errors, .. }) | Speaker::Shared(errors) => {
                errors.iter().try_for_each(|&error| self.add_error(error))
            }
        }
    }

    /// Finds what each branch has against a node, within bounds, those first that look as if they should accept.
    fn walk_branches<'a, N: Node<'a>>(
        &mut self,
        branches: &[BlockId],
        hints: &UnionHints,
        node: N,
    ) -> Result<Vec<RejectedBranch>, Halt> {
        let around = self.union_room;
        let (each, mut room) = match around {
            Some(room) => ((self.sink.limit / 2).max(1), room),
            None => (IN_BRANCH, IN_UNION),
        };
        let Some(union) = self.open.unit else { return Ok(Vec::new()) };
        let mut found = Vec::with_capacity(branches.len());
        let mut order: Vec<usize> = (0..branches.len()).collect();
        order.sort_by_key(|&index| Reverse(hints.branches[index]));
        for index in order {
            let closeness = hints.branches[index];
            let mut errors = ErrorSink::of_branch(each.min(room));
            if room > 0 {
                self.union_room = Some(room);
                std::mem::swap(&mut self.sink, &mut errors);
                // Where a discriminator tells branches apart, the others have nothing else to say.
                self.only_member = hints.tag.clone().filter(|_| closeness.class != Class::SameTag);
                let ended = self.enter(Edge::item(index), OwnedStep::Here, branches[index], node, false);
                self.only_member = None;
                std::mem::swap(&mut self.sink, &mut errors);
                if ended == Err(Halt::Stopped) {
                    return Err(Halt::Stopped);
                }
                room = self.union_room.unwrap_or(0).saturating_sub(errors.errors.len());
            }
            let ErrorSink { errors, is_cut, .. } = errors;
            let depth = match hints.tag {
                Some(_) => 0,
                None => errors.iter().map(|&error| self.depth(union, error)).min().unwrap_or(0),
            };
            found.push(RejectedBranch { index, rank: (closeness, depth), errors, is_cut });
        }
        self.union_room = around.map(|_| room);
        Ok(found)
    }

    /// How many steps below a union an error lies.
    fn depth(&self, union: u32, error: u32) -> usize {
        let steps = self.tree.steps_to(error, Some(union)).count();
        let is_of_object = self
            .tree
            .failure(error)
            .is_some_and(|failure| matches!(failure, Failure::Unknown(_)) || failure.other_value().is_some());
        steps.saturating_sub(usize::from(is_of_object))
    }

    /// Ranks the branches, of which the closest is first.
    fn speaker(&self, hints: &UnionHints, found: &[RejectedBranch]) -> Speaker {
        let [best, others @ ..] = found else { return Speaker::Union };
        let Some(second) = others.first() else { return Speaker::Branch(best.clone()) };
        let class = best.rank.0.class;
        if class == Class::OtherType {
            return Speaker::Union;
        }
        if hints.is_unmatched {
            let asking = || found.iter().filter_map(|found| self.tree.at(*found.errors.first()?)).collect();
            return match best.errors.first() {
                Some(&leaf) if hints.tag.is_some() => Speaker::Tag(leaf, asking()),
                Some(_) | None => Speaker::Union,
            };
        }
        if second.rank != best.rank {
            return Speaker::Branch(best.clone());
        }
        let tied = found.iter().take_while(|found| found.rank.0.class == class);
        let shared = self.shared_errors(&tied.collect::<Vec<_>>());
        if shared.is_empty() { Speaker::Union } else { Speaker::Shared(shared) }
    }

    /// The errors that all of some branches have, of which it does not matter whose they are.
    fn shared_errors(&self, branches: &[&RejectedBranch]) -> Vec<u32> {
        let key = |&error: &u32| -> Option<(Vec<&OwnedStep>, String)> {
            self.tree.failure(error).filter(|failure| !failure.is_open_union())?;
            let kind = self.tree.kind(self.program, error, &|_| Vec::new())?;
            Some((self.tree.steps_to(error, None).collect(), kind.to_string()))
        };
        let Some((first, others)) = branches.split_first().filter(|_| branches.len() <= COMPARED) else {
            return Vec::new();
        };
        let others: Vec<Vec<_>> =
            others.iter().map(|found| found.errors.iter().filter_map(key).collect()).collect();
        let is_shared =
            |error: &&u32| key(error).is_some_and(|said| others.iter().all(|errors| errors.contains(&said)));
        first.errors.iter().filter(is_shared).copied().collect()
    }

    /// Adds the error of a discriminator whose value no branch takes, at the place where the closest branch asks for another.
    fn add_tag_error(&mut self, leaf: u32, asking: Vec<u32>) -> Result<(), Halt> {
        let is_tag = matches!(self.tree.failure(leaf), Some(Failure::Tag(..)));
        let value = self.tree.failure(leaf).and_then(Failure::other_value).filter(|_| !is_tag);
        let Some(value) = value.cloned() else { return self.add_error(leaf) };
        let failure = Failure::Tag(value, asking);
        self.ask.budget().hold(failure.bytes(self.program))?;
        let Unit { parent, kind, .. } = self.tree.unit(leaf).clone();
        let copy = self.push(parent, false, kind)?;
        self.set_failure(copy, failure);
        self.add_error(copy)
    }
}
