//! Writes the fast code of blocks: the instructions that are left once the type of the node is known.
//!
//! All requirements of a block on an object's members become one walk. Instructions that only explanations need are dropped, and so is what
//! the type has answered. `allOf` becomes calls, unions keep the branches that the type leaves and each of them once, and
//! small blocks are copied to where they are called, until the program has doubled.
//!
//! ```text
//! before  0000 Type {object}             after  ask {object}
//!         0001 Required ["a"]                   0004 Members ["a"] → 1 2
//!         0002 Properties ["a"] → 1
//!         0003 AdditionalProperties → 2
//! ```

use super::evaluated::{Evaluated, Evaluations};
use super::unevaluated::Branches;
use super::{gates, interval, patterns, pick};
use crate::instance::Node;
use crate::program::{
    Applicator, Assertion, BlockId, Blocks, Fast, Gate, Member, Members, NameTable, Plain, Program,
};
use ahash::RandomState;
use serde_json::Value;
use stanchion_vocab::{Keyword, Type, TypeSet};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Code of up to so many instructions is copied to where it is called.
const SMALL: usize = 4;

/// How many calls deep code is copied from.
const DEEPEST: usize = 64;

/// The most names that a walk requires: a bit each, and one to spare.
pub(super) const REQUIRED: usize = 63;

pub(super) fn fuse(program: &mut Program, evaluations: Evaluations) {
    let mut fuse = Fuse {
        written: vec![false; program.blocks.len()],
        room: program.code.len() + 64,
        made: HashMap::with_hasher(program.seeds.clone()),
        levels: HashMap::with_hasher(program.seeds.clone()),
        evaluated: evaluations.always,
        branches: evaluations.branches,
        names_left: 8 * names_in(program) + 4096,
        looks: 16 * program.code.len() + 4096,
        program,
    };
    // More of them may come on the way.
    let mut index = 0;
    while index < fuse.written.len() {
        fuse.write(BlockId(index as u32), 0);
        index += 1;
    }
}

pub(super) struct Fuse<'p> {
    pub(super) program: &'p mut Program,
    pub(super) written: Vec<bool>,
    /// How many instructions may still be copied or made.
    pub(super) room: usize,
    /// How many names may still be read for walks that are merged.
    pub(super) names_left: usize,
    /// How many instructions and members may still be read for discriminators.
    pub(super) looks: usize,
    /// Blocks that call two others.
    pub(super) made: HashMap<(BlockId, BlockId), BlockId, RandomState>,
    /// How deep those nest.
    pub(super) levels: HashMap<BlockId, usize, RandomState>,
    /// By block with an `unevaluated…` keyword that takes no marks: what the others evaluate.
    evaluated: HashMap<BlockId, Evaluated, RandomState>,
    /// By block with one that depends on branches: those.
    branches: HashMap<BlockId, Branches, RandomState>,
}

pub(super) type Code = Vec<(Fast, Keyword)>;

/// Code, and the blocks that it calls.
type Gathered = (Code, Vec<(BlockId, Keyword)>);

