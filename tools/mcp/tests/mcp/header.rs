//! `x-mcp-header`: where it may stand, what is sent, and what is compared.

use serde_json::{Value, json};
use stanchion_mcp::header::{self, HeaderFaultKind, HeaderType, Headers};
use stanchion_mcp::{InputSchema, Profile, Reason};

fn schema(properties: Value) -> Value {
    json!({"type": "object", "properties": properties})
}

fn annotated(kind: &str, name: &str) -> Value {
    json!({"type": kind, "x-mcp-header": name})
}

#[test]
fn reachable_arguments_are_found_at_any_depth() {
    let inner = schema(json!({"deep": annotated("boolean", "Deep")}));
    let schema = schema(
        json!({"a": annotated("string", "A"), "b": annotated("integer", "x-B"), "in": inner, "c": {}}),
    );
    let headers = Headers::new(&schema).unwrap();
    let found: Vec<(&str, String, HeaderType)> =
        headers.iter().map(|header| (header.name(), header.path().join("."), header.kind())).collect();
    assert_eq!(
        found,
        [
            ("Mcp-Param-A", "a".to_owned(), HeaderType::String),
            ("Mcp-Param-x-B", "b".to_owned(), HeaderType::Integer),
            ("Mcp-Param-Deep", "in.deep".to_owned(), HeaderType::Boolean),
        ]
    );
    assert!(Headers::new(&json!({"type": "object"})).unwrap().is_empty());
}

#[test]
fn an_annotation_anywhere_else_is_a_fault() {
    let leaf = annotated("string", "A");
    let holder = json!({"type": "object", "properties": {"p": leaf}});
    for (place, property) in [
        ("/items", json!({"items": leaf})),
        ("/prefixItems/0", json!({"prefixItems": [leaf]})),
        ("/contains", json!({"contains": leaf})),
        ("/additionalProperties", json!({"additionalProperties": leaf})),
        ("/patternProperties/x", json!({"patternProperties": {"x": leaf}})),
        ("/propertyNames", json!({"propertyNames": leaf})),
        ("/oneOf/0", json!({"oneOf": [leaf]})),
        ("/anyOf/0/properties/p", json!({"anyOf": [holder]})),
        ("/allOf/0/properties/p", json!({"allOf": [holder]})),
        ("/not", json!({"not": leaf})),
        ("/if", json!({"if": leaf})),
        ("/then/properties/p", json!({"then": holder})),
        ("/else", json!({"else": leaf})),
        ("/dependentSchemas/a", json!({"dependentSchemas": {"a": leaf}})),
        ("/$defs/d", json!({"$defs": {"d": leaf}, "$ref": "#/$defs/d"})),
        ("/definitions/d", json!({"definitions": {"d": leaf}})),
    ] {
        let fault = Headers::new(&schema(json!({"q": property}))).unwrap_err();
        assert_eq!(
            (fault.path(), fault.kind()),
            (format!("/properties/q{place}").as_str(), &HeaderFaultKind::Unreachable)
        );
    }
    // The root is no argument.
    assert!(Headers::new(&json!({"type": "object", "x-mcp-header": "A"})).is_err());
    // Data is no annotation, and a property of that name is a property.
    let data = json!({"default": {"x-mcp-header": "A"}, "const": {"x-mcp-header": 1}, "x-more": {"x-mcp-header": 1}});
    assert!(
        Headers::new(&schema(json!({"q": data, "x-mcp-header": {"type": "object"}}))).unwrap().is_empty()
    );
}

#[test]
fn names_and_types_have_rules() {
    for name in
        [json!(""), json!("a b"), json!("a\r\nb"), json!("naïve"), json!("a:b"), json!(1), json!(null)]
    {
        let fault =
            Headers::new(&schema(json!({"a": {"type": "string", "x-mcp-header": name}}))).unwrap_err();
        assert!(matches!(fault.kind(), HeaderFaultKind::Name { .. }), "{fault}");
    }
    for kind in [json!("number"), json!("object"), json!("array"), json!("null"), json!(["string", "null"])] {
        let fault = Headers::new(&schema(json!({"a": {"type": kind, "x-mcp-header": "A"}}))).unwrap_err();
        assert!(matches!(fault.kind(), HeaderFaultKind::Type { .. }), "{fault}");
    }
    let fault = Headers::new(&schema(json!({"a": {"x-mcp-header": "A"}}))).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "/properties/a/x-mcp-header: allowed only on a string, an integer or a boolean, found no \"type\""
    );
    let twice = schema(json!({"a": annotated("string", "Region"), "b": annotated("string", "REGION")}));
    assert_eq!(
        Headers::new(&twice).unwrap_err().to_string(),
        "/properties/b/x-mcp-header: \"REGION\" is there twice"
    );
    // Some SDKs take numbers.
    assert!(Headers::with_numbers(&schema(json!({"a": annotated("number", "A")}))).is_ok());
}

