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
use super::object::{find_missing, names};
use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::explain::Places;
use crate::instance::{Node, Object};
use crate::limits::{Budget, Stopped};
use crate::program::{DependentNames, Id, Instruction, NameTable, NamedBlocks, Program, RequiredNames};
use crate::run::lookup::{self, find_member};
use crate::run::{Recall, Run};
use ahash::RandomState;
use serde_json::Value;
use smallvec::SmallVec;
use std::collections::HashMap;
use std::sync::Arc;

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
    // Many names may require the same ones.
    let mut shared = HashMap::with_hasher(builder.program.seeds.clone());
    let mut required = Vec::new();
    for (name, value) in members.clone() {
        required.push(required_names(builder, site, name, value, &mut shared)?);
    }
    drop(shared);
    if !required.is_empty() {
        let triggers = NameTable::new(members.map(|(name, _)| name.as_str()), &builder.program.seeds);
        let dependent = builder.program.dependent_names.push(DependentNames { names: triggers, required });
        builder.emit(Instruction::DependentRequired(dependent));
    }
    Ok(())
}

/// The names that `member` requires, each of them once.
fn required_names<'v>(
    builder: &Builder<'_>,
    site: &Site<'_>,
    member: &str,
    value: &'v Value,
    shared: &mut HashMap<&'v str, Arc<str>, RandomState>,
) -> Result<RequiredNames, SchemaError> {
    let few = value.as_array().filter(|items| items.len() <= RequiredNames::FEW);
    let texts: Option<SmallVec<[&str; RequiredNames::FEW]>> =
        few.and_then(|items| items.iter().map(Value::as_str).collect());
    let Some(texts) = texts.filter(|texts| (1..texts.len()).all(|at| !texts[..at].contains(&texts[at])))
    else {
        // Also where something is wrong, which this finds.
        return Ok(RequiredNames::Many(Box::new(names(builder, site, Some(member), value)?)));
    };
    let shared = texts.into_iter().map(|text| Arc::clone(shared.entry(text).or_insert_with(|| text.into())));
    Ok(RequiredNames::Few(shared.collect()))
}

fn emit_schemas<'v>(builder: &mut Builder<'_>, site: &Site<'_>, names: impl Iterator<Item = &'v String>) {
    let names = NameTable::new(names.map(String::as_str), &builder.program.seeds);
    if names.len() > 0 {
        let blocks = site.blocks().collect();
        let named = builder.program.named_blocks.push(NamedBlocks::new(names, blocks));
        builder.emit(Instruction::DependentSchemas(named));
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

/// The places of the names that are not there; `first` asks for no more than one.
fn missing_of<'a, N: Node<'a>>(
    budget: &mut Budget,
    required: &RequiredNames,
    members: N::Object,
    first: bool,
) -> Result<SmallVec<[usize; 4]>, Stopped> {
    let names = match required {
        RequiredNames::Few(names) => names,
        RequiredNames::Many(names) => return find_missing::<N>(budget, names, members, first),
    };
    let limit = if first { 1 } else { usize::MAX };
    let steps = names.iter().map(|name| lookup::steps_for_name(name)).sum::<u64>();
    let lookups = steps.saturating_mul(members.get_cost() as u64);
    if lookups <= members.len().max(8) as u64 * 2 {
        budget.spend(lookups)?;
        let is_missing = |&index: &usize| lookup::find_unpaid::<N>(members, &names[index]).is_none();
        return Ok((0..names.len()).filter(is_missing).take(limit).collect());
    }
    budget.spend(steps)?;
    let mut missing: SmallVec<[usize; 4]> = (0..names.len()).collect();
    for (name, _) in members.iter() {
        budget.spend(1 + (names.len() * (name.len() / 64)) as u64)?;
        missing.retain(|index| *names[*index] != *name);
    }
    missing.truncate(limit);
    Ok(missing)
}

#[inline(never)]
pub(crate) fn has_dependents<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    dependent: Id<DependentNames>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(members) = node.as_object() else { return Ok(true) };
    let program = run.program;
    let dependent = &program.dependent_names[dependent];
    for index in present::<N>(&mut run.budget, &dependent.names, members)? {
        let required = &dependent.required[index];
        if !missing_of::<N>(&mut run.budget, required, members, true)?.is_empty() {
            return Ok(false);
        }
    }
    Ok(true)
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
    named: Id<NamedBlocks>,
    node: N,
) -> Result<(), Halt> {
    let Some(members) = node.as_object() else { return Ok(()) };
    let named = &program.named_blocks[named];
    for index in present::<N>(apply.budget(), &named.names, members)? {
        apply.here(Edge::member(named.names.share(index)), named.blocks[index], node)?;
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
    let dependent = &program.dependent_names[dependent];
    for (index, (name, required)) in dependent.names.iter().zip(&dependent.required).enumerate() {
        if find_member::<N>(budget, members, name)?.is_some() {
            let missing = missing_of::<N>(budget, required, members, false)?;
            if !missing.is_empty() {
                return Ok((index as u32, missing.iter().take(100).map(|&index| index as u32).collect()));
            }
        }
    }
    Ok((0, Places::new()))
}
