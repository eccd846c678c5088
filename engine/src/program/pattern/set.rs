//! Many patterns, asked at once.
//!
//! `patternProperties` may have thousands of patterns, and an object thousands of members: to ask each pattern about each name
//! takes millions of matches. Most patterns of a long list begin with a text: `^x-`, `^item\d+$`, `^(on|off)$`. These texts
//! are sorted. A name has one place among them, and all texts that it begins with are found from there: each is
//! a beginning of the next longer one.

use super::Pattern;
use super::pieces::split;
use super::simple::Simple;
use super::words;
use super::work::{Work, linear};
use crate::limits::{Budget, Stopped};
use crate::program::{Id, Pool};
use smallvec::SmallVec;
use stanchion_vocab::ecma;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Up to so many patterns are asked one by one.
const ASKED: usize = 4;

/// How many bytes the texts of a set may take. Patterns that do not fit in are asked one by one.
const HEAD_BYTES: usize = 256 << 10;

/// Patterns of which those that match a text are wanted. They are known by their place in the set.
#[derive(Debug)]
pub(crate) struct PatternSet {
    pub(super) patterns: Box<[Id<Pattern>]>,
    pub(super) heads: OnceLock<Heads>,
}

/// The places of the patterns that match, ascending.
pub(crate) type MatchingPatterns = SmallVec<[u32; 8]>;

/// The texts that patterns begin with.
#[derive(Debug, Default)]
pub(super) struct Heads {
    /// Sorted by text.
    pub(super) sorted: Box<[Head]>,
    pub(super) always: Vec<u32>,
    /// Those of which nothing is known.
    pub(super) others: Vec<u32>,
}

/// A text, and the patterns that begin with it.
#[derive(Debug)]
pub(super) struct Head {
    pub(super) text: Box<str>,
    /// The longest other text that this one begins with and that is not for whole names only.
    pub(super) shorter: Option<u32>,
    pub(super) patterns: HeadPatterns,
}

#[derive(Debug, Default)]
pub(super) struct HeadPatterns {
    /// Match this text and no other.
    pub(super) whole: Vec<u32>,
    /// Match whatever begins with it.
    pub(super) prefix: Vec<u32>,
    /// Match only what begins with it, and not all of that.
    pub(super) maybe: Vec<u32>,
}

impl HeadPatterns {
    fn is_open(&self) -> bool {
        !self.prefix.is_empty() || !self.maybe.is_empty()
    }
}

impl PatternSet {
    pub(crate) fn new(patterns: impl IntoIterator<Item = Id<Pattern>>) -> PatternSet {
        PatternSet { patterns: patterns.into_iter().collect(), heads: OnceLock::new() }
    }

    pub(crate) fn patterns(&self) -> &[Id<Pattern>] {
        &self.patterns
    }

    /// Finds the patterns that match a text. What was in `found` is gone.
    pub(crate) fn find(
        &self,
        pool: &Pool<Pattern>,
        budget: &mut Budget,
        text: &str,
        found: &mut MatchingPatterns,
    ) -> Result<(), Stopped> {
        found.clear();
        if self.patterns.len() <= ASKED {
            return self.ask(pool, budget, text, 0..self.patterns.len() as u32, found);
        }
        let heads = self.heads.get_or_init(|| {
            pool[self.patterns[0]].counted(Heads::new(self.patterns.iter().map(|&id| pool[id].source())))
        });
        budget.spend(2 + heads.always.len() as u64 / 16)?;
        found.extend_from_slice(&heads.always);
        let mut next = heads.last_not_above(budget, text)?;
        // All texts that this one begins with are beginnings of the head at its place, and as long as what the two share.
        let shared = next.map_or(0, |head| shared_length(&head.text, text));
        while let Some(head) = next {
            budget.spend(1)?;
            if head.text.len() <= shared {
                let HeadPatterns { whole, prefix, maybe } = &head.patterns;
                let whole: &[u32] =
                    if text.len() == shared && head.text.len() == shared { whole } else { &[] };
                budget.spend((whole.len() + prefix.len()) as u64 / 16)?;
                found.extend_from_slice(whole);
                found.extend_from_slice(prefix);
                self.ask(pool, budget, text, maybe.iter().copied(), found)?;
            }
            next = head.shorter.map(|at| &heads.sorted[at as usize]);
        }
        self.ask(pool, budget, text, heads.others.iter().copied(), found)?;
        budget.spend(found.len() as u64 / 4)?;
        found.sort_unstable();
        found.dedup();
        Ok(())
    }

