//! The interpreter: a block, a node, a verdict. The file to read first.
//!
//! A [`Run`] walks a program and an instance together. [`Run::apply`] pays for a block and looks at its gate, which mostly
//! decides by the node's type. If that asks, the block is entered: its depth is counted, and its
//! instructions are run until one does not hold. Each instruction is one call into its keyword's file. Giving up
//! is an `Err`, so that no `not` can make a verdict of it.
//!
//! There is one interpreter. What it remembers is up to its [`Report`]: [`Quiet`] nothing, so it
//! stops at the first instruction that does not hold and runs optimized code; [`Recalling`] the verdicts of
//! blocks that it may come to again; a [`Trace`] all that failed, or everything, so it
//! goes on and runs the code as the keywords say it.
//!
//! [`Trace`]: crate::report::Trace

pub(crate) mod lookup;
mod marks;
mod memo;
mod scope;
mod seldom;
pub(crate) mod short;
mod tell;

pub(crate) use marks::Marks;

use crate::instance::{Array, Node, Object, Shape, View};
use crate::keyword::{
    annotation, array, condition, contains, content, dependent, equality, format, items, logic, members,
    number, object, properties, property_names, reference, string, types, unevaluated,
};
use crate::limits::{Budget, Exhausted, Limits, Stopped};
use crate::program::{BlockId, Gate, Instruction, Look, Program};
use crate::report::{Edge, Quiet, Recalling, Report, Step, Trail};
use crate::validator::Remember;
use memo::{Identity, Key, Memo};
use scope::Scope;
use seldom::Seldom;
use std::ops::{ControlFlow, Range};
use tell::Ask;

/// The block of the whole schema.
const ROOT: BlockId = BlockId(0);

/// An instruction that is all that a gate asks.
const ALONE: bool = true;

/// An instruction of a block that was entered.
const IN_BLOCK: bool = false;

/// One interpretation of a program on an instance.
pub(crate) struct Run<'p, R> {
    pub(crate) program: &'p Program,
    pub(crate) budget: Budget,
    pub(crate) report: R,
    /// What has been evaluated, where a block asks for it.
    pub(crate) marks: Marks,
    /// What the dynamic scope makes of dynamic references.
    pub(crate) scope: Scope,
    /// The verdicts that are remembered; none where the report does not care.
    memo: Seldom<Memo>,
    /// A run that reports starts to remember when it has fewer steps left than this.
    memo_below: u64,
}

/// A run that takes more steps than this starts again with a memo, if one could help.
pub(crate) fn steps_before_memo(limits: &Limits) -> u64 {
    const HONEST: u64 = 1 << 18;
    HONEST.min(limits.steps / 4)
}

/// The verdict on an instance, and what was refused on the way, for a run that tells why; from its [`plain_root`], if there is one.
pub(crate) fn verdict_with_trail<'a, N: Node<'a>>(
    program: &Program,
    limits: &Limits,
    remember: Remember,
    root: Option<&Gate>,
    trail: &mut Trail,
    node: N,
) -> Result<bool, Exhausted> {
    if let Some(root) = root {
        let mut run = Run::new(program, limits, limits.steps - 1, Some(trail));
        let holds = run.pass(root, node);
        let ended = run.budget.ended(holds);
        // As in [`holds`].
        std::mem::forget(run);
        return ended;
    }
    let first = match remember {
        Remember::Always => 0,
        Remember::Auto if program.may_repeat => steps_before_memo(limits),
        Remember::Auto | Remember::Never => limits.steps,
    };
    if remember != Remember::Always {
        let (ended, _) = Run::new(program, limits, first, Some(&mut *trail)).finish(first, node);
        if first == limits.steps || ended != Err(Exhausted::Steps) {
            return ended;
        }
    }
    let recalling = if remember == Remember::Always { Recalling::All } else { Recalling::Shared };
    let rest = limits.steps - first;
    *trail = Trail::default();
    Run::new(program, limits, rest, recalling).finish(rest, node).0
}

/// The verdict on an instance, and the steps that it took.
#[inline]
pub(crate) fn verdict<'a, N: Node<'a>>(
    program: &Program,
    limits: &Limits,
    remember: Remember,
    node: N,
) -> (Result<bool, Exhausted>, u64) {
    if remember == Remember::Auto && !program.may_repeat {
        return Run::new(program, limits, limits.steps, Quiet).finish(limits.steps, node);
    }
    verdict_with_memo(program, limits, remember, node)
}

