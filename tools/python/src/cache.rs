//! `Cache`: validators by the content of their schemas.

use crate::errors;
use crate::options;
use crate::validator::{Validator, read_schema};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use stanchion_wire::{Options, Problem, Validator as Wire};

/// Validators by the content of their schemas, never by "$id": bounded, and shared between threads.
///
/// `entries` and `bytes` bound what is kept; all other keyword arguments are those of Validator.
///
/// >>> cache = Cache(assert_formats=True)
/// >>> cache.get({"type": "string"}).is_valid("a")
/// True
#[pyclass(frozen, module = "stanchion", name = "Cache")]
pub(crate) struct Cache {
    cache: stanchion::Cache,
    options: Options,
    given: Py<PyDict>,
}

#[pymethods]
impl Cache {
    #[new]
    #[pyo3(signature = (*, entries=None, bytes=None, **options))]
    fn py_new(
        py: Python<'_>,
        entries: Option<usize>,
        bytes: Option<usize>,
        options: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Cache> {
        let read = options::read(py, options)?;
        let mut cache = stanchion::Cache::new(read.builder().clone());
        if let Some(entries) = entries {
            cache = cache.entries(entries);
        }
        if let Some(bytes) = bytes {
            cache = cache.bytes(bytes);
        }
        let given = match options {
            Some(options) => options.copy()?.unbind(),
            None => PyDict::new(py).unbind(),
        };
        Ok(Cache { cache, options: read, given })
    }

    /// The validator for a schema: one that was kept, or a new one.
    #[pyo3(signature = (schema, /))]
    fn get(&self, schema: &Bound<'_, PyAny>) -> PyResult<Validator> {
        let py = schema.py();
        let schema = read_schema(schema)?;
        let engine = self.cache.get_or_build(&schema).map_err(|error| {
            errors::problem(py, &Problem::refused(&error, self.options.builder(), &schema))
        })?;
        let wire = Wire::from_engine(engine, &self.options);
        Ok(Validator::new(wire, schema, self.given.clone_ref(py)))
    }

    /// Forgets all validators. Those in use stay as they are.
    fn clear(&self) {
        self.cache.clear();
    }

    fn __len__(&self) -> usize {
        self.cache.len()
    }
}
