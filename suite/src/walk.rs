//! The places of subschemas in a schema.
//!
//! This is the suite's own reading of the specifications, independent of the engine's, so that
//! tests can compare the two.

use std::collections::HashSet;

use serde_json::Value;
use stanchion::Dialect;
use stanchion_vocab::pointer;

use crate::dialect::release;
use crate::evaluation::percent_decode;

/// How a keyword's value holds subschemas.
#[derive(Clone, Copy)]
enum Shape {
    /// The value is a schema.
    One,
    /// The value is an array of schemas.
    Many,
    /// The value is a schema or an array of schemas.
    OneOrMany,
    /// The value is an object whose members are schemas.
    Named,
}

/// The keywords that hold subschemas, with the first and the last release that has them.
const APPLICATORS: [(&str, Shape, u32, u32); 23] = [
    ("$defs", Shape::Named, 2019, 2020),
    ("additionalItems", Shape::One, 4, 2019),
    ("additionalProperties", Shape::One, 4, 2020),
    ("allOf", Shape::Many, 4, 2020),
    ("anyOf", Shape::Many, 4, 2020),
    ("contains", Shape::One, 6, 2020),
    ("contentSchema", Shape::One, 2019, 2020),
    ("definitions", Shape::Named, 4, 2020),
    ("dependencies", Shape::Named, 4, 2020),
    ("dependentSchemas", Shape::Named, 2019, 2020),
    ("else", Shape::One, 7, 2020),
    ("if", Shape::One, 7, 2020),
    ("items", Shape::OneOrMany, 4, 2019),
    ("items", Shape::One, 2020, 2020),
    ("not", Shape::One, 4, 2020),
    ("oneOf", Shape::Many, 4, 2020),
    ("patternProperties", Shape::Named, 4, 2020),
    ("prefixItems", Shape::Many, 2020, 2020),
    ("properties", Shape::Named, 4, 2020),
    ("propertyNames", Shape::One, 6, 2020),
    ("then", Shape::One, 7, 2020),
    ("unevaluatedItems", Shape::One, 2019, 2020),
    ("unevaluatedProperties", Shape::One, 2019, 2020),
];

/// A subschema, the root included.
#[derive(Clone, Debug)]
pub struct Subschema<'s> {
    /// Its place in the document, a JSON Pointer.
    pub pointer: String,
    /// The place of the resource that it belongs to.
    pub resource: String,
    /// The dialect of that resource.
    pub dialect: Dialect,
    /// The subschema itself.
    pub schema: &'s Value,
}

/// Returns all subschemas of a document that declares this dialect, or none.
pub fn subschemas(document: &Value, dialect: Dialect) -> Vec<Subschema<'_>> {
    let root = Subschema { pointer: String::new(), resource: String::new(), dialect, schema: document };
    below(root)
}

/// Returns all subschemas of a document, including those that only references make subschemas: a
/// pointer may lead to any place, also to one under an unknown keyword.
pub fn reachable(document: &Value, dialect: Dialect) -> Vec<Subschema<'_>> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut waiting = subschemas(document, dialect);
    while let Some(subschema) = waiting.pop() {
        if !seen.insert(subschema.pointer.clone()) {
            continue;
        }
        for (_, reference) in references(&subschema) {
            let Some(path) = reference.strip_prefix('#').filter(|fragment| fragment.starts_with('/')) else {
                continue;
            };
            let pointer = format!("{}{}", subschema.resource, percent_decode(path));
            if let Some(schema) = document.pointer(&pointer) {
                waiting.extend(below(Subschema { pointer, schema, ..subschema.clone() }));
            }
        }
        found.push(subschema);
    }
    found
}

/// Returns a subschema and all subschemas in it.
fn below(root: Subschema<'_>) -> Vec<Subschema<'_>> {
    let mut found = Vec::new();
    let mut waiting = vec![root];
    while let Some(mut next) = waiting.pop() {
        enter_resource(&mut next);
        waiting.extend(children(&next));
        found.push(next);
    }
    found
}

/// Returns the references of a subschema itself, by keyword.
pub fn references<'s>(subschema: &Subschema<'s>) -> Vec<(&'static str, &'s str)> {
    let release = release(subschema.dialect);
    let keywords = [("$ref", 4, 2020), ("$recursiveRef", 2019, 2019), ("$dynamicRef", 2020, 2020)];
    let known = keywords.into_iter().filter(|(_, first, last)| (*first..=*last).contains(&release));
    known.filter_map(|(keyword, ..)| Some((keyword, subschema.schema.get(keyword)?.as_str()?))).collect()
}

