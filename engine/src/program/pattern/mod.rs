//! A pattern, compiled when it is first matched.
//!
//! Its syntax is checked when the schema is compiled, and its size is counted against
//! [`Limits::pattern_size`](crate::Limits::pattern_size). The engine is built on the first match, since
//! many patterns never see one. What that may take is fixed when the schema is compiled ([`work`]).
//!
//! A few patterns are one comparison ([`simple`]), and many ask the same of all characters ([`single_class`]). Most others become a
//! table of states, one lookup for each character ([`table`], [`determine`]). Most lookaround is several patterns without it,
//! joined by and, or and not ([`parts`]). What would be too large as a table runs on the matcher of
//! [`ecma`](stanchion_vocab::ecma), in time linear in the text, times the places in the pattern that a match can be at. So do
//! backreferences, which nothing bounds: they pay for each step.

mod charset;
mod determine;
mod heap;
mod parts;
mod pieces;
mod positions;
mod product;
mod set;
mod simple;
mod single_class;
mod table;
#[cfg(test)]
mod tests;
mod words;
mod work;

pub(crate) use set::{MatchingPatterns, PatternSet};

use crate::heap::{BuiltLater, Heap};
use crate::limits::{Budget, Stopped};
use determine::{MAX_STEPS, determine};
use parts::Parts;
use set::AnyPattern;
use simple::Simple;
use single_class::SingleClass;
use stanchion_vocab::ecma;
use std::sync::{Arc, OnceLock};
use table::Table;
use work::Work;

#[derive(Debug)]
pub(crate) struct Pattern {
    source: Box<str>,
    /// How large it is, see [`ecma::Pattern::size`].
    size: u64,
    /// The most steps that a match takes for each byte.
    steps_by_byte: u64,
    /// The work that may be done to build its engine.
    work: u64,
    engine: OnceLock<Engine>,
    /// Where what the engine takes is counted.
    built_later: Option<Arc<BuiltLater>>,
}

#[derive(Debug)]
enum Engine {
    Simple(Simple),
    SingleClass(Box<SingleClass>),
    Table(Box<Table>),
    Parts(Parts),
    Matcher(ecma::Matcher),
    Any(Box<AnyPattern>),
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
        let work = work::linear(source) + work::share(1);
        Pattern {
            source: source.into(),
            size,
            steps_by_byte,
            work,
            engine: OnceLock::new(),
            built_later: None,
        }
    }

    /// Says that it is one of so many patterns of a schema, which share the work of building their engines; and where to count what
    /// its engine takes.
    pub(crate) fn share_work(&mut self, patterns: usize, built_later: &Arc<BuiltLater>) {
        self.built_later = Some(Arc::clone(built_later));
        self.work = work::linear(&self.source) + work::share(patterns);
    }

    /// A pattern that matches what one of these does. It has engines of its own.
    pub(crate) fn any(patterns: &[&Pattern]) -> Pattern {
        let source = patterns.iter().map(|pattern| pattern.source()).collect::<Vec<_>>().join("|");
        let sum = |of: fn(&Pattern) -> u64| {
            patterns.iter().fold(0u64, |sum, pattern| sum.saturating_add(of(pattern)))
        };
        let copies = patterns.iter().map(|pattern| Pattern {
            source: pattern.source.clone(),
            engine: OnceLock::new(),
            built_later: pattern.built_later.clone(),
            ..**pattern
        });
        Pattern {
            // Looking for what a text begins with takes some steps for each byte, too.
            size: sum(|pattern| pattern.worst_case().0).saturating_add(patterns.len() as u64),
            steps_by_byte: sum(|pattern| pattern.steps_by_byte).saturating_add(1),
            work: 0,
            engine: OnceLock::from(Engine::Any(Box::new(AnyPattern::new(copies.collect())))),
            source: source.into(),
            built_later: patterns.first().and_then(|pattern| pattern.built_later.clone()),
        }
    }

    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// Whether the pattern is found anywhere in the text.
    pub(crate) fn is_match(&self, budget: &mut Budget, text: &str) -> Result<bool, Stopped> {
        match self.engine.get() {
            // Most patterns are one of these, which need less room than others.
            Some(Engine::Table(table)) => table.match_within(budget, text),
            Some(Engine::SingleClass(class)) => class.match_within(budget, text),
            _ => self.is_match_by_any(budget, text),
        }
    }

    /// Matches where the engine is none of these, or has yet to be built.
    #[inline(never)]
    fn is_match_by_any(&self, budget: &mut Budget, text: &str) -> Result<bool, Stopped> {
        let build = || self.counted(Engine::of(&self.source, self.work));
        self.engine.get_or_init(build).is_match(budget, text)
    }

    /// Counts what was built inside of a run.
    fn counted<T: Heap>(&self, built: T) -> T {
        if let Some(built_later) = &self.built_later {
            built_later.add(built.heap());
        }
        built
    }

    /// The most steps that a match may take: for itself, and for each byte.
    pub(crate) fn worst_case(&self) -> (u64, u64) {
        (16 + self.size, self.steps_by_byte)
    }
}

