//! Compares the tables with those of regex-syntax and of the crates for normalization, direction and joining. With `UPDATE_TABLES=1` in the environment,
//! rewrites them.

use super::classes::{Direction, Joining, Table};
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
    if is_updated("tables.bin", &file) {
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

fn all_chars() -> impl Iterator<Item = char> {
    '\0'..=char::MAX
}

/// Returns the class of a character by the crates that the tables were made from.
fn class(table: Table, c: char) -> usize {
    use unicode_bidi::BidiClass as Bidi;
    use unicode_joining_type::JoiningType as Type;
    let direction = |c| match unicode_bidi::bidi_class(c) {
        Bidi::L => Direction::L,
        Bidi::R => Direction::R,
        Bidi::AL => Direction::AL,
        Bidi::AN => Direction::AN,
        Bidi::EN => Direction::EN,
        Bidi::ES => Direction::ES,
        Bidi::CS => Direction::CS,
        Bidi::ET => Direction::ET,
        Bidi::ON => Direction::ON,
        Bidi::BN => Direction::BN,
        Bidi::NSM => Direction::NSM,
        Bidi::B | Bidi::S | Bidi::WS => Direction::Other,
        Bidi::FSI | Bidi::LRE | Bidi::LRI | Bidi::LRO | Bidi::PDF => Direction::Other,
        Bidi::PDI | Bidi::RLE | Bidi::RLI | Bidi::RLO => Direction::Other,
    };
    let joining = |c| match unicode_joining_type::get_joining_type(c) {
        Type::DualJoining => Joining::Dual,
        Type::LeftJoining => Joining::Left,
        Type::RightJoining => Joining::Right,
        Type::Transparent => Joining::Transparent,
        Type::JoinCausing | Type::NonJoining | _ => Joining::Other,
    };
    match table {
        Table::Combining => unicode_normalization::char::canonical_combining_class(c).into(),
        Table::Direction => {
            Direction::ALL.iter().position(|other| *other == direction(c)).expect("one of all")
        }
        Table::Joining => Joining::ALL.iter().position(|other| *other == joining(c)).expect("one of all"),
    }
}

#[test]
fn classes_are_those_of_the_crates() {
    let mut file = Vec::new();
    for table in [Table::Combining, Table::Direction, Table::Joining] {
        let mut ranges: Vec<(u32, u32, usize)> = Vec::new();
        for c in all_chars() {
            let (point, class) = (u32::from(c), class(table, c));
            match ranges.last_mut() {
                _ if class == 0 => {}
                Some(last) if last.1 + 1 == point && last.2 == class => last.1 = point,
                _ => ranges.push((point, point, class)),
            }
        }
        let mut bytes = Vec::new();
        let mut from = 0;
        for (start, end, class) in ranges {
            for value in [start - from, end - start, class as u32] {
                push_number(&mut bytes, value);
            }
            from = end + 1;
        }
        push_number(&mut file, bytes.len() as u32);
        file.extend(bytes);
    }
    if !is_updated("classes.bin", &file) {
        assert!(file == classes::PACKED, "the tables differ; UPDATE_TABLES=1 writes them anew");
        for c in all_chars() {
            assert_eq!(usize::from(classes::combining(c)), class(Table::Combining, c), "{c:?}");
            assert_eq!(Direction::ALL[class(Table::Direction, c)], Direction::of(c), "{c:?}");
            assert_eq!(Joining::ALL[class(Table::Joining, c)], Joining::of(c), "{c:?}");
        }
    }
}

#[test]
fn normalization_is_that_of_the_crate() {
    use unicode_normalization::UnicodeNormalization;
    use unicode_normalization::char::{decompose_canonical, decompose_compatible};
    let mut file = Vec::new();
    let (mut from, mut before) = (0, [0_u32; 20]);
    for c in all_chars().filter(|c| !('가'..='힣').contains(c)) {
        let (mut canonical, mut compatible) = (Vec::new(), Vec::new());
        decompose_canonical(c, |part| canonical.push(part));
        decompose_compatible(c, |part| compatible.push(part));
        let (kind, parts) = match (canonical == [c], compatible == [c]) {
            (true, true) => continue,
            (true, false) => (normalize::Kind::Compatibility, compatible),
            (false, _) if c.nfc().eq([c]) => (normalize::Kind::Composes, canonical),
            (false, _) => (normalize::Kind::Excluded, canonical),
        };
        push_number(&mut file, u32::from(c) - from);
        push_number(&mut file, 3 * parts.len() as u32 + kind as u32);
        for (before, part) in before.iter_mut().zip(parts) {
            let difference = u32::from(part).wrapping_sub(*before).cast_signed();
            push_number(&mut file, (difference << 1 ^ difference >> 31).cast_unsigned());
            *before = u32::from(part);
        }
        from = u32::from(c) + 1;
    }
    if is_updated("decompositions.bin", &file) {
        return;
    }
    assert!(file == normalize::PACKED, "the table differs; UPDATE_TABLES=1 writes it anew");
    let same = |text: &str| {
        assert_eq!(normalize::nfkd(text.chars()), text.nfkd().collect::<Vec<_>>(), "{text:?}");
        assert_eq!(normalize::nfc(text.chars()), text.nfc().collect::<String>(), "{text:?}");
    };
    let interesting: Vec<char> =
        all_chars().filter(|c| !c.nfkd().eq([*c]) || class(Table::Combining, *c) > 0).collect();
    all_chars().for_each(|c| same(&c.to_string()));
    // Texts of characters that compose, in all kinds of orders.
    let mut state = 1_u64;
    let mut next = |bound: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) as usize % bound
    };
    for _ in 0..100_000 {
        let mut text = String::new();
        for _ in 0..1 + next(4) {
            let c = interesting[next(interesting.len())];
            match next(3) {
                0 => text.push(c),
                1 => text.extend(c.nfd().collect::<Vec<_>>().into_iter().rev()),
                _ => text.extend(c.nfkd()),
            }
            if next(3) == 0 {
                text.push(['a', 'e', 'Ω', '\u{1161}', '\u{11a8}', '\u{301}', '\u{327}'][next(7)]);
            }
        }
        same(&text);
    }
}

/// Writes a file of tables anew, if that is wanted.
fn is_updated(name: &str, content: &[u8]) -> bool {
    let is_wanted = std::env::var_os("UPDATE_TABLES").is_some();
    if is_wanted {
        std::fs::write(format!("{}/src/unicode/{name}", env!("CARGO_MANIFEST_DIR")), content)
            .expect("written");
    }
    is_wanted
}
