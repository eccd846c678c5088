//! Objects that are none of the types which the `json` module makes: what they stand for, by rules that the README lists.

use crate::objects::{Step, Stop, Walk};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyInt, PyMapping, PyString, PyType};
use stanchion::InstanceSink;

// Classes of the standard library, imported once.
static DECIMAL: PyOnceLock<Py<PyType>> = PyOnceLock::new();
static ENUM: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// Reads an object of another type.
#[cold]
#[inline(never)]
pub(crate) fn read<S: InstanceSink>(
    walk: &mut Walk<'_, '_, S>,
    object: &Bound<'_, PyAny>,
) -> Result<(), Stop> {
    let py = object.py();
    if object.is_instance(ENUM.import(py, "enum", "Enum")?)? {
        let value = object.getattr("value")?;
        if value.is_instance(ENUM.import(py, "enum", "Enum")?)? {
            return Err(Stop::not_json("the value of an enum is an enum itself".to_owned()));
        }
        return walk.inner(&value);
    }
    if object.is_instance(DECIMAL.import(py, "decimal", "Decimal")?)? {
        let text = object.str()?;
        let text = text.to_str()?;
        return walk.sink.number(text).map_err(|_| Stop::not_json(format!("{text} is no number in JSON")));
    }
    if let Ok(fields) = object.get_type().getattr("__dataclass_fields__") {
        return dataclass(walk, object, &fields);
    }
    if let Ok(mapping) = object.cast::<PyMapping>() {
        return self::mapping(walk, mapping);
    }
    Err(no_value(object))
}

/// Reads the fields of a dataclass as members, in their order.
fn dataclass<S: InstanceSink>(
    walk: &mut Walk<'_, '_, S>,
    object: &Bound<'_, PyAny>,
    fields: &Bound<'_, PyAny>,
) -> Result<(), Stop> {
    let py = object.py();
    let plain = py.import("dataclasses")?.getattr("_FIELD").ok();
    walk.sink.begin_object()?;
    for name in fields.try_iter()? {
        let name = name?;
        // Pseudo-fields, such as those of `ClassVar`, are no members.
        let kind = fields.get_item(&name)?.getattr("_field_type").ok();
        if let (Some(kind), Some(plain)) = (&kind, &plain)
            && !kind.is(plain)
        {
            continue;
        }
        let name = name.cast_into::<PyString>().map_err(PyErr::from)?;
        let value = object.getattr(&name)?;
        member(walk, &name, &value)?;
    }
    Ok(walk.sink.end()?)
}

fn mapping<S: InstanceSink>(walk: &mut Walk<'_, '_, S>, mapping: &Bound<'_, PyMapping>) -> Result<(), Stop> {
    walk.sink.begin_object()?;
    for item in mapping.items()?.iter() {
        let (name, value): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
        match name.cast::<PyString>() {
            Ok(name) => member(walk, name, &value)?,
            Err(_) => return Err(no_name(&name)),
        }
    }
    Ok(walk.sink.end()?)
}

fn member<S: InstanceSink>(
    walk: &mut Walk<'_, '_, S>,
    name: &Bound<'_, PyString>,
    value: &Bound<'_, PyAny>,
) -> Result<(), Stop> {
    let Ok(text) = name.to_str() else {
        return Err(Stop::not_json("a name with a lone surrogate is no Unicode text".to_owned()));
    };
    walk.sink.name(text)?;
    walk.inner(value).map_err(|stop| stop.within(Step::Name(text.to_owned())))
}

/// The digits of an integer, as `int` writes them whatever its class.
pub(crate) fn digits<'py>(object: &Bound<'py, PyAny>) -> Result<Bound<'py, PyString>, Stop> {
    let py = object.py();
    let digits = py.get_type::<PyInt>().call_method1("__repr__", (object,));
    match digits {
        Ok(digits) => Ok(digits.cast_into::<PyString>().map_err(PyErr::from)?),
        Err(error) if error.is_instance_of::<PyValueError>(py) => Err(Stop::not_json(
            "an integer has more digits than Python writes (sys.set_int_max_str_digits raises that limit)"
                .to_owned(),
        )),
        Err(error) => Err(error.into()),
    }
}

/// What is wrong with the key of a dictionary that is no text.
#[cold]
#[inline(never)]
pub(crate) fn no_name(name: &Bound<'_, PyAny>) -> Stop {
    let shown = name.repr().map(|text| text.to_string()).unwrap_or_default();
    let shown: String = shown.chars().take(100).collect();
    Stop::not_json(format!("the key {shown} is of type {}; names in JSON are strings", type_name(name)))
}

fn no_value(object: &Bound<'_, PyAny>) -> Stop {
    let has = |name: &str| object.hasattr(name).unwrap_or(false);
    let hint = if has("model_dump") {
        "; convert it first: .model_dump(mode=\"json\")"
    } else if has("isoformat") {
        "; convert it first: .isoformat()"
    } else if has("tolist") {
        "; convert it first: .tolist()"
    } else if has("decode") {
        "; convert it first: .decode(), or call the method whose name ends in _json"
    } else if has("__iter__") {
        "; convert it first: list(...)"
    } else {
        ""
    };
    Stop::not_json(format!("a value of type {} is none that JSON has{hint}", type_name(object)))
}

fn type_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().fully_qualified_name().map(|name| name.to_string()).unwrap_or_default()
}
