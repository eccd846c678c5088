//! Which schemas are taken, which are refused and why, and that they are kept as given.

use serde_json::{Map, Value, json};
use stanchion_mcp::stanchion::{Dialect, Limits};
use stanchion_mcp::{
    CallError, Compiler, ElicitationSchema, InputSchema, MissingType, OutputSchema, Part, Profile, Refusal,
    RefusedTool, ResultError, Tool, Toolbox,
};

#[track_caller]
fn refused_input(schema: Value, message: &str) {
    let refusal = InputSchema::new(schema).expect_err("a refusal");
    assert_eq!((refusal.part(), refusal.to_string().as_str()), (Part::Input, message));
}

#[track_caller]
fn refused_output(schema: Value, message: &str) {
    let refusal = OutputSchema::new(schema).expect_err("a refusal");
    assert_eq!((refusal.part(), refusal.to_string().as_str()), (Part::Output, message));
}

#[test]
fn the_root_of_an_input_schema_is_an_object() {
    assert!(InputSchema::new(json!({"type": "object"})).is_ok());
    assert!(
        InputSchema::new(json!({"type": "object", "oneOf": [{"required": ["id"]}, {"required": ["name"]}]}))
            .is_ok()
    );
    refused_input(
        json!({"type": "array"}),
        "inputSchema: /type: expected \"object\", found \"array\": the arguments of a tool are an object",
    );
    refused_input(
        json!({"type": ["object", "null"]}),
        "inputSchema: /type: expected \"object\", found an array: the arguments of a tool are an object",
    );
    refused_input(json!({}), "inputSchema: expected \"type\": \"object\" at the root, found no \"type\"");
    for (schema, found) in
        [(json!(true), "true"), (json!(null), "null"), (json!([]), "an array"), (json!("{}"), "\"{}\"")]
    {
        refused_input(
            schema,
            &format!("inputSchema: expected an object with \"type\": \"object\", found {found}"),
        );
    }
}

#[test]
fn any_schema_is_an_output_schema() {
    for schema in [json!(true), json!(false), json!({}), json!({"type": "number"}), json!({"anyOf": [true]})]
    {
        assert!(OutputSchema::new(schema.clone()).is_ok(), "{schema}");
    }
    for (schema, found) in
        [(json!(null), "null"), (json!(1), "a number"), (json!("x"), "\"x\""), (json!([]), "an array")]
    {
        refused_output(schema, &format!("outputSchema: expected an object or a boolean, found {found}"));
    }
}

#[test]
fn a_mistake_has_its_place() {
    refused_input(
        json!({"type": "object", "properties": {"a": {"minimum": "1"}}}),
        "inputSchema: /properties/a/minimum: expected a number, found a string",
    );
    let refusal = InputSchema::new(json!({"type": "object", "$ref": "https://example.com/x"})).unwrap_err();
    assert_eq!(refusal.path(), "/$ref");
    assert!(refusal.to_string().contains("leaves the document"), "{refusal}");
}

#[test]
fn a_missing_type_can_be_supplied() {
    let profile = Profile::default().missing_type(MissingType::Object);
    let input = InputSchema::with(&profile, json!({"required": ["a"]})).unwrap();
    assert_eq!(input.schema(), &json!({"type": "object", "required": ["a"]}));
    assert!(input.validate_arguments(&json!([])).is_err());
    // Another type is another matter.
    assert!(InputSchema::with(&profile, json!({"type": "string"})).is_err());
}

#[test]
fn a_shorthand_output_is_one_of_an_object() {
    let profile = Profile::default().shorthand_output(true);
    let output = |schema| OutputSchema::with(&profile, schema).unwrap();
    assert_eq!(output(json!({"properties": {}})).schema(), &json!({"type": "object", "properties": {}}));
    assert!(output(json!({})).validate_structured_content(&json!(1)).is_err());
    for root in ["$ref", "oneOf", "anyOf", "allOf", "not", "if", "const", "enum"] {
        let value = match root {
            "$ref" => json!("#/$defs/a"),
            "oneOf" | "anyOf" | "allOf" | "enum" => json!([{}]),
            _ => json!({}),
        };
        let schema = json!({root: value, "$defs": {"a": {}}});
        assert_eq!(output(schema.clone()).schema(), &schema);
    }
    // Without the option a schema is what it says.
    assert!(OutputSchema::new(json!({})).unwrap().validate_structured_content(&json!(1)).is_ok());
}

