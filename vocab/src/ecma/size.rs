//! How large an automaton would become, before one is built.
//!
//! The count follows Thompson's construction over bytes: a literal has a state per byte, a class
//! one per byte at which its UTF-8 branches, a repetition as many copies of its body as it may go
//! round. Engines share some suffixes, and have a few states of their own; a test compares. Our own
//! matcher takes a character at once, and has up to five instructions for a round of a repetition.

use regex_syntax::utf8::{Utf8Sequence, Utf8Sequences};

use super::ast::{Assertion, Ast};

/// The estimated states of a pattern of which these groups capture, saturating.
pub(super) fn of(ast: &Ast, captures: &[u32]) -> u64 {
    match ast {
        Ast::Empty | Ast::Backreference(_) => 1,
        Ast::Assertion(Assertion::Start | Assertion::End | Assertion::WordBoundary) => 1,
        // See `hir.rs`.
        Ast::Assertion(Assertion::NotWordBoundary) => 6,
        Ast::Literal(text) => text.len() as u64,
        Ast::Class(class) => class.size(),
        Ast::Group(group) => {
            let captures_too = group.number.is_some_and(|number| captures.binary_search(&number).is_ok());
            of(&group.body, captures).saturating_add(if captures_too { 2 } else { 0 })
        }
        Ast::Look(look) => of(&look.body, captures).saturating_add(2),
        Ast::Repeat(repeat) => {
            let copies = u64::from(repeat.max.unwrap_or(repeat.min).max(1));
            of(&repeat.body, captures).saturating_add(1).saturating_mul(copies).saturating_add(1)
        }
        Ast::Concat(parts) | Ast::Alternate(parts) => {
            parts.iter().fold(1u64, |sum, part| sum.saturating_add(of(part, captures)))
        }
    }
}

/// The states for one character out of ascending ranges: the inner nodes of the trie of their
/// UTF-8.
pub(super) fn of_ranges(ranges: &[(char, char)]) -> u64 {
    let mut size = 1;
    let mut edges = 0;
    let mut last: Option<Utf8Sequence> = None;
    for &(start, end) in ranges.iter().filter(|(_, end)| !end.is_ascii()) {
        for sequence in Utf8Sequences::new(start, end) {
            let before = last.as_ref().map_or(&[][..], Utf8Sequence::as_slice);
            let shared = before.iter().zip(sequence.as_slice()).take_while(|(a, b)| a == b).count();
            size += (sequence.len() - 1).saturating_sub(shared) as u64;
            edges += 1;
            last = Some(sequence);
        }
    }
    // A state with many edges takes the memory of several.
    size + edges / 4
}

/// The same for all other characters. It branches at the same places, and a few more at the ends.
pub(super) fn of_complement(size: u64) -> u64 {
    size.saturating_add(10)
}
