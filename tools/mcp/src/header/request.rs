//! Headers of every request on Streamable HTTP: its method, its subject, and the protocol version.

use super::{HeaderMismatch, decode, encode};
use crate::protocol::{META_VERSION, ProtocolVersion};
use serde_json::Value;

/// The header with the method of a request.
const METHOD: &str = "Mcp-Method";
/// The header with the name or the URI that a request is about.
const NAME: &str = "Mcp-Name";
/// The header with the protocol version.
const VERSION: &str = "MCP-Protocol-Version";

/// Returns the headers that a client sends with a request, beside those of its tool: `Mcp-Method`,
/// `Mcp-Name` if the request has a name or a URI, and `MCP-Protocol-Version`.
///
/// ```
/// use serde_json::json;
/// use stanchion_mcp::header;
///
/// let request = json!({"method": "tools/call", "params": {"name": "get_weather", "arguments": {}}});
/// let headers = header::standard(&request);
/// assert_eq!(headers[1], ("Mcp-Name".to_owned(), "get_weather".to_owned()));
/// assert!(header::check_request(&request, |name| headers.iter().find(|header| header.0 == name).map(|header| header.1.as_str())).is_ok());
/// ```
pub fn standard(request: &Value) -> Vec<(String, String)> {
    let version = ProtocolVersion::of_request(request).as_str();
    let headers = [(METHOD, method(request)), (NAME, subject(request)), (VERSION, version)];
    headers.into_iter().filter_map(|(name, value)| Some((name.to_owned(), encode(value?)))).collect()
}

/// Checks that the standard headers of a request agree with its body. `find` looks a header up by
/// its name, ignoring case.
///
/// `Mcp-Method` must be there, and `Mcp-Name` for requests that have a name or a URI; `MCP-Protocol-Version` must be there for requests that have a
/// version in `_meta`. Clients from before 2026-07-28 send none of these; do not call this function
/// for their requests.
pub fn check_request<'h>(
    request: &Value,
    find: impl Fn(&str) -> Option<&'h str>,
) -> Result<(), HeaderMismatch> {
    let in_meta = request.get("params").and_then(|params| params.get("_meta")?.get(META_VERSION)?.as_str());
    compare(METHOD, method(request), find(METHOD))?;
    compare(NAME, subject(request), find(NAME))?;
    compare(VERSION, in_meta, find(VERSION))
}

fn compare(name: &str, body: Option<&str>, header: Option<&str>) -> Result<(), HeaderMismatch> {
    let decoded = match header {
        // A name may be in Base64; the others are always plain.
        Some(value) => Some(decode(value).ok_or_else(|| HeaderMismatch::characters(name, value))?),
        None => None,
    };
    match body {
        Some(body) if decoded.as_deref() != Some(body) => Err(HeaderMismatch::new(name, body, header)),
        Some(_) | None => Ok(()),
    }
}

fn method(request: &Value) -> Option<&str> {
    request.get("method").and_then(Value::as_str)
}

/// Returns the name or the URI that a request is about.
fn subject(request: &Value) -> Option<&str> {
    let member = match method(request)? {
        "tools/call" | "prompts/get" => "name",
        "resources/read" => "uri",
        _ => return None,
    };
    request.get("params")?.get(member)?.as_str()
}
