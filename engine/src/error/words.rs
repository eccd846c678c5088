//! A sentence for each kind of error: what was found, and what was wanted.

use super::messages::Messages;
use super::text::{
    cut_at, null_last, push_all, push_alternatives, push_count, push_list, push_number, push_quoted,
    push_value, value_text, with_article,
};
use super::{Branch, ErrorKind, ValidationError};
use serde_json::Value;
use stanchion_vocab::{Type, TypeSet};
use std::collections::BTreeSet;
use std::fmt::{self, Formatter};

/// How many branches of a union a message lists, how many errors of each, and in how many characters.
const TOLD: usize = 8;
const TOLD_OF_BRANCH: usize = 2;
const BRANCH_CHARACTERS: usize = 200;

/// How many levels of unions inside a union a message tells about as if they were one.
const NESTED: u32 = 4;

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        put(&mut text, self, &Messages::default());
        f.write_str(&text)
    }
}

/// Puts a kind into words. How values are shown was decided before; `messages` are for the errors inside.
pub(crate) fn put(text: &mut String, kind: &ErrorKind, messages: &Messages) {
    match kind {
        ErrorKind::Never { name: Some(name) } => {
            text.push_str("property ");
            push_quoted(text, name);
            text.push_str(" is not allowed");
        }
        ErrorKind::Never { name: None } => text.push_str("nothing is allowed here"),
        ErrorKind::UnknownProperty { name, suggestion } => {
            unknown_property(text, name, suggestion.as_deref());
        }
        ErrorKind::UnexpectedItem { index } => {
            text.push_str("item ");
            push_number(text, *index as u64);
            text.push_str(" is not allowed");
        }
        ErrorKind::Type { expected, found, value } => {
            wrong_type(text, *expected);
            push_all(text, &[noun_before(*found, value), value]);
        }
        ErrorKind::Const { found, expected } => {
            not_equal(text, expected);
            text.push_str(found);
        }
        ErrorKind::Enum { found, expected, suggestion } => {
            text.push_str(found);
            not_one_of(text, expected, suggestion.as_deref());
        }
        ErrorKind::Minimum { limit, found } => {
            push_all(text, &[found, BELOW_MINIMUM, limit]);
        }
        ErrorKind::Maximum { limit, found } => {
            push_all(text, &[found, ABOVE_MAXIMUM, limit]);
        }
        ErrorKind::ExclusiveMinimum { limit, found } => {
            push_all(text, &[found, NOT_ABOVE_MINIMUM, limit]);
        }
        ErrorKind::ExclusiveMaximum { limit, found } => {
            push_all(text, &[found, NOT_BELOW_MAXIMUM, limit]);
        }
        ErrorKind::MultipleOf { divisor, found } => {
            push_all(text, &[found, NO_MULTIPLE, divisor]);
        }
        ErrorKind::MinLength { limit, found, value } => {
            text.push_str(value);
            too_short(text, *found, *limit);
        }
        ErrorKind::MaxLength { limit, found, value } => {
            text.push_str(value);
            too_long(text, *found, *limit);
        }
        ErrorKind::Pattern { pattern, found } => {
            text.push_str(found);
            no_match(text, pattern);
        }
        ErrorKind::Format { format, found } => {
            push_all(text, &[found, " is not of the format "]);
            push_quoted(text, format);
        }
        ErrorKind::Content { expected } => push_all(text, &["this text does not hold ", expected]),
        ErrorKind::MinItems { limit, found } => {
            found_fewer(text, *found, ITEMS, *limit);
        }
        ErrorKind::MaxItems { limit, found } => {
            found_more(text, *found, ITEMS, *limit);
        }
        ErrorKind::UniqueItems { equal: (first, second) } => {
            text.push_str("items ");
            push_number(text, *first as u64);
            text.push_str(" and ");
            push_number(text, *second as u64);
            text.push_str(" are equal");
        }
        ErrorKind::Contains { least, most, found } => match most {
            Some(most) if found > most => {
                text.push_str("\"contains\" accepts more than ");
                push_count(text, *most, ITEMS);
            }
            Some(_) | None => {
                text.push_str("\"contains\" accepts ");
                fewer(text, *found, ITEMS, *least);
            }
        },
        ErrorKind::MinProperties { limit, found } => {
            found_fewer(text, *found, PROPERTIES, *limit);
        }
        ErrorKind::MaxProperties { limit, found } => {
            found_more(text, *found, PROPERTIES, *limit);
        }
        ErrorKind::Required { missing, misspelt } => {
            missing_names(text, missing.iter().map(String::as_str), misspelt);
        }
        ErrorKind::DependentRequired { name, missing } => {
            text.push_str("property ");
            push_quoted(text, name);
            text.push_str(" requires ");
            push_list(text, missing.iter(), |text, name| push_quoted(text, name));
        }
        ErrorKind::PropertyNames { name, errors } => {
            text.push_str("property name ");
            push_quoted(text, name);
            text.push_str(" is not allowed");
            if let Some(error) = errors.first() {
                text.push_str(": ");
                messages.push_message(text, error);
            }
        }
        ErrorKind::AnyOf { branches } => union(text, "anyOf", branches, messages),
        ErrorKind::OneOf { accepted, branches } if accepted.is_empty() => {
            union(text, "oneOf", branches, messages);
        }
        ErrorKind::OneOf { accepted, .. } => {
            text.push_str("more than one alternative of \"oneOf\" accepts this: ");
            push_list(text, accepted.iter(), |text, &branch| push_number(text, branch as u64));
        }
        ErrorKind::Not => text.push_str("this is what \"not\" excludes"),
        ErrorKind::Exhausted(exhausted) => text.push_str(&exhausted.to_string()),
    }
}

