//! Checks that work is charged: instructions of the processor, counted by callgrind, against the
//! steps charged to a run; and instructions of compiling against the size of the schema.
//!
//! The counts are those of one process that valgrind runs: this test binary, with the one ignored
//! test that does the work. They are the same on every run, however busy the machine is. Without
//! valgrind the tests skip, and say so; with `STANCHION_REQUIRE_VALGRIND=1`, as in CI, its absence
//! is a failure.

mod cache;
mod compile;
mod run;

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The sizes at which every shape is measured.
const SIZES: [usize; 2] = [150, 1_200];

/// The cost of one measured call.
#[derive(Clone, Copy, Debug)]
struct Count {
    /// Instructions of the processor.
    work: u64,
    /// The amount to compare it with: steps, or bytes of a schema.
    paid: u64,
}

/// Runs an ignored test of this binary under callgrind. It prints a line `measured NAME PAID` for
/// each call of a function whose name contains `function`; the work is what callgrind collected in
/// that call. Also returns the whole output.
fn counts(test: &str, function: &str) -> Option<(Vec<(String, Count)>, String)> {
    let folder =
        env::temp_dir().join(format!("stanchion-meter-{}-{test}", std::process::id()).replace(':', "-"));
    fs::create_dir_all(&folder).expect("a folder for counts");
    let program = env::current_exe().expect("this program");
    let output = Command::new("valgrind")
        .arg("--tool=callgrind")
        // Counts are written and reset before each call, and before what follows it.
        .arg(format!("--dump-before=*{function}*"))
        .arg("--dump-before=*metered_end*")
        .current_dir(&folder)
        .arg(program)
        .args([test, "--exact", "--ignored", "--nocapture", "--test-threads=1"])
        .output();
    let output = match output {
        Ok(output) => output,
        Err(error) => {
            let is_required = env::var_os("STANCHION_REQUIRE_VALGRIND").is_some_and(|value| value == "1");
            assert!(!is_required, "valgrind does not run: {error}");
            println!("skipped: valgrind does not run: {error}");
            return None;
        }
    };
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}\n{}", String::from_utf8_lossy(&output.stderr));
    let work = collected(&folder);
    fs::remove_dir_all(&folder).expect("a folder of ours");
    let names: Vec<(String, u64)> = said
        .lines()
        .filter_map(|line| line.split_once("measured ")?.1.rsplit_once(' '))
        .map(|(name, paid)| (name.to_owned(), paid.parse().expect("a number")))
        .collect();
    assert_eq!(names.len(), work.len(), "as many counts as calls");
    let counts =
        names.into_iter().zip(work).map(|((name, paid), work)| (name, Count { work, paid })).collect();
    Some((counts, said.into_owned()))
}

/// Reads what callgrind wrote after each call: files `callgrind.out.PID.1`, `….2` and so on, with
/// lines `desc: Trigger: --dump-before=…` and `totals: N`.
fn collected(folder: &Path) -> Vec<u64> {
    let mut counts = BTreeMap::new();
    for entry in folder.read_dir().expect("a folder of counts") {
        let path = entry.expect("an entry").path();
        let Some(Ok(part)) = path.extension().map(|part| part.to_string_lossy().parse::<usize>()) else {
            continue;
        };
        let text = fs::read_to_string(&path).expect("a file of counts");
        if text.lines().any(|line| line.starts_with("desc: Trigger: ") && line.contains("metered_end")) {
            let total = text.lines().find_map(|line| line.strip_prefix("totals: ")).expect("a total");
            counts.insert(part, total.parse().expect("a number"));
        }
    }
    counts.into_values().collect()
}

/// Marks the end of a measured call.
#[inline(never)]
fn metered_end() {
    std::hint::black_box(());
}

/// Returns the names of all instructions, from the list in the engine's source.
fn instructions() -> BTreeSet<String> {
    let file = "engine/src/program/instruction.rs";
    let source = fs::read_to_string(workspace().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
    let Some((_, rest)) = source.split_once("\ninstructions! {\n") else {
        panic!("{file} has no list of instructions: tell this test where it went")
    };
    let body = rest.split("\n}").next().unwrap_or_default();
    let lines = body.lines().filter_map(|line| line.strip_prefix("        "));
    let variants = lines.filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()));
    variants.map(|line| line.chars().take_while(char::is_ascii_alphanumeric).collect()).collect()
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the suite is in the workspace").to_owned()
}

/// Returns an object of `n` members.
fn object(n: usize, member: impl Fn(usize) -> (String, Value)) -> Value {
    Value::Object((0..n).map(member).collect())
}

/// Returns an array of `n` items.
fn array(n: usize, item: impl Fn(usize) -> Value) -> Value {
    (0..n).map(item).collect()
}
