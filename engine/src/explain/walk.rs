//! The walk: goes through the plain code of blocks that reject a node, and asks a run for every verdict that it needs.
//!
//! Looking for errors, it goes only into what was rejected and ends when it has as many as are wanted. Looking at everything, it goes
//! into all blocks, also those that hold and those that are tried only to see whether they do, and notes annotations.

use super::failure::Failure;
use super::tree::{Note, OwnedStep, Tree, Unit, UnitKind};
use crate::error::ValidationError;
use crate::instance::{Node, Shape};
use crate::keyword::apply::{Apply, Edge, Halt, Role, Step};
use crate::limits::Budget;
use crate::program::{Applicator, BlockId, Plain, Program};
use crate::run::{Asker, Marks};
use crate::suggest::SuggestBudget;
use ahash::RandomState;
use std::collections::HashMap;
use std::sync::Arc;

/// The purpose of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mode {
    /// Find what was rejected, and why.
    Errors,
    /// Note all that was applied, with annotations.
    Everything,
}

/// A walk through blocks that were applied to an instance.
pub(crate) struct Walker<'p> {
    pub(crate) program: &'p Program,
    pub(crate) ask: Asker<'p>,
    pub(crate) suggestions: SuggestBudget,
    pub(super) tree: Tree,
    pub(super) sink: ErrorSink,
    pub(super) open: Open,
    /// How many failures may still be found in the branches of the union around, and those inside of them.
    pub(super) union_room: Option<usize>,
    /// Only what is wrong with the member of this name is looked for.
    pub(super) only_member: Option<Arc<str>>,
    pub(super) mode: Mode,
    /// Long names of members, by where they are in the instance.
    names: HashMap<(usize, usize), Arc<str>, RandomState>,
}

/// Errors that were found, as units, and how many may be.
#[derive(Debug)]
pub(super) struct ErrorSink {
    pub(super) errors: Vec<u32>,
    pub(super) limit: usize,
    /// Whether there are more.
    pub(super) is_cut: bool,
    /// Whether the walk ends as soon as there are as many as may be.
    stops_when_full: bool,
}

impl ErrorSink {
    pub(super) fn of_branch(limit: usize) -> ErrorSink {
        ErrorSink { errors: Vec::new(), limit, is_cut: false, stops_when_full: false }
    }

    pub(super) fn is_full(&self) -> bool {
        self.errors.len() >= self.limit
    }
}

/// The instruction that the walk is in.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) at: u32,
    /// Its unit, if it has one yet.
    pub(super) unit: Option<u32>,
    /// The unit of its block.
    pub(super) block: u32,
    has_failed: bool,
    /// The children that it was applied to, where annotations are wanted.
    pub(super) names: Vec<Arc<str>>,
    pub(super) items: usize,
}

impl Open {
    fn new(at: u32, block: u32) -> Open {
        Open { at, unit: None, block, has_failed: false, names: Vec::new(), items: 0 }
    }
}

/// So many units most errors take.
const USUAL_UNITS: usize = 16;

/// Longer names are kept once, however often they are come by.
const SHORT_NAME: usize = 64;

