//! From text to tape, in one pass after [`scan::mark`].
//!
//! [`Filling::run`] goes from value to value: by way of a name where an object is open, and by way of the ends of containers. One that is
//! open is a place on the tape, which is written when it is closed.
//!
//! Speed depends on the steps for each member, and on how much state stays in registers. So the most frequent cases are found by one test of a few bytes,
//! and each rare case is a function of its own, marked `#[cold]`.
//!
//! The tape is a slice that is long enough for most texts of that length. Where it is not, reading stops, and starts
//! again with as much as any text needs.

use super::buffers::{Beside, Buffers, Open, make_room};
use super::cursor::{Cursor, around, eight};
use super::escape::{self, Escaped};
use super::scan::{self, Window};
use super::{Entry, Kind, number, repeated};
use std::cell::Cell;

/// As deep as serde_json goes.
pub(super) const DEPTH: usize = 127;

/// Why there is no tape.
enum Stop {
    /// There is not enough room.
    Full,
    /// The text is not JSON, or too deep.
    Refused,
}

/// Reads a text of less than 4 GiB. Returns how long its tape is; nothing if the text is not JSON or is too deep.
#[inline(never)]
pub(in crate::instance) fn fill(text: &str, buffers: &mut Buffers) -> Option<usize> {
    let Buffers { entries, beside, marks, words } = buffers;
    scan::mark(text.as_bytes(), marks);
    let mut has_all_room = false;
    loop {
        // Enough for most texts.
        let room = (text.len() / 8 + 16, text.len() / 64 + 16);
        let (places, names) = if has_all_room { all_room(text) } else { room };
        make_room(entries, places, Entry::NULL);
        make_room(words, names, 0);
        beside.clear();
        let open = Open::default();
        let tape = Cell::from_mut(entries.as_mut_slice()).as_slice_of_cells();
        let mut filling = Filling { text, marks, tape, rest: tape, words, beside, named: 0, open, depth: 0 };
        match filling.run() {
            Ok(length) if beside.dropped.is_empty() => return Some(length),
            Ok(length) => return Some(repeated::compact(entries, length, &mut beside.dropped)),
            Err(Stop::Full) if !has_all_room => has_all_room = true,
            Err(Stop::Full | Stop::Refused) => return None,
        }
    }
}

/// Room for the entries and names of any text of that length: an entry takes two bytes, but for containers that are open, and a name
/// takes four.
#[cold]
#[inline(never)]
fn all_room(text: &str) -> (usize, usize) {
    (text.len() / 2 + DEPTH + 2, text.len() / 4 + 1)
}

/// A tape that is being filled.
struct Filling<'t> {
    text: &'t str,
    marks: &'t [u8],
    tape: &'t [Cell<Entry>],
    /// The entries that are left of it.
    rest: &'t [Cell<Entry>],
    words: &'t mut [u64],
    beside: &'t mut Beside,
    /// Where the words end.
    named: usize,
    /// The innermost open container. Where there is none: no object.
    open: Open,
    /// How many containers are open.
    depth: usize,
}

impl<'t> Filling<'t> {
    fn run(&mut self) -> Result<usize, Stop> {
        let text = self.text.as_bytes();
        let mut cursor = Cursor::new(text, 0);
        cursor.skip_space(text);
        loop {
            // Room for a name and a value, whichever comes.
            let [first, second, ..] = self.rest else { return Err(Stop::Full) };
            let (value, close) = if self.open.is_object() {
                let close = self.name(&mut cursor, first)?;
                self.rest = &self.rest[1..];
                (second, close)
            } else {
                (first, self.end_of_string(cursor))
            };
            if let Some(close) = close {
                if self.string(&mut cursor, close, value)? {
                    continue;
                }
            } else {
                match cursor.byte() {
                    b'{' => {
                        if self.open(&mut cursor, Kind::Object, value)? {
                            if cursor.byte() != b'"' {
                                return Err(Stop::Refused);
                            }
                            continue;
                        }
                    }
                    b'[' => {
                        if self.open(&mut cursor, Kind::Array, value)? {
                            continue;
                        }
                    }
                    _ => {
                        scalar(self.text, &mut cursor, value)?;
                        self.rest = &self.rest[1..];
                    }
                }
                if self.comma(&mut cursor) {
                    continue;
                }
            }
            if self.behind_value(&mut cursor)? {
                break;
            }
        }
        // Most texts end with their value.
        if cursor.at as usize != text.len() {
            cursor.skip_space(text);
        }
        if cursor.at as usize == text.len() { Ok(self.place()) } else { Err(Stop::Refused) }
    }