/// The gate of the whole schema, if runs need neither a memo nor a scope nor marks, as most do, and have a step.
pub(crate) fn plain_root(program: &Program, limits: &Limits, remember: Remember) -> Option<Gate> {
    let is_plain = remember == Remember::Auto
        && !program.may_repeat
        && program.anchors.is_empty()
        && !program.fast.iter().any(|fast| fast.needs_care);
    (is_plain && limits.steps > 0).then(|| *program.gate(ROOT))
}

/// The verdict on an instance, by a run from its [`plain_root`].
#[inline]
pub(crate) fn holds<'a, N: Node<'a>>(
    program: &Program,
    limits: &Limits,
    root: &Gate,
    node: N,
) -> Result<bool, Stopped> {
    let mut run = Run::new(program, limits, limits.steps - 1, Quiet);
    let holds = if let Instruction::Members(id) = root.then
        && root.has_to_ask(node.shape())
    {
        // What most schemas ask, without the jump to it.
        members::by_name::<N, Quiet, ALONE>(&mut run, id, node)
    } else {
        run.pass(root, node)
    };
    // It has come to nothing that would have to be dropped, and need not look.
    std::mem::forget(run);
    holds
}

#[inline(never)]
fn verdict_with_memo<'a, N: Node<'a>>(
    program: &Program,
    limits: &Limits,
    remember: Remember,
    node: N,
) -> (Result<bool, Exhausted>, u64) {
    let first = match remember {
        Remember::Always => {
            return Run::new(program, limits, limits.steps, Recalling::All).finish(limits.steps, node);
        }
        Remember::Never => limits.steps,
        Remember::Auto => steps_before_memo(limits),
    };
    match Run::new(program, limits, first, Quiet).finish(first, node) {
        (Err(Exhausted::Steps), _) if first < limits.steps => {
            let rest = limits.steps - first;
            let (ended, steps) = Run::new(program, limits, rest, Recalling::Shared).finish(rest, node);
            (ended, first + steps)
        }
        ended => ended,
    }
}

