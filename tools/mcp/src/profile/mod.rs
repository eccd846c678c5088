//! [`Profile`]: the choices that SDKs make differently, in one place.

mod json;
mod preset;
mod words;

pub use json::ProfileError;
pub use preset::Sdk;
pub use words::Words;

use crate::bounds::Counting;
use crate::content::{Mirror, MirrorNumbers};
use crate::legacy::Wrapping;
use crate::refusal::{Part, Refusal};
use crate::violations::Wording;
use serde_json::Value;
use stanchion::{Diagnosis, Dialect, Limits, Messages, References, Validator, ValidatorBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// How many bytes a text mirror may have if the profile does not say.
const MIRROR_BYTES: usize = 4 << 20;

/// What to do with an input schema whose root has no `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum MissingType {
    /// Refuse it: the specification wants `"type": "object"`.
    #[default]
    Refuse,
    /// Read it, and send it, as if it had `"type": "object"`.
    Object,
}

/// How arguments that break the schema are answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum InvalidCalls {
    /// By a result with `isError`, as the page on tools says: a model can read it and call again.
    #[default]
    Result,
    /// By JSON-RPC's error −32602, as `schema.ts` says in another place.
    Error,
}

/// How much of what is wrong is put into a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Told {
    /// All errors, the most helpful first.
    #[default]
    All,
    /// The most helpful one.
    Best,
}

/// What messages travel by, which decides what must be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Transport {
    /// Standard input and output, or anything without headers. `x-mcp-header` annotations may be ignored.
    #[default]
    Stdio,
    /// Streamable HTTP. A client must drop tools whose `x-mcp-header` annotations break the rules
    /// ([`Profile::check_headers`]), a server must compare headers and body ([`header::check_request`](crate::header::check_request)).
    StreamableHttp,
}

/// The choices to make before schemas are compiled.
///
/// The defaults are what the specification asks for. Some servers ask for less; a client that wants their tools all the same
/// starts with [`Profile::lenient`].
///
/// ```
/// use serde_json::json;
/// use stanchion_mcp::{InputSchema, MissingType, Profile};
///
/// let schema = json!({"properties": {"city": {"type": "string"}}});
/// assert!(InputSchema::new(schema.clone()).is_err());
///
/// let profile = Profile::default().missing_type(MissingType::Object);
/// let input = InputSchema::with(&profile, schema)?;
/// assert_eq!(input.schema()["type"], "object");
/// # Ok::<(), stanchion_mcp::Refusal>(())
/// ```
#[derive(Clone)]
pub struct Profile {
    /// Holds what is not a field of this struct: formats with code, and hash seeds. [`Profile::builder`] adds the rest.
    base: ValidatorBuilder,
    pub(crate) limits: Limits,
    pub(crate) missing_type: MissingType,
    pub(crate) shorthand_output: bool,
    pub(crate) ignores_null_output: bool,
    pub(crate) counting: Counting,
    pub(crate) wrapping: Wrapping,
    pub(crate) mirror: Mirror,
    pub(crate) mirror_numbers: MirrorNumbers,
    pub(crate) mirror_bytes: usize,
    pub(crate) checks_headers: bool,
    pub(crate) demands_mirror: bool,
    pub(crate) opens_envelopes: bool,
    pub(crate) null_is_missing: bool,
    pub(crate) null_arguments: bool,
    pub(crate) invalid_calls: InvalidCalls,
    pub(crate) extensions: Vec<String>,
    pub(crate) wording: Wording,
    pub(crate) words: Words,
    assert_formats: bool,
    ignored_formats: BTreeSet<String>,
    dialect: Dialect,
    unknown_dialect: Option<Dialect>,
    pub(crate) refused_dialects: Vec<Dialect>,
    pub(crate) ignores_dialect: bool,
    array_items: bool,
    references: References,
    resources: BTreeMap<String, Value>,
}

impl Default for Profile {
    fn default() -> Profile {
        Profile {
            base: Validator::builder(),
            limits: Limits::default(),
            missing_type: MissingType::default(),
            shorthand_output: false,
            ignores_null_output: false,
            counting: Counting::default(),
            wrapping: Wrapping::default(),
            mirror: Mirror::default(),
            mirror_numbers: MirrorNumbers::default(),
            mirror_bytes: MIRROR_BYTES,
            checks_headers: false,
            demands_mirror: false,
            opens_envelopes: true,
            null_is_missing: false,
            null_arguments: false,
            invalid_calls: InvalidCalls::default(),
            extensions: Vec::new(),
            wording: Wording::default(),
            words: Words::default(),
            assert_formats: false,
            ignored_formats: BTreeSet::new(),
            dialect: Dialect::default(),
            unknown_dialect: None,
            refused_dialects: Vec::new(),
            ignores_dialect: false,
            array_items: false,
            references: References::Local,
            resources: BTreeMap::new(),
        }
    }
}