    /// If the cursor is at a string, where that may end.
    #[inline(always)]
    fn end_of_string(&self, cursor: Cursor) -> Option<u32> {
        (cursor.byte() == b'"').then(|| Window::new(self.marks, cursor.at + 1).first(self.marks))
    }

    /// Reads a name, which the cursor is at, and on to its value. If that is a string, returns where it may end.
    #[inline(always)]
    fn name(&mut self, cursor: &mut Cursor, entry: &Cell<Entry>) -> Result<Option<u32>, Stop> {
        let text = self.text.as_bytes();
        let Some(word) = self.words.get_mut(self.named) else { return Err(Stop::Full) };
        self.named += 1;
        let start = cursor.at + 1;
        let window = Window::new(self.marks, start);
        let close = window.first(self.marks);
        let (before, ahead) = around(text, close);
        // It is written before it is known to have no escapes; few texts have any.
        let len = close - start;
        if let Some(&too_many) = TOO_MANY.get(len as usize) {
            // Without a branch on the length, which nobody can predict. What comes before the name is shifted out.
            let end = before >> too_many;
            entry.set(Entry::name(end, start, len as u16));
            *word = repeated::short_word(end, len);
        } else {
            long_name(text, start, close, before, entry, word);
        }
        *cursor = Cursor { at: close, next: ahead };
        // Most often it has no escapes, and a string follows behind a colon and a space, or none.
        if cursor.is_at_four(*b"\": \"") {
            cursor.skip(3);
            return Ok(Some(window.third(self.marks, cursor.at + 1)));
        }
        if cursor.is_at_three(*b"\":\"") {
            cursor.skip(2);
            return Ok(Some(window.third(self.marks, cursor.at + 1)));
        }
        if cursor.is_at_three(*b"\": ") {
            cursor.skip(3);
        } else {
            if cursor.byte() == b'"' {
                cursor.skip(1);
            } else {
                let behind = escaped_name(self.text, self.marks, start, close, self.beside, entry, word);
                *cursor = behind.ok_or(Stop::Refused)?;
            }
            cursor.skip_space(text);
            if cursor.byte() != b':' {
                return Err(Stop::Refused);
            }
            cursor.skip(1);
        }
        cursor.skip_space(text);
        Ok(self.end_of_string(*cursor))
    }

    /// Reads a string, of which `close` is the first place that may end it. Says whether it went on to the next name or item.
    #[inline(always)]
    fn string(&mut self, cursor: &mut Cursor, close: u32, entry: &Cell<Entry>) -> Result<bool, Stop> {
        let start = cursor.at + 1;
        *cursor = Cursor::new(self.text.as_bytes(), close);
        entry.set(Entry::plain(start, close));
        self.rest = &self.rest[1..];
        // Most often it has no escapes, and a name or another string follows behind a comma and a space, or none.
        if cursor.is_at_four(*b"\", \"") {
            cursor.skip(3);
            return self.count_item();
        }
        if cursor.is_at_three(*b"\",\"") {
            cursor.skip(2);
            return self.count_item();
        }
        if cursor.byte() == b'"' {
            cursor.skip(1);
        } else {
            let behind = escaped(self.text, self.marks, start, close, self.beside, entry);
            *cursor = behind.ok_or(Stop::Refused)?;
        }
        Ok(false)
    }

