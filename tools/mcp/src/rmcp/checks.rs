//! What both layers do: definitions before, arguments before, structured content after.

use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ContentBlock, ErrorData, JsonObject, ResultType,
    Tool as Definition,
};
use rmcp::service::RequestContext;
use serde_json::Value;

use super::definitions::{Definitions, Known};
use crate::{CallError, Compiler, Profile, Tool, content, legacy};

/// How many pages of a server's list are searched for a tool.
pub(super) const PAGES: usize = 1_000;

/// The checks around a server.
pub(super) struct Checks {
    pub(super) definitions: Definitions,
    pub(super) fills_defaults: bool,
}

/// A call that may go on: its tool, for the result.
pub(super) struct Call {
    known: Arc<Known>,
    version: String,
}

impl Default for Checks {
    fn default() -> Checks {
        Checks { definitions: Definitions::new(Compiler::new(Profile::default())), fills_defaults: false }
    }
}

impl Checks {
    /// Makes definitions what a client with that protocol version should get. Refused ones are left out.
    pub(super) fn list(&self, definitions: &mut Vec<Definition>, version: &str) {
        definitions.retain_mut(|definition| {
            let known = self.definitions.get(definition);
            let Ok(tool) = &known.tool else { return false };
            known.project(tool, definition, version);
            true
        });
    }

    /// Before a tool runs. `Err` is the answer to the call.
    pub(super) fn before(
        &self,
        definition: &Definition,
        params: &mut CallToolRequestParams,
        version: String,
    ) -> Result<Call, Result<CallToolResult, ErrorData>> {
        let known = self.definitions.get(definition);
        let tool = match &known.tool {
            Ok(tool) => tool,
            // The server has published a tool that nobody can call: that is an error of its own.
            Err(refused) => return Err(Err(ErrorData::internal_error(refused.to_string(), None))),
        };
        match self.check_arguments(tool, params.arguments.take()) {
            Ok(arguments) => params.arguments = arguments,
            Err(CallError::Malformed(error)) => {
                return Err(Err(ErrorData::invalid_params(error.to_string(), None)));
            }
            Err(CallError::Arguments(error)) => return Err(Ok(error_result(error.text(), &version))),
        }
        Ok(Call { known, version })
    }

    /// The arguments that the tool gets.
    fn check_arguments(
        &self,
        tool: &Tool,
        given: Option<JsonObject>,
    ) -> Result<Option<JsonObject>, CallError> {
        let given = given.map(Value::Object);
        if self.fills_defaults {
            return Ok(super::members(tool.fill_call(given)?.arguments));
        }
        tool.check_call(given.as_ref())?;
        Ok(given.and_then(super::members))
    }
}

impl Call {
    /// After the tool ran: checks the result, and makes it what the client should get.
    pub(super) fn after(&self, result: &mut CallToolResult) {
        // A call whose tool was refused has not come so far.
        let Ok(tool) = &self.known.tool else { return };
        let has_text = result.content.iter().any(|block| block.as_text().is_some());
        let is_error = result.is_error.unwrap_or(false);
        if let Err(error) = tool.check_structured(result.structured_content.as_ref(), is_error) {
            tracing::error!(tool = tool.name(), "{error}");
            *result = error_result(error.text(), &self.version);
            return;
        }
        if content::needs_mirror(result.structured_content.as_ref(), has_text)
            && let Some(value) = &result.structured_content
        {
            result.content.push(ContentBlock::text(value.to_string()));
        }
        if legacy::is_legacy(&self.version)
            && let Some(value) = result.structured_content.take()
        {
            result.structured_content = Some(tool.value_for(&self.version, value));
        }
    }
}

/// The protocol version of a request. Who has not said one is taken for the oldest.
pub(super) fn version_of(context: &RequestContext<RoleServer>) -> String {
    context.protocol_version().map(|version| version.to_string()).unwrap_or_default()
}

/// A result with `isError`. Since 2026-07-28 a result says what kind of result it is.
fn error_result(text: String, version: &str) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.result_type = (!legacy::is_legacy(version)).then_some(ResultType::COMPLETE);
    result
}
