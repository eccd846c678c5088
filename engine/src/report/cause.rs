//! Why an instruction failed, as far as only the instance knows. What the schema says is in the program, so the sentence and
//! the facts of an error are put together when someone asks.

use crate::error::text::{KEPT, Push, ShortText, cut, push_all, push_integer, push_quoted};
use crate::error::{value_bytes, words};
use crate::instance::{Array, Node, Number, Object, View};
use crate::program::{Id, Instruction, NamedBlocks, Program};
use arrayvec::ArrayString;
use smallvec::SmallVec;
use stanchion_vocab::{Type, TypeSet};

/// Why an instruction failed.
#[derive(Clone, Debug)]
pub(crate) enum Cause {
    /// There is no more to say than that it did.
    Plain,
    /// The member is not known. The name that was probably meant: its table, and its place in that.
    Unknown(Option<(Id<NamedBlocks>, u32)>),
    /// No branch of the union accepts.
    NoBranch,
    /// The branches of the union take other types, and that is all that they have against the value: what was found, what they take, and the value.
    /// Only chains have it: in a tree each branch has its own error.
    NoType(Type, TypeSet, Excerpt),
    /// Several branches accept, and one was to.
    Branches(Vec<usize>),
    /// The type that was found, and the value.
    Type(Type, Excerpt),
    Value(Excerpt),
    /// The value, and the place of the text that was probably meant.
    Choice(Excerpt, Option<u32>),
    /// The code points, and the text.
    Length(u64, Excerpt),
    Count(u64),
    /// The places of two equal items.
    Equal(usize, usize),
    /// The places of names that are missing, up to a hundred; a member, and the missing name that it was probably meant to be.
    Missing(Box<(Places, Option<Misspelt>)>),
    /// The place of a name, and those of the names that it requires and that are missing.
    MissingFor(Box<(u32, Places)>),
}

/// A member, and the missing name that it was probably meant to be.
pub(crate) type Misspelt = (String, String);

/// Places of names in their table.
pub(crate) type Places = SmallVec<[u32; 4]>;

impl Cause {
    /// Whether it is that of a union whose branches all refused.
    pub(crate) fn is_open_union(&self) -> bool {
        matches!(self, Cause::NoBranch)
    }

    /// The value that was found, as messages show it.
    pub(crate) fn value(&self) -> String {
        match self {
            Cause::Type(_, value)
            | Cause::NoType(_, _, value)
            | Cause::Value(value)
            | Cause::Choice(value, _)
            | Cause::Length(_, value) => value.shown(),
            Cause::Plain
            | Cause::Unknown(_)
            | Cause::NoBranch
            | Cause::Branches(_)
            | Cause::Count(_)
            | Cause::Equal(..)
            | Cause::Missing(..)
            | Cause::MissingFor(..) => String::new(),
        }
    }

    /// How many there are, of what an instruction counts.
    pub(crate) fn count(&self) -> u64 {
        if let Cause::Count(count) | Cause::Length(count, _) = self { *count } else { 0 }
    }

    /// The places of two equal items.
    pub(crate) fn pair(&self) -> (usize, usize) {
        if let Cause::Equal(first, second) = self { (*first, *second) } else { (0, 0) }
    }

    /// About how much memory the facts take, once they are put together.
    #[inline(always)]
    pub(crate) fn bytes(&self, program: &Program, instruction: Instruction) -> usize {
        // Most errors are of this kind.
        if let Cause::Type(..) = self { 0 } else { self.bytes_of_other(program, instruction) }
    }

