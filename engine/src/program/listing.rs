//! The text form of a program: for tests, `explain`, and bug reports.
//!
//! The long form (`{:#}`) adds what the code of verdicts has in it and no instruction shows: by name, pattern or branch,
//! which types pass, and what is asked of others.

use super::graph::Code;
use super::{BlockId, Gate, Instruction, Interval, NameTable, Program};
use serde_json::Value;
use stanchion_vocab::TypeSet;
use std::fmt;

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, block) in self.blocks.iter().enumerate() {
            let id = BlockId(index as u32);
            let pointer = on_one_line(&self.pointer(id));
            let separator = if pointer.is_empty() { "" } else { "  " };
            let enters = if block.enters { "  enters its resource" } else { "" };
            writeln!(f, "block {index}{separator}{pointer}{enters}")?;
            self.list_code(f, id, &pointer)?;
        }
        Ok(())
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A name in a schema may have anything in it, also the end of a line.
fn on_one_line(text: &str) -> String {
    let escaped = text.chars().flat_map(|character| {
        let escape = character.is_control().then(|| character.escape_default());
        escape.into_iter().flatten().chain((!character.is_control()).then_some(character))
    });
    escaped.collect()
}

fn names<T: Copy>(table: &NameTable<T>) -> Vec<&str> {
    table.iter().collect()
}

/// A range as Rust writes it, without the ends that say nothing.
fn range<T: PartialEq + fmt::Display>(low: T, high: T, lowest: T, highest: T) -> String {
    let low = if low == lowest { String::new() } else { low.to_string() };
    let high = if high == highest { String::new() } else { format!("={high}") };
    format!("{low}..{high}")
}

impl Program {
    fn list_code(&self, f: &mut fmt::Formatter<'_>, id: BlockId, pointer: &str) -> fmt::Result {
        let (block, fast) = (self.block(id), self.fast(id));
        for at in block.plain.clone() {
            self.list_instruction(f, at, pointer)?;
        }
        if fast.gate != Gate::to(id) || fast.code() != block.plain {
            let (passes, asks, block) = (fast.gate.passes(), fast.gate.asks(), fast.gate.block);
            let aside = if block == id { String::new() } else { format!(" → {}", block.0) };
            writeln!(f, "  fast  yes {passes:?}  ask {asks:?}{aside}")?;
        }
        if fast.code() != block.plain {
            for at in fast.code() {
                self.list_instruction(f, at, pointer)?;
                if f.alternate() {
                    self.list_edges(f, at)?;
                }
            }
        }
        Ok(())
    }

    /// What each way out of an instruction asks. A way that asks everything of everyone is in the instruction already.
    fn list_edges(&self, f: &mut fmt::Formatter<'_>, at: u32) -> fmt::Result {
        for edge in self.view_step(at, Code::Fast).edges {
            if edge.gate.asks == TypeSet::ALL && edge.gate.then.is_none() {
                continue;
            }
            let required = if edge.required { "  required" } else { "" };
            let separator = if edge.label.is_empty() { "" } else { ": " };
            writeln!(f, "         {}{separator}{}{required}", edge.label, edge.gate)?;
        }
        Ok(())
    }

    fn list_instruction(&self, f: &mut fmt::Formatter<'_>, at: u32, pointer: &str) -> fmt::Result {
        let text = self.instruction_text(self.code[at as usize]);
        match self.keyword_name(at) {
            Some(keyword) => writeln!(f, "  {at:04} {text:<28} {pointer}/{}", on_one_line(keyword)),
            None => writeln!(f, "  {at:04} {text}"),
        }
    }

