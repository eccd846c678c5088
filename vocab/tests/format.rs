//! The formats, from outside: texts that are of a format, and texts that are not.
//!
//! The official suite runs elsewhere. These tests cover corner cases of our own, the promise that a
//! long text is checked quickly, and the promise that no text makes a check panic.

use stanchion_vocab::format;
use std::time::{Duration, Instant};

/// Every name that some dialect defines.
const NAMES: [&str; 19] = [
    "date-time",
    "date",
    "time",
    "duration",
    "email",
    "idn-email",
    "hostname",
    "idn-hostname",
    "ipv4",
    "ipv6",
    "uri",
    "uri-reference",
    "iri",
    "iri-reference",
    "uuid",
    "uri-template",
    "json-pointer",
    "relative-json-pointer",
    "regex",
];

/// Texts without spaces, written in one string.
fn words(texts: &str) -> Vec<&str> {
    texts.split_whitespace().collect()
}

/// Checks a format: the only function here that calls it.
#[track_caller]
fn check(name: &str, good: &[&str], bad: &[&str]) {
    let check = format::check(name).expect("the name is in the table");
    for text in good {
        assert!(check(text), "{text:?} is a good {name}");
        // A line feed at the end makes every text invalid, except where a pointer's last token may
        // hold anything.
        if !(name.ends_with("json-pointer") && text.contains('/')) {
            assert!(!check(&format!("{text}\n")), "{text:?} and a line feed is a bad {name}");
        }
    }
    for text in bad {
        assert!(!check(text), "{text:?} is a bad {name}");
    }
}

#[test]
fn names() {
    for name in NAMES {
        assert!(format::check(name).is_some(), "{name}");
    }
    for name in ["", "Date", "date ", "ip-address", "host-name", "color", "unknown"] {
        assert!(format::check(name).is_none(), "{name}");
    }
}

#[test]
fn the_empty_text() {
    for name in NAMES {
        let check = format::check(name).expect("the name is in the table");
        let good =
            ["uri-reference", "iri-reference", "uri-template", "json-pointer", "regex"].contains(&name);
        assert_eq!(check(""), good, "{name}");
    }
}

#[test]
fn spaces() {
    check("date-time", &[], &["2024-02-29 12:30:45Z", " 2024-02-29T12:30:45Z", "2024-02-29T12:30:45Z "]);
    check("date", &[], &["2024 -02-29", " 2024-02-29", "2024-02-29\t", "2024-02-29\u{A0}"]);
    check("time", &[], &["12:00:00 Z", " 12:00:00Z", "12:00:00Z\r"]);
    check("duration", &[], &["P 1D", " P1D", "P1D "]);
    check("ipv4", &[], &["1. 2.3.4", " 1.2.3.4", "1.2.3.4 "]);
    check("ipv6", &[], &[":: 1", " ::1", "::1 "]);
}

#[test]
fn date_time() {
    check(
        "date-time",
        &words(
            "2024-02-29T12:30:45Z 2024-02-29t12:30:45z 2024-02-29T12:30:45.000000000000000000001Z \
             0000-01-01T00:00:00Z 9999-12-31T23:59:59Z 2024-05-05T05:05:05+23:59 \
             2024-05-05T05:05:05-23:59 2024-05-05T05:05:05-00:00 2015-06-30T23:59:60Z \
             2015-07-01T05:29:60.75+05:30 2015-06-30T14:14:60-09:45",
        ),
        &words(
            "2024-02-29 12:30:45Z 2024-02-29T12:30:45 2023-02-29T12:30:45Z 2024-02-29T12:30Z \
             2024-02-29T12:30:45.Z 2024-02-29T12:30:45,5Z 2024-02-29T12:30:45+24:00 \
             2024-02-29T12:30:45+0100 2024-02-29T12:30:45−01:00 2024-02-29TT12:30:45Z \
             2015-06-30T23:59:60+05:30 ２０２４-02-29T12:30:45Z",
        ),
    );
}

#[test]
fn date() {
    check(
        "date",
        &words(
            "2024-02-29 2000-02-29 0000-02-29 0004-02-29 1999-12-31 2023-02-28 2023-04-30 2023-06-30 \
             2023-09-30 2023-11-30",
        ),
        &words(
            "2023-02-29 1900-02-29 2023-04-31 2023-11-31 2023-13-01 2023-00-10 2023-10-00 2023-1-01 \
             23-01-01 2023/01/01 2023-01-01T 2023-01-0١ 2023‐01‐01",
        ),
    );
}

