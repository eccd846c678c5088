//! Instances that a host encoded from values of its own: for hosts where a call for each value costs more than the value, as between
//! JavaScript and wasm.
//!
//! ```text
//! {"a": [1, "x"]}    Object  Name 1  Array  Integer 1  String 1  End  End      and the texts "a" "x"
//! ```
//!
//! Each word is an entry at most, so that the tape has its room beforehand. Nothing of an encoding is trusted: what is not an instance is refused.
//!
//! Of a kept name it is noted in which object it came last, so that two of one name are seen at once. Where other names come, the names of each object are compared
//! when it is closed (see [`repeated`]).

use super::buffers::{Beside, Open, make_room};
use super::fill::DEPTH;
use super::{Entry, Instance, Kind, number, repeated};
use crate::instance::last_word;
use std::cell::Cell;

/// How many names a decoder keeps, and how long one may be.
const KEPT_NAMES: usize = 4096;
const KEPT_NAME_BYTES: usize = 64;

/// Whole numbers up to this are doubles without loss.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// The meaning of the lowest four bits of a word. The others are a number, `N`.
mod tag {
    pub(super) const NULL: u32 = 0;
    pub(super) const FALSE: u32 = 1;
    pub(super) const TRUE: u32 = 2;
    /// The integer `N`, which is signed.
    pub(super) const INTEGER: u32 = 3;
    /// A double. Its bits are the next two words, the low ones first.
    pub(super) const DOUBLE: u32 = 4;
    /// The string that is the next `N` bytes of the texts.
    pub(super) const STRING: u32 = 5;
    pub(super) const ARRAY: u32 = 6;
    pub(super) const OBJECT: u32 = 7;
    /// The end of the innermost array or object.
    pub(super) const END: u32 = 8;
    /// The kept name number `N`.
    pub(super) const KEPT_NAME: u32 = 9;
    /// The name that is the next `N` bytes of the texts.
    pub(super) const NAME: u32 = 10;
    /// The number whose JSON text is the next `N` bytes of the texts.
    pub(super) const NUMBER: u32 = 11;
}

/// Reads instances that a host encoded from values of its own, with buffers that are kept from one instance to the next.
///
/// An encoding is words of four bytes, the lowest first, and texts in UTF-8, one behind the other in the order of the words. The lowest four bits of a word
/// say what it is; the other 28 are a number `N`.
///
/// | bits | |
/// |---|---|
/// | 0, 1, 2 | `null`, `false`, `true` |
/// | 3 | the integer `N`, which is signed |
/// | 4 | a double, whose bits are the next two words, the low ones first |
/// | 5 | the string that is the next `N` bytes of the texts |
/// | 6, 7 | the start of an array, of an object |
/// | 8 | the end of the innermost array or object |
/// | 9 | the name number `N` of those that are [kept](Decoder::keep_name) |
/// | 10 | the name that is the next `N` bytes of the texts |
/// | 11 | the number whose JSON text is the next `N` bytes of the texts |
///
/// A name stands before each value of an object. Doubles are what JSON text has of them: whole ones up to 2<sup>53</sup> are integers, zero has no sign, and another is the
/// number that its shortest text shows. Of the members with one name the last counts.
///
/// ```
/// use stanchion::{Decoder, Validator};
///
/// let validator = Validator::new(&serde_json::json!({"properties": {"days": {"minimum": 1}}}))?;
/// let mut decoder = Decoder::new();
/// let words = [7, 4 << 4 | 10, 0 << 4 | 3, 8].map(u32::to_le_bytes);
/// let instance = decoder.decode(words.as_flattened(), b"days").unwrap();
/// assert_eq!(validator.validate(instance.root()).unwrap_err().to_string(), "/days: 0 is less than the minimum 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default)]
pub struct Decoder {
    entries: Vec<Entry>,
    /// The texts of the names that are kept, and behind them those of an instance.
    text: String,
    kept: Vec<KeptName>,
    kept_bytes: usize,
    /// The numbers of objects start here. No object of an earlier instance has one of those that follow.
    first_object: u32,
    beside: Beside,
}

/// A name as it goes onto the tape.
#[derive(Clone)]
struct KeptName {
    entry: Entry,
    /// The number of the object in which it came last.
    object: Cell<u32>,
}

/// The entry of a name whose text starts at that place.
#[inline(always)]
fn name_entry(name: &[u8], start: usize) -> Entry {
    let start = start as u32;
    match u16::try_from(name.len()) {
        Ok(len) => Entry::name(last_word(name), start, len),
        Err(_) => Entry::plain(start, start + name.len() as u32),
    }
}

