//! [`Profile`] from and to JSON, for bindings and for configuration.

use super::{InvalidCalls, MissingType, Profile, Sdk, Told, Words};
use crate::bounds::Counting;
use crate::content::{Mirror, MirrorNumbers};
use crate::legacy::Wrapping;
use crate::words::{found, quoted, step};
use serde_json::{Map, Value, json};
use stanchion::{Dialect, Limits, References};
use std::fmt;

/// The error for a malformed profile in JSON: where, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProfileError {
    path: String,
    message: String,
}

impl ProfileError {
    pub(crate) fn new(path: &str, message: String) -> ProfileError {
        ProfileError { path: path.to_owned(), message }
    }

    /// Returns the place in the JSON, as a JSON Pointer.
    pub fn path(&self) -> &str {
        &self.path
    }
}

impl fmt::Display for ProfileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", crate::words::place(&self.path), self.message)
    }
}

impl std::error::Error for ProfileError {}

/// The values of a setting, with their names in JSON.
type Names<T> = &'static [(&'static str, T)];

const MISSING_TYPES: Names<MissingType> = &[("refuse", MissingType::Refuse), ("object", MissingType::Object)];
const COUNTINGS: Names<Counting> =
    &[("engine", Counting::Engine), ("typescript", Counting::TypeScript), ("ruby", Counting::Ruby)];
const WRAPPINGS: Names<Wrapping> =
    &[("envelope", Wrapping::Envelope), ("typescript", Wrapping::TypeScript), ("csharp", Wrapping::CSharp)];
const MIRRORS: Names<Mirror> = &[
    ("non-objects", Mirror::NonObjects),
    ("all", Mirror::All),
    ("non-objects-unless-content", Mirror::NonObjectsUnlessContent),
    ("unless-content", Mirror::UnlessContent),
    ("never", Mirror::Never),
];
const NUMBERS: Names<MirrorNumbers> =
    &[("as-given", MirrorNumbers::AsGiven), ("javascript", MirrorNumbers::JavaScript)];
const INVALID_CALLS: Names<InvalidCalls> =
    &[("result", InvalidCalls::Result), ("error", InvalidCalls::Error)];
const TOLD: Names<Told> = &[("all", Told::All), ("best", Told::Best)];
const WORDS: Names<Words> = &[
    ("stanchion", Words::Stanchion),
    ("typescript", Words::TypeScript),
    ("python", Words::Python),
    ("ruby", Words::Ruby),
    ("java", Words::Java),
    ("go", Words::Go),
];
const REFERENCES: Names<References> = &[("local", References::Local), ("bundled", References::Bundled)];

impl Profile {
    /// Reads a profile from JSON: an object whose members are settings, all of which may be absent.
    ///
    /// `preset` is read first: `"default"`, `"lenient"`, or an SDK. Then come the members that
    /// [`Profile::to_json`] writes. An unknown name is an error, so that a misspelt setting is not
    /// ignored. Formats with code and texts in other languages cannot be expressed in JSON. Members
    /// that the options of `stanchion-wire` have as well have the same names and values there.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion_mcp::Profile;
    ///
    /// let profile = Profile::from_json(&json!({"preset": "ruby", "assertFormats": true, "limits": {"steps": 100_000}}))?;
    /// assert_eq!(profile.to_json()["counting"], "ruby");
    ///
    /// let error = Profile::from_json(&json!({"wraping": "csharp"})).unwrap_err();
    /// assert!(error.to_string().starts_with("/wraping: unknown choice; there are \"preset\", "));
    ///
    /// let error = Profile::from_json(&json!({"limits": {"document_bytes": 1_000}})).unwrap_err();
    /// assert!(error.to_string().starts_with("/limits/document_bytes: unknown limit; there are \"depth\", "));
    /// # Ok::<(), stanchion_mcp::ProfileError>(())
    /// ```
    pub fn from_json(json: &Value) -> Result<Profile, ProfileError> {
        let Value::Object(members) = json else {
            return Err(ProfileError::new("", format!("expected an object, found {}", found(json))));
        };
        let mut profile = match members.get("preset") {
            None => Profile::default(),
            Some(preset) => named_preset(preset)?,
        };
        for (name, value) in members {
            profile.choose(name, value)?;
        }
        Ok(profile)
    }

    /// Reads a profile from JSON text.
    pub fn from_json_text(text: &str) -> Result<Profile, ProfileError> {
        let json = crate::text::parse(text).map_err(|message| ProfileError::new("", message))?;
        Profile::from_json(&json)
    }

