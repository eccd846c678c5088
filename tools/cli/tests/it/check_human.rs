//! Output of `stanchion check` for people.

use crate::common::Scratch;
use expect_test::{Expect, expect};

const SCHEMA: &str = r#"{
  "type": "object",
  "properties": {
    "city": { "type": "string", "minLength": 1 },
    "days": { "type": "integer", "minimum": 1, "maximum": 14 }
  },
  "required": ["city"],
  "additionalProperties": false
}
"#;

fn scratch(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.file("schema.json", SCHEMA);
    scratch
}

/// Checks the exit code and both streams, as one text.
#[track_caller]
fn check(scratch: &Scratch, arguments: &[&str], stdin: &str, expected: Expect) {
    let output = scratch.stanchion(arguments, stdin.as_bytes());
    let text = format!("{}--- {}\n{}", output.stdout, output.code, output.stderr);
    expected.assert_eq(&text);
}

#[test]
fn one_that_is_valid() {
    let scratch = scratch("human-valid");
    scratch.file("call.json", r#"{ "city": "Turin", "days": 3 }"#);
    check(
        &scratch,
        &["check", "schema.json", "call.json"],
        "",
        expect![[r#"
        call.json: valid
        --- 0
    "#]],
    );
}

#[test]
fn one_that_is_not() {
    let scratch = scratch("human-invalid");
    scratch.file("call.json", "{\n  \"citty\": \"Turin\",\n  \"days\": 15\n}\n");
    check(
        &scratch,
        &["check", "schema.json", "call.json"],
        "",
        expect![[r#"
        --- 1
        error[additionalProperties]: unknown property "citty" (did you mean "city"?)
          ┌─ call.json:2:3
          │
        2 │   "citty": "Turin",
          │   ^^^^^^^ /
          │
          ┌─ schema.json:8:3
          │
        8 │   "additionalProperties": false
          │   ----------------------------- /additionalProperties
          │
          = help: expected {"city": string, "days"?: integer 1..14}

        error[required]: missing required property "city"
          ┌─ call.json:1:1
          │
        1 │ {
          │ ^ /
          │
          ┌─ schema.json:7:3
          │
        7 │   "required": ["city"],
          │   -------------------- /required
          │
          = help: expected {"city": string, "days"?: integer 1..14}

        error[maximum]: 15 is more than the maximum 14
          ┌─ call.json:3:11
          │
        3 │   "days": 15
          │           ^^ /days
          │
          ┌─ schema.json:5:48
          │
        5 │     "days": { "type": "integer", "minimum": 1, "maximum": 14 }
          │                                                ------------- /properties/days/maximum

    "#]],
    );
}

#[test]
fn lines() {
    let scratch = scratch("human-lines");
    let lines =
        "{\"city\": \"Oslo\"}\n\n{\"city\": \"\"}\r\n{\"city\": oops}\n{\"city\": \"Lima\", \"days\": 1}";
    scratch.file("calls.jsonl", lines);
    check(
        &scratch,
        &["check", "schema.json", "calls.jsonl"],
        "",
        expect![[r#"
        calls.jsonl: 4 instances: 2 valid, 1 invalid, 1 unusable
        --- 2
        error[minLength]: "" has 0 characters, fewer than the minimum 1
          ┌─ calls.jsonl:3:10
          │
        3 │ {"city": ""}
          │          ^^ /city
          │
          ┌─ schema.json:4:33
          │
        4 │     "city": { "type": "string", "minLength": 1 },
          │                                 -------------- /properties/city/minLength

        error[json]: not JSON: expected value
          ┌─ calls.jsonl:4:10
          │
        4 │ {"city": oops}
          │          ^

    "#]],
    );
    check(
        &scratch,
        &["check", "-q", "--lines", "schema.json", "-"],
        lines,
        expect![[r#"
        --- 2
        error[minLength]: "" has 0 characters, fewer than the minimum 1
          ┌─ -:3:10
          │
        3 │ {"city": ""}
          │          ^^ /city
          │
          ┌─ schema.json:4:33
          │
        4 │     "city": { "type": "string", "minLength": 1 },
          │                                 -------------- /properties/city/minLength

        error[json]: not JSON: expected value
          ┌─ -:4:10
          │
        4 │ {"city": oops}
          │          ^

    "#]],
    );
}

#[test]
fn several_with_a_summary() {
    let scratch = scratch("human-several");
    scratch.file("a.json", r#"{ "city": "Turin" }"#);
    scratch.file("b.json", r#"{ "city": 1 }"#);
    scratch.file("c.jsonl", "{\"city\": \"Oslo\"}\n{\"city\": \"Lima\"}\n");
    let all = ["check", "schema.json", "a.json", "absent.json", "b.json", "c.jsonl"];
    check(
        &scratch,
        &all,
        "",
        expect![[r#"
        a.json: valid
        c.jsonl: 2 instances: 2 valid
        5 instances: 3 valid, 1 invalid, 1 unusable
        --- 2
        error[unreadable]: absent.json: No such file or directory (os error 2)

        error[type]: expected a string, found 1
          ┌─ b.json:1:11
          │
        1 │ { "city": 1 }
          │           ^ /city
          │
          ┌─ schema.json:4:15
          │
        4 │     "city": { "type": "string", "minLength": 1 },
          │               ---------------- /properties/city/type

    "#]],
    );
}

#[test]
fn no_more_pictures_than_asked_for() {
    let scratch = scratch("human-show");
    let lines = "{\"city\": 1, \"days\": 0}\n".repeat(1000);
    check(
        &scratch,
        &["check", "--lines", "--show", "1", "schema.json", "-"],
        &lines,
        expect![[r#"
            -: 1000 instances: 1000 invalid
            1999 errors are not shown (--show)
            --- 1
            error[type]: expected a string, found 1
              ┌─ -:1:10
              │
            1 │ {"city": 1, "days": 0}
              │          ^ /city
              │
              ┌─ schema.json:4:15
              │
            4 │     "city": { "type": "string", "minLength": 1 },
              │               ---------------- /properties/city/type

        "#]],
    );
    check(
        &scratch,
        &["check", "--lines", "--show", "0", "schema.json", "-"],
        &lines,
        expect![[r#"
            -: 1000 instances: 1000 invalid
            2000 errors are not shown (--show)
            --- 1
        "#]],
    );
}

#[test]
fn more_errors_than_are_listed() {
    let scratch = scratch("human-cut");
    scratch.file("call.json", r#"{ "city": 1, "days": 0 }"#);
    let limits = ["check", "--limits", "errors=1", "schema.json", "call.json"];
    check(
        &scratch,
        &limits,
        "",
        expect![[r#"
        --- 1
        error[type]: expected a string, found 1
          ┌─ call.json:1:11
          │
        1 │ { "city": 1, "days": 0 }
          │           ^ /city
          │
          ┌─ schema.json:4:15
          │
        4 │     "city": { "type": "string", "minLength": 1 },
          │               ---------------- /properties/city/type

        note[errors]: call.json: there are more errors than these (--limits errors=N)

    "#]],
    );
}

#[test]
fn a_schema_that_is_refused() {
    let scratch = scratch("human-refused");
    let bad = "{\n  \"properties\": { \"a\": { \"type\": \"strin\" } },\n  \"requried\": [],\n  \"minProperties\": -1\n}";
    scratch.file("bad.json", bad);
    scratch.file("broken.json", "{ \"type\": \"object\", }");
    scratch.file("call.json", "{}");
    check(
        &scratch,
        &["check", "bad.json", "call.json"],
        "",
        expect![[r#"
            --- 2
            error[schema]: expected an integer of 0 or more, found -1
              ┌─ bad.json:4:20
              │
            4 │   "minProperties": -1
              │                    ^^ /minProperties

            error[schema]: expected one of "array", "boolean", "integer", "null", "number", "object", "string", found "strin" (did you mean "string"?)
              ┌─ bad.json:2:34
              │
            2 │   "properties": { "a": { "type": "strin" } },
              │                                  ^^^^^^^ /properties/a/type

            warning[schema]: unknown keyword "requried" (did you mean "required"?)
              ┌─ bad.json:3:3
              │
            3 │   "requried": [],
              │   ^^^^^^^^^^ /requried

        "#]],
    );
    check(
        &scratch,
        &["check", "broken.json", "call.json"],
        "",
        expect![[r#"
        --- 2
        error[json]: not JSON: trailing comma
          ┌─ broken.json:1:21
          │
        1 │ { "type": "object", }
          │                     ^

    "#]],
    );
    check(
        &scratch,
        &["check", "absent.json", "call.json"],
        "",
        expect![[r#"
        --- 2
        error[unreadable]: absent.json: No such file or directory (os error 2)

    "#]],
    );
    check(
        &scratch,
        &["check", ".", "call.json"],
        "",
        expect![[r#"
        --- 2
        error[unreadable]: .: is a directory

    "#]],
    );
}

#[test]
fn a_schema_that_means_something_else() {
    let scratch = scratch("human-warning");
    scratch.file("odd.json", "{\n  \"requried\": [\"city\"]\n}");
    check(
        &scratch,
        &["check", "odd.json", "-"],
        "{}",
        expect![[r#"
            -: valid
            --- 0
            warning[schema]: unknown keyword "requried" (did you mean "required"?)
              ┌─ odd.json:2:3
              │
            2 │   "requried": ["city"]
              │   ^^^^^^^^^^ /requried

        "#]],
    );
    check(
        &scratch,
        &["check", "-q", "odd.json", "-"],
        "{}",
        expect![[r#"
        --- 0
    "#]],
    );
}

#[test]
fn colors_when_asked_for() {
    let scratch = scratch("human-color");
    scratch.file("call.json", r#"{ "city": "Turin" }"#);
    let output = scratch.stanchion(&["check", "--color", "always", "schema.json", "call.json"], b"");
    assert_eq!(output.stdout, "call.json: \u{1b}[32mvalid\u{1b}[0m\n");
    let output = scratch.stanchion(&["check", "--color", "always", "schema.json", "-"], b"{}");
    assert!(output.stderr.starts_with("\u{1b}["), "{:?}", output.stderr);
    let output = scratch.stanchion(&["check", "schema.json", "-"], b"{}");
    assert!(!output.stderr.contains('\u{1b}'), "{:?}", output.stderr);
}
