//! Merges lookaround of one character into the classes beside it.
//!
//! `(?!-)[a-z-]` is `[a-z]`: a condition on the next character can become part of the class that
//! matches it. That makes many patterns with lookaround regular:
//!
//! ```text
//! ^(?!-)[a-z-]+$     ^[a-z][a-z-]*$
//! ^[a-z-]+(?<!-)$    ^[a-z-]*[a-z]$
//! \.(?!\.)\/         \.\/
//! ```
//!
//! A lookahead stays if what follows it may be empty and is at the end of a group or of the
//! pattern: then the next character is not known. Lookbehinds are handled as lookaheads of the
//! reversed pattern.

use std::sync::Arc;

use super::ast::{Assertion, Ast, Group, Look, Repeat};
use super::class::Class;
use super::size;

/// Most optional items in a row that are considered.
const MAX_OPTIONAL: usize = 8;

/// Most ranges of characters in a condition.
const MAX_RANGES: usize = 64;

/// Condition on the next character, in the direction of the lookaround.
pub(super) struct Next {
    pub(super) class: Class,
    /// Whether the end of the text (for a lookbehind, its start) satisfies it.
    pub(super) end: bool,
}

impl Next {
    /// Returns the condition of a lookaround that reads at most one character.
    pub(super) fn of(look: &Look) -> Option<Next> {
        let mut next = Next { class: Class::none(), end: false };
        next.add(&look.body, if look.behind { Assertion::Start } else { Assertion::End })?;
        Some(if look.negative { Next { class: next.class.negate()?, end: !next.end } } else { next })
    }

    fn add(&mut self, ast: &Ast, end: Assertion) -> Option<()> {
        match ast {
            Ast::Group(group) => self.add(&group.body, end),
            Ast::Alternate(branches) => branches.iter().try_for_each(|branch| self.add(branch, end)),
            Ast::Assertion(assertion) if *assertion == end => {
                self.end = true;
                Some(())
            }
            Ast::Class(class) => self.add_class(class),
            Ast::Literal(text) => {
                let mut characters = text.chars();
                let only = characters.next().filter(|_| characters.next().is_none())?;
                self.add_class(&Class::point(u32::from(only)))
            }
            Ast::Empty
            | Ast::Assertion(_)
            | Ast::Look(_)
            | Ast::Repeat(_)
            | Ast::Backreference(_)
            | Ast::Concat(_) => None,
        }
    }

    fn add_class(&mut self, class: &Class) -> Option<()> {
        self.class = self.class.union(class).filter(|class| class.ranges().len() <= MAX_RANGES)?;
        Some(())
    }
}

/// Returns the pattern with less lookaround, in time and memory proportional to its `size`.
pub(super) fn lower(ast: &Ast, size: u64) -> Ast {
    let mut lowered = ast.clone();
    let mut lowering = Lowering { left: size.saturating_mul(2).saturating_add(64) };
    lowering.visit(&mut lowered);
    if has_lookbehind(&lowered) {
        mirror(&mut lowered);
        lowering.visit(&mut lowered);
        mirror(&mut lowered);
    }
    lowered
}

fn has_lookbehind(ast: &Ast) -> bool {
    matches!(ast, Ast::Look(look) if look.behind) || ast.children().iter().any(has_lookbehind)
}

/// Reverses a pattern, so that it matches texts that are read backward.
fn mirror(ast: &mut Ast) {
    match ast {
        Ast::Empty | Ast::Class(_) | Ast::Backreference(_) => {}
        Ast::Literal(text) => *text = text.chars().rev().collect(),
        Ast::Assertion(assertion) => {
            *assertion = match assertion {
                Assertion::Start => Assertion::End,
                Assertion::End => Assertion::Start,
                Assertion::WordBoundary | Assertion::NotWordBoundary => *assertion,
            }
        }
        Ast::Group(group) => mirror(&mut group.body),
        Ast::Look(look) => {
            look.behind = !look.behind;
            mirror(&mut look.body);
        }
        Ast::Repeat(repeat) => mirror(&mut repeat.body),
        Ast::Concat(items) => {
            items.reverse();
            items.iter_mut().for_each(mirror);
        }
        Ast::Alternate(branches) => branches.iter_mut().for_each(mirror),
    }
}

