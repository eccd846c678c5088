//! The dynamic scope: the block that each dynamic anchor leads to.
//!
//! A `$dynamicRef` leads to the outermost resource that the run has entered and that has the anchor. So a
//! scope, for all that anyone can ask of it, is the block that each anchor leads to; entering a resource
//! settles those anchors that were open and that the resource has. There are few different scopes in a
//! run, whatever the way into them. Each gets a number, which is what a memo needs as well.

use super::lazy_box::LazyBox;
use crate::limits::{Budget, Stopped};
use crate::program::{BlockId, Program};
use std::collections::HashMap;

/// No resource in scope has the anchor.
const OPEN: u32 = u32::MAX;

/// The scope that a run is in; nothing without dynamic anchors, where there is only one.
#[derive(Debug, Default)]
pub(crate) struct Scope(LazyBox<Scopes>);

/// The scopes that a run has been in.
#[derive(Debug)]
struct Scopes {
    /// The one that it is in.
    current: u32,
    /// By number: the block that each anchor leads to.
    settled: Vec<Box<[u32]>>,
    numbers: HashMap<Box<[u32]>, u32>,
    /// By scope and resource: the scope that entering the resource leads to.
    entered: HashMap<(u32, u32), u32>,
}

impl Scope {
    /// The scope in which nothing has been entered, where there are dynamic anchors.
    pub(crate) fn of_anchors(program: &Program) -> Scope {
        let open: Box<[u32]> = vec![OPEN; program.anchors.len()].into();
        let numbers = HashMap::from([(open.clone(), 0)]);
        Scope(Scopes { current: 0, settled: vec![open], numbers, entered: HashMap::new() }.into())
    }

    /// The number of the current scope.
    #[inline]
    pub(crate) fn number(&self) -> u32 {
        self.0.get().map_or(0, |known| known.current)
    }

    /// Enters a resource, until [`Scope::leave`].
    pub(crate) fn enter(
        &mut self,
        budget: &mut Budget,
        program: &Program,
        resource: u32,
    ) -> Result<(), Stopped> {
        let Some(known) = self.0.get_mut() else { return Ok(()) };
        if let Some(&number) = known.entered.get(&(known.current, resource)) {
            known.current = number;
            return Ok(());
        }
        budget.spend(program.anchors.len() as u64)?;
        budget.hold(program.anchors.len() * 8 + 64)?;
        let mut settled = known.settled[known.current as usize].clone();
        for (slot, candidates) in settled.iter_mut().zip(&program.anchors).filter(|(slot, _)| **slot == OPEN)
        {
            if let Ok(index) = candidates.binary_search_by_key(&resource, |&(resource, _)| resource) {
                *slot = candidates[index].1.0;
            }
        }
        let next = known.settled.len() as u32;
        let number = *known.numbers.entry(settled.clone()).or_insert(next);
        if number == next {
            known.settled.push(settled);
        }
        known.entered.insert((known.current, resource), number);
        known.current = number;
        Ok(())
    }

    /// Goes back to the scope of that number.
    #[inline]
    pub(crate) fn leave(&mut self, before: u32) {
        if let Some(known) = self.0.get_mut() {
            known.current = before;
        }
    }

    /// The block that an anchor leads to, if some resource in scope has it.
    pub(crate) fn find(&self, anchor: u32) -> Option<BlockId> {
        let known = self.0.get()?;
        let block = known.settled[known.current as usize][anchor as usize];
        (block != OPEN).then_some(BlockId(block))
    }
}
