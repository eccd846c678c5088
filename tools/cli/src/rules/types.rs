//! Rules for keywords without effect: they apply to a type that `type` beside them excludes.

use serde_json::Value;
use stanchion::TypeSet;
use stanchion_vocab::{Keyword, Type};

use super::walk::{self, Site};
use super::{Findings, WRONG_TYPE, words};

pub(super) fn look(site: &Site<'_>, found: &mut Findings) {
    let Some(types) = walk::types(site.value) else { return };
    for (name, value) in site.keywords() {
        let Some(keyword) = Keyword::from_name(name) else { continue };
        let Some(kind) = speaks_of(keyword) else { continue };
        let concerned = TypeSet::NONE.with(kind);
        if site.dialect.subschemas(keyword).is_none() || !types.and(concerned).is_empty() || is_neutral(value)
        {
            continue;
        }
        let wanted = kind.name();
        found.push(
            &WRONG_TYPE,
            site.at(&[name]),
            format!("`{name}` is about {wanted}s, and `type` leaves {} only", words::types(types)),
            format!("remove `{name}`, or let `type` include \"{wanted}\""),
        );
    }
}

/// Returns the only type to which a keyword applies.
fn speaks_of(keyword: Keyword) -> Option<Type> {
    use Keyword as K;
    let strings = [K::MinLength, K::MaxLength, K::Pattern];
    let numbers = [K::Minimum, K::Maximum, K::ExclusiveMinimum, K::ExclusiveMaximum, K::MultipleOf];
    let arrays = [
        K::Items,
        K::PrefixItems,
        K::AdditionalItems,
        K::Contains,
        K::MinItems,
        K::MaxItems,
        K::UniqueItems,
        K::UnevaluatedItems,
    ];
    let objects = [
        K::Properties,
        K::PatternProperties,
        K::AdditionalProperties,
        K::PropertyNames,
        K::Required,
        K::MinProperties,
        K::MaxProperties,
        K::DependentRequired,
        K::DependentSchemas,
        K::Dependencies,
        K::UnevaluatedProperties,
    ];
    let families = [
        (&strings[..], Type::String),
        (&numbers[..], Type::Number),
        (&arrays[..], Type::Array),
        (&objects[..], Type::Object),
    ];
    families.into_iter().find(|(keywords, _)| keywords.contains(&keyword)).map(|(_, kind)| kind)
}

/// Whether a value has no effect for most keywords, as generators write it.
fn is_neutral(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(_) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(map) => map.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::check;

    #[test]
    fn a_keyword_of_another_type() {
        check(r#"{"type": "number", "minLength": 1}"#, &["wrong-type /minLength"]);
        check(r#"{"type": ["string", "null"], "items": {"type": "string"}}"#, &["wrong-type /items"]);
        check(r#"{"type": "string", "required": ["a"]}"#, &["wrong-type /required"]);
    }

    #[test]
    fn a_keyword_that_may_matter() {
        check(r#"{"type": ["string", "number"], "minLength": 1, "minimum": 2}"#, &[]);
        check(r#"{"type": "integer", "minimum": 2}"#, &[]);
        check(r#"{"minLength": 1, "minimum": 2}"#, &[]);
        // Written by generators, without effect.
        check(
            r#"{"type": "string", "additionalProperties": false, "properties": {}, "uniqueItems": false}"#,
            &[],
        );
        // Not a keyword of the dialect: another rule reports it.
        check(
            r#"{"$schema": "http://json-schema.org/draft-06/schema#", "type": "string", "if": {"a": ["b"]}}"#,
            &["other-dialect /if"],
        );
    }
}
