//! The arena of an explanation: a unit for each block that was gone into, units of its instructions inside it, and inside those the blocks which
//! they applied.
//!
//! Units lie in one array, each behind its parent, and know the parent. So the way to a unit is read outwards, and names on the way are
//! there once for all that lies below them. An explanation of errors has units only for what was rejected; one of everything
//! has them all, in the order of the walk, so that what is inside a unit lies behind it up to its end.

use super::failure::Failure;
use crate::error::{ErrorKind, ValidationError};
use crate::keyword::apply::{Edge, Step};
use crate::program::{BlockId, Program};
use std::sync::Arc;

/// A block or an instruction on a node.
#[derive(Clone, Debug)]
pub(crate) struct Unit {
    pub(crate) parent: u32,
    /// The unit behind the last one inside this one.
    pub(crate) end: u32,
    pub(crate) valid: bool,
    /// Whether it is a branch or a condition of which some failures were left out.
    pub(crate) is_cut: bool,
    pub(crate) kind: UnitKind,
}

/// The block or the instruction of a [`Unit`].
#[derive(Clone, Debug)]
pub(crate) enum UnitKind {
    Block {
        block: BlockId,
        /// The keyword is that of the unit around, unless it is given.
        edge: Edge,
        step: OwnedStep,
    },
    Keyword {
        at: u32,
        /// Why it failed, if it did not just fail for what is inside it.
        failure: Option<Failure>,
        note: Option<Box<Note>>,
    },
}

/// The way from the node of the block around to the node of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OwnedStep {
    /// To the node itself.
    Here,
    Item(usize),
    Member(Arc<str>),
    /// The name of a member, as a value of its own.
    Name(Arc<str>),
}

impl OwnedStep {
    /// Keeps the name by `keep`, unless the schema has it too.
    pub(crate) fn of(step: Step<'_>, keep: impl FnOnce(&str) -> Arc<str>) -> OwnedStep {
        match step {
            Step::Item(index) => OwnedStep::Item(index),
            Step::Member(_, name) => OwnedStep::Member(keep(name)),
            Step::Property(_, name) => OwnedStep::Member(Arc::clone(name)),
            Step::Name(name) => OwnedStep::Name(keep(name)),
        }
    }

    /// Whether it leads to another place of the instance.
    pub(crate) fn is_down(&self) -> bool {
        matches!(self, OwnedStep::Item(_) | OwnedStep::Member(_))
    }
}

/// The annotation of an instruction that holds.
#[derive(Clone, Debug)]
pub(crate) enum Note {
    /// The value that the program has for it.
    Value,
    /// All items.
    Whole,
    /// Items up to this one.
    Index(usize),
    /// These items.
    Places(Vec<usize>),
    /// These members.
    Names(Vec<Arc<str>>),
}

impl Note {
    /// The memory that it takes, about.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Note::Value | Note::Whole | Note::Index(_) => 0,
            Note::Places(places) => size_of_val(&places[..]),
            Note::Names(names) => size_of_val(&names[..]),
        }
    }
}

/// The units of an explanation.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) units: Vec<Unit>,
}

impl Tree {
    /// A unit and those around it, outwards.
    pub(crate) fn chain(&self, unit: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(unit), |&unit| (unit > 0).then(|| self.unit(unit).parent))
    }

    /// The units directly inside one, where everything was kept.
    pub(crate) fn children(&self, unit: u32) -> impl Iterator<Item = u32> {
        let end = self.unit(unit).end;
        let inside = move |child: u32| Some(child).filter(|&child| child < end);
        std::iter::successors(inside(unit + 1), move |&child| inside(self.unit(child).end))
    }

    pub(crate) fn unit(&self, unit: u32) -> &Unit {
        &self.units[unit as usize]
    }

    /// Why a unit failed, if it has a failure of its own.
    pub(crate) fn failure(&self, unit: u32) -> Option<&Failure> {
        match &self.unit(unit).kind {
            UnitKind::Keyword { failure, .. } => failure.as_ref(),
            UnitKind::Block { .. } => None,
        }
    }

    /// The facts of an error, where the errors inside it are made by `inside`; none, if a unit is no error.
    pub(crate) fn kind(
        &self,
        program: &Program,
        unit: u32,
        inside: &dyn Fn(&[u32]) -> Vec<ValidationError>,
    ) -> Option<ErrorKind> {
        let step = match &self.unit(self.unit(unit).parent).kind {
            UnitKind::Block { step, .. } => step,
            UnitKind::Keyword { .. } => &OwnedStep::Here,
        };
        Some(self.failure(unit)?.kind(program, step, inside))
    }

    /// The instruction of a unit.
    pub(crate) fn at(&self, unit: u32) -> Option<u32> {
        match self.unit(unit).kind {
            UnitKind::Keyword { at, .. } => Some(at),
            UnitKind::Block { .. } => None,
        }
    }

    /// The steps from the root to a unit, outwards; from another unit on, if one is given.
    pub(crate) fn steps_to(&self, unit: u32, from: Option<u32>) -> impl Iterator<Item = &OwnedStep> {
        let chain = self.chain(unit).take_while(move |&unit| Some(unit) != from);
        chain.filter_map(|unit| match &self.unit(unit).kind {
            UnitKind::Block { step, .. } if step.is_down() => Some(step),
            UnitKind::Block { .. } | UnitKind::Keyword { .. } => None,
        })
    }
}
