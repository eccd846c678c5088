//! `propertyNames`: [core §10.3.2.4]. Every name of an object satisfies a subschema; what is no object passes.
//!
//! ```text
//! {"propertyNames": {"maxLength": 3}}    0000 EachName → 1    /propertyNames
//! ```
//!
//! [core §10.3.2.4]: https://json-schema.org/draft/2020-12/json-schema-core#section-10.3.2.4

use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::instance::{Name, Node, Object};
use crate::limits::Stopped;
use crate::program::{BlockId, Instruction};
use crate::report::{Edge, Report, Step};
use crate::run::Run;

pub(crate) fn compile(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.emit(Instruction::EachName(site.block()));
    Ok(())
}

#[inline(never)]
pub(crate) fn each<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    at: u32,
    block: BlockId,
    node: N,
) -> Result<bool, Stopped> {
    let Some(members) = node.as_object() else { return Ok(true) };
    if run.is_fast() {
        run.budget.spend(members.len() as u64)?;
        return run.pass_all(run.program.gate(block), members.iter().map(|(name, _)| Name(name)), |_, _| {});
    }
    let mut valid = true;
    for (name, _) in members.iter() {
        valid &= run.below(Edge::keyword(at), Step::Name(name), block, Name(name))?;
        if !valid && run.report.is_done() {
            break;
        }
    }
    Ok(valid)
}
