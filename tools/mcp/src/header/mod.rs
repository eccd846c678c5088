//! `x-mcp-header`: arguments that a client on Streamable HTTP repeats in headers, for proxies that do not read bodies.
//!
//! An annotation is allowed on a string, an integer or a boolean that is *statically reachable*: by
//! a chain of `properties` from the root. An annotation anywhere else makes the tool invalid, and
//! so does a name that is not an HTTP token, or that occurs twice.

mod request;
mod tree;
mod value;

pub use crate::protocol::HEADER_MISMATCH;
pub use request::{check_request, standard};
pub use value::{HeaderMismatch, decode, encode};

use crate::words;
use serde_json::{Map, Value};
use stanchion::Dialect;
use std::collections::HashSet;
use std::fmt;
use tree::Tree;

/// The keyword.
pub const KEYWORD: &str = "x-mcp-header";
/// Prefix of the header names.
pub const PREFIX: &str = "Mcp-Param-";

/// Most bytes of the names on the paths to all arguments: a schema can have one long name above
/// many short ones.
const MAX_PATH_BYTES: usize = 1 << 20;

/// The types that a header can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HeaderType {
    /// A string.
    String,
    /// An integer.
    Integer,
    /// A boolean.
    Boolean,
    /// A number, which only [`Headers::with_numbers`] allows.
    Number,
}

impl HeaderType {
    fn of(schema: &Map<String, Value>) -> Option<HeaderType> {
        Some(match schema.get("type")?.as_str()? {
            "string" => HeaderType::String,
            "integer" => HeaderType::Integer,
            "boolean" => HeaderType::Boolean,
            "number" => HeaderType::Number,
            _ => return None,
        })
    }
}

/// An argument that is repeated in a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParameterHeader {
    name: String,
    path: Vec<String>,
    kind: HeaderType,
}

impl ParameterHeader {
    /// Returns the header's name, with [`PREFIX`].
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the names of the members that lead to the argument.
    pub fn path(&self) -> &[String] {
        &self.path
    }

    /// Returns the argument's type.
    pub fn kind(&self) -> HeaderType {
        self.kind
    }
}

/// The arguments of a tool that are repeated in headers.
///
/// ```
/// use serde_json::json;
/// use stanchion_mcp::Headers;
///
/// let headers = Headers::new(&json!({
///     "type": "object",
///     "properties": {"region": {"type": "string", "x-mcp-header": "Region"}, "query": {"type": "string"}}
/// }))?;
/// // The client sends
/// let sent = headers.of(&json!({"region": "us-west1", "query": "SELECT 1"}));
/// assert_eq!(sent, [("Mcp-Param-Region".to_owned(), "us-west1".to_owned())]);
/// // and the server compares.
/// assert!(headers.check(&json!({"region": "us-west1"}), |_| Some("us-west1")).is_ok());
/// assert!(headers.check(&json!({"region": "us-west1"}), |_| Some("us-east1")).is_err());
/// # Ok::<(), stanchion_mcp::header::HeaderFault>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Headers {
    found: Vec<ParameterHeader>,
}

impl Headers {
    /// Reads the annotations of an input schema, or returns the first that breaks the rules. A
    /// schema that declares no dialect is read as 2020-12.
    pub fn new(schema: &Value) -> Result<Headers, HeaderFault> {
        Headers::of_dialect(schema, Dialect::default())
    }

    /// Reads the annotations of an input schema. One that declares no dialect is read as `dialect`.
    pub fn of_dialect(schema: &Value, dialect: Dialect) -> Result<Headers, HeaderFault> {
        Scan::run(schema, dialect, false)
    }

    /// Reads the annotations of an input schema like [`Headers::new`], and also allows numbers, as
    /// some SDKs do.
    pub fn with_numbers(schema: &Value) -> Result<Headers, HeaderFault> {
        Scan::run(schema, Dialect::default(), true)
    }

    /// Iterates over all headers, in the order of the schema.
    pub fn iter(&self) -> impl Iterator<Item = &ParameterHeader> {
        self.found.iter()
    }

    /// Whether there are no headers.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }
}

