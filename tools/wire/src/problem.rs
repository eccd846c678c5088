//! [`Problem`]: why a validator was not made, and what a diagnosis says of a schema.

use crate::json::{self, JsonText, NotJson};
use crate::status::Status;
use serde_json::Value;
use stanchion::{
    Diagnosis, SchemaError, SchemaErrorKind, SchemaWarning, SchemaWarningKind, ValidatorBuilder,
};
use stanchion_mcp::{Profile, Reason, Refusal};

/// Why something was not made: a schema or options that were refused.
#[derive(Debug)]
pub struct Problem {
    status: Status,
    json: Vec<u8>,
}

impl Problem {
    /// [`Status::Refused`], [`Status::NotJson`] or [`Status::Misuse`].
    pub fn status(&self) -> Status {
        self.status
    }

    /// The problem as JSON: `{"status", "message", "errors"}`.
    pub fn json(&self) -> &[u8] {
        &self.json
    }

    /// The problem as JSON, taken out.
    pub fn into_json(self) -> Vec<u8> {
        self.json
    }

    fn new(status: Status, message: &str, rest: impl FnOnce(&mut JsonText)) -> Problem {
        let mut json = JsonText::new();
        json.object(|json| {
            json.name("status").string(status.name());
            json.name("message").string(message);
            rest(json);
        });
        Problem { status, json: json.into_bytes() }
    }

    /// The call is wrong.
    pub(crate) fn misuse(message: String) -> Problem {
        Problem::new(Status::Misuse, &message, |json| json.name("errors").array(|_| {}))
    }

    /// A list of tools was not read: its failure has a message.
    pub(crate) fn list(status: Status, failure: &[u8]) -> Problem {
        let failure: Value = serde_json::from_slice(failure).unwrap_or_default();
        let message = failure["message"].as_str().unwrap_or("not a list of tools");
        let message = message.strip_prefix("list: ").unwrap_or(message);
        Problem::new(status, &format!("list: {message}"), |json| json.name("errors").array(|_| {}))
    }

    /// A text is not JSON.
    pub(crate) fn not_json(what: &str, error: NotJson) -> Problem {
        Problem::new(Status::NotJson, &format!("{what}: {}", error.message), |json| {
            json.name("errors").array(|_| {});
            json.name("line").number(error.line as u64);
            json.name("column").number(error.column as u64);
        })
    }

    /// The schema was refused: for its first error, and for all others that a diagnosis finds.
    pub fn refused(error: &SchemaError, builder: &ValidatorBuilder, schema: &Value) -> Problem {
        let diagnosis = builder.diagnose(schema);
        let all = match diagnosis.errors() {
            [] => std::slice::from_ref(error),
            all => all,
        };
        let first = all.first().unwrap_or(error);
        Problem::schema(&first.to_string(), all)
    }

    fn schema(message: &str, errors: &[SchemaError]) -> Problem {
        Problem::new(Status::Refused, message, |json| {
            json.name("errors").array(|json| errors.iter().for_each(|error| schema_error(json, error)));
        })
    }

    /// The schema was refused by the profile of an SDK, in its words.
    pub(crate) fn refusal(refusal: &Refusal, profile: &Profile, schema: &Value) -> Problem {
        let message = refusal.to_string();
        let (kind, uri) = match refusal.reason() {
            Reason::Schema(error) => {
                let diagnosis = profile.diagnose(schema);
                // The profile may refuse what the engine takes.
                return match diagnosis.errors() {
                    [] => Problem::schema(&message, std::slice::from_ref(error)),
                    all => Problem::schema(&message, all),
                };
            }
            Reason::Dialect { dialect } => ("dialect", Some(dialect.uri())),
            Reason::Bounds(_) => ("limit", None),
            Reason::Text { .. }
            | Reason::Root { .. }
            | Reason::Type { .. }
            | Reason::Envelope(_)
            | Reason::Header(_)
            | Reason::Subset { .. }
            | _ => ("other", None),
        };
        // An error has its place beside its message.
        let bare = message.strip_prefix(refusal.path()).and_then(|rest| rest.strip_prefix(": "));
        Problem::new(Status::Refused, &message, |json| {
            json.name("errors").array(|json| {
                json.object(|json| {
                    json.name("schemaPath").string(&place("", refusal.path()));
                    json.name("keyword").string(keyword(refusal.path()));
                    json.name("kind").string(kind);
                    json.name("params").object(|json| {
                        if let Some(uri) = uri {
                            json.name("uri").string(uri);
                        }
                    });
                    json.name("message").string(bare.unwrap_or(&message));
                });
            });
        })
    }
}

/// A text that has to be UTF-8.
pub(crate) fn utf8<'t>(what: &str, text: &'t [u8]) -> Result<&'t str, Problem> {
    std::str::from_utf8(text).map_err(|error| {
        let (line, column) = json::place(text, error.valid_up_to());
        let message = format!("not UTF-8 at line {line} column {column}");
        Problem::not_json(what, NotJson { message, line, column })
    })
}

