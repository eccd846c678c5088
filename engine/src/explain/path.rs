//! Where a unit stands: in the instance, and in the schema.

use super::tree::{OwnedStep, OwnedToken, Tree, UnitKind};
use crate::document::pointer;
use crate::program::{BlockId, Program};
use smallvec::SmallVec;

/// Where a unit stands, in the instance and in the schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Paths {
    pub(crate) instance_path: String,
    pub(crate) schema_path: String,
    pub(crate) evaluation_path: String,
    pub(crate) absolute_location: String,
}

impl Paths {
    pub(crate) fn of(program: &Program, tree: &Tree, unit: u32) -> Paths {
        Paths {
            instance_path: instance_path(tree, unit),
            schema_path: schema_path(program, tree, unit),
            evaluation_path: evaluation_path(program, tree, unit),
            absolute_location: absolute_location(program, tree, unit),
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let Paths { instance_path, schema_path, evaluation_path, absolute_location } = self;
        [instance_path, schema_path, evaluation_path, absolute_location].map(String::len).iter().sum()
    }
}

/// The place in the instance, as a JSON Pointer.
pub(crate) fn instance_path(tree: &Tree, unit: u32) -> String {
    let steps: SmallVec<[&OwnedStep; 16]> = tree.steps_to(unit, None).collect();
    let mut path = String::with_capacity(16 * steps.len());
    for step in steps.into_iter().rev() {
        match step {
            OwnedStep::Here | OwnedStep::Name(_) => {}
            OwnedStep::Item(index) => pointer::push_index(&mut path, *index),
            OwnedStep::Member(name) => pointer::push(&mut path, name),
        }
    }
    path
}

/// The way from the root of the schema, through references, as a JSON Pointer.
pub(crate) fn evaluation_path(program: &Program, tree: &Tree, unit: u32) -> String {
    let chain: SmallVec<[u32; 32]> = tree.chain(unit).collect();
    let mut path = String::new();
    for &unit in chain.iter().rev() {
        if let (Some(keyword), UnitKind::Block { edge, .. }) =
            (applied_by(program, tree, unit), &tree.unit(unit).kind)
        {
            pointer::push(&mut path, keyword);
            match &edge.token {
                OwnedToken::Nothing => {}
                OwnedToken::Item(index) => pointer::push_index(&mut path, *index),
                OwnedToken::Member(name) => pointer::push(&mut path, name),
                OwnedToken::Pattern(pattern) => {
                    pointer::push(&mut path, program.patterns[*pattern].source());
                }
            }
        }
    }
    own_keyword(program, tree, unit).iter().for_each(|name| pointer::push(&mut path, name));
    path
}

/// The keyword's place in its own document, as a JSON Pointer.
pub(crate) fn schema_path(program: &Program, tree: &Tree, unit: u32) -> String {
    let mut path = program.pointer(block_of(tree, unit));
    own_keyword(program, tree, unit).iter().for_each(|name| pointer::push(&mut path, name));
    path
}

/// The keyword's place as a URI.
pub(crate) fn absolute_location(program: &Program, tree: &Tree, unit: u32) -> String {
    let mut location = program.location(block_of(tree, unit));
    if let Some(name) = own_keyword(program, tree, unit) {
        let mut escaped = String::new();
        pointer::push(&mut escaped, name);
        pointer::push_as_fragment(&mut location, &escaped);
    }
    location
}

/// The keyword of a unit; where a `false` rejected, the one that applied it.
pub(crate) fn keyword<'e>(program: &'e Program, tree: &'e Tree, unit: u32) -> &'e str {
    let applied = || applied_by(program, tree, tree.unit(unit).parent);
    own_keyword(program, tree, unit).or_else(applied).unwrap_or_default()
}

/// The block that a unit is, or is in.
pub(crate) fn block_of(tree: &Tree, unit: u32) -> BlockId {
    let own = |unit: u32| match tree.unit(unit).kind {
        UnitKind::Block { block, .. } => Some(block),
        UnitKind::Keyword { .. } => None,
    };
    own(unit).or_else(|| own(tree.unit(unit).parent)).unwrap_or(BlockId(0))
}

/// The keyword that the unit of an instruction is of; none for a `false`.
fn own_keyword<'e>(program: &'e Program, tree: &Tree, unit: u32) -> Option<&'e str> {
    program.keyword_name(tree.at(unit)?)
}

/// The keyword that applied the block of a unit.
fn applied_by<'e>(program: &'e Program, tree: &Tree, unit: u32) -> Option<&'e str> {
    let UnitKind::Block { edge, .. } = &tree.unit(unit).kind else { return None };
    match edge.keyword {
        Some(keyword) => Some(keyword.name()),
        None if unit == 0 => None,
        None => program.keyword_name(tree.at(tree.unit(unit).parent)?),
    }
}

/// About how many bytes all paths to a unit take together.
pub(super) fn bytes_of_paths(program: &Program, tree: &Tree, unit: u32) -> usize {
    /// The bytes that a step takes besides names.
    const STEP: usize = 16;
    let mut bytes = 2 * program.pointer_bytes(block_of(tree, unit));
    for around in tree.chain(unit) {
        bytes += STEP;
        let UnitKind::Block { edge, step, .. } = &tree.unit(around).kind else { continue };
        bytes += match &edge.token {
            OwnedToken::Member(name) => name.len(),
            OwnedToken::Pattern(pattern) => program.patterns[*pattern].source().len(),
            OwnedToken::Nothing | OwnedToken::Item(_) => 0,
        };
        bytes += match step {
            OwnedStep::Member(name) => name.len(),
            OwnedStep::Here | OwnedStep::Item(_) | OwnedStep::Name(_) => 0,
        };
    }
    bytes
}
