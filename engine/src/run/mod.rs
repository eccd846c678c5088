//! The interpreter: a block, a node, a verdict. The file to read first.
//!
//! A [`Run`] walks a program and an instance together. [`Run::in_place`] pays for a block and looks at its gate, which mostly
//! decides by the node's type. If the gate asks, the block is entered: its depth is counted, and its
//! instructions are run until one does not hold. Each instruction is one call into its keyword's file. Giving up
//! is an `Err`, so that no `not` can make a verdict of it.
//!
//! A run answers yes, no or undecided, and nothing else. It remembers the verdicts of blocks that it may come to again
//! ([`WithMemo`]) or nothing ([`NoMemo`]). Errors and annotations are made by [`explain`](crate::explain), which asks a run for
//! verdicts by way of [`Asker`].

mod ask;
mod counted;
mod layers;
mod lazy_box;
pub(crate) mod lookup;
mod marks;
mod memo;
mod scope;

pub(crate) use ask::Asker;
pub(crate) use layers::steps_for_layers;
pub(crate) use marks::Marks;

use crate::instance::{Node, Shape};
use crate::keyword::apply::{Apply, Edge, Halt, Step};
use crate::keyword::{
    array, condition, contains, content, dependent, equality, format, items, logic, members, number, object,
    properties, property_names, reference, string, types, unevaluated,
};
use crate::limits::{Budget, Exhausted, Limits, Stopped};
use crate::program::{Block, BlockId, Flat, Gate, GateAnswer, Program};
use crate::validator::Remember;
use counted::CountedArrays;
use layers::Layers;
use lazy_box::LazyBox;
use memo::{Identity, Key, Memo};
use scope::Scope;
use std::ops::{ControlFlow, Range};

/// The block of the whole schema.
const ROOT: BlockId = BlockId(0);

/// An instruction that is all that a gate asks.
const ALONE: bool = true;

/// An instruction of a block that was entered.
const IN_BLOCK: bool = false;

/// Whether a run remembers verdicts. It is a property of the run's type, so that a run without a memo has no test for one.
pub(crate) trait Recall {
    const REMEMBERS: bool;

    /// Whether the run remembers the verdicts of this block.
    fn recalls(&self, block: &Block) -> bool;
}

/// A run that remembers nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoMemo;

/// A run that remembers verdicts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WithMemo {
    /// Those of blocks that more than one way leads to.
    Shared,
    /// Those of all blocks that apply others.
    All,
}

impl Recall for NoMemo {
    const REMEMBERS: bool = false;

    #[inline]
    fn recalls(&self, _: &Block) -> bool {
        false
    }
}

impl Recall for WithMemo {
    const REMEMBERS: bool = true;

    #[inline]
    fn recalls(&self, block: &Block) -> bool {
        match self {
            WithMemo::Shared => block.is_shared,
            WithMemo::All => !block.is_light,
        }
    }
}

/// One interpretation of a program on an instance.
pub(crate) struct Run<'p, R> {
    pub(crate) program: &'p Program,
    pub(crate) budget: Budget,
    recall: R,
    /// The evaluated children, where a block asks for them.
    pub(crate) marks: Marks,
    /// The dynamic scope, which decides where dynamic references lead.
    pub(crate) scope: Scope,
    /// The verdicts that are remembered, if the run does that.
    memo: LazyBox<Memo>,
    /// For a run that goes from the bottom up where blocks nest deep on one node.
    layers: LazyBox<Layers>,
    /// The counts of constants in long arrays, where very many are looked for.
    counted: LazyBox<CountedArrays>,
}

/// A run that takes more steps than this starts again with a memo, if one could help.
pub(crate) fn steps_before_memo(limits: &Limits) -> u64 {
    const HONEST: u64 = 1 << 18;
    HONEST.min(limits.steps / 4)
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
        return Run::new(program, limits, limits.steps, NoMemo).finish(limits.steps, node);
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
) -> Result<bool, Exhausted> {
    let mut run = Run::new(program, limits, limits.steps - 1, NoMemo);
    let holds = if let Flat::Members(id) = root.then
        && root.has_to_ask(node.shape())
    {
        // The most frequent instruction of a root, without the jump table.
        members::by_name::<N, NoMemo, ALONE>(&mut run, id, node)
    } else {
        run.pass(root, node)
    };
    let ended = run.budget.ended(holds);
    // The run has filled no lazy part, so dropping it would only test for them.
    std::mem::forget(run);
    ended
}

