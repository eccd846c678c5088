//! `stanchion bench` as a user runs it. Figures are not checked, since they depend on the machine.

use crate::common::{self, Scratch, example};
use serde_json::Value;

fn scratch(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.file("schema.json", r#"{ "type": "object", "required": ["id"] }"#);
    scratch.file("lines.jsonl", "{\"id\": 1}\n\n{\"id\": 2}\n{}\n");
    scratch
}

#[test]
fn a_table() {
    let output =
        scratch("bench-table").stanchion(&["bench", "--seconds", "0", "schema.json", "lines.jsonl"], b"");
    let labels = ["compile", "verdict, parsed", "verdict, from text", "MB/s", "steps", "memory"];
    output.expect(0, &[&labels[..], &["3 of 20 bytes: 2 valid, 1 invalid"]].concat(), &[]);
    assert_eq!(output.stdout.lines().count(), 7);
}

#[test]
fn json() {
    let schema = example("weather.schema.json");
    let (good, bad) = (example("weather.call.json"), example("weather.bad.json"));
    let output = common::stanchion(&["bench", "--seconds", "0", "--json", &schema, &good, &bad], "");
    let figures: Value = serde_json::from_str(&output.stdout).expect("JSON");
    assert_eq!(
        (&figures["valid"], &figures["invalid"], &figures["instances"]),
        (&1.into(), &1.into(), &2.into())
    );
    for name in ["compile_ns", "parsed_ns_per_instance", "text_mb_per_s", "steps", "compiled_heap_bytes"] {
        assert!(figures[name].as_f64().is_some_and(|figure| figure > 0.0), "{name} in {figures}");
    }
}

#[test]
fn what_cannot_be_measured() {
    let scratch = scratch("bench-unusable");
    scratch.file("broken.jsonl", "{}\n{\n");
    scratch.file("bad.json", r#"{ "minimum": "x" }"#);
    for (arguments, complaint) in [
        (["schema.json", "broken.jsonl"], "broken.jsonl:2: not JSON"),
        (["schema.json", "absent.json"], "absent.json: "),
        (["bad.json", "lines.jsonl"], "bad.json: /minimum: expected a number"),
        (["--seconds=-1", "lines.jsonl"], "--seconds"),
    ] {
        scratch.stanchion(&[&["bench"][..], &arguments].concat(), b"").expect(2, &[], &[complaint]);
    }
}
