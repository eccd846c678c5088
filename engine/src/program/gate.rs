//! Gates: the answer of a block by the type of a node alone.

use super::{BlockId, Flat};
use crate::instance::{Node, Shape, View};
use crate::limits::{Budget, Stopped};
use stanchion_vocab::{Type, TypeSet};

/// A block, and for which types it has to be run at all: mostly the type decides.
///
/// Numbers with a fraction and without are asked alike, so that asking reads only the node's shape and not
/// its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gate {
    /// The block to ask.
    pub(crate) block: BlockId,
    /// How to ask it: the only instruction of the block, or a call of it.
    pub(crate) then: Flat,
    passes: TypeSet,
    asks: TypeSet,
    /// The shapes of which nothing passes and nothing is asked.
    turns_away: TypeSet,
}

/// The answer of a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GateAnswer {
    Yes,
    No,
    /// The block has to be run.
    Ask,
}

impl Gate {
    /// A gate that says yes, no or ask by type.
    pub(crate) fn new(yes: TypeSet, no: TypeSet, block: BlockId) -> Gate {
        const NUMBERS: TypeSet = TypeSet::NONE.with(Type::Number);
        let (mut passes, mut asks) = (yes, yes.or(no).not());
        // That integers pass and other numbers do not can be seen at the gate; anything else in between has to be asked.
        let settled = [TypeSet::NONE, NUMBERS, TypeSet::NONE.with(Type::Integer)];
        if !asks.and(NUMBERS).is_empty() || !settled.contains(&passes.and(NUMBERS)) {
            (passes, asks) = (passes.and(NUMBERS.not()), asks.or(NUMBERS));
        }
        Gate::of(passes, asks, block)
    }

    const fn of(passes: TypeSet, asks: TypeSet, block: BlockId) -> Gate {
        let some = if passes.has(Type::Integer) { passes.with(Type::Number) } else { passes };
        let turns_away = some.or(asks).not();
        Gate { block, then: Flat::Call(block), passes, asks, turns_away }
    }

    /// Answers by the type of a node.
    #[inline]
    pub(crate) fn check<'a, N: Node<'a>>(&self, budget: &mut Budget, node: N) -> Result<GateAnswer, Stopped> {
        let shape = node.shape();
        Ok(if self.lets_pass(shape) {
            GateAnswer::Yes
        } else if self.has_to_ask(shape) {
            GateAnswer::Ask
        } else if self.answer(budget, node)? {
            GateAnswer::Yes
        } else {
            GateAnswer::No
        })
    }

    /// Whether the shape of a node is enough for it to pass.
    #[inline(always)]
    pub(crate) fn lets_pass(&self, shape: Shape) -> bool {
        self.passes.has_bit(shape as u8)
    }

    /// Whether the shapes of nodes are enough for all of them to pass. Long lists are mostly texts, for which the loop is half as long.
    #[inline(always)]
    pub(crate) fn lets_all_pass<'a, N: Node<'a>>(&self, mut nodes: impl Iterator<Item = N>) -> bool {
        const TEXTS: TypeSet = TypeSet::NONE.with(Type::String);
        if self.passes.is_empty() {
            return nodes.next().is_none();
        }
        if self.passes == TEXTS {
            return nodes.all(|node| node.shape() == Shape::String);
        }
        nodes.all(|node| self.lets_pass(node.shape()))
    }

    /// Whether the shape of a node is enough for it to be refused.
    #[inline(always)]
    pub(crate) fn refuses_shape(&self, shape: Shape) -> bool {
        self.turns_away.has_bit(shape as u8)
    }

    /// Whether the block has to be run.
    #[inline(always)]
    pub(crate) fn has_to_ask(&self, shape: Shape) -> bool {
        self.asks.has_bit(shape as u8)
    }

    /// Whether a node passes by its type, where its shape is not enough: an integer, where other numbers do not pass.
    #[inline(never)]
    pub(crate) fn answer<'a, N: Node<'a>>(&self, budget: &mut Budget, node: N) -> Result<bool, Stopped> {
        let View::Number(number) = node.view() else { return Ok(false) };
        if self.passes.has(Type::Integer) { number.is_integer_within(budget) } else { Ok(false) }
    }

    /// Where everything passes.
    pub(crate) const OPEN: Gate = Gate::of(TypeSet::ALL, TypeSet::NONE, BlockId(0));

    /// Where the type says nothing.
    pub(crate) const fn to(block: BlockId) -> Gate {
        Gate::of(TypeSet::NONE, TypeSet::ALL, block)
    }

    /// Combines the gate with that of the block that it asks.
    pub(crate) fn settled_by(&self, target: &Gate) -> Gate {
        let (passes, asks) = (self.passes.or(self.asks.and(target.passes)), self.asks.and(target.asks));
        Gate { then: self.then, ..Gate::of(passes, asks, self.block) }
    }

    /// A node of one of these types satisfies the block.
    pub(crate) const fn passes(&self) -> TypeSet {
        self.passes
    }

    /// A node of one of these types has to be asked. One of any other does not satisfy the block.
    pub(crate) const fn asks(&self) -> TypeSet {
        self.asks
    }

    /// The types that no node may have.
    pub(crate) fn refuses(&self) -> TypeSet {
        self.passes.or(self.asks).not()
    }

    pub(crate) fn is_open(&self) -> bool {
        self.passes == TypeSet::ALL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_small() {
        assert_eq!(size_of::<Gate>(), 20);
    }
}