    /// Takes over one setting.
    fn choose(&mut self, name: &str, value: &Value) -> Result<(), ProfileError> {
        let path = &step(name);
        match name {
            "preset" => {}
            "missingType" => self.missing_type = named(MISSING_TYPES, path, value)?,
            "shorthandOutput" => self.shorthand_output = boolean(path, value)?,
            "ignoreNullOutput" => self.ignores_null_output = boolean(path, value)?,
            "counting" => self.counting = named(COUNTINGS, path, value)?,
            "wrapping" => self.wrapping = named(WRAPPINGS, path, value)?,
            "mirror" => self.mirror = named(MIRRORS, path, value)?,
            "mirrorNumbers" => self.mirror_numbers = named(NUMBERS, path, value)?,
            "mirrorBytes" => self.mirror_bytes = size(path, value)?,
            "checkHeaders" => self.checks_headers = boolean(path, value)?,
            "demandMirror" => self.demands_mirror = boolean(path, value)?,
            "openEnvelopes" => self.opens_envelopes = boolean(path, value)?,
            "nullIsMissing" => self.null_is_missing = boolean(path, value)?,
            "nullArguments" => self.null_arguments = boolean(path, value)?,
            "invalidCalls" => self.invalid_calls = named(INVALID_CALLS, path, value)?,
            "told" => self.wording.told = named(TOLD, path, value)?,
            "words" => self.words = named(WORDS, path, value)?,
            "textLength" => self.wording.characters = size(path, value)?,
            "messages" => self.choose_messages(path, object(path, value)?)?,
            "assertFormats" => self.assert_formats = boolean(path, value)?,
            "dialect" => self.dialect = dialect(path, value)?,
            "ignoreFormats" => {
                self.ignored_formats =
                    array(path, value)?.iter().map(|item| text(path, item)).collect::<Result<_, _>>()?;
            }
            "unknownDialect" if value.is_null() => self.unknown_dialect = None,
            "unknownDialect" => self.unknown_dialect = Some(dialect(path, value)?),
            "refusedDialects" => {
                self.refused_dialects =
                    array(path, value)?.iter().map(|item| dialect(path, item)).collect::<Result<_, _>>()?;
            }
            "ignoreDialect" => self.ignores_dialect = boolean(path, value)?,
            "arrayItems" => self.array_items = boolean(path, value)?,
            "references" => self.references = named(REFERENCES, path, value)?,
            "resources" => {
                let resources = object(path, value)?;
                self.resources.extend(resources.iter().map(|(uri, schema)| (uri.clone(), schema.clone())));
            }
            "resultTypes" => {
                self.extensions =
                    array(path, value)?.iter().map(|item| text(path, item)).collect::<Result<_, _>>()?;
            }
            "limits" => self.limits = limits(self.limits, path, object(path, value)?)?,
            _ => {
                let choices = self.to_json();
                let known = choices.as_object().into_iter().flat_map(Map::keys).map(String::as_str);
                return Err(unknown(path, "choice", ["preset"].into_iter().chain(known)));
            }
        }
        Ok(())
    }

    fn choose_messages(&mut self, path: &str, members: &Map<String, Value>) -> Result<(), ProfileError> {
        for (name, value) in members {
            let path = &format!("{path}{}", step(name));
            let wording = &mut self.wording;
            let messages = wording.messages.clone();
            wording.messages = match name.as_str() {
                "maskValues" => {
                    wording.masks_values = boolean(path, value)?;
                    messages.mask_values(wording.masks_values)
                }
                "valueLength" => {
                    wording.value_length = size(path, value)?;
                    messages.value_length(wording.value_length)
                }
                _ => return Err(unknown(path, "member", ["maskValues", "valueLength"])),
            };
        }
        Ok(())
    }

    /// Returns all settings as JSON, which [`Profile::from_json`] reads. Formats with code, and
    /// texts in other languages, are left out.
    pub fn to_json(&self) -> Value {
        let dialects =
            |dialects: &[Dialect]| dialects.iter().map(|dialect| dialect.name()).collect::<Vec<_>>();
        let limits: Map<String, Value> =
            self.limits.values().map(|(name, value)| (camel_case(name), value.into())).collect();
        json!({
            "missingType": name_of(MISSING_TYPES, &self.missing_type),
            "shorthandOutput": self.shorthand_output,
            "ignoreNullOutput": self.ignores_null_output,
            "counting": name_of(COUNTINGS, &self.counting),
            "wrapping": name_of(WRAPPINGS, &self.wrapping),
            "mirror": name_of(MIRRORS, &self.mirror),
            "mirrorNumbers": name_of(NUMBERS, &self.mirror_numbers),
            "mirrorBytes": self.mirror_bytes,
            "checkHeaders": self.checks_headers,
            "demandMirror": self.demands_mirror,
            "openEnvelopes": self.opens_envelopes,
            "nullIsMissing": self.null_is_missing,
            "nullArguments": self.null_arguments,
            "invalidCalls": name_of(INVALID_CALLS, &self.invalid_calls),
            "told": name_of(TOLD, &self.wording.told),
            "words": name_of(WORDS, &self.words),
            "textLength": self.wording.characters,
            "messages": {"maskValues": self.wording.masks_values, "valueLength": self.wording.value_length},
            "assertFormats": self.assert_formats,
            "ignoreFormats": self.ignored_formats,
            "dialect": self.dialect.name(),
            "unknownDialect": self.unknown_dialect.map(Dialect::name),
            "refusedDialects": dialects(&self.refused_dialects),
            "ignoreDialect": self.ignores_dialect,
            "arrayItems": self.array_items,
            "references": name_of(REFERENCES, &self.references),
            "resources": self.resources,
            "resultTypes": self.extensions,
            "limits": limits,
        })
    }
}

