//! Exceptions: what went wrong in Rust, as the classes of `stanchion._errors`.

use crate::convert::{object_of, object_of_text};
use crate::objects::{Reason, Step, Stop};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyTuple, PyType};
use serde_json::Value;
use stanchion::{Array, BuildError, ErrorKind, Errors, InstanceNode, Node, Object, TextError, View};
use stanchion_wire::{Problem, Status, Validator};
use std::sync::Arc;

static INSTANCE_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static NOT_JSON: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static SCHEMA_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static OPTION_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static VALIDATION_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static UNDECIDED: PyOnceLock<Py<PyType>> = PyOnceLock::new();

fn raised<'py>(
    py: Python<'py>,
    class: &PyOnceLock<Py<PyType>>,
    name: &str,
    arguments: impl IntoPyObject<'py, Target = PyTuple, Output = Bound<'py, PyTuple>, Error = PyErr>,
) -> PyErr {
    let make = || {
        let class = class.import(py, "stanchion._errors", name)?;
        class.call1(arguments.into_pyobject(py)?)
    };
    match make() {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// An object that is not JSON.
#[cold]
pub(crate) fn unreadable(py: Python<'_>, stop: Stop) -> PyErr {
    let stopped = stop.into_stopped();
    let (mut steps, mut around) = (stopped.steps, stopped.around);
    let message = match stopped.reason {
        Reason::Raised(error) => return error,
        Reason::NotJson(message) => message,
        Reason::Build(error @ BuildError::Depth { .. }) => {
            around.sort_unstable();
            if around.windows(2).any(|pair| pair[0] == pair[1]) {
                // The way goes round and round: its start is enough.
                let shown = steps.len().min(8);
                steps.drain(..steps.len() - shown);
                "an object contains itself".to_owned()
            } else {
                error.to_string()
            }
        }
        Reason::Build(BuildError::NotANumber) => "NaN and infinities are no numbers in JSON".to_owned(),
        Reason::Build(error) => error.to_string(),
    };
    steps.reverse();
    match steps_of(py, steps) {
        Ok(path) => raised(py, &INSTANCE_ERROR, "InstanceError", (message, path)),
        Err(error) => error,
    }
}

fn steps_of(py: Python<'_>, steps: Vec<Step>) -> PyResult<Bound<'_, PyTuple>> {
    let steps = steps.into_iter().map(|step| {
        Ok(match step {
            Step::Name(name) => name.into_pyobject(py)?.into_any(),
            Step::Index(index) => index.into_pyobject(py)?.into_any(),
        })
    });
    PyTuple::new(py, steps.collect::<PyResult<Vec<_>>>()?)
}

/// A text that is not JSON.
#[cold]
pub(crate) fn not_json(py: Python<'_>, message: &str, line: usize, column: usize) -> PyErr {
    raised(py, &NOT_JSON, "NotJSONError", (message, line, column))
}

#[cold]
pub(crate) fn not_json_text(py: Python<'_>, error: &TextError) -> PyErr {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = message.strip_suffix(&place).unwrap_or(&message);
    not_json(py, message, error.line(), error.column())
}

/// A schema or an option that was refused.
#[cold]
pub(crate) fn problem(py: Python<'_>, problem: &Problem) -> PyErr {
    let facts: Value = serde_json::from_slice(problem.json()).unwrap_or_default();
    let text = |name: &str| facts[name].as_str().unwrap_or_default().to_owned();
    if problem.status() == Status::Misuse {
        return raised(py, &OPTION_ERROR, "OptionError", (text("message"),));
    }
    match object_of(py, &facts) {
        Ok(facts) => raised(py, &SCHEMA_ERROR, "SchemaError", (text("message"), facts)),
        Err(error) => error,
    }
}

/// An error of an instance, with those that were found beside it.
#[pyclass(frozen, module = "stanchion._stanchion", name = "Fault")]
pub(crate) struct Fault {
    errors: Arc<Errors>,
    at: usize,
    validator: Validator,
    path: Vec<PathStep>,
}

/// A step of a path, found while the instance is there.
pub(crate) enum PathStep {
    Name(String),
    Index(usize),
}

impl Fault {
    fn error(&self) -> Option<&stanchion::ValidationError> {
        self.errors.as_slice().get(self.at)
    }

    fn text(&self, part: impl FnOnce(&stanchion::ValidationError) -> &str) -> &str {
        self.error().map(part).unwrap_or_default()
    }
}

#[pymethods]
impl Fault {
    #[getter]
    fn message(&self) -> String {
        self.error().map(|error| self.validator.messages().message(error)).unwrap_or_default()
    }

    #[getter]
    fn line(&self) -> String {
        self.error().map(|error| self.validator.messages().line(error)).unwrap_or_default()
    }

    #[getter]
    fn pointer(&self) -> &str {
        self.text(|error| error.instance_path())
    }

    #[getter]
    fn path<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let steps = self.path.iter().map(|step| {
            Ok(match step {
                PathStep::Name(name) => name.into_pyobject(py)?.into_any(),
                PathStep::Index(index) => index.into_pyobject(py)?.into_any(),
            })
        });
        PyTuple::new(py, steps.collect::<PyResult<Vec<_>>>()?)
    }

    #[getter]
    fn schema_pointer(&self) -> &str {
        self.text(|error| error.schema_path())
    }

    #[getter]
    fn evaluation_pointer(&self) -> &str {
        self.text(|error| error.evaluation_path())
    }

    #[getter]
    fn absolute_location(&self) -> &str {
        self.text(|error| error.absolute_location())
    }

    #[getter]
    fn keyword(&self) -> &str {
        self.text(|error| error.keyword())
    }

    #[getter]
    fn kind(&self) -> &'static str {
        self.error().map_or("", |error| kind(error.kind()))
    }

    #[getter]
    fn advice(&self) -> Option<String> {
        self.error()?.advice()
    }

    /// The facts as the wire contract has them.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let json = self.error().map(|error| self.validator.error_json(error)).unwrap_or_default();
        object_of_text(py, &json)
    }

    fn for_model(&self, max_chars: usize) -> String {
        self.validator.messages().for_model(&self.errors, max_chars)
    }

    /// The errors of the branches of a union, each with the index of its branch; nothing if it is about no union.
    fn branches(&self, py: Python<'_>) -> PyResult<Vec<(usize, Vec<Py<PyAny>>)>> {
        let Some(error) = self.error() else { return Ok(Vec::new()) };
        let union = error.union();
        let branches = match union.as_ref().unwrap_or(error).kind() {
            ErrorKind::AnyOf { branches } | ErrorKind::OneOf { branches, .. } => branches,
            _ => return Ok(Vec::new()),
        };
        branches
            .iter()
            .map(|branch| {
                let inner = branch
                    .errors()
                    .iter()
                    .map(|error| object_of_text(py, &self.validator.error_json(error)).map(Bound::unbind));
                Ok((branch.index(), inner.collect::<PyResult<Vec<_>>>()?))
            })
            .collect()
    }
}

