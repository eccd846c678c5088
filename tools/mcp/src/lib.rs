//! Validation of MCP tools, for SDKs to link.
//!
//! [Stanchion](stanchion) compiles JSON Schemas and validates values, both untrusted, within
//! limits. This crate adds the rules of the [Model Context
//! Protocol](https://modelcontextprotocol.io/specification/2026-07-28) for tools: which schemas are
//! allowed, when results must conform, what older clients get, and which errors a model sees.
//!
//! ```
//! use serde_json::json;
//! use stanchion_mcp::{Profile, Toolbox};
//!
//! let toolbox = Toolbox::new(Profile::default());
//! let loaded = toolbox.replace([json!({
//!     "name": "get-weather-forecast",
//!     "inputSchema": {
//!         "type": "object",
//!         "properties": {"city": {"type": "string"}, "hours": {"type": "integer", "minimum": 1}},
//!         "required": ["city"]
//!     },
//!     "outputSchema": {"type": "array", "items": {"type": "object", "required": ["hour", "celsius"]}}
//! })]);
//! assert!(loaded.refused.is_empty());
//!
//! // A call comes in.
//! let tool = toolbox.check_call("get-weather-forecast", Some(&json!({"city": "Turin"})))?;
//! // Its result goes out, to a client from last year.
//! let forecast = json!([{"hour": 9, "celsius": 21.5}]);
//! let result = tool.send_result("2025-11-25", json!({"structuredContent": forecast}))?;
//! assert_eq!(result["structuredContent"], json!({"result": forecast}));
//!
//! // A call that does not fit is answered with what a model can act on.
//! let error = toolbox.check_call("get-weather-forecast", Some(&json!({"hours": 0}))).unwrap_err();
//! let response = error.to_response(&json!(1), "2025-11-25");
//! assert_eq!(response["result"]["isError"], true);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Overview
//!
//! - [`Toolbox`] holds the tools of a server; a refused tool does not affect the others. [`Tool`]
//!   checks whether a call may reach it and whether its result may be sent. [`InputSchema`] and
//!   [`OutputSchema`] are the schemas of a tool.
//! - [`Profile`] has all settings; [`Compiler`] is a profile with a cache, which servers that are
//!   created for each request can share.
//! - [`legacy`] wraps and unwraps for clients from before 2026-07-28, [`content`] mirrors structured content as text.
//! - [`CallError`] and [`ResultError`] convert to answers for the wire; [`Refusal`] is for the
//!   author of a schema.
//! - [`InputSchema::fill_defaults`] fills in defaults; [`Headers`] repeats arguments in HTTP headers; [`ElicitationSchema`] is for forms.
//! - [`bounds`] counts depth and subschemas as other SDKs do.
//!
//! # Untrusted input
//!
//! Schemas come from servers, arguments from models, results from servers: none of them is trusted.
//! Schemas are measured before anything is built from them, references never leave the document,
//! and a run ends within [`Limits`](stanchion::Limits). A run that reaches a limit is neither valid
//! nor invalid: the errors have `undecided`, and only values that were proven valid pass. A list
//! may have 10,000 tools; a text for a model is cut.
#![forbid(unsafe_code)]

pub mod bounds;
mod call;
mod compiler;
pub mod content;
mod defaults;
mod dialect;
mod edit;
pub mod elicitation;
pub mod header;
mod input;
pub mod legacy;
mod output;
mod profile;
mod prompt;
pub mod protocol;
mod refusal;
mod result;
#[cfg(feature = "rmcp")]
pub mod rmcp;
mod sampling;
mod schema;
mod text;
pub mod texts;
mod tool;
mod toolbox;
mod violations;
mod words;

pub use bounds::Counting;
pub use call::{CallError, MalformedRequest};
pub use compiler::Compiler;
pub use content::{Mirror, MirrorNumbers};
pub use defaults::Filled;
pub use elicitation::ElicitationSchema;
pub use header::Headers;
pub use input::InputSchema;
pub use legacy::Wrapping;
pub use output::OutputSchema;
#[doc(hidden)]
pub use profile::camel_case;
pub use profile::{InvalidCalls, MissingType, Profile, ProfileError, Sdk, Told, Transport, Words};
pub use prompt::Prompt;
pub use protocol::{INVALID_PARAMS, ProtocolVersion, ResultKind};
pub use refusal::{Part, Reason, Refusal};
pub use result::{Checked, ResultError, ResultErrorKind};
pub use sampling::{Sampling, SamplingError};
pub use stanchion;
pub use tool::{Failure, Tool, ToolWarning};
pub use toolbox::{CacheScope, Listing, Loaded, RefusedTool, TOOLS, ToolFault, Toolbox};
pub use violations::{Subject, Violations};

/// Runs the examples of the page for SDKs as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
