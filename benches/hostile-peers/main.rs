//! The table of hostile schemas: the outcome of each attack of `suite` on Stanchion and on other
//! validators.
//!
//! ```sh
//! cargo run --release -p stanchion-benches --features corvus --bin hostile-peers
//! ```
//!
//! Prints the table and writes `benches/hostile.json` and `benches/hostile.svg`. It takes half an
//! hour, most of it spent waiting for time-outs. Options:
//!
//! | option | meaning |
//! |---|---|
//! | `--small` | runs the attacks at a small size, to check the expected verdicts; writes nothing |
//! | `--jobs N` | how many attacks run at a time; by default one for each core |
//! | `--only TEXT` | only attacks with this in their names; writes nothing |
//! | `--again NAME` | runs this validator and new attacks; takes the rest from `benches/hostile.json` |
//! | `--draw` | runs nothing: prints the table and draws the picture from `benches/hostile.json` |
//!
//! Every attack runs in a process of its own, with ten seconds and 4 GiB of address space.
//! Validators run with their defaults, `format` as an assertion where the attack is about formats,
//! and no network. With the feature `peers` alone, corvus-json-schema is left out: it turns on
//! `preserve_order` in serde_json for the whole program.

mod picture;
mod table;
mod validators;

use std::env;
use std::error::Error;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use stanchion_suite::hostile;

use table::{Outcome, Row, Table};

/// Most time for an attack.
const TIME: Duration = Duration::from_secs(10);

/// Most address space for an attack.
#[cfg(unix)]
const MEMORY: u64 = 4 << 30;

/// Options of the command line.
struct Options {
    small: bool,
    draw: bool,
    jobs: usize,
    only: String,
    again: Option<String>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    if let [child, validator, index, size] = &words[..]
        && child == "--child"
    {
        return attack(validator, index.parse()?, size == "small");
    }
    let after = |option: &str| {
        let at = words.iter().position(|word| word == option)?;
        words.get(at + 1).cloned()
    };
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get());
    let options = Options {
        small: words.iter().any(|word| word == "--small"),
        draw: words.iter().any(|word| word == "--draw"),
        jobs: after("--jobs").map_or(Ok(cores), |jobs| jobs.parse())?,
        only: after("--only").unwrap_or_default(),
        again: after("--again"),
    };
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let before = match options.draw || options.again.is_some() {
        true => {
            let json = serde_json::from_str(&fs::read_to_string(folder.join("hostile.json"))?)?;
            Some(Table::from_json(&json).ok_or("hostile.json is not a table of attacks")?)
        }
        false => None,
    };
    let table = match before {
        Some(table) if options.draw => table,
        before => run(&options, before.as_ref()),
    };
    print!("{table}");
    if !options.small && options.only.is_empty() {
        fs::write(folder.join("hostile.json"), table.to_json())?;
        fs::write(folder.join("hostile.svg"), picture::draw(&table))?;
    }
    Ok(())
}

/// Runs one attack on one validator, in this process, and prints the outcome.
fn attack(validator: &str, index: usize, small: bool) -> Result<(), Box<dyn Error>> {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, setrlimit};
        setrlimit(Resource::As, Rlimit { current: Some(MEMORY), maximum: Some(MEMORY) })?;
        // A crash needs no core dump.
        setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) })?;
    }
    let recipes = hostile::recipes();
    let recipe = recipes.get(index).ok_or("no such attack")?;
    let attack = if small { recipe.small() } else { recipe.full() };
    let outcome = validators::run(validator, &attack).ok_or("no such validator")?;
    println!("{}", outcome.name());
    // Exit without running destructors, which could take long or crash.
    std::process::exit(0);
}

/// Runs all attacks on all validators, each in a process of its own, except those whose outcome is
/// known.
fn run(options: &Options, before: Option<&Table>) -> Table {
    let names: Vec<(&'static str, String)> =
        hostile::recipes().into_iter().map(|recipe| (recipe.family, recipe.name)).collect();
    let wanted = |index: &usize| {
        let (family, name) = &names[*index];
        format!("{family}: {name}").contains(&options.only)
    };
    let jobs: Vec<(usize, usize)> = (0..names.len())
        .filter(wanted)
        .flat_map(|attack| (0..validators::NAMES.len()).map(move |validator| (attack, validator)))
        .collect();
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    thread::scope(|scope| {
        for _ in 0..options.jobs.max(1) {
            scope.spawn(|| {
                while let Some(&(attack, validator)) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let (family, name) = &names[attack];
                    let known = before
                        .filter(|_| options.again.as_deref() != Some(validators::NAMES[validator]))
                        .and_then(|table| table.outcome(family, name, validators::NAMES[validator]));
                    let outcome = known
                        .unwrap_or_else(|| in_a_process(validators::NAMES[validator], attack, options.small));
                    if !matches!(outcome, Outcome::Right) {
                        eprintln!("{}: {family}: {name}: {}", validators::NAMES[validator], outcome.name());
                    }
                    done.lock()
                        .unwrap_or_else(|error| error.into_inner())
                        .push(((attack, validator), outcome));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(|error| error.into_inner());
    done.sort_by_key(|(job, _)| *job);
    let rows = done.chunk_by(|((a, _), _), ((b, _), _)| a == b).map(|results| {
        let (family, name) = &names[results[0].0.0];
        Row {
            family: (*family).to_owned(),
            name: name.clone(),
            outcomes: results.iter().map(|(_, outcome)| *outcome).collect(),
        }
    });
    Table { validators: validators::NAMES.map(str::to_owned).to_vec(), rows: rows.collect() }
}

/// Runs one attack on one validator in a process, and kills it when its time is up.
fn in_a_process(validator: &str, attack: usize, small: bool) -> Outcome {
    let size = if small { "small" } else { "full" };
    let program = env::current_exe().expect("this program has a place");
    let mut child = Command::new(program)
        .args(["--child", validator, &attack.to_string(), size])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("this program runs");
    let start = Instant::now();
    let mut pause = Duration::from_millis(1);
    let status = loop {
        match child.try_wait().expect("a child to wait for") {
            Some(status) => break status,
            None if start.elapsed() > TIME => {
                let _ = child.kill();
                let _ = child.wait();
                return Outcome::TimeOut;
            }
            None => thread::sleep(pause),
        }
        pause = (2 * pause).min(Duration::from_millis(50));
    };
    let mut said = String::new();
    if let Some(mut output) = child.stdout.take() {
        let _ = output.read_to_string(&mut said);
    }
    match Outcome::by_name(said.trim()) {
        Some(outcome) if status.success() => outcome,
        _ => Outcome::Crash,
    }
}
