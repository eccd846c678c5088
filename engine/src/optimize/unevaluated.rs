//! Makes one instruction of an `unevaluated…` keyword and of the branches that decide what it leaves.
//!
//! ```text
//! before  0000 AnyOf → 1 2                    after  0009 Unevaluated 1 part → 1 2 3
//!         0001 UnevaluatedProperties → 3
//! ```
//!
//! Each branch has a bit, and each name the bits of the branches that evaluate it. The instruction runs every branch once, which also
//! decides whether the unions and conditions hold, so nothing else runs them: if they ran twice, blocks inside each other
//! would double the work at each level.

use super::evaluated::Evaluated;
use crate::program::{Applicator, BlockId, Id, NameTable, Plain, Program, Test, Unevaluated};
use ahash::RandomState;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The most branches: a bit each, and one for what is evaluated always.
const BRANCHES: usize = 63;

/// The branches that decide what a block evaluates.
pub(super) struct Branches {
    pub(super) parts: Vec<Test>,
    /// The instructions of plain code that the parts stand for.
    pub(super) replaced: HashSet<u32, RandomState>,
    /// The blocks that these are in: the block itself, and some that it calls.
    pub(super) through: HashSet<BlockId, RandomState>,
    /// The children that each branch evaluates, by bit, for branches that evaluate any.
    evaluated: Vec<Evaluated>,
    /// The instruction that was made of all that.
    pub(super) made: Option<Id<Unevaluated>>,
}

impl Branches {
    pub(super) fn new(seeds: &RandomState) -> Branches {
        Branches {
            parts: Vec::new(),
            replaced: HashSet::with_hasher(seeds.clone()),
            through: HashSet::with_hasher(seeds.clone()),
            evaluated: Vec::new(),
            made: None,
        }
    }

    pub(super) fn are_too_many(&self) -> bool {
        self.evaluated.len() > BRANCHES
    }

    /// Adds the branches of an instruction, in the order of its edges, and what each evaluates.
    pub(super) fn add(
        &mut self,
        program: &Program,
        at: u32,
        applicator: Applicator,
        found: Vec<(BlockId, Evaluated)>,
    ) {
        // A block that is called twice says the same twice.
        if !self.replaced.insert(at) {
            return;
        }
        let mut blocks = Vec::with_capacity(found.len());
        for (block, evaluated) in found {
            let mut bits = 0;
            if !evaluated.is_nothing() {
                self.evaluated.push(evaluated);
                // More than there are bits for are refused in the end.
                bits = 1u64.checked_shl(self.evaluated.len() as u32).unwrap_or(0);
            }
            blocks.push((block, bits));
        }
        if let Applicator::If(condition) = applicator {
            let condition = &program.conditions[condition];
            let mut rest = blocks[1..].iter().copied();
            let then = condition.then.and_then(|_| rest.next());
            let otherwise = condition.otherwise.and_then(|_| rest.next());
            self.parts.push(Test::If { test: blocks[0], then, otherwise });
        } else if let Applicator::DependentSchemas(named) = applicator {
            let names = program.named_blocks[named].names.shared().cloned();
            self.parts.extend(names.zip(blocks).map(|(name, block)| Test::Dependent(name, block)));
        } else {
            let exactly_one = matches!(applicator, Applicator::OneOf(_));
            self.parts.push(Test::Union { blocks, exactly_one });
        }
    }

    /// Makes the instruction, with what is evaluated always.
    pub(super) fn finish(&mut self, program: &mut Program, id: BlockId, always: &Evaluated) {
        let mut made = Unevaluated {
            parts: std::mem::take(&mut self.parts),
            names: NameTable::with([], &program.seeds),
            patterns: Vec::new(),
            all_members: 0,
            items: Vec::new(),
            all_items: 0,
            members: None,
            rest: None,
        };
        let mut order: Vec<Arc<str>> = Vec::new();
        let mut names: HashMap<Arc<str>, u64, RandomState> = HashMap::with_hasher(program.seeds.clone());
        for (bit, evaluated) in [always].into_iter().chain(&self.evaluated).enumerate() {
            let bit = 1 << bit;
            for name in &evaluated.names {
                let bits = names.entry(Arc::clone(name)).or_insert(0);
                if *bits == 0 {
                    order.push(Arc::clone(name));
                }
                *bits |= bit;
            }
            made.patterns.extend(evaluated.patterns.iter().map(|&patterned| (patterned, bit)));
            made.items.extend((evaluated.items > 0).then_some((evaluated.items as usize, bit)));
            made.all_members |= if evaluated.all_members { bit } else { 0 };
            made.all_items |= if evaluated.all_items { bit } else { 0 };
        }
        for &instruction in program.plain_of(id) {
            if let Plain::Apply(Applicator::UnevaluatedProperties(block)) = instruction {
                made.members = Some(block);
            } else if let Plain::Apply(Applicator::UnevaluatedItems(block)) = instruction {
                made.rest = Some(block);
            } else if let Plain::Apply(Applicator::PatternProperties(patterned)) = instruction {
                made.patterns.push((patterned, Unevaluated::ALWAYS));
            }
        }
        let bits = order.into_iter().map(|name| {
            let bits = names[&name];
            (name, bits)
        });
        made.names = NameTable::with(bits, &program.seeds);
        let made = program.unevaluated.push(made);
        self.made = Some(made);
    }
}
