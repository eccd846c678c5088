//! One set of cases, run through every entry point of the engine.
//!
//! ```text
//! official/          → official ─┐
//!                                ├→ case → runner: representation × optimizer × report → Tally
//! data/own/          → case ─────┤           └ local, evaluation, metaschema: what else must hold
//! data/regressions/  → case ─────┘
//! ```
//!
//! # The format
//!
//! A file is an array of groups; a group is a schema and its tests. This is the format of the official suite, and
//! every file of that suite is a file of ours:
//!
//! ```json
//! [{
//!     "description": "a bound from below",
//!     "schema": { "minimum": 1 },
//!     "tests": [
//!         { "description": "on the bound", "data": 1, "valid": true },
//!         { "description": "below it", "data": 0, "valid": false }
//!     ]
//! }]
//! ```
//!
//! Our own files have further members. A group may have
//!
//! | member | meaning |
//! |---|---|
//! | `limits` | limits to build with, by the names of their setters: `{"steps": 100}` |
//! | `assert_formats` | `true`: `format` is an assertion |
//! | `dialect` | the dialect of schemas that declare none, by the name of its directory: `"draft7"` |
//! | `resources` | documents to register, by URI; the group then runs under `References::Bundled` |
//! | `schema_error` | the schema is refused, and the error contains this text; such a group has no tests |
//!
//! and a test may have, besides or instead of `valid`,
//!
//! | member | meaning |
//! |---|---|
//! | `verdict` | `"undecided"`: the run exhausts a limit, through every entry point |
//! | `errors` | all errors that the instance has, in any order: `instance_path`, `schema_path`, `keyword` and, where it matters, `message` |
//! | `annotations` | assertions in the form of the official annotation tests: `location`, `keyword`, `expected` |
//!
//! Instances keep their text: `1.0`, `1e2` and repeated members are validated as they are written
//! in the file.
//!
//! Files in `data/precise` need `arbitrary_precision`. Those in `data/written` have texts of many
//! digits: with that feature they run in every representation, and without it as text alone.
//!
//! # Modules
//!
//! - [`case`]: the format, as types
//! - [`dialect`]: the dialects and their directories
//! - [`official`]: finds and reads the official suite
//! - [`regression`]: findings of random tests, kept as cases
//! - [`runner`]: runs a group through every entry point; `trial`: one test of it
//! - [`evaluation`]: the official annotation and output tests
//! - [`generate`], [`mutate`]: valid instances of schemas, and instances with one mistake
//! - [`hostile`]: schemas made to hang, crash or fool a validator, with the correct results
//! - [`law`]: laws that hold for any input
//! - [`local`]: which schemas stay inside their own document
//! - [`metaschema`]: schemas and broken schemas, for «compile accepts ⇔ the metaschema accepts»
//! - [`shared`]: corpora and vectors outside of the workspace
//! - [`tally`]: counts of passed tests, and a readable list of failures
//! - [`walk`]: the places of subschemas in a schema
//! - [`wire`]: calls for the bindings of other languages

pub mod case;
pub mod dialect;
pub mod evaluation;
pub mod generate;
pub mod hostile;
pub mod law;
pub mod local;
pub mod metaschema;
pub mod mutate;
pub mod official;
pub mod regression;
pub mod runner;
pub mod shared;
pub mod tally;
mod trial;
pub mod walk;
pub mod wire;
