//! `allOf`, `anyOf`, `oneOf`, `not`: [core §10.2.1].
//!
//! ```text
//! {"anyOf": [{"type": "null"}, {"minimum": 3}]}    0000 AnyOf → 1 2    /anyOf
//! ```
//!
//! Branches are tried in order. `anyOf` stops at the first that holds, and `oneOf` at the second, unless
//! someone asks what was evaluated or why: then all are run.
//!
//! [core §10.2.1]: https://json-schema.org/draft/2020-12/json-schema-core#section-10.2.1

use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::instance::{Node, Shape, View};
use crate::limits::{Budget, Stopped};
use crate::program::{BlockId, Blocks, Id, Instruction, Pick, Program, Scalar, Want};
use crate::report::{Edge, Note, Report, hints};
use crate::run::Run;
use crate::run::lookup::find_member;

pub(crate) fn compile_all_of(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let blocks = not_empty(builder, site)?;
    builder.emit(Instruction::AllOf(blocks));
    Ok(())
}

pub(crate) fn compile_any_of(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let blocks = not_empty(builder, site)?;
    builder.emit(Instruction::AnyOf(blocks));
    Ok(())
}

pub(crate) fn compile_one_of(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let blocks = not_empty(builder, site)?;
    builder.emit(Instruction::OneOf(blocks));
    Ok(())
}

pub(crate) fn compile_not(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.emit(Instruction::Not(site.block()));
    Ok(())
}

/// The blocks of a non-empty array of schemas.
pub(crate) fn not_empty(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<Blocks, SchemaError> {
    let wanted = "a non-empty array of schemas";
    if builder.array(site, wanted)?.is_empty() {
        return Err(builder.unexpected(site, wanted));
    }
    Ok(builder.children(site))
}

#[inline(never)]
pub(crate) fn all_of<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    at: u32,
    blocks: Blocks,
    node: N,
) -> Result<bool, Stopped> {
    let mut valid = true;
    for (index, &block) in run.program.list(blocks).iter().enumerate() {
        valid &= run.in_place(Edge::item(at, index), block, node)?;
        if !valid && run.report.is_done() {
            break;
        }
    }
    Ok(valid)
}

#[inline(never)]
pub(crate) fn any_of<'a, N: Node<'a>, R: Report, const IS_ALONE: bool>(
    run: &mut Run<'_, R>,
    at: u32,
    blocks: Blocks,
    node: N,
) -> Result<bool, Stopped> {
    if IS_ALONE || run.is_fast() {
        return run.walk::<IS_ALONE>(|run| any_of_fast(run, blocks, node));
    }
    if !run.report.wants_probes() {
        let is_enough = !run.marks.active();
        let blocks = run.program.list(blocks);
        let accepted = accepting(run, blocks, is_enough, node)?;
        if accepted.is_empty() {
            explain(run, at, blocks, node)?;
        }
        return Ok(!accepted.is_empty());
    }
    // Someone asks for what each branch evaluates.
    let mut valid = false;
    for (index, &block) in run.program.list(blocks).iter().enumerate() {
        valid |= run.branch(Edge::item(at, index), block, node)?;
    }
    if !valid && !R::STOPS {
        note_hints(run, blocks, node)?;
    }
    Ok(valid)
}

#[inline(never)]
pub(crate) fn one_of<'a, N: Node<'a>, R: Report, const IS_ALONE: bool>(
    run: &mut Run<'_, R>,
    at: u32,
    blocks: Blocks,
    node: N,
) -> Result<bool, Stopped> {
    if IS_ALONE || run.is_fast() {
        return run.walk::<IS_ALONE>(|run| one_of_fast(run, blocks, node));
    }
    if !run.report.wants_probes() {
        let blocks = run.program.list(blocks);
        let accepted = accepting(run, blocks, false, node)?;
        match accepted.len() {
            0 => explain(run, at, blocks, node)?,
            1 => return Ok(true),
            _ => run.report.note(&mut run.budget, || Note::Branches(accepted))?,
        }
        return Ok(false);
    }
    let mut accepted = 0;
    let mut places = Vec::new();
    for (index, &block) in run.program.list(blocks).iter().enumerate() {
        if run.branch(Edge::item(at, index), block, node)? {
            accepted += 1;
            if !R::STOPS {
                places.push(index);
            }
            // Two are too many, whatever is evaluated.
            if accepted > 1 && R::STOPS {
                break;
            }
        }
    }
    if accepted == 0 && !R::STOPS {
        note_hints(run, blocks, node)?;
    } else {
        run.report.note(&mut run.budget, || Note::Branches(places))?;
    }
    Ok(accepted == 1)
}

