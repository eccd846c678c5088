//! Stanchion in the Rust SDK, [rmcp](https://docs.rs/rmcp): feature `rmcp`.
//!
//! [`Validated`] wraps a server, however its tools are made: by `#[tool]` with derived schemas, or
//! by hand.
//!
//! ```no_run
//! use rmcp::handler::server::wrapper::{Json, Parameters};
//! use rmcp::{ServiceExt, tool, tool_router, transport::stdio};
//! use stanchion_mcp::rmcp::Validated;
//!
//! #[derive(serde::Deserialize, schemars::JsonSchema)]
//! struct Request {
//!     #[schemars(length(min = 1))]
//!     city: String,
//! }
//!
//! struct Weather;
//!
//! #[tool_router(server_handler)]
//! impl Weather {
//!     /// Degrees for the next hours
//!     #[tool]
//!     fn forecast(&self, Parameters(request): Parameters<Request>) -> Json<Vec<f64>> {
//!         Json(vec![20.5, 21.0, request.city.len() as f64])
//!     }
//! }
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! // The one line: `Validated::new` around the server.
//! Validated::new(Weather).serve(stdio()).await?.waiting().await?;
//! # Ok(())
//! # }
//! ```
//!
//! [`ValidatedClient`] wraps a connected client.
//!
//! ```no_run
//! use rmcp::{ServiceExt, model::CallToolRequestParams, transport::TokioChildProcess};
//! use stanchion_mcp::rmcp::ValidatedClient;
//!
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let server = TokioChildProcess::new(tokio::process::Command::new("weather-server"))?;
//! let client = ValidatedClient::new(().serve(server).await?).await?;
//! for refused in client.refused() {
//!     eprintln!("{refused}");
//! }
//! let arguments = rmcp::model::object(serde_json::json!({"city": "Turin"}));
//! let result = client.call_tool(CallToolRequestParams::new("forecast").with_arguments(arguments)).await?;
//! println!("{:?}", result.structured_content);
//! # Ok(())
//! # }
//! ```
//!
//! [`ValidatedService`] wraps servers that are not handlers, such as rmcp's `Router`.
//!
//! # What is not checked
//!
//! - Results of old tasks: only the last 10,000 tasks are remembered with their tools.
//! - Tools that a server does not list, and that its `get_tool` does not know: their calls are
//!   passed through.
//! - Methods that a later rmcp adds to its `ServerHandler`: [`Validated`] forwards those of 3.8.
//! - rmcp's own types: an `outputSchema` is an object there, so a server made with it cannot have
//!   `true`. A client can receive it.

mod checks;
mod client;
mod definitions;
mod server;
mod service;
mod tasks;

pub use client::{ClientError, ValidatedClient};
pub use server::Validated;
pub use service::ValidatedService;

use rmcp::model::JsonObject;
use serde_json::Value;

/// Converts arguments to rmcp's type. Checked arguments are an object.
fn members(arguments: Value) -> Option<JsonObject> {
    match arguments {
        Value::Object(members) => Some(members),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => None,
    }
}
