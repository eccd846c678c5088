//! Numbers beyond a double, which a `serde_json::Value` holds with the feature `arbitrary_precision`:
//! `cargo test -p stanchion-suite --features arbitrary_precision`.
#![cfg(feature = "arbitrary_precision")]

use std::path::Path;

use stanchion::Validator;
use stanchion_suite::case;
use stanchion_suite::runner::run_file;
use stanchion_suite::tally::Tally;

#[test]
fn every_digit_counts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join("precise");
    let mut tally = Tally::default();
    for file in case::read(&folder).unwrap_or_else(|error| panic!("{error}")) {
        tally.add(run_file(&file, &Validator::builder()));
    }
    tally.assert_clean();
    assert!(tally.tests > 40, "{} tests", tally.tests);
}