/// The branches of a block's union that a discriminator leaves.
#[derive(Clone, Copy)]
pub(crate) struct Left<'p> {
    pub(crate) branches: &'p [BlockId],
    pub(crate) pick: &'p Pick,
    /// Whether the object has the member.
    pub(crate) by_value: bool,
}

/// The branches of a block's union that the value of a member leaves, where the block's fast code has a table for it and they are few.
pub(crate) fn left_by_member<'p, 'a, N: Node<'a>, R: Report>(
    run: &mut Run<'p, R>,
    block: BlockId,
    union: Blocks,
    want: Want,
    node: N,
) -> Result<Option<Left<'p>>, Stopped> {
    let program = run.program;
    let Some(object) = node.as_object() else { return Ok(None) };
    let branches = program.list(union);
    let pick = program.fast(block).code().find_map(|at| {
        let Instruction::Pick(id) = program.code[at as usize] else { return None };
        let pick = &program.picks[id];
        // Code that was copied from another block has a union of its own.
        let is_own = program.list(pick.all).first().is_some_and(|first| branches.contains(first));
        (pick.want == want && is_own).then_some(pick)
    });
    let Some(pick) = pick else { return Ok(None) };
    let member = find_member::<N>(&mut run.budget, object, &pick.name)?;
    let left = match member {
        Some(member) => branches_for(&mut run.budget, pick, member)?,
        None => pick.absent,
    };
    /// Each branch is looked for among those that are left.
    const FEW: usize = 16;
    let by_value = member.is_some();
    Ok((left.len as usize <= FEW).then(|| Left { branches: program.list(left), pick, by_value }))
}

impl Left<'_> {
    /// Whether a branch is one of those that are left.
    pub(crate) fn has(&self, program: &Program, branch: BlockId) -> bool {
        // Where two branches are equal, fast code has one of them.
        let same = program.block(branch).same_as;
        self.branches.contains(&branch) || self.branches.contains(&same)
    }
}

/// The branches that accept a node, with what they mark; `first` asks for no more than one.
fn accepting<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    blocks: &[BlockId],
    first: bool,
    node: N,
) -> Result<Vec<usize>, Stopped> {
    let mut accepted = Vec::new();
    for (index, &block) in blocks.iter().enumerate() {
        if run.probe(Edge::ROOT, block, node)? {
            accepted.push(index);
            if first {
                break;
            }
        }
    }
    Ok(accepted)
}

/// Tells why no branch accepts a node, those first that look as if they should.
fn explain<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    at: u32,
    blocks: &[BlockId],
    node: N,
) -> Result<(), Stopped> {
    let found = hints::find(run.program, &mut run.budget, blocks, node)?;
    let clear = found.clearly_closest();
    let tagged = found.tagged(&mut run.budget, node)?;
    let mut bounds = run.report.open_union(&mut run.budget)?;
    for index in found.by_closeness() {
        let is_clear = clear == Some(index);
        run.report.open_branch(&mut bounds, is_clear);
        let branch = (Edge::item(at, index), blocks[index]);
        match tagged.filter(|_| !is_clear) {
            Some(tag) => run.report.tagged(&mut run.budget, run.program, branch, tag)?,
            None => run.tell_branch(branch.0, branch.1, node)?,
        }
        run.report.close_branch(&mut bounds, is_clear);
        // Who asks for one error gets it from the closest branch.
        if is_clear && run.report.is_done() {
            break;
        }
    }
    run.report.close_union(bounds);
    run.report.note(&mut run.budget, || Note::Union(found))
}

/// Notes which branches look as if they should accept a node.
fn note_hints<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    blocks: Blocks,
    node: N,
) -> Result<(), Stopped> {
    let found = hints::find(run.program, &mut run.budget, run.program.list(blocks), node)?;
    run.report.note(&mut run.budget, || Note::Union(found))
}

