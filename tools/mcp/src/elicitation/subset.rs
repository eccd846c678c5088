//! The rules of the subset, by protocol version.
//!
//! Keywords of JSON Schema that are not listed for a type are refused; unknown names are
//! annotations and are allowed. Titles, descriptions and comments are allowed anywhere, and so is a
//! boolean `additionalProperties` at the root, which schema generators write.

use crate::protocol::{FIRST_ELICITATION, ProtocolVersion, TASK_MEMBER};
use crate::refusal::Reason;
use crate::words;
use serde_json::{Map, Value};
use stanchion_vocab::{Keyword, Vocabulary};

type Check = Result<(), Reason>;

const FORMATS: [&str; 4] = ["email", "uri", "date", "date-time"];

/// Features of a version beside texts, numbers, booleans and plain choices.
#[derive(Clone, Copy)]
struct Rules {
    /// Defaults of other properties than booleans, choices with titles, and several choices.
    is_rich: bool,
    /// `pattern` on texts, which only the page of 2025-11-25 shows.
    has_pattern: bool,
}

impl Rules {
    fn of(version: ProtocolVersion<'_>) -> Result<Rules, Reason> {
        Ok(match version.as_str() {
            None => Rules { is_rich: true, has_pattern: true },
            Some(version) if version < FIRST_ELICITATION => {
                let message = format!("elicitation is not in protocol version {version}");
                return Err(Reason::Subset { path: String::new(), message });
            }
            Some(version) => Rules { is_rich: version >= TASK_MEMBER, has_pattern: version == TASK_MEMBER },
        })
    }
}

/// Checks whether a schema is in the subset of a version. Without a version, the features of all
/// versions are allowed.
pub(super) fn check(schema: &Value, version: ProtocolVersion<'_>) -> Check {
    let rules = Rules::of(version)?;
    let root = object(schema, "")?;
    only(root, "", &["$schema", "type", "properties", "required", "additionalProperties"])?;
    let says_object = root.get("type").is_some_and(|kind| kind == "object");
    if !says_object {
        return Err(expected("/type", "\"object\"", root.get("type")));
    }
    match root.get("additionalProperties") {
        None | Some(Value::Bool(_)) => {}
        other => return Err(expected("/additionalProperties", "a boolean", other)),
    }
    let Some(Value::Object(properties)) = root.get("properties") else {
        return Err(expected("/properties", "an object", root.get("properties")));
    };
    for (name, schema) in properties {
        property(rules, schema, &format!("/properties{}", words::step(name)))?;
    }
    required(root.get("required"), properties)
}

fn required(names: Option<&Value>, properties: &Map<String, Value>) -> Check {
    let Some(names) = names else { return Ok(()) };
    for (index, name) in texts(names, "/required")?.enumerate() {
        if !properties.contains_key(name) {
            let message = format!("expected the name of a property, found {}", words::quoted(name));
            return Err(Reason::Subset { path: format!("/required/{index}"), message });
        }
    }
    Ok(())
}

fn property(rules: Rules, schema: &Value, path: &str) -> Check {
    let members = object(schema, path)?;
    let kind = members.get("type");
    let is_boolean = kind.is_some_and(|kind| kind == "boolean");
    if !rules.is_rich && members.contains_key("default") && !is_boolean {
        return Err(too_new(&format!("{path}/default")));
    }
    if !rules.is_rich && (members.contains_key("oneOf") || kind.is_some_and(|kind| kind == "array")) {
        return Err(too_new(path));
    }
    match members.get("type").and_then(Value::as_str) {
        Some("string") if members.contains_key("enum") => single_choice(members, path),
        Some("string") if members.contains_key("oneOf") => {
            only(members, path, &["type", "oneOf", "default"])?;
            titled(members.get("oneOf"), &format!("{path}/oneOf"))?;
            default(members, path, "a string", Value::is_string)
        }
        Some("string") => text(rules, members, path),
        Some(kind @ ("number" | "integer")) => {
            only(members, path, &["type", "minimum", "maximum", "default"])?;
            for bound in ["minimum", "maximum"] {
                member(members, path, bound, "a number", Value::is_number)?;
            }
            if kind == "number" {
                default(members, path, "a number", Value::is_number)
            } else {
                default(members, path, "an integer", is_integer)
            }
        }
        Some("boolean") => {
            only(members, path, &["type", "default"])?;
            default(members, path, "a boolean", Value::is_boolean)
        }
        Some("array") => several_choices(members, path),
        Some(_) | None => {
            let wanted = "\"string\", \"number\", \"integer\", \"boolean\" or \"array\"";
            Err(expected(&format!("{path}/type"), wanted, members.get("type")))
        }
    }
}

/// Makes the refusal for a feature of a later version than the peer's.
fn too_new(path: &str) -> Reason {
    Reason::Subset { path: path.to_owned(), message: "this came with 2025-11-25".to_owned() }
}

fn text(rules: Rules, members: &Map<String, Value>, path: &str) -> Check {
    let allowed = ["type", "minLength", "maxLength", "format", "default", "pattern"];
    only(members, path, if rules.has_pattern { &allowed } else { &allowed[..5] })?;
    for bound in ["minLength", "maxLength"] {
        member(members, path, bound, "a count", is_count)?;
    }
    let is_known = |format: &Value| format.as_str().is_some_and(|format| FORMATS.contains(&format));
    member(members, path, "format", "\"email\", \"uri\", \"date\" or \"date-time\"", is_known)?;
    default(members, path, "a string", Value::is_string)
}

