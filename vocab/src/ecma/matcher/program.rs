//! A regular pattern as a plain program, from which automata are built.

use super::{Instruction, compile};
use crate::ecma::ast::Assertion;
use crate::ecma::class::Class;
use crate::ecma::{Pattern, size};
use std::sync::Arc;

/// A regular pattern as steps. Execution begins with the first; the pattern is found if
/// [`Step::Match`] is reached.
///
/// ```
/// use stanchion_vocab::ecma::{Pattern, Step};
///
/// let program = Pattern::parse("^a+$")?.program(100).expect("a small pattern");
/// assert_eq!(program.steps()[1], Step::Char('a'));
/// assert_eq!(program.steps()[2], Step::Split(1, 3));
/// # Ok::<(), stanchion_vocab::ecma::PatternError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    steps: Box<[Step]>,
    classes: Box<[Arc<Class>]>,
}

/// A step of a [`Program`]. Unless it says otherwise, the next step follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// This character is next.
    Char(char),
    /// The next character is in the class of this index.
    Class(u32),
    /// The place satisfies this assertion.
    Assert(Assertion),
    /// The step of this index follows.
    Jump(u32),
    /// Either of these steps follows.
    Split(u32, u32),
    /// The pattern was found.
    Match,
}

impl Program {
    pub(crate) fn new(pattern: &Pattern, limit: u64) -> Option<Program> {
        if !pattern.is_regular() || size::expanded(&pattern.ast) > limit {
            return None;
        }
        let (code, classes) = compile::plain(&pattern.ast);
        let steps = code.iter().map(|instruction| match *instruction {
            Instruction::Char(c) => Some(Step::Char(c)),
            Instruction::Class(class) => Some(Step::Class(class)),
            Instruction::Assert(assertion) => Some(Step::Assert(assertion)),
            Instruction::Jump(target) => Some(Step::Jump(target)),
            Instruction::Split { first, second } => Some(Step::Split(first, second)),
            Instruction::Match => Some(Step::Match),
            // INVARIANT: a plain program of a regular pattern has none of these.
            Instruction::Backreference(_)
            | Instruction::Switch { .. }
            | Instruction::Begin(_)
            | Instruction::Run(_)
            | Instruction::Look(_)
            | Instruction::Enter { .. }
            | Instruction::Leave
            | Instruction::Save(_)
            | Instruction::Clear(_)
            | Instruction::Forget { .. }
            | Instruction::Progress(_) => None,
        });
        Some(Program {
            steps: steps.collect::<Option<_>>()?,
            classes: classes.iter().map(|set| Arc::clone(&set.class)).collect(),
        })
    }

    /// Returns all steps; the last one is a [`Step::Match`].
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the classes to which steps refer.
    pub fn classes(&self) -> &[Arc<Class>] {
        &self.classes
    }
}
