//! Why a schema was refused ([`SchemaError`]), and why an instance was ([`ValidationError`]).
//!
//! Both are opaque: methods give the place and the facts, `Display` gives one line that starts with
//! the place. A new keyword or a new limit is no breaking change.

use crate::limits::Exhausted;
use serde_json::Value;
use stanchion_vocab::{Type, TypeSet};
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

/// What is wrong with a schema.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum SchemaErrorKind {
    /// A keyword's value breaks the metaschema.
    Expected { wanted: String, found: String },
    /// A reference leaves the document, and nothing outside may be referred to.
    Outside { reference: String },
    /// A reference leads nowhere among what was handed over.
    Unresolved { reference: String, why: &'static str },
    /// A reference comes back to where it started without going into the instance.
    Ring { reference: String },
    /// A pattern is not ECMA-262.
    Pattern { pattern: String, why: String },
    /// `$schema` names a dialect that is neither known nor handed over.
    Dialect { uri: String },
    /// A metaschema demands a vocabulary that is not known.
    Vocabulary { uri: String },
    /// A number has an exponent that is beyond what is computed with.
    Exponent,
    /// Two subschemas claim one name.
    Duplicate { what: &'static str, name: String },
    /// Something is larger than a limit allows.
    Limit { what: &'static str, limit: u64, name: &'static str },
    /// The builder was given resources that it may not use.
    ResourcesNotUsed { uri: String },
}

impl SchemaError {
    pub(crate) fn new(document: &str, path: String, kind: SchemaErrorKind) -> SchemaError {
        SchemaError(Box::new(SchemaFault { document: document.to_owned(), path, kind }))
    }

    /// The place in the schema, as a JSON Pointer.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// The URI of the resource that is at fault; empty for the schema itself.
    pub fn document(&self) -> &str {
        &self.0.document
    }

    /// Whether the schema breaks its metaschema, as opposed to a limit, a reference or a pattern.
    pub fn is_metaschema_violation(&self) -> bool {
        matches!(self.0.kind, SchemaErrorKind::Expected { .. })
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SchemaFault { document, path, kind } = &*self.0;
        if let SchemaErrorKind::Limit { what, limit, name } = kind {
            return write!(f, "schema has more than {limit} {what} (Limits::{name})");
        }
        if !document.is_empty() {
            write!(f, "{document}#")?;
        }
        write!(f, "{}: ", if path.is_empty() { "/" } else { path })?;
        match kind {
            SchemaErrorKind::Expected { wanted, found } => write!(f, "expected {wanted}, found {found}"),
            SchemaErrorKind::Outside { reference } => write!(
                f,
                "reference \"{reference}\" leaves the document; only references that start with # are followed (References::Local)"
            ),
            SchemaErrorKind::Unresolved { reference, why } => {
                write!(f, "reference \"{reference}\" leads nowhere: {why}")
            }
            SchemaErrorKind::Ring { reference } => {
                write!(f, "{reference} comes back to itself on the same instance, without end")
            }
            SchemaErrorKind::Pattern { pattern, why } => {
                write!(f, "pattern \"{}\" is not an ECMA-262 pattern: {why}", cut(pattern))
            }
            SchemaErrorKind::Dialect { uri } => {
                write!(f, "dialect \"{uri}\" is not known; known are ")?;
                for (index, dialect) in stanchion_vocab::Dialect::ALL.iter().rev().enumerate() {
                    write!(f, "{}{}", if index > 0 { ", " } else { "" }, dialect.uri())?;
                }
                Ok(())
            }
            SchemaErrorKind::Vocabulary { uri } => {
                write!(f, "the metaschema requires the vocabulary \"{uri}\", which is not known")
            }
            SchemaErrorKind::Exponent => f.write_str("a number has an exponent of more than 17 digits"),
            SchemaErrorKind::Duplicate { what, name } => write!(f, "{what} \"{name}\" is there twice"),
            SchemaErrorKind::ResourcesNotUsed { uri } => write!(
                f,
                "resource \"{uri}\" was handed over, but references stay in the document (References::Local)"
            ),
            SchemaErrorKind::Limit { .. } => unreachable!("written above"),
        }
    }
}

impl std::error::Error for SchemaError {}

/// An instance was refused: the keyword, the place in the instance and in the schema, and the facts.
#[derive(Clone, Debug)]
pub struct ValidationError(pub(crate) Box<Fault>);

#[derive(Clone, Debug)]
pub(crate) struct Fault {
    pub(crate) keyword: String,
    pub(crate) instance_path: String,
    pub(crate) schema_path: String,
    pub(crate) evaluation_path: String,
    pub(crate) absolute_location: String,
    pub(crate) kind: ErrorKind,
}

impl ValidationError {
    pub(crate) fn exhaustion(exhausted: Exhausted) -> ValidationError {
        ValidationError(Box::new(Fault {
            keyword: String::new(),
            instance_path: String::new(),
            schema_path: String::new(),
            evaluation_path: String::new(),
            absolute_location: String::new(),
            kind: ErrorKind::Exhausted(exhausted),
        }))
    }

    /// The keyword that was not satisfied. Where a `false` refused, the keyword that applied it;
    /// empty at the root.
    pub fn keyword(&self) -> &str {
        &self.0.keyword
    }

    /// The place in the instance, as a JSON Pointer.
    pub fn instance_path(&self) -> &str {
        &self.0.instance_path
    }

    /// The keyword's place in its own document, as a JSON Pointer.
    pub fn schema_path(&self) -> &str {
        &self.0.schema_path
    }

    /// The way to the keyword from the root of the schema, through references, as a JSON Pointer.
    pub fn evaluation_path(&self) -> &str {
        &self.0.evaluation_path
    }

    /// The keyword's place as a URI: that of its resource, and a pointer within it.
    pub fn absolute_location(&self) -> &str {
        &self.0.absolute_location
    }

    /// What is wrong, with the facts.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// What ran out, if the run ended before it had a verdict.
    pub fn exhausted(&self) -> Option<Exhausted> {
        if let ErrorKind::Exhausted(exhausted) = self.0.kind { Some(exhausted) } else { None }
    }

    /// What is wrong, in a sentence without the place.
    pub fn message(&self) -> String {
        self.0.kind.to_string()
    }
}

impl fmt::Display for ValidationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.exhausted().is_some() {
            return write!(f, "{}", self.0.kind);
        }
        let place = if self.0.instance_path.is_empty() { "/" } else { &self.0.instance_path };
        write!(f, "{place}: {}", self.0.kind)
    }
}

