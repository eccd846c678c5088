//! Runs a validator on the texts of a column, on several threads.

use crate::ColumnValidator;
use crate::column::Column;
use stanchion::{Reader, Verdict};
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Texts that a thread takes at a time, at most.
const RANGE_TEXTS: usize = 1_024;

/// Ranges for each thread, at least, so that threads end at about the same time.
const RANGES_PER_THREAD: usize = 8;

/// Columns of fewer bytes are validated by the thread that calls: starting others would take longer.
const SHORT_COLUMN_BYTES: usize = 64 << 10;

/// A reader of a longer text gives its buffers back.
const KEPT_TEXT_BYTES: usize = 1 << 20;

/// The verdict on a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextVerdict {
    Valid,
    Invalid,
    Undecided,
    NotJson,
}

impl TextVerdict {
    pub(crate) fn name(self) -> &'static str {
        match self {
            TextVerdict::Valid => "valid",
            TextVerdict::Invalid => "invalid",
            TextVerdict::Undecided => "undecided",
            TextVerdict::NotJson => "not_json",
        }
    }
}

/// The reason why a text is not valid.
pub(crate) struct Reason {
    index: usize,
    pub(crate) error: String,
    /// Paths into the instance and the schema, if the text is JSON.
    pub(crate) paths: Option<(String, String)>,
}

/// Verdicts on texts, and reasons for those that are not valid.
#[derive(Default)]
pub(crate) struct Found {
    verdicts: Vec<TextVerdict>,
    /// In the order of the texts; empty if they were not wanted.
    reasons: Vec<Reason>,
}

impl Found {
    /// Validates all texts of a column.
    pub(crate) fn of(column: &Column, validator: &ColumnValidator, explain: bool) -> Found {
        let (texts, threads) = (column.texts_len, validator.threads.get());
        let run = |range| validate(column, validator, explain, range);
        if threads == 1 || is_short(column) {
            return run(0..texts);
        }
        let step = (texts / (threads * RANGES_PER_THREAD)).clamp(1, RANGE_TEXTS);
        let ranges = texts.div_ceil(step);
        let next = AtomicUsize::new(0);
        let work = || {
            let mut done = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= ranges {
                    return done;
                }
                let start = number * step;
                done.push((number, run(start..texts.min(start + step))));
            }
        };
        let mut done = thread::scope(|scope| {
            let others: Vec<_> = (1..threads.min(ranges)).map(|_| scope.spawn(work)).collect();
            let mut done = work();
            for other in others {
                match other.join() {
                    Ok(more) => done.extend(more),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            done
        });
        done.sort_unstable_by_key(|(number, _)| *number);
        let mut all = Found { verdicts: Vec::with_capacity(texts), reasons: Vec::new() };
        for (_, mut found) in done {
            all.verdicts.append(&mut found.verdicts);
            all.reasons.append(&mut found.reasons);
        }
        all
    }

    /// The verdict on a text.
    pub(crate) fn verdict(&self, index: usize) -> TextVerdict {
        self.verdicts[index]
    }

    /// Why a text is not valid.
    pub(crate) fn reason(&self, index: usize) -> Option<&Reason> {
        if self.verdicts[index] == TextVerdict::Valid {
            return None;
        }
        let found = self.reasons.binary_search_by_key(&index, |reason| reason.index).ok()?;
        self.reasons.get(found)
    }
}

fn is_short(column: &Column) -> bool {
    let mut bytes = 0;
    for index in 0..column.texts_len {
        // A text of a few bytes takes time, too.
        bytes += 16 + column.text(index).map_or(0, <[u8]>::len);
        if bytes > SHORT_COLUMN_BYTES {
            return false;
        }
    }
    true
}

/// Validates a range of texts. Those that no row has count as valid.
fn validate(column: &Column, validator: &ColumnValidator, explain: bool, texts: Range<usize>) -> Found {
    let mut reader = Reader::new();
    let mut found = Found { verdicts: Vec::with_capacity(texts.len()), reasons: Vec::new() };
    for index in texts {
        let Some(text) = column.text(index) else {
            found.verdicts.push(TextVerdict::Valid);
            continue;
        };
        let mut reason = |error, paths| {
            if explain {
                found.reasons.push(Reason { index, error, paths });
            }
        };
        let verdict = match reader.parse(text) {
            Err(error) => {
                if explain {
                    reason(error.to_string(), None);
                }
                TextVerdict::NotJson
            }
            Ok(instance) => {
                let root = instance.root();
                let verdict = match validator.validator.verdict(root) {
                    Verdict::Valid => TextVerdict::Valid,
                    Verdict::Invalid => TextVerdict::Invalid,
                    Verdict::Undecided(_) => TextVerdict::Undecided,
                };
                if explain
                    && verdict != TextVerdict::Valid
                    && let Err(error) = validator.validator.validate(root)
                {
                    let paths = (error.instance_path().to_owned(), error.schema_path().to_owned());
                    reason(validator.messages.message(&error), Some(paths));
                }
                verdict
            }
        };
        found.verdicts.push(verdict);
        if text.len() > KEPT_TEXT_BYTES {
            reader = Reader::new();
        }
    }
    found
}
