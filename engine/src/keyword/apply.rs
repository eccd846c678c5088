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
use crate::program::{Applicator, BlockId, Blocks, Contains, Id, NamedBlocks, Pattern, Program, Reach};
use crate::run::Marks;
use stanchion_vocab::{Keyword, Type, TypeSet};
use std::sync::Arc;

/// A receiver of descriptions: a run or a walk.
pub(crate) trait Apply<'a> {
    /// Pays for the work of a description.
    fn budget(&mut self) -> &mut Budget;

    /// The block that the dynamic scope has for an anchor.
    fn dynamic_target(&self, anchor: u32) -> Option<BlockId>;

    /// The children of the node that have been evaluated so far.
    fn marks(&mut self) -> &mut Marks;

    /// A block that is run on the node only to see whether it holds.
    fn test<N: Node<'a>>(&mut self, edge: Edge, block: BlockId, node: N) -> Result<bool, Halt>;

    /// A block that the node itself has to satisfy.
    fn here<N: Node<'a>>(&mut self, edge: Edge, block: BlockId, node: N) -> Result<(), Halt>;

    /// A block that a child of the node has to satisfy. The child counts as evaluated.
    fn child<N: Node<'a>>(&mut self, edge: Edge, step: Step<'_>, block: BlockId, node: N)
    -> Result<(), Halt>;
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
pub(crate) struct Edge {
    /// The keyword where it is not that of the instruction: `then` and `else`.
    pub(crate) keyword: Option<Keyword>,
    pub(crate) token: Token,
}

/// The path below a keyword to a subschema.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token {
    /// Nothing: the keyword's value is the subschema.
    Nothing,
    /// A place in an array.
    Item(usize),
    /// A name, by its index in a table.
    Member(Id<NamedBlocks>, u32),
    /// A pattern.
    Pattern(Id<Pattern>),
}

impl Edge {
    /// To the keyword's own value.
    pub(crate) const VALUE: Edge = Edge { keyword: None, token: Token::Nothing };

    /// To an item of the keyword's value.
    pub(crate) fn item(index: usize) -> Edge {
        Edge { keyword: None, token: Token::Item(index) }
    }

    /// To a member of the keyword's value.
    pub(crate) fn member(named: Id<NamedBlocks>, index: usize) -> Edge {
        Edge { keyword: None, token: Token::Member(named, index as u32) }
    }

    /// To a member of the keyword's value whose name is a pattern.
    pub(crate) fn pattern(pattern: Id<Pattern>) -> Edge {
        Edge { keyword: None, token: Token::Pattern(pattern) }
    }

    /// The index in an array that it leads to; 0 if it leads to none.
    pub(crate) fn index(self) -> u32 {
        if let Token::Item(index) = self.token { index as u32 } else { 0 }
    }

    /// The name that it leads to, if it does to one.
    pub(crate) fn name(self, program: &Program) -> Option<&Arc<str>> {
        let Token::Member(named, index) = self.token else { return None };
        Some(program.named_blocks[named].names.share(index as usize))
    }

    /// To the value of a keyword beside that of the instruction.
    pub(crate) fn of(keyword: Keyword) -> Edge {
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

/// The nodes that a block is applied to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum On {
    /// The node, which has to satisfy it.
    Node,
    /// The node, which has to satisfy it if the dynamic scope has no other block for the anchor.
    Scope(u32),
    /// The node, which has to satisfy it if it has the member that the edge names.
    NodeWith,
    /// The node. Whether it has to satisfy it depends on other blocks.
    Branch,
    /// The node, to see whether it satisfies it.
    Test,
    /// The node, which must not satisfy it.
    Not,
    /// The item at the index that the edge has.
    Item,
    /// The items from an index on.
    ItemsFrom(u32),
    /// Some of the items.
    SomeItems,
    /// The items that nothing has evaluated.
    UnevaluatedItems,
    /// The member that the edge names.
    Member,
    /// The members whose names match the pattern that the edge has.
    MatchingMembers,
    /// The members that no name and no pattern speaks of.
    OtherMembers,
    /// The members that nothing has evaluated.
    UnevaluatedMembers,
    /// The names of all members.
    Names,
}

impl On {
    /// How far a run goes for it.
    pub(crate) fn reach(self) -> Reach {
        match self {
            On::Node | On::NodeWith | On::Branch | On::Test | On::Not => Reach::Node,
            On::Scope(_) => Reach::Scope,
            On::Item | On::ItemsFrom(_) | On::SomeItems | On::UnevaluatedItems => Reach::Below,
            On::Member | On::MatchingMembers | On::OtherMembers | On::UnevaluatedMembers | On::Names => {
                Reach::Below
            }
        }
    }

    /// The types of the values that it is about. Values of other types pass.
    pub(crate) fn about(self) -> TypeSet {
        match self {
            On::Node | On::Scope(_) | On::Branch | On::Test | On::Not => TypeSet::ALL,
            On::Item | On::ItemsFrom(_) | On::SomeItems | On::UnevaluatedItems => {
                TypeSet::NONE.with(Type::Array)
            }
            On::NodeWith
            | On::Member
            | On::MatchingMembers
            | On::OtherMembers
            | On::UnevaluatedMembers
            | On::Names => TypeSet::NONE.with(Type::Object),
        }
    }
}

/// How the verdict of an applicator follows from its blocks, and what it evaluates.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Role {
    /// All blocks that it has described have to hold.
    All,
    /// As `All`, and it evaluates the first items.
    FirstItems,
    /// As `All`, and it evaluates items.
    Items,
    /// As `All`, and it evaluates members.
    Members,
    /// Some of the branches have to hold: exactly one, or one or more.
    Union { branches: Blocks, is_one: bool },
    /// The block must not hold.
    Not(BlockId),
    /// So many items have to satisfy a block.
    Contains(Id<Contains>),
}

