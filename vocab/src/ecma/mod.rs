//! ECMA-262 patterns, the language of `pattern`, `patternProperties` and the format `regex`.
//!
//! JSON Schema says that a regular expression *should* be one of ECMA-262, with its `u` flag, and
//! that it is searched for, not anchored. This module reads that language and hands the meaning on:
//!
//! ```text
//! &str ── parse ──→ Pattern ──┬─ program ──→ Program    regular patterns: what automata are made from
//!         parse.rs            │
//!         escape.rs           ├─ split ────→ Parts      lookaround that regular patterns can express
//!         class.rs            │  split.rs, lower.rs
//!                             └─ Matcher                any pattern: every step is paid
//!                                matcher/
//! ```
//!
//! In between, `resolve.rs` decides what each backreference can see, and `size.rs` estimates what
//! a program would cost.
//!
//! # Strict and tolerant
//!
//! Patterns in the wild are rarely written with the `u` flag in mind. Where the strict grammar has
//! no meaning for them, we take the one of its Annex B, for these harmless things only:
//!
//! - an escaped space or ASCII punctuation character stands for itself: `\-`, `\_`, `\@`, `\"`;
//! - `]`, `}`, and a `{` that begins no quantifier, stand for themselves;
//! - a `-` beside a class such as `\d` in brackets stands for itself: `[\d-x]`.
//!
//! No strict pattern changes its meaning by this, so there is one parser, and
//! [`Pattern::is_strict`] tells whether it had to be tolerant. An escaped letter that ECMA-262 does
//! not define (`\Z`, `\A`, `\h`, `\Q`) is always refused: its author meant something which we would
//! silently not do.
//!
//! # Untrusted input
//!
//! [`Pattern::parse`] takes time and memory linear in the source (a class is sorted), and groups
//! nest at most [`MAX_NESTING`] deep. It builds no automaton, and unpacks no table of Unicode.
//! [`Pattern::size`] is known before a program is built, with repetitions multiplied out: compare it with a
//! limit *before* [`Matcher::new`], which expands what the source abbreviates.
//!
//! # What is refused though ECMA-262 allows it
//!
//! A Unicode property whose table we lack, with [`PatternError::is_unsupported`]:
//! `Changes_When_NFKC_Casefolded`. And groups that nest deeper than [`MAX_NESTING`].
//!
//! Syntax that ES2025 added is not supported: modifiers (`(?i:…)`), and groups of the same name in
//! different alternatives.

mod ast;
mod class;
mod error;
mod escape;
mod lower;
mod matcher;
mod name;
mod parse;
mod property;
mod resolve;
mod size;
mod split;

pub use ast::{Assertion, Ast, Group, Look, Repeat};
pub use class::Class;
pub use error::PatternError;
pub use matcher::{Matcher, Meter, Program, Step};
pub use parse::MAX_NESTING;
pub use property::Property;
pub use split::Parts;

/// A parsed ECMA-262 pattern.
///
/// ```
/// use stanchion_vocab::ecma::Pattern;
///
/// let pattern = Pattern::parse(r"^\d{4}-\d{2}$")?;
/// assert!(pattern.is_regular());
/// ///
/// let error = Pattern::parse(r"abc\Z").unwrap_err();
/// assert_eq!(error.to_string(), r"offset 3: \Z is not an escape in ECMA-262");
/// # Ok::<(), stanchion_vocab::ecma::PatternError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    ast: Ast,
    /// The groups that backreferences refer to, ascending. Only these need to capture.
    captures: Vec<u32>,
    size: u64,
    regular: bool,
    strict: bool,
}

impl Pattern {
    /// Reads a pattern, tolerantly (see the [module](self)).
    pub fn parse(source: &str) -> Result<Pattern, PatternError> {
        let parsed = parse::parse(source)?;
        let mut ast = parsed.ast;
        let captures = resolve::resolve(&mut ast, parsed.groups, &parsed.references);
        let size = size::of(&ast, &captures);
        Ok(Pattern { regular: ast.is_regular(), ast, captures, size, strict: parsed.strict })
    }

    /// Returns the pattern as a tree, for engines that recognize simple patterns and need no
    /// automaton for them.
    ///
    /// It does not contain backreferences that can only match the empty string.
    pub fn ast(&self) -> &Ast {
        &self.ast
    }

    /// Whether the pattern has no lookaround and no backreference, so that linear engines can run
    /// it.
    pub fn is_regular(&self) -> bool {
        self.regular
    }

    /// Whether it has a backreference that can match something, so that no engine is linear.
    pub fn has_backreferences(&self) -> bool {
        !self.captures.is_empty()
    }

    /// Whether the pattern follows the grammar of the `u` flag, without anything from Annex B.
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// Returns the approximate size of a program for this pattern. Repetitions are multiplied out,
    /// except those of single characters, which are counted. Saturates at `u64::MAX`.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Returns the pattern as a plain program of about `limit` steps at most, if it [is
    /// regular](Pattern::is_regular). Nothing in it captures.
    pub fn program(&self, limit: u64) -> Option<Program> {
        Program::new(self, limit)
    }

    /// Splits a pattern with lookaround into regular patterns that together mean the same, if
    /// possible.
    ///
    /// The sum of their sizes is at most a little more than twice the size of the pattern.
    ///
    /// ```
    /// use stanchion_vocab::ecma::{Parts, Pattern};
    ///
    /// let parts = Pattern::parse(r"^(?=.*\d)\w+$")?.split();
    /// assert!(matches!(parts, Some(Parts::All(parts)) if parts.len() == 2));
    /// assert!(Pattern::parse("(?=a+b).*c")?.split().is_none());
    /// # Ok::<(), stanchion_vocab::ecma::PatternError>(())
    /// ```
    pub fn split(&self) -> Option<Parts> {
        if self.regular || self.has_backreferences() { None } else { split::split(self) }
    }
}

/// Whether a text is a pattern, as the format `regex` asks.
///
/// Tolerant like [`Pattern::parse`], since the text is meant to be used as a `pattern`. Accepts
/// patterns that ECMA-262 allows and this crate cannot run, however deep their groups nest. Takes
/// time linear in the text; builds neither a tree nor a table.
pub fn is_pattern(source: &str) -> bool {
    match parse::check(source) {
        Ok(()) => true,
        Err(error) => error.is_unsupported(),
    }
}
