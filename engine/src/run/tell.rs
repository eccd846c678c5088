//! Runs that tell why: what they ask of runs that do not, and what they know from those.
//!
//! Before a block is told about, its verdict is found out by a run of its own, which is quick. What that leaves behind, a
//! [`Trail`](crate::report::Trail), leads to what was refused; so what held is not asked again.

use super::memo::{Identity, Memo};
use super::{IN_BLOCK, Run};
use crate::instance::{Array, Node, Object, View};
use crate::limits::Stopped;
use crate::program::{BlockId, Evaluated, Instruction, Look};
use crate::report::{Edge, Recalling, Report, Silent, Step};
use stanchion_vocab::Type;
use std::ops::Range;

/// How a verdict is asked for on the side.
#[derive(Clone, Copy, Debug)]
pub(super) enum Ask {
    /// As it is.
    Settle,
    /// As that of a branch.
    Branch,
    /// As that of a block on a child.
    Below,
}

/// A child that there may be something to tell about, with the block that speaks of it.
pub(crate) struct Child<T, N> {
    /// What its walk wants to know of it.
    pub(crate) what: T,
    pub(crate) block: BlockId,
    pub(crate) node: N,
    /// Whether the block is known to refuse it.
    pub(crate) is_refused: bool,
}

impl<'p, R: Report> Run<'p, R> {
    /// Runs a block for a report that wants to know why: first for the verdict alone, then, if the report
    /// has use for it, step by step. So it goes only where there is something to tell.
    pub(super) fn explain<'a, N: Node<'a>>(
        &mut self,
        edge: Edge<'_>,
        step: Step<'_>,
        block: BlockId,
        node: N,
    ) -> Result<bool, Stopped> {
        let frame = self.marks.suspend();
        let holds = self.quietly(Ask::Settle, block, node)?;
        self.marks.resume(frame);
        if self.report.wants(holds) {
            self.report.open_block(&mut self.budget, edge, step, block, holds)?;
            self.body(block, node)?;
            self.report.close_block(&mut self.budget);
        } else if holds && self.marks.active() {
            self.quietly(Ask::Settle, block, node)?;
        }
        Ok(holds)
    }

    /// Runs a block step by step on a node that it is known to refuse.
    pub(super) fn tell<'a, N: Node<'a>>(
        &mut self,
        edge: Edge<'_>,
        step: Step<'_>,
        block: BlockId,
        node: N,
    ) -> Result<(), Stopped> {
        self.budget.spend(1)?;
        self.budget.deepen()?;
        self.report.open_block(&mut self.budget, edge, step, block, false)?;
        self.body(block, node)?;
        self.report.close_block(&mut self.budget);
        self.budget.leave();
        Ok(())
    }

    /// Runs code for a report; where that asks for failures alone, in the order in which they are told.
    pub(super) fn tell_code<'a, N: Node<'a>>(&mut self, code: Range<u32>, node: N) -> Result<bool, Stopped> {
        let program = self.program;
        let plain = &program.code[code.start as usize..code.end as usize];
        let is_first = |&instruction: &Instruction| program.is_told_first(instruction);
        let first = if self.report.wants_notes() { None } else { plain.iter().position(is_first) };
        let held = self.held_code(node);
        let mut valid = true;
        if let Some(index) = first
            && !held.contains(&plain[index])
        {
            valid = self.tell_instruction(code.start + index as u32, plain[index], node)?;
            if !valid && self.report.is_done() {
                return Ok(false);
            }
        }
        for (index, &instruction) in plain.iter().enumerate() {
            if Some(index) == first || held.contains(&instruction) {
                continue;
            }
            valid &= self.tell_instruction(code.start + index as u32, instruction, node)?;
            if !valid && self.report.is_done() {
                break;
            }
        }
        Ok(valid)
    }

    /// Runs an instruction for a report. Where only failures are told, one that runs no block is told of when it has failed.
    #[inline(never)]
    fn tell_instruction<'a, N: Node<'a>>(
        &mut self,
        at: u32,
        instruction: Instruction,
        node: N,
    ) -> Result<bool, Stopped> {
        let is_told = instruction.runs_blocks() || self.report.wants_notes();
        if is_told {
            self.report.open_keyword(&mut self.budget, at)?;
        }
        let holds = self.instruction::<N, IN_BLOCK>(at, instruction, node)?;
        if !is_told {
            if holds {
                return Ok(true);
            }
            self.report.open_keyword(&mut self.budget, at)?;
        }
        self.report.close_keyword(&mut self.budget, self.program, at, holds, node)?;
        Ok(holds)
    }

