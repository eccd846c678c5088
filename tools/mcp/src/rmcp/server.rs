//! [`Validated`]: a layer around a server.

use std::borrow::Cow;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequest, CallToolResult, ClientNotification, ClientRequest, ContentBlock, ErrorData, JsonObject,
    ListToolsRequest, ListToolsResult, PaginatedRequestParams, ProtocolVersion, ResultType, ServerConfig,
    ServerResult, Tool as Definition,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, ServerHandler, Service};
use serde_json::Value;

use super::definitions::{Definitions, Known};
use crate::{CallError, Compiler, Profile, RefusedTool, Tool, content, legacy};

/// How many pages of a server's list are searched for a tool.
const PAGES: usize = 1_000;

/// A server whose tools only get arguments that conform to their input schemas, and whose results conform to their output schemas.
///
/// It is a [`Service`], so it is served like the server itself: `Validated::new(server).serve(transport)`. All requests but `tools/list` and
/// `tools/call` go through as they are.
///
/// - Arguments that do not conform never reach the tool. The answer is a result with `isError` whose text tells a model what to
///   change.
/// - Structured content that does not conform, or is missing, never leaves the server. The answer is a result with `isError`.
/// - Structured content that is no object gets a text block with its JSON, unless there is a text already.
/// - A client that negotiated a version before 2026-07-28 gets output schemas that are not of an object, and their values, in an envelope:
///   `{"result": …}`.
/// - A tool whose schema is refused is left out of the list, with a warning by `tracing`, and its calls are an internal error. The others
///   are not touched.
///
/// Schemas are compiled when a tool is first listed or called, and kept.
pub struct Validated<S> {
    service: S,
    look_up: fn(&S, &str) -> Option<Definition>,
    definitions: Definitions,
    fills_defaults: bool,
}

impl<S: ServerHandler> Validated<S> {
    /// Around a handler. Definitions come from its [`get_tool`](ServerHandler::get_tool), which `#[tool_handler]` writes, and from its list
    /// if that knows nothing.
    pub fn new(handler: S) -> Validated<S> {
        Validated { look_up: S::get_tool, ..Validated::over(handler) }
    }
}

impl<S: Service<RoleServer>> Validated<S> {
    /// Around any service, such as rmcp's `Router`. Definitions come from its list, which is asked for with every call.
    pub fn over(service: S) -> Validated<S> {
        Validated {
            service,
            look_up: |_, _| None,
            definitions: Definitions::new(Compiler::new(Profile::default())),
            fills_defaults: false,
        }
    }
}

impl<S> Validated<S> {
    /// Other choices than the default ones.
    #[must_use]
    pub fn profile(self, profile: Profile) -> Validated<S> {
        self.compiler(&Compiler::new(profile))
    }

    /// A compiler that others use, too: where a server is made for each session or request, its schemas are then compiled once for all.
    #[must_use]
    pub fn compiler(mut self, compiler: &Compiler) -> Validated<S> {
        self.definitions = Definitions::new(compiler.clone());
        self
    }

    /// Whether absent arguments get the defaults of the input schema before the tool runs: no.
    #[must_use]
    pub fn fill_defaults(mut self, fill: bool) -> Validated<S> {
        self.fills_defaults = fill;
        self
    }

    /// The server inside.
    pub fn service(&self) -> &S {
        &self.service
    }

    /// Gives the server back.
    pub fn into_inner(self) -> S {
        self.service
    }
}

impl<S: Service<RoleServer>> Service<RoleServer> for Validated<S> {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        // `ClientRequest` is not ours and may grow: what we do not know goes through.
        if let ClientRequest::CallToolRequest(request) = request {
            self.call(request, context).await
        } else if let ClientRequest::ListToolsRequest(request) = request {
            self.list(request, context).await
        } else {
            self.service.handle_request(request, context).await
        }
    }

    async fn handle_notification(
        &self,
        notification: ClientNotification,
        context: NotificationContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        self.service.handle_notification(notification, context).await
    }

    fn get_info(&self) -> ServerConfig {
        self.service.get_info()
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        self.service.supported_protocol_versions()
    }
}

