//! Schemas and broken schemas, for «compile accepts ⇔ the metaschema accepts».
//!
//! The engine refuses a malformed schema by the rules in its compile functions, not by running the metaschema. Here the
//! metaschema is the oracle: every schema of a set of files, and each of them with one keyword broken, is both compiled
//! and validated.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use stanchion::{Dialect, ValidationError, Validator, ValidatorBuilder};

use crate::case::File;
use crate::dialect::{by_metaschema, metaschema};
use crate::walk;

/// How many schemas went which way.
#[derive(Debug, Default)]
pub struct Comparison {
    /// Accepted by both.
    pub accepted: usize,
    /// Refused by both.
    pub refused: usize,
    /// Refused for what no metaschema can say: references, rings, patterns, limits.
    pub told_apart: usize,
    /// The metaschema and the engine differ.
    pub differences: Vec<String>,
}

/// All schemas of the files and all that come of breaking them, each once.
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

/// What stands in for a keyword's value: every type, and the values that some keyword of the right type refuses.
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

/// Whether the whole document is of the dialect that its root declares. An embedded resource of another dialect has
/// its own metaschema, of which the root's knows nothing.
fn speaks_one_dialect(schema: &Value, dialect: Dialect) -> bool {
    walk::subschemas(schema, dialect)
        .iter()
        .filter(|subschema| !subschema.pointer.is_empty())
        .filter_map(|subschema| subschema.schema.get("$schema")?.as_str())
        .all(|uri| by_metaschema(uri) == Some(dialect))
}

/// Every keyword of every subschema. `$schema` is left out: it decides which metaschema holds.
fn places(schema: &Value, dialect: Dialect) -> Vec<(String, String)> {
    let mut places = Vec::new();
    for subschema in walk::subschemas(schema, dialect) {
        let keywords = subschema.schema.as_object().into_iter().flat_map(|members| members.keys());
        let keywords = keywords.filter(|keyword| *keyword != "$schema");
        places.extend(keywords.map(|keyword| (subschema.pointer.clone(), keyword.clone())));
    }
    places
}

/// The schema with one keyword's value replaced.
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
                // A metaschema that nobody handed over: the engine does not know this dialect either.
                Err(_) => {
                    comparison.told_apart += 1;
                    continue;
                }
            }
        }
        let verdict = accepted(&oracles[uri], schema, dialect);
        match (builder.build(schema), verdict) {
            (Ok(_), Ok(())) => comparison.accepted += 1,
            (Err(error), Err(_)) if error.is_metaschema_violation() => comparison.refused += 1,
            (Err(error), _) if !error.is_metaschema_violation() => comparison.told_apart += 1,
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

/// Whether the metaschema accepts a schema. It does not know that a reference makes a schema of what stands under an
/// unknown keyword; so that is asked on its own.
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
