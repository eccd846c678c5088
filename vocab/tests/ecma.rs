//! Patterns of ECMA-262: what they match, by our matcher and by the linear engine; what is refused;
//! what is hostile.

#[path = "oracle/hir.rs"]
mod hir;

use std::thread;

use stanchion_vocab::ecma::{Assertion, Ast, MAX_NESTING, Matcher, Meter, Pattern, is_pattern};

/// Pattern, texts in which it is found, texts in which it is not.
type Case = (&'static str, &'static [&'static str], &'static [&'static str]);

const MATCHES: &[Case] = &[
    // Literals and escapes.
    ("", &["", "a"], &[]),
    ("b", &["b", "abc"], &["", "a"]),
    ("🐲", &["a🐲b"], &["🐉"]),
    (r"^\t\n\v\f\r$", &["\t\n\u{b}\u{c}\r"], &[r"\t\n\v\f\r"]),
    (r"^\cC\cc$", &["\u{3}\u{3}"], &["CC"]),
    (r"^\0$", &["\0"], &["0"]),
    (r"^\x41\u0042\u{43}\u{00000044}$", &["ABCD"], &["x41"]),
    (r"^\^\$\\\.\*\+\?\(\)\[\]\{\}\|\/$", &[r"^$\.*+?()[]{}|/"], &[]),
    (r"^\uD83D\uDC32$", &["🐲"], &["\u{fffd}"]),
    (r"\uD83D|\uDC32|x", &["x"], &["🐲", "\u{fffd}"]),
    (r"\uD83D\u0041|x", &["x"], &["A", "🐲A"]),
    (r"\u{D83D}\u{DC32}", &[], &["🐲"]),
    // Anchors and boundaries.
    ("^a$", &["a"], &["a\n", "\na", "ba"]),
    ("a$|^b", &["xa", "bx"], &["ax", "xb", "a\n"]),
    (r"\bfoo\b", &["foo", "a foo.", "éfooé"], &["foo_", "1foo"]),
    (r"\B", &["", "ab", "é", "aéb "], &["aéb", "a"]),
    (r"(?:\W|\B)+", &["aéb", ""], &["a"]),
    (r"a\Bé|é\Bé", &["éé"], &["aé"]),
    // Classes.
    (".", &["a", "é", "🐲", "\u{85}"], &["", "\n", "\r", "\u{2028}", "\u{2029}"]),
    (r"^\d$", &["0", "9"], &["a", "߀", "४"]),
    (r"^\D$", &["a", "߀", "🐲"], &["0", ""]),
    (r"^\w+$", &["aZ_09"], &["é", "a-b", ""]),
    (r"^\W$", &["é", "-"], &["_"]),
    (
        r"^\s+$",
        &["\t\n\u{b}\u{c}\r \u{a0}\u{1680}\u{2003}\u{2028}\u{202f}\u{3000}\u{feff}"],
        &["\u{85}", "\u{200b}"],
    ),
    (r"^\S$", &["\u{85}", "a"], &["\u{feff}", " "]),
    ("[]", &[], &["", "a", "]"]),
    ("^a[]*b$", &["ab"], &["aab"]),
    ("^[^]$", &["a", "\n", "🐲"], &["", "ab"]),
    ("^[a-cx]+$", &["abcx"], &["d"]),
    ("^[^a-c]$", &["d", "\n", "é"], &["a"]),
    (r"^[\d\-a]+$", &["0-a"], &["b"]),
    (r"^[a\]^]+$", &["a]^"], &["["]),
    ("^[-a]+[a-]$", &["a-a"], &["b"]),
    (r"^[\b]$", &["\u{8}"], &["b"]),
    (r"^[\D\d]$", &["1", "a"], &[""]),
    (r"[^\s\S]", &[], &["a", " ", ""]),
    (r"^[\uD83D\uDC32-\uD83D\uDC34]$", &["🐲", "🐳", "🐴"], &["🐵"]),
    (r"^[\uD800-\uDFFFa]$", &["a"], &["b", "🐲", "\u{fffd}"]),
    (r"^[\uD7FF-\uE000]+$", &["\u{d7ff}\u{e000}"], &["\u{e001}"]),
    (r"^[^\uD800]$", &["a", "🐲"], &[""]),
    // Properties.
    (r"^\p{Letter}+$", &["aéπ"], &["1"]),
    (r"^\p{digit}+$", &["42", "৪২"], &["-"]),
    (r"^\P{L}$", &["1"], &["a"]),
    (r"^\p{gc=Lu}\p{General_Category=Uppercase_Letter}$", &["AÉ"], &["aA"]),
    (r"^\p{Script=Greek}\p{sc=Grek}\p{scx=Greek}\p{Script_Extensions=Grek}$", &["αβγδ"], &["abcd"]),
    (
        r"^\p{Alphabetic}\p{Alpha}\p{ASCII}\p{Any}\p{Assigned}\p{ID_Start}$",
        &["éaa\u{378}aa"],
        &["éaaa\u{378}a"],
    ),
    (r"^\p{Emoji}$", &["🐲", "0"], &["a"]),
    (r"^\p{LC}\p{Cf}\p{Sc}\p{space}$", &["a\u{ad}€ "], &["1\u{ad}€ "]),
    (r"^[\p{L}\d]+$", &["é1"], &["-"]),
    (r"^[^\p{L}\d]$", &["-"], &["é", "1"]),
    (r"^[^\P{L}]$", &["é"], &["1"]),
    (r"^[^\P{L}é]$", &["e"], &["é", "1"]),
    (r"\p{Cs}|[\p{Surrogate}]", &[], &["a", "\u{fffd}"]),
    (r"^\P{Cs}[1\P{Cs}][^\p{Cs}]$", &["a🐲\n"], &["ab"]),
    (r"^[^\P{Cs}]$", &[], &["a"]),
    // Quantifiers.
    ("^a*b+c?$", &["b", "aabbc"], &["", "a", "abcc"]),
    ("^a{2}b{1,}c{0,2}$", &["aab", "aabbcc"], &["ab", "aabccc"]),
    ("^a*?b+?c??d{1,2}?$", &["bd", "aabbcdd"], &["ad"]),
    ("^(?:ab){2,3}$", &["abab", "ababab"], &["ab", "abababab"]),
    ("^🐲{2}$", &["🐲🐲"], &["🐲"]),
    ("^a{0}b$", &["b"], &["ab"]),
    ("^(?:a|b*)*c$", &["c", "abbac"], &["abd"]),
    (r"^(?:)*(?:^)+(?:\b|$)*(?:(?:){2})?a$", &["a"], &["", "ba"]),
    // Alternatives and groups.
    ("^(?:a|bc|)$", &["a", "bc", ""], &["b"]),
    ("(a)(?<n>b)(?:c)", &["abc"], &["ab"]),
    (r"^(?<$_é\u0061\u{62}>a)$", &["a"], &["b"]),
    ("a|", &["", "b"], &[]),
    // A reference that can never be filled matches the empty string, and the pattern is regular.
    (r"^\1(a)$", &["a"], &["aa"]),
    (r"^(a\1)b$", &["ab"], &["aab"]),
    (r"^(?:(a)|\1b)*$", &["ab", "aab"], &["ac"]),
    (r"^\k<n>(?<n>x)$", &["x"], &["xx"]),
    (r"^(a){0}\1b$", &["b"], &["ab"]),
    (r"^(?:\1(a)|b)+c$", &["ac", "bac", "aac"], &["c"]),
    (r"^(?:\2a|(b)(c))+$", &["a", "bca", "bc", "bcaa"], &["bcac", "bcca"]),
];

/// Patterns with lookaround or backreferences. Node.js gives the same answers.
const IRREGULAR: &[Case] = &[
    // Lookaround.
    ("a(?=b)", &["ab"], &["ac", "a"]),
    ("a(?!b)", &["ac", "a"], &["ab"]),
    ("(?<=a)b", &["ab"], &["b", "cb"]),
    ("(?<!a)b", &["b", "cb"], &["ab"]),
    ("(?<=^|,)x", &["x", "a,x"], &["ax"]),
    ("(?<=a+)b(?<!ab)", &[], &["aab", "b"]),
    ("(?<=x[ab]{2,3})c", &["xabc", "xabac"], &["xac", "ababc"]),
    (r"(?<=\bfoo)bar", &["foobar"], &["xfoobar", "éfoo bar"]),
    (r"(?<!\bfoo|y)bar", &["xfoobar", "bar"], &["foobar", "ybar"]),
    ("(?:(?=a))*b", &["b"], &["a"]),
    ("^(?:(?=a)){2,}a$", &["a"], &["b"]),
    (r"^(?=.*\d)(?=.*[a-z]).{4,8}$", &["pass1", "12a4"], &["abcd", "1234", "a1"]),
    (r"^(?!.*\.\.)[\w.]+$", &["a.b.c"], &["a..b"]),
    (r"(?<![\u0000-\u{10FFFF}])é(?!.)", &["é", "é\n"], &["aé", "éa"]),
    // References.
    (r"^(a|b)\1$", &["aa", "bb"], &["ab", "a"]),
    (r"^(['\x22]).*?\1$", &["'a'", "\"'\""], &["'a\""]),
    (r"^(?<y>\d{4})-\k<y>$", &["2020-2020"], &["2020-2021"]),
    (r"^(x)(a|ab)(c|bcd)\3$", &["xabcdbcd", "xacc"], &["xabcbc"]),
    (r"^(a)\1{2}0$", &["aaa0"], &["aa0"]),
    (r"^(?:(a)|b)\1$", &["aa", "b"], &["a", "ba", "bb"]),
    (r"^(a)?b\1$", &["aba", "b"], &["ab", "ba"]),
    (r"^(?:(a)b)*\1$", &["", "aba", "ababa"], &["ab"]),
    (r"^(?:(a|b)c\1)*$", &["acabcb"], &["acb"]),
    (r"^(🐲|é)\1$", &["🐲🐲", "éé"], &["🐲é"]),
    // Once a lookaround has matched, no other capture in it is tried.
    (r"^(?=(a+?)(?!b))\1$", &["a"], &["aa"]),
    (r"(?=(a+))a*b\1", &["baaabac"], &["aab"]),
    // A round of a repetition begins without the captures of the one before.
    (r"^(?:(a)|b)*\1$", &["", "b", "aa", "ab", "aab", "aaa", "baa"], &["aba", "ba"]),
    (r"^(?:(a)?b\1)*$", &["", "b", "aba", "abab", "abaaba"], &["abb", "abaab", "ab"]),
    (r"^(?:(a)|(b)|(c))*\1\2\3$", &["abcc", "aa", "abb", "bacc", "abccc"], &["abc", "abca"]),
    (r"^(z)((a+)?(b+)?(c))*\3\4$", &["zaacbbbcaca"], &["zaacbbbcac"]),
    (r"^((a)|b)*?\2$", &["", "b", "aa", "ab", "baa"], &["a", "aba"]),
    (r"^(?:(x)|(y)|z)*(?:\1-\2)$", &["xyz-", "xx-", "xyy-y", "-", "xy-y"], &["x-", "yx-"]),
    // Beyond the minimum, a round must not be empty.
    (r"^(a*)*\1$", &["", "aa", "aaa"], &["a"]),
    (r"^(a*)+\1$", &["", "aa"], &["a"]),
    (r"^(a*)*?\1b$", &["b", "aab"], &["ab", "aa"]),
    (r"^(?:(a*)b?){2}\1c$", &["c", "bc", "abaac", "abac", "abc", "ababac"], &[]),
    (r"^(?:(?=(a)))?\1b$", &["b"], &["ab"]),
    (r"^(?:(?=(a))){1,2}\1b$", &["ab"], &["b"]),
    // Captures of a lookahead remain, unless it is negative.
    (r"^(?:(?=(a))a|b)*\1$", &["", "b", "ab", "aa", "bab", "baa"], &["a", "aba"]),
    (r"^(?:(?=.*(a)).)*\1$", &["ba", "aa", "", "aba"], &["bac", "b", "a"]),
    (r"^(?:(?=(\w)).)+\1$", &["aa", "abb"], &["a", "aba"]),
    (r"(?=(a+?))\1b", &["ab", "aab"], &["b"]),
    (r"^(?!(a)b)\1c?", &["ac", "c"], &["ab"]),
    (r"^(?!(?!(a))\1b)a", &["a", "ab"], &["b"]),
    (r"^(?=(a)|b)\1c", &["ac"], &["c", "bc", "aac"]),
    // A lookbehind is matched from right to left.
    (r"x(?<=\ba+x)b", &["axb", "aaxb", " aaxb"], &["1axb", "xb", "baxb"]),
    (r"(?<=a|(?!c)b*)d", &["d", "bd", "ad", "cd"], &[]),
    (r"(a)c(?<=\1c)", &["ac"], &["bc"]),
    (r"(?<=(a|bc))\1", &["aa", "bcbc"], &["abc", "bca"]),
    (r"(?<=\1(a|b))c", &["aac", "bbc"], &["abc", "ac"]),
    (r"(?<=(a|b)\1)c", &["aac", "abc", "ac"], &["c"]),
    (r"(?<=^(\w+)(\w+))-\1\2$", &["abc-abc", "ab-ab"], &["abc-acb", "a-a"]),
    (r"(?<=^(\d+)(\d+))-\1\1$", &["123-11"], &["123-1212", "123-3", "123-1"]),
    (r"(?<=([abc])+)-\1", &["abc-a"], &["abc-c", "abc-b"]),
    (r"(?<!\1(.))x", &["abx", "x", "ax"], &["aax"]),
    (r"(?<=(?<a>\w){3})-\k<a>", &["abc-a"], &["abc-c", "abc-b", "ab-a"]),
    (r"(?<=a(?=([^a]{2})d)\w{3})\w\1", &["abcdxbc", "abcdabc"], &["abcdcdbc", "abcdbc"]),
    (r"(?<=(?<!a)b{2,})c", &["bbc", "abbbc"], &["abbc", "bc"]),
    (r"(?<=(?:é|🐲)\b\w+)-", &["éa-", "🐲ab-"], &["ab-", "é-"]),
    (r"(?<=\B.)é", &["éé", " é"], &["aé", "é"]),
    (r"^(🐲|é)+(?<=\1)$", &["🐲é", "é🐲"], &["a"]),
    (r"(\uD83D|x)\1$", &["xx"], &["🐲🐲", "x"]),
    (r"^\k<x>(?<x>a)\k<x>$", &["aa"], &["a", "aaa"]),
    // Repetitions in and beside each other.
    ("^(?!c)a+b?a+$", &["aa", "aba"], &["a", "ab"]),
    ("^(?!c)(?:a)+(?:(?:b*)+)(?:)a+$", &["aa", "abba"], &["a"]),
    (r"^(?!c)(?:\w+(?:\.\w+)?)+$", &["a.b", "a.bc.d"], &["a.b.c", "."]),
    (r"^(a+)+\1$", &["aa", "aaa"], &["a"]),
];

/// Patterns that the strict grammar refuses.
const TOLERATED: &[Case] = &[
    (r"^\-\_\@\#\'\ \%$", &["-_@#' %"], &[""]),
    ("^a]b}$", &["a]b}"], &["ab"]),
    ("^{a{,3}b{2$", &["{a{,3}b{2"], &["aaab{2"]),
    ("^x{{2}$", &["x{{"], &["xx"]),
    (r"^[\d-x]+$", &["1-x"], &["y"]),
    (r"^[a-\d]+$", &["a-1"], &["b"]),
    (r"^[\w-.]+$", &["a-."], &["+"]),
    (r#"^[\"\_]+$"#, &["\"_"], &["\\"]),
];

/// A meter that counts what a search spends and holds, up to limits.
struct Tally {
    units: u64,
    bytes: usize,
    most_units: u64,
    most_bytes: usize,
    peak: usize,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { units: 0, bytes: 0, most_units: 1_000_000, most_bytes: 16 << 20, peak: 0 }
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Exhausted {
    Units,
    Bytes,
}

impl Meter<Exhausted> for Tally {
    fn spend(&mut self, units: u64) -> Result<(), Exhausted> {
        self.units += units;
        if self.units > self.most_units { Err(Exhausted::Units) } else { Ok(()) }
    }

    fn hold(&mut self, bytes: usize) -> Result<(), Exhausted> {
        if self.bytes + bytes > self.most_bytes {
            return Err(Exhausted::Bytes);
        }
        self.bytes += bytes;
        self.peak = self.peak.max(self.bytes);
        Ok(())
    }

    fn release(&mut self, bytes: usize) {
        self.bytes = self.bytes.checked_sub(bytes).expect("no more than was held");
    }
}

/// Searches with our matcher.
fn search(pattern: &Pattern, text: &str, tally: &mut Tally) -> Result<bool, Exhausted> {
    let found = Matcher::new(pattern).is_match(text, tally);
    assert_eq!(tally.bytes, 0, "what was held must be released");
    found
}

/// Compiles a regular pattern for the linear engine.
fn linear(pattern: &Pattern) -> Option<regex_automata::meta::Regex> {
    let hir = hir::translate(pattern.ast())?;
    Some(regex_automata::meta::Builder::new().build_from_hir(&hir).expect("small enough"))
}

/// Whether our matcher finds the pattern in the text. The linear engine must agree if the pattern
/// is regular.
fn is_match(source: &str, text: &str) -> bool {
    let pattern = Pattern::parse(source).unwrap_or_else(|error| panic!("{source}: {error}"));
    let found = search(&pattern, text, &mut Tally::default()).expect("cheap");
    if let Some(linear) = linear(&pattern) {
        assert_eq!(linear.is_match(text), found, "{source:?} in {text:?}: the engines disagree");
    }
    found
}

fn check(cases: &[Case], regular: bool, strict: bool) {
    for (source, found, missing) in cases {
        let pattern = Pattern::parse(source).unwrap_or_else(|error| panic!("{source}: {error}"));
        assert_eq!(pattern.is_regular(), regular, "{source}");
        assert_eq!(pattern.is_regular(), regular, "{source}");
        assert_eq!(pattern.program(1_000).is_some(), regular, "{source}");
        assert_eq!(pattern.is_strict(), strict, "{source}");
        assert!(is_pattern(source), "{source}");
        for text in *found {
            assert!(is_match(source, text), "{source:?} should match {text:?}");
        }
        for text in *missing {
            assert!(!is_match(source, text), "{source:?} should not match {text:?}");
        }
    }
}

#[test]
fn regular_patterns_match_alike_in_both_engines() {
    check(MATCHES, true, true);
}

#[test]
fn lookaround_and_backreferences_mean_what_ecma_says() {
    check(IRREGULAR, false, true);
}

#[test]
fn annex_b_is_tolerated_where_it_is_harmless() {
    check(TOLERATED, true, false);
}

#[test]
fn what_is_no_pattern_is_refused() {
    let cases = [
        (r"abc\Z", r"offset 3: \Z is not an escape in ECMA-262"),
        (r"\A", r"offset 0: \A is not an escape in ECMA-262"),
        (r"\z", r"offset 0: \z is not an escape in ECMA-262"),
        (r"\a", r"offset 0: \a is not an escape in ECMA-262"),
        (r"\e", r"offset 0: \e is not an escape in ECMA-262"),
        (r"\h", r"offset 0: \h is not an escape in ECMA-262"),
        (r"\Q", r"offset 0: \Q is not an escape in ECMA-262"),
        (r"\é", r"offset 0: \é is not an escape in ECMA-262"),
        (r"[\B]", r"offset 1: \B is not an escape in ECMA-262"),
        (r"[\1]", r"offset 1: \1 is not an escape in ECMA-262"),
        (r"\-\Z", r"offset 2: \Z is not an escape in ECMA-262"),
        (r"^\S(|(.|\n)*\S)\Z", r"offset 15: \Z is not an escape in ECMA-262"),
        ("é\\", r"offset 2: expected a character after \, found the end of the pattern"),
        (r"\c1", r"offset 0: expected a letter after \c"),
        (r"\00", r"offset 0: \0 is followed by a digit, but ECMA-262 has no octal escapes"),
        (r"\x4g", r"offset 0: expected two hexadecimal digits after \x"),
        (r"\u12", r"offset 0: expected four hexadecimal digits or {digits} after \u"),
        (r"\u{}", r"offset 0: expected four hexadecimal digits or {digits} after \u"),
        (r"\u{110000}", r"offset 0: a code point is at most 10FFFF"),
        (r"\pL", r"offset 0: expected {name} or {name=value} after \p"),
        (r"\p{L", r"offset 0: expected {name} or {name=value} after \p"),
        (r"\p{^L}", r"offset 0: expected {name} or {name=value} after \p"),
        (r"\p{letter}", "offset 0: ECMA-262 knows no Unicode property letter"),
        (r"\p{Greek}", "offset 0: ECMA-262 knows no Unicode property Greek"),
        (r"\p{sc=greek}", "offset 0: ECMA-262 knows no Unicode property sc=greek"),
        (r"\p{sc=Klingon}", "offset 0: ECMA-262 knows no Unicode property sc=Klingon"),
        (r"\p{Age=3.0}", r"offset 0: expected {name} or {name=value} after \p"),
        (r"\p{gc=Any}", "offset 0: ECMA-262 knows no Unicode property gc=Any"),
        ("a**", "offset 2: there is nothing before * to repeat"),
        ("a++", "offset 2: there is nothing before + to repeat"),
        ("a{1}{2}", "offset 4: there is nothing before { to repeat"),
        ("(?:|?)", "offset 4: there is nothing before ? to repeat"),
        ("{1}", "offset 0: there is nothing before { to repeat"),
        ("^*", "offset 1: an assertion cannot be repeated with *"),
        (r"\b+", "offset 2: an assertion cannot be repeated with +"),
        ("(?=a)*", "offset 5: an assertion cannot be repeated with *"),
        ("(?<!a){2}", "offset 6: an assertion cannot be repeated with {"),
        ("a{2,1}", "offset 1: the quantifier's maximum is below its minimum"),
        ("(a", "offset 0: ( is never closed"),
        ("^(abc]", "offset 1: ( is never closed"),
        ("a[b", "offset 1: [ is never closed"),
        ("[a-", "offset 0: [ is never closed"),
        ("a)", "offset 1: ) was never opened"),
        ("(?P<a>b)", "offset 0: (?P does not begin a group in ECMA-262"),
        ("(?#a)", "offset 0: (?# does not begin a group in ECMA-262"),
        ("a(?i)b", "offset 1: (?i does not begin a group in ECMA-262"),
        ("(?i:b)", "offset 0: (?i does not begin a group in ECMA-262"),
        ("(?>b)", "offset 0: (?> does not begin a group in ECMA-262"),
        ("(?", "offset 0: (? does not begin a group in ECMA-262"),
        ("(?<1>b)", "offset 3: expected an identifier and > as the group's name"),
        ("(?<>b)", "offset 3: expected an identifier and > as the group's name"),
        ("(?<a", "offset 3: expected an identifier and > as the group's name"),
        (r"(?<a\x62>)", "offset 3: expected an identifier and > as the group's name"),
        ("(?<a>b)(?<a>c)", "offset 7: another group is named a"),
        ("[b-a]", "offset 1: the range's end is below its start"),
        (r"(a)\2", r"offset 3: \2 refers to a group, but the pattern has 1"),
        (r"\99999999999", r"offset 0: \99999999999 refers to a group, but the pattern has 0"),
        (r"\k<a>", r"offset 0: \k refers to a, but no group has this name"),
        (r"\k", r"offset 0: expected <name> after \k"),
    ];
    for (source, message) in cases {
        let error = Pattern::parse(source).expect_err(source);
        assert_eq!(error.to_string(), message, "{source}");
        assert!(message.starts_with(&format!("offset {}: ", error.offset())), "{source}");
        assert!(!error.is_unsupported() && !is_pattern(source), "{source}");
    }
}

#[test]
fn what_cannot_be_run_is_refused_by_name() {
    let source = r"\p{CWKCF}";
    let error = Pattern::parse(source).expect_err(source);
    let message = "offset 0: the Unicode property Changes_When_NFKC_Casefolded is not supported";
    assert_eq!(error.to_string(), message);
    assert!(error.is_unsupported() && is_pattern(source));
}

/// The format asks for the grammar alone: it accepts what `parse` accepts, and any depth.
#[test]
fn groups_of_the_format_nest_as_deep_as_they_like() {
    for open in ["(", "(?:", "(?=", "(?<!", "(?<a>", "(a|"] {
        let deep =
            format!("{}b{}", open.repeat(if open == "(?<a>" { 1 } else { 100_000 }), ")".repeat(100_000));
        assert_eq!(is_pattern(&deep), open != "(?<a>", "{open}");
        assert!(!is_pattern(&format!("{deep})")) && !is_pattern(&format!("({deep}")), "{open}");
    }
    let many = format!(r"{}\100000", "(a)".repeat(100_000));
    assert!(is_pattern(&many) && !is_pattern(&format!(r"{many}\100001")));
    assert!(is_pattern(&format!(r"{many}\1\2\1")) && !is_pattern(&format!(r"\100001\1{many}")));
}

#[test]
fn the_tree_can_be_looked_at() {
    let pattern = Pattern::parse("^ab[c-e]*$").expect("a pattern");
    let Ast::Concat(items) = pattern.ast() else { panic!("{:?}", pattern.ast()) };
    let [
        Ast::Assertion(Assertion::Start),
        Ast::Literal(text),
        Ast::Repeat(repeat),
        Ast::Assertion(Assertion::End),
    ] = items.as_slice()
    else {
        panic!("{items:?}")
    };
    assert_eq!(text, "ab");
    assert_eq!((repeat.min, repeat.max, repeat.greedy), (0, None, true));
    let Ast::Class(class) = &repeat.body else { panic!("{repeat:?}") };
    assert_eq!(class.ranges(), [('c', 'e')]);
    assert!(
        class.contains('d') && !class.contains('f') && !class.is_negated() && class.properties().is_empty()
    );

    let pattern = Pattern::parse(r"[^\p{Lu}\d]").expect("a pattern");
    let Ast::Class(class) = pattern.ast() else { panic!("{:?}", pattern.ast()) };
    assert!(class.contains('a') && class.contains('-') && !class.contains('A') && !class.contains('1'));
    assert!(size_of::<Ast>() <= 32);
}

#[test]
fn sizes_are_about_those_of_programs() {
    let more = [
        r"\p{L}",
        r"\P{L}{3}",
        "(?:a{3}b){4}",
        "(?:é|🐲){2,5}",
        "x{0,900}",
        "(?:[ab]{1,63}c){1,127}",
        "a{9,}",
    ];
    for source in MATCHES.iter().chain(IRREGULAR).map(|(source, _, _)| *source).chain(more) {
        let pattern = Pattern::parse(source).expect(source);
        let lines = format!("{:?}", Matcher::new(&pattern)).lines().count() as u64;
        assert!(lines <= 4 * pattern.size() + 16, "{source}: {lines} lines, size {}", pattern.size());
        let Some(program) = pattern.program(10_000) else { continue };
        let steps = program.steps().len() as u64;
        assert!(pattern.program(steps - 1).is_none(), "{source}: {steps} steps");
    }
}

/// Repeated characters are counted, however often; a list of words is about as large as its source.
#[test]
fn sizes_of_what_is_counted_are_small() {
    let size = |source: &str| Pattern::parse(source).expect(source).size();
    assert!(size(".{1,1000000}") < 10);
    assert!(size(r"^(?!.*://)(?=.{1,255}$)((.{1,63}\.){1,127}(?![0-9]*$)[a-z0-9-]+\.?)$") < 1_000);
    let words: Vec<String> = (0..9_000).map(|n| format!("word{n}")).collect();
    assert!(size(&words.join("|")) < 40_000);
}

#[test]
fn sizes_saturate_before_anything_is_built() {
    let size = |source: &str| Pattern::parse(source).expect(source).size();
    assert!(size("(((?:ab){1000}){1000}){1000}") >= 1_000_000_000);
    let tower = (0..20).fold("a".to_owned(), |inside, _| format!("(?:{inside}){{4294967295}}"));
    assert_eq!(size(&tower), u64::MAX);
    assert!(size("(?:ab){99999999999999999999,}") >= u64::from(u32::MAX));
    assert!(size(r"(a)\1b{99999999999999999999,}") >= u64::from(u32::MAX));
    assert!(size("abc") < 10);
    assert!(Pattern::parse(&tower).expect("a pattern").program(1_000_000).is_none());
}

#[test]
fn nesting_is_bounded() {
    let error = Pattern::parse(&"(".repeat(100_000)).expect_err("too deep");
    assert_eq!(error.to_string(), "offset 100: groups are nested more than 100 deep");
    for open in ["(?:", "(?=", "(?<!", "(?<a>"] {
        assert!(Pattern::parse(&open.repeat(100_000)).is_err());
    }
    // The deepest that is allowed, on a small stack.
    let nested = |open: &str, inside: &str, close: &str, levels: usize| {
        format!("{}{inside}{}", open.repeat(levels), close.repeat(levels))
    };
    let cases = [
        (nested("(?:b|(c", "a", ")*)*", MAX_NESTING / 2), true),
        (nested("(", "a", ")", MAX_NESTING), true),
        (nested("(?=", "a", ")", MAX_NESTING), true),
        // A negation for each level: an even number of them.
        (nested("(?!", "a", ")", MAX_NESTING), true),
        (nested("(?<=(?!", "a", ")b)", MAX_NESTING / 2), false),
        (nested("(?=(?<=", "^", ")|b)", MAX_NESTING / 2), true),
        (nested("(?:(a)?(?=", r"\1\50", "))*", MAX_NESTING / 2), true),
        (nested("(?:", "a*", ")+", MAX_NESTING), true),
        (nested("(?:", r"(a)\1", ")+", MAX_NESTING - 1), true),
        (nested("(?=(a)?(?<!", r"\1b", "))", MAX_NESTING / 2), false),
    ];
    let small = thread::Builder::new().stack_size(256 * 1024).spawn(move || {
        for (source, found) in cases {
            let pattern = Pattern::parse(&source).expect("deep enough");
            assert_eq!(hir::translate(pattern.ast()).is_some(), pattern.is_regular());
            assert_eq!(search(&pattern, "aa", &mut Tally::default()), Ok(found), "{source}");
        }
    });
    small.expect("a thread").join().expect("no overflow");
}

/// Returns the cost of finding that the pattern is not in the text: units of work, bytes of memory.
fn cost(source: &str, text: &str) -> (u64, usize) {
    let pattern = Pattern::parse(source).expect(source);
    let mut tally = Tally { most_units: 100_000_000, ..Tally::default() };
    assert_eq!(search(&pattern, text, &mut tally), Ok(false), "{source}");
    (tally.units, tally.peak)
}

#[test]
fn without_backreferences_work_is_linear_in_the_text() {
    let cases = [
        ("(?=(a+)+$)b", "a"),
        ("(?!(a+)+b)c", "a"),
        ("^(?=(?:(?:a|a?)+)+$)(?:a|a)*b$", "a"),
        ("(?=(?=(?=a*b)a*b)a*b)c|(?=.*x)(?=.*y)z", "a"),
        ("(?<=(a+)+)b", "a"),
        ("(?<=^(?:a|é|aé)*)(?<!(?:.*){3}b)(?=.*a.*$).c", "aé"),
        (r"(?:(?=\w*-)\w|\w\B)*(?<=\w*-)!", "a"),
        (r"(?<!\p{Lu}*(?=\p{L}*1))\p{Nd}", "é"),
        ("^(?:(?!(?:.*){9}b).)*$(?<=b)", "a"),
    ];
    for (source, unit) in cases {
        let (short, _) = cost(source, &unit.repeat(500));
        let (long, bytes) = cost(source, &unit.repeat(5_000));
        let size = Pattern::parse(source).expect(source).size();
        assert!(long < 12 * short && long < 5_000 * size, "{source}: {short} units, then {long}");
        // At most a bit for each lookaround and byte of the text.
        assert!(bytes < 5 * 10_000 / 8, "{source}: {bytes} bytes");
    }
    // Lookarounds at few places are cheap, however long the text.
    let text = "foo ".repeat(100_000);
    for source in ["^foo(?=bar)", "^(?!foo)", r"^(?=\s*$)", "^f(?<=o)"] {
        assert!(cost(source, &text).0 < 100, "{source}");
    }
}

#[test]
fn without_backreferences_work_is_linear_in_the_size() {
    let text = "a".repeat(500);
    let (small, _) = cost(&format!("(?=(?:{})+$)b", "a?".repeat(100)), &text);
    let (large, bytes) = cost(&format!("(?=(?:{})+$)b", "a?".repeat(1_000)), &text);
    assert!(large < 12 * small, "{small} units, then {large}");
    // The states that are followed in parallel.
    assert!(bytes > 3 * 1_000 * 4 && bytes < 200_000, "{bytes} bytes");
    // Copies of a lookaround share one table of answers.
    let (units, _) = cost("(?:(?=a*b)|x){1000}c", &text);
    assert!(units < 500_000, "{units} units");
}

#[test]
fn backreferences_end_by_the_meter() {
    let text = "a".repeat(1_000);
    let cases = [
        r"^(a+)+\1b$",
        r"^(a*)*\1b$",
        r"(?:(a)?(a)?\1\2)*b",
        r"(.*)(.*)(.*)(.*)(.*)\1\2\3\4\5b",
        r"(?=((a|a)+))\1b\2",
        r"(?<!b\1(a*)*)c",
        r"^(?:(a|aa)+(?<=\1))+b",
        r"^(?:(?=(a+))a+)+\1b",
    ];
    for source in cases {
        let pattern = Pattern::parse(source).expect(source);
        let mut tally = Tally::default();
        assert_eq!(search(&pattern, &text, &mut tally), Err(Exhausted::Units), "{source}");
        assert!(tally.units <= tally.most_units + 1_000, "{source}: {} units", tally.units);
    }
    // Pending branches take memory, and that is limited too.
    let pattern = Pattern::parse(r"^(?:(a)|b)*\1$").expect("a pattern");
    let mut tally = Tally { most_bytes: 100_000, ..Tally::default() };
    assert_eq!(search(&pattern, &"ab".repeat(10_000), &mut tally), Err(Exhausted::Bytes));
    assert!(tally.peak <= 100_000 && tally.units < 20_000, "{} units", tally.units);
    // A lookaround without references is answered for a place here, too.
    let pattern = Pattern::parse(r"(a)\1(?!(?:a+)+b)c").expect("a pattern");
    let mut tally = Tally::default();
    assert_eq!(search(&pattern, &text, &mut tally), Ok(false));
    assert!(tally.units < 20_000, "{} units", tally.units);
}

#[test]
fn memory_is_asked_for_before_it_is_taken() {
    let pattern = Pattern::parse("(?:(?=.*b)a)*c").expect("a pattern");
    let text = "a".repeat(1 << 16);
    let mut tally = Tally::default();
    assert_eq!(search(&pattern, &text, &mut tally), Ok(false));
    // One lookaround, a bit for each place.
    assert!((8_192..10_000).contains(&tally.peak), "{} bytes", tally.peak);
    let mut tally = Tally { most_bytes: 8_000, ..Tally::default() };
    assert_eq!(search(&pattern, &text, &mut tally), Err(Exhausted::Bytes));
    // A short text with a short pattern needs none.
    let mut tally = Tally { most_bytes: 0, ..Tally::default() };
    assert_eq!(search(&pattern, "aaab", &mut tally), Ok(false));
}

#[test]
fn programs_do_not_outgrow_their_size() {
    let nested =
        |open: &str, inside: &str, close: &str| format!("{}{inside}{}", open.repeat(98), close.repeat(98));
    let cases = [
        nested("(?:", "a*", ")+"),
        nested("(?:", r"(a*)\1", ")+"),
        nested("(?:", r"(a*)\1", "){1,}?"),
        format!(
            "(?:{}){{50}}{}",
            nested("(", "a", ")"),
            (1..99).map(|n| format!(r"\{n}")).collect::<String>()
        ),
        format!("(?:{}){{100}}", nested("(?=", "a", ")")),
        "(?:(?:(?:a?){9}){9}){9}".to_owned(),
        r"(?:(?:(?:(a?)){9}){9}){9}\1".to_owned(),
        "(?:(?:(?:){999}){999}){999}a".to_owned(),
    ];
    for source in &cases[..7] {
        let pattern = Pattern::parse(source).expect(source);
        // Each instruction is a line; those of a lookaround are listed for one direction of two.
        let lines = format!("{:?}", Matcher::new(&pattern)).lines().count() as u64;
        assert!(lines <= 4 * pattern.size() + 16, "{source}: {lines} lines, size {}", pattern.size());
    }
    assert!(is_match(&cases[7], "a"));
}

#[test]
fn large_patterns_are_read_in_linear_time() {
    let megabyte = |unit: &str| unit.repeat((1 << 20) / unit.len());
    for unit in [
        "a",
        ".",
        "a|",
        r"\p{L}",
        "a*",
        "()",
        "(?:a)",
        r"\d",
        r"[^\p{L}a]",
        "{",
        "é",
        r"\b",
        "(?=a)",
        "[]",
        r"\u0061",
    ] {
        let pattern = Pattern::parse(&megabyte(unit)).expect(unit);
        assert!(pattern.size() > 10_000, "{unit}");
    }
    for unit in ["a", r"\d", r"\p{L}", "a-z", "za", "é-ü", r"\W"] {
        let source = format!("[{}]", megabyte(unit));
        let pattern = Pattern::parse(&source).expect(unit);
        assert!(pattern.size() < 2_000 && pattern.program(2_000).is_some(), "{unit}");
    }
    for unit in ["(", "[", "*", r"\1", "(?<é>", "(?<a>)", r"\k<a>", r"\q", "{1}", r"\u{1"] {
        assert!(Pattern::parse(&megabyte(unit)).is_err(), "{unit}");
    }
    // Many groups, names and references.
    let names: String = (0..20_000).map(|n| format!(r"(?<é{n}>a|b)\k<é{n}>")).collect();
    assert!(!Pattern::parse(&names).expect("named groups").is_regular());
    let message = Pattern::parse(&format!(r"\p{{{}}}", megabyte("L"))).expect_err("no property").to_string();
    assert!(message.len() < 200);
}

/// A small deterministic generator (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % bound
    }
}

#[test]
fn no_source_makes_it_panic_and_the_engines_agree() {
    const PIECES: &[&str] = &[
        "a", "b", "é", "🐲", "-", "^", "$", ".", "*", "+", "?", "{2}", "{1,2}", "{0,}", "{", "}", "(", "(",
        "(?:", "(?=", "(?!", "(?<=", "(?<!", "(?<n>", ")", ")", ")", "|", "[", "[^", "]", "]", "\\", r"\d",
        r"\W", r"\b", r"\B", r"\1", r"\k<n>", r"\u", "0061", r"\uD83D", r"\uDC32", r"\u{", "61}", r"\x6",
        r"\p{", "L}", r"\c", "a", "b", "ab",
    ];
    const TEXTS: &[&str] = &["", "a", "b", "ab", "ba", "aab", "abab", "é", "a🐲b", "-", "\n"];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let mut accepted = 0;
    for _ in 0..30_000 {
        let pieces = 1 + random.below(12);
        let source: String = (0..pieces).map(|_| PIECES[random.below(PIECES.len())]).collect();
        let parsed = Pattern::parse(&source);
        assert_eq!(is_pattern(&source), parsed.is_ok(), "{source:?}");
        let Ok(pattern) = parsed else { continue };
        accepted += 1;
        if pattern.size() > 10_000 || accepted % 8 != 0 {
            continue;
        }
        for text in TEXTS {
            is_match(&source, text);
        }
    }
    assert!(accepted > 1_000, "{accepted}");
}

/// Returns a random regular pattern.
fn regular(random: &mut Random, depth: usize) -> String {
    const ATOMS: &[&str] =
        &["a", "b", "é", "🐲", ".", r"\d", r"\W", "[ab]", "[^a]", "[]", r"\p{L}", "^", "$", r"\b", r"\B", ""];
    const QUANTIFIERS: &[&str] =
        &["", "", "", "*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,3}?", "{2,}", "{0}"];
    let branches = 1 + random.below(3);
    let branch = |random: &mut Random| -> String {
        let terms = random.below(4);
        let term = |random: &mut Random| {
            if depth > 0 && random.below(3) == 0 {
                let body = regular(random, depth - 1);
                format!("(?:{body}){}", QUANTIFIERS[random.below(QUANTIFIERS.len())])
            } else {
                format!(
                    "(?:{}){}",
                    ATOMS[random.below(ATOMS.len())],
                    QUANTIFIERS[random.below(QUANTIFIERS.len())]
                )
            }
        };
        (0..terms).map(|_| term(random)).collect()
    };
    (0..branches).map(|_| branch(random)).collect::<Vec<_>>().join("|")
}

#[test]
fn both_engines_agree_about_random_regular_patterns() {
    const LETTERS: &[&str] = &["a", "b", "a", "b", "é", "🐲", "1", " ", "\n"];
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut found = 0;
    for round in 0..2_000 {
        let body = regular(&mut random, 3);
        let source = if round % 2 == 0 { body } else { format!("^(?:{body})$") };
        let pattern = Pattern::parse(&source).expect(&source);
        if pattern.size() > 5_000 {
            continue;
        }
        let linear = linear(&pattern).expect("a regular pattern");
        let matcher = Matcher::new(&pattern);
        // An equivalent with three lookarounds.
        let looks = [
            format!("^[^]*(?={source})"),
            format!("(?<!^[^]*(?<={source})[^]*)$"),
            format!("^(?![^]*(?:{source}))"),
        ];
        let looks = looks.map(|look| Matcher::new(&Pattern::parse(&look).expect(&look)));
        for _ in 0..8 {
            let length = random.below(12);
            let text: String = (0..length).map(|_| LETTERS[random.below(LETTERS.len())]).collect();
            let expected = linear.is_match(&text);
            found += usize::from(expected);
            let mut tally = Tally::default();
            assert_eq!(matcher.is_match(&text, &mut tally), Ok(expected), "{source:?} in {text:?}");
            let answers = looks.each_ref().map(|look| look.is_match(&text, &mut tally));
            assert_eq!(answers, [Ok(expected), Ok(!expected), Ok(!expected)], "{source:?} in {text:?}");
        }
    }
    assert!((4_000..12_000).contains(&found), "{found}");
}
