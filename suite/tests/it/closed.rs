//! Checks that the engine is closed: nothing that it links can open a file or a connection, and its
//! code uses neither the clock nor the environment nor threads.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Packages that the engine may link. Each was reviewed: computation on memory, no I/O.
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
    "percent-encoding",
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

/// Returns the packages that a package links, itself included.
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

/// The crate for SDKs links only the engine and its dependencies, unless a feature asks for more.
#[test]
fn the_profile_for_mcp_adds_no_dependency() {
    let names = linked("stanchion-mcp", &[]);
    let new: Vec<&String> = names.iter().filter(|name| !ALLOWED.contains(&name.as_str())).collect();
    assert_eq!(new, ["stanchion-mcp"]);
}

/// The engine without limits is for one benchmark, which passes `--cfg stanchion_unmetered` to the
/// compiler. A manifest could offer it only as a feature, which any crate in a program could switch
/// on.
#[test]
fn no_feature_lifts_the_limits() {
    let manifests = manifests(workspace());
    assert!(manifests.len() > 5, "{manifests:?}");
    for manifest in manifests {
        let text = fs::read_to_string(&manifest).expect("a manifest");
        let lines = text.lines().filter(|line| !line.starts_with('#') && line.contains("unmetered"));
        // The workspace declares the name, so that the compiler does not warn about it.
        let others: Vec<&str> = lines.filter(|line| !line.contains("check-cfg")).collect();
        assert!(others.is_empty(), "{}: {others:?}", manifest.display());
    }
}

/// Returns the manifests of the workspace.
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
        let files = rust_files(&workspace().join(folder).join("src"));
        let test_files: BTreeSet<PathBuf> = files.iter().flat_map(|file| test_modules(file)).collect();
        for file in files.iter().filter(|file| !test_files.contains(*file)) {
            // Integrations with SDKs are features that are off by default.
            if file.components().any(|part| part.as_os_str() == "rmcp") || file.ends_with("rmcp.rs") {
                continue;
            }
            let source = fs::read_to_string(file).expect("a source file");
            let found = outside(&source);
            assert!(found.is_empty(), "{}: uses {found:?}", file.display());
            seen += 1;
        }
    }
    assert!(seen > 150, "{seen} source files");
}

/// Returns the forbidden parts of `std` that a source names outside of comments, strings and tests.
fn outside(source: &str) -> Vec<String> {
    let (code, _) = split_tests(&code(source));
    let mut found = Vec::new();
    for (at, _) in code.match_indices("std::") {
        if code[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_') {
            continue;
        }
        for path in paths(&code[at + "std::".len()..]) {
            let step = path.split("::").next().unwrap_or_default();
            if FORBIDDEN.contains(&step) {
                found.push(format!("std::{path}"));
            }
        }
    }
    if code.contains("use std as ") || code.contains("extern crate std as ") {
        found.push("std by another name".to_owned());
    }
    for printing in ["print!", "println!", "eprint!", "eprintln!", "dbg!"] {
        let mut calls = code.match_indices(printing);
        if calls.any(|(at, _)| !code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_')) {
            found.push(printing.to_owned());
        }
    }
    found
}

/// Returns the path at the start of some code, or all paths of a group: `{fmt, io::{self, Write}}`
/// has two.
fn paths(code: &str) -> Vec<&str> {
    let Some(group) = code.strip_prefix('{') else {
        return code.split([';', '(', '<', '>', '{', ',', ')', '}']).take(1).collect();
    };
    let mut paths = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, byte) in group.bytes().enumerate() {
        match byte {
            b'{' => depth += 1,
            b',' | b'}' if depth == 0 => {
                paths.push(&group[start..at]);
                start = at + 1;
                if byte == b'}' {
                    break;
                }
            }
            b'}' => depth -= 1,
            _ => {}
        }
    }
    paths
}

/// Returns a source without comments, the content of strings, and needless white space.
fn code(source: &str) -> String {
    let mut code = String::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            end_of_comment(rest)
        } else if let Some(hashes) = raw_text(rest, &code) {
            let end = format!("\"{}", "#".repeat(hashes));
            let start = hashes + "r\"".len();
            start + rest[start..].find(&end).map_or(rest.len() - start, |at| at + end.len())
        } else if first == '"' {
            end_of_text(rest)
        } else if first == '\'' {
            // A character literal ends within a few bytes; a lifetime does not end.
            character(rest).unwrap_or(1)
        } else {
            push(&mut code, first);
            first.len_utf8()
        };
        rest = &rest[length..];
    }
    code
}

