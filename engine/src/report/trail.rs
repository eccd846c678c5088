//! What a run for a verdict leaves behind when it refuses: which blocks refused which containers, and at which child a walk ended.
//!
//! A run that tells why goes the same way, and need not find it again: not at each level above a failure that lies deep, and
//! not through all that held before it.

use super::Silent;
use crate::instance::{Array, Node, Object, View};
use crate::program::{Block, BlockId, Fast, Gate, Instruction, Program};
use smallvec::SmallVec;
use stanchion_vocab::Type;
use std::cell::Cell;

/// What was refused last.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    blocks: SmallVec<[Refusal; FEW]>,
    /// The refusal that was last asked for.
    found: Cell<usize>,
    /// The instruction that failed last.
    failed: u32,
    stops: SmallVec<[Stop; FEW]>,
}

/// A block that refused a container. Not where a walk is all that it asks, as that leaves where it ended.
#[derive(Clone, Copy, Debug)]
struct Refusal {
    block: BlockId,
    /// The instruction of the block's code that failed, if there are more than one.
    at: u32,
    container: Container,
}

/// Where a walk ended: all children before that one satisfy what it asks. If there is one, it does not.
#[derive(Clone, Copy, Debug)]
struct Stop {
    walk: Instruction,
    container: usize,
    end: End,
}

impl Stop {
    #[inline]
    fn is_of(&self, container: Container) -> bool {
        self.container == container.address && self.walk.walks_items() == container.is_array
    }
}

/// An array or an object. An array may have the address of an object that is its first item.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Container {
    address: usize,
    pub(crate) is_array: bool,
}

impl Container {
    #[inline]
    pub(crate) fn array<'a, N>(items: impl Array<'a, N>) -> Container {
        Container { address: items.address(), is_array: true }
    }

    #[inline]
    pub(crate) fn object<'a, N>(members: impl Object<'a, N>) -> Container {
        Container { address: members.address(), is_array: false }
    }

    /// The node, if it is one.
    #[inline]
    pub(crate) fn of<'a, N: Node<'a>>(node: N) -> Option<Container> {
        match node.view() {
            View::Array(items) => Some(Container::array(items)),
            View::Object(members) => Some(Container::object(members)),
            View::Null | View::Bool(_) | View::Number(_) | View::String(_) => None,
        }
    }
}

/// The child that a walk ended at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    pub(crate) index: usize,
    /// A bit for each required name that no member up to that child has.
    pub(crate) missing: u64,
}

impl End {
    /// Where nobody has looked for names.
    pub(crate) fn at(index: usize) -> End {
        End { index, missing: u64::MAX }
    }
}

/// So much most trails have.
const FEW: usize = 16;

/// So much is remembered: more than most instances are deep.
const MOST: usize = 128;

impl Trail {
    /// Whether a gate is known to refuse a node, if that is a container.
    pub(crate) fn has<'a, N: Node<'a>>(&self, gate: &Gate, node: N) -> bool {
        let Some(container) = Container::of(node) else { return false };
        if gate.then.walks() {
            let is_it = |stop: &Stop| stop.is_of(container) && stop.walk == gate.then;
            return self.stops.iter().rev().any(|stop| is_it(stop) && stop.end.index != usize::MAX);
        }
        self.place(gate.block, container).is_some()
    }

    /// The instruction by which a block refused a node, if it did. Of a block of one instruction it may be another.
    pub(crate) fn place(&self, block: BlockId, container: Container) -> Option<u32> {
        let is_it = |refusal: &Refusal| refusal.block == block && refusal.container == container;
        // Who tells goes inwards, and a run leaves refusals on its way out.
        let near = self.found.get();
        let near = [near, near.wrapping_sub(1)].into_iter();
        let mut near = near.filter(|&index| self.blocks.get(index).is_some_and(is_it));
        let index = near.next().or_else(|| self.blocks.iter().rposition(is_it))?;
        self.found.set(index);
        Some(self.blocks[index].at)
    }

