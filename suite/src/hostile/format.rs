//! Formats on long texts: 100 kB of the input that each grammar takes longest to read, with
//! `format` as an assertion.

use super::{Attack, Family};
use serde_json::json;

/// Makes a text of about this length.
type Text = fn(usize) -> String;

pub(super) fn families() -> Vec<Family> {
    vec![wrong(), right(), many()]
}

/// Texts that are wrong at their end, or by their length.
const WRONG: [(&str, &str, Text); 34] = [
    ("email", "no domain", |n| "a.".repeat(n / 2) + "a@"),
    ("email", "quotes without end", |n| format!("\"{}", "\\\"".repeat(n / 2))),
    ("email", "many at", |n| "a@".repeat(n / 2)),
    ("idn-email", "no domain", |n| "ж.".repeat(n / 2) + "ж@"),
    ("idn-email", "many at", |n| "ж@".repeat(n / 2)),
    ("hostname", "too long", |n| "a-a.".repeat(n.max(400) / 4) + "a"),
    ("hostname", "one long label", |n| "a".repeat(n.max(64))),
    ("idn-hostname", "too long", |n| "жa.".repeat(n.max(900) / 3) + "a"),
    ("idn-hostname", "one long label", |n| "漢字".repeat(n.max(400) / 2)),
    ("idn-hostname", "punycode without end", |n| format!("xn--{}", "a9".repeat(n.max(200) / 2))),
    ("ipv4", "numbers without end", |n| "1.".repeat(n / 2) + "1"),
    ("ipv6", "groups without end", |n| "1:".repeat(n.max(20) / 2) + "1"),
    ("ipv6", "colons", |n| ":".repeat(n)),
    ("uri", "no scheme", |n| "a/".repeat(n / 2)),
    ("uri", "a broken escape at the end", |n| format!("http://example.com/{}%4", "%41".repeat(n / 3))),
    ("uri", "a literal without end", |n| format!("http://[{}", "1:".repeat(n / 2))),
    ("uri-reference", "a broken escape at the end", |n| "a?".repeat(n / 2) + "%"),
    ("iri", "a space at the end", |n| format!("http://example.com/{} ", "ж".repeat(n / 2))),
    ("iri-reference", "a broken escape at the end", |n| "ж/".repeat(n / 2) + "%G1"),
    ("uri-template", "braces in braces", |n| "{a".repeat(n / 2)),
    ("uri-template", "an expression without end", |n| format!("{{{}a", "a,".repeat(n / 2))),
    ("regex", "groups without end", |n| "(".repeat(n)),
    ("regex", "classes without end", |n| "[a-z".repeat(n / 4) + "[z-a]"),
    ("duration", "years again", |n| format!("P{}", "1Y".repeat(n.max(4) / 2))),
    ("duration", "digits without a unit", |n| format!("P{}", "1".repeat(n))),
    ("json-pointer", "a broken escape at the end", |n| "/~0~1a".repeat(n / 6) + "~"),
    ("relative-json-pointer", "a zero in front", |n| "0".repeat(n.max(2)) + "#"),
    ("relative-json-pointer", "digits alone, then a letter", |n| "1".repeat(n) + "a"),
    ("date-time", "a fraction without zone", |n| format!("2020-02-02T02:02:02.{}", "1".repeat(n))),
    ("date-time", "zones without end", |n| format!("2020-02-02T02:02:02{}", "+00:00".repeat(n.max(12) / 6))),
    ("date", "days without end", |n| format!("2020-02{}", "-02".repeat(n.max(6) / 3))),
    ("time", "a fraction without zone", |n| format!("02:02:02.{}", "1".repeat(n))),
    ("uuid", "dashes", |n| "-".repeat(n)),
    ("uuid", "digits without end", |n| "2eb8aa08-aa98-11ea-b4aa-73b441d16380".repeat(n.max(72) / 36)),
];

