//! The plan: the parts of a schema that matter for defaults, with references resolved.

use crate::dialect::{self, fragment, is_document, is_hidden};
use serde_json::{Map, Value};
use stanchion::Dialect;
use stanchion_vocab::{Keyword, pointer};
use std::collections::{BTreeMap, HashMap};

/// The index of a subschema in [`Plan::sites`].
pub(super) type SiteId = usize;

/// The members and items of a subschema, as far as defaults need them.
#[derive(Debug, Default)]
pub(super) struct Site {
    pub(super) default: Option<Value>,
    /// Subschemas of the same value: `allOf`, and the targets of references.
    pub(super) in_place: Vec<SiteId>,
    pub(super) properties: BTreeMap<String, SiteId>,
    /// The subschema of all other members; not set if patterns could match some of them.
    pub(super) additional: Option<SiteId>,
    pub(super) prefix: Vec<SiteId>,
    pub(super) items: Option<SiteId>,
    /// Whether something is to be filled in here or below.
    pub(super) matters: bool,
}

/// The parts of a schema that matter for defaults. The root is the first site.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) sites: Vec<Site>,
}

/// A subschema that is still to be read, with its document.
struct Pending<'s> {
    schema: &'s Value,
    document: &'s Value,
}

struct Reader<'s> {
    dialect: Dialect,
    /// Whether there are documents inside the schema, so that dynamic references depend on the
    /// path.
    is_bundle: bool,
    found: Vec<Pending<'s>>,
    /// By the address of the value.
    ids: HashMap<*const Value, SiteId>,
    /// The anchors of each document in which one was looked up, by the document's address.
    anchors: HashMap<*const Value, HashMap<&'s str, &'s Value>>,
}

impl Plan {
    /// Reads a schema that was compiled before, so its references resolve.
    pub(super) fn new(schema: &Value, dialect: Dialect) -> Plan {
        let mut reader = Reader {
            dialect,
            is_bundle: dialect::has_documents(dialect, schema),
            found: Vec::new(),
            ids: HashMap::new(),
            anchors: HashMap::new(),
        };
        reader.site(schema, schema);
        let mut sites = Vec::new();
        // Subschemas are read one after the other, without recursion.
        while sites.len() < reader.found.len() {
            sites.push(reader.read(sites.len()));
        }
        let mut plan = Plan { sites };
        plan.find_what_matters();
        plan
    }

    /// Marks the sites from which a default can be reached by a member.
    fn find_what_matters(&mut self) {
        let mut parents: Vec<Vec<SiteId>> = self.sites.iter().map(|_| Vec::new()).collect();
        let mut open = Vec::new();
        for (id, site) in self.sites.iter().enumerate() {
            for child in site.children() {
                parents[child].push(id);
            }
            if site.default.is_some() {
                open.push(id);
            }
        }
        while let Some(id) = open.pop() {
            if !std::mem::replace(&mut self.sites[id].matters, true) {
                open.extend_from_slice(&parents[id]);
            }
        }
    }
}

impl Site {
    fn children(&self) -> impl Iterator<Item = SiteId> {
        let many = self.in_place.iter().chain(self.properties.values()).chain(&self.prefix);
        many.chain(&self.additional).chain(&self.items).copied()
    }
}

impl<'s> Reader<'s> {
    fn site(&mut self, schema: &'s Value, document: &'s Value) -> SiteId {
        let next = self.found.len();
        let id = *self.ids.entry(std::ptr::from_ref(schema)).or_insert(next);
        if id == next {
            self.found.push(Pending { schema, document });
        }
        id
    }

    fn read(&mut self, id: SiteId) -> Site {
        let Pending { schema, document } = self.found[id];
        let Value::Object(members) = schema else { return Site::default() };
        // A default beside a reference counts, even if in this dialect a reference hides its
        // siblings.
        let mut site = Site { default: members.get("default").cloned(), ..Site::default() };
        let document = if is_document(self.dialect, members) { schema } else { document };
        let dynamic = match self.dialect {
            Dialect::Draft202012 => Some(Keyword::DynamicRef),
            Dialect::Draft201909 => Some(Keyword::RecursiveRef),
            Dialect::Draft04 | Dialect::Draft06 | Dialect::Draft07 => None,
        };
        for keyword in [Keyword::Ref, Keyword::DynamicRef, Keyword::RecursiveRef] {
            let is_followed = keyword == Keyword::Ref || (Some(keyword) == dynamic && !self.is_bundle);
            let target = members.get(keyword.name()).and_then(Value::as_str).filter(|_| is_followed);
            if let Some((target, document)) = target.and_then(|target| self.resolve(document, target)) {
                site.in_place.push(self.site(target, document));
            }
        }
        if !is_hidden(self.dialect, members) {
            self.read_members(members, document, &mut site);
            self.read_items(members, document, &mut site);
            for branch in members.get("allOf").and_then(Value::as_array).into_iter().flatten() {
                site.in_place.push(self.site(branch, document));
            }
        }
        site
    }

