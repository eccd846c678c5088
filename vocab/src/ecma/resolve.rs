//! Decides which group each backreference can see.
//!
//! In ECMA-262, a reference to a group that took no part matches the empty string, and the captures
//! inside a repetition are reset whenever a round begins. So some references never see anything:
//! they match the empty string, and a pattern without other references is regular. We walk the tree
//! once, in the order in which it is matched, and track for each group whether it may have been
//! filled in the same round:
//!
//! ```text
//! \1(a)  (a\1)  (?:(a)|\1)*  (?!(a))\1  (?<=(a)\1)      never
//! (a)\1  (?:(a)|b)\1  (?<=\1(a))                        perhaps
//! ```

use super::ast::{Ast, Group, Look, Repeat};

/// Replaces each index into `references` by the number of its group, and removes references that
/// can only match the empty string. Returns the groups that are still referred to, ascending.
pub(super) fn resolve(ast: &mut Ast, groups: u32, references: &[u32]) -> Vec<u32> {
    if references.is_empty() {
        return Vec::new();
    }
    let groups = vec![State::default(); groups as usize + 1];
    let mut resolver = Resolver { references, groups, closed: Vec::new(), behind: false };
    resolver.visit(ast);
    let referred = resolver.groups.iter().zip(0..).filter(|(state, _)| state.referred);
    referred.map(|(_, number)| number).collect()
}

/// State of a group at the current place of the walk.
#[derive(Clone, Default)]
struct State {
    /// Whether it may have been filled.
    filled: bool,
    /// While the other branches of an alternative are walked: the value of `filled` after them.
    after: bool,
    referred: bool,
}

struct Resolver<'r> {
    references: &'r [u32],
    /// Indexed by group number; the first is not used.
    groups: Vec<State>,
    /// The groups walked so far, in order. Those inside a node are the ones added since it was
    /// entered.
    closed: Vec<u32>,
    /// Whether matching goes from right to left.
    behind: bool,
}

impl Resolver<'_> {
    fn visit(&mut self, ast: &mut Ast) {
        match ast {
            Ast::Empty | Ast::Literal(_) | Ast::Class(_) | Ast::Assertion(_) => {}
            Ast::Backreference(index) => {
                let group = self.references[*index as usize];
                let state = &mut self.groups[group as usize];
                state.referred |= state.filled;
                *ast = if state.filled { Ast::Backreference(group) } else { Ast::Empty };
            }
            Ast::Group(group) => self.group(group),
            Ast::Look(look) => self.look(look),
            Ast::Repeat(repeat) => self.repeat(repeat),
            Ast::Concat(items) if self.behind => items.iter_mut().rev().for_each(|item| self.visit(item)),
            Ast::Concat(items) => items.iter_mut().for_each(|item| self.visit(item)),
            Ast::Alternate(branches) => self.alternate(branches),
        }
    }

    fn group(&mut self, group: &mut Group) {
        self.visit(&mut group.body);
        if let Some(number) = group.number {
            self.closed.push(number);
            self.groups[number as usize].filled = true;
        }
    }

    fn look(&mut self, look: &mut Look) {
        let entered = self.closed.len();
        let outside = std::mem::replace(&mut self.behind, look.behind);
        self.visit(&mut look.body);
        self.behind = outside;
        if look.negative {
            self.since(entered, |state| state.filled = false);
        }
    }

    fn repeat(&mut self, repeat: &mut Repeat) {
        let entered = self.closed.len();
        self.visit(&mut repeat.body);
        if repeat.max == Some(0) || (repeat.min == 0 && repeat.body.is_zero_width()) {
            // ECMA-262 discards an empty round once the minimum is reached, with all that it
            // captured.
            self.since(entered, |state| state.filled = false);
        }
    }

    fn alternate(&mut self, branches: &mut [Ast]) {
        let entered = self.closed.len();
        for branch in branches {
            let before = self.closed.len();
            self.visit(branch);
            self.since(before, |state| {
                state.after = state.filled;
                state.filled = false;
            });
        }
        self.since(entered, |state| state.filled = state.after);
    }

    /// Changes the state of the groups that were closed since there were `entered` of them.
    fn since(&mut self, entered: usize, change: impl Fn(&mut State)) {
        for &number in &self.closed[entered..] {
            change(&mut self.groups[number as usize]);
        }
    }
}
