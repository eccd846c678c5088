//! [`ValidatedClient`]: a client that does not trust its server.

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientRequest, CustomResult, GetTaskParams,
    GetTaskResult, ListToolsRequest, ListToolsResult, PaginatedRequestParams, ServerResult, TaskPayload,
    Tool as Definition,
};
use rmcp::service::{RunningService, ServiceError};
use rmcp::{RoleClient, Service};
use serde_json::Value;
use tokio::sync::Mutex;

use super::tasks::Tasks;
use crate::{
    CallError, Profile, ProtocolVersion, RefusedTool, ResultError, ResultKind, Tool, Toolbox, toolbox,
};

/// Most pages of a server's list.
const PAGES: usize = 1_000;

/// A client that compiled the tools of its server, and checks calls and results.
///
/// - A tool whose schema is refused cannot be called; the other tools can.
///   [`ValidatedClient::refused`] returns the reasons.
/// - Arguments that do not conform are not sent.
/// - Structured content that does not conform, or is missing, is an error and not a result.
/// - Schemas and values that a current server wraps for a client with a version before 2026-07-28
///   are unwrapped.
///
/// The list is read when the client is made; [`ValidatedClient::refresh`] reads it again, for
/// instance when the server says that it has changed. Use `tokio::time::timeout` to limit how long
/// to wait for a server.
///
/// A list that rmcp itself cannot read, because one tool in it has `true` for a schema or no schema
/// at all, is read here tool by tool.
pub struct ValidatedClient<S: Service<RoleClient>> {
    running: RunningService<RoleClient, S>,
    toolbox: Toolbox,
    /// The state of the list.
    seen: RwLock<Seen>,
    /// How often the list was requested, and how many of these requests the current list answers.
    /// The lock is held while a list is read: two concurrent requests could be answered out of
    /// order.
    asked: AtomicU64,
    answered: Mutex<u64>,
    /// The tools of tasks in progress.
    tasks: Tasks<Tool>,
}

#[derive(Clone, Default)]
struct Seen {
    tools: Vec<Definition>,
    refused: Vec<RefusedTool>,
}

impl<S: Service<RoleClient>> ValidatedClient<S> {
    /// Reads and compiles the tools of a connected client's server.
    pub async fn new(running: RunningService<RoleClient, S>) -> Result<ValidatedClient<S>, ClientError> {
        ValidatedClient::with(Profile::default(), running).await
    }

    /// Reads and compiles the tools with a profile. [`Profile::lenient`] accepts what published
    /// servers send.
    pub async fn with(
        profile: Profile,
        running: RunningService<RoleClient, S>,
    ) -> Result<ValidatedClient<S>, ClientError> {
        let client = ValidatedClient {
            running,
            toolbox: Toolbox::new(profile),
            seen: RwLock::default(),
            asked: AtomicU64::new(0),
            answered: Mutex::new(0),
            tasks: Tasks::default(),
        };
        client.refresh().await?;
        Ok(client)
    }

    /// Reads the tools again. Only what has changed is compiled. If this fails, the tools stay as
    /// they were.
    ///
    /// Afterwards the tools are at least as new as this call. Concurrent calls are sent one after
    /// the other, and calls that waited share the next list; so an older list never replaces a
    /// newer one.
    pub async fn refresh(&self) -> Result<(), ClientError> {
        let number = self.asked.fetch_add(1, Ordering::SeqCst) + 1;
        let mut answered = self.answered.lock().await;
        if *answered >= number {
            return Ok(());
        }
        let waiting = self.asked.load(Ordering::SeqCst);
        let definitions = self.list().await?;
        let loaded = self.toolbox.replace(definitions);
        let tools = self.toolbox.tools().iter().filter_map(|tool| natural(tool, &self.version())).collect();
        let seen = Seen { tools, refused: loaded.refused };
        *self.seen.write().unwrap_or_else(PoisonError::into_inner) = seen;
        *answered = waiting;
        Ok(())
    }

