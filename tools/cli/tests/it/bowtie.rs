//! `stanchion bowtie`, with a test that plays Bowtie's part and runs the whole official suite.

use crate::common;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Map, Value, json};
use stanchion::{Dialect, Validator};
use stanchion_suite::case::Expected;
use stanchion_suite::dialect::metaschema;
use stanchion_suite::evaluation::annotation_groups;
use stanchion_suite::official::{Official, Section};

/// A running harness, and our end of its pipes.
struct Harness {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    answers: Validator,
}

impl Harness {
    fn start(arguments: &[&str]) -> Harness {
        let mut child = Command::new(env!("CARGO_BIN_EXE_stanchion"))
            .arg("bowtie")
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let answers = Validator::new(&answer_schema()).expect("a schema");
        let mut harness = Harness { child, input, output, answers };
        let started = harness.ask(&json!({"cmd": "start", "version": 1}).to_string());
        assert_eq!(started["version"], 1);
        harness
    }

    /// Sends a request in one line. Instances keep the text of their files, which may have several.
    fn send(&mut self, request: &str) {
        let input = self.input.as_mut().expect("it was not stopped");
        writeln!(input, "{}", request.replace(['\n', '\r'], " ")).expect("the harness listens");
    }

    /// Sends a request and reads the answer, a line each.
    fn ask(&mut self, request: &str) -> Value {
        self.send(request);
        let mut line = String::new();
        self.output.read_line(&mut line).expect("an answer");
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?} to {request}"))
    }

    fn dialect(&mut self, dialect: Dialect) {
        let answer = self.ask(&json!({"cmd": "dialect", "dialect": metaschema(dialect)}).to_string());
        assert_eq!(answer, json!({"ok": true}), "{dialect:?}");
    }

    /// Runs a case, and checks the form of the answer against Bowtie's protocol.
    fn run(&mut self, seq: Value, case: &str, output: &str) -> Value {
        let answer = self.ask(&format!(r#"{{"cmd":"run","seq":{seq},"case":{case},"output":"{output}"}}"#));
        let problem = self.answers.validate(&answer).err();
        assert!(
            problem.is_none(),
            "{} in {answer}",
            problem.map(|error| error.to_string()).unwrap_or_default()
        );
        assert_eq!(answer["seq"], seq);
        answer
    }

    /// Asks it to stop, and returns its exit code.
    fn stop(mut self) -> i32 {
        self.send(r#"{"cmd": "stop"}"#);
        drop(self.input.take());
        let mut rest = String::new();
        self.output.read_line(&mut rest).expect("the end");
        assert_eq!(rest, "", "an answer to `stop`");
        self.child.wait().expect("it ends").code().expect("an exit code")
    }
}

/// Returns the schema of an answer to `run`.
fn answer_schema() -> Value {
    let errored = json!({
        "properties": {"errored": {"const": true}, "context": {"properties": {"message": {"type": "string"}}}},
        "required": ["errored"]
    });
    let note = json!({
        "properties": {
            "keyword": {"type": "string"},
            "instanceLocation": {"type": "string", "pattern": "^(/|$)"},
            "keywordLocation": {"type": "string", "pattern": "^#/"},
            "annotation": true
        },
        "required": ["keyword", "instanceLocation", "keywordLocation", "annotation"],
        "additionalProperties": false
    });
    let verdict = json!({
        "properties": {"valid": {"type": "boolean"}, "annotations": {"items": note}},
        "required": ["valid"],
        "additionalProperties": false
    });
    json!({
        "type": "object",
        "properties": {"seq": true},
        "required": ["seq"],
        "oneOf": [
            {"properties": {"results": {"items": {"type": "object", "oneOf": [verdict, errored]}}}, "required": ["results"]},
            errored
        ],
        "unevaluatedProperties": false
    })
}

/// Returns a case as Bowtie sends it. The registry is large, and only sent with schemas that may
/// refer to it.
fn case(description: &str, schema: &Value, instances: &[&str], registry: &Map<String, Value>) -> String {
    let tests: Vec<String> = instances
        .iter()
        .map(|instance| format!(r#"{{"description":"a test","instance":{instance}}}"#))
        .collect();
    let (description, tests) = (json!(description), tests.join(","));
    let is_needed = schema.to_string().contains("localhost:1234");
    let registry =
        if is_needed { format!(r#","registry":{}"#, Value::Object(registry.clone())) } else { String::new() };
    format!(r#"{{"description":{description},"schema":{schema},"tests":[{tests}]{registry}}}"#)
}

/// Runs all tests of some sections, and returns how many there were.
fn ask_suite(sections: &[Section], arguments: &[&str]) -> usize {
    let official = Official::get().unwrap_or_else(|error| panic!("{error}"));
    let registry: Map<String, Value> = official.remotes.iter().cloned().collect();
    let mut harness = Harness::start(arguments);
    let mut asked = 0;
    let mut seq = 0;
    for dialect in Dialect::ALL {
        harness.dialect(dialect);
        for &section in sections {
            for file in official.files(dialect, section).expect("tests") {
                for group in &file.groups {
                    let instances: Vec<&str> = group.tests.iter().map(|test| test.data.get()).collect();
                    seq += 1;
                    let request = case(&group.description, &group.schema, &instances, &registry);
                    let answer = harness.run(json!(seq), &request, "flag");
                    let place = format!("{} {}: {answer}", file.name, group.description);
                    let results = answer["results"].as_array().unwrap_or_else(|| panic!("{place}"));
                    assert_eq!(results.len(), group.tests.len(), "{place}");
                    for (test, result) in group.tests.iter().zip(results) {
                        let expected = test.expected().expect("a verdict") == Expected::Valid;
                        assert_eq!(result, &json!({"valid": expected}), "{place}: {}", test.description);
                        asked += 1;
                    }
                }
            }
        }
    }
    assert_eq!(harness.stop(), 0);
    asked
}

#[test]
fn the_official_suite_required_and_optional() {
    let asked = ask_suite(&[Section::Required, Section::Optional], &[]);
    assert!(asked > 5_000, "{asked} tests");
}

#[test]
fn the_official_suite_with_formats() {
    let asked = ask_suite(&[Section::Format], &["--assert-formats"]);
    assert!(asked > 2_000, "{asked} tests");
}

/// Bowtie identifies annotations by the place of their keyword; the suite, by that of the
/// subschema.
#[test]
fn the_official_annotation_tests() {
    let official = Official::get().unwrap_or_else(|error| panic!("{error}"));
    let mut harness = Harness::start(&[]);
    let mut asked = 0;
    for dialect in Dialect::ALL {
        harness.dialect(dialect);
        for (file, group) in annotation_groups(official, dialect).expect("tests") {
            let instances: Vec<&str> = group.tests.iter().map(|test| test.instance.get()).collect();
            let registry = Value::Object(group.external_schemas.clone().into_iter().collect());
            let tests: Vec<String> = instances
                .iter()
                .map(|instance| format!(r#"{{"description":"","instance":{instance}}}"#))
                .collect();
            let request = format!(
                r#"{{"description":"","schema":{},"registry":{registry},"tests":[{}]}}"#,
                group.schema,
                tests.join(",")
            );
            let answer = harness.run(json!([file, group.description]), &request, "annotations");
            let results = answer["results"].as_array().unwrap_or_else(|| panic!("{file}: {answer}"));
            for (test, result) in group.tests.iter().zip(results) {
                assert_eq!(result["valid"], true, "{file}: {}: {result}", group.description);
                for assertion in &test.assertions {
                    let expected: BTreeMap<String, Value> = assertion
                        .expected
                        .iter()
                        .map(|(place, value)| {
                            (decoded(&format!("{place}/{}", assertion.keyword)), value.clone())
                        })
                        .collect();
                    let found: BTreeMap<String, Value> = result["annotations"]
                        .as_array()
                        .expect("annotations")
                        .iter()
                        .filter(|note| note["instanceLocation"] == assertion.location.as_str())
                        .filter(|note| note["keyword"] == assertion.keyword.as_str())
                        .map(|note| {
                            (
                                decoded(note["keywordLocation"].as_str().expect("a place")),
                                note["annotation"].clone(),
                            )
                        })
                        .collect();
                    assert_eq!(found, expected, "{file}: {}: {}", group.description, assertion.keyword);
                    asked += 1;
                }
            }
        }
    }
    assert_eq!(harness.stop(), 0);
    assert!(asked > 150, "{asked} assertions");
}

fn decoded(fragment: &str) -> String {
    stanchion_vocab::pointer::decode_fragment(fragment).expect("text").into_owned()
}

#[test]
fn who_we_are() {
    let mut harness = Harness::start(&["--homepage", "https://example.com/stanchion"]);
    let answer = harness.ask(r#"{"cmd": "start", "version": 1}"#);
    let found = &answer["implementation"];
    assert_eq!((found["name"].as_str(), found["language"].as_str()), (Some("stanchion"), Some("rust")));
    assert_eq!(found["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(found["homepage"], "https://example.com/stanchion");
    // An unknown address is left out.
    assert_eq!(found.get("issues"), None);
    let dialects: Vec<&str> =
        found["dialects"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
    assert_eq!(dialects, Dialect::ALL.into_iter().rev().map(metaschema).collect::<Vec<_>>());
    assert_eq!(harness.stop(), 0);
}

#[test]
fn the_dialect_is_for_schemas_that_name_none() {
    let mut harness = Harness::start(&[]);
    let tuple = r#"{"description":"","schema":{"items":[{"type":"string"}]},"tests":[{"description":"","instance":[1]}]}"#;
    assert_eq!(harness.run(json!(1), tuple, "flag")["errored"], true, "2020-12 is the default");
    harness.dialect(Dialect::Draft07);
    assert_eq!(harness.run(json!(2), tuple, "flag")["results"], json!([{"valid": false}]));
    let unknown = harness.ask(r#"{"cmd": "dialect", "dialect": "http://example.com/dialect"}"#);
    assert_eq!(unknown, json!({"ok": false}));
    assert_eq!(harness.stop(), 0);
}

/// A refused schema or an undecided instance is an error of its case or test; the next one runs.
#[test]
fn errors_are_answers() {
    let mut harness = Harness::start(&["--limits", "steps=50"]);
    let outside = r#"{"description":"","schema":{"$ref":"http://example.com/x"},"tests":[{"description":"","instance":1}]}"#;
    let answer = harness.run(json!({"any": ["value"]}), outside, "flag");
    assert_eq!(answer["errored"], true);
    assert!(
        answer["context"]["message"].as_str().is_some_and(|message| message.contains("http://example.com/x"))
    );
    let many = vec!["1"; 200].join(",");
    let slow = format!(
        r#"{{"description":"","schema":{{"items":{{"type":"string"}}}},"tests":[{{"description":"","instance":[{many}]}},{{"description":"","instance":["a"]}}]}}"#
    );
    for output in ["flag", "annotations"] {
        let results = harness.run(json!("s"), &slow, output)["results"].clone();
        assert_eq!(results[0]["errored"], true, "{results}");
        assert_eq!(results[1]["valid"], true, "{results}");
    }
    let broken = r#"{"description":"","schema":{"minimum":1e999},"tests":[]}"#;
    assert_eq!(harness.run(json!(3), broken, "flag")["errored"], true);
    assert_eq!(harness.stop(), 0);
}

/// Every digit of an instance counts.
#[test]
fn instances_are_read_as_text() {
    let mut harness = Harness::start(&[]);
    let case = r#"{"description":"","schema":{"maximum":18446744073709551615},"tests":[
        {"description":"","instance":18446744073709551616},{"description":"","instance":18446744073709551615}]}"#;
    let answer = harness.run(json!(1), case, "flag");
    assert_eq!(answer["results"], json!([{"valid": false}, {"valid": true}]));
    assert_eq!(harness.stop(), 0);
}

#[test]
fn what_is_no_request() {
    for (input, message) in [
        ("{\"cmd\": \"run\"}\n", "request 1: expected `start` first"),
        ("{\"cmd\": \"start\", \"version\": 2}\n", "expected version 1"),
        ("{\"cmd\": \"start\"}\n", "expected version 1"),
        ("nonsense\n", "request 1: expected"),
        (
            "{\"cmd\": \"start\", \"version\": 1}\n\n{\"cmd\": \"dance\"}\n",
            "request 3: expected start, dialect, run or stop",
        ),
        (
            "{\"cmd\": \"start\", \"version\": 1}\n{\"cmd\": \"run\", \"seq\": 1}\n",
            "request 2: expected `run` with",
        ),
        (
            "{\"cmd\": \"start\", \"version\": 1}\n{\"cmd\": \"dialect\"}\n",
            "request 2: expected `dialect` with",
        ),
    ] {
        let output = common::stanchion(&["bowtie"], input);
        assert_eq!(output.code, 2, "{input}");
        assert!(output.stderr.contains(message), "{message:?} in {:?}", output.stderr);
    }
    common::stanchion(&["bowtie"], "").expect(0, &[], &[]);
}

#[test]
fn a_closed_pipe_is_no_panic() {
    assert_eq!(common::into_closed_pipe(&["bowtie"]), 0);
}
