//! `Validator` and `Evaluation`.

use crate::convert::{Text, object_of, value_of};
use crate::errors;
use crate::objects;
use crate::options;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyDict, PyList, PyString, PyTuple};
use serde_json::Value;
use stanchion::{InstanceBuilder, InstanceNode, Reader, Verdict};
use stanchion_wire::Validator as Wire;
use std::cell::Cell;
use std::sync::Arc;

/// Buffers above this size are given back after a call.
const KEPT_BYTES: usize = 1 << 20;

/// A run on an instance with more values and names than this releases the GIL.
const MANY_VALUES: usize = 4_096;

/// A text of more bytes than this is read and validated with the GIL released. Below it, releasing takes longer than the work.
const LONG_TEXT: usize = 1_024;

thread_local! {
    static BUILDER: Cell<Option<Box<InstanceBuilder>>> = const { Cell::new(None) };
    static READER: Cell<Option<Box<Reader>>> = const { Cell::new(None) };
}

/// Reads an object onto the tape of this thread, and does something with it.
#[inline]
fn with_object<T: Send>(
    object: &Bound<'_, PyAny>,
    run: impl FnOnce(InstanceNode<'_>) -> T + Send,
) -> PyResult<T> {
    // Taken out, so that Python code which runs while an object is read may validate, too.
    let mut builder = BUILDER.take().unwrap_or_default();
    let answer = match objects::read(object, &mut *builder) {
        Err(stop) => Err(errors::unreadable(object.py(), stop)),
        Ok(()) if builder.len() > MANY_VALUES => {
            let builder = &mut builder;
            object.py().detach(|| Ok(builder.finish().map(|instance| run(instance.root()))))
        }
        Ok(()) => Ok(builder.finish().map(|instance| run(instance.root()))),
    };
    builder.clear_to(KEPT_BYTES);
    BUILDER.set(Some(builder));
    // A walk that went through has begun and ended all that it found.
    answer?.map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))
}

/// Reads a text by the reader of this thread, and does something with it.
#[inline]
fn with_text<T: Send>(
    object: &Bound<'_, PyAny>,
    run: impl FnOnce(InstanceNode<'_>) -> T + Send,
) -> PyResult<T> {
    let text = Text::of(object)?;
    let bytes = text.bytes();
    let read = || {
        let mut reader = READER.take().unwrap_or_default();
        let answer = reader.parse(bytes).map(|instance| run(instance.root()));
        if bytes.len() <= KEPT_BYTES {
            READER.set(Some(reader));
        }
        answer
    };
    let answer = if bytes.len() > LONG_TEXT { object.py().detach(read) } else { read() };
    answer.map_err(|error| errors::not_json_text(object.py(), &error))
}

fn name_of(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Valid => "valid",
        Verdict::Invalid => "invalid",
        Verdict::Undecided(_) => "undecided",
    }
}

/// A compiled schema. It is immutable, and any number of threads may use it.
///
/// `schema` is a dict or a bool, or JSON text as str or bytes. All other arguments are keywords:
///
/// dialect         of schemas that declare none: "2020-12" (the default), "2019-09", "draft-07", "draft-06", "draft-04"
/// limits          a dict: depth, subschemas, document_bytes, pattern_size, steps, instance_depth, memory, errors
/// references      "local" (the default): only "#...". "bundled": also $ids in the schema, and resources. Nothing is ever fetched
/// resources       schemas by URI, for references to find; "bundled" is then the default
/// assert_formats  whether "format" is an assertion (default False)
/// formats         checks of your own by name: functions of a str that return whether it is right
/// preset          an MCP SDK whose ways to take: "typescript", "python", "ruby", "csharp", "java", "go"
/// options         any other option of the wire contract, by its name there
///
/// Raises SchemaError if the schema is refused, OptionError if an option is wrong.
///
/// >>> validator = Validator({"properties": {"days": {"minimum": 1}}})
/// >>> validator.is_valid({"days": 3})
/// True
#[pyclass(frozen, module = "stanchion", name = "Validator", weakref)]
pub(crate) struct Validator {
    pub(crate) wire: Wire,
    schema: Arc<Value>,
    /// The keyword arguments, as they were given.
    options: Py<PyDict>,
}

