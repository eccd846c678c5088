//! Passes over a finished program. Each rewrites the fast code of blocks; plain code stays as the
//! keywords said it, so errors and annotations are those of the schema. A pass may make blocks, to which only fast code leads.
//!
//! No pass changes a verdict: the suite runs every case with passes and without.

mod contained;
mod evaluated;
mod fuse;
mod gates;
mod inline_gate;
mod interval;
mod join;
mod merge;
mod patterns;
mod pick;
mod share;
mod switch;
mod unevaluated;

use crate::program::Program;

/// Runs all passes.
pub(crate) fn optimize(program: &mut Program) {
    // Finding equal blocks takes longer than compiling them, so it is left for where it may be needed.
    if program.may_repeat {
        share::share(program);
        program.note_sharing();
    }
    let evaluated = evaluated::find(program);
    gates::find(program);
    fuse::fuse(program, evaluated);
    inline_gate::find(program);
    contained::find(program);
}
