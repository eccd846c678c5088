//! The engines agree with each other, on patterns and texts that are made to find differences.
//!
//! The matcher says what is right. Tests of its own compare it with other implementations.

use super::*;

/// Numbers that are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn of<T: Clone>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())].clone()
    }
}

/// Which engines a pattern has.
struct Engines {
    simple: bool,
    always: bool,
    table: bool,
    single_class: bool,
}

/// As much work as a schema with a single pattern may do.
fn work() -> Work {
    Work::new(work::share(1))
}

fn engine(source: &str) -> Engine {
    Engine::of(source, work::share(1))
}

/// Checks the engines of a regular pattern on each text.
#[track_caller]
fn check(source: &str, texts: &[String]) -> Engines {
    let syntax = ecma::Pattern::parse(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    assert!(syntax.is_regular(), "{source}");
    let oracle = ecma::Matcher::new(&syntax);
    let simple = || Simple::new(syntax.ast(), &mut work());
    let table = Table::new(syntax.ast(), &mut work());
    let determined = syntax.program(MAX_STEPS).and_then(|program| determine(&program, &mut work()));
    let single_class = simple().and_then(|simple| SingleClass::of(simple).ok());
    let found = Engines {
        simple: simple().is_some(),
        always: matches!(simple(), Some(Simple::Always)),
        single_class: single_class.is_some(),
        table: table.is_some(),
    };
    let tables = [table, determined].into_iter().flatten().map(|table| Engine::Table(Box::new(table)));
    let single_class = single_class.map(|class| Engine::SingleClass(Box::new(class)));
    let engines: Vec<Engine> = tables.chain(simple().map(Engine::Simple)).chain(single_class).collect();
    let (base, by_byte) = Pattern::new(source, &syntax).worst_case();
    for text in texts {
        let expected = oracle.is_match(text, &mut Budget::for_schema()).expect("within the budget");
        for engine in &engines {
            let mut budget = Budget::for_schema();
            let before = budget.steps_left();
            assert_eq!(
                engine.is_match(&mut budget, text),
                Ok(expected),
                "{source:?} on {text:?}: {engine:?}"
            );
            let spent = before - budget.steps_left();
            assert!(spent <= base + by_byte * text.len() as u64, "{source:?} on {text:?} takes {spent}");
        }
    }
    found
}

/// A text that is likely to match.
fn sample(random: &mut Random, ast: &ecma::Ast, text: &mut String) {
    use ecma::Ast;
    match ast {
        Ast::Empty | Ast::Assertion(_) | Ast::Look(_) | Ast::Backreference(_) => {}
        Ast::Literal(literal) => text.push_str(literal),
        Ast::Class(class) if class.ranges().is_empty() => text.push('é'),
        Ast::Class(class) => {
            let (start, end) = random.of(class.ranges());
            let point =
                u32::from(start) + random.below((u32::from(end) - u32::from(start) + 1) as usize) as u32;
            let ascii = u32::from(start).max(0x20) + random.below(0x5f) as u32;
            let c = [point, ascii, u32::from(start), u32::from(end)][random.below(4)];
            text.push(char::from_u32(c).unwrap_or(start));
        }
        Ast::Group(group) => sample(random, &group.body, text),
        Ast::Repeat(repeat) => {
            let most = repeat.max.unwrap_or(u32::MAX).min(repeat.min + 3);
            let count = repeat.min as usize + random.below((most - repeat.min) as usize + 1);
            (0..count).for_each(|_| sample(random, &repeat.body, text));
        }
        Ast::Concat(items) => items.iter().for_each(|item| sample(random, item, text)),
        Ast::Alternate(branches) => {
            let branch = random.below(branches.len());
            sample(random, &branches[branch], text);
        }
    }
}

/// The text with a character more, less, or another one.
fn mutate(random: &mut Random, text: &str) -> String {
    const OTHERS: [char; 14] =
        ['a', 'Z', '0', '-', '.', ' ', '\n', '\r', '\u{2028}', '\u{2029}', 'é', '\u{feff}', '\u{ffff}', '😀'];
    let mut characters: Vec<char> = text.chars().collect();
    let at = random.below(characters.len() + 1);
    let other = if characters.is_empty() || random.below(2) == 0 {
        random.of(&OTHERS)
    } else {
        random.of(&characters)
    };
    match random.below(3) {
        0 => characters.insert(at, other),
        1 if at < characters.len() => characters[at] = other,
        _ if at < characters.len() => drop(characters.remove(at)),
        _ => characters.push(other),
    }
    characters.into_iter().collect()
}

fn texts_for(random: &mut Random, source: &str) -> Vec<String> {
    let syntax = ecma::Pattern::parse(source).expect("a pattern");
    let mut texts: Vec<String> =
        ["", "\n", "a\u{2028}b", "\u{2029}", "é", "a", "😀", "-", "ab", "A1"].map(str::to_owned).into();
    for _ in 0..60 {
        let mut text = String::new();
        sample(random, syntax.ast(), &mut text);
        for _ in 0..3 {
            texts.push(text.clone());
            text = mutate(random, &text);
        }
        texts.push(format!("{text}{}", random.of(&texts)));
    }
    texts
}

const SMALL: &[&str] = &[
    "",
    "^",
    "$",
    "^$",
    ".*",
    "^.*",
    "^.*$",
    ".+",
    "^.+$",
    ".",
    r"[\s\S]*",
    r"^[\s\S]*$",
    "[^]",
    "^[^]$",
    "[]",
    "^[]*$",
    "a",
    "abc",
    "^abc",
    "abc$",
    "^abc$",
    "é$",
    "^x-",
    r"\.json$",
    ".*json$",
    "(?:a|b)+",
    "^(a|b|c)$",
    "^(|a|ab)$",
    "^(GET|POST|PUT|PATCH|DELETE)$",
    "^(GET|POST|PUT)(,(GET|POST|PUT))*$",
    "^(cat|category|dog)s?$",
    "^(cat|category|dog)-[0-9]$",
    "^(user|team):.+$",
    "^(timestamp|duration):(asc|desc)$",
    "^[a-z][a-z0-9-]*$",
    r"^[A-Z]{2,3}-\d+$",
    r"^\S+$",
    r"^\s*$",
    r"\S",
    r"^\w+$",
    "^#[0-9a-fA-F]{6}$",
    r"^\d{4}-\d{2}-\d{2}$",
    r"^(\d{3}-){2}\d{4}$",
    r"^v?\d+(\.\d+){0,2}$",
    "^([a-z][a-z0-9]{0,9})(\\.[a-z][a-z0-9]{0,9})*$",
    "^[^,]+(,[^,]+)*$",
    r"^[\u0100-\u{1F600}]{1,3}$",
    r"^[\uD800-\uDFFF]*$",
    r"^\uD83D$",
    r"^\uD83D\uDE00+$",
    r"^[\uD83D\uDE00]?a$",
    "^a{0}$",
    "^a{2}?b{1,}?$",
    "^([t|T][o|O][p|P])|([m|M][i|I][d|D])|([e|E][n|N][d|D])$",
    "^(!?[-\\w\\s]+)|(\\*)$",
    "(^[0-9]+\\.[0-9]+$)|(^\\{[A-F0-9]{8}(-[A-F0-9]{4}){3}\\}$)",
    "^[0-9]{4,}-(0[1-9]|1[012])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]([.][0-9]{1,12})?(Z|[+-][0-9][0-9]:[0-9][0-9])$",
    "^([Ee][Ss]([356]|(20(1[56789]|2[0123]))|[Nn][Ee][Xx][Tt]))$",
    "^(?:@[0-9a-z-_.]+/)?[a-z][0-9a-z-_.]*$",
    r"^\S+\s\S+$",
    "^[a-z]+[a-z0-9]$",
    "^.*json$",
    "^(a|ab)(c|bcd)x?$",
    r"^([a-z]+\.)*[a-z]+$",
    "^(a*)*$",
    "^(a?){3}$",
    r"\{.*\}",
    "(x[a-z]*y){2}",
    "^(a|b*)+c?$",
    "^(?:(?:){9}){9}a$",
    "^(GET|POST|PUT|PATCH){1,3}$|^[0-9a-f]{12}",
    "^.{3,7}$",
    "[ab]{10}",
];

/// Patterns with few positions become tables, whatever is in them.
#[test]
fn small_patterns_are_tables() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for source in SMALL {
        let engines = check(source, &texts_for(&mut random, source));
        assert!(engines.table || engines.always, "{source:?} is no table");
    }
}

