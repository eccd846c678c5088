//! A reproducible source of random numbers.

const WORDS: [&str; 32] = [
    "amber",
    "basin",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "harbor",
    "inlet",
    "jetty",
    "knoll",
    "ledge",
    "meadow",
    "north",
    "orchard",
    "prairie",
    "quarry",
    "ridge",
    "shore",
    "thicket",
    "upland",
    "valley",
    "willow",
    "yonder",
    "zephyr",
    "café",
    "Zürich",
    "naïve",
    "東京",
    "straße",
    "smörgås",
    "piñata",
];

/// A random number generator: SplitMix64.
pub(super) struct Random(u64);

impl Random {
    /// Returns the generator of a set, seeded by its name.
    pub(super) fn new(name: &str) -> Random {
        let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Random(name.bytes().fold(0xcbf2_9ce4_8422_2325, mix))
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Returns a number below `end`, or 0 if there is none.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// Returns a number from `first` to `last`.
    pub(super) fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last - first + 1)
    }

    /// Returns a number with some digits after the point.
    pub(super) fn decimal(&mut self, below: usize) -> f64 {
        self.below(below * 1000) as f64 / 1000.0
    }

    /// Returns true in `percent` of a hundred calls.
    pub(super) fn percent(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one of the choices.
    pub(super) fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// Returns a word of ASCII letters.
    pub(super) fn name(&mut self) -> &'static str {
        self.pick(&WORDS[..25])
    }

    /// Returns some words, a few of them with letters beyond ASCII.
    pub(super) fn text(&mut self, words: usize) -> String {
        (0..words).map(|_| self.pick(&WORDS)).collect::<Vec<_>>().join(" ")
    }

    /// Returns `digits` hexadecimal digits.
    pub(super) fn hex(&mut self, digits: usize) -> String {
        (0..digits)
            .map(|_| {
                self.pick(&['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'])
            })
            .collect()
    }

    /// Returns a date and time.
    pub(super) fn time(&mut self) -> String {
        let (month, day) = (self.between(1, 12), self.between(1, 28));
        let (hour, minute, second) = (self.below(24), self.below(60), self.below(60));
        format!("2025-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
    }
}
