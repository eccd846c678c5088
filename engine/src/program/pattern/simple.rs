//! Patterns that need no states.
//!
//! One comparison is all for `^x-`, and for a pattern that every text matches not even that. The others are here
//! since their states would be too many: a long list of words, and `^[A-Za-z0-9+/]{1,4000}={0,2}$`, where what comes next always
//! shows whether a row of characters goes on.

use super::charset::{Ascii, Set};
use super::pieces::{Piece, split};
use super::words;
use super::work::Work;
use stanchion_vocab::ecma::Ast;

/// A pattern that is matched without states.
#[derive(Debug)]
pub(super) enum Simple {
    /// Every text matches.
    Always,
    /// The text begins with this.
    Prefix(Box<str>),
    /// The text ends with this.
    Suffix(Box<str>),
    /// The text is one of these, which are sorted.
    Words(Box<[Box<str>]>),
    /// The text begins with these rows, or is these rows. Beyond ASCII a character costs so many looks in tables.
    Rows { rows: Box<[Row]>, ends: bool, price: u64 },
}

/// As many characters of a set as there are: at least `min`, at most `max`.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) set: Set,
    min: u32,
    max: u32,
}

impl Simple {
    /// The pattern, if it is a simple one.
    pub(super) fn new(ast: &Ast, work: &mut Work) -> Option<Simple> {
        let pieces = split(ast);
        if pieces.iter().any(Piece::is_always) {
            return Some(Simple::Always);
        }
        if let [Piece { starts, ends, items: [Ast::Literal(text)] }] = &*pieces
            && starts != ends
        {
            let text = text.as_str().into();
            return Some(if *starts { Simple::Prefix(text) } else { Simple::Suffix(text) });
        }
        if pieces.iter().all(|piece| piece.starts && piece.ends)
            && let Some(words) = work.half(|work| words::list(pieces.iter().map(|piece| piece.items), work))
        {
            return Some(Simple::Words(words));
        }
        match &*pieces {
            [Piece { starts: true, ends, items }] => {
                let rows = rows(items, *ends)?;
                let price = rows.iter().map(|row| row.set.price()).max().unwrap_or(0);
                Some(Simple::Rows { rows, ends: *ends, price })
            }
            _ => None,
        }
    }

    /// Whether it takes one comparison at most: nothing is faster.
    pub(super) fn is_literal(&self) -> bool {
        match self {
            Simple::Always | Simple::Prefix(_) | Simple::Suffix(_) => true,
            Simple::Words(words) => words.len() == 1,
            Simple::Rows { .. } => false,
        }
    }

    /// The steps for a text of so many bytes.
    #[inline]
    pub(super) fn cost(&self, bytes: u64) -> u64 {
        match self {
            Simple::Always => 1,
            Simple::Prefix(text) | Simple::Suffix(text) => 2 + text.len() as u64 / 64,
            Simple::Words(_) => 2 + bytes / 16,
            Simple::Rows { price, .. } => 2 + bytes / 16 + bytes / 8 * price,
        }
    }

    #[inline]
    pub(super) fn is_match(&self, text: &str) -> bool {
        match self {
            Simple::Always => true,
            Simple::Prefix(prefix) => text.as_bytes().starts_with(prefix.as_bytes()),
            Simple::Suffix(suffix) => text.as_bytes().ends_with(suffix.as_bytes()),
            Simple::Words(words) => words.binary_search_by(|word| (**word).cmp(text)).is_ok(),
            Simple::Rows { rows, ends, .. } => match rows.iter().try_fold(0, |at, row| row.take(text, at)) {
                None => false,
                Some(end) => !ends || end == text.len(),
            },
        }
    }
}

impl Row {
    /// Whether so many characters may be in it.
    #[inline]
    pub(super) fn takes(&self, count: usize) -> bool {
        (self.min..=self.max).contains(&u32::try_from(count).unwrap_or(u32::MAX))
    }

    /// Where the row ends that begins at `at`.
    fn take(&self, text: &str, mut at: usize) -> Option<usize> {
        for count in 0..self.max {
            match self.set.take(text, at) {
                Some(length) => at += length,
                None if count < self.min => return None,
                None => break,
            }
        }
        Some(at)
    }
}

/// The characters that may come next at a place: those of ASCII, and whether there are some beyond. The end of the text differs from both.
type Next = (Ascii, bool);

/// A pattern's items as rows, if it never matters where a row ends but at the first character that it does not take.
fn rows(items: &[Ast], ends: bool) -> Option<Box<[Row]>> {
    let mut rows = Vec::new();
    // From the last to the first: so it is known what may come after.
    let mut next = Some((Ascii::NONE, false)).filter(|_| ends);
    for item in items.iter().rev() {
        push_rows(item, &mut rows, &mut next)?;
    }
    rows.reverse();
    Some(rows.into())
}

/// Puts an item's rows before others. If nothing has to come after, `next` is none.
fn push_rows(ast: &Ast, rows: &mut Vec<Row>, next: &mut Option<Next>) -> Option<()> {
    match ast {
        Ast::Empty => Some(()),
        Ast::Literal(text) => text.chars().rev().try_for_each(|c| push_row(Set::of(c), 1, 1, rows, next)),
        Ast::Class(class) => push_row(Set::new(class), 1, 1, rows, next),
        Ast::Group(group) => push_rows(&group.body, rows, next),
        Ast::Concat(items) => items.iter().rev().try_for_each(|item| push_rows(item, rows, next)),
        Ast::Repeat(repeat) => {
            let mut characters = Vec::new();
            push_rows(&repeat.body, &mut characters, &mut Some((Ascii::NONE, false)))?;
            match <[Row; 1]>::try_from(characters) {
                Ok([Row { set, min: 1, max: 1 }]) => {
                    push_row(set, repeat.min, repeat.max.unwrap_or(u32::MAX), rows, next)
                }
                Ok(_) | Err(_) => None,
            }
        }
        Ast::Alternate(_) | Ast::Assertion(_) | Ast::Look(_) | Ast::Backreference(_) => None,
    }
}

fn push_row(set: Set, min: u32, max: u32, rows: &mut Vec<Row>, next: &mut Option<Next>) -> Option<()> {
    let (ascii, beyond) = (set.ascii(), set.has_beyond());
    let max = if next.is_none() { min } else { max };
    if max == 0 {
        return Some(());
    }
    let (next_ascii, next_beyond) = next.unwrap_or((Ascii::NONE, false));
    if min != max && (ascii.meets(next_ascii) || beyond && next_beyond) {
        return None;
    }
    *next = Some(if min == 0 { (ascii.union(next_ascii), beyond || next_beyond) } else { (ascii, beyond) });
    rows.push(Row { set, min, max });
    Some(())
}
