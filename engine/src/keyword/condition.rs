//! `if`, `then`, `else`: [core §10.2.2]. One subschema or another, as a third says.
//!
//! ```text
//! {"if": {"type": "string"}, "then": {"minLength": 1}}    0000 If → 1 2    /if
//! ```
//!
//! `if` reads the other two; without it they mean nothing. Without them it is there for what it
//! evaluates and annotates.
//!
//! [core §10.2.2]: https://json-schema.org/draft/2020-12/json-schema-core#section-10.2.2

use super::apply::{Apply, Edge, Halt, On};
use crate::compile::{Builder, Site, block_of};
use crate::error::SchemaError;
use crate::instance::Node;
use crate::limits::Stopped;
use crate::program::{Applicator, BlockId, Condition, Id, Program};
use crate::run::{Recall, Run};
use stanchion_vocab::Keyword;

pub(crate) fn compile(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let branch = |keyword| builder.sibling(site, keyword).map(|entry| block_of(entry.first_child));
    let (then, otherwise) = (branch(Keyword::Then), branch(Keyword::Else));
    let condition = builder.program.conditions.push(Condition { test: site.block(), then, otherwise });
    builder.emit(Applicator::If(condition));
    Ok(())
}

/// A branch is a block of its own, whether `if` uses it or not.
pub(crate) fn compile_branch(_: &mut Builder<'_>, _: &Site<'_>) -> Result<(), SchemaError> {
    Ok(())
}

#[inline(never)]
pub(crate) fn if_then_else<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    id: Id<Condition>,
    node: N,
) -> Result<bool, Stopped> {
    let program = run.program;
    if run.is_fast() {
        return fast(run, &program.conditions[id], node);
    }
    run.all(|all| apply(program, all, id, node))
}

/// `if` tests its subschema, and applies that of `then` or `else`.
pub(crate) fn apply<'a, N: Node<'a>>(
    program: &Program,
    apply: &mut impl Apply<'a>,
    id: Id<Condition>,
    node: N,
) -> Result<(), Halt> {
    let condition = &program.conditions[id];
    let holds = apply.test(Edge::VALUE, condition.test, node)?;
    match branch(condition, holds) {
        Some((block, keyword)) => apply.here(Edge::of(keyword), block, node),
        None => Ok(()),
    }
}

/// The subschemas of `if`, `then` and `else`, in this order.
pub(crate) fn edges(condition: &Condition, mut visit: impl FnMut(Edge, On, BlockId)) {
    visit(Edge::VALUE, On::Test, condition.test);
    for holds in [true, false] {
        if let Some((block, keyword)) = branch(condition, holds) {
            visit(Edge::of(keyword), On::Branch, block);
        }
    }
}

/// The branch that a condition leads to as its test says, if it has that, and its keyword.
#[inline]
fn branch(condition: &Condition, holds: bool) -> Option<(BlockId, Keyword)> {
    match holds {
        true => Some((condition.then?, Keyword::Then)),
        false => Some((condition.otherwise?, Keyword::Else)),
    }
}

fn fast<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    condition: &Condition,
    node: N,
) -> Result<bool, Stopped> {
    if condition.then.is_none() && condition.otherwise.is_none() {
        return Ok(true);
    }
    let program = run.program;
    run.budget.spend(1)?;
    let holds = run.pass(program.gate(condition.test), node)?;
    let Some((block, _)) = branch(condition, holds) else { return Ok(true) };
    run.budget.spend(1)?;
    run.pass(program.gate(block), node)
}
