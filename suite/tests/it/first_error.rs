//! Checks that the first error names the mistake, on calls of tools with one mistake each.
//!
//! For each tool a valid call is generated and changed in every place in several ways. If the
//! changed call is invalid, the first error must have the changed place, and for a member that is
//! missing, misspelt or added, its name.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use stanchion::{Dialect, Validator};
use stanchion_suite::generate;
use stanchion_suite::mutate::{self, Change};
use stanchion_suite::shared::shared;

use crate::promise;

/// Percentage of first errors on our own tools that must name the mistake.
const MIN_PERCENT: f64 = 98.0;

/// Number of errors, and of those that name the mistake.
#[derive(Default)]
struct Score {
    tools: usize,
    without_call: Vec<String>,
    by_change: BTreeMap<Change, (usize, usize)>,
    missed: Vec<String>,
}

impl Score {
    fn add(&mut self, tool: &str, schema: &Value) {
        self.tools += 1;
        let builder = Validator::builder().array_items(true).unknown_dialect(Dialect::Draft202012);
        let (validator, plain) = match (builder.build(schema), builder.clone().optimize(false).build(schema))
        {
            (Ok(validator), Ok(plain)) => (validator, plain),
            (Err(error), _) | (_, Err(error)) => return self.without_call.push(format!("{tool}: {error}")),
        };
        let call = generate::instance(schema).filter(|call| validator.is_valid(call));
        let Some(call) = call else { return self.without_call.push(tool.to_owned()) };
        for mutant in mutate::mutants(&call) {
            let Err(error) = validator.validate(&mutant.instance) else { continue };
            let first = validator.iter_errors(&mutant.instance).next().map(|error| error.to_string());
            assert_eq!(first, Some(error.to_string()), "{tool}: `validate` gives the first error");
            let by_plain = plain.validate(&mutant.instance).map_err(|error| error.to_string());
            assert_eq!(by_plain, Err(error.to_string()), "{tool}: the optimizer changes no error");
            let (asked, named) = self.by_change.entry(mutant.change).or_default();
            *asked += 1;
            if mutant.is_named_by(error.instance_path(), &error.message()) {
                *named += 1;
            } else {
                let place = &mutant.place;
                self.missed
                    .push(format!("{tool}: {:?} at {place:?} {:?}: {error}", mutant.change, mutant.names));
            }
        }
    }

    /// Prints the rate, and fails if it is too low.
    fn judge(&self, what: &str, wanted: f64) {
        let (asked, named) =
            self.by_change.values().fold((0, 0), |sum, count| (sum.0 + count.0, sum.1 + count.1));
        let rate = 100.0 * named as f64 / asked as f64;
        println!(
            "{what}: {} tools, {} of them without a generated call",
            self.tools,
            self.without_call.len()
        );
        println!("{named} of {asked} first errors name what was changed: {rate:.2} %");
        for (change, (asked, named)) in &self.by_change {
            println!("  {change:?}: {named} of {asked}");
        }
        for missed in self.missed.iter().step_by((self.missed.len() / 40).max(1)) {
            println!("  missed: {missed}");
        }
        for tool in &self.without_call {
            println!("  no call: {tool}");
        }
        assert!(asked > 100, "{asked} changes");
        assert!(self.without_call.len() * 20 <= self.tools, "{} without a call", self.without_call.len());
        // As exact as it is written.
        assert!((rate * 100.0).round() / 100.0 >= wanted, "{what}: {rate:.2} % of {wanted:.2} %");
    }
}

#[test]
fn tools_of_our_own() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/tools/tools.json");
    let text = fs::read_to_string(&file).expect("tools");
    let tools: Vec<Value> = serde_json::from_str(&text).expect("tools in JSON");
    let mut score = Score::default();
    for tool in &tools {
        score.add(&tool["tool"].to_string(), &tool["inputSchema"]);
    }
    score.judge("our own tools", MIN_PERCENT);
    assert!(score.without_call.is_empty(), "{:?}", score.without_call);
}

#[test]
fn published_tools() {
    let Some(file) = shared("corpus/mcp-tools.jsonl") else { return };
    let text = fs::read_to_string(&file).expect("tools");
    let mut score = Score::default();
    for line in text.lines() {
        let tool: Value = serde_json::from_str(line).expect("a tool");
        score.add(&format!("{} {}", tool["server"], tool["tool"]), &tool["inputSchema"]);
    }
    score.judge("published tools", promise::number("the first error names that place in ").expect("a rate"));
}
