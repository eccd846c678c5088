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
use crate::keyword::apply::Halt;
use crate::limits::{Exhausted, Limits};
use crate::program::{Applicator, BlockId, Gate, Plain, Program};
use crate::run::Asker;
use crate::validator::{Remember, Verdict};
use std::sync::Arc;
use tree::OwnedEdge;
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
        let (ended, ask) = self.decide(node);
        let verdict = Verdict::of(ended);
        (verdict, self.errors_of(verdict, ask, is_first, node).0)
    }

    /// The verdict on an instance, with its errors and annotations.
    pub(crate) fn whole<'a, N: Node<'a>>(&self, node: N) -> Whole {
        let (ended, ask) = self.decide(node);
        let verdict = Verdict::of(ended);
        let (found, ask) = self.errors_of(verdict, ask, false, node);
        let mut tree = Tree::default();
        let mut is_cut = true;
        let mut exhausted = found.errors.last().and_then(ValidationError::exhausted);
        if let (Some(ask), Verdict::Valid | Verdict::Invalid) = (ask, verdict) {
            let mut walker = Walker::new(self.program, ask, Mode::Everything, self.limits.errors, false);
            let holds = verdict == Verdict::Valid;
            let ended = walker.enter(OwnedEdge::ROOT, OwnedStep::Here, ROOT, node, holds);
            is_cut = ended.is_err() || walker.sink.is_cut;
            if ended.is_err() {
                exhausted = Some(walker.ask.budget().why());
            }
            tree = walker.tree;
        }
        let explanation = Explanation { program: Arc::clone(self.program), tree };
        Whole { verdict, found, explanation, is_cut, exhausted }
    }

    fn decide<'a, N: Node<'a>>(&self, node: N) -> (Result<bool, Exhausted>, Asker<'_>) {
        Asker::decide(self.program, self.limits, self.remember, self.root, node)
    }

    /// The errors that go with a verdict, and the budget, if something is left of it.
    fn errors_of<'p, 'a, N: Node<'a>>(
        &'p self,
        verdict: Verdict,
        ask: Asker<'p>,
        is_first: bool,
        node: N,
    ) -> (FoundErrors, Option<Asker<'p>>) {
        match verdict {
            Verdict::Valid => return (FoundErrors::default(), Some(ask)),
            Verdict::Undecided(why) => {
                return (FoundErrors { errors: vec![ValidationError::exhaustion(why)], is_cut: false }, None);
            }
            Verdict::Invalid => {}
        }
        let limit = if is_first { self.limits.errors.min(1) } else { self.limits.errors };
        let mut walker = Walker::new(self.program, ask, Mode::Errors, limit, is_first);
        let ended = walker.enter(OwnedEdge::ROOT, OwnedStep::Here, ROOT, node, false);
        let Walker { tree, sink, mut ask, .. } = walker;
        let explanation = Arc::new(Explanation { program: Arc::clone(self.program), tree });
        let error = |&unit: &u32| ValidationError::of(&explanation, unit);
        let mut found = FoundErrors { errors: sink.errors.iter().map(error).collect(), is_cut: sink.is_cut };
        if ended == Err(Halt::Stopped) {
            found.errors.push(ValidationError::exhaustion(ask.budget().why()));
            return (found, None);
        }
        // What is invalid has an error, or there was no room for one.
        if found.errors.is_empty() && self.limits.errors > 0 {
            found.errors.push(ValidationError::exhaustion(Exhausted::Memory));
        }
        (found, Some(ask))
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

    /// The place of an error in the instance. A member that is not known is a fault of its object.
    pub(crate) fn instance_path(&self, unit: u32) -> String {
        path::instance_path(&self.tree, self.place_of(unit))
    }

    /// The unit that has the place of an error.
    fn place_of(&self, unit: u32) -> u32 {
        let is_of_object = matches!(self.tree.failure(unit), Some(Failure::Unknown(_)));
        // The instruction that applied the `false` is on the object.
        let parent = |unit: u32| self.tree.unit(unit).parent;
        if is_of_object { parent(parent(unit)) } else { unit }
    }

    /// The innermost union that a unit is in.
    pub(crate) fn union_around(&self, unit: u32) -> Option<u32> {
        let is_union = |&unit: &u32| self.tree.failure(unit).is_some_and(Failure::is_open_union);
        self.tree.chain(unit).skip(1).find(is_union)
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
            let applied = applied.map(|at| self.program.code[at as usize]);
            let is_called = matches!(
                applied,
                Some(Plain::Apply(Applicator::Call(_)) | Plain::Apply(Applicator::AllOf(_)))
            );
            let is_conditional =
                matches!(applied, Some(Plain::Apply(Applicator::If(_)))) && edge.keyword.is_some();
            if *step != OwnedStep::Here || !(is_called || is_conditional) {
                found.push(*block);
                break;
            }
            if is_conditional {
                found.push(*block);
            }
        }
        found.reverse();
        found
    }
}
