//! Keeps a [`Tree`] of what a run does, while it goes on.
//!
//! A finished unit that nobody will ask for is cut off the end of the tree: where only errors are kept, all that held goes.
//! So a trace of a mostly valid instance stays small.
//!
//! The trace pays for its memory out of the run's budget, and keeps at most
//! [`Limits::errors`](crate::Limits::errors) failures; it says if it left some out.

use super::chain::applying_unit;
use super::errors::{self, Circumstances};
use super::tagged::Folded;
use super::tree::{OwnedStep, OwnedToken, Tree, Unit, UnitKind};
use super::{Aside, Bounds, Edge, Link, Note, Report, Step, UnionBounds};
use crate::error::ErrorKind;
use crate::instance::Node;
use crate::limits::{Budget, Limits, Stopped};
use crate::program::{Annotation, Block, BlockId, Id, Instruction, Program};
use crate::suggest::Purse;

/// What a trace keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// What failed.
    Failures,
    /// Everything.
    All,
}

/// Keeps a tree of what a run does.
#[derive(Debug)]
pub(crate) struct Trace {
    pub(super) units: Vec<Unit>,
    keep: Keep,
    /// The units that have not ended, outermost first.
    open: Vec<Open>,
    /// How many failures with a cause of their own are in the tree, and how many may be.
    pub(super) bounds: Bounds,
    /// An instruction that has started, and that has nothing inside it yet: most hold, and never get a unit.
    pending: Option<Pending>,
    /// Whether the run is over when there are as many.
    stops_at_limit: bool,
    pub(super) purse: Purse,
    /// Whether a union refused.
    has_unions: bool,
    /// The memory of a run.
    memory: usize,
    /// The bytes that the tree holds.
    held: usize,
    /// The branches of a union that are not in the tree, but follow from it.
    pub(super) folded: Option<Folded>,
}

#[derive(Debug)]
struct Pending {
    at: u32,
    note: Option<Note>,
    held: usize,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    unit: u32,
    failures: usize,
    held: usize,
}

/// The unit of an instruction that failed, and how many failures there were before it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Failed {
    unit: u32,
    failures: usize,
}

impl Failed {
    pub(crate) fn unit(self) -> u32 {
        self.unit
    }
}

/// What a unit takes, besides its texts.
pub(super) const UNIT_BYTES: usize = size_of::<Unit>();

/// So many units are enough for most traces of failures, and small enough to be allocated quickly.
const FEW: usize = 12;

/// How many failures are kept of a branch of a union; of one inside a branch, half as many.
const IN_BRANCH: usize = 8;

/// How many failures are kept of all branches of a union, and those inside them.
pub(super) const IN_UNION: usize = 128;

impl Trace {
    /// Keeps everything, or as many failures as the limits allow.
    pub(crate) fn new(keep: Keep, limits: &Limits) -> Trace {
        Trace {
            units: Vec::new(),
            keep,
            open: Vec::new(),
            bounds: Bounds { limit: limits.errors, ..Bounds::default() },
            pending: None,
            stops_at_limit: false,
            purse: Purse::default(),
            has_unions: false,
            memory: limits.memory,
            held: 0,
            folded: None,
        }
    }

    /// What was kept; nothing is left of it here.
    pub(crate) fn take_tree(&mut self) -> Tree {
        Tree {
            units: std::mem::take(&mut self.units),
            memory: self.memory,
            is_cut: self.bounds.cut_at.is_some(),
            has_unions: self.has_unions,
            is_in_order: self.keep == Keep::Failures,
        }
    }

    /// The verdict of the root, if that was known before the run gave up.
    pub(crate) fn root_verdict(&self) -> Option<bool> {
        self.units.first().map(|root| root.valid)
    }

    /// Keeps the first failure, and what belongs to it.
    pub(crate) fn of_first(limits: &Limits) -> Trace {
        let mut trace = Trace::new(Keep::Failures, limits);
        (trace.bounds.limit, trace.stops_at_limit) = (1, true);
        trace
    }

