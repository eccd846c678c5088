//! What a run may remember.
//!
//! The interpreter tells its [`Report`] where it goes: into a block, through an instruction, and
//! whether that held. [`Quiet`] forgets it all, at no cost. A [`Trace`] keeps a tree, from which errors,
//! annotations and every output format are read. So all of them come from one interpreter.

pub(crate) mod annotations;
mod cause;
mod chain;
mod closest;
pub(crate) mod errors;
pub(crate) mod hints;
mod list;
mod place;
mod sketch;
mod tagged;
pub(crate) mod telling;
mod trace;
mod trail;
mod tree;
pub(crate) mod unknown;

pub(crate) use cause::{Cause, Excerpt, Misspelt, Places};
pub(crate) use chain::{Chain, Link, Links};
pub(crate) use errors::kind;
pub(crate) use list::{Findings, Room, is_test, list};
pub(crate) use place::Place;
pub(crate) use telling::Telling;
pub(crate) use trace::{Failed, Keep, Trace};
pub(crate) use trail::{Container, End, Trail};
pub(crate) use tree::{Tree, UnitKind};

use crate::instance::Node;
use crate::limits::{Budget, Stopped};
use crate::program::{Annotation, Block, BlockId, Id, Instruction, Program};
use hints::Hints;
use stanchion_vocab::Keyword;
use std::sync::Arc;

/// What a run tells, and to whom.
pub(crate) trait Report {
    /// Whether the run may stop at the first instruction that does not hold.
    const STOPS: bool;

    /// Whether the run remembers verdicts.
    const REMEMBERS: bool;

    /// Whether the run tells of each block that it asked and that refused.
    const LEAVES_TRAIL: bool;

    /// Whether the run remembers the verdicts of this block.
    fn recalls(&self, block: &Block) -> bool;

    /// Whether there is something to tell about a block with that verdict.
    fn wants(&mut self, holds: bool) -> bool;

    /// Whether there is something to tell about a block that was run only to see whether it holds, as by `if` or `not`.
    fn wants_probes(&self) -> bool;

    /// A block refused a node, in a run for a verdict.
    #[inline]
    fn refused<'a, N: Node<'a>>(&mut self, _: BlockId, _: N) {}

    /// An instruction of fast code did not hold, in a run for a verdict.
    #[inline]
    fn failed(&mut self, _at: u32) {}

    /// A walk over the children of a container ended at one that was refused, or behind all of them, as one is missing; in a
    /// run for a verdict.
    #[inline]
    fn stopped(&mut self, _walk: Instruction, _container: usize, _end: End) {}

    /// Whether annotations are kept, and all that was evaluated with them.
    fn wants_notes(&self) -> bool;

    /// Whether there is nothing more to tell about what failed already.
    fn is_done(&self) -> bool;

    /// A union starts, of which it is known that it refuses. Its branches are then told one by one, within bounds of their own.
    fn open_union(&mut self, budget: &mut Budget) -> Result<UnionBounds, Stopped>;

    /// A branch of that union starts. The errors of one that is clearly the closest are those of the union.
    fn open_branch(&mut self, bounds: &mut UnionBounds, is_clear: bool);

