//! `stanchion bowtie`: the harness of the Bowtie project, which compares JSON Schema implementations.
//!
//! Bowtie asks on standard input and reads answers from standard output, a JSON object on each line:
//!
//! ```text
//! {"cmd": "start", "version": 1}           → {"version": 1, "implementation": {…}}
//! {"cmd": "dialect", "dialect": "http…"}   → {"ok": true}
//! {"cmd": "run", "seq": 1, "case": {…}}    → {"seq": 1, "results": [{"valid": true}, …]}
//! {"cmd": "stop"}
//! ```
//!
//! A refused schema or an undecided instance is `errored`, with the reason: any verdict would be
//! wrong.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::error::Error;
use std::io::{self, BufRead, ErrorKind, Read, Write};
use std::thread;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use stanchion::{
    Annotation, Dialect, Evaluation, Limits, Reader, References, Validator, ValidatorBuilder, Verdict,
};
use stanchion_vocab::pointer;

use crate::Outcome;
use crate::settings::{self, Limit};

/// The version of the protocol.
const VERSION: u64 = 1;

/// Longest request in bytes. A case of the official suite with all its resources takes some hundred
/// kilobytes.
const MAX_REQUEST_BYTES: u64 = 256 << 20;

/// Answer requests of Bowtie, which compares JSON Schema implementations
///
/// Reads a JSON object from each line of standard input and answers on standard output: `start`,
/// `dialect`, `run` and `stop`, with flag and annotation output. The registry of a case is
/// registered; nothing is fetched. Exits with 0 after `stop` or at the end of input, with 2 if a
/// request is malformed.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Make `format` an assertion, not only an annotation
    #[arg(long)]
    assert_formats: bool,

    /// Limits other than the defaults, by name, as for `check`
    #[arg(long, value_name = "NAME=N", value_delimiter = ',', value_parser = settings::parse_limit)]
    limits: Vec<Limit>,

    /// The homepage of this implementation, for Bowtie's reports
    #[arg(long, value_name = "URL", default_value = env!("CARGO_PKG_HOMEPAGE"), hide_default_value = true)]
    homepage: String,

    /// The address for bug reports
    #[arg(long, value_name = "URL", default_value = "", hide_default_value = true)]
    issues: String,

    /// The address of the source code
    #[arg(long, value_name = "URL", default_value = env!("CARGO_PKG_REPOSITORY"), hide_default_value = true)]
    source: String,
}

/// A request: the command and its arguments. The case is parsed only when it runs, so that a
/// malformed case is answered as such.
#[derive(Deserialize)]
struct Request<'r> {
    cmd: Cow<'r, str>,
    version: Option<u64>,
    dialect: Option<Cow<'r, str>>,
    /// Bowtie's identifier of the case.
    #[serde(borrow)]
    seq: Option<&'r RawValue>,
    #[serde(borrow)]
    case: Option<&'r RawValue>,
    #[serde(default)]
    output: Output,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Output {
    #[default]
    Flag,
    Annotations,
}

/// A schema and its instances. Instances stay text: a number may have more digits than a value
/// keeps.
#[derive(Deserialize)]
struct Case<'r> {
    schema: Value,
    #[serde(default)]
    registry: Option<BTreeMap<String, Value>>,
    #[serde(borrow)]
    tests: Vec<Test<'r>>,
}

#[derive(Deserialize)]
struct Test<'r> {
    #[serde(borrow)]
    instance: &'r RawValue,
}

#[derive(Serialize)]
struct Started<'a> {
    version: u64,
    implementation: Implementation<'a>,
}

/// Description of this implementation for Bowtie's reports. Bowtie wants all three addresses;
/// unknown ones are left out.
#[derive(Serialize)]
struct Implementation<'a> {
    language: &'a str,
    name: &'a str,
    version: &'a str,
    dialects: Vec<String>,
    #[serde(skip_serializing_if = "str::is_empty")]
    homepage: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    issues: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    source: &'a str,
}