    fn ask(
        &self,
        pool: &Pool<Pattern>,
        budget: &mut Budget,
        text: &str,
        places: impl Iterator<Item = u32>,
        found: &mut MatchingPatterns,
    ) -> Result<(), Stopped> {
        for place in places {
            if pool[self.patterns[place as usize]].is_match(budget, text)? {
                found.push(place);
            }
        }
        Ok(())
    }
}

/// Patterns of which it matters whether one matches, not which.
#[derive(Debug)]
pub(super) struct AnyPattern {
    pub(super) patterns: Box<[Pattern]>,
    pub(super) heads: OnceLock<Heads>,
}

impl AnyPattern {
    pub(super) fn new(patterns: Box<[Pattern]>) -> AnyPattern {
        AnyPattern { patterns, heads: OnceLock::new() }
    }

    /// Whether one of the patterns matches. Those are asked, and paid, that come before it.
    pub(super) fn is_match(&self, budget: &mut Budget, text: &str) -> Result<bool, Stopped> {
        let Some(first) = self.patterns.first() else { return Ok(false) };
        let heads =
            self.heads.get_or_init(|| first.counted(Heads::new(self.patterns.iter().map(Pattern::source))));
        budget.spend(2)?;
        if !heads.always.is_empty() {
            return Ok(true);
        }
        let mut next = heads.last_not_above(budget, text)?;
        let shared = next.map_or(0, |head| shared_length(&head.text, text));
        while let Some(head) = next {
            budget.spend(1)?;
            if head.text.len() <= shared {
                let HeadPatterns { whole, prefix, maybe } = &head.patterns;
                let is_whole = text.len() == shared && head.text.len() == shared;
                if !prefix.is_empty() || is_whole && !whole.is_empty() || self.ask(budget, text, maybe)? {
                    return Ok(true);
                }
            }
            next = head.shorter.map(|at| &heads.sorted[at as usize]);
        }
        self.ask(budget, text, &heads.others)
    }

