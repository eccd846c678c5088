//! [`Tool`]: a name with its schemas, and the two questions that an SDK asks.

use crate::call::{CallError, MalformedRequest};
use crate::compiler::{Compiler, Parts};
use crate::content;
use crate::defaults::Filled;
use crate::input::InputSchema;
use crate::legacy::{self, Wrapping};
use crate::output::OutputSchema;
use crate::profile::Profile;
use crate::result::{Checked, ResultError};
use crate::toolbox::RefusedTool;
use serde_json::{Map, Value};
use stanchion::Validator;
use std::fmt;
use std::sync::Arc;

/// A tool: its name, its input schema, and its output schema if it has one. Immutable, cheap to clone, shared between threads.
///
/// ```
/// use serde_json::json;
/// use stanchion_mcp::Tool;
///
/// let tool = Tool::from_definition(json!({
///     "name": "get-count",
///     "inputSchema": {"type": "object", "properties": {"of": {"type": "string"}}, "required": ["of"]},
///     "outputSchema": {"type": "number"}
/// }))?;
///
/// // Before the tool runs:
/// assert!(tool.check_call(Some(&json!({"of": "bolts"}))).is_ok());
/// let error = tool.check_call(None).unwrap_err();
/// assert!(error.to_string().contains("\"of\""));
///
/// // After it ran:
/// let checked = tool.check_result(Some(&json!(42)), false, &[])?;
/// assert!(checked.needs_mirror);
/// assert!(tool.check_result(None, false, &[]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Tool(Arc<Inner>);

struct Inner {
    name: Box<str>,
    input: InputSchema,
    output: Option<OutputSchema>,
    /// The definition without its schemas.
    rest: Map<String, Value>,
    wrapping: Wrapping,
    demands_mirror: bool,
    opens_envelopes: bool,
}

impl Tool {
    /// A tool of schemas that are compiled.
    pub fn new(name: &str, input: InputSchema, output: Option<OutputSchema>) -> Tool {
        Tool::with(&Profile::default(), name, input, output)
    }

    /// The same, by the choices of a profile.
    pub fn with(profile: &Profile, name: &str, input: InputSchema, output: Option<OutputSchema>) -> Tool {
        let rest = Map::from_iter([("name".to_owned(), name.into())]);
        Tool::assemble(profile, name.into(), input, output, rest)
    }

    /// A tool as `tools/list` has it: an object with `name`, `inputSchema` and perhaps `outputSchema`. For many of them there is the
    /// [`Toolbox`](crate::Toolbox).
    pub fn from_definition(definition: Value) -> Result<Tool, RefusedTool> {
        Tool::from_definition_with(&Profile::default(), definition)
    }

    /// The same, by the choices of a profile.
    pub fn from_definition_with(profile: &Profile, definition: Value) -> Result<Tool, RefusedTool> {
        Compiler::new(profile.clone()).tool(definition)
    }

    pub(crate) fn assemble(
        profile: &Profile,
        name: Box<str>,
        input: InputSchema,
        output: Option<OutputSchema>,
        rest: Map<String, Value>,
    ) -> Tool {
        let Profile { wrapping, demands_mirror, opens_envelopes, .. } = *profile;
        Tool(Arc::new(Inner { name, input, output, rest, wrapping, demands_mirror, opens_envelopes }))
    }

    /// The tool's name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What it takes.
    pub fn input(&self) -> &InputSchema {
        &self.0.input
    }

    /// What it gives, if it says so.
    pub fn output(&self) -> Option<&OutputSchema> {
        self.0.output.as_ref()
    }

