//! `stanchion cost` as a user runs it.

use crate::common::{self, Scratch, example, stanchion};
use expect_test::expect;
use serde_json::{Value, json};

fn report(schema: &Value) -> Value {
    let output = stanchion(&["cost", "--json", "-"], &schema.to_string());
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    serde_json::from_str(&output.stdout).expect("JSON")
}

#[track_caller]
fn assert_advised(schema: &Value, words: &str, place: &str) {
    let report = report(schema);
    let advice = report["advice"].as_array().expect("a list");
    let found = advice.iter().any(|advice| {
        let places = advice["places"].as_array().expect("a list");
        advice["text"].as_str().is_some_and(|text| text.contains(words)) && places.contains(&json!(place))
    });
    assert!(found, "{words:?} for {place} in {report:#}");
}

#[test]
fn an_honest_schema() {
    let output = stanchion(&["cost", &example("weather.schema.json"), "--places", "3"], "");
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    expect![[r#"
        depth              3 of 64
        subschemas        14 of 10,000
        document_bytes   826 of 4,194,304
        pattern_size       0 of 80,000
                         0 patterns, 2 references

        growth           linear: in proportion to the instance
        steps            at most 991,000 of 2,000,000 for 1,000 values in 20,000 bytes
                         up to 2,018 values of 20 bytes, a verdict is certain within the steps

        where it comes from
           13 %          135,000  /properties/include/uniqueItems
           12 %          124,000  /properties/days/type
           12 %          124,000  /$defs/coordinates/properties/lat/maximum

        what to change
          nothing
    "#]]
    .assert_eq(&output.stdout);
}

#[test]
fn as_json() {
    let schema = json!({"properties": {"a": {"type": "string", "pattern": "^a+$"}}, "required": ["a"]});
    let report = report(&schema);
    assert_eq!(report["growth"], "linear");
    assert_eq!(report["size"]["subschemas"], json!({"count": 2, "limit": 10_000}));
    assert_eq!(report["size"]["depth"], json!({"count": 1, "limit": 64}));
    assert_eq!((&report["patterns"], &report["references"]), (&json!(1), &json!(0)));
    assert_eq!((&report["nodes"], &report["bytes"]), (&json!(1_000), &json!(20_000)));
    assert_eq!(report["places"][0]["pointer"], "/properties/a/pattern");
    assert!(report["steps"]["count"].as_u64().is_some_and(|steps| steps > 1_000));
}

/// The bound is for an instance of the requested size.
#[test]
fn for_a_larger_instance() {
    let schema = json!({"items": {"type": "string", "maxLength": 3}}).to_string();
    let steps = |arguments: &[&str]| {
        let output = stanchion(&[&["cost", "--json", "-"], arguments].concat(), &schema);
        let report: Value = serde_json::from_str(&output.stdout).expect("JSON");
        report["steps"]["count"].as_u64().expect("a number")
    };
    let (small, large) = (steps(&["--nodes", "10"]), steps(&["--nodes", "1000"]));
    assert!(large > 50 * small, "{small} and {large}");
    assert!(steps(&["--nodes", "10", "--bytes", "100000"]) > small);
}

#[test]
fn what_to_change_is_tied_to_places() {
    let pattern = json!({"properties": {"a": {"pattern": "^([a-z]{1,40}[0-9]?){1,40}$"}}});
    assert_advised(&pattern, "`maxLength`", "/properties/a/pattern");
    let bounded = json!({"properties": {"a": {"pattern": "^([a-z]{1,40}[0-9]?){1,40}$", "maxLength": 9}}});
    assert_eq!(report(&bounded)["advice"], json!([]));
    assert_advised(&json!({"uniqueItems": true, "items": {"$ref": "#"}}), "`maxItems`", "/uniqueItems");
    assert_advised(&json!({"pattern": r"^(a+)b\1$"}), "backreference", "/pattern");
    let doubling = json!({"anyOf": [{"items": {"$ref": "#"}}, {"contains": {"$ref": "#"}}]});
    assert_advised(&doubling, "doubles at each level", "/anyOf");
    assert_eq!(report(&doubling)["growth"], "exponential");
}

#[test]
fn what_nothing_bounds() {
    let schema = r#"{"pattern": "^(a+)b\\1$"}"#;
    stanchion(&["cost", "-"], schema).expect(0, &["at most without bound", "for no instance"], &[]);
}

/// A schema that is too large is still measured.
#[test]
fn a_refused_schema_says_by_how_much() {
    let mut deep = json!({"type": "string"});
    for _ in 0..100 {
        deep = json!({"not": deep});
    }
    let output = stanchion(&["cost", "-"], &deep.to_string());
    output.expect(
        2,
        &["100 of 64  too many"],
        &["schema has 100 levels of nesting, the limit is 64 (raise it with --limits depth=100)"],
    );
    let output = stanchion(&["cost", "--json", "-"], &deep.to_string());
    let report: Value = serde_json::from_str(&output.stdout).expect("JSON");
    assert_eq!(report["size"]["depth"], json!({"count": 100, "limit": 64}));
    stanchion(&["cost", "--limits", "depth=200", "-"], &deep.to_string()).expect(0, &["100 of 200"], &[]);
}

#[test]
fn near_a_limit() {
    let output = stanchion(&["cost", "--limits", "subschemas=15", &example("weather.schema.json")], "");
    output.expect(0, &["14 of 15", "the subschemas are near their limit"], &[]);
}

#[test]
fn what_cannot_be_reckoned() {
    let scratch = Scratch::new("cost-errors");
    stanchion(&["cost", &scratch.path("absent.json")], "").expect(2, &[], &["absent.json"]);
    stanchion(&["cost", "-"], "nonsense").expect(2, &[], &["-: expected"]);
    stanchion(&["cost", &example("hostile.schema.json")], "").expect(2, &[], &["leaves the document"]);
    stanchion(&["cost", "--nodes", "many", "-"], "{}").expect(2, &[], &["--nodes"]);
}

#[test]
fn a_closed_pipe_is_no_panic() {
    assert_eq!(common::into_closed_pipe(&["cost", &example("weather.schema.json")]), 0);
}
