//! Finds unions whose branches can be chosen by the value of one member: a discriminator.
//!
//! ```text
//! {"oneOf": [{"properties": {"kind": {"const": "a"}}}, {"properties": {"kind": {"const": "b"}}}]}
//!
//! before  0000 OneOf → 1 2    after  0009 Pick "kind" of 2 → 1 2
//! ```
//!
//! A lookup of the member's value leaves the branches that it does not rule out; those are tried as usual. What a branch says
//! of the member is read from its `properties`, and from what it calls.

use crate::program::{Applicator, Assertion, BlockId, Blocks, NameTable, Pick, Plain, Program, Scalar, Want};
use ahash::RandomState;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;

/// How many calls deep the requirements of a branch on its members are searched.
const DEEPEST: usize = 4;

/// A branch that is tried for more values than this is not worth a table.
const MANY: usize = 256;

/// The most values that are tested for whether they could be in a table.
const TESTED_VALUES: usize = 16;

/// Finds the member by whose value the branches of a union can be chosen, and makes a table of them.
pub(super) fn pick(
    program: &mut Program,
    looks: &mut usize,
    branches: &[BlockId],
    exactly_one: bool,
) -> Option<Pick> {
    if branches.len() < 2 {
        return None;
    }
    let name = best_name(program, looks, branches)?;
    let facts: Vec<MemberFacts<'_>> = branches
        .iter()
        .map(|&branch| {
            let mut facts = MemberFacts::default();
            read_facts(program, looks, branch, &name, 0, &mut facts);
            facts
        })
        .collect();
    let open: Vec<BlockId> = list(branches, &facts, |facts| facts.values.is_none());
    let absent: Vec<BlockId> = list(branches, &facts, |facts| !facts.is_required);
    let mut order: Vec<Case<'_>> = Vec::new();
    let mut cases: HashMap<Case<'_>, Vec<BlockId>, RandomState> = HashMap::with_hasher(program.seeds.clone());
    for (&branch, facts) in branches.iter().zip(&facts) {
        for &value in facts.values.iter().flatten() {
            let case = cases.entry(value).or_default();
            if case.is_empty() {
                order.push(value);
            }
            // A value that is listed twice is one.
            if case.last() != Some(&branch) {
                case.push(branch);
            }
        }
    }
    let total: usize = cases.values().map(|case| case.len() + open.len()).sum();
    if total > 8 * branches.len() + MANY {
        return None;
    }
    let mut lists: Vec<BlockId> = Vec::new();
    let mut push = |blocks: &mut dyn Iterator<Item = BlockId>| {
        let start = lists.len();
        lists.extend(blocks);
        Blocks { start: (program.lists.len() + start) as u32, len: (lists.len() - start) as u32 }
    };
    let (mut texts, mut scalars) = (Vec::new(), Vec::new());
    for value in order {
        let case = push(&mut cases[&value].iter().chain(&open).copied());
        match value {
            Case::Text(text) => texts.push((Arc::from(text), case)),
            Case::Scalar(scalar) => scalars.push((scalar, case)),
        }
    }
    let texts = NameTable::with(texts, &program.seeds);
    let [all, otherwise, absent] = [branches, &open, &absent].map(|blocks| push(&mut blocks.iter().copied()));
    program.lists.extend(lists);
    let want = if exactly_one { Want::One } else { Want::Any };
    Some(Pick { name: name.into(), texts, scalars, otherwise, absent, all, want, conditions: Vec::new() })
}

/// The facts that a branch states of a member.
#[derive(Default)]
struct MemberFacts<'p> {
    /// The values that it may be, if it may be nothing else, and all of them can be in a table.
    values: Option<Vec<Case<'p>>>,
    is_required: bool,
}

/// A value that a member may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Case<'p> {
    Text(&'p str),
    Scalar(Scalar),
}

impl Case<'_> {
    fn of(value: &Value) -> Option<Case<'_>> {
        match value {
            Value::String(text) => Some(Case::Text(text)),
            Value::Null | Value::Bool(_) | Value::Number(_) => Scalar::of(value).map(Case::Scalar),
            Value::Array(_) | Value::Object(_) => None,
        }
    }
}

