//! Numbers that fit neither 64 bits nor a double.
//!
//! Text has all digits of its numbers, and so has a `serde_json::Value` with the feature `arbitrary_precision`:
//! `cargo test -p stanchion-suite --features arbitrary_precision`.

use std::path::Path;

use serde_json::{Value, json};
use stanchion::{Dialect, TapeNode, Validator, Verdict};
use stanchion_suite::case::{self, Expected, File};
#[cfg(feature = "arbitrary_precision")]
use stanchion_suite::{runner::run_file, tally::Tally};

fn files(folder: &str) -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(folder);
    case::read(&folder).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
#[cfg(feature = "arbitrary_precision")]
fn every_digit_counts() {
    let mut tally = Tally::default();
    for file in files("precise").into_iter().chain(files("written")) {
        tally.add(run_file(&file, &Validator::builder()));
    }
    tally.assert_clean();
    assert!(tally.tests > 100, "{} tests", tally.tests);
}

/// Texts of any number of digits count exactly with either feature set, if the schema has few
/// digits or is read from text.
#[test]
fn every_digit_of_a_text_counts() {
    let mut tests = 0;
    for file in files("written") {
        for group in &file.groups {
            let mut builder = Validator::builder();
            if let Some(dialect) = group.dialect.as_deref().and_then(|name| name.parse().ok()) {
                builder = builder.dialect(dialect);
            }
            for optimize in [true, false] {
                let validator = builder.clone().optimize(optimize).build(&group.schema).expect("a schema");
                for test in &group.tests {
                    let verdict = match test.expected().expect("an expectation") {
                        Expected::Valid => Verdict::Valid,
                        Expected::Invalid => Verdict::Invalid,
                        Expected::Undecided => panic!("{}: a verdict is known", test.description),
                    };
                    let found = validator.verdict_json(test.data.get().as_bytes()).expect("a text");
                    assert_eq!(
                        found, verdict,
                        "{}: {} (optimized: {optimize})",
                        group.description, test.description
                    );
                    tests += 1;
                }
            }
        }
    }
    assert!(tests > 120, "{tests} tests");
}

/// A `Value` and a simd-json tape keep part of how a number was written.
#[test]
fn draft_04_integers_of_other_representations() {
    let schema = json!({"type": "integer"});
    let validator = Validator::builder().dialect(Dialect::Draft04).build(&schema).expect("a schema");
    for (text, is_integer) in
        [("-0", true), ("7", true), ("7.0", false), ("7e1", false), ("-9223372036854775808", true)]
    {
        let value: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(validator.is_valid(&value), is_integer, "{text} as a value");
        let mut bytes = text.as_bytes().to_vec();
        let tape = simd_json::to_tape(&mut bytes).expect("JSON");
        assert_eq!(validator.is_valid(TapeNode::from(&tape)), is_integer, "{text} on a tape");
    }
    let mut bytes = b"-0.0".to_vec();
    let tape = simd_json::to_tape(&mut bytes).expect("JSON");
    assert!(!validator.is_valid(TapeNode::from(&tape)));
    // Without `arbitrary_precision`, a value has these as floats, which may have been integers.
    for text in ["18446744073709551616", "-9223372036854775809", "123456789012345678901234567890"] {
        let value: Value = serde_json::from_str(text).expect("JSON");
        assert!(validator.is_valid(&value), "{text}");
    }
}
