//! Straight to the block that refuses by itself: for its first error, or for all errors, if they are all there.
//!
//! Most blocks are one walk, or a call, and the trail knows at which child each walk ended. So it leads from block to block, up to one with names that
//! are not known or missing, or to a value that a block has something against. Who asks for all errors has to see in the end that the other
//! children on the way are accepted. Where more has to be looked at, as in a union that takes the value's type, this is not the way.

use super::known::{Goes, Known, Next, next, walk_by_names};
use super::{Silent, holds, no_type};
use crate::error::{Found, ValidationError};
use crate::instance::{Array, Node, Object};
use crate::limits::{Limits, Stopped};
use crate::program::{BlockId, Instruction, Program};
use crate::report::errors::{self, Circumstances};
use crate::report::{Cause, Link, Links, Room, Step, Trail, telling, unknown};
use crate::run::{Run, steps_before_memo};
use crate::suggest::Purse;
use smallvec::SmallVec;
use std::sync::Arc;

/// The first error of an instance that was refused, if its trail leads straight there. If not, how far it does: links to a block
/// that refuses a node.
pub(crate) fn first<'s, 'a: 's, N: Node<'a>>(
    program: &'s Arc<Program>,
    limits: &Limits,
    trail: &Trail,
    links: &mut Links<'s>,
    node: &mut N,
) -> Option<ValidationError> {
    tell(program, limits, trail, Wanted::First, links, node)?.pop()
}

/// All errors of an instance that was refused, if its trail leads straight to a block that all of them are of, and they are within the limit.
pub(crate) fn all<'a, N: Node<'a>>(
    program: &Arc<Program>,
    limits: &Limits,
    trail: &Trail,
    mut node: N,
) -> Option<Found> {
    tell(program, limits, trail, Wanted::All, &mut Links::new(), &mut node)
}

/// Which errors are asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    First,
    All,
}

#[inline(always)]
fn tell<'s, 'a: 's, N: Node<'a>>(
    program: &'s Arc<Program>,
    limits: &Limits,
    trail: &Trail,
    wanted: Wanted,
    links: &mut Links<'s>,
    node: &mut N,
) -> Option<Found> {
    if !program.anchors.is_empty() {
        return None;
    }
    let run = Run::new(program, limits, steps_before_memo(limits), None);
    let room = Room::new(limits.memory);
    let most = if wanted == Wanted::First { 1 } else { limits.errors };
    let mut way = Straight { program, run, links, room, purse: Purse::default(), most };
    let mut passed = Passed::new();
    let (id, known) = way.follow(trail, wanted, node, &mut passed)?;
    let found = way.errors(wanted, id, known, *node)?;
    // That takes longer, and is of no use where the way did not lead to the end.
    let is_all = |&(id, place, node): &(BlockId, usize, N)| way.accepts_from(place + 1, id, node) == Ok(true);
    passed.iter().all(is_all).then_some(found)
}

/// Blocks on the way to a child, the place of that, and its parent, for who asks for all errors.
type Passed<N> = SmallVec<[(BlockId, usize, N); 4]>;

/// The way so far.
pub(super) struct Straight<'s, 't, 'l> {
    program: &'s Arc<Program>,
    pub(super) run: Silent<'s, 't>,
    pub(super) links: &'l mut Links<'s>,
    room: Room,
    purse: Purse,
    /// How many errors there may be.
    most: usize,
}

