//! How much heap a compiled schema holds: what [`Cache::bytes`](crate::Cache::bytes) counts.
//!
//! Every type of a program counts its own heap. Most counts are exact; that of a serde_json map is an upper bound. Memory with
//! several owners is divided among them.

use serde_json::{Map, Number, Value};
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// A value that knows how much it has on the heap.
pub(crate) trait Heap {
    /// Returns the bytes on the heap, without the value itself.
    fn heap(&self) -> usize {
        0
    }
}

/// Returns what most allocators take for so many bytes: a word more, in units of 16.
pub(crate) fn allocation(bytes: usize) -> usize {
    if bytes == 0 { 0 } else { (bytes + 8).next_multiple_of(16).max(32) }
}

impl Heap for bool {}
impl Heap for u8 {}
impl Heap for u16 {}
impl Heap for u32 {}
impl Heap for u64 {}
impl Heap for usize {}
impl Heap for char {}

impl<A: Heap, B: Heap> Heap for (A, B) {
    fn heap(&self) -> usize {
        self.0.heap() + self.1.heap()
    }
}

impl<T: Heap> Heap for Option<T> {
    fn heap(&self) -> usize {
        self.as_ref().map_or(0, Heap::heap)
    }
}

impl<T: Heap> Heap for OnceLock<T> {
    fn heap(&self) -> usize {
        self.get().map_or(0, Heap::heap)
    }
}

impl<T: Heap> Heap for [T] {
    fn heap(&self) -> usize {
        self.iter().map(Heap::heap).sum()
    }
}

impl<T: Heap> Heap for Vec<T> {
    fn heap(&self) -> usize {
        allocation(self.capacity() * size_of::<T>()) + self.as_slice().heap()
    }
}

impl<T: Heap> Heap for Box<[T]> {
    fn heap(&self) -> usize {
        allocation(size_of_val(&**self)) + (**self).heap()
    }
}

impl<T: Heap> Heap for Box<T> {
    fn heap(&self) -> usize {
        allocation(size_of::<T>()) + (**self).heap()
    }
}

impl Heap for Box<str> {
    fn heap(&self) -> usize {
        allocation(self.len())
    }
}

impl Heap for String {
    fn heap(&self) -> usize {
        allocation(self.capacity())
    }
}

impl Heap for Cow<'static, str> {
    fn heap(&self) -> usize {
        match self {
            Cow::Borrowed(_) => 0,
            Cow::Owned(text) => text.heap(),
        }
    }
}

/// A text may have several owners, so each counts its share.
impl Heap for Arc<str> {
    fn heap(&self) -> usize {
        allocation(16 + self.len()).div_ceil(Arc::strong_count(self))
    }
}

impl Heap for Number {
    fn heap(&self) -> usize {
        // With `arbitrary_precision` it is a text.
        if size_of::<Number>() > 16 { allocation(self.to_string().len()) } else { 0 }
    }
}

impl Heap for Value {
    fn heap(&self) -> usize {
        let mut bytes = 0;
        let mut open = vec![self];
        while let Some(value) = open.pop() {
            bytes += match value {
                Value::Null | Value::Bool(_) => 0,
                Value::Number(number) => number.heap(),
                Value::String(text) => text.heap(),
                Value::Array(items) => {
                    open.extend(items);
                    allocation(items.capacity() * size_of::<Value>())
                }
                Value::Object(members) => {
                    open.extend(members.values());
                    of_map(members.len()) + members.keys().map(Heap::heap).sum::<usize>()
                }
            };
        }
        bytes
    }
}

/// Returns what a copy of a value takes, without the values in it.
pub(crate) fn of_value(value: &Value) -> usize {
    size_of::<Value>()
        + match value {
            Value::Null | Value::Bool(_) | Value::Array(_) => 0,
            Value::Number(number) => number.heap(),
            Value::String(text) => text.len(),
            // The map has room for the values, which are counted by themselves.
            Value::Object(members) => {
                let names: usize = members.keys().map(String::len).sum();
                names + of_map(members.len()).saturating_sub(members.len() * size_of::<Value>())
            }
        }
}

/// Returns an upper bound for a map of so many members, without the heap of its names and values.
fn of_map(members: usize) -> usize {
    /// A B-tree is three words; a map that keeps the order of the text is larger.
    const KEEPS_ORDER: bool = size_of::<Map<String, Value>>() > 3 * size_of::<usize>();
    const MEMBER: usize = size_of::<String>() + size_of::<Value>();
    match members {
        0 => 0,
        _ if KEEPS_ORDER => {
            // Entries with their hashes, with room for as many again, and a table of their places.
            let slots = (members * 8 / 7 + 1).next_power_of_two().max(4);
            allocation(2 * members * (MEMBER + size_of::<usize>())) + allocation(9 * slots + 16)
        }
        // Nodes have room for eleven members, and are half full at least.
        _ => members.div_ceil(5) * allocation(11 * MEMBER + 16) + members.div_ceil(25) * allocation(112),
    }
}

/// The heap that a program takes inside of runs: engines of patterns, which are built on the first match.
#[derive(Debug, Default)]
pub(crate) struct BuiltLater {
    bytes: AtomicUsize,
    /// Set whenever there are more, for a cache that counts them.
    flag: OnceLock<Arc<AtomicBool>>,
}

impl BuiltLater {
    pub(crate) fn add(&self, bytes: usize) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        if let Some(flag) = self.flag.get() {
            flag.store(true, Ordering::Release);
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Has the flag set from now on, whenever there are more bytes.
    pub(crate) fn report_to(&self, flag: &Arc<AtomicBool>) {
        let _ = self.flag.set(Arc::clone(flag));
    }
}
