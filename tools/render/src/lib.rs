//! Renders findings: for people, with the JSON text and the place marked in it, and for CI, as
//! SARIF.
//!
//! ```text
//! JSON Pointer + text → place (bytes) → Finding → picture | line | SARIF
//! ```
//!
//! - [`locate`] and [`locate_all`] find the bytes of a value in a text; [`Source`] converts them to
//!   line and column.
//! - A [`Finding`] is a sentence with marks in texts. Constructors make one from an error of an
//!   instance, of a schema, or of text that is not JSON; others can be made by hand.
//! - [`Pictures`] draws a finding for a terminal, [`Finding::line`] writes one line, and [`sarif`]
//!   a log.
//!
//! This crate does no I/O. Texts are untrusted: they cost no more than reading them once, a long
//! line is cut, and control characters, escape sequences and invisible characters are escaped
//! ([`visible()`]).
#![forbid(unsafe_code)]

mod excerpt;
mod finding;
mod picture;
mod place;
pub mod sarif;
mod source;
mod visible;

pub use finding::{Finding, Level, Mark, Schema};
pub use picture::Pictures;
pub use place::{Place, locate, locate_all};
pub use source::{Position, Source};
pub use visible::visible;
