//! Runs that tell why: what they ask of runs that do not, and what they know from those.
//!
//! Before a block is told about, its verdict is found out by a run of its own, which is quick. Where only failures are told, and the
//! schema lets it, there is a shorter way: see [`short`](super::short).

use super::memo::Memo;
use super::{IN_BLOCK, Run};
use crate::instance::{Array, Node, Object, View};
use crate::limits::Stopped;
use crate::program::{BlockId, Gate, Instruction, Look};
use crate::report::{Edge, End, Quiet, Recalling, Report, Silent, Step};
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
        let mut valid = true;
        if let Some(index) = first {
            valid = self.tell_instruction(code.start + index as u32, plain[index], node)?;
            if !valid && self.report.is_done() {
                return Ok(false);
            }
        }
        for (index, &instruction) in plain.iter().enumerate() {
            if Some(index) == first {
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
        self.report.close_keyword(&mut self.budget, self.program, holds, node)?;
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
            match self.program.gate(block).look(&mut self.budget, node)? {
                Look::Yes => return Ok(true),
                Look::No => return Ok(false),
                Look::Ask => {}
            }
        }
        if self.memo.get().is_none() && self.budget.steps_left() < self.memo_below {
            let room = self.budget.memory_left() / 2;
            self.memo = Memo::new(self.program.seeds.clone(), room).into();
        }
        if self.memo.get().is_some() {
            return self.aside(Recalling::All, |quiet| quiet.find_out(ask, block, node));
        }
        self.aside(Quiet, |quiet| quiet.find_out(ask, block, node))
    }

    /// Finds out the verdict that another run asks for.
    fn find_out<'a, N: Node<'a>>(&mut self, ask: Ask, block: BlockId, node: N) -> Result<bool, Stopped> {
        match ask {
            Ask::Settle => self.settle(block, node),
            Ask::Branch => self.branch(Edge::ROOT, block, node),
            Ask::Below => self.below(Edge::ROOT, Step::Here, block, node),
        }
    }

    /// Asks something in a run that reports nothing, and goes on with what it leaves of the budget.
    fn aside<S: Silent>(
        &mut self,
        report: S,
        ask: impl FnOnce(&mut Run<'p, S>) -> Result<bool, Stopped>,
    ) -> Result<bool, Stopped> {
        let mut quiet = Run {
            program: self.program,
            budget: std::mem::take(&mut self.budget),
            report,
            marks: std::mem::take(&mut self.marks),
            scope: std::mem::take(&mut self.scope),
            memo: std::mem::take(&mut self.memo),
            memo_below: 0,
        };
        let answer = ask(&mut quiet);
        (self.budget, self.marks, self.scope, self.memo) =
            (quiet.budget, quiet.marks, quiet.scope, quiet.memo);
        answer
    }

    /// Leaves for the trail that a gate's block has refused a node, if neither the type did nor a walk, which leaves where it ended.
    #[cold]
    #[inline(never)]
    pub(crate) fn leave_refusal<'a, N: Node<'a>>(&mut self, gate: &Gate, node: N) {
        if gate.has_to_ask(node.shape()) && !gate.then.walks() {
            self.report.refused(gate.block, node);
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
                self.report.stopped(walk, container, End::at(usize::MAX));
            }
        }
    }
}
