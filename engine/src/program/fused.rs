//! Operands of fast instructions. For walks over members see [`Members`](super::Members).

use super::names::NameTable;
use super::pattern::Pattern;
use super::{BlockId, Blocks, Condition, Format, Gate, Id, PatternBlocks};
use crate::instance::{Node, View};
use std::fmt;
use std::num::NonZeroU64;
use std::sync::Arc;

/// All that a block says about an array's length and items, for one walk.
#[derive(Clone, Debug)]
pub(crate) struct Items {
    /// So many items, or more
    pub(crate) least: u64,
    /// up to so many.
    pub(crate) most: u64,
    /// For the first items.
    pub(crate) first: Vec<Gate>,
    /// For the others.
    pub(crate) rest: Gate,
    /// Whether no two may be equal.
    pub(crate) unique: bool,
}

/// The operand of `unevaluated…` keywords, where branches decide what is left: a bit stands for each of these, and the first for what is
/// evaluated always.
#[derive(Debug)]
pub(crate) struct Unevaluated {
    pub(crate) parts: Vec<Test>,
    /// Names, with the bits by which they are evaluated.
    pub(crate) names: NameTable<u64>,
    /// The bits by which members are evaluated, by the pattern of their names.
    pub(crate) patterns: Vec<(Id<PatternBlocks>, u64)>,
    /// The bits by which all members are.
    pub(crate) all_members: u64,
    /// How many items are evaluated by a bit.
    pub(crate) items: Vec<(usize, u64)>,
    pub(crate) all_items: u64,
    /// For members that are left.
    pub(crate) members: Option<BlockId>,
    /// For items that are left.
    pub(crate) rest: Option<BlockId>,
}

impl Unevaluated {
    /// The bit that is always there.
    pub(crate) const ALWAYS: u64 = 1;

    /// The first item that nothing of what held has evaluated.
    pub(crate) fn first_item_left(&self, held: u64) -> usize {
        let by_held = self.items.iter().filter(|(_, bits)| bits & held != 0);
        by_held.map(|&(count, _)| count).max().unwrap_or(0)
    }
}

/// A block that is run on the same node, with its bit if it evaluates something, or else none.
pub(crate) type Branch = (BlockId, u64);

/// A union or a condition that has to hold, and whose branches decide what is evaluated.
#[derive(Debug)]
pub(crate) enum Test {
    /// One branch or more, or exactly one.
    Union { blocks: Vec<Branch>, exactly_one: bool },
    /// One branch or another.
    If { test: Branch, then: Option<Branch>, otherwise: Option<Branch> },
    /// A branch for objects with a member of that name.
    Dependent(Arc<str>, Branch),
}

impl Test {
    /// All its blocks.
    pub(crate) fn blocks(&self) -> impl Iterator<Item = BlockId> {
        let (some, others) = match self {
            Test::Union { blocks, .. } => (&blocks[..], [None; 3]),
            Test::If { test, then, otherwise } => (&[][..], [Some(*test), *then, *otherwise]),
            Test::Dependent(_, branch) => (&[][..], [Some(*branch), None, None]),
        };
        some.iter().copied().chain(others.into_iter().flatten()).map(|(block, _)| block)
    }
}

/// The requirements of a block on texts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text {
    /// So many code points, or more
    pub(crate) least: u64,
    /// up to so many.
    pub(crate) most: u64,
    pub(crate) pattern: Option<Id<Pattern>>,
    pub(crate) format: Option<Id<Format>>,
}

/// The requirements of a block on numbers, if it has no others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interval {
    /// Integers from here
    pub(crate) low: i64,
    /// to here may satisfy the block, and no others of 64 bits.
    pub(crate) high: i64,
    /// Floats from the one to the other satisfy it, and no others; unless more than their size matters.
    pub(crate) floats: Option<(f64, f64)>,
    /// Of these integers only the multiples of this.
    pub(crate) step: NonZeroU64,
    /// The block, whose plain code says it of all other numbers.
    pub(crate) block: BlockId,
}

/// A union, or conditions, whose branches are chosen by the value of a member.
#[derive(Debug)]
pub(crate) struct Pick {
    /// The member.
    pub(crate) name: Box<str>,
    /// By the member's value: the branches that it leaves.
    pub(crate) texts: NameTable<Blocks>,
    pub(crate) scalars: Vec<(Scalar, Blocks)>,
    /// The branches that any other value of the member leaves.
    pub(crate) otherwise: Blocks,
    /// The branches that an object without the member may satisfy.
    pub(crate) absent: Blocks,
    /// All of them, for what is no object.
    pub(crate) all: Blocks,
    pub(crate) want: Want,
    /// The conditions that it stands for, if it does.
    pub(crate) conditions: Vec<Id<Condition>>,
}

/// How many of the branches that are left have to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// One or more, as `anyOf` wants it.
    Any,
    /// Exactly one.
    One,
    /// All of them: those of conditions. What the tables do not have leaves [`Pick::otherwise`].
    All,
}

/// A value that compares as such.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Scalar {
    Null,
    Bool(bool),
    Integer(i128),
}

impl Scalar {
    /// The scalar that a value is; none for texts, containers, and numbers that are no small integers.
    pub(crate) fn of<'a, N: Node<'a>>(node: N) -> Option<Scalar> {
        match node.view() {
            View::Null => Some(Scalar::Null),
            View::Bool(value) => Some(Scalar::Bool(value)),
            View::Number(number) => number.integer().map(Scalar::Integer),
            View::String(_) | View::Array(_) | View::Object(_) => None,
        }
    }
}

impl fmt::Display for Scalar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Scalar::Null => f.write_str("null"),
            Scalar::Bool(value) => write!(f, "{value}"),
            Scalar::Integer(value) => write!(f, "{value}"),
        }
    }
}
