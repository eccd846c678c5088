//! The content of a picture of a program: a box for each block that a run may enter, a row for each
//! check of the block, and a line from a row to the box where it leads.
//!
//! Blocks that are never entered have no box: if the type decides, or only one instruction is left,
//! the row shows it all.

use std::collections::{HashMap, VecDeque};

use stanchion::graph::{Block, Code, Edge, Reach, Step};

/// Most rows of a box.
const MAX_ROWS: usize = 24;

/// Most characters of a label, and of the text after it.
const MAX_LABEL: usize = 44;

/// A picture without places yet.
pub(crate) struct Picture {
    pub(crate) code: Code,
    pub(crate) boxes: Vec<Box>,
    pub(crate) lines: Vec<Line>,
    /// Blocks that a run may enter and that are not drawn.
    pub(crate) left_out: usize,
}

/// A block.
pub(crate) struct Box {
    pub(crate) block: usize,
    /// Number of the place in the schema, for linking.
    pub(crate) place: usize,
    /// `block 3`
    pub(crate) title: String,
    /// The pointer, cut from the front if it is long.
    pub(crate) pointer: String,
    /// The pointer, whole.
    pub(crate) whole_pointer: String,
    pub(crate) remembers: bool,
    pub(crate) keeps_marks: bool,
    pub(crate) rows: Vec<Row>,
}

/// A line of a box.
pub(crate) struct Row {
    pub(crate) kind: RowKind,
    pub(crate) label: String,
    pub(crate) detail: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RowKind {
    /// The types that are checked at all.
    Types,
    /// An instruction.
    Instruction,
    /// An instruction for several merged keywords.
    Fused,
    /// A target of the instruction above.
    Target,
    /// Number of rows that are not shown.
    More,
}

/// A line from a row to a box.
pub(crate) struct Line {
    /// The box and the row.
    pub(crate) from: (usize, usize),
    pub(crate) to: usize,
    pub(crate) reach: Reach,
}

impl Picture {
    /// Builds a picture of what can be reached from the root, nearest first, up to `most` blocks.
    pub(crate) fn of(blocks: &[Block], code: Code, most: usize) -> Picture {
        let places = number_places(blocks);
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        let mut order = Vec::new();
        let mut queue = VecDeque::from([0]);
        // Everything that a run may enter is counted, also beyond what is drawn.
        let mut entered = vec![false; blocks.len()];
        if let Some(first) = entered.first_mut() {
            *first = true;
        }
        while let Some(number) = queue.pop_front() {
            if order.len() < most {
                numbers.insert(number, order.len());
                order.push(number);
            }
            for target in targets(&blocks[number]) {
                if !std::mem::replace(&mut entered[target], true) {
                    queue.push_back(target);
                }
            }
        }
        let all = entered.iter().filter(|entered| **entered).count();
        let mut picture = Picture { code, boxes: Vec::new(), lines: Vec::new(), left_out: all - order.len() };
        for number in order {
            let block = &blocks[number];
            let mut draft = Draft { rows: Vec::new(), shows_gate: number == 0 };
            draft.block(block);
            draft.cut();
            let from = picture.boxes.len();
            for (row, (_, targets)) in draft.rows.iter().enumerate() {
                for &(target, reach) in targets {
                    if let Some(&to) = numbers.get(&target) {
                        picture.lines.push(Line { from: (from, row), to, reach });
                    }
                }
            }
            picture.boxes.push(Box {
                block: number,
                place: places[number],
                title: format!("block {number}"),
                pointer: cut_front(&block.pointer),
                whole_pointer: format!("{}{}", block.document, block.pointer),
                remembers: block.remembers,
                keeps_marks: block.keeps_marks,
                rows: draft.rows.into_iter().map(|(row, _)| row).collect(),
            });
        }
        picture
    }

    /// Returns a remark on what is not drawn.
    pub(crate) fn remark(&self) -> Option<String> {
        (self.left_out > 0).then(|| {
            let drawn = self.boxes.len();
            format!(
                "{drawn} of {} blocks are drawn, those nearest to the root; --blocks N draws more",
                drawn + self.left_out
            )
        })
    }
}

/// Numbers the places of blocks. Blocks of the same place in the same document share a number.
pub(crate) fn number_places(blocks: &[Block]) -> Vec<usize> {
    let mut known: HashMap<(&str, &str), usize> = HashMap::new();
    let place = |block| {
        let Block { document, pointer, .. }: &Block = block;
        let next = known.len();
        *known.entry((document, pointer)).or_insert(next)
    };
    blocks.iter().map(place).collect()
}

/// Returns the blocks that a block leads to.
fn targets(block: &Block) -> impl Iterator<Item = usize> {
    let aside = (block.gate.block != block.number && block.gate.then.is_none()).then_some(block.gate.block);
    aside.into_iter().chain(block.steps.iter().flat_map(|step| &step.edges).filter_map(Edge::target))
}

/// The rows of a box, each with its target.
struct Draft {
    rows: Vec<(Row, Vec<(usize, Reach)>)>,
    shows_gate: bool,
}

impl Draft {
    fn push(&mut self, kind: RowKind, label: &str, detail: &str, targets: Vec<(usize, Reach)>) {
        self.rows.push((Row { kind, label: cut(label), detail: cut(detail) }, targets));
    }

