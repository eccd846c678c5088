//! `type`: [validation §6.1.1]. The value is of one of the types.
//!
//! ```text
//! {"type": ["string", "null"]}    0000 Type {null string}    /type
//! ```
//!
//! [validation §6.1.1]: https://json-schema.org/draft/2020-12/json-schema-validation#section-6.1.1

use crate::compile::{Builder, Site};
use crate::error::SchemaError;
use crate::instance::{Node, View};
use crate::limits::Stopped;
use crate::program::Assertion;
use crate::run::Run;
use crate::suggest::{self, SuggestBudget};
use serde_json::Value;
use stanchion_vocab::{Type, TypeSet};

const NAMES: &str =
    "one of \"array\", \"boolean\", \"integer\", \"null\", \"number\", \"object\", \"string\"";

pub(crate) fn compile(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let types = read(builder, site)?;
    builder.emit(Assertion::Type(types));
    Ok(())
}

/// Draft-04: 1.0 is no integer.
pub(crate) fn compile_as_written(builder: &mut Builder<'_>, site: &Site<'_>) -> Result<(), SchemaError> {
    let types = read(builder, site)?;
    builder.emit(Assertion::TypeAsWritten(types));
    Ok(())
}

fn read(builder: &Builder<'_>, site: &Site<'_>) -> Result<TypeSet, SchemaError> {
    let listed = match site.entry.value {
        Value::String(name) => {
            let kind = Type::from_name(name)
                .ok_or_else(|| builder.unexpected_name(site, &[], NAMES, site.entry.value, meant(name)))?;
            return Ok(TypeSet::NONE.with(kind));
        }
        Value::Array(listed) if !listed.is_empty() => listed,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            return Err(builder.unexpected(site, "a type name or a non-empty array of type names"));
        }
    };
    let mut seen: Vec<Type> = Vec::new();
    for (index, name) in listed.iter().enumerate() {
        let token = index.to_string();
        let kind = name.as_str().and_then(Type::from_name).ok_or_else(|| {
            builder.unexpected_name(site, &[&token], NAMES, name, name.as_str().and_then(meant))
        })?;
        if seen.contains(&kind) {
            return Err(builder.unexpected_value(site, &[&token], "each type once", name));
        }
        seen.push(kind);
    }
    Ok(seen.into_iter().fold(TypeSet::NONE, TypeSet::with))
}

/// The type that a name was probably meant to be: one near to it, or what other languages call so.
fn meant(name: &str) -> Option<&'static str> {
    const ELSEWHERE: [(&str, Type); 14] = [
        ("int", Type::Integer),
        ("long", Type::Integer),
        ("float", Type::Number),
        ("double", Type::Number),
        ("decimal", Type::Number),
        ("bool", Type::Boolean),
        ("str", Type::String),
        ("text", Type::String),
        ("dict", Type::Object),
        ("map", Type::Object),
        ("list", Type::Array),
        ("tuple", Type::Array),
        ("none", Type::Null),
        ("nil", Type::Null),
    ];
    let lower = name.to_lowercase();
    let elsewhere = ELSEWHERE.iter().find(|(other, _)| *other == lower).map(|(_, kind)| kind.name());
    elsewhere.or_else(|| suggest::nearest(&mut SuggestBudget::default(), name, Type::ALL.map(Type::name)))
}

#[inline(never)]
pub(crate) fn is_one_of<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    types: TypeSet,
    node: N,
) -> Result<bool, Stopped> {
    node.view().is_one_of(types, &mut run.budget)
}

#[inline(never)]
pub(crate) fn is_written_as<'a, N: Node<'a>, R>(
    run: &mut Run<'_, R>,
    types: TypeSet,
    node: N,
) -> Result<bool, Stopped> {
    let View::Number(number) = node.view() else { return is_one_of(run, types, node) };
    if types.has(Type::Number) || !types.has(Type::Integer) {
        return Ok(types.has(Type::Number));
    }
    number.is_written_as_integer_within(&mut run.budget)
}

/// Draft-04 calls 1.0 a number, not an integer.
pub(crate) fn kind_as_written<'a, N: Node<'a>>(node: N) -> Type {
    let is_fraction = matches!(node.view(), View::Number(number) if !number.is_written_as_integer());
    if is_fraction { Type::Number } else { node.view().kind() }
}