    #[inline(never)]
    fn bytes_of_other(&self, program: &Program, instruction: Instruction) -> usize {
        let text = |text: &str| size_of::<String>() + text.len();
        match self {
            Cause::Value(_) => {
                if let Instruction::Equals(constant) = instruction {
                    value_bytes(&program.constants[constant])
                } else if let Instruction::Matches(pattern) = instruction {
                    program.patterns[pattern].source().len()
                } else if let Instruction::HasFormat(format) = instruction {
                    program.formats[format].name.len()
                } else {
                    0
                }
            }
            Cause::Choice(..) => {
                let Instruction::IsOneOf(values) = instruction else { return 0 };
                program.enumerations[values].listed().iter().map(value_bytes).sum()
            }
            Cause::Missing(missing) => {
                let Instruction::Required(names) = instruction else { return 0 };
                missing.0.iter().map(|&place| text(program.names[names].get(place as usize))).sum()
            }
            Cause::MissingFor(missing) => {
                let (name, missing) = &**missing;
                let Instruction::DependentRequired(id) = instruction else { return 0 };
                let dependent = &program.dependent_names[id];
                let required = &dependent.required[*name as usize];
                dependent.names.get(*name as usize).len()
                    + missing.iter().map(|&place| text(required.get(place as usize))).sum::<usize>()
            }
            Cause::Branches(accepted) => accepted.len() * size_of::<usize>(),
            // Numbers and excerpts are short; what is inside unions is counted for itself.
            Cause::Plain
            | Cause::Unknown(_)
            | Cause::NoBranch
            | Cause::NoType(..)
            | Cause::Type(..)
            | Cause::Length(..)
            | Cause::Count(_)
            | Cause::Equal(..) => 0,
        }
    }
}

/// As much of a value as messages show.
#[derive(Clone, Debug)]
pub(crate) enum Excerpt {
    Null,
    Bool(bool),
    Unsigned(u64),
    Signed(i64),
    Float(f64),
    /// A number with more digits than that, as it is shown.
    Exact(Box<str>),
    /// A text that takes no memory of its own.
    Short(ArrayString<16>),
    /// The beginning of a text: a character more than is shown, if there are more.
    Text(Box<str>),
    Array(usize),
    Object(usize),
}

impl Excerpt {
    pub(crate) fn of<'a, N: Node<'a>>(node: N) -> Excerpt {
        match node.view() {
            View::Null => Excerpt::Null,
            View::Bool(value) => Excerpt::Bool(value),
            View::Number(Number::Unsigned(value)) => Excerpt::Unsigned(value),
            View::Number(Number::Signed(value)) => Excerpt::Signed(value),
            View::Number(Number::Float(value)) => Excerpt::Float(value),
            View::Number(number @ Number::Exact(_)) => Excerpt::Exact(cut(&number.to_string()).into()),
            View::String(text) => match ArrayString::from(text) {
                Ok(short) => Excerpt::Short(short),
                Err(_) => Excerpt::Text(beginning(text).into()),
            },
            View::Array(items) => Excerpt::Array(items.len()),
            View::Object(members) => Excerpt::Object(members.len()),
        }
    }

    /// The value as messages show it.
    pub(crate) fn shown(&self) -> String {
        let mut text = ShortText::new();
        self.push_to(&mut text);
        text.into_string()
    }

    /// Appends the value as messages show it: scalars as JSON, cut; containers by their size.
    pub(crate) fn push_to(&self, text: &mut ShortText) {
        // All that takes more than one step is a call that this ends in, so that the others have no registers to save for it.
        match self {
            Excerpt::Null => text.push_str("null"),
            Excerpt::Bool(true) => text.push_str("true"),
            Excerpt::Bool(false) => text.push_str("false"),
            Excerpt::Unsigned(value) => push_integer(text, *value),
            Excerpt::Signed(value) => push_integer(text, *value),
            Excerpt::Float(value) => push_float(text, *value),
            Excerpt::Exact(shown) => push_all(text, &[shown]),
            Excerpt::Short(value) => push_quoted(text, value),
            Excerpt::Text(value) => push_quoted(text, value),
            Excerpt::Array(count) => words::array_of(text, *count as u64),
            Excerpt::Object(count) => words::object_of(text, *count as u64),
        }
    }
}

#[inline(never)]
fn push_float(text: &mut ShortText, value: f64) {
    text.push_str(&cut(&Number::Float(value).to_string()));
}

/// What an excerpt has of a text.
fn beginning(text: &str) -> &str {
    if text.len() <= KEPT {
        return text;
    }
    let end = text.char_indices().nth(KEPT + 1).map_or(text.len(), |(end, _)| end);
    &text[..end]
}
