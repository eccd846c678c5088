//! Calls that do not reach their tool, as they go over the wire.
//!
//! There are two kinds, and models see only one of them. Arguments that break the schema are a *result* with `isError`, so that the model can
//! read what is wrong and call again. A request that is not even one, such as arguments that are no object, is an *error* of JSON-RPC.

use crate::legacy;
use crate::violations::Violations;
use crate::words;
use serde_json::{Value, json};
use stanchion::{Exhausted, ValidationError};
use std::fmt;

/// JSON-RPC's code for parameters that are not what the method takes.
pub const INVALID_PARAMS: i64 = -32602;

/// Why a call may not reach its tool.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CallError {
    /// The request is malformed: an error of JSON-RPC.
    Malformed(MalformedRequest),
    /// The arguments do not conform: a result with `isError`.
    Arguments(InvalidArguments),
}

impl CallError {
    /// The answer to the request with that id, for a client with that protocol version.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion_mcp::Tool;
    ///
    /// let tool = Tool::from_definition(json!({"name": "now", "inputSchema": {"type": "object", "additionalProperties": false}}))?;
    /// let error = tool.check_call(Some(&json!("soon"))).unwrap_err();
    /// let response = error.to_response(&json!(7), "2026-07-28");
    /// assert_eq!(response["error"]["code"], -32602);
    ///
    /// let error = tool.check_call(Some(&json!({"zone": "CET"}))).unwrap_err();
    /// let response = error.to_response(&json!(8), "2026-07-28");
    /// assert_eq!(response["result"]["isError"], true);
    /// # Ok::<(), stanchion_mcp::RefusedTool>(())
    /// ```
    pub fn to_response(&self, id: &Value, version: &str) -> Value {
        match self {
            CallError::Malformed(error) => json!({"jsonrpc": "2.0", "id": id, "error": error.to_error()}),
            CallError::Arguments(error) => {
                json!({"jsonrpc": "2.0", "id": id, "result": error.to_result(version)})
            }
        }
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CallError::Malformed(error) => write!(f, "{error}"),
            CallError::Arguments(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for CallError {}

impl From<InvalidArguments> for CallError {
    fn from(error: InvalidArguments) -> CallError {
        CallError::Arguments(error)
    }
}

impl From<MalformedRequest> for CallError {
    fn from(error: MalformedRequest) -> CallError {
        CallError::Malformed(error)
    }
}

/// A request that is none: JSON-RPC's error −32602.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedRequest {
    message: String,
}

impl MalformedRequest {
    pub(crate) fn arguments(found: &Value) -> MalformedRequest {
        MalformedRequest { message: format!("arguments: expected an object, found {}", words::found(found)) }
    }

    /// A call of a tool that is not there.
    pub fn unknown_tool(name: &str) -> MalformedRequest {
        MalformedRequest { message: format!("unknown tool {}", words::quoted(name)) }
    }

    /// The error's code: [`INVALID_PARAMS`].
    pub fn code(&self) -> i64 {
        INVALID_PARAMS
    }

    /// The error as JSON-RPC has it: `{"code", "message"}`.
    pub fn to_error(&self) -> Value {
        json!({"code": self.code(), "message": self.message})
    }
}

impl fmt::Display for MalformedRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for MalformedRequest {}

/// Arguments that do not conform to the input schema, or could not be checked within the limits.
#[derive(Clone, Debug)]
pub struct InvalidArguments(pub(crate) Box<Violations>);

impl InvalidArguments {
    /// What is wrong, the most helpful first.
    pub fn errors(&self) -> &[ValidationError] {
        self.0.errors()
    }

    /// What ran out, if the arguments were not found wrong but could not be checked within the limits.
    pub fn undecided(&self) -> Option<Exhausted> {
        self.0.undecided()
    }

    /// What a model needs to call again: a line for each error, bounded in length.
    pub fn text(&self) -> String {
        self.0.text(match self.undecided() {
            None => "The arguments do not conform to the tool's input schema:",
            Some(_) => "The arguments could not be checked against the tool's input schema:",
        })
    }

    /// The `CallToolResult` with `isError` for a client with that protocol version.
    pub fn to_result(&self, version: &str) -> Value {
        error_result(&self.text(), version)
    }
}

impl fmt::Display for InvalidArguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl std::error::Error for InvalidArguments {}

/// A `CallToolResult` with `isError` and a text.
pub(crate) fn error_result(text: &str, version: &str) -> Value {
    let mut result = json!({"content": [{"type": "text", "text": text}], "isError": true});
    // Since 2026-07-28 a result says what kind of result it is.
    if !legacy::is_legacy(version) {
        result["resultType"] = "complete".into();
    }
    result
}
