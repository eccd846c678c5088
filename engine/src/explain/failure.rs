//! Why an instruction rejected a node: what of it only the instance knows, with the numbers of what the schema says.
//!
//! A [`Failure`] is made while the instance is at hand ([`Failure::of`]). It becomes an [`ErrorKind`], with copies of what the
//! schema says, when someone asks ([`Failure::kind`]).

use super::advice::Advice;
use super::excerpt::Excerpt;
use super::names;
use super::tree::OwnedStep;
use super::walk::Walker;
use crate::error::{Branch, ErrorKind, ValidationError, value_bytes};
use crate::instance::Node;
use crate::keyword::{array, dependent, equality, object, string, types};
use crate::limits::Stopped;
use crate::program::{
    Assertion, BlockId, Bound, Contains, Content, DependentNames, Enumeration, Format, Id, Multiple,
    NameTable, NamedBlocks, Pattern, Plain, Program,
};
use crate::suggest::{self, SuggestBudget};
use serde_json::Value;
use smallvec::SmallVec;
use stanchion_vocab::{Type, TypeSet};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Places of names in their table.
pub(crate) type Places = SmallVec<[u32; 4]>;

/// A member, and the missing name that it was probably meant to be.
pub(crate) type Misspelt = (String, String);

/// Why an instruction rejected a node.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    /// The schema is `false`.
    Never,
    /// The member is not known. The name that was probably meant: its table, and its place in that.
    Unknown(Option<(Id<NamedBlocks>, u32)>),
    /// The types that were wanted and found, and what to do.
    Type(TypeSet, Type, Excerpt, Option<Advice>),
    Const(Id<Value>, Excerpt),
    /// With the place of the text that was probably meant.
    Enum(Id<Enumeration>, Excerpt, Option<u32>),
    Number(Limit, Excerpt),
    TooShort(Length, Excerpt),
    TooLong(Length, Excerpt),
    Pattern(Id<Pattern>, Excerpt),
    Format(Id<Format>, Excerpt),
    Content(Content),
    FewItems(Length),
    ManyItems(Length),
    FewMembers(Length),
    ManyMembers(Length),
    /// The places of two equal items.
    Equal(usize, usize),
    /// So many items were accepted.
    Contains(Id<Contains>, u64),
    /// The places of names that are missing, up to a hundred; members that were probably meant to be some of them; the member that has all of them
    /// inside.
    Missing(Id<NameTable>, Box<(Places, Vec<Misspelt>, Option<Arc<str>>)>),
    /// The place of a name, and those of the names that it requires and that are missing.
    MissingFor(Id<DependentNames>, Box<(u32, Places)>),
    /// A name is rejected: why, as units.
    Name(Arc<str>, Vec<u32>),
    /// No branch of a union accepts. The branches, closest first; whether it is `oneOf`.
    NoBranch(bool, Vec<RejectedBranch>),
    /// A discriminator has a value that no branch takes: the instructions of the branches that ask for another.
    Tag(Excerpt, Vec<u32>),
    /// Several branches accept, and one was to.
    Branches(Vec<usize>),
    /// The block that must not hold.
    Not(BlockId),
}

/// A branch of a union that rejected a node.
#[derive(Clone, Debug)]
pub(crate) struct RejectedBranch {
    pub(crate) index: usize,
    /// Its first failures, as units.
    pub(crate) errors: Box<[u32]>,
}

/// A bound on numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Limit {
    Minimum(Id<Bound>),
    Maximum(Id<Bound>),
    ExclusiveMinimum(Id<Bound>),
    ExclusiveMaximum(Id<Bound>),
    Multiple(Id<Multiple>),
}

/// How many there may be, and how many there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Length {
    limit: Id<u64>,
    found: u64,
}

