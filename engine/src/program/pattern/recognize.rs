//! Which patterns need no automaton.
//!
//! A pattern is read from its end to its beginning. So at each piece it is known which characters may come
//! after ([`Next`]), and a repetition may take all it can get if none of what it repeats is among these. Of
//! alternatives no two may match at the same place. Where this cannot be shown, the pattern is not simple.

use super::charset::Set;
use super::next::{Next, head, tells_apart};
use super::simple::{Branch, Part, Simple, Start};
use super::words;
use stanchion_vocab::ecma::{Assertion, Ast, Repeat};

/// How many parts a simple pattern may have, and how deep they may be nested.
const MAX_PARTS: usize = 512;
const MAX_DEPTH: u32 = 12;

/// How far a pattern that may start anywhere may reach: each place of the text is tried.
const MAX_REACH: u64 = 64;

/// How often a character may be looked at from one start.
const MAX_WEIGHT: u64 = 32;

/// The pattern, if it is a simple one.
pub(super) fn recognize(ast: &Ast) -> Option<Simple> {
    let mut pieces = Vec::new();
    split(ast, &mut pieces);
    if pieces.iter().any(Piece::is_always) {
        return Some(Simple::Always);
    }
    if pieces.iter().all(|piece| piece.starts && piece.ends)
        && let Some(words) = words::list(pieces.iter().map(|piece| &*piece.items))
    {
        return Some(Simple::Words(words));
    }
    let mut reader = Reader { parts_left: MAX_PARTS };
    let mut weight = 0;
    let mut branches = Vec::with_capacity(pieces.len());
    for piece in &pieces {
        let (branch, cost) = reader.branch(piece)?;
        if branch.parts.is_empty() && !(piece.starts && piece.ends) {
            return Some(Simple::Always);
        }
        branches.push(branch);
        weight += cost;
    }
    Some(literal(&mut branches).unwrap_or(Simple::Branches { branches: branches.into(), weight }))
}

/// The pattern, if it is one text.
fn literal(branches: &mut [Branch]) -> Option<Simple> {
    let [Branch { start, ends, parts }] = branches else { return None };
    let [Part::Text(text)] = &mut **parts else { return None };
    let text = std::mem::take(text);
    Some(match (start, *ends) {
        (Start::First, true) => Simple::Words([text].into()),
        (Start::First, false) => Simple::Prefix(text),
        (Start::Back(_) | Start::Any, true) => Simple::Suffix(text),
        (Start::Back(_) | Start::Any, false) => Simple::Inside(text),
    })
}

/// An alternative of the whole pattern.
struct Piece<'a> {
    starts: bool,
    ends: bool,
    items: Vec<&'a Ast>,
}

fn split<'a>(ast: &'a Ast, pieces: &mut Vec<Piece<'a>>) {
    match ast {
        Ast::Group(group) => split(&group.body, pieces),
        Ast::Alternate(branches) => branches.iter().for_each(|branch| split(branch, pieces)),
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
        let mut piece = Piece { starts: false, ends: false, items: Vec::new() };
        if let [Ast::Assertion(Assertion::Start), rest @ ..] = items {
            (piece.starts, items) = (true, rest);
        }
        if let [rest @ .., Ast::Assertion(Assertion::End)] = items {
            (piece.ends, items) = (true, rest);
        }
        if !piece.starts {
            // Somewhere in the text, what may be left out need not be looked for.
            while let [Ast::Repeat(repeat), rest @ ..] = items
                && repeat.min == 0
            {
                items = rest;
            }
        }
        piece.items = items.iter().collect();
        piece
    }

    fn is_always(&self) -> bool {
        self.items.is_empty() && !(self.starts && self.ends)
    }
}

struct Reader {
    parts_left: usize,
}

/// What was read so far: parts from the last to the first, and what they may begin with.
struct Tail {
    parts: Vec<Part>,
    next: Next,
}

