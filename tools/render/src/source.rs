//! A named text, and the places of its lines.

use std::ops::Range;

/// Bytes per block of the index. Finding a position reads at most one block.
const BLOCK: usize = 1 << 16;

/// A JSON text with a name, such as that of its file.
#[derive(Clone, Debug)]
pub struct Source<'t> {
    name: String,
    text: &'t str,
    first_line: usize,
    /// Counts before each block.
    blocks: Vec<Counted>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    newlines: usize,
    characters: usize,
}

/// A line and a column, both from 1. Columns count code points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl<'t> Source<'t> {
    /// Indexes a text that begins at line 1.
    pub fn new(name: &str, text: &'t str) -> Source<'t> {
        let mut blocks = Vec::with_capacity(1 + text.len() / BLOCK);
        let mut counted = Counted::default();
        for block in text.as_bytes().chunks(BLOCK) {
            blocks.push(counted);
            counted = counted.plus(block);
        }
        Source { name: name.to_owned(), text, first_line: 1, blocks }
    }

    /// Sets the line at which the text begins, if it is a part of a larger one.
    #[must_use]
    pub fn first_line(mut self, line: usize) -> Source<'t> {
        self.first_line = line;
        self
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the text.
    pub fn text(&self) -> &'t str {
        self.text
    }

    /// Returns the line and the column of a byte.
    pub fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let here = self.counted(offset);
        let start = self.counted(self.line_start(offset));
        Position { line: self.first_line + here.newlines, column: 1 + here.characters - start.characters }
    }

    /// Returns the byte at a line of this text and a column in bytes, both from 1, as `serde_json`
    /// gives them. Positions outside of the text are moved to the nearest byte inside.
    pub fn offset(&self, line: usize, column: usize) -> usize {
        let start = match line.checked_sub(2) {
            None => 0,
            Some(before) => {
                let mut newlines = memchr::memchr_iter(b'\n', self.text.as_bytes());
                newlines.nth(before).map_or(self.text.len(), |at| at + 1)
            }
        };
        self.boundary(start.saturating_add(column.saturating_sub(1)).min(self.text.len()))
    }

    /// Returns the nearest character boundary at or before a byte.
    pub(crate) fn boundary(&self, mut offset: usize) -> usize {
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        offset
    }

    /// Returns the first byte of the line of a byte.
    pub(crate) fn line_start(&self, offset: usize) -> usize {
        let bytes = self.text.as_bytes();
        let mut block = (offset / BLOCK).min(self.blocks.len().saturating_sub(1));
        let mut end = offset;
        loop {
            let start = block * BLOCK;
            if let Some(found) = bytes.get(start..end).and_then(|part| memchr::memrchr(b'\n', part)) {
                return start + found + 1;
            }
            // The nearest earlier block with a line feed.
            let newlines = self.blocks.get(block).map_or(0, |counted| counted.newlines);
            if newlines == 0 {
                return 0;
            }
            block = self.blocks.partition_point(|counted| counted.newlines < newlines) - 1;
            end = (block + 1) * BLOCK;
        }
    }

    /// Whether a part of the text is on one line.
    pub(crate) fn is_one_line(&self, span: &Range<usize>) -> bool {
        self.counted(span.start).newlines == self.counted(span.end).newlines
    }

    fn counted(&self, offset: usize) -> Counted {
        let block = (offset / BLOCK).min(self.blocks.len().saturating_sub(1));
        let before = self.blocks.get(block).copied().unwrap_or_default();
        before.plus(self.text.as_bytes().get(block * BLOCK..offset).unwrap_or_default())
    }
}

impl Counted {
    fn plus(self, bytes: &[u8]) -> Counted {
        Counted {
            newlines: self.newlines + memchr::memchr_iter(b'\n', bytes).count(),
            // All bytes except continuation bytes.
            characters: self.characters + bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str, offset: usize) -> (usize, usize) {
        let before = &text[..offset];
        let line = 1 + before.matches('\n').count();
        (line, 1 + before.rsplit('\n').next().unwrap_or_default().chars().count())
    }

    #[test]
    fn positions_are_those_of_plain_counting() {
        let long = "é".repeat(BLOCK);
        let texts = [
            String::new(),
            "a\n\nbé\n".to_owned(),
            long.clone(),
            format!("{}x\n{long}\ny\n{}", "\n".repeat(BLOCK), "z".repeat(3 * BLOCK)),
            format!("{}\n", "a".repeat(BLOCK - 1)),
        ];
        for text in texts {
            let source = Source::new("text", &text);
            let near = |at: usize| at.saturating_sub(2)..=at + 2;
            let offsets = (0..=text.len() / BLOCK + 1).flat_map(|block| near(block * BLOCK));
            for offset in offsets.chain(near(text.len())).chain(near(text.len() / 2)) {
                if text.is_char_boundary(offset) {
                    let Position { line, column } = source.position(offset);
                    assert_eq!((line, column), plain(&text, offset), "{offset} of {}", text.len());
                }
            }
        }
    }

    #[test]
    fn a_line_of_a_larger_text() {
        let source = Source::new("lines", "{\"a\": 1}").first_line(7);
        assert_eq!(source.position(6), Position { line: 7, column: 7 });
    }

    #[test]
    fn bytes_of_lines_and_columns() {
        let source = Source::new("text", "ab\ncé\n");
        let offsets = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 3), (3, 1), (9, 9), (0, 0), (2, 0)];
        let found = offsets.map(|(line, column)| source.offset(line, column));
        assert_eq!(found, [0, 1, 3, 4, 4, 7, 7, 0, 3]);
    }
}
