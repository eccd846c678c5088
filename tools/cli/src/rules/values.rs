//! Rules for values in a schema that the schema itself rejects: in `enum`, `const`, `default` and
//! `examples`.

use serde_json::{Map, Value};
use stanchion::{References, Validator, Verdict};
use stanchion_vocab::pointer;

use super::walk::{Site, Tree};
use super::{DEFAULT_REFUSED, EXAMPLE_REFUSED, Findings, REPEATED_VALUE, Rule, VALUE_REFUSED, words};

/// Keywords beside an `enum` that are checked: those that need nothing else.
const ASSERTIONS: [&str; 17] = [
    "type",
    "const",
    "enum",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "pattern",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "required",
];

/// Bytes of schema that may be compiled to check defaults and examples: enough for all but the
/// largest documents.
const MAX_COMPILED_BYTES: usize = 32 << 20;

/// URI under which the document is registered, to refer to its parts.
const DOCUMENT: &str = "urn:stanchion:document";

pub(super) fn look(tree: &Tree<'_>, found: &mut Findings) {
    let size = tree.document.to_string().len();
    let mut left = MAX_COMPILED_BYTES;
    for site in tree.sites().filter(|site| !site.is_hidden) {
        fixed(site, found);
        let shown = site.has("default") || site.list("examples").is_some_and(|examples| !examples.is_empty());
        if !shown {
            continue;
        }
        let bytes = if has_reference(site.value) { size } else { site.value.to_string().len() };
        let Some(rest) = left.checked_sub(bytes) else { return };
        left = rest;
        let Some(validator) = validator_of(site, tree) else { continue };
        if let Some(value) = site.get("default") {
            judge(&validator, &DEFAULT_REFUSED, value, site.at(&["default"]), found);
        }
        for (index, value) in site.list("examples").into_iter().flatten().enumerate() {
            judge(&validator, &EXAMPLE_REFUSED, value, site.at(&["examples", &index.to_string()]), found);
        }
    }
}

/// Checks the values of `enum` and `const` with the other keywords.
fn fixed(site: &Site<'_>, found: &mut Findings) {
    let values: Vec<(Vec<String>, &Value)> = match (site.list("enum"), site.get("const")) {
        (Some(values), _) => {
            repeated(site, values, found);
            values
                .iter()
                .enumerate()
                .map(|(at, value)| (vec!["enum".to_owned(), at.to_string()], value))
                .collect()
        }
        (None, Some(value)) => vec![(vec!["const".to_owned()], value)],
        (None, None) => return,
    };
    let mut asserted: Map<String, Value> = site
        .keywords()
        .filter(|(name, _)| ASSERTIONS.contains(&name.as_str()) && *name != "enum")
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    if !site.has("enum") {
        asserted.remove("const");
    }
    if asserted.is_empty() {
        return;
    }
    let others: Vec<String> = asserted.keys().map(|name| format!("`{name}`")).collect();
    let Ok(validator) = Validator::builder().dialect(site.dialect).build(&Value::Object(asserted)) else {
        return;
    };
    for (steps, value) in values {
        if validator.verdict(value) != Verdict::Invalid {
            continue;
        }
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        let reason = validator.iter_errors(value).next();
        let culprit = reason.map_or_else(|| words::list(&others), |error| format!("`{}`", error.keyword()));
        let suggestion = if culprit == "`type`" {
            format!("let `type` include \"{}\", or correct the value", type_name(value))
        } else {
            "correct one of them".to_owned()
        };
        let message = format!("{} is refused by {culprit} beside it", words::value(value));
        found.push(&VALUE_REFUSED, site.at(&steps), message, suggestion);
    }
}

fn repeated(site: &Site<'_>, values: &[Value], found: &mut Findings) {
    let mut seen = std::collections::HashMap::new();
    for (index, value) in values.iter().enumerate() {
        if let Some(first) = seen.insert(value.to_string(), index) {
            let message = format!("{} is at {first} already", words::value(value));
            found.push(
                &REPEATED_VALUE,
                site.at(&["enum", &index.to_string()]),
                message,
                "remove one of them",
            );
        }
    }
}

fn type_name(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

/// Whether a subschema refers to anything outside of itself.
fn has_reference(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => map.iter().any(|(name, value)| {
            matches!(name.as_str(), "$ref" | "$dynamicRef" | "$recursiveRef") || has_reference(value)
        }),
        Value::Array(items) => items.iter().any(has_reference),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

/// Returns a validator for one subschema of the document.
fn validator_of(site: &Site<'_>, tree: &Tree<'_>) -> Option<Validator> {
    let builder = Validator::builder().dialect(site.dialect);
    if !has_reference(site.value) {
        return builder.build(site.value).ok();
    }
    // A document with an `$id` would be known under that.
    if tree.sites().any(|site| site.has("$id") || site.has("id")) {
        return None;
    }
    let reference = format!("{DOCUMENT}{}", pointer::to_fragment(&site.pointer));
    let schema = serde_json::json!({"$ref": reference});
    builder.references(References::Bundled).resource(DOCUMENT, tree.document).build(&schema).ok()
}

fn judge(validator: &Validator, rule: &'static Rule, value: &Value, place: String, found: &mut Findings) {
    if validator.verdict(value) != Verdict::Invalid {
        return;
    }
    let why = validator.iter_errors(value).next().map(|error| error.to_string()).unwrap_or_default();
    // The root needs no place.
    let why = why.strip_prefix("/: ").unwrap_or(&why);
    let what = if std::ptr::eq(rule, &DEFAULT_REFUSED) { "default" } else { "example" };
    let suggestion = format!("correct the {what}, or let the schema accept it");
    found.push(rule, place, format!("the {what} is refused by its own schema: {why}"), suggestion);
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::check;

    #[test]
    fn values_that_their_neighbours_refuse() {
        check(
            r#"{"type": "string", "enum": ["a", 1, null]}"#,
            &["value-refused /enum/1", "value-refused /enum/2"],
        );
        check(r#"{"type": "string", "const": 1}"#, &["value-refused /const"]);
        check(r#"{"maxLength": 2, "enum": ["abc", "ab"]}"#, &["value-refused /enum/0"]);
        check(r#"{"const": "a", "enum": ["a", "b"]}"#, &["value-refused /enum/1"]);
        check(r#"{"enum": ["a", "b", "a"]}"#, &["repeated-value /enum/2"]);
        check(r#"{"type": ["string", "null"], "enum": ["a", null]}"#, &[]);
    }

    #[test]
    fn defaults_and_examples_that_are_refused() {
        check(r#"{"type": "string", "default": null}"#, &["default-refused /default"]);
        check(
            r#"{"properties": {"a": {"minimum": 3, "examples": [3, 2]}}}"#,
            &["example-refused /properties/a/examples/1"],
        );
        let by_reference = r##"{"properties": {"a": {"$ref": "#/$defs/a b", "default": 1}, "b": {"$ref": "#/$defs/a b", "default": "x"}},
            "$defs": {"a b": {"type": "string"}}}"##;
        check(
            &by_reference.replace("$defs/a b\"", "$defs/a%20b\""),
            &["default-refused /properties/a/default"],
        );
        check(r#"{"type": "string", "default": "x", "examples": ["y"]}"#, &[]);
        check(r#"{"properties": {"a": {"type": "string"}}, "default": {"a": "b"}}"#, &[]);
    }
}
