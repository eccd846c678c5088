//! Compiles the tree to a program.
//!
//! A repetition becomes as many copies of its body as it has rounds; the last copy of an unbounded
//! repetition loops. (Repeated characters are [counted](super::counter) instead, where nothing is
//! captured.) In a backtracking search, ECMA-262 has two more rules for a round: it begins without
//! the captures of the one before, and beyond the minimum it must not be empty.
//!
//! ```text
//! (a*)*\1    0000 Split { first: 1, second: 12 }
//!            0001 Save(2)                           where the round began: it must end elsewhere
//!            0002 Save(0)
//!                 …                                 a*
//!            0006 Save(1)
//!            0007 Progress(2)
//!            0008 Split { first: 9, second: 12 }
//!            0009 Save(2)
//!            0010 Forget { first: 0, slots: 2 }
//!            0011 Jump(2)
//!            0012 Backreference(0)
//! ```
//!
//! For `(a*)+` there is a `Clear(2)` instead of the first two: the first round may end anywhere. So
//! `+` needs its body only once, and loops in loops do not outgrow their
//! [size](crate::ecma::Pattern::size).

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use super::{CharSet, Counter, Instruction, Look, Matcher, Section};
use crate::ecma::ast::{self, Assertion, Ast, Group, Repeat};
use crate::ecma::class::Class;

pub(super) fn compile(ast: &Ast, captures: &[u32]) -> Matcher {
    let mut pure = Pure { captures, looks: Vec::new() };
    let exact = !pure.visit(ast);
    let looks = pure.looks;

    let by_offset = looks.iter().zip(0..).map(|((look, _), index)| (look.offset, index)).collect();
    let mut compiler = Compiler { looks: by_offset, ..Compiler::new(captures) };
    let looks = looks.into_iter().map(|(look, first)| Look {
        behind: look.behind,
        negative: look.negative,
        first,
        direct: compiler.section(&look.body, look.behind),
        reverse: compiler.section(&look.body, !look.behind),
    });
    let looks = looks.collect();
    compiler.exact = exact;
    Matcher {
        main: compiler.section(ast, false),
        looks,
        classes: compiler.classes.into(),
        counters: compiler.counters.into(),
        choices: compiler.choices.into(),
        slots: compiler.slots as usize,
        exact,
        anchored: is_anchored(ast),
    }
}

/// Compiles a regular pattern without counters and tries; returns the program and its classes.
pub(super) fn plain(ast: &Ast) -> (Section, Vec<CharSet>) {
    let mut compiler = Compiler { plain: true, ..Compiler::new(&[]) };
    (compiler.section(ast, false), compiler.classes)
}

/// Most rounds of a repeated character that are compiled as copies. More are counted.
pub(in crate::ecma) const MAX_COPIED_ROUNDS: u32 = 8;

/// Returns the class of a repetition's body, if the body always matches one character.
pub(in crate::ecma) fn single(ast: &Ast) -> Option<Arc<Class>> {
    match ast {
        Ast::Class(class) => Some(Arc::clone(class)),
        Ast::Group(group) => single(&group.body),
        Ast::Literal(text) => {
            let mut characters = text.chars();
            let only = characters.next().filter(|_| characters.next().is_none())?;
            Some(Arc::new(Class::point(u32::from(only))))
        }
        Ast::Empty
        | Ast::Assertion(_)
        | Ast::Look(_)
        | Ast::Repeat(_)
        | Ast::Backreference(_)
        | Ast::Concat(_)
        | Ast::Alternate(_) => None,
    }
}

