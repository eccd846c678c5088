//! The layer around rmcp's servers and clients, in one process: every way to make a tool, and every kind of value.
#![cfg(feature = "rmcp")]

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rmcp::handler::server::router::Router;
use rmcp::handler::server::router::tool::{SyncTool, ToolBase, ToolRoute};
use rmcp::handler::server::tool::ToolRouter;
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ClientCapabilities, ClientConfig,
    CreateTaskResult, DetailedTask, ErrorData, GetTaskParams, GetTaskResult, Implementation,
    ListResourcesResult, ListToolsResult, PaginatedRequestParams, ProtocolVersion, Resource, ServerConfig,
    Task, TaskPayload, TaskStatus, Tool,
};
use rmcp::service::{RequestContext, RunningService};
use rmcp::{
    ClientHandler, ClientLifecycleMode, ClientServiceExt, RoleClient, RoleServer, ServerHandler, Service,
    ServiceExt, tool, tool_handler, tool_router,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use stanchion_mcp::rmcp::{ClientError, Validated, ValidatedClient, ValidatedService};
use stanchion_mcp::{Compiler, MissingType, Profile};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};

const PATIENCE: Duration = Duration::from_secs(60);
const NEW: &str = "2026-07-28";
const OLD: &str = "2025-11-25";

type Client = RunningService<RoleClient, ()>;

async fn within<T>(what: &str, work: impl Future<Output = T>) -> T {
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(done) => done,
        Err(_) => panic!("{what}: not done after {} s", PATIENCE.as_secs()),
    }
}

/// Connects a client with this version to a server in the same process.
async fn connect(version: &str, server: impl Service<RoleServer>) -> Client {
    connect_as((), version, server).await
}

async fn connect_as<H: ClientHandler>(
    handler: H,
    version: &str,
    server: impl Service<RoleServer>,
) -> RunningService<RoleClient, H> {
    let (ours, theirs) = duplex(1 << 20);
    tokio::spawn(async move { server.serve(theirs).await.expect("a server").waiting().await });
    join(handler, version, ours).await
}

async fn join<H: ClientHandler>(
    handler: H,
    version: &str,
    stream: DuplexStream,
) -> RunningService<RoleClient, H> {
    let lifecycle = match version {
        NEW => ClientLifecycleMode::Discover { preferred_versions: vec![ProtocolVersion::V_2026_07_28] },
        _ => ClientLifecycleMode::Initialize,
    };
    let client =
        within("connecting", handler.serve_with_lifecycle(stream, lifecycle)).await.expect("a connection");
    assert_eq!(client.peer_info().expect("a server").protocol_version.as_str(), version);
    client
}

fn params(name: &str, arguments: Value) -> CallToolRequestParams {
    CallToolRequestParams::new(name.to_owned()).with_arguments(rmcp::model::object(arguments))
}

