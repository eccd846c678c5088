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

impl<'t> Filling<'t> {
    fn run(&mut self) -> Result<usize, Stop> {
        let (mut rest, mut behind) = (skip_space(self.text.as_bytes()), true);
        match rest.first() {
            Some(b'{' | b'[') => (rest, behind) = self.open(rest)?,
            _ => rest = self.scalar(rest)?,
        }
        while self.depth > 0 {
            (rest, behind) = match self.tape[self.header].kind == Kind::Object {
                true => self.members(rest, behind)?,
                false => self.items(rest, behind)?,
            };
        }
        if skip_space(rest).is_empty() { Ok(self.end) } else { Err(Stop::Refused) }
    }

    /// Reads members of an object until another container is opened or this one is closed. What is left of the text is before a
    /// name or behind a value. Returns what is left then, and if that is behind a value.
    fn members(&mut self, mut rest: &'t [u8], mut behind: bool) -> Result<(&'t [u8], bool), Stop> {
        let text = self.text.as_bytes();
        let mut count = self.count;
        loop {
            if behind {
                // Most often a comma and a name.
                count += 1;
                rest = match rest {
                    [b',', b' ', b'"', ..] => &rest[2..],
                    [b',', b'"', ..] => &rest[1..],
                    _ => match skip_space(rest) {
                        [b',', after @ ..] => skip_space(after),
                        [b'}', after @ ..] => {
                            self.count = count;
                            self.check_names();
                            self.close();
                            if self.depth == 0 || self.tape[self.header].kind == Kind::Array {
                                return Ok((after, true));
                            }
                            (rest, count) = (after, self.count);
                            continue;
                        }
                        _ => return Err(Stop::Refused),
                    },
                };
            }
            let [b'"', name_on @ ..] = rest else { return Err(Stop::Refused) };
            let Some([name, value]) = self.tape.get_mut(self.end..).and_then(<[Entry]>::first_chunk_mut)
            else {
                return Err(Stop::Full);
            };
            let Some(word) = self.words.get_mut(self.named) else { return Err(Stop::Full) };
            let start = text.len() - name_on.len();
            rest = scan::skip_plain(text, name_on);
            let close = text.len() - rest.len();
            if let [b'"', after @ ..] = rest {
                *name = Entry::plain(start, close);
                *word = repeated::word(text, start, close);
                rest = after;
            } else {
                rest = decode(self.text, start, close, self.decoded, name)?;
                *word = repeated::word(self.decoded.as_bytes(), name.low(), name.low() + name.high());
            }
            self.end += 1;
            self.named += 1;
            // Most often a colon, a space or none, and a value.
            rest = match rest {
                [b':', b' ', b'!'..=0xFF, ..] => &rest[2..],
                [b':', b'!'..=0xFF, ..] => &rest[1..],
                _ => match skip_space(rest) {
                    [b':', after @ ..] => skip_space(after),
                    _ => return Err(Stop::Refused),
                },
            };
            rest = match rest.first() {
                Some(b'"') => string(self.text, rest, self.decoded, value)?,
                Some(b'{') => {
                    self.count = count;
                    (rest, behind) = self.open(rest)?;
                    count = self.count;
                    continue;
                }
                Some(b'[') => {
                    self.count = count;
                    return self.open(rest);
                }
                _ => scalar(self.text, rest, self.numbers, value)?,
            };
            self.end += 1;
            behind = true;
        }
    }

    /// Reads items of an array, as [`Filling::members`] reads members.
    fn items(&mut self, mut rest: &'t [u8], mut behind: bool) -> Result<(&'t [u8], bool), Stop> {
        let mut count = self.count;
        loop {
            if behind {
                count += 1;
                rest = match rest {
                    [b',', b' ', b'!'..=0xFF, ..] => &rest[2..],
                    [b',', b'!'..=0xFF, ..] => &rest[1..],
                    _ => match skip_space(rest) {
                        [b',', after @ ..] => skip_space(after),
                        [b']', after @ ..] => {
                            self.count = count;
                            self.close();
                            return Ok((after, true));
                        }
                        _ => return Err(Stop::Refused),
                    },
                };
            }
            let Some(item) = self.tape.get_mut(self.end) else { return Err(Stop::Full) };
            rest = match rest.first() {
                Some(b'"') => string(self.text, rest, self.decoded, item)?,
                Some(b'{' | b'[') => {
                    self.count = count;
                    return self.open(rest);
                }
                _ => scalar(self.text, rest, self.numbers, item)?,
            };
            self.end += 1;
            behind = true;
        }
    }

