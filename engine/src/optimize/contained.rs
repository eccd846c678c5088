//! Finds scalars that very many `contains` look for, so that one walk over an array can count them all.
//!
//! Hundreds of branches that each want another constant take as many walks over the same array. Where a schema has
//! many of them, all their constants stand in one table ([`Program::contained`]), and a run counts them once for each long array.

use crate::keyword::equality;
use crate::limits::Budget;
use crate::program::{Assertion, Contains, Fast, Id, Program};
use serde_json::Value;

/// Fewer constants than this are searched one by one.
const MANY: usize = 16;

pub(super) fn find(program: &mut Program) {
    if program.contains.len() < MANY {
        return;
    }
    let wanted: Vec<Option<Id<Value>>> =
        program.contains.iter().map(|contains| wanted(program, contains)).collect();
    let values: Vec<Value> = wanted.iter().flatten().map(|&id| program.constants[id].clone()).collect();
    if values.len() < MANY {
        return;
    }
    let Program { contains, constants, seeds, .. } = program;
    let values = equality::enumeration(&values, seeds);
    for (contains, wanted) in contains.iter_mut().zip(wanted) {
        let find = |id| equality::find(&mut Budget::for_schema(), seeds, &values, &constants[id]);
        contains.constant = wanted.and_then(|id| find(id).ok().flatten());
    }
    program.contained = Some(Box::new(values));
}

/// The scalar that a `contains` looks for, if that is all it asks.
fn wanted(program: &Program, contains: &Contains) -> Option<Id<Value>> {
    let mut code = program.plain_of(contains.block).iter().filter_map(|plain| plain.for_verdicts());
    let (Some(Fast::Assert(Assertion::Equals(constant))), None) = (code.next(), code.next()) else {
        return None;
    };
    let is_scalar = !matches!(program.constants[constant], Value::Array(_) | Value::Object(_));
    is_scalar.then_some(constant)
}
