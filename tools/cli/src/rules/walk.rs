//! The subschemas of a document, found as the engine finds them: by the table of keywords, dialect
//! by dialect.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Map, Value};
use stanchion::{Dialect, TypeSet};
use stanchion_vocab::{Keyword, Subschemas, Type, pointer};

/// A subschema and its place.
pub(super) struct Site<'s> {
    pub(super) value: &'s Value,
    pub(super) pointer: String,
    pub(super) dialect: Dialect,
    pub(super) parent: Option<usize>,
    /// The keyword that contains it; `None` for the root.
    pub(super) under: Option<Keyword>,
    /// Whether a `$ref` hides all other keywords: draft-07 and before.
    pub(super) is_hidden: bool,
}

impl<'s> Site<'s> {
    /// Returns the value of a keyword, if the subschema is an object that has it.
    pub(super) fn get(&self, name: &str) -> Option<&'s Value> {
        self.value.get(name)
    }

    /// Iterates over its keywords; none if it is `true` or `false`.
    pub(super) fn keywords(&self) -> impl Iterator<Item = (&'s String, &'s Value)> {
        self.value.as_object().into_iter().flatten()
    }

    /// Returns the subschemas by name in a keyword such as `properties`.
    pub(super) fn map(&self, name: &str) -> Option<&'s Map<String, Value>> {
        self.get(name).and_then(Value::as_object)
    }

    /// Returns the list in a keyword such as `anyOf`.
    pub(super) fn list(&self, name: &str) -> Option<&'s Vec<Value>> {
        self.get(name).and_then(Value::as_array)
    }

    /// Returns the texts in the list of a keyword such as `required`, with their indices.
    pub(super) fn texts(&self, name: &str) -> impl Iterator<Item = (usize, &'s str)> {
        let list = self.list(name).into_iter().flatten().enumerate();
        list.filter_map(|(index, value)| Some((index, value.as_str()?)))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Returns the pointer to a place below.
    pub(super) fn at(&self, steps: &[&str]) -> String {
        let mut pointer = self.pointer.clone();
        steps.iter().for_each(|step| pointer::push(&mut pointer, step));
        shortened(pointer)
    }
}

/// All subschemas of a document, in order.
pub(super) struct Tree<'s> {
    pub(super) document: &'s Value,
    sites: Vec<Site<'s>>,
    by_pointer: HashMap<String, usize>,
    /// Anchors of the document's own resource.
    anchors: HashMap<&'s str, usize>,
}

impl<'s> Tree<'s> {
    pub(super) fn of(document: &'s Value, dialect: Dialect) -> Tree<'s> {
        let mut tree =
            Tree { document, sites: Vec::new(), by_pointer: HashMap::new(), anchors: HashMap::new() };
        let mut open = vec![Site {
            value: document,
            pointer: String::new(),
            dialect,
            parent: None,
            under: None,
            is_hidden: false,
        }];
        while let Some(mut site) = open.pop() {
            let named = site.get("$schema").and_then(Value::as_str).and_then(Dialect::from_uri);
            site.dialect = named.unwrap_or(site.dialect);
            site.is_hidden =
                site.dialect.reference_hides_siblings() && site.get("$ref").is_some_and(Value::is_string);
            let index = tree.sites.len();
            // The last one found is the first to be expanded.
            let first = open.len();
            children(&site, index, &mut open);
            open[first..].reverse();
            tree.by_pointer.insert(site.pointer.clone(), index);
            for anchor in ["$anchor", "$dynamicAnchor"] {
                if let Some(name) = site.get(anchor).and_then(Value::as_str) {
                    tree.anchors.entry(name).or_insert(index);
                }
            }
            tree.sites.push(site);
        }
        tree
    }

    pub(super) fn sites(&self) -> impl Iterator<Item = &Site<'s>> {
        self.sites.iter()
    }

