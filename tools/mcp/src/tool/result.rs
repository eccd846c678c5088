//! Results: the work of a server before it sends one, and of a client when it receives one.

use super::Tool;
use crate::content::{self, has_text};
use crate::legacy;
use crate::output::OutputSchema;
use crate::protocol::{COMPLETE, ProtocolVersion, ResultKind};
use crate::result::{Checked, ResultError, ResultErrorKind};
use crate::words;
use serde_json::{Map, Value, json};

impl Tool {
    /// Checks whether a result may be sent to the client, or accepted from the server.
    ///
    /// With an output schema, and unless the result is an error, there must be structured content
    /// and it must conform. `null` and `false` are content; `None` is not. Errors are not checked,
    /// and neither is structured content without an output schema.
    pub fn check_result(
        &self,
        structured: Option<&Value>,
        is_error: bool,
        content: &[Value],
    ) -> Result<Checked, ResultError> {
        self.check_structured(structured, is_error)?;
        self.check_mirror(content::needs_mirror(structured, has_text(content)) && !is_error)?;
        Ok(Checked { needs_mirror: self.profile().mirror.is_needed(structured, Some(content)) })
    }

    /// Checks whether a missing mirror is an error.
    pub(super) fn check_mirror(&self, is_missing: bool) -> Result<(), ResultError> {
        let is_missed = is_missing && self.profile().demands_mirror;
        if is_missed { Err(self.bad_result(ResultErrorKind::NoMirror)) } else { Ok(()) }
    }

    /// Checks whether structured content may be sent to the client, or accepted from the server,
    /// whatever `content` is.
    pub fn check_structured(&self, structured: Option<&Value>, is_error: bool) -> Result<(), ResultError> {
        let structured = structured.filter(|value| !(value.is_null() && self.profile().null_is_missing));
        match (self.output(), structured) {
            _ if is_error => Ok(()),
            (None, _) => Ok(()),
            (Some(_), None) => Err(self.bad_result(ResultErrorKind::Missing)),
            (Some(output), Some(value)) => output.validate_structured_content(value).map_err(|error| {
                self.bad_result(ResultErrorKind::Content(error.of_tool(self.name(), Default::default())))
            }),
        }
    }

    pub(crate) fn bad_result(&self, kind: ResultErrorKind) -> ResultError {
        ResultError::new(self.name(), self.profile().words, kind)
    }

