//! `stanchion bench`: measures compiling a schema and checking instances.

use std::error::Error;
use std::time::Duration;

use clap::Args;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use stanchion::{Reader, Validator, ValidatorBuilder, Verdict};

use crate::inputs::{self, Kind};
use crate::settings::{self, Settings};
use crate::source::Document;
use crate::{Outcome, console, source};

/// Measure how long it takes to compile a schema and to check instances against it
///
/// One thread compiles the schema and checks all instances, again and again; the fastest round
/// counts, in CPU time. Steps are the same on every machine. Memory is what the
/// compiled schema takes once all instances were checked. Exits with 0, or with 2 if the schema was
/// refused or something could not be read as JSON.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The schema: a file, or `-` for standard input
    schema: String,

    /// The instances: files, directories, patterns, or `-`, as for `check`
    #[arg(required = true, value_name = "INSTANCE")]
    instances: Vec<String>,

    /// Every line is an instance, whatever the name of the file
    #[arg(long)]
    lines: bool,

    #[command(flatten)]
    settings: Settings,

    /// How long to measure each stage
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = parse_seconds)]
    seconds: Duration,

    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|_| "expected a number of seconds")?;
    match Duration::try_from_secs_f64(seconds) {
        Ok(time) if time <= Duration::from_secs(3600) => Ok(time),
        Ok(_) | Err(_) => Err("expected a number from 0 to 3600".to_owned()),
    }
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Box<dyn Error>> {
    let Arguments { schema, instances, settings, .. } = arguments;
    let named = [schema].into_iter().chain(instances).map(String::as_str);
    source::read_once(named.chain(settings.files()))?;
    let builder = settings.builder()?;
    let schema = source::read_json(schema)?;
    let texts = read(arguments)?;
    // A run may need more stack than the main thread has.
    let stack = settings.bounds().stack_bytes();
    let measured = std::thread::scope(|scope| {
        let work = || measure(&builder, &schema, &texts, arguments.seconds);
        let thread = std::thread::Builder::new().stack_size(stack);
        let thread = thread.spawn_scoped(scope, work).map_err(|error| error.to_string())?;
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })?;
    if arguments.json {
        console::say(&measured.json().to_string())?;
    } else {
        measured.print()?;
    }
    Ok(Outcome::Good)
}

/// Reads the texts of all instances.
fn read(arguments: &Arguments) -> Result<Vec<Vec<u8>>, String> {
    let bounds = arguments.settings.bounds();
    let mut texts = Vec::new();
    let mut room = bounds.text_bytes;
    for input in inputs::list(arguments.instances.iter().map(String::as_str), arguments.lines) {
        let name = &input.name;
        let mut text = Vec::new();
        let read = match &input.kind {
            Kind::Nothing(why) => Err(why.clone()),
            Kind::Document | Kind::Lines => source::read_into(name, &mut text, room, &ProgressBar::hidden()),
        };
        read.map_err(|why| format!("{name}: {why}"))?;
        room -= text.len();
        if input.has_lines() {
            for (line, text) in (1..).zip(text.split(|&byte| byte == b'\n')) {
                if !text.trim_ascii().is_empty() {
                    check(text).map_err(|error| format!("{name}:{line}: {error}"))?;
                    texts.push(text.to_vec());
                }
            }
        } else {
            check(&text).map_err(|error| format!("{name}: {error}"))?;
            texts.push(text);
        }
    }
    if texts.is_empty() {
        return Err("there are no instances".to_owned());
    }
    Ok(texts)
}

/// Whether a text is JSON.
fn check(text: &[u8]) -> Result<(), String> {
    Reader::new().parse(text).map(|_| ()).map_err(|error| format!("not JSON: {error}"))
}

/// The measurements. Times are those of the fastest round.
struct Measured {
    schema_bytes: usize,
    instances: usize,
    bytes: usize,
    valid: usize,
    undecided: usize,
    compile: f64,
    /// Time for all instances, in nanoseconds.
    parsed: f64,
    text: f64,
    steps: u64,
    most_steps: u64,
    heap_bytes: usize,
}

