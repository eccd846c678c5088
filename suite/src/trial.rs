//! Runs one test through every entry point.
//!
//! The optimized and the plain validator get the instance as a [`serde_json::Value`], as a
//! simd-json tape and as JSON text, through every call that the engine has. All answers must be the
//! one that the test expects, and all must report the same errors and annotations.
//!
//! As text, the instance is validated as it is written in the file. The tape is made from the
//! serialized value: so integers past 64 bits are doubles, since simd-json would refuse them, and
//! repeated members are gone, since a value has only the last.

use std::fmt;

use serde_json::Value;
use stanchion::{Evaluation, Node, TapeNode, ValidationError, Validator, Verdict};

use crate::case::{Assertion, Expected, ExpectedError, Test};
use crate::evaluation;
use crate::runner::{Report, Representation, failure};
use crate::tally::{Failure, Place};

/// Runs one test through all entry points of both validators.
pub(crate) fn run(place: &Place, optimized: &Validator, plain: &Validator, test: &Test) -> Vec<Failure> {
    let expected = match test.expected() {
        Ok(expected) => expected,
        Err(error) => return vec![failure(place, "the format", "a test", &error)],
    };
    let text = test.data.get();
    let value: Value = match serde_json::from_str(text) {
        Ok(value) => value,
        Err(error) => return vec![failure(place, "the format", "an instance", &error)],
    };
    let mut bytes = value.to_string().into_bytes();
    let tape = match fits_a_tape(&value).then(|| simd_json::to_tape(&mut bytes)).transpose() {
        Ok(tape) => tape,
        Err(error) => return vec![failure(place, "the format", "a tape", &error)],
    };
    let on_tape = tape.as_ref().map(TapeNode::from);

    let mut trial = Trial { place, expected, failures: Vec::new() };
    for (validator, optimizer) in [(optimized, "optimized"), (plain, "plain")] {
        trial.ask(Representation::Value, optimizer, validator, &value);
        if let Some(node) = on_tape {
            trial.ask(Representation::Tape, optimizer, validator, node);
        }
        trial.ask_text(optimizer, validator, text.as_bytes());
    }
    if expected == Expected::Undecided {
        return trial.failures;
    }

    let reference = Findings::of(plain, &value);
    trial.compare(Representation::Value, "optimized", &reference, &Findings::of(optimized, &value));
    if let Some(node) = on_tape {
        trial.compare(Representation::Tape, "plain", &reference, &Findings::of(plain, node));
        trial.compare(Representation::Tape, "optimized", &reference, &Findings::of(optimized, node));
    }
    for error in &reference.errors {
        if value.pointer(&error.instance_path).is_none() {
            trial.failures.push(failure(place, "iter_errors", "a place in the instance", &error));
        }
    }
    if let Some(errors) = &test.errors {
        trial.check_errors(errors, &reference.errors);
        trial.check_first(plain.validate(&value).err(), &reference.errors);
        trial.check_first(optimized.validate(&value).err(), &reference.errors);
    }
    // By the comparison above, these annotations are the same everywhere.
    trial.check_annotations(&test.annotations, &plain.evaluate(&value));
    trial.failures
}

