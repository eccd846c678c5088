//! [`Profile`]: the choices that SDKs make differently, in one place.

use crate::bounds::Counting;
use crate::legacy::Wrapping;
use crate::violations::Wording;
use serde_json::Value;
use stanchion::{Diagnosis, Dialect, Limits, Messages, Validator, ValidatorBuilder};
use std::fmt;

/// What to do with an input schema whose root has no `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum MissingType {
    /// Refuse it: the specification wants `"type": "object"`.
    #[default]
    Refuse,
    /// Read it, and send it, as if it had `"type": "object"`.
    Object,
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
    builder: ValidatorBuilder,
    limits: Limits,
    pub(crate) missing_type: MissingType,
    pub(crate) shorthand_output: bool,
    pub(crate) counting: Counting,
    pub(crate) wrapping: Wrapping,
    pub(crate) checks_headers: bool,
    pub(crate) demands_mirror: bool,
    pub(crate) opens_envelopes: bool,
    pub(crate) wording: Wording,
}

impl Default for Profile {
    fn default() -> Profile {
        Profile {
            builder: Validator::builder(),
            limits: Limits::default(),
            missing_type: MissingType::default(),
            shorthand_output: false,
            counting: Counting::default(),
            wrapping: Wrapping::default(),
            checks_headers: false,
            demands_mirror: false,
            opens_envelopes: true,
            wording: Wording::default(),
        }
    }
}

impl Profile {
    /// Takes what published servers send: a missing root `type`, output schemas in shorthand, and an array for `items` where no dialect is
    /// declared. Bounds and references are as strict as ever.
    pub fn lenient() -> Profile {
        Profile::default().missing_type(MissingType::Object).shorthand_output(true).array_items(true)
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
    /// `enum`: no. With this, `{"properties": …}` is read, and sent, with `"type": "object"`.
    #[must_use]
    pub fn shorthand_output(mut self, shorthand: bool) -> Profile {
        self.shorthand_output = shorthand;
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
        self.builder = self.builder.assert_formats(assert);
        self
    }

    /// A format of the caller's own, asserted where formats are.
    #[must_use]
    pub fn format(mut self, name: &str, check: impl Fn(&str) -> bool + Send + Sync + 'static) -> Profile {
        self.builder = self.builder.format(name, check);
        self
    }

    /// The dialect of schemas that declare none: 2020-12, which is what the specification says.
    #[must_use]
    pub fn dialect(mut self, dialect: Dialect) -> Profile {
        self.builder = self.builder.dialect(dialect);
        self
    }

    /// The dialect to take where `$schema` names one that is not known. Without this, such a schema is refused by name.
    #[must_use]
    pub fn unknown_dialect(mut self, dialect: Dialect) -> Profile {
        self.builder = self.builder.unknown_dialect(dialect);
        self
    }

    /// Whether `items` may be an array in schemas that declare no dialect: no.
    #[must_use]
    pub fn array_items(mut self, tolerate: bool) -> Profile {
        self.builder = self.builder.array_items(tolerate);
        self
    }

    /// Whether an input schema is refused if its `x-mcp-header` annotations break the rules: no. Clients on Streamable HTTP must refuse such
    /// tools, others may ignore the annotations.
    #[must_use]
    pub fn check_headers(mut self, check: bool) -> Profile {
        self.checks_headers = check;
        self
    }

    /// Whether a result without the text mirror that it needs is refused: no. A server adds the mirror, see
    /// [`Checked::mirror`](crate::Checked::mirror); a client that reads `structuredContent` can do without.
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

    /// The builder of validators that this profile stands for.
    pub(crate) fn builder(&self) -> ValidatorBuilder {
        self.builder.clone().limits(self.counting.limits(self.limits))
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
