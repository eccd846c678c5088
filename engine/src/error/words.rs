//! A sentence for each kind of error: what was found, and what was wanted.

use super::messages::Messages;
use super::text::{
    LISTED, alternatives, counted, cut_at, did_you_mean, listed, null_last, one_of, quoted, shown_place,
    value_text, with_article,
};
use super::{Branch, ErrorKind, ValidationError};
use serde_json::Value;
use stanchion_vocab::{Type, TypeSet};
use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter, Write};

/// How many branches of a union a message lists, how many errors of each, and in how many characters.
const BRANCHES: usize = 8;
const ERRORS_OF_BRANCH: usize = 2;
const BRANCH_CHARACTERS: usize = 200;

/// How many levels of unions inside a union a message lists as if they were one.
const NESTED: u32 = 4;

/// The things that are counted.
pub(crate) const ITEMS: [&str; 2] = ["item", "items"];
pub(crate) const PROPERTIES: [&str; 2] = ["property", "properties"];
const CHARACTERS: [&str; 2] = ["character", "characters"];

impl Display for ErrorKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write_kind(f, self, &Messages::default())
    }
}

/// Puts a kind into words. How values are shown was decided before; `messages` are for the errors inside.
pub(super) fn write_kind(f: &mut dyn Write, kind: &ErrorKind, messages: &Messages) -> fmt::Result {
    match kind {
        ErrorKind::Never { name: Some(name) } => write!(f, "property {} is not allowed", quoted(name)),
        ErrorKind::Never { name: None } => f.write_str("nothing is allowed here"),
        ErrorKind::UnknownProperty { name, suggestion } => {
            write!(f, "unknown property {}{}", quoted(name), did_you_mean(suggestion.as_deref()))
        }
        ErrorKind::UnexpectedItem { index } => write!(f, "item {index} is not allowed"),
        ErrorKind::Type { expected, found, value } => {
            write!(f, "expected {}, found {}{value}", alternatives(*expected), noun_before(*found, value))
        }
        ErrorKind::Const { found, expected } => {
            write!(f, "expected {}, found {found}", value_text(expected))
        }
        ErrorKind::Enum { found, expected, .. } if expected.is_empty() => {
            write!(f, "{found} is not one of the values of \"enum\", which has none")
        }
        ErrorKind::Enum { found, expected, suggestion } => {
            write!(f, "{found} is not one of ")?;
            write_values(f, expected)?;
            write!(f, "{}", did_you_mean(suggestion.as_deref()))
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
        ErrorKind::MinLength { limit, found, value } => {
            write!(f, "{value} has {}, fewer than the minimum {limit}", counted(*found, CHARACTERS))
        }
        ErrorKind::MaxLength { limit, found, value } => {
            write!(f, "{value} has {}, more than the maximum {limit}", counted(*found, CHARACTERS))
        }
        ErrorKind::Pattern { pattern, found } => {
            write!(f, "{found} does not match the pattern {}", quoted(pattern))
        }
        ErrorKind::Format { format, found } => write!(f, "{found} is not of the format {}", quoted(format)),
        ErrorKind::Content { expected } => write!(f, "this text does not hold {expected}"),
        ErrorKind::MinItems { limit, found } => {
            write!(f, "found {}, fewer than the minimum {limit}", counted(*found, ITEMS))
        }
        ErrorKind::MaxItems { limit, found } => {
            write!(f, "found {}, more than the maximum {limit}", counted(*found, ITEMS))
        }
        ErrorKind::UniqueItems { equal: (first, second) } => {
            write!(f, "items {first} and {second} are equal")
        }
        ErrorKind::Contains { most: Some(most), found, .. } if found > most => {
            write!(f, "\"contains\" accepts more than {}", counted(*most, ITEMS))
        }
        ErrorKind::Contains { least, found, .. } => {
            write!(f, "\"contains\" accepts {}, fewer than the minimum {least}", counted(*found, ITEMS))
        }
        ErrorKind::MinProperties { limit, found } => {
            write!(f, "found {}, fewer than the minimum {limit}", counted(*found, PROPERTIES))
        }
        ErrorKind::MaxProperties { limit, found } => {
            write!(f, "found {}, more than the maximum {limit}", counted(*found, PROPERTIES))
        }
        ErrorKind::Required { missing, misspelt } => {
            let noun = PROPERTIES[usize::from(missing.len() != 1)];
            write!(f, "missing required {noun} {}", listed(missing.iter().map(|name| quoted(name))))?;
            for (index, (found, meant)) in misspelt.iter().enumerate() {
                let [before, between] =
                    if index == 0 { [" (is ", "meant to be"] } else { [", and ", "to be"] };
                write!(f, "{before}{} {between} {}", quoted(found), quoted(meant))?;
            }
            f.write_str(if misspelt.is_empty() { "" } else { "?)" })
        }
        ErrorKind::DependentRequired { name, missing } => {
            let missing = listed(missing.iter().map(|name| quoted(name)));
            write!(f, "property {} requires {missing}", quoted(name))
        }
        ErrorKind::PropertyNames { name, errors } => {
            write!(f, "property name {} is not allowed", quoted(name))?;
            errors.iter().take(1).try_for_each(|error| {
                f.write_str(": ")?;
                messages.write_message(f, error)
            })
        }
        ErrorKind::AnyOf { branches } => write_union(f, "anyOf", branches, messages),
        ErrorKind::OneOf { accepted, branches } if accepted.is_empty() => {
            write_union(f, "oneOf", branches, messages)
        }
        ErrorKind::OneOf { accepted, .. } => {
            write!(f, "more than one alternative of \"oneOf\" accepts this: {}", listed(accepted.iter()))
        }
        ErrorKind::Not => f.write_str("this is what \"not\" excludes"),
        ErrorKind::Exhausted(exhausted) => write!(f, "{exhausted}"),
    }
}

/// Writes values, all of them while they are short, and ten at least.
fn write_values(f: &mut dyn Write, values: &[Value]) -> fmt::Result {
    const MOST_BYTES: usize = 400;
    let mut text = String::new();
    for (index, value) in values.iter().enumerate() {
        if index >= LISTED && text.len() > MOST_BYTES {
            return write!(f, "{text} and {} more", values.len() - index);
        }
        write!(text, "{}{}", if index > 0 { ", " } else { "" }, value_text(value))?;
    }
    f.write_str(&text)
}

/// «the string "abc"», where others are «1.5», «an array of 3 items».
fn noun_before(found: Type, value: &str) -> &'static str {
    if found == Type::String && value.starts_with('"') { "the string " } else { "" }
}

