//! Messages of JSON-RPC, read only as far as routing needs, and edited in place.
//!
//! A message keeps its bytes: what no rule touches is passed on as it came, and an edit replaces
//! one span of the text.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use stanchion_mcp::ProtocolVersion;
use stanchion_mcp::protocol::META_VERSION;
use std::borrow::Cow;

/// JSON-RPC's codes, and the code of this proxy for a peer that failed.
pub(crate) const PARSE_ERROR: i64 = -32700;
/// The message is not a request.
pub(crate) const INVALID_REQUEST: i64 = -32600;
/// The peer broke the protocol, or ended.
pub(crate) const INTERNAL_ERROR: i64 = -32603;
/// The proxy has as many requests under way as it may.
pub(crate) const OVERLOADED: i64 = -32000;

/// The members of a message that say where it goes. Their values are texts of the message.
#[derive(Debug, Deserialize)]
pub(crate) struct Envelope<'t> {
    /// The identifier of a request or of a response.
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) id: Option<&'t RawValue>,
    /// The method of a request or a notification.
    #[serde(borrow, default)]
    pub(crate) method: Option<Cow<'t, str>>,
    /// The parameters.
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) params: Option<&'t RawValue>,
    /// The result of a response. `null` beside an error counts as absent.
    #[serde(borrow, default, deserialize_with = "present")]
    pub(crate) result: Option<&'t RawValue>,
    /// The error of a response.
    #[serde(borrow, default)]
    pub(crate) error: Option<&'t RawValue>,
}

impl<'t> Envelope<'t> {
    /// Reads a message that is one object. A member that is there twice is an error: the peer could
    /// read the other one.
    pub(crate) fn read(text: &'t str) -> Result<Envelope<'t>, Malformed> {
        if !text.trim_ascii_start().starts_with('{') {
            let is_json = serde_json::from_str::<IgnoredAny>(text).is_ok();
            let code = if is_json { INVALID_REQUEST } else { PARSE_ERROR };
            return Err(Malformed { code, message: "expected a JSON object".to_owned() });
        }
        let mut envelope: Envelope<'t> = serde_json::from_str(text).map_err(|error| {
            let code = if error.is_data() { INVALID_REQUEST } else { PARSE_ERROR };
            Malformed { code, message: error.to_string() }
        })?;
        if envelope.error.is_some() {
            envelope.result = envelope.result.filter(|result| result.get() != "null");
        }
        Ok(envelope)
    }

    /// Returns the identifier, if it is a string or a number.
    pub(crate) fn id(&self) -> Option<Id> {
        self.id.and_then(Id::of)
    }

    /// Whether this is a response.
    pub(crate) fn is_response(&self) -> bool {
        self.method.is_none() && (self.result.is_some() || self.error.is_some())
    }
}

/// Reads a member that is there, also if it is `null`.
fn present<'t, 'd: 't, D: serde::Deserializer<'d>>(reader: D) -> Result<Option<&'t RawValue>, D::Error> {
    <&RawValue>::deserialize(reader).map(Some)
}

/// A message that is not one of JSON-RPC.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Malformed {
    /// The code of the error to answer with.
    pub(crate) code: i64,
    /// A sentence.
    pub(crate) message: String,
}

/// The identifier of a request: a string, or a number as it was written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Id {
    /// A number, by its text.
    Number(Box<str>),
    /// A string, decoded.
    String(Box<str>),
}

impl Id {
    /// Reads an identifier. `None` if it is neither a string nor a number, or is too long.
    pub fn of(raw: &RawValue) -> Option<Id> {
        const MAX_BYTES: usize = 4_096;
        let text = raw.get();
        match text.as_bytes().first() {
            _ if text.len() > MAX_BYTES => None,
            Some(b'"') => serde_json::from_str::<String>(text).ok().map(|text| Id::String(text.into())),
            Some(b'-' | b'0'..=b'9') => Some(Id::Number(text.into())),
            Some(_) | None => None,
        }
    }

    /// Returns the identifier as JSON text.
    pub fn text(&self) -> String {
        match self {
            Id::Number(text) => text.to_string(),
            Id::String(text) => Value::from(&**text).to_string(),
        }
    }
}

