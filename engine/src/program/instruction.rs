//! The instruction set: what a block can ask of a node.

use super::names::NameTable;
use super::pattern::Pattern;
use super::pool::Id;
use super::{
    Additional, Annotation, Bound, Condition, Contains, DependentNames, Enumeration, Format, Interval, Items,
    Members, Multiple, NamedBlocks, PatternBlocks, Pick, Text, Unevaluated,
};
use crate::instance::Shape;
use serde_json::Value;
use stanchion_vocab::{Type, TypeSet};

/// A block's place in the program. Minted by the compiler, one for each subschema, and by the optimizer for pairs of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BlockId(pub(crate) u32);

/// A run of block numbers in [`Program::lists`](super::Program).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Blocks {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

/// What a text should hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    /// It is in base64.
    pub(crate) base64: bool,
    /// It is JSON, or what it encodes is.
    pub(crate) json: bool,
}

/// One step of a block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Instruction {
    // Assert: look at the node, answer yes or no.
    /// Nothing is allowed.
    Never,
    /// The node is of one of the types.
    Type(TypeSet),
    /// As `Type`, where a number is an integer by how it is written (draft-04).
    TypeAsWritten(TypeSet),
    /// The node equals a value.
    Equals(Id<Value>),
    /// The node equals one of some values.
    IsOneOf(Id<Enumeration>),
    /// A number is at least a bound.
    AtLeast(Id<Bound>),
    /// A number is at most a bound.
    AtMost(Id<Bound>),
    /// A number is more than a bound.
    Above(Id<Bound>),
    /// A number is less than a bound.
    Below(Id<Bound>),
    /// A number is a multiple.
    MultipleOf(Id<Multiple>),
    /// The node is a number within an interval: what a block says of numbers, in fast code.
    InRange(Id<Interval>),
    /// A text has so many code points, or more.
    LengthAtLeast(Id<u64>),
    /// A text has so many code points, or fewer.
    LengthAtMost(Id<u64>),
    /// A text matches a pattern.
    Matches(Id<Pattern>),
    /// A text is of a format.
    HasFormat(Id<Format>),
    /// A text has a length, matches a pattern and is of a format: several of these in one look, in fast code.
    Text(Id<Text>),
    /// A text holds what it should (draft-07).
    HasContent(Content),
    /// An array has so many items, or more.
    ItemsAtLeast(Id<u64>),
    /// An array has so many items, or fewer.
    ItemsAtMost(Id<u64>),
    /// No two items of an array are equal.
    UniqueItems,
    /// An object has so many members, or more.
    MembersAtLeast(Id<u64>),
    /// An object has so many members, or fewer.
    MembersAtMost(Id<u64>),
    /// An object has members of these names.
    Required(Id<NameTable>),
    /// An object that has one member has others.
    DependentRequired(Id<DependentNames>),

    // Apply: run blocks on the node or on its children.
    /// The node satisfies a block.
    Call(BlockId),
    /// The node satisfies the block that the dynamic scope has for an anchor, or else the one given.
    DynamicCall(u32, BlockId),
    /// The node satisfies all blocks.
    AllOf(Blocks),
    /// The node satisfies a block or more.
    AnyOf(Blocks),
    /// The node satisfies exactly one block.
    OneOf(Blocks),
    /// The node does not satisfy a block.
    Not(BlockId),
    /// The node satisfies one block or another, as a third says.
    If(Id<Condition>),
    /// An object that has a member satisfies a block.
    DependentSchemas(Id<NamedBlocks>),
    /// The first items of an array satisfy a block each.
    PrefixItems(Blocks),
    /// The items of an array from an index on satisfy a block.
    EachItem(u32, BlockId),
    /// All that a block asks of an array's length and items, in one walk. Only fast code has it.
    Items(Id<Items>),
    /// So many items of an array satisfy a block.
    Contains(Id<Contains>),
    /// Members satisfy a block by their name.
    Properties(Id<NamedBlocks>),
    /// Members satisfy the blocks of the patterns that match their name.
    PatternProperties(Id<PatternBlocks>),
    /// All other members satisfy a block.
    AdditionalProperties(Id<Additional>),
    /// Every name of an object satisfies a block.
    EachName(BlockId),
    /// All that a block asks of an object's members, in one walk. Only fast code has this and the next two.
    Members(Id<Members>),
    /// As `Members`, with patterns.
    MembersByPattern(Id<Members>),
    /// All members satisfy a block, whatever their name.
    EachMember(BlockId),
    /// The node satisfies a block or more, exactly one, or all of those that the value of a member leaves. Only fast code has it.
    Pick(Id<Pick>),
    /// The items that nothing has evaluated satisfy a block.
    UnevaluatedItems(BlockId),
    /// The members that nothing has evaluated satisfy a block.
    UnevaluatedProperties(BlockId),
    /// Both, with the unions and conditions on which it depends what has been evaluated. Only fast code has it.
    Unevaluated(Id<Unevaluated>),

    // Note: remember something for a report.
    /// The value is an annotation of the node.
    Annotate(Id<Annotation>),
    /// The value is an annotation of the node, if that is a text.
    AnnotateText(Id<Annotation>),
}

