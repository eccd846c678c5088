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
use crate::program::{BlockId, Evaluated, Found, Instruction};
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
    let known = run.evaluated();
    if run.marks.has_all() || known.is_some_and(|known| known.all_items) {
        return Ok(true);
    }
    let first = known.map_or(0, |known| known.items as usize);
    let mut valid = true;
    let mut some = false;
    for (index, item) in items.iter().enumerate().skip(first) {
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
    let known = run.evaluated();
    if run.marks.has_all() || known.is_some_and(|known| known.all_members) {
        return Ok(true);
    }
    let mut valid = true;
    let mut seen = Vec::new();
    for (index, (name, value)) in members.iter().enumerate() {
        run.budget.spend(1)?;
        let is_evaluated = match known {
            Some(known) => is_known(run, known, name)?,
            None => run.marks.has(index),
        };
        if is_evaluated {
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

/// Whether a member is among those that a block is known to evaluate, by their names or by patterns of its own.
fn is_known<R: Report>(run: &mut Run<'_, R>, known: &Evaluated, name: &str) -> Result<bool, Stopped> {
    if known.names.find(name).is_some() {
        return Ok(true);
    }
    let program = run.program;
    let Some(block) = run.report.innermost_block() else { return Ok(false) };
    for at in program.block(block).plain.clone() {
        if let Instruction::PatternProperties(id) = program.code[at as usize] {
            let mut found = Found::new();
            program.pattern_blocks[id].set.find(&program.patterns, &mut run.budget, name, &mut found)?;
            return Ok(!found.is_empty());
        }
    }
    Ok(false)
}
