//! Checks that attacks get the right verdict, or none where that is accepted; never a wrong one.
//! Everything runs with the default limits and on 512 KiB of stack.

use std::collections::{BTreeMap, BTreeSet};
use std::thread;

use expect_test::{ExpectFile, expect_file};
use serde_json::{Value, json};
use stanchion::{Evaluation, Limits, SchemaError, SchemaErrorKind, ValidationError, Validator, Verdict};
use stanchion_suite::hostile::{self, Attack, Expected, Instance, Leeway, Recipe};

use crate::promise;

/// Most stack for a run.
const STACK: usize = 512 << 10;

/// Number of attacks. README has it, too.
const ATTACKS: usize = 424;

/// Number of attacks that run at a time.
const WORKERS: usize = 2;

/// The wrong and the missing answers for an attack.
#[derive(Default)]
struct Findings {
    wrong: Vec<String>,
    unanswered: Vec<String>,
    /// Whether an answer is missing, accepted or not.
    is_missed: bool,
}

impl Findings {
    /// Compares a verdict with the correct one.
    fn judge(&mut self, entry_point: &str, attack: &Attack, instance: &Instance, verdict: Verdict) {
        match (verdict, instance.expected) {
            (Verdict::Valid, Expected::Valid) | (Verdict::Invalid, Expected::Invalid) => {}
            (Verdict::Undecided(exhausted), Expected::Valid | Expected::Invalid) => {
                self.is_missed = true;
                if attack.leeway == Leeway::Nothing {
                    self.unanswered.push(format!("{entry_point}: {exhausted}"));
                }
            }
            (verdict, expected) => {
                self.wrong.push(format!("{entry_point}: {verdict:?} where {expected:?} is right"))
            }
        }
    }

    fn judge_refusal(&mut self, attack: &Attack, error: &SchemaError) {
        let is_ring = attack.instances.iter().all(|instance| instance.expected == Expected::Refused);
        self.is_missed = !is_ring;
        if !is_ring && attack.leeway == Leeway::Nothing {
            self.unanswered.push(format!("refused: {error}"));
        }
    }

    fn require(&mut self, holds: bool, what: impl FnOnce() -> String) {
        if !holds {
            self.wrong.push(what());
        }
    }
}

/// Checks the verdict on the value, and on its text.
fn verdicts(attack: &Attack) -> Findings {
    let mut findings = Findings::default();
    let validator = match attack.builder().build(&attack.schema) {
        Ok(validator) => validator,
        Err(error) => {
            findings.judge_refusal(attack, &error);
            return findings;
        }
    };
    for instance in &attack.instances {
        let verdict = validator.verdict(&instance.value);
        findings.judge("value", attack, instance, verdict);
        findings.require(validator.is_valid(&instance.value) == (verdict == Verdict::Valid), || {
            "is_valid is not what the verdict says".to_owned()
        });
        match validator.verdict_json(instance.text().as_bytes()) {
            Ok(verdict) => findings.judge("text", attack, instance, verdict),
            // Parsers have a limit on nesting of their own.
            Err(error) => {
                findings.require(error.to_string().contains("recursion limit"), || error.to_string())
            }
        }
    }
    findings
}

/// Checks that runs with reports end, and agree with the verdict or say that they gave up.
fn reports(attack: &Attack) -> Findings {
    let mut findings = Findings::default();
    let Ok(validator) = attack.builder().build(&attack.schema) else { return findings };
    for instance in &attack.instances {
        let verdict = validator.verdict(&instance.value);
        let errors: Vec<ValidationError> = validator.iter_errors(&instance.value).collect();
        let gave_up = errors.iter().any(|error| error.exhausted().is_some());
        findings.require(errors.len() <= 101, || format!("{} errors", errors.len()));
        let fits = match verdict {
            Verdict::Valid => errors.is_empty(),
            Verdict::Invalid => !errors.is_empty(),
            Verdict::Undecided(_) => gave_up,
        };
        findings.require(fits, || format!("{verdict:?}, and {} errors", errors.len()));
        if verdict == Verdict::Invalid && gave_up && attack.leeway == Leeway::Nothing {
            findings.unanswered.push("iter_errors gave up".to_owned());
        }
        let shown: usize = errors.iter().map(|error| error.to_string().len()).sum();
        findings.require(shown <= 16 << 20, || format!("{shown} bytes of errors"));

        let evaluation = validator.evaluate(&instance.value);
        let evaluated = evaluation.verdict();
        match evaluated {
            Verdict::Valid | Verdict::Invalid => {
                // A report may give up later than a plain verdict, but must not contradict it.
                let agrees = evaluated == verdict || matches!(verdict, Verdict::Undecided(_));
                findings.require(agrees, || format!("{verdict:?}, but evaluated {evaluated:?}"));
                findings.judge("evaluate", attack, instance, evaluated);
            }
            Verdict::Undecided(exhausted) if attack.leeway == Leeway::Nothing => {
                findings.unanswered.push(format!("evaluate: {exhausted}"));
            }
            Verdict::Undecided(_) => {}
        }
    }
    findings
}

