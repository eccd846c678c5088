//! The measurements, and their geometric means.

use serde_json::{Map, Value, json};

use super::validators::Peer;

/// The source of a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    Own,
    Corpus,
    Tools,
}

impl Group {
    pub(crate) const ALL: &[Group] = &[Group::Own, Group::Corpus, Group::Tools];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Group::Own => "own",
            Group::Corpus => "corpus",
            Group::Tools => "tools",
        }
    }

    pub(crate) fn by_name(name: &str) -> Option<Group> {
        Group::ALL.iter().copied().find(|group| group.name() == name)
    }
}

/// A measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Value,
    Invalid,
    Validate,
    Errors,
    FirstError,
    AllErrors,
    Tape,
    SimdTape,
    Text,
    Compile,
    Heap,
    HeapUsed,
}

impl Stage {
    pub(crate) const ALL: &[Stage] = &[
        Stage::Value,
        Stage::Invalid,
        Stage::Validate,
        Stage::Errors,
        Stage::FirstError,
        Stage::AllErrors,
        Stage::Tape,
        Stage::SimdTape,
        Stage::Text,
        Stage::Compile,
        Stage::Heap,
        Stage::HeapUsed,
    ];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Stage::Value => "value",
            Stage::Invalid => "invalid",
            Stage::Validate => "validate",
            Stage::Errors => "errors",
            Stage::FirstError => "first-error",
            Stage::AllErrors => "all-errors",
            Stage::Tape => "tape",
            Stage::SimdTape => "simd-tape",
            Stage::Text => "text",
            Stage::Compile => "compile",
            Stage::Heap => "heap",
            Stage::HeapUsed => "heap-used",
        }
    }

    pub(crate) fn by_name(name: &str) -> Option<Stage> {
        Stage::ALL.iter().copied().find(|stage| stage.name() == name)
    }

    /// Returns a description of the measurement.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Stage::Value => "is_valid on serde_json::Value",
            Stage::Invalid => "is_valid on serde_json::Value, invalid instances only",
            Stage::Validate => "validate on serde_json::Value, with the error and its places as text",
            Stage::Errors => "iter_errors on serde_json::Value, with all errors and their places as text",
            Stage::FirstError => "validate, invalid instances only",
            Stage::AllErrors => "iter_errors, invalid instances only",
            Stage::Tape => "is_valid on a parsed tape (corvus: its own document)",
            Stage::SimdTape => "is_valid on simd-json's tape (corvus: its own document)",
            Stage::Text => "JSON text to verdict (jsonschema, boon: by serde_json)",
            Stage::Compile => "compile",
            Stage::Heap => "heap of a compiled validator",
            Stage::HeapUsed => "heap of a validator after all instances",
        }
    }

    /// Whether only invalid instances count.
    pub(crate) fn is_of_invalid(self) -> bool {
        matches!(self, Stage::Invalid | Stage::FirstError | Stage::AllErrors)
    }

    /// Whether the unit is bytes rather than nanoseconds.
    pub(crate) fn is_heap(self) -> bool {
        matches!(self, Stage::Heap | Stage::HeapUsed)
    }
}

/// Measurements on a set: nanoseconds for all of it, or bytes.
pub(crate) struct Row {
    pub(crate) group: Group,
    pub(crate) name: String,
    /// Number of instances, or of tool schemas, in the comparison.
    pub(crate) instances: usize,
    pub(crate) invalid: usize,
    /// Validators and instances that were left out, and why.
    pub(crate) notes: Vec<String>,
    pub(crate) costs: Vec<(Stage, Peer, f64)>,
}

impl Row {
    pub(crate) fn new(group: Group, name: &str) -> Row {
        Row { group, name: name.to_owned(), instances: 0, invalid: 0, notes: Vec::new(), costs: Vec::new() }
    }

    pub(crate) fn cost(&self, stage: Stage, peer: Peer) -> Option<f64> {
        self.costs.iter().find(|(at, who, _)| (*at, *who) == (stage, peer)).map(|(_, _, cost)| *cost)
    }

