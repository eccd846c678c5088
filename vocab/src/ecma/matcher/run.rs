//! A search: how it is charged, and how it runs without backreferences.

use smallvec::{Array, SmallVec};

use super::counter::Runs;
use super::{Instruction, Look, Matcher, Meter, Section};
use crate::ecma::ast::Assertion;

/// Steps per unit of work. A step looks at one instruction, which takes some nanoseconds.
const STEPS_PER_UNIT: u64 = 4;

/// Fewest units that are charged at once.
const MIN_UNITS: u64 = 8;

/// A search of one text.
pub(super) struct Search<'s, E> {
    pub(super) matcher: &'s Matcher,
    pub(super) text: &'s str,
    meter: &'s mut dyn Meter<E>,
    /// Steps that are paid and not taken yet.
    credit: u64,
    /// Steps that were paid in all.
    paid: u64,
    /// Bytes that are held.
    held: usize,
    /// Answers, by lookaround.
    answers: SmallVec<[Answers; 4]>,
}

/// Answers to a lookaround.
#[derive(Default)]
struct Answers {
    /// Steps spent on answers for single places.
    steps: u64,
    /// For each place, whether the body matches there; empty until it is computed.
    table: Table,
}

/// A bit for each place in the text. A short text needs no allocation.
type Table = SmallVec<[u64; 2]>;

/// The states that are followed in parallel.
#[derive(Default)]
pub(super) struct Threads {
    /// Instructions to run at this place.
    here: SmallVec<[u32; 64]>,
    /// Instructions to run at the next place.
    next: SmallVec<[u32; 64]>,
    /// For each instruction, the value of `now` at its last visit.
    seen: SmallVec<[u32; 64]>,
    /// Number of places walked through; wraps around.
    now: u32,
    /// Number of places walked through, without wrapping. `runs` refers to it.
    place: u64,
    runs: SmallVec<[Runs; 2]>,
}

/// A walk through the text.
struct Walk<'s> {
    section: &'s Section,
    from: usize,
    backward: bool,
    /// Whether a match may begin at every place, or only at the start of the walk.
    everywhere: bool,
}

