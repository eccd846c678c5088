//! Text is read as serde_json reads it: what it takes, what it refuses, and what the value is.

use serde_json::{Map, Value};
use stanchion::{Array, Instance, Node, Number, Object, Reader, TextError, Validator, Verdict, View};

/// Converts a node to a value.
fn to_value<'a>(node: impl Node<'a>) -> Value {
    match node.view() {
        View::Null => Value::Null,
        View::Bool(value) => value.into(),
        View::Number(Number::Unsigned(value)) => value.into(),
        // A `Value` has `-0` as a float.
        View::Number(Number::Signed(0)) => (-0.0).into(),
        View::Number(Number::Signed(value)) => value.into(),
        View::Number(Number::Float(value)) => value.into(),
        // A text has more digits than a `Value` may have. Beyond all floats, it is the same text.
        View::Number(Number::Exact(number)) => match number.to_string().parse::<f64>() {
            Ok(float) if float.is_finite() => float.into(),
            _ => Value::String(number.to_string().replace('E', "e").replace("e+", "e")),
        },
        View::String(text) => text.into(),
        View::Array(items) => {
            let values: Vec<Value> = items.iter().map(to_value).collect();
            assert_eq!(items.len(), values.len());
            values.into()
        }
        View::Object(members) => {
            let values: Map<String, Value> =
                members.iter().map(|(name, value)| (name.to_owned(), to_value(value))).collect();
            assert_eq!(members.len(), values.len(), "no name is repeated");
            values.into()
        }
    }
}

/// Reads a text both ways.
#[track_caller]
fn check(reader: &mut Reader, text: &[u8]) {
    if let Ok(text) = std::str::from_utf8(text) {
        check_one(reader.parse_str(text), text.as_bytes());
    }
    check_one(reader.parse(text), text);
}

#[track_caller]
fn check_one(read: Result<Instance<'_>, TextError>, text: &[u8]) {
    let shown = || String::from_utf8_lossy(text).into_owned();
    match (read, serde_json::from_slice::<Value>(text)) {
        (Ok(instance), Ok(value)) => {
            let (read, value) = (to_value(instance.root()), to_value(&value));
            // Values with members in another order are equal; texts distinguish 0.0 from -0.0.
            assert_eq!(read, value, "{}", shown());
            if !cfg!(feature = "preserve_order") {
                assert_eq!(read.to_string(), value.to_string(), "{}", shown());
            }
        }
        (Err(ours), Err(error)) => {
            assert_eq!((ours.line(), ours.column()), (error.line(), error.column()), "{}", shown());
            assert_eq!(ours.to_string(), error.to_string(), "{}", shown());
        }
        (Ok(_), Err(error)) => panic!("taken, but {error}: {}", shown()),
        (Err(error), Ok(_)) => panic!("refused, as {error}: {}", shown()),
    }
}

/// All texts of up to so many pieces.
fn enumerate(pieces: &[&str], longest: usize) {
    let mut reader = Reader::new();
    let mut places = vec![0];
    loop {
        let text: String = places.iter().map(|&place| pieces[place]).collect();
        check(&mut reader, text.as_bytes());
        // Without the end that is most likely to be wrong, everything else is seen to be right.
        check(&mut reader, format!("[\"some text before it\", {text}]").as_bytes());
        let Some(at) = places.iter().rposition(|&place| place + 1 < pieces.len()) else {
            if places.len() == longest {
                return;
            }
            places = vec![0; places.len() + 1];
            continue;
        };
        places[at] += 1;
        places[at + 1..].fill(0);
    }
}

#[test]
fn all_short_texts() {
    enumerate(&["{", "}", "[", "]", ",", ":", "\"", "\"a\"", "1", " "], 5);
    enumerate(&["{", "}", "\"a\":", "\"b\" : ", "[1]", "null", ", ", ","], 6);
    enumerate(&["[", "]", ",", "[]", "{}", "true", "fals", "e", "\n", "\t\r  "], 5);
}

#[test]
fn all_short_numbers() {
    enumerate(&["0", "1", "9", "-", "+", ".", "e", "E"], 6);
    enumerate(&["18446744073709551", "615", "616", "9223372036854775807", "8", "9", "-", ".5", "e3"], 4);
    enumerate(&["1", "0000000000000000000", "e", "-", "30", "8", "9", "."], 5);
}

#[test]
fn all_short_strings() {
    enumerate(&["\"", "\\", "u", "d83d", "dc32", "0041", "n", "\u{1}"], 5);
    enumerate(&["\"", "\\u", "\\", "D800", "DFFF", "é", "00e9", "x\"y"], 5);
    enumerate(&["{\"", "a", "\\u0061", "\":1", ",\"", "}"], 7);
}