    /// Keeps failures inside a block. Who kept those around it has paid for it and for the blocks that it is in.
    pub(super) fn inside(
        program: &Program,
        links: &[Link<'_>],
        bounds: Bounds,
        stops_at_limit: bool,
        purse: Purse,
        memory: usize,
    ) -> Trace {
        let mut has_unions = false;
        let mut units = Vec::with_capacity(2 * links.len() + FEW);
        let mut add = |kind| {
            let unit = units.len() as u32;
            units.push(Unit {
                parent: unit.saturating_sub(1),
                end: u32::MAX,
                valid: false,
                is_cut: false,
                kind,
            });
        };
        for (index, link) in links.iter().enumerate() {
            if index > 0 {
                let applied = applying_unit(program, link.applied_at);
                has_unions |= matches!(applied, UnitKind::Keyword { error: Some(_), .. });
                add(applied);
            }
            add(block_unit(link.edge(program, index == 0), link.step, link.block));
        }
        Trace {
            units,
            keep: Keep::Failures,
            open: Vec::new(),
            bounds,
            pending: None,
            stops_at_limit,
            purse,
            has_unions,
            memory,
            held: 0,
            folded: None,
        }
    }

    /// Ends the blocks around what was kept.
    pub(super) fn end_around(&mut self) {
        let end = self.units.len() as u32;
        self.units.iter_mut().take_while(|unit| unit.end == u32::MAX).for_each(|unit| unit.end = end);
    }

    /// The last unit.
    pub(super) fn last(&self) -> u32 {
        self.units.len() as u32 - 1
    }

    /// Whether there are enough failures: it is known that some are left out, or there is one and nobody asks for more.
    pub(super) fn is_over(&self) -> bool {
        let stops_at_limit = self.stops_at_limit && self.bounds.room.is_none();
        self.keep == Keep::Failures
            && self.bounds.failures >= self.bounds.limit
            && (stops_at_limit || self.bounds.cut_at.is_some())
    }

    /// Gives an instruction its unit, if it has none yet.
    fn settle_pending(&mut self, budget: &mut Budget) -> Result<(), Stopped> {
        let Some(Pending { at, note, .. }) = self.pending.take() else { return Ok(()) };
        let note = note.map(Box::new);
        self.push(budget, true, UnitKind::Keyword { at, error: None, annotation: None, note })
    }

    fn push(&mut self, budget: &mut Budget, valid: bool, kind: UnitKind) -> Result<(), Stopped> {
        let (held, failures) = (self.held, self.bounds.failures);
        let parent = self.open.last().map_or(0, |open| open.unit);
        let unit = self.add(budget, parent, valid, kind)?;
        self.open.push(Open { unit, failures, held });
        Ok(())
    }

    /// Adds a unit inside another one. Who adds one by itself ends it by itself.
    #[inline]
    fn add(&mut self, budget: &mut Budget, parent: u32, valid: bool, kind: UnitKind) -> Result<u32, Stopped> {
        let text = match &kind {
            UnitKind::Block { token, step, .. } => token.len() + step.len(),
            UnitKind::Keyword { .. } => 0,
        };
        self.hold(budget, UNIT_BYTES + text)?;
        let unit = self.units.len() as u32;
        if self.units.capacity() == 0 {
            self.units.reserve(FEW);
        }
        self.units.push(Unit { parent, end: unit + 1, valid, is_cut: false, kind });
        Ok(unit)
    }

    /// Adds a block that refuses the node that `step` leads to.
    #[inline]
    pub(crate) fn add_block(
        &mut self,
        budget: &mut Budget,
        parent: u32,
        edge: Edge<'_>,
        step: Step<'_>,
        block: BlockId,
    ) -> Result<u32, Stopped> {
        self.add(budget, parent, false, block_unit(edge, step, block))
    }

    /// Adds an instruction that fails.
    #[inline]
    pub(crate) fn add_keyword(
        &mut self,
        budget: &mut Budget,
        parent: u32,
        at: u32,
    ) -> Result<Failed, Stopped> {
        let failures = self.bounds.failures;
        let kind = UnitKind::Keyword { at, error: None, annotation: None, note: None };
        Ok(Failed { unit: self.add(budget, parent, false, kind)?, failures })
    }

    /// Adds what an instruction has found out.
    pub(crate) fn add_note(
        &mut self,
        budget: &mut Budget,
        failed: Failed,
        found: Note,
    ) -> Result<(), Stopped> {
        self.hold(budget, found.bytes())?;
        if let UnitKind::Keyword { note, .. } = &mut self.units[failed.unit as usize].kind {
            *note = Some(Box::new(found));
        }
        Ok(())
    }

    /// Ends an instruction that was added.
    pub(crate) fn end_keyword<'a, N: Node<'a>>(
        &mut self,
        budget: &mut Budget,
        program: &Program,
        failed: Failed,
        node: N,
    ) -> Result<(), Stopped> {
        self.explain(budget, program, failed, node)?;
        self.end(failed.unit);
        Ok(())
    }

    /// Ends a unit that was added.
    #[inline]
    pub(crate) fn end(&mut self, unit: u32) {
        self.units[unit as usize].end = self.units.len() as u32;
    }

    pub(super) fn hold(&mut self, budget: &mut Budget, bytes: usize) -> Result<(), Stopped> {
        budget.hold(bytes)?;
        self.held += bytes;
        Ok(())
    }

    /// Ends the innermost unit.
    fn close(&mut self, budget: &mut Budget) {
        let Some(open) = self.open.pop() else { return };
        let index = open.unit as usize;
        if self.units[index].valid && self.keep == Keep::Failures {
            self.units.truncate(index);
            budget.release(self.held - open.held);
            (self.bounds.failures, self.held) = (open.failures, open.held);
            self.bounds.cut_at = self.bounds.cut_at.filter(|&cut_at| cut_at <= index);
            return;
        }
        self.units[index].end = self.units.len() as u32;
    }

    /// Makes a tree of what a run left that gave up. Blocks have their verdict from the start; an
    /// instruction that had not ended stays if its verdict follows from those, and goes with all that
    /// is inside it if not.
    pub(crate) fn settle(&mut self, program: &Program) {
        let open = std::mem::take(&mut self.open);
        let mut end = self.units.len();
        for (index, &Open { unit, .. }) in open.iter().enumerate() {
            let Unit { parent, kind: UnitKind::Keyword { at, .. }, .. } = self.units[unit as usize] else {
                continue;
            };
            let block_holds = self.units[parent as usize].valid;
            let inside_fails = open.get(index + 1).is_some_and(|open| !self.units[open.unit as usize].valid);
            if block_holds {
                continue;
            } else if inside_fails && fails_with_any(program.code[at as usize]) {
                self.units[unit as usize].valid = false;
            } else {
                end = unit as usize;
                break;
            }
        }
        self.units.truncate(end);
        for &Open { unit, .. } in open.iter().take_while(|open| (open.unit as usize) < end) {
            self.units[unit as usize].end = end as u32;
        }
        self.bounds.cut_at = self.bounds.cut_at.or(Some(end));
    }
}

impl Report for &mut Trace {
    const STOPS: bool = false;
    const REMEMBERS: bool = false;
    const LEAVES_TRAIL: bool = false;