#[test]
fn time() {
    check(
        "time",
        &words(
            "00:00:00Z 00:00:00z 23:59:59.999Z 12:00:00+00:00 12:00:00-00:00 12:00:00+14:00 \
             12:00:00.5-03:30 23:59:60Z 23:59:60.5z 11:59:60+12:00 12:14:60-11:45",
        ),
        &words(
            "12:00:00 12:00Z 1:00:00Z 24:00:00Z 12:60:00Z 12:00:60Z 23:59:60+12:00 12:00:00+1:00 \
             12:00:00+01:60 T12:00:00Z 12:00:00ZZ 12：00：00Z",
        ),
    );
}

#[test]
fn duration() {
    check(
        "duration",
        &words("P1Y P1Y1M P1Y1M1D P1M1DT1H P3D PT1H PT1H1M1S PT90S P1YT1S P0W P007D P18446744073709551616D"),
        &words(
            "P T PT 1D p1d P1 PD P1Y1D PT1H1S P1M1Y P1Y1Y P1W1D P1D1W P1H PT1D P1DT PT1.5S P-1D +P1D P１D",
        ),
    );
}

#[test]
fn email() {
    let good = [
        "a@b",
        "amy.lee+tag@example.com",
        "!#$%&'*+-/=?^_`{|}~@example.com",
        "\"\"@example.com",
        "\"amy lee\"@example.com",
        "\"a\\\"b\\\\c\"@example.com",
        "\"a@b\"@example.com",
        "amy@[192.0.2.1]",
        "amy@[IPv6:2001:db8::1]",
        "amy@[IPV6:::ffff:192.0.2.1]",
        "amy@1.2.3.4",
        "amy@xn--a",
    ];
    let bad = [
        "",
        "@",
        "amy",
        "amy@",
        "@example.com",
        "amy@@example.com",
        "amy lee@example.com",
        ".amy@example.com",
        "amy.@example.com",
        "amy..lee@example.com",
        "amy@example.com.",
        "amy@.example.com",
        "amy@exam_ple.com",
        "amy@-example.com",
        "\"amy\"lee@example.com",
        "\"amy@example.com",
        "\"am\u{7F}y\"@example.com",
        "amy@[192.0.2.256]",
        "amy@[2001:db8::1]",
        "amy@[IPv6:fe80::1%1]",
        "amy@[192.0.2.1",
        "amy@[tag:text]",
        "amy@[192.0.2.1].com",
        "Amy <amy@example.com>",
        "amy＠example.com",
    ];
    check("email", &good, &bad);
    check("email", &[], &["é@example.com", "amy@é.com", "\"é\"@example.com"]);
    check("idn-email", &good, &bad);
    check(
        "idn-email",
        &[
            "é@example.com",
            "amy@é.com",
            "\"é è\"@例え.jp",
            "用户@例子。中国",
            "נועה@דוגמה.קום",
            "😀@example.com",
        ],
        &[
            "é",
            "é@",
            "é@é..com",
            "é é@example.com",
            "é@☃.com",
            "\"\\é\"@example.com",
            "é@-é.com",
            "é@example.com。",
        ],
    );
}

#[test]
fn hostname() {
    let longest_label = "a".repeat(63);
    let longest = format!("{longest_label}.{longest_label}.{longest_label}.{}", "a".repeat(61));
    let too_long = format!("{longest}b");
    let long_label = format!("{longest_label}b.com");
    let good = [
        "a",
        "0",
        "localhost",
        "EXAMPLE.com",
        "3com.com",
        "192.0.2.a",
        "a-b--c---d",
        "ab--cd.example",
        "r4---sn-q4fl6n7s.example",
        "xn--mnchen-3ya.de",
        "XN--MNCHEN-3YA.DE",
        "xn--fa-hia.de",
        "xn--fiqs8s",
        "xn--4dbrk0ce",
        &longest_label,
        &longest,
    ];
    let bad = [
        "",
        ".",
        "a.",
        ".a",
        "a..b",
        "-a",
        "a-",
        "a.-b.c",
        "a_b",
        "a b",
        "a/b",
        "a:80",
        "[::1]",
        "*.example",
        // Dotted decimals are addresses: RFC 1123, section 2.1.
        "192.0.2.1",
        "xn--",
        "xn--a",
        "xn--mnchen-",
        // Snowman; capital Ü; a lone combining accent; Hebrew after Latin in one label; a digit first beside Hebrew.
        "xn--n3h",
        "xn--mnchen-psa",
        "xn--ksa",
        "xn--a-0hc",
        "0a.xn--4dbrk0ce",
        &too_long,
        &long_label,
    ];
    check("hostname", &good, &bad);
    check("hostname", &[], &["münchen.de", "a。b", "ａ.de"]);
    check("idn-hostname", &good, &bad);
}

