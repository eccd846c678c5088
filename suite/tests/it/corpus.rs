//! Real schemas: published ones with valid instances, and those of published MCP servers. They are
//! outside of the workspace: see `stanchion_suite::shared`.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use stanchion::{Dialect, Reader, References, TapeNode, Validator, Verdict};
use stanchion_suite::local;
use stanchion_suite::shared::shared;

fn read_json(path: &Path) -> Value {
    let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[test]
fn published_schemas_accept_their_instances() {
    let Some(bench) = shared("corpus/bench") else { return };
    let mut sets: Vec<PathBuf> =
        bench.read_dir().expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    sets.retain(|set| set.join("schema-2020-12.json").exists());
    sets.sort();
    assert!(!sets.is_empty(), "no sets in {}", bench.display());
    let mut refusals = Vec::new();
    for set in &sets {
        refusals.extend(check_set(set));
    }
    assert!(refusals.is_empty(), "{} refusals\n{}", refusals.len(), refusals.join("\n"));
}

/// Validates every instance of a set in every representation, and returns those that were not found
/// valid.
fn check_set(set: &Path) -> Vec<String> {
    let name = set.file_name().unwrap_or_default().display().to_string();
    let schema = read_json(&set.join("schema-2020-12.json"));
    // One of them refers to resources that are embedded in it.
    let inside = local::outside(&schema, Dialect::Draft202012).is_empty();
    let builder =
        Validator::builder().references(if inside { References::Local } else { References::Bundled });
    let (validator, plain) = match (builder.build(&schema), builder.clone().optimize(false).build(&schema)) {
        (Ok(validator), Ok(plain)) => (validator, plain),
        (Err(error), _) | (_, Err(error)) => return vec![format!("{name}: {error}")],
    };
    let text = fs::read_to_string(set.join("instances.jsonl")).expect("instances");
    let mut refusals = Vec::new();
    for (number, verdict) in validator.verdicts_ndjson(&mut Reader::new(), text.as_bytes()) {
        if verdict.as_ref().ok() != Some(&Verdict::Valid) {
            refusals.push(format!("{name}: line {number}, lines: {verdict:?}"));
        }
    }
    for (number, line) in text.lines().enumerate() {
        let value: Value = serde_json::from_str(line).expect("an instance");
        let mut bytes = line.as_bytes().to_vec();
        let tape = simd_json::to_tape(&mut bytes).expect("an instance");
        let verdicts = [
            ("value", validator.verdict(&value)),
            ("value, plain", plain.verdict(&value)),
            ("tape", validator.verdict(TapeNode::from(&tape))),
            ("text", validator.verdict_json(line.as_bytes()).expect("an instance")),
        ];
        for (entry_point, verdict) in verdicts {
            if verdict != Verdict::Valid {
                let why = validator.validate(&value).err().map(|error| error.to_string()).unwrap_or_default();
                refusals.push(format!("{name}: line {}, {entry_point}: {verdict:?} {why}", number + 1));
            }
        }
    }
    refusals
}

/// Number of schemas of published MCP servers that the defaults refuse: two declare no dialect and
/// have an array for `items`, which only older dialects allow.
const REFUSED: usize = 2;

#[test]
fn schemas_of_mcp_tools_compile() {
    let Some(tools) = shared("corpus/mcp-tools.jsonl") else { return };
    let text = fs::read_to_string(tools).expect("tools");
    let mut compiled = 0;
    let mut refused = Vec::new();
    for line in text.lines() {
        let tool: Value = serde_json::from_str(line).expect("a tool");
        for part in ["inputSchema", "outputSchema"] {
            let Some(schema) = tool.get(part) else { continue };
            match Validator::new(schema) {
                Ok(_) => compiled += 1,
                Err(error) => refused.push(format!("{} {} {part}: {error}", tool["server"], tool["tool"])),
            }
        }
    }
    println!("{compiled} compiled, {} refused\n{}", refused.len(), refused.join("\n"));
    assert!(compiled > 1000, "{compiled} compiled");
    assert_eq!(refused.len(), REFUSED, "\n{}", refused.join("\n"));
}