impl std::error::Error for ValidationError {}

/// What is wrong with an instance, with the facts. Numbers are given as text, to keep every digit.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The schema is `false`: nothing is allowed here. With the name, where it is a member.
    Never {
        /// The member that is not allowed.
        name: Option<String>,
    },
    /// `type`
    Type {
        /// The types that were allowed.
        expected: TypeSet,
        /// The type that was found.
        found: Type,
    },
    /// `const`
    Const {
        /// The only value that was allowed.
        expected: Value,
    },
    /// `enum`
    Enum {
        /// The instance, as JSON text, cut.
        found: String,
        /// The values that were allowed.
        expected: Vec<Value>,
    },
    /// `minimum`
    Minimum {
        /// The limit.
        limit: String,
        /// The instance.
        found: String,
    },
    /// `maximum`
    Maximum {
        /// The limit.
        limit: String,
        /// The instance.
        found: String,
    },
    /// `exclusiveMinimum`
    ExclusiveMinimum {
        /// The limit.
        limit: String,
        /// The instance.
        found: String,
    },
    /// `exclusiveMaximum`
    ExclusiveMaximum {
        /// The limit.
        limit: String,
        /// The instance.
        found: String,
    },
    /// `multipleOf`
    MultipleOf {
        /// The divisor.
        divisor: String,
        /// The instance.
        found: String,
    },
    /// `minLength`
    MinLength {
        /// The limit.
        limit: u64,
        /// The code points that there are.
        found: u64,
    },
    /// `maxLength`
    MaxLength {
        /// The limit.
        limit: u64,
        /// The code points that there are.
        found: u64,
    },
    /// `pattern`
    Pattern {
        /// The pattern.
        pattern: String,
        /// The text, cut.
        found: String,
    },
    /// `format`
    Format {
        /// The format's name.
        format: String,
        /// The text, cut.
        found: String,
    },
    /// `contentEncoding`, `contentMediaType`
    Content {
        /// What the text should have held.
        expected: &'static str,
    },
    /// `minItems`
    MinItems {
        /// The limit.
        limit: u64,
        /// The items that there are.
        found: u64,
    },
    /// `maxItems`
    MaxItems {
        /// The limit.
        limit: u64,
        /// The items that there are.
        found: u64,
    },
    /// `uniqueItems`
    UniqueItems {
        /// The places of two equal items.
        equal: (usize, usize),
    },
    /// `contains`, `minContains`, `maxContains`
    Contains {
        /// How many must be accepted, at least.
        least: u64,
        /// How many may be accepted, at most.
        most: Option<u64>,
        /// How many are accepted; counting stops at one too many.
        found: u64,
    },
    /// `minProperties`
    MinProperties {
        /// The limit.
        limit: u64,
        /// The members that there are.
        found: u64,
    },
    /// `maxProperties`
    MaxProperties {
        /// The limit.
        limit: u64,
        /// The members that there are.
        found: u64,
    },
    /// `required`
    Required {
        /// The names that are not there.
        missing: Vec<String>,
    },
    /// `dependentRequired`, and `dependencies` on names
    DependentRequired {
        /// The member that is there.
        name: String,
        /// The names that must then be there, and are not.
        missing: Vec<String>,
    },
    /// `propertyNames`
    PropertyNames {
        /// The name that was refused.
        name: String,
        /// Why.
        errors: Vec<ValidationError>,
    },
    /// `anyOf`
    AnyOf {
        /// Why each branch refused.
        branches: Vec<Vec<ValidationError>>,
    },
    /// `oneOf`
    OneOf {
        /// The branches that accepted, if more than one did.
        accepted: Vec<usize>,
        /// Why each branch refused, if none accepted.
        branches: Vec<Vec<ValidationError>>,
    },
    /// `not`
    Not,
    /// The run ended before it had a verdict.
    Exhausted(Exhausted),
}

