//! The text form of a program: for tests, `explain`, and bug reports.
//!
//! The long form (`{:#}`) adds what the code of verdicts has in it and no instruction shows: by name, pattern or branch,
//! which types pass, and what is asked of others.

use super::{
    Applicator, Assertion, BlockId, Contains, Fast, Gate, Interval, NameTable, Operand, Plain, Program,
};
use crate::keyword::apply::{On, Token};
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
            let text = self.plain_text(self.code[at as usize]);
            list_instruction(f, at, &text, self.keyword_name(at), pointer)?;
        }
        let plain = self.plain_of(id).iter().filter_map(|plain| plain.for_verdicts());
        let is_same = plain.eq(self.fast_of(id));
        let is_run = fast.gate.block == id && !fast.gate.asks().is_empty();
        if fast.gate != Gate::to(id) || !is_same {
            let (passes, asks, block) = (fast.gate.passes(), fast.gate.asks(), fast.gate.block);
            let aside = if block == id { String::new() } else { format!(" → {}", block.0) };
            writeln!(f, "  fast  yes {passes:?}  ask {asks:?}{aside}")?;
        }
        if is_run && !is_same {
            for at in fast.code() {
                let text = self.fast_text(self.fast_code[at as usize].into());
                list_instruction(f, self.number(at), &text, self.fast_keyword_name(at), pointer)?;
                if f.alternate() {
                    self.list_edges(f, at)?;
                }
            }
        }
        Ok(())
    }

    /// Lists the gate of each edge of an instruction. An edge without conditions is in the instruction's text already.
    fn list_edges(&self, f: &mut fmt::Formatter<'_>, at: u32) -> fmt::Result {
        for edge in self.view_fast(at).edges {
            if edge.gate.asks == TypeSet::ALL && edge.gate.then.is_none() {
                continue;
            }
            let required = if edge.required { "  required" } else { "" };
            let separator = if edge.label.is_empty() { "" } else { ": " };
            writeln!(f, "         {}{separator}{}{required}", edge.label, edge.gate)?;
        }
        Ok(())
    }

    pub(super) fn plain_text(&self, instruction: Plain) -> String {
        match instruction {
            Plain::Assert(assertion) => self.assertion_text(assertion),
            Plain::Apply(applicator) => self.applicator_text(applicator),
            Plain::Annotate(id) => format!("Annotate {}", self.annotations[id].value),
            Plain::AnnotateText(id) => format!("AnnotateText {}", self.annotations[id].value),
        }
    }

    pub(super) fn fast_text(&self, instruction: Fast) -> String {
        let mut targets = Vec::new();
        self.visit_fast_edges(instruction, |_, block| targets.push(block));
        let edges = arrows(&targets);
        match instruction {
            Fast::Assert(assertion) => self.assertion_text(assertion),
            Fast::Apply(applicator) => self.applicator_text(applicator),
            Fast::InRange(id) => {
                let Interval { low, high, floats, step, .. } = self.intervals[id];
                let step = if step.get() == 1 { String::new() } else { format!(" by {step}") };
                match floats {
                    Some((low, high)) => format!("InRange {}", range(low, high, f64::MIN, f64::MAX)),
                    None => format!("InRange {low}..={high}{step}"),
                }
            }
            Fast::Text(id) => {
                let text = &self.texts[id];
                let pattern = text.pattern.map(|id| format!(" {:?}", self.patterns[id].source()));
                let format = text.format.map(|id| format!(" {}", self.formats[id].name));
                let parts = pattern.into_iter().chain(format).collect::<String>();
                format!("Text {}{parts}", range(text.least, text.most, 0, u64::MAX))
            }
            Fast::Items(id) => {
                let items = &self.items[id];
                let unique = if items.unique { " unique" } else { "" };
                format!("Items {}{unique}{edges}", range(items.least, items.most, 0, u64::MAX))
            }
            Fast::Members(id) => format!("Members {:?}{edges}", names(&self.members[id].names)),
            Fast::MembersByPattern(id) => {
                format!("MembersByPattern {:?}{edges}", names(&self.members[id].names))
            }
            Fast::EachMember(_) => format!("EachMember{edges}"),
            Fast::Pick(id) => {
                let pick = &self.picks[id];
                format!("Pick {:?} of {}{edges}", pick.name, pick.texts.len() + pick.scalars.len())
            }
            Fast::Unevaluated(id) => {
                format!("Unevaluated {:?}{edges}", names(&self.unevaluated[id].names))
            }
        }
    }

    /// The name of an assertion, and what it compares with.
    fn assertion_text(&self, assertion: Assertion) -> String {
        let name = variant_name(&assertion);
        match assertion.describe(self).1 {
            Operand::Nothing | Operand::Items => name,
            Operand::Types(types) => format!("{name} {types:?}"),
            Operand::Value(value) => format!("{name} {value}"),
            Operand::Values(enumeration) => format!("{name} {}", Value::from(enumeration.values.clone())),
            Operand::Number(number) => format!("{name} {number}"),
            Operand::Multiple(multiple) => format!("{name} {}", multiple.number),
            Operand::Count(count) => format!("{name} {count}"),
            Operand::Pattern(pattern) => format!("{name} {:?}", pattern.source()),
            Operand::Format(format) => format!("{name} {:?}", format.name),
            Operand::Content(content) => {
                let json = if content.json { " json" } else { "" };
                format!("{name}{}{json}", if content.base64 { " base64" } else { "" })
            }
            Operand::Names(table) => format!("{name} {:?}", names(table)),
            Operand::Dependent(dependent) => {
                format!("{name} {:?}", dependent.triggers().collect::<Vec<_>>())
            }
        }
    }

    /// The name of an applicator, to what it applies blocks, and which.
    fn applicator_text(&self, applicator: Applicator) -> String {
        let mut text = variant_name(&applicator);
        let (mut targets, mut labels) = (Vec::new(), Vec::new());
        applicator.edges(self, |edge, on, block| {
            targets.push(block);
            match (edge.token, on) {
                (Token::Member(..), _) => labels.extend(edge.name(self).map(|name| &**name)),
                (Token::Pattern(pattern), _) => labels.push(self.patterns[pattern].source()),
                (Token::Nothing, On::Scope(anchor)) => text.push_str(&format!(" anchor {anchor}")),
                (Token::Nothing, On::ItemsFrom(from)) => text.push_str(&format!(" {from}..")),
                (Token::Nothing | Token::Item(_), _) => {}
            }
        });
        if let Applicator::Contains(id) = applicator {
            let Contains { least, most, .. } = self.contains[id];
            text.push_str(&format!(" {least}..{}", most.map(|most| most.to_string()).unwrap_or_default()));
        }
        if !labels.is_empty() {
            text.push_str(&format!(" {labels:?}"));
        }
        text + &arrows(&targets)
    }
}

fn list_instruction(
    f: &mut fmt::Formatter<'_>,
    at: u32,
    text: &str,
    keyword: Option<&str>,
    pointer: &str,
) -> fmt::Result {
    match keyword {
        Some(keyword) => writeln!(f, "  {at:04} {text:<28} {pointer}/{}", on_one_line(keyword)),
        None => writeln!(f, "  {at:04} {text}"),
    }
}

/// The name of an instruction, without what it refers to.
fn variant_name(instruction: &impl fmt::Debug) -> String {
    let text = format!("{instruction:?}");
    text.split('(').next().unwrap_or_default().to_owned()
}

/// The blocks that an instruction runs.
fn arrows(targets: &[BlockId]) -> String {
    let targets: Vec<String> = targets.iter().map(|block| block.0.to_string()).collect();
    format!(" → {}", targets.join(" "))
}
