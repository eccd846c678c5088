//! Stanchion on the command line.
//!
//! ```text
//! stanchion check SCHEMA INSTANCE…    do these instances conform?
//! stanchion suite [PATH]              does the engine pass its tests?
//! ```
//!
//! Exit codes are for scripts: 0 all is well, 1 something does not conform, 2 the question could not be asked, 3 the
//! engine gave up before it knew.

mod check;
mod console;
mod suite;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use stanchion::Dialect;
use stanchion_suite::dialect;

/// A JSON Schema validator for untrusted schemas and untrusted instances
#[derive(Parser)]
#[command(name = "stanchion", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Check(check::Arguments),
    Suite(suite::Arguments),
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

/// The dialect by a name that people use.
fn parse_dialect(name: &str) -> Result<Dialect, String> {
    dialect::by_name(name).ok_or_else(|| {
        let known: Vec<&str> = dialect::DIALECTS.iter().map(|&dialect| dialect::folder(dialect)).collect();
        format!("expected one of {}", known.join(", "))
    })
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Suite(arguments) => suite::run(&arguments),
    };
    match outcome {
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
