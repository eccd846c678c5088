//! References of a schema that moves to another place, rewritten by position.

use crate::dialect::{declared, is_document};
use serde_json::{Map, Value, json};
use stanchion::Dialect;
use stanchion_vocab::{Keyword, Subschemas};

/// Where the schema is in the envelope.
const INSIDE: &str = "#/properties/result";

/// Which way a schema moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From the root into the envelope.
    In,
    /// From the envelope to the root.
    Out,
}

/// A schema on the move.
pub(super) struct Rewrite {
    direction: Direction,
    dialect: Dialect,
    /// Whether `$recursiveRef` leads to the root and nowhere else, and can be said by `$ref`.
    recursion_is_static: bool,
}

impl Rewrite {
    pub(super) fn new(root: &Value, direction: Direction) -> Rewrite {
        let declared = declared(root);
        let is_anchored = root.get("$recursiveAnchor") == Some(&Value::Bool(true));
        Rewrite {
            direction,
            dialect: declared.unwrap_or_default(),
            recursion_is_static: declared == Some(Dialect::Draft201909) && !is_anchored,
        }
    }

    /// A subschema, or whatever stands where one may stand. `None` if a reference leads to where it cannot be followed.
    pub(super) fn schema(&self, value: &Value) -> Option<Value> {
        match value {
            Value::Array(items) => items.iter().map(|item| self.schema(item)).collect(),
            Value::Object(members) if !is_document(self.dialect, members) => {
                self.keywords(members).map(Value::Object)
            }
            Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                Some(value.clone())
            }
        }
    }

    fn keywords(&self, members: &Map<String, Value>) -> Option<Map<String, Value>> {
        let mut moved = Map::new();
        let mut recursive = false;
        for (name, value) in members {
            let keyword = Keyword::from_name(name);
            if self.is_recursion(keyword, value) {
                recursive = true;
                continue;
            }
            moved.insert(name.clone(), self.keyword(keyword, value)?);
        }
        if recursive {
            add_recursion(&mut moved);
        }
        Some(moved)
    }

    fn is_recursion(&self, keyword: Option<Keyword>, value: &Value) -> bool {
        keyword == Some(Keyword::RecursiveRef)
            && self.direction == Direction::In
            && self.recursion_is_static
            && value == "#"
    }

    /// The value of a keyword. Those of any dialect count, whichever this is: `$defs` in draft-07 has subschemas for all who refer there.
    fn keyword(&self, keyword: Option<Keyword>, value: &Value) -> Option<Value> {
        let Some(keyword) = keyword else {
            // Unknown here, and yet a reference may lead into it.
            return self.schema(value);
        };
        match (keyword, keyword.row().subschemas, value) {
            (Keyword::Ref | Keyword::DynamicRef, _, Value::String(target)) => {
                self.reference(target).map(Value::String)
            }
            (_, Subschemas::Map | Subschemas::MapOrNames, Value::Object(map)) => self.map(map),
            (_, Subschemas::None, _) => Some(value.clone()),
            (
                _,
                Subschemas::One
                | Subschemas::List
                | Subschemas::OneOrList
                | Subschemas::Map
                | Subschemas::MapOrNames,
                _,
            ) => self.schema(value),
        }
    }

    /// Subschemas by names, which are no keywords whatever they are.
    fn map(&self, map: &Map<String, Value>) -> Option<Value> {
        let moved: Option<Map<String, Value>> =
            map.iter().map(|(name, value)| Some((name.clone(), self.schema(value)?))).collect();
        moved.map(Value::Object)
    }

    /// Where a reference leads after the move. Names of anchors stay, and what leaves the document does.
    fn reference(&self, target: &str) -> Option<String> {
        let is_place = target == "#" || target.starts_with("#/");
        match self.direction {
            _ if !is_place => Some(target.to_owned()),
            Direction::In => Some(format!("{INSIDE}{}", &target[1..])),
            Direction::Out => match target.strip_prefix(INSIDE)? {
                rest if rest.is_empty() || rest.starts_with('/') => Some(format!("#{rest}")),
                _ => None,
            },
        }
    }
}

/// Says a recursion by `$ref`; beside another one, in `allOf`.
fn add_recursion(moved: &mut Map<String, Value>) {
    if !moved.contains_key("$ref") {
        moved.insert("$ref".to_owned(), INSIDE.into());
        return;
    }
    let reference = json!({"$ref": INSIDE});
    match moved.get_mut("allOf") {
        Some(Value::Array(branches)) => branches.push(reference),
        Some(_) | None => {
            moved.insert("allOf".to_owned(), json!([reference]));
        }
    }
}
