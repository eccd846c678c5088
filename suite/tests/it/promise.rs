//! Checks that tests keep the figures that README promises.

use std::fs;
use std::path::Path;

use stanchion::Limits;

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
    // A step of a large instance has the time that one of the fixed steps has.
    let limit =
        |name: &str| Limits::default().values().find(|limit| limit.0 == name).map(|limit| limit.1 as f64);
    let (steps, per_value) = (limit("steps").expect("steps"), limit("steps_per_value").expect("steps"));
    let micros = bound("TIME: Duration = Duration::from_millis(") * 1_000.0 / steps * per_value;
    assert_eq!(number("an instance of more than "), Some(steps / per_value));
    assert_eq!(number("values less than "), Some(micros));
    let library = in_one_line("engine/src/lib.rs").replace("//! ", "");
    assert_eq!(number_after(&library, "default stands for less than "), number("stand for less than "));
    assert_eq!(number_after(&library, "and for less than "), Some(micros));
    assert_eq!(number_after(&library, "validating hold less than "), number("validation holds less than "));
    assert_eq!(
        number_after(&library, "memory linear in its length, up to "),
        number("to read a text takes up to ")
    );
    assert_eq!(number("validation holds less than "), Some(bound("MEMORY: usize = ")));
    assert_eq!(number("to read a text takes up to "), Some(bound("MEMORY_PER_BYTE: usize = ")));
}