impl Fuse<'_> {
    /// Writes the fast code of a block, if that is ever run.
    fn write(&mut self, id: BlockId, depth: usize) {
        let gate = *self.program.gate(id);
        if std::mem::replace(&mut self.written[id.0 as usize], true) {
            return;
        }
        // Within a ring of references the gate of another block may still open on this one.
        if gate.asks().is_empty() || gate.block != id {
            return self.program.run_plain(id);
        }
        let branches = self.branches.remove(&id);
        let walk = self.walk(id);
        let (mut code, calls) = self.gather_through(id, gate, walk, branches.as_ref());
        // Calls come last: the very last one is a jump.
        for (block, origin) in calls {
            match self.copied(gate, block, depth) {
                Some(copied) => code.extend(copied),
                None => code.push((Fast::Apply(Applicator::Call(block)), origin)),
            }
        }
        self.switch(gate, &mut code);
        self.merge_required(&mut code);
        self.merge(&mut code);
        if let Some(interval) = interval::find(self.program, id, &code) {
            let origin = code[0].1;
            code = vec![(Fast::InRange(self.program.intervals.push(interval)), origin)];
        }
        self.program.set_fast(id, code);
    }

    /// Gathers the instructions of a block, with an `Unevaluated` in place of the branches that it stands for.
    fn gather_through(
        &mut self,
        id: BlockId,
        gate: Gate,
        walk: Option<Fast>,
        branches: Option<&Branches>,
    ) -> Gathered {
        let (mut code, mut calls) = self.gather(id, gate, walk, branches);
        let Some(Branches { made: Some(made), through, .. }) = branches else { return (code, calls) };
        let mut at = 0;
        while at < calls.len() {
            let (block, _) = calls[at];
            if through.contains(&block) {
                calls.remove(at);
                if self.program.block(block).is_shared {
                    let mut targets = Vec::new();
                    for &instruction in self.program.plain_of(block) {
                        self.program.visit_edges(instruction, |_, target| targets.push(target));
                    }
                    self.share_targets(targets);
                }
                let walk = self.walk(block);
                let (more, others) = self.gather(block, gate, walk, branches);
                code.extend(more);
                calls.extend(others);
            } else {
                at += 1;
            }
        }
        code.push((Fast::Unevaluated(*made), Keyword::UnevaluatedProperties));
        (code, calls)
    }

    /// Gathers the instructions of a block, except those that stand elsewhere, with one walk over members, and the blocks that it calls.
    fn gather(
        &mut self,
        id: BlockId,
        gate: Gate,
        mut walk: Option<Fast>,
        branches: Option<&Branches>,
    ) -> Gathered {
        let mut code = Code::new();
        let mut calls = Vec::new();
        for at in self.program.block(id).plain.clone() {
            let (instruction, origin) = (self.program.code[at as usize], self.program.origins[at as usize]);
            let answers = gates::answers(self.program, instruction, &mut |block| *self.program.gate(block));
            let Some(fast) = instruction.for_verdicts() else { continue };
            if answers.hold_for(gate.asks())
                || stands_elsewhere(branches, at, instruction)
                || is_said_by_values(self.program, id, instruction)
            {
                continue;
            }
            if let Plain::Apply(Applicator::Call(block)) = instruction {
                calls.push((block, origin));
            } else if let Plain::Apply(Applicator::AllOf(blocks)) = instruction {
                let blocks = self.program.list(blocks).to_vec();
                // Those that branches stand in are known by their own number.
                let blocks = if branches.is_some() { blocks } else { self.distinct(blocks) };
                calls.extend(blocks.into_iter().map(|block| (block, origin)));
            } else if let Plain::Apply(Applicator::AnyOf(blocks)) | Plain::Apply(Applicator::OneOf(blocks)) =
                instruction
            {
                let exactly_one = matches!(instruction, Plain::Apply(Applicator::OneOf(_)));
                let possible = self.possible(blocks, gate);
                // A branch that stands twice can be tried once, unless it counts how many hold.
                let kept = if exactly_one { possible } else { self.distinct(possible) };
                match kept[..] {
                    [only] => calls.push((only, origin)),
                    _ => code.push((self.union(blocks, kept, gate, exactly_one), origin)),
                }
            } else if let (Plain::Apply(Applicator::UnevaluatedItems(block)), Some(evaluated)) =
                (instruction, self.evaluated.get(&id))
            {
                if !evaluated.all_items {
                    code.push((Fast::Apply(Applicator::EachItem(evaluated.items, block)), origin));
                }
            } else if self.is_walked(id, instruction) {
                code.extend(walk.take().map(|walk| (walk, origin)));
            } else {
                code.push((fast, origin));
            }
        }
        (code, calls)
    }

    /// The walk over members, if the block asks anything of them.
    fn walk(&mut self, id: BlockId) -> Option<Fast> {
        let mut members = fuse_members(self.program, id, self.evaluated.get(&id))?;
        if let Some(patterned) = members.patterned {
            let looks = self.program.pattern_blocks[patterned].blocks.len();
            if let Some(left) = self.looks.checked_sub(looks) {
                self.looks = left;
                members.patterned = Some(patterns::group(self.program, patterned));
            }
            return Some(Fast::MembersByPattern(self.program.members.push(members)));
        }
        if members.names.len() > 0 {
            return Some(Fast::Members(self.program.members.push(members)));
        }
        let leaves_some = self.evaluated.get(&id).is_some_and(|evaluated| !evaluated.all_members);
        self.program
            .plain_of(id)
            .iter()
            .find_map(|&instruction| {
                if let Plain::Apply(Applicator::AdditionalProperties(additional)) = instruction {
                    Some(self.program.additional[additional].block)
                } else if let Plain::Apply(Applicator::UnevaluatedProperties(block)) = instruction
                    && leaves_some
                {
                    Some(block)
                } else {
                    None
                }
            })
            .map(Fast::EachMember)
    }

    /// Whether an instruction is part of the block's walk over members.
    fn is_walked(&self, id: BlockId, instruction: Plain) -> bool {
        let is_static = matches!(instruction, Plain::Apply(Applicator::UnevaluatedProperties(_)))
            && self.evaluated.contains_key(&id);
        is_static || is_fused(self.program, instruction)
    }

    /// The blocks of a list that a node of the types in question may satisfy.
    fn possible(&self, blocks: Blocks, gate: Gate) -> Vec<BlockId> {
        let refused = |block: BlockId| gate.asks().and(self.program.gate(block).refuses()) == gate.asks();
        self.program.list(blocks).iter().copied().filter(|&block| !refused(block)).collect()
    }

    /// The blocks, each once. Which are equal is known only where it matters.
    fn distinct(&self, blocks: Vec<BlockId>) -> Vec<BlockId> {
        if !self.program.may_repeat {
            return blocks;
        }
        let mut seen: HashSet<BlockId, RandomState> = HashSet::with_hasher(self.program.seeds.clone());
        let same = blocks.into_iter().map(|block| self.program.block(block).same_as);
        same.filter(|&block| seen.insert(block)).collect()
    }

    /// A union of those of its blocks that were kept.
    fn union(&mut self, blocks: Blocks, kept: Vec<BlockId>, gate: Gate, exactly_one: bool) -> Fast {
        if gate.asks().has(Type::Object)
            && let Some(pick) = pick::pick(self.program, &mut self.looks, &kept, exactly_one)
        {
            return Fast::Pick(self.program.picks.push(pick));
        }
        if !exactly_one && let Some(matches) = patterns::union(self.program, &kept, gate) {
            return matches;
        }
        // Where the type leaves one branch, no two hold, and there is nothing to count.
        let exactly_one = exactly_one && !self.are_disjoint(&kept, gate);
        let blocks = self.list(blocks, kept);
        Fast::Apply(if exactly_one { Applicator::OneOf(blocks) } else { Applicator::AnyOf(blocks) })
    }

    /// Whether a node of the types in question may satisfy no two of the blocks, whatever its type is.
    fn are_disjoint(&self, blocks: &[BlockId], gate: Gate) -> bool {
        let mut seen = TypeSet::NONE;
        blocks.iter().all(|&block| {
            let types = self.program.gate(block).refuses().not().and(gate.asks());
            let is_new = seen.and(types).is_empty();
            seen = seen.or(types);
            is_new
        })
    }

    /// A list of those of its blocks that were kept.
    fn list(&mut self, blocks: Blocks, kept: Vec<BlockId>) -> Blocks {
        if kept.len() == blocks.len as usize {
            return blocks;
        }
        let blocks = Blocks { start: self.program.lists.len() as u32, len: kept.len() as u32 };
        self.program.lists.extend(kept);
        blocks
    }

    /// The code of a small block, to stand in the place of a call from code for the types of a gate.
    fn copied(&mut self, from: Gate, block: BlockId, depth: usize) -> Option<Code> {
        let to = *self.program.gate(block);
        // The block's code is written for the types that it asks.
        if depth == DEEPEST || from.asks().and(to.asks()) != from.asks() {
            return None;
        }
        self.write(to.block, depth + 1);
        let fast = self.program.fast(to.block);
        let code = fast.code();
        if fast.needs_care || code.len() > SMALL || code.len() > self.room {
            return None;
        }
        if self.program.block(to.block).is_shared {
            // A copy would do the work again that the memo saves.
            if self.program.fast_of(to.block).any(|instruction| self.program.is_heavy(instruction)) {
                return None;
            }
            let mut targets = Vec::new();
            for instruction in self.program.fast_of(to.block) {
                self.program.visit_fast_edges(instruction, |_, target| targets.push(target));
            }
            self.share_targets(targets);
        }
        self.room -= code.len();
        let copied = code.map(|at| at as usize);
        Some(copied.map(|at| (self.program.fast_code[at].into(), self.program.fast_origins[at])).collect())
    }

    /// Notes that more than one way leads to blocks which code runs. A copy of a shared block passes by the place where its verdict would
    /// be remembered, so those of the blocks that it runs have to be.
    fn share_targets(&mut self, targets: Vec<BlockId>) {
        for target in targets {
            let target = self.program.gate(target).block;
            let block = &mut self.program.blocks[target.0 as usize];
            block.is_shared = !block.is_light;
        }
    }
}

