//! `stanchion mcp`: reports how a client would treat the tools of an MCP server.

mod listing;
mod process;
mod report;
mod stdio;

use std::error::Error;
use std::io;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use stanchion_mcp::Profile;

use crate::{Outcome, console, source};
use report::Report;

/// Report on the tools of an MCP server
///
/// Reads the tools from a file, or starts a server and asks it. Reports for each tool whether a
/// client may accept it, the dialect of its schemas, how their cost grows, the most steps that a
/// call of 100 values in 4 kB may take, and problems that its author should know, including those
/// that `stanchion lint` finds. Exits with 0 if all tools are accepted, 1 if some are not, 2 if the
/// tools could not be read.
#[derive(Args)]
pub(crate) struct Arguments {
    /// A `tools/list` result, its array of tools, or one tool per line: a file, or `-` for standard
    /// input
    #[arg(value_name = "TOOLS", required_unless_present = "stdio", conflicts_with = "stdio")]
    file: Option<String>,

    /// Start this server and ask it; all following arguments belong to the command
    #[arg(long, value_name = "COMMAND", num_args = 1.., allow_hyphen_values = true)]
    stdio: Vec<String>,

    /// How long the server may take, in seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 30, value_parser = clap::value_parser!(u64).range(1..=3600))]
    timeout: u64,

    /// Accept what published servers send against the rules: no `type` at the root, output schemas in shorthand, arrays for `items`
    #[arg(long)]
    lenient: bool,

    /// How to print the report
    #[arg(long, value_enum, default_value_t = Format::Human)]
    format: Format,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Lines for people
    Human,
    /// One JSON document
    Json,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Box<dyn Error>> {
    let Arguments { file, stdio, timeout, lenient, format } = arguments;
    let (tools, version, broken) = match file {
        Some(file) => {
            let text = source::read_text(file).map_err(|error| format!("{file}: {error}"))?;
            let listing = listing::read(file, &text)?;
            (listing.tools, None, listing.broken)
        }
        None => {
            let listed = stdio::list_tools(stdio, Duration::from_secs(*timeout))?;
            (listed.tools, Some(listed.version), Vec::new())
        }
    };
    let profile = if *lenient { Profile::lenient() } else { Profile::default() };
    let reports = report::look_at(&tools, &profile);
    match format {
        Format::Human => print(&reports, version.as_deref())?,
        Format::Json => console::say(&document(&reports, version.as_deref()).to_string())?,
    }
    for line in &broken {
        console::complain(line);
    }
    Ok(if !broken.is_empty() {
        Outcome::Unusable
    } else if reports.iter().all(Report::is_accepted) {
        Outcome::Good
    } else {
        Outcome::Bad
    })
}

fn print(reports: &[Report], version: Option<&str>) -> io::Result<()> {
    for report in reports {
        let verdict = if report.is_accepted() { "accepted" } else { "refused" };
        console::say(&format!("{}: {verdict}", report.name))?;
        for part in &report.parts {
            console::say(&format!("  {}", part.to_line()))?;
        }
        for problem in &report.problems {
            let place = if problem.place.is_empty() { String::new() } else { format!("{}: ", problem.place) };
            let advice = problem.suggestion.as_ref().map_or_else(String::new, |advice| format!("; {advice}"));
            console::say(&format!("  {place}{}{advice} [{}]", problem.message, problem.rule))?;
        }
    }
    let accepted = reports.iter().filter(|report| report.is_accepted()).count();
    let problems: usize = reports.iter().map(|report| report.problems.len()).sum();
    let protocol = version.map_or_else(String::new, |version| format!(", protocol {version}"));
    console::say(&format!(
        "{} tools: {accepted} accepted, {} refused, {problems} problems{protocol}",
        reports.len(),
        reports.len() - accepted
    ))
}

fn document(reports: &[Report], version: Option<&str>) -> Value {
    let accepted = reports.iter().filter(|report| report.is_accepted()).count();
    json!({
        "protocolVersion": version,
        "accepted": accepted,
        "refused": reports.len() - accepted,
        "tools": reports.iter().map(Report::to_json).collect::<Vec<_>>(),
    })
}
