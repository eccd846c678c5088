//! `minProperties`, `maxProperties`, `required`: [validation §6.5]. How many members, and which must
//! be there; what is no object passes.
//!
//! ```text
//! {"required": ["city"]}    0000 Required ["city"]    /required
//! ```
//!
//! [validation §6.5]: https://json-schema.org/draft/2020-12/json-schema-validation#section-6.5

use super::string::count;
use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::explain::Places;
use crate::instance::{Node, Object};
use crate::limits::{Budget, Stopped};
use crate::program::{Assertion, Id, NameTable};
use crate::run::Run;
use crate::run::lookup;
use serde_json::Value;
use smallvec::SmallVec;

pub(crate) fn compile_min_properties(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let count = count(builder, site)?;
    let count = builder.program.counts.push(count);
    builder.emit(Assertion::MembersAtLeast(count));
    Ok(())
}

pub(crate) fn compile_max_properties(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let count = count(builder, site)?;
    let count = builder.program.counts.push(count);
    builder.emit(Assertion::MembersAtMost(count));
    Ok(())
}

pub(crate) fn compile_required(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let names = names(builder, site, None, site.entry.value)?;
    if names.len() > 0 {
        let names = builder.program.names.push(names);
        builder.emit(Assertion::Required(names));
    }
    Ok(())
}

/// Draft-04: at least one name.
pub(crate) fn compile_required_not_empty(
    builder: &mut Builder<'_>,
    site: &Site<'_>,
) -> Result<(), SchemaError> {
    if site.entry.value.as_array().is_some_and(Vec::is_empty) {
        return Err(builder.unexpected(site, "a non-empty array of strings"));
    }
    compile_required(builder, site)
}

/// An array of names, each once: the value of a keyword, or of a member of it.
pub(crate) fn names(
    builder: &Builder<'_>,
    site: &Site<'_>,
    member: Option<&str>,
    value: &Value,
) -> Result<NameTable, SchemaError> {
    let Value::Array(items) = value else {
        return Err(builder.unexpected_at(site, member.as_slice(), "an array of strings", value));
    };
    let mut texts = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let Value::String(name) = item else {
            return Err(builder.unexpected_at(site, &below(member, &index.to_string()), "a string", item));
        };
        texts.push(name.as_str());
    }
    let table = NameTable::new(texts.iter().copied(), &builder.program.seeds);
    for (index, name) in texts.iter().enumerate() {
        if table.find(name) != Some(index) {
            return Err(builder.unexpected_value(
                site,
                &below(member, &index.to_string()),
                "each name once",
                &items[index],
            ));
        }
    }
    Ok(table)
}

/// The way to an item of an array that is the keyword's value, or a member of that.
fn below<'t>(member: Option<&'t str>, index: &'t str) -> SmallVec<[&'t str; 2]> {
    member.into_iter().chain([index]).collect()
}

#[inline(never)]
pub(crate) fn at_least<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    count: Id<u64>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(members) = node.as_object() else { return Ok(true) };
    Ok(members.len() as u64 >= run.program.counts[count])
}

#[inline(never)]
pub(crate) fn at_most<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    count: Id<u64>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(members) = node.as_object() else { return Ok(true) };
    Ok(members.len() as u64 <= run.program.counts[count])
}

#[inline(never)]
pub(crate) fn has_all<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    names: Id<NameTable>,
    node: N,
) -> Result<bool, Stopped> {
    let Some(members) = node.as_object() else { return Ok(true) };
    let names = &run.program.names[names];
    // Names of a schema are distinct, and so are those of an object.
    if members.len() < names.len() {
        return Ok(false);
    }
    let missing = find_missing::<N>(&mut run.budget, names, members, true)?;
    Ok(missing.is_empty())
}

/// The places of the names that are not there; `first` asks for no more than one.
///
/// Where lookups cost more than a walk over the members, that is what is done.
pub(crate) fn find_missing<'a, N: Node<'a>>(
    budget: &mut Budget,
    names: &NameTable,
    members: N::Object,
    first: bool,
) -> Result<SmallVec<[usize; 4]>, Stopped> {
    let limit = if first { 1 } else { usize::MAX };
    let lookups = lookup::steps_for_lookups::<N, ()>(names, members);
    if lookups <= members.len().max(8) as u64 * 2 {
        budget.spend(lookups)?;
        let is_missing = |&(_, name): &(usize, &str)| lookup::find_unpaid::<N>(members, name).is_none();
        return Ok(names.iter().enumerate().filter(is_missing).map(|(index, _)| index).take(limit).collect());
    }
    budget.spend((members.len() + names.len()) as u64)?;
    let mut found: SmallVec<[bool; 64]> = SmallVec::from_elem(false, names.len());
    for (name, _) in members.iter() {
        if let Some(index) = names.find_within(budget, name)? {
            found[index] = true;
        }
    }
    Ok(found.iter().enumerate().filter(|&(_, &found)| !found).map(|(index, _)| index).take(limit).collect())
}

/// The places of the names that an object lacks, for an error.
pub(crate) fn missing_names<'a, N: Node<'a>>(
    budget: &mut Budget,
    names: &NameTable,
    node: N,
) -> Result<Places, Stopped> {
    let Some(members) = node.as_object() else { return Ok(Places::new()) };
    let missing = find_missing::<N>(budget, names, members, false)?;
    Ok(missing.iter().take(100).map(|&index| index as u32).collect())
}

/// The names of some places.
pub(crate) fn named(names: &NameTable, places: &[u32]) -> Vec<String> {
    places.iter().map(|&place| names.get(place as usize).to_owned()).collect()
}