async fn call(client: &Client, name: &str, arguments: Value) -> CallToolResult {
    let result = within(name, client.call_tool(params(name, arguments))).await;
    result.unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn text(result: &CallToolResult) -> &str {
    result.content.iter().find_map(|block| block.as_text()).map_or("", |block| &block.text)
}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Forecast {
    #[schemars(length(min = 5, max = 5))]
    hour: String,
    #[schemars(range(min = -100, max = 150))]
    temp: i32,
}

#[derive(Default, Deserialize, JsonSchema)]
struct Wanted {
    #[schemars(range(max = 3))]
    count: usize,
}

/// One tool for each kind of value, made by the macro.
#[derive(Default)]
struct Kinds;

#[tool_router(server_handler)]
impl Kinds {
    #[tool(description = "an array")]
    fn array(&self, Parameters(wanted): Parameters<Wanted>) -> Json<Vec<Forecast>> {
        Json(vec![Forecast { hour: "09:00".to_owned(), temp: 20 }; wanted.count])
    }
    #[tool(description = "a number")]
    fn number(&self) -> Json<f64> {
        Json(0.0)
    }
    #[tool(description = "a text")]
    fn string(&self) -> Json<String> {
        Json(String::new())
    }
    #[tool(description = "a truth")]
    fn boolean(&self) -> Json<bool> {
        Json(false)
    }
    #[tool(description = "nothing, which is a value")]
    fn nothing(&self) -> Json<Option<Forecast>> {
        Json(None)
    }
    #[tool(description = "an object")]
    fn object(&self) -> Json<Forecast> {
        Json(Forecast { hour: "10:00".to_owned(), temp: 21 })
    }
    #[tool(description = "an hour that its own schema does not allow")]
    async fn broken(&self) -> Result<Json<Vec<Forecast>>, String> {
        Ok(Json(vec![Forecast { hour: "nine".to_owned(), temp: 20 }]))
    }
    #[tool(description = "words alone")]
    fn words(&self) -> String {
        "as they come".to_owned()
    }
}

#[tokio::test]
async fn every_kind_of_value_reaches_clients_of_both_times() {
    let hour = json!({"hour": "09:00", "temp": 20});
    let cases = [
        ("array", json!({"count": 1}), json!([hour])),
        ("number", json!({}), json!(0.0)),
        ("string", json!({}), json!("")),
        ("boolean", json!({}), json!(false)),
        ("nothing", json!({}), json!(null)),
        ("object", json!({}), json!({"hour": "10:00", "temp": 21})),
    ];
    let new = connect(NEW, Validated::new(Kinds)).await;
    let old = connect(OLD, Validated::new(Kinds)).await;
    let unwrapping = within("listing", ValidatedClient::new(connect(OLD, Validated::new(Kinds)).await))
        .await
        .expect("a list");
    for (name, arguments, expected) in cases {
        let result = call(&new, name, arguments.clone()).await;
        assert_eq!(result.is_error, Some(false), "{name}: {}", text(&result));
        assert_eq!(result.structured_content, Some(expected.clone()), "{name}");
        assert_eq!(serde_json::from_str::<Value>(text(&result)).expect(name), expected, "{name}");

        let wrapped = if expected.is_object() { expected.clone() } else { json!({"result": expected}) };
        let result = call(&old, name, arguments.clone()).await;
        assert_eq!(result.structured_content, Some(wrapped), "{name} for an old client");

        let result = within(name, unwrapping.call_tool(params(name, arguments))).await.expect(name);
        assert_eq!(result.structured_content, Some(expected), "{name} unwrapped");
    }
    assert_eq!(text(&call(&new, "words", json!({})).await), "as they come");
}

#[tokio::test]
async fn lists_are_what_each_client_can_read() {
    let new = connect(NEW, Validated::new(Kinds)).await;
    let old = connect(OLD, Validated::new(Kinds)).await;
    let plain = connect(NEW, Kinds).await;
    let natural = within("listing", new.list_all_tools()).await.expect("a list");
    let unlayered = within("listing", plain.list_all_tools()).await.expect("a list");
    assert_eq!(natural, unlayered, "a client of today gets what the server said");
    for tool in within("listing", old.list_all_tools()).await.expect("a list") {
        let Some(schema) = tool.output_schema else { continue };
        assert_eq!(schema["type"], "object", "{}", tool.name);
    }
    let client = within("listing", ValidatedClient::new(old)).await.expect("a list");
    assert_eq!(client.tools(), natural, "a client that unwraps gets it, too");
    assert!(client.refused().is_empty());
}

#[tokio::test]
async fn arguments_and_results_that_break_their_schema_are_errors_to_read() {
    let client = connect(NEW, Validated::new(Kinds)).await;
    let result = call(&client, "array", json!({"count": 4})).await;
    assert_eq!(result.is_error, Some(true));
    assert!(text(&result).contains("/count") && text(&result).contains('3'), "{}", text(&result));
    let result = call(&client, "broken", json!({})).await;
    assert_eq!((result.is_error, &result.structured_content), (Some(true), &None));
    assert!(text(&result).contains("/0/hour"), "{}", text(&result));
}

#[tokio::test]
async fn a_call_without_arguments_has_none() {
    let client = connect(NEW, Validated::new(Kinds)).await;
    let result =
        within("calling", client.call_tool(CallToolRequestParams::new("array"))).await.expect("a result");
    assert!(text(&result).contains("count"), "{}", text(&result));
    let result =
        within("calling", client.call_tool(CallToolRequestParams::new("number"))).await.expect("a result");
    assert_eq!(result.structured_content, Some(json!(0.0)));
}

/// A tool by trait, whose arguments have a default.
struct Echo;

impl ToolBase for Echo {
    type Parameter = Value;
    type Output = Value;
    type Error = ErrorData;
    fn name() -> std::borrow::Cow<'static, str> {
        "echo".into()
    }
    fn input_schema() -> Option<Arc<rmcp::model::JsonObject>> {
        let unit = json!({"enum": ["celsius", "fahrenheit"], "default": "celsius"});
        Some(Arc::new(rmcp::model::object(json!({"type": "object", "properties": {"unit": unit}}))))
    }
    fn output_schema() -> Option<Arc<rmcp::model::JsonObject>> {
        None
    }
}

