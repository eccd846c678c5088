//! A pattern, compiled when it is first matched.
//!
//! Its syntax is checked when the schema is compiled, and its size is counted against
//! [`Limits::pattern_size`](crate::Limits::pattern_size); the engine is built on the first match, since
//! many patterns never see one.
//!
//! A few patterns are one comparison ([`simple`]), and many say the same of all characters ([`only`]). Most others become a table of states, one look
//! for each character ([`table`]). What has too many states for that, and is regular, becomes a larger table of bytes ([`dense`]); or it runs
//! on regex-automata's other engines, in time linear in the text, times the states that
//! the pattern can be in at once. Most lookaround is several patterns without, joined by and, or and not ([`parts`]). What is left of
//! it runs on a matcher of our own, likewise linear; so do backreferences, which nothing bounds: they pay for each step.

mod charset;
mod dense;
mod only;
mod parts;
mod pieces;
mod positions;
mod product;
mod set;
mod simple;
mod table;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use set::{Found, PatternSet};

use crate::limits::{Budget, Exhausted, Stopped};
use dense::Dense;
use only::Only;
use parts::Parts;
use regex_automata::meta;
use regex_automata::nfa::thompson::{self, WhichCaptures};
use simple::Simple;
use stanchion_vocab::ecma;
use std::sync::OnceLock;
use table::Table;

/// How many bytes an automaton of states that are in effect together may take.
const AUTOMATON_BYTES: usize = 16 << 20;

/// How many bytes a table of bytes may take, and as many again while it is made: at most, at least, and by state of the
/// pattern. So all tables of a schema together are bounded by [`Limits::pattern_size`](crate::Limits::pattern_size).
const TABLE_BYTES: usize = 512 << 10;
const LEAST_TABLE_BYTES: usize = 16 << 10;
const TABLE_BYTES_BY_STATE: u64 = 1 << 10;

#[derive(Debug)]
pub(crate) struct Pattern {
    source: Box<str>,
    /// The states that it is estimated to need.
    size: u64,
    /// The most steps that a match takes for each byte.
    steps_by_byte: u64,
    engine: OnceLock<Option<Engine>>,
}

#[derive(Debug)]
enum Engine {
    Simple(Simple),
    Only(Box<Only>),
    Table(Box<Table>),
    Dense(Box<Dense>),
    Automaton { regex: meta::Regex, states: u64 },
    Parts(Parts),
    Matcher(ecma::Matcher),
}

impl Pattern {
    pub(crate) fn new(source: &str, syntax: &ecma::Pattern) -> Pattern {
        let size = syntax.size();
        let steps_by_byte = if syntax.has_backreferences() {
            u64::MAX
        } else if syntax.is_regular() {
            size.saturating_mul(2)
        } else {
            // Parts may be larger by some states than the pattern.
            size.saturating_mul(2).saturating_add(16)
        };
        Pattern { source: source.into(), size, steps_by_byte, engine: OnceLock::new() }
    }

    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// Whether the pattern is found anywhere in the text.
    pub(crate) fn is_match(&self, budget: &mut Budget, text: &str) -> Result<bool, Stopped> {
        match self.engine.get() {
            // Most patterns are one of these, which need less room than others.
            Some(Some(Engine::Table(table))) => table.match_within(budget, text),
            Some(Some(Engine::Only(only))) => only.match_within(budget, text),
            _ => self.is_match_by_any(budget, text),
        }
    }

    /// The same where the engine is none of these, or has to be made.
    #[inline(never)]
    fn is_match_by_any(&self, budget: &mut Budget, text: &str) -> Result<bool, Stopped> {
        match self.engine.get_or_init(|| Engine::of(&self.source)) {
            Some(engine) => engine.is_match(budget, text),
            None => Err(budget.stop(Exhausted::Pattern)),
        }
    }

    /// The most steps that a match may take: for itself, and for each byte.
    pub(crate) fn worst_case(&self) -> (u64, u64) {
        (16 + self.size, self.steps_by_byte)
    }
}

impl Engine {
    fn of(source: &str) -> Option<Engine> {
        Engine::new(&ecma::Pattern::parse(source).ok()?)
    }

