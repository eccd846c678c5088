//! Defaults: what a call leaves out, filled in from the schema.
//!
//! A plan is made once for a schema (`plan.rs`): which subschemas have members with a `default`, and how one gets there. Filling (`fill.rs`) walks the
//! arguments along the plan. The result is then validated, and defaults that do not fit are left out again.
//!
//! Only what holds in any case is followed: `properties`, `items` and their like, `allOf`, and references. A branch of `anyOf`, `oneOf` or `if` may
//! not be the one that is meant, so its defaults are not applied.

mod fill;
mod plan;

use crate::call::InvalidArguments;
use crate::schema::Compiled;
use fill::Fill;
use plan::Plan;
use serde_json::Value;
use stanchion::ValidationError;
use std::collections::HashSet;

/// How often filling starts again without those defaults that did not fit.
const ROUNDS: usize = 4;

/// Arguments with defaults filled in.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Filled {
    /// The arguments, valid.
    pub arguments: Value,
    /// The places of what was filled in, as JSON Pointers.
    pub places: Vec<String>,
    /// Whether all defaults that fit were filled in. If not, they are too many or too large together (10,000, or 1 MiB), or the arguments are too
    /// large to look through, and none was.
    pub is_complete: bool,
}

/// The defaults of a schema.
pub(crate) struct Defaults {
    plan: Plan,
}

impl Defaults {
    pub(crate) fn new(schema: &Value) -> Defaults {
        Defaults { plan: Plan::new(schema) }
    }

    /// Fills in what is absent and validates. If the defaults cannot be used, the arguments alone have to be valid.
    pub(crate) fn fill(&self, schema: &Compiled, arguments: Value) -> Result<Filled, InvalidArguments> {
        let mut left_out = HashSet::new();
        let mut is_complete = true;
        for _ in 0..ROUNDS {
            let mut filled = arguments.clone();
            let Some(places) = Fill::new(&self.plan, &left_out).run(&mut filled) else {
                is_complete = false;
                break;
            };
            let Err(violations) = schema.check(&filled) else {
                return Ok(Filled { arguments: filled, places, is_complete: true });
            };
            let found = left_out.len();
            left_out.extend(misfits(violations.errors(), &places));
            if places.is_empty() || left_out.len() == found {
                break;
            }
        }
        // What is wrong is said of what the caller sent.
        match schema.check(&arguments) {
            Ok(()) => Ok(Filled { arguments, places: Vec::new(), is_complete }),
            Err(violations) => Err(InvalidArguments(violations)),
        }
    }
}

/// The defaults that errors are about: for each error the innermost that holds its place.
fn misfits(errors: &[ValidationError], places: &[String]) -> Vec<String> {
    let holds = |place: &str, path: &str| {
        path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let innermost =
        |path: &str| places.iter().filter(|place| holds(place, path)).max_by_key(|place| place.len());
    errors.iter().filter_map(|error| innermost(error.instance_path()).cloned()).collect()
}
