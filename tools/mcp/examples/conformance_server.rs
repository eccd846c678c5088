//! The tools that the protocol's conformance suite calls, on a server over Streamable HTTP.
//!
//! ```sh
//! cargo run -p stanchion-mcp --features rmcp --example conformance_server    # prints its address
//! npx @modelcontextprotocol/conformance server --url http://127.0.0.1:PORT/mcp --scenario tools-list
//! ```
//!
//! [`Validated`] checks arguments and results here as in the other examples. An
//! [`ElicitationSchema`] checks forms: the schema before it is sent, and the user's input when it
//! comes back. Clients before 2026-07-28 are asked during the call; later ones get the form as the
//! result of the call, and call again with the answer.

#![expect(deprecated, reason = "clients before 2026-07-28 get log messages, and are asked while a call runs")]

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, CreateMessageRequestParams,
    ElicitRequestParams, ErrorData, InputRequiredResult, ListToolsResult, LoggingMessageNotificationParam,
    PaginatedRequestParams, ProgressNotificationParam, ServerCapabilities, ServerConfig,
    SetLevelRequestParams, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{RoleServer, ServerHandler};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use stanchion_mcp::rmcp::Validated;
use stanchion_mcp::{Compiler, ElicitationSchema, Profile};
use tokio::net::TcpListener;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    // A server is created for each session, and since 2026-07-28 for each request: all share the
    // compiled schemas.
    let compiler = Compiler::new(Profile::default());
    let service = StreamableHttpService::new(
        move || Ok(Validated::new(Conformance).compiler(&compiler)),
        Arc::new(LocalSessionManager::default()),
        StreamableHttpServerConfig::default(),
    );
    let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
    println!("http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}

/// A picture of one pixel, and a sound of no samples.
const PICTURE: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const SOUND: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

struct Conformance;

type Context = RequestContext<RoleServer>;

impl ServerHandler for Conformance {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().enable_logging().build())
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        tools().into_iter().find(|tool| tool.name == name)
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: Context,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools()))
    }

    async fn set_level(&self, _: SetLevelRequestParams, _: Context) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: Context,
    ) -> Result<CallToolResponse, ErrorData> {
        let argument = |name: &str| {
            let arguments = request.arguments.as_ref();
            arguments.and_then(|arguments| arguments.get(name)?.as_str()).unwrap_or_default().to_owned()
        };
        let result = match request.name.as_ref() {
            "test_simple_text" => text("This is a simple text response for testing."),
            "test_image_content" => content(json!([image()])),
            "test_audio_content" => {
                content(json!([{"type": "audio", "data": SOUND, "mimeType": "audio/wav"}]))
            }
            "test_embedded_resource" => content(json!([resource(
                "test://embedded-resource",
                "text/plain",
                "This is an embedded resource content."
            )])),
            "test_multiple_content_types" => content(json!([
                {"type": "text", "text": "Multiple content types test:"},
                image(),
                resource("test://mixed-content-resource", "application/json", r#"{"test":"data","value":123}"#)
            ])),
            "test_error_handling" => Ok(CallToolResult::error(vec![ContentBlock::text(
                "This tool intentionally returns an error for testing",
            )])),
            "test_tool_with_logging" => log(&context).await,
            "test_tool_with_progress" => progress(&context).await,
            "test_sampling" => sample(&context, &argument("prompt")).await,
            "test_elicitation" => ask(&context, &argument("message"), contact()).await,
            "test_elicitation_sep1034_defaults" => {
                ask(&context, "Please check these values", defaults()).await
            }
            "test_elicitation_sep1330_enums" => ask(&context, "Please choose", choices()).await,
            "test_input_required_result_elicitation" => return greet(&request),
            "test_input_required_result_multi_round" => return name_and_color(&request),
            "test_custom_header" => text(&format!("routed to {}", argument("region"))),
            "json_schema_2020_12_tool" => text("The arguments conform."),
            name => return Err(ErrorData::invalid_params(format!("unknown tool {name:?}"), None)),
        };
        result.map(CallToolResponse::Complete)
    }
}

