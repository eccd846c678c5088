//! [`Profile`]: all settings in which SDKs differ, in one place.

mod json;
mod preset;
mod words;

pub use json::ProfileError;
#[doc(hidden)]
pub use json::camel_case;
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

/// Most bytes of a text mirror by default.
const MIRROR_BYTES: usize = 4 << 20;

/// Handling of an input schema whose root has no `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum MissingType {
    /// Refuse it: the specification demands `"type": "object"`.
    #[default]
    Refuse,
    /// Read it, and send it, as if it had `"type": "object"`.
    Object,
}

/// The answer to arguments that break the schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum InvalidCalls {
    /// A result with `isError`, as the page on tools says: a model can read it and call again.
    #[default]
    Result,
    /// JSON-RPC's error −32602, as `schema.ts` says in another place.
    Error,
}

/// Number of errors in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Told {
    /// All errors, the most helpful first.
    #[default]
    All,
    /// Only the most helpful one.
    Best,
}

/// The transport of messages, which decides what must be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Transport {
    /// Standard input and output, or anything without headers. `x-mcp-header` annotations may be ignored.
    #[default]
    Stdio,
    /// Streamable HTTP. A client must drop tools whose `x-mcp-header` annotations break the rules
    /// ([`Profile::check_headers`]), a server must compare headers and body ([`header::check_request`](crate::header::check_request)).
    StreamableHttp,
}

