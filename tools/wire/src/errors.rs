//! Errors of an instance as JSON: a list of objects with the members that users of Ajv know.
//!
//! ```json
//! {"instancePath": "/days", "schemaPath": "#/properties/days/minimum", "keyword": "minimum",
//!  "params": {"comparison": ">=", "limit": 1, "found": "0"}, "message": "0 is less than the minimum 1"}
//! ```

use crate::json::JsonText;
use crate::options::Wording;
use stanchion::{Branch, ErrorKind, Errors, Exhausted, TextError, Type, TypeSet, ValidationError};

/// An answer longer than this leaves out the errors of further branches of unions.
const LONG_ANSWER: usize = 256 << 10;

/// How much to say about each error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// The members that Ajv has.
    Usual,
    /// Also `evaluationPath`, `absoluteLocation`, and `union` where the error is one of a branch.
    Full,
}

/// Writes a list of errors. If there are more than these, a last one says so.
pub(crate) fn list(json: &mut JsonText, errors: &Errors, wording: &Wording, detail: Detail) {
    json.array(|json| {
        for found in errors.as_slice() {
            error(json, found, wording, detail);
        }
        if errors.is_cut() {
            closing(json, "errors", "there are more errors than these");
        }
    });
}

/// Writes a list with the one error of a text that is not JSON.
pub(crate) fn not_json(json: &mut JsonText, found: &TextError) {
    let message = found.to_string();
    json.array(|json| {
        json.object(|json| {
            head(json, "", "#", "");
            json.name("params").object(|json| {
                json.name("line").number(found.line() as u64);
                json.name("column").number(found.column() as u64);
            });
            json.name("message").string(&message);
        });
    });
}

/// Writes an entry that is no error of the instance, but says why the list ends here.
fn closing(json: &mut JsonText, exhausted: &str, message: &str) {
    json.object(|json| {
        head(json, "", "#", "");
        json.name("params").object(|json| json.name("exhausted").string(exhausted));
        json.name("message").string(message);
    });
}

fn head(json: &mut JsonText, instance_path: &str, schema_path: &str, keyword: &str) {
    json.name("instancePath").string(instance_path);
    json.name("schemaPath").string(schema_path);
    json.name("keyword").string(keyword);
}

/// Writes one error.
pub(crate) fn error(json: &mut JsonText, error: &ValidationError, wording: &Wording, detail: Detail) {
    if let Some(exhausted) = error.exhausted() {
        return closing(json, exhausted_name(exhausted), &exhausted.to_string());
    }
    json.object(|json| {
        let schema_path = ["#", error.schema_path()].concat();
        head(json, error.instance_path(), &schema_path, error.keyword());
        json.name("params").object(|json| params(json, error, wording));
        json.name("message").string(&wording.messages.message(error));
        if detail == Detail::Full {
            json.name("evaluationPath").string(error.evaluation_path());
            json.name("absoluteLocation").string(error.absolute_location());
            if let Some(union) = error.union() {
                json.name("union");
                self::error(json, &union, wording, Detail::Usual);
            }
        }
    });
}

/// The name of what ran out.
pub(crate) fn exhausted_name(exhausted: Exhausted) -> &'static str {
    match exhausted {
        Exhausted::Steps => "steps",
        Exhausted::Depth => "depth",
        Exhausted::Memory => "memory",
        Exhausted::Number => "number",
        _ => "other",
    }
}

