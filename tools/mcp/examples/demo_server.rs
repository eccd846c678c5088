//! The tools that SEP-2106 shows, on a server over standard input and output.
//!
//! ```sh
//! cargo run -p stanchion-mcp --features rmcp --example demo_server
//! cargo run -p stanchion-mcp --features rmcp --example demo_server -- --plain
//! ```
//!
//! | tool | made | takes | answers |
//! |---|---|---|---|
//! | `get-weather-forecast` | by `#[tool]`, schemas derived | a city, hours | an array |
//! | `get-count` | by `#[tool]`, schemas derived | nothing | a number |
//! | `list_users` | by `#[tool]`, schemas derived | a limit | an array |
//! | `find-by-id-or-name` | by `#[tool]`, input schema written by hand | an id or a name (`oneOf`) | an object |
//! | `find_resource` | by hand | an id or a name (`oneOf`) | text |
//!
//! Stanchion adds only `Validated::new` in `main`: arguments are checked before a tool runs,
//! answers before they are sent, and for clients from before 2026-07-28 the array and the number
//! are wrapped in an object. The data is made up and needs no network. With `--plain`, the server is
//! rmcp's alone: older clients of other SDKs cannot read its list.

use std::env;
use std::error::Error;
use std::sync::Arc;

use rmcp::handler::server::router::tool::{ToolRoute, ToolRouter};
use rmcp::handler::server::wrapper::{Json, Parameters};
use rmcp::model::{CallToolResult, ContentBlock, JsonObject, Tool};
use rmcp::transport::stdio;
use rmcp::{ServerHandler, ServiceExt, tool, tool_handler, tool_router};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use stanchion_mcp::rmcp::Validated;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    if env::args().any(|argument| argument == "--plain") {
        Demo::new().serve(stdio()).await?.waiting().await?;
    } else {
        Validated::new(Demo::new()).serve(stdio()).await?.waiting().await?;
    }
    Ok(())
}

/// The server. Its tools need no state except the table of tools.
struct Demo {
    tools: ToolRouter<Demo>,
}

impl Demo {
    fn new() -> Demo {
        Demo { tools: Demo::tool_router().with_route(find_resource()) }
    }
}

#[tool_handler(router = self.tools, name = "stanchion-demo", instructions = "Made-up weather, users and resources.")]
impl ServerHandler for Demo {}

/// Arguments of `get-weather-forecast`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ForecastRequest {
    /// The city, as people write it
    #[schemars(length(min = 1, max = 80))]
    city: String,
    /// How many hours, from nine in the morning on
    #[serde(default = "three")]
    #[schemars(range(min = 1, max = 12))]
    hours: u32,
}

fn three() -> u32 {
    3
}

/// The weather of an hour.
#[derive(Serialize, JsonSchema)]
struct Forecast {
    /// The hour, as `09:00`
    #[schemars(regex(pattern = r"^[0-2]\d:00$"))]
    hour: String,
    /// Degrees Fahrenheit
    temp: i32,
    conditions: Conditions,
}

#[derive(Serialize, JsonSchema)]
enum Conditions {
    #[serde(rename = "sunny")]
    Sunny,
    #[serde(rename = "partly cloudy")]
    PartlyCloudy,
    #[serde(rename = "cloudy")]
    Cloudy,
}

/// Arguments of `list_users`.
#[derive(Deserialize, JsonSchema)]
struct ListRequest {
    /// At most so many users
    #[schemars(range(min = 1, max = 100))]
    limit: Option<usize>,
}

#[derive(Serialize, JsonSchema)]
struct User {
    id: String,
    name: String,
    #[schemars(email)]
    email: Option<String>,
}

