//! What a look at an instance tells about the branches of a union that refused it: see [`closest`](super::closest).
//!
//! Each branch is looked at as far as it speaks of the node itself: its own instructions, and those of what it calls. Nothing is
//! run but comparisons with constants.

use super::trace::{IN_UNION, UNIT_BYTES};
use crate::error::ErrorKind;
use crate::instance::{Array, Node, Object, View, equal};
use crate::keyword::logic::Left;
use crate::limits::{Budget, Stopped};
use crate::program::{BlockId, Instruction, Outline, Program};
use crate::run::lookup::{self, find_unpaid};
use serde_json::Value;
use smallvec::{SmallVec, smallvec};
use stanchion_vocab::{Type, TypeSet};
use std::cmp::Reverse;

/// What is known of the branches of a union.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hints {
    /// By branch.
    pub(crate) branches: Vec<Hint>,
    /// A discriminator whose value no branch takes.
    pub(crate) unmatched: Option<Box<str>>,
    /// A discriminator that all branches have, and whose value no other than the closest takes: so it is all that is told of the others.
    pub(crate) tag: Option<Box<str>>,
}

impl Hints {
    /// Of a union that has nothing for values of a type.
    pub(crate) fn of_other_types(branches: usize) -> Hints {
        let hint = Hint { class: Class::OtherType, overlap: 0 };
        Hints { branches: vec![hint; branches], ..Hints::default() }
    }

    /// The discriminator that is all that is told of others than the closest, and its value in an object.
    pub(crate) fn tagged<'a, N: Node<'a>>(
        &self,
        budget: &mut Budget,
        node: N,
    ) -> Result<Option<(&str, N)>, Stopped> {
        let (Some(tag), Some(object)) = (self.tag.as_deref(), node.as_object()) else { return Ok(None) };
        Ok(lookup::find_member::<N>(budget, object, tag)?.map(|value| (tag, value)))
    }

    /// The branches, those first that look as if they should accept.
    pub(crate) fn by_closeness(&self) -> SmallVec<[usize; BLOCKS]> {
        let mut order: SmallVec<[usize; BLOCKS]> = (0..self.branches.len()).collect();
        order.sort_by_key(|&index| Reverse((self.branches[index].class, self.branches[index].overlap)));
        order
    }

    /// The branch that is closer than all others, if a glance tells.
    pub(crate) fn clearly_closest(&self) -> Option<usize> {
        if let [_] = self.branches[..] {
            return Some(0);
        }
        let key = |hint: &Hint| (hint.class, hint.overlap);
        let best = self.branches.iter().map(key).max()?;
        let mut closest = self.branches.iter().enumerate().filter(|(_, hint)| key(hint) == best);
        let (index, _) = closest.next()?;
        let is_clear = closest.next().is_none() && best.0 != Class::OtherType && self.unmatched.is_none();
        is_clear.then_some(index)
    }
}

/// What is known of a branch.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Hint {
    pub(crate) class: Class,
    /// How many members of the object the branch has among its `properties`.
    pub(crate) overlap: u16,
}

/// What tells a branch from others at a glance; more is closer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
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

/// A member that a branch gives by a constant: its name, and whether the object has that value.
type Tag<'p> = (&'p str, bool);

type Tags<'p> = SmallVec<[Tag<'p>; 2]>;

/// Looks at the branches of a union.
pub(crate) fn find<'a, N: Node<'a>>(
    program: &Program,
    budget: &mut Budget,
    branches: &[BlockId],
    node: N,
) -> Result<Hints, Stopped> {
    let kind = node.view().kind();
    let mut hints = Hints { branches: Vec::with_capacity(branches.len()), ..Hints::default() };
    let mut tags: Vec<Tags<'_>> = Vec::with_capacity(branches.len());
    for &branch in branches {
        let outline = outline(program, budget, branch)?;
        let mut hint = Hint::default();
        let mut found = SmallVec::new();
        if !outline.types.has(kind) {
            hint.class = Class::OtherType;
        } else if let Some(object) = node.as_object() {
            hint.overlap = overlap::<N>(program, budget, outline, object, |budget, tag, constant, value| {
                if found.len() < TAGS {
                    found.push((tag, takes(program, budget, constant, value)?));
                }
                Ok(())
            })?;
        }
        hints.branches.push(hint);
        tags.push(found);
    }
    classify(&mut hints, &tags);
    hints.tag = deciding_tag(&hints, &tags).map(Box::from);
    Ok(hints)
}

