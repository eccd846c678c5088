//! A pattern as a table of states: one look for each character.
//!
//! A state is the set of [positions](super::positions) that the text may have come to. Characters which no set of the pattern
//! tells apart are one column, so the table is small and soon made: for most patterns in a few microseconds,
//! where an automaton of bytes takes a hundred.

use super::charset::Set;
use super::positions::{Bits, Positions, each, is_empty, meet, union};
use super::work::Work;
use crate::heap::allocation;
use crate::limits::{Budget, Stopped};
use stanchion_vocab::ecma::Ast;
use std::collections::BTreeMap;

/// How many entries a table may have, whatever the size of its pattern. With one more for each row their places are still numbers of 16 bits.
pub(super) const MAX_ENTRIES: usize = 16 << 10;

/// No match can come anymore.
pub(super) const DEAD: u16 = 0;
/// The pattern has matched.
pub(super) const MATCHED: u16 = 1;
/// A byte is no character by itself.
const BEYOND: u16 = 2;
/// Where the row of the first state is, as tables are built: before it are those for the first two of these.
pub(super) const FIRST_ROW: usize = 2;

#[derive(Debug)]
pub(super) struct Table {
    /// The column of each character of ASCII. Other bytes have one that leads to [`BEYOND`], so that they need no test of their own.
    columns: [u8; 256],
    /// The columns of other characters: each from this one on.
    beyond: Box<[(char, u8)]>,
    /// The next state by state and column; a state is where its row begins. Behind the columns of characters are those of the text's end and of
    /// bytes that are none.
    next: Box<[u16]>,
    start: u16,
    end: u8,
}

impl Table {
    /// The table of a pattern, if it is small and takes no more work than there is.
    pub(super) fn new(ast: &Ast, work: &mut Work) -> Option<Table> {
        // Words are few, or there are many: two forms of the same code.
        match Positions::<1>::new(ast, work) {
            Some(positions) => build(positions),
            None => build(Positions::<4>::new(ast, work)?),
        }
    }

    /// Whether the pattern is found in a text, which is paid for. What is beyond ASCII is apart, so that others need no room
    /// for it.
    pub(super) fn match_within(&self, budget: &mut Budget, text: &str) -> Result<bool, Stopped> {
        budget.spend(2 + text.len() as u64 / 16)?;
        let mut state = usize::from(self.start);
        for &byte in text.as_bytes() {
            let after = usize::from(self.next[state + usize::from(self.columns[usize::from(byte)])]);
            // Many characters lead back to the state that they come from. If that is guessed, the next need not wait for this look.
            if after == state {
                continue;
            }
            if after == usize::from(BEYOND) {
                return self.match_beyond(budget, state, text);
            }
            if after <= usize::from(MATCHED) {
                return Ok(after == usize::from(MATCHED));
            }
            state = after;
        }
        Ok(self.next[state + usize::from(self.end)] == MATCHED)
    }

    /// Goes on from the first character beyond ASCII, before which the text has come to that state.
    #[inline(never)]
    fn match_beyond(&self, budget: &mut Budget, mut state: usize, text: &str) -> Result<bool, Stopped> {
        // Each is looked for in ranges.
        budget.spend(text.len() as u64 / 8)?;
        for c in text.chars().skip_while(char::is_ascii) {
            state = usize::from(self.next[state + usize::from(self.column(c))]);
            if state <= usize::from(MATCHED) {
                return Ok(state == usize::from(MATCHED));
            }
        }
        Ok(self.next[state + usize::from(self.end)] == MATCHED)
    }

    /// The bytes that it has on the heap.
    pub(super) fn on_heap(&self) -> usize {
        allocation(size_of_val(&*self.beyond)) + allocation(size_of_val(&*self.next))
    }

    /// The column of a character.
    pub(super) fn column(&self, c: char) -> u8 {
        if c.is_ascii() { self.columns[c as usize] } else { self.column_beyond(c) }
    }

    /// The column of the text's end.
    pub(super) fn end(&self) -> u8 {
        self.end
    }

    /// The characters beyond ASCII at which columns begin.
    pub(super) fn borders(&self) -> impl Iterator<Item = char> {
        self.beyond.iter().map(|&(from, _)| from)
    }

    pub(super) fn start(&self) -> u16 {
        self.start
    }

    /// The state that comes after another.
    pub(super) fn step(&self, state: u16, column: u8) -> u16 {
        if state <= MATCHED { state } else { self.next[usize::from(state) + usize::from(column)] }
    }

    /// A table by the columns of ASCII and of these characters, and the rows of all states, in which the text's end is the last column. The first state
    /// begins.
    pub(super) fn from_parts(columns: &[u8], borders: &[char], rows: &[u16], end: u8) -> Option<Table> {
        let (ascii, others) = columns.split_first_chunk::<128>()?;
        let mut beyond: Vec<(char, u8)> = borders.iter().copied().zip(others.iter().copied()).collect();
        beyond.dedup_by_key(|&mut (_, column)| column);
        let mut columns = [end.checked_add(1)?; 256];
        columns[..128].copy_from_slice(ascii);
        let stride = usize::from(end) + 1;
        let place = |row: usize| usize::from(BEYOND) + 1 + row * (stride + 1);
        let mut next = Vec::with_capacity(place(rows.len() / stride));
        next.extend([DEAD, MATCHED, BEYOND]);
        for row in rows[FIRST_ROW..].chunks_exact(stride) {
            next.extend(row.iter().map(|&state| match state {
                DEAD | MATCHED => state,
                _ => place((usize::from(state) - FIRST_ROW) / stride) as u16,
            }));
            next.push(BEYOND);
        }
        Some(Table { columns, beyond: beyond.into(), next: next.into(), start: place(0) as u16, end })
    }

