//! A tape that a host fills from objects of its own, with no JSON text in between.

use super::buffers::Beside;
use super::fill::DEPTH;
use super::{Entry, Instance, Kind, number, repeated};
use crate::instance::number::is_minus_zero;
use crate::instance::{Number, Written, last_word};
use std::cell::Cell;
use std::fmt;

/// The default for how many values and names a builder takes.
const VALUES: u32 = 1 << 24;

/// The default for how many bytes of text a builder takes.
const TEXT_BYTES: u32 = 1 << 28;

/// Fills an [`Instance`] value by value, from whatever a host has in memory, with buffers that are kept from one instance to the next.
///
/// This is how bindings read the objects of their language: they walk the object once, and verdicts and errors run on the
/// copy. So no code of the host runs inside a run, and an object that changes meanwhile does no harm.
///
/// ```
/// use stanchion::{InstanceBuilder, Validator};
///
/// let validator = Validator::new(&serde_json::json!({"properties": {"days": {"minimum": 1}}}))?;
/// let mut builder = InstanceBuilder::new();
/// builder.begin_object()?;
/// builder.name("city")?;
/// builder.string("Turin")?;
/// builder.name("days")?;
/// builder.unsigned(0)?;
/// builder.end()?;
/// let instance = builder.finish()?;
/// let error = validator.validate(instance.root()).unwrap_err();
/// assert_eq!(error.to_string(), "/days: 0 is less than the minimum 1");
///
/// // For the next instance.
/// builder.clear();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Calls come in the order of JSON text: in an object, a [`name`](InstanceBuilder::name) before each value. A call out of order, or past a
/// limit, is an error, and so is every call after that until [`clear`](InstanceBuilder::clear). Of the members with one name the last counts, as in
/// JSON text.
///
/// Texts are copied, one behind the other; a value or name takes 16 bytes beside its text. An instance has no more than [`values`](InstanceBuilder::values)
/// and [`text_bytes`](InstanceBuilder::text_bytes) allow, since a few small objects that contain each other many times make an instance of any size.
pub struct InstanceBuilder {
    entries: Vec<Entry>,
    text: String,
    /// A word for each name of each open object, those of the innermost one last.
    words: Vec<u64>,
    beside: Beside,
    /// The containers around the innermost open one.
    around: Vec<Open>,
    open: Open,
    next: Next,
    values: u32,
    text_bytes: u32,
}

/// A container that is being filled, or what is around the root.
#[derive(Clone, Copy, Default)]
struct Open {
    /// Its place on the tape.
    header: u32,
    /// How many children it has so far.
    count: u32,
    /// Where its words start.
    words: u32,
    /// The part that comes next in the container around it.
    after: Next,
}

/// The parts that may come next.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Next {
    /// The root.
    #[default]
    Root,
    /// An item, or the end of the array.
    Item,
    /// A name, or the end of the object.
    Name,
    /// The value of a member.
    Member,
    /// Nothing: the instance is complete.
    Complete,
    /// Nothing: a call was refused.
    Refused,
}

impl Next {
    fn is_value(self) -> bool {
        matches!(self, Next::Root | Next::Item | Next::Member)
    }

    /// Returns the part that comes behind a value.
    #[inline(always)]
    fn behind(self) -> Next {
        match self {
            Next::Item => Next::Item,
            Next::Member => Next::Name,
            Next::Root | Next::Name | Next::Complete | Next::Refused => Next::Complete,
        }
    }
}

/// Why an [`InstanceBuilder`] refused a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// Arrays and objects are nested deeper than this.
    Depth {
        /// How many levels there may be, which is as many as JSON text may have.
        limit: usize,
    },
    /// There are more values and names than [`InstanceBuilder::values`] allows.
    Values {
        /// How many there may be.
        limit: u32,
    },
    /// There is more text than [`InstanceBuilder::text_bytes`] allows.
    Text {
        /// How many bytes there may be.
        limit: u32,
    },
    /// A number is infinite, is none, or has a text that is no JSON number.
    NotANumber,
    /// A call came out of order: what it hands over cannot come there, or the instance is not complete.
    Order,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::Depth { limit } => {
                write!(f, "arrays and objects are nested more than {limit} levels deep")
            }
            BuildError::Values { limit } => write!(f, "there are more than {limit} values and names"),
            BuildError::Text { limit } => write!(f, "there are more than {limit} bytes of text"),
            BuildError::NotANumber => f.write_str("the number is not one that JSON has"),
            BuildError::Order => f.write_str("a value, a name or an end came where there can be none"),
        }
    }
}

