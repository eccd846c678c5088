//! From text to tape, in one pass.
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

/// Where the children of a container were left.
enum Left {
    /// Another container is here.
    Open,
    /// The container ends here.
    Close,
}

/// Reads a text of less than 4 GiB, and returns the length of its tape, or nothing if the text is not JSON or is too deep.
pub(in crate::instance) fn fill(text: &str, buffers: &mut Buffers) -> Option<usize> {
    let mut room = text.len() / 6 + 32;
    loop {
        if buffers.entries.len() < room {
            buffers.entries.resize(room, Entry::NULL);
            buffers.words.resize(room / 2, 0);
        }
        let Buffers { entries, decoded, numbers, words } = buffers;
        decoded.clear();
        numbers.clear();
        let mut filling = Filling {
            text,
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
            Ok(length) => return Some(length),
            Err(Stop::Refused) => return None,
            Err(Stop::Full) => room = buffers.entries.len() * 2,
        }
    }
}

/// A tape that is being filled.
struct Filling<'t> {
    text: &'t str,
    tape: &'t mut [Entry],
    words: &'t mut [u64],
    decoded: &'t mut String,
    numbers: &'t mut Vec<serde_json::Number>,
    /// Where the tape ends.
    end: usize,
    /// Where the words end.
    named: usize,
    /// The innermost open container.
    header: usize,
    /// How many children it has so far.
    count: u64,
    /// How many containers are open.
    depth: u32,
}

impl Filling<'_> {
    fn run(&mut self) -> Result<usize, Stop> {
        let bytes = self.text.as_bytes();
        let mut at = skip_space(bytes, 0);
        let mut behind = true;
        if let b'{' | b'[' = byte(bytes, at) {
            (at, behind) = self.open(at)?;
        } else {
            at = self.scalar(at)?;
        }
        while self.depth > 0 {
            let is_object = self.tape[self.header].kind == Kind::Object;
            let (place, left) = if is_object { self.members(at, behind)? } else { self.items(at, behind)? };
            (at, behind) = match left {
                Left::Open => self.open(place)?,
                Left::Close => {
                    if is_object {
                        self.check_names();
                    }
                    self.close();
                    (place + 1, true)
                }
            };
        }
        if skip_space(bytes, at) == bytes.len() { Ok(self.end) } else { Err(Stop::Refused) }
    }

    /// Reads the members of an object from `at` on, which is before a name or behind a value.
    fn members(&mut self, mut at: usize, mut behind: bool) -> Result<(usize, Left), Stop> {
        let bytes = self.text.as_bytes();
        let (mut end, mut named, mut count) = (self.end, self.named, self.count);
        let left = loop {
            if !behind {
                if byte(bytes, at) != b'"' {
                    return Err(Stop::Refused);
                }
                let Some([name, value]) = self.tape.get_mut(end..).and_then(<[Entry]>::first_chunk_mut) else {
                    return Err(Stop::Full);
                };
                let Some(word) = self.words.get_mut(named) else { return Err(Stop::Full) };
                let close = scan::end_of_plain(bytes, at + 1);
                if byte(bytes, close) == b'"' {
                    *name = Entry::plain(at + 1, close);
                    *word = repeated::word(bytes, at + 1, close);
                    at = close + 1;
                } else {
                    at = decode(self.text, at + 1, close, self.decoded, name)?;
                    *word = repeated::word(self.decoded.as_bytes(), name.low(), name.low() + name.high());
                }
                end += 1;
                named += 1;
                if byte(bytes, at) != b':' {
                    at = skip_space(bytes, at);
                    if byte(bytes, at) != b':' {
                        return Err(Stop::Refused);
                    }
                }
                at = skip_space(bytes, at + 1);
                match byte(bytes, at) {
                    b'"' => at = string(self.text, at, self.decoded, value)?,
                    b'{' | b'[' => break Left::Open,
                    byte => at = scalar(self.text, at, byte, self.numbers, value)?,
                }
                end += 1;
            }
            count += 1;
            let mut next = byte(bytes, at);
            if next <= b' ' {
                at = skip_space(bytes, at);
                next = byte(bytes, at);
            }
            if next != b',' {
                if next != b'}' {
                    return Err(Stop::Refused);
                }
                break Left::Close;
            }
            at = skip_space(bytes, at + 1);
            behind = false;
        };
        (self.end, self.named, self.count) = (end, named, count);
        Ok((at, left))
    }

    /// Reads the items of an array from `at` on, which is before or behind one.
    fn items(&mut self, mut at: usize, mut behind: bool) -> Result<(usize, Left), Stop> {
        let bytes = self.text.as_bytes();
        let (mut end, mut count) = (self.end, self.count);
        let left = loop {
            if !behind {
                let Some(item) = self.tape.get_mut(end) else { return Err(Stop::Full) };
                match byte(bytes, at) {
                    b'"' => at = string(self.text, at, self.decoded, item)?,
                    b'{' | b'[' => break Left::Open,
                    byte => at = scalar(self.text, at, byte, self.numbers, item)?,
                }
                end += 1;
            }
            count += 1;
            let mut next = byte(bytes, at);
            if next <= b' ' {
                at = skip_space(bytes, at);
                next = byte(bytes, at);
            }
            if next != b',' {
                if next != b']' {
                    return Err(Stop::Refused);
                }
                break Left::Close;
            }
            at = skip_space(bytes, at + 1);
            behind = false;
        };
        (self.end, self.count) = (end, count);
        Ok((at, left))
    }

    /// The root, if that is no container.
    fn scalar(&mut self, at: usize) -> Result<usize, Stop> {
        let Some(value) = self.tape.first_mut() else { return Err(Stop::Full) };
        self.end = 1;
        match byte(self.text.as_bytes(), at) {
            b'"' => string(self.text, at, self.decoded, value),
            byte => scalar(self.text, at, byte, self.numbers, value),
        }
    }

    /// Opens a container, and closes it if it is empty. Returns where we are then, and if that is behind it.
    #[inline(always)]
    fn open(&mut self, at: usize) -> Result<(usize, bool), Stop> {
        let bytes = self.text.as_bytes();
        let open = byte(bytes, at);
        if self.depth == DEPTH {
            return Err(Stop::Refused);
        }
        let Some(entry) = self.tape.get_mut(self.end) else { return Err(Stop::Full) };
        let kind = if open == b'{' { Kind::Object } else { Kind::Array };
        let at = skip_space(bytes, at + 1);
        let header = self.end;
        self.end += 1;
        // A closing bracket or brace comes two behind the opening one.
        if byte(bytes, at) == open + 2 {
            *entry = Entry { data: Entry::pair(0, self.end), skip: 1, kind };
            return Ok((at + 1, true));
        }
        *entry = Entry { data: 0, skip: self.header as u32, kind };
        self.tape[self.header].data = self.count;
        (self.header, self.count) = (header, 0);
        self.depth += 1;
        Ok((at, false))
    }

    /// Closes a container, whose header then says what is in it. The one around it goes on.
    #[inline(always)]
    fn close(&mut self) {
        let closed = &mut self.tape[self.header];
        let outer = closed.skip as usize;
        closed.data = Entry::pair(self.count as usize, self.header + 1);
        closed.skip = (self.end - self.header) as u32;
        self.header = outer;
        self.depth -= 1;
        self.count = self.tape[outer].data;
    }

    /// Sees to it that the object that is about to be closed has no two members of one name.
    #[inline(always)]
    fn check_names(&mut self) {
        let end = self.named;
        self.named -= self.count as usize;
        if self.count > 1 && repeated::may_be(&mut self.words[self.named..end]) {
            (self.end, self.count) = repeated::drop(self.tape, self.header, self.end, self.text, self.decoded);
        }
    }
}