    /// Returns a peer's cost divided by Stanchion's.
    pub(crate) fn ratio(&self, stage: Stage, peer: Peer) -> Option<f64> {
        let (theirs, ours) = (self.cost(stage, peer)?, self.cost(stage, Peer::Stanchion)?);
        (ours > 0.0 && theirs > 0.0).then_some(theirs / ours)
    }
}

/// The geometric mean of a group's ratios.
pub(crate) struct Mean {
    pub(crate) group: Group,
    pub(crate) stage: Stage,
    pub(crate) peer: Peer,
    /// The geometric mean.
    pub(crate) mean: f64,
    /// Number of sets.
    pub(crate) sets: usize,
    /// The least ratio, and its set.
    pub(crate) worst: (f64, String),
}

/// All measurements.
pub(crate) struct Results {
    pub(crate) rows: Vec<Row>,
}

impl Results {
    pub(crate) fn new() -> Results {
        Results { rows: Vec::new() }
    }

    /// Adds a row, and prints its notes at once.
    pub(crate) fn add(&mut self, row: Row) {
        for note in &row.notes {
            eprintln!("  {note}");
        }
        self.rows.push(row);
    }

    pub(crate) fn group(&self, group: Group) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.group == group)
    }

    /// Returns the mean of a stage over a group, for a peer; `None` if it was not measured.
    pub(crate) fn mean(&self, group: Group, stage: Stage, peer: Peer) -> Option<Mean> {
        let ratios = self.group(group).filter_map(|row| Some((row.ratio(stage, peer)?, row.name.clone())));
        let ratios: Vec<(f64, String)> = ratios.collect();
        let sets = ratios.len();
        let mean = (ratios.iter().map(|(ratio, _)| ratio.ln()).sum::<f64>() / sets as f64).exp();
        let worst = ratios.into_iter().min_by(|(a, _), (b, _)| a.total_cmp(b))?;
        Some(Mean { group, stage, peer, mean, sets, worst })
    }

    /// Returns all means.
    pub(crate) fn means(&self) -> Vec<Mean> {
        let mut means = Vec::new();
        for &group in Group::ALL {
            for &stage in Stage::ALL {
                for &peer in Peer::ALL.iter().filter(|peer| **peer != Peer::Stanchion) {
                    means.extend(self.mean(group, stage, peer));
                }
            }
        }
        means
    }

    /// Returns which map serde_json uses in this program.
    pub(crate) fn map() -> &'static str {
        if cfg!(feature = "corvus") { "preserve_order" } else { "sorted" }
    }

    /// Returns all figures as JSON, with a line for each set.
    pub(crate) fn to_json(&self) -> String {
        let rows: Vec<String> = self.rows.iter().map(|row| format!("    {}", row_json(row))).collect();
        let means: Vec<String> = self.means().iter().map(|mean| format!("    {}", mean_json(mean))).collect();
        format!(
            "{{\n  \"map\": \"{}\",\n  \"means\": [\n{}\n  ],\n  \"sets\": [\n{}\n  ]\n}}\n",
            Results::map(),
            means.join(",\n"),
            rows.join(",\n")
        )
    }
}

fn row_json(row: &Row) -> Value {
    let mut stages = Map::new();
    for (stage, peer, cost) in &row.costs {
        let unit = if stage.is_heap() { "bytes" } else { "ns" };
        let costs = stages.entry(stage.name()).or_insert_with(|| json!({"unit": unit}));
        costs[peer.name()] = cost.round().into();
    }
    json!({
        "group": row.group.name(),
        "name": row.name,
        "instances": row.instances,
        "invalid": row.invalid,
        "notes": row.notes,
        "stages": stages
    })
}

fn mean_json(mean: &Mean) -> Value {
    json!({
        "group": mean.group.name(),
        "stage": mean.stage.name(),
        "peer": mean.peer.name(),
        "mean": mean.mean,
        "sets": mean.sets,
        "worst": mean.worst.0,
        "worst_set": mean.worst.1
    })
}
