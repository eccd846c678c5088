//! Output of `stanchion check` for programs: lines, JSON, SARIF, and the specification's output
//! formats.

use crate::common::Scratch;
use expect_test::expect;
use serde_json::{Value, json};

const SCHEMA: &str = r#"{ "properties": { "n": { "title": "A number", "minimum": 1 } }, "required": ["n"] }"#;
const LINES: &str = "{\"n\": 1}\n{\"n\": 0}\noops\n{}\n";

fn scratch(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.file("schema.json", SCHEMA);
    scratch.file("lines.jsonl", LINES);
    scratch
}

#[test]
fn a_line_for_each_error() {
    let output =
        scratch("formats-line").stanchion(&["check", "--format", "line", "schema.json", "lines.jsonl"], b"");
    expect![[r#"
        lines.jsonl:2:7: /n: 0 is less than the minimum 1
        lines.jsonl:3:1: not JSON: expected value
        lines.jsonl:4:1: /: missing required property "n"
    "#]]
    .assert_eq(&output.stdout);
    assert_eq!((output.code, output.stderr.as_str()), (2, ""));
}

#[test]
fn a_line_of_json_for_each_instance() {
    let scratch = scratch("formats-json");
    let output = scratch.stanchion(&["check", "--format", "json", "schema.json", "lines.jsonl"], b"");
    expect![[r##"
        {"file":"lines.jsonl","verdict":"valid","line":1}
        {"file":"lines.jsonl","verdict":"invalid","line":2,"errors":[{"instanceLocation":"/n","keywordLocation":"/properties/n/minimum","absoluteKeywordLocation":"#/properties/n/minimum","keyword":"minimum","error":"0 is less than the minimum 1","line":2,"column":7}]}
        {"file":"lines.jsonl","verdict":"unusable","line":3,"error":"not JSON: expected value","column":1}
        {"file":"lines.jsonl","verdict":"invalid","line":4,"errors":[{"instanceLocation":"","keywordLocation":"/required","absoluteKeywordLocation":"#/required","keyword":"required","error":"missing required property \"n\"","line":4,"column":1}]}
        {"summary":{"instances":4,"valid":1,"invalid":2,"undecided":0,"unusable":1}}
    "##]].assert_eq(&output.stdout);
    assert_eq!((output.code, output.stderr.as_str()), (2, ""));
    let output = scratch.stanchion(&["check", "--format", "json", "--steps", "0", "schema.json", "-"], b"{}");
    expect![[r#"
        {"file":"-","verdict":"undecided","error":"the run exceeded its budget of steps"}
        {"summary":{"instances":1,"valid":0,"invalid":0,"undecided":1,"unusable":0}}
    "#]]
    .assert_eq(&output.stdout);
    let output =
        scratch.stanchion(&["check", "--format", "json", "--limits", "depth=0", "schema.json", "-"], b"{}");
    expect![[r#"
        {"file":"schema.json","verdict":"unusable","error":"schema has 1 levels of nesting, the limit is 0"}
        {"summary":{"instances":0,"valid":0,"invalid":0,"undecided":0,"unusable":0}}
    "#]]
    .assert_eq(&output.stdout);
}

#[test]
fn the_output_formats_of_the_specification() {
    let scratch = scratch("formats-output");
    for format in ["flag", "basic", "detailed", "verbose", "list", "hierarchical"] {
        let output = scratch.stanchion(&["check", "--output", format, "schema.json", "lines.jsonl"], b"");
        assert_eq!(output.code, 2, "{}", output.stderr);
        let records: Vec<Value> =
            output.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(records.len(), 5, "{format}: {}", output.stdout);
        assert_eq!(
            (&records[0]["output"]["valid"], &records[1]["output"]["valid"]),
            (&json!(true), &json!(false))
        );
        assert_eq!(records[2]["verdict"], "unusable");
        assert_eq!(records[0].to_string().contains("A number"), format != "flag", "{format}");
    }
    let mixed =
        scratch.stanchion(&["check", "--format", "line", "--output", "flag", "schema.json", "-"], b"1");
    mixed.expect(2, &[], &["--output goes with --format json only"]);
}

#[test]
fn sarif_for_ci() {
    let scratch = scratch("formats-sarif");
    let output = scratch.stanchion(&["check", "--format", "sarif", "schema.json", "lines.jsonl"], b"");
    let log: Value = serde_json::from_str(&output.stdout).expect("JSON");
    let run = &log["runs"][0];
    assert_eq!((&log["version"], run["results"].as_array().unwrap().len()), (&json!("2.1.0"), 3));
    let rules: Vec<&str> = run["tool"]["driver"]["rules"]
        .as_array()
        .unwrap()
        .iter()
        .map(|rule| rule["id"].as_str().unwrap())
        .collect();
    assert_eq!(rules, ["json", "minimum", "required"]);
    let region = |index: usize| &run["results"][index]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(*region(0), json!({"startLine": 2, "startColumn": 7, "endLine": 2, "endColumn": 8}));
    assert_eq!(region(1)["startLine"], 3);
    assert_eq!(
        run["results"][0]["relatedLocations"][0]["physicalLocation"]["artifactLocation"]["uri"],
        "schema.json"
    );
    assert_eq!(run["invocations"][0], json!({"executionSuccessful": false, "exitCode": 2}));
}

#[test]
fn sarif_is_whole_whatever_happens() {
    let scratch = scratch("formats-sarif-whole");
    scratch.file("bad.json", r#"{ "minimum": "x" }"#);
    for (schema, instance, results) in [
        ("schema.json", "absent.json", 1),
        ("bad.json", "lines.jsonl", 1),
        ("absent.json", "lines.jsonl", 1),
        ("schema.json", "-", 0),
    ] {
        let output = scratch.stanchion(&["check", "--format", "sarif", schema, instance], b"{\"n\": 5}");
        let log: Value = serde_json::from_str(&output.stdout).expect("JSON");
        assert_eq!(log["runs"][0]["results"].as_array().unwrap().len(), results, "{schema} {instance}");
        assert_eq!(log["runs"][0]["invocations"][0]["exitCode"], output.code, "{schema} {instance}");
    }
}