#[inline(always)]
fn any_of_fast<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    blocks: Blocks,
    node: N,
) -> Result<bool, Stopped> {
    let program = run.program;
    for &block in program.list(blocks) {
        run.budget.spend(1)?;
        if run.try_pass(program.gate(block), node)? {
            return Ok(true);
        }
    }
    Ok(false)
}

#[inline(always)]
fn one_of_fast<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    blocks: Blocks,
    node: N,
) -> Result<bool, Stopped> {
    let program = run.program;
    let mut accepted = false;
    for &block in program.list(blocks) {
        run.budget.spend(1)?;
        if run.try_pass(program.gate(block), node)? {
            // Two are too many.
            if accepted {
                return Ok(false);
            }
            accepted = true;
        }
    }
    Ok(accepted)
}

#[inline(always)]
fn all_of_fast<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    blocks: Blocks,
    node: N,
) -> Result<bool, Stopped> {
    let program = run.program;
    for &block in program.list(blocks) {
        run.budget.spend(1)?;
        if !run.pass(program.gate(block), node)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The branches that a look at one member leaves.
#[inline(never)]
pub(crate) fn pick<'a, N: Node<'a>, R: Report, const IS_ALONE: bool>(
    run: &mut Run<'_, R>,
    id: Id<Pick>,
    node: N,
) -> Result<bool, Stopped> {
    let program = run.program;
    let pick = &program.picks[id];
    let blocks = match node.view() {
        View::Object(object) => match find_member::<N>(&mut run.budget, object, &pick.name)? {
            Some(member) => branches_for(&mut run.budget, pick, member)?,
            None => pick.absent,
        },
        View::Null | View::Bool(_) | View::Number(_) | View::String(_) | View::Array(_) => pick.all,
    };
    run.walk::<IS_ALONE>(|run| match pick.want {
        Want::Any => any_of_fast(run, blocks, node),
        Want::One => one_of_fast(run, blocks, node),
        Want::All => all_of_fast(run, blocks, node),
    })
}

/// The branches that an object leaves by its member, for who tells about them.
pub(super) fn branches_by_member<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    pick: &Pick,
    object: N::Object,
) -> Result<Blocks, Stopped> {
    match find_member::<N>(&mut run.budget, object, &pick.name)? {
        Some(member) => branches_for(&mut run.budget, pick, member),
        None => Ok(pick.absent),
    }
}

/// The branches that a value of the member leaves. Mostly that is a text.
#[inline(always)]
fn branches_for<'a, N: Node<'a>>(budget: &mut Budget, pick: &Pick, member: N) -> Result<Blocks, Stopped> {
    let Some(text) = member.text_bytes() else { return branches_for_others(budget, pick, member) };
    budget.spend_bytes(text.len())?;
    if pick.texts.has_costly_lookups() {
        budget.spend(pick.texts.extra_steps(text))?;
    }
    Ok(pick.texts.look_up(text).map_or(pick.otherwise, |(_, &case)| case))
}

/// The same for what is no text.
#[inline(never)]
fn branches_for_others<'a, N: Node<'a>>(
    budget: &mut Budget,
    pick: &Pick,
    member: N,
) -> Result<Blocks, Stopped> {
    if matches!(member.shape(), Shape::Array | Shape::Object) {
        return Ok(pick.otherwise);
    }
    let Some(scalar) = Scalar::of(member) else {
        return Ok(if pick.want == Want::All { pick.otherwise } else { pick.all });
    };
    budget.spend((pick.scalars.len() / 16) as u64)?;
    let case = pick.scalars.iter().find(|&&(other, _)| other == scalar).map(|&(_, case)| case);
    Ok(case.unwrap_or(pick.otherwise))
}

#[inline(never)]
pub(crate) fn not<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    at: u32,
    block: BlockId,
    node: N,
) -> Result<bool, Stopped> {
    if run.is_fast() {
        run.budget.spend(1)?;
        return Ok(!run.pass(run.program.gate(block), node)?);
    }
    // Whatever the block marks, it does not count: if it holds, `not` does not.
    Ok(!run.probe(Edge::keyword(at), block, node)?)
}
