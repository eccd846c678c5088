//! `stanchion check`: checks instances against a schema.
//!
//! ```text
//! inputs (files, directories, globs, -) → feed (documents, chunks of lines) → worker on each core
//! → output, in order
//! ```
//!
//! A worker takes the next piece from the one [`Feed`], validates each instance in it, and prints
//! the results when it is its [turn](turns). So at most one piece per worker is in memory, whatever
//! the size of the input.

mod feed;
mod progress;
mod report;
mod schemas;
mod tally;
mod turns;
mod worker;

use std::error::Error;
use std::num::NonZero;
use std::sync::Mutex;
use std::thread;

use clap::{Args, ValueEnum};
use stanchion_render::{Finding, Level};

use crate::console::Color;
use crate::inputs::{self, Input};
use crate::settings::{Bounds, Settings};
use crate::{Outcome, source};
use feed::Feed;
use progress::Progress;
use report::Report;
use schemas::{Refused, Schemas};
use tally::Tally;
use turns::Turns;
use worker::{Shared, Worker};

/// Check JSON instances against a JSON Schema
///
/// An instance is a file of JSON, or a line of a file that ends in .jsonl or .ndjson; files may be
/// compressed by gzip (.gz). A directory stands for all such files in it and below. Exits with 0 if
/// all instances are valid, 1 if some are not, 2 if the schema was refused or something could not
/// be read as JSON, 3 if a limit was reached before a verdict. If several apply, 2 goes before 3
/// and 3 before 1.
#[derive(Args)]
#[command(override_usage = "stanchion check [OPTIONS] <SCHEMA> <INSTANCE>...\n       \
                            stanchion check [OPTIONS] --schema-from --resources <DIR> <INSTANCE>...")]
pub(crate) struct Arguments {
    /// The schema: a file, or `-` for standard input
    schema: String,

    /// The instances: files, directories, patterns such as `calls/**/*.json`, or `-` for standard
    /// input
    #[arg(value_name = "INSTANCE", required_unless_present = "schema_from")]
    instances: Vec<String>,

    /// Take the schema that each instance names in its member `$schema`, or in MEMBER, from the
    /// resources; then SCHEMA is not given
    #[arg(long, value_name = "MEMBER", num_args = 0..=1, require_equals = true, default_missing_value = "$schema")]
    schema_from: Option<String>,

    /// Every line is an instance, whatever the name of the file
    #[arg(long)]
    lines: bool,

    #[command(flatten)]
    settings: Settings,

    /// How to report: pictures for people; a line for each error; a line of JSON for each instance;
    /// SARIF for CI
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Report in an output format of the specification, as a line of JSON for each instance
    #[arg(long, value_enum, value_name = "FORMAT")]
    output: Option<OutputFormat>,

    /// How many errors to show as pictures
    #[arg(long, value_name = "N", default_value_t = 50)]
    show: usize,

    /// When to use colors
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Color::Auto)]
    color: Color,

    /// Number of threads; by default, one for each core
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,

    /// Print nothing for instances that conform, and no summary
    #[arg(short, long)]
    quiet: bool,
}

/// The format of reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Human,
    Line,
    Json,
    Sarif,
}

/// The output formats of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OutputFormat {
    Flag,
    Basic,
    Detailed,
    Verbose,
    List,
    Hierarchical,
}

impl Arguments {
    /// Returns the instances to check: if instances name their schemas, the first argument is one
    /// of them.
    fn instances(&self) -> impl Iterator<Item = &str> {
        let first = self.schema_from.is_some().then_some(&self.schema);
        first.into_iter().chain(&self.instances).map(String::as_str)
    }

    fn report(&self) -> Result<Report, Box<dyn Error>> {
        let format = match (self.format, self.output) {
            (None | Some(Format::Json), Some(_)) => Format::Json,
            (Some(_), Some(_)) => return Err("--output goes with --format json only".into()),
            (format, None) => format.unwrap_or(Format::Human),
        };
        Ok(Report {
            format,
            output: self.output,
            is_quiet: self.quiet,
            pictures: self.color.pictures(),
            is_colored: self.color.on_stdout(),
        })
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Box<dyn Error>> {
    let Arguments { schema, schema_from, settings, .. } = arguments;
    let schema = schema_from.is_none().then_some(schema.as_str());
    source::read_once(schema.into_iter().chain(arguments.instances()).chain(settings.files()))?;
    let report = arguments.report()?;
    let turns = Turns::new(report.format == Format::Sarif, arguments.show);
    turns.begin(report.head());
    let schemas = match Schemas::read(schema, schema_from.as_deref(), settings, report.has_warnings()) {
        Ok(schemas) => schemas,
        Err(refused) => return Ok(refuse(&report, &turns, &refused)),
    };
    schemas.warn(|finding| turns.warn(&report.picture(finding)));
    let inputs = inputs::list(arguments.instances(), arguments.lines);
    let bounds = settings.bounds();
    let tally = check_all(arguments, &inputs, &schemas, &report, &turns, &bounds);
    let outcome = tally.outcome();
    turns.end(report.tail(&tally, inputs.len(), outcome, turns.hidden()));
    turns.failure().map_or(Ok(outcome), |error| Err(error.into()))
}

/// Reports why a schema was refused.
fn refuse(report: &Report, turns: &Turns, refused: &Refused) -> Outcome {
    let mut tally = Tally::default();
    let mut slot = turns.slot(0);
    // Warnings do not refuse the schema, so JSON output omits them.
    let is_told = |finding: &Finding<'_>| finding.level == Level::Error || report.format != Format::Json;
    refused.show(|finding| {
        if is_told(finding) {
            report.problem(&mut slot, &mut tally, finding, None);
        }
    });
    drop(slot);
    // No instance was checked.
    tally.unusable = 0;
    turns.end(report.tail(&tally, 0, Outcome::Unusable, 0));
    Outcome::Unusable
}

/// Checks all instances, on all cores.
fn check_all(
    arguments: &Arguments,
    inputs: &[Input],
    schemas: &Schemas,
    report: &Report,
    turns: &Turns,
    bounds: &Bounds,
) -> Tally {
    let progress = Progress::new(inputs, arguments.quiet);
    let feed = Mutex::new(Feed::new(inputs, bounds, &progress));
    let files = Mutex::new(vec![Tally::default(); inputs.len()]);
    let shared =
        Shared { inputs, schemas, report, turns, bounds, progress: &progress, feed: &feed, files: &files };
    let mut total = Tally::default();
    thread::scope(|scope| {
        let watch = progress.watch(scope);
        let start = |_| {
            let thread = thread::Builder::new().stack_size(bounds.stack_bytes());
            thread.spawn_scoped(scope, move || Worker::new(shared).work()).ok()
        };
        let workers: Vec<_> = (0..threads(arguments, inputs)).filter_map(start).collect();
        if workers.is_empty() {
            let problem = Finding::new(Level::Error, "unreadable", "threads", "none could be started");
            report.problem(&mut turns.slot(0), &mut total, &problem, None);
        }
        for worker in workers {
            match worker.join() {
                Ok(tally) => total.add(&tally),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        drop(watch);
    });
    progress.finish();
    total
}

/// Returns the number of threads: one for each core, but no more than there can be work for.
fn threads(arguments: &Arguments, inputs: &[Input]) -> usize {
    let cores = arguments.threads.or_else(|| thread::available_parallelism().ok()).map_or(1, NonZero::get);
    let has_lines = inputs.iter().any(Input::has_lines);
    if has_lines { cores } else { cores.min(inputs.len()).max(1) }
}
