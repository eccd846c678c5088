//! A pattern as its alternatives, and where in the text each of them may be.

use stanchion_vocab::ecma::{Assertion, Ast};

/// An alternative of a whole pattern.
pub(super) struct Piece<'a> {
    /// Whether it starts where the text does, or else anywhere.
    pub(super) starts: bool,
    /// Whether it ends where the text does, or else anywhere.
    pub(super) ends: bool,
    /// The items, one after the other.
    pub(super) items: &'a [Ast],
}

/// The alternatives of a pattern. Anchors that are not at the ends of one are left in its items.
pub(super) fn split(ast: &Ast) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    push(ast, &mut pieces);
    pieces
}

fn push<'a>(ast: &'a Ast, pieces: &mut Vec<Piece<'a>>) {
    match ast {
        Ast::Group(group) => push(&group.body, pieces),
        Ast::Alternate(branches) => branches.iter().for_each(|branch| push(branch, pieces)),
        Ast::Concat(items) => pieces.push(Piece::new(items)),
        Ast::Empty
        | Ast::Literal(_)
        | Ast::Class(_)
        | Ast::Assertion(_)
        | Ast::Look(_)
        | Ast::Repeat(_)
        | Ast::Backreference(_) => pieces.push(Piece::new(std::slice::from_ref(ast))),
    }
}

impl<'a> Piece<'a> {
    fn new(mut items: &'a [Ast]) -> Piece<'a> {
        let starts = matches!(items, [Ast::Assertion(Assertion::Start), ..]);
        items = &items[usize::from(starts)..];
        let ends = matches!(items, [.., Ast::Assertion(Assertion::End)]);
        items = &items[..items.len() - usize::from(ends)];
        // At an open side, what may be left out need not be looked for.
        while let [Ast::Repeat(repeat), rest @ ..] = items
            && !starts
            && repeat.min == 0
        {
            items = rest;
        }
        while let [rest @ .., Ast::Repeat(repeat)] = items
            && !ends
            && repeat.min == 0
        {
            items = rest;
        }
        Piece { starts, ends, items }
    }

    /// Whether every text has a match.
    pub(super) fn is_always(&self) -> bool {
        let is_empty = self.items.iter().all(|item| matches!(item, Ast::Empty));
        is_empty && !(self.starts && self.ends)
    }
}