/// Finds the verdict by a run in layers, and the steps that it took, after a run that ran out of depth; nothing if no blocks nest deep on
/// one node, so that it would run out again.
#[cold]
#[inline(never)]
pub(crate) fn verdict_in_layers<'a, N: Node<'a>>(
    program: &Program,
    limits: &Limits,
    node: N,
) -> Option<(Result<bool, Exhausted>, u64)> {
    let layers = Layers::of(program)?;
    let mut run = Run::new(program, limits, limits.steps, WithMemo::All);
    run.layers = layers.into();
    Some(run.finish(limits.steps, node))
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
            return Run::new(program, limits, limits.steps, WithMemo::All).finish(limits.steps, node);
        }
        Remember::Never => limits.steps,
        Remember::Auto => steps_before_memo(limits),
    };
    match Run::new(program, limits, first, NoMemo).finish(first, node) {
        (Err(Exhausted::Steps), _) if first < limits.steps => {
            let rest = limits.steps - first;
            let (ended, steps) = Run::new(program, limits, rest, WithMemo::Shared).finish(rest, node);
            (ended, first + steps)
        }
        ended => ended,
    }
}

impl<'p, R: Recall> Run<'p, R> {
    /// A run that may take so many steps, whatever the limits say of those.
    #[inline]
    pub(crate) fn new(program: &'p Program, limits: &Limits, steps: u64, recall: R) -> Run<'p, R> {
        let mut run = Run::on(program, Budget::new(limits, steps), recall);
        if R::REMEMBERS {
            run.memo = Memo::new(program.seeds.clone(), limits.memory / 2).into();
        }
        run
    }

    /// A run on what is left of a budget.
    #[inline(always)]
    fn on(program: &'p Program, budget: Budget, recall: R) -> Run<'p, R> {
        let (marks, scope, memo) = (Marks::default(), Scope::default(), LazyBox::default());
        Run {
            program,
            budget,
            recall,
            marks,
            scope,
            memo,
            layers: LazyBox::default(),
            counted: LazyBox::default(),
        }
    }

    /// Runs the whole program.
    #[inline(always)]
    pub(crate) fn root<'a, N: Node<'a>>(&mut self, node: N) -> Result<bool, Stopped> {
        self.enter_root()?;
        self.budget.spend(1)?;
        self.pass(self.program.gate(ROOT), node)
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

    /// Runs the whole program on `steps` steps. Returns how many it took.
    #[inline(always)]
    fn finish<'a, N: Node<'a>>(mut self, steps: u64, node: N) -> (Result<bool, Exhausted>, u64) {
        let verdict = self.root(node);
        (self.budget.ended(verdict), steps - self.budget.steps_left())
    }

    /// Runs a block on the node that the current block is running on.
    #[inline]
    pub(crate) fn in_place<'a, N: Node<'a>>(&mut self, block: BlockId, node: N) -> Result<bool, Stopped> {
        self.budget.spend(1)?;
        self.settle(block, node)
    }

    /// Runs a block on a child of the node that the current block is running on.
    #[inline]
    pub(crate) fn below<'a, N: Node<'a>>(&mut self, block: BlockId, child: N) -> Result<bool, Stopped> {
        let frame = self.marks.suspend();
        let holds = self.in_place(block, child)?;
        self.marks.resume(frame);
        Ok(holds)
    }

    /// Tests a node by a gate, and runs the gate's block if the type does not decide. It sets no marks.
    #[inline(always)]
    pub(crate) fn pass<'a, N: Node<'a>>(&mut self, gate: &Gate, node: N) -> Result<bool, Stopped> {
        let shape = node.shape();
        if gate.lets_pass(shape) {
            return Ok(true);
        }
        self.ask(gate, shape, node)
    }

    /// Like [`Run::pass`], where a type may well say no, as that of a node does for most branches of a union.
    #[inline(always)]
    pub(crate) fn try_pass<'a, N: Node<'a>>(&mut self, gate: &Gate, node: N) -> Result<bool, Stopped> {
        if gate.refuses_shape(node.shape()) { Ok(false) } else { self.pass(gate, node) }
    }

    /// Tests many nodes by one gate, until one does not pass. The loop goes on by a jump where the gate decides.
    #[inline(always)]
    pub(crate) fn pass_all<'a, N: Node<'a>>(
        &mut self,
        gate: &Gate,
        mut nodes: impl Iterator<Item = N>,
    ) -> Result<bool, Stopped> {
        let ended = nodes.try_for_each(|node| {
            let shape = node.shape();
            if gate.lets_pass(shape) {
                return ControlFlow::Continue(());
            }
            match self.ask(gate, shape, node) {
                Ok(true) => ControlFlow::Continue(()),
                ended => ControlFlow::Break(ended),
            }
        });
        match ended {
            ControlFlow::Continue(()) => Ok(true),
            ControlFlow::Break(ended) => ended,
        }
    }

    /// Whether only the verdict counts, so that there is nothing to mark on the way.
    #[inline]
    pub(crate) fn is_fast(&self) -> bool {
        !self.marks.active()
    }

    /// Runs a block on the same node as a branch, which may fail without failing the current block:
    /// what it marks counts only if it holds.
    pub(crate) fn branch<'a, N: Node<'a>>(&mut self, block: BlockId, node: N) -> Result<bool, Stopped> {
        let below = self.marks.branch(&mut self.budget)?;
        let holds = self.in_place(block, node)?;
        if below.is_some() {
            self.marks.close(&mut self.budget, below, holds);
        }
        Ok(holds)
    }

    /// Whether all blocks hold that an applicator applies, as its keyword's file describes it.
    pub(crate) fn all(
        &mut self,
        describe: impl FnOnce(&mut All<'_, 'p, R>) -> Result<(), Halt>,
    ) -> Result<bool, Stopped> {
        match describe(&mut All(self)) {
            Ok(()) => Ok(true),
            Err(Halt::Enough) => Ok(false),
            Err(Halt::Stopped) => Err(Stopped),
        }
    }

    /// Finds the verdict of a block on a node.
    #[inline]
    fn settle<'a, N: Node<'a>>(&mut self, id: BlockId, node: N) -> Result<bool, Stopped> {
        let gate = self.program.gate(id);
        if !self.marks.active() {
            return self.pass(gate, node);
        }
        // Plain code sets marks.
        if gate.check(&mut self.budget, node)? == GateAnswer::No {
            return Ok(false);
        }
        self.enter_with_care(id, node)
    }

    /// Runs the block of a gate that does not let a node pass, unless the gate rejects it.
    #[inline(never)]
    fn ask<'a, N: Node<'a>>(&mut self, gate: &Gate, shape: Shape, node: N) -> Result<bool, Stopped> {
        if !gate.has_to_ask(shape) {
            return gate.answer(&mut self.budget, node);
        }
        if R::REMEMBERS {
            return self.enter(gate.block, node);
        }
        self.instruction::<N, ALONE>(gate.then, node)
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
        // Also if the run gives up: its depth no longer matters then, and no test is cheaper than one.
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
        let only =
            if fast.start + 1 == fast.end { self.program.fast_code.get(fast.start as usize) } else { None };
        let holds = match only {
            None | Some(Flat::Call(_)) => self.code(fast.code(), node),
            Some(&only) => self.instruction::<N, IN_BLOCK>(only, node),
        };
        self.budget.leave();
        holds
    }

    #[cold]
    #[inline(never)]
    fn enter_with_care<'a, N: Node<'a>>(&mut self, id: BlockId, node: N) -> Result<bool, Stopped> {
        self.budget.deepen()?;
        let recalls = self.recall.recalls(self.program.block(id));
        let holds = if recalls { self.recall(id, node)? } else { self.body(id, node)? };
        self.budget.leave();
        Ok(holds)
    }

    /// Runs a block unless its verdict on the node is remembered, and remembers it.
    fn recall<'a, N: Node<'a>>(&mut self, block: BlockId, node: N) -> Result<bool, Stopped> {
        let with_marks = self.marks.active();
        let same = self.program.block(block).same_as;
        let identity = Identity::of(node.view());
        let key = Key::new(same, identity, self.scope.number(), with_marks);
        if let Some((holds, marks)) = self.memo.get().and_then(|memo| memo.recall(&key)) {
            self.budget.spend((marks.len() / 16) as u64)?;
            self.marks.add(marks);
            return Ok(holds);
        }
        if self.layers.get().is_some() {
            self.run_layers(block, node, identity, with_marks)?;
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
            let below = self.marks.open(&mut self.budget, node.view().child_count())?;
            let holds = self.plain_code(id, node)?;
            self.marks.close(&mut self.budget, below, holds);
            holds
        } else if self.is_fast() {
            self.code(self.program.fast(id).code(), node)?
        } else {
            // Fast code sets no marks.
            self.plain_code(id, node)?
        };
        self.scope.leave(scope);
        Ok(holds)
    }

    /// Where a call leads that is the last instruction of a block, if it can be a jump: then a chain of references
    /// nests no deeper than its first.
    #[inline]
    fn jump(&self, last: Flat) -> Option<BlockId> {
        let Flat::Call(target) = last else { return None };
        let block = self.program.gate(target).block;
        let needs_care = self.program.fast(block).needs_care
            || self.marks.active()
            || self.recall.recalls(self.program.block(block));
        (!needs_care).then_some(target)
    }

    /// Runs fast code front to back, until an instruction does not hold.
    pub(crate) fn code<'a, N: Node<'a>>(&mut self, code: Range<u32>, node: N) -> Result<bool, Stopped> {
        let program = self.program;
        let Range { start: mut next, mut end } = code;
        while next < end {
            let instruction = program.fast_code[next as usize];
            next += 1;
            if next == end
                && let Some(target) = self.jump(instruction)
            {
                self.budget.spend(1)?;
                let gate = program.gate(target);
                match gate.check(&mut self.budget, node)? {
                    GateAnswer::Yes => return Ok(true),
                    GateAnswer::No => return Ok(false),
                    GateAnswer::Ask => Range { start: next, end } = program.fast(gate.block).code(),
                }
                continue;
            }
            if !self.instruction::<N, IN_BLOCK>(instruction, node)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs the code of a block as its keywords say it, until an instruction does not hold.
    pub(crate) fn plain_code<'a, N: Node<'a>>(&mut self, block: BlockId, node: N) -> Result<bool, Stopped> {
        for instruction in self.program.plain_of(block).iter().filter_map(|plain| plain.for_verdicts()) {
            if !self.instruction::<N, IN_BLOCK>(instruction.into(), node)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Runs one instruction, of a block that was entered or alone at its gate: each is a call into its keyword's file. All return what this
    /// does, so that asking a gate ends with a jump.
    #[inline(always)]
    fn instruction<'a, N: Node<'a>, const IS_ALONE: bool>(
        &mut self,
        instruction: Flat,
        node: N,
    ) -> Result<bool, Stopped> {
        match instruction {
            Flat::Never => Ok(false),
            Flat::Type(types) => types::is_one_of(self, types, node),
            Flat::TypeAsWritten(types) => types::is_written_as(self, types, node),
            Flat::Equals(constant) => equality::equals(self, constant, node),
            Flat::IsOneOf(values) => equality::is_one_of(self, values, node),
            Flat::AtLeast(bound) => number::at_least(self, bound, node),
            Flat::AtMost(bound) => number::at_most(self, bound, node),
            Flat::Above(bound) => number::above(self, bound, node),
            Flat::Below(bound) => number::below(self, bound, node),
            Flat::MultipleOf(multiple) => number::multiple_of(self, multiple, node),
            Flat::LengthAtLeast(count) => string::length_at_least(self, count, node),
            Flat::LengthAtMost(count) => string::length_at_most(self, count, node),
            Flat::Matches(pattern) => string::matches(self, pattern, node),
            Flat::HasFormat(id) => format::has_format(self, id, node),
            Flat::HasContent(expected) => content::has_content(self, expected, node),
            Flat::ItemsAtLeast(count) => array::at_least(self, count, node),
            Flat::ItemsAtMost(count) => array::at_most(self, count, node),
            Flat::UniqueItems => array::unique(self, node),
            Flat::MembersAtLeast(count) => object::at_least(self, count, node),
            Flat::MembersAtMost(count) => object::at_most(self, count, node),
            Flat::Required(names) => object::has_all(self, names, node),
            Flat::DependentRequired(names) => dependent::has_dependents(self, names, node),

            Flat::Call(block) if IS_ALONE => self.enter(block, node),
            Flat::Call(block) => self.in_place(block, node),
            Flat::DynamicCall(anchor, otherwise) => reference::dynamic_call(self, anchor, otherwise, node),
            Flat::AllOf(blocks) => logic::all_of(self, blocks, node),
            Flat::AnyOf(blocks) => logic::any_of::<N, R, IS_ALONE>(self, blocks, node),
            Flat::OneOf(blocks) => logic::one_of::<N, R, IS_ALONE>(self, blocks, node),
            Flat::Not(block) => logic::not(self, block, node),
            Flat::If(condition) => condition::if_then_else(self, condition, node),
            Flat::DependentSchemas(named) => dependent::schemas(self, named, node),
            Flat::PrefixItems(blocks) => items::prefix(self, blocks, node),
            Flat::EachItem(from, block) => items::each::<N, R, IS_ALONE>(self, from, block, node),
            Flat::Contains(id) => contains::contains(self, id, node),
            Flat::Properties(named) => properties::named(self, named, node),
            Flat::PatternProperties(id) => properties::patterned(self, id, node),
            Flat::AdditionalProperties(id) => properties::additional(self, id, node),
            Flat::EachName(block) => property_names::each(self, block, node),
            Flat::UnevaluatedItems(block) => unevaluated::items(self, block, node),
            Flat::UnevaluatedProperties(block) => unevaluated::properties(self, block, node),

            Flat::InRange(interval) => number::in_range(self, interval, node),
            Flat::Text(id) => string::is_text(self, id, node),
            Flat::Items(id) => items::all::<N, R, IS_ALONE>(self, id, node),
            Flat::Members(id) => members::by_name::<N, R, IS_ALONE>(self, id, node),
            Flat::MembersByPattern(id) => members::by_name_and_pattern(self, id, node),
            Flat::EachMember(block) => members::each::<N, R, IS_ALONE>(self, block, node),
            Flat::Pick(id) => logic::pick::<N, R, IS_ALONE>(self, id, node),
            Flat::Unevaluated(id) => unevaluated::by_branches(self, id, node),
        }
    }
}

/// Runs what an applicator describes, until one of its blocks does not hold.
pub(crate) struct All<'r, 'p, R>(&'r mut Run<'p, R>);

impl<'a, R: Recall> Apply<'a> for All<'_, '_, R> {
    fn budget(&mut self) -> &mut Budget {
        &mut self.0.budget
    }

    fn dynamic_target(&self, anchor: u32) -> Option<BlockId> {
        self.0.scope.find(anchor)
    }

    fn marks(&mut self) -> &mut Marks {
        &mut self.0.marks
    }

    fn test<N: Node<'a>>(&mut self, _: Edge, block: BlockId, node: N) -> Result<bool, Halt> {
        Ok(self.0.branch(block, node)?)
    }

    fn here<N: Node<'a>>(&mut self, _: Edge, block: BlockId, node: N) -> Result<(), Halt> {
        if self.0.in_place(block, node)? { Ok(()) } else { Err(Halt::Enough) }
    }

    fn child<N: Node<'a>>(&mut self, _: Edge, step: Step<'_>, block: BlockId, node: N) -> Result<(), Halt> {
        if let Some(place) = step.place() {
            self.0.marks.mark(place);
        }
        if self.0.below(block, node)? { Ok(()) } else { Err(Halt::Enough) }
    }
}
