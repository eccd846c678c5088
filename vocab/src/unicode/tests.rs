//! Compares the tables with those of regex-syntax. With `UPDATE_TABLES=1` in the environment,
//! rewrites them.

use super::*;
use regex_syntax::hir::{Class, HirKind};

/// Returns a property as a query of regex-syntax.
fn query(property: Property) -> String {
    let at = usize::from(property.0);
    if at < FIRST_BINARY {
        return format!("gc={}", CATEGORIES[at].0);
    }
    if at < FIRST_SCRIPT {
        return BINARY[at - FIRST_BINARY].0.to_owned();
    }
    if at < FIRST_EXTENDED {
        return format!("sc={}", SCRIPTS[at - FIRST_SCRIPT].0);
    }
    format!("scx={}", SCRIPTS[at - FIRST_EXTENDED].0)
}

fn expected(query: &str) -> Ranges {
    let hir = regex_syntax::parse(&format!("\\p{{{query}}}")).unwrap_or_else(|error| panic!("{error}"));
    if let HirKind::Class(Class::Unicode(class)) = hir.kind() {
        return class.iter().map(|range| (range.start(), range.end())).collect();
    }
    // A property of a single character.
    let HirKind::Literal(literal) = hir.kind() else { panic!("{query}: {hir:?}") };
    let text = std::str::from_utf8(&literal.0).expect("a character");
    text.chars().map(|c| (c, c)).collect()
}

fn all() -> impl Iterator<Item = Property> {
    (0..PROPERTIES as u16).map(Property)
}

fn has_query(property: Property) -> bool {
    !matches!(property.kind(), Kind::Unknown | Kind::Nothing)
}

fn push_number(bytes: &mut Vec<u8>, mut value: u32) {
    while value >= 0x80 {
        bytes.push(value as u8 | 0x80);
        value >>= 7;
    }
    bytes.push(value as u8);
}

fn table(property: Property) -> Vec<u8> {
    let mut ranges = expected(&query(property));
    if property.kind() == Kind::Extended {
        let script = expected(&query(property).replace("scx=", "sc="));
        ranges = union([&difference(&ranges, &script)[..], &difference(&script, &ranges)]);
    }
    let mut bytes = Vec::new();
    let mut from = 0;
    for (start, end) in ranges {
        push_number(&mut bytes, u32::from(start) - from);
        push_number(&mut bytes, u32::from(end) - u32::from(start));
        from = u32::from(end) + 1;
    }
    bytes
}

#[test]
fn tables_are_those_of_regex_syntax() {
    let mut file = Vec::new();
    for property in all().filter(|property| property.has_table()) {
        let table = table(property);
        push_number(&mut file, table.len() as u32);
        file.extend(table);
    }
    if std::env::var_os("UPDATE_TABLES").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/src/unicode/tables.bin"), &file)
            .expect("written");
        return;
    }
    assert!(file == TABLES, "the tables differ; UPDATE_TABLES=1 writes them anew");
    for property in all().filter(|&property| has_query(property)) {
        assert_eq!(property.ranges(), &expected(&query(property))[..], "{}", query(property));
    }
}

/// Each name finds its property, and regex-syntax knows a script by its short names as well.
#[test]
fn names_lead_to_properties() {
    for property in all().filter(|&property| has_query(property)) {
        let query = query(property);
        let found = match query.split_once('=') {
            Some((name, value)) => Property::find(name, Some(value)),
            None => Property::find(&query, None),
        };
        assert_eq!(found, Some(property), "{query}");
    }
    for (long, short) in SCRIPTS {
        for short in short.split(' ').filter(|short| !short.is_empty()) {
            assert_eq!(Property::find("sc", Some(short)), Property::find("Script", Some(long)), "{short}");
            assert_eq!(expected(&format!("sc={short}")), expected(&format!("sc={long}")), "{short}");
        }
    }
    for name in ["", "l", "letter", "Lz", "Latin", "Is_Letter", "Changes_When_NFKC_Casefolded"] {
        assert_eq!(Property::find(name, None), None, "{name:?}");
        assert_eq!(Property::find("sc", Some(name)).is_some(), name == "Latin", "{name:?}");
    }
}

/// Only unassigned and private code points lack a script.
#[test]
fn every_script_is_listed() {
    let unknown = Property::find("sc", Some("Zzzz")).expect("a script");
    let nothing = union(["Cn", "Co"].map(|name| Property::find(name, None).expect("a category").ranges()));
    assert!(difference(unknown.ranges(), &nothing).is_empty());
    assert!(unknown.contains('\u{e000}') && !unknown.contains('a'));
    assert_eq!(Property::find("scx", Some("Unknown")).expect("a script").ranges(), unknown.ranges());
}
