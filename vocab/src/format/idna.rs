//! IDNA2008: the characters that a label may hold beyond ASCII. RFC 5891 §4.2, RFC 5892, and the
//! mapping of UTS #46 §4.
//!
//! [`map`] returns the canonical spelling of a label: it folds case, replaces compatibility
//! characters, drops invisible ones and composes. [`is_u_label`] decides whether a label in that
//! spelling is allowed.
//!
//! RFC 5892 does not list the allowed characters; it derives them from properties. We do the same,
//! so new versions of Unicode need new tables only. The first line that applies decides; a
//! character to which none applies is refused:
//!
//! ```text
//! exceptions (§2.6)                  by the list
//! join controls                      by context
//! old Hangul letters                 refused
//! unstable: `map` changes them       refused
//! ignorable properties and blocks    refused
//! letters, digits and marks          allowed
//! ```
//!
//! The properties are in the [tables](crate::unicode) that patterns use, too. Directions are left to [`bidi`](super::bidi), since they concern whole names.

use crate::unicode::Property;
use crate::unicode::classes::{Joining, combining};
use crate::unicode::normalize::{nfc, nfkd};
use crate::unicode::ranges::{Ranges, contains, difference, union};
use std::sync::LazyLock;

const ZERO_WIDTH_NON_JOINER: char = '\u{200C}';
const ZERO_WIDTH_JOINER: char = '\u{200D}';
const MIDDLE_DOT: char = '\u{B7}';
const GREEK_KERAIA: char = '\u{375}';
const HEBREW_GERESH: char = '\u{5F3}';
const HEBREW_GERSHAYIM: char = '\u{5F4}';
const KATAKANA_MIDDLE_DOT: char = '\u{30FB}';

/// Characters that RFC 5892 §2.6 allows by name, and the hyphen.
const ALSO_ALLOWED: &[(char, char)] = &[
    ('-', '-'),
    ('\u{DF}', '\u{DF}'),
    ('\u{3C2}', '\u{3C2}'),
    ('\u{6FD}', '\u{6FE}'),
    ('\u{F0B}', '\u{F0B}'),
    ('\u{3007}', '\u{3007}'),
];

/// Characters that RFC 5892 refuses: exceptions, old Hangul letters, and blocks of symbols and
/// music.
const REFUSED: &[(char, char)] = &[
    ('\u{640}', '\u{640}'),
    ('\u{7FA}', '\u{7FA}'),
    ('\u{1100}', '\u{11FF}'),
    ('\u{20D0}', '\u{20FF}'),
    ('\u{302E}', '\u{302F}'),
    ('\u{3031}', '\u{3035}'),
    ('\u{303B}', '\u{303B}'),
    ('\u{A960}', '\u{A97F}'),
    ('\u{D7B0}', '\u{D7FF}'),
    ('\u{1D100}', '\u{1D24F}'),
];

/// The derivation above as one set, without the rules on context and stability: capital letters are
/// in here.
static ALLOWED: LazyLock<Ranges> = LazyLock::new(|| {
    let letters = union(["Ll", "Lu", "Lo", "Nd", "Lm", "Mn", "Mc"].map(property));
    let ignorable = ["Default_Ignorable_Code_Point", "White_Space", "Noncharacter_Code_Point"].map(property);
    let refused = union(ignorable.into_iter().chain([REFUSED]));
    union([&difference(&letters, &refused)[..], ALSO_ALLOWED])
});

/// Characters that UTS #46 drops: invisible ones, except tags and those that control joining or
/// direction.
static DROPPED: LazyLock<Ranges> = LazyLock::new(|| {
    let kept = ["Cn", "Join_Control", "Bidi_Control"].map(property);
    let tags = [('\u{E0000}', '\u{E00FF}')];
    difference(property("Default_Ignorable_Code_Point"), &union(kept.into_iter().chain([&tags[..]])))
});

fn property(name: &str) -> &'static [(char, char)] {
    // INVARIANT: every name above is a property; a test checks it.
    Property::find(name, None).map_or(&[], Property::ranges)
}

fn script(name: &str) -> &'static [(char, char)] {
    Property::find("sc", Some(name)).map_or(&[], Property::ranges)
}

static MARK: LazyLock<&[(char, char)]> = LazyLock::new(|| property("M"));
static GREEK: LazyLock<&[(char, char)]> = LazyLock::new(|| script("Greek"));
static HEBREW: LazyLock<&[(char, char)]> = LazyLock::new(|| script("Hebrew"));
static JAPANESE: LazyLock<Ranges> = LazyLock::new(|| union(["Hiragana", "Katakana", "Han"].map(script)));

/// Returns the canonical spelling of a label; `None` if it is longer than any label can be.
///
/// This is the mapping of UTS #46 without its "disallowed" status and without its transitional
/// forms. [`is_u_label`] refuses what the mapping leaves in place. (A mathematical final sigma
/// becomes `ς`, not `σ`; that makes no difference here.)
pub(super) fn map(label: &str) -> Option<String> {
    // The result has at most 63 characters, and each comes from at most four. So more input than
    // this need not be read, and a long text costs no memory.
    const MAX_READ: usize = 4 * 63;
    let kept = || label.chars().filter(|&c| c.is_ascii() || !contains(&DROPPED, c));
    if kept().nth(MAX_READ).is_some() {
        return None;
    }
    Some(nfc(nfkd(kept()).into_iter().flat_map(char::to_lowercase).map(fold)))
}

