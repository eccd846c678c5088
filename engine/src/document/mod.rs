//! The parsed schema: an arena of its subschemas, and their resources.
//!
//! Reading finds the subschemas, once. It looks up each keyword's name, lists the subschemas below
//! it, records `$id`s and anchors, and counts depth, subschemas and bytes on the way, so that
//! nothing is built from a schema that is too large. The arena is also the queue: subschemas are
//! appended when they are found, and expanded in turn, without recursion.
//!
//! ```text
//! {"items": {"$ref": "#/$defs/x"}, "$defs": {"x": true}}
//!
//!   0  ""          items → 1, $defs → 2
//!   1  /items      $ref
//!   2  /$defs/x
//! ```
//!
//! The values of keywords are not checked here; the compile function of each keyword does that. A
//! malformed value simply has no subschemas.

pub(crate) mod anchors;
pub(crate) mod pointer;
mod size;
pub(crate) mod uri;

use crate::diagnose::Faults;
use crate::error::{SchemaError, SchemaErrorKind};
use crate::heap;
use crate::limits::Limits;
use crate::program::Other;
use ahash::RandomState;
use serde_json::{Map, Value};
use smallvec::{SmallVec, smallvec};
use stanchion_vocab::{Dialect, Keyword, Subschemas, Vocabularies, Vocabulary};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// The index of a subschema in the arena. Blocks of the program have the same numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SubschemaId(pub(crate) u32);

/// The index of a resource in [`Document::resources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ResourceId(pub(crate) u32);

/// A schema and all resources that it reached.
pub(crate) struct Document<'s> {
    pub(crate) subschemas: Vec<Subschema<'s>>,
    pub(crate) entries: Vec<Entry<'s>>,
    pub(crate) resources: Vec<Resource>,
    /// Subschemas by the address of their value; filled when the first pointer is resolved.
    by_address: HashMap<usize, SubschemaId, RandomState>,
    addressed: usize,
    /// Resources by the [normal form](uri::normalize) of their URIs.
    pub(crate) by_uri: HashMap<Arc<str>, ResourceId, RandomState>,
    /// Plain anchors; a dynamic anchor is a plain one too.
    pub(crate) anchors: HashMap<(ResourceId, &'s str), SubschemaId, RandomState>,
    pub(crate) dynamic_anchors: HashMap<(ResourceId, &'s str), SubschemaId, RandomState>,
    /// The first subschema that has not been expanded yet.
    next: usize,
    bytes: usize,
    /// The bytes of all URIs that were resolved.
    uri_bytes: usize,
    /// The memory that a program will need for it, about, without what its subschemas take.
    memory: usize,
    /// The deepest nesting, as counted against the limit.
    deepest: usize,
    limits: Limits,
    /// How errors are handled while reading.
    pub(crate) faults: Faults,
}

/// One subschema.
#[derive(Debug)]
pub(crate) struct Subschema<'s> {
    pub(crate) value: &'s Value,
    pub(crate) parent: Option<SubschemaId>,
    pub(crate) step: Step<'s>,
    pub(crate) resource: ResourceId,
    depth: u32,
    first_entry: u32,
    entries: u32,
}

/// A step from a subschema to one below it.
#[derive(Clone, Debug)]
pub(crate) enum Step<'s> {
    /// No step: the root.
    Root,
    /// `/not`
    Keyword(&'s str),
    /// `/allOf/0`
    Item(&'s str, u32),
    /// `/properties/name`
    Member(&'s str, &'s str),
    /// Any pointer: the target of a reference that is not otherwise a subschema.
    Path(String),
}

/// A keyword of a subschema, known or not.
#[derive(Debug)]
pub(crate) struct Entry<'s> {
    pub(crate) keyword: Option<Keyword>,
    pub(crate) name: &'s str,
    pub(crate) value: &'s Value,
    /// The first of the subschemas below it; the others follow.
    pub(crate) first_child: SubschemaId,
    pub(crate) children: u32,
}

/// A schema resource: the root of a document, or a subschema with an `$id`.
#[derive(Debug)]
pub(crate) struct Resource {
    /// The base URI; empty if it has none.
    pub(crate) uri: Arc<str>,
    pub(crate) root: SubschemaId,
    pub(crate) rules: Rules,
}

