//! `stanchion check` as a user runs it: exit codes, and the output of both streams.

use crate::common::{self, Scratch, example, stanchion};

#[test]
fn a_valid_instance() {
    let output = stanchion(&["check", &example("weather.schema.json"), &example("weather.call.json")], "");
    output.expect(0, &[&format!("{}: valid", example("weather.call.json"))], &[]);
}

#[test]
fn an_invalid_instance_has_one_line_for_each_error() {
    let bad = example("weather.bad.json");
    let schema = example("weather.schema.json");
    let output = stanchion(&["check", "--format", "line", &schema, &bad], "");
    assert_eq!((output.code, output.stderr.as_str()), (1, ""));
    assert_eq!(output.stdout.lines().count(), 4, "{}", output.stdout);
    for place in [":3:11: /days: ", ":4:12: /units: ", ":5:23: /include: ", ":6:3: /"] {
        assert!(output.stdout.contains(&format!("{bad}{place}")), "{place} in {}", output.stdout);
    }
    assert!(output.stdout.contains("verbose"), "{}", output.stdout);
}

#[test]
fn a_hostile_schema_is_refused() {
    let hostile = example("hostile.schema.json");
    let output = stanchion(&["check", &hostile, &example("weather.call.json")], "");
    let place = format!("{hostile}:6:24");
    output.expect(2, &[], &[&place, "/properties/place/$ref", "http://169.254.169.254/latest/meta-data/"]);
}

