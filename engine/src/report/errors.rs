//! Errors: why an instruction failed, and a trace read as a list.
//!
//! Most instructions fail for a cause of their own (`minimum`), some just because what they applied
//! failed (`properties`), and some for both: `anyOf` is one error, with the errors of its branches
//! inside.

use super::trace::{OwnedStep, OwnedToken};
use super::{EdgeFrom, Note, Trace, UnitKind};
use crate::document::pointer;
use crate::error::{ErrorKind, Fault, ValidationError};
use crate::instance::Node;
use crate::keyword::{array, contains, content, dependent, equality, format, number, object, string, types};
use crate::limits::{Budget, Stopped};
use crate::program::{Bound, Id, Instruction, Program};
use std::cell::Cell;

/// Why an instruction failed; nothing, if only for what failed inside it. The branches of a union
/// are filled in later, from the trace.
pub(crate) fn cause<'a, N: Node<'a>>(
    program: &Program,
    budget: &mut Budget,
    at: u32,
    note: Option<&Note>,
    node: N,
) -> Result<Option<ErrorKind>, Stopped> {
    let facts = |bound: Id<Bound>| number::facts(&program.numbers[bound], node);
    Ok(Some(match program.code[at as usize] {
        Instruction::Never => ErrorKind::Never { name: None },
        Instruction::Type(types) => types::error(types, node),
        Instruction::TypeAsWritten(types) => types::error_as_written(types, node),
        Instruction::Equals(id) => equality::const_error(program, id),
        Instruction::IsOneOf(id) => equality::enum_error(program, id, node),
        Instruction::AtLeast(bound) => {
            let (limit, found) = facts(bound);
            ErrorKind::Minimum { limit, found }
        }
        Instruction::AtMost(bound) => {
            let (limit, found) = facts(bound);
            ErrorKind::Maximum { limit, found }
        }
        Instruction::Above(bound) => {
            let (limit, found) = facts(bound);
            ErrorKind::ExclusiveMinimum { limit, found }
        }
        Instruction::Below(bound) => {
            let (limit, found) = facts(bound);
            ErrorKind::ExclusiveMaximum { limit, found }
        }
        Instruction::MultipleOf(id) => number::multiple_error(program, id, node),
        Instruction::LengthAtLeast(limit) => {
            ErrorKind::MinLength { limit: program.counts[limit], found: string::length(node) }
        }
        Instruction::LengthAtMost(limit) => {
            ErrorKind::MaxLength { limit: program.counts[limit], found: string::length(node) }
        }
        Instruction::Matches(pattern) => string::pattern_error(program, pattern, node),
        Instruction::HasFormat(id) => format::error(program, id, node),
        Instruction::HasContent(expected) => content::error(expected),
        Instruction::ItemsAtLeast(limit) => {
            ErrorKind::MinItems { limit: program.counts[limit], found: array::length(node) }
        }
        Instruction::ItemsAtMost(limit) => {
            ErrorKind::MaxItems { limit: program.counts[limit], found: array::length(node) }
        }
        Instruction::UniqueItems => array::unique_error(program, budget, node)?,
        Instruction::MembersAtLeast(limit) => {
            ErrorKind::MinProperties { limit: program.counts[limit], found: object::length(node) }
        }
        Instruction::MembersAtMost(limit) => {
            ErrorKind::MaxProperties { limit: program.counts[limit], found: object::length(node) }
        }
        Instruction::Required(names) => object::required_error(program, budget, names, node)?,
        Instruction::DependentRequired(id) => dependent::required_error(program, budget, id, node)?,
        Instruction::AnyOf(_) => ErrorKind::AnyOf { branches: Vec::new() },
        Instruction::OneOf(_) => {
            let accepted = match note {
                Some(Note::Branches(accepted)) => accepted.clone(),
                _ => Vec::new(),
            };
            ErrorKind::OneOf { accepted, branches: Vec::new() }
        }
        Instruction::Not(_) => ErrorKind::Not,
        Instruction::Contains(id) => {
            let found = match note {
                Some(Note::Places(places)) => places.len() as u64,
                Some(Note::Whole) => array::length(node),
                _ => 0,
            };
            contains::error(program, id, found)
        }
        Instruction::Call(_)
        | Instruction::DynamicCall(..)
        | Instruction::AllOf(_)
        | Instruction::If(_)
        | Instruction::DependentSchemas(_)
        | Instruction::PrefixItems(_)
        | Instruction::EachItem(..)
        | Instruction::Properties(_)
        | Instruction::PatternProperties(_)
        | Instruction::AdditionalProperties(_)
        | Instruction::EachName(_)
        | Instruction::Members(_)
        | Instruction::MembersByPattern(_)
        | Instruction::EachMember(_)
        | Instruction::Pick(_)
        | Instruction::InRange(_)
        | Instruction::UnevaluatedItems(_)
        | Instruction::UnevaluatedProperties(_)
        | Instruction::Annotate(_)
        | Instruction::AnnotateText(_) => return Ok(None),
    }))
}

