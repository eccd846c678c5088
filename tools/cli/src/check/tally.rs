//! What came of all instances, in numbers.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::{Value, json};

use crate::Outcome;

/// How many instances ended how.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) valid: u64,
    pub(crate) invalid: u64,
    pub(crate) undecided: u64,
    /// What could not be read as JSON, or has no schema.
    pub(crate) unusable: u64,
    /// The kinds of findings that there were, if anybody asks.
    pub(crate) rules: BTreeSet<String>,
}

impl Tally {
    pub(crate) fn add(&mut self, other: &Tally) {
        self.valid += other.valid;
        self.invalid += other.invalid;
        self.undecided += other.undecided;
        self.unusable += other.unusable;
        self.rules.extend(other.rules.iter().cloned());
    }

    pub(crate) fn instances(&self) -> u64 {
        self.valid + self.invalid + self.undecided + self.unusable
    }

    /// The worst of all.
    pub(crate) fn outcome(&self) -> Outcome {
        let worst = [
            (self.unusable, Outcome::Unusable),
            (self.undecided, Outcome::Undecided),
            (self.invalid, Outcome::Bad),
        ];
        worst.into_iter().find(|(count, _)| *count > 0).map_or(Outcome::Good, |(_, outcome)| outcome)
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "instances": self.instances(), "valid": self.valid, "invalid": self.invalid,
            "undecided": self.undecided, "unusable": self.unusable,
        })
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let instances = self.instances();
        write!(f, "{instances} {}", if instances == 1 { "instance" } else { "instances" })?;
        let counts = [
            (self.valid, "valid"),
            (self.invalid, "invalid"),
            (self.undecided, "undecided"),
            (self.unusable, "unusable"),
        ];
        for (index, (count, word)) in counts.iter().filter(|(count, _)| *count > 0).enumerate() {
            write!(f, "{}{count} {word}", if index == 0 { ": " } else { ", " })?;
        }
        Ok(())
    }
}
