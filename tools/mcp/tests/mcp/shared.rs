//! What lies beside the workspace and not in it.

use serde_json::Value;
use std::fs;

/// The text of a file in `../shared`, or none where a test may skip.
pub(crate) fn shared(path: &str) -> Option<String> {
    let path = stanchion_suite::shared::shared(path)?;
    Some(fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// The cases of a file of vectors.
pub(crate) fn vectors(name: &str) -> Option<Vec<Value>> {
    let text = shared(&format!("vectors/{name}.json"))?;
    let mut reader = serde_json::Deserializer::from_str(&text);
    reader.disable_recursion_limit();
    let cases = reader.into_iter::<Value>().next().expect("a value");
    let cases = cases.unwrap_or_else(|error| panic!("{name}: {error}"));
    Some(cases.as_array().unwrap_or_else(|| panic!("{name}: expected an array")).clone())
}
