//! Patterns that ask the same of every character of a text: `^[a-z0-9_-]+$`, `^.+$`, `^[0-9a-f]{32}$`.
//!
//! There is no state to keep, so no lookup has to wait for the one before.

use super::simple::{Row, Simple};
use crate::limits::{Budget, Stopped};

/// So many characters of one set, and no others.
#[derive(Debug)]
pub(super) struct SingleClass {
    row: Row,
    /// Which bytes are characters of the set by themselves: of ASCII.
    has: [bool; 256],
}

impl SingleClass {
    /// Turns a simple pattern into one of this kind, or gives it back.
    pub(super) fn of(simple: Simple) -> Result<SingleClass, Simple> {
        let Simple::Rows { rows, ends: true, price } = simple else { return Err(simple) };
        match <[Row; 1]>::try_from(rows.into_vec()) {
            Ok([row]) => {
                let has = std::array::from_fn(|byte| byte < 128 && row.set.has(char::from(byte as u8)));
                Ok(SingleClass { row, has })
            }
            Err(rows) => Err(Simple::Rows { rows: rows.into(), ends: true, price }),
        }
    }

    pub(super) fn row(&self) -> &Row {
        &self.row
    }

    /// Whether a text matches, which is paid for. Not inlined, so that the caller's frame stays small.
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

    /// Matches a text of which some characters may be beyond ASCII. Each is looked for in ranges, which takes longer.
    #[cold]
    #[inline(never)]
    fn match_beyond(&self, budget: &mut Budget, text: &str) -> Result<bool, Stopped> {
        budget.spend(text.len() as u64 / 8 * (1 + self.row.set.price()))?;
        Ok(text.chars().all(|c| self.row.set.has(c)) && self.row.takes(text.chars().count()))
    }
}
