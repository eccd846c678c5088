//! Notes of a walk about instructions that hold: which children an applicator has evaluated, and how many items `contains` accepts.

use super::failure::Failure;
use super::tree::{Note, OwnedStep, UnitKind};
use super::walk::{Mode, Walker};
use crate::instance::{Array, Node, View};
use crate::keyword::apply::{Edge, Halt, Role, Step};
use crate::program::{Contains, Id};
use std::sync::Arc;

impl Walker<'_> {
    /// Notes what the instruction that the walk is in says of its node.
    pub(super) fn note(&mut self, found: Note) -> Result<(), Halt> {
        self.ask.budget().hold(found.bytes())?;
        if let Some(unit) = self.open.unit
            && let UnitKind::Keyword { note, .. } = &mut self.tree.units[unit as usize].kind
        {
            *note = Some(Box::new(found));
        }
        Ok(())
    }

    /// Notes which children an applicator has evaluated.
    pub(super) fn note_evaluated<'a, N: Node<'a>>(&mut self, role: Role, node: N) -> Result<(), Halt> {
        if self.mode == Mode::Errors {
            return Ok(());
        }
        let is_prefix = matches!(role, Role::FirstItems);
        match (node.view(), role) {
            (View::Object(_), Role::Members) => {
                let names = std::mem::take(&mut self.open.names);
                self.note(Note::Names(names))
            }
            (View::Array(items), Role::FirstItems | Role::Items) => match self.open.items {
                count if is_prefix && count < items.len() => self.note(Note::Index(count - 1)),
                0 if !is_prefix => Ok(()),
                _ => self.note(Note::Whole),
            },
            _ => Ok(()),
        }
    }

    pub(super) fn contains<'a, N: Node<'a>>(&mut self, id: Id<Contains>, node: N) -> Result<(), Halt> {
        let Some(items) = node.as_array() else { return Ok(()) };
        let contains = &self.program.contains[id];
        let mut places = Vec::new();
        for (index, item) in items.iter().enumerate() {
            self.ask.budget().spend(1)?;
            let frame = self.ask.marks().suspend();
            let step = OwnedStep::Item(index);
            let holds = self.try_block(Edge::VALUE, step, contains.block, item)?;
            self.ask.marks().resume(frame);
            if holds {
                places.push(index);
                if contains.marks {
                    self.ask.marks().mark(index);
                }
            }
        }
        let accepted = places.len() as u64;
        if !contains.holds(accepted) {
            return self.reject(|_| Ok(Failure::Contains(id, accepted)));
        }
        match places.len() == items.len() && accepted > 0 {
            true => self.note(Note::Whole),
            false => self.note(Note::Places(places)),
        }
    }

    /// Remembers a child for the annotation of the instruction that the walk is in.
    pub(super) fn see(&mut self, step: Step<'_>) -> Result<(), Halt> {
        let name = match step {
            Step::Item(_) => {
                self.open.items += 1;
                return Ok(());
            }
            Step::Property(_, name) => Arc::clone(name),
            Step::Member(_, name) => self.keep(name),
            Step::Name(_) => return Ok(()),
        };
        // Several patterns may match a name.
        if self.open.names.last() != Some(&name) {
            self.ask.budget().hold(size_of::<Arc<str>>())?;
            self.open.names.push(name);
        }
        Ok(())
    }
}
