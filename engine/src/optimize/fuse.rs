//! Fuses what a block asks of an object's members into one walk, drops what only a report needs, makes calls of an
//! `allOf`, and tries each block of an `anyOf` once.
//!
//! ```text
//! before  0000 Required ["a"]            after  0003 Members ["a"] → 1 2
//!         0001 Properties ["a"] → 1
//!         0002 AdditionalProperties → 2
//! ```

use super::is_note;
use crate::program::{BlockId, Blocks, Instruction, Member, Members, NameTable, Program, Target};
use ahash::RandomState;
use stanchion_vocab::{Keyword, TypeSet};
use std::collections::HashSet;

pub(crate) fn fuse(program: &mut Program) {
    // Children come after their parents, so from the back: what a child amounts to is known before it is asked.
    for index in (0..program.blocks.len()).rev() {
        fuse_block(program, BlockId(index as u32));
    }
}

fn fuse_block(program: &mut Program, id: BlockId) {
    let plain = program.block(id).plain.clone();
    let members = gather(program, id).map(|members| program.members.push(members));
    let start = program.code.len() as u32;
    let mut members = members.map(Instruction::Members);
    let mut types = TypeSet::ALL;
    let mut calls: Vec<(BlockId, Keyword)> = Vec::new();
    for at in plain.clone() {
        let (instruction, origin) = (program.code[at as usize], program.origins[at as usize]);
        if let Instruction::Type(allowed) = instruction {
            types = types.and(allowed);
        } else if instruction == Instruction::Never {
            types = TypeSet::NONE;
        } else if let Instruction::Call(block) = instruction {
            calls.push((block, origin));
        } else if let Instruction::AllOf(blocks) = instruction {
            calls.extend(distinct(program, blocks).into_iter().map(|block| (block, origin)));
        } else if !is_note(instruction) {
            let kept = if is_about_members(instruction) {
                members.take()
            } else {
                Some(shorten(program, instruction))
            };
            program.code.extend(kept);
            program.origins.extend(kept.map(|_| origin));
        }
    }
    // Calls come last: the very last one is a jump.
    program.code.extend(calls.iter().map(|&(block, _)| Instruction::Call(block)));
    program.origins.extend(calls.iter().map(|&(_, origin)| origin));
    let fast = start..program.code.len() as u32;
    let unchanged =
        program.code[fast.start as usize..] == program.code[plain.start as usize..plain.end as usize];
    if unchanged {
        program.code.truncate(start as usize);
        program.origins.truncate(start as usize);
    }
    let block = &mut program.blocks[id.0 as usize];
    block.types = types;
    block.is_type_only = fast.is_empty() && !block.enters;
    block.fast = if unchanged { plain } else { fast };
}

/// `anyOf` with each block once; with only one, a call.
fn shorten(program: &mut Program, instruction: Instruction) -> Instruction {
    let Instruction::AnyOf(blocks) = instruction else { return instruction };
    let kept = distinct(program, blocks);
    if let [only] = kept[..] {
        return Instruction::Call(only);
    }
    if kept.len() == blocks.len as usize {
        return instruction;
    }
    let blocks = Blocks { start: program.lists.len() as u32, len: kept.len() as u32 };
    program.lists.extend(kept);
    Instruction::AnyOf(blocks)
}

/// The blocks of a list, each once. Which are equal is known only where it matters.
fn distinct(program: &Program, blocks: Blocks) -> Vec<BlockId> {
    let blocks = program.list(blocks);
    if !program.may_repeat {
        return blocks.to_vec();
    }
    let mut seen: HashSet<BlockId, RandomState> = HashSet::with_hasher(program.seeds.clone());
    let same = blocks.iter().map(|&block| program.block(block).same_as);
    same.filter(|&block| seen.insert(block)).collect()
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
    let is_required = |name: &str| required.is_some_and(|required| required.find(name, seeds).is_some());
    let blocks = named.map_or(&[][..], |named| &named.blocks);
    let target = |index: usize| blocks.get(index).map(|&block| program.target(block));
    let members = names.iter().enumerate();
    let named: Vec<Member> = members
        .map(|(index, name)| Member { target: target(index), is_required: is_required(name) })
        .collect();
    let required = named.iter().filter(|member| member.is_required).count();
    let rest = rest.map_or(Target::Types(TypeSet::ALL), |block| program.target(block));
    Some(Members { names, named, required, patterned, rest })
}
