//! [`Validated`]: the layer around a server.
#![allow(deprecated, reason = "what older clients ask for goes through, too")]

use std::borrow::Cow;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelTaskParams, CancelledNotificationParam,
    CompleteRequestParams, CompleteResult, CustomNotification, CustomRequest, CustomResult, DiscoverResult,
    ErrorData, GetPromptRequestParams, GetPromptResponse, GetTaskParams, GetTaskResult,
    InitializeRequestParams, InitializeResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion,
    ReadResourceRequestParams, ReadResourceResponse, ServerConfig, SetLevelRequestParams,
    SubscribeRequestParams, SubscriptionFilter, Tool as Definition, UnsubscribeRequestParams,
    UpdateTaskParams,
};
use rmcp::service::{NotificationContext, RequestContext, SubscriptionContext};
use rmcp::{RoleServer, ServerHandler};

use super::checks::{Checks, PAGES, version_of};
use super::definitions::Definitions;
use crate::{Compiler, Profile};

/// A server whose tools only get arguments that conform to their input schemas, and whose results conform to their output schemas.
///
/// It is a [`ServerHandler`] like the server itself, and can be used in its place:
/// `Validated::new(server).serve(transport)`. All requests but `tools/list`, `tools/call` and
/// `tasks/get` are passed through.
///
/// - Arguments that do not conform never reach the tool. The answer is a result with `isError`
///   whose text says what to change.
/// - Structured content that does not conform, or is missing, never leaves the server. The answer is a result with `isError`.
/// - Structured content that is not an object gets a text block with its JSON, unless there is a
///   text already.
/// - For a client with a version before 2026-07-28, output schemas that are not for an object, and
///   their values, are wrapped in an envelope: `{"result": …}`.
/// - The result of a task is checked when `tasks/get` returns it.
/// - A result that exceeds a message of rmcp (15 MiB) is answered with `isError`, since it would
///   never arrive.
/// - A tool whose schema is refused is left out of the list, with a warning by `tracing`, and its
///   calls are an internal error. The other tools work.
///
/// Schemas are compiled when a tool is first listed or called, and kept. The definition of a tool
/// comes from [`get_tool`](ServerHandler::get_tool), which `#[tool_handler]` writes, or else from
/// the list.
pub struct Validated<S> {
    handler: S,
    checks: Checks,
}

impl<S: ServerHandler> Validated<S> {
    /// Wraps a server.
    pub fn new(handler: S) -> Validated<S> {
        Validated { handler, checks: Checks::default() }
    }

    /// Sets a profile.
    #[must_use]
    pub fn profile(self, profile: Profile) -> Validated<S> {
        self.compiler(&Compiler::new(profile))
    }

    /// Sets a shared compiler: if a server is created for each session or request, its schemas are
    /// still compiled only once.
    #[must_use]
    pub fn compiler(mut self, compiler: &Compiler) -> Validated<S> {
        self.checks.definitions = Definitions::new(compiler.clone());
        self
    }

    /// Sets whether absent arguments get the defaults of the input schema before the tool runs. Off
    /// by default.
    #[must_use]
    pub fn fill_defaults(mut self, fill: bool) -> Validated<S> {
        self.checks.fills_defaults = fill;
        self
    }

    /// Returns the server inside.
    pub fn handler(&self) -> &S {
        &self.handler
    }

    /// Returns the definition of a tool. `None` if the server has none of this name.
    async fn find(
        &self,
        name: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<Option<Definition>, ErrorData> {
        if let Some(definition) = self.handler.get_tool(name) {
            return Ok(Some(definition));
        }
        let mut cursor = None;
        for _ in 0..PAGES {
            let params = PaginatedRequestParams::default().with_cursor(cursor);
            let list = self.handler.list_tools(Some(params), context.clone()).await?;
            let found = list.tools.into_iter().find(|definition| definition.name == name);
            if found.is_some() || list.next_cursor.is_none() {
                return Ok(found);
            }
            cursor = list.next_cursor;
        }
        Ok(None)
    }
}

/// Forwards methods to the handler.
macro_rules! forward {
    ($(fn $method:ident($($argument:ident: $type:ty),*) -> $output:ty;)*) => {$(
        fn $method(&self, $($argument: $type),*) -> $output {
            self.handler.$method($($argument),*)
        }
    )*};
    ($(async fn $method:ident($($argument:ident: $type:ty),*) -> $output:ty;)*) => {$(
        async fn $method(&self, $($argument: $type),*) -> $output {
            self.handler.$method($($argument),*).await
        }
    )*};
}

type Context = RequestContext<RoleServer>;
type Notice = NotificationContext<RoleServer>;

impl<S: ServerHandler> ServerHandler for Validated<S> {
    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        let version = version_of(&context);
        let mut list = self.handler.list_tools(request, context).await?;
        self.checks.list(&mut list.tools, &version);
        Ok(list)
    }

