//! A sentence for each kind of error: what was found, and what was wanted.

use super::messages::Messages;
use super::text::{Alternatives, Quoted, ValueText, counted, list, null_last, with_article};
use super::{Branch, ErrorKind, ValidationError};
use stanchion_vocab::{Type, TypeSet};
use std::collections::BTreeSet;
use std::fmt::{self, Formatter, Write};

/// How many branches of a union a message tells about.
const TOLD: usize = 3;

/// How many levels of unions inside a union a message tells about as if they were one.
const NESTED: u32 = 4;

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        put(f, self, &Messages::default())
    }
}

/// A kind of error, to be put into words in some way.
pub(crate) struct Worded<'m>(pub(crate) &'m ErrorKind, pub(crate) &'m Messages);

impl fmt::Display for Worded<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        put(f, self.0, self.1)
    }
}

/// A kind in words, in a text that mostly need not grow.
pub(crate) fn sentence(kind: &ErrorKind, messages: &Messages) -> String {
    const ROOM: usize = 80;
    let mut text = String::with_capacity(ROOM);
    // Writing to a `String` cannot fail.
    let _ = write!(text, "{}", Worded(kind, messages));
    text
}

/// Puts a kind into words. How values are shown was decided before; `messages` are for the errors inside.
fn put(f: &mut Formatter<'_>, kind: &ErrorKind, messages: &Messages) -> fmt::Result {
    match kind {
        ErrorKind::Never { name: Some(name) } => write!(f, "property {} is not allowed", Quoted(name)),
        ErrorKind::Never { name: None } => f.write_str("nothing is allowed here"),
        ErrorKind::UnknownProperty { name, suggestion } => {
            write!(f, "unknown property {}", Quoted(name))?;
            suggest(f, suggestion.as_deref())
        }
        ErrorKind::UnexpectedItem { index } => write!(f, "item {index} is not allowed"),
        ErrorKind::Type { expected, found, value } => {
            write!(f, "expected {}, found {}", Alternatives(*expected), FoundValue(*found, value))
        }
        ErrorKind::Const { found, expected } => {
            write!(f, "expected {}, found {found}", ValueText(expected))
        }
        ErrorKind::Enum { found, expected, suggestion } => {
            write!(f, "{found} is not one of ")?;
            list(f, expected.iter().map(ValueText), expected.len())?;
            suggest(f, suggestion.as_deref())
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
            let count = counted(*found, "character", "characters");
            write!(f, "{value} has {count}, fewer than the minimum {limit}")
        }
        ErrorKind::MaxLength { limit, found, value } => {
            let count = counted(*found, "character", "characters");
            write!(f, "{value} has {count}, more than the maximum {limit}")
        }
        ErrorKind::Pattern { pattern, found } => {
            write!(f, "{found} does not match the pattern {}", Quoted(pattern))
        }
        ErrorKind::Format { format, found } => write!(f, "{found} is not of the format {}", Quoted(format)),
        ErrorKind::Content { expected } => write!(f, "this text does not hold {expected}"),
        ErrorKind::MinItems { limit, found } => {
            write!(f, "found {}, fewer than the minimum {limit}", counted(*found, "item", "items"))
        }
        ErrorKind::MaxItems { limit, found } => {
            write!(f, "found {}, more than the maximum {limit}", counted(*found, "item", "items"))
        }
        ErrorKind::UniqueItems { equal: (first, second) } => {
            write!(f, "items {first} and {second} are equal")
        }
        ErrorKind::Contains { least, most, found } => match most {
            Some(most) if found > most => {
                write!(f, "\"contains\" accepts more than {}", counted(*most, "item", "items"))
            }
            Some(_) | None => {
                let count = counted(*found, "item", "items");
                write!(f, "\"contains\" accepts {count}, fewer than the minimum {least}")
            }
        },
        ErrorKind::MinProperties { limit, found } => {
            write!(f, "found {}, fewer than the minimum {limit}", counted(*found, "property", "properties"))
        }
        ErrorKind::MaxProperties { limit, found } => {
            write!(f, "found {}, more than the maximum {limit}", counted(*found, "property", "properties"))
        }
        ErrorKind::Required { missing, misspelt } => {
            let noun = if missing.len() == 1 { "property" } else { "properties" };
            write!(f, "missing required {noun} ")?;
            list(f, missing.iter().map(|name| Quoted(name)), missing.len())?;
            match misspelt {
                Some((found, meant)) => write!(f, " (is {} meant to be {}?)", Quoted(found), Quoted(meant)),
                None => Ok(()),
            }
        }
        ErrorKind::DependentRequired { name, missing } => {
            write!(f, "property {} requires ", Quoted(name))?;
            list(f, missing.iter().map(|name| Quoted(name)), missing.len())
        }
        ErrorKind::PropertyNames { name, errors } => {
            write!(f, "property name {} is not allowed", Quoted(name))?;
            match errors.first() {
                Some(error) => write!(f, ": {}", messages.message(error)),
                None => Ok(()),
            }
        }
        ErrorKind::AnyOf { branches } => union(f, "anyOf", branches, messages),
        ErrorKind::OneOf { accepted, branches } if accepted.is_empty() => {
            union(f, "oneOf", branches, messages)
        }
        ErrorKind::OneOf { accepted, .. } => {
            f.write_str("more than one alternative of \"oneOf\" accepts this: ")?;
            list(f, accepted.iter().map(usize::to_string), accepted.len())
        }
        ErrorKind::Not => f.write_str("this is what \"not\" excludes"),
        ErrorKind::Exhausted(exhausted) => write!(f, "{exhausted}"),
    }
}