impl Applicator {
    /// Calls `visit` for each block that it applies to some node: by which edge, to what. Of a dynamic call this is
    /// the block that it applies if the scope has none; the others are in [`Program::anchors`].
    pub(crate) fn edges(self, program: &Program, mut visit: impl FnMut(Edge, On, BlockId)) {
        match self {
            Applicator::Call(block) => visit(Edge::VALUE, On::Node, block),
            Applicator::DynamicCall(anchor, block) => visit(Edge::VALUE, On::Scope(anchor), block),
            Applicator::AllOf(blocks) => {
                logic::branches(program, blocks).for_each(|(edge, block)| visit(edge, On::Node, block));
            }
            Applicator::AnyOf(blocks) | Applicator::OneOf(blocks) => {
                logic::branches(program, blocks).for_each(|(edge, block)| visit(edge, On::Branch, block));
            }
            Applicator::Not(block) => visit(Edge::VALUE, On::Not, block),
            Applicator::If(id) => condition::edges(&program.conditions[id], visit),
            Applicator::DependentSchemas(id) => {
                let edges = properties::edges(program, id);
                edges.for_each(|(edge, block)| visit(edge, On::NodeWith, block));
            }
            Applicator::PrefixItems(blocks) => {
                logic::branches(program, blocks).for_each(|(edge, block)| visit(edge, On::Item, block));
            }
            Applicator::EachItem(from, block) => visit(Edge::VALUE, On::ItemsFrom(from), block),
            Applicator::Contains(id) => visit(Edge::VALUE, On::SomeItems, program.contains[id].block),
            Applicator::Properties(id) => {
                let edges = properties::edges(program, id);
                edges.for_each(|(edge, block)| visit(edge, On::Member, block));
            }
            Applicator::PatternProperties(id) => {
                let patterns = program.pattern_blocks[id].iter();
                patterns
                    .for_each(|(pattern, block)| visit(Edge::pattern(pattern), On::MatchingMembers, block));
            }
            Applicator::AdditionalProperties(id) => {
                visit(Edge::VALUE, On::OtherMembers, program.additional[id].block);
            }
            Applicator::EachName(block) => visit(Edge::VALUE, On::Names, block),
            Applicator::UnevaluatedItems(block) => visit(Edge::VALUE, On::UnevaluatedItems, block),
            Applicator::UnevaluatedProperties(block) => visit(Edge::VALUE, On::UnevaluatedMembers, block),
        }
    }

    /// Describes to `apply` which blocks it applies to a node and its children, if all of these have to hold. Returns how its
    /// verdict follows from them.
    pub(crate) fn apply<'a, N: Node<'a>>(
        self,
        program: &Program,
        node: N,
        apply: &mut impl Apply<'a>,
    ) -> Result<Role, Halt> {
        let is_one = matches!(self, Applicator::OneOf(_));
        match self {
            Applicator::AnyOf(branches) | Applicator::OneOf(branches) => {
                return Ok(Role::Union { branches, is_one });
            }
            Applicator::Not(block) => return Ok(Role::Not(block)),
            Applicator::Contains(id) => return Ok(Role::Contains(id)),
            Applicator::Call(block) => apply.here(Edge::VALUE, block, node)?,
            Applicator::DynamicCall(anchor, otherwise) => {
                reference::apply_dynamic(apply, anchor, otherwise, node)?;
            }
            Applicator::AllOf(blocks) => logic::apply_all_of(program, apply, blocks, node)?,
            Applicator::If(condition) => condition::apply(program, apply, condition, node)?,
            Applicator::DependentSchemas(named) => dependent::apply_schemas(program, apply, named, node)?,
            Applicator::EachName(block) => property_names::apply_each(apply, block, node)?,
            Applicator::PrefixItems(blocks) => {
                items::apply_prefix(program, apply, blocks, node)?;
                return Ok(Role::FirstItems);
            }
            Applicator::EachItem(from, block) => {
                items::apply_each(apply, from, block, node)?;
                return Ok(Role::Items);
            }
            Applicator::UnevaluatedItems(block) => {
                unevaluated::apply_items(apply, block, node)?;
                return Ok(Role::Items);
            }
            Applicator::Properties(named) => {
                properties::apply_named(program, apply, named, node)?;
                return Ok(Role::Members);
            }
            Applicator::PatternProperties(id) => {
                properties::apply_patterned(program, apply, id, node)?;
                return Ok(Role::Members);
            }
            Applicator::AdditionalProperties(id) => {
                properties::apply_additional(program, apply, id, node)?;
                return Ok(Role::Members);
            }
            Applicator::UnevaluatedProperties(block) => {
                unevaluated::apply_properties(apply, block, node)?;
                return Ok(Role::Members);
            }
        }
        Ok(Role::All)
    }
}