impl std::fmt::Debug for Decoder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Decoder").field("kept", &self.kept.len()).finish_non_exhaustive()
    }
}

impl Decoder {
    /// A decoder without buffers yet: they grow with the first instance.
    pub fn new() -> Decoder {
        Decoder::default()
    }

    /// Keeps a name from one instance to the next, and returns its number: 0, 1, 2 and so on. Nothing if it has more than 64 bytes, or if 4,096 names are kept.
    pub fn keep_name(&mut self, name: &str) -> Option<u32> {
        if name.len() > KEPT_NAME_BYTES || self.kept.len() == KEPT_NAMES {
            return None;
        }
        self.text.truncate(self.kept_bytes);
        self.kept
            .push(KeptName { entry: name_entry(name.as_bytes(), self.kept_bytes), object: Cell::new(0) });
        self.text.push_str(name);
        self.kept_bytes = self.text.len();
        Some(self.kept.len() as u32 - 1)
    }

    /// Forgets the kept names.
    pub fn forget_names(&mut self) {
        self.kept.clear();
        self.kept_bytes = 0;
    }

    /// Gives buffers back that take more than so many bytes. Names stay.
    #[inline]
    pub fn shrink_to(&mut self, bytes: usize) {
        if self.entries.len() * size_of::<Entry>() + self.text.capacity() > bytes {
            self.entries = Vec::new();
            self.text.truncate(self.kept_bytes);
            self.text.shrink_to_fit();
        }
    }

    /// Reads an instance: its words, and its texts. Nothing if they are no encoding of one, if it is nested deeper than 127 arrays and objects, or has more
    /// than 256 MiB.
    #[inline]
    pub fn decode(&mut self, words: &[u8], text: &[u8]) -> Option<Instance<'_>> {
        const MOST: usize = 1 << 28;
        let (words, rest) = words.as_chunks::<4>();
        let text = simdutf8::basic::from_utf8(text).ok()?;
        if !rest.is_empty() || words.len() > MOST / 4 || text.len() > MOST {
            return None;
        }
        let length = self.fill(words, text)?;
        Some(Instance { text: &self.text, escaped: &[], entries: self.entries.get(..length)? })
    }

    /// Fills the tape. Returns its length.
    fn fill(&mut self, words: &[[u8; 4]], text: &str) -> Option<usize> {
        self.text.truncate(self.kept_bytes);
        self.text.push_str(text);
        make_room(&mut self.entries, words.len(), Entry::NULL);
        self.beside.clear();
        let first_object = self.number_objects(words.len());
        let mut filling = Filling {
            tape: Cell::from_mut(self.entries.as_mut_slice()).as_slice_of_cells(),
            place: 0,
            text: &self.text,
            at: self.kept_bytes,
            kept: &self.kept,
            first_object,
            named: 0,
            compares: false,
            beside: &mut self.beside,
            open: Open::default(),
            depth: 0,
        };
        let length = filling.run(words)?;
        if self.beside.dropped.is_empty() {
            return Some(length);
        }
        Some(repeated::compact(&mut self.entries, length, &mut self.beside.dropped))
    }

    /// Numbers for the objects of an instance of so many words: the first of them.
    #[inline(always)]
    fn number_objects(&mut self, words: usize) -> u32 {
        let first = self.first_object.max(1);
        if let Some(behind) = first.checked_add(words as u32) {
            self.first_object = behind;
            return first;
        }
        // All were given out, after billions of words. Begin anew.
        self.kept.iter().for_each(|name| name.object.set(0));
        self.first_object = 1 + words as u32;
        1
    }
}

/// A tape that is being filled.
struct Filling<'t> {
    tape: &'t [Cell<Entry>],
    place: usize,
    text: &'t str,
    /// Where the texts of the words that are left start.
    at: usize,
    kept: &'t [KeptName],
    first_object: u32,
    /// How many names the open objects have so far.
    named: u32,
    /// Whether the names of an object may be equal, since not all were kept ones, or two were one.
    compares: bool,
    beside: &'t mut Beside,
    /// The innermost open container, or none.
    open: Open,
    depth: usize,
}

