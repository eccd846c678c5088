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
//! The first three are [`Hints`], found while the instance is at hand; the others are read from the trace. Where two
//! branches are equally close, none is the closest, unless both say the same.

use super::hints::{Class, Hint, Hints};
use super::list::{is_open_union, leaves};
use super::trace::{OwnedStep, Trace};
use super::{Note, UnitKind};
use crate::error::ErrorKind;
use crate::program::{Instruction, Program};
use crate::suggest::{self, Purse};
use serde_json::Value;
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// What stands for each union that refused, by its unit.
#[derive(Debug, Default)]
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
    /// Judges all unions of a trace, those inside others first.
    pub(crate) fn of(program: &Program, trace: &Trace) -> Unions {
        let mut unions = Unions::default();
        if !(0..trace.units.len()).any(|unit| is_union(trace, unit)) {
            return unions;
        }
        let mut weights = vec![Weight::NOTHING; trace.units.len()];
        for unit in (0..trace.units.len()).rev().filter(|&unit| !trace.units[unit].valid) {
            weights[unit] = weigh(program, trace, &weights, unit);
            if is_union(trace, unit) {
                let ranked = rank(trace, &weights, unit);
                let closest = unions.judge(program, trace, unit, &ranked);
                let ranked = ranked.into_iter().map(|(_, index, unit)| (index, unit)).collect();
                unions.0.insert(unit, Union { closest, ranked });
            }
        }
        unions
    }

    pub(crate) fn get(&self, unit: usize) -> Option<&Union> {
        self.0.get(&unit)
    }

    fn judge(&self, program: &Program, trace: &Trace, union: usize, ranked: &[Ranked]) -> Closest {
        let Some(&(best, _, first)) = ranked.first() else { return Closest::Several };
        if ranked.len() == 1 {
            return Closest::Branch(first);
        }
        if best.0 == Class::OtherType {
            return Closest::Several;
        }
        if let Some(tag) = hints(trace, union).and_then(|hints| hints.unmatched.as_deref())
            && let Some((leaf, kind)) = merge_tags(trace, ranked, tag)
        {
            return Closest::Tag(leaf, Box::new(kind));
        }
        let count = ranked.iter().take_while(|(rank, ..)| *rank == best).count();
        let is_clear = count == 1 || self.say_the_same(program, trace, &ranked[..count]);
        if is_clear { Closest::Branch(first) } else { Closest::Several }
    }

    /// Whether branches have the same errors, so that it does not matter which is taken.
    fn say_the_same(&self, program: &Program, trace: &Trace, branches: &[Ranked]) -> bool {
        let said = |branch: usize| -> Option<Vec<(Vec<&OwnedStep>, String)>> {
            let (leaves, is_cut) = leaves(program, trace, self, branch, COMPARED);
            let said = leaves.iter().map(|&(leaf, _)| {
                let steps = trace.chain(leaf).take_while(|&unit| unit != branch);
                let steps = steps.filter_map(|unit| step_to(trace, unit)).collect();
                Some((steps, cause(trace, leaf)?.to_string()))
            });
            said.collect::<Option<Vec<_>>>().filter(|_| !is_cut)
        };
        let mut said = branches.iter().map(|&(_, _, unit)| said(unit));
        let first = said.next().flatten();
        branches.len() <= COMPARED && first.is_some() && said.all(|other| other == first)
    }
}

/// Why a unit failed, if that is in the trace as it is.
pub(crate) fn cause(trace: &Trace, unit: usize) -> Option<&ErrorKind> {
    match &trace.units[unit].kind {
        UnitKind::Keyword { error, .. } => error.as_deref().filter(|cause| !is_open_union(cause)),
        UnitKind::Block { .. } => None,
    }
}

/// Whether a unit is a union whose branches all refused.
pub(crate) fn is_union(trace: &Trace, unit: usize) -> bool {
    matches!(&trace.units[unit].kind, UnitKind::Keyword { error: Some(cause), .. } if is_open_union(cause))
}

fn hints(trace: &Trace, union: usize) -> Option<&Hints> {
    match &trace.units[union].kind {
        UnitKind::Keyword { note: Some(Note::Union(hints)), .. } => Some(hints),
        UnitKind::Keyword { .. } | UnitKind::Block { .. } => None,
    }
}

