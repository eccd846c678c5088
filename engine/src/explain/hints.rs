//! Hints about the branches of a union that reject a node, from their code alone: see [`union`](super::union).
//!
//! Each branch is read as far as it speaks of the node itself: its own instructions, and those of what it calls. Nothing is
//! run but blocks with a `const` or an `enum`, on members that may be discriminators.

use crate::instance::{Node, Object};
use crate::limits::Stopped;
use crate::program::{Applicator, Assertion, BlockId, Plain, Program};
use crate::run::Asker;
use smallvec::SmallVec;
use stanchion_vocab::{Type, TypeSet};
use std::sync::Arc;

/// Hints about all branches of a union.
#[derive(Debug)]
pub(super) struct UnionHints {
    /// By branch.
    pub(super) branches: Vec<Closeness>,
    /// Whether there is a discriminator, and no branch takes its value.
    pub(super) is_unmatched: bool,
    /// A discriminator that distinguishes all branches which take such values: one branch takes its value, or none does
    /// where none does of any discriminator.
    pub(super) tag: Option<Arc<str>>,
}

/// How close a branch looks; more is closer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Closeness {
    pub(super) class: Class,
    /// How many members of the object the branch has among its `properties`.
    overlap: u16,
}

/// How close a branch looks by type and discriminator; more is closer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// It takes no value of that type.
    OtherType,
    /// It has another value for the discriminator.
    OtherTag,
    /// Neither says anything.
    #[default]
    Unknown,
    /// It has that value for the discriminator.
    SameTag,
}

/// So many blocks are read for a branch.
const BLOCKS: usize = 16;

/// So many members of a branch may be discriminators.
const TAGS: usize = 8;

/// Members that a branch gives by a constant: their names, and whether the object has those values.
type Tags<'p> = SmallVec<[(&'p Arc<str>, bool); 2]>;

