//! What passed, and a readable list of what did not.

use std::fmt;

use crate::runner::Representation;

/// The result of a set of tests.
#[derive(Debug, Default)]
pub struct Tally {
    /// How many tests there were.
    pub tests: usize,
    /// How many of them passed by each representation, in the order of [`Representation::ALL`].
    pub passed: [usize; Representation::ALL.len()],
    /// What went wrong, one entry for each test and door.
    pub failures: Vec<Failure>,
}

/// A test that one door answered otherwise than expected.
#[derive(Clone, Debug)]
pub struct Failure {
    /// File, group and test.
    pub place: Place,
    /// The representation that the door reads, if it is the matter of one.
    pub representation: Option<Representation>,
    /// The door: representation, optimizer and report.
    pub door: String,
    /// What the test expects.
    pub expected: String,
    /// What came out.
    pub got: String,
}

/// Where a test stands.
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
    /// Counts a test with the failures that it had.
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

    /// The failures in a line each. Doors of one test that answer alike share a line.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.failures.chunk_by(Failure::is_like).map(|alike| match alike {
            [first, rest @ ..] if !rest.is_empty() => {
                let door = format!("{} and {} more doors", first.door, rest.len());
                Failure { door, ..first.clone() }.to_string()
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
    /// Whether another door of the same test gave the same answer.
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
        let Failure { place, door, expected, got, .. } = self;
        write!(f, "{place} [{door}]: expected {expected}, got {got}")
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
            door: "tape, optimized, verdict".into(),
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
