//! What a schema's dialect decides for those who walk through it: where a document begins.

use serde_json::{Map, Value};
use stanchion::Dialect;

/// The dialect that a schema declares, if that is known.
pub(crate) fn declared(schema: &Value) -> Option<Dialect> {
    schema.get("$schema").and_then(Value::as_str).and_then(Dialect::from_uri)
}

/// Whether a subschema is a document of its own, so that references inside lead to places inside. An anchor in `$id` does not make it one, and neither does
/// an `$id` that `$ref` hides.
pub(crate) fn is_document(dialect: Dialect, members: &Map<String, Value>) -> bool {
    let id = members.get(dialect.id_keyword()).and_then(Value::as_str);
    id.is_some_and(|id| !id.starts_with('#')) && !is_hidden(dialect, members)
}

/// Whether a reference hides what stands beside it.
pub(crate) fn is_hidden(dialect: Dialect, members: &Map<String, Value>) -> bool {
    dialect.reference_hides_siblings() && members.contains_key("$ref")
}