    /// The engine, or nothing if it would be too large.
    fn new(syntax: &ecma::Pattern) -> Option<Engine> {
        let simple = match Simple::new(syntax.ast()).map(Only::of) {
            Some(Ok(only)) => return Some(Engine::Only(Box::new(only))),
            Some(Err(simple)) => Some(simple),
            None => None,
        };
        Engine::of_states(syntax, simple)
    }

    /// The same where tables may become one with others, so that what could do without states has them as well.
    fn new_part(syntax: &ecma::Pattern) -> Option<Engine> {
        Engine::of_states(syntax, Simple::new(syntax.ast()))
    }

    /// An engine with states, except for literals and what would have too many.
    fn of_states(syntax: &ecma::Pattern, mut simple: Option<Simple>) -> Option<Engine> {
        if let Some(simple) = simple.take_if(|simple| simple.is_literal()) {
            return Some(Engine::Simple(simple));
        }
        if let Some(table) = Table::new(syntax.ast(), syntax.size()) {
            return Some(Engine::Table(Box::new(table)));
        }
        if let Some(simple) = simple {
            return Some(Engine::Simple(simple));
        }
        let Some(hir) = syntax.to_hir() else {
            let parts = syntax.split().and_then(|parts| Engine::from_parts(&parts));
            return Some(parts.unwrap_or_else(|| Engine::Matcher(ecma::Matcher::new(syntax))));
        };
        let config =
            thompson::Config::new().nfa_size_limit(Some(AUTOMATON_BYTES)).which_captures(WhichCaptures::None);
        let nfa = thompson::Compiler::new().configure(config).build_from_hir(&hir).ok()?;
        if let Some(dense) = Dense::new(&nfa, table_bytes(syntax.size())) {
            return Some(Engine::Dense(Box::new(dense)));
        }
        let config = meta::Config::new()
            .nfa_size_limit(Some(AUTOMATON_BYTES))
            .onepass_size_limit(Some(TABLE_BYTES))
            .hybrid_cache_capacity(2 * TABLE_BYTES);
        let regex = meta::Builder::new().configure(config).build_from_hir(&hir).ok()?;
        Some(Engine::Automaton { regex, states: nfa.states().len() as u64 })
    }

    fn is_match(&self, budget: &mut Budget, text: &str) -> Result<bool, Stopped> {
        let bytes = text.len() as u64;
        match self {
            Engine::Simple(simple) => {
                budget.spend(simple.cost(bytes))?;
                Ok(simple.is_match(text))
            }
            Engine::Only(only) => only.match_within(budget, text),
            Engine::Table(table) => table.match_within(budget, text),
            Engine::Dense(dense) => {
                budget.spend(2 + bytes / 16)?;
                dense.is_match(text).ok_or_else(|| budget.stop(Exhausted::Pattern))
            }
            Engine::Automaton { regex, states } => {
                // At worst each byte is looked at in each state.
                budget.spend(2 + bytes.saturating_mul(*states) / 4)?;
                Ok(apart(|| regex.is_match(text)))
            }
            Engine::Parts(parts) => apart(|| parts.is_match(budget, text)),
            Engine::Matcher(matcher) => apart(|| matcher.is_match(text, budget)),
        }
    }
}

/// Runs an engine that is seldom needed in a frame of its own: what it takes of the stack, and of time to set up, is not for tables.
#[cold]
#[inline(never)]
fn apart<T>(run: impl FnOnce() -> T) -> T {
    run()
}

fn table_bytes(size: u64) -> usize {
    let bytes = usize::try_from(size.saturating_mul(TABLE_BYTES_BY_STATE)).unwrap_or(usize::MAX);
    bytes.clamp(LEAST_TABLE_BYTES, TABLE_BYTES)
}

/// A unit of the matcher takes about as long as a step.
impl ecma::Meter<Stopped> for Budget {
    fn spend(&mut self, units: u64) -> Result<(), Stopped> {
        Budget::spend(self, units)
    }

    fn hold(&mut self, bytes: usize) -> Result<(), Stopped> {
        Budget::hold(self, bytes)
    }

    fn release(&mut self, bytes: usize) {
        Budget::release(self, bytes);
    }
}
