//! Verdicts for an explanation: of the whole instance first, then of blocks and instructions one by one, all on one budget.

use super::memo::Memo;
use super::{IN_BLOCK, NoMemo, Run, WithMemo, steps_before_memo, verdict_in_layers};
use crate::instance::Node;
use crate::limits::{Budget, Exhausted, Limits, Stopped};
use crate::program::{Assertion, BlockId, Fast, Gate, GateAnswer, Program};
use crate::run::{Marks, scope::Scope};
use crate::validator::Remember;

/// The run that answers an explanation. It goes on with what the verdict left of the call's budget.
pub(crate) struct Asker<'p> {
    run: Run<'p, NoMemo>,
    /// Verdicts are remembered from when there are fewer steps left than this.
    memo_below: u64,
}

impl<'p> Asker<'p> {
    /// Finds the verdict on a whole instance, and returns it with what is left of the budget. The run starts at the
    /// [`plain_root`](super::plain_root), if there is one.
    pub(crate) fn decide<'a, N: Node<'a>>(
        program: &'p Program,
        limits: &Limits,
        remember: Remember,
        root: Option<&Gate>,
        node: N,
    ) -> (Result<bool, Exhausted>, Asker<'p>) {
        let memo_below = match remember {
            Remember::Never => 0,
            Remember::Auto if !program.may_repeat => limits.steps - steps_before_memo(limits),
            Remember::Auto | Remember::Always => u64::MAX,
        };
        let (ended, run) = first_verdict(program, limits, remember, root, node);
        if ended == Err(Exhausted::Depth)
            && let Some((ended, steps)) = verdict_in_layers(program, limits, node)
        {
            let run = Run::new(program, limits, limits.steps - steps, NoMemo);
            return (ended, Asker { run, memo_below });
        }
        (ended, Asker { run, memo_below })
    }

    pub(crate) fn program(&self) -> &'p Program {
        self.run.program
    }

    pub(crate) fn budget(&mut self) -> &mut Budget {
        &mut self.run.budget
    }

    pub(crate) fn marks(&mut self) -> &mut Marks {
        &mut self.run.marks
    }

    pub(crate) fn marks_and_budget(&mut self) -> (&mut Marks, &mut Budget) {
        (&mut self.run.marks, &mut self.run.budget)
    }

    pub(crate) fn scope(&self) -> &Scope {
        &self.run.scope
    }

    /// Enters the resource of a block, until [`Asker::leave`] is given what this returns.
    pub(crate) fn enter(&mut self, block: BlockId) -> Result<u32, Stopped> {
        let Run { program, budget, scope, .. } = &mut self.run;
        let (program, before): (&Program, u32) = (program, scope.number());
        let block = program.block(block);
        if block.enters {
            scope.enter(budget, program, block.resource)?;
        }
        Ok(before)
    }

    pub(crate) fn leave(&mut self, scope: u32) {
        self.run.scope.leave(scope);
    }

    /// Whether a node satisfies a block. It makes no marks.
    pub(crate) fn holds<'a, N: Node<'a>>(&mut self, block: BlockId, node: N) -> Result<bool, Stopped> {
        match self.run.program.gate(block).check(&mut self.run.budget, node)? {
            GateAnswer::Yes => return Ok(true),
            GateAnswer::No => return Ok(false),
            GateAnswer::Ask => {}
        }
        let frame = self.run.marks.suspend();
        let holds = self.find(block, node)?;
        self.run.marks.resume(frame);
        Ok(holds)
    }

    /// Marks the children that a block evaluates, given that the node satisfies it.
    pub(crate) fn mark<'a, N: Node<'a>>(&mut self, block: BlockId, node: N) -> Result<(), Stopped> {
        if self.run.marks.active() {
            self.find(block, node)?;
        }
        Ok(())
    }

    fn find<'a, N: Node<'a>>(&mut self, block: BlockId, node: N) -> Result<bool, Stopped> {
        if self.run.memo.get().is_none() && self.run.budget.steps_left() < self.memo_below {
            let room = self.run.budget.memory_left() / 2;
            self.run.memo = Memo::new(self.run.program.seeds.clone(), room).into();
        }
        if self.run.memo.get().is_none() {
            return self.run.branch(block, node);
        }
        // This run, with its memo.
        let nothing = Run::on(self.run.program, Budget::default(), NoMemo);
        let mut run = std::mem::replace(&mut self.run, nothing).recalling(WithMemo::All);
        let holds = run.branch(block, node);
        self.run = run.recalling(NoMemo);
        holds
    }

    /// Whether a node satisfies an assertion.
    pub(crate) fn satisfies<'a, N: Node<'a>>(
        &mut self,
        assertion: Assertion,
        node: N,
    ) -> Result<bool, Stopped> {
        self.run.instruction::<N, IN_BLOCK>(Fast::Assert(assertion).into(), node)
    }
}

/// The verdict on a whole instance, and the run that found it.
fn first_verdict<'p, 'a, N: Node<'a>>(
    program: &'p Program,
    limits: &Limits,
    remember: Remember,
    root: Option<&Gate>,
    node: N,
) -> (Result<bool, Exhausted>, Run<'p, NoMemo>) {
    if let Some(root) = root {
        let mut run = Run::new(program, limits, limits.steps - 1, NoMemo);
        let holds = run.pass(root, node);
        return (run.budget.ended(holds), run);
    }
    let (first, recall) = match remember {
        Remember::Always => (0, WithMemo::All),
        Remember::Auto if program.may_repeat => (steps_before_memo(limits), WithMemo::Shared),
        Remember::Auto | Remember::Never => (limits.steps, WithMemo::Shared),
    };
    if remember != Remember::Always {
        let mut run = Run::new(program, limits, first, NoMemo);
        let holds = run.root(node);
        let ended = run.budget.ended(holds);
        if first == limits.steps || ended != Err(Exhausted::Steps) {
            run.budget.add_steps(limits.steps - first);
            return (ended, run);
        }
    }
    let mut run = Run::new(program, limits, limits.steps - first, recall);
    let holds = run.root(node);
    (run.budget.ended(holds), run.recalling(NoMemo))
}

impl<'p, R> Run<'p, R> {
    /// Returns the run with another way to remember.
    fn recalling<S>(self, recall: S) -> Run<'p, S> {
        let Run { program, budget, marks, scope, memo, layers, counted, .. } = self;
        Run { program, budget, recall, marks, scope, memo, layers, counted }
    }
}
