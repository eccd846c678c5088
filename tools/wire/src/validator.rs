//! [`Validator`]: a compiled schema that takes and gives text.

use crate::cache::Key;
use crate::encoded;
use crate::errors::{self, Detail};
use crate::json::{self, JsonText};
use crate::options::{Options, Wording};
use crate::problem::{self, Problem};
use crate::reader;
use crate::status::Status;
use serde_json::Value;
use stanchion::{Growth, Messages, TextError, ValidationError, Verdict};
use std::sync::Arc;

/// What a call answers: a status, and JSON or text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What became of the call.
    pub status: Status,
    /// JSON, except where the operation gives plain text.
    pub text: Vec<u8>,
}

impl Answer {
    pub(crate) fn new(status: Status, json: JsonText) -> Answer {
        Answer { status, text: json.into_bytes() }
    }
}

impl From<Problem> for Answer {
    fn from(problem: Problem) -> Answer {
        Answer { status: problem.status(), text: problem.into_json() }
    }
}

/// The output formats of the specification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Output {
    /// The verdict alone.
    Flag = 0,
    /// A flat list of errors or annotations.
    Basic = 1,
    /// A tree of errors or annotations, without the units that say nothing.
    Detailed = 2,
    /// The whole tree.
    Verbose = 3,
    /// Every subschema that was applied, with its errors or annotations.
    List = 4,
    /// Every subschema as a tree.
    Hierarchical = 5,
}

impl Output {
    /// Every format, in the order of the numbers.
    pub const ALL: [Output; 6] =
        [Output::Flag, Output::Basic, Output::Detailed, Output::Verbose, Output::List, Output::Hierarchical];

    /// The name as the specification has it.
    pub const fn name(self) -> &'static str {
        match self {
            Output::Flag => "flag",
            Output::Basic => "basic",
            Output::Detailed => "detailed",
            Output::Verbose => "verbose",
            Output::List => "list",
            Output::Hierarchical => "hierarchical",
        }
    }

    /// The format with that number.
    pub fn from_number(number: u32) -> Option<Output> {
        Output::ALL.into_iter().find(|output| *output as u32 == number)
    }
}

/// A compiled schema: immutable, cheap to clone, shared between threads.
///
/// ```
/// use stanchion_wire::{Status, Validator};
///
/// let validator = Validator::new(br#"{"properties": {"days": {"minimum": 1}}}"#, b"").unwrap();
/// assert_eq!(validator.check(br#"{"days": 3}"#), Status::Valid);
///
/// let answer = validator.explain(br#"{"days": 0}"#);
/// assert_eq!(answer.status, Status::Invalid);
/// assert_eq!(String::from_utf8(answer.text).unwrap(), concat!(
///     r##"[{"instancePath":"/days","schemaPath":"#/properties/days/minimum","keyword":"minimum","##,
///     r#""params":{"comparison":">=","limit":1,"found":"0"},"message":"0 is less than the minimum 1"}]"#,
/// ));
/// ```
#[derive(Clone, Debug)]
pub struct Validator(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    validator: stanchion::Validator,
    wording: Wording,
    text_bytes: usize,
}

impl Validator {
    /// Compiles a schema, or takes it from the cache. Both arguments are JSON text; empty options stand for none.
    ///
    /// # Errors
    ///
    /// [`Status::Refused`] if the schema is refused, [`Status::NotJson`] if a text is not JSON, [`Status::Misuse`] if there
    /// is something wrong with the options.
    pub fn new(schema: &[u8], options: &[u8]) -> Result<Validator, Problem> {
        let key = Key::new(schema, options);
        if let Some(kept) = key.and_then(Key::get) {
            return Ok(kept);
        }
        let options = Options::parse(options)?;
        let schema = json::parse(schema).map_err(|error| Problem::not_json("schema", error))?;
        let validator = Validator::build(&schema, &options)?;
        if let Some(key) = key.filter(|_| options.cache) {
            key.keep(&validator);
        }
        Ok(validator)
    }

    /// Compiles a schema that a binding has read already. It neither comes from the cache nor is kept there.
    ///
    /// # Errors
    ///
    /// [`Status::Refused`] if the schema is refused.
    pub fn build(schema: &Value, options: &Options) -> Result<Validator, Problem> {
        Ok(Validator::from_engine(options.build(schema)?, options))
    }

    /// Reads the text of a schema, as [`Validator::new`] does.
    ///
    /// # Errors
    ///
    /// [`Status::NotJson`] if the text is not JSON, or is nested too deep.
    pub fn read_schema(text: &[u8]) -> Result<Value, Problem> {
        json::parse(text).map_err(|error| Problem::not_json("schema", error))
    }

    /// A validator of the engine, which reports errors as the options say.
    pub fn from_engine(validator: stanchion::Validator, options: &Options) -> Validator {
        let (wording, text_bytes) = (options.wording.clone(), options.text_bytes);
        Validator(Arc::new(Inner { validator, wording, text_bytes }))
    }

