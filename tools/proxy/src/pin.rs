//! The lock file: tool definitions that an operator has approved.
//!
//! A server may change a tool after people have looked at it. The lock file holds the approved
//! definitions, and a tool that differs is refused, with the difference for people to read.

use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Most characters of a value in a difference.
const MAX_VALUE: usize = 300;
/// Most lines of a difference.
const MAX_LINES: usize = 50;

/// The approved tools.
#[derive(Clone, Debug)]
pub struct Pin {
    path: PathBuf,
    /// `None` until the file exists: then the first list is approved.
    tools: Option<Map<String, Value>>,
}

/// How a tool differs from what was approved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Difference {
    /// It was not approved.
    New,
    /// Its definition differs, in these lines.
    Changed(Vec<String>),
}

impl Pin {
    /// Reads a lock file. If there is none, or it should be renewed, the first list is approved.
    pub fn open(path: &Path, renew: bool) -> Result<Pin, String> {
        let fault = |message: String| format!("{}: {message}", path.display());
        let tools = match fs::read_to_string(path) {
            Ok(_) if renew => None,
            Ok(text) => {
                let file: Value = serde_json::from_str(&text).map_err(|error| fault(error.to_string()))?;
                let tools = file.get("tools").and_then(Value::as_object);
                Some(tools.ok_or_else(|| fault("expected an object `tools`".to_owned()))?.clone())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(fault(error.to_string())),
        };
        Ok(Pin { path: path.to_owned(), tools })
    }

    /// Whether there are approved tools to compare with.
    pub fn is_set(&self) -> bool {
        self.tools.is_some()
    }

    /// Compares a tool with what was approved.
    pub fn compare(&self, name: &str, definition: &Value) -> Option<Difference> {
        let approved = self.tools.as_ref()?;
        match approved.get(name) {
            None => Some(Difference::New),
            Some(approved) => {
                let mut lines = Vec::new();
                compare(approved, definition, &mut String::new(), &mut lines);
                (!lines.is_empty()).then_some(Difference::Changed(lines))
            }
        }
    }

    /// Approves these tools, and writes the file: whole or not at all.
    pub fn approve(&mut self, tools: impl IntoIterator<Item = (String, Value)>) -> io::Result<usize> {
        let mut sorted: Vec<(String, Value)> = tools.into_iter().collect();
        sorted.sort_by(|(a, _), (b, _)| a.cmp(b));
        let tools: Map<String, Value> = sorted.into_iter().collect();
        let count = tools.len();
        let text = serde_json::to_string_pretty(&json!({"version": 1, "tools": &tools}))?;
        self.tools = Some(tools);
        let mut beside = self.path.clone().into_os_string();
        beside.push(".new");
        fs::write(&beside, text + "\n")?;
        fs::rename(&beside, &self.path)?;
        Ok(count)
    }
}

/// Lists the places where two values differ.
fn compare(old: &Value, new: &Value, path: &mut String, lines: &mut Vec<String>) {
    if lines.len() >= MAX_LINES {
        return;
    }
    let length = path.len();
    let mut at = |step: &str, old: Option<&Value>, new: Option<&Value>, lines: &mut Vec<String>| {
        path.push('/');
        path.push_str(&step.replace('~', "~0").replace('/', "~1"));
        match (old, new) {
            (Some(old), Some(new)) => compare(old, new, path, lines),
            (Some(old), None) => lines.push(format!("- {path}: {}", short(old))),
            (None, Some(new)) => lines.push(format!("+ {path}: {}", short(new))),
            (None, None) => {}
        }
        path.truncate(length);
    };
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (name, value) in old {
                at(name, Some(value), new.get(name), lines);
            }
            for (name, value) in new.iter().filter(|(name, _)| !old.contains_key(*name)) {
                at(name, None, Some(value), lines);
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            for index in 0..old.len().max(new.len()) {
                at(&index.to_string(), old.get(index), new.get(index), lines);
            }
        }
        (old, new) if old == new => {}
        (old, new) => {
            lines.push(format!("- {path}: {}", short(old)));
            lines.push(format!("+ {path}: {}", short(new)));
        }
    }
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(MAX_VALUE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_by_its_places() {
        let old =
            json!({"name": "a", "description": "Reads", "inputSchema": {"required": ["x"], "title": "t"}});
        let new = json!({"name": "a", "description": "Reads all", "inputSchema": {"required": ["x", "y"]}});
        let pin = Pin { path: PathBuf::new(), tools: Some(Map::from_iter([("a".to_owned(), old.clone())])) };
        let expected = [
            "- /description: \"Reads\"",
            "+ /description: \"Reads all\"",
            "+ /inputSchema/required/1: \"y\"",
            "- /inputSchema/title: \"t\"",
        ];
        let lines = expected.map(str::to_owned).to_vec();
        assert_eq!(pin.compare("a", &new), Some(Difference::Changed(lines)));
        assert_eq!(pin.compare("a", &old), None);
        assert_eq!(pin.compare("b", &new), Some(Difference::New));
    }
}
