//! Schemas of published tools, for the time to compile them all.

use std::error::Error;
use std::path::Path;

use serde_json::Value;

use super::input;
use super::measure;
use super::options::Options;
use super::results::{Group, Row, Stage};

/// Most refusals that are listed one by one.
const MAX_LISTED: usize = 3;

/// Returns the name of the set.
pub(crate) fn name(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Compiles all schemas of a file: each line is a tool, with `inputSchema` and perhaps `outputSchema`.
pub(crate) fn run(file: &Path, options: &Options) -> Result<Row, Box<dyn Error>> {
    let mut row = Row::new(Group::Tools, &name(file));
    eprintln!("tools/{}", row.name);
    let lines = input::lines(file, &input::read(file)?)?;
    let mut schemas: Vec<(String, &Value)> = Vec::new();
    for (_, tool) in &lines {
        for member in ["inputSchema", "outputSchema"] {
            if let Some(schema) = tool.get(member) {
                let text = |member: &str| tool[member].as_str().unwrap_or("?").to_owned();
                schemas.push((format!("{} {} {member}", text("server"), text("tool")), schema));
            }
        }
    }
    if schemas.is_empty() {
        return Err(format!("{}: no line has an inputSchema", file.display()).into());
    }
    let mut accepted = vec![true; schemas.len()];
    for &peer in &options.peers {
        let mut refused = 0;
        for ((name, schema), accepted) in schemas.iter().zip(&mut accepted) {
            if let Err(error) = peer.compile(schema) {
                *accepted = false;
                refused += 1;
                if refused <= MAX_LISTED {
                    row.notes.push(format!("{name}: refused by {}: {error}", peer.name()));
                }
            }
        }
        row.notes.push(format!("{}: refuses {refused} of {} schemas", peer.name(), schemas.len()));
    }
    let schemas: Vec<&Value> = schemas
        .iter()
        .zip(accepted)
        .filter(|(_, accepted)| *accepted)
        .map(|((_, schema), _)| *schema)
        .collect();
    row.instances = schemas.len();
    if options.has(Stage::Compile) && !schemas.is_empty() {
        let costs = measure::compiles(&schemas, &options.peers, options)?;
        row.costs.extend(costs.into_iter().map(|(peer, cost)| (Stage::Compile, peer, cost)));
    }
    Ok(row)
}