impl std::error::Error for BuildError {}

impl Default for InstanceBuilder {
    fn default() -> InstanceBuilder {
        InstanceBuilder {
            entries: Vec::new(),
            text: String::new(),
            words: Vec::new(),
            beside: Beside::default(),
            around: Vec::new(),
            open: Open::default(),
            next: Next::Root,
            values: VALUES,
            text_bytes: TEXT_BYTES,
        }
    }
}

impl fmt::Debug for InstanceBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InstanceBuilder").field("entries", &self.entries.len()).finish_non_exhaustive()
    }
}

impl InstanceBuilder {
    /// A builder without buffers yet: they grow with the first instance.
    pub fn new() -> InstanceBuilder {
        InstanceBuilder::default()
    }

    /// How many values and names an instance may have: 16,777,216 if this is not set, which take 256 MiB.
    #[must_use]
    pub fn values(mut self, values: u32) -> InstanceBuilder {
        self.values = values;
        self
    }

    /// How many bytes all texts of an instance may have together, names and large numbers included: 256 MiB if this is not set.
    #[must_use]
    pub fn text_bytes(mut self, bytes: u32) -> InstanceBuilder {
        self.text_bytes = bytes;
        self
    }

    /// Makes the builder ready for another instance. Buffers are kept.
    #[inline]
    pub fn clear(&mut self) {
        self.entries.clear();
        self.text.clear();
        self.words.clear();
        self.beside.clear();
        self.around.clear();
        self.open = Open::default();
        self.next = Next::Root;
    }

    /// How many values and names there are so far.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is nothing yet.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// How many bytes the buffers take.
    pub fn capacity(&self) -> usize {
        self.entries.capacity() * size_of::<Entry>() + self.text.capacity() + self.words.capacity() * 8
    }

    /// Clears the builder, and gives its buffers back if they take more than so many bytes: for hosts that keep a builder for long.
    #[inline]
    pub fn clear_to(&mut self, bytes: usize) {
        self.clear();
        if self.capacity() > bytes {
            *self = InstanceBuilder::new().values(self.values).text_bytes(self.text_bytes);
        }
    }

    /// Adds `null`.
    #[inline]
    pub fn null(&mut self) -> Result<(), BuildError> {
        self.value(Entry::NULL)
    }

    /// Adds `true` or `false`.
    #[inline]
    pub fn bool(&mut self, value: bool) -> Result<(), BuildError> {
        self.value(Entry::new(if value { Kind::True } else { Kind::False }, 0, 0))
    }

    /// Adds an integer that is not negative.
    #[inline]
    pub fn unsigned(&mut self, value: u64) -> Result<(), BuildError> {
        self.value(Entry::number(Kind::Unsigned, value))
    }

    /// Adds an integer of either sign.
    #[inline]
    pub fn signed(&mut self, value: i64) -> Result<(), BuildError> {
        let kind = if value < 0 { Kind::Signed } else { Kind::Unsigned };
        self.value(Entry::number(kind, value as u64))
    }

    /// Adds a float, which has to be finite. It is the number that its shortest text shows, as `0.1` is a tenth; draft-04 takes no float
    /// for an integer.
    #[inline]
    pub fn float(&mut self, value: f64) -> Result<(), BuildError> {
        // The others might have been integers, to draft-04.
        if Number::Float(value).is_written_as_integer() || !value.is_finite() {
            return self.odd_float(value);
        }
        self.value(Entry::number(Kind::Float, value.to_bits()))
    }

    #[cold]
    #[inline(never)]
    fn odd_float(&mut self, value: f64) -> Result<(), BuildError> {
        if !value.is_finite() {
            return Err(self.refuse(BuildError::NotANumber));
        }
        let text = if is_minus_zero(value) { "-0.0".to_owned() } else { format!("{value:e}") };
        self.number(&text)
    }