    #[cold]
    fn column_beyond(&self, c: char) -> u8 {
        let after = self.beyond.partition_point(|&(from, _)| from <= c);
        // INVARIANT: the first of them begins with the first character beyond ASCII.
        self.beyond[after.saturating_sub(1)].1
    }
}

/// The characters by which sets contain them.
pub(super) struct Columns {
    count: usize,
    /// Of each character of ASCII, then of those at which a set begins or ends.
    columns: Vec<u8>,
    characters: Vec<char>,
}

impl Columns {
    /// The columns of sets that have no properties.
    pub(super) fn new(sets: &[Set], work: &mut Work) -> Option<Columns> {
        let mut borders = vec!['\u{80}'];
        for set in sets {
            set.push_borders(&mut borders)?;
        }
        work.spend(2 * borders.len())?;
        borders.sort_unstable();
        borders.dedup();
        work.spend((128 + 2 * borders.len()) * sets.len())?;
        let characters: Vec<char> = ('\0'..='\u{7f}').chain(borders).collect();
        let mut columns = vec![0u8; characters.len()];
        let mut count = 1;
        for set in sets {
            // Each column becomes two: what the set has of it, and what it has not.
            let mut parts = [[None; 2]; 256];
            count = 0;
            for (column, &c) in columns.iter_mut().zip(&characters) {
                let part = &mut parts[usize::from(*column)][usize::from(set.has(c))];
                if part.is_none() {
                    // One is left for the text's end.
                    *part = Some(u8::try_from(count).ok().filter(|&count| count < u8::MAX)?);
                    count += 1;
                }
                *column = part.unwrap_or(0);
            }
        }
        Some(Columns { count, columns, characters })
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The columns of a set: a bit for each.
    pub(super) fn of(&self, set: &Set) -> [u64; 4] {
        let mut bits = [0; 4];
        for (&column, &c) in self.columns.iter().zip(&self.characters) {
            bits[usize::from(column) / 64] |= u64::from(set.has(c)) << (column % 64);
        }
        bits
    }

    /// The table with these rows.
    pub(super) fn table(&self, rows: &[u16]) -> Option<Table> {
        Table::from_parts(&self.columns, &self.characters[128..], rows, self.count as u8)
    }

    /// By column, the positions that take its characters.
    fn takers<const W: usize>(&self, positions: &Positions<'_, W>) -> Vec<Bits<W>> {
        let mut by_set = vec![[0; W]; positions.sets.len()];
        for (position, &set) in positions.takes.iter().enumerate() {
            by_set[usize::from(set)][position / 64] |= 1 << (position % 64);
        }
        let mut takers = vec![[0; W]; self.count];
        let mut is_done = [false; 256];
        for (&column, &c) in self.columns.iter().zip(&self.characters) {
            if std::mem::replace(&mut is_done[usize::from(column)], true) {
                continue;
            }
            for (set, bits) in positions.sets.iter().zip(&by_set) {
                if set.has(c) {
                    union(&mut takers[usize::from(column)], bits);
                }
            }
        }
        takers
    }
}

/// States that were found, and the rows of those that were filled in.
struct States<const W: usize> {
    numbers: BTreeMap<Bits<W>, u16>,
    found: Vec<Bits<W>>,
    stride: usize,
}

impl<const W: usize> States<W> {
    /// The state in which the text has come to these positions.
    fn number(&mut self, bits: Bits<W>) -> Option<u16> {
        if let Some(&number) = self.numbers.get(&bits) {
            return Some(number);
        }
        // The start has a row too, and before it are two places for states without one.
        let row = FIRST_ROW + (self.found.len() + 1) * self.stride;
        let number = u16::try_from(row).ok().filter(|_| row + self.stride <= MAX_ENTRIES)?;
        self.numbers.insert(bits, number);
        self.found.push(bits);
        Some(number)
    }
}

fn build<const W: usize>(positions: Positions<'_, W>) -> Option<Table> {
    let columns = Columns::new(&positions.sets, positions.work)?;
    let takers = columns.takers(&positions);
    let stride = columns.count + 1;
    let mut states = States { numbers: BTreeMap::new(), found: Vec::new(), stride };
    let mut next = vec![DEAD, MATCHED];
    let starts_anywhere = !is_empty(&positions.anywhere);
    let mut expected = positions.anywhere;
    union(&mut expected, &positions.first);
    let mut matches_at_end = positions.takes_empty;
    let mut at = 0;
    loop {
        positions.work.spend((2 + W) * stride)?;
        for takers in &takers {
            let reached = meet(&expected, takers);
            next.push(if !is_empty(&meet(&reached, &positions.matched)) {
                MATCHED
            } else if is_empty(&reached) && !starts_anywhere {
                DEAD
            } else {
                states.number(reached)?
            });
        }
        next.push(if matches_at_end { MATCHED } else { DEAD });
        let Some(state) = states.found.get(at) else { break };
        at += 1;
        expected = positions.anywhere;
        for position in each(state) {
            positions.work.spend(1)?;
            union(&mut expected, &positions.after[position]);
        }
        matches_at_end = !is_empty(&meet(state, &positions.matched_at_end));
    }
    columns.table(&next)
}
