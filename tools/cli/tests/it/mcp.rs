//! `stanchion mcp`, run as a user runs it.

use crate::common::{self, Scratch, example_program, into_closed_pipe, stanchion};
use serde_json::{Value, json};

/// Runs `stanchion mcp --stdio` on the example server with this behavior.
fn ask(behavior: &str, options: &[&str]) -> common::Output {
    let server = example_program("mcp_server");
    stanchion(&[&["mcp"], options, &["--stdio", &server, behavior]].concat(), "")
}

const TOOLS: &str = r#"{"tools": [
    {"name": "add", "inputSchema": {"type": "object", "properties": {"a": {"type": "number"}}}, "outputSchema": true},
    {"name": "spy", "inputSchema": {"type": "object", "$ref": "http://169.254.169.254/"}},
    {"name": "bare", "inputSchema": {"properties": {}}}
]}"#;

#[test]
fn each_tool_of_a_file_gets_its_verdict() {
    let file = Scratch::new("mcp-file").file("tools.json", TOOLS);
    let output = stanchion(&["mcp", &file], "");
    output.expect(
        1,
        &[
            "add: accepted\n  inputSchema: 2020-12, ",
            "\n  outputSchema: a boolean, ",
            "spy: refused\n  inputSchema: /$ref: ",
            "bare: refused\n  inputSchema: expected \"type\": \"object\"",
            "3 tools: 1 accepted, 2 refused, 0 problems\n",
        ],
        &[],
    );
    // Harmless violations of published servers can be accepted.
    stanchion(&["mcp", "--lenient", &file], "").expect(1, &["bare: accepted", "2 accepted, 1 refused"], &[]);
}

#[test]
fn all_accepted_is_good() {
    let tools = r#"[{"name": "a", "inputSchema": {"type": "object"}}]"#;
    stanchion(&["mcp", "-"], tools).expect(0, &["a: accepted", "1 tools: 1 accepted"], &[]);
}

#[test]
fn json_for_programs() {
    let output = stanchion(&["mcp", "--format", "json", "-"], TOOLS);
    assert_eq!(output.code, 1);
    let report: Value = serde_json::from_str(&output.stdout).expect("JSON");
    assert_eq!(report["accepted"], 1);
    assert_eq!(report["refused"], 2);
    assert_eq!(report["protocolVersion"], Value::Null);
    let add = &report["tools"][0];
    assert_eq!((&add["name"], &add["accepted"]), (&json!("add"), &json!(true)));
    assert_eq!(add["inputSchema"]["dialect"], "2020-12");
    assert!(add["inputSchema"]["steps"].as_u64().is_some_and(|steps| steps > 0), "{add}");
    assert_eq!(add["outputSchema"]["dialect"], Value::Null);
    let spy = &report["tools"][1]["inputSchema"];
    assert_eq!(spy["accepted"], false);
    assert!(spy["message"].as_str().is_some_and(|message| message.contains("169.254")), "{spy}");
}

#[test]
fn the_verdicts_are_those_of_a_toolbox() {
    let tools = r#"[
        {"name": "two words", "inputSchema": {"type": "object"}},
        {"name": "a", "inputSchema": {"type": "object"}},
        {"name": "a", "inputSchema": {"type": "object"}},
        {"inputSchema": {"type": "object"}},
        12
    ]"#;
    stanchion(&["mcp", "-"], tools).expect(
        1,
        &[
            "two words: accepted",
            "found ' ' [tool-name]",
            "a: accepted\n",
            "a: refused\n  tool \"a\": another tool has the same name\n",
            "(tool 4): refused\n  tool 3: /name: expected a string, found nothing\n",
            "(tool 5): refused\n",
            "5 tools: 2 accepted, 3 refused, 1 problems",
        ],
        &[],
    );
    // Tools of several servers may have one name.
    let tools = r#"[
        {"server": "x", "tool": "a", "inputSchema": {"type": "object"}},
        {"server": "y", "tool": "a", "inputSchema": {"type": "object"}}
    ]"#;
    stanchion(&["mcp", "-"], tools).expect(0, &["x/a: accepted", "y/a: accepted"], &[]);
    let many: Vec<Value> =
        (0..10_003).map(|at| json!({"name": format!("t{at}"), "inputSchema": {"type": "object"}})).collect();
    stanchion(&["mcp", "-"], &json!(many).to_string()).expect(1, &["10000 accepted, 3 refused"], &[]);
}