impl Filling<'_> {
    #[inline(always)]
    fn run(&mut self, words: &[[u8; 4]]) -> Option<usize> {
        let mut words = words.iter().map(|&word| u32::from_le_bytes(word));
        // Whether a name comes next, or the end of an object.
        let mut expects_name = false;
        loop {
            let word = words.next()?;
            let number = word >> 4;
            let tag = word & 15;
            if expects_name && tag != tag::END {
                let entry = match tag {
                    tag::KEPT_NAME => {
                        let name = self.kept.get(number as usize)?;
                        let object = self.first_object + (self.tape.len() as u32 - self.open.left());
                        self.compares |= name.object.replace(object) == object;
                        name.entry
                    }
                    tag::NAME => {
                        let start = self.at;
                        self.compares = true;
                        name_entry(self.take(number)?.as_bytes(), start)
                    }
                    _ => return None,
                };
                self.named += 1;
                self.push(entry)?;
                expects_name = false;
                continue;
            }
            let entry = match tag {
                tag::STRING => {
                    let start = self.at;
                    self.take(number)?;
                    Entry::plain(start as u32, self.at as u32)
                }
                tag::INTEGER => integer(i64::from(word.cast_signed() >> 4)),
                tag::NULL => Entry::NULL,
                tag::FALSE => Entry::new(Kind::False, 0, 0),
                tag::TRUE => Entry::new(Kind::True, 0, 0),
                tag::DOUBLE => {
                    let (low, high) = (words.next()?, words.next()?);
                    double(f64::from_bits(u64::from(low) | u64::from(high) << 32))?
                }
                tag::NUMBER => self.written(number)?,
                tag::ARRAY => {
                    self.begin(Kind::Array)?;
                    continue;
                }
                tag::OBJECT => {
                    self.begin(Kind::Object)?;
                    expects_name = true;
                    continue;
                }
                tag::END if !self.open.is_none() && self.open.is_object() == expects_name => {
                    self.end();
                    expects_name = self.open.is_object();
                    if self.open.is_none() {
                        break;
                    }
                    continue;
                }
                _ => return None,
            };
            self.push(entry)?;
            if self.open.is_none() {
                break;
            }
            expects_name = self.open.is_object();
            self.open.from += u32::from(!expects_name);
        }
        // Nothing is left.
        (words.next().is_none() && self.at == self.text.len()).then_some(self.place)
    }

    #[inline(always)]
    fn push(&mut self, entry: Entry) -> Option<()> {
        self.tape.get(self.place)?.set(entry);
        self.place += 1;
        Some(())
    }

    /// Takes the next bytes of the texts.
    #[inline(always)]
    fn take(&mut self, bytes: u32) -> Option<&str> {
        let start = self.at;
        let taken = self.text.get(start..start + bytes as usize)?;
        self.at = start + bytes as usize;
        Some(taken)
    }

    /// A number by its text.
    #[cold]
    #[inline(never)]
    fn written(&mut self, bytes: u32) -> Option<Entry> {
        let start = self.at;
        self.take(bytes)?;
        let entry = Cell::new(Entry::NULL);
        let behind = number::read(&self.text[..self.at], start, &entry)?;
        (behind == self.at).then_some(entry.get())
    }

    /// Opens a container. While it is open, its place on the tape has the one around it.
    #[inline(always)]
    fn begin(&mut self, kind: Kind) -> Option<()> {
        if self.depth == DEPTH {
            return None;
        }
        let left = (self.tape.len() - self.place) as u32;
        self.push(self.open.wait(kind))?;
        self.open = Open::new(kind, left, if kind == Kind::Object { self.named } else { 0 });
        self.depth += 1;
        Some(())
    }

    /// Closes the innermost container, which is a value of the one around it.
    #[inline(always)]
    fn end(&mut self) {
        let header = self.tape.len() - self.open.left() as usize;
        let count = if self.open.is_object() { self.count_names(header) } else { self.open.from };
        if let Some(closed) = self.tape.get(header) {
            let entry = closed.get();
            self.open = Open::waiting(entry);
            let below = (self.place - header - 1) as u32;
            closed.set(Entry { low: count, high: header as u32 + 1, below, ..entry });
        }
        self.depth -= 1;
        self.open.from += u32::from(!self.open.is_object());
    }

    /// Counts the members of the object that is about to be closed. Of those with one name all but the last are noted, to be dropped.
    #[inline(always)]
    fn count_names(&mut self, header: usize) -> u32 {
        let count = self.named - self.open.from;
        self.named = self.open.from;
        if count > 1 && self.compares { self.compare_names(header, count) } else { count }
    }

    #[cold]
    #[inline(never)]
    fn compare_names(&mut self, header: usize, count: u32) -> u32 {
        // For words of the names, which `drop` makes.
        let mut names = vec![0; count as usize];
        repeated::drop(&mut names, self.tape, header..self.place, self.text, self.beside)
    }
}

