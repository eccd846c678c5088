//! A matcher for any pattern, in which every step is paid.
//!
//! Lookaround and backreferences are beyond the linear engines, and both the pattern and the text
//! are hostile. So the work is bounded where it can be, and counted where it cannot:
//!
//! ```text
//! Pattern ── compile.rs ──→ Matcher ──┬─ run.rs         no backreferences: all ways at once
//!                                     └─ backtrack.rs   backreferences: one way after the other
//! ```
//!
//! **Without backreferences** what was captured does not matter, and a lookaround is a question
//! about a place in the text: yes or no. The text is walked once, with the set of instructions at
//! which a match could be; no instruction is looked at twice at one place. A lookaround is asked by
//! the same walk from the place on. When that was expensive, it is answered for *all* places in one
//! walk, which goes the other way: `(?=a+b)` holds wherever `b+a`, begun anywhere, ends when we
//! read from right to left. So everything takes time in O(size × length), and a bit for each
//! lookaround and place. (The algorithm is that of Barrière and Pit-Claudel, *Linear Matching of
//! JavaScript Regular Expressions*, 2024.)
//!
//! **With backreferences** we do what ECMA-262 describes: try one way, undo it, try the next. This
//! can take exponential time; the [`Meter`] ends it. Lookarounds that have no part in it, because
//! nothing refers into or out of them, are still answered as above.
//!
//! Two things keep programs small where nothing is captured. A character that is repeated, as in
//! `.{1,255}`, is one instruction with a counter: the walk keeps the places at which a run of it
//! began, and all of them grow together, so a place costs the same however long runs may be. And
//! alternatives that begin with texts, as a list of words does, become a trie.
//!
//! The program is the same for both, and for both directions: reading from right to left, the parts
//! of a concatenation are compiled in reverse, and the reader goes back.
//!
//! ```text
//! ^(a|b)\1$        0000 Assert(Start)
//!                  0001 Save(0)
//!                  0002 Split { first: 3, second: 5 }
//!                  0003 Char('a')
//!                  0004 Jump(6)
//!                  0005 Char('b')
//!                  0006 Save(1)
//!                  0007 Backreference(0)
//!                  0008 Assert(End)
//!                  0009 Match
//! ```

mod backtrack;
mod compile;
mod counter;
mod program;
mod run;
mod trie;

use std::fmt;
use std::sync::Arc;

use super::Pattern;
use super::ast::Assertion;
use super::class::Class;
pub(super) use compile::{MAX_COPIED_ROUNDS, single};
use counter::Counter;
pub use program::{Program, Step};
use run::Search;

/// Pays for a search: with work, which is gone, and with memory, which comes back.
///
/// An error of either ends the search.
pub trait Meter<E> {
    /// Called before `units` of work are done. A unit takes some tens of nanoseconds at most.
    fn spend(&mut self, units: u64) -> Result<(), E>;

    /// Called before `bytes` of memory are taken.
    fn hold(&mut self, bytes: usize) -> Result<(), E>;

    /// Called after `bytes` of memory were given back: all that were held, when a search has ended
    /// in whatever way.
    fn release(&mut self, bytes: usize);
}