/// The keywords of a resource, and their meaning there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    pub(crate) dialect: Dialect,
    pub(crate) vocabularies: Vocabularies,
    /// Whether `items` may be an array, as before 2020-12, even if the dialect is 2020-12.
    pub(crate) takes_tuples: bool,
}

impl Rules {
    /// Returns the rules of a dialect's own metaschema.
    pub(crate) fn of(dialect: Dialect) -> Rules {
        Rules { dialect, vocabularies: dialect.vocabularies(), takes_tuples: false }
    }

    /// Returns the dialect that gives a keyword with this value its meaning.
    pub(crate) fn dialect_of(self, keyword: Keyword, value: &Value) -> Dialect {
        let is_tuple = keyword == Keyword::AdditionalItems || (keyword == Keyword::Items && value.is_array());
        if is_tuple && self.takes_tuples { Dialect::Draft201909 } else { self.dialect }
    }

    /// Returns where the subschemas of a keyword with this value are; `None` if the keyword is
    /// unknown here.
    pub(crate) fn subschemas(self, keyword: Keyword, value: &Value) -> Option<Subschemas> {
        let has = |vocabulary| self.vocabularies.has(vocabulary);
        let is_active = match keyword.vocabulary() {
            // In 2019-09 the unevaluated keywords are applicators.
            Vocabulary::Unevaluated if self.dialect == Dialect::Draft201909 => has(Vocabulary::Applicator),
            // Either format vocabulary has `format`.
            Vocabulary::FormatAnnotation => {
                has(Vocabulary::FormatAnnotation) || has(Vocabulary::FormatAssertion)
            }
            vocabulary @ (Vocabulary::Core
            | Vocabulary::Applicator
            | Vocabulary::Unevaluated
            | Vocabulary::Validation
            | Vocabulary::MetaData
            | Vocabulary::FormatAssertion
            | Vocabulary::Content) => has(vocabulary),
        };
        if is_active { self.dialect_of(keyword, value).subschemas(keyword) } else { None }
    }
}

/// Looks up the rules of a `$schema` that is not a known dialect. The resolver passes it to
/// [`Document::expand`].
pub(crate) trait Metaschemas {
    /// Returns the rules of a metaschema; `None` if there is none with this URI.
    fn rules(&self, uri: &str) -> Option<Result<Rules, SchemaErrorKind>>;
}

