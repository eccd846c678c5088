//! `allOf`, `anyOf`, `oneOf`, `not`: [core §10.2.1].
//!
//! ```text
//! {"anyOf": [{"type": "null"}, {"minimum": 3}]}    0000 AnyOf → 1 2    /anyOf
//! ```
//!
//! Branches are tried in order. `anyOf` stops at the first that holds, and `oneOf` at the second, unless
//! someone asks what was evaluated: then `anyOf` runs all.
//!
//! [core §10.2.1]: https://json-schema.org/draft/2020-12/json-schema-core#section-10.2.1

use super::apply::{Apply, Edge, Halt};
use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::instance::{Node, Shape, View};
use crate::limits::{Budget, Stopped};
use crate::program::{Applicator, BlockId, Blocks, Id, Pick, Program, Scalar, Want};
use crate::run::lookup::find_member;
use crate::run::{Recall, Run};

pub(crate) fn compile_all_of(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let blocks = not_empty(builder, site)?;
    builder.emit(Applicator::AllOf(blocks));
    Ok(())
}

pub(crate) fn compile_any_of(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let blocks = not_empty(builder, site)?;
    builder.emit(Applicator::AnyOf(blocks));
    Ok(())
}

pub(crate) fn compile_one_of(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let blocks = not_empty(builder, site)?;
    builder.emit(Applicator::OneOf(blocks));
    Ok(())
}

pub(crate) fn compile_not(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.emit(Applicator::Not(site.block()));
    Ok(())
}

/// The blocks of a non-empty array of schemas.
pub(crate) fn not_empty(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<Blocks, SchemaError> {
    let wanted = "a non-empty array of schemas";
    if builder.array(site, wanted)?.is_empty() {
        return Err(builder.unexpected(site, wanted));
    }
    Ok(builder.children(site))
}

#[inline(never)]
pub(crate) fn all_of<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    blocks: Blocks,
    node: N,
) -> Result<bool, Stopped> {
    let program = run.program;
    run.all(|all| apply_all_of(program, all, blocks, node))
}

/// `allOf` applies all its subschemas to the node.
pub(crate) fn apply_all_of<'a, N: Node<'a>>(
    program: &Program,
    apply: &mut impl Apply<'a>,
    blocks: Blocks,
    node: N,
) -> Result<(), Halt> {
    branches(program, blocks).try_for_each(|(edge, block)| apply.here(edge, block, node))
}

/// The subschemas of a list, with the edges that lead to them.
pub(crate) fn branches(program: &Program, blocks: Blocks) -> impl Iterator<Item = (Edge, BlockId)> {
    let blocks = program.list(blocks).iter().enumerate();
    blocks.map(|(index, &block)| (Edge::item(index), block))
}

/// In unions of up to so many branches nobody looks whether everything is marked already.
const SHORT: u32 = 16;

#[inline(never)]
pub(crate) fn any_of<'a, N: Node<'a>, R: Recall, const IS_ALONE: bool>(
    run: &mut Run<'_, R>,
    blocks: Blocks,
    node: N,
) -> Result<bool, Stopped> {
    if IS_ALONE || run.is_fast() {
        return run.walk::<IS_ALONE>(|run| any_of_fast(run, blocks, node));
    }
    // Someone asks for what each branch evaluates.
    let mut valid = false;
    for &block in run.program.list(blocks) {
        if blocks.len > SHORT && run.marks.has_all() {
            // There is nothing left to mark, so that one branch is enough, and fast code does.
            if valid || run.below(block, node)? {
                return Ok(true);
            }
        } else {
            valid |= run.branch(block, node)?;
        }
    }
    Ok(valid)
}

#[inline(never)]
pub(crate) fn one_of<'a, N: Node<'a>, R: Recall, const IS_ALONE: bool>(
    run: &mut Run<'_, R>,
    blocks: Blocks,
    node: N,
) -> Result<bool, Stopped> {
    if IS_ALONE || run.is_fast() {
        return run.walk::<IS_ALONE>(|run| one_of_fast(run, blocks, node));
    }
    let mut accepted = false;
    for &block in run.program.list(blocks) {
        let is_marked = blocks.len > SHORT && run.marks.has_all();
        if if is_marked { run.below(block, node)? } else { run.branch(block, node)? } {
            // Two are too many, whatever is evaluated.
            if accepted {
                return Ok(false);
            }
            accepted = true;
        }
    }
    Ok(accepted)
}

