//! Our own tape: the values of a text in one array, each container before its content.
//!
//! ```text
//! {"a": [1, 2]}    Object{count 1, skip 5}  "a"  Array{count 2, skip 3}  1  2
//! ```
//!
//! `skip` is how many entries the value takes, itself included, so that a walk goes from child to child
//! by one addition whatever the child is. A text without escapes is a range of what was read, one with
//! escapes a range of a buffer beside it; numbers are decoded. An entry takes 16 bytes.
//!
//! [`scan`] marks what may end a string, [`fill`] writes the tape in one pass over the text, [`escape`] and [`number`] read what
//! their names say, and [`repeated`] sees to it that no object on the tape has two members of one name.

mod escape;
mod fill;
mod number;
mod repeated;
mod scan;

use super::{Array, Node, Number, Object, Shape, View};
pub(super) use fill::{Buffers, fill};
pub(super) use scan::end_of_line;

/// A value on the tape, or a name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// A number's bits; a text's place (low) and length (high); a container's count (low) and the
    /// place of its first child (high).
    data: u64,
    /// How many entries the value takes. While a container is open: the place of the one around it.
    skip: u32,
    kind: Kind,
    shape: Shape,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Null,
    False,
    True,
    Unsigned,
    Signed,
    Float,
    /// A number by its text, in [`Instance::numbers`].
    Exact,
    /// A text, in [`Instance::text`].
    Plain,
    /// A text that had escapes, in [`Instance::decoded`].
    Decoded,
    Array,
    Object,
}

impl Kind {
    #[inline(always)]
    const fn shape(self) -> Shape {
        match self {
            Kind::Null => Shape::Null,
            Kind::False | Kind::True => Shape::Bool,
            Kind::Unsigned | Kind::Signed | Kind::Float | Kind::Exact => Shape::Number,
            Kind::Plain | Kind::Decoded => Shape::String,
            Kind::Array => Shape::Array,
            Kind::Object => Shape::Object,
        }
    }
}

impl Entry {
    const NULL: Entry = Entry::new(Kind::Null, 0);

    #[inline(always)]
    const fn new(kind: Kind, data: u64) -> Entry {
        Entry { data, skip: 1, kind, shape: kind.shape() }
    }

    /// A text without escapes.
    #[inline(always)]
    const fn plain(start: u32, end: u32) -> Entry {
        Entry::new(Kind::Plain, start as u64 | ((end - start) as u64) << 32)
    }

    /// What follows a value, given what follows its entry. That most values are scalars is predicted, so that a walk does not wait for how long
    /// each of them is.
    #[inline(always)]
    fn beyond<'t>(&self, after: &'t [Entry]) -> &'t [Entry] {
        if matches!(self.kind, Kind::Array | Kind::Object) {
            return after.get(self.skip as usize - 1..).unwrap_or_default();
        }
        after
    }

    /// Two numbers of 32 bits in one word.
    #[inline(always)]
    const fn pair(low: usize, high: usize) -> u64 {
        low as u64 | (high as u64) << 32
    }

    #[inline(always)]
    fn low(&self) -> usize {
        self.data as u32 as usize
    }

    #[inline(always)]
    fn high(&self) -> usize {
        (self.data >> 32) as usize
    }
}

/// A JSON text that was read, to be looked at by any number of validators.
///
/// It is what [`Reader::parse`] returns, and [`root`](Instance::root) is the value of the text.
///
/// [`Reader::parse`]: crate::Reader::parse
#[derive(Clone, Copy)]
pub struct Instance<'r> {
    pub(super) text: &'r str,
    pub(super) decoded: &'r str,
    pub(super) entries: &'r [Entry],
    pub(super) numbers: &'r [serde_json::Number],
}

impl std::fmt::Debug for Instance<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Instance").field("entries", &self.entries.len()).finish_non_exhaustive()
    }
}