/// Writes a diagnosis: `{"errors", "warnings", "isCut"}`.
pub(crate) fn diagnosis(json: &mut JsonText, diagnosis: &Diagnosis) {
    json.object(|json| {
        let (errors, warnings) = (diagnosis.errors(), diagnosis.warnings());
        json.name("errors").array(|json| errors.iter().for_each(|error| schema_error(json, error)));
        json.name("warnings").array(|json| warnings.iter().for_each(|warning| schema_warning(json, warning)));
        json.name("isCut").bool(diagnosis.is_cut());
    });
}

/// The place of something in a schema: `#/…`, or with the URI of a resource before it.
fn place(document: &str, path: &str) -> String {
    [document, "#", path].concat()
}

/// The last step of a pointer that is the name of a keyword; where it is an index, the one before.
fn keyword(path: &str) -> &str {
    let mut steps = path.rsplit('/').filter(|step| !step.bytes().all(|byte| byte.is_ascii_digit()));
    steps.next().unwrap_or_default()
}

fn schema_error(json: &mut JsonText, error: &SchemaError) {
    json.object(|json| {
        json.name("schemaPath").string(&place(error.document(), error.path()));
        json.name("keyword").string(keyword(error.path()));
        let (kind, params) = kind(error.kind());
        json.name("kind").string(kind);
        json.name("params").object(|json| params.write(json));
        json.name("message").string(&error.message());
    });
}

/// Facts with their names.
struct Params<'e> {
    texts: Vec<(&'static str, Option<&'e str>)>,
    counts: Vec<(&'static str, u64)>,
}

impl Params<'_> {
    fn write(&self, json: &mut JsonText) {
        for (name, text) in &self.texts {
            if let Some(text) = text {
                json.name(name).string(text);
            }
        }
        for (name, count) in &self.counts {
            json.name(name).number(*count);
        }
    }
}

fn kind(kind: &SchemaErrorKind) -> (&'static str, Params<'_>) {
    let mut counts = Vec::new();
    let (name, texts) = match kind {
        SchemaErrorKind::Expected { wanted, found, suggestion } => (
            "expected",
            vec![("wanted", Some(&**wanted)), ("found", Some(found)), ("suggestion", suggestion.as_deref())],
        ),
        SchemaErrorKind::Outside { reference } => ("outside", vec![("reference", Some(&**reference))]),
        SchemaErrorKind::Unresolved { reference, why, suggestion } => (
            "unresolved",
            vec![
                ("reference", Some(&**reference)),
                ("why", Some(why)),
                ("suggestion", suggestion.as_deref()),
            ],
        ),
        SchemaErrorKind::Ring { reference } => ("ring", vec![("reference", Some(&**reference))]),
        SchemaErrorKind::Pattern { pattern, why } => {
            ("pattern", vec![("pattern", Some(&**pattern)), ("why", Some(why))])
        }
        SchemaErrorKind::Dialect { uri } => ("dialect", vec![("uri", Some(&**uri))]),
        SchemaErrorKind::Vocabulary { uri } => ("vocabulary", vec![("uri", Some(&**uri))]),
        SchemaErrorKind::Exponent => ("exponent", Vec::new()),
        SchemaErrorKind::Duplicate { what, name } => {
            ("duplicate", vec![("what", Some(*what)), ("name", Some(name))])
        }
        SchemaErrorKind::Limit { what, limit, name, found, .. } => {
            counts = vec![("limit", *limit), ("count", *found)];
            ("limit", vec![("what", Some(*what)), ("name", Some(name))])
        }
        SchemaErrorKind::ResourcesNotUsed { uri } => ("resource", vec![("uri", Some(&**uri))]),
        _ => ("other", Vec::new()),
    };
    (name, Params { texts, counts })
}

fn schema_warning(json: &mut JsonText, warning: &SchemaWarning) {
    json.object(|json| {
        json.name("schemaPath").string(&place(warning.document(), warning.path()));
        json.name("keyword").string(keyword(warning.path()));
        let (kind, texts) = match warning.kind() {
            SchemaWarningKind::MisspeltKeyword { name, suggestion } => {
                ("misspelled_keyword", vec![("name", Some(&**name)), ("suggestion", Some(&**suggestion))])
            }
            SchemaWarningKind::OtherDialect { name, dialect } => {
                ("other_dialect", vec![("name", Some(&**name)), ("dialect", Some(dialect.uri()))])
            }
            SchemaWarningKind::HiddenByReference { name, dialect } => {
                ("hidden_by_reference", vec![("name", Some(&**name)), ("dialect", Some(dialect.uri()))])
            }
            SchemaWarningKind::UnknownFormat { name, suggestion } => {
                ("unknown_format", vec![("name", Some(&**name)), ("suggestion", suggestion.as_deref())])
            }
            _ => ("other", Vec::new()),
        };
        json.name("kind").string(kind);
        json.name("params").object(|json| Params { texts, counts: Vec::new() }.write(json));
        json.name("message").string(&warning.message());
    });
}