#[test]
fn simple_patterns_need_no_states() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for source in [
        "",
        "^",
        "$",
        ".*",
        "^.*",
        "x*$",
        r"[\s\S]*",
        "^x-",
        "é$",
        "^abc$",
        "^(cat|dog)s?$",
        "^(|a|ab)$",
        "^.{1,2000}$",
        r"^[A-Za-z0-9+/]{1,4000}={0,2}$",
        r"^arn:aws:[^:]{1,300}:\d+(?:)",
        "^é{300}a{2,}",
        r"^(?:[a-z])+_\p{L}{0,20}$",
        r"^[\uD800-\uDFFF]*$",
        r"^\p{Lu}[^\p{L}]*$",
        "^a{2}?b{1,}?$",
        "^a{0}b?$",
    ] {
        let engines = check(source, &texts_for(&mut random, source));
        assert!(engines.simple, "{source:?} is not simple");
    }
}

/// Patterns that are not simple: the next character does not show whether a row goes on, or there is more than rows.
#[test]
fn other_patterns_have_states() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for source in [
        "^[a-z]+[a-z0-9]$",
        "^.*json$",
        "json",
        "^a?(b|c)",
        "^(ab)*$",
        r"^\S+\s\S+$",
        r"\bfoo",
        r"^a\Bb$",
        "(^|,)a",
        "a(b|$)",
    ] {
        let engines = check(source, &texts_for(&mut random, source));
        assert!(!engines.simple, "{source:?} is simple");
    }
}

