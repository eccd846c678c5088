//! Advice for a reader who has to mend the instance. What depends on the instance is found while that is at hand.

use super::failure::{Detail, Failure};
use super::hints::types_in;
use super::tree::{OwnedStep, UnitKind};
use super::walk::Walker;
use super::{Explanation, sketch};
use crate::error::text::quoted;
use crate::instance::{Node, Object, View};
use crate::limits::Stopped;
use crate::program::{Applicator, Assertion, BlockId, NameTable, Plain};
use serde_json::Value;
use stanchion_vocab::{Type, TypeSet};
use std::sync::Arc;

/// Advice about a value of another type.
pub(crate) type Advice = &'static str;

/// Longer texts are not looked into.
const LONGEST: usize = 1 << 16;

impl Walker<'_> {
    /// Finds advice about a value that is of none of the types that a block takes.
    pub(crate) fn advise<'a, N: Node<'a>>(
        &mut self,
        block: BlockId,
        expected: TypeSet,
        node: N,
    ) -> Result<Option<Advice>, Stopped> {
        if let View::String(text) = node.view() {
            return self.advise_on_text(expected, text);
        }
        if let View::Null = node.view() {
            return Ok(self.is_optional().then_some("leave it out"));
        }
        let items = self.program.plain_of(block).iter().find_map(|instruction| match instruction {
            Plain::Apply(Applicator::EachItem(0, items)) => Some(*items),
            Plain::Apply(_) | Plain::Assert(_) | Plain::Annotate(_) | Plain::AnnotateText(_) => None,
        });
        let (Some(items), true) = (items, expected == TypeSet::NONE.with(Type::Array)) else {
            return Ok(None);
        };
        // That an item may be anything is no reason to wrap this value.
        let is_meant = types_in(self.program, items, 2) != TypeSet::ALL && self.ask.holds(items, node)?;
        Ok(is_meant.then_some("wrap it in [ ]"))
    }

    fn advise_on_text(&mut self, expected: TypeSet, text: &str) -> Result<Option<Advice>, Stopped> {
        let has = |kind| expected.has(kind);
        if text.len() > LONGEST {
            return Ok(None);
        }
        self.ask.budget().spend(1 + (text.len() / 8) as u64)?;
        let advice = match serde_json::from_str(text) {
            Ok(Value::Array(_)) if has(Type::Array) => Some("send the array itself, not JSON in a string"),
            Ok(Value::Object(_)) if has(Type::Object) => Some("send the object itself, not JSON in a string"),
            Ok(Value::Bool(_)) if has(Type::Boolean) => Some("send it without the quotes"),
            Ok(Value::Number(number)) if has(Type::Number) || (has(Type::Integer) && !number.is_f64()) => {
                Some("send it without the quotes")
            }
            Ok(_) | Err(_) => None,
        };
        Ok(advice)
    }

    /// Whether the node is a member that no block requires which the walk is in.
    fn is_optional(&self) -> bool {
        let mut name: Option<&Arc<str>> = None;
        for unit in self.tree.chain(self.open.block) {
            let UnitKind::Block { block, step, .. } = &self.tree.unit(unit).kind else { continue };
            let requires = |instruction: &Plain| match instruction {
                Plain::Assert(Assertion::Required(names)) => {
                    name.is_some_and(|name| self.program.names[*names].find(name).is_some())
                }
                Plain::Apply(_) | Plain::Assert(_) | Plain::Annotate(_) | Plain::AnnotateText(_) => false,
            };
            if self.program.plain_of(*block).iter().any(requires) {
                return false;
            }
            match step {
                OwnedStep::Here => {}
                OwnedStep::Member(member) if name.is_none() => name = Some(member),
                OwnedStep::Member(_) | OwnedStep::Item(_) | OwnedStep::Name(_) => break,
            }
        }
        name.is_some()
    }

    /// The only member of an object, if it has all the members that the object lacks.
    pub(super) fn wrapping_member<'a, N: Node<'a>>(
        &self,
        names: &NameTable,
        missing: &[u32],
        node: N,
    ) -> Option<Arc<str>> {
        let object = node.as_object().filter(|object| object.len() == 1)?;
        let (name, value) = object.iter().next()?;
        let inside = value.as_object()?;
        let mut missing = missing.iter().map(|&place| names.get(place as usize));
        missing.all(|name| inside.get(name).is_some()).then(|| name.into())
    }
}

impl Explanation {
    /// Returns advice about an error, where its message has none.
    pub(crate) fn advice(&self, unit: u32) -> Option<String> {
        /// So long a sketch of what is excluded may be.
        const SKETCH: usize = 160;
        match self.tree.failure(unit)? {
            Failure::Assert(_, _, Detail::Type(_, advice)) => advice.map(str::to_owned),
            Failure::Assert(_, _, Detail::Missing(missing)) => {
                let name = missing.wrapping.as_ref()?;
                let place = if self.instance_path(unit).is_empty() { "at the root" } else { "here" };
                Some(format!("put the members of {} {place}", quoted(name)))
            }
            Failure::Not(block) => {
                let excluded = sketch::sketch(&self.program, &[*block], SKETCH)?;
                Some(format!("it must not be {excluded}"))
            }
            Failure::Branches(accepted) => {
                let Plain::Apply(Applicator::OneOf(branches)) =
                    self.program.code[self.tree.at(unit)? as usize]
                else {
                    return None;
                };
                let branches = self.program.list(branches);
                let names = accepted.iter().take(4).map(|&index| self.name_of(branches[index], index));
                Some(format!("it must be only one of {}", names.collect::<Vec<_>>().join(" or ")))
            }
            Failure::NoBranch(_, branches) => {
                let depth = self.tree.steps_to(unit, None).count();
                let mut errors = branches.iter().flat_map(|branch| &branch.errors);
                errors.find_map(|&error| {
                    let is_here = self.tree.steps_to(error, None).count() == depth;
                    if is_here { self.advice(error) } else { None }
                })
            }
            Failure::Never
            | Failure::Unknown(_)
            | Failure::Assert(..)
            | Failure::Contains(..)
            | Failure::Name(..)
            | Failure::Tag(..) => None,
        }
    }

    /// A branch of a union, by its title or by what it wants.
    fn name_of(&self, branch: BlockId, index: usize) -> String {
        /// So long a name may be.
        const NAME: usize = 80;
        let title = self.program.plain_of(branch).iter().find_map(|instruction| {
            let Plain::Annotate(id) = instruction else { return None };
            let annotation = &self.program.annotations[*id];
            let title = annotation.value.as_str().filter(|_| annotation.name == "title")?;
            Some(quoted(title).to_string())
        });
        let sketched = || sketch::sketch(&self.program, &[branch], NAME);
        title.or_else(sketched).unwrap_or_else(|| format!("alternative {index}"))
    }
}