fn measure(
    builder: &ValidatorBuilder,
    schema: &Document,
    texts: &[Vec<u8>],
    time: Duration,
) -> Result<Measured, String> {
    let validator = builder
        .build(&schema.value)
        .map_err(|error| format!("{}: {}", schema.name, settings::refusal(&error)))?;
    let mut reader = Reader::new();
    let mut values: Vec<Value> = Vec::with_capacity(texts.len());
    let (mut valid, mut undecided, mut steps, mut most_steps) = (0, 0, 0, 0);
    for (index, text) in texts.iter().enumerate() {
        let value =
            serde_json::from_slice(text).map_err(|error| format!("instance {}: {error}", index + 1))?;
        let measured = validator.measure(&value);
        valid += usize::from(measured.verdict == Verdict::Valid);
        undecided += usize::from(matches!(measured.verdict, Verdict::Undecided(_)));
        steps += measured.steps;
        most_steps = most_steps.max(measured.steps);
        values.push(value);
    }
    let compile = fastest(time, || drop(std::hint::black_box(builder.build(&schema.value))));
    let parsed = fastest(time, || {
        for value in &values {
            std::hint::black_box(validator.verdict(value));
        }
    });
    let text = fastest(time, || ask_texts(&validator, &mut reader, texts));
    Ok(Measured {
        schema_bytes: schema.text.len(),
        instances: texts.len(),
        bytes: texts.iter().map(Vec::len).sum(),
        valid,
        undecided,
        compile,
        parsed,
        text,
        steps,
        most_steps,
        heap_bytes: validator.program().heap_bytes(),
    })
}

fn ask_texts(validator: &Validator, reader: &mut Reader, texts: &[Vec<u8>]) {
    for text in texts {
        drop(std::hint::black_box(validator.verdict_json_with(reader, text)));
    }
}

/// Returns the CPU time of the fastest round, in nanoseconds. Short rounds are timed many at a
/// time, because of the clock's resolution.
fn fastest(time: Duration, mut round: impl FnMut()) -> f64 {
    const LEAST: Duration = Duration::from_millis(1);
    let mut times = 1u32;
    let mut best = f64::INFINITY;
    let begin = cpu_time();
    loop {
        let start = cpu_time();
        for _ in 0..times {
            round();
        }
        let taken = cpu_time().saturating_sub(start);
        if taken < LEAST && times < 1 << 20 {
            times *= 2;
            continue;
        }
        best = best.min(taken.as_secs_f64() * 1e9 / f64::from(times));
        if cpu_time().saturating_sub(begin) >= time {
            return best;
        }
    }
}

/// Returns the CPU time that this thread has used.
#[cfg(unix)]
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Returns the time since the first call, where there is no CPU time to be had.
#[cfg(not(unix))]
fn cpu_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> = std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

impl Measured {
    fn rate(&self) -> f64 {
        // Bytes per nanosecond are thousands of megabytes per second.
        self.bytes as f64 / self.text * 1e3
    }

    fn each(&self, nanoseconds: f64) -> f64 {
        nanoseconds / self.instances as f64
    }

    fn print(&self) -> std::io::Result<()> {
        let mean = self.steps as f64 / self.instances as f64;
        let lines = [
            ("schema", format!("{} bytes", self.schema_bytes)),
            ("instances", self.described()),
            ("compile", duration(self.compile)),
            ("verdict, parsed", format!("{} an instance", duration(self.each(self.parsed)))),
            (
                "verdict, from text",
                format!("{} an instance, {:.0} MB/s", duration(self.each(self.text)), self.rate()),
            ),
            ("steps", format!("{mean:.1} an instance, {} at most", self.most_steps)),
            ("memory, compiled", format!("{} bytes", self.heap_bytes)),
        ];
        for (label, figure) in lines {
            console::say(&format!("{label:<20}{figure}"))?;
        }
        Ok(())
    }

    fn described(&self) -> String {
        let invalid = self.instances - self.valid - self.undecided;
        let mut text =
            format!("{} of {} bytes: {} valid, {invalid} invalid", self.instances, self.bytes, self.valid);
        if self.undecided > 0 {
            text += &format!(", {} undecided", self.undecided);
        }
        text
    }

    fn json(&self) -> Value {
        json!({
            "schema_bytes": self.schema_bytes,
            "instances": self.instances,
            "instance_bytes": self.bytes,
            "valid": self.valid,
            "invalid": self.instances - self.valid - self.undecided,
            "undecided": self.undecided,
            "compile_ns": self.compile,
            "parsed_ns_per_instance": self.each(self.parsed),
            "text_ns_per_instance": self.each(self.text),
            "text_mb_per_s": self.rate(),
            "steps": self.steps,
            "most_steps": self.most_steps,
            "compiled_heap_bytes": self.heap_bytes,
        })
    }
}

/// Formats a time with about three digits.
fn duration(nanoseconds: f64) -> String {
    match nanoseconds {
        time if time < 1e3 => format!("{time:.0} ns"),
        time if time < 1e6 => format!("{:.2} µs", time / 1e3),
        time if time < 1e9 => format!("{:.2} ms", time / 1e6),
        time => format!("{:.2} s", time / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::duration;

    #[test]
    fn times_are_readable() {
        assert_eq!([7.4, 1234.0, 5.5e6, 2e9].map(duration), ["7 ns", "1.23 µs", "5.50 ms", "2.00 s"]);
    }
}
