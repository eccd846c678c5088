//! What a verdict has left behind about a container: how far its walks came, and so where there is something to tell.

use super::{Told, Way};
use crate::instance::{Array, Node, Object, View};
use crate::limits::Stopped;
use crate::program::{Block, BlockId, Instruction, Leads};
use crate::report::{End, Step};

/// What is known of a container that a block refuses.
#[derive(Clone, Copy, Default)]
pub(super) struct Known<'s> {
    /// How many children satisfy what the block asks of them, before others.
    pub(super) children: usize,
    /// How many members, before others, have a name that the block speaks of.
    pub(super) spoken_of: usize,
    /// Whether no name is missing, and none is there that the block refuses.
    pub(super) has_right_names: bool,
    /// Fast code of the block that holds.
    pub(super) code: &'s [Instruction],
}

impl<'s> Way<'s, '_> {
    /// The one block inside a block that there is to tell about, if that is known: the instruction that leads to it, the step, and the node.
    /// Otherwise what is known of the node.
    #[inline(always)]
    pub(super) fn way_on<'a: 's, N: Node<'a>>(
        &mut self,
        id: BlockId,
        block: &Block,
        node: N,
        known: &mut Known<'s>,
    ) -> Told<Option<(u32, Step<'s>, BlockId, N)>> {
        let program = self.run.program;
        if let Leads::Call(target) = block.leads {
            // It is all that can have refused.
            return Some(self.telling.takes_all().then_some((block.plain.start, Step::Here, target, node)));
        }
        let Some(container) = container(node) else { return Some(None) };
        let Some(ended) = self.end_of_only_walk(id, container) else {
            *known = self.known_by_parts(id, node, container)?;
            return Some(None);
        };
        known.children = ended.index;
        (known.spoken_of, known.has_right_names) = self.names_known(id, ended, node).ok()?;
        // Who asks for one error is led to it straight, if it is in the child that the walk ended at.
        let Leads::Child(at) = block.leads else { return Some(None) };
        if !self.telling.takes_one() {
            return Some(None);
        }
        if let (Instruction::Properties(named), true) = (program.code[at as usize], known.has_right_names) {
            let named = &program.named_blocks[named];
            let next = node.as_object().and_then(|members| members.iter_names().nth(ended.index));
            let found = next.and_then(|(name, value)| Some((named.names.look_up(name)?.0, value)));
            return Some(found.map(|(index, value)| {
                (at, Step::Property(named.names.share(index)), named.blocks[index], value)
            }));
        }
        // Where names do not matter, the walk does not look at them.
        let has_right_names =
            known.has_right_names || matches!(program.gate(id).then, Instruction::EachMember(_));
        if let (Instruction::AdditionalProperties(additional), true) =
            (program.code[at as usize], has_right_names)
        {
            let next = node.as_object().and_then(|members| members.iter().nth(ended.index));
            let block = program.additional[additional].block;
            return Some(next.map(|(name, value)| (at, Step::Member(name), block, value)));
        }
        if let (Instruction::EachItem(_, block), Some(items)) = (program.code[at as usize], node.as_array()) {
            return Some(
                items.iter().nth(ended.index).map(|item| (at, Step::Item(ended.index), block, item)),
            );
        }
        Some(None)
    }

    /// What is known of a container that a block refuses by more than a walk.
    #[inline(never)]
    fn known_by_parts<'a: 's, N: Node<'a>>(
        &mut self,
        id: BlockId,
        node: N,
        (container, is_array): (usize, bool),
    ) -> Told<Known<'s>> {
        let mut known = Known { code: self.held_code(id, node), ..Known::default() };
        if let (Some(walk), false, Some(trail)) = (self.run.program.own_walk(id), is_array, &self.run.report)
        {
            known.children = trail.known_of_walk(self.run.program, walk, container).unwrap_or(0);
            known.has_right_names = known.children == usize::MAX;
        } else {
            known.children = self.known(id, node).unwrap_or(0);
            let names = self.names_known(id, End::at(known.children), node).ok()?;
            (known.spoken_of, known.has_right_names) = names;
        }
        Some(known)
    }

    /// How many members of an object, before others, have a name that a block speaks of, if it refuses others; and whether all have, and none
    /// that it requires is missing. As far as that is seen by one table: where the block's fast code is a walk by names.
    fn names_known<'a: 's, N: Node<'a>>(
        &mut self,
        id: BlockId,
        ended: End,
        node: N,
    ) -> Result<(usize, bool), Stopped> {
        let (program, gate) = (self.run.program, self.run.program.gate(id));
        let (Instruction::Members(members), Some(object)) = (gate.then, node.as_object()) else {
            return Ok((0, false));
        };
        let members = &program.members[members];
        if gate.block != id || members.parts.is_some() {
            return Ok((0, false));
        }
        let is_closed = program.block(id).told_first.is_some();
        let mut missing = members.required.1 & ended.missing;
        if !is_closed && missing == 0 {
            return Ok((0, true));
        }
        self.run.budget.spend(object.len() as u64)?;
        let mut is_unknown = |name| match members.names.look_up(name) {
            Some((_, member)) => {
                missing &= !(1 << member.bit);
                is_closed && !member.is_property
            }
            None => is_closed,
        };
        // If a name is not known, it is mostly that of the member that the verdict ended at.
        let unknown = object.iter_names().skip(ended.index).position(|(name, _)| is_unknown(name));
        if let Some(index) = unknown {
            return Ok((ended.index + index, false));
        }
        // What is missing up to there is known from the walk, unless nobody has looked.
        if ended.missing == u64::MAX {
            object.iter_names().take(ended.index).for_each(|(name, _)| {
                is_unknown(name);
            });
        }
        Ok((if is_closed { object.len() } else { 0 }, missing == 0))
    }

    fn held_code<'a: 's, N: Node<'a>>(&self, block: BlockId, node: N) -> &'s [Instruction] {
        match &self.run.report {
            Some(trail) => trail.held_code(self.run.program, block, node),
            None => &[],
        }
    }

    pub(super) fn known<'a: 's, N: Node<'a>>(&self, block: BlockId, node: N) -> Option<usize> {
        self.run.report.as_ref()?.known_to_hold(self.run.program, block, node)
    }

    fn end_of_only_walk(&self, block: BlockId, container: (usize, bool)) -> Option<End> {
        self.run.report.as_ref()?.end_of_only_walk(self.run.program.gate(block), block, container)
    }
}

/// The address of an array or an object, and whether it is an array.
#[inline]
fn container<'a, N: Node<'a>>(node: N) -> Option<(usize, bool)> {
    match node.view() {
        View::Array(items) => Some((items.address(), true)),
        View::Object(members) => Some((members.address(), false)),
        View::Null | View::Bool(_) | View::Number(_) | View::String(_) => None,
    }
}