#[test]
fn idn_hostname() {
    check(
        "idn-hostname",
        &[
            "münchen.de",
            "MÜNCHEN.DE",
            "mu\u{308}nchen.de",
            "faß.de",
            "βόλος.gr",
            "ａｂｃ.de",
            "例え。テスト",
            "例え．テスト｡jp",
            "soft\u{AD}hyphen",
            "col\u{B7}lega",
            "α\u{375}α",
            "צ׳ק",
            "צה״ל",
            "ア・イ",
            "漢・字",
            "नी\u{94D}\u{200D}",
            "می\u{200C}خواهم",
            "א1.com",
            "ا\u{661}",
            "\u{6F1}a",
            "ᏣᎳᎩ",
        ],
        &[
            "☃.net",
            "a\u{300}\u{20DD}",
            "\u{301}a",
            "ü-",
            "-ü",
            "üa--b",
            "xn--ü",
            "ü..de",
            "ü.",
            "a\u{B7}b",
            "l\u{B7}",
            "α\u{375}a",
            "a׳",
            "・",
            "a・b",
            "a\u{200D}b",
            "a\u{200C}b",
            "نی\u{200C}",
            "\u{200C}نی",
            "ا\u{661}\u{6F1}",
            "אa",
            "1א",
            "1a.א",
            "א\u{661}1",
            "ا\u{640}ا",
            "a…b",
            "a⒈b",
            "a\u{202E}b",
            "\u{E000}",
            "\u{378}",
            "\u{1100}\u{1161}\u{1161}",
            "ü\u{FFFD}",
            "\u{AD}",
        ],
    );
    // As an A-label the first has 63 octets and the second 64.
    let fits = format!("{}ü", "a".repeat(55));
    let too_long = format!("{}ü", "a".repeat(56));
    check("idn-hostname", &[&fits], &[&too_long]);
}

#[test]
fn addresses() {
    check(
        "ipv4",
        &words(
            "0.0.0.0 1.2.3.4 10.0.0.255 127.0.0.1 192.0.2.1 198.51.100.7 203.0.113.99 224.0.0.1 \
             249.250.251.252 255.255.255.255",
        ),
        &words(
            "1 1.2.3 1.2.3.4.5 1.2.3. .1.2.3 1..2.3 1.2.3.256 1.2.3.04 1.2.3.0x4 1.2.3.-4 1.2.3.4/32 \
             1.2.3.4:5 1.2.3.٤ 1。2。3。4",
        ),
    );
    check(
        "ipv6",
        &words(
            ":: ::1 1:: 1:2:3:4:5:6:7:8 1:2:3:4:5:6:7:: ::2:3:4:5:6:7:8 1::8 ABCD:ef01::0001 ::192.0.2.1 \
             1:2:3:4:5:6:192.0.2.1 64:ff9b::192.0.2.33",
        ),
        &words(
            ": ::: 1 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1:2:3:4:5:6:7:8:: ::1:: 1:2:3:4:5:6:7: \
             :1:2:3:4:5:6:7 ::12345 ::g ::192.0.2.01 192.0.2.1:: 1:2:3:4:5:6:7:192.0.2.1 fe80::1%eth0 \
             [::1] ::1/128 ::１",
        ),
    );
}

