//! Columns of Arrow: the compiled half of `stanchion.arrow`.

use crate::capsules::{self, Chunks, Incoming};
use crate::options;
use crate::validator::Validator;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::DataType;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList, PyTuple};
use stanchion_arrow::{ColumnValidator, answer_type};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};

/// What was found out about a column of JSON texts: a struct of verdict, error, instance_path and schema_path for each row.
///
/// Any library that speaks the Arrow PyCapsule interface reads it: pyarrow.chunked_array(column), polars.Series(column),
/// nanoarrow.Array(column).
#[pyclass(frozen, module = "stanchion.arrow", name = "Column")]
pub(crate) struct Column {
    chunks: Vec<ArrayRef>,
}

#[pymethods]
impl Column {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::schema_out(py, &answer_type())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        // A consumer that asks for another type gets this one, as the interface allows.
        let _ = requested_schema;
        let [chunk] = self.chunks.as_slice() else {
            return Err(PyValueError::new_err(format!(
                "the column has {} chunks: read it as a stream",
                self.chunks.len()
            )));
        };
        Ok((capsules::schema_out(py, &answer_type())?, capsules::array_out(py, chunk)?))
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        capsules::stream_out(py, answer_type(), Box::new(self.chunks.clone().into_iter().map(Ok)))
    }

    /// The rows as dicts; None where the column had a null.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = PyList::empty(py);
        for chunk in &self.chunks {
            let chunk = chunk.as_struct();
            for row in 0..chunk.len() {
                if chunk.is_null(row) {
                    rows.append(py.None())?;
                    continue;
                }
                let fields = PyDict::new(py);
                for (name, column) in chunk.column_names().into_iter().zip(chunk.columns()) {
                    let column = column.as_string::<i32>();
                    fields.set_item(name, column.is_valid(row).then(|| column.value(row)))?;
                }
                rows.append(fields)?;
            }
        }
        Ok(rows)
    }

    /// How many chunks there are: as many as the column that was validated had.
    #[getter]
    fn num_chunks(&self) -> usize {
        self.chunks.len()
    }

    fn __len__(&self) -> usize {
        self.chunks.iter().map(|chunk| chunk.len()).sum()
    }

    fn __repr__(&self) -> String {
        format!("<stanchion.arrow.Column of {} rows>", self.__len__())
    }
}

/// A stream of answers, which can be read once.
#[pyclass(frozen, module = "stanchion.arrow", name = "Stream")]
pub(crate) struct Stream {
    chunks: Mutex<Option<Chunks>>,
}

#[pymethods]
impl Stream {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        capsules::schema_out(py, &answer_type())
    }

    #[pyo3(signature = (requested_schema=None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let chunks = self.chunks.lock().unwrap_or_else(PoisonError::into_inner).take();
        let chunks = chunks.ok_or_else(|| PyValueError::new_err("the stream has been read already"))?;
        capsules::stream_out(py, answer_type(), chunks)
    }
}

/// Validates a column that is there. Chunks are read, validated and dropped one by one.
pub(crate) fn validate(
    column: &Bound<'_, PyAny>,
    validator: &Validator,
    threads: Option<usize>,
) -> PyResult<Column> {
    let columns = columns_of(column.py(), validator, threads)?;
    let incoming = chunks_of(column)?;
    let one = |chunk: Result<ArrayRef, String>| Ok(Arc::new(answer(&columns, &chunk?)?) as _);
    let run = || incoming.map(one).collect::<Result<Vec<ArrayRef>, String>>();
    let chunks = column.py().detach(run);
    if let Some(error) = options::raised() {
        return Err(error);
    }
    Ok(Column { chunks: chunks.map_err(PyValueError::new_err)? })
}

/// Validates a stream while somebody reads the answers. It is one of tables, which have no null rows: a null is a row of nulls.
pub(crate) fn validate_stream(
    stream: &Bound<'_, PyAny>,
    validator: &Validator,
    threads: Option<usize>,
) -> PyResult<Stream> {
    let columns = columns_of(stream.py(), validator, threads)?;
    let incoming = chunks_of(stream)?;
    let chunks: Chunks = Box::new(incoming.map(move |chunk| {
        let (fields, columns, _) = answer(&columns, &chunk?)?.into_parts();
        // Nobody is there to raise it but the consumer of the stream.
        match options::raised() {
            None => Ok(Arc::new(StructArray::new(fields, columns, None)) as _),
            Some(error) => Err(error.to_string()),
        }
    }));
    Ok(Stream { chunks: Mutex::new(Some(chunks)) })
}

fn answer(columns: &ColumnValidator, chunk: &ArrayRef) -> Result<StructArray, String> {
    let texts = match chunk.data_type() {
        // A table of one column. Tables have no nulls of their own.
        DataType::Struct(fields) if fields.len() == 1 && chunk.null_count() == 0 => {
            chunk.as_struct().column(0)
        }
        DataType::Struct(fields) => {
            return Err(format!(
                "expected a column of JSON texts, found {} columns: select the one with the texts",
                fields.len()
            ));
        }
        _ => chunk,
    };
    columns.validate(texts).map_err(|error| error.to_string())
}

fn columns_of(py: Python<'_>, validator: &Validator, threads: Option<usize>) -> PyResult<ColumnValidator> {
    let wire = &validator.wire;
    let columns = ColumnValidator::new(wire.engine()).messages(wire.messages().clone());
    // What a format of the caller's own raises is found by the thread that runs it.
    let threads = if validator.has_own_formats(py)? { Some(1) } else { threads };
    match threads.map(NonZeroUsize::new) {
        None => Ok(columns),
        Some(Some(threads)) => Ok(columns.threads(threads)),
        Some(None) => Err(PyValueError::new_err("threads: expected at least 1, found 0")),
    }
}

/// The chunks of an object that speaks the PyCapsule interface.
fn chunks_of(column: &Bound<'_, PyAny>) -> PyResult<Chunks> {
    if column.hasattr("__arrow_c_stream__")? {
        return Ok(Box::new(Incoming::take(&column.call_method0("__arrow_c_stream__")?)?));
    }
    if column.hasattr("__arrow_c_array__")? {
        let capsules = column.call_method0("__arrow_c_array__")?;
        let capsules = capsules.cast::<PyTuple>().map_err(PyErr::from)?;
        let chunk = capsules::array_in(&capsules.get_item(0)?, &capsules.get_item(1)?)?;
        return Ok(Box::new(std::iter::once(Ok(chunk))));
    }
    Err(PyTypeError::new_err(format!(
        "expected a column of pyarrow, polars, duckdb, nanoarrow or any other library with __arrow_c_array__ or __arrow_c_stream__, found {}",
        column.get_type().fully_qualified_name()?
    )))
}