    fn block(&mut self, block: &Block) {
        let gate = &block.gate;
        let by_type = gate.passes != stanchion::TypeSet::NONE || gate.asks != stanchion::TypeSet::ALL;
        if self.shows_gate && by_type {
            self.push(RowKind::Types, "types", &types(gate), Vec::new());
        }
        if gate.block != block.number {
            match &gate.then {
                Some(then) => self.push(RowKind::Instruction, then, "", Vec::new()),
                None => self.push(
                    RowKind::Instruction,
                    "goes on",
                    &format!("→ {}", gate.block),
                    vec![(gate.block, Reach::Node)],
                ),
            }
            return;
        }
        block.steps.iter().filter(|step| !is_note(step)).for_each(|step| self.step(step));
    }

    fn step(&mut self, step: &Step) {
        let kind = if step.is_fused { RowKind::Fused } else { RowKind::Instruction };
        let leads_to = |edge: &Edge| edge.target().map(|target| (target, edge.reach)).into_iter().collect();
        match (&step.edges[..], step.is_fused) {
            ([], _) => self.push(kind, &step.text, "", Vec::new()),
            ([only], false) => {
                self.push(kind, &head(step), &only.gate.to_string(), leads_to(only));
            }
            (edges, _) => {
                self.push(kind, &head(step), if step.is_fused { "one pass" } else { "" }, Vec::new());
                for edge in edges {
                    let label = if edge.required { format!("{} *", edge.label) } else { edge.label.clone() };
                    self.push(RowKind::Target, &label, &edge.gate.to_string(), leads_to(edge));
                }
            }
        }
    }

    /// Drops rows above the maximum, first those without a target, and adds a row with their
    /// number.
    fn cut(&mut self) {
        if self.rows.len() <= MAX_ROWS {
            return;
        }
        let mut ranks: Vec<usize> = (0..self.rows.len()).collect();
        let is_target = |index: usize| self.rows[index].0.kind == RowKind::Target;
        ranks.sort_by_key(|&index| (is_target(index), self.rows[index].1.is_empty(), index));
        let kept: std::collections::BTreeSet<usize> = ranks.into_iter().take(MAX_ROWS - 1).collect();
        let left = self.rows.len() - kept.len();
        let mut targets = Vec::new();
        let mut index = 0;
        self.rows.retain(|(_, own)| {
            index += 1;
            let is_kept = kept.contains(&(index - 1));
            if !is_kept {
                targets.extend(own);
            }
            is_kept
        });
        self.push(RowKind::More, &format!("… {left} more"), "", targets);
    }
}

/// Describes which types pass and which are checked.
fn types(gate: &stanchion::graph::Gate) -> String {
    let mut words = Vec::new();
    if !gate.passes.is_empty() {
        words.push(format!("{} pass", gate.passes));
    }
    if !gate.asks.is_empty() {
        words.push(format!("{} asked", gate.asks));
    }
    if words.is_empty() { "none".to_owned() } else { words.join("; ") }
}

/// Whether a step is an annotation, which is for reports and checks nothing.
fn is_note(step: &Step) -> bool {
    step.name.starts_with("Annotate")
}

/// Returns an instruction's text, without the names that have rows of their own.
fn head(step: &Step) -> String {
    let has_rows = step.is_fused || step.edges.len() > 1;
    if !has_rows {
        return step.text.clone();
    }
    // A pick is by a member, which no row names.
    if step.name == "Pick" { step.text.clone() } else { step.name.clone() }
}

fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_LABEL) {
        Some(_) => text.chars().take(MAX_LABEL - 1).chain(['…']).collect(),
        None => text.to_owned(),
    }
}

/// Cuts a long pointer at the front, since its end says more.
fn cut_front(pointer: &str) -> String {
    let count = pointer.chars().count();
    if count <= MAX_LABEL {
        pointer.to_owned()
    } else {
        ['…'].into_iter().chain(pointer.chars().skip(count - MAX_LABEL + 1)).collect()
    }
}
