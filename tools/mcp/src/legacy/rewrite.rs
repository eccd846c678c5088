//! Rewrites the references of a schema that moves to another place.

use crate::dialect::{self, Place, declared, fragment, is_document};
use crate::words;
use serde_json::{Map, Value, json};
use stanchion::Dialect;
use stanchion_vocab::{Keyword, Subschemas, pointer};
use std::collections::BTreeMap;

/// Place of the schema in the envelope.
const INSIDE: &str = "/properties/result";
/// Keyword for copies. It is not a keyword of JSON Schema, so only what is referred to is read as a
/// schema.
const COPIES: &str = "x-copies";
/// Most values that are copied for references into data.
const MAX_COPIED: usize = 100_000;

/// Direction of the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// From the root into the envelope.
    In,
    /// From the envelope to the root.
    Out,
}

/// The reason why a schema cannot move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stuck {
    /// A reference leads to the envelope itself.
    Outside,
    /// A `$recursiveRef` depends on the place of the schema.
    Recursion,
    /// There are too many references into data.
    TooLarge,
}

/// A schema that is being moved.
pub(super) struct Rewrite<'s> {
    /// The document before the move, which references are resolved in.
    document: &'s Value,
    direction: Direction,
    dialect: Dialect,
    /// Whether `$recursiveRef` is a reference here.
    has_recursion: bool,
    /// Whether the schema has documents in it.
    is_bundle: bool,
    /// Whether targets of references in data are copied, and percent signs are decoded.
    follows_data: bool,
    /// Copies of data that references lead to, by their old place. `None` while a copy is in
    /// progress.
    copies: BTreeMap<String, Option<Value>>,
    copied: usize,
    in_copy: bool,
}

