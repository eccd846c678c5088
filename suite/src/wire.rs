//! What every binding of another language runs: calls with what they answer.
//!
//! A binding takes and gives text, so its cases are calls in a row. They come from three places: the files of `data/wire`, which
//! pin answers to the byte; the official suite; and the schemas of [`crate::hostile`]. A [`Binding`] is whatever makes the calls: the
//! crate `stanchion-wire` itself, or a wasm module under an interpreter. Bindings that are not written in Rust get the calls as a
//! [script](encode).
//!
//! # The files
//!
//! A file is an array of cases. A case is a schema with options, what becomes of it, and calls:
//!
//! ```json
//! {
//!     "description": "a bound from below",
//!     "schema": {"minimum": 1},
//!     "options": {"limits": {"steps": 1000}},
//!     "status": "valid",
//!     "calls": [
//!         {"call": "check", "json": 1, "status": "valid"},
//!         {"call": "for_model", "text": "0", "maxChars": 100, "status": "invalid", "answerText": "/: 0 is less than the minimum 1"}
//!     ]
//! }
//! ```
//!
//! | member | meaning |
//! |---|---|
//! | `schema`, `options`, `json` | a value, to be given as its text |
//! | `schemaText`, `optionsText`, `text` | the text itself, where that matters |
//! | `problem` | the JSON that says why there is no validator |
//! | `answer`, `answerText` | the answer, as JSON or as plain text |
//! | `answerHas` | members that the answer has, among others |
//! | `maxChars`, `format`, `nodes`, `bytes` | further arguments of `for_model`, `output` and `cost` |
//! | `steps` | what `measure` counts |
//!
//! A case with `tools` in place of `schema` makes a toolbox for MCP; `loaded` is what became of the tools, and calls begin with `toolbox_`:
//!
//! | member | meaning |
//! |---|---|
//! | `tools`, `profile`, `params`, `result` | a value, to be given as its text; `toolsText` and so on are the text itself |
//! | `name`, `version` | the name of a tool, and a protocol version |
//!
//! Two JSON texts are the same if their values are.

use std::path::Path;

use serde_json::{Map, Value, json};
use stanchion::Dialect;
use stanchion_vocab::nesting;

use crate::case::{Expected, LoadError};
use crate::hostile::{self, Attack, Leeway};
use crate::official::{Official, Section};

/// The names of statuses, in the order of their numbers.
pub const STATUSES: [&str; 6] = ["valid", "invalid", "refused", "undecided", "not_json", "misuse"];

/// The names of output formats, in the order of their numbers.
pub const FORMATS: [&str; 6] = ["flag", "basic", "detailed", "verbose", "list", "hierarchical"];

/// Most levels of an instance that the engine's reader takes.
const READER_DEPTH: usize = 127;

/// The functions of the contract, in the order of their numbers in a script.
pub const FUNCTIONS: [&str; 23] = [
    "new",
    "check",
    "measure",
    "explain",
    "explain_first",
    "explain_in_full",
    "for_model",
    "output",
    "annotations",
    "cost",
    "size",
    "program",
    "diagnose",
    "toolbox_new",
    "toolbox_replace",
    "toolbox_extend",
    "toolbox_list",
    "toolbox_definition",
    "toolbox_check_call",
    "toolbox_fill_call",
    "toolbox_check_result",
    "toolbox_send_result",
    "toolbox_profile",
];

/// A call: a function and its arguments. Those that it does not take are empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// One of [`FUNCTIONS`].
    pub function: &'static str,
    /// Texts: for `new` and `diagnose` the schema and the options, for other calls of a validator the instance. For those of a toolbox the texts in
    /// the order of the contract's table.
    pub texts: [Vec<u8>; 3],
    /// Numbers: for `for_model` the characters, for `output` the format, for `cost` nodes and bytes.
    pub numbers: [u64; 2],
}

/// A call and what is expected of it.
#[derive(Clone, Debug)]
pub struct Step {
    /// Where it comes from.
    pub name: String,
    /// The call.
    pub request: Request,
    /// The statuses that are right.
    pub statuses: Vec<&'static str>,
    /// What the answer must be.
    pub answer: Answer,
}

