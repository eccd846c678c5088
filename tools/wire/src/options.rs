//! Options: one JSON object, in which every member is optional and an unknown one is refused.

use crate::cache;
use crate::json::{self, JsonText};
use crate::problem::Problem;
use serde_json::{Map, Value};
use stanchion::{Dialect, Limits, Messages, References, Validator, ValidatorBuilder};
use stanchion_mcp::{Profile, camel_case};
use strsim::osa_distance;

/// How many bytes a text may have that is to be validated, unless an option says otherwise. Where addresses have 32 bits no option
/// allows more: a text of this length may take 400 MiB.
const TEXT_BYTES: usize = if usize::BITS < 64 { 32 << 20 } else { 1 << 30 };

/// The options of a validator, read and checked. For bindings that hand over values and not text.
#[derive(Clone, Debug)]
pub struct Options {
    pub(crate) builder: ValidatorBuilder,
    /// What an SDK does, if a preset was chosen. The builder is its own then.
    profile: Option<Profile>,
    pub(crate) wording: Wording,
    /// How many bytes an instance may have.
    pub(crate) text_bytes: usize,
    /// Whether the validator may come from the cache, and be kept there.
    pub(crate) cache: bool,
}

/// How values of the instance are shown.
#[derive(Clone, Debug)]
pub(crate) struct Wording {
    pub(crate) messages: Messages,
    /// How many characters of a value `found` may have; none leaves it out.
    shown: Option<usize>,
}

impl Default for Wording {
    fn default() -> Wording {
        Wording { messages: Messages::new(), shown: Some(usize::MAX) }
    }
}

impl Wording {
    /// Writes the member `found`, if values may be shown.
    pub(crate) fn found(&self, json: &mut JsonText, value: &str) {
        if let Some(most) = self.shown {
            let end = value.char_indices().nth(most).map_or(value.len(), |(at, _)| at);
            json.name("found").string(&value[..end]);
        }
    }
}

/// The names of all options.
const NAMES: [&str; 13] = [
    "arrayItems",
    "assertFormats",
    "cache",
    "dialect",
    "ignoreFormats",
    "limits",
    "messages",
    "optimize",
    "preset",
    "references",
    "resources",
    "textBytes",
    "unknownDialect",
];

const MESSAGES: [&str; 2] = ["maskValues", "valueLength"];

impl Options {
    /// Reads options from JSON text. No text at all stands for no options.
    pub(crate) fn parse(text: &[u8]) -> Result<Options, Problem> {
        let options = Options::new(ValidatorBuilder::default());
        if text.is_empty() {
            return Ok(options);
        }
        let value = json::parse(text).map_err(|error| Problem::not_json("options", error))?;
        let Value::Object(members) = value else {
            return Err(expected("", "an object", &value));
        };
        options.with_all(&members)
    }

    /// No options but the choices of a builder.
    pub fn new(builder: ValidatorBuilder) -> Options {
        Options {
            builder: builder.hash_seeds(*cache::seeds()),
            profile: None,
            wording: Wording::default(),
            text_bytes: TEXT_BYTES,
            cache: true,
        }
    }

    /// Reads the members of the JSON object that the README describes.
    ///
    /// # Errors
    ///
    /// [`Status::Misuse`](crate::Status::Misuse) if a member is not known, or has a value that it cannot have.
    pub fn with_all(self, members: &Map<String, Value>) -> Result<Options, Problem> {
        if members.contains_key("preset") {
            return self.with_preset(members);
        }
        members.iter().try_fold(self, |options, (name, value)| options.with(name, value))
    }

    /// Validators are built by these choices.
    pub fn builder(&self) -> &ValidatorBuilder {
        &self.builder
    }

    /// Options on top of those of an SDK. All that is not about texts is a choice of its profile, which has more names than these.
    fn with_preset(mut self, members: &Map<String, Value>) -> Result<Options, Problem> {
        let mut choices = Map::new();
        for (name, value) in members {
            if matches!(name.as_str(), "cache" | "messages" | "textBytes") {
                self = self.with(name, value)?;
            } else {
                choices.insert(name.clone(), value.clone());
            }
        }
        let profile = profile("options", &Value::Object(choices))?;
        self.builder = profile.builder();
        self.profile = Some(profile);
        Ok(self)
    }

    /// The validator of a schema.
    pub(crate) fn build(&self, schema: &Value) -> Result<Validator, Problem> {
        match &self.profile {
            None => {
                self.builder.build(schema).map_err(|error| Problem::refused(&error, &self.builder, schema))
            }
            Some(profile) => {
                profile.compile(schema).map_err(|refusal| Problem::refusal(&refusal, profile, schema))
            }
        }
    }

    fn with(mut self, name: &str, value: &Value) -> Result<Options, Problem> {
        let builder = self.builder.clone();
        match name {
            "arrayItems" => self.builder = builder.array_items(boolean("/arrayItems", value)?),
            "assertFormats" => self.builder = builder.assert_formats(boolean("/assertFormats", value)?),
            "cache" => self.cache = boolean("/cache", value)?,
            "dialect" => self.builder = builder.dialect(dialect("/dialect", value)?),
            "ignoreFormats" => {
                for (index, format) in array("/ignoreFormats", value)?.iter().enumerate() {
                    let format = string(&format!("/ignoreFormats/{index}"), format)?;
                    self.builder = self.builder.format(format, |_| true);
                }
            }
            "limits" => self.builder = builder.limits(limits(value)?),
            "messages" => self.wording = wording(value)?,
            "optimize" => self.builder = builder.optimize(boolean("/optimize", value)?),
            "references" => self.builder = builder.references(references(value)?),
            "resources" => {
                for (uri, document) in object("/resources", value)? {
                    self.builder = self.builder.resource(uri, document);
                }
            }
            "textBytes" => {
                let bytes = size("/textBytes", value)?;
                self.text_bytes = if usize::BITS < 64 { bytes.min(TEXT_BYTES) } else { bytes };
            }
            "unknownDialect" => {
                self.builder = builder.unknown_dialect(dialect("/unknownDialect", value)?);
            }
            _ => return Err(unknown("", "option", name, &NAMES)),
        }
        Ok(self)
    }
}