impl Profile {
    /// Takes what published servers send: an input schema without a root `type`, `"outputSchema": null` for none, and an array for `items`
    /// where no dialect is declared. Bounds and references are as strict as ever, and no schema gets stricter than it was sent.
    pub fn lenient() -> Profile {
        Profile::default().missing_type(MissingType::Object).ignore_null_output(true).array_items(true)
    }

    /// Sets what a transport demands: [`Profile::check_headers`] for Streamable HTTP, and not for others.
    ///
    /// | | a client | a server |
    /// |---|---|---|
    /// | standard input and output | may ignore `x-mcp-header` | has no headers to compare |
    /// | Streamable HTTP | drops tools with bad annotations: this; sends [`Headers::of`](crate::Headers::of) and [`header::standard`](crate::header::standard) | compares [`header::check_request`](crate::header::check_request) and [`Headers::check`](crate::Headers::check) |
    #[must_use]
    pub fn transport(self, transport: Transport) -> Profile {
        self.check_headers(transport == Transport::StreamableHttp)
    }

    /// How large a schema may be, and how much a validation may spend: [`Limits::default`].
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Profile {
        self.limits = limits;
        self
    }

    /// What to do with an input schema whose root has no `type`: refuse it.
    #[must_use]
    pub fn missing_type(mut self, missing: MissingType) -> Profile {
        self.missing_type = missing;
        self
    }

    /// Whether an output schema is that of an object if its root has none of `type`, `$ref`, `oneOf`, `anyOf`, `allOf`, `not`, `if`, `const` and
    /// `enum`: no. With this, `{"properties": …}` is read, and sent, with `"type": "object"`, as the Ruby SDK does. It makes schemas stricter: `{}` then
    /// takes objects alone.
    #[must_use]
    pub fn shorthand_output(mut self, shorthand: bool) -> Profile {
        self.shorthand_output = shorthand;
        self
    }

    /// Whether `"outputSchema": null` stands for no output schema: no, it is refused.
    #[must_use]
    pub fn ignore_null_output(mut self, ignore: bool) -> Profile {
        self.ignores_null_output = ignore;
        self
    }

    /// Which structured content is repeated as text: what is no object.
    #[must_use]
    pub fn mirror(mut self, mirror: Mirror) -> Profile {
        self.mirror = mirror;
        self
    }

    /// How numbers are written in text mirrors: as they were given.
    #[must_use]
    pub fn mirror_numbers(mut self, numbers: MirrorNumbers) -> Profile {
        self.mirror_numbers = numbers;
        self
    }

    /// How many bytes a text mirror may have: 4 MiB. A result that needs a longer one is refused, because transports bound their messages and a
    /// message that is too long is never answered.
    #[must_use]
    pub fn mirror_bytes(mut self, bytes: usize) -> Profile {
        self.mirror_bytes = bytes;
        self
    }

    /// Whether `"structuredContent": null` counts as missing where there is an output schema: no.
    #[must_use]
    pub fn null_is_missing(mut self, missing: bool) -> Profile {
        self.null_is_missing = missing;
        self
    }

    /// Whether `"arguments": null` stands for `{}`: no, it is a malformed request.
    #[must_use]
    pub fn null_arguments(mut self, take: bool) -> Profile {
        self.null_arguments = take;
        self
    }

    /// How arguments that break the schema are answered: by a result with `isError`.
    #[must_use]
    pub fn invalid_calls(mut self, answer: InvalidCalls) -> Profile {
        self.invalid_calls = answer;
        self
    }

    /// A `resultType` of an extension that both sides have agreed on. Its results are passed through unchecked.
    #[must_use]
    pub fn result_type(mut self, name: &str) -> Profile {
        self.extensions.push(name.to_owned());
        self
    }

    /// How much of what is wrong is put into a text: all errors.
    #[must_use]
    pub fn told(mut self, told: Told) -> Profile {
        self.wording.told = told;
        self
    }