fn tools() -> Vec<Tool> {
    let tool = |name: &'static str, description: &'static str, schema: Value| {
        Tool::new(name, description, Arc::new(rmcp::model::object(schema)))
    };
    let plain = |name, description| tool(name, description, json!({"type": "object"}));
    let taking = |name, description, argument: &str| {
        let schema =
            json!({"type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]});
        tool(name, description, schema)
    };
    vec![
        plain("test_simple_text", "Answers with a text"),
        plain("test_image_content", "Answers with a picture"),
        plain("test_audio_content", "Answers with a sound"),
        plain("test_embedded_resource", "Answers with a resource"),
        plain("test_multiple_content_types", "Answers with a text, a picture and a resource"),
        plain("test_error_handling", "Always fails"),
        plain("test_tool_with_logging", "Sends log messages while it runs"),
        plain("test_tool_with_progress", "Tells how far it has come"),
        taking("test_sampling", "Asks the client's model", "prompt"),
        taking("test_elicitation", "Asks the user for a name and an address", "message"),
        plain("test_elicitation_sep1034_defaults", "Asks by a form with defaults"),
        plain("test_elicitation_sep1330_enums", "Asks by a form with choices"),
        plain("test_input_required_result_elicitation", "Asks for a name, and greets"),
        plain("test_input_required_result_multi_round", "Asks for a name, then for a color"),
        tool(
            "test_custom_header",
            "Is routed by a header",
            json!({
                "type": "object",
                "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
                "required": ["region"]
            }),
        ),
        tool("json_schema_2020_12_tool", "Takes a person who can be reached", person()),
    ]
}

/// Someone with an address, and a telephone number or a mail address.
fn person() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {
            "address": {
                "$anchor": "addressDef",
                "type": "object",
                "properties": {"street": {"type": "string"}, "city": {"type": "string"}}
            }
        },
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"}
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false
    })
}

fn contact() -> Value {
    json!({
        "type": "object",
        "properties": {
            "username": {"type": "string", "description": "User's response"},
            "email": {"type": "string", "format": "email", "description": "User's email address"}
        },
        "required": ["username", "email"]
    })
}

fn defaults() -> Value {
    json!({
        "type": "object",
        "properties": {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
            "verified": {"type": "boolean", "default": true}
        }
    })
}

fn choices() -> Value {
    let titled = json!([
        {"const": "value1", "title": "First"}, {"const": "value2", "title": "Second"}, {"const": "value3", "title": "Third"}
    ]);
    json!({
        "type": "object",
        "properties": {
            "untitledSingle": {"type": "string", "enum": ["option1", "option2", "option3"]},
            "titledSingle": {"type": "string", "oneOf": titled},
            "legacyEnum": {
                "type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["Option One", "Option Two", "Option Three"]
            },
            "untitledMulti": {"type": "array", "items": {"type": "string", "enum": ["option1", "option2", "option3"]}},
            "titledMulti": {"type": "array", "items": {"anyOf": titled}}
        }
    })
}

fn image() -> Value {
    json!({"type": "image", "data": PICTURE, "mimeType": "image/png"})
}

fn resource(uri: &str, kind: &str, text: &str) -> Value {
    json!({"type": "resource", "resource": {"uri": uri, "mimeType": kind, "text": text}})
}

fn content(blocks: Value) -> Result<CallToolResult, ErrorData> {
    Ok(CallToolResult::success(read(blocks)?))
}

fn text(text: &str) -> Result<CallToolResult, ErrorData> {
    Ok(CallToolResult::success(vec![ContentBlock::text(text)]))
}

/// Converts JSON to a value of rmcp's model.
fn read<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(internal)
}

fn internal(error: impl std::fmt::Display) -> ErrorData {
    ErrorData::internal_error(error.to_string(), None)
}

