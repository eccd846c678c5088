//! Makes one instruction of two that look at the length and the items of an array, or at a text.
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
//! Alone at its gate such an instruction needs no block to be entered, and it looks at the node once.

use super::fuse::Fuse;
use crate::program::{Gate, Instruction, Items, Program, Text};

/// So many items at most have a gate of their own.
const FIRST: usize = 64;

/// Whether an instruction looks at the length or the items of an array, and may be joined with others.
pub(super) fn is_of_arrays(instruction: Instruction) -> bool {
    matches!(
        instruction,
        Instruction::ItemsAtLeast(_)
            | Instruction::ItemsAtMost(_)
            | Instruction::UniqueItems
            | Instruction::PrefixItems(_)
            | Instruction::EachItem(..)
            | Instruction::Items(_)
    )
}

/// Whether an instruction looks at a text, and may be joined with others.
pub(super) fn is_of_texts(instruction: Instruction) -> bool {
    matches!(
        instruction,
        Instruction::LengthAtLeast(_)
            | Instruction::LengthAtMost(_)
            | Instruction::Matches(_)
            | Instruction::HasFormat(_)
            | Instruction::Text(_)
    )
}

impl Fuse<'_> {
    /// One instruction for both, if there can be one.
    pub(super) fn joined(&mut self, one: Instruction, other: Instruction) -> Option<Instruction> {
        if is_of_texts(one) && is_of_texts(other) {
            let text = both_texts(&text(self.program, one)?, &text(self.program, other)?)?;
            return Some(Instruction::Text(self.program.texts.push(text)));
        }
        let (one, other) = (items(self.program, one)?, items(self.program, other)?);
        let items = self.both_items(&one, &other)?;
        Some(Instruction::Items(self.program.items.push(items)))
    }

    /// Gives the first items gates at hand, also where there is nothing to join.
    pub(super) fn gated(&mut self, instruction: &mut Instruction) {
        if matches!(instruction, Instruction::PrefixItems(_))
            && let Some(items) = items(self.program, *instruction)
        {
            *instruction = Instruction::Items(self.program.items.push(items));
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

/// What an instruction asks of an array.
fn items(program: &Program, instruction: Instruction) -> Option<Items> {
    let mut items = Items { least: 0, most: u64::MAX, first: Vec::new(), rest: Gate::OPEN, unique: false };
    if let Instruction::ItemsAtLeast(count) = instruction {
        items.least = program.counts[count];
    } else if let Instruction::ItemsAtMost(count) = instruction {
        items.most = program.counts[count];
    } else if instruction == Instruction::UniqueItems {
        items.unique = true;
    } else if let Instruction::PrefixItems(blocks) = instruction {
        if blocks.len as usize > FIRST {
            return None;
        }
        items.first = program.list(blocks).iter().map(|&block| *program.gate(block)).collect();
    } else if let Instruction::EachItem(from, block) = instruction {
        if from as usize > FIRST {
            return None;
        }
        items.first = vec![Gate::OPEN; from as usize];
        items.rest = *program.gate(block);
    } else if let Instruction::Items(id) = instruction {
        items = program.items[id].clone();
    } else {
        return None;
    }
    Some(items)
}

/// What an instruction asks of a text.
fn text(program: &Program, instruction: Instruction) -> Option<Text> {
    let mut text = Text { least: 0, most: u64::MAX, pattern: None, format: None };
    if let Instruction::LengthAtLeast(count) = instruction {
        text.least = program.counts[count];
    } else if let Instruction::LengthAtMost(count) = instruction {
        text.most = program.counts[count];
    } else if let Instruction::Matches(pattern) = instruction {
        text.pattern = Some(pattern);
    } else if let Instruction::HasFormat(format) = instruction {
        text.format = Some(format);
    } else if let Instruction::Text(id) = instruction {
        text = program.texts[id];
    } else {
        return None;
    }
    Some(text)
}

/// What both ask of a text, unless those are two patterns or two formats.
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