/// The branches for which a condition holds.
fn list(
    branches: &[BlockId],
    facts: &[MemberFacts<'_>],
    holds: impl Fn(&MemberFacts<'_>) -> bool,
) -> Vec<BlockId> {
    branches.iter().zip(facts).filter(|(_, facts)| holds(facts)).map(|(&branch, _)| branch).collect()
}

/// The member whose value most branches fix, if most do.
fn best_name(program: &Program, looks: &mut usize, branches: &[BlockId]) -> Option<String> {
    // How many branches fix a member, and the last one that was counted.
    let mut counts: HashMap<&str, (usize, usize), RandomState> = HashMap::with_hasher(program.seeds.clone());
    for (index, &branch) in branches.iter().enumerate() {
        visit_members(program, looks, branch, 0, &mut |name, child| {
            if is_fixed(program, child, 0) {
                let (count, last) = counts.entry(name).or_insert((0, usize::MAX));
                *count += usize::from(*last != index);
                *last = index;
            }
        });
    }
    let best = counts.into_iter().max_by_key(|&(name, (count, _))| (count, std::cmp::Reverse(name)));
    let (name, (count, _)) = best?;
    (count >= 2 && 2 * count >= branches.len()).then(|| name.to_owned())
}

/// Finds the requirements of a branch on a member. Those that are nested too deep to be read could only rule out more.
fn read_facts<'p>(
    program: &'p Program,
    looks: &mut usize,
    block: BlockId,
    name: &str,
    depth: usize,
    facts: &mut MemberFacts<'p>,
) {
    for instruction in instructions(program, block) {
        let Some(left) = looks.checked_sub(1) else { return };
        *looks = left;
        if let Plain::Assert(Assertion::Required(names)) = instruction {
            facts.is_required |= program.names[names].find(name).is_some();
        } else if let Plain::Apply(Applicator::Properties(named)) = instruction {
            let named = &program.named_blocks[named];
            if let Some(index) = named.names.find(name) {
                facts.values = values(program, named.blocks[index], 0).or(facts.values.take());
            }
        } else if depth < DEEPEST {
            for &target in called(program, &instruction) {
                read_facts(program, looks, target, name, depth + 1, facts);
            }
        }
    }
}

/// The blocks that an instruction runs on the same node in any case.
fn called<'p>(program: &'p Program, instruction: &'p Plain) -> &'p [BlockId] {
    if let Plain::Apply(Applicator::Call(target)) = instruction {
        std::slice::from_ref(target)
    } else if let Plain::Apply(Applicator::AllOf(blocks)) = *instruction {
        program.list(blocks)
    } else {
        &[]
    }
}

/// The members that a block, or one that it calls, has subschemas for.
fn visit_members<'p>(
    program: &'p Program,
    looks: &mut usize,
    block: BlockId,
    depth: usize,
    visit: &mut impl FnMut(&'p str, BlockId),
) {
    for instruction in instructions(program, block) {
        let Some(left) = looks.checked_sub(1) else { return };
        *looks = left;
        if let Plain::Apply(Applicator::Properties(named)) = instruction {
            let named = &program.named_blocks[named];
            *looks = looks.saturating_sub(named.blocks.len());
            named.names.iter().zip(&named.blocks).for_each(|(name, &child)| visit(name, child));
        } else if depth < DEEPEST {
            for &target in called(program, &instruction) {
                visit_members(program, looks, target, depth + 1, visit);
            }
        }
    }
}

/// Whether [`values`] has an answer.
fn is_fixed(program: &Program, block: BlockId, depth: usize) -> bool {
    instructions(program, block).any(|instruction| {
        if let Plain::Assert(Assertion::Equals(constant)) = instruction {
            Case::of(&program.constants[constant]).is_some()
        } else if let Plain::Assert(Assertion::IsOneOf(values)) = instruction {
            let enumeration = &program.enumerations[values];
            let others = enumeration.others.iter().map(|other| &enumeration.values[other.index as usize]);
            enumeration.values.len() <= MANY
                && others.take(TESTED_VALUES).all(|value| Case::of(value).is_some())
        } else if let Plain::Apply(Applicator::Call(target)) = instruction {
            depth < DEEPEST && is_fixed(program, target, depth + 1)
        } else {
            false
        }
    })
}

/// The values that are all that a block allows.
fn values(program: &Program, block: BlockId, depth: usize) -> Option<Vec<Case<'_>>> {
    instructions(program, block).find_map(|instruction| {
        if let Plain::Assert(Assertion::Equals(constant)) = instruction {
            Case::of(&program.constants[constant]).map(|case| vec![case])
        } else if let Plain::Assert(Assertion::IsOneOf(values)) = instruction {
            let values = &program.enumerations[values].values;
            if values.len() <= MANY { values.iter().map(Case::of).collect() } else { None }
        } else if let Plain::Apply(Applicator::Call(target)) = instruction
            && depth < DEEPEST
        {
            self::values(program, target, depth + 1)
        } else {
            None
        }
    })
}

fn instructions(program: &Program, block: BlockId) -> impl Iterator<Item = Plain> {
    program.block(block).plain.clone().map(|at| program.code[at as usize])
}
