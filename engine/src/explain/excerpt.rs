//! As much of a value as messages show, taken while the instance is at hand.

use crate::error::text::{KEPT, cut, push_quoted};
use crate::error::words;
use crate::instance::{Array, Node, Number, Object, View};
use std::fmt::Write;

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
            View::Number(number @ Number::Exact(_)) => Excerpt::Exact(cut(&number.to_string()).into()),
            View::String(text) => Excerpt::Text(beginning(text).into()),
            View::Array(items) => Excerpt::Array(items.len()),
            View::Object(members) => Excerpt::Object(members.len()),
        }
    }

    /// How many items or members a container has.
    pub(crate) fn count(&self) -> u64 {
        if let Excerpt::Array(count) | Excerpt::Object(count) = self { *count as u64 } else { 0 }
    }

    /// The value as messages show it: scalars as JSON, cut; containers by their size.
    pub(crate) fn shown(&self) -> String {
        let mut text = String::new();
        match self {
            Excerpt::Null => text.push_str("null"),
            Excerpt::Exact(shown) => text.push_str(shown),
            Excerpt::Text(value) => push_quoted(&mut text, value),
            Excerpt::Array(count) => words::array_of(&mut text, *count as u64),
            Excerpt::Object(count) => words::object_of(&mut text, *count as u64),
            Excerpt::Float(value) => text.push_str(&cut(&Number::Float(*value).to_string())),
            Excerpt::Bool(value) => push(&mut text, value),
            Excerpt::Unsigned(value) => push(&mut text, value),
            Excerpt::Signed(value) => push(&mut text, value),
        }
        text
    }
}

fn push(text: &mut String, value: impl std::fmt::Display) {
    // Writing to a text cannot fail.
    let _ = write!(text, "{value}");
}

/// The part of a text that an excerpt keeps.
fn beginning(text: &str) -> &str {
    if text.len() <= KEPT {
        return text;
    }
    let end = text.char_indices().nth(KEPT + 1).map_or(text.len(), |(end, _)| end);
    &text[..end]
}
