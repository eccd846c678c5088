//! `stanchion check`: do these instances conform to this schema?

use std::error::Error;
use std::fs;
use std::io::{self, Read};

use clap::Args;
use serde_json::Value;
use stanchion::{Dialect, Limits, References, Validator, Verdict};

use crate::{Outcome, console, parse_dialect};

/// The name that stands for standard input.
const STDIN: &str = "-";

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

    /// Let `format` assert, not only annotate
    #[arg(long)]
    assert_formats: bool,

    /// The dialect of a schema that declares none: draft2020-12 (the default), draft2019-09, draft7, draft6, draft4
    #[arg(long, value_name = "NAME", value_parser = parse_dialect)]
    dialect: Option<Dialect>,

    /// Let references leave the document: to `$id`s in it, to resources and to the known metaschemas
    #[arg(long)]
    bundled: bool,

    /// A document that references may lead to; the last `=` parts the two. Nothing is ever fetched
    #[arg(long = "resource", value_name = "URI=FILE", requires = "bundled", value_parser = parse_resource)]
    resources: Vec<Resource>,

    /// The steps that one run may take
    #[arg(long, value_name = "N")]
    steps: Option<u64>,

    /// Print nothing for instances that conform
    #[arg(short, long)]
    quiet: bool,
}

/// A document handed over under a URI.
#[derive(Clone)]
struct Resource {
    uri: String,
    file: String,
}

fn parse_resource(text: &str) -> Result<Resource, String> {
    let (uri, file) = text.rsplit_once('=').ok_or("expected URI=FILE")?;
    Ok(Resource { uri: uri.to_owned(), file: file.to_owned() })
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Box<dyn Error>> {
    let resources = arguments.resources.iter().map(|resource| &resource.file);
    let files = [&arguments.schema].into_iter().chain(&arguments.instances).chain(resources);
    if files.filter(|file| *file == STDIN).count() > 1 {
        return Err("standard input (`-`) can be read only once".into());
    }
    let validator = compile(arguments)?;
    let mut worst = Outcome::Good;
    for file in &arguments.instances {
        worst = worst.max(check(&validator, file, arguments.quiet)?);
    }
    Ok(worst)
}

/// Reads and compiles the schema.
fn compile(arguments: &Arguments) -> Result<Validator, Box<dyn Error>> {
    let mut builder = Validator::builder().assert_formats(arguments.assert_formats);
    if let Some(dialect) = arguments.dialect {
        builder = builder.dialect(dialect);
    }
    if arguments.bundled {
        builder = builder.references(References::Bundled);
    }
    if let Some(steps) = arguments.steps {
        builder = builder.limits(Limits::default().steps(steps));
    }
    for Resource { uri, file } in &arguments.resources {
        builder = builder.resource(uri, &read_json(file)?);
    }
    let file = &arguments.schema;
    let schema = read_json(file)?;
    builder.build(&schema).map_err(|error| format!("{file}: {error}").into())
}

/// Checks one instance and says what came of it.
fn check(validator: &Validator, file: &str, quiet: bool) -> io::Result<Outcome> {
    let text = match read(file) {
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

/// Reads a file, or standard input.
fn read(file: &str) -> Result<Vec<u8>, String> {
    let read = if file == STDIN {
        let mut text = Vec::new();
        io::stdin().read_to_end(&mut text).map(|_| text)
    } else {
        fs::read(file)
    };
    read.map_err(|error| format!("{file}: {error}"))
}

/// Reads a file of JSON; the error has the line and the column.
fn read_json(file: &str) -> Result<Value, String> {
    let text = read(file)?;
    serde_json::from_slice(&text).map_err(|error| format!("{file}: {error}"))
}