/// Appends a character to code. White space becomes one space between two words.
fn push(code: &mut String, c: char) {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if c.is_whitespace() {
        code.extend(code.ends_with(is_word).then_some(' '));
    } else {
        if !is_word(c) && code.ends_with(' ') {
            code.pop();
        }
        code.push(c);
    }
}

/// Returns the end of a comment. Comments may nest.
fn end_of_comment(source: &str) -> usize {
    let (mut depth, mut at) = (0, 0);
    while at < source.len() {
        let step = match &source.as_bytes()[at..] {
            [b'/', b'*', ..] => {
                depth += 1;
                2
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                2
            }
            _ => 1,
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    at
}

fn end_of_text(source: &str) -> usize {
    let mut escaped = false;
    for (at, c) in source.char_indices().skip(1) {
        match c {
            '"' if !escaped => return at + 1,
            '\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    source.len()
}

/// Returns the number of hashes of a raw string, if one begins here: an `r` that ends no other
/// word.
fn raw_text(source: &str, before: &str) -> Option<usize> {
    let rest = source.strip_prefix('r')?;
    let hashes = rest.bytes().take_while(|&byte| byte == b'#').count();
    let is_word = before.ends_with(|c: char| (c.is_alphanumeric() && c != 'b') || c == '_');
    (!is_word && rest[hashes..].starts_with('"')).then_some(hashes)
}

/// Returns the length of a character literal.
fn character(source: &str) -> Option<usize> {
    let mut chars = source.char_indices().skip(1);
    if chars.next()?.1 == '\\' {
        chars.next()?;
        return source[3..].find('\'').map(|at| at + 4);
    }
    let (at, quote) = chars.next()?;
    (quote == '\'').then_some(at + 1)
}

/// Splits code into items for tests alone, and the rest.
fn split_tests(code: &str) -> (String, Vec<&str>) {
    const MARK: &str = "#[cfg(test)]";
    let (mut kept, mut tests) = (String::new(), Vec::new());
    let mut rest = code;
    while let Some(at) = rest.find(MARK) {
        kept += &rest[..at];
        rest = &rest[at + MARK.len()..];
        let (item, after) = rest.split_at(end_of_item(rest));
        tests.push(item);
        rest = after;
    }
    (kept + rest, tests)
}

/// Returns the end of an item: the first `;` or the end of the first braces outside of all
/// brackets.
fn end_of_item(code: &str) -> usize {
    let mut depth = 0;
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'{' | b'(' | b'[' => depth += 1,
            b')' | b']' => depth -= 1,
            b'}' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            b';' if depth == 0 => return at + 1,
            _ => {}
        }
    }
    code.len()
}

/// Returns the files of the modules that a source declares for tests alone.
fn test_modules(file: &Path) -> Vec<PathBuf> {
    let source = fs::read_to_string(file).expect("a source file");
    let code = code(&source);
    let (_, tests) = split_tests(&code);
    let names = tests.iter().filter_map(|item| item.split_once("mod ")?.1.strip_suffix(';'));
    let folder = if file.ends_with("mod.rs") || file.ends_with("lib.rs") {
        file.with_file_name("")
    } else {
        file.with_extension("")
    };
    names.map(|name| folder.join(format!("{name}.rs"))).collect()
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
        ("use std::{collections::{A, B}, io};", 1),
        ("/* std::fs /* and */ std::io */", 0),
        ("let text = \"https://example.com\"; std::fs::read(text);", 1),
        ("let text = \"std::fs\";", 0),
        ("let text = r#\"std::fs\"#; let quote = '\"'; let c = '\\''; std::fs::read(text);", 1),
        ("impl<'a> A<'a> { fn a() { std::thread::yield_now() } }", 1),
        ("use std as system;", 1),
        ("#[cfg(test)]\nmod tests { use std::fs; }", 0),
        ("#[cfg(test)]\nuse std::fs;\nuse std::io;", 1),
        ("#[cfg(test)]\n#[derive(Debug)]\nstruct A([u8; 2]);\nfn a() { std::fs::read(\"\"); }", 1),
        ("#[cfg(test)]\nfn a() { if true { std::fs::read(\"}\"); } }\nfn b() { std::net::a(); }", 1),
        ("#[cfg(test)]\nmod tests;\nfn b() { eprintln!(\"b\") }", 1),
    ] {
        assert_eq!(outside(source).len(), expected, "{source}");
    }
}