/// What a value is when there is none, which no instance has.
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
        if entry.kind == Kind::Decoded {
            return self.decoded(entry);
        }
        self.text.get(entry.low()..entry.low() + entry.high()).unwrap_or_default()
    }

    /// The bytes of an entry that is a text: no need to see that it starts and ends between characters.
    #[inline(always)]
    fn bytes(&self, entry: &Entry) -> &[u8] {
        if entry.kind == Kind::Decoded {
            return self.decoded(entry).as_bytes();
        }
        self.text.as_bytes().get(entry.low()..entry.low() + entry.high()).unwrap_or_default()
    }

    /// Apart, so that no other text waits for what this one is.
    #[cold]
    #[inline(never)]
    fn decoded(&self, entry: &Entry) -> &str {
        self.decoded.get(entry.low()..entry.low() + entry.high()).unwrap_or_default()
    }

    /// The entries below a container.
    #[inline(always)]
    fn below(&self, container: &Entry) -> &[Entry] {
        let first = container.high();
        self.entries.get(first..first + container.skip as usize - 1).unwrap_or_default()
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
            Kind::Unsigned => View::Number(Number::Unsigned(entry.data)),
            Kind::Signed => View::Number(Number::Signed(entry.data as i64)),
            Kind::Float => View::Number(Number::Float(f64::from_bits(entry.data))),
            Kind::Exact => match instance.numbers.get(entry.low()) {
                Some(number) => View::Number(Number::from(number)),
                None => View::Null,
            },
            Kind::Plain | Kind::Decoded => View::String(instance.string(entry)),
            Kind::Array => View::Array(InstanceArray { instance, entry }),
            Kind::Object => View::Object(InstanceObject { instance, entry }),
        }
    }

    #[inline(always)]
    fn shape(self) -> Shape {
        self.entry.shape
    }
}

impl<'a> Array<'a, InstanceNode<'a>> for InstanceArray<'a> {
    #[inline]
    fn len(self) -> usize {
        self.entry.low()
    }

    #[inline]
    fn iter(self) -> impl Iterator<Item = InstanceNode<'a>> {
        let instance = self.instance;
        let mut rest = instance.below(self.entry);
        std::iter::from_fn(move || {
            let (entry, after) = rest.split_first()?;
            rest = entry.beyond(after);
            Some(InstanceNode { instance, entry })
        })
    }

    fn address(self) -> usize {
        std::ptr::from_ref(self.entry).addr()
    }
}

impl<'a> Object<'a, InstanceNode<'a>> for InstanceObject<'a> {
    #[inline]
    fn len(self) -> usize {
        self.entry.low()
    }

    #[inline]
    fn iter(self) -> impl Iterator<Item = (&'a str, InstanceNode<'a>)> {
        let instance = self.instance;
        let mut rest = instance.below(self.entry);
        std::iter::from_fn(move || {
            let [name, entry, after @ ..] = rest else { return None };
            rest = entry.beyond(after);
            Some((instance.string(name), InstanceNode { instance, entry }))
        })
    }

    #[inline]
    fn iter_bytes(self) -> impl Iterator<Item = (&'a [u8], InstanceNode<'a>)> {
        let instance = self.instance;
        let mut rest = instance.below(self.entry);
        std::iter::from_fn(move || {
            let [name, entry, after @ ..] = rest else { return None };
            rest = entry.beyond(after);
            Some((instance.bytes(name), InstanceNode { instance, entry }))
        })
    }

    #[inline]
    fn values(self) -> impl Iterator<Item = InstanceNode<'a>> {
        let instance = self.instance;
        let mut rest = instance.below(self.entry);
        std::iter::from_fn(move || {
            let [_, entry, after @ ..] = rest else { return None };
            rest = entry.beyond(after);
            Some(InstanceNode { instance, entry })
        })
    }

    fn get(self, name: &str) -> Option<InstanceNode<'a>> {
        self.iter().find(|&(found, _)| found == name).map(|(_, node)| node)
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
    fn entries_are_small() {
        assert_eq!(size_of::<Entry>(), 16);
        assert_eq!(size_of::<InstanceNode<'_>>(), 16);
    }
}