impl Validator {
    pub(crate) fn new(wire: Wire, schema: Value, options: Py<PyDict>) -> Validator {
        Validator { wire, schema: Arc::new(schema), options }
    }

    /// Whether formats are checked by functions of the caller.
    pub(crate) fn has_own_formats(&self, py: Python<'_>) -> PyResult<bool> {
        self.options.bind(py).contains("formats")
    }
}

/// The schema that an argument is: an object, or the text of one.
pub(crate) fn read_schema(schema: &Bound<'_, PyAny>) -> PyResult<Value> {
    if schema.is_instance_of::<PyString>() || schema.is_instance_of::<PyBytes>() {
        let text = Text::of(schema)?;
        return Wire::read_schema(text.bytes()).map_err(|problem| errors::problem(schema.py(), &problem));
    }
    value_of(schema)
}

/// Raises what a format of the caller's own has raised, if it has.
#[inline]
fn unless_raised<T>(answer: T) -> PyResult<T> {
    match options::raised() {
        None => Ok(answer),
        Some(error) => Err(error),
    }
}

#[pymethods]
impl Validator {
    #[new]
    #[pyo3(signature = (schema, /, **options))]
    fn py_new(schema: &Bound<'_, PyAny>, options: Option<&Bound<'_, PyDict>>) -> PyResult<Validator> {
        let py = schema.py();
        let read = options::read(py, options)?;
        let schema = read_schema(schema)?;
        let wire = Wire::build(&schema, &read).map_err(|problem| errors::problem(py, &problem))?;
        let options = match options {
            Some(options) => options.copy()?.unbind(),
            None => PyDict::new(py).unbind(),
        };
        Ok(Validator::new(wire, schema, options))
    }

    /// Whether an object is valid. False also if that could not be decided within the limits.
    ///
    /// Raises InstanceError if the object is none that JSON has.
    #[pyo3(signature = (instance, /))]
    fn is_valid(&self, instance: &Bound<'_, PyAny>) -> PyResult<bool> {
        let engine = self.wire.engine();
        with_object(instance, |root| engine.is_valid(root)).and_then(unless_raised)
    }

    /// "valid", "invalid", or "undecided" if the run reached a limit.
    #[pyo3(signature = (instance, /))]
    fn verdict(&self, instance: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        let engine = self.wire.engine();
        with_object(instance, |root| name_of(engine.verdict(root))).and_then(unless_raised)
    }

    /// Raises ValidationError if an object is not valid: the most helpful error.
    #[pyo3(signature = (instance, /))]
    fn validate(&self, instance: &Bound<'_, PyAny>) -> PyResult<()> {
        let engine = self.wire.engine();
        let found = with_object(instance, |root| check(engine, root, 1)).and_then(unless_raised)?;
        self.raise(instance.py(), found)
    }

