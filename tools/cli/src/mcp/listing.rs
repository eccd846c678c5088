//! Tools in a file: a `tools/list` result, its `tools`, or one tool per line.

use serde_json::Value;

/// The tools of a file, and the lines that could not be read.
pub(crate) struct Listing {
    pub(crate) tools: Vec<Value>,
    pub(crate) broken: Vec<String>,
}

/// Accepted contents of a file, for messages.
const EXPECTED: &str = "expected a tools/list result, an object with an array `tools`, an array of tools, a tool, or one tool a line";

/// Reads the tools of a file.
pub(crate) fn read(name: &str, text: &str) -> Result<Listing, String> {
    match serde_json::from_str(text) {
        Ok(document) => {
            let tools = tools_of(document).ok_or_else(|| format!("{name}: {EXPECTED}"))?;
            Ok(Listing { tools, broken: Vec::new() })
        }
        // Two lines are not a JSON document, either.
        Err(error) => read_lines(name, text).ok_or_else(|| format!("{name}: {error}")),
    }
}

/// Returns the tools of a document.
fn tools_of(document: Value) -> Option<Vec<Value>> {
    match document {
        Value::Array(tools) => Some(tools),
        Value::Object(mut members) => {
            if let Some(Value::Array(tools)) = members.get_mut("tools").map(Value::take) {
                return Some(tools);
            }
            if let Some(result @ Value::Object(_)) = members.get_mut("result").map(Value::take) {
                return tools_of(result);
            }
            members.contains_key("inputSchema").then(|| vec![Value::Object(members)])
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

/// Reads one tool per line. `None` if there is none, or the first line is not a JSON object: then
/// the file is something else.
fn read_lines(name: &str, text: &str) -> Option<Listing> {
    let mut listing = Listing { tools: Vec::new(), broken: Vec::new() };
    for (at, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let is_first = listing.tools.is_empty() && listing.broken.is_empty();
        match serde_json::from_str::<Value>(line) {
            Ok(document @ Value::Object(_)) => match tools_of(document) {
                Some(tools) => listing.tools.extend(tools),
                None => listing.broken.push(format!("{name}:{}: expected a tool", at + 1)),
            },
            Ok(_) | Err(_) if is_first => return None,
            Ok(_) => listing.broken.push(format!("{name}:{}: expected a tool", at + 1)),
            Err(error) => listing.broken.push(format!("{name}:{}: {error}", at + 1)),
        }
    }
    let is_empty = listing.tools.is_empty() && listing.broken.is_empty();
    (!is_empty).then_some(listing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, tools: usize, broken: &[&str]) {
        let listing = read("f", text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(listing.tools.len(), tools, "{text}");
        assert_eq!(listing.broken.len(), broken.len(), "{text}: {:?}", listing.broken);
        for (found, expected) in listing.broken.iter().zip(broken) {
            assert!(found.starts_with(expected), "{found}");
        }
    }

    #[test]
    fn every_form_of_a_list_is_read() {
        let tool = r#"{"name": "a", "inputSchema": {"type": "object"}}"#;
        check(&format!("[{tool}, {tool}]"), 2, &[]);
        check(&format!(r#"{{"tools": [{tool}]}}"#), 1, &[]);
        check(
            &format!(r#"{{"jsonrpc": "2.0", "id": 1, "result": {{"tools": [{tool}], "nextCursor": "x"}}}}"#),
            1,
            &[],
        );
        check(tool, 1, &[]);
        check(&format!("{tool}\n\n{tool}\r\n{tool}"), 3, &[]);
        check(r#"{"tools": []}"#, 0, &[]);
    }

    #[test]
    fn a_broken_line_has_its_number_and_does_not_stop_the_rest() {
        let tool = r#"{"name": "a", "inputSchema": {"type": "object"}}"#;
        check(
            &format!("{tool}\n{{\n[1]\n{{}}\n{tool}"),
            2,
            &["f:2: ", "f:3: expected a tool", "f:4: expected a tool"],
        );
    }

    #[test]
    fn what_is_no_list_is_refused() {
        for text in ["", "1", r#"{"type": "object"}"#, r#"{"tools": {}}"#, "[1, 2", "null\nnull"] {
            assert!(read("f", text).is_err(), "{text}");
        }
    }
}