/// Whether an instruction is a `type` that all values have which a `const` or `enum` of the block leaves.
fn is_said_by_values(program: &Program, id: BlockId, instruction: Plain) -> bool {
    let Plain::Assert(Assertion::Type(types)) = instruction else { return false };
    let has_type = |value: &Value| types.has(value.view().kind());
    program.block(id).plain.clone().any(|at| {
        if let Plain::Assert(Assertion::Equals(constant)) = program.code[at as usize] {
            has_type(&program.constants[constant])
        } else if let Plain::Assert(Assertion::IsOneOf(values)) = program.code[at as usize] {
            program.enumerations[values].values.iter().all(has_type)
        } else {
            false
        }
    })
}

/// Whether what an instruction says is in the `Unevaluated` of some branches.
fn stands_elsewhere(branches: Option<&Branches>, at: u32, instruction: Plain) -> bool {
    let is_keyword = matches!(
        instruction,
        Plain::Apply(Applicator::UnevaluatedProperties(_)) | Plain::Apply(Applicator::UnevaluatedItems(_))
    );
    branches.is_some_and(|branches| is_keyword || branches.replaced.contains(&at))
}

/// How many names are in the properties of all blocks, and in their lists of required ones.
fn names_in(program: &Program) -> usize {
    let properties = program.named_blocks.iter().map(|named| named.names.len());
    properties.chain(program.names.iter().map(NameTable::len)).sum()
}

