//! The errors of a value, and the text that a model gets of them.

use serde_json::Value;
use stanchion::{Exhausted, ValidationError, Validator};
use std::fmt::Write;

/// How many characters a text for a model has, at most.
const TEXT: usize = 2_000;

/// Why a value was not found valid: at least one error.
#[derive(Clone, Debug)]
pub(crate) struct Violations {
    errors: Vec<ValidationError>,
}

impl Violations {
    pub(crate) fn of(validator: &Validator, value: &Value) -> Violations {
        Violations { errors: validator.iter_errors(value).collect() }
    }

    pub(crate) fn errors(&self) -> &[ValidationError] {
        &self.errors
    }

    /// What stopped the run, if nothing was found wrong before that.
    pub(crate) fn undecided(&self) -> Option<Exhausted> {
        self.errors.first().and_then(ValidationError::exhausted)
    }

    /// All errors in a line each, as far as there is room.
    pub(crate) fn text(&self, introduction: &str) -> String {
        let mut text = introduction.to_owned();
        let mut length = text.chars().count();
        for (shown, error) in self.errors.iter().enumerate() {
            let line = error.to_string();
            let needed = line.chars().count() + 3;
            // The first is worth more than the limit.
            if shown > 0 && length + needed > TEXT {
                let _ = write!(text, "\n- and {} more", self.errors.len() - shown);
                break;
            }
            length += needed;
            let _ = write!(text, "\n- {line}");
        }
        text
    }
}
