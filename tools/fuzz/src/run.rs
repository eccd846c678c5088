//! Any schema and instance get the same answer from every report, or none where limits end the run.

use serde_json::Value;
use stanchion::{Limits, Validator, Verdict};

use crate::seeds::Seed;

/// Runs the instance of the second line on the schema of the first.
pub fn target(bytes: &[u8]) {
    let mut lines = bytes.splitn(2, |&byte| byte == b'\n');
    let (Some(schema), Some(text)) = (lines.next(), lines.next()) else { return };
    let Ok(schema) = serde_json::from_slice::<Value>(schema) else { return };
    let Ok(instance) = serde_json::from_slice::<Value>(text) else { return };
    let limits = Limits::default().steps(20_000).memory(1 << 20).errors(20);
    for steps in [30, 20_000] {
        for optimize in [true, false] {
            let builder =
                Validator::builder().limits(limits.steps(steps)).optimize(optimize).assert_formats(true);
            let Ok(validator) = builder.build(&schema) else { return };
            check(&validator, &schema, &instance);
        }
    }
}

fn check(validator: &Validator, schema: &Value, instance: &Value) {
    let verdict = validator.verdict(instance);
    assert_eq!(validator.is_valid(instance), verdict == Verdict::Valid, "{schema} on {instance}");
    let first = validator.validate(instance);
    assert_eq!(first.is_ok(), verdict == Verdict::Valid, "{schema} on {instance}");
    let errors = validator.iter_errors(instance);
    assert!(errors.len() <= 21, "{} errors: {schema} on {instance}", errors.len());
    for error in errors.as_slice() {
        assert!(error.to_string().len() < 64 << 10, "a long error: {schema} on {instance}");
        assert!(instance.pointer(error.instance_path()).is_some(), "{error}: no such place in {instance}");
    }
    let evaluation = validator.evaluate(instance);
    let decided = |verdict| matches!(verdict, Verdict::Valid | Verdict::Invalid);
    if decided(verdict) && decided(evaluation.verdict()) {
        assert_eq!(evaluation.verdict(), verdict, "{schema} on {instance}");
    }
    for output in [evaluation.flag(), evaluation.basic(), evaluation.list(), evaluation.verbose()] {
        assert_eq!(output["valid"], evaluation.verdict() == Verdict::Valid, "{schema} on {instance}");
    }
    let text = instance.to_string();
    let by_text = validator.verdict_json(text.as_bytes());
    // Integers past 64 bits are doubles in a value; and where steps run out depends on how members are found.
    let is_comparable = by_text.as_ref().is_ok_and(|&verdict| decided(verdict)) && decided(verdict);
    if is_comparable && !has_large_number(instance) {
        assert_eq!(by_text.ok(), Some(verdict), "{schema} on {instance}");
    }
}

fn has_large_number(value: &Value) -> bool {
    match value {
        Value::Number(number) => number.as_f64().is_some_and(|number| number.abs() >= 1e15),
        Value::Array(items) => items.iter().any(has_large_number),
        Value::Object(members) => members.values().any(has_large_number),
        Value::Null | Value::Bool(_) | Value::String(_) => false,
    }
}

/// Schemas and instances of the suite, a line each.
#[must_use]
pub fn seeds(seeds: &[Seed]) -> Vec<Vec<u8>> {
    let line = |seed: &Seed| format!("{}\n{}", seed.schema, seed.instance).into_bytes();
    seeds.iter().map(line).collect()
}
