//! How large a schema is: what its values count for, and how much there is past a limit.
//!
//! Reading stops at a limit, before anything is built from what is too large. For an error that says by how much the limit is
//! exceeded, [`count`] then goes over the documents once more. It builds nothing, and ends after [`MOST_VALUES`].

use super::Rules;
use crate::instance::NUMBERS_ARE_TEXT;
use serde_json::{Map, Number, Value, map};
use stanchion_vocab::{Dialect, Keyword, Subschemas};
use std::fmt::{self, Write};
use std::slice;

/// So many values are counted.
const MOST_VALUES: usize = 1 << 20;

/// So deep nesting is followed.
const DEEPEST: usize = 100_000;

/// The least that a value counts for, in bytes.
const LEAST: usize = 4;

/// The size of a name: its text, its quotes and a colon.
pub(super) fn of_name(name: &str) -> usize {
    name.len() + 3
}

/// The size of a value, with the comma behind it and without the values in it.
pub(super) fn of_value(value: &Value) -> usize {
    match value {
        Value::Null | Value::Bool(true) => 5,
        Value::Bool(false) => 6,
        Value::Number(number) => (of_number(number) + 1).max(LEAST),
        Value::String(text) => (text.len() + 3).max(LEAST),
        Value::Array(_) | Value::Object(_) => LEAST,
    }
}

/// Returns the number of digits of an integer; of another number, if it has kept them.
fn of_number(number: &Number) -> usize {
    let digits = |value: u64| value.checked_ilog10().map_or(1, |log| log as usize + 1);
    match (number.as_u64(), number.as_i64()) {
        _ if NUMBERS_ARE_TEXT => {
            let mut length = Length(0);
            // Counting never fails.
            let _ = write!(length, "{number}");
            length.0
        }
        (Some(value), _) => digits(value),
        (None, Some(value)) => 1 + digits(value.unsigned_abs()),
        (None, None) => 8,
    }
}

/// The length of what is written.
struct Length(usize);

impl Write for Length {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 += text.len();
        Ok(())
    }
}

/// How large some documents are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counted {
    pub(super) subschemas: usize,
    pub(super) bytes: usize,
    pub(super) depth: usize,
    /// Whether there is more that was not counted.
    pub(super) more: bool,
}

/// The role of the values in a container.
#[derive(Clone, Copy)]
enum Place {
    /// A schema, or the keywords of one.
    Schema(Rules),
    /// Subschemas, or arrays of names.
    SchemasOrNames(Rules),
    /// No subschemas.
    Data,
}

/// A container whose values are being counted.
struct Open<'v> {
    values: Values<'v>,
    place: Place,
    /// Whether the values are keywords of one schema, and not subschemas in a list or map.
    are_keywords: bool,
    /// The depth of the subschema that this is in, or of this container where it is data.
    depth: usize,
}

enum Values<'v> {
    Items(slice::Iter<'v, Value>),
    Members(map::Iter<'v>),
}

/// Counts documents as reading them would, each by the rules of its root.
pub(super) fn count<'v>(documents: impl Iterator<Item = (&'v Value, Rules)>) -> Counted {
    let mut counted = Counted::default();
    let mut left = MOST_VALUES;
    for (root, rules) in documents {
        let mut open = Vec::new();
        counted.enter(&mut open, root, Place::Schema(rules), 0);
        while let Some(container) = open.last_mut() {
            left -= 1;
            if left == 0 || container.depth > DEEPEST {
                counted.more = true;
                return counted;
            }
            let next = match &mut container.values {
                Values::Items(items) => items.next().map(|value| (None, value)),
                Values::Members(members) => members.next().map(|(name, value)| (Some(name), value)),
            };
            let Some((name, value)) = next else {
                open.pop();
                continue;
            };
            counted.bytes += name.map_or(0, |name| of_name(name));
            let Open { place, are_keywords, depth, .. } = *container;
            match (place, name) {
                (Place::Schema(rules), Some(name)) if are_keywords => {
                    counted.keyword(&mut open, rules, name, value, depth);
                }
                (Place::Data, _) => counted.enter(&mut open, value, Place::Data, depth + 1),
                (Place::SchemasOrNames(_), _) if value.is_array() => {
                    counted.enter(&mut open, value, Place::Data, depth + 2);
                }
                (Place::Schema(rules) | Place::SchemasOrNames(rules), _) => {
                    counted.enter(&mut open, value, Place::Schema(rules), depth + 1);
                }
            }
        }
    }
    counted
}

