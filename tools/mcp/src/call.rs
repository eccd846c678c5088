//! Answers to calls that must not reach their tool.
//!
//! There are two kinds, and models see only one of them. Arguments that break the schema are
//! answered by a *result* with `isError`, so that the model can read what is wrong and call again.
//! A malformed request, such as arguments that are not an object, is an *error* of JSON-RPC.

use crate::profile::InvalidCalls;
use crate::protocol::{COMPLETE, INVALID_PARAMS, ProtocolVersion};
use crate::violations::Violations;
use crate::words;
use serde_json::{Value, json};
use std::fmt;

/// The reason why a call must not reach its tool.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum CallError {
    /// The request is malformed: an error of JSON-RPC.
    Malformed(MalformedRequest),
    /// The arguments do not conform: a result with `isError`.
    Arguments(Violations),
}

impl CallError {
    /// Returns the response to the request with this id, for a client with this protocol version.
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
    pub fn to_response<'v>(&self, id: &Value, version: impl Into<ProtocolVersion<'v>>) -> Value {
        match self.to_answer(version) {
            Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
            Err(error) => json!({"jsonrpc": "2.0", "id": id, "error": error}),
        }
    }

    /// Returns the `result` of the response, or its `error`.
    pub fn to_answer<'v>(&self, version: impl Into<ProtocolVersion<'v>>) -> Result<Value, Value> {
        match self {
            CallError::Malformed(error) => Err(error.to_error()),
            CallError::Arguments(error) => match error.answer() {
                InvalidCalls::Result => Ok(error.to_result(version)),
                InvalidCalls::Error => Err(json!({"code": INVALID_PARAMS, "message": error.text()})),
            },
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

impl std::error::Error for CallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            CallError::Malformed(error) => Some(error),
            CallError::Arguments(error) => Some(error),
        }
    }
}

impl From<Violations> for CallError {
    fn from(error: Violations) -> CallError {
        CallError::Arguments(error)
    }
}

impl From<MalformedRequest> for CallError {
    fn from(error: MalformedRequest) -> CallError {
        CallError::Malformed(error)
    }
}

/// A malformed request: JSON-RPC's error −32602.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MalformedRequest {
    message: String,
}

impl MalformedRequest {
    pub(crate) fn new(message: String) -> MalformedRequest {
        MalformedRequest { message }
    }

    pub(crate) fn arguments(found: &Value) -> MalformedRequest {
        MalformedRequest::new(format!("arguments: expected an object, found {}", words::found(found)))
    }

    /// Makes the error for a call of an unknown tool.
    pub fn unknown_tool(name: &str) -> MalformedRequest {
        MalformedRequest::new(format!("unknown tool {}", words::quoted(name)))
    }

    /// Returns the error's code: [`INVALID_PARAMS`].
    pub fn code(&self) -> i64 {
        INVALID_PARAMS
    }

    /// Returns the error in JSON-RPC's form: `{"code", "message"}`.
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

/// Returns a `CallToolResult` with `isError` and a text.
pub(crate) fn error_result(text: &str, version: ProtocolVersion<'_>) -> Value {
    let mut result = json!({"content": [{"type": "text", "text": text}], "isError": true});
    // Since 2026-07-28, a result states its kind.
    if !version.is_legacy() {
        result["resultType"] = COMPLETE.into();
    }
    result
}