impl<'s> Straight<'s, '_, '_> {
    /// Follows a trail as far as it leads straight on: to a block that refuses a node, and what is known of that.
    #[inline(always)]
    fn follow<'a: 's, N: Node<'a>>(
        &mut self,
        trail: &Trail,
        wanted: Wanted,
        node: &mut N,
        passed: &mut Passed<N>,
    ) -> Option<(BlockId, Option<Known<'s>>)> {
        let program = self.run.program;
        let mut link = Link { applied_at: 0, block: BlockId(0), step: Step::Here };
        loop {
            self.links.push(link);
            let block = program.block(link.block);
            if block.enters || block.owns_marks {
                return None;
            }
            self.run.budget.deepen().ok()?;
            let here = (link.block, block);
            match next(program, &mut self.run.budget, trail, Goes::ToChildren, here, *node).ok()? {
                Next::Call(call) => link = call,
                Next::Child(to_child, child, place) => {
                    if wanted == Wanted::All {
                        passed.push((link.block, place, *node));
                    }
                    (link, *node) = (to_child, child);
                }
                Next::Here(known) => {
                    let is_first = wanted == Wanted::First;
                    let next = is_first.then(|| self.through_parts(trail, link.block, *node)).flatten();
                    let Some(next) = next else { return Some((link.block, known)) };
                    (link, *node) = next;
                }
            }
        }
    }

    /// Whether a block accepts the children of a node from one on, where a walk is all that it asks, and names are right.
    #[inline(never)]
    fn accepts_from<'a: 's, N: Node<'a>>(
        &mut self,
        first: usize,
        id: BlockId,
        node: N,
    ) -> Result<bool, Stopped> {
        let (program, gate) = (self.run.program, self.run.program.gate(id));
        if let Some(items) = node.as_array() {
            let rest = if let Instruction::EachItem(_, block) = gate.then {
                program.gate(block)
            } else if let Instruction::Items(walk) = gate.then {
                &program.items[walk].rest
            } else {
                return Ok(false);
            };
            self.run.budget.spend(items.len() as u64)?;
            return self.run.pass_all(rest, items.iter().skip(first), |_, _| {});
        }
        let Some(object) = node.as_object() else { return Ok(false) };
        self.run.budget.spend(object.len() as u64)?;
        if let Instruction::EachMember(block) = gate.then {
            return self.run.pass_all(program.gate(block), object.values().skip(first), |_, _| {});
        }
        let Some(walk) = walk_by_names(program, gate, id) else { return Ok(false) };
        for (name, value) in object.iter_names().skip(first) {
            let gate = walk.names.look_up(name).map_or(&walk.rest, |(_, member)| &member.gate);
            if !self.run.pass(gate, value)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The errors that are asked for, of the block that the way has come to. Nothing where more has to be looked at.
    #[inline(always)]
    fn errors<'a: 's, N: Node<'a>>(
        &mut self,
        wanted: Wanted,
        id: BlockId,
        known: Option<Known<'s>>,
        node: N,
    ) -> Option<Found> {
        let (program, mut found) = (self.run.program, Found::new());
        let block = program.block(id);
        // Names that are not known come first.
        let mut accepts_children = false;
        if let (Some(at), Some(object)) = (block.told_first, node.as_object()) {
            let known = known?;
            if wanted == Wanted::All {
                self.unknown_names::<N>(at, (id, known.children), object, &mut found)?;
                accepts_children = true;
            } else if let Some((name, _)) = object.iter().nth(known.spoken_of?) {
                self.unknown::<N>(at, name, object, &mut found)?;
                return Some(found);
            }
        } else if let (Wanted::All, Some(known)) = (wanted, known) {
            accepts_children = self.accepts_from(known.children, id, node).ok()?;
        }
        let kind = node.view().kind();
        for at in block.plain.clone() {
            let instruction = program.code[at as usize];
            if !instruction.about().has(kind) {
                continue;
            }
            let goes_to_children = matches!(
                instruction,
                Instruction::Properties(_) | Instruction::AdditionalProperties(_) | Instruction::EachItem(..)
            );
            if goes_to_children && accepts_children {
                continue;
            }
            if let Instruction::AnyOf(blocks) | Instruction::OneOf(blocks) = instruction {
                self.no_type(at, program.list(blocks), node, &mut found)?;
                if wanted == Wanted::First {
                    break;
                }
                continue;
            }
            if instruction.runs_blocks() {
                return None;
            }
            // Most errors are about types.
            let is_held = if let Instruction::Type(types) = instruction {
                types.has(kind)
            } else {
                holds(&mut self.run, at, instruction, node).ok()?
            };
            if !is_held {
                self.error(id, at, node, &mut found)?;
                if wanted == Wanted::First {
                    break;
                }
            }
        }
        (!found.is_empty()).then_some(found)
    }

    /// Tells that a node is of another type than all branches of a union take. Nothing where there is more to tell.
    #[inline(never)]
    fn no_type<'a: 's, N: Node<'a>>(
        &mut self,
        at: u32,
        branches: &[BlockId],
        node: N,
        found: &mut Found,
    ) -> Option<()> {
        let cause = no_type(self.run.program, &mut self.run.budget, branches, node).ok()??;
        self.tell(at, cause, found)
    }

    /// Tells of all members from one on that a block does not know, if it accepts the others.
    #[inline(never)]
    fn unknown_names<'a: 's, N: Node<'a>>(
        &mut self,
        at: u32,
        (id, first): (BlockId, usize),
        object: N::Object,
        found: &mut Found,
    ) -> Option<()> {
        let program = self.run.program;
        let walk = walk_by_names(program, program.gate(id), id)?;
        self.run.budget.spend(object.len() as u64).ok()?;
        for (name, value) in object.iter().skip(first) {
            match walk.names.look_up(name.as_bytes()) {
                Some((_, member)) if member.is_property => {
                    if !self.run.pass(&member.gate, value).ok()? {
                        return None;
                    }
                }
                Some(_) | None => self.unknown::<N>(at, name, object, found)?,
            }
        }
        Some(())
    }

    /// Tells of a member that is not known, which a `false` refuses.
    fn unknown<'a: 's, N: Node<'a>>(
        &mut self,
        at: u32,
        name: &'s str,
        object: N::Object,
        found: &mut Found,
    ) -> Option<()> {
        let program = self.run.program;
        let Instruction::AdditionalProperties(additional) = program.code[at as usize] else { return None };
        let block = program.additional[additional].block;
        self.run.budget.deepen().ok()?;
        let cause = unknown::cause::<N>(program, &mut self.purse, additional, name, object);
        self.links.push(Link { applied_at: at, block, step: Step::Member(name) });
        let at = program.block(block).plain.start;
        let is_told = self.tell(at, cause, found);
        self.links.pop();
        self.run.budget.leave();
        is_told
    }

    /// Tells of an instruction of a block, which refuses a node by itself.
    fn error<'a: 's, N: Node<'a>>(
        &mut self,
        block: BlockId,
        at: u32,
        node: N,
        found: &mut Found,
    ) -> Option<()> {
        let (program, budget) = (self.program, &mut self.run.budget);
        let circumstances = Circumstances { at, block, note: None };
        let cause = errors::cause(program, budget, &mut self.purse, &circumstances, node).ok()??;
        self.tell(at, cause, found)
    }

    /// Tells of an instruction of the block that all links lead to, if there may be one more error.
    #[inline(always)]
    fn tell(&mut self, at: u32, cause: Cause, found: &mut Found) -> Option<()> {
        if found.len() >= self.most {
            return None;
        }
        found.push(telling::error(self.program, &mut self.run.budget, &self.room, self.links, at, cause)?);
        Some(())
    }
}
