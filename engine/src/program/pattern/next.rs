//! What may come next at a place of a pattern.

use super::charset::{Ascii, Set};
use super::simple::Part;
use stanchion_vocab::ecma::Ast;

/// How many characters of alternatives are compared.
const MAX_HEAD: usize = 24;

/// Which characters may come next, and whether the text may end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Next {
    ascii: Ascii,
    /// Some characters beyond ASCII. Which ones is not told apart.
    beyond: bool,
    end: bool,
    /// The pattern has matched, whatever comes.
    pub(super) is_anything: bool,
}

impl Next {
    const NOTHING: Next = Next { ascii: Ascii::NONE, beyond: false, end: false, is_anything: false };
    pub(super) const END: Next = Next { end: true, ..Next::NOTHING };
    pub(super) const ANYTHING: Next = Next { ascii: Ascii::ALL, beyond: true, end: true, is_anything: true };

    pub(super) fn of_char(c: char) -> Next {
        match u8::try_from(c) {
            Ok(byte) if byte.is_ascii() => Next { ascii: Ascii::of(byte), ..Next::NOTHING },
            Ok(_) | Err(_) => Next { beyond: true, ..Next::NOTHING },
        }
    }

    pub(super) fn of_set(set: &Set) -> Next {
        Next { ascii: set.ascii(), beyond: set.has_beyond(), ..Next::NOTHING }
    }

    /// What a part of a pattern begins with, if it cannot match the empty text.
    pub(super) fn first_of(ast: &Ast) -> Option<Next> {
        let (first, may_be_empty) = first(ast)?;
        (!may_be_empty).then_some(first)
    }

    pub(super) fn union(&self, other: &Next) -> Next {
        Next {
            ascii: self.ascii.union(other.ascii),
            beyond: self.beyond | other.beyond,
            end: self.end | other.end,
            is_anything: self.is_anything | other.is_anything,
        }
    }

    /// Whether both may come at the same place. In doubt, yes.
    pub(super) fn meets(&self, other: &Next) -> bool {
        self.ascii.meets(other.ascii) || self.beyond & other.beyond || self.end & other.end
    }
}

/// What a part of a pattern begins with, and whether it may match the empty text.
fn first(ast: &Ast) -> Option<(Next, bool)> {
    match ast {
        Ast::Empty => Some((Next::NOTHING, true)),
        Ast::Literal(text) => Some((Next::of_char(text.chars().next()?), false)),
        Ast::Class(class) => Some((Next::of_set(&Set::new(class)), false)),
        Ast::Group(group) => first(&group.body),
        Ast::Repeat(repeat) if repeat.max == Some(0) => Some((Next::NOTHING, true)),
        Ast::Repeat(repeat) => {
            let (first, may_be_empty) = first(&repeat.body)?;
            Some((first, may_be_empty || repeat.min == 0))
        }
        Ast::Concat(items) => {
            let mut all = Next::NOTHING;
            for item in items {
                let (first, may_be_empty) = first(item)?;
                all = all.union(&first);
                if !may_be_empty {
                    return Some((all, false));
                }
            }
            Some((all, true))
        }
        Ast::Alternate(branches) => {
            let mut all = (Next::NOTHING, false);
            for branch in branches {
                let (first, may_be_empty) = first(branch)?;
                all = (all.0.union(&first), all.1 | may_be_empty);
            }
            Some(all)
        }
        Ast::Assertion(_) | Ast::Look(_) | Ast::Backreference(_) => None,
    }
}

/// What surely comes, character by character, at the beginning of an alternative.
pub(super) struct Head {
    characters: Vec<Next>,
    /// Whether this is all of it.
    is_whole: bool,
}

impl Head {
    pub(super) fn len(&self) -> usize {
        self.characters.len()
    }
}

pub(super) fn head(parts: &[Part]) -> Head {
    let mut characters = Vec::new();
    for part in parts {
        let goes_on = match part {
            Part::Text(text) => {
                characters.extend(text.chars().take(MAX_HEAD).map(Next::of_char));
                true
            }
            Part::Run { set, min, max } => {
                let count = (*min as usize).min(MAX_HEAD);
                characters.extend(std::iter::repeat_n(Next::of_set(set), count));
                min == max
            }
            Part::Repeat { .. } | Part::Either(_) => false,
        };
        if !goes_on || characters.len() >= MAX_HEAD {
            return Head { characters, is_whole: false };
        }
    }
    Head { characters, is_whole: true }
}

/// Whether two alternatives, each with what comes `after`, never match at the same place; or if they do, only the
/// longer one, which is tried first.
pub(super) fn tells_apart(longer: &Head, shorter: &Head, after: &Next) -> bool {
    let pairs = longer.characters.iter().zip(&shorter.characters);
    if pairs.into_iter().any(|(one, other)| !one.meets(other)) {
        return true;
    }
    match longer.characters.get(shorter.len()) {
        Some(one) => shorter.is_whole && !one.meets(after),
        None => false,
    }
}
