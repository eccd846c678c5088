//! `dependentRequired`, `dependentSchemas`, and `dependencies`, which is both in one: [validation §6.5.4],
//! [core §10.2.2.4]. Where one member is there, others must be, or the object satisfies a subschema.
//!
//! ```text
//! {"dependentRequired": {"a": ["b"]}}    0000 DependentRequired ["a"]       /dependentRequired
//! {"dependentSchemas": {"a": false}}     0000 DependentSchemas ["a"] → 1    /dependentSchemas
//! ```
//!
//! [validation §6.5.4]: https://json-schema.org/draft/2020-12/json-schema-validation#section-6.5.4
//! [core §10.2.2.4]: https://json-schema.org/draft/2020-12/json-schema-core#section-10.2.2.4

use super::apply::{Apply, Edge, Halt};
use super::object::{named, names};
use crate::compile::{Builder, Site};
use crate::error::{ErrorKind, SchemaError};
use crate::explain::{Detail, Places};
use crate::instance::{Node, Object};
use crate::limits::{Budget, Stopped};
use crate::program::{Applicator, Assertion, DependentNames, Id, NameTable, NamedBlocks, Program};
use crate::run::lookup::{self, find_member};
use crate::run::{Recall, Run};
use ahash::RandomState;
use serde_json::Value;
use smallvec::SmallVec;
use std::collections::HashMap;

pub(crate) fn compile_required(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let map = builder.object(site, "an object of arrays of strings")?;
    emit_required(builder, site, map.iter())
}

pub(crate) fn compile_schemas(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let map = builder.object(site, "an object of schemas")?;
    emit_schemas(builder, site, map.keys());
    Ok(())
}

/// `dependencies`: members are arrays of names or subschemas.
pub(crate) fn compile_mixed(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let map = builder.object(site, "an object of schemas or arrays of strings")?;
    emit_required(builder, site, map.iter().filter(|(_, value)| value.is_array()))?;
    emit_schemas(builder, site, map.iter().filter(|(_, value)| !value.is_array()).map(|(name, _)| name));
    Ok(())
}

/// Draft-04: an array has at least one name.
pub(crate) fn compile_mixed_not_empty(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    for (name, value) in builder.object(site, "an object of schemas or arrays of strings")? {
        if value.as_array().is_some_and(Vec::is_empty) {
            return Err(builder.unexpected_at(site, &[name], "a non-empty array of strings", value));
        }
    }
    compile_mixed(builder, site)
}

fn emit_required<'v>(
    builder: &mut Builder<'_>,
    site: &Site<'_>,
    members: impl Iterator<Item = (&'v String, &'v Value)> + Clone,
) -> Result<(), SchemaError> {
    let mut places: HashMap<&str, u32, RandomState> = HashMap::with_hasher(builder.program.seeds.clone());
    let mut all: Vec<&str> = Vec::new();
    for (name, _) in members.clone() {
        places.insert(name, all.len() as u32);
        all.push(name);
    }
    if all.is_empty() {
        return Ok(());
    }
    let (mut ends, mut required) = (Vec::with_capacity(all.len()), Vec::new());
    for (name, value) in members {
        let start = required.len();
        let texts = value.as_array().into_iter().flatten().map_while(Value::as_str);
        required.extend(texts.map(|text| {
            *places.entry(text).or_insert_with(|| {
                all.push(text);
                all.len() as u32 - 1
            })
        }));
        if !are_distinct(value, &required[start..]) {
            // This finds what is wrong.
            names(builder, site, Some(name), value)?;
        }
        ends.push(required.len() as u32);
    }
    drop(places);
    let names = NameTable::new(all, &builder.program.seeds);
    let dependent = DependentNames { names, ends: ends.into(), required: required.into() };
    let dependent = builder.program.dependent_names.push(dependent);
    builder.emit(Assertion::DependentRequired(dependent));
    Ok(())
}

/// Whether a value is an array of texts that have these places, each of them once.
fn are_distinct(value: &Value, places: &[u32]) -> bool {
    let mut sorted: SmallVec<[u32; 16]> = SmallVec::from_slice(places);
    sorted.sort_unstable();
    value.as_array().is_some_and(|items| items.len() == places.len())
        && sorted.windows(2).all(|pair| pair[0] != pair[1])
}

fn emit_schemas<'v>(builder: &mut Builder<'_>, site: &Site<'_>, names: impl Iterator<Item = &'v String>) {
    let names = NameTable::new(names.map(String::as_str), &builder.program.seeds);
    if names.len() > 0 {
        let blocks = site.blocks().collect();
        let named = builder.program.named_blocks.push(NamedBlocks::new(names, blocks));
        builder.emit(Applicator::DependentSchemas(named));
    }
}

/// The places of some names; mostly these are few.
type Present = SmallVec<[usize; 4]>;

