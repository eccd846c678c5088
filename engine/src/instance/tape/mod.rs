//! Our own tape: the values of a text in one array, each container before its content.
//!
//! ```text
//! {"a": [1, 2]}    Object{count 1, below 4}  "a"  Array{count 2, below 2}  1  2
//! ```
//!
//! `below` is how many entries are inside the value, so that a walk goes from child to child
//! by one addition whatever the child is. A text without escapes is a range of what was read, one with
//! escapes is in a list beside it. Integers are decoded; a number that is none of 64 bits is its digits and an exponent if it has few of them, and
//! else a range of what was read. An entry takes 16 bytes.
//!
//! [`scan`] marks what may end a string, [`fill`] writes the tape in one pass over the text with a [`cursor`], [`escape`] and [`number`] read what
//! their names say, and [`repeated`] sees to it that no object on the tape has two members of one name. [`build`] and [`sink`] are for hosts that
//! fill a tape from objects of their own, [`decode`] for those that do it from the other side of a wasm module.

mod buffers;
mod build;
mod cursor;
mod decode;
mod escape;
mod fill;
mod kept;
mod number;
mod repeated;
mod scan;
mod sink;

use super::{Array, MemberName, Node, Number, Object, Shape, View, Written, are_equal_names};
use buffers::Beside;
pub(super) use buffers::Buffers;
pub use build::{BuildError, InstanceBuilder};
pub use decode::Decoder;
use escape::Escaped;
pub(super) use fill::fill;
pub use kept::KeptInstance;
pub(super) use scan::end_of_line;
pub use sink::InstanceSink;
use std::ops::Range;

/// A value on the tape, or a name.
///
/// In this order, what says that it is a scalar, and of which kind, is one word that is stored at once.
///
/// Of a name without escapes, `low` and `high` are the word of its end ([`MemberName::end`]), `short` is its length and
/// `below` its place; unless it is longer than that holds, then it is a text like others.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(super) struct Entry {
    /// A number's low bits, its place or a text's (in the list, of one with escapes), or a container's count.
    low: u32,
    /// A number's high bits, its length or a text's, or the place of a container's first child.
    high: u32,
    kind: Kind,
    shape: Shape,
    /// A name's length, or how a number is written.
    short: u16,
    /// How many entries a value has inside, or a name's place.
    below: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Null,
    False,
    True,
    Unsigned,
    Signed,
    /// A number of few digits: see [`number::few_digits`].
    Decimal,
    /// A finite float, from a host that has no text of it.
    Float,
    /// A number by its text, in [`Instance::text`].
    Exact,
    /// A text, in [`Instance::text`].
    Plain,
    /// A text that has escapes, in [`Instance::escaped`].
    Escaped,
    /// A name, in [`Instance::text`], with a word of it.
    Name,
    Array,
    Object,
}

impl Kind {
    #[inline(always)]
    const fn shape(self) -> Shape {
        match self {
            Kind::Null => Shape::Null,
            Kind::False | Kind::True => Shape::Bool,
            Kind::Unsigned | Kind::Signed | Kind::Decimal | Kind::Float | Kind::Exact => Shape::Number,
            Kind::Plain | Kind::Escaped | Kind::Name => Shape::String,
            Kind::Array => Shape::Array,
            Kind::Object => Shape::Object,
        }
    }
}

impl Entry {
    const NULL: Entry = Entry::new(Kind::Null, 0, 0);

    #[inline(always)]
    const fn new(kind: Kind, low: u32, high: u32) -> Entry {
        Entry { low, high, kind, shape: kind.shape(), short: 0, below: 0 }
    }

    /// A number, or the end of a name.
    #[inline(always)]
    const fn number(kind: Kind, bits: u64) -> Entry {
        Entry::new(kind, bits as u32, (bits >> 32) as u32)
    }

    /// A text without escapes.
    #[inline(always)]
    const fn plain(start: u32, end: u32) -> Entry {
        Entry::new(Kind::Plain, start, end - start)
    }