/// What an answer must be.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Anything.
    Any,
    /// This JSON.
    Json(Value),
    /// A JSON object that has these members.
    Has(Map<String, Value>),
    /// This text.
    Text(String),
}

impl Answer {
    /// Whether a text is such an answer.
    fn is(&self, text: &[u8]) -> bool {
        let json = || serde_json::from_slice::<Value>(text).ok();
        match self {
            Answer::Any => true,
            Answer::Json(value) => json().as_ref() == Some(value),
            Answer::Has(members) => {
                json().is_some_and(|json| members.iter().all(|(name, value)| json.get(name) == Some(value)))
            }
            Answer::Text(expected) => text == expected.as_bytes(),
        }
    }
}

/// Something that makes calls. `new` makes the validator of all calls that follow, and `toolbox_new` the toolbox.
pub trait Binding {
    /// Makes a call. Returns the number of its status, and its answer if it has one.
    fn call(&mut self, request: &Request) -> (usize, Vec<u8>);
}

/// Makes calls. Returns what is wrong with them.
pub fn run(binding: &mut impl Binding, steps: &[Step]) -> Vec<String> {
    let mut wrong = Vec::new();
    for step in steps {
        let Step { name, request, statuses, answer } = step;
        let (status, found) = binding.call(request);
        let status = STATUSES.get(status).copied().unwrap_or("no status");
        if !statuses.contains(&status) {
            wrong.push(format!("{name}: {}: {status}, expected {}", request.function, statuses.join(" or ")));
        } else if !answer.is(&found) {
            let found = String::from_utf8_lossy(&found);
            wrong.push(format!("{name}: {}: {found}, expected {answer:?}", request.function));
        }
    }
    wrong
}

/// The calls of the files of a folder, `data/wire`.
///
/// # Errors
///
/// If a file cannot be read, or is not as it should be.
pub fn vectors() -> Result<Vec<Step>, LoadError> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/wire");
    let mut steps = Vec::new();
    for file in crate::case::json_files(&folder, false)? {
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let cases: Vec<Value> = crate::case::parse(&file)?;
        for case in &cases {
            add_case(&mut steps, &name, case)
                .map_err(|what| LoadError::new(format!("{}: {what}: {case}", file.display())))?;
        }
    }
    Ok(steps)
}

fn add_case(steps: &mut Vec<Step>, file: &str, case: &Value) -> Result<(), String> {
    let name = format!("{file}: {}", case["description"].as_str().ok_or("no description")?);
    let is_toolbox = case.get("tools").or(case.get("toolsText")).is_some();
    let (function, texts) = if is_toolbox {
        ("toolbox_new", [text(case, "tools", "toolsText"), text(case, "profile", "profileText"), Vec::new()])
    } else {
        ("new", [text(case, "schema", "schemaText"), text(case, "options", "optionsText"), Vec::new()])
    };
    let answer = case.get("problem").or(case.get("loaded"));
    let answer = answer.map_or(Answer::Any, |answer| Answer::Json(answer.clone()));
    steps.push(Step {
        name: name.clone(),
        request: Request { function, texts: texts.clone(), numbers: [0, 0] },
        statuses: vec![status(case)?],
        answer,
    });
    for call in case["calls"].as_array().ok_or("no calls")? {
        let written = call["call"].as_str().ok_or("no call")?;
        let function = FUNCTIONS.into_iter().find(|function| *function == written).ok_or("no such call")?;
        let number = |name: &str| call[name].as_u64().unwrap_or_default();
        let format =
            call["format"].as_str().and_then(|format| FORMATS.iter().position(|name| *name == format));
        let numbers = match function {
            "for_model" => [number("maxChars"), 0],
            "output" => [format.ok_or("no such format")? as u64, 0],
            "cost" => [number("nodes"), number("bytes")],
            _ => [0, 0],
        };
        let word = |name: &str| call[name].as_str().unwrap_or_default().as_bytes().to_vec();
        let texts = match function {
            "diagnose" => texts.clone(),
            "toolbox_replace" | "toolbox_extend" => {
                [text(call, "tools", "toolsText"), Vec::new(), Vec::new()]
            }
            "toolbox_list" => [word("version"), Vec::new(), Vec::new()],
            "toolbox_definition" => [word("name"), word("version"), Vec::new()],
            "toolbox_check_call" | "toolbox_fill_call" => {
                [text(call, "params", "paramsText"), word("version"), Vec::new()]
            }
            "toolbox_check_result" | "toolbox_send_result" => {
                [word("name"), word("version"), text(call, "result", "resultText")]
            }
            "toolbox_profile" => Default::default(),
            _ => [text(call, "json", "text"), Vec::new(), Vec::new()],
        };
        let answer = match (call.get("answer"), call["answerText"].as_str(), call["answerHas"].as_object()) {
            (Some(json), None, None) => Answer::Json(json.clone()),
            (None, Some(text), None) => Answer::Text(text.to_owned()),
            (None, None, Some(members)) => Answer::Has(members.clone()),
            (None, None, None) => match call.get("steps") {
                Some(steps) => Answer::Text(steps.to_string()),
                None if function == "check" => Answer::Any,
                None => return Err("no answer".to_owned()),
            },
            _ => return Err("more than one answer".to_owned()),
        };
        let (name, statuses) = (name.clone(), vec![status(call)?]);
        steps.push(Step { name, request: Request { function, texts, numbers }, statuses, answer });
    }
    Ok(())
}