    /// That branch refuses an object for the value of a discriminator, and no more is to be told of it.
    fn tagged<'a, N: Node<'a>>(
        &mut self,
        _: &mut Budget,
        _: &Program,
        _branch: (Edge<'_>, BlockId),
        _tag: (&str, N),
    ) -> Result<(), Stopped> {
        Ok(())
    }

    /// That branch ends.
    fn close_branch(&mut self, bounds: &mut UnionBounds, is_clear: bool);

    /// The union ends.
    fn close_union(&mut self, bounds: UnionBounds);

    /// A block starts that may fail without being an error: a branch, or a condition. If that is kept, then within bounds of its own.
    fn open_aside(&mut self) -> Aside;

    /// That block ends.
    fn close_aside(&mut self, aside: Aside);

    /// A block starts, on the node that `step` leads to. Its verdict is known.
    fn open_block(
        &mut self,
        budget: &mut Budget,
        edge: Edge<'_>,
        step: Step<'_>,
        block: BlockId,
        holds: bool,
    ) -> Result<(), Stopped>;

    /// The block that was opened last ends.
    fn close_block(&mut self, budget: &mut Budget);

    /// An instruction starts.
    fn open_keyword(&mut self, budget: &mut Budget, at: u32) -> Result<(), Stopped>;

    /// The instruction that was opened last ends.
    fn close_keyword<'a, N: Node<'a>>(
        &mut self,
        budget: &mut Budget,
        program: &Program,
        holds: bool,
        node: N,
    ) -> Result<(), Stopped>;

    /// The instruction annotates the node with a value of the schema.
    fn annotate(&mut self, annotation: Id<Annotation>);

    /// The instruction has found something out about the node.
    fn note(&mut self, budget: &mut Budget, note: impl FnOnce() -> Note) -> Result<(), Stopped>;
}

/// How much is told about a union, and what the bounds around it were.
#[derive(Debug, Default)]
pub(crate) struct UnionBounds {
    around: Bounds,
    /// The failures that are kept of a branch, and of all that are not told yet.
    each: usize,
    room: usize,
    /// Where the units of the branch start.
    start: usize,
}

/// What the bounds around a block were that is no error if it fails, and where its units start.
#[derive(Debug, Default)]
pub(crate) struct Aside {
    around: Bounds,
    start: usize,
}

/// How much may be told, and has been.
#[derive(Clone, Copy, Debug, Default)]
struct Bounds {
    failures: usize,
    limit: usize,
    /// Within a union: how many failures may still be told of it.
    room: Option<usize>,
    /// How many units there were when a failure was first left out.
    cut_at: Option<usize>,
}

/// The way from a block to one that it runs: a keyword, and what stands below it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<'e> {
    pub(crate) from: EdgeFrom,
    pub(crate) token: Token<'e>,
}

/// The keyword of an [`Edge`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum EdgeFrom {
    /// None: the root.
    Root,
    /// That of an instruction.
    Instruction(u32),
    /// Another one.
    Keyword(Keyword),
}

/// What stands below a keyword on the way to a subschema.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Token<'e> {
    Nothing,
    Item(usize),
    Member(&'e str),
    /// The member that the step leads to.
    Step,
}

impl<'e> Edge<'e> {
    pub(crate) const ROOT: Edge<'static> = Edge { from: EdgeFrom::Root, token: Token::Nothing };

    #[inline]
    pub(crate) fn keyword(at: u32) -> Edge<'static> {
        Edge { from: EdgeFrom::Instruction(at), token: Token::Nothing }
    }

    #[inline]
    pub(crate) fn item(at: u32, index: usize) -> Edge<'static> {
        Edge { from: EdgeFrom::Instruction(at), token: Token::Item(index) }
    }

    #[inline]
    pub(crate) fn member(at: u32, name: &'e str) -> Edge<'e> {
        Edge { from: EdgeFrom::Instruction(at), token: Token::Member(name) }
    }

    /// To what stands below the keyword under the name of the member.
    #[inline]
    pub(crate) fn property(at: u32) -> Edge<'static> {
        Edge { from: EdgeFrom::Instruction(at), token: Token::Step }
    }

    #[inline]
    pub(crate) fn of(keyword: Keyword) -> Edge<'static> {
        Edge { from: EdgeFrom::Keyword(keyword), token: Token::Nothing }
    }
}

/// The way from a node to the one that a block runs on.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Step<'s> {
    /// The same node.
    Here,
    /// An item.
    Item(usize),
    /// A member.
    Member(&'s str),
    /// A member whose name the schema has too.
    Property(&'s Arc<str>),
    /// The name of a member, as a value of its own.
    Name(&'s str),
}

impl<'s> Step<'s> {
    /// The name of a member.
    pub(crate) fn text(self) -> &'s str {
        match self {
            Step::Here | Step::Item(_) => "",
            Step::Member(name) | Step::Name(name) => name,
            Step::Property(name) => name,
        }
    }
}

/// What an instruction found out, which is its annotation.
#[derive(Clone, Debug)]
pub(crate) enum Note {
    /// All items.
    Whole,
    /// Items up to this one.
    Index(usize),
    /// These items.
    Places(Vec<usize>),
    /// These members.
    Names(Vec<String>),
    /// These branches held. No annotation.
    Branches(Vec<usize>),
    /// No branch held. No annotation.
    Union(Hints),
}

impl Note {
    /// The memory that it takes, about.
    fn bytes(&self) -> usize {
        match self {
            Note::Whole | Note::Index(_) => 0,
            Note::Places(places) | Note::Branches(places) => places.len() * size_of::<usize>(),
            Note::Union(hints) => hints.branches.len() * size_of::<hints::Hint>(),
            Note::Names(names) => names.iter().map(|name| size_of::<String>() + name.len()).sum(),
        }
    }
}

/// Remembers nothing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quiet;

/// Remembers verdicts, and tells nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Recalling {
    /// Those of blocks that more than one way leads to.
    Shared,
    /// All that cost something.
    All,
}