    /// Finds out a verdict in a run that reports nothing. It remembers every verdict, if the schema may lead to one block by
    /// many ways, or if this run has taken more steps than an honest one would.
    pub(super) fn quietly<'a, N: Node<'a>>(
        &mut self,
        ask: Ask,
        block: BlockId,
        node: N,
    ) -> Result<bool, Stopped> {
        if !self.marks.active() {
            match self.program.gate(block).look(node) {
                Look::Yes => return Ok(true),
                Look::No => return Ok(false),
                Look::Ask => {}
            }
        }
        if self.memo.is_none() && self.budget.steps_left() < self.memo_below {
            let room = self.budget.memory_left() / 2;
            self.memo = Some(Box::new(Memo::new(self.program.seeds.clone(), room)));
        }
        if self.memo.is_some() {
            return self.aside(|_| Recalling::All, |quiet| quiet.find_out(ask, block, node));
        }
        if self.may_know() && self.is_known_to_refuse(block, node) {
            return Ok(false);
        }
        self.aside(|report| report.trail(), |quiet| quiet.find_out(ask, block, node))
    }

    /// Finds out the verdict that another run asks for.
    fn find_out<'a, N: Node<'a>>(&mut self, ask: Ask, block: BlockId, node: N) -> Result<bool, Stopped> {
        match ask {
            Ask::Settle => self.settle(block, node),
            Ask::Branch => self.branch(Edge::ROOT, block, node),
            Ask::Below => self.below(Edge::ROOT, Step::Here, block, node),
        }
    }