/// The wanted resource: by an id, or by a name.
#[derive(Deserialize)]
#[serde(untagged)]
enum Wanted {
    Id { id: String },
    Name { name: String },
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
struct Resource {
    id: String,
    name: String,
}

#[tool_router]
impl Demo {
    /// Hourly weather for a city
    #[tool(name = "get-weather-forecast")]
    fn forecast(&self, Parameters(request): Parameters<ForecastRequest>) -> Json<Vec<Forecast>> {
        // Made up from the city's name, and the same every day.
        let warmth = i32::try_from(request.city.chars().count()).unwrap_or(0);
        let hour = |at: u32| Forecast {
            hour: format!("{:02}:00", 9 + at),
            temp: 60 + warmth + 2 * i32::try_from(at).unwrap_or(0),
            conditions: match at % 3 {
                0 => Conditions::Sunny,
                1 => Conditions::PartlyCloudy,
                _ => Conditions::Cloudy,
            },
        };
        Json((0..request.hours).map(hour).collect())
    }

    /// How many resources there are
    #[tool(name = "get-count")]
    fn count(&self) -> Json<usize> {
        Json(resources().len())
    }

    /// List all users in the system
    #[tool(name = "list_users")]
    fn users(&self, Parameters(request): Parameters<ListRequest>) -> Json<Vec<User>> {
        let user = |id: &str, name: &str, email: Option<&str>| User {
            id: id.to_owned(),
            name: name.to_owned(),
            email: email.map(str::to_owned),
        };
        let mut users = vec![
            user("u1", "Alice", Some("alice@example.com")),
            user("u2", "Bob", Some("bob@example.com")),
            user("u3", "Carol", None),
        ];
        users.truncate(request.limit.unwrap_or(users.len()));
        Json(users)
    }

    /// Find a resource by its id or by its name
    #[tool(name = "find-by-id-or-name", input_schema = id_or_name())]
    fn find(&self, Parameters(wanted): Parameters<Wanted>) -> Result<Json<Resource>, String> {
        look_up(&wanted).map(Json)
    }
}

/// Defines `find_resource` by hand: a definition, and a function that reads the arguments itself.
fn find_resource() -> ToolRoute<Demo> {
    let definition = Tool::new("find_resource", "Find a resource by ID or name", id_or_name());
    ToolRoute::new_dyn(definition, |call| {
        // Only arguments that conform get here.
        let arguments = Value::Object(call.arguments.unwrap_or_default());
        let found = serde_json::from_value(arguments).map_err(|error| error.to_string());
        let result = match found.and_then(|wanted| look_up(&wanted)) {
            Ok(resource) => {
                CallToolResult::success(vec![text(format!("{}: {}", resource.id, resource.name))])
            }
            Err(problem) => CallToolResult::error(vec![text(problem)]),
        };
        Box::pin(async { Ok(result.into()) })
    })
}

fn text(text: String) -> ContentBlock {
    ContentBlock::text(text)
}

/// Returns the schema for an id or a name, but not both.
fn id_or_name() -> Arc<JsonObject> {
    let schema = json!({
        "type": "object",
        "oneOf": [
            {"properties": {"id": {"type": "string", "format": "uuid"}}, "required": ["id"]},
            {"properties": {"name": {"type": "string", "minLength": 1}}, "required": ["name"]}
        ]
    });
    Arc::new(rmcp::model::object(schema))
}

fn resources() -> Vec<Resource> {
    let resource = |id: &str, name: &str| Resource { id: id.to_owned(), name: name.to_owned() };
    vec![
        resource("7f1d3c0e-5d0b-4a57-9a51-6a4f6f0f2f11", "handbook"),
        resource("0b6a2f8e-2c39-4d5e-8f3c-9a7f5b1c2d22", "price list"),
    ]
}

fn look_up(wanted: &Wanted) -> Result<Resource, String> {
    let mut resources = resources().into_iter();
    match wanted {
        Wanted::Id { id } => {
            resources.find(|found| found.id == *id).ok_or_else(|| format!("no resource has the id {id}"))
        }
        Wanted::Name { name } => resources
            .find(|found| found.name == *name)
            .ok_or_else(|| format!("no resource has the name {name}")),
    }
}
