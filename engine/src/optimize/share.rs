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

use crate::keyword::apply::Token;
use crate::program::{Applicator, BlockId, Components, Operand, Plain, Program, names};
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
    for &instruction in program.plain_of(id) {
        match instruction {
            Plain::Assert(assertion) => {
                discriminant(&assertion).hash(hasher);
                hash_operand(assertion.describe(program).1, hasher);
            }
            Plain::Apply(applicator) => hash_applicator(program, applicator, hasher),
            Plain::Annotate(_) | Plain::AnnotateText(_) => {}
        }
    }
}

/// Hashes what an assertion compares with.
fn hash_operand(operand: Operand<'_>, hasher: &mut impl Hasher) {
    match operand {
        Operand::Nothing | Operand::Items => {}
        Operand::Types(types) => types.hash(hasher),
        Operand::Value(value) => value.hash(hasher),
        Operand::Values(enumeration) => enumeration.values.hash(hasher),
        Operand::Number(number) => number.hash(hasher),
        Operand::Multiple(multiple) => multiple.number.hash(hasher),
        Operand::Count(count) => count.hash(hasher),
        Operand::Pattern(pattern) => pattern.source().hash(hasher),
        Operand::Format(format) => format.name.hash(hasher),
        Operand::Content(content) => (content.base64, content.json).hash(hasher),
        Operand::Names(names) => hash_names(names.len(), names.iter(), hasher),
        Operand::Dependent(dependent) => {
            hash_names(dependent.names.len(), dependent.names.iter(), hasher);
            dependent.ends.hash(hasher);
            dependent.required.hash(hasher);
        }
    }
}

/// Hashes an applicator: to what it applies blocks, by which edges, and the blocks that stand for those.
fn hash_applicator(program: &Program, applicator: Applicator, hasher: &mut impl Hasher) {
    discriminant(&applicator).hash(hasher);
    if let Applicator::Contains(id) = applicator {
        let contains = &program.contains[id];
        (contains.least, contains.most, contains.marks).hash(hasher);
    }
    if let Applicator::AdditionalProperties(id) = applicator {
        // What it leaves to others is in the instructions of those, which are hashed before it.
        let additional = &program.additional[id];
        (additional.named.is_some(), additional.patterned.is_some()).hash(hasher);
    }
    let mut edges = 0u32;
    applicator.edges(program, |edge, on, target| {
        (on, edge.keyword).hash(hasher);
        match edge.token {
            Token::Nothing => {}
            Token::Item(index) => index.hash(hasher),
            Token::Member(..) => edge.name(program).hash(hasher),
            Token::Pattern(pattern) => program.patterns[pattern].source().hash(hasher),
        }
        program.block(target).same_as.0.hash(hasher);
        edges += 1;
    });
    edges.hash(hasher);
}

fn hash_names<'n>(count: usize, names: impl Iterator<Item = &'n str>, hasher: &mut impl Hasher) {
    count.hash(hasher);
    names.for_each(|name| name.hash(hasher));
}
