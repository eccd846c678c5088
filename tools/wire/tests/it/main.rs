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

#[test]
fn encoded_instances() {
    use stanchion_wire::{Status, Validator, forget_names, keep_name};
    let validator = Validator::new(br#"{"properties": {"a": {"type": "string"}}}"#, b"").unwrap();
    let check = |words: &[u32], text: &str| {
        let words: Vec<[u8; 4]> = words.iter().map(|word| word.to_le_bytes()).collect();
        validator.check_encoded(words.as_flattened(), text.as_bytes())
    };
    assert_eq!(keep_name(b"a"), Some(0));
    assert_eq!(keep_name(b"\xff"), None);
    assert_eq!(check(&[7, 9, 1 << 4 | 5, 8], "x"), Status::Valid);
    assert_eq!(check(&[7, 9, 0, 8], ""), Status::Invalid);
    assert_eq!(check(&[7, 1 << 4 | 10, 0, 8], "a"), Status::Invalid);
    assert_eq!(check(&[7], ""), Status::NotJson);
    forget_names();
    assert_eq!(check(&[7, 9, 0, 8], ""), Status::NotJson);
    let short = Validator::new(b"true", br#"{"textBytes": 7}"#).unwrap();
    assert_eq!(short.check_encoded(&[3 << 4 | 5, 0, 0, 0], b"abc"), Status::Valid);
    assert_eq!(short.check_encoded(&[4 << 4 | 5, 0, 0, 0], b"abcd"), Status::NotJson);
}

/// A wrong answer is found out.
#[test]
fn the_runner_can_fail() {
    let mut steps = wire::vectors().unwrap();
    let wrong = steps.iter_mut().filter(|step| step.request.function == "explain");
    let count = wrong.map(|step| step.answer = wire::Answer::Text("no".to_owned())).count();
    assert_eq!(wire::run(&mut Native::default(), &steps).len(), count);
}
