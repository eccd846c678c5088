//! Advice for a reader who has to mend the instance. What depends on the instance is found while that is at hand.

use super::failure::{Detail, Failure};
use super::glance::types_in;
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advice {
    /// It is a container, written as JSON into a string.
    ArrayInString,
    ObjectInString,
    /// It is a number or a boolean in quotes.
    Quoted,
    /// It is null, and the member is not required.
    LeaveOut,
    /// It is what the items of the array should be.
    WrapInArray,
}

impl Advice {
    fn text(self) -> &'static str {
        match self {
            Advice::ArrayInString => "send the array itself, not JSON in a string",
            Advice::ObjectInString => "send the object itself, not JSON in a string",
            Advice::Quoted => "send it without the quotes",
            Advice::LeaveOut => "leave it out",
            Advice::WrapInArray => "wrap it in [ ]",
        }
    }
}

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
            return self.advise_of_text(expected, text);
        }
        if let View::Null = node.view() {
            return Ok(self.is_optional().then_some(Advice::LeaveOut));
        }
        if expected != TypeSet::NONE.with(Type::Array) {
            return Ok(None);
        }
        let code = self.program.block(block).plain.clone().map(|at| self.program.code[at as usize]);
        for instruction in code {
            if let Plain::Apply(Applicator::EachItem(0, items)) = instruction {
                // Items that may be anything tell nothing.
                let types = types_in(self.program, items, 2);
                let is_meant = types != TypeSet::ALL && self.ask.holds(items, node)?;
                return Ok(is_meant.then_some(Advice::WrapInArray));
            }
        }
        Ok(None)
    }

    fn advise_of_text(&mut self, expected: TypeSet, text: &str) -> Result<Option<Advice>, Stopped> {
        let has = |kind| expected.has(kind);
        if text.len() > LONGEST {
            return Ok(None);
        }
        self.ask.budget().spend(1 + (text.len() / 8) as u64)?;
        let advice = match serde_json::from_str(text) {
            Ok(Value::Array(_)) if has(Type::Array) => Some(Advice::ArrayInString),
            Ok(Value::Object(_)) if has(Type::Object) => Some(Advice::ObjectInString),
            Ok(Value::Bool(_)) if has(Type::Boolean) => Some(Advice::Quoted),
            Ok(Value::Number(number)) if has(Type::Number) || (has(Type::Integer) && !number.is_f64()) => {
                Some(Advice::Quoted)
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
            if let Some(name) = name {
                let mut code = self.program.block(*block).plain.clone();
                let requires = |names: &NameTable| names.find(name).is_some();
                let is_required = code.any(|at| {
                    let Plain::Assert(Assertion::Required(names)) = self.program.code[at as usize] else {
                        return false;
                    };
                    requires(&self.program.names[names])
                });
                if is_required {
                    return false;
                }
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
            Failure::Assert(_, _, Detail::Type(_, advice)) => advice.map(|advice| advice.text().to_owned()),
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
        let code = self.program.block(branch).plain.clone().map(|at| self.program.code[at as usize]);
        let title = code.into_iter().find_map(|instruction| {
            let Plain::Annotate(id) = instruction else { return None };
            let annotation = &self.program.annotations[id];
            if annotation.name == "title" { annotation.value.as_str().map(quoted) } else { None }
        });
        let sketched = || sketch::sketch(&self.program, &[branch], NAME);
        title.or_else(sketched).unwrap_or_else(|| format!("alternative {index}"))
    }
}
