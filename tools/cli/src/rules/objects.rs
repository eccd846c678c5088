//! Rules for members that are both required and forbidden, and for names close to declared ones.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use stanchion::Validator;

use super::walk::{Site, Tree};
use super::{CLOSED_BRANCH, Findings, REQUIRED_MISSPELT, REQUIRED_UNDECLARED, words};

pub(super) fn look(site: &Site<'_>, tree: &Tree<'_>, found: &mut Findings) {
    let closed_by = closed_by(site);
    for (index, name) in site.texts("required") {
        let place = site.at(&["required", &index.to_string()]);
        let declared = site.map("properties").and_then(|properties| properties.get(name));
        if declared == Some(&Value::Bool(false)) {
            let message = format!("{} is required, and `properties` forbids it", words::name(name));
            found.push(&REQUIRED_UNDECLARED, place, message, "remove it from `required`, or allow it");
        } else if let (Some(keyword), false) = (closed_by, declares(site, name)) {
            let message = format!("{} is required, and `{keyword}: false` forbids it", words::name(name));
            let suggestion = match close_name(site, name) {
                Some(close) => format!("did you mean {}?", words::name(close)),
                None => "declare it in `properties`, or remove it from `required`".to_owned(),
            };
            found.push(&REQUIRED_UNDECLARED, place, message, suggestion);
        } else if let (Some(close), false) = (close_name(site, name), declares(site, name)) {
            let message = format!(
                "{} is required and not declared, {} is declared",
                words::name(name),
                words::name(close)
            );
            found.push(&REQUIRED_MISSPELT, place, message, format!("did you mean {}?", words::name(close)));
        }
    }
    dependent(site, closed_by, found);
    closed_branches(site, tree, found);
}

/// Returns the keyword that forbids all members that the subschema itself does not declare.
fn closed_by(site: &Site<'_>) -> Option<&'static str> {
    let is_false = |keyword| site.get(keyword) == Some(&Value::Bool(false));
    // Other keywords that apply to the object may declare members for `unevaluatedProperties`, but
    // not for `additionalProperties`.
    const IN_PLACE: [&str; 10] = [
        "$ref",
        "$dynamicRef",
        "$recursiveRef",
        "allOf",
        "anyOf",
        "oneOf",
        "if",
        "dependentSchemas",
        "not",
        "dependencies",
    ];
    if is_false("additionalProperties") {
        Some("additionalProperties")
    } else if is_false("unevaluatedProperties")
        && !site.has("additionalProperties")
        && !IN_PLACE.iter().any(|keyword| site.has(keyword))
    {
        Some("unevaluatedProperties")
    } else {
        None
    }
}

/// Whether `properties` or `patternProperties` covers a name; `true` if a pattern cannot be
/// matched.
fn declares(site: &Site<'_>, name: &str) -> bool {
    let by_name = site.map("properties").is_some_and(|properties| properties.contains_key(name));
    by_name || site.map("patternProperties").into_iter().flatten().any(|(pattern, _)| matches(pattern, name))
}

/// Whether a pattern is found in a text; `true` if that is unknown.
fn matches(pattern: &str, text: &str) -> bool {
    Validator::new(&json!({"pattern": pattern})).map_or(true, |validator| validator.is_valid(&json!(text)))
}

/// Returns a declared name that is not required, and close to one that is.
fn close_name<'s>(site: &Site<'s>, name: &str) -> Option<&'s str> {
    let required: BTreeSet<&str> = site.texts("required").map(|(_, name)| name).collect();
    let declared = site.map("properties")?.keys().map(String::as_str);
    declared.filter(|declared| !required.contains(declared)).find(|declared| words::is_close(name, declared))
}

/// Finds a member that requires others which are forbidden.
fn dependent(site: &Site<'_>, closed_by: Option<&str>, found: &mut Findings) {
    let Some(closed_by) = closed_by else { return };
    for keyword in ["dependentRequired", "dependencies"] {
        for (name, others) in site.map(keyword).into_iter().flatten() {
            for (index, other) in others.as_array().into_iter().flatten().enumerate() {
                let Some(other) = other.as_str().filter(|other| !declares(site, other)) else { continue };
                found.push(
                    &REQUIRED_UNDECLARED,
                    site.at(&[keyword, name, &index.to_string()]),
                    format!(
                        "{} wants {} beside it, which `{closed_by}: false` forbids",
                        words::name(name),
                        words::name(other)
                    ),
                    "declare it in `properties`",
                );
            }
        }
    }
}