/// The same of objects, where the value of the only discriminator leaves a branch, or none.
pub(crate) fn find_by_tag<'a, N: Node<'a>>(
    program: &Program,
    budget: &mut Budget,
    branches: &[BlockId],
    ByTag { tag, closest }: ByTag<'_>,
    object: N::Object,
) -> Result<Hints, Stopped> {
    let unmatched = if closest.is_none() { Some(tag.into()) } else { None };
    let mut hints = Hints { branches: Vec::with_capacity(branches.len()), unmatched, tag: Some(tag.into()) };
    for (index, &branch) in branches.iter().enumerate() {
        let class = match closest {
            Some(closest) if closest == index => Class::SameTag,
            Some(_) => Class::OtherTag,
            None => Class::Unknown,
        };
        let outline = outline(program, budget, branch)?;
        let overlap = overlap::<N>(program, budget, outline, object, |_, _, _, _| Ok(()))?;
        hints.branches.push(Hint { class, overlap });
    }
    Ok(hints)
}

/// See [`Hints::tag`].
fn deciding_tag<'p>(hints: &Hints, tags: &[Tags<'p>]) -> Option<&'p str> {
    if tags.len() < 2 {
        return None;
    }
    let closest = hints.clearly_closest();
    let decides = |name: &str| {
        tags.iter().enumerate().all(|(index, tags)| {
            let mut same = tags.iter().filter(|(other, _)| *other == name);
            same.next().is_some_and(|&(_, matches)| matches == (Some(index) == closest))
                && same.next().is_none()
        })
    };
    let mut names = tags[closest.unwrap_or(0)].iter().map(|&(name, _)| name);
    let is_unmatched = |name: &str| hints.unmatched.as_deref() == Some(name);
    names.find(|name| (closest.is_some() || is_unmatched(name)) && decides(name))
}

/// What the value of a discriminator tells of a union.
#[derive(Clone, Copy)]
pub(crate) struct ByTag<'p> {
    tag: &'p str,
    /// The branch that takes it, if one does. Then it is clearly the closest.
    pub(crate) closest: Option<usize>,
}

/// What the value of a discriminator tells of the branches of a union, as [`find`] would find it, where that needs no look at their other members.
pub(crate) fn by_tag<'p>(program: &Program, branches: &[BlockId], left: Left<'p>) -> Option<ByTag<'p>> {
    let Left { branches: left, pick, by_value: true } = left else { return None };
    let is_whole = left.len() <= 1 && pick.otherwise.len == 0 && program.list(pick.all) == branches;
    let is_only_tag = || pick.is_only_tag.get_or_init(|| is_only_tag(program, branches, &pick.name));
    if !is_whole || branches.len() < 2 || !is_only_tag() {
        return None;
    }
    let closest = match left.first() {
        Some(only) => Some(branches.iter().position(|branch| branch == only)?),
        None => None,
    };
    Some(ByTag { tag: &pick.name, closest })
}

/// Whether each branch of a union takes objects, and gives a member by a constant, once, that is the only one which more than one branch gives.
fn is_only_tag(program: &Program, branches: &[BlockId], tag: &str) -> bool {
    /// So many names are looked at.
    const LOOKS: usize = 1 << 12;
    let (mut names, mut looks): (SmallVec<[&str; TAGS]>, _) = (SmallVec::new(), 0);
    for &branch in branches {
        let Ok(outline) = outline(program, &mut Budget::for_schema(), branch) else { return false };
        let mut times = 0;
        for &named in &outline.properties {
            let named = &program.named_blocks[named];
            looks += named.names.len();
            if looks > LOOKS {
                return false;
            }
            let constants = named.constants(|block| constant(program, block));
            for (name, _) in named.names.iter().zip(constants).filter(|(_, constant)| constant.is_some()) {
                if name == tag {
                    times += 1;
                } else if names.contains(&name) || names.len() + 1 == TAGS {
                    return false;
                } else {
                    names.push(name);
                }
            }
        }
        if times != 1 || !outline.types.has(Type::Object) {
            return false;
        }
    }
    true
}

