//! The error for a text that is not a pattern.

use std::fmt;

/// The error for a text that is not a pattern: where it fails, what was found there and what was
/// expected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PatternError {
    offset: usize,
    kind: Kind,
}

/// The reason for a [`PatternError`]. Quotes from the source are cut to [`MAX_QUOTED`] characters,
/// since the source is untrusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// `\` and a character that together are no escape.
    Escape(char),
    /// `\` at the end of the pattern.
    Backslash,
    /// `\c` without a letter.
    Control,
    /// `\0` and another digit.
    Octal,
    /// `\x`, `\u` or `\k` that is malformed.
    Malformed {
        escape: char,
        wanted: &'static str,
    },
    /// `\u{…}` beyond the last code point.
    CodePoint,
    /// `\p` or `\P` without `{name}` or `{name=value}`.
    PropertySyntax,
    UnknownProperty(String),
    /// A property of ECMA-262 whose characters are not in our tables.
    MissingTable(&'static str),
    /// A quantifier with nothing before it.
    NothingToRepeat(char),
    /// A quantifier after `^`, `$`, `\b`, `\B` or a lookaround.
    RepeatedAssertion(char),
    /// `{2,1}`
    QuantifierOrder,
    /// `(` or `[` that is never closed.
    Unclosed(char),
    /// `)` that was never opened.
    Unopened,
    /// `(?` and something that ECMA-262 does not define.
    Group(String),
    GroupName,
    DuplicateName(String),
    /// `[b-a]`
    RangeOrder,
    UnknownGroup {
        number: String,
        groups: u32,
    },
    UnknownName(String),
    TooDeep {
        limit: usize,
    },
    TooManyGroups,
}

/// Most characters of the source that a message quotes.
const MAX_QUOTED: usize = 40;

impl PatternError {
    pub(super) fn new(offset: usize, kind: Kind) -> PatternError {
        PatternError { offset, kind }
    }

    /// Returns the offset of the error in the source, in bytes.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// Whether ECMA-262 allows the pattern, but this crate cannot run it (see the [module](super)).
    pub fn is_unsupported(&self) -> bool {
        matches!(self.kind, Kind::MissingTable(_))
    }
}

/// Returns the start of `text`, as much as a message quotes.
pub(super) fn quote(text: &str) -> String {
    text.chars().take(MAX_QUOTED).collect()
}

impl std::error::Error for PatternError {}

impl fmt::Display for PatternError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "offset {}: ", self.offset)?;
        match &self.kind {
            // Written as `\u{ad}`, an invisible character would look like a valid escape.
            Kind::Escape(found) if found.escape_debug().len() > 1 => {
                write!(f, "a backslash before U+{:04X} is not an escape in ECMA-262", u32::from(*found))
            }
            Kind::Escape(found) => write!(f, "\\{found} is not an escape in ECMA-262"),
            Kind::Backslash => write!(f, "expected a character after \\, found the end of the pattern"),
            Kind::Control => write!(f, "expected a letter after \\c"),
            Kind::Octal => write!(f, "\\0 is followed by a digit, but ECMA-262 has no octal escapes"),
            Kind::Malformed { escape, wanted } => write!(f, "expected {wanted} after \\{escape}"),
            Kind::CodePoint => write!(f, "a code point is at most 10FFFF"),
            Kind::PropertySyntax => write!(f, "expected {{name}} or {{name=value}} after \\p"),
            Kind::UnknownProperty(name) => {
                write!(f, "ECMA-262 knows no Unicode property {}", name.escape_debug())
            }
            Kind::MissingTable(name) => write!(f, "the Unicode property {name} is not supported"),
            Kind::NothingToRepeat(found) => write!(f, "there is nothing before {found} to repeat"),
            Kind::RepeatedAssertion(found) => write!(f, "an assertion cannot be repeated with {found}"),
            Kind::QuantifierOrder => write!(f, "the quantifier's maximum is below its minimum"),
            Kind::Unclosed(open) => write!(f, "{open} is never closed"),
            Kind::Unopened => write!(f, ") was never opened"),
            Kind::Group(found) => write!(f, "{} does not begin a group in ECMA-262", found.escape_debug()),
            Kind::GroupName => write!(f, "expected an identifier and > as the group's name"),
            Kind::DuplicateName(name) => write!(f, "another group is named {}", name.escape_debug()),
            Kind::RangeOrder => write!(f, "the range's end is below its start"),
            Kind::UnknownGroup { number, groups } => {
                write!(f, "\\{number} refers to a group, but the pattern has {groups}")
            }
            Kind::UnknownName(name) => {
                write!(f, "\\k refers to {}, but no group has this name", name.escape_debug())
            }
            Kind::TooDeep { limit } => write!(f, "groups are nested more than {limit} deep"),
            Kind::TooManyGroups => write!(f, "the pattern has more than {} groups", u32::MAX),
        }
    }
}
