//! Invalid instances for sets that have none: their own, made wrong in one place.

use serde_json::Value;
use stanchion_suite::mutate::{self, Change};

use super::agree::Agreed;

/// So many are enough.
const MOST: usize = 600;

/// So many places are tried in an instance: some have no such change, and some changes leave it valid.
const TRIES: usize = 32;

/// Not those that are out of range, which are hundreds of times as large.
const CHANGES: [Change; 4] = [Change::Type, Change::Missing, Change::Misspelt, Change::Extra];

/// For each instance one that is wrong in one place, which all validators refuse.
pub(crate) fn make(agreed: &Agreed) -> Vec<Value> {
    let is_refused = |value: &Value| {
        agreed.validators.iter().all(|(_, validator)| validator.verdict(value) == Some(false))
    };
    let mut wrong = Vec::new();
    for (number, (instance, _)) in agreed.instances.iter().enumerate().take(MOST) {
        let places = mutate::places(&instance.value);
        let found = (0..TRIES).find_map(|attempt| {
            // Another change than for the instance before, and another place each time: the number is large and prime.
            let change = CHANGES[(number + attempt) % CHANGES.len()];
            let number = number * TRIES + attempt;
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
    // Parsed like all others, so that they lie in memory like those.
    wrong.into_iter().filter_map(|value| serde_json::from_str(&value.to_string()).ok()).collect()
}
