//! Why an instruction failed: what of it is found while the instance is at hand ([`cause`]), and all facts together, when someone asks
//! ([`kind`]).
//!
//! Most instructions fail for a cause of their own (`minimum`), some just because what they applied
//! failed (`properties`), and some for both: `anyOf` has a cause, and the errors of its branches inside.

use super::cause::{Cause, Excerpt};
use super::tree::{Tree, Unit, UnitKind};
use super::{Note, Step, unknown};
use crate::error::text::{Push, ShortText, push_all, push_number};
use crate::error::{ErrorKind, words};
use crate::instance::Node;
use crate::keyword::{array, contains, content, dependent, equality, format, object, string, types};
use crate::limits::{Budget, Stopped};
use crate::program::{BlockId, Bound, Id, Instruction, Program};
use crate::suggest::Purse;
use stanchion_vocab::TypeSet;

/// Where an instruction failed, and what it noted.
pub(crate) struct Circumstances<'t> {
    pub(crate) at: u32,
    /// The block that it is in.
    pub(crate) block: BlockId,
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
) -> Result<Option<Cause>, Stopped> {
    let &Circumstances { at, block, note } = circumstances;
    Ok(Some(match program.code[at as usize] {
        Instruction::Never | Instruction::Not(_) | Instruction::HasContent(_) => Cause::Plain,
        Instruction::Type(_) => Cause::Type(node.view().kind(), Excerpt::of(node)),
        Instruction::TypeAsWritten(_) => Cause::Type(types::kind_as_written(node), Excerpt::of(node)),
        Instruction::IsOneOf(id) => {
            Cause::Choice(Excerpt::of(node), equality::probably_meant(program, purse, id, node))
        }
        Instruction::Equals(_)
        | Instruction::AtLeast(_)
        | Instruction::AtMost(_)
        | Instruction::Above(_)
        | Instruction::Below(_)
        | Instruction::MultipleOf(_)
        | Instruction::Matches(_)
        | Instruction::HasFormat(_) => Cause::Value(Excerpt::of(node)),
        Instruction::LengthAtLeast(_) | Instruction::LengthAtMost(_) => {
            Cause::Length(string::length(node), Excerpt::of(node))
        }
        Instruction::ItemsAtLeast(_) | Instruction::ItemsAtMost(_) => Cause::Count(array::length(node)),
        Instruction::MembersAtLeast(_) | Instruction::MembersAtMost(_) => Cause::Count(object::length(node)),
        Instruction::UniqueItems => {
            let (first, second) = array::equal_items(program, budget, node)?;
            Cause::Equal(first, second)
        }
        Instruction::Required(names) => {
            let names = &program.names[names];
            let missing = object::missing_names(budget, names, node)?;
            let misspelt = unknown::misspelt(program, budget, purse, block, (names, &missing), node)?;
            Cause::Missing(Box::new((missing, misspelt)))
        }
        Instruction::DependentRequired(id) => {
            Cause::MissingFor(Box::new(dependent::missing_names(program, budget, id, node)?))
        }
        Instruction::AnyOf(_) => Cause::NoBranch,
        Instruction::OneOf(_) => match note {
            Some(Note::Branches(accepted)) if !accepted.is_empty() => Cause::Branches(accepted.clone()),
            _ => Cause::NoBranch,
        },
        Instruction::Contains(_) => Cause::Count(match note {
            Some(Note::Places(places)) => places.len() as u64,
            Some(Note::Whole) => array::length(node),
            _ => 0,
        }),
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

/// The facts about the failure of a unit that has a cause; those of a union without what is inside it.
pub(crate) fn kind(program: &Program, tree: &Tree, unit: usize) -> Option<ErrorKind> {
    let Unit { parent, kind: UnitKind::Keyword { at, error: Some(cause), .. }, .. } = &tree.units[unit]
    else {
        return None;
    };
    let step = match &tree.units[*parent as usize].kind {
        UnitKind::Block { step, .. } => step.borrow(),
        UnitKind::Keyword { .. } => Step::Here,
    };
    Some(facts(program, program.code[*at as usize], cause, step))
}

/// The facts about the failure of an instruction, in a block that was run on the node that a step leads to.
pub(super) fn facts(program: &Program, instruction: Instruction, cause: &Cause, step: Step<'_>) -> ErrorKind {
    let limit = |bound: Id<Bound>| program.numbers[bound].to_string();
    match instruction {
        Instruction::Never => refused_by_false(program, cause, step),
        Instruction::Type(expected) | Instruction::TypeAsWritten(expected) => types::error(expected, cause),
        Instruction::Equals(id) => equality::const_error(program, id, cause),
        Instruction::IsOneOf(id) => equality::enum_error(program, id, cause),
        Instruction::AtLeast(bound) => ErrorKind::Minimum { limit: limit(bound), found: cause.value() },
        Instruction::AtMost(bound) => ErrorKind::Maximum { limit: limit(bound), found: cause.value() },
        Instruction::Above(bound) => {
            ErrorKind::ExclusiveMinimum { limit: limit(bound), found: cause.value() }
        }
        Instruction::Below(bound) => {
            ErrorKind::ExclusiveMaximum { limit: limit(bound), found: cause.value() }
        }
        Instruction::MultipleOf(id) => {
            ErrorKind::MultipleOf { divisor: program.multiples[id].number.to_string(), found: cause.value() }
        }
        Instruction::LengthAtLeast(limit) => {
            ErrorKind::MinLength { limit: program.counts[limit], found: cause.count(), value: cause.value() }
        }
        Instruction::LengthAtMost(limit) => {
            ErrorKind::MaxLength { limit: program.counts[limit], found: cause.count(), value: cause.value() }
        }
        Instruction::Matches(pattern) => string::pattern_error(program, pattern, cause),
        Instruction::HasFormat(id) => format::error(program, id, cause),
        Instruction::HasContent(expected) => content::error(expected),
        Instruction::ItemsAtLeast(limit) => {
            ErrorKind::MinItems { limit: program.counts[limit], found: cause.count() }
        }
        Instruction::ItemsAtMost(limit) => {
            ErrorKind::MaxItems { limit: program.counts[limit], found: cause.count() }
        }
        Instruction::UniqueItems => ErrorKind::UniqueItems { equal: cause.pair() },
        Instruction::MembersAtLeast(limit) => {
            ErrorKind::MinProperties { limit: program.counts[limit], found: cause.count() }
        }
        Instruction::MembersAtMost(limit) => {
            ErrorKind::MaxProperties { limit: program.counts[limit], found: cause.count() }
        }
        Instruction::Required(names) => object::required_error(&program.names[names], cause),
        Instruction::DependentRequired(id) => dependent::required_error(program, id, cause),
        Instruction::AnyOf(_) => ErrorKind::AnyOf { branches: Vec::new() },
        Instruction::OneOf(_) => {
            let accepted = if let Cause::Branches(accepted) = cause { accepted.clone() } else { Vec::new() };
            ErrorKind::OneOf { accepted, branches: Vec::new() }
        }
        Instruction::Contains(id) => contains::error(program, id, cause.count()),
        // Others have no cause of their own.
        Instruction::Not(_)
        | Instruction::Call(_)
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
        | Instruction::AnnotateText(_) => ErrorKind::Not,
    }
}

/// Puts the failure of an instruction into the usual words, for those kinds that most errors are of and whose facts are much to copy;
/// with the name of the member that was refused, if it was one. Says whether it has.
#[inline(always)]
pub(crate) fn put_sentence(
    text: &mut ShortText,
    program: &Program,
    instruction: Instruction,
    cause: &Cause,
    member: Option<&str>,
) -> bool {
    // Most errors are of this kind.
    if let (Instruction::Type(expected) | Instruction::TypeAsWritten(expected), Cause::Type(_, value)) =
        (instruction, cause)
    {
        wrong_type(text, expected, value);
        return true;
    }
    put_other_sentence(text, program, instruction, cause, member)
}

/// The same for other kinds than the commonest.
#[inline(never)]
fn put_other_sentence(
    text: &mut ShortText,
    program: &Program,
    instruction: Instruction,
    cause: &Cause,
    member: Option<&str>,
) -> bool {
    match (instruction, cause) {
        (Instruction::Never, Cause::Unknown(meant)) => {
            let Some(name) = member else { return false };
            let meant = meant.map(|(table, place)| program.named_blocks[table].names.get(place as usize));
            words::unknown_property(text, name, meant);
        }
        (Instruction::Required(id), Cause::Missing(missing)) => {
            let (names, (missing, misspelt)) = (&program.names[id], &**missing);
            let missing = missing.iter().map(|&place| names.get(place as usize));
            words::missing_names(text, missing, misspelt.as_ref());
        }
        (Instruction::IsOneOf(id), Cause::Choice(value, meant)) => {
            let values = &program.enumerations[id];
            let meant = meant.map(|place| values.texts.get(place as usize));
            value.push_to(text);
            words::not_one_of(text, values.listed(), meant);
        }
        (Instruction::Equals(id), Cause::Value(value)) => {
            words::not_equal(text, &program.constants[id]);
            value.push_to(text);
        }
        (Instruction::Matches(id), Cause::Value(value)) => {
            value.push_to(text);
            words::no_match(text, program.patterns[id].source());
        }
        (Instruction::AtLeast(bound), Cause::Value(value)) => {
            out_of_bound(text, value, words::BELOW_MINIMUM, &program.numbers[bound]);
        }
        (Instruction::AtMost(bound), Cause::Value(value)) => {
            out_of_bound(text, value, words::ABOVE_MAXIMUM, &program.numbers[bound]);
        }
        (Instruction::Above(bound), Cause::Value(value)) => {
            out_of_bound(text, value, words::NOT_ABOVE_MINIMUM, &program.numbers[bound]);
        }
        (Instruction::Below(bound), Cause::Value(value)) => {
            out_of_bound(text, value, words::NOT_BELOW_MAXIMUM, &program.numbers[bound]);
        }
        (Instruction::MultipleOf(id), Cause::Value(value)) => {
            value.push_to(text);
            push_all(text, &[words::NO_MULTIPLE, &program.multiples[id].number.to_string()]);
        }
        (Instruction::LengthAtLeast(limit), Cause::Length(found, value)) => {
            value.push_to(text);
            words::too_short(text, *found, program.counts[limit]);
        }
        (Instruction::LengthAtMost(limit), Cause::Length(found, value)) => {
            value.push_to(text);
            words::too_long(text, *found, program.counts[limit]);
        }
        (Instruction::ItemsAtLeast(limit), Cause::Count(found)) => {
            words::found_fewer(text, *found, words::ITEMS, program.counts[limit]);
        }
        (Instruction::ItemsAtMost(limit), Cause::Count(found)) => {
            words::found_more(text, *found, words::ITEMS, program.counts[limit]);
        }
        (_, Cause::NoType(_, expected, value)) => wrong_type(text, *expected, value),
        _ => return false,
    }
    true
}

/// Appends that a value is of another type than those expected.
#[inline(always)]
fn wrong_type(text: &mut ShortText, expected: TypeSet, value: &Excerpt) {
    words::wrong_type(text, expected);
    if let Excerpt::Short(_) | Excerpt::Text(_) = value {
        text.push_str(words::TEXT);
    }
    value.push_to(text);
}

/// Appends that a value is on the other side of a bound.
fn out_of_bound(text: &mut ShortText, value: &Excerpt, between: &str, bound: &Bound) {
    value.push_to(text);
    text.push_str(between);
    match bound.as_u64() {
        Some(bound) => push_number(text, bound),
        None => text.push_str(&bound.to_string()),
    }
}

/// What is wrong by a `false`: it depends on how the run came to it.
fn refused_by_false(program: &Program, cause: &Cause, step: Step<'_>) -> ErrorKind {
    let name = match step {
        Step::Member(name) => name,
        Step::Property(name) => name,
        Step::Item(index) => return ErrorKind::UnexpectedItem { index },
        Step::Here | Step::Name(_) => return ErrorKind::Never { name: None },
    };
    let Cause::Unknown(meant) = cause else { return ErrorKind::Never { name: Some(name.to_owned()) } };
    let meant = meant.map(|(table, place)| program.named_blocks[table].names.get(place as usize));
    ErrorKind::UnknownProperty { name: name.to_owned(), suggestion: meant.map(str::to_owned) }
}
