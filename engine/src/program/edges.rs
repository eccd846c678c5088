//! Which blocks an instruction runs, and on what. What an applicator runs is described in
//! [`apply`](crate::keyword::apply).

use super::{BlockId, Fast, Gate, Plain, Program, Test};

/// The nodes that a block is run on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reach {
    /// On the node itself.
    Node,
    /// On the node itself, if the dynamic scope has nothing else.
    Scope,
    /// On items, members or names of the node.
    Below,
}

impl Program {
    /// Calls `visit` for each block that an instruction of plain code may run; of a dynamic call, only for the one that it runs if
    /// the scope has none. The others are in [`Program::anchors`].
    #[inline]
    pub(crate) fn visit_edges(&self, instruction: Plain, mut visit: impl FnMut(Reach, BlockId)) {
        if let Plain::Apply(applicator) = instruction {
            applicator.edges(self, |_, on, block| visit(on.reach(), block));
        }
    }

    /// Calls `visit` for each block that an instruction of fast code may run, as [`Program::visit_edges`] does for plain code.
    pub(crate) fn visit_fast_edges(&self, instruction: Fast, mut visit: impl FnMut(Reach, BlockId)) {
        let asked = |gate: &&Gate| !gate.asks().is_empty();
        match instruction {
            Fast::Assert(_) | Fast::InRange(_) | Fast::Text(_) => {}
            Fast::Apply(applicator) => applicator.edges(self, |_, on, block| visit(on.reach(), block)),
            Fast::EachMember(block) => visit(Reach::Below, block),
            Fast::Items(id) => {
                let items = &self.items[id];
                let gates = items.first.iter().chain([&items.rest]).filter(asked);
                gates.for_each(|gate| visit(Reach::Below, gate.block));
            }
            Fast::Members(id) | Fast::MembersByPattern(id) => {
                let members = &self.members[id];
                let patterned = members.patterned.map(|patterned| &self.pattern_blocks[patterned].blocks);
                let patterned = patterned.into_iter().flatten().copied();
                let gates = members.names.values().map(|member| member.gate).chain([members.rest]);
                let gated = gates.filter(|gate| asked(&gate)).map(|gate| gate.block);
                gated.chain(patterned).for_each(|block| visit(Reach::Below, block));
            }
            Fast::Pick(pick) => {
                self.list(self.picks[pick].all).iter().for_each(|&block| visit(Reach::Node, block));
            }
            Fast::Unevaluated(id) => {
                let unevaluated = &self.unevaluated[id];
                let branches = unevaluated.parts.iter().flat_map(Test::blocks);
                branches.for_each(|block| visit(Reach::Node, block));
                let rest = unevaluated.members.into_iter().chain(unevaluated.rest);
                rest.for_each(|block| visit(Reach::Below, block));
            }
        }
    }
}