/// Result of imposing a condition on the first character of a sequence.
enum Outcome {
    /// The sequence always satisfies it.
    Same,
    /// The sequence never satisfies it.
    Never,
    /// `count` items, starting at `from`, are replaced by `ast`.
    Other { from: usize, count: usize, ast: Ast },
}

struct Lowering {
    /// Budget for nodes to visit or copy.
    left: u64,
}

impl Lowering {
    fn visit(&mut self, ast: &mut Ast) {
        match ast {
            Ast::Empty | Ast::Literal(_) | Ast::Class(_) | Ast::Assertion(_) | Ast::Backreference(_) => {}
            Ast::Group(group) => self.visit(&mut group.body),
            Ast::Look(look) => self.visit(&mut look.body),
            Ast::Repeat(repeat) => self.visit(&mut repeat.body),
            Ast::Alternate(branches) => branches.iter_mut().for_each(|branch| self.visit(branch)),
            Ast::Concat(items) => {
                items.iter_mut().for_each(|item| self.visit(item));
                // Backward, so that what follows is lowered before a condition is imposed on it.
                for at in (0..items.len()).rev() {
                    self.look(items, at);
                }
            }
        }
    }

    /// Merges the lookahead at a place into what follows, if possible.
    fn look(&mut self, items: &mut [Ast], at: usize) {
        let Some((Ast::Look(look), rest)) = items[at..].split_first_mut() else { return };
        let Some(next) = Next::of(look).filter(|_| !look.behind) else { return };
        items[at] = match self.sequence(&next, rest, 0) {
            Some(Outcome::Same) => Ast::Empty,
            Some(Outcome::Never) => Ast::Class(Arc::new(Class::none())),
            Some(Outcome::Other { from, count, ast }) => {
                rest[from..from + count].fill(Ast::Empty);
                rest[from] = ast;
                Ast::Empty
            }
            None => return,
        };
    }

    fn spend(&mut self, amount: u64) -> Option<()> {
        self.left = self.left.checked_sub(amount)?;
        Some(())
    }

    fn copy(&mut self, ast: &Ast) -> Option<Ast> {
        self.spend(size::of(ast, &[]))?;
        Some(ast.clone())
    }

    /// Imposes a condition on the first character of a sequence; `None` if the sequence may be
    /// empty.
    fn sequence(&mut self, next: &Next, items: &[Ast], optional: usize) -> Option<Outcome> {
        // Zero-width items test the same place, so their order does not matter.
        let mut from = 0;
        while let Ast::Empty
        | Ast::Look(_)
        | Ast::Assertion(Assertion::Start | Assertion::WordBoundary | Assertion::NotWordBoundary) =
            items.get(from)?
        {
            self.spend(1)?;
            from += 1;
        }
        let same = |is_so| Some(if is_so { Outcome::Same } else { Outcome::Never });
        let ast = match &items[from] {
            Ast::Literal(text) => return same(text.chars().next().is_some_and(|c| next.class.contains(c))),
            Ast::Assertion(_) => return same(next.end),
            Ast::Class(class) => {
                let both = class.meet(&next.class)?;
                if both == **class || both.ranges().is_empty() {
                    return same(both == **class);
                }
                Ast::Class(Arc::new(both))
            }
            Ast::Group(group) => match self.node(next, &group.body)? {
                Ok(body) => Ast::Group(Box::new(Group { number: group.number, body })),
                Err(is_so) => return same(is_so),
            },
            Ast::Concat(items) => match self.sequence(next, items, optional)? {
                Outcome::Other { from, count, ast } => {
                    let mut items: Vec<Ast> =
                        items.iter().map(|item| self.copy(item)).collect::<Option<_>>()?;
                    items.splice(from..from + count, [ast]);
                    Ast::concat(items)
                }
                other @ (Outcome::Same | Outcome::Never) => return Some(other),
            },
            Ast::Alternate(branches) => match self.alternate(next, branches)? {
                Ok(ast) => ast,
                Err(is_so) => return same(is_so),
            },
            Ast::Repeat(repeat) => return self.repeat(next, repeat, items, from, optional),
            Ast::Empty | Ast::Look(_) | Ast::Backreference(_) => return None,
        };
        Some(Outcome::Other { from, count: 1, ast })
    }