    /// All errors, most helpful first, up to `limits["errors"]`; none if the object is valid.
    #[pyo3(signature = (instance, /))]
    fn iter_errors<'py>(&self, instance: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let engine = self.wire.engine();
        let found = with_object(instance, |root| check(engine, root, usize::MAX)).and_then(unless_raised)?;
        self.iterate(instance.py(), found)
    }

    /// All errors as a short text for a language model that has to mend the object: "" if it is valid.
    #[pyo3(signature = (instance, /, max_chars=2000))]
    fn for_model(&self, instance: &Bound<'_, PyAny>, max_chars: usize) -> PyResult<String> {
        let engine = self.wire.engine();
        let errors = with_object(instance, |root| engine.iter_errors(root)).and_then(unless_raised)?;
        Ok(self.wire.messages().for_model(&errors, max_chars))
    }

    /// What the schema says about an object: annotations, errors, and the output formats of the specification.
    #[pyo3(signature = (instance, /))]
    fn evaluate(&self, instance: &Bound<'_, PyAny>) -> PyResult<Evaluation> {
        let engine = self.wire.engine();
        with_object(instance, |root| evaluate(engine, root))
            .and_then(unless_raised)
            .map(|found| self.evaluated(found))
    }

    /// Like is_valid, for JSON text as str or bytes.
    ///
    /// Raises NotJSONError if the text is not JSON. Texts of more than 1 KiB are read with the GIL released.
    #[pyo3(signature = (text, /))]
    fn is_valid_json(&self, text: &Bound<'_, PyAny>) -> PyResult<bool> {
        let engine = self.wire.engine();
        with_text(text, |root| engine.is_valid(root)).and_then(unless_raised)
    }

    /// Like verdict, for JSON text.
    #[pyo3(signature = (text, /))]
    fn verdict_json(&self, text: &Bound<'_, PyAny>) -> PyResult<&'static str> {
        let engine = self.wire.engine();
        with_text(text, |root| name_of(engine.verdict(root))).and_then(unless_raised)
    }

    /// Like validate, for JSON text.
    #[pyo3(signature = (text, /))]
    fn validate_json(&self, text: &Bound<'_, PyAny>) -> PyResult<()> {
        let engine = self.wire.engine();
        let found = with_text(text, |root| check(engine, root, 1)).and_then(unless_raised)?;
        self.raise(text.py(), found)
    }

    /// Like iter_errors, for JSON text.
    #[pyo3(signature = (text, /))]
    fn iter_errors_json<'py>(&self, text: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let engine = self.wire.engine();
        let found = with_text(text, |root| check(engine, root, usize::MAX)).and_then(unless_raised)?;
        self.iterate(text.py(), found)
    }

    /// Like for_model, for JSON text.
    #[pyo3(signature = (text, /, max_chars=2000))]
    fn for_model_json(&self, text: &Bound<'_, PyAny>, max_chars: usize) -> PyResult<String> {
        let engine = self.wire.engine();
        let errors = with_text(text, |root| engine.iter_errors(root)).and_then(unless_raised)?;
        Ok(self.wire.messages().for_model(&errors, max_chars))
    }

    /// Like evaluate, for JSON text.
    #[pyo3(signature = (text, /))]
    fn evaluate_json(&self, text: &Bound<'_, PyAny>) -> PyResult<Evaluation> {
        let engine = self.wire.engine();
        with_text(text, |root| evaluate(engine, root))
            .and_then(unless_raised)
            .map(|found| self.evaluated(found))
    }

    /// The schema, as a new object.
    #[getter]
    fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        object_of(py, &self.schema)
    }

    /// The keyword arguments that the validator was made with.
    #[getter]
    fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.options.bind(py).copy()
    }

    /// The compiled program as a listing, for people.
    fn program(&self) -> String {
        self.wire.engine().program().to_string()
    }

    /// A bound on the steps of a verdict on any object of so many values in so many bytes of JSON text, and where it comes from.
    fn cost<'py>(&self, py: Python<'py>, nodes: u64, bytes: u64) -> PyResult<Bound<'py, PyAny>> {
        crate::convert::object_of_text(py, &self.wire.cost(nodes, bytes).text)
    }

    /// How large the schema is, counted as limits count it.
    fn size<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        crate::convert::object_of_text(py, &self.wire.size().text)
    }

    /// The steps that a verdict on an object takes: the same on every machine.
    #[pyo3(signature = (instance, /))]
    fn steps(&self, instance: &Bound<'_, PyAny>) -> PyResult<u64> {
        let engine = self.wire.engine();
        with_object(instance, |root| engine.measure(root).steps).and_then(unless_raised)
    }

    fn __repr__(&self) -> String {
        let text = self.schema.to_string();
        let shown: String = text.chars().take(60).collect();
        let more = if shown.len() < text.len() { "..." } else { "" };
        format!("<stanchion.Validator {shown}{more}>")
    }

    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyAny>) -> PyRef<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let restore = py.import("stanchion._errors")?.getattr("restore_validator")?;
        let schema = PyString::new(py, &self.schema.to_string()).into_any();
        Ok((restore, PyTuple::new(py, [schema, self.options.bind(py).clone().into_any()])?))
    }

    fn __traverse__(&self, visit: pyo3::PyVisit<'_>) -> Result<(), pyo3::PyTraverseError> {
        visit.call(&self.options)
    }
}

