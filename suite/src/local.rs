//! Finds the schemas that stay inside their own document.
//!
//! Under `References::Local`, a schema whose references all start with `#` keeps its meaning. Any
//! other is refused with an error that names the reference.

use serde_json::Value;
use stanchion::{Dialect, ValidatorBuilder};

use crate::case::Group;
use crate::runner::{self, failure, guarded};
use crate::tally::{Place, Tally};
use crate::walk::{self, Subschema};

/// Returns what leads out of a schema's document: references that do not start with `#`, and a
/// `$schema` that names no known dialect. Empty if there is nothing of that kind.
pub fn outside(schema: &Value, dialect: Dialect) -> Vec<String> {
    let mut outside = Vec::new();
    for subschema in walk::reachable(schema, dialect) {
        outside.extend(unknown_dialect(&subschema).map(str::to_owned));
        let references = walk::references(&subschema).into_iter().map(|(_, reference)| reference);
        outside.extend(references.filter(|reference| !reference.starts_with('#')).map(str::to_owned));
    }
    outside
}

/// Returns the `$schema` of a resource, if it names no known dialect.
fn unknown_dialect<'s>(subschema: &Subschema<'s>) -> Option<&'s str> {
    let declared = subschema.schema.get("$schema")?.as_str()?;
    (subschema.pointer == subschema.resource && Dialect::from_uri(declared).is_none()).then_some(declared)
}

/// Results of a group under `References::Local`.
#[derive(Debug)]
pub enum Local {
    /// The schema stays inside: results of the tests.
    Inside(Tally),
    /// The schema does not: one result for each test, passed if the error names the reference.
    Outside(Tally),
}

/// Runs a group with a builder that has no resources. `dialect` applies to schemas that declare
/// none.
pub fn run_group(file: &str, group: &Group, dialect: Dialect, builder: &ValidatorBuilder) -> Local {
    let outside = outside(&group.schema, dialect);
    if outside.is_empty() {
        return Local::Inside(runner::run_group(file, group, builder));
    }
    let place = Place { file: file.to_owned(), group: group.description.clone(), test: String::new() };
    let expected = format!("a refusal that names one of {outside:?}");
    let failures = match guarded(|| builder.build(&group.schema)) {
        Ok(Err(error)) if outside.iter().any(|name| error.to_string().contains(name)) => Vec::new(),
        Ok(Err(error)) => vec![failure(&place, "compile, local", &expected, &error)],
        Ok(Ok(_)) => vec![failure(&place, "compile, local", &expected, &"a validator")],
        Err(panic) => vec![failure(&place, "compile, local", &expected, &panic)],
    };
    let mut tally = Tally::default();
    for _ in &group.tests {
        tally.count(failures.clone());
    }
    Local::Outside(tally)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(schema: &Value, expected: &[&str]) {
        assert_eq!(outside(schema, Dialect::Draft202012), expected);
    }

    #[test]
    fn references_by_fragment_stay_inside() {
        check(&json!({ "$ref": "#/$defs/a", "$defs": { "a": { "$dynamicRef": "#b" } } }), &[]);
        check(&json!({ "properties": { "$ref": { "const": { "$ref": "a.json" } } } }), &[]);
    }

    #[test]
    fn other_references_leave() {
        check(&json!({ "not": { "$ref": "other.json#/a" } }), &["other.json#/a"]);
        check(&json!({ "$schema": "https://example.com/meta" }), &["https://example.com/meta"]);
    }

    #[test]
    fn a_reference_makes_a_schema_of_an_unknown_keyword() {
        check(&json!({ "x": [{ "$ref": "a.json" }] }), &[]);
        check(&json!({ "$ref": "#/x/0", "x": [{ "$ref": "a.json" }] }), &["a.json"]);
        check(&json!({ "$ref": "#/x%25y", "x%y": { "$ref": "a.json" } }), &["a.json"]);
    }
}
