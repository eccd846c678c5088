//! What a block says of a node by the node's type alone.

use super::{BlockId, Instruction};
use crate::instance::{Node, View};
use stanchion_vocab::{Type, TypeSet};

/// A block, and for which types it has to be run at all: mostly the type decides.
///
/// Numbers with a fraction and without are asked alike, so that asking takes a look at the node's shape and not at
/// its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gate {
    /// A node of one of these types satisfies the block.
    pub(crate) passes: TypeSet,
    /// A node of one of these types has to be asked. One of any other does not satisfy the block.
    pub(crate) asks: TypeSet,
    /// What to ask.
    pub(crate) block: BlockId,
    /// How to ask it: the only instruction of the block, or a call of it.
    pub(crate) then: Instruction,
}

/// What a gate says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
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
        Gate { passes, asks, block, then: Instruction::Call(block) }
    }

    /// What the type of a node tells.
    #[inline(always)]
    pub(crate) fn look<'a, N: Node<'a>>(&self, node: N) -> Look {
        // As a number: were the compiler to see what it stands for, it would jump by it, which is slower.
        let shape = std::hint::black_box(node.shape() as u8);
        if self.passes.has_bit(shape) {
            Look::Yes
        } else if self.asks.has_bit(shape) {
            Look::Ask
        } else if self.passes.has(Type::Integer) {
            look_for_integer(node)
        } else {
            Look::No
        }
    }

    /// Where everything passes.
    pub(crate) const OPEN: Gate = Gate {
        passes: TypeSet::ALL,
        asks: TypeSet::NONE,
        block: BlockId(0),
        then: Instruction::Call(BlockId(0)),
    };

    /// Where the type says nothing.
    pub(crate) fn to(block: BlockId) -> Gate {
        Gate { passes: TypeSet::NONE, asks: TypeSet::ALL, block, then: Instruction::Call(block) }
    }

    /// The types that no node may have.
    pub(crate) fn refuses(&self) -> TypeSet {
        self.passes.or(self.asks).not()
    }

    pub(crate) fn is_open(&self) -> bool {
        self.passes == TypeSet::ALL
    }
}

/// What the type tells where of numbers only integers pass.
#[inline(never)]
fn look_for_integer<'a, N: Node<'a>>(node: N) -> Look {
    let is_integer = matches!(node.view(), View::Number(number) if number.is_integer());
    if is_integer { Look::Yes } else { Look::No }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gates_are_small() {
        assert_eq!(size_of::<Gate>(), 20);
    }
}