/// A pattern over `a`, `b` and `é`.
fn make(random: &mut Random, depth: usize, source: &mut String) {
    for _ in 0..1 + random.below(3) {
        match random.below(if depth == 0 { 8 } else { 11 }) {
            0..=2 => source.push_str(random.of(&["a", "b", "ab", "é", "\\u2028"])),
            3..=7 => {
                source.push_str(random.of(&["[ab]", "[^a]", "[bé]", ".", "[^é]", "\\s", "\\w", "[a-a]"]))
            }
            _ => {
                source.push('(');
                make(random, depth - 1, source);
                while random.below(2) == 0 {
                    source.push('|');
                    make(random, depth - 1, source);
                }
                source.push(')');
            }
        }
        source.push_str(random.of(&["", "", "", "*", "+", "?", "{2}", "{1,2}", "{2,}", "{0}"]));
    }
}

fn short_texts(letters: &[&str], length: usize) -> Vec<String> {
    let mut texts = vec![String::new()];
    let mut from = 0;
    for _ in 0..length {
        let longer: Vec<String> = texts[from..]
            .iter()
            .flat_map(|text| letters.iter().map(move |letter| format!("{text}{letter}")))
            .collect();
        from = texts.len();
        texts.extend(longer);
    }
    texts
}

#[test]
fn random_patterns_on_all_short_texts() {
    let texts = short_texts(&["a", "b", "é", "\u{2028}"], 5);
    let mut random = Random(0x1234_5678_9abc_dea7);
    for _ in 0..600 {
        let mut source = String::new();
        source.push_str(if random.below(4) > 0 { "^" } else { "" });
        make(&mut random, 2, &mut source);
        source.push_str(if random.below(4) > 0 { "$" } else { "" });
        check(&source, &texts);
    }
}

