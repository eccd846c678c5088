//! The contract holds: for the files of `suite/data/wire`, for the official suite, and for hostile schemas.

mod cache;
mod native;
mod quiet;

use native::Native;
use stanchion_suite::wire::{self, Scale, Step};

fn check(steps: &[Step], least: usize) {
    assert!(steps.len() >= least, "there are only {} calls", steps.len());
    let wrong = wire::run(&mut Native::default(), steps);
    assert!(wrong.is_empty(), "{} of {} calls:\n{}", wrong.len(), steps.len(), wrong.join("\n"));
}

#[test]
fn vectors() {
    check(&wire::vectors().unwrap(), 150);
}

#[test]
fn official_suite() {
    check(&wire::official().unwrap(), 7_000);
}

#[test]
fn hostile_schemas() {
    check(&wire::hostile(Scale::Small), 500);
}

/// A wrong answer is found out.
#[test]
fn the_runner_can_fail() {
    let mut steps = wire::vectors().unwrap();
    let wrong = steps.iter_mut().filter(|step| step.request.function == "explain");
    let count = wrong.map(|step| step.answer = wire::Answer::Text("no".to_owned())).count();
    assert_eq!(wire::run(&mut Native::default(), &steps).len(), count);
}
