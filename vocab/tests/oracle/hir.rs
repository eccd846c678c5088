//! A regular pattern as regex-syntax's `Hir`: regex-automata, which compiles it, says what our engines should.
//!
//! The tree is built, not printed and parsed again: nothing of the other language's syntax, flags
//! or limits gets between. The engine's tests use this file, too.

use regex_syntax::hir::{Class as HirClass, ClassUnicode, ClassUnicodeRange, Hir, Look, Repetition};

use stanchion_vocab::ecma::{Assertion, Ast, Class};

/// The same meaning, or nothing if `ast` is not regular.
pub(crate) fn translate(ast: &Ast) -> Option<Hir> {
    Some(match ast {
        Ast::Empty => Hir::empty(),
        Ast::Literal(text) => Hir::literal(text.as_bytes()),
        Ast::Class(class) => Hir::class(HirClass::Unicode(set(class))),
        Ast::Assertion(Assertion::Start) => Hir::look(Look::Start),
        Ast::Assertion(Assertion::End) => Hir::look(Look::End),
        Ast::Assertion(Assertion::WordBoundary) => Hir::look(Look::WordAscii),
        Ast::Assertion(Assertion::NotWordBoundary) => not_word_boundary(),
        // Captures cost states and exclude the fastest engines, and nobody asks for them.
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

/// The ASCII `\B` goes by bytes, and holds inside of a character too. There the engine sorts empty
/// matches out, but then it may have missed another: `(?:\W|\B)+` was not found in `aéb`. Between
/// characters, and only there, one of the Unicode-aware boundaries holds.
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