/// Whether a tape holds exactly the numbers of a value. It does, unless the value keeps them as
/// text: then some have more digits than a double, or a greater exponent.
fn fits_a_tape(value: &Value) -> bool {
    match value {
        Value::Number(number) if cfg!(feature = "arbitrary_precision") => {
            let text = number.to_string();
            let digits = text.split(['e', 'E']).next().unwrap_or_default();
            let few = digits.chars().filter(char::is_ascii_digit).count() <= 15;
            let zero = digits.chars().all(|digit| !('1'..='9').contains(&digit));
            let in_range = number.as_f64().is_some_and(|double| {
                // Beyond 64 bits, a tape does not show whether a number was written as an integer.
                double.abs() < i64::MAX as f64 && (double == 0.0) == zero
            });
            number.is_i64() || number.is_u64() || few && in_range
        }
        Value::Array(items) => items.iter().all(fits_a_tape),
        Value::Object(members) => members.values().all(fits_a_tape),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

/// A running test, with its failures so far.
struct Trial<'t> {
    place: &'t Place,
    expected: Expected,
    failures: Vec<Failure>,
}

impl Trial<'_> {
    /// Checks the verdict through every call.
    fn ask<'a, N: Node<'a>>(
        &mut self,
        representation: Representation,
        optimizer: &str,
        validator: &Validator,
        node: N,
    ) {
        for report in Report::ALL {
            let answer = answer(validator, report, node);
            if !answer.agrees(self.expected) {
                let mut got = answer.to_string();
                if let (Answer::Invalid | Answer::Unproven, Err(error)) = (answer, validator.validate(node)) {
                    got = format!("{got} ({error})");
                }
                self.fail(representation, &format!("{optimizer}, {report:?}"), &got);
            }
        }
    }

    /// Checks the verdict on a text.
    fn ask_text(&mut self, optimizer: &str, validator: &Validator, text: &[u8]) {
        let entry_point = format!("{optimizer}, verdict_json");
        match validator.verdict_json(text).map(Answer::from) {
            Ok(answer) if answer.agrees(self.expected) => {}
            Ok(answer) => self.fail(Representation::Text, &entry_point, &answer),
            Err(error) => self.fail(Representation::Text, &entry_point, &error),
        }
    }

    /// Records an answer that the test does not expect.
    fn fail(&mut self, representation: Representation, entry_point: &str, got: &dyn fmt::Display) {
        self.failures.push(Failure {
            representation: Some(representation),
            ..failure(
                self.place,
                &format!("{representation:?}, {entry_point}"),
                &self.expected.to_string(),
                got,
            )
        });
    }

    /// Compares the findings of one entry point with those of the plain validator.
    fn compare(
        &mut self,
        representation: Representation,
        optimizer: &str,
        reference: &Findings,
        found: &Findings,
    ) {
        let entry_point = format!("{representation:?}, {optimizer}");
        let lists = [
            ("errors", lines(representation, &reference.errors), lines(representation, &found.errors)),
            ("annotations", reference.annotations.clone(), found.annotations.clone()),
        ];
        for (what, wanted, got) in lists {
            if wanted != got {
                let (wanted, got) = (difference(&wanted, &got), difference(&got, &wanted));
                let expected = format!("the {what} of the plain run on a value: {wanted}");
                self.failures.push(Failure {
                    representation: Some(representation),
                    ..failure(self.place, &format!("{entry_point}, {what}"), &expected, &got)
                });
            }
        }
    }

    /// Compares the errors that were found with those that the test lists.
    fn check_errors(&mut self, expected: &[ExpectedError], found: &[Finding]) {
        let mut left: Vec<&Finding> = found.iter().collect();
        for error in expected {
            match left.iter().position(|found| found.is(error)) {
                Some(at) => drop(left.remove(at)),
                None => {
                    let found = found.iter().map(Finding::to_string).collect::<Vec<_>>().join("; ");
                    self.failures.push(failure(self.place, "errors", &format!("{error:?}"), &found));
                }
            }
        }
        for error in left {
            self.failures.push(failure(self.place, "errors", "no more errors", error));
        }
    }

    /// Checks that the error of `validate` is one of all errors.
    fn check_first(&mut self, first: Option<ValidationError>, all: &[Finding]) {
        match first.as_ref().map(Finding::from) {
            Some(error) if all.contains(&error) => {}
            Some(error) => self.failures.push(failure(self.place, "validate", "one of all errors", &error)),
            None if all.is_empty() => {}
            None => self.failures.push(failure(self.place, "validate", "an error", &"none")),
        }
    }

    /// Checks the annotations against the test's assertions.
    fn check_annotations(&mut self, assertions: &[Assertion], evaluation: &Evaluation) {
        for assertion in assertions {
            if let Err(mismatch) = evaluation::check_assertion(evaluation, assertion) {
                self.failures.push(failure(self.place, "annotations", &mismatch.expected, &mismatch.got));
            }
        }
    }
}

/// The answer of an entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Answer {
    Valid,
    Invalid,
    Undecided,
    /// `is_valid` was false: invalid or undecided.
    Unproven,
}

