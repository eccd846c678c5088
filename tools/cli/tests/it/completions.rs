//! `stanchion completions`, `stanchion man` and `stanchion --version` as a user runs them.

use crate::common;
use std::fs;

use crate::common::{Scratch, stanchion};

const COMMANDS: [&str; 9] =
    ["check", "bench", "explain", "cost", "lint", "suite", "bowtie", "completions", "man"];

#[test]
fn completions_for_each_shell() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let output = stanchion(&["completions", shell], "");
        output.expect(0, &COMMANDS, &[]);
        assert!(
            output.stdout.contains("--assert-formats") || output.stdout.contains("assert-formats"),
            "{shell}"
        );
    }
    stanchion(&["completions", "csh"], "").expect(2, &[], &["possible values: bash"]);
}

/// Bash accepts the completions, if it is installed.
#[test]
fn bash_takes_the_completions() {
    let script = stanchion(&["completions", "bash"], "").stdout;
    let scratch = Scratch::new("completions");
    let file = scratch.file("stanchion.bash", &script);
    let ask = format!(
        "source {file} && COMP_WORDS=(stanchion l) COMP_CWORD=1 && _stanchion stanchion l stanchion && echo ${{COMPREPLY[@]}}"
    );
    match std::process::Command::new("bash").args(["-c", &ask]).output() {
        Ok(output) => assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "lint"),
        Err(error) => eprintln!("skipped: bash: {error}"),
    }
}

#[test]
fn a_manual_page() {
    let output = stanchion(&["man"], "");
    output.expect(0, &[".TH stanchion 1", "SUBCOMMANDS", "stanchion\\-check(1)"], &[]);
}

#[test]
fn a_manual_page_for_each_command() {
    let scratch = Scratch::new("man");
    let folder = scratch.path("man1");
    stanchion(&["man", &folder], "").expect(0, &[], &[]);
    for command in COMMANDS {
        let file = format!("{folder}/stanchion-{command}.1");
        let page = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(page.contains(&format!(".TH stanchion-{command} 1")), "{page}");
    }
    let file = scratch.file("file", "");
    stanchion(&["man", &file], "").expect(2, &[], &["file"]);
}

#[test]
fn a_short_version_and_a_long_one() {
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(stanchion(&["-V"], "").stdout, format!("stanchion {version}\n"));
    let long = stanchion(&["--version"], "");
    let profile = if cfg!(debug_assertions) { "debug" } else { "release" };
    assert_eq!(
        long.stdout,
        format!(
            "stanchion {version}\ndialects: 2020-12, 2019-09, draft-07, draft-06, draft-04\nfeatures: simd-json, preserve_order\nprofile: {profile}\n"
        )
    );
}

#[test]
fn a_closed_pipe_is_no_panic() {
    assert_eq!(common::into_closed_pipe(&["completions", "bash"]), 0);
    assert_eq!(common::into_closed_pipe(&["man"]), 0);
}
