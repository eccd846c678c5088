//! The cache is by content, and bounded.

use stanchion_wire::{Status, Validator, cached, clear_cache};

#[test]
fn content_decides() {
    let one = Validator::new(br#"{"$id": "https://example.com/a", "type": "string"}"#, b"").unwrap();
    let other = Validator::new(br#"{"$id": "https://example.com/a", "type": "number"}"#, b"").unwrap();
    assert_eq!((one.check(b"1"), other.check(b"1")), (Status::Invalid, Status::Valid));

    // The same schema with other options is another validator.
    let schema = br#"{"format": "date"}"#;
    let lax = Validator::new(schema, b"").unwrap();
    let strict = Validator::new(schema, br#"{"assertFormats": true}"#).unwrap();
    assert_eq!((lax.check(b"\"x\""), strict.check(b"\"x\"")), (Status::Valid, Status::Invalid));
}

#[test]
fn what_is_kept_is_bounded() {
    let first = Validator::new(br#"{"const": "first"}"#, b"").unwrap();
    for number in 0..5_000 {
        let schema = format!(r#"{{"const": {number}}}"#);
        let validator = Validator::new(schema.as_bytes(), b"").unwrap();
        assert_eq!(validator.check(number.to_string().as_bytes()), Status::Valid);
    }
    assert!((1_000..=1_024).contains(&cached()), "{}", cached());
    assert_eq!(first.check(b"\"first\""), Status::Valid);
    // Schemas that would fill it alone are not kept, and neither are those that say so.
    let long = format!(r#"{{"const": "{}"}}"#, "x".repeat(1 << 20));
    assert_eq!(Validator::new(long.as_bytes(), b"").unwrap().check(b"1"), Status::Invalid);
    clear_cache();
    Validator::new(br#"{"const": "apart"}"#, br#"{"cache": false}"#).unwrap();
    assert_eq!(first.check(b"\"first\""), Status::Valid);
}
