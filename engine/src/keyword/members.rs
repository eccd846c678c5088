//! All that a block asks of an object's members, in one walk: `properties`, `patternProperties`,
//! `additionalProperties` and `required`, fused by the optimizer.
//!
//! ```text
//! {"properties": {"a": true}, "required": ["a", "b"]}    0002 Members ["a", "b"] → 1
//! ```
//!
//! It says what the plain instructions say, and sets no marks.

use super::number;
use crate::instance::{MemberName, Node, Object, Shape};
use crate::limits::Stopped;
use crate::program::{BlockId, Flat, Gate, Id, LookupStrategy, MatchingPatterns, Members, PatternBlocks};
use crate::run::lookup;
use crate::run::{Recall, Run};

/// A walk where names do not matter.
#[inline(never)]
pub(crate) fn each<'a, N: Node<'a>, R: Recall, const IS_ALONE: bool>(
    run: &mut Run<'_, R>,
    block: BlockId,
    node: N,
) -> Result<bool, Stopped> {
    let Some(object) = node.as_object() else { return Ok(true) };
    run.budget.spend(object.len() as u64)?;
    let gate = run.program.gate(block);
    // First the gates of all members, without calls, before any block is run: as for items.
    if gate.lets_all_pass(object.values()) {
        return Ok(true);
    }
    run.walk::<IS_ALONE>(|run| each_asked::<N, R>(run, block, object))
}

/// For members that their gate does not decide.
#[inline(never)]
fn each_asked<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    block: BlockId,
    object: N::Object,
) -> Result<bool, Stopped> {
    all_alike(run, run.program.gate(block), object.values())
}

/// Asks the same of many nodes, items or members. Where those are numbers within bounds, as they often are in long arrays, the loop is one for that; and where
/// they are objects that are walked through by name, as they mostly are, one function walks through all of them.
#[inline(always)]
pub(crate) fn all_alike<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    gate: &Gate,
    nodes: impl Iterator<Item = N>,
) -> Result<bool, Stopped> {
    if let (Flat::InRange(interval), false) = (gate.then, R::REMEMBERS) {
        return number::all_in_range(run, gate, interval, nodes);
    }
    // A gate may refuse what its block would be asked of. And without a level that is left, it depends on what the nodes are whether one is needed.
    if let (Flat::Members(id), false) = (gate.then, R::REMEMBERS)
        && gate.has_to_ask(Shape::Object)
        && run.budget.has_level()
    {
        let members = &run.program.members[id];
        match members.lookup {
            LookupStrategy::Length => return each_by_name::<N, R, NONE_REQUIRED>(run, gate, members, nodes),
            LookupStrategy::LengthRequired => {
                return each_by_name::<N, R, SOME_REQUIRED>(run, gate, members, nodes);
            }
            LookupStrategy::One | LookupStrategy::Hash => {}
        }
    }
    each_at_gate(run, gate, nodes)
}

/// Apart, so that others need no room for it.
#[inline(never)]
fn each_at_gate<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    gate: &Gate,
    nodes: impl Iterator<Item = N>,
) -> Result<bool, Stopped> {
    run.pass_all(gate, nodes)
}

/// A walk by name over each of many nodes, behind a gate that asks it of objects. They are all on one level, which is counted once.
#[inline(never)]
fn each_by_name<'a, N: Node<'a>, R: Recall, const REQUIRES: bool>(
    run: &mut Run<'_, R>,
    gate: &Gate,
    members: &Members,
    nodes: impl Iterator<Item = N>,
) -> Result<bool, Stopped> {
    run.budget.deepen()?;
    let mut all_hold = true;
    for node in nodes {
        let holds = match node.as_object() {
            Some(object) => {
                has_as_many(run, members, object)? && in_turn::<N, R, REQUIRES>(run, members, object)?
            }
            None => run.pass(gate, node)?,
        };
        if !holds {
            all_hold = false;
            break;
        }
    }
    run.budget.leave();
    Ok(all_hold)
}

#[inline(never)]
pub(crate) fn by_name<'a, N: Node<'a>, R: Recall, const IS_ALONE: bool>(
    run: &mut Run<'_, R>,
    id: Id<Members>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(object) = node.as_object() else { return Ok(true) };
    let members = &run.program.members[id];
    if !has_as_many(run, members, object)? {
        return Ok(false);
    }
    run.walk::<IS_ALONE>(|run| match members.lookup {
        LookupStrategy::One => by_only_name::<N, R>(run, members, object),
        LookupStrategy::Length => in_turn::<N, R, NONE_REQUIRED>(run, members, object),
        LookupStrategy::LengthRequired => in_turn::<N, R, SOME_REQUIRED>(run, members, object),
        LookupStrategy::Hash => by_hash::<N, R>(run, members, object),
    })
}

/// Whether an object has as many members as are required. If so, the walk over them is paid for.
#[inline(always)]
fn has_as_many<'a, N, R: Recall>(
    run: &mut Run<'_, R>,
    members: &Members,
    object: impl Object<'a, N>,
) -> Result<bool, Stopped> {
    if object.len() < members.required.0 {
        return Ok(false);
    }
    run.budget.spend(object.len() as u64)?;
    Ok(true)
}

