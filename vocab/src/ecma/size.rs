//! Estimate of the size of a program, before it is built.
//!
//! A character or class is one instruction. A repetition takes as many copies of its body as it has
//! rounds, except that repeated characters are counted, which takes two instructions. A literal
//! counts a quarter: its characters are bounded by the source, and they take no time except where
//! they match.

use super::ast::Ast;
use super::matcher::{MAX_COPIED_ROUNDS, single};

/// Returns the estimated size of a pattern in which these groups capture, saturating.
pub(super) fn of(ast: &Ast, captures: &[u32]) -> u64 {
    Sizes { captures, counts: captures.is_empty(), literal: 4 }.of(ast)
}

/// Returns the most instructions of a regular pattern in which nothing is counted, saturating.
pub(super) fn expanded(ast: &Ast) -> u64 {
    Sizes { captures: &[], counts: false, literal: 1 }.of(ast).saturating_mul(2)
}

struct Sizes<'p> {
    captures: &'p [u32],
    /// Whether repeated characters are counted.
    counts: bool,
    /// Characters of a literal that count as one instruction.
    literal: u64,
}

impl Sizes<'_> {
    fn of(&self, ast: &Ast) -> u64 {
        match ast {
            Ast::Empty | Ast::Backreference(_) | Ast::Assertion(_) => 1,
            Ast::Literal(text) => 1 + text.len() as u64 / self.literal,
            // Each property is a table lookup.
            Ast::Class(class) => 1 + class.properties().len() as u64,
            Ast::Group(group) => {
                let captures =
                    group.number.is_some_and(|number| self.captures.binary_search(&number).is_ok());
                self.of(&group.body).saturating_add(if captures { 2 } else { 0 })
            }
            Ast::Look(look) => self.of(&look.body).saturating_add(2),
            Ast::Repeat(repeat) => {
                let copies = repeat.max.unwrap_or(repeat.min).max(1);
                let body = self.of(&repeat.body);
                if self.counts && copies > MAX_COPIED_ROUNDS && single(&repeat.body).is_some() {
                    return body.saturating_add(2);
                }
                body.saturating_add(1).saturating_mul(u64::from(copies)).saturating_add(1)
            }
            Ast::Concat(parts) | Ast::Alternate(parts) => {
                parts.iter().fold(1u64, |sum, part| sum.saturating_add(self.of(part)))
            }
        }
    }
}