#[test]
fn patterns_of_one_set_look_at_every_character() {
    let mut texts = Vec::new();
    for len in 0..=20 {
        for place in 0..len {
            for other in ["b", "A", "7", "@", "\n", "é", "\u{2028}"] {
                texts.push(format!("{}{other}{}", "a".repeat(place), "a".repeat(len - place - 1)));
            }
        }
        texts.extend([&"a".repeat(len), "é"].map(|text| text.repeat(len.min(3))));
    }
    for source in [
        "^[a-z]+$",
        "^[a-z]*$",
        "^(?:.)+$",
        "^.{3}$",
        "^[0-9a-f]{8,16}$",
        r"^[^@\s]{2,}$",
        "^[aé]*$",
        "^\\w+$",
        r"^\p{L}+$",
        r"^[^\p{L}\P{Nd}]*$",
    ] {
        assert!(check(source, &texts).single_class, "{source:?}");
        assert!(matches!(engine(source), Engine::SingleClass(_)), "{source:?}");
    }
    for source in ["^a$", "^[a-z]+", "[a-z]+$", "^[a-z]+[0-9]$", "^[a-z]+|b$"] {
        assert!(!check(source, &texts).single_class, "{source:?}");
    }
}

/// Rounds of nothing, and rounds of rounds, are not all gone through.
#[test]
fn large_patterns_are_left_to_the_matcher_soon() {
    for source in
        ["^((((((){99}){99}){99}){99}){99}){99}a$", "^((((a{99}){99}){99}){99}){99}$", "^(a|bc|d){999}$"]
    {
        let syntax = ecma::Pattern::parse(source).expect("a pattern");
        assert!(Table::new(syntax.ast(), &mut work()).is_none(), "{source}");
        assert!(
            syntax.program(MAX_STEPS).is_none_or(|program| determine(&program, &mut work()).is_none()),
            "{source}"
        );
    }
    // As many states as there are sets of the last positions.
    for source in ["(a|b)*a(a|b){14}$", r"\P{Lu}[a-z]{1000}7"] {
        assert_eq!(kinds(&engine(source)), "matcher", "{source}");
    }
}

/// For a pattern among very many, only work that is linear in the source is done.
#[test]
fn one_of_many_patterns_has_little_work() {
    let with = |source: &str, patterns: usize| {
        kinds(&Engine::of(source, work::linear(source) + work::share(patterns)))
    };
    for (source, few, many) in [
        ("^x-", "simple", "simple"),
        ("^[a-z]+$", "single class", "single class"),
        ("^[a-z]+-[0-9]+$", "table", "table"),
        ("[ab]*a[ab]{8}c", "table", "matcher"),
        (r"^\p{L}+\p{N}+$", "table", "matcher"),
        ("^(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)(a|b)$", "table", "matcher"),
    ] {
        assert_eq!((with(source, 1).as_str(), with(source, 2_000).as_str()), (few, many), "{source}");
    }
    let words = (0..9_000).map(|n| format!("word{n}")).collect::<Vec<_>>().join("|");
    assert_eq!(with(&format!("^(?:{words})$"), 1), "simple");
}

/// Tables that positions do not express.
#[test]
fn places_inside_of_patterns() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for source in [
        r"\bfoo\b",
        r"\b\d{13}\b",
        r"^(\d+px|\d+%$)",
        r"a\Bb|\Bé",
        "(^|,)a(,|$)",
        r"^(?:\b|x)\w+(?:$|\B.)",
        r"\p{Lu}\p{Ll}+\b",
        r"^$|^\b",
        "^([0-9A-Fa-f]{1,4}(:[0-9A-Fa-f]{1,4}){7}|:(:[0-9A-Fa-f]{1,4}){1,7}|([0-9A-Fa-f]{1,4}:){1,7}:|::|([0-9A-Fa-f]{1,4}:){1}(:[0-9A-Fa-f]{1,4}){1,6})$",
    ] {
        check(source, &texts_for(&mut random, source));
        assert_eq!(kinds(&engine(source)), "table", "{source:?}");
    }
}

