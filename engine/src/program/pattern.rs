//! A pattern, compiled when it is first matched.
//!
//! Its syntax is checked when the schema is compiled, and its size is counted against
//! [`Limits::pattern_size`](crate::Limits::pattern_size); the engine is built on the first match, since
//! many patterns never see one.
//!
//! What is regular becomes a table of states if that is small: one look for each byte. If not, it runs
//! on regex-automata's other engines, in time linear in the text, times the states that
//! the pattern can be in at once. Lookaround and backreferences run on fancy-regex, under a limit on backtracking.

use crate::limits::{Budget, Exhausted};
use regex_automata::dfa::{Automaton, StartKind, dense};
use regex_automata::nfa::thompson::{self, NFA, WhichCaptures};
use regex_automata::{Input, meta};
use stanchion_vocab::ecma;
use std::sync::OnceLock;

/// How often fancy-regex may go back in one match.
const BACKTRACKS: usize = 100_000;

/// How many bytes an automaton of states that are in effect together may take.
const AUTOMATON_BYTES: usize = 16 << 20;

/// How many bytes a table may take, and as many again while it is made.
const TABLE_BYTES: usize = 128 << 10;

#[derive(Debug)]
pub(crate) struct Pattern {
    source: Box<str>,
    /// The states that it is estimated to need.
    size: u64,
    engine: OnceLock<Option<Engine>>,
}

#[derive(Debug)]
enum Engine {
    Table(Box<dense::DFA<Vec<u32>>>),
    Automaton { regex: meta::Regex, states: u64 },
    Backtracking { regex: fancy_regex::Regex, size: u64 },
}

impl Pattern {
    pub(crate) fn new(source: &str, size: u64) -> Pattern {
        Pattern { source: source.into(), size, engine: OnceLock::new() }
    }

    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// Whether the pattern is found anywhere in the text.
    pub(crate) fn is_match(&self, budget: &mut Budget, text: &str) -> Result<bool, Exhausted> {
        let bytes = text.len() as u64;
        match self.engine.get_or_init(|| self.build()) {
            Some(Engine::Table(table)) => {
                budget.spend(1 + bytes / 16)?;
                let input = Input::new(text).earliest(true);
                Ok(table.try_search_fwd(&input).map_err(|_| Exhausted::Pattern)?.is_some())
            }
            Some(Engine::Automaton { regex, states }) => {
                // At worst each byte is looked at in each state.
                budget.spend(1 + bytes.saturating_mul(*states) / 4)?;
                Ok(regex.is_match(text))
            }
            Some(Engine::Backtracking { regex, size }) => {
                budget.spend(16 + bytes.saturating_mul(*size))?;
                regex.is_match(text).map_err(|_| Exhausted::Pattern)
            }
            None => Err(Exhausted::Pattern),
        }
    }

    /// The most steps that a match may take: for itself, and for each byte.
    pub(crate) fn worst_case(&self) -> (u64, u64) {
        (16, self.size)
    }

    /// The engine, or nothing if it would be too large.
    fn build(&self) -> Option<Engine> {
        let syntax = ecma::Pattern::parse(&self.source).ok()?;
        let Some(hir) = syntax.to_hir() else {
            let regex = fancy_regex::RegexBuilder::new(&syntax.to_fancy())
                .backtrack_limit(BACKTRACKS)
                .delegate_size_limit(AUTOMATON_BYTES)
                .build()
                .ok()?;
            return Some(Engine::Backtracking { regex, size: syntax.size() });
        };
        let config =
            thompson::Config::new().nfa_size_limit(Some(AUTOMATON_BYTES)).which_captures(WhichCaptures::None);
        let nfa = thompson::Compiler::new().configure(config).build_from_hir(&hir).ok()?;
        if let Some(table) = table(&nfa) {
            return Some(Engine::Table(Box::new(table)));
        }
        let config = meta::Config::new()
            .nfa_size_limit(Some(AUTOMATON_BYTES))
            .onepass_size_limit(Some(TABLE_BYTES))
            .hybrid_cache_capacity(8 * TABLE_BYTES);
        let regex = meta::Builder::new().configure(config).build_from_hir(&hir).ok()?;
        Some(Engine::Automaton { regex, states: nfa.states().len() as u64 })
    }
}

/// The table of an automaton, if it is small.
fn table(nfa: &NFA) -> Option<dense::DFA<Vec<u32>>> {
    let config = dense::Config::new()
        .start_kind(StartKind::Unanchored)
        .accelerate(false)
        .dfa_size_limit(Some(TABLE_BYTES))
        .determinize_size_limit(Some(TABLE_BYTES));
    dense::Builder::new().configure(config).build_from_nfa(nfa).ok()
}
