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

use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::instance::{Node, Object};
use crate::limits::Stopped;
use crate::program::{Additional, Found, Id, Instruction, NameTable, NamedBlocks, PatternBlocks, PatternSet};
use crate::report::{Edge, Note, Report, Step};
use crate::run::Run;
use crate::run::lookup;

pub(crate) fn compile_named(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let map = builder.object(site, "an object of schemas")?;
    let names = NameTable::new(map.keys().map(String::as_str), &builder.program.seeds);
    let named = builder.program.named_blocks.push(NamedBlocks::new(names, site.blocks().collect()));
    builder.emit(Instruction::Properties(named));
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
    builder.emit(Instruction::PatternProperties(patterned));
    Ok(())
}

/// Finds what the siblings compiled to: they come first in the order of the keyword table.
pub(crate) fn compile_additional(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let mut additional = Additional { named: None, patterned: None, block: site.block() };
    for &instruction in builder.emitted() {
        if let Instruction::Properties(named) = instruction {
            additional.named = Some(named);
        } else if let Instruction::PatternProperties(patterned) = instruction {
            additional.patterned = Some(patterned);
        }
    }
    let additional = builder.program.additional.push(additional);
    builder.emit(Instruction::AdditionalProperties(additional));
    Ok(())
}

#[inline(never)]
pub(crate) fn named<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    at: u32,
    id: Id<NamedBlocks>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(members) = node.as_object() else { return Ok(true) };
    let program = run.program;
    let named = &program.named_blocks[id];
    let mut valid = true;
    let mut seen = Vec::new();
    // Look up where the schema names few and the object has many; marks need the place of a member.
    let lookups = lookup::steps_for_lookups::<N, ()>(&named.names, members);
    if run.is_fast() && lookups < members.len() as u64 {
        run.budget.spend(lookups)?;
        for (name, &block) in named.names.iter().zip(&named.blocks) {
            let Some(value) = members.get(name) else { continue };
            if !run.below(Edge::property(at), Step::Member(name), block, value)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    lookup::pay_for_walk::<N, ()>(&mut run.budget, &named.names, members)?;
    for (place, (name, value)) in members.iter().enumerate() {
        let Some(index) = named.names.find(name) else { continue };
        run.marks.mark(place);
        let name = named.names.share(index);
        valid &= run.below(Edge::property(at), Step::Property(name), named.blocks[index], value)?;
        if !valid && run.report.is_done() {
            return Ok(false);
        }
        if run.report.wants_notes() {
            seen.push(name.to_string());
        }
    }
    if run.report.wants_notes() {
        run.report.note(&mut run.budget, || Note::Names(seen))?;
    }
    Ok(valid)
}

#[inline(never)]
pub(crate) fn patterned<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    at: u32,
    id: Id<PatternBlocks>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(members) = node.as_object() else { return Ok(true) };
    let program = run.program;
    let mut valid = true;
    let mut seen = Vec::new();
    let PatternBlocks { set, blocks } = &program.pattern_blocks[id];
    let mut found = Found::new();
    for (place, (name, value)) in members.iter().enumerate() {
        run.budget.spend(1)?;
        set.find(&program.patterns, &mut run.budget, name, &mut found)?;
        for &at_pattern in &found {
            let pattern = &program.patterns[set.patterns()[at_pattern as usize]];
            let edge = Edge::member(at, pattern.source());
            valid &= run.below(edge, Step::Member(name), blocks[at_pattern as usize], value)?;
            if !valid && run.report.is_done() {
                return Ok(false);
            }
        }
        if !found.is_empty() {
            run.marks.mark(place);
            if run.report.wants_notes() {
                seen.push(name.to_owned());
            }
        }
    }
    if run.report.wants_notes() {
        run.report.note(&mut run.budget, || Note::Names(seen))?;
    }
    Ok(valid)
}

#[inline(never)]
pub(crate) fn additional<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    at: u32,
    id: Id<Additional>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(members) = node.as_object() else { return Ok(true) };
    let additional = &run.program.additional[id];
    let mut valid = true;
    let mut seen = Vec::new();
    for (place, (name, value)) in members.iter().enumerate() {
        run.budget.spend(1)?;
        if is_spoken_of(run, additional, name)? {
            continue;
        }
        run.marks.mark(place);
        valid &= run.below(Edge::keyword(at), Step::Member(name), additional.block, value)?;
        if !valid && run.report.is_done() {
            return Ok(false);
        }
        if run.report.wants_notes() {
            seen.push(name.to_owned());
        }
    }
    if run.report.wants_notes() {
        run.report.note(&mut run.budget, || Note::Names(seen))?;
    }
    Ok(valid)
}

/// Whether `properties` or `patternProperties` has something to say about a name.
pub(crate) fn is_spoken_of<R>(
    run: &mut Run<'_, R>,
    additional: &Additional,
    name: &str,
) -> Result<bool, Stopped> {
    let program = run.program;
    if let Some(named) = additional.named
        && program.named_blocks[named].names.find_within(&mut run.budget, name)?.is_some()
    {
        return Ok(true);
    }
    let Some(patterned) = additional.patterned else { return Ok(false) };
    let mut found = Found::new();
    program.pattern_blocks[patterned].set.find(&program.patterns, &mut run.budget, name, &mut found)?;
    Ok(!found.is_empty())
}