#[test]
fn uri() {
    let absolute = words(
        "a: a:b a+b-c.1: x:// x:///path x://h x://h: x://h:80 x://h:999999/ x://user:pass@h:1/p?q#f \
         x://[::1]:80/ x://[v7.anything:here]/ x://%41 x:a:b/@c//d x:?a=/b?c x:#/?:@ \
         urn:isbn:0451450523 data:,a%20b",
    );
    let relative = ["", "a", "/", "/a:b", "./a:b", "a/b:c", "//h/p", "//", "?q", "#f", "..", "a@b", "%41"];
    let bad = [
        ":",
        ":a",
        "1a:b",
        "a_b:c",
        "a b:c",
        "x:a b",
        "x:%",
        "x:%4",
        "x:%4g",
        "x:a#b#c",
        "x:[a]",
        "x:?[a]",
        "x://a@b@c",
        "x://h:8a",
        "x://h:1:2",
        "x://[::1",
        "x://[::1]a",
        "x://[1.2.3.4]",
        "x://[::1%25en0]",
        "x://[v.a]",
        "x://[vg.a]",
        "x://[v1.]",
        "x://a[b]",
        "x:\\a",
        "x:<a>",
        "x:a|b",
        "x:a^b",
        "x:`a`",
        "x:{a}",
        "x:\"a\"",
        "x:\u{7F}",
        "x:\0",
        "x:a\n",
    ];
    check("uri", &absolute, &bad);
    check("uri", &[], &relative);
    check("uri-reference", &absolute, &bad);
    check("uri-reference", &relative, &["a b", "1:2", "/%", "//[", "é"]);

    check("iri", &absolute, &bad);
    check("iri", &[], &relative);
    check("iri-reference", &absolute, &bad);
    check("iri-reference", &relative, &["a b", "é:2", "/%", "//["]);

    let beyond_ascii = [
        "x:é",
        "x://é",
        "x://é@è:1/ê?ë#ü",
        "x:?\u{E000}",
        "x:?\u{10FFFD}",
        "x:\u{1F600}",
        "x:\u{A0}",
        "x:\u{FFEF}",
        "x:\u{EFFFD}",
        "x:%C3%A9é",
    ];
    check("iri", &beyond_ascii, &[]);
    check("uri", &[], &beyond_ascii);
    check(
        "iri",
        &[],
        &[
            "é:x",
            "x:\u{9F}",
            "x:\u{E000}",
            "x:#\u{E000}",
            "x://\u{E000}",
            "x:\u{FDD0}",
            "x:\u{FFFD}",
            "x:\u{FFFE}",
            "x:\u{1FFFE}",
            "x:?\u{FFFFF}",
            "x:\u{E0020}",
            "x:\u{202E}",
            "x://h:١",
        ],
    );
}

#[test]
fn uri_template() {
    check(
        "uri-template",
        &words(
            "/a/b {a} {a}{b} {+a}{#b}{.c}{/d}{;e}{?f}{&g} {a,b,c} {a:1} {a:9999} {a*,b:2} {a.b.c_1} \
             {%C3%A9} {=a} {,a} {!a} {@a} {|a} /é/{a}/\u{E000} it's:[]@!$&()*+,;=?#~ %20{a}",
        ),
        &words(
            "{ } {} {a a} {{a}} {a{b}} {?} {??a} {a,} {,} {a,,b} {a-b} {a:} {a:0} {a:01} {a:10000} {a:b} \
             {a*:1} {a:1*} {a**} {.a.} {a%4} {é} {=} {!} {^a} % %4 <a> a\\b \u{FFFE}",
        ),
    );
    check("uri-template", &[], &["{ a}", "a b"]);
}

#[test]
fn pointers() {
    check(
        "json-pointer",
        &["", "/", "//", "/a", "/a/0/-", "/~0", "/~1", "/~01", "/é", "/\u{0}", "/#", "/%7E", "/a b\n"],
        &["a", "#", "#/a", " /a", "a/b", "/~", "/~2", "/~a", "/~~0", "/a~", "/~/", "0", "~0", "\u{FF0F}a"],
    );
    check(
        "relative-json-pointer",
        &[
            "0",
            "1",
            "10",
            "0#",
            "12#",
            "0/",
            "1/a/b",
            "0/~0~1",
            "0+1",
            "0-1/a",
            "1+10#",
            "99999999999999999999/a",
        ],
        &[
            "", "#", "/", "/a", "a", "-1", "+1", "00", "01/a", "0a", "0##", "0#/a", "0/~", "0/~2", "0+",
            "0-/a", "0+01", "0++1", "0 /a", " 0", "１/a",
        ],
    );
}

#[test]
fn uuid() {
    check(
        "uuid",
        &words(
            "00000000-0000-0000-0000-000000000000 ffffffff-ffff-ffff-ffff-ffffffffffff \
             FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF 01234567-89ab-cdef-0123-456789ABCDEF \
             c232ab00-9414-11ec-b3c8-9f6bdeced846 000003e8-9414-21ec-b300-325096b39f47 \
             5df41881-3aed-3515-88a7-2f4a814cf09e 919108f7-52d1-4320-9bac-f847db4148a8 \
             1ec9414c-232a-6b00-b3c8-9f6bdeced846 017f22e2-79b0-7cc3-98c4-dc0c0c07398f",
        ),
        &words(
            "- 0000000000000000000000000000000000000 00000000000000000000000000000000 \
             00000000-0000-0000-0000-00000000000 00000000-0000-0000-0000-0000000000000 \
             0000000-00000-0000-0000-000000000000 00000000_0000_0000_0000_000000000000 \
             0000000g-0000-0000-0000-000000000000 {0000000-0000-0000-0000-00000000000} \
             00000000-0000-0000-0000-0000000000é 00000000–0000–0000–0000–00000000",
        ),
    );
}