/// Checks a choice of one text. Titles may be in `enumNames`, as before `oneOf`.
fn single_choice(members: &Map<String, Value>, path: &str) -> Check {
    only(members, path, &["type", "enum", "default"])?;
    let choices = options(members.get("enum"), &format!("{path}/enum"))?;
    if let Some(names) = members.get("enumNames") {
        let place = format!("{path}/enumNames");
        if texts(names, &place)?.count() != choices {
            let message = format!("expected as many names as choices, which are {choices}");
            return Err(Reason::Subset { path: place, message });
        }
    }
    default(members, path, "a string", Value::is_string)
}

/// Checks a choice of several texts.
fn several_choices(members: &Map<String, Value>, path: &str) -> Check {
    only(members, path, &["type", "minItems", "maxItems", "items", "default"])?;
    for bound in ["minItems", "maxItems"] {
        member(members, path, bound, "a count", is_count)?;
    }
    let place = format!("{path}/items");
    let Some(items) = members.get("items") else { return Err(expected(&place, "the choices", None)) };
    let items = object(items, &place)?;
    let says_string = items.get("type").is_some_and(|kind| kind == "string");
    if items.contains_key("anyOf") {
        only(items, &place, &["type", "anyOf"])?;
        if items.contains_key("type") && !says_string {
            return Err(expected(&format!("{place}/type"), "\"string\"", items.get("type")));
        }
        titled(items.get("anyOf"), &format!("{place}/anyOf"))?;
    } else {
        only(items, &place, &["type", "enum"])?;
        if !says_string {
            return Err(expected(&format!("{place}/type"), "\"string\"", items.get("type")));
        }
        options(items.get("enum"), &format!("{place}/enum"))?;
    }
    let are_texts = |value: &Value| value.as_array().is_some_and(|items| items.iter().all(Value::is_string));
    default(members, path, "an array of strings", are_texts)
}

/// Checks choices with titles: `{"const": …, "title": …}`.
fn titled(choices: Option<&Value>, path: &str) -> Check {
    let Some(Value::Array(choices)) = choices.filter(|choices| **choices != Value::Array(Vec::new())) else {
        return Err(expected(path, "an array of choices", choices));
    };
    for (index, choice) in choices.iter().enumerate() {
        let place = format!("{path}/{index}");
        let members = object(choice, &place)?;
        only(members, &place, &["const"])?;
        for name in ["const", "title"] {
            if !members.get(name).is_some_and(Value::is_string) {
                return Err(expected(&format!("{place}/{name}"), "a string", members.get(name)));
            }
        }
    }
    Ok(())
}

/// Checks choices without titles, and returns how many there are.
fn options(choices: Option<&Value>, path: &str) -> Result<usize, Reason> {
    let Some(choices) = choices else { return Err(expected(path, "an array of strings", None)) };
    match texts(choices, path)?.count() {
        0 => Err(expected(path, "at least one choice", Some(choices))),
        count => Ok(count),
    }
}

fn texts<'s>(value: &'s Value, path: &str) -> Result<impl Iterator<Item = &'s str>, Reason> {
    match value.as_array().filter(|items| items.iter().all(Value::is_string)) {
        Some(items) => Ok(items.iter().filter_map(Value::as_str)),
        None => Err(expected(path, "an array of strings", Some(value))),
    }
}

/// Checks a member that may be absent.
fn member(
    members: &Map<String, Value>,
    path: &str,
    name: &str,
    wanted: &str,
    fits: impl Fn(&Value) -> bool,
) -> Check {
    match members.get(name) {
        Some(value) if !fits(value) => Err(expected(&format!("{path}/{name}"), wanted, Some(value))),
        Some(_) | None => Ok(()),
    }
}

fn default(members: &Map<String, Value>, path: &str, wanted: &str, fits: impl Fn(&Value) -> bool) -> Check {
    member(members, path, "default", wanted, fits)
}

fn is_count(value: &Value) -> bool {
    is_integer(value) && value.as_f64().is_some_and(|value| value >= 0.0)
}

fn is_integer(value: &Value) -> bool {
    value.as_f64().is_some_and(|value| value.fract() == 0.0)
}

/// Checks that a schema has only these keywords and descriptions.
fn only(members: &Map<String, Value>, path: &str, allowed: &[&str]) -> Check {
    let describes = |keyword: Keyword| {
        keyword == Keyword::Comment
            || (keyword.vocabulary() == Vocabulary::MetaData && keyword != Keyword::Default)
    };
    for name in members.keys() {
        let Some(keyword) = Keyword::from_name(name) else { continue };
        if !allowed.contains(&name.as_str()) && !describes(keyword) {
            let path = format!("{path}{}", words::step(name));
            return Err(Reason::Subset {
                path,
                message: "this keyword is not in elicitation's subset here".to_owned(),
            });
        }
    }
    Ok(())
}

fn object<'s>(schema: &'s Value, path: &str) -> Result<&'s Map<String, Value>, Reason> {
    schema.as_object().ok_or_else(|| expected(path, "an object", Some(schema)))
}

fn expected(path: &str, wanted: &str, found: Option<&Value>) -> Reason {
    let found = found.map_or_else(|| "nothing".to_owned(), words::found);
    Reason::Subset { path: path.to_owned(), message: format!("expected {wanted}, found {found}") }
}
