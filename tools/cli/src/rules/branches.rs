//! Rules for branches that accept nothing, that are repeated, or that overlap; and for conditions
//! without effect.

use serde_json::{Map, Value};
use stanchion::{Dialect, TypeSet};

use super::walk::{self, Site, Tree};
use super::{
    CONDITION_ALONE, CONTRADICTION, Findings, OVERLAPPING_BRANCHES, REPEATED_BRANCH, UNREACHABLE_BRANCH,
    words,
};

pub(super) fn look(site: &Site<'_>, tree: &Tree<'_>, found: &mut Findings) {
    for keyword in ["anyOf", "oneOf", "allOf"] {
        let Some(branches) = site.list(keyword) else { continue };
        never(site, keyword, branches, found);
        types(site, tree, keyword, branches, found);
        repeated(site, keyword, branches, found);
    }
    if let Some(branches) = site.list("oneOf") {
        overlapping(site, branches, found);
    }
    conditions(site, found);
}

/// Finds a branch that is `false`.
fn never(site: &Site<'_>, keyword: &str, branches: &[Value], found: &mut Findings) {
    for (index, _) in branches.iter().enumerate().filter(|(_, branch)| **branch == Value::Bool(false)) {
        let place = site.at(&[keyword, &index.to_string()]);
        if keyword == "allOf" {
            found.push(&CONTRADICTION, place, "`false` refuses every value".to_owned(), "remove it");
        } else {
            found.push(&UNREACHABLE_BRANCH, place, "`false` takes no value".to_owned(), "remove the branch");
        }
    }
}

/// Finds a branch whose `type` has nothing in common with the one beside the union, or with another
/// part of `allOf`.
fn types(site: &Site<'_>, tree: &Tree<'_>, keyword: &str, branches: &[Value], found: &mut Findings) {
    let mut left = walk::types(site.value);
    for index in 0..branches.len() {
        let place = site.at(&[keyword, &index.to_string()]);
        let branch = tree.resolve(&place).filter(|branch| !branch.is_hidden);
        let Some(own) = branch.and_then(|branch| walk::types(branch.value)) else { continue };
        let around = left.unwrap_or(TypeSet::ALL);
        if !own.and(around).is_empty() {
            if keyword == "allOf" {
                left = Some(own.and(around));
            }
            continue;
        }
        let (own, around) = (words::types(own), words::types(around));
        if keyword == "allOf" {
            found.push(
                &CONTRADICTION,
                place,
                format!("this leaves {own} only, and the rest leaves {around} only: no value is both"),
                "use `anyOf` if one of them is enough, or correct a `type`",
            );
        } else {
            found.push(
                &UNREACHABLE_BRANCH,
                place,
                format!("this branch is for {own}, and the `type` beside `{keyword}` leaves {around} only"),
                "correct one `type`, or remove the branch",
            );
        }
    }
}

/// Finds equal branches. For `oneOf`, annotations do not count: a value that matches one matches
/// the other.
fn repeated(site: &Site<'_>, keyword: &str, branches: &[Value], found: &mut Findings) {
    let is_one_of = keyword == "oneOf";
    let said: Vec<Value> =
        branches.iter().map(|branch| if is_one_of { bare(branch) } else { branch.clone() }).collect();
    // By their text, since there may be thousands.
    let mut seen = std::collections::HashMap::new();
    for (index, branch) in said.iter().enumerate() {
        let Some(&first) = seen.get(&branch.to_string()) else {
            seen.insert(branch.to_string(), index);
            continue;
        };
        let place = site.at(&[keyword, &index.to_string()]);
        if is_one_of {
            found.push(
                &REPEATED_BRANCH,
                place,
                format!(
                    "this branch takes the same values as branch {first}, so `oneOf` can never choose either"
                ),
                "remove one of them, or distinguish them, for example by a `const`",
            );
        } else {
            found.push(
                &REPEATED_BRANCH,
                place,
                format!("this is the same as branch {first}"),
                "remove one of them",
            );
        }
    }
}

/// Returns a schema without the keywords that never reject anything.
fn bare(schema: &Value) -> Value {
    match schema {
        Value::Object(map) => {
            let kept = map.iter().filter(|(name, _)| !walk::is_annotation(name));
            Value::Object(kept.map(|(name, value)| (name.clone(), value.clone())).collect::<Map<_, _>>())
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            schema.clone()
        }
    }
}

