//! `$ref`, `$dynamicRef`, and 2019-09's `$recursiveRef`: [core §8.2.3]. As another subschema says.
//!
//! ```text
//! {"$ref": "#/$defs/x"}    0000 Call → 1    /$ref
//! ```
//!
//! A dynamic reference whose anchor only one resource has is a call like any other; so is one whose anchor the root's resource
//! has, which is the outermost in any scope. Where several others have it, the outermost of those that the run has entered decides; so the blocks by which a run may
//! enter a resource are marked as such.
//!
//! ```text
//! block 0  /$defs/list  enters its resource
//!   0000 DynamicCall anchor 0 → 3    /$defs/list/$dynamicRef
//! ```
//!
//! [core §8.2.3]: https://json-schema.org/draft/2020-12/json-schema-core#section-8.2.3

use super::apply::{Apply, Edge, Halt};
use crate::compile::{Builder, DynamicAnchor, Site, block_of};
use crate::error::SchemaError;
use crate::instance::Node;
use crate::limits::Stopped;
use crate::program::{Applicator, BlockId, Program};
use crate::run::{Recall, Run};
use stanchion_vocab::Keyword;

pub(crate) fn compile(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.text(site)?;
    if let Some(target) = builder.target(site, Keyword::Ref) {
        builder.emit(Applicator::Call(block_of(target.subschema)));
    }
    Ok(())
}

/// Draft-04's metaschema does not know `$ref`: one that is no text is no reference.
pub(crate) fn compile_if_text(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    if site.entry.value.is_string() { compile(builder, site) } else { Ok(()) }
}

pub(crate) fn compile_dynamic(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let text = builder.text(site)?;
    let anchor = text.split_once('#').map_or("", |(_, fragment)| fragment);
    emit_dynamic(builder, site, Keyword::DynamicRef, anchor);
    Ok(())
}

pub(crate) fn compile_recursive(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    builder.text(site)?;
    emit_dynamic(builder, site, Keyword::RecursiveRef, "");
    Ok(())
}

fn emit_dynamic(builder: &mut Builder<'_>, site: &Site<'_>, keyword: Keyword, anchor: &str) {
    let Some(target) = builder.target(site, keyword) else { return };
    let otherwise = block_of(target.subschema);
    if !target.is_dynamic {
        return builder.emit(Applicator::Call(otherwise));
    }
    builder.emit(match builder.dynamic_anchor(anchor) {
        Some(DynamicAnchor::Scope(anchor)) => Applicator::DynamicCall(anchor, otherwise),
        Some(DynamicAnchor::Root(block)) => Applicator::Call(block),
        None => Applicator::Call(otherwise),
    });
}

/// Tells the blocks by which a run may come from one resource into another, if anything depends on that.
pub(crate) fn enter_resources(program: &mut Program) {
    if program.anchors.is_empty() {
        return;
    }
    let mut entered = vec![false; program.blocks.len()];
    for &(_, block) in program.anchors.iter().flatten() {
        entered[block.0 as usize] = true;
    }
    for block in &program.blocks {
        for at in block.plain.clone() {
            program.visit_edges(program.code[at as usize], |_, target| {
                entered[target.0 as usize] |= program.block(target).resource != block.resource;
            });
        }
    }
    for ((block, fast), entered) in program.blocks.iter_mut().zip(&mut program.fast).zip(entered) {
        block.enters = entered;
        fast.needs_care |= entered;
    }
}

#[inline(never)]
pub(crate) fn dynamic_call<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    anchor: u32,
    otherwise: BlockId,
    node: N,
) -> Result<bool, Stopped> {
    run.all(|all| apply_dynamic(all, anchor, otherwise, node))
}

/// `$dynamicRef` applies what the dynamic scope has for its anchor.
pub(crate) fn apply_dynamic<'a, N: Node<'a>>(
    apply: &mut impl Apply<'a>,
    anchor: u32,
    otherwise: BlockId,
    node: N,
) -> Result<(), Halt> {
    let block = apply.dynamic_target(anchor).unwrap_or(otherwise);
    apply.here(Edge::VALUE, block, node)
}
