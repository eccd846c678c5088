//! [`ValidatedService`]: the layer around a server that is not a handler.

use std::borrow::Cow;

use rmcp::model::{
    CallToolRequest, ClientNotification, ClientRequest, ErrorData, ListToolsRequest, ListToolsResult,
    PaginatedRequestParams, ProtocolVersion, ServerConfig, ServerResult, Tool as Definition,
};
use rmcp::service::{NotificationContext, RequestContext};
use rmcp::{RoleServer, Service};

use super::checks::{Checks, PAGES, version_of};
use super::definitions::Definitions;
use crate::Compiler;

/// [`Validated`](super::Validated) for a [`Service`] of rmcp that is not a `ServerHandler`, such as
/// its `Router` and `Box<dyn DynService>`.
///
/// A service cannot return a single definition, so its list is read with every call.
pub struct ValidatedService<S> {
    service: S,
    checks: Checks,
}

impl<S: Service<RoleServer>> ValidatedService<S> {
    /// Wraps a service.
    pub fn new(service: S) -> ValidatedService<S> {
        ValidatedService { service, checks: Checks::default() }
    }

    /// Sets a compiler, with another profile or shared with others.
    #[must_use]
    pub fn compiler(mut self, compiler: &Compiler) -> ValidatedService<S> {
        self.checks.definitions = Definitions::new(compiler.clone());
        self
    }

    /// Sets whether absent arguments get the defaults of the input schema before the tool runs. Off
    /// by default.
    #[must_use]
    pub fn fill_defaults(mut self, fill: bool) -> ValidatedService<S> {
        self.checks.fills_defaults = fill;
        self
    }

    /// Returns the server inside.
    pub fn service(&self) -> &S {
        &self.service
    }
}

impl<S: Service<RoleServer>> Service<RoleServer> for ValidatedService<S> {
    async fn handle_request(
        &self,
        request: ClientRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        // `ClientRequest` is rmcp's and may grow: unknown requests are passed through.
        if let ClientRequest::CallToolRequest(request) = request {
            self.call(request, context).await
        } else if let ClientRequest::ListToolsRequest(_) = request {
            let version = version_of(&context);
            let mut result = self.service.handle_request(request, context).await?;
            if let ServerResult::ListToolsResult(list) = &mut result {
                self.checks.list(&mut list.tools, &version);
            }
            Ok(result)
        } else if let ClientRequest::GetTaskRequest(_) = request {
            let mut result = self.service.handle_request(request, context).await?;
            if let ServerResult::GetTaskResult(task) = &mut result {
                self.checks.finished(task)?;
            }
            Ok(result)
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

impl<S: Service<RoleServer>> ValidatedService<S> {
    async fn call(
        &self,
        mut request: CallToolRequest,
        context: RequestContext<RoleServer>,
    ) -> Result<ServerResult, ErrorData> {
        let Some(definition) = self.find(&request.params.name, &context).await? else {
            // Not a tool that can be checked; the server answers for the name.
            return self.service.handle_request(ClientRequest::CallToolRequest(request), context).await;
        };
        let call = match self.checks.before(&definition, &mut request.params, version_of(&context)) {
            Ok(call) => call,
            Err(answer) => return (*answer).map(ServerResult::CallToolResult),
        };
        let mut result =
            self.service.handle_request(ClientRequest::CallToolRequest(request), context).await?;
        // A request for input is not a result yet.
        if let ServerResult::CallToolResult(result) = &mut result {
            call.after(result)?;
        } else if let ServerResult::CreateTaskResult(task) = &result {
            self.checks.started(call, task);
        }
        Ok(result)
    }

    /// Returns the definition of a tool. `None` if the server has none of this name.
    async fn find(
        &self,
        name: &str,
        context: &RequestContext<RoleServer>,
    ) -> Result<Option<Definition>, ErrorData> {
        let mut cursor = None;
        for _ in 0..PAGES {
            let params = PaginatedRequestParams::default().with_cursor(cursor);
            let request = ClientRequest::ListToolsRequest(ListToolsRequest::with_param(params));
            let result = self.service.handle_request(request, context.clone()).await?;
            let ServerResult::ListToolsResult(ListToolsResult { tools, next_cursor, .. }) = result else {
                return Ok(None);
            };
            let found = tools.into_iter().find(|definition| definition.name == name);
            if found.is_some() || next_cursor.is_none() {
                return Ok(found);
            }
            cursor = next_cursor;
        }
        Ok(None)
    }
}