impl Counted {
    /// Counts a value, and opens it.
    fn enter<'v>(&mut self, open: &mut Vec<Open<'v>>, value: &'v Value, place: Place, depth: usize) {
        self.bytes += of_value(value);
        let is_schema = matches!(place, Place::Schema(_));
        self.subschemas += usize::from(is_schema);
        let values = match value {
            Value::Array(items) => Values::Items(items.iter()),
            Value::Object(members) => Values::Members(members.iter()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                if is_schema {
                    self.depth = self.depth.max(depth);
                }
                return;
            }
        };
        // A schema that is an array is none, and counts as data.
        let (place, depth) = match (place, value) {
            (Place::Schema(rules), Value::Object(members)) => {
                (Place::Schema(declared(members, rules)), depth)
            }
            (Place::Schema(_), _) => (Place::Data, depth + 1),
            (place, _) => (place, depth),
        };
        self.depth = self.depth.max(depth);
        open.push(Open { values, place, are_keywords: matches!(place, Place::Schema(_)), depth });
    }

    /// Counts the value of a keyword in a schema of that depth.
    fn keyword<'v>(
        &mut self,
        open: &mut Vec<Open<'v>>,
        rules: Rules,
        name: &str,
        value: &'v Value,
        depth: usize,
    ) {
        let shape = Keyword::from_name(name).and_then(|keyword| rules.subschemas(keyword, value));
        let values = match (shape, value) {
            (Some(Subschemas::List | Subschemas::OneOrList), Value::Array(items)) => {
                Values::Items(items.iter())
            }
            (Some(Subschemas::Map | Subschemas::MapOrNames), Value::Object(map)) => {
                Values::Members(map.iter())
            }
            (Some(Subschemas::One | Subschemas::OneOrList), _) => {
                return self.enter(open, value, Place::Schema(rules), depth + 1);
            }
            (None | Some(Subschemas::None), _) => return self.enter(open, value, Place::Data, depth + 1),
            (Some(Subschemas::List | Subschemas::Map | Subschemas::MapOrNames), _) => {
                return self.enter(open, value, Place::Data, depth + 2);
            }
        };
        self.bytes += of_value(value);
        let place = if shape == Some(Subschemas::MapOrNames) {
            Place::SchemasOrNames(rules)
        } else {
            Place::Schema(rules)
        };
        open.push(Open { values, place, are_keywords: false, depth });
    }
}

/// Returns the rules of a schema that may declare others, if it starts a resource.
fn declared(schema: &Map<String, Value>, rules: Rules) -> Rules {
    let starts = schema.contains_key("$id") || schema.contains_key("id");
    let declared = schema.get("$schema").filter(|_| starts).and_then(Value::as_str);
    declared.and_then(Dialect::from_uri).map_or(rules, Rules::of)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Document, Metaschemas};
    use crate::error::SchemaErrorKind;
    use crate::limits::Limits;
    use crate::program::names;
    use serde_json::json;

    struct None;

    impl Metaschemas for None {
        fn rules(&self, _: &str) -> Option<Result<Rules, SchemaErrorKind>> {
            Option::None
        }
    }

    /// Counting is what reading counts.
    #[test]
    fn both_count_alike() {
        for schema in [
            json!(true),
            json!({}),
            json!([[1]]),
            json!({"type": ["string"], "const": {"a": [[], {}]}, "properties": {"a": {"items": {"not": {}}}, "b": false}}),
            json!({"allOf": [{}, true, [1]], "anyOf": {"a": [1]}, "properties": [[[1]]], "x-other": {"y": [{"z": -12.5}]}}),
            json!({"dependencies": {"a": ["b", "c"], "d": {"dependencies": {"e": [["f"]]}}}}),
            json!({"items": [{}, {"items": {}}], "$defs": {"a": {"$id": "u:a", "$schema": "http://json-schema.org/draft-07/schema#", "items": [{"not": {}}, 1]}}}),
            json!({"enum": [1, -20, 3.5, null, true, false, "", "x", "a long text"]}),
        ] {
            let rules = Rules::of(Dialect::Draft202012);
            let mut document = Document::new(&Limits::default(), names::random_seeds());
            document.add_root("", &schema, rules).unwrap();
            document.expand(&None).unwrap();
            let counted = count([(&schema, rules)].into_iter());
            let read = (document.subschemas.len(), document.bytes(), document.deepest());
            assert_eq!((counted.subschemas, counted.bytes, counted.depth), read, "{schema}");
            assert!(!counted.more);
        }
    }

    /// Of texts of some length, names and values count about what the compact text has.
    #[test]
    fn bytes_are_about_those_of_compact_text() {
        let schema = json!({
            "type": "object", "required": ["city"], "title": "Where to go",
            "properties": {"city": {"type": "string", "minLength": 1}, "days": {"type": "integer", "maximum": 100}}
        });
        let bytes = count([(&schema, Rules::of(Dialect::Draft202012))].into_iter()).bytes;
        let text = schema.to_string().len();
        assert!((text..text + text / 10).contains(&bytes), "{bytes} for {text}");
    }
}
