//! What is found out about a column, as columns.

use crate::column::{Column, ColumnError};
use crate::run::{Found, Reason, TextVerdict};
use arrow_array::builder::StringBuilder;
use arrow_array::{BooleanArray, StringArray, StructArray};
use arrow_schema::{DataType, Field, Fields};
use std::sync::{Arc, LazyLock};

const VERDICT: &str = "verdict";
const ERROR: &str = "error";
const INSTANCE_PATH: &str = "instance_path";
const SCHEMA_PATH: &str = "schema_path";

static FIELDS: LazyLock<Fields> = LazyLock::new(|| {
    [VERDICT, ERROR, INSTANCE_PATH, SCHEMA_PATH]
        .map(|name| Field::new(name, DataType::Utf8, true))
        .into_iter()
        .collect()
});

/// The type of the answer of [`ColumnValidator::validate`](crate::ColumnValidator::validate).
pub fn answer_type() -> DataType {
    DataType::Struct(FIELDS.clone())
}

/// What was found out about a column.
pub(crate) struct Answer {
    pub(crate) column: Column,
    pub(crate) found: Found,
}

impl Answer {
    pub(crate) fn into_struct(self) -> Result<StructArray, ColumnError> {
        let verdicts = self.strings(VERDICT, |index| Some(self.found.verdict(index).name()))?;
        let errors = self.strings(ERROR, |index| Some(self.found.reason(index)?.error.as_str()))?;
        let paths = |index| self.found.reason(index)?.paths.as_ref();
        let instance_paths =
            self.strings(INSTANCE_PATH, |index| paths(index).map(|(instance, _)| instance))?;
        let schema_paths = self.strings(SCHEMA_PATH, |index| paths(index).map(|(_, schema)| schema))?;
        let columns = [verdicts, errors, instance_paths, schema_paths];
        let columns = columns.map(|column| Arc::new(column) as _).to_vec();
        Ok(StructArray::new(FIELDS.clone(), columns, self.column.nulls))
    }

    pub(crate) fn into_booleans(self) -> BooleanArray {
        let is_valid =
            |row| self.column.index(row).map(|index| self.found.verdict(index) == TextVerdict::Valid);
        (0..self.column.rows).map(is_valid).collect()
    }

    pub(crate) fn into_lines(self) -> Result<StringArray, ColumnError> {
        let line = |reason: &Reason| match &reason.paths {
            None => format!("not JSON: {}", reason.error),
            Some((path, _)) if path.is_empty() => format!("/: {}", reason.error),
            Some((path, _)) => format!("{path}: {}", reason.error),
        };
        self.strings(ERROR, |index| Some(line(self.found.reason(index)?)))
    }

    /// A column with a text for each row that is not null and has one.
    fn strings<T: AsRef<str>>(
        &self,
        field: &'static str,
        text: impl Fn(usize) -> Option<T>,
    ) -> Result<StringArray, ColumnError> {
        let mut strings = StringBuilder::with_capacity(self.column.rows, 0);
        let mut bytes = 0usize;
        for row in 0..self.column.rows {
            match self.column.index(row).and_then(&text) {
                None => strings.append_null(),
                Some(text) => {
                    bytes += text.as_ref().len();
                    if bytes > i32::MAX as usize {
                        return Err(ColumnError::TooLong { field });
                    }
                    strings.append_value(text);
                }
            }
        }
        Ok(strings.finish())
    }
}
