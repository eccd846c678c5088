//! `minLength`, `maxLength`, `pattern`: [validation §6.3]. A text's code points are counted, and
//! a pattern is searched for anywhere in it; anything else passes.
//!
//! ```text
//! {"minLength": 1}       0000 LengthAtLeast 1      /minLength
//! {"pattern": "^a"}      0000 Matches "^a"         /pattern
//! ```
//!
//! [validation §6.3]: https://json-schema.org/draft/2020-12/json-schema-validation#section-6.3

use super::format;
use crate::compile::{Builder, Site};
use crate::error::{SchemaError, SchemaErrorKind};
use crate::instance::decimal::Buffer;
use crate::instance::{Node, Number, TWO_WORDS, View, ends};
use crate::limits::{Budget, Stopped};
use crate::program::{Assertion, Id, Pattern, Text};
use crate::run::Run;
use serde_json::Value;

pub(crate) fn compile_min_length(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let count = count(builder, site)?;
    let count = builder.program.counts.push(count);
    builder.emit(Assertion::LengthAtLeast(count));
    Ok(())
}

pub(crate) fn compile_max_length(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let count = count(builder, site)?;
    let count = builder.program.counts.push(count);
    builder.emit(Assertion::LengthAtMost(count));
    Ok(())
}

/// An integer that is not negative, of whatever size: what is more than anything can have is all the same.
pub(crate) fn count(builder: &Builder<'_>, site: &Site<'_>) -> Result<u64, SchemaError> {
    let wanted = "an integer of 0 or more";
    let Value::Number(number) = site.entry.value else { return Err(builder.unexpected(site, wanted)) };
    if let Some(count) = number.as_u64() {
        return Ok(count);
    }
    let number = Number::from(number);
    let by_value = builder.dialect(site.subschema).integers_by_value();
    let is_integer = if by_value { number.is_integer() } else { number.is_written_as_integer() };
    let mut buffer = Buffer::default();
    let decimal =
        number.decimal(&mut buffer).map_err(|_| builder.error(site, &[], SchemaErrorKind::Exponent))?;
    if !is_integer || decimal.is_negative() {
        return Err(builder.unexpected_value(site, &[], wanted, site.entry.value));
    }
    Ok(decimal.small_integer().map_or(u64::MAX, |(magnitude, _)| magnitude))
}

pub(crate) fn compile_pattern(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let Value::String(source) = site.entry.value else { return Err(builder.unexpected(site, "a string")) };
    let pattern = builder.pattern(site, &[], source)?;
    builder.emit(Assertion::Matches(pattern));
    Ok(())
}

#[inline(never)]
pub(crate) fn length_at_least<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    count: Id<u64>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(text) = node.text_bytes() else { return Ok(true) };
    has_length(run, run.program.counts[count], u64::MAX, text)
}

#[inline(never)]
pub(crate) fn length_at_most<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    count: Id<u64>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(text) = node.text_bytes() else { return Ok(true) };
    has_length(run, 0, run.program.counts[count], text)
}

/// Whether a text in UTF-8 has so many code points, from the one number to the other.
#[inline(always)]
fn has_length<R>(run: &mut Run<'_, R>, least: u64, most: u64, text: &[u8]) -> Result<bool, Stopped> {
    // A code point takes one to four bytes, so most lengths need no counting.
    let bytes = text.len() as u64;
    // No text has so many bytes that three more would not be a number.
    let fewest = (bytes + 3) >> 2;
    if bytes < least || fewest > most {
        return Ok(false);
    }
    if fewest >= least && bytes <= most {
        return Ok(true);
    }
    let count = code_points(run, text)?;
    Ok((least..=most).contains(&count))
}

#[inline(never)]
fn code_points<R>(run: &mut Run<'_, R>, text: &[u8]) -> Result<u64, Stopped> {
    run.budget.spend_bytes(text.len())?;
    // Two words, as names have them, are all of a short text, and mostly that is ASCII.
    const BEYOND_ASCII: u64 = 0x8080_8080_8080_8080;
    let (last, first) = ends(text);
    if text.len() <= TWO_WORDS as usize && (first | last) & BEYOND_ASCII == 0 {
        return Ok(text.len() as u64);
    }
    // All bytes but those that go on with a code point.
    Ok(text.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64)
}

/// All that a block says of texts.
#[inline(never)]
pub(crate) fn is_text<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    id: Id<Text>,
    node: N,
) -> Result<bool, Stopped> {
    let View::String(text) = node.view() else { return Ok(true) };
    let wanted = &run.program.texts[id];
    if !has_length(run, wanted.least, wanted.most, text.as_bytes())? {
        return Ok(false);
    }
    if let Some(pattern) = wanted.pattern
        && !run.program.patterns[pattern].is_match(&mut run.budget, text)?
    {
        return Ok(false);
    }
    match wanted.format {
        Some(format) => format::has_format(run, format, node),
        None => Ok(true),
    }
}

#[inline(never)]
pub(crate) fn matches<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    pattern: Id<Pattern>,
    node: N,
) -> Result<bool, Stopped> {
    let View::String(text) = node.view() else { return Ok(true) };
    run.program.patterns[pattern].is_match(&mut run.budget, text)
}

/// The code points of a text, for an error.
pub(crate) fn length<'a, N: Node<'a>>(budget: &mut Budget, node: N) -> Result<u64, Stopped> {
    let View::String(text) = node.view() else { return Ok(0) };
    budget.spend_bytes(text.len())?;
    Ok(text.chars().count() as u64)
}