#[test]
fn a_client_on_http_refuses_the_tool() {
    let schema = schema(json!({"a": {"items": annotated("string", "A")}}));
    assert!(InputSchema::new(schema.clone()).is_ok());
    let refusal = InputSchema::with(&Profile::default().check_headers(true), schema).unwrap_err();
    assert!(matches!(refusal.reason(), Reason::Header(_)));
    assert_eq!(refusal.path(), "/properties/a/items");
}

#[test]
fn candidates_are_the_reachable_strings_integers_and_booleans() {
    let schema = schema(json!({
        "a": {"type": "string"}, "b": {"type": "number"}, "c": annotated("integer", "C"),
        "d": schema(json!({"e": {"type": "boolean"}})), "f": {"items": {"type": "string"}}
    }));
    let found: Vec<String> = header::reachable(&schema).iter().map(|found| found.path().join(".")).collect();
    assert_eq!(found, ["a", "c", "d.e"]);
}

#[test]
fn values_are_encoded_as_the_specification_shows() {
    for (text, value) in [
        ("us-west1", "us-west1"),
        ("Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="),
        (" padded ", "=?base64?IHBhZGRlZCA=?="),
        ("line1\nline2", "=?base64?bGluZTEKbGluZTI=?="),
        ("=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="),
        ("a b\tc", "a b\tc"),
        ("", "=?base64??="),
    ] {
        assert_eq!(header::encode(text), value);
        assert_eq!(header::decode(value).as_deref(), Some(text));
    }
    for value in ["=?base64?IHBhZGRlZCA?=", "=?base64?****?=", "=?base64?/w==?="] {
        assert_eq!(header::decode(value), None, "{value}");
    }
}

#[test]
fn arguments_become_headers() {
    let schema = schema(json!({
        "s": annotated("string", "S"), "i": annotated("integer", "I"), "b": annotated("boolean", "B"),
        "o": schema(json!({"p": annotated("string", "P")}))
    }));
    let headers = Headers::new(&schema).unwrap();
    let sent = |arguments: Value| {
        let sent = headers.of(&arguments).into_iter();
        let mut lines: Vec<String> = sent.map(|(name, value)| format!("{name}: {value}")).collect();
        // In the order of the schema, which serde_json may keep or not.
        lines.sort();
        lines
    };
    assert_eq!(
        sent(json!({"s": "x", "i": -7, "b": true})),
        ["Mcp-Param-B: true", "Mcp-Param-I: -7", "Mcp-Param-S: x"]
    );
    assert_eq!(sent(json!({"i": 42.0, "o": {"p": "y"}})), ["Mcp-Param-I: 42", "Mcp-Param-P: y"]);
    // Absent, null, not of a kind that has a place there, out of the safe range.
    assert!(sent(json!({"s": null, "i": 9_007_199_254_740_992_u64, "b": [], "o": null})).is_empty());
    assert!(sent(json!([])).is_empty());
}

#[test]
fn headers_must_say_what_the_body_says() {
    let headers =
        Headers::new(&schema(json!({"s": annotated("string", "S"), "i": annotated("integer", "I")})))
            .unwrap();
    let check = |arguments: Value, s: Option<&'static str>, i: Option<&'static str>| {
        headers.check(&arguments, |name| if name == "Mcp-Param-S" { s } else { i })
    };
    assert!(check(json!({"s": "é", "i": 42}), Some("=?base64?w6k=?="), Some("42.0")).is_ok());
    assert!(check(json!({}), Some("ignored"), None).is_ok());
    let missing = check(json!({"s": "x"}), None, None).unwrap_err();
    assert_eq!(
        missing.to_error(),
        json!({"code": -32020, "message": "header Mcp-Param-S is missing, the body has \"x\""})
    );
    let other = check(json!({"s": "x"}), Some("y"), None).unwrap_err();
    assert_eq!(other.to_string(), "header Mcp-Param-S is \"y\", the body has \"x\"");
    assert!(check(json!({"s": "x"}), Some("=?base64?eA?="), None).is_err());
    assert!(check(json!({"i": 26}), None, Some("0x1a")).is_err());
    assert!(check(json!({"i": 1000}), None, Some("1e3")).is_err());
}