    /// The words of an SDK that its tests and users look for: our own.
    #[must_use]
    pub fn words(mut self, words: Words) -> Profile {
        self.words = words;
        self
    }

    /// Whether references may leave the schema: no. With [`References::Bundled`] they lead to documents inside it and to [resources](Profile::resource).
    /// Nothing is fetched in any case.
    #[must_use]
    pub fn references(mut self, references: References) -> Profile {
        self.references = references;
        self
    }

    /// A schema that references may lead to, by its URI. This needs [`References::Bundled`].
    #[must_use]
    pub fn resource(mut self, uri: &str, document: &Value) -> Profile {
        self.resources.insert(uri.to_owned(), document.clone());
        self
    }

    /// Refuses schemas that declare this dialect.
    #[must_use]
    pub fn refuse_dialect(mut self, dialect: Dialect) -> Profile {
        self.refused_dialects.push(dialect);
        self
    }

    /// Whether the `$schema` at the root of a schema is ignored, so that all are of [`Profile::dialect`]: no.
    #[must_use]
    pub fn ignore_dialect(mut self, ignore: bool) -> Profile {
        self.ignores_dialect = ignore;
        self
    }

    /// How depth and subschemas are counted: as the engine does. [`Limits`] other than the default ones hold as well, counted by the engine.
    #[must_use]
    pub fn counting(mut self, counting: Counting) -> Profile {
        self.counting = counting;
        self
    }

    /// How output schemas and values travel to clients from before 2026-07-28.
    #[must_use]
    pub fn wrapping(mut self, wrapping: Wrapping) -> Profile {
        self.wrapping = wrapping;
        self
    }

    /// Whether `format` is an assertion: no, as JSON Schema has it.
    #[must_use]
    pub fn assert_formats(mut self, assert: bool) -> Profile {
        self.assert_formats = assert;
        self
    }

    /// A format of the caller's own, asserted where formats are.
    #[must_use]
    pub fn format(mut self, name: &str, check: impl Fn(&str) -> bool + Send + Sync + 'static) -> Profile {
        self.base = self.base.format(name, check);
        self
    }

    /// A format that is not asserted where others are, whether it is known or the caller's own.
    #[must_use]
    pub fn ignore_format(mut self, name: &str) -> Profile {
        self.ignored_formats.insert(name.to_owned());
        self
    }

