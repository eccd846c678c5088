//! Pictures of errors, in one binary. `cargo test -p stanchion-render --test it sarif::` runs one module.

mod pictures;
mod places;
mod sarif;
