//! Compares Stanchion with other validators: one process, the same instances, in turns.
//!
//! ```sh
//! export STANCHION_CORPUS=path/to/corpus    # optional: folders NAME/ with schema.json and instances.jsonl
//! cargo run --release -p stanchion-benches --features corvus --bin peers
//! cargo run --release -p stanchion-benches --features peers --bin peers
//! ```
//!
//! The first is with corvus-json-schema, which turns on serde_json's `preserve_order` for the whole program; the second is
//! without it, on the sorted map that most users have. Options:
//!
//! | option | meaning |
//! |---|---|
//! | `--only TEXT` | only sets with this in their names, which are `own/NAME`, `corpus/NAME` and `tools/NAME` |
//! | `--stages LIST` | only these of `value,invalid,validate,errors,first-error,all-errors,tape,simd-tape,text,compile,heap` |
//! | `--peers LIST` | only these of `corvus,jsonschema,boon` |
//! | `--rounds N` | at most this many rounds for a measurement (150) |
//! | `--seconds S` | no new round after this many seconds of a measurement (2) |
//! | `--schema FILE` | the schema in each directory of the corpus; by default `schema-2020-12.json`, or else `schema.json` |
//! | `--tools FILE` | a JSONL file of tools; times compiling all their schemas |
//! | `--json FILE` | writes all numbers |
//! | `--svg FILE` | draws the geometric means |
//! | `--write-sets FOLDER` | only writes our own sets, in the form of the corpus |
//! | `--first-compile` | only the first compile in a fresh process |
//! | `--error-cost …` | only compares `validate` with `is_valid` on invalid instances, by set; the other options as above |
//! | `--limits …` | only splits the time of `value`, by set; the other options as above. With the feature `native` also times generated code |
//!
//! **Verdicts first.** All validators judge all instances before anything is timed. A validator
//! that disagrees is named; the instance is left out for all, or the validator is left out of the
//! set if it disagrees on more than one instance in ten.
//!
//! `validate` and `errors` validate the whole set and format the errors. `invalid`, `first-error`
//! and `all-errors` use invalid instances alone. Instances of the corpus are valid, so each is
//! changed in one place to be invalid.
//!
//! **Then time.** In each round every validator has its turn, of a millisecond or more. A
//! validator's time is the least of its rounds, in CPU time of the thread. `tape` uses each one's
//! own parsed form: Stanchion's from a `Reader` for each instance, and corvus-json-schema's
//! document. `simd-tape` compares Stanchion on simd-json's tape with that document. Parsing is
//! timed only in `text`. None of them asserts `format`. Compiling starts from a `serde_json::Value`
//! and includes dropping the result, and for boon, which takes its schema by value, a copy of the
//! schema. corvus-json-schema caches patterns for the whole process, so only its first round
//! compiles them; Stanchion compiles a pattern on first use, so no round does.
//!
//! **Heap** is measured in a process of its own for each validator and set: after compiling, and
//! after all instances were validated, since some things are built on first use.

mod agree;
mod chart;
mod contest;
mod error_cost;
mod first;
mod heap;
mod input;
mod limits;
mod measure;
mod mistakes;
mod native;
mod options;
mod print;
mod results;
mod tools;
mod validators;

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;

use stanchion_benches::heap::Counting;

use input::Input;
use options::Options;
use results::{Group, Results};

#[global_allocator]
static HEAP: Counting = Counting::paused();

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
    match words.first().map(String::as_str) {
        Some(heap::CHILD) => return heap::child(&words[1..]),
        Some(first::CHILD) => return first::child(&words[1..]),
        Some("--first-compile") => return first::run(),
        Some("--limits") => return limits::run(words[1..].to_vec()),
        Some("--error-cost") => return error_cost::run(words[1..].to_vec()),
        Some("--write-sets") => {
            let folder = words.get(1).ok_or("--write-sets: expected a folder after it")?;
            return input::write_own(Path::new(folder));
        }
        _ => {}
    }
    let options = Options::read(words)?;
    let mut results = Results::new();
    for (group, name) in input::names(&options)? {
        eprintln!("{}/{name}", group.name());
        let input = Input::load(group, &name, &options)?;
        results.add(measure::run(input, &options));
    }
    if let Some(file) = &options.tools
        && options.wants(Group::Tools, &tools::name(file))
    {
        results.add(tools::run(file, &options)?);
    }
    if results.rows.is_empty() {
        return Err("no set has that in its name".into());
    }
    print!("{}", print::text(&results));
    if let Some(file) = &options.json {
        fs::write(file, results.to_json()).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    if let Some(file) = &options.svg {
        fs::write(file, chart::draw(&results)).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    Ok(())
}
