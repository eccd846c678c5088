//! The tree of a pattern.

use std::sync::Arc;

use super::class::Class;

/// A pattern, or a part of one.
///
/// Groups are kept even where they do not matter, so that a reader of the tree finds what the
/// author wrote. The tree is at most about three times as deep as its groups are nested: recursion
/// over it is safe.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ast {
    /// Matches the empty string.
    Empty,
    /// Matches this text; never empty.
    Literal(String),
    /// Matches one character.
    Class(Arc<Class>),
    /// Looks at the place, consumes nothing.
    Assertion(Assertion),
    /// `(…)`, `(?<name>…)` or `(?:…)`.
    Group(Box<Group>),
    /// `(?=…)`, `(?!…)`, `(?<=…)` or `(?<!…)`.
    Look(Box<Look>),
    /// A quantified atom.
    Repeat(Box<Repeat>),
    /// `\1` or `\k<name>`: matches again what the group of this number, from 1, matched; or the
    /// empty string where it took no part.
    Backreference(u32),
    /// A sequence of at least two items.
    Concat(Vec<Ast>),
    /// At least two alternatives; the first that leads to a match wins.
    Alternate(Vec<Ast>),
}

/// A place in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Assertion {
    /// `^`: the text begins here.
    Start,
    /// `$`: the text ends here. A line break at the end is not the end.
    End,
    /// `\b`: on exactly one side is an ASCII letter, digit or `_`.
    WordBoundary,
    /// `\B`: on both sides or on none is an ASCII letter, digit or `_`.
    NotWordBoundary,
}

/// A group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The number, from 1, if the group captures. Names are resolved to numbers.
    pub number: Option<u32>,
    /// The content of the group.
    pub body: Ast,
}

/// A lookaround.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Look {
    /// Whether it looks backward: `(?<=…)` or `(?<!…)`.
    pub behind: bool,
    /// Whether it demands that nothing matches: `(?!…)` or `(?<!…)`.
    pub negative: bool,
    /// The pattern that must, or must not, match.
    pub body: Ast,
    /// The offset of the lookaround in the source, in bytes.
    pub offset: usize,
}

/// A repetition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeat {
    /// The repeated part.
    pub body: Ast,
    /// Fewest rounds. A number above `u32::MAX` in the source is `u32::MAX` here: no text is that
    /// long.
    pub min: u32,
    /// Most rounds; `None` means no bound.
    pub max: Option<u32>,
    /// Whether it matches as much as it can.
    pub greedy: bool,
}

impl Ast {
    /// Returns the sequence of the items, in its simplest form.
    pub(super) fn concat(mut items: Vec<Ast>) -> Ast {
        match items.len() {
            0 => Ast::Empty,
            1 => items.remove(0),
            _ => Ast::Concat(items),
        }
    }

    /// Returns the alternatives, in their simplest form.
    pub(super) fn alternate(mut branches: Vec<Ast>) -> Ast {
        match branches.len() {
            0 => Ast::Empty,
            1 => branches.remove(0),
            _ => Ast::Alternate(branches),
        }
    }

    /// Returns the parts of this node, in the order of the source.
    pub(super) fn children(&self) -> &[Ast] {
        match self {
            Ast::Empty | Ast::Literal(_) | Ast::Class(_) | Ast::Assertion(_) | Ast::Backreference(_) => &[],
            Ast::Group(group) => std::slice::from_ref(&group.body),
            Ast::Look(look) => std::slice::from_ref(&look.body),
            Ast::Repeat(repeat) => std::slice::from_ref(&repeat.body),
            Ast::Concat(items) | Ast::Alternate(items) => items,
        }
    }

    /// Whether there is neither lookaround nor backreference.
    pub(super) fn is_regular(&self) -> bool {
        !matches!(self, Ast::Look(_) | Ast::Backreference(_)) && self.children().iter().all(Ast::is_regular)
    }

    /// Whether it matches the empty string at most.
    pub(super) fn is_zero_width(&self) -> bool {
        match self {
            Ast::Empty | Ast::Assertion(_) | Ast::Look(_) => true,
            Ast::Literal(_) | Ast::Class(_) | Ast::Backreference(_) => false,
            Ast::Repeat(repeat) => repeat.max == Some(0) || repeat.body.is_zero_width(),
            Ast::Group(_) | Ast::Concat(_) | Ast::Alternate(_) => {
                self.children().iter().all(Ast::is_zero_width)
            }
        }
    }

    /// Whether it may match the empty string; `true` in doubt.
    pub(super) fn may_be_empty(&self) -> bool {
        match self {
            Ast::Empty | Ast::Assertion(_) | Ast::Look(_) | Ast::Backreference(_) => true,
            Ast::Literal(_) | Ast::Class(_) => false,
            Ast::Group(group) => group.body.may_be_empty(),
            Ast::Repeat(repeat) => repeat.min == 0 || repeat.body.may_be_empty(),
            Ast::Concat(items) => items.iter().all(Ast::may_be_empty),
            Ast::Alternate(branches) => branches.iter().any(Ast::may_be_empty),
        }
    }
}
