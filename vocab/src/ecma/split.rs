//! Rewrites a pattern with lookaround as several patterns without, joined by and, or and not.
//!
//! A lookaround at a known place can be a pattern of its own: a lookahead at the start of the text,
//! a lookbehind at its end, and a lookahead after a fixed number of characters.
//!
//! ```text
//! ^(?=.*\d)(?!admin$)\w+$     ^.*\d  and not  ^admin$  and  ^\w+$
//! ^[a-z-]+(?<!-)$             ^[a-z-]+$  and not  -$
//! ^\d{3}-(?!00)\d+$           ^\d{3}-\d+$  and not  ^\d{3}-00
//! ^(?:(?=a)b|c)$              ^a  and  ^b$,  or  ^c$
//! ^(?:(?!--).)*$              ^.*$  and not  ^.*--
//! foo(?=bar)                  foobar
//! ```
//!
//! Other patterns are not split, nor any with backreferences. [`lower`](super::lower) runs first
//! and removes lookaround of one character.

use super::Pattern;
use super::ast::{Assertion, Ast, Look, Repeat};
use super::lower::{self, Next};
use super::size;
use std::sync::Arc;

/// Most sequences of a pattern that are examined.
const MAX_SEQUENCES: usize = 128;

/// A pattern as a combination of regular ones: which of them must be found in a text, and which
/// must not.
#[derive(Clone, Debug)]
pub enum Parts {
    /// This pattern is found. It [is regular](Pattern::is_regular).
    Regular(Pattern),
    /// The condition inside does not hold.
    Not(Box<Parts>),
    /// All of these hold.
    All(Vec<Parts>),
    /// One of these holds.
    Any(Vec<Parts>),
}

/// Splits a pattern that has lookaround and no backreferences, if possible.
pub(super) fn split(pattern: &Pattern) -> Option<Parts> {
    let lowered = lower::lower(&pattern.ast, pattern.size);
    let with = |ast| {
        // INVARIANT: there are few parts, not much larger than the pattern, so its size bounds
        // their cost.
        let mut splitter = Splitter {
            size_left: pattern.size.saturating_mul(2).saturating_add(64),
            parts_left: 6 + pattern.size / 4,
            sequences_left: MAX_SEQUENCES,
            strict: pattern.strict,
        };
        splitter.find(Sequence { starts: false, items: vec![ast], ends: false })
    };
    with(&lowered).or_else(|| with(&pattern.ast))
}

/// A sequence to find in a text.
struct Sequence<'a> {
    /// Whether it must begin at the start of the text.
    starts: bool,
    items: Vec<&'a Ast>,
    /// Whether it must end at the end of the text.
    ends: bool,
}

struct Splitter {
    /// Budget for the total size of the parts.
    size_left: u64,
    parts_left: u64,
    sequences_left: usize,
    strict: bool,
}

impl Splitter {
    /// Returns the parts that hold if the sequence is found.
    fn find(&mut self, sequence: Sequence<'_>) -> Option<Parts> {
        self.sequences_left = self.sequences_left.checked_sub(1)?;
        let Sequence { mut starts, items: nested, mut ends } = sequence;
        let mut items = Vec::with_capacity(nested.len());
        nested.into_iter().for_each(|item| flatten(item, &mut items));
        let mut parts = Vec::new();

        // Zero-width items at the start all look at the same place.
        let width = items.iter().position(|item| !is_instant(item)).unwrap_or(items.len());
        starts |= items[..width].iter().any(|item| is_at_start(item));
        if starts {
            let rest = items.split_off(width);
            for item in std::mem::replace(&mut items, Vec::with_capacity(width + rest.len())) {
                if let Ast::Look(look) = item
                    && !look.behind
                {
                    let body = Sequence { starts: true, items: vec![&look.body], ends: false };
                    parts.push(self.look(look, body)?);
                } else if !is_start(item) {
                    items.push(item);
                }
            }
            items.extend(rest);
        }
        let width = items.iter().rposition(|item| !is_instant(item)).map_or(0, |last| last + 1);
        ends |= items[width..].iter().any(|item| is_end(item));
        if ends {
            for item in items.split_off(width) {
                if let Ast::Look(look) = item
                    && look.behind
                {
                    let body = Sequence { starts: false, items: vec![&look.body], ends: true };
                    parts.push(self.look(look, body)?);
                } else if !is_end(item) {
                    items.push(item);
                }
            }
        }

        let is_always = items.is_empty() && !(starts && ends);
        if !is_always || parts.is_empty() {
            parts.push(self.rest(Sequence { starts, items, ends })?);
        }
        Some(join(parts, Parts::All))
    }