/// Checks a pattern with lookaround against the matcher. Whether it needed none.
#[track_caller]
fn check_look(source: &str, texts: &[String]) -> bool {
    let syntax = ecma::Pattern::parse(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    let Some(parts) = syntax.split() else { return false };
    let engine = Engine::from_parts(&parts, &mut work());
    let apart = Parts::new(&parts, &mut work());
    let oracle = ecma::Matcher::new(&syntax);
    let (base, per_byte) = Pattern::new(source, &syntax).worst_case();
    for text in texts {
        let mut budget = Budget::for_schema();
        let found = engine.is_match(&mut budget, text).expect("within the budget");
        let before = budget.steps_left();
        assert_eq!(
            apart.is_match(&mut budget, text).expect("within the budget"),
            found,
            "{source:?} on {text:?}"
        );
        let spent = before - budget.steps_left();
        assert!(spent <= base + per_byte * text.len() as u64, "{source:?} on {text:?} takes {spent}");
        let expected = oracle.is_match(text, &mut Budget::for_schema()).expect("within the budget");
        assert_eq!(found, expected, "{source:?} on {text:?}: {parts:#?}");
    }
    true
}

/// The lookaround of real schemas, and of patterns that are often copied; with their engines.
const LOOKS: &[(&str, &str)] = &[
    (r"^(?=[^!*,;{}[\]~\n]+$)(?=(.*\w)).+$", "table"),
    (r"^(?=!+[^!*,;{}[\]~\n]+$)(?=(.*\w)).+$", "table"),
    (r"^((\.(?!\.)\/)?\w+\/?)+$", "table"),
    (r"^(?=.*[a-z])(?=.*[A-Z])(?=.*\d).{8,}$", "table"),
    (r"^(?=.*[A-Za-z])(?=.*\d)(?=.*[@$!%*#?&])[A-Za-z\d@$!%*#?&]{8,255}$", "(and table table table table)"),
    (
        r"(?=^.{8,}$)((?=.*\d)|(?=.*\W+))(?![.\n])(?=.*[A-Z])(?=.*[a-z]).*$",
        "(and table (or (and table table table table) (and table table table table)))",
    ),
    (r"^(?!-)[a-z0-9-]+(?<!-)$", "table"),
    (r"^(?!-)[A-Za-z0-9-]{1,63}(?<!-)(\.[a-z]{2,})?$", "table"),
    (r"^(?!.*\.\.)[\w.]+$", "table"),
    (r"^(?!.*\.\.)(?!.*\.$)[^\W][\w.]{0,29}$", "table"),
    ("^(?!xml)[a-z]+$", "(and (not simple) table)"),
    ("^(?!(?:con|prn|aux)$)[a-z]+$", "table"),
    ("^(?!con$|prn$)[a-z]+$", "table"),
    ("^(?!con$)(?!.*[- ]$).+", "(and (not simple) (not table) table)"),
    (r"^(?!\s*$).+", "table"),
    (r"^(?!\s)[\s\S]*(?<!\s)$", "table"),
    ("^(?! ).*[^ ]$", "table"),
    ("^(?!$)[a-z]*$", "table"),
    ("^(?:(?=a)[ab]+|c)$", "table"),
    ("^(?!a)b|^c", "table"),
    ("^(?!B)(C)$", "simple"),
    ("^((?!foo).)*$", "table"),
    ("^(?:(?!--)[a-z-])+$", "table"),
    ("^(?!.*(foo|bar)).*$", "table"),
    (r"^\$(?!\{)", "(and simple (not table))"),
    ("foo(?=bar)", "table"),
    ("foo(?=bar$)", "table"),
    ("foo(?!-)", "(or table simple)"),
    ("(?<=foo)bar", "table"),
    (r"^/(?!/)[^\s]*$", "table"),
    (r"^(?!/)(?!.*//)[a-z/]+(?<!/)$", "table"),
    (r"^[^/]+(?:/(?!/)[^/]+)*$", "table"),
    (r"^(?!0+$)\d{1,4}$", "table"),
    (r"^(?:(?!-)[A-Za-z0-9-]{1,63}(?<!-)\.)+[A-Za-z]{2,6}$", "table"),
    (r"^[a-z\d](?:[a-z\d]|-(?=[a-z\d])){0,38}$", "matcher"),
    ("(?<![a-z])foo(?![a-z])", "(or (or table table) (and simple (not table)))"),
    ("^[a-z]+(?:-[a-z]+)*(?<!-dev)$", "(and (not simple) table)"),
    (r"^(?!000|666)[0-8]\d{2}-(?!00)\d{2}-(?!0000)\d{4}$", "table"),
];

/// Which engines there are.
fn kinds(engine: &Engine) -> String {
    match engine {
        Engine::Simple(_) => "simple".into(),
        Engine::SingleClass(_) => "single class".into(),
        Engine::Table(_) => "table".into(),
        Engine::Matcher(_) => "matcher".into(),
        Engine::Any(_) => "any".into(),
        Engine::Parts(parts) => of_parts(parts),
    }
}

fn of_parts(parts: &Parts) -> String {
    let list = |parts: &[Parts]| parts.iter().map(of_parts).collect::<Vec<_>>().join(" ");
    match parts {
        Parts::One(engine) => kinds(engine),
        Parts::Not(part) => format!("(not {})", of_parts(part)),
        Parts::All(parts) => format!("(and {})", list(parts)),
        Parts::Any(parts) => format!("(or {})", list(parts)),
    }
}

#[test]
fn lookaround_of_real_patterns() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for (source, engines) in LOOKS {
        check_look(source, &texts_for(&mut random, source));
        assert_eq!(kinds(&engine(source)), *engines, "{source:?}");
    }
}

