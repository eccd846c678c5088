//! Stanchion on the command line.
//!
//! ```text
//! stanchion check SCHEMA INSTANCE…    checks instances against a schema
//! stanchion explain SCHEMA            shows the compiled program of a schema
//! stanchion cost SCHEMA               bounds what a schema may cost to run
//! stanchion lint SCHEMA…              finds likely mistakes in schemas
//! stanchion bench SCHEMA INSTANCE…    measures compiling and checking
//! stanchion mcp TOOLS                 reports on the tools of an MCP server
//! stanchion mcp proxy -- COMMAND…     checks what passes between an MCP client and a server
//! stanchion suite [PATH]              runs the official test suite
//! stanchion bowtie                    answers requests of Bowtie, which compares implementations
//! stanchion completions SHELL         prints completions for a shell
//! stanchion man [DIR]                 prints the manual page
//! ```
//!
//! Each command is a file: `Arguments`, which clap reads and whose doc comment is the help, and
//! `run`. Common code is in `settings.rs` (compiling a schema), `source.rs` (reading) and
//! `console.rs` (printing).
//!
//! Exit codes are for scripts: 0 success, 1 something does not conform, 2 nothing could be checked,
//! 3 a limit was reached before a verdict.
#![forbid(unsafe_code)]

mod bench;
mod bowtie;
mod check;
mod completions;
mod console;
mod cost;
mod explain;
mod inputs;
mod lint;
mod mcp;
mod resources;
mod rules;
mod settings;
mod source;
mod suite;
mod version;

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A JSON Schema validator for untrusted schemas and untrusted instances
#[derive(Parser)]
#[command(name = "stanchion", version, long_version = version::long(), arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The commands, in the order of the help.
#[derive(Subcommand)]
enum Command {
    Check(check::Arguments),
    Explain(explain::Arguments),
    Cost(cost::Arguments),
    Lint(lint::Arguments),
    Bench(bench::Arguments),
    Mcp(mcp::Arguments),
    Suite(suite::Arguments),
    Bowtie(bowtie::Arguments),
    Completions(completions::Completions),
    Man(completions::Manual),
}

impl Command {
    fn run(&self) -> Result<Outcome, Box<dyn Error>> {
        match self {
            Command::Check(arguments) => check::run(arguments),
            Command::Explain(arguments) => explain::run(arguments),
            Command::Cost(arguments) => cost::run(arguments),
            Command::Lint(arguments) => lint::run(arguments),
            Command::Bench(arguments) => bench::run(arguments),
            Command::Mcp(arguments) => mcp::run(arguments),
            Command::Suite(arguments) => suite::run(arguments),
            Command::Bowtie(arguments) => bowtie::run(arguments),
            Command::Completions(arguments) => completions::run(arguments),
            Command::Man(arguments) => completions::manual(arguments),
        }
    }
}

/// The outcome of a command. The order is that of precedence: the greatest outcome decides the exit
/// code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// Every instance conforms, every test passed.
    Good,
    /// Some instance does not conform, or some test failed.
    Bad,
    /// A run reached a limit before it had a verdict.
    Undecided,
    /// Nothing could be checked: a schema was refused, or a file could not be read.
    Unusable,
}

impl Outcome {
    /// Returns the exit code.
    fn code(self) -> u8 {
        match self {
            Outcome::Good => 0,
            Outcome::Bad => 1,
            Outcome::Undecided => 3,
            Outcome::Unusable => 2,
        }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        ExitCode::from(outcome.code())
    }
}

fn main() -> ExitCode {
    match Arguments::parse().command.run() {
        Ok(outcome) => outcome.into(),
        Err(error) => {
            console::complain(&error.to_string());
            Outcome::Unusable.into()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_well_formed() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn unusable_outweighs_undecided_outweighs_bad() {
        assert!(Outcome::Unusable > Outcome::Undecided);
        assert!(Outcome::Undecided > Outcome::Bad);
        assert!(Outcome::Bad > Outcome::Good);
    }
}
