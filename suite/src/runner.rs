//! Runs a group through every entry point: representation × optimizer × report.
//!
//! Each schema is compiled twice, optimized and plain; `trial` runs its tests.

use std::collections::BTreeMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use stanchion::{Dialect, Limits, References, SchemaError, Validator, ValidatorBuilder};

use crate::case::{File, Group, LoadError};
use crate::tally::{Failure, Place, Tally};
use crate::trial;

/// A representation of an instance for the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Representation {
    /// A parsed `serde_json::Value`.
    Value,
    /// A simd-json tape.
    Tape,
    /// JSON text.
    Text,
}

impl Representation {
    /// All representations.
    pub const ALL: [Representation; 3] = [Representation::Value, Representation::Tape, Representation::Text];
}

/// A call that gives a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Report {
    /// `Validator::is_valid`
    IsValid,
    /// `Validator::verdict`, and `Validator::verdict_json` for text.
    Verdict,
    /// `Validator::validate`
    Validate,
    /// `Validator::iter_errors`
    IterErrors,
    /// `Validator::evaluate`
    Evaluate,
}

impl Report {
    /// All calls.
    pub const ALL: [Report; 5] =
        [Report::IsValid, Report::Verdict, Report::Validate, Report::IterErrors, Report::Evaluate];
}

/// Runs all groups of a file. The builder holds the settings that they share.
pub fn run_file(file: &File, builder: &ValidatorBuilder) -> Tally {
    let mut tally = Tally::default();
    for group in &file.groups {
        tally.add(run_group(&file.name, group, builder));
    }
    tally
}

/// Runs one group. `file` is the name of its file.
pub fn run_group(file: &str, group: &Group, builder: &ValidatorBuilder) -> Tally {
    let place = Place { file: file.to_owned(), group: group.description.clone(), test: String::new() };
    let mut tally = Tally::default();
    let builder = match configure(builder.clone(), group) {
        Ok(builder) => builder,
        Err(error) => {
            tally.count(vec![failure(&place, "the format", "a group", &error)]);
            return tally;
        }
    };
    let [optimized, plain] =
        [true, false].map(|optimize| guarded(|| builder.clone().optimize(optimize).build(&group.schema)));
    let (optimized, plain) = match (optimized, plain) {
        (Ok(optimized), Ok(plain)) => (optimized, plain),
        (Err(panic), _) | (_, Err(panic)) => {
            let failed = failure(&place, "compile", "a validator or an error", &panic);
            for _ in 0..group.tests.len().max(1) {
                tally.count(vec![failed.clone()]);
            }
            return tally;
        }
    };
    if let Some(expected) = &group.schema_error {
        tally.count(check_refusal(&place, expected, &optimized, &plain));
        return tally;
    }
    if group.tests.is_empty() {
        tally.count(vec![failure(&place, "the format", "tests or `schema_error`", &"neither")]);
    }
    for test in &group.tests {
        let place = Place { test: test.description.clone(), ..place.clone() };
        let failures = match (&optimized, &plain) {
            (Ok(optimized), Ok(plain)) => guarded(|| trial::run(&place, optimized, plain, test))
                .unwrap_or_else(|panic| vec![failure(&place, "any", "an answer", &panic)]),
            (Err(error), _) | (_, Err(error)) => {
                vec![failure(&place, "compile", "a validator", &format!("a refusal: {error}"))]
            }
        };
        tally.count(failures);
    }
    tally
}

/// Applies a group's own settings.
fn configure(mut builder: ValidatorBuilder, group: &Group) -> Result<ValidatorBuilder, LoadError> {
    if !group.limits.is_empty() {
        builder = builder.limits(limits(&group.limits)?);
    }
    if group.assert_formats {
        builder = builder.assert_formats(true);
    }
    if let Some(name) = &group.dialect {
        let dialect: Dialect = name.parse().map_err(|error| LoadError::new(format!("{name:?}: {error}")))?;
        builder = builder.dialect(dialect);
    }
    if !group.resources.is_empty() {
        builder = builder.references(References::Bundled);
    }
    for (uri, document) in &group.resources {
        builder = builder.resource(uri, document);
    }
    Ok(builder)
}

/// Returns the default limits with some of them changed, by the names of their setters.
fn limits(named: &BTreeMap<String, u64>) -> Result<Limits, LoadError> {
    let mut limits = Limits::default();
    for (name, &value) in named {
        limits = limits.set(name, value).map_err(|error| LoadError::new(error.to_string()))?;
    }
    Ok(limits)
}

/// Checks that a schema is refused for the same reason, optimized or not.
fn check_refusal(
    place: &Place,
    expected: &str,
    optimized: &Result<Validator, SchemaError>,
    plain: &Result<Validator, SchemaError>,
) -> Vec<Failure> {
    let mut failures = Vec::new();
    for (entry_point, result) in [("compile, optimized", optimized), ("compile, plain", plain)] {
        match result {
            Ok(_) => failures.push(failure(place, entry_point, expected, &"a validator")),
            Err(error) if error.to_string().contains(expected) => {}
            Err(error) => failures.push(failure(place, entry_point, expected, error)),
        }
    }
    failures
}

/// Makes a failure that concerns every representation.
pub(crate) fn failure(place: &Place, entry_point: &str, expected: &str, got: &dyn fmt::Display) -> Failure {
    Failure {
        place: place.clone(),
        representation: None,
        entry_point: entry_point.to_owned(),
        expected: expected.to_owned(),
        got: got.to_string(),
    }
}

/// Runs the engine and turns a panic into a failure, so that the list of failures is complete.
pub(crate) fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(ToString::to_string);
        let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
        format!("a panic: {}", text.unwrap_or_default())
    })
}
