//! Stanchion on the command line.
//!
//! ```text
//! stanchion check SCHEMA INSTANCE…    do these instances conform?
//! stanchion explain SCHEMA            what is this schema compiled to?
//! stanchion cost SCHEMA               what may it cost to run, and where?
//! stanchion lint SCHEMA…              what in it is likely a mistake?
//! stanchion bench SCHEMA INSTANCE…    what does that take?
//! stanchion mcp TOOLS                 what would a client make of these tools?
//! stanchion suite [PATH]              does the engine pass its tests?
//! stanchion bowtie                    answers for Bowtie, which compares implementations
//! stanchion completions SHELL         for a shell
//! stanchion man [DIR]                 the manual
//! ```
//!
//! Each command is a file: `Arguments`, which clap reads and whose doc comment is the help, and `run`. What commands
//! share is in `settings.rs` (how a schema is compiled), `source.rs` (what is read) and `console.rs` (what is printed).
//!
//! Exit codes are for scripts: 0 all is well, 1 something does not conform, 2 the question could not be asked, 3 the
//! engine gave up before it knew.
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
use stanchion_benches::heap::Counting;

/// Counts when `bench` asks for it, and costs a look at a flag otherwise.
#[global_allocator]
static HEAP: Counting = Counting::paused();

/// A JSON Schema validator for untrusted schemas and untrusted instances
#[derive(Parser)]
#[command(name = "stanchion", version, long_version = version::long(), arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The commands, in the order in which the help lists them.
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

/// How a command ended. The order is that of precedence: the greatest of all outcomes is the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// Every instance conforms, every test passed.
    Good,
    /// Some do not.
    Bad,
    /// A run gave up.
    Undecided,
    /// There was nothing to ask: a schema was refused, a file could not be read.
    Unusable,
}

impl Outcome {
    /// The exit code.
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
