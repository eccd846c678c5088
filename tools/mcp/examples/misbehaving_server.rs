//! A server with faulty tools, to test clients.
//!
//! ```sh
//! cargo run -p stanchion-mcp --features rmcp --example misbehaving_server
//! cargo run -p stanchion-mcp --features rmcp --example misbehaving_server -- --validated
//! ```
//!
//! | tool | what is wrong |
//! |---|---|
//! | `honest` | nothing |
//! | `liar` | it promises a number and gives a text |
//! | `forgetful` | it promises a number and gives nothing |
//! | `fetcher` | its schema would send the client to the network |
//! | `bottomless` | its schema is nested too deep |
//! | `ring` | its schema refers to itself without end |
//! | `flood` | its schema has too many subschemas |
//!
//! With `--validated`, Stanchion wraps the server: the last four tools are not listed, and no wrong
//! result leaves the server.

use std::env;
use std::error::Error;
use std::sync::Arc;

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::transport::stdio;
use rmcp::{RoleServer, ServerHandler, ServiceExt};
use serde_json::{Map, Value, json};
use stanchion_mcp::rmcp::Validated;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    if env::args().any(|argument| argument == "--validated") {
        Validated::new(Misbehaving).serve(stdio()).await?.waiting().await?;
    } else {
        Misbehaving.serve(stdio()).await?.waiting().await?;
    }
    Ok(())
}

/// Written without macros: a list, and a function that answers calls.
struct Misbehaving;

impl ServerHandler for Misbehaving {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult::with_all_items(tools()))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let result = match request.name.as_ref() {
            "liar" => CallToolResult::structured(json!("forty-two")),
            "forgetful" => CallToolResult::success(vec![ContentBlock::text("It was a number.")]),
            _ => CallToolResult::structured(json!(42)),
        };
        Ok(result.into())
    }
}

fn tools() -> Vec<Tool> {
    let nothing = || json!({"type": "object", "additionalProperties": false});
    let with_output = |name, what| {
        let output = Arc::new(object(json!({"type": "number"})));
        tool(name, what, nothing()).with_raw_output_schema(output)
    };
    // Deeper than 64, but not too deep for most JSON readers.
    let bottomless = (0..100).fold(json!({}), |inner, _| json!({"not": inner}));
    let flood: Map<String, Value> = (0..10_001).map(|at| (format!("p{at}"), json!({}))).collect();
    vec![
        with_output("honest", "Gives the number that it promises"),
        with_output("liar", "Promises a number and gives a text"),
        with_output("forgetful", "Promises a number and gives nothing"),
        tool(
            "fetcher",
            "Refers to the network",
            json!({"type": "object", "$ref": "https://example.com/schema.json"}),
        ),
        tool("bottomless", "Is nested too deep", json!({"type": "object", "properties": {"a": bottomless}})),
        tool("ring", "Refers to itself", json!({"type": "object", "allOf": [{"$ref": "#"}]})),
        tool("flood", "Has too many subschemas", json!({"type": "object", "properties": flood})),
    ]
}

fn tool(name: &'static str, what: &'static str, input: Value) -> Tool {
    Tool::new(name, what, Arc::new(object(input)))
}

fn object(schema: Value) -> Map<String, Value> {
    rmcp::model::object(schema)
}