/// An output format.
type Form = fn(&Evaluation) -> Value;

/// Checks that outputs keep to the memory limit and agree with the verdict.
fn outputs(attack: &Attack) -> Findings {
    const MEMORY: usize = 1 << 20;
    let mut findings = Findings::default();
    let builder = attack.builder().limits(Limits::default().memory(MEMORY));
    let Ok(validator) = builder.build(&attack.schema) else { return findings };
    let Some(instance) = attack.instances.last() else { return findings };
    let evaluation = validator.evaluate(&instance.value);
    let forms: [(&str, Form); 6] = [
        ("flag", Evaluation::flag),
        ("basic", Evaluation::basic),
        ("detailed", Evaluation::detailed),
        ("list", Evaluation::list),
        ("hierarchical", Evaluation::hierarchical),
        ("verbose", Evaluation::verbose),
    ];
    for (name, form) in forms {
        let output = form(&evaluation);
        let says = output["valid"].as_bool();
        let expected = evaluation.verdict() == Verdict::Valid;
        findings.require(says == Some(expected), || format!("{name} says {says:?}"));
        let bytes = output.to_string().len();
        findings.require(bytes <= 8 * MEMORY, || format!("{name} has {bytes} bytes"));
    }
    findings
}

/// Runs a check of each attack on a small stack, and collects the findings by the names of the
/// attacks.
fn run(
    attack: fn(&Recipe) -> Attack,
    check: fn(&Attack) -> Findings,
) -> BTreeMap<String, (Leeway, Findings)> {
    let work = |worker: usize| {
        let mut found = Vec::new();
        for recipe in hostile::recipes().iter().skip(worker).step_by(WORKERS) {
            let attack = attack(recipe);
            let leeway = attack.leeway;
            let findings = thread::scope(|scope| {
                let runner = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || check(&attack));
                runner.expect("a thread").join()
            });
            let findings = findings.unwrap_or_else(|_| panic!("{recipe}: panicked"));
            found.push((recipe.to_string(), (leeway, findings)));
        }
        found
    };
    thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|worker| scope.spawn(move || work(worker))).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker")).collect()
    })
}

/// Fails with a list if any answer is wrong.
fn nothing_is_wrong(found: &BTreeMap<String, (Leeway, Findings)>) {
    let mut list = String::new();
    for (name, (_, findings)) in found {
        for wrong in &findings.wrong {
            list += &format!("\n  {name}: {wrong}");
        }
    }
    assert!(list.is_empty(), "wrong:{list}");
}

/// Fails unless the unanswered attacks, among those with a polynomial algorithm, are those of the
/// file. A new one is a regression; one that is gone is an improvement, and leaves the file:
/// `UPDATE_EXPECT=1 cargo test -p stanchion-suite attacks_` rewrites it.
fn unanswered_are(expected: &ExpectFile, found: &BTreeMap<String, (Leeway, Findings)>) {
    let mut list = String::new();
    for (name, (_, findings)) in found {
        // The reason itself does not matter here.
        let entry_points: BTreeSet<&str> =
            findings.unanswered.iter().filter_map(|reason| reason.split(':').next()).collect();
        if !entry_points.is_empty() {
            println!("{name}: {}", findings.unanswered.join(", "));
            list += &format!("{name}: {}\n", entry_points.into_iter().collect::<Vec<_>>().join(", "));
        }
    }
    let asked = found.values().filter(|(leeway, _)| *leeway == Leeway::Nothing).count();
    println!("{} of {asked} with a polynomial answer are unanswered", list.lines().count());
    expected.assert_eq(&list);
}

/// Checks that every recipe was tried, each under a name of its own.
fn all_were_tried(found: &BTreeMap<String, (Leeway, Findings)>) {
    assert_eq!((found.len(), hostile::recipes().len()), (ATTACKS, ATTACKS));
}