impl Failure {
    /// Why an assertion rejected a node.
    pub(super) fn of<'a, N: Node<'a>>(
        walker: &mut Walker<'_>,
        block: BlockId,
        assertion: Assertion,
        node: N,
    ) -> Result<Failure, Stopped> {
        let program = walker.program;
        let value = || Excerpt::of(node);
        let items = |limit| Length { limit, found: array::length(node) };
        let members = |limit| Length { limit, found: object::length(node) };
        Ok(match assertion {
            Assertion::Type(expected) => {
                let advice = walker.advise(block, expected, node)?;
                Failure::Type(expected, node.view().kind(), value(), advice)
            }
            Assertion::TypeAsWritten(expected) => {
                let advice = walker.advise(block, expected, node)?;
                Failure::Type(expected, types::kind_as_written(node), value(), advice)
            }
            Assertion::Equals(id) => Failure::Const(id, value()),
            Assertion::IsOneOf(id) => {
                let meant = equality::probably_meant(program, &mut walker.suggestions, id, node);
                Failure::Enum(id, value(), meant)
            }
            Assertion::AtLeast(bound) => Failure::Number(Limit::Minimum(bound), value()),
            Assertion::AtMost(bound) => Failure::Number(Limit::Maximum(bound), value()),
            Assertion::Above(bound) => Failure::Number(Limit::ExclusiveMinimum(bound), value()),
            Assertion::Below(bound) => Failure::Number(Limit::ExclusiveMaximum(bound), value()),
            Assertion::MultipleOf(id) => Failure::Number(Limit::Multiple(id), value()),
            Assertion::LengthAtLeast(limit) => {
                let found = string::length(walker.ask.budget(), node)?;
                Failure::TooShort(Length { limit, found }, value())
            }
            Assertion::LengthAtMost(limit) => {
                let found = string::length(walker.ask.budget(), node)?;
                Failure::TooLong(Length { limit, found }, value())
            }
            Assertion::Matches(id) => Failure::Pattern(id, value()),
            Assertion::HasFormat(id) => Failure::Format(id, value()),
            Assertion::HasContent(content) => Failure::Content(content),
            Assertion::ItemsAtLeast(limit) => Failure::FewItems(items(limit)),
            Assertion::ItemsAtMost(limit) => Failure::ManyItems(items(limit)),
            Assertion::MembersAtLeast(limit) => Failure::FewMembers(members(limit)),
            Assertion::MembersAtMost(limit) => Failure::ManyMembers(members(limit)),
            Assertion::UniqueItems => {
                let (first, second) = array::equal_items(program, walker.ask.budget(), node)?;
                Failure::Equal(first, second)
            }
            Assertion::Required(id) => {
                let names = &program.names[id];
                let missing = object::missing_names(walker.ask.budget(), names, node)?;
                let misspelt = names::misspelt(walker, block, (names, &missing), node)?;
                let wrapping = walker.wrapping_member(names, &missing, node);
                Failure::Missing(id, Box::new((missing, misspelt, wrapping)))
            }
            Assertion::DependentRequired(id) => {
                let missing = dependent::missing_names(program, walker.ask.budget(), id, node)?;
                Failure::MissingFor(id, Box::new(missing))
            }
            Assertion::Never => Failure::Never,
        })
    }

    /// Whether it is that of a union whose branches all rejected.
    pub(crate) fn is_open_union(&self) -> bool {
        matches!(self, Failure::NoBranch(..))
    }