    /// The dialect of schemas that declare none: 2020-12, which is what the specification says.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Profile {
        self.dialect = dialect;
        self
    }

    /// The dialect to take where `$schema` names one that is not known. Without this, such a schema is refused by name.
    #[must_use]
    pub fn unknown_dialect(mut self, dialect: Dialect) -> Profile {
        self.unknown_dialect = Some(dialect);
        self
    }

    /// Whether `items` may be an array in schemas that declare no dialect: no.
    #[must_use]
    pub fn array_items(mut self, tolerate: bool) -> Profile {
        self.array_items = tolerate;
        self
    }

    /// Whether an input schema is refused if its `x-mcp-header` annotations break the rules: no. Clients on Streamable HTTP must refuse such
    /// tools, others may ignore the annotations.
    #[must_use]
    pub fn check_headers(mut self, check: bool) -> Profile {
        self.checks_headers = check;
        self
    }

    /// Whether a result without the text mirror that it needs is refused: no. A server adds the mirror
    /// ([`Profile::mirror`]); a client that reads `structuredContent` can do without.
    #[must_use]
    pub fn demand_mirror(mut self, demand: bool) -> Profile {
        self.demands_mirror = demand;
        self
    }

    /// Whether a client opens the envelopes that servers make for it if it is from before 2026-07-28: yes. An old server may also have a tool that
    /// gives `{"result": …}` by itself, with a schema that looks the same. Who wants that as it came says no.
    #[must_use]
    pub fn open_envelopes(mut self, open: bool) -> Profile {
        self.opens_envelopes = open;
        self
    }

    /// How errors are put into words, for models and for people: another language, or without the values.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion_mcp::stanchion::Messages;
    /// use stanchion_mcp::{InputSchema, Profile};
    ///
    /// let profile = Profile::default().messages(Messages::new().mask_values(true));
    /// let schema = json!({"type": "object", "properties": {"pin": {"maxLength": 4}}});
    /// let invalid = InputSchema::with(&profile, schema)?.validate_arguments(&json!({"pin": "12345"})).unwrap_err();
    /// assert!(!invalid.text().contains("12345"));
    /// # Ok::<(), stanchion_mcp::Refusal>(())
    /// ```
    #[must_use]
    pub fn messages(mut self, messages: Messages) -> Profile {
        self.wording.messages = messages;
        self
    }

    /// The seeds of hash tables, for hosts without randomness of their own, such as wasm. They change no answer.
    #[must_use]
    pub fn hash_seeds(mut self, seeds: [u64; 4]) -> Profile {
        self.base = self.base.hash_seeds(seeds);
        self
    }

    /// How many characters the errors in a text for a model may have: 2,000.
    #[must_use]
    pub fn text_length(mut self, characters: usize) -> Profile {
        self.wording.characters = characters;
        self
    }

    /// All that the engine finds wrong with a schema, and what it probably did not mean, for its author. A [`Refusal`](crate::Refusal) has the first error
    /// alone. It takes longer than compiling.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion_mcp::Profile;
    ///
    /// let schema = json!({"type": "object", "requried": ["a"], "properties": {"a": {"type": "strin"}, "b": {"minimum": "1"}}});
    /// let diagnosis = Profile::default().diagnose(&schema);
    /// assert_eq!(diagnosis.errors().len(), 2);
    /// assert_eq!(diagnosis.warnings().len(), 1);
    /// ```
    pub fn diagnose(&self, schema: &Value) -> Diagnosis {
        self.builder().diagnose(schema)
    }

    /// Compiles a schema that belongs to no tool, with the dialects, bounds and words of this profile. The rules of MCP for the roots of schemas
    /// are not applied.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion_mcp::Profile;
    ///
    /// let profile = Profile::typescript();
    /// assert!(profile.compile(&json!({"type": "array", "items": {"format": "date"}})).is_ok());
    /// let refusal = profile.compile(&json!({"$schema": "http://json-schema.org/draft-04/schema#"})).unwrap_err();
    /// assert!(refusal.to_string().starts_with("/$schema: http://json-schema.org/draft-04/schema#: unsupported dialect"));
    /// ```
    ///
    /// # Errors
    ///
    /// If the profile or the engine refuses the schema.
    pub fn compile(&self, schema: &Value) -> Result<Validator, Refusal> {
        crate::schema::compile(Part::Alone, self, None, schema)
    }

    /// The dialect that a schema is read in: the declared one, or what this profile says.
    pub(crate) fn dialect_of(&self, schema: &Value) -> Dialect {
        match schema.get("$schema").and_then(Value::as_str) {
            Some(uri) if !self.ignores_dialect => {
                Dialect::from_uri(uri).or(self.unknown_dialect).unwrap_or(self.dialect)
            }
            Some(_) | None => self.dialect,
        }
    }

    /// The dialect that a schema declares, if this profile refuses it.
    pub(crate) fn refused_dialect(&self, schema: &Value) -> Option<Dialect> {
        let declared = crate::dialect::declared(schema).filter(|_| !self.ignores_dialect);
        declared.filter(|dialect| self.refused_dialects.contains(dialect))
    }

    /// The builder of validators that this profile stands for, with its dialects, references, resources, formats and limits: for schemas that
    /// belong to no tool. The rules of MCP, such as the type of a root, are not in it.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion_mcp::Profile;
    ///
    /// let profile = Profile::from_json(&json!({"dialect": "draft-07", "assertFormats": true}))?;
    /// let validator = profile.builder().build(&json!({"items": [{"format": "date"}]})).unwrap();
    /// assert!(!validator.is_valid(&json!(["tomorrow"])));
    /// # Ok::<(), stanchion_mcp::ProfileError>(())
    /// ```
    pub fn builder(&self) -> ValidatorBuilder {
        let mut builder = self
            .base
            .clone()
            .limits(self.counting.limits(self.limits))
            .assert_formats(self.assert_formats)
            .dialect(self.dialect)
            .array_items(self.array_items)
            .references(self.references);
        if let Some(dialect) = self.unknown_dialect {
            builder = builder.unknown_dialect(dialect);
        }
        for name in &self.ignored_formats {
            builder = builder.format(name, |_| true);
        }
        for (uri, document) in &self.resources {
            builder = builder.resource(uri, document);
        }
        builder
    }
}

impl fmt::Debug for Profile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Profile")
            .field("limits", &self.limits)
            .field("missing_type", &self.missing_type)
            .field("shorthand_output", &self.shorthand_output)
            .field("counting", &self.counting)
            .field("wrapping", &self.wrapping)
            .finish_non_exhaustive()
    }
}
