//! A short sketch of what a subschema wants, for those who have to write a value and not a schema.
//!
//! ```text
//! {"city": string, "unit"?: "celsius"|"fahrenheit", "days"?: integer 1..14, "tags"?: string[]}
//! ```
//!
//! It leaves out what does not fit: first what is nested deep, then properties that are not required. It says what to write, not all
//! that is refused.

use super::hints::{code_on_node, types_of};
use crate::error::text::{null_last, quoted, value_text};
use crate::program::{
    Additional, Applicator, Assertion, BlockId, Blocks, Bound, NameTable, NamedBlocks, Plain, Program,
};
use serde_json::Value;
use smallvec::SmallVec;
use stanchion_vocab::{Type, TypeSet};
use std::collections::BTreeSet;
use std::fmt::{Display, Write};

/// How deep a sketch goes at most.
const DEPTH: u32 = 4;

/// So many names, values or branches are listed.
const LISTED: usize = 16;

/// The sketch of a schema that takes anything.
const ANY: &str = "any";

/// A sketch of at most so many characters; none, if there is nothing to say in so few.
pub(crate) fn sketch(program: &Program, blocks: &[BlockId], characters: usize) -> Option<String> {
    for depth in (1..=DEPTH).rev() {
        // A character has up to four bytes, but nearly all have one.
        let mut sketcher = Sketcher { program, text: String::new(), most: characters.saturating_mul(4) };
        let is_whole = sketcher.blocks(blocks, depth).is_some();
        if is_whole && sketcher.text.chars().count() <= characters {
            return Some(sketcher.text).filter(|text| text != ANY);
        }
    }
    None
}

/// Writes a sketch. Its functions return nothing when there is no more room.
struct Sketcher<'p> {
    program: &'p Program,
    text: String,
    /// The bytes that the text may have.
    most: usize,
}

