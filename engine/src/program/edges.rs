//! Which blocks an instruction runs, and on what.

use super::{BlockId, Instruction, Program, Test};

/// What a block is run on.
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
    /// Calls `visit` for each block that an instruction may run; of a dynamic call, only for the one that it runs if
    /// the scope has none. The others are in [`Program::anchors`].
    pub(crate) fn visit_edges(&self, instruction: Instruction, mut visit: impl FnMut(Reach, BlockId)) {
        match instruction {
            Instruction::Call(block) | Instruction::Not(block) => visit(Reach::Node, block),
            Instruction::AllOf(blocks) | Instruction::AnyOf(blocks) | Instruction::OneOf(blocks) => {
                self.list(blocks).iter().for_each(|&block| visit(Reach::Node, block));
            }
            Instruction::Pick(pick) => {
                self.list(self.picks[pick].all).iter().for_each(|&block| visit(Reach::Node, block));
            }
            Instruction::If(condition) => {
                let condition = &self.conditions[condition];
                visit(Reach::Node, condition.test);
                condition
                    .then
                    .into_iter()
                    .chain(condition.otherwise)
                    .for_each(|block| visit(Reach::Node, block));
            }
            Instruction::DependentSchemas(dependent) => {
                self.named_blocks[dependent].blocks.iter().for_each(|&block| visit(Reach::Node, block));
            }
            Instruction::DynamicCall(_, otherwise) => visit(Reach::Scope, otherwise),
            Instruction::PrefixItems(blocks) => {
                self.list(blocks).iter().for_each(|&block| visit(Reach::Below, block));
            }
            Instruction::EachItem(_, block)
            | Instruction::EachMember(block)
            | Instruction::EachName(block)
            | Instruction::UnevaluatedItems(block)
            | Instruction::UnevaluatedProperties(block) => visit(Reach::Below, block),
            Instruction::Contains(contains) => visit(Reach::Below, self.contains[contains].block),
            Instruction::Properties(named) => {
                self.named_blocks[named].blocks.iter().for_each(|&block| visit(Reach::Below, block));
            }
            Instruction::PatternProperties(patterned) => {
                self.pattern_blocks[patterned].blocks.iter().for_each(|&block| visit(Reach::Below, block));
            }
            Instruction::AdditionalProperties(additional) => {
                visit(Reach::Below, self.additional[additional].block)
            }
            Instruction::Members(members) | Instruction::MembersByPattern(members) => {
                let members = &self.members[members];
                let patterned = members.patterned.map(|patterned| &self.pattern_blocks[patterned].blocks);
                let patterned = patterned.into_iter().flatten().copied();
                let gates = members.names.values().map(|member| member.gate).chain([members.rest]);
                let gated = gates.filter(|gate| !gate.asks().is_empty()).map(|gate| gate.block);
                gated.chain(patterned).for_each(|block| visit(Reach::Below, block));
            }
            Instruction::Unevaluated(id) => {
                let unevaluated = &self.unevaluated[id];
                let branches = unevaluated.parts.iter().flat_map(Test::blocks);
                branches.for_each(|block| visit(Reach::Node, block));
                let rest = unevaluated.members.into_iter().chain(unevaluated.rest);
                rest.for_each(|block| visit(Reach::Below, block));
            }
            Instruction::Items(items) => {
                let items = &self.items[items];
                let gates = items.first.iter().chain([&items.rest]);
                let gated = gates.filter(|gate| !gate.asks().is_empty()).map(|gate| gate.block);
                gated.for_each(|block| visit(Reach::Below, block));
            }
            Instruction::Never
            | Instruction::Type(_)
            | Instruction::TypeAsWritten(_)
            | Instruction::Equals(_)
            | Instruction::IsOneOf(_)
            | Instruction::AtLeast(_)
            | Instruction::AtMost(_)
            | Instruction::Above(_)
            | Instruction::Below(_)
            | Instruction::MultipleOf(_)
            | Instruction::InRange(_)
            | Instruction::Text(_)
            | Instruction::LengthAtLeast(_)
            | Instruction::LengthAtMost(_)
            | Instruction::Matches(_)
            | Instruction::HasFormat(_)
            | Instruction::HasContent(_)
            | Instruction::ItemsAtLeast(_)
            | Instruction::ItemsAtMost(_)
            | Instruction::UniqueItems
            | Instruction::MembersAtLeast(_)
            | Instruction::MembersAtMost(_)
            | Instruction::Required(_)
            | Instruction::DependentRequired(_)
            | Instruction::Annotate(_)
            | Instruction::AnnotateText(_) => {}
        }
    }
}