    /// All that is wrong with a schema, and what it probably did not mean: `{"errors", "warnings", "isCut"}`.
    pub fn diagnose(schema: &[u8], options: &[u8]) -> Answer {
        let read = || {
            let options = Options::parse(options)?;
            Ok::<_, Problem>((Validator::read_schema(schema)?, options))
        };
        match read() {
            Ok((schema, options)) => Validator::diagnose_value(&schema, &options),
            Err(problem) => problem.into(),
        }
    }

    /// Like [`Validator::diagnose`], for a schema that a binding has read already.
    pub fn diagnose_value(schema: &Value, options: &Options) -> Answer {
        let diagnosis = options.builder.diagnose(schema);
        let status = if diagnosis.errors().is_empty() { Status::Valid } else { Status::Refused };
        let mut json = JsonText::new();
        problem::diagnosis(&mut json, &diagnosis);
        Answer::new(status, json)
    }

    /// The engine's validator.
    pub fn engine(&self) -> &stanchion::Validator {
        &self.0.validator
    }

    /// How errors are put into words.
    pub fn messages(&self) -> &Messages {
        &self.0.wording.messages
    }

    /// An error as JSON, like one of those of [`Validator::explain_in_full`].
    pub fn error_json(&self, error: &ValidationError) -> Vec<u8> {
        let mut json = JsonText::new();
        errors::error(&mut json, error, &self.0.wording, Detail::Full);
        json.into_bytes()
    }

    /// The verdict on an instance.
    #[inline]
    pub fn check(&self, text: &[u8]) -> Status {
        let Inner { validator, text_bytes, .. } = &*self.0;
        match reader::read(text, *text_bytes, |instance| validator.verdict(instance.root())) {
            Ok(verdict) => verdict.into(),
            Err(_) => Status::NotJson,
        }
    }

    /// The verdict on an instance that is encoded for a [`stanchion::Decoder`]: words of four bytes, and the texts that they tell the lengths of.
    /// The option `textBytes` bounds both together. What is no encoding is [`Status::NotJson`].
    #[inline]
    pub fn check_encoded(&self, words: &[u8], text: &[u8]) -> Status {
        let Inner { validator, text_bytes, .. } = &*self.0;
        if words.len().saturating_add(text.len()) > *text_bytes {
            return Status::NotJson;
        }
        encoded::read(words, text, |instance| validator.verdict(instance.root()).into())
    }

    /// The verdict on an instance, and the steps that it took.
    pub fn measure(&self, text: &[u8]) -> (Status, u64) {
        let Inner { validator, text_bytes, .. } = &*self.0;
        match reader::read(text, *text_bytes, |instance| validator.measure(instance.root())) {
            Ok(measured) => (measured.verdict.into(), measured.steps),
            Err(_) => (Status::NotJson, 0),
        }
    }

    /// All errors, as a list with the members that users of Ajv know. The list is empty if the instance is valid.
    pub fn explain(&self, text: &[u8]) -> Answer {
        self.errors(text, Detail::Usual)
    }

    /// All errors, each also with `evaluationPath`, `absoluteLocation`, and where it is one of a branch with `union`.
    pub fn explain_in_full(&self, text: &[u8]) -> Answer {
        self.errors(text, Detail::Full)
    }

    fn errors(&self, text: &[u8], detail: Detail) -> Answer {
        let Inner { validator, wording, text_bytes } = &*self.0;
        let mut json = JsonText::new();
        let status = match reader::read(text, *text_bytes, |instance| validator.iter_errors(instance.root()))
        {
            Ok(errors) => {
                errors::list(&mut json, &errors, wording, detail);
                status_of(&errors)
            }
            Err(error) => refuse(&mut json, &error),
        };
        Answer::new(status, json)
    }

    /// The most helpful error, as a list of one. The list is empty if the instance is valid.
    pub fn explain_first(&self, text: &[u8]) -> Answer {
        let Inner { validator, wording, text_bytes } = &*self.0;
        let mut json = JsonText::new();
        let status = match reader::read(text, *text_bytes, |instance| validator.validate(instance.root())) {
            Ok(Ok(())) => {
                json.array(|_| {});
                Status::Valid
            }
            Ok(Err(error)) => {
                json.array(|json| errors::error(json, &error, wording, Detail::Usual));
                if error.exhausted().is_some() { Status::Undecided } else { Status::Invalid }
            }
            Err(error) => refuse(&mut json, &error),
        };
        Answer::new(status, json)
    }

    /// A text for a language model, of at most so many characters: what is wrong, and what would be right. Plain text, empty
    /// if the instance is valid.
    pub fn for_model(&self, text: &[u8], max_chars: usize) -> Answer {
        let Inner { validator, wording, text_bytes } = &*self.0;
        match reader::read(text, *text_bytes, |instance| validator.iter_errors(instance.root())) {
            Ok(errors) => {
                let status = status_of(&errors);
                let text = wording.messages.for_model(&errors, max_chars);
                Answer { status, text: text.into_bytes() }
            }
            Err(error) => {
                let text: String = format!("not JSON: {error}").chars().take(max_chars).collect();
                Answer { status: Status::NotJson, text: text.into_bytes() }
            }
        }
    }

