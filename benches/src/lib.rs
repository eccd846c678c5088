//! Input of the benchmarks: schemas, and instances with their expected verdicts.

pub mod clock;
pub mod heap;
pub mod sets;

pub use sets::{Set, sets};
