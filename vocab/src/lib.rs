//! Facts about JSON Schema: tables and pure functions, and nothing that runs a schema.
//!
//! This crate is a leaf. It knows which keywords each dialect has and where their subschemas sit
//! ([`keyword`], [`dialect`]), the seven type names ([`types`]), the text of the metaschemas
//! ([`metaschema`]), how places in a document are written ([`pointer`]), what each format demands ([`format`](mod@format)), and what an ECMA-262
//! pattern means ([`ecma`]). What a keyword *does* is the engine's business; linters, fuzzers and
//! documentation can use these facts without it.
//!
//! The vocabularies of 2020-12 and where their facts live:
//!
//! | vocabulary | facts |
//! |---|---|
//! | core, applicator, unevaluated, validation, meta-data | [`keyword`] |
//! | format-annotation, format-assertion | [`format`](mod@format) |
//! | content | [`keyword`]: annotations only |
#![forbid(unsafe_code)]

pub mod dialect;
pub mod ecma;
pub mod format;
pub mod keyword;
pub mod metaschema;
pub mod pointer;
pub mod types;
mod unicode;

pub use dialect::{Dialect, Vocabularies, Vocabulary};
pub use keyword::{Keyword, Subschemas};
pub use types::{Type, TypeSet};
