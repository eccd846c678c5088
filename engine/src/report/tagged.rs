//! Branches of a union that have another value for its discriminator: all that is told of them.
//!
//! Where that is all that a tree still lacks, it is left out ([`Folded`]), and added to a copy of the tree when someone asks what the branches say. The
//! units that there were keep their numbers.

use super::closest::{Choices, cause, constants_at};
use super::hints::{Applying, Hints, look_at, way_to_constant};
use super::trace::{IN_UNION, UNIT_BYTES};
use super::tree::{Tree, UnitKind};
use super::{Edge, Failed, Keep, Link, Note, Step, Trace};
use crate::error::ErrorKind;
use crate::instance::{Node, Number, View};
use crate::limits::{Budget, Limits, Stopped};
use crate::program::{BlockId, Instruction, Program};
use crate::suggest::Purse;
use serde_json::Value;
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

    /// Leaves out all branches of a union behind the closest, which is the last in the tree, if they can be told later: where the value of the
    /// discriminator is small. Says whether it has. Holds what they would take.
    pub(crate) fn fold<'a, N: Node<'a>>(
        &mut self,
        budget: &mut Budget,
        union: Failed,
        branches: usize,
        is_clear: bool,
        value: N,
    ) -> Result<bool, Stopped> {
        /// A branch, what it calls, and the member, each with an instruction; and what that says.
        const BRANCH: usize = 6 * UNIT_BYTES + size_of::<ErrorKind>();
        let Some(value) = small(value).filter(|_| self.last() > union.unit()) else { return Ok(false) };
        // As many as there would be room for: the closest takes none where its errors are those of the union.
        let count = branches.min(IN_UNION - usize::from(!is_clear));
        self.hold(budget, count * BRANCH + LONGEST)?;
        let leaf = (!is_clear).then(|| self.last());
        self.folded = Some(Folded { union: union.unit(), leaf, value, count, purse: self.purse });
        Ok(true)
    }
}

/// So long a text is small.
const LONGEST: usize = 256;

/// A copy of a value that takes little room, if it does.
fn small<'a, N: Node<'a>>(node: N) -> Option<Value> {
    match node.view() {
        View::Null => Some(Value::Null),
        View::Bool(value) => Some(Value::Bool(value)),
        View::Number(Number::Unsigned(value)) => Some(value.into()),
        View::Number(Number::Signed(value)) => Some(value.into()),
        View::String(text) if text.len() <= LONGEST => Some(text.into()),
        View::Number(Number::Float(_) | Number::Exact(_))
        | View::String(_)
        | View::Array(_)
        | View::Object(_) => None,
    }
}

/// Branches of a union that are not in its tree, as they have nothing against an object but the value of a discriminator.
#[derive(Debug)]
pub(crate) struct Folded {
    pub(super) union: u32,
    /// The error of the closest branch, where no branch takes that value: then it stands for the union.
    pub(super) leaf: Option<u32>,
    value: Value,
    /// How many branches are told.
    count: usize,
    purse: Purse,
}

impl Folded {
    /// The facts of the error that stands for the union, where no branch takes the value: what all of them take.
    pub(super) fn kind(&self, program: &Program, tree: &Tree) -> Option<ErrorKind> {
        let (at, hints, tag) = self.hints(tree)?;
        let (Instruction::AnyOf(blocks) | Instruction::OneOf(blocks)) = program.code[at as usize] else {
            return None;
        };
        let (mut budget, mut choices) = (Budget::for_schema(), Choices::default());
        for index in hints.by_closeness().into_iter().take(1 + self.count) {
            let way = way_to_tag(program, &mut budget, program.list(blocks)[index], tag).ok()??;
            choices.add(constants_at(program, way.at)?);
        }
        Some(choices.error(cause(tree, self.leaf? as usize)))
    }

    /// A tree that has these branches.
    pub(super) fn unfold(&self, program: &Program, tree: &Tree) -> Tree {
        let mut trace = Trace::new(Keep::Failures, &Limits::default());
        trace.units.clone_from(&tree.units);
        trace.purse = self.purse;
        trace.bounds.limit = usize::MAX;
        // INVARIANT: as much was spent on these branches when hints were looked for.
        let mut budget = Budget::for_schema();
        if let Some((at, hints, tag)) = self.hints(tree)
            && let Instruction::AnyOf(blocks) | Instruction::OneOf(blocks) = program.code[at as usize]
        {
            for index in hints.by_closeness().into_iter().skip(1).take(self.count) {
                let branch = (Edge::item(at, index), program.list(blocks)[index]);
                let tag = (tag, &self.value);
                if trace.add_tagged(&mut budget, program, self.union, branch, tag).is_err() {
                    break;
                }
            }
        }
        for unit in tree.chain(self.union as usize) {
            trace.end(unit as u32);
        }
        Tree { units: trace.units, ..*tree }
    }

    /// What was known of the union at a glance: its instruction, the hints, and the discriminator.
    fn hints<'t>(&self, tree: &'t Tree) -> Option<(u32, &'t Hints, &'t str)> {
        let UnitKind::Keyword { at, note: Some(note), .. } = &tree.units[self.union as usize].kind else {
            return None;
        };
        let Note::Union(hints) = &**note else { return None };
        Some((*at, hints, hints.tag.as_deref()?))
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