    /// A name without escapes.
    #[inline(always)]
    const fn name(end: u64, start: u32, len: u16) -> Entry {
        Entry { short: len, below: start, ..Entry::number(Kind::Name, end) }
    }

    /// Returns the entries behind a value, given those behind its own entry. Branch prediction assumes a scalar, so that a walk does not wait for how long
    /// each of them is. There is always something: that it may be nothing ends a walk at once, where an empty rest would be chosen and
    /// looked at.
    #[inline(always)]
    fn beyond<'t>(&self, after: &'t [Entry]) -> Option<&'t [Entry]> {
        if self.kind as u8 >= Kind::Array as u8 {
            return after.get(self.below as usize..);
        }
        Some(after)
    }

    /// Where a text is.
    #[inline(always)]
    fn range(&self) -> Range<usize> {
        if self.kind == Kind::Name {
            return self.below as usize..self.below as usize + self.short as usize;
        }
        self.plain_range()
    }

    /// Where a text is that is no name.
    #[inline(always)]
    fn plain_range(&self) -> Range<usize> {
        self.low as usize..self.low as usize + self.high as usize
    }

    /// How many entries a value has inside.
    #[inline(always)]
    fn below(&self) -> usize {
        if self.kind as u8 >= Kind::Array as u8 { self.below as usize } else { 0 }
    }

    /// How many children a container has.
    #[inline(always)]
    fn count(&self) -> usize {
        self.low as usize
    }

    /// The bits of a number.
    #[inline(always)]
    fn bits(&self) -> u64 {
        u64::from(self.low) | u64::from(self.high) << 32
    }
}

/// A JSON text that was read, to be looked at by any number of validators.
///
/// It is what [`Reader::parse`] returns, and [`root`](Instance::root) is the value of the text. An [`InstanceBuilder`] makes one without
/// text.
///
/// [`Reader::parse`]: crate::Reader::parse
#[derive(Clone, Copy)]
pub struct Instance<'r> {
    /// The text that was read.
    text: &'r str,
    escaped: &'r [Escaped],
    entries: &'r [Entry],
}

impl std::fmt::Debug for Instance<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Instance").field("entries", &self.entries.len()).finish_non_exhaustive()
    }
}

/// The entry of a value that is missing, which no instance has.
static NOTHING: Entry = Entry::NULL;

impl Instance<'_> {
    /// The value of the text.
    #[inline]
    pub fn root(&self) -> InstanceNode<'_> {
        InstanceNode { instance: self, entry: self.entries.first().unwrap_or(&NOTHING) }
    }

    /// The text of an entry that is one.
    #[inline(always)]
    fn string(&self, entry: &Entry) -> &str {
        if entry.kind == Kind::Escaped {
            return self.escaped(entry);
        }
        self.text.get(entry.range()).unwrap_or_default()
    }

    /// The bytes of an entry that is a text: no need to see that it starts and ends between characters.
    #[inline(always)]
    fn bytes(&self, entry: &Entry) -> &[u8] {
        if entry.kind == Kind::Escaped {
            return self.escaped(entry).as_bytes();
        }
        self.text.as_bytes().get(entry.range()).unwrap_or_default()
    }

    /// Apart, so that no other text waits for what this one is.
    #[cold]
    #[inline(never)]
    fn escaped(&self, entry: &Entry) -> &str {
        self.escaped.get(entry.low as usize).map_or("", |escaped| escaped.text(self.text))
    }

    /// The text of an entry that is a number by its text.
    #[cold]
    #[inline(never)]
    fn written(&self, entry: &Entry) -> Written<'_> {
        let text = self.text.get(entry.plain_range()).unwrap_or_default();
        Written::noted(text, number::notation(entry.short))
    }

    /// The entries below a container.
    #[inline(always)]
    fn below(&self, container: &Entry) -> &[Entry] {
        let first = container.high as usize;
        self.entries.get(first..first + container.below as usize).unwrap_or_default()
    }
}