    /// Counts an item, if there is an array that it is in.
    #[inline(always)]
    fn count_item(&mut self) -> Result<bool, Stop> {
        if !self.open.is_object() {
            if self.open.is_none() {
                return Err(Stop::Refused);
            }
            self.open.from += 1;
        }
        Ok(true)
    }

    /// Behind a value: on to the next name or item, if there is a comma and a space or none.
    #[inline(always)]
    fn comma(&mut self, cursor: &mut Cursor) -> bool {
        if self.open.is_object() {
            if cursor.is_at_three(*b", \"") {
                cursor.skip(2);
                return true;
            }
            if cursor.is_at(*b",\"") {
                cursor.skip(1);
                return true;
            }
        } else if cursor.is_at(*b", ") && !self.open.is_none() {
            self.open.from += 1;
            cursor.skip(2);
            cursor.skip_space(self.text.as_bytes());
            return true;
        }
        false
    }

    /// From behind a value to the next name or item. Containers that end there are closed. Says whether it was the root.
    #[inline(always)]
    fn behind_value(&mut self, cursor: &mut Cursor) -> Result<bool, Stop> {
        let text = self.text.as_bytes();
        loop {
            if self.open.is_none() {
                return Ok(true);
            }
            cursor.skip_space(text);
            let byte = cursor.byte();
            cursor.skip(1);
            if self.open.is_object() {
                match byte {
                    b'}' => {
                        let count = self.check_names();
                        self.close(count);
                    }
                    b',' => {
                        cursor.skip_space(text);
                        return if cursor.byte() == b'"' { Ok(false) } else { Err(Stop::Refused) };
                    }
                    _ => return Err(Stop::Refused),
                }
            } else {
                self.open.from += 1;
                match byte {
                    b']' => self.close(self.open.from),
                    b',' => {
                        // One space is seen without a call.
                        if cursor.byte() == b' ' {
                            cursor.skip(1);
                        }
                        cursor.skip_space(text);
                        return Ok(false);
                    }
                    _ => return Err(Stop::Refused),
                }
            }
            if self.comma(cursor) {
                return Ok(false);
            }
        }
    }

    /// Opens a container, unless it is empty: that is a value like others, and done.
    #[inline(always)]
    fn open(&mut self, cursor: &mut Cursor, kind: Kind, header: &Cell<Entry>) -> Result<bool, Stop> {
        if self.depth == DEPTH {
            return Err(Stop::Refused);
        }
        let left = self.rest.len() as u32;
        self.rest = &self.rest[1..];
        cursor.skip(1);
        cursor.skip_space(self.text.as_bytes());
        if cursor.byte() == if kind == Kind::Object { b'}' } else { b']' } {
            cursor.skip(1);
            // Where its first child is does not matter.
            header.set(Entry::new(kind, 0, 0));
            return Ok(false);
        }
        header.set(self.open.wait(kind));
        let from = if kind == Kind::Object { self.named as u32 } else { 0 };
        self.open = Open::new(kind, left, from);
        self.depth += 1;
        Ok(true)
    }

    /// Closes a container: only then is it known what is in it. The one around it goes on.
    #[inline(always)]
    fn close(&mut self, count: u32) {
        let below = self.open.left() - self.rest.len() as u32 - 1;
        let header = self.header();
        if let Some(closed) = self.tape.get(header as usize) {
            let entry = closed.get();
            self.open = Open::waiting(entry);
            closed.set(Entry { low: count, high: header + 1, below, ..entry });
        }
        self.depth -= 1;
    }

    /// Where the container that is open is on the tape.
    #[inline(always)]
    fn header(&self) -> u32 {
        self.tape.len() as u32 - self.open.left()
    }

    /// Where the tape ends.
    #[inline(always)]
    fn place(&self) -> usize {
        self.tape.len() - self.rest.len()
    }

