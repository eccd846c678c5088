//! Sources of instances and schemas for `stanchion check`: files, directories, patterns, gzip,
//! lines, and `$schema` in instances.

use crate::common::Scratch;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

fn integers(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.file("schema.json", r#"{ "type": "integer" }"#);
    scratch
}

#[test]
fn folders_and_patterns_in_order() {
    let scratch = integers("sources-folders");
    scratch.file("calls/b.json", "1");
    scratch.file("calls/a/z.json", "2");
    scratch.file("calls/c.jsonl", "3\n4\n");
    scratch.file("calls/notes.txt", "no JSON");
    let output = scratch.stanchion(&["check", "schema.json", "calls"], b"");
    let expected = "calls/a/z.json: valid\ncalls/b.json: valid\ncalls/c.jsonl: 2 instances: 2 valid\n\
                    4 instances: 4 valid\n";
    assert_eq!((output.code, output.stdout.as_str(), output.stderr.as_str()), (0, expected, ""));
    let output = scratch.stanchion(&["check", "schema.json", "calls/**/*.json"], b"");
    let expected = "calls/a/z.json: valid\ncalls/b.json: valid\n2 instances: 2 valid\n";
    assert_eq!((output.code, output.stdout.as_str()), (0, expected));
}

#[test]
fn nothing_found_is_a_mistake() {
    let scratch = integers("sources-nothing");
    scratch.file("empty/notes.txt", "");
    scratch.stanchion(&["check", "-q", "schema.json", "empty"], b"").expect(
        2,
        &[],
        &["empty: no files that end in"],
    );
    scratch.stanchion(&["check", "-q", "schema.json", "*.jsonl"], b"").expect(
        2,
        &[],
        &["*.jsonl: no file matches"],
    );
    scratch.stanchion(&["check", "-q", "schema.json", "[a"], b"").expect(2, &[], &["[a: not a pattern"]);
}

/// A file without read permission, and a directory without.
#[cfg(unix)]
#[test]
fn what_may_not_be_read_is_named() {
    use std::fs::{self, Permissions};
    use std::os::unix::fs::PermissionsExt;
    let scratch = integers("sources-permission");
    let file = scratch.file("secret.json", "1");
    scratch.file("open.json", "2");
    fs::set_permissions(&file, Permissions::from_mode(0o000)).unwrap();
    if fs::read(&file).is_ok() {
        println!("skipped: whoever runs this may read everything");
        return;
    }
    let output = scratch.stanchion(&["check", "schema.json", "secret.json", "open.json"], b"");
    output.expect(2, &["open.json: valid"], &["secret.json: Permission denied"]);
}

#[test]
fn gzip_is_seen_by_its_beginning() {
    let scratch = integers("sources-gzip");
    scratch.bytes("a.json.gz", &gzip("17"));
    // Two members, as `cat a.gz b.gz` makes them.
    scratch.bytes("b.ndjson.gz", &[gzip("1\n\"two\"\n"), gzip("3\n")].concat());
    let output =
        scratch.stanchion(&["check", "--format", "line", "schema.json", "a.json.gz", "b.ndjson.gz"], b"");
    output.expect(1, &["b.ndjson.gz:2:1: /: expected an integer"], &[]);
    scratch.stanchion(&["check", "schema.json", "-"], &gzip("1")).expect(0, &["-: valid"], &[]);
    scratch.stanchion(&["check", "schema.json", "--lines", "-"], &gzip("1\n2\n")).expect(
        0,
        &["2 valid"],
        &[],
    );
    // A member that ends too soon.
    let whole = gzip(&"1\n".repeat(10_000));
    let cut = scratch.stanchion(&["check", "-q", "schema.json", "--lines", "-"], &whole[..whole.len() - 9]);
    cut.expect(2, &[], &["error[unreadable]: -: "]);
}

#[test]
fn a_document_that_is_too_long_is_not_read() {
    let scratch = integers("sources-long");
    // A small gzip file that expands to a lot of text.
    let bomb = gzip(&" ".repeat(10_000_000));
    let output = scratch.stanchion(&["check", "--limits", "text_bytes=1000000", "schema.json", "-"], &bomb);
    output.expect(2, &[], &["-: has more than 1000000 bytes (text_bytes)"]);
}

#[test]
fn broken_lines_do_not_stop_the_rest() {
    let scratch = integers("sources-broken");
    let long = format!("1\n{}\n3\nfour\n\n  \n7\n[", "2".repeat(2000));
    let limited = ["check", "--format", "line", "--lines", "--limits", "line_bytes=1000", "schema.json", "-"];
    let output = scratch.stanchion(&limited, long.as_bytes());
    let expected = "-:2: line 2 has more than 1000 bytes (line_bytes)\n\
                    -:4:2: not JSON: expected ident\n\
                    -:8:1: not JSON: EOF while parsing a list\n";
    assert_eq!((output.code, output.stdout.as_str(), output.stderr.as_str()), (2, expected, ""));
}

#[test]
fn lines_that_are_not_utf_8() {
    let scratch = integers("sources-utf-8");
    let output = scratch
        .stanchion(&["check", "--format", "line", "--lines", "schema.json", "-"], b"1\n\"\xff\xfe\"\n3\n");
    output.expect(2, &["-:2:"], &[]);
    assert_eq!(output.stdout.lines().count(), 1);
}

#[test]
fn order_does_not_depend_on_threads() {
    let scratch = integers("sources-order");
    let lines: Vec<String> =
        (0..100_000).map(|n| if n % 7 == 0 { format!("\"{n}\"") } else { n.to_string() }).collect();
    let text = lines.join("\n");
    let run = |threads| {
        let arguments = ["check", "--format", "line", "--lines", "--threads", threads, "schema.json", "-"];
        scratch.stanchion(&arguments, text.as_bytes()).stdout
    };
    let one = run("1");
    assert_eq!(one.lines().count(), 14_286);
    assert!(one.lines().zip((1..).step_by(7)).all(|(line, n)| line.starts_with(&format!("-:{n}:1: "))));
    assert_eq!(run("2"), one);
    assert_eq!(run("7"), one);
}

/// Writes resources that instances may name, by `$id` or by path.
fn registry(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    let point = r#"{ "$id": "https://example.com/point", "required": ["x"], "properties": { "x": { "$ref": "number" } } }"#;
    scratch.file("schemas/point.json", point);
    scratch.file("schemas/number.json", r#"{ "$id": "https://example.com/number", "type": "number" }"#);
    scratch.file("schemas/plain.json", r#"{ "minProperties": 2 }"#);
    scratch.file("outside.json", "false");
    scratch
}

#[test]
fn schemas_that_instances_name() {
    let scratch = registry("sources-named");
    scratch.file("data/a.json", r#"{ "$schema": "https://example.com/point", "x": 1 }"#);
    scratch.file("data/b.json", r#"{ "$schema": "https://example.com/point#", "x": "1" }"#);
    scratch.file("data/c.json", r#"{ "$schema": "../schemas/plain.json" }"#);
    scratch.file("data/d.json", r#"{ "$schema": "plain.json", "y": 1 }"#);
    scratch.file("data/e.json", r#"{ "$schema": "https://example.com/other" }"#);
    scratch.file("data/f.json", r#"{ "$schema": "../outside.json" }"#);
    scratch.file("data/g.json", "[]");
    scratch
        .file("data/h.json", r#"{ "$schema": "https://json-schema.org/draft/2020-12/schema", "type": 1 }"#);
    let output = scratch.stanchion(
        &["check", "--format", "json", "-q", "--schema-from", "--resources", "schemas", "data"],
        b"",
    );
    let found: Vec<(String, String)> = output
        .stdout
        .lines()
        .map(|line| {
            let record: serde_json::Value = serde_json::from_str(line).unwrap();
            let why = record["errors"][0]["error"].as_str().or(record["error"].as_str()).unwrap();
            (record["file"].as_str().unwrap().to_owned(), why.to_owned())
        })
        .collect();
    assert_eq!(output.code, 2);
    let expected = [
        ("data/b.json", "expected a number, found the string \"1\""),
        ("data/c.json", "found 1 property, fewer than the minimum 2"),
        (
            "data/e.json",
            "names the schema \"https://example.com/other\", which is not among the resources; nothing is fetched",
        ),
        (
            "data/f.json",
            "names the schema \"../outside.json\", which is not among the resources; nothing is fetched",
        ),
        ("data/g.json", "names no schema: it is not an object and has no member \"$schema\""),
    ];
    for ((file, why), expected) in found.iter().zip(expected) {
        assert_eq!((file.as_str(), why.as_str()), expected);
    }
    assert_eq!((found.len(), found[5].0.as_str()), (6, "data/h.json"));
}

#[test]
fn schemas_that_lines_name_in_a_member_of_their_own() {
    let scratch = registry("sources-member");
    let lines = "{\"kind\": \"plain.json\", \"a\": 1}\n{\"kind\": \"plain.json\"}\n{\"kind\": 7}\n";
    let arguments =
        ["check", "--format", "line", "--schema-from=kind", "--resources", "schemas", "--lines", "-"];
    let output = scratch.stanchion(&arguments, lines.as_bytes());
    assert_eq!(output.code, 2);
    let places: Vec<&str> = output.stdout.lines().map(|line| &line[..5]).collect();
    assert_eq!(places, ["-:2:1", "-:3: "], "{}", output.stdout);
}

#[test]
fn resources_of_a_folder_serve_references() {
    let scratch = registry("sources-resources");
    scratch.file("schema.json", r#"{ "properties": { "at": { "$ref": "https://example.com/point" }, "n": { "$ref": "plain.json" } } }"#);
    scratch.file("good.json", r#"{ "at": { "x": 1 }, "n": [] }"#);
    scratch.file("bad.json", r#"{ "at": { "x": "1" }, "n": {} }"#);
    scratch.stanchion(&["check", "-q", "--resources", "schemas", "schema.json", "good.json"], b"").expect(
        0,
        &[],
        &[],
    );
    let output = scratch
        .stanchion(&["check", "--format", "line", "--resources", "schemas", "schema.json", "bad.json"], b"");
    output.expect(1, &["/at/x: ", "/n: "], &[]);
    scratch.stanchion(&["check", "-q", "--resources", "absent", "schema.json", "good.json"], b"").expect(
        2,
        &[],
        &["absent"],
    );
    scratch.file("twice/a.json", r#"{ "$id": "https://example.com/a" }"#);
    scratch.file("twice/b.json", r#"{ "$id": "https://example.com/a" }"#);
    let output = scratch.stanchion(&["check", "-q", "--resources", "twice", "schema.json", "good.json"], b"");
    output.expect(2, &[], &["both claim https://example.com/a"]);
}