    /// Asks something in a run that reports to another, and goes on with what it leaves of the budget.
    pub(super) fn aside<'r, S: Silent, T>(
        &'r mut self,
        report: impl FnOnce(&'r mut R) -> S,
        ask: impl FnOnce(&mut Run<'p, S>) -> Result<T, Stopped>,
    ) -> Result<T, Stopped> {
        let mut quiet = Run {
            program: self.program,
            budget: std::mem::take(&mut self.budget),
            report: report(&mut self.report),
            marks: std::mem::take(&mut self.marks),
            scope: std::mem::take(&mut self.scope),
            memo: self.memo.take(),
            memo_below: 0,
        };
        let answer = ask(&mut quiet);
        (self.budget, self.marks, self.scope, self.memo) =
            (quiet.budget, quiet.marks, quiet.scope, quiet.memo);
        answer
    }

    /// The next of some children that may have something to tell about: where only failures are told, one that its block refuses.
    pub(crate) fn next_to_tell<'a, N: Node<'a>, T>(
        &mut self,
        children: &mut impl Iterator<Item = (T, BlockId, N)>,
    ) -> Result<Option<Child<T, N>>, Stopped> {
        let child = |(what, block, node), is_refused| Child { what, block, node, is_refused };
        let remembers = self.memo.is_some() || self.budget.steps_left() < self.memo_below;
        if R::STOPS || self.report.wants_notes() || !self.may_know() || remembers {
            return Ok(children.next().map(|next| child(next, false)));
        }
        let Some(first) = children.next() else { return Ok(None) };
        if self.is_known_to_refuse(first.1, first.2) {
            return Ok(Some(child(first, true)));
        }
        let children = std::iter::once(first).chain(children);
        self.aside(
            |report| report.trail(),
            |quiet| {
                for next in children {
                    quiet.budget.spend(1)?;
                    if !quiet.pass(quiet.program.gate(next.1), next.2)? {
                        return Ok(Some(child(next, true)));
                    }
                }
                Ok(None)
            },
        )
    }

    /// Runs a block on a child, or tells of it at once if it is known to be refused.
    pub(crate) fn tell_child<'a, N: Node<'a>, T>(
        &mut self,
        edge: Edge<'_>,
        step: Step<'_>,
        child: &Child<T, N>,
    ) -> Result<bool, Stopped> {
        let &Child { block, node, is_refused, .. } = child;
        if !is_refused {
            return self.below(edge, step, block, node);
        }
        if self.report.wants(false) {
            let frame = self.marks.suspend();
            self.tell(edge, step, block, node)?;
            self.marks.resume(frame);
        }
        Ok(false)
    }

    /// Whether a block refused a node on the way to an earlier verdict.
    fn is_known_to_refuse<'a, N: Node<'a>>(&mut self, block: BlockId, node: N) -> bool {
        let block = self.program.gate(block).block;
        self.report.trail().is_some_and(|trail| trail.has(block, Identity::of(node.view())))
    }

    /// Whether what an earlier verdict found out holds here: it may depend on the scope, and left no marks.
    fn may_know(&self) -> bool {
        self.program.anchors.is_empty() && !self.marks.active()
    }

    /// How many children of a container, which is an array or an object, are known to satisfy what the current block asks of them,
    /// before others.
    pub(crate) fn known_to_hold(&mut self, kind: Type, container: usize) -> usize {
        let program = self.program;
        let is_walk = if kind == Type::Array { Instruction::walks_items } else { Instruction::walks_members };
        if R::STOPS || self.report.wants_notes() || !self.may_know() {
            return 0;
        }
        let (Some(block), Some(trail)) = (self.report.innermost_block(), self.report.trail()) else {
            return 0;
        };
        if !trail.has_stop(container) {
            return 0;
        }
        // INVARIANT: of the walks in a block's fast code, the first is that which stands for its own; unless the code was
        // written for other types, and has only walks that were copied.
        let mut code = program.fast(block).code().map(|at| program.code[at as usize]);
        let walk = code.find(|&instruction| is_walk(instruction));
        let walk = walk.filter(|_| program.gate(block).asks().has(kind));
        walk.map_or(0, |walk| trail.known(program, walk, container))
    }

    /// How many children of a container this run knows to satisfy what a walk asks of them: it need only ask the others.
    #[inline(always)]
    pub(crate) fn known_of_walk(&self, walk: Instruction, container: usize) -> usize {
        if R::LEAVES_TRAIL && self.program.anchors.is_empty() {
            self.report.known(self.program, walk, container)
        } else {
            0
        }
    }

    /// What of the current block's fast code is known to hold for a node that it refuses.
    fn held_code<'a, N: Node<'a>>(&mut self, node: N) -> &'p [Instruction] {
        let program = self.program;
        if self.report.wants_notes() || !self.may_know() {
            return &[];
        }
        let Some(block) = self.report.innermost_block() else { return &[] };
        // INVARIANT: code of one instruction leaves no place, so what is known may be that of another block.
        let Range { start, end } = program.fast(block).code();
        if end - start <= 1 {
            return &[];
        }
        let place = self.report.trail().and_then(|trail| trail.place(block, Identity::of(node.view())));
        match place {
            Some(at) if (start..end).contains(&at) => &program.code[start as usize..at as usize],
            Some(_) | None => &[],
        }
    }

    /// Leaves for the trail how far code has held: up to an instruction, which may be one of a block that it jumped to at its end.
    #[cold]
    pub(super) fn leave_place<'a, N: Node<'a>>(
        &mut self,
        code: Range<u32>,
        at: u32,
        jumped: Option<BlockId>,
        node: N,
    ) {
        self.report.failed(at);
        if let Some(block) = jumped {
            self.report.refused(block, node);
            self.report.failed(code.end - 1);
        }
        let at = if jumped.is_some() { code.end - 1 } else { at };
        // An array may have the address of an object that is its first item.
        let (is_walk, container): (fn(Instruction) -> bool, _) = match node.view() {
            View::Array(items) => (Instruction::walks_items, items.address()),
            View::Object(members) => (Instruction::walks_members, members.address()),
            View::Null | View::Bool(_) | View::Number(_) | View::String(_) => return,
        };
        for held in code.start..at {
            let walk = self.program.code[held as usize];
            if is_walk(walk) {
                self.report.stopped(walk, container, usize::MAX);
            }
        }
    }

    /// Whether a block that has an `unevaluated…` keyword can be told about without marks.
    pub(super) fn tells_without_marks(&self, id: BlockId) -> bool {
        let wants_marks = R::STOPS || self.report.wants_notes() || self.marks.active();
        !wants_marks && self.program.evaluated(id).is_some()
    }

    /// What the current block evaluates, where it is told about without marks.
    pub(crate) fn evaluated(&self) -> Option<&'p Evaluated> {
        let block = self.report.innermost_block()?;
        if self.tells_without_marks(block) { self.program.evaluated(block) } else { None }
    }
}