/// A value of an [`Instance`].
#[derive(Clone, Copy, Debug)]
pub struct InstanceNode<'a> {
    instance: &'a Instance<'a>,
    entry: &'a Entry,
}

/// An array of an [`Instance`].
#[derive(Clone, Copy, Debug)]
pub struct InstanceArray<'a> {
    instance: &'a Instance<'a>,
    entry: &'a Entry,
}

/// An object of an [`Instance`].
#[derive(Clone, Copy, Debug)]
pub struct InstanceObject<'a> {
    instance: &'a Instance<'a>,
    entry: &'a Entry,
}

impl<'a> Node<'a> for InstanceNode<'a> {
    type Array = InstanceArray<'a>;
    type Object = InstanceObject<'a>;

    #[inline(always)]
    fn view(self) -> View<'a, Self> {
        let InstanceNode { instance, entry } = self;
        match entry.kind {
            Kind::Null => View::Null,
            Kind::False => View::Bool(false),
            Kind::True => View::Bool(true),
            Kind::Unsigned => View::Number(Number::Unsigned(entry.bits())),
            Kind::Signed => View::Number(Number::Signed(entry.bits() as i64)),
            Kind::Decimal => View::Number(Number::Float(number::of_few_digits(entry.bits()))),
            Kind::Float => View::Number(Number::Float(f64::from_bits(entry.bits()))),
            Kind::Exact => View::Number(Number::Exact(instance.written(entry))),
            Kind::Plain => View::String(instance.text.get(entry.plain_range()).unwrap_or_default()),
            Kind::Escaped | Kind::Name => View::String(instance.string(entry)),
            Kind::Array => View::Array(InstanceArray { instance, entry }),
            Kind::Object => View::Object(InstanceObject { instance, entry }),
        }
    }

    #[inline(always)]
    fn as_array(self) -> Option<InstanceArray<'a>> {
        let InstanceNode { instance, entry } = self;
        (entry.kind == Kind::Array).then_some(InstanceArray { instance, entry })
    }

    #[inline(always)]
    fn as_object(self) -> Option<InstanceObject<'a>> {
        let InstanceNode { instance, entry } = self;
        (entry.kind == Kind::Object).then_some(InstanceObject { instance, entry })
    }

    #[inline(always)]
    fn text_bytes(self) -> Option<&'a [u8]> {
        let InstanceNode { instance, entry } = self;
        if entry.kind == Kind::Plain {
            return Some(instance.text.as_bytes().get(entry.plain_range()).unwrap_or_default());
        }
        (entry.shape == Shape::String).then(|| instance.bytes(entry))
    }

    #[inline(always)]
    fn shape(self) -> Shape {
        self.entry.shape
    }
}

impl<'a> InstanceObject<'a> {
    /// Names and values.
    #[inline(always)]
    fn members(self) -> impl Iterator<Item = (InstanceNode<'a>, InstanceNode<'a>)> {
        let instance = self.instance;
        let pairs = Pairs { rest: instance.below(self.entry) };
        pairs.map(move |[name, value]| {
            (InstanceNode { instance, entry: name }, InstanceNode { instance, entry: value })
        })
    }
}

/// The entries of items. An iterator that returns no more than one pointer, which the compiler keeps in a register.
struct Items<'a> {
    rest: &'a [Entry],
}

impl<'a> Iterator for Items<'a> {
    type Item = &'a Entry;

    #[inline(always)]
    fn next(&mut self) -> Option<&'a Entry> {
        let (entry, after) = self.rest.split_first()?;
        self.rest = entry.beyond(after)?;
        Some(entry)
    }
}

/// The entries of names and values, in the same way.
struct Pairs<'a> {
    rest: &'a [Entry],
}

impl<'a> Iterator for Pairs<'a> {
    type Item = &'a [Entry; 2];

