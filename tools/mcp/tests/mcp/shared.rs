//! Files that lie beside the workspace and not in it.

use serde_json::Value;
use std::fs;

/// Returns the text of a file in `../shared`, or `None` if the test may be skipped.
pub(crate) fn shared(path: &str) -> Option<String> {
    let path = stanchion_suite::shared::shared(path)?;
    Some(fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// Returns the cases of a file of vectors.
pub(crate) fn vectors(name: &str) -> Option<Vec<Value>> {
    let text = shared(&format!("vectors/{name}.json"))?;
    let mut reader = serde_json::Deserializer::from_str(&text);
    reader.disable_recursion_limit();
    let cases = reader.into_iter::<Value>().next().expect("a value");
    let cases = cases.unwrap_or_else(|error| panic!("{name}: {error}"));
    Some(cases.as_array().unwrap_or_else(|| panic!("{name}: expected an array")).clone())
}

/// Compares a part of the README, between two marks, with what it should be. With `UPDATE_EXPECT=1` the part is written.
pub(crate) fn check_readme(part: &str, expected: &str) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/README.md");
    let readme = fs::read_to_string(path).expect("a README");
    let (begin, end) = (format!("<!-- {part} -->\n"), format!("<!-- end of {part} -->"));
    let from = readme.find(&begin).unwrap_or_else(|| panic!("README.md has no {begin}")) + begin.len();
    let to = from + readme[from..].find(&end).unwrap_or_else(|| panic!("README.md has no {end}"));
    if readme[from..to] == *expected {
        return;
    }
    assert!(
        std::env::var_os("UPDATE_EXPECT").is_some(),
        "README.md: {part} is out of date; set UPDATE_EXPECT=1"
    );
    fs::write(path, format!("{}{expected}{}", &readme[..from], &readme[to..])).expect("README.md is written");
}
