//! `const` and `enum`: [validation §6.1.2, §6.1.3]. The value equals one that the schema gives.
//!
//! ```text
//! {"const": 1}           0000 Equals 1              /const
//! {"enum": ["a", "b"]}   0000 IsOneOf ["a", "b"]    /enum
//! ```
//!
//! The texts of an `enum` are in a table of names, its other values are found by their hash, so that
//! thousands of values cost about what one does. A container is hashed only if several values have its size.
//!
//! [validation §6.1.2, §6.1.3]: https://json-schema.org/draft/2020-12/json-schema-validation#section-6.1.2

use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::instance::equal::{self, Precision};
use crate::instance::{Array, Node, Object, View};
use crate::limits::{Budget, Stopped};
use crate::program::{Assertion, Enumeration, Id, NameTable, Other, Program, Scalar};
use crate::run::Run;
use crate::suggest::{self, SuggestBudget};
use ahash::RandomState;
use serde_json::Value;
use stanchion_vocab::TypeSet;
use std::collections::HashSet;

pub(crate) fn compile_const(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let constant = builder.program.constants.push(site.entry.value.clone());
    builder.emit(Assertion::Equals(constant));
    Ok(())
}

pub(crate) fn compile_enum(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let enumeration = enumeration(builder.array(site, "an array")?, &builder.program.seeds);
    let enumeration = builder.program.enumerations.push(enumeration);
    builder.emit(Assertion::IsOneOf(enumeration));
    Ok(())
}

/// Values, to be found by their text or hash.
pub(crate) fn enumeration(given: &[Value], seeds: &RandomState) -> Enumeration {
    let mut texts: Vec<&str> = given.iter().filter_map(Value::as_str).collect();
    let count = texts.len();
    // Very many short texts are mostly the same: each is kept once.
    if count > MANY {
        let mut seen: HashSet<&str, RandomState> = HashSet::with_hasher(seeds.clone());
        texts.retain(|text| seen.insert(text));
    }
    let texts = NameTable::new(texts, seeds);
    let mut values = Vec::with_capacity(given.len() - (count - texts.len()));
    if texts.len() == count {
        values.extend_from_slice(given);
    } else {
        // The table has them in the order in which each comes first.
        let mut next = 0;
        values.extend(
            given
                .iter()
                .filter(|value| {
                    let is_first = value.as_str().map(|text| texts.find(text) == Some(next));
                    next += usize::from(is_first == Some(true));
                    is_first != Some(false)
                })
                .cloned(),
        );
    }
    let mut others = Vec::new();
    let mut other_types = TypeSet::NONE;
    let mut budget = Budget::for_schema();
    for (index, value) in values.iter().enumerate().filter(|(_, value)| !value.is_string()) {
        if let Ok(hash) = equal::hash(&mut budget, seeds, Precision::Rounded, value.view()) {
            let key = container_key(seeds, value.view()).unwrap_or(hash);
            others.push(Other { key, hash, index: index as u32 });
            other_types = other_types.with(value.view().kind());
        }
    }
    others.sort_unstable();
    let scalars = values.iter().filter(|value| !value.is_string()).map(Scalar::of);
    let scalars = if others.len() <= COMPARED_ONE_BY_ONE { scalars.collect() } else { None };
    Enumeration { values, texts, others, other_types, scalars }
}

/// The most texts that are compared one by one before there is a table of them.
const MANY: usize = 1_000;

/// The most scalars that are compared one by one.
const COMPARED_ONE_BY_ONE: usize = 16;

/// Draft-04 and draft-06: at least one value, and no two equal.
pub(crate) fn compile_enum_of_distinct(
    builder: &mut Builder<'_>,
    site: &Site<'_>,
) -> Result<(), SchemaError> {
    let values = builder.array(site, "a non-empty array")?;
    if values.is_empty() {
        return Err(builder.unexpected(site, "a non-empty array"));
    }
    let mut budget = Budget::for_schema();
    let found = equal::find_equal_items::<&Value>(&mut budget, &builder.program.seeds, values);
    if let Ok(Some((_, second))) = found {
        return Err(builder.unexpected_value(
            site,
            &[&second.to_string()],
            "each value once",
            &values[second],
        ));
    }
    compile_enum(builder, site)
}

