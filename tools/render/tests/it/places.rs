//! Checks that every value of a document is found at its place, whatever the layout.

use serde_json::Value;
use stanchion_render::{Source, locate_all};

/// A reproducible source of random numbers.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn pick<'p>(&mut self, among: &[&'p str]) -> &'p str {
        let place = self.roll(among.len() as u64);
        among[usize::try_from(place).unwrap_or(0)]
    }
}

const SPACE: [&str; 6] = ["", " ", "\n", "\r\n  ", "\t", ""];
const NAMES: [&str; 8] =
    [r#""a""#, r#""b""#, r#""~/""#, r#""\u0061""#, r#""""#, r#""\"}""#, r#""0""#, r#""é\ud83d\ude00""#];
const SCALARS: [&str; 8] = ["null", "true", "-1.5e3", "0", r#""]}""#, r#""\\""#, r#""日本\n""#, "\"\""];

/// Writes a document with odd spaces, names escaped in several ways, and repeated names.
fn write(dice: &mut Dice, depth: u64, text: &mut String) {
    text.push_str(dice.pick(&SPACE));
    match dice.roll(if depth == 0 { 1 } else { 3 }) {
        0 => text.push_str(dice.pick(&SCALARS)),
        kind => {
            let (open, close) = if kind == 1 { ('[', ']') } else { ('{', '}') };
            text.push(open);
            for index in 0..dice.roll(6) {
                if index > 0 {
                    text.push(',');
                }
                if kind == 2 {
                    text.push_str(dice.pick(&SPACE));
                    text.push_str(dice.pick(&NAMES));
                    text.push_str(dice.pick(&SPACE));
                    text.push(':');
                }
                write(dice, depth - 1, text);
            }
            text.push_str(dice.pick(&SPACE));
            text.push(close);
        }
    }
    text.push_str(dice.pick(&SPACE));
}

/// Collects the pointers to a value and to all values inside it.
fn pointers(value: &Value, place: &str, found: &mut Vec<String>) {
    found.push(place.to_owned());
    match value {
        Value::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                pointers(item, &format!("{place}/{index}"), found);
            }
        }
        Value::Object(members) => {
            for (name, member) in members {
                pointers(member, &stanchion_vocab::pointer::join(place, name), found);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[test]
fn every_value_is_found_where_it_stands() {
    let mut dice = Dice(1);
    let mut seen = 0;
    for _ in 0..2_000 {
        let mut text = String::new();
        write(&mut dice, 4, &mut text);
        let value: Value = serde_json::from_str(&text).expect("JSON");
        let mut all = Vec::new();
        pointers(&value, "", &mut all);
        let wanted: Vec<&str> = all.iter().map(String::as_str).collect();
        let source = Source::new("text", &text);
        for (pointer, place) in all.iter().zip(locate_all(&text, &wanted)) {
            let place = place.unwrap_or_else(|| panic!("{pointer} in {text}"));
            let slice = &text[place.value.clone()];
            assert_eq!(slice, slice.trim(), "{pointer} in {text}");
            let found: Value = serde_json::from_str(slice).unwrap_or_else(|error| panic!("{slice}: {error}"));
            assert_eq!(Some(&found), value.pointer(pointer), "{pointer} in {text}");
            let before = &text[..place.value.start];
            assert_eq!(source.position(place.value.start).line, 1 + before.matches('\n').count());
            seen += 1;
        }
    }
    assert!(seen > 20_000, "{seen} values");
}
