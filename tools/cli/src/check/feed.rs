//! Work for the workers: whole documents, and chunks of lines.

use std::io::{self, ErrorKind, Read};
use std::mem;

use super::progress::Progress;
use crate::inputs::{Input, Kind};
use crate::settings::Bounds;
use crate::source::{self, STDIN};

/// Bytes that are read at a time: enough to be worth a turn, and little enough for a core's cache.
const CHUNK: usize = 1 << 19;

/// Hands out the pieces of all inputs, in order.
pub(crate) struct Feed<'f> {
    inputs: &'f [Input],
    bounds: &'f Bounds,
    progress: &'f Progress,
    at: usize,
    lines: Option<Lines>,
    ticket: u64,
}

/// A piece of work, with its position in the order of all.
pub(crate) struct Job {
    pub(crate) ticket: u64,
    pub(crate) input: usize,
    pub(crate) piece: Piece,
}

/// The work for an input.
pub(crate) enum Piece {
    /// The worker reads the document.
    Document,
    /// Whole lines, in the worker's buffer, with the number of the first.
    Lines { first: usize },
    /// A line above the length limit. It was skipped.
    TooLong { line: usize },
    /// All lines were handed out.
    End,
    /// The input cannot be read, or no further.
    Unreadable(String),
}

impl<'f> Feed<'f> {
    pub(crate) fn new(inputs: &'f [Input], bounds: &'f Bounds, progress: &'f Progress) -> Feed<'f> {
        Feed { inputs, bounds, progress, at: 0, lines: None, ticket: 0 }
    }

    /// Returns the next piece; `None` if there are no more.
    pub(crate) fn next(&mut self, text: &mut Vec<u8>) -> Option<Job> {
        let input = self.at;
        let piece = match &mut self.lines {
            Some(lines) => match lines.next(text) {
                Ok(Some(piece)) => piece,
                Ok(None) => self.leave(Piece::End),
                Err(error) => self.leave(Piece::Unreadable(error.to_string())),
            },
            None => self.enter(text)?,
        };
        let ticket = self.ticket;
        self.ticket += 1;
        Some(Job { ticket, input, piece })
    }

    /// Starts an input.
    fn enter(&mut self, text: &mut Vec<u8>) -> Option<Piece> {
        let Input { name, kind, .. } = self.inputs.get(self.at)?;
        Some(match kind {
            Kind::Document => self.leave(Piece::Document),
            Kind::Nothing(why) => self.leave(Piece::Unreadable(why.clone())),
            Kind::Lines => match source::open(name, self.progress.bar()) {
                Ok(reader) => {
                    let lines = self.lines.insert(Lines::new(reader, self.bounds.line_bytes, name == STDIN));
                    match lines.next(text) {
                        Ok(Some(piece)) => piece,
                        Ok(None) => self.leave(Piece::End),
                        Err(error) => self.leave(Piece::Unreadable(error.to_string())),
                    }
                }
                Err(error) => self.leave(Piece::Unreadable(error.to_string())),
            },
        })
    }

    /// Finishes an input.
    fn leave(&mut self, piece: Piece) -> Piece {
        self.lines = None;
        self.at += 1;
        piece
    }
}

/// The lines of a text, in chunks.
struct Lines {
    reader: Box<dyn Read + Send>,
    chunk: Box<[u8]>,
    /// Bytes that were read after the last line that was handed out.
    rest: Vec<u8>,
    line: usize,
    longest: usize,
    /// Whether to hand out available lines without waiting for more, because a person may be
    /// typing.
    is_eager: bool,
}

impl Lines {
    fn new(reader: Box<dyn Read + Send>, longest: usize, is_eager: bool) -> Lines {
        let chunk = vec![0; CHUNK].into();
        Lines { reader, chunk, rest: Vec::new(), line: 1, longest, is_eager }
    }

