//! The engine is closed: nothing that it links can open a file or a connection, and nothing in it asks for the time, the
//! environment or a thread.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the engine may link. Each was looked at: computation on memory, no I/O.
const ALLOWED: &[&str] = &[
    "ahash",
    "aho-corasick",
    "allocator-api2",
    "arrayvec",
    "cfg-if",
    "equivalent",
    "base64",
    "bytemuck",
    "float-cmp",
    "foldhash",
    "halfbrown",
    "hashbrown",
    "indexmap",
    "itoa",
    "memchr",
    "num-traits",
    "once_cell",
    "regex-automata",
    "regex-syntax",
    "ryu",
    "safe_arch",
    "serde",
    "serde_core",
    "serde_json",
    "simd-json",
    "simdutf8",
    "smallvec",
    "stanchion",
    "stanchion-vocab",
    "strsim",
    "tinyvec",
    "tinyvec_macros",
    "unicode-bidi",
    "unicode-general-category",
    "unicode-joining-type",
    "unicode-normalization",
    "unicode-properties",
    "value-trait",
    "wide",
    "zerocopy",
    "zmij",
];

/// The parts of `std` that reach out of the process, or let something in.
const FORBIDDEN: [&str; 8] = ["env", "fs", "io", "net", "os", "process", "thread", "time"];

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the suite is in the workspace")
}

/// The packages that a package links, its own included.
fn linked(package: &str, features: &[&str]) -> BTreeSet<String> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .current_dir(workspace())
        .args(["tree", "--offline", "--package", package])
        .args(features)
        .args(["--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}"])
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8_lossy(&output.stdout);
    let names: BTreeSet<String> =
        tree.lines().filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect();
    assert!(names.contains("stanchion") && names.contains("serde_json"), "{tree}");
    names
}

#[test]
fn the_dependencies_are_known() {
    let names = linked("stanchion", &["--all-features"]);
    let unknown: Vec<&String> = names.iter().filter(|name| !ALLOWED.contains(&name.as_str())).collect();
    assert!(
        unknown.is_empty(),
        "new in the engine's dependencies: {unknown:?}. If they do no I/O, add them to ALLOWED."
    );
}

/// What SDKs link brings nothing but the engine and what that has, unless they ask for more.
#[test]
fn the_profile_for_mcp_adds_no_dependency() {
    let names = linked("stanchion-mcp", &[]);
    let new: Vec<&String> = names.iter().filter(|name| !ALLOWED.contains(&name.as_str())).collect();
    assert_eq!(new, ["stanchion-mcp"]);
}

/// The engine's feature `unmetered` is for a benchmark, which asks for it by hand. No manifest does.
#[test]
fn nobody_switches_the_limits_off() {
    let named = |manifest: &Path| {
        let text = fs::read_to_string(manifest).expect("a manifest");
        text.lines().filter(|line| !line.starts_with('#') && line.contains("unmetered")).count()
    };
    let manifests = manifests(workspace());
    assert!(manifests.len() > 5, "{manifests:?}");
    for manifest in manifests {
        // The engine declares it.
        let expected = usize::from(manifest.parent().is_some_and(|folder| folder.ends_with("engine")));
        assert_eq!(named(&manifest), expected, "{}: names the feature `unmetered`", manifest.display());
    }
}

/// The manifests of the workspace and below.
fn manifests(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in folder.read_dir().into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() && !path.ends_with("target") && !path.ends_with("node_modules") {
            found.extend(manifests(&path));
        } else if path.ends_with("Cargo.toml") {
            found.push(path);
        }
    }
    found
}

#[test]
fn the_sources_stay_inside() {
    let mut seen = 0;
    for folder in ["engine", "vocab", "tools/mcp"] {
        for file in rust_files(&workspace().join(folder).join("src")) {
            // What plugs into an SDK is a feature that is off by default.
            if file.components().any(|part| part.as_os_str() == "rmcp") || file.ends_with("rmcp.rs") {
                continue;
            }
            let source = fs::read_to_string(&file).expect("a source file");
            let found = outside(&source);
            assert!(found.is_empty(), "{}: uses {found:?}", file.display());
            seen += 1;
        }
    }
    assert!(seen > 20, "{seen} source files");
}

/// The forbidden parts of `std` that a source names outside of comments and tests.
fn outside(source: &str) -> Vec<String> {
    let mut code = String::new();
    for line in source.lines() {
        // The tests of a file are at its end.
        if line.trim() == "#[cfg(test)]" {
            break;
        }
        code.extend(line.split("//").next().unwrap_or_default().chars().filter(|c| !c.is_whitespace()));
    }
    let mut found = Vec::new();
    for (at, _) in code.match_indices("std::") {
        let rest = &code[at + "std::".len()..];
        // One path, or the first steps of each path in a group.
        let paths = match rest.strip_prefix('{') {
            Some(group) => group.split('}').next().unwrap_or_default(),
            None => rest.split([';', '(', '<', '>', '{', ',', ')']).next().unwrap_or_default(),
        };
        for path in paths.split(',') {
            let step = path.split("::").next().unwrap_or_default();
            if FORBIDDEN.contains(&step) {
                found.push(format!("std::{path}"));
            }
        }
    }
    for printing in ["print!", "println!", "eprint!", "eprintln!"] {
        let mut calls = code.match_indices(printing);
        if calls.any(|(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric())) {
            found.push(printing.to_owned());
        }
    }
    found
}

fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in folder.read_dir().expect("a folder of sources") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

#[test]
fn the_scan_sees_what_it_should() {
    for (source, expected) in [
        ("use std::fmt;\nuse std::collections::{HashMap, HashSet};", 0),
        ("use std::fs;", 1),
        ("let now = std::time::Instant::now();", 1),
        ("use std::{fmt, io::{self, Write}};", 1),
        ("use std::{\n    env,\n    net,\n};", 2),
        ("// std::fs is not used here", 0),
        ("fn main() { println!(); }", 1),
        ("#[cfg(test)]\nmod tests { use std::fs; }", 0),
    ] {
        assert_eq!(outside(source).len(), expected, "{source}");
    }
}
