//! Pieces of messages: values and names as JSON writes them, cut, and harmless on any terminal or in any prompt.

use serde_json::Value;
use stanchion_vocab::{Type, TypeSet};
use std::fmt::{self, Formatter, Write};

/// So many characters of a text are kept.
pub(crate) const KEPT: usize = 100;

/// How many names or values a message lists before it says how many more there are.
const LISTED: usize = 10;

/// Writes items between commas, as many as a message lists.
pub(crate) fn list<T: fmt::Display>(
    f: &mut Formatter<'_>,
    items: impl IntoIterator<Item = T>,
    count: usize,
) -> fmt::Result {
    for (index, item) in items.into_iter().take(LISTED).enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        item.fmt(f)?;
    }
    if count > LISTED {
        write!(f, " and {} more", count - LISTED)?;
    }
    Ok(())
}

/// A text as JSON writes it, cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quoted<'t>(pub(crate) &'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if !is_plain(self.0) {
            return f.write_str(&quoted(self.0));
        }
        f.write_str("\"")?;
        f.write_str(self.0)?;
        f.write_str("\"")
    }
}

/// Whether a text is shown as it is: most are.
fn is_plain(text: &str) -> bool {
    text.len() <= KEPT
        && text.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\')
}

/// A text as JSON writes it, cut.
pub(crate) fn quoted(text: &str) -> String {
    if is_plain(text) {
        return ["\"", text, "\""].concat();
    }
    let mut shown = String::with_capacity(text.len().min(KEPT) + 2);
    shown.push('"');
    let (kept, rest) = split(text, KEPT);
    for character in kept.chars() {
        match character {
            '"' => shown.push_str("\\\""),
            '\\' => shown.push_str("\\\\"),
            '\n' => shown.push_str("\\n"),
            '\r' => shown.push_str("\\r"),
            '\t' => shown.push_str("\\t"),
            _ => push_visibly(&mut shown, character),
        }
    }
    shown.push_str(if rest.is_empty() { "\"" } else { "…\"" });
    shown
}

/// A text in one line, with nothing in it that would move a cursor or turn the direction of writing.
pub(crate) fn in_one_line(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        push_visibly(&mut shown, character);
    }
    shown
}

fn push_visibly(shown: &mut String, character: char) {
    let is_harmful = character.is_control()
        || matches!(character,
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}');
    if !is_harmful {
        return shown.push(character);
    }
    let mut units = [0; 2];
    for unit in character.encode_utf16(&mut units) {
        // Writing to a `String` cannot fail.
        let _ = write!(shown, "\\u{unit:04x}");
    }
}

/// A text of at most 100 characters: a longer one ends in an ellipsis.
pub(crate) fn cut(text: &str) -> String {
    cut_at(text, KEPT)
}

/// A text of at most so many characters, before an ellipsis.
pub(crate) fn cut_at(text: &str, characters: usize) -> String {
    match split(text, characters) {
        (kept, "") => kept.to_owned(),
        (kept, _) => format!("{kept}…"),
    }
}

/// A text's first characters, and the rest.
fn split(text: &str, characters: usize) -> (&str, &str) {
    match text.char_indices().nth(characters) {
        Some((end, _)) => text.split_at(end),
        None => (text, ""),
    }
}

/// A value of the schema as JSON text, cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ValueText<'v>(pub(crate) &'v Value);

impl fmt::Display for ValueText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Value::String(text) => Quoted(text).fmt(f),
            Value::Null | Value::Bool(_) => self.0.fmt(f),
            Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                f.write_str(&in_one_line(&cut(&self.0.to_string())))
            }
        }
    }
}

/// A value as the facts of an error have it, with a text of at most so many characters.
pub(crate) fn shortened(value: &str, characters: usize) -> String {
    match serde_json::from_str::<Value>(value) {
        Ok(Value::String(text)) => quoted(&cut_at(&text, characters)),
        Ok(_) => cut_at(value, characters.max(1)),
        // The size of an array or an object.
        Err(_) => value.to_owned(),
    }
}

/// What a value is, as the facts of an error have it, and not which.
pub(crate) fn masked(value: &str) -> &str {
    match value.as_bytes().first() {
        Some(b'"') => with_article(Type::String),
        Some(b'-' | b'0'..=b'9') => with_article(Type::Number),
        _ if value == "true" || value == "false" => with_article(Type::Boolean),
        _ => value,
    }
}

/// «an object», «a string», as messages say it.
pub(crate) fn with_article(kind: Type) -> &'static str {
    match kind {
        Type::Null => "null",
        Type::Boolean => "a boolean",
        Type::Integer => "an integer",
        Type::Number => "a number",
        Type::String => "a string",
        Type::Array => "an array",
        Type::Object => "an object",
    }
}

/// The types as one would list them.
pub(crate) fn null_last(types: TypeSet) -> impl Iterator<Item = Type> {
    let null = types.has(Type::Null).then_some(Type::Null);
    types.iter().filter(|&kind| kind != Type::Null).chain(null)
}

/// «a string or null»
#[derive(Clone, Copy, Debug)]
pub(crate) struct Alternatives(pub(crate) TypeSet);

impl fmt::Display for Alternatives {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut types = null_last(self.0).peekable();
        let Some(first) = types.next() else { return f.write_str("nothing") };
        f.write_str(with_article(first))?;
        while let Some(kind) = types.next() {
            f.write_str(if types.peek().is_some() { ", " } else { " or " })?;
            f.write_str(with_article(kind))?;
        }
        Ok(())
    }
}

/// «1 item», «2 items»
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counted {
    pub(crate) count: u64,
    pub(crate) one: &'static str,
    pub(crate) many: &'static str,
}

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.count, if self.count == 1 { self.one } else { self.many })
    }
}

pub(crate) fn counted(count: u64, one: &'static str, many: &'static str) -> Counted {
    Counted { count, one, many }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!(quoted(&"é".repeat(100)), format!("\"{}\"", "é".repeat(100)));
        assert_eq!(quoted(&"é".repeat(101)), format!("\"{}…\"", "é".repeat(100)));
        assert_eq!(shortened("\"a\\nbc\"", 2), "\"a\\n…\"");
        assert_eq!(shortened("12345", 3), "123…");
    }

    #[test]
    fn nothing_in_a_text_moves_the_cursor() {
        assert_eq!(quoted("a\"\\\n\u{1b}[2J\u{202e}\u{9b}"), r#""a\"\\\n\u001b[2J\u202e\u009b""#);
        assert_eq!(in_one_line("/a\nb\u{e0041}"), r"/a\u000ab\udb40\udc41");
    }

    #[test]
    fn masks_tell_the_type() {
        assert_eq!(masked("\"secret\""), "a string");
        assert_eq!(masked("-1.5"), "a number");
        assert_eq!(masked("true"), "a boolean");
        assert_eq!(masked("null"), "null");
        assert_eq!(masked("an array of 3 items"), "an array of 3 items");
    }
}