/// Exceptions for the errors that were found, and whether there are more than these.
pub(crate) fn exceptions<'py>(
    py: Python<'py>,
    errors: Errors,
    validator: &Validator,
    paths: Vec<Vec<PathStep>>,
    most: usize,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let errors = Arc::new(errors);
    let count = errors.as_slice().len().min(most);
    let mut paths = paths.into_iter();
    (0..count)
        .map(|at| {
            let path = paths.next().unwrap_or_default();
            let fault = Fault { errors: Arc::clone(&errors), at, validator: validator.clone(), path };
            let is_undecided = fault.error().is_some_and(|error| error.exhausted().is_some());
            let class = if is_undecided {
                UNDECIDED.import(py, "stanchion._errors", "UndecidedError")?
            } else {
                VALIDATION_ERROR.import(py, "stanchion._errors", "ValidationError")?
            };
            class.call1((Bound::new(py, fault)?,))
        })
        .collect()
}

/// The ways to the places of errors, by names and indices.
pub(crate) fn paths(errors: &Errors, root: InstanceNode<'_>, most: usize) -> Vec<Vec<PathStep>> {
    errors.as_slice().iter().take(most).map(|error| path(error.instance_path(), root)).collect()
}

/// A pointer as names and indices: what a step of digits is depends on what it leads into.
fn path(pointer: &str, root: InstanceNode<'_>) -> Vec<PathStep> {
    let steps = pointer.split('/').skip(1);
    let is_index = |step: &str| !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
    let has_index = steps.clone().any(is_index);
    let mut node = has_index.then_some(root);
    steps
        .map(|step| {
            let name = step.replace("~1", "/").replace("~0", "~");
            match node.map(|node| node.view()) {
                Some(View::Array(items)) if is_index(step) => {
                    let index: usize = step.parse().unwrap_or(usize::MAX);
                    node = items.iter().nth(index);
                    PathStep::Index(index)
                }
                Some(View::Object(members)) => {
                    node = members.get(&name);
                    PathStep::Name(name)
                }
                _ => {
                    node = None;
                    PathStep::Name(name)
                }
            }
        })
        .collect()
}

/// The name of a kind of error.
fn kind(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::Never { .. } => "false",
        ErrorKind::UnknownProperty { .. } => "unknown_property",
        ErrorKind::UnexpectedItem { .. } => "unexpected_item",
        ErrorKind::Type { .. } => "type",
        ErrorKind::Const { .. } => "const",
        ErrorKind::Enum { .. } => "enum",
        ErrorKind::Minimum { .. } => "minimum",
        ErrorKind::Maximum { .. } => "maximum",
        ErrorKind::ExclusiveMinimum { .. } => "exclusive_minimum",
        ErrorKind::ExclusiveMaximum { .. } => "exclusive_maximum",
        ErrorKind::MultipleOf { .. } => "multiple_of",
        ErrorKind::MinLength { .. } => "min_length",
        ErrorKind::MaxLength { .. } => "max_length",
        ErrorKind::Pattern { .. } => "pattern",
        ErrorKind::Format { .. } => "format",
        ErrorKind::Content { .. } => "content",
        ErrorKind::MinItems { .. } => "min_items",
        ErrorKind::MaxItems { .. } => "max_items",
        ErrorKind::UniqueItems { .. } => "unique_items",
        ErrorKind::Contains { .. } => "contains",
        ErrorKind::MinProperties { .. } => "min_properties",
        ErrorKind::MaxProperties { .. } => "max_properties",
        ErrorKind::Required { .. } => "required",
        ErrorKind::DependentRequired { .. } => "dependent_required",
        ErrorKind::PropertyNames { .. } => "property_names",
        ErrorKind::AnyOf { .. } => "any_of",
        ErrorKind::OneOf { .. } => "one_of",
        ErrorKind::Not => "not",
        ErrorKind::Exhausted(_) => "exhausted",
        _ => "other",
    }
}