    async fn call_tool(
        &self,
        mut request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(definition) = self.find(&request.name, &context).await? else {
            // Not a tool that can be checked; the server answers for the name.
            return self.handler.call_tool(request, context).await;
        };
        let call = match self.checks.before(&definition, &mut request, version_of(&context)) {
            Ok(call) => call,
            Err(answer) => return (*answer).map(CallToolResponse::Complete),
        };
        let mut response = self.handler.call_tool(request, context).await?;
        // A request for input is not a result yet.
        if let CallToolResponse::Complete(result) = &mut response {
            call.after(result)?;
        } else if let CallToolResponse::Task(task) = &response {
            self.checks.started(call, task);
        }
        Ok(response)
    }

    async fn get_task(&self, request: GetTaskParams, context: Context) -> Result<GetTaskResult, ErrorData> {
        let mut result = self.handler.get_task(request, context).await?;
        self.checks.finished(&mut result)?;
        Ok(result)
    }

    forward! {
        fn get_tool(name: &str) -> Option<Definition>;
        fn get_info() -> ServerConfig;
        fn supported_protocol_versions() -> Cow<'static, [ProtocolVersion]>;
        fn negotiate_initialize(request: &InitializeRequestParams) -> Result<InitializeResult, ErrorData>;
        fn accepted_subscription_filter(requested: &SubscriptionFilter) -> Option<SubscriptionFilter>;
    }

    forward! {
        async fn ping(context: Context) -> Result<(), ErrorData>;
        async fn initialize(request: InitializeRequestParams, context: Context) -> Result<InitializeResult, ErrorData>;
        async fn discover(context: Context) -> Result<DiscoverResult, ErrorData>;
        async fn complete(request: CompleteRequestParams, context: Context) -> Result<CompleteResult, ErrorData>;
        async fn set_level(request: SetLevelRequestParams, context: Context) -> Result<(), ErrorData>;
        async fn get_prompt(request: GetPromptRequestParams, context: Context) -> Result<GetPromptResponse, ErrorData>;
        async fn list_prompts(request: Option<PaginatedRequestParams>, context: Context) -> Result<ListPromptsResult, ErrorData>;
        async fn list_resources(request: Option<PaginatedRequestParams>, context: Context) -> Result<ListResourcesResult, ErrorData>;
        async fn list_resource_templates(
            request: Option<PaginatedRequestParams>, context: Context
        ) -> Result<ListResourceTemplatesResult, ErrorData>;
        async fn read_resource(request: ReadResourceRequestParams, context: Context) -> Result<ReadResourceResponse, ErrorData>;
        async fn listen(context: SubscriptionContext) -> Result<(), ErrorData>;
        async fn subscribe(request: SubscribeRequestParams, context: Context) -> Result<(), ErrorData>;
        async fn unsubscribe(request: UnsubscribeRequestParams, context: Context) -> Result<(), ErrorData>;
        async fn on_custom_request(request: CustomRequest, context: Context) -> Result<CustomResult, ErrorData>;
        async fn update_task(request: UpdateTaskParams, context: Context) -> Result<(), ErrorData>;
        async fn cancel_task(request: CancelTaskParams, context: Context) -> Result<(), ErrorData>;
        async fn on_cancelled(notification: CancelledNotificationParam, context: Notice) -> ();
        async fn on_progress(notification: ProgressNotificationParam, context: Notice) -> ();
        async fn on_initialized(context: Notice) -> ();
        async fn on_roots_list_changed(context: Notice) -> ();
        async fn on_custom_notification(notification: CustomNotification, context: Notice) -> ();
    }
}
