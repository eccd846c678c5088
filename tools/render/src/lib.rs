//! Pictures of what Stanchion found: for people, with the JSON text and the place marked in it, and for CI, as SARIF.
//!
//! ```text
//! JSON Pointer + text → place (bytes) → Finding → picture | line | SARIF
//! ```
//!
//! - [`locate`] and [`locate_all`] find where a value stands in a text; [`Source`] knows its line and column.
//! - A [`Finding`] is a sentence with marks in texts. There are some for the errors of an instance, of a schema, and of text
//!   that is no JSON; others are made by hand.
//! - [`Pictures`] draws it for a terminal, [`Finding::line`] writes one line, [`sarif`] a log.
//!
//! There is no I/O here. Texts are a stranger's: their size costs no more than reading them, a long line is cut, and
//! control characters, escape sequences and invisible characters are shown, not obeyed ([`visible()`]).
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
