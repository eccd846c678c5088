//! `contentEncoding`, `contentMediaType`, `contentSchema`: [validation §8]. Annotations of a text; nothing is
//! decoded, parsed or checked.
//!
//! ```text
//! {"contentEncoding": "base64"}    0000 AnnotateText "base64"    /contentEncoding
//! ```
//!
//! `contentSchema` reads `contentMediaType`: without it, it means nothing.
//!
//! [validation §8]: https://json-schema.org/draft/2020-12/json-schema-validation#section-8

use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::program::{Annotation, Instruction};
use stanchion_vocab::Keyword;

pub(crate) fn compile_text(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.text(site)?;
    emit(builder, site);
    Ok(())
}

pub(crate) fn compile_schema(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    if builder.sibling(site, Keyword::ContentMediaType).is_some() {
        emit(builder, site);
    }
    Ok(())
}

fn emit(builder: &mut Builder<'_>, site: &Site<'_>) {
    let annotation = Annotation { name: site.entry.name.into(), value: site.entry.value.clone() };
    let annotation = builder.program.annotations.push(annotation);
    builder.emit(Instruction::AnnotateText(annotation));
}
