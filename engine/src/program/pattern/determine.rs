//! A pattern's program as a table of states: for what [`positions`](super::positions) do not express.
//!
//! These are patterns with `\b`, with anchors inside, and with more than 256 positions. A state is where in the program
//! a text may have come to, and what came before: the text's start, or a character of a word. Places are told apart by what comes
//! next, so a match is known one character after its end.

use super::charset::Set;
use super::table::{Columns, DEAD, FIRST_ROW, MATCHED, MAX_ENTRIES, Table};
use super::work::Work;
use stanchion_vocab::ecma::{Assertion, Program, Step};
use std::collections::BTreeMap;

/// How many steps a program may have.
pub(super) const MAX_STEPS: u64 = 8 << 10;

/// Before a state's place in the program comes what is behind the text's place.
const AT_START: u32 = 1;
const AFTER_WORD: u32 = 2;

/// The next input of an automaton.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Word,
    Other,
    End,
}

/// The positions that a text may read next, once it has come to a state.
#[derive(Default)]
struct Closure {
    /// The steps that read a character.
    readers: Vec<u32>,
    matched: bool,
}

struct Determiner<'p> {
    steps: &'p [Step],
    /// The set that each step reads, if it does.
    reads: Vec<u16>,
    /// For each set, the columns that it has.
    has: Vec<[u64; 4]>,
    /// Whether it matters what a word is, and which columns are of words.
    has_words: bool,
    is_word: Vec<bool>,
    /// For each step, when it was looked at last.
    seen: Vec<u32>,
    now: u32,
    numbers: BTreeMap<Box<[u32]>, u16>,
    found: Vec<Box<[u32]>>,
    stride: usize,
}

/// The table of a program, if it is small and takes no more work than there is.
pub(super) fn determine(program: &Program, work: &mut Work) -> Option<Table> {
    let steps = program.steps();
    work.spend(2 * steps.len())?;
    let (sets, reads, has_words) = sets(program, work)?;
    let columns = Columns::new(&sets, work)?;
    let has = sets.iter().map(|set| columns.of(set)).collect::<Vec<_>>();
    let words = has_words.then(|| has.last()).flatten();
    let is_word = (0..columns.count())
        .map(|column| words.is_some_and(|words| words[column / 64] >> (column % 64) & 1 == 1))
        .collect();
    let mut determiner = Determiner {
        steps,
        reads,
        has,
        has_words,
        is_word,
        seen: vec![0; steps.len()],
        now: 0,
        numbers: BTreeMap::new(),
        found: Vec::new(),
        stride: columns.count() + 1,
    };
    let rows = determiner.rows(work)?;
    columns.table(&rows)
}

/// The sets of characters that a program reads, and by step which one. The last is that of words, if these matter.
fn sets(program: &Program, work: &mut Work) -> Option<(Vec<Set>, Vec<u16>, bool)> {
    let mut sets = Vec::new();
    let mut by_char = BTreeMap::new();
    let mut by_class = vec![None; program.classes().len()];
    let mut reads = Vec::with_capacity(program.steps().len());
    let mut has_words = false;
    for step in program.steps() {
        let set = match *step {
            Step::Char(c) => *by_char.entry(c).or_insert_with(|| {
                sets.push(Set::of(c));
                sets.len() - 1
            }),
            Step::Class(class) => {
                let known = &mut by_class[class as usize];
                match *known {
                    Some(set) => set,
                    None => {
                        sets.push(Set::plain(&program.classes()[class as usize], work)?);
                        *known.insert(sets.len() - 1)
                    }
                }
            }
            Step::Assert(Assertion::WordBoundary | Assertion::NotWordBoundary) => {
                has_words = true;
                0
            }
            Step::Assert(Assertion::Start | Assertion::End)
            | Step::Jump(_)
            | Step::Split(..)
            | Step::Match => 0,
        };
        reads.push(u16::try_from(set).ok()?);
    }
    if has_words {
        sets.push(Set::words());
    }
    Some((sets, reads, has_words))
}

