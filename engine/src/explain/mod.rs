//! Why a verdict is no, and what a schema says of a value: the only place that makes errors, annotations and outputs.
//!
//! First a run finds the verdict. Then one walk goes over the code as the keywords say it ([`walk`]), asks the run for the verdict of
//! each block on each node that it comes to, and goes on only into what was rejected; or into everything, where annotations are wanted. Verdict
//! and explanation share one budget.
//!
//! All findings lie in one arena ([`tree`]). An error is the number of a unit in it with a share in the arena; its places ([`path`]), its
//! facts ([`failure`]) and its words are read from there when someone asks. [`union`] says which branch of a union is spoken of,
//! [`names`] which name was meant, [`sketch`] what a right value looks like.
//!
//! ```text
//! {"properties": {"a": {"type": "string"}}}  on  {"a": 1, "b": 2}
//!
//!   0  block 0                            rejects
//!   1    Properties     /properties       applies block 1 to a
//!   2      block 1      step a            rejects
//!   3        Type       /type             failure: expected a string, found 1
//! ```

mod advice;
pub(crate) mod annotations;
mod excerpt;
mod failure;
mod hints;
mod names;
mod notes;
pub(crate) mod path;
mod sketch;
mod tree;
mod union;
mod walk;

pub(crate) use excerpt::Excerpt;
pub(crate) use failure::{Detail, Failure, Places};
pub(crate) use tree::{Note, OwnedStep, Tree, UnitKind};

use crate::error::{ErrorKind, ValidationError};
use crate::instance::Node;
use crate::keyword::apply::{Edge, Halt};
use crate::limits::{Exhausted, Limits};
use crate::program::{Applicator, BlockId, Gate, Plain, Program};
use crate::run::Asker;
use crate::validator::{Remember, Verdict};
use std::sync::Arc;
use walk::Mode;
pub(crate) use walk::Walker;

/// A program, and the limits within which an explanation of it has to stay.
pub(crate) struct Request<'v> {
    pub(crate) program: &'v Arc<Program>,
    pub(crate) limits: &'v Limits,
    pub(crate) remember: Remember,
    /// Where runs begin, if there is nothing else to begin with.
    pub(crate) root: Option<&'v Gate>,
}

/// The findings in an instance, with the program. Errors are read from it.
#[derive(Debug)]
pub(crate) struct Explanation {
    pub(crate) program: Arc<Program>,
    pub(crate) tree: Tree,
}

/// The errors of an instance.
#[derive(Debug, Default)]
pub(crate) struct FoundErrors {
    pub(crate) errors: Vec<ValidationError>,
    /// Whether there are more than may be collected.
    pub(crate) is_cut: bool,
}

impl FoundErrors {
    /// Whether the steps ran out before all errors were found.
    pub(crate) fn ran_out(&self) -> bool {
        self.errors.last().and_then(ValidationError::exhausted) == Some(Exhausted::Steps)
    }
}

/// All that a schema says of an instance.
#[derive(Debug)]
pub(crate) struct Whole {
    pub(crate) verdict: Verdict,
    pub(crate) found: FoundErrors,
    pub(crate) explanation: Explanation,
    /// Whether the budget ended before everything was seen, or failures were left out.
    pub(crate) is_cut: bool,
    /// The limit that was reached, if one was.
    pub(crate) exhausted: Option<Exhausted>,
}

