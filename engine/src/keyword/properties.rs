//! `properties`, `patternProperties`, `additionalProperties`: [core §10.3.2]. Members satisfy subschemas by
//! name, by pattern, and all others one for all of them; what is no object passes.
//!
//! ```text
//! {"properties": {"a": true}, "additionalProperties": false}
//!
//!   0000 Properties ["a"] → 1        /properties
//!   0001 AdditionalProperties → 2    /additionalProperties
//! ```
//!
//! `additionalProperties` reads the other two, to know which members are left. The optimizer fuses all
//! three into one walk: see [`members`](super::members).
//!
//! [core §10.3.2]: https://json-schema.org/draft/2020-12/json-schema-core#section-10.3.2

use super::apply::{Apply, Edge, Halt, Step};
use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::instance::{Node, Object};
use crate::limits::{Budget, Stopped};
use crate::program::{
    Additional, Applicator, BlockId, Id, MatchingPatterns, NameTable, NamedBlocks, PatternBlocks, PatternSet,
    Plain, Program,
};
use crate::run::lookup;
use crate::run::{Recall, Run};

pub(crate) fn compile_named(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let map = builder.object(site, "an object of schemas")?;
    let names = NameTable::new(map.keys().map(String::as_str), &builder.program.seeds);
    let named = builder.program.named_blocks.push(NamedBlocks::new(names, site.blocks().collect()));
    builder.emit(Applicator::Properties(named));
    Ok(())
}

pub(crate) fn compile_patterned(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let map = builder.object(site, "an object of schemas")?;
    let mut patterns = Vec::with_capacity(map.len());
    for source in map.keys() {
        patterns.push(builder.pattern(site, &[source], source)?);
    }
    let blocks = PatternBlocks { set: PatternSet::new(patterns), blocks: site.blocks().collect() };
    let patterned = builder.program.pattern_blocks.push(blocks);
    builder.emit(Applicator::PatternProperties(patterned));
    Ok(())
}

/// Finds what the siblings compiled to: they come first in the order of the keyword table.
pub(crate) fn compile_additional(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let mut additional = Additional { named: None, patterned: None, block: site.block() };
    for &instruction in builder.emitted() {
        if let Plain::Apply(Applicator::Properties(named)) = instruction {
            additional.named = Some(named);
        } else if let Plain::Apply(Applicator::PatternProperties(patterned)) = instruction {
            additional.patterned = Some(patterned);
        }
    }
    let additional = builder.program.additional.push(additional);
    builder.emit(Applicator::AdditionalProperties(additional));
    Ok(())
}

#[inline(never)]
pub(crate) fn named<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    id: Id<NamedBlocks>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(members) = node.as_object() else { return Ok(true) };
    let program = run.program;
    let named = &program.named_blocks[id];
    // Look up where the schema names few and the object has many; marks need the place of a member.
    let lookups = lookup::steps_for_lookups::<N, ()>(&named.names, members);
    if run.is_fast() && lookups < members.len() as u64 {
        run.budget.spend(lookups)?;
        for (name, &block) in named.names.iter().zip(&named.blocks) {
            let Some(value) = members.get(name) else { continue };
            if !run.below(block, value)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    run.all(|all| apply_named(program, all, id, node))
}

/// `properties` applies to each member that it names the subschema of that name.
pub(crate) fn apply_named<'a, N: Node<'a>>(
    program: &Program,
    apply: &mut impl Apply<'a>,
    id: Id<NamedBlocks>,
    node: N,
) -> Result<(), Halt> {
    let Some(members) = node.as_object() else { return Ok(()) };
    let named = &program.named_blocks[id];
    lookup::pay_for_walk::<N, ()>(apply.budget(), &named.names, members)?;
    for (place, (name, value)) in members.iter().enumerate() {
        let Some(index) = named.names.find(name) else { continue };
        let name = named.names.share(index);
        apply.child(Edge::member(id, index), Step::Property(place, name), named.blocks[index], value)?;
    }
    Ok(())
}

/// The subschemas by name, with the edges that lead to them.
pub(crate) fn edges(program: &Program, id: Id<NamedBlocks>) -> impl Iterator<Item = (Edge, BlockId)> {
    let blocks = program.named_blocks[id].blocks.iter().enumerate();
    blocks.map(move |(index, &block)| (Edge::member(id, index), block))
}

#[inline(never)]
pub(crate) fn patterned<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    id: Id<PatternBlocks>,
    node: N,
) -> Result<bool, Stopped> {
    let program = run.program;
    run.all(|all| apply_patterned(program, all, id, node))
}

/// `patternProperties` applies to each member the subschemas of all patterns that match its name.
pub(crate) fn apply_patterned<'a, N: Node<'a>>(
    program: &Program,
    apply: &mut impl Apply<'a>,
    id: Id<PatternBlocks>,
    node: N,
) -> Result<(), Halt> {
    let Some(members) = node.as_object() else { return Ok(()) };
    let PatternBlocks { set, blocks } = &program.pattern_blocks[id];
    let mut found = MatchingPatterns::new();
    for (place, (name, value)) in members.iter().enumerate() {
        apply.budget().spend(1)?;
        set.find(&program.patterns, apply.budget(), name, &mut found)?;
        for &at_pattern in &found {
            let (pattern, block) = (set.patterns()[at_pattern as usize], blocks[at_pattern as usize]);
            apply.child(Edge::pattern(pattern), Step::Member(place, name), block, value)?;
        }
    }
    Ok(())
}

#[inline(never)]
pub(crate) fn additional<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    id: Id<Additional>,
    node: N,
) -> Result<bool, Stopped> {
    let program = run.program;
    let is_open = program.gate(program.additional[id].block).is_open();
    let holds = is_open || run.all(|all| apply_additional(program, all, id, node))?;
    if node.as_object().is_some() {
        // Each member that it leaves out is one that `properties` or `patternProperties` of the same block has looked at.
        run.marks.mark_all();
    }
    Ok(holds)
}

/// `additionalProperties` applies its subschema to each member that neither `properties` nor `patternProperties` speaks of.
pub(crate) fn apply_additional<'a, N: Node<'a>>(
    program: &Program,
    apply: &mut impl Apply<'a>,
    id: Id<Additional>,
    node: N,
) -> Result<(), Halt> {
    let Some(members) = node.as_object() else { return Ok(()) };
    let additional = &program.additional[id];
    for (place, (name, value)) in members.iter().enumerate() {
        apply.budget().spend(1)?;
        if !is_spoken_of(program, apply.budget(), additional, name)? {
            apply.child(Edge::VALUE, Step::Member(place, name), additional.block, value)?;
        }
    }
    Ok(())
}

/// Whether `properties` or `patternProperties` has something to say about a name.
fn is_spoken_of(
    program: &Program,
    budget: &mut Budget,
    additional: &Additional,
    name: &str,
) -> Result<bool, Stopped> {
    if let Some(named) = additional.named
        && program.named_blocks[named].names.find_within(budget, name)?.is_some()
    {
        return Ok(true);
    }
    let Some(patterned) = additional.patterned else { return Ok(false) };
    let mut found = MatchingPatterns::new();
    program.pattern_blocks[patterned].set.find(&program.patterns, budget, name, &mut found)?;
    Ok(!found.is_empty())
}
