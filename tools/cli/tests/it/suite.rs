//! `stanchion suite` as a user runs it.

use crate::common::{self, Scratch, stanchion};

const GOOD: &str = r#"[{
    "description": "a type", "schema": { "type": "string" }, "tests": [
        { "description": "a string", "data": "a", "valid": true },
        { "description": "a number", "data": 1, "valid": false }
    ]
}]"#;

const WRONG: &str = r#"[{
    "description": "a type", "schema": { "type": "string" }, "tests": [
        { "description": "wrong on purpose", "data": 1, "valid": true }
    ]
}]"#;

#[test]
fn the_official_suite() {
    let output = stanchion(&["suite", "--dialect", "2020-12"], "");
    output.expect(0, &["draft2020-12"], &[]);
    for line in [
        ["required", "1301/1301", "1301/1301", "1301/1301"],
        ["optional", "162/162", "162/162", "162/162"],
        ["format", "874/874", "874/874", "874/874"],
        ["annotations", "55/55", "55/55", "-"],
        ["output", "4/4", "4/4", "-"],
    ] {
        let found = output.stdout.lines().any(|cells| cells.split_whitespace().skip(1).eq(line));
        assert!(found, "{line:?} in\n{}", output.stdout);
    }
}

#[test]
fn a_folder_in_the_format() {
    let scratch = Scratch::new("folder");
    scratch.file("a.json", GOOD);
    scratch.file("b.json", GOOD);
    let output = stanchion(&["suite", &scratch.path("")], "");
    output.expect(0, &["a.json", "b.json", "total", "4/4"], &[]);
}

#[test]
fn a_failing_test_is_listed() {
    let scratch = Scratch::new("failing");
    scratch.file("good.json", GOOD);
    scratch.file("wrong.json", WRONG);
    let output = stanchion(&["suite", &scratch.path("")], "");
    output.expect(1, &["good.json", "2/2", "wrong.json", "0/1"], &["wrong.json: a type: wrong on purpose"]);
}

#[test]
fn one_file() {
    let scratch = Scratch::new("file");
    let file = scratch.file("a.json", GOOD);
    stanchion(&["suite", &file], "").expect(0, &["2/2"], &[]);
}

#[test]
fn a_folder_named_for_a_dialect() {
    let scratch = Scratch::new("draft7-folder");
    let tests = r#"[{
        "description": "items", "schema": { "items": [{ "type": "string" }] }, "tests": [
            { "description": "a number", "data": [1], "valid": false }
        ]
    }]"#;
    scratch.file("draft7/items.json", tests);
    stanchion(&["suite", &scratch.path("")], "").expect(0, &["draft7", "1/1"], &[]);
}

#[test]
fn nothing_to_run() {
    let scratch = Scratch::new("nothing");
    stanchion(&["suite", &scratch.path("absent")], "").expect(2, &[], &["absent"]);
    stanchion(&["suite", &scratch.path("")], "").expect(2, &[], &["no tests"]);
    let file = scratch.file("a.json", "{}");
    stanchion(&["suite", &file], "").expect(2, &[], &["a.json"]);
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let scratch = Scratch::new("suite-pipe");
    for number in 0..200 {
        scratch.file(&format!("{number}.json"), GOOD);
    }
    assert_eq!(common::into_closed_pipe(&["suite", &scratch.path("")]), 0);
}
