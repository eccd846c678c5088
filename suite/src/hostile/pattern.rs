//! Patterns on which backtracking takes exponential time, patterns that need it, and patterns with
//! many states.

use super::{Attack, Dice, Family, object};
use serde_json::{Value, json};

pub(super) fn families() -> Vec<Family> {
    vec![catastrophic(), lookaround(), backreferences(), states(), classes(), engines()]
}

fn pattern(pattern: &str) -> Attack {
    Attack::new(json!({"pattern": pattern}))
}

/// Makes texts of a length: one that matches, and one that does not.
type Texts = fn(usize) -> (String, String);

/// Patterns that never end on a backtracking engine.
fn catastrophic() -> Family {
    let mut family = Family::new("catastrophic patterns");
    let letters: Texts = |length| ("a".repeat(length), "a".repeat(length) + "!");
    let cases: [(&str, Texts); 14] = [
        ("^(a+)+$", letters),
        ("^(a*)*$", letters),
        ("^(a|a)*$", letters),
        ("^(a|aa)+$", letters),
        ("^((a+)+)+$", letters),
        ("^(([a-z])+.)+[A-Z]([a-z])+$", |length| ("ab".repeat(length / 2) + "Xyz", "ab".repeat(length / 2))),
        ("(.*)*x$", |length| ("a".repeat(length) + "x", "a".repeat(length))),
        ("(x+x+)+y", |length| ("x".repeat(length) + "y", "x".repeat(length))),
        ("^(\\w+\\s?)*$", |length| ("word ".repeat(length / 5), "word ".repeat(length / 5) + "!")),
        ("^(.+)+@(.+)+$", |length| ("a".repeat(length) + "@b", "a".repeat(length))),
        ("^(?:.*,){11}P", |length| (",".repeat(length) + "P", ",".repeat(length))),
        ("\\s+$", |length| ("x".to_owned() + &" ".repeat(length), " ".repeat(length) + "x")),
        ("^(a|b|ab|ba)*c$", |length| ("ab".repeat(length / 2) + "c", "ab".repeat(length / 2))),
        ("^(?:(?:a*)*b?)*c$", |length| ("ab".repeat(length / 2) + "c", "ab".repeat(length / 2))),
    ];
    for (text, texts) in cases {
        family.add(text, 12, 20_000, move |length| {
            let (good, bad) = texts(length);
            pattern(text).valid(good).invalid(bad)
        });
    }
    family.add("(a|b)*a(a|b){15}$", 20, 10_000, |length| {
        // A deterministic automaton has 2¹⁶ states. The 16th letter from the end decides.
        let mut dice = Dice(7);
        let mut letters: Vec<u8> = (0..length).map(|_| b"ab"[dice.below(2)]).collect();
        letters[length - 16] = b'a';
        let good = String::from_utf8_lossy(&letters).into_owned();
        letters[length - 16] = b'b';
        let bad = String::from_utf8_lossy(&letters).into_owned();
        pattern("(a|b)*a(a|b){15}$").valid(good).invalid(bad)
    });
    family.add("(?:a?){n}a{n}", 5, 200, |count| {
        pattern(&format!("^(?:a?){{{count}}}a{{{count}}}$"))
            .valid("a".repeat(count))
            .valid("a".repeat(2 * count))
            .invalid("a".repeat(count - 1))
    });
    family.add("names that match ^(a+)+$", 12, 500, |count| {
        let names =
            |end: &str| object((1..=count).map(|length| (format!("{}{end}", "a".repeat(length)), 1.into())));
        Attack::new(json!({"propertyNames": {"pattern": "^(a+)+$"}})).valid(names("")).invalid(names("!"))
    });
    family
}

