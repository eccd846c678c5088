//! Random patterns that mean the same in ECMA-262 and in the other implementations, and texts for
//! them.
//!
//! regress implements ECMA-262 and is asked about all of them. fancy-regex has a language of its
//! own, so a pattern has a second form for it. Constructs that differ between the two are not
//! generated: references to groups that took no part, and lookbehinds of more than a character.
//!
//! The seed is printed, and `STANCHION_SEED` sets another one.

use fancy_regex::RegexBuilder;
use std::fmt::Write;

pub(crate) struct Random(u64);

impl Random {
    /// Returns a generator whose numbers are the same in every run, unless the environment sets a
    /// seed.
    pub(crate) fn seeded() -> Random {
        let seed = std::env::var("STANCHION_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = seed.unwrap_or(0x9e37_79b9_7f4a_7c15);
        println!("STANCHION_SEED={seed}");
        Random(seed | 1)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// A pattern in both notations.
#[derive(Default)]
pub(crate) struct Generated {
    pub(crate) ecma: String,
    fancy: String,
    groups: usize,
}

/// Atoms, each with its form for fancy-regex.
const ATOMS: &[(&str, &str)] = &[
    ("a", "a"),
    ("b", "b"),
    ("ab", "ab"),
    ("é", "é"),
    ("[ab]", "[ab]"),
    ("[^a]", "[^a]"),
    (".", r"[^\n\r\x{2028}\x{2029}]"),
    (r"\w", "[0-9A-Za-z_]"),
    (r"\W", "[^0-9A-Za-z_]"),
    (r"\d", "[0-9]"),
    (r"\s", r"[\t-\r \x{a0}\x{2028}\x{2029}\x{feff}]"),
    (r"\u2028", r"\x{2028}"),
    (r"\p{L}", r"\p{L}"),
    (r"[^\p{Lu}b]", r"[^\p{Lu}b]"),
    ("[]", r"[^\x{0}-\x{10ffff}]"),
];

const QUANTIFIERS: &[&str] =
    &["", "", "", "", "*", "+", "?", "{2}", "{1,3}", "{2,}", "*?", "+?", "{0}", "{3,12}", "{9,}", "{0,10}"];

impl Generated {
    pub(crate) fn new(random: &mut Random) -> Generated {
        let mut generated = Generated::default();
        generated.alternatives(random, 3, 4);
        generated
    }

    fn push(&mut self, text: &str) {
        self.ecma.push_str(text);
        self.fancy.push_str(text);
    }

    fn alternatives(&mut self, random: &mut Random, depth: usize, items: usize) {
        self.sequence(random, depth, items);
        // Many alternatives become a trie.
        let more = random.of(&[0, 0, 0, 1, 1, 2, 8]);
        for _ in 0..more {
            self.push("|");
            self.sequence(random, depth, if more > 2 { 2 } else { items });
        }
    }

    fn sequence(&mut self, random: &mut Random, depth: usize, items: usize) {
        for _ in 0..random.below(items + 1) {
            match random.below(if depth == 0 { 8 } else { 14 }) {
                0..=6 => {
                    let (ecma, fancy) = random.of(ATOMS);
                    self.ecma.push_str(ecma);
                    self.fancy.push_str(fancy);
                    // A quantifier after a text applies to its last character.
                    self.push(random.of(QUANTIFIERS));
                }
                7 => self.place(random),
                8..=10 => {
                    self.push("(?:");
                    self.alternatives(random, depth - 1, items);
                    self.push(")");
                    self.push(random.of(QUANTIFIERS));
                }
                11 | 12 => {
                    let look = random.of(&["(?=", "(?!", "(?<=", "(?<!"]);
                    self.push(look);
                    if look.starts_with("(?<") {
                        // Of one character, or fancy-regex might not take it.
                        let (ecma, fancy) = random.of(ATOMS);
                        self.ecma.push_str(ecma);
                        self.fancy.push_str(fancy);
                    } else {
                        self.alternatives(random, depth - 1, items);
                    }
                    self.push(")");
                }
                _ => {
                    // The group is before the reference, in the same sequence: it took part.
                    self.groups += 1;
                    let group = self.groups;
                    self.push("(");
                    self.sequence(random, depth - 1, items);
                    self.push(")");
                    let _ = write!(self.ecma, "(?:\\{group})");
                    let _ = write!(self.fancy, "(?:\\{group})");
                }
            }
        }
    }

    fn place(&mut self, random: &mut Random) {
        let (ecma, fancy) = random.of(&[
            ("^", "^"),
            ("$", "$"),
            (r"\b", r"(?:(?<=[0-9A-Za-z_])(?![0-9A-Za-z_])|(?<![0-9A-Za-z_])(?=[0-9A-Za-z_]))"),
            (r"\B", r"(?:(?<=[0-9A-Za-z_])(?=[0-9A-Za-z_])|(?<![0-9A-Za-z_])(?![0-9A-Za-z_]))"),
        ]);
        self.ecma.push_str(ecma);
        self.fancy.push_str(fancy);
    }

    /// Returns a random text that may match.
    pub(crate) fn text(random: &mut Random) -> String {
        const LETTERS: [&str; 12] = ["a", "a", "a", "b", "b", "ab", "é", "1", "A", " ", "\u{2028}", "😀"];
        let repeated = random.of(&["", "a", "b", "ab"]).repeat(random.below(8));
        let around: Vec<String> =
            (0..2).map(|_| (0..random.below(5)).map(|_| random.of(&LETTERS)).collect()).collect();
        format!("{}{repeated}{}", around[0], around[1])
    }

    /// Returns whether each text matches, by regress and, if it can compile the pattern,
    /// fancy-regex; and whether it could.
    pub(crate) fn expected(&self, texts: &[String]) -> (Vec<bool>, bool) {
        let regress = regress::Regex::with_flags(&self.ecma, "u");
        let regress = regress.unwrap_or_else(|error| panic!("{}: {error}", self.ecma));
        let fancy = RegexBuilder::new(&self.fancy).backtrack_limit(100_000).build().ok();
        let say = |text: &String| {
            let said = regress.find(text).is_some();
            if let Some(Ok(fancy)) = fancy.as_ref().map(|fancy| fancy.is_match(text)) {
                assert_eq!(fancy, said, "regress and fancy-regex differ: {:?} on {text:?}", self.ecma);
            }
            said
        };
        (texts.iter().map(say).collect(), fancy.is_some())
    }
}