#[derive(Serialize)]
struct Answer<'r> {
    seq: &'r RawValue,
    #[serde(flatten)]
    outcome: CaseOutcome,
}

#[derive(Serialize)]
#[serde(untagged)]
enum CaseOutcome {
    Ran { results: Vec<TestOutcome> },
    Errored(Errored),
}

#[derive(Serialize)]
#[serde(untagged)]
enum TestOutcome {
    Flag { valid: bool },
    Annotations { valid: bool, annotations: Vec<Note> },
    Errored(Errored),
}

#[derive(Serialize)]
struct Errored {
    errored: bool,
    context: Context,
}

#[derive(Serialize)]
struct Context {
    message: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Note {
    keyword: String,
    instance_location: String,
    keyword_location: String,
    annotation: Value,
}

/// Returns the URI of a dialect's metaschema as Bowtie writes it: with an empty fragment up to draft-07.
fn metaschema(dialect: Dialect) -> String {
    let fragment = if dialect <= Dialect::Draft07 { "#" } else { "" };
    format!("{}{fragment}", dialect.uri())
}

/// Runs the command, with a stack for the requested depth.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Box<dyn Error>> {
    let bounds = settings::bounds(&arguments.limits);
    let harness =
        Harness { arguments, limits: bounds.limits, dialect: Dialect::default(), is_started: false };
    thread::scope(|scope| {
        let thread = thread::Builder::new().stack_size(bounds.stack_bytes());
        let answering =
            thread.spawn_scoped(scope, || converse(harness).map_err(|error| error.to_string()))?;
        let ended = answering.join().map_err(|_| "the harness panicked")?;
        Ok(ended.map(|()| Outcome::Good)?)
    })
}

/// Answers requests until there are no more.
fn converse(mut harness: Harness<'_>) -> Result<(), Box<dyn Error>> {
    let mut input = io::stdin().lock();
    let mut line = Vec::new();
    for number in 1u64.. {
        line.clear();
        input.by_ref().take(MAX_REQUEST_BYTES).read_until(b'\n', &mut line)?;
        if line.is_empty() {
            break;
        }
        if line.len() as u64 == MAX_REQUEST_BYTES {
            return Err(format!("request {number}: expected less than {MAX_REQUEST_BYTES} bytes").into());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        let answer = harness.answer(&line).map_err(|error| format!("request {number}: {error}"))?;
        let Some(answer) = answer else { break };
        if !send(&answer)? {
            break;
        }
    }
    Ok(())
}

/// Writes an answer; returns false if the output is closed.
fn send(answer: &str) -> io::Result<bool> {
    let mut output = io::stdout().lock();
    match writeln!(output, "{answer}").and_then(|()| output.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error),
    }
}

struct Harness<'a> {
    arguments: &'a Arguments,
    limits: Limits,
    /// The dialect of schemas that declare none.
    dialect: Dialect,
    is_started: bool,
}

