//! `title`, `default` and their like: [validation §9]; and keywords that nobody knows: [core §6.5]. Each is an
//! annotation of the value.
//!
//! ```text
//! {"title": "A"}    0000 Annotate "A"    /title
//! ```
//!
//! [validation §9]: https://json-schema.org/draft/2020-12/json-schema-validation#section-9
//! [core §6.5]: https://json-schema.org/draft/2020-12/json-schema-core#section-6.5

use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::program::Plain;

pub(crate) fn any(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    unknown(builder, site);
    Ok(())
}

pub(crate) fn text(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.text(site)?;
    any(builder, site)
}

pub(crate) fn flag(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.boolean(site)?;
    any(builder, site)
}

pub(crate) fn list(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.array(site, "an array")?;
    any(builder, site)
}

/// Notes a keyword's value as it is.
pub(crate) fn unknown(builder: &mut Builder<'_>, site: &Site<'_>) {
    let annotation = builder.annotation(site);
    builder.emit(Plain::Annotate(annotation));
}
