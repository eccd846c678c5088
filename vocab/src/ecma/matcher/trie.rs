//! Alternatives that begin with literals, as a trie.
//!
//! Where nothing is captured, the order of alternatives does not matter. So they are sorted, and
//! shared prefixes are stored once. A place with many continuations is one [`Instruction::Switch`]:
//!
//! ```text
//! cat|category|cow|dog    0000 Switch { first: 0, count: 2 }    c: 1, d: 13
//! ```
//!
//! An unanchored list of thousands of words takes one lookup at each place of the text.

use super::Instruction;
use super::compile::{Compiler, index};
use crate::ecma::ast::{Assertion, Ast};

/// Most alternatives that are tried one after the other.
const MAX_SPLITS: usize = 4;

/// A symbol at the beginning of an alternative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Symbol {
    Start,
    End,
    Char(char),
}

/// An alternative: its leading symbols, and the rest.
struct Branch<'a> {
    start: Vec<Symbol>,
    rest: Vec<&'a Ast>,
}

/// Where to write the address of an instruction that is not emitted yet.
#[derive(Clone, Copy)]
enum Patch {
    /// Nowhere: the instruction comes next.
    Next,
    /// The second target of this split.
    Split(usize),
    /// This choice of a switch.
    Choice(usize),
}

/// Branches with a common prefix, not emitted yet.
struct Node {
    from: usize,
    to: usize,
    depth: usize,
    patch: Patch,
}

