//! `allOf`, `anyOf`, `oneOf`, `not`: [core §10.2.1].
//!
//! ```text
//! {"anyOf": [{"type": "null"}, {"minimum": 3}]}    0000 AnyOf → 1 2    /anyOf
//! ```
//!
//! Branches are tried in order. `anyOf` stops at the first that holds, and `oneOf` at the second, unless
//! someone asks what was evaluated or why: then all are run.
//!
//! [core §10.2.1]: https://json-schema.org/draft/2020-12/json-schema-core#section-10.2.1

use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::instance::Node;
use crate::limits::Exhausted;
use crate::program::{BlockId, Blocks, Instruction};
use crate::report::{Edge, Note, Report};
use crate::run::Run;

pub(crate) fn compile_all_of(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let blocks = not_empty(builder, site)?;
    builder.emit(Instruction::AllOf(blocks));
    Ok(())
}

pub(crate) fn compile_any_of(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let blocks = not_empty(builder, site)?;
    builder.emit(Instruction::AnyOf(blocks));
    Ok(())
}

pub(crate) fn compile_one_of(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let blocks = not_empty(builder, site)?;
    builder.emit(Instruction::OneOf(blocks));
    Ok(())
}

pub(crate) fn compile_not(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.emit(Instruction::Not(site.block()));
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
pub(crate) fn all_of<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    at: u32,
    blocks: Blocks,
    node: N,
) -> Result<bool, Exhausted> {
    let mut valid = true;
    for (index, &block) in run.program.list(blocks).iter().enumerate() {
        valid &= run.in_place(Edge::item(at, index), block, node)?;
        if !valid && R::STOPS {
            break;
        }
    }
    Ok(valid)
}

#[inline(never)]
pub(crate) fn any_of<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    at: u32,
    blocks: Blocks,
    node: N,
) -> Result<bool, Exhausted> {
    let all = !R::STOPS || run.marks.active();
    let mut valid = false;
    for (index, &block) in run.program.list(blocks).iter().enumerate() {
        valid |= run.branch(Edge::item(at, index), block, node)?;
        if valid && !all {
            break;
        }
    }
    Ok(valid)
}

#[inline(never)]
pub(crate) fn one_of<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    at: u32,
    blocks: Blocks,
    node: N,
) -> Result<bool, Exhausted> {
    let mut accepted = 0;
    let mut places = Vec::new();
    for (index, &block) in run.program.list(blocks).iter().enumerate() {
        if run.branch(Edge::item(at, index), block, node)? {
            accepted += 1;
            if !R::STOPS {
                places.push(index);
            }
            // Two are too many, whatever is evaluated.
            if accepted > 1 && R::STOPS {
                break;
            }
        }
    }
    run.report.note(&mut run.budget, || Note::Branches(places))?;
    Ok(accepted == 1)
}

#[inline(never)]
pub(crate) fn not<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    at: u32,
    block: BlockId,
    node: N,
) -> Result<bool, Exhausted> {
    // Whatever the block marks, it does not count: if it holds, `not` does not.
    Ok(!run.probe(Edge::keyword(at), block, node)?)
}
