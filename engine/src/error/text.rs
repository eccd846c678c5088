//! Pieces of messages: values and names as JSON writes them, cut, and harmless on any terminal or in any prompt.

use serde_json::Value;
use stanchion_vocab::{Type, TypeSet};
use std::fmt::Write;

/// So many characters of a text are kept.
pub(crate) const KEPT: usize = 100;

/// How many names or values a message lists before it says how many more there are.
const LISTED: usize = 10;

/// Appends texts.
pub(crate) fn push_all(text: &mut String, parts: &[&str]) {
    parts.iter().for_each(|part| text.push_str(part));
}

/// Appends a number.
pub(crate) fn push_number(text: &mut String, number: u64) {
    text.push_str(itoa::Buffer::new().format(number));
}

/// Appends items between commas, as many as a message lists.
pub(crate) fn push_list<T>(
    text: &mut String,
    items: impl ExactSizeIterator<Item = T>,
    push: impl Fn(&mut String, T),
) {
    let count = items.len();
    for (index, item) in items.take(LISTED).enumerate() {
        if index > 0 {
            text.push_str(", ");
        }
        push(text, item);
    }
    if count > LISTED {
        text.push_str(" and ");
        push_number(text, (count - LISTED) as u64);
        text.push_str(" more");
    }
}

/// Whether a text is printable ASCII, and so in one line.
pub(crate) fn is_printable(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// A text as JSON writes it, cut.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown = String::new();
    push_quoted(&mut shown, text);
    shown
}

/// Appends a text as JSON writes it, cut.
pub(crate) fn push_quoted(shown: &mut String, text: &str) {
    let (kept, rest) = split(text, KEPT);
    shown.push('"');
    if is_printable(kept) && !kept.contains(['"', '\\']) {
        shown.push_str(kept);
    } else {
        kept.chars().for_each(|character| push_escaped(shown, character));
    }
    shown.push_str(if rest.is_empty() { "\"" } else { "…\"" });
}

fn push_escaped(shown: &mut String, character: char) {
    match character {
        '"' => shown.push_str("\\\""),
        '\\' => shown.push_str("\\\\"),
        '\n' => shown.push_str("\\n"),
        '\r' => shown.push_str("\\r"),
        '\t' => shown.push_str("\\t"),
        _ => push_visibly(shown, character),
    }
}

/// A text in one line, with nothing in it that would move a cursor or turn the direction of writing.
pub(crate) fn in_one_line(text: &str) -> String {
    let mut shown = String::new();
    push_in_one_line(&mut shown, text);
    shown
}

/// Appends a text in one line.
pub(crate) fn push_in_one_line(shown: &mut String, text: &str) {
    if is_printable(text) {
        return shown.push_str(text);
    }
    text.chars().for_each(|character| push_visibly(shown, character));
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
        // Writing to a text cannot fail.
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
    if text.len() <= characters {
        return (text, "");
    }
    // Mostly they are of one byte each.
    if let Some((kept, rest)) = text.split_at_checked(characters)
        && kept.is_ascii()
    {
        return (kept, rest);
    }
    match text.char_indices().nth(characters) {
        Some((end, _)) => text.split_at(end),
        None => (text, ""),
    }
}

/// A value of the schema as JSON text, cut.
pub(crate) fn value_text(value: &Value) -> String {
    let mut shown = String::new();
    push_value(&mut shown, value);
    shown
}

/// Appends a value of the schema as JSON text, cut.
pub(crate) fn push_value(shown: &mut String, value: &Value) {
    match value {
        Value::String(text) => push_quoted(shown, text),
        Value::Null => shown.push_str("null"),
        Value::Bool(value) => shown.push_str(if *value { "true" } else { "false" }),
        Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            shown.push_str(&in_one_line(&cut(&value.to_string())));
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

/// The type of a value, read from the facts of an error.
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

/// Appends types: «a string or null».
pub(crate) fn push_alternatives(text: &mut String, types: TypeSet) {
    let mut types = null_last(types).peekable();
    let Some(first) = types.next() else { return text.push_str("nothing") };
    text.push_str(with_article(first));
    while let Some(kind) = types.next() {
        text.push_str(if types.peek().is_some() { ", " } else { " or " });
        text.push_str(with_article(kind));
    }
}

/// Appends a count: «1 item», «2 items».
pub(crate) fn push_count(text: &mut String, count: u64, [one, many]: [&str; 2]) {
    push_number(text, count);
    text.push(' ');
    if count == 1 {
        text.push_str(one);
    } else {
        text.push_str(many);
    }
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
    fn numbers_have_all_their_digits() {
        for number in [0, 7, 10, 1_234_567_890, u64::MAX] {
            let mut text = String::new();
            push_number(&mut text, number);
            assert_eq!(text, number.to_string());
        }
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
