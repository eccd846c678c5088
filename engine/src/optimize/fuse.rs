//! Fuses what a block asks of an object's members into one walk, and drops what only a report needs.
//!
//! ```text
//! before  0000 Required ["a"]            after  0003 Members ["a"] → 1 2
//!         0001 Properties ["a"] → 1
//!         0002 AdditionalProperties → 2
//! ```

use crate::program::{BlockId, Instruction, Members, NameTable, Program};

pub(crate) fn fuse(program: &mut Program) {
    for index in 0..program.blocks.len() {
        fuse_block(program, BlockId(index as u32));
    }
}

fn fuse_block(program: &mut Program, id: BlockId) {
    let plain = program.block(id).plain.clone();
    let code = plain.clone().map(|at| program.code[at as usize]);
    if !code.clone().any(is_about_members) && !code.clone().any(is_note) {
        return;
    }
    let members = gather(program, id).map(|members| program.members.push(members));
    let start = program.code.len() as u32;
    let mut members = members.map(Instruction::Members);
    for at in plain {
        let (instruction, origin) = (program.code[at as usize], program.origins[at as usize]);
        let fused = if is_note(instruction) {
            None
        } else if is_about_members(instruction) {
            members.take()
        } else {
            Some(instruction)
        };
        if let Some(instruction) = fused {
            program.code.push(instruction);
            program.origins.push(origin);
        }
    }
    program.blocks[id.0 as usize].fast = start..program.code.len() as u32;
}

fn is_note(instruction: Instruction) -> bool {
    matches!(instruction, Instruction::Annotate(_) | Instruction::AnnotateText(_))
}

fn is_about_members(instruction: Instruction) -> bool {
    matches!(
        instruction,
        Instruction::Required(_)
            | Instruction::Properties(_)
            | Instruction::PatternProperties(_)
            | Instruction::AdditionalProperties(_)
    )
}

/// All that a block asks of members; nothing, if it asks nothing.
fn gather(program: &Program, id: BlockId) -> Option<Members> {
    let (mut required, mut named, mut patterned, mut rest) = (None, None, None, None);
    for at in program.block(id).plain.clone() {
        let instruction = program.code[at as usize];
        if let Instruction::Required(names) = instruction {
            required = Some(&program.names[names]);
        } else if let Instruction::Properties(blocks) = instruction {
            named = Some(&program.named_blocks[blocks]);
        } else if let Instruction::PatternProperties(blocks) = instruction {
            patterned = Some(blocks);
        } else if let Instruction::AdditionalProperties(additional) = instruction {
            rest = Some(program.additional[additional].block);
        }
    }
    if required.is_none() && named.is_none() && patterned.is_none() && rest.is_none() {
        return None;
    }
    let seeds = &program.seeds;
    let spoken_of = named.into_iter().flat_map(|named| named.names.iter());
    let only_required = required
        .into_iter()
        .flat_map(|required| required.iter())
        .filter(|name| named.is_none_or(|named| named.names.find(name, seeds).is_none()));
    let names = NameTable::new(spoken_of.chain(only_required), seeds);
    let mut blocks: Vec<Option<BlockId>> = vec![None; names.len()];
    if let Some(named) = named {
        for (slot, &block) in blocks.iter_mut().zip(&named.blocks) {
            *slot = Some(block);
        }
    }
    let is_required = |name: &str| required.is_some_and(|required| required.find(name, seeds).is_some());
    let required: Vec<bool> = names.iter().map(is_required).collect();
    let required_count = required.iter().filter(|&&required| required).count();
    Some(Members { names, blocks, required, required_count, patterned, rest })
}