impl Request<'_> {
    /// The verdict on an instance, and its errors: all of them, up to the limit, or only the first.
    pub(crate) fn errors<'a, N: Node<'a>>(&self, is_first: bool, node: N) -> (Verdict, FoundErrors) {
        let (verdict, found, _) = self.find(is_first, node);
        (verdict, found)
    }

    /// The verdict on an instance, with its errors and annotations.
    pub(crate) fn whole<'a, N: Node<'a>>(&self, node: N) -> Whole {
        let (verdict, found, ask) = self.find(false, node);
        let (mut tree, mut is_cut) = (Tree::default(), true);
        let mut exhausted = found.errors.last().and_then(ValidationError::exhausted);
        if let Some(ask) = ask {
            let mut walker = Walker::new(ask, Mode::Everything, self.limits.errors, false);
            let ended = walker.enter(Edge::VALUE, OwnedStep::Here, ROOT, node, verdict == Verdict::Valid);
            is_cut = ended.is_err() || walker.sink.is_cut;
            if ended.is_err() {
                exhausted = Some(walker.ask.budget().why());
            }
            tree = walker.tree;
        }
        let explanation = Explanation { program: Arc::clone(self.program), tree };
        Whole { verdict, found, explanation, is_cut, exhausted }
    }

    /// The verdict on an instance with its errors, and the run with its budget, if something is left of that.
    fn find<'a, N: Node<'a>>(&self, is_first: bool, node: N) -> (Verdict, FoundErrors, Option<Asker<'_>>) {
        let (ended, ask) = Asker::decide(self.program, self.limits, self.remember, self.root, node);
        let verdict = Verdict::of(ended);
        let mut found = FoundErrors::default();
        match verdict {
            Verdict::Valid => return (verdict, found, Some(ask)),
            Verdict::Undecided(why) => {
                found.errors.push(ValidationError::exhaustion(why));
                return (verdict, found, None);
            }
            Verdict::Invalid => {}
        }
        let limit = if is_first { self.limits.errors.min(1) } else { self.limits.errors };
        let mut walker = Walker::new(ask, Mode::Errors, limit, is_first);
        let ended = walker.enter(Edge::VALUE, OwnedStep::Here, ROOT, node, false);
        let Walker { tree, sink, mut ask, .. } = walker;
        let explanation = Arc::new(Explanation { program: Arc::clone(self.program), tree });
        found.errors.extend(sink.errors.iter().map(|&unit| ValidationError::of(&explanation, unit)));
        found.is_cut = sink.is_cut;
        if ended == Err(Halt::Stopped) {
            found.errors.push(ValidationError::exhaustion(ask.budget().why()));
            return (verdict, found, None);
        }
        // What is invalid has an error, or there was no room for one.
        if found.errors.is_empty() && self.limits.errors > 0 {
            found.errors.push(ValidationError::exhaustion(Exhausted::Memory));
        }
        (verdict, found, Some(ask))
    }
}

/// The block of the whole schema.
const ROOT: BlockId = BlockId(0);

impl Explanation {
    /// The facts of an error.
    pub(crate) fn kind(self: &Arc<Self>, unit: u32) -> ErrorKind {
        let error = |&unit: &u32| ValidationError::of(self, unit);
        let inside = |units: &[u32]| units.iter().map(error).collect::<Vec<_>>();
        self.tree.kind(&self.program, unit, &inside).unwrap_or(ErrorKind::Not)
    }

    /// A sketch of what the schema wants of the node that an error is about.
    pub(crate) fn sketch(&self, unit: u32, characters: usize) -> Option<String> {
        sketch::sketch(&self.program, &self.blocks_of_error(unit), characters)
    }

    /// The blocks that speak of the node with the error: the outermost of those that apply each other to it, and `then` or `else` on the way.
    fn blocks_of_error(&self, unit: u32) -> Vec<BlockId> {
        let mut found = Vec::new();
        for unit in self.tree.chain(self.place_of(unit)) {
            let UnitKind::Block { block, step, edge } = &self.tree.unit(unit).kind else { continue };
            let applied = self.tree.at(self.tree.unit(unit).parent).filter(|_| unit > 0);
            let is_called = applied.is_some_and(|at| {
                let applied = self.program.code[at as usize];
                matches!(applied, Plain::Apply(Applicator::Call(_) | Applicator::AllOf(_)))
            });
            let is_conditional = edge.keyword.is_some();
            let is_last = *step != OwnedStep::Here || !(is_called || is_conditional);
            if is_last || is_conditional {
                found.push(*block);
            }
            if is_last {
                break;
            }
        }
        found.reverse();
        found
    }
}
