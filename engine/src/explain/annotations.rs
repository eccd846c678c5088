//! Annotations: what the keywords that held say about the nodes they held on.

use super::path::Paths;
use super::{Explanation, Note, UnitKind};
use crate::error::value_bytes;
use crate::program::Plain;
use serde_json::Value;
use std::cell::Cell;

/// A statement of a keyword about a value.
#[derive(Clone, Debug)]
pub struct Annotation {
    keyword: String,
    /// Its places, of which those in the schema are those of the subschema, except the evaluation path.
    paths: Paths,
    value: Value,
}

impl Annotation {
    /// The keyword that annotates.
    pub fn keyword(&self) -> &str {
        &self.keyword
    }

    /// The place in the instance, as a JSON Pointer.
    pub fn instance_path(&self) -> &str {
        &self.paths.instance_path
    }

    /// The place of the subschema that annotates in its document, as a JSON Pointer.
    pub fn schema_path(&self) -> &str {
        &self.paths.schema_path
    }

    /// The place of the subschema that annotates, as a URI.
    pub fn schema_location(&self) -> &str {
        &self.paths.absolute_location
    }

    /// The way to the keyword from the root of the schema, through references, as a JSON Pointer.
    pub fn evaluation_path(&self) -> &str {
        &self.paths.evaluation_path
    }

    /// The annotation.
    pub fn value(&self) -> &Value {
        &self.value
    }
}

/// The annotations of an explanation that has everything, in the order of the walk. Those of what
/// did not hold are dropped, with all that is inside it. They end where they do not fit into so many bytes.
pub(crate) fn list(explanation: &Explanation, memory: usize) -> Vec<Annotation> {
    let tree = &explanation.tree;
    let mut annotations = Vec::new();
    let room = Room::new(memory);
    let mut next = 0;
    while let Some(unit) = tree.units.get(next as usize) {
        if !unit.valid {
            next = unit.end;
            continue;
        }
        if let Some(value) = value(explanation, next) {
            let mut paths = explanation.paths(next);
            if !room.take(paths.bytes() + value_bytes(&value) + size_of::<Annotation>()) {
                break;
            }
            for path in [&mut paths.schema_path, &mut paths.absolute_location] {
                path.truncate(path.rfind('/').unwrap_or(0));
            }
            let keyword = explanation.keyword(next).to_owned();
            annotations.push(Annotation { keyword, paths, value });
        }
        next += 1;
    }
    annotations
}

/// The annotation that a unit's instruction gives, if any.
pub(crate) fn value(explanation: &Explanation, unit: u32) -> Option<Value> {
    let Explanation { program, tree } = explanation;
    let UnitKind::Keyword { at, note, .. } = &tree.unit(unit).kind else { return None };
    Some(match note.as_deref()? {
        Note::Value => {
            let (Plain::Annotate(id) | Plain::AnnotateText(id)) = program.code[*at as usize] else {
                return None;
            };
            program.annotations[id].value.clone()
        }
        Note::Whole => Value::Bool(true),
        Note::Index(index) => Value::from(*index),
        Note::Places(places) => Value::from(places.clone()),
        Note::Names(names) => names.iter().map(|name| &**name).collect(),
    })
}

/// The bytes that may still be written.
#[derive(Debug)]
pub(crate) struct Room(Cell<usize>);

impl Room {
    pub(crate) fn new(bytes: usize) -> Room {
        Room(Cell::new(bytes))
    }

    /// Takes room, if there is so much. If there is not, there is none for anything after.
    pub(crate) fn take(&self, bytes: usize) -> bool {
        let left = self.0.get().checked_sub(bytes);
        self.0.set(left.unwrap_or(0));
        left.is_some()
    }

    /// Whether there is none left.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.get() == 0
    }
}