impl Silent for Quiet {
    const REMEMBERS: bool = false;

    #[inline]
    fn recalls(&self, _: &Block) -> bool {
        false
    }
}

impl Silent for Recalling {
    const REMEMBERS: bool = true;

    #[inline]
    fn recalls(&self, block: &Block) -> bool {
        match self {
            Recalling::Shared => block.is_shared,
            Recalling::All => !block.is_leaf,
        }
    }
}

/// A report that tells nothing, so that the run may stop at the first failure.
pub(crate) trait Silent {
    const REMEMBERS: bool;
    const LEAVES_TRAIL: bool = false;

    fn recalls(&self, block: &Block) -> bool;

    #[inline]
    fn refused<'a, N: Node<'a>>(&mut self, _: BlockId, _: N) {}

    #[inline]
    fn failed(&mut self, _at: u32) {}

    #[inline]
    fn stopped(&mut self, _walk: Instruction, _container: usize, _end: End) {}
}

impl<S: Silent> Report for S {
    const STOPS: bool = true;
    const REMEMBERS: bool = S::REMEMBERS;
    const LEAVES_TRAIL: bool = S::LEAVES_TRAIL;

    #[inline]
    fn recalls(&self, block: &Block) -> bool {
        Silent::recalls(self, block)
    }

    #[inline]
    fn refused<'a, N: Node<'a>>(&mut self, block: BlockId, node: N) {
        Silent::refused(self, block, node);
    }

    #[inline]
    fn failed(&mut self, at: u32) {
        Silent::failed(self, at);
    }

    #[inline]
    fn stopped(&mut self, walk: Instruction, container: usize, end: End) {
        Silent::stopped(self, walk, container, end);
    }

    #[inline]
    fn wants(&mut self, _: bool) -> bool {
        false
    }

    #[inline]
    fn wants_probes(&self) -> bool {
        true
    }

    #[inline]
    fn wants_notes(&self) -> bool {
        false
    }

    #[inline]
    fn is_done(&self) -> bool {
        true
    }

    fn open_union(&mut self, _: &mut Budget) -> Result<UnionBounds, Stopped> {
        Ok(UnionBounds::default())
    }

    fn open_branch(&mut self, _: &mut UnionBounds, _: bool) {}

    fn close_branch(&mut self, _: &mut UnionBounds, _: bool) {}

    fn close_union(&mut self, _: UnionBounds) {}

    #[inline]
    fn open_aside(&mut self) -> Aside {
        Aside::default()
    }

    #[inline]
    fn close_aside(&mut self, _: Aside) {}

    #[inline]
    fn open_block(
        &mut self,
        _: &mut Budget,
        _: Edge<'_>,
        _: Step<'_>,
        _: BlockId,
        _: bool,
    ) -> Result<(), Stopped> {
        Ok(())
    }

    #[inline]
    fn close_block(&mut self, _: &mut Budget) {}

    #[inline]
    fn open_keyword(&mut self, _: &mut Budget, _: u32) -> Result<(), Stopped> {
        Ok(())
    }

    #[inline]
    fn close_keyword<'a, N: Node<'a>>(
        &mut self,
        _: &mut Budget,
        _: &Program,
        _: bool,
        _: N,
    ) -> Result<(), Stopped> {
        Ok(())
    }

    #[inline]
    fn annotate(&mut self, _: Id<Annotation>) {}

    #[inline]
    fn note(&mut self, _: &mut Budget, _: impl FnOnce() -> Note) -> Result<(), Stopped> {
        Ok(())
    }
}
