//! Annotations: what the keywords that held say about the nodes they held on.

use super::{Note, Place, Room, Tree, UnitKind};
use crate::error::value_bytes;
use crate::program::Program;
use serde_json::Value;

/// What a keyword says about a value.
#[derive(Clone, Debug)]
pub struct Annotation {
    keyword: String,
    instance_path: String,
    schema_path: String,
    schema_location: String,
    evaluation_path: String,
    value: Value,
}

impl Annotation {
    /// The keyword that annotates.
    pub fn keyword(&self) -> &str {
        &self.keyword
    }

    /// The place in the instance, as a JSON Pointer.
    pub fn instance_path(&self) -> &str {
        &self.instance_path
    }

    /// The place of the subschema that annotates in its document, as a JSON Pointer.
    pub fn schema_path(&self) -> &str {
        &self.schema_path
    }

    /// The place of the subschema that annotates, as a URI.
    pub fn schema_location(&self) -> &str {
        &self.schema_location
    }

    /// The way to the keyword from the root of the schema, through references, as a JSON Pointer.
    pub fn evaluation_path(&self) -> &str {
        &self.evaluation_path
    }

    /// The annotation.
    pub fn value(&self) -> &Value {
        &self.value
    }
}

/// The annotations of a tree that has everything, in the order of the run. Those of what
/// did not hold are dropped, with all that is inside it. They end where they do not fit into the memory of a run.
pub(crate) fn list(program: &Program, tree: &Tree) -> Vec<Annotation> {
    let mut annotations = Vec::new();
    let room = Room::new(tree.memory);
    let mut index = 0;
    while let Some(unit) = tree.units.get(index) {
        if !unit.valid {
            index = unit.end as usize;
            continue;
        }
        if let Some(value) = value(program, &unit.kind) {
            let place = Place::of(program, tree, index);
            if !room.take(place.bytes() + value_bytes(&value) + size_of::<Annotation>()) {
                break;
            }
            let subschema = |path: &str| path[..path.rfind('/').unwrap_or(0)].to_owned();
            annotations.push(Annotation {
                instance_path: place.instance_path,
                schema_path: subschema(&place.schema_path),
                schema_location: subschema(&place.absolute_location),
                evaluation_path: place.evaluation_path,
                keyword: place.keyword,
                value,
            });
        }
        index += 1;
    }
    annotations
}

/// The annotation that a unit's instruction gives, if any.
pub(crate) fn value(program: &Program, kind: &UnitKind) -> Option<Value> {
    let UnitKind::Keyword { annotation, note, .. } = kind else { return None };
    if let Some(annotation) = *annotation {
        return Some(program.annotations[annotation].value.clone());
    }
    match note.as_deref()? {
        Note::Whole => Some(Value::Bool(true)),
        Note::Index(index) => Some(Value::from(*index)),
        Note::Places(places) => Some(Value::from(places.clone())),
        Note::Names(names) => Some(Value::from(names.clone())),
        Note::Branches(_) | Note::Union(_) => None,
    }
}
