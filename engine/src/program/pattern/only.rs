//! Patterns that say of every character of a text the same: `^[a-z0-9_-]+$`, `^.+$`, `^[0-9a-f]{32}$`.
//!
//! There is no state to keep, so that no look has to wait for the one before.

use super::simple::{Row, Simple};
use crate::limits::{Budget, Stopped};

/// So many characters of one set, and no others.
#[derive(Debug)]
pub(super) struct Only {
    row: Row,
    /// Which bytes are characters of the set by themselves: of ASCII.
    has: [bool; 256],
}

impl Only {
    /// The pattern, if it is of that kind; or else what it was.
    pub(super) fn of(simple: Simple) -> Result<Only, Simple> {
        let Simple::Rows { rows, ends: true } = simple else { return Err(simple) };
        match <[Row; 1]>::try_from(rows.into_vec()) {
            // What is told by properties of Unicode takes longer than a state.
            Ok([row]) if !row.set.has_properties() => {
                let has = std::array::from_fn(|byte| byte < 128 && row.set.has(char::from(byte as u8)));
                Ok(Only { row, has })
            }
            Ok(row) => Err(Simple::Rows { rows: row.into(), ends: true }),
            Err(rows) => Err(Simple::Rows { rows: rows.into(), ends: true }),
        }
    }

    /// Whether a text matches, which is paid for. Who calls it needs no room for it.
    #[inline(never)]
    pub(super) fn match_within(&self, budget: &mut Budget, text: &str) -> Result<bool, Stopped> {
        budget.spend(2 + text.len() as u64 / 16)?;
        let (words, rest) = text.as_bytes().as_chunks::<8>();
        let all = |bytes: &[u8]| bytes.iter().fold(true, |all, &byte| all & self.has[usize::from(byte)]);
        if words.iter().all(|word| all(word)) && all(rest) {
            return Ok(self.row.takes(text.len()));
        }
        if self.row.set.has_beyond() { self.match_beyond(budget, text) } else { Ok(false) }
    }

    /// The same where some characters may be beyond ASCII. Each is looked for in ranges, which takes longer.
    #[cold]
    #[inline(never)]
    fn match_beyond(&self, budget: &mut Budget, text: &str) -> Result<bool, Stopped> {
        budget.spend(text.len() as u64 / 4)?;
        Ok(text.chars().all(|c| self.row.set.has(c)) && self.row.takes(text.chars().count()))
    }
}
