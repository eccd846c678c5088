//! The subschemas of a document, found as the engine finds them: by the table of keywords, dialect by dialect.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde_json::{Map, Value};
use stanchion::{Dialect, TypeSet};
use stanchion_vocab::{Keyword, Subschemas, Type, pointer};

/// A subschema and where it stands.
pub(super) struct Site<'s> {
    pub(super) value: &'s Value,
    pub(super) pointer: String,
    pub(super) dialect: Dialect,
    pub(super) parent: Option<usize>,
    /// The keyword that it stands under; none for the root.
    pub(super) under: Option<Keyword>,
    /// Whether a `$ref` hides all other keywords: draft-07 and before.
    pub(super) is_hidden: bool,
}

impl<'s> Site<'s> {
    /// The value of a keyword, if the subschema is an object that has it.
    pub(super) fn get(&self, name: &str) -> Option<&'s Value> {
        self.value.get(name)
    }

    /// Its keywords; none if it is `true` or `false`.
    pub(super) fn keywords(&self) -> impl Iterator<Item = (&'s String, &'s Value)> {
        self.value.as_object().into_iter().flatten()
    }

    /// The subschemas by name that a keyword such as `properties` has.
    pub(super) fn map(&self, name: &str) -> Option<&'s Map<String, Value>> {
        self.get(name).and_then(Value::as_object)
    }

    /// The list that a keyword such as `anyOf` has.
    pub(super) fn list(&self, name: &str) -> Option<&'s Vec<Value>> {
        self.get(name).and_then(Value::as_array)
    }

    /// The texts in the list that a keyword such as `required` has.
    pub(super) fn texts(&self, name: &str) -> impl Iterator<Item = (usize, &'s str)> {
        let list = self.list(name).into_iter().flatten().enumerate();
        list.filter_map(|(index, value)| Some((index, value.as_str()?)))
    }

    pub(super) fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The pointer to a place below.
    pub(super) fn at(&self, steps: &[&str]) -> String {
        let mut pointer = self.pointer.clone();
        steps.iter().for_each(|step| pointer::push(&mut pointer, step));
        shortened(pointer)
    }
}

/// All subschemas of a document, in its order.
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

    /// By which findings are sorted: the subschema they are in, and then the place in that.
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

    /// Where a reference leads within the document, if that is plain to see.
    pub(super) fn follow(&self, reference: &str) -> Option<usize> {
        let fragment = pointer::decode_fragment(reference.strip_prefix('#')?)?;
        match fragment.starts_with('/') || fragment.is_empty() {
            true => self.index_of(&fragment),
            false => self.anchors.get(fragment.as_ref()).copied(),
        }
    }

    /// The subschema at a pointer, with references followed where they are all that it says.
    pub(super) fn resolve(&self, pointer: &str) -> Option<&Site<'s>> {
        let mut site = self.site(self.index_of(pointer)?);
        // A ring of references is refused by the engine; here it only has to end.
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

/// Adds the subschemas below a subschema.
fn children<'s>(site: &Site<'s>, index: usize, open: &mut Vec<Site<'s>>) {
    for (name, value) in site.keywords() {
        let Some(keyword) = Keyword::from_name(name) else { continue };
        // `items` as an array is a mistake in 2020-12; what is in it is looked at all the same.
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

/// The types that a schema leaves by its own `type`; none if it has no such keyword, or one that is malformed.
pub(super) fn types(schema: &Value) -> Option<TypeSet> {
    let named = schema.get("type")?;
    let names = named.as_array().map_or(std::slice::from_ref(named), Vec::as_slice);
    let types: Option<Vec<Type>> = names.iter().map(|name| name.as_str().and_then(Type::from_name)).collect();
    let types = types.filter(|types| !types.is_empty())?;
    Some(types.into_iter().fold(TypeSet::NONE, TypeSet::with))
}

/// Keywords that never refuse anything.
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

/// Shortens a pointer to some 1,000 bytes. A hash of the whole replaces the middle of a longer one: so it differs from others, and a name
/// of a megabyte is not repeated for all that is below it.
fn shortened(pointer: String) -> String {
    const LONGEST: usize = 1000;
    if pointer.len() <= LONGEST {
        return pointer;
    }
    let mut hasher = DefaultHasher::new();
    pointer.hash(&mut hasher);
    let boundary = |at: &usize| pointer.is_char_boundary(*at);
    let start = (0..=LONGEST / 2).rev().find(boundary).unwrap_or(0);
    let end = (pointer.len() - LONGEST / 2..pointer.len()).find(boundary).unwrap_or(pointer.len());
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
