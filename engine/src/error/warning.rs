//! Warnings about what a schema probably did not mean: [`SchemaWarning`].

use super::text::{did_you_mean, in_one_line, quoted, shown_place};
use stanchion_vocab::Dialect;
use std::fmt;

/// A schema says something that has no effect, and was probably meant to have one.
#[derive(Clone, Debug)]
pub struct SchemaWarning {
    pub(crate) document: String,
    pub(crate) path: String,
    pub(crate) kind: SchemaWarningKind,
}

/// The facts of a [`SchemaWarning`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SchemaWarningKind {
    /// A keyword that nobody knows, and whose name is near to one that has a meaning.
    MisspeltKeyword {
        /// As it is written.
        name: String,
        /// The keyword that was probably meant.
        suggestion: String,
    },
    /// A keyword of another dialect.
    OtherDialect {
        /// The keyword.
        name: String,
        /// The dialect of the schema, which does not have it.
        dialect: Dialect,
    },
    /// A keyword beside a `$ref`, in a dialect where that hides all others.
    HiddenByReference {
        /// The keyword.
        name: String,
        /// The dialect of the schema.
        dialect: Dialect,
    },
    /// A format that nobody knows.
    UnknownFormat {
        /// As it is written.
        name: String,
        /// The format that was probably meant.
        suggestion: Option<String>,
    },
}

impl SchemaWarning {
    /// The place in the schema, as a JSON Pointer. One of more than 1,024 bytes is cut in its middle, where an ellipsis stands.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The URI of the resource that it is in; empty for the schema itself.
    pub fn document(&self) -> &str {
        &self.document
    }

    /// The facts of the warning.
    pub fn kind(&self) -> &SchemaWarningKind {
        &self.kind
    }

    /// Describes the warning in a sentence, without the place.
    pub fn message(&self) -> String {
        self.kind.to_string()
    }
}

impl fmt::Display for SchemaWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.document.is_empty() {
            write!(f, "{}#", in_one_line(&self.document))?;
        }
        write!(f, "{}: {}", shown_place(&self.path), self.kind)
    }
}

impl fmt::Display for SchemaWarningKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SchemaWarningKind::MisspeltKeyword { name, suggestion } => {
                write!(f, "unknown keyword {}{}", quoted(name), did_you_mean(Some(suggestion)))
            }
            SchemaWarningKind::OtherDialect { name, dialect } => {
                write!(f, "keyword {} has no meaning in {}", quoted(name), dialect.uri())
            }
            SchemaWarningKind::HiddenByReference { name, dialect } => {
                write!(f, "keyword {} is hidden by the \"$ref\" beside it in {}", quoted(name), dialect.uri())
            }
            SchemaWarningKind::UnknownFormat { name, suggestion } => {
                write!(f, "unknown format {}{}", quoted(name), did_you_mean(suggestion.as_deref()))
            }
        }
    }
}