impl ErrorKind {
    /// About how much memory the facts take.
    pub(crate) fn bytes(&self) -> usize {
        let texts = |texts: &[String]| texts.iter().map(|text| size_of::<String>() + text.len()).sum();
        match self {
            ErrorKind::Const { expected } => value_bytes(expected),
            ErrorKind::Enum { expected, .. } => expected.iter().map(value_bytes).sum(),
            ErrorKind::Pattern { pattern, .. } => pattern.len(),
            ErrorKind::Format { format, .. } => format.len(),
            ErrorKind::Required { missing } => texts(missing),
            ErrorKind::DependentRequired { name, missing } => name.len() + texts(missing),
            ErrorKind::OneOf { accepted, .. } => accepted.len() * size_of::<usize>(),
            // Numbers and excerpts are short; what is inside unions is counted for itself.
            ErrorKind::Never { .. }
            | ErrorKind::Type { .. }
            | ErrorKind::Minimum { .. }
            | ErrorKind::Maximum { .. }
            | ErrorKind::ExclusiveMinimum { .. }
            | ErrorKind::ExclusiveMaximum { .. }
            | ErrorKind::MultipleOf { .. }
            | ErrorKind::MinLength { .. }
            | ErrorKind::MaxLength { .. }
            | ErrorKind::Content { .. }
            | ErrorKind::MinItems { .. }
            | ErrorKind::MaxItems { .. }
            | ErrorKind::UniqueItems { .. }
            | ErrorKind::Contains { .. }
            | ErrorKind::MinProperties { .. }
            | ErrorKind::MaxProperties { .. }
            | ErrorKind::PropertyNames { .. }
            | ErrorKind::AnyOf { .. }
            | ErrorKind::Not
            | ErrorKind::Exhausted(_) => 0,
        }
    }
}