/// Patterns with lookaround: beyond a plain automaton, and still decidable in polynomial time.
fn lookaround() -> Family {
    let mut family = Family::new("lookaround");
    let cases: [(&str, usize, Texts); 8] = [
        ("^(?=.*[0-9])(?=.*[a-z]).{8,}$", 10_000, |length| ("a".repeat(length) + "1", "a".repeat(length))),
        ("^(?!.*(a+)+b$)a+", 10_000, |length| ("a".repeat(length), "a".repeat(length) + "b")),
        ("(?<!x)y", 10_000, |length| ("x".repeat(length) + "zy", "x".repeat(length) + "y")),
        ("(?<=a)b$", 10_000, |length| ("ab".repeat(length / 2), "ab".repeat(length / 2) + "b")),
        ("^(?:(?!--).)*$", 5_000, |length| ("-a".repeat(length / 2), "-a".repeat(length / 2) + "--")),
        ("^((?=a)a+)+$", 1_000, |length| ("a".repeat(length), "a".repeat(length) + "!")),
        ("^(?:(?=a|b)(a|b|ab))*$", 1_000, |length| ("ab".repeat(length / 2), "ab".repeat(length / 2) + "!")),
        ("(?=(x+x+)+y)x", 10_000, |length| ("x".repeat(length) + "y", "x".repeat(length))),
    ];
    for (text, full, texts) in cases {
        family.add(text, 12, full, move |length| {
            let (good, bad) = texts(length);
            pattern(text).valid(good).invalid(bad)
        });
    }
    family
}

/// Patterns with backreferences, for which matching is NP-hard.
fn backreferences() -> Family {
    let mut family = Family::new("backreferences");
    let cases: [(&str, Texts); 5] = [
        ("^(a+)\\1$", |length| ("a".repeat(2 * length), "a".repeat(2 * length + 1))),
        ("^(a*)(a*)(a*)\\1\\2\\3b$", |length| ("a".repeat(2 * length) + "b", "a".repeat(2 * length))),
        ("^(a+)+\\1b$", |length| ("a".repeat(length) + "b", "a".repeat(length))),
        ("^(a|ab)(c|bcd)(d*)\\1\\2\\3$", |length| {
            let tail = "d".repeat(length);
            (format!("abc{tail}abc{tail}"), format!("abc{tail}abc{tail}d"))
        }),
        // No number above 1 has a divisor: the length is prime.
        ("^(?!(aa+)\\1+$)aa+$", |length| {
            let is_prime = |n: usize| n > 1 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d));
            let prime = (length..).find(|&n| is_prime(n)).unwrap_or(2);
            ("a".repeat(prime), "a".repeat(2 * length))
        }),
    ];
    for (text, texts) in cases {
        family.add(text, 6, 600, move |length| {
            let (good, bad) = texts(length);
            pattern(text).valid(good).invalid(bad).hard()
        });
    }
    family
}

