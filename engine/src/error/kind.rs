//! The facts of an error of an instance: [`ErrorKind`]. How they are put into words is in `words`.

use super::ValidationError;
use crate::limits::Exhausted;
use serde_json::Value;
use stanchion_vocab::{Type, TypeSet};

/// The facts of a [`ValidationError`].
///
/// Numbers are given as text, to keep every digit. Values of the instance are JSON text, texts cut at 100 characters;
/// arrays and objects are given by their size.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The schema is `false`: nothing is allowed here. With the name, where it is a member.
    Never {
        /// The member that is not allowed.
        name: Option<String>,
    },
    /// `additionalProperties` or `unevaluatedProperties` is `false`. The place is that of the object.
    UnknownProperty {
        /// The member that is not allowed.
        name: String,
        /// The name that was probably meant: one that the schema has and the object has not.
        suggestion: Option<String>,
    },
    /// An item where `items`, `additionalItems` or `unevaluatedItems` is `false`.
    UnexpectedItem {
        /// Its place in the array.
        index: usize,
    },
    /// `type`
    Type {
        /// The types that were allowed.
        expected: TypeSet,
        /// The type that was found.
        found: Type,
        /// The instance.
        value: String,
    },
    /// `const`
    Const {
        /// The instance.
        found: String,
        /// The only value that was allowed.
        expected: Value,
    },
    /// `enum`
    Enum {
        /// The instance.
        found: String,
        /// The values that were allowed, up to 100.
        expected: Vec<Value>,
        /// The text that was probably meant.
        suggestion: Option<String>,
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
        /// The instance.
        value: String,
    },
    /// `maxLength`
    MaxLength {
        /// The limit.
        limit: u64,
        /// The code points that there are.
        found: u64,
        /// The instance.
        value: String,
    },
    /// `pattern`
    Pattern {
        /// The pattern.
        pattern: String,
        /// The instance.
        found: String,
    },
    /// `format`
    Format {
        /// The format's name.
        format: String,
        /// The instance.
        found: String,
    },
    /// `contentEncoding`, `contentMediaType`
    Content {
        /// The content that the text should have had.
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
        /// Members that the schema does not have, each with the missing name that it was probably meant to be. Only where no
        /// [`ErrorKind::UnknownProperty`] says so.
        misspelt: Vec<(String, String)>,
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
    /// `anyOf`, where no branch accepts and none is closer than all others.
    AnyOf {
        /// Why each branch refused, closest first.
        branches: Vec<Branch>,
    },
    /// `oneOf`, where no branch accepts and none is closer than all others, or where several accept.
    OneOf {
        /// The branches that accepted, if more than one did.
        accepted: Vec<usize>,
        /// Why each branch refused, closest first, if none accepted.
        branches: Vec<Branch>,
    },
    /// `not`
    Not,
    /// The run ended before it had a verdict.
    Exhausted(Exhausted),
}

/// A branch of a union that refused the instance.
#[derive(Clone, Debug)]
pub struct Branch {
    pub(crate) index: usize,
    pub(crate) errors: Vec<ValidationError>,
}

impl Branch {
    /// Its place among the branches, from 0: `/anyOf/0`.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Why it rejected the instance: its first errors. None, if there was no room to look into it.
    pub fn errors(&self) -> &[ValidationError] {
        &self.errors
    }
}

impl ErrorKind {
    /// Returns a copy with the values of the instance as `change` shows them, also in the errors inside.
    pub(crate) fn with_values(&self, change: &dyn Fn(&str) -> String) -> ErrorKind {
        let within = |errors: &mut Vec<ValidationError>| {
            for error in errors {
                *error = error.with_kind(error.kind().with_values(change));
            }
        };
        let mut kind = self.clone();
        if let ErrorKind::Type { value, .. }
        | ErrorKind::MinLength { value, .. }
        | ErrorKind::MaxLength { value, .. }
        | ErrorKind::Const { found: value, .. }
        | ErrorKind::Enum { found: value, .. }
        | ErrorKind::Minimum { found: value, .. }
        | ErrorKind::Maximum { found: value, .. }
        | ErrorKind::ExclusiveMinimum { found: value, .. }
        | ErrorKind::ExclusiveMaximum { found: value, .. }
        | ErrorKind::MultipleOf { found: value, .. }
        | ErrorKind::Pattern { found: value, .. }
        | ErrorKind::Format { found: value, .. } = &mut kind
        {
            *value = change(value);
        } else if let ErrorKind::PropertyNames { errors, .. } = &mut kind {
            within(errors);
        } else if let ErrorKind::AnyOf { branches } | ErrorKind::OneOf { branches, .. } = &mut kind {
            branches.iter_mut().for_each(|branch| within(&mut branch.errors));
        }
        kind
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