fn named_preset(preset: &Value) -> Result<Profile, ProfileError> {
    let sdk = |name: &str| Sdk::ALL.into_iter().find(|sdk| sdk.name() == name).map(Sdk::profile);
    let known = match preset.as_str() {
        Some("default") => Some(Profile::default()),
        Some("lenient") => Some(Profile::lenient()),
        Some(name) => sdk(name),
        None => None,
    };
    known.ok_or_else(|| {
        let names: Vec<&str> = Sdk::ALL.iter().map(|sdk| sdk.name()).collect();
        let message = format!(
            "expected \"default\", \"lenient\" or one of {}, found {}",
            names.join(", "),
            found(preset)
        );
        ProfileError::new("/preset", message)
    })
}

fn named<T: Copy>(names: Names<T>, path: &str, value: &Value) -> Result<T, ProfileError> {
    let chosen = names.iter().find(|(name, _)| value == name).map(|(_, choice)| *choice);
    chosen.ok_or_else(|| {
        let names: Vec<String> = names.iter().map(|(name, _)| quoted(name)).collect();
        expected(path, &format!("one of {}", names.join(", ")), value)
    })
}

/// Reads a dialect by its short name or by its URI.
fn dialect(path: &str, value: &Value) -> Result<Dialect, ProfileError> {
    let parsed = value.as_str().unwrap_or_default().parse();
    parsed.map_err(|_| {
        let names = Dialect::ALL.map(|dialect| quoted(dialect.name()));
        expected(path, &format!("one of {}", names.join(", ")), value)
    })
}

fn name_of<T: PartialEq>(names: Names<T>, choice: &T) -> &'static str {
    names.iter().find(|(_, other)| other == choice).map_or("", |(name, _)| name)
}

fn limits(mut limits: Limits, path: &str, values: &Map<String, Value>) -> Result<Limits, ProfileError> {
    let mut values: Vec<_> = values.iter().collect();
    // `steps` comes before `stepsPerValue`, which it resets.
    values.sort_by_key(|(name, _)| *name);
    for (name, value) in values {
        let path = &format!("{path}{}", step(name));
        let Some((known, _)) = limits.values().find(|(known, _)| camel_case(known) == *name) else {
            let known: Vec<String> = limits.values().map(|(known, _)| camel_case(known)).collect();
            return Err(unknown(path, "limit", known.iter().map(String::as_str)));
        };
        let value = size(path, value)? as u64;
        limits = limits.set(known, value).map_err(|error| ProfileError::new(path, error.to_string()))?;
    }
    Ok(limits)
}

/// Returns the name of a limit in JSON: `document_bytes` becomes `documentBytes`.
#[doc(hidden)]
pub fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let mut camel = words.next().unwrap_or_default().to_owned();
    for word in words {
        camel.push_str(&word[..1].to_ascii_uppercase());
        camel.push_str(&word[1..]);
    }
    camel
}

/// Makes the error for an unknown name, with the known ones.
fn unknown<'n>(path: &str, what: &str, known: impl IntoIterator<Item = &'n str>) -> ProfileError {
    let known: Vec<String> = known.into_iter().map(quoted).collect();
    ProfileError::new(path, format!("unknown {what}; there are {}", known.join(", ")))
}

fn expected(path: &str, wanted: &str, value: &Value) -> ProfileError {
    ProfileError::new(path, format!("expected {wanted}, found {}", found(value)))
}

fn boolean(path: &str, value: &Value) -> Result<bool, ProfileError> {
    value.as_bool().ok_or_else(|| expected(path, "a boolean", value))
}

fn size(path: &str, value: &Value) -> Result<usize, ProfileError> {
    let whole = value.as_u64().or_else(|| {
        // Languages with one type of numbers may write 1e6 for 1000000.
        let float = value.as_f64()?;
        ((0.0..9e15).contains(&float) && float.fract() == 0.0).then_some(float as u64)
    });
    let whole = whole.ok_or_else(|| expected(path, "a whole number, 0 or more", value))?;
    Ok(usize::try_from(whole).unwrap_or(usize::MAX))
}

fn text(path: &str, value: &Value) -> Result<String, ProfileError> {
    value.as_str().map(str::to_owned).ok_or_else(|| expected(path, "a string", value))
}

fn array<'v>(path: &str, value: &'v Value) -> Result<&'v [Value], ProfileError> {
    value.as_array().map(Vec::as_slice).ok_or_else(|| expected(path, "an array", value))
}

fn object<'v>(path: &str, value: &'v Value) -> Result<&'v Map<String, Value>, ProfileError> {
    value.as_object().ok_or_else(|| expected(path, "an object", value))
}