/// Whether `$ref` hides the keywords beside it, as it does up to draft-07.
fn hides_siblings(subschema: &Subschema<'_>) -> bool {
    release(subschema.dialect) <= 7 && subschema.schema.get("$ref").is_some_and(Value::is_string)
}

/// Starts a new resource at a subschema with an `$id`. The resource may be of another dialect.
fn enter_resource(subschema: &mut Subschema<'_>) {
    let id = if subschema.dialect == Dialect::Draft04 { "id" } else { "$id" };
    let id = subschema.schema.get(id).and_then(Value::as_str);
    let embedded = id.is_some_and(|id| !id.starts_with('#')) && !hides_siblings(subschema);
    if embedded {
        subschema.resource.clone_from(&subschema.pointer);
    }
    if embedded || subschema.pointer.is_empty() {
        let declared = subschema.schema.get("$schema").and_then(Value::as_str);
        subschema.dialect = declared.and_then(Dialect::from_uri).unwrap_or(subschema.dialect);
    }
}

/// Returns the subschemas directly in this one.
fn children<'s>(parent: &Subschema<'s>) -> Vec<Subschema<'s>> {
    let mut children = Vec::new();
    if hides_siblings(parent) {
        return children;
    }
    let release = release(parent.dialect);
    let mut add = |pointer: String, schema: &'s Value| {
        // In draft-04, a boolean is not a schema but a switch.
        if schema.is_object() || schema.is_boolean() && release > 4 {
            children.push(Subschema {
                pointer,
                resource: parent.resource.clone(),
                dialect: parent.dialect,
                schema,
            });
        }
    };
    for (keyword, shape, first, last) in APPLICATORS {
        let Some(value) = parent.schema.get(keyword) else { continue };
        if !(first..=last).contains(&release) {
            continue;
        }
        let at = pointer::join(&parent.pointer, keyword);
        match (shape, value) {
            (Shape::Many | Shape::OneOrMany, Value::Array(schemas)) => {
                for (index, schema) in schemas.iter().enumerate() {
                    add(pointer::join(&at, &index.to_string()), schema);
                }
            }
            (Shape::One | Shape::OneOrMany, schema) => add(at, schema),
            (Shape::Named, Value::Object(schemas)) => {
                for (name, schema) in schemas {
                    add(pointer::join(&at, name), schema);
                }
            }
            (Shape::Named | Shape::Many, _) => {}
        }
    }
    children
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn check(dialect: Dialect, schema: &Value, expected: &[&str]) {
        let mut pointers: Vec<String> =
            subschemas(schema, dialect).into_iter().map(|subschema| subschema.pointer).collect();
        pointers.sort();
        assert_eq!(pointers, expected);
    }

    #[test]
    fn values_and_unknown_keywords_hold_no_subschemas() {
        let schema = json!({
            "properties": { "a/b": { "const": { "not": true } } },
            "x-unknown": { "not": true },
            "items": true
        });
        check(Dialect::Draft202012, &schema, &["", "/items", "/properties/a~1b"]);
    }

    #[test]
    fn a_dialect_knows_its_own_keywords() {
        let schema = json!({ "prefixItems": [true], "items": [true], "additionalItems": false });
        check(Dialect::Draft202012, &schema, &["", "/prefixItems/0"]);
        check(Dialect::Draft07, &schema, &["", "/additionalItems", "/items/0"]);
    }

    #[test]
    fn a_reference_hides_its_siblings_up_to_draft_07() {
        let schema = json!({ "$ref": "#/definitions/a", "definitions": { "a": true } });
        check(Dialect::Draft07, &schema, &[""]);
        check(Dialect::Draft201909, &schema, &["", "/definitions/a"]);
    }

    #[test]
    fn an_embedded_resource_has_its_own_dialect() {
        let schema = json!({ "$defs": { "old": {
            "$id": "old", "$schema": "http://json-schema.org/draft-07/schema#", "items": [{ "$ref": "#" }]
        } } });
        let subschemas = subschemas(&schema, Dialect::Draft202012);
        let item = subschemas.iter().find(|subschema| subschema.pointer == "/$defs/old/items/0");
        let item = item.expect("an array of schemas under items");
        assert_eq!((item.resource.as_str(), item.dialect), ("/$defs/old", Dialect::Draft07));
        assert_eq!(references(item), [("$ref", "#")]);
    }
}
