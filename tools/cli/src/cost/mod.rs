//! `stanchion cost`: what a schema may cost to run, which places cause it, and what to change.

mod advice;

use std::error::Error;

use clap::Args;
use serde_json::{Value, json};
use stanchion::{Growth, Limits, PlaceCost, SchemaError, Size, Validator, ValidatorBuilder};
use stanchion_render::visible;

use crate::settings::{self, Settings};
use crate::{Outcome, console, source};
use advice::Advice;

/// Show what a schema may cost to run, before anything runs
///
/// Prints the size of the schema and its limits, how its worst case grows with the instance, a
/// bound on the steps of a verdict, the places that cause it, and what could be changed. All of it
/// is computed from the schema alone. Exits with 0, or with 2 if the schema is refused; if a limit
/// was the reason, prints by how much it is exceeded.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The schema: a file, or `-` for standard input
    schema: String,

    /// Size of the instance to assume, in values at every depth
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    nodes: u64,

    /// Size of the instance to assume, in bytes of JSON; by default, 20 for each value
    #[arg(long, value_name = "N")]
    bytes: Option<u64>,

    /// Number of places to list
    #[arg(long, value_name = "N", default_value_t = 10)]
    places: usize,

    /// Print JSON
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    settings: Settings,
}

/// Assumed bytes of a value, if `--bytes` is not given.
const BYTES_OF_A_NODE: u64 = 20;