/// «the string "abc"», «1.5», «an array of 3 items»
struct FoundValue<'v>(Type, &'v str);

impl fmt::Display for FoundValue<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let FoundValue(found, value) = *self;
        if found == Type::String && value.starts_with('"') {
            f.write_str("the string ")?;
        }
        f.write_str(value)
    }
}

fn suggest(f: &mut Formatter<'_>, suggestion: Option<&str>) -> fmt::Result {
    match suggestion {
        Some(meant) => write!(f, " (did you mean {}?)", Quoted(meant)),
        None => Ok(()),
    }
}

/// Why no branch of a union accepts: as one sentence where they all ask for a type or a value, or else by branch.
fn union(f: &mut Formatter<'_>, keyword: &str, branches: &[Branch], messages: &Messages) -> fmt::Result {
    let mut errors = Vec::new();
    let untold = alternatives_of(branches, &mut errors, NESTED);
    let errors = &errors[..];
    if let Some((expected, found)) = merged(errors, messages)
        && untold == 0
    {
        return write!(f, "expected {expected}, found {found}");
    }
    let count = errors.len() + untold;
    write!(f, "none of the {count} alternatives of \"{keyword}\" accepts this")?;
    let shallowest = errors.iter().map(|error| error.instance_path().len()).min();
    for (index, error) in errors.iter().take(TOLD).enumerate() {
        f.write_str(if index == 0 { ": " } else { "; or " })?;
        // The place, where it is not that of the union.
        let place = error.instance_path();
        if Some(place.len()) > shallowest {
            write!(f, "{}: ", super::shown_place(place))?;
        }
        match union_of(error.kind()) {
            Some(_) => f.write_str("none of its own alternatives")?,
            None => write!(f, "{}", messages.message(error))?,
        }
    }
    if !errors.is_empty() && count > TOLD {
        write!(f, "; and {} more", count - TOLD.min(errors.len()))?;
    }
    Ok(())
}

/// Adds the first error of each branch, and in the place of a union those of its own branches, so many levels down.
/// Returns how many branches have none.
fn alternatives_of<'b>(branches: &'b [Branch], errors: &mut Vec<&'b ValidationError>, levels: u32) -> usize {
    let mut untold = 0;
    for branch in branches {
        match branch.errors.first() {
            None => untold += 1,
            Some(error) => match union_of(error.kind()) {
                Some(inside) if levels > 0 => untold += alternatives_of(inside, errors, levels - 1),
                Some(_) | None => errors.push(error),
            },
        }
    }
    untold
}

/// The branches of a union that refused.
fn union_of(kind: &ErrorKind) -> Option<&[Branch]> {
    if let ErrorKind::AnyOf { branches } = kind {
        return Some(branches);
    }
    let ErrorKind::OneOf { branches, accepted } = kind else { return None };
    accepted.is_empty().then_some(branches)
}

/// What all errors ask for together, and what was found, if each asks for a type or a value of the same node.
fn merged(errors: &[&ValidationError], messages: &Messages) -> Option<(String, String)> {
    let mut types = TypeSet::NONE;
    let mut values: Vec<String> = Vec::new();
    let mut found = None;
    for error in errors {
        if error.instance_path() != errors[0].instance_path() {
            return None;
        }
        let kind = messages.shown(error.kind());
        let value = if let ErrorKind::Type { expected, found, value } = &*kind {
            types = types.or(*expected);
            FoundValue(*found, value).to_string()
        } else if let ErrorKind::Const { expected, found } = &*kind {
            values.push(ValueText(expected).to_string());
            found.clone()
        } else if let ErrorKind::Enum { expected, found, .. } = &*kind {
            values.extend(expected.iter().map(|value| ValueText(value).to_string()));
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

/// «a, b or c», with as many as a message lists.
fn one_of(choices: &[String]) -> Option<String> {
    const LISTED: usize = 10;
    let (last, before) = choices.split_last()?;
    if before.is_empty() {
        return Some(last.clone());
    }
    if choices.len() > LISTED {
        let more = choices.len() - LISTED;
        return Some(format!("{} or {more} more", choices[..LISTED].join(", ")));
    }
    Some(format!("{} or {last}", before.join(", ")))
}
