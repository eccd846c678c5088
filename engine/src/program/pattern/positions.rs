//! A pattern as positions: which character may follow which.
//!
//! Each character and class of a pattern is a position, with repetitions multiplied out. What may come first, last, and after
//! each position is all that a match needs to know (this is Glushkov's automaton). It has no states between characters,
//! so that it stays small, and sets of positions are a few words.

use super::charset::Set;
use super::pieces::{Piece, split};
use super::work::Work;
use stanchion_vocab::ecma::{Ast, Class};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A set of positions.
pub(super) type Bits<const W: usize> = [u64; W];

/// The positions of a pattern.
pub(super) struct Positions<'w, const W: usize> {
    /// The characters that each position takes, as a place in `sets`.
    pub(super) takes: Vec<u16>,
    pub(super) sets: Vec<Set>,
    /// The positions that may come after each.
    pub(super) after: Vec<Bits<W>>,
    /// The positions that may come first where the text begins, and those that may begin anywhere.
    pub(super) first: Bits<W>,
    pub(super) anywhere: Bits<W>,
    /// Where the pattern has matched, and where it has if the text ends.
    pub(super) matched: Bits<W>,
    pub(super) matched_at_end: Bits<W>,
    /// Whether the empty text matches.
    pub(super) takes_empty: bool,
    /// The sets of classes that were met before.
    classes: BTreeMap<*const Class, u16>,
    /// The work that may still be done. Reading takes some of it: rounds of nothing have no positions, and no end.
    pub(super) work: &'w mut Work,
}

/// The positions of a part of a pattern.
#[derive(Clone, Copy)]
struct Fragment<const W: usize> {
    first: Bits<W>,
    last: Bits<W>,
    may_be_empty: bool,
}

pub(super) fn union<const W: usize>(one: &mut Bits<W>, other: &Bits<W>) {
    one.iter_mut().zip(other).for_each(|(one, other)| *one |= other);
}

pub(super) fn meet<const W: usize>(one: &Bits<W>, other: &Bits<W>) -> Bits<W> {
    std::array::from_fn(|word| one[word] & other[word])
}

pub(super) fn is_empty<const W: usize>(bits: &Bits<W>) -> bool {
    bits.iter().all(|&word| word == 0)
}

pub(super) fn each<const W: usize>(bits: &Bits<W>) -> impl Iterator<Item = usize> {
    bits.iter().enumerate().flat_map(|(at, &word)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (bit < 64).then_some(64 * at + bit)
        })
    })
}