    /// Adds any number by its JSON text, with all of its digits. For integers beyond 64 bits, and for decimals.
    #[cold]
    #[inline(never)]
    pub fn number(&mut self, text: &str) -> Result<(), BuildError> {
        let Some(written) = Written::new(text) else {
            return Err(self.refuse(BuildError::NotANumber));
        };
        let (start, end) = self.push_text(text)?;
        let exact = Entry { short: written.notation() as u16, ..Entry::new(Kind::Exact, start, end - start) };
        let entry = Cell::new(exact);
        // A number beyond all floats is none to a reader of text. It has all its digits here.
        if number::read(&self.text, start as usize, &entry).is_none() {
            entry.set(exact);
        }
        if entry.get().kind != Kind::Exact {
            self.text.truncate(start as usize);
        }
        self.value(entry.get())
    }

    /// Adds a string.
    #[inline]
    pub fn string(&mut self, text: &str) -> Result<(), BuildError> {
        let (start, end) = self.push_text(text)?;
        self.value(Entry::plain(start, end))
    }

    /// Adds the name of a member. Its value comes next.
    #[inline]
    pub fn name(&mut self, name: &str) -> Result<(), BuildError> {
        if self.next != Next::Name {
            return Err(self.refuse(BuildError::Order));
        }
        let (start, end) = self.push_text(name)?;
        let last = last_word(name.as_bytes());
        let (entry, word) = match u16::try_from(name.len()) {
            Ok(len) if u32::from(len) <= repeated::SHORT => {
                (Entry::name(last, start, len), repeated::short_word(last, u32::from(len)))
            }
            Ok(len) => (Entry::name(last, start, len), repeated::long_word(name.as_bytes())),
            Err(_) => (Entry::plain(start, end), repeated::long_word(name.as_bytes())),
        };
        self.push(entry)?;
        self.words.push(word);
        self.next = Next::Member;
        Ok(())
    }

    /// Opens an array. Its items come next, and then its [`end`](InstanceBuilder::end).
    #[inline]
    pub fn begin_array(&mut self) -> Result<(), BuildError> {
        self.begin(Kind::Array, Next::Item)
    }

    /// Opens an object. Its members come next, each by its [`name`](InstanceBuilder::name), and then its [`end`](InstanceBuilder::end).
    #[inline]
    pub fn begin_object(&mut self) -> Result<(), BuildError> {
        self.begin(Kind::Object, Next::Name)
    }

    #[inline(always)]
    fn begin(&mut self, kind: Kind, first: Next) -> Result<(), BuildError> {
        if self.around.len() == DEPTH {
            return Err(self.refuse(BuildError::Depth { limit: DEPTH }));
        }
        let header = self.entries.len() as u32;
        self.value(Entry::new(kind, 0, 0))?;
        self.around.push(self.open);
        self.open = Open { header, count: 0, words: self.words.len() as u32, after: self.next };
        self.next = first;
        Ok(())
    }

    /// Closes the innermost array or object that is open.
    #[inline]
    pub fn end(&mut self) -> Result<(), BuildError> {
        if !matches!(self.next, Next::Item | Next::Name) {
            return Err(self.refuse(BuildError::Order));
        }
        let Open { header, mut count, words, after } = self.open;
        if self.next == Next::Name {
            let words = words as usize;
            if count > 1 && self.words.get_mut(words..).is_some_and(repeated::may_be) {
                count = self.drop_repeated(words, header as usize);
            }
            self.words.truncate(words);
        }
        let below = self.entries.len() as u32 - header - 1;
        if let Some(entry) = self.entries.get_mut(header as usize) {
            *entry = Entry { low: count, high: header + 1, below, ..*entry };
        }
        self.open = self.around.pop().unwrap_or_default();
        self.next = after;
        Ok(())
    }

    /// Notes the members of the innermost object whose name comes again. Returns how many members are left.
    #[cold]
    #[inline(never)]
    fn drop_repeated(&mut self, words: usize, header: usize) -> u32 {
        let object = header..self.entries.len();
        let words = self.words.get_mut(words..).unwrap_or_default();
        let tape = Cell::from_mut(self.entries.as_mut_slice()).as_slice_of_cells();
        repeated::drop(words, tape, object, &self.text, &mut self.beside)
    }

