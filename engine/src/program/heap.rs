//! Heap sizes of the parts of a program. Every struct is destructured by field name, so that a new field is not forgotten.

use super::names::{ByText, Entry};
use super::{
    Additional, Annotation, Block, BlockId, Blocks, Condition, Contains, DependentNames, Enumeration,
    FastBlock, Flat, Format, Gate, Id, Interval, Items, Matching, Member, Members, Multiple, NameTable,
    NamedBlocks, Other, PatternBlocks, Pick, Plain, Pool, Program, Scalar, Test, Text, Unevaluated,
};
use crate::heap::{Heap, allocation};
use stanchion_vocab::Keyword;

impl Heap for Additional {}
impl Heap for Block {}
impl Heap for BlockId {}
impl Heap for Blocks {}
impl Heap for Condition {}
impl Heap for Contains {}
impl Heap for FastBlock {}
impl Heap for Flat {}
impl Heap for Gate {}
impl Heap for Plain {}
impl Heap for Interval {}
impl Heap for Keyword {}
impl Heap for Member {}
impl Heap for Other {}
impl Heap for Scalar {}
impl Heap for Text {}
impl<T> Heap for Entry<T> {}
impl<T> Heap for Id<T> {}

impl Program {
    /// Returns the bytes of memory that the compiled schema takes now. Engines of patterns count once they are built, which is on
    /// their first match.
    pub fn heap_bytes(&self) -> usize {
        let Program {
            code,
            origins,
            fast_code,
            fast_origins,
            blocks,
            fast,
            steps,
            resources,
            lists,
            may_repeat: _,
            anchors,
            seeds: _,
            counts,
            numbers,
            multiples,
            constants,
            enumerations,
            patterns,
            formats,
            names,
            dependent_names,
            named_blocks,
            pattern_blocks,
            additional,
            contains,
            contained,
            conditions,
            annotations,
            members,
            picks,
            intervals,
            texts,
            items,
            unevaluated,
            size: _,
            // Counted where it is: in patterns, sets of them, and walks.
            built_later: _,
        } = self;
        let of_code = code.heap()
            + origins.heap()
            + fast_code.heap()
            + fast_origins.heap()
            + blocks.heap()
            + fast.heap()
            + lists.heap();
        let of_places = steps.heap() + resources.heap() + anchors.heap();
        let of_values = counts.heap() + numbers.heap() + multiples.heap() + constants.heap();
        let of_choices = enumerations.heap() + contained.heap() + patterns.heap() + formats.heap();
        let of_names = names.heap() + dependent_names.heap() + named_blocks.heap() + pattern_blocks.heap();
        let of_rest = additional.heap() + contains.heap() + conditions.heap() + annotations.heap();
        let of_fast = members.heap() + picks.heap() + intervals.heap() + texts.heap() + items.heap();
        let on_heap = of_code + of_places + of_values + of_choices + of_names + of_rest + of_fast;
        allocation(size_of::<Program>() + 16) + on_heap + unevaluated.heap()
    }
}

impl<T: Heap> Heap for Pool<T> {
    fn heap(&self) -> usize {
        self.vec().heap()
    }
}

impl<T: Copy> Heap for NameTable<T> {
    fn heap(&self) -> usize {
        self.on_heap()
    }
}

impl Heap for ByText {
    fn heap(&self) -> usize {
        self.slots.heap()
    }
}

impl Heap for Multiple {
    fn heap(&self) -> usize {
        let Multiple { number, divisor } = self;
        number.heap() + divisor.heap()
    }
}

impl Heap for Enumeration {
    fn heap(&self) -> usize {
        let Enumeration { values, texts, others, other_types: _, scalars } = self;
        values.heap() + texts.heap() + others.heap() + scalars.heap()
    }
}

impl Heap for Format {
    fn heap(&self) -> usize {
        // A check of the caller's own is that of the builder.
        let Format { name, check: _ } = self;
        name.heap()
    }
}

impl Heap for DependentNames {
    fn heap(&self) -> usize {
        let DependentNames { names, ends, required } = self;
        names.heap() + ends.heap() + required.heap()
    }
}

impl Heap for NamedBlocks {
    fn heap(&self) -> usize {
        let NamedBlocks { names, blocks } = self;
        names.heap() + blocks.heap()
    }
}

impl Heap for PatternBlocks {
    fn heap(&self) -> usize {
        let PatternBlocks { set, blocks } = self;
        set.heap() + blocks.heap()
    }
}

impl Heap for Annotation {
    fn heap(&self) -> usize {
        let Annotation { name, value } = self;
        name.heap() + value.heap()
    }
}

impl Heap for Members {
    fn heap(&self) -> usize {
        let Members { names, required: _, patterned: _, rest: _, lookup: _, matching } = self;
        names.heap() + matching.heap()
    }
}

impl Heap for Matching {
    fn heap(&self) -> usize {
        self.asking.heap()
    }
}

impl Heap for Items {
    fn heap(&self) -> usize {
        self.first.heap()
    }
}

impl Heap for Unevaluated {
    fn heap(&self) -> usize {
        let Unevaluated { parts, names, patterns, all_members: _, items, all_items: _, members: _, rest: _ } =
            self;
        parts.heap() + names.heap() + patterns.heap() + items.heap()
    }
}

impl Heap for Test {
    fn heap(&self) -> usize {
        match self {
            Test::Union { blocks, exactly_one: _ } => blocks.heap(),
            Test::If { .. } => 0,
            Test::Dependent(name, _) => name.heap(),
        }
    }
}

impl Heap for Pick {
    fn heap(&self) -> usize {
        let Pick { name, texts, scalars, otherwise: _, absent: _, all: _, want: _, conditions } = self;
        name.heap() + texts.heap() + scalars.heap() + conditions.heap()
    }
}
