//! The format of test cases as types, and how a file of them is read.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

/// A file of cases.
#[derive(Debug)]
pub struct File {
    /// The file's path, relative to the directory that was read; reports use it as the name.
    pub name: String,
    /// The groups of the file.
    pub groups: Vec<Group>,
}

/// A schema and its tests.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Group {
    /// The subject of the group.
    pub description: String,
    /// A remark for readers.
    #[serde(default)]
    pub comment: Option<String>,
    /// The sections of the specification that apply.
    #[serde(default)]
    pub specification: Option<Value>,
    /// The schema to compile.
    pub schema: Value,
    /// Its tests; none if the schema is to be refused.
    #[serde(default)]
    pub tests: Vec<Test>,
    /// Limits to build with, by name.
    #[serde(default)]
    pub limits: BTreeMap<String, u64>,
    /// Whether `format` asserts.
    #[serde(default)]
    pub assert_formats: bool,
    /// The dialect of a schema that declares none, by the name of its folder.
    #[serde(default)]
    pub dialect: Option<String>,
    /// Documents to register with the builder.
    #[serde(default)]
    pub resources: BTreeMap<String, Value>,
    /// Text that the error must contain which refuses the schema.
    #[serde(default)]
    pub schema_error: Option<String>,
}

/// An instance and its expected results.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Test {
    /// The subject of the test.
    pub description: String,
    /// A remark for readers.
    #[serde(default)]
    pub comment: Option<String>,
    /// The instance, as it is written in the file.
    pub data: Box<RawValue>,
    /// Whether it is valid.
    #[serde(default)]
    pub valid: Option<bool>,
    /// The verdict, if `valid` cannot express it.
    #[serde(default)]
    pub verdict: Option<Expected>,
    /// All errors, in any order.
    #[serde(default)]
    pub errors: Option<Vec<ExpectedError>>,
    /// Annotations that must be there, or must not.
    #[serde(default)]
    pub annotations: Vec<Assertion>,
}

/// The verdict that a test expects.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Expected {
    /// The instance conforms.
    Valid,
    /// The instance does not conform.
    Invalid,
    /// The run exhausts a limit before it has a verdict.
    Undecided,
}

/// An error that a test expects.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedError {
    /// The place in the instance, a JSON Pointer.
    pub instance_path: String,
    /// The place of the keyword in its document, a JSON Pointer.
    pub schema_path: String,
    /// The keyword that failed.
    pub keyword: String,
    /// The message without the place, if the test checks it.
    #[serde(default)]
    pub message: Option<String>,
}

/// The annotations of one keyword that an instance location must have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Assertion {
    /// The place in the instance, a JSON Pointer.
    pub location: String,
    /// The annotating keyword.
    pub keyword: String,
    /// The annotation's value by the location of the schema that made it, a `#…` fragment; empty for none.
    pub expected: BTreeMap<String, Value>,
}

impl Test {
    /// Returns the verdict that the test expects.
    ///
    /// # Errors
    ///
    /// If the test says neither `valid` nor `verdict`, or both.
    pub fn expected(&self) -> Result<Expected, LoadError> {
        match (self.valid, self.verdict) {
            (Some(true), None) => Ok(Expected::Valid),
            (Some(false), None) => Ok(Expected::Invalid),
            (None, Some(verdict)) => Ok(verdict),
            (None, None) => Err(LoadError::new("expected `valid` or `verdict`, found neither")),
            (Some(_), Some(_)) => Err(LoadError::new("expected `valid` or `verdict`, found both")),
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Expected::Valid => "valid",
            Expected::Invalid => "invalid",
            Expected::Undecided => "undecided",
        })
    }
}

/// The error for cases that cannot be found or read.
#[derive(Clone, Debug)]
pub struct LoadError(String);

impl LoadError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        LoadError(message.into())
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LoadError {}

/// Reads all files of cases in a directory and below it, in the order of their names; or one file.
///
/// # Errors
///
/// If a file cannot be read, or is not in the format.
pub fn read(path: &Path) -> Result<Vec<File>, LoadError> {
    let base = if path.is_dir() { path } else { path.parent().unwrap_or(path) };
    json_files(path, true)?.iter().map(|file| read_file(base, file)).collect()
}

/// Reads one file of cases, named by its path below `base`.
pub(crate) fn read_file(base: &Path, path: &Path) -> Result<File, LoadError> {
    let groups: Vec<Group> = parse(path)?;
    let name = path.strip_prefix(base).unwrap_or(path).display().to_string();
    Ok(File { name, groups })
}

/// Reads a JSON file into any type.
pub(crate) fn parse<T: DeserializeOwned>(path: &Path) -> Result<T, LoadError> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| LoadError::new(format!("{}: {error}", path.display())))?;
    serde_json::from_str(&text).map_err(|error| LoadError::new(format!("{}: {error}", path.display())))
}

/// Returns the `.json` files in a directory, sorted, with those below it if `below` is set. A file
/// is returned as it is.
pub(crate) fn json_files(path: &Path, below: bool) -> Result<Vec<PathBuf>, LoadError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let unreadable = |error: std::io::Error| LoadError::new(format!("{}: {error}", path.display()));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(path).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?.path();
        if entry.is_dir() {
            if below {
                files.extend(json_files(&entry, below)?);
            }
        } else if entry.extension().is_some_and(|extension| extension == "json") {
            files.push(entry);
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn expected(text: &str) -> Result<Expected, String> {
        let test: Test = serde_json::from_str(text).expect("a test in the format");
        test.expected().map_err(|error| error.to_string())
    }

    #[test]
    fn a_test_says_one_verdict() {
        assert_eq!(expected(r#"{"description": "", "data": 1, "valid": true}"#), Ok(Expected::Valid));
        assert_eq!(
            expected(r#"{"description": "", "data": 1, "verdict": "undecided"}"#),
            Ok(Expected::Undecided)
        );
        assert!(expected(r#"{"description": "", "data": 1}"#).is_err());
        assert!(expected(r#"{"description": "", "data": 1, "valid": true, "verdict": "valid"}"#).is_err());
    }

    #[test]
    fn an_instance_keeps_its_text() {
        let test: Test =
            serde_json::from_str(r#"{"description": "", "data": {"a": 1.0, "a": 1e2}, "valid": true}"#)
                .expect("a test in the format");
        assert_eq!(test.data.get(), r#"{"a": 1.0, "a": 1e2}"#);
    }

    #[test]
    fn a_misspelled_member_is_an_error() {
        assert!(serde_json::from_str::<Test>(r#"{"description": "", "data": 1, "vaild": true}"#).is_err());
    }
}