impl Harness<'_> {
    /// Returns the answer to a request, as JSON; `None` to `stop`.
    fn answer(&mut self, request: &[u8]) -> Result<Option<String>, Box<dyn Error>> {
        let Request { cmd, version, dialect, seq, case, output } = serde_json::from_slice(request)?;
        if !self.is_started && cmd != "start" {
            return Err(format!("expected `start` first, found `{cmd}`").into());
        }
        Ok(Some(match (&*cmd, version, dialect, seq, case) {
            ("start", Some(VERSION), ..) => {
                self.is_started = true;
                serde_json::to_string(&Started { version: VERSION, implementation: self.implementation() })?
            }
            ("start", version, ..) => {
                let found = version.map_or("none".to_owned(), |version| version.to_string());
                return Err(format!("expected version {VERSION} of the protocol, found {found}").into());
            }
            ("dialect", _, Some(dialect), ..) => {
                let known = Dialect::from_uri(&dialect);
                self.dialect = known.unwrap_or(self.dialect);
                serde_json::to_string(&BTreeMap::from([("ok", known.is_some())]))?
            }
            ("run", _, _, Some(seq), Some(case)) => {
                serde_json::to_string(&Answer { seq, outcome: self.run(case, output) })?
            }
            ("stop", ..) => return Ok(None),
            ("dialect", ..) => return Err("expected `dialect` with a `dialect`".into()),
            ("run", ..) => return Err("expected `run` with a `seq` and a `case`".into()),
            (unknown, ..) => {
                return Err(format!("expected start, dialect, run or stop, found `{unknown}`").into());
            }
        }))
    }

    fn implementation(&self) -> Implementation<'_> {
        Implementation {
            language: "rust",
            name: "stanchion",
            version: env!("CARGO_PKG_VERSION"),
            dialects: Dialect::ALL.into_iter().rev().map(metaschema).collect(),
            homepage: &self.arguments.homepage,
            issues: &self.arguments.issues,
            source: &self.arguments.source,
        }
    }

    /// Compiles the schema of a case and validates all instances.
    fn run(&self, case: &RawValue, output: Output) -> CaseOutcome {
        let case: Case<'_> = match serde_json::from_str(case.get()) {
            Ok(case) => case,
            Err(error) => return CaseOutcome::Errored(errored(&error)),
        };
        match self.builder(&case).build(&case.schema) {
            Ok(validator) => {
                let mut reader = Reader::new();
                let tests = case.tests.iter();
                let results = tests.map(|test| ask(&validator, &mut reader, test.instance, output)).collect();
                CaseOutcome::Ran { results }
            }
            Err(error) => CaseOutcome::Errored(errored(&error)),
        }
    }

    fn builder(&self, case: &Case<'_>) -> ValidatorBuilder {
        let builder = Validator::builder()
            .dialect(self.dialect)
            .references(References::Bundled)
            .limits(self.limits)
            .assert_formats(self.arguments.assert_formats);
        let registry = case.registry.iter().flatten();
        registry.fold(builder, |builder, (uri, document)| builder.resource(uri, document))
    }
}

/// Validates one instance.
fn ask(validator: &Validator, reader: &mut Reader, instance: &RawValue, output: Output) -> TestOutcome {
    let parsed = match reader.parse(instance.get().as_bytes()) {
        Ok(parsed) => parsed,
        Err(error) => return TestOutcome::Errored(errored(&error)),
    };
    match output {
        Output::Flag => flag(validator.verdict(parsed.root())),
        Output::Annotations => annotations(&validator.evaluate(parsed.root())),
    }
}

fn flag(verdict: Verdict) -> TestOutcome {
    match verdict {
        Verdict::Valid => TestOutcome::Flag { valid: true },
        Verdict::Invalid => TestOutcome::Flag { valid: false },
        Verdict::Undecided(exhausted) => TestOutcome::Errored(errored(&exhausted)),
    }
}

fn annotations(evaluation: &Evaluation) -> TestOutcome {
    match evaluation.verdict() {
        Verdict::Valid if evaluation.is_cut() => {
            TestOutcome::Errored(errored(&"there are more annotations than the limits allow"))
        }
        Verdict::Valid => TestOutcome::Annotations {
            valid: true,
            annotations: evaluation.annotations().map(note).collect(),
        },
        Verdict::Invalid => TestOutcome::Annotations { valid: false, annotations: Vec::new() },
        Verdict::Undecided(exhausted) => TestOutcome::Errored(errored(&exhausted)),
    }
}

/// Converts an annotation to Bowtie's form: by the place of its keyword, as a fragment of a URI.
fn note(annotation: &Annotation) -> Note {
    let mut place = annotation.schema_path().to_owned();
    pointer::push(&mut place, annotation.keyword());
    Note {
        keyword: annotation.keyword().to_owned(),
        instance_location: annotation.instance_path().to_owned(),
        keyword_location: pointer::to_fragment(&place),
        annotation: annotation.value().clone(),
    }
}

fn errored(error: &dyn std::fmt::Display) -> Errored {
    Errored { errored: true, context: Context { message: error.to_string() } }
}
