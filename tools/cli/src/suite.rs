//! `stanchion suite`: runs the tests of the official suite.

use std::error::Error;
use std::path::{Path, PathBuf};

use clap::Args;
use stanchion::{Dialect, Validator, ValidatorBuilder};
use stanchion_suite::case;
use stanchion_suite::dialect::folder;
use stanchion_suite::evaluation::{run_annotations, run_outputs};
use stanchion_suite::official::{Official, Section};
use stanchion_suite::runner::{Representation, run_file};
use stanchion_suite::tally::Tally;

use crate::{Outcome, console};

/// Run the official JSON Schema test suite, or any tests in its format, through every entry point of the engine
///
/// A test counts as passed for a representation of the instance if the optimized and the plain program, in quiet and
/// in reporting runs, all give the expected verdict. Failures are listed on standard error. Exits with 0 if everything
/// passed, 1 if not, 2 if the tests could not be read.
#[derive(Args)]
pub(crate) struct Arguments {
    /// A file or directory of tests, or a checkout of the official suite; without it, the official
    /// suite that cargo fetched
    path: Option<PathBuf>,

    /// Only this dialect; for a path that does not name one: 2020-12 (the default), 2019-09, draft-07, draft-06, draft-04
    #[arg(long, value_name = "NAME")]
    dialect: Option<Dialect>,

    /// Make `format` an assertion in all files, not only in a directory `format`
    #[arg(long)]
    assert_formats: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Box<dyn Error>> {
    let mut table = Table::default();
    match &arguments.path {
        None => official(&mut table, Official::get()?, arguments.dialect)?,
        Some(path) if path.join("tests").is_dir() && path.join("remotes").is_dir() => {
            official(&mut table, &Official::at(path)?, arguments.dialect)?;
        }
        Some(path) => folder_of_tests(&mut table, path, arguments)?,
    }
    table.print()?;
    Ok(if table.passed { Outcome::Good } else { Outcome::Bad })
}

/// Runs the official suite for one dialect, or for each.
fn official(table: &mut Table, official: &Official, only: Option<Dialect>) -> Result<(), Box<dyn Error>> {
    for dialect in Dialect::ALL.into_iter().rev().filter(|&dialect| only.is_none_or(|only| only == dialect)) {
        for section in Section::ALL {
            let builder = official.builder(dialect, section);
            let mut tally = Tally::default();
            for file in official.files(dialect, section)? {
                tally.add(run_file(&file, &builder));
            }
            table.add([folder(dialect), section.name()], &tally, &Representation::ALL);
        }
        // Text gives only a verdict: there are no annotations to check.
        let evaluated = [Representation::Value, Representation::Tape];
        table.add([folder(dialect), "annotations"], &run_annotations(official, dialect)?, &evaluated);
        let outputs = run_outputs(official, dialect)?;
        if outputs.tests > 0 {
            table.add([folder(dialect), "output"], &outputs, &evaluated);
        }
    }
    Ok(())
}

/// Runs any tests in the suite's format, file by file.
fn folder_of_tests(table: &mut Table, path: &Path, arguments: &Arguments) -> Result<(), Box<dyn Error>> {
    let path = path.canonicalize().map_err(|error| format!("{}: {error}", path.display()))?;
    let surroundings = Official::around(&path)?;
    let mut total = Tally::default();
    for file in case::read(&path)? {
        let whole = path.join(&file.name);
        let steps: Vec<_> = whole.iter().map(|step| step.to_string_lossy()).collect();
        let named =
            Dialect::ALL.into_iter().find(|&dialect| steps.iter().any(|step| step == folder(dialect)));
        let dialect = arguments.dialect.or(named).unwrap_or(Dialect::Draft202012);
        let assert_formats = arguments.assert_formats || steps.iter().any(|step| step == "format");
        let builder = settings(surroundings.as_ref(), dialect).assert_formats(assert_formats);
        let tally = run_file(&file, &builder);
        table.add([folder(dialect), &file.name], &tally, &Representation::ALL);
        total.add(Tally { failures: Vec::new(), ..tally });
    }
    if total.tests == 0 {
        return Err(format!("{}: no tests found", path.display()).into());
    }
    table.add(["", "total"], &total, &Representation::ALL);
    Ok(())
}

/// Returns the settings for tests: those of the official suite need its remote schemas, others only
/// the engine's defaults.
fn settings(surroundings: Option<&Official>, dialect: Dialect) -> ValidatorBuilder {
    match surroundings {
        Some(official) => official.builder(dialect, Section::Required),
        None => Validator::builder().dialect(dialect),
    }
}

/// The results as lines of cells; the first line is the head.
struct Table {
    lines: Vec<[String; 5]>,
    passed: bool,
}

impl Default for Table {
    fn default() -> Self {
        let head = ["dialect", "tests", "value", "tape", "text"].map(str::to_owned);
        Table { lines: vec![head], passed: true }
    }
}

impl Table {
    /// Adds a line, and lists its failures on standard error.
    fn add(&mut self, labels: [&str; 2], tally: &Tally, asked: &[Representation]) {
        for line in tally.lines() {
            console::complain(&line);
        }
        self.passed &= tally.failures.is_empty();
        let mut line = [labels[0], labels[1], "-", "-", "-"].map(str::to_owned);
        for ((cell, representation), passed) in
            line[2..].iter_mut().zip(Representation::ALL).zip(tally.passed)
        {
            if asked.contains(&representation) {
                *cell = format!("{passed}/{}", tally.tests);
            }
        }
        self.lines.push(line);
    }

    /// Prints the table, with labels left-aligned and numbers right-aligned.
    fn print(&self) -> std::io::Result<()> {
        let width =
            |column: usize| self.lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
        let widths = [0, 1, 2, 3, 4].map(width);
        for line in &self.lines {
            let mut text = format!("{:<1$}", line[0], widths[0]);
            text += &format!("  {:<1$}", line[1], widths[1]);
            for column in 2..5 {
                text += &format!("  {:>1$}", line[column], widths[column]);
            }
            console::say(&text)?;
        }
        Ok(())
    }
}
