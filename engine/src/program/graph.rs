//! A program as blocks and what leads from one to the next: for pictures, and for the long form of the listing.
//!
//! It is a copy in words. Nothing here is read by a run, and nothing can be changed through it.

use super::{Applicator, BlockId, Blocks, Fast, Pick, Plain, Program, Test, Unevaluated};
use crate::keyword::apply::{self, On, Token};
use serde_json::Value;
use stanchion_vocab::{Keyword, Type, TypeSet};
use std::fmt;

pub use super::edges::Reach;

/// Which of the two codes of a program is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// As the keywords say it, for explanations.
    Plain,
    /// As the optimizer wrote it, for verdicts.
    Fast,
}

/// One block: a subschema, or two that the optimizer joined.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Block {
    /// Its number, which is its place in [`Program::blocks`].
    pub number: usize,
    /// Where the subschema stands in its document, as a JSON Pointer.
    pub pointer: String,
    /// The URI of the resource whose root is the root of that document; empty for the schema itself.
    pub document: String,
    /// The answer by the type of a node, before the block is entered.
    pub gate: Gate,
    /// Its instructions.
    pub steps: Vec<Step>,
    /// Whether a run may remember what this block said of a node, as it may come here again.
    pub remembers: bool,
    /// Whether it marks what has been evaluated, for an `unevaluated…` keyword.
    pub keeps_marks: bool,
}

/// The answer by the type of a node, and the block to ask if that is not enough.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Gate {
    /// Nodes of these types pass.
    pub passes: TypeSet,
    /// Nodes of these types are asked; those of any other are refused.
    pub asks: TypeSet,
    /// The block that is asked.
    pub block: usize,
    /// The one instruction that is left of that block, if it leads no further. Then the block is not entered.
    pub then: Option<String>,
}

/// One instruction.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Step {
    /// Its number. Those of plain code come before those of fast code.
    pub number: u32,
    /// Its name: `Members`.
    pub name: String,
    /// Its name and its operand: `LengthAtLeast 3`. The blocks that it leads to are in `edges`.
    pub text: String,
    /// The keyword that it comes from; none for a `false`.
    pub keyword: Option<String>,
    /// Whether it is several keywords in one pass, as only the optimizer makes them.
    pub is_fused: bool,
    /// The edges to the blocks that it leads to.
    pub edges: Vec<Edge>,
}

/// A way from an instruction to a block.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Edge {
    /// The label: a name, a pattern, a value, or a word such as `then`. May be empty.
    pub label: String,
    /// Whether a member of that name has to be there.
    pub required: bool,
    /// The nodes that the block is run on.
    pub reach: Reach,
    /// Where it leads, and for which types.
    pub gate: Gate,
}

impl Edge {
    /// The block to which this leads, unless the type or one instruction decides.
    pub fn target(&self) -> Option<usize> {
        (!self.gate.asks.is_empty() && self.gate.then.is_none()).then_some(self.gate.block)
    }
}

impl fmt::Display for Gate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.passes == TypeSet::ALL {
            return f.write_str("any");
        }
        if self.passes.is_empty() && self.asks.is_empty() {
            return f.write_str("never");
        }
        if self.asks.is_empty() {
            return write!(f, "{}", self.passes);
        }
        // Numbers with a fraction and without are asked alike.
        let asked = if self.asks.has(Type::Number) { self.asks.with(Type::Number) } else { self.asks };
        let all_others_pass = self.passes.or(self.asks) == TypeSet::ALL;
        if !self.passes.is_empty() && !all_others_pass {
            write!(f, "{}; ", self.passes)?;
        }
        if asked != TypeSet::ALL {
            write!(f, "{asked} ")?;
        }
        match &self.then {
            Some(then) => write!(f, "if {then}")?,
            None => write!(f, "→ {}", self.block)?,
        }
        if all_others_pass && asked != TypeSet::ALL { f.write_str("; any other") } else { Ok(()) }
    }
}

impl Program {
    /// Its blocks by number, with the one or the other of their codes.
    pub fn blocks(&self, code: Code) -> Vec<Block> {
        (0..self.blocks.len() as u32).map(|index| self.view_block(BlockId(index), code)).collect()
    }

    fn view_block(&self, id: BlockId, code: Code) -> Block {
        let block = self.block(id);
        let steps = match code {
            Code::Plain => block.plain.clone().map(|at| self.view_plain(at)).collect(),
            Code::Fast => self.fast(id).code().map(|at| self.view_fast(at)).collect(),
        };
        Block {
            number: id.0 as usize,
            pointer: self.pointer(id),
            document: self.document(id).to_owned(),
            gate: self.view_gate(id, code),
            steps,
            remembers: self.may_repeat && block.is_shared,
            keeps_marks: block.owns_marks,
        }
    }