/// The profile of MCP that JSON stands for.
pub(crate) fn profile(what: &str, choices: &Value) -> Result<Profile, Problem> {
    match Profile::from_json(choices) {
        Ok(profile) => Ok(profile.hash_seeds(*cache::seeds())),
        Err(error) => Err(Problem::misuse(format!("{what}: {error}"))),
    }
}

fn references(value: &Value) -> Result<References, Problem> {
    match value.as_str() {
        Some("local") => Ok(References::Local),
        Some("bundled") => Ok(References::Bundled),
        _ => Err(expected("/references", "\"local\" or \"bundled\"", value)),
    }
}

fn limits(value: &Value) -> Result<Limits, Problem> {
    let mut limits = Limits::default();
    let mut values: Vec<_> = object("/limits", value)?.iter().collect();
    // `steps` comes before `stepsPerValue`, which it resets.
    values.sort_by_key(|(name, _)| *name);
    for (name, value) in values {
        let place = format!("/limits/{name}");
        let known = limits.values().find(|(known, _)| camel_case(known) == *name);
        let Some((known, _)) = known else {
            let names: Vec<String> = limits.values().map(|(known, _)| camel_case(known)).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            return Err(unknown("/limits", "limit", name, &names));
        };
        let value = whole(&place, value)?;
        limits = limits.set(known, value).map_err(|error| Problem::misuse(error.to_string()))?;
    }
    Ok(limits)
}

fn wording(value: &Value) -> Result<Wording, Problem> {
    let mut wording = Wording::default();
    let (mut mask, mut length) = (false, None);
    for (name, value) in object("/messages", value)? {
        match name.as_str() {
            "maskValues" => mask = boolean("/messages/maskValues", value)?,
            "valueLength" => length = Some(size("/messages/valueLength", value)?),
            _ => return Err(unknown("/messages", "member", name, &MESSAGES)),
        }
    }
    wording.messages = wording.messages.mask_values(mask);
    if let Some(length) = length {
        wording.messages = wording.messages.value_length(length);
    }
    wording.shown = if mask { None } else { Some(length.unwrap_or(usize::MAX)) };
    Ok(wording)
}

/// A dialect by its short name, or by the URI that `$schema` has for it.
fn dialect(place: &str, value: &Value) -> Result<Dialect, Problem> {
    const WANTED: &str = "one of \"2020-12\", \"2019-09\", \"draft-07\", \"draft-06\", \"draft-04\", or the URI of a metaschema";
    let name = value.as_str().unwrap_or_default();
    name.parse().map_err(|_| expected(place, WANTED, value))
}

pub(crate) fn boolean(place: &str, value: &Value) -> Result<bool, Problem> {
    value.as_bool().ok_or_else(|| expected(place, "true or false", value))
}

pub(crate) fn string<'v>(place: &str, value: &'v Value) -> Result<&'v str, Problem> {
    value.as_str().ok_or_else(|| expected(place, "a string", value))
}

fn array<'v>(place: &str, value: &'v Value) -> Result<&'v [Value], Problem> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| expected(place, "an array", value))
}

pub(crate) fn object<'v>(place: &str, value: &'v Value) -> Result<&'v Map<String, Value>, Problem> {
    value.as_object().ok_or_else(|| expected(place, "an object", value))
}

fn whole(place: &str, value: &Value) -> Result<u64, Problem> {
    let whole = value.as_u64().or_else(|| {
        let float = value.as_f64()?;
        // Languages with one type of numbers may write 1e6 for 1000000.
        ((0.0..9e15).contains(&float) && float.fract() == 0.0).then_some(float as u64)
    });
    whole.ok_or_else(|| expected(place, "a whole number, 0 or more", value))
}

fn size(place: &str, value: &Value) -> Result<usize, Problem> {
    Ok(usize::try_from(whole(place, value)?).unwrap_or(usize::MAX))
}

/// An option has a value that it cannot have.
pub(crate) fn expected(place: &str, wanted: &str, found: &Value) -> Problem {
    let found = match found {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.chars().count() <= 100 => Value::String(text.clone()).to_string(),
        Value::String(_) => "a long string".to_owned(),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    };
    let place = if place.is_empty() { "/" } else { place };
    Problem::misuse(format!("options: {place}: expected {wanted}, found {found}"))
}

/// An option, or a member of one, that nobody knows.
pub(crate) fn unknown(place: &str, what: &str, name: &str, known: &[&str]) -> Problem {
    let place = if place.is_empty() { "/" } else { place };
    let shown: String = name.chars().take(100).collect();
    let mut message = format!("options: {place}: unknown {what} {}", Value::String(shown));
    let near = known.iter().map(|known| (distance(name, known), known)).min();
    match near {
        Some((0..=2, near)) => message.push_str(&format!(" (did you mean \"{near}\"?)")),
        _ => message.push_str(&format!("; there are \"{}\"", known.join("\", \""))),
    }
    Problem::misuse(message)
}

/// How far a name is from one that is known. Case, `_` and `-` make no difference.
fn distance(name: &str, known: &str) -> usize {
    if name.len() > 64 {
        return usize::MAX;
    }
    let letters = |text: &str| -> String {
        text.chars().filter(|letter| letter.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    osa_distance(&letters(name), &letters(known))
}
