//! Where a unit stands: in the instance, and in the schema.

use super::Explanation;
use super::failure::Failure;
use super::tree::{OwnedStep, Tree, UnitKind};
use crate::document::pointer;
use crate::keyword::apply::{Edge, Token};
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
    pub(crate) fn bytes(&self) -> usize {
        let Paths { instance_path, schema_path, evaluation_path, absolute_location } = self;
        [instance_path, schema_path, evaluation_path, absolute_location].map(String::len).iter().sum()
    }
}

impl Explanation {
    pub(crate) fn paths(&self, unit: u32) -> Paths {
        Paths {
            instance_path: self.path_of_node(unit),
            schema_path: self.schema_path(unit),
            evaluation_path: self.evaluation_path(unit),
            absolute_location: self.absolute_location(unit),
        }
    }

    /// The place of an error in the instance. A member that is not known is a fault of its object.
    pub(crate) fn instance_path(&self, unit: u32) -> String {
        self.path_of_node(self.place_of(unit))
    }

    /// The unit that has the place of an error.
    pub(super) fn place_of(&self, unit: u32) -> u32 {
        let is_of_object = matches!(self.tree.failure(unit), Some(Failure::Unknown(_)));
        // The instruction that applied the `false` is on the object.
        let parent = |unit: u32| self.tree.unit(unit).parent;
        if is_of_object { parent(parent(unit)) } else { unit }
    }

    /// The place of the node that a unit is on, as a JSON Pointer.
    fn path_of_node(&self, unit: u32) -> String {
        let steps: SmallVec<[&OwnedStep; 16]> = self.tree.steps_to(unit, None).collect();
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
    pub(crate) fn evaluation_path(&self, unit: u32) -> String {
        let chain: SmallVec<[u32; 32]> = self.tree.chain(unit).collect();
        let mut path = String::new();
        for &unit in chain.iter().rev() {
            let Some((edge, keyword)) = self.applied_by(unit) else { continue };
            pointer::push(&mut path, keyword);
            if let Token::Item(index) = edge.token {
                pointer::push_index(&mut path, index);
            }
            token(&self.program, edge).iter().for_each(|token| pointer::push(&mut path, token));
        }
        self.own_keyword(unit).iter().for_each(|name| pointer::push(&mut path, name));
        path
    }

    /// The keyword's place in its own document, as a JSON Pointer.
    pub(crate) fn schema_path(&self, unit: u32) -> String {
        let mut path = self.program.pointer(block_of(&self.tree, unit));
        self.own_keyword(unit).iter().for_each(|name| pointer::push(&mut path, name));
        path
    }

    /// The keyword's place as a URI.
    pub(crate) fn absolute_location(&self, unit: u32) -> String {
        let mut location = self.program.location(block_of(&self.tree, unit));
        if let Some(name) = self.own_keyword(unit) {
            let mut escaped = String::new();
            pointer::push(&mut escaped, name);
            pointer::push_as_fragment(&mut location, &escaped);
        }
        location
    }

    /// The keyword of a unit; where a `false` rejected, the one that applied it.
    pub(crate) fn keyword(&self, unit: u32) -> &str {
        let applied = || self.applied_by(self.tree.unit(unit).parent).map(|(_, keyword)| keyword);
        self.own_keyword(unit).or_else(applied).unwrap_or_default()
    }

    /// The keyword that the unit of an instruction is of; none for a `false`.
    fn own_keyword(&self, unit: u32) -> Option<&str> {
        self.program.keyword_name(self.tree.at(unit)?)
    }

    /// The edge and the keyword by which the block of a unit was applied.
    fn applied_by(&self, unit: u32) -> Option<(Edge, &str)> {
        let UnitKind::Block { edge, .. } = self.tree.unit(unit).kind else { return None };
        match edge.keyword {
            Some(keyword) => Some((edge, keyword.name())),
            None if unit == 0 => None,
            None => Some((edge, self.own_keyword(self.tree.unit(unit).parent)?)),
        }
    }
}

/// The block that a unit is, or is in.
fn block_of(tree: &Tree, unit: u32) -> BlockId {
    let own = |unit: u32| match tree.unit(unit).kind {
        UnitKind::Block { block, .. } => Some(block),
        UnitKind::Keyword { .. } => None,
    };
    own(unit).or_else(|| own(tree.unit(unit).parent)).unwrap_or(BlockId(0))
}

/// The name or pattern below a keyword on the way to a subschema.
fn token(program: &Program, edge: Edge) -> Option<&str> {
    match edge.token {
        Token::Member(..) => edge.name(program).map(|name| &**name),
        Token::Pattern(pattern) => Some(program.patterns[pattern].source()),
        Token::Nothing | Token::Item(_) => None,
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
        bytes += token(program, *edge).map_or(0, str::len);
        if let OwnedStep::Member(name) = step {
            bytes += name.len();
        }
    }
    bytes
}