    /// Returns structured content for a client with this protocol version: older ones accept only
    /// objects.
    pub fn value_for<'v>(&self, version: impl Into<ProtocolVersion<'v>>, value: Value) -> Value {
        let schema = self.output().map(OutputSchema::schema);
        let wraps = version.into().is_legacy() && self.profile().wrapping.wraps_value(schema, &value);
        if wraps { legacy::wrap_value(value) } else { value }
    }

    /// Unwraps structured content from a server with this protocol version: see
    /// [`OutputSchema::natural_value`] and
    /// [`Profile::open_envelopes`](crate::Profile::open_envelopes).
    pub fn natural_value<'v>(&self, version: impl Into<ProtocolVersion<'v>>, value: Value) -> Value {
        match self.output() {
            Some(output) if self.profile().opens_envelopes => output.natural_value(version, value),
            Some(_) | None => value,
        }
    }

    /// Whether a result is final, so that it is checked. Requests for input and tasks are passed
    /// through, and so are results of extensions that the profile allows
    /// ([`Profile::result_type`](crate::Profile::result_type)).
    pub(crate) fn is_final(
        &self,
        kind: Option<ResultKind>,
        found: Option<&Value>,
    ) -> Result<bool, ResultError> {
        match kind {
            Some(ResultKind::Complete) => Ok(true),
            Some(ResultKind::InputRequired | ResultKind::Task) => Ok(false),
            Some(ResultKind::Extension(name)) if self.profile().extensions.contains(&name) => Ok(false),
            Some(ResultKind::Extension(_)) | None => {
                let found = found.map_or_else(String::new, words::found);
                Err(self.bad_result(ResultErrorKind::ResultType { found }))
            }
        }
    }

    pub(super) fn shape(&self, path: &'static str, expected: &'static str, found: &Value) -> ResultError {
        self.bad_result(ResultErrorKind::Shape { path, expected, found: words::found(found) })
    }

    /// Prepares a `CallToolResult` for a client with this protocol version: checks it, adds what
    /// the protocol demands (`content`, `resultType`), adds the text mirror, and wraps the
    /// structured content for older clients.
    ///
    /// A request for input, or a task, is passed through. Call this for the result of a finished
    /// task as well.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion_mcp::Tool;
    ///
    /// let tool = Tool::from_definition(json!({
    ///     "name": "get-count", "inputSchema": {"type": "object"}, "outputSchema": {"type": "number"}
    /// }))?;
    /// let mirror = json!([{"type": "text", "text": "42"}]);
    /// let result = tool.send_result("2025-06-18", json!({"structuredContent": 42}))?;
    /// assert_eq!(result, json!({"content": mirror, "structuredContent": {"result": 42}}));
    /// let result = tool.send_result("2026-07-28", json!({"structuredContent": 42}))?;
    /// assert_eq!(result, json!({"content": mirror, "structuredContent": 42, "resultType": "complete"}));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn send_result<'v>(
        &self,
        version: impl Into<ProtocolVersion<'v>>,
        result: Value,
    ) -> Result<Value, ResultError> {
        let version = version.into();
        if !self.is_final(ResultKind::of(&result), result.get("resultType"))? {
            return Ok(result);
        }
        let Value::Object(mut members) = result else { return Err(self.shape("", "an object", &result)) };
        self.check_structured(members.get("structuredContent"), is_error(&members))?;
        self.add_content(&mut members)?;
        if let Some(value) = members.get_mut("structuredContent") {
            *value = self.value_for(version, value.take());
        }
        if !version.is_legacy() {
            members.entry("resultType").or_insert_with(|| COMPLETE.into());
        }
        Ok(Value::Object(members))
    }

    /// Adds `content` if it is absent, and the text mirror.
    fn add_content(&self, members: &mut Map<String, Value>) -> Result<(), ResultError> {
        let given = members.get("content").filter(|content| !content.is_null());
        let blocks = match given {
            Some(Value::Array(blocks)) => Some(blocks.as_slice()),
            Some(other) => return Err(self.shape("/content", "an array", other)),
            None => None,
        };
        let structured = members.get("structuredContent");
        let mirror = match structured.filter(|_| self.profile().mirror.is_needed(structured, blocks)) {
            Some(value) => Some(content::block_of(self.mirror(self.profile().mirror_numbers.text(value))?)),
            None => None,
        };
        let place = members.entry("content").or_insert(Value::Null);
        if place.is_null() {
            *place = json!([]);
        }
        if let Value::Array(blocks) = place {
            blocks.extend(mirror);
        }
        Ok(())
    }

    /// Returns a text mirror, unless it is too long.
    pub(crate) fn mirror(&self, text: String) -> Result<String, ResultError> {
        let limit = self.profile().mirror_bytes;
        if text.len() > limit { Err(self.bad_result(ResultErrorKind::TooLarge { limit })) } else { Ok(text) }
    }

    /// Processes a `CallToolResult` from a server with this protocol version: checks it against the
    /// schema that this server sent, and unwraps the structured content.
    ///
    /// An absent or null `content` is read as `[]`. A request for input, or a task, is passed
    /// through; an unknown `resultType` is an error.
    pub fn receive_result<'v>(
        &self,
        version: impl Into<ProtocolVersion<'v>>,
        result: Value,
    ) -> Result<Value, ResultError> {
        if !self.is_final(ResultKind::of(&result), result.get("resultType"))? {
            return Ok(result);
        }
        let Value::Object(mut members) = result else { return Err(self.shape("", "an object", &result)) };
        let content = members.entry("content").or_insert(Value::Null);
        if content.is_null() {
            *content = json!([]);
        }
        let Some(Value::Array(content)) = members.get("content") else {
            return Err(self.shape("/content", "an array", &members["content"]));
        };
        self.check_result(members.get("structuredContent"), is_error(&members), content)?;
        if let Some(value) = members.get_mut("structuredContent") {
            *value = self.natural_value(version, value.take());
        }
        Ok(Value::Object(members))
    }
}

fn is_error(result: &Map<String, Value>) -> bool {
    result.get("isError") == Some(&Value::Bool(true))
}
