//! Keyword arguments, as the options of `stanchion-wire`.

use crate::convert::value_of;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyMapping};
use serde_json::{Map, Value};
use stanchion::ValidatorBuilder;
use stanchion_mcp::Sdk;
use stanchion_wire::Options;
use std::cell::RefCell;

thread_local! {
    /// What a format of the caller's own has raised in this run.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// What a format of the caller's own has raised since this was asked last.
#[inline]
pub(crate) fn raised() -> Option<PyErr> {
    RAISED.with(|raised| raised.borrow_mut().take())
}

/// Reads keyword arguments.
pub(crate) fn read(py: Python<'_>, given: Option<&Bound<'_, PyDict>>) -> PyResult<Options> {
    let mut builder = ValidatorBuilder::default();
    let mut members = Map::new();
    let Some(given) = given else { return Ok(Options::new(builder)) };
    let mut formats: Vec<(String, Py<PyAny>)> = Vec::new();
    for (name, value) in given.iter() {
        let name: String = name.extract()?;
        if value.is_none() {
            continue;
        }
        match name.as_str() {
            "preset" => {
                let preset: String = value.extract()?;
                let Some(sdk) = Sdk::ALL.into_iter().find(|sdk| sdk.name() == preset) else {
                    let names: Vec<&str> = Sdk::ALL.into_iter().map(Sdk::name).collect();
                    return Err(option_error(
                        py,
                        &format!("preset: expected one of {names:?}, found {preset:?}"),
                    ));
                };
                builder = sdk.profile().builder();
            }
            "dialect" => drop(members.insert("dialect".into(), value_of(&value)?)),
            "unknown_dialect" => drop(members.insert("unknownDialect".into(), value_of(&value)?)),
            "references" => drop(members.insert("references".into(), value_of(&value)?)),
            "assert_formats" => drop(members.insert("assertFormats".into(), value_of(&value)?)),
            "ignore_formats" => drop(members.insert("ignoreFormats".into(), value_of(&value)?)),
            "array_items" => drop(members.insert("arrayItems".into(), value_of(&value)?)),
            "resources" => {
                members.entry("references").or_insert_with(|| "bundled".into());
                members.insert("resources".into(), value_of(&value)?);
            }
            "limits" => {
                let limits = match value_of(&value)? {
                    Value::Object(limits) => Value::Object(
                        limits.into_iter().map(|(name, value)| (camel_case(&name), value)).collect(),
                    ),
                    other => other,
                };
                members.insert("limits".into(), limits);
            }
            "messages" => {
                let messages = match value_of(&value)? {
                    Value::Object(messages) => Value::Object(
                        messages.into_iter().map(|(name, value)| (camel_case(&name), value)).collect(),
                    ),
                    other => other,
                };
                members.insert("messages".into(), messages);
            }
            "formats" => {
                let mapping = value.cast::<PyMapping>().map_err(|_| {
                    PyTypeError::new_err("formats: expected a dict of functions by the names of formats")
                })?;
                for item in mapping.items()?.iter() {
                    formats.push(item.extract()?);
                }
            }
            "options" => match value_of(&value)? {
                Value::Object(more) => members.extend(more),
                _ => return Err(option_error(py, "options: expected a dict")),
            },
            _ => {
                return Err(PyTypeError::new_err(format!(
                    "Validator() got an unexpected keyword argument {name:?}; there are dialect, unknown_dialect, limits, references, resources, assert_formats, ignore_formats, formats, array_items, messages, preset and options"
                )));
            }
        }
    }
    for (name, check) in formats {
        if !check.bind(py).is_callable() {
            return Err(PyTypeError::new_err(format!("formats: the check of {name:?} cannot be called")));
        }
        builder = builder.format(&name, move |text| holds(&check, text));
    }
    Options::new(builder).with_all(&members).map_err(|problem| crate::errors::problem(py, &problem))
}

/// Asks a format of the caller's own. What it raises is raised when the run has ended.
fn holds(check: &Py<PyAny>, text: &str) -> bool {
    Python::attach(|py| match check.bind(py).call1((text,)).and_then(|answer| answer.is_truthy()) {
        Ok(holds) => holds,
        Err(error) => {
            RAISED.with(|raised| *raised.borrow_mut() = Some(error));
            false
        }
    })
}

fn option_error(py: Python<'_>, message: &str) -> PyErr {
    match py.import("stanchion._errors").and_then(|module| module.getattr("OptionError")?.call1((message,))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// `document_bytes` as the contract has it: `documentBytes`.
fn camel_case(name: &str) -> String {
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |mut name, word| {
        let mut letters = word.chars();
        name.extend(letters.next().into_iter().flat_map(char::to_uppercase));
        name.extend(letters);
        name
    })
}
