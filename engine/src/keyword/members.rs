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
use crate::program::{Id, Member, Members, Target};
use crate::report::Report;
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
    if object.len() < members.required {
        return Ok(false);
    }
    run.budget.spend(object.len() as u64)?;
    let mut missing = members.required;
    let mut seen: SmallVec<[u64; 2]> = SmallVec::from_elem(0, members.names.len().div_ceil(64));
    let mut next = 0;
    for (name, value) in object.iter() {
        let mut spoken_of = false;
        if let Some(index) = members.names.find_from(next, name, &program.seeds) {
            next = index + 1;
            let Member { target, is_required } = members.named[index];
            if is_required {
                let (word, bit) = (&mut seen[index / 64], 1 << (index % 64));
                missing -= usize::from(*word & bit == 0);
                *word |= bit;
            }
            if let Some(target) = target {
                spoken_of = true;
                if !run.child(at, target, value)? {
                    return Ok(false);
                }
            }
        }
        if let Some(patterned) = members.patterned {
            for &(pattern, block) in &program.pattern_blocks[patterned] {
                if program.patterns[pattern].is_match(&mut run.budget, name)? {
                    spoken_of = true;
                    if !run.child(at, Target::Block(block), value)? {
                        return Ok(false);
                    }
                }
            }
        }
        if !spoken_of && !run.child(at, members.rest, value)? {
            return Ok(false);
        }
    }
    Ok(missing == 0)
}
