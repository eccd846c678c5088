//! Chooses which defaults to fill in: as many as fit together.
//!
//! Usually all of them fit, and one validation shows it. Otherwise, those that errors point at are
//! left out. If no error points at one (`dependentRequired` reports the whole object), defaults are
//! added to the arguments in groups that are halved until they fit.
//!
//! The result is filled again until nothing is added, so that filling is idempotent.

use super::fill::Fill;
use super::plan::Plan;
use crate::violations::Violations;
use serde_json::Value;
use stanchion::ErrorKind;
use std::collections::HashSet;

/// Most steps of the validations of a call, beside the first two: four times the default budget of
/// one.
const MAX_STEPS: u64 = 8_000_000;
/// Most validations of a call.
const MAX_TRIALS: usize = 1_000;
/// Most rounds in which filling starts again without the defaults that errors point at.
const MAX_ROUNDS: usize = 4;

/// Arguments with some defaults, to be validated.
pub(super) struct Candidate<'c> {
    pub(super) value: &'c Value,
    /// The places of all defaults in it.
    pub(super) places: &'c [String],
}

/// Valid arguments with defaults.
#[derive(Clone, Debug)]
pub(super) struct Chosen {
    pub(super) value: Value,
    pub(super) places: Vec<String>,
    pub(super) is_complete: bool,
}

/// How many steps a validation took, and its result.
pub(super) type Checked = (u64, Result<(), Violations>);

/// Fills in as many defaults as fit. The outer error is that of a check that could not be made.
pub(super) fn run<E>(
    plan: &Plan,
    arguments: &Value,
    check: &dyn Fn(&Candidate<'_>) -> Result<Checked, E>,
) -> Result<Result<Chosen, Violations>, E> {
    let mut search = Search { plan, check, trials: 0, steps: 0, is_complete: true, before: Vec::new() };
    let mut chosen = match search.fill(arguments)? {
        Ok(chosen) => chosen,
        Err(violations) => return Ok(Err(violations)),
    };
    // Another pass may find more: pairs that only fit together.
    while !chosen.places.is_empty() {
        if search.is_spent() {
            search.is_complete = false;
            break;
        }
        search.before.clone_from(&chosen.places);
        let Ok(again) = search.fill(&chosen.value)? else { break };
        if again.places.is_empty() {
            break;
        }
        chosen.value = again.value;
        chosen.places.extend(again.places);
    }
    chosen.is_complete = search.is_complete;
    Ok(Ok(chosen))
}

struct Search<'p, E> {
    plan: &'p Plan,
    check: &'p dyn Fn(&Candidate<'_>) -> Result<Checked, E>,
    trials: usize,
    steps: u64,
    is_complete: bool,
    /// The places that earlier passes filled.
    before: Vec<String>,
}

