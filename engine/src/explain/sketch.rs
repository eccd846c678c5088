//! A short sketch of what a subschema wants, for those who have to write a value and not a schema.
//!
//! ```text
//! {"city": string, "unit"?: "celsius"|"fahrenheit", "days"?: integer 1..14, "tags"?: string[]}
//! ```
//!
//! It leaves out what does not fit: first what is nested deep, then properties that are not required. It says what to write, not all
//! that is refused.

use super::glance::types_of;
use crate::error::text::{null_last, quoted, value_text};
use crate::program::{
    Additional, Applicator, Assertion, BlockId, Blocks, Bound, NameTable, NamedBlocks, Plain, Program,
};
use serde_json::Value;
use smallvec::SmallVec;
use stanchion_vocab::{Type, TypeSet};
use std::collections::BTreeSet;

/// How deep a sketch goes at most.
const DEPTH: u32 = 4;

/// So many blocks are looked at for one value.
const BLOCKS: usize = 16;

/// So many names, values or branches are listed.
const LISTED: usize = 16;

/// A sketch of at most so many characters; none, if there is nothing to say in so few.
pub(crate) fn sketch(program: &Program, blocks: &[BlockId], characters: usize) -> Option<String> {
    for depth in (1..=DEPTH).rev() {
        // A character has up to four bytes, but nearly all have one.
        let mut sketcher = Sketcher { program, text: String::new(), most: characters.saturating_mul(4) };
        let is_whole = sketcher.outlined(sketcher.outline(blocks), depth).is_some();
        if is_whole && sketcher.text.chars().count() <= characters {
            return Some(sketcher.text).filter(|text| text != ANY);
        }
    }
    None
}

/// The sketch of a schema that takes anything.
const ANY: &str = "any";

struct Sketcher<'p> {
    program: &'p Program,
    text: String,
    /// The bytes that the text may have.
    most: usize,
}