fn status(case: &Value) -> Result<&'static str, String> {
    let written = case["status"].as_str().ok_or("no status")?;
    STATUSES.into_iter().find(|status| *status == written).ok_or_else(|| "no such status".to_owned())
}

/// A text that is given as a value or as itself; empty if it is absent.
fn text(case: &Value, value: &str, text: &str) -> Vec<u8> {
    match (case.get(value), case[text].as_str()) {
        (Some(value), _) => value.to_string().into_bytes(),
        (None, Some(text)) => text.as_bytes().to_vec(),
        (None, None) => Vec::new(),
    }
}

/// The calls of the official suite, all dialects and sections.
///
/// # Errors
///
/// If the suite cannot be found or read.
pub fn official() -> Result<Vec<Step>, LoadError> {
    let official = Official::get().map_err(Clone::clone)?;
    let remotes: Map<String, Value> = official.remotes.iter().cloned().collect();
    let mut steps = Vec::new();
    for dialect in Dialect::ALL {
        for section in Section::ALL {
            let mut options = json!({
                "dialect": dialect.uri(),
                "references": "bundled",
                "assertFormats": section == Section::Format,
            });
            let alone = options.to_string();
            options["resources"] = Value::Object(remotes.clone());
            let bundled = options.to_string();
            for file in official.files(dialect, section)? {
                for group in &file.groups {
                    let schema = group.schema.to_string();
                    let options = if schema.contains("localhost") { &bundled } else { &alone };
                    let name = format!("{}: {}", file.name, group.description);
                    steps.push(new(&name, &schema, options, vec!["valid"]));
                    for test in &group.tests {
                        let status = match test.expected()? {
                            Expected::Valid => "valid",
                            Expected::Invalid => "invalid",
                            Expected::Undecided => "undecided",
                        };
                        let name = format!("{name}: {}", test.description);
                        steps.push(instance(&name, "check", test.data.get(), vec![status]));
                    }
                }
            }
        }
    }
    Ok(steps)
}

/// How large hostile schemas are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// So large that a plain validator finds the verdict.
    Small,
    /// So large that it does not.
    Full,
}

/// The calls of all hostile schemas: verdicts, and errors. Small ones must get their verdict where an algorithm is known that finds it; of the others
/// some may be refused or stay undecided (`tests/it` lists them), and none may get a wrong one.
pub fn hostile(scale: Scale) -> Vec<Step> {
    let mut steps = Vec::new();
    for recipe in hostile::recipes() {
        let attack = match scale {
            Scale::Small => recipe.small(),
            Scale::Full => recipe.full(),
        };
        add_attack(&mut steps, &recipe.to_string(), &attack, scale);
    }
    steps
}

