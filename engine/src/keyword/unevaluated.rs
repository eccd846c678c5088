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

use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::instance::{Array, Node, Object, View};
use crate::limits::Stopped;
use crate::program::{BlockId, Instruction};
use crate::report::{Edge, Note, Report, Step};
use crate::run::Run;

pub(crate) fn compile_items(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.emit(Instruction::UnevaluatedItems(site.block()));
    Ok(())
}

pub(crate) fn compile_properties(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.emit(Instruction::UnevaluatedProperties(site.block()));
    Ok(())
}

#[inline(never)]
pub(crate) fn items<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    at: u32,
    block: BlockId,
    node: N,
) -> Result<bool, Stopped> {
    let View::Array(items) = node.view() else { return Ok(true) };
    if run.marks.has_all() {
        return Ok(true);
    }
    let mut valid = true;
    let mut some = false;
    for (index, item) in items.iter().enumerate() {
        run.budget.spend(1)?;
        if run.marks.has(index) {
            continue;
        }
        some = true;
        valid &= run.below(Edge::keyword(at), Step::Item(index), block, item)?;
        if !valid && run.report.is_done() {
            return Ok(false);
        }
    }
    run.marks.mark_all();
    if some && run.report.wants_notes() {
        run.report.note(&mut run.budget, || Note::Whole)?;
    }
    Ok(valid)
}

#[inline(never)]
pub(crate) fn properties<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    at: u32,
    block: BlockId,
    node: N,
) -> Result<bool, Stopped> {
    let View::Object(members) = node.view() else { return Ok(true) };
    if run.marks.has_all() {
        return Ok(true);
    }
    let mut valid = true;
    let mut seen = Vec::new();
    for (index, (name, value)) in members.iter().enumerate() {
        run.budget.spend(1)?;
        if run.marks.has(index) {
            continue;
        }
        valid &= run.below(Edge::keyword(at), Step::Member(name), block, value)?;
        if !valid && run.report.is_done() {
            return Ok(false);
        }
        if run.report.wants_notes() {
            seen.push(name.to_owned());
        }
    }
    run.marks.mark_all();
    if run.report.wants_notes() {
        run.report.note(&mut run.budget, || Note::Names(seen))?;
    }
    Ok(valid)
}
