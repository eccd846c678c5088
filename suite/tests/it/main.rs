//! The suite's tests in one binary, so that the engine's generics compile once. `cargo test -p
//! stanchion-suite --test it own::` runs one module.

mod agree;
mod closed;
mod corpus;
mod cost;
mod first_error;
mod hostile;
mod metaschema;
mod meter;
mod official;
mod own;
mod precise;
mod promise;
mod property;
mod regressions;
mod tidy;