/// All that a block and those that it calls say of their node.
struct Outline<'p> {
    types: TypeSet,
    values: Option<Vec<&'p Value>>,
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
    /// Writes, as long as there is room.
    fn write(&mut self, text: &str) -> Option<()> {
        self.text.push_str(text);
        (self.text.len() <= self.most).then_some(())
    }

    fn block(&mut self, block: BlockId, depth: u32) -> Option<()> {
        self.outlined(self.outline(&[block]), depth)
    }

    fn outlined(&mut self, outline: Outline<'p>, depth: u32) -> Option<()> {
        if let Some(values) = &outline.values {
            return self.values(values);
        }
        let is_bare = outline.properties.is_empty()
            && outline.required.is_empty()
            && outline.items.is_none()
            && outline.prefix.is_none();
        if let Some(branches) = outline.union
            && is_bare
        {
            return self.branches(self.program.list(branches), depth);
        }
        let types = outline.likely_types();
        if types == TypeSet::ALL {
            return self.write(ANY);
        }
        for (index, kind) in null_last(types).enumerate() {
            if index > 0 {
                self.write("|")?;
            }
            match kind {
                Type::Null | Type::Boolean => self.write(kind.name())?,
                Type::Integer | Type::Number => self.number(kind, &outline)?,
                Type::String => self.string(&outline)?,
                Type::Array => self.array(&outline, depth)?,
                Type::Object => self.object(&outline, depth)?,
            }
        }
        Some(())
    }

    fn values(&mut self, values: &[&Value]) -> Option<()> {
        for (index, value) in values.iter().take(LISTED).enumerate() {
            if index > 0 {
                self.write("|")?;
            }
            self.write(&value_text(value))?;
        }
        if values.len() > LISTED { self.write("|…") } else { Some(()) }
    }

    fn branches(&mut self, branches: &[BlockId], depth: u32) -> Option<()> {
        for (index, &branch) in branches.iter().take(LISTED).enumerate() {
            if index > 0 {
                self.write("|")?;
            }
            if depth == 0 { self.write("…")? } else { self.block(branch, depth - 1)? }
        }
        if branches.len() > LISTED { self.write("|…") } else { Some(()) }
    }

    fn number(&mut self, kind: Type, outline: &Outline<'_>) -> Option<()> {
        self.write(kind.name())?;
        match (&outline.least, &outline.most) {
            (Some(least), Some(most)) => self.write(&format!(" {least}..{most}")),
            (Some(least), None) => self.write(&format!(" >={least}")),
            (None, Some(most)) => self.write(&format!(" <={most}")),
            (None, None) => Some(()),
        }
    }

    fn string(&mut self, outline: &Outline<'_>) -> Option<()> {
        self.write("string")?;
        match outline.format {
            Some(format) => self.write(&format!(" ({})", quoted(format).trim_matches('"'))),
            None => Some(()),
        }
    }

    fn array(&mut self, outline: &Outline<'_>, depth: u32) -> Option<()> {
        let Some(below) = depth.checked_sub(1) else { return self.write("[…]") };
        if let Some(prefix) = outline.prefix {
            self.write("[")?;
            for (index, &block) in self.program.list(prefix).iter().take(LISTED).enumerate() {
                self.write(if index > 0 { ", " } else { "" })?;
                self.block(block, below)?;
            }
            return self.write("]");
        }
        let Some(items) = outline.items else { return self.write("array") };
        let start = self.text.len();
        self.block(items, below)?;
        let is_union = self.text[start..].contains('|') && !self.text[start..].starts_with('{');
        if is_union {
            self.text.insert(start, '(');
            self.text.push(')');
        }
        self.write("[]")
    }

    fn object(&mut self, outline: &Outline<'p>, depth: u32) -> Option<()> {
        let Some(below) = depth.checked_sub(1) else { return self.write("{…}") };
        let program = self.program;
        let is_required = |name: &str| outline.required.iter().any(|names| names.find(name).is_some());
        let declared = |required: bool| {
            let all = outline.properties.iter().flat_map(|named| named.names.iter().zip(&named.blocks));
            let wanted = all.filter(move |(name, _)| is_required(name) == required);
            wanted.map(|(name, &block)| (name, Some(block))).take(LISTED + 1)
        };
        let is_declared =
            |name: &str| outline.properties.iter().any(|named| named.names.find(name).is_some());
        let bare = outline.required.iter().flat_map(|names| names.iter()).filter(|name| !is_declared(name));
        let mut members: Vec<(&str, Option<BlockId>)> = declared(true).collect();
        members.extend(bare.map(|name| (name, None)).take(LISTED + 1));
        let required = members.len();
        members.extend(declared(false));
        let mut seen = BTreeSet::new();
        members.retain(|(name, _)| seen.insert(*name));
        if members.is_empty() {
            return match outline.additional.filter(|additional| !program.is_never(additional.block)) {
                Some(additional) => {
                    self.write("{[name]: ")?;
                    self.block(additional.block, below)?;
                    self.write("}")
                }
                None => self.write("object"),
            };
        }
        self.write("{")?;
        for (index, (name, block)) in members.iter().take(LISTED).enumerate() {
            self.write(if index > 0 { ", " } else { "" })?;
            self.write(&quoted(name))?;
            self.write(if index < required { ": " } else { "?: " })?;
            match block {
                Some(block) => self.block(*block, below)?,
                None => self.write(ANY)?,
            }
        }
        self.write(if members.len() > LISTED { ", …}" } else { "}" })
    }

    /// Collects what some blocks that are run on the same node say together.
    fn outline(&self, blocks: &[BlockId]) -> Outline<'p> {
        let program = self.program;
        let mut outline = Outline {
            types: TypeSet::ALL,
            values: None,
            properties: SmallVec::new(),
            required: SmallVec::new(),
            additional: None,
            prefix: None,
            items: None,
            union: None,
            least: None,
            most: None,
            format: None,
        };
        let mut open: SmallVec<[BlockId; BLOCKS]> = blocks.iter().copied().take(BLOCKS).collect();
        let mut next = 0;
        while let Some(&block) = open.get(next) {
            next += 1;
            for at in program.block(block).plain.clone() {
                let instruction = program.code[at as usize];
                outline.add(program, instruction);
                if let Plain::Apply(Applicator::Call(target)) = instruction {
                    open.push(target);
                } else if let Plain::Apply(Applicator::AllOf(blocks)) = instruction {
                    open.extend(program.list(blocks).iter().copied().take(BLOCKS));
                }
            }
            open.truncate(BLOCKS);
        }
        outline
    }
}

impl<'p> Outline<'p> {
    fn add(&mut self, program: &'p Program, instruction: Plain) {
        self.types = self.types.and(types_of(program, instruction, 2));
        if let Plain::Assert(Assertion::Equals(id)) = instruction {
            self.values = Some(vec![&program.constants[id]]);
        } else if let Plain::Assert(Assertion::IsOneOf(id)) = instruction {
            self.values.get_or_insert_with(|| program.enumerations[id].values.iter().collect());
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

    /// The types that it takes; without a `type`, those that it speaks of.
    fn likely_types(&self) -> TypeSet {
        if self.types != TypeSet::ALL {
            return self.types;
        }
        if !self.properties.is_empty() || !self.required.is_empty() {
            return TypeSet::NONE.with(Type::Object);
        }
        if self.items.is_some() || self.prefix.is_some() {
            return TypeSet::NONE.with(Type::Array);
        }
        TypeSet::ALL
    }
}

/// A bound that says something: not one of the integers that a double has exactly, which generators add to all of them.
fn bound(number: &Bound) -> Option<String> {
    const SAFE: i64 = (1 << 53) - 1;
    (number.as_i64().map(i64::abs) != Some(SAFE)).then(|| number.to_string())
}
