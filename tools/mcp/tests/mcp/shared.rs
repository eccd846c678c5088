//! What lies beside the workspace and not in it.

use serde_json::Value;
use std::fs;
use std::path::Path;

/// The text of a file beside the workspace. Where it is absent, a test says so and passes.
pub(crate) fn shared(path: &str) -> Option<String> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let path = workspace.parent()?.join("shared").join(path);
    let text = fs::read_to_string(&path).ok();
    if text.is_none() {
        println!("{} is not there: nothing to test", path.display());
    }
    text
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