impl Instruction {
    /// Of which shape the values are whose children it evaluates, as an annotation says, of those that plain code has.
    pub(crate) fn evaluates(self) -> Option<Shape> {
        let is_of_members = matches!(
            self,
            Instruction::Properties(_)
                | Instruction::PatternProperties(_)
                | Instruction::AdditionalProperties(_)
                | Instruction::UnevaluatedProperties(_)
        );
        let is_of_items = matches!(
            self,
            Instruction::PrefixItems(_) | Instruction::EachItem(..) | Instruction::UnevaluatedItems(_)
        );
        if is_of_members { Some(Shape::Object) } else { is_of_items.then_some(Shape::Array) }
    }

    /// The types that it is about: values of others pass, whatever they are. All of them where it may be about any.
    pub(crate) fn about(self) -> TypeSet {
        match self {
            Instruction::AtLeast(_)
            | Instruction::AtMost(_)
            | Instruction::Above(_)
            | Instruction::Below(_)
            | Instruction::MultipleOf(_)
            | Instruction::InRange(_) => TypeSet::NONE.with(Type::Number),
            Instruction::LengthAtLeast(_)
            | Instruction::LengthAtMost(_)
            | Instruction::Matches(_)
            | Instruction::HasFormat(_)
            | Instruction::Text(_)
            | Instruction::HasContent(_) => TypeSet::NONE.with(Type::String),
            Instruction::ItemsAtLeast(_)
            | Instruction::ItemsAtMost(_)
            | Instruction::UniqueItems
            | Instruction::PrefixItems(_)
            | Instruction::EachItem(..)
            | Instruction::Items(_)
            | Instruction::Contains(_)
            | Instruction::UnevaluatedItems(_) => TypeSet::NONE.with(Type::Array),
            Instruction::MembersAtLeast(_)
            | Instruction::MembersAtMost(_)
            | Instruction::Required(_)
            | Instruction::DependentRequired(_)
            | Instruction::DependentSchemas(_)
            | Instruction::Properties(_)
            | Instruction::PatternProperties(_)
            | Instruction::AdditionalProperties(_)
            | Instruction::EachName(_)
            | Instruction::Members(_)
            | Instruction::MembersByPattern(_)
            | Instruction::EachMember(_)
            | Instruction::UnevaluatedProperties(_) => TypeSet::NONE.with(Type::Object),
            Instruction::Annotate(_) | Instruction::AnnotateText(_) => TypeSet::NONE,
            Instruction::Never
            | Instruction::Type(_)
            | Instruction::TypeAsWritten(_)
            | Instruction::Equals(_)
            | Instruction::IsOneOf(_)
            | Instruction::Call(_)
            | Instruction::DynamicCall(..)
            | Instruction::AllOf(_)
            | Instruction::AnyOf(_)
            | Instruction::OneOf(_)
            | Instruction::Not(_)
            | Instruction::If(_)
            | Instruction::Pick(_)
            | Instruction::Unevaluated(_) => TypeSet::ALL,
        }
    }

    /// Whether it counts the level of what it runs, where it is alone at a gate.
    pub(crate) fn counts_its_level(self) -> bool {
        self.is_walk() || matches!(self, Instruction::AnyOf(_) | Instruction::OneOf(_) | Instruction::Pick(_))
    }

    /// Whether it is a walk over children, of the kinds that fast code has.
    #[inline(always)]
    pub(crate) fn is_walk(self) -> bool {
        matches!(
            self,
            Instruction::Members(_)
                | Instruction::EachMember(_)
                | Instruction::EachItem(..)
                | Instruction::Items(_)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_small() {
        assert_eq!(size_of::<Instruction>(), 12);
    }
}
