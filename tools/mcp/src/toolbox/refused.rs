//! Tools that were refused.

use super::TOOLS;
use crate::profile::Words;
use crate::refusal::Refusal;
use crate::words;
use serde_json::{Value, json};
use std::fmt;

/// A refused tool: which, and why. `Display` is one line for its author.
#[derive(Clone, Debug)]
pub struct RefusedTool {
    name: Option<String>,
    index: Option<usize>,
    fault: Box<ToolFault>,
    words: Words,
}

/// The reason why a tool was refused.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ToolFault {
    /// The definition is malformed.
    Definition {
        /// The place in the definition.
        path: &'static str,
        /// The expected value.
        expected: &'static str,
        /// The actual value.
        found: String,
    },
    /// A schema was refused.
    Schema(Refusal),
    /// Another tool of the list has the same name.
    Duplicate,
    /// The list has more than [`TOOLS`]; this is the first beyond.
    TooMany,
}

impl ToolFault {
    pub(crate) fn expected(path: &'static str, expected: &'static str, found: Option<&Value>) -> ToolFault {
        ToolFault::Definition {
            path,
            expected,
            found: found.map_or_else(|| "nothing".to_owned(), words::found),
        }
    }
}

impl RefusedTool {
    pub(crate) fn new(name: Option<String>, fault: ToolFault) -> RefusedTool {
        RefusedTool { name, index: None, fault: Box::new(fault), words: Words::Stanchion }
    }

    pub(super) fn at(self, index: usize) -> RefusedTool {
        RefusedTool { index: Some(index), ..self }
    }

    pub(crate) fn in_words(self, words: Words) -> RefusedTool {
        RefusedTool { words, ..self }
    }

    /// Returns the refusal as JSON: `{"name", "index", "part", "path", "message"}`.
    pub fn to_json(&self) -> Value {
        let refusal = if let ToolFault::Schema(refusal) = self.fault() { Some(refusal) } else { None };
        json!({
            "name": self.name,
            "index": self.index,
            "part": refusal.map(|refusal| refusal.part().name()),
            "path": refusal.map(Refusal::path),
            "message": self.to_string(),
        })
    }

    /// Returns the tool's name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns its index in the list, if it was in one.
    pub fn index(&self) -> Option<usize> {
        self.index
    }

    /// Returns the reason.
    pub fn fault(&self) -> &ToolFault {
        &self.fault
    }
}

impl fmt::Display for RefusedTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.name, self.index) {
            (Some(name), _) => write!(f, "tool {}: ", words::quoted(name))?,
            (None, Some(index)) => write!(f, "tool {index}: ")?,
            (None, None) => f.write_str("tool: ")?,
        }
        match &*self.fault {
            ToolFault::Definition { path, expected, found } => {
                write!(f, "{}: expected {expected}, found {found}", words::place(path))
            }
            ToolFault::Schema(refusal) => {
                f.write_str(&self.words.schema(self.name().unwrap_or_default()).unwrap_or_default())?;
                write!(f, "{refusal}")
            }
            ToolFault::Duplicate => f.write_str("another tool has the same name"),
            ToolFault::TooMany => write!(f, "the list has more than {TOOLS} tools"),
        }
    }
}

impl std::error::Error for RefusedTool {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &*self.fault {
            ToolFault::Schema(refusal) => Some(refusal),
            ToolFault::Definition { .. } | ToolFault::Duplicate | ToolFault::TooMany => None,
        }
    }
}
