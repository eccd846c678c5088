//! `minimum`, `maximum`, their exclusive forms, and `multipleOf`: [validation §6.2]. A number within
//! bounds; anything else passes.
//!
//! ```text
//! {"minimum": 3}             0000 AtLeast 3    /minimum
//! {"exclusiveMaximum": 9}    0000 Below 9      /exclusiveMaximum
//! ```
//!
//! In draft-04 the exclusive forms are flags beside `minimum` and `maximum`, which read them.
//!
//! [validation §6.2]: https://json-schema.org/draft/2020-12/json-schema-validation#section-6.2

use crate::compile::{Builder, Site};
use crate::error::{SchemaError, SchemaErrorKind};
use crate::instance::decimal::Buffer;
use crate::instance::divisor::Divisor;
use crate::instance::{Node, Number, View};
use crate::limits::Stopped;
use crate::program::{Assertion, Bound, Gate, GateAnswer, Id, Interval, Multiple};
use crate::run::{Recall, Run};
use serde_json::Value;
use stanchion_vocab::Keyword;
use std::cmp::Ordering;
use std::num::NonZeroU64;

fn bound(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<Id<Bound>, SchemaError> {
    let number = builder.number(site)?;
    // A number whose exponent we cannot compute with is no bound.
    if Number::from(number).decimal(&mut Buffer::default()).is_err() {
        return Err(builder.error(site, &[], SchemaErrorKind::Exponent));
    }
    Ok(builder.program.numbers.push(number.clone()))
}

pub(crate) fn compile_minimum(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let bound = bound(builder, site)?;
    builder.emit(Assertion::AtLeast(bound));
    Ok(())
}

pub(crate) fn compile_maximum(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let bound = bound(builder, site)?;
    builder.emit(Assertion::AtMost(bound));
    Ok(())
}

pub(crate) fn compile_exclusive_minimum(
    builder: &mut Builder<'_>,
    site: &Site<'_>,
) -> Result<(), SchemaError> {
    let bound = bound(builder, site)?;
    builder.emit(Assertion::Above(bound));
    Ok(())
}

pub(crate) fn compile_exclusive_maximum(
    builder: &mut Builder<'_>,
    site: &Site<'_>,
) -> Result<(), SchemaError> {
    let bound = bound(builder, site)?;
    builder.emit(Assertion::Below(bound));
    Ok(())
}

pub(crate) fn compile_minimum_with_flag(
    builder: &mut Builder<'_>,
    site: &Site<'_>,
) -> Result<(), SchemaError> {
    match is_flagged(builder, site, Keyword::ExclusiveMinimum) {
        true => compile_exclusive_minimum(builder, site),
        false => compile_minimum(builder, site),
    }
}

pub(crate) fn compile_maximum_with_flag(
    builder: &mut Builder<'_>,
    site: &Site<'_>,
) -> Result<(), SchemaError> {
    match is_flagged(builder, site, Keyword::ExclusiveMaximum) {
        true => compile_exclusive_maximum(builder, site),
        false => compile_maximum(builder, site),
    }
}

fn is_flagged(builder: &Builder<'_>, site: &Site<'_>, flag: Keyword) -> bool {
    builder.sibling(site, flag).is_some_and(|entry| *entry.value == Value::Bool(true))
}

/// Draft-04's `exclusiveMinimum`: a boolean that stands beside `minimum`.
pub(crate) fn compile_minimum_flag(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    compile_flag(builder, site, Keyword::Minimum)
}

/// Draft-04's `exclusiveMaximum`: a boolean that stands beside `maximum`.
pub(crate) fn compile_maximum_flag(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    compile_flag(builder, site, Keyword::Maximum)
}

fn compile_flag(builder: &Builder<'_>, site: &Site<'_>, bound: Keyword) -> Result<(), SchemaError> {
    builder.boolean(site)?;
    if builder.resolved.document.entries(site.subschema).iter().any(|entry| entry.keyword == Some(bound)) {
        return Ok(());
    }
    let wanted = format!("\"{}\" beside it", bound.name());
    Err(builder.unexpected_value(site, &[], &wanted, site.entry.value))
}

pub(crate) fn compile_multiple_of(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let number = builder.number(site)?;
    let divisor = Divisor::new(Number::from(number))
        .map_err(|_| builder.error(site, &[], SchemaErrorKind::Exponent))?;
    if !divisor.is_positive() {
        return Err(builder.unexpected_value(site, &[], "a number above 0", site.entry.value));
    }
    let multiple = builder.program.multiples.push(Multiple { number: number.clone(), divisor });
    builder.emit(Assertion::MultipleOf(multiple));
    Ok(())
}

fn compare<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    bound: Id<Bound>,
    node: N,
    holds: impl Fn(Ordering) -> bool,
) -> Result<bool, Stopped> {
    let View::Number(number) = node.view() else { return Ok(true) };
    let bound = Number::from(&run.program.numbers[bound]);
    run.budget.spend(number.cost() + bound.cost())?;
    number.compare(bound).map(holds).map_err(|why| run.budget.stop(why))
}

