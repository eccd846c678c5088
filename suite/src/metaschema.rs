//! Schemas and broken schemas, for «compile accepts ⇔ the metaschema accepts».
//!
//! The engine refuses a malformed schema by the rules in its compile functions, not by running the metaschema. Here the
//! metaschema is the oracle: every schema of a set of files, and each of them with one keyword broken, is both compiled
//! and validated.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use stanchion::{Dialect, ValidationError, Validator, ValidatorBuilder};

use crate::case::File;
use crate::dialect::metaschema;
use crate::walk;

/// Counts of schemas, by the two results.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Accepted by both.
    pub accepted: usize,
    /// Refused by both.
    pub refused: usize,
    /// Refused for reasons that no metaschema can express: references, rings, patterns, limits.
    pub beyond_metaschema: usize,
    /// Schemas on which the metaschema and the engine differ.
    pub differences: Vec<String>,
}

/// Returns all schemas of the files and all their broken variants, each once.
pub fn schemas(files: &[File], dialect: Dialect) -> Vec<Value> {
    let mut schemas = Vec::new();
    let mut seen = BTreeSet::new();
    let mut add = |schema: Value| {
        if seen.insert(schema.to_string()) {
            schemas.push(schema);
        }
    };
    let mut keywords = BTreeSet::new();
    for group in files.iter().flat_map(|file| &file.groups) {
        if !speaks_one_dialect(&group.schema, dialect) {
            continue;
        }
        add(group.schema.clone());
        for (pointer, keyword) in places(&group.schema, dialect) {
            for value in replacements() {
                add(replaced(&group.schema, &pointer, &keyword, value));
            }
            keywords.insert(keyword);
        }
    }
    for keyword in keywords {
        for value in replacements() {
            add(json!({ keyword.as_str(): value }));
        }
    }
    for value in replacements() {
        add(value);
    }
    schemas
}

/// Returns replacements for a keyword's value: every type, and values of the right type that some
/// keyword refuses.
fn replacements() -> Vec<Value> {
    vec![
        json!(null),
        json!(true),
        json!(0),
        json!(-1),
        json!(1.5),
        json!(2.0),
        json!("x"),
        json!("integer"),
        json!("#a"),
        json!([]),
        json!([1]),
        json!([""]),
        json!(["a", "a"]),
        json!(["string", "string"]),
        json!(["string", "null"]),
        json!([true, { "type": "x" }]),
        json!({}),
        json!({ "a": 1 }),
        json!({ "a": true }),
        json!({ "a": ["b", "b"] }),
        json!({ "a": { "minimum": "1" } }),
    ]
}

/// Whether the whole document has the dialect that its root declares. An embedded resource of
/// another dialect has a metaschema of its own, which the root's does not know.
fn speaks_one_dialect(schema: &Value, dialect: Dialect) -> bool {
    walk::subschemas(schema, dialect)
        .iter()
        .filter(|subschema| !subschema.pointer.is_empty())
        .filter_map(|subschema| subschema.schema.get("$schema")?.as_str())
        .all(|uri| Dialect::from_uri(uri) == Some(dialect))
}

/// Returns every keyword of every subschema, except `$schema`, which decides which metaschema
/// applies.
fn places(schema: &Value, dialect: Dialect) -> Vec<(String, String)> {
    let mut places = Vec::new();
    for subschema in walk::subschemas(schema, dialect) {
        let keywords = subschema.schema.as_object().into_iter().flat_map(|members| members.keys());
        let keywords = keywords.filter(|keyword| *keyword != "$schema");
        places.extend(keywords.map(|keyword| (subschema.pointer.clone(), keyword.clone())));
    }
    places
}

/// Returns the schema with one keyword's value replaced.
fn replaced(schema: &Value, pointer: &str, keyword: &str, value: Value) -> Value {
    let mut schema = schema.clone();
    if let Some(subschema) = schema.pointer_mut(pointer) {
        subschema[keyword] = value;
    }
    schema
}

/// Compiles and validates each schema, and compares.
pub fn compare(schemas: &[Value], dialect: Dialect, builder: &ValidatorBuilder) -> Comparison {
    let mut comparison = Comparison::default();
    let mut oracles: BTreeMap<String, Validator> = BTreeMap::new();
    for schema in schemas {
        let uri = schema.get("$schema").and_then(Value::as_str).unwrap_or(metaschema(dialect));
        if !oracles.contains_key(uri) {
            match builder.build(&json!({ "$ref": uri })) {
                Ok(oracle) => drop(oracles.insert(uri.to_owned(), oracle)),
                // An unregistered metaschema: the engine does not know this dialect either.
                Err(_) => {
                    comparison.beyond_metaschema += 1;
                    continue;
                }
            }
        }
        let verdict = accepted(&oracles[uri], schema, dialect);
        match (builder.build(schema), verdict) {
            (Ok(_), Ok(())) => comparison.accepted += 1,
            (Err(error), Err(_)) if error.is_metaschema_violation() => comparison.refused += 1,
            (Err(error), _) if !error.is_metaschema_violation() => comparison.beyond_metaschema += 1,
            (Err(error), _) => {
                comparison
                    .differences
                    .push(format!("{schema}: the metaschema accepts, compile refuses: {error}"));
            }
            (Ok(_), Err(error)) => {
                comparison
                    .differences
                    .push(format!("{schema}: compile accepts, the metaschema refuses: {error}"));
            }
        }
    }
    comparison
}

/// Whether the metaschema accepts a schema. A reference can make a schema of a value under an
/// unknown keyword, which the metaschema does not check; such a value is checked separately.
fn accepted(oracle: &Validator, schema: &Value, dialect: Dialect) -> Result<(), ValidationError> {
    oracle.validate(schema)?;
    let known: BTreeSet<String> =
        walk::subschemas(schema, dialect).into_iter().map(|subschema| subschema.pointer).collect();
    let reached = walk::reachable(schema, dialect).into_iter();
    reached
        .filter(|subschema| !known.contains(&subschema.pointer))
        .try_for_each(|subschema| oracle.validate(subschema.schema))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_keyword_of_every_subschema_is_replaced() {
        let schema =
            json!({ "$schema": "x", "properties": { "a": { "type": "string" } }, "enum": [{ "not": 1 }] });
        let mut places = places(&schema, Dialect::Draft202012);
        places.sort();
        let expected = [("", "enum"), ("", "properties"), ("/properties/a", "type")];
        assert_eq!(places, expected.map(|(pointer, keyword)| (pointer.to_owned(), keyword.to_owned())));
        let broken = replaced(&schema, "/properties/a", "type", json!(1));
        assert_eq!(broken["properties"]["a"], json!({ "type": 1 }));
    }
}
