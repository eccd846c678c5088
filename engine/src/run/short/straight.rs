//! Straight to the block that refuses by itself: for its first error, or for all errors, if they are all there.
//!
//! Most blocks are one walk, or a call, and the trail knows at which child each walk ended. So it leads from block to block, up to one with names that
//! are not known or missing, or to a value that a block has something against. Who asks for all errors has to see in the end that the other
//! children on the way are accepted. Where more has to be looked at, as in a union that takes the value's type, this is not the way.

use super::known::{Goes, Known, Next, next, walk_by_names};
use super::{Silent, holds, no_type};
use crate::error::{Found, ValidationError};
use crate::instance::{Array, Node, Object, Shape};
use crate::limits::{Budget, Limits, Stopped};
use crate::program::{BlockId, Instruction, Program};
use crate::report::errors::{self, Circumstances};
use crate::report::{Cause, Excerpt, Link, Links, Step, Trail, telling, unknown};
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
    tell(program, limits, trail, links, node)?
}

/// All errors of an instance that was refused, if its trail leads straight to a block that all of them are of, and they are within the limit.
pub(crate) fn all<'a, N: Node<'a>>(
    program: &Arc<Program>,
    limits: &Limits,
    trail: &Trail,
    mut node: N,
) -> Option<Found> {
    tell(program, limits, trail, &mut Links::new(), &mut node)
}

/// The errors that are asked for.
pub(super) trait Wanted: Default {
    /// Whether these are all of them, or the first.
    const IS_ALL: bool;

    fn count(&self) -> usize;

    fn add(&mut self, error: ValidationError);
}

impl Wanted for Option<ValidationError> {
    const IS_ALL: bool = false;

    #[inline(always)]
    fn count(&self) -> usize {
        usize::from(self.is_some())
    }

    #[inline(always)]
    fn add(&mut self, error: ValidationError) {
        *self = Some(error);
    }
}

impl Wanted for Found {
    const IS_ALL: bool = true;

    fn count(&self) -> usize {
        self.len()
    }

    fn add(&mut self, error: ValidationError) {
        self.push(error);
    }
}

#[inline(always)]
fn tell<'s, 'a: 's, N: Node<'a>, W: Wanted>(
    program: &'s Arc<Program>,
    limits: &Limits,
    trail: &Trail,
    links: &mut Links<'s>,
    node: &mut N,
) -> Option<W> {
    if !program.anchors.is_empty() {
        return None;
    }
    let budget = Budget::new(limits, steps_before_memo(limits));
    let most = if W::IS_ALL { limits.errors } else { 1 };
    let mut way = Straight { program, budget, links, purse: Purse::default(), most, found: W::default() };
    let mut passed = Passed::new();
    let (id, known) = way.follow(trail, node, &mut passed)?;
    way.errors(id, known, *node)?;
    // That takes longer, and is of no use where the way did not lead to the end.
    for &(id, place, node) in &passed {
        if way.accepts_from(place + 1, id, node) != Ok(true) {
            return None;
        }
    }
    (way.found.count() > 0).then_some(way.found)
}

/// Blocks on the way to a child, the place of that, and its parent, for who asks for all errors.
type Passed<N> = SmallVec<[(BlockId, usize, N); 4]>;

/// The way so far.
pub(super) struct Straight<'s, 'l, W> {
    pub(super) program: &'s Arc<Program>,
    pub(super) budget: Budget,
    pub(super) links: &'l mut Links<'s>,
    purse: Purse,
    /// How many errors there may be.
    most: usize,
    found: W,
}

