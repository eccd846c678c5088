//! Branches of a union that have another value for its discriminator: all that is told of them.

use super::hints::{Applying, look_at, way_to_constant};
use super::{Edge, Link, Step, Trace};
use crate::instance::Node;
use crate::limits::{Budget, Stopped};
use crate::program::{BlockId, Instruction, Program};
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

impl Trace {
    /// Adds a branch that refuses an object for the value of a discriminator: see [`Hints::tag`](super::hints::Hints::tag).
    pub(crate) fn add_tagged<'a, N: Node<'a>>(
        &mut self,
        budget: &mut Budget,
        program: &Program,
        union: u32,
        (edge, branch): (Edge<'_>, BlockId),
        (tag, value): (&str, N),
    ) -> Result<(), Stopped> {
        let found = way_to_tag(program, budget, branch, tag)?;
        let Some(WayToTag { name, blocks, member, at }) = found else { return Ok(()) };
        let mut unit = self.add_block(budget, union, edge, Step::Here, branch)?;
        let mut open: SmallVec<[u32; 8]> = smallvec![unit];
        for (index, &(applied_at, block)) in blocks.iter().enumerate() {
            let applied = self.add_keyword(budget, unit, applied_at)?.unit();
            let step = if index == member { Step::Property(name) } else { Step::Here };
            let edge = Link { applied_at, block, step }.edge(program, false);
            unit = self.add_block(budget, applied, edge, step, block)?;
            open.extend([applied, unit]);
        }
        let failed = self.add_keyword(budget, unit, at)?;
        self.end_keyword(budget, program, failed, value)?;
        open.into_iter().for_each(|unit| self.end(unit));
        Ok(())
    }
}

/// How a branch of a union gives a member by a constant.
struct WayToTag<'p> {
    name: &'p Arc<str>,
    /// The blocks that lead there from the branch.
    blocks: Applying,
    /// Which of them is that of the member.
    member: usize,
    /// The instruction that has the constant.
    at: u32,
}

/// The way of a branch to the constant that it has for a member.
fn way_to_tag<'p>(
    program: &'p Program,
    budget: &mut Budget,
    branch: BlockId,
    tag: &str,
) -> Result<Option<WayToTag<'p>>, Stopped> {
    let mut found = None;
    let seen = look_at(program, budget, branch, |by, at| {
        let Instruction::Properties(named) = program.code[at as usize] else { return };
        let named = &program.named_blocks[named];
        if found.is_none()
            && let Some(index) = named.names.find(tag)
        {
            let block = named.blocks[index];
            let name = named.names.share(index);
            found = way_to_constant(program, block).map(|constant| (by, name, (at, block), constant));
        }
    })?;
    let Some((mut by, name, member, (calls, at))) = found else { return Ok(None) };
    let mut blocks = Applying::new();
    while by > 0 {
        blocks.insert(0, (seen[by].at, seen[by].block));
        by = seen[by].by;
    }
    let place = blocks.len();
    blocks.push(member);
    blocks.extend(calls);
    Ok(Some(WayToTag { name, blocks, member: place, at }))
}
