//! Splits the time of a verdict on a `serde_json::Value`, to find how much of it no validator can
//! save.
//!
//! The instances are copied many times (`--copies`) and validated in three orders:
//!
//! - *warm*: each instance again and again. Only computing is left.
//! - *copies*: the copies of an instance one after the other. This adds waiting for memory, but
//!   every branch is predicted.
//! - *turn*: all instances in turn, as in the comparison. This adds mispredicted branches.
//!
//! *walk* only touches every name and value. *native*, with the feature `native`, runs code that
//! was generated from the schema when this program was built, on all instances in turn. With
//! `--copies 1` there are no more instances than in the comparison, and as much of them is in the
//! cache.
//!
//! A walk is a lower bound for validators that look at all names. A validator may skip what the
//! schema does not mention and take less; so in the mean a walk counts for at most Stanchion's own
//! time.

use std::error::Error;

use serde_json::Value;

use super::agree::{self, Agreed};
use super::contest::{self, Contestant};
use super::input::{self, Input, Instance};
use super::native::{self, IsValid};
use super::options::Options;
use super::results::Group;
use super::validators::Peer;

/// Most nodes of the chosen instances and their copies. Instances are chosen evenly from all of a
/// set.
const NODES: usize = 192_000;

/// Nanoseconds per node.
struct Times {
    walk: f64,
    native: Option<f64>,
    peers: Vec<(Peer, [f64; 3])>,
}

/// Measures and prints the times of all sets.
pub(crate) fn run(words: Vec<String>) -> Result<(), Box<dyn Error>> {
    let options = Options::read(words)?;
    let mut all = Vec::new();
    println!("nanoseconds for a node: a walk, and is_valid on warm instances / on copies / on all in turn\n");
    print!("{:28} {:>6} {:>6}", "set", "walk", "native");
    for peer in &options.peers {
        print!(" {:>22}", peer.name());
    }
    println!();
    for (group, name) in input::names(&options)? {
        let times = measure(Input::load(group, &name, &options)?, &options)?;
        print!("{:28} {:>6.1}", format!("{}/{name}", group.name()), times.walk);
        print!(" {:>6}", times.native.map_or_else(|| "-".to_owned(), |native| format!("{native:.1}")));
        for peer in &options.peers {
            match times.peers.iter().find(|(other, _)| other == peer) {
                Some((_, [warm, copies, turn])) => print!(" {warm:>6.1} {copies:>7.1} {turn:>7.1}"),
                None => print!(" {:>22}", "-"),
            }
        }
        println!();
        all.push(times);
    }
    // A verdict that skips what the schema does not mention takes less than a walk. Then the walk
    // is no bound.
    let bound = |times: &Times| Some(times.walk.min(time(times, Peer::Stanchion, 2)?));
    print!("{:28} {:>6.2}", "of stanchion's all in turn", mean(&all, bound));
    match all.iter().any(|times| times.native.is_some()) {
        true => print!(" {:>6.2}", mean(&all, |times| times.native)),
        false => print!(" {:>6}", "-"),
    }
    for peer in &options.peers {
        let [warm, copies, turn] = [0, 1, 2].map(|order| mean(&all, |times| time(times, *peer, order)));
        print!(" {warm:>6.2} {copies:>7.2} {turn:>7.2}");
    }
    println!("   (geometric mean)");
    Ok(())
}

fn time(times: &Times, peer: Peer, order: usize) -> Option<f64> {
    times.peers.iter().find(|(other, _)| *other == peer).map(|(_, orders)| orders[order])
}

/// Returns the geometric mean of a time, relative to Stanchion's on all instances in turn.
fn mean(all: &[Times], of: impl Fn(&Times) -> Option<f64>) -> f64 {
    let ratio = |times: &Times| Some((of(times)? / time(times, Peer::Stanchion, 2)?).ln());
    let ratios: Vec<f64> = all.iter().filter_map(ratio).collect();
    (ratios.iter().sum::<f64>() / ratios.len() as f64).exp()
}

fn measure(input: Input, options: &Options) -> Result<Times, Box<dyn Error>> {
    let compiled = options.peers.iter().filter_map(|&peer| Some((peer, peer.compile(&input.schema).ok()?)));
    // The code was generated from the schema that is used by default.
    let is_of_schema = input.group == Group::Corpus && options.schema.is_none();
    let native = if is_of_schema { native::find(&input.name) } else { None };
    let Agreed { validators, instances, .. } = agree::run(compiled.collect(), input.instances);
    let total: usize = instances.iter().map(|(instance, _)| walk(&instance.value).0).sum();
    let sample: Vec<&str> = instances
        .iter()
        .step_by((total * options.copies).div_ceil(NODES).max(1))
        .map(|(instance, _)| instance.text.as_str())
        .collect();
    let copies: Vec<Vec<Value>> = (0..options.copies)
        .map(|_| sample.iter().map(|text| serde_json::from_str(text)).collect())
        .collect::<Result<_, _>>()?;
    let of_sample = 0..sample.len();
    let warm = of_sample.clone().flat_map(|at| vec![&copies[0][at]; options.copies]).collect();
    let apart = of_sample.flat_map(|at| copies.iter().map(move |copy| &copy[at])).collect();
    let in_turn: Vec<&Value> = copies.iter().flatten().collect();
    let nodes = in_turn.iter().map(|value| walk(value).0).sum::<usize>() as f64;

    let walker = Contestant::new(Peer::Stanchion, || in_turn.iter().map(|value| walk(value).1).sum());
    let walked = contest::run(vec![walker], options)?[0].1 / nodes;
    let native = native.map(|is_valid| timed(&instances, &in_turn, is_valid, options)).transpose()?;
    let mut peers: Vec<(Peer, [f64; 3])> = validators.iter().map(|(peer, _)| (*peer, [0.0; 3])).collect();
    for (order, values) in [warm, apart, in_turn].iter().enumerate() {
        let contestants = validators
            .iter()
            .map(|(peer, validator)| Contestant::new(*peer, move || validator.over_values(values)));
        let times = contest::run(contestants.collect(), options)?;
        for ((_, orders), (_, time)) in peers.iter_mut().zip(times) {
            orders[order] = time / nodes;
        }
    }
    Ok(Times { walk: walked, native: native.map(|time| time / nodes), peers })
}

/// Returns the nanoseconds that generated code takes for a pass. Fails if it disagrees with the
/// others.
fn timed(
    instances: &[(Instance, bool)],
    in_turn: &[&Value],
    is_valid: IsValid,
    options: &Options,
) -> Result<f64, Box<dyn Error>> {
    if instances.iter().any(|(instance, valid)| is_valid(&instance.value) != *valid) {
        return Err("the code that was generated when this was built comes to other verdicts".into());
    }
    let pass = || in_turn.iter().filter(|value| is_valid(value)).count();
    Ok(contest::run(vec![Contestant::new(Peer::Jsonschema, pass)], options)?[0].1)
}

/// Touches every name and value. Returns their number, and a checksum that keeps the compiler from
/// skipping the walk.
fn walk(value: &Value) -> (usize, usize) {
    let add = |(nodes, sum): (usize, usize), (more, touched): (usize, usize)| (nodes + more, sum + touched);
    match value {
        Value::Array(items) => items.iter().map(walk).fold((1, 1), add),
        Value::Object(members) => members.iter().fold((1, 1), |sum, (name, value)| {
            let touched = name.bytes().next().map_or(0, usize::from);
            add(add(sum, walk(value)), (0, touched))
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (1, 1),
    }
}