/// The errors of a trace, in the order of the run, as far as their paths fit into the memory of a run.
pub(crate) fn list(program: &Program, trace: &Trace) -> Vec<ValidationError> {
    let mut errors = Vec::new();
    if !trace.units.is_empty() {
        Lister { program, trace, room: Room::new(trace.memory) }.block(0, &mut errors);
    }
    errors
}

struct Lister<'t> {
    program: &'t Program,
    trace: &'t Trace,
    room: Room,
}

/// The bytes that may still be written.
#[derive(Debug)]
pub(crate) struct Room(Cell<usize>);

impl Room {
    pub(crate) fn new(bytes: usize) -> Room {
        Room(Cell::new(bytes))
    }

    /// Takes room, if there is so much. If there is not, there is none for anything after.
    pub(crate) fn take(&self, bytes: usize) -> bool {
        let left = self.0.get().checked_sub(bytes);
        self.0.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Whether there is none left.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.get() == 0
    }
}

impl Lister<'_> {
    /// Adds the errors inside a block's unit.
    fn block(&self, index: usize, errors: &mut Vec<ValidationError>) {
        if self.trace.units[index].valid {
            return;
        }
        for child in self.trace.children(index) {
            self.keyword(child, errors);
        }
    }

    /// Adds the error of an instruction's unit, or those inside it.
    fn keyword(&self, index: usize, errors: &mut Vec<ValidationError>) {
        let unit = &self.trace.units[index];
        let UnitKind::Keyword { at, error, .. } = &unit.kind else { return self.block(index, errors) };
        if unit.valid {
            return;
        }
        let instruction = self.program.code[*at as usize];
        match (instruction, error) {
            (Instruction::EachName(_), _) => {
                for child in self.trace.children(index) {
                    errors.extend(self.refused_name(index, child));
                }
            }
            (_, Some(kind)) => errors.extend(self.error(index, self.with_branches(index, kind))),
            // A union whose cause was left out is left out whole.
            (
                Instruction::AnyOf(_)
                | Instruction::OneOf(_)
                | Instruction::Not(_)
                | Instruction::Contains(_),
                None,
            ) => {}
            (_, None) => {
                for child in
                    self.trace.children(index).filter(|&child| !is_test(self.program, self.trace, child))
                {
                    self.block(child, errors);
                }
            }
        }
    }

    fn refused_name(&self, index: usize, child: usize) -> Option<ValidationError> {
        let unit = &self.trace.units[child];
        let UnitKind::Block { step: OwnedStep::Name(name), .. } = &unit.kind else { return None };
        if unit.valid {
            return None;
        }
        let mut errors = Vec::new();
        self.block(child, &mut errors);
        self.error(index, ErrorKind::PropertyNames { name: name.to_string(), errors })
    }

    /// A union's cause with the errors of its branches.
    fn with_branches(&self, index: usize, kind: &ErrorKind) -> ErrorKind {
        let branches = || {
            let branch = |child| {
                let mut errors = Vec::new();
                self.block(child, &mut errors);
                errors
            };
            self.trace.children(index).map(branch).collect()
        };
        if let ErrorKind::AnyOf { .. } = kind {
            ErrorKind::AnyOf { branches: branches() }
        } else if let ErrorKind::OneOf { accepted, .. } = kind
            && accepted.is_empty()
        {
            ErrorKind::OneOf { accepted: Vec::new(), branches: branches() }
        } else if let ErrorKind::Never { .. } = kind {
            ErrorKind::Never { name: self.member_name(index) }
        } else {
            kind.clone()
        }
    }

    /// The name of the member that the block around an instruction runs on.
    fn member_name(&self, index: usize) -> Option<String> {
        let parent = self.trace.units[index].parent as usize;
        let UnitKind::Block { step: OwnedStep::Member(name), .. } = &self.trace.units[parent].kind else {
            return None;
        };
        Some(name.to_string())
    }

    fn error(&self, index: usize, kind: ErrorKind) -> Option<ValidationError> {
        if self.room.is_empty() {
            return None;
        }
        let place = Place::of(self.program, self.trace, index);
        if !self.room.take(place.bytes() + size_of::<Fault>()) {
            return None;
        }
        let fault = Fault {
            keyword: place.keyword,
            instance_path: place.instance_path,
            schema_path: place.schema_path,
            evaluation_path: place.evaluation_path,
            absolute_location: place.absolute_location,
            kind,
        };
        Some(ValidationError(Box::new(fault)))
    }
}

