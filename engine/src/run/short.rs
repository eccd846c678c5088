//! The short way to what is wrong with an instance that was refused.
//!
//! A [`Trace`] can follow any run. Most instances have few errors, though, under keywords whose verdicts on children follow from their
//! gates, and there a run that tells need not be told what to do next by a report: here it asks a quick run which child is refused,
//! goes there, and tells only what failed. Its errors are those that would be read from the trace, within the same bounds.
//!
//! It gives up where that is not so easy, or takes long: with dynamic references, and where only marks tell what has been evaluated.
//! Then a run that reports to a trace starts from the beginning.

mod known;
mod parts;
mod straight;

pub(crate) use straight::{all, first};

use super::{IN_BLOCK, Run, steps_before_memo};
use crate::instance::{Array, Name, Node, Object, Shape};
use crate::keyword::{condition, contains, dependent, logic, properties, unevaluated};
use crate::limits::{Budget, Limits, Stopped};
use crate::program::{
    Additional, Block, BlockId, Blocks, Contains, Found as FoundPatterns, Gate, Id, Instruction, Leads,
    NamedBlocks, PatternBlocks, Program, Test, Unevaluated, Want,
};
use crate::report::unknown;
use crate::report::{
    Cause, Container, Edge, Excerpt, Failed, Link, Note, Report, Step, Telling, Trail, hints,
};
use arrayvec::ArrayVec;
use known::{Goes, Known, Next};
use std::borrow::Cow;

/// Tells why an instance was refused, as its trail says. Says whether that was possible; if not, what was told is of no use.
pub(crate) fn tell<'s, 'a: 's, N: Node<'a>>(
    program: &'s Program,
    limits: &Limits,
    trail: &mut Trail,
    telling: &mut Telling<'s>,
    node: N,
) -> bool {
    if !program.anchors.is_empty() {
        return false;
    }
    let run = Run::new(program, limits, steps_before_memo(limits), Some(trail));
    let mut way = Way { run, telling, held: ArrayVec::new() };
    let is_told = way.from(node).is_some();
    // What was refused has a cause. Should this way ever miss it, the other one will not.
    is_told && way.telling.has_cause()
}

/// A run that only finds out verdicts.
type Silent<'p, 't> = Run<'p, Option<&'t mut Trail>>;

/// Runs an instruction for its verdict.
#[inline(never)]
fn holds<'a, N: Node<'a>>(
    run: &mut Silent<'_, '_>,
    at: u32,
    instruction: Instruction,
    node: N,
) -> Result<bool, Stopped> {
    run.instruction::<N, IN_BLOCK>(at, instruction, node)
}

/// Why all branches of a union refuse a node, if all that they have against it is its type. Holds what a tree of that would take.
fn no_type<'a, N: Node<'a>>(
    program: &Program,
    budget: &mut Budget,
    branches: &[BlockId],
    node: N,
) -> Result<Option<Cause>, Stopped> {
    let shape = node.shape();
    if branches.len() < 2 || !branches.iter().all(|&branch| program.gate(branch).refuses_shape(shape)) {
        return Ok(None);
    }
    let kind = node.view().kind();
    let Some(taken) = hints::types_alone(program, budget, branches, kind)? else { return Ok(None) };
    budget.hold(taken.bytes())?;
    Ok(Some(Cause::NoType(kind, taken.types, Excerpt::of(node))))
}

/// Whether an instruction is told by what is known of names and children.
fn asks_what_is_known(instruction: &Instruction) -> bool {
    matches!(
        instruction,
        Instruction::Required(_)
            | Instruction::Properties(_)
            | Instruction::PatternProperties(_)
            | Instruction::AdditionalProperties(_)
            | Instruction::EachItem(..)
    )
}

struct Way<'s, 't> {
    run: Silent<'s, 't>,
    telling: &'t mut Telling<'s>,
    /// Branches and tests that were last asked and hold, each for a container: what `unevaluated…` keywords ask again.
    held: ArrayVec<(BlockId, Container), FEW>,
}

/// So many branches and tests that hold are remembered.
const FEW: usize = 8;

/// An instruction of a block, on a node.
#[derive(Clone, Copy)]
struct Place<'s, N> {
    block: BlockId,
    /// The unit of the block, where there is a tree.
    unit: u32,
    at: u32,
    node: N,
    known: Known<'s>,
    /// Whether it has failed.
    failed: Option<Failed>,
}

