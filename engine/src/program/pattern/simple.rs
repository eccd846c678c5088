//! Patterns that need no automaton.
//!
//! Most patterns of real schemas say what comes, one after the other, and each character tells which way
//! to go: `^[A-Z]{2,3}-\d+$`, `^x-`, `^(asc|desc)$`, `.+`. Such a pattern is matched from left to right without
//! ever coming back. [`recognize`](super::recognize) finds them and proves that each way is the only one.

use super::charset::Set;

/// A pattern that is matched without an automaton.
#[derive(Debug)]
pub(super) enum Simple {
    /// Every text matches.
    Always,
    /// The text begins with this.
    Prefix(Box<str>),
    /// The text ends with this.
    Suffix(Box<str>),
    /// This is somewhere in the text.
    Inside(Box<str>),
    /// The text is one of these, which are sorted.
    Words(Box<[Box<str>]>),
    /// One of these matches.
    Branches { branches: Box<[Branch]>, weight: u64 },
}

/// Parts, one after the other, and where they may be in the text.
#[derive(Debug)]
pub(super) struct Branch {
    pub(super) start: Start,
    /// Whether the text ends behind them.
    pub(super) ends: bool,
    pub(super) parts: Box<[Part]>,
}

/// Where a branch may start.
#[derive(Debug)]
pub(super) enum Start {
    /// Where the text does.
    First,
    /// Anywhere.
    Any,
    /// So many bytes before the text's end.
    Back(usize),
}

/// A piece of a pattern. Whether it matches at a place does not depend on what comes after, and if it does, no shorter or
/// longer match at that place could lead to a match of the whole.
#[derive(Debug)]
pub(super) enum Part {
    Text(Box<str>),
    /// As many characters of a set as there are: at least `min`, at most `max`.
    Run {
        set: Set,
        min: u32,
        max: u32,
    },
    /// The parts, as often as they match: at least `min` times, at most `max`.
    Repeat {
        parts: Box<[Part]>,
        min: u32,
        max: u32,
    },
    /// The first that matches.
    Either(Box<[Box<[Part]>]>),
}

impl Simple {
    /// The steps for a text of so many bytes.
    #[inline]
    pub(super) fn cost(&self, bytes: u64) -> u64 {
        match self {
            Simple::Always => 1,
            Simple::Prefix(text) | Simple::Suffix(text) => 2 + text.len() as u64 / 64,
            Simple::Inside(_) | Simple::Words(_) => 2 + bytes / 16,
            Simple::Branches { weight, .. } => 2 + bytes.saturating_mul(*weight) / 16,
        }
    }

    #[inline]
    pub(super) fn is_match(&self, text: &str) -> bool {
        match self {
            Simple::Always => true,
            Simple::Prefix(prefix) => text.as_bytes().starts_with(prefix.as_bytes()),
            Simple::Suffix(suffix) => text.as_bytes().ends_with(suffix.as_bytes()),
            Simple::Inside(inside) => text.contains(&**inside),
            Simple::Words(words) => words.binary_search_by(|word| (**word).cmp(text)).is_ok(),
            Simple::Branches { branches, .. } => branches.iter().any(|branch| branch.is_match(text)),
        }
    }
}

impl Branch {
    fn is_match(&self, text: &str) -> bool {
        match self.start {
            Start::First => self.matches_at(text, 0),
            Start::Back(length) => {
                text.len().checked_sub(length).is_some_and(|start| self.matches_at(text, start))
            }
            Start::Any => (0..=text.len()).any(|at| text.is_char_boundary(at) && self.matches_at(text, at)),
        }
    }

    #[inline]
    fn matches_at(&self, text: &str, start: usize) -> bool {
        match follow(&self.parts, text, start) {
            None => false,
            Some(end) => !self.ends || end == text.len(),
        }
    }
}

/// Where the parts end, if they match at `at`.
fn follow(parts: &[Part], text: &str, mut at: usize) -> Option<usize> {
    for part in parts {
        at = match part {
            Part::Text(wanted) => {
                let rest = &text.as_bytes()[at..];
                if !rest.starts_with(wanted.as_bytes()) {
                    return None;
                }
                at + wanted.len()
            }
            Part::Run { set, min, max } => run(set, *min, *max, text, at)?,
            Part::Repeat { parts, min, max } => repeat(parts, *min, *max, text, at)?,
            Part::Either(branches) => branches.iter().find_map(|branch| follow(branch, text, at))?,
        };
    }
    Some(at)
}

#[inline]
fn run(set: &Set, min: u32, max: u32, text: &str, mut at: usize) -> Option<usize> {
    if max == u32::MAX && min <= 1 {
        let end = set.take_all(text, at);
        return (min == 0 || end > at).then_some(end);
    }
    for count in 0..max {
        match set.take(text, at) {
            Some(length) => at += length,
            None if count < min => return None,
            None => break,
        }
    }
    Some(at)
}

fn repeat(parts: &[Part], min: u32, max: u32, text: &str, mut at: usize) -> Option<usize> {
    for count in 0..max {
        // INVARIANT: the parts match no empty text, so this ends.
        match follow(parts, text, at) {
            Some(end) => at = end,
            None if count < min => return None,
            None => break,
        }
    }
    Some(at)
}