/// Whether an instruction is part of the walk over members.
fn is_fused(program: &Program, instruction: Plain) -> bool {
    if let Plain::Assert(Assertion::Required(names)) = instruction {
        return program.names[names].len() <= REQUIRED;
    }
    matches!(
        instruction,
        Plain::Apply(Applicator::Properties(_))
            | Plain::Apply(Applicator::PatternProperties(_))
            | Plain::Apply(Applicator::AdditionalProperties(_))
    )
}

/// All that a block asks of members; nothing, if it asks nothing.
fn fuse_members(program: &Program, id: BlockId, evaluated: Option<&Evaluated>) -> Option<Members> {
    let (mut required, mut named, mut patterned, mut rest) = (None, None, None, Gate::OPEN);
    let mut also_known: &[Arc<str>] = &[];
    let mut any = false;
    for at in program.block(id).plain.clone() {
        let instruction = program.code[at as usize];
        any |= is_fused(program, instruction);
        if let Plain::Assert(Assertion::Required(names)) = instruction
            && is_fused(program, instruction)
        {
            required = Some(&program.names[names]);
        } else if let Plain::Apply(Applicator::Properties(blocks)) = instruction {
            named = Some(&program.named_blocks[blocks]);
        } else if let Plain::Apply(Applicator::PatternProperties(blocks)) = instruction {
            patterned = Some(blocks);
        } else if let Plain::Apply(Applicator::AdditionalProperties(additional)) = instruction {
            rest = *program.gate(program.additional[additional].block);
        } else if let Plain::Apply(Applicator::UnevaluatedProperties(block)) = instruction
            && let Some(evaluated) = evaluated.filter(|evaluated| !evaluated.all_members)
        {
            any = true;
            also_known = &evaluated.names;
            rest = *program.gate(block);
        }
    }
    if !any {
        return None;
    }
    let seeds = &program.seeds;
    let is_property = |name: &str| named.is_some_and(|named| named.names.find(name).is_some());
    let bit = |name: &str| required.and_then(|required| required.find(name)).unwrap_or(REQUIRED) as u8;
    let mut members: Vec<(Arc<str>, Member)> = Vec::new();
    for (name, &block) in named.into_iter().flat_map(|named| named.names.shared().zip(&named.blocks)) {
        let member = Member { gate: *program.gate(block), bit: bit(name), is_property: true };
        members.push((Arc::clone(name), member));
    }
    for name in also_known.iter().filter(|name| !is_property(name)) {
        members.push((Arc::clone(name), Member { gate: Gate::OPEN, bit: bit(name), is_property: true }));
    }
    let known = |name: &Arc<str>| is_property(name) || also_known.contains(name);
    for name in required.into_iter().flat_map(NameTable::shared).filter(|name| !known(name)) {
        members.push((Arc::clone(name), Member { gate: rest, bit: bit(name), is_property: false }));
    }
    let names = NameTable::for_walks(members, seeds);
    let required = required.map_or(0, |required| required.len());
    Some(Members::new(names, required, patterned, rest))
}