/// Judges by the members that more than one branch gives by a constant.
fn classify(hints: &mut Hints, tags: &[Tags<'_>]) {
    let mut names: SmallVec<[(&str, usize, bool); TAGS]> = SmallVec::new();
    for &(name, matches) in tags.iter().flatten() {
        let known = names.iter().position(|(other, ..)| *other == name);
        if let Some(at) = known {
            let (_, count, any) = names[at];
            names[at] = (name, count + 1, any | matches);
        } else if names.len() < TAGS {
            names.push((name, 1, matches));
        }
    }
    for (name, count, any) in names {
        if count < 2 {
            continue;
        }
        if !any {
            hints.unmatched = hints.unmatched.take().or_else(|| Some(name.into()));
            continue;
        }
        for (hint, tags) in hints.branches.iter_mut().zip(tags) {
            match tags.iter().find(|(other, _)| *other == name) {
                Some((_, false)) => hint.class = hint.class.min(Class::OtherTag),
                Some((_, true)) if hint.class == Class::Unknown => hint.class = Class::SameTag,
                Some((_, true)) | None => {}
            }
        }
    }
}

/// How many members of an object a branch has among its properties. Notes those that are given by a constant.
#[inline(always)]
fn overlap<'a, 'p, N: Node<'a>>(
    program: &'p Program,
    budget: &mut Budget,
    outline: &Outline,
    object: N::Object,
    mut note: impl FnMut(&mut Budget, &'p str, Instruction, N) -> Result<(), Stopped>,
) -> Result<u16, Stopped> {
    let mut count = 0u16;
    for &named in &outline.properties {
        let named = &program.named_blocks[named];
        let constants = named.constants(|block| constant(program, block));
        let mut see = |budget: &mut Budget, index: usize, value: N| {
            count = count.saturating_add(1);
            constants[index].map_or(Ok(()), |constant| note(budget, named.names.get(index), constant, value))
        };
        // To look for a name takes about as long as to look at a few members.
        if named.names.len().saturating_mul(4 * object.get_cost()) <= object.len() {
            budget.spend((named.names.len() * object.get_cost()) as u64)?;
            for (index, name) in named.names.iter().enumerate() {
                if let Some(value) = find_unpaid::<N>(object, name) {
                    see(budget, index, value)?;
                }
            }
            continue;
        }
        budget.spend(object.len() as u64)?;
        for (name, value) in object.iter_names() {
            if let Some((index, ())) = named.names.look_up(name) {
                see(budget, index, value)?;
            }
        }
    }
    Ok(count)
}

/// What a branch says of the node itself. It is looked for once, and paid for each time.
fn outline<'p>(program: &'p Program, budget: &mut Budget, branch: BlockId) -> Result<&'p Outline, Stopped> {
    let known = program.outline(branch);
    if let Some(outline) = known.get() {
        budget.spend(outline.steps)?;
        return Ok(outline);
    }
    let (mut types, mut properties, mut steps) = (TypeSet::ALL, Vec::new(), 0);
    look_at(program, budget, branch, |_, at| {
        let instruction = program.code[at as usize];
        types = types.and(types_of(program, instruction, 2));
        if let Instruction::Properties(named) = instruction {
            properties.push(named);
        }
        steps += 1;
    })?;
    Ok(known.get_or_init(|| Box::new(Outline { types, properties: properties.into(), steps })))
}

/// A block that is applied to the same node as a branch: by which instruction, of which one of those before it.
#[derive(Clone, Copy)]
pub(super) struct Applied {
    pub(super) block: BlockId,
    pub(super) at: u32,
    pub(super) by: usize,
}