impl<'s, W: Wanted> Straight<'s, '_, W> {
    /// Asks something of a run, on what is left of the budget. Most ways need none.
    #[inline(always)]
    pub(super) fn ask<T>(&mut self, ask: impl FnOnce(&mut Silent<'s, '_>) -> T) -> T {
        let mut run = Run::on(self.program, std::mem::take(&mut self.budget), None);
        let answer = ask(&mut run);
        self.budget = run.budget;
        answer
    }

    /// Follows a trail as far as it leads straight on: to a block that refuses a node, and what is known of that.
    #[inline(always)]
    fn follow<'a: 's, N: Node<'a>>(
        &mut self,
        trail: &Trail,
        node: &mut N,
        passed: &mut Passed<N>,
    ) -> Option<(BlockId, Option<Known<'s>>)> {
        let program: &Program = self.program;
        let mut link = Link { applied_at: 0, block: BlockId(0), step: Step::Here };
        loop {
            self.links.push(link);
            let block = program.block(link.block);
            if block.enters || block.owns_marks {
                return None;
            }
            self.budget.deepen().ok()?;
            let here = (link.block, block);
            match next(program, &mut self.budget, trail, Goes::ToChildren, here, *node).ok()? {
                Next::Call(call) => link = call,
                Next::Child(to_child, child, place) => {
                    if W::IS_ALL {
                        passed.push((link.block, place, *node));
                    }
                    (link, *node) = (to_child, child);
                }
                Next::Here(known) => {
                    let has_parts = self.has_parts(link.block);
                    let next = if has_parts { self.through_parts(trail, link.block, *node) } else { None };
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
        let program: &Program = self.program;
        let gate = program.gate(id);
        if let Some(items) = node.as_array() {
            let rest = if let Instruction::EachItem(_, block) = gate.then {
                program.gate(block)
            } else if let Instruction::Items(walk) = gate.then {
                &program.items[walk].rest
            } else {
                return Ok(false);
            };
            self.budget.spend(items.len() as u64)?;
            return self.ask(|run| run.pass_all(rest, items.iter().skip(first), |_, _| {}));
        }
        let Some(object) = node.as_object() else { return Ok(false) };
        self.budget.spend(object.len() as u64)?;
        if let Instruction::EachMember(block) = gate.then {
            let gate = program.gate(block);
            return self.ask(|run| run.pass_all(gate, object.values().skip(first), |_, _| {}));
        }
        let Some(walk) = walk_by_names(program, gate, id) else { return Ok(false) };
        self.ask(|run| {
            for (name, value) in object.iter_names().skip(first) {
                let gate = walk.names.look_up(name).map_or(&walk.rest, |(_, member)| &member.gate);
                if !run.pass(gate, value)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// The errors that are asked for, of the block that the way has come to. Nothing where more has to be looked at.
    #[inline(always)]
    fn errors<'a: 's, N: Node<'a>>(&mut self, id: BlockId, known: Option<Known<'s>>, node: N) -> Option<()> {
        let program: &Program = self.program;
        let block = program.block(id);
        // Names that are not known come first.
        let mut accepts_children = false;
        if let (Some(at), Some(object)) = (block.told_first, node.as_object()) {
            let known = known?;
            if W::IS_ALL {
                self.unknown_names::<N>(at, (id, known.children), object)?;
                accepts_children = true;
            } else if let Some((name, _)) = object.iter().nth(known.spoken_of?) {
                self.unknown::<N>(at, name, object)?;
                return Some(());
            }
        } else if let (true, Some(known)) = (W::IS_ALL, known) {
            accepts_children = self.accepts_from(known.children, id, node).ok()?;
        }
        let kind = node.view().kind();
        for at in block.plain.clone() {
            let instruction = program.code[at as usize];
            let goes_to_children = matches!(
                instruction,
                Instruction::Properties(_) | Instruction::AdditionalProperties(_) | Instruction::EachItem(..)
            );
            // Most errors are about types.
            if let Instruction::Type(types) = instruction {
                if types.has(kind) {
                    continue;
                }
                self.tell(at, Cause::Type(kind, Excerpt::of(node)))?;
            } else if !instruction.about().has(kind) || (goes_to_children && accepts_children) {
                continue;
            } else if instruction.runs_blocks() {
                if self.is_passed_by_type(instruction, node.shape()).ok()? {
                    continue;
                }
                self.no_type(at, instruction, node)?;
            } else if self.ask(|run| holds(run, at, instruction, node)).ok()? {
                continue;
            } else {
                self.error(id, at, node)?;
            }
            if !W::IS_ALL {
                break;
            }
        }
        Some(())
    }

    /// Whether blocks that an instruction applies are not asked, as the type of a node is enough for it to hold.
    #[inline(never)]
    fn is_passed_by_type(&mut self, instruction: Instruction, shape: Shape) -> Result<bool, Stopped> {
        let program: &Program = self.program;
        let passes = |&block: &BlockId| program.gate(block).lets_pass(shape);
        if let Instruction::Call(block) = instruction {
            return Ok(passes(&block));
        }
        let (Instruction::AllOf(blocks) | Instruction::AnyOf(blocks)) = instruction else { return Ok(false) };
        let blocks = program.list(blocks);
        self.budget.spend(blocks.len() as u64)?;
        let is_all = matches!(instruction, Instruction::AllOf(_));
        Ok(if is_all { blocks.iter().all(passes) } else { blocks.iter().any(passes) })
    }

    /// Tells that a node is of another type than all branches of a union take. Nothing where there is more to tell, or no union.
    #[inline(never)]
    fn no_type<'a: 's, N: Node<'a>>(&mut self, at: u32, instruction: Instruction, node: N) -> Option<()> {
        let (Instruction::AnyOf(blocks) | Instruction::OneOf(blocks)) = instruction else { return None };
        let branches = self.program.list(blocks);
        let cause = no_type(self.program, &mut self.budget, branches, node).ok()??;
        self.tell(at, cause)
    }

    /// Tells of all members from one on that a block does not know, if it accepts the others.
    #[inline(never)]
    fn unknown_names<'a: 's, N: Node<'a>>(
        &mut self,
        at: u32,
        (id, first): (BlockId, usize),
        object: N::Object,
    ) -> Option<()> {
        let program: &Program = self.program;
        let walk = walk_by_names(program, program.gate(id), id)?;
        self.budget.spend(object.len() as u64).ok()?;
        for (name, value) in object.iter().skip(first) {
            match walk.names.look_up(name.as_bytes()) {
                Some((_, member)) if member.is_property => {
                    if !self.ask(|run| run.pass(&member.gate, value)).ok()? {
                        return None;
                    }
                }
                Some(_) | None => self.unknown::<N>(at, name, object)?,
            }
        }
        Some(())
    }

    /// Tells of a member that is not known, which a `false` refuses.
    fn unknown<'a: 's, N: Node<'a>>(&mut self, at: u32, name: &'s str, object: N::Object) -> Option<()> {
        let program: &Program = self.program;
        let Instruction::AdditionalProperties(additional) = program.code[at as usize] else { return None };
        let block = program.additional[additional].block;
        self.budget.deepen().ok()?;
        let cause = unknown::cause::<N>(program, &mut self.purse, additional, name, object);
        self.links.push(Link { applied_at: at, block, step: Step::Member(name) });
        let at = program.block(block).plain.start;
        let is_told = self.tell(at, cause);
        self.links.pop();
        self.budget.leave();
        is_told
    }

    /// Tells of an instruction of a block, which refuses a node by itself.
    fn error<'a: 's, N: Node<'a>>(&mut self, block: BlockId, at: u32, node: N) -> Option<()> {
        let (program, budget) = (self.program, &mut self.budget);
        let circumstances = Circumstances { at, block, note: None };
        let cause = errors::cause(program, budget, &mut self.purse, &circumstances, node).ok()??;
        self.tell(at, cause)
    }

    /// Tells of an instruction of the block that all links lead to, if there may be one more error.
    #[inline(always)]
    fn tell(&mut self, at: u32, cause: Cause) -> Option<()> {
        if self.found.count() >= self.most {
            return None;
        }
        self.found.add(telling::error(self.program, &mut self.budget, self.links, at, cause)?);
        Some(())
    }
}
