//! Generates valid instances from schemas, for tests that need any valid instance.
//!
//! The generator knows what the schemas of tools mostly use: types, properties, items, constants,
//! bounds, references within the document, and unions, by the first branch that works. The result
//! is a proposal; the caller checks that it is valid.

use serde_json::{Map, Number, Value, json};
use stanchion::Validator;

/// Deepest level with optional members. Below it, only required members are generated, so that
/// recursive schemas end.
const MAX_OPTIONAL_DEPTH: usize = 6;

/// Candidate texts for patterns and lengths.
const TEXTS: [&str; 28] = [
    "text",
    "a",
    "name-1",
    "Abc",
    "12345",
    "1",
    "2024-05-17",
    "2024-05-17T08:00:00Z",
    "2024-05",
    "08:00",
    "https://example.com/a",
    "a@example.com",
    "123e4567-e89b-12d3-a456-426614174000",
    "#a1b2c3",
    "0123456789abcdef0123456789abcdef",
    "0x0123456789abcdef0123456789abcdef01234567",
    "owner/name",
    "/a/b",
    "1.2.3",
    "en-US",
    "EN",
    "USD",
    "a.b.c",
    "+15550100",
    "PROJ-1",
    "name_1",
    "arn:aws:s3tables:us-east-1:123456789012:bucket/name",
    "arn:aws:s3tables:us-east-1:123456789012:bucket/name/table/123e4567-e89b-12d3-a456-426614174000",
];

/// Returns an instance that the schema probably accepts, with all properties that it names.
pub fn instance(schema: &Value) -> Option<Value> {
    Generator { root: schema }.make(schema, 0)
}

struct Generator<'s> {
    root: &'s Value,
}

impl Generator<'_> {
    fn make(&self, schema: &Value, depth: usize) -> Option<Value> {
        let map = match schema {
            Value::Bool(true) => return Some(json!("text")),
            Value::Object(map) => map,
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                return None;
            }
        };
        if depth > MAX_OPTIONAL_DEPTH * 2 {
            return None;
        }
        if let Some(constant) = map.get("const") {
            return Some(constant.clone());
        }
        if let Some(values) = map.get("enum").and_then(Value::as_array) {
            return values.iter().find(|value| !value.is_null()).or(values.first()).cloned();
        }
        if let Some(reference) = map.get("$ref").and_then(Value::as_str) {
            return self.make(self.root.pointer(reference.strip_prefix('#')?)?, depth + 1);
        }
        for keyword in ["anyOf", "oneOf"] {
            if let Some(branches) = map.get(keyword).and_then(Value::as_array) {
                return self.union(map, keyword, branches, depth);
            }
        }
        self.plain(map, depth)
    }

    /// Returns an instance of a branch, merged with the keywords beside the union.
    fn union(
        &self,
        map: &Map<String, Value>,
        keyword: &str,
        branches: &[Value],
        depth: usize,
    ) -> Option<Value> {
        let mut beside = map.clone();
        beside.remove(keyword);
        let is_typed = beside.contains_key("type") || beside.contains_key("properties");
        let base = if is_typed { Some(self.make(&Value::Object(beside), depth + 1)?) } else { None };
        let is_null = |branch: &&Value| branch["type"] == "null";
        let made = branches.iter().filter(|branch| !is_null(branch)).find_map(|branch| {
            let branch = self.typed(branch, base.as_ref());
            self.make(&branch, depth + 1)
        });
        match (base, made) {
            (Some(base), Some(made)) => Some(merge(base, made)),
            (base, made) => made.or(base).or(Some(Value::Null)),
        }
    }

    /// Returns the branch with type `object` if it has no type and the schema beside its union is
    /// an object's.
    fn typed(&self, branch: &Value, base: Option<&Value>) -> Value {
        let mut branch = branch.clone();
        if let (Value::Object(map), Some(Value::Object(_))) = (&mut branch, base)
            && !map.contains_key("$ref")
        {
            map.entry("type").or_insert(json!("object"));
        }
        branch
    }

    fn plain(&self, map: &Map<String, Value>, depth: usize) -> Option<Value> {
        let mut made = match kind(map) {
            "object" => self.object(map, depth)?,
            "array" => self.array(map, depth)?,
            "string" => text(map)?,
            "integer" => number(map, true)?,
            "number" => number(map, false)?,
            "boolean" => json!(true),
            _ => Value::Null,
        };
        for part in map.get("allOf").and_then(Value::as_array).into_iter().flatten() {
            made = merge(made, self.make(part, depth + 1)?);
        }
        Some(made)
    }

    fn object(&self, map: &Map<String, Value>, depth: usize) -> Option<Value> {
        let mut made = Map::new();
        let required: Vec<&str> = map
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let properties = map.get("properties").and_then(Value::as_object);
        for (name, schema) in properties.into_iter().flatten() {
            let is_required = required.contains(&name.as_str());
            if depth >= MAX_OPTIONAL_DEPTH && !is_required {
                continue;
            }
            match self.make(schema, depth + 1) {
                Some(value) => drop(made.insert(name.clone(), value)),
                None if is_required => return None,
                None => {}
            }
        }
        for name in required {
            if !made.contains_key(name) {
                made.insert(name.to_owned(), json!("text"));
            }
        }
        if let (true, Some(others @ Value::Object(_))) = (made.is_empty(), map.get("additionalProperties")) {
            made.extend(self.make(others, depth + 1).map(|value| ("key".to_owned(), value)));
        }
        Some(Value::Object(made))
    }

    fn array(&self, map: &Map<String, Value>, depth: usize) -> Option<Value> {
        let mut items = Vec::new();
        for schema in map.get("prefixItems").and_then(Value::as_array).into_iter().flatten() {
            items.push(self.make(schema, depth + 1)?);
        }
        let least = map.get("minItems").and_then(Value::as_u64).unwrap_or(1).clamp(1, 50) as usize;
        let most = map.get("maxItems").and_then(Value::as_u64).unwrap_or(u64::MAX);
        let least = least.min(usize::try_from(most).unwrap_or(usize::MAX));
        while items.len() < least {
            let Some(item) = self.make(map.get("items").unwrap_or(&Value::Bool(true)), depth + 1) else {
                break;
            };
            items.push(item);
        }
        Some(Value::Array(items))
    }
}

