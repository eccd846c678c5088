//! Why a schema was refused: [`SchemaError`].

use super::text::{did_you_mean, in_one_line, listed, quoted, shown_place};
use crate::document::pointer;
use stanchion_vocab::Dialect;
use std::fmt;

/// A schema was refused: what is wrong, where, and what was expected.
#[derive(Clone, Debug)]
pub struct SchemaError(Box<SchemaFault>);

#[derive(Clone, Debug)]
struct SchemaFault {
    /// Empty for the document that was given; the URI of a resource otherwise.
    document: String,
    path: String,
    kind: SchemaErrorKind,
}

/// Why a reference to a resource leads nowhere.
pub(crate) const NO_RESOURCE: &str = "no such resource was handed over";

/// The facts of a [`SchemaError`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SchemaErrorKind {
    /// A keyword's value breaks the metaschema.
    Expected {
        /// The values that may stand there, in words.
        wanted: String,
        /// The value that stands there, in words.
        found: String,
        /// The name that was probably meant.
        suggestion: Option<String>,
    },
    /// A reference leaves the document, and nothing outside may be referred to.
    Outside {
        /// The reference.
        reference: String,
    },
    /// A reference leads nowhere among what was handed over.
    Unresolved {
        /// The reference.
        reference: String,
        /// Why it leads nowhere, in words.
        why: &'static str,
        /// A reference like it that leads somewhere.
        suggestion: Option<String>,
    },
    /// A reference comes back to where it started without going into the instance.
    Ring {
        /// The reference, or else «this subschema».
        reference: String,
    },
    /// A pattern is not ECMA-262.
    Pattern {
        /// The pattern.
        pattern: String,
        /// The mistake in it, in words.
        why: String,
    },
    /// `$schema` names a dialect that is neither known nor handed over.
    Dialect {
        /// The value of `$schema`.
        uri: String,
    },
    /// A metaschema demands a vocabulary that is not known.
    Vocabulary {
        /// The vocabulary.
        uri: String,
    },
    /// A number has an exponent that is beyond what is computed with.
    Exponent,
    /// Two subschemas claim one name.
    Duplicate {
        /// The kind of name: `$id` or `anchor`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Something is larger than a limit allows.
    Limit {
        /// The things of which there are too many, in words.
        what: &'static str,
        /// How much there may be.
        limit: u64,
        /// The name of the limit, as in [`Limits`](crate::Limits).
        name: &'static str,
        /// How much there is.
        found: u64,
        /// Whether there may be more than that, as counting ends somewhere.
        more: bool,
    },
    /// The builder was given resources that it may not use.
    ResourcesNotUsed {
        /// The resource.
        uri: String,
    },
}

impl SchemaError {
    pub(crate) fn new(document: &str, path: String, kind: SchemaErrorKind) -> SchemaError {
        let [document, path] = [document, &path].map(|text| pointer::shortened(text, pointer::LONGEST));
        SchemaError(Box::new(SchemaFault { document, path, kind }))
    }

    /// The place in the schema, as a JSON Pointer. One of more than 1,024 bytes is cut in its middle, where an ellipsis stands.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// The URI of the resource that is at fault, cut like the path; empty for the schema itself.
    pub fn document(&self) -> &str {
        &self.0.document
    }

    /// The facts of the error.
    pub fn kind(&self) -> &SchemaErrorKind {
        &self.0.kind
    }

    /// Describes the error in a sentence, without the place.
    pub fn message(&self) -> String {
        self.0.kind.to_string()
    }

    /// Says what a program can do about it, if there is something: what to set, in Rust. It is no part of the message, which may be for
    /// somebody who does not know of this library.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion::{Limits, Validator};
    ///
    /// let builder = Validator::builder().limits(Limits::default().subschemas(2));
    /// let error = builder.build(&json!({"items": {"not": {"type": "null"}}})).unwrap_err();
    /// assert_eq!(error.to_string(), "schema has 3 subschemas, the limit is 2");
    /// assert_eq!(error.hint().as_deref(), Some("raise it with Limits::subschemas"));
    /// ```
    pub fn hint(&self) -> Option<String> {
        let kind = &self.0.kind;
        let hint = if let SchemaErrorKind::Limit { name, .. } = kind {
            return Some(format!("raise it with Limits::{name}"));
        } else if let SchemaErrorKind::Outside { .. } = kind {
            "References::Bundled follows references to `$id`s in the document and to resources that are handed over"
        } else if let SchemaErrorKind::ResourcesNotUsed { .. } = kind {
            "References::Bundled lets references lead to resources"
        } else if let SchemaErrorKind::Unresolved { why: NO_RESOURCE, .. } = kind {
            "hand it over with ValidatorBuilder::resource"
        } else if let SchemaErrorKind::Dialect { .. } = kind {
            "ValidatorBuilder::unknown_dialect takes a dialect for such schemas"
        } else {
            return None;
        };
        Some(hint.to_owned())
    }

    /// Whether the schema breaks its metaschema, as opposed to a limit, a reference or a pattern.
    pub fn is_metaschema_violation(&self) -> bool {
        matches!(self.0.kind, SchemaErrorKind::Expected { .. })
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SchemaFault { document, path, kind } = &*self.0;
        if let SchemaErrorKind::Limit { .. } = kind {
            return write!(f, "schema {kind}");
        }
        if !document.is_empty() {
            write!(f, "{}#", in_one_line(document))?;
        }
        write!(f, "{}: {kind}", shown_place(path))
    }
}

impl std::error::Error for SchemaError {}

impl fmt::Display for SchemaErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SchemaErrorKind::Expected { wanted, found, suggestion } => {
                write!(f, "expected {wanted}, found {found}{}", did_you_mean(suggestion.as_deref()))
            }
            SchemaErrorKind::Outside { reference } => write!(
                f,
                "reference {} leaves the document; only references that start with # are followed",
                quoted(reference)
            ),
            SchemaErrorKind::Unresolved { reference, suggestion: Some(near), .. } => {
                write!(f, "no {}; there is {}", quoted(reference), quoted(near))
            }
            SchemaErrorKind::Unresolved { reference, why, suggestion: None } => {
                write!(f, "reference {} leads nowhere: {why}", quoted(reference))
            }
            SchemaErrorKind::Ring { reference } => {
                write!(f, "{} comes back to itself on the same instance, without end", in_one_line(reference))
            }
            SchemaErrorKind::Pattern { pattern, why } => {
                write!(f, "pattern {} is not an ECMA-262 pattern: {}", quoted(pattern), in_one_line(why))
            }
            SchemaErrorKind::Dialect { uri } => {
                let known = Dialect::ALL.iter().rev().map(|dialect| dialect.uri());
                write!(f, "dialect {} is not known; known are {}", quoted(uri), listed(known))
            }
            SchemaErrorKind::Vocabulary { uri } => {
                write!(f, "the metaschema requires the vocabulary {}, which is not known", quoted(uri))
            }
            SchemaErrorKind::Exponent => f.write_str("a number has an exponent of more than 17 digits"),
            SchemaErrorKind::Duplicate { what, name } => write!(f, "{what} {} is there twice", quoted(name)),
            SchemaErrorKind::Limit { what, limit, found, more, .. } => {
                let least = if *more { "at least " } else { "" };
                write!(f, "has {least}{found} {what}, the limit is {limit}")
            }
            SchemaErrorKind::ResourcesNotUsed { uri } => {
                write!(f, "resource {} was handed over, but references stay in the document", quoted(uri))
            }
        }
    }
}
