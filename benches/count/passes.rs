//! Passes that are counted.

use std::error::Error;
use std::fmt::Write;
use std::hint::black_box;

use serde_json::Value;
use stanchion::{Reader, References, TapeNode, Validator, Verdict};
use stanchion_benches::sets::{self, Set};

/// Names of the stages. `first-error` and `all-errors` format the errors of the invalid instances
/// alone.
pub(crate) const STAGES: [&str; 6] = ["value", "first-error", "all-errors", "tape", "text", "compile"];

/// Runs a stage of a set `passes` times.
pub(crate) fn run(set: &str, stage: &str, passes: usize) -> Result<(), Box<dyn Error>> {
    let set = sets::by_name(set).ok_or_else(|| format!("{set}: no such set"))?;
    let builder = Validator::builder().references(References::Bundled);
    let validator = builder.build(&set.schema)?;
    match stage {
        "value" => check(passes, &set, || {
            set.instances.iter().filter(|(instance, _)| validator.is_valid(instance)).count()
        }),
        "first-error" => lines(passes, &set, |instance, text| {
            if let Err(error) = validator.validate(instance) {
                let _ = write!(text, "{error}");
            }
        }),
        "all-errors" => lines(passes, &set, |instance, text| {
            let _ = write!(text, "{}", validator.iter_errors(instance));
        }),
        "tape" => {
            let mut texts = texts(&set);
            let tapes: Vec<_> =
                texts.iter_mut().map(|text| simd_json::to_tape(text)).collect::<Result<_, _>>()?;
            check(passes, &set, || {
                tapes.iter().filter(|tape| validator.is_valid(TapeNode::from(*tape))).count()
            })
        }
        "text" => {
            let (texts, mut reader) = (texts(&set), Reader::new());
            let mut is_valid =
                |text: &Vec<u8>| matches!(validator.verdict_json_with(&mut reader, text), Ok(Verdict::Valid));
            check(passes, &set, || texts.iter().filter(|text| is_valid(text)).count())
        }
        "compile" => {
            for _ in 0..passes {
                black_box(builder.build(black_box(&set.schema))?);
            }
            Ok(())
        }
        _ => Err(format!("{stage}: no such stage").into()),
    }
}

/// Writes the errors of all invalid instances, `passes` times, and checks that each instance has
/// some.
fn lines(passes: usize, set: &Set, write: impl Fn(&Value, &mut String)) -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    for _ in 0..passes {
        for (instance, _) in set.instances.iter().filter(|(_, valid)| !valid) {
            text.clear();
            write(instance, &mut text);
            if black_box(&text).is_empty() {
                return Err(format!("{}: no error of {instance}", set.name).into());
            }
        }
    }
    Ok(())
}

fn texts(set: &Set) -> Vec<Vec<u8>> {
    set.instances.iter().map(|(instance, _)| instance.to_string().into_bytes()).collect()
}

/// Runs the passes, and checks that each finds the right number of valid instances.
fn check(passes: usize, set: &Set, mut pass: impl FnMut() -> usize) -> Result<(), Box<dyn Error>> {
    let right = set.instances.iter().filter(|(_, valid)| *valid).count();
    for _ in 0..passes {
        let count = black_box(pass());
        if count != right {
            return Err(format!("{}: {count} instances are valid, and should be {right}", set.name).into());
        }
    }
    Ok(())
}
