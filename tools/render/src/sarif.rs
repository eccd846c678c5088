//! SARIF 2.1.0, the format of findings for CI services.
//!
//! A log may have more results than fit in memory, so it is written in parts: [`HEAD`], results
//! with commas between them, and a [`tail`] with what is only known at the end. [`log`] returns a
//! whole log.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::finding::{Finding, Level, Mark, shown_pointer};

/// The beginning of a log, up to its first result.
pub const HEAD: &str =
    r#"{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{"results":["#;

/// The rules that results name, each with a description.
pub type Rules = BTreeMap<String, String>;

/// Returns a finding as a SARIF result.
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

/// Returns the end of a log: the tool with its version and rules, and its exit code.
pub fn tail(version: &str, rules: &Rules, exit_code: u8) -> String {
    let rules: Vec<Value> = rules.iter().map(rule).collect();
    let tool = json!({"driver": {"name": "stanchion", "semanticVersion": version, "rules": rules}});
    // By the specification, a run that finds problems is successful; one that cannot check is not.
    let invocations = json!([{"executionSuccessful": exit_code < 2, "exitCode": exit_code}]);
    format!(r#"],"columnKind":"unicodeCodePoints","tool":{tool},"invocations":{invocations}}}]}}"#)
}

/// Returns a whole log of these findings. A rule without a description gets that of a keyword.
pub fn log(findings: &[Finding<'_>], described: &Rules, version: &str, exit_code: u8) -> String {
    let mut rules = Rules::new();
    for Finding { rule, .. } in findings {
        let sentence = described.get(rule).cloned().unwrap_or_else(|| describe(rule));
        rules.insert(rule.clone(), sentence);
    }
    let results: Vec<String> = findings.iter().map(|finding| result(finding).to_string()).collect();
    format!("{HEAD}{}{}", results.join(","), tail(version, &rules, exit_code))
}

/// Returns the description of a rule: a keyword, or a reason why nothing was checked.
pub fn describe(rule: &str) -> String {
    match rule {
        "json" => "The text is not JSON".to_owned(),
        "schema" => "The schema was refused".to_owned(),
        "unreadable" => "The file could not be read".to_owned(),
        "errors" => "Some errors are not listed".to_owned(),
        "undecided" => "A limit was reached before there was a verdict".to_owned(),
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

/// Returns a file as an artifact, by URI. A relative path stays relative, to the directory that CI
/// knows.
fn artifact(name: &str) -> Value {
    match name {
        "-" => json!({"uri": "stdin"}),
        path if path.starts_with('/') => json!({"uri": format!("file://{}", encode(path))}),
        path => json!({"uri": encode(path), "uriBaseId": "%SRCROOT%"}),
    }
}

/// Percent-encodes a path for a URI.
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