impl Determiner<'_> {
    /// The rows of all states, the first of which is where the text starts.
    fn rows(&mut self, work: &mut Work) -> Option<Vec<u16>> {
        let mut rows = vec![DEAD, MATCHED];
        let start = self.number(&[AT_START, 0], work)?;
        debug_assert_eq!(usize::from(start), FIRST_ROW);
        // Elsewhere a match may begin as well, if it may begin anywhere.
        let mut restarts = false;
        for before in [0, AFTER_WORD] {
            for next in [Next::Word, Next::Other, Next::End] {
                let closure = self.closure(&[before, 0], next, work)?;
                restarts |= closure.matched || !closure.readers.is_empty();
            }
        }
        let mut at = 0;
        let mut reached = Vec::new();
        while let Some(state) = self.found.get(at).cloned() {
            at += 1;
            let other = self.closure(&state, Next::Other, work)?;
            let word =
                if self.has_words { self.closure(&state, Next::Word, work)? } else { Closure::default() };
            for column in 0..self.stride - 1 {
                let is_word = self.is_word[column];
                let closure = if is_word { &word } else { &other };
                work.spend(4 + closure.readers.len())?;
                if closure.matched {
                    rows.push(MATCHED);
                    continue;
                }
                reached.clear();
                reached.push(if is_word { AFTER_WORD } else { 0 });
                if restarts {
                    reached.push(0);
                }
                let has = |step: u32| self.has[usize::from(self.reads[step as usize])];
                let bit = |bits: [u64; 4]| bits[column / 64] >> (column % 64) & 1 == 1;
                reached.extend(closure.readers.iter().filter(|&&step| bit(has(step))).map(|step| step + 1));
                rows.push(if reached.len() == 1 { DEAD } else { self.number(&reached, work)? });
            }
            let end = self.closure(&state, Next::End, work)?;
            rows.push(if end.matched { MATCHED } else { DEAD });
        }
        Some(rows)
    }

    /// The state of these places in the program, in any order.
    fn number(&mut self, places: &[u32], work: &mut Work) -> Option<u16> {
        let (before, places) = places.split_first()?;
        let mut state = places.to_vec();
        state.sort_unstable();
        state.dedup();
        state.insert(0, *before);
        if let Some(&number) = self.numbers.get(&state[..]) {
            work.spend(2 * state.len())?;
            return Some(number);
        }
        work.spend(8 + 4 * state.len())?;
        let row = FIRST_ROW + self.found.len() * self.stride;
        let number = u16::try_from(row).ok().filter(|_| row + self.stride <= MAX_ENTRIES)?;
        let state: Box<[u32]> = state.into();
        self.numbers.insert(state.clone(), number);
        self.found.push(state);
        Some(number)
    }

    /// Follows all ways from a state to what reads a character.
    fn closure(&mut self, state: &[u32], next: Next, work: &mut Work) -> Option<Closure> {
        let mut closure = Closure::default();
        let (&before, places) = state.split_first()?;
        self.now += 1;
        let mut ways = places.to_vec();
        while let Some(way) = ways.pop() {
            let mut at = way as usize;
            while self.seen[at] != self.now {
                self.seen[at] = self.now;
                work.spend(1)?;
                match self.steps[at] {
                    Step::Char(_) | Step::Class(_) => {
                        closure.readers.push(at as u32);
                        break;
                    }
                    Step::Assert(assertion) => {
                        let is_boundary = (before & AFTER_WORD != 0) != (next == Next::Word);
                        let holds = match assertion {
                            Assertion::Start => before & AT_START != 0,
                            Assertion::End => next == Next::End,
                            Assertion::WordBoundary => is_boundary,
                            Assertion::NotWordBoundary => !is_boundary,
                        };
                        if !holds {
                            break;
                        }
                        at += 1;
                    }
                    Step::Jump(target) => at = target as usize,
                    Step::Split(first, second) => {
                        ways.push(second);
                        at = first as usize;
                    }
                    Step::Match => {
                        closure.matched = true;
                        return Some(closure);
                    }
                }
            }
        }
        Some(closure)
    }
}