/// Finds hints about the branches of a union.
pub(super) fn find<'a, N: Node<'a>>(
    ask: &mut Asker<'_>,
    branches: &[BlockId],
    node: N,
) -> Result<UnionHints, Stopped> {
    let (program, kind) = (ask.program(), node.view().kind());
    ask.budget().hold(branches.len() * (size_of::<Closeness>() + size_of::<Tags<'_>>()))?;
    let mut hints = Vec::with_capacity(branches.len());
    let mut tags: Vec<Tags<'_>> = Vec::with_capacity(branches.len());
    for &branch in branches {
        let mut hint = Closeness::default();
        let mut found = Tags::new();
        let code = code_on_node(program, &[branch]);
        ask.budget().spend(code.clone().count() as u64)?;
        let types = code.clone().fold(TypeSet::ALL, |types, code| types.and(types_of(program, code, 2)));
        if !types.has(kind) {
            hint.class = Class::OtherType;
        } else if let Some(object) = node.as_object() {
            for instruction in code {
                let Plain::Apply(Applicator::Properties(named)) = instruction else { continue };
                let named = &program.named_blocks[named];
                ask.budget().spend(object.len() as u64)?;
                for (name, value) in object.iter() {
                    let Some(index) = named.names.find_within(ask.budget(), name)? else { continue };
                    hint.overlap = hint.overlap.saturating_add(1);
                    if found.len() < TAGS
                        && let Some(takes) = takes(ask, named.blocks[index], value)?
                    {
                        found.push((named.names.share(index), takes));
                    }
                }
            }
        }
        hints.push(hint);
        tags.push(found);
    }
    ask.budget().release(branches.len() * (size_of::<Closeness>() + size_of::<Tags<'_>>()));
    Ok(classify(hints, &tags))
}

/// A member that branches give by a constant: how many do, and how many of them take its value.
struct Candidate<'p> {
    name: &'p Arc<str>,
    branches: usize,
    taking: usize,
}

/// Judges by the discriminators: the members that more than one branch gives by a constant.
fn classify(mut branches: Vec<Closeness>, tags: &[Tags<'_>]) -> UnionHints {
    let mut discriminators: SmallVec<[Candidate<'_>; TAGS]> = SmallVec::new();
    for &(name, takes) in tags.iter().flatten() {
        let taking = usize::from(takes);
        if let Some(known) = discriminators.iter_mut().find(|known| known.name == name) {
            known.branches += 1;
            known.taking += taking;
        } else if discriminators.len() < TAGS {
            discriminators.push(Candidate { name, branches: 1, taking });
        }
    }
    discriminators.retain(|candidate| candidate.branches > 1);
    for Candidate { name, .. } in discriminators.iter().filter(|candidate| candidate.taking > 0) {
        for (hint, tags) in branches.iter_mut().zip(tags) {
            hint.class = match takes_tag(tags, name) {
                Some(false) => hint.class.min(Class::OtherTag),
                Some(true) if hint.class == Class::Unknown => Class::SameTag,
                Some(true) | None => hint.class,
            };
        }
    }
    let has_match = branches.iter().any(|hint| hint.class == Class::SameTag);
    let decides = |candidate: &&Candidate<'_>| {
        let mut eligible = branches.iter().zip(tags).filter(|(hint, _)| hint.class != Class::OtherType);
        candidate.taking == usize::from(has_match)
            && eligible.all(|(_, tags)| takes_tag(tags, candidate.name).is_some())
    };
    let tag = discriminators.iter().find(decides).map(|candidate| Arc::clone(candidate.name));
    let is_unmatched = !has_match && discriminators.iter().any(|candidate| candidate.taking == 0);
    UnionHints { branches, is_unmatched, tag }
}

/// Whether a branch takes the value of a member that it gives by a constant; none, if it gives none.
fn takes_tag(tags: &Tags<'_>, name: &Arc<str>) -> Option<bool> {
    let same = tags.iter().filter(|(other, _)| *other == name);
    same.map(|&(_, takes)| takes).reduce(|one, other| one && other)
}

/// The instructions of some blocks, and of those that they apply to the same node by `$ref` and `allOf`.
pub(super) fn code_on_node<'p>(
    program: &'p Program,
    blocks: &[BlockId],
) -> impl Iterator<Item = Plain> + Clone + use<'p> {
    let mut open: SmallVec<[BlockId; BLOCKS]> = blocks.iter().copied().take(BLOCKS).collect();
    let mut next = 0;
    while let Some(&block) = open.get(next) {
        next += 1;
        for &instruction in program.plain_of(block) {
            if let Plain::Apply(Applicator::Call(block)) = instruction {
                open.push(block);
            } else if let Plain::Apply(Applicator::AllOf(blocks)) = instruction {
                open.extend(program.list(blocks).iter().copied().take(BLOCKS));
            }
        }
        open.truncate(BLOCKS);
    }
    open.into_iter().flat_map(|block| program.plain_of(block).iter().copied())
}

/// Whether a block that has a `const` or an `enum` takes a value; none, if it has neither.
fn takes<'a, N: Node<'a>>(ask: &mut Asker<'_>, block: BlockId, node: N) -> Result<Option<bool>, Stopped> {
    let is_constant = |code| matches!(code, Plain::Assert(Assertion::Equals(_) | Assertion::IsOneOf(_)));
    let has_constant = code_on_node(ask.program(), &[block]).any(is_constant);
    if has_constant { ask.holds(block, node).map(Some) } else { Ok(None) }
}

/// The types that an instruction leaves, as far as its code says. Branches of a union inside are read so many levels down.
pub(super) fn types_of(program: &Program, instruction: Plain, levels: u32) -> TypeSet {
    if let Plain::Assert(Assertion::Type(types)) | Plain::Assert(Assertion::TypeAsWritten(types)) =
        instruction
    {
        types
    } else if let Plain::Assert(Assertion::Equals(constant)) = instruction {
        TypeSet::NONE.with((&program.constants[constant]).view().kind())
    } else if let Plain::Assert(Assertion::IsOneOf(values)) = instruction {
        let values = &program.enumerations[values];
        if values.texts.len() > 0 { values.other_types.with(Type::String) } else { values.other_types }
    } else if let Plain::Apply(Applicator::AnyOf(blocks)) | Plain::Apply(Applicator::OneOf(blocks)) =
        instruction
        && levels > 0
        && program.list(blocks).len() <= BLOCKS
    {
        let branches = program.list(blocks).iter();
        branches.fold(TypeSet::NONE, |types, &branch| types.or(types_in(program, branch, levels - 1)))
    } else if instruction == Plain::Assert(Assertion::Never) {
        TypeSet::NONE
    } else {
        TypeSet::ALL
    }
}

/// The types that a block leaves, as far as its code says.
pub(super) fn types_in(program: &Program, block: BlockId, levels: u32) -> TypeSet {
    program.plain_of(block).iter().fold(TypeSet::ALL, |types, &instruction| {
        types.and(match (instruction, levels.checked_sub(1)) {
            (Plain::Apply(Applicator::Call(target)), Some(levels)) => types_in(program, target, levels),
            (instruction, _) => types_of(program, instruction, levels),
        })
    })
}