#[test]
fn dialects_go_by_schema() {
    let tuple = |uri: &str| json!({"$schema": uri, "type": "array", "items": [{"type": "string"}]});
    let output = OutputSchema::new(tuple("http://json-schema.org/draft-07/schema#")).unwrap();
    assert!(output.validate_structured_content(&json!(["a", 1])).is_ok());
    assert!(output.validate_structured_content(&json!([1])).is_err());
    // In 2020-12 that is a mistake.
    assert!(OutputSchema::new(tuple("https://json-schema.org/draft/2020-12/schema")).is_err());
    let refusal =
        OutputSchema::new(json!({"$schema": "https://example.com/mine", "type": "array"})).unwrap_err();
    let text = refusal.to_string();
    assert!(
        text.starts_with("outputSchema: /$schema: dialect \"https://example.com/mine\" is not known"),
        "{text}"
    );
    assert!(text.contains("https://json-schema.org/draft/2020-12/schema"), "{text}");
    let profile = Profile::default().unknown_dialect(Dialect::Draft202012);
    assert!(OutputSchema::with(&profile, json!({"$schema": "https://example.com/mine"})).is_ok());
}

#[test]
fn formats_assert_on_request() {
    let schema =
        json!({"type": "object", "properties": {"at": {"format": "date"}, "in": {"format": "currency"}}});
    let arguments = json!({"at": "tomorrow", "in": "EURO"});
    assert!(InputSchema::new(schema.clone()).unwrap().validate_arguments(&arguments).is_ok());
    let profile = Profile::default().assert_formats(true).format("currency", |text| text.len() == 3);
    let invalid = InputSchema::with(&profile, schema).unwrap().validate_arguments(&arguments).unwrap_err();
    assert_eq!(invalid.errors().len(), 2);
}

#[test]
fn limits_are_those_of_the_profile() {
    let profile = Profile::default().limits(Limits::default().subschemas(2).steps(10));
    let refusal =
        InputSchema::with(&profile, json!({"type": "object", "properties": {"a": {}, "b": {}}})).unwrap_err();
    assert_eq!(refusal.to_string(), "inputSchema: schema has 3 subschemas, the limit is 2");
    let input =
        InputSchema::with(&profile, json!({"type": "object", "additionalProperties": {"minLength": 1}}))
            .unwrap();
    let many: Map<String, Value> = (0..100).map(|index| (index.to_string(), json!("x"))).collect();
    let undecided = input.validate_arguments(&many.into()).unwrap_err();
    assert!(undecided.undecided().is_some());
    assert!(undecided.text().starts_with("The arguments could not be checked"), "{}", undecided.text());
}

#[test]
fn a_text_is_kept_byte_for_byte() {
    let text = "{ \"type\" :\"object\",\n\t\"properties\": {\"b\": {\"const\": 1.0e0}, \"a\": true} }\n";
    let input = InputSchema::from_text(text).unwrap();
    assert_eq!(input.text(), text);
    assert_eq!(OutputSchema::from_text(text).unwrap().text(), text);
    // A supplied type is all that is added.
    let profile = Profile::lenient();
    let stamped = |text| InputSchema::with_text(&profile, text).unwrap().text().into_owned();
    assert_eq!(stamped(" { \"a\" : 1 }"), " {\"type\":\"object\", \"a\" : 1 }");
    assert_eq!(stamped("{\n}"), "{\"type\":\"object\"\n}");
    // A value becomes the text that it would be on the wire.
    assert_eq!(InputSchema::new(json!({"type": "object"})).unwrap().text(), "{\"type\":\"object\"}");
}

#[test]
fn a_text_that_is_no_json_is_refused() {
    let refusal = InputSchema::from_text("{\"type\": }").unwrap_err();
    assert_eq!(refusal.to_string(), "inputSchema: not JSON: expected value at line 1 column 10");
    assert!(OutputSchema::from_text("{} true").is_err());
    let deep = "[".repeat(100_000);
    assert!(OutputSchema::from_text(&deep).unwrap_err().to_string().contains("deeper"), "too deep");
}

#[test]
fn a_text_may_be_as_deep_as_a_schema() {
    let nest =
        |levels: usize| format!("{}{{}}{}", r#"{"properties":{"a":"#.repeat(levels), "}}".repeat(levels));
    assert!(OutputSchema::from_text(&nest(64)).is_ok());
    let refusal = OutputSchema::from_text(&nest(65)).unwrap_err();
    assert_eq!(refusal.to_string(), "outputSchema: schema has 65 levels of nesting, the limit is 64");
}

#[test]
fn everything_can_be_shared() {
    fn is_shared<T: Send + Sync + Clone>() {}
    is_shared::<InputSchema>();
    is_shared::<OutputSchema>();
    is_shared::<ElicitationSchema>();
    is_shared::<Profile>();
    is_shared::<Tool>();
    is_shared::<Compiler>();
    fn is_error<T: std::error::Error + Send + Sync + 'static>() {}
    is_error::<Refusal>();
    is_error::<RefusedTool>();
    is_error::<CallError>();
    is_error::<ResultError>();
    fn is_box<T: Send + Sync>() {}
    is_box::<Toolbox>();
}
