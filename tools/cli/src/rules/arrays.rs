//! Rules for keywords of arrays that have no effect, or not the one they have in another dialect.

use serde_json::Value;
use stanchion::Dialect;

use super::walk::Site;
use super::{Findings, ITEMS_ARRAY, NO_EFFECT, UNREACHABLE_ITEM};

pub(super) fn look(site: &Site<'_>, found: &mut Findings) {
    let is_tuple = site.get("items").is_some_and(Value::is_array);
    if is_tuple && site.dialect == Dialect::Draft202012 {
        found.push(
            &ITEMS_ARRAY,
            site.at(&["items"]),
            "an array in `items` is not a schema in 2020-12".to_owned(),
            "write `prefixItems`, and `items` for what was `additionalItems`; or name the dialect in `$schema`",
        );
    }
    if site.has("additionalItems") && !is_tuple && !site.is_hidden {
        let (message, suggestion) = match site.dialect {
            Dialect::Draft202012 => ("2020-12 has no `additionalItems`", "use `prefixItems` with `items`"),
            Dialect::Draft04 | Dialect::Draft06 | Dialect::Draft07 | Dialect::Draft201909 => {
                ("`additionalItems` does nothing unless `items` is an array", "remove it")
            }
        };
        let is_neutral = matches!(site.get("additionalItems"), Some(Value::Bool(true)));
        if !is_neutral {
            found.push(&NO_EFFECT, site.at(&["additionalItems"]), message.to_owned(), suggestion);
        }
    }
    for keyword in ["minContains", "maxContains"] {
        if site.has(keyword) && !site.has("contains") && site.dialect >= Dialect::Draft201909 {
            let message = format!("`{keyword}` does nothing without `contains`");
            found.push(
                &NO_EFFECT,
                site.at(&[keyword]),
                message,
                "add `contains`; the length of an array is `minItems` and `maxItems`",
            );
        }
    }
    unreachable(site, found);
}

/// Finds places of a tuple that no array reaches.
fn unreachable(site: &Site<'_>, found: &mut Findings) {
    let tuple = if site.dialect == Dialect::Draft202012 { "prefixItems" } else { "items" };
    let (Some(items), Some(most)) = (site.list(tuple), site.get("maxItems").and_then(Value::as_u64)) else {
        return;
    };
    if most < items.len() as u64 {
        found.push(
            &UNREACHABLE_ITEM,
            site.at(&[tuple, &most.to_string()]),
            format!("`maxItems` is {most}, so no array has an item here"),
            "raise `maxItems`, or remove what is beyond it",
        );
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::check;

    const DRAFT07: &str = r#""$schema": "http://json-schema.org/draft-07/schema#""#;

    #[test]
    fn tuples_of_another_dialect() {
        check(r#"{"items": [{"type": "string"}]}"#, &["items-array /items"]);
        check(&format!(r#"{{{DRAFT07}, "items": [true], "additionalItems": false}}"#), &[]);
    }

    #[test]
    fn keywords_that_do_nothing() {
        check(
            &format!(r#"{{{DRAFT07}, "items": true, "additionalItems": false}}"#),
            &["no-effect /additionalItems"],
        );
        check(r#"{"items": true, "additionalItems": {"type": "string"}}"#, &["no-effect /additionalItems"]);
        check(r#"{"minContains": 1}"#, &["no-effect /minContains"]);
        check(r#"{"contains": true, "minContains": 1}"#, &[]);
    }

    #[test]
    fn items_that_no_array_reaches() {
        check(r#"{"prefixItems": [true, true, true], "maxItems": 2}"#, &["unreachable-item /prefixItems/2"]);
        check(r#"{"prefixItems": [true, true], "maxItems": 2}"#, &[]);
    }
}