impl<'w, const W: usize> Positions<'w, W> {
    /// The positions of a pattern, if there are few and it has nothing else in it.
    pub(super) fn new(ast: &Ast, work: &'w mut Work) -> Option<Positions<'w, W>> {
        let none = [0; W];
        let mut positions = Positions {
            takes: Vec::new(),
            sets: Vec::new(),
            after: Vec::new(),
            first: none,
            anywhere: none,
            matched: none,
            matched_at_end: none,
            takes_empty: false,
            classes: BTreeMap::new(),
            work,
        };
        for Piece { starts, ends, items } in split(ast) {
            let fragment = positions.sequence(items)?;
            union(if starts { &mut positions.first } else { &mut positions.anywhere }, &fragment.first);
            union(if ends { &mut positions.matched_at_end } else { &mut positions.matched }, &fragment.last);
            // What starts or ends anywhere and may be empty matches every text: that is not for us.
            if fragment.may_be_empty && !(starts && ends) {
                return None;
            }
            positions.takes_empty |= fragment.may_be_empty;
        }
        Some(positions)
    }

    fn read(&mut self, ast: &Ast) -> Option<Fragment<W>> {
        self.work.spend(2)?;
        match ast {
            Ast::Empty => Some(Fragment::EMPTY),
            Ast::Literal(text) => {
                let mut all = Fragment::EMPTY;
                for c in text.chars() {
                    let next = self.position(|_| Some(Set::of(c)), None)?;
                    all = self.then(all, next)?;
                }
                Some(all)
            }
            Ast::Class(class) => self.position(|work| Set::plain(class, work), Some(class)),
            Ast::Group(group) => self.read(&group.body),
            Ast::Repeat(repeat) => self.repeat(&repeat.body, repeat.min, repeat.max),
            Ast::Concat(items) => self.sequence(items),
            Ast::Alternate(branches) => {
                let mut all = Fragment { may_be_empty: false, ..Fragment::EMPTY };
                for branch in branches {
                    let branch = self.read(branch)?;
                    union(&mut all.first, &branch.first);
                    union(&mut all.last, &branch.last);
                    all.may_be_empty |= branch.may_be_empty;
                }
                Some(all)
            }
            Ast::Assertion(_) | Ast::Look(_) | Ast::Backreference(_) => None,
        }
    }

    /// A position of a set, and of this class if it comes from one.
    fn position(
        &mut self,
        set: impl FnOnce(&mut Work) -> Option<Set>,
        class: Option<&Arc<Class>>,
    ) -> Option<Fragment<W>> {
        let index = self.takes.len();
        if index == 64 * W {
            return None;
        }
        let known = class.and_then(|class| self.classes.get(&Arc::as_ptr(class)).copied());
        let place = match known {
            Some(place) => place,
            None => {
                let set = set(self.work)?;
                self.work.spend(self.sets.len())?;
                let place = self.sets.iter().position(|other| *other == set).unwrap_or(self.sets.len());
                if place == self.sets.len() {
                    self.sets.push(set);
                }
                place as u16
            }
        };
        if let Some(class) = class {
            self.classes.insert(Arc::as_ptr(class), place);
        }
        self.takes.push(place);
        self.after.push([0; W]);
        let mut bits = [0; W];
        bits[index / 64] |= 1 << (index % 64);
        Some(Fragment { first: bits, last: bits, may_be_empty: false })
    }

    fn sequence(&mut self, items: &[Ast]) -> Option<Fragment<W>> {
        let mut all = Fragment::EMPTY;
        for item in items {
            let next = self.read(item)?;
            all = self.then(all, next)?;
        }
        Some(all)
    }

    /// One after the other.
    fn then(&mut self, mut one: Fragment<W>, other: Fragment<W>) -> Option<Fragment<W>> {
        self.link(&one.last, &other.first)?;
        if one.may_be_empty {
            union(&mut one.first, &other.first);
        }
        if other.may_be_empty {
            union(&mut one.last, &other.last);
        } else {
            one.last = other.last;
        }
        one.may_be_empty &= other.may_be_empty;
        Some(one)
    }

    fn link(&mut self, from: &Bits<W>, to: &Bits<W>) -> Option<()> {
        for position in each(from) {
            self.work.spend(1)?;
            union(&mut self.after[position], to);
        }
        Some(())
    }

    fn repeat(&mut self, body: &Ast, min: u32, max: Option<u32>) -> Option<Fragment<W>> {
        // What need not come is inside of what need not come before it: `a(a(a)?)?`.
        let mut rest = Fragment::EMPTY;
        for _ in min..max.unwrap_or(min) {
            let round = self.read(body)?;
            rest = self.then(round, rest)?;
            rest.may_be_empty = true;
        }
        let mut rounds = min;
        if max.is_none() {
            rounds = min.saturating_sub(1);
            rest = self.read(body)?;
            self.link(&rest.last, &rest.first)?;
            rest.may_be_empty |= min == 0;
        }
        for _ in 0..rounds {
            let round = self.read(body)?;
            rest = self.then(round, rest)?;
        }
        Some(rest)
    }
}

impl<const W: usize> Fragment<W> {
    const EMPTY: Fragment<W> = Fragment { first: [0; W], last: [0; W], may_be_empty: true };
}
