//! The branch of a union that an instance was probably meant for.
//!
//! A union that refuses has as many reasons as it has branches, and mostly one of them matters. Branches are compared by
//! these, in this order:
//!
//! 1. whether the type of the instance is one that the branch takes at all;
//! 2. the discriminator, a member that more than one branch gives by `const` or `enum`: whether it is the branch's;
//! 3. how many of the object's members the branch has among its `properties`;
//! 4. how deep the shallowest of its errors is;
//! 5. how few errors it has.
//!
//! The first three are [`Hints`], found while the instance is at hand; the others are read from the tree, unless a discriminator tells branches
//! apart, as then no more is told of them. Where two branches are equally close, none is the closest, unless both say the same.

use super::hints::{Class, Hint, Hints};
use super::list::{is_test, leaves};
use super::tree::{OwnedStep, Tree};
use super::{Cause, Note, UnitKind, errors};
use crate::error::ErrorKind;
use crate::program::{Instruction, Program};
use crate::suggest::{self, Purse};
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// What stands for each union that refused, by its unit.
#[derive(Debug)]
pub(crate) struct Unions(BTreeMap<usize, Union>);

/// A union that refused.
#[derive(Debug)]
pub(crate) struct Union {
    pub(crate) closest: Closest,
    /// Its branches, closest first: their places in the schema, and their units.
    pub(crate) ranked: Vec<(usize, usize)>,
}

/// What stands for a union that refused.
#[derive(Debug)]
pub(crate) enum Closest {
    /// The errors of a branch: its unit.
    Branch(usize),
    /// The discriminator, which has a value that no branch takes: the unit of its error in one branch, and what all
    /// branches take.
    Tag(usize, Box<ErrorKind>),
    /// The union itself.
    Several,
}

/// How close a branch is; more is closer.
type Rank = (Class, u16, u32, Reverse<u32>);

/// A branch: how close it is, its place in the schema, and its unit.
type Ranked = (Rank, usize, usize);

/// So many branches that are equally close are compared by what they say, and so many of their errors.
const COMPARED: usize = 8;

impl Unions {
    pub(crate) const NONE: Unions = Unions(BTreeMap::new());

    /// Judges all unions of a tree, those inside others first.
    pub(crate) fn of(program: &Program, tree: &Tree) -> Unions {
        let mut unions = Unions::NONE;
        let mut weights = vec![Weight::NOTHING; tree.units.len()];
        for unit in (0..tree.units.len()).rev().filter(|&unit| !tree.units[unit].valid) {
            weights[unit] = weigh(program, tree, &weights, unit);
            if is_union(tree, unit) {
                let ranked = rank(tree, &weights, unit);
                let closest = unions.judge(program, tree, unit, &ranked);
                let ranked = ranked.into_iter().map(|(_, index, unit)| (index, unit)).collect();
                unions.0.insert(unit, Union { closest, ranked });
            }
        }
        unions
    }

    pub(crate) fn get(&self, unit: usize) -> Option<&Union> {
        self.0.get(&unit)
    }

    fn judge(&self, program: &Program, tree: &Tree, union: usize, ranked: &[Ranked]) -> Closest {
        let Some(&(best, _, first)) = ranked.first() else { return Closest::Several };
        if ranked.len() == 1 {
            return Closest::Branch(first);
        }
        if best.0 == Class::OtherType {
            return Closest::Several;
        }
        if let Some(tag) = hints(tree, union).and_then(|hints| hints.unmatched.as_deref())
            && let Some((leaf, kind)) = merge_tags(program, tree, ranked, tag)
        {
            return Closest::Tag(leaf, Box::new(kind));
        }
        let count = ranked.iter().take_while(|(rank, ..)| *rank == best).count();
        let is_clear = count == 1 || self.say_the_same(program, tree, &ranked[..count]);
        if is_clear { Closest::Branch(first) } else { Closest::Several }
    }