/// The memory that a value takes, about. Values of a schema are not nested deeper than it may be.
pub(crate) fn value_bytes(value: &Value) -> usize {
    size_of::<Value>()
        + match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => 0,
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(value_bytes).sum(),
            Value::Object(map) => map.iter().map(|(name, value)| name.len() + value_bytes(value)).sum(),
        }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ErrorKind::Never { name: Some(name) } => write!(f, "property {} is not allowed", quoted(name)),
            ErrorKind::Never { name: None } => f.write_str("nothing is allowed here"),
            ErrorKind::Type { expected, found } => {
                write!(f, "expected {}, found {}", alternatives(*expected), with_article(*found))
            }
            ErrorKind::Const { expected } => write!(f, "expected {}", cut(&expected.to_string())),
            ErrorKind::Enum { found, expected } => {
                write!(f, "{found} is not one of ")?;
                list(f, expected.iter().map(|value| cut(&value.to_string())), expected.len())
            }
            ErrorKind::Minimum { limit, found } => write!(f, "{found} is less than the minimum {limit}"),
            ErrorKind::Maximum { limit, found } => write!(f, "{found} is more than the maximum {limit}"),
            ErrorKind::ExclusiveMinimum { limit, found } => {
                write!(f, "{found} is not more than the exclusive minimum {limit}")
            }
            ErrorKind::ExclusiveMaximum { limit, found } => {
                write!(f, "{found} is not less than the exclusive maximum {limit}")
            }
            ErrorKind::MultipleOf { divisor, found } => write!(f, "{found} is not a multiple of {divisor}"),
            ErrorKind::MinLength { limit, found } => {
                write!(f, "{found} characters are fewer than the minimum {limit}")
            }
            ErrorKind::MaxLength { limit, found } => {
                write!(f, "{found} characters are more than the maximum {limit}")
            }
            ErrorKind::Pattern { pattern, found } => {
                write!(f, "{found} does not match the pattern {}", quoted(pattern))
            }
            ErrorKind::Format { format, found } => {
                write!(f, "{found} is not of the format {}", quoted(format))
            }
            ErrorKind::Content { expected } => write!(f, "this text does not hold {expected}"),
            ErrorKind::MinItems { limit, found } => {
                write!(f, "{found} items are fewer than the minimum {limit}")
            }
            ErrorKind::MaxItems { limit, found } => {
                write!(f, "{found} items are more than the maximum {limit}")
            }
            ErrorKind::UniqueItems { equal: (first, second) } => {
                write!(f, "items {first} and {second} are equal")
            }
            ErrorKind::Contains { least, most, found } => match most {
                Some(most) if found > most => {
                    write!(f, "more than {most} items are accepted by \"contains\"")
                }
                Some(_) | None => {
                    write!(f, "{found} items are accepted by \"contains\", fewer than the minimum {least}")
                }
            },
            ErrorKind::MinProperties { limit, found } => {
                write!(f, "{found} properties are fewer than the minimum {limit}")
            }
            ErrorKind::MaxProperties { limit, found } => {
                write!(f, "{found} properties are more than the maximum {limit}")
            }
            ErrorKind::Required { missing } => {
                let noun = if missing.len() == 1 { "property" } else { "properties" };
                write!(f, "missing required {noun} ")?;
                list(f, missing.iter().map(|name| quoted(name)), missing.len())
            }
            ErrorKind::DependentRequired { name, missing } => {
                write!(f, "property {} requires ", quoted(name))?;
                list(f, missing.iter().map(|name| quoted(name)), missing.len())
            }
            ErrorKind::PropertyNames { name, errors } => {
                write!(f, "property name {} is not allowed", quoted(name))?;
                match errors.first() {
                    Some(error) => write!(f, ": {}", error.kind()),
                    None => Ok(()),
                }
            }
            ErrorKind::AnyOf { branches } => {
                write!(f, "none of the {} alternatives of \"anyOf\" accepts this", branches.len())
            }
            ErrorKind::OneOf { accepted, branches } if accepted.is_empty() => {
                write!(f, "none of the {} alternatives of \"oneOf\" accepts this", branches.len())
            }
            ErrorKind::OneOf { accepted, .. } => {
                f.write_str("more than one alternative of \"oneOf\" accepts this: ")?;
                list(f, accepted.iter().map(usize::to_string), accepted.len())
            }
            ErrorKind::Not => f.write_str("this is what \"not\" excludes"),
            ErrorKind::Exhausted(exhausted) => write!(f, "{exhausted}"),
        }
    }
}

/// How many names or values a message lists before it says how many more there are.
const LISTED: usize = 10;

fn list(f: &mut fmt::Formatter<'_>, items: impl Iterator<Item = String>, count: usize) -> fmt::Result {
    for (index, item) in items.take(LISTED).enumerate() {
        write!(f, "{}{item}", if index > 0 { ", " } else { "" })?;
    }
    if count > LISTED {
        write!(f, " and {} more", count - LISTED)?;
    }
    Ok(())
}

/// A text as JSON writes it, cut.
pub(crate) fn quoted(text: &str) -> String {
    Value::from(cut(text)).to_string()
}

/// A text of at most 100 characters: a longer one ends in an ellipsis.
pub(crate) fn cut(text: &str) -> String {
    match text.char_indices().nth(100) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// «an object», «a string», as messages say it.
pub(crate) fn with_article(kind: Type) -> &'static str {
    match kind {
        Type::Null => "null",
        Type::Boolean => "a boolean",
        Type::Integer => "an integer",
        Type::Number => "a number",
        Type::String => "a string",
        Type::Array => "an array",
        Type::Object => "an object",
    }
}

fn alternatives(types: TypeSet) -> String {
    let names: Vec<&str> = types.iter().map(with_article).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(" or ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_can_be_sent() {
        fn is_error<T: std::error::Error + Send + Sync + 'static>() {}
        is_error::<SchemaError>();
        is_error::<ValidationError>();
        is_error::<Exhausted>();
    }

    #[test]
    fn errors_are_one_pointer() {
        assert_eq!(size_of::<SchemaError>(), size_of::<usize>());
        assert_eq!(size_of::<ValidationError>(), size_of::<usize>());
    }
}
