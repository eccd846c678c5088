//! The whole official suite: every test of every section through every entry point, and once more
//! under `References::Local`. Nothing is skipped, and there is no list of exceptions.

use stanchion::{Dialect, Validator};
use stanchion_suite::evaluation::{run_annotations, run_outputs};
use stanchion_suite::local::{self, Local};
use stanchion_suite::official::{Official, Section};
use stanchion_suite::runner::run_file;
use stanchion_suite::tally::Tally;

/// Number of tests of a dialect: required, optional and format.
type Sections = [usize; 3];

#[track_caller]
fn official() -> &'static Official {
    Official::get().unwrap_or_else(|error| panic!("{error}"))
}

/// Runs every test of a dialect through every entry point.
#[track_caller]
fn check(dialect: Dialect, expected: Sections) {
    let official = official();
    let mut all = Tally::default();
    let counts = Section::ALL.map(|section| {
        let builder = official.builder(dialect, section);
        let mut tally = Tally::default();
        for file in official.files(dialect, section).expect("the files of a section") {
            tally.add(run_file(&file, &builder));
        }
        let tests = tally.tests;
        all.add(tally);
        tests
    });
    all.assert_clean();
    assert_eq!(counts, expected, "required, optional and format tests");
}

/// Runs the tests without resources, and counts those whose schema stays inside its document and
/// the others.
#[track_caller]
fn check_local(dialect: Dialect, expected_inside: usize, expected_outside: usize) {
    let official = official();
    let (mut inside, mut outside) = (Tally::default(), Tally::default());
    for section in Section::ALL {
        let builder = Validator::builder().dialect(dialect).assert_formats(section == Section::Format);
        for file in official.files(dialect, section).expect("the files of a section") {
            for group in &file.groups {
                match local::run_group(&file.name, group, dialect, &builder) {
                    Local::Inside(tally) => inside.add(tally),
                    Local::Outside(tally) => outside.add(tally),
                }
            }
        }
    }
    inside.assert_clean();
    outside.assert_clean();
    assert_eq!((inside.tests, outside.tests), (expected_inside, expected_outside), "inside and outside");
}

#[track_caller]
fn check_annotations(dialect: Dialect, expected: usize) {
    let tally = run_annotations(official(), dialect).expect("the annotation tests");
    tally.assert_clean();
    assert_eq!(tally.tests, expected);
}

#[track_caller]
fn check_outputs(dialect: Dialect, expected: usize) {
    let tally = run_outputs(official(), dialect).expect("the output tests");
    tally.assert_clean();
    assert_eq!(tally.tests, expected);
}

mod draft202012 {
    use super::*;

    #[test]
    fn tests() {
        check(Dialect::Draft202012, [1301, 162, 874]);
    }

    #[test]
    fn local() {
        check_local(Dialect::Draft202012, 2208, 129);
    }

    #[test]
    fn annotations() {
        check_annotations(Dialect::Draft202012, 55);
    }

    #[test]
    fn outputs() {
        check_outputs(Dialect::Draft202012, 4);
    }
}

mod draft201909 {
    use super::*;

    #[test]
    fn tests() {
        check(Dialect::Draft201909, [1261, 158, 874]);
    }

    #[test]
    fn local() {
        check_local(Dialect::Draft201909, 2198, 95);
    }

    #[test]
    fn annotations() {
        check_annotations(Dialect::Draft201909, 43);
    }

    #[test]
    fn outputs() {
        check_outputs(Dialect::Draft201909, 4);
    }
}

mod draft07 {
    use super::*;

    #[test]
    fn tests() {
        check(Dialect::Draft07, [929, 118, 793]);
    }

    #[test]
    fn local() {
        check_local(Dialect::Draft07, 1775, 65);
    }

    #[test]
    fn annotations() {
        check_annotations(Dialect::Draft07, 24);
    }
}

mod draft06 {
    use super::*;

    #[test]
    fn tests() {
        check(Dialect::Draft06, [841, 106, 409]);
    }

    #[test]
    fn local() {
        check_local(Dialect::Draft06, 1301, 55);
    }

    #[test]
    fn annotations() {
        check_annotations(Dialect::Draft06, 16);
    }
}

mod draft04 {
    use super::*;

    #[test]
    fn tests() {
        check(Dialect::Draft04, [618, 100, 291]);
    }

    #[test]
    fn local() {
        check_local(Dialect::Draft04, 977, 32);
    }

    #[test]
    fn annotations() {
        check_annotations(Dialect::Draft04, 13);
    }
}