#[inline(always)]
fn any_of_fast<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    blocks: Blocks,
    node: N,
) -> Result<bool, Stopped> {
    let program = run.program;
    for &block in program.list(blocks) {
        run.budget.spend(1)?;
        if run.try_pass(program.gate(block), node)? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[inline(always)]
fn one_of_fast<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    blocks: Blocks,
    node: N,
) -> Result<bool, Stopped> {
    let program = run.program;
    let mut accepted = false;
    for &block in program.list(blocks) {
        run.budget.spend(1)?;
        if run.try_pass(program.gate(block), node)? {
            // Two are too many.
            if accepted {
                return Ok(false);
            }
            accepted = true;
        }
    }
    Ok(accepted)
}

#[inline(always)]
fn all_of_fast<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    blocks: Blocks,
    node: N,
) -> Result<bool, Stopped> {
    let program = run.program;
    for &block in program.list(blocks) {
        run.budget.spend(1)?;
        if !run.pass(program.gate(block), node)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Runs the branches that the value of one member leaves.
#[inline(never)]
pub(crate) fn pick<'a, N: Node<'a>, R: Recall, const IS_ALONE: bool>(
    run: &mut Run<'_, R>,
    id: Id<Pick>,
    node: N,
) -> Result<bool, Stopped> {
    let program = run.program;
    let pick = &program.picks[id];
    let blocks = match node.view() {
        View::Object(object) => match find_member::<N>(&mut run.budget, object, &pick.name)? {
            Some(member) => branches_for(&mut run.budget, pick, member)?,
            None => pick.absent,
        },
        View::Null | View::Bool(_) | View::Number(_) | View::String(_) | View::Array(_) => pick.all,
    };
    run.walk::<IS_ALONE>(|run| match pick.want {
        Want::Any => any_of_fast(run, blocks, node),
        Want::One => one_of_fast(run, blocks, node),
        Want::All => all_of_fast(run, blocks, node),
    })
}

/// The branches that a value of the member leaves. Mostly that is a text.
#[inline(always)]
fn branches_for<'a, N: Node<'a>>(budget: &mut Budget, pick: &Pick, member: N) -> Result<Blocks, Stopped> {
    let Some(text) = member.text_bytes() else { return branches_for_others(budget, pick, member) };
    budget.spend_bytes(text.len())?;
    if pick.texts.has_costly_lookups() {
        budget.spend(pick.texts.extra_steps(text))?;
    }
    Ok(pick.texts.look_up(text).map_or(pick.otherwise, |(_, &case)| case))
}

/// Like [`branches_for`], for values that are not texts.
#[inline(never)]
fn branches_for_others<'a, N: Node<'a>>(
    budget: &mut Budget,
    pick: &Pick,
    member: N,
) -> Result<Blocks, Stopped> {
    if matches!(member.shape(), Shape::Array | Shape::Object) {
        return Ok(pick.otherwise);
    }
    let Some(scalar) = Scalar::of(member) else {
        return Ok(if pick.want == Want::All { pick.otherwise } else { pick.all });
    };
    budget.spend((pick.scalars.len() / 16) as u64)?;
    let case = pick.scalars.iter().find(|&&(other, _)| other == scalar).map(|&(_, case)| case);
    Ok(case.unwrap_or(pick.otherwise))
}

#[inline(never)]
pub(crate) fn not<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    block: BlockId,
    node: N,
) -> Result<bool, Stopped> {
    run.budget.spend(1)?;
    // Whatever the block evaluates, it does not count: if it holds, `not` does not.
    let frame = run.marks.suspend();
    let holds = run.pass(run.program.gate(block), node)?;
    run.marks.resume(frame);
    Ok(!holds)
}