impl<S: Service<RoleServer>> Validated<S> {
    /// `tools/list`: each definition as the client should get it; refused ones are left out.
    async fn list(
        &self,
        request: ListToolsRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        let version = version_of(&context);
        let mut result =
            self.service.handle_request(ClientRequest::ListToolsRequest(request), context).await?;
        if let ServerResult::ListToolsResult(list) = &mut result {
            list.tools.retain_mut(|definition| {
                let known = self.definitions.get(definition);
                let Ok(tool) = &known.tool else { return false };
                known.project(tool, definition, &version);
                true
            });
        }
        Ok(result)
    }

    /// `tools/call`: arguments before, structured content after.
    async fn call(
        &self,
        mut request: CallToolRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        let version = version_of(&context);
        let Some(known) = self.find(&request.params.name, &context).await? else {
            // Not a tool that can be checked; the server says what it makes of the name.
            return self.service.handle_request(ClientRequest::CallToolRequest(request), context).await;
        };
        let tool = known.tool.as_ref().map_err(refused_error)?;
        match self.check_arguments(tool, request.params.arguments.take()) {
            Ok(arguments) => request.params.arguments = arguments,
            Err(CallError::Malformed(error)) => {
                return Err(ErrorData::invalid_params(error.to_string(), None));
            }
            Err(CallError::Arguments(error)) => {
                return Ok(ServerResult::CallToolResult(error_result(error.text(), &version)));
            }
        }
        let mut result =
            self.service.handle_request(ClientRequest::CallToolRequest(request), context).await?;
        // Whatever else a call brings, a task or a question to the user, is no result yet.
        if let ServerResult::CallToolResult(result) = &mut result {
            finish(tool, result, &version);
        }
        Ok(result)
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

    /// The definition of a tool, compiled. `None` if the server has none of that name.
    async fn find(
        &self,
        name: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<Option<Arc<Known>>, ErrorData> {
        let definition = match (self.look_up)(&self.service, name) {
            Some(definition) => Some(definition),
            None => self.find_in_list(name, context).await?,
        };
        Ok(definition.map(|definition| self.definitions.get(&definition)))
    }

    async fn find_in_list(
        &self,
        name: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<Option<Definition>, ErrorData> {
        let mut cursor = None;
        for _ in 0..PAGES {
            let params = PaginatedRequestParams::default().with_cursor(cursor);
            let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params));
            let ServerResult::ListToolsResult(ListToolsResult { tools, next_cursor, .. }) =
                self.service.handle_request(request, context.clone()).await?
            else {
                return Ok(None);
            };
            if let Some(found) = tools.into_iter().find(|definition| definition.name == name) {
                return Ok(Some(found));
            }
            if next_cursor.is_none() {
                return Ok(None);
            }
            cursor = next_cursor;
        }
        Ok(None)
    }
}

/// The protocol version of a request. Who has not said one is taken for the oldest.
fn version_of(context: &RequestContext<RoleServer>) -> String {
    context.protocol_version().map(|version| version.to_string()).unwrap_or_default()
}

/// The server has published a tool that nobody can call: that is an error of its own.
fn refused_error(refused: &RefusedTool) -> ErrorData {
    ErrorData::internal_error(refused.to_string(), None)
}

/// Checks a result and makes it what a client with that protocol version should get.
fn finish(tool: &Tool, result: &mut CallToolResult, version: &str) {
    let has_text = result.content.iter().any(|block| block.as_text().is_some());
    let is_error = result.is_error.unwrap_or(false);
    if let Err(error) = tool.check_structured(result.structured_content.as_ref(), is_error) {
        tracing::error!(tool = tool.name(), "{error}");
        *result = error_result(error.text(), version);
        return;
    }
    if content::needs_mirror(result.structured_content.as_ref(), has_text)
        && let Some(value) = &result.structured_content
    {
        result.content.push(ContentBlock::text(value.to_string()));
    }
    if legacy::is_legacy(version)
        && let Some(value) = result.structured_content.take()
    {
        result.structured_content = Some(tool.value_for(version, value));
    }
}

/// A result with `isError`. Since 2026-07-28 a result says what kind of result it is.
fn error_result(text: String, version: &str) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(text)]);
    result.result_type = (!legacy::is_legacy(version)).then_some(ResultType::COMPLETE);
    result
}
