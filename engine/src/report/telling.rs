//! What the short way tells: errors, one by one, each as soon as it is found.
//!
//! What is told of a union belongs together, as its branches are compared, and so does what is wrong with a name. Of these there is a
//! [`Trace`] while they last, and its tree stays with their errors.

use super::chain::{self, Link, Links};
use super::errors::{self, Circumstances};
use super::hints::Hint;
use super::trace::{Failed, Trace, UNIT_BYTES};
use super::{Bounds, Cause, Findings, Note, Report, Room, list, unknown};
use crate::error::{ErrorKind, Found, ValidationError};
use crate::instance::Node;
use crate::limits::{Budget, Exhausted, Limits, Stopped};
use crate::program::{BlockId, Id, NamedBlocks, Program};
use crate::suggest::Purse;
use std::sync::Arc;

/// The errors that the short way has found.
#[derive(Debug)]
pub(crate) struct Telling<'s> {
    program: &'s Arc<Program>,
    /// The way to where the run is.
    links: Links<'s>,
    bounds: Bounds,
    /// Whether the run is over when there are as many errors as there may be.
    stops_at_limit: bool,
    errors: Found,
    /// For the paths of all errors.
    room: Room,
    /// Whether there was no room for one.
    is_cut: bool,
    /// Whether there was an error, be there room for it or not.
    has_cause: bool,
    purse: Purse,
    memory: usize,
    /// What is told of a union or of a name, while that lasts.
    tree: Option<Box<Trace>>,
}

impl<'s> Telling<'s> {
    /// Tells of as many errors as the limits allow.
    pub(crate) fn new(program: &'s Arc<Program>, limits: &Limits) -> Telling<'s> {
        Telling {
            program,
            links: Links::new(),
            bounds: Bounds { limit: limits.errors, ..Bounds::default() },
            stops_at_limit: false,
            errors: Found::new(),
            room: Room::new(limits.memory),
            is_cut: false,
            has_cause: false,
            purse: Purse::default(),
            memory: limits.memory,
            tree: None,
        }
    }

    /// Tells of the first error, which is in a block that links lead to.
    pub(crate) fn of_first(program: &'s Arc<Program>, limits: &Limits, links: Links<'s>) -> Telling<'s> {
        let mut telling = Telling { links, ..Telling::new(program, limits) };
        (telling.bounds.limit, telling.stops_at_limit) = (1, true);
        telling
    }