/// Nothing where the short way ends: it is not the way, or it got too long.
type Told<T = ()> = Option<T>;

impl<'s, 't> Way<'s, 't> {
    /// Tells about the block that all links so far lead to, on the node that it refuses; from the root, if there are none.
    fn from<'a: 's, N: Node<'a>>(&mut self, node: N) -> Told {
        let root = Link { applied_at: 0, block: BlockId(0), step: Step::Here };
        let Link { applied_at, block, step } =
            self.telling.go_back(&mut self.run.budget).ok()?.unwrap_or(root);
        self.block((applied_at, Failed::default()), step, block, node)
    }

    /// Tells about a block on a node that it refuses, for an instruction of the block around it.
    fn block<'a: 's, N: Node<'a>>(
        &mut self,
        (mut applied_at, mut failed): (u32, Failed),
        mut step: Step<'s>,
        mut id: BlockId,
        mut node: N,
    ) -> Told {
        let program = self.run.program;
        let depth = self.telling.depth();
        let unit = loop {
            let block = program.block(id);
            if block.enters || (block.owns_marks && program.evaluated(id).is_none()) {
                return None;
            }
            self.run.budget.spend(1).ok()?;
            self.run.budget.deepen().ok()?;
            let link = Link { applied_at, block: id, step };
            let unit = self.telling.open_block(&mut self.run.budget, failed.unit(), link).ok()?;
            match self.next((id, block), node)? {
                Next::Call(next) => Link { applied_at, block: id, step } = next,
                Next::Child(next, child, _) => (Link { applied_at, block: id, step }, node) = (next, child),
                Next::Here(known) => {
                    let known = match known {
                        Some(known) => known,
                        None => self.known_of((id, block), node).ok()?,
                    };
                    let at = block.plain.start;
                    self.code(Place { block: id, unit, at, node, known, failed: None }, block)?;
                    break unit;
                }
            }
            failed = self.telling.open_keyword(&mut self.run.budget, unit, applied_at).ok()?;
        };
        let levels = self.telling.depth() - depth;
        self.telling.close_blocks(depth, unit);
        self.run.budget.leave_levels(levels);
        Some(())
    }

    /// What there is to tell about a block that refuses a node.
    #[inline(always)]
    fn next<'a: 's, N: Node<'a>>(&mut self, block: (BlockId, &Block), node: N) -> Told<Next<'s, N>> {
        let goes = match (self.telling.takes_all(), self.telling.takes_one()) {
            (false, _) => Goes::Nowhere,
            (true, false) => Goes::ToCalls,
            (true, true) => Goes::ToChildren,
        };
        let Some(trail) = &self.run.report else { return Some(Next::Here(None)) };
        known::next(self.run.program, &mut self.run.budget, trail, goes, block, node).ok()
    }

    /// What is known of a node that a block refuses by more than a walk, as far as someone asks.
    fn known_of<'a: 's, N: Node<'a>>(
        &mut self,
        (id, block): (BlockId, &Block),
        node: N,
    ) -> Result<Known<'s>, Stopped> {
        let program = self.run.program;
        let (Shape::Array | Shape::Object, Some(trail)) = (node.shape(), &self.run.report) else {
            return Ok(Known::default());
        };
        let code = trail.held_code(program, id, node);
        // Mostly the walk has held, if other code did not.
        if let (Some(walk), Shape::Object, false) = (program.own_walk(id), node.shape(), code.is_empty())
            && code.contains(&walk)
        {
            return Ok(Known { children: usize::MAX, spoken_of: None, has_right_names: true, code });
        }
        if !program.code[block.plain.start as usize..block.plain.end as usize].iter().any(asks_what_is_known)
        {
            return Ok(Known { code, ..Known::default() });
        }
        self.known_by_parts((id, block), node)
    }

    /// Tells about the instructions of a block.
    #[inline(always)]
    fn code<'a: 's, N: Node<'a>>(&mut self, mut place: Place<'s, N>, block: &Block) -> Told {
        let (program, place) = (self.run.program, &mut place);
        if let Leads::Call(target) = block.leads {
            let failed = self.fail(place)?;
            if self.telling.wants() {
                self.block((place.at, failed), Step::Here, target, place.node)?;
            }
            return self.telling.close_keyword(&mut self.run.budget, failed, place.node).ok();
        }
        let Known { has_right_names, code: held, .. } = place.known;
        let mut first = None;
        if let Shape::Array | Shape::Object = place.node.shape() {
            first = block.told_first;
        }
        if let Some(at) = first
            && !has_right_names
            && !held.contains(&program.code[at as usize])
        {
            self.instruction_of(place, at)?;
        }
        for at in block.plain.clone() {
            if self.is_over(place) {
                break;
            }
            let instruction = program.code[at as usize];
            // Most types are right, which is seen at a glance, and so are most names.
            if let Instruction::Type(types) = instruction
                && place.node.view().is_one_of(types, &mut self.run.budget) == Ok(true)
            {
                continue;
            }
            if let (Instruction::Required(_), true) = (instruction, has_right_names) {
                continue;
            }
            // Annotations do not fail.
            if let Instruction::Annotate(_) | Instruction::AnnotateText(_) = instruction {
                continue;
            }
            if Some(at) != first && !held.contains(&instruction) {
                self.instruction_of(place, at)?;
            }
        }
        Some(())
    }

    /// Tells about an instruction, if it fails.
    fn instruction_of<'a: 's, N: Node<'a>>(&mut self, place: &mut Place<'s, N>, at: u32) -> Told {
        (place.at, place.failed) = (at, None);
        let had_tree = self.telling.has_tree();
        self.instruction(place, self.run.program.code[at as usize])?;
        if let Some(failed) = place.failed {
            self.telling.close_keyword(&mut self.run.budget, failed, place.node).ok()?;
            if !had_tree && self.telling.has_tree() {
                self.telling.close_tree();
            }
        }
        Some(())
    }

    fn instruction<'a: 's, N: Node<'a>>(
        &mut self,
        place: &mut Place<'s, N>,
        instruction: Instruction,
    ) -> Told {
        let program = self.run.program;
        let Place { at, node, .. } = *place;
        match instruction {
            Instruction::Call(block) => self.in_place(place, block),
            Instruction::AllOf(blocks) => {
                for &block in program.list(blocks) {
                    self.in_place(place, block)?;
                    if self.is_over(place) {
                        break;
                    }
                }
                Some(())
            }
            Instruction::If(id) => {
                let condition = &program.conditions[id];
                let branch = match condition::branch_by_member(&mut self.run, place.block, id, node).ok()? {
                    Some(branch) => branch,
                    None => {
                        let holds = !self.refuses(condition.test, node).ok()?;
                        if holds {
                            self.remember(condition.test, node);
                        }
                        condition::branch(condition, holds).map(|(block, _)| block)
                    }
                };
                branch.map_or(Some(()), |block| self.in_place(place, block))
            }
            Instruction::DependentSchemas(id) => self.dependent(place, &program.named_blocks[id]),
            Instruction::AnyOf(blocks) => self.union(place, blocks, Want::Any),
            Instruction::OneOf(blocks) => self.union(place, blocks, Want::One),
            Instruction::Properties(id) => self.properties(place, &program.named_blocks[id]),
            Instruction::PatternProperties(id) => self.patterned(place, &program.pattern_blocks[id]),
            Instruction::AdditionalProperties(id) => self.additional(place, &program.additional[id]),
            Instruction::UnevaluatedProperties(block) => self.unevaluated_properties(place, block),
            Instruction::PrefixItems(blocks) => self.prefix(place, program.list(blocks)),
            Instruction::EachItem(from, block) => {
                self.each(place, place.known.children.max(from as usize), block)
            }
            Instruction::UnevaluatedItems(block) => self.unevaluated_items(place, block),
            Instruction::Contains(id) => self.contains(place, id),
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
            | Instruction::Not(_) => {
                if holds(&mut self.run, at, instruction, node).ok()? {
                    Some(())
                } else {
                    self.fail_alone(place, None)
                }
            }
            Instruction::Annotate(_) | Instruction::AnnotateText(_) => Some(()),
            Instruction::EachName(block) => self.names(place, block),
            // Dynamic references lead elsewhere each time, and the others are of fast code.
            Instruction::DynamicCall(..)
            | Instruction::Members(_)
            | Instruction::MembersByPattern(_)
            | Instruction::EachMember(_)
            | Instruction::InRange(_)
            | Instruction::Text(_)
            | Instruction::Items(_)
            | Instruction::Pick(_)
            | Instruction::Unevaluated(_) => None,
        }
    }

    /// Whether a block refuses a node. Mostly its type tells that it does not.
    #[inline(always)]
    fn refuses<'a: 's, N: Node<'a>>(&mut self, block: BlockId, node: N) -> Result<bool, Stopped> {
        let gate = self.run.program.gate(block);
        if gate.lets_pass(node.shape()) { Ok(false) } else { self.is_refused_at(gate, node) }
    }

    /// Whether a gate refuses a node whose type does not let it pass. It may be known.
    #[inline(never)]
    fn is_refused_at<'a: 's, N: Node<'a>>(&mut self, gate: &Gate, node: N) -> Result<bool, Stopped> {
        // What is no container is asked as quickly as looked for.
        if let Some(trail) = &self.run.report
            && trail.has(gate, node)
        {
            return Ok(true);
        }
        self.run.budget.spend(1)?;
        Ok(!self.run.pass(gate, node)?)
    }

    /// Tells that an instruction failed, for what is inside it.
    fn fail<N>(&mut self, place: &mut Place<'s, N>) -> Told<Failed> {
        if place.failed.is_none() {
            let failed = self.telling.open_keyword(&mut self.run.budget, place.unit, place.at);
            place.failed = Some(failed.ok()?);
        }
        place.failed
    }

    /// Tells that an instruction failed for itself, and what it found out.
    fn fail_alone<'a: 's, N: Node<'a>>(&mut self, place: &mut Place<'s, N>, note: Option<Note>) -> Told {
        let failed = self.fail(place)?;
        self.telling.explain(&mut self.run.budget, (place.at, failed), note, place.node).ok()
    }

    /// Tells that an instruction failed, in a tree.
    fn fail_in_tree<N>(&mut self, place: &mut Place<'s, N>) -> Told<Failed> {
        if !self.telling.has_tree() {
            place.unit = self.telling.open_tree();
        }
        self.fail(place)
    }

    /// Whether an instruction failed and there is no more to tell.
    fn is_over<N>(&self, place: &Place<'s, N>) -> bool {
        place.failed.is_some() && self.telling.is_done()
    }

    /// Tells about a node on the way from an instruction, if a block refuses it.
    #[inline(always)]
    fn child<'a: 's, N: Node<'a>>(
        &mut self,
        place: &mut Place<'s, N>,
        step: Step<'s>,
        block: BlockId,
        node: N,
    ) -> Told {
        if self.refuses(block, node).ok()? { self.refused_child(place, step, block, node) } else { Some(()) }
    }

    /// Tells about a node on the way from an instruction, which a block refuses.
    #[inline(never)]
    fn refused_child<'a: 's, N: Node<'a>>(
        &mut self,
        place: &mut Place<'s, N>,
        step: Step<'s>,
        block: BlockId,
        node: N,
    ) -> Told {
        let failed = self.fail(place)?;
        if self.telling.wants() {
            self.block((place.at, failed), step, block, node)?;
        }
        Some(())
    }

    /// Tells about a block on the same node, if it refuses that.
    fn in_place<'a: 's, N: Node<'a>>(&mut self, place: &mut Place<'s, N>, block: BlockId) -> Told {
        let Place { at, node, .. } = *place;
        let gate = self.run.program.gate(block);
        if gate.lets_pass(node.shape()) {
            return Some(());
        }
        if self.run.report.as_ref().is_some_and(|trail| trail.has(gate, node)) {
            return self.refused_child(place, Step::Here, block, node);
        }
        // Where a walk has ended, what is behind it is soon told. Then it is not asked before whether there is something to tell.
        if self.telling.takes_all() && self.known(block, node).is_some() {
            let before = self.telling.count();
            self.block((at, Failed::default()), Step::Here, block, node)?;
            if self.telling.count() > before {
                self.fail(place)?;
            }
            return Some(());
        }
        self.run.budget.spend(1).ok()?;
        if self.run.pass(gate, node).ok()? {
            return Some(());
        }
        self.refused_child(place, Step::Here, block, node)
    }

    fn dependent<'a: 's, N: Node<'a>>(&mut self, place: &mut Place<'s, N>, named: &'s NamedBlocks) -> Told {
        let Some(members) = place.node.as_object() else { return Some(()) };
        for index in dependent::present::<N, _>(&mut self.run, &named.names, members).ok()? {
            self.in_place(place, named.blocks[index])?;
            if self.is_over(place) {
                break;
            }
        }
        Some(())
    }

    fn union<'a: 's, N: Node<'a>>(&mut self, place: &mut Place<'s, N>, union: Blocks, want: Want) -> Told {
        let Place { at, node, .. } = *place;
        let branches = self.run.program.list(union);
        if self.telling.takes_all() && self.is_of_other_type(place, branches)? {
            return Some(());
        }
        let left = logic::left_by_member(&mut self.run, place.block, union, want, node).ok()?;
        let mut first = None;
        let mut accepted = Vec::new();
        let candidates = if left.is_some_and(|left| left.branches.is_empty()) { &[] } else { branches };
        for (index, &branch) in candidates.iter().enumerate() {
            let may_accept = left.is_none_or(|left| left.has(self.run.program, branch));
            if may_accept && !self.refuses(branch, node).ok()? {
                self.remember(branch, node);
                if want == Want::Any {
                    return Some(());
                }
                // Mostly one accepts.
                match first {
                    None => first = Some(index),
                    Some(_) => accepted.push(index),
                }
            }
        }
        if let Some(first) = first {
            if accepted.is_empty() {
                return Some(());
            }
            accepted.insert(0, first);
            return self.fail_alone(place, Some(Note::Branches(accepted)));
        }
        // Who asks for one error gets it from the closest branch.
        let (program, budget) = (self.run.program, &mut self.run.budget);
        let by_tag = left.and_then(|left| hints::by_tag(program, branches, left));
        if let Some(index) = by_tag.and_then(|by_tag| by_tag.closest)
            && self.telling.takes_one()
        {
            return self.closest_branch(place, branches, index);
        }
        let hints = match (by_tag, node.as_object()) {
            (Some(by_tag), Some(object)) => {
                hints::find_by_tag::<N>(program, budget, branches, by_tag, object)
            }
            _ => hints::find(program, budget, branches, node),
        };
        let hints = hints.ok()?;
        let clear = hints.clearly_closest();
        if let Some(index) = clear
            && self.telling.takes_one()
        {
            return self.closest_branch(place, branches, index);
        }
        let tagged = hints.tagged(&mut self.run.budget, node).ok()?;
        let is_outermost = !self.telling.has_tree();
        let failed = self.fail_in_tree(place)?;
        let mut bounds = self.telling.tree()?.open_union(&mut self.run.budget).ok()?;
        for (place, index) in hints.by_closeness().into_iter().enumerate() {
            let is_clear = clear == Some(index);
            self.telling.tree()?.open_branch(&mut bounds, is_clear);
            if self.telling.wants() {
                let branch = branches[index];
                match tagged.filter(|_| !is_clear) {
                    Some(tag) => {
                        let (program, budget) = (self.run.program, &mut self.run.budget);
                        let (union, edge) = (failed.unit(), Edge::item(at, index));
                        self.telling.tree()?.add_tagged(budget, program, union, (edge, branch), tag).ok()?;
                    }
                    None => self.block((at, failed), Step::Here, branch, node)?,
                }
            }
            self.telling.tree()?.close_branch(&mut bounds, is_clear);
            if is_clear && self.telling.is_done() {
                break;
            }
            // All others say the same, so it is said when someone asks.
            if let (0, true, Some((_, value))) = (place, is_outermost, tagged) {
                let budget = &mut self.run.budget;
                if self.telling.tree()?.fold(budget, failed, branches.len() - 1, is_clear, value).ok()? {
                    break;
                }
            }
        }
        let mut tree = self.telling.tree()?;
        tree.close_union(bounds);
        tree.add_note(&mut self.run.budget, failed, Note::Union(hints)).ok()
    }

    /// Tells about the branch that stands for a union.
    fn closest_branch<'a: 's, N: Node<'a>>(
        &mut self,
        place: &mut Place<'s, N>,
        branches: &[BlockId],
        index: usize,
    ) -> Told {
        let failed = self.fail(place)?;
        self.telling.hold_union(&mut self.run.budget, branches.len()).ok()?;
        self.block((place.at, failed), Step::Here, branches[index], place.node)
    }

    /// Tells that a node is of another type than all branches of a union take, if that is all that there is to tell.
    fn is_of_other_type<'a: 's, N: Node<'a>>(
        &mut self,
        place: &mut Place<'s, N>,
        branches: &[BlockId],
    ) -> Told<bool> {
        let budget = &mut self.run.budget;
        let cause = no_type(self.run.program, budget, branches, place.node).ok()?;
        let Some(cause) = cause else { return Some(false) };
        self.fail(place)?;
        self.telling.tell(&mut self.run.budget, place.at, cause).ok()?;
        Some(true)
    }

    fn properties<'a: 's, N: Node<'a>>(&mut self, place: &mut Place<'s, N>, named: &'s NamedBlocks) -> Told {
        let Some(members) = place.node.as_object() else { return Some(()) };
        self.run.budget.spend(members.len().saturating_sub(place.known.children) as u64).ok()?;
        for (name, value) in members.iter_names().skip(place.known.children) {
            let Some((index, ())) = named.names.look_up(name) else { continue };
            let step = Step::Property(named.names.share(index));
            self.child(place, step, named.blocks[index], value)?;
            if self.is_over(place) {
                break;
            }
        }
        Some(())
    }

    fn patterned<'a: 's, N: Node<'a>>(
        &mut self,
        place: &mut Place<'s, N>,
        patterned: &'s PatternBlocks,
    ) -> Told {
        let Some(members) = place.node.as_object() else { return Some(()) };
        let program = self.run.program;
        let PatternBlocks { set, blocks } = patterned;
        let mut found = FoundPatterns::new();
        for (name, value) in members.iter().skip(place.known.children) {
            self.run.budget.spend(1).ok()?;
            set.find(&program.patterns, &mut self.run.budget, name, &mut found).ok()?;
            for &index in &found {
                self.child(place, Step::Member(name), blocks[index as usize], value)?;
                if self.is_over(place) {
                    return Some(());
                }
            }
        }
        Some(())
    }

    fn additional<'a: 's, N: Node<'a>>(
        &mut self,
        place: &mut Place<'s, N>,
        additional: &'s Additional,
    ) -> Told {
        let is_left = |run: &mut Silent<'s, 't>, name: &str| {
            properties::is_spoken_of(run, additional, name).map(|is_spoken_of| !is_spoken_of)
        };
        self.members_left(
            place,
            place.known.children.max(place.known.spoken_of.unwrap_or(0)),
            additional.block,
            is_left,
        )
    }

    fn unevaluated_properties<'a: 's, N: Node<'a>>(
        &mut self,
        place: &mut Place<'s, N>,
        block: BlockId,
    ) -> Told {
        let wanted = self.run.program.evaluated(place.block)?;
        let held = self.held_branches(wanted, place.node).ok()?;
        if held & wanted.all_members != 0 {
            return Some(());
        }
        let is_left = |run: &mut Silent<'s, 't>, name: &str| unevaluated::is_left(run, wanted, held, name);
        self.members_left(place, 0, block, is_left)
    }

    /// Tells about the members from one on that are left to a block, if it refuses them.
    fn members_left<'a: 's, N: Node<'a>>(
        &mut self,
        place: &mut Place<'s, N>,
        first: usize,
        block: BlockId,
        is_left: impl Fn(&mut Silent<'s, 't>, &str) -> Result<bool, Stopped>,
    ) -> Told {
        let Some(members) = place.node.as_object() else { return Some(()) };
        let program = self.run.program;
        let mut tables: Option<Cow<'s, [Id<NamedBlocks>]>> = None;
        for (name, value) in members.iter().skip(first) {
            self.run.budget.spend(1).ok()?;
            if !is_left(&mut self.run, name).ok()? {
                continue;
            }
            let is_unknown = || program.refuses_unknown(program.code[place.at as usize]);
            if !self.telling.has_tree() && is_unknown() {
                if tables.is_none() {
                    let (block, at) = (place.block, place.at);
                    tables = Some(unknown::tables_of(program, &mut self.run.budget, block, at).ok()?);
                }
                self.unknown(place, name, block, tables.as_deref().unwrap_or_default(), members)?;
            } else {
                self.child(place, Step::Member(name), block, value)?;
            }
            if self.is_over(place) {
                break;
            }
        }
        Some(())
    }

    /// Tells that a member is not known, which a `false` refuses.
    fn unknown<'a: 's, N: Node<'a>>(
        &mut self,
        place: &mut Place<'s, N>,
        name: &'s str,
        block: BlockId,
        tables: &[Id<NamedBlocks>],
        object: N::Object,
    ) -> Told {
        self.fail(place)?;
        if !self.telling.wants() {
            return Some(());
        }
        let budget = &mut self.run.budget;
        budget.spend(1).ok()?;
        budget.deepen().ok()?;
        let link = Link { applied_at: place.at, block, step: Step::Member(name) };
        self.telling.unknown::<N>(budget, link, tables, object).ok()?;
        budget.leave();
        Some(())
    }

    fn unevaluated_items<'a: 's, N: Node<'a>>(&mut self, place: &mut Place<'s, N>, block: BlockId) -> Told {
        let Some(_) = place.node.as_array() else { return Some(()) };
        let wanted = self.run.program.evaluated(place.block)?;
        let held = self.held_branches(wanted, place.node).ok()?;
        if held & wanted.all_items != 0 {
            return Some(());
        }
        self.each(place, wanted.first_item_left(held), block)
    }

    /// Remembers that a block holds for a node, if that is a container.
    #[inline]
    fn remember<'a: 's, N: Node<'a>>(&mut self, block: BlockId, node: N) {
        if self.held.is_full() {
            self.held.clear();
        }
        if let Some(container) = Container::of(node) {
            self.held.push((block, container));
        }
    }

    /// Whether a block refuses a node, where it may have been asked before.
    fn still_refuses<'a: 's, N: Node<'a>>(&mut self, block: BlockId, node: N) -> Result<bool, Stopped> {
        let is_held = Container::of(node).is_some_and(|container| self.held.contains(&(block, container)));
        if is_held { Ok(false) } else { self.refuses(block, node) }
    }

    /// The bits of what has evaluated something: of a union, the branches that hold; of conditions, what they lead to.
    fn held_branches<'a: 's, N: Node<'a>>(&mut self, wanted: &Unevaluated, node: N) -> Result<u64, Stopped> {
        let mut held = Unevaluated::ALWAYS;
        for part in &wanted.parts {
            match part {
                Test::Union { blocks, .. } => {
                    for &(block, bits) in blocks.iter().filter(|&&(_, bits)| bits != 0) {
                        held |= if self.still_refuses(block, node)? { 0 } else { bits };
                    }
                }
                Test::If { test: (test, bits), then, otherwise } => {
                    let fails = self.still_refuses(*test, node)?;
                    held |= if fails { 0 } else { *bits };
                    held |= (if fails { otherwise } else { then }).map_or(0, |(_, bits)| bits);
                }
                Test::Dependent(name, (_, bits)) => {
                    let Some(members) = node.as_object() else { continue };
                    self.run.budget.spend(members.get_cost() as u64)?;
                    held |= members.get(name).map_or(0, |_| *bits);
                }
            }
        }
        Ok(held)
    }

    fn names<'a: 's, N: Node<'a>>(&mut self, place: &mut Place<'s, N>, block: BlockId) -> Told {
        let Some(members) = place.node.as_object() else { return Some(()) };
        for (name, _) in members.iter() {
            self.run.budget.spend(1).ok()?;
            if self.refuses(block, Name(name)).ok()? {
                let failed = self.fail_in_tree(place)?;
                if self.telling.wants() {
                    let step = Step::Name(name);
                    self.block((place.at, failed), step, block, Name(name))?;
                }
                if self.is_over(place) {
                    break;
                }
            }
        }
        Some(())
    }

    fn prefix<'a: 's, N: Node<'a>>(&mut self, place: &mut Place<'s, N>, blocks: &'s [BlockId]) -> Told {
        let Some(items) = place.node.as_array() else { return Some(()) };
        for (index, (item, &block)) in items.iter().zip(blocks).enumerate() {
            self.run.budget.spend(1).ok()?;
            self.child(place, Step::Item(index), block, item)?;
            if self.is_over(place) {
                break;
            }
        }
        Some(())
    }

    fn each<'a: 's, N: Node<'a>>(&mut self, place: &mut Place<'s, N>, first: usize, block: BlockId) -> Told {
        let Some(items) = place.node.as_array() else { return Some(()) };
        self.run.budget.spend(items.len().saturating_sub(first) as u64).ok()?;
        for (index, item) in items.iter().enumerate().skip(first) {
            self.child(place, Step::Item(index), block, item)?;
            if self.is_over(place) {
                break;
            }
        }
        Some(())
    }

    fn contains<'a: 's, N: Node<'a>>(&mut self, place: &mut Place<'s, N>, id: Id<Contains>) -> Told {
        if holds(&mut self.run, place.at, Instruction::Contains(id), place.node).ok()? {
            return Some(());
        }
        let places = contains::accepted(&mut self.run, id, place.node).ok()?;
        self.fail_alone(place, Some(Note::Places(places)))
    }
}
