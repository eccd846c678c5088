//! Stanchion on the command line.
//!
//! ```text
//! stanchion check SCHEMA INSTANCE…    do these instances conform?
//! stanchion mcp TOOLS                 what would a client make of these tools?
//! stanchion suite [PATH]              does the engine pass its tests?
//! ```
//!
//! Each command is a file: `Arguments`, which clap reads and whose doc comment is the help, and `run`. What commands
//! share is in `settings.rs` (how a schema is compiled), `source.rs` (what is read) and `console.rs` (what is printed).
//!
//! Exit codes are for scripts: 0 all is well, 1 something does not conform, 2 the question could not be asked, 3 the
//! engine gave up before it knew.
#![forbid(unsafe_code)]

mod check;
mod console;
mod mcp;
mod settings;
mod source;
mod suite;

use std::error::Error;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A JSON Schema validator for untrusted schemas and untrusted instances
#[derive(Parser)]
#[command(name = "stanchion", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

/// The commands, in the order in which the help lists them.
#[derive(Subcommand)]
enum Command {
    Check(check::Arguments),
    Mcp(mcp::Arguments),
    Suite(suite::Arguments),
}

impl Command {
    fn run(&self) -> Result<Outcome, Box<dyn Error>> {
        match self {
            Command::Check(arguments) => check::run(arguments),
            Command::Mcp(arguments) => mcp::run(arguments),
            Command::Suite(arguments) => suite::run(arguments),
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

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        ExitCode::from(match outcome {
            Outcome::Good => 0,
            Outcome::Bad => 1,
            Outcome::Undecided => 3,
            Outcome::Unusable => 2,
        })
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