    /// Whether branches have the same errors, so that it does not matter which is taken.
    fn say_the_same(&self, program: &Program, tree: &Tree, branches: &[Ranked]) -> bool {
        let said = |branch: usize| -> Option<Vec<(Vec<&OwnedStep>, String)>> {
            let (leaves, is_cut) = leaves(program, tree, self, branch, COMPARED);
            let said = leaves.iter().map(|&(leaf, _)| {
                let steps = tree.chain(leaf).take_while(|&unit| unit != branch);
                let steps = steps.filter_map(|unit| step_to(tree, unit)).collect();
                cause(tree, leaf).filter(|cause| !cause.is_open_union())?;
                Some((steps, errors::kind(program, tree, leaf)?.to_string()))
            });
            said.collect::<Option<Vec<_>>>().filter(|_| !is_cut)
        };
        let mut said = branches.iter().map(|&(_, _, unit)| said(unit));
        let first = said.next().flatten();
        branches.len() <= COMPARED && first.is_some() && said.all(|other| other == first)
    }
}

/// Why a unit failed, if it has a cause of its own.
pub(crate) fn cause(tree: &Tree, unit: usize) -> Option<&Cause> {
    match &tree.units[unit].kind {
        UnitKind::Keyword { error, .. } => error.as_ref(),
        UnitKind::Block { .. } => None,
    }
}

/// Whether a unit is that of a member that is not known.
pub(crate) fn is_unknown(tree: &Tree, unit: usize) -> bool {
    matches!(cause(tree, unit), Some(Cause::Unknown(_)))
}

/// Whether a unit is a union whose branches all refused.
pub(crate) fn is_union(tree: &Tree, unit: usize) -> bool {
    cause(tree, unit).is_some_and(Cause::is_open_union)
}

fn hints(tree: &Tree, union: usize) -> Option<&Hints> {
    match &tree.units[union].kind {
        UnitKind::Keyword { note: Some(note), .. } => match &**note {
            Note::Union(hints) => Some(hints),
            Note::Whole | Note::Index(_) | Note::Places(_) | Note::Names(_) | Note::Branches(_) => None,
        },
        UnitKind::Keyword { note: None, .. } | UnitKind::Block { .. } => None,
    }
}

/// The branches of a union, closest first.
fn rank(tree: &Tree, weights: &[Weight], union: usize) -> Vec<Ranked> {
    let hints = hints(tree, union);
    let is_tagged = hints.is_some_and(|hints| hints.tag.is_some());
    let branches = failed_in(tree, union).map(|branch| {
        let index = tree.branch_index(branch);
        let hint = hints.and_then(|hints| hints.branches.get(index)).copied();
        let Hint { class, overlap } = hint.unwrap_or_default();
        let Weight { depth, problems } = if is_tagged { Weight::NOTHING } else { weights[branch] };
        ((class, overlap, depth, Reverse(problems)), index, branch)
    });
    let mut ranked: Vec<Ranked> = branches.collect();
    ranked.sort_by_key(|&(rank, index, _)| (Reverse(rank), index));
    ranked
}

/// The units directly inside one that failed.
fn failed_in(tree: &Tree, unit: usize) -> impl Iterator<Item = usize> {
    tree.children(unit).filter(|&child| !tree.units[child].valid)
}

/// The units directly inside one that failed and should not have: not the condition of an `if`.
fn wrong_in(program: &Program, tree: &Tree, unit: usize) -> impl Iterator<Item = usize> {
    failed_in(tree, unit).filter(|&child| !is_test(program, tree, child))
}

/// What is wrong by a unit: how many steps down the shallowest error is, and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Weight {
    depth: u32,
    problems: u32,
}

impl Weight {
    const NOTHING: Weight = Weight { depth: u32::MAX, problems: 0 };

    fn and(self, other: Weight) -> Weight {
        Weight { depth: self.depth.min(other.depth), problems: self.problems.saturating_add(other.problems) }
    }
}

/// Weighs a unit that failed; those inside it have been weighed.
fn weigh(program: &Program, tree: &Tree, weights: &[Weight], unit: usize) -> Weight {
    let UnitKind::Keyword { at, error, .. } = &tree.units[unit].kind else {
        return failed_in(tree, unit).fold(Weight::NOTHING, |sum, child| sum.and(weights[child]));
    };
    let here = |problems| Weight { depth: 0, problems };
    match error {
        // A union is as far off as its closest branch.
        Some(Cause::NoBranch) => failed_in(tree, unit)
            .map(|branch| weights[branch])
            .max_by_key(|weight| (weight.depth, Reverse(weight.problems)))
            .unwrap_or(here(1)),
        Some(Cause::Missing(missing)) => here(u32::try_from(missing.0.len()).unwrap_or(u32::MAX)),
        Some(_) => here(1),
        None if matches!(program.code[*at as usize], Instruction::EachName(_)) => here(1),
        None => wrong_in(program, tree, unit).fold(Weight::NOTHING, |sum, block| {
            let Weight { depth, problems } = weights[block];
            // A member that is not known is a fault of its object.
            let is_unknown = || failed_in(tree, block).any(|unit| is_unknown(tree, unit));
            let steps = u32::from(step_to(tree, block).is_some() && !is_unknown());
            sum.and(Weight { depth: depth.saturating_add(steps), problems })
        }),
    }
}

