//! The way to a failure, without a tree.
//!
//! A run that goes along the short way is, at any time, in a block inside of blocks, and has a [`Link`] for each of them. An error takes
//! a copy of all that lead to it, a [`Chain`], and that is enough for its places and its sentence. Whatever else is asked is read
//! from a [`Tree`], which is then made of the chain. Unions that a chain leads through are told by the branch that it leads to; one that
//! it ends at takes other types ([`Cause::NoType`]), and what its branches say is made of that.

use super::hints::Hints;
use super::tree::{OwnedStep, OwnedToken, Unit, UnitKind};
use super::{Cause, Edge, Findings, Note, Room, Step, Token, Tree, errors};
use crate::document::pointer;
use crate::error::text::{Push, ShortText};
use crate::error::{ErrorKind, Paths, ValidationError};
use crate::program::{BlockId, Instruction, NamedBlocks, PatternBlocks, Program};
use smallvec::SmallVec;
use stanchion_vocab::Keyword;
use std::sync::{Arc, OnceLock};

/// A block that refuses a node, inside of others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link<'s> {
    /// The instruction of the block around it that applied it.
    pub(crate) applied_at: u32,
    pub(crate) block: BlockId,
    pub(crate) step: Step<'s>,
}

/// All links from the root to a block.
pub(crate) type Links<'s> = SmallVec<[Link<'s>; FEW]>;

/// So many links lead to most errors.
const FEW: usize = 8;

impl<'s> Link<'s> {
    /// The way from the block around it, if there is one.
    pub(crate) fn edge<'p>(&self, program: &'p Program, is_root: bool) -> Edge<'p> {
        if is_root { Edge::ROOT } else { way_to(program, self.applied_at, self.block).0 }
    }

    /// Appends the step to a pointer.
    #[inline(always)]
    fn push_step(&self, program: &Program, path: &mut ShortText) {
        match self.step {
            Step::Here => {}
            // What leads to its subschema ends in the name, as pointers have it.
            Step::Property(_) => path.push_str(program.property_step(self.block)),
            Step::Item(_) | Step::Member(_) | Step::Name(_) => self.push_other_step(path),
        }
    }

    #[inline(never)]
    fn push_other_step(&self, path: &mut ShortText) {
        self.step.push_to(path);
    }

    /// A name of the schema on the way from the block around it, besides that of the member.
    #[inline]
    fn token_len(&self, program: &Program) -> usize {
        let at = self.applied_at;
        if let Step::Property(_) | Step::Item(_) = self.step {
            return 0;
        }
        if let Instruction::PatternProperties(_) | Instruction::DependentSchemas(_) =
            program.code[at as usize]
            && let Token::Member(name) = way_to(program, at, self.block).0.token
        {
            name.len()
        } else {
            0
        }
    }
}

/// All blocks that lead to an error, and why their last one fails.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    program: Arc<Program>,
    /// From the root.
    links: OwnedLinks,
    /// The instruction that failed.
    at: u32,
    cause: Cause,
    /// The same as a tree, once someone asks for that.
    tree: OnceLock<Arc<Findings>>,
}

/// What is kept of a [`Link`]: the instruction tells how its block came to be run, and the names are in the path of the error.
#[derive(Clone, Copy, Debug)]
struct OwnedLink {
    applied_at: u32,
    block: BlockId,
}

impl OwnedLink {
    fn of(link: &Link<'_>) -> OwnedLink {
        OwnedLink { applied_at: link.applied_at, block: link.block }
    }
}

type OwnedLinks = SmallVec<[OwnedLink; FEW]>;

/// A [`Step`] whose name or number is in the path of the error.
#[derive(Clone, Copy, Debug)]
enum PathStep {
    Here,
    Item,
    Member,
}

