//! The bounds of a schema, as different SDKs count them.
//!
//! All have the same two numbers, 64 levels and 10,000 subschemas, and the same rule for references. They differ in what is a level
//! and what is a subschema:
//!
//! | | a level | a subschema | inside `const`, `enum`, `default`, `examples` |
//! |---|---|---|---|
//! | [`Counting::Engine`] | a subschema below a subschema | what the dialect says is one | levels count, references are data |
//! | [`Counting::TypeScript`] | any value below a value, but not the map in `properties` and its like | an object that is not such a map | not looked at |
//! | [`Counting::Ruby`] | any value below a value; the root is the first | an object | as everywhere |
//!
//! The other two are here for SDKs that must go on accepting and refusing exactly what they did. Limits that the caller chose
//! ([`Profile::limits`](crate::Profile::limits)) hold as well, as the engine counts them.

use serde_json::Value;
use stanchion::Limits;
use std::fmt;

/// Most levels of a schema.
pub const DEPTH: usize = 64;
/// Most subschemas of a schema.
pub const SUBSCHEMAS: usize = 10_000;

/// How depth and subschemas are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Counting {
    /// The engine's way: what the dialect says is a subschema. [`Profile::limits`](crate::Profile::limits) has the numbers.
    #[default]
    Engine,
    /// The way of the reference implementation in the TypeScript SDK.
    TypeScript,
    /// The way of the Ruby SDK 1.3.0.
    Ruby,
}

impl Counting {
    /// Checks whether a schema is within the bounds, unless the engine counts them.
    pub(crate) fn check(self, schema: &Value) -> Result<(), OutOfBounds> {
        match self {
            Counting::Engine => Ok(()),
            Counting::TypeScript => typescript(schema, DEPTH, SUBSCHEMAS).map(drop),
            Counting::Ruby => ruby(schema, DEPTH, SUBSCHEMAS).map(drop),
        }
    }

    /// Returns the engine's limits. A limit that the caller chose holds in every mode. If a mode
    /// counts by itself and the caller left a limit at its default, the engine's is only a
    /// backstop: in such a mode, a payload may be deeper than 64 levels, and `true` is not a
    /// subschema.
    pub(crate) fn limits(self, limits: Limits) -> Limits {
        match self {
            Counting::Engine => limits,
            Counting::TypeScript | Counting::Ruby => {
                let defaults = Limits::default();
                let is_chosen = |name| {
                    let value = |limits: &Limits| limits.values().find(|limit| limit.0 == name);
                    value(&limits) != value(&defaults)
                };
                let (depth, subschemas) = (is_chosen("depth"), is_chosen("subschemas"));
                let limits = if depth { limits } else { limits.depth(4 * DEPTH) };
                if subschemas { limits } else { limits.subschemas(4 * SUBSCHEMAS) }
            }
        }
    }
}

/// A schema that is out of bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum OutOfBounds {
    /// It is nested too deep.
    Depth {
        /// Most levels.
        limit: usize,
    },
    /// It has too many subschemas.
    Subschemas {
        /// Most subschemas.
        limit: usize,
    },
    /// A reference leaves the document.
    Reference {
        /// The keyword.
        keyword: &'static str,
        /// The target of the reference.
        target: String,
    },
}

impl fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OutOfBounds::Depth { limit } => write!(f, "schema has more than {limit} levels of nesting"),
            OutOfBounds::Subschemas { limit } => write!(f, "schema has more than {limit} subschemas"),
            OutOfBounds::Reference { keyword, target } => write!(
                f,
                "{keyword} {} leaves the document; only references that start with # are followed",
                crate::words::quoted(target)
            ),
        }
    }
}

impl std::error::Error for OutOfBounds {}

impl OutOfBounds {
    /// Formats what is wrong in the words that an SDK's tests look for.
    pub(crate) fn in_words(&self, words: crate::profile::Words) -> String {
        match (words, self) {
            (crate::profile::Words::Ruby, OutOfBounds::Depth { limit }) => {
                format!("nesting is beyond the maximum depth of {limit}")
            }
            (crate::profile::Words::Ruby, OutOfBounds::Reference { .. }) => {
                format!("{self}{}", words.outside())
            }
            _ => self.to_string(),
        }
    }
}

/// Keywords whose values the TypeScript reference treats as data.
const DATA: [&str; 4] = ["const", "enum", "default", "examples"];
/// Keywords whose values the TypeScript reference treats as maps of subschemas. `dependencies` is
/// not among them.
const MAPS: [&str; 5] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];

/// Counts as the TypeScript reference does. Returns the number of subschemas, or the bound that is
/// exceeded.
///
/// ```
/// use serde_json::json;
/// use stanchion_mcp::bounds;
///
/// let schema = json!({"properties": {"a": {"type": "string"}, "b": true}});
/// assert_eq!(bounds::typescript(&schema, 64, 10_000), Ok(2));
/// assert_eq!(bounds::ruby(&schema, 64, 10_000), Ok(3));
/// ```
pub fn typescript(schema: &Value, depth: usize, subschemas: usize) -> Result<usize, OutOfBounds> {
    let mut count = 0;
    // A list of values to visit, instead of recursion.
    let mut open = vec![(schema, 0)];
    while let Some((value, level)) = open.pop() {
        if level > depth {
            return Err(OutOfBounds::Depth { limit: depth });
        }
        match value {
            Value::Object(members) => {
                count_one(&mut count, subschemas)?;
                for (name, value) in members {
                    check_reference(name, value)?;
                    let map = value.as_object().filter(|_| MAPS.contains(&name.as_str()));
                    if let Some(map) = map {
                        open.extend(map.values().map(|value| (value, level + 1)));
                    } else if !DATA.contains(&name.as_str()) {
                        open.push((value, level + 1));
                    }
                }
            }
            Value::Array(items) => open.extend(items.iter().map(|item| (item, level + 1))),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    Ok(count)
}

/// Counts as the Ruby SDK 1.3.0 does. Returns the number of subschemas, or the bound that is
/// exceeded.
pub fn ruby(schema: &Value, depth: usize, subschemas: usize) -> Result<usize, OutOfBounds> {
    let mut count = 0;
    let mut open = vec![(schema, 1)];
    while let Some((value, level)) = open.pop() {
        if level > depth {
            return Err(OutOfBounds::Depth { limit: depth });
        }
        match value {
            Value::Object(members) => {
                count_one(&mut count, subschemas)?;
                for (name, value) in members {
                    check_reference(name, value)?;
                    open.push((value, level + 1));
                }
            }
            Value::Array(items) => open.extend(items.iter().map(|item| (item, level + 1))),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    Ok(count)
}

fn count_one(count: &mut usize, limit: usize) -> Result<(), OutOfBounds> {
    *count += 1;
    if *count > limit { Err(OutOfBounds::Subschemas { limit }) } else { Ok(()) }
}

/// Checks a reference. Both modes allow `$ref` and `$dynamicRef` only within the document. They do
/// not know `$recursiveRef`.
fn check_reference(name: &str, value: &Value) -> Result<(), OutOfBounds> {
    let keyword = match name {
        "$ref" => "$ref",
        "$dynamicRef" => "$dynamicRef",
        _ => return Ok(()),
    };
    match value.as_str() {
        Some(target) if !target.starts_with('#') => {
            Err(OutOfBounds::Reference { keyword, target: target.to_owned() })
        }
        Some(_) | None => Ok(()),
    }
}
