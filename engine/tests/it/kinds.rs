//! Every kind of error, with all of its facts. A kind that is new belongs into the table of its test, which fails without it;
//! a field that is new does not compile here.

use serde_json::{Value, json};
use stanchion::{
    Branch, Dialect, ErrorKind, Limits, References, SchemaErrorKind, ValidationError, Validator,
    ValidatorBuilder,
};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The name of a kind, and its facts in the order of its fields.
#[allow(clippy::wildcard_enum_match_arm, reason = "the enum is not exhaustive, and the others fail")]
fn facts(kind: &ErrorKind) -> (&'static str, Value) {
    let errors =
        |errors: &[ValidationError]| -> Vec<String> { errors.iter().map(ToString::to_string).collect() };
    let branches = |branches: &[Branch]| -> Value {
        branches.iter().map(|branch| json!([branch.index(), errors(branch.errors())])).collect()
    };
    match kind {
        ErrorKind::Never { name } => ("Never", json!([name])),
        ErrorKind::UnknownProperty { name, suggestion } => ("UnknownProperty", json!([name, suggestion])),
        ErrorKind::UnexpectedItem { index } => ("UnexpectedItem", json!([index])),
        ErrorKind::Type { expected, found, value } => {
            ("Type", json!([expected.to_string(), format!("{found:?}"), value]))
        }
        ErrorKind::Const { found, expected } => ("Const", json!([found, expected])),
        ErrorKind::Enum { found, expected, suggestion } => ("Enum", json!([found, expected, suggestion])),
        ErrorKind::Minimum { limit, found } => ("Minimum", json!([limit, found])),
        ErrorKind::Maximum { limit, found } => ("Maximum", json!([limit, found])),
        ErrorKind::ExclusiveMinimum { limit, found } => ("ExclusiveMinimum", json!([limit, found])),
        ErrorKind::ExclusiveMaximum { limit, found } => ("ExclusiveMaximum", json!([limit, found])),
        ErrorKind::MultipleOf { divisor, found } => ("MultipleOf", json!([divisor, found])),
        ErrorKind::MinLength { limit, found, value } => ("MinLength", json!([limit, found, value])),
        ErrorKind::MaxLength { limit, found, value } => ("MaxLength", json!([limit, found, value])),
        ErrorKind::Pattern { pattern, found } => ("Pattern", json!([pattern, found])),
        ErrorKind::Format { format, found } => ("Format", json!([format, found])),
        ErrorKind::Content { expected } => ("Content", json!([expected])),
        ErrorKind::MinItems { limit, found } => ("MinItems", json!([limit, found])),
        ErrorKind::MaxItems { limit, found } => ("MaxItems", json!([limit, found])),
        ErrorKind::UniqueItems { equal } => ("UniqueItems", json!([equal])),
        ErrorKind::Contains { least, most, found } => ("Contains", json!([least, most, found])),
        ErrorKind::MinProperties { limit, found } => ("MinProperties", json!([limit, found])),
        ErrorKind::MaxProperties { limit, found } => ("MaxProperties", json!([limit, found])),
        ErrorKind::Required { missing, misspelt } => ("Required", json!([missing, misspelt])),
        ErrorKind::DependentRequired { name, missing } => ("DependentRequired", json!([name, missing])),
        ErrorKind::PropertyNames { name, errors: found } => ("PropertyNames", json!([name, errors(found)])),
        ErrorKind::AnyOf { branches: found } => ("AnyOf", json!([branches(found)])),
        ErrorKind::OneOf { accepted, branches: found } => ("OneOf", json!([accepted, branches(found)])),
        ErrorKind::Not => ("Not", json!([])),
        ErrorKind::Exhausted(exhausted) => ("Exhausted", json!([exhausted.to_string()])),
        other => panic!("a kind that this table does not know: {other:?}"),
    }
}