    fn look(&mut self, look: &Look, body: Sequence<'_>) -> Option<Parts> {
        let found = self.find(body)?;
        Some(if look.negative { Parts::Not(Box::new(found)) } else { found })
    }

    /// Returns the parts of a sequence that has no lookaround at a known place.
    fn rest(&mut self, sequence: Sequence<'_>) -> Option<Parts> {
        let Some(at) = sequence.items.iter().position(|item| !item.is_regular()) else {
            return self.regular(&sequence);
        };
        let Sequence { starts, items, ends } = sequence;
        match (items[at], items.last()?) {
            (Ast::Repeat(repeat), _) if starts && ends && items.len() == 1 && repeat.max != Some(1) => {
                self.without(repeat)
            }
            (Ast::Repeat(repeat), _) if repeat.max == Some(1) => self.distribute(
                starts,
                &items,
                at,
                &[&repeat.body, &Ast::Empty][..2 - repeat.min as usize],
                ends,
            ),
            (Ast::Alternate(branches), _) => {
                self.distribute(starts, &items, at, &branches.iter().collect::<Vec<_>>(), ends)
            }
            (_, Ast::Look(look)) if !ends && !look.behind && !look.negative => {
                self.last(starts, &items[..items.len() - 1], look)
            }
            (Ast::Look(look), _) if at == 0 && !starts && look.behind => self.first(look, &items[1..], ends),
            (Ast::Look(look), _) if starts && !look.behind && has_width(&items[..at]) => {
                let there = items[..at].iter().copied().chain([&look.body]).collect();
                let there = self.look(look, Sequence { starts, items: there, ends: false })?;
                let rest = [&items[..at], &items[at + 1..]].concat();
                let rest = self.find(Sequence { starts, items: rest, ends })?;
                Some(Parts::All(vec![rest, there]))
            }
            (_, Ast::Look(look)) if !ends && !look.behind => {
                self.last(starts, &items[..items.len() - 1], look)
            }
            _ => None,
        }
    }

    /// Splits a lookbehind before a sequence, anywhere in the text. A match may as well begin with
    /// what the lookbehind reads.
    fn first(&mut self, look: &Look, items: &[&Ast], ends: bool) -> Option<Parts> {
        let with = |before| [before].into_iter().chain(items.iter().copied()).collect();
        if !look.negative {
            return self.find(Sequence { starts: false, items: with(&look.body), ends });
        }
        let Next { class, end: start } = Next::of(look)?;
        let class = Ast::Class(Arc::new(class));
        let mut ways = vec![self.find(Sequence { starts: false, items: with(&class), ends })?];
        if start {
            ways.push(self.find(Sequence { starts: true, items: items.to_vec(), ends })?);
        }
        Some(join(ways, Parts::Any))
    }

    /// Splits a lookahead after a sequence, anywhere in the text.
    fn last(&mut self, starts: bool, items: &[&Ast], look: &Look) -> Option<Parts> {
        let with = |after| items.iter().copied().chain([after]).collect();
        if !look.negative {
            return self.find(Sequence { starts, items: with(&look.body), ends: false });
        }
        let Next { class, end } = Next::of(look)?;
        let class = Ast::Class(Arc::new(class));
        let mut ways = vec![self.find(Sequence { starts, items: with(&class), ends: false })?];
        if end {
            ways.push(self.find(Sequence { starts, items: items.to_vec(), ends: true })?);
        }
        Some(join(ways, Parts::Any))
    }

