//! Why an instruction failed, found while the instance is at hand.
//!
//! Most instructions fail for a cause of their own (`minimum`), some just because what they applied
//! failed (`properties`), and some for both: `anyOf` has a cause, and the errors of its branches inside.

use super::trace::OwnedStep;
use super::{Note, unknown};
use crate::error::ErrorKind;
use crate::instance::Node;
use crate::keyword::{array, contains, content, dependent, equality, format, number, object, string, types};
use crate::limits::{Budget, Stopped};
use crate::program::{BlockId, Bound, Id, Instruction, Program};
use crate::suggest::Purse;

/// Where an instruction failed, and what it noted.
pub(crate) struct Circumstances<'t> {
    pub(crate) at: u32,
    /// The block that it is in, and how the run came there.
    pub(crate) block: BlockId,
    pub(crate) step: &'t OwnedStep,
    pub(crate) note: Option<&'t Note>,
}

/// Why an instruction failed; nothing, if only for what failed inside it. The branches of a union are read
/// from the trace, and so are members that are not known.
pub(crate) fn cause<'a, N: Node<'a>>(
    program: &Program,
    budget: &mut Budget,
    purse: &mut Purse,
    circumstances: &Circumstances<'_>,
    node: N,
) -> Result<Option<ErrorKind>, Stopped> {
    let &Circumstances { at, block, step, note } = circumstances;
    let facts = |bound: Id<Bound>| number::facts(&program.numbers[bound], node);
    Ok(Some(match program.code[at as usize] {
        Instruction::Never => match step {
            OwnedStep::Member(name) => ErrorKind::Never { name: Some(name.to_string()) },
            OwnedStep::Item(index) => ErrorKind::UnexpectedItem { index: *index },
            OwnedStep::Here | OwnedStep::Name(_) => ErrorKind::Never { name: None },
        },
        Instruction::Type(types) => types::error(types, node),
        Instruction::TypeAsWritten(types) => types::error_as_written(types, node),
        Instruction::Equals(id) => equality::const_error(program, id, node),
        Instruction::IsOneOf(id) => equality::enum_error(program, purse, id, node),
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
            let (found, value) = string::facts(node);
            ErrorKind::MinLength { limit: program.counts[limit], found, value }
        }
        Instruction::LengthAtMost(limit) => {
            let (found, value) = string::facts(node);
            ErrorKind::MaxLength { limit: program.counts[limit], found, value }
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
        Instruction::Required(names) => {
            let missing = object::missing_names(budget, &program.names[names], node)?;
            let misspelt = unknown::misspelt(program, budget, purse, block, &missing, node)?;
            ErrorKind::Required { missing, misspelt }
        }
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
        | Instruction::Text(_)
        | Instruction::Items(_)
        | Instruction::Unevaluated(_)
        | Instruction::UnevaluatedItems(_)
        | Instruction::UnevaluatedProperties(_)
        | Instruction::Annotate(_)
        | Instruction::AnnotateText(_) => return Ok(None),
    }))
}
