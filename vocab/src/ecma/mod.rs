//! ECMA-262 patterns: what `pattern`, `patternProperties` and the format `regex` are written in.
//!
//! JSON Schema says that a regular expression *should* be one of ECMA-262, with its `u` flag, and
//! that it is searched for, not anchored. This module reads that language and hands the meaning on:
//!
//! ```text
//! &str ── parse ──→ Pattern ──┬─ to_hir ──→ Hir of regex-syntax   regular patterns: linear engines
//!         parse.rs            │  hir.rs
//!         escape.rs           ├─ split ───→ Parts                 lookaround that regular patterns can express
//!         class.rs            │  split.rs, lower.rs
//!                             └─ Matcher                          any pattern: every step is paid
//!                                matcher/
//! ```
//!
//! In between, `resolve.rs` decides what each backreference can see, and `size.rs` estimates what
//! an automaton would cost.
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
//! nest at most [`MAX_NESTING`] deep. It builds no automaton. [`Pattern::size`] is known before one
//! is built, with all repetitions multiplied out: compare it with a limit *before*
//! [`Pattern::to_hir`] or [`Matcher::new`], because both expand what the source abbreviates
//! (`\p{L}` is five letters and some 600 ranges).
//!
//! # What is refused though ECMA-262 allows it
//!
//! Unicode properties whose tables we lack, with [`PatternError::is_unsupported`]:
//! `Changes_When_NFKC_Casefolded` and `Script=Unknown`. And groups that nest deeper than
//! [`MAX_NESTING`].
//!
//! What ES2025 added to the syntax is not read: modifiers (`(?i:…)`), and groups of the same name
//! in different alternatives.

mod ast;
mod class;
mod error;
mod escape;
mod hir;
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
pub use matcher::{Matcher, Meter};
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
/// assert!(pattern.to_hir().is_some());
///
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

    /// The pattern as a tree: for engines which recognize simple patterns and need no automaton for
    /// them.
    ///
    /// A backreference that can only ever match the empty string is not in it anymore.
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

    /// Whether the pattern is one by the grammar of the `u` flag alone, with nothing of Annex B.
    pub fn is_strict(&self) -> bool {
        self.strict
    }

    /// About how many states an NFA of this pattern has: repetitions multiplied out, classes
    /// weighted by the byte ranges that their UTF-8 takes. It saturates at `u64::MAX`.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The pattern for `regex_automata::meta::Builder::build_from_hir`, if it [is
    /// regular](Pattern::is_regular).
    ///
    /// Nothing in it captures: it says whether a text matches, and where.
    pub fn to_hir(&self) -> Option<regex_syntax::hir::Hir> {
        if self.regular { hir::translate(&self.ast) } else { None }
    }

    /// Regular patterns that say the same together, if there is lookaround and they can.
    ///
    /// Their sizes are at most twice that of the pattern, and some.
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
/// Tolerant as [`Pattern::parse`]: who checks `regex` wants to know whether the text can be used
/// for `pattern`. What ECMA-262 allows and we cannot run is a pattern nevertheless.
pub fn is_pattern(source: &str) -> bool {
    match Pattern::parse(source) {
        Ok(_) => true,
        Err(error) => error.is_unsupported(),
    }
}
