//! Findings of random tests, as cases: through every entry point, and under every property.

use stanchion::Validator;
use stanchion_suite::case;
use stanchion_suite::law;
use stanchion_suite::regression;
use stanchion_suite::runner::run_file;
use stanchion_suite::tally::Tally;

use crate::agree;
use crate::property::Case;

#[test]
fn findings_stay_mended() {
    let files = case::read(&regression::folder()).unwrap_or_else(|error| panic!("{error}"));
    assert!(!files.is_empty());
    let mut tally = Tally::default();
    for file in &files {
        tally.add(run_file(file, &Validator::builder()));
        for group in file.groups.iter().filter(|group| group.schema_error.is_none()) {
            let instances = group.tests.iter().map(|test| serde_json::from_str(test.data.get()));
            let instances: Result<Vec<_>, _> = instances.collect();
            let instances = instances.unwrap_or_else(|error| panic!("{}: {error}", file.name));
            for number in [1, 3, 50, 300] {
                let case = Case { schema: group.schema.clone(), instances: instances.clone(), number };
                for (name, property) in agree::PROPERTIES {
                    if let Err(why) = property(&case) {
                        panic!("{}, {}: {name}: {why}", file.name, group.description);
                    }
                }
            }
        }
    }
    tally.assert_clean();
}

#[test]
fn texts_are_read_as_serde_json_reads_them() {
    for (path, text) in regression::texts().expect("the folder") {
        law::text(&text).unwrap_or_else(|why| panic!("{}: {why}", path.display()));
    }
    // The law can fail: a repeated name counts once, with its last value.
    assert_eq!(law::text(br#"{"a": 1, "a": 2}"#), Ok(()));
    assert_eq!(law::text(b"[1, 2"), Ok(()));
}
