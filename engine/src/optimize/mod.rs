//! Passes over a finished program. Each rewrites the fast code of blocks; plain code stays as the
//! keywords said it, so errors and annotations are those of the schema.
//!
//! No pass changes a verdict: the suite runs every case with passes and without.

mod fuse;

use crate::program::Program;

/// Runs all passes.
pub(crate) fn optimize(program: &mut Program) {
    fuse::fuse(program);
}