/// Returns all arguments that could have the annotation: the statically reachable strings, integers
/// and booleans. Those without the annotation have an empty name. If the names on the paths to them
/// take more than 1 MiB, the last are left out.
pub fn reachable(schema: &Value) -> Vec<ParameterHeader> {
    let tree = Tree::new(schema, Dialect::default());
    let mut room = MAX_PATH_BYTES;
    let candidate = |site| {
        let members = tree.arguments(site)?;
        let kind = HeaderType::of(members).filter(|kind| *kind != HeaderType::Number)?;
        let annotation = members.get(KEYWORD).and_then(Value::as_str);
        Some((site, kind, annotation.map(|name| format!("{PREFIX}{name}")).unwrap_or_default()))
    };
    let candidates = tree.sites().filter_map(candidate);
    candidates
        .map_while(|(site, kind, name)| {
            Some(ParameterHeader { name, path: tree.path(site, &mut room)?, kind })
        })
        .collect()
}

/// Reads the annotations of a schema.
struct Scan<'s> {
    tree: Tree<'s>,
    takes_numbers: bool,
    names: HashSet<String>,
    room: usize,
}

impl<'s> Scan<'s> {
    fn run(schema: &'s Value, dialect: Dialect, takes_numbers: bool) -> Result<Headers, HeaderFault> {
        let mut scan = Scan {
            tree: Tree::new(schema, dialect),
            takes_numbers,
            names: HashSet::new(),
            room: MAX_PATH_BYTES,
        };
        let mut found = Vec::new();
        for site in scan.tree.sites() {
            let Some(annotation) = scan.tree.schema(site).get(KEYWORD) else { continue };
            let header = scan.header(site, annotation);
            found.push(header.map_err(|kind| HeaderFault { path: scan.tree.place(site), kind })?);
        }
        Ok(Headers { found })
    }

    fn header(&mut self, site: usize, annotation: &Value) -> Result<ParameterHeader, HeaderFaultKind> {
        let Some(schema) = self.tree.arguments(site) else { return Err(HeaderFaultKind::Unreachable) };
        let Some(name) = annotation.as_str().filter(|name| is_token(name)) else {
            return Err(HeaderFaultKind::Name { found: words::found(annotation) });
        };
        let kind = HeaderType::of(schema).filter(|kind| *kind != HeaderType::Number || self.takes_numbers);
        let Some(kind) = kind else {
            let found = schema.get("type").map_or_else(|| "no \"type\"".to_owned(), words::found);
            return Err(HeaderFaultKind::Type { found });
        };
        if !self.names.insert(name.to_ascii_lowercase()) {
            return Err(HeaderFaultKind::Duplicate { name: name.to_owned() });
        }
        let Some(path) = self.tree.path(site, &mut self.room) else { return Err(HeaderFaultKind::TooLarge) };
        Ok(ParameterHeader { name: format!("{PREFIX}{name}"), path, kind })
    }
}

/// Whether a name is an HTTP token: RFC 9110, section 5.6.2.
fn is_token(name: &str) -> bool {
    let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    !name.is_empty() && name.bytes().all(is_token)
}

/// An `x-mcp-header` annotation that breaks the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderFault {
    path: String,
    kind: HeaderFaultKind,
}

/// The rule that an annotation breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderFaultKind {
    /// No chain of `properties` leads to it.
    Unreachable,
    /// The name is not an HTTP token.
    Name {
        /// The actual value.
        found: String,
    },
    /// The subschema is not a string, an integer or a boolean.
    Type {
        /// The actual `type`.
        found: String,
    },
    /// The names on the paths to all annotations take more than 1 MiB.
    TooLarge,
    /// Another annotation has the same name, ignoring case.
    Duplicate {
        /// The name.
        name: String,
    },
}

impl HeaderFault {
    /// Returns the place of the subschema with the annotation, as a JSON Pointer.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the rule that is broken.
    pub fn kind(&self) -> &HeaderFaultKind {
        &self.kind
    }
}

impl fmt::Display for HeaderFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{KEYWORD}: ", self.path)?;
        match &self.kind {
            HeaderFaultKind::Unreachable => f.write_str(
                "allowed only on properties that a chain of \"properties\" leads to from the root",
            ),
            HeaderFaultKind::Name { found } => write!(f, "expected a token of HTTP, found {found}"),
            HeaderFaultKind::Type { found } => {
                write!(f, "allowed only on a string, an integer or a boolean, found {found}")
            }
            HeaderFaultKind::TooLarge => f.write_str("the names on the way here are too long"),
            HeaderFaultKind::Duplicate { name } => write!(f, "{} is there twice", words::quoted(name)),
        }
    }
}

impl std::error::Error for HeaderFault {}
