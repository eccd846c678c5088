//! From text to tape, in one pass after [`scan::mark`].
//!
//! [`Filling::run`] goes from value to value: by way of a name where an object is open, and by way of the ends of containers. One that is
//! open is a place on the tape, which is written when it is closed.
//!
//! The tape is a slice that is long enough for most texts of that length. Where it is not, reading stops, and starts
//! again with as much as any text needs.

use super::buffers::{Beside, Buffers, Open, make_room};
use super::cursor::{Cursor, around, eight};
use super::scan::{self, Window};
use super::{Entry, Instance, Kind, Source, escape, number, repeated};
use std::cell::Cell;

/// As deep as serde_json goes.
const DEPTH: usize = 127;

/// Why there is no tape.
enum Stop {
    /// There is not enough room.
    Full,
    /// The text is not JSON, or too deep.
    Refused,
}

/// What comes behind a value.
enum Next {
    Name,
    Item,
    /// Nothing, it was the root.
    End,
}

/// Reads a text of less than 4 GiB. Returns nothing if the text is not JSON or is too deep.
pub(in crate::instance) fn fill<'b>(text: Source<'b>, buffers: &'b mut Buffers) -> Option<Instance<'b>> {
    let Buffers { entries, beside, marks, words } = buffers;
    let text = match text {
        Source::Bytes(bytes) => simdutf8::basic::from_utf8(bytes).ok()?,
        Source::Text(text) => text,
    };
    scan::mark(text.as_bytes(), marks);
    // Enough for most texts, and enough for any: an entry takes two bytes of text, but for containers that are open, and a name takes four.
    let rooms =
        [(text.len() / 8 + 16, text.len() / 64 + 16), (text.len() / 2 + DEPTH + 1, text.len() / 4 + 1)];
    for (places, names) in rooms {
        make_room(entries, places, Entry::NULL);
        make_room(words, names, 0);
        beside.decoded.clear();
        beside.numbers.clear();
        let open = Open::default();
        let tape = Cell::from_mut(entries.as_mut_slice()).as_slice_of_cells();
        let mut filling = Filling { text, marks, tape, rest: tape, words, beside, named: 0, open, depth: 0 };
        match filling.run() {
            Ok(length) => {
                let Beside { decoded, numbers } = beside;
                let entries = entries.get(..length)?;
                return Some(Instance { text, decoded, entries, numbers });
            }
            Err(Stop::Refused) => return None,
            Err(Stop::Full) => {}
        }
    }
    None
}

