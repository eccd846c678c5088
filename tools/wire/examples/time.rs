//! The time of verdicts from text, natively: `time FOLDER [NAME…]`, where a folder has sets as `peers --write-sets` writes them.
//!
//! Prints a line for each set: its name, nanoseconds to make the validator, and for a verdict on each of its texts. It is what `tools/wasm/bench`
//! compares the wasm module with.

use stanchion_wire::Validator;
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let folder = arguments.next().ok_or("usage: time FOLDER [NAME…]")?;
    for name in arguments {
        let set = Path::new(&folder).join(&name);
        let file = ["schema-2020-12.json", "schema.json"].map(|file| set.join(file));
        let schema = fs::read(file.iter().find(|file| file.exists()).ok_or("no schema")?)?;
        let texts = fs::read_to_string(set.join("instances.jsonl"))?;
        let texts: Vec<&str> = texts.lines().filter(|line| !line.is_empty()).collect();
        let options = br#"{"references": "bundled", "cache": false}"#;
        let validator = Validator::new(&schema, options)
            .map_err(|problem| format!("{name}: {}", String::from_utf8_lossy(problem.json())))?;
        let compile = least(|| drop(black_box(Validator::new(&schema, options))));
        let check: f64 = texts.iter().map(|text| least_of_one(|| validator.check(text.as_bytes()))).sum();
        println!("{name} {:.0} {:.1}", compile, check / texts.len() as f64);
    }
    Ok(())
}

/// The least time of a pass, in nanoseconds, of rounds that last a fifth of a second in all.
fn least(mut pass: impl FnMut()) -> f64 {
    let end = Instant::now() + Duration::from_millis(200);
    let mut best = f64::INFINITY;
    let mut passes = 1_u32;
    while best.is_infinite() || Instant::now() < end {
        let start = Instant::now();
        (0..passes).for_each(|_| pass());
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(passes));
        passes = ((1e6 / best) as u32).clamp(1, 100_000);
    }
    best
}

/// The same, shorter: there are many texts.
fn least_of_one<T>(mut pass: impl FnMut() -> T) -> f64 {
    let mut best = f64::INFINITY;
    let mut passes = 1_u32;
    for _ in 0..6 {
        let start = Instant::now();
        for _ in 0..passes {
            black_box(pass());
        }
        best = best.min(start.elapsed().as_nanos() as f64 / f64::from(passes));
        passes = ((1e5 / best) as u32).clamp(1, 10_000);
    }
    best
}