/// A member that is not known.
fn unknown_property(text: &mut String, name: &str, suggestion: Option<&str>) {
    text.push_str("unknown property ");
    push_quoted(text, name);
    suggest(text, suggestion);
}

/// A value of another type, which is named behind this.
fn wrong_type(text: &mut String, expected: TypeSet) {
    text.push_str("expected ");
    push_alternatives(text, expected);
    text.push_str(", found ");
}

/// A value that is not the only one allowed, which is named behind this.
fn not_equal(text: &mut String, expected: &Value) {
    text.push_str("expected ");
    push_value(text, expected);
    text.push_str(", found ");
}

/// A value, named before this, that is none of those allowed.
fn not_one_of(text: &mut String, expected: &[Value], suggestion: Option<&str>) {
    if expected.is_empty() {
        return text.push_str(" is not one of the values of \"enum\", which has none");
    }
    text.push_str(" is not one of ");
    push_values(text, expected);
    suggest(text, suggestion);
}

/// Appends values, all of them while they are short, and ten at least.
fn push_values(text: &mut String, values: &[Value]) {
    const LEAST: usize = 10;
    const MOST_BYTES: usize = 400;
    let start = text.len();
    for (index, value) in values.iter().enumerate() {
        if index >= LEAST && text.len() - start > MOST_BYTES {
            text.push_str(" and ");
            push_number(text, (values.len() - index) as u64);
            return text.push_str(" more");
        }
        text.push_str(if index > 0 { ", " } else { "" });
        push_value(text, value);
    }
}

/// A text, named before this, that a pattern does not match.
fn no_match(text: &mut String, pattern: &str) {
    text.push_str(" does not match the pattern ");
    push_quoted(text, pattern);
}

/// A text, named before this, of fewer characters than it should have.
fn too_short(text: &mut String, found: u64, limit: u64) {
    text.push_str(" has ");
    fewer(text, found, ["character", "characters"], limit);
}

/// A text, named before this, of more characters than it may have.
fn too_long(text: &mut String, found: u64, limit: u64) {
    text.push_str(" has ");
    more(text, found, ["character", "characters"], limit);
}

/// The words between a number and a bound that it does not keep.
const BELOW_MINIMUM: &str = " is less than the minimum ";
const ABOVE_MAXIMUM: &str = " is more than the maximum ";
const NOT_ABOVE_MINIMUM: &str = " is not more than the exclusive minimum ";
const NOT_BELOW_MAXIMUM: &str = " is not less than the exclusive maximum ";
const NO_MULTIPLE: &str = " is not a multiple of ";

/// The things that are counted.
const ITEMS: [&str; 2] = ["item", "items"];
const PROPERTIES: [&str; 2] = ["property", "properties"];

/// A container with less in it than it should have.
fn found_fewer(text: &mut String, found: u64, nouns: [&str; 2], limit: u64) {
    text.push_str("found ");
    fewer(text, found, nouns, limit);
}

/// A container with more in it than it may have.
fn found_more(text: &mut String, found: u64, nouns: [&str; 2], limit: u64) {
    text.push_str("found ");
    more(text, found, nouns, limit);
}

/// An array by its size.
pub(crate) fn array_of(text: &mut String, count: u64) {
    text.push_str("an array of ");
    push_count(text, count, ITEMS);
}

/// An object by its size.
pub(crate) fn object_of(text: &mut String, count: u64) {
    text.push_str("an object of ");
    push_count(text, count, PROPERTIES);
}