impl Compiler<'_> {
    /// Compiles alternatives without captures as a trie, if there are enough to be worth it.
    /// Returns whether it did.
    pub(super) fn trie(&mut self, alternatives: &[Ast]) -> bool {
        if alternatives.len() <= MAX_SPLITS {
            return false;
        }
        let mut branches: Vec<Branch<'_>> = Vec::with_capacity(alternatives.len());
        for alternative in alternatives {
            branches.push(self.branch(alternative));
        }
        branches.sort_by(|one, other| one.start.cmp(&other.start));
        let mut ends = Vec::new();
        let mut nodes = vec![Node { from: 0, to: branches.len(), depth: 0, patch: Patch::Next }];
        while let Some(node) = nodes.pop() {
            self.patch(node.patch);
            self.node(&branches, node, &mut nodes, &mut ends);
        }
        let end = self.here();
        for jump in ends {
            self.code[jump] = Instruction::Jump(end);
        }
        true
    }

    /// Reads an alternative in the direction of reading.
    fn branch<'a>(&self, ast: &'a Ast) -> Branch<'a> {
        let mut items = Vec::new();
        flatten(ast, &mut items);
        if self.backward {
            items.reverse();
        }
        let mut start = Vec::new();
        let mut taken = 0;
        for item in &items {
            match item {
                Ast::Assertion(Assertion::Start) => start.push(Symbol::Start),
                Ast::Assertion(Assertion::End) => start.push(Symbol::End),
                Ast::Literal(text) if self.backward => start.extend(text.chars().rev().map(Symbol::Char)),
                Ast::Literal(text) => start.extend(text.chars().map(Symbol::Char)),
                Ast::Empty
                | Ast::Class(_)
                | Ast::Assertion(_)
                | Ast::Group(_)
                | Ast::Look(_)
                | Ast::Repeat(_)
                | Ast::Backreference(_)
                | Ast::Concat(_)
                | Ast::Alternate(_) => break,
            }
            taken += 1;
        }
        items.drain(..taken);
        Branch { start, rest: items }
    }

    fn patch(&mut self, patch: Patch) {
        let here = self.here();
        match patch {
            Patch::Next => {}
            Patch::Split(at) => {
                if let Instruction::Split { second, .. } = &mut self.code[at] {
                    *second = here;
                }
            }
            Patch::Choice(at) => self.choices[at].1 = here,
        }
    }

    /// Emits the common prefix of a node's branches and the branches that end there. The others
    /// become nodes.
    fn node(&mut self, branches: &[Branch<'_>], node: Node, nodes: &mut Vec<Node>, ends: &mut Vec<usize>) {
        let Node { mut from, to, mut depth, .. } = node;
        // They are sorted: a prefix of the first and the last is a prefix of all.
        while let (Some(one), Some(other)) =
            (branches[from].start.get(depth), branches[to - 1].start.get(depth))
            && one == other
        {
            self.symbol(*one);
            depth += 1;
        }
        // Branches that end here come first. If nothing follows either, one is enough.
        let ended = branches[from..to].partition_point(|branch| branch.start.len() == depth);
        let (ended, _) = branches[from..to].split_at(ended);
        from += ended.len();
        let nothing = ended.iter().position(|branch| branch.rest.is_empty());
        let mut ended =
            ended.iter().enumerate().filter(|(at, branch)| !branch.rest.is_empty() || Some(*at) == nothing);
        let mut next = ended.next();
        while let Some((_, branch)) = next {
            next = ended.next();
            let split = (next.is_some() || from < to).then_some(self.code.len());
            if split.is_some() {
                self.code.push(Instruction::Split { first: index(self.code.len() + 1), second: 0 });
            }
            branch.rest.iter().for_each(|item| self.ast(item));
            ends.push(self.code.len());
            self.code.push(Instruction::Match);
            split.into_iter().for_each(|split| self.patch(Patch::Split(split)));
        }
        let mut groups = Vec::new();
        while from < to {
            let symbol = branches[from].start[depth];
            let count = branches[from..to].partition_point(|branch| branch.start[depth] == symbol);
            groups.push((symbol, from, from + count));
            from += count;
        }
        let assertions = groups.partition_point(|(symbol, ..)| !matches!(symbol, Symbol::Char(_)));
        let characters = groups.split_off(assertions);
        let has_switch = characters.len() > MAX_SPLITS;
        let singles = if has_switch { &[][..] } else { &characters };
        let ways: Vec<_> = groups.iter().chain(singles).collect();
        for (at, &&(_, from, to)) in ways.iter().enumerate() {
            let is_last = at + 1 == ways.len() && !has_switch;
            if is_last {
                nodes.push(Node { from, to, depth, patch: Patch::Next });
                return;
            }
            // The other continuation follows; this one is emitted later.
            let split = self.code.len();
            self.code.push(Instruction::Split { first: index(split + 1), second: 0 });
            nodes.push(Node { from, to, depth, patch: Patch::Split(split) });
        }
        if has_switch {
            let first = self.choices.len();
            let count = index(characters.len());
            self.code.push(Instruction::Switch { first: index(first), count });
            for (at, (symbol, from, to)) in characters.into_iter().enumerate() {
                if let Symbol::Char(c) = symbol {
                    self.choices.push((c, 0));
                    nodes.push(Node { from, to, depth: depth + 1, patch: Patch::Choice(first + at) });
                }
            }
        }
    }

    fn symbol(&mut self, symbol: Symbol) {
        self.code.push(match symbol {
            Symbol::Start => Instruction::Assert(Assertion::Start),
            Symbol::End => Instruction::Assert(Assertion::End),
            Symbol::Char(c) => Instruction::Char(c),
        });
    }
}

/// Collects the items of a sequence, with nested groups and sequences flattened.
fn flatten<'a>(ast: &'a Ast, items: &mut Vec<&'a Ast>) {
    match ast {
        Ast::Empty => {}
        Ast::Group(group) => flatten(&group.body, items),
        Ast::Concat(inner) => inner.iter().for_each(|item| flatten(item, items)),
        Ast::Literal(_)
        | Ast::Class(_)
        | Ast::Assertion(_)
        | Ast::Look(_)
        | Ast::Repeat(_)
        | Ast::Backreference(_)
        | Ast::Alternate(_) => items.push(ast),
    }
}
