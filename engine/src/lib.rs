//! A JSON Schema compiler and validator for untrusted schemas and untrusted instances.
//!
//! A schema is compiled once into a flat program; the program then answers, fast and within a bound,
//! whether JSON values conform.
//!
//! ```
//! use stanchion::{Validator, Verdict};
//! use serde_json::json;
//!
//! let validator = Validator::new(&json!({
//!     "type": "object",
//!     "properties": {"city": {"type": "string"}, "days": {"type": "integer", "minimum": 1}},
//!     "required": ["city"]
//! }))?;
//!
//! assert!(validator.is_valid(&json!({"city": "Turin", "days": 3})));
//! assert_eq!(validator.verdict(&json!({"days": 3})), Verdict::Invalid);
//!
//! let error = validator.validate(&json!({"city": "Turin", "days": 0})).unwrap_err();
//! assert_eq!(error.to_string(), "/days: 0 is less than the minimum 1");
//! # Ok::<(), stanchion::SchemaError>(())
//! ```
//!
//! # From a schema to a verdict
//!
//! ```text
//! schema → document → resolve → compile → program → optimize ─┐
//!                                ↑ keyword/*                  ↓
//! instance (Node, View) ─────────────────────────────────→ run (Budget) → Verdict
//!                                                             └ explain → errors, annotations → output
//! ```
//!
//! - [`Validator::new`] reads the schema (2020-12 unless its `$schema` says otherwise), follows its
//!   references within the document, checks every keyword's value, and compiles. What is malformed is a
//!   [`SchemaError`] with the place and what was expected. [`Validator::builder`] has choices.
//! - [`Validator::verdict`] runs the program. [`Validator::validate`] and [`Validator::iter_errors`] say
//!   what is wrong, [`Validator::evaluate`] also what the schema has to say about a value.
//! - An instance is whatever implements [`Node`]: `&serde_json::Value`, a simd-json tape
//!   ([`TapeNode`]), or JSON text: read once for several validators ([`Reader::parse`]), straight to a verdict
//!   ([`Validator::verdict_json_with`]), or many on lines of their own ([`Validator::verdicts_ndjson`]).
//! - [`Validator::program`] prints what a schema was compiled to.
//! - A [`Cache`] keeps validators by the content of their schemas, for those who get a schema with every request.
//!
//! # Which method to call
//!
//! | you want | call | it costs |
//! |---|---|---|
//! | yes or no, and an exhausted budget is a no | [`Validator::is_valid`] | a run |
//! | yes, no or undecided | [`Validator::verdict`] | a run |
//! | the most helpful error | [`Validator::validate`] | a run, and for an invalid instance a walk to the first error |
//! | all errors, up to [`Limits::errors`] | [`Validator::iter_errors`] | a run, and for an invalid instance a walk through all that it rejects |
//! | annotations, output formats, and all errors | [`Validator::evaluate`] | a run, and a walk through everything |
//!
//! All five agree: the error of `validate` is the first of `iter_errors`, and those are the errors of `evaluate`. Each call has one budget for its
//! run and its walk together: [`Limits::steps`] and [`Limits::memory`].
//!
//! # Errors
//!
//! An error says what is wrong, where, and what would be right, to people, to programs and to language models:
//!
//! ```
//! use stanchion::{ErrorKind, Validator};
//! use serde_json::json;
//!
//! let validator = Validator::new(&json!({
//!     "type": "object",
//!     "properties": {"city": {"type": "string"}, "unit": {"enum": ["celsius", "fahrenheit"]}},
//!     "required": ["city"],
//!     "additionalProperties": false
//! }))?;
//! let errors = validator.iter_errors(&json!({"citty": "Turin", "unit": "kelvin"}));
//!
//! // For people, a line each.
//! assert_eq!(errors.to_string(), r#"/: unknown property "citty" (did you mean "city"?)
//! /: missing required property "city"
//! /unit: "kelvin" is not one of "celsius", "fahrenheit""#);
//!
//! // For programs, the facts.
//! let ErrorKind::UnknownProperty { name, suggestion, .. } = errors.as_slice()[0].kind() else { unreachable!() };
//! assert_eq!((name.as_str(), suggestion.as_deref()), ("citty", Some("city")));
//!
//! // For models, as much as fits, and what a right value looks like.
//! let text = errors.for_model(300);
//! assert!(text.ends_with(r#"Expected at /: {"city": string, "unit"?: "celsius"|"fahrenheit"}"#));
//! # Ok::<(), stanchion::SchemaError>(())
//! ```
//!
//! - The most helpful error comes first, and it is the one that [`Validator::validate`] gives. The order is the same every time.
//! - A union that refuses (`anyOf`, `oneOf`) is represented by the errors of its closest branch; [`ValidationError::union`] has the others.
//! - [`Messages`] leaves out values, which may be secrets, cuts them shorter, or takes words of your own.
//! - [`Errors::is_cut`] says if there are more than [`Limits::errors`]; [`Evaluation`] has the output formats of the specification.
//! - For those who write schemas, [`ValidatorBuilder::diagnose`] lists all that is wrong with one, and what it probably did not mean.
//!
//! # Untrusted input
//!
//! Both sides may be hostile: the schema comes from a stranger, the instance from a model or a server.
//!
//! **Nothing is fetched.** There is no I/O in this crate and its dependencies. By default a reference that
//! does not start with `#` is refused; with [`References::Bundled`] it may also lead to an `$id` in the
//! document, to what was handed over by [`ValidatorBuilder::resource`], or to a metaschema.
//!
//! **A schema is measured while it is read**, and refused before anything is built from it:
//!
//! | limit | default | bounds |
//! |---|---|---|
//! | [`Limits::depth`] | 64 | nesting of subschemas, and of values inside `const`, `examples` and the like |
//! | [`Limits::subschemas`] | 10,000 | subschemas, in the document and in all it refers to |
//! | [`Limits::document_bytes`] | 4 MiB | texts and values of the document |
//! | [`Limits::pattern_size`] | 80,000 | all patterns together, with what they repeat |
//!
//! References that come back to themselves without going into the instance are refused too. Compiling
//! takes time and memory about linear in the size of the document.
//!
//! **A run carries a budget.** When it is spent the run ends as [`Verdict::Undecided`], which is neither valid
//! nor invalid, whatever `not` or `oneOf` is around it:
//!
//! | limit | default | bounds |
//! |---|---|---|
//! | [`Limits::steps`] | 2,000,000 | members and items looked at, subschemas applied in place, and the size of what instructions touch |
//! | [`Limits::steps_per_value`] | 8 | the same for each value of the instance, if that is more |
//! | [`Limits::instance_depth`] | 256 | nesting of blocks; 512 KiB of stack are enough for the default |
//! | [`Limits::memory`] | 16 MiB | what a run holds: marks, hashes, remembered verdicts, errors, annotations |
//! | [`Limits::errors`] | 100 | errors that are collected |
//!
//! A run may take 2,000,000 steps, or 8 for each value of the instance if that is more, where eight bytes of names and texts
//! count as a value: so linear schemas get their verdict however large the instance is, and others are still stopped.
//! Steps are deterministic: the same program and instance spend the same steps on every machine. A step is some ten
//! nanoseconds and never more than 50, so that the default stands for less than 100 ms, and for less than 0.4 µs for each
//! value of a larger instance. Compiling and validating hold less than 64 MiB each, beside what they are given.
//!
//! **Before the budget stand algorithms.** For V blocks and N nodes a verdict takes about V·N steps, also where a
//! schema was made to take 2^V: verdicts of blocks on nodes are remembered when a run has spent more than
//! an honest one would. Uniqueness and `enum` go by hash, names by table. What only the budget ends are backreferences,
//! dynamic references among several resources, and plain large products.
//!
//! **A bound is known before anything runs**: [`Validator::cost`] computes from the schema alone how the worst case
//! grows, and how many steps an instance of some size may take; [`Validator::measure`] what a verdict took.
//!
//! **A text is bounded**: in length by [`Reader::text_bytes`] (1 GiB), in depth by 127 arrays and objects. Reading takes time and
//! memory linear in its length, up to 32 bytes for each byte; what is no JSON has a [`TextError`] with a line and a column.
//!
//! **Reports are bounded as well.** Errors, annotations and outputs stop at [`Limits::errors`] and
//! [`Limits::memory`], and say if something was left out.
//!
//! **Patterns** are ECMA-262 patterns. They run in time linear in the text times the pattern's size, also with lookaround; those
//! with backreferences may take longer, and pay for each step. What is built for patterns on their first match is bounded for the whole
//! schema, and takes some milliseconds at most.
//!
//! # Values of your own
//!
//! A type that holds JSON in its own way can be validated without a copy. Implement [`Node`] on a `Copy` handle to a value, such as a reference, and
//! [`Array`] and [`Object`] on handles to its containers. `cargo run -p stanchion --example own_node` is a complete one of sixty lines.
//!
//! - [`Node::view`] is the only method that a node needs: it says what the value is. [`Node::shape`] and the others have defaults; override them
//!   where an answer without the content is cheaper.
//! - Of members with the same name only the last may be there. Items and members come in the same order each time.
//! - [`Array::address`] and [`Object::address`] distinguish the containers of an instance. Verdicts are remembered by them, so two containers that are not
//!   empty must never share one. The address in memory will do.
//! - [`Object::get_cost`] says how many members [`Object::get`] looks at. Runs pay steps for that, so a cost that is too low lets a hostile
//!   schema work for free: 1 for a hash map, [`Object::len`] for a list.
//! - [`Number::Unsigned`] and [`Number::Signed`] are exact. [`Number::Float`] must be finite and stands for its shortest decimal.
//! - A value must not change while it is validated.
//!
//! # Numbers
//!
//! Numbers are decimal: 1.0 is an integer and equal to 1, and 0.0075 is a multiple of 0.0001. How many of their digits count
//! depends on who read them:
//!
//! - **JSON text** ([`Reader`], [`Validator::verdict_json`]): all of them. 18446744073709551616 is a multiple of 1048576 and not of 5, and
//!   1e-999999999 is no integer.
//! - **A `serde_json::Value`**, which every schema is, has integers of 64 bits and floats. A float stands for the decimal that its shortest text
//!   shows, which is the number that was read if that had up to 15 digits. One of more digits may have been rounded: numbers of a text are
//!   compared with it as floats, so that a schema takes the very number that it was written with. With serde_json's
//!   `arbitrary_precision`, a `Value` has every digit.
//! - **A simd-json tape** has integers of 64 bits and floats as well.
//!
//! Draft-04 calls an integer what is written without a fraction and an exponent. Of integers beyond 64 bits and of `-0`, a `Value` does not
//! know how they were written: they count as integers.
//!
//! # Features
//!
//! - `simd-json` (default): [`TapeNode`], for tapes that the caller has already.
//! - `preserve_order`, `arbitrary_precision`: serde_json's features of that name.
#![forbid(unsafe_code)]