    #[inline(always)]
    fn next(&mut self) -> Option<&'a [Entry; 2]> {
        let (pair, after) = self.rest.split_first_chunk()?;
        self.rest = pair[1].beyond(after)?;
        Some(pair)
    }
}

/// The name of a member is an entry like others, and mostly has its end.
impl<'a> MemberName<'a> for InstanceNode<'a> {
    const END_IS_AT_HAND: bool = true;

    #[inline(always)]
    fn end(self) -> Option<(u64, u32)> {
        (self.entry.kind == Kind::Name).then(|| (self.entry.bits(), u32::from(self.entry.short)))
    }

    #[inline(always)]
    fn start(self) -> u64 {
        if self.entry.kind != Kind::Name {
            return self.bytes().start();
        }
        let start = self.entry.below as usize;
        match self.instance.text.as_bytes().get(start..start + 8).and_then(<[u8]>::first_chunk) {
            Some(first) => u64::from_le_bytes(*first),
            None => 0,
        }
    }

    #[inline(always)]
    fn bytes(self) -> &'a [u8] {
        self.instance.bytes(self.entry)
    }
}

impl<'a> Array<'a, InstanceNode<'a>> for InstanceArray<'a> {
    #[inline]
    fn len(self) -> usize {
        self.entry.count()
    }

    #[inline(always)]
    fn iter(self) -> impl Iterator<Item = InstanceNode<'a>> {
        let instance = self.instance;
        let items = Items { rest: instance.below(self.entry) };
        items.map(move |entry| InstanceNode { instance, entry })
    }

    fn address(self) -> usize {
        std::ptr::from_ref(self.entry).addr()
    }
}

impl<'a> Object<'a, InstanceNode<'a>> for InstanceObject<'a> {
    #[inline]
    fn len(self) -> usize {
        self.entry.count()
    }

    #[inline(always)]
    fn iter(self) -> impl Iterator<Item = (&'a str, InstanceNode<'a>)> {
        self.members().map(|(name, value)| (name.instance.string(name.entry), value))
    }

    #[inline(always)]
    fn iter_names(self) -> impl Iterator<Item = (impl MemberName<'a>, InstanceNode<'a>)> {
        self.members()
    }

    #[inline(always)]
    fn values(self) -> impl Iterator<Item = InstanceNode<'a>> {
        self.members().map(|(_, value)| value)
    }

    fn get(self, name: &str) -> Option<InstanceNode<'a>> {
        let name = name.as_bytes();
        self.members().find(|&(other, _)| are_equal_names(name, other)).map(|(_, value)| value)
    }

    fn address(self) -> usize {
        std::ptr::from_ref(self.entry).addr()
    }

    #[inline]
    fn get_cost(self) -> usize {
        self.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_that_nobody_looks_at_are_not_decoded() {
        let schema = serde_json::json!({
            "type": "object",
            "properties": {"type": {"type": "string"}, "list": {"items": {"type": ["string", "array"]}}},
            "propertyNames": {"maxLength": 4},
            "additionalProperties": {"const": "\u{e9}"}
        });
        let validator = crate::Validator::new(&schema).unwrap();
        let mut reader = crate::Reader::new();
        let text = r#"{"type": "a\tb", "list": ["\n", ["\ud83d\ude00"]], "e": "\u00e9"}"#;
        let instance = reader.parse_str(text).unwrap();
        assert!(validator.is_valid(instance.root()));
        let decoded: Vec<_> = instance.escaped.iter().map(Escaped::decoded).collect();
        assert_eq!(decoded, [None, None, None, Some("\u{e9}")]);
        let kept = instance.keep();
        assert_eq!(kept.instance().escaped[2].text(kept.instance().text), "\u{1f600}");
    }

    #[test]
    fn entries_are_small() {
        assert_eq!(size_of::<Entry>(), 16);
        assert_eq!(size_of::<InstanceNode<'_>>(), 16);
    }
}
