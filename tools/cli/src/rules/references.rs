//! Rules for unused definitions, broken references in them, and keywords hidden by `$ref`.

use std::collections::BTreeSet;

use serde_json::Value;
use stanchion::Diagnosis;
use stanchion_vocab::Keyword;

use super::walk::{self, Site, Tree};
use super::{BROKEN_REFERENCE, Findings, REFERENCE_SIBLINGS, UNUSED_DEFINITION, words};

pub(super) fn look(tree: &Tree<'_>, diagnosis: &Diagnosis, found: &mut Findings) {
    for site in tree.sites().filter(|site| site.is_hidden) {
        hidden(site, found);
    }
    unused(tree, found);
    // Errors in other documents have no place in this text.
    for error in diagnosis.unreached().iter().filter(|error| error.document().is_empty()) {
        found.push(
            &BROKEN_REFERENCE,
            error.path().to_owned(),
            error.message(),
            "remove it: nothing leads there, or the schema would be refused",
        );
    }
}

/// Finds keywords that reject something, beside a `$ref` of draft-07 or before.
fn hidden(site: &Site<'_>, found: &mut Findings) {
    let is_heard = |name: &str| {
        name.starts_with('$') || matches!(name, "definitions" | "id" | "format") || walk::is_annotation(name)
    };
    let hidden: Vec<String> = site
        .keywords()
        .filter(|(name, _)| !is_heard(name) && Keyword::from_name(name).is_some())
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    if !hidden.is_empty() {
        found.push(
            &REFERENCE_SIBLINGS,
            site.at(&["$ref"]),
            format!("`$ref` hides {} beside it, up to draft-07", words::list(&hidden)),
            "put `$ref` into an `allOf`, or declare 2019-09 or later in `$schema`",
        );
    }
}

/// Finds definitions that no reference reaches from what is applied.
fn unused(tree: &Tree<'_>, found: &mut Findings) {
    // A document of definitions alone is a library for others; and a document with an address may
    // be referred to from outside.
    let is_library = |root: &Site<'_>| {
        let ours = |name: &str| {
            name.starts_with('$') && name != "$ref" || walk::is_annotation(name) || name == "definitions"
        };
        root.keywords().all(|(name, _)| ours(name) || Keyword::from_name(name).is_none())
    };
    let Some(root) = tree.sites().next() else { return };
    if is_library(root) || root.has("$id") || root.has("id") {
        return;
    }
    let Some(used) = reachable(tree) else { return };
    for (index, site) in tree.sites().enumerate() {
        let is_definition = matches!(site.under, Some(Keyword::Defs | Keyword::Definitions));
        let is_nested = site.parent.is_some_and(|parent| !used.contains(&parent));
        if is_definition && !is_nested && !used.contains(&index) {
            let name = site.pointer.rsplit('/').next().unwrap_or_default();
            found.push(
                &UNUSED_DEFINITION,
                site.pointer.clone(),
                format!("no reference leads to {}", words::name(name)),
                "remove it, or refer to it",
            );
        }
    }
}

/// Returns all subschemas that are applied from the root on, directly or by references; `None` if
/// that is unknown.
fn reachable(tree: &Tree<'_>) -> Option<BTreeSet<usize>> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); tree.sites().count()];
    for (index, site) in tree.sites().enumerate() {
        if let (Some(parent), false) =
            (site.parent, matches!(site.under, Some(Keyword::Defs | Keyword::Definitions)))
        {
            children[parent].push(index);
        }
    }
    let mut used = BTreeSet::new();
    let mut open = vec![0];
    while let Some(index) = open.pop() {
        if !used.insert(index) {
            continue;
        }
        open.extend(&children[index]);
        let site = tree.site(index);
        for keyword in ["$ref", "$dynamicRef", "$recursiveRef"] {
            let Some(reference) = site.get(keyword).and_then(Value::as_str) else { continue };
            let target = tree.follow(reference)?;
            open.push(target);
            // A reference into a definition uses it.
            let mut parent = tree.site(target).parent;
            while let Some(index) = parent {
                if matches!(tree.site(index).under, Some(Keyword::Defs | Keyword::Definitions)) {
                    open.push(index);
                }
                parent = tree.site(index).parent;
            }
        }
    }
    Some(used)
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::check;

    #[test]
    fn definitions_that_nothing_refers_to() {
        let schema = r##"{"properties": {"a": {"$ref": "#/$defs/a"}}, "$defs": {
            "a": {"items": {"$ref": "#/$defs/b/properties/c"}},
            "b": {"properties": {"c": true}},
            "d": {"$ref": "#/$defs/e"},
            "e": true
        }}"##;
        check(schema, &["unused-definition /$defs/d", "unused-definition /$defs/e"]);
    }

    #[test]
    fn broken_references_that_nothing_leads_to() {
        let schema = r##"{"type": "object", "$defs": {"a": {"$ref": "#/$defs/c"}, "b": {"allOf": [{"$ref": "#/$defs/b"}]}}}"##;
        check(
            schema,
            &[
                "unused-definition /$defs/a",
                "broken-reference /$defs/a/$ref",
                "unused-definition /$defs/b",
                "broken-reference /$defs/b/allOf/0/$ref",
            ],
        );
    }

    #[test]
    fn definitions_for_others() {
        check(
            r#"{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "T", "$defs": {"a": true}}"#,
            &[],
        );
        check(r#"{"$id": "https://example.com/a", "type": "object", "$defs": {"a": true}}"#, &[]);
        // The target is unknown here.
        check(r##"{"$ref": "other#/$defs/a", "$defs": {"a": true}}"##, &[]);
        let anchor = r##"{"items": {"$ref": "#here"}, "$defs": {"a": {"$anchor": "here"}}}"##;
        check(anchor, &[]);
    }

    #[test]
    fn keywords_that_a_reference_hides() {
        let schema = |dialect: &str| {
            format!(
                r##"{{"$schema": "{dialect}", "properties": {{"a": {{"$ref": "#/definitions/a", "minLength": 1, "title": "T"}}}},
                    "definitions": {{"a": true}}}}"##
            )
        };
        check(&schema("http://json-schema.org/draft-07/schema#"), &["reference-siblings /properties/a/$ref"]);
        check(&schema("https://json-schema.org/draft/2020-12/schema"), &[]);
    }
}
