//! Every number in a program is in range, and programs have the shape that runs rely on.
//!
//! Run on every program in debug builds, and by tests.

use super::{BlockId, Program};
use std::fmt::Debug;

/// Panics with the place if a program is malformed: a bug in the compiler or the optimizer.
pub(crate) fn verify(program: &Program) {
    assert_eq!(program.code.len(), program.origins.len(), "every instruction has an origin");
    assert_eq!(program.fast_code.len(), program.fast_origins.len(), "every instruction has an origin");
    for (id, block) in program.blocks.iter().enumerate() {
        assert!(block.parent.0 as usize <= id, "block {id}: a parent comes first");
        assert!((block.resource as usize) < program.resources.len(), "block {id}: resource");
        let fast = program.fast[id];
        assert!((fast.gate.block.0 as usize) < program.blocks.len(), "block {id}: gate");
        let check = |target: BlockId, instruction: &dyn Debug| {
            assert!((target.0 as usize) < program.blocks.len(), "block {id}: {instruction:?}");
        };
        for &instruction in program.plain_of(BlockId(id as u32)) {
            program.visit_edges(instruction, |_, target| check(target, &instruction));
        }
        for instruction in program.fast_of(BlockId(id as u32)) {
            program.visit_fast_edges(instruction, |_, target| check(target, &instruction));
        }
    }
}
