//! Results: what must be there, what must conform, and what goes over the wire.

use serde_json::{Value, json};
use stanchion_mcp::{Profile, ResultErrorKind, Tool};

fn tool(output: Value) -> Tool {
    Tool::from_definition(json!({"name": "t", "inputSchema": {"type": "object"}, "outputSchema": output}))
        .unwrap()
}

fn is_ok(tool: &Tool, structured: Option<Value>) -> bool {
    tool.check_result(structured.as_ref(), false, &[]).is_ok()
}

#[test]
fn absence_is_not_a_value() {
    let any = tool(json!(true));
    for value in [json!(null), json!(false), json!(0), json!(""), json!([]), json!({})] {
        assert!(is_ok(&any, Some(value)));
    }
    let missing = any.check_result(None, false, &[]).unwrap_err();
    assert!(matches!(missing.kind(), ResultErrorKind::Missing));
    assert_eq!(
        missing.to_string(),
        "The tool has an output schema, but its result has no structuredContent."
    );
}

#[test]
fn null_and_false_are_checked_like_any_value() {
    assert!(is_ok(&tool(json!({"type": "null"})), Some(json!(null))));
    assert!(!is_ok(&tool(json!({"type": "object"})), Some(json!(null))));
    assert!(is_ok(&tool(json!({"const": false})), Some(json!(false))));
    assert!(!is_ok(&tool(json!({"const": false})), Some(json!(null))));
}

#[test]
fn roots_may_be_anything() {
    assert!(is_ok(&tool(json!({"type": "array", "items": {"type": "integer"}})), Some(json!([1, 2]))));
    assert!(!is_ok(&tool(json!({"type": "array", "items": {"type": "integer"}})), Some(json!(["a"]))));
    assert!(is_ok(&tool(json!({"type": "number"})), Some(json!(4.5))));
    assert!(is_ok(&tool(json!({"type": "string"})), Some(json!("x"))));
    // Nothing conforms to `false`, which leaves a tool nothing but errors.
    assert!(!is_ok(&tool(json!(false)), Some(json!({}))));
    assert!(tool(json!(false)).check_result(None, true, &[]).is_ok());
}

#[test]
fn errors_are_not_looked_at() {
    let number = tool(json!({"type": "number"}));
    assert!(number.check_result(None, true, &[]).is_ok());
    assert!(number.check_result(Some(&json!("no number")), true, &[]).is_ok());
    assert!(number.check_result(Some(&json!("no number")), false, &[]).is_err());
}

#[test]
fn without_an_output_schema_anything_goes() {
    let tool = Tool::from_definition(json!({"name": "t", "inputSchema": {"type": "object"}})).unwrap();
    assert!(is_ok(&tool, None));
    assert!(is_ok(&tool, Some(json!([1]))));
}

#[test]
fn a_result_tells_whether_it_needs_a_mirror() {
    let any = tool(json!(true));
    let needs = |value: Value, content: Value| {
        any.check_result(Some(&value), false, content.as_array().unwrap()).unwrap().needs_mirror
    };
    let text = json!([{"type": "text", "text": "two"}]);
    assert!(needs(json!([1]), json!([])));
    assert!(needs(json!([1]), json!([{"type": "image"}])));
    assert!(!needs(json!([1]), text.clone()));
    assert!(!needs(json!({}), json!([])));
    let strict = Profile::default().demand_mirror(true);
    let definition = json!({"name": "t", "inputSchema": {"type": "object"}, "outputSchema": true});
    let strict = Tool::from_definition_with(&strict, definition).unwrap();
    let error = strict.check_result(Some(&json!(1)), false, &[]).unwrap_err();
    assert!(matches!(error.kind(), ResultErrorKind::NoMirror));
    assert!(strict.check_result(Some(&json!(1)), false, text.as_array().unwrap()).is_ok());
    // A server adds it.
    let sent = strict.send_result("2026-07-28", json!({"structuredContent": 1})).unwrap();
    assert!(strict.receive_result("2026-07-28", sent).is_ok());
}

#[test]
fn a_result_on_its_way_to_a_client_of_today() {
    let list = tool(json!({"type": "array", "items": {"type": "string"}}));
    let image = json!({"type": "image", "data": "", "mimeType": "image/png"});
    let result = json!({"content": [image], "structuredContent": ["a"]});
    let sent = list.send_result("2026-07-28", result).unwrap();
    let mirror = json!({"type": "text", "text": "[\"a\"]"});
    assert_eq!(
        sent,
        json!({"content": [image, mirror], "structuredContent": ["a"], "resultType": "complete"})
    );
    assert_eq!(list.receive_result("2026-07-28", sent.clone()).unwrap(), sent);
}

#[test]
fn a_result_that_breaks_its_schema_is_caught_on_both_sides() {
    let list = tool(json!({"type": "array", "items": {"type": "string"}}));
    let result = json!({"content": [], "structuredContent": [1]});
    for version in ["2025-11-25", "2026-07-28"] {
        let error = list.send_result(version, result.clone()).unwrap_err();
        let wire = error.to_result(version);
        assert_eq!(wire["isError"], true);
        let text = wire["content"][0]["text"].as_str().unwrap();
        assert!(
            text.starts_with("The structured content does not conform to the tool's output schema:"),
            "{text}"
        );
        assert!(text.contains("/0: expected a string, found 1"), "{text}");
        assert!(list.receive_result(version, result.clone()).is_err());
    }
}

#[test]
fn an_old_client_gets_and_opens_the_envelope() {
    let count = tool(json!({"type": "number"}));
    let version = "2025-06-18";
    let received = Tool::from_definition(count.definition_for(version).unwrap()).unwrap();
    assert_eq!(received.output().unwrap().schema()["properties"]["result"], json!({"type": "number"}));
    let sent = count.send_result(version, json!({"structuredContent": 3})).unwrap();
    assert_eq!(sent["structuredContent"], json!({"result": 3}));
    assert_eq!(sent["content"], json!([{"type": "text", "text": "3"}]));
    let opened = received.receive_result(version, sent).unwrap();
    assert_eq!(opened["structuredContent"], 3);
    // Who wants it as it came gets that.
    let closed = Profile::default().open_envelopes(false);
    let closed = Tool::from_definition_with(&closed, count.definition_for(version).unwrap()).unwrap();
    let sent = count.send_result(version, json!({"structuredContent": 3})).unwrap();
    assert_eq!(closed.receive_result(version, sent.clone()).unwrap(), sent);
    // A client of today opens nothing: it is what the schema says.
    let honest = json!({"content": [], "structuredContent": {"result": 3}});
    assert_eq!(received.receive_result("2026-07-28", honest.clone()).unwrap(), honest);
}

#[test]
fn without_a_schema_an_old_client_still_gets_objects() {
    let tool = Tool::from_definition(json!({"name": "t", "inputSchema": {"type": "object"}})).unwrap();
    assert_eq!(tool.value_for("2025-11-25", json!([1])), json!({"result": [1]}));
    assert_eq!(tool.value_for("2025-11-25", json!({"a": 1})), json!({"a": 1}));
    assert_eq!(tool.value_for("2026-07-28", json!([1])), json!([1]));
}
