//! [`Refusal`]: the error for a refused schema, as a message for its author.

use crate::bounds::OutOfBounds;
use crate::header::HeaderFault;
use crate::legacy::NotWrapped;
use crate::profile::Words;
use crate::words;
use stanchion::{Dialect, SchemaError};
use std::fmt;

/// The schema that was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The `inputSchema` of a tool.
    Input,
    /// The `outputSchema` of a tool.
    Output,
    /// The `requestedSchema` of an elicitation.
    Requested,
    /// A schema that belongs to no tool: [`Profile::compile`](crate::Profile::compile).
    Alone,
}

impl Part {
    /// Returns its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            Part::Input => "inputSchema",
            Part::Output => "outputSchema",
            Part::Requested => "requestedSchema",
            Part::Alone => "schema",
        }
    }
}

/// A refused schema: which, where, and what was expected. `Display` is one line for the author of
/// the schema.
///
/// ```
/// use serde_json::json;
/// use stanchion_mcp::InputSchema;
///
/// let refusal = InputSchema::new(json!({"type": "array"})).unwrap_err();
/// assert_eq!(
///     refusal.to_string(),
///     "inputSchema: /type: expected \"object\", found \"array\": the arguments of a tool are an object",
/// );
/// ```
#[derive(Clone, Debug)]
pub struct Refusal(Box<Fault>);

#[derive(Clone, Debug)]
struct Fault {
    part: Part,
    reason: Reason,
    words: Words,
    is_envelope: bool,
}

/// The reason why a schema was refused.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Reason {
    /// The text is not JSON.
    Text {
        /// The parser's message.
        message: String,
    },
    /// The value is not a schema at all.
    Root {
        /// The expected value.
        expected: &'static str,
        /// The actual value.
        found: String,
    },
    /// The root of an input schema has another `type` than `"object"`, or none.
    Type {
        /// The actual `type`, if there is one.
        found: Option<String>,
    },
    /// The schema exceeds the bounds of a [counting mode](crate::Counting).
    Bounds(OutOfBounds),
    /// The engine refused the schema.
    Schema(SchemaError),
    /// `$schema` names a dialect that the profile refuses.
    Dialect {
        /// The dialect.
        dialect: Dialect,
    },
    /// The schema cannot be wrapped for older clients.
    Envelope(NotWrapped),
    /// An `x-mcp-header` annotation breaks the rules.
    Header(HeaderFault),
    /// A requested schema uses something outside of elicitation's subset.
    Subset {
        /// The place in the schema.
        path: String,
        /// The problem at that place.
        message: String,
    },
}

impl Refusal {
    pub(crate) fn new(part: Part, reason: Reason) -> Refusal {
        Refusal(Box::new(Fault { part, reason, words: Words::Stanchion, is_envelope: false }))
    }

    /// Sets the SDK whose texts the refusal uses.
    pub(crate) fn in_words(mut self, words: Words) -> Refusal {
        self.0.words = words;
        self
    }

    /// Marks the refusal as one of the wrapped schema for older clients.
    pub(crate) fn in_envelope(mut self) -> Refusal {
        self.0.is_envelope = true;
        self
    }

    /// Whether the schema itself is fine, but not its wrapped form for clients from before
    /// 2026-07-28.
    pub fn is_for_older_clients(&self) -> bool {
        self.0.is_envelope
    }

    /// Returns which schema was refused.
    pub fn part(&self) -> Part {
        self.0.part
    }

    /// Returns the reason.
    pub fn reason(&self) -> &Reason {
        &self.0.reason
    }

    /// Returns the place in the schema, as a JSON Pointer. Empty for the root, and if the size of
    /// the whole is the reason.
    pub fn path(&self) -> &str {
        match &self.0.reason {
            Reason::Type { found: Some(_) } => "/type",
            Reason::Dialect { .. } => "/$schema",
            Reason::Schema(error) => error.path(),
            Reason::Header(fault) => fault.path(),
            Reason::Subset { path, .. } => path,
            Reason::Text { .. }
            | Reason::Root { .. }
            | Reason::Type { found: None }
            | Reason::Bounds(_)
            | Reason::Envelope(_) => "",
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.part != Part::Alone {
            write!(f, "{}: ", self.0.part.name())?;
        }
        if self.0.is_envelope {
            f.write_str("in the envelope for clients from before 2026-07-28: ")?;
        }
        let words = self.0.words;
        match &self.0.reason {
            Reason::Text { message } => write!(f, "not JSON: {message}"),
            Reason::Root { expected, found } => write!(f, "expected {expected}, found {found}"),
            Reason::Type { found: Some(found) } => {
                write!(f, "/type: expected \"object\", found {found}: the arguments of a tool are an object")
            }
            Reason::Type { found: None } => {
                f.write_str("expected \"type\": \"object\" at the root, found no \"type\"")
            }
            Reason::Bounds(error) => write!(f, "{}", error.in_words(words)),
            Reason::Schema(error) => write!(f, "{error}{}", words.refused(error.kind())),
            Reason::Dialect { dialect } => write!(f, "/$schema: {}", words.dialect(dialect.uri())),
            Reason::Envelope(error) => write!(f, "{error}"),
            Reason::Header(fault) => write!(f, "{fault}"),
            Reason::Subset { path, message } => write!(f, "{}: {message}", words::place(path)),
        }
    }
}

impl std::error::Error for Refusal {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.reason {
            Reason::Bounds(error) => Some(error),
            Reason::Schema(error) => Some(error),
            Reason::Header(fault) => Some(fault),
            Reason::Envelope(error) => Some(error),
            Reason::Text { .. }
            | Reason::Root { .. }
            | Reason::Type { .. }
            | Reason::Dialect { .. }
            | Reason::Subset { .. } => None,
        }
    }
}
