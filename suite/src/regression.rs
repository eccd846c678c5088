//! Findings of random tests, kept as cases in `data/regressions`.
//!
//! A finding is a file in the format of the suite: the schema, its instances, and the correct
//! verdicts. A finding in the reader is the text itself. The tests run every file there through
//! every entry point and under every law. To fix a finding, check the verdicts, give the file a
//! name that says what was wrong, and commit it.

use std::fs;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// Returns the directory of the findings.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join("regressions")
}

/// Stores a schema and the texts of instances, each with whether it is valid, under a name made
/// from `found_by` and the content.
///
/// # Errors
///
/// If an instance is not JSON, or the file cannot be written.
pub fn keep(
    found_by: &str,
    why: &str,
    schema: &Value,
    instances: &[(String, bool)],
) -> Result<PathBuf, io::Error> {
    let tests: Result<Vec<Kept>, serde_json::Error> = instances
        .iter()
        .enumerate()
        .map(|(index, (text, valid))| {
            let data = RawValue::from_string(text.clone())?;
            Ok(Kept { description: format!("instance {index}"), data, valid: *valid })
        })
        .collect();
    let group = [KeptGroup {
        description: format!("found by {found_by}"),
        comment: why.chars().take(500).collect(),
        schema,
        tests: tests.map_err(io::Error::other)?,
    }];
    let text = serde_json::to_string_pretty(&group).map_err(io::Error::other)?;
    write(found_by, "json", (text + "\n").as_bytes())
}

/// Stores a text that was read wrongly.
///
/// # Errors
///
/// If the file cannot be written.
pub fn keep_text(found_by: &str, text: &[u8]) -> Result<PathBuf, io::Error> {
    write(found_by, "text", text)
}

/// Reads the texts that were once read wrongly.
///
/// # Errors
///
/// If the directory or one of its files cannot be read.
pub fn texts() -> Result<Vec<(PathBuf, Vec<u8>)>, io::Error> {
    let mut texts = Vec::new();
    for entry in fs::read_dir(folder())? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "text") {
            texts.push((path.clone(), fs::read(path)?));
        }
    }
    Ok(texts)
}

fn write(found_by: &str, extension: &str, content: &[u8]) -> Result<PathBuf, io::Error> {
    let mut hasher = DefaultHasher::new();
    content.hash(&mut hasher);
    let path = folder().join(format!("{found_by}-{:016x}.{extension}", hasher.finish()));
    fs::create_dir_all(folder())?;
    fs::write(&path, content)?;
    Ok(path)
}

/// A group in its written form.
#[derive(Serialize)]
struct KeptGroup<'s> {
    description: String,
    comment: String,
    schema: &'s Value,
    tests: Vec<Kept>,
}

/// A test in its written form.
#[derive(Serialize)]
struct Kept {
    description: String,
    data: Box<RawValue>,
    valid: bool,
}
