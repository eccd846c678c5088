//! The way to a failure, without a tree.
//!
//! A run that goes along the short way is, at any time, in a block inside of blocks. Each of them has a [`Link`] in the frame of the
//! function that tells about it, which costs nothing to forget. An error takes a copy of all that lead to it, a [`Chain`], and
//! that is enough for its places and its sentence. Whatever else is asked is read from a [`Tree`], which is then made of the chain. Unions that
//! a chain leads through are told by the branch that it leads to.

use super::tree::{OwnedStep, OwnedToken, Unit, UnitKind};
use super::{Cause, Edge, EdgeFrom, Findings, Room, Step, Token, Tree, errors};
use crate::document::pointer;
use crate::error::{ErrorKind, Paths, ValidationError};
use crate::program::{BlockId, Instruction, Program};
use smallvec::SmallVec;
use std::sync::{Arc, OnceLock};

/// A block that refuses a node, inside of others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link<'l> {
    pub(crate) around: Option<&'l Link<'l>>,
    /// The instruction of the block around it that applied it.
    pub(crate) applied_at: u32,
    pub(crate) block: BlockId,
    pub(crate) edge: Edge<'l>,
    pub(crate) step: Step<'l>,
}

/// So many links lead to most errors.
const FEW: usize = 16;

impl<'l> Link<'l> {
    /// All links from the root to this one.
    pub(crate) fn links(&'l self) -> SmallVec<[&'l Link<'l>; FEW]> {
        let mut links: SmallVec<[&Link<'_>; FEW]> = SmallVec::new();
        let mut next = Some(self);
        while let Some(link) = next {
            links.push(link);
            next = link.around;
        }
        links.reverse();
        links
    }
}

/// All blocks that lead to an error, and why their last one fails.
#[derive(Clone, Debug)]
pub(crate) struct Chain {
    program: Arc<Program>,
    /// From the root.
    links: SmallVec<[OwnedLink; 4]>,
    /// The instruction that failed.
    at: u32,
    cause: Cause,
    /// The same as a tree, once someone asks for that.
    tree: OnceLock<Arc<Findings>>,
}

/// A [`Link`] that owns its texts, or knows where they are.
#[derive(Clone, Debug)]
struct OwnedLink {
    applied_at: u32,
    block: BlockId,
    from: EdgeFrom,
    step: PathStep,
    token: SmallToken,
}

/// A [`Step`] whose name or number is in the path of the error.
#[derive(Clone, Copy, Debug)]
enum PathStep {
    Here,
    Item,
    Member,
}

/// A [`Token`] that owns its text. Few have one.
#[derive(Clone, Debug)]
enum SmallToken {
    Nothing,
    Item(usize),
    Member(Box<Box<str>>),
    Step,
}

/// The error of an instruction of a block, if there is room for its paths.
pub(crate) fn error(
    program: &Arc<Program>,
    room: &Room,
    link: &Link<'_>,
    at: u32,
    cause: Cause,
) -> Option<ValidationError> {
    /// What a unit takes besides names.
    const UNIT: usize = 16;
    let links = link.links();
    let (mut bytes, mut path) = (2 * UNIT * links.len(), 0);
    for link in &links {
        let step = link.step.text().len();
        path += step + 1;
        bytes += 4 * step + if let Token::Member(name) = link.edge.token { 3 * name.len() } else { 0 };
    }
    if !room.take(bytes + size_of::<ValidationError>()) {
        return None;
    }
    // A member that is not known is a fault of its object.
    let unknown =
        if let (Cause::Unknown(_), Step::Member(name)) = (&cause, link.step) { Some(name) } else { None };
    // Most names need no escapes, and most numbers few digits; the schema says all that again, and a little more.
    let mut text = String::with_capacity(2 * path + UNIT * (links.len() + 2));
    let mut owned = SmallVec::with_capacity(links.len());
    let shown = links.len() - usize::from(unknown.is_some());
    for (index, link) in links.iter().enumerate() {
        if index < shown {
            link.step.push_to(&mut text);
        }
        owned.push(OwnedLink::of(link));
    }
    let schema = text.len();
    program.push_keyword_pointer(&mut text, link.block, at);
    let rest = text.len();
    text.push_str(unknown.unwrap_or_default());
    let chain = Chain { program: Arc::clone(program), links: owned, at, cause, tree: OnceLock::new() };
    Some(ValidationError::of_chain(chain, Paths { text, schema, rest }))
}

impl OwnedLink {
    #[inline]
    fn of(link: &Link<'_>) -> OwnedLink {
        let step = match link.step {
            // Names that are refused have a tree.
            Step::Here | Step::Name(_) => PathStep::Here,
            Step::Item(_) => PathStep::Item,
            Step::Member(_) | Step::Property(_) => PathStep::Member,
        };
        let Link { applied_at, block, edge: Edge { from, token }, .. } = *link;
        let token = match token {
            Token::Nothing => SmallToken::Nothing,
            Token::Item(index) => SmallToken::Item(index),
            Token::Member(name) => SmallToken::Member(Box::new(name.into())),
            Token::Step => SmallToken::Step,
        };
        OwnedLink { applied_at, block, from, step, token }
    }
}

impl Chain {
    /// Why the instruction failed, in the usual words, where that is told without all facts.
    pub(crate) fn sentence(&self, paths: &Paths) -> Option<String> {
        let instruction = self.program.code[self.at as usize];
        errors::sentence(&self.program, instruction, &self.cause, Some(paths.rest()))
    }

    /// Why the instruction failed, with all facts.
    pub(crate) fn kind(&self, paths: &Paths) -> ErrorKind {
        let instruction = self.program.code[self.at as usize];
        let name;
        let step = match self.links.last().map(|link| link.step) {
            Some(PathStep::Item) => Step::Item(number(Some(paths.last_step()))),
            Some(PathStep::Member) if matches!(self.cause, Cause::Unknown(_)) => Step::Member(paths.rest()),
            Some(PathStep::Member) => {
                name = pointer::unescape(paths.last_step()).unwrap_or_default();
                Step::Member(&name)
            }
            Some(PathStep::Here) | None => Step::Here,
        };
        errors::facts(&self.program, instruction, &self.cause, step)
    }

    /// The same as a tree, and its last unit.
    pub(crate) fn tree(&self, paths: &Paths) -> (&Arc<Findings>, u32) {
        let findings = self.tree.get_or_init(|| self.make_tree(paths));
        (findings, findings.tree.units.len() as u32 - 1)
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
            let step = match link.step {
                PathStep::Here => OwnedStep::Here,
                PathStep::Item => OwnedStep::Item(number(names.next())),
                // The one that is not in the path is not known.
                PathStep::Member => OwnedStep::Member(match names.next().and_then(pointer::unescape) {
                    Some(name) => name.into(),
                    None => paths.rest().into(),
                }),
            };
            let token = match &link.token {
                SmallToken::Nothing => OwnedToken::Nothing,
                SmallToken::Item(index) => OwnedToken::Item(*index),
                SmallToken::Member(name) => OwnedToken::Member((**name).clone()),
                SmallToken::Step => OwnedToken::Step,
            };
            let OwnedLink { block, from, .. } = *link;
            add(UnitKind::Block { block, from, token, step });
        }
        let error = Some(self.cause.clone());
        add(UnitKind::Keyword { at: self.at, error, annotation: None, note: None });
        let tree = Tree { units, memory: usize::MAX, is_cut: false, has_unions, is_in_order: true };
        Findings::new(Arc::clone(&self.program), tree)
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
        assert_eq!(size_of::<OwnedLink>(), 40);
    }
}