fn add_attack(steps: &mut Vec<Step>, name: &str, attack: &Attack, scale: Scale) {
    let references = if attack.bundled { "bundled" } else { "local" };
    let options =
        json!({"references": references, "assertFormats": attack.formats, "cache": false}).to_string();
    let may_give_up = attack.leeway != Leeway::Nothing || scale == Scale::Full;
    let is_refused = attack.instances.iter().all(|instance| instance.expected == hostile::Expected::Refused);
    let made = match (is_refused, may_give_up) {
        (true, _) => vec!["refused"],
        (false, true) => vec!["valid", "refused", "not_json"],
        (false, false) => vec!["valid"],
    };
    steps.push(new(name, &hostile::text_of(&attack.schema), &options, made));
    for (index, case) in attack.instances.iter().enumerate() {
        let mut right = match case.expected {
            hostile::Expected::Valid => vec!["valid"],
            hostile::Expected::Invalid => vec!["invalid"],
            hostile::Expected::Refused => vec!["misuse"],
        };
        let text = case.text();
        if may_give_up {
            // Where there is no validator, there is nothing to call.
            right.extend(["undecided", "misuse"]);
        }
        if nesting::too_deep(text.as_bytes(), READER_DEPTH).is_some() {
            right.push("not_json");
        }
        let name = format!("{name}: instance {index}");
        steps.push(instance(&name, "check", &text, right.clone()));
        steps.push(instance(&name, "explain", &text, right));
    }
}

fn new(name: &str, schema: &str, options: &str, statuses: Vec<&'static str>) -> Step {
    let texts = [schema.into(), options.into(), Vec::new()];
    let request = Request { function: "new", texts, numbers: [0, 0] };
    Step { name: name.to_owned(), request, statuses, answer: Answer::Any }
}

fn instance(name: &str, function: &'static str, text: &str, statuses: Vec<&'static str>) -> Step {
    let texts = [text.into(), Vec::new(), Vec::new()];
    let request = Request { function, texts, numbers: [0, 0] };
    Step { name: name.to_owned(), request, statuses, answer: Answer::Any }
}

/// Makes calls, and demands from then on the statuses that this binding gave, if they are right.
///
/// # Errors
///
/// What is wrong, if something is.
pub fn pin_statuses(binding: &mut impl Binding, steps: &mut [Step]) -> Result<(), String> {
    for step in steps {
        let (status, _) = binding.call(&step.request);
        let found = step.statuses.iter().copied().find(|right| STATUSES.get(status) == Some(right));
        step.statuses = vec![found.ok_or_else(|| format!("{}: status {status}", step.name))?];
    }
    Ok(())
}

/// Writes calls as a script for bindings that are not written in Rust, with the answers that a binding gave where one is expected.
///
/// All numbers are little-endian; a text is its length in four bytes, and its bytes. A script starts with the number of its calls in four bytes.
/// A call is
///
/// | bytes | meaning |
/// |---|---|
/// | 1 | the function: its place in [`FUNCTIONS`] |
/// | 1 | the statuses that are right, a bit for each |
/// | 1 | 1 if the answer must be the one below, to the byte |
/// | 8 + 8 | numbers |
/// | text × 5 | the name of the call, three texts, the answer |
pub fn encode(binding: &mut impl Binding, steps: &[Step]) -> Vec<u8> {
    let mut script = Vec::new();
    script.extend((steps.len() as u32).to_le_bytes());
    for Step { name, request, statuses, answer } in steps {
        let place =
            |all: &[&str], name: &str| all.iter().position(|other| *other == name).unwrap_or(usize::MAX);
        let mask = statuses.iter().fold(0_u8, |mask, status| mask | 1 << place(&STATUSES, status));
        // The calls that follow need the validator or the toolbox.
        let is_made = *answer != Answer::Any || matches!(request.function, "new" | "toolbox_new");
        let given = if is_made { binding.call(request).1 } else { Vec::new() };
        script.push(place(&FUNCTIONS, request.function) as u8);
        script.push(mask);
        script.push(u8::from(*answer != Answer::Any));
        script.extend(request.numbers.iter().flat_map(|number| number.to_le_bytes()));
        let [first, second, third] = &request.texts;
        for text in [name.as_bytes(), first, second, third, &given] {
            script.extend((text.len() as u32).to_le_bytes());
            script.extend(text);
        }
    }
    script
}
