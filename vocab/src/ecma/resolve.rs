//! What each backreference can see, and whether fancy-regex sees the same.
//!
//! In ECMA-262 a reference to a group that took no part matches the empty string; in fancy-regex it
//! fails. And ECMA-262 forgets the captures inside a repetition whenever a round begins;
//! fancy-regex keeps them. So we walk the tree once, in the order in which it is matched, and know
//! for each group whether it was filled in the same round:
//!
//! ```text
//! \1(a)         never: the reference is the empty string. So are (a\1), (?:(a)|\1)* and (?!(a))\1
//! (a)\1         always: an ordinary reference
//! (?:(a)|b)\1   perhaps: a conditional, see `fancy.rs`
//! ```
//!
//! What remains different is refused. The list, with reasons, is in the [module's](super)
//! documentation.

use super::ast::{Ast, Group, Look, Repeat};
use super::error::{Kind, PatternError};
use super::parse::Reference;

/// Replaces the references' indices by numbers, or the references by nothing where they can only
/// match that. Returns the groups that still are referred to.
pub(super) fn resolve(
    ast: &mut Ast,
    groups: u32,
    references: &[Reference],
) -> Result<Vec<u32>, PatternError> {
    if references.is_empty() {
        return Ok(Vec::new());
    }
    let mut resolver = Resolver {
        references,
        groups: vec![State::default(); groups as usize + 1],
        closed: Vec::new(),
        doubtful: Vec::new(),
        behind: false,
        in_behind: false,
        in_loop: false,
        in_looped_look: false,
    };
    resolver.visit(ast)?;
    for (offset, group) in resolver.doubtful {
        if resolver.groups[group as usize].stale {
            return Err(unsupported(offset, "a backreference to a group that a repetition may skip"));
        }
    }
    let referred = resolver.groups.iter().zip(0..).filter(|(state, _)| state.referred);
    Ok(referred.map(|(_, number)| number).collect())
}

fn unsupported(offset: usize, what: &'static str) -> PatternError {
    PatternError::new(offset, Kind::Unsupported(what))
}

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Filled {
    #[default]
    Never,
    Perhaps,
    Always,
}

/// What is known of a group at the place where the walk is.
#[derive(Clone, Default)]
struct State {
    filled: Filled,
    /// While the other branches of an alternative are walked: what will hold after them.
    after: Filled,
    /// A repetition may skip the group and leave fancy-regex with an old capture.
    stale: bool,
    /// Why fancy-regex would take the wrong capture from here on.
    hazard: Option<&'static str>,
    referred: bool,
}

struct Resolver<'r> {
    references: &'r [Reference],
    /// By number; the first is not used.
    groups: Vec<State>,
    /// The groups that were walked, in that order: those of a node are the ones since it was
    /// entered.
    closed: Vec<u32>,
    /// References to groups that are filled perhaps.
    doubtful: Vec<(usize, u32)>,
    /// Whether matching goes from right to left here.
    behind: bool,
    /// Whether a lookbehind is open, perhaps with a lookahead in it.
    in_behind: bool,
    in_loop: bool,
    in_looped_look: bool,
}

impl Resolver<'_> {
    fn visit(&mut self, ast: &mut Ast) -> Result<(), PatternError> {
        match ast {
            Ast::Empty | Ast::Literal(_) | Ast::Class(_) | Ast::Assertion(_) => Ok(()),
            Ast::Backreference { group, .. } => {
                *ast = self.reference(*group as usize)?;
                Ok(())
            }
            Ast::Group(group) => self.group(group),
            Ast::Look(look) => self.look(look),
            Ast::Repeat(repeat) => self.repeat(repeat),
            Ast::Concat(items) if self.behind => items.iter_mut().rev().try_for_each(|item| self.visit(item)),
            Ast::Concat(items) => items.iter_mut().try_for_each(|item| self.visit(item)),
            Ast::Alternate(branches) => self.alternate(branches),
        }
    }

    fn reference(&mut self, index: usize) -> Result<Ast, PatternError> {
        let &Reference { offset, group } = &self.references[index];
        let state = &mut self.groups[group as usize];
        if state.filled == Filled::Never {
            return Ok(Ast::Empty);
        }
        if self.in_behind {
            return Err(unsupported(offset, "a backreference in a lookbehind"));
        }
        if let Some(hazard) = state.hazard {
            return Err(unsupported(offset, hazard));
        }
        state.referred = true;
        let certain = state.filled == Filled::Always;
        if !certain {
            self.doubtful.push((offset, group));
        }
        Ok(Ast::Backreference { group, certain })
    }

    fn group(&mut self, group: &mut Group) -> Result<(), PatternError> {
        self.visit(&mut group.body)?;
        if let Some(number) = group.number {
            self.closed.push(number);
            let state = &mut self.groups[number as usize];
            state.filled = Filled::Always;
            if self.in_behind {
                state.hazard = Some("a backreference to a group in a lookbehind");
            } else if self.in_looped_look {
                state.hazard = Some("a backreference to a group in a lookahead in a repetition");
            }
        }
        Ok(())
    }

    fn look(&mut self, look: &mut Look) -> Result<(), PatternError> {
        let entered = self.closed.len();
        let outside = (self.behind, self.in_behind, self.in_looped_look);
        self.behind = look.behind;
        self.in_behind |= look.behind;
        self.in_looped_look |= self.in_loop;
        self.visit(&mut look.body)?;
        (self.behind, self.in_behind, self.in_looped_look) = outside;
        if look.negative {
            self.since(entered, |state| state.filled = Filled::Never);
        }
        Ok(())
    }

    fn repeat(&mut self, repeat: &mut Repeat) -> Result<(), PatternError> {
        let entered = self.closed.len();
        let loops = repeat.max.is_none_or(|max| max > 1);
        let outside = self.in_loop;
        self.in_loop |= loops;
        self.visit(&mut repeat.body)?;
        self.in_loop = outside;
        if repeat.max == Some(0) || (repeat.min == 0 && repeat.body.is_zero_width()) {
            // ECMA-262 discards an empty round once the minimum is reached, with all that it
            // captured.
            self.since(entered, |state| state.filled = Filled::Never);
            return Ok(());
        }
        if loops {
            let may_be_empty = entered < self.closed.len() && repeat.body.may_be_empty();
            self.since(entered, |state| {
                state.stale |= state.filled == Filled::Perhaps;
                if may_be_empty && state.hazard.is_none() {
                    state.hazard = Some("a backreference to a group in a repetition of what may be empty");
                }
            });
        }
        if repeat.min == 0 {
            self.since(entered, |state| state.filled = state.filled.min(Filled::Perhaps));
        }
        Ok(())
    }

    fn alternate(&mut self, branches: &mut [Ast]) -> Result<(), PatternError> {
        let entered = self.closed.len();
        for branch in branches {
            let before = self.closed.len();
            self.visit(branch)?;
            self.since(before, |state| {
                state.after = state.filled.min(Filled::Perhaps);
                state.filled = Filled::Never;
            });
        }
        self.since(entered, |state| state.filled = state.after);
        Ok(())
    }

    /// Changes the state of the groups that were closed since there were `entered` of them.
    fn since(&mut self, entered: usize, change: impl Fn(&mut State)) {
        for &number in &self.closed[entered..] {
            change(&mut self.groups[number as usize]);
        }
    }
}
