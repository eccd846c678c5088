//! A JSON Schema compiler and validator for untrusted schemas and untrusted instances.
#![forbid(unsafe_code)]

mod compile;
mod document;
mod error;
mod instance;
mod keyword;
mod limits;
mod optimize;
mod output;
mod program;
mod report;
mod resolve;
mod run;
mod validator;

pub use error::{ErrorKind, SchemaError, ValidationError};
pub use instance::text::{Reader, TextError};
pub use instance::{Array, Node, Number, Object, View};
#[cfg(feature = "simd-json")]
pub use instance::{TapeArray, TapeNode, TapeObject};
pub use limits::{Exhausted, Limits};
pub use output::Evaluation;
pub use program::Program;
pub use report::annotations::Annotation;
pub use resolve::References;
pub use stanchion_vocab::{Dialect, Type, TypeSet};
pub use validator::{Errors, Validator, ValidatorBuilder, Verdict};