impl<'s> Rewrite<'s> {
    /// Prepares a move that changes no verdict.
    pub(super) fn new(document: &'s Value, direction: Direction, dialect: Dialect) -> Rewrite<'s> {
        Rewrite {
            document,
            direction,
            dialect,
            has_recursion: dialect == Dialect::Draft201909,
            is_bundle: dialect::has_documents(dialect, document),
            follows_data: true,
            copies: BTreeMap::new(),
            copied: 0,
            in_copy: false,
        }
    }

    /// Prepares a move like that of the TypeScript SDK 2.4.0.
    pub(super) fn typescript(document: &'s Value) -> Rewrite<'s> {
        let declared = declared(document);
        let is_anchored = document.get("$recursiveAnchor") == Some(&Value::Bool(true));
        Rewrite {
            has_recursion: declared == Some(Dialect::Draft201909) && !is_anchored,
            is_bundle: false,
            follows_data: false,
            ..Rewrite::new(document, Direction::In, declared.unwrap_or_default())
        }
    }

    /// Returns the schema at its new place.
    pub(super) fn run(mut self, schema: &Value) -> Result<Value, Stuck> {
        let mut moved = self.schema(schema)?;
        let copies: Map<String, Value> = std::mem::take(&mut self.copies)
            .into_iter()
            .filter_map(|(pointer, copy)| Some((pointer, copy?)))
            .collect();
        if let (Value::Object(members), false) = (&mut moved, copies.is_empty()) {
            match members.entry(COPIES).or_insert_with(|| json!({})) {
                Value::Object(others) => others.extend(copies),
                // Not a schema at all, which the compiler reports.
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {}
            }
        }
        Ok(moved)
    }

    /// Rewrites a subschema, or whatever is in its place.
    fn schema(&mut self, value: &Value) -> Result<Value, Stuck> {
        match value {
            Value::Array(items) => items.iter().map(|item| self.schema(item)).collect(),
            Value::Object(members) if !is_document(self.dialect, members) => {
                self.keywords(members).map(Value::Object)
            }
            Value::Object(_) | Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                Ok(value.clone())
            }
        }
    }

    fn keywords(&mut self, members: &Map<String, Value>) -> Result<Map<String, Value>, Stuck> {
        let mut moved = Map::new();
        let mut recursive = false;
        for (name, value) in members {
            let keyword = Keyword::from_name(name);
            if keyword == Some(Keyword::RecursiveRef) && self.has_recursion && value == "#" {
                if self.is_bundle {
                    return Err(Stuck::Recursion);
                }
                recursive = true;
                continue;
            }
            // An anchor must stay unique, so a copy does not get it.
            if self.in_copy && matches!(keyword, Some(Keyword::Anchor | Keyword::DynamicAnchor)) {
                continue;
            }
            moved.insert(name.clone(), self.keyword(keyword, value)?);
        }
        if recursive {
            let root = if self.direction == Direction::In { INSIDE } else { "" };
            add_recursion(&mut moved, &format!("#{root}"));
        }
        Ok(moved)
    }

    /// Rewrites the value of a keyword. Keywords of any dialect count: references may use `$defs`
    /// in draft-07, too.
    fn keyword(&mut self, keyword: Option<Keyword>, value: &Value) -> Result<Value, Stuck> {
        let Some(keyword) = keyword else {
            // Unknown, but a reference may lead into it.
            return self.schema(value);
        };
        match (keyword, keyword.row().subschemas, value) {
            (Keyword::Ref | Keyword::DynamicRef, _, Value::String(target)) => {
                self.reference(target).map(Value::String)
            }
            (_, Subschemas::Map | Subschemas::MapOrNames, Value::Object(map)) => self.map(map),
            (_, Subschemas::None, _) => Ok(value.clone()),
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

    /// Rewrites a map of subschemas, whose names are not keywords.
    fn map(&mut self, map: &Map<String, Value>) -> Result<Value, Stuck> {
        let moved: Result<Map<String, Value>, Stuck> =
            map.iter().map(|(name, value)| Ok((name.clone(), self.schema(value)?))).collect();
        moved.map(Value::Object)
    }

    /// Returns a reference after the move. Names of anchors stay, and so do references out of the
    /// document.
    fn reference(&mut self, target: &str) -> Result<String, Stuck> {
        let is_plain = target == "#" || target.starts_with("#/");
        let pointer =
            if self.follows_data { fragment(target) } else { target.strip_prefix('#').map(str::to_owned) };
        let Some(pointer) = pointer.filter(|pointer| pointer.is_empty() || pointer.starts_with('/')) else {
            return Ok(target.to_owned());
        };
        let new = match self.direction {
            Direction::In => format!("{INSIDE}{pointer}"),
            Direction::Out => match pointer.strip_prefix(INSIDE) {
                Some(rest) if rest.is_empty() || rest.starts_with('/') => rest.to_owned(),
                Some(_) | None => return Err(Stuck::Outside),
            },
        };
        if self.follows_data && self.leads_into_data(&pointer) {
            return self.copy(&pointer);
        }
        // A reference that needed no decoding keeps its spelling.
        match (is_plain, self.direction) {
            (true, Direction::In) => Ok(format!("#{INSIDE}{}", &target[1..])),
            (true, Direction::Out) if target[1..].starts_with(INSIDE) => {
                Ok(format!("#{}", &target[1 + INSIDE.len()..]))
            }
            (true | false, _) => Ok(pointer::to_fragment(&new)),
        }
    }

    /// Whether a place is not rewritten as a subschema, and is not in a document of its own.
    fn leads_into_data(&self, target: &str) -> bool {
        let (mut place, mut value) = (Place::Schema, self.document);
        for step in pointer::tokens(target).unwrap_or_default() {
            let Some(below) = dialect::child(value, &step) else { return false };
            place = place.below(&step, value);
            value = below;
            let is_document = value.as_object().is_some_and(|members| is_document(self.dialect, members));
            if is_document && place == Place::Schema {
                return false;
            }
        }
        place != Place::Schema
    }

    /// Returns a reference to a copy of the value at a place, read as a subschema. The data itself
    /// stays unchanged.
    fn copy(&mut self, pointer: &str) -> Result<String, Stuck> {
        if !self.copies.contains_key(pointer) {
            let target = self.document.pointer(pointer);
            self.copied += target.map_or(0, count);
            if self.copied > MAX_COPIED {
                return Err(Stuck::TooLarge);
            }
            self.copies.insert(pointer.to_owned(), None);
            let was_in_copy = std::mem::replace(&mut self.in_copy, true);
            let copy = target.map(|target| self.schema(target)).transpose()?;
            self.in_copy = was_in_copy;
            self.copies.insert(pointer.to_owned(), copy);
        }
        let root = if self.direction == Direction::In { INSIDE } else { "" };
        let name = words::step(pointer);
        Ok(pointer::to_fragment(&format!("{root}/{COPIES}{name}")))
    }
}

/// Expresses a recursion by `$ref`; beside another one, in `allOf`.
fn add_recursion(moved: &mut Map<String, Value>, root: &str) {
    if !moved.contains_key("$ref") {
        moved.insert("$ref".to_owned(), root.into());
        return;
    }
    let reference = json!({"$ref": root});
    match moved.get_mut("allOf") {
        Some(Value::Array(branches)) => branches.push(reference),
        Some(_) | None => {
            moved.insert("allOf".to_owned(), json!([reference]));
        }
    }
}

/// Returns how many values there are in a value, itself included.
fn count(value: &Value) -> usize {
    let mut counted = 0;
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        counted += 1;
        match value {
            Value::Object(members) => open.extend(members.values()),
            Value::Array(items) => open.extend(items),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    counted
}

/// Rewrites like the C# SDK 2.2: every member `$ref`, wherever it is.
pub(super) fn move_blindly(value: &mut Value) {
    match value {
        Value::Object(members) => {
            if let Some(Value::String(target)) = members.get_mut("$ref")
                && (target == "#" || target.starts_with("#/"))
            {
                *target = format!("#{INSIDE}{}", &target[1..]);
            }
            members.values_mut().for_each(move_blindly);
        }
        Value::Array(items) => items.iter_mut().for_each(move_blindly),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}
