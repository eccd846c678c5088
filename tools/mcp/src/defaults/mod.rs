//! Defaults: fills in absent arguments from the schema.
//!
//! The plan (`plan.rs`) is made once for a schema: which subschemas have members with a `default`,
//! and how to reach them. Filling (`fill.rs`) walks the arguments along the plan. The result is
//! then validated, and defaults that do not fit are removed (`choose.rs`).
//!
//! Only keywords that always apply are followed: `properties`, `items` and the like, `allOf`, and
//! references. A branch of `anyOf`, `oneOf` or `if` may not be the intended one, so its defaults
//! are not applied. A default that contains itself, as in a linked list, is not applied either.

mod choose;
mod fill;
mod plan;

use crate::edit::Edits;
use crate::schema::Compiled;
use crate::violations::{Subject, Violations};
use choose::{Candidate, Checked, Chosen};
use plan::Plan;
use serde_json::Value;
use stanchion::{Dialect, Reader, TextError};
use stanchion_vocab::pointer;
use std::convert::Infallible;

/// Arguments with defaults filled in.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Filled {
    /// The valid arguments.
    pub arguments: Value,
    /// The places that were filled in, as JSON Pointers.
    pub places: Vec<String>,
    /// Whether all defaults that fit together were filled in. If not, there are too many or they
    /// are too large (10,000, or 1 MiB), the arguments are too large to search, or too many
    /// validations would be needed to find those that fit.
    pub is_complete: bool,
}

/// The defaults of a schema.
pub(crate) struct Defaults {
    plan: Plan,
}

impl Defaults {
    pub(crate) fn new(schema: &Value, dialect: Dialect) -> Defaults {
        Defaults { plan: Plan::new(schema, dialect) }
    }

    /// Fills in what is absent and validates. If the defaults cannot be used, the arguments alone have to be valid.
    pub(crate) fn fill(&self, schema: &Compiled, arguments: Value) -> Result<Filled, Violations> {
        let check = |candidate: &Candidate<'_>| -> Result<Checked, Infallible> {
            Ok(schema.measure(Subject::Arguments, candidate.value))
        };
        let Ok(chosen) = choose::run(&self.plan, &arguments, &check);
        let Chosen { value, places, is_complete } = chosen?;
        Ok(Filled { arguments: value, places, is_complete })
    }

    /// Like `fill`, with arguments as text, which keep their digits.
    pub(crate) fn fill_text(
        &self,
        schema: &Compiled,
        text: &str,
    ) -> Result<Result<String, Violations>, TextError> {
        Reader::new().parse_str(text)?;
        let Some(skeleton) = crate::text::skeleton(text) else { return Ok(Ok(text.to_owned())) };
        let edited = |value: &Value, places: &[String]| {
            let mut edits = Edits::default();
            for place in places {
                let (object, _) = place.rsplit_once('/').unwrap_or_default();
                let is_outermost = !places.iter().any(|other| is_inside(object, other));
                if let (true, Some(default), Some(name)) = (
                    is_outermost,
                    value.pointer(place),
                    pointer::tokens(place).and_then(|mut tokens| tokens.pop()),
                ) {
                    edits.add(object, &name, default.to_string());
                }
            }
            edits.apply(text)
        };
        // The text was read before, and defaults are JSON that does not nest too deep in it, so that
        // this can be read, too.
        let check = |candidate: &Candidate<'_>| -> Result<Checked, TextError> {
            let text = edited(candidate.value, candidate.places);
            let mut reader = Reader::new().text_bytes(usize::MAX);
            let instance = reader.parse_str(&text)?;
            Ok(schema.measure(Subject::Arguments, instance.root()))
        };
        let chosen = choose::run(&self.plan, &skeleton, &check)?;
        Ok(chosen.map(|chosen| edited(&chosen.value, &chosen.places)))
    }
}

/// Whether a place is equal to another one, or below it.
fn is_inside(place: &str, other: &str) -> bool {
    place.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}
