//! The choices of the builder that no test suite knows of.

use serde_json::json;
use stanchion::{Dialect, References, Validator, Verdict};

#[test]
fn an_unknown_dialect_is_refused_by_name_unless_the_caller_knows_better() {
    let schema = json!({"$schema": "https://example.com/dialect", "items": [{"type": "string"}]});
    let error = Validator::new(&schema).unwrap_err();
    assert_eq!(error.path(), "/$schema");
    let message = error.to_string();
    assert!(message.contains("https://example.com/dialect"), "{message}");
    for dialect in Dialect::ALL {
        assert!(message.contains(dialect.uri()), "{message}");
    }
    let validator = Validator::builder().unknown_dialect(Dialect::Draft07).build(&schema).unwrap();
    assert_eq!(validator.verdict(&json!([1])), Verdict::Invalid);
    assert_eq!(validator.verdict(&json!(["a", 1])), Verdict::Valid);
}

#[test]
fn a_known_dialect_stays_what_it_is() {
    let schema = json!({"$schema": "http://json-schema.org/draft-07/schema#", "prefixItems": [false]});
    let builder = Validator::builder().unknown_dialect(Dialect::Draft202012).dialect(Dialect::Draft202012);
    assert_eq!(builder.build(&schema).unwrap().verdict(&json!([1])), Verdict::Valid);
}

#[test]
fn array_items_are_tolerated_on_request_where_no_dialect_is_declared() {
    let schema = json!({"items": [{"type": "string"}], "additionalItems": false});
    let error = Validator::new(&schema).unwrap_err();
    assert_eq!(error.to_string(), "/items: expected a schema (an object or a boolean), found an array");

    let builder = Validator::builder().array_items(true);
    let validator = builder.build(&schema).unwrap();
    assert_eq!(validator.verdict(&json!(["a"])), Verdict::Valid);
    assert_eq!(validator.verdict(&json!([1])), Verdict::Invalid);
    assert_eq!(validator.verdict(&json!(["a", "b"])), Verdict::Invalid);
    let error = validator.validate(&json!([1])).unwrap_err();
    assert_eq!((error.instance_path(), error.schema_path()), ("/0", "/items/0/type"));

    // One schema for all items is what it always was, also behind `prefixItems`.
    let modern = json!({"prefixItems": [true], "items": {"type": "string"}});
    assert_eq!(builder.build(&modern).unwrap().verdict(&json!([1, "a"])), Verdict::Valid);
    let declared = json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "items": [true]});
    assert!(builder.build(&declared).is_err());
}

#[test]
fn resources_need_bundled_references() {
    let item = json!({"type": "string"});
    let schema = json!({"items": {"$ref": "https://example.com/item"}});
    let builder = Validator::builder().resource("https://example.com/item", &item);
    assert!(builder.build(&schema).unwrap_err().to_string().contains("https://example.com/item"));
    let validator = builder.references(References::Bundled).build(&schema).unwrap();
    assert_eq!(validator.verdict(&json!(["a"])), Verdict::Valid);
    assert_eq!(validator.verdict(&json!([1])), Verdict::Invalid);
}

#[test]
fn own_formats_are_asserted_where_formats_are() {
    let schema = json!({"format": "currency"});
    let builder = Validator::builder().format("currency", |text| text.len() == 3);
    assert_eq!(builder.build(&schema).unwrap().verdict(&json!("euro")), Verdict::Valid);
    let validator = builder.assert_formats(true).build(&schema).unwrap();
    assert_eq!(validator.verdict(&json!("EUR")), Verdict::Valid);
    assert_eq!(validator.verdict(&json!("euro")), Verdict::Invalid);
    assert_eq!(validator.verdict(&json!(7)), Verdict::Valid);
}