#[test]
fn numbers_are_those_of_serde_json() {
    let mut reader = Reader::new();
    let mut random = 1u64;
    for _ in 0..200_000 {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let float = f64::from_bits(random);
        if float.is_finite() {
            check(&mut reader, float.to_string().as_bytes());
            check(&mut reader, format!("{float:e}").as_bytes());
        }
        let (digits, places) = (random >> 8 >> (random % 50), (random % 30) as i32 - 15);
        check(&mut reader, format!("{digits}e{places}").as_bytes());
        check(&mut reader, format!("-{}.{}", digits >> 32, digits & 0xFFFF_FFFF).as_bytes());
    }
    for text in [
        "1e400",
        "-1e400",
        "1e-400",
        "0e999999999999999999999",
        "1e99999999999999999999",
        "1e-99999999999999999999",
        "0.1e4294967296",
        "1e4294967296",
        "1e-4294967296",
        "123456789012345678901234567890e-20",
        "-0",
        "-0.0",
        "-0e5",
        "9007199254740993",
        "9007199254740993.0",
        "9007199254740992e1",
        "1.7976931348623159e308",
        "4.9e-324",
        "2e-324",
    ] {
        check(&mut reader, text.as_bytes());
    }
}

#[test]
fn depth_is_that_of_serde_json() {
    let mut reader = Reader::new();
    for depth in 120..135 {
        for (open, inner, close) in
            [("[", "", "]"), ("[", "1", "]"), ("{\"a\":", "{}", "}"), ("[{\"a\": ", "[]", "}]")]
        {
            check(&mut reader, format!("{}{inner}{}", open.repeat(depth), close.repeat(depth)).as_bytes());
            check(
                &mut reader,
                format!("{}{inner}{}", open.repeat(depth / 2), close.repeat(depth / 2)).as_bytes(),
            );
        }
    }
    check(&mut reader, "[".repeat(1_000_000).as_bytes());
    check(&mut reader, "{\"a\":".repeat(1_000_000).as_bytes());
}