    /// Counts the members of the object that is about to be closed. Of those with one name all but the last are noted, to be dropped.
    #[inline(always)]
    fn check_names(&mut self) -> u32 {
        let words = self.open.from as usize..self.named;
        let mut count = self.named as u32 - self.open.from;
        self.named = self.open.from as usize;
        if count > 1
            && let Some(words) = self.words.get_mut(words)
            && repeated::may_be(words)
        {
            let header = self.tape.len() - self.open.left() as usize;
            let object = header..self.tape.len() - self.rest.len();
            count = repeated::drop(words, self.tape, object, self.text, self.beside);
        }
        count
    }
}

const TRUE: u32 = u32::from_le_bytes(*b"true");
const FALS: u32 = u32::from_le_bytes(*b"fals");
const NULL: u32 = u32::from_le_bytes(*b"null");

/// How many bits of the eight bytes before the end of a name are not its own, by its length. If it has none, what is before its end is a quote, of
/// which the highest bit is zero.
const TOO_MANY: [u8; repeated::SHORT as usize + 1] =
    [63, 56, 48, 40, 32, 24, 16, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0];

/// Writes a name of more bytes than [`repeated::SHORT`], and its word.
#[cold]
#[inline(never)]
fn long_name(text: &[u8], start: u32, close: u32, end: u64, entry: &Cell<Entry>, word: &mut u64) {
    entry.set(match u16::try_from(close - start) {
        Ok(len) => Entry::name(end, start, len),
        Err(_) => Entry::plain(start, close),
    });
    *word = repeated::long_word(text.get(start as usize..close as usize).unwrap_or_default());
}

/// Reads a string that starts at `start` and has something at `special` that is not a quote. Returns where it ends.
#[cold]
#[inline(never)]
fn escaped(
    text: &str,
    marks: &[u8],
    start: u32,
    special: u32,
    beside: &mut Beside,
    entry: &Cell<Entry>,
) -> Option<Cursor> {
    let behind = escape::end(text.as_bytes(), marks, special)?;
    entry.set(Entry::new(Kind::Escaped, beside.escaped.len() as u32, 0));
    beside.escaped.push(Escaped::new(start, behind - 1));
    Some(Cursor::new(text.as_bytes(), behind))
}

/// Like `escaped`, for a name, and its word.
#[cold]
#[inline(never)]
fn escaped_name(
    text: &str,
    marks: &[u8],
    start: u32,
    special: u32,
    beside: &mut Beside,
    entry: &Cell<Entry>,
    word: &mut u64,
) -> Option<Cursor> {
    let behind = escaped(text, marks, start, special, beside, entry)?;
    *word = repeated::word(beside.escaped.last()?.text(text).as_bytes());
    Some(behind)
}

/// Reads a number, `true`, `false` or `null`.
#[inline(always)]
fn scalar(text: &str, cursor: &mut Cursor, entry: &Cell<Entry>) -> Result<(), Stop> {
    let at = cursor.at;
    let word = eight(text.as_bytes(), at);
    if word as u32 == TRUE {
        entry.set(Entry::new(Kind::True, 0, 0));
        *cursor = Cursor { at: at + 4, next: word >> 32 };
    } else if word as u32 == FALS && (word >> 32) as u8 == b'e' {
        entry.set(Entry::new(Kind::False, 0, 0));
        *cursor = Cursor { at: at + 5, next: word >> 40 };
    } else if let Some((value, count)) = number::short(word) {
        entry.set(Entry::number(Kind::Unsigned, value));
        *cursor = Cursor { at: at + count, next: word >> (8 * count) };
    } else if word as u32 == NULL {
        entry.set(Entry::NULL);
        *cursor = Cursor { at: at + 4, next: word >> 32 };
    } else {
        let Some(behind) = number::read(text, at as usize, entry) else {
            return Err(Stop::Refused);
        };
        *cursor = Cursor::new(text.as_bytes(), behind as u32);
    }
    Ok(())
}