/// Whether a block was run for `if`, where failing is no error.
pub(crate) fn is_test(program: &Program, trace: &Trace, index: usize) -> bool {
    let UnitKind::Block { from: EdgeFrom::Instruction(at), .. } = trace.units[index].kind else {
        return false;
    };
    matches!(program.code[at as usize], Instruction::If(_))
}

/// Where a unit stands, in the instance and in the schema.
#[derive(Debug)]
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

    pub(crate) fn of(program: &Program, trace: &Trace, index: usize) -> Place {
        let mut chain = Vec::new();
        let mut at = index;
        loop {
            chain.push(&trace.units[at].kind);
            if at == 0 {
                break;
            }
            at = trace.units[at].parent as usize;
        }
        let mut place = Place {
            keyword: String::new(),
            instance_path: String::new(),
            schema_path: String::new(),
            evaluation_path: String::new(),
            absolute_location: String::new(),
        };
        let mut innermost = None;
        for kind in chain.iter().rev() {
            if let UnitKind::Block { block, from, token, step } = kind {
                innermost = Some(*block);
                place.follow(program, *from, token);
                place.descend(step);
            }
        }
        if let Some(block) = innermost {
            place.schema_path = program.pointer(block);
            place.absolute_location = program.location(block);
        }
        if let UnitKind::Keyword { at, .. } = &trace.units[index].kind {
            place.enter_keyword(program, *at);
        }
        place
    }

    /// Goes along an edge. The keyword is remembered: a `false` below it speaks for it.
    fn follow(&mut self, program: &Program, from: EdgeFrom, token: &OwnedToken) {
        let keyword = match from {
            EdgeFrom::Root => return,
            EdgeFrom::Instruction(at) => program.origins[at as usize],
            EdgeFrom::Keyword(keyword) => keyword,
        };
        self.keyword = keyword.name().to_owned();
        pointer::push(&mut self.evaluation_path, keyword.name());
        match token {
            OwnedToken::Nothing => {}
            OwnedToken::Item(index) => pointer::push(&mut self.evaluation_path, &index.to_string()),
            OwnedToken::Member(name) => pointer::push(&mut self.evaluation_path, name),
        }
    }

    fn descend(&mut self, step: &OwnedStep) {
        match step {
            // A name is no place of its own: it is where its object is.
            OwnedStep::Here | OwnedStep::Name(_) => {}
            OwnedStep::Item(index) => pointer::push(&mut self.instance_path, &index.to_string()),
            OwnedStep::Member(name) => pointer::push(&mut self.instance_path, name),
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
