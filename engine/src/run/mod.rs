//! The interpreter: a block, a node, a verdict. The file to read first.
//!
//! A [`Run`] walks a program and an instance together. [`Run::apply`] enters a block: it pays for
//! that, counts the depth, and goes through the block's instructions until one does not hold. Each
//! instruction is one call into its keyword's file. Giving up is an `Err`, so that no `not` can make
//! a verdict of it.
//!
//! There is one interpreter. What it remembers is up to its [`Report`]: [`Quiet`] nothing, so it
//! stops at the first instruction that does not hold and runs optimized code; a
//! [`Trace`](crate::report::Trace) everything, so it goes on and runs the code as the keywords say it.

mod marks;

pub(crate) use marks::Marks;

use crate::instance::{Array, Node, Object, View};
use crate::keyword::{
    array, condition, contains, content, dependent, equality, format, items, logic, members, number, object,
    properties, property_names, reference, string, unevaluated,
};
use crate::limits::{Budget, Exhausted, Limits};
use crate::program::{Block, BlockId, Instruction, Program};
use crate::report::{Edge, Quiet, Report, Step};
use std::ops::Range;

/// One interpretation of a program on an instance.
pub(crate) struct Run<'p, R> {
    pub(crate) program: &'p Program,
    pub(crate) budget: Budget,
    pub(crate) report: R,
    /// What has been evaluated, where a block asks for it.
    pub(crate) marks: Marks,
    /// The resources that were entered, outermost first: only those that `$dynamicRef` may look for.
    pub(crate) scope: Vec<u32>,
}

/// The verdict on an instance, and nothing else.
pub(crate) fn verdict<'a, N: Node<'a>>(
    program: &Program,
    limits: &Limits,
    node: N,
) -> Result<bool, Exhausted> {
    Run::new(program, limits, Quiet).root(node)
}

