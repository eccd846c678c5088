//! The errors of a value, and the text that a model gets of them.

use serde_json::Value;
use stanchion::{Errors, Exhausted, Messages, ValidationError, Validator};

/// How errors are put into words.
#[derive(Clone, Debug)]
pub(crate) struct Wording {
    pub(crate) messages: Messages,
    /// How many characters a text for a model has, at most, without its introduction.
    pub(crate) characters: usize,
}

impl Default for Wording {
    fn default() -> Wording {
        Wording { messages: Messages::new(), characters: 2_000 }
    }
}

/// Why a value was not found valid: at least one error.
#[derive(Clone, Debug)]
pub(crate) struct Violations {
    errors: Errors,
    wording: Wording,
}

impl Violations {
    /// What is wrong with a value that was not found valid.
    pub(crate) fn of(validator: &Validator, wording: &Wording, value: &Value) -> Violations {
        Violations { errors: validator.iter_errors(value), wording: wording.clone() }
    }

    pub(crate) fn errors(&self) -> &[ValidationError] {
        self.errors.as_slice()
    }

    /// What stopped the run, if nothing was found wrong before that.
    pub(crate) fn undecided(&self) -> Option<Exhausted> {
        self.errors().first().and_then(ValidationError::exhausted)
    }

    /// What a model needs to mend the value.
    pub(crate) fn text(&self, introduction: &str) -> String {
        format!("{introduction}\n{}", self.wording.messages.for_model(&self.errors, self.wording.characters))
    }
}