impl<'s> Document<'s> {
    pub(crate) fn new(limits: &Limits, seeds: RandomState) -> Document<'s> {
        Document {
            subschemas: Vec::new(),
            entries: Vec::new(),
            resources: Vec::new(),
            by_address: HashMap::with_hasher(seeds.clone()),
            addressed: 0,
            by_uri: HashMap::with_hasher(seeds.clone()),
            anchors: HashMap::with_hasher(seeds.clone()),
            dynamic_anchors: HashMap::with_hasher(seeds),
            next: 0,
            bytes: 0,
            uri_bytes: 0,
            memory: 0,
            deepest: 0,
            limits: *limits,
            faults: Faults::First,
        }
    }

    /// Adds a document with its root, known by `uri` (which may be empty).
    pub(crate) fn add_root(
        &mut self,
        uri: &str,
        value: &'s Value,
        rules: Rules,
    ) -> Result<SubschemaId, SchemaError> {
        let resource = self.add_resource(uri.into(), SubschemaId(self.subschemas.len() as u32), rules);
        self.add(value, None, Step::Root, resource, 0)
    }

    fn add_resource(&mut self, uri: Arc<str>, root: SubschemaId, rules: Rules) -> ResourceId {
        let id = ResourceId(self.resources.len() as u32);
        self.note_uri(&uri, id);
        self.resources.push(Resource { uri, root, rules });
        id
    }

    /// Registers a resource under a URI, unless another has it.
    fn note_uri(&mut self, uri: &Arc<str>, id: ResourceId) {
        let key = match uri::normalize(uri) {
            Cow::Borrowed(_) => Arc::clone(uri),
            Cow::Owned(normal) => normal.into(),
        };
        self.by_uri.entry(key).or_insert(id);
    }

    /// Resolves a reference without a fragment in a resource. A short reference may resolve to a
    /// long URI, each time that it occurs, so the bytes are counted before the URI is built.
    pub(crate) fn resolve_uri(&mut self, base: ResourceId, reference: &str) -> Result<String, SchemaError> {
        let base = &self.resources[base.0 as usize].uri;
        self.uri_bytes = self.uri_bytes.saturating_add(uri::resolved_length(base, reference));
        if self.uri_bytes > self.limits.document_bytes {
            return Err(self.exceeded(Exceeded::UriBytes));
        }
        Ok(uri::resolve(base, reference))
    }

    fn add(
        &mut self,
        value: &'s Value,
        parent: Option<SubschemaId>,
        step: Step<'s>,
        resource: ResourceId,
        depth: u32,
    ) -> Result<SubschemaId, SchemaError> {
        if self.subschemas.len() >= self.limits.subschemas {
            return Err(self.exceeded(Exceeded::Subschemas));
        }
        if depth as usize > self.limits.depth {
            return Err(self.exceeded(Exceeded::Depth));
        }
        self.deepest = self.deepest.max(depth as usize);
        let id = SubschemaId(self.subschemas.len() as u32);
        self.subschemas.push(Subschema { value, parent, step, resource, depth, first_entry: 0, entries: 0 });
        Ok(id)
    }

    /// Adds the target of a reference that is not a subschema yet: the value at `path` below
    /// `parent`.
    pub(crate) fn add_at_path(
        &mut self,
        value: &'s Value,
        parent: SubschemaId,
        path: String,
    ) -> Result<SubschemaId, SchemaError> {
        let Subschema { resource, depth, .. } = self.subschemas[parent.0 as usize];
        self.add(value, Some(parent), Step::Path(path), resource, depth + 1)
    }

    /// Expands every subschema that was added and has not been expanded yet, and those found on the way.
    pub(crate) fn expand(&mut self, metaschemas: &impl Metaschemas) -> Result<(), SchemaError> {
        while self.next < self.subschemas.len() {
            let id = SubschemaId(self.next as u32);
            self.next += 1;
            self.expand_one(id, metaschemas)?;
        }
        Ok(())
    }

    fn expand_one(&mut self, id: SubschemaId, metaschemas: &impl Metaschemas) -> Result<(), SchemaError> {
        let subschema = &self.subschemas[id.0 as usize];
        let depth = subschema.depth;
        let Value::Object(map) = subschema.value else {
            return self.measure(subschema.value, depth as usize, Kept::InTables);
        };
        self.identify(id, map, metaschemas)?;
        let rules = self.resource(self.subschema(id).resource).rules;
        let first_entry = self.entries.len() as u32;
        self.count_bytes(size::of_value(self.subschema(id).value))?;
        for (name, value) in map {
            self.count_bytes(size::of_name(name))?;
            let known = Keyword::from_name(name)
                .and_then(|keyword| Some((keyword, rules.subschemas(keyword, value)?)));
            let first_child = SubschemaId(self.subschemas.len() as u32);
            match known {
                None => self.measure(value, depth as usize, Kept::Copied)?,
                Some((keyword, Subschemas::None)) => {
                    self.measure(value, depth as usize, Kept::of(keyword))?;
                }
                Some((_, shape)) => self.add_children(id, name, value, shape)?,
            }
            let keyword = known.map(|(keyword, _)| keyword);
            let children = self.subschemas.len() as u32 - first_child.0;
            self.entries.push(Entry { keyword, name, value, first_child, children });
        }
        let entries = self.entries.len() as u32 - first_entry;
        let subschema = &mut self.subschemas[id.0 as usize];
        (subschema.first_entry, subschema.entries) = (first_entry, entries);
        Ok(())
    }

    fn add_children(
        &mut self,
        parent: SubschemaId,
        name: &'s str,
        value: &'s Value,
        shape: Subschemas,
    ) -> Result<(), SchemaError> {
        let Subschema { resource, depth, .. } = self.subschemas[parent.0 as usize];
        let depth = depth + 1;
        match (shape, value) {
            (Subschemas::List | Subschemas::OneOrList, Value::Array(items)) => {
                self.count_bytes(size::of_value(value))?;
                for (index, item) in items.iter().enumerate() {
                    self.add(item, Some(parent), Step::Item(name, index as u32), resource, depth)?;
                }
            }
            (Subschemas::Map | Subschemas::MapOrNames, Value::Object(map)) => {
                self.count_bytes(size::of_value(value))?;
                for (member, value) in map {
                    self.count_bytes(size::of_name(member))?;
                    let names = shape == Subschemas::MapOrNames && value.is_array();
                    if names {
                        self.measure(value, depth as usize, Kept::InTables)?;
                    } else {
                        self.add(value, Some(parent), Step::Member(name, member), resource, depth)?;
                    }
                }
            }
            (Subschemas::One | Subschemas::OneOrList, _) => {
                self.add(value, Some(parent), Step::Keyword(name), resource, depth)?;
            }
            _ => self.measure(value, depth as usize, Kept::InTables)?,
        }
        Ok(())
    }

    /// Counts a value that holds no subschemas, its bytes and its depth, without recursion.
    fn measure(&mut self, value: &'s Value, depth: usize, kept: Kept) -> Result<(), SchemaError> {
        if !value.is_array() && !value.is_object() {
            return self.count_value(value, kept);
        }
        let mut open: SmallVec<[(&Value, usize); 16]> = smallvec![(value, depth + 1)];
        while let Some((value, depth)) = open.pop() {
            self.count_value(value, kept)?;
            match value {
                Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
                Value::Array(_) | Value::Object(_) if depth > self.limits.depth => {
                    return Err(self.exceeded(Exceeded::Depth));
                }
                Value::Array(items) => {
                    self.deepest = self.deepest.max(depth);
                    open.extend(items.iter().map(|item| (item, depth + 1)));
                }
                Value::Object(map) => {
                    self.deepest = self.deepest.max(depth);
                    for (name, value) in map {
                        let bytes = size::of_name(name);
                        // A copy of the object was counted with its names.
                        let memory = if kept == Kept::InTables { MEMORY_PER_BYTE * bytes } else { 0 };
                        self.count(bytes, memory)?;
                        open.push((value, depth + 1));
                    }
                }
            }
        }
        Ok(())
    }

    /// Counts a value without those in it.
    fn count_value(&mut self, value: &Value, kept: Kept) -> Result<(), SchemaError> {
        let bytes = size::of_value(value);
        let memory = match kept {
            Kept::InTables => MEMORY_PER_BYTE * bytes,
            Kept::Copied => heap::of_value(value),
            Kept::Both if value.is_string() => heap::of_value(value) + MEMORY_PER_BYTE * bytes,
            Kept::Both => heap::of_value(value) + size_of::<Other>(),
        };
        self.count(bytes, memory)
    }

    fn count_bytes(&mut self, bytes: usize) -> Result<(), SchemaError> {
        self.count(bytes, MEMORY_PER_BYTE * bytes)
    }

    /// Counts bytes of the document, and the memory that a program will need for them.
    fn count(&mut self, bytes: usize, memory: usize) -> Result<(), SchemaError> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes > self.limits.document_bytes {
            return Err(self.exceeded(Exceeded::Bytes));
        }
        self.memory = self.memory.saturating_add(memory);
        if self.memory > self.limits.program_bytes() {
            return Err(self.exceeded(Exceeded::Memory));
        }
        Ok(())
    }

    /// Makes the error for an exceeded limit. It says how much there is, counted on from what was
    /// read as far as that is cheap.
    #[cold]
    fn exceeded(&self, exceeded: Exceeded) -> SchemaError {
        let roots = self.subschemas.iter().filter(|subschema| subschema.parent.is_none());
        let roots = roots.map(|root| (root.value, self.resource(root.resource).rules));
        let counted = size::count(roots);
        let (what, name, limit, found) = match exceeded {
            Exceeded::Subschemas => ("subschemas", "subschemas", self.limits.subschemas, counted.subschemas),
            Exceeded::Depth => ("levels of nesting", "depth", self.limits.depth, counted.depth),
            Exceeded::Bytes => ("bytes", "document_bytes", self.limits.document_bytes, counted.bytes),
            Exceeded::UriBytes => {
                ("bytes in its resolved URIs", "document_bytes", self.limits.document_bytes, self.uri_bytes)
            }
            Exceeded::Memory => {
                ("bytes to keep in memory", "document_bytes", self.limits.program_bytes(), self.memory)
            }
        };
        // Targets of references are not part of a document, and neither is a document that was not
        // read yet.
        let is_partial = matches!(exceeded, Exceeded::UriBytes | Exceeded::Memory);
        let more = counted.more || found <= limit || is_partial;
        let (limit, found) = (limit as u64, found.max(limit.saturating_add(1)) as u64);
        SchemaError::new("", String::new(), SchemaErrorKind::Limit { what, limit, name, found, more })
    }

    /// Returns the deepest nesting, as [`Limits::depth`] counts it.
    pub(crate) fn deepest(&self) -> usize {
        self.deepest
    }

    /// Returns the size, as [`Limits::document_bytes`] counts it.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn subschema(&self, id: SubschemaId) -> &Subschema<'s> {
        &self.subschemas[id.0 as usize]
    }

    pub(crate) fn resource(&self, id: ResourceId) -> &Resource {
        &self.resources[id.0 as usize]
    }

    /// Returns the keywords of a subschema, in the order of the document.
    pub(crate) fn entries(&self, id: SubschemaId) -> &[Entry<'s>] {
        let Subschema { first_entry, entries, .. } = *self.subschema(id);
        &self.entries[first_entry as usize..(first_entry + entries) as usize]
    }

    /// Returns the subschema whose value has this address, if there is one.
    pub(crate) fn at_address(&mut self, value: &Value) -> Option<SubschemaId> {
        for (index, subschema) in self.subschemas.iter().enumerate().skip(self.addressed) {
            self.by_address.entry(address(subschema.value)).or_insert(SubschemaId(index as u32));
        }
        self.addressed = self.subschemas.len();
        self.by_address.get(&address(value)).copied()
    }

    /// Returns the place of a subschema in its document, as a JSON Pointer.
    pub(crate) fn pointer(&self, id: SubschemaId) -> String {
        let mut chain = Vec::new();
        let mut at = Some(id);
        while let Some(id) = at {
            let subschema = self.subschema(id);
            chain.push(&subschema.step);
            at = subschema.parent;
        }
        let mut path = String::new();
        for step in chain.into_iter().rev() {
            step.push_to(&mut path);
        }
        path
    }

    /// Returns the URI of the document of a subschema; empty for the one that was given.
    fn document_uri(&self, id: SubschemaId) -> &str {
        let mut root = id;
        while let Some(parent) = self.subschema(root).parent {
            root = parent;
        }
        if root.0 == 0 { "" } else { &self.resource(self.subschema(root).resource).uri }
    }

    /// Makes an error at `suffix` (a pointer) below a subschema.
    pub(crate) fn error(&self, id: SubschemaId, suffix: &str, kind: SchemaErrorKind) -> SchemaError {
        let (document, path) = self.place(id, suffix);
        SchemaError::new(document, path, kind)
    }

    /// Returns the place at `suffix` below a subschema: the URI of its document, and a pointer.
    pub(crate) fn place(&self, id: SubschemaId, suffix: &str) -> (&str, String) {
        let mut path = self.pointer(id);
        path.push_str(suffix);
        (self.document_uri(id), path)
    }
}