mod cache;
mod compile;
mod cost;
mod diagnose;
mod document;
mod error;
mod explain;
mod features;
mod heap;
mod instance;
mod keyword;
mod limits;
mod optimize;
mod output;
mod program;
mod resolve;
mod run;
mod suggest;
mod validator;

pub use cache::Cache;
pub use cost::{Cost, PlaceCost};
pub use diagnose::Diagnosis;
pub use error::{Branch, ErrorKind, Errors, Messages, ValidationError};
pub use error::{SchemaError, SchemaErrorKind, SchemaWarning, SchemaWarningKind};
pub use explain::annotations::Annotation;
pub use features::FEATURES;
pub use instance::text::{Reader, TextError};
pub use instance::{Array, MemberName, Node, Number, Object, Shape, View, Written};
pub use instance::{BuildError, Decoder, InstanceBuilder, InstanceSink};
pub use instance::{Instance, InstanceArray, InstanceNode, InstanceObject, KeptInstance};
#[cfg(feature = "simd-json")]
pub use instance::{TapeArray, TapeNode, TapeObject};
pub use limits::{Exhausted, Limits, UnknownLimit};
pub use output::Evaluation;
pub use program::{Growth, Program, Size, graph};
pub use resolve::References;
pub use stanchion_vocab::{Dialect, Type, TypeSet, UnknownDialect};
pub use validator::{Measured, Remember, Validator, ValidatorBuilder, Verdict, Verdicts};

/// The README's example, as a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
