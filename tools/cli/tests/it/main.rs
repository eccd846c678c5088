//! The command line as a user runs it, in one binary. `cargo test -p stanchion-cli --test it lint::` runs one module.

mod bench;
mod bowtie;
mod check;
mod check_formats;
mod check_human;
mod check_sources;
mod check_streams;
mod common;
mod completions;
mod cost;
mod explain;
mod lint;
mod mcp;
mod readme;
mod suite;
