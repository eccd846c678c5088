//! Several tables as one, so that a text is walked through but once.
//!
//! A state is the states of all tables, as long as it matters what they come to: `^(?!.*\.\.)[\w.]+$` is dead with two dots, and the
//! first part of `^(?=.*\d)\w+$` has matched for good with a digit.

use super::Engine;
use super::parts::Parts;
use super::table::{DEAD, FIRST_ROW, MATCHED, Table};
use super::work::Work;
use std::collections::BTreeMap;

/// How many tables may become one.
const MAX_TABLES: usize = 8;

/// How many entries it may have: more would take longer to make than walking through the text again.
const MAX_ENTRIES: usize = 4 << 10;

/// Something for each table; what is behind the last is always the same.
type Each<T> = [T; MAX_TABLES];

/// One table for all parts, if they are tables and it is small.
pub(super) fn product(parts: &Parts, work: &mut Work) -> Option<Table> {
    let mut tables = Vec::new();
    collect(parts, &mut tables)?;
    let mut characters: Vec<char> = tables.iter().flat_map(|table| table.borders()).collect();
    work.spend((128 + characters.len()) * tables.len())?;
    characters.sort_unstable();
    characters.dedup();

    let mut known = BTreeMap::new();
    let mut columns = Vec::new();
    for c in ('\0'..='\u{7f}').chain(characters.iter().copied()) {
        let count = u8::try_from(known.len()).ok()?;
        columns.push(*known.entry(each(&tables, |_, table| table.column(c))).or_insert(count));
    }
    let end = u8::try_from(known.len()).ok()?;
    let mut by_column: Vec<(u8, Each<u8>)> = known.into_iter().map(|(each, column)| (column, each)).collect();
    by_column.sort_unstable();

    let stride = by_column.len() + 1;
    let mut found = vec![each(&tables, |_, table| table.start())];
    let mut numbers = BTreeMap::from([(found[0], FIRST_ROW as u16)]);
    let mut next = vec![DEAD, MATCHED];
    let mut at = 0;
    while let Some(&state) = found.get(at) {
        at += 1;
        work.spend(4 * MAX_TABLES * stride)?;
        for (_, column) in &by_column {
            let reached = each(&tables, |at, table| table.step(state[at], column[at]));
            next.push(match verdict(parts, &mut reached.iter()) {
                Some(holds) => {
                    if holds {
                        MATCHED
                    } else {
                        DEAD
                    }
                }
                None => match numbers.get(&reached) {
                    Some(&number) => number,
                    None => {
                        let row = FIRST_ROW + found.len() * stride;
                        let number = u16::try_from(row).ok().filter(|_| row + stride <= MAX_ENTRIES)?;
                        numbers.insert(reached, number);
                        found.push(reached);
                        number
                    }
                },
            });
        }
        let ended = each(&tables, |at, table| table.step(state[at], table.end()));
        next.push(if verdict(parts, &mut ended.iter())? { MATCHED } else { DEAD });
    }
    Table::from_parts(&columns, &characters, &next, end)
}

/// The tables of all parts, in their order.
fn collect<'p>(parts: &'p Parts, tables: &mut Vec<&'p Table>) -> Option<()> {
    match parts {
        Parts::One(engine) => match &**engine {
            Engine::Table(table) if tables.len() < MAX_TABLES => {
                tables.push(table);
                Some(())
            }
            Engine::Table(_)
            | Engine::Simple(_)
            | Engine::SingleClass(_)
            | Engine::Parts(_)
            | Engine::Matcher(_)
            | Engine::Any(_) => None,
        },
        Parts::Not(part) => collect(part, tables),
        Parts::All(parts) | Parts::Any(parts) => parts.iter().try_for_each(|part| collect(part, tables)),
    }
}

fn each<T: Default + Copy>(tables: &[&Table], of: impl Fn(usize, &Table) -> T) -> Each<T> {
    std::array::from_fn(|at| tables.get(at).map_or_else(T::default, |table| of(at, table)))
}

/// Whether the parts hold, as soon as the states of their tables decide that. All states of a part are taken.
fn verdict(parts: &Parts, states: &mut std::slice::Iter<'_, u16>) -> Option<bool> {
    match parts {
        Parts::One(_) => match *states.next()? {
            DEAD => Some(false),
            MATCHED => Some(true),
            _ => None,
        },
        Parts::Not(part) => verdict(part, states).map(|holds| !holds),
        Parts::All(parts) => all(parts, true, states),
        Parts::Any(parts) => all(parts, false, states),
    }
}

/// Their answer if all give this one, or else the other one.
fn all(parts: &[Parts], answer: bool, states: &mut std::slice::Iter<'_, u16>) -> Option<bool> {
    let mut all = Some(answer);
    for part in parts {
        all = match (all, verdict(part, states)) {
            (Some(one), _) | (_, Some(one)) if one != answer => Some(one),
            (Some(_), Some(_)) => Some(answer),
            (None, _) | (_, None) => None,
        };
    }
    all
}