#[test]
fn every_kind_of_error() {
    let union = json!([{"type": "string", "minLength": 2}, {"type": "integer"}]);
    let table: &[(Value, Value, &str, Value)] = &[
        (json!(false), json!(1), "Never", json!([null])),
        (json!({"properties": {"a": false}}), json!({"a": 1}), "Never", json!(["a"])),
        (
            json!({"properties": {"colour": {}}, "additionalProperties": false}),
            json!({"color": 1}),
            "UnknownProperty",
            json!(["color", "colour"]),
        ),
        (json!({"prefixItems": [{}], "items": false}), json!([1, 2]), "UnexpectedItem", json!([1])),
        (json!({"type": ["string", "null"]}), json!(5), "Type", json!(["null string", "Integer", "5"])),
        (json!({"const": {"a": 1}}), json!([]), "Const", json!(["[]", {"a": 1}])),
        (
            json!({"enum": ["red", "green"]}),
            json!("gren"),
            "Enum",
            json!(["\"gren\"", ["red", "green"], "green"]),
        ),
        (json!({"minimum": 1.5}), json!(1), "Minimum", json!(["1.5", "1"])),
        (json!({"maximum": 3}), json!(4), "Maximum", json!(["3", "4"])),
        (json!({"exclusiveMinimum": 3}), json!(3), "ExclusiveMinimum", json!(["3", "3"])),
        (json!({"exclusiveMaximum": 3}), json!(3), "ExclusiveMaximum", json!(["3", "3"])),
        (json!({"multipleOf": 0.1}), json!(0.25), "MultipleOf", json!(["0.1", "0.25"])),
        (json!({"minLength": 3}), json!("ä"), "MinLength", json!([3, 1, "\"ä\""])),
        (json!({"maxLength": 1}), json!("äö"), "MaxLength", json!([1, 2, "\"äö\""])),
        (json!({"pattern": "^a"}), json!("b"), "Pattern", json!(["^a", "\"b\""])),
        (json!({"format": "date"}), json!("today"), "Format", json!(["date", "\"today\""])),
        (
            json!({"$schema": "http://json-schema.org/draft-07/schema#", "contentMediaType": "application/json"}),
            json!("{"),
            "Content",
            json!(["JSON"]),
        ),
        (json!({"minItems": 2}), json!([1]), "MinItems", json!([2, 1])),
        (json!({"maxItems": 1}), json!([1, 2]), "MaxItems", json!([1, 2])),
        (json!({"uniqueItems": true}), json!([3, 1, 2, 1.0]), "UniqueItems", json!([[1, 3]])),
        (
            json!({"contains": {"const": 1}, "minContains": 2, "maxContains": 3}),
            json!([1, 2]),
            "Contains",
            json!([2, 3, 1]),
        ),
        (json!({"contains": {"const": 1}}), json!([2]), "Contains", json!([1, null, 0])),
        (json!({"minProperties": 1}), json!({}), "MinProperties", json!([1, 0])),
        (json!({"maxProperties": 0}), json!({"a": 1}), "MaxProperties", json!([0, 1])),
        (json!({"required": ["a", "b"]}), json!({"c": 1}), "Required", json!([["a", "b"], null])),
        (
            json!({"properties": {"colour": {}}, "required": ["colour"]}),
            json!({"color": 1}),
            "Required",
            json!([["colour"], ["color", "colour"]]),
        ),
        (
            json!({"dependentRequired": {"a": ["b", "c"]}}),
            json!({"a": 1, "c": 1}),
            "DependentRequired",
            json!(["a", ["b"]]),
        ),
        (
            json!({"propertyNames": {"maxLength": 2}}),
            json!({"long": 1}),
            "PropertyNames",
            json!(["long", ["expected at most 2 characters, found 4"]]),
        ),
        (json!({"anyOf": union}), json!("a"), "AnyOf", json!(null)),
        (json!({"oneOf": union}), json!(null), "OneOf", json!(null)),
        (json!({"oneOf": [{"minimum": 1}, {"maximum": 5}]}), json!(3), "OneOf", json!([[0, 1], []])),
        (json!({"not": {"type": "string"}}), json!("a"), "Not", json!([])),
    ];
    let (mut seen, mut wrong) = (BTreeSet::new(), String::new());
    for (schema, instance, name, expected) in table {
        let validator = Validator::builder().assert_formats(true).build(schema).expect("a schema");
        let errors: Vec<(&str, Value)> =
            validator.iter_errors(instance).as_slice().iter().map(|error| facts(error.kind())).collect();
        // What is in the branches of a union is another test's business.
        let is_there =
            errors.iter().any(|(found, facts)| found == name && (expected.is_null() || facts == expected));
        if !is_there {
            wrong += &format!("\n{schema} on {instance}: {name} {expected} is not in {errors:?}");
        }
        seen.insert((*name).to_owned());
    }
    let hurried =
        Validator::builder().limits(Limits::default().steps(3)).build(&json!({"uniqueItems": true}));
    let hurried = hurried.expect("a schema");
    let error = hurried.validate(&json!([1, 2, 3, 4, 5, 6, 7, 8, 9])).expect_err("no steps left");
    assert_eq!(facts(error.kind()).0, "Exhausted");
    seen.insert("Exhausted".to_owned());
    assert_eq!(seen, variants("ErrorKind"));
}

