//! `stanchion lint` as a user runs it. The findings of each rule are tested beside the rule.

use crate::common;
use crate::common::{Scratch, example, stanchion};
use expect_test::expect;
use serde_json::Value;

const WRONG: &str = r#"{
  "type": "object",
  "properties": {
    "city": {"type": "string", "minimum": 1},
    "days": {"type": "integer", "minimum": 14, "maximum": 1, "default": "3"}
  },
  "required": ["city", "dayz"],
  "additionalProperties": false
}
"#;

#[test]
fn nothing_to_find() {
    stanchion(&["lint", &example("weather.schema.json")], "").expect(0, &["nothing found"], &[]);
    stanchion(&["lint", "--format", "line", &example("weather.schema.json")], "").expect(0, &[], &[]);
}

#[test]
fn for_people() {
    let output = stanchion(&["lint", "-"], WRONG);
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    expect![[r#"
        warning[wrong-type]: `minimum` is about numbers, and `type` leaves string only
          ┌─ -:4:32
          │
        4 │     "city": {"type": "string", "minimum": 1},
          │                                ^^^^^^^^^ /properties/city/minimum
          │
          = help: remove `minimum`, or let `type` include "number"

        warning[empty-range]: no number is at least 14 and at most 1
          ┌─ -:5:33
          │
        5 │     "days": {"type": "integer", "minimum": 14, "maximum": 1, "default": "3"}
          │                                 ^^^^^^^^^ /properties/days/minimum
          │
          = help: swap `minimum` and `maximum`, or correct one of them

        warning[default-refused]: the default is refused by its own schema: expected an integer, found the string "3"
          ┌─ -:5:62
          │
        5 │     "days": {"type": "integer", "minimum": 14, "maximum": 1, "default": "3"}
          │                                                              ^^^^^^^^^ /properties/days/default
          │
          = help: correct the default, or let the schema accept it

        warning[required-undeclared]: "dayz" is required, and `additionalProperties: false` forbids it
          ┌─ -:7:24
          │
        7 │   "required": ["city", "dayz"],
          │                        ^^^^^^ /required/1
          │
          = help: did you mean "days"?

        4 warnings
    "#]].assert_eq(&output.stdout);
}

/// Colors are for terminals, or on request.
#[test]
fn in_color() {
    let output = stanchion(&["lint", "--color", "always", "-"], WRONG);
    assert_eq!(output.code, 1);
    assert!(output.stdout.contains("\u{1b}["), "{}", output.stdout);
    assert!(!stanchion(&["lint", "-"], WRONG).stdout.contains('\u{1b}'));
}

#[test]
fn on_lines() {
    let output = stanchion(&["lint", "--format", "line", "-"], WRONG);
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    expect![[r#"
        -:4:32: /properties/city/minimum: wrong-type: `minimum` is about numbers, and `type` leaves string only (remove `minimum`, or let `type` include "number")
        -:5:33: /properties/days/minimum: empty-range: no number is at least 14 and at most 1 (swap `minimum` and `maximum`, or correct one of them)
        -:5:62: /properties/days/default: default-refused: the default is refused by its own schema: expected an integer, found the string "3" (correct the default, or let the schema accept it)
        -:7:24: /required/1: required-undeclared: "dayz" is required, and `additionalProperties: false` forbids it (did you mean "days"?)
    "#]].assert_eq(&output.stdout);
}

#[test]
fn as_json() {
    let output = stanchion(&["lint", "--format", "json", "-"], WRONG);
    assert_eq!(output.code, 1);
    let findings: Value = serde_json::from_str(&output.stdout).expect("JSON");
    let first = &findings[0];
    assert_eq!((&first["rule"], &first["level"]), (&"wrong-type".into(), &"warning".into()));
    assert_eq!((&first["file"], &first["line"], &first["column"]), (&"-".into(), &4.into(), &32.into()));
    assert_eq!(first["pointer"], "/properties/city/minimum");
    assert!(first["message"].is_string() && first["suggestion"].is_string());
    let none = stanchion(&["lint", "--format", "json", "-"], "{}");
    none.expect(0, &["[]"], &[]);
}

#[test]
fn as_sarif() {
    let output = stanchion(&["lint", "--format", "sarif", "-"], WRONG);
    assert_eq!(output.code, 1);
    let log: Value = serde_json::from_str(&output.stdout).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let result = &run["results"][0];
    assert_eq!((&result["ruleId"], &result["level"]), (&"wrong-type".into(), &"warning".into()));
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 4);
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    assert!(
        rules.iter().any(|rule| rule["id"] == "wrong-type" && rule["shortDescription"]["text"].is_string())
    );
}

#[test]
fn rules_can_be_allowed() {
    let all = "wrong-type,empty-range,default-refused,required-undeclared";
    stanchion(&["lint", "--allow", all, "-"], WRONG).expect(0, &["nothing found"], &[]);
    let some = stanchion(
        &["lint", "--format", "line", "--allow", "wrong-type", "--allow", "empty-range", "-"],
        WRONG,
    );
    assert_eq!((some.code, some.stdout.lines().count()), (1, 2), "{}", some.stdout);
    stanchion(&["lint", "--allow", "wrong-tipe", "-"], "{}").expect(2, &[], &["no rule is named wrong-tipe"]);
}

#[test]
fn rules_are_listed() {
    let output = stanchion(&["lint", "--rules"], "");
    output.expect(0, &["wrong-type", "unused-definition", "note"], &[]);
    assert!(output.stdout.lines().count() > 20);
}

#[test]
fn several_files() {
    let scratch = Scratch::new("lint-several");
    let good = scratch.file("good.json", r#"{"type": "string"}"#);
    let bad = scratch.file("bad.json", WRONG);
    let output = stanchion(&["lint", "--format", "line", &good, &bad], "");
    assert_eq!(output.code, 1);
    assert!(output.stdout.lines().all(|line| line.contains("bad.json:")), "{}", output.stdout);
}

/// A refused schema is still searched for mistakes.
#[test]
fn a_refused_schema() {
    let schema = r#"{"items": [{"type": "string", "minimum": 3}]}"#;
    let output = stanchion(&["lint", "--format", "line", "-"], schema);
    output.expect(2, &[": schema: expected", ": items-array: ", ": wrong-type: "], &[]);
    let draft7 = stanchion(&["lint", "--format", "line", "--dialect", "draft7", "-"], schema);
    draft7.expect(1, &[": wrong-type: "], &[]);
    let deep = format!("{}true{}", r#"{"not": "#.repeat(100), "}".repeat(100));
    stanchion(&["lint", "-"], &deep).expect(
        2,
        &["schema has 100 levels of nesting, the limit is 64", "--limits depth=100"],
        &[],
    );
}

#[test]
fn what_cannot_be_read() {
    let scratch = Scratch::new("lint-errors");
    stanchion(&["lint", &scratch.path("absent.json")], "").expect(2, &["nothing found"], &["absent.json"]);
    stanchion(&["lint", "--format", "line", "-"], "[1,").expect(2, &[], &["-: EOF while parsing"]);
    stanchion(&["lint"], "").expect(2, &[], &["SCHEMA"]);
    stanchion(&["lint", "-", "-"], "{}").expect(2, &[], &["only once"]);
}

/// Names from a schema are escaped.
#[test]
fn control_characters_are_shown() {
    let schema = "{\"properties\": {\"a\\u001b[31m\\n\": {\"type\": \"string\", \"minimum\": 3}}}";
    for format in ["human", "line"] {
        let output = stanchion(&["lint", "--format", format, "-"], schema);
        assert_eq!(output.code, 1);
        assert!(!output.stdout.contains('\u{1b}'), "{}", output.stdout);
    }
}

/// Real schemas of tools, if available: nothing panics, and the findings are few and known.
#[test]
fn real_tools() {
    let Some(corpus) = stanchion_suite::shared::shared("corpus/mcp-tools.jsonl") else { return };
    let lines = std::fs::read_to_string(&corpus).expect("tools");
    let scratch = Scratch::new("lint-tools");
    let mut files = Vec::new();
    for (index, line) in lines.lines().enumerate() {
        let tool: Value = serde_json::from_str(line).expect("JSON");
        files.push(scratch.file(&format!("{index}.json"), &tool["inputSchema"].to_string()));
    }
    let mut arguments =
        vec!["lint", "--format", "json", "--allow", "default-refused,unused-definition,unknown-format"];
    arguments.extend(files.iter().map(String::as_str));
    let output = stanchion(&arguments, "");
    let findings: Vec<Value> = serde_json::from_str(&output.stdout).expect("JSON");
    assert!(
        files.len() > 1_000 && findings.len() < 20,
        "{} of {}: {}",
        findings.len(),
        files.len(),
        output.stdout
    );
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let scratch = Scratch::new("lint-pipe");
    let file = scratch.file("bad.json", WRONG);
    assert_eq!(common::into_closed_pipe(&["lint", &file]), 1);
}
