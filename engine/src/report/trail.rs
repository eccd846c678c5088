//! What a run for a verdict leaves behind when it refuses: which blocks refused which nodes, and at which child a walk ended.
//!
//! A run that tells why goes the same way, and need not find it again: not at each level above a failure that lies deep, and
//! not through all that held before it.

use super::Silent;
use crate::instance::Node;
use crate::program::{Block, BlockId, Instruction};
use crate::run::Identity;
use smallvec::SmallVec;

/// What was refused last.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    blocks: SmallVec<[(BlockId, Identity); FEW]>,
    stops: SmallVec<[Stop; FEW]>,
}

/// Where a walk ended: all children before that one satisfy what it asks. If there is one, it does not.
#[derive(Clone, Copy, Debug)]
struct Stop {
    walk: Instruction,
    container: usize,
    index: usize,
}

/// So much most trails have.
const FEW: usize = 4;

/// So much is remembered.
const MOST: usize = 32;

impl Trail {
    pub(crate) fn has(&self, block: BlockId, node: Identity) -> bool {
        self.blocks.contains(&(block, node))
    }

    /// The child of a container that a walk ended at, if it did.
    pub(crate) fn stop(&self, walk: Instruction, container: usize) -> Option<usize> {
        let mut stops = self.stops.iter().rev();
        let stop = stops.find(|stop| stop.container == container && stop.walk == walk)?;
        Some(stop.index)
    }
}

/// Leaves a trail for who wants one.
impl Silent for Option<&mut Trail> {
    const REMEMBERS: bool = false;
    const LEAVES_TRAIL: bool = true;

    #[inline]
    fn recalls(&self, _: &Block) -> bool {
        false
    }

    fn refused<'a, N: Node<'a>>(&mut self, block: BlockId, node: N) {
        let Some(trail) = self else { return };
        if trail.blocks.len() >= MOST {
            trail.blocks.clear();
        }
        trail.blocks.push((block, Identity::of(node.view())));
    }

    fn stopped(&mut self, walk: Instruction, container: usize, index: usize) {
        let Some(trail) = self else { return };
        if trail.stops.len() >= MOST {
            trail.stops.clear();
        }
        trail.stops.push(Stop { walk, container, index });
    }
}