/// Applies the part of full case folding that goes beyond lower case: Cherokee folds to capitals,
/// which were encoded first; the iota below a Greek vowel becomes a letter; and some Cyrillic
/// letters are variants of others.
///
/// `ß` and `ς` are not folded: IDNA2008 distinguishes them from `ss` and `σ`.
fn fold(lower: char) -> char {
    match lower {
        '\u{345}' => 'ι',
        '\u{1C80}' => 'в',
        '\u{1C81}' => 'д',
        '\u{1C82}' => 'о',
        '\u{1C83}' => 'с',
        '\u{1C84}' | '\u{1C85}' => 'т',
        '\u{1C86}' => 'ъ',
        '\u{1C87}' => 'ѣ',
        '\u{1C88}' => 'ꙋ',
        '\u{13F8}'..='\u{13FD}' => offset(lower, '\u{13F8}', '\u{13F0}'),
        '\u{AB70}'..='\u{ABBF}' => offset(lower, '\u{AB70}', '\u{13A0}'),
        _ => lower,
    }
}

/// Returns the character as far from `to` as `c` is from `from`.
fn offset(c: char, from: char, to: char) -> char {
    char::from_u32(u32::from(c) - u32::from(from) + u32::from(to)).unwrap_or(c)
}

/// Whether a text with characters beyond ASCII is a U-label: RFC 5891 §4.2.3, without length and
/// direction.
pub(super) fn is_u_label(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let hyphens = text.starts_with('-') || text.ends_with('-') || matches!(chars[..], [_, _, '-', '-', ..]);
    // A text that the mapping does not change is composed (NFC), and all of its characters are
    // stable.
    !hyphens
        && map(text).is_some_and(|mapped| mapped == text)
        && chars.first().is_some_and(|&first| !contains(&MARK, first))
        && (0..chars.len()).all(|at| is_allowed(&chars, at))
}

/// Whether the character at `at` is allowed there: RFC 5892 §3, with the contexts of its appendix
/// A.
fn is_allowed(label: &[char], at: usize) -> bool {
    let before = at.checked_sub(1).map(|before| label[before]);
    let after = label.get(at + 1).copied();
    match label[at] {
        ZERO_WIDTH_NON_JOINER => before.is_some_and(is_virama) || breaks_joining(label, at),
        ZERO_WIDTH_JOINER => before.is_some_and(is_virama),
        MIDDLE_DOT => before == Some('l') && after == Some('l'),
        GREEK_KERAIA => after.is_some_and(|c| contains(&GREEK, c)),
        HEBREW_GERESH | HEBREW_GERSHAYIM => before.is_some_and(|c| contains(&HEBREW, c)),
        KATAKANA_MIDDLE_DOT => label.iter().any(|&c| contains(&JAPANESE, c)),
        // Two sets of digits that look alike: a label uses only one of them.
        '\u{660}'..='\u{669}' => !label.iter().any(|c| matches!(c, '\u{6F0}'..='\u{6F9}')),
        '\u{6F0}'..='\u{6F9}' => !label.iter().any(|c| matches!(c, '\u{660}'..='\u{669}')),
        c => contains(&ALLOWED, c),
    }
}

fn is_virama(c: char) -> bool {
    combining(c) == 9
}

/// Whether the letters on both sides of `at` would join if the character there were not between
/// them.
fn breaks_joining(label: &[char], at: usize) -> bool {
    let is_solid = |joining: &Joining| *joining != Joining::Transparent;
    let before = label[..at].iter().rev().map(|&c| Joining::of(c)).find(is_solid);
    let after = label[at + 1..].iter().map(|&c| Joining::of(c)).find(is_solid);
    matches!(before, Some(Joining::Left | Joining::Dual))
        && matches!(after, Some(Joining::Right | Joining::Dual))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_their_members() {
        for (set, members, others) in [
            (&ALLOWED[..], "é-\u{3007}a\u{300}", "! \u{1100}\u{2028}"),
            (&DROPPED[..], "\u{AD}\u{200B}", "!\u{200D}\u{E0061}"),
            (&MARK, "\u{300}", "!"),
            (&GREEK, "α", "a"),
            (&HEBREW, "א", "a"),
            (&JAPANESE[..], "丈ヲゑ", "a"),
        ] {
            assert!(members.chars().all(|c| contains(set, c)), "{members}");
            assert!(!others.chars().any(|c| contains(set, c)), "{members}");
        }
    }

    #[test]
    fn mapping() {
        for (text, mapped) in [
            ("MÜNCHEN", "münchen"),
            ("mu\u{308}nchen", "münchen"),
            ("ｘｎ", "xn"),
            ("ﬁ", "fi"),
            ("faß", "faß"),
            ("FAẞ", "faß"),
            ("ΒΌΛΟΣ", "βόλοσ"),
            ("βόλος", "βόλος"),
            ("ᾳ", "αι"),
            ("\u{AB70}\u{13F8}", "\u{13A0}\u{13F0}"),
            ("\u{1C80}", "в"),
            ("a\u{AD}\u{200B}b", "ab"),
        ] {
            assert_eq!(map(text).as_deref(), Some(mapped));
            assert_eq!(map(mapped).as_deref(), Some(mapped));
        }
        assert_eq!(map(&"a".repeat(1_000_000)), None);
    }

    #[test]
    fn derived_property() {
        for text in ["é", "ß", "ς", "〇", "ᏸᎠ".to_uppercase().as_str(), "é-1"] {
            assert!(is_u_label(text), "{text}");
        }
        // A capital, a symbol, an ellipsis, Hangul letters, a kashida, private use, not assigned, tags.
        for text in ["É", "☃", "é…", "\u{1100}\u{1161}", "ـا", "\u{E000}", "\u{378}", "é\u{E0061}"] {
            assert!(!is_u_label(text), "{text}");
        }
    }
}
