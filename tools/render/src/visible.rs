//! Makes untrusted text safe to print.
//!
//! Schemas and instances may contain escape sequences that a terminal would execute, characters
//! that reverse the order of letters, and invisible ones. Each such character is written as its
//! number, `\u{1b}`.

use unicode_general_category::{GeneralCategory, get_general_category};

/// Returns the text with every hidden character written as its number, or as `\n`, `\r`, `\t`.
///
/// ```
/// assert_eq!(stanchion_render::visible("a\u{1b}[31mb\n\u{202e}c é"), r"a\u{1b}[31mb\n\u{202e}c é");
/// ```
pub fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        push_visible(&mut shown, character);
    }
    shown
}

/// Appends one character in visible form.
pub(crate) fn push_visible(shown: &mut String, character: char) {
    if is_hidden(character) {
        shown.extend(character.escape_default());
    } else {
        shown.push(character);
    }
}

/// Whether a character is invisible, or changes how others look.
fn is_hidden(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    matches!(
        get_general_category(character),
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
            | GeneralCategory::Surrogate
            | GeneralCategory::PrivateUse
            | GeneralCategory::Unassigned
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_hidden_is_shown() {
        for (text, shown) in [
            ("\u{0}\u{7f}\u{9b}2J", r"\u{0}\u{7f}\u{9b}2J"),
            ("\u{2066}\u{2069}\u{200f}", r"\u{2066}\u{2069}\u{200f}"),
            ("\u{2028}\u{2029}\u{feff}\u{200b}", r"\u{2028}\u{2029}\u{feff}\u{200b}"),
            ("\u{e0041}", r"\u{e0041}"),
            ("naïve 日本 😀 \\", "naïve 日本 😀 \\"),
        ] {
            assert_eq!(visible(text), shown);
        }
    }
}
