//! Checks that the tree is as the documents say: the top level, the links, and no copies of others'
//! files.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use stanchion_suite::official::Official;

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the suite is in the workspace")
}

/// The top level is small and stays small.
#[test]
fn the_top_level() {
    let mut expected = BTreeSet::from(["engine", "vocab", "suite", "benches", "tools"].map(str::to_owned));
    expected.extend(
        ["Cargo.toml", "Cargo.lock", "README.md", "LICENSE-MIT", "LICENSE-APACHE"].map(str::to_owned),
    );
    let mut found = BTreeSet::new();
    for entry in workspace().read_dir().expect("the workspace") {
        let name = entry.expect("an entry").file_name().display().to_string();
        if !name.starts_with('.') && name != "target" {
            found.insert(name);
        }
    }
    assert_eq!(found, expected);
}

/// README stays short.
#[test]
fn the_readme_is_short() {
    let text = fs::read_to_string(workspace().join("README.md")).expect("the README");
    let lines = text.lines().count();
    assert!(
        lines <= 150,
        "README.md has {lines} lines: figures go to benches/README.md, commands to tools/cli/README.md"
    );
}

/// The map of the engine stays a map.
#[test]
fn the_map_is_short() {
    let text = fs::read_to_string(workspace().join("engine/ARCHITECTURE.md")).expect("the map");
    let (lines, widest) = (text.lines().count(), text.lines().map(|line| line.chars().count()).max());
    assert!(lines <= 200, "ARCHITECTURE.md has {lines} lines: choices go to DECISIONS.md");
    assert!(widest <= Some(140), "ARCHITECTURE.md has a line of {widest:?} characters");
}

/// The half of the engine that explains stays small enough to read: every file, and all of them together.
#[test]
fn the_explainer_is_short() {
    let engine = workspace().join("engine/src");
    let mut found = vec![engine.join("output.rs"), engine.join("suggest.rs")];
    found.extend(["explain", "error"].iter().flat_map(|folder| files(&engine.join(folder), "rs")));
    let mut all = 0;
    for file in found {
        let lines = fs::read_to_string(&file).expect("a source").lines().count();
        assert!(lines <= 500, "{} has {lines} lines", file.display());
        all += lines;
    }
    assert!(all <= 4500, "the files that make errors, annotations and outputs have {all} lines");
}

/// The worked examples in CONTRIBUTING list every file that a keyword touches, and these are few.
#[test]
fn a_keyword_touches_few_files() {
    let text = fs::read_to_string(workspace().join(".github/CONTRIBUTING.md")).expect("the page");
    check_example(&text, "## An assertion", "DependentRequired", 8);
    check_example(&text, "## An applicator", "EachName", 9);
    check_example(&text, "## An applicator", "Keyword::PropertyNames", 9);
}

/// Checks that an example lists at most so many files, that they exist, and that no other one has the name.
#[track_caller]
fn check_example(text: &str, heading: &str, name: &str, most: usize) {
    let (_, section) = text.split_once(heading).unwrap_or_else(|| panic!("{heading}: no such heading"));
    let section = section.split("\n## ").next().unwrap_or_default();
    let numbered = section.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    let listed: Vec<&str> = numbered.map(|line| line.split('`').nth(1).expect("a file")).collect();
    assert!((3..=most).contains(&listed.len()), "{heading}: {} files", listed.len());
    for file in &listed {
        assert!(workspace().join(file).is_file(), "{heading}: there is no {file}");
    }
    let mut found = 0;
    for source in ["vocab/src", "engine/src"].iter().flat_map(|folder| files(&workspace().join(folder), "rs"))
    {
        let code = fs::read_to_string(&source).expect("a source");
        if !has_word(&code, name) {
            continue;
        }
        let source = source.strip_prefix(workspace()).expect("within the workspace").display().to_string();
        assert!(listed.contains(&source.as_str()), "{heading}: {source} has {name}, and is not listed");
        found += 1;
    }
    assert!(found > 1, "{heading}: nothing has {name}");
}

/// A documentation comment starts with a verb or a noun, and makes sense without the one before it.
#[test]
fn documentation_starts_with_what_it_is_about() {
    let folders = ["vocab", "engine", "suite/tests", "benches", "tools/mcp", "tools/cli", "tools/render"];
    let mut found = Vec::new();
    for file in folders.iter().flat_map(|folder| files(&workspace().join(folder), "rs")) {
        let text = fs::read_to_string(&file).expect("a source");
        let mut is_inside = false;
        for (number, line) in text.lines().enumerate() {
            let comment = ["///", "//!"].iter().find_map(|mark| line.trim_start().strip_prefix(mark));
            let first = comment.unwrap_or_default().trim_start();
            let is_vague = ["What ", "The same"].iter().any(|start| first.starts_with(start));
            if is_vague && !is_inside {
                found.push(format!("{}:{}: {first}", file.display(), number + 1));
            }
            // A line that is empty ends a paragraph.
            is_inside = !first.is_empty();
        }
    }
    assert!(found.is_empty(), "begin with a verb or a noun:\n{}", found.join("\n"));
}