#[test]
fn a_ring_is_refused() {
    let scratch = Scratch::new("ring");
    let schema = scratch.file("schema.json", r##"{ "$ref": "#" }"##);
    let instance = scratch.file("instance.json", "1");
    stanchion(&["check", &schema, &instance], "").expect(2, &[], &[&schema]);
}

#[test]
fn a_malformed_schema_is_refused_with_its_place() {
    let scratch = Scratch::new("malformed");
    let schema = scratch.file("schema.json", r#"{ "properties": { "age": { "minimum": "x" } } }"#);
    let instance = scratch.file("instance.json", "1");
    let refusal = format!("{schema}:1:39: /properties/age/minimum: expected a number, found a string");
    stanchion(&["check", "--format", "line", &schema, &instance], "").expect(2, &[&refusal], &[]);
}

#[test]
fn an_instance_from_standard_input() {
    let scratch = Scratch::new("stdin-instance");
    let schema = scratch.file("schema.json", r#"{ "type": "string" }"#);
    stanchion(&["check", &schema, "-"], "\"a\"").expect(0, &["-: valid"], &[]);
    stanchion(&["check", &schema, "-"], "1").expect(1, &[], &["-:1:1", "expected a string, found 1"]);
}

#[test]
fn a_schema_from_standard_input() {
    let scratch = Scratch::new("stdin-schema");
    let instance = scratch.file("instance.json", "1");
    stanchion(&["check", "-", &instance], r#"{ "const": 1.0 }"#).expect(
        0,
        &[&format!("{instance}: valid")],
        &[],
    );
    stanchion(&["check", "-", &instance], r#"{ "const": 1, }"#).expect(2, &[], &["-:1:15", "trailing comma"]);
}

#[test]
fn standard_input_is_read_once() {
    stanchion(&["check", "-", "-"], "{}").expect(2, &[], &["only once"]);
}

#[test]
fn a_missing_file() {
    let scratch = Scratch::new("missing");
    let schema = scratch.file("schema.json", "true");
    let absent = scratch.path("absent.json");
    let there = scratch.file("there.json", "1");
    // The others are still checked.
    let output = stanchion(&["check", &schema, &absent, &there], "");
    output.expect(2, &[&format!("{there}: valid")], &[&format!("{absent}: ")]);
    stanchion(&["check", &absent, &there], "").expect(2, &[], &[&format!("{absent}: ")]);
}

#[test]
fn malformed_json_has_a_line_and_a_column() {
    let scratch = Scratch::new("bad-json");
    let schema = scratch.file("schema.json", "true");
    let instance = scratch.file("instance.json", "{\n  \"a\": 1,\n  \"b\": oops\n}");
    stanchion(&["check", &schema, &instance], "").expect(2, &[], &[&format!("{instance}:3:8"), "not JSON"]);
    let empty = scratch.file("empty.json", "");
    stanchion(&["check", &schema, &empty], "").expect(2, &[], &[&format!("{empty}:1:1"), "not JSON"]);
    stanchion(&["check", &instance, &empty], "").expect(2, &[], &[&format!("{instance}:3:8"), "not JSON"]);
}

#[test]
fn undecided() {
    let scratch = Scratch::new("undecided");
    let schema = scratch.file("schema.json", r#"{ "items": { "type": "integer" } }"#);
    let long = scratch.file("long.json", &format!("[{}1]", "1, ".repeat(5000)));
    let output = stanchion(&["check", "--steps", "100", &schema, &long], "");
    output.expect(3, &[], &[&format!("{long}: undecided: "), "steps"]);
    let limits = ["check", "--limits", "errors=3,steps=100", &schema, &long];
    stanchion(&limits, "").expect(3, &[], &["undecided"]);
    stanchion(&["check", &schema, &long], "").expect(0, &[&format!("{long}: valid")], &[]);
}

#[test]
fn unusable_goes_before_undecided_and_undecided_before_invalid() {
    let scratch = Scratch::new("precedence");
    let schema = scratch.file("schema.json", r#"{ "type": "array", "items": { "type": "integer" } }"#);
    let long = scratch.file("long.json", &format!("[{}1]", "1, ".repeat(5000)));
    let invalid = scratch.file("invalid.json", "{}");
    let absent = scratch.path("absent.json");
    let steps = ["check", "-q", "--steps", "100", &schema];
    stanchion(&[&steps[..], &[&long, &invalid]].concat(), "").expect(3, &[], &[&long, &invalid]);
    stanchion(&[&steps[..], &[&invalid, &absent, &long]].concat(), "").expect(
        2,
        &[],
        &[&long, &invalid, &absent],
    );
}

#[test]
fn quiet_prints_only_errors() {
    let scratch = Scratch::new("quiet");
    let schema = scratch.file("schema.json", r#"{ "type": "string" }"#);
    let good = scratch.file("good.json", "\"a\"");
    let bad = scratch.file("bad.json", "1");
    stanchion(&["check", "-q", &schema, &good], "").expect(0, &[], &[]);
    stanchion(&["check", "-q", &schema, &good, &bad], "").expect(1, &[], &[&format!("{bad}:1:1")]);
}

#[test]
fn formats_assert_when_asked() {
    let scratch = Scratch::new("formats");
    let schema = scratch.file("schema.json", r#"{ "format": "ipv4" }"#);
    let instance = scratch.file("instance.json", "\"not an address\"");
    stanchion(&["check", "-q", &schema, &instance], "").expect(0, &[], &[]);
    stanchion(&["check", "-q", "--assert-formats", &schema, &instance], "").expect(1, &[], &["ipv4"]);
}

#[test]
fn references_leave_the_document_when_asked() {
    let scratch = Scratch::new("bundled");
    let schema = scratch.file("schema.json", r#"{ "$ref": "https://example.com/item" }"#);
    let item = scratch.file("item.json", r#"{ "type": "integer" }"#);
    let instance = scratch.file("instance.json", "1");
    let resource = format!("https://example.com/item={item}");
    let bundled = ["check", "-q", "--bundled", "--resource", &resource, &schema];
    stanchion(&[&bundled[..], &[&instance]].concat(), "").expect(0, &[], &[]);
    stanchion(&[&bundled[..], &[&item]].concat(), "").expect(1, &[], &[&format!("{item}:1:1")]);
    stanchion(&["check", &schema, &instance], "").expect(2, &[], &["https://example.com/item"]);
    stanchion(&["check", "--bundled", &schema, &instance], "").expect(2, &[], &["https://example.com/item"]);
    stanchion(&["check", "--resource", &resource, &schema, &instance], "").expect(2, &[], &["--bundled"]);
    stanchion(&["check", "--bundled", "--resource", "x", &schema, &instance], "").expect(
        2,
        &[],
        &["URI=FILE"],
    );
}

#[test]
fn the_dialect_of_schemas_that_declare_none() {
    let scratch = Scratch::new("dialect");
    let schema = scratch.file("schema.json", r#"{ "items": [{ "type": "string" }] }"#);
    let instance = scratch.file("instance.json", "[1]");
    stanchion(&["check", &schema, &instance], "").expect(2, &[], &["/items"]);
    stanchion(&["check", "--dialect", "draft7", &schema, &instance], "").expect(1, &[], &["/0"]);
    stanchion(&["check", "--dialect", "draft3", &schema, &instance], "").expect(
        2,
        &[],
        &["2020-12, 2019-09, draft-07"],
    );
}

#[test]
fn bad_usage() {
    stanchion(&["check"], "").expect(2, &[], &["Usage"]);
    stanchion(&["check", "schema.json"], "").expect(2, &[], &["INSTANCE"]);
    stanchion(&["check", "--steps", "many", "a", "b"], "").expect(2, &[], &["--steps"]);
    stanchion(&["chekc", "a", "b"], "").expect(2, &[], &["check"]);
}

#[test]
fn control_characters_are_not_printed() {
    let scratch = Scratch::new("control");
    let schema = scratch.file("schema.json", r#"{ "additionalProperties": false }"#);
    let instance = scratch.file("instance.json", r#"{ "\u001b[2J\n": 1 }"#);
    for format in ["human", "line", "json", "sarif"] {
        let output = stanchion(&["check", "-q", "--format", format, &schema, &instance], "");
        assert_eq!(output.code, 1, "{}", output.stderr);
        let printed = output.stdout + &output.stderr;
        assert!(printed.contains("[2J") && !printed.contains('\u{1b}'), "{printed:?}");
    }
}

#[test]
fn a_closed_pipe_is_no_panic() {
    let scratch = Scratch::new("pipe");
    let schema = scratch.file("schema.json", "true");
    let instance = scratch.file("instance.json", "1");
    let many = vec![instance.as_str(); 2000];
    let code = common::into_closed_pipe(&[&["check", &schema][..], &many].concat());
    assert_eq!(code, 0);
}
