//! Where something happened: in the instance, and in the schema.

use super::tree::{OwnedStep, OwnedToken};
use super::{EdgeFrom, Step, Tree, UnitKind};
use crate::document::pointer;
use crate::error::text::{Push, push_number};
use crate::program::Program;

/// Where a unit stands, in the instance and in the schema.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    pub(crate) keyword: String,
    pub(crate) instance_path: String,
    pub(crate) schema_path: String,
    pub(crate) evaluation_path: String,
    pub(crate) absolute_location: String,
}

impl Place {
    pub(crate) fn bytes(&self) -> usize {
        let Place { keyword, instance_path, schema_path, evaluation_path, absolute_location } = self;
        [keyword, instance_path, schema_path, evaluation_path, absolute_location]
            .map(String::len)
            .iter()
            .sum()
    }

    pub(crate) fn of(program: &Program, tree: &Tree, index: usize) -> Place {
        let chain: Vec<usize> = tree.chain(index).collect();
        let mut place = Place::default();
        let mut innermost = None;
        for &unit in chain.iter().rev() {
            if let UnitKind::Block { block, from, token, step } = &tree.units[unit].kind {
                innermost = Some(*block);
                place.follow(program, *from, token, step);
                step.push_to(&mut place.instance_path);
            }
        }
        if let Some(block) = innermost {
            place.schema_path = program.pointer(block);
            place.absolute_location = program.location(block);
        }
        if let UnitKind::Keyword { at, .. } = &tree.units[index].kind {
            place.enter_keyword(program, *at);
        }
        place
    }

    /// Goes along an edge. The keyword is remembered: a `false` below it speaks for it.
    fn follow(&mut self, program: &Program, from: EdgeFrom, token: &OwnedToken, step: &OwnedStep) {
        let keyword = match from {
            EdgeFrom::Root => return,
            EdgeFrom::Instruction(at) => program.origins[at as usize],
            EdgeFrom::Keyword(keyword) => keyword,
        };
        keyword.name().clone_into(&mut self.keyword);
        pointer::push(&mut self.evaluation_path, keyword.name());
        match token {
            OwnedToken::Nothing => {}
            OwnedToken::Item(index) => pointer::push(&mut self.evaluation_path, &index.to_string()),
            OwnedToken::Member(name) => pointer::push(&mut self.evaluation_path, name),
            OwnedToken::Step => step.push_to(&mut self.evaluation_path),
        }
    }

    fn enter_keyword(&mut self, program: &Program, at: u32) {
        let Some(name) = program.keyword_name(at) else { return };
        name.clone_into(&mut self.keyword);
        for path in [&mut self.schema_path, &mut self.evaluation_path] {
            pointer::push(path, name);
        }
        let mut escaped = String::new();
        pointer::push(&mut escaped, name);
        pointer::push_as_fragment(&mut self.absolute_location, &escaped);
    }
}

impl OwnedStep {
    /// Appends the step to a pointer.
    pub(crate) fn push_to(&self, path: &mut impl Push) {
        self.borrow().push_to(path);
    }
}

impl Step<'_> {
    /// Appends the step to a pointer.
    pub(crate) fn push_to(self, path: &mut impl Push) {
        match self {
            // A name is no place of its own: it is where its object is.
            Step::Here | Step::Name(_) => {}
            Step::Item(index) => {
                path.push_str("/");
                push_number(path, index as u64);
            }
            Step::Member(name) => pointer::push(path, name),
            Step::Property(name) => pointer::push(path, name),
        }
    }
}