/// Returns the files of a folder and below that have this extension, except what was built or installed there.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    const MADE: [&str; 4] = ["target", "node_modules", "pkg", ".git"];
    let mut found = Vec::new();
    for entry in folder.read_dir().expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            if !MADE.iter().any(|made| path.ends_with(made)) {
                found.extend(files(&path, extension));
            }
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
    found
}

/// Whether a text has a name that is not part of a longer one.
fn has_word(text: &str, name: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    text.match_indices(name).any(|(start, _)| {
        !text[..start].ends_with(is_part) && !text[start + name.len()..].starts_with(is_part)
    })
}

/// A link to a file leads to one.
#[test]
fn links_lead_somewhere() {
    let documents = files(workspace(), "md");
    assert!(documents.len() > 20, "{} documents", documents.len());
    for path in documents {
        let document = path.display();
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{document}: {error}"));
        for target in links(&text) {
            let file = target.split('#').next().unwrap_or_default();
            let found = file.is_empty() || path.with_file_name("").join(file).exists();
            assert!(found, "{document}: the link to {target} leads nowhere");
        }
    }
}

/// Returns the targets of links in a Markdown text, except those on the network.
fn links(text: &str) -> Vec<&str> {
    let mut targets = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
        }
        if in_code {
            continue;
        }
        // `[text](target)`, and `[name]: target` at the beginning of a line.
        targets.extend(line.split("](").skip(1).filter_map(|rest| rest.split([')', ' ']).next()));
        if line.starts_with('[') {
            targets.extend(line.split_once("]: ").and_then(|(_, rest)| rest.split_whitespace().next()));
        }
    }
    targets.retain(|target| !target.contains("://"));
    targets
}

#[test]
fn links_are_found() {
    let text = "See [a](a.md), [b](b/c.md#d) and [e](https://example.com).\n[f]: f.md\n```\n[g](g.md)\n```\n";
    assert_eq!(links(text), ["a.md", "b/c.md#d", "f.md"]);
}

/// The official suite is read from cargo's directory; none of its files is in the tree.
#[test]
fn nothing_of_the_official_suite_is_copied() {
    let official = Official::get().unwrap_or_else(|error| panic!("{error}"));
    let theirs: BTreeSet<String> =
        files(&official.path(""), "json").iter().filter_map(|file| normal_text(file)).collect();
    assert!(theirs.len() > 400, "{} files in the official suite", theirs.len());
    for folder in ["engine", "vocab", "suite", "benches", "tools"] {
        for file in files(&workspace().join(folder), "json") {
            let copied = normal_text(&file).is_some_and(|text| theirs.contains(&text));
            assert!(!copied, "{} is a file of the official suite", file.display());
        }
    }
}

/// Returns the content of a JSON file, whatever its layout.
fn normal_text(file: &Path) -> Option<String> {
    let value: Value = serde_json::from_str(&fs::read_to_string(file).ok()?).ok()?;
    Some(value.to_string())
}

/// Every crate that is published has what its page on a registry needs, and depends on nothing that is not published.
#[test]
fn published_crates_are_complete() {
    let metadata = Command::new(env!("CARGO"))
        .args(["metadata", "--no-deps", "--offline", "--format-version", "1"])
        .current_dir(workspace())
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&metadata.stdout).expect("metadata");
    let packages = metadata["packages"].as_array().expect("packages");
    let is_published = |package: &Value| package["publish"].is_null();
    let unpublished: BTreeSet<&str> = packages
        .iter()
        .filter(|package| !is_published(package))
        .filter_map(|package| package["name"].as_str())
        .collect();
    let published: Vec<&Value> = packages.iter().filter(|package| is_published(package)).collect();
    assert!(published.len() >= 7, "{} published crates", published.len());
    for package in published {
        let name = package["name"].as_str().expect("a name");
        for text in ["description", "license", "readme", "rust_version"] {
            assert!(package[text].is_string(), "{name} has no {text}");
        }
        for list in ["keywords", "categories"] {
            let count = package[list].as_array().map_or(0, Vec::len);
            assert!((1..=5).contains(&count), "{name} has {count} {list}");
        }
        let folder = Path::new(package["manifest_path"].as_str().expect("a path")).with_file_name("");
        let readme = package["readme"].as_str().expect("a page");
        for file in [readme, "LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(folder.join(file).is_file(), "{name} has no {file}");
        }
        for dependency in package["dependencies"].as_array().expect("dependencies") {
            // Cargo leaves out what only tests use, if it has a path and no version.
            let is_left_out = dependency["kind"] == "dev" && dependency["req"] == "*";
            let needs = dependency["name"].as_str().expect("a name");
            assert!(
                is_left_out || !unpublished.contains(needs),
                "{name} needs {needs}, which is not published"
            );
        }
    }
}