/// Looks at the instructions of a branch, and at those of what it calls. The blocks that they are in, the branch first.
pub(super) fn look_at(
    program: &Program,
    budget: &mut Budget,
    branch: BlockId,
    mut see: impl FnMut(usize, u32),
) -> Result<SmallVec<[Applied; BLOCKS]>, Stopped> {
    let mut open: SmallVec<[Applied; BLOCKS]> = smallvec![Applied { block: branch, at: 0, by: 0 }];
    let mut by = 0;
    while let Some(&Applied { block, .. }) = open.get(by) {
        let code = program.block(block).plain.clone();
        budget.spend(u64::from(code.end - code.start))?;
        for at in code {
            see(by, at);
            let instruction = program.code[at as usize];
            if let Instruction::Call(block) = instruction {
                open.push(Applied { block, at, by });
            } else if let Instruction::AllOf(blocks) = instruction {
                let blocks = program.list(blocks).iter().take(BLOCKS);
                open.extend(blocks.map(|&block| Applied { block, at, by }));
            }
        }
        open.truncate(BLOCKS);
        by += 1;
    }
    Ok(open)
}

/// The types that an instruction leaves, as far as it tells. Branches of a union inside are looked at so many levels down.
pub(crate) fn types_of(program: &Program, instruction: Instruction, levels: u32) -> TypeSet {
    if let Instruction::Type(types) | Instruction::TypeAsWritten(types) = instruction {
        types
    } else if let Instruction::Equals(constant) = instruction {
        TypeSet::NONE.with((&program.constants[constant]).view().kind())
    } else if let Instruction::IsOneOf(values) = instruction {
        let values = &program.enumerations[values];
        if values.texts.len() > 0 { values.other_types.with(Type::String) } else { values.other_types }
    } else if let Instruction::AnyOf(blocks) | Instruction::OneOf(blocks) = instruction {
        let branches = program.list(blocks);
        if levels == 0 || branches.len() > BLOCKS {
            return TypeSet::ALL;
        }
        branches.iter().fold(TypeSet::NONE, |types, &branch| types.or(types_in(program, branch, levels - 1)))
    } else if instruction == Instruction::Never {
        TypeSet::NONE
    } else {
        TypeSet::ALL
    }
}

/// The types that a block leaves, as far as it tells.
pub(crate) fn types_in(program: &Program, block: BlockId, levels: u32) -> TypeSet {
    let mut types = TypeSet::ALL;
    for at in program.block(block).plain.clone() {
        let instruction = program.code[at as usize];
        types = types.and(
            if let Instruction::Call(target) = instruction
                && levels > 0
            {
                types_in(program, target, levels - 1)
            } else {
                types_of(program, instruction, levels)
            },
        );
    }
    types
}

/// The types that the branches of a union take, if that is all that they have against a node of another type: each is refused by one instruction.
/// Not where [`find`] would not see that, as it does not look so far.
pub(crate) fn types_alone(
    program: &Program,
    budget: &mut Budget,
    branches: &[BlockId],
    kind: Type,
) -> Result<Option<Taken>, Stopped> {
    let taken = types_of_all(program, budget, branches, kind, Seen::Branch(CALLS))?;
    // A tree would not have room for more.
    Ok(taken.filter(|taken| taken.blocks <= IN_UNION))
}

/// The types that branches take, and how many blocks say so.
#[derive(Clone, Copy)]
pub(crate) struct Taken {
    pub(crate) types: TypeSet,
    blocks: usize,
}

impl Taken {
    /// As much as a tree takes: a block, an instruction, and what that says.
    pub(crate) fn bytes(self) -> usize {
        self.blocks * (2 * UNIT_BYTES + size_of::<ErrorKind>())
    }
}

/// How far a block is from a union: what [`outline`] sees of it.
#[derive(Clone, Copy)]
enum Seen {
    /// A branch, or what it calls, and may still call.
    Branch(u32),
    /// A branch of a union in a branch.
    Inner,
    /// What such a branch calls.
    Called,
}

