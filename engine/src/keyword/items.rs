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

use super::members::all_alike;
use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::instance::{Array, Node, equal};
use crate::limits::Stopped;
use crate::program::{BlockId, Blocks, Gate, Id, Instruction, Items};
use crate::report::{Edge, End, Note, Report, Step};
use crate::run::Run;
use serde_json::Value;
use stanchion_vocab::Keyword;

pub(crate) fn compile_prefix(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let blocks = super::logic::not_empty(builder, site)?;
    builder.emit(Instruction::PrefixItems(blocks));
    Ok(())
}

pub(crate) fn compile(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let from = builder.sibling(site, Keyword::PrefixItems).map_or(0, |entry| entry.children);
    builder.emit(Instruction::EachItem(from, site.block()));
    Ok(())
}

/// Before 2020-12: one subschema for all items, or one each for the first.
pub(crate) fn compile_one_or_list(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let Value::Array(items) = site.entry.value else {
        builder.emit(Instruction::EachItem(0, site.block()));
        return Ok(());
    };
    if items.is_empty() {
        return Err(builder.unexpected(site, "a schema or a non-empty array of schemas"));
    }
    let blocks = builder.children(site);
    builder.emit(Instruction::PrefixItems(blocks));
    Ok(())
}

/// Counts only where `items` is a list.
pub(crate) fn compile_additional(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let list = builder.sibling(site, Keyword::Items).filter(|entry| entry.value.is_array());
    if let Some(list) = list {
        builder.emit(Instruction::EachItem(list.children, site.block()));
    }
    Ok(())
}

#[inline(never)]
pub(crate) fn prefix<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    at: u32,
    blocks: Blocks,
    node: N,
) -> Result<bool, Stopped> {
    let Some(items) = node.as_array() else { return Ok(true) };
    let program = run.program;
    let blocks = program.list(blocks);
    let mut valid = true;
    for (index, (item, &block)) in items.iter().zip(blocks).enumerate() {
        valid &= run.below(Edge::item(at, index), Step::Item(index), block, item)?;
        if !valid && run.report.is_done() {
            return Ok(false);
        }
    }
    run.marks.mark_first(blocks.len().min(items.len()));
    if run.report.wants_notes() {
        run.report.note(&mut run.budget, || match blocks.len() >= items.len() {
            true => Note::Whole,
            false => Note::Index(blocks.len() - 1),
        })?;
    }
    Ok(valid)
}

#[inline(never)]
pub(crate) fn each<'a, N: Node<'a>, R: Report, const IS_ALONE: bool>(
    run: &mut Run<'_, R>,
    at: u32,
    from: u32,
    block: BlockId,
    node: N,
) -> Result<bool, Stopped> {
    let Some(items) = node.as_array() else { return Ok(true) };
    // An instruction that is alone at a gate is asked only for its verdict.
    if !IS_ALONE && !run.is_fast() {
        return each_told::<N, R>(run, at, from as usize, block, items);
    }
    if from > 0 {
        return each_behind::<N, R, IS_ALONE>(run, from as usize, block, items);
    }
    run.budget.spend(items.len() as u64)?;
    let gate = run.program.gate(block);
    // Mostly a look at each is enough. What has to be asked is apart, so that this loop makes no calls and needs no room for them.
    if gate.lets_all_pass(items.iter()) {
        return Ok(true);
    }
    run.walk::<IS_ALONE>(|run| each_asked::<N, R>(run, gate, Instruction::EachItem(0, block), items))
}

/// For items of which a look does not tell.
#[inline(never)]
fn each_asked<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    gate: &Gate,
    walk: Instruction,
    items: N::Array,
) -> Result<bool, Stopped> {
    all_alike(run, gate, items.iter(), |report, index| report.stopped(walk, items.address(), End::at(index)))
}

/// For items behind others.
#[inline(never)]
fn each_behind<'a, N: Node<'a>, R: Report, const IS_ALONE: bool>(
    run: &mut Run<'_, R>,
    from: usize,
    block: BlockId,
    items: N::Array,
) -> Result<bool, Stopped> {
    if items.len() <= from {
        return Ok(true);
    }
    run.budget.spend(items.len() as u64)?;
    let (gate, walk) = (run.program.gate(block), Instruction::EachItem(from as u32, block));
    if gate.lets_all_pass(items.iter().skip(from)) {
        return Ok(true);
    }
    run.walk::<IS_ALONE>(|run| {
        all_alike(run, gate, items.iter().skip(from), |report, index| {
            report.stopped(walk, items.address(), End::at(from + index));
        })
    })
}

/// For runs that tell, and for marks.
#[inline(never)]
fn each_told<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    at: u32,
    from: usize,
    block: BlockId,
    items: N::Array,
) -> Result<bool, Stopped> {
    if items.len() <= from {
        return Ok(true);
    }
    let mut valid = true;
    for (index, item) in items.iter().enumerate().skip(from) {
        valid &= run.below(Edge::keyword(at), Step::Item(index), block, item)?;
        if !valid && run.report.is_done() {
            return Ok(false);
        }
    }
    run.marks.mark_all();
    if run.report.wants_notes() {
        run.report.note(&mut run.budget, || Note::Whole)?;
    }
    Ok(valid)
}

/// All that a block asks of an array's length and items.
#[inline(never)]
pub(crate) fn all<'a, N: Node<'a>, R: Report, const IS_ALONE: bool>(
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
        run.walk::<IS_ALONE>(|run| all_in_turn::<N, R>(run, id, items))?
    } else if walked == 0 || wanted.rest.lets_all_pass(items.iter()) {
        true
    } else {
        run.walk::<IS_ALONE>(|run| each_asked::<N, R>(run, &wanted.rest, Instruction::Items(id), items))?
    };
    if holds && wanted.unique {
        let is_unique = equal::find_equal_items::<N>(&mut run.budget, &run.program.seeds, items)?.is_none();
        if !is_unique {
            run.report.stopped(Instruction::Items(id), items.address(), End::at(len));
        }
        return Ok(is_unique);
    }
    Ok(holds)
}

/// Leaves for the trail that a walk ended at an item which a gate refuses. It is found again, so that the walk need not keep it.
#[cold]
#[inline(never)]
fn leave_end<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    gate: &Gate,
    walk: Instruction,
    items: N::Array,
    index: usize,
) {
    if let Some(item) = items.iter().nth(index) {
        run.leave_refusal(gate, item);
    }
    run.report.stopped(walk, items.address(), End::at(index));
}

/// For first items that are asked something of their own, and those behind them.
#[inline(never)]
fn all_in_turn<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    id: Id<Items>,
    items: N::Array,
) -> Result<bool, Stopped> {
    let (wanted, walk) = (&run.program.items[id], Instruction::Items(id));
    let (mut rest, mut gates) = (items.iter(), wanted.first.iter());
    while let Some(gate) = gates.next() {
        let Some(item) = rest.next() else { return Ok(true) };
        let passed = run.pass_untold(gate, item);
        if passed != Ok(true) {
            if R::LEAVES_TRAIL && !passed? {
                leave_end::<N, R>(run, gate, walk, items, wanted.first.len() - gates.len() - 1);
            }
            return passed;
        }
    }
    if wanted.rest.is_open() {
        return Ok(true);
    }
    let first = wanted.first.len();
    all_alike(run, &wanted.rest, rest, |report, index| {
        report.stopped(walk, items.address(), End::at(first + index));
    })
}
