//! CPU time and memory of each attack of `suite`: compiling, then the verdict, the errors, and the
//! evaluation with its outputs.
//!
//! ```sh
//! cargo bench -p stanchion-benches --bench hostile              # the largest of each family
//! cargo bench -p stanchion-benches --bench hostile -- --all     # each attack
//! cargo bench -p stanchion-benches --bench hostile -- rings     # those with this in their names
//! ```
//!
//! A figure is for one path from the schema to an answer: compiling, and the slowest instance. The
//! program fails if a path takes more than [`TIME`], or more than [`MEMORY`] above its input. A large
//! instance has more steps by default, and time in the same proportion. Reading a text may take
//! [`MEMORY_PER_BYTE`].

use std::env;
use std::io::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::Value;
use stanchion::{Evaluation, Limits, Validator, Verdict};
use stanchion_benches::clock::cpu_time;
use stanchion_benches::heap::Counting;
use stanchion_suite::hostile::{self, Attack, Expected, Instance, Leeway};

/// Most CPU time for an attack with the fixed steps of [`Limits::steps`].
const TIME: Duration = Duration::from_millis(100);

/// Most memory for an attack, above the schema and the instance.
const MEMORY: usize = 64 << 20;

/// Memory that each byte of a text adds while it is read. Most texts take ten, or two. Names that are
/// repeated have to be sorted.
const MEMORY_PER_BYTE: usize = 32;

/// How often an attack is measured at most.
const ATTEMPTS: usize = 3;

#[global_allocator]
static HEAP: Counting = Counting::new();

/// A way to ask a validator for an answer.
struct Call {
    name: &'static str,
    run: fn(&Validator, &Instance, &[u8]) -> Option<Verdict>,
}

const CALLS: [Call; 9] = [
    Call { name: "verdict", run: |validator, instance, _| Some(validator.verdict(&instance.value)) },
    Call { name: "text", run: |validator, _, text| validator.verdict_json(text).ok() },
    Call {
        name: "errors",
        run: |validator, instance, _| {
            let shown: usize =
                validator.iter_errors(&instance.value).map(|error| error.to_string().len()).sum();
            std::hint::black_box(shown);
            None
        },
    },
    Call {
        name: "evaluate",
        run: |validator, instance, _| Some(validator.evaluate(&instance.value).verdict()),
    },
    Call { name: "basic", run: |validator, instance, _| output(validator, instance, Evaluation::basic) },
    Call {
        name: "detailed",
        run: |validator, instance, _| output(validator, instance, Evaluation::detailed),
    },
    Call { name: "list", run: |validator, instance, _| output(validator, instance, Evaluation::list) },
    Call {
        name: "hierarchical",
        run: |validator, instance, _| output(validator, instance, Evaluation::hierarchical),
    },
    Call { name: "verbose", run: |validator, instance, _| output(validator, instance, Evaluation::verbose) },
];

/// Evaluates an instance and writes one output format.
fn output(validator: &Validator, instance: &Instance, form: fn(&Evaluation) -> Value) -> Option<Verdict> {
    let evaluation = validator.evaluate(&instance.value);
    std::hint::black_box(form(&evaluation));
    Some(evaluation.verdict())
}

/// Highest cost of a step.
#[derive(Clone, Copy, Default)]
struct Cost {
    time: Duration,
    memory: usize,
}

impl Cost {
    fn of<T>(work: impl FnOnce() -> T) -> (Cost, T) {
        let before = HEAP.restart();
        let start = cpu_time();
        let result = work();
        let time = cpu_time().saturating_sub(start);
        (Cost { time, memory: HEAP.peak().saturating_sub(before) }, result)
    }

    fn max(self, other: Cost) -> Cost {
        Cost { time: self.time.max(other.time), memory: self.memory.max(other.memory) }
    }

    fn then(self, next: Cost) -> Cost {
        Cost { time: self.time + next.time, memory: self.memory + next.memory }
    }

    /// Returns what is left of the cost above what the size of the instance allows. The fixed steps have
    /// [`TIME`]. Where a large instance has more of them, it has more time.
    fn above(self, values: u64, read: usize) -> Cost {
        let limit =
            |name: &str| Limits::default().values().find(|limit| limit.0 == name).map_or(0, |limit| limit.1);
        let (fixed, growing) = (limit("steps"), values * limit("steps_per_value"));
        let time = TIME.mul_f64(growing.saturating_sub(fixed) as f64 / fixed as f64);
        let memory = MEMORY_PER_BYTE * read;
        Cost { time: self.time.saturating_sub(time), memory: self.memory.saturating_sub(memory) }
    }

    fn is_too_much(self) -> bool {
        self.time > TIME || self.memory > MEMORY
    }

    fn show(self) -> String {
        format!(
            "{:8.1} ms {:7.1} MiB",
            self.time.as_secs_f64() * 1e3,
            self.memory as f64 / f64::from(1 << 20)
        )
    }
}

/// The cost of each call, and the answer of the first one.
struct Measured {
    name: String,
    family: &'static str,
    compile: Cost,
    calls: Vec<Cost>,
    /// Highest cost of a path above what the size of the instance allows.
    excess: Cost,
    answer: &'static str,
}

impl Measured {
    /// Returns the highest cost of a path: compiling, and the most expensive call.
    fn worst(&self) -> Cost {
        self.calls.iter().fold(self.compile, |worst, &call| worst.max(self.compile.then(call)))
    }
}

