//! How an applicator says what it applies: to this node these blocks, to these children those, each by an edge of the schema.
//!
//! Every applicator describes that once, in its own file, to whoever implements [`Apply`]. A run asks each block for its verdict and ends
//! at the first that does not hold; an explanation goes into those that do not hold, or into all of them.
//!
//! ```text
//! {"properties": {"a": X}}  on  {"a": 1, "b": 2}    child  /properties/a  →  member "a"  X
//! {"allOf": [X, Y]}         on  any node            here   /allOf/0                      X
//!                                                   here   /allOf/1                      Y
//! {"if": X, "then": Y}      on  any node            test   /if                           X
//!                                                   here   /then                         Y
//! ```

use super::{condition, dependent, items, logic, properties, property_names, reference, unevaluated};
use crate::instance::Node;
use crate::limits::{Budget, Stopped};
use crate::program::{BlockId, Blocks, Contains, Id, Instruction, Pattern, Program};
use crate::run::Marks;
use stanchion_vocab::Keyword;
use std::sync::Arc;

/// What a description is told to.
pub(crate) trait Apply<'a> {
    /// Pays for the work of a description.
    fn budget(&mut self) -> &mut Budget;

    /// The block that the dynamic scope has for an anchor.
    fn dynamic_target(&self, anchor: u32) -> Option<BlockId>;

    /// What has been evaluated on the node so far.
    fn marks(&mut self) -> &mut Marks;

    /// A block that is run on the node only to see whether it holds.
    fn test<N: Node<'a>>(&mut self, edge: Edge<'_>, block: BlockId, node: N) -> Result<bool, Halt>;

    /// A block that the node itself has to satisfy.
    fn here<N: Node<'a>>(&mut self, edge: Edge<'_>, block: BlockId, node: N) -> Result<(), Halt>;

    /// A block that a child of the node has to satisfy. The child counts as evaluated.
    fn child<N: Node<'a>>(
        &mut self,
        edge: Edge<'_>,
        step: Step<'_>,
        block: BlockId,
        node: N,
    ) -> Result<(), Halt>;
}

/// Why a description ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Halt {
    /// The run gave up; its budget knows why.
    Stopped,
    /// Nothing more is asked.
    Enough,
}

impl From<Stopped> for Halt {
    fn from(_: Stopped) -> Halt {
        Halt::Stopped
    }
}

/// The way from a block to one that it applies: a keyword, and what stands below it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<'e> {
    /// The keyword where it is not that of the instruction: `then` and `else`.
    pub(crate) keyword: Option<Keyword>,
    pub(crate) token: Token<'e>,
}

/// What stands below a keyword on the way to a subschema.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token<'e> {
    /// Nothing: the keyword's value is the subschema.
    Nothing,
    /// A place in an array.
    Item(usize),
    /// A name.
    Member(&'e Arc<str>),
    /// A pattern.
    Pattern(Id<Pattern>),
}

impl<'e> Edge<'e> {
    /// To the keyword's own value.
    pub(crate) const VALUE: Edge<'static> = Edge { keyword: None, token: Token::Nothing };

    /// To an item of the keyword's value.
    pub(crate) fn item(index: usize) -> Edge<'static> {
        Edge { keyword: None, token: Token::Item(index) }
    }

    /// To a member of the keyword's value.
    pub(crate) fn member(name: &'e Arc<str>) -> Edge<'e> {
        Edge { keyword: None, token: Token::Member(name) }
    }

    /// To a member of the keyword's value whose name is a pattern.
    pub(crate) fn pattern(pattern: Id<Pattern>) -> Edge<'static> {
        Edge { keyword: None, token: Token::Pattern(pattern) }
    }

    /// To the value of a keyword beside that of the instruction.
    pub(crate) fn of(keyword: Keyword) -> Edge<'static> {
        Edge { keyword: Some(keyword), token: Token::Nothing }
    }
}

