//! Finds blocks that say the same, so that the verdict of one serves for all.
//!
//! Blocks are taken from the leaves up. Two say the same if their instructions do, with the blocks that
//! these run replaced by those that stand for them. Blocks that lead back to themselves stand for themselves alone.
//! Annotations do not count: they change no verdict.
//!
//! ```text
//! {"allOf": [{"minimum": 1}, {"minimum": 1}]}    before  0000 AllOf → 1 2    after  0003 Call → 1
//! ```
//!
//! Instructions are compared by two seeded hashes of 64 bits each, of all that they refer to.

use super::is_note;
use crate::program::{BlockId, Components, Instruction, NameTable, Program, names};
use ahash::RandomState;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash, Hasher};
use std::mem::discriminant;

/// Sets [`Block::same_as`](crate::program::Block) of every block.
pub(crate) fn share(program: &mut Program) {
    let components = Components::of(program, |_| true);
    let seeds = [1, 2].map(|number| names::derived_seeds(&program.seeds, number));
    let mut first: HashMap<[u64; 2], BlockId, RandomState> = HashMap::with_hasher(program.seeds.clone());
    for component in 0..components.len() {
        if components.is_recursive[component] {
            continue;
        }
        for &block in components.members(component) {
            let fingerprint = seeds.each_ref().map(|seeds| {
                let mut hasher = seeds.build_hasher();
                hash_block(program, block, &mut hasher);
                hasher.finish()
            });
            let same_as = *first.entry(fingerprint).or_insert(block);
            program.blocks[block.0 as usize].same_as = same_as;
        }
    }
}

fn hash_block(program: &Program, id: BlockId, hasher: &mut impl Hasher) {
    let block = program.block(id);
    if block.enters {
        block.resource.hash(hasher);
    }
    for at in block.plain.clone() {
        let instruction = program.code[at as usize];
        if !is_note(instruction) {
            discriminant(&instruction).hash(hasher);
            hash_facts(program, instruction, hasher);
            program.visit_edges(instruction, |_, target| program.block(target).same_as.0.hash(hasher));
        }
    }
}

/// Hashes what an instruction says besides the blocks that it runs.
fn hash_facts(program: &Program, instruction: Instruction, hasher: &mut impl Hasher) {
    match instruction {
        Instruction::Type(types) | Instruction::TypeAsWritten(types) => types.hash(hasher),
        Instruction::Equals(id) => program.constants[id].hash(hasher),
        Instruction::IsOneOf(id) => program.enumerations[id].values.hash(hasher),
        Instruction::AtLeast(id)
        | Instruction::AtMost(id)
        | Instruction::Above(id)
        | Instruction::Below(id) => {
            program.numbers[id].hash(hasher);
        }
        Instruction::MultipleOf(id) => program.multiples[id].number.hash(hasher),
        Instruction::LengthAtLeast(count)
        | Instruction::LengthAtMost(count)
        | Instruction::ItemsAtLeast(count)
        | Instruction::ItemsAtMost(count)
        | Instruction::MembersAtLeast(count)
        | Instruction::MembersAtMost(count) => program.counts[count].hash(hasher),
        Instruction::Matches(id) => program.patterns[id].source().hash(hasher),
        Instruction::HasFormat(id) => program.formats[id].name.hash(hasher),
        Instruction::HasContent(content) => (content.base64, content.json).hash(hasher),
        Instruction::Required(id) => hash_names(&program.names[id], hasher),
        Instruction::DependentRequired(id) => {
            let dependent = &program.dependent_names[id];
            hash_names(&dependent.names, hasher);
            dependent.ends.hash(hasher);
            dependent.required.hash(hasher);
        }
        Instruction::DynamicCall(anchor, _) => anchor.hash(hasher),
        Instruction::AllOf(blocks)
        | Instruction::AnyOf(blocks)
        | Instruction::OneOf(blocks)
        | Instruction::PrefixItems(blocks) => blocks.len.hash(hasher),
        Instruction::If(id) => {
            let condition = &program.conditions[id];
            (condition.then.is_some(), condition.otherwise.is_some()).hash(hasher);
        }
        Instruction::DependentSchemas(id) | Instruction::Properties(id) => {
            hash_names(&program.named_blocks[id].names, hasher);
        }
        Instruction::EachItem(from, _) => from.hash(hasher),
        Instruction::Contains(id) => {
            let contains = &program.contains[id];
            (contains.least, contains.most, contains.marks).hash(hasher);
        }
        Instruction::PatternProperties(id) => {
            for &pattern in program.pattern_blocks[id].set.patterns() {
                program.patterns[pattern].source().hash(hasher);
            }
        }
        Instruction::AdditionalProperties(id) => {
            // What it leaves to others is in the instructions of those, which are hashed before it.
            let additional = &program.additional[id];
            (additional.named.is_some(), additional.patterned.is_some()).hash(hasher);
        }
        Instruction::Never
        | Instruction::UniqueItems
        | Instruction::Call(_)
        | Instruction::Not(_)
        | Instruction::EachName(_)
        | Instruction::Members(_)
        | Instruction::MembersByPattern(_)
        | Instruction::EachMember(_)
        | Instruction::Pick(_)
        | Instruction::InRange(_)
        | Instruction::Text(_)
        | Instruction::Items(_)
        | Instruction::Unevaluated(_)
        | Instruction::UnevaluatedItems(_)
        | Instruction::UnevaluatedProperties(_)
        | Instruction::Annotate(_)
        | Instruction::AnnotateText(_) => {}
    }
}

fn hash_names(names: &NameTable, hasher: &mut impl Hasher) {
    names.len().hash(hasher);
    names.iter().for_each(|name| name.hash(hasher));
}