/// Converts to an index in a program. A program with more than `u32::MAX` instructions would not
/// fit into memory, and the limit on its size would have rejected it.
pub(super) fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Whether a match can only begin at the start of the text; `false` in doubt.
fn is_anchored(ast: &Ast) -> bool {
    match ast {
        Ast::Assertion(Assertion::Start) => true,
        Ast::Group(group) => is_anchored(&group.body),
        Ast::Repeat(repeat) => repeat.min > 0 && is_anchored(&repeat.body),
        Ast::Concat(items) => {
            // Items before the anchor must not consume anything.
            let mut items = items.iter().skip_while(|item| is_instant(item) && !is_anchored(item));
            items.next().is_some_and(is_anchored)
        }
        Ast::Alternate(branches) => branches.iter().all(is_anchored),
        Ast::Empty
        | Ast::Literal(_)
        | Ast::Class(_)
        | Ast::Assertion(_)
        | Ast::Look(_)
        | Ast::Backreference(_) => false,
    }
}

fn is_instant(ast: &Ast) -> bool {
    matches!(ast, Ast::Empty | Ast::Assertion(_) | Ast::Look(_))
}

/// Collects the lookarounds that can be answered for a place alone.
struct Pure<'p> {
    captures: &'p [u32],
    /// Inner ones before outer ones, each with the index of the first one inside it.
    looks: Vec<(&'p ast::Look, usize)>,
}

impl<'p> Pure<'p> {
    /// Whether there is no backreference, and no group to which one refers.
    fn visit(&mut self, ast: &'p Ast) -> bool {
        let first = self.looks.len();
        let own = match ast {
            Ast::Backreference(_) => false,
            Ast::Group(group) => capture(group, self.captures).is_none(),
            Ast::Empty
            | Ast::Literal(_)
            | Ast::Class(_)
            | Ast::Assertion(_)
            | Ast::Look(_)
            | Ast::Repeat(_)
            | Ast::Concat(_)
            | Ast::Alternate(_) => true,
        };
        let pure = ast.children().iter().fold(own, |pure, child| self.visit(child) && pure);
        if let Ast::Look(look) = ast
            && pure
        {
            self.looks.push((look, first));
        }
        pure
    }
}

/// Returns the index of a group among those that must capture, if it is one.
fn capture(group: &Group, captures: &[u32]) -> Option<u32> {
    captures.binary_search(&group.number?).ok().map(index)
}

pub(super) struct Compiler<'p> {
    captures: &'p [u32],
    /// The lookarounds that are compiled on their own, by their offset in the source.
    looks: BTreeMap<usize, u32>,
    /// The indices of classes, by their address: copies share one.
    known: BTreeMap<*const Class, u32>,
    classes: Vec<CharSet>,
    counters: Vec<Counter>,
    pub(super) choices: Vec<(char, u32)>,
    /// Whether to emit only plain instructions.
    plain: bool,
    /// Whether captures matter in this section.
    exact: bool,
    slots: u32,
    pub(super) code: Vec<Instruction>,
    /// Whether the section is read from right to left.
    pub(super) backward: bool,
    /// The captures that the section has so far.
    saved: Vec<u32>,
}