/// The report.
struct Report {
    file: String,
    size: Size,
    limits: Vec<(&'static str, u64, u64)>,
    growth: Growth,
    nodes: u64,
    bytes: u64,
    steps: u64,
    most_steps: u64,
    /// Most values of an instance whose verdict surely comes within the steps; `None` if nothing
    /// bounds it.
    certain: Option<u64>,
    places: Vec<PlaceCost>,
    advice: Vec<Advice>,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<Outcome, Box<dyn Error>> {
    let Arguments { schema: file, settings, .. } = arguments;
    source::read_once(settings.files().chain([file.as_str()]))?;
    let document = source::read_json(file)?;
    let builder = settings.builder()?;
    let limits = settings.bounds().limits;
    match builder.build(&document.value) {
        Ok(validator) => {
            let report = Report::new(arguments, &document.value, &validator, &limits);
            let text = if arguments.json { format!("{:#}\n", report.json()) } else { report.text() };
            console::write(text.as_bytes())?;
            Ok(Outcome::Good)
        }
        Err(error) => {
            let lifted = measure_beyond(&builder, &document.value);
            let text = if arguments.json {
                format!("{:#}\n", refused_json(file, &error, lifted, &limits))
            } else {
                lifted.map(|size| sizes(&counts(size, &limits))).unwrap_or_default()
            };
            console::write(text.as_bytes())?;
            console::complain(&format!("{file}: {}", settings::refusal(&error)));
            Ok(Outcome::Unusable)
        }
    }
}

/// Measures a schema that its limits refuse, under wider limits. `None` if it exceeds those, too.
fn measure_beyond(builder: &ValidatorBuilder, schema: &Value) -> Option<Size> {
    let wide = Limits::default()
        .depth(10_000)
        .subschemas(1_000_000)
        .document_bytes(256 << 20)
        .pattern_size(100_000_000);
    // The plain program is enough to count.
    let validator = builder.clone().limits(wide).optimize(false).build(schema).ok()?;
    Some(validator.program().size())
}

/// Returns every count with its limit.
fn counts(size: Size, limits: &Limits) -> Vec<(&'static str, u64, u64)> {
    vec![
        ("depth", size.depth as u64, limit(limits, "depth")),
        ("subschemas", size.subschemas as u64, limit(limits, "subschemas")),
        ("document_bytes", size.document_bytes as u64, limit(limits, "document_bytes")),
        ("pattern_size", size.pattern_size, limit(limits, "pattern_size")),
    ]
}

/// Returns a limit by its name.
fn limit(limits: &Limits, wanted: &str) -> u64 {
    limits.values().find(|(name, _)| *name == wanted).map_or(u64::MAX, |(_, value)| value)
}

impl Report {
    fn new(arguments: &Arguments, schema: &Value, validator: &Validator, limits: &Limits) -> Report {
        let nodes = arguments.nodes;
        let bytes = arguments.bytes.unwrap_or_else(|| nodes.saturating_mul(BYTES_OF_A_NODE));
        let cost = validator.cost();
        let size = validator.program().size();
        let limits_of_size = counts(size, limits);
        let mut places = validator.cost_by_place(nodes, bytes);
        let (steps, most_steps) = (cost.steps(nodes, bytes), limit(limits, "steps"));
        let advice = advice::of(schema, &places, &cost, &limits_of_size, steps, most_steps);
        places.truncate(arguments.places);
        let scale = |nodes: u64| cost.steps(nodes, nodes.saturating_mul(BYTES_OF_A_NODE));
        Report {
            file: arguments.schema.clone(),
            size,
            limits: limits_of_size,
            growth: cost.growth(),
            nodes,
            bytes,
            steps,
            most_steps,
            certain: largest(|nodes| scale(nodes) <= most_steps),
            places,
            advice,
        }
    }

    fn text(&self) -> String {
        let mut text = sizes(&self.limits);
        text += &format!(
            "{:<16} {} patterns, {} references\n",
            "",
            thousands(self.size.patterns as u64),
            thousands(self.size.references as u64)
        );
        text += &format!("\n{:<16} {}\n", "growth", growth(self.growth));
        text += &format!(
            "{:<16} at most {} of {} for {} values in {} bytes\n",
            "steps",
            steps(self.steps),
            thousands(self.most_steps),
            thousands(self.nodes),
            thousands(self.bytes)
        );
        text += &match self.certain {
            Some(0) => format!("{:<16} for no instance is a verdict certain within the steps\n", ""),
            Some(u64::MAX) => format!("{:<16} whatever the instance, a verdict comes within the steps\n", ""),
            Some(nodes) => format!(
                "{:<16} up to {} values of {BYTES_OF_A_NODE} bytes, a verdict is certain within the steps\n",
                "",
                thousands(nodes)
            ),
            None => String::new(),
        };
        text += "\nwhere it comes from\n";
        let total: u64 = self.steps.max(1);
        for place in &self.places {
            let share = if place.steps == u64::MAX {
                "     ".to_owned()
            } else {
                format!("{:3} %", percent(place.steps, total))
            };
            text += &format!("  {share}  {:>15}  {}\n", steps(place.steps), visible(&shown(place)));
        }
        text += "\nwhat to change\n";
        if self.advice.is_empty() {
            text += "  nothing\n";
        }
        for advice in &self.advice {
            text += &format!("  {}\n", advice.words);
            for place in &advice.places {
                text += &format!("    {}\n", visible(place));
            }
            if advice.more > 0 {
                text += &format!("    and {} more\n", thousands(advice.more as u64));
            }
        }
        text
    }

    fn json(&self) -> Value {
        let limited = |(name, count, limit): &(&str, u64, u64)| {
            (name.to_string(), json!({"count": count, "limit": limit}))
        };
        let bounded = |steps: u64| if steps == u64::MAX { Value::Null } else { steps.into() };
        json!({
            "schema": self.file,
            "size": self.limits.iter().map(limited).collect::<serde_json::Map<_, _>>(),
            "patterns": self.size.patterns,
            "references": self.size.references,
            "growth": growth_name(self.growth),
            "nodes": self.nodes,
            "bytes": self.bytes,
            "steps": {"count": bounded(self.steps), "limit": self.most_steps},
            "certain_nodes": self.certain.map(bounded),
            "places": self.places.iter().map(|place| json!({
                "pointer": place.pointer,
                "document": &*place.document,
                "keyword": place.keyword,
                "steps": bounded(place.steps),
            })).collect::<Vec<_>>(),
            "advice": self.advice.iter().map(|advice| json!({
                "text": advice.words,
                "places": advice.places,
                "more": advice.more,
            })).collect::<Vec<_>>(),
        })
    }
}

fn refused_json(file: &str, error: &SchemaError, size: Option<Size>, limits: &Limits) -> Value {
    let limited =
        |(name, count, limit): (&str, u64, u64)| (name.to_owned(), json!({"count": count, "limit": limit}));
    json!({
        "schema": file,
        "refused": error.to_string(),
        "size": size.map(|size| counts(size, limits).into_iter().map(limited).collect::<serde_json::Map<_, _>>()),
    })
}

fn sizes(counts: &[(&str, u64, u64)]) -> String {
    let width = counts.iter().map(|(_, count, _)| thousands(*count).len()).max().unwrap_or(0);
    let line = |(name, count, limit): &(&str, u64, u64)| {
        let over = if count > limit { "  too many" } else { "" };
        format!("{name:<16} {:>width$} of {}{over}\n", thousands(*count), thousands(*limit))
    };
    counts.iter().map(line).collect()
}

fn shown(place: &PlaceCost) -> String {
    let PlaceCost { document, pointer, .. } = place;
    match (document.is_empty(), pointer.is_empty()) {
        (true, true) => "/".to_owned(),
        (true, false) => pointer.clone(),
        (false, _) => format!("{document}#{pointer}"),
    }
}

/// Returns the largest number that satisfies a condition which holds for all smaller ones; `None`
/// if it fails for 0.
fn largest(holds: impl Fn(u64) -> bool) -> Option<u64> {
    if holds(u64::MAX) {
        return Some(u64::MAX);
    }
    if !holds(1) {
        return holds(0).then_some(0);
    }
    let (mut low, mut high) = (1, u64::MAX);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(low)
}

fn growth(growth: Growth) -> &'static str {
    match growth {
        Growth::Constant => "constant: the work does not grow with the instance",
        Growth::Linear => "linear: in proportion to the instance",
        Growth::Polynomial => {
            "polynomial: as a power of the instance, unless verdicts are remembered, as they are"
        }
        Growth::Exponential => {
            "exponential: the ways through the schema double with each level, unless verdicts are remembered, as they are"
        }
    }
}

fn growth_name(growth: Growth) -> &'static str {
    match growth {
        Growth::Constant => "constant",
        Growth::Linear => "linear",
        Growth::Polynomial => "polynomial",
        Growth::Exponential => "exponential",
    }
}

fn steps(steps: u64) -> String {
    if steps == u64::MAX { "without bound".to_owned() } else { thousands(steps) }
}

fn percent(part: u64, whole: u64) -> u64 {
    (u128::from(part) * 100 / u128::from(whole)).min(100) as u64
}

/// Formats a number with separated thousands.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_easy_to_read() {
        assert_eq!(
            [thousands(0), thousands(999), thousands(1_000), thousands(1_234_567)],
            ["0", "999", "1,000", "1,234,567"]
        );
    }

    #[test]
    fn the_largest_number_is_found() {
        assert_eq!(largest(|number| number <= 1_234), Some(1_234));
        assert_eq!(largest(|_| true), Some(u64::MAX));
        assert_eq!(largest(|number| number == 0), Some(0));
        assert_eq!(largest(|_| false), None);
    }
}
