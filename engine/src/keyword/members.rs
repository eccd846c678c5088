//! All that a block asks of an object's members, in one walk: `properties`, `patternProperties`,
//! `additionalProperties` and `required`, fused by the optimizer.
//!
//! ```text
//! {"properties": {"a": true}, "required": ["a", "b"]}    0002 Members ["a", "b"] → 1
//! ```
//!
//! It says what the plain instructions say, and reports nothing: a report runs those.

use crate::instance::{Node, Object, View};
use crate::limits::Exhausted;
use crate::program::{Id, Members};
use crate::report::{Edge, Report, Step};
use crate::run::Run;
use smallvec::SmallVec;

pub(crate) fn walk<'a, N: Node<'a>, R: Report>(
    run: &mut Run<'_, R>,
    at: u32,
    id: Id<Members>,
    node: View<'a, N>,
) -> Result<bool, Exhausted> {
    let View::Object(object) = node else { return Ok(true) };
    let program = run.program;
    let members = &program.members[id];
    if object.len() < members.required_count {
        return Ok(false);
    }
    run.budget.spend(object.len() as u64)?;
    let mut missing = members.required_count;
    let mut seen: SmallVec<[u64; 2]> = SmallVec::from_elem(0, members.names.len().div_ceil(64));
    for (name, value) in object.iter() {
        let mut spoken_of = false;
        if let Some(index) = members.names.find(name, &program.seeds) {
            let (word, bit) = (&mut seen[index / 64], 1 << (index % 64));
            missing -= usize::from(members.required[index] && *word & bit == 0);
            *word |= bit;
            if let Some(block) = members.blocks[index] {
                spoken_of = true;
                if !run.below(Edge::keyword(at), Step::Member(name), block, value.view())? {
                    return Ok(false);
                }
            }
        }
        if let Some(patterned) = members.patterned {
            for &(pattern, block) in &program.pattern_blocks[patterned] {
                if program.patterns[pattern].is_match(&mut run.budget, name)? {
                    spoken_of = true;
                    if !run.below(Edge::keyword(at), Step::Member(name), block, value.view())? {
                        return Ok(false);
                    }
                }
            }
        }
        let rest = if spoken_of { None } else { members.rest };
        if let Some(block) = rest
            && !run.below(Edge::keyword(at), Step::Member(name), block, value.view())?
        {
            return Ok(false);
        }
    }
    Ok(missing == 0)
}
