//! Makes one walk of two, where a block and those that it calls all look at the members of an object.
//!
//! ```text
//! before  0005 Members ["a"] → 1    after  0007 Members ["a", "b"] → 1 2
//!         0006 Members ["b"] → 2
//! ```
//!
//! A member has one gate, so where both walks have something to say about it, one of them has to be about no more than its type.

use super::fuse::REQUIRED;
use crate::program::{Gate, Id, Instruction, Member, Members, NameTable, Program};
use ahash::RandomState;
use stanchion_vocab::Keyword;
use std::collections::HashMap;

/// Makes one walk of all that can be walked together.
pub(super) fn merge(program: &mut Program, code: &mut Vec<(Instruction, Keyword)>) {
    let mut at = 0;
    while at < code.len() {
        let Instruction::Members(first) = code[at].0 else {
            at += 1;
            continue;
        };
        let others = code[at + 1..].iter().position(|(other, _)| matches!(other, Instruction::Members(_)));
        let merged = others.map(|offset| at + 1 + offset).and_then(|other| {
            let Instruction::Members(second) = code[other].0 else { return None };
            Some((other, both(program, first, second)?))
        });
        match merged {
            Some((other, members)) => {
                code[at].0 = Instruction::Members(program.members.push(members));
                code.remove(other);
            }
            None => at += 1,
        }
    }
}

/// One walk for both, if there is one.
fn both(program: &Program, first: Id<Members>, second: Id<Members>) -> Option<Members> {
    let (first, second) = (&program.members[first], &program.members[second]);
    let rest = gate_of_both(first.rest, second.rest)?;
    let mut named: HashMap<&str, (Option<Member>, Option<Member>), RandomState> =
        HashMap::with_hasher(program.seeds.clone());
    let mut order = Vec::with_capacity(first.names.len() + second.names.len());
    for (name, member) in first.names.iter().zip(first.names.values()) {
        named.insert(name, (Some(member), None));
        order.push(name);
    }
    for (name, member) in second.names.iter().zip(second.names.values()) {
        let entry = named.entry(name).or_insert_with(|| {
            order.push(name);
            (None, None)
        });
        entry.1 = Some(member);
    }
    let mut required = 0;
    let mut members = Vec::with_capacity(order.len());
    for name in order {
        let (one, other) = named[name];
        let of = |member: Option<Member>, rest: Gate| member.map_or(rest, |member| member.gate);
        let is_required = [one, other].into_iter().flatten().any(|member| member.bit as usize != REQUIRED);
        let bit = if is_required { required } else { REQUIRED };
        required += usize::from(is_required);
        let gate = gate_of_both(of(one, first.rest), of(other, second.rest))?;
        members.push((name, Member { gate, bit: bit as u8, is_property: true }));
    }
    if required > REQUIRED {
        return None;
    }
    let names = NameTable::with(members, &program.seeds);
    Some(Members { names, required: (required, (1 << required) - 1), patterned: None, rest })
}

/// A gate that says what both say, if one of them does not ask.
fn gate_of_both(one: Gate, other: Gate) -> Option<Gate> {
    if one == other {
        return Some(one);
    }
    let (settled, other) = if one.asks.is_empty() { (one, other) } else { (other, one) };
    let refused = settled.refuses().or(other.refuses());
    let gate = Gate::new(settled.passes.and(other.passes), refused, other.block);
    // What is asked of the other block must be no type that the first refuses.
    let is_settled = settled.asks.is_empty() && gate.asks.and(settled.passes) == gate.asks;
    is_settled.then_some(gate)
}
