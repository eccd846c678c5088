//! A tree of what a run did: a unit for each block that was applied, with a unit for each of its
//! instructions, with units for the blocks which those applied.
//!
//! Units lie in one array, each before what is inside it, and know their parent.

use super::{Cause, EdgeFrom, Note, Step, Token};
use crate::program::{Annotation, BlockId, Id};
use std::sync::Arc;

/// What a run did, as far as it was kept.
#[derive(Debug)]
pub(crate) struct Tree {
    pub(crate) units: Vec<Unit>,
    /// The memory of a run: what is read from the tree takes no more than that either.
    pub(crate) memory: usize,
    /// Whether failures were left out.
    pub(crate) is_cut: bool,
    /// Whether there may be unions that refused.
    pub(crate) has_unions: bool,
    /// Whether units are in the order in which errors are told: those of a tree that has more than failures are not.
    pub(crate) is_in_order: bool,
}

/// A block or an instruction, as it was run.
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

/// What a [`Unit`] is of.
#[derive(Clone, Debug)]
pub(crate) enum UnitKind {
    Block {
        block: BlockId,
        /// The keyword that applied it, and what stands below that.
        from: EdgeFrom,
        token: OwnedToken,
        step: OwnedStep,
    },
    Keyword {
        at: u32,
        /// Why it failed, if it did not just fail for what is inside it.
        error: Option<Cause>,
        annotation: Option<Id<Annotation>>,
        note: Option<Box<Note>>,
    },
}

/// A [`Token`] that owns its text.
#[derive(Clone, Debug)]
pub(crate) enum OwnedToken {
    Nothing,
    Item(usize),
    Member(Box<str>),
    /// The member that the step leads to.
    Step,
}

/// A [`Step`] that owns its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OwnedStep {
    Here,
    Item(usize),
    Member(Arc<str>),
    Name(Box<str>),
}

impl Tree {
    /// A unit and those around it, outwards.
    pub(crate) fn chain(&self, index: usize) -> impl Iterator<Item = usize> {
        let mut next = Some(index);
        std::iter::from_fn(move || {
            let index = next?;
            next = (index > 0).then(|| self.units[index].parent as usize);
            Some(index)
        })
    }

    /// Which branch of its union a block is.
    pub(crate) fn branch_index(&self, unit: usize) -> usize {
        match self.units[unit].kind {
            UnitKind::Block { token: OwnedToken::Item(index), .. } => index,
            UnitKind::Block { .. } | UnitKind::Keyword { .. } => 0,
        }
    }

    /// The units directly inside one.
    pub(crate) fn children(&self, index: usize) -> impl Iterator<Item = usize> {
        let end = self.units[index].end as usize;
        let mut next = index + 1;
        std::iter::from_fn(move || {
            if next >= end {
                return None;
            }
            let child = next;
            next = self.units[child].end as usize;
            Some(child)
        })
    }
}

impl OwnedToken {
    #[inline]
    pub(super) fn of(token: Token<'_>) -> OwnedToken {
        match token {
            Token::Nothing => OwnedToken::Nothing,
            Token::Item(index) => OwnedToken::Item(index),
            Token::Member(name) => OwnedToken::Member(name.into()),
            Token::Step => OwnedToken::Step,
        }
    }

    pub(super) fn len(&self) -> usize {
        if let OwnedToken::Member(name) = self { name.len() } else { 0 }
    }
}

impl OwnedStep {
    #[inline]
    pub(super) fn of(step: Step<'_>) -> OwnedStep {
        match step {
            Step::Here => OwnedStep::Here,
            Step::Item(index) => OwnedStep::Item(index),
            Step::Member(name) => OwnedStep::Member(name.into()),
            Step::Property(name) => OwnedStep::Member(Arc::clone(name)),
            Step::Name(name) => OwnedStep::Name(name.into()),
        }
    }

    pub(super) fn borrow(&self) -> Step<'_> {
        match self {
            OwnedStep::Here => Step::Here,
            OwnedStep::Item(index) => Step::Item(*index),
            OwnedStep::Member(name) => Step::Property(name),
            OwnedStep::Name(name) => Step::Name(name),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            OwnedStep::Member(name) => name.len(),
            OwnedStep::Name(name) => name.len(),
            OwnedStep::Here | OwnedStep::Item(_) => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_small() {
        assert_eq!(size_of::<Unit>(), 80);
    }
}
