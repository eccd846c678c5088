//! Facts about JSON Schema: tables and pure functions. Nothing here runs a schema.
//!
//! This crate depends on none of the others. It knows which keywords each dialect has and where
//! their subschemas are ([`keyword`], [`dialect`]), the seven type names ([`types`]), the text of
//! the metaschemas ([`metaschema`]), the syntax of JSON Pointers ([`pointer`](mod@pointer)), how deep a text
//! nests ([`nesting`]), the rules of each format ([`format`](mod@format)), and the meaning of an ECMA-262 pattern ([`ecma`]). The engine
//! defines what a keyword *does*; linters, fuzzers and documentation can use these facts without
//! it.
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
pub mod nesting;
pub mod pointer;
pub mod types;
mod unicode;

pub use dialect::{Dialect, UnknownDialect, Vocabularies, Vocabulary};
pub use keyword::{Keyword, Subschemas};
pub use types::{Type, TypeSet};

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;
