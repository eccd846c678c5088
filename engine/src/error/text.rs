//! Pieces of messages: values and names as JSON writes them, cut, and harmless on any terminal or in any prompt.

use arrayvec::ArrayString;
use serde_json::Value;
use stanchion_vocab::{Type, TypeSet};
use std::fmt::{self, Write};
use std::ops::Deref;

/// So many characters of a text are kept.
pub(crate) const KEPT: usize = 100;

/// How many names or values a message lists before it says how many more there are.
const LISTED: usize = 10;

/// What text is appended to.
pub(crate) trait Push {
    fn push_str(&mut self, text: &str);

    fn push(&mut self, character: char);
}

impl Push for String {
    #[inline]
    fn push_str(&mut self, text: &str) {
        self.push_str(text);
    }

    #[inline]
    fn push(&mut self, character: char) {
        self.push(character);
    }
}

/// Nearly all messages and places have no more bytes than that.
const SHORT: usize = 128;

/// A text that is mostly short, and takes no memory of its own then.
#[derive(Clone, Debug)]
pub(crate) enum ShortText {
    Short(ArrayString<SHORT>),
    Long(String),
}

impl ShortText {
    #[inline]
    pub(crate) fn new() -> ShortText {
        ShortText::Short(ArrayString::new())
    }

    pub(crate) fn into_string(self) -> String {
        match self {
            ShortText::Short(text) => text.as_str().to_owned(),
            ShortText::Long(text) => text,
        }
    }

    /// Appends to a text that is not short any more.
    #[cold]
    #[inline(never)]
    fn push_long(&mut self, text: &str) {
        if let ShortText::Short(short) = self {
            let mut long = String::with_capacity(2 * (short.len() + text.len()));
            long.push_str(short);
            *self = ShortText::Long(long);
        }
        if let ShortText::Long(long) = self {
            long.push_str(text);
        }
    }
}

impl Push for ShortText {
    #[inline]
    fn push_str(&mut self, text: &str) {
        if let ShortText::Short(short) = self
            && short.try_push_str(text).is_ok()
        {
            return;
        }
        self.push_long(text);
    }

    #[inline]
    fn push(&mut self, character: char) {
        self.push_str(character.encode_utf8(&mut [0; 4]));
    }
}

impl Deref for ShortText {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        match self {
            ShortText::Short(text) => text,
            ShortText::Long(text) => text,
        }
    }
}

impl Write for ShortText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.push_str(text);
        Ok(())
    }
}

/// Appends texts, where a call is as good as a copy of known length.
#[inline(never)]
pub(crate) fn push_all(text: &mut ShortText, parts: &[&str]) {
    parts.iter().for_each(|part| text.push_str(part));
}

/// Appends a number.
#[inline]
pub(crate) fn push_number(text: &mut impl Push, number: u64) {
    // Most indices and many counts are of one digit.
    match u8::try_from(number) {
        Ok(digit @ 0..10) => text.push(char::from(b'0' + digit)),
        _ => push_integer(text, number),
    }
}

/// Appends an integer of any size.
#[inline(never)]
pub(crate) fn push_integer(text: &mut impl Push, number: impl itoa::Integer) {
    text.push_str(itoa::Buffer::new().format(number));
}

/// Appends items between commas, as many as a message lists.
pub(crate) fn push_list<T>(
    text: &mut ShortText,
    items: impl ExactSizeIterator<Item = T>,
    push: impl Fn(&mut ShortText, T),
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

/// A bit for each byte of a word.
const ONES: u64 = u64::MAX / 255;

/// A space for each byte of a word.
const SPACES: u64 = ONES * b' ' as u64;

/// Marks, by their high bits, bytes of a word that are not printable ASCII. Behind the first of them others may be marked, too.
#[inline]
fn unprintable(word: u64) -> u64 {
    // One more than DEL has a high bit, and so has what is left of a control character without a space.
    (word | word.wrapping_add(ONES) | word.wrapping_sub(SPACES)) & (ONES << 7)
}

/// Marks bytes of a word that are not shown as they are between quotes, in the same way.
#[inline]
fn unquotable(word: u64) -> u64 {
    unprintable(word) | equal_bytes(word, b'"') | equal_bytes(word, b'\\')
}

/// Marks bytes of a word that are the one that is looked for, in the same way.
#[inline]
pub(crate) fn equal_bytes(word: u64, byte: u8) -> u64 {
    // They are nothing but for that, and one less than nothing has a high bit.
    let without = word ^ (ONES * u64::from(byte));
    without.wrapping_sub(ONES) & !without & (ONES << 7)
}

/// Whether no byte is marked. Hardly any is, so eight are looked at at a time. A space must not be.
#[inline]
pub(crate) fn is_unmarked(text: &str, marks: impl Fn(u64) -> u64) -> bool {
    let text = text.as_bytes();
    let is_unmarked = |word: &[u8; 8]| marks(u64::from_le_bytes(*word)) == 0;
    match text.last_chunk() {
        Some(last) => text.as_chunks().0.iter().all(is_unmarked) && is_unmarked(last),
        None => marks(short_word(text) | SPACES << (8 * text.len())) == 0,
    }
}

/// How many bytes there are before the first that is marked.
#[inline]
fn unmarked(text: &str, marks: impl Fn(u64) -> u64) -> usize {
    let text = text.as_bytes();
    let unmarked = |word: u64| marks(word).trailing_zeros() as usize / 8;
    let Some(last) = text.last_chunk() else {
        // The zeros behind its end are marked.
        return unmarked(short_word(text));
    };
    for (index, word) in text.as_chunks().0.iter().enumerate() {
        let count = unmarked(u64::from_le_bytes(*word));
        if count < 8 {
            return 8 * index + count;
        }
    }
    // Whatever of these was seen before is not marked.
    text.len() - 8 + unmarked(u64::from_le_bytes(*last))
}

/// A text of less than eight bytes as a word, with zeros behind it.
#[inline]
fn short_word(text: &[u8]) -> u64 {
    match (text.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) => {
            let [first, last] = [first, last].map(|half| u64::from(u32::from_le_bytes(*half)));
            first | last << (8 * (text.len() - 4))
        }
        _ => text.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)),
    }
}