impl<'p> Compiler<'p> {
    fn new(captures: &'p [u32]) -> Compiler<'p> {
        Compiler {
            captures,
            looks: BTreeMap::new(),
            known: BTreeMap::new(),
            classes: Vec::new(),
            counters: Vec::new(),
            choices: Vec::new(),
            plain: false,
            exact: false,
            slots: index(captures.len() * 2),
            code: Vec::new(),
            backward: false,
            saved: Vec::new(),
        }
    }

    fn section(&mut self, ast: &Ast, backward: bool) -> Section {
        self.backward = backward;
        self.ast(ast);
        self.code.push(Instruction::Match);
        std::mem::take(&mut self.code).into()
    }

    /// Returns the index of the next instruction.
    pub(super) fn here(&self) -> u32 {
        index(self.code.len())
    }

    pub(super) fn ast(&mut self, ast: &Ast) {
        match ast {
            Ast::Empty => {}
            Ast::Literal(text) if self.backward => {
                self.code.extend(text.chars().rev().map(Instruction::Char));
            }
            Ast::Literal(text) => self.code.extend(text.chars().map(Instruction::Char)),
            Ast::Class(class) => self.class(class),
            Ast::Assertion(assertion) => self.code.push(Instruction::Assert(*assertion)),
            Ast::Group(group) => self.group(group),
            Ast::Look(look) => self.look(look),
            Ast::Repeat(repeat) => self.repeat(repeat),
            Ast::Backreference(group) => {
                // INVARIANT: `captures` has every group to which a reference is left.
                if let Ok(at) = self.captures.binary_search(group) {
                    self.code.push(Instruction::Backreference(index(at)));
                }
            }
            Ast::Concat(items) if self.backward => items.iter().rev().for_each(|item| self.ast(item)),
            Ast::Concat(items) => items.iter().for_each(|item| self.ast(item)),
            Ast::Alternate(branches) => self.alternate(branches),
        }
    }

    fn class(&mut self, class: &Arc<Class>) {
        if let ([(start, end)], []) = (class.ranges(), class.properties())
            && start == end
        {
            return self.code.push(Instruction::Char(*start));
        }
        let id = self.set(class);
        self.code.push(Instruction::Class(id));
    }

    fn set(&mut self, class: &Arc<Class>) -> u32 {
        *self.known.entry(Arc::as_ptr(class)).or_insert_with(|| {
            self.classes.push(CharSet::new(class));
            index(self.classes.len() - 1)
        })
    }

    fn group(&mut self, group: &Group) {
        let Some(capture) = capture(group, self.captures) else {
            return self.ast(&group.body);
        };
        let (start, end) = (2 * capture, 2 * capture + 1);
        let (first, last) = if self.backward { (end, start) } else { (start, end) };
        self.code.push(Instruction::Save(first));
        self.ast(&group.body);
        self.code.push(Instruction::Save(last));
        self.saved.push(capture);
    }

    fn look(&mut self, look: &ast::Look) {
        if let Some(&id) = self.looks.get(&look.offset) {
            return self.code.push(Instruction::Look(id));
        }
        let enter = self.code.len();
        self.code.push(Instruction::Leave);
        let outside = std::mem::replace(&mut self.backward, look.behind);
        self.ast(&look.body);
        self.backward = outside;
        self.code.push(Instruction::Leave);
        self.code[enter] =
            Instruction::Enter { behind: look.behind, negative: look.negative, next: self.here() };
    }

    fn alternate(&mut self, branches: &[Ast]) {
        if !self.plain && !self.exact && self.trie(branches) {
            return;
        }
        let Some((last, others)) = branches.split_last() else { return };
        let mut ends = Vec::with_capacity(others.len());
        for branch in others {
            let split = self.code.len();
            self.code.push(Instruction::Match);
            self.ast(branch);
            ends.push(self.code.len());
            self.code.push(Instruction::Match);
            self.code[split] = Instruction::Split { first: index(split + 1), second: self.here() };
        }
        self.ast(last);
        for end in ends {
            self.code[end] = Instruction::Jump(self.here());
        }
    }

    fn repeat(&mut self, repeat: &Repeat) {
        if self.counted(repeat) {
            return;
        }
        let progress = (self.exact && repeat.body.may_be_empty()).then_some(self.slots);
        self.slots += u32::from(progress.is_some());
        let begins = self.code.len();
        let mut exits = Vec::new();
        let mut body = 0..0;
        let mut forget = None;

        let rounds = repeat.max.unwrap_or(repeat.min.max(1));
        for round in 0..rounds {
            let optional = round >= repeat.min;
            let looping = repeat.max.is_none() && round + 1 == rounds;
            if optional {
                exits.push(self.code.len());
                self.split(repeat.greedy, self.code.len() + 1);
            }
            match progress {
                Some(slot) if optional => self.code.push(Instruction::Save(slot)),
                Some(slot) if looping => self.code.push(Instruction::Clear(slot)),
                Some(_) | None => {}
            }
            if round == 0 {
                (body, forget) = self.body(&repeat.body);
                if body.is_empty() {
                    // A repetition that matches only the empty string is dropped.
                    return self.code.truncate(begins);
                }
            } else {
                self.code.extend(forget);
                body = self.copy(body);
            }
            if let Some(slot) = progress
                && (optional || looping)
            {
                self.code.push(Instruction::Progress(slot));
            }
        }
        if repeat.max.is_none() {
            exits.push(self.code.len());
            if progress.is_none() && forget.is_none() {
                self.split(repeat.greedy, body.start);
            } else {
                self.split(repeat.greedy, self.code.len() + 1);
                self.code.extend(progress.map(Instruction::Save));
                self.code.extend(forget);
                self.code.push(Instruction::Jump(index(body.start)));
            }
        }
        let end = self.here();
        for exit in exits {
            if let Instruction::Split { first, second } = &mut self.code[exit] {
                *(if repeat.greedy { second } else { first }) = end;
            }
        }
    }

    /// Compiles a repetition as a counter, if it repeats a character and nothing is captured.
    /// Returns whether it did.
    fn counted(&mut self, repeat: &Repeat) -> bool {
        if self.plain || self.exact || repeat.max.unwrap_or(repeat.min) <= MAX_COPIED_ROUNDS {
            return false;
        }
        let Some(class) = single(&repeat.body) else { return false };
        let counter = Counter { class: self.set(&class), min: repeat.min, max: repeat.max };
        self.counters.push(counter);
        let counter = index(self.counters.len() - 1);
        self.code.extend([Instruction::Begin(counter), Instruction::Run(counter)]);
        true
    }

    /// Emits a split: another round at `round`, or an exit that is patched later.
    fn split(&mut self, greedy: bool, round: usize) {
        let (round, exit) = (index(round), 0);
        let (first, second) = if greedy { (round, exit) } else { (exit, round) };
        self.code.push(Instruction::Split { first, second });
    }

    /// Compiles the body of a repetition. Returns its range, and the instruction that resets its
    /// captures.
    fn body(&mut self, body: &Ast) -> (Range<usize>, Option<Instruction>) {
        let saved = self.saved.len();
        let start = self.code.len();
        self.ast(body);
        // INVARIANT: the captures in a body have successive indices.
        let saved = &self.saved[saved..];
        let first = saved.iter().min();
        let forget =
            first.map(|first| Instruction::Forget { first: 2 * first, slots: index(2 * saved.len()) });
        (start..self.code.len(), forget)
    }

    /// Appends a copy of instructions that jump only among themselves or to their end.
    fn copy(&mut self, body: Range<usize>) -> Range<usize> {
        let start = self.code.len();
        let by = index(start - body.start);
        for at in body {
            let copy = self.shifted(self.code[at], by);
            self.code.push(copy);
        }
        start..self.code.len()
    }

    /// Returns an instruction of a body for a copy of the body that is `by` further on.
    fn shifted(&mut self, instruction: Instruction, by: u32) -> Instruction {
        match instruction {
            Instruction::Jump(target) => Instruction::Jump(target + by),
            Instruction::Split { first, second } => {
                Instruction::Split { first: first + by, second: second + by }
            }
            Instruction::Enter { behind, negative, next } => {
                Instruction::Enter { behind, negative, next: next + by }
            }
            // Each copy has runs of its own: the next instruction counts what begins here.
            Instruction::Begin(counter) => {
                self.counters.push(self.counters[counter as usize]);
                Instruction::Begin(index(self.counters.len() - 1))
            }
            Instruction::Run(_) => Instruction::Run(index(self.counters.len() - 1)),
            Instruction::Switch { first, count } => {
                let choices = self.choices.len();
                for at in first..first + count {
                    let (c, target) = self.choices[at as usize];
                    self.choices.push((c, target + by));
                }
                Instruction::Switch { first: index(choices), count }
            }
            Instruction::Char(_)
            | Instruction::Class(_)
            | Instruction::Backreference(_)
            | Instruction::Assert(_)
            | Instruction::Look(_)
            | Instruction::Leave
            | Instruction::Save(_)
            | Instruction::Clear(_)
            | Instruction::Forget { .. }
            | Instruction::Progress(_)
            | Instruction::Match => instruction,
        }
    }
}
