//! `propertyNames`: [core §10.3.2.4]. Every name of an object satisfies a subschema; what is no object passes.
//!
//! ```text
//! {"propertyNames": {"maxLength": 3}}    0000 EachName → 1    /propertyNames
//! ```
//!
//! [core §10.3.2.4]: https://json-schema.org/draft/2020-12/json-schema-core#section-10.3.2.4

use super::apply::{Apply, Edge, Halt, Step};
use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::instance::{Name, Node, Object};
use crate::limits::Stopped;
use crate::program::{Applicator, BlockId};
use crate::run::{Recall, Run};

pub(crate) fn compile(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.emit(Applicator::EachName(site.block()));
    Ok(())
}

#[inline(never)]
pub(crate) fn each<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    block: BlockId,
    node: N,
) -> Result<bool, Stopped> {
    let Some(members) = node.as_object() else { return Ok(true) };
    if run.is_fast() {
        run.budget.spend(members.len() as u64)?;
        return run.pass_all(run.program.gate(block), members.iter().map(|(name, _)| Name(name)));
    }
    run.all(|all| apply_each(all, block, node))
}

/// `propertyNames` applies its subschema to each name.
pub(crate) fn apply_each<'a, N: Node<'a>>(
    apply: &mut impl Apply<'a>,
    block: BlockId,
    node: N,
) -> Result<(), Halt> {
    let Some(members) = node.as_object() else { return Ok(()) };
    for (name, _) in members.iter() {
        apply.child(Edge::VALUE, Step::Name(name), block, Name(name))?;
    }
    Ok(())
}
