//! Invalid instances for sets that have none: each valid instance, changed in one place.

use serde_json::Value;
use stanchion_suite::mutate::{self, Change};

use super::agree::Agreed;

/// Most instances that are changed.
const MAX_INSTANCES: usize = 600;

/// Most places that are tried in an instance: some do not fit the change, and some changes leave it
/// valid.
const MAX_TRIES: usize = 32;

/// The kinds of change. Not those that put values out of range: they make an instance hundreds of
/// times as large.
const CHANGES: [Change; 4] = [Change::Type, Change::Missing, Change::Misspelt, Change::Extra];

/// Returns, for each instance, a copy with one mistake that all validators refuse.
pub(crate) fn make(agreed: &Agreed) -> Vec<Value> {
    let is_refused = |value: &Value| {
        agreed.validators.iter().all(|(_, validator)| validator.verdict(value) == Some(false))
    };
    let mut wrong = Vec::new();
    for (number, (instance, _)) in agreed.instances.iter().enumerate().take(MAX_INSTANCES) {
        let places = mutate::places(&instance.value);
        let found = (0..MAX_TRIES).find_map(|attempt| {
            // Another change than for the previous instance, and another place each time: the
            // factor is a large prime.
            let change = CHANGES[(number + attempt) % CHANGES.len()];
            let number = number * MAX_TRIES + attempt;
            let place = places.get(number * 7919 % places.len().max(1))?;
            let mut mutants = mutate::mutants_at(&instance.value, place, change);
            if mutants.is_empty() {
                return None;
            }
            let mutant = mutants.swap_remove(number % mutants.len());
            is_refused(&mutant.instance).then_some(mutant.instance)
        });
        wrong.extend(found);
    }
    // Parsed like all others, so that the layout in memory is the same.
    wrong.into_iter().filter_map(|value| serde_json::from_str(&value.to_string()).ok()).collect()
}
