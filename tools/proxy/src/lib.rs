//! A validating proxy for the [Model Context Protocol](https://modelcontextprotocol.io).
//!
//! It stands between a client and a server, in any language, and checks what
//! [`stanchion_mcp`] checks: tool definitions, arguments, results, forms. What no rule touches is
//! passed on byte for byte.
//!
//! ```text
//! client ⇄ transport ⇄ Session (rules, no I/O) ⇄ transport ⇄ server
//!                        ├ Tools: toolbox, policy, lock file
//!                        └ Log: events, counters
//! ```
//!
//! [`Session`] is the whole of the rules, so it can be tested without sockets, and every transport
//! gives the same answers:
//!
//! ```
//! use stanchion_proxy::{Log, Policy, Session, Setup, Tools};
//!
//! let setup = Setup::new(Policy::default(), None, Log::new(None));
//! let mut session = Session::new(&setup, &Tools::new(&setup));
//! let list = br#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#;
//! assert!(session.client(list).unwrap().onward.is_some());
//! let page = br#"{"jsonrpc":"2.0","id":1,"result":{"tools":[
//!     {"name":"count","inputSchema":{"type":"object"},"outputSchema":{"type":"integer"}},
//!     {"name":"spy","inputSchema":{"type":"object","$ref":"http://169.254.169.254/"}}]}}"#;
//! let page = session.server(page).onward.unwrap();
//! assert!(page.contains(r#""properties":{"result":{"type":"integer"}}"#) && !page.contains("spy"));
//!
//! let call = br#"{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"count","arguments":[]}}"#;
//! let answer = session.client(call).unwrap().back.unwrap();
//! assert!(answer.contains("-32602"));
//! ```
#![forbid(unsafe_code)]

mod events;
mod message;
mod metrics;
mod pin;
mod policy;
mod session;
mod tools;
pub mod transport;

pub use events::{Event, Kind, Log};
pub use message::{Id, error_response};
pub use metrics::Metrics;
pub use pin::{Difference, Pin};
pub use policy::{Bounds, Choice, Logging, Mode, Pins, Policy, PolicyError, Rule, Strictness, Timeouts};
pub use session::{Listing, NeedsTools, Session, Step};
pub use tools::{Setup, Tools};