/// The step into the instance that a block is run after.
pub(crate) fn step_to(tree: &Tree, unit: usize) -> Option<&OwnedStep> {
    match &tree.units[unit].kind {
        UnitKind::Block { step: step @ (OwnedStep::Item(_) | OwnedStep::Member(_)), .. } => Some(step),
        UnitKind::Block { .. } | UnitKind::Keyword { .. } => None,
    }
}

/// One error for a discriminator with a value that no branch takes.
fn merge_tags(program: &Program, tree: &Tree, ranked: &[Ranked], tag: &str) -> Option<(usize, ErrorKind)> {
    let mut first = None;
    let mut choices = Choices::default();
    let mut value = None;
    for &(_, _, branch) in ranked.iter().filter(|(rank, ..)| rank.0 != Class::OtherType) {
        let leaf = find_tag(program, tree, branch, tag, false)?;
        choices.add(constants(program, tree, leaf)?);
        value = cause(tree, leaf);
        first = first.or(Some(leaf));
    }
    Some((first?, choices.error(value)))
}

/// The values that branches take for a discriminator.
#[derive(Default)]
pub(super) struct Choices<'p> {
    expected: Vec<&'p Value>,
    /// Those of them that are texts.
    texts: BTreeSet<&'p str>,
}

impl<'p> Choices<'p> {
    /// Adds those of a branch that no other has.
    pub(super) fn add(&mut self, taken: &'p [Value]) {
        const MOST: usize = 100;
        for taken in taken {
            if self.expected.len() >= MOST {
                return;
            }
            let is_new = match taken.as_str() {
                Some(text) => self.texts.insert(text),
                None => !self.expected.contains(&taken),
            };
            if is_new {
                self.expected.push(taken);
            }
        }
    }

    /// The error of a value that is none of them, by its cause in one branch.
    pub(super) fn error(self, cause: Option<&Cause>) -> ErrorKind {
        let value = cause.map(Cause::value).unwrap_or_default();
        let found: Option<String> = serde_json::from_str(&value).ok();
        let texts = self.expected.iter().filter_map(|value| value.as_str());
        let suggestion = found.and_then(|found| suggest::nearest(&mut Purse::default(), &found, texts));
        let suggestion = suggestion.map(str::to_owned);
        ErrorKind::Enum { found: value, expected: self.expected.into_iter().cloned().collect(), suggestion }
    }
}

/// The values that a unit asks for and did not find, if it asks for such.
fn constants<'p>(program: &'p Program, tree: &Tree, unit: usize) -> Option<&'p [Value]> {
    let UnitKind::Keyword { at, error: Some(_), .. } = tree.units[unit].kind else { return None };
    constants_at(program, at)
}

/// The values that an instruction asks for, if it asks for such.
pub(super) fn constants_at(program: &Program, at: u32) -> Option<&[Value]> {
    if let Instruction::Equals(constant) = program.code[at as usize] {
        Some(std::slice::from_ref(&program.constants[constant]))
    } else if let Instruction::IsOneOf(values) = program.code[at as usize] {
        Some(program.enumerations[values].listed())
    } else {
        None
    }
}

/// The unit of the error that a block has for the value of a member by `const` or `enum`.
fn find_tag(program: &Program, tree: &Tree, block: usize, tag: &str, is_inside: bool) -> Option<usize> {
    for keyword in failed_in(tree, block) {
        if is_inside && constants(program, tree, keyword).is_some() {
            return Some(keyword);
        }
        for child in wrong_in(program, tree, keyword) {
            let found = match step_to(tree, child) {
                None => find_tag(program, tree, child, tag, is_inside),
                Some(OwnedStep::Member(name)) if **name == *tag && !is_inside => {
                    find_tag(program, tree, child, tag, true)
                }
                Some(_) => None,
            };
            if found.is_some() {
                return found;
            }
        }
    }
    None
}