    /// Goes back to before the block that was opened last, if there is one: those around it are open.
    pub(crate) fn go_back(&mut self, budget: &mut Budget) -> Result<Option<Link<'s>>, Stopped> {
        let last = self.links.pop();
        for link in &self.links {
            budget.deepen()?;
            budget.hold(bytes_of(link))?;
        }
        Ok(last)
    }

    /// The errors, and whether some were left out.
    pub(crate) fn finish(self) -> (Found, bool) {
        (self.errors, self.is_cut || self.bounds.cut_at.is_some())
    }

    /// The first error.
    pub(crate) fn take_first(&mut self) -> Option<ValidationError> {
        self.errors.truncate(1);
        self.errors.pop()
    }

    /// Whether there was an error at all.
    pub(crate) fn has_cause(&self) -> bool {
        self.has_cause
    }

    /// Forgets what was told, and tells the errors of a tree, and why there are no more if the run ended early.
    pub(crate) fn tell_instead(&mut self, findings: &Arc<Findings>, ended: Option<Exhausted>) {
        self.errors.clear();
        self.bounds.cut_at = None;
        self.is_cut = list::list_into(findings, self.bounds.limit, &Room::new(self.memory), &mut self.errors);
        self.errors.extend(ended.map(ValidationError::exhaustion));
    }

    /// Whether there is more to tell of what fails.
    pub(crate) fn wants(&mut self) -> bool {
        if let Some(mut tree) = self.tree.as_deref_mut() {
            return tree.wants(false);
        }
        self.has_room()
    }

    /// Whether one more error is wanted. If not, some are left out.
    fn has_room(&mut self) -> bool {
        let is_full = self.bounds.failures >= self.bounds.limit;
        if is_full {
            self.bounds.cut_at = Some(0);
        }
        !is_full
    }

    /// Whether what holds may be told about, as that tells nothing: there is no tree, and room for one more error.
    pub(crate) fn takes_all(&self) -> bool {
        self.tree.is_none() && self.bounds.failures < self.bounds.limit
    }

    /// Whether one error is asked for and there is none yet, nor a tree.
    pub(crate) fn takes_one(&self) -> bool {
        self.stops_at_limit && self.takes_all()
    }

    /// Holds what a union takes in a tree: who asks for one error finds as much memory as who asks for all.
    pub(crate) fn hold_union(&self, budget: &mut Budget, branches: usize) -> Result<(), Stopped> {
        budget.hold(branches * size_of::<Hint>() + size_of::<ErrorKind>())
    }

    /// How many errors were told, or left out.
    pub(crate) fn count(&self) -> usize {
        self.bounds.failures + usize::from(self.bounds.cut_at.is_some())
    }

    /// Whether there is nothing more to tell about what failed already.
    pub(crate) fn is_done(&self) -> bool {
        match &self.tree {
            Some(tree) => tree.is_over(),
            None => {
                self.bounds.failures >= self.bounds.limit
                    && (self.stops_at_limit || self.bounds.cut_at.is_some())
            }
        }
    }

    /// How many blocks there are around what is told next.
    pub(crate) fn depth(&self) -> usize {
        self.links.len()
    }

    /// The block that was opened last.
    pub(crate) fn innermost(&self) -> BlockId {
        self.links.last().map_or(BlockId(0), |link| link.block)
    }

    /// A block refuses a node. Its unit, where there is a tree.
    #[inline(always)]
    pub(crate) fn open_block(
        &mut self,
        budget: &mut Budget,
        parent: u32,
        link: Link<'s>,
    ) -> Result<u32, Stopped> {
        let is_root = self.links.is_empty();
        self.links.push(link);
        if let Some(tree) = &mut self.tree {
            return tree.add_block(budget, parent, link.edge(self.program, is_root), link.step, link.block);
        }
        budget.hold(UNIT_BYTES + link.step.text().len())?;
        Ok(0)
    }

    /// That block ends, and those around it up to a depth.
    #[inline]
    pub(crate) fn close_blocks(&mut self, depth: usize, unit: u32) {
        self.links.truncate(depth);
        if let Some(tree) = &mut self.tree {
            tree.end(unit);
        }
    }

    /// An instruction fails, in the block of a unit.
    #[inline]
    pub(crate) fn open_keyword(
        &mut self,
        budget: &mut Budget,
        unit: u32,
        at: u32,
    ) -> Result<Failed, Stopped> {
        if let Some(tree) = &mut self.tree {
            return tree.add_keyword(budget, unit, at);
        }
        budget.hold(UNIT_BYTES)?;
        Ok(Failed::default())
    }

    /// An instruction that failed ends.
    #[inline]
    pub(crate) fn close_keyword<'a, N: Node<'a>>(
        &mut self,
        budget: &mut Budget,
        failed: Failed,
        node: N,
    ) -> Result<(), Stopped> {
        match &mut self.tree {
            Some(tree) => tree.end_keyword(budget, self.program, failed, node),
            None => Ok(()),
        }
    }

    /// Tells why an instruction failed that has a cause of its own.
    pub(crate) fn explain<'a, N: Node<'a>>(
        &mut self,
        budget: &mut Budget,
        (at, failed): (u32, Failed),
        note: Option<Note>,
        node: N,
    ) -> Result<(), Stopped> {
        if let Some(tree) = &mut self.tree {
            return note.map_or(Ok(()), |note| tree.add_note(budget, failed, note));
        }
        budget.hold(note.as_ref().map_or(0, Note::bytes))?;
        let circumstances = Circumstances { at, block: self.innermost(), note: note.as_ref() };
        let cause = errors::cause(self.program, budget, &mut self.purse, &circumstances, node)?;
        cause.map_or(Ok(()), |cause| self.tell(budget, at, cause))
    }

    /// Tells that a member of an object is not known, to which a link leads, and which of some names was meant.
    pub(crate) fn unknown<'a, N: Node<'a>>(
        &mut self,
        budget: &mut Budget,
        link: Link<'s>,
        tables: &[Id<NamedBlocks>],
        object: N::Object,
    ) -> Result<(), Stopped> {
        let name = link.step.text();
        let meant = unknown::probably_meant::<N>(self.program, &mut self.purse, name, tables, object);
        budget.hold(2 * UNIT_BYTES + 2 * name.len())?;
        let at = self.program.block(link.block).plain.start;
        self.links.push(link);
        self.tell(budget, at, Cause::Unknown(meant))?;
        self.links.pop();
        Ok(())
    }

    /// Tells why an instruction failed, in the block that was opened last.
    pub(crate) fn tell(&mut self, budget: &mut Budget, at: u32, cause: Cause) -> Result<(), Stopped> {
        if !self.has_room() {
            return Ok(());
        }
        self.bounds.failures += 1;
        self.has_cause = true;
        let instruction = self.program.code[at as usize];
        budget.hold(size_of::<ErrorKind>() + cause.bytes(self.program, instruction))?;
        // A union counts as one failure, and may be told by several errors.
        let is_full = self.errors.len() >= self.bounds.limit;
        match if is_full { None } else { chain::error(self.program, &self.room, &self.links, at, cause) } {
            Some(error) => self.errors.push(error),
            None => self.is_cut = true,
        }
        Ok(())
    }

    /// The tree that is open.
    pub(crate) fn tree(&mut self) -> Option<&mut Trace> {
        self.tree.as_deref_mut()
    }

    /// Starts a tree, if there is none. The unit of a block in it, which is the innermost so far.
    pub(crate) fn open_tree(&mut self) -> u32 {
        let tree = Trace::inside(
            self.program,
            &self.links,
            self.bounds,
            self.stops_at_limit,
            self.purse,
            self.memory,
        );
        let unit = tree.last();
        self.tree = Some(Box::new(tree));
        unit
    }

    /// Whether there is a tree.
    pub(crate) fn has_tree(&self) -> bool {
        self.tree.is_some()
    }

    /// Ends that tree, and tells of the errors in it.
    #[cold]
    pub(crate) fn close_tree(&mut self) {
        let Some(mut trace) = self.tree.take() else { return };
        (self.bounds, self.purse) = (trace.bounds, trace.purse);
        trace.end_around();
        let folded = trace.folded.take();
        let findings = Findings::without(Arc::clone(self.program), trace.take_tree(), folded);
        self.has_cause |= list::has_errors(&findings);
        self.is_cut |= list::list_into(&findings, self.bounds.limit, &self.room, &mut self.errors);
    }
}

/// The error of an instruction of the block that links lead to, where no more is told than what is at the end of these. It holds no less than who tells with
/// a limit for each of its parts, so that there is room for those, too.
#[inline]
pub(crate) fn error(
    program: &Arc<Program>,
    budget: &mut Budget,
    links: &[Link<'_>],
    at: u32,
    cause: Cause,
) -> Option<ValidationError> {
    let of_cause = cause.bytes(program, program.code[at as usize]);
    let error = chain::at_end(program, links, at, cause)?;
    let of_links = 4 * UNIT_BYTES * links.len() + 8 * error.path_bytes();
    budget.hold(of_links + size_of::<ErrorKind>() + of_cause).ok()?;
    Some(error)
}

/// What a block and the instruction that applies the next one take.
fn bytes_of(link: &Link<'_>) -> usize {
    2 * UNIT_BYTES + link.step.text().len()
}