impl Tail {
    fn new(next: Next) -> Tail {
        Tail { parts: Vec::new(), next }
    }

    fn finish(mut self) -> Box<[Part]> {
        self.parts.reverse();
        self.parts.into()
    }
}

impl Reader {
    /// A branch, and how often it looks at a character.
    fn branch(&mut self, piece: &Piece<'_>) -> Option<(Branch, u64)> {
        let mut tail = Tail::new(if piece.ends { Next::END } else { Next::ANYTHING });
        for (index, item) in piece.items.iter().enumerate().rev() {
            match item {
                // Somewhere in the text, the least that must come is enough.
                Ast::Repeat(first) if index == 0 && !piece.starts => {
                    self.repeat(first, first.min, &mut tail, 0)?;
                }
                item => self.item(item, &mut tail, 0)?,
            }
        }
        let parts = tail.finish();
        let mut weight = weight(&parts);
        if weight > MAX_WEIGHT {
            return None;
        }
        let start = match (piece.starts, length(&parts)) {
            (true, _) => Start::First,
            (false, Some(length)) if piece.ends => Start::Back(length),
            (false, _) => {
                let reach = reach(&parts).filter(|&reach| reach <= MAX_REACH)?;
                weight *= reach.max(1);
                Start::Any
            }
        };
        Some((Branch { start, ends: piece.ends, parts }, weight))
    }

    /// Puts an item before the tail.
    fn item(&mut self, ast: &Ast, tail: &mut Tail, depth: u32) -> Option<()> {
        match ast {
            Ast::Empty => Some(()),
            Ast::Literal(text) => self.text(text, tail),
            Ast::Class(class) => match class.ranges() {
                &[(start, end)] if start == end && class.properties().is_empty() => {
                    self.text(start.encode_utf8(&mut [0; 4]), tail)
                }
                _ => self.run(Set::new(class), 1, 1, tail),
            },
            Ast::Group(group) => self.item(&group.body, tail, depth),
            Ast::Repeat(repeat) => self.repeat(repeat, repeat.max.unwrap_or(u32::MAX), tail, depth),
            Ast::Concat(items) => items.iter().rev().try_for_each(|item| self.item(item, tail, depth)),
            Ast::Alternate(branches) => self.either(branches, tail, depth),
            Ast::Assertion(_) | Ast::Look(_) | Ast::Backreference(_) => None,
        }
    }

    fn put(&mut self, part: Part, tail: &mut Tail) -> Option<()> {
        self.parts_left = self.parts_left.checked_sub(1)?;
        match (tail.parts.last_mut(), part) {
            // Texts in a row become one.
            (Some(Part::Text(after)), Part::Text(text)) => *after = format!("{text}{after}").into(),
            (_, part) => tail.parts.push(part),
        }
        Some(())
    }

    fn text(&mut self, text: &str, tail: &mut Tail) -> Option<()> {
        tail.next = Next::of_char(text.chars().next()?);
        self.put(Part::Text(text.into()), tail)
    }

    fn run(&mut self, set: Set, min: u32, max: u32, tail: &mut Tail) -> Option<()> {
        let max = if tail.next.is_anything { min } else { max };
        if max == 0 {
            return Some(());
        }
        let members = Next::of_set(&set);
        if min != max && members.meets(&tail.next) {
            return None;
        }
        tail.next = if min == 0 { members.union(&tail.next) } else { members };
        self.put(Part::Run { set, min, max }, tail)
    }