/// The way from a node to one of its children.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'s> {
    /// An item.
    Item(usize),
    /// A member: its place, and its name.
    Member(usize, &'s str),
    /// A member whose name the schema has too.
    Property(usize, &'s Arc<str>),
    /// The name of a member, as a value of its own.
    Name(&'s str),
}

impl Step<'_> {
    /// The place of the child that is evaluated.
    #[inline]
    pub(crate) fn place(self) -> Option<usize> {
        match self {
            Step::Item(place) | Step::Member(place, _) | Step::Property(place, _) => Some(place),
            Step::Name(_) => None,
        }
    }
}

/// What an instruction of plain code is for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Role {
    /// It looks at the node, and applies no blocks.
    Assert,
    /// All blocks that it applies have to hold, and it has described them.
    All,
    /// Some of the branches have to hold: exactly one, or one or more.
    Union { branches: Blocks, is_one: bool },
    /// The block must not hold.
    Not(BlockId),
    /// So many items have to satisfy a block.
    Contains(Id<Contains>),
    /// It says something of the node, or only of texts.
    Annotate { only_text: bool },
}

/// Describes what an instruction of plain code applies to a node, if that is blocks which all have to hold. Returns what it is for.
pub(crate) fn describe<'a, N: Node<'a>>(
    program: &Program,
    instruction: Instruction,
    node: N,
    apply: &mut impl Apply<'a>,
) -> Result<Role, Halt> {
    match instruction {
        Instruction::Call(block) => apply.here(Edge::VALUE, block, node)?,
        Instruction::DynamicCall(anchor, otherwise) => {
            reference::apply_dynamic(apply, anchor, otherwise, node)?;
        }
        Instruction::AllOf(blocks) => logic::apply_all_of(program, apply, blocks, node)?,
        Instruction::If(condition) => condition::apply(program, apply, condition, node)?,
        Instruction::DependentSchemas(named) => dependent::apply_schemas(program, apply, named, node)?,
        Instruction::PrefixItems(blocks) => items::apply_prefix(program, apply, blocks, node)?,
        Instruction::EachItem(from, block) => items::apply_each(apply, from, block, node)?,
        Instruction::Properties(named) => properties::apply_named(program, apply, named, node)?,
        Instruction::PatternProperties(id) => properties::apply_patterned(program, apply, id, node)?,
        Instruction::AdditionalProperties(id) => properties::apply_additional(program, apply, id, node)?,
        Instruction::EachName(block) => property_names::apply_each(apply, block, node)?,
        Instruction::UnevaluatedItems(block) => unevaluated::apply_items(apply, block, node)?,
        Instruction::UnevaluatedProperties(block) => unevaluated::apply_properties(apply, block, node)?,
        Instruction::AnyOf(branches) => return Ok(Role::Union { branches, is_one: false }),
        Instruction::OneOf(branches) => return Ok(Role::Union { branches, is_one: true }),
        Instruction::Not(block) => return Ok(Role::Not(block)),
        Instruction::Contains(id) => return Ok(Role::Contains(id)),
        Instruction::Annotate(_) => return Ok(Role::Annotate { only_text: false }),
        Instruction::AnnotateText(_) => return Ok(Role::Annotate { only_text: true }),
        Instruction::Never
        | Instruction::Type(_)
        | Instruction::TypeAsWritten(_)
        | Instruction::Equals(_)
        | Instruction::IsOneOf(_)
        | Instruction::AtLeast(_)
        | Instruction::AtMost(_)
        | Instruction::Above(_)
        | Instruction::Below(_)
        | Instruction::MultipleOf(_)
        | Instruction::InRange(_)
        | Instruction::LengthAtLeast(_)
        | Instruction::LengthAtMost(_)
        | Instruction::Matches(_)
        | Instruction::HasFormat(_)
        | Instruction::Text(_)
        | Instruction::HasContent(_)
        | Instruction::ItemsAtLeast(_)
        | Instruction::ItemsAtMost(_)
        | Instruction::UniqueItems
        | Instruction::MembersAtLeast(_)
        | Instruction::MembersAtMost(_)
        | Instruction::Required(_)
        | Instruction::DependentRequired(_)
        | Instruction::Items(_)
        | Instruction::Members(_)
        | Instruction::MembersByPattern(_)
        | Instruction::EachMember(_)
        | Instruction::Pick(_)
        | Instruction::Unevaluated(_) => return Ok(Role::Assert),
    }
    Ok(Role::All)
}