#[test]
fn the_last_of_repeated_names_counts() {
    let mut reader = Reader::new();
    check(&mut reader, br#"{"a": {"b": [1, {}], "b": [2, {"c": 3}]}, "x": 1, "a": {"b": [[4]], "\u0062": [[5], 6]}, "y": []}"#);
    for members in [2, 3, 4, 8, 23, 24, 25, 26, 100, 1000] {
        for (one, other) in [(0, members - 1), (members / 2, members - 1), (0, 1)] {
            for name in ["n", "a name of some length and number ", "12345678901", "\\u00e9"] {
                let mut names: Vec<String> =
                    (0..members).map(|number| format!("{name}{number:04}")).collect();
                names[one] = names[other].replace("00", "\\u003000");
                let texts: Vec<String> = names
                    .iter()
                    .enumerate()
                    .map(|(at, name)| format!("\"{name}\": [{at}, {{\"{name}\": 1}}]"))
                    .collect();
                check(&mut reader, format!("{{{}}}", texts.join(", ")).as_bytes());
            }
        }
    }
    // Names that look alike at both ends, by the thousand, do not make it slow.
    let alike: Vec<String> = (0..40_000).map(|number| format!("\"the same{number:06}the same\":0")).collect();
    check(&mut reader, format!("{{{}}}", alike.join(",")).as_bytes());
    check(&mut reader, format!("{{{}}}", ["\"a\":0"; 40_000].join(",")).as_bytes());
}

#[test]
fn broken_texts_are_refused_as_by_serde_json() {
    let mut reader = Reader::new();
    let texts = [
        r#"{"name": "a \"quoted\" text", "tags": ["one", "two\n", "drei und dreißig"], "size": 12.5e3, "of": {"x": -1, "y": null}}"#,
        r#"[{"id":1,"ok":true},{"id":18446744073709551615,"ok":false},{},[],"","\ud83d\udc32",[[[1]]]]"#,
        "{\n  \"lines\" : [\n\t1 ,\r\n 2\n]\n , \"more\": {  }\n}\n",
        "\"\u{7f}\u{80}\u{10ffff}\"",
    ];
    for text in texts {
        check(&mut reader, text.as_bytes());
        for at in 0..=text.len() {
            check(&mut reader, &text.as_bytes()[..at]);
            check(&mut reader, &text.as_bytes()[at..]);
            for byte in
                (0..=255u8).step_by(if text.len() > 60 { 3 } else { 1 }).chain(*b"\"\\,:{}[]019-.eE \n/")
            {
                let mut changed = text.as_bytes().to_vec();
                changed.insert(at, byte);
                check(&mut reader, &changed);
                if at < text.len() {
                    changed.remove(at + 1);
                    check(&mut reader, &changed);
                }
            }
        }
    }
}

#[test]
fn buffers_grow_and_are_used_again() {
    let mut reader = Reader::new();
    for count in [0, 1, 10, 100, 10_000, 3, 200_000, 5] {
        check(&mut reader, format!("[{}]", vec!["1"; count].join(",")).as_bytes());
        check(&mut reader, format!("[{}]", vec!["{\"\":[]}"; count].join(",")).as_bytes());
        check(&mut reader, format!("[\"{}\"]", "long \\u00e9".repeat(count)).as_bytes());
    }
}

#[test]
fn a_reader_without_buffers_makes_room_for_any_text() {
    let wide: Vec<String> = (0..3_000).map(|name| format!("\"{name}\":0")).collect();
    let texts = [
        format!("[{}]", vec!["1"; 3_000].join(",")),
        format!("{{{}}}", wide.join(",")),
        format!("[{{{}}},{{{}}}]", wide.join(","), wide.join(",")),
        format!("{}{}", "{\"\":".repeat(127), "[1]"),
        format!("{}1{}", "{\"\":".repeat(127), "}".repeat(127)),
        "[".repeat(127),
        "[".repeat(500),
    ];
    for text in texts {
        check(&mut Reader::new(), text.as_bytes());
    }
}

/// Whatever was looked at ahead, it is looked at again where that ends.
#[test]
fn long_runs_of_punctuation() {
    let mut reader = Reader::new();
    let around = [
        ("[", "]"),
        ("[ ", " ]"),
        ("{\"\":", "}"),
        ("{\"a\": ", " }"),
        ("[{\"a\":[0, ", "]}, 1]"),
        ("[[],", "]"),
    ];
    for (before, behind) in around {
        for depth in 0..20 {
            for value in ["1", "\"x\"", "true", "false ", "null", "[]", "{}", "12345678"] {
                let inner = format!("{}{value}{}", before.repeat(depth), behind.repeat(depth));
                let text = format!("{{\"n\":{inner},\"m\": {inner}, \"o\":[{inner},{inner}, {inner} ]}}");
                check(&mut reader, text.as_bytes());
                for end in 0..inner.len() {
                    check(&mut reader, &inner.as_bytes()[..end]);
                }
                check(&mut reader, format!("{inner}]").as_bytes());
            }
        }
    }
}

#[test]
fn numbers_of_some_digits_wherever_they_end() {
    let mut reader = Reader::new();
    for digits in 1..22 {
        for first in ["", "0", "-", "-0"] {
            let number: String = first.chars().chain("9081726354908172635490".chars().take(digits)).collect();
            for behind in ["", " ", ",", ", 1", ".", ".5", "e", "E2", "e+", "x", ":", "/", "\u{0}", "\u{80}"]
            {
                check(&mut reader, format!("{number}{behind}").as_bytes());
                check(&mut reader, format!("[{number}{behind}]").as_bytes());
                check(&mut reader, format!("{{\"a\":{number}{behind}}}").as_bytes());
            }
        }
    }
}

/// Short texts are copied, so that something else may lie behind their end.
#[test]
fn texts_end_where_they_end() {
    let mut reader = Reader::new();
    let lengths = (0..200).chain(2_020..2_080).rev();
    for length in lengths {
        let filler = "x".repeat(length);
        for text in [
            "[\"#\"]",
            "[\"#\"] ",
            "[\"#\"]\n",
            "[\"#\"",
            "[\"#",
            "\"#\"",
            "\"#é\"",
            "[\"#\",1",
            "[\"#\"]]",
            "[\"#\"]1",
        ] {
            check(&mut reader, text.replace('#', &filler).as_bytes());
        }
        // The first byte of a character that has two.
        check(&mut reader, &[filler.as_bytes(), b"\xC3"].concat());
        check(&mut reader, &[b"\"", filler.as_bytes(), b"\xC3"].concat());
        check(&mut reader, &[b"[\"", filler.as_bytes(), b"\"]\xC3"].concat());
    }
}

/// A walk looks names up by words that the tape has of most of them, and by the text of the others.
#[test]
fn names_are_found_whatever_their_length() {
    let mut reader = Reader::new();
    for len in (0..40).chain([255, 256, 300, 65_534, 65_535, 65_536, 70_000]) {
        let name: String = ('a'..='z').cycle().take(len).collect();
        let schema = serde_json::json!({"properties": {name.as_str(): {"type": "string"}, "other": true}, "additionalProperties": false});
        let validator = Validator::new(&schema).unwrap();
        let escaped: String = match name.split_at_checked(1) {
            Some((_, rest)) => format!("\\u0061{rest}"),
            None => String::new(),
        };
        for written in [&name, &escaped] {
            let mut verdict =
                |text: String| validator.verdict_json_with(&mut reader, text.as_bytes()).unwrap();
            assert_eq!(verdict(format!("{{\"{written}\":\"\"}}")), Verdict::Valid, "{len}");
            assert_eq!(verdict(format!("{{\"other\":1,\"{written}\":1}}")), Verdict::Invalid, "{len}");
            // Others of the same length, which differ in their first character or in their last.
            if len > 0 {
                assert_eq!(verdict(format!("{{\"!{}\":\"\"}}", &name[1..])), Verdict::Invalid, "{len}");
                assert_eq!(verdict(format!("{{\"{}!\":\"\"}}", &name[..len - 1])), Verdict::Invalid, "{len}");
            }
            assert_eq!(verdict(format!("{{\"{written}\\u0000\":\"\"}}")), Verdict::Invalid, "{len}");
        }
    }
}