/// The name of a kind, and its facts in the order of its fields.
#[allow(clippy::wildcard_enum_match_arm, reason = "the enum is not exhaustive, and the others fail")]
fn schema_facts(kind: &SchemaErrorKind) -> (&'static str, Value) {
    match kind {
        SchemaErrorKind::Expected { wanted, found, suggestion } => {
            ("Expected", json!([wanted, found, suggestion]))
        }
        SchemaErrorKind::Outside { reference } => ("Outside", json!([reference])),
        SchemaErrorKind::Unresolved { reference, why, suggestion } => {
            ("Unresolved", json!([reference, !why.is_empty(), suggestion]))
        }
        SchemaErrorKind::Ring { reference } => ("Ring", json!([reference])),
        SchemaErrorKind::Pattern { pattern, why } => ("Pattern", json!([pattern, !why.is_empty()])),
        SchemaErrorKind::Dialect { uri } => ("Dialect", json!([uri])),
        SchemaErrorKind::Vocabulary { uri } => ("Vocabulary", json!([uri])),
        SchemaErrorKind::Exponent => ("Exponent", json!([])),
        SchemaErrorKind::Duplicate { what, name } => ("Duplicate", json!([!what.is_empty(), name])),
        SchemaErrorKind::Limit { limit, name, .. } => ("Limit", json!([limit, name])),
        SchemaErrorKind::ResourcesNotUsed { uri } => ("ResourcesNotUsed", json!([uri])),
        other => panic!("a kind that this table does not know: {other:?}"),
    }
}

#[test]
fn every_kind_of_schema_error() {
    let plain = Validator::builder;
    let bundled = || plain().references(References::Bundled);
    let table: Vec<(ValidatorBuilder, Value, &str, Value, &str)> = vec![
        (plain(), json!({"type": "strin"}), "/type", json!(null), "Expected"),
        (
            plain(),
            json!({"properties": {"a": {"minLength": -1}}}),
            "/properties/a/minLength",
            json!(null),
            "Expected",
        ),
        (plain(), json!({"$ref": "other.json"}), "/$ref", json!(["other.json"]), "Outside"),
        (
            plain(),
            json!({"$ref": "#/$defs/colr", "$defs": {"color": {}}}),
            "/$ref",
            json!(["#/$defs/colr", true, "#/$defs/color"]),
            "Unresolved",
        ),
        (plain(), json!({"$ref": "#"}), "/$ref", json!(["reference \"#\""]), "Ring"),
        (plain(), json!({"pattern": "(a"}), "/pattern", json!(["(a", true]), "Pattern"),
        (
            plain(),
            json!({"$schema": "https://example.com/d"}),
            "/$schema",
            json!(["https://example.com/d"]),
            "Dialect",
        ),
        (
            bundled().resource(
                "https://example.com/meta",
                &json!({
                    "$schema": Dialect::Draft202012.uri(),
                    "$id": "https://example.com/meta",
                    "$vocabulary": {"https://example.com/vocabulary": true}
                }),
            ),
            json!({"$schema": "https://example.com/meta"}),
            "/$schema",
            json!(["https://example.com/vocabulary"]),
            "Vocabulary",
        ),
        (
            plain(),
            json!({"$defs": {"a": {"$anchor": "x"}, "b": {"$anchor": "x"}}}),
            "/$defs/b",
            json!([true, "x"]),
            "Duplicate",
        ),
        (
            plain().limits(Limits::default().subschemas(1)),
            json!({"items": {"items": {}}}),
            "",
            json!([1, "subschemas"]),
            "Limit",
        ),
        (
            plain().resource("https://example.com/a", &json!({})),
            json!({}),
            "",
            json!(["https://example.com/a"]),
            "ResourcesNotUsed",
        ),
    ];
    let (mut seen, mut wrong) = (BTreeSet::new(), String::new());
    for (builder, schema, path, expected, name) in table {
        let Err(error) = builder.build(&schema) else { panic!("{schema}: built") };
        let (found, facts) = schema_facts(error.kind());
        if (found, error.path()) != (name, path) || !(expected.is_null() || facts == expected) {
            wrong += &format!(
                "\n{schema}: expected {name} {expected} at {path}, found {found} {facts} in {error}"
            );
        }
        assert!(!error.message().is_empty());
        seen.insert(found.to_owned());
    }
    assert!(wrong.is_empty(), "{wrong}");
    // Only numbers that keep their digits can have an exponent that is too large, which is another build.
    seen.insert("Exponent".to_owned());
    assert_eq!(seen, variants("SchemaErrorKind"));
}

/// The variants of a public enum, read from the engine's sources.
fn variants(name: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for file in rust_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        let source = fs::read_to_string(file).expect("a source file");
        let Some((_, rest)) = source.split_once(&format!("pub enum {name} {{\n")) else { continue };
        let body = rest.split("\n}").next().unwrap_or_default();
        let lines = body.lines().filter_map(|line| line.strip_prefix("    "));
        let names = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
        found.extend(names.map(|line| line.chars().take_while(|c| c.is_alphanumeric()).collect::<String>()));
    }
    assert!(found.len() > 5, "{name}: {found:?}");
    found
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in folder.read_dir().expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}
