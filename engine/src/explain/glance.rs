//! Hints about the branches of a union, from a first look at the node that they reject: see [`union`](super::union).
//!
//! Each branch is looked at as far as it speaks of the node itself: its own instructions, and those of what it calls. Nothing is
//! run but comparisons with constants.

use super::union::Tag;
use crate::instance::{Node, Object, View, equal};
use crate::limits::{Budget, Stopped};
use crate::program::{Applicator, Assertion, BlockId, Plain, Program};
use smallvec::{SmallVec, smallvec};
use stanchion_vocab::{Type, TypeSet};
use std::cmp::Reverse;
use std::sync::Arc;

/// Hints about all branches of a union.
#[derive(Debug)]
pub(super) struct Glance {
    /// By branch.
    pub(super) branches: Vec<Hint>,
    /// Whether there is a discriminator, and no branch takes its value.
    pub(super) is_unmatched: bool,
    /// A discriminator that tells all branches apart which take such values: one branch takes its value, or none does where none does of any
    /// discriminator.
    pub(super) tag: Option<Tag>,
}

impl Glance {
    /// The branches, those first that look as if they should accept.
    pub(super) fn by_closeness(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.branches.len()).collect();
        order.sort_by_key(|&index| Reverse((self.branches[index].class, self.branches[index].overlap)));
        order
    }
}

/// Hints about one branch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Hint {
    pub(super) class: Class,
    /// How many members of the object the branch has among its `properties`.
    pub(super) overlap: u16,
}

/// How close a branch looks; more is closer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Class {
    /// It takes no value of that type.
    OtherType,
    /// It has another value for the discriminator.
    OtherTag,
    /// There is nothing to tell.
    #[default]
    Unknown,
    /// It has that value for the discriminator.
    SameTag,
}

/// So many blocks are looked at for a branch.
const BLOCKS: usize = 16;

/// So many members of a branch may be discriminators.
const TAGS: usize = 8;

/// Members that a branch gives by a constant: their names, and whether the object has those values.
type Tags<'p> = SmallVec<[(&'p Arc<str>, bool); 2]>;