/// Whether a walk has to see that nothing is missing. Where it need not, as for most objects, it has a register more.
const NONE_REQUIRED: bool = false;
const SOME_REQUIRED: bool = true;

/// How a walk finds names: constants and not functions, which would be called where two walks have the same.
const BY_LENGTH: bool = true;
const BY_HASH: bool = false;

/// Whether such names have their ends at hand, so that a hash of them is found sooner than their length.
#[inline(always)]
fn ends_are_at_hand<'a, M: MemberName<'a>, N>(_: impl Iterator<Item = (M, N)>) -> bool {
    M::END_IS_AT_HAND
}

/// Apart, so that the loops which most walks need have the registers to themselves.
#[inline(never)]
fn by_hash<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    members: &Members,
    object: N::Object,
) -> Result<bool, Stopped> {
    if members.names.has_costly_lookups() {
        lookup::pay_for_costly_lookups::<N, _>(&mut run.budget, &members.names, object)?;
    }
    through::<N, R, _, SOME_REQUIRED, BY_HASH>(run, members, object.iter_names())
}

/// A walk over all members, where names can be found by their length.
#[inline(always)]
fn in_turn<'a, N: Node<'a>, R: Recall, const REQUIRES: bool>(
    run: &mut Run<'_, R>,
    members: &Members,
    object: N::Object,
) -> Result<bool, Stopped> {
    if ends_are_at_hand(object.iter_names()) {
        through::<N, R, _, REQUIRES, BY_HASH>(run, members, object.iter_names())
    } else {
        through::<N, R, _, REQUIRES, BY_LENGTH>(run, members, object.iter_names())
    }
}

/// A walk over all members.
#[inline(always)]
#[expect(
    clippy::while_let_on_iterator,
    reason = "numbered by `enumerate`, members go through memory: a tenth on tapes"
)]
fn through<'a, N: Node<'a>, R: Recall, M: MemberName<'a>, const REQUIRES: bool, const IS_BY_LENGTH: bool>(
    run: &mut Run<'_, R>,
    members: &Members,
    mut all: impl Iterator<Item = (M, N)>,
) -> Result<bool, Stopped> {
    let (_, mut missing) = members.required;
    while let Some((name, value)) = all.next() {
        let names = &members.names;
        let found = if IS_BY_LENGTH { names.look_by_length(name) } else { names.look_by_hash(name) };
        let gate = match found {
            Some((_, member)) => {
                if REQUIRES {
                    missing &= !(1 << member.bit);
                }
                &member.gate
            }
            None => &members.rest,
        };
        // That it did not pass is one comparison.
        let passed = run.pass(gate, value);
        if passed != Ok(true) {
            return passed;
        }
    }
    Ok(!REQUIRES || missing == 0)
}

/// A walk to the one member that matters.
#[inline(never)]
fn by_only_name<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    members: &Members,
    object: N::Object,
) -> Result<bool, Stopped> {
    let found = object.iter_names().find(|&(name, _)| members.names.is(0, name));
    match (found, members.names.first()) {
        (Some((_, value)), Some(member)) => run.pass(&member.gate, value),
        _ => Ok(members.required.0 == 0),
    }
}

#[inline(never)]
pub(crate) fn by_name_and_pattern<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    id: Id<Members>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(object) = node.as_object() else { return Ok(true) };
    let program = run.program;
    let members = &program.members[id];
    let (required, mut missing) = members.required;
    if object.len() < required {
        return Ok(false);
    }
    lookup::pay_for_walk::<N, _>(&mut run.budget, &members.names, object)?;
    let Some(patterned) = members.patterned.map(|patterned| &program.pattern_blocks[patterned]) else {
        return Ok(true);
    };
    let known = members.matching(program, patterned);
    for (name, value) in object.iter() {
        let (mut is_spoken_of, mut matching) = (false, None);
        if let Some((place, member)) = members.names.look_up(name.as_bytes()) {
            missing &= !(1 << member.bit);
            is_spoken_of = member.is_property;
            if member.is_property && !run.pass(&member.gate, value)? {
                return Ok(false);
            }
            matching = known.get(place).and_then(Option::as_ref);
        }
        // Mostly a name that the schema has is done with.
        if let Some(matching) = matching {
            is_spoken_of |= matching.is_some;
            for &place in &matching.asking {
                if !run.pass(program.gate(patterned.blocks[place as usize]), value)? {
                    return Ok(false);
                }
            }
        } else {
            match by_pattern(run, patterned, name, value)? {
                Some(is_matched) => is_spoken_of |= is_matched,
                None => return Ok(false),
            }
        }
        if !is_spoken_of && !run.pass(&members.rest, value)? {
            return Ok(false);
        }
    }
    Ok(missing == 0)
}

/// Whether patterns speak of a member; nothing if one of them refuses it.
#[inline(never)]
fn by_pattern<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    patterned: &PatternBlocks,
    name: &str,
    value: N,
) -> Result<Option<bool>, Stopped> {
    let program = run.program;
    let mut found = MatchingPatterns::new();
    patterned.set.find(&program.patterns, &mut run.budget, name, &mut found)?;
    for &place in &found {
        if !run.pass(program.gate(patterned.blocks[place as usize]), value)? {
            return Ok(None);
        }
    }
    Ok(Some(!found.is_empty()))
}