impl<S: Send + Sync + 'static> SyncTool<S> for Echo {
    fn invoke(_: &S, arguments: Value) -> Result<Value, ErrorData> {
        Ok(arguments)
    }
}

#[derive(Clone)]
struct Routed(ToolRouter<Routed>);

#[tool_handler(router = self.0)]
impl ServerHandler for Routed {}

fn routed(route: impl FnOnce(ToolRouter<Routed>) -> ToolRouter<Routed>) -> Routed {
    Routed(route(ToolRouter::new()))
}

#[tokio::test]
async fn defaults_are_filled_in_on_request() {
    let server = || routed(|router| router.with_sync_tool::<Echo>());
    let as_given = connect(NEW, Validated::new(server())).await;
    assert_eq!(call(&as_given, "echo", json!({})).await.structured_content, Some(json!({})));
    let filled = connect(NEW, Validated::new(server()).fill_defaults(true)).await;
    let result = call(&filled, "echo", json!({})).await;
    assert_eq!(result.structured_content, Some(json!({"unit": "celsius"})));
    let result = call(&filled, "echo", json!({"unit": "kelvin"})).await;
    assert_eq!(result.is_error, Some(true));
}

/// Returns a route that answers with a value and no content.
fn bare(input: Value, output: Value, value: Value) -> ToolRoute<Routed> {
    let tool = Tool::new("bare", "a bare value", Arc::new(rmcp::model::object(input)));
    let tool = tool.with_raw_output_schema(Arc::new(rmcp::model::object(output)));
    ToolRoute::new_dyn(tool, move |_| {
        let mut result = CallToolResult::success(Vec::new());
        result.structured_content = Some(value.clone());
        Box::pin(async move { Ok(result.into()) })
    })
}

#[tokio::test]
async fn a_value_that_is_no_object_gets_its_text() {
    for (output, value, content) in [
        (json!({"type": "array"}), json!([1, "a"]), vec!["[1,\"a\"]"]),
        (json!({"type": "null"}), json!(null), vec!["null"]),
        (json!({"type": "object"}), json!({}), vec![]),
    ] {
        let route = bare(json!({"type": "object"}), output, value.clone());
        let client = connect(NEW, Validated::new(routed(|router| router.with_route(route)))).await;
        let result = call(&client, "bare", json!({})).await;
        let texts: Vec<&str> =
            result.content.iter().filter_map(|block| Some(block.as_text()?.text.as_str())).collect();
        assert_eq!(texts, content, "{value}");
        assert_eq!(result.structured_content, Some(value));
    }
}

#[tokio::test]
async fn a_service_that_is_no_handler_can_be_wrapped() {
    let router = Router::new(routed(|router| router)).with_tool(bare(
        json!({"type": "object", "required": ["x"]}),
        json!({"type": "number"}),
        json!("no number"),
    ));
    let client = connect(NEW, ValidatedService::new(router)).await;
    assert!(text(&call(&client, "bare", json!({})).await).contains("\"x\""));
    assert!(text(&call(&client, "bare", json!({"x": 1})).await).contains("structured content"));
    assert_eq!(within("listing", client.list_all_tools()).await.expect("a list").len(), 1);
    assert!(within("calling", client.call_tool(params("none", json!({})))).await.is_err());
}

