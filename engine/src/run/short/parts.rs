//! Straight on where a walk was made of several: those of a block and of what it calls, or has in `allOf`.
//!
//! That walk tells of no part that it is the one which refuses a child. But whatever these blocks say of objects is in it, so that there is nothing to
//! ask but which of them refuses one from there on.

use super::known::names_known;
use super::straight::{Straight, Wanted};
use crate::instance::{Node, Object};
use crate::program::{BlockId, Instruction, Program};
use crate::report::{Container, End, Link, Links, Step, Trail};
use stanchion_vocab::Type;

/// A block, and the child that it refuses.
type Refused<'s, N> = (Link<'s>, N);

/// What is found on the way through parts.
struct Search<'s, 't, N> {
    trail: &'t Trail,
    /// Where the walk ended.
    ended: End,
    refused: Option<Refused<'s, N>>,
    /// The links that lead to that, for who asks for all errors and so goes on behind it.
    links: Links<'s>,
}

/// Whether a search is over.
type IsOver = bool;

impl<'s, W: Wanted> Straight<'s, '_, W> {
    /// Whether a walk that was made of several is all that a block asks.
    #[inline(always)]
    pub(super) fn has_parts(&self, id: BlockId) -> bool {
        let Instruction::Members(walk) = self.program.gate(id).then else { return false };
        self.program.members[walk].parts.is_some()
    }

    /// The first child that a part of a block's walk refuses, in the order in which errors are told; for who asks for all errors, the only one. Links
    /// lead there from the block. Nothing where more has to be looked at.
    #[inline(never)]
    pub(super) fn through_parts<'a: 's, N: Node<'a>>(
        &mut self,
        trail: &Trail,
        id: BlockId,
        node: N,
    ) -> Option<Refused<'s, N>> {
        let program: &Program = self.program;
        let gate = program.gate(id);
        let Instruction::Members(walk) = gate.then else { return None };
        let (walk, object) = (&program.members[walk], node.as_object()?);
        let ended = trail.end_of_only_walk(gate, id, Container::of(node)?)?;
        let names = names_known::<N>(&mut self.budget, walk, program.block(id), ended, object);
        let (_, has_right_names) = names.ok()?;
        if !has_right_names {
            return None;
        }
        let depth = self.links.len();
        let mut search = Search { trail, ended, refused: None, links: Links::new() };
        let is_over = self.part(&mut search, id, object);
        if W::IS_ALL && is_over.is_some() && search.refused.is_some() {
            // The levels of links that were left again.
            (search.links.iter().skip(depth)).try_for_each(|_| self.budget.deepen()).ok()?;
            *self.links = search.links;
            return search.refused;
        }
        if is_over == Some(true) {
            return search.refused;
        }
        self.budget.leave_levels(self.links.len() - depth);
        self.links.truncate(depth);
        None
    }

    /// Looks for children that a block refuses, among those that a walk has not passed. Nothing where the block asks more than names and children, or where
    /// there is more than one for who asks for all.
    fn part<'a: 's, N: Node<'a>>(
        &mut self,
        search: &mut Search<'s, '_, N>,
        id: BlockId,
        object: N::Object,
    ) -> Option<IsOver> {
        let program: &Program = self.program;
        let block = program.block(id);
        if block.enters || block.owns_marks || block.told_first.is_some() {
            return None;
        }
        for at in block.plain.clone() {
            let instruction = program.code[at as usize];
            if instruction.is_of_walks() || !instruction.about().has(Type::Object) {
                continue;
            }
            let is_over = if let Instruction::Properties(_) = instruction {
                self.properties(search, at, object)?
            } else if let Instruction::Call(target) = instruction {
                self.called(search, (at, target), object)?
            } else if let Instruction::AllOf(blocks) = instruction {
                let mut is_over = false;
                for &target in program.list(blocks) {
                    is_over = self.called(search, (at, target), object)?;
                    if is_over {
                        break;
                    }
                }
                is_over
            } else {
                return None;
            };
            if is_over {
                return Some(true);
            }
        }
        Some(false)
    }

    /// The same of a block that another one applies.
    fn called<'a: 's, N: Node<'a>>(
        &mut self,
        search: &mut Search<'s, '_, N>,
        (applied_at, block): (u32, BlockId),
        object: N::Object,
    ) -> Option<IsOver> {
        self.budget.spend(1).ok()?;
        self.budget.deepen().ok()?;
        self.links.push(Link { applied_at, block, step: Step::Here });
        let is_over = self.part(search, block, object)?;
        if !is_over {
            self.links.pop();
            self.budget.leave();
        }
        Some(is_over)
    }

    /// The same of `properties`.
    fn properties<'a: 's, N: Node<'a>>(
        &mut self,
        search: &mut Search<'s, '_, N>,
        applied_at: u32,
        object: N::Object,
    ) -> Option<IsOver> {
        let program: &Program = self.program;
        let Instruction::Properties(named) = program.code[applied_at as usize] else { return None };
        let named = &program.named_blocks[named];
        self.budget.spend(object.len() as u64).ok()?;
        for (name, value) in object.iter_names().skip(search.ended.index) {
            let Some((index, ())) = named.names.look_up(name) else { continue };
            let block = named.blocks[index];
            let gate = program.gate(block);
            if gate.lets_pass(value.shape()) {
                continue;
            }
            if search.trail.has(gate, value) || !self.ask(|run| run.pass(gate, value)).ok()? {
                let step = Step::Property(named.names.share(index));
                if search.refused.replace((Link { applied_at, block, step }, value)).is_some() {
                    return None;
                }
                if !W::IS_ALL {
                    return Some(true);
                }
                search.links.clone_from(self.links);
            }
        }
        Some(false)
    }
}