#[test]
fn sarif_for_ci() {
    let output = stanchion(&["mcp", "--format", "sarif", "-"], TOOLS);
    assert_eq!(output.code, 1);
    let log: Value = serde_json::from_str(&output.stdout).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 2, "{log}");
    assert_eq!((&results[0]["ruleId"], &results[0]["level"]), (&json!("refused-tool"), &json!("error")));
    assert!(
        results[0]["message"]["text"].as_str().is_some_and(|text| text.starts_with("spy: inputSchema: "))
    );
}

#[test]
fn likely_mistakes_in_schemas_are_told() {
    let tools = r#"[{"name": "a", "inputSchema": {"type": "object", "properties": {"n": {"type": "number", "minLength": 1}}}}]"#;
    stanchion(&["mcp", "-"], tools).expect(
        0,
        &["a: accepted", "  inputSchema/properties/n/minLength: ", "[wrong-type]", "1 problems"],
        &[],
    );
    let output = stanchion(&["mcp", "--format", "json", "-"], tools);
    let report: Value = serde_json::from_str(&output.stdout).expect("JSON");
    let problem = &report["tools"][0]["problems"][0];
    assert_eq!((&problem["rule"], &problem["level"]), (&json!("wrong-type"), &json!("warning")));
    assert_eq!(problem["place"], "inputSchema/properties/n/minLength");
}

#[test]
fn a_broken_line_does_not_stop_the_rest() {
    let tool = r#"{"name": "a", "inputSchema": {"type": "object"}}"#;
    stanchion(&["mcp", "-"], &format!("{tool}\n{{oops\n")).expect(2, &["a: accepted"], &["-:2: "]);
}

#[test]
fn what_cannot_be_read_is_unusable() {
    stanchion(&["mcp", "-"], r#"{"type": "object"}"#).expect(2, &[], &["expected a tools/list result"]);
    stanchion(&["mcp", "-"], "[").expect(2, &[], &["-: EOF"]);
    stanchion(&["mcp", "no-such-file"], "").expect(2, &[], &["no-such-file: "]);
    stanchion(&["mcp"], "").expect(2, &[], &["TOOLS"]);
    stanchion(&["mcp", "a", "--stdio", "b"], "").expect(2, &[], &["cannot be used with"]);
}

#[test]
fn a_strangers_words_are_shown_and_not_obeyed() {
    let tools = "[{\"name\": \"\\u001b[31mred\", \"inputSchema\": {\"type\": \"object\"}}]";
    stanchion(&["mcp", "-"], tools).expect(0, &["\\u{1b}[31mred: accepted"], &[]);
}

#[test]
fn a_reader_who_has_seen_enough_is_no_error() {
    let file = Scratch::new("mcp-pipe").file("tools.json", TOOLS);
    assert_eq!(into_closed_pipe(&["mcp", &file]), 1);
}

#[test]
fn a_server_of_today_is_asked() {
    ask("modern", &[]).expect(
        1,
        &[
            "add: accepted\n  inputSchema: draft-07, ",
            "spy: refused\n",
            "2 tools: 1 accepted, 1 refused, 0 problems, protocol 2026-07-28\n",
        ],
        &[],
    );
}

#[test]
fn older_servers_are_greeted_first() {
    for behavior in ["old", "strict"] {
        ask(behavior, &[]).expect(1, &["add: accepted", "spy: refused", "protocol 2025-11-25"], &[]);
    }
}

#[test]
fn logs_and_questions_of_a_server_do_no_harm() {
    ask("chatty", &[]).expect(0, &["add: accepted", "1 tools: 1 accepted"], &[]);
}

#[test]
fn a_server_that_does_not_answer_is_given_up() {
    ask("silent", &["--timeout", "1"]).expect(2, &[], &["initialize: no answer in the time given"]);
}

#[test]
fn a_server_that_ends_has_its_last_words_told() {
    ask("dead", &[]).expect(2, &[], &["ended with exit status: 7", "it said: no configuration found"]);
}

#[test]
fn what_no_server_should_do_is_cut_short() {
    ask("endless", &[]).expect(2, &[], &["tools/list: more than 1000 pages"]);
    ask("long", &[]).expect(2, &[], &["a line of more than 16777216 bytes"]);
    ask("listless", &[]).expect(2, &[], &["tools/list: expected an array `tools`"]);
}

#[test]
fn a_command_that_is_not_there_is_named() {
    stanchion(&["mcp", "--stdio", "no-such-command", "--flag"], "").expect(2, &[], &["no-such-command: "]);
}
