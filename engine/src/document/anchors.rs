//! Keywords that name a place: `$id`, `$anchor`, `$dynamicAnchor`, `$schema`: [core §8.1, §8.2].
//!
//! An `$id` starts a resource of its own, with its own base URI, anchors and perhaps dialect. In
//! draft-07 and before, an `$id` may be just a fragment, which is an anchor, and has no effect
//! beside a `$ref`. 2019-09's `$recursiveAnchor` is a dynamic anchor whose name is empty.
//!
//! [core §8.1, §8.2]: https://json-schema.org/draft/2020-12/json-schema-core#section-8.1

use super::{Document, Metaschemas, ResourceId, Rules, SubschemaId, text, uri};
use crate::error::{SchemaError, SchemaErrorKind};
use serde_json::{Map, Value};
use stanchion_vocab::Dialect;
use std::sync::Arc;

impl<'s> Document<'s> {
    /// Reads the identifying keywords of a subschema, which may make it a resource.
    pub(super) fn identify(
        &mut self,
        id: SubschemaId,
        map: &'s Map<String, Value>,
        metaschemas: &impl Metaschemas,
    ) -> Result<(), SchemaError> {
        let is_root = self.subschema(id).parent.is_none();
        // Most subschemas have nothing that starts with a dollar sign.
        if !is_root && !map.keys().any(|name| name.starts_with('$') || name == "id") {
            return Ok(());
        }
        let inherited = self.resource(self.subschema(id).resource);
        // `$schema` counts where a resource starts, and is an annotation elsewhere.
        let starts = is_root || map.contains_key("$id") || map.contains_key("id");
        let rules = match text(map, "$schema") {
            Some(uri) if starts => match self.declared(id, uri, metaschemas) {
                Ok(rules) => rules,
                Err(error) => {
                    let rules = inherited.rules;
                    self.faults.take(error)?;
                    rules
                }
            },
            Some(_) | None => inherited.rules,
        };
        let dialect = rules.dialect;
        let hidden = dialect.reference_hides_siblings() && map.contains_key("$ref");
        let named = if hidden { None } else { text(map, dialect.id_keyword()) };
        let (name, fragment) = match named {
            Some(named) => uri::split_fragment(named),
            None => ("", None),
        };
        if is_root {
            let resource = self.subschema(id).resource;
            self.name_root(resource, name, rules)?;
        } else if !name.is_empty() {
            self.start_resource(id, name, rules)?;
        }
        let anchor = match fragment {
            Some(fragment) if dialect.id_fragment_is_anchor() && !fragment.is_empty() => Some(fragment),
            Some(_) | None => None,
        };
        self.note_anchors(id, map, dialect, anchor)
    }

    /// Returns the dialect that a `$schema` declares.
    fn declared(
        &self,
        id: SubschemaId,
        uri: &str,
        metaschemas: &impl Metaschemas,
    ) -> Result<Rules, SchemaError> {
        if let Some(dialect) = Dialect::from_uri(uri) {
            return Ok(Rules::of(dialect));
        }
        let unknown = || SchemaErrorKind::Dialect { uri: uri.to_owned() };
        metaschemas
            .rules(uri)
            .unwrap_or_else(|| Err(unknown()))
            .map_err(|kind| self.error(id, "/$schema", kind))
    }

    fn name_root(&mut self, id: ResourceId, name: &str, rules: Rules) -> Result<(), SchemaError> {
        self.resources[id.0 as usize].rules = rules;
        if !name.is_empty() {
            // Found under the URI it was registered with, and under its own `$id`.
            let uri: Arc<str> = self.resolve_uri(id, name)?.into();
            self.note_uri(&uri, id);
            self.resources[id.0 as usize].uri = uri;
        }
        Ok(())
    }

    fn start_resource(&mut self, id: SubschemaId, name: &str, rules: Rules) -> Result<(), SchemaError> {
        let uri = self.resolve_uri(self.subschema(id).resource, name)?;
        let other = self.by_uri.get(&*uri::normalize(&uri));
        if other.is_some_and(|&other| !self.is_same(self.resource(other).root, id)) {
            let error = self.error(id, "", SchemaErrorKind::Duplicate { what: "$id", name: uri });
            return self.faults.take(error);
        }
        let resource = self.add_resource(uri.into(), id, rules);
        self.subschemas[id.0 as usize].resource = resource;
        Ok(())
    }

    fn note_anchors(
        &mut self,
        id: SubschemaId,
        map: &'s Map<String, Value>,
        dialect: Dialect,
        id_fragment: Option<&'s str>,
    ) -> Result<(), SchemaError> {
        let resource = self.subschema(id).resource;
        let since_2019 = dialect >= Dialect::Draft201909;
        let anchor = if since_2019 { text(map, "$anchor") } else { id_fragment };
        let dynamic = match dialect {
            Dialect::Draft202012 => text(map, "$dynamicAnchor"),
            Dialect::Draft201909 if map.get("$recursiveAnchor") == Some(&Value::Bool(true)) => Some(""),
            Dialect::Draft04 | Dialect::Draft06 | Dialect::Draft07 | Dialect::Draft201909 => None,
        };
        if let Some(name) = dynamic {
            self.dynamic_anchors.insert((resource, name), id);
        }
        // The empty name of 2019-09 is the root of the resource already.
        for name in anchor.into_iter().chain(dynamic.filter(|name| !name.is_empty() && Some(*name) != anchor))
        {
            let before = self.anchors.insert((resource, name), id);
            if before.is_some_and(|before| !self.is_same(before, id)) {
                let name = name.to_owned();
                let error = self.error(id, "", SchemaErrorKind::Duplicate { what: "anchor", name });
                self.faults.take(error)?;
            }
        }
        Ok(())
    }

    /// Whether two entries of the arena are the same subschema, reached by two paths.
    fn is_same(&self, one: SubschemaId, other: SubschemaId) -> bool {
        std::ptr::eq(self.subschema(one).value, self.subschema(other).value)
    }
}
