//! A plain loop over the targets, for any toolchain: seeds of the suite, mutants of them, and bytes at random. It sees no
//! coverage; what it has over libFuzzer is that it runs everywhere.

use std::collections::VecDeque;
use std::env;
use std::error::Error;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use stanchion_fuzz::{TARGETS, Target, seeds};

/// The largest input.
const LENGTH: usize = 4096;

struct Options {
    seconds: u64,
    seed: u64,
    corpus: Option<PathBuf>,
    targets: Vec<String>,
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options { seconds: 20, seed: 20_201_207, corpus: None, targets: Vec::new() };
    let mut words: VecDeque<String> = env::args().skip(1).collect();
    while let Some(word) = words.pop_front() {
        let mut value = || words.pop_front().ok_or(format!("{word} wants a value"));
        match word.as_str() {
            "--seconds" => options.seconds = value()?.parse()?,
            "--seed" => options.seed = value()?.parse()?,
            "--write-corpus" => options.corpus = Some(value()?.into()),
            name if TARGETS.iter().any(|target| target.name == name) => options.targets.push(word),
            other => return Err(format!("expected an option or a target, found {other}").into()),
        }
    }
    Ok(options)
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let options = options()?;
    let seeds = seeds::all();
    let mut failed = 0;
    let wanted = |target: &&Target| {
        options.targets.is_empty() || options.targets.iter().any(|name| name == target.name)
    };
    for target in TARGETS.iter().filter(wanted) {
        let inputs = (target.seeds)(&seeds);
        if let Some(corpus) = &options.corpus {
            write_corpus(&corpus.join(target.name), &inputs)?;
            continue;
        }
        let outcome = fuzz(target, &inputs, options.seed, Duration::from_secs(options.seconds));
        match outcome {
            Ok(runs) => println!("{}: {runs} runs from {} seeds", target.name, inputs.len()),
            Err(input) => {
                failed += 1;
                let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("artifacts").join(target.name);
                write_corpus(&path, std::slice::from_ref(&input))?;
                println!("{}: failed; the input is in {}", target.name, path.display());
            }
        }
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn write_corpus(folder: &Path, inputs: &[Vec<u8>]) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    for (index, input) in inputs.iter().enumerate() {
        fs::write(folder.join(format!("{index:05}")), input)?;
    }
    Ok(())
}

/// Runs a target until the time is over: how often it ran, or the input that it failed on. Every seed is run once, so that
/// the seeds alone are a test however slow the machine is.
fn fuzz(target: &Target, seeds: &[Vec<u8>], seed: u64, time: Duration) -> Result<u64, Vec<u8>> {
    let start = Instant::now();
    let mut runs = 0;
    for input in seeds {
        attempt(target, input)?;
        runs += 1;
    }
    let mut dice = Dice(seed | 1);
    while start.elapsed() < time {
        attempt(target, &mutant(&mut dice, seeds))?;
        runs += 1;
    }
    Ok(runs)
}

fn attempt(target: &Target, input: &[u8]) -> Result<(), Vec<u8>> {
    catch_unwind(|| (target.run)(input)).map_err(|_| input.to_vec())
}

/// Bytes at random, or one of the seeds changed in a few places.
fn mutant(dice: &mut Dice, seeds: &[Vec<u8>]) -> Vec<u8> {
    if seeds.is_empty() || dice.below(16) == 0 {
        let length = 1 + dice.below(512);
        return (0..length).map(|_| dice.below(256) as u8).collect();
    }
    let mut input = seeds[dice.below(seeds.len())].clone();
    for _ in 0..=dice.below(4) {
        let at = dice.below(input.len() + 1);
        let end = (at + dice.below(12)).min(input.len());
        match dice.below(6) {
            0 if at < input.len() => input[at] ^= 1 << dice.below(8),
            1 => input
                .insert(at, *b"{}[]\",:0123456789.eE+-\\u truefalsn$".get(dice.below(36)).unwrap_or(&b' ')),
            2 => drop(input.drain(at..end)),
            3 => {
                let copy = input[at..end].to_vec();
                let to = dice.below(input.len() + 1);
                input.splice(to..to, copy);
            }
            _ => {
                let other = &seeds[dice.below(seeds.len())];
                let from = dice.below(other.len() + 1);
                let to = (from + dice.below(40)).min(other.len());
                input.splice(at..end, other[from..to].iter().copied());
            }
        }
    }
    input.truncate(LENGTH);
    input
}

/// Numbers that look random and are the same for a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}
