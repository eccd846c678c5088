//! How much may be done to build an engine.
//!
//! Engines are built by the first match that needs them, inside a run, and the run does not pay for it: what a run spends must
//! not depend on what ran before. So the work of building is bounded beforehand instead. All patterns of a schema share
//! [`WORK`] equally, whatever else they ask; a pattern for which that is too little runs on the matcher, which builds
//! next to nothing and charges what it does. The share depends on the schema alone, and so does the engine.

/// Units of work for all patterns of a schema together. A unit takes some nanoseconds, and holds two or three bytes at most.
const WORK: u64 = 4_000_000;

/// The most for one pattern.
const MOST: u64 = 200_000;

/// The work that may still be done for an engine.
#[derive(Debug)]
pub(super) struct Work {
    left: u64,
}

impl Work {
    pub(super) fn new(units: u64) -> Work {
        Work { left: units }
    }

    /// Takes units, or says that there are not enough. Then none are left.
    pub(super) fn spend(&mut self, units: usize) -> Option<()> {
        match self.left.checked_sub(units as u64) {
            Some(left) => {
                self.left = left;
                Some(())
            }
            None => {
                self.left = 0;
                None
            }
        }
    }

    /// Builds something with half of the work at most, so that another way is left if it fails.
    pub(super) fn half<T>(&mut self, build: impl FnOnce(&mut Work) -> Option<T>) -> Option<T> {
        let given = self.left / 2;
        let mut work = Work::new(given);
        let built = build(&mut work);
        self.left -= given - work.left;
        built
    }

    pub(super) fn left(&self) -> u64 {
        self.left
    }
}

/// The share of one of so many patterns. What is linear in its source is on top of that.
pub(super) fn share(patterns: usize) -> u64 {
    (WORK / patterns.max(1) as u64).min(MOST)
}

/// Work that is linear in a source: what reading it took, about.
pub(super) fn linear(source: &str) -> u64 {
    8 * source.len() as u64
}
