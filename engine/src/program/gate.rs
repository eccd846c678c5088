//! What a block says of a node by the node's type alone.

use super::{BlockId, Instruction};
use crate::instance::{Node, Shape, View};
use stanchion_vocab::{Type, TypeSet};

/// A block, and for which types it has to be run at all: mostly the type decides.
///
/// Numbers with a fraction and without are asked alike, so that asking takes a look at the node's shape and not at
/// its value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Gate {
    /// What to ask.
    pub(crate) block: BlockId,
    /// How to ask it: the only instruction of the block, or a call of it.
    pub(crate) then: Instruction,
    passes: TypeSet,
    asks: TypeSet,
    /// The same by shape, two bits for each.
    looks: u16,
}

/// What a gate says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    Yes,
    No,
    /// The block has to be run.
    Ask,
}

/// What [`Gate::looks`] holds. The first bit alone tells whether the node passes, the second whether to ask.
const YES: u16 = 0b00;
const NO: u16 = 0b01;
const ASK: u16 = 0b11;

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
        let mut looks = 0;
        let mut shape = 0;
        while shape < Shape::COUNT {
            let look = if passes.has_bit(shape) {
                YES
            } else if asks.has_bit(shape) {
                ASK
            } else {
                NO
            };
            looks |= look << (2 * shape);
            shape += 1;
        }
        Gate { block, then: Instruction::Call(block), passes, asks, looks }
    }

    /// What the type of a node tells.
    #[inline(always)]
    pub(crate) fn look<'a, N: Node<'a>>(&self, node: N) -> Look {
        // Bit by bit: told apart as numbers, they would be jumped by, which is slower.
        let look = self.looks.wrapping_shr(2 * node.shape() as u32);
        if look & 1 == 0 {
            Look::Yes
        } else if look & 2 != 0 {
            Look::Ask
        } else if self.passes.has(Type::Integer) {
            look_for_integer(node)
        } else {
            Look::No
        }
    }

    /// Where everything passes.
    pub(crate) const OPEN: Gate = Gate::of(TypeSet::ALL, TypeSet::NONE, BlockId(0));

    /// Where the type says nothing.
    pub(crate) const fn to(block: BlockId) -> Gate {
        Gate::of(TypeSet::NONE, TypeSet::ALL, block)
    }

    /// The same gate, where what it asks is settled by the gate of its own block.
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