/// A tape that is being filled.
struct Filling<'t> {
    text: &'t str,
    marks: &'t [u8],
    tape: &'t [Cell<Entry>],
    /// What is left of it.
    rest: &'t [Cell<Entry>],
    words: &'t mut [u64],
    beside: &'t mut Beside,
    /// Where the words end.
    named: u32,
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
        let mut window = Window::new(self.marks, 0);
        loop {
            let [value, after @ ..] = self.rest else { return Err(Stop::Full) };
            match cursor.byte() {
                b'"' => {
                    let start = cursor.at + 1;
                    // Behind a name, the end of a text has mostly been seen.
                    let close = match self.open.is_object() {
                        true => window.first_from(self.marks, start),
                        false => Window::new(self.marks, start).first(self.marks),
                    };
                    string(self.text, self.marks, &mut cursor, close, self.beside, value)?;
                    self.rest = after;
                }
                b'{' => {
                    if self.open(&mut cursor, Kind::Object)? {
                        if cursor.byte() != b'"' {
                            return Err(Stop::Refused);
                        }
                        window = self.name(&mut cursor)?;
                        continue;
                    }
                }
                b'[' => {
                    if self.open(&mut cursor, Kind::Array)? {
                        continue;
                    }
                }
                _ => {
                    scalar(self.text, &mut cursor, self.beside, value)?;
                    self.rest = after;
                }
            }
            match self.behind_value(&mut cursor)? {
                Next::Name => window = self.name(&mut cursor)?,
                Next::Item => {}
                Next::End => break,
            }
        }
        cursor.skip_space(text);
        if cursor.at as usize == text.len() { Ok(self.place()) } else { Err(Stop::Refused) }
    }

    /// From behind a value to the next name or item. Containers that end there are closed.
    #[inline(always)]
    fn behind_value(&mut self, cursor: &mut Cursor) -> Result<Next, Stop> {
        let text = self.text.as_bytes();
        loop {
            if self.open.is_object() {
                // Most often a comma and a space, or none.
                if cursor.is_at_three(*b", \"") {
                    cursor.skip(2);
                    return Ok(Next::Name);
                }
                if cursor.is_at(*b",\"") {
                    cursor.skip(1);
                    return Ok(Next::Name);
                }
                cursor.skip_space(text);
                let byte = cursor.byte();
                cursor.skip(1);
                match byte {
                    b'}' => {
                        let count = self.check_names();
                        self.close(Kind::Object, count);
                    }
                    b',' => {
                        cursor.skip_space(text);
                        return if cursor.byte() == b'"' { Ok(Next::Name) } else { Err(Stop::Refused) };
                    }
                    _ => return Err(Stop::Refused),
                }
            } else {
                if self.depth == 0 {
                    return Ok(Next::End);
                }
                self.open.from += 1;
                if cursor.is_at(*b", ") {
                    cursor.skip(2);
                    cursor.skip_space(text);
                    return Ok(Next::Item);
                }
                cursor.skip_space(text);
                let byte = cursor.byte();
                cursor.skip(1);
                match byte {
                    b']' => self.close(Kind::Array, self.open.from),
                    b',' => {
                        cursor.skip_space(text);
                        return Ok(Next::Item);
                    }
                    _ => return Err(Stop::Refused),
                }
            }
        }
    }

    /// Reads a name, which the cursor is at, and on to its value.
    #[inline(always)]
    fn name(&mut self, cursor: &mut Cursor) -> Result<Window, Stop> {
        let text = self.text.as_bytes();
        let [name, after @ ..] = self.rest else { return Err(Stop::Full) };
        let Some(word) = self.words.get_mut(self.named as usize) else { return Err(Stop::Full) };
        self.rest = after;
        let start = cursor.at + 1;
        let window = Window::new(self.marks, start);
        let close = window.first(self.marks);
        let (before, ahead) = around(text, close);
        if ahead as u8 == b'"' {
            let (entry, its_word) = match close - start {
                len @ ..=repeated::SHORT => {
                    // Without a branch on the length, which nobody can predict. What comes before the name is shifted out.
                    let too_many = 4 * (8 - len.min(8));
                    let end = before >> too_many >> too_many;
                    (Entry::name(end, start, len as u16), repeated::short_word(end, len))
                }
                _ => long_name(text, start, close, before),
            };
            name.set(entry);
            *word = its_word;
            *cursor = Cursor { at: close + 1, next: ahead >> 8 };
        } else {
            let Some(behind) = decode(self.text, self.marks, start, close, self.beside, name) else {
                return Err(Stop::Refused);
            };
            *cursor = behind;
            let decoded = self.beside.decoded.as_bytes().get(name.get().range());
            *word = repeated::word(decoded.unwrap_or_default());
        }
        self.named += 1;
        // Most often a colon and a space, or none.
        if cursor.is_at(*b": ") {
            cursor.skip(2);
        } else {
            cursor.skip_space(text);
            if cursor.byte() != b':' {
                return Err(Stop::Refused);
            }
            cursor.skip(1);
        }
        cursor.skip_space(text);
        Ok(window)
    }

    /// Opens a container, unless it is empty: that is a value like others, and done.
    #[inline(always)]
    fn open(&mut self, cursor: &mut Cursor, kind: Kind) -> Result<bool, Stop> {
        let text = self.text.as_bytes();
        if self.depth == DEPTH {
            return Err(Stop::Refused);
        }
        let [header, after @ ..] = self.rest else { return Err(Stop::Full) };
        let place = self.place() as u32;
        self.rest = after;
        cursor.skip(1);
        cursor.skip_space(text);
        if cursor.byte() == if kind == Kind::Object { b'}' } else { b']' } {
            cursor.skip(1);
            header.set(Entry::new(kind, 0, place + 1));
            return Ok(false);
        }
        header.set(self.open.wait());
        self.open = Open::new(kind, place, if kind == Kind::Object { self.named } else { 0 });
        self.depth += 1;
        Ok(true)
    }

    /// Closes a container: only then is it known what is in it. The one around it goes on.
    #[inline(always)]
    fn close(&mut self, kind: Kind, count: u32) {
        let header = self.open.place();
        let below = self.place() as u32 - header - 1;
        if let Some(closed) = self.tape.get(header as usize) {
            self.open = Open::waiting(closed.get());
            closed.set(Entry { below, ..Entry::new(kind, count, header + 1) });
        }
        self.depth -= 1;
    }

    /// Where the tape ends.
    #[inline(always)]
    fn place(&self) -> usize {
        self.tape.len() - self.rest.len()
    }

    /// Sees to it that the object that is about to be closed has no two members of one name. Returns how many it has.
    #[inline(always)]
    fn check_names(&mut self) -> u32 {
        let words = self.open.from as usize..self.named as usize;
        let mut count = self.named - self.open.from;
        self.named = self.open.from;
        if count > 1
            && let Some(words) = self.words.get_mut(words)
            && repeated::may_be(words)
        {
            let header = self.open.place();
            if repeated::may_be_in_full(words, self.tape, header, self.text, self.beside) {
                let end = self.place() as u32;
                let (end, left) = repeated::drop(self.tape, header, end, self.text, self.beside);
                count = left;
                self.rest = self.tape.get(end as usize..).unwrap_or_default();
            }
        }
        count
    }
}