#[inline(always)]
fn integer(value: i64) -> Entry {
    Entry::number(if value < 0 { Kind::Signed } else { Kind::Unsigned }, value as u64)
}

/// A double as JSON text has it.
#[inline(always)]
fn double(value: f64) -> Option<Entry> {
    if value.trunc() == value && value.abs() <= EXACT {
        return Some(integer(value as i64));
    }
    value.is_finite().then(|| Entry::number(Kind::Float, value.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::conformance::{self, render};
    use crate::{Array as _, Node, Number, Object as _, Reader, View};

    /// An encoding that is being made.
    #[derive(Default)]
    struct Encoded {
        words: Vec<u32>,
        text: String,
    }

    impl Encoded {
        fn word(&mut self, tag: u32, number: u32) {
            self.words.push(number << 4 | tag);
        }

        fn text(&mut self, tag: u32, text: &str) {
            self.word(tag, text.len() as u32);
            self.text.push_str(text);
        }

        fn double(&mut self, value: f64) {
            let bits = value.to_bits();
            self.words.extend([tag::DOUBLE, bits as u32, (bits >> 32) as u32]);
        }

        fn value<'a>(&mut self, node: impl Node<'a>) {
            match node.view() {
                View::Null => self.word(tag::NULL, 0),
                View::Bool(value) => self.word(if value { tag::TRUE } else { tag::FALSE }, 0),
                View::Number(Number::Unsigned(value @ 0..1000)) => self.word(tag::INTEGER, value as u32),
                View::Number(Number::Signed(value @ -1000..0)) => self.word(tag::INTEGER, value as u32),
                View::Number(Number::Float(value)) => self.double(value),
                View::Number(number) => self.text(tag::NUMBER, &number.to_string()),
                View::String(text) => self.text(tag::STRING, text),
                View::Array(items) => {
                    self.word(tag::ARRAY, 0);
                    items.iter().for_each(|item| self.value(item));
                    self.word(tag::END, 0);
                }
                View::Object(members) => {
                    self.word(tag::OBJECT, 0);
                    for (name, value) in members.iter() {
                        self.text(tag::NAME, name);
                        self.value(value);
                    }
                    self.word(tag::END, 0);
                }
            }
        }

        fn of(text: &str) -> Encoded {
            let mut encoded = Encoded::default();
            encoded.value(Reader::new().parse_str(text).unwrap().root());
            encoded
        }

        fn read(&self, decoder: &mut Decoder) -> Option<String> {
            let words: Vec<[u8; 4]> = self.words.iter().map(|word| word.to_le_bytes()).collect();
            decoder.decode(words.as_flattened(), self.text.as_bytes()).map(|instance| render(instance.root()))
        }
    }

    #[test]
    fn conforms() {
        let decoder = std::cell::RefCell::new(Decoder::new());
        conformance::check(|text| Encoded::of(text).read(&mut decoder.borrow_mut()).unwrap());
    }

    #[test]
    fn doubles_are_what_their_text_is() {
        let numbers = [0.0, -0.0, 1.0, -1e15, 9_007_199_254_740_992.0, 0.1, 0.1 + 0.2, -1.5e-300];
        let mut encoded = Encoded::default();
        encoded.word(tag::ARRAY, 0);
        numbers.iter().for_each(|&number| encoded.double(number));
        encoded.text(tag::NUMBER, "1e+21");
        encoded.text(tag::STRING, "5");
        encoded.word(tag::END, 0);
        let texts = [
            "0",
            "0",
            "1",
            "-1000000000000000",
            "9007199254740992",
            "0.1",
            "0.30000000000000004",
            "-1.5e-300",
        ];
        let text = format!("[{},1e+21,\"5\"]", texts.join(","));
        let read = render(Reader::new().parse_str(&text).unwrap().root());
        assert_eq!(encoded.read(&mut Decoder::new()), Some(read));
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut encoded = Encoded::default();
            encoded.double(number);
            assert_eq!(encoded.read(&mut Decoder::new()), None);
        }
    }

    #[test]
    fn names_are_kept_and_the_last_of_one_counts() {
        let mut decoder = Decoder::new();
        let long = "a name of more than sixteen bytes";
        assert_eq!((decoder.keep_name("a"), decoder.keep_name(long)), (Some(0), Some(1)));
        assert_eq!(decoder.keep_name(&"n".repeat(65)), None);
        // {"a": [{"a": 1, LONG: 2}], LONG: 3} and once more.
        let mut encoded = Encoded::default();
        let kept = |encoded: &mut Encoded, name, value| {
            encoded.word(tag::KEPT_NAME, name);
            encoded.word(tag::INTEGER, value);
        };
        encoded.word(tag::OBJECT, 0);
        encoded.word(tag::KEPT_NAME, 0);
        encoded.word(tag::ARRAY, 0);
        encoded.word(tag::OBJECT, 0);
        kept(&mut encoded, 0, 1);
        kept(&mut encoded, 1, 2);
        encoded.word(tag::END, 0);
        encoded.word(tag::END, 0);
        kept(&mut encoded, 1, 3);
        let inner = format!("[1:{{2:a=1 integer {long}=2 integer}}]");
        for _ in 0..3 {
            let mut once = Encoded { words: encoded.words.clone(), text: String::new() };
            once.word(tag::END, 0);
            assert_eq!(once.read(&mut decoder), Some(format!("{{2:a={inner} {long}=3 integer}}")));
            let mut twice = Encoded { words: encoded.words.clone(), text: String::new() };
            kept(&mut twice, 0, 4);
            twice.text(tag::NAME, long);
            twice.word(tag::NULL, 0);
            twice.word(tag::END, 0);
            assert_eq!(twice.read(&mut decoder), Some(format!("{{2:a=4 integer {long}=null}}")));
            decoder.shrink_to(0);
        }
        // All numbers of objects were given out.
        decoder.first_object = u32::MAX - 3;
        encoded.word(tag::END, 0);
        assert_eq!(encoded.read(&mut decoder), Some(format!("{{2:a={inner} {long}=3 integer}}")));
        decoder.forget_names();
        assert_eq!(encoded.read(&mut decoder), None);
        let kept: Vec<_> = (0..5000).map(|number| decoder.keep_name(&number.to_string())).collect();
        assert_eq!(kept.iter().flatten().count(), KEPT_NAMES);
    }

    #[test]
    fn what_is_no_encoding_is_refused() {
        let end = tag::END;
        let refused: [(&[u32], &str); 18] = [
            (&[], ""),
            (&[0, 0], ""),
            (&[end], ""),
            (&[6], ""),
            (&[7], ""),
            (&[6, end, end], ""),
            (&[7, 0, end], ""),
            (&[7, 10, end], ""),
            (&[7, 10, 10, end], ""),
            (&[10], ""),
            (&[7, 9, 0, end], ""),
            (&[6, 10, end], ""),
            (&[4, 0], ""),
            (&[1 << 4 | 5], ""),
            (&[1 << 4 | 5], "ab"),
            (&[1 << 4 | 5], "é"),
            (&[2 << 4 | 11], "1a"),
            (&[12], ""),
        ];
        for (words, text) in refused {
            let encoded = Encoded { words: words.to_vec(), text: text.to_owned() };
            assert_eq!(encoded.read(&mut Decoder::new()), None, "{words:?} {text}");
        }
        let mut decoder = Decoder::new();
        assert!(decoder.decode(&[0, 0, 0], b"").is_none());
        assert!(decoder.decode(&[5 | 1 << 4, 0, 0, 0], &[0xff]).is_none());
        for (depth, is_read) in [(DEPTH, true), (DEPTH + 1, false)] {
            let mut encoded = Encoded { words: vec![tag::ARRAY; depth], text: String::new() };
            encoded.words.extend(vec![tag::END; depth]);
            assert_eq!(encoded.read(&mut decoder).is_some(), is_read);
        }
    }

    /// Whatever the words are, there is an instance or none, which can be walked.
    #[test]
    fn random_words() {
        let text = r#"{"a": [1, "x", {"b": 1.5, "a": null}], "é": {"c": [[], {}, 12345678901234567890]}}"#;
        let good = Encoded::of(text);
        let mut decoder = Decoder::new();
        decoder.keep_name("a");
        let mut seed = 7u64;
        let mut next = move |below: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        let mut read = 0;
        for _ in 0..20_000 {
            let mut encoded = Encoded { words: good.words.clone(), text: good.text.clone() };
            for _ in 0..=next(3) {
                let at = next(encoded.words.len());
                match next(4) {
                    0 => encoded.words[at] = next(1 << 9) as u32,
                    1 => drop(encoded.words.remove(at)),
                    2 => encoded.words.insert(at, next(1 << 6) as u32),
                    _ => encoded.words[at] ^= 1 << next(32),
                }
            }
            read += usize::from(encoded.read(&mut decoder).is_some());
        }
        assert!(read > 100, "{read}");
    }
}