    /// The URI of the document that a block stands in; empty for the schema itself.
    pub(crate) fn document(&self, id: BlockId) -> &str {
        let mut root = id;
        while self.block(root).parent != root {
            root = self.block(root).parent;
        }
        if root.0 == 0 { "" } else { &self.resources[self.block(root).resource as usize] }
    }

    fn view_plain(&self, at: u32) -> Step {
        let instruction = self.code[at as usize];
        let edges = match instruction {
            Plain::Apply(applicator) => self.view_applicator(applicator, Code::Plain),
            Plain::Assert(_) | Plain::Annotate(_) | Plain::AnnotateText(_) => Vec::new(),
        };
        step(at, &self.plain_text(instruction), self.keyword_name(at), false, edges)
    }

    /// The number of an instruction of fast code. Those of plain code come first.
    pub(super) fn number(&self, at: u32) -> u32 {
        self.code.len() as u32 + at
    }

    pub(super) fn view_fast(&self, at: u32) -> Step {
        let instruction = self.fast_code[at as usize].into();
        let (is_fused, edges) = match instruction {
            Fast::Assert(_) => (false, Vec::new()),
            Fast::Apply(applicator) => (false, self.view_applicator(applicator, Code::Fast)),
            Fast::InRange(_) | Fast::Text(_) => (true, Vec::new()),
            Fast::Members(id) | Fast::MembersByPattern(id) => (true, self.view_members(id)),
            Fast::Items(id) => (true, self.view_items(id)),
            Fast::EachMember(_) => (true, self.view_fused(instruction, vec!["members".to_owned()])),
            Fast::Pick(id) => (true, self.view_fused(instruction, self.pick_labels(&self.picks[id]))),
            Fast::Unevaluated(id) => {
                (true, self.view_fused(instruction, self.unevaluated_labels(&self.unevaluated[id])))
            }
        };
        step(self.number(at), &self.fast_text(instruction), self.fast_keyword_name(at), is_fused, edges)
    }

    /// Returns the gate of a block.
    fn view_gate(&self, id: BlockId, code: Code) -> Gate {
        match code {
            Code::Fast => self.view_fast_gate(self.gate(id)),
            Code::Plain => {
                Gate { passes: TypeSet::NONE, asks: TypeSet::ALL, block: id.0 as usize, then: None }
            }
        }
    }

    fn view_fast_gate(&self, gate: &super::Gate) -> Gate {
        // A walk over members or items says more than fits into a line, even if it leads nowhere.
        let mut leads_on =
            matches!(gate.then.into(), Fast::Members(_) | Fast::MembersByPattern(_) | Fast::Items(_));
        self.visit_fast_edges(gate.then.into(), |_, _| leads_on = true);
        let then = (!leads_on).then(|| self.fast_text(gate.then.into()));
        Gate { passes: gate.passes(), asks: gate.asks(), block: gate.block.0 as usize, then }
    }

    fn view_applicator(&self, applicator: Applicator, code: Code) -> Vec<Edge> {
        let mut edges = Vec::new();
        applicator.edges(self, |edge, on, block| {
            let label = self.edge_label(edge, on);
            edges.push(Edge { label, required: false, reach: on.reach(), gate: self.view_gate(block, code) });
        });
        edges
    }

    /// The edges of an instruction that only fast code has, with labels in their order.
    fn view_fused(&self, instruction: Fast, labels: Vec<String>) -> Vec<Edge> {
        let (mut labels, mut edges) = (labels.into_iter(), Vec::new());
        self.visit_fast_edges(instruction, |reach, block| {
            let label = labels.next().unwrap_or_default();
            edges.push(Edge { label, required: false, reach, gate: self.view_gate(block, Code::Fast) });
        });
        edges
    }

