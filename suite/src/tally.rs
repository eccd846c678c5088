//! Counts of passed tests, and a readable list of failures.

use std::fmt;

use crate::runner::Representation;

/// The result of a set of tests.
#[derive(Debug, Default)]
pub struct Tally {
    /// Number of tests.
    pub tests: usize,
    /// Number of tests that passed in each representation, in the order of [`Representation::ALL`].
    pub passed: [usize; Representation::ALL.len()],
    /// Failures, one for each test and entry point.
    pub failures: Vec<Failure>,
}

/// A test that one entry point answered wrongly.
#[derive(Clone, Debug)]
pub struct Failure {
    /// File, group and test.
    pub place: Place,
    /// The representation, if the failure concerns only one.
    pub representation: Option<Representation>,
    /// The entry point: representation, optimizer and report.
    pub entry_point: String,
    /// The expected result.
    pub expected: String,
    /// The actual result.
    pub got: String,
}

/// The place of a test.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The name of its file.
    pub file: String,
    /// The description of its group.
    pub group: String,
    /// Its own description.
    pub test: String,
}

impl Tally {
    /// Counts a test with its failures.
    pub fn count(&mut self, failures: Vec<Failure>) {
        self.tests += 1;
        for (passed, representation) in self.passed.iter_mut().zip(Representation::ALL) {
            let concerned = |failure: &Failure| failure.representation.is_none_or(|of| of == representation);
            if !failures.iter().any(concerned) {
                *passed += 1;
            }
        }
        self.failures.extend(failures);
    }

    /// Adds another tally to this one.
    pub fn add(&mut self, other: Tally) {
        self.tests += other.tests;
        for (passed, more) in self.passed.iter_mut().zip(other.passed) {
            *passed += more;
        }
        self.failures.extend(other.failures);
    }

    /// Returns the failures, one per line. Entry points of one test with the same answer share a
    /// line.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.failures.chunk_by(Failure::is_like).map(|alike| match alike {
            [first, rest @ ..] if !rest.is_empty() => {
                let entry_point = format!("{} and {} more entry points", first.entry_point, rest.len());
                Failure { entry_point, ..first.clone() }.to_string()
            }
            _ => alike.iter().map(Failure::to_string).collect(),
        })
    }

    /// Panics with the list of failures, if there are any.
    #[track_caller]
    pub fn assert_clean(&self) {
        assert!(self.failures.is_empty(), "{self}");
    }
}

impl Failure {
    /// Whether another entry point of the same test gave the same answer.
    fn is_like(&self, other: &Failure) -> bool {
        self.place == other.place && self.expected == other.expected && self.got == other.got
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} failures in {} tests", self.failures.len(), self.tests)?;
        for line in self.lines() {
            writeln!(f, "  {line}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Failure { place, entry_point, expected, got, .. } = self;
        write!(f, "{place} [{entry_point}]: expected {expected}, got {got}")
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file, self.group)?;
        if !self.test.is_empty() {
            write!(f, ": {}", self.test)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_counts_against_its_representation() {
        let failure = Failure {
            place: Place { file: "a.json".into(), group: "b".into(), test: "c".into() },
            representation: Some(Representation::Tape),
            entry_point: "tape, optimized, verdict".into(),
            expected: "valid".into(),
            got: "invalid".into(),
        };
        let mut tally = Tally::default();
        tally.count(vec![failure.clone()]);
        tally.count(Vec::new());
        assert_eq!((tally.tests, tally.passed), (2, [2, 1, 2]));
        tally.count(vec![failure.clone(), failure]);
        assert_eq!(tally.lines().count(), 1);
        tally.failures.truncate(1);
        assert_eq!(
            tally.to_string(),
            "1 failures in 3 tests\n  a.json: b: c [tape, optimized, verdict]: expected valid, got invalid\n"
        );
    }
}
