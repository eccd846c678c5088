//! Our own cases, through every entry point.

use std::path::Path;

use stanchion::Validator;
use stanchion_suite::case::{self, Expected, File};
use stanchion_suite::runner::run_file;
use stanchion_suite::tally::Tally;

fn files() -> Vec<File> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join("own");
    case::read(&folder).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn every_case_by_every_entry_point() {
    let mut tally = Tally::default();
    for file in files() {
        tally.add(run_file(&file, &Validator::builder()));
    }
    tally.assert_clean();
    assert!(tally.tests > 1000, "{} tests", tally.tests);
}

/// A file of cases has instances that its keywords reject and instances that they accept.
#[test]
fn every_file_has_both_answers() {
    for file in files().iter().filter(|file| file.name != "schema_errors.json") {
        for expected in [Expected::Valid, Expected::Invalid] {
            let mut tests = file.groups.iter().flat_map(|group| &group.tests);
            let found = tests.any(|test| test.expected().is_ok_and(|found| found == expected));
            assert!(found, "{}: no test that is {expected}", file.name);
        }
    }
}

/// Names of tests in a group, and of groups in a file, are unique, so that a failure can be found
/// by them.
#[test]
fn names_are_unique() {
    for file in files() {
        let mut groups: Vec<&str> = file.groups.iter().map(|group| group.description.as_str()).collect();
        groups.sort_unstable();
        for pair in groups.windows(2) {
            assert_ne!(pair[0], pair[1], "{}", file.name);
        }
        for group in &file.groups {
            let mut tests: Vec<&str> = group.tests.iter().map(|test| test.description.as_str()).collect();
            tests.sort_unstable();
            for pair in tests.windows(2) {
                assert_ne!(pair[0], pair[1], "{}: {}", file.name, group.description);
            }
        }
    }
}

/// Every file of keywords in the engine has a file of cases.
#[test]
fn every_keyword_file_has_cases() {
    let own: Vec<String> = files().into_iter().map(|file| file.name).collect();
    let keywords = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name("engine").join("src").join("keyword");
    for entry in keywords.read_dir().expect("the engine's keywords") {
        let name = entry.expect("a file").file_name().display().to_string();
        let name = name.trim_end_matches(".rs");
        // `apply` is how applicators describe themselves, `core` names schemas, `members` is the
        // walk that the keywords of objects share, and `mod` the table.
        if !["apply", "core", "members", "mod"].contains(&name) {
            assert!(own.contains(&format!("{name}.json")), "no cases for engine/src/keyword/{name}.rs");
        }
    }
}

/// A case that is wrong on purpose fails through every entry point.
#[test]
fn a_wrong_case_is_reported_by_every_entry_point() {
    let text = r#"[{
        "description": "wrong", "schema": { "type": "integer" },
        "tests": [{ "description": "on purpose", "data": "a", "valid": true }]
    }]"#;
    let groups = serde_json::from_str(text).expect("a file in the format");
    let tally = run_file(&File { name: "wrong.json".to_owned(), groups }, &Validator::builder());
    assert_eq!((tally.tests, tally.passed), (1, [0, 0, 0]));
    // Two programs; five reports on a value, five on a tape, one on text.
    assert_eq!(tally.failures.len(), 2 * (5 + 5 + 1), "{tally}");
}

/// A schema that should have been refused, and was not, is a failure.
#[test]
fn an_accepted_schema_is_reported() {
    let text = r#"[{ "description": "wrong", "schema": {}, "schema_error": "on purpose" }]"#;
    let groups = serde_json::from_str(text).expect("a file in the format");
    let tally = run_file(&File { name: "wrong.json".to_owned(), groups }, &Validator::builder());
    assert_eq!((tally.tests, tally.failures.len()), (1, 2), "{tally}");
    assert_eq!(tally.failures[0].got, "a validator");
}