#[inline(never)]
pub(crate) fn at_least<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    bound: Id<Bound>,
    node: N,
) -> Result<bool, Stopped> {
    compare(run, bound, node, Ordering::is_ge)
}

#[inline(never)]
pub(crate) fn at_most<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    bound: Id<Bound>,
    node: N,
) -> Result<bool, Stopped> {
    compare(run, bound, node, Ordering::is_le)
}

#[inline(never)]
pub(crate) fn above<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    bound: Id<Bound>,
    node: N,
) -> Result<bool, Stopped> {
    compare(run, bound, node, Ordering::is_gt)
}

#[inline(never)]
pub(crate) fn below<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    bound: Id<Bound>,
    node: N,
) -> Result<bool, Stopped> {
    compare(run, bound, node, Ordering::is_lt)
}

#[inline(never)]
pub(crate) fn multiple_of<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    multiple: Id<Multiple>,
    node: N,
) -> Result<bool, Stopped> {
    let View::Number(number) = node.view() else { return Ok(true) };
    let multiple = &run.program.multiples[multiple];
    run.budget.spend(multiple.divisor.cost(number.cost()))?;
    number.is_multiple_of(&multiple.divisor).map_err(|why| run.budget.stop(why))
}

#[inline(never)]
pub(crate) fn in_range<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    interval: Id<Interval>,
    node: N,
) -> Result<bool, Stopped> {
    is_within(run, &run.program.intervals[interval], node)
}

/// Like [`in_range`], for many nodes behind one gate, without a call for each of them.
#[inline(never)]
pub(crate) fn all_in_range<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    gate: &Gate,
    interval: Id<Interval>,
    nodes: impl Iterator<Item = N>,
) -> Result<bool, Stopped> {
    let interval = &run.program.intervals[interval];
    for node in nodes {
        let holds = match gate.check(&mut run.budget, node)? {
            GateAnswer::Yes => true,
            GateAnswer::No => false,
            GateAnswer::Ask => is_within(run, interval, node)?,
        };
        if !holds {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Checks all requirements of a block on numbers: mostly by comparing with two bounds, else one by one.
#[inline(always)]
fn is_within<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    interval: &Interval,
    node: N,
) -> Result<bool, Stopped> {
    let view = node.view();
    if let View::Number(Number::Unsigned(number)) = view
        && let Ok(number) = i64::try_from(number)
    {
        return Ok(is_in(interval, number));
    }
    if let View::Number(Number::Signed(number)) = view {
        return Ok(is_in(interval, number));
    }
    if let View::Number(Number::Float(number)) = view
        && let Some((low, high)) = interval.floats
    {
        return Ok((low..=high).contains(&number));
    }
    one_by_one(run, interval, node)
}

#[inline(always)]
fn is_in(interval: &Interval, number: i64) -> bool {
    let is_between = (interval.low..=interval.high).contains(&number);
    // Dividing takes longer than all the rest.
    is_between && (interval.step == NonZeroU64::MIN || number.unsigned_abs() % interval.step == 0)
}

/// Not inlined, so that comparing with two bounds needs no stack frame.
#[cold]
#[inline(never)]
fn one_by_one<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    interval: &Interval,
    node: N,
) -> Result<bool, Stopped> {
    // A number by its text, if the float next to it is not at an end: it is on the same side of that as its float.
    if let View::Number(number @ Number::Exact(_)) = node.view()
        && let Some((low, high)) = interval.floats
    {
        run.budget.spend(number.cost())?;
        let nearest = number.nearest();
        if low < nearest && nearest < high {
            return Ok(true);
        }
    }
    run.plain_code(interval.block, node)
}