impl Engine {
    fn of(source: &str, work: u64) -> Engine {
        match ecma::Pattern::parse(source) {
            Ok(syntax) => Engine::new(&syntax, &mut Work::new(work)),
            // INVARIANT: a pattern is made of a source that was parsed before.
            Err(_) => Engine::Simple(Simple::Words(Box::new([]))),
        }
    }

    /// The engine of a pattern. Which one depends on the pattern and on the work that may be done.
    fn new(syntax: &ecma::Pattern, work: &mut Work) -> Engine {
        let simple = match Simple::new(syntax.ast(), work).map(SingleClass::of) {
            Some(Ok(class)) => return Engine::SingleClass(Box::new(class)),
            Some(Err(simple)) => Some(simple),
            None => None,
        };
        Engine::of_states(syntax, simple, work)
    }

    /// The engine of a part. Tables may become one with others, so what could do without states has them as well.
    fn new_part(syntax: &ecma::Pattern, work: &mut Work) -> Engine {
        let simple = Simple::new(syntax.ast(), work);
        Engine::of_states(syntax, simple, work)
    }

    /// An engine with states, except for literals and what would have too many.
    fn of_states(syntax: &ecma::Pattern, mut simple: Option<Simple>, work: &mut Work) -> Engine {
        if let Some(simple) = simple.take_if(|simple| simple.is_literal()) {
            return Engine::Simple(simple);
        }
        if let Some(table) = work.half(|work| Table::new(syntax.ast(), work)) {
            return Engine::Table(Box::new(table));
        }
        if let Some(simple) = simple {
            return Engine::Simple(simple);
        }
        if let Some(program) = syntax.program(MAX_STEPS.min(work.left())) {
            if let Some(table) = determine(&program, work) {
                return Engine::Table(Box::new(table));
            }
        } else if let Some(parts) = syntax.split() {
            return Engine::from_parts(&parts, work);
        }
        Engine::Matcher(ecma::Matcher::new(syntax))
    }

    fn is_match(&self, budget: &mut Budget, text: &str) -> Result<bool, Stopped> {
        let bytes = text.len() as u64;
        match self {
            Engine::Simple(simple) => {
                budget.spend(simple.cost(bytes))?;
                Ok(simple.is_match(text))
            }
            Engine::SingleClass(class) => class.match_within(budget, text),
            Engine::Table(table) => table.match_within(budget, text),
            Engine::Parts(parts) => apart(|| parts.is_match(budget, text)),
            Engine::Any(any) => apart(|| any.is_match(budget, text)),
            Engine::Matcher(matcher) => apart(|| matcher.is_match(text, budget)),
        }
    }
}

/// Runs a rarely needed engine in a frame of its own, so that tables pay neither for its stack nor for setting it up.
#[cold]
#[inline(never)]
fn apart<T>(run: impl FnOnce() -> T) -> T {
    run()
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