#[test]
fn regex() {
    let is_regex = format::check("regex").expect("the name is in the table");
    // The tests of `ecma` decide what a pattern is; this one only checks that the format calls it.
    assert!(is_regex(r"^(?<year>\d{4})-\k<year>$"));
    assert!(!is_regex("("));
}

/// A megabyte of each piece, alone and after a prefix that some grammars accept.
#[test]
fn long_texts_are_answered_quickly() {
    let mut pieces = words("a 1 - . / ~ ~0 %41 {a} { {a, : [ @ \" \\ P1D 1Y é א a. 。 xn--");
    pieces.extend(["\u{AD}", "\u{301}", "\u{200C}", "\u{FDFA}", "\u{1F600}"]);
    let starts = ["", "P", "\"", "x://"];
    for piece in pieces {
        let long = piece.repeat(1_000_000 / piece.len());
        for start in starts {
            let text = format!("{start}{long}");
            for name in NAMES.iter().filter(|&&name| name != "regex") {
                let check = format::check(name).expect("the name is in the table");
                let clock = Instant::now();
                check(&text);
                // The longest take some 20 ms. A check that takes the square of a megabyte is busy for minutes.
                assert!(clock.elapsed() < Duration::from_secs(5), "{name} of {start}{piece}{piece}…");
            }
        }
    }
}

/// Texts made at random from the pieces that the grammars are made of, and from odd Unicode.
#[test]
fn no_text_makes_a_check_panic() {
    let pieces = [
        "",
        "a",
        "Z",
        "0",
        "9",
        "60",
        "-",
        "--",
        "+",
        ".",
        ":",
        "::",
        "/",
        "//",
        "?",
        "#",
        "@",
        "%",
        "%41",
        "[",
        "]",
        "{",
        "}",
        "~",
        "~0",
        "\"",
        "\\",
        "P",
        "T",
        "Y",
        "D",
        "W",
        "xn--",
        "IPv6:",
        "2024-02-29",
        "12:00:00",
        "\0",
        "\n",
        "\u{7F}",
        "\u{80}",
        "é",
        "e\u{301}",
        "\u{301}",
        "ß",
        "ς",
        "İ",
        "ﬃ",
        "\u{FDFA}",
        "。",
        "l·l",
        "\u{375}",
        "א",
        "ا",
        "١",
        "۱",
        "\u{94D}",
        "\u{200C}",
        "\u{200D}",
        "\u{202E}",
        "・",
        "漢",
        "각",
        "\u{1161}",
        "\u{D7FF}",
        "\u{E000}",
        "\u{FDD0}",
        "\u{FFFF}",
        "\u{10000}",
        "😀",
        "\u{E0061}",
        "\u{10FFFF}",
    ];
    // A small generator of our own (xorshift), with the same texts each time.
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state % below as u64).expect("below a usize")
    };
    let checks: Vec<format::Check> = NAMES.iter().filter_map(|name| format::check(name)).collect();
    for _ in 0..30_000 {
        let count = next(10);
        let text: String = (0..count).map(|_| pieces[next(pieces.len())]).collect();
        for check in &checks {
            check(&text);
        }
    }
}

/// Formats that contain one another.
#[test]
fn wider_formats_take_what_narrower_ones_take() {
    let pairs = [
        ("hostname", "idn-hostname"),
        ("email", "idn-email"),
        ("uri", "iri"),
        ("uri", "uri-reference"),
        ("uri-reference", "iri-reference"),
        ("iri", "iri-reference"),
    ];
    let texts =
        ["a", "a.b", "xn--mnchen-3ya", "ab--cd", "A--B", "a@b", "a@xn--a", "x:y", "x://h", "/a", "é", "x:é"];
    for (narrow, wide) in pairs {
        let [narrow_check, wide_check] =
            [narrow, wide].map(|name| format::check(name).expect("in the table"));
        for text in texts {
            assert!(!narrow_check(text) || wide_check(text), "{text} is a {narrow} but no {wide}");
        }
    }
}
