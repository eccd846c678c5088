//! Validates Arrow columns of JSON text against a JSON Schema.
//!
//! [`ColumnValidator::validate`] takes a column of strings or binary values, one JSON text in each row, and gives a struct column
//! of the same length:
//!
//! | field | type | contents |
//! |---|---|---|
//! | `verdict` | string | `valid`, `invalid`, `undecided` (a limit was reached), or `not_json` |
//! | `error` | string | the most helpful error; null if the row is valid |
//! | `instance_path` | string | where in the row the error is, as a JSON Pointer; null if the row is valid or not JSON |
//! | `schema_path` | string | the keyword that failed, as a JSON Pointer into the schema; null as above |
//!
//! A row that is null stays null.
//!
//! ```
//! use arrow_array::{Array, StringArray, cast::AsArray};
//! use stanchion::Validator;
//! use stanchion_arrow::ColumnValidator;
//!
//! let validator = Validator::new(&serde_json::json!({"properties": {"days": {"minimum": 1}}}))?;
//! let column = StringArray::from(vec![Some(r#"{"days": 3}"#), Some(r#"{"days": 0}"#), Some("{days}"), None]);
//! let answer = ColumnValidator::new(&validator).validate(&column)?;
//!
//! let verdicts = answer.column(0).as_string::<i32>();
//! assert_eq!(verdicts.iter().collect::<Vec<_>>(), [Some("valid"), Some("invalid"), Some("not_json"), None]);
//! assert_eq!(answer.column(1).as_string::<i32>().value(1), "0 is less than the minimum 1");
//! assert_eq!(answer.column(2).as_string::<i32>().value(1), "/days");
//! assert_eq!(answer.column(3).as_string::<i32>().value(1), "/properties/days/minimum");
//! assert!(answer.is_null(3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Cores and memory
//!
//! Rows are shared out among [threads](ColumnValidator::threads) in small ranges, so that a few long rows do not keep all others waiting. Threads
//! are those of the standard library, started for one column and ended with it: a column that is worth a thread takes far longer than
//! starting one, and engines such as DataFusion and Spark, which run columns side by side themselves, ask for one thread and get none.
//!
//! Beside the column and the answer, memory holds one reader for each thread, with buffers of at most some MiB between rows, and the
//! reasons of the rows that are not valid. A dictionary column is validated once for each distinct value.
//!
//! # Trust
//!
//! Every row may be hostile: a run ends within the limits of the validator. Texts are checked to be UTF-8 also in string columns, since
//! columns may come from another process.
#![forbid(unsafe_code)]

mod answer;
mod column;
mod run;

pub use answer::answer_type;
pub use column::ColumnError;

use arrow_array::{Array, BooleanArray, StringArray, StructArray};
use run::Found;
use stanchion::{Messages, Validator};
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// A validator for columns.
#[derive(Clone, Debug)]
pub struct ColumnValidator {
    validator: Validator,
    messages: Messages,
    threads: NonZeroUsize,
}

impl ColumnValidator {
    /// Takes a validator, which is cheap to clone. All cores are used.
    pub fn new(validator: &Validator) -> ColumnValidator {
        ColumnValidator {
            validator: validator.clone(),
            messages: Messages::new(),
            threads: available_parallelism().unwrap_or(NonZeroUsize::MIN),
        }
    }

    /// Sets how many threads may be used. With one, all work is done by the thread that calls.
    #[must_use]
    pub fn threads(mut self, threads: NonZeroUsize) -> ColumnValidator {
        self.threads = threads;
        self
    }

    /// Sets how errors are put into words.
    #[must_use]
    pub fn messages(mut self, messages: Messages) -> ColumnValidator {
        self.messages = messages;
        self
    }

    /// Validates each row. The answer is of the type [`answer_type`].
    pub fn validate(&self, column: &dyn Array) -> Result<StructArray, ColumnError> {
        self.run(column, true)?.into_struct()
    }

    /// Whether each row was proven valid: false also for rows that are undecided or not JSON, null for nulls.
    pub fn is_valid(&self, column: &dyn Array) -> Result<BooleanArray, ColumnError> {
        Ok(self.run(column, false)?.into_booleans())
    }

    /// Why each row is not valid: null for valid ones and for nulls. The text begins with the place, as in `/days: 0 is less than …`, or
    /// with `not JSON: `.
    pub fn error(&self, column: &dyn Array) -> Result<StringArray, ColumnError> {
        self.run(column, true)?.into_lines()
    }

    fn run(&self, column: &dyn Array, explain: bool) -> Result<answer::Answer, ColumnError> {
        let column = column::Column::open(column)?;
        let found = Found::of(&column, self, explain);
        Ok(answer::Answer { column, found })
    }
}
