//! From text to tape, in one pass after [`scan::mark`].
//!
//! [`Filling::members`] and [`Filling::items`] each read the children of one container, until there is another one
//! in it or it ends. There is no stack: the header of an open container holds the place of the one around it and, while
//! that waits, its own count. Both are replaced by what readers need when the container is closed.
//!
//! The tape is a slice that is long enough for most texts of that length. Where it is not, reading stops, and starts
//! again with twice as much.

use super::{Entry, Kind, escape, number, repeated, scan};

/// As deep as serde_json goes.
const DEPTH: u32 = 127;

/// What is used again from one text to the next.
#[derive(Default)]
pub(in crate::instance) struct Buffers {
    /// As long as there is room; how much of it is a tape, [`fill`] says.
    pub(in crate::instance) entries: Vec<Entry>,
    /// Texts that had escapes, one behind the other.
    pub(in crate::instance) decoded: String,
    /// Where numbers are texts: those that are no integers of 64 bits.
    pub(in crate::instance) numbers: Vec<serde_json::Number>,
    /// A bit for each byte of the text that may end a string. See [`scan`].
    marks: Vec<u8>,
    /// A word for each name of each open object, those of the innermost one last. See [`repeated`].
    words: Vec<u64>,
}

/// Why there is no tape.
enum Stop {
    /// There is not enough room.
    Full,
    /// The text is not JSON, or too deep.
    Refused,
}

/// Reads a text of less than 4 GiB, and returns the length of its tape, or nothing if the text is not JSON or is too deep.
pub(in crate::instance) fn fill(text: &str, buffers: &mut Buffers) -> Option<usize> {
    let mut room = text.len() / 6 + 32;
    scan::mark(text.as_bytes(), &mut buffers.marks);
    loop {
        if buffers.entries.len() < room {
            buffers.entries.resize(room, Entry::NULL);
            buffers.words.resize(room / 2, 0);
        }
        let Buffers { entries, decoded, numbers, marks, words } = buffers;
        decoded.clear();
        numbers.clear();
        let mut filling = Filling {
            text,
            marks,
            tape: entries,
            words,
            decoded,
            numbers,
            end: 0,
            named: 0,
            header: 0,
            count: 0,
            depth: 0,
        };
        match filling.run() {
            Ok(length) => return Some(length as usize),
            Err(Stop::Refused) => return None,
            Err(Stop::Full) => room = buffers.entries.len() * 2,
        }
    }
}

/// A tape that is being filled.
struct Filling<'t> {
    text: &'t str,
    marks: &'t [u8],
    tape: &'t mut [Entry],
    words: &'t mut [u64],
    decoded: &'t mut String,
    numbers: &'t mut Vec<serde_json::Number>,
    /// Where the tape ends.
    end: u32,
    /// Where the words end.
    named: usize,
    /// The innermost open container.
    header: u32,
    /// How many children it has so far.
    count: u32,
    /// How many containers are open.
    depth: u32,
}

/// A place in the text, and what is there.
#[derive(Clone, Copy)]
struct Cursor {
    at: u32,
    /// The three bytes from `at` on, the first of them lowest.
    next: u32,
}

impl<'t> Filling<'t> {
    fn run(&mut self) -> Result<u32, Stop> {
        let text = self.text.as_bytes();
        let mut cursor = Cursor::new(text, 0);
        cursor.skip_space(text);
        let mut opened = false;
        match cursor.byte() {
            b'{' => opened = self.open(&mut cursor, Kind::Object)?,
            b'[' => opened = self.open(&mut cursor, Kind::Array)?,
            _ => self.scalar(&mut cursor)?,
        }
        while self.depth > 0 {
            opened = match self.tape[self.header as usize].kind == Kind::Object {
                true => self.members(&mut cursor, opened)?,
                false => self.items(&mut cursor, opened)?,
            };
        }
        cursor.skip_space(text);
        if cursor.at as usize == text.len() { Ok(self.end) } else { Err(Stop::Refused) }
    }