/// The error of an instruction of the block that links lead to, if there is room for its paths.
pub(crate) fn error(
    program: &Arc<Program>,
    room: &Room,
    links: &[Link<'_>],
    at: u32,
    cause: Cause,
) -> Option<ValidationError> {
    /// What a unit takes besides names.
    const UNIT: usize = 16;
    let bytes_of = |link: &Link<'_>| 4 * link.step.text().len() + 2 * UNIT + 3 * link.token_len(program);
    let bytes: usize = links.iter().map(bytes_of).sum();
    if !room.take(bytes + size_of::<ValidationError>()) {
        return None;
    }
    at_end(program, links, at, cause)
}

/// The same, where someone else has seen that there is room.
#[inline(always)]
pub(crate) fn at_end(
    program: &Arc<Program>,
    links: &[Link<'_>],
    at: u32,
    cause: Cause,
) -> Option<ValidationError> {
    let (last, around) = links.split_last()?;
    let chain =
        Chain { program: Arc::clone(program), links: OwnedLinks::new(), at, cause, tree: OnceLock::new() };
    // Its paths are written where they will stay.
    let mut error = ValidationError::of_chain(chain);
    let (chain, paths) = error.chain_mut()?;
    chain.links.extend(links.iter().map(OwnedLink::of));
    around.iter().for_each(|link| link.push_step(program, &mut paths.text));
    // A member that is not known is a fault of its object.
    let unknown = match (&chain.cause, last.step) {
        (Cause::Unknown(_), Step::Member(name)) => name,
        _ => {
            last.push_step(program, &mut paths.text);
            ""
        }
    };
    paths.rest = paths.text.len();
    paths.text.push_str(unknown);
    Some(error)
}

impl Chain {
    /// Puts into the usual words why the instruction failed, where that is told without all facts. Says whether it has.
    #[inline(always)]
    pub(crate) fn put_sentence(&self, text: &mut ShortText, paths: &Paths) -> bool {
        let instruction = self.program.code[self.at as usize];
        let member = matches!(self.cause, Cause::Unknown(_)).then(|| paths.rest());
        errors::put_sentence(text, &self.program, instruction, &self.cause, member)
    }

    /// Where the keyword of the instruction stands, if someone has asked before.
    #[inline]
    pub(crate) fn kept_pointer(&self) -> Option<&str> {
        self.program.kept_pointer(self.at)
    }

    /// Where the keyword of the instruction stands, unless that is long.
    pub(crate) fn keyword_pointer(&self) -> Option<&str> {
        self.program.keyword_pointer(self.links.last()?.block, self.at)
    }

    /// Why the instruction failed, with all facts.
    pub(crate) fn kind(&self, paths: &Paths) -> ErrorKind {
        if let Cause::NoType(..) = self.cause {
            let (findings, unit) = self.tree(paths);
            return findings.kind(unit);
        }
        let instruction = self.program.code[self.at as usize];
        let name;
        let step = match self.way_to(self.links.len() - 1).1 {
            PathStep::Item => Step::Item(number(Some(paths.last_step()))),
            PathStep::Member if matches!(self.cause, Cause::Unknown(_)) => Step::Member(paths.rest()),
            PathStep::Member => {
                name = pointer::unescape(paths.last_step()).unwrap_or_default();
                Step::Member(&name)
            }
            PathStep::Here => Step::Here,
        };
        errors::facts(&self.program, instruction, &self.cause, step)
    }

    /// The way to the block of a link: from the one before it, and from the node of that.
    fn way_to(&self, index: usize) -> (Edge<'_>, PathStep) {
        let OwnedLink { applied_at, block } = self.links[index];
        if index == 0 { (Edge::ROOT, PathStep::Here) } else { way_to(&self.program, applied_at, block) }
    }

    /// The same as a tree, and the unit of the instruction in it.
    pub(crate) fn tree(&self, paths: &Paths) -> (&Arc<Findings>, u32) {
        let findings = self.tree.get_or_init(|| self.make_tree(paths));
        // Each link is a block and an instruction.
        (findings, 2 * self.links.len() as u32 - 1)
    }

    fn make_tree(&self, paths: &Paths) -> Arc<Findings> {
        let end = 2 * self.links.len() as u32;
        let mut units = Vec::with_capacity(end as usize);
        let mut add = |kind| {
            let parent = (units.len() as u32).saturating_sub(1);
            units.push(Unit { parent, end, valid: false, is_cut: false, kind });
        };
        let mut names = paths.instance().split('/').skip(1);
        let mut has_unions = false;
        for (index, link) in self.links.iter().enumerate() {
            if index > 0 {
                let applied = applying_unit(&self.program, link.applied_at);
                has_unions |= matches!(applied, UnitKind::Keyword { error: Some(_), .. });
                add(applied);
            }
            let (Edge { from, token }, step) = self.way_to(index);
            let step = match step {
                PathStep::Here => OwnedStep::Here,
                PathStep::Item => OwnedStep::Item(number(names.next())),
                // The one that is not in the path is not known.
                PathStep::Member => OwnedStep::Member(match names.next().and_then(pointer::unescape) {
                    Some(name) => name.into(),
                    None => paths.rest().into(),
                }),
            };
            add(UnitKind::Block { block: link.block, from, token: OwnedToken::of(token), step });
        }
        if let Cause::NoType(kind, _, value) = &self.cause {
            has_unions = true;
            let (value, last) = (Cause::Type(*kind, value.clone()), units.len() as u32 - 1);
            add_union(&self.program, &mut units, last, self.at, &value);
            let end = units.len() as u32;
            units[..=last as usize].iter_mut().for_each(|unit| unit.end = end);
        } else {
            let error = Some(self.cause.clone());
            add(UnitKind::Keyword { at: self.at, error, annotation: None, note: None });
        }
        let tree = Tree { units, memory: usize::MAX, is_cut: false, has_unions, is_in_order: true };
        Findings::new(Arc::clone(&self.program), tree)
    }
}

/// Adds a union whose branches have nothing but their types against a node, in the block of a unit: see [`Cause::NoType`].
fn add_union(program: &Program, units: &mut Vec<Unit>, parent: u32, at: u32, found: &Cause) {
    let (Instruction::AnyOf(blocks) | Instruction::OneOf(blocks)) = program.code[at as usize] else { return };
    let (branches, union) = (program.list(blocks), units.len());
    let note = Some(Box::new(Note::Union(Hints::of_other_types(branches.len()))));
    let kind = UnitKind::Keyword { at, error: Some(Cause::NoBranch), annotation: None, note };
    units.push(Unit { parent, end: 0, valid: false, is_cut: false, kind });
    for (index, &branch) in branches.iter().enumerate() {
        add_branch(program, units, union as u32, Edge::item(at, index), branch, found);
    }
    units[union].end = units.len() as u32;
}

/// Adds a block that has nothing but its type against a node.
fn add_branch(
    program: &Program,
    units: &mut Vec<Unit>,
    parent: u32,
    edge: Edge<'_>,
    block: BlockId,
    found: &Cause,
) {
    let Cause::Type(kind, _) = found else { return };
    let first = units.len();
    let unit =
        UnitKind::Block { block, from: edge.from, token: OwnedToken::of(edge.token), step: OwnedStep::Here };
    units.push(Unit { parent, end: 0, valid: false, is_cut: false, kind: unit });
    for at in program.block(block).plain.clone() {
        let instruction = program.code[at as usize];
        let keyword = units.len();
        let mut add = |error| {
            let kind = UnitKind::Keyword { at, error, annotation: None, note: None };
            let end = keyword as u32 + 1;
            units.push(Unit { parent: first as u32, end, valid: false, is_cut: false, kind });
        };
        if let Instruction::Type(types) = instruction {
            if !types.has(*kind) {
                add(Some(found.clone()));
            }
        } else if let Instruction::Call(target) = instruction {
            add(None);
            add_branch(program, units, keyword as u32, Edge::keyword(at), target, found);
            units[keyword].end = units.len() as u32;
        } else if let Instruction::AnyOf(_) | Instruction::OneOf(_) = instruction {
            add_union(program, units, first as u32, at, found);
        }
    }
    units[first].end = units.len() as u32;
}

/// The way by which an instruction applies a block: each that it may apply is a subschema of its own.
fn way_to(program: &Program, at: u32, block: BlockId) -> (Edge<'_>, PathStep) {
    // Subschemas have numbers in the order of the document, and so have most lists of them.
    let place = |blocks: &[BlockId]| {
        let found = blocks.binary_search(&block).ok();
        found.or_else(|| blocks.iter().position(|&other| other == block)).unwrap_or_default()
    };
    match program.code[at as usize] {
        Instruction::AllOf(blocks) | Instruction::AnyOf(blocks) | Instruction::OneOf(blocks) => {
            (Edge::item(at, place(program.list(blocks))), PathStep::Here)
        }
        Instruction::If(id) => {
            let is_then = program.conditions[id].then == Some(block);
            (Edge::of(if is_then { Keyword::Then } else { Keyword::Else }), PathStep::Here)
        }
        Instruction::DependentSchemas(id) => {
            let NamedBlocks { names, blocks, .. } = &program.named_blocks[id];
            (Edge::member(at, names.get(place(blocks))), PathStep::Here)
        }
        Instruction::Properties(_) => (Edge::property(at), PathStep::Member),
        Instruction::PatternProperties(id) => {
            let PatternBlocks { set, blocks } = &program.pattern_blocks[id];
            (Edge::member(at, program.patterns[set.patterns()[place(blocks)]].source()), PathStep::Member)
        }
        Instruction::AdditionalProperties(_) | Instruction::UnevaluatedProperties(_) => {
            (Edge::keyword(at), PathStep::Member)
        }
        Instruction::PrefixItems(blocks) => (Edge::item(at, place(program.list(blocks))), PathStep::Item),
        Instruction::EachItem(..) | Instruction::UnevaluatedItems(_) => (Edge::keyword(at), PathStep::Item),
        // A reference.
        Instruction::Call(_) | Instruction::DynamicCall(..)
        // What is told without a link to its block, or by a tree: names that are refused, for one.
        | Instruction::Not(_) | Instruction::Contains(_) | Instruction::EachName(_)
        // Fast code, which no error is told by.
        | Instruction::Pick(_) | Instruction::Items(_) | Instruction::Members(_) | Instruction::MembersByPattern(_)
        | Instruction::EachMember(_) | Instruction::Unevaluated(_) | Instruction::InRange(_) | Instruction::Text(_)
        // And what applies no block.
        | Instruction::Never | Instruction::Type(_) | Instruction::TypeAsWritten(_) | Instruction::Equals(_)
        | Instruction::IsOneOf(_) | Instruction::AtLeast(_) | Instruction::AtMost(_) | Instruction::Above(_)
        | Instruction::Below(_) | Instruction::MultipleOf(_) | Instruction::LengthAtLeast(_)
        | Instruction::LengthAtMost(_) | Instruction::Matches(_) | Instruction::HasFormat(_)
        | Instruction::HasContent(_) | Instruction::ItemsAtLeast(_) | Instruction::ItemsAtMost(_)
        | Instruction::UniqueItems | Instruction::MembersAtLeast(_) | Instruction::MembersAtMost(_)
        | Instruction::Required(_) | Instruction::DependentRequired(_) | Instruction::Annotate(_)
        | Instruction::AnnotateText(_) => (Edge::keyword(at), PathStep::Here),
    }
}

/// The unit of an instruction that leads to one block alone. Of a union, that is the branch which stands for it.
pub(super) fn applying_unit(program: &Program, at: u32) -> UnitKind {
    let is_union = matches!(program.code[at as usize], Instruction::AnyOf(_) | Instruction::OneOf(_));
    let error = is_union.then_some(Cause::NoBranch);
    UnitKind::Keyword { at, error, annotation: None, note: None }
}

/// The number that a step of a path is.
fn number(step: Option<&str>) -> usize {
    step.and_then(|step| step.parse().ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_small() {
        assert_eq!(size_of::<OwnedLink>(), 8);
    }
}