/// Writes why no branch of a union accepts: as one sentence where they all ask for a type or a value, or else by branch.
fn write_union(f: &mut dyn Write, keyword: &str, branches: &[Branch], messages: &Messages) -> fmt::Result {
    let mut errors = Vec::new();
    let unlisted = alternatives_of(branches, &mut errors, NESTED);
    if let Some((expected, found)) = merged(&errors, messages)
        && unlisted == 0
    {
        return write!(f, "expected {expected}, found {found}");
    }
    let count = errors.len() + unlisted;
    write!(f, "none of the {count} alternatives of \"{keyword}\" accepts this")?;
    let shallowest = errors.iter().copied().flatten().map(|error| error.instance_path().len()).min();
    for (index, errors) in errors.iter().take(BRANCHES).enumerate() {
        let mut line = String::new();
        for (index, error) in errors.iter().take(ERRORS_OF_BRANCH).enumerate() {
            line.push_str(if index > 0 { ", and " } else { "" });
            // The place, where it is not that of the union.
            let place = error.instance_path();
            if Some(place.len()) > shallowest {
                write!(line, "{}: ", shown_place(place))?;
            }
            match union_of(error.kind()) {
                Some(_) => line.push_str("none of its own alternatives"),
                None => messages.write_message(&mut line, error)?,
            }
        }
        write!(f, "{}{}", if index == 0 { ": " } else { "; or " }, cut_at(&line, BRANCH_CHARACTERS))?;
    }
    match count.saturating_sub(BRANCHES.min(errors.len())) {
        more if more > 0 && count > BRANCHES && !errors.is_empty() => write!(f, "; and {more} more"),
        _ => Ok(()),
    }
}

/// Adds the errors of each branch, and in the place of a union those of its own branches, so many levels down.
/// Returns how many branches have none.
fn alternatives_of<'b>(
    branches: &'b [Branch],
    errors: &mut Vec<&'b [ValidationError]>,
    levels: u32,
) -> usize {
    let mut unlisted = 0;
    for branch in branches {
        match branch.errors.first() {
            None => unlisted += 1,
            Some(error) => match union_of(error.kind()) {
                Some(inside) if levels > 0 => unlisted += alternatives_of(inside, errors, levels - 1),
                Some(_) | None => errors.push(&branch.errors),
            },
        }
    }
    unlisted
}

/// The branches of a union that refused.
fn union_of(kind: &ErrorKind) -> Option<&[Branch]> {
    if let ErrorKind::AnyOf { branches } = kind {
        return Some(branches);
    }
    let ErrorKind::OneOf { branches, accepted } = kind else { return None };
    accepted.is_empty().then_some(branches)
}

/// All that some errors ask for together, and what was found, if each asks for a type or a value of the same node.
fn merged(branches: &[&[ValidationError]], messages: &Messages) -> Option<(String, String)> {
    let mut types = TypeSet::NONE;
    let mut values: Vec<String> = Vec::new();
    let mut found = None;
    let first = branches.first()?.first()?;
    for errors in branches {
        let error = errors.first()?;
        if error.instance_path() != first.instance_path() {
            return None;
        }
        let kind = messages.shown(error.kind());
        let value = if let ErrorKind::Type { expected, found, value } = &*kind {
            types = types.or(*expected);
            [noun_before(*found, value), value].concat()
        } else if let ErrorKind::Const { expected, found } = &*kind {
            values.push(value_text(expected).to_string());
            found.clone()
        } else if let ErrorKind::Enum { expected, found, .. } = &*kind {
            values.extend(expected.iter().map(|value| value_text(value).to_string()));
            found.clone()
        } else {
            return None;
        };
        found = found.or(Some(value));
    }
    let mut seen = BTreeSet::new();
    values.retain(|value| seen.insert(value.clone()));
    values.extend(null_last(types).map(|kind| with_article(kind).to_owned()));
    Some((one_of(&values)?, found?))
}