    /// Splits `^(?:(?!B).)*$`: `B` occurs nowhere in the text.
    fn without(&mut self, repeat: &Repeat) -> Option<Parts> {
        let mut items = Vec::new();
        flatten(&repeat.body, &mut items);
        let [Ast::Look(look), each @ Ast::Class(_)] = items[..] else { return None };
        if look.behind || !look.negative || look.body.may_be_empty() {
            return None;
        }
        let rounds = |min, max| {
            let body = each.clone();
            Ast::Repeat(Box::new(Repeat { body, min, max, greedy: true }))
        };
        let (all, before) = (rounds(repeat.min, repeat.max), rounds(0, None));
        let all = self.find(Sequence { starts: true, items: vec![&all], ends: true })?;
        let found = self.find(Sequence { starts: true, items: vec![&before, &look.body], ends: false })?;
        Some(Parts::All(vec![all, Parts::Not(Box::new(found))]))
    }

    /// Splits a sequence with an alternative into one sequence for each branch.
    fn distribute(
        &mut self,
        starts: bool,
        items: &[&Ast],
        at: usize,
        branches: &[&Ast],
        ends: bool,
    ) -> Option<Parts> {
        let (regular, others): (Vec<&Ast>, Vec<&Ast>) =
            branches.iter().partition(|branch| branch.is_regular());
        let regular = Ast::alternate(regular.into_iter().cloned().collect());
        let has_regular = others.len() < branches.len();
        let mut ways = Vec::new();
        for branch in has_regular.then_some(&regular).into_iter().chain(others) {
            let mut items = items.to_vec();
            items[at] = branch;
            ways.push(self.find(Sequence { starts, items, ends })?);
        }
        Some(join(ways, Parts::Any))
    }

    fn regular(&mut self, sequence: &Sequence<'_>) -> Option<Parts> {
        let ast = match &sequence.items[..] {
            // Anchors in an alternative are easier to find at the ends of its branches.
            [Ast::Alternate(branches)] => {
                let branches = branches.iter().map(|branch| {
                    let mut items = Vec::new();
                    flatten(branch, &mut items);
                    anchor(sequence, &items)
                });
                Ast::alternate(branches.collect())
            }
            items => anchor(sequence, items),
        };
        let size = size::of(&ast, &[]);
        self.size_left = self.size_left.checked_sub(size)?;
        self.parts_left = self.parts_left.checked_sub(1)?;
        Some(Parts::Regular(Pattern { ast, captures: Vec::new(), size, regular: true, strict: self.strict }))
    }
}

/// Returns the items of a sequence between its anchors.
fn anchor(sequence: &Sequence<'_>, items: &[&Ast]) -> Ast {
    let starts = sequence.starts.then_some(Ast::Assertion(Assertion::Start));
    let ends = sequence.ends.then_some(Ast::Assertion(Assertion::End));
    let items = items.iter().map(|&item| item.clone());
    Ast::concat(starts.into_iter().chain(items).chain(ends).collect())
}

/// Joins several parts into one; a single part stays as it is.
fn join(mut parts: Vec<Parts>, by: fn(Vec<Parts>) -> Parts) -> Parts {
    match parts.pop() {
        Some(only) if parts.is_empty() => only,
        last => {
            parts.extend(last);
            by(parts)
        }
    }
}

/// Collects the items of a sequence, with nested groups and sequences flattened.
fn flatten<'a>(ast: &'a Ast, items: &mut Vec<&'a Ast>) {
    match ast {
        Ast::Empty => {}
        Ast::Group(group) => flatten(&group.body, items),
        Ast::Concat(inner) => inner.iter().for_each(|item| flatten(item, items)),
        Ast::Literal(_)
        | Ast::Class(_)
        | Ast::Assertion(_)
        | Ast::Look(_)
        | Ast::Repeat(_)
        | Ast::Backreference(_)
        | Ast::Alternate(_) => items.push(ast),
    }
}

