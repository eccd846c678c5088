//! Straight on where a walk was made of several, those of a block and of what it calls, or has in `allOf`; and where a block asks more than a walk.
//!
//! A walk tells of no part that it is the one which refuses a child. But whatever these blocks say of members is in it, so that there is nothing to
//! ask but which of them refuses one from there on. What else they say of the object, by unions and conditions, is asked before: mostly that holds.

use super::holds;
use super::known::names_known;
use super::straight::{Straight, Wanted};
use crate::instance::{Node, Object};
use crate::limits::Stopped;
use crate::program::{BlockId, Fast, Gate, Instruction, Program};
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
    /// Whether a block asks more of an object than a walk over members with one part.
    #[inline(always)]
    pub(super) fn has_parts(&self, id: BlockId) -> bool {
        let Fast { gate, start, end, .. } = &self.program.fast[id.0 as usize];
        let Instruction::Members(walk) = gate.then else { return end - start > 1 };
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
        let object = node.as_object()?;
        let (last, ended) = trail.last_walk(Container::object(object))?;
        let Instruction::Members(walk) = last else { return None };
        let (walk, block) = (&program.members[walk], program.block(id));
        let gate = program.gate(id);
        let is_alone = gate.then == last && gate.block == id;
        if walk.parts.is_some() && block.told_first.is_some()
            || !is_alone && !self.is_only_walk(id, last).ok()?
        {
            return None;
        }
        let names = names_known::<N>(&mut self.budget, walk, block, ended, object);
        let (_, has_right_names) = names.ok()?;
        if !has_right_names {
            return None;
        }
        let depth = self.links.len();
        let mut search = Search { trail, ended, refused: None, links: Links::new() };
        let is_over = self.part(&mut search, id, node);
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

    /// Whether a walk is all that a block's fast code says of members and their names, beside what it says of the object by other instructions.
    #[inline(never)]
    fn is_only_walk(&mut self, id: BlockId, walk: Instruction) -> Result<bool, Stopped> {
        let program: &Program = self.program;
        let Fast { start, end, .. } = program.fast(id);
        self.budget.spend((end - start).into())?;
        let code = &program.code[start as usize..end as usize];
        let is_walk = |instruction: &&Instruction| **instruction == walk;
        let is_beside = |&instruction: &Instruction| {
            // Others may be about members, or about names that the walk does not ask for.
            let is_about_whole = matches!(
                instruction,
                Instruction::AnyOf(_)
                    | Instruction::OneOf(_)
                    | Instruction::Pick(_)
                    | Instruction::If(_)
                    | Instruction::DependentRequired(_)
                    | Instruction::MembersAtLeast(_)
                    | Instruction::MembersAtMost(_)
            );
            instruction == walk || is_about_whole || !instruction.about().has(Type::Object)
        };
        Ok(code.iter().all(is_beside) && code.iter().filter(is_walk).count() == 1)
    }

    /// Looks for children that a block refuses, among those that a walk has not passed. Nothing where the block refuses by more than names and children, or where
    /// there is more than one for who asks for all.
    fn part<'a: 's, N: Node<'a>>(
        &mut self,
        search: &mut Search<'s, '_, N>,
        id: BlockId,
        node: N,
    ) -> Option<IsOver> {
        let program: &Program = self.program;
        let (block, object) = (program.block(id), node.as_object()?);
        if block.enters || block.owns_marks {
            return None;
        }
        for at in block.plain.clone() {
            let instruction = program.code[at as usize];
            // Names are right.
            if instruction.is_of_walks()
                || !instruction.about().has(Type::Object)
                || block.told_first == Some(at)
            {
                continue;
            }
            let is_over = if let Instruction::Properties(_) = instruction {
                self.properties::<N>(search, at, object)?
            } else if let Instruction::Call(target) = instruction {
                self.called(search, (at, target), node)?
            } else if let Instruction::AllOf(blocks) = instruction {
                let mut is_over = false;
                for &target in program.list(blocks) {
                    is_over = self.called(search, (at, target), node)?;
                    if is_over {
                        break;
                    }
                }
                is_over
            } else if self.is_held(at, node).ok()? {
                false
            } else {
                return None;
            };
            if is_over {
                return Some(true);
            }
        }
        Some(false)
    }

    /// Whether an instruction holds that is beside the walk.
    #[inline(never)]
    fn is_held<'a: 's, N: Node<'a>>(&mut self, at: u32, node: N) -> Result<bool, Stopped> {
        let instruction = self.program.code[at as usize];
        self.ask(|run| holds(run, at, instruction, node))
    }

    /// The same of a block that another one applies.
    fn called<'a: 's, N: Node<'a>>(
        &mut self,
        search: &mut Search<'s, '_, N>,
        (applied_at, block): (u32, BlockId),
        node: N,
    ) -> Option<IsOver> {
        if self.program.block(block).told_first.is_some() {
            return None;
        }
        self.budget.spend(1).ok()?;
        self.budget.deepen().ok()?;
        self.links.push(Link { applied_at, block, step: Step::Here });
        let is_over = self.part(search, block, node)?;
        if !is_over {
            self.links.pop();
            self.budget.leave();
        }
        Some(is_over)
    }

    /// Asks a child what its type does not tell.
    #[inline(never)]
    fn passes<'a: 's, N: Node<'a>>(&mut self, gate: &Gate, child: N) -> Result<bool, Stopped> {
        self.ask(|run| run.pass(gate, child))
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
            let shape = value.shape();
            if gate.lets_pass(shape) {
                continue;
            }
            // Most that are refused are so by their type.
            if gate.refuses_shape(shape) || search.trail.has(gate, value) || !self.passes(gate, value).ok()? {
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
