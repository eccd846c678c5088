//! Words that are nearly a keyword or a format, as the engine tells them.

use stanchion::{Diagnosis, SchemaWarningKind};

use super::{Findings, MISSPELT_KEYWORD, UNKNOWN_FORMAT, words};

/// Formats that others define, and that generators write: those of the OpenAPI registry, and of common libraries.
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

/// What the engine warns of, but for what rules of ours say with more words.
pub(super) fn look(diagnosis: &Diagnosis, found: &mut Findings) {
    // What stands in a resource has no place in the text at hand.
    for warning in diagnosis.warnings().iter().filter(|warning| warning.document().is_empty()) {
        let place = warning.path().to_owned();
        match warning.kind() {
            SchemaWarningKind::MisspeltKeyword { name, suggestion } => {
                let message = format!("{} is no keyword, and is ignored", words::name(name));
                found.push(
                    &MISSPELT_KEYWORD,
                    place,
                    message,
                    format!("did you mean {}?", words::name(suggestion)),
                );
            }
            SchemaWarningKind::UnknownFormat { name, suggestion } => {
                if let Some(advice) = of_format(name, suggestion.as_deref()) {
                    let message =
                        format!("nobody defines the format {}, so it says nothing", words::name(name));
                    found.push(&UNKNOWN_FORMAT, place, message, advice);
                }
            }
            // Rules of ours say these with more words.
            SchemaWarningKind::OtherDialect { .. } | SchemaWarningKind::HiddenByReference { .. } => {}
            // What the engine may come to warn of needs a rule first.
            _ => {}
        }
    }
}

/// What to do about a format; nothing, if it is one that others define.
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