fn wrong() -> Family {
    let mut family = Family::new("formats, wrong texts");
    for (format, title, text) in WRONG {
        family.add(format!("{format}, {title}"), 12, 100_000, move |length| {
            Attack::new(json!({"format": format})).invalid(text(length)).formats()
        });
    }
    family
}

/// Long texts that are right.
const RIGHT: [(&str, &str, Text); 15] = [
    ("uri", "escapes", |n| format!("http://example.com/{}", "%41".repeat(n / 3))),
    ("uri", "steps up", |n| format!("http://example.com/{}", "../".repeat(n / 3))),
    ("uri-reference", "slashes", |n| format!("a{}", "/".repeat(n))),
    ("iri", "letters", |n| format!("http://example.com/{}", "ж".repeat(n / 2))),
    ("iri-reference", "a query", |n| format!("?{}", "ж=1&".repeat(n / 5))),
    ("uri-template", "an expression with many names", |n| format!("{{{}a}}", "a,".repeat(n / 2))),
    ("uri-template", "many expressions", |n| "{+a,b*}".repeat(n / 7)),
    ("regex", "classes", |n| "[a-z]".repeat(n / 5)),
    ("regex", "alternatives", |n| "a|".repeat(n / 2)),
    ("duration", "a long number", |n| format!("P{}Y", "1".repeat(n))),
    ("json-pointer", "escapes", |n| "/~0~1a".repeat(n / 6)),
    ("relative-json-pointer", "a pointer", |n| format!("1{}", "/a~1".repeat(n / 4))),
    ("date-time", "a long fraction", |n| format!("2020-02-02T02:02:02.{}Z", "1".repeat(n))),
    ("time", "a long fraction", |n| format!("02:02:02.{}Z", "1".repeat(n))),
    ("no such format", "anything", |n| "x".repeat(n)),
];

fn right() -> Family {
    let mut family = Family::new("formats, right texts");
    for (format, title, text) in RIGHT {
        family.add(format!("{format}, {title}"), 12, 100_000, move |length| {
            Attack::new(json!({"format": format})).valid(text(length)).formats()
        });
    }
    family
}

fn many() -> Family {
    let mut family = Family::new("formats, many texts");
    family.add("ten formats on 1,000 texts each", 2, 1_000, |count| {
        let texts = [
            ("email", "person@example.com"),
            ("hostname", "a.very.long.name.example.com"),
            ("idn-hostname", "例え.テスト"),
            ("ipv6", "1:2:3:4:5:6:7:8"),
            ("uri", "http://user@example.com:80/a?b#c"),
            ("uri-template", "http://example.com/{a}{?b*}"),
            ("regex", "^(a+)+$"),
            ("date-time", "2020-02-02T02:02:02.5+02:00"),
            ("duration", "P1Y2M3DT4H5M6S"),
            ("uuid", "2eb8aa08-aa98-11ea-b4aa-73b441d16380"),
        ];
        let properties = texts.map(|(format, _)| (format.to_owned(), json!({"format": format})));
        let item = super::object(texts.map(|(format, text)| (format.to_owned(), text.into())));
        let mut wrong = item.clone();
        wrong["duration"] = "P1Y2M3DT4H5M6".into();
        let good = vec![item; count];
        let mut bad = good.clone();
        bad.push(wrong);
        Attack::new(json!({"items": {"properties": super::object(properties)}}))
            .valid(good)
            .invalid(bad)
            .formats()
    });
    family.add("properties of Unicode in 20,000 patterns", 3, 20_000, |count| {
        let mut texts = vec!["\\p{L}"; count];
        let good = json!(texts);
        texts.push("\\p{Lx}");
        Attack::new(json!({"items": {"format": "regex"}})).valid(good).invalid(json!(texts)).formats()
    });
    family.add("groups in groups", 3, 20_000, |count| {
        let text = format!("{}{}", "(".repeat(count), ")".repeat(count));
        Attack::new(json!({"format": "regex"})).valid(text.clone()).invalid(text + ")").formats()
    });
    family
}