async fn log(context: &Context) -> Result<CallToolResult, ErrorData> {
    for line in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        let message: LoggingMessageNotificationParam = read(json!({"level": "info", "data": line}))?;
        context.peer.notify_logging_message(message).await.map_err(internal)?;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    text("Three messages were logged.")
}

async fn progress(context: &Context) -> Result<CallToolResult, ErrorData> {
    for done in [0, 50, 100] {
        if let Some(token) = context.meta.get_progress_token() {
            let message: ProgressNotificationParam =
                read(json!({"progressToken": token, "progress": done, "total": 100}))?;
            context.peer.notify_progress(message).await.map_err(internal)?;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    text("All is done.")
}

async fn sample(context: &Context, prompt: &str) -> Result<CallToolResult, ErrorData> {
    let message = json!({"role": "user", "content": {"type": "text", "text": prompt}});
    let params: CreateMessageRequestParams = read(json!({"messages": [message], "maxTokens": 100}))?;
    let answer = context.peer.create_message(params).await.map_err(internal)?;
    text(&format!("LLM response: {}", json!(answer)["content"]["text"]))
}

/// Sends a form to the user, and checks the answer.
async fn ask(context: &Context, message: &str, form: Value) -> Result<CallToolResult, ErrorData> {
    let schema = ElicitationSchema::new(form).map_err(internal)?;
    let params: ElicitRequestParams =
        read(json!({"mode": "form", "message": message, "requestedSchema": schema.schema()}))?;
    let result = json!(context.peer.create_elicitation(params).await.map_err(internal)?);
    if let Err(error) = schema.check_result(&result) {
        return Ok(CallToolResult::error(vec![ContentBlock::text(error.to_string())]));
    }
    text(&format!("Elicitation completed: action={}, content={}", result["action"], result["content"]))
}

/// Returns a form as the result of a call.
fn form(key: &str, message: &str, field: &str, state: Option<&str>) -> Result<CallToolResponse, ErrorData> {
    let params = json!({"mode": "form", "message": message, "requestedSchema": one_text(field)});
    let mut result = json!({
        "resultType": "input_required",
        "inputRequests": {key: {"method": "elicitation/create", "params": params}}
    });
    if let Some(state) = state {
        result["requestState"] = state.into();
    }
    Ok(CallToolResponse::InputRequired(read::<InputRequiredResult>(result)?))
}

fn one_text(field: &str) -> Value {
    json!({"type": "object", "properties": {field: {"type": "string"}}, "required": [field]})
}

/// Returns the user's input for the form with this key. `None` if there is no answer to it, or one
/// that does not conform.
fn entered(request: &CallToolRequestParams, key: &str, field: &str) -> Option<String> {
    let answer = request.input_responses.as_ref()?.get(key)?;
    ElicitationSchema::new(one_text(field)).ok()?.check_result(answer).ok()?;
    Some(answer["content"][field].as_str()?.to_owned())
}

fn greet(request: &CallToolRequestParams) -> Result<CallToolResponse, ErrorData> {
    match entered(request, "user_name", "name") {
        Some(name) => text(&format!("Hello, {name}!")).map(CallToolResponse::Complete),
        None => form("user_name", "What is your name?", "name", None),
    }
}

/// Asks for a name and then for a color. The state holds which question was the last.
fn name_and_color(request: &CallToolRequestParams) -> Result<CallToolResponse, ErrorData> {
    match request.request_state.as_deref() {
        Some("asked for a name") if entered(request, "step1", "name").is_some() => {
            form("step2", "Step 2: What is your favorite color?", "color", Some("asked for a color"))
        }
        Some("asked for a color") if entered(request, "step2", "color").is_some() => {
            text("Name and color are known.").map(CallToolResponse::Complete)
        }
        Some(_) | None => form("step1", "Step 1: What is your name?", "name", Some("asked for a name")),
    }
}