impl<'p, R: Report> Run<'p, R> {
    pub(crate) fn new(program: &'p Program, limits: &Limits, report: R) -> Run<'p, R> {
        Run { program, budget: Budget::new(limits), report, marks: Marks::default(), scope: Vec::new() }
    }

    /// Runs the whole program.
    pub(crate) fn root<'a, N: Node<'a>>(&mut self, node: N) -> Result<bool, Exhausted> {
        self.scope.push(self.program.block(BlockId(0)).resource);
        self.apply(Edge::ROOT, Step::Here, BlockId(0), node.view())
    }

    /// Runs a block on the node that the current block is running on.
    #[inline]
    pub(crate) fn in_place<'a, N: Node<'a>>(
        &mut self,
        edge: Edge<'_>,
        block: BlockId,
        node: View<'a, N>,
    ) -> Result<bool, Exhausted> {
        self.apply(edge, Step::Here, block, node)
    }

    /// Runs a block on a child of the node that the current block is running on.
    #[inline]
    pub(crate) fn below<'a, N: Node<'a>>(
        &mut self,
        edge: Edge<'_>,
        step: Step<'_>,
        block: BlockId,
        child: View<'a, N>,
    ) -> Result<bool, Exhausted> {
        let frame = self.marks.suspend();
        let holds = self.apply(edge, step, block, child)?;
        self.marks.resume(frame);
        Ok(holds)
    }

    /// Runs a block on the same node as a branch, which may fail without failing the current block:
    /// what it marks counts only if it holds.
    pub(crate) fn branch<'a, N: Node<'a>>(
        &mut self,
        edge: Edge<'_>,
        block: BlockId,
        node: View<'a, N>,
    ) -> Result<bool, Exhausted> {
        let below = self.marks.branch(&mut self.budget)?;
        let holds = self.apply(edge, Step::Here, block, node)?;
        if below.is_some() {
            self.marks.close(&mut self.budget, below, holds);
        }
        Ok(holds)
    }

    fn apply<'a, N: Node<'a>>(
        &mut self,
        edge: Edge<'_>,
        step: Step<'_>,
        block: BlockId,
        node: View<'a, N>,
    ) -> Result<bool, Exhausted> {
        self.budget.enter()?;
        self.report.open_block(&mut self.budget, edge, step, block)?;
        let holds = self.body(block, node)?;
        self.report.close_block(&mut self.budget, holds);
        self.budget.leave();
        Ok(holds)
    }

    /// Runs a block's code.
    fn body<'a, N: Node<'a>>(&mut self, id: BlockId, node: View<'a, N>) -> Result<bool, Exhausted> {
        let block = self.program.block(id);
        if block.owns_marks || block.enters {
            return self.prepared_body(block, node);
        }
        // Optimized code sets no marks and explains nothing.
        let quiet = R::STOPS && !self.marks.active();
        self.code(if quiet { block.fast.clone() } else { block.plain.clone() }, node)
    }

    /// Runs a block's code with its resource in scope and a frame for marks, as the block needs.
    fn prepared_body<'a, N: Node<'a>>(
        &mut self,
        block: &Block,
        node: View<'a, N>,
    ) -> Result<bool, Exhausted> {
        self.budget.spend(self.scope.len() as u64)?;
        // Only the outermost entry into a resource counts, so a second one need not be kept.
        let enters = block.enters && !self.scope.contains(&block.resource);
        if enters {
            self.scope.push(block.resource);
        }
        let holds = if block.owns_marks {
            let count = match node {
                View::Array(items) => items.len(),
                View::Object(members) => members.len(),
                View::Null | View::Bool(_) | View::Number(_) | View::String(_) => 0,
            };
            let below = self.marks.open(&mut self.budget, count)?;
            let holds = self.code(block.plain.clone(), node)?;
            self.marks.close(&mut self.budget, below, holds);
            holds
        } else {
            self.code(block.plain.clone(), node)?
        };
        if enters {
            self.scope.pop();
        }
        Ok(holds)
    }

    fn code<'a, N: Node<'a>>(&mut self, code: Range<u32>, node: View<'a, N>) -> Result<bool, Exhausted> {
        let program = self.program;
        let mut valid = true;
        for at in code {
            let instruction = program.code[at as usize];
            self.report.open_keyword(&mut self.budget, at)?;
            let holds = match instruction {
                Instruction::Never => false,
                Instruction::Type(types) => node.is_one_of(types),
                Instruction::TypeAsWritten(types) => crate::keyword::types::is_written_as(types, node),
                Instruction::Equals(constant) => equality::equals(self, constant, node)?,
                Instruction::IsOneOf(values) => equality::is_one_of(self, values, node)?,
                Instruction::AtLeast(bound) => number::at_least(self, bound, node)?,
                Instruction::AtMost(bound) => number::at_most(self, bound, node)?,
                Instruction::Above(bound) => number::above(self, bound, node)?,
                Instruction::Below(bound) => number::below(self, bound, node)?,
                Instruction::MultipleOf(multiple) => number::multiple_of(self, multiple, node)?,
                Instruction::LengthAtLeast(count) => string::length_at_least(self, count, node)?,
                Instruction::LengthAtMost(count) => string::length_at_most(self, count, node)?,
                Instruction::Matches(pattern) => string::matches(self, pattern, node)?,
                Instruction::HasFormat(id) => format::has_format(self, id, node)?,
                Instruction::HasContent(expected) => content::has_content(self, expected, node)?,
                Instruction::ItemsAtLeast(count) => array::at_least(count, node),
                Instruction::ItemsAtMost(count) => array::at_most(count, node),
                Instruction::UniqueItems => array::unique(self, node)?,
                Instruction::MembersAtLeast(count) => object::at_least(count, node),
                Instruction::MembersAtMost(count) => object::at_most(count, node),
                Instruction::Required(names) => object::has_all(self, names, node)?,
                Instruction::DependentRequired(names) => dependent::has_dependents(self, names, node)?,

                Instruction::Call(block) => self.in_place(Edge::keyword(at), block, node)?,
                Instruction::DynamicCall(dynamic) => reference::dynamic_call(self, at, dynamic, node)?,
                Instruction::AllOf(blocks) => logic::all_of(self, at, blocks, node)?,
                Instruction::AnyOf(blocks) => logic::any_of(self, at, blocks, node)?,
                Instruction::OneOf(blocks) => logic::one_of(self, at, blocks, node)?,
                Instruction::Not(block) => logic::not(self, at, block, node)?,
                Instruction::If(condition) => condition::if_then_else(self, at, condition, node)?,
                Instruction::DependentSchemas(named) => dependent::schemas(self, at, named, node)?,
                Instruction::PrefixItems(blocks) => items::prefix(self, at, blocks, node)?,
                Instruction::EachItem(from, block) => items::each(self, at, from, block, node)?,
                Instruction::Contains(id) => contains::contains(self, at, id, node)?,
                Instruction::Properties(named) => properties::named(self, at, named, node)?,
                Instruction::PatternProperties(id) => properties::patterned(self, at, id, node)?,
                Instruction::AdditionalProperties(id) => properties::additional(self, at, id, node)?,
                Instruction::EachName(block) => property_names::each(self, at, block, node)?,
                Instruction::Members(id) => members::walk(self, at, id, node)?,
                Instruction::UnevaluatedItems(block) => unevaluated::items(self, at, block, node)?,
                Instruction::UnevaluatedProperties(block) => unevaluated::properties(self, at, block, node)?,

                Instruction::Annotate(annotation) => {
                    self.report.annotate(annotation);
                    true
                }
                Instruction::AnnotateText(annotation) => {
                    if let View::String(_) = node {
                        self.report.annotate(annotation);
                    }
                    true
                }
            };
            self.report.close_keyword(&mut self.budget, program, at, holds, node)?;
            valid &= holds;
            if !valid && R::STOPS {
                break;
            }
        }
        Ok(valid)
    }
}
