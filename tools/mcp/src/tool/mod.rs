//! [`Tool`]: a name with its schemas, and the checks before and after a call.

mod result;
mod text;
mod warning;

pub use text::Failure;
pub use warning::ToolWarning;

use crate::call::{CallError, MalformedRequest};
use crate::compiler::{Compiler, Parts};
use crate::defaults::Filled;
use crate::input::InputSchema;
use crate::output::OutputSchema;
use crate::profile::Profile;
use crate::protocol::ProtocolVersion;
use crate::schema::is_identical;
use crate::toolbox::{RefusedTool, ToolFault};
use crate::violations::Violations;
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
    /// The definition, with `null` in the places of its schemas.
    rest: Value,
    /// The definition as it was given, if that was text.
    text: Option<Box<str>>,
    profile: Arc<Profile>,
}

impl Tool {
    /// Makes a tool from compiled schemas.
    pub fn new(name: &str, input: InputSchema, output: Option<OutputSchema>) -> Tool {
        Tool::with(&Profile::default(), name, input, output)
    }

    /// Makes a tool from compiled schemas, with a profile.
    pub fn with(profile: &Profile, name: &str, input: InputSchema, output: Option<OutputSchema>) -> Tool {
        let mut rest =
            Map::from_iter([("name".to_owned(), name.into()), ("inputSchema".to_owned(), Value::Null)]);
        if output.is_some() {
            rest.insert("outputSchema".to_owned(), Value::Null);
        }
        Tool::assemble(&Arc::new(profile.clone()), name.into(), input, output, rest.into(), None)
    }

    /// Makes a tool from its definition in `tools/list`: an object with `name`, `inputSchema` and
    /// perhaps `outputSchema`. For many tools, use a [`Toolbox`](crate::Toolbox).
    pub fn from_definition(definition: Value) -> Result<Tool, RefusedTool> {
        Tool::from_definition_with(&Profile::default(), definition)
    }

    /// Makes a tool from its definition in `tools/list`, with a profile.
    pub fn from_definition_with(profile: &Profile, definition: Value) -> Result<Tool, RefusedTool> {
        Compiler::new(profile.clone()).tool(definition)
    }

    pub(crate) fn assemble(
        profile: &Arc<Profile>,
        name: Box<str>,
        input: InputSchema,
        output: Option<OutputSchema>,
        rest: Value,
        text: Option<Box<str>>,
    ) -> Tool {
        let profile = Arc::clone(profile);
        Tool(Arc::new(Inner { name, input, output, rest, text, profile }))
    }

    /// Makes a tool from its definition in `tools/list` as JSON text, which is kept byte for byte.
    pub fn from_definition_text(profile: &Profile, text: &str) -> Result<Tool, RefusedTool> {
        Compiler::new(profile.clone()).tool_text(text)
    }

    /// Returns the tool's name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// Returns the input schema.
    pub fn input(&self) -> &InputSchema {
        &self.0.input
    }

    /// Returns the output schema, if there is one.
    pub fn output(&self) -> Option<&OutputSchema> {
        self.0.output.as_ref()
    }

    pub(crate) fn profile(&self) -> &Profile {
        &self.0.profile
    }

    /// Whether it was made from exactly this definition.
    pub(crate) fn is_of(&self, parts: &Parts) -> bool {
        if self.0.text.is_some() || parts.text.is_some() {
            return self.0.text == parts.text;
        }
        let is_same_output = match (self.output(), &parts.output) {
            (Some(output), Some(given)) => output.is_of(given, None),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        is_same_output && self.input().is_of(&parts.input, None) && is_identical(&self.0.rest, &parts.rest)
    }

    /// Whether this is the same tool, or a clone of it.
    pub(crate) fn is_same(&self, other: &Tool) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the definition for a current peer: as it was given, plus what the profile supplied.
    pub fn definition(&self) -> Value {
        self.with_output(self.output().map(OutputSchema::sendable))
    }

    /// Returns the definition for a peer with this protocol version. Fails if the output schema
    /// cannot be wrapped for older clients: see [`OutputSchema::schema_for`].
    pub fn definition_for<'v>(&self, version: impl Into<ProtocolVersion<'v>>) -> Result<Value, RefusedTool> {
        let output = self.output().map(|output| output.schema_for(version)).transpose();
        Ok(self.with_output(output.map_err(|refusal| self.refused(refusal))?))
    }

    fn refused(&self, refusal: crate::Refusal) -> RefusedTool {
        RefusedTool::new(Some(self.name().to_owned()), ToolFault::Schema(refusal))
            .in_words(self.0.profile.words)
    }

    fn with_output(&self, output: Option<&Value>) -> Value {
        let mut definition = self.0.rest.clone();
        definition["inputSchema"] = self.input().schema().clone();
        if let Some(output) = output {
            definition["outputSchema"] = output.clone();
        }
        definition
    }

    /// Returns warnings about unusual properties of the tool, which are no reason to refuse it.
    pub fn warnings(&self) -> Vec<ToolWarning> {
        warning::of_name(self.name())
    }

    /// Checks whether a call may reach the tool. Absent arguments count as `{}`.
    pub fn check_call(&self, arguments: Option<&Value>) -> Result<(), CallError> {
        match arguments {
            Some(arguments @ Value::Object(_)) => self.check_arguments(arguments),
            Some(Value::Null) if self.0.profile.null_arguments => {
                self.check_arguments(&Value::Object(Map::new()))
            }
            None => self.check_arguments(&Value::Object(Map::new())),
            Some(other) => Err(MalformedRequest::arguments(other).into()),
        }
    }

    fn check_arguments(&self, arguments: &Value) -> Result<(), CallError> {
        self.input().validate_arguments(arguments).map_err(|error| self.invalid(error))
    }

    /// Makes the error for arguments that break the schema of this tool.
    fn invalid(&self, error: Violations) -> CallError {
        error.of_tool(self.name(), self.0.profile.invalid_calls).into()
    }

    /// Checks whether a call may reach the tool, with defaults filled in: see
    /// [`InputSchema::fill_defaults`].
    pub fn fill_call(&self, arguments: Option<Value>) -> Result<Filled, CallError> {
        let arguments = match arguments {
            Some(arguments @ Value::Object(_)) => arguments,
            Some(Value::Null) if self.0.profile.null_arguments => Value::Object(Map::new()),
            None => Value::Object(Map::new()),
            Some(other) => return Err(MalformedRequest::arguments(&other).into()),
        };
        self.input().fill_defaults(arguments).map_err(|error| self.invalid(error))
    }

    /// Returns the validators, for example to measure them.
    pub fn validators(&self) -> impl Iterator<Item = &Validator> {
        [Some(self.input().validator()), self.output().map(OutputSchema::validator)].into_iter().flatten()
    }
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
