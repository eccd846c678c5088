//! All measurements of a set.

use std::cell::RefCell;

use serde_json::Value;
use stanchion::Reader;

use super::agree::{self, Agreed};
use super::contest::{self, Contestant};
use super::heap;
use super::input::Input;
use super::mistakes;
use super::options::Options;
use super::results::{Row, Stage};
use super::validators::{self, Parsed, Peer, Report};

/// Runs all measurements on a set.
pub(crate) fn run(input: Input, options: &Options) -> Row {
    let mut row = Row::new(input.group, &input.name);
    let mut compiled = Vec::new();
    for &peer in &options.peers {
        match peer.compile(&input.schema) {
            Ok(validator) => compiled.push((peer, validator)),
            Err(error) => row.notes.push(format!("{}: the schema is refused: {error}", peer.name())),
        }
    }
    let agreed = agree::run(compiled, input.instances);
    row.notes.extend(agreed.notes.iter().cloned());
    row.instances = agreed.instances.len();
    row.invalid = agreed.instances.iter().filter(|(_, valid)| !valid).count();
    if !agreed.validators.iter().any(|(peer, _)| *peer == Peer::Stanchion) || agreed.instances.is_empty() {
        row.notes.push("nothing to compare".to_owned());
        return row;
    }
    let peers: Vec<Peer> = agreed.validators.iter().map(|(peer, _)| *peer).collect();
    let wants_wrong = Stage::ALL.iter().any(|&stage| stage.is_of_invalid() && options.has(stage));
    let made = if wants_wrong && row.invalid == 0 { mistakes::make(&agreed) } else { Vec::new() };
    let mut wrong: Vec<&Value> = made.iter().collect();
    wrong.extend(agreed.instances.iter().filter(|(_, valid)| !valid).map(|(instance, _)| &instance.value));
    row.invalid = wrong.len();
    for &stage in Stage::ALL {
        let measured = match stage {
            _ if !options.has(stage) => continue,
            Stage::Value => values(&agreed, &all_values(&agreed), options),
            _ if stage.is_of_invalid() && wrong.is_empty() => continue,
            Stage::Invalid => values(&agreed, &wrong, options),
            Stage::Validate => reports(&agreed, &all_values(&agreed), Report::First, options),
            Stage::Errors => reports(&agreed, &all_values(&agreed), Report::All, options),
            Stage::FirstError => reports(&agreed, &wrong, Report::First, options),
            Stage::AllErrors => reports(&agreed, &wrong, Report::All, options),
            Stage::Tape => instances(&agreed, options),
            Stage::SimdTape => tapes(&agreed, options),
            Stage::Text => texts(&agreed, options),
            Stage::Compile => compiles(&[&input.schema], &peers, options),
            // Comes with `Heap`, below.
            Stage::HeapUsed => continue,
            Stage::Heap => {
                for &peer in &peers {
                    match heap::measure(row.group, &row.name, peer, options.schema.as_deref()) {
                        Ok((compiled, used)) => {
                            row.costs.push((Stage::Heap, peer, compiled));
                            row.costs.push((Stage::HeapUsed, peer, used));
                        }
                        Err(error) => row.notes.push(format!("{}: heap: {error}", peer.name())),
                    }
                }
                continue;
            }
        };
        match measured {
            Ok(costs) => row.costs.extend(costs.into_iter().map(|(peer, cost)| (stage, peer, cost))),
            Err(error) => row.notes.push(format!("{}: {error}", stage.name())),
        }
    }
    row
}

type Costs = Result<Vec<(Peer, f64)>, String>;

/// Times verdicts on parsed values.
fn values(agreed: &Agreed, values: &[&Value], options: &Options) -> Costs {
    let contestants = agreed.validators.iter();
    let contestants =
        contestants.map(|(peer, validator)| Contestant::new(*peer, move || validator.over_values(values)));
    contest::run(contestants.collect(), options)
}

/// Times the errors of instances, for validators that list errors.
fn reports(agreed: &Agreed, values: &[&Value], report: Report, options: &Options) -> Costs {
    let text = &RefCell::new(String::new());
    let mut contestants = Vec::new();
    for (peer, validator) in &agreed.validators {
        if validator.report(report, values, &mut text.borrow_mut()).is_some() {
            let pass = move || validator.report(report, values, &mut text.borrow_mut()).unwrap_or(0);
            contestants.push(Contestant::new(*peer, pass));
        }
    }
    contest::run(contestants, options)
}

/// Times verdicts on each validator's own parsed form.
fn instances(agreed: &Agreed, options: &Options) -> Costs {
    let texts = all_texts(agreed);
    let kept = validators::keep(&texts)?;
    parsed(agreed, &Parsed::new(&texts, &kept)?, options)
}

/// Times verdicts like [`instances`], with Stanchion on simd-json's tape.
fn tapes(agreed: &Agreed, options: &Options) -> Costs {
    let texts = all_texts(agreed);
    let mut copies: Vec<Vec<u8>> = texts.iter().map(|text| text.as_bytes().to_vec()).collect();
    parsed(agreed, &Parsed::by_simd_json(&texts, &mut copies)?, options)
}

fn parsed(agreed: &Agreed, parsed: &Parsed<'_>, options: &Options) -> Costs {
    let mut contestants = Vec::new();
    for (peer, validator) in &agreed.validators {
        if validator.over_parsed(parsed).is_some() {
            let pass = move || validator.over_parsed(parsed).unwrap_or(0);
            contestants.push(Contestant::new(*peer, pass));
        }
    }
    contest::run(contestants, options)
}

/// Times verdicts from text.
fn texts(agreed: &Agreed, options: &Options) -> Costs {
    let (texts, reader) = (&all_texts(agreed), &RefCell::new(Reader::new()));
    let contestants = agreed.validators.iter().map(|(peer, validator)| {
        Contestant::new(*peer, move || validator.over_texts(&mut reader.borrow_mut(), texts))
    });
    contest::run(contestants.collect(), options)
}

fn all_values(agreed: &Agreed) -> Vec<&Value> {
    agreed.instances.iter().map(|(instance, _)| &instance.value).collect()
}

fn all_texts(agreed: &Agreed) -> Vec<&str> {
    agreed.instances.iter().map(|(instance, _)| instance.text.as_str()).collect()
}

/// Times compiling schemas that all validators accept.
pub(crate) fn compiles(schemas: &[&Value], peers: &[Peer], options: &Options) -> Costs {
    let contestants = peers.iter().map(|&peer| {
        Contestant::new(peer, move || schemas.iter().filter(|schema| peer.compile(schema).is_ok()).count())
    });
    contest::run(contestants.collect(), options)
}