    /// All names of a walk, also those that lead nowhere: they are what the type alone decides.
    fn view_members(&self, id: super::Id<super::Members>) -> Vec<Edge> {
        let members = &self.members[id];
        let edge = |label: String, required, gate| Edge { label, required, reach: Reach::Below, gate };
        let mut edges: Vec<Edge> = Vec::new();
        for (name, member) in members.names.iter().zip(members.names.values()) {
            let required = members.required.1 & 1u64.checked_shl(member.bit.into()).unwrap_or(0) != 0;
            // Beside patterns, what is only required is left to them and to the rest.
            let is_left = members.patterned.is_some() && !member.is_property;
            let gate = if is_left { &members.rest } else { &member.gate };
            edges.push(edge(quoted(name), required, self.view_fast_gate(gate)));
        }
        for (pattern, block) in members.patterned.iter().flat_map(|&id| self.pattern_blocks[id].iter()) {
            let label = format!("/{}/", self.patterns[pattern].source());
            edges.push(edge(label, false, self.view_gate(block, Code::Fast)));
        }
        edges.push(edge("others".to_owned(), false, self.view_fast_gate(&members.rest)));
        edges
    }

    /// All places of a walk over items.
    fn view_items(&self, id: super::Id<super::Items>) -> Vec<Edge> {
        let items = &self.items[id];
        let edge = |label: String, gate| Edge {
            label,
            required: false,
            reach: Reach::Below,
            gate: self.view_fast_gate(gate),
        };
        let first = items.first.iter().enumerate().map(|(index, gate)| edge(index.to_string(), gate));
        let rest = if items.first.is_empty() { "items" } else { "others" };
        first.chain([edge(rest.to_owned(), &items.rest)]).collect()
    }

    /// Returns the label of an edge of an applicator. A call needs no word.
    fn edge_label(&self, edge: apply::Edge, on: On) -> String {
        match edge.token {
            Token::Item(index) => return index.to_string(),
            Token::Member(..) => return edge.name(self).map_or_else(String::new, |name| quoted(name)),
            Token::Pattern(pattern) => return format!("/{}/", self.patterns[pattern].source()),
            Token::Nothing => {}
        }
        let word = match on {
            On::Test => "if",
            On::Not => "not",
            On::Scope(_) => "unless the scope has another",
            On::ItemsFrom(from) if from > 0 => return format!("items from {from}"),
            On::Item | On::ItemsFrom(_) | On::SomeItems => "items",
            On::OtherMembers => "others",
            On::Names => "names",
            On::UnevaluatedItems | On::UnevaluatedMembers => "unevaluated",
            On::Node | On::NodeWith | On::Branch | On::Member | On::MatchingMembers => {
                edge.keyword.map_or("", Keyword::name)
            }
        };
        word.to_owned()
    }

    /// By branch that decides what is evaluated: its place; then the members and items that are left.
    fn unevaluated_labels(&self, unevaluated: &Unevaluated) -> Vec<String> {
        let mut labels = Vec::new();
        for part in &unevaluated.parts {
            match part {
                Test::Union { blocks, .. } => {
                    labels.extend((0..blocks.len()).map(|index| index.to_string()));
                }
                Test::If { then, otherwise, .. } => {
                    let words =
                        ["if"].into_iter().chain(then.map(|_| "then")).chain(otherwise.map(|_| "else"));
                    labels.extend(words.map(str::to_owned));
                }
                Test::Dependent(name, _) => labels.push(quoted(name)),
            }
        }
        let rest = unevaluated.members.into_iter().chain(unevaluated.rest);
        labels.extend(rest.map(|_| "unevaluated".to_owned()));
        labels
    }

    /// By branch of a pick: the values of the member that leave it.
    fn pick_labels(&self, pick: &Pick) -> Vec<String> {
        let texts = pick.texts.iter().map(quoted).zip(pick.texts.values());
        let scalars = pick.scalars.iter().map(|&(scalar, blocks)| (scalar.to_string(), blocks));
        let values: Vec<(String, Blocks)> = texts.chain(scalars).collect();
        let label = |branch: &BlockId| {
            let leaves = |blocks: Blocks| self.list(blocks).contains(branch);
            let mut words: Vec<&str> = values
                .iter()
                .filter(|(_, blocks)| leaves(*blocks))
                .map(|(value, _)| value.as_str())
                .collect();
            words.extend(leaves(pick.otherwise).then_some("any other"));
            words.extend(leaves(pick.absent).then_some("absent"));
            words.join(", ")
        };
        self.list(pick.all).iter().map(label).collect()
    }
}

fn step(number: u32, text: &str, keyword: Option<&str>, is_fused: bool, edges: Vec<Edge>) -> Step {
    Step {
        number,
        name: text.split(' ').next().unwrap_or_default().to_owned(),
        text: text.split(" →").next().unwrap_or_default().to_owned(),
        keyword: keyword.map(str::to_owned),
        is_fused,
        edges,
    }
}

/// A name as JSON writes it.
fn quoted(name: &str) -> String {
    Value::from(name).to_string()
}
