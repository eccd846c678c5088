//! The validators: how each compiles a schema, and how each validates instances.

use std::fmt::{self, Write};

use serde_json::Value;
use simd_json::Tape;
use stanchion::{Instance, KeptInstance, Reader, References, TapeNode, Verdict};

#[cfg(feature = "corvus")]
use corvus_json_schema as corvus;

/// A validator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Peer {
    Stanchion,
    #[cfg(feature = "corvus")]
    Corvus,
    Jsonschema,
    Boon,
}

impl Peer {
    pub(crate) const ALL: &[Peer] = &[
        Peer::Stanchion,
        #[cfg(feature = "corvus")]
        Peer::Corvus,
        Peer::Jsonschema,
        Peer::Boon,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Peer::Stanchion => "stanchion",
            #[cfg(feature = "corvus")]
            Peer::Corvus => "corvus",
            Peer::Jsonschema => "jsonschema",
            Peer::Boon => "boon",
        }
    }

    pub(crate) fn by_name(name: &str) -> Option<Peer> {
        Peer::ALL.iter().copied().find(|peer| peer.name() == name)
    }

    /// Returns the name with the version that is compared.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Peer::Stanchion => "stanchion",
            #[cfg(feature = "corvus")]
            Peer::Corvus => "corvus-json-schema 0.2",
            Peer::Jsonschema => "jsonschema 0.60",
            Peer::Boon => "boon 0.6",
        }
    }

    /// Compiles a schema, with `format` as an annotation.
    pub(crate) fn compile(self, schema: &Value) -> Result<Compiled, String> {
        match self {
            Peer::Stanchion => {
                let builder = stanchion::Validator::builder().references(References::Bundled);
                let validator = builder.build(schema).map_err(in_short)?;
                Ok(Compiled::Stanchion(Box::new(validator)))
            }
            #[cfg(feature = "corvus")]
            Peer::Corvus => {
                let options = corvus::CompileOptions {
                    assert_format: Some(false),
                    assert_content: false,
                    ..corvus::CompileOptions::default()
                };
                let validator = corvus::compile_with(schema, &options).map_err(in_short)?;
                Ok(Compiled::Corvus(Box::new(validator)))
            }
            Peer::Jsonschema => {
                let options = jsonschema::options().should_validate_formats(false);
                let validator = options.build(schema).map_err(in_short)?;
                Ok(Compiled::Jsonschema(Box::new(validator)))
            }
            Peer::Boon => boon(schema),
        }
    }
}

/// Compiles a schema with boon, which knows schemas by location.
fn boon(schema: &Value) -> Result<Compiled, String> {
    const PLACE: &str = "https://example.com/schema.json";
    let mut compiler = boon::Compiler::new();
    // boon asserts formats in the old drafts, unless they are replaced by others. It always asserts
    // `regex`.
    if schema["$schema"].as_str().is_some_and(|dialect| dialect.contains("/draft-0")) {
        for name in FORMATS {
            compiler.register_format(boon::Format { name, func: |_| Ok(()) });
        }
    }
    let mut schemas = boon::Schemas::new();
    compiler.add_resource(PLACE, schema.clone()).map_err(in_short)?;
    let index = compiler.compile(PLACE, &mut schemas).map_err(in_short)?;
    Ok(Compiled::Boon(Box::new(schemas), index))
}

const FORMATS: [&str; 19] = [
    "ipv4",
    "ipv6",
    "hostname",
    "idn-hostname",
    "email",
    "idn-email",
    "date",
    "time",
    "date-time",
    "duration",
    "period",
    "json-pointer",
    "relative-json-pointer",
    "uuid",
    "uri",
    "iri",
    "uri-reference",
    "iri-reference",
    "uri-template",
];

/// A compiled schema.
pub(crate) enum Compiled {
    Stanchion(Box<stanchion::Validator>),
    #[cfg(feature = "corvus")]
    Corvus(Box<corvus::Validator>),
    Jsonschema(Box<jsonschema::Validator>),
    Boon(Box<boon::Schemas>, boon::SchemaIndex),
}

