//! Checks that the README's console samples are what the program prints.

use crate::common;
use std::fs;
use std::path::{Path, PathBuf};

/// Runs every command of a text's `console` blocks, and returns the text with their current output.
fn replay(text: &str, folder: &Path) -> (String, usize) {
    let mut whole = String::new();
    let mut commands = 0;
    let mut here: Option<PathBuf> = None;
    for line in text.lines() {
        match (line, &mut here) {
            ("```console", _) => here = Some(folder.to_owned()),
            ("```", _) => here = None,
            (line, Some(place)) => {
                // The old output is replaced.
                let Some(command) = line.strip_prefix("$ ") else { continue };
                whole += &format!("{line}\n");
                commands += 1;
                whole += &run(command, place);
                continue;
            }
            (_, None) => {}
        }
        whole += &format!("{line}\n");
    }
    (whole, commands)
}

/// Returns the output of a command, without blank lines at the end.
fn run(command: &str, folder: &mut PathBuf) -> String {
    let mut words = command.split_whitespace();
    match words.next() {
        Some("cd") => {
            folder.push(words.next().expect("a folder"));
            String::new()
        }
        Some("stanchion") => {
            let arguments: Vec<&str> = words.collect();
            let mut command = common::command(&arguments);
            command.current_dir(&*folder);
            let output = common::run(command, b"");
            let printed = output.stderr.trim_end().to_owned() + "\n" + &output.stdout;
            format!("{}\n", printed.trim())
        }
        _ => panic!("{command}: only cd and stanchion are run"),
    }
}

#[test]
fn the_samples_of_the_readme_are_true() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = workspace.join("README.md");
    let text = fs::read_to_string(&readme).expect("the README");
    let (expected, commands) = replay(&text, &workspace);
    assert!(commands >= 4, "{commands} commands");
    if std::env::var_os("UPDATE_EXPECT").is_some() && text != expected {
        fs::write(&readme, &expected).expect("the README is written");
        return;
    }
    assert_eq!(text, expected, "UPDATE_EXPECT=1 writes what the program prints");
}
