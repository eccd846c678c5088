//! Columns that hold JSON text.

use arrow_array::cast::AsArray;
use arrow_array::{Array, BinaryViewArray, GenericBinaryArray, OffsetSizeTrait};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use std::fmt;

/// Why a column was not validated.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnError {
    /// The column is of a type that holds no text.
    Type(DataType),
    /// The texts of one field of the answer are longer than a column of strings may be.
    TooLong {
        /// The name of the field.
        field: &'static str,
    },
}

impl fmt::Display for ColumnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ColumnError::Type(found) => write!(
                f,
                "expected a column of JSON texts (string, large string, string view, binary, large binary, binary view, or a dictionary of these), found {found}"
            ),
            ColumnError::TooLong { field } => write!(
                f,
                "the field {field:?} of the answer would be longer than 2 GiB: validate the column in smaller chunks"
            ),
        }
    }
}

impl std::error::Error for ColumnError {}

/// Texts by number.
pub(crate) trait Texts: Send + Sync {
    fn text(&self, index: usize) -> &[u8];
}

impl<O: OffsetSizeTrait> Texts for GenericBinaryArray<O> {
    fn text(&self, index: usize) -> &[u8] {
        self.value(index)
    }
}

impl Texts for BinaryViewArray {
    fn text(&self, index: usize) -> &[u8] {
        self.value(index)
    }
}

/// A column without texts.
struct NoTexts;

impl Texts for NoTexts {
    fn text(&self, _: usize) -> &[u8] {
        b""
    }
}

/// A column of JSON texts.
pub(crate) struct Column {
    texts: Box<dyn Texts>,
    /// How many texts there are.
    pub(crate) texts_len: usize,
    /// Texts that are null.
    null_texts: Option<NullBuffer>,
    pub(crate) rows: usize,
    /// Rows that are null.
    pub(crate) nulls: Option<NullBuffer>,
    dictionary: Option<Keys>,
}

/// Which texts of a dictionary a column has.
struct Keys {
    /// The number of the text of each row.
    of_rows: Vec<usize>,
    /// Whether a row has the text. A column may be a small part of a large dictionary.
    is_used: Vec<bool>,
}

impl Column {
    pub(crate) fn open(column: &dyn Array) -> Result<Column, ColumnError> {
        let Some(dictionary) = column.as_any_dictionary_opt() else { return Column::plain(column) };
        let values = Column::plain(dictionary.values())?;
        let (rows, nulls) = (column.len(), column.logical_nulls());
        let of_rows = if values.texts_len == 0 { Vec::new() } else { dictionary.normalized_keys() };
        let mut is_used = vec![false; values.texts_len];
        for (row, &key) in of_rows.iter().enumerate() {
            if nulls.as_ref().is_none_or(|nulls| nulls.is_valid(row)) {
                is_used[key] = true;
            }
        }
        Ok(Column { rows, nulls, dictionary: Some(Keys { of_rows, is_used }), ..values })
    }

    fn plain(column: &dyn Array) -> Result<Column, ColumnError> {
        // Strings are taken as bytes, which copies nothing: the reader checks that they are UTF-8.
        let texts: Box<dyn Texts> = match column.data_type() {
            DataType::Utf8 => Box::new(GenericBinaryArray::from(column.as_string::<i32>().clone())),
            DataType::LargeUtf8 => Box::new(GenericBinaryArray::from(column.as_string::<i64>().clone())),
            DataType::Utf8View => Box::new(column.as_string_view().clone().to_binary_view()),
            DataType::Binary => Box::new(column.as_binary::<i32>().clone()),
            DataType::LargeBinary => Box::new(column.as_binary::<i64>().clone()),
            DataType::BinaryView => Box::new(column.as_binary_view().clone()),
            DataType::Null => Box::new(NoTexts),
            other => return Err(ColumnError::Type(other.clone())),
        };
        let (rows, nulls) = (column.len(), column.logical_nulls());
        Ok(Column { texts, texts_len: rows, null_texts: nulls.clone(), rows, nulls, dictionary: None })
    }

    /// A text that a row has.
    pub(crate) fn text(&self, index: usize) -> Option<&[u8]> {
        let is_null = self.null_texts.as_ref().is_some_and(|nulls| nulls.is_null(index));
        let is_unused = self.dictionary.as_ref().is_some_and(|keys| !keys.is_used[index]);
        if is_null || is_unused { None } else { Some(self.texts.text(index)) }
    }

    /// The number of the text of a row that is not null.
    pub(crate) fn index(&self, row: usize) -> Option<usize> {
        match (&self.nulls, &self.dictionary) {
            (Some(nulls), _) if nulls.is_null(row) => None,
            (_, Some(keys)) => keys.of_rows.get(row).copied(),
            (_, None) => Some(row),
        }
    }
}
