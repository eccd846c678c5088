//! The user's answer: `ElicitResult`.

use super::ElicitationSchema;
use crate::violations::Violations;
use crate::words;
use serde_json::Value;
use std::fmt;

/// The user's action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ElicitAction {
    /// The user sent the form.
    Accept,
    /// The user declined.
    Decline,
    /// The user dismissed the form.
    Cancel,
}

/// The reason why an `ElicitResult` was refused.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ElicitError {
    /// The result is malformed.
    Shape {
        /// The place in the result.
        path: String,
        /// The expected value.
        expected: &'static str,
        /// The actual value.
        found: String,
    },
    /// The content does not conform to the requested schema.
    Content(Violations),
}

impl ElicitError {
    fn shape(path: impl Into<String>, expected: &'static str, found: Option<&Value>) -> ElicitError {
        let found = found.map_or_else(|| "nothing".to_owned(), words::found);
        ElicitError::Shape { path: path.into(), expected, found }
    }
}

impl fmt::Display for ElicitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ElicitError::Shape { path, expected, found } => {
                write!(f, "{}: expected {expected}, found {found}", words::place(path))
            }
            ElicitError::Content(violations) => write!(f, "{violations}"),
        }
    }
}

impl std::error::Error for ElicitError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ElicitError::Shape { .. } => None,
            ElicitError::Content(violations) => Some(violations),
        }
    }
}

impl ElicitationSchema {
    /// Checks an `ElicitResult`: its action, and for `accept` that the content conforms. Members
    /// that the schema does not name must have one of the types that a form can have: a text, a
    /// number, a boolean, or an array of texts.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion_mcp::ElicitationSchema;
    /// use stanchion_mcp::elicitation::ElicitAction;
    ///
    /// let form = ElicitationSchema::new(json!({"type": "object", "properties": {"name": {"type": "string"}}}))?;
    /// assert_eq!(form.check_result(&json!({"action": "cancel"})).unwrap(), ElicitAction::Cancel);
    /// assert!(form.check_result(&json!({"action": "accept", "content": {"name": "Ada"}})).is_ok());
    /// assert!(form.check_result(&json!({"action": "accept", "content": {"other": {"nested": true}}})).is_err());
    /// # Ok::<(), stanchion_mcp::Refusal>(())
    /// ```
    pub fn check_result(&self, result: &Value) -> Result<ElicitAction, ElicitError> {
        if !result.is_object() {
            return Err(ElicitError::shape("", "an object", Some(result)));
        }
        let action = match result.get("action").and_then(Value::as_str) {
            Some("accept") => ElicitAction::Accept,
            Some("decline") => return Ok(ElicitAction::Decline),
            Some("cancel") => return Ok(ElicitAction::Cancel),
            Some(_) | None => {
                let wanted = "\"accept\", \"decline\" or \"cancel\"";
                return Err(ElicitError::shape("/action", wanted, result.get("action")));
            }
        };
        let Some(content @ Value::Object(members)) = result.get("content") else {
            return Err(ElicitError::shape("/content", "an object", result.get("content")));
        };
        for (name, value) in members {
            if !is_entry(value) {
                let path = format!("/content{}", words::step(name));
                let wanted = "a string, a number, a boolean or an array of strings";
                return Err(ElicitError::shape(path, wanted, Some(value)));
            }
        }
        self.validate_content(content).map_err(ElicitError::Content)?;
        Ok(action)
    }
}

/// Whether a user can enter this value.
fn is_entry(value: &Value) -> bool {
    match value {
        Value::String(_) | Value::Number(_) | Value::Bool(_) => true,
        Value::Array(items) => items.iter().all(Value::is_string),
        Value::Null | Value::Object(_) => false,
    }
}
