//! `if`, `then`, `else`: [core §10.2.2]. One subschema or another, as a third says.
//!
//! ```text
//! {"if": {"type": "string"}, "then": {"minLength": 1}}    0000 If → 1 2    /if
//! ```
//!
//! `if` reads the other two; without it they mean nothing. Without them it is there for what it
//! evaluates and annotates.
//!
//! [core §10.2.2]: https://json-schema.org/draft/2020-12/json-schema-core#section-10.2.2

use super::logic;
use crate::compile::{Builder, Site, block_of};
use crate::error::SchemaError;
use crate::instance::Node;
use crate::limits::Stopped;
use crate::program::{BlockId, Condition, Id, Instruction};
use crate::report::{Edge, Report};
use crate::run::Run;
use stanchion_vocab::Keyword;

pub(crate) fn compile(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let branch = |keyword| builder.sibling(site, keyword).map(|entry| block_of(entry.first_child));
    let (then, otherwise) = (branch(Keyword::Then), branch(Keyword::Else));
    let condition = builder.program.conditions.push(Condition { test: site.block(), then, otherwise });
    builder.emit(Instruction::If(condition));
    Ok(())
}

/// A branch is a block of its own, whether `if` uses it or not.
pub(crate) fn compile_branch(_: &mut Builder<'_>, _: &Site<'_>) -> Result<(), SchemaError> {
    Ok(())
}

#[inline(never)]
pub(crate) fn if_then_else<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    at: u32,
    condition: Id<Condition>,
    node: N,
) -> Result<bool, Stopped> {
    let condition = &run.program.conditions[condition];
    if run.is_fast() {
        return fast(run, condition, node);
    }
    let holds = run.probe(Edge::keyword(at), condition.test, node)?;
    match branch(condition, holds) {
        Some((block, edge)) => run.in_place(edge, block, node),
        None => Ok(true),
    }
}

/// The branch that a condition leads to as its test says, if it has that, and the way there.
#[inline]
pub(crate) fn branch(condition: &Condition, holds: bool) -> Option<(BlockId, Edge<'static>)> {
    match holds {
        true => Some((condition.then?, Edge::of(Keyword::Then))),
        false => Some((condition.otherwise?, Edge::of(Keyword::Else))),
    }
}

/// The branch that a condition of a block leads to by the value of a member, if there is one, where the block's fast code has a table for that condition
/// alone.
pub(crate) fn branch_by_member<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    block: BlockId,
    id: Id<Condition>,
    node: N,
) -> Result<Option<Option<BlockId>>, Stopped> {
    let program = run.program;
    let Some(object) = node.as_object() else { return Ok(None) };
    let pick = program.fast(block).code().find_map(|at| {
        let Instruction::Pick(pick) = program.code[at as usize] else { return None };
        Some(&program.picks[pick]).filter(|pick| pick.conditions[..] == [id])
    });
    let Some(pick) = pick else { return Ok(None) };
    let left = logic::branches_by_member::<N, R>(run, pick, object)?;
    let Some(&chosen) = program.list(left).first() else { return Ok(Some(None)) };
    // Where two blocks are equal, fast code may have one of them.
    let is_chosen = |&block: &BlockId| block == chosen || program.block(block).same_as == chosen;
    let &Condition { then, otherwise, .. } = &program.conditions[id];
    Ok(match (then.filter(is_chosen), otherwise.filter(is_chosen)) {
        (Some(then), None) => Some(Some(then)),
        (None, Some(otherwise)) => Some(Some(otherwise)),
        (Some(_), Some(_)) | (None, None) => None,
    })
}

fn fast<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    condition: &Condition,
    node: N,
) -> Result<bool, Stopped> {
    if condition.then.is_none() && condition.otherwise.is_none() {
        return Ok(true);
    }
    let program = run.program;
    run.budget.spend(1)?;
    let holds = run.pass(program.gate(condition.test), node)?;
    let Some((block, _)) = branch(condition, holds) else { return Ok(true) };
    run.budget.spend(1)?;
    run.pass(program.gate(block), node)
}
