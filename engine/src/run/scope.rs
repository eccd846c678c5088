//! The dynamic scope: what it makes of each dynamic anchor.
//!
//! A `$dynamicRef` leads to the outermost resource that the run has entered and that has the anchor. So a
//! scope, for all that anyone can ask of it, is the block that each anchor leads to; entering a resource
//! settles those anchors that were open and that the resource has. There are few different scopes in a
//! run, whatever the way into them. Each gets a number, which is what a memo needs as well.

use crate::limits::{Budget, Stopped};
use crate::program::{BlockId, Program};
use std::collections::HashMap;

/// No resource in scope has the anchor.
const OPEN: u32 = u32::MAX;

/// The scope that a run is in.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    current: u32,
    /// The scopes that the run has been in; none without dynamic anchors, where there is only one.
    known: Option<Box<Known>>,
}

#[derive(Debug)]
struct Known {
    /// By number: the block that each anchor leads to.
    settled: Vec<Box<[u32]>>,
    numbers: HashMap<Box<[u32]>, u32>,
    /// By scope and resource: the scope that entering the resource leads to.
    entered: HashMap<(u32, u32), u32>,
}

/// Apart, so that a run without dynamic anchors ends without a call.
#[cold]
#[inline(never)]
fn forget(_: Box<Known>) {}

impl Drop for Scope {
    #[inline(always)]
    fn drop(&mut self) {
        if let Some(known) = self.known.take() {
            forget(known);
        }
    }
}

impl Scope {
    /// The scope in which nothing has been entered, where there are dynamic anchors.
    pub(crate) fn of_anchors(program: &Program) -> Scope {
        let open: Box<[u32]> = vec![OPEN; program.anchors.len()].into();
        let numbers = HashMap::from([(open.clone(), 0)]);
        let known = Known { settled: vec![open], numbers, entered: HashMap::new() };
        Scope { current: 0, known: Some(Box::new(known)) }
    }

    /// The number of the current scope.
    #[inline]
    pub(crate) fn number(&self) -> u32 {
        self.current
    }

    /// Enters a resource, until [`Scope::leave`].
    pub(crate) fn enter(
        &mut self,
        budget: &mut Budget,
        program: &Program,
        resource: u32,
    ) -> Result<(), Stopped> {
        let Some(known) = &mut self.known else { return Ok(()) };
        if let Some(&number) = known.entered.get(&(self.current, resource)) {
            self.current = number;
            return Ok(());
        }
        budget.spend(program.anchors.len() as u64)?;
        budget.hold(program.anchors.len() * 8 + 64)?;
        let mut settled = known.settled[self.current as usize].clone();
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
        known.entered.insert((self.current, resource), number);
        self.current = number;
        Ok(())
    }

    /// Goes back to the scope of that number.
    #[inline]
    pub(crate) fn leave(&mut self, before: u32) {
        self.current = before;
    }

    /// The block that an anchor leads to, if some resource in scope has it.
    pub(crate) fn find(&self, anchor: u32) -> Option<BlockId> {
        let known = self.known.as_ref()?;
        let block = known.settled[self.current as usize][anchor as usize];
        (block != OPEN).then_some(BlockId(block))
    }
}
