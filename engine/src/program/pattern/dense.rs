//! An automaton of bytes as a table, by regex-automata: for what [`table`](super::table) does not take.

use regex_automata::Anchored;
use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson::NFA;
use regex_automata::util::{primitives::StateID, start};

/// A table of states, and the one to start in.
///
/// A search by regex-automata's own function prepares for more than we ask: spans, prefilters, anchors. On the short texts
/// of schemas that takes longer than the walk.
#[derive(Debug)]
pub(super) struct Dense {
    states: dense::DFA<Vec<u32>>,
    start: StateID,
}

impl Dense {
    /// The table of an automaton, if it takes so many bytes at most.
    pub(super) fn new(nfa: &NFA, bytes: usize) -> Option<Dense> {
        let config = dense::Config::new()
            .start_kind(StartKind::Unanchored)
            .accelerate(false)
            .dfa_size_limit(Some(bytes))
            .determinize_size_limit(Some(bytes));
        let states = dense::Builder::new().configure(config).build_from_nfa(nfa).ok()?;
        let start = states.start_state(&start::Config::new().anchored(Anchored::No)).ok()?;
        Some(Dense { states, start })
    }

    /// Whether the text matches, or nothing if the table does not know.
    pub(super) fn is_match(&self, text: &str) -> Option<bool> {
        let states = &self.states;
        let mut state = self.start;
        for &byte in text.as_bytes() {
            state = states.next_state(state, byte);
            if states.is_special_state(state) {
                // A match is known one byte after it ends.
                if states.is_match_state(state) {
                    return Some(true);
                }
                if states.is_dead_state(state) {
                    return Some(false);
                }
                if states.is_quit_state(state) {
                    return None;
                }
            }
        }
        Some(states.is_match_state(states.next_eoi_state(state)))
    }
}
