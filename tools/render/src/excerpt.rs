//! The part of a line around a mark, made safe to show: short, and without hidden characters.

use std::ops::Range;

use unicode_width::UnicodeWidthChar;

use crate::source::Source;
use crate::visible::push_visible;

/// A line to show, or the part of it around a mark.
pub(crate) struct Excerpt {
    pub(crate) text: String,
    pub(crate) marks: Vec<Range<usize>>,
}

/// Character that replaces a part that was left out.
const CUT: char = '…';

/// Returns the line of the first mark, in about `columns` columns, with the other marks as far as
/// they are within it.
pub(crate) fn excerpt(source: &Source<'_>, marks: &[Range<usize>], columns: usize) -> Excerpt {
    let Some(first) = marks.first() else { return Excerpt { text: String::new(), marks: Vec::new() } };
    let window = window(source, first, columns);
    let mut text = String::new();
    if window.start > source.line_start(first.start) {
        text.push(CUT);
    }
    // The bytes of the window, and the offset of each in the output.
    let mut shown = Vec::new();
    for (at, character) in source.text()[window.clone()].char_indices() {
        shown.push((window.start + at, text.len()));
        push_visible(&mut text, character);
    }
    shown.push((window.end, text.len()));
    let is_cut = source.text()[window.end..].chars().next().is_some_and(|next| !is_end(next));
    if is_cut {
        text.push(CUT);
    }
    let place = |offset: usize| {
        let index = shown.partition_point(|&(at, _)| at < offset).min(shown.len() - 1);
        shown[index].1
    };
    let marks = marks.iter().map(|mark| {
        let end = if source.is_one_line(mark) { mark.end } else { mark.start + 1 };
        place(mark.start)..place(end)
    });
    let marks = marks.collect();
    Excerpt { text, marks }
}

/// Returns as much of the mark's line as there is room for: all of it, or the beginning of the mark
/// with its surroundings.
fn window(source: &Source<'_>, mark: &Range<usize>, columns: usize) -> Range<usize> {
    let text = source.text();
    let mark_start = source.boundary(mark.start.min(text.len()));
    let line_start = source.line_start(mark_start);
    let before = text[line_start..mark_start].chars().rev();
    // Half of the room is for what is before the mark; the rest is for what is after it.
    let (back, used) = fitting(before.clone(), columns);
    let (forth, needed) = fitting(text[mark_start..].chars().take_while(|&next| !is_end(next)), columns);
    if back == mark_start - line_start && used + needed <= columns {
        return line_start..mark_start + forth;
    }
    let (back, used) = fitting(before, (columns / 2).max(columns.saturating_sub(needed)));
    let after = text[mark_start..].chars().take_while(|&next| !is_end(next));
    let (forth, _) = fitting(after, columns.saturating_sub(used));
    mark_start - back..mark_start + forth
}

/// Returns how many bytes of these characters fit into `columns` columns, and how many columns they
/// take.
fn fitting(characters: impl Iterator<Item = char>, columns: usize) -> (usize, usize) {
    let (mut bytes, mut used) = (0, 0);
    let mut shown = String::new();
    for character in characters {
        shown.clear();
        push_visible(&mut shown, character);
        let width: usize = shown.chars().map(|shown| shown.width().unwrap_or(1)).sum();
        if used + width > columns {
            break;
        }
        used += width;
        bytes += character.len_utf8();
    }
    (bytes, used)
}

fn is_end(character: char) -> bool {
    matches!(character, '\n' | '\r')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, mark: &str, columns: usize, expected: &str) {
        let start = text.find(mark).unwrap();
        let source = Source::new("text", text);
        let Excerpt { text, marks } =
            excerpt(&source, std::slice::from_ref(&(start..start + mark.len())), columns);
        let Range { start, end } = marks[0].clone();
        assert_eq!(format!("{}<{}>{}", &text[..start], &text[start..end], &text[end..]), expected);
    }

    #[test]
    fn a_short_line_is_shown_whole() {
        check("{\n  \"a\": 17,\r\n}", "17", 40, "  \"a\": <17>,");
    }

    #[test]
    fn a_long_line_is_cut_on_both_sides() {
        let text = format!("[{}{{\"x\": 17}}{}]", "1, ".repeat(99_999), ", 2".repeat(99_999));
        check(&text, "17", 24, "…1, 1, {\"x\": <17>}, 2, 2, 2…");
        check(&text, "[1", 12, "<[1>, 1, 1, 1,…");
        check(&text, "2]", 12, "… 2, 2, 2, <2]>");
    }

    #[test]
    fn a_long_mark_is_cut() {
        check(
            &format!("[\"{}\"]", "é".repeat(1000)),
            &format!("\"{}\"", "é".repeat(1000)),
            12,
            "[<\"éééééééééé>…",
        );
    }

    #[test]
    fn of_several_lines_the_first() {
        check("[{\n  \"a\": 1\n}]", "{\n  \"a\": 1\n}", 40, "[<{>");
    }

    #[test]
    fn what_is_hidden_takes_its_room() {
        check("[\"\u{1b}[2J\", 17]", "17", 40, "[\"\\u{1b}[2J\", <17>]");
        check("[\"\u{202e}\u{202e}\u{202e}\", 17]", "17", 12, "…\", <17>]");
    }

    #[test]
    fn marks_beside_the_first() {
        let source = Source::new("text", "[\"a\", \"a\"]");
        let Excerpt { text, marks } = excerpt(&source, &[6..9, 1..4], 40);
        assert_eq!((&text[marks[0].clone()], &text[marks[1].clone()], marks[1].start), ("\"a\"", "\"a\"", 1));
    }
}