    /// Returns whole lines, about a chunk of them; `None` at the end.
    fn next(&mut self, text: &mut Vec<u8>) -> io::Result<Option<Piece>> {
        text.clear();
        mem::swap(text, &mut self.rest);
        let enough = if self.is_eager { 1 } else { CHUNK / 2 };
        let mut end = memchr::memrchr(b'\n', text);
        while end.is_none() || text.len() < enough {
            let before = text.len();
            if end.is_none() && before > self.longest {
                return self.skip_line(text).map(Some);
            }
            if self.read(text)? == 0 {
                // The last line may lack a line feed.
                return Ok((!text.is_empty()).then(|| self.lines(text)));
            }
            end = memchr::memrchr(b'\n', &text[before..]).map(|found| before + found).or(end);
        }
        let whole = end.map_or(text.len(), |end| end + 1);
        self.rest.extend_from_slice(&text[whole..]);
        text.truncate(whole);
        Ok(Some(self.lines(text)))
    }

    fn lines(&mut self, text: &[u8]) -> Piece {
        let first = self.line;
        self.line += memchr::memchr_iter(b'\n', text).count();
        Piece::Lines { first }
    }

    /// Reads to the end of a line that is too long, without keeping it.
    fn skip_line(&mut self, text: &mut Vec<u8>) -> io::Result<Piece> {
        loop {
            text.clear();
            let is_end = self.read(text)? == 0;
            let found = memchr::memchr(b'\n', text);
            if is_end || found.is_some() {
                self.rest.extend_from_slice(&text[found.map_or(text.len(), |found| found + 1)..]);
                let line = self.line;
                self.line += 1;
                // The buffer grew for the line; shrink it.
                text.clear();
                text.shrink_to(CHUNK);
                return Ok(Piece::TooLong { line });
            }
        }
    }

    /// Reads once, up to a chunk. A pipe gives less than that, so only what was read is copied, and
    /// nothing is cleared.
    fn read(&mut self, text: &mut Vec<u8>) -> io::Result<usize> {
        loop {
            match self.reader.read(&mut self.chunk) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => {
                    text.extend_from_slice(&self.chunk[..*read.as_ref().unwrap_or(&0)]);
                    return read;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that gives a few bytes at a time.
    struct Slow(io::Cursor<Vec<u8>>, usize);

    impl Read for Slow {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let some = buffer.len().min(self.1);
            self.0.read(&mut buffer[..some])
        }
    }

    /// Returns all pieces of a text: the numbers of first lines, and the lines.
    fn pieces(
        text: &[u8],
        at_a_time: usize,
        longest: usize,
        is_eager: bool,
    ) -> (Vec<u8>, Vec<usize>, Vec<usize>) {
        let reader = Slow(io::Cursor::new(text.to_vec()), at_a_time);
        let mut lines = Lines::new(Box::new(reader), longest, is_eager);
        let (mut whole, mut firsts, mut skipped) = (Vec::new(), Vec::new(), Vec::new());
        let mut buffer = Vec::new();
        while let Some(piece) = lines.next(&mut buffer).unwrap() {
            match piece {
                Piece::Lines { first } => {
                    firsts.push(first);
                    assert_eq!(
                        first,
                        1 + skipped.len() + whole.iter().filter(|&&byte| byte == b'\n').count()
                    );
                    whole.extend_from_slice(&buffer);
                }
                Piece::TooLong { line } => skipped.push(line),
                Piece::Document | Piece::End | Piece::Unreadable(_) => unreachable!(),
            }
        }
        (whole, firsts, skipped)
    }

    #[test]
    fn lines_are_whole_however_they_are_read() {
        let text = b"1\n22\n\n333\n4444";
        for at_a_time in 1..=text.len() {
            for is_eager in [true, false] {
                let (whole, _, skipped) = pieces(text, at_a_time, 100, is_eager);
                assert_eq!((whole.as_slice(), skipped.len()), (&text[..], 0));
            }
        }
        assert!(pieces(b"", 1, 10, true).1.is_empty());
        assert_eq!(pieces(b"1\n2\n", 2, 10, true).1, [1, 2]);
        assert_eq!(pieces(b"1\n2\n", 2, 10, false).1, [1]);
    }

    #[test]
    fn a_long_line_is_skipped_and_counted() {
        let long = "x".repeat(3 * CHUNK);
        let text = format!("1\n2\n{long}\n4\n{long}{long}\n6\n{long}");
        let (whole, _, skipped) = pieces(text.as_bytes(), usize::MAX, CHUNK, false);
        assert_eq!(
            (String::from_utf8(whole).unwrap().as_str(), &skipped[..]),
            ("1\n2\n4\n6\n", &[3, 5, 7][..])
        );
    }
}