#[tokio::test]
async fn all_but_tools_goes_through() {
    let client = connect(NEW, Validated::new(Moody::default())).await;
    let resources = within("listing", client.list_all_resources()).await.expect("a list");
    assert_eq!(resources.iter().map(|found| found.uri.as_str()).collect::<Vec<_>>(), ["mood:now"]);
    let info = client.peer_info().expect("a server");
    assert_eq!(info.instructions.as_deref(), Some("Do not rely on it."));
}

#[tokio::test]
async fn the_choices_of_a_profile_hold() {
    let server = || {
        let route =
            bare(json!({"properties": {"x": {"format": "date"}}}), json!({"type": "number"}), json!(1));
        routed(|router| router.with_route(route))
    };
    // By the specification, a root has a type.
    let strict = connect(NEW, Validated::new(server())).await;
    assert!(within("listing", strict.list_all_tools()).await.expect("a list").is_empty());
    assert!(within("calling", strict.call_tool(params("bare", json!({})))).await.is_err());

    let profile = Profile::default().missing_type(MissingType::Object).assert_formats(true);
    let client = connect(NEW, Validated::new(server()).profile(profile)).await;
    let tools = within("listing", client.list_all_tools()).await.expect("a list");
    assert_eq!(tools[0].input_schema["type"], "object");
    assert_eq!(call(&client, "bare", json!({"x": "soon"})).await.is_error, Some(true));
    assert_eq!(call(&client, "bare", json!({"x": "2026-07-28"})).await.structured_content, Some(json!(1)));
}

#[tokio::test]
async fn servers_share_what_was_compiled() {
    let compiler = Compiler::new(Profile::default());
    for _session in 0..3 {
        let client = connect(NEW, Validated::new(Kinds).compiler(&compiler)).await;
        assert_eq!(call(&client, "number", json!({})).await.structured_content, Some(json!(0.0)));
    }
    // An input schema and an output schema.
    assert_eq!(compiler.kept(), 2);
}

/// A server whose one tool changes with every call, on the second page of its list.
#[derive(Default)]
struct Moody(AtomicUsize);

impl ServerHandler for Moody {
    fn get_info(&self) -> ServerConfig {
        let capabilities =
            rmcp::model::ServerCapabilities::builder().enable_tools().enable_resources().build();
        ServerConfig::new(capabilities).with_instructions("Do not rely on it.")
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        Ok(ListResourcesResult::with_all_items(vec![Resource::new("mood:now", "mood")]))
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let name = ["a", "b"][self.0.load(Ordering::SeqCst) % 2];
        let tool = |tool, required| {
            let input = json!({"type": "object", "required": [required]});
            Tool::new(tool, "", Arc::new(rmcp::model::object(input)))
        };
        Ok(match request.and_then(|request| request.cursor) {
            None => ListToolsResult {
                next_cursor: Some("more".to_owned()),
                ..ListToolsResult::with_all_items(vec![tool("other", "z")])
            },
            Some(_) => ListToolsResult::with_all_items(vec![tool("moody", name)]),
        })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        self.0.fetch_add(1, Ordering::SeqCst);
        Ok(CallToolResult::structured(Value::Object(request.arguments.unwrap_or_default())).into())
    }
}

#[tokio::test]
async fn a_tool_that_changes_is_checked_as_it_is_now() {
    let client = connect(NEW, Validated::new(Moody::default())).await;
    for (arguments, is_error) in [
        (json!({"b": 1}), true),
        (json!({"a": 1}), false),
        (json!({"a": 1}), true),
        (json!({"b": 1}), false),
        (json!({"a": 1}), false),
    ] {
        let result = call(&client, "moody", arguments.clone()).await;
        assert_eq!(result.is_error, Some(is_error), "{arguments}: {}", text(&result));
    }
    let client = within("listing", ValidatedClient::new(client)).await.expect("a list");
    let names: Vec<String> = client.tools().iter().map(|tool| tool.name.to_string()).collect();
    assert_eq!(names, ["other", "moody"], "all pages are read");
    // The client checks by the list that it has read, until it asks again.
    assert!(within("calling", client.call_tool(params("moody", json!({"b": 1})))).await.is_ok());
    let stale = within("calling", client.call_tool(params("moody", json!({"a": 1})))).await;
    assert!(matches!(stale, Err(ClientError::Call(_))), "{stale:?}");
    within("listing", client.refresh()).await.expect("a list");
    assert!(within("calling", client.call_tool(params("moody", json!({"a": 1})))).await.is_ok());
}

