//! What the benchmarks run on: schemas with instances and the verdicts that are right for them.

pub mod clock;
pub mod heap;
pub mod sets;

pub use sets::{Set, sets};