/// Looks at the branches of a union.
pub(super) fn look<'a, N: Node<'a>>(
    program: &Program,
    budget: &mut Budget,
    branches: &[BlockId],
    node: N,
) -> Result<Glance, Stopped> {
    let kind = node.view().kind();
    budget.hold(branches.len() * (size_of::<Hint>() + size_of::<Tags<'_>>()))?;
    let mut hints = Vec::with_capacity(branches.len());
    let mut tags: Vec<Tags<'_>> = Vec::with_capacity(branches.len());
    for &branch in branches {
        let mut hint = Hint::default();
        let mut found = Tags::new();
        let blocks = blocks_of(program, budget, branch)?;
        let code = || blocks.iter().flat_map(|&block| program.block(block).plain.clone());
        let code = || code().map(|at| program.code[at as usize]);
        let types = code().fold(TypeSet::ALL, |types, code| types.and(types_of(program, code, 2)));
        if !types.has(kind) {
            hint.class = Class::OtherType;
        } else if let Some(object) = node.as_object() {
            for instruction in code() {
                let Plain::Apply(Applicator::Properties(named)) = instruction else { continue };
                let named = &program.named_blocks[named];
                budget.spend(object.len() as u64)?;
                for (name, value) in object.iter() {
                    let Some(index) = named.names.find_within(budget, name)? else { continue };
                    hint.overlap = hint.overlap.saturating_add(1);
                    if found.len() < TAGS
                        && let Some(takes) = takes(program, budget, named.blocks[index], value)?
                    {
                        found.push((named.names.share(index), takes));
                    }
                }
            }
        }
        hints.push(hint);
        tags.push(found);
    }
    budget.release(branches.len() * (size_of::<Hint>() + size_of::<Tags<'_>>()));
    Ok(classify(hints, &tags))
}

/// Judges by the members that more than one branch gives by a constant.
fn classify(mut branches: Vec<Hint>, tags: &[Tags<'_>]) -> Glance {
    let mut names: SmallVec<[(&Arc<str>, usize, usize); TAGS]> = SmallVec::new();
    for &(name, takes) in tags.iter().flatten() {
        let known = names.iter().position(|(other, ..)| *other == name);
        if let Some(at) = known {
            let (_, count, taking) = names[at];
            names[at] = (name, count + 1, taking + usize::from(takes));
        } else if names.len() < TAGS {
            names.push((name, 1, usize::from(takes)));
        }
    }
    let discriminators = names.iter().filter(|(_, count, _)| *count > 1);
    for (name, ..) in discriminators.clone().filter(|(.., taking)| *taking > 0) {
        for (hint, tags) in branches.iter_mut().zip(tags) {
            hint.class = match takes_tag(tags, name) {
                Some(false) => hint.class.min(Class::OtherTag),
                Some(true) if hint.class == Class::Unknown => Class::SameTag,
                Some(true) | None => hint.class,
            };
        }
    }
    let has_match = branches.iter().any(|hint| hint.class == Class::SameTag);
    let candidates = branches.iter().zip(tags).filter(|(hint, _)| hint.class != Class::OtherType);
    let candidates: Vec<&Tags<'_>> = candidates.map(|(_, tags)| tags).collect();
    let decides = |(name, _, taking): &&(&Arc<str>, usize, usize)| {
        *taking == usize::from(has_match) && candidates.iter().all(|tags| takes_tag(tags, name).is_some())
    };
    let tag = discriminators.clone().find(decides).map(|&(name, ..)| Arc::clone(name));
    let is_unmatched = !has_match && discriminators.clone().any(|(.., taking)| *taking == 0);
    Glance { branches, is_unmatched, tag }
}

/// Whether a branch takes the value of a member that it gives by a constant; none, if it gives none.
fn takes_tag(tags: &Tags<'_>, name: &Arc<str>) -> Option<bool> {
    let same = tags.iter().filter(|(other, _)| *other == name);
    same.map(|&(_, takes)| takes).reduce(|one, other| one && other)
}

/// A branch, and the blocks that it applies to the same node by `$ref` and `allOf`.
fn blocks_of(
    program: &Program,
    budget: &mut Budget,
    branch: BlockId,
) -> Result<SmallVec<[BlockId; BLOCKS]>, Stopped> {
    let mut open: SmallVec<[BlockId; BLOCKS]> = smallvec![branch];
    let mut next = 0;
    while let Some(&block) = open.get(next) {
        next += 1;
        let code = program.block(block).plain.clone();
        budget.spend(u64::from(code.end - code.start))?;
        for at in code {
            if let Plain::Apply(Applicator::Call(block)) = program.code[at as usize] {
                open.push(block);
            } else if let Plain::Apply(Applicator::AllOf(blocks)) = program.code[at as usize] {
                open.extend(program.list(blocks).iter().copied().take(BLOCKS));
            }
        }
        open.truncate(BLOCKS);
    }
    Ok(open)
}

/// Whether a block that takes nothing but constants takes a value; none, if it is not such a block.
fn takes<'a, N: Node<'a>>(
    program: &Program,
    budget: &mut Budget,
    block: BlockId,
    node: N,
) -> Result<Option<bool>, Stopped> {
    let mut all = None;
    for block in blocks_of(program, budget, block)? {
        for at in program.block(block).plain.clone() {
            if let Some(takes) = constant_takes(program, budget, program.code[at as usize], node)? {
                all = Some(all.unwrap_or(true) && takes);
            }
        }
    }
    Ok(all)
}

/// Whether a `const` or `enum` takes a value; none for other instructions.
fn constant_takes<'a, N: Node<'a>>(
    program: &Program,
    budget: &mut Budget,
    instruction: Plain,
    node: N,
) -> Result<Option<bool>, Stopped> {
    /// So many values that are not texts are compared.
    const COMPARED: usize = 16;
    if let Plain::Assert(Assertion::Equals(constant)) = instruction {
        return equal::equal(budget, node.view(), (&program.constants[constant]).view()).map(Some);
    }
    let Plain::Assert(Assertion::IsOneOf(values)) = instruction else { return Ok(None) };
    let values = &program.enumerations[values];
    if let View::String(text) = node.view() {
        budget.spend_bytes(text.len())?;
        return Ok(Some(values.texts.find(text).is_some()));
    }
    for value in values.values.iter().filter(|value| !value.is_string()).take(COMPARED) {
        if equal::equal(budget, node.view(), value.view())? {
            return Ok(Some(true));
        }
    }
    Ok(Some(false))
}

/// The types that an instruction leaves, as far as it tells. Branches of a union inside are looked at so many levels down.
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
    {
        let branches = program.list(blocks);
        if levels == 0 || branches.len() > BLOCKS {
            return TypeSet::ALL;
        }
        branches.iter().fold(TypeSet::NONE, |types, &branch| types.or(types_in(program, branch, levels - 1)))
    } else if instruction == Plain::Assert(Assertion::Never) {
        TypeSet::NONE
    } else {
        TypeSet::ALL
    }
}

/// The types that a block leaves, as far as it tells.
pub(super) fn types_in(program: &Program, block: BlockId, levels: u32) -> TypeSet {
    program.block(block).plain.clone().fold(TypeSet::ALL, |types, at| {
        let instruction = program.code[at as usize];
        types.and(match (instruction, levels.checked_sub(1)) {
            (Plain::Apply(Applicator::Call(target)), Some(levels)) => types_in(program, target, levels),
            (instruction, _) => types_of(program, instruction, levels),
        })
    })
}