/// Finds parts of `allOf` (and the keywords beside it) of which one forbids members that another
/// requires: each part sees only its own `properties`.
fn closed_branches(site: &Site<'_>, tree: &Tree<'_>, found: &mut Findings) {
    let Some(branches) = site.list("allOf") else { return };
    let places: Vec<String> =
        (0..branches.len()).map(|index| site.at(&["allOf", &index.to_string()])).collect();
    let parts: Vec<(&str, &Site<'_>)> = places
        .iter()
        .filter_map(|place| Some((place.as_str(), tree.resolve(place)?)))
        .chain([(site.pointer.as_str(), site)])
        .filter(|(_, part)| !part.is_hidden)
        .collect();
    for (place, closed) in &parts {
        if closed.get("additionalProperties") != Some(&Value::Bool(false)) {
            continue;
        }
        // Members that the part itself requires in vain are reported there.
        let own: BTreeSet<&str> = closed.texts("required").map(|(_, name)| name).collect();
        let mut refused: Vec<String> = parts
            .iter()
            .filter(|(other, _)| other != place)
            .flat_map(|(_, part)| part.texts("required"))
            .filter(|(_, name)| !own.contains(name) && !declares(closed, name))
            .map(|(_, name)| words::name(name))
            .collect();
        refused.sort();
        refused.dedup();
        if !refused.is_empty() {
            refused.truncate(5);
            found.push(
                &CLOSED_BRANCH,
                (*place).to_owned(),
                format!(
                    "`additionalProperties: false` sees only the `properties` beside it, and refuses {}, which another part of `allOf` requires",
                    words::list(&refused)
                ),
                "use `unevaluatedProperties: false` beside `allOf`, or declare those members here too",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::check;

    #[test]
    fn members_that_must_and_must_not_be_there() {
        check(
            r#"{"properties": {"a": true}, "required": ["a", "b"], "additionalProperties": false}"#,
            &["required-undeclared /required/1"],
        );
        check(r#"{"properties": {"a": false}, "required": ["a"]}"#, &["required-undeclared /required/0"]);
        check(
            r#"{"properties": {"a": true}, "required": ["b"], "unevaluatedProperties": false}"#,
            &["required-undeclared /required/0"],
        );
        check(
            r#"{"properties": {"a": true}, "dependentRequired": {"a": ["b"]}, "additionalProperties": false}"#,
            &["required-undeclared /dependentRequired/a/0"],
        );
    }

    #[test]
    fn members_that_may_be_there() {
        check(r#"{"properties": {"a": true}, "required": ["b"]}"#, &[]);
        check(
            r#"{"patternProperties": {"^x-": true}, "required": ["x-a"], "additionalProperties": false}"#,
            &[],
        );
        check(
            r#"{"required": ["b"], "unevaluatedProperties": false, "allOf": [{"properties": {"b": true}}]}"#,
            &[],
        );
    }

    #[test]
    fn required_names_that_are_nearly_declared() {
        check(
            r#"{"properties": {"location": true, "unit": true}, "required": ["locaton"]}"#,
            &["required-misspelt /required/0"],
        );
        // Both are required: two members with similar names.
        check(r#"{"properties": {"file1": true}, "required": ["file1", "file2"]}"#, &[]);
    }

    #[test]
    fn parts_of_all_of_that_refuse_each_other() {
        let schema = r##"{
            "allOf": [{"$ref": "#/$defs/base"}, {"properties": {"b": true}, "required": ["b"]}],
            "$defs": {"base": {"properties": {"a": true}, "additionalProperties": false}}
        }"##;
        check(schema, &["closed-branch /allOf/0"]);
        check(
            r#"{"allOf": [{"properties": {"a": true}, "additionalProperties": false}], "properties": {"b": true}}"#,
            &[],
        );
    }
}