impl Answer {
    fn agrees(&self, expected: Expected) -> bool {
        match expected {
            Expected::Valid => *self == Answer::Valid,
            Expected::Invalid => matches!(self, Answer::Invalid | Answer::Unproven),
            Expected::Undecided => matches!(self, Answer::Undecided | Answer::Unproven),
        }
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Answer::Valid => "valid",
            Answer::Invalid | Answer::Unproven => "not valid",
            Answer::Undecided => "undecided",
        })
    }
}

impl From<Verdict> for Answer {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Valid => Answer::Valid,
            Verdict::Invalid => Answer::Invalid,
            Verdict::Undecided(_) => Answer::Undecided,
        }
    }
}

/// Returns the verdict on a node, through one call.
fn answer<'a>(validator: &Validator, report: Report, node: impl Node<'a>) -> Answer {
    match report {
        Report::IsValid if validator.is_valid(node) => Answer::Valid,
        Report::IsValid => Answer::Unproven,
        Report::Verdict => validator.verdict(node).into(),
        Report::Validate => match validator.validate(node) {
            Ok(()) => Answer::Valid,
            Err(error) if error.exhausted().is_some() => Answer::Undecided,
            Err(_) => Answer::Invalid,
        },
        Report::IterErrors => {
            let errors: Vec<ValidationError> = validator.iter_errors(node).collect();
            match errors.last() {
                None => Answer::Valid,
                Some(error) if error.exhausted().is_some() => Answer::Undecided,
                Some(_) => Answer::Invalid,
            }
        }
        Report::Evaluate => {
            let evaluation = validator.evaluate(node);
            let answer = Answer::from(evaluation.verdict());
            match (&answer, evaluation.is_valid()) {
                (Answer::Valid, false) => Answer::Unproven,
                (Answer::Invalid | Answer::Undecided | Answer::Unproven, true) => Answer::Valid,
                (Answer::Valid, true) | (_, false) => answer,
            }
        }
    }
}

/// Errors and annotations of an entry point, sorted.
struct Findings {
    errors: Vec<Finding>,
    annotations: Vec<String>,
}

impl Findings {
    fn of<'a>(validator: &Validator, node: impl Node<'a>) -> Findings {
        let mut errors: Vec<Finding> =
            validator.iter_errors(node).map(|error| Finding::from(&error)).collect();
        errors.sort();
        let mut annotations: Vec<String> = validator
            .evaluate(node)
            .annotations()
            .map(|annotation| {
                let place = annotation.instance_path();
                let (by, way) = (annotation.schema_location(), annotation.evaluation_path());
                format!("{place:?} {} {} by {by} through {way:?}", annotation.keyword(), annotation.value())
            })
            .collect();
        annotations.sort();
        Findings { errors, annotations }
    }
}

/// An error, reduced to its comparable parts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    instance_path: String,
    schema_path: String,
    keyword: String,
    message: String,
}

impl Finding {
    fn is(&self, expected: &ExpectedError) -> bool {
        self.instance_path == expected.instance_path
            && self.schema_path == expected.schema_path
            && self.keyword == expected.keyword
            && expected.message.as_ref().is_none_or(|message| *message == self.message)
    }
}

impl From<&ValidationError> for Finding {
    fn from(error: &ValidationError) -> Self {
        Finding {
            instance_path: error.instance_path().to_owned(),
            schema_path: error.schema_path().to_owned(),
            keyword: error.keyword().to_owned(),
            message: error.message(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { instance_path, schema_path, keyword, message } = self;
        write!(f, "{instance_path:?}: {message} ({keyword} at {schema_path:?})")
    }
}

/// Formats errors as text. If values keep numbers as text, a tape has lost how they were written,
/// and messages differ in that.
fn lines(representation: Representation, findings: &[Finding]) -> Vec<String> {
    let written = !(cfg!(feature = "arbitrary_precision") && representation == Representation::Tape);
    let bare = |finding: &Finding| Finding { message: String::new(), ..finding.clone() };
    findings
        .iter()
        .map(|finding| if written { finding.to_string() } else { bare(finding).to_string() })
        .collect()
}

/// Lists what the first list has and the second lacks.
fn difference(these: &[String], those: &[String]) -> String {
    let only: Vec<&str> = these.iter().filter(|line| !those.contains(line)).map(String::as_str).collect();
    if only.is_empty() { "nothing more".to_owned() } else { only.join("; ") }
}
