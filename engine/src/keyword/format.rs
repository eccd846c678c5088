//! `format`: [validation §7]. An annotation, and an assertion on texts where the caller or the
//! metaschema asks for that.
//!
//! ```text
//! {"format": "uuid"}    0000 Annotate "uuid"     /format
//!                       0001 HasFormat "uuid"    /format
//! ```
//!
//! The caller's own formats come before the known ones. A format that nobody knows asserts nothing.
//!
//! [validation §7]: https://json-schema.org/draft/2020-12/json-schema-validation#section-7

use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::instance::{Node, View};
use crate::limits::Stopped;
use crate::program::{Assertion, Format, FormatCheck, Id, Plain};
use crate::run::Run;

pub(crate) fn compile(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let name = builder.text(site)?;
    let annotation = builder.annotation(site);
    builder.emit(Plain::Annotate(annotation));
    if !builder.asserts_formats(site.subschema) {
        return Ok(());
    }
    let own = builder.options.formats.get(name).cloned();
    let check = own.or_else(|| stanchion_vocab::format::check(name).map(FormatCheck::Known));
    if let Some(check) = check {
        let format = builder.program.formats.push(Format { name: name.into(), check });
        builder.emit(Assertion::HasFormat(format));
    }
    Ok(())
}

#[inline(never)]
pub(crate) fn has_format<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    format: Id<Format>,
    node: N,
) -> Result<bool, Stopped> {
    let View::String(text) = node.view() else { return Ok(true) };
    // The slowest checks, on internationalized names, take some tens of nanoseconds a byte.
    run.budget.spend(1 + text.len() as u64)?;
    Ok(match &run.program.formats[format].check {
        FormatCheck::Known(check) => check(text),
        FormatCheck::Own(check) => check(text),
    })
}
