//! Puts what is left of a block into the gates that lead to it, where that is one instruction: then the block need not be
//! entered.

use crate::program::{BlockId, Flat, Gate, Program};

/// Settles [`Gate::then`] of every gate, once all code is written.
pub(super) fn find(program: &mut Program) {
    let all: Vec<Flat> =
        (0..program.blocks.len()).map(|index| then(program, BlockId(index as u32))).collect();
    let settle = |gate: &mut Gate| gate.then = all[gate.block.0 as usize];
    program.fast.iter_mut().for_each(|fast| settle(&mut fast.gate));
    for members in program.members.iter_mut() {
        settle(&mut members.rest);
        members.names.values_mut().for_each(|member| settle(&mut member.gate));
    }
    for items in program.items.iter_mut() {
        items.first.iter_mut().chain([&mut items.rest]).for_each(settle);
    }
}

/// The only instruction of a block, if that runs no block or counts the level of those that it runs; or else a call.
fn then(program: &Program, id: BlockId) -> Flat {
    let mut code = program.fast_of(id);
    let (Some(only), None, false) = (code.next(), code.next(), program.fast(id).needs_care) else {
        return Flat::Call(id);
    };
    let mut is_leaf = true;
    program.visit_fast_edges(only, |_, _| is_leaf = false);
    if is_leaf || only.counts_its_level() { only.into() } else { Flat::Call(id) }
}
