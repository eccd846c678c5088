//! Finds blocks in which it is known beforehand what `unevaluatedProperties` and `unevaluatedItems` leave.
//!
//! ```text
//! {"allOf": [{"properties": {"a": true}}], "unevaluatedProperties": false}    leaves all but "a"
//! ```
//!
//! There the keyword works as `additionalProperties` or `items` would: it is part of a walk, and needs no marks. That holds where nothing
//! that depends on the instance evaluates anything. Where branches of unions and conditions do, but it is known what each of them
//! evaluates, the keyword becomes an `Unevaluated`: it runs them, and those that hold decide what is left.
//!
//! ```text
//! {"anyOf": [{"properties": {"a": true}}, {"required": ["b"]}], "unevaluatedProperties": false}    leaves "a" if the first holds
//! ```

use super::unevaluated::Branches;
use crate::keyword::apply::On;
use crate::program::{Applicator, BlockId, Id, PatternBlocks, Plain, Program};
use ahash::RandomState;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How many calls deep blocks are read.
const DEEPEST: usize = 16;

/// The children that a block evaluates.
#[derive(Debug, Default)]
pub(super) struct Evaluated {
    /// Members of these names.
    pub(super) names: Vec<Arc<str>>,
    /// Members whose names match patterns of these, which the block does not have itself.
    pub(super) patterns: Vec<Id<PatternBlocks>>,
    pub(super) all_members: bool,
    /// The first items, so many.
    pub(super) items: u32,
    pub(super) all_items: bool,
    /// Whether more of them may be evaluated, depending on the instance.
    unknown: bool,
}

impl Evaluated {
    pub(super) fn is_nothing(&self) -> bool {
        self.names.is_empty()
            && self.patterns.is_empty()
            && !self.all_members
            && self.items == 0
            && !self.all_items
            && !self.unknown
    }
}

/// The blocks in which it is known what is evaluated.
pub(super) struct Evaluations {
    /// The children that are evaluated in any case.
    pub(super) always: HashMap<BlockId, Evaluated, RandomState>,
    /// Where that depends on branches: these.
    pub(super) branches: HashMap<BlockId, Branches, RandomState>,
}

/// Finds these blocks, and notes that they need no marks.
pub(super) fn find(program: &mut Program) -> Evaluations {
    let seeds = program.seeds.clone();
    let mut evaluations = Evaluations {
        always: HashMap::with_hasher(seeds.clone()),
        branches: HashMap::with_hasher(seeds.clone()),
    };
    let mut looks = 16 * program.code.len() + 4096;
    for index in 0..program.blocks.len() {
        let id = BlockId(index as u32);
        let block = program.block(id);
        if !block.owns_marks || block.enters {
            continue;
        }
        let mut evaluated = Evaluated::default();
        let mut branches = Branches::new(&seeds);
        look(program, &mut looks, id, 0, &mut evaluated, Some(&mut branches));
        if evaluated.unknown || branches.are_too_many() {
            continue;
        }
        let mut seen: HashSet<Arc<str>, RandomState> = HashSet::with_hasher(seeds.clone());
        evaluated.names.retain(|name| seen.insert(Arc::clone(name)));
        program.fast[index].needs_care = false;
        let depends = !branches.parts.is_empty() || !evaluated.patterns.is_empty();
        if depends {
            branches.finish(program, id, &evaluated);
            evaluations.branches.insert(id, branches);
        } else {
            evaluations.always.insert(id, evaluated);
        }
    }
    evaluations
}

/// Finds out what a block evaluates. Branches that evaluate something go to `branches`; without those that is not known.
fn look(
    program: &Program,
    looks: &mut usize,
    id: BlockId,
    depth: usize,
    evaluated: &mut Evaluated,
    mut branches: Option<&mut Branches>,
) {
    let block = program.block(id);
    if depth == DEEPEST || (depth > 0 && block.enters) {
        evaluated.unknown = true;
        return;
    }
    // What another block leaves is for its own `unevaluated…` keyword.
    if depth > 0 && block.owns_marks {
        branches = None;
    }
    let parts_before = branches.as_ref().map_or(0, |branches| branches.parts.len());
    for at in program.block(id).plain.clone() {
        match looks.checked_sub(1) {
            Some(left) => *looks = left,
            None => evaluated.unknown = true,
        }
        let Plain::Apply(applicator) = program.code[at as usize] else { continue };
        if let Applicator::PatternProperties(patterned) = applicator {
            // Those of the block itself are in its walk.
            evaluated.patterns.extend((depth > 0).then_some(patterned));
        }
        if let Applicator::Contains(contains) = applicator {
            evaluated.unknown |= program.contains[contains].marks;
        }
        if let Applicator::Properties(named) = applicator {
            pay(program.named_blocks[named].names.len(), looks, evaluated);
        }
        let mut found = Vec::new();
        applicator.edges(program, |edge, on, block| match on {
            _ if evaluated.unknown => {}
            On::Node => look(program, looks, block, depth + 1, evaluated, branches.as_deref_mut()),
            On::NodeWith | On::Branch | On::Test => {
                let mut sometimes = Evaluated::default();
                look(program, looks, block, depth + 1, &mut sometimes, None);
                evaluated.unknown |= sometimes.unknown;
                found.push((block, sometimes));
            }
            On::Scope(_) => evaluated.unknown = true,
            On::Item => evaluated.items = evaluated.items.max(edge.index() + 1),
            On::ItemsFrom(_) => evaluated.all_items = true,
            On::UnevaluatedItems => evaluated.all_items |= depth > 0,
            On::Member => evaluated.names.extend(edge.name(program).cloned()),
            On::OtherMembers => evaluated.all_members = true,
            On::UnevaluatedMembers => evaluated.all_members |= depth > 0,
            // What is below `not` does not count, as either does not hold.
            On::Not | On::SomeItems | On::MatchingMembers | On::Names => {}
        });
        if found.iter().any(|(_, sometimes)| !sometimes.is_nothing()) {
            match &mut branches {
                Some(branches) => branches.add(program, at, applicator, found),
                None => evaluated.unknown = true,
            }
        }
        if evaluated.unknown {
            return;
        }
    }
    if let Some(branches) = branches
        && branches.parts.len() > parts_before
    {
        branches.through.insert(id);
    }
}

/// Pays for reading so many names.
fn pay(names: usize, looks: &mut usize, evaluated: &mut Evaluated) {
    match looks.checked_sub(names) {
        Some(left) => *looks = left,
        None => evaluated.unknown = true,
    }
}