/// A pattern compiled for the bounded matcher: any ECMA-262 pattern, regular or not.
///
/// ```
/// use stanchion_vocab::ecma::{Matcher, Meter, Pattern};
///
/// /// A meter with this much work and unlimited memory.
/// struct Units(u64);
///
/// impl Meter<&'static str> for Units {
///     fn spend(&mut self, units: u64) -> Result<(), &'static str> {
///         self.0 = self.0.checked_sub(units).ok_or("too much work")?;
///         Ok(())
///     }
///     fn hold(&mut self, _: usize) -> Result<(), &'static str> {
///         Ok(())
///     }
///     fn release(&mut self, _: usize) {}
/// }
///
/// let matcher = Matcher::new(&Pattern::parse(r"^(?!.*--)(\w)[\w-]*\1$")?);
/// assert_eq!(matcher.is_match("a-b-a", &mut Units(1_000)), Ok(true));
/// assert_eq!(matcher.is_match("a--b-a", &mut Units(1_000)), Ok(false));
///
/// let bomb = Matcher::new(&Pattern::parse(r"^(a+)+\1b$")?);
/// assert_eq!(bomb.is_match(&"a".repeat(50), &mut Units(1_000)), Err("too much work"));
/// # Ok::<(), stanchion_vocab::ecma::PatternError>(())
/// ```
#[derive(Clone)]
pub struct Matcher {
    main: Section,
    looks: Box<[Look]>,
    classes: Box<[CharSet]>,
    counters: Box<[Counter]>,
    /// The sorted targets of each [`Instruction::Switch`], by character.
    choices: Box<[(char, u32)]>,
    /// Number of places that a backtracking search remembers: two for each capture, then one for
    /// each loop that must make progress.
    slots: usize,
    /// Whether the pattern has backreferences.
    exact: bool,
    /// Whether a match can only begin at the start of the text.
    anchored: bool,
}

/// Instructions that run together. Execution begins with the first, and targets are indices into
/// the section.
type Section = Box<[Instruction]>;

/// A lookaround that can be answered for a place alone: nothing refers into or out of it.
#[derive(Clone, Debug)]
struct Look {
    behind: bool,
    negative: bool,
    /// Index of the first lookaround inside it. Those inside are in order and end with this one.
    first: usize,
    /// The body, read in its own direction: for one place.
    direct: Section,
    /// The body, read in the other direction: for all places.
    reverse: Section,
}

/// A class, with a bit set for ASCII.
#[derive(Clone, Debug)]
struct CharSet {
    ascii: u128,
    class: Arc<Class>,
}

/// An instruction. Unless it says otherwise, the next instruction follows when it succeeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instruction {
    // Read.
    /// This character is next.
    Char(char),
    /// The next character is in the class of this index.
    Class(u32),
    /// The capture of this index is next, or it is unset.
    Backreference(u32),
    /// The next character leads to one of the choices from `first` on, which are sorted.
    Switch {
        first: u32,
        count: u32,
    },
    /// A run of the counter's characters may begin here. The next instruction counts it.
    Begin(u32),
    /// The runs of this counter continue with the next character. After a run that is long enough,
    /// the next instruction follows.
    Run(u32),
    // Test the current place.
    Assert(Assertion),
    /// The lookaround of this index holds.
    Look(u32),
    /// A lookaround begins whose captures matter: its body follows, to [`Instruction::Leave`].
    Enter {
        behind: bool,
        negative: bool,
        next: u32,
    },
    /// The body of the lookaround has matched.
    Leave,
    // Remember.
    /// Stores the place in this slot.
    Save(u32),
    /// Clears this slot.
    Clear(u32),
    /// Clears these slots, since a round begins.
    Forget {
        first: u32,
        slots: u32,
    },
    /// The place differs from the one in this slot.
    Progress(u32),
    // Continue elsewhere.
    Jump(u32),
    /// Continues at the first; if that fails, at the second.
    Split {
        first: u32,
        second: u32,
    },
    Match,
}

impl Matcher {
    /// About how many bytes it has on the heap.
    pub fn heap_bytes(&self) -> usize {
        fn slice<T>(items: &[T]) -> usize {
            if items.is_empty() { 0 } else { 16 + size_of_val(items) }
        }
        let Matcher { main, looks, classes, counters, choices, slots: _, exact: _, anchored: _ } = self;
        let bodies: usize = looks.iter().map(|look| slice(&look.direct) + slice(&look.reverse)).sum();
        let sets: usize = classes.iter().map(|set| set.class.heap_bytes()).sum();
        slice(main) + slice(looks) + bodies + slice(classes) + sets + slice(counters) + slice(choices)
    }

