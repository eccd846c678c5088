//! Compares verdicts before anything is timed: which validator disagrees about which instance.

use super::input::Instance;
use super::validators::{Compiled, Peer};

/// The validators and instances that are left to compare.
pub(crate) struct Agreed {
    /// Validators that compiled the schema and agree on the instances below.
    pub(crate) validators: Vec<(Peer, Compiled)>,
    /// The instances they agree on, each with its verdict.
    pub(crate) instances: Vec<(Instance, bool)>,
    /// Validators and instances that were left out, and why.
    pub(crate) notes: Vec<String>,
}

/// Most disagreements that are listed one by one.
const MAX_LISTED: usize = 3;

/// Runs all validators on all instances. The right verdict is the expected one, or else
/// Stanchion's.
pub(crate) fn run(compiled: Vec<(Peer, Compiled)>, instances: Vec<Instance>) -> Agreed {
    let mut notes = Vec::new();
    let ours = compiled.iter().find(|(peer, _)| *peer == Peer::Stanchion);
    let right: Vec<Option<bool>> = instances
        .iter()
        .map(|instance| {
            instance.expected.or_else(|| ours.and_then(|(_, ours)| ours.verdict(&instance.value)))
        })
        .collect();
    let mut left_out = vec![false; instances.len()];
    for (at, right) in right.iter().enumerate() {
        if right.is_none() {
            left_out[at] = true;
            notes.push(format!("instance {}: left out: no verdict by stanchion", at + 1));
        }
    }
    let mut validators = Vec::new();
    for (peer, compiled) in compiled {
        let disagrees = |(instance, right): (&Instance, &Option<bool>)| {
            right.is_some()
                && (compiled.verdict(&instance.value) != *right
                    || compiled.verdict_on_text(&instance.text) != *right)
        };
        let apart: Vec<usize> = instances
            .iter()
            .zip(&right)
            .enumerate()
            .filter(|(_, pair)| disagrees(*pair))
            .map(|(at, _)| at)
            .collect();
        for &at in apart.iter().take(MAX_LISTED) {
            let (name, right) = (peer.name(), right[at] == Some(true));
            let verdict = if right { "valid" } else { "invalid" };
            notes.push(format!("instance {}: {name} does not say that it is {verdict}", at + 1));
        }
        if apart.len() > MAX_LISTED {
            notes.push(format!("{}: disagrees on {} instances in all", peer.name(), apart.len()));
        }
        if apart.len() * 10 > instances.len() {
            notes.push(format!("{}: left out of this set", peer.name()));
            continue;
        }
        for at in apart {
            left_out[at] = true;
        }
        validators.push((peer, compiled));
    }
    let count = left_out.iter().filter(|left_out| **left_out).count();
    if count > 0 {
        notes.push(format!("{count} of {} instances left out for all", instances.len()));
    }
    let instances = instances
        .into_iter()
        .zip(right)
        .zip(left_out)
        .filter(|(_, left_out)| !left_out)
        .filter_map(|((instance, right), _)| Some((instance, right?)))
        .collect();
    Agreed { validators, instances, notes }
}
