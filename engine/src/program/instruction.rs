//! The instruction set: what a block can ask of a node.

use super::names::NameTable;
use super::pattern::Pattern;
use super::pool::Id;
use super::{
    Additional, Annotation, Bound, Condition, Contains, DependentNames, Enumeration, Format, Interval, Items,
    Members, Multiple, NamedBlocks, PatternBlocks, Pick, Program, Text, Unevaluated,
};
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

/// The content that a text should have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    /// It is in base64.
    pub(crate) base64: bool,
    /// It is JSON, or what it encodes is.
    pub(crate) json: bool,
}

/// One step of a block, as a keyword says it: what errors and annotations are read from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Plain {
    /// Looks at the node, answers yes or no.
    Assert(Assertion),
    /// Runs blocks on the node or on its children.
    Apply(Applicator),
    /// Notes a value as an annotation of the node.
    Annotate(Id<Annotation>),
    /// Notes a value as an annotation of the node, if that is a text.
    AnnotateText(Id<Annotation>),
}

/// Defines the instructions that verdicts run, each once: in groups, as everything but a run reads them, and in one flat
/// enum, as a run does. On groups inside an enum a run would have to jump twice, which takes 3 % more instructions.
macro_rules! instructions {
    (
        Assertion { $($(#[$about_assertion:meta])* $assertion:ident $(($($operand:ident: $operand_type:ty),*))?,)* }
        Applicator { $($(#[$about_applicator:meta])* $applicator:ident $(($($target:ident: $target_type:ty),*))?,)* }
        Fast { $($(#[$about_fused:meta])* $fused:ident $(($($part:ident: $part_type:ty),*))?,)* }
    ) => {
        /// A condition on the node itself.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) enum Assertion {
            $($(#[$about_assertion])* $assertion $(($($operand_type),*))?,)*
        }

        /// An instruction that applies other blocks. [`apply`](crate::keyword::apply) describes which, to what and by which edges.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) enum Applicator {
            $($(#[$about_applicator])* $applicator $(($($target_type),*))?,)*
        }

        /// One step of a block, as the optimizer writes it for verdicts: what a keyword says, or several keywords in one.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) enum Fast {
            /// Looks at the node, answers yes or no.
            Assert(Assertion),
            /// Runs blocks on the node or on its children.
            Apply(Applicator),
            $($(#[$about_fused])* $fused $(($($part_type),*))?,)*
        }

        /// A [`Fast`] as programs keep it.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub(crate) enum Flat {
            $($assertion $(($($operand_type),*))?,)*
            $($applicator $(($($target_type),*))?,)*
            $($fused $(($($part_type),*))?,)*
        }

        impl From<Fast> for Flat {
            #[inline]
            fn from(fast: Fast) -> Flat {
                match fast {
                    $(Fast::Assert(Assertion::$assertion $(($($operand),*))?) => Flat::$assertion $(($($operand),*))?,)*
                    $(Fast::Apply(Applicator::$applicator $(($($target),*))?) => Flat::$applicator $(($($target),*))?,)*
                    $(Fast::$fused $(($($part),*))? => Flat::$fused $(($($part),*))?,)*
                }
            }
        }

        impl From<Flat> for Fast {
            fn from(flat: Flat) -> Fast {
                match flat {
                    $(Flat::$assertion $(($($operand),*))? => Fast::Assert(Assertion::$assertion $(($($operand),*))?),)*
                    $(Flat::$applicator $(($($target),*))? => Fast::Apply(Applicator::$applicator $(($($target),*))?),)*
                    $(Flat::$fused $(($($part),*))? => Fast::$fused $(($($part),*))?,)*
                }
            }
        }
    };
}

instructions! {
    Assertion {
        /// Nothing is allowed.
        Never,
        /// The node is of one of the types.
        Type(types: TypeSet),
        /// As `Type`, where a number is an integer by how it is written (draft-04).
        TypeAsWritten(types: TypeSet),
        /// The node equals a value.
        Equals(id: Id<Value>),
        /// The node equals one of some values.
        IsOneOf(id: Id<Enumeration>),
        /// A number is at least a bound.
        AtLeast(id: Id<Bound>),
        /// A number is at most a bound.
        AtMost(id: Id<Bound>),
        /// A number is more than a bound.
        Above(id: Id<Bound>),
        /// A number is less than a bound.
        Below(id: Id<Bound>),
        /// A number is a multiple.
        MultipleOf(id: Id<Multiple>),
        /// A text has so many code points, or more.
        LengthAtLeast(id: Id<u64>),
        /// A text has so many code points, or fewer.
        LengthAtMost(id: Id<u64>),
        /// A text matches a pattern.
        Matches(id: Id<Pattern>),
        /// A text is of a format.
        HasFormat(id: Id<Format>),
        /// A text holds what it should (draft-07).
        HasContent(content: Content),
        /// An array has so many items, or more.
        ItemsAtLeast(id: Id<u64>),
        /// An array has so many items, or fewer.
        ItemsAtMost(id: Id<u64>),
        /// No two items of an array are equal.
        UniqueItems,
        /// An object has so many members, or more.
        MembersAtLeast(id: Id<u64>),
        /// An object has so many members, or fewer.
        MembersAtMost(id: Id<u64>),
        /// An object has members of these names.
        Required(id: Id<NameTable>),
        /// An object that has one member has others.
        DependentRequired(id: Id<DependentNames>),
    }
    Applicator {
        /// The node satisfies a block.
        Call(block: BlockId),
        /// The node satisfies the block that the dynamic scope has for an anchor, or else the one given.
        DynamicCall(number: u32, block: BlockId),
        /// The node satisfies all blocks.
        AllOf(blocks: Blocks),
        /// The node satisfies a block or more.
        AnyOf(blocks: Blocks),
        /// The node satisfies exactly one block.
        OneOf(blocks: Blocks),
        /// The node does not satisfy a block.
        Not(block: BlockId),
        /// The node satisfies one block or another, as a third says.
        If(id: Id<Condition>),
        /// An object that has a member satisfies a block.
        DependentSchemas(id: Id<NamedBlocks>),
        /// The first items of an array satisfy a block each.
        PrefixItems(blocks: Blocks),
        /// The items of an array from an index on satisfy a block.
        EachItem(number: u32, block: BlockId),
        /// So many items of an array satisfy a block.
        Contains(id: Id<Contains>),
        /// Members satisfy a block by their name.
        Properties(id: Id<NamedBlocks>),
        /// Members satisfy the blocks of the patterns that match their name.
        PatternProperties(id: Id<PatternBlocks>),
        /// All other members satisfy a block.
        AdditionalProperties(id: Id<Additional>),
        /// Every name of an object satisfies a block.
        EachName(block: BlockId),
        /// The items that nothing has evaluated satisfy a block.
        UnevaluatedItems(block: BlockId),
        /// The members that nothing has evaluated satisfy a block.
        UnevaluatedProperties(block: BlockId),
    }
    Fast {
        /// The node is a number within an interval: all that a block says of numbers.
        InRange(id: Id<Interval>),
        /// A text has a length, matches a pattern and is of a format: several of these at once.
        Text(id: Id<Text>),
        /// All that a block asks of an array's length and items, in one walk.
        Items(id: Id<Items>),
        /// All that a block asks of an object's members, in one walk.
        Members(id: Id<Members>),
        /// As `Members`, with patterns.
        MembersByPattern(id: Id<Members>),
        /// All members satisfy a block, whatever their name.
        EachMember(block: BlockId),
        /// The node satisfies a block or more, exactly one, or all of those that the value of a member leaves.
        Pick(id: Id<Pick>),
        /// `UnevaluatedItems` and `UnevaluatedProperties`, with the unions and conditions on which it depends what has been
        /// evaluated.
        Unevaluated(id: Id<Unevaluated>),
    }
}

/// The value that an assertion compares a node with.
#[derive(Clone, Copy)]
pub(crate) enum Operand<'p> {
    Nothing,
    /// The items of an array, with each other.
    Items,
    Types(TypeSet),
    Value(&'p Value),
    Values(&'p Enumeration),
    Number(&'p Bound),
    Multiple(&'p Multiple),
    Count(u64),
    Pattern(&'p Pattern),
    Format(&'p Format),
    Content(Content),
    Names(&'p NameTable),
    Dependent(&'p DependentNames),
}

impl Assertion {
    /// Describes an assertion: the types that it is about, where values of others pass, and what it compares them with.
    pub(crate) fn describe(self, program: &Program) -> (TypeSet, Operand<'_>) {
        const NUMBER: TypeSet = TypeSet::NONE.with(Type::Number);
        const TEXT: TypeSet = TypeSet::NONE.with(Type::String);
        const ARRAY: TypeSet = TypeSet::NONE.with(Type::Array);
        const OBJECT: TypeSet = TypeSet::NONE.with(Type::Object);
        let count = |id: Id<u64>| Operand::Count(program.counts[id]);
        match self {
            Assertion::Never => (TypeSet::ALL, Operand::Nothing),
            Assertion::Type(types) | Assertion::TypeAsWritten(types) => (TypeSet::ALL, Operand::Types(types)),
            Assertion::Equals(id) => (TypeSet::ALL, Operand::Value(&program.constants[id])),
            Assertion::IsOneOf(id) => (TypeSet::ALL, Operand::Values(&program.enumerations[id])),
            Assertion::AtLeast(id) | Assertion::AtMost(id) | Assertion::Above(id) | Assertion::Below(id) => {
                (NUMBER, Operand::Number(&program.numbers[id]))
            }
            Assertion::MultipleOf(id) => (NUMBER, Operand::Multiple(&program.multiples[id])),
            Assertion::LengthAtLeast(id) | Assertion::LengthAtMost(id) => (TEXT, count(id)),
            Assertion::Matches(id) => (TEXT, Operand::Pattern(&program.patterns[id])),
            Assertion::HasFormat(id) => (TEXT, Operand::Format(&program.formats[id])),
            Assertion::HasContent(content) => (TEXT, Operand::Content(content)),
            Assertion::ItemsAtLeast(id) | Assertion::ItemsAtMost(id) => (ARRAY, count(id)),
            Assertion::UniqueItems => (ARRAY, Operand::Items),
            Assertion::MembersAtLeast(id) | Assertion::MembersAtMost(id) => (OBJECT, count(id)),
            Assertion::Required(id) => (OBJECT, Operand::Names(&program.names[id])),
            Assertion::DependentRequired(id) => (OBJECT, Operand::Dependent(&program.dependent_names[id])),
        }
    }
}

impl Plain {
    /// The instruction for verdicts that says the same; none for what only annotates.
    #[inline]
    pub(crate) fn for_verdicts(self) -> Option<Fast> {
        match self {
            Plain::Assert(assertion) => Some(Fast::Assert(assertion)),
            Plain::Apply(applicator) => Some(Fast::Apply(applicator)),
            Plain::Annotate(_) | Plain::AnnotateText(_) => None,
        }
    }
}

impl Fast {
    /// Whether it counts the level of what it runs, where it is alone at a gate.
    pub(crate) fn counts_its_level(self) -> bool {
        matches!(
            self,
            Fast::Members(_)
                | Fast::EachMember(_)
                | Fast::Items(_)
                | Fast::Pick(_)
                | Fast::Apply(Applicator::EachItem(..) | Applicator::AnyOf(_) | Applicator::OneOf(_))
        )
    }
}

impl From<Assertion> for Plain {
    fn from(assertion: Assertion) -> Plain {
        Plain::Assert(assertion)
    }
}

impl From<Applicator> for Plain {
    fn from(applicator: Applicator) -> Plain {
        Plain::Apply(applicator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_are_small() {
        assert_eq!((size_of::<Plain>(), size_of::<Flat>()), (12, 12));
    }
}