/// The byte at a place; behind the end, one that is nowhere allowed.
#[inline(always)]
fn byte(bytes: &[u8], at: usize) -> u8 {
    bytes.get(at).copied().unwrap_or(0)
}

/// The first place from `at` on that is not a space, tab or end of line.
#[inline(always)]
fn skip_space(bytes: &[u8], at: usize) -> usize {
    // Most often there is none, or one.
    if byte(bytes, at) > b' ' {
        at
    } else if byte(bytes, at + 1) > b' ' && byte(bytes, at) == b' ' {
        at + 1
    } else {
        skip_more_space(bytes, at)
    }
}

#[inline(never)]
fn skip_more_space(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\t' | b'\r') = bytes.get(at) {
        at += 1;
    }
    at
}

/// Reads the string whose quote is at `at`, and returns the place behind it.
#[inline(always)]
fn string(text: &str, at: usize, decoded: &mut String, entry: &mut Entry) -> Result<usize, Stop> {
    let close = scan::end_of_plain(text.as_bytes(), at + 1);
    if byte(text.as_bytes(), close) == b'"' {
        *entry = Entry::plain(at + 1, close);
        return Ok(close + 1);
    }
    decode(text, at + 1, close, decoded, entry)
}

/// Reads the rest of a string that starts at `start` and has something at `special` that is not a quote.
#[inline(never)]
fn decode(
    text: &str,
    start: usize,
    special: usize,
    decoded: &mut String,
    entry: &mut Entry,
) -> Result<usize, Stop> {
    // A quote before each, as in the text: see `repeated::word`.
    decoded.push('"');
    let place = decoded.len();
    let behind = escape::decode(text, start, special, decoded).ok_or(Stop::Refused)?;
    *entry = Entry::new(Kind::Decoded, Entry::pair(place, decoded.len() - place));
    Ok(behind)
}

/// Reads a number, `true`, `false` or `null`, and returns the place behind it.
#[inline(always)]
fn scalar(
    text: &str,
    at: usize,
    first: u8,
    numbers: &mut Vec<serde_json::Number>,
    entry: &mut Entry,
) -> Result<usize, Stop> {
    let rest = text.as_bytes().get(at..).unwrap_or_default();
    let (kind, length) = match first {
        b't' if rest.starts_with(b"true") => (Kind::True, 4),
        b'f' if rest.starts_with(b"false") => (Kind::False, 5),
        b'n' if rest.starts_with(b"null") => (Kind::Null, 4),
        b'-' | b'0'..=b'9' => {
            let (read, behind) = number::read(text, at, numbers).ok_or(Stop::Refused)?;
            *entry = read;
            return Ok(behind);
        }
        _ => return Err(Stop::Refused),
    };
    *entry = Entry::new(kind, 0);
    Ok(at + length)
}
