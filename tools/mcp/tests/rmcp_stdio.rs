//! A real client and a real server, in two processes: the servers are the examples, over standard input and output.
#![cfg(feature = "rmcp")]

use std::env;
use std::future::Future;
use std::path::PathBuf;
use std::process;
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, CallToolResult, ProtocolVersion, Tool};
use rmcp::service::{RunningService, ServiceError};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientLifecycleMode, ClientServiceExt, RoleClient, ServiceExt};
use serde_json::{Value, json};
use stanchion_mcp::rmcp::{ClientError, ValidatedClient};

/// Long enough for a slow machine; a test that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(60);

type Client = RunningService<RoleClient, ()>;

/// Fails, with a word on what took so long, in place of waiting forever.
async fn within<T>(what: &str, work: impl Future<Output = T>) -> T {
    match tokio::time::timeout(PATIENCE, work).await {
        Ok(done) => done,
        Err(_) => panic!("{what}: not done after {} s", PATIENCE.as_secs()),
    }
}

/// Returns the path of an example program. `cargo test` builds examples with the tests; if only
/// this test was selected, they are built now.
fn example(name: &str) -> PathBuf {
    let deps = env::current_exe().expect("a path").parent().expect("a folder").to_owned();
    let path = deps.with_file_name("examples").join(format!("{name}{}", env::consts::EXE_SUFFIX));
    if !path.exists() {
        let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = process::Command::new(cargo);
        build.args([
            "build",
            "--offline",
            "--package",
            "stanchion-mcp",
            "--features",
            "rmcp",
            "--example",
            name,
        ]);
        let built = build.current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("cargo runs");
        assert!(path.exists(), "{}: {}", path.display(), String::from_utf8_lossy(&built.stderr));
    }
    path
}

fn start(name: &str, arguments: &[&str]) -> TokioChildProcess {
    let mut command = tokio::process::Command::new(example(name));
    command.args(arguments).kill_on_drop(true);
    TokioChildProcess::new(command).expect("the server starts")
}

/// Connects a client of 2026-07-28.
async fn connect(name: &str, arguments: &[&str]) -> Client {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    let lifecycle = ClientLifecycleMode::Discover { preferred_versions };
    let connected = ().serve_with_lifecycle(start(name, arguments), lifecycle);
    within("connecting", connected).await.expect("a connection")
}

/// Connects a client that does the handshake, as all did until 2025-11-25.
async fn connect_old(name: &str, arguments: &[&str]) -> Client {
    let client = within("connecting", ().serve(start(name, arguments))).await.expect("a connection");
    assert_eq!(version(&client), "2025-11-25");
    client
}

fn version(client: &Client) -> String {
    client.peer_info().expect("a server").protocol_version.to_string()
}

async fn list(client: &Client) -> Vec<Tool> {
    within("listing", client.list_all_tools()).await.expect("a list")
}

/// Calls by rmcp alone, so that what is seen is what the server sent.
async fn call(client: &Client, name: &str, arguments: Value) -> CallToolResult {
    let result = within(name, client.call_tool(params(name, arguments))).await;
    result.unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn params(name: &str, arguments: Value) -> CallToolRequestParams {
    CallToolRequestParams::new(name.to_owned()).with_arguments(rmcp::model::object(arguments))
}

fn text(result: &CallToolResult) -> &str {
    result.content.iter().find_map(|block| block.as_text()).map_or("", |block| &block.text)
}

#[track_caller]
fn expect_value(result: &CallToolResult, expected: Value) {
    assert_ne!(result.is_error, Some(true), "{}", text(result));
    assert_eq!(result.structured_content.as_ref(), Some(&expected));
}

/// The result is an error, and its text has these words.
#[track_caller]
fn expect_error(result: &CallToolResult, words: &[&str]) {
    assert_eq!(result.is_error, Some(true), "{result:?}");
    assert_eq!(result.structured_content, None);
    for word in words {
        assert!(text(result).contains(word), "expected {word:?} in {}", text(result));
    }
}

fn output_schema<'t>(tools: &'t [Tool], name: &str) -> &'t Value {
    let tool = tools.iter().find(|tool| tool.name == name).unwrap_or_else(|| panic!("no tool {name}"));
    &tool.output_schema.as_deref().unwrap_or_else(|| panic!("{name}: no output schema"))["type"]
}