/// Small patterns that need large automata.
fn states() -> Family {
    let mut family = Family::new("pattern size bombs");
    family.add("a million states", 3, 1_000, |count| {
        let attack = pattern(&format!("^(a{{{count}}}){{{count}}}$")).invalid("aaa").beyond("pattern_size");
        if count <= 3 { attack.valid("a".repeat(count * count)) } else { attack }
    });
    family.add("a billion states", 2, 10, |count| {
        let mut text = String::from("a");
        for _ in 0..9 {
            text = format!("(?:{text}){{1,{count}}}");
        }
        pattern(&format!("^{text}$")).valid("aaa").invalid("aab").beyond("pattern_size")
    });
    family.add("25,000 states on 20,000 letters", 100, 20_000, |length| {
        pattern("^(?:[a-z]{1,500}){1,50}$").valid("a".repeat(length)).invalid("a".repeat(length) + "1")
    });
    family.add("10,000 states in a row", 5, 10_000, |count| {
        pattern(&format!("^.{{0,{count}}}$")).valid("x".repeat(count)).invalid("x".repeat(count + 1))
    });
    family.add("a repetition of nothing", 10, 1_000_000, |count| {
        pattern(&format!("^(?:){{{count}}}x$")).valid("x").invalid("y").beyond("pattern_size")
    });
    family.add("groups in groups", 5, 5_000, |count| {
        pattern(&format!("^{}a{}$", "(".repeat(count), ")".repeat(count)))
            .valid("a")
            .invalid("b")
            .beyond("pattern_size")
    });
    family.add("200 groups in groups", 5, 200, |count| {
        pattern(&format!("^{}a{}$", "(?:".repeat(count), ")".repeat(count))).valid("a").invalid("b")
    });
    family.add("counts in counts", 5, 127, |count| {
        let text = |labels: usize| "a.".repeat(labels) + "b";
        pattern(&format!("^(?!.*://)(?=.{{1,255}}$)((.{{1,63}}\\.){{1,{count}}}[a-z]{{1,63}})$"))
            .valid(text(count))
            .invalid(text(count) + &".".repeat(256))
    });
    for (title, full) in [("2,000", 2_000), ("9,000", 9_000)] {
        family.add(format!("{title} words, anywhere"), 5, full, |count| {
            let words: Vec<String> = (0..count).map(|index| format!("word{index}x")).collect();
            pattern(&words.join("|"))
                .valid(format!("{}word{}x", "word-".repeat(100), count - 1))
                .invalid(format!("{}word{count}x", "word-".repeat(100)))
        });
    }
    family.add("2,000 words", 5, 2_000, |count| {
        let words: Vec<String> = (0..count).map(|index| format!("w{index}x")).collect();
        pattern(&format!("^(?:{})$", words.join("|")))
            .valid(format!("w{}x", count - 1))
            .invalid(format!("w{count}x"))
    });
    family.add("2,000 words, anywhere in a long text", 5, 2_000, |count| {
        let words: Vec<String> = (0..count).map(|index| format!("w{index}x")).collect();
        let text = |last: usize| format!("{}w{last}x", "w-".repeat(5 * count));
        pattern(&words.join("|")).valid(text(count - 1)).invalid(text(count))
    });
    for (title, full, limit) in [("300 patterns", 300, None), ("5,000 patterns", 5_000, Some("pattern_size"))]
    {
        family.add(format!("{title} of 100 states"), 3, full, move |count| {
            let patterns = (0..count).map(|index| json!({"pattern": format!("^p{index}x[a-z]{{100}}$")}));
            let text = |index: usize| format!("p{index}x{}", "q".repeat(100));
            let attack = Attack::new(json!({"anyOf": patterns.collect::<Vec<Value>>()}))
                .valid(text(count - 1))
                .invalid(text(count));
            match limit {
                Some(limit) => attack.beyond(limit),
                None => attack,
            }
        });
    }
    family
}

/// Patterns with Unicode classes, which have thousands of ranges.
fn classes() -> Family {
    let mut family = Family::new("unicode classes");
    for (title, full, limit) in [("20 letters", 20, None), ("1,000 letters", 1_000, Some("pattern_size"))] {
        family.add(format!("\\p{{L}} for {title}"), 3, full, move |count| {
            let attack = pattern(&format!("^\\p{{L}}{{{count}}}$"))
                .valid("ж".repeat(count))
                .invalid("ж".repeat(count - 1) + "1");
            match limit {
                Some(limit) => attack.beyond(limit),
                None => attack,
            }
        });
    }
    family.add("\\p{L} on a long text", 10, 50_000, |length| {
        pattern("^\\p{L}+$").valid("жa漢".repeat(length / 3)).invalid("жa漢".repeat(length / 3) + "-")
    });
    family.add("[\\s\\S] and \\W", 10, 20_000, |length| {
        pattern("^[\\s\\S]*[^\\w\\W]?[\\W]$")
            .valid("a".repeat(length) + "ж")
            .invalid("ж".repeat(length) + "a")
    });
    family.add("2,000 ranges", 5, 2_000, |count| {
        // Every other character, from U+4E00 on.
        let at = |index: usize| char::from_u32(0x4E00 + 2 * index as u32).unwrap_or('?');
        let ranges: String = (0..count).map(at).collect();
        let between = char::from_u32(0x4E01).unwrap_or('?');
        pattern(&format!("^[{ranges}]{{3}}$"))
            .valid(at(count - 1).to_string().repeat(3))
            .invalid(between.to_string().repeat(3))
    });
    family.add("20 classes that overlap", 5, 20, |count| {
        let pattern = (0..count).map(|index| match index % 4 {
            0 => "\\p{L}*",
            1 => "[\\p{L}\\p{N}]*",
            2 => "\\w*",
            _ => "[^\\p{P}]*",
        });
        let pattern: String = pattern.collect();
        Attack::new(json!({"pattern": format!("^{pattern}$")}))
            .valid("жa1".repeat(50 * count))
            .invalid("жa1".repeat(50 * count) + "!")
    });
    family
}

