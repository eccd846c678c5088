//! Lines of bounded length. A line that is too long is skipped, and its identifier found on the
//! way, so that whoever waits for it gets an answer.

use bytes::{Bytes, BytesMut};
use serde_json::value::RawValue;
use std::io;
use tokio::io::{AsyncRead, AsyncReadExt};

/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// What was read.
#[derive(Debug)]
pub(super) enum Line {
    Message(Bytes),
    /// A line above the limit.
    TooLong(Skipped),
    End,
}

/// What is known of a message that was skipped.
#[derive(Debug, Default)]
pub(super) struct Skipped {
    pub(super) id: Option<Box<RawValue>>,
    pub(super) is_response: bool,
}

/// Reads lines. Dropping the future of [`Lines::next`] loses nothing.
pub(super) struct Lines<R> {
    reader: R,
    buffer: BytesMut,
    /// Bytes of the buffer that have no line feed.
    searched: usize,
    limit: usize,
    skipping: Option<Scanner>,
    is_ended: bool,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    pub(super) fn new(reader: R, limit: usize) -> Lines<R> {
        let buffer = BytesMut::with_capacity(CHUNK);
        Lines { reader, buffer, searched: 0, limit, skipping: None, is_ended: false }
    }

    /// Whether another line can be had without waiting.
    pub(super) fn has_line(&self) -> bool {
        memchr::memchr(b'\n', &self.buffer).is_some()
    }

    /// Reads the next line that is not empty, without its line feed.
    pub(super) async fn next(&mut self) -> io::Result<Line> {
        loop {
            if let Some(line) = self.take_line() {
                return Ok(line);
            }
            if self.is_ended {
                return Ok(Line::End);
            }
            self.buffer.reserve(CHUNK);
            if self.reader.read_buf(&mut self.buffer).await? == 0 {
                self.is_ended = true;
                // The last line may lack its line feed.
                self.buffer.extend_from_slice(b"\n");
            }
        }
    }

    /// Takes a line out of the buffer, if a whole one is there.
    fn take_line(&mut self) -> Option<Line> {
        loop {
            let end = memchr::memchr(b'\n', &self.buffer[self.searched..]).map(|at| self.searched + at);
            if let Some(scanner) = &mut self.skipping {
                let part = self.buffer.split_to(end.map_or(self.buffer.len(), |end| end + 1));
                scanner.scan(&part);
                self.searched = 0;
                end?;
                return Some(Line::TooLong(self.skipping.take().unwrap_or_default().found()));
            }
            if end.unwrap_or(self.buffer.len()) > self.limit {
                self.skipping = Some(Scanner::default());
                self.searched = 0;
                continue;
            }
            let Some(end) = end else {
                self.searched = self.buffer.len();
                return None;
            };
            let mut line = self.buffer.split_to(end + 1);
            self.searched = 0;
            line.truncate(end);
            if !line.trim_ascii().is_empty() {
                return Some(Line::Message(line.freeze()));
            }
        }
    }
}

/// Finds `id` and `method` among the members of an object, without keeping the object.
#[derive(Debug, Default)]
struct Scanner {
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    name: Vec<u8>,
    text: Vec<u8>,
    id: Option<Vec<u8>>,
    has_method: bool,
}

impl Scanner {
    /// Longest name or value that is kept.
    const MAX_BYTES: usize = 4_096;

    fn scan(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.byte(*byte);
        }
    }

    fn byte(&mut self, byte: u8) {
        if self.in_string {
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return self.keep(byte);
        }
        match byte {
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => {
                if self.depth == 1 {
                    self.end_member();
                }
                self.depth = self.depth.saturating_sub(1);
            }
            b':' if self.depth == 1 => self.name = std::mem::take(&mut self.text),
            b',' if self.depth == 1 => self.end_member(),
            b' ' | b'\t' | b'\r' | b'\n' => {}
            other => {
                self.in_string = other == b'"';
                self.keep(other);
            }
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.text.len() < Scanner::MAX_BYTES {
            self.text.push(byte);
        }
    }

    fn end_member(&mut self) {
        let text = std::mem::take(&mut self.text);
        match self.name.as_slice() {
            b"\"id\"" => self.id = Some(text),
            b"\"method\"" => self.has_method = true,
            _ => {}
        }
        self.name.clear();
    }

    fn found(self) -> Skipped {
        let id = self.id.and_then(|id| String::from_utf8(id).ok());
        let id = id.and_then(|id| RawValue::from_string(id).ok());
        Skipped { id, is_response: !self.has_method }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn read(text: &[u8], limit: usize) -> Vec<String> {
        let mut lines = Lines::new(text, limit);
        let mut found = Vec::new();
        loop {
            match lines.next().await.unwrap() {
                Line::Message(line) => found.push(String::from_utf8_lossy(&line).into_owned()),
                Line::TooLong(Skipped { id, is_response }) => {
                    let id = id.map_or("-".to_owned(), |id| id.get().to_owned());
                    found.push(format!("too long: {id} {is_response}"));
                }
                Line::End => return found,
            }
        }
    }

    #[tokio::test]
    async fn lines_are_bounded_and_the_rest_goes_on() {
        assert_eq!(read(b"a\n\n \r\nbc\r\nd", 10).await, ["a", "bc\r", "d"]);
        let long = "x".repeat(200_000);
        let text = format!(
            "first\n{{\"result\":{{\"id\":7,\"a\":[\"{long}\\\"}}\"]}},\"jsonrpc\":\"2.0\",\"id\": \"q,}}\" }}\nnext\n\
             {{\"id\":3,\"method\":\"m\",\"params\":\"{long}\"}}\n{long}"
        );
        let expected = ["first", "too long: \"q,}\" true", "next", "too long: 3 false", "too long: - true"];
        assert_eq!(read(text.as_bytes(), 100).await, expected);
        assert_eq!(read(b"0123456789\n0123456789A\n", 10).await, ["0123456789", "too long: - true"]);
    }
}