    /// About how much memory the facts take, once they are put together.
    pub(super) fn bytes(&self, program: &Program) -> usize {
        let text = |text: &str| size_of::<String>() + text.len();
        let all = |names: &NameTable, places: &[u32]| -> usize {
            places.iter().map(|&place| text(names.get(place as usize))).sum()
        };
        size_of::<ErrorKind>()
            + match self {
                Failure::Const(id, _) => value_bytes(&program.constants[*id]),
                Failure::Enum(id, ..) => program.enumerations[*id].listed().iter().map(value_bytes).sum(),
                Failure::Pattern(id, _) => program.patterns[*id].source().len(),
                Failure::Format(id, _) => program.formats[*id].name.len(),
                Failure::Missing(id, missing) => {
                    let misspelt: usize = missing.1.iter().map(|(one, other)| text(one) + text(other)).sum();
                    all(&program.names[*id], &missing.0) + misspelt
                }
                Failure::MissingFor(id, missing) => {
                    let dependent = &program.dependent_names[*id];
                    all(&dependent.names, &missing.1) + dependent.names.get(missing.0 as usize).len()
                }
                Failure::Name(name, errors) => name.len() + size_of_val(&errors[..]),
                Failure::NoBranch(_, branches) => branches.len() * 2 * size_of::<Branch>(),
                Failure::Branches(accepted) => size_of_val(&accepted[..]),
                Failure::Tag(_, instructions) => {
                    let values = instructions.iter().filter_map(|&at| constants_at(program, at));
                    values.flatten().take(CHOICES).map(value_bytes).sum()
                }
                Failure::Never
                | Failure::Unknown(_)
                | Failure::Type(..)
                | Failure::Number(..)
                | Failure::TooShort(..)
                | Failure::TooLong(..)
                | Failure::Content(_)
                | Failure::FewItems(_)
                | Failure::ManyItems(_)
                | Failure::FewMembers(_)
                | Failure::ManyMembers(_)
                | Failure::Equal(..)
                | Failure::Contains(..)
                | Failure::Not(_) => 0,
            }
    }

    /// The facts, in a block that was run on the node that a step leads to. The errors inside are made of units by `inside`.
    pub(crate) fn kind(
        &self,
        program: &Program,
        step: &OwnedStep,
        inside: &dyn Fn(&[u32]) -> Vec<ValidationError>,
    ) -> ErrorKind {
        let count = |length: &Length| (program.counts[length.limit], length.found);
        match self {
            Failure::Never => match step {
                OwnedStep::Item(index) => ErrorKind::UnexpectedItem { index: *index },
                OwnedStep::Member(name) => ErrorKind::Never { name: Some(name.to_string()) },
                OwnedStep::Here | OwnedStep::Name(_) => ErrorKind::Never { name: None },
            },
            Failure::Unknown(meant) => {
                let name = if let OwnedStep::Member(name) = step { &**name } else { "" };
                let meant = meant.map(|(table, place)| program.named_blocks[table].names.get(place as usize));
                ErrorKind::UnknownProperty { name: name.to_owned(), suggestion: meant.map(str::to_owned) }
            }
            Failure::Type(expected, found, value, _) => {
                ErrorKind::Type { expected: *expected, found: *found, value: value.shown() }
            }
            Failure::Const(id, value) => {
                ErrorKind::Const { found: value.shown(), expected: program.constants[*id].clone() }
            }
            Failure::Enum(id, value, meant) => {
                let values = &program.enumerations[*id];
                let suggestion = meant.map(|place| values.texts.get(place as usize).to_owned());
                ErrorKind::Enum { found: value.shown(), expected: values.listed().to_vec(), suggestion }
            }
            Failure::Number(limit, value) => number_kind(program, *limit, value.shown()),
            Failure::TooShort(length, value) => {
                let (limit, found) = count(length);
                ErrorKind::MinLength { limit, found, value: value.shown() }
            }
            Failure::TooLong(length, value) => {
                let (limit, found) = count(length);
                ErrorKind::MaxLength { limit, found, value: value.shown() }
            }
            Failure::Pattern(id, value) => {
                let pattern = program.patterns[*id].source().to_owned();
                ErrorKind::Pattern { pattern, found: value.shown() }
            }
            Failure::Format(id, value) => {
                ErrorKind::Format { format: program.formats[*id].name.to_string(), found: value.shown() }
            }
            Failure::Content(content) => {
                ErrorKind::Content { expected: if content.json { "application/json" } else { "base64" } }
            }
            Failure::FewItems(length) => {
                let (limit, found) = count(length);
                ErrorKind::MinItems { limit, found }
            }
            Failure::ManyItems(length) => {
                let (limit, found) = count(length);
                ErrorKind::MaxItems { limit, found }
            }
            Failure::FewMembers(length) => {
                let (limit, found) = count(length);
                ErrorKind::MinProperties { limit, found }
            }
            Failure::ManyMembers(length) => {
                let (limit, found) = count(length);
                ErrorKind::MaxProperties { limit, found }
            }
            Failure::Equal(first, second) => ErrorKind::UniqueItems { equal: (*first, *second) },
            Failure::Contains(id, found) => {
                let Contains { least, most, .. } = program.contains[*id];
                ErrorKind::Contains { least, most, found: *found }
            }
            Failure::Missing(id, missing) => {
                let (missing, misspelt, _) = &**missing;
                let missing = object::named(&program.names[*id], missing);
                ErrorKind::Required { missing, misspelt: misspelt.clone() }
            }
            Failure::MissingFor(id, missing) => {
                let dependent = &program.dependent_names[*id];
                ErrorKind::DependentRequired {
                    name: dependent.names.get(missing.0 as usize).to_owned(),
                    missing: object::named(&dependent.names, &missing.1),
                }
            }
            Failure::Name(name, errors) => {
                ErrorKind::PropertyNames { name: name.to_string(), errors: inside(errors) }
            }
            Failure::NoBranch(is_one, branches) => {
                let branch =
                    |branch: &RejectedBranch| Branch { index: branch.index, errors: inside(&branch.errors) };
                let branches = branches.iter().map(branch).collect();
                match is_one {
                    true => ErrorKind::OneOf { accepted: Vec::new(), branches },
                    false => ErrorKind::AnyOf { branches },
                }
            }
            Failure::Tag(value, instructions) => tag_kind(program, value.shown(), instructions),
            Failure::Branches(accepted) => {
                ErrorKind::OneOf { accepted: accepted.clone(), branches: Vec::new() }
            }
            Failure::Not(_) => ErrorKind::Not,
        }
    }
}

