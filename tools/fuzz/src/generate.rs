//! Schemas and instances by construction: bytes are choices, so that mutants of an input are neighbors of it.
//!
//! Names, texts and numbers are few, so that things meet. No schema has a format, a number beyond 64 bits, or a pattern that
//! dialects of regular expressions read differently: what is made means the same to every validator.

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value, json};

const NAMES: [&str; 5] = ["a", "b", "ab", "kind", "value"];
const TYPES: [&str; 7] = ["null", "boolean", "integer", "number", "string", "array", "object"];
const PATTERNS: [&str; 5] = ["^a", "b$", "^(a|b)+$", "^[a-z]{1,3}$", "i"];

/// A schema with definitions that it may refer to.
pub(crate) fn schema(bytes: &mut Unstructured<'_>) -> Result<Value> {
    let mut root = match subschema(bytes, 4)? {
        Value::Object(root) => root,
        other => Map::from_iter([("allOf".to_owned(), json!([other]))]),
    };
    let mut definitions = Map::new();
    for name in NAMES {
        definitions.insert(name.to_owned(), subschema(bytes, 2)?);
    }
    root.insert("$defs".to_owned(), definitions.into());
    Ok(root.into())
}

fn subschema(bytes: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    if bytes.is_empty() || bytes.ratio(1, 12)? {
        return Ok(Value::Bool(!bytes.ratio(1, 4)?));
    }
    let mut members = Map::new();
    for _ in 0..bytes.int_in_range(1..=4)? {
        let (keyword, value) = keyword(bytes, depth)?;
        members.insert(keyword.to_owned(), value);
    }
    Ok(members.into())
}

fn keyword(bytes: &mut Unstructured<'_>, depth: usize) -> Result<(&'static str, Value)> {
    // Assertions first: without depth there is nothing else.
    let choice = bytes.int_in_range(0..=if depth == 0 { 19 } else { 41 })?;
    let small = |bytes: &mut Unstructured<'_>| -> Result<Value> { Ok(json!(bytes.int_in_range(0..=3)?)) };
    let name = |bytes: &mut Unstructured<'_>| -> Result<&str> { Ok(*bytes.choose(&NAMES)?) };
    Ok(match choice {
        0 | 1 => ("type", json!(bytes.choose(&TYPES)?)),
        2 => ("type", json!([bytes.choose(&TYPES[..3])?, bytes.choose(&TYPES[3..])?])),
        3 => ("const", instance(bytes, 2)?),
        4 => ("enum", json!([instance(bytes, 1)?, name(bytes)?, instance(bytes, 1)?])),
        5 => ("minimum", small(bytes)?),
        6 => ("exclusiveMaximum", small(bytes)?),
        7 => ("multipleOf", bytes.choose(&[json!(2), json!(0.5), json!(3)])?.clone()),
        8 => ("minLength", small(bytes)?),
        9 => ("maxLength", small(bytes)?),
        10 => ("pattern", json!(bytes.choose(&PATTERNS)?)),
        11 => ("minItems", small(bytes)?),
        12 => ("maxItems", small(bytes)?),
        13 => ("uniqueItems", json!(true)),
        14 => ("minProperties", small(bytes)?),
        15 => ("maxProperties", small(bytes)?),
        16 => ("required", json!([name(bytes)?])),
        17 => ("dependentRequired", json!({name(bytes)?: [name(bytes)?]})),
        18 | 19 => ("$ref", json!(format!("#/$defs/{}", name(bytes)?))),
        20..=22 => ("properties", map(bytes, depth)?),
        23 => ("patternProperties", json!({*bytes.choose(&PATTERNS)?: subschema(bytes, depth - 1)?})),
        24 => ("additionalProperties", subschema(bytes, depth - 1)?),
        25 => ("propertyNames", subschema(bytes, depth - 1)?),
        26 => ("unevaluatedProperties", subschema(bytes, depth - 1)?),
        27 => ("dependentSchemas", map(bytes, depth)?),
        28 => ("items", subschema(bytes, depth - 1)?),
        29 => ("prefixItems", list(bytes, depth)?),
        30 => ("contains", subschema(bytes, depth - 1)?),
        31 => ("minContains", small(bytes)?),
        32 => ("maxContains", small(bytes)?),
        33 => ("unevaluatedItems", subschema(bytes, depth - 1)?),
        34 => ("allOf", list(bytes, depth)?),
        35 => ("anyOf", list(bytes, depth)?),
        36 => ("oneOf", list(bytes, depth)?),
        37 => ("not", subschema(bytes, depth - 1)?),
        38 => ("if", subschema(bytes, depth - 1)?),
        39 => ("then", subschema(bytes, depth - 1)?),
        40 => ("else", subschema(bytes, depth - 1)?),
        _ => ("oneOf", tagged(bytes, depth)?),
    })
}

fn list(bytes: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    (0..bytes.int_in_range(1..=3)?).map(|_| subschema(bytes, depth - 1)).collect()
}

fn map(bytes: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    let mut map = Map::new();
    for _ in 0..bytes.int_in_range(1..=3)? {
        map.insert((*bytes.choose(&NAMES)?).to_owned(), subschema(bytes, depth - 1)?);
    }
    Ok(map.into())
}

/// Branches that a member tells apart.
fn tagged(bytes: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    let mut branches = Vec::new();
    for tag in 0..bytes.int_in_range(2..=4)? {
        let mut properties = map(bytes, depth)?;
        properties["kind"] = json!({"const": NAMES.get(tag).unwrap_or(&"a")});
        branches.push(json!({"properties": properties, "required": ["kind"]}));
    }
    Ok(branches.into())
}

/// An instance for such schemas.
pub(crate) fn instance(bytes: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    let choice = bytes.int_in_range(0..=if depth == 0 || bytes.is_empty() { 7 } else { 11 })?;
    Ok(match choice {
        0 => Value::Null,
        1 => json!(bytes.arbitrary::<bool>()?),
        2 | 3 => json!(bytes.int_in_range(-1..=4)?),
        4 => bytes.choose(&[json!(1.0), json!(0.5), json!(2.5), json!(-0.0)])?.clone(),
        5 | 6 => json!(bytes.choose(&NAMES)?),
        7 => json!(bytes.choose(&["", "abc", "ä", "a b"])?),
        8 | 9 => {
            (0..bytes.int_in_range(0..=4)?).map(|_| instance(bytes, depth - 1)).collect::<Result<Value>>()?
        }
        _ => {
            let mut members = Map::new();
            for _ in 0..bytes.int_in_range(0..=4)? {
                members.insert((*bytes.choose(&NAMES)?).to_owned(), instance(bytes, depth - 1)?);
            }
            members.into()
        }
    })
}