#[tokio::test]
async fn the_tools_are_listed_with_natural_schemas() {
    let client = connect("demo_server", &[]).await;
    assert_eq!(version(&client), "2026-07-28");
    let tools = list(&client).await;
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    assert_eq!(
        names,
        ["find-by-id-or-name", "find_resource", "get-count", "get-weather-forecast", "list_users"]
    );
    assert_eq!(output_schema(&tools, "get-weather-forecast"), "array");
    assert_eq!(output_schema(&tools, "get-count"), "integer");
    assert_eq!(output_schema(&tools, "list_users"), "array");
    assert_eq!(output_schema(&tools, "find-by-id-or-name"), "object");
}

#[tokio::test]
async fn good_calls_bring_what_the_schemas_promise() {
    let client = connect("demo_server", &[]).await;
    let result = call(&client, "get-weather-forecast", json!({"city": "Turin", "hours": 2})).await;
    let forecasts = json!([
        {"hour": "09:00", "temp": 65, "conditions": "sunny"},
        {"hour": "10:00", "temp": 67, "conditions": "partly cloudy"}
    ]);
    assert_eq!(serde_json::from_str::<Value>(text(&result)).expect("JSON"), forecasts);
    expect_value(&result, forecasts);

    let result = call(&client, "get-count", json!({})).await;
    assert_eq!(text(&result), "2");
    expect_value(&result, json!(2));

    let users = call(&client, "list_users", json!({"limit": 1})).await;
    expect_value(&users, json!([{"id": "u1", "name": "Alice", "email": "alice@example.com"}]));

    let handbook = json!({"id": "7f1d3c0e-5d0b-4a57-9a51-6a4f6f0f2f11", "name": "handbook"});
    expect_value(&call(&client, "find-by-id-or-name", json!({"name": "handbook"})).await, handbook.clone());
    expect_value(&call(&client, "find-by-id-or-name", json!({"id": handbook["id"]})).await, handbook);

    let result = call(&client, "find_resource", json!({"name": "price list"})).await;
    assert_eq!(text(&result), "0b6a2f8e-2c39-4d5e-8f3c-9a7f5b1c2d22: price list");
    assert_eq!(result.structured_content, None);
}

#[tokio::test]
async fn an_error_of_a_tool_is_passed_on() {
    let client = connect("demo_server", &[]).await;
    let result = call(&client, "find-by-id-or-name", json!({"name": "atlas"})).await;
    expect_error(&result, &["no resource has the name atlas"]);
}

#[tokio::test]
async fn bad_arguments_are_a_result_that_a_model_can_act_on() {
    let client = connect("demo_server", &[]).await;
    for (name, arguments, words) in [
        ("get-weather-forecast", json!({}), &["city"][..]),
        ("get-weather-forecast", json!({"city": ""}), &["/city", "1"]),
        ("get-weather-forecast", json!({"city": "Turin", "hours": 13}), &["/hours", "13", "12"]),
        ("get-weather-forecast", json!({"city": "Turin", "days": 1}), &["days"]),
        ("list_users", json!({"limit": "ten"}), &["/limit", "string", "integer"]),
        ("find-by-id-or-name", json!({}), &["id", "name"]),
        ("find_resource", json!({"name": ""}), &["/name"]),
    ] {
        let result = call(&client, name, arguments).await;
        expect_error(&result, words);
        assert!(text(&result).starts_with("The arguments do not conform"), "{}", text(&result));
    }
}

