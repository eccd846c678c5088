//! Pieces of messages: values and names as JSON writes them, cut, and harmless on any terminal or in any prompt.

use serde_json::Value;
use smallvec::SmallVec;
use stanchion_vocab::{Type, TypeSet};
use std::borrow::Borrow;
use std::fmt::{self, Display, Formatter, Write};

/// So many characters of a text are kept.
pub(crate) const KEPT: usize = 100;

/// How many names or values a message lists before it says how many more there are.
pub(crate) const LISTED: usize = 10;

/// A piece of a message, written by a function where the message is.
struct Piece<F>(F);

impl<F: Fn(&mut Formatter<'_>) -> fmt::Result> Display for Piece<F> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0(f)
    }
}

/// Items between commas, as many as a message lists.
pub(crate) fn listed<T: Display>(items: impl ExactSizeIterator<Item = T> + Clone) -> impl Display {
    Piece(move |f: &mut Formatter<'_>| {
        for (index, item) in items.clone().take(LISTED).enumerate() {
            write!(f, "{}{item}", if index > 0 { ", " } else { "" })?;
        }
        match items.len().saturating_sub(LISTED) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    })
}

/// A text as JSON writes it, cut.
pub(crate) fn quoted(text: &str) -> impl Display {
    Piece(move |f: &mut Formatter<'_>| {
        let (kept, rest) = split(text, KEPT);
        f.write_char('"')?;
        if is_printable(kept) && !kept.contains(['"', '\\']) {
            f.write_str(kept)?;
        } else {
            kept.chars().try_for_each(|character| match character {
                '"' => f.write_str("\\\""),
                '\\' => f.write_str("\\\\"),
                '\n' => f.write_str("\\n"),
                '\r' => f.write_str("\\r"),
                '\t' => f.write_str("\\t"),
                _ => write_visibly(f, character),
            })?;
        }
        f.write_str(if rest.is_empty() { "\"" } else { "…\"" })
    })
}

/// A text in one line, with nothing in it that would move a cursor or turn the direction of writing.
pub(crate) fn in_one_line(text: &str) -> impl Display {
    Piece(move |f: &mut Formatter<'_>| match is_printable(text) {
        true => f.write_str(text),
        false => text.chars().try_for_each(|character| write_visibly(f, character)),
    })
}

/// Whether a text is printable ASCII, and so in one line.
fn is_printable(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

fn write_visibly(f: &mut Formatter<'_>, character: char) -> fmt::Result {
    let is_harmful = character.is_control()
        || matches!(character,
            '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{e0000}'..='\u{e007f}');
    if !is_harmful {
        return f.write_char(character);
    }
    character.encode_utf16(&mut [0; 2]).iter().try_for_each(|unit| write!(f, "\\u{unit:04x}"))
}

/// A place as messages show it: in one line, and `/` for the root.
pub(crate) fn shown_place(path: &str) -> impl Display {
    in_one_line(if path.is_empty() { "/" } else { path })
}

/// A text of at most so many characters, before an ellipsis.
pub(crate) fn cut_at(text: &str, characters: usize) -> String {
    match split(text, characters) {
        (kept, "") => kept.to_owned(),
        (kept, _) => format!("{kept}…"),
    }
}

/// A text's first characters, and the rest.
pub(crate) fn split(text: &str, characters: usize) -> (&str, &str) {
    match text.char_indices().nth(characters) {
        Some((end, _)) => text.split_at(end),
        None => (text, ""),
    }
}

/// A value of the schema as JSON text, cut.
pub(crate) fn value_text(value: &Value) -> impl Display {
    Piece(move |f: &mut Formatter<'_>| match value {
        Value::String(text) => quoted(text).fmt(f),
        Value::Null | Value::Bool(_) => value.fmt(f),
        Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            // Writing ends where this is full. No character has more than four bytes.
            let mut start = [0; 4 * (KEPT + 2)];
            let mut rest = &mut start[..];
            let _ = serde_json::to_writer(&mut rest, value);
            let written = 4 * (KEPT + 2) - rest.len();
            in_one_line(&cut_at(&String::from_utf8_lossy(&start[..written]), KEPT)).fmt(f)
        }
    })
}

/// A value as the facts of an error have it, with a text of at most so many characters.
pub(crate) fn shortened(value: &str, characters: usize) -> String {
    match serde_json::from_str::<Value>(value) {
        Ok(Value::String(text)) => quoted(&cut_at(&text, characters)).to_string(),
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

/// Types: «a string or null».
pub(crate) fn alternatives(types: TypeSet) -> String {
    let names: SmallVec<[&str; 8]> = null_last(types).map(with_article).collect();
    one_of(&names).unwrap_or_else(|| "nothing".to_owned())
}

/// «a, b or c», with as many as a message lists.
pub(crate) fn one_of<S: Borrow<str>>(choices: &[S]) -> Option<String> {
    let (last, before) = choices.split_last()?;
    Some(match choices.len() {
        1 => last.borrow().to_owned(),
        count if count > LISTED => format!("{} or {} more", choices[..LISTED].join(", "), count - LISTED),
        _ => format!("{} or {}", before.join(", "), last.borrow()),
    })
}

/// A count: «1 item», «2 items».
pub(crate) fn counted(count: u64, [one, many]: [&str; 2]) -> impl Display {
    Piece(move |f: &mut Formatter<'_>| write!(f, "{count} {}", if count == 1 { one } else { many }))
}

/// A suggestion behind what it is for.
pub(crate) fn did_you_mean(suggestion: Option<&str>) -> impl Display {
    Piece(move |f: &mut Formatter<'_>| match suggestion {
        Some(meant) => write!(f, " (did you mean {}?)", quoted(meant)),
        None => Ok(()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_between_characters() {
        assert_eq!(quoted(&"é".repeat(100)).to_string(), format!("\"{}\"", "é".repeat(100)));
        assert_eq!(quoted(&"é".repeat(101)).to_string(), format!("\"{}…\"", "é".repeat(100)));
        assert_eq!(shortened("\"a\\nbc\"", 2), "\"a\\n…\"");
        assert_eq!(shortened("12345", 3), "123…");
    }

    #[test]
    fn nothing_in_a_text_moves_the_cursor() {
        let text = "a\"\\\n\u{1b}[2J\u{202e}\u{9b}";
        assert_eq!(quoted(text).to_string(), r#""a\"\\\n\u001b[2J\u202e\u009b""#);
        assert_eq!(in_one_line("/a\nb\u{e0041}").to_string(), r"/a\u000ab\udb40\udc41");
    }

    #[test]
    fn masks_show_the_type() {
        assert_eq!(masked("\"secret\""), "a string");
        assert_eq!(masked("-1.5"), "a number");
        assert_eq!(masked("true"), "a boolean");
        assert_eq!(masked("null"), "null");
        assert_eq!(masked("an array of 3 items"), "an array of 3 items");
    }
}
