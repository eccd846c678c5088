//! JSON text, read into buffers that are used again.
//!
//! simd-json reads it onto a tape. What it refuses is read again by serde_json, whose answer
//! counts: numbers beyond 64 bits, and errors, which then have a line and a column. So do documents
//! with a repeated name, where serde_json keeps the last member. By either way the verdict
//! is that of the `serde_json::Value` of the text.

use serde_json::Value;
use std::fmt;

/// A text that is not JSON, or is nested deeper than 127 arrays and objects.
#[derive(Debug)]
pub struct TextError(serde_json::Error);

impl TextError {
    /// The line of the error, from 1.
    pub fn line(&self) -> usize {
        self.0.line()
    }

    /// The column of the error, from 1.
    pub fn column(&self) -> usize {
        self.0.column()
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

impl std::error::Error for TextError {}

/// Buffers for reading JSON text, kept from one document to the next.
///
/// ```
/// use stanchion::{Reader, Validator, Verdict};
/// let validator = Validator::new(&serde_json::json!({"type": "integer"}))?;
/// let mut reader = Reader::new();
/// assert_eq!(validator.verdict_json_with(&mut reader, b"42")?, Verdict::Valid);
/// assert_eq!(validator.verdict_json_with(&mut reader, b"[]")?, Verdict::Invalid);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Reader {
    #[cfg(feature = "simd-json")]
    tape: tape::Buffers,
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Reader").finish_non_exhaustive()
    }
}

/// A document, in whichever representation it was read.
pub(crate) enum Parsed<'a> {
    #[cfg(feature = "simd-json")]
    Tape(super::TapeNode<'a>),
    Value(&'a Value),
}

impl Reader {
    /// No buffers yet: they grow with the first document.
    pub fn new() -> Reader {
        Reader::default()
    }

    /// Reads `text`, and gives the document to `then`.
    pub(crate) fn read<T>(
        &mut self,
        text: &[u8],
        then: impl FnOnce(Parsed<'_>) -> T,
    ) -> Result<T, TextError> {
        // A tape holds floats; where numbers are texts, only serde_json keeps their digits.
        #[cfg(feature = "simd-json")]
        let then = if super::serde_json::NUMBERS_ARE_TEXT {
            then
        } else {
            match self.tape.read(text, then) {
                Ok(answer) => return Ok(answer),
                Err(then) => then,
            }
        };
        let value: Value = serde_json::from_slice(text).map_err(TextError)?;
        Ok(then(Parsed::Value(&value)))
    }
}

#[cfg(feature = "simd-json")]
mod tape {
    use super::Parsed;
    use crate::instance::{Node, Object, TapeNode, View};
    use ahash::RandomState;
    use simd_json::{Node as Entry, Tape};

    /// As deep as serde_json goes.
    const DEPTH: usize = 127;

    pub(super) struct Buffers {
        bytes: Vec<u8>,
        buffers: simd_json::Buffers,
        tape: Tape<'static>,
        hashes: Vec<u64>,
        seeds: RandomState,
    }

    impl Default for Buffers {
        fn default() -> Buffers {
            Buffers {
                bytes: Vec::new(),
                buffers: simd_json::Buffers::with_max_depth(0, DEPTH),
                tape: Tape::null(),
                hashes: Vec::new(),
                seeds: crate::program::names::random_seeds(),
            }
        }
    }

    impl Buffers {
        /// Gives the tape of `text` to `then`, or `then` back where a tape will not do.
        pub(super) fn read<T, F: FnOnce(Parsed<'_>) -> T>(&mut self, text: &[u8], then: F) -> Result<T, F> {
            self.bytes.clear();
            self.bytes.extend_from_slice(text);
            let mut tape = std::mem::replace(&mut self.tape, Tape(Vec::new())).reset();
            let read = simd_json::fill_tape(&mut self.bytes, &mut self.buffers, &mut tape);
            let answer = if read.is_ok() && !has_repeated_names(&tape, &mut self.hashes, &self.seeds) {
                Ok(then(Parsed::Tape(TapeNode::from(&tape))))
            } else {
                Err(then)
            };
            self.tape = tape.reset();
            answer
        }
    }

    /// Up to so many names are compared each with each; more are hashed.
    const COMPARED_DIRECTLY: usize = 8;

    /// Whether some object may have two members of one name. It errs on the side of yes.
    fn has_repeated_names(tape: &Tape<'_>, hashes: &mut Vec<u64>, seeds: &RandomState) -> bool {
        tape.0.iter().enumerate().any(|(at, entry)| {
            let Entry::Object { len: 2.., .. } = *entry else { return false };
            let View::Object(members) = TapeNode::at(tape, at).view() else { return false };
            if members.len() <= COMPARED_DIRECTLY {
                let mut names = [""; COMPARED_DIRECTLY];
                for ((name, _), slot) in members.iter().zip(&mut names) {
                    *slot = name;
                }
                let names = &names[..members.len()];
                names.iter().enumerate().any(|(index, name)| names[..index].contains(name))
            } else {
                hashes.clear();
                hashes.extend(members.iter().map(|(name, _)| seeds.hash_one(name)));
                hashes.sort_unstable();
                hashes.windows(2).any(|pair| pair[0] == pair[1])
            }
        })
    }
}
