//! Checks that every entry point, with and without the optimizer and a memo, agrees with `jsonschema`.

use arbitrary::Unstructured;
use serde_json::{Value, json};
use stanchion::{Remember, Validator, Verdict};
use stanchion_suite::case::Group;
use stanchion_suite::regression;
use stanchion_suite::runner::run_group;

use crate::generate;
use crate::seeds::Seed;

/// Instances for each schema.
const INSTANCES: usize = 4;

/// A schema and instances made from the bytes.
pub fn target(bytes: &[u8]) {
    let mut bytes = Unstructured::new(bytes);
    let Ok(schema) = generate::schema(&mut bytes) else { return };
    // Rings are refused, here and by others in their own ways.
    let Ok(validator) = Validator::new(&schema) else { return };
    let oracle = jsonschema::draft202012::new(&schema).ok();
    for _ in 0..INSTANCES {
        let Ok(instance) = generate::instance(&mut bytes, 3) else { return };
        check(&schema, &instance, &validator, oracle.as_ref());
    }
}

fn check(schema: &Value, instance: &Value, validator: &Validator, oracle: Option<&jsonschema::Validator>) {
    let valid = match oracle {
        Some(oracle) => oracle.is_valid(instance),
        None => validator.is_valid(instance),
    };
    let expected = if valid { Verdict::Valid } else { Verdict::Invalid };
    let test = json!({"description": "", "data": instance, "valid": valid});
    let group = json!({"description": "", "schema": schema, "tests": [test]});
    let group: Group = serde_json::from_str(&group.to_string()).expect("a group in the format");
    let tally = run_group("fuzz", &group, &Validator::builder());
    let mut wrong: Vec<String> = tally.failures.iter().map(ToString::to_string).collect();
    for remember in [Remember::Never, Remember::Always] {
        for optimize in [true, false] {
            let builder = Validator::builder().remember(remember).optimize(optimize);
            let verdict = builder.build(schema).map(|validator| validator.verdict(instance));
            if !verdict.as_ref().is_ok_and(|&verdict| verdict == expected) {
                wrong.push(format!("{remember:?}, optimized {optimize}: {verdict:?}"));
            }
        }
    }
    if !wrong.is_empty() {
        let why = wrong.join("\n");
        let kept = regression::keep("fuzz-agree", &why, schema, &[(instance.to_string(), valid)]);
        panic!("{schema} on {instance}, valid by the oracle: {valid}; kept in {kept:?}\n{why}");
    }
}

/// Choices at random: cases of the suite cannot be turned into them.
#[must_use]
pub fn seeds(_: &[Seed]) -> Vec<Vec<u8>> {
    Vec::new()
}