impl<'p, R: Report> Run<'p, R> {
    /// A run that may take so many steps, whatever the limits say of those.
    #[inline]
    pub(crate) fn new(program: &'p Program, limits: &Limits, steps: u64, report: R) -> Run<'p, R> {
        let mut run = Run::on(program, Budget::new(limits, steps), report);
        if R::REMEMBERS {
            run.memo = Memo::new(program.seeds.clone(), limits.memory / 2).into();
        }
        run
    }

    /// A run on what is left of a budget.
    #[inline(always)]
    fn on(program: &'p Program, budget: Budget, report: R) -> Run<'p, R> {
        let (marks, scope, memo) = (Marks::default(), Scope::default(), Seldom::default());
        Run { program, budget, report, marks, scope, memo, memo_below: 0 }
    }

    /// A run that tells what it does, on all steps that there are.
    pub(crate) fn telling(
        program: &'p Program,
        limits: &Limits,
        remember: Remember,
        report: R,
    ) -> Run<'p, R> {
        let memo_below = match remember {
            Remember::Never => 0,
            Remember::Auto if !program.may_repeat => limits.steps - steps_before_memo(limits),
            Remember::Auto | Remember::Always => u64::MAX,
        };
        Run { memo_below, ..Run::new(program, limits, limits.steps, report) }
    }

    /// Runs the whole program.
    #[inline(always)]
    pub(crate) fn root<'a, N: Node<'a>>(&mut self, node: N) -> Result<bool, Stopped> {
        self.enter_root()?;
        if R::STOPS {
            self.budget.spend(1)?;
            return self.pass(self.program.gate(ROOT), node);
        }
        self.apply(Edge::ROOT, Step::Here, ROOT, node)
    }

    /// Begins the dynamic scope, where there is one.
    #[inline(always)]
    fn enter_root(&mut self) -> Result<(), Stopped> {
        if self.program.anchors.is_empty() { Ok(()) } else { self.begin_scope() }
    }

    #[cold]
    #[inline(never)]
    fn begin_scope(&mut self) -> Result<(), Stopped> {
        self.scope = Scope::of_anchors(self.program);
        self.scope.enter(&mut self.budget, self.program, self.program.block(ROOT).resource)
    }

    /// Tells about the whole program on a node that is known to be refused.
    pub(crate) fn tell_root<'a, N: Node<'a>>(&mut self, node: N) -> Result<(), Stopped> {
        self.enter_root()?;
        self.tell(Edge::ROOT, Step::Here, ROOT, node)
    }

    /// Runs the whole program on `steps` steps. Returns how many it took.
    #[inline(always)]
    fn finish<'a, N: Node<'a>>(mut self, steps: u64, node: N) -> (Result<bool, Exhausted>, u64) {
        let verdict = self.root(node);
        (self.budget.ended(verdict), steps - self.budget.steps_left())
    }

    /// Runs a block on the node that the current block is running on.
    #[inline]
    pub(crate) fn in_place<'a, N: Node<'a>>(
        &mut self,
        edge: Edge<'_>,
        block: BlockId,
        node: N,
    ) -> Result<bool, Stopped> {
        self.apply(edge, Step::Here, block, node)
    }

    /// Runs a block on a child of the node that the current block is running on.
    #[inline]
    pub(crate) fn below<'a, N: Node<'a>>(
        &mut self,
        edge: Edge<'_>,
        step: Step<'_>,
        block: BlockId,
        child: N,
    ) -> Result<bool, Stopped> {
        let frame = self.marks.suspend();
        let holds = self.apply(edge, step, block, child)?;
        self.marks.resume(frame);
        Ok(holds)
    }

    /// Asks of a node what fast code asks of it: mostly only its type. It reports nothing, and nobody asks for marks.
    #[inline(always)]
    pub(crate) fn pass<'a, N: Node<'a>>(&mut self, gate: &Gate, node: N) -> Result<bool, Stopped> {
        let shape = node.shape();
        if gate.lets_pass(shape) {
            return Ok(true);
        }
        let holds = self.ask(gate, shape, node);
        // Not where it is asked: that ends with a jump, and who asks has to see the verdict anyway.
        if R::LEAVES_TRAIL && holds == Ok(false) {
            self.leave_refusal(gate, node);
        }
        holds
    }

    /// The same where who asks leaves the trail, as a loop does that need not know the node any more when it has passed. Written out in both: where the one
    /// calls the other, walks take an instruction more for each object.
    #[inline(always)]
    pub(crate) fn pass_untold<'a, N: Node<'a>>(&mut self, gate: &Gate, node: N) -> Result<bool, Stopped> {
        let shape = node.shape();
        if gate.lets_pass(shape) {
            return Ok(true);
        }
        self.ask(gate, shape, node)
    }

    /// The same where a type may well say no, as that of a node does for most branches of a union.
    #[inline(always)]
    pub(crate) fn try_pass<'a, N: Node<'a>>(&mut self, gate: &Gate, node: N) -> Result<bool, Stopped> {
        if gate.refuses_shape(node.shape()) { Ok(false) } else { self.pass(gate, node) }
    }

    /// Asks the same of many nodes, until one does not pass: that is told. The loop goes on by a jump where a look is enough.
    #[inline(always)]
    pub(crate) fn pass_all<'a, N: Node<'a>>(
        &mut self,
        gate: &Gate,
        nodes: impl Iterator<Item = N>,
        stopped: impl FnOnce(&mut R, usize),
    ) -> Result<bool, Stopped> {
        let ended = nodes.enumerate().try_for_each(|(index, node)| {
            let shape = node.shape();
            if gate.lets_pass(shape) {
                return ControlFlow::Continue(());
            }
            match self.ask(gate, shape, node) {
                Ok(true) => ControlFlow::Continue(()),
                Ok(false) => {
                    if R::LEAVES_TRAIL {
                        self.leave_refusal(gate, node);
                    }
                    ControlFlow::Break(Ok(index))
                }
                Err(stopped) => ControlFlow::Break(Err(stopped)),
            }
        });
        match ended {
            ControlFlow::Continue(()) => Ok(true),
            ControlFlow::Break(ended) => {
                stopped(&mut self.report, ended?);
                Ok(false)
            }
        }
    }

    /// Whether only the verdict counts, so that there is nothing to tell or to mark on the way.
    #[inline]
    pub(crate) fn is_fast(&self) -> bool {
        R::STOPS && !self.marks.active()
    }

    /// Runs a block on the same node as a branch, which may fail without failing the current block:
    /// what it marks counts only if it holds.
    pub(crate) fn branch<'a, N: Node<'a>>(
        &mut self,
        edge: Edge<'_>,
        block: BlockId,
        node: N,
    ) -> Result<bool, Stopped> {
        let below = self.marks.branch(&mut self.budget)?;
        let aside = self.report.open_aside();
        let holds = self.apply(edge, Step::Here, block, node)?;
        self.report.close_aside(aside);
        if below.is_some() {
            self.marks.close(&mut self.budget, below, holds);
        }
        Ok(holds)
    }

    /// Runs a block as a branch only to see whether it holds: if it does not, that is no error.
    pub(crate) fn probe<'a, N: Node<'a>>(
        &mut self,
        edge: Edge<'_>,
        block: BlockId,
        node: N,
    ) -> Result<bool, Stopped> {
        if self.report.wants_probes() {
            return self.branch(edge, block, node);
        }
        self.quietly(Ask::Branch, block, node)
    }

    /// Tells why a branch refuses a node, which is known.
    pub(crate) fn tell_branch<'a, N: Node<'a>>(
        &mut self,
        edge: Edge<'_>,
        block: BlockId,
        node: N,
    ) -> Result<(), Stopped> {
        if !self.report.wants(false) {
            return Ok(());
        }
        let below = self.marks.branch(&mut self.budget)?;
        self.tell(edge, Step::Here, block, node)?;
        if below.is_some() {
            self.marks.close(&mut self.budget, below, false);
        }
        Ok(())
    }

    /// Runs a block on a child only to see whether it holds.
    pub(crate) fn probe_below<'a, N: Node<'a>>(
        &mut self,
        edge: Edge<'_>,
        step: Step<'_>,
        block: BlockId,
        child: N,
    ) -> Result<bool, Stopped> {
        if self.report.wants_probes() {
            let aside = self.report.open_aside();
            let holds = self.below(edge, step, block, child)?;
            self.report.close_aside(aside);
            return Ok(holds);
        }
        self.quietly(Ask::Below, block, child)
    }

    fn apply<'a, N: Node<'a>>(
        &mut self,
        edge: Edge<'_>,
        step: Step<'_>,
        block: BlockId,
        node: N,
    ) -> Result<bool, Stopped> {
        self.budget.spend(1)?;
        if R::STOPS {
            return self.settle(block, node);
        }
        self.budget.deepen()?;
        let holds = self.explain(edge, step, block, node)?;
        self.budget.leave();
        Ok(holds)
    }

    /// Finds out the verdict of a block on a node, for a report that wants no more.
    #[inline]
    fn settle<'a, N: Node<'a>>(&mut self, id: BlockId, node: N) -> Result<bool, Stopped> {
        let gate = self.program.gate(id);
        if !self.marks.active() {
            return self.pass(gate, node);
        }
        // Plain code sets marks.
        if gate.look(&mut self.budget, node)? == Look::No {
            return Ok(false);
        }
        self.enter_with_care(id, node)
    }

    /// Asks the block of a gate that does not let a node pass, if it says more than no.
    #[inline(never)]
    fn ask<'a, N: Node<'a>>(&mut self, gate: &Gate, shape: Shape, node: N) -> Result<bool, Stopped> {
        if !gate.has_to_ask(shape) {
            return gate.answer(&mut self.budget, node);
        }
        if R::REMEMBERS {
            return self.enter(gate.block, node);
        }
        self.instruction::<N, ALONE>(0, gate.then, node)
    }

    /// Goes to the children of a node. Where the instruction is alone, there is no block that has counted the level.
    #[inline(always)]
    pub(crate) fn walk<const IS_ALONE: bool>(
        &mut self,
        walk: impl FnOnce(&mut Self) -> Result<bool, Stopped>,
    ) -> Result<bool, Stopped> {
        if !IS_ALONE {
            return walk(self);
        }
        self.budget.deepen()?;
        let holds = walk(self);
        // Also if the run gives up: nobody asks for its depth then, and who does not look need not.
        self.budget.leave();
        holds
    }

    /// Runs the fast code of a block.
    #[inline(never)]
    fn enter<'a, N: Node<'a>>(&mut self, id: BlockId, node: N) -> Result<bool, Stopped> {
        let fast = self.program.fast(id);
        if R::REMEMBERS || fast.needs_care {
            return self.enter_with_care(id, node);
        }
        self.budget.deepen()?;
        // Most blocks come down to one instruction. A call is for the loop, which may jump.
        let only = if fast.start + 1 == fast.end { self.program.code.get(fast.start as usize) } else { None };
        let holds = match only {
            None | Some(Instruction::Call(_)) => self.code(fast.code(), node),
            Some(&only) => self.instruction::<N, IN_BLOCK>(fast.start, only, node),
        };
        self.budget.leave();
        holds
    }

    #[cold]
    #[inline(never)]
    fn enter_with_care<'a, N: Node<'a>>(&mut self, id: BlockId, node: N) -> Result<bool, Stopped> {
        self.budget.deepen()?;
        let recalls = self.report.recalls(self.program.block(id));
        let holds = if recalls { self.recall(id, node)? } else { self.body(id, node)? };
        self.budget.leave();
        Ok(holds)
    }

    /// Runs a block unless its verdict on the node is remembered, and remembers it.
    fn recall<'a, N: Node<'a>>(&mut self, block: BlockId, node: N) -> Result<bool, Stopped> {
        let with_marks = self.marks.active();
        let same = self.program.block(block).same_as;
        let key = Key::new(same, Identity::of(node.view()), self.scope.number(), with_marks);
        if let Some((holds, marks)) = self.memo.get().and_then(|memo| memo.recall(&key)) {
            self.budget.spend((marks.len() / 16) as u64)?;
            self.marks.add(marks);
            return Ok(holds);
        }
        // In a frame of its own, to know which marks are the block's.
        let below = self.marks.branch(&mut self.budget)?;
        let holds = self.body(block, node)?;
        if let Some(memo) = self.memo.get_mut() {
            let marks = if holds { self.marks.words() } else { &[] };
            memo.remember(&mut self.budget, key, holds, marks);
        }
        if with_marks {
            self.marks.close(&mut self.budget, below, holds);
        }
        Ok(holds)
    }

    /// Runs a block's code, with its resource in scope and a frame for marks, as the block needs.
    fn body<'a, N: Node<'a>>(&mut self, id: BlockId, node: N) -> Result<bool, Stopped> {
        let block = self.program.block(id);
        let scope = self.scope.number();
        if block.enters {
            self.scope.enter(&mut self.budget, self.program, block.resource)?;
        }
        let holds = if block.owns_marks {
            let count = match node.view() {
                View::Array(items) => items.len(),
                View::Object(members) => members.len(),
                View::Null | View::Bool(_) | View::Number(_) | View::String(_) => 0,
            };
            let below = self.marks.open(&mut self.budget, count)?;
            let holds = self.code(block.plain.clone(), node)?;
            self.marks.close(&mut self.budget, below, holds);
            holds
        } else {
            // Fast code sets no marks and explains nothing.
            self.code(if self.is_fast() { self.program.fast(id).code() } else { block.plain.clone() }, node)?
        };
        self.scope.leave(scope);
        Ok(holds)
    }

    /// Where a call leads that is the last instruction of a block, if it can be a jump: then a chain of references
    /// nests no deeper than its first.
    #[inline]
    fn jump(&self, last: Instruction) -> Option<BlockId> {
        let Instruction::Call(target) = last else { return None };
        let block = self.program.gate(target).block;
        let needs_care = self.program.fast(block).needs_care
            || self.marks.active()
            || self.report.recalls(self.program.block(block));
        (R::STOPS && !needs_care).then_some(target)
    }

    /// Runs code front to back, until an instruction does not hold and nobody asks for more.
    pub(crate) fn code<'a, N: Node<'a>>(&mut self, code: Range<u32>, node: N) -> Result<bool, Stopped> {
        if !R::STOPS {
            return self.tell_code(code, node);
        }
        let program = self.program;
        let mut valid = true;
        let mut jumped = None;
        let Range { start: mut next, mut end } = code.clone();
        while next < end {
            let at = next;
            next += 1;
            let instruction = program.code[at as usize];
            if next == end
                && let Some(target) = self.jump(instruction)
            {
                self.budget.spend(1)?;
                let gate = program.gate(target);
                match gate.look(&mut self.budget, node)? {
                    Look::Yes => return Ok(true),
                    Look::No => valid = false,
                    Look::Ask => Range { start: next, end } = program.fast(gate.block).code(),
                }
                if !valid {
                    if R::LEAVES_TRAIL {
                        self.leave_place(code, at, jumped, node);
                    }
                    break;
                }
                jumped = Some(gate.block);
                continue;
            }
            valid &= self.instruction::<N, IN_BLOCK>(at, instruction, node)?;
            if !valid {
                if R::LEAVES_TRAIL {
                    self.leave_place(code, at, jumped, node);
                }
                break;
            }
        }
        Ok(valid)
    }

    /// Runs one instruction, of a block that was entered or alone at its gate: each is a call into its keyword's file. All return what this
    /// does, so that asking a gate ends with a jump.
    #[inline(always)]
    fn instruction<'a, N: Node<'a>, const IS_ALONE: bool>(
        &mut self,
        at: u32,
        instruction: Instruction,
        node: N,
    ) -> Result<bool, Stopped> {
        match instruction {
            Instruction::Never => Ok(false),
            Instruction::Type(types) => types::is_one_of(self, types, node),
            Instruction::TypeAsWritten(types) => types::is_written_as(self, types, node),
            Instruction::Equals(constant) => equality::equals(self, constant, node),
            Instruction::IsOneOf(values) => equality::is_one_of(self, values, node),
            Instruction::AtLeast(bound) => number::at_least(self, bound, node),
            Instruction::AtMost(bound) => number::at_most(self, bound, node),
            Instruction::Above(bound) => number::above(self, bound, node),
            Instruction::Below(bound) => number::below(self, bound, node),
            Instruction::MultipleOf(multiple) => number::multiple_of(self, multiple, node),
            Instruction::InRange(interval) => number::in_range(self, interval, node),
            Instruction::LengthAtLeast(count) => string::length_at_least(self, count, node),
            Instruction::LengthAtMost(count) => string::length_at_most(self, count, node),
            Instruction::Matches(pattern) => string::matches(self, pattern, node),
            Instruction::HasFormat(id) => format::has_format(self, id, node),
            Instruction::Text(id) => string::is_text(self, id, node),
            Instruction::HasContent(expected) => content::has_content(self, expected, node),
            Instruction::ItemsAtLeast(count) => array::at_least(self, count, node),
            Instruction::ItemsAtMost(count) => array::at_most(self, count, node),
            Instruction::UniqueItems => array::unique(self, node),
            Instruction::MembersAtLeast(count) => object::at_least(self, count, node),
            Instruction::MembersAtMost(count) => object::at_most(self, count, node),
            Instruction::Required(names) => object::has_all(self, names, node),
            Instruction::DependentRequired(names) => dependent::has_dependents(self, names, node),

            Instruction::Call(block) if IS_ALONE => self.enter(block, node),
            Instruction::Call(block) => self.in_place(Edge::keyword(at), block, node),
            Instruction::DynamicCall(anchor, otherwise) => {
                reference::dynamic_call(self, at, anchor, otherwise, node)
            }
            Instruction::AllOf(blocks) => logic::all_of(self, at, blocks, node),
            Instruction::AnyOf(blocks) => logic::any_of::<N, R, IS_ALONE>(self, at, blocks, node),
            Instruction::OneOf(blocks) => logic::one_of::<N, R, IS_ALONE>(self, at, blocks, node),
            Instruction::Pick(id) => logic::pick::<N, R, IS_ALONE>(self, id, node),
            Instruction::Not(block) => logic::not(self, at, block, node),
            Instruction::If(condition) => condition::if_then_else(self, at, condition, node),
            Instruction::DependentSchemas(named) => dependent::schemas(self, at, named, node),
            Instruction::PrefixItems(blocks) => items::prefix(self, at, blocks, node),
            Instruction::EachItem(from, block) => items::each::<N, R, IS_ALONE>(self, at, from, block, node),
            Instruction::Items(id) => items::all::<N, R, IS_ALONE>(self, id, node),
            Instruction::Contains(id) => contains::contains(self, at, id, node),
            Instruction::Properties(named) => properties::named(self, at, named, node),
            Instruction::PatternProperties(id) => properties::patterned(self, at, id, node),
            Instruction::AdditionalProperties(id) => properties::additional(self, at, id, node),
            Instruction::EachName(block) => property_names::each(self, at, block, node),
            Instruction::Members(id) => members::by_name::<N, R, IS_ALONE>(self, id, node),
            Instruction::MembersByPattern(id) => members::by_name_and_pattern(self, id, node),
            Instruction::EachMember(block) => members::each::<N, R, IS_ALONE>(self, block, node),
            Instruction::UnevaluatedItems(block) => unevaluated::items(self, at, block, node),
            Instruction::UnevaluatedProperties(block) => unevaluated::properties(self, at, block, node),
            Instruction::Unevaluated(id) => unevaluated::by_branches(self, id, node),

            Instruction::Annotate(value) => Ok(annotation::note(self, value)),
            Instruction::AnnotateText(value) => Ok(annotation::note_text(self, value, node)),
        }
    }
}