/// The places of the names that an object has.
fn present<'a, N: Node<'a>>(
    budget: &mut Budget,
    names: &NameTable,
    members: N::Object,
) -> Result<Present, Stopped> {
    let lookups = lookup::steps_for_lookups::<N, ()>(names, members);
    if lookups <= members.len() as u64 {
        budget.spend(lookups)?;
        return Ok((0..names.len())
            .filter(|&index| lookup::find_unpaid::<N>(members, names.get(index)).is_some())
            .collect());
    }
    lookup::pay_for_walk::<N, ()>(budget, names, members)?;
    let mut found: Present = members.iter().filter_map(|(name, _)| names.find(name)).collect();
    found.sort_unstable();
    Ok(found)
}

/// The first name that is there while names that it requires are not, with the places of these; `first` asks for no more than
/// one of them.
///
/// One walk finds all names that are there, so that it does not matter how often a name is required.
fn missing<'a, N: Node<'a>>(
    budget: &mut Budget,
    dependent: &DependentNames,
    members: N::Object,
    first: bool,
) -> Result<Option<(usize, Places)>, Stopped> {
    let limit = if first { 1 } else { usize::MAX };
    if dependent.names.len() <= MAX_LOOKUPS {
        return missing_of_few::<N>(budget, dependent, members, limit);
    }
    let present = present::<N>(budget, &dependent.names, members)?;
    for &place in &present {
        let required = dependent.required_by(place);
        budget.spend(required.len() as u64)?;
        let is_missing = |&&place: &&u32| present.binary_search(&(place as usize)).is_err();
        let missing: Places = required.iter().filter(is_missing).take(limit).copied().collect();
        if !missing.is_empty() {
            return Ok(Some((place, missing)));
        }
    }
    Ok(None)
}

/// How many names are looked up one by one. Mostly none is there that requires others.
pub(crate) const MAX_LOOKUPS: usize = 8;

/// Like [`missing`], for few names.
fn missing_of_few<'a, N: Node<'a>>(
    budget: &mut Budget,
    dependent: &DependentNames,
    members: N::Object,
    limit: usize,
) -> Result<Option<(usize, Places)>, Stopped> {
    for (place, name) in dependent.triggers().enumerate() {
        if find_member::<N>(budget, members, name)?.is_none() {
            continue;
        }
        let mut missing = SmallVec::new();
        for &required in dependent.required_by(place) {
            let is_there =
                find_member::<N>(budget, members, dependent.names.get(required as usize))?.is_some();
            if !is_there && missing.len() < limit {
                missing.push(required);
            }
        }
        if !missing.is_empty() {
            return Ok(Some((place, missing)));
        }
    }
    Ok(None)
}

#[inline(never)]
pub(crate) fn has_dependents<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    dependent: Id<DependentNames>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(members) = node.as_object() else { return Ok(true) };
    let dependent = &run.program.dependent_names[dependent];
    Ok(missing::<N>(&mut run.budget, dependent, members, true)?.is_none())
}

#[inline(never)]
pub(crate) fn schemas<'a, N: Node<'a>, R: Recall>(
    run: &mut Run<'_, R>,
    named: Id<NamedBlocks>,
    node: N,
) -> Result<bool, Stopped> {
    let program = run.program;
    run.all(|all| apply_schemas(program, all, named, node))
}

/// `dependentSchemas` applies to an object the subschemas of those names that it has.
pub(crate) fn apply_schemas<'a, N: Node<'a>>(
    program: &Program,
    apply: &mut impl Apply<'a>,
    id: Id<NamedBlocks>,
    node: N,
) -> Result<(), Halt> {
    let Some(members) = node.as_object() else { return Ok(()) };
    let named = &program.named_blocks[id];
    for index in present::<N>(apply.budget(), &named.names, members)? {
        apply.here(Edge::member(id, index), named.blocks[index], node)?;
    }
    Ok(())
}

/// The place of a name that is there, and those of the names that it requires and that are not.
pub(crate) fn missing_names<'a, N: Node<'a>>(
    program: &Program,
    budget: &mut Budget,
    dependent: Id<DependentNames>,
    node: N,
) -> Result<(u32, Places), Stopped> {
    let Some(members) = node.as_object() else { return Ok((0, Places::new())) };
    let missing = missing::<N>(budget, &program.dependent_names[dependent], members, false)?;
    let (place, missing) = missing.unwrap_or_default();
    Ok((place as u32, missing.into_iter().take(100).collect()))
}

/// The facts of an error of `dependentRequired`.
pub(crate) fn error_kind(dependent: &DependentNames, detail: &Detail) -> ErrorKind {
    let Detail::MissingFor(missing) = detail else {
        return ErrorKind::DependentRequired { name: String::new(), missing: Vec::new() };
    };
    ErrorKind::DependentRequired {
        name: dependent.names.get(missing.0 as usize).to_owned(),
        missing: named(&dependent.names, &missing.1),
    }
}
