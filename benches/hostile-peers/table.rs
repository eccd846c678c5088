//! The outcomes of the attacks, as a table in text and in JSON.

use std::fmt;

use serde_json::{Value, json};

/// Outcome of an attack on a validator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The right verdict on every instance.
    Right,
    /// The schema was refused, or an instance was left undecided.
    Refused,
    /// A wrong verdict.
    Wrong,
    /// No answer within the time limit.
    TimeOut,
    /// The process died: a stack overflow, a panic, or no more memory.
    Crash,
}

impl Outcome {
    /// All outcomes, the best first.
    pub(crate) const ALL: [Outcome; 5] =
        [Outcome::Right, Outcome::Refused, Outcome::Wrong, Outcome::TimeOut, Outcome::Crash];

    /// Returns the name used in tables.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Outcome::Right => "right",
            Outcome::Refused => "refused or undecided",
            Outcome::Wrong => "wrong",
            Outcome::TimeOut => "time-out",
            Outcome::Crash => "crash",
        }
    }

    pub(crate) fn by_name(name: &str) -> Option<Outcome> {
        Outcome::ALL.into_iter().find(|outcome| outcome.name() == name)
    }
}

/// An attack, and its outcome on each validator.
pub(crate) struct Row {
    pub(crate) family: String,
    pub(crate) name: String,
    pub(crate) outcomes: Vec<Outcome>,
}

/// All attacks on all validators.
pub(crate) struct Table {
    pub(crate) validators: Vec<String>,
    pub(crate) rows: Vec<Row>,
}

impl Table {
    /// Returns the rows of each family, in order.
    pub(crate) fn families(&self) -> Vec<&[Row]> {
        self.rows.chunk_by(|a, b| a.family == b.family).collect()
    }

    /// Returns how many of these rows have this outcome on a validator.
    pub(crate) fn count(rows: &[Row], validator: usize, outcome: Outcome) -> usize {
        rows.iter().filter(|row| row.outcomes[validator] == outcome).count()
    }

    /// Returns the outcome of an attack on a validator.
    pub(crate) fn outcome(&self, family: &str, name: &str, validator: &str) -> Option<Outcome> {
        let column = self.validators.iter().position(|known| known == validator)?;
        let row = self.rows.iter().find(|row| row.family == family && row.name == name)?;
        row.outcomes.get(column).copied()
    }

    /// Returns the table as JSON, with a line for each attack.
    pub(crate) fn to_json(&self) -> String {
        let row = |row: &Row| {
            let outcomes: Vec<&str> = row.outcomes.iter().map(|outcome| outcome.name()).collect();
            format!("    {}", json!({"family": row.family, "name": row.name, "outcomes": outcomes}))
        };
        let rows: Vec<String> = self.rows.iter().map(row).collect();
        let validators = json!(self.validators);
        format!("{{\n  \"validators\": {validators},\n  \"attacks\": [\n{}\n  ]\n}}\n", rows.join(",\n"))
    }

    pub(crate) fn from_json(value: &Value) -> Option<Table> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let validators = value["validators"].as_array()?.iter().map(text).collect::<Option<_>>()?;
        let row = |row: &Value| {
            let outcomes = row["outcomes"].as_array()?.iter();
            let outcomes =
                outcomes.map(|outcome| Outcome::by_name(outcome.as_str()?)).collect::<Option<_>>()?;
            Some(Row { family: text(&row["family"])?, name: text(&row["name"])?, outcomes })
        };
        Some(Table { validators, rows: value["attacks"].as_array()?.iter().map(row).collect::<Option<_>>()? })
    }
}

impl fmt::Display for Table {
    /// Writes, for each family and validator, how many attacks were answered right, and the
    /// outcomes of the others.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cell = |rows: &[Row], validator: usize| {
            let right = Table::count(rows, validator, Outcome::Right);
            let mut cell = format!("{right}/{}", rows.len());
            for (outcome, sign) in Outcome::ALL[1..].iter().zip(["?", "wrong", "time", "crash"]) {
                let count = Table::count(rows, validator, *outcome);
                if count > 0 {
                    cell += &format!(" {count}{sign}");
                }
            }
            cell
        };
        let line = |f: &mut fmt::Formatter<'_>, first: &str, cells: Vec<String>| {
            write!(f, "| {first:32} ")?;
            for cell in cells {
                write!(f, "| {cell:26} ")?;
            }
            writeln!(f, "|")
        };
        line(f, "family", self.validators.clone())?;
        line(f, "---", vec!["---".to_owned(); self.validators.len()])?;
        for rows in self.families() {
            line(f, &rows[0].family, (0..self.validators.len()).map(|at| cell(rows, at)).collect())?;
        }
        line(f, "all", (0..self.validators.len()).map(|at| cell(&self.rows, at)).collect())?;
        writeln!(
            f,
            "\nright/all; ? refused or undecided, time: no end in ten seconds, crash: stack, memory or panic"
        )
    }
}
