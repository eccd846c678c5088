//! Instruction counts instead of times: they show a regression even on a busy machine.
//!
//! ```sh
//! cargo run --release -p stanchion-benches --features count --bin count
//! ```
//!
//! Runs Stanchion alone on a fixed choice of our own sets under valgrind's callgrind. Each stage
//! runs in a process of its own, once with few passes and once with more; the difference gives the
//! instructions of a pass. A pass is one compile, or all instances of the set; for errors, all
//! invalid instances. Options:
//!
//! | option | meaning |
//! |---|---|
//! | `--only TEXT` | only counts with this in their names, which are `SET/STAGE` |
//! | `--all` | all sets |
//! | `--json FILE` | writes the counts |
//! | `--against FILE` | also shows the counts that `--json` wrote before, and the ratio |
//! | `--against-unmetered` | also counts in a build of the engine without limits (`--cfg stanchion_unmetered`), and shows what they cost |
//! | `--pass SET STAGE N` | only runs N passes, for a profiler |

mod passes;
mod valgrind;

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::{Map, Value};
use stanchion_benches::sets;

use passes::STAGES;

/// Sets that are counted without `--all`: small and large documents, names, unions, texts, marks.
const SETS: [&str; 6] = ["mcp", "openapi", "table", "shapes", "strings", "composed"];

/// Options of the command line.
#[derive(Default)]
struct Options {
    only: String,
    all: bool,
    unmetered: bool,
    json: Option<PathBuf>,
    against: Option<PathBuf>,
}

fn main() -> ExitCode {
    match run(env::args().skip(1).collect()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn run(words: Vec<String>) -> Result<(), Box<dyn Error>> {
    if let [pass, set, stage, count] = &words[..]
        && pass == valgrind::PASS
    {
        let count = count.parse().map_err(|_| format!("{count}: expected a number of passes"))?;
        return passes::run(set, stage, count);
    }
    let options = read(words)?;
    let before = match &options.against {
        Some(file) => Some(counts_before(file)?),
        None => None,
    };
    let unmetered = if options.unmetered { Some(build_unmetered()?) } else { None };
    let names: Vec<&str> = if options.all { sets::names().collect() } else { SETS.to_vec() };
    let program = env::current_exe()?;

    let heads = match (&unmetered, &before) {
        (Some(_), _) => ["unmetered", "ratio"],
        (None, Some(_)) => ["before", "ratio"],
        (None, None) => ["", ""],
    };
    println!("{:28} {:>16} {:>16} {:>8}", "instructions of a pass", "now", heads[0], heads[1]);
    let (mut counts, mut ratios) = (Map::new(), Vec::new());
    for set in names {
        for stage in STAGES {
            let name = format!("{set}/{stage}");
            if !name.contains(&options.only) {
                continue;
            }
            let now = valgrind::count(&program, set, stage)?;
            let other = match (&unmetered, &before) {
                (Some(program), _) => Some(valgrind::count(program, set, stage)?),
                (None, Some(before)) => before.get(&name).and_then(Value::as_f64),
                (None, None) => None,
            };
            match other {
                Some(other) => {
                    println!("{name:28} {now:>16.0} {other:>16.0} {:>8.4}", now / other);
                    ratios.push((stage, now / other));
                }
                None => println!("{name:28} {now:>16.0}"),
            }
            counts.insert(name, now.round().into());
        }
    }
    for stage in STAGES {
        let logs: Vec<f64> =
            ratios.iter().filter(|(at, _)| *at == stage).map(|(_, ratio)| ratio.ln()).collect();
        if !logs.is_empty() {
            let mean = (logs.iter().sum::<f64>() / logs.len() as f64).exp();
            println!("{:62} {mean:>8.4}", format!("geometric mean of {stage}"));
        }
    }
    if let Some(file) = &options.json {
        let text = format!("{:#}\n", Value::Object(counts));
        fs::write(file, text).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}

fn read(words: Vec<String>) -> Result<Options, String> {
    let mut options = Options::default();
    let mut words = words.into_iter();
    while let Some(option) = words.next() {
        let mut value = || words.next().ok_or(format!("{option}: expected a value after it"));
        match option.as_str() {
            "--only" => options.only = value()?,
            "--all" => options.all = true,
            "--json" => options.json = Some(value()?.into()),
            "--against" => options.against = Some(value()?.into()),
            "--against-unmetered" => options.unmetered = true,
            _ => return Err(format!("{option}: no such option; the source of this program lists them")),
        }
    }
    Ok(options)
}

/// Reads the counts that `--json` wrote before.
fn counts_before(file: &Path) -> Result<Value, String> {
    let text = fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))
}

/// Builds this program again with an engine without limits, in a directory beside this one.
fn build_unmetered() -> Result<PathBuf, Box<dyn Error>> {
    let program = env::current_exe()?;
    let folder = program.parent().ok_or("this program is in no folder")?.join("unmetered");
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    let flags = format!("{} --cfg stanchion_unmetered", env::var("RUSTFLAGS").unwrap_or_default());
    let status = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
        .args(["build", "--release", "--bin", "count", "--features", "count"])
        .arg("--manifest-path")
        .arg(manifest)
        .arg("--target-dir")
        .arg(&folder)
        .env("RUSTFLAGS", flags)
        .status()
        .map_err(|error| format!("cargo: {error}"))?;
    if !status.success() {
        return Err("the build without limits failed".into());
    }
    Ok(folder.join("release").join(program.file_name().ok_or("this program has no name")?))
}