fn number_kind(program: &Program, limit: Limit, found: String) -> ErrorKind {
    let bound = |bound: Id<Bound>| program.numbers[bound].to_string();
    match limit {
        Limit::Minimum(limit) => ErrorKind::Minimum { limit: bound(limit), found },
        Limit::Maximum(limit) => ErrorKind::Maximum { limit: bound(limit), found },
        Limit::ExclusiveMinimum(limit) => ErrorKind::ExclusiveMinimum { limit: bound(limit), found },
        Limit::ExclusiveMaximum(limit) => ErrorKind::ExclusiveMaximum { limit: bound(limit), found },
        Limit::Multiple(id) => {
            ErrorKind::MultipleOf { divisor: program.multiples[id].number.to_string(), found }
        }
    }
}

/// So many values that branches take for a discriminator are listed.
const CHOICES: usize = 100;

/// A discriminator with a value that no branch takes: the values that they do take.
fn tag_kind(program: &Program, found: String, instructions: &[u32]) -> ErrorKind {
    let (mut expected, mut texts): (Vec<&Value>, BTreeSet<&str>) = (Vec::new(), BTreeSet::new());
    let taken = instructions.iter().filter_map(|&at| constants_at(program, at)).flatten();
    for value in taken {
        let is_new = match value.as_str() {
            Some(text) => texts.insert(text),
            None => !expected.contains(&value),
        };
        if is_new && expected.len() < CHOICES {
            expected.push(value);
        }
    }
    let text: Option<String> = serde_json::from_str(&found).ok();
    let candidates = expected.iter().filter_map(|value| value.as_str());
    let suggestion = text.and_then(|text| suggest::nearest(&mut SuggestBudget::default(), &text, candidates));
    let suggestion = suggestion.map(str::to_owned);
    ErrorKind::Enum { found, expected: expected.into_iter().cloned().collect(), suggestion }
}

/// The values that an instruction asks for, if it asks for such.
pub(super) fn constants_at(program: &Program, at: u32) -> Option<&[Value]> {
    match program.code[at as usize] {
        Plain::Assert(Assertion::Equals(id)) => Some(std::slice::from_ref(&program.constants[id])),
        Plain::Assert(Assertion::IsOneOf(id)) => Some(program.enumerations[id].listed()),
        Plain::Assert(_) | Plain::Apply(_) | Plain::Annotate(_) | Plain::AnnotateText(_) => None,
    }
}