/// All that a block and those that it calls say of their node, as far as a sketch shows it.
#[derive(Default)]
struct Facts<'p> {
    types: TypeSet,
    values: Option<&'p [Value]>,
    properties: SmallVec<[&'p NamedBlocks; 4]>,
    required: SmallVec<[&'p NameTable; 4]>,
    additional: Option<&'p Additional>,
    prefix: Option<Blocks>,
    items: Option<BlockId>,
    union: Option<Blocks>,
    least: Option<String>,
    most: Option<String>,
    format: Option<&'p str>,
}

impl<'p> Sketcher<'p> {
    fn write(&mut self, text: impl Display) -> Option<()> {
        write!(self.text, "{text}").ok()?;
        (self.text.len() <= self.most).then_some(())
    }

    /// Writes as many items as are listed, and an ellipsis for the others.
    fn list<T>(
        &mut self,
        separator: &str,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Sketcher<'p>, T) -> Option<()>,
    ) -> Option<()> {
        for (index, item) in items.into_iter().enumerate() {
            if index > 0 {
                self.write(separator)?;
            }
            if index == LISTED {
                return self.write("…");
            }
            write(self, item)?;
        }
        Some(())
    }

    /// Sketches what some blocks that are run on the same node say together.
    fn blocks(&mut self, blocks: &[BlockId], depth: u32) -> Option<()> {
        let mut facts = Facts { types: TypeSet::ALL, ..Facts::default() };
        code_on_node(self.program, blocks).for_each(|instruction| facts.add(self.program, instruction));
        if let Some(values) = facts.values {
            return self.list("|", values, |sketcher, value| sketcher.write(value_text(value)));
        }
        if let Some(branches) = facts.union
            && !facts.has_members()
            && !facts.has_items()
        {
            return self.list("|", self.program.list(branches), |sketcher, branch| match depth {
                0 => sketcher.write("…"),
                _ => sketcher.blocks(&[*branch], depth - 1),
            });
        }
        let types = facts.likely_types();
        if types == TypeSet::ALL {
            return self.write(ANY);
        }
        self.list("|", null_last(types), |sketcher, kind| match kind {
            Type::Null | Type::Boolean => sketcher.write(kind.name()),
            Type::Integer | Type::Number => sketcher.number(kind, &facts),
            Type::String => match facts.format {
                Some(format) => {
                    sketcher.write(format!("string ({})", quoted(format).to_string().trim_matches('"')))
                }
                None => sketcher.write("string"),
            },
            Type::Array => sketcher.array(&facts, depth),
            Type::Object => sketcher.object(&facts, depth),
        })
    }

    fn number(&mut self, kind: Type, facts: &Facts<'_>) -> Option<()> {
        self.write(kind.name())?;
        match (&facts.least, &facts.most) {
            (Some(least), Some(most)) => self.write(format_args!(" {least}..{most}")),
            (Some(least), None) => self.write(format_args!(" >={least}")),
            (None, Some(most)) => self.write(format_args!(" <={most}")),
            (None, None) => Some(()),
        }
    }

    fn array(&mut self, facts: &Facts<'_>, depth: u32) -> Option<()> {
        let Some(below) = depth.checked_sub(1) else { return self.write("[…]") };
        if let Some(prefix) = facts.prefix {
            self.write("[")?;
            let prefix = self.program.list(prefix);
            self.list(", ", prefix, |sketcher, &block| sketcher.blocks(&[block], below))?;
            return self.write("]");
        }
        let Some(items) = facts.items else { return self.write("array") };
        let start = self.text.len();
        self.blocks(&[items], below)?;
        let is_union = self.text[start..].contains('|') && !self.text[start..].starts_with('{');
        if is_union {
            self.text.insert(start, '(');
            self.text.push(')');
        }
        self.write("[]")
    }

    fn object(&mut self, facts: &Facts<'p>, depth: u32) -> Option<()> {
        let Some(below) = depth.checked_sub(1) else { return self.write("{…}") };
        let is_required = |name: &str| facts.required.iter().any(|names| names.find(name).is_some());
        let is_declared = |name: &str| facts.properties.iter().any(|named| named.names.find(name).is_some());
        let declared = |required: bool| {
            let all = facts.properties.iter().flat_map(|named| named.names.iter().zip(&named.blocks));
            let wanted = all.filter(move |(name, _)| is_required(name) == required);
            wanted.map(|(name, &block)| (name, Some(block))).take(LISTED + 1)
        };
        let bare = facts.required.iter().flat_map(|names| names.iter()).filter(|name| !is_declared(name));
        let mut members: Vec<(&str, Option<BlockId>)> = declared(true).collect();
        members.extend(bare.map(|name| (name, None)).take(LISTED + 1));
        members.extend(declared(false));
        let mut seen = BTreeSet::new();
        members.retain(|(name, _)| seen.insert(*name));
        if members.is_empty() {
            let additional = facts.additional.filter(|additional| !self.program.is_never(additional.block));
            let Some(additional) = additional else { return self.write("object") };
            self.write("{[name]: ")?;
            self.blocks(&[additional.block], below)?;
            return self.write("}");
        }
        self.write("{")?;
        self.list(", ", members, |sketcher, (name, block)| {
            sketcher.write(format_args!("{}{}: ", quoted(name), if is_required(name) { "" } else { "?" }))?;
            match block {
                Some(block) => sketcher.blocks(&[block], below),
                None => sketcher.write(ANY),
            }
        })?;
        self.write("}")
    }
}

impl<'p> Facts<'p> {
    fn add(&mut self, program: &'p Program, instruction: Plain) {
        self.types = self.types.and(types_of(program, instruction, 2));
        if let Plain::Assert(Assertion::Equals(id)) = instruction {
            self.values = Some(std::slice::from_ref(&program.constants[id]));
        } else if let Plain::Assert(Assertion::IsOneOf(id)) = instruction {
            self.values.get_or_insert(&program.enumerations[id].values);
        } else if let Plain::Apply(Applicator::Properties(id)) = instruction {
            self.properties.push(&program.named_blocks[id]);
        } else if let Plain::Assert(Assertion::Required(id)) = instruction {
            self.required.push(&program.names[id]);
        } else if let Plain::Apply(Applicator::AdditionalProperties(id)) = instruction {
            self.additional = Some(&program.additional[id]);
        } else if let Plain::Apply(Applicator::PrefixItems(blocks)) = instruction {
            self.prefix = Some(blocks);
        } else if let Plain::Apply(Applicator::EachItem(0, block)) = instruction {
            self.items = Some(block);
        } else if let Plain::Apply(Applicator::AnyOf(blocks)) | Plain::Apply(Applicator::OneOf(blocks)) =
            instruction
        {
            self.union = self.union.or(Some(blocks));
        } else if let Plain::Assert(Assertion::AtLeast(id)) = instruction {
            self.least = bound(&program.numbers[id]).or(self.least.take());
        } else if let Plain::Assert(Assertion::AtMost(id)) = instruction {
            self.most = bound(&program.numbers[id]).or(self.most.take());
        } else if let Plain::Annotate(id) = instruction
            && program.annotations[id].name == "format"
        {
            self.format = program.annotations[id].value.as_str();
        }
    }

    fn has_members(&self) -> bool {
        !self.properties.is_empty() || !self.required.is_empty()
    }

    fn has_items(&self) -> bool {
        self.items.is_some() || self.prefix.is_some()
    }

    /// The types that it takes; without a `type`, those that it speaks of.
    fn likely_types(&self) -> TypeSet {
        match self.types {
            TypeSet::ALL if self.has_members() => TypeSet::NONE.with(Type::Object),
            TypeSet::ALL if self.has_items() => TypeSet::NONE.with(Type::Array),
            types => types,
        }
    }
}

/// A bound that says something: not one of the integers that a double has exactly, which generators add to all of them.
fn bound(number: &Bound) -> Option<String> {
    const SAFE: i64 = (1 << 53) - 1;
    (number.as_i64().map(i64::abs) != Some(SAFE)).then(|| number.to_string())
}
