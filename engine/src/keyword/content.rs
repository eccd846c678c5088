//! `contentEncoding`, `contentMediaType`, `contentSchema`: [validation §8]. Annotations of a text; nothing is
//! decoded, parsed or checked.
//!
//! ```text
//! {"contentEncoding": "base64"}    0000 AnnotateText "base64"    /contentEncoding
//! ```
//!
//! In draft-07 the first two also assert, for the encoding `base64` and the media type `application/json`, which are
//! the ones that the official suite has; others are annotations there too, and so are all where the caller says so:
//!
//! ```text
//! {"contentEncoding": "base64"}    0000 AnnotateText "base64"    /contentEncoding
//!                                  0001 HasContent base64        /contentEncoding
//! ```
//!
//! `contentMediaType` reads `contentEncoding` there, to know what to look at. `contentSchema` reads
//! `contentMediaType`: without it, it means nothing.
//!
//! [validation §8]: https://json-schema.org/draft/2020-12/json-schema-validation#section-8

use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::instance::{Node, View};
use crate::limits::Stopped;
use crate::program::{Assertion, Content, Plain};
use crate::run::Run;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use stanchion_vocab::Keyword;
use std::borrow::Cow;

pub(crate) fn compile_text(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.text(site)?;
    emit(builder, site);
    Ok(())
}

/// Draft-07's `contentEncoding`.
pub(crate) fn compile_asserted_encoding(
    builder: &mut Builder<'_>,
    site: &Site<'_>,
) -> Result<(), SchemaError> {
    compile_text(builder, site)?;
    if builder.options.assert_content && is_base64(site.entry.value) {
        builder.emit(Assertion::HasContent(Content { base64: true, json: false }));
    }
    Ok(())
}

/// Draft-07's `contentMediaType`.
pub(crate) fn compile_asserted_media_type(
    builder: &mut Builder<'_>,
    site: &Site<'_>,
) -> Result<(), SchemaError> {
    compile_text(builder, site)?;
    let encoding = builder.sibling(site, Keyword::ContentEncoding).map(|entry| entry.value);
    // What is in an encoding that we do not know cannot be looked at.
    let readable = encoding.is_none_or(is_base64);
    if builder.options.assert_content && readable && site.entry.value.as_str() == Some("application/json") {
        builder.emit(Assertion::HasContent(Content { base64: encoding.is_some(), json: true }));
    }
    Ok(())
}

pub(crate) fn compile_schema(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    if builder.sibling(site, Keyword::ContentMediaType).is_some() {
        emit(builder, site);
    }
    Ok(())
}

fn emit(builder: &mut Builder<'_>, site: &Site<'_>) {
    let annotation = builder.annotation(site);
    builder.emit(Plain::AnnotateText(annotation));
}

fn is_base64(encoding: &Value) -> bool {
    encoding.as_str().is_some_and(|name| name.eq_ignore_ascii_case("base64"))
}

#[inline(never)]
pub(crate) fn has_content<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    content: Content,
    node: N,
) -> Result<bool, Stopped> {
    let View::String(text) = node.view() else { return Ok(true) };
    run.budget.spend(1 + text.len() as u64)?;
    // What is decoded, and the values parsed from it, are dropped at once; they take no more than so much.
    let held = text.len().saturating_mul(size_of::<Value>());
    run.budget.hold(held)?;
    let bytes = match content.base64 {
        true => STANDARD.decode(text).ok().map(Cow::Owned),
        false => Some(Cow::Borrowed(text.as_bytes())),
    };
    let holds = bytes.is_some_and(|bytes| !content.json || serde_json::from_slice::<Value>(&bytes).is_ok());
    run.budget.release(held);
    Ok(holds)
}
