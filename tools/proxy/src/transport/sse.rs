//! Server-sent events, split into blocks that keep their bytes.
//!
//! A reader that returns fields alone would lose comments, which keep connections alive, and the
//! form of what no rule touches. So this splits a stream at its blank lines, and reads `data` and
//! `id` of each block.

use bytes::{Buf, Bytes, BytesMut};

/// An event with its bytes, up to and including the blank line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Block {
    pub(super) raw: Bytes,
    /// The data, if there is any: the lines of `data`, joined by line feeds.
    pub(super) data: Option<String>,
    /// Whether it has an `id`, from which a client can resume.
    pub(super) has_id: bool,
}

impl Block {
    fn of(raw: Bytes) -> Block {
        let mut data: Option<String> = None;
        let mut has_id = false;
        let text = String::from_utf8_lossy(&raw);
        for line in lines(text.strip_prefix('\u{feff}').unwrap_or(&text)) {
            let (name, value) = line.split_once(':').unwrap_or((line, ""));
            let value = value.strip_prefix(' ').unwrap_or(value);
            match name {
                "data" => match &mut data {
                    Some(data) => *data = format!("{data}\n{value}"),
                    None => data = Some(value.to_owned()),
                },
                "id" => has_id = true,
                _ => {}
            }
        }
        drop(text);
        Block { raw, data: data.filter(|data| !data.is_empty()), has_id }
    }

    /// Returns the event with other data, or without any.
    pub(super) fn with_data(&self, data: Option<&str>) -> Bytes {
        let text = String::from_utf8_lossy(&self.raw);
        let is_data = |line: &&str| *line == "data" || line.starts_with("data:");
        let mut new: String = lines(&text)
            .filter(|line| !line.is_empty() && !is_data(line))
            .map(|line| format!("{line}\n"))
            .collect();
        if let Some(data) = data {
            new += &format!("data: {}\n", data.replace(['\n', '\r'], " "));
        }
        Bytes::from(new + "\n")
    }
}

/// Returns an event of our own.
pub(super) fn event(data: &str) -> Bytes {
    Bytes::from(format!("event: message\ndata: {}\n\n", data.replace(['\n', '\r'], " ")))
}

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').flat_map(|line| line.strip_suffix('\r').unwrap_or(line).split('\r'))
}

/// Collects the parts of a stream and returns whole blocks.
#[derive(Debug)]
pub(super) struct Blocks {
    buffer: BytesMut,
    /// Where to go on looking for a blank line.
    searched: usize,
    limit: usize,
    is_skipping: bool,
}

/// A block, or one that was longer than allowed and is lost.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    Block(Block),
    TooLong,
}

impl Blocks {
    pub(super) fn new(limit: usize) -> Blocks {
        Blocks { buffer: BytesMut::new(), searched: 0, limit, is_skipping: false }
    }

    pub(super) fn push(&mut self, part: &[u8]) {
        self.buffer.extend_from_slice(part);
    }

    /// Takes the next whole block.
    pub(super) fn next(&mut self) -> Option<Found> {
        match blank_line(&self.buffer, self.searched) {
            Some(end) => {
                let raw = self.buffer.split_to(end).freeze();
                self.searched = 0;
                let was_skipping = std::mem::take(&mut self.is_skipping);
                Some(if was_skipping || end > self.limit {
                    Found::TooLong
                } else {
                    Found::Block(Block::of(raw))
                })
            }
            None => {
                // A blank line has up to four bytes.
                self.searched = self.buffer.len().saturating_sub(4);
                if self.buffer.len() > self.limit {
                    self.is_skipping = true;
                    self.buffer.advance(self.searched);
                    self.searched = 0;
                }
                None
            }
        }
    }

    /// Returns what is left when the stream ends: no event, but perhaps a comment.
    pub(super) fn rest(self) -> Bytes {
        if self.is_skipping { Bytes::new() } else { self.buffer.freeze() }
    }
}

/// Returns the end of the first blank line. A line ends with `\n`, `\r\n` or `\r`.
fn blank_line(bytes: &[u8], from: usize) -> Option<usize> {
    let mut at = from;
    while let Some(found) = memchr::memchr2(b'\n', b'\r', &bytes[at..]) {
        let first = at + found;
        let next = line_end(bytes, first)?;
        match bytes.get(next)? {
            b'\n' => return Some(next + 1),
            // Whether a line feed follows is not known yet.
            b'\r' => return line_end(bytes, next),
            _ => at = next,
        }
    }
    None
}

/// Returns the end of the line break that begins here. `None` if more bytes must come to tell.
fn line_end(bytes: &[u8], at: usize) -> Option<usize> {
    match (bytes[at], bytes.get(at + 1)) {
        (b'\r', Some(b'\n')) => Some(at + 2),
        (b'\r', None) => None,
        _ => Some(at + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, step: usize, limit: usize) -> Vec<String> {
        let mut blocks = Blocks::new(limit);
        let mut found = Vec::new();
        for part in text.as_bytes().chunks(step) {
            blocks.push(part);
            while let Some(block) = blocks.next() {
                found.push(match block {
                    Found::Block(block) => format!("{:?}", block.data),
                    Found::TooLong => "too long".to_owned(),
                });
            }
        }
        found
    }

    #[test]
    fn blocks_are_the_same_however_they_arrive() {
        let text = ": hello\n\nid: 1\ndata:\n\nevent: message\r\ndata: {\"a\":\r\ndata: 1}\r\n\r\nretry: 5\rdata:x\r\rdata: y\n\n";
        let expected = ["None", "None", "Some(\"{\\\"a\\\":\\n1}\")", "Some(\"x\")", "Some(\"y\")"];
        for step in [1, 2, 3, 7, 1000] {
            assert_eq!(read(text, step, 100), expected, "{step}");
        }
        let long = format!("data: a\n\ndata: {}\n\ndata: b\n\n", "x".repeat(1_000));
        for step in [1, 64, 5_000] {
            assert_eq!(read(&long, step, 100), ["Some(\"a\")", "too long", "Some(\"b\")"], "{step}");
        }
    }

    #[test]
    fn other_data_leaves_the_rest() {
        let block = Block::of(Bytes::from("id: 7\nevent: message\ndata: 1\ndata: 2\n\n"));
        assert_eq!(block.with_data(Some("{\n}")), "id: 7\nevent: message\ndata: { }\n\n");
        assert_eq!(block.with_data(None), "id: 7\nevent: message\n\n");
        assert!(block.has_id);
    }
}