    pub(super) fn instruction_text(&self, instruction: Instruction) -> String {
        let mut edges = Vec::new();
        self.visit_edges(instruction, |_, block| edges.push(block.0.to_string()));
        let edges = edges.join(" ");
        match instruction {
            Instruction::Never => "Never".to_owned(),
            Instruction::Type(types) => format!("Type {types:?}"),
            Instruction::TypeAsWritten(types) => format!("TypeAsWritten {types:?}"),
            Instruction::Equals(id) => format!("Equals {}", self.constants[id]),
            Instruction::IsOneOf(id) => {
                format!("IsOneOf {}", Value::from(self.enumerations[id].values.clone()))
            }
            Instruction::AtLeast(id) => format!("AtLeast {}", self.numbers[id]),
            Instruction::AtMost(id) => format!("AtMost {}", self.numbers[id]),
            Instruction::Above(id) => format!("Above {}", self.numbers[id]),
            Instruction::Below(id) => format!("Below {}", self.numbers[id]),
            Instruction::MultipleOf(id) => format!("MultipleOf {}", self.multiples[id].number),
            Instruction::InRange(id) => {
                let Interval { low, high, floats, step, .. } = self.intervals[id];
                let step = if step.get() == 1 { String::new() } else { format!(" by {step}") };
                match floats {
                    Some((low, high)) => format!("InRange {}", range(low, high, f64::MIN, f64::MAX)),
                    None => format!("InRange {low}..={high}{step}"),
                }
            }
            Instruction::Text(id) => {
                let text = &self.texts[id];
                let pattern = text.pattern.map(|id| format!(" {:?}", self.patterns[id].source()));
                let format = text.format.map(|id| format!(" {}", self.formats[id].name));
                let parts = pattern.into_iter().chain(format).collect::<String>();
                format!("Text {}{parts}", range(text.least, text.most, 0, u64::MAX))
            }
            Instruction::LengthAtLeast(count) => format!("LengthAtLeast {}", self.counts[count]),
            Instruction::LengthAtMost(count) => format!("LengthAtMost {}", self.counts[count]),
            Instruction::Matches(id) => format!("Matches {:?}", self.patterns[id].source()),
            Instruction::HasFormat(id) => format!("HasFormat {:?}", self.formats[id].name),
            Instruction::HasContent(content) => {
                let json = if content.json { " json" } else { "" };
                format!("HasContent{}{json}", if content.base64 { " base64" } else { "" })
            }
            Instruction::ItemsAtLeast(count) => format!("ItemsAtLeast {}", self.counts[count]),
            Instruction::ItemsAtMost(count) => format!("ItemsAtMost {}", self.counts[count]),
            Instruction::UniqueItems => "UniqueItems".to_owned(),
            Instruction::Items(id) => {
                let items = &self.items[id];
                let unique = if items.unique { " unique" } else { "" };
                format!("Items {}{unique} → {edges}", range(items.least, items.most, 0, u64::MAX))
            }
            Instruction::MembersAtLeast(count) => format!("MembersAtLeast {}", self.counts[count]),
            Instruction::MembersAtMost(count) => format!("MembersAtMost {}", self.counts[count]),
            Instruction::Required(id) => format!("Required {:?}", names(&self.names[id])),
            Instruction::DependentRequired(id) => {
                let triggers: Vec<&str> = self.dependent_names[id].triggers().collect();
                format!("DependentRequired {triggers:?}")
            }
            Instruction::Call(_) => format!("Call → {edges}"),
            Instruction::DynamicCall(anchor, _) => format!("DynamicCall anchor {anchor} → {edges}"),
            Instruction::AllOf(_) => format!("AllOf → {edges}"),
            Instruction::AnyOf(_) => format!("AnyOf → {edges}"),
            Instruction::OneOf(_) => format!("OneOf → {edges}"),
            Instruction::Not(_) => format!("Not → {edges}"),
            Instruction::If(_) => format!("If → {edges}"),
            Instruction::DependentSchemas(id) => {
                format!("DependentSchemas {:?} → {edges}", names(&self.named_blocks[id].names))
            }
            Instruction::PrefixItems(_) => format!("PrefixItems → {edges}"),
            Instruction::EachItem(from, _) => format!("EachItem {from}.. → {edges}"),
            Instruction::Contains(id) => {
                let contains = &self.contains[id];
                let most = contains.most.map(|most| most.to_string()).unwrap_or_default();
                format!("Contains {}..{most} → {edges}", contains.least)
            }
            Instruction::Properties(id) => {
                format!("Properties {:?} → {edges}", names(&self.named_blocks[id].names))
            }
            Instruction::PatternProperties(id) => {
                let sources =
                    self.pattern_blocks[id].iter().map(|(pattern, _)| self.patterns[pattern].source());
                format!("PatternProperties {:?} → {edges}", sources.collect::<Vec<_>>())
            }
            Instruction::AdditionalProperties(_) => format!("AdditionalProperties → {edges}"),
            Instruction::EachName(_) => format!("EachName → {edges}"),
            Instruction::Members(id) => format!("Members {:?} → {edges}", names(&self.members[id].names)),
            Instruction::MembersByPattern(id) => {
                format!("MembersByPattern {:?} → {edges}", names(&self.members[id].names))
            }
            Instruction::Pick(id) => {
                let pick = &self.picks[id];
                format!("Pick {:?} of {} → {edges}", pick.name, pick.texts.len() + pick.scalars.len())
            }
            Instruction::EachMember(_) => format!("EachMember → {edges}"),
            Instruction::UnevaluatedItems(_) => format!("UnevaluatedItems → {edges}"),
            Instruction::UnevaluatedProperties(_) => format!("UnevaluatedProperties → {edges}"),
            Instruction::Unevaluated(id) => {
                let unevaluated = &self.unevaluated[id];
                format!("Unevaluated {:?} → {edges}", names(&unevaluated.names))
            }
            Instruction::Annotate(id) => format!("Annotate {}", self.annotations[id].value),
            Instruction::AnnotateText(id) => format!("AnnotateText {}", self.annotations[id].value),
        }
    }
}