    fn read_members(&mut self, members: &'s Map<String, Value>, document: &'s Value, site: &mut Site) {
        for (name, schema) in members.get("properties").and_then(Value::as_object).into_iter().flatten() {
            site.properties.insert(name.clone(), self.site(schema, document));
        }
        if let Some(schema) = members.get("additionalProperties")
            && !members.contains_key("patternProperties")
        {
            site.additional = Some(self.site(schema, document));
        }
    }

    fn read_items(&mut self, members: &'s Map<String, Value>, document: &'s Value, site: &mut Site) {
        let of = |keyword: Keyword| members.get(keyword.name()).filter(|_| self.has(keyword));
        let (prefix, items) = match of(Keyword::Items) {
            // In 2020-12 an array is a mistake, which a lenient profile reads as a tuple.
            Some(Value::Array(prefix)) => (Some(prefix), members.get(Keyword::AdditionalItems.name())),
            items => (of(Keyword::PrefixItems).and_then(Value::as_array), items),
        };
        for schema in prefix.into_iter().flatten() {
            let id = self.site(schema, document);
            site.prefix.push(id);
        }
        site.items = items.map(|schema| self.site(schema, document));
    }

    /// Whether a keyword is one of the dialect.
    fn has(&self, keyword: Keyword) -> bool {
        self.dialect.subschemas(keyword).is_some()
    }

    /// Returns the target of a reference, and its document. `None` if it is not a place in this
    /// document.
    fn resolve(&mut self, document: &'s Value, target: &str) -> Option<(&'s Value, &'s Value)> {
        let fragment = fragment(target)?;
        if fragment.is_empty() || fragment.starts_with('/') {
            return self.at_pointer(document, &fragment);
        }
        self.anchor(document, &fragment)
    }

    /// Returns the value at a JSON Pointer, and its document. The path may enter documents inside
    /// the document.
    fn at_pointer(&self, document: &'s Value, place: &str) -> Option<(&'s Value, &'s Value)> {
        let (mut value, mut inside) = (document, document);
        for step in pointer::tokens(place)? {
            value = dialect::child(value, &step)?;
            if value.as_object().is_some_and(|members| is_document(self.dialect, members)) {
                inside = value;
            }
        }
        Some((value, inside))
    }

    /// Returns the subschema of a document with this anchor.
    fn anchor(&mut self, document: &'s Value, name: &str) -> Option<(&'s Value, &'s Value)> {
        let key = std::ptr::from_ref(document);
        if !self.anchors.contains_key(&key) {
            let anchors = self.find_anchors(document);
            self.anchors.insert(key, anchors);
        }
        let target = self.anchors.get(&key)?.get(name)?;
        Some((target, document))
    }

    /// Returns all anchors of a document, found in one walk over its subschemas. Values in
    /// `examples` are data.
    fn find_anchors(&self, document: &'s Value) -> HashMap<&'s str, &'s Value> {
        let mut anchors = HashMap::new();
        let mut open = vec![document];
        while let Some(value) = open.pop() {
            let Value::Object(members) = value else { continue };
            let text = |keyword: &str| members.get(keyword).and_then(Value::as_str);
            let of = |keyword: Keyword| text(keyword.name()).filter(|_| self.has(keyword));
            let id = text(self.dialect.id_keyword()).filter(|_| self.dialect.id_fragment_is_anchor());
            let id = id.and_then(|id| id.strip_prefix('#'));
            for name in [of(Keyword::Anchor), of(Keyword::DynamicAnchor), id].into_iter().flatten() {
                anchors.entry(name).or_insert(value);
            }
            if std::ptr::eq(value, document) || !is_document(self.dialect, members) {
                open.extend(dialect::subschemas(self.dialect, value));
            }
        }
        anchors
    }
}