impl<E> Search<'_, E> {
    /// Runs one pass.
    fn fill(&mut self, arguments: &Value) -> Result<Result<Chosen, Violations>, E> {
        let bare = Chosen { value: arguments.clone(), places: Vec::new(), is_complete: true };
        let Some(all) = self.with(arguments, &HashSet::new()) else {
            // Too large to search.
            self.is_complete = false;
            return self.validated(bare);
        };
        if all.places.is_empty() {
            return self.validated(bare);
        }
        let places = all.places.clone();
        let mut left_out = HashSet::new();
        let mut next = Some(all);
        for _ in 0..MAX_ROUNDS {
            let Some(candidate) = next.take() else { break };
            let Err(violations) = self.try_out(&candidate)? else {
                return self.grow(arguments, candidate, &places, &left_out).map(Ok);
            };
            let found = left_out.len();
            left_out.extend(misfits(&violations, &candidate.places));
            if left_out.len() > found && !self.is_spent() {
                next = self.with(arguments, &left_out);
            }
        }
        self.build_up(arguments, bare, &places)
    }

    /// Starts from the arguments alone, adds what `required` asks for, and then whatever fits.
    fn build_up(
        &mut self,
        arguments: &Value,
        bare: Chosen,
        places: &[String],
    ) -> Result<Result<Chosen, Violations>, E> {
        let mut kept: HashSet<String> = HashSet::new();
        let mut candidate = bare.clone();
        let mut first = None;
        loop {
            let Err(violations) = self.try_out(&candidate)? else { break };
            let wanted: Vec<String> = missing(&violations)
                .into_iter()
                .filter(|place| places.contains(place) && !kept.contains(place))
                .collect();
            // Errors are reported for the arguments that the caller sent.
            let said = first.get_or_insert(violations);
            if wanted.is_empty() || self.is_spent() {
                return Ok(Err(said.clone()));
            }
            kept.extend(wanted);
            let left_out = places.iter().filter(|place| !kept.contains(*place)).cloned().collect();
            match self.with(arguments, &left_out) {
                Some(next) => candidate = next,
                None => return Ok(Err(said.clone())),
            }
        }
        let left_out: HashSet<String> =
            places.iter().filter(|place| !candidate.places.contains(place)).cloned().collect();
        self.grow(arguments, candidate, places, &left_out).map(Ok)
    }

    /// Adds to a valid candidate those left-out defaults that fit.
    fn grow(
        &mut self,
        arguments: &Value,
        mut candidate: Chosen,
        places: &[String],
        left_out: &HashSet<String>,
    ) -> Result<Chosen, E> {
        let mut left_out = left_out.clone();
        let open: Vec<String> = places.iter().filter(|place| left_out.contains(*place)).cloned().collect();
        let mut groups = if open.is_empty() { Vec::new() } else { vec![open] };
        while let Some(group) = groups.pop() {
            if self.is_spent() {
                self.is_complete = false;
                break;
            }
            let without: HashSet<String> =
                left_out.iter().filter(|place| !group.contains(place)).cloned().collect();
            let Some(next) = self.with(arguments, &without) else { continue };
            if next.places.len() > candidate.places.len() && self.try_out(&next)?.is_ok() {
                (candidate, left_out) = (next, without);
            } else if group.len() > 1 {
                let (left, right) = group.split_at(group.len() / 2);
                // The first group is tried first.
                groups.push(right.to_vec());
                groups.push(left.to_vec());
            }
        }
        Ok(candidate)
    }

    fn is_spent(&self) -> bool {
        self.trials >= MAX_TRIALS || self.steps >= MAX_STEPS
    }

    fn validated(&mut self, chosen: Chosen) -> Result<Result<Chosen, Violations>, E> {
        Ok(self.try_out(&chosen)?.map(|()| chosen))
    }

    fn try_out(&mut self, chosen: &Chosen) -> Result<Result<(), Violations>, E> {
        self.trials += 1;
        let places: Vec<String> = self.before.iter().chain(&chosen.places).cloned().collect();
        let (steps, checked) = (self.check)(&Candidate { value: &chosen.value, places: &places })?;
        // Errors take another run.
        self.steps += if checked.is_ok() { steps } else { 2 * steps };
        Ok(checked)
    }

    /// Fills in all defaults except some. `None` if a limit was reached.
    fn with(&self, arguments: &Value, left_out: &HashSet<String>) -> Option<Chosen> {
        let mut value = arguments.clone();
        let places = Fill::run(self.plan, left_out, &mut value)?;
        Some(Chosen { value, places, is_complete: true })
    }
}

/// Returns the defaults that errors are about: for each error, the innermost that contains its
/// place.
fn misfits(violations: &Violations, places: &[String]) -> Vec<String> {
    let holds = |place: &str, path: &str| {
        path.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let innermost =
        |path: &str| places.iter().filter(|place| holds(place, path)).max_by_key(|place| place.len());
    violations.errors().iter().filter_map(|error| innermost(error.instance_path()).cloned()).collect()
}

/// Returns the places that `required` asks for.
fn missing(violations: &Violations) -> Vec<String> {
    let mut places = Vec::new();
    for error in violations.errors() {
        if let ErrorKind::Required { missing, .. } = error.kind() {
            let place = |name: &String| format!("{}{}", error.instance_path(), crate::words::step(name));
            places.extend(missing.iter().map(place));
        }
    }
    places
}
