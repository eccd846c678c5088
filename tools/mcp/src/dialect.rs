//! Facts about a dialect for walks over a schema: where subschemas are, and where a document
//! begins.

use serde_json::{Map, Value};
use stanchion::Dialect;
use stanchion_vocab::{Keyword, Subschemas, pointer};
use std::borrow::Cow;

/// Returns the dialect that a schema declares, if it is known.
pub(crate) fn declared(schema: &Value) -> Option<Dialect> {
    schema.get("$schema").and_then(Value::as_str).and_then(Dialect::from_uri)
}

/// Whether a subschema is a document of its own, so that references inside lead to places inside. An anchor in `$id` does not make it one, and neither does
/// an `$id` that `$ref` hides.
pub(crate) fn is_document(dialect: Dialect, members: &Map<String, Value>) -> bool {
    let id = members.get(dialect.id_keyword()).and_then(Value::as_str);
    id.is_some_and(|id| !id.starts_with('#')) && !is_hidden(dialect, members)
}

/// Whether a reference hides the keywords beside it.
pub(crate) fn is_hidden(dialect: Dialect, members: &Map<String, Value>) -> bool {
    dialect.reference_hides_siblings() && members.contains_key("$ref")
}

/// Returns the subschemas directly below a subschema, by the keywords of its dialect.
pub(crate) fn subschemas(dialect: Dialect, schema: &Value) -> impl Iterator<Item = &Value> {
    let members = schema.as_object().into_iter().flatten();
    members.flat_map(move |(name, value)| {
        let shape = Keyword::from_name(name).and_then(|keyword| dialect.subschemas(keyword));
        let (one, many): (Option<&Value>, Vec<&Value>) = match (shape, value) {
            (None | Some(Subschemas::None), _) => (None, Vec::new()),
            (Some(Subschemas::Map | Subschemas::MapOrNames), Value::Object(map)) => {
                (None, map.values().collect())
            }
            (Some(Subschemas::List | Subschemas::OneOrList), Value::Array(items)) => {
                (None, items.iter().collect())
            }
            (Some(_), value) => (Some(value), Vec::new()),
        };
        one.into_iter().chain(many)
    })
}

/// Whether a schema has a document in it, itself not counted.
pub(crate) fn has_documents(dialect: Dialect, schema: &Value) -> bool {
    let mut open: Vec<&Value> = subschemas(dialect, schema).collect();
    while let Some(value) = open.pop() {
        if value.as_object().is_some_and(|members| is_document(dialect, members)) {
            return true;
        }
        open.extend(subschemas(dialect, value));
    }
    false
}

/// The kind of a place in a schema, as far as references are concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// A subschema, or a value that may be one.
    Schema,
    /// Subschemas by name.
    Map,
    /// A value: `const`, `enum`, `default`, `examples` and their content, and the values of plain
    /// keywords.
    Data,
}

impl Place {
    /// Returns the kind of the place one step below. Keywords of any dialect count: references may
    /// use `$defs` in draft-07, too.
    pub(crate) fn below(self, step: &str, value: &Value) -> Place {
        match (self, value) {
            // An array of subschemas: each item may be a subschema.
            (Place::Schema, Value::Array(_)) | (Place::Map, _) => Place::Schema,
            (Place::Data, _) => Place::Data,
            (Place::Schema, _) => match Keyword::from_name(step).map(|keyword| keyword.row().subschemas) {
                // Unknown, but a reference may lead into it.
                None => Place::Schema,
                Some(Subschemas::None) => Place::Data,
                Some(Subschemas::Map | Subschemas::MapOrNames) => Place::Map,
                Some(Subschemas::One | Subschemas::List | Subschemas::OneOrList) => Place::Schema,
            },
        }
    }
}

/// Returns the value one step below another.
pub(crate) fn child<'s>(value: &'s Value, step: &str) -> Option<&'s Value> {
    match value {
        Value::Object(members) => members.get(step),
        Value::Array(items) => items.get(pointer::index(step)?),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// Returns the decoded fragment of a reference into the same document. `None` for a reference that
/// leaves the document, and for one with malformed escapes.
pub(crate) fn fragment(reference: &str) -> Option<String> {
    pointer::decode_fragment(reference.strip_prefix('#')?).map(Cow::into_owned)
}
