//! Between Python and the engine: values, and texts of callers.

use crate::errors;
use crate::objects;
use crate::sink::ValueSink;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyInt, PyList, PyMemoryView, PyString};
use serde_json::Value;

/// Reads an object as a JSON value, for schemas and options.
pub(crate) fn value_of(object: &Bound<'_, PyAny>) -> PyResult<Value> {
    let mut sink = ValueSink::default();
    match objects::read(object, &mut sink) {
        Ok(()) => Ok(sink.finish()),
        Err(stop) => Err(errors::unreadable(object.py(), stop)),
    }
}

/// A JSON value as a Python object. Values nest no deeper than what made them, which is bounded.
pub(crate) fn object_of<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any(),
        Value::Number(number) => {
            if let Some(value) = number.as_u64() {
                return Ok(value.into_pyobject(py)?.into_any());
            }
            if let Some(value) = number.as_i64() {
                return Ok(value.into_pyobject(py)?.into_any());
            }
            let text = number.to_string();
            if text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
                return py.get_type::<PyInt>().call1((text,));
            }
            number.as_f64().unwrap_or(f64::INFINITY).into_pyobject(py)?.into_any()
        }
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            for item in items {
                list.append(object_of(py, item)?)?;
            }
            list.into_any()
        }
        Value::Object(members) => {
            let dict = PyDict::new(py);
            for (name, value) in members {
                dict.set_item(name, object_of(py, value)?)?;
            }
            dict.into_any()
        }
    })
}

/// JSON text as a Python object.
pub(crate) fn object_of_text<'py>(py: Python<'py>, text: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let value: Value = serde_json::from_slice(text).unwrap_or_default();
    object_of(py, &value)
}

/// The bytes of a caller's text. They do not change while they are looked at.
pub(crate) enum Text<'t> {
    Borrowed(&'t [u8]),
    Copied(Vec<u8>),
}

impl<'t> Text<'t> {
    /// The bytes of a `str`, `bytes`, `bytearray` or `memoryview`.
    pub(crate) fn of(object: &'t Bound<'_, PyAny>) -> PyResult<Text<'t>> {
        if let Ok(text) = object.cast::<PyString>() {
            let Ok(text) = text.to_str() else {
                return Err(errors::not_json(object.py(), "a lone surrogate is no Unicode text", 1, 1));
            };
            return Ok(Text::Borrowed(text.as_bytes()));
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Text::Borrowed(bytes.as_bytes()));
        }
        // Somebody could change these meanwhile.
        if object.is_instance_of::<PyByteArray>() || object.is_instance_of::<PyMemoryView>() {
            let bytes = object.py().get_type::<PyBytes>().call1((object,))?;
            return Ok(Text::Copied(bytes.cast_into::<PyBytes>().map_err(PyErr::from)?.as_bytes().to_vec()));
        }
        Err(PyTypeError::new_err(format!(
            "expected JSON text as str or bytes, found {}",
            object.get_type().fully_qualified_name()?
        )))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Text::Borrowed(bytes) => bytes,
            Text::Copied(bytes) => bytes,
        }
    }
}
