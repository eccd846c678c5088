//! Stanchion beside other validators: one process, the same instances, turn by turn.
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
//! | `--rounds N` | at most so many rounds for a measurement (150) |
//! | `--seconds S` | no new round after so many seconds of a measurement (2) |
//! | `--schema FILE` | the schema in each folder of the corpus: `schema-2020-12.json` where there is one, or else `schema.json` |
//! | `--tools FILE` | a JSONL file of tools; the time to compile all their schemas |
//! | `--json FILE` | writes all numbers |
//! | `--svg FILE` | draws the geometric means |
//! | `--write-sets FOLDER` | only writes our own sets, in the form of the corpus |
//! | `--first-compile` | only the first compile in a fresh process |
//! | `--telling …` | only what `validate` takes on invalid instances beside `is_valid`, by set; the other options as above |
//! | `--limits …` | only what `value` waits for, by set; the other options as above. With the feature `native` also beside generated code |
//!
//! **Verdicts first.** All validators judge all instances before anything is timed. Where one disagrees, it is named; that
//! instance is left out for all, or the validator is left out of the set if it disagrees on more than one in ten.
//!
//! `validate` and `errors` go over a set as it is, and write what errors there are. `invalid`, `first-error` and `all-errors` are about invalid
//! instances alone. Those of the corpus are valid: there, each is made wrong in one place.
//!
//! **Then time.** In each round every validator has its turn, of a millisecond or more; a validator's time is the least of its
//! rounds, in CPU time of the thread. `tape` is each one's own parsed form, Stanchion's from a `Reader` for each instance and
//! corvus-json-schema's document; `simd-tape` is Stanchion on simd-json's tape against that same document. Parsing is timed
//! only in `text`. `format` is asserted by none of them. Compiling starts from a `serde_json::Value` and
//! includes dropping what was compiled, and for boon, which takes its schema by value, a copy of it. corvus-json-schema
//! remembers patterns for the whole process, so that its rounds after the first need not compile them; Stanchion compiles
//! a pattern when it is first used, so that no round does.
//!
//! **Heap** is measured in a process of its own for each validator and set: what is alive after compiling, and after all
//! instances were validated, since some things are built when they are first used.

mod agree;
mod chart;
mod contest;
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
mod telling;
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
        Some("--telling") => return telling::run(words[1..].to_vec()),
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
