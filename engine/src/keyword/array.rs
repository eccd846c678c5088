//! `minItems`, `maxItems`, `uniqueItems`: [validation §6.4]. How many items, and no two equal; what is
//! no array passes.
//!
//! ```text
//! {"minItems": 1, "uniqueItems": true}    0000 ItemsAtLeast 1    /minItems
//!                                         0001 UniqueItems       /uniqueItems
//! ```
//!
//! [validation §6.4]: https://json-schema.org/draft/2020-12/json-schema-validation#section-6.4

use super::string::count;
use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::instance::{Array, Node, equal};
use crate::limits::{Budget, Stopped};
use crate::program::{Assertion, Id, Program};
use crate::run::Run;

pub(crate) fn compile_min_items(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let count = count(builder, site)?;
    let count = builder.program.counts.push(count);
    builder.emit(Assertion::ItemsAtLeast(count));
    Ok(())
}

pub(crate) fn compile_max_items(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let count = count(builder, site)?;
    let count = builder.program.counts.push(count);
    builder.emit(Assertion::ItemsAtMost(count));
    Ok(())
}

pub(crate) fn compile_unique_items(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    if builder.boolean(site)? {
        builder.emit(Assertion::UniqueItems);
    }
    Ok(())
}

#[inline(never)]
pub(crate) fn at_least<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    count: Id<u64>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(items) = node.as_array() else { return Ok(true) };
    Ok(items.len() as u64 >= run.program.counts[count])
}

#[inline(never)]
pub(crate) fn at_most<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    count: Id<u64>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(items) = node.as_array() else { return Ok(true) };
    Ok(items.len() as u64 <= run.program.counts[count])
}

#[inline(never)]
pub(crate) fn unique<'a, N: Node<'a>, R>(run: &mut Run<'_, R>, node: N) -> Result<bool, Stopped> {
    let Some(items) = node.as_array() else { return Ok(true) };
    Ok(equal::find_equal_items::<N>(&mut run.budget, &run.program.seeds, items)?.is_none())
}

/// The places of two equal items, for an error.
pub(crate) fn equal_items<'a, N: Node<'a>>(
    program: &Program,
    budget: &mut Budget,
    node: N,
) -> Result<(usize, usize), Stopped> {
    let Some(items) = node.as_array() else { return Ok((0, 0)) };
    Ok(equal::find_equal_items::<N>(budget, &program.seeds, items)?.unwrap_or((0, 0)))
}
