//! A pattern, compiled when it is first matched.
//!
//! Its syntax is checked when the schema is compiled, and its size is counted against
//! [`Limits::pattern_size`](crate::Limits::pattern_size); the automaton is built on the first match, since
//! many patterns never see one. What is regular runs on regex-automata, in time linear in the
//! text. Lookaround and backreferences run on fancy-regex, under a limit on backtracking.

use crate::limits::{Budget, Exhausted};
use regex_automata::meta;
use stanchion_vocab::ecma;
use std::sync::OnceLock;

/// How often fancy-regex may go back in one match.
const BACKTRACKS: usize = 100_000;

/// How many bytes one automaton may take.
const AUTOMATON_BYTES: usize = 8 << 20;

#[derive(Debug)]
pub(crate) struct Pattern {
    source: Box<str>,
    /// The states that the automaton is estimated to have.
    size: u64,
    is_regular: bool,
    engine: OnceLock<Option<Engine>>,
}

#[derive(Debug)]
enum Engine {
    Automaton(meta::Regex),
    Backtracking(fancy_regex::Regex),
}

impl Pattern {
    pub(crate) fn new(source: &str, syntax: &ecma::Pattern) -> Pattern {
        let (size, is_regular) = (syntax.size(), syntax.is_regular());
        Pattern { source: source.into(), size, is_regular, engine: OnceLock::new() }
    }

    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// Whether the pattern is found anywhere in the text.
    pub(crate) fn is_match(&self, budget: &mut Budget, text: &str) -> Result<bool, Exhausted> {
        budget.spend(self.cost(text.len()))?;
        match self.engine.get_or_init(|| self.build()) {
            Some(Engine::Automaton(regex)) => Ok(regex.is_match(text)),
            Some(Engine::Backtracking(regex)) => regex.is_match(text).map_err(|_| Exhausted::Pattern),
            None => Err(Exhausted::Pattern),
        }
    }

    /// The steps of a match: an automaton looks at each byte once for each state that it is in.
    fn cost(&self, bytes: usize) -> u64 {
        let per_byte = 1 + self.size / 16;
        let bytes = bytes as u64;
        if self.is_regular {
            1 + bytes.saturating_mul(per_byte) / 64
        } else {
            16 + bytes.saturating_mul(per_byte)
        }
    }

    /// The engine, or nothing if it would be too large.
    fn build(&self) -> Option<Engine> {
        let syntax = ecma::Pattern::parse(&self.source).ok()?;
        match syntax.to_hir() {
            Some(hir) => {
                let config = meta::Config::new()
                    .nfa_size_limit(Some(AUTOMATON_BYTES))
                    .onepass_size_limit(Some(AUTOMATON_BYTES / 8))
                    .hybrid_cache_capacity(AUTOMATON_BYTES / 8);
                meta::Builder::new().configure(config).build_from_hir(&hir).ok().map(Engine::Automaton)
            }
            None => fancy_regex::RegexBuilder::new(&syntax.to_fancy())
                .backtrack_limit(BACKTRACKS)
                .delegate_size_limit(AUTOMATON_BYTES)
                .build()
                .ok()
                .map(Engine::Backtracking),
        }
    }
}