/// A server written by hand, which gives these answers in this order whatever it is asked.
async fn play(stream: DuplexStream, answers: Vec<Value>) {
    let (read, mut write) = tokio::io::split(stream);
    let mut lines = BufReader::new(read).lines();
    let mut answers = answers.into_iter();
    while let Ok(Some(line)) = lines.next_line().await {
        let request: Value = serde_json::from_str(&line).expect("JSON");
        let Some(id) = request.get("id") else { continue };
        let Some(result) = answers.next() else { return };
        let answer = json!({"jsonrpc": "2.0", "id": id, "result": result});
        write.write_all(format!("{answer}\n").as_bytes()).await.expect("a client");
    }
}

async fn played(answers: Vec<Value>) -> Client {
    let (ours, theirs) = duplex(1 << 20);
    let hello =
        json!({"protocolVersion": OLD, "capabilities": {}, "serverInfo": {"name": "s", "version": "0"}});
    tokio::spawn(play(theirs, [vec![hello], answers].concat()));
    join((), OLD, ours).await
}

#[tokio::test]
async fn a_list_that_rmcp_cannot_read_is_read_tool_by_tool() {
    let good = json!({"type": "object"});
    let tools = json!({"tools": [
        {"name": "good", "inputSchema": good},
        {"name": "any", "inputSchema": good, "outputSchema": true},
        {"name": "none", "inputSchema": good, "outputSchema": false},
        {"name": "text", "inputSchema": "object"},
        {"name": "without"},
        7
    ]});
    let client = played(vec![tools.clone()]).await;
    assert!(within("listing", client.list_all_tools()).await.is_err(), "rmcp reads all or nothing");

    let any = json!({"content": [{"type": "text", "text": "1"}], "structuredContent": 1});
    let client = played(vec![tools, any.clone(), any]).await;
    let client = within("listing", ValidatedClient::new(client)).await.expect("a list");
    let names: Vec<String> = client.tools().iter().map(|tool| tool.name.to_string()).collect();
    assert_eq!(names, ["good", "any", "none"]);
    assert_eq!(client.refused().len(), 3, "{:?}", client.refused());
    let result = within("calling", client.call_tool(params("any", json!({})))).await.expect("a result");
    assert_eq!(result.structured_content, Some(json!(1)));
    let result = within("calling", client.call_tool(params("none", json!({})))).await;
    assert!(matches!(result, Err(ClientError::Result { .. })), "{result:?}");
}

#[tokio::test]
async fn a_list_without_end_is_given_up() {
    let page = json!({"tools": [], "nextCursor": "again"});
    let client = played(vec![page; 2_000]).await;
    let client = within("listing", ValidatedClient::new(client)).await;
    assert!(matches!(client, Err(ClientError::List { .. })));
}

#[tokio::test]
async fn errors_of_a_server_are_results_and_not_looked_at() {
    let tools = json!({"tools": [{
        "name": "count", "inputSchema": {"type": "object"},
        "outputSchema": {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}
    }]});
    let error = json!({"content": [{"type": "text", "text": "out of order"}], "isError": true});
    let wrong = json!({"content": [], "structuredContent": {"n": "many"}});
    let client = played(vec![tools, error, wrong]).await;
    let client = within("listing", ValidatedClient::new(client)).await.expect("a list");
    let result = within("calling", client.call_tool(params("count", json!({})))).await.expect("a result");
    assert_eq!((result.is_error, text(&result)), (Some(true), "out of order"));
    let error = within("calling", client.call_tool(params("count", json!({})))).await.expect_err("a lie");
    assert!(error.to_string().starts_with("tool \"count\": ") && error.to_string().contains("/n"), "{error}");
}

