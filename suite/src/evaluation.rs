//! The official tests of annotations and of output formats.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use stanchion::{Dialect, Evaluation, References, TapeNode, Validator, ValidatorBuilder};
use stanchion_vocab::pointer;

use crate::case::{self, Assertion, LoadError};
use crate::dialect::{folder, release};
use crate::official::Official;
use crate::runner::{Representation, failure, guarded};
use crate::tally::{Failure, Place, Tally};

/// A file of annotation tests.
#[derive(Deserialize)]
struct AnnotationFile {
    suite: Vec<AnnotationGroup>,
}

/// A schema for as many dialects as possible, and its tests.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnnotationGroup {
    /// The subject of the group.
    pub description: String,
    #[serde(default)]
    compatibility: String,
    /// The schema to compile.
    pub schema: Value,
    /// Documents to register with the builder.
    #[serde(default)]
    pub external_schemas: BTreeMap<String, Value>,
    /// Its tests.
    pub tests: Vec<AnnotationTest>,
}

/// An instance and the annotations that it must get.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnnotationTest {
    /// The instance, as it is written in the file.
    pub instance: Box<RawValue>,
    /// Annotations that must be there, or must not.
    pub assertions: Vec<Assertion>,
}

/// A schema and the tests of its output.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OutputGroup {
    description: String,
    schema: Value,
    tests: Vec<OutputTest>,
}

/// An instance and a schema for each output format.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OutputTest {
    description: String,
    data: Box<RawValue>,
    output: BTreeMap<String, Value>,
}

/// A failed assertion: the expected value and the actual one.
pub(crate) struct Mismatch {
    pub(crate) expected: String,
    pub(crate) got: String,
}

/// Returns the annotation tests for a dialect, with the names of their files.
///
/// # Errors
///
/// If a file cannot be read.
pub fn annotation_groups(
    official: &Official,
    dialect: Dialect,
) -> Result<Vec<(String, AnnotationGroup)>, LoadError> {
    let mut groups = Vec::new();
    for path in case::json_files(&official.path("annotations/tests"), false)? {
        let file: AnnotationFile = case::parse(&path)?;
        let name = format!("annotations/{}", path.file_name().unwrap_or_default().display());
        let fitting =
            file.suite.into_iter().filter(|group| is_compatible(&group.compatibility, release(dialect)));
        groups.extend(fitting.map(|group| (name.clone(), group)));
    }
    Ok(groups)
}

/// Runs the annotation tests for a dialect.
///
/// # Errors
///
/// If a file cannot be read.
pub fn run_annotations(official: &Official, dialect: Dialect) -> Result<Tally, LoadError> {
    let mut tally = Tally::default();
    for (name, group) in annotation_groups(official, dialect)? {
        let builder = Validator::builder().references(References::Bundled).dialect(dialect);
        let external = group.external_schemas.iter();
        let builder = external.fold(builder, |builder, (uri, schema)| builder.resource(uri, schema));
        let place = Place { file: name, group: group.description.clone(), test: String::new() };
        for test in &group.tests {
            let place = Place { test: test.instance.get().to_owned(), ..place.clone() };
            let check = |evaluation: &Evaluation| {
                let assertions = test.assertions.iter();
                assertions.filter_map(|assertion| check_assertion(evaluation, assertion).err()).collect()
            };
            tally.count(evaluate(&place, &builder, &group.schema, test.instance.get(), &check));
        }
    }
    Ok(tally)
}

/// Runs the output tests of a dialect; there are none for those before 2019-09.
///
/// # Errors
///
/// If a file cannot be read.
pub fn run_outputs(official: &Official, dialect: Dialect) -> Result<Tally, LoadError> {
    let mut tally = Tally::default();
    let base = official.path("output-tests").join(folder(dialect));
    if !base.is_dir() {
        return Ok(tally);
    }
    let output_schema: Value = case::parse(&base.join("output-schema.json"))?;
    let uri = output_schema.get("$id").and_then(Value::as_str).unwrap_or_default();
    let builder =
        Validator::builder().references(References::Bundled).dialect(dialect).resource(uri, &output_schema);
    for path in case::json_files(&base.join("content"), true)? {
        let groups: Vec<OutputGroup> = case::parse(&path)?;
        let file = format!("output-tests/{}", path.file_name().unwrap_or_default().display());
        for group in &groups {
            for test in &group.tests {
                let place = Place {
                    file: file.clone(),
                    group: group.description.clone(),
                    test: test.description.clone(),
                };
                let check = |evaluation: &Evaluation| {
                    let formats = test.output.iter();
                    formats
                        .filter_map(|(format, schema)| check_output(evaluation, &builder, format, schema))
                        .collect()
                };
                tally.count(evaluate(&place, &builder, &group.schema, test.data.get(), &check));
            }
        }
    }
    Ok(tally)
}

