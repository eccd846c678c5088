//! Random schemas and instances, and what happens to a failure.
//!
//! The seed is printed, and is `PROPTEST_RNG_SEED` if that is set, as `.ci/run` does. A failure is shrunk and kept in
//! `suite/data/regressions`, which `regressions.rs` runs as cases.

use std::cell::Cell;
use std::env;
use std::hash::{BuildHasher as _, RandomState};

use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed, TestCaseError, TestError, TestRunner};
use serde_json::Value;
use stanchion::Validator;
use stanchion_suite::regression;

/// Number of schemas with instances on which each property is tried, unless `PROPTEST_CASES` is
/// set.
const CASES: u32 = 10_000;

/// Input of a property: a schema, instances, and a number for whatever it varies.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) schema: Value,
    pub(crate) instances: Vec<Value>,
    pub(crate) number: u64,
}

/// Whether a schema was built. A refused schema does not test the property.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Built {
    Yes,
    No,
}

/// A property: fails, or returns whether the schema could be tested at all.
pub(crate) type Property = fn(&Case) -> Result<Built, TestCaseError>;

/// Tries a property on random cases. At least `share` percent must have a schema that is built.
#[track_caller]
pub(crate) fn check(name: &str, property: Property, cases: impl Strategy<Value = Case>, share: u32) {
    let seed = match env::var("PROPTEST_RNG_SEED") {
        Ok(seed) => seed.parse().expect("PROPTEST_RNG_SEED is a number"),
        Err(_) => RandomState::new().hash_one(name),
    };
    println!("{name}: PROPTEST_RNG_SEED={seed}");
    let number =
        env::var("PROPTEST_CASES").map_or(CASES, |text| text.parse().expect("PROPTEST_CASES is a number"));
    let config = Config {
        cases: number,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(seed),
        ..Config::default()
    };
    let (tried, built) = (Cell::new(0), Cell::new(0));
    let outcome = TestRunner::new(config).run(&cases, |case| {
        tried.set(tried.get() + 1);
        if property(&case)? == Built::Yes {
            built.set(built.get() + 1);
        }
        Ok(())
    });
    match outcome {
        Ok(()) => {
            let (tried, built) = (tried.get(), built.get());
            println!("{name}: {built} of {tried} schemas were built");
            assert!(built * 100 >= tried * share, "{name}: only {built} of {tried} schemas were built");
        }
        Err(TestError::Fail(why, case)) => {
            let kept = keep(name, why.message(), &case);
            panic!(
                "{name}: {why}\nPROPTEST_RNG_SEED={seed}, kept in {kept}\n{}\n{:?}",
                case.schema, case.instances
            )
        }
        Err(TestError::Abort(why)) => panic!("{name}: {why}, PROPTEST_RNG_SEED={seed}"),
    }
}

/// Stores a failure, with the verdicts of plain code.
fn keep(name: &str, why: &str, case: &Case) -> String {
    let plain = Validator::builder().optimize(false).build(&case.schema);
    let valid = |instance: &Value| plain.as_ref().is_ok_and(|plain| plain.is_valid(instance));
    let instances: Vec<(String, bool)> =
        case.instances.iter().map(|instance| (instance.to_string(), valid(instance))).collect();
    match regression::keep(name, why, &case.schema, &instances) {
        Ok(path) => path.display().to_string(),
        Err(error) => format!("no file: {error}"),
    }
}

/// A failing property is shrunk, reported and stored; one whose schemas are mostly refused fails as
/// well.
#[test]
fn properties_can_fail() {
    let numbers = || {
        (0..1000u64).prop_map(|number| Case {
            schema: serde_json::json!({"maximum": number}),
            instances: vec![7.into()],
            number,
        })
    };
    fn below_ten(case: &Case) -> Result<Built, TestCaseError> {
        prop_assert!(case.number < 10, "{} is too much", case.number);
        Ok(Built::Yes)
    }
    let failed = std::panic::catch_unwind(|| check("on-purpose", below_ten, numbers(), 0));
    let message = *failed.expect_err("a failure").downcast::<String>().expect("a text");
    assert!(message.contains("10 is too much") && message.contains(r#"{"maximum":10}"#), "{message}");
    let path = message.split("kept in ").nth(1).and_then(|rest| rest.lines().next()).expect("a path");
    let kept: Value = serde_json::from_slice(&std::fs::read(path).expect("a file")).expect("JSON");
    assert_eq!(kept[0]["tests"][0]["valid"], true);
    std::fs::remove_file(path).expect("a file of ours");

    let refused = std::panic::catch_unwind(|| check("on-purpose", |_| Ok(Built::No), numbers(), 1));
    assert!(refused.is_err());
}