impl<'s, E> Search<'s, E> {
    pub(super) fn new(matcher: &'s Matcher, text: &'s str, meter: &'s mut dyn Meter<E>) -> Search<'s, E> {
        Search { matcher, text, meter, credit: 0, paid: 0, held: 0, answers: SmallVec::new() }
    }

    /// Pays for steps before they are taken.
    #[inline]
    pub(super) fn pay(&mut self, steps: u64) -> Result<(), E> {
        if self.credit < steps {
            self.buy(steps)?;
        }
        self.credit -= steps;
        Ok(())
    }

    #[cold]
    fn buy(&mut self, steps: u64) -> Result<(), E> {
        let units = (steps - self.credit).div_ceil(STEPS_PER_UNIT).max(MIN_UNITS);
        self.meter.spend(units)?;
        self.credit += units * STEPS_PER_UNIT;
        self.paid += units * STEPS_PER_UNIT;
        Ok(())
    }

    /// Makes room for `wanted` elements in all, and charges for it.
    pub(super) fn reserve<A: Array>(&mut self, list: &mut SmallVec<A>, wanted: usize) -> Result<(), E> {
        if wanted > list.capacity() {
            let before = if list.spilled() { list.capacity() } else { 0 };
            let bytes = wanted.saturating_mul(size_of::<A::Item>());
            self.meter.hold(bytes)?;
            self.held += bytes;
            list.reserve_exact(wanted - list.len());
            let bytes = before * size_of::<A::Item>();
            self.meter.release(bytes);
            self.held -= bytes;
        }
        Ok(())
    }

    /// Appends an element, and charges for its memory.
    #[inline]
    pub(super) fn push<A: Array>(&mut self, list: &mut SmallVec<A>, item: A::Item) -> Result<(), E> {
        if list.len() == list.capacity() {
            self.reserve(list, list.len() * 2)?;
        }
        list.push(item);
        Ok(())
    }

    /// Charges for memory until the search is over.
    fn take(&mut self, bytes: usize) -> Result<(), E> {
        self.meter.hold(bytes)?;
        self.held += bytes;
        Ok(())
    }

    /// Releases all memory that was charged: the search is over.
    pub(super) fn release(&mut self) {
        self.meter.release(self.held);
        self.held = 0;
    }

    /// Prepares the answers to lookarounds.
    pub(super) fn prepare(&mut self) -> Result<(), E> {
        let looks = self.matcher.looks.len();
        self.pay(looks as u64)?;
        let mut answers = SmallVec::new();
        self.reserve(&mut answers, looks)?;
        answers.resize_with(looks, Answers::default);
        self.answers = answers;
        Ok(())
    }

    /// Whether the pattern, which has no backreferences, is found.
    pub(super) fn walk(&mut self) -> Result<bool, E> {
        self.prepare()?;
        let matcher = self.matcher;
        let walk = Walk { section: &matcher.main, from: 0, backward: false, everywhere: !matcher.anchored };
        self.follow(&walk, &mut Threads::default(), Some(&mut Threads::default()), None)
    }

    /// Runs a walk. Returns whether it reached a match; or, with a `table`, notes every place where
    /// it did.
    ///
    /// Lookarounds are answered with the `spare` threads. Without these, their tables must exist.
    fn follow(
        &mut self,
        walk: &Walk<'_>,
        threads: &mut Threads,
        mut spare: Option<&mut Threads>,
        mut table: Option<&mut Table>,
    ) -> Result<bool, E> {
        let code = &walk.section[..];
        let Threads { here, next, seen, now, place, runs } = threads;
        let (mut here, mut next) = (here, next);
        self.pay(STEPS_PER_UNIT)?;
        if seen.len() < code.len() {
            self.pay(code.len() as u64 / 4)?;
            // INVARIANT: at one place, each instruction adds at most one other that is not run at
            // once; and a match may begin at one.
            self.reserve(here, code.len() + 1)?;
            self.reserve(next, code.len() + 1)?;
            self.reserve(seen, code.len())?;
            seen.resize(code.len(), 0);
        }
        let counters = &self.matcher.counters[..];
        if runs.len() < counters.len() {
            self.pay(counters.len() as u64)?;
            self.reserve(runs, counters.len())?;
            runs.resize_with(counters.len(), Runs::default);
        }

        let seen = &mut seen[..];
        // Runs of the previous walk are over.
        *place += 2;
        let mut at = walk.from;
        here.clear();
        here.push(0);
        next.clear();
        loop {
            let read = self.read(at, walk.backward);
            *now = now.wrapping_add(1);
            if *now == 0 {
                seen.fill(0);
                *now = 1;
            }
            let now = *now;
            *place += 1;
            let place = *place;
            while let Some(pc) = here.pop() {
                let mut pc = pc as usize;
                while seen[pc] != now {
                    seen[pc] = now;
                    self.pay(1)?;
                    match code[pc] {
                        Instruction::Char(wanted) => {
                            if read == Some(wanted) {
                                next.push(pc as u32 + 1);
                            }
                            break;
                        }
                        Instruction::Class(class) => {
                            if let Some(c) = read
                                && self.is_in(class, c)?
                            {
                                next.push(pc as u32 + 1);
                            }
                            break;
                        }
                        Instruction::Switch { first, count } => {
                            let choices = &self.matcher.choices[first as usize..(first + count) as usize];
                            self.pay(u64::from(count.ilog2()))?;
                            if let Some(c) = read
                                && let Ok(at) = choices.binary_search_by_key(&c, |&(c, _)| c)
                            {
                                next.push(choices[at].1);
                            }
                            break;
                        }
                        Instruction::Begin(id) => {
                            let (counter, runs) = (&counters[id as usize], &mut runs[id as usize]);
                            if runs.needs_room() {
                                self.take(runs.room())?;
                                runs.grow();
                            }
                            runs.begin(counter, place);
                            if counter.min == 0 {
                                here.push(pc as u32 + 2);
                            }
                            pc += 1;
                        }
                        Instruction::Run(id) => {
                            let (counter, runs) = (&counters[id as usize], &mut runs[id as usize]);
                            let (is_running, is_enough) = runs.count(counter, place);
                            if !is_running {
                                // A run that begins at this place visits this instruction again.
                                seen[pc] = now.wrapping_sub(1);
                                break;
                            }
                            if let Some(c) = read
                                && self.is_in(counter.class, c)?
                            {
                                runs.go_on(place);
                                next.push(pc as u32);
                            }
                            if !is_enough {
                                break;
                            }
                            pc += 1;
                        }
                        Instruction::Assert(assertion) => {
                            if !self.holds(assertion, at) {
                                break;
                            }
                            pc += 1;
                        }
                        Instruction::Look(look) => {
                            if !self.ask(look as usize, at, spare.as_deref_mut())? {
                                break;
                            }
                            pc += 1;
                        }
                        Instruction::Jump(target) => pc = target as usize,
                        Instruction::Split { first, second } => {
                            here.push(second);
                            pc = first as usize;
                        }
                        Instruction::Match => {
                            let Some(table) = table.as_deref_mut() else { return Ok(true) };
                            table[at / 64] |= 1 << (at % 64);
                            break;
                        }
                        // INVARIANT: only a section for the backtracking search has these.
                        Instruction::Backreference(_)
                        | Instruction::Enter { .. }
                        | Instruction::Leave
                        | Instruction::Save(_)
                        | Instruction::Clear(_)
                        | Instruction::Forget { .. }
                        | Instruction::Progress(_) => break,
                    }
                }
            }
            let Some(c) = read else { return Ok(false) };
            std::mem::swap(&mut here, &mut next);
            if walk.everywhere {
                here.push(0);
            } else if here.is_empty() {
                return Ok(false);
            }
            at = if walk.backward { at - c.len_utf8() } else { at + c.len_utf8() };
        }
    }

    /// Whether a lookaround holds at a place.
    ///
    /// It is first answered for this place alone. When such answers have cost about as much as a
    /// table, the table is computed.
    pub(super) fn ask(&mut self, look: usize, at: usize, spare: Option<&mut Threads>) -> Result<bool, E> {
        let matcher = self.matcher;
        let Look { behind, negative, first, direct, .. } = &matcher.looks[look];
        if let Some(threads) = spare
            && self.answers[look].table.is_empty()
        {
            // INVARIANT: inner lookarounds have tables before the outer one is asked, so `follow`
            // recurses only once.
            if self.answers[look].steps == 0 {
                for inner in *first..look {
                    self.answer(inner, threads)?;
                }
            }
            if self.answers[look].steps < 4 * self.text.len() as u64 {
                let before = self.paid - self.credit;
                let walk = Walk { section: direct, from: at, backward: *behind, everywhere: false };
                let found = self.follow(&walk, threads, None, None)?;
                self.answers[look].steps += self.paid - self.credit - before;
                return Ok(found != *negative);
            }
            self.answer(look, threads)?;
        }
        let table = &self.answers[look].table;
        let found = table.get(at / 64).is_some_and(|bits| bits >> (at % 64) & 1 == 1);
        Ok(found != *negative)
    }

    /// Computes a lookaround's table for all places.
    fn answer(&mut self, look: usize, threads: &mut Threads) -> Result<(), E> {
        if !self.answers[look].table.is_empty() {
            return Ok(());
        }
        let matcher = self.matcher;
        let Look { behind, reverse, .. } = &matcher.looks[look];
        let words = self.text.len() / 64 + 1;
        let mut table = Table::new();
        self.pay(words as u64 / 4)?;
        self.reserve(&mut table, words)?;
        table.resize(words, 0);
        let from = if *behind { 0 } else { self.text.len() };
        let walk = Walk { section: reverse, from, backward: !behind, everywhere: true };
        self.follow(&walk, threads, None, Some(&mut table))?;
        self.answers[look].table = table;
        Ok(())
    }

    /// Returns the next character in a direction.
    #[inline]
    pub(super) fn read(&self, at: usize, backward: bool) -> Option<char> {
        let bytes = self.text.as_bytes();
        let near = if backward { at.checked_sub(1) } else { Some(at) };
        match bytes.get(near?) {
            Some(byte) if byte.is_ascii() => Some(char::from(*byte)),
            Some(_) if backward => self.text[..at].chars().next_back(),
            Some(_) => self.text[at..].chars().next(),
            None => None,
        }
    }

    /// Whether a class has a character.
    #[inline]
    pub(super) fn is_in(&mut self, class: u32, c: char) -> Result<bool, E> {
        let matcher = self.matcher;
        let set = &matcher.classes[class as usize];
        if c.is_ascii() {
            return Ok(set.ascii >> u32::from(c) & 1 == 1);
        }
        // Each property is a table lookup.
        self.pay(STEPS_PER_UNIT * (1 + set.class.properties().len() as u64))?;
        Ok(set.class.contains(c))
    }

    #[inline]
    pub(super) fn holds(&self, assertion: Assertion, at: usize) -> bool {
        match assertion {
            Assertion::Start => at == 0,
            Assertion::End => at == self.text.len(),
            Assertion::WordBoundary => self.is_word_boundary(at),
            Assertion::NotWordBoundary => !self.is_word_boundary(at),
        }
    }

    fn is_word_boundary(&self, at: usize) -> bool {
        // All bytes of a character beyond ASCII are beyond ASCII.
        let is_word = |at: Option<usize>| {
            let byte = at.and_then(|at| self.text.as_bytes().get(at));
            byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        };
        is_word(at.checked_sub(1)) != is_word(Some(at))
    }
}
