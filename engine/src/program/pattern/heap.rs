//! Heap sizes of patterns and their engines, as far as they are built.

use super::charset::Set;
use super::parts::Parts;
use super::set::{AnyPattern, Head, HeadPatterns, Heads, PatternSet};
use super::simple::{Row, Simple};
use super::single_class::SingleClass;
use super::table::Table;
use super::{Engine, Pattern};
use crate::heap::Heap;

impl Heap for Pattern {
    fn heap(&self) -> usize {
        let Pattern { source, size: _, steps_by_byte: _, work: _, engine, built_later: _ } = self;
        source.heap() + engine.heap()
    }
}

impl Heap for Engine {
    fn heap(&self) -> usize {
        match self {
            Engine::Simple(simple) => simple.heap(),
            Engine::SingleClass(class) => class.heap(),
            Engine::Table(table) => table.heap(),
            Engine::Parts(parts) => parts.heap(),
            Engine::Matcher(matcher) => matcher.heap_bytes(),
            Engine::Any(any) => any.heap(),
        }
    }
}

impl Heap for Simple {
    fn heap(&self) -> usize {
        match self {
            Simple::Always => 0,
            Simple::Prefix(text) | Simple::Suffix(text) => text.heap(),
            Simple::Words(words) => words.heap(),
            Simple::Rows { rows, ends: _, price: _ } => rows.heap(),
        }
    }
}

impl Heap for Row {
    fn heap(&self) -> usize {
        self.set.heap()
    }
}

impl Heap for Set {
    fn heap(&self) -> usize {
        self.class().map_or(0, |class| class.heap_bytes())
    }
}

impl Heap for SingleClass {
    fn heap(&self) -> usize {
        self.row().heap()
    }
}

impl Heap for Table {
    fn heap(&self) -> usize {
        self.on_heap()
    }
}

impl Heap for Parts {
    fn heap(&self) -> usize {
        match self {
            Parts::One(engine) => engine.heap(),
            Parts::Not(part) => part.heap(),
            Parts::All(parts) | Parts::Any(parts) => parts.heap(),
        }
    }
}

impl Heap for PatternSet {
    fn heap(&self) -> usize {
        let PatternSet { patterns, heads } = self;
        patterns.heap() + heads.heap()
    }
}

impl Heap for AnyPattern {
    fn heap(&self) -> usize {
        let AnyPattern { patterns, heads } = self;
        patterns.heap() + heads.heap()
    }
}

impl Heap for Heads {
    fn heap(&self) -> usize {
        let Heads { sorted, always, others } = self;
        sorted.heap() + always.heap() + others.heap()
    }
}

impl Heap for Head {
    fn heap(&self) -> usize {
        let Head { text, shorter: _, patterns: HeadPatterns { whole, prefix, maybe } } = self;
        text.heap() + whole.heap() + prefix.heap() + maybe.heap()
    }
}