impl Step<'_> {
    pub(crate) fn push_to(&self, path: &mut String) {
        match self {
            Step::Root => {}
            Step::Keyword(keyword) => pointer::push(path, keyword),
            Step::Item(keyword, index) => {
                pointer::push(path, keyword);
                pointer::push(path, &index.to_string());
            }
            Step::Member(keyword, name) => {
                pointer::push(path, keyword);
                pointer::push(path, name);
            }
            Step::Path(pointer) => path.push_str(pointer),
        }
    }
}

fn address(value: &Value) -> usize {
    std::ptr::from_ref(value).addr()
}

/// How a program keeps a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// Names in tables, or not at all.
    InTables,
    /// Constants and annotations.
    Copied,
    /// Values of an `enum`: texts in a table, others by their hashes.
    Both,
}

impl Kept {
    /// Returns how the value of a keyword without subschemas is kept.
    fn of(keyword: Keyword) -> Kept {
        match (keyword, keyword.vocabulary()) {
            (Keyword::Enum, _) => Kept::Both,
            (Keyword::Const, _) => Kept::Copied,
            (_, Vocabulary::Validation) => Kept::InTables,
            _ => Kept::Copied,
        }
    }
}

/// The memory that a byte of a document takes in tables: a short name has an entry and a text of its own.
const MEMORY_PER_BYTE: usize = 10;

/// The size that exceeds its limit.
#[derive(Clone, Copy, Debug)]
enum Exceeded {
    Subschemas,
    Depth,
    Bytes,
    UriBytes,
    Memory,
}

/// Returns the string value of a keyword, if it has one.
fn text<'s>(map: &'s Map<String, Value>, name: &str) -> Option<&'s str> {
    map.get(name).and_then(Value::as_str)
}
