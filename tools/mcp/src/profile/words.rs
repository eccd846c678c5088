//! Texts that users and tests of an SDK look for, around our own.

use crate::profile::Told;
use stanchion::{ErrorKind, Errors, Messages, SchemaErrorKind};

/// The SDK whose texts errors begin with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Words {
    /// Our own.
    #[default]
    Stanchion,
    /// The texts of the TypeScript SDK.
    TypeScript,
    /// The texts of the Python SDK.
    Python,
    /// The texts of the Ruby SDK.
    Ruby,
    /// The texts of the Java SDK.
    Java,
    /// The texts of the Go SDK.
    Go,
}

impl Words {
    /// Returns the line above the errors of arguments.
    pub(crate) fn arguments(self, tool: &str) -> String {
        match self {
            Words::Stanchion => "The arguments do not conform to the tool's input schema:".to_owned(),
            Words::TypeScript => format!("Input validation error: Invalid arguments for tool {tool}:"),
            Words::Python => "Input validation error:".to_owned(),
            Words::Ruby => "Invalid arguments:".to_owned(),
            Words::Java => "Validation failed: the arguments do not match the input schema. JSON schema validation errors:".to_owned(),
            Words::Go => "validating \"arguments\":".to_owned(),
        }
    }

    /// Returns the line above the errors of structured content.
    pub(crate) fn content(self, tool: &str) -> String {
        match self {
            Words::Stanchion => {
                "The structured content does not conform to the tool's output schema:".to_owned()
            }
            Words::TypeScript => {
                format!("Output validation error: Invalid structured content for tool {tool}:")
            }
            Words::Python => format!("Invalid structured content returned by tool {tool}:"),
            Words::Ruby => "Invalid result:".to_owned(),
            Words::Java => "Validation failed: structuredContent does not match the outputSchema. JSON schema validation errors:".to_owned(),
            Words::Go => "validating tool output:".to_owned(),
        }
    }

    /// Returns the text for a result without structured content.
    pub(crate) fn missing(self, tool: &str) -> String {
        match self {
            Words::Stanchion => {
                "The tool has an output schema, but its result has no structuredContent.".to_owned()
            }
            Words::TypeScript => {
                format!("Output validation error: Tool {tool} has an output schema but no structured content")
            }
            Words::Python => {
                format!("Tool {tool} has an output schema but did not return structured content")
            }
            Words::Ruby => "Invalid result: structured content is missing".to_owned(),
            Words::Java => {
                "Validation failed: the result is missing structured content, which the outputSchema expects"
                    .to_owned()
            }
            Words::Go => "validating tool output: no structured content".to_owned(),
        }
    }

    /// Returns the text before the reason why a schema was refused.
    pub(crate) fn schema(self, tool: &str) -> Option<String> {
        match self {
            Words::Stanchion | Words::TypeScript | Words::Go => None,
            Words::Python => Some(format!("Invalid schema for tool {tool}: ")),
            Words::Ruby => Some("Invalid JSON Schema: ".to_owned()),
            Words::Java => Some(format!("Tool '{tool}': invalid JSON Schema: ")),
        }
    }

    /// Returns the text for a reference out of the document.
    pub(crate) fn outside(self) -> &'static str {
        match self {
            Words::Ruby => " (only same-document references, which start with '#', are supported)",
            Words::Stanchion | Words::TypeScript | Words::Python | Words::Java | Words::Go => "",
        }
    }

    /// Returns the text, beside our own, for a schema that the engine refused.
    pub(crate) fn refused(self, kind: &SchemaErrorKind) -> &'static str {
        match (self, kind) {
            (Words::Ruby, SchemaErrorKind::Outside { .. }) => self.outside(),
            (Words::Ruby, SchemaErrorKind::Limit { name: "depth", .. }) => " (the maximum depth)",
            (Words::TypeScript, SchemaErrorKind::Dialect { .. }) => TYPESCRIPT_DIALECTS,
            _ => "",
        }
    }

    /// Formats the errors of a value, in lines.
    pub(crate) fn errors(
        self,
        errors: &Errors,
        messages: &Messages,
        told: Told,
        characters: usize,
    ) -> String {
        let text = match told {
            Told::All => messages.for_model(errors, characters),
            Told::Best => {
                let first = errors.as_slice().first().map(|error| messages.line(error));
                first.unwrap_or_default().chars().take(characters).collect()
            }
        };
        match (self, errors.as_slice().first().map(stanchion::ValidationError::kind)) {
            (Words::Go, Some(ErrorKind::Type { expected, .. })) => {
                let wanted: Vec<String> =
                    expected.iter().map(|kind| format!("\"{}\"", kind.name())).collect();
                format!("{text}: want {}", wanted.join(" or "))
            }
            _ => text,
        }
    }
}

/// The dialects that the TypeScript SDK names where it refuses another.
const TYPESCRIPT_DIALECTS: &str =
    ": unsupported dialect; supported are JSON Schema 2020-12, 2019-09, draft-07, and draft-06";

impl Words {
    /// Returns the text for a dialect that the profile refuses.
    pub(crate) fn dialect(self, uri: &str) -> String {
        match self {
            Words::TypeScript => format!("{uri}{TYPESCRIPT_DIALECTS}"),
            Words::Stanchion | Words::Python | Words::Ruby | Words::Java | Words::Go => {
                format!("{uri}: unsupported dialect")
            }
        }
    }
}
