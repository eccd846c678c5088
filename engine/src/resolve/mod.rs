//! Resolves references to subschemas, within the document and the registered resources.
//!
//! [`read`] expands the schema, resolves every reference in it, expands their targets (a registered
//! resource, a metaschema, a place that is not otherwise a subschema), and so on until nothing is
//! left to resolve. Nothing is fetched: a missing target is an error.
//!
//! A registered document is found under the URI that it was registered with, under its own `$id`,
//! and under those embedded in it, whatever the order of the references. URIs are compared in
//! [normal form](uri::normalize).

mod nearby;

use crate::diagnose::Faults;
use crate::document::{Document, Metaschemas, ResourceId, Rules, SubschemaId, pointer, uri};
use crate::error::{NO_RESOURCE, SchemaError, SchemaErrorKind};
use crate::limits::Limits;
use ahash::RandomState;
use serde_json::Value;
use stanchion_vocab::{Dialect, Keyword, Vocabularies, Vocabulary, metaschema};
use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// The targets that references may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum References {
    /// Within the resource: only `#…`, pointers and anchors, as SEP-2106 demands.
    #[default]
    Local,
    /// Also `$id`s inside the document, resources registered with the builder, and the known
    /// metaschemas. Nothing is fetched here either.
    Bundled,
}

/// A resolved reference.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) subschema: SubschemaId,
    /// Whether a `$dynamicRef` leads to a `$dynamicAnchor` of its own name, so that the dynamic
    /// scope decides.
    pub(crate) is_dynamic: bool,
}

/// Targets of references besides the document itself.
pub(crate) struct Sources<'s> {
    pub(crate) references: References,
    /// Rules for documents that declare no dialect.
    pub(crate) rules: Rules,
    /// Dialect for documents that declare an unknown one; `None` to refuse them.
    pub(crate) unknown: Option<Dialect>,
    /// Registered documents, in order.
    documents: Vec<HandedOver<'s>>,
    /// Indices of the documents, by the normal form of the URIs that they were registered with.
    by_uri: HashMap<Cow<'s, str>, usize, RandomState>,
    /// The documents by the normal form of the `$id`s in them, for URIs that are not in `by_uri`.
    /// Filled on first use.
    by_id: OnceCell<HashMap<Arc<str>, HandedOver<'s>, RandomState>>,
    limits: Limits,
    /// Seeds for hash tables of names.
    pub(crate) seeds: RandomState,
}

/// A registered document, or a metaschema.
#[derive(Clone, Copy)]
struct HandedOver<'s> {
    /// The URI, without a fragment.
    uri: &'s str,
    value: &'s Value,
    /// The requested part: the document, or a resource embedded in it.
    part: &'s Value,
}

/// A document whose references are all resolved.
pub(crate) struct Resolved<'s> {
    pub(crate) document: Document<'s>,
    /// Targets, by the subschema and the keyword of the reference.
    pub(crate) targets: HashMap<(SubschemaId, Keyword), Target, RandomState>,
    /// References that lead nowhere, in the order of subschemas. They are errors only if something
    /// leads to them.
    pub(crate) dangling: Vec<Dangling>,
}

/// A reference that leads nowhere.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dangling {
    pub(crate) from: SubschemaId,
    keyword: Keyword,
    why: Missing,
}

/// The missing target of a reference.
#[derive(Clone, Copy, Debug)]
enum Missing {
    Resource,
    /// The percent escapes are malformed.
    Fragment,
    /// The place below this subschema.
    Place(SubschemaId),
    /// The anchor of this resource.
    Anchor(ResourceId),
}

/// Reads a schema and all that it refers to.
pub(crate) fn read<'s>(
    schema: &'s Value,
    sources: &Sources<'s>,
    limits: &Limits,
) -> Result<Resolved<'s>, SchemaError> {
    let mut resolved = Resolved::new(limits, sources);
    resolved.read(schema, sources)?;
    Ok(resolved)
}

