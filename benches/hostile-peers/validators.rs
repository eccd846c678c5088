//! The validators, and how each is run on an attack.

use serde_json::Value;
use stanchion::Verdict;
use stanchion_suite::hostile::{Attack, Expected};

use super::table::Outcome;

/// All validators.
#[cfg(feature = "corvus")]
pub(crate) const NAMES: [&str; 4] = ["stanchion", "corvus-json-schema", "jsonschema", "boon"];

/// All validators.
#[cfg(not(feature = "corvus"))]
pub(crate) const NAMES: [&str; 3] = ["stanchion", "jsonschema", "boon"];

/// A validator's answer for an instance: whether it is valid, or `None` without a verdict.
type Answer = Option<bool>;

/// Runs an attack on a validator.
pub(crate) fn run(validator: &str, attack: &Attack) -> Option<Outcome> {
    match validator {
        "stanchion" => Some(stanchion(attack)),
        #[cfg(feature = "corvus")]
        "corvus-json-schema" => Some(corvus(attack)),
        "jsonschema" => Some(jsonschema(attack)),
        "boon" => Some(boon(attack)),
        _ => None,
    }
}

/// Compares the answers for the instances, until one is wrong or missing.
fn judge(attack: &Attack, mut answer: impl FnMut(&Value) -> Answer) -> Outcome {
    for instance in &attack.instances {
        match (answer(&instance.value), instance.expected) {
            (Some(true), Expected::Valid) | (Some(false), Expected::Invalid) => {}
            // A ring has no meaning; any answer is enough.
            (_, Expected::Refused) => {}
            (None, Expected::Valid | Expected::Invalid) => return Outcome::Refused,
            (Some(_), Expected::Valid | Expected::Invalid) => return Outcome::Wrong,
        }
    }
    Outcome::Right
}

/// Returns the outcome of a refused schema, which is right for rings.
fn refused(attack: &Attack) -> Outcome {
    let is_ring = attack.instances.iter().all(|instance| instance.expected == Expected::Refused);
    if is_ring { Outcome::Right } else { Outcome::Refused }
}

fn stanchion(attack: &Attack) -> Outcome {
    let Ok(validator) = attack.builder().build(&attack.schema) else { return refused(attack) };
    judge(attack, |value| match validator.verdict(value) {
        Verdict::Valid => Some(true),
        Verdict::Invalid => Some(false),
        Verdict::Undecided(_) => None,
    })
}

#[cfg(feature = "corvus")]
fn corvus(attack: &Attack) -> Outcome {
    use corvus_json_schema::{CompileOptions, compile_with};
    let assert_format = if attack.formats { Some(true) } else { None };
    let options = CompileOptions { assert_format, ..CompileOptions::default() };
    let Ok(validator) = compile_with(&attack.schema, &options) else { return refused(attack) };
    judge(attack, |value| validator.try_validate(value).ok())
}

fn jsonschema(attack: &Attack) -> Outcome {
    use jsonschema::error::ValidationErrorKind;
    let options = jsonschema::options().should_validate_formats(attack.formats);
    let Ok(validator) = options.build(&attack.schema) else { return refused(attack) };
    let gives_up = |value: &Value| {
        let found = validator.validate(value).err();
        found.is_some_and(|error| matches!(error.kind(), ValidationErrorKind::BacktrackLimitExceeded { .. }))
    };
    judge(attack, |value| {
        if validator.is_valid(value) {
            return Some(true);
        }
        // `is_valid` reports an abandoned pattern as invalid; only `validate` says why.
        if gives_up(value) { None } else { Some(false) }
    })
}

fn boon(attack: &Attack) -> Outcome {
    const PLACE: &str = "https://example.com/hostile.json";
    let mut compiler = boon::Compiler::new();
    if attack.formats {
        compiler.enable_format_assertions();
    }
    let mut schemas = boon::Schemas::new();
    if compiler.add_resource(PLACE, attack.schema.clone()).is_err() {
        return refused(attack);
    }
    let Ok(schema) = compiler.compile(PLACE, &mut schemas) else { return refused(attack) };
    judge(attack, |value| Some(schemas.validate(value, schema).is_ok()))
}
