//! How large a program would become, before one is built.
//!
//! A character or class is an instruction, a repetition as many copies of its body as it may go
//! round; only repeated characters are counted, and take two. A literal counts a quarter: its
//! characters are in the source already, which bounds them, and they take no time but where they match.

use super::ast::Ast;
use super::matcher::{FEW_ROUNDS, single};

/// The estimated size of a pattern of which these groups capture, saturating.
pub(super) fn of(ast: &Ast, captures: &[u32]) -> u64 {
    Sizes { captures, counts: captures.is_empty(), literal: 4 }.of(ast)
}

/// The most instructions of a regular pattern in which nothing is counted, saturating.
pub(super) fn expanded(ast: &Ast) -> u64 {
    Sizes { captures: &[], counts: false, literal: 1 }.of(ast).saturating_mul(2)
}

struct Sizes<'p> {
    captures: &'p [u32],
    /// Whether repeated characters are counted.
    counts: bool,
    /// How many characters of a literal are one.
    literal: u64,
}

impl Sizes<'_> {
    fn of(&self, ast: &Ast) -> u64 {
        match ast {
            Ast::Empty | Ast::Backreference(_) | Ast::Assertion(_) => 1,
            Ast::Literal(text) => 1 + text.len() as u64 / self.literal,
            // Each property is a table to search.
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
                if self.counts && copies > FEW_ROUNDS && single(&repeat.body).is_some() {
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