const TRUE: u32 = u32::from_le_bytes(*b"true");
const ALSE: u32 = u32::from_le_bytes(*b"alse");
const NULL: u32 = u32::from_le_bytes(*b"null");

/// A name of more bytes than [`repeated::SHORT`], and its word.
#[inline(never)]
fn long_name(text: &[u8], start: u32, close: u32, end: u64) -> (Entry, u64) {
    let entry = match u16::try_from(close - start) {
        Ok(len) => Entry::name(end, start, len),
        Err(_) => Entry::plain(start, close),
    };
    (entry, repeated::word(text.get(start as usize..close as usize).unwrap_or_default()))
}

/// Reads a string, of which `close` is the first place that may end it.
#[inline(always)]
fn string(
    text: &str,
    marks: &[u8],
    cursor: &mut Cursor,
    close: u32,
    beside: &mut Beside,
    entry: &Cell<Entry>,
) -> Result<(), Stop> {
    let start = cursor.at + 1;
    let ahead = eight(text.as_bytes(), close);
    if ahead as u8 == b'"' {
        entry.set(Entry::plain(start, close));
        *cursor = Cursor { at: close + 1, next: ahead >> 8 };
    } else {
        let Some(behind) = decode(text, marks, start, close, beside, entry) else {
            return Err(Stop::Refused);
        };
        *cursor = behind;
    }
    Ok(())
}

/// Reads a string that starts at `start` and has something at `special` that is not a quote. Returns where it ends.
#[inline(never)]
fn decode(
    text: &str,
    marks: &[u8],
    start: u32,
    special: u32,
    beside: &mut Beside,
    entry: &Cell<Entry>,
) -> Option<Cursor> {
    let decoded = &mut beside.decoded;
    let place = decoded.len();
    let behind = escape::decode(text, marks, start, special, decoded)?;
    entry.set(Entry::new(Kind::Decoded, place as u32, (decoded.len() - place) as u32));
    Some(Cursor::new(text.as_bytes(), behind))
}

/// Reads a number, `true`, `false` or `null`.
#[inline(always)]
fn scalar(text: &str, cursor: &mut Cursor, beside: &mut Beside, entry: &Cell<Entry>) -> Result<(), Stop> {
    let word = eight(text.as_bytes(), cursor.at);
    let (kind, length) = match word as u8 {
        b't' if word as u32 == TRUE => (Kind::True, 4),
        b'f' if (word >> 8) as u32 == ALSE => (Kind::False, 5),
        b'n' if word as u32 == NULL => (Kind::Null, 4),
        b'-' | b'0'..=b'9' => {
            if let Some((value, count)) = number::short(word) {
                entry.set(Entry::number(Kind::Unsigned, value));
                *cursor = Cursor { at: cursor.at + count, next: word >> (8 * count) };
            } else {
                let Some(behind) = number::read(text, cursor.at as usize, &mut beside.numbers, entry) else {
                    return Err(Stop::Refused);
                };
                *cursor = Cursor::new(text.as_bytes(), behind as u32);
            }
            return Ok(());
        }
        _ => return Err(Stop::Refused),
    };
    entry.set(Entry::new(kind, 0, 0));
    *cursor = Cursor { at: cursor.at + length, next: word >> (8 * length) };
    Ok(())
}