    /// It finds verdicts out by another run.
    fn recalls(&self, _: &Block) -> bool {
        false
    }

    /// Where only failures are kept, what holds is not worth a look, nor is a failure too many.
    fn wants(&mut self, holds: bool) -> bool {
        if self.keep == Keep::All {
            return true;
        }
        let is_full = self.bounds.failures >= self.bounds.limit;
        if is_full && !holds {
            self.bounds.cut_at = self.bounds.cut_at.or(Some(self.units.len()));
        }
        !holds && !is_full
    }

    /// What fails there is no error.
    fn wants_probes(&self) -> bool {
        self.keep == Keep::All
    }

    fn wants_notes(&self) -> bool {
        self.keep == Keep::All
    }

    fn is_done(&self) -> bool {
        self.is_over()
    }

    fn open_union(&mut self, budget: &mut Budget) -> Result<UnionBounds, Stopped> {
        self.settle_pending(budget)?;
        let (each, room) = match self.bounds.room {
            Some(room) => ((self.bounds.limit / 2).max(1), room),
            None => (IN_BRANCH, IN_UNION),
        };
        Ok(UnionBounds { around: self.bounds, each, room, start: 0 })
    }

    fn open_branch(&mut self, union: &mut UnionBounds, is_clear: bool) {
        union.start = self.units.len();
        self.bounds = if is_clear {
            union.around
        } else {
            let limit = union.each.min(union.room);
            Bounds { failures: 0, limit, room: Some(union.room), cut_at: None }
        };
    }