    pub(super) fn site(&self, index: usize) -> &Site<'s> {
        &self.sites[index]
    }

    pub(super) fn index_of(&self, pointer: &str) -> Option<usize> {
        self.by_pointer.get(pointer).copied()
    }

    /// Returns the sort key of a finding: its subschema, and then the place in that.
    pub(super) fn order_of(&self, pointer: &str) -> (usize, String) {
        let mut end = pointer.len();
        loop {
            if let Some(index) = self.index_of(&pointer[..end]) {
                return (index, pointer[end..].to_owned());
            }
            match pointer[..end].rfind('/') {
                Some(at) => end = at,
                None => return (0, pointer.to_owned()),
            }
        }
    }

    /// Returns the target of a reference within the document, if it is simple to find.
    pub(super) fn follow(&self, reference: &str) -> Option<usize> {
        let fragment = pointer::decode_fragment(reference.strip_prefix('#')?)?;
        match fragment.starts_with('/') || fragment.is_empty() {
            true => self.index_of(&fragment),
            false => self.anchors.get(fragment.as_ref()).copied(),
        }
    }

    /// Returns the subschema at a pointer, following references that stand alone.
    pub(super) fn resolve(&self, pointer: &str) -> Option<&Site<'s>> {
        let mut site = self.site(self.index_of(pointer)?);
        // The engine refuses rings of references; here the loop only has to end.
        for _ in 0..16 {
            let reference = site.get("$ref").and_then(Value::as_str);
            let is_all =
                site.is_hidden || site.keywords().all(|(name, _)| name == "$ref" || is_annotation(name));
            match reference {
                Some(reference) if is_all => site = self.site(self.follow(reference)?),
                Some(_) | None => return Some(site),
            }
        }
        None
    }
}

/// Adds the subschemas directly below a subschema.
fn children<'s>(site: &Site<'s>, index: usize, open: &mut Vec<Site<'s>>) {
    for (name, value) in site.keywords() {
        let Some(keyword) = Keyword::from_name(name) else { continue };
        // `items` as an array is a mistake in 2020-12; its content is checked all the same.
        let is_tuple = keyword == Keyword::Items && value.is_array();
        let shape = if is_tuple { Some(Subschemas::List) } else { site.dialect.subschemas(keyword) };
        let mut add = |value: &'s Value, steps: &[&str]| {
            if value.is_object() || value.is_boolean() {
                let pointer = site.at(steps);
                let (dialect, parent, under) = (site.dialect, Some(index), Some(keyword));
                open.push(Site { value, pointer, dialect, parent, under, is_hidden: false });
            }
        };
        match (shape, value) {
            (Some(Subschemas::One | Subschemas::OneOrList), Value::Object(_) | Value::Bool(_)) => {
                add(value, &[name]);
            }
            (Some(Subschemas::List | Subschemas::OneOrList), Value::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    add(item, &[name, &index.to_string()]);
                }
            }
            (Some(Subschemas::Map | Subschemas::MapOrNames), Value::Object(map)) => {
                for (member, value) in map {
                    add(value, &[name, member]);
                }
            }
            _ => {}
        }
    }
}

/// Returns the types that a schema's own `type` allows; `None` without that keyword, or if it is
/// malformed.
pub(super) fn types(schema: &Value) -> Option<TypeSet> {
    let named = schema.get("type")?;
    let names = named.as_array().map_or(std::slice::from_ref(named), Vec::as_slice);
    let types: Option<Vec<Type>> = names.iter().map(|name| name.as_str().and_then(Type::from_name)).collect();
    let types = types.filter(|types| !types.is_empty())?;
    Some(types.into_iter().fold(TypeSet::NONE, TypeSet::with))
}

/// Whether a keyword never rejects anything.
pub(super) fn is_annotation(name: &str) -> bool {
    matches!(
        name,
        "title"
            | "description"
            | "default"
            | "examples"
            | "$comment"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
    )
}

/// Shortens a pointer to about 1,000 bytes. A hash of the whole replaces the middle of a longer
/// one, so it stays unique, and a name of a megabyte is not repeated for everything below it.
fn shortened(pointer: String) -> String {
    const MAX_POINTER_BYTES: usize = 1000;
    if pointer.len() <= MAX_POINTER_BYTES {
        return pointer;
    }
    let mut hasher = DefaultHasher::new();
    pointer.hash(&mut hasher);
    let boundary = |at: &usize| pointer.is_char_boundary(*at);
    let start = (0..=MAX_POINTER_BYTES / 2).rev().find(boundary).unwrap_or(0);
    let end = (pointer.len() - MAX_POINTER_BYTES / 2..pointer.len()).find(boundary).unwrap_or(pointer.len());
    format!("{}…{:x}…{}", &pointer[..start], hasher.finish(), &pointer[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_pointers_are_cut_and_stay_apart() {
        let long =
            |letter: &str| format!("/properties/{}{letter}{}/not", "é".repeat(1_000), "é".repeat(1_000));
        let short = shortened(long("a"));
        assert!(short.len() < 1_100 && short.starts_with("/properties/é") && short.ends_with("é/not"));
        assert_ne!(short, shortened(long("b")));
        assert_eq!(shortened("/not".to_owned()), "/not");
    }
}
