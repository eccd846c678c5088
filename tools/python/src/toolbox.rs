//! `Toolbox`: the tools of an MCP server, by `stanchion-mcp`.

use crate::convert::{object_of, object_of_text, value_of};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyList, PyString, PyType};
use serde_json::{Value, json};
use stanchion_mcp::{Failure, Tool};

static TOOL_ERROR: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// The exception for a failure, with the answer that a server gives.
fn failed(py: Python<'_>, failure: &Failure) -> PyErr {
    let make = || {
        let class = TOOL_ERROR.import(py, "stanchion._errors", "ToolError")?;
        class.call1((failure.message(), object_of(py, failure.to_json())?))
    };
    match make() {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// The JSON text that a call gave as an object, or the exception for its failure.
fn answered(py: Python<'_>, answer: Result<impl AsRef<str>, Failure>) -> PyResult<Bound<'_, PyAny>> {
    match answer {
        Ok(text) => object_of_text(py, text.as_ref().as_bytes()),
        Err(failure) => Err(failed(py, &failure)),
    }
}

/// A `str` as it is, any other object as JSON text.
fn text_of(object: &Bound<'_, PyAny>) -> PyResult<String> {
    match object.cast::<PyString>() {
        Ok(text) => Ok(text.to_str()?.to_owned()),
        Err(_) => Ok(value_of(object)?.to_string()),
    }
}

/// The tools of an MCP server, for the server or for a client.
///
/// A tool that is refused is reported in `loaded`, and the others work. Schemas are compiled once; replacing the list compiles
/// only those that changed.
///
/// `tools` is a list of definitions, as tools/list has them, or JSON text. `profile` is a dict: for example
/// {"preset": "python"}, or {"assertFormats": True}.
#[pyclass(frozen, module = "stanchion.mcp", name = "Toolbox")]
pub(crate) struct Toolbox {
    toolbox: stanchion_mcp::Toolbox,
}

#[pymethods]
impl Toolbox {
    #[new]
    #[pyo3(signature = (tools=None, *, profile=None))]
    fn py_new(
        py: Python<'_>,
        tools: Option<&Bound<'_, PyAny>>,
        profile: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Toolbox> {
        let profile = profile.map(value_of).transpose()?.unwrap_or_else(|| json!({}));
        let text = json!({"profile": profile}).to_string();
        let made = stanchion_mcp::Toolbox::from_json_text(&text);
        let (toolbox, _) = made.map_err(|error| {
            let class =
                || py.import("stanchion._errors")?.getattr("OptionError")?.call1((error.to_string(),));
            match class() {
                Ok(error) => PyErr::from_value(error),
                Err(error) => error,
            }
        })?;
        let toolbox = Toolbox { toolbox };
        if let Some(tools) = tools {
            toolbox.replace(tools)?;
        }
        Ok(toolbox)
    }

    /// Takes a list of definitions in place of what was there. Returns what became of it: a dict with tools, unchanged, isChanged, refused, warnings.
    #[pyo3(signature = (tools, /))]
    fn replace<'py>(&self, tools: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, text) = (tools.py(), text_of(tools)?);
        let loaded = self.toolbox.replace_text(&text).map_err(|failure| failed(py, &failure))?;
        object_of(py, &loaded.to_json())
    }

    /// Takes the next page of a list, beside what is there. Returns the same as replace.
    #[pyo3(signature = (tools, /))]
    fn extend<'py>(&self, tools: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (py, text) = (tools.py(), text_of(tools)?);
        let loaded = self.toolbox.extend_text(&text).map_err(|failure| failed(py, &failure))?;
        object_of(py, &loaded.to_json())
    }

    /// Checks a call. Raises ToolError, whose `result` or `error` is what a server answers.
    #[pyo3(signature = (name, arguments=None, *, protocol_version=""))]
    fn check_call(
        &self,
        py: Python<'_>,
        name: &str,
        arguments: Option<&Bound<'_, PyAny>>,
        protocol_version: &str,
    ) -> PyResult<()> {
        let params = params(name, arguments)?;
        match self.toolbox.check_call_text(&params, protocol_version) {
            Ok(_) => Ok(()),
            Err(failure) => Err(failed(py, &failure)),
        }
    }

    /// Checks a call and returns its arguments with defaults filled in.
    #[pyo3(signature = (name, arguments=None, *, protocol_version=""))]
    fn fill_call<'py>(
        &self,
        py: Python<'py>,
        name: &str,
        arguments: Option<&Bound<'py, PyAny>>,
        protocol_version: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let params = params(name, arguments)?;
        answered(py, self.toolbox.fill_call_text(&params, protocol_version).map(|(_, filled)| filled))
    }

    /// A result as a server sends it: checked, with the text mirror, wrapped for older clients.
    #[pyo3(signature = (name, result, *, protocol_version=""))]
    fn send_result<'py>(
        &self,
        name: &str,
        result: &Bound<'py, PyAny>,
        protocol_version: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, text) = (result.py(), text_of(result)?);
        answered(py, self.toolbox.send_result_text(name, protocol_version, &text))
    }

    /// A result as a client got it: checked, and unwrapped where it came in an envelope.
    #[pyo3(signature = (name, result, *, protocol_version=""))]
    fn receive_result<'py>(
        &self,
        name: &str,
        result: &Bound<'py, PyAny>,
        protocol_version: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, text) = (result.py(), text_of(result)?);
        answered(py, self.toolbox.receive_result_text(name, protocol_version, &text))
    }

    /// The definitions as they go to a client with that protocol version.
    #[pyo3(signature = (*, protocol_version=""))]
    fn definitions<'py>(&self, py: Python<'py>, protocol_version: &str) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for tool in self.toolbox.tools() {
            if let Ok(text) = Tool::definition_text_for(&tool, protocol_version) {
                list.append(object_of_text(py, text.as_bytes())?)?;
            }
        }
        Ok(list)
    }

    /// The names of the tools that can be used, in the order of the list.
    #[getter]
    fn names(&self) -> Vec<String> {
        self.toolbox.tools().iter().map(|tool| tool.name().to_owned()).collect()
    }

    /// Why the tool of that name was refused; None if it was not.
    fn refused(&self, name: &str) -> Option<String> {
        self.toolbox.refused(name).map(|refused| refused.to_string())
    }

    fn __contains__(&self, name: &str) -> bool {
        self.toolbox.get(name).is_some()
    }

    fn __len__(&self) -> usize {
        self.toolbox.len()
    }

    fn __repr__(&self) -> String {
        format!("<stanchion.mcp.Toolbox of {} tools>", self.toolbox.len())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let restore = py.import("stanchion._errors")?.getattr("restore_toolbox")?;
        Ok((restore, (self.toolbox.to_json_text(),)))
    }
}

/// The parameters of `tools/call`.
fn params(name: &str, arguments: Option<&Bound<'_, PyAny>>) -> PyResult<String> {
    let mut params = json!({"name": name});
    if let Some(arguments) = arguments {
        params["arguments"] = match arguments.cast::<PyString>() {
            Ok(text) => {
                let text = text.to_str()?;
                return Ok(format!("{{\"name\":{},\"arguments\":{text}}}", Value::from(name)));
            }
            Err(_) => value_of(arguments)?,
        };
    }
    Ok(params.to_string())
}