    fn ask(&self, budget: &mut Budget, text: &str, places: &[u32]) -> Result<bool, Stopped> {
        for &place in places {
            if self.patterns[place as usize].is_match(budget, text)? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl Heads {
    /// Finds the texts that patterns of these sources begin with.
    fn new<'s>(sources: impl Iterator<Item = &'s str>) -> Heads {
        let mut heads = Heads::default();
        let mut by_text: BTreeMap<Box<str>, HeadPatterns> = BTreeMap::new();
        let mut bytes_left = HEAD_BYTES;
        for (place, source) in (0..).zip(sources) {
            let shape = shape(source);
            let left = shape.size().and_then(|size| bytes_left.checked_sub(size));
            bytes_left = left.unwrap_or(bytes_left);
            match shape {
                Shape::Always => heads.always.push(place),
                Shape::Whole(texts) if left.is_some() => {
                    texts.into_iter().for_each(|text| by_text.entry(text).or_default().whole.push(place));
                }
                Shape::Prefix(text) if left.is_some() => by_text.entry(text).or_default().prefix.push(place),
                Shape::Maybe(texts) if left.is_some() => {
                    texts.into_iter().for_each(|text| by_text.entry(text).or_default().maybe.push(place));
                }
                Shape::Whole(_) | Shape::Prefix(_) | Shape::Maybe(_) | Shape::Other => {
                    heads.others.push(place)
                }
            }
        }
        let mut sorted: Vec<Head> = Vec::with_capacity(by_text.len());
        // The heads that the current one begins with, each with the one before it.
        let mut open: Vec<u32> = Vec::new();
        for (at, (text, patterns)) in (0..).zip(by_text) {
            while let Some(&last) = open.last()
                && !text.starts_with(&*sorted[last as usize].text)
            {
                open.pop();
            }
            let shorter = open.last().copied();
            if patterns.is_open() {
                open.push(at);
            }
            sorted.push(Head { text, shorter, patterns });
        }
        Heads { sorted: sorted.into(), ..heads }
    }

    /// The last head in order that does not come after the text.
    fn last_not_above(&self, budget: &mut Budget, text: &str) -> Result<Option<&Head>, Stopped> {
        let looks = u64::from(self.sorted.len().checked_ilog2().unwrap_or(0)) + 1;
        budget.spend(looks * (1 + text.len() as u64 / 64))?;
        let after = self.sorted.partition_point(|head| *head.text <= *text);
        Ok(after.checked_sub(1).map(|at| &self.sorted[at]))
    }
}

fn shared_length(one: &str, other: &str) -> usize {
    one.bytes().zip(other.bytes()).take_while(|(one, other)| one == other).count()
}

/// The texts that a pattern matches, as far as they are known.
enum Shape {
    Always,
    Whole(Box<[Box<str>]>),
    Prefix(Box<str>),
    /// They begin with one of these.
    Maybe(Box<[Box<str>]>),
    Other,
}

impl Shape {
    /// Returns the size of its texts.
    fn size(&self) -> Option<usize> {
        let texts = match self {
            Shape::Whole(texts) | Shape::Maybe(texts) => texts,
            Shape::Prefix(text) => std::slice::from_ref(text),
            Shape::Always | Shape::Other => return None,
        };
        Some(texts.iter().map(|text| text.len() + size_of::<Head>()).sum())
    }
}

fn shape(source: &str) -> Shape {
    let Ok(syntax) = ecma::Pattern::parse(source) else { return Shape::Other };
    // Texts are listed where that takes about as long as it took to read the pattern.
    let mut work = Work::new(256 + linear(source));
    match Simple::new(syntax.ast(), &mut work) {
        Some(Simple::Always) => return Shape::Always,
        Some(Simple::Prefix(text)) => return Shape::Prefix(text),
        Some(Simple::Words(texts)) => return Shape::Whole(texts),
        Some(Simple::Suffix(_) | Simple::Rows { .. }) | None => {}
    }
    let pieces = split(syntax.ast());
    let first = pieces.iter().map(|piece| &piece.items[..piece.items.len().min(1)]);
    match words::list(first, &mut work).filter(|_| pieces.iter().all(|piece| piece.starts)) {
        Some(texts) if texts.iter().all(|text| !text.is_empty()) => Shape::Maybe(texts),
        Some(_) | None => Shape::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;

    fn set(sources: &[String]) -> (Pool<Pattern>, Vec<Id<Pattern>>) {
        let mut pool = Pool::default();
        let ids = sources.iter().map(|source| {
            let syntax = ecma::Pattern::parse(source).unwrap_or_else(|error| panic!("{source}: {error}"));
            pool.push(Pattern::new(source, &syntax))
        });
        let ids = ids.collect();
        (pool, ids)
    }

    /// The set finds what the patterns say one by one.
    #[track_caller]
    fn check(sources: &[String], texts: &[String]) {
        let (pool, ids) = set(sources);
        let set = PatternSet::new(ids.iter().copied());
        let mut budget = Budget::for_schema();
        let mut found = MatchingPatterns::new();
        for text in texts {
            let one_by_one =
                (0..).zip(&ids).filter(|&(_, &id)| pool[id].is_match(&mut budget, text).unwrap());
            let expected: Vec<u32> = one_by_one.map(|(place, _)| place).collect();
            set.find(&pool, &mut budget, text, &mut found).unwrap();
            assert_eq!(found.as_slice(), expected, "{text:?} among {sources:?}");
        }
    }

    #[test]
    fn finds_what_each_pattern_says() {
        let words = ["", "a", "ab", "abc", "b", "ba", "é", "éa", "a\u{2028}"];
        let texts: Vec<String> =
            words.iter().flat_map(|one| words.iter().map(move |other| format!("{one}{other}"))).collect();
        let mut sources = Vec::new();
        for word in words {
            for (before, after) in
                [("^", ""), ("^", "$"), ("", "$"), ("", ""), ("^", ".$"), ("^(?=.)", ""), ("^", "|^b")]
            {
                sources.push(format!("{before}{word}{after}"));
            }
            sources.push(format!("^({word}|ba)$"));
            sources.push(format!("^({word}|ba)[a-z]+"));
        }
        check(&sources, &texts);
        for few in sources.chunks(3).chain(sources.chunks(7)) {
            check(few, &texts);
            check_any(few, &texts);
        }
    }

    /// Whether one matches is what all matches say, and is paid for within the bound.
    #[track_caller]
    fn check_any(sources: &[String], texts: &[String]) {
        let (pool, ids) = set(sources);
        let patterns: Vec<&Pattern> = ids.iter().map(|&id| &pool[id]).collect();
        let any = Pattern::any(&patterns);
        let (base, by_byte) = any.worst_case();
        for text in texts {
            let mut budget = Budget::for_schema();
            let expected = patterns.iter().any(|pattern| pattern.is_match(&mut budget, text) == Ok(true));
            let before = budget.steps_left();
            assert_eq!(any.is_match(&mut budget, text), Ok(expected), "{text:?}");
            let spent = before - budget.steps_left();
            assert!(
                spent <= base.saturating_add(by_byte.saturating_mul(text.len() as u64)),
                "{text:?}: {spent}"
            );
        }
    }

    #[test]
    fn patterns_of_the_same_text_are_all_found() {
        let sources = ["^a", "^a$", "^a", "^a.?$", "", "^b"].map(str::to_owned);
        check(&sources, &["a", "ab", "", "b", "ba"].map(str::to_owned));
    }

    /// A thousand patterns cost a look-up, not a thousand matches.
    #[test]
    fn pays_for_what_may_match() {
        let spent = |sources: &[String], text: &str| {
            let (pool, ids) = set(sources);
            let set = PatternSet::new(ids);
            let mut budget = Budget::new(&Limits::default(), 2_000_000);
            let before = budget.steps_left();
            set.find(&pool, &mut budget, text, &mut MatchingPatterns::new()).unwrap();
            before - budget.steps_left()
        };
        let numbered: Vec<String> = (0..1000).map(|number| format!("^item{number}_[a-z]+$")).collect();
        assert!(spent(&numbered, "item500_abc") < 32);
        let nested: Vec<String> = (1..400).map(|length| format!("^{}$", "a".repeat(length))).collect();
        assert!(spent(&nested, &"a".repeat(200)) < 64);
    }

    /// Texts that would take too much memory are left out, and their patterns asked.
    #[test]
    fn is_bounded_in_size() {
        let sources: Vec<String> = (0..4_000).map(|n| format!("^{n}_[a-z]*$")).collect();
        let (pool, ids) = set(&sources);
        let heads = Heads::new(ids.iter().map(|&id| pool[id].source()));
        assert!(!heads.others.is_empty() && heads.sorted.len() * size_of::<Head>() <= HEAD_BYTES);
        check(&sources, &["7", "7_abab", "39_bb", "3999_", "3999_-"].map(str::to_owned));
    }
}
