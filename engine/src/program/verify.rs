//! Every number in a program is in range, and programs have the shape that runs rely on.
//!
//! Run on every program in debug builds, and by tests.

use super::{Instruction, Program};

/// Panics with the place if a program is malformed: a bug in the compiler or the optimizer.
pub(crate) fn verify(program: &Program) {
    assert_eq!(program.code.len(), program.origins.len(), "every instruction has an origin");
    for (id, block) in program.blocks.iter().enumerate() {
        assert!(block.parent.0 as usize <= id, "block {id}: a parent comes first");
        assert!((block.resource as usize) < program.resources.len(), "block {id}: resource");
        let fast = program.fast[id];
        assert!((fast.gate.block.0 as usize) < program.blocks.len(), "block {id}: gate");
        for code in [block.plain.clone(), fast.code()] {
            assert!(code.start <= code.end && code.end as usize <= program.code.len(), "block {id}: code");
            for at in code {
                let instruction = program.code[at as usize];
                program.visit_edges(instruction, |_, target| {
                    assert!((target.0 as usize) < program.blocks.len(), "block {id}, {at}: {instruction:?}");
                });
            }
        }
        let is_fused = |at: u32| {
            matches!(
                program.code[at as usize],
                Instruction::Members(_)
                    | Instruction::MembersByPattern(_)
                    | Instruction::EachMember(_)
                    | Instruction::Pick(_)
                    | Instruction::InRange(_)
                    | Instruction::Text(_)
                    | Instruction::Items(_)
                    | Instruction::Unevaluated(_)
            )
        };
        assert!(!block.plain.clone().any(is_fused), "block {id}: fused instructions in plain code");
    }
}