impl Compiled {
    /// Whether an instance is valid; `None` without a verdict.
    pub(crate) fn verdict(&self, value: &Value) -> Option<bool> {
        match self {
            Compiled::Stanchion(validator) => answer(validator.verdict(value)),
            #[cfg(feature = "corvus")]
            Compiled::Corvus(validator) => validator.try_validate(value).ok(),
            Compiled::Jsonschema(validator) => Some(validator.is_valid(value)),
            Compiled::Boon(schemas, index) => Some(schemas.validate(value, *index).is_ok()),
        }
    }

    /// Returns the verdict on JSON text.
    pub(crate) fn verdict_on_text(&self, text: &str) -> Option<bool> {
        match self {
            Compiled::Stanchion(validator) => validator.verdict_json(text.as_bytes()).ok().and_then(answer),
            #[cfg(feature = "corvus")]
            Compiled::Corvus(validator) => validator.try_validate_json(text).ok(),
            Compiled::Jsonschema(_) | Compiled::Boon(..) => self.verdict(&serde_json::from_str(text).ok()?),
        }
    }

    /// Validates instances, and returns how many are valid.
    pub(crate) fn over_values(&self, values: &[&Value]) -> usize {
        match self {
            Compiled::Stanchion(validator) => {
                values.iter().filter(|value| validator.is_valid(**value)).count()
            }
            #[cfg(feature = "corvus")]
            Compiled::Corvus(validator) => values.iter().filter(|value| validator.is_valid(value)).count(),
            Compiled::Jsonschema(validator) => {
                values.iter().filter(|value| validator.is_valid(value)).count()
            }
            Compiled::Boon(schemas, index) => {
                values.iter().filter(|value| schemas.validate(value, *index).is_ok()).count()
            }
        }
    }

    /// Appends the errors of instances to a text, each with its message and its places in the
    /// instance and in the schema. Returns how many instances have some, or `None` if the validator
    /// does not list errors.
    pub(crate) fn report(&self, report: Report, values: &[&Value], text: &mut String) -> Option<usize> {
        let mut with_errors = 0;
        for value in values {
            text.clear();
            match (self, report) {
                (Compiled::Stanchion(validator), Report::First) => {
                    let error = validator.validate(*value).err();
                    error.iter().for_each(|error| write_ours(text, error));
                }
                (Compiled::Stanchion(validator), Report::All) => {
                    validator.iter_errors(*value).for_each(|error| write_ours(text, &error));
                }
                #[cfg(feature = "corvus")]
                (Compiled::Corvus(_), _) => return None,
                (Compiled::Jsonschema(validator), Report::First) => {
                    let error = validator.validate(value).err();
                    error.iter().for_each(|error| write_theirs(text, error));
                }
                (Compiled::Jsonschema(validator), Report::All) => {
                    validator.iter_errors(value).for_each(|error| write_theirs(text, &error));
                }
                // boon always finds all errors.
                (Compiled::Boon(..), Report::First) => return None,
                (Compiled::Boon(schemas, index), Report::All) => {
                    if let Err(error) = schemas.validate(value, *index) {
                        // Writing to a `String` cannot fail.
                        let _ = write!(text, "{error}");
                    }
                }
            }
            with_errors += usize::from(!text.is_empty());
            std::hint::black_box(&*text);
        }
        Some(with_errors)
    }

    /// Validates JSON texts with a reusable reader, and returns how many are valid.
    pub(crate) fn over_texts(&self, reader: &mut Reader, texts: &[&str]) -> usize {
        match self {
            Compiled::Stanchion(validator) => {
                // corvus-json-schema takes a `str` as well.
                let mut is_valid =
                    |text: &str| reader.parse_str(text).is_ok_and(|read| validator.is_valid(read.root()));
                texts.iter().filter(|text| is_valid(text)).count()
            }
            #[cfg(feature = "corvus")]
            Compiled::Corvus(validator) => {
                texts.iter().filter(|text| matches!(validator.validate_json(text), Ok(true))).count()
            }
            Compiled::Jsonschema(validator) => texts
                .iter()
                .filter(|text| parse(text).is_some_and(|value| validator.is_valid(&value)))
                .count(),
            Compiled::Boon(schemas, index) => {
                let is_valid = |value: Value| schemas.validate(&value, *index).is_ok();
                texts.iter().filter(|text| parse(text).is_some_and(is_valid)).count()
            }
        }
    }

