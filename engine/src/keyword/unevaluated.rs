//! `unevaluatedItems` and `unevaluatedProperties`: [core §11]. What no other keyword of the subschema, or of those
//! that it applied to the same value and that held, has looked at, satisfies a subschema.
//!
//! ```text
//! {"allOf": [{"properties": {"a": true}}], "unevaluatedProperties": false}
//!
//!   0000 AllOf → 1                    /allOf
//!   0001 UnevaluatedProperties → 3    /unevaluatedProperties
//! ```
//!
//! They run behind all others. What has been evaluated is in the marks of the run.
//!
//! [core §11]: https://json-schema.org/draft/2020-12/json-schema-core#section-11

use super::apply::{Apply, Edge, Halt, Step};
use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::instance::{Array, Node, Object, View};
use crate::limits::Stopped;
use crate::program::{Applicator, BlockId, Branch, Id, MatchingPatterns, Test, Unevaluated};
use crate::run::lookup::find_member;
use crate::run::{Recall, Run};

pub(crate) fn compile_items(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.emit(Applicator::UnevaluatedItems(site.block()));
    Ok(())
}

pub(crate) fn compile_properties(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.emit(Applicator::UnevaluatedProperties(site.block()));
    Ok(())
}

#[inline(never)]
pub(crate) fn items<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    block: BlockId,
    node: N,
) -> Result<bool, Stopped> {
    run.all(|all| apply_items(all, block, node))
}

/// `unevaluatedItems` applies its subschema to each item that nothing has evaluated.
pub(crate) fn apply_items<'a, N: Node<'a>>(
    apply: &mut impl Apply<'a>,
    block: BlockId,
    node: N,
) -> Result<(), Halt> {
    let Some(items) = node.as_array() else { return Ok(()) };
    if apply.marks().has_all() {
        return Ok(());
    }
    for (index, item) in items.iter().enumerate() {
        apply.budget().spend(1)?;
        if !apply.marks().has(index) {
            apply.child(Edge::VALUE, Step::Item(index), block, item)?;
        }
    }
    apply.marks().mark_all();
    Ok(())
}

#[inline(never)]
pub(crate) fn properties<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    block: BlockId,
    node: N,
) -> Result<bool, Stopped> {
    run.all(|all| apply_properties(all, block, node))
}

/// `unevaluatedProperties` applies its subschema to each member that nothing has evaluated.
pub(crate) fn apply_properties<'a, N: Node<'a>>(
    apply: &mut impl Apply<'a>,
    block: BlockId,
    node: N,
) -> Result<(), Halt> {
    let Some(members) = node.as_object() else { return Ok(()) };
    if apply.marks().has_all() {
        return Ok(());
    }
    for (index, (name, value)) in members.iter().enumerate() {
        apply.budget().spend(1)?;
        if !apply.marks().has(index) {
            apply.child(Edge::VALUE, Step::Member(index, name), block, value)?;
        }
    }
    apply.marks().mark_all();
    Ok(())
}

/// Runs the branches on which it depends what is evaluated, then asks of what is left.
#[inline(never)]
pub(crate) fn by_branches<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    id: Id<Unevaluated>,
    node: N,
) -> Result<bool, Stopped> {
    let wanted = &run.program.unevaluated[id];
    let mut held = Unevaluated::ALWAYS;
    for part in &wanted.parts {
        if !part_holds(run, part, node, &mut held)? {
            return Ok(false);
        }
    }
    match (node.view(), wanted.members, wanted.rest) {
        (View::Object(members), Some(block), _) if held & wanted.all_members == 0 => {
            members_left::<N, R>(run, wanted, held, block, members)
        }
        (View::Array(items), _, Some(block)) if held & wanted.all_items == 0 => {
            items_left::<N, R>(run, wanted, held, block, items)
        }
        _ => Ok(true),
    }
}

/// Whether a part holds, with the bits of those of its branches that do.
fn part_holds<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    part: &Test,
    node: N,
    held: &mut u64,
) -> Result<bool, Stopped> {
    match part {
        Test::Union { blocks, exactly_one } => {
            let mut accepted = 0;
            for &branch in blocks {
                // A branch that evaluates nothing need not be tried if another one is enough.
                let is_idle = branch.1 == 0 && !exactly_one && accepted > 0;
                accepted += usize::from(!is_idle && branch_holds(run, branch, node, held)?);
            }
            Ok(if *exactly_one { accepted == 1 } else { accepted > 0 })
        }
        Test::If { test, then, otherwise } => {
            let branch = if branch_holds(run, *test, node, held)? { then } else { otherwise };
            branch.map_or(Ok(true), |branch| branch_holds(run, branch, node, held))
        }
        Test::Dependent(name, branch) => {
            let Some(members) = node.as_object() else { return Ok(true) };
            match find_member::<N>(&mut run.budget, members, name)? {
                Some(_) => branch_holds(run, *branch, node, held),
                None => Ok(true),
            }
        }
    }
}

#[inline(always)]
fn branch_holds<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    (block, bits): Branch,
    node: N,
    held: &mut u64,
) -> Result<bool, Stopped> {
    run.budget.spend(1)?;
    let holds = run.pass(run.program.gate(block), node)?;
    *held |= if holds { bits } else { 0 };
    Ok(holds)
}

fn members_left<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    wanted: &Unevaluated,
    held: u64,
    block: BlockId,
    members: N::Object,
) -> Result<bool, Stopped> {
    run.budget.spend(members.len() as u64)?;
    for (name, value) in members.iter() {
        if is_left(run, wanted, held, name)? && !run.pass(run.program.gate(block), value)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether nothing that held has evaluated a member.
#[inline(always)]
fn is_left<R>(run: &mut Run<'_, R>, wanted: &Unevaluated, held: u64, name: &str) -> Result<bool, Stopped> {
    run.budget.spend(wanted.names.extra_steps(name.as_bytes()))?;
    if wanted.names.look_up(name.as_bytes()).is_some_and(|(_, bits)| bits & held != 0) {
        return Ok(false);
    }
    let program = run.program;
    for &(patterned, _) in wanted.patterns.iter().filter(|(_, bits)| bits & held != 0) {
        let mut found = MatchingPatterns::new();
        program.pattern_blocks[patterned].set.find(&program.patterns, &mut run.budget, name, &mut found)?;
        if !found.is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
}

fn items_left<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    wanted: &Unevaluated,
    held: u64,
    block: BlockId,
    items: N::Array,
) -> Result<bool, Stopped> {
    let from = wanted.first_item_left(held);
    run.budget.spend(items.len() as u64)?;
    for item in items.iter().skip(from) {
        if !run.pass(run.program.gate(block), item)? {
            return Ok(false);
        }
    }
    Ok(true)
}
