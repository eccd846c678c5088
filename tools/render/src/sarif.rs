//! SARIF 2.1.0, the format in which CI services take findings.
//!
//! A log may have more results than should be held in memory, so it is made of parts: [`HEAD`], results with commas between
//! them, and a [`tail`] with all that is known only at the end. [`log`] puts a few together.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::finding::{Finding, Level, Mark, shown_pointer};

/// The beginning of a log, up to its first result.
pub const HEAD: &str =
    r#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"results":["#;

/// The rules that results name, each with a sentence about it.
pub type Rules = BTreeMap<String, String>;

/// A finding as a result.
pub fn result(finding: &Finding<'_>) -> Value {
    let mut location = match finding.marks.first() {
        Some(mark) => physical(mark),
        None => json!({"physicalLocation": {"artifactLocation": artifact(&finding.name)}}),
    };
    if let Some(pointer) = &finding.pointer {
        location["logicalLocations"] = json!([{"fullyQualifiedName": shown_pointer(pointer)}]);
    }
    let mut text = finding.message.clone();
    for help in &finding.help {
        text += "; ";
        text += help;
    }
    let mut result = json!({
        "ruleId": finding.rule,
        "level": level(finding.level),
        "message": {"text": text},
        "locations": [location],
    });
    let related: Vec<Value> = finding.marks.iter().skip(1).enumerate().map(related).collect();
    if !related.is_empty() {
        result["relatedLocations"] = related.into();
    }
    result
}

/// The end of a log: the tool with its version and rules, and how it ended.
pub fn tail(version: &str, rules: &Rules, exit_code: u8) -> String {
    let rules: Vec<Value> = rules.iter().map(rule).collect();
    let tool = json!({"driver": {"name": "stanchion", "semanticVersion": version, "rules": rules}});
    // By the specification, to find fault is to run well: not so to find nothing out.
    let invocations = json!([{"executionSuccessful": exit_code < 2, "exitCode": exit_code}]);
    format!(r#"],"columnKind":"unicodeCodePoints","tool":{tool},"invocations":{invocations}}}]}}"#)
}

/// A whole log of findings that are at hand. A rule without a sentence gets that of a keyword.
pub fn log(findings: &[Finding<'_>], described: &Rules, version: &str, exit_code: u8) -> String {
    let mut rules = Rules::new();
    for Finding { rule, .. } in findings {
        let sentence = described.get(rule).cloned().unwrap_or_else(|| describe(rule));
        rules.insert(rule.clone(), sentence);
    }
    let results: Vec<String> = findings.iter().map(|finding| result(finding).to_string()).collect();
    format!("{HEAD}{}{}", results.join(","), tail(version, &rules, exit_code))
}

/// A sentence about a rule of ours: a keyword, or what keeps a keyword from being asked.
pub fn describe(rule: &str) -> String {
    match rule {
        "json" => "The text is not JSON".to_owned(),
        "schema" => "The schema was refused".to_owned(),
        "unreadable" => "The file could not be read".to_owned(),
        "errors" => "Some errors are not listed".to_owned(),
        "undecided" => "The run gave up within its limits".to_owned(),
        "false" => "The schema allows nothing here".to_owned(),
        keyword => format!("The instance does not satisfy the keyword `{keyword}`"),
    }
}

fn rule((id, sentence): (&String, &String)) -> Value {
    json!({"id": id, "shortDescription": {"text": sentence}})
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Note => "note",
    }
}

fn related((id, mark): (usize, &Mark<'_>)) -> Value {
    let mut location = physical(mark);
    location["id"] = id.into();
    if !mark.label.is_empty() {
        location["message"] = json!({"text": mark.label});
    }
    location
}

fn physical(mark: &Mark<'_>) -> Value {
    let start = mark.source.position(mark.span.start);
    let end = mark.source.position(mark.span.end);
    json!({"physicalLocation": {
        "artifactLocation": artifact(mark.source.name()),
        "region": {
            "startLine": start.line, "startColumn": start.column,
            "endLine": end.line, "endColumn": end.column,
        },
    }})
}

/// A file by its URI: a relative path stays relative, to the folder that CI knows.
fn artifact(name: &str) -> Value {
    match name {
        "-" => json!({"uri": "stdin"}),
        path if path.starts_with('/') => json!({"uri": format!("file://{}", encode(path))}),
        path => json!({"uri": encode(path), "uriBaseId": "%SRCROOT%"}),
    }
}

/// A path as part of a URI.
fn encode(path: &str) -> String {
    let path = path.strip_prefix("./").unwrap_or(path);
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            b'\\' if cfg!(windows) => uri.push('/'),
            _ => uri += &format!("%{byte:02X}"),
        }
    }
    uri
}
