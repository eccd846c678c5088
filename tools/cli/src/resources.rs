//! A directory of documents to register: nothing else is searched, and nothing is fetched.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::source::{self, Document};

/// The documents of a directory, in the order of their paths.
pub(crate) struct Resources {
    folder: PathBuf,
    documents: Vec<Document>,
    /// Indices of the documents, by URI and by path.
    uris: BTreeMap<String, usize>,
    paths: BTreeMap<PathBuf, usize>,
}

impl Resources {
    /// Reads all JSON files in a directory and below.
    pub(crate) fn read(folder: &str) -> Result<Resources, String> {
        let whole = fs::canonicalize(folder).map_err(|error| format!("{folder}: {error}"))?;
        let mut resources = Resources {
            folder: whole.clone(),
            documents: Vec::new(),
            uris: BTreeMap::new(),
            paths: BTreeMap::new(),
        };
        for path in source::files_below(&whole, &["json"])? {
            // If the directory was named relatively, messages name its files relatively, too.
            let inside = path.strip_prefix(&whole).unwrap_or(&path);
            let name = Path::new(folder).join(inside).display().to_string();
            resources.add(inside, source::read_json(&name)?)?;
        }
        if resources.documents.is_empty() {
            return Err(format!("{folder}: no files that end in .json"));
        }
        Ok(resources)
    }

    fn add(&mut self, inside: &Path, document: Document) -> Result<(), String> {
        let place = self.documents.len();
        let steps: Vec<_> = inside.iter().map(|step| step.to_string_lossy()).collect();
        let id = root_id(&document.value).filter(|id| !id.is_empty());
        for uri in id.map(str::to_owned).into_iter().chain([steps.join("/")]) {
            let other = self.uris.insert(uri.clone(), place).filter(|&other| other != place);
            if let Some(other) = other.and_then(|other| self.documents.get(other)) {
                return Err(format!("{} and {} both claim {uri}", other.name, document.name));
            }
        }
        self.paths.insert(self.folder.join(inside), place);
        self.documents.push(document);
        Ok(())
    }

    /// Iterates over all URIs with their documents.
    pub(crate) fn by_uri(&self) -> impl Iterator<Item = (&str, &Document)> {
        self.uris.iter().filter_map(|(uri, &place)| Some((uri.as_str(), self.documents.get(place)?)))
    }

    /// Returns the document with a URI; or, for a relative one, the file relative to the instance's
    /// directory or to this one, if it is in this one.
    pub(crate) fn find(&self, uri: &str, instance: &Path) -> Option<&Document> {
        let bare = uri.split('#').next().unwrap_or_default();
        let by_path = || {
            let beside = instance.parent().unwrap_or(Path::new("")).join(bare);
            fs::canonicalize(beside).ok().and_then(|path| self.paths.get(&path))
        };
        let place = self.uris.get(bare).or_else(|| self.uris.get(bare.strip_prefix("./")?));
        let place = place.or_else(|| if bare.contains("://") { None } else { by_path() })?;
        self.documents.get(*place)
    }
}

/// Returns the `$id` at the root of a schema, without an empty fragment; `id` in the oldest
/// dialect.
pub(crate) fn root_id(schema: &Value) -> Option<&str> {
    let id = schema.get("$id").or_else(|| schema.get("id"))?.as_str()?;
    Some(id.strip_suffix('#').unwrap_or(id))
}
