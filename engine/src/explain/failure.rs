//! Why an instruction rejected a node: what of it only the instance knows, with the numbers of what the schema says.
//!
//! A [`Failure`] is made while the instance is at hand ([`Failure::of`]). It becomes an [`ErrorKind`], with copies of what the
//! schema says, when someone asks ([`Failure::kind`]).

use super::advice::Advice;
use super::excerpt::Excerpt;
use super::tree::OwnedStep;
use super::union::RejectedBranch;
use super::walk::Walker;
use crate::error::{Branch, ErrorKind, ValidationError, value_bytes};
use crate::instance::Node;
use crate::keyword;
use crate::limits::Stopped;
use crate::program::{Assertion, BlockId, Contains, Id, NameTable, NamedBlocks, Operand, Plain, Program};
use crate::suggest::{self, SuggestBudget};
use serde_json::Value;
use smallvec::SmallVec;
use stanchion_vocab::Type;
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
    /// An assertion does not hold of a value.
    Assert(Assertion, Excerpt, Detail),
    /// So many items were accepted.
    Contains(Id<Contains>, u64),
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

/// Facts about a value that the error of an assertion shows besides the value itself.
#[derive(Clone, Debug)]
pub(crate) enum Detail {
    None,
    /// Its type, and what to do about that.
    Type(Type, Option<Advice>),
    /// The place of the text that was probably meant.
    Meant(Option<u32>),
    /// How many code points a text has.
    Length(u64),
    /// The places of two equal items.
    Equal(usize, usize),
    /// The members that are missing.
    Missing(Box<Missing>),
    /// The place of a name, and those of the names that it requires and that are missing.
    MissingFor(Box<(u32, Places)>),
}

/// The members that an object lacks.
#[derive(Clone, Debug)]
pub(crate) struct Missing {
    /// The places of their names, up to a hundred.
    pub(crate) places: Places,
    /// Members that were probably meant to be some of them.
    pub(crate) misspelt: Vec<Misspelt>,
    /// The member that has all of them inside.
    pub(crate) wrapping: Option<Arc<str>>,
}

impl Failure {
    /// Why an assertion rejected a node.
    pub(super) fn of<'a, N: Node<'a>>(
        walker: &mut Walker<'_>,
        block: BlockId,
        assertion: Assertion,
        node: N,
    ) -> Result<Failure, Stopped> {
        if assertion == Assertion::Never {
            return Ok(Failure::Never);
        }
        let detail = keyword::failure_detail(walker, block, assertion, node)?;
        Ok(Failure::Assert(assertion, Excerpt::of(node), detail))
    }

    /// Whether it is that of a union whose branches all rejected.
    pub(crate) fn is_open_union(&self) -> bool {
        matches!(self, Failure::NoBranch(..))
    }

    /// The value that is none of those that a `const` or an `enum` has.
    pub(super) fn other_value(&self) -> Option<&Excerpt> {
        if let Failure::Assert(Assertion::Equals(_) | Assertion::IsOneOf(_), value, _)
        | Failure::Tag(value, _) = self
        {
            Some(value)
        } else {
            None
        }
    }

    /// About how much memory the facts take, once they are put together.
    pub(super) fn bytes(&self, program: &Program) -> usize {
        size_of::<ErrorKind>()
            + match self {
                Failure::Assert(assertion, _, detail) => facts_bytes(assertion.describe(program).1, detail),
                Failure::Name(name, errors) => name.len() + size_of_val(&errors[..]),
                Failure::NoBranch(_, branches) => branches.len() * 2 * size_of::<Branch>(),
                Failure::Branches(accepted) => size_of_val(&accepted[..]),
                Failure::Tag(_, instructions) => {
                    let values = instructions.iter().filter_map(|&at| constants_at(program, at));
                    values.flatten().take(CHOICES).map(value_bytes).sum()
                }
                Failure::Never | Failure::Unknown(_) | Failure::Contains(..) | Failure::Not(_) => 0,
            }
    }

    /// The facts, in a block that was run on the node that a step leads to. The errors inside are made of units by `inside`.
    pub(crate) fn kind(
        &self,
        program: &Program,
        step: &OwnedStep,
        inside: &dyn Fn(&[u32]) -> Vec<ValidationError>,
    ) -> ErrorKind {
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
            Failure::Assert(assertion, value, detail) => {
                keyword::error_kind(program, *assertion, value, detail)
            }
            Failure::Contains(id, found) => {
                let Contains { least, most, .. } = program.contains[*id];
                ErrorKind::Contains { least, most, found: *found }
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
            Failure::Tag(value, instructions) => tag_kind(program, value.to_string(), instructions),
            Failure::Branches(accepted) => {
                ErrorKind::OneOf { accepted: accepted.clone(), branches: Vec::new() }
            }
            Failure::Not(_) => ErrorKind::Not,
        }
    }
}

/// About how much memory the facts of an assertion's error take.
fn facts_bytes(operand: Operand<'_>, detail: &Detail) -> usize {
    let text = |text: &str| size_of::<String>() + text.len();
    let all = |names: &NameTable, places: &[u32]| -> usize {
        places.iter().map(|&place| text(names.get(place as usize))).sum()
    };
    match (operand, detail) {
        (Operand::Value(value), _) => value_bytes(value),
        (Operand::Values(enumeration), _) => enumeration.listed().iter().map(value_bytes).sum(),
        (Operand::Pattern(pattern), _) => pattern.source().len(),
        (Operand::Format(format), _) => format.name.len(),
        (Operand::Names(names), Detail::Missing(missing)) => {
            let misspelt: usize = missing.misspelt.iter().map(|(one, other)| text(one) + text(other)).sum();
            all(names, &missing.places) + misspelt
        }
        (Operand::Dependent(dependent), Detail::MissingFor(missing)) => {
            all(&dependent.names, &missing.1) + dependent.names.get(missing.0 as usize).len()
        }
        // These are of a fixed size, or name nothing.
        (Operand::Nothing | Operand::Items | Operand::Types(_) | Operand::Content(_), _)
        | (Operand::Number(_) | Operand::Multiple(_) | Operand::Count(_), _)
        | (Operand::Names(_) | Operand::Dependent(_), _) => 0,
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