    /// Returns the tools that can be called, in the order of the server's list. Output schemas are
    /// unwrapped.
    pub fn tools(&self) -> Vec<Definition> {
        self.seen.read().unwrap_or_else(PoisonError::into_inner).tools.clone()
    }

    /// Returns the tools that were refused, and why.
    pub fn refused(&self) -> Vec<RefusedTool> {
        self.seen.read().unwrap_or_else(PoisonError::into_inner).refused.clone()
    }

    /// Returns the compiled tools, for checks of your own.
    pub fn toolbox(&self) -> &Toolbox {
        &self.toolbox
    }

    /// Returns the client inside, for everything but tools.
    pub fn client(&self) -> &RunningService<RoleClient, S> {
        &self.running
    }

    /// Returns the client inside and drops the checks.
    pub fn into_inner(self) -> RunningService<RoleClient, S> {
        self.running
    }

    /// Calls a tool: checks the arguments, sends them, and checks the result.
    ///
    /// A result with `isError` is a result. If a model made the call, show it the text of
    /// [`ClientError::Call`].
    pub async fn call_tool(&self, mut params: CallToolRequestParams) -> Result<CallToolResult, ClientError> {
        let tool = self.before(&mut params)?;
        let mut result = self.running.call_tool(params).await?;
        self.after(&tool, &mut result)?;
        Ok(result)
    }

    /// Calls a tool once, without answering requests for input. A task is remembered, so that
    /// [`get_task`](ValidatedClient::get_task) can check its result.
    pub async fn call_tool_once(
        &self,
        mut params: CallToolRequestParams,
    ) -> Result<CallToolResponse, ClientError> {
        let tool = self.before(&mut params)?;
        let mut response = self.running.call_tool_once(params).await?;
        if let CallToolResponse::Complete(result) = &mut response {
            self.after(&tool, result)?;
        } else if let CallToolResponse::Task(task) = &response {
            self.tasks.insert(&task.task.task_id, tool);
        }
        Ok(response)
    }

    /// Reads a task. If it has finished, its result is checked like any other.
    pub async fn get_task(&self, params: GetTaskParams) -> Result<GetTaskResult, ClientError> {
        let tool = self.tasks.get(&params.task_id);
        let mut result = self.running.get_task(params).await?;
        if let (Some(tool), TaskPayload::Completed { result }) = (tool, &mut result.task.payload) {
            let given = Value::Object(std::mem::take(result));
            let checked = tool.receive_result(ProtocolVersion::from(&self.version()), given);
            let checked =
                checked.map_err(|error| ClientError::Result { tool: tool.name().to_owned(), error })?;
            *result = super::members(checked).unwrap_or_default();
        }
        Ok(result)
    }

    /// Checks the arguments of a call and returns its tool.
    fn before(&self, params: &mut CallToolRequestParams) -> Result<Tool, ClientError> {
        let name = params.name.as_ref();
        let Some(tool) = self.toolbox.get(name) else {
            return Err(match self.toolbox.refused(name) {
                Some(refused) => ClientError::Refused(refused),
                None => ClientError::Unknown { tool: name.to_owned() },
            });
        };
        let arguments = params.arguments.take().map(Value::Object);
        tool.check_call(arguments.as_ref()).map_err(ClientError::Call)?;
        params.arguments = arguments.and_then(super::members);
        Ok(tool)
    }

    /// Checks a result, and unwraps its structured content.
    fn after(&self, tool: &Tool, result: &mut CallToolResult) -> Result<(), ClientError> {
        let refused = |error| ClientError::Result { tool: tool.name().to_owned(), error };
        let kind = result.result_type.as_ref().map(|kind| Value::from(kind.as_str()));
        let is_final = tool.is_final(ResultKind::from_members(kind.as_ref(), |_| None), kind.as_ref());
        if !is_final.map_err(refused)? {
            return Ok(());
        }
        let is_error = result.is_error.unwrap_or(false);
        tool.check_structured(result.structured_content.as_ref(), is_error).map_err(refused)?;
        let value = result.structured_content.take();
        result.structured_content = value.map(|value| tool.natural_value(&self.version(), value));
        Ok(())
    }