impl<'s> Resolved<'s> {
    /// Makes an empty document. Names are hashed with the seeds of the sources.
    pub(crate) fn new(limits: &Limits, sources: &Sources<'_>) -> Resolved<'s> {
        let targets = HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 4));
        let document = Document::new(limits, sources.seeds.clone());
        Resolved { document, targets, dangling: Vec::new() }
    }

    /// Reads a schema and all that it refers to.
    pub(crate) fn read(&mut self, schema: &'s Value, sources: &Sources<'s>) -> Result<(), SchemaError> {
        self.document.add_root("", schema, sources.rules)?;
        let mut next = 0;
        loop {
            self.document.expand(sources)?;
            if next == self.document.subschemas.len() {
                return Ok(());
            }
            while next < self.document.subschemas.len() {
                self.resolve_all(SubschemaId(next as u32), sources)?;
                next += 1;
                // New subschemas are expanded before the next reference is resolved, since they may
                // define names.
                self.document.expand(sources)?;
            }
        }
    }

    /// Resolves the references among the keywords of one subschema.
    fn resolve_all(&mut self, id: SubschemaId, sources: &Sources<'s>) -> Result<(), SchemaError> {
        for index in 0..self.document.entries(id).len() {
            let entry = &self.document.entries(id)[index];
            let (Some(keyword), Value::String(reference)) = (entry.keyword, entry.value) else { continue };
            let dialect = self.document.resource(self.document.subschema(id).resource).rules.dialect;
            let is_reference = matches!(keyword, Keyword::Ref | Keyword::DynamicRef)
                || (keyword == Keyword::RecursiveRef && dialect == Dialect::Draft201909);
            if is_reference {
                match self.resolve(id, keyword, reference, sources) {
                    Ok(Ok(target)) => drop(self.targets.insert((id, keyword), target)),
                    Ok(Err(why)) => self.dangling.push(Dangling { from: id, keyword, why }),
                    Err(error) => self.document.faults.take(error)?,
                }
            }
        }
        Ok(())
    }

    /// Returns the target of a reference, or what is missing. An error refuses the schema wherever
    /// the reference is.
    fn resolve(
        &mut self,
        from: SubschemaId,
        keyword: Keyword,
        reference: &str,
        sources: &Sources<'s>,
    ) -> Result<Result<Target, Missing>, SchemaError> {
        if sources.references == References::Local && !reference.starts_with('#') {
            let kind = SchemaErrorKind::Outside { reference: reference.to_owned() };
            return Err(self.document.error(from, &suffix(keyword), kind));
        }
        let (name, fragment) = uri::split_fragment(reference);
        let base = self.document.subschema(from).resource;
        let resource = match name {
            "" => base,
            name => {
                let uri = self.document.resolve_uri(base, name)?;
                match self.resource(&uri, sources)? {
                    Some(resource) => resource,
                    None => return Ok(Err(Missing::Resource)),
                }
            }
        };
        let Some(fragment) = pointer::decode_fragment(fragment.unwrap_or("")) else {
            return Ok(Err(Missing::Fragment));
        };
        let root = self.document.resource(resource).root;
        let subschema = if fragment.is_empty() {
            root
        } else if fragment.starts_with('/') {
            match self.at_pointer(root, &fragment)? {
                Some(subschema) => subschema,
                None => return Ok(Err(Missing::Place(root))),
            }
        } else {
            match self.document.anchors.get(&(resource, &*fragment)) {
                Some(&subschema) => subschema,
                None => return Ok(Err(Missing::Anchor(resource))),
            }
        };
        let dynamic_name = if keyword == Keyword::RecursiveRef { "" } else { &*fragment };
        let resource = self.document.subschema(subschema).resource;
        let is_dynamic = keyword != Keyword::Ref
            && self.document.dynamic_anchors.get(&(resource, dynamic_name)) == Some(&subschema);
        Ok(Ok(Target { subschema, is_dynamic }))
    }

    /// Makes the error for a reference that leads nowhere, with a suggestion.
    pub(crate) fn dangling_error(&self, dangling: &Dangling, sources: &Sources<'_>) -> SchemaError {
        let Dangling { from, keyword, why } = *dangling;
        let document = &self.document;
        let entry = document.entries(from).iter().find(|entry| entry.keyword == Some(keyword));
        let reference = entry.and_then(|entry| entry.value.as_str()).unwrap_or_default();
        let (name, fragment) = uri::split_fragment(reference);
        let fragment = pointer::decode_fragment(fragment.unwrap_or("")).unwrap_or_default();
        let below = |near| format!("{name}#{near}");
        let (why, suggestion) = match why {
            Missing::Resource => {
                let uri = uri::resolve(&document.resource(document.subschema(from).resource).uri, name);
                (NO_RESOURCE, nearby::resource(document, sources, &uri))
            }
            Missing::Fragment => ("its percent escapes are malformed", None),
            Missing::Place(root) => {
                let near = nearby::pointer(document.subschema(root).value, &fragment);
                ("there is nothing at that place", near.map(below))
            }
            Missing::Anchor(resource) => {
                let near = nearby::anchor(document, resource, &fragment);
                ("there is no such anchor", near.map(|near| below(near.to_owned())))
            }
        };
        let reference = reference.to_owned();
        document.error(from, &suffix(keyword), SchemaErrorKind::Unresolved { reference, why, suggestion })
    }

    /// Returns the resource of this URI: in the document, registered, or a metaschema.
    fn resource(&mut self, uri: &str, sources: &Sources<'s>) -> Result<Option<ResourceId>, SchemaError> {
        let uri = uri::normalize(uri);
        if let Some(&resource) = self.document.by_uri.get(&*uri) {
            return Ok(Some(resource));
        }
        let Some(HandedOver { uri: name, value, .. }) = sources.find(&uri) else { return Ok(None) };
        self.document.add_root(name, value, sources.rules)?;
        self.document.expand(sources)?;
        Ok(self.document.by_uri.get(&*uri).copied())
    }

    /// Returns the subschema at a pointer below `root`. A value that is not a subschema yet becomes
    /// one.
    fn at_pointer(&mut self, root: SubschemaId, path: &str) -> Result<Option<SubschemaId>, SchemaError> {
        let mut value = self.document.subschema(root).value;
        let mut nearest = root;
        let mut beyond = String::new();
        for token in path.split('/').skip(1) {
            let Some(token) = pointer::unescape(token) else { return Ok(None) };
            let Some(child) = pointer::child(value, &token) else { return Ok(None) };
            value = child;
            pointer::push(&mut beyond, &token);
            if let Some(id) = self.document.at_address(value) {
                nearest = id;
                beyond.clear();
            }
        }
        if beyond.is_empty() {
            return Ok(Some(nearest));
        }
        self.document.add_at_path(value, nearest, beyond).map(Some)
    }
}