    fn repeat(&mut self, repeat: &Repeat, max: u32, tail: &mut Tail, depth: u32) -> Option<()> {
        let min = repeat.min;
        let mut body = &repeat.body;
        while let Ast::Group(group) = body {
            body = &group.body;
        }
        match body {
            Ast::Class(class) => return self.run(Set::new(class), min, max, tail),
            Ast::Literal(text) if text.len() == 1 => {
                return self.run(Set::of(text.as_bytes()[0]), min, max, tail);
            }
            _ => {}
        }
        let max = if tail.next.is_anything { min } else { max };
        match (min, max) {
            (_, 0) => return Some(()),
            (1, 1) => return self.item(body, tail, depth),
            // The last round could be shorter than the others.
            _ if tail.next.is_anything => return None,
            _ => {}
        }
        let first = Next::first_of(body)?;
        if min != max && first.meets(&tail.next) {
            return None;
        }
        let next = if max == 1 { tail.next } else { first.union(&tail.next) };
        let parts = self.inner(body, next, depth)?;
        tail.next = if min == 0 { first.union(&tail.next) } else { first };
        self.put(Part::Repeat { parts, min, max }, tail)
    }

    fn either(&mut self, branches: &[Ast], tail: &mut Tail, depth: u32) -> Option<()> {
        let mut first: Option<Next> = None;
        let mut read = Vec::with_capacity(branches.len());
        for branch in branches {
            let begins = Next::first_of(branch)?;
            first = Some(first.map_or(begins, |first| first.union(&begins)));
            let parts = self.inner(branch, tail.next, depth)?;
            read.push((head(&parts), parts));
        }
        // Where one is the beginning of another, the longer one must be tried first.
        read.sort_by_key(|(head, _)| std::cmp::Reverse(head.len()));
        let mut pairs = read.iter().enumerate();
        // If nothing has to come after, it is all the same which one matches.
        if !tail.next.is_anything
            && !pairs
                .all(|(at, (one, _))| read[..at].iter().all(|(other, _)| tells_apart(other, one, &tail.next)))
        {
            return None;
        }
        tail.next = first?;
        self.put(Part::Either(read.into_iter().map(|(_, parts)| parts).collect()), tail)
    }

    /// Reads what is inside a part.
    fn inner(&mut self, ast: &Ast, next: Next, depth: u32) -> Option<Box<[Part]>> {
        if depth == MAX_DEPTH {
            return None;
        }
        let mut tail = Tail::new(next);
        self.item(ast, &mut tail, depth + 1)?;
        Some(tail.finish())
    }
}

/// How often a character is looked at: alternatives are tried one after the other.
fn weight(parts: &[Part]) -> u64 {
    let each = parts.iter().map(|part| match part {
        Part::Text(_) | Part::Run { .. } => 1,
        Part::Repeat { parts, .. } => weight(parts),
        Part::Either(branches) => {
            let most = branches.iter().map(|branch| weight(branch)).max().unwrap_or(1);
            most.saturating_mul(branches.len() as u64)
        }
    });
    each.max().unwrap_or(1)
}

/// How many characters are looked at at most, if that is bounded.
fn reach(parts: &[Part]) -> Option<u64> {
    let mut sum = 0u64;
    for part in parts {
        let length = match part {
            Part::Text(text) => text.len() as u64,
            Part::Run { max: u32::MAX, .. } | Part::Repeat { max: u32::MAX, .. } => return None,
            Part::Run { max, .. } => u64::from(*max),
            Part::Repeat { parts, max, .. } => reach(parts)?.saturating_mul(u64::from(*max)),
            Part::Either(branches) => {
                branches.iter().map(|branch| reach(branch)).collect::<Option<Vec<_>>>()?.into_iter().max()?
            }
        };
        sum = sum.saturating_add(length);
    }
    Some(sum)
}

/// How many bytes the parts match, if it is always the same.
fn length(parts: &[Part]) -> Option<usize> {
    let mut sum = 0usize;
    for part in parts {
        let length = match part {
            Part::Text(text) => text.len(),
            Part::Run { set, min, max } if min == max && !set.has_beyond() => *min as usize,
            Part::Run { .. } | Part::Repeat { .. } | Part::Either(_) => return None,
        };
        sum = sum.checked_add(length)?;
    }
    Some(sum)
}
