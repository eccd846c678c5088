//! Fuzz targets. Each takes bytes and panics if a law is broken; a finding that is a schema with instances is kept in
//! `suite/data/regressions`, where the tests run it as a case.
//!
//! | target | law |
//! |---|---|
//! | [`compile`] | any text is refused or compiled, optimized and plain alike, and can be asked for its cost |
//! | [`run`] | any schema and instance get the same answer from every report, with limits that end most runs |
//! | [`agree`] | schemas by construction: every entry point, with and without the optimizer and a memo, agrees with `jsonschema` |
//! | [`ecma`] | patterns by construction match what `regress` and `fancy-regex` match |
//! | [`tape`] | text is read as `serde_json` reads it |
//!
//! ```sh
//! cargo run --bin fuzz-loop -- --seconds 60            # a plain loop, on any toolchain
//! cargo run --bin fuzz-loop -- --seconds 60 ecma       # of one target
//! cargo run --bin fuzz-loop -- --write-corpus corpus   # seeds for cargo-fuzz
//! cargo +nightly fuzz run --fuzz-dir . --features libfuzzer ecma
//! ```
//!
//! To add a target, add a module with a `target` and its `seeds`, a row in [`TARGETS`], and a file in `fuzz_targets`.

pub mod agree;
pub mod compile;
pub mod ecma;
mod generate;
pub mod run;
pub mod seeds;
pub mod tape;

/// A target and the inputs that it starts from.
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Panics if the law is broken for these bytes.
    pub run: fn(&[u8]),
    /// Inputs to start from, made of the suite's cases.
    pub seeds: fn(&[seeds::Seed]) -> Vec<Vec<u8>>,
}

/// All targets.
pub const TARGETS: [Target; 5] = [
    Target { name: "compile", run: compile::target, seeds: compile::seeds },
    Target { name: "run", run: run::target, seeds: run::seeds },
    Target { name: "agree", run: agree::target, seeds: agree::seeds },
    Target { name: "ecma", run: ecma::target, seeds: ecma::seeds },
    Target { name: "tape", run: tape::target, seeds: tape::seeds },
];