/// Whether a text is printable ASCII, and so in one line.
#[inline]
pub(crate) fn is_printable(text: &str) -> bool {
    is_unmarked(text, unprintable)
}

/// A text as JSON writes it, cut.
pub(crate) fn quoted(text: &str) -> String {
    let mut shown = ShortText::new();
    push_quoted(&mut shown, text);
    shown.into_string()
}

/// Appends a text as JSON writes it, cut.
pub(crate) fn push_quoted(shown: &mut ShortText, text: &str) {
    if text.len() > KEPT || !is_unmarked(text, unquotable) {
        return push_escaped(shown, text);
    }
    shown.push_str("\"");
    shown.push_str(text);
    shown.push_str("\"");
}

/// The same, for a text that is long or has characters that are not shown as they are.
#[inline(never)]
fn push_escaped(shown: &mut ShortText, text: &str) {
    let (mut kept, rest) = split(text, KEPT);
    shown.push_str("\"");
    while !kept.is_empty() {
        let (plain, others) = kept.split_at(unmarked(kept, unquotable));
        shown.push_str(plain);
        let mut characters = others.chars();
        match characters.next() {
            Some('"') => shown.push_str("\\\""),
            Some('\\') => shown.push_str("\\\\"),
            Some('\n') => shown.push_str("\\n"),
            Some('\r') => shown.push_str("\\r"),
            Some('\t') => shown.push_str("\\t"),
            Some(character) => push_visibly(shown, character),
            None => {}
        }
        kept = characters.as_str();
    }
    shown.push_str(if rest.is_empty() { "\"" } else { "…\"" });
}

/// A text in one line, with nothing in it that would move a cursor or turn the direction of writing.
pub(crate) fn in_one_line(text: &str) -> String {
    let mut shown = ShortText::new();
    push_all_visibly(&mut shown, text);
    shown.into_string()
}

/// Appends a text in one line.
#[inline]
pub(crate) fn push_in_one_line(shown: &mut ShortText, text: &str) {
    if is_printable(text) { shown.push_str(text) } else { push_all_visibly(shown, text) }
}

#[cold]
#[inline(never)]
fn push_all_visibly(shown: &mut ShortText, text: &str) {
    text.chars().for_each(|character| push_visibly(shown, character));
}

fn push_visibly(shown: &mut ShortText, character: char) {
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
    let mut shown = ShortText::new();
    push_value(&mut shown, value);
    shown.into_string()
}

/// Appends a value of the schema as JSON text, cut.
pub(crate) fn push_value(shown: &mut ShortText, value: &Value) {
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

/// Appends types: «a string or null».
pub(crate) fn push_alternatives(text: &mut ShortText, types: TypeSet) {
    let mut types = null_last(types).peekable();
    let Some(first) = types.next() else { return text.push_str("nothing") };
    text.push_str(with_article(first));
    while let Some(kind) = types.next() {
        text.push_str(if types.peek().is_some() { ", " } else { " or " });
        text.push_str(with_article(kind));
    }
}

/// Appends a count: «1 item», «2 items».
#[inline]
pub(crate) fn push_count(text: &mut ShortText, count: u64, [one, many]: [&str; 2]) {
    push_number(text, count);
    text.push_str(" ");
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
    fn words_tell_what_bytes_do() {
        // Each character at each place of texts of each length, behind others and before one that may be marked as well.
        for length in 0..20 {
            for (at, character) in
                (0..length).flat_map(|at| ('\0'..='\u{ff}').map(move |character| (at, character)))
            {
                let mut text = "~".repeat(at);
                text.push(character);
                text.push_str(&" \"\u{1f}".repeat(length)[..length - at - 1]);
                let is_printable = |byte: u8| matches!(byte, b' '..=b'~');
                let is_quotable = |byte: u8| is_printable(byte) && byte != b'"' && byte != b'\\';
                assert_eq!(super::is_printable(&text), text.bytes().all(is_printable), "{text:?}");
                assert_eq!(is_unmarked(&text, unquotable), text.bytes().all(is_quotable), "{text:?}");
                let count = text.bytes().take_while(|&byte| is_quotable(byte)).count();
                assert_eq!(unmarked(&text, unquotable), count, "{text:?}");
            }
        }
        assert!(super::is_printable(""));
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