/// Counts the values of an instance, where eight bytes of names and texts count as a value.
fn values(instance: &Value) -> u64 {
    let (mut values, mut bytes) = (0, 0);
    let mut open = vec![instance];
    while let Some(value) = open.pop() {
        values += 1;
        match value {
            Value::String(text) => bytes += text.len(),
            Value::Array(items) => open.extend(items),
            Value::Object(members) => {
                bytes += members.keys().map(String::len).sum::<usize>();
                open.extend(members.values());
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    values + bytes as u64 / 8
}

fn measure(attack: &Attack) -> (Cost, Vec<Cost>, Cost, &'static str) {
    let (compile, built) = Cost::of(|| attack.builder().build(&attack.schema));
    let mut calls = vec![Cost::default(); CALLS.len()];
    let validator = match built {
        Ok(validator) => validator,
        Err(_) => return (compile, calls, compile, "refused"),
    };
    let (mut answer, mut excess) = ("right", compile);
    for instance in &attack.instances {
        let text = instance.text();
        let values = values(&instance.value);
        for (call, cost) in CALLS.iter().zip(&mut calls) {
            let (spent, verdict) = Cost::of(|| (call.run)(&validator, instance, text.as_bytes()));
            *cost = cost.max(spent);
            let read = if call.name == "text" { text.len() } else { 0 };
            excess = excess.max(compile.then(spent.above(values, read)));
            match (verdict, instance.expected) {
                (None, _)
                | (Some(Verdict::Valid), Expected::Valid)
                | (Some(Verdict::Invalid), Expected::Invalid) => {}
                (Some(Verdict::Undecided(_)), _) => {
                    if call.name == "verdict" {
                        answer = "undecided";
                    }
                }
                (Some(verdict), expected) => panic!("{}: {verdict:?} where {expected:?} is right", call.name),
            }
        }
    }
    (compile, calls, excess, answer)
}

/// Measures an attack, and again if it took too much: other programs slow the processor's caches down, and
/// never make it faster than it is.
fn least(attack: &Attack) -> (Cost, Vec<Cost>, Cost, &'static str) {
    let mut least = measure(attack);
    for _ in 1..ATTEMPTS {
        if !least.2.is_too_much() {
            break;
        }
        let again = measure(attack);
        if again.2.time < least.2.time {
            least = again;
        }
    }
    least
}

fn main() -> ExitCode {
    // Cargo adds `--bench`.
    let words: Vec<String> = env::args().skip(1).filter(|word| word != "--bench").collect();
    let all = words.iter().any(|word| word == "--all");
    let wanted =
        |name: &str| words.iter().filter(|word| !word.starts_with("--")).all(|word| name.contains(word));

    // Tables that are built once for the process, such as those of Unicode, belong to no attack.
    let _ = Validator::new(&serde_json::json!({"pattern": "^\\p{L}$", "format": "idn-hostname"}));

    let mut measured: Vec<Measured> = Vec::new();
    let (mut answered, mut unanswered) = (0, Vec::new());
    for recipe in hostile::recipes() {
        let name = recipe.to_string();
        if !wanted(&name) {
            continue;
        }
        let attack = recipe.full();
        if all {
            print!("{name} … ");
            let _ = std::io::stdout().flush();
        }
        let (compile, calls, excess, answer) = least(&attack);
        let result = Measured { name, family: recipe.family, compile, calls, excess, answer };
        if all {
            let shown = result.calls.iter().map(|call| format!("{:.1}", call.time.as_secs_f64() * 1e3));
            let compile = result.compile.time.as_secs_f64() * 1e3;
            let calls = shown.collect::<Vec<_>>().join(" ");
            println!("{} (compile {compile:.1}, calls {calls}) {}", result.worst().show(), result.answer);
        }
        let is_ring = attack.instances.iter().all(|instance| instance.expected == Expected::Refused);
        let is_answered = answer == "right" || is_ring;
        answered += usize::from(is_answered);
        if !is_answered && attack.leeway == Leeway::Nothing {
            unanswered.push(result.name.clone());
        }
        measured.push(result);
    }

    println!("\n{:36} {:>7} {:>11} {:>11}", "largest of each family", "attacks", "time", "memory");
    let mut families: Vec<&'static str> = measured.iter().map(|result| result.family).collect();
    families.dedup();
    for family in families {
        let members: Vec<&Measured> = measured.iter().filter(|result| result.family == family).collect();
        let worst = members.iter().fold(Cost::default(), |worst, result| worst.max(result.worst()));
        println!("{family:36} {:>7} {}", members.len(), worst.show());
    }
    for (title, call) in CALLS.iter().map(|call| call.name).zip(0..) {
        if let Some(slowest) = measured.iter().max_by_key(|result| result.calls[call].time) {
            println!("slowest by {title}: {} ({})", slowest.calls[call].show(), slowest.name);
        }
    }
    let slowest = measured.iter().max_by_key(|result| result.worst().time);
    let largest = measured.iter().max_by_key(|result| result.worst().memory);
    for (what, result) in [("slowest", slowest), ("largest", largest)] {
        if let Some(result) = result {
            println!("{what} of all {}: {} ({})", measured.len(), result.worst().show(), result.name);
        }
    }
    println!("answered on values: {answered} of {}", measured.len());
    println!("unanswered, though there is a polynomial answer: {}", unanswered.len());
    for name in &unanswered {
        println!("  {name}");
    }

    let too_much: Vec<&Measured> = measured.iter().filter(|result| result.excess.is_too_much()).collect();
    if too_much.is_empty() {
        return ExitCode::SUCCESS;
    }
    println!(
        "more than {} ms or {} MiB above what the size of the instance allows:",
        TIME.as_millis(),
        MEMORY >> 20
    );
    for result in too_much {
        println!("  {} {}", result.worst().show(), result.name);
    }
    ExitCode::FAILURE
}
