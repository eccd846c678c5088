//! Calls, and how those that are refused go over the wire.

use serde_json::{Value, json};
use stanchion_mcp::{CallError, INVALID_PARAMS, Tool};

fn tool() -> Tool {
    Tool::from_definition(json!({
        "name": "forecast",
        "title": "Forecast",
        "inputSchema": {
            "type": "object",
            "properties": {
                "city": {"type": "string", "minLength": 1},
                "days": {"type": "integer", "minimum": 1, "maximum": 14}
            },
            "required": ["city"],
            "additionalProperties": false
        }
    }))
    .unwrap()
}

#[test]
fn a_call_that_conforms_passes() {
    assert!(tool().check_call(Some(&json!({"city": "Turin", "days": 14}))).is_ok());
}

#[test]
fn a_call_without_arguments_has_none() {
    assert!(tool().check_call(None).is_err());
    let without = Tool::from_definition(json!({"name": "now", "inputSchema": {"type": "object"}})).unwrap();
    assert!(without.check_call(None).is_ok());
}

#[test]
fn bad_arguments_are_a_result_that_a_model_can_read() {
    let error = tool().check_call(Some(&json!({"city": "", "days": 15}))).unwrap_err();
    let CallError::Arguments(invalid) = &error else { panic!("{error:?}") };
    let places: Vec<&str> = invalid.errors().iter().map(|error| error.instance_path()).collect();
    assert_eq!(places, ["/city", "/days"]);
    let text = invalid.text();
    assert!(text.starts_with("The arguments do not conform to the tool's input schema:\n"), "{text}");
    assert!(text.contains("15 is more than the maximum 14"), "{text}");

    let old = json!({"content": [{"type": "text", "text": text}], "isError": true});
    assert_eq!(invalid.to_result("2025-11-25"), old);
    // Results of today say what they are.
    let mut today = old;
    today["resultType"] = "complete".into();
    assert_eq!(invalid.to_result("2026-07-28"), today);
    let response = error.to_response(&json!("a"), "2026-07-28");
    assert_eq!(response, json!({"jsonrpc": "2.0", "id": "a", "result": today}));
}

#[test]
fn arguments_that_are_no_object_are_a_malformed_request() {
    for (arguments, found) in
        [(Value::Null, "null"), (json!([]), "an array"), (json!("{}"), "\"{}\""), (json!(1), "a number")]
    {
        let error = tool().check_call(Some(&arguments)).unwrap_err();
        let message = format!("arguments: expected an object, found {found}");
        let wire = json!({"code": INVALID_PARAMS, "message": message});
        assert_eq!(
            error.to_response(&json!(1), "2025-11-25"),
            json!({"jsonrpc": "2.0", "id": 1, "error": wire})
        );
        assert!(tool().fill_call(Some(arguments)).is_err());
    }
}

#[test]
fn a_text_for_a_model_is_bounded() {
    let names: Vec<String> = (0..90).map(|index| format!("property-with-a-long-name-{index}")).collect();
    let properties: Value = names.iter().map(|name| (name.clone(), json!({"type": "string"}))).collect();
    let tool = Tool::from_definition(
        json!({"name": "many", "inputSchema": {"type": "object", "properties": properties}}),
    )
    .unwrap();
    let arguments: Value = names.iter().map(|name| (name.clone(), json!(1))).collect();
    let text = tool.check_call(Some(&arguments)).unwrap_err().to_string();
    assert!(text.chars().count() < 2_200, "{}", text.chars().count());
    assert!(text.contains("property-with-a-long-name-"), "{text}");
    assert!(text.contains("more"), "{text}");
}

#[test]
fn an_unknown_definition_is_refused() {
    for (definition, message) in [
        (json!([]), "tool: /: expected an object, found an array"),
        (json!({"inputSchema": {}}), "tool: /name: expected a string, found nothing"),
        (json!({"name": 1}), "tool: /name: expected a string, found a number"),
        (json!({"name": "x"}), "tool \"x\": /inputSchema: expected a schema, found nothing"),
        (
            json!({"name": "x", "inputSchema": {"type": "object"}, "outputSchema": null}),
            "tool \"x\": outputSchema: expected an object or a boolean, found null",
        ),
    ] {
        assert_eq!(Tool::from_definition(definition).unwrap_err().to_string(), message);
    }
}
