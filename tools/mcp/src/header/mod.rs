//! `x-mcp-header`: arguments that a client on Streamable HTTP repeats in headers, for proxies that do not read bodies.
//!
//! An annotation is allowed on a string, an integer or a boolean that is *statically reachable*: by a chain of `properties` from the root, and
//! nothing else. An annotation anywhere else makes the tool invalid, and so does a name that is no token of HTTP, or that is there twice.

mod value;

pub use value::{HeaderMismatch, decode, encode};

use crate::words;
use serde_json::{Map, Value};
use stanchion_vocab::{Dialect, Keyword, Subschemas};
use std::collections::HashSet;
use std::fmt;

/// The keyword.
pub const KEYWORD: &str = "x-mcp-header";
/// What the names of these headers begin with.
pub const PREFIX: &str = "Mcp-Param-";
/// JSON-RPC's code for headers that do not say what the body says.
pub const HEADER_MISMATCH: i64 = -32020;

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
    /// The header's name, with [`PREFIX`].
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The names of the members that lead to the argument.
    pub fn path(&self) -> &[String] {
        &self.path
    }

    /// The argument's type.
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
    /// The annotations of an input schema, or what is wrong with the first that breaks the rules.
    pub fn new(schema: &Value) -> Result<Headers, HeaderFault> {
        Scan::new(schema, false).run(schema)
    }

    /// The same, with numbers allowed, as some SDKs do.
    pub fn with_numbers(schema: &Value) -> Result<Headers, HeaderFault> {
        Scan::new(schema, true).run(schema)
    }

    /// All of them, in the order of the schema.
    pub fn iter(&self) -> impl Iterator<Item = &ParameterHeader> {
        self.found.iter()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }
}

/// The places of all arguments that could have the annotation: the statically reachable strings, integers and booleans.
pub fn reachable(schema: &Value) -> Vec<ParameterHeader> {
    let mut found = Vec::new();
    let mut open = vec![(schema, Vec::new())];
    while let Some((schema, path)) = open.pop() {
        let Some(members) = schema.as_object() else { continue };
        match HeaderType::of(members) {
            Some(kind @ (HeaderType::String | HeaderType::Integer | HeaderType::Boolean))
                if !path.is_empty() =>
            {
                let annotation = members.get(KEYWORD).and_then(Value::as_str);
                let name = annotation.map(|name| format!("{PREFIX}{name}")).unwrap_or_default();
                found.push(ParameterHeader { name, path: path.clone(), kind });
            }
            Some(_) | None => {}
        }
        let properties = members.get("properties").and_then(Value::as_object);
        for (name, child) in properties.into_iter().flatten().rev() {
            let mut path = path.clone();
            path.push(name.clone());
            open.push((child, path));
        }
    }
    found
}

/// One look through a schema.
struct Scan {
    dialect: Dialect,
    takes_numbers: bool,
    names: HashSet<String>,
    found: Vec<ParameterHeader>,
}

/// A subschema that is to be looked at: its place, and the way to its argument if that is static.
struct Site<'s> {
    schema: &'s Value,
    place: String,
    path: Option<Vec<String>>,
}

impl Scan {
    fn new(schema: &Value, takes_numbers: bool) -> Scan {
        let declared = schema.get("$schema").and_then(Value::as_str).and_then(Dialect::from_uri);
        let dialect = declared.unwrap_or_default();
        Scan { dialect, takes_numbers, names: HashSet::new(), found: Vec::new() }
    }

    fn run(mut self, schema: &Value) -> Result<Headers, HeaderFault> {
        let mut open = vec![Site { schema, place: String::new(), path: Some(Vec::new()) }];
        while let Some(site) = open.pop() {
            let Some(members) = site.schema.as_object() else { continue };
            if let Some(annotation) = members.get(KEYWORD) {
                let header = self.header(annotation, members, site.path.as_deref());
                self.found.push(header.map_err(|kind| HeaderFault { path: site.place.clone(), kind })?);
            }
            let from = open.len();
            for (name, value) in members {
                let Some(keyword) = Keyword::from_name(name) else { continue };
                self.children(keyword, value, &site, &mut open);
            }
            // The first comes first.
            open[from..].reverse();
        }
        Ok(Headers { found: self.found })
    }

    /// The subschemas below a keyword.
    fn children<'s>(&self, keyword: Keyword, value: &'s Value, parent: &Site<'s>, open: &mut Vec<Site<'s>>) {
        let place = format!("{}/{}", parent.place, keyword.name());
        match (self.dialect.subschemas(keyword).unwrap_or(keyword.row().subschemas), value) {
            (Subschemas::None, _) => {}
            (Subschemas::Map | Subschemas::MapOrNames, Value::Object(map)) => {
                for (name, schema) in map {
                    let chain = parent.path.as_ref().filter(|_| keyword == Keyword::Properties);
                    let path = chain.map(|path| path.iter().chain([name]).cloned().collect());
                    open.push(Site { schema, place: format!("{place}{}", words::step(name)), path });
                }
            }
            (_, Value::Array(items)) => {
                for (index, schema) in items.iter().enumerate() {
                    open.push(Site { schema, place: format!("{place}/{index}"), path: None });
                }
            }
            (_, schema) => open.push(Site { schema, place, path: None }),
        }
    }

    fn header(
        &mut self,
        annotation: &Value,
        schema: &Map<String, Value>,
        path: Option<&[String]>,
    ) -> Result<ParameterHeader, HeaderFaultKind> {
        let Some(path) = path.filter(|path| !path.is_empty()) else {
            return Err(HeaderFaultKind::Unreachable);
        };
        let Some(name) = annotation.as_str().filter(|name| is_token(name)) else {
            return Err(HeaderFaultKind::Name { found: words::found(annotation) });
        };
        let kind = match HeaderType::of(schema) {
            Some(HeaderType::Number) if !self.takes_numbers => None,
            kind => kind,
        };
        let Some(kind) = kind else {
            let found = schema.get("type").map_or_else(|| "no \"type\"".to_owned(), words::found);
            return Err(HeaderFaultKind::Type { found });
        };
        if !self.names.insert(name.to_ascii_lowercase()) {
            return Err(HeaderFaultKind::Duplicate { name: name.to_owned() });
        }
        Ok(ParameterHeader { name: format!("{PREFIX}{name}"), path: path.to_vec(), kind })
    }
}

/// A token of HTTP: RFC 9110, section 5.6.2.
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

/// What is wrong with an annotation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeaderFaultKind {
    /// It is on something that no chain of `properties` leads to.
    Unreachable,
    /// It is no token of HTTP.
    Name {
        /// What it is.
        found: String,
    },
    /// It is on something else than a string, an integer or a boolean.
    Type {
        /// What the `type` is.
        found: String,
    },
    /// Another has the same name, but perhaps for upper and lower case.
    Duplicate {
        /// The name.
        name: String,
    },
}

impl HeaderFault {
    /// The place of the subschema that has the annotation, as a JSON Pointer.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What is wrong.
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
            HeaderFaultKind::Duplicate { name } => write!(f, "{} is there twice", words::quoted(name)),
        }
    }
}

impl std::error::Error for HeaderFault {}