    /// Reads members of an object that was just opened, or else from behind a value on, until an array is opened or
    /// the cursor is in no object. Returns if an array was opened.
    #[inline(always)]
    fn members(&mut self, cursor: &mut Cursor, opened: bool) -> Result<bool, Stop> {
        let text = self.text.as_bytes();
        if opened {
            if cursor.byte() != b'"' {
                return Err(Stop::Refused);
            }
        } else if !self.next_member(cursor)? {
            return Ok(false);
        }
        loop {
            let end = self.end as usize;
            let Some([name, value]) = self.tape.get_mut(end..end + 2) else { return Err(Stop::Full) };
            let Some(word) = self.words.get_mut(self.named) else { return Err(Stop::Full) };
            let start = cursor.at + 1;
            let close = scan::first_mark(self.marks, start);
            let (before, ahead) = around(text, close);
            if ahead as u8 == b'"' {
                *name = Entry::plain(start, close);
                *word = repeated::word(text, start, close, before);
                *cursor = Cursor { at: close + 1, next: ahead >> 8 };
            } else {
                let Some(behind) = decode(self.text, start, close, self.decoded, name) else {
                    return Err(Stop::Refused);
                };
                *cursor = behind;
                *word = repeated::word_of(self.decoded.as_bytes(), name.low(), name.low() + name.high());
            }
            self.named += 1;
            // Most often a colon and a space, or none.
            if cursor.next as u16 == COLON_SPACE {
                cursor.at += 2;
                cursor.next >>= 16;
            } else if cursor.byte() == b':' {
                cursor.at += 1;
                cursor.next >>= 8;
            } else {
                cursor.skip_space(text);
                if cursor.byte() != b':' {
                    return Err(Stop::Refused);
                }
                cursor.advance(text);
            }
            cursor.skip_space(text);
            match cursor.byte() {
                b'"' => {
                    string(self.text, self.marks, cursor, self.decoded, value)?;
                    self.end += 2;
                }
                b'{' => {
                    self.end += 1;
                    if self.open(cursor, Kind::Object)? {
                        if cursor.byte() != b'"' {
                            return Err(Stop::Refused);
                        }
                        continue;
                    }
                }
                b'[' => {
                    self.end += 1;
                    if self.open(cursor, Kind::Array)? {
                        return Ok(true);
                    }
                }
                _ => {
                    scalar(self.text, cursor, self.numbers, value)?;
                    self.end += 2;
                }
            }
            if !self.next_member(cursor)? {
                return Ok(false);
            }
        }
    }

    /// From behind the value of a member to the name of the next one. Objects that end there are closed; if that leads
    /// to an array or out of the text, there is no next one.
    #[inline(always)]
    fn next_member(&mut self, cursor: &mut Cursor) -> Result<bool, Stop> {
        let text = self.text.as_bytes();
        loop {
            self.count += 1;
            if cursor.next == COMMA_SPACE_QUOTE {
                cursor.at += 2;
                return Ok(true);
            }
            if cursor.next as u16 == COMMA_QUOTE {
                cursor.at += 1;
                return Ok(true);
            }
            cursor.skip_space(text);
            match cursor.byte() {
                b'}' => {}
                b',' => {
                    cursor.advance(text);
                    cursor.skip_space(text);
                    return if cursor.byte() == b'"' { Ok(true) } else { Err(Stop::Refused) };
                }
                _ => return Err(Stop::Refused),
            }
            cursor.advance(text);
            self.check_names();
            self.close();
            if self.depth == 0 || self.tape[self.header as usize].kind == Kind::Array {
                return Ok(false);
            }
        }
    }

    /// Reads items of an array, as [`Filling::members`] reads members. Returns if something was opened.
    #[inline(always)]
    fn items(&mut self, cursor: &mut Cursor, opened: bool) -> Result<bool, Stop> {
        if !opened && !self.next_item(cursor)? {
            return Ok(false);
        }
        loop {
            let Some(item) = self.tape.get_mut(self.end as usize) else { return Err(Stop::Full) };
            match cursor.byte() {
                b'"' => {
                    string(self.text, self.marks, cursor, self.decoded, item)?;
                    self.end += 1;
                }
                b'{' => {
                    if self.open(cursor, Kind::Object)? {
                        return Ok(true);
                    }
                }
                b'[' => {
                    if self.open(cursor, Kind::Array)? {
                        return Ok(true);
                    }
                }
                _ => {
                    scalar(self.text, cursor, self.numbers, item)?;
                    self.end += 1;
                }
            }
            if !self.next_item(cursor)? {
                return Ok(false);
            }
        }
    }

