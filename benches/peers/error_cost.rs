//! Cost of an error: compares `validate` on invalid instances with `is_valid`, and with the error
//! itself.
//!
//! Building an error takes an allocation, its place, and a part of the value, however it was found.
//! A copy of the error, which is then dropped, stands for that cost. The rest of `validate` finds
//! the error; the target is five times a verdict.

use std::error::Error;
use std::hint::black_box;

use serde_json::Value;
use stanchion::ValidationError;

use super::agree::{self, Agreed};
use super::contest::{self, Contestant};
use super::input::{self, Input};
use super::mistakes;
use super::options::Options;
use super::validators::{Compiled, Peer};

/// Nanoseconds per instance.
struct Times {
    verdict: f64,
    validate: f64,
    copy: f64,
}

impl Times {
    fn ratio(&self) -> f64 {
        (self.validate - self.copy) / self.verdict
    }
}

/// Measures and prints the times of all sets.
pub(crate) fn run(words: Vec<String>) -> Result<(), Box<dyn Error>> {
    let options = Options::read(words)?;
    let mut ratios = Vec::new();
    println!(
        "nanoseconds for an invalid instance, and what `validate` takes beside a copy of its error, in times of `is_valid`\n"
    );
    println!(
        "{:34} {:>9} {:>9} {:>9} {:>9} {:>7}",
        "set", "instances", "is_valid", "validate", "copy", "times"
    );
    for (group, name) in input::names(&options)? {
        let Some((count, times)) = measure(Input::load(group, &name, &options)?, &options)? else { continue };
        let Times { verdict, validate, copy } = times;
        let set = format!("{}/{name}", group.name());
        println!("{set:34} {count:>9} {verdict:>9.1} {validate:>9.1} {copy:>9.1} {:>7.2}", times.ratio());
        ratios.push(times.ratio());
    }
    if ratios.is_empty() {
        return Err("no set has an invalid instance".into());
    }
    let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
    let within = ratios.iter().filter(|ratio| **ratio <= 5.0).count();
    println!("{:34} {:>47.2}", "arithmetic mean", mean);
    println!("at most five times: {within} of {} sets", ratios.len());
    Ok(())
}

/// Returns the number of invalid instances, the set's own or made here, and their times.
fn measure(input: Input, options: &Options) -> Result<Option<(usize, Times)>, Box<dyn Error>> {
    let compiled = options.peers.iter().filter_map(|&peer| Some((peer, peer.compile(&input.schema).ok()?)));
    let agreed = agree::run(compiled.collect(), input.instances);
    let made =
        if agreed.instances.iter().all(|(_, valid)| *valid) { mistakes::make(&agreed) } else { Vec::new() };
    let Agreed { validators, instances, .. } = agreed;
    let own = instances.iter().filter(|(_, valid)| !valid).map(|(instance, _)| &instance.value);
    let wrong: Vec<&Value> = made.iter().chain(own).collect();
    let ours = validators.iter().find_map(|(peer, compiled)| match (peer, compiled) {
        (Peer::Stanchion, Compiled::Stanchion(validator)) => Some(validator),
        _ => None,
    });
    let (Some(validator), false) = (ours, wrong.is_empty()) else { return Ok(None) };
    let errors: Vec<ValidationError> =
        wrong.iter().filter_map(|value| validator.validate(*value).err()).collect();
    let passes: [Box<dyn FnMut() -> usize>; 3] = [
        Box::new(|| wrong.iter().filter(|value| !validator.is_valid(**value)).count()),
        Box::new(|| wrong.iter().filter(|value| validator.validate(**value).is_err()).count()),
        Box::new(|| errors.iter().filter(|error| black_box((*error).clone()).exhausted().is_none()).count()),
    ];
    let contestants = passes.into_iter().map(|pass| Contestant::new(Peer::Stanchion, pass)).collect();
    let times = contest::run(contestants, options)?;
    let [verdict, validate, copy] = [0, 1, 2].map(|at| times[at].1 / wrong.len() as f64);
    Ok(Some((wrong.len(), Times { verdict, validate, copy })))
}
