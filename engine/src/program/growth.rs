//! How often a run may come to one block on one node, computed from the program alone.
//!
//! Blocks run blocks, on the same node or below it. Where each node is come to by one way, the
//! run is linear in the instance. Where a block can lead back to itself by two ways on one node (or
//! on one child of it), the number of ways doubles with each level of the instance: exponential, unless
//! verdicts are remembered. So we look at the components of the graph of blocks: at the ways
//! within each, and at the ways from one to the next.
//!
//! All counts are from above: what is said to be linear is; what is said to be exponential may not be.

use super::components::Components;
use super::{Applicator, Fast, Operand, Plain, Program};

/// How the blocks that a run enters grow with the nodes of the instance, in the worst case, if verdicts were
/// not remembered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Growth {
    /// Not at all: a run reads only the root, or no more of the instance than the schema is large.
    Constant,
    /// In proportion.
    Linear,
    /// As some power of them.
    Polynomial,
    /// Exponentially: they double with each level of the instance, or with each level of the schema.
    Exponential,
}

/// The result of [`Program::find_ways`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ways {
    pub(crate) growth: Growth,
    /// How many ways lead to one block at most, with those through recursion counted once.
    pub(crate) most: u64,
    /// Whether a block may lead back to itself.
    pub(crate) recurs: bool,
}

/// More ways than this to one block are counted as exponential: the schema doubled them at each of its levels.
const DOUBLED: u64 = 1 << 20;

impl Program {
    /// Finds out how often a run may come to the same block on the same node.
    pub(crate) fn find_ways(&self) -> Ways {
        let components = Components::of(self, |_| true);
        let mut ways = vec![0u64; components.len()];
        let mut recursions = vec![0u32; components.len()];
        if let Some(&root) = components.of.first() {
            ways[root as usize] = 1;
        }
        // Whatever the dynamic scope may choose, it may choose from anywhere.
        for &(_, block) in self.anchors.iter().flatten() {
            let component = components.of[block.0 as usize] as usize;
            ways[component] = ways[component].saturating_add(1);
        }
        let mut found = Ways { growth: Growth::Linear, most: 1, recurs: false };
        let mut deepest = 0;
        // Components are numbered from the leaves up: callers first.
        for component in (0..components.len()).rev() {
            if ways[component] == 0 {
                continue;
            }
            found.most = found.most.max(ways[component]);
            let is_recursive = components.is_recursive[component];
            let depth = recursions[component] + u32::from(is_recursive);
            deepest = deepest.max(depth);
            for &block in components.members(component) {
                let mut inside = 0;
                for at in self.block(block).plain.clone() {
                    let instruction = self.code[at as usize];
                    let mut within = 0;
                    self.visit_edges(instruction, |_, target| {
                        let target = components.of[target.0 as usize] as usize;
                        if target == component {
                            within += 1;
                        } else {
                            ways[target] = ways[target].saturating_add(ways[component]);
                            recursions[target] = recursions[target].max(depth);
                        }
                    });
                    inside += if is_exclusive(instruction) { within.min(1) } else { within };
                }
                if inside > 1 {
                    found.growth = Growth::Exponential;
                }
            }
        }
        found.recurs = deepest > 0;
        if found.most > DOUBLED || !self.anchors.is_empty() {
            found.growth = Growth::Exponential;
        } else if deepest > 1 {
            found.growth = found.growth.max(Growth::Polynomial);
        }
        found
    }

    /// Notes which blocks more than one way leads to, and whether remembering their verdicts may pay.
    pub(crate) fn note_sharing(&mut self) {
        let mut callers: Vec<u8> = vec![0; self.blocks.len()];
        for block in &self.blocks {
            for at in block.plain.clone() {
                self.visit_edges(self.code[at as usize], |_, target| {
                    let callers = &mut callers[self.block(target).same_as.0 as usize];
                    *callers = callers.saturating_add(1);
                });
            }
        }
        for &(_, block) in self.anchors.iter().flatten() {
            callers[self.block(block).same_as.0 as usize] = 2;
        }
        for block in &mut self.blocks {
            block.is_shared = callers[block.same_as.0 as usize] > 1 && !block.is_light;
        }
        let mut shared = self.blocks.iter().filter(|block| block.is_shared).peekable();
        self.may_repeat = shared.peek().is_some() && {
            let ways = self.find_ways();
            ways.growth > Growth::Linear
                || ways.most > WAYS_WITHOUT_MEMO
                || shared.any(|block| {
                    let code = block.plain.clone().filter_map(|at| self.code[at as usize].for_verdicts());
                    code.into_iter().any(|instruction| self.is_heavy(instruction))
                })
        };
    }

    /// Whether an instruction that runs no block may take many steps on one node, whatever the node is made of: it has
    /// very many names to look for.
    pub(crate) fn is_heavy(&self, instruction: Fast) -> bool {
        let Fast::Assert(assertion) = instruction else { return false };
        let operand = assertion.describe(self).1;
        if let Operand::Names(names) = operand {
            names.len() > LIGHT
        } else if let Operand::Dependent(dependent) = operand {
            dependent.names.len() > LIGHT
        } else {
            false
        }
    }
}

/// Looking up so many names costs less than a memo.
const LIGHT: usize = 256;

/// Up to so many ways to a block, nothing is remembered.
const WAYS_WITHOUT_MEMO: u64 = 64;

/// Whether an instruction runs only one of its blocks on any one node.
fn is_exclusive(instruction: Plain) -> bool {
    matches!(instruction, Plain::Apply(Applicator::Properties(_)) | Plain::Apply(Applicator::PrefixItems(_)))
}