    /// From behind an item to the next one. If there is none, the array is closed.
    #[inline(always)]
    fn next_item(&mut self, cursor: &mut Cursor) -> Result<bool, Stop> {
        let text = self.text.as_bytes();
        self.count += 1;
        if cursor.next as u16 == COMMA_SPACE {
            cursor.at += 2;
            cursor.next >>= 16;
        } else if cursor.byte() == b',' {
            cursor.at += 1;
            cursor.next >>= 8;
        } else {
            cursor.skip_space(text);
            let byte = cursor.byte();
            cursor.advance(text);
            match byte {
                b']' => {
                    self.close();
                    return Ok(false);
                }
                b',' => {}
                _ => return Err(Stop::Refused),
            }
        }
        cursor.skip_space(text);
        Ok(true)
    }

    /// The root, if that is no container.
    fn scalar(&mut self, cursor: &mut Cursor) -> Result<(), Stop> {
        let Some(value) = self.tape.first_mut() else { return Err(Stop::Full) };
        self.end = 1;
        match cursor.byte() {
            b'"' => string(self.text, self.marks, cursor, self.decoded, value),
            _ => scalar(self.text, cursor, self.numbers, value),
        }
    }

    /// Opens a container, unless it is empty: that is a value like others, and done.
    #[inline(always)]
    fn open(&mut self, cursor: &mut Cursor, kind: Kind) -> Result<bool, Stop> {
        let text = self.text.as_bytes();
        if self.depth == DEPTH {
            return Err(Stop::Refused);
        }
        let Some(entry) = self.tape.get_mut(self.end as usize) else { return Err(Stop::Full) };
        let header = self.end;
        self.end += 1;
        cursor.advance(text);
        cursor.skip_space(text);
        if cursor.byte() == if kind == Kind::Object { b'}' } else { b']' } {
            cursor.advance(text);
            *entry = Entry::new(kind, Entry::pair(0, self.end as usize));
            return Ok(false);
        }
        *entry = Entry { skip: self.header, ..Entry::new(kind, 0) };
        self.tape[self.header as usize].data = u64::from(self.count);
        (self.header, self.count) = (header, 0);
        self.depth += 1;
        Ok(true)
    }

    /// Closes a container, whose header then says what is in it. The one around it goes on.
    #[inline(always)]
    fn close(&mut self) {
        let closed = &mut self.tape[self.header as usize];
        let outer = closed.skip;
        closed.data = Entry::pair(self.count as usize, self.header as usize + 1);
        closed.skip = self.end - self.header;
        self.header = outer;
        self.depth -= 1;
        self.count = self.tape[outer as usize].data as u32;
    }

    /// Sees to it that the object that is about to be closed has no two members of one name.
    #[inline(always)]
    fn check_names(&mut self) {
        let end = self.named;
        self.named -= self.count as usize;
        if self.count > 1 && repeated::may_be(&mut self.words[self.named..end]) {
            (self.end, self.count) =
                repeated::drop(self.tape, self.header, self.end, self.text, self.decoded);
        }
    }
}

const COLON_SPACE: u16 = u16::from_le_bytes(*b": ");
const COMMA_SPACE: u16 = u16::from_le_bytes(*b", ");
const COMMA_QUOTE: u16 = u16::from_le_bytes(*b",\"");
const TRUE: u32 = u32::from_le_bytes(*b"true");
const ALSE: u32 = u32::from_le_bytes(*b"alse");
const NULL: u32 = u32::from_le_bytes(*b"null");
const COMMA_SPACE_QUOTE: u32 = u32::from_le_bytes(*b", \"\0");

/// The four bytes from a place on, or as many as there are and zeros.
#[inline(always)]
fn four(text: &[u8], at: u32) -> u32 {
    let from = at as usize;
    match text.get(from..from + 4).and_then(<[u8]>::first_chunk) {
        Some(bytes) => u32::from_le_bytes(*bytes),
        None => last_of_four(text, at),
    }
}