    /// The instance, which is complete. It may be asked for again, until the builder is [cleared](InstanceBuilder::clear).
    #[inline]
    pub fn finish(&mut self) -> Result<Instance<'_>, BuildError> {
        if self.next != Next::Complete {
            return Err(self.refuse(BuildError::Order));
        }
        if !self.beside.dropped.is_empty() {
            self.compact();
        }
        Ok(Instance { text: &self.text, escaped: &[], entries: &self.entries })
    }

    #[cold]
    #[inline(never)]
    fn compact(&mut self) {
        let length = self.entries.len();
        let length = repeated::compact(&mut self.entries, length, &mut self.beside.dropped);
        self.entries.truncate(length);
        self.beside.clear();
    }

    /// Adds a value where one may come.
    #[inline(always)]
    fn value(&mut self, entry: Entry) -> Result<(), BuildError> {
        if !self.next.is_value() {
            return Err(self.refuse(BuildError::Order));
        }
        self.push(entry)?;
        self.open.count += 1;
        self.next = self.next.behind();
        Ok(())
    }

    #[inline(always)]
    fn push(&mut self, entry: Entry) -> Result<(), BuildError> {
        if self.entries.len() >= self.values as usize {
            return Err(self.refuse(BuildError::Values { limit: self.values }));
        }
        self.entries.push(entry);
        Ok(())
    }

    /// Copies a text. Returns where it starts and ends.
    #[inline(always)]
    fn push_text(&mut self, text: &str) -> Result<(u32, u32), BuildError> {
        let start = self.text.len();
        let end = start.saturating_add(text.len());
        if end > self.text_bytes as usize {
            return Err(self.refuse(BuildError::Text { limit: self.text_bytes }));
        }
        self.text.push_str(text);
        Ok((start as u32, end as u32))
    }

    /// From here on every call is refused.
    #[cold]
    #[inline(never)]
    fn refuse(&mut self, error: BuildError) -> BuildError {
        self.next = Next::Refused;
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::conformance::{self, render};
    use crate::{Array as _, Node, Object as _, Reader, View};

    /// Copies a value onto the builder.
    fn copy<'a>(builder: &mut InstanceBuilder, node: impl Node<'a>) -> Result<(), BuildError> {
        match node.view() {
            View::Null => builder.null(),
            View::Bool(value) => builder.bool(value),
            View::Number(Number::Unsigned(value)) => builder.unsigned(value),
            View::Number(Number::Signed(value)) => builder.signed(value),
            View::Number(Number::Float(value)) => builder.float(value),
            View::Number(Number::Exact(number)) => builder.number(&number.to_string()),
            View::String(text) => builder.string(text),
            View::Array(items) => {
                builder.begin_array()?;
                items.iter().try_for_each(|item| copy(builder, item))?;
                builder.end()
            }
            View::Object(members) => {
                builder.begin_object()?;
                for (name, value) in members.iter() {
                    builder.name(name)?;
                    copy(builder, value)?;
                }
                builder.end()
            }
        }
    }

    #[test]
    fn conforms() {
        let builder = std::cell::RefCell::new(InstanceBuilder::new());
        conformance::check(|text| {
            let mut builder = builder.borrow_mut();
            builder.clear();
            copy(&mut builder, Reader::new().parse_str(text).unwrap().root()).unwrap();
            render(builder.finish().unwrap().root())
        });
    }

    /// Returns an array of the values as text.
    #[track_caller]
    fn built(fill: impl FnOnce(&mut InstanceBuilder) -> Result<(), BuildError>) -> String {
        let mut builder = InstanceBuilder::new();
        builder.begin_array().unwrap();
        fill(&mut builder).unwrap();
        builder.end().unwrap();
        let instance = builder.finish().unwrap();
        let kept = instance.keep();
        let text = render(kept.instance().root());
        assert_eq!(text, render(builder.finish().unwrap().root()));
        text
    }

    #[test]
    fn the_last_of_a_name_counts() {
        let long = "a name of more than sixteen bytes";
        let text = built(|builder| {
            builder.begin_object()?;
            for (name, value) in [("a", 1), (long, 2), ("", 3), ("a", 4), (long, 5), ("b", 6), ("", 7)] {
                builder.name(name)?;
                builder.begin_array()?;
                builder.unsigned(value)?;
                builder.end()?;
            }
            builder.end()?;
            builder.string("behind")
        });
        let want = "[2:{4:a=[1:4 integer] a name of more than sixteen bytes=[1:5 integer] b=[1:6 integer] =[1:7 integer]} <behind>]";
        assert_eq!(text, want);
    }

    #[test]
    fn names_longer_than_an_entry_holds() {
        let long = "n".repeat(70_000);
        let text = built(|builder| {
            builder.begin_object()?;
            for name in [&*long, "x", &*long] {
                builder.name(name)?;
                builder.string(name)?;
            }
            builder.end()
        });
        assert_eq!(text, format!("[1:{{2:x=<x> {long}=<{long}>}}]"));
    }

    #[test]
    fn numbers_keep_all_digits() {
        let numbers =
            ["1.50", "-7", "18446744073709551616", "1e400", "0.10000000000000000000000001", "-1E+2", "12e-1"];
        let mut builder = InstanceBuilder::new();
        builder.begin_array().unwrap();
        for number in numbers {
            builder.number(number).unwrap();
        }
        for float in [0.1, 1e20, -0.0, 2.5e-7, 0.1 + 0.2, f64::MAX] {
            builder.float(float).unwrap();
        }
        builder.end().unwrap();
        let instance = builder.finish().unwrap();
        let View::Array(items) = instance.root().view() else { unreachable!() };
        let shown = items.iter().map(|item| {
            let View::Number(number) = item.view() else { unreachable!() };
            format!("{number} {}", number.is_written_as_integer())
        });
        assert_eq!(
            shown.collect::<Vec<_>>(),
            [
                "1.5 false",
                "-7 true",
                "18446744073709551616 true",
                "1e400 false",
                "0.10000000000000000000000001 false",
                "-100.0 false",
                "1.2 false",
                "0.1 false",
                "1e20 false",
                "-0.0 false",
                "2.5e-7 false",
                "0.30000000000000004 false",
                "1.7976931348623157e308 false",
            ]
        );
    }

    #[test]
    fn what_cannot_come_is_refused() {
        #[track_caller]
        fn check(want: BuildError, calls: impl FnOnce(&mut InstanceBuilder) -> Result<(), BuildError>) {
            let mut builder = InstanceBuilder::new().values(6).text_bytes(10);
            let error = calls(&mut builder).and_then(|()| builder.finish().map(drop)).unwrap_err();
            assert_eq!(error, want);
            assert_eq!(builder.null(), Err(BuildError::Order));
            assert!(builder.finish().is_err());
            builder.clear();
            builder.null().unwrap();
            assert!(builder.finish().is_ok());
        }
        let order = BuildError::Order;
        check(order, |_| Ok(()));
        check(order, |b| b.end());
        check(order, |b| b.name("a"));
        check(order, |b| b.null().and_then(|()| b.null()));
        check(order, |b| b.begin_array());
        check(order, |b| b.begin_array().and_then(|()| b.name("a")));
        check(order, |b| b.begin_object().and_then(|()| b.bool(true)));
        check(order, |b| b.begin_object().and_then(|()| b.name("a")).and_then(|()| b.end()));
        check(order, |b| b.begin_object().and_then(|()| b.name("a")).and_then(|()| b.name("b")));
        check(BuildError::NotANumber, |b| b.float(f64::NAN));
        check(BuildError::NotANumber, |b| b.float(f64::NEG_INFINITY));
        check(BuildError::NotANumber, |b| b.number("0x1"));
        check(BuildError::Text { limit: 10 }, |b| b.string("eleven byte"));
        check(BuildError::Values { limit: 6 }, |b| {
            b.begin_array()?;
            (0..6).try_for_each(|_| b.null())
        });
    }

    #[test]
    fn depth_is_that_of_text() {
        let mut builder = InstanceBuilder::new();
        for _ in 0..DEPTH {
            builder.begin_array().unwrap();
        }
        assert_eq!(builder.begin_array(), Err(BuildError::Depth { limit: 127 }));
    }

    #[test]
    fn large_buffers_are_given_back() {
        let mut builder = InstanceBuilder::new();
        builder.string(&"x".repeat(10_000)).unwrap();
        builder.clear_to(20_000);
        assert!(builder.capacity() >= 10_000);
        builder.clear_to(5_000);
        assert_eq!(builder.capacity(), 0);
    }
}