/// Settings for compiling schemas and checking values.
///
/// The defaults follow the specification. Some servers do not; a client that wants to use their
/// tools anyway starts with [`Profile::lenient`].
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
    /// Holds the settings that are not fields of this struct: formats with code, and hash seeds.
    /// [`Profile::builder`] adds the rest.
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
    /// Returns a profile that accepts what published servers send: an input schema without a root
    /// `type`, `"outputSchema": null` for none, and an array for `items` if no dialect is declared.
    /// Bounds and references are as strict as by default, and no schema gets stricter than it was
    /// sent.
    pub fn lenient() -> Profile {
        Profile::default().missing_type(MissingType::Object).ignore_null_output(true).array_items(true)
    }

    /// Sets what a transport demands: [`Profile::check_headers`] for Streamable HTTP, and not for
    /// others.
    ///
    /// | | a client | a server |
    /// |---|---|---|
    /// | standard input and output | may ignore `x-mcp-header` | has no headers to compare |
    /// | Streamable HTTP | drops tools with bad annotations: this; sends [`Headers::of`](crate::Headers::of) and [`header::standard`](crate::header::standard) | compares [`header::check_request`](crate::header::check_request) and [`Headers::check`](crate::Headers::check) |
    #[must_use]
    pub fn transport(self, transport: Transport) -> Profile {
        self.check_headers(transport == Transport::StreamableHttp)
    }

    /// Sets the limits on schemas and on validations. Default: [`Limits::default`].
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Profile {
        self.limits = limits;
        self
    }

    /// Sets what happens to an input schema whose root has no `type`. Default: it is refused.
    #[must_use]
    pub fn missing_type(mut self, missing: MissingType) -> Profile {
        self.missing_type = missing;
        self
    }

    /// Sets whether an output schema is for an object if its root has none of `type`, `$ref`,
    /// `oneOf`, `anyOf`, `allOf`, `not`, `if`, `const` and `enum`. Default: no. If so,
    /// `{"properties": …}` is read and sent with `"type": "object"`, as in the Ruby SDK. This makes
    /// schemas stricter: `{}` then accepts only objects.
    #[must_use]
    pub fn shorthand_output(mut self, shorthand: bool) -> Profile {
        self.shorthand_output = shorthand;
        self
    }

    /// Sets whether `"outputSchema": null` means no output schema. Default: no, it is refused.
    #[must_use]
    pub fn ignore_null_output(mut self, ignore: bool) -> Profile {
        self.ignores_null_output = ignore;
        self
    }

    /// Sets which structured content is repeated as text. Default: content that is not an object.
    #[must_use]
    pub fn mirror(mut self, mirror: Mirror) -> Profile {
        self.mirror = mirror;
        self
    }

    /// Sets how numbers are written in text mirrors. Default: unchanged.
    #[must_use]
    pub fn mirror_numbers(mut self, numbers: MirrorNumbers) -> Profile {
        self.mirror_numbers = numbers;
        self
    }

    /// Sets the most bytes of a text mirror. Default: 4 MiB. A result that needs a longer one is
    /// refused, because transports limit their messages and a message that is too long is never
    /// answered.
    #[must_use]
    pub fn mirror_bytes(mut self, bytes: usize) -> Profile {
        self.mirror_bytes = bytes;
        self
    }

    /// Sets whether `"structuredContent": null` counts as missing if there is an output schema.
    /// Default: no.
    #[must_use]
    pub fn null_is_missing(mut self, missing: bool) -> Profile {
        self.null_is_missing = missing;
        self
    }

    /// Sets whether `"arguments": null` means `{}`. Default: no, it is a malformed request.
    #[must_use]
    pub fn null_arguments(mut self, take: bool) -> Profile {
        self.null_arguments = take;
        self
    }

    /// Sets the answer to arguments that break the schema. Default: a result with `isError`.
    #[must_use]
    pub fn invalid_calls(mut self, answer: InvalidCalls) -> Profile {
        self.invalid_calls = answer;
        self
    }

    /// Allows a `resultType` of an extension that both sides have agreed on. Its results are passed
    /// through unchecked.
    #[must_use]
    pub fn result_type(mut self, name: &str) -> Profile {
        self.extensions.push(name.to_owned());
        self
    }

    /// Sets how many errors a text has. Default: all of them.
    #[must_use]
    pub fn told(mut self, told: Told) -> Profile {
        self.wording.told = told;
        self
    }

    /// Sets the SDK whose texts errors begin with. Default: our own texts.
    #[must_use]
    pub fn words(mut self, words: Words) -> Profile {
        self.words = words;
        self
    }

    /// Sets whether references may leave the schema. Default: no. With [`References::Bundled`] they
    /// may use documents inside it and [resources](Profile::resource). Nothing is ever fetched.
    #[must_use]
    pub fn references(mut self, references: References) -> Profile {
        self.references = references;
        self
    }

    /// Registers a schema under a URI, for references. This needs [`References::Bundled`].
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

    /// Sets whether the `$schema` at the root of a schema is ignored, so that every schema is read
    /// as [`Profile::dialect`]. Default: no.
    #[must_use]
    pub fn ignore_dialect(mut self, ignore: bool) -> Profile {
        self.ignores_dialect = ignore;
        self
    }

    /// Sets how depth and subschemas are counted. Default: as the engine does. [`Limits`] other
    /// than the defaults hold as well, counted by the engine.
    #[must_use]
    pub fn counting(mut self, counting: Counting) -> Profile {
        self.counting = counting;
        self
    }

    /// Sets the form of output schemas and values for clients from before 2026-07-28.
    #[must_use]
    pub fn wrapping(mut self, wrapping: Wrapping) -> Profile {
        self.wrapping = wrapping;
        self
    }

    /// Sets whether `format` is an assertion. Default: no, as in JSON Schema.
    #[must_use]
    pub fn assert_formats(mut self, assert: bool) -> Profile {
        self.assert_formats = assert;
        self
    }

    /// Adds a custom format, which is asserted if formats are.
    #[must_use]
    pub fn format(mut self, name: &str, check: impl Fn(&str) -> bool + Send + Sync + 'static) -> Profile {
        self.base = self.base.format(name, check);
        self
    }

    /// Excludes a format, built in or custom, from assertion.
    #[must_use]
    pub fn ignore_format(mut self, name: &str) -> Profile {
        self.ignored_formats.insert(name.to_owned());
        self
    }

    /// Sets the dialect of schemas that declare none. Default: 2020-12, as the specification says.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Profile {
        self.dialect = dialect;
        self
    }

    /// Sets the dialect for an unknown `$schema`. Without this, such a schema is refused.
    #[must_use]
    pub fn unknown_dialect(mut self, dialect: Dialect) -> Profile {
        self.unknown_dialect = Some(dialect);
        self
    }

    /// Sets whether `items` may be an array in schemas that declare no dialect. Default: no.
    #[must_use]
    pub fn array_items(mut self, tolerate: bool) -> Profile {
        self.array_items = tolerate;
        self
    }

    /// Sets whether an input schema is refused if its `x-mcp-header` annotations break the rules.
    /// Default: no. Clients on Streamable HTTP must refuse such tools, others may ignore the
    /// annotations.
    #[must_use]
    pub fn check_headers(mut self, check: bool) -> Profile {
        self.checks_headers = check;
        self
    }

    /// Sets whether a result without the text mirror that it needs is refused. Default: no. A
    /// server adds the mirror ([`Profile::mirror`]); a client that reads `structuredContent` does
    /// not need it.
    #[must_use]
    pub fn demand_mirror(mut self, demand: bool) -> Profile {
        self.demands_mirror = demand;
        self
    }

    /// Sets whether a client from before 2026-07-28 unwraps values from servers. Default: yes. An
    /// old server may have a tool that returns `{"result": …}` by itself, with a schema that looks
    /// like an envelope. To get such values unchanged, turn this off.
    #[must_use]
    pub fn open_envelopes(mut self, open: bool) -> Profile {
        self.opens_envelopes = open;
        self
    }

    /// Sets the texts of errors, for models and for people: another language, or without the
    /// values.
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

    /// Sets the seeds of hash tables, for hosts without randomness of their own, such as wasm. They
    /// change no answer.
    #[must_use]
    pub fn hash_seeds(mut self, seeds: [u64; 4]) -> Profile {
        self.base = self.base.hash_seeds(seeds);
        self
    }

    /// Sets the most characters of errors in a text for a model. Default: 2,000.
    #[must_use]
    pub fn text_length(mut self, characters: usize) -> Profile {
        self.wording.characters = characters;
        self
    }

    /// Returns all errors and warnings that the engine finds in a schema, for its author. A
    /// [`Refusal`](crate::Refusal) has only the first error. Takes longer than compiling.
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

    /// Compiles a schema that belongs to no tool, with the dialects, bounds and texts of this
    /// profile. MCP's rules for the roots of schemas are not applied.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion_mcp::Profile;
    ///
    /// let profile = Profile::typescript();
    /// assert!(profile.compile(&json!({"type": "array", "items": {"format": "date"}})).is_ok());
    /// let refusal = profile.compile(&json!({"$schema": "http://json-schema.org/draft-04/schema#"})).unwrap_err();
    /// assert!(refusal.to_string().starts_with("/$schema: http://json-schema.org/draft-04/schema: unsupported dialect"));
    /// ```
    ///
    /// # Errors
    ///
    /// If the profile or the engine refuses the schema.
    pub fn compile(&self, schema: &Value) -> Result<Validator, Refusal> {
        crate::schema::compile(Part::Alone, self, None, schema)
    }

    /// Returns the dialect of a schema: the declared one, or what this profile says.
    pub(crate) fn dialect_of(&self, schema: &Value) -> Dialect {
        match schema.get("$schema").and_then(Value::as_str) {
            Some(uri) if !self.ignores_dialect => {
                Dialect::from_uri(uri).or(self.unknown_dialect).unwrap_or(self.dialect)
            }
            Some(_) | None => self.dialect,
        }
    }

    /// Returns the dialect that a schema declares, if this profile refuses it.
    pub(crate) fn refused_dialect(&self, schema: &Value) -> Option<Dialect> {
        let declared = crate::dialect::declared(schema).filter(|_| !self.ignores_dialect);
        declared.filter(|dialect| self.refused_dialects.contains(dialect))
    }

    /// Returns a builder of validators with the dialects, references, resources, formats and limits
    /// of this profile, for schemas that belong to no tool. It does not apply MCP's rules, such as
    /// the type of a root.
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
