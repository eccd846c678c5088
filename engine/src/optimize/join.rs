//! Makes one instruction of two that read the length and the items of an array, or a text.
//!
//! ```text
//! before  0005 ItemsAtLeast 2        after  0008 Items 2..=3 → 1 2 3
//!         0006 ItemsAtMost 3
//!         0007 PrefixItems → 1 2
//!         0008 EachItem 2.. → 3
//!
//! before  0001 LengthAtMost 12       after  0003 Text 2..=12 "^a"
//!         0002 LengthAtLeast 2
//!         0003 Matches "^a"
//! ```
//!
//! Where such an instruction is all that a block has, the gate holds it: no block is entered, and the node is read once.

use super::fuse::Fuse;
use crate::program::{Applicator, Assertion, Fast, Gate, Items, Program, Text};

/// The most items that have a gate of their own.
const FIRST: usize = 64;

/// Whether an instruction reads the length or the items of an array, and may be joined with others.
pub(super) fn is_of_arrays(instruction: Fast) -> bool {
    matches!(
        instruction,
        Fast::Assert(Assertion::ItemsAtLeast(_))
            | Fast::Assert(Assertion::ItemsAtMost(_))
            | Fast::Assert(Assertion::UniqueItems)
            | Fast::Apply(Applicator::PrefixItems(_))
            | Fast::Apply(Applicator::EachItem(..))
            | Fast::Items(_)
    )
}

/// Whether an instruction reads a text, and may be joined with others.
pub(super) fn is_of_texts(instruction: Fast) -> bool {
    matches!(
        instruction,
        Fast::Assert(Assertion::LengthAtLeast(_))
            | Fast::Assert(Assertion::LengthAtMost(_))
            | Fast::Assert(Assertion::Matches(_))
            | Fast::Assert(Assertion::HasFormat(_))
            | Fast::Text(_)
    )
}

impl Fuse<'_> {
    /// One instruction for both, if there can be one.
    pub(super) fn joined(&mut self, one: Fast, other: Fast) -> Option<Fast> {
        if is_of_texts(one) && is_of_texts(other) {
            let text = both_texts(&text(self.program, one)?, &text(self.program, other)?)?;
            return Some(Fast::Text(self.program.texts.push(text)));
        }
        let (one, other) = (items(self.program, one)?, items(self.program, other)?);
        let items = self.both_items(&one, &other)?;
        Some(Fast::Items(self.program.items.push(items)))
    }

    /// Gives the first items gates of their own, also where there is nothing to join.
    pub(super) fn gated(&mut self, instruction: &mut Fast) {
        if matches!(instruction, Fast::Apply(Applicator::PrefixItems(_)))
            && let Some(items) = items(self.program, *instruction)
        {
            *instruction = Fast::Items(self.program.items.push(items));
        }
    }

    fn both_items(&mut self, one: &Items, other: &Items) -> Option<Items> {
        let first = one.first.len().max(other.first.len());
        self.pay(first)?;
        let gate = |items: &Items, at: usize| items.first.get(at).copied().unwrap_or(items.rest);
        let first: Option<Vec<Gate>> =
            (0..first).map(|at| self.gate_of_both(gate(one, at), gate(other, at))).collect();
        Some(Items {
            least: one.least.max(other.least),
            most: one.most.min(other.most),
            first: first?,
            rest: self.gate_of_both(one.rest, other.rest)?,
            unique: one.unique || other.unique,
        })
    }
}

/// The requirements of an instruction on an array.
fn items(program: &Program, instruction: Fast) -> Option<Items> {
    let mut items = Items { least: 0, most: u64::MAX, first: Vec::new(), rest: Gate::OPEN, unique: false };
    if let Fast::Assert(Assertion::ItemsAtLeast(count)) = instruction {
        items.least = program.counts[count];
    } else if let Fast::Assert(Assertion::ItemsAtMost(count)) = instruction {
        items.most = program.counts[count];
    } else if instruction == Fast::Assert(Assertion::UniqueItems) {
        items.unique = true;
    } else if let Fast::Apply(Applicator::PrefixItems(blocks)) = instruction {
        if blocks.len as usize > FIRST {
            return None;
        }
        items.first = program.list(blocks).iter().map(|&block| *program.gate(block)).collect();
    } else if let Fast::Apply(Applicator::EachItem(from, block)) = instruction {
        if from as usize > FIRST {
            return None;
        }
        items.first = vec![Gate::OPEN; from as usize];
        items.rest = *program.gate(block);
    } else if let Fast::Items(id) = instruction {
        items = program.items[id].clone();
    } else {
        return None;
    }
    Some(items)
}

/// The requirements of an instruction on a text.
fn text(program: &Program, instruction: Fast) -> Option<Text> {
    let mut text = Text { least: 0, most: u64::MAX, pattern: None, format: None };
    if let Fast::Assert(Assertion::LengthAtLeast(count)) = instruction {
        text.least = program.counts[count];
    } else if let Fast::Assert(Assertion::LengthAtMost(count)) = instruction {
        text.most = program.counts[count];
    } else if let Fast::Assert(Assertion::Matches(pattern)) = instruction {
        text.pattern = Some(pattern);
    } else if let Fast::Assert(Assertion::HasFormat(format)) = instruction {
        text.format = Some(format);
    } else if let Fast::Text(id) = instruction {
        text = program.texts[id];
    } else {
        return None;
    }
    Some(text)
}

/// The requirements of both on a text, unless those are two patterns or two formats.
fn both_texts(one: &Text, other: &Text) -> Option<Text> {
    if (one.pattern.is_some() && other.pattern.is_some()) || (one.format.is_some() && other.format.is_some())
    {
        return None;
    }
    Some(Text {
        least: one.least.max(other.least),
        most: one.most.min(other.most),
        pattern: one.pattern.or(other.pattern),
        format: one.format.or(other.format),
    })
}
