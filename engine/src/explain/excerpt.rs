//! As much of a value as messages show, taken while the instance is at hand.

use crate::error::text::{KEPT, counted, cut_at, quoted, split};
use crate::error::words::{ITEMS, PROPERTIES};
use crate::instance::{Array, Node, Number, Object, View};
use std::fmt;

/// As much of a value as messages show.
#[derive(Clone, Debug)]
pub(crate) enum Excerpt {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    /// A number with more digits than that, as it is shown.
    Exact(Box<str>),
    /// The beginning of a text: a character more than is shown, if there are more.
    Text(Box<str>),
    Array(usize),
    Object(usize),
}

impl Excerpt {
    pub(crate) fn of<'a, N: Node<'a>>(node: N) -> Excerpt {
        match node.view() {
            View::Null => Excerpt::Null,
            View::Bool(value) => Excerpt::Bool(value),
            View::Number(Number::Unsigned(value)) => Excerpt::Unsigned(value),
            View::Number(Number::Signed(value)) => Excerpt::Signed(value),
            View::Number(Number::Float(value)) => Excerpt::Float(value),
            View::Number(number @ Number::Exact(_)) => {
                Excerpt::Exact(cut_at(&number.to_string(), KEPT).into())
            }
            View::String(text) => Excerpt::Text(split(text, KEPT + 1).0.into()),
            View::Array(items) => Excerpt::Array(items.len()),
            View::Object(members) => Excerpt::Object(members.len()),
        }
    }

    /// How many items or members a container has.
    pub(crate) fn count(&self) -> u64 {
        if let Excerpt::Array(count) | Excerpt::Object(count) = self { *count as u64 } else { 0 }
    }
}

/// The value as messages show it: scalars as JSON, cut; containers by their size.
impl fmt::Display for Excerpt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Excerpt::Null => f.write_str("null"),
            Excerpt::Bool(value) => value.fmt(f),
            Excerpt::Unsigned(value) => value.fmt(f),
            Excerpt::Signed(value) => value.fmt(f),
            Excerpt::Float(value) => f.write_str(&cut_at(&Number::Float(*value).to_string(), KEPT)),
            Excerpt::Exact(shown) => f.write_str(shown),
            Excerpt::Text(value) => quoted(value).fmt(f),
            Excerpt::Array(count) => write!(f, "an array of {}", counted(*count as u64, ITEMS)),
            Excerpt::Object(count) => write!(f, "an object of {}", counted(*count as u64, PROPERTIES)),
        }
    }
}