/// Writes the facts of an error: first those that Ajv has, under Ajv's names.
fn params(json: &mut JsonText, error: &ValidationError, wording: &Wording) {
    match error.kind() {
        ErrorKind::Never { name: Some(name) } => json.name("property").string(name),
        ErrorKind::UnknownProperty { name, suggestion } => {
            let is_unevaluated = error.keyword() == "unevaluatedProperties";
            json.name(if is_unevaluated { "unevaluatedProperty" } else { "additionalProperty" }).string(name);
            suggested(json, suggestion.as_deref());
        }
        ErrorKind::UnexpectedItem { index } => json.name("index").number(*index as u64),
        ErrorKind::Type { expected, found, value } => {
            types(json.name("type"), *expected);
            json.name("foundType").string(found.name());
            wording.found(json, value);
        }
        ErrorKind::Const { found, expected } => {
            json.name("allowedValue").value(expected);
            wording.found(json, found);
        }
        ErrorKind::Enum { found, expected, suggestion } => {
            json.name("allowedValues").array(|json| expected.iter().for_each(|value| json.value(value)));
            wording.found(json, found);
            suggested(json, suggestion.as_deref());
        }
        ErrorKind::Minimum { limit, found } => bound(json, ">=", limit, found, wording),
        ErrorKind::Maximum { limit, found } => bound(json, "<=", limit, found, wording),
        ErrorKind::ExclusiveMinimum { limit, found } => bound(json, ">", limit, found, wording),
        ErrorKind::ExclusiveMaximum { limit, found } => bound(json, "<", limit, found, wording),
        ErrorKind::MultipleOf { divisor, found } => {
            json.name("multipleOf").raw(divisor);
            wording.found(json, found);
        }
        ErrorKind::MinLength { limit, found, value } | ErrorKind::MaxLength { limit, found, value } => {
            count(json, *limit, *found);
            wording.found(json, value);
        }
        ErrorKind::Pattern { pattern, found } => {
            json.name("pattern").string(pattern);
            wording.found(json, found);
        }
        ErrorKind::Format { format, found } => {
            json.name("format").string(format);
            wording.found(json, found);
        }
        ErrorKind::Content { expected } => json.name("content").string(expected),
        ErrorKind::MinItems { limit, found }
        | ErrorKind::MaxItems { limit, found }
        | ErrorKind::MinProperties { limit, found }
        | ErrorKind::MaxProperties { limit, found } => count(json, *limit, *found),
        ErrorKind::UniqueItems { equal } => {
            json.name("i").number(equal.1 as u64);
            json.name("j").number(equal.0 as u64);
        }
        ErrorKind::Contains { least, most, found } => {
            json.name("minContains").number(*least);
            if let Some(most) = most {
                json.name("maxContains").number(*most);
            }
            json.name("count").number(*found);
        }
        ErrorKind::Required { missing, misspelt } => {
            missed(json, missing);
            if !misspelt.is_empty() {
                json.name("misspelled").array(|json| {
                    for (written, meant) in misspelt {
                        json.object(|json| {
                            json.name("found").string(written);
                            json.name("suggestion").string(meant);
                        });
                    }
                });
            }
        }
        ErrorKind::DependentRequired { name, missing } => {
            json.name("property").string(name);
            missed(json, missing);
        }
        ErrorKind::PropertyNames { name, errors } => {
            json.name("propertyName").string(name);
            nested(json, errors, wording);
        }
        ErrorKind::AnyOf { branches } => self::branches(json, branches, wording),
        ErrorKind::OneOf { accepted, branches } => {
            json.name("passingSchemas");
            match accepted[..] {
                [] => json.raw("null"),
                _ => json.array(|json| accepted.iter().for_each(|index| json.number(*index as u64))),
            }
            self::branches(json, branches, wording);
        }
        ErrorKind::Exhausted(exhausted) => json.name("exhausted").string(exhausted_name(*exhausted)),
        // There are no facts, or a later version has some that nobody named.
        ErrorKind::Never { name: None } | ErrorKind::Not | _ => {}
    }
}

fn suggested(json: &mut JsonText, suggestion: Option<&str>) {
    if let Some(suggestion) = suggestion {
        json.name("suggestion").string(suggestion);
    }
}

/// A type by its name, several as a list.
fn types(json: &mut JsonText, expected: TypeSet) {
    let mut names = expected.iter().map(Type::name);
    match (names.next(), names.next()) {
        (Some(only), None) => json.string(only),
        (first, second) => json.strings(first.into_iter().chain(second).chain(names)),
    }
}

fn bound(json: &mut JsonText, comparison: &str, limit: &str, found: &str, wording: &Wording) {
    json.name("comparison").string(comparison);
    json.name("limit").raw(limit);
    wording.found(json, found);
}

fn count(json: &mut JsonText, limit: u64, found: u64) {
    json.name("limit").number(limit);
    json.name("count").number(found);
}

fn missed(json: &mut JsonText, missing: &[String]) {
    json.name("missingProperty").string(missing.first().map_or("", String::as_str));
    json.name("missing").strings(missing.iter().map(String::as_str));
}

fn branches(json: &mut JsonText, branches: &[Branch], wording: &Wording) {
    if branches.is_empty() {
        return;
    }
    json.name("branches").array(|json| {
        for branch in branches {
            json.object(|json| {
                json.name("index").number(branch.index() as u64);
                nested(json, branch.errors(), wording);
            });
        }
    });
}

/// Writes errors inside of another, unless the answer is long already.
fn nested(json: &mut JsonText, errors: &[ValidationError], wording: &Wording) {
    if json.len() > LONG_ANSWER {
        return;
    }
    json.name("errors").array(|json| {
        for inner in errors {
            error(json, inner, wording, Detail::Usual);
        }
    });
}