/// Patterns whose engines take long to build, many of them in one schema.
fn engines() -> Family {
    let mut family = Family::new("engines of patterns");
    family.add("29 properties before a thousand letters", 3, 29, |count| {
        let patterns =
            (0..count).map(|index| json!({"pattern": format!("\\P{{Lu}}[a-z]{{{}}}{index}", 970 + index)}));
        Attack::new(json!({"anyOf": patterns.collect::<Vec<Value>>()}))
            .valid(format!("-{}{}", "z".repeat(970 + count - 1), count - 1))
            .invalid("ab")
    });
    family.add("1,500 of 2,048 states", 3, 1_500, |count| {
        let patterns = (0..count).map(|index| json!({"pattern": format!("[ab]*a[ab]{{10}}c{index}$")}));
        Attack::new(json!({"anyOf": patterns.collect::<Vec<Value>>()}))
            .valid(format!("abababababababababac{}", count - 1))
            .invalid("abab")
    });
    family.add("1,000 products of words", 3, 1_000, |count| {
        let names = (0..count).map(|index| (format!("^({}){index}$", "(a|b)".repeat(14)), json!(false)));
        Attack::new(json!({"patternProperties": object(names)}))
            .valid(json!({"abababababababx": 1}))
            .invalid(json!({format!("ababababababab{}", count - 1): 1}))
    });
    family.add("1,000 products of tables", 3, 1_000, |count| {
        let patterns = (0..count).map(|index| {
            json!({"pattern": format!("^(?=.*a.{{7}}b{index})(?=.*c.{{7}}d)(?!.*e.{{7}}f)[a-z0-9]+$")})
        });
        Attack::new(json!({"anyOf": patterns.collect::<Vec<Value>>()}))
            .valid(format!("axxxxxxxb{}cxxxxxxxd", count - 1))
            .invalid("axxxxxxxbcxxxxxxxd")
    });
    family.add("300 properties", 3, 300, |count| {
        let patterns =
            (0..count).map(|index| json!({"pattern": format!("^\\p{{L}}+[^\\p{{Lu}}\\p{{P}}]{index}\\b")}));
        Attack::new(json!({"anyOf": patterns.collect::<Vec<Value>>()}))
            .valid(format!("жж{}", count - 1))
            .invalid("ж")
    });
    family.add("names that match the last of 1,000 patterns", 6, 1_000, |count| {
        let patterns = (0..count).map(|index| match index + 1 {
            last if last == count => json!({"pattern": "^name"}),
            _ => json!({"pattern": format!("^p{index}_[a-z]+$")}),
        });
        let names =
            |first: &str| object((0..5 * count).map(|index| (format!("{first}{index}"), index.into())));
        Attack::new(json!({"propertyNames": {"anyOf": patterns.collect::<Vec<Value>>()}}))
            .valid(names("name"))
            .invalid(names("nome"))
    });
    family.add("1,200 patterns with one definition", 6, 1_200, |count| {
        let patterns = (0..count).map(|index| (format!("^.*[a-z]|{index}"), json!({"$ref": "#/$defs/d"})));
        let members = |value: Value| object((0..count).map(|index| (format!("name{index}"), value.clone())));
        Attack::new(json!({"$defs": {"d": {"type": "integer"}}, "patternProperties": object(patterns)}))
            .valid(members(1.into()))
            .invalid(members("one".into()))
    });
    family
}