    fn tagged<'a, N: Node<'a>>(
        &mut self,
        budget: &mut Budget,
        program: &Program,
        branch: (Edge<'_>, BlockId),
        tag: (&str, N),
    ) -> Result<(), Stopped> {
        let union = self.open.last().map_or(0, |open| open.unit);
        if self.wants(false) { self.add_tagged(budget, program, union, branch, tag) } else { Ok(()) }
    }

    fn close_branch(&mut self, union: &mut UnionBounds, is_clear: bool) {
        if is_clear {
            union.around = self.bounds;
            return;
        }
        union.room = self.bounds.room.unwrap_or(0).saturating_sub(self.bounds.failures);
        if let Some(branch) = self.units.get_mut(union.start) {
            branch.is_cut = self.bounds.cut_at.is_some();
        }
    }

    fn close_union(&mut self, union: UnionBounds) {
        self.bounds = union.around;
        self.bounds.room = self.bounds.room.map(|_| union.room);
    }

    fn open_aside(&mut self) -> Aside {
        let aside = Aside { around: self.bounds, start: self.units.len() };
        if self.keep == Keep::All {
            self.bounds = Bounds { limit: self.bounds.limit, ..Bounds::default() };
        }
        aside
    }

    fn close_aside(&mut self, aside: Aside) {
        if self.keep == Keep::All {
            if let Some(unit) = self.units.get_mut(aside.start) {
                unit.is_cut = self.bounds.cut_at.is_some();
            }
            self.bounds = aside.around;
        }
    }

    fn open_block(
        &mut self,
        budget: &mut Budget,
        edge: Edge<'_>,
        step: Step<'_>,
        block: BlockId,
        holds: bool,
    ) -> Result<(), Stopped> {
        self.settle_pending(budget)?;
        self.push(budget, holds, block_unit(edge, step, block))
    }

    fn close_block(&mut self, budget: &mut Budget) {
        self.close(budget);
    }

    fn open_keyword(&mut self, budget: &mut Budget, at: u32) -> Result<(), Stopped> {
        if self.keep == Keep::Failures {
            self.pending = Some(Pending { at, note: None, held: self.held });
            return Ok(());
        }
        self.push(budget, true, UnitKind::Keyword { at, error: None, annotation: None, note: None })
    }

    fn close_keyword<'a, N: Node<'a>>(
        &mut self,
        budget: &mut Budget,
        program: &Program,
        holds: bool,
        node: N,
    ) -> Result<(), Stopped> {
        if holds && let Some(Pending { held, .. }) = self.pending.take() {
            budget.release(self.held - held);
            self.held = held;
            return Ok(());
        }
        if !holds {
            self.settle_pending(budget)?;
            if let Some(&Open { unit, failures, .. }) = self.open.last() {
                self.units[unit as usize].valid = false;
                self.explain(budget, program, Failed { unit, failures }, node)?;
            }
        }
        self.close(budget);
        Ok(())
    }

    fn annotate(&mut self, id: Id<Annotation>) {
        if let Some(UnitKind::Keyword { annotation, .. }) = self.innermost() {
            *annotation = Some(id);
        }
    }

    fn note(&mut self, budget: &mut Budget, found: impl FnOnce() -> Note) -> Result<(), Stopped> {
        let found = found();
        self.hold(budget, found.bytes())?;
        if let Some(pending) = &mut self.pending {
            pending.note = Some(found);
            return Ok(());
        }
        if let Some(UnitKind::Keyword { note, .. }) = self.innermost() {
            *note = Some(Box::new(found));
        }
        Ok(())
    }
}

impl Trace {
    /// Gives the unit of an instruction that failed its cause, if it has one of its own.
    ///
    /// A cause stands for all that failed inside the unit, so it counts as one failure.
    fn explain<'a, N: Node<'a>>(
        &mut self,
        budget: &mut Budget,
        program: &Program,
        Failed { unit, failures }: Failed,
        node: N,
    ) -> Result<(), Stopped> {
        let Unit { parent, kind: UnitKind::Keyword { at, note, .. }, .. } = &self.units[unit as usize] else {
            return Ok(());
        };
        let UnitKind::Block { block, .. } = self.units[*parent as usize].kind else { return Ok(()) };
        let (at, circumstances) = (*at, Circumstances { at: *at, block, note: note.as_deref() });
        let instruction = program.code[at as usize];
        if program.refuses_unknown(instruction) {
            return self.name_unknown(budget, program, unit as usize, node);
        }
        if fails_with_any(instruction) {
            return Ok(());
        }
        let Some(cause) = errors::cause(program, budget, &mut self.purse, &circumstances, node)? else {
            return Ok(());
        };
        if failures >= self.bounds.limit {
            self.bounds.cut_at = self.bounds.cut_at.or(Some(self.units.len()));
            return Ok(());
        }
        self.bounds.failures = self.bounds.failures.max(failures + 1);
        self.hold(budget, size_of::<ErrorKind>() + cause.bytes(program, instruction))?;
        self.has_unions |= cause.is_open_union();
        if let UnitKind::Keyword { error, .. } = &mut self.units[unit as usize].kind {
            *error = Some(cause);
        }
        Ok(())
    }

    fn innermost(&mut self) -> Option<&mut UnitKind> {
        let open = self.open.last()?;
        Some(&mut self.units[open.unit as usize].kind)
    }
}

/// A block on the node that a step leads to.
#[inline]
fn block_unit(edge: Edge<'_>, step: Step<'_>, block: BlockId) -> UnitKind {
    let (token, step) = (OwnedToken::of(edge.token), OwnedStep::of(step));
    UnitKind::Block { block, from: edge.from, token, step }
}

/// Whether an instruction fails if any block that it applies does.
fn fails_with_any(instruction: Instruction) -> bool {
    let may_hold = matches!(
        instruction,
        Instruction::AnyOf(_)
            | Instruction::OneOf(_)
            | Instruction::Not(_)
            | Instruction::If(_)
            | Instruction::Contains(_)
    );
    instruction.runs_blocks() && !may_hold
}
