//! Rules for keywords that the schema's dialect does not have: they are ignored.

use stanchion::Dialect;
use stanchion_vocab::Keyword;

use super::walk::Site;
use super::{Findings, OTHER_DIALECT};

pub(super) fn look(site: &Site<'_>, found: &mut Findings) {
    for (name, _) in site.keywords() {
        let Some(keyword) = Keyword::from_name(name) else { continue };
        if site.dialect.subschemas(keyword).is_some() || !matters(keyword) {
            continue;
        }
        let row = keyword.row();
        let (when, since) =
            if site.dialect < row.since { ("is newer", row.since) } else { ("was removed", row.until) };
        let message = format!("`{name}` {when}: {} does not have this keyword and ignores it", site.dialect);
        found.push(&OTHER_DIALECT, site.at(&[name]), message, advice(keyword, since));
    }
}

/// Returns the keyword to use in this dialect, or the dialect to declare.
fn advice(keyword: Keyword, dialect: Dialect) -> String {
    const OTHERS: [(Keyword, &str); 4] = [
        (Keyword::Const, "write `enum` with one value"),
        (Keyword::DependentRequired, "write `dependencies`"),
        (Keyword::DependentSchemas, "write `dependencies`"),
        (Keyword::PrefixItems, "write `items` with an array"),
    ];
    let other = OTHERS.into_iter().find(|(known, _)| *known == keyword).map(|(_, advice)| advice);
    let declare = format!("declare {} in `$schema`", dialect);
    other.map_or_else(|| declare.clone(), |other| format!("{other}, or {declare}"))
}

/// Whether ignoring a keyword changes a verdict. `additionalItems` has a rule of its own.
fn matters(keyword: Keyword) -> bool {
    !matches!(
        keyword,
        Keyword::Schema
            | Keyword::Id
            | Keyword::LegacyId
            | Keyword::Vocabulary
            | Keyword::Comment
            | Keyword::Defs
            | Keyword::Definitions
            | Keyword::AdditionalItems
            | Keyword::ContentEncoding
            | Keyword::ContentMediaType
            | Keyword::ContentSchema
            | Keyword::Deprecated
            | Keyword::ReadOnly
            | Keyword::WriteOnly
            | Keyword::Examples
    )
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::check;

    #[test]
    fn keywords_of_a_later_dialect() {
        check(
            r#"{"$schema": "http://json-schema.org/draft-07/schema#", "prefixItems": [true], "unevaluatedProperties": false}"#,
            &["other-dialect /prefixItems", "other-dialect /unevaluatedProperties"],
        );
        check(
            r#"{"$schema": "http://json-schema.org/draft-04/schema#", "const": 1}"#,
            &["other-dialect /const"],
        );
    }

    #[test]
    fn keywords_that_do_no_harm() {
        check(
            r#"{"$schema": "http://json-schema.org/draft-07/schema#", "type": "object", "$defs": {}, "deprecated": true, "id": "x"}"#,
            &[],
        );
    }
}
