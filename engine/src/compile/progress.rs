//! References that make no progress: rings of blocks that all look at the same node.
//!
//! A block that comes back to itself through `$ref`, `allOf`, `anyOf`, `oneOf`, `not`, `if` or
//! `dependentSchemas` would run forever. Through `properties` or `items` it would not: the node gets
//! smaller. So the rings are the components of the graph of edges that stay on the node.
//!
//! Where the dynamic scope chooses among several blocks, a ring in the graph need not be one in a
//! run. Those edges are left out, and the depth of a run bounds them.

use super::block_of;
use crate::document::SubschemaId;
use crate::error::{SchemaError, SchemaErrorKind};
use crate::program::{Components, Program, Reach};
use crate::resolve::{Resolved, Target};

/// Refuses a program that has a ring. Without references there is none.
pub(crate) fn check(resolved: &Resolved<'_>, program: &Program) -> Result<(), SchemaError> {
    if resolved.targets.is_empty() {
        return Ok(());
    }
    let components = Components::of(program, |reach| reach == Reach::Node);
    let Some(ring) = (0..components.len()).find(|&component| components.is_recursive[component]) else {
        return Ok(());
    };
    let leads_on = |target: &&Target| components.of[block_of(target.subschema).0 as usize] as usize == ring;
    let ring = components.members(ring);
    let document = &resolved.document;
    // The reference that leads on within the ring, of the first block that has one.
    let reference = ring.iter().map(|block| SubschemaId(block.0)).filter_map(|id| {
        document.entries(id).iter().find_map(|entry| {
            let keyword = entry.keyword?;
            resolved.targets.get(&(id, keyword)).filter(leads_on)?;
            Some((id, keyword.name(), entry.value.as_str()?))
        })
    });
    Err(match reference.min_by_key(|(id, ..)| id.0) {
        Some((id, keyword, reference)) => {
            let reference = format!("reference \"{reference}\"");
            document.error(id, &format!("/{keyword}"), SchemaErrorKind::Ring { reference })
        }
        None => {
            let id = ring.iter().map(|block| block.0).min().unwrap_or(0);
            let reference = "this subschema".to_owned();
            document.error(SubschemaId(id), "", SchemaErrorKind::Ring { reference })
        }
    })
}