/// A part of a pattern with lookaround.
fn make_look(random: &mut Random, depth: usize, source: &mut String) {
    for _ in 0..1 + random.below(3) {
        match random.below(if depth == 0 { 4 } else { 11 }) {
            0..=3 => make(random, 0, source),
            4..=7 => {
                source.push_str(random.of(&["(?=", "(?!", "(?!", "(?<=", "(?<!"]));
                source.push_str(random.of(&["", "", "", "", "^", ".*"]));
                make_look(random, depth - 1, source);
                source.push_str(random.of(&["", "", "$", "|a", "|$"]));
                source.push(')');
            }
            8 => source.push_str(random.of(&["(?!a)", "(?=[ab])", "(?!$)", "(?!b|$)", "(?=é|$)", "(?<!a)"])),
            _ => {
                source.push('(');
                make_look(random, depth - 1, source);
                if random.below(2) == 0 {
                    source.push('|');
                    make_look(random, depth - 1, source);
                }
                source.push(')');
                source.push_str(random.of(&["", "", "", "*", "+", "?", "{2}", "{1,2}"]));
            }
        }
    }
}

#[test]
fn random_lookaround_on_all_short_texts() {
    let texts = short_texts(&["a", "b", "é"], 5);
    let mut random = Random(0x1234_5678_9abc_dea7);
    let mut split = 0;
    for _ in 0..3000 {
        let mut source = String::new();
        source.push_str(random.of(&["^", "^", "^", "", "^(?!a)", "^(?=.*b)", "^(?!.*éa)"]));
        make_look(&mut random, 2, &mut source);
        source.push_str(random.of(&["$", "$", "$", "", "(?<!a)$", "(?!b)", "(?=a)"]));
        if source.contains("(?") {
            split += usize::from(check_look(&source, &texts));
        }
    }
    assert!(split > 1000, "only {split} are split");
}

/// A pattern of too many parts is soon left as it is, however it is nested.
#[test]
fn large_lookaround_is_split_soon_or_not() {
    for (source, splits) in [
        (format!("^{}a{}", "(?=b".repeat(99), ")".repeat(99)), true),
        (format!("^{}a{}", "(?!b".repeat(99), ")".repeat(99)), false),
        (format!("^{}$", "(?:a|(?=b)c)".repeat(2000)), true),
        (format!("^{}$", "(?:a|(?=bb)b)".repeat(2000)), false),
        (format!("^{}b?c$", "(?=ab)(?!a)".repeat(3000)), false),
        (format!("^(?!{})b$", "a|".repeat(5000)), false),
        (format!("^{}$", "(?:(?!a)b?c?|(?<!d)e)?".repeat(1000)), false),
        ("(?!a)b?".repeat(5000), false),
    ] {
        let syntax = ecma::Pattern::parse(&source).expect("a pattern");
        assert_eq!(syntax.split().is_some(), splits, "{}…", &source[..24]);
    }
}
