//! Identifiers and definitions: [core §8]. They are read with the document; here only their values are checked.
//!
//! [core §8]: https://json-schema.org/draft/2020-12/json-schema-core#section-8

use crate::compile::{Builder, Site};
use crate::error::SchemaError;

/// A string, whatever it says.
pub(crate) fn text(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.text(site).map(drop)
}

pub(crate) fn flag(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.boolean(site).map(drop)
}

/// `$id`: no fragment, or an empty one.
pub(crate) fn id(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let text = builder.text(site)?;
    match text.find('#') {
        Some(at) if at + 1 < text.len() => {
            Err(builder.unexpected_value(site, &[], "a URI reference without a fragment", site.entry.value))
        }
        Some(_) | None => Ok(()),
    }
}

pub(crate) fn anchor(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    named(builder, site, |first| first.is_ascii_alphabetic() || first == '_', "-._")
}

/// 2019-09 allows a colon, and no underscore in front.
pub(crate) fn anchor_2019(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    named(builder, site, |first| first.is_ascii_alphabetic(), "-.:_")
}

fn named(
    builder: &Builder<'_>,
    site: &Site<'_>,
    starts: impl Fn(char) -> bool,
    marks: &str,
) -> Result<(), SchemaError> {
    let text = builder.text(site)?;
    let continues = |character: char| character.is_ascii_alphanumeric() || marks.contains(character);
    if text.starts_with(starts) && text.chars().all(continues) {
        return Ok(());
    }
    let wanted = "an anchor (a letter, then letters, digits, hyphens, underscores and periods)";
    Err(builder.unexpected_value(site, &[], wanted, site.entry.value))
}

/// `$vocabulary`: URIs, each with a boolean.
pub(crate) fn vocabulary(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    for (uri, required) in builder.object(site, "an object of booleans")? {
        if !required.is_boolean() {
            return Err(builder.unexpected_at(site, &[uri], "a boolean", required));
        }
    }
    Ok(())
}

/// `$defs`: an object of subschemas, which are blocks of their own.
pub(crate) fn definitions(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.object(site, "an object of schemas").map(drop)
}