    /// Compiles a pattern, in time and memory of O([`Pattern::size`]): compare the size with a
    /// limit first. A matcher takes about a hundred bytes per unit of size.
    pub fn new(pattern: &Pattern) -> Matcher {
        compile::compile(&pattern.ast, &pattern.captures)
    }

    /// Whether the pattern is found anywhere in the text.
    ///
    /// The `meter` is charged for the search, and its error ends it. Without backreferences, the
    /// work is O(size × length), and so is the memory, in bits.
    pub fn is_match<E>(&self, text: &str, meter: &mut impl Meter<E>) -> Result<bool, E> {
        let mut search = Search::new(self, text, meter);
        let found = if self.exact { search.backtrack() } else { search.walk() };
        search.release();
        found
    }
}

/// Formats a listing of the program.
impl fmt::Debug for Matcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        list(f, &self.main)?;
        for (at, look) in self.looks.iter().enumerate() {
            writeln!(f, "look {at}, behind: {}, negative: {}", look.behind, look.negative)?;
            list(f, &look.direct)?;
        }
        Ok(())
    }
}

fn list(f: &mut fmt::Formatter<'_>, section: &Section) -> fmt::Result {
    section.iter().enumerate().try_for_each(|(at, instruction)| writeln!(f, "{at:04} {instruction:?}"))
}

impl CharSet {
    fn new(class: &Arc<Class>) -> CharSet {
        let mut ascii = bits(class.ranges());
        for property in class.properties() {
            let members = bits(property.ranges());
            ascii |= if property.is_negated() { !members } else { members };
        }
        CharSet { ascii: if class.is_negated() { !ascii } else { ascii }, class: Arc::clone(class) }
    }
}

/// Returns the ASCII characters of ascending ranges, one bit each.
fn bits(ranges: &[(char, char)]) -> u128 {
    let ascii = ranges.iter().take_while(|(start, _)| start.is_ascii());
    ascii.fold(0, |bits, &(start, end)| {
        let (start, end) = (u32::from(start), u32::from(end).min(127));
        bits | (u128::MAX << start) & (u128::MAX >> (127 - end))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(source: &str, listing: &[&str]) {
        let matcher = Matcher::new(&Pattern::parse(source).expect(source));
        assert_eq!(format!("{matcher:?}").lines().collect::<Vec<_>>(), listing);
    }

    #[test]
    fn programs_are_those_of_the_documentation() {
        check(
            r"^(a|b)\1$",
            &[
                "0000 Assert(Start)",
                "0001 Save(0)",
                "0002 Split { first: 3, second: 5 }",
                "0003 Char('a')",
                "0004 Jump(6)",
                "0005 Char('b')",
                "0006 Save(1)",
                "0007 Backreference(0)",
                "0008 Assert(End)",
                "0009 Match",
            ],
        );
        check(
            r"(a*)*\1",
            &[
                "0000 Split { first: 1, second: 12 }",
                "0001 Save(2)",
                "0002 Save(0)",
                "0003 Split { first: 4, second: 6 }",
                "0004 Char('a')",
                "0005 Split { first: 4, second: 6 }",
                "0006 Save(1)",
                "0007 Progress(2)",
                "0008 Split { first: 9, second: 12 }",
                "0009 Save(2)",
                "0010 Forget { first: 0, slots: 2 }",
                "0011 Jump(2)",
                "0012 Backreference(0)",
                "0013 Match",
            ],
        );
        check(
            "(?<!ab)c{2,}",
            &[
                "0000 Look(0)",
                "0001 Char('c')",
                "0002 Char('c')",
                "0003 Split { first: 2, second: 4 }",
                "0004 Match",
                "look 0, behind: true, negative: true",
                "0000 Char('b')",
                "0001 Char('a')",
                "0002 Match",
            ],
        );
    }

    #[test]
    fn instructions_are_small_and_programs_are_shared() {
        fn is_shared<T: Send + Sync>() {}
        is_shared::<Matcher>();
        assert!(size_of::<Instruction>() <= 12);
    }
}