/// Evaluates an instance in every representation that can be evaluated, optimized and not, and
/// checks each result.
fn evaluate(
    place: &Place,
    builder: &ValidatorBuilder,
    schema: &Value,
    text: &str,
    check: &dyn Fn(&Evaluation) -> Vec<Mismatch>,
) -> Vec<Failure> {
    let run = || {
        let mut failures = Vec::new();
        for optimize in [true, false] {
            let optimizer = if optimize { "optimized" } else { "plain" };
            let validator = match builder.clone().optimize(optimize).build(schema) {
                Ok(validator) => validator,
                Err(error) => {
                    failures.push(failure(place, &format!("compile, {optimizer}"), "a validator", &error));
                    continue;
                }
            };
            let value: Value = serde_json::from_str(text).expect("a raw value is JSON");
            let mut bytes = text.as_bytes().to_vec();
            let tape = simd_json::to_tape(&mut bytes).expect("a raw value is JSON");
            let evaluations = [
                (Representation::Value, validator.evaluate(&value)),
                (Representation::Tape, validator.evaluate(TapeNode::from(&tape))),
            ];
            for (representation, evaluation) in &evaluations {
                for mismatch in check(evaluation) {
                    let entry_point = format!("{representation:?}, {optimizer}, evaluate");
                    failures.push(Failure {
                        representation: Some(*representation),
                        ..failure(place, &entry_point, &mismatch.expected, &mismatch.got)
                    });
                }
            }
        }
        failures
    };
    guarded(run).unwrap_or_else(|panic| vec![failure(place, "any", "an evaluation", &panic)])
}

/// Checks an assertion against an evaluation.
pub(crate) fn check_assertion(evaluation: &Evaluation, assertion: &Assertion) -> Result<(), Mismatch> {
    let mut found: BTreeMap<&str, &Value> = BTreeMap::new();
    for annotation in evaluation.annotations() {
        if annotation.instance_path() == assertion.location && annotation.keyword() == assertion.keyword {
            found.insert(annotation.schema_path(), annotation.value());
        }
    }
    let expected = assertion.expected.iter();
    let expected: BTreeMap<String, &Value> =
        expected.map(|(location, value)| (percent_decode(location.trim_start_matches('#')), value)).collect();
    if expected
        .iter()
        .map(|(path, value)| (path.as_str(), *value))
        .eq(found.iter().map(|(path, value)| (*path, *value)))
    {
        return Ok(());
    }
    let Assertion { location, keyword, .. } = assertion;
    Err(Mismatch { expected: format!("{keyword} at {location:?}: {expected:?}"), got: format!("{found:?}") })
}

/// Validates one output format against the schema that the test has for it.
fn check_output(
    evaluation: &Evaluation,
    builder: &ValidatorBuilder,
    format: &str,
    schema: &Value,
) -> Option<Mismatch> {
    let output = match format {
        "flag" => evaluation.flag(),
        "basic" => evaluation.basic(),
        "detailed" => evaluation.detailed(),
        "verbose" => evaluation.verbose(),
        "list" => evaluation.list(),
        "hierarchical" => evaluation.hierarchical(),
        unknown => return Some(Mismatch { expected: "a known format".to_owned(), got: unknown.to_owned() }),
    };
    let error = match builder.build(schema) {
        Ok(validator) => validator.validate(&output).err()?.to_string(),
        Err(error) => error.to_string(),
    };
    Some(Mismatch {
        expected: format!("{format} output as the test's schema wants it"),
        got: format!("{output} ({error})"),
    })
}

/// Whether a release meets all constraints of a `compatibility`: `7`, `<=2019`, `=2020`, `6,<=2019`.
fn is_compatible(compatibility: &str, release: u32) -> bool {
    compatibility.split(',').map(str::trim).filter(|constraint| !constraint.is_empty()).all(|constraint| {
        let number = |text: &str| text.parse::<u32>().ok();
        match (constraint.strip_prefix("<="), constraint.strip_prefix('=')) {
            (Some(last), _) => number(last).is_some_and(|last| release <= last),
            (None, Some(only)) => number(only) == Some(release),
            (None, None) => number(constraint).is_some_and(|first| release >= first),
        }
    })
}

/// Decodes the percent escapes of a URI fragment. Text that is malformed, or not UTF-8 once
/// decoded, is returned unchanged.
pub(crate) fn percent_decode(text: &str) -> String {
    pointer::decode_fragment(text).unwrap_or(Cow::Borrowed(text)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compatibility_is_a_list_of_constraints() {
        for (compatibility, release, expected) in [
            ("", 4, true),
            ("7", 7, true),
            ("7", 6, false),
            ("<=2019", 2019, true),
            ("<=2019", 2020, false),
            ("=2020", 2020, true),
            ("=2020", 2019, false),
            ("6,<=2019", 7, true),
            ("6,<=2019", 4, false),
            ("9999", 2020, false),
        ] {
            assert_eq!(is_compatible(compatibility, release), expected, "{compatibility:?} and {release}");
        }
    }

    #[test]
    fn fragments_are_decoded() {
        for (encoded, decoded) in [
            ("/a", "/a"),
            ("/%5Ea", "/^a"),
            ("/%C3%A9", "/é"),
            ("/%", "/%"),
            ("/%zz", "/%zz"),
            ("/%ff", "/%ff"),
        ] {
            assert_eq!(percent_decode(encoded), decoded);
        }
    }
}