    /// Whether it was made of that very definition.
    pub(crate) fn is_of(&self, parts: &Parts) -> bool {
        let is_same_output = match (self.output(), &parts.output) {
            (Some(output), Some(given)) => output.is_of(given),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        is_same_output && self.input().is_of(&parts.input) && self.0.rest == parts.rest
    }

    /// The definition as it goes to a peer with that protocol version.
    pub fn definition_for(&self, version: &str) -> Value {
        let mut definition = self.0.rest.clone();
        definition.insert("inputSchema".to_owned(), self.input().schema().clone());
        if let Some(output) = self.output() {
            definition.insert("outputSchema".to_owned(), output.schema_for(version).clone());
        }
        Value::Object(definition)
    }

    /// Whether a call may reach the tool. Without arguments it has none: `{}`.
    pub fn check_call(&self, arguments: Option<&Value>) -> Result<(), CallError> {
        match arguments {
            Some(arguments @ Value::Object(_)) => Ok(self.input().validate_arguments(arguments)?),
            None => Ok(self.input().validate_arguments(&Value::Object(Map::new()))?),
            Some(other) => Err(MalformedRequest::arguments(other).into()),
        }
    }

    /// Whether a call may reach the tool, with defaults filled in: see [`InputSchema::fill_defaults`].
    pub fn fill_call(&self, arguments: Option<Value>) -> Result<Filled, CallError> {
        match arguments {
            Some(arguments @ Value::Object(_)) => Ok(self.input().fill_defaults(arguments)?),
            None => Ok(self.input().fill_defaults(Value::Object(Map::new()))?),
            Some(other) => Err(MalformedRequest::arguments(&other).into()),
        }
    }

    /// Whether a result may go to the client, or be taken from the server.
    ///
    /// With an output schema, and unless the result is an error, there must be structured content and it must conform. `null` is content, and so is
    /// `false`; `None` is none. Errors are not looked at, and neither is structured content that no schema speaks of.
    pub fn check_result(
        &self,
        structured: Option<&Value>,
        is_error: bool,
        content: &[Value],
    ) -> Result<Checked, ResultError> {
        self.check_structured(structured, is_error)?;
        let needs_mirror = content::needs_mirror(structured, content::has_text(content));
        if needs_mirror && self.0.demands_mirror && !is_error {
            return Err(ResultError::NoMirror);
        }
        Ok(Checked { needs_mirror })
    }

    /// The same without a look at `content`, for those who have that in another form.
    pub fn check_structured(&self, structured: Option<&Value>, is_error: bool) -> Result<(), ResultError> {
        match (self.output(), structured) {
            _ if is_error => Ok(()),
            (None, _) => Ok(()),
            (Some(_), None) => Err(ResultError::Missing),
            (Some(output), Some(value)) => Ok(output.validate_structured_content(value)?),
        }
    }

    /// Structured content as it goes to a client with that protocol version: older ones take objects alone.
    pub fn value_for(&self, version: &str, value: Value) -> Value {
        let schema = self.output().map(OutputSchema::schema);
        let wraps = legacy::is_legacy(version) && self.0.wrapping.wraps_value(schema, &value);
        if wraps { legacy::wrap_value(value) } else { value }
    }

    /// Structured content as the tool meant it, from a server with that protocol version: see [`OutputSchema::natural_value`] and
    /// [`Profile::open_envelopes`].
    pub fn natural_value(&self, version: &str, value: Value) -> Value {
        match self.output() {
            Some(output) if self.0.opens_envelopes => output.natural_value(version, value),
            Some(_) | None => value,
        }
    }

    /// All that a server does with a `CallToolResult` before it goes to a client with that protocol version: checks it, adds the text mirror, and
    /// wraps the structured content for older clients.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion_mcp::Tool;
    ///
    /// let tool = Tool::from_definition(json!({
    ///     "name": "get-count", "inputSchema": {"type": "object"}, "outputSchema": {"type": "number"}
    /// }))?;
    /// let result = tool.send_result("2025-06-18", json!({"structuredContent": 42}))?;
    /// assert_eq!(result, json!({"content": [{"type": "text", "text": "42"}], "structuredContent": {"result": 42}}));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn send_result(&self, version: &str, mut result: Value) -> Result<Value, ResultError> {
        self.check_structured(result.get("structuredContent"), is_error(&result))?;
        if let Value::Object(members) = &mut result {
            content::add_mirror(members);
            if let Some(value) = members.remove("structuredContent") {
                members.insert("structuredContent".to_owned(), self.value_for(version, value));
            }
        }
        Ok(result)
    }

    /// All that a client does with a `CallToolResult` from a server with that protocol version: checks it against the schema that this server sent,
    /// and takes the structured content out of the envelope for older clients.
    pub fn receive_result(&self, version: &str, mut result: Value) -> Result<Value, ResultError> {
        let content = result.get("content").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        self.check_result(result.get("structuredContent"), is_error(&result), content)?;
        if let Value::Object(members) = &mut result
            && let Some(value) = members.remove("structuredContent")
        {
            members.insert("structuredContent".to_owned(), self.natural_value(version, value));
        }
        Ok(result)
    }

    /// The validators, for those who want to know what they cost.
    pub fn validators(&self) -> impl Iterator<Item = &Validator> {
        [Some(self.input().validator()), self.output().map(OutputSchema::validator)].into_iter().flatten()
    }
}

fn is_error(result: &Value) -> bool {
    result.get("isError") == Some(&Value::Bool(true))
}

impl fmt::Debug for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tool")
            .field("name", &self.name())
            .field("input", self.input())
            .field("output", &self.output())
            .finish()
    }
}