/// What was found wrong with an instance, and where.
type Found = (stanchion::Errors, Vec<Vec<errors::PathStep>>);

/// Finds errors, of which so many are to be raised. An instance that is valid costs a verdict.
fn check(engine: &stanchion::Validator, root: InstanceNode<'_>, most: usize) -> Option<Found> {
    if engine.is_valid(root) {
        return None;
    }
    let errors = engine.iter_errors(root);
    let paths = errors::paths(&errors, root, most);
    Some((errors, paths))
}

fn evaluate(engine: &stanchion::Validator, root: InstanceNode<'_>) -> (stanchion::Evaluation, Option<Found>) {
    let evaluation = engine.evaluate(root);
    let found = if evaluation.is_valid() { None } else { check(engine, root, usize::MAX) };
    (evaluation, found)
}

impl Validator {
    fn raise(&self, py: Python<'_>, found: Option<Found>) -> PyResult<()> {
        match found {
            None => Ok(()),
            Some((errors, paths)) => {
                let first = errors::exceptions(py, errors, &self.wire, paths, 1)?.into_iter().next();
                first.map_or(Ok(()), |error| Err(PyErr::from_value(error)))
            }
        }
    }

    fn iterate<'py>(&self, py: Python<'py>, found: Option<Found>) -> PyResult<Bound<'py, PyAny>> {
        let found = match found {
            None => Vec::new(),
            Some((errors, paths)) => errors::exceptions(py, errors, &self.wire, paths, usize::MAX)?,
        };
        Ok(PyList::new(py, found)?.into_any().try_iter()?.into_any())
    }

    fn evaluated(&self, (evaluation, found): (stanchion::Evaluation, Option<Found>)) -> Evaluation {
        Evaluation { evaluation, found: std::sync::Mutex::new(found), wire: self.wire.clone() }
    }
}

/// What a schema says about an object.
#[pyclass(frozen, module = "stanchion", name = "Evaluation")]
pub(crate) struct Evaluation {
    evaluation: stanchion::Evaluation,
    found: std::sync::Mutex<Option<Found>>,
    wire: Wire,
}

#[pymethods]
impl Evaluation {
    /// Whether the object is valid.
    #[getter]
    fn valid(&self) -> bool {
        self.evaluation.is_valid()
    }

    /// "valid", "invalid" or "undecided".
    #[getter]
    fn verdict(&self) -> &'static str {
        name_of(self.evaluation.verdict())
    }

    /// What the keywords that held say: dicts with instance_path, schema_path, keyword, evaluation_path and value.
    #[getter]
    fn annotations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for annotation in self.evaluation.annotations() {
            let dict = PyDict::new(py);
            dict.set_item("instance_path", annotation.instance_path())?;
            dict.set_item("schema_path", annotation.schema_path())?;
            dict.set_item("keyword", annotation.keyword())?;
            dict.set_item("evaluation_path", annotation.evaluation_path())?;
            dict.set_item("absolute_location", annotation.schema_location())?;
            dict.set_item("value", object_of(py, annotation.value())?)?;
            list.append(dict)?;
        }
        Ok(list)
    }

    /// The errors as ValidationErrors. They are handed out once.
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let found = self.found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        match found {
            None => Ok(Vec::new()),
            Some((errors, paths)) => errors::exceptions(py, errors, &self.wire, paths, usize::MAX),
        }
    }

    /// An output format of the specification: "flag", "basic", "detailed", "verbose", "list" or "hierarchical".
    fn output<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyAny>> {
        let output = match format {
            "flag" => self.evaluation.flag(),
            "basic" => self.evaluation.basic(),
            "detailed" => self.evaluation.detailed(),
            "verbose" => self.evaluation.verbose(),
            "list" => self.evaluation.list(),
            "hierarchical" => self.evaluation.hierarchical(),
            other => {
                return Err(pyo3::exceptions::PyValueError::new_err(format!(
                    "expected \"flag\", \"basic\", \"detailed\", \"verbose\", \"list\" or \"hierarchical\", found {other:?}"
                )));
            }
        };
        object_of(py, &output)
    }

    fn __repr__(&self) -> String {
        format!("<stanchion.Evaluation {}>", self.verdict())
    }
}
