//! References that make no progress: rings of blocks that all look at the same node.
//!
//! A block that comes back to itself through `$ref`, `allOf`, `anyOf`, `oneOf`, `not`, `if` or
//! `dependentSchemas` would run forever. Through `properties` or `items` it would not: the node gets
//! smaller. So the rings are the components of the graph of edges that stay on the node.
//!
//! Where the dynamic scope chooses among several blocks, a ring in the graph need not be one in a
//! run. Those edges are left out, and the depth of a run bounds them.

use crate::document::SubschemaId;
use crate::error::{SchemaError, SchemaErrorKind};
use crate::program::{BlockId, Components, Instruction, Program, Reach};
use crate::resolve::Resolved;

/// Refuses a program that has a ring. Without references there is none.
pub(crate) fn check(resolved: &Resolved<'_>, program: &Program) -> Result<(), SchemaError> {
    if resolved.targets.is_empty() {
        return Ok(());
    }
    let components = Components::of(program, |reach| reach == Reach::Node);
    let Some(ring) = (0..components.len()).find(|&component| components.is_recursive[component]) else {
        return Ok(());
    };
    let id = SubschemaId(most_telling(program, components.members(ring)).0);
    let document = &resolved.document;
    // Name the reference, if the ring comes by this block through one.
    let reference = document.entries(id).iter().find_map(|entry| {
        let keyword = entry.keyword.filter(|&keyword| resolved.targets.contains_key(&(id, keyword)))?;
        Some((keyword.name(), format!("reference \"{}\"", entry.value.as_str()?)))
    });
    Err(match reference {
        Some((keyword, reference)) => {
            document.error(id, &format!("/{keyword}"), SchemaErrorKind::Ring { reference })
        }
        None => document.error(id, "", SchemaErrorKind::Ring { reference: "this subschema".to_owned() }),
    })
}

/// The block of a ring with the lowest number among those that have a reference.
fn most_telling(program: &Program, ring: &[BlockId]) -> BlockId {
    let has_call = |block: &&BlockId| {
        let mut code = program.block(**block).plain.clone();
        code.any(|at| matches!(program.code[at as usize], Instruction::Call(_)))
    };
    ring.iter().filter(has_call).min().or(ring.iter().min()).copied().unwrap_or(BlockId(0))
}