/// The eight bytes before a place, and the four from there on.
#[inline(always)]
fn around(text: &[u8], at: u32) -> (u64, u32) {
    let from = at.wrapping_sub(8) as usize;
    match text.get(from..from + 12).and_then(<[u8]>::first_chunk::<12>) {
        Some([a, b, c, d, e, f, g, h, ahead @ ..]) => {
            (u64::from_le_bytes([*a, *b, *c, *d, *e, *f, *g, *h]), u32::from_le_bytes(*ahead))
        }
        None => (repeated::before(text, at as usize), four(text, at)),
    }
}

/// The same near the end of the text.
#[cold]
#[inline(never)]
fn last_of_four(text: &[u8], at: u32) -> u32 {
    let left = text.len().saturating_sub(at as usize);
    match text.last_chunk() {
        Some(bytes) => (u64::from(u32::from_le_bytes(*bytes)) >> (32 - 8 * left.min(4))) as u32,
        None => text.iter().rev().take(left).fold(0, |four, &byte| four << 8 | u32::from(byte)),
    }
}

impl Cursor {
    #[inline(always)]
    fn new(text: &[u8], at: u32) -> Cursor {
        Cursor { at, next: four(text, at) & 0xFF_FFFF }
    }

    /// The byte it is at. There is no zero in JSON: that is the end.
    #[inline(always)]
    fn byte(&self) -> u8 {
        self.next as u8
    }

    /// Moves on by a byte.
    #[inline(always)]
    fn advance(&mut self, text: &[u8]) {
        *self = Cursor::new(text, self.at + 1);
    }

    /// Moves on behind spaces, tabs and ends of lines.
    #[inline(always)]
    fn skip_space(&mut self, text: &[u8]) {
        // Most often there are none.
        if self.byte() <= b' ' {
            *self = self.behind_space(text);
        }
    }

    /// By value, so that a cursor stays in registers.
    #[inline(never)]
    fn behind_space(self, text: &[u8]) -> Self {
        let mut at = self.at as usize;
        while let Some(b' ' | b'\n' | b'\t' | b'\r') = text.get(at) {
            at += 1;
        }
        Cursor::new(text, at as u32)
    }
}

/// Reads a string.
#[inline(always)]
fn string(
    text: &str,
    marks: &[u8],
    cursor: &mut Cursor,
    decoded: &mut String,
    entry: &mut Entry,
) -> Result<(), Stop> {
    let start = cursor.at + 1;
    let close = scan::first_mark(marks, start);
    let ahead = four(text.as_bytes(), close);
    if ahead as u8 == b'"' {
        *entry = Entry::plain(start, close);
        *cursor = Cursor { at: close + 1, next: ahead >> 8 };
    } else {
        let Some(behind) = decode(text, start, close, decoded, entry) else { return Err(Stop::Refused) };
        *cursor = behind;
    }
    Ok(())
}

/// Reads a string that starts at `start` and has something at `special` that is not a quote. Returns where it ends.
#[inline(never)]
fn decode(text: &str, start: u32, special: u32, decoded: &mut String, entry: &mut Entry) -> Option<Cursor> {
    // A quote before each, as in the text: see `repeated::word`.
    decoded.push('"');
    let place = decoded.len();
    let behind = escape::decode(text, start as usize, special as usize, decoded)?;
    *entry = Entry::new(Kind::Decoded, Entry::pair(place, decoded.len() - place));
    Some(Cursor::new(text.as_bytes(), behind as u32))
}

/// Reads a number, `true`, `false` or `null`.
#[inline(always)]
fn scalar(
    text: &str,
    cursor: &mut Cursor,
    numbers: &mut Vec<serde_json::Number>,
    entry: &mut Entry,
) -> Result<(), Stop> {
    let bytes = text.as_bytes();
    let (kind, length) = match cursor.byte() {
        b't' if four(bytes, cursor.at) == TRUE => (Kind::True, 4),
        b'f' if four(bytes, cursor.at + 1) == ALSE => (Kind::False, 5),
        b'n' if four(bytes, cursor.at) == NULL => (Kind::Null, 4),
        b'-' | b'0'..=b'9' => {
            let Some(behind) = number::read(text, cursor.at as usize, numbers, entry) else {
                return Err(Stop::Refused);
            };
            *cursor = Cursor::new(bytes, behind as u32);
            return Ok(());
        }
        _ => return Err(Stop::Refused),
    };
    *entry = Entry::new(kind, 0);
    *cursor = Cursor::new(bytes, cursor.at + length);
    Ok(())
}