/// Finds branches of `oneOf` that have only a type, and overlap.
fn overlapping(site: &Site<'_>, branches: &[Value], found: &mut Findings) {
    let only_type = |branch: &Value| match bare(branch) {
        Value::Bool(true) => Some(TypeSet::ALL),
        Value::Object(map) if map.is_empty() => Some(TypeSet::ALL),
        Value::Object(map) if map.len() == 1 => walk::types(branch),
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => None,
    };
    let around = walk::types(site.value).unwrap_or(TypeSet::ALL);
    let plain: Vec<(usize, TypeSet)> = branches
        .iter()
        .enumerate()
        .filter_map(|(index, branch)| Some((index, only_type(branch)?.and(around))))
        .collect();
    for (at, &(index, types)) in plain.iter().enumerate() {
        // Equal branches are reported as repeated already.
        let other = plain[..at].iter().find(|(_, other)| *other != types && !other.and(types).is_empty());
        let Some(&(first, other)) = other else { continue };
        let both = words::types(other.and(types));
        found.push(
            &OVERLAPPING_BRANCHES,
            site.at(&["oneOf", &index.to_string()]),
            format!("branch {first} takes every {both} too, so `oneOf` refuses it"),
            "use `anyOf`, or keep the wider branch alone",
        );
    }
}

/// Finds `if` without effect, and `then` or `else` without `if`.
fn conditions(site: &Site<'_>, found: &mut Findings) {
    if site.dialect < Dialect::Draft07 {
        return;
    }
    if site.has("if") && !site.has("then") && !site.has("else") {
        found.push(
            &CONDITION_ALONE,
            site.at(&["if"]),
            "`if` has neither `then` nor `else`, so it decides nothing".to_owned(),
            "add `then` or `else`; if the condition should hold, use `allOf`",
        );
    }
    for name in ["then", "else"] {
        if site.has(name) && !site.has("if") {
            found.push(
                &CONDITION_ALONE,
                site.at(&[name]),
                format!("`{name}` has no `if` beside it, so it is never applied"),
                "add `if` beside it: it does not look into other subschemas",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::check;

    #[test]
    fn branches_that_nothing_takes() {
        check(r#"{"anyOf": [false, {"type": "string"}]}"#, &["unreachable-branch /anyOf/0"]);
        check(
            r#"{"type": "string", "oneOf": [{"type": "number"}, {"minLength": 2}]}"#,
            &["unreachable-branch /oneOf/0"],
        );
        let by_reference =
            r##"{"type": "object", "anyOf": [{"$ref": "#/$defs/a"}], "$defs": {"a": {"type": "array"}}}"##;
        check(by_reference, &["unreachable-branch /anyOf/0"]);
        check(
            r#"{"allOf": [{"type": "string"}, {"type": ["number", "null"]}]}"#,
            &["contradiction /allOf/1"],
        );
        check(r#"{"allOf": [false]}"#, &["contradiction /allOf/0"]);
    }

    #[test]
    fn branches_that_are_there_twice() {
        check(
            r#"{"oneOf": [{"title": "A", "type": "string"}, {"title": "B", "type": "string"}]}"#,
            &["repeated-branch /oneOf/1"],
        );
        check(
            r#"{"anyOf": [{"type": "string"}, {"type": "null"}, {"type": "string"}]}"#,
            &["repeated-branch /anyOf/2"],
        );
        check(r#"{"anyOf": [{"title": "A", "type": "string"}, {"title": "B", "type": "string"}]}"#, &[]);
    }

    #[test]
    fn branches_that_overlap() {
        check(r#"{"oneOf": [{"type": "integer"}, {"type": "number"}]}"#, &["overlapping-branches /oneOf/1"]);
        check(r#"{"oneOf": [{}, {"type": "null"}]}"#, &["overlapping-branches /oneOf/1"]);
        check(r#"{"anyOf": [{"type": "integer"}, {"type": "number"}]}"#, &[]);
        check(r#"{"oneOf": [{"type": "integer", "maximum": 3}, {"type": "number", "minimum": 4}]}"#, &[]);
        check(r#"{"oneOf": [{"type": "string"}, {"type": ["number", "null"]}]}"#, &[]);
    }

    #[test]
    fn conditions_without_their_other_half() {
        check(r#"{"if": {"minLength": 1}}"#, &["condition-alone /if"]);
        check(
            r#"{"then": {"minLength": 1}, "else": {"minLength": 2}}"#,
            &["condition-alone /then", "condition-alone /else"],
        );
        check(r#"{"if": {"minLength": 1}, "else": {"maxLength": 2}}"#, &[]);
    }
}