    /// The root, if that is no container.
    fn scalar(&mut self, rest: &'t [u8]) -> Result<&'t [u8], Stop> {
        let Some(value) = self.tape.first_mut() else { return Err(Stop::Full) };
        self.end = 1;
        match rest.first() {
            Some(b'"') => string(self.text, rest, self.decoded, value),
            _ => scalar(self.text, rest, self.numbers, value),
        }
    }

    /// Opens a container, and closes it if it is empty. Returns what is left of the text then, and if that is behind a value.
    #[inline(always)]
    fn open(&mut self, rest: &'t [u8]) -> Result<(&'t [u8], bool), Stop> {
        let Some((&open, after)) = rest.split_first() else { return Err(Stop::Refused) };
        if self.depth == DEPTH {
            return Err(Stop::Refused);
        }
        let Some(entry) = self.tape.get_mut(self.end) else { return Err(Stop::Full) };
        let kind = if open == b'{' { Kind::Object } else { Kind::Array };
        let header = self.end;
        self.end += 1;
        let after = skip_space(after);
        // A closing bracket or brace comes two behind the opening one.
        if let [close, after @ ..] = after
            && *close == open + 2
        {
            *entry = Entry { data: Entry::pair(0, self.end), skip: 1, kind };
            return Ok((after, true));
        }
        *entry = Entry { data: 0, skip: self.header as u32, kind };
        self.tape[self.header].data = self.count;
        (self.header, self.count) = (header, 0);
        self.depth += 1;
        Ok((after, false))
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
            (self.end, self.count) =
                repeated::drop(self.tape, self.header, self.end, self.text, self.decoded);
        }
    }
}

/// What is left of a text without the spaces, tabs and ends of lines before it.
#[inline(always)]
fn skip_space(rest: &[u8]) -> &[u8] {
    // Most often there is none, or one.
    match rest {
        [b'!'..=0xFF, ..] => rest,
        [b' ', b'!'..=0xFF, ..] => &rest[1..],
        _ => skip_more_space(rest),
    }
}

#[inline(never)]
fn skip_more_space(mut rest: &[u8]) -> &[u8] {
    while let [b' ' | b'\n' | b'\t' | b'\r', after @ ..] = rest {
        rest = after;
    }
    rest
}

/// Reads a string, and returns what is left behind it.
#[inline(always)]
fn string<'t>(
    text: &'t str,
    rest: &'t [u8],
    decoded: &mut String,
    entry: &mut Entry,
) -> Result<&'t [u8], Stop> {
    let [_, content @ ..] = rest else { return Err(Stop::Refused) };
    let start = text.len() - content.len();
    let rest = scan::skip_plain(text.as_bytes(), content);
    let close = text.len() - rest.len();
    if let [b'"', after @ ..] = rest {
        *entry = Entry::plain(start, close);
        return Ok(after);
    }
    decode(text, start, close, decoded, entry)
}

/// Reads the rest of a string that starts at `start` and has something at `special` that is not a quote.
#[inline(never)]
fn decode<'t>(
    text: &'t str,
    start: usize,
    special: usize,
    decoded: &mut String,
    entry: &mut Entry,
) -> Result<&'t [u8], Stop> {
    // A quote before each, as in the text: see `repeated::word`.
    decoded.push('"');
    let place = decoded.len();
    let behind = escape::decode(text, start, special, decoded).ok_or(Stop::Refused)?;
    *entry = Entry::new(Kind::Decoded, Entry::pair(place, decoded.len() - place));
    text.as_bytes().get(behind..).ok_or(Stop::Refused)
}

/// Reads a number, `true`, `false` or `null`, and returns what is left behind it.
#[inline(always)]
fn scalar<'t>(
    text: &'t str,
    rest: &'t [u8],
    numbers: &mut Vec<serde_json::Number>,
    entry: &mut Entry,
) -> Result<&'t [u8], Stop> {
    let (kind, after) = match rest {
        [b't', b'r', b'u', b'e', after @ ..] => (Kind::True, after),
        [b'f', b'a', b'l', b's', b'e', after @ ..] => (Kind::False, after),
        [b'n', b'u', b'l', b'l', after @ ..] => (Kind::Null, after),
        [b'-' | b'0'..=b'9', ..] => {
            let (read, behind) = number::read(text, text.len() - rest.len(), numbers).ok_or(Stop::Refused)?;
            *entry = read;
            return text.as_bytes().get(behind..).ok_or(Stop::Refused);
        }
        _ => return Err(Stop::Refused),
    };
    *entry = Entry::new(kind, 0);
    Ok(after)
}