#[test]
fn attacks_get_the_right_verdict() {
    let found = run(Recipe::full, verdicts);
    all_were_tried(&found);
    nothing_is_wrong(&found);
    unanswered_are(&expect_file!["../../data/hostile/no-verdict.txt"], &found);
    let answered = found.values().filter(|(_, findings)| !findings.is_missed).count();
    println!("{answered} of {ATTACKS} are answered");
    assert_eq!(promise::number("attacks get their true verdict: of "), Some(ATTACKS as f64));
    // Numbers with all their digits are slower: one attack more is stopped.
    let stopped = usize::from(cfg!(feature = "arbitrary_precision"));
    assert_eq!(promise::number(" hostile schemas, ["), Some((answered + stopped) as f64));
}

#[test]
fn attacks_on_reports_end() {
    let found = run(Recipe::full, reports);
    all_were_tried(&found);
    nothing_is_wrong(&found);
    unanswered_are(&expect_file!["../../data/hostile/no-report.txt"], &found);
}

#[test]
fn attacks_on_outputs_end() {
    let found = run(Recipe::full, outputs);
    all_were_tried(&found);
    nothing_is_wrong(&found);
}

/// At a small size, plain code with practically no limits confirms the verdicts.
#[test]
fn small_attacks_are_what_they_seem() {
    fn plainly(attack: &Attack) -> Findings {
        let mut findings = Findings::default();
        let limits = Limits::default().steps(u64::MAX).memory(1 << 30).pattern_size(1 << 24);
        let refused = attack.instances.iter().any(|instance| instance.expected == Expected::Refused);
        for optimize in [false, true] {
            let built = attack.builder().limits(limits).optimize(optimize).build(&attack.schema);
            findings.require(built.is_err() == refused, || format!("built: {:?}", built.as_ref().err()));
            let Ok(validator) = built else { continue };
            for instance in &attack.instances {
                let expected = match instance.expected {
                    Expected::Valid => Verdict::Valid,
                    Expected::Invalid | Expected::Refused => Verdict::Invalid,
                };
                let verdicts = [
                    validator.verdict(&instance.value),
                    validator.verdict_json(instance.text().as_bytes()).expect("a text that is not deep"),
                    validator.evaluate(&instance.value).verdict(),
                ];
                findings.require(verdicts == [expected; 3], || {
                    format!("{verdicts:?} where {expected:?} is right")
                });
            }
        }
        findings
    }
    nothing_is_wrong(&run(Recipe::small, plainly));
}

/// A validator must not confuse an instance with another one at the same address.
#[test]
fn the_same_place_another_instance() {
    let schema = json!({
        "items": {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"}]},
        "$defs": {
            "a": {"anyOf": [{"$ref": "#/$defs/b"}, {"$ref": "#/$defs/b"}]},
            "b": {"allOf": [{"$ref": "#/$defs/c"}, {"$ref": "#/$defs/c"}]},
            "c": {"type": "integer"}
        }
    });
    let validator = Validator::new(&schema).expect("a schema");
    let mut instance = json!(vec![1; 5_000]);
    for round in 0..4 {
        for (last, expected) in [(json!(round), Verdict::Valid), (json!("text"), Verdict::Invalid)] {
            instance[4_999] = last;
            assert_eq!(validator.verdict(&instance), expected);
            assert_eq!(validator.iter_errors(&instance).count(), usize::from(expected == Verdict::Invalid));
        }
    }
}

/// Names are unique, and attacks keep within the bounds that SDKs ship.
#[test]
fn attacks_keep_within_bounds() {
    let recipes = hostile::recipes();
    let mut names: Vec<String> = recipes.iter().map(Recipe::to_string).collect();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), recipes.len());
    for recipe in &recipes {
        let attack = recipe.full();
        assert!(!attack.instances.is_empty(), "{recipe}: no instances");
        assert!(depth(&attack.schema) <= 2 * 64 + 2, "{recipe}: too deep");
        let refused = attack.builder().build(&attack.schema).err();
        if let Some(SchemaErrorKind::Limit { name, .. }) = refused.as_ref().map(SchemaError::kind) {
            let is_known = *name == "pattern_size" || attack.leeway == Leeway::Beyond(name);
            assert!(is_known, "{recipe}: {refused:?}");
        }
    }
}

/// Returns how deep arrays and objects nest in a value: a subschema is one or two of them deeper
/// than the one around it.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(items) => 1 + items.iter().map(depth).max().unwrap_or(0),
        Value::Object(members) => 1 + members.values().map(depth).max().unwrap_or(0),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}
