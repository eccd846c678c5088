//! `stanchion check`: do these instances conform to this schema?

use std::error::Error;
use std::{io, iter};

use clap::Args;
use serde_json::Value;
use stanchion::{Validator, Verdict};

use crate::settings::Settings;
use crate::{Outcome, console, source};

/// Check JSON instances against a JSON Schema
///
/// Prints `FILE: valid` for each instance that conforms, and one line on standard error for each error: file, place,
/// message. Exits with 0 if all instances are valid, 1 if some are not, 2 if the schema was refused or a file could
/// not be read as JSON, 3 if a run gave up within its limits. Where several apply, 2 goes before 3 and 3 before 1.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The schema: a file, or `-` for standard input
    schema: String,

    /// The instances: files, or `-` for standard input
    #[arg(required = true, value_name = "INSTANCE")]
    instances: Vec<String>,

    #[command(flatten)]
    settings: Settings,

    /// Print nothing for instances that conform
    #[arg(short, long)]
    quiet: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Box<dyn Error>> {
    let Arguments { schema, instances, settings, quiet } = arguments;
    source::read_once(iter::once(schema).chain(instances).map(String::as_str).chain(settings.files()))?;
    let builder = settings.builder()?;
    let schema = source::read_json(schema)?;
    let validator = builder.build(&schema.value).map_err(|error| format!("{}: {error}", schema.name))?;
    let mut worst = Outcome::Good;
    for file in instances {
        worst = worst.max(check(&validator, file, *quiet)?);
    }
    Ok(worst)
}

/// Checks one instance and says what came of it.
fn check(validator: &Validator, file: &str, quiet: bool) -> io::Result<Outcome> {
    let text = match source::read(file) {
        Ok(text) => text,
        Err(error) => {
            console::complain(&error);
            return Ok(Outcome::Unusable);
        }
    };
    match validator.verdict_json(&text) {
        Ok(Verdict::Valid) => {
            if !quiet {
                console::say(&format!("{file}: valid"))?;
            }
            Ok(Outcome::Good)
        }
        Ok(Verdict::Invalid) => {
            complain_of_errors(validator, file, &text);
            Ok(Outcome::Bad)
        }
        Ok(Verdict::Undecided(exhausted)) => {
            console::complain(&format!("{file}: undecided: {exhausted}"));
            Ok(Outcome::Undecided)
        }
        Err(error) => {
            console::complain(&format!("{file}: {error}"));
            Ok(Outcome::Unusable)
        }
    }
}

/// Lists the errors of an instance that is known to be invalid.
fn complain_of_errors(validator: &Validator, file: &str, text: &[u8]) {
    match serde_json::from_slice::<Value>(text) {
        Ok(instance) => {
            for error in validator.iter_errors(&instance) {
                console::complain(&format!("{file}: {error}"));
            }
        }
        // The text has a verdict, but it is deeper or its numbers are larger than a parsed value can be.
        Err(error) => console::complain(&format!("{file}: invalid; its errors cannot be listed: {error}")),
    }
}