fn is_instant(ast: &Ast) -> bool {
    matches!(ast, Ast::Assertion(_) | Ast::Look(_))
}

fn is_start(ast: &Ast) -> bool {
    matches!(ast, Ast::Assertion(Assertion::Start))
}

/// Whether it can only hold at the start of the text; `false` in doubt.
fn is_at_start(ast: &Ast) -> bool {
    let mut items = vec![ast];
    if let Ast::Look(look) = ast
        && !look.behind
        && !look.negative
    {
        items.clear();
        flatten(&look.body, &mut items);
    }
    items.first().is_some_and(|first| is_start(first))
}

fn is_end(ast: &Ast) -> bool {
    matches!(ast, Ast::Assertion(Assertion::End))
}

/// Whether a sequence matches the same number of characters in every text.
fn has_width(items: &[&Ast]) -> bool {
    items.iter().all(|item| width(item).is_some())
}

/// Returns the number of characters that it matches, if that is fixed.
fn width(ast: &Ast) -> Option<u64> {
    match ast {
        Ast::Empty | Ast::Assertion(_) | Ast::Look(_) => Some(0),
        Ast::Literal(text) => Some(text.chars().count() as u64),
        Ast::Class(_) => Some(1),
        Ast::Backreference(_) => None,
        Ast::Group(group) => width(&group.body),
        Ast::Repeat(repeat) if repeat.max == Some(repeat.min) => {
            width(&repeat.body)?.checked_mul(u64::from(repeat.min))
        }
        Ast::Repeat(_) => None,
        Ast::Concat(items) => items.iter().try_fold(0u64, |sum, item| sum.checked_add(width(item)?)),
        Ast::Alternate(branches) => {
            let mut widths = branches.iter().map(width);
            let first = widths.next()??;
            widths.all(|width| width == Some(first)).then_some(first)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(parts: &Parts) -> String {
        let list = |parts: &[Parts]| parts.iter().map(shape).collect::<Vec<_>>().join(" ");
        match parts {
            Parts::Regular(pattern) => {
                assert!(pattern.is_regular());
                "one".into()
            }
            Parts::Not(part) => format!("(not {})", shape(part)),
            Parts::All(parts) => format!("(and {})", list(parts)),
            Parts::Any(parts) => format!("(or {})", list(parts)),
        }
    }

    #[track_caller]
    fn check(source: &str, expected: &str) {
        let parts = Pattern::parse(source).expect(source).split();
        assert_eq!(parts.as_ref().map_or("whole".into(), shape), expected, "{source}");
    }

    #[test]
    fn parts_are_those_of_the_documentation() {
        check(r"^(?=.*\d)(?!admin$)\w+$", "(and one (not one) one)");
        check("^[a-z-]+(?<!--)$", "(and (not one) one)");
        check(r"^\d{3}-(?!00)\d+$", "(and one (not one))");
        check("^(?:(?=ab)a.|c)$", "(or one (and one one))");
        check("^(?:(?!--).)*$", "(and one (not one))");
        check("foo(?=bar)", "one");
    }

    #[test]
    fn lookaround_of_one_character_is_no_part() {
        check("^(?!-)[a-z-]+$", "one");
        check("^[a-z-]+(?<!-)$", "one");
        check(r"^(?:\.(?!\.)\/)*$", "one");
        check("^(?!a|$)(?:[a-c]?|d)e*f$", "(and (not one) one)");
        check("^(?!a|$)(?:[a-c]|d)?e*f$", "one");
        check("a(?!a)", "(or one one)");
    }

    #[test]
    fn others_stay_whole() {
        check("(?=a+b).*c", "whole");
        check("^a+(?!ab)", "whole");
        check("^(?:a(?=b)|b)*$", "whole");
        check(r"^(?=(a))\1b", "whole");
        check("^abc$", "whole");
    }
}
