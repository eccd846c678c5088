//! Checks that tests keep the figures that README promises.

use std::fs;
use std::path::Path;

use stanchion::Limits;
use stanchion_suite::hostile;

/// Returns README in one line.
fn readme() -> String {
    in_one_line("README.md")
}

/// Returns the words of a file of the workspace, in one line.
fn in_one_line(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).with_file_name(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the number that follows these words in README.
pub(crate) fn number(words: &str) -> Option<f64> {
    number_after(&readme(), words)
}

fn number_after(text: &str, words: &str) -> Option<f64> {
    let rest = text.split_once(words)?.1;
    let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.' && c != ',').unwrap_or(rest.len());
    rest[..end].replace(',', "").trim_end_matches('.').parse().ok()
}

#[test]
fn numbers_are_found() {
    let text = "Of 28,346 calls, 99.98 % and 100.";
    assert_eq!(number_after(text, "Of "), Some(28_346.0));
    assert_eq!(number_after(text, "calls, "), Some(99.98));
    assert_eq!(number_after(text, "and "), Some(100.0));
    assert_eq!(number_after(text, "nowhere "), None);
}

/// There are at least as many attacks as README says, and at most as many without a verdict.
#[test]
fn attacks_are_as_many_as_promised() {
    let attacks = number("attacks get their true verdict: of ").expect("the number of attacks");
    let answered = number(" hostile schemas, [").expect("how many are answered");
    let left = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("data/hostile/no-verdict.txt"))
        .expect("the attacks without a verdict");
    assert!(hostile::recipes().len() as f64 >= attacks, "{} attacks", hostile::recipes().len());
    assert!(left.lines().count() as f64 <= attacks - answered, "{} without a verdict", left.lines().count());
}

/// The table of limits lists all of them, with their defaults.
#[test]
fn limits_are_as_promised() {
    for (file, start, end) in [("README.md", "`", "`"), ("engine/src/lib.rs", "[`Limits::", "`]")] {
        let text = in_one_line(file);
        for (limit, default) in Limits::default().values() {
            let row = format!("| {start}{limit}{end} | ");
            let promised = number_after(&text, &row).unwrap_or_else(|| panic!("{file}: no row for {limit}"));
            let unit = if text.contains(&format!("{row}{promised} MiB")) { f64::from(1 << 20) } else { 1.0 };
            assert_eq!(promised * unit, default as f64, "{file}: {limit}");
        }
    }
}

/// The benchmark of hostile schemas fails above what README promises.
#[test]
fn bounds_are_those_of_the_benchmark() {
    let benchmark = in_one_line("benches/hostile.rs");
    let bound = |words: &str| {
        let rest = benchmark.split_once(words).unwrap_or_else(|| panic!("no {words}")).1;
        number_after(&rest.replace('_', ""), "").unwrap_or_else(|| panic!("{words}: no number"))
    };
    assert_eq!(number("stand for less than "), Some(bound("TIME: Duration = Duration::from_millis(")));
    let micros = bound("TIME_PER_VALUE: Duration = Duration::from_nanos(") / 1_000.0;
    assert_eq!(number("whatever the schema, and "), Some(micros));
    assert_eq!(number("of an instance of more than "), Some(bound("SMALL: u64 = ")));
    assert_eq!(number("validation holds less than "), Some(bound("MEMORY: usize = ")));
    assert_eq!(number("to read a text takes up to "), Some(bound("MEMORY_PER_BYTE: usize = ")));
}
