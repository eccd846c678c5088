//! An empty crate: this manifest only pins the package that carries the official test suite.
//!
//! Its lock file fixes the version and the checksum; `stanchion-suite` finds the package through
//! `cargo metadata` and reads the test files where cargo unpacked them.
