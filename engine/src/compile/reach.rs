//! Errors of a schema that count only where a run can come to them: references that lead nowhere, and rings.
//!
//! A ring is a block that comes back to itself through `$ref`, `allOf`, `anyOf`, `oneOf`, `not`, `if` or
//! `dependentSchemas`, all of which look at the same node, so it would run forever. Through `properties` or `items` it
//! would not: the node gets smaller. So the rings are the components of the graph of edges that stay on the node.
//!
//! Where the dynamic scope chooses among several blocks, a ring in the graph need not be one in a
//! run. Those edges are left out, and the depth of a run bounds them.
//!
//! In a definition that nothing refers to, or in the `then` of an `if` that never holds, neither is met by any run. Such
//! a schema is taken, and the ring is cut, so that no pass over the program has to expect one.

use super::block_of;
use crate::diagnose::Faults;
use crate::document::SubschemaId;
use crate::error::{SchemaError, SchemaErrorKind};
use crate::program::{Applicator, BlockId, Components, Plain, Program, Reach};
use crate::resolve::{Resolved, Sources, Target};

/// Refuses a program in which a run can come to a ring, or to a reference that leads nowhere. Without references there is none.
pub(crate) fn check(
    resolved: &Resolved<'_>,
    sources: &Sources<'_>,
    program: &mut Program,
    faults: &mut Faults,
) -> Result<(), SchemaError> {
    if resolved.targets.is_empty() && resolved.dangling.is_empty() {
        return Ok(());
    }
    let components = Components::of(program, |reach| reach == Reach::Node);
    let mut rings = (0..components.len()).filter(|&component| components.is_recursive[component]).peekable();
    if resolved.dangling.is_empty() && rings.peek().is_none() {
        return Ok(());
    }
    let reached = reached(program);
    for dangling in &resolved.dangling {
        let is_reached = reached[block_of(dangling.from).0 as usize];
        faults.take_reference(is_reached, || resolved.dangling_error(dangling, sources))?;
    }
    for ring in rings {
        let blocks = components.members(ring);
        let is_reached = blocks.iter().any(|block| reached[block.0 as usize]);
        faults.take_reference(is_reached, || ring_error(resolved, &components, ring))?;
        if !is_reached {
            blocks.iter().for_each(|&block| cut(program, block));
        }
    }
    Ok(())
}

/// By block: whether a run may come to it.
fn reached(program: &Program) -> Vec<bool> {
    let mut reached = vec![false; program.blocks.len()];
    let mut open = vec![BlockId(0)];
    while let Some(id) = open.pop() {
        if std::mem::replace(&mut reached[id.0 as usize], true) {
            continue;
        }
        for at in program.block(id).plain.clone() {
            let instruction = program.code[at as usize];
            if let Plain::Apply(Applicator::If(condition)) = instruction {
                let condition = &program.conditions[condition];
                let always = program.block(condition.test).plain.is_empty();
                open.push(condition.test);
                open.extend(condition.then.filter(|_| !program.is_never(condition.test)));
                open.extend(condition.otherwise.filter(|_| !always));
                continue;
            }
            if let Plain::Apply(Applicator::DynamicCall(anchor, _)) = instruction {
                open.extend(program.anchors[anchor as usize].iter().map(|&(_, block)| block));
            }
            program.visit_edges(instruction, |_, target| open.push(target));
        }
    }
    reached
}

/// Leaves nothing of a block that no run comes to.
fn cut(program: &mut Program, id: BlockId) {
    let block = &mut program.blocks[id.0 as usize];
    block.plain.end = block.plain.start;
}

/// The ring, by the reference that leads on within it, of the first block that has one.
fn ring_error(resolved: &Resolved<'_>, components: &Components, ring: usize) -> SchemaError {
    let leads_on = |target: &&Target| components.of[block_of(target.subschema).0 as usize] as usize == ring;
    let blocks = components.members(ring);
    let document = &resolved.document;
    let reference = blocks.iter().map(|block| SubschemaId(block.0)).filter_map(|id| {
        document.entries(id).iter().find_map(|entry| {
            let keyword = entry.keyword?;
            resolved.targets.get(&(id, keyword)).filter(leads_on)?;
            Some((id, keyword.name(), entry.value.as_str()?))
        })
    });
    match reference.min_by_key(|(id, ..)| id.0) {
        Some((id, keyword, reference)) => {
            let reference = format!("reference \"{reference}\"");
            document.error(id, &format!("/{keyword}"), SchemaErrorKind::Ring { reference })
        }
        None => {
            let id = blocks.iter().map(|block| block.0).min().unwrap_or(0);
            let reference = "this subschema".to_owned();
            document.error(SubschemaId(id), "", SchemaErrorKind::Ring { reference })
        }
    }
}
