//! Stanchion for Python.
//!
//! Python objects are read in place onto the engine's tape ([`objects`], by the rules of [`other`]), and verdicts and errors run on
//! that. JSON text goes to the engine's own reader. Schemas become values of serde_json. Options and errors are those of `stanchion-wire`, so
//! they are the same as in other languages. Columns go to `stanchion-arrow` ([`columns`], [`capsules`]). Exceptions and everything that is easier in Python is in `python/stanchion`.

mod cache;
mod capsules;
mod columns;
mod convert;
mod errors;
mod objects;
mod options;
mod other;
mod sink;
mod toolbox;
mod validator;

use pyo3::prelude::*;

/// The compiled half of the package `stanchion`.
#[pymodule(gil_used = false)]
mod _stanchion {
    #[pymodule_export]
    use crate::cache::Cache;
    #[pymodule_export]
    use crate::columns::{Column, Stream};
    #[pymodule_export]
    use crate::errors::Fault;
    #[pymodule_export]
    use crate::toolbox::Toolbox;
    #[pymodule_export]
    use crate::validator::{Evaluation, Validator};
    use pyo3::prelude::*;

    /// Validates a column of JSON texts. `stanchion.arrow.validate` is the door to it.
    #[pyfunction]
    #[pyo3(signature = (column, validator, threads=None))]
    fn validate_column(
        column: &Bound<'_, PyAny>,
        validator: &Bound<'_, Validator>,
        threads: Option<usize>,
    ) -> PyResult<Column> {
        crate::columns::validate(column, validator.get(), threads)
    }

    /// Validates a stream of columns while it is read. `stanchion.arrow.validate_stream` is the door to it.
    #[pyfunction]
    #[pyo3(signature = (stream, validator, threads=None))]
    fn validate_stream(
        stream: &Bound<'_, PyAny>,
        validator: &Bound<'_, Validator>,
        threads: Option<usize>,
    ) -> PyResult<Stream> {
        crate::columns::validate_stream(stream, validator.get(), threads)
    }

    /// All that is wrong with a schema, and what it probably did not mean: a dict with errors, warnings, isCut.
    #[pyfunction]
    #[pyo3(signature = (schema, /, **options))]
    fn diagnose<'py>(
        schema: &Bound<'py, PyAny>,
        options: Option<&Bound<'py, pyo3::types::PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        crate::diagnose(schema, options)
    }

    /// One call of the wire contract, as the cases of the test suite have them: JSON text in, the status and the answer out.
    #[pyfunction]
    fn wire(
        function: &str,
        schema: &[u8],
        options: &[u8],
        instance: &[u8],
        numbers: (u64, u64),
    ) -> (u8, Vec<u8>) {
        crate::wire(function, schema, options, instance, numbers)
    }
}

fn diagnose<'py>(
    schema: &Bound<'py, PyAny>,
    options: Option<&Bound<'py, pyo3::types::PyDict>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = schema.py();
    let options = options::read(py, options)?;
    let schema = validator::read_schema(schema)?;
    let answer = stanchion_wire::Validator::diagnose_value(&schema, &options);
    convert::object_of_text(py, &answer.text)
}

fn wire(
    function: &str,
    schema: &[u8],
    options: &[u8],
    instance: &[u8],
    numbers: (u64, u64),
) -> (u8, Vec<u8>) {
    use stanchion_wire::{Answer, Output, Status, Validator};
    if function == "diagnose" {
        let Answer { status, text } = Validator::diagnose(schema, options);
        return (status as u8, text);
    }
    let validator = match Validator::new(schema, options) {
        Ok(validator) => validator,
        Err(problem) => return (problem.status() as u8, problem.into_json()),
    };
    let Answer { status, text } = match function {
        "new" => Answer { status: Status::Valid, text: Vec::new() },
        "check" => Answer { status: validator.check(instance), text: Vec::new() },
        "measure" => {
            let (status, steps) = validator.measure(instance);
            Answer { status, text: steps.to_string().into_bytes() }
        }
        "explain" => validator.explain(instance),
        "explain_first" => validator.explain_first(instance),
        "explain_in_full" => validator.explain_in_full(instance),
        "for_model" => validator.for_model(instance, numbers.0 as usize),
        "output" => match Output::from_number(numbers.0 as u32) {
            Some(output) => validator.output(instance, output),
            None => Answer { status: Status::Misuse, text: Vec::new() },
        },
        "annotations" => validator.annotations(instance),
        "cost" => validator.cost(numbers.0, numbers.1),
        "size" => validator.size(),
        "program" => validator.program(),
        _ => Answer { status: Status::Misuse, text: Vec::new() },
    };
    (status as u8, text)
}
