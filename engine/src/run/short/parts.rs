//! Straight on where a walk was made of several: those of a block and of what it calls, or has in `allOf`.
//!
//! That walk tells of no part that it is the one which refuses a child. But whatever these blocks say of objects is in it, so that there is nothing to
//! ask but which of them refuses one from there on.

use super::known::names_known;
use super::straight::{Straight, Wanted};
use crate::instance::{Node, Object};
use crate::program::{BlockId, Instruction, Program};
use crate::report::{Container, End, Link, Step, Trail};
use stanchion_vocab::Type;

/// A block, and the child that it refuses.
type Refused<'s, N> = (Link<'s>, N);

impl<'s, W: Wanted> Straight<'s, '_, W> {
    /// Whether a walk that was made of several is all that a block asks.
    #[inline(always)]
    pub(super) fn has_parts(&self, id: BlockId) -> bool {
        let Instruction::Members(walk) = self.program.gate(id).then else { return false };
        self.program.members[walk].parts.is_some()
    }

    /// The first child that a part of a block's walk refuses, in the order in which errors are told. Links lead there from the block. Nothing where more
    /// has to be looked at.
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
        let found = self.part(trail, id, ended, object);
        if let Some(Some(refused)) = found {
            return Some(refused);
        }
        self.budget.leave_levels(self.links.len() - depth);
        self.links.truncate(depth);
        None
    }

    /// The first child that a block refuses, of those that a walk has not passed, if there is one. Nothing where the block asks more than names and children.
    fn part<'a: 's, N: Node<'a>>(
        &mut self,
        trail: &Trail,
        id: BlockId,
        ended: End,
        object: N::Object,
    ) -> Option<Option<Refused<'s, N>>> {
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
            let found = if let Instruction::Properties(_) = instruction {
                self.property::<N>(trail, at, ended, object)?
            } else if let Instruction::Call(target) = instruction {
                self.called::<N>(trail, (at, target), ended, object)?
            } else if let Instruction::AllOf(blocks) = instruction {
                let mut found = None;
                for &target in program.list(blocks) {
                    found = self.called::<N>(trail, (at, target), ended, object)?;
                    if found.is_some() {
                        break;
                    }
                }
                found
            } else {
                return None;
            };
            if found.is_some() {
                return Some(found);
            }
        }
        Some(None)
    }

    /// The same of a block that another one applies.
    fn called<'a: 's, N: Node<'a>>(
        &mut self,
        trail: &Trail,
        (applied_at, block): (u32, BlockId),
        ended: End,
        object: N::Object,
    ) -> Option<Option<Refused<'s, N>>> {
        self.budget.spend(1).ok()?;
        self.budget.deepen().ok()?;
        self.links.push(Link { applied_at, block, step: Step::Here });
        let found = self.part(trail, block, ended, object)?;
        if found.is_none() {
            self.links.pop();
            self.budget.leave();
        }
        Some(found)
    }

    /// The same of `properties`.
    fn property<'a: 's, N: Node<'a>>(
        &mut self,
        trail: &Trail,
        applied_at: u32,
        ended: End,
        object: N::Object,
    ) -> Option<Option<Refused<'s, N>>> {
        let program: &Program = self.program;
        let Instruction::Properties(named) = program.code[applied_at as usize] else { return None };
        let named = &program.named_blocks[named];
        self.budget.spend(object.len() as u64).ok()?;
        for (name, value) in object.iter_names().skip(ended.index) {
            let Some((index, ())) = named.names.look_up(name) else { continue };
            let block = named.blocks[index];
            let gate = program.gate(block);
            if gate.lets_pass(value.shape()) {
                continue;
            }
            if trail.has(gate, value) || !self.ask(|run| run.pass(gate, value)).ok()? {
                let step = Step::Property(named.names.share(index));
                return Some(Some((Link { applied_at, block, step }, value)));
            }
        }
        Some(None)
    }
}