/// The branches of a union, closest first.
fn rank(trace: &Trace, weights: &[Weight], union: usize) -> Vec<Ranked> {
    let hints = hints(trace, union);
    let branches = failed_in(trace, union).map(|branch| {
        let index = trace.branch_index(branch);
        let hint = hints.and_then(|hints| hints.branches.get(index)).copied();
        let Hint { class, overlap } = hint.unwrap_or_default();
        let Weight { depth, problems } = weights[branch];
        ((class, overlap, depth, Reverse(problems)), index, branch)
    });
    let mut ranked: Vec<Ranked> = branches.collect();
    ranked.sort_by_key(|&(rank, index, _)| (Reverse(rank), index));
    ranked
}

/// The units directly inside one that failed.
fn failed_in(trace: &Trace, unit: usize) -> impl Iterator<Item = usize> {
    trace.children(unit).filter(|&child| !trace.units[child].valid)
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
fn weigh(program: &Program, trace: &Trace, weights: &[Weight], unit: usize) -> Weight {
    let UnitKind::Keyword { at, error, .. } = &trace.units[unit].kind else {
        return failed_in(trace, unit).fold(Weight::NOTHING, |sum, child| sum.and(weights[child]));
    };
    let here = |problems| Weight { depth: 0, problems };
    match error.as_deref() {
        // A union is as far off as its closest branch.
        Some(cause) if is_open_union(cause) => failed_in(trace, unit)
            .map(|branch| weights[branch])
            .max_by_key(|weight| (weight.depth, Reverse(weight.problems)))
            .unwrap_or(here(1)),
        Some(ErrorKind::Required { missing, .. }) => here(u32::try_from(missing.len()).unwrap_or(u32::MAX)),
        Some(_) => here(1),
        None if matches!(program.code[*at as usize], Instruction::EachName(_)) => here(1),
        None => failed_in(trace, unit).fold(Weight::NOTHING, |sum, block| {
            let Weight { depth, problems } = weights[block];
            // A member that is not known is a fault of its object.
            let is_unknown = failed_in(trace, block)
                .any(|unit| matches!(cause(trace, unit), Some(ErrorKind::UnknownProperty { .. })));
            let steps = u32::from(step_to(trace, block).is_some() && !is_unknown);
            sum.and(Weight { depth: depth.saturating_add(steps), problems })
        }),
    }
}

/// The step into the instance that a block is run after.
pub(crate) fn step_to(trace: &Trace, unit: usize) -> Option<&OwnedStep> {
    match &trace.units[unit].kind {
        UnitKind::Block { step: step @ (OwnedStep::Item(_) | OwnedStep::Member(_)), .. } => Some(step),
        UnitKind::Block { .. } | UnitKind::Keyword { .. } => None,
    }
}

/// One error for a discriminator with a value that no branch takes.
fn merge_tags(trace: &Trace, ranked: &[Ranked], tag: &str) -> Option<(usize, ErrorKind)> {
    const MOST: usize = 100;
    let mut first = None;
    let mut expected: Vec<Value> = Vec::new();
    let mut value = "";
    for &(_, _, branch) in ranked.iter().filter(|(rank, ..)| rank.0 != Class::OtherType) {
        let leaf = find_tag(trace, branch, tag, false)?;
        let (taken, found) = match cause(trace, leaf) {
            Some(ErrorKind::Const { found, expected }) => (std::slice::from_ref(expected), found),
            Some(ErrorKind::Enum { found, expected, .. }) => (&expected[..], found),
            _ => return None,
        };
        for taken in taken {
            if expected.len() < MOST && !expected.contains(taken) {
                expected.push(taken.clone());
            }
        }
        value = found;
        first = first.or(Some(leaf));
    }
    let found: Option<String> = serde_json::from_str(value).ok();
    let texts = expected.iter().filter_map(Value::as_str);
    let suggestion = found.and_then(|found| suggest::nearest(&mut Purse::default(), &found, texts));
    let suggestion = suggestion.map(str::to_owned);
    Some((first?, ErrorKind::Enum { found: value.to_owned(), expected, suggestion }))
}

/// The unit of the error that a block has for the value of a member by `const` or `enum`.
fn find_tag(trace: &Trace, block: usize, tag: &str, is_inside: bool) -> Option<usize> {
    for keyword in failed_in(trace, block) {
        let is_constant =
            matches!(cause(trace, keyword), Some(ErrorKind::Const { .. } | ErrorKind::Enum { .. }));
        if is_inside && is_constant {
            return Some(keyword);
        }
        for child in failed_in(trace, keyword) {
            let found = match step_to(trace, child) {
                None => find_tag(trace, child, tag, is_inside),
                Some(OwnedStep::Member(name)) if **name == *tag && !is_inside => {
                    find_tag(trace, child, tag, true)
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
