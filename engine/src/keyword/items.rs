//! `prefixItems`, `items`, and the older `items` with `additionalItems`: [core §10.3.1]. The first items
//! satisfy a subschema each, the others one for all of them; what is no array passes.
//!
//! ```text
//! {"prefixItems": [true, false], "items": {"type": "null"}}
//!
//!   0000 PrefixItems → 1 2    /prefixItems
//!   0001 EachItem 2.. → 3     /items
//! ```
//!
//! `items` reads how long `prefixItems` is; `additionalItems` reads how long `items` is. Fast code has both in one walk, with
//! `minItems`, `maxItems` and `uniqueItems`: [`all`].
//!
//! [core §10.3.1]: https://json-schema.org/draft/2020-12/json-schema-core#section-10.3.1

use super::apply::{Apply, Edge, Halt, Step};
use super::members::all_alike;
use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::instance::{Array, Node, equal};
use crate::limits::Stopped;
use crate::program::{Applicator, BlockId, Blocks, Gate, Id, Items, Program};
use crate::run::{Recall, Run};
use serde_json::Value;
use stanchion_vocab::Keyword;

pub(crate) fn compile_prefix(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let blocks = super::logic::not_empty(builder, site)?;
    builder.emit(Applicator::PrefixItems(blocks));
    Ok(())
}

pub(crate) fn compile(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let from = builder.sibling(site, Keyword::PrefixItems).map_or(0, |entry| entry.children);
    builder.emit(Applicator::EachItem(from, site.block()));
    Ok(())
}

/// Before 2020-12: one subschema for all items, or one each for the first.
pub(crate) fn compile_one_or_list(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let Value::Array(items) = site.entry.value else {
        builder.emit(Applicator::EachItem(0, site.block()));
        return Ok(());
    };
    if items.is_empty() {
        return Err(builder.unexpected(site, "a schema or a non-empty array of schemas"));
    }
    let blocks = builder.children(site);
    builder.emit(Applicator::PrefixItems(blocks));
    Ok(())
}

/// Counts only where `items` is a list.
pub(crate) fn compile_additional(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let list = builder.sibling(site, Keyword::Items).filter(|entry| entry.value.is_array());
    if let Some(list) = list {
        builder.emit(Applicator::EachItem(list.children, site.block()));
    }
    Ok(())
}

#[inline(never)]
pub(crate) fn prefix<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    blocks: Blocks,
    node: N,
) -> Result<bool, Stopped> {
    let program = run.program;
    run.all(|all| apply_prefix(program, all, blocks, node))
}

/// `prefixItems` applies to each of the first items its own subschema.
pub(crate) fn apply_prefix<'a, N: Node<'a>>(
    program: &Program,
    apply: &mut impl Apply<'a>,
    blocks: Blocks,
    node: N,
) -> Result<(), Halt> {
    let Some(items) = node.as_array() else { return Ok(()) };
    for (index, (item, &block)) in items.iter().zip(program.list(blocks)).enumerate() {
        apply.child(Edge::item(index), Step::Item(index), block, item)?;
    }
    Ok(())
}

#[inline(never)]
pub(crate) fn each<'a, N: Node<'a>, R: Recall, const IS_ALONE: bool>(
    run: &mut Run<'_, R>,
    from: u32,
    block: BlockId,
    node: N,
) -> Result<bool, Stopped> {
    let Some(items) = node.as_array() else { return Ok(true) };
    // An instruction that is alone at a gate makes no marks.
    if !IS_ALONE && !run.is_fast() {
        return run.all(|all| apply_each(all, from, block, node));
    }
    if from > 0 {
        return each_behind::<N, R, IS_ALONE>(run, from as usize, block, items);
    }
    run.budget.spend(items.len() as u64)?;
    let gate = run.program.gate(block);
    // Mostly the gate of each decides. Running blocks is a function of its own, so that this loop makes no calls and needs no room for them.
    if gate.lets_all_pass(items.iter()) {
        return Ok(true);
    }
    run.walk::<IS_ALONE>(|run| each_asked::<N, R>(run, gate, items))
}

/// For items that their gate does not decide.
#[inline(never)]
fn each_asked<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    gate: &Gate,
    items: N::Array,
) -> Result<bool, Stopped> {
    all_alike(run, gate, items.iter())
}

/// For items behind others.
#[inline(never)]
fn each_behind<'a, N: Node<'a>, R: Recall, const IS_ALONE: bool>(
    run: &mut Run<'_, R>,
    from: usize,
    block: BlockId,
    items: N::Array,
) -> Result<bool, Stopped> {
    if items.len() <= from {
        return Ok(true);
    }
    run.budget.spend(items.len() as u64)?;
    let gate = run.program.gate(block);
    if gate.lets_all_pass(items.iter().skip(from)) {
        return Ok(true);
    }
    run.walk::<IS_ALONE>(|run| all_alike(run, gate, items.iter().skip(from)))
}

/// `items` applies its subschema to each item behind those of `prefixItems`.
pub(crate) fn apply_each<'a, N: Node<'a>>(
    apply: &mut impl Apply<'a>,
    from: u32,
    block: BlockId,
    node: N,
) -> Result<(), Halt> {
    let Some(items) = node.as_array() else { return Ok(()) };
    for (index, item) in items.iter().enumerate().skip(from as usize) {
        apply.child(Edge::VALUE, Step::Item(index), block, item)?;
    }
    Ok(())
}

/// All that a block asks of an array's length and items.
#[inline(never)]
pub(crate) fn all<'a, N: Node<'a>, R: Recall, const IS_ALONE: bool>(
    run: &mut Run<'_, R>,
    id: Id<Items>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(items) = node.as_array() else { return Ok(true) };
    let wanted = &run.program.items[id];
    let len = items.len();
    if (len as u64) < wanted.least || len as u64 > wanted.most {
        return Ok(false);
    }
    let walked = if wanted.rest.is_open() { len.min(wanted.first.len()) } else { len };
    run.budget.spend(walked as u64)?;
    let holds = if !wanted.first.is_empty() {
        run.walk::<IS_ALONE>(|run| all_in_turn::<N, R>(run, wanted, items))?
    } else if walked == 0 || wanted.rest.lets_all_pass(items.iter()) {
        true
    } else {
        run.walk::<IS_ALONE>(|run| each_asked::<N, R>(run, &wanted.rest, items))?
    };
    if holds && wanted.unique {
        return Ok(equal::find_equal_items::<N>(&mut run.budget, &run.program.seeds, items)?.is_none());
    }
    Ok(holds)
}

/// For first items that are asked something of their own, and those behind them.
#[inline(never)]
fn all_in_turn<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    wanted: &Items,
    items: N::Array,
) -> Result<bool, Stopped> {
    let mut rest = items.iter();
    for gate in &wanted.first {
        let Some(item) = rest.next() else { return Ok(true) };
        if !run.pass(gate, item)? {
            return Ok(false);
        }
    }
    if wanted.rest.is_open() { Ok(true) } else { all_alike(run, &wanted.rest, rest) }
}