#[tokio::test]
async fn a_panicking_format_still_answers_the_call() {
    let profile = Profile::default().assert_formats(true).format("trap", |_| panic!("a format with a bug"));
    let input = json!({"type": "object", "properties": {"x": {"type": "string", "format": "trap"}}});
    let output = json!({"type": "string", "format": "trap"});
    let server = |input, output| {
        let route = bare(input, output, json!("caught"));
        Validated::new(routed(|router| router.with_route(route))).profile(profile.clone())
    };
    // The format of an argument, and that of a result.
    for (input, output) in [(input, json!({})), (json!({"type": "object"}), output)] {
        let client = connect(NEW, server(input, output)).await;
        for _ in 0..2 {
            let result = within("calling", client.call_tool(params("bare", json!({"x": "a"})))).await;
            let error = result.expect_err("an internal error").to_string();
            assert!(error.contains("panicked"), "{error}");
        }
    }
}

#[tokio::test]
async fn a_result_that_would_not_arrive_is_an_error() {
    // As text, every quote is two bytes more: the mirror of 8 MiB takes the message past what rmcp sends.
    for (size, arrives) in [(1 << 10, true), (8 << 20, false)] {
        let value = Value::String("\"".repeat(size));
        let route = bare(json!({"type": "object"}), json!({"type": "string"}), value.clone());
        let client = connect(NEW, Validated::new(routed(|router| router.with_route(route)))).await;
        let result = call(&client, "bare", json!({})).await;
        assert_eq!(result.is_error, Some(!arrives), "{size}");
        assert_eq!(result.structured_content, arrives.then_some(value), "{size}");
        assert_eq!(text(&result).contains("bytes"), !arrives, "{size}");
    }
}

/// A server whose one tool runs as a task that has finished when it is first asked for.
struct Slow(Value);

impl ServerHandler for Slow {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(rmcp::model::ServerCapabilities::builder().enable_tools().enable_tasks().build())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        let tool =
            Tool::new(name.to_owned(), "slow", Arc::new(rmcp::model::object(json!({"type": "object"}))));
        let output = rmcp::model::object(json!({"type": "array", "items": {"type": "number"}}));
        Some(tool.with_raw_output_schema(Arc::new(output)))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(self.get_tool("slow").into_iter().collect()))
    }

    async fn call_tool(
        &self,
        _: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Ok(CallToolResponse::Task(CreateTaskResult::new(task(TaskStatus::Working))))
    }

    async fn get_task(
        &self,
        _: GetTaskParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetTaskResult, ErrorData> {
        let result = rmcp::model::object(json!({"structuredContent": self.0}));
        let payload = TaskPayload::Completed { result };
        Ok(GetTaskResult::new(DetailedTask::new(task(TaskStatus::Completed), payload)))
    }
}

fn task(status: TaskStatus) -> Task {
    Task::new("task-1", status, "2026-07-28T00:00:00Z", "2026-07-28T00:00:00Z")
}

/// A client that knows of tasks.
struct Patient;

impl ClientHandler for Patient {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(ClientCapabilities::builder().enable_tasks().build(), Implementation::default())
    }
}

/// Returns the result of a task, as a client sees it without checks of its own.
async fn finished(client: &RunningService<RoleClient, Patient>) -> Value {
    let started = within("calling", client.call_tool_once(params("slow", json!({})))).await;
    assert!(matches!(started, Ok(CallToolResponse::Task(_))), "{started:?}");
    let result = within("asking", client.get_task(GetTaskParams::new("task-1"))).await.expect("a task");
    let TaskPayload::Completed { result } = result.task.payload else { panic!("{result:?}") };
    Value::Object(result)
}