/// So many calls lead from a branch to what it says.
const CALLS: u32 = 4;

fn types_of_all(
    program: &Program,
    budget: &mut Budget,
    branches: &[BlockId],
    kind: Type,
    seen: Seen,
) -> Result<Option<Taken>, Stopped> {
    let most = if let Seen::Branch(_) = seen { IN_UNION } else { BLOCKS };
    if branches.len() > most {
        return Ok(None);
    }
    let mut all = Taken { types: TypeSet::NONE, blocks: branches.len() };
    for &branch in branches {
        budget.spend(1)?;
        let mut taken = None;
        for at in program.block(branch).plain.clone() {
            let instruction = program.code[at as usize];
            let found = if let Instruction::Type(types) = instruction {
                if types.has(kind) {
                    continue;
                }
                Some(Taken { types, blocks: 0 })
            } else if let Instruction::Call(target) = instruction {
                let seen = match seen {
                    Seen::Branch(calls) if calls > 0 => Seen::Branch(calls - 1),
                    Seen::Inner => Seen::Called,
                    Seen::Branch(_) | Seen::Called => return Ok(None),
                };
                types_of_all(program, budget, &[target], kind, seen)?
            } else if let (Instruction::AnyOf(blocks) | Instruction::OneOf(blocks), Seen::Branch(_)) =
                (instruction, seen)
            {
                types_of_all(program, budget, program.list(blocks), kind, Seen::Inner)?
            } else if !instruction.about().has(kind) {
                continue;
            } else {
                None
            };
            let (Some(found), None) = (found, taken) else { return Ok(None) };
            taken = Some(found);
        }
        let Some(Taken { types, blocks }) = taken else { return Ok(None) };
        all = Taken { types: all.types.or(types), blocks: all.blocks + blocks };
    }
    Ok(Some(all))
}

/// The instruction by which a block takes nothing but constants.
fn constant(program: &Program, block: BlockId) -> Option<Instruction> {
    way_to_constant(program, block).map(|(_, at)| program.code[at as usize])
}

/// Blocks, each with the instruction that applies it.
pub(super) type Applying = SmallVec<[(u32, BlockId); 4]>;

/// The blocks that a block calls, one from the other, and the instruction of the last one by which it takes nothing but constants.
pub(super) fn way_to_constant(program: &Program, mut block: BlockId) -> Option<(Applying, u32)> {
    let mut way = Applying::new();
    for _ in 0..CALLS {
        let mut code = program.block(block).plain.clone();
        let is_constant =
            |&at: &u32| matches!(program.code[at as usize], Instruction::Equals(_) | Instruction::IsOneOf(_));
        if let Some(at) = code.clone().find(is_constant) {
            return Some((way, at));
        }
        let call = code.find_map(|at| {
            if let Instruction::Call(target) = program.code[at as usize] { Some((at, target)) } else { None }
        })?;
        way.push(call);
        block = call.1;
    }
    None
}

/// Whether a constant, or one of some, is a value.
fn takes<'a, N: Node<'a>>(
    program: &Program,
    budget: &mut Budget,
    constant: Instruction,
    node: N,
) -> Result<bool, Stopped> {
    const FEW: usize = 16;
    let mut is_equal = |value: &Value| equal::equal(budget, node.view(), value.view());
    if let Instruction::Equals(constant) = constant {
        return is_equal(&program.constants[constant]);
    }
    let Instruction::IsOneOf(values) = constant else { return Ok(false) };
    let values = &program.enumerations[values];
    match node.view() {
        View::String(text) => Ok(values.texts.find(text).is_some()),
        View::Array(items) if !items.is_empty() => Ok(false),
        View::Null | View::Bool(_) | View::Number(_) | View::Array(_) | View::Object(_) => {
            for value in values.values.iter().filter(|value| !value.is_string()).take(FEW) {
                if is_equal(value)? {
                    return Ok(true);
                }
            }
            Ok(false)
        }
    }
}