    /// Returns the negotiated protocol version.
    fn version(&self) -> String {
        self.running.peer_info().map(|info| info.protocol_version.to_string()).unwrap_or_default()
    }

    /// Reads all pages of the server's list, each tool as JSON.
    async fn list(&self) -> Result<Vec<Value>, ClientError> {
        let mut tools = Vec::new();
        let mut cursor = None;
        for _ in 0..PAGES {
            let params = PaginatedRequestParams::default().with_cursor(cursor);
            let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params));
            let page = Page::of(self.running.send_request(request).await?)?;
            tools.extend(page.tools);
            cursor = page.next_cursor;
            // The toolbox reports a list that is too long.
            if cursor.is_none() || tools.len() > toolbox::TOOLS {
                return Ok(tools);
            }
        }
        Err(ClientError::List { message: format!("more than {PAGES} pages") })
    }
}

/// A page of a list.
struct Page {
    tools: Vec<Value>,
    next_cursor: Option<String>,
}

impl Page {
    fn of(result: ServerResult) -> Result<Page, ClientError> {
        let unreadable =
            || ClientError::List { message: "expected an object with an array `tools`".to_owned() };
        if let ServerResult::ListToolsResult(ListToolsResult { tools, next_cursor, .. }) = result {
            let tools = tools.into_iter().filter_map(|tool| serde_json::to_value(tool).ok()).collect();
            return Ok(Page { tools, next_cursor });
        }
        // rmcp returns what it has no type for as it was sent. One tool is malformed; the others
        // may be fine.
        let ServerResult::CustomResult(CustomResult(mut page)) = result else { return Err(unreadable()) };
        let next_cursor = page.get("nextCursor").and_then(Value::as_str).map(str::to_owned);
        match page.get_mut("tools").map(Value::take) {
            Some(Value::Array(tools)) => Ok(Page { tools, next_cursor }),
            Some(_) | None => Err(unreadable()),
        }
    }
}

/// Returns a definition as the tool's author wrote it, from what a server sent to a client with
/// this protocol version.
fn natural(tool: &Tool, version: &str) -> Option<Definition> {
    let mut definition = tool.definition();
    let output = tool.output().filter(|output| output.is_envelope_for(ProtocolVersion::from(version)));
    if let Some(natural) = output.and_then(crate::OutputSchema::natural_schema) {
        definition["outputSchema"] = crate::legacy::sendable(&natural).into_owned();
    }
    serde_json::from_value(definition).ok()
}

/// The reason why there is no list, or no result.
#[derive(Debug)]
#[non_exhaustive]
pub enum ClientError {
    /// The server has no tool of that name.
    Unknown {
        /// The name.
        tool: String,
    },
    /// The tool's schema was refused when the list was read.
    Refused(RefusedTool),
    /// The arguments do not conform. Nothing was sent.
    Call(CallError),
    /// The result of the tool breaks its output schema.
    Result {
        /// The tool.
        tool: String,
        /// The problem.
        error: ResultError,
    },
    /// The server's list cannot be read.
    List {
        /// The problem.
        message: String,
    },
    /// rmcp could not send the request, or received an error.
    Service(ServiceError),
}

impl From<ServiceError> for ClientError {
    fn from(error: ServiceError) -> ClientError {
        ClientError::Service(error)
    }
}

impl fmt::Display for ClientError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClientError::Unknown { tool } => write!(f, "unknown tool {}", crate::words::quoted(tool)),
            ClientError::Refused(refused) => write!(f, "{refused}"),
            ClientError::Call(error) => write!(f, "{error}"),
            ClientError::Result { tool, error } => write!(f, "tool {}: {error}", crate::words::quoted(tool)),
            ClientError::List { message } => write!(f, "tools/list: {message}"),
            ClientError::Service(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for ClientError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ClientError::Refused(refused) => Some(refused),
            ClientError::Call(error) => Some(error),
            ClientError::Result { error, .. } => Some(error),
            ClientError::Service(error) => Some(error),
            ClientError::Unknown { .. } | ClientError::List { .. } => None,
        }
    }
}
