//! Rules that every representation must satisfy. A test of each calls [`check`].

use super::{Array, Node, Object, View};

/// Reads texts by `read`, which ends in [`render`], and compares with what they mean.
pub(crate) fn check(read: impl Fn(&str) -> String) {
    for (text, want) in [
        ("null", "null"),
        ("true", "true"),
        ("false", "false"),
        ("0", "0 integer"),
        ("-0", "0 integer"),
        ("18446744073709551615", "18446744073709551615 integer"),
        ("-9223372036854775808", "-9223372036854775808 integer"),
        ("1.0", "1 integer"),
        ("1.5", "1.5 number"),
        ("-1.5e3", "-1500 integer"),
        ("1e-2", "0.01 number"),
        (r#""""#, "<>"),
        (r#""é\n\u00e9\ud83d\udc32""#, "<é\né🐲>"),
        ("[]", "[0:]"),
        ("{}", "{0:}"),
        (r#"[[], {}, [1], "x"]"#, "[4:[0:] {0:} [1:1 integer] <x>]"),
        (r#"{"a": {"b": [true]}, "c": null}"#, "{2:a={1:b=[1:true]} c=null}"),
    ] {
        assert_eq!(read(text), want, "{text}");
    }
}

/// Formats a value as a text that shows everything that a view has.
pub(crate) fn render<'a, N: Node<'a>>(node: N) -> String {
    match node.view() {
        View::Null => "null".to_owned(),
        View::Bool(value) => value.to_string(),
        View::Number(number) => {
            let kind = if number.is_integer() { "integer" } else { "number" };
            let value: f64 = number.to_string().parse().unwrap();
            if value.abs() < 1e15 { format!("{} {kind}", value + 0.0) } else { format!("{number} {kind}") }
        }
        View::String(text) => format!("<{text}>"),
        View::Array(items) => {
            let rendered: Vec<String> = items.iter().map(render).collect();
            assert_eq!(items.is_empty(), rendered.is_empty());
            format!("[{}:{}]", items.len(), rendered.join(" "))
        }
        View::Object(members) => {
            let rendered: Vec<String> =
                members.iter().map(|(name, value)| format!("{name}={}", render(value))).collect();
            for (name, value) in members.iter() {
                assert_eq!(members.get(name).map(render), Some(render(value)));
            }
            assert!(members.get("no such name").is_none());
            assert_eq!(members.is_empty(), rendered.is_empty());
            format!("{{{}:{}}}", members.len(), rendered.join(" "))
        }
    }
}
