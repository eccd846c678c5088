//! «Compile accepts ⇔ the metaschema accepts», over the schemas of the official suite and all their
//! broken variants.

use stanchion::Dialect;
use stanchion_suite::metaschema::{compare, schemas};
use stanchion_suite::official::{Official, Section};

#[track_caller]
fn check(dialect: Dialect) {
    let official = Official::get().unwrap_or_else(|error| panic!("{error}"));
    let mut files = Vec::new();
    for section in Section::ALL {
        files.extend(official.files(dialect, section).expect("the files of a section"));
    }
    let schemas = schemas(&files, dialect);
    let comparison = compare(&schemas, dialect, &official.builder(dialect, Section::Required));
    let (accepted, refused) = (comparison.accepted, comparison.refused);
    println!(
        "{dialect:?}: {} schemas, accepted {accepted}, refused {refused}, told apart {}",
        schemas.len(),
        comparison.beyond_metaschema
    );
    assert!(
        comparison.differences.is_empty(),
        "{} differences\n{}",
        comparison.differences.len(),
        comparison.differences.join("\n")
    );
    // Both results must be common, and schemas that no metaschema can judge must be rare.
    assert!(accepted > 1000 && refused > 1000, "accepted {accepted}, refused {refused}");
    assert!(
        comparison.beyond_metaschema * 4 < schemas.len(),
        "beyond the metaschema: {}",
        comparison.beyond_metaschema
    );
}

#[test]
fn draft202012() {
    check(Dialect::Draft202012);
}

#[test]
fn draft201909() {
    check(Dialect::Draft201909);
}

#[test]
fn draft07() {
    check(Dialect::Draft07);
}

#[test]
fn draft06() {
    check(Dialect::Draft06);
}

#[test]
fn draft04() {
    check(Dialect::Draft04);
}