impl<'s> Sources<'s> {
    /// Registers documents under their URIs. Of two with the same URI, the last counts.
    pub(crate) fn new(
        references: References,
        rules: Rules,
        unknown: Option<Dialect>,
        documents: &'s [(String, Value)],
        limits: &Limits,
        seeds: RandomState,
    ) -> Sources<'s> {
        let mut by_uri = HashMap::with_hasher(seeds.clone());
        for (place, (uri, _)) in documents.iter().enumerate() {
            by_uri.insert(uri::normalize(uri), place);
        }
        let documents = documents.iter().map(|(uri, value)| HandedOver { uri, value, part: value }).collect();
        let by_id = OnceCell::new();
        Sources { references, rules, unknown, documents, by_uri, by_id, limits: *limits, seeds }
    }

    /// Returns the document for a URI in normal form, perhaps for a part of it; or the metaschema.
    fn find(&self, uri: &str) -> Option<HandedOver<'s>> {
        self.find_by_uri(uri).or_else(|| self.by_id.get_or_init(|| self.identifiers()).get(uri).copied())
    }

    /// Returns the document that was registered under a URI in normal form, or the metaschema.
    fn find_by_uri(&self, uri: &str) -> Option<HandedOver<'s>> {
        if self.references == References::Local {
            return None;
        }
        if let Some(&place) = self.by_uri.get(uri) {
            return Some(self.documents[place]);
        }
        metaschema_value(uri).map(|(uri, value)| HandedOver { uri, value, part: value })
    }

    /// Returns the `$id`s in all documents, in normal form. For a document that exceeds the limits,
    /// only those found within them.
    fn identifiers(&self) -> HashMap<Arc<str>, HandedOver<'s>, RandomState> {
        let mut by_id = HashMap::with_hasher(self.seeds.clone());
        for &found in &self.documents {
            let mut document = Document::new(&self.limits, self.seeds.clone());
            document.faults = Faults::Ignored;
            let root = document.add_root(found.uri, found.value, self.rules);
            let _ended = root.and_then(|_| document.expand(&ByUri(self)));
            for (id, &resource) in &document.by_uri {
                let part = document.subschema(document.resource(resource).root).value;
                by_id.entry(Arc::clone(id)).or_insert(HandedOver { part, ..found });
            }
        }
        by_id
    }

    /// Returns the rules of the metaschema of this URI, if `find` finds it.
    fn rules_of(
        &self,
        uri: &str,
        find: impl Fn(&str) -> Option<HandedOver<'s>>,
    ) -> Option<Result<Rules, SchemaErrorKind>> {
        let uri = uri::normalize(uri::split_fragment(uri).0);
        if let Some(dialect) = Dialect::from_uri(&uri) {
            return Some(Ok(Rules::of(dialect)));
        }
        let metaschema = find(&uri).and_then(|found| found.part.as_object());
        let Some(metaschema) = metaschema else { return self.unknown.map(|dialect| Ok(Rules::of(dialect))) };
        // The `$schema` of a metaschema names the dialect that it extends.
        let dialect = match metaschema.get("$schema").and_then(Value::as_str) {
            Some(uri) => Dialect::from_uri(uri)?,
            None => Dialect::default(),
        };
        let mut rules = Rules::of(dialect);
        let Some(Value::Object(listed)) = metaschema.get("$vocabulary") else { return Some(Ok(rules)) };
        rules.vocabularies = Vocabularies::CORE;
        for (uri, required) in listed {
            match Vocabulary::from_uri(uri) {
                Some(vocabulary) => rules.vocabularies = rules.vocabularies.with(vocabulary),
                None if *required == Value::Bool(true) => {
                    return Some(Err(SchemaErrorKind::Vocabulary { uri: uri.clone() }));
                }
                None => {}
            }
        }
        Some(Ok(rules))
    }
}

