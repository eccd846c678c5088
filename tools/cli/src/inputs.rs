//! The files of instances to read, in the order of the report.

use std::path::Path;

use crate::source::{self, STDIN};

/// A file to be read.
pub(crate) struct Input {
    /// The name for messages and for opening.
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// Its length, where that is known.
    pub(crate) bytes: Option<u64>,
}

/// The content of a file.
pub(crate) enum Kind {
    /// One instance.
    Document,
    /// An instance on each line.
    Lines,
    /// Nothing can be read, for this reason.
    Nothing(String),
}

impl Input {
    pub(crate) fn has_lines(&self) -> bool {
        matches!(self.kind, Kind::Lines)
    }
}

/// File extensions of instances.
const ENDINGS: [&str; 3] = ["json", "jsonl", "ndjson"];

/// Returns the files to read: those that were named, those in directories, and those that patterns
/// match.
pub(crate) fn list<'n>(names: impl Iterator<Item = &'n str>, has_lines: bool) -> Vec<Input> {
    let mut inputs = Vec::new();
    for name in names {
        let path = Path::new(name);
        if name == STDIN || path.is_file() {
            inputs.push(input(name, has_lines));
        } else if path.is_dir() {
            folder(name, has_lines, &mut inputs);
        } else if name.contains(['*', '?', '[']) && !path.exists() {
            pattern(name, has_lines, &mut inputs);
        } else {
            // Also a file that does not exist: opening it reports the error. A pipe or a device is
            // read like a file.
            inputs.push(input(name, has_lines));
        }
    }
    inputs
}

fn input(name: &str, has_lines: bool) -> Input {
    let path = Path::new(name);
    let ends_so = source::ending(path).is_some_and(|ending| ending == "jsonl" || ending == "ndjson");
    let kind = if has_lines || ends_so { Kind::Lines } else { Kind::Document };
    let bytes = path.metadata().ok().filter(|found| found.is_file()).map(|found| found.len());
    Input { name: name.to_owned(), kind, bytes }
}

fn nothing(name: &str, why: String) -> Input {
    Input { name: name.to_owned(), kind: Kind::Nothing(why), bytes: None }
}

fn folder(name: &str, has_lines: bool, inputs: &mut Vec<Input>) {
    match source::files_below(Path::new(name), &ENDINGS) {
        Ok(files) if files.is_empty() => {
            inputs.push(nothing(name, "no files that end in .json, .jsonl or .ndjson".to_owned()));
        }
        Ok(files) => inputs.extend(files.iter().map(|file| input(&file.to_string_lossy(), has_lines))),
        Err(why) => inputs.push(nothing(name, why)),
    }
}

/// Expands a pattern that the shell did not expand.
fn pattern(name: &str, has_lines: bool, inputs: &mut Vec<Input>) {
    let before = inputs.len();
    match glob::glob(name) {
        Ok(found) => {
            for path in found {
                match path {
                    Ok(path) if path.is_dir() => folder(&path.to_string_lossy(), has_lines, inputs),
                    Ok(path) => inputs.push(input(&path.to_string_lossy(), has_lines)),
                    Err(error) => inputs.push(nothing(name, error.to_string())),
                }
            }
            if inputs.len() == before {
                inputs.push(nothing(name, "no file matches".to_owned()));
            }
        }
        Err(error) => inputs.push(nothing(name, format!("not a pattern: {error}"))),
    }
}