impl<'p> Walker<'p> {
    pub(super) fn new(ask: Asker<'p>, mode: Mode, limit: usize, is_first: bool) -> Walker<'p> {
        let program = ask.program();
        let sink = ErrorSink { stops_when_full: is_first, ..ErrorSink::of_branch(limit) };
        Walker {
            program,
            ask,
            suggestions: SuggestBudget::default(),
            tree: Tree { units: Vec::with_capacity(USUAL_UNITS) },
            sink,
            open: Open::new(0, 0),
            union_room: None,
            only_member: None,
            mode,
            names: HashMap::with_hasher(program.seeds.clone()),
        }
    }

    /// Walks through a block on a node.
    pub(super) fn enter<'a, N: Node<'a>>(
        &mut self,
        edge: Edge,
        step: OwnedStep,
        block: BlockId,
        node: N,
        holds: bool,
    ) -> Result<(), Halt> {
        self.ask.budget().spend(1)?;
        self.ask.budget().deepen()?;
        let parent = self.open.unit.unwrap_or(0);
        let unit = self.push(parent, holds, UnitKind::Block { block, edge, step })?;
        let around = std::mem::replace(&mut self.open, Open::new(0, unit));
        let ended = self.body(block, node, holds);
        self.open = around;
        self.tree.units[unit as usize].end = self.tree.units.len() as u32;
        self.ask.budget().leave();
        ended
    }

    /// Walks through the code of a block, with its resource in scope and a frame for marks, as the block needs.
    fn body<'a, N: Node<'a>>(&mut self, id: BlockId, node: N, holds: bool) -> Result<(), Halt> {
        let scope = self.ask.enter(id)?;
        let ended = if self.program.block(id).owns_marks {
            let (marks, budget) = self.ask.marks_and_budget();
            let below = marks.open(budget, node.view().child_count())?;
            let ended = self.code(id, node);
            let (marks, budget) = self.ask.marks_and_budget();
            marks.close(budget, below, holds);
            ended
        } else {
            self.code(id, node)
        };
        self.ask.leave(scope);
        ended
    }

    /// Walks through plain code; looking for errors, in the order in which those are listed.
    fn code<'a, N: Node<'a>>(&mut self, block: BlockId, node: N) -> Result<(), Halt> {
        let program = self.program;
        let code = program.block(block).plain.clone();
        let is_first = |&at: &u32| program.comes_first(program.code[at as usize]);
        let first = code.clone().find(|at| self.mode == Mode::Errors && is_first(at));
        for at in first.into_iter().chain(code.filter(|&at| Some(at) != first)) {
            self.open = Open::new(at, self.open.block);
            self.instruction(block, program.code[at as usize], node)?;
        }
        Ok(())
    }

    fn instruction<'a, N: Node<'a>>(
        &mut self,
        block: BlockId,
        instruction: Plain,
        node: N,
    ) -> Result<(), Halt> {
        if self.mode == Mode::Everything {
            self.unit_of_instruction()?;
        }
        let ended = match instruction {
            Plain::Assert(assertion) => match self.ask.satisfies(assertion, node) {
                Ok(true) => Ok(()),
                Ok(false) => self.reject(|walker| Ok(Failure::of(walker, block, assertion, node)?)),
                Err(stopped) => Err(stopped.into()),
            },
            Plain::Apply(applicator) => self.applicator(block, applicator, node),
            Plain::AnnotateText(_) if node.shape() != Shape::String => Ok(()),
            Plain::Annotate(_) | Plain::AnnotateText(_) => self.note(Note::Value),
        };
        self.close_instruction(ended);
        ended
    }

    fn applicator<'a, N: Node<'a>>(
        &mut self,
        block: BlockId,
        applicator: Applicator,
        node: N,
    ) -> Result<(), Halt> {
        let (program, before) = (self.program, self.sink.errors.len());
        // What has evaluated everything leaves nothing to note.
        let is_all = self.ask.marks().has_all();
        let role = applicator.apply(program, node, self);
        let has_new = self.sink.errors.len() > before && !matches!(role, Err(Halt::Stopped));
        if has_new && program.refuses_unknown(applicator) {
            self.name_unknown(block, before, node)?;
        }
        match role? {
            Role::All => Ok(()),
            Role::FirstItems | Role::Items | Role::Members if is_all => Ok(()),
            role @ (Role::FirstItems | Role::Items | Role::Members) => self.note_evaluated(role, node),
            Role::Union { branches, is_one } => self.union(program.list(branches), is_one, node),
            Role::Not(block) => {
                // What is below `not` evaluates nothing.
                let frame = self.ask.marks().suspend();
                let holds = self.try_block(Edge::VALUE, OwnedStep::Here, block, node)?;
                self.ask.marks().resume(frame);
                if holds { self.reject(|_| Ok(Failure::Not(block))) } else { Ok(()) }
            }
            Role::Contains(id) => self.contains(id, node),
        }
    }

    /// Ends the unit of the instruction that the walk is in, if it has one. It goes, if the walk gave up before its verdict was known.
    fn close_instruction(&mut self, ended: Result<(), Halt>) {
        let Open { unit: Some(unit), has_failed, .. } = self.open else { return };
        let holds = self.tree.unit(self.open.block).valid;
        let is_open = ended == Err(Halt::Stopped) && !has_failed && !holds;
        if is_open && self.mode == Mode::Everything {
            return self.tree.units.truncate(unit as usize);
        }
        let end = self.tree.units.len() as u32;
        let unit = &mut self.tree.units[unit as usize];
        (unit.valid, unit.end) = (!has_failed, end);
    }

    /// The unit of the instruction that the walk is in.
    pub(super) fn unit_of_instruction(&mut self) -> Result<u32, Halt> {
        if let Some(unit) = self.open.unit {
            return Ok(unit);
        }
        let (at, parent) = (self.open.at, self.open.block);
        let unit = self.push(parent, true, UnitKind::Keyword { at, failure: None, note: None })?;
        self.open.unit = Some(unit);
        Ok(unit)
    }

    pub(super) fn push(&mut self, parent: u32, valid: bool, kind: UnitKind) -> Result<u32, Halt> {
        self.ask.budget().hold(size_of::<Unit>())?;
        let unit = self.tree.units.len() as u32;
        self.tree.units.push(Unit { parent, end: unit + 1, valid, is_cut: false, kind });
        Ok(unit)
    }

    /// Adds the failure of the instruction that the walk is in, unless there are enough.
    pub(super) fn reject(
        &mut self,
        find: impl FnOnce(&mut Walker<'p>) -> Result<Failure, Halt>,
    ) -> Result<(), Halt> {
        self.open.has_failed = true;
        if self.only_member.is_some() {
            return Ok(());
        }
        if self.sink.is_full() {
            return self.end_full();
        }
        let found = find(self)?;
        self.ask.budget().hold(found.bytes(self.program))?;
        let unit = match self.mode {
            Mode::Everything => self.unit_of_instruction()?,
            Mode::Errors => {
                let (at, parent) = (self.open.at, self.open.block);
                self.push(parent, false, UnitKind::Keyword { at, failure: None, note: None })?
            }
        };
        self.set_failure(unit, found);
        self.add_error(unit)
    }

    pub(super) fn set_failure(&mut self, unit: u32, found: Failure) {
        let unit = &mut self.tree.units[unit as usize];
        unit.valid = false;
        if let UnitKind::Keyword { failure, .. } = &mut unit.kind {
            *failure = Some(found);
        }
    }

    /// Adds an error, if there may be one more and there is room for all its paths.
    pub(super) fn add_error(&mut self, unit: u32) -> Result<(), Halt> {
        if self.sink.is_full() {
            return self.end_full();
        }
        let bytes = super::path::bytes_of_paths(self.program, &self.tree, unit);
        if !self.ask.budget().hold_if_possible(bytes + size_of::<ValidationError>()) {
            self.sink.is_cut = true;
            return Err(Halt::Enough);
        }
        self.sink.errors.push(unit);
        if self.sink.is_full() && self.sink.stops_when_full { Err(Halt::Enough) } else { Ok(()) }
    }

    /// There is one error more than may be.
    pub(super) fn end_full(&mut self) -> Result<(), Halt> {
        self.sink.is_cut = true;
        // Where everything is kept, the walk goes on without saying why.
        if self.mode == Mode::Everything { Ok(()) } else { Err(Halt::Enough) }
    }

    /// Whether a node satisfies a block. Where everything is kept, the walk goes into it, with a bound of its own for failures.
    pub(super) fn try_block<'a, N: Node<'a>>(
        &mut self,
        edge: Edge,
        step: OwnedStep,
        block: BlockId,
        node: N,
    ) -> Result<bool, Halt> {
        let holds = self.ask.holds(block, node)?;
        if self.mode == Mode::Everything {
            let aside = ErrorSink::of_branch(self.sink.limit);
            let sink = std::mem::replace(&mut self.sink, aside);
            let unit = self.tree.units.len();
            // A block that rejects evaluates nothing.
            let below = if holds { None } else { self.ask.marks().suspend() };
            self.enter(edge, step, block, node, holds)?;
            if !holds {
                self.ask.marks().resume(below);
            }
            let aside = std::mem::replace(&mut self.sink, sink);
            self.tree.units[unit].is_cut = aside.is_cut;
        }
        Ok(holds)
    }

    /// Goes into a block that a node or a child has to satisfy, if there is something to find.
    fn must<'a, N: Node<'a>>(
        &mut self,
        edge: Edge,
        step: Option<Step<'_>>,
        block: BlockId,
        node: N,
    ) -> Result<(), Halt> {
        let holds = self.ask.holds(block, node)?;
        self.open.has_failed |= !holds;
        if self.mode == Mode::Errors {
            if holds {
                return if step.is_none() { Ok(self.ask.mark(block, node)?) } else { Ok(()) };
            }
            if self.sink.is_full() {
                return self.end_full();
            }
        }
        self.unit_of_instruction()?;
        let step = match step {
            Some(step) => OwnedStep::of(step, |name| self.keep(name)),
            None => OwnedStep::Here,
        };
        self.enter(edge, step, block, node, holds)
    }

    /// A name of the instance, of which long ones are kept once.
    pub(super) fn keep(&mut self, name: &str) -> Arc<str> {
        if name.len() <= SHORT_NAME {
            return name.into();
        }
        let key = (name.as_ptr().addr(), name.len());
        Arc::clone(self.names.entry(key).or_insert_with(|| name.into()))
    }

    /// Explains that a name is rejected, as one error with all that is wrong with the name.
    fn name<'a, N: Node<'a>>(&mut self, name: &str, block: BlockId, node: N) -> Result<(), Halt> {
        if self.ask.holds(block, node)? {
            return Ok(());
        }
        if self.sink.is_full() {
            return self.end_full();
        }
        /// So much is said of one name.
        const FAILURES: usize = 8;
        self.unit_of_instruction()?;
        let name = self.keep(name);
        let outer = std::mem::replace(&mut self.sink, ErrorSink::of_branch(FAILURES));
        let step = OwnedStep::Name(Arc::clone(&name));
        let ended = self.enter(Edge::VALUE, step, block, node, false);
        let inner = std::mem::replace(&mut self.sink, outer);
        if ended == Err(Halt::Stopped) {
            return ended;
        }
        self.reject(|_| Ok(Failure::Name(name, inner.errors)))
    }
}

impl<'a> Apply<'a> for Walker<'_> {
    fn budget(&mut self) -> &mut Budget {
        self.ask.budget()
    }

    fn dynamic_target(&self, anchor: u32) -> Option<BlockId> {
        self.ask.scope().find(anchor)
    }

    fn marks(&mut self) -> &mut Marks {
        self.ask.marks()
    }

    fn test<N: Node<'a>>(&mut self, edge: Edge, block: BlockId, node: N) -> Result<bool, Halt> {
        let holds = self.try_block(edge, OwnedStep::Here, block, node)?;
        if holds && self.mode == Mode::Errors {
            self.ask.mark(block, node)?;
        }
        Ok(holds)
    }

    fn here<N: Node<'a>>(&mut self, edge: Edge, block: BlockId, node: N) -> Result<(), Halt> {
        self.must(edge, None, block, node)
    }

    fn child<N: Node<'a>>(
        &mut self,
        edge: Edge,
        step: Step<'_>,
        block: BlockId,
        node: N,
    ) -> Result<(), Halt> {
        let only = self.only_member.take();
        if let Some(wanted) = &only
            && !matches!(step, Step::Property(_, name) if name == wanted)
        {
            self.only_member = only;
            return Ok(());
        }
        if let Some(place) = step.place() {
            self.ask.marks().mark(place);
        }
        if self.mode == Mode::Everything {
            self.see(step)?;
        }
        let frame = self.ask.marks().suspend();
        let ended = match (step, self.mode) {
            (Step::Name(name), Mode::Errors) => self.name(name, block, node),
            (step, _) => self.must(edge, Some(step), block, node),
        };
        self.ask.marks().resume(frame);
        self.only_member = only;
        ended
    }
}
