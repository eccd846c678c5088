//! Deep nesting of blocks on one node, run from the bottom up.
//!
//! A chain of thousands of `not`s, or a circuit of `if`s and `anyOf`s over one value, nests deeper than a run may recurse.
//! But blocks that run on the same node make no rings, since a schema with one is refused. So a run that has ended for
//! lack of depth starts again in layers: before a block runs on a node, those that it leads to on the same node are run
//! from the bottom up, every few levels of height, and their verdicts are remembered. Each of them then nests no
//! deeper than a layer is high, and what counts is the depth of the instance.
//!
//! The search for such blocks ends at two kinds: one that asks for marks, whose branches are run with marks when its turn
//! comes; and one that enters a resource, since what is behind it depends on the dynamic scope.

use super::memo::Identity;
use super::{Recall, Run};
use crate::instance::Node;
use crate::limits::Stopped;
use crate::program::{BlockId, Program, Reach};

/// How many blocks nest in a layer.
const LAYER: u32 = 4;

/// Blocks that nest no deeper than this are not worth layers: what is deep is the instance.
const MIN_HEIGHT: u32 = 32;

/// The state of a run in layers.
#[derive(Debug)]
pub(super) struct Layers {
    /// By block: how many blocks nest below it on one node, in fast code and in plain code, which sets marks.
    heights: [Vec<u32>; 2],
    /// The node whose blocks are being run bottom-up, with marks or without.
    current: Option<(Identity, bool)>,
}

impl Layers {
    /// The layers of a program; none if its blocks do not nest deep on one node.
    pub(super) fn of(program: &Program) -> Option<Layers> {
        let heights = [false, true].map(|with_marks| heights(program, with_marks));
        let is_deep = heights.iter().flatten().any(|&height| height > MIN_HEIGHT);
        is_deep.then_some(Layers { heights, current: None })
    }
}

/// The steps that layers may take for each node beyond what the blocks take: none for most programs.
pub(crate) fn steps_for_layers(program: &Program) -> u64 {
    if Layers::of(program).is_none() {
        return 0;
    }
    let blocks = program.blocks.len() as u64;
    let mut edges = blocks / 64 + 1;
    program.code.iter().for_each(|&plain| program.visit_edges(plain, |_, _| edges += 1));
    program.fast_code.iter().for_each(|&fast| program.visit_fast_edges(fast.into(), |_, _| edges += 1));
    // Each block may be the first that is run on a node, with marks and without.
    edges.saturating_mul(2 * blocks)
}

/// Calls `visit` for the blocks that a block runs on its own node, with marks or without.
fn visit_in_place(program: &Program, id: BlockId, with_marks: bool, mut visit: impl FnMut(BlockId)) {
    let block = program.block(id);
    if block.enters || (block.owns_marks && !with_marks) {
        return;
    }
    if with_marks {
        for &instruction in program.plain_of(id) {
            program.visit_edges(instruction, |reach, target| {
                if reach == Reach::Node {
                    visit(target);
                }
            });
        }
        return;
    }
    for instruction in program.fast_of(id) {
        program.visit_fast_edges(instruction, |reach, target| {
            if reach == Reach::Node {
                visit(program.gate(target).block);
            }
        });
    }
}

/// The height of every block: one more than that of the highest block that it runs on its own node.
fn heights(program: &Program, with_marks: bool) -> Vec<u32> {
    const UNKNOWN: u32 = u32::MAX;
    const OPEN: u32 = u32::MAX - 1;
    let mut heights = vec![UNKNOWN; program.blocks.len()];
    let mut stack = Vec::new();
    for root in 0..program.blocks.len() as u32 {
        stack.push(BlockId(root));
        // A block stays on the stack until all below it are known.
        while let Some(&id) = stack.last() {
            let is_open = heights[id.0 as usize] == OPEN;
            if !is_open && heights[id.0 as usize] != UNKNOWN {
                stack.pop();
                continue;
            }
            let (mut height, before) = (0, stack.len());
            visit_in_place(program, id, with_marks, |below| match heights[below.0 as usize] {
                UNKNOWN if !is_open => stack.push(below),
                // There may be rings among blocks that no run comes to.
                UNKNOWN | OPEN => {}
                known => height = height.max(known + 1),
            });
            heights[id.0 as usize] = if stack.len() > before { OPEN } else { height };
        }
    }
    heights
}

impl<R: Recall> Run<'_, R> {
    /// Runs the blocks below a block on its node, layer by layer, so that their verdicts are remembered.
    #[cold]
    #[inline(never)]
    pub(super) fn run_layers<'a, N: Node<'a>>(
        &mut self,
        block: BlockId,
        node: N,
        identity: Identity,
        with_marks: bool,
    ) -> Result<(), Stopped> {
        let current = Some((identity, with_marks));
        let Some(layers) = self.layers.get_mut() else { return Ok(()) };
        let heights = &layers.heights[usize::from(with_marks)];
        if heights[block.0 as usize] <= LAYER || layers.current == current {
            return Ok(());
        }
        let outer = std::mem::replace(&mut layers.current, current);
        let order = self.layers_below(block, with_marks)?;
        let held = order.len() * size_of::<BlockId>();
        self.budget.hold(held)?;
        self.budget.deepen()?;
        for below in order {
            if with_marks {
                // What it marks is remembered with its verdict, and counts only where it is asked for.
                let frame = self.marks.branch(&mut self.budget)?;
                self.settle(below, node)?;
                self.marks.close(&mut self.budget, frame, false);
            } else {
                self.pass(self.program.gate(below), node)?;
            }
        }
        self.budget.leave();
        self.budget.release(held);
        if let Some(layers) = self.layers.get_mut() {
            layers.current = outer;
        }
        Ok(())
    }

    /// The blocks at the tops of the layers below a block, from the bottom up.
    fn layers_below(&mut self, block: BlockId, with_marks: bool) -> Result<Vec<BlockId>, Stopped> {
        let program = self.program;
        let Some(layers) = self.layers.get() else { return Ok(Vec::new()) };
        let heights = &layers.heights[usize::from(with_marks)];
        let mut is_seen = vec![false; program.blocks.len()];
        let (mut order, mut open, mut steps) = (Vec::new(), vec![block], 0u64);
        while let Some(id) = open.pop() {
            visit_in_place(program, id, with_marks, |below| {
                steps += 1;
                // What is in the lowest layer nests no deeper than that.
                if heights[below.0 as usize] < LAYER
                    || std::mem::replace(&mut is_seen[below.0 as usize], true)
                {
                    return;
                }
                open.push(below);
                if heights[below.0 as usize] % LAYER == 0 {
                    order.push(below);
                }
            });
        }
        order.sort_by_key(|below| heights[below.0 as usize]);
        self.budget.spend(program.blocks.len() as u64 / 64 + steps)?;
        Ok(order)
    }
}
