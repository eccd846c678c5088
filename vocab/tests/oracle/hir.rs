//! Translation of a regular pattern to regex-syntax's `Hir`, which regex-automata compiles: the
//! oracle for our engines.
//!
//! The tree is built directly, not printed and parsed again, so the other language's syntax, flags
//! and limits play no part. The engine's tests use this file, too.

use regex_syntax::hir::{Class as HirClass, ClassUnicode, ClassUnicodeRange, Hir, Look, Repetition};

use stanchion_vocab::ecma::{Assertion, Ast, Class};

/// Returns the `Hir` with the same meaning, or `None` if `ast` is not regular.
pub(crate) fn translate(ast: &Ast) -> Option<Hir> {
    Some(match ast {
        Ast::Empty => Hir::empty(),
        Ast::Literal(text) => Hir::literal(text.as_bytes()),
        Ast::Class(class) => Hir::class(HirClass::Unicode(set(class))),
        Ast::Assertion(Assertion::Start) => Hir::look(Look::Start),
        Ast::Assertion(Assertion::End) => Hir::look(Look::End),
        Ast::Assertion(Assertion::WordBoundary) => Hir::look(Look::WordAscii),
        Ast::Assertion(Assertion::NotWordBoundary) => not_word_boundary(),
        // Captures cost states, exclude the fastest engines, and are not needed.
        Ast::Group(group) => translate(&group.body)?,
        Ast::Repeat(repeat) => Hir::repetition(Repetition {
            min: repeat.min,
            max: repeat.max,
            greedy: repeat.greedy,
            sub: Box::new(translate(&repeat.body)?),
        }),
        Ast::Concat(items) => Hir::concat(items.iter().map(translate).collect::<Option<_>>()?),
        Ast::Alternate(branches) => Hir::alternation(branches.iter().map(translate).collect::<Option<_>>()?),
        Ast::Look(_) | Ast::Backreference(_) => return None,
    })
}

/// Returns a `\B` that holds only between characters. The ASCII `\B` goes by bytes and also holds
/// inside a character. The engine drops empty matches there, but then it may have missed another
/// one: `(?:\W|\B)+` was not found in `aéb`. Between characters, and only there, one of the
/// Unicode-aware boundaries holds.
fn not_word_boundary() -> Hir {
    let between = Hir::alternation(vec![Hir::look(Look::WordUnicode), Hir::look(Look::WordUnicodeNegate)]);
    Hir::concat(vec![between, Hir::look(Look::WordAsciiNegate)])
}

fn set(class: &Class) -> ClassUnicode {
    let mut set = from_ranges(class.ranges());
    for property in class.properties() {
        let mut members = from_ranges(property.ranges());
        if property.is_negated() {
            members.negate();
        }
        set.union(&members);
    }
    if class.is_negated() {
        set.negate();
    }
    set
}

fn from_ranges(ranges: &[(char, char)]) -> ClassUnicode {
    ClassUnicode::new(ranges.iter().map(|&(start, end)| ClassUnicodeRange::new(start, end)))
}