    /// Imposes a condition on one node: returns its replacement, or whether it always (`true`) or
    /// never (`false`) satisfies the condition.
    fn node(&mut self, next: &Next, ast: &Ast) -> Option<Result<Ast, bool>> {
        Some(match self.sequence(next, std::slice::from_ref(ast), 0)? {
            Outcome::Same => Err(true),
            Outcome::Never => Err(false),
            Outcome::Other { ast, .. } => Ok(ast),
        })
    }

    fn alternate(&mut self, next: &Next, branches: &[Ast]) -> Option<Result<Ast, bool>> {
        let mut kept = Vec::new();
        let mut same = 0;
        for branch in branches {
            match self.node(next, branch)? {
                Ok(ast) => kept.push(ast),
                Err(true) => {
                    same += 1;
                    kept.push(self.copy(branch)?);
                }
                Err(false) => {}
            }
        }
        Some(if same == branches.len() {
            Err(true)
        } else if kept.is_empty() {
            Err(false)
        } else {
            Ok(Ast::alternate(kept))
        })
    }

    /// Imposes a condition on a sequence that begins with a repetition, by replacing its first
    /// round.
    fn repeat(
        &mut self,
        next: &Next,
        repeat: &Repeat,
        items: &[Ast],
        from: usize,
        optional: usize,
    ) -> Option<Outcome> {
        if repeat.max == Some(0) || repeat.body.may_be_empty() {
            return None;
        }
        let first = match self.node(next, &repeat.body)? {
            Err(true) if repeat.min > 0 => return Some(Outcome::Same),
            Err(false) if repeat.min > 0 => return Some(Outcome::Never),
            Err(false) => return None,
            Err(true) => self.copy(&repeat.body)?,
            Ok(first) => first,
        };
        let mut round = vec![group(first)];
        if repeat.max != Some(1) {
            let body = self.copy(&repeat.body)?;
            let (min, max) = (repeat.min.saturating_sub(1), repeat.max.map(|max| max - 1));
            round.push(Ast::Repeat(Box::new(Repeat { body, min, max, greedy: repeat.greedy })));
        }
        if repeat.min > 0 {
            return Some(Outcome::Other { from, count: 1, ast: Ast::concat(round) });
        }
        // With no round at all, the condition applies to what follows.
        if optional == MAX_OPTIONAL {
            return None;
        }
        let rest = &items[from + 1..];
        let (count, ast) = match self.sequence(next, rest, optional + 1)? {
            Outcome::Never => (1, Ast::concat(round)),
            Outcome::Same => {
                let body = group(Ast::concat(round));
                (1, Ast::Repeat(Box::new(Repeat { body, min: 0, max: Some(1), greedy: repeat.greedy })))
            }
            Outcome::Other { from: 0, count, ast } => {
                for item in &rest[..count] {
                    round.push(self.copy(item)?);
                }
                (1 + count, group(Ast::Alternate(vec![Ast::concat(round), ast])))
            }
            Outcome::Other { .. } => return None,
        };
        Some(Outcome::Other { from, count, ast })
    }
}

fn group(body: Ast) -> Ast {
    if matches!(body, Ast::Class(_) | Ast::Group(_)) {
        return body;
    }
    Ast::Group(Box::new(Group { number: None, body }))
}
