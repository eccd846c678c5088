//! Repeated characters, counted: `[a-z]{1,4000}` is two instructions, not four thousand.
//!
//! All active runs of a counter match the next character, or none does. So a run is known by where
//! it began, and the oldest runs are the longest:
//!
//! ```text
//! a{2,4} anywhere in "aaaaa"
//! place 3    began at 0, 1, 2, 3    3 and 2 characters: long enough
//! place 5    began at 1 … 5         the one from 0 would have 5, and is over
//! ```
//!
//! Places in a row are kept as one range. Where runs begin at every place, that is one range in all.

use std::collections::VecDeque;

/// Bounds for a repeated character class.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counter {
    /// The class of the characters.
    pub(super) class: u32,
    pub(super) min: u32,
    pub(super) max: Option<u32>,
}

/// The active runs of a counter. A place is the number of characters before it.
#[derive(Debug, Default)]
pub(super) struct Runs {
    /// The place up to which every run has matched.
    place: u64,
    /// Starts of the runs: ranges, ascending and apart from each other.
    starts: VecDeque<(u64, u64)>,
}

impl Runs {
    /// Drops all runs if they ended before this place.
    fn arrive(&mut self, place: u64) {
        if self.place < place {
            self.starts.clear();
            self.place = place;
        }
    }

    /// Begins a run at a place, for which there is [room](Runs::needs_room).
    pub(super) fn begin(&mut self, counter: &Counter, place: u64) {
        self.arrive(place);
        match self.starts.back_mut() {
            // Without an upper bound, the oldest run is as good as any later one.
            Some(_) if counter.max.is_none() => {}
            Some((_, last)) if *last + 1 >= place => *last = place,
            Some(_) | None => self.starts.push_back((place, place)),
        }
    }

    /// Whether beginning another run may need more memory.
    pub(super) fn needs_room(&self) -> bool {
        self.starts.len() == self.starts.capacity()
    }

    /// Returns how many more bytes doubling the capacity would take.
    pub(super) fn room(&self) -> usize {
        self.starts.capacity().max(2) * size_of::<(u64, u64)>()
    }

    /// Doubles the capacity.
    pub(super) fn grow(&mut self) {
        self.starts.reserve_exact(self.starts.capacity().max(2));
    }

    /// Ends the runs that are too long at a place. Returns whether others remain, and whether one
    /// of them is long enough.
    pub(super) fn count(&mut self, counter: &Counter, place: u64) -> (bool, bool) {
        self.arrive(place);
        if let Some(max) = counter.max {
            let oldest = place.saturating_sub(u64::from(max));
            while self.starts.front().is_some_and(|&(_, last)| last < oldest) {
                self.starts.pop_front();
            }
            if let Some((first, _)) = self.starts.front_mut() {
                *first = oldest.max(*first);
            }
        }
        match self.starts.front() {
            None => (false, false),
            Some(&(first, _)) => (true, first + u64::from(counter.min) <= place),
        }
    }

    /// Extends the runs by the next character.
    pub(super) fn go_on(&mut self, place: u64) {
        self.place = place + 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_those_of_the_documentation() {
        let counter = Counter { class: 0, min: 2, max: Some(4) };
        let mut runs = Runs::default();
        for place in 0..6 {
            runs.begin(&counter, place);
            assert_eq!(runs.count(&counter, place), (true, place >= 2), "{place}");
            runs.go_on(place);
        }
        assert_eq!(runs.starts, [(1, 5)]);
        // At place 6 no character was counted, so all runs are over.
        assert_eq!(runs.count(&counter, 7), (false, false));
    }

    #[test]
    fn runs_without_a_bound_are_one() {
        let counter = Counter { class: 0, min: 3, max: None };
        let mut runs = Runs::default();
        for place in (0..10).step_by(2) {
            runs.begin(&counter, place);
            runs.go_on(place);
            assert_eq!(runs.count(&counter, place + 1), (true, place >= 2), "{place}");
            runs.go_on(place + 1);
        }
        assert_eq!(runs.starts, [(0, 0)]);
    }
}
