//! The matcher agrees with other implementations: regress, which implements ECMA-262, and fancy-regex.

#[path = "oracle/generate.rs"]
mod generate;

use generate::{Generated, Random};
use stanchion_vocab::ecma::{Matcher, Meter, Pattern};

/// A meter with this much work and unlimited memory.
struct Units(u64);

impl Meter<()> for Units {
    fn spend(&mut self, units: u64) -> Result<(), ()> {
        self.0 = self.0.checked_sub(units).ok_or(())?;
        Ok(())
    }

    fn hold(&mut self, _: usize) -> Result<(), ()> {
        Ok(())
    }

    fn release(&mut self, _: usize) {}
}

#[test]
fn random_patterns_mean_what_others_say() {
    let mut random = Random::seeded();
    let (mut by_both, mut found, mut answers) = (0, 0, 0);
    for _ in 0..4_000 {
        let generated = Generated::new(&mut random);
        if generated.ecma.len() > 60 {
            continue;
        }
        let pattern =
            Pattern::parse(&generated.ecma).unwrap_or_else(|error| panic!("{}: {error}", generated.ecma));
        let matcher = Matcher::new(&pattern);
        let texts: Vec<String> = (0..8).map(|_| Generated::text(&mut random)).collect();
        let (expected, is_fancy) = generated.expected(&texts);
        for (text, expected) in texts.iter().zip(expected) {
            // Backreferences may exceed the budget; then there is nothing to compare.
            let Ok(said) = matcher.is_match(text, &mut Units(100_000)) else { continue };
            assert_eq!(said, expected, "{:?} on {text:?}", generated.ecma);
            answers += 1;
            found += usize::from(said);
        }
        by_both += usize::from(is_fancy);
    }
    println!("{answers} answers, {found} yes, {by_both} patterns known to fancy-regex");
    assert!(answers > 10_000 && found > 2_000 && answers - found > 2_000 && by_both > 1_000);
}