#[tokio::test]
async fn an_unknown_tool_is_an_error_of_the_protocol() {
    let client = connect("demo_server", &[]).await;
    match within("calling", client.call_tool(params("get-time", json!({})))).await {
        Err(ServiceError::McpError(error)) => assert_eq!(error.code.0, -32602, "{error:?}"),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_old_client_gets_schemas_and_values_wrapped() {
    let client = connect_old("demo_server", &[]).await;
    let tools = list(&client).await;
    for name in ["get-weather-forecast", "get-count", "list_users"] {
        assert_eq!(output_schema(&tools, name), "object", "{name}");
    }
    let forecast = tools.iter().find(|tool| tool.name == "get-weather-forecast").expect("the tool");
    let schema = forecast.output_schema.as_deref().expect("a schema");
    assert_eq!(schema["required"], json!(["result"]));
    assert_eq!(schema["properties"]["result"]["items"]["$ref"], "#/properties/result/$defs/Forecast");

    let result = call(&client, "get-count", json!({})).await;
    assert_eq!(text(&result), "2", "the mirror shows the value itself");
    expect_value(&result, json!({"result": 2}));
    let result = call(&client, "list_users", json!({"limit": 1})).await;
    expect_value(&result, json!({"result": [{"id": "u1", "name": "Alice", "email": "alice@example.com"}]}));
    // An object is one already.
    let result = call(&client, "find-by-id-or-name", json!({"name": "handbook"})).await;
    expect_value(&result, json!({"id": "7f1d3c0e-5d0b-4a57-9a51-6a4f6f0f2f11", "name": "handbook"}));
    // And errors are as ever.
    expect_error(&call(&client, "list_users", json!({"limit": 0})).await, &["/limit", "0"]);
}

#[tokio::test]
async fn an_old_client_that_validates_sees_through_the_wrapping() {
    let old = connect_old("demo_server", &[]).await;
    let client = within("listing", ValidatedClient::new(old)).await.expect("a list");
    let tools = client.tools();
    assert_eq!(tools.len(), 5);
    assert_eq!(output_schema(&tools, "get-count"), "integer");
    let forecast = tools.iter().find(|tool| tool.name == "get-weather-forecast").expect("the tool");
    assert_eq!(forecast.output_schema.as_deref().expect("a schema")["items"]["$ref"], "#/$defs/Forecast");

    let result = within("calling", client.call_tool(params("get-count", json!({})))).await.expect("a result");
    expect_value(&result, json!(2));
}

#[tokio::test]
async fn the_server_catches_its_own_lies() {
    for client in [
        connect("misbehaving_server", &["--validated"]).await,
        connect_old("misbehaving_server", &["--validated"]).await,
    ] {
        let names: Vec<String> = list(&client).await.iter().map(|tool| tool.name.to_string()).collect();
        assert_eq!(names, ["honest", "liar", "forgetful"], "what is refused is not listed");
        assert_ne!(call(&client, "honest", json!({})).await.is_error, Some(true));
        let lie = call(&client, "liar", json!({})).await;
        expect_error(&lie, &["structured content does not conform", "number"]);
        assert!(!text(&lie).contains("isError"), "{}", text(&lie));
        expect_error(&call(&client, "forgetful", json!({})).await, &["no structuredContent"]);
        expect_error(&call(&client, "honest", json!({"x": 1})).await, &["x"]);
        match within("calling", client.call_tool(params("fetcher", json!({})))).await {
            Err(ServiceError::McpError(error)) => {
                assert_eq!(error.code.0, -32603, "{error:?}");
                assert!(error.message.contains("fetcher"), "{error:?}");
            }
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn the_client_refuses_hostile_tools_alone() {
    let connected = connect("misbehaving_server", &[]).await;
    assert_eq!(list(&connected).await.len(), 7, "the server lists what it should not");
    let client = within("listing", ValidatedClient::new(connected)).await.expect("a list");
    let names: Vec<String> = client.tools().iter().map(|tool| tool.name.to_string()).collect();
    assert_eq!(names, ["honest", "liar", "forgetful"]);
    let refused = client.refused();
    for (refused, (name, word)) in refused.iter().zip([
        ("fetcher", "https://example.com/schema.json"),
        ("bottomless", "64"),
        ("ring", "#"),
        ("flood", "10000"),
    ]) {
        let message = refused.to_string();
        assert!(message.contains(name) && message.contains(word), "{message}");
    }
    assert_eq!(refused.len(), 4);

    let result = within("calling", client.call_tool(params("honest", json!({})))).await.expect("a result");
    expect_value(&result, json!(42));
    for (name, arguments, expected) in [
        ("honest", json!({"x": 1}), "arguments"),
        ("liar", json!({}), "result"),
        ("forgetful", json!({}), "result"),
        ("fetcher", json!({}), "refused"),
        ("nobody", json!({}), "unknown"),
    ] {
        let error = within(name, client.call_tool(params(name, arguments))).await.expect_err(name);
        let found = match &error {
            ClientError::Call(_) => "arguments",
            ClientError::Result { .. } => "result",
            ClientError::Refused(_) => "refused",
            ClientError::Unknown { .. } => "unknown",
            ClientError::List { .. } | ClientError::Service(_) | _ => panic!("{name}: {error}"),
        };
        assert_eq!(found, expected, "{name}: {error}");
    }
}
