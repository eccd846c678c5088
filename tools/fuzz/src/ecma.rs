//! Patterns by construction match what `regress`, an engine for ECMA-262, and `fancy-regex` match.
//!
//! They are made of what all three define the same: letters, classes, repetitions, groups, anchors, lookaround, word
//! boundaries; back references for `regress` alone, since others take a group that did not match in another way.
//!
//! Nothing is repeated that has a repetition inside, as in `(a*)*`: `regress` tries exponentially many ways through such a
//! pattern, and has no limit.

use arbitrary::{Result, Unstructured};
use serde_json::json;
use stanchion::{Validator, Verdict};
use stanchion_suite::regression;

use crate::seeds::Seed;

/// A pattern and texts made from the bytes.
pub fn target(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    let mut pattern = Pattern::default();
    if pattern.alternation(&mut bytes, 3).is_err() || pattern.text.len() > 60 {
        return;
    }
    let schema = json!({"pattern": pattern.text});
    let Ok(validator) = Validator::new(&schema) else { return };
    let oracle = regress::Regex::with_flags(&pattern.text, "u").ok();
    let other = (!pattern.has_back_reference)
        .then(|| fancy_regex::RegexBuilder::new(&pattern.text).backtrack_limit(100_000).build().ok())
        .flatten();
    for _ in 0..4 {
        let Ok(text) = text(&mut bytes) else { return };
        let verdict = validator.verdict(&json!(text));
        let answers = [
            ("regress", oracle.as_ref().map(|oracle| oracle.find(&text).is_some())),
            ("fancy-regex", other.as_ref().and_then(|other| other.is_match(&text).ok())),
        ];
        for (name, answer) in answers {
            let Some(matches) = answer else { continue };
            if verdict != if matches { Verdict::Valid } else { Verdict::Invalid } {
                let why = format!("{name}: {matches}, here: {verdict:?}");
                let instance = json!(text).to_string();
                let kept = regression::keep("fuzz-ecma", &why, &schema, &[(instance, matches)]);
                panic!("{} on {text:?}: {why}; kept in {kept:?}", pattern.text);
            }
        }
    }
}

/// A text of a few letters; short, since the oracles go back and forth.
fn text(bytes: &mut Unstructured<'_>) -> Result<String> {
    (0..bytes.int_in_range(0..=12)?)
        .map(|_| Ok(*bytes.choose(&['a', 'b', 'c', 'a', 'b', '-', '1'])?))
        .collect()
}

#[derive(Default)]
struct Pattern {
    text: String,
    /// How many groups were opened so far.
    groups: usize,
    /// The numbers of those that are closed. A reference to an open group matches nothing, which `regress` does otherwise.
    closed: Vec<usize>,
    /// How many repetitions there are so far.
    repetitions: usize,
    has_back_reference: bool,
}

impl Pattern {
    fn alternation(&mut self, bytes: &mut Unstructured<'_>, depth: usize) -> Result<()> {
        self.sequence(bytes, depth)?;
        while bytes.ratio(1, 4)? && !bytes.is_empty() {
            self.text.push('|');
            self.sequence(bytes, depth)?;
        }
        Ok(())
    }

    fn sequence(&mut self, bytes: &mut Unstructured<'_>, depth: usize) -> Result<()> {
        for _ in 0..bytes.int_in_range(0..=3)? {
            self.term(bytes, depth)?;
        }
        Ok(())
    }

    fn term(&mut self, bytes: &mut Unstructured<'_>, depth: usize) -> Result<()> {
        let choice = bytes.int_in_range(0..=if depth == 0 { 11 } else { 19 })?;
        let takes = match choice {
            0..=3 => *bytes.choose(&["a", "b", "c", "-"])?,
            4 => ".",
            5 => *bytes.choose(&["[ab]", "[a-c]", "[^a]", "[-1]"])?,
            6 => *bytes.choose(&["\\d", "\\w", "\\W", "[\\d-]"])?,
            7 => "^",
            8 => "$",
            9 => *bytes.choose(&["\\b", "\\B"])?,
            10 | 11 if !self.closed.is_empty() => {
                self.has_back_reference = true;
                let group = *bytes.choose(&self.closed)?;
                self.text += &format!("(?:\\{group})");
                return self.repetition(bytes);
            }
            10 | 11 => "ab",
            12..=15 => {
                let before = self.repetitions;
                let captures = choice <= 13;
                self.text.push_str(if captures { "(" } else { "(?:" });
                self.groups += usize::from(captures);
                let group = self.groups;
                self.alternation(bytes, depth - 1)?;
                self.text.push(')');
                if captures {
                    self.closed.push(group);
                }
                return if self.repetitions == before { self.repetition(bytes) } else { Ok(()) };
            }
            _ => {
                self.text += bytes.choose(&["(?=", "(?!", "(?<=", "(?<!"])?;
                let closed = self.closed.len();
                self.alternation(bytes, depth - 1)?;
                self.text.push(')');
                // What a lookaround captured is not referred to.
                self.closed.truncate(closed);
                return Ok(());
            }
        };
        self.text += takes;
        if (7..=9).contains(&choice) { Ok(()) } else { self.repetition(bytes) }
    }

    fn repetition(&mut self, bytes: &mut Unstructured<'_>) -> Result<()> {
        let kinds = ["", "", "", "*", "+", "?", "{2}", "{1,3}", "{0,1}", "{2,}", "*?", "+?", "??"];
        let kind = bytes.choose(&kinds)?;
        self.repetitions += usize::from(!kind.is_empty());
        self.text += kind;
        Ok(())
    }
}

/// Choices at random.
#[must_use]
pub fn seeds(_: &[Seed]) -> Vec<Vec<u8>> {
    Vec::new()
}