    /// What of a block's fast code is known to hold for a node that it refuses.
    pub(crate) fn held_code<'p, 'a, N: Node<'a>>(
        &self,
        program: &'p Program,
        block: BlockId,
        node: N,
    ) -> &'p [Instruction] {
        // INVARIANT: code of one instruction leaves no place, so what is known may be that of another block.
        let Fast { start, end, .. } = program.fast[block.0 as usize];
        if end - start <= 1 {
            return &[];
        }
        match Container::of(node).and_then(|container| self.place(block, container)) {
            Some(at) if (start..end).contains(&at) => &program.code[start as usize..at as usize],
            Some(_) | None => &[],
        }
    }

    /// Where a walk ended that is all that a block asks of a container, if that was the last one there.
    #[inline]
    pub(crate) fn end_of_only_walk(&self, gate: &Gate, block: BlockId, container: Container) -> Option<End> {
        let last = self.stops.iter().rfind(|stop| stop.is_of(container))?;
        (gate.block == block && gate.then == last.walk).then_some(last.end)
    }

    /// The walk that was the last one of a container, if it ended at a child or for its names.
    pub(crate) fn last_walk(&self, container: Container) -> Option<(Instruction, End)> {
        let last = self.stops.iter().rfind(|stop| stop.is_of(container))?;
        (last.end.index != usize::MAX).then_some((last.walk, last.end))
    }

    /// How many children of a node are known to satisfy what a block asks of them, before others; nothing where no walk that asks that has
    /// ended.
    pub(crate) fn known_to_hold<'a, N: Node<'a>>(
        &self,
        program: &Program,
        block: BlockId,
        node: N,
    ) -> Option<usize> {
        let container = Container::of(node)?;
        let last = self.stops.iter().rfind(|stop| stop.is_of(container))?;
        let gate = program.gate(block);
        // Mostly a block is one walk, and that is the one that stopped.
        if gate.block == block && gate.then == last.walk {
            return Some(last.end.index);
        }
        let (kind, is_walk): (_, fn(Instruction) -> bool) = if container.is_array {
            (Type::Array, Instruction::walks_items)
        } else {
            (Type::Object, Instruction::walks_members)
        };
        // Code that was written for other types has only walks that were copied.
        if !gate.asks().has(kind) {
            return None;
        }
        // What the block asks may be in more than one walk.
        let code = program.fast(block).code().map(|at| program.code[at as usize]);
        let walks = code.filter(|&instruction| is_walk(instruction));
        walks.map(|walk| self.known_of_walk(program, walk, container)).min().flatten()
    }

    /// How many children of a container are known to satisfy what a walk asks of them, before others: all of them, and there is nothing that it
    /// misses, if that is the largest number.
    pub(crate) fn known_of_walk(
        &self,
        program: &Program,
        walk: Instruction,
        container: Container,
    ) -> Option<usize> {
        let mut stops = self.stops.iter().rev();
        let stop = stops.find(|stop| stop.is_of(container) && program.walk_covers(stop.walk, walk));
        stop.map(|stop| stop.end.index)
    }
}

/// Leaves a trail for who wants one.
impl Silent for Option<&mut Trail> {
    const REMEMBERS: bool = false;
    const LEAVES_TRAIL: bool = true;

    #[inline]
    fn recalls(&self, _: &Block) -> bool {
        false
    }

    #[cold]
    #[inline(never)]
    fn refused<'a, N: Node<'a>>(&mut self, block: BlockId, node: N) {
        let (Some(trail), Some(container)) = (self, Container::of(node)) else { return };
        if trail.blocks.len() >= MOST {
            trail.blocks.clear();
        }
        trail.blocks.push(Refusal { block, at: trail.failed, container });
    }

    fn failed(&mut self, at: u32) {
        if let Some(trail) = self {
            trail.failed = at;
        }
    }

    #[cold]
    #[inline(never)]
    fn stopped(&mut self, walk: Instruction, container: usize, end: End) {
        let Some(trail) = self else { return };
        if trail.stops.len() >= MOST {
            trail.stops.clear();
        }
        trail.stops.push(Stop { walk, container, end });
    }
}