/// The parameters that rules look at.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Params<'t> {
    #[serde(borrow, default)]
    pub(crate) name: Option<&'t RawValue>,
    #[serde(borrow, default)]
    pub(crate) cursor: Option<&'t RawValue>,
    #[serde(borrow, default, rename = "taskId")]
    pub(crate) task: Option<&'t RawValue>,
    #[serde(borrow, default, rename = "requestedSchema")]
    pub(crate) form: Option<&'t RawValue>,
    #[serde(borrow, default, rename = "requestId")]
    pub(crate) request: Option<&'t RawValue>,
    #[serde(borrow, default, rename = "_meta")]
    pub(crate) meta: Option<&'t RawValue>,
}

impl<'t> Params<'t> {
    /// Reads the parameters of a message. Absent ones are empty.
    pub(crate) fn of(envelope: &Envelope<'t>) -> Result<Params<'t>, String> {
        match envelope.params {
            None => Ok(Params::default()),
            Some(params) if params.get().starts_with('{') => {
                serde_json::from_str(params.get()).map_err(|error| format!("params: {error}"))
            }
            Some(_) => Err("params: expected an object".to_owned()),
        }
    }

    /// Returns the protocol version in `_meta`.
    pub(crate) fn version(&self) -> Option<String> {
        let meta: Value = serde_json::from_str(self.meta?.get()).ok()?;
        meta.get(META_VERSION)?.as_str().map(str::to_owned)
    }

    /// Returns what a request of 2026-07-28 says of its client, for a request of our own.
    pub(crate) fn client(&self) -> Option<Value> {
        let meta: Value = serde_json::from_str(self.meta?.get()).ok()?;
        let known = meta.as_object()?.iter().filter(|(name, _)| name.starts_with("io.modelcontextprotocol/"));
        Some(Value::Object(known.map(|(name, value)| (name.clone(), value.clone())).collect()))
    }
}

/// Decodes a JSON string.
pub(crate) fn string(raw: Option<&RawValue>) -> Option<String> {
    serde_json::from_str(raw?.get()).ok()
}

/// Returns `whole` with the text of `part`, which lies inside of it, replaced.
pub(crate) fn replace(whole: &str, part: &str, new: &str) -> String {
    // INVARIANT: `part` was borrowed from `whole`; otherwise the whole is left as it is.
    let from = (part.as_ptr() as usize).wrapping_sub(whole.as_ptr() as usize);
    match (whole.get(..from), from.checked_add(part.len()).and_then(|end| whole.get(end..))) {
        (Some(before), Some(after)) => [before, new, after].concat(),
        _ => whole.to_owned(),
    }
}

/// Returns a response with an error.
pub fn error_response(id: Option<&Id>, code: i64, message: &str) -> String {
    response(id, "error", &json!({"code": code, "message": message}).to_string())
}

/// Returns a response. `member` is `result` or `error`, and `text` its JSON.
pub(crate) fn response(id: Option<&Id>, member: &str, text: &str) -> String {
    let id = id.map_or_else(|| "null".to_owned(), Id::text);
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"{member}\":{text}}}")
}

/// Returns the version that holds: of the request, or of the session.
pub(crate) fn version_of<'v>(request: Option<&'v str>, session: Option<&'v str>) -> ProtocolVersion<'v> {
    ProtocolVersion::from(request.or(session))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_envelope_is_read_without_its_values() {
        let text = r#" {"jsonrpc":"2.0","id":1.0,"method":"tools\/call","params":{"name":"a"},"x":[[]]}"#;
        let envelope = Envelope::read(text).unwrap();
        assert_eq!(envelope.method.as_deref(), Some("tools/call"));
        assert_eq!(envelope.id(), Some(Id::Number("1.0".into())));
        assert_eq!(string(Params::of(&envelope).unwrap().name).as_deref(), Some("a"));
        assert_eq!(replace(text, envelope.params.unwrap().get(), "{}").len(), text.len() - 10);
    }

    #[test]
    fn what_two_readers_could_read_differently_is_refused() {
        let code = |text: &str| Envelope::read(text).unwrap_err().code;
        assert_eq!(code(r#"{"id":1,"method":"ping","method":"tools/call"}"#), INVALID_REQUEST);
        assert_eq!(code(r#"{"id":1,"method":"#), PARSE_ERROR);
        assert_eq!(code("[1"), PARSE_ERROR);
        assert_eq!(code("12"), INVALID_REQUEST);
        assert_eq!(code("hello"), PARSE_ERROR);
        assert!(Envelope::read(r#"{"method":"tools/call","id":null}"#).unwrap().id().is_none());
        let deep = format!(r#"{{"method":"x","params":{}{}}}"#, "[".repeat(100_000), "]".repeat(100_000));
        assert!(Envelope::read(&deep).is_ok());
    }
}