/// Names that are required and missing.
fn missing_names<'n>(
    text: &mut String,
    missing: impl ExactSizeIterator<Item = &'n str>,
    misspelt: &[(String, String)],
) {
    if missing.len() == 1 {
        text.push_str("missing required property ");
    } else {
        text.push_str("missing required properties ");
    }
    push_list(text, missing, push_quoted);
    for (index, (found, meant)) in misspelt.iter().enumerate() {
        text.push_str(if index == 0 { " (is " } else { ", and " });
        push_quoted(text, found);
        text.push_str(if index == 0 { " meant to be " } else { " to be " });
        push_quoted(text, meant);
        text.push_str(if index + 1 == misspelt.len() { "?)" } else { "" });
    }
}

/// «1 item, fewer than the minimum 2»
fn fewer(text: &mut String, found: u64, nouns: [&str; 2], limit: u64) {
    push_count(text, found, nouns);
    text.push_str(", fewer than the minimum ");
    push_number(text, limit);
}

/// «3 items, more than the maximum 2»
fn more(text: &mut String, found: u64, nouns: [&str; 2], limit: u64) {
    push_count(text, found, nouns);
    text.push_str(", more than the maximum ");
    push_number(text, limit);
}

/// «the string "abc"», where others are «1.5», «an array of 3 items».
fn noun_before(found: Type, value: &str) -> &'static str {
    if found == Type::String && value.starts_with('"') { TEXT } else { "" }
}

/// The words before a text.
const TEXT: &str = "the string ";

fn suggest(text: &mut String, suggestion: Option<&str>) {
    let Some(meant) = suggestion else { return };
    text.push_str(" (did you mean ");
    push_quoted(text, meant);
    text.push_str("?)");
}

/// Why no branch of a union accepts: as one sentence where they all ask for a type or a value, or else by branch.
fn union(text: &mut String, keyword: &str, branches: &[Branch], messages: &Messages) {
    let mut errors = Vec::new();
    let untold = alternatives_of(branches, &mut errors, NESTED);
    let errors = &errors[..];
    if let Some((expected, found)) = merged(errors, messages)
        && untold == 0
    {
        return push_all(text, &["expected ", &expected, ", found ", &found]);
    }
    let count = errors.len() + untold;
    text.push_str("none of the ");
    push_number(text, count as u64);
    push_all(text, &[" alternatives of \"", keyword, "\" accepts this"]);
    let shallowest =
        errors.iter().flat_map(|errors| errors.iter()).map(|error| error.instance_path().len()).min();
    for (index, errors) in errors.iter().take(TOLD).enumerate() {
        text.push_str(if index == 0 { ": " } else { "; or " });
        let mut line = String::new();
        for (index, error) in errors.iter().take(TOLD_OF_BRANCH).enumerate() {
            line.push_str(if index > 0 { ", and " } else { "" });
            // The place, where it is not that of the union.
            let place = error.instance_path();
            if Some(place.len()) > shallowest {
                push_all(&mut line, &[&super::shown_place(place), ": "]);
            }
            match union_of(error.kind()) {
                Some(_) => line.push_str("none of its own alternatives"),
                None => messages.push_message(&mut line, error),
            }
        }
        text.push_str(&cut_at(&line, BRANCH_CHARACTERS));
    }
    if !errors.is_empty() && count > TOLD {
        text.push_str("; and ");
        push_number(text, (count - TOLD.min(errors.len())) as u64);
        text.push_str(" more");
    }
}

/// Adds the errors of each branch, and in the place of a union those of its own branches, so many levels down.
/// Returns how many branches have none.
fn alternatives_of<'b>(
    branches: &'b [Branch],
    errors: &mut Vec<&'b [ValidationError]>,
    levels: u32,
) -> usize {
    let mut untold = 0;
    for branch in branches {
        match branch.errors.first() {
            None => untold += 1,
            Some(error) => match union_of(error.kind()) {
                Some(inside) if levels > 0 => untold += alternatives_of(inside, errors, levels - 1),
                Some(_) | None => errors.push(&branch.errors),
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

/// All that some errors ask for together, and what was found, if each asks for a type or a value of the same node.
fn merged(branches: &[&[ValidationError]], messages: &Messages) -> Option<(String, String)> {
    let mut types = TypeSet::NONE;
    let mut values: Vec<String> = Vec::new();
    let mut found = None;
    let mut errors = branches.iter().map(|errors| errors.first());
    let first = errors.clone().next()??;
    for error in &mut errors {
        let error = error?;
        if error.instance_path() != first.instance_path() {
            return None;
        }
        let kind = messages.shown(error.kind());
        let value = if let ErrorKind::Type { expected, found, value } = &*kind {
            types = types.or(*expected);
            [noun_before(*found, value), value].concat()
        } else if let ErrorKind::Const { expected, found } = &*kind {
            values.push(value_text(expected));
            found.clone()
        } else if let ErrorKind::Enum { expected, found, .. } = &*kind {
            values.extend(expected.iter().map(value_text));
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