    /// Validates parsed instances, and returns how many are valid; `None` if the validator has no
    /// parsed form of its own.
    pub(crate) fn over_parsed(&self, parsed: &Parsed) -> Option<usize> {
        match self {
            Compiled::Stanchion(validator) => Some(match &parsed.ours {
                Ours::Instances(instances) => {
                    instances.iter().filter(|instance| validator.is_valid(instance.root())).count()
                }
                Ours::Tapes(tapes) => {
                    tapes.iter().filter(|tape| validator.is_valid(TapeNode::from(*tape))).count()
                }
            }),
            #[cfg(feature = "corvus")]
            Compiled::Corvus(validator) => {
                let is_valid = |document: &corvus::JsonDocument| {
                    matches!(validator.validate_instance(document.root()), Ok(true))
                };
                Some(parsed.documents.iter().filter(|document| is_valid(document)).count())
            }
            Compiled::Jsonschema(_) | Compiled::Boon(..) => None,
        }
    }
}

/// The errors to report.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Report {
    First,
    All,
}

fn write_ours(text: &mut String, error: &stanchion::ValidationError) {
    text.push_str(error.schema_path());
    // The place in the instance comes first in a line.
    let _ = writeln!(text, " {error}");
}

fn write_theirs(text: &mut String, error: &jsonschema::ValidationError<'_>) {
    text.push_str(error.schema_path().as_str());
    text.push(' ');
    text.push_str(error.instance_path().as_str());
    let _ = writeln!(text, ": {error}");
}

/// Instances in each validator's own parsed form.
pub(crate) struct Parsed<'a> {
    ours: Ours<'a>,
    #[cfg(feature = "corvus")]
    documents: Vec<corvus::JsonDocument<'a>>,
}

/// Parsed instances for Stanchion.
enum Ours<'a> {
    /// Its own tape.
    Instances(Vec<Instance<'a>>),
    /// Tapes of simd-json.
    Tapes(Vec<Tape<'a>>),
}

impl<'a> Parsed<'a> {
    /// Parses texts for the other validators; ours are already read.
    pub(crate) fn new(texts: &[&'a str], kept: &'a [KeptInstance]) -> Result<Parsed<'a>, String> {
        Parsed::with(Ours::Instances(kept.iter().map(KeptInstance::instance).collect()), texts)
    }

    /// Parses texts; ours with simd-json, which writes into copies of them.
    pub(crate) fn by_simd_json(texts: &[&'a str], copies: &'a mut [Vec<u8>]) -> Result<Parsed<'a>, String> {
        let mut tapes = Vec::new();
        for copy in copies {
            tapes.push(simd_json::to_tape(copy).map_err(|error| format!("simd-json: {error}"))?);
        }
        Parsed::with(Ours::Tapes(tapes), texts)
    }

    #[cfg_attr(
        not(feature = "corvus"),
        expect(unused_variables, clippy::unnecessary_wraps, reason = "only corvus has another form")
    )]
    fn with(ours: Ours<'a>, texts: &[&'a str]) -> Result<Parsed<'a>, String> {
        #[cfg(feature = "corvus")]
        let mut documents = Vec::new();
        #[cfg(feature = "corvus")]
        for text in texts {
            documents.push(corvus::JsonDocument::parse(text).map_err(|error| format!("corvus: {error}"))?);
        }
        Ok(Parsed {
            ours,
            #[cfg(feature = "corvus")]
            documents,
        })
    }
}

/// Reads texts into instances that own their memory.
pub(crate) fn keep(texts: &[&str]) -> Result<Vec<KeptInstance>, String> {
    let mut reader = Reader::new();
    let mut keep = |text: &&str| reader.parse_str(text).map(|read| read.keep());
    texts.iter().map(|text| keep(text).map_err(|error| format!("stanchion: {error}"))).collect()
}

/// Formats an error in one line of bounded length.
fn in_short(error: impl fmt::Display) -> String {
    const MOST: usize = 300;
    let text = format!("{error:#}");
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MOST { line } else { line.chars().take(MOST).chain(['…']).collect() }
}

fn parse(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

fn answer(verdict: Verdict) -> Option<bool> {
    match verdict {
        Verdict::Valid => Some(true),
        Verdict::Invalid => Some(false),
        Verdict::Undecided(_) => None,
    }
}