    /// An output format of the specification.
    pub fn output(&self, text: &[u8], output: Output) -> Answer {
        let Inner { validator, text_bytes, .. } = &*self.0;
        let mut json = JsonText::new();
        let evaluation = reader::read(text, *text_bytes, |instance| validator.evaluate(instance.root()));
        let status = match evaluation {
            Ok(evaluation) => {
                json.value(&match output {
                    Output::Flag => evaluation.flag(),
                    Output::Basic => evaluation.basic(),
                    Output::Detailed => evaluation.detailed(),
                    Output::Verbose => evaluation.verbose(),
                    Output::List => evaluation.list(),
                    Output::Hierarchical => evaluation.hierarchical(),
                });
                evaluation.verdict().into()
            }
            Err(error) => refuse(&mut json, &error),
        };
        Answer::new(status, json)
    }

    /// What the keywords that held say about an instance: a list of `{"instancePath", "schemaPath", "keyword",
    /// "absoluteLocation", "evaluationPath", "value"}`. The list is empty if the instance is not valid.
    pub fn annotations(&self, text: &[u8]) -> Answer {
        let Inner { validator, text_bytes, .. } = &*self.0;
        let mut json = JsonText::new();
        let evaluation = reader::read(text, *text_bytes, |instance| validator.evaluate(instance.root()));
        let status = match evaluation {
            Ok(evaluation) => {
                json.array(|json| {
                    for annotation in evaluation.annotations() {
                        json.object(|json| {
                            json.name("instancePath").string(annotation.instance_path());
                            json.name("schemaPath").string(&["#", annotation.schema_path()].concat());
                            json.name("keyword").string(annotation.keyword());
                            json.name("absoluteLocation").string(annotation.schema_location());
                            json.name("evaluationPath").string(annotation.evaluation_path());
                            json.name("value").value(annotation.value());
                        });
                    }
                });
                evaluation.verdict().into()
            }
            Err(error) => refuse(&mut json, &error),
        };
        Answer::new(status, json)
    }

    /// A bound on the steps of a verdict on any instance of so many values in so many bytes of text, and the ten places in
    /// the schema that it comes from: `{"growth", "steps", "limit", "places"}`. `steps` is `null` where nothing bounds them.
    pub fn cost(&self, nodes: u64, bytes: u64) -> Answer {
        const PLACES: usize = 10;
        let validator = &self.0.validator;
        let cost = validator.cost();
        let steps = |json: &mut JsonText, steps: u64| match steps {
            u64::MAX => json.raw("null"),
            steps => json.number(steps),
        };
        let mut json = JsonText::new();
        json.object(|json| {
            json.name("growth").string(match cost.growth() {
                Growth::Constant => "constant",
                Growth::Linear => "linear",
                Growth::Polynomial => "polynomial",
                Growth::Exponential => "exponential",
            });
            steps(json.name("steps"), cost.steps(nodes, bytes));
            json.name("places").array(|json| {
                for place in validator.cost_by_place(nodes, bytes).iter().take(PLACES) {
                    json.object(|json| {
                        json.name("schemaPath").string(&[&place.document, "#", &place.pointer].concat());
                        json.name("keyword").optional(place.keyword.as_deref());
                        steps(json.name("steps"), place.steps);
                    });
                }
            });
        });
        Answer::new(Status::Valid, json)
    }

    /// What the schema was compiled to: a listing, as plain text.
    pub fn program(&self) -> Answer {
        Answer { status: Status::Valid, text: self.0.validator.program().to_string().into_bytes() }
    }

    /// How large the schema is, counted as limits count it: `{"depth", "subschemas", "documentBytes", "patternSize",
    /// "patterns", "references"}`.
    pub fn size(&self) -> Answer {
        let size = self.0.validator.program().size();
        let mut json = JsonText::new();
        json.object(|json| {
            json.name("depth").number(size.depth as u64);
            json.name("subschemas").number(size.subschemas as u64);
            json.name("documentBytes").number(size.document_bytes as u64);
            json.name("patternSize").number(size.pattern_size);
            json.name("patterns").number(size.patterns as u64);
            json.name("references").number(size.references as u64);
        });
        Answer::new(Status::Valid, json)
    }
}

/// Writes the list for a text that is not JSON.
fn refuse(json: &mut JsonText, error: &TextError) -> Status {
    errors::not_json(json, error);
    Status::NotJson
}

/// The status that errors stand for. An instance is undecided if all that is known is that the run ended.
fn status_of(errors: &stanchion::Errors) -> Status {
    match errors.as_slice() {
        [] => Verdict::Valid.into(),
        [only] if only.exhausted().is_some() => Status::Undecided,
        _ => Status::Invalid,
    }
}
