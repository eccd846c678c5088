//! Counts of results.

use std::collections::BTreeSet;
use std::fmt;

use serde_json::{Value, json};

use crate::Outcome;

/// Counts of instances, by result.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) valid: u64,
    pub(crate) invalid: u64,
    pub(crate) undecided: u64,
    /// Instances that could not be read as JSON, or have no schema.
    pub(crate) unusable: u64,
    /// The rules of findings, if they are needed.
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

    /// Returns the outcome that takes precedence.
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
