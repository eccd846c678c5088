//! Checks that both layers share: definitions and arguments before a call, structured content after
//! it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ContentBlock, CreateTaskResult, ErrorData, GetTaskResult,
    JsonObject, ResultType, TaskPayload, Tool as Definition,
};
use rmcp::service::RequestContext;
use serde_json::Value;

use super::definitions::{CompiledTool, Definitions};
use super::tasks::Tasks;
use crate::result::ResultErrorKind;
use crate::{CallError, Compiler, InvalidCalls, Profile, ProtocolVersion, ResultError, Tool};

/// Most pages of a server's list that are searched for a tool.
pub(super) const PAGES: usize = 1_000;

/// Most bytes of a result as JSON. rmcp drops lines of more than 16 MiB, so such a call would never
/// be answered.
const RESULT_BYTES: usize = 15 << 20;

/// The answer to a call that does not reach its tool.
pub(super) type Answer = Result<CallToolResult, ErrorData>;

/// The checks around a server.
pub(super) struct Checks {
    pub(super) definitions: Definitions,
    pub(super) fills_defaults: bool,
    tasks: Tasks<Arc<Call>>,
}

/// A checked call: its tool, for the result.
pub(super) struct Call {
    known: Arc<CompiledTool>,
    version: String,
}

impl Default for Checks {
    fn default() -> Checks {
        let definitions = Definitions::new(Compiler::new(Profile::default()));
        Checks { definitions, fills_defaults: false, tasks: Tasks::default() }
    }
}

impl Checks {
    /// Converts definitions for a client with this protocol version. Those that were refused, or
    /// that cannot be shown to it, are left out.
    pub(super) fn list(&self, definitions: &mut Vec<Definition>, version: &str) {
        definitions.retain_mut(|definition| {
            let known = self.definitions.get(definition);
            let Ok(tool) = &known.tool else { return false };
            known.project(tool, definition, version)
        });
    }

    /// Checks a call before the tool runs. `Err` is the answer to the call.
    pub(super) fn before(
        &self,
        definition: &Definition,
        params: &mut CallToolRequestParams,
        version: String,
    ) -> Result<Arc<Call>, Box<Answer>> {
        let known = self.definitions.get(definition);
        let tool = match &known.tool {
            Ok(tool) => tool,
            // The server published a tool that cannot be called: that is an error of the server.
            Err(refused) => {
                return Err(Box::new(Err(ErrorData::internal_error(refused.to_string(), None))));
            }
        };
        let given = params.arguments.take();
        let checked = guarded(|| self.check_arguments(tool, given)).map_err(|error| Box::new(Err(error)))?;
        match checked {
            Ok(arguments) => params.arguments = arguments,
            Err(CallError::Malformed(error)) => {
                return Err(Box::new(Err(ErrorData::invalid_params(error.to_string(), None))));
            }
            Err(CallError::Arguments(error)) if error.answer() == InvalidCalls::Error => {
                return Err(Box::new(Err(ErrorData::invalid_params(error.text(), None))));
            }
            Err(CallError::Arguments(error)) => {
                return Err(Box::new(Ok(error_result(error.text(), &version))));
            }
        }
        Ok(Arc::new(Call { known, version }))
    }

    /// Checks the arguments and returns those that the tool gets.
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

    /// Remembers the tool of a task, whose result comes later.
    pub(super) fn started(&self, call: Arc<Call>, task: &CreateTaskResult) {
        self.tasks.insert(&task.task.task_id, call);
    }

    /// Checks the result of a finished task, and converts it for the client.
    pub(super) fn finished(&self, result: &mut GetTaskResult) -> Result<(), ErrorData> {
        let id = result.task.task.task_id.clone();
        let TaskPayload::Completed { result } = &mut result.task.payload else { return Ok(()) };
        let Some(call) = self.tasks.get(&id) else { return Ok(()) };
        call.finish(result)
    }
}

impl Call {
    fn version(&self) -> ProtocolVersion<'_> {
        ProtocolVersion::from(&self.version)
    }

    /// Checks a result after the tool ran, and converts it for the client.
    pub(super) fn after(&self, result: &mut CallToolResult) -> Result<(), ErrorData> {
        // A call of a refused tool does not get here.
        let Ok(tool) = &self.known.tool else { return Ok(()) };
        if let Err(error) = guarded(|| self.prepare(tool, result))? {
            tracing::error!(tool = tool.name(), "{error}");
            *result = error_result(error.text(), &self.version);
        }
        Ok(())
    }

    fn prepare(&self, tool: &Tool, result: &mut CallToolResult) -> Result<(), ResultError> {
        let is_error = result.is_error.unwrap_or(false);
        tool.check_structured(result.structured_content.as_ref(), is_error)?;
        let has_text = result.content.iter().any(|block| block.as_text().is_some());
        if let Some(value) = &result.structured_content {
            let profile = tool.profile();
            let has_content = !result.content.is_empty();
            if profile.mirror.is_needed_for(value.is_object(), value.is_null(), has_content, has_text) {
                let mirror = tool.mirror(profile.mirror_numbers.text(value))?;
                result.content.push(ContentBlock::text(mirror));
            }
        }
        if self.version().is_legacy() {
            let value = result.structured_content.take();
            result.structured_content = value.map(|value| tool.value_for(self.version(), value));
        } else if result.result_type.is_none() {
            result.result_type = Some(ResultType::COMPLETE);
        }
        check_size(tool, result)
    }

    /// Checks the result of a task, which rmcp has as JSON, and converts it for the client.
    fn finish(&self, result: &mut JsonObject) -> Result<(), ErrorData> {
        let Ok(tool) = &self.known.tool else { return Ok(()) };
        let given = Value::Object(std::mem::take(result));
        let sent = guarded(|| {
            let sent = tool.send_result(self.version(), given)?;
            check_size(tool, &sent).map(|()| sent)
        })?;
        let sent = sent.unwrap_or_else(|error| {
            tracing::error!(tool = tool.name(), "{error}");
            error.to_result(self.version())
        });
        *result = super::members(sent).unwrap_or_default();
        Ok(())
    }
}

/// Whether a result fits into a message.
fn check_size(tool: &Tool, result: &impl serde::Serialize) -> Result<(), ResultError> {
    let mut counter = Counter(0);
    let too_large = serde_json::to_writer(&mut counter, result).is_err();
    if too_large {
        return Err(tool.bad_result(ResultErrorKind::TooLarge { limit: RESULT_BYTES }));
    }
    Ok(())
}

/// Counts bytes, and stops when there are too many.
struct Counter(usize);

impl std::io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        if self.0 > RESULT_BYTES { Err(std::io::Error::other("too large")) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Runs checks that may call code of the server's author, such as a custom format. If that panics,
/// the call is still answered.
fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, ErrorData> {
    catch_unwind(AssertUnwindSafe(work))
        .map_err(|_| ErrorData::internal_error("the check of this call panicked", None))
}

/// Returns the protocol version of a request. A peer without one is treated as the oldest.
pub(super) fn version_of(context: &RequestContext<RoleServer>) -> String {
    context.protocol_version().map(|version| version.to_string()).unwrap_or_default()
}

/// Returns a result with `isError`. Since 2026-07-28, a result states its kind.
fn error_result(text: String, version: &str) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.result_type = (!ProtocolVersion::from(version).is_legacy()).then_some(ResultType::COMPLETE);
    result
}
