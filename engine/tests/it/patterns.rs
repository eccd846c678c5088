//! Whatever engine a pattern gets agrees with other implementations: regress, which implements ECMA-262, and fancy-regex.

#[path = "../../../vocab/tests/oracle/generate.rs"]
mod generate;

use generate::{Generated, Random};
use serde_json::{Value, json};
use stanchion::{Validator, Verdict};

/// How many patterns a schema has: with very many, hardly any work is left to build tables.
const MANY: usize = 6_000;

#[test]
fn every_engine_says_what_others_say() {
    let mut random = Random::seeded();
    let (mut answers, mut found) = (0, 0);
    let crowd: Vec<Value> = (0..MANY).map(|index| json!({"pattern": format!("{index}")})).collect();
    for round in 0..600 {
        let generated = Generated::new(&mut random);
        if generated.ecma.len() > 60 {
            continue;
        }
        let alone = Validator::new(&json!({"pattern": generated.ecma})).expect("a schema");
        // Among many, for some of them: compiling thousands of patterns takes its time.
        let crowded = (round % 60 == 0).then(|| {
            let schema = json!({"pattern": generated.ecma, "$defs": {"crowd": {"anyOf": crowd}}});
            Validator::new(&schema).expect("a schema")
        });
        let texts: Vec<String> = (0..12).map(|_| Generated::text(&mut random)).collect();
        let (expected, _) = generated.expected(&texts);
        for (text, expected) in texts.iter().zip(expected) {
            for validator in [Some(&alone), crowded.as_ref()].into_iter().flatten() {
                let said = match validator.verdict(&json!(text)) {
                    Verdict::Valid => true,
                    Verdict::Invalid => false,
                    Verdict::Undecided(_) => continue,
                };
                assert_eq!(said, expected, "{:?} on {text:?}", generated.ecma);
                answers += 1;
                found += usize::from(said);
            }
        }
    }
    println!("{answers} answers, {found} yes");
    assert!(answers > 3_000 && found > 600 && answers - found > 600);
}

/// Equal programs and instances take equal steps, whether engines were built before or not.
#[test]
fn steps_do_not_depend_on_what_ran_before() {
    for source in
        [r"^\p{L}+\b-?[a-z]{300}$", "[ab]*a[ab]{10}c", "^(?=.*a)(?!.*b).*$", "x|y|z|w|v|u", r"(a|b)\1"]
    {
        let schema = json!({"anyOf": [{"pattern": source}, {"pattern": "^q"}, {"pattern": "r$"}]});
        let validator = Validator::new(&schema).expect("a schema");
        let instance = json!("abab-abab");
        let first = validator.measure(&instance);
        assert_eq!(format!("{first:?}"), format!("{:?}", validator.measure(&instance)), "{source}");
    }
}
