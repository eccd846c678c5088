//! Rules for words that are close to a keyword or a format, from the engine's warnings.

use stanchion::{Diagnosis, SchemaWarningKind};

use super::{Findings, MISSPELT_KEYWORD, UNKNOWN_FORMAT, words};

/// Formats that others define, and that generators write: those of the OpenAPI registry, and of
/// common libraries.
const OF_OTHERS: [&str; 40] = [
    "base64url",
    "binary",
    "byte",
    "char",
    "cidr",
    "cuid",
    "cuid2",
    "commonmark",
    "currency",
    "date-time-local",
    "decimal",
    "decimal128",
    "double",
    "double-int",
    "emoji",
    "file",
    "float",
    "html",
    "http-date",
    "int16",
    "int32",
    "int64",
    "int8",
    "json-string",
    "jwt",
    "media-range",
    "nanoid",
    "password",
    "path",
    "phone",
    "sf-string",
    "sf-token",
    "time-local",
    "textarea",
    "uint16",
    "uint32",
    "uint64",
    "uint8",
    "ulid",
    "xml",
];

/// Adds the engine's warnings, except those that other rules report with more detail.
pub(super) fn look(diagnosis: &Diagnosis, found: &mut Findings) {
    // Warnings in resources have no place in this text.
    for warning in diagnosis.warnings().iter().filter(|warning| warning.document().is_empty()) {
        let place = warning.path().to_owned();
        match warning.kind() {
            SchemaWarningKind::MisspeltKeyword { name, suggestion } => {
                let message = format!("{} is not a keyword and is ignored", words::name(name));
                found.push(
                    &MISSPELT_KEYWORD,
                    place,
                    message,
                    format!("did you mean {}?", words::name(suggestion)),
                );
            }
            SchemaWarningKind::UnknownFormat { name, suggestion } => {
                if let Some(advice) = of_format(name, suggestion.as_deref()) {
                    let message = format!(
                        "no specification defines the format {}, so it has no effect",
                        words::name(name)
                    );
                    found.push(&UNKNOWN_FORMAT, place, message, advice);
                }
            }
            // Other rules report these with more detail.
            SchemaWarningKind::OtherDialect { .. } | SchemaWarningKind::HiddenByReference { .. } => {}
            // A new warning of the engine needs a rule first.
            _ => {}
        }
    }
}

/// Returns what to do about a format; `None` if others define it.
fn of_format(name: &str, suggestion: Option<&str>) -> Option<String> {
    if OF_OTHERS.contains(&name) {
        return None;
    }
    Some(match suggestion {
        Some(suggestion) => format!("did you mean {}?", words::name(suggestion)),
        None => "remove it, or say it with `pattern`".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::check;
    use stanchion_vocab::format;

    #[test]
    fn keywords_that_are_misspelt() {
        check(
            r#"{"requried": ["a"], "properties": {"a": {"minLenght": 1}}}"#,
            &["misspelt-keyword /requried", "misspelt-keyword /properties/a/minLenght"],
        );
        check(
            r#"{"x-requried": 1, "nullable": true, "markdownDescription": "M", "properties": {"requried": true}}"#,
            &[],
        );
    }

    #[test]
    fn formats_that_nobody_defines() {
        check(r#"{"items": {"format": "emial"}}"#, &["unknown-format /items/format"]);
        check(r#"{"items": {"format": "date-time"}, "contains": {"format": "int64"}}"#, &[]);
    }

    #[test]
    fn formats_of_others_are_not_ours() {
        assert!(OF_OTHERS.iter().all(|name| format::check(name).is_none()));
    }
}
