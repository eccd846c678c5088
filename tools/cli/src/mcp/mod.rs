//! `stanchion mcp`: reports how a client would treat the tools of an MCP server.

mod listing;
mod process;
#[cfg(feature = "proxy")]
mod proxy;
mod report;
mod stdio;

use std::error::Error;
use std::io;
use std::time::Duration;

use clap::{Args, ValueEnum};
use serde_json::{Value, json};
use stanchion_mcp::Profile;
use stanchion_render::{Finding, Level, sarif};

use crate::{Outcome, console, rules, source};
use report::Report;

/// Report on the tools of an MCP server
///
/// Reads the tools from a file, or starts a server and asks it. Reports for each tool whether a
/// client may accept it, the dialect of its schemas, how their cost grows, the most steps that a
/// call of 100 values in 4 kB may take, and problems that its author should know, including those
/// that `stanchion lint` finds. Exits with 0 if all tools are accepted, 1 if some are not, 2 if the
/// tools could not be read.
#[derive(Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct Arguments {
    #[cfg(feature = "proxy")]
    #[command(subcommand)]
    command: Option<Command>,

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

#[cfg(feature = "proxy")]
#[derive(clap::Subcommand)]
enum Command {
    Proxy(proxy::Arguments),
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// Lines for people
    Human,
    /// One JSON document
    Json,
    /// SARIF 2.1.0, for CI services
    Sarif,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Box<dyn Error>> {
    #[cfg(feature = "proxy")]
    if let Some(Command::Proxy(arguments)) = &arguments.command {
        return proxy::run(arguments);
    }
    let Arguments { file, stdio, timeout, lenient, format, .. } = arguments;
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
    let outcome = if !broken.is_empty() {
        Outcome::Unusable
    } else if reports.iter().all(Report::is_accepted) {
        Outcome::Good
    } else {
        Outcome::Bad
    };
    match format {
        Format::Human => print(&reports, version.as_deref())?,
        Format::Json => console::say(&document(&reports, version.as_deref()).to_string())?,
        Format::Sarif => {
            // A server has no file: its command stands for it.
            let name = file.clone().unwrap_or_else(|| stdio.join(" "));
            console::write((sarif_log(&reports, &name, outcome) + "\n").as_bytes())?;
        }
    }
    for line in &broken {
        console::complain(line);
    }
    Ok(outcome)
}

/// Returns the report as SARIF: an error for each refusal, and each problem.
fn sarif_log(reports: &[Report], name: &str, outcome: Outcome) -> String {
    let mut findings = Vec::new();
    for (at, report) in reports.iter().enumerate() {
        let refused =
            report.refused.iter().chain(report.parts.iter().filter_map(|part| part.found.as_ref().err()));
        for message in refused {
            let mut finding =
                Finding::new(Level::Error, "refused-tool", name, &format!("{}: {message}", report.name));
            finding.pointer = Some(format!("/tools/{at}"));
            findings.push(finding);
        }
        for problem in &report.problems {
            let level = match problem.level {
                rules::Level::Warning => Level::Warning,
                rules::Level::Note => Level::Note,
            };
            let message = format!("{}: {}", report.name, problem.message);
            let mut finding = Finding::new(level, problem.rule, name, &message);
            finding.pointer = Some(format!("/tools/{at}/{}", problem.place));
            finding.help.extend(problem.suggestion.clone());
            findings.push(finding);
        }
    }
    let own = [
        ("refused-tool", "A client refuses the tool"),
        ("tool-name", "The name of the tool is unusual"),
        ("x-mcp-header", "The annotations for headers break their rules"),
    ];
    let mut described: sarif::Rules =
        own.into_iter().map(|(rule, about)| (rule.to_owned(), about.to_owned())).collect();
    described.extend(rules::RULES.iter().map(|rule| (rule.name.to_owned(), rule.about.to_owned())));
    sarif::log(&findings, &described, env!("CARGO_PKG_VERSION"), outcome.code())
}

fn print(reports: &[Report], version: Option<&str>) -> io::Result<()> {
    for report in reports {
        let verdict = if report.is_accepted() { "accepted" } else { "refused" };
        console::say(&format!("{}: {verdict}", report.name))?;
        if let Some(message) = &report.refused {
            console::say(&format!("  {message}"))?;
        }
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