#[tokio::test]
async fn results_of_finished_tasks_are_checked_mirrored_and_wrapped() {
    let value = json!([1, 2.5]);
    for (version, structured) in [(NEW, value.clone()), (OLD, json!({"result": value}))] {
        let result = finished(&connect_as(Patient, version, Validated::new(Slow(value.clone()))).await).await;
        assert_eq!(result["structuredContent"], structured, "{version}");
        assert_eq!(result["content"], json!([{"type": "text", "text": "[1,2.5]"}]), "{version}");
        assert_eq!(result.get("resultType").is_some(), version == NEW, "{result}");

        let result =
            finished(&connect_as(Patient, version, Validated::new(Slow(json!(["one"])))).await).await;
        assert_eq!((&result["isError"], result.get("structuredContent")), (&json!(true), None), "{result}");
        assert!(result["content"][0]["text"].as_str().expect("a text").contains("/0"), "{result}");

        // A client unwraps, and refuses what a server did not check.
        let server = connect_as(Patient, version, Validated::new(Slow(value.clone()))).await;
        let client = within("listing", ValidatedClient::new(server)).await.expect("a list");
        within("calling", client.call_tool_once(params("slow", json!({})))).await.expect("a task");
        let result = within("asking", client.get_task(GetTaskParams::new("task-1"))).await.expect("a task");
        let TaskPayload::Completed { result } = result.task.payload else { panic!("{result:?}") };
        assert_eq!(result["structuredContent"], value, "{version}");

        let client =
            within("listing", ValidatedClient::new(connect_as(Patient, version, Slow(json!("no"))).await));
        let client = client.await.expect("a list");
        within("calling", client.call_tool_once(params("slow", json!({})))).await.expect("a task");
        let result = within("asking", client.get_task(GetTaskParams::new("task-1"))).await;
        assert!(matches!(result, Err(ClientError::Result { .. })), "{result:?}");
    }
}

#[tokio::test]
async fn results_of_finished_tasks_of_a_service_are_checked() {
    let result = finished(&connect_as(Patient, NEW, ValidatedService::new(Slow(json!(["one"])))).await).await;
    assert_eq!(result["isError"], json!(true), "{result}");
}

/// A server whose list is new each time. Of three lists, the first takes the longest.
struct Restless(Arc<AtomicUsize>);

impl ServerHandler for Restless {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(rmcp::model::ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let number = self.0.fetch_add(1, Ordering::SeqCst) + 1;
        let schema = Arc::new(rmcp::model::object(json!({"type": "object"})));
        tokio::time::sleep(Duration::from_millis([4, 0, 2][number % 3])).await;
        Ok(ListToolsResult::with_all_items(vec![Tool::new(format!("list{number}"), "", schema)]))
    }
}

#[tokio::test]
async fn of_refreshes_at_once_an_older_list_never_wins() {
    let lists = Arc::new(AtomicUsize::new(0));
    let client = connect(NEW, Restless(Arc::clone(&lists))).await;
    let client = within("listing", ValidatedClient::new(client)).await.expect("a list");
    for round in 0..50 {
        let before = lists.load(Ordering::SeqCst);
        let all = async { tokio::join!(client.refresh(), client.refresh(), client.refresh()) };
        let (first, second, third) = within("refreshing", all).await;
        assert!(first.is_ok() && second.is_ok() && third.is_ok());
        let newest = lists.load(Ordering::SeqCst);
        assert!((before + 1..=before + 3).contains(&newest), "{before} {newest}");
        assert_eq!(client.tools()[0].name, format!("list{newest}"), "round {round}");
        assert!(client.toolbox().get(&format!("list{newest}")).is_some());
    }
}

#[tokio::test]
async fn a_refresh_sees_what_was_there_when_it_was_called() {
    let lists = Arc::new(AtomicUsize::new(0));
    let client = connect(NEW, Restless(Arc::clone(&lists))).await;
    let client = within("listing", ValidatedClient::new(client)).await.expect("a list");
    let early = client.refresh();
    let late = async {
        // The server has begun to answer the first.
        while lists.load(Ordering::SeqCst) < 2 {
            tokio::task::yield_now().await;
        }
        client.refresh().await
    };
    let (early, late) = within("refreshing", async { tokio::join!(early, late) }).await;
    assert!(early.is_ok() && late.is_ok());
    assert_eq!((lists.load(Ordering::SeqCst), &*client.tools()[0].name), (3, "list3"));
}