#[inline(never)]
pub(crate) fn equals<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    constant: Id<Value>,
    node: N,
) -> Result<bool, Stopped> {
    let constant = &run.program.constants[constant];
    // Texts are what most constants are.
    if let (Some(text), Value::String(constant)) = (node.text_bytes(), constant) {
        if text.len() != constant.len() {
            return Ok(false);
        }
        run.budget.spend_bytes(text.len())?;
        return Ok(text == constant.as_bytes());
    }
    // What are two scalars of this kind are equal if they are the same.
    match (Scalar::of(node), Scalar::of(constant)) {
        (Some(one), Some(other)) => Ok(one == other),
        _ => equal::equal(&mut run.budget, node.view(), constant.view()),
    }
}

#[inline(never)]
pub(crate) fn is_one_of<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    values: Id<Enumeration>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(text) = node.text_bytes() else { return is_one_of_others(run, values, node) };
    run.budget.spend_bytes(text.len())?;
    let texts = &run.program.enumerations[values].texts;
    if texts.has_costly_lookups() {
        run.budget.spend(texts.extra_steps(text))?;
    }
    Ok(texts.look_up(text).is_some())
}

/// Like [`is_one_of`], for values that are not texts.
#[inline(never)]
fn is_one_of_others<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    values: Id<Enumeration>,
    node: N,
) -> Result<bool, Stopped> {
    let program = run.program;
    let enumeration = &program.enumerations[values];
    if let (Some(scalars), Some(scalar)) = (&enumeration.scalars, Scalar::of(node)) {
        return Ok(scalars.contains(&scalar));
    }
    Ok(find_other(&mut run.budget, &program.seeds, enumeration, node.view())?.is_some())
}

/// The number of a value: the texts are numbered as in their table, others behind them by their places. Equal values have one number.
pub(crate) fn find<'a, N: Node<'a>>(
    budget: &mut Budget,
    seeds: &RandomState,
    enumeration: &Enumeration,
    node: N,
) -> Result<Option<u32>, Stopped> {
    let Some(text) = node.text_bytes() else {
        let place = find_other(budget, seeds, enumeration, node.view())?;
        return Ok(place.map(|place| enumeration.texts.len() as u32 + place));
    };
    budget.spend_bytes(text.len())?;
    budget.spend(enumeration.texts.extra_steps(text))?;
    Ok(enumeration.texts.look_up(text).map(|(place, _)| place as u32))
}

/// The place of a value that is no text.
fn find_other<'a, N: Node<'a>>(
    budget: &mut Budget,
    seeds: &RandomState,
    enumeration: &Enumeration,
    view: View<'a, N>,
) -> Result<Option<u32>, Stopped> {
    if !view.is_one_of(enumeration.other_types, budget)? {
        return Ok(None);
    }
    let key = container_key(seeds, view);
    let hash = if key.is_none() { equal::hash(budget, seeds, Precision::Rounded, view)? } else { 0 };
    let mut candidates = alike(&enumeration.others, key.unwrap_or(hash), |other| other.key);
    if key.is_some() && candidates.len() > COMPARED_DIRECTLY {
        let hash = equal::hash(budget, seeds, Precision::Rounded, view)?;
        candidates = alike(candidates, hash, |other| other.hash);
    }
    for other in candidates {
        if equal::equal(budget, view, enumeration.values[other.index as usize].view())? {
            return Ok(Some(other.index));
        }
    }
    Ok(None)
}

/// Containers of one kind and size are compared with the value if there are no more of them; else hashes are.
pub(crate) const COMPARED_DIRECTLY: usize = 4;

/// Returns a key that differs for containers of different kinds or sizes, without reading inside; none for scalars.
fn container_key<'a, N: Node<'a>>(seeds: &RandomState, value: View<'a, N>) -> Option<u64> {
    match value {
        View::Array(items) => Some(seeds.hash_one((4u8, items.len()))),
        View::Object(members) => Some(seeds.hash_one((5u8, members.len()))),
        View::Null | View::Bool(_) | View::Number(_) | View::String(_) => None,
    }
}

/// Those of some values, which are in order by a key, that have a certain one.
fn alike(others: &[Other], key: u64, key_of: impl Fn(&Other) -> u64) -> &[Other] {
    let others = &others[others.partition_point(|other| key_of(other) < key)..];
    &others[..others.partition_point(|other| key_of(other) == key)]
}

/// The place of the text that a text was probably meant to be.
pub(crate) fn probably_meant<'a, N: Node<'a>>(
    program: &Program,
    budget: &mut SuggestBudget,
    values: Id<Enumeration>,
    node: N,
) -> Option<u32> {
    let View::String(text) = node.view() else { return None };
    let texts = &program.enumerations[values].texts;
    let meant = suggest::nearest(budget, text, texts.iter())?;
    texts.find(meant).map(|place| place as u32)
}
