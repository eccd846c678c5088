//! References: from a text to the subschema it means, within the document and what was handed over.
//!
//! [`read`] expands the schema, resolves every reference in it, expands what those lead to (a
//! resource handed over, a metaschema, a place that is not otherwise a subschema), and so on
//! until nothing is left to resolve. Nothing is fetched: what is not there is an error.

mod nearby;

use crate::document::{Document, Metaschemas, ResourceId, Rules, SubschemaId, pointer, uri};
use crate::error::{SchemaError, SchemaErrorKind};
use crate::limits::Limits;
use ahash::RandomState;
use serde_json::Value;
use stanchion_vocab::{Dialect, Keyword, Vocabularies, Vocabulary, metaschema};
use std::collections::HashMap;
use std::sync::OnceLock;

/// How far references may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum References {
    /// Within the resource: only `#…`, pointers and anchors. What SEP-2106 demands.
    #[default]
    Local,
    /// Also to `$id`s inside the document, to resources handed to the builder, and to the known
    /// metaschemas. Still nothing is fetched.
    Bundled,
}

/// A reference, resolved.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) subschema: SubschemaId,
    /// Whether a `$dynamicRef` led to a `$dynamicAnchor` of its own name, so that the dynamic scope decides.
    pub(crate) is_dynamic: bool,
}

/// What references may lead to besides the document itself.
pub(crate) struct Sources<'s> {
    pub(crate) references: References,
    /// For documents that declare no dialect.
    pub(crate) rules: Rules,
    /// For documents that declare one that is not known; none to refuse them.
    pub(crate) unknown: Option<Dialect>,
    /// Resources that were handed over, by URI without a fragment.
    pub(crate) resources: HashMap<String, &'s Value, RandomState>,
}

/// A document whose references are all resolved.
pub(crate) struct Resolved<'s> {
    pub(crate) document: Document<'s>,
    /// By the subschema and the keyword of the reference.
    pub(crate) targets: HashMap<(SubschemaId, Keyword), Target, RandomState>,
}

/// Reads a schema and all that it refers to.
pub(crate) fn read<'s>(
    schema: &'s Value,
    sources: &Sources<'s>,
    limits: &Limits,
) -> Result<Resolved<'s>, SchemaError> {
    let mut resolved = Resolved::new(limits);
    resolved.read(schema, sources)?;
    Ok(resolved)
}

impl<'s> Resolved<'s> {
    /// Nothing yet.
    pub(crate) fn new(limits: &Limits) -> Resolved<'s> {
        let targets = HashMap::with_hasher(RandomState::with_seeds(1, 2, 3, 4));
        Resolved { document: Document::new(limits), targets }
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
                // What a reference added is expanded before the next one is resolved: it may name things.
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
                    Ok(target) => drop(self.targets.insert((id, keyword), target)),
                    Err(error) => self.document.faults.take(error)?,
                }
            }
        }
        Ok(())
    }

    fn resolve(
        &mut self,
        from: SubschemaId,
        keyword: Keyword,
        reference: &str,
        sources: &Sources<'s>,
    ) -> Result<Target, SchemaError> {
        let refused = |document: &Document<'s>, kind| {
            let mut suffix = String::new();
            pointer::push(&mut suffix, keyword.name());
            document.error(from, &suffix, kind)
        };
        let unresolved = |why, suggestion| SchemaErrorKind::Unresolved {
            reference: reference.to_owned(),
            why,
            suggestion,
        };
        if sources.references == References::Local && !reference.starts_with('#') {
            let kind = SchemaErrorKind::Outside { reference: reference.to_owned() };
            return Err(refused(&self.document, kind));
        }
        let (name, fragment) = uri::split_fragment(reference);
        let base = self.document.subschema(from).resource;
        let resource = match name {
            "" => base,
            name => {
                let uri = uri::resolve(&self.document.resource(base).uri, name);
                match self.resource(&uri, sources)? {
                    Some(resource) => resource,
                    None => {
                        let near = nearby::resource(&self.document, sources, &uri);
                        let kind = unresolved("no such resource was handed over", near);
                        return Err(refused(&self.document, kind));
                    }
                }
            }
        };
        let fragment = pointer::percent_decode(fragment.unwrap_or(""))
            .ok_or_else(|| refused(&self.document, unresolved("its percent escapes are malformed", None)))?;
        let root = self.document.resource(resource).root;
        let subschema = if fragment.is_empty() {
            root
        } else if fragment.starts_with('/') {
            self.at_pointer(root, &fragment)?.ok_or_else(|| {
                let near = nearby::pointer(self.document.subschema(root).value, &fragment);
                let near = near.map(|near| format!("{name}#{near}"));
                refused(&self.document, unresolved("there is nothing at that place", near))
            })?
        } else {
            self.document.anchors.get(&(resource, &*fragment)).copied().ok_or_else(|| {
                let near = nearby::anchor(&self.document, resource, &fragment);
                let near = near.map(|near| format!("{name}#{near}"));
                refused(&self.document, unresolved("there is no such anchor", near))
            })?
        };
        let dynamic_name = if keyword == Keyword::RecursiveRef { "" } else { &*fragment };
        let resource = self.document.subschema(subschema).resource;
        let is_dynamic = keyword != Keyword::Ref
            && self.document.dynamic_anchors.get(&(resource, dynamic_name)) == Some(&subschema);
        Ok(Target { subschema, is_dynamic })
    }

    /// The resource of that URI: in the document, handed over, or a metaschema.
    fn resource(&mut self, uri: &str, sources: &Sources<'s>) -> Result<Option<ResourceId>, SchemaError> {
        if let Some(&resource) = self.document.by_uri.get(uri) {
            return Ok(Some(resource));
        }
        let Some(value) = sources.value(uri) else { return Ok(None) };
        let root = self.document.add_root(uri, value, sources.rules)?;
        self.document.expand(sources)?;
        Ok(Some(self.document.subschema(root).resource))
    }

    /// The subschema at a pointer below `root`: what is there becomes one if it was not.
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
    /// What was handed over under that URI, or the metaschema of that URI.
    fn value(&self, uri: &str) -> Option<&'s Value> {
        if self.references == References::Local {
            return None;
        }
        self.resources.get(uri).copied().or_else(|| metaschema_value(uri))
    }
}

impl Metaschemas for Sources<'_> {
    fn rules(&self, uri: &str) -> Option<Result<Rules, SchemaErrorKind>> {
        let metaschema = self.value(uri::split_fragment(uri).0).and_then(Value::as_object);
        let Some(metaschema) = metaschema else { return self.unknown.map(|dialect| Ok(Rules::of(dialect))) };
        // A metaschema says by its own `$schema` what it is an extension of.
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

/// The metaschema of that URI, parsed when it is first asked for.
fn metaschema_value(uri: &str) -> Option<&'static Value> {
    static PARSED: [OnceLock<Value>; metaschema::ALL.len()] =
        [const { OnceLock::new() }; metaschema::ALL.len()];
    let position = metaschema::position(uri)?;
    let value = PARSED[position].get_or_init(|| {
        serde_json::from_str(metaschema::ALL[position].text)
            .expect("metaschemas are JSON: a test parses them all")
    });
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metaschemas_are_json() {
        for metaschema in metaschema::ALL {
            let value = metaschema_value(metaschema.uri).unwrap();
            let id = value.get("$id").or_else(|| value.get("id")).and_then(Value::as_str).unwrap();
            assert_eq!(id.trim_end_matches('#'), metaschema.uri);
        }
    }
}