/// Returns the type to generate.
fn kind(map: &Map<String, Value>) -> &str {
    let listed = match map.get("type") {
        Some(Value::String(name)) => return name,
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).find(|name| *name != "null"),
        Some(_) | None => None,
    };
    match listed {
        Some(name) => name,
        None if map.contains_key("properties") || map.contains_key("required") => "object",
        None if map.contains_key("items") => "array",
        None if map.contains_key("minimum") || map.contains_key("maximum") => "number",
        None => "string",
    }
}

/// Returns a text that satisfies the schema's keywords for strings.
fn text(map: &Map<String, Value>) -> Option<Value> {
    let wanted: Map<String, Value> = ["pattern", "minLength", "maxLength"]
        .into_iter()
        .filter_map(|keyword| Some((keyword.to_owned(), map.get(keyword)?.clone())))
        .collect();
    if wanted.is_empty() {
        return Some(json!("text"));
    }
    let validator = Validator::new(&Value::Object(wanted)).ok()?;
    let examples = map.get("examples").and_then(Value::as_array).into_iter().flatten();
    let known = examples.chain(map.get("default")).filter(|value| value.is_string()).cloned();
    let lengths = [1, 2, 3, 5, 6, 8, 10, 16, 20, 24, 26, 32, 36, 40, 64, 100];
    let repeated =
        lengths.iter().flat_map(|&length| ["a", "1", "A", "f"].map(|letter| json!(letter.repeat(length))));
    known.chain(TEXTS.into_iter().map(Value::from)).chain(repeated).find(|text| validator.is_valid(text))
}

/// Returns a number within the bounds.
fn number(map: &Map<String, Value>, is_integer: bool) -> Option<Value> {
    let bound = |keyword: &str| map.get(keyword).and_then(Value::as_f64);
    let mut value: f64 = 1.0;
    if let Some(least) = bound("minimum") {
        value = value.max(least);
    }
    if let Some(below) = bound("exclusiveMinimum") {
        value = value.max(below + 1.0);
    }
    if let Some(most) = bound("maximum") {
        value = value.min(most);
    }
    if let Some(above) = bound("exclusiveMaximum")
        && value >= above
    {
        value = above - 1.0;
    }
    if let Some(step) = bound("multipleOf") {
        value = (value / step).ceil() * step;
    }
    if is_integer || value.fract() == 0.0 {
        return Some(json!(value.ceil() as i64));
    }
    Number::from_f64(value).map(Value::Number)
}

/// Merges two objects; for other values, returns the second.
fn merge(first: Value, second: Value) -> Value {
    match (first, second) {
        (Value::Object(mut first), Value::Object(second)) => {
            first.extend(second);
            Value::Object(first)
        }
        (_, second) => second,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_are_valid() {
        let schema = json!({
            "type": "object",
            "properties": {
                "id": {"type": "string", "pattern": "^[0-9a-f]{8}-"},
                "count": {"type": "integer", "minimum": 3, "multipleOf": 5},
                "tags": {"type": "array", "items": {"type": ["null", "string"]}, "minItems": 2},
                "child": {"$ref": "#"},
                "place": {"anyOf": [{"type": "null"}, {"type": "object", "properties": {"x": {"type": "number"}}, "required": ["x"]}]}
            },
            "required": ["id", "tags"],
            "additionalProperties": false
        });
        let made = instance(&schema).expect("an instance");
        assert!(Validator::new(&schema).expect("a validator").is_valid(&made), "{made}");
        assert_eq!(made["count"], 5);
        assert!(made["place"]["x"].is_number(), "{made}");
    }
}