impl Metaschemas for Sources<'_> {
    fn rules(&self, uri: &str) -> Option<Result<Rules, SchemaErrorKind>> {
        self.rules_of(uri, |uri| self.find(uri))
    }
}

/// Metaschemas by their registered URIs alone, while the `$id`s in documents are not known yet.
struct ByUri<'a, 's>(&'a Sources<'s>);

impl Metaschemas for ByUri<'_, '_> {
    fn rules(&self, uri: &str) -> Option<Result<Rules, SchemaErrorKind>> {
        self.0.rules_of(uri, |uri| self.0.find_by_uri(uri))
    }
}

/// Returns the pointer to a keyword from its subschema.
fn suffix(keyword: Keyword) -> String {
    let mut suffix = String::new();
    pointer::push(&mut suffix, keyword.name());
    suffix
}

/// Returns the metaschema of this URI, parsed on first use.
fn metaschema_value(uri: &str) -> Option<(&'static str, &'static Value)> {
    static PARSED: [OnceLock<Value>; metaschema::ALL.len()] =
        [const { OnceLock::new() }; metaschema::ALL.len()];
    let position = metaschema::position(uri)?;
    let metaschema = &metaschema::ALL[position];
    let value = PARSED[position].get_or_init(|| {
        serde_json::from_str(metaschema.text).expect("metaschemas are JSON: a test parses them all")
    });
    Some((metaschema.uri, value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metaschemas_are_json() {
        for metaschema in metaschema::ALL {
            let (_, value) = metaschema_value(metaschema.uri).unwrap();
            let id = value.get("$id").or_else(|| value.get("id")).and_then(Value::as_str).unwrap();
            assert_eq!(id.trim_end_matches('#'), metaschema.uri);
        }
    }
}
