//! `stanchion explain` as a user runs it.

use crate::common;
use std::fs;

use crate::common::{Scratch, example, stanchion};
use expect_test::expect;

const SMALL: &str = r##"{
    "type": "object",
    "properties": {"name": {"type": "string", "minLength": 1}, "age": {"type": "integer"}, "next": {"$ref": "#"}},
    "required": ["name"]
}"##;

/// Checks that every tag of a picture or a page is closed, in order.
#[track_caller]
fn assert_well_formed(markup: &str) {
    let void = ["meta", "!DOCTYPE"];
    let mut open: Vec<&str> = Vec::new();
    let mut rest = markup;
    while let Some(start) = rest.find('<') {
        let end = start + rest[start..].find('>').expect("a tag that ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        let name = tag.trim_start_matches('/').split([' ', '\n', '/']).next().unwrap_or_default();
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name), "in {tag}");
        } else if !tag.ends_with('/') && !void.contains(&name) {
            open.push(name);
            if name == "script" || name == "style" {
                let close = format!("</{name}>");
                rest = &rest[rest.find(&close).expect("an end")..];
            }
        }
    }
    assert!(open.is_empty(), "{open:?} is left open");
}

#[test]
fn a_listing_with_what_walks_ask() {
    let output = stanchion(&["explain", "-"], SMALL);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    expect![[r#"
        block 0
          0000 Type {object}                /type
          0001 Required ["name"]            /required
          0002 Properties ["name", "age", "next"] → 1 2 3 /properties
          fast  yes {}  ask {object}
          0007 Members ["name", "age", "next"] → 1 0 /required
                 "name": string if LengthAtLeast 1  required
                 "age": integer
                 "next": object → 0
                 others: any
        block 1  /properties/name
          0003 Type {string}                /properties/name/type
          0004 LengthAtLeast 1              /properties/name/minLength
          fast  yes {}  ask {string}
          0008 LengthAtLeast 1              /properties/name/minLength
        block 2  /properties/age
          0005 Type {integer}               /properties/age/type
          fast  yes {integer}  ask {}
        block 3  /properties/next
          0006 Call → 0                     /properties/next/$ref
          fast  yes {}  ask {object} → 0
    "#]]
    .assert_eq(&output.stdout);
}

#[test]
fn a_plain_listing() {
    let output = stanchion(&["explain", "--plain", "-"], SMALL);
    assert_eq!((output.code, output.stderr.as_str()), (0, ""));
    expect![[r#"
        block 0
          0000 Type {object}                /type
          0001 Required ["name"]            /required
          0002 Properties ["name", "age", "next"] → 1 2 3 /properties
        block 1  /properties/name
          0003 Type {string}                /properties/name/type
          0004 LengthAtLeast 1              /properties/name/minLength
        block 2  /properties/age
          0005 Type {integer}               /properties/age/type
        block 3  /properties/next
          0006 Call → 0                     /properties/next/$ref
    "#]]
    .assert_eq(&output.stdout);
}

#[test]
fn a_picture_of_our_own_layout() {
    let output = stanchion(&["explain", "--graph", "--layout", "own", &example("weather.schema.json")], "");
    output.expect(
        0,
        &["<svg ", "block 0", "/$defs/coordinates", "Members", "one pass", "&quot;lat&quot; *"],
        &[],
    );
    assert_well_formed(&output.stdout);
    // Blocks that the type or a single check decides have no box, and each line has its tip.
    assert_eq!(output.stdout.matches("<g class=\"block ").count(), 4);
    assert_eq!(output.stdout.matches("<path class=\"line below\" marker-end").count(), 2 + 1);
}

/// Both layouts show the same boxes and texts. If `dot` is missing, the output says so.
#[test]
fn a_picture_by_graphviz() {
    let file = example("weather.schema.json");
    let output = stanchion(&["explain", "--graph", "--layout", "dot", &file], "");
    if output.code == 2 {
        assert!(output.stderr.contains("dot: "), "{}", output.stderr);
        eprintln!("skipped: there is no dot here");
        return;
    }
    output.expect(0, &["<svg ", "/$defs/coordinates"], &[]);
    assert_well_formed(&output.stdout);
    let own = stanchion(&["explain", "--graph", "--layout", "own", &file], "").stdout;
    let words = |svg: &str| svg.split("<text").count();
    assert_eq!(words(&output.stdout), words(&own));
}

#[test]
fn recursion_and_memo_points_are_seen() {
    let doubling = r##"{"anyOf": [{"items": {"$ref": "#"}}, {"contains": {"$ref": "#"}}]}"##;
    let output = stanchion(&["explain", "--graph", "--layout", "own", "-"], doubling);
    output.expect(0, &["class=\"block place-0 memo\"", ">memo</text>"], &[]);
}

#[test]
fn a_large_graph_is_bounded_and_says_so() {
    let properties: Vec<String> = (0..300)
        .map(|index| format!(r#""p{index}": {{"type": "array", "items": {{"minLength": 2}}}}"#))
        .collect();
    let schema = format!(r#"{{"properties": {{{}}}}}"#, properties.join(","));
    let output = stanchion(&["explain", "--graph", "--layout", "own", "--blocks", "40", "-"], &schema);
    output.expect(0, &["40 of 301 blocks are drawn", "… 280 more"], &[]);
    assert_eq!(output.stdout.matches("<g class=\"block ").count(), 40);
}

#[test]
fn a_page_with_schema_listing_and_graph() {
    let scratch = Scratch::new("explain-html");
    let page = scratch.path("page.html");
    stanchion(&["explain", "--html", &example("weather.schema.json"), "-o", &page], "").expect(0, &[], &[]);
    let html = fs::read_to_string(&page).expect("a page");
    assert_well_formed(&html);
    for part in
        ["<h2>Schema</h2>", "<h2>Listing</h2>", "<h2>Graph</h2>", "id=\"listing-4\"", "href=\"#listing-4\""]
    {
        assert!(html.contains(part), "{part}");
    }
    // A block, its place in the schema, and its box have the same number.
    for part in [
        "class=\"sub place-4\"",
        "class=\"block place-4\" id=\"listing-4\"",
        "class=\"block place-4\" id=\"block-4\"",
    ] {
        assert!(html.contains(part), "{part}");
    }
    // Nothing is loaded from anywhere.
    let loads = ["src=", "<link", "@import", "url(http", "xlink"];
    assert!(loads.iter().all(|load| !html.contains(load)));
}

/// Names, patterns and values of a schema are untrusted: none becomes markup, or moves a cursor.
#[test]
fn a_stranger_writes_no_markup() {
    let hostile = r##"{
        "title": "</script><script>alert(1)</script>",
        "properties": {
            "</pre><img src=x onerror=alert(1)>": {"type": "array", "items": {"pattern": "<b>\"'&"}},
            "\nblock 7  /x": {"enum": ["\u001b[31m", "\u202e"], "minLength": 2},
            "]]>--><!--": {"properties": {"<svg onload=alert(1)>": {"minimum": 1, "maximum": 2}}}
        }
    }"##;
    let scratch = Scratch::new("explain-hostile");
    let file = scratch.file("<b>&.json", hostile);
    for format in ["--graph", "--html"] {
        for layout in ["own", "auto"] {
            let output = stanchion(&["explain", format, "--layout", layout, &file], "");
            assert_eq!(output.code, 0, "{}", output.stderr);
            assert_well_formed(&output.stdout);
            for bad in ["<img", "<b>", "<svg onload", "<script>alert", "<!--", "\u{1b}", "\u{202e}"] {
                assert!(!output.stdout.contains(bad), "{bad:?} with {format}");
            }
        }
    }
    let listing = stanchion(&["explain", &file], "").stdout;
    assert!(!listing.contains(['\u{1b}', '\u{202e}']));
    assert_eq!(listing.matches("\nblock 7  ").count(), 0, "{listing}");
}

#[test]
fn resources_are_explained_too() {
    let scratch = Scratch::new("explain-resource");
    let item = scratch
        .file("item.json", r#"{"properties": {"id": {"type": "string", "minLength": 3, "maxLength": 9}}}"#);
    let schema = scratch.file("schema.json", r#"{"items": {"$ref": "https://example.com/item"}}"#);
    let resource = format!("https://example.com/item={item}");
    for format in ["--html", "--graph"] {
        let output = stanchion(&["explain", format, "--bundled", "--resource", &resource, &schema], "");
        output.expect(0, &["https://example.com/item"], &[]);
        assert_well_formed(&output.stdout);
    }
}

#[test]
fn what_cannot_be_explained() {
    let scratch = Scratch::new("explain-errors");
    stanchion(&["explain", &scratch.path("absent.json")], "").expect(2, &[], &["absent.json"]);
    stanchion(&["explain", &scratch.path("")], "").expect(2, &[], &["directory"]);
    stanchion(&["explain", "-"], "{").expect(2, &[], &["-: EOF while parsing"]);
    stanchion(&["explain", &example("hostile.schema.json")], "").expect(2, &[], &["leaves the document"]);
    stanchion(&["explain", "--graph", "--html", "-"], "{}").expect(2, &[], &["cannot be used with"]);
    let folder = scratch.path("absent/page.html");
    stanchion(&["explain", "--html", "-", "-o", &folder], "{}").expect(2, &[], &["absent/page.html"]);
}

#[test]
fn schemas_without_blocks_to_draw() {
    for schema in ["true", "false", "{}", r#"{"type": "string"}"#, r#"{"minLength": 2}"#] {
        for format in ["--graph", "--html"] {
            let output = stanchion(&["explain", format, "--layout", "own", "-"], schema);
            output.expect(0, &["<svg ", "block 0"], &[]);
            assert_well_formed(&output.stdout);
        }
    }
}

#[test]
fn a_closed_pipe_is_no_panic() {
    assert_eq!(common::into_closed_pipe(&["explain", &example("weather.schema.json")]), 0);
    assert_eq!(common::into_closed_pipe(&["explain", "--html", &example("weather.schema.json")]), 0);
}

/// README shows this picture. `UPDATE_EXPECT=1` redraws it.
#[test]
fn the_picture_in_the_readme_is_as_drawn() {
    let output = stanchion(&["explain", "--graph", "--layout", "own", &example("weather.schema.json")], "");
    expect_test::expect_file![example("weather.svg")].assert_eq(&output.stdout);
}

/// If `dot` is missing or gives a broken answer, our own layout is used.
#[test]
#[cfg(unix)]
fn without_graphviz_the_layout_is_ours() {
    use std::os::unix::fs::PermissionsExt;

    let scratch = Scratch::new("explain-dot");
    let schema = example("weather.schema.json");
    let own = stanchion(&["explain", "--graph", "--layout", "own", &schema], "").stdout;
    for script in [
        None,
        Some("#!/bin/sh\necho '{}'\n"),
        Some("#!/bin/sh\nexit 1\n"),
        Some("#!/bin/sh\necho nonsense\n"),
    ] {
        let file = scratch.file("bin/dot", script.unwrap_or_default());
        match script {
            Some(_) => fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).expect("a script"),
            None => fs::remove_file(&file).expect("no script"),
        }
        let explain = |layout: &str| {
            std::process::Command::new(env!("CARGO_BIN_EXE_stanchion"))
                .args(["explain", "--graph", "--layout", layout, &schema])
                .env("PATH", scratch.path("bin"))
                .output()
                .expect("the program starts")
        };
        let auto = explain("auto");
        assert!(auto.status.success());
        assert_eq!(String::from_utf8_lossy(&auto.stdout), own, "with {script:?}");
        let dot = explain("dot");
        assert_eq!(dot.status.code(), Some(2), "with {script:?}");
        assert!(String::from_utf8_lossy(&dot.stderr).starts_with("dot: "), "with {script:?}");
    }
}
