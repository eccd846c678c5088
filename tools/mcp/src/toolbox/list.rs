//! The result of `tools/list`, as a server sends it.

use super::{RefusedTool, Toolbox};
use crate::protocol::{COMPLETE, ProtocolVersion};
use serde_json::{Map, Value};

/// Who may cache a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum CacheScope {
    /// Anybody, also a proxy between the server and its clients.
    Public,
    /// The one client that asked, with its authorization.
    #[default]
    Private,
}

impl CacheScope {
    /// Returns its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            CacheScope::Public => "public",
            CacheScope::Private => "private",
        }
    }
}

/// Members of a `tools/list` result beside the tools: how long and by whom it may be cached, and
/// the next page. By default it is stale at once.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Listing {
    /// Milliseconds for which the list may be cached.
    pub ttl_ms: u64,
    /// Who may cache it.
    pub scope: CacheScope,
    /// The cursor of the next page.
    pub next_cursor: Option<String>,
}

impl Listing {
    /// Returns the members of the result beside `tools`. Before 2026-07-28 there is only the
    /// cursor.
    fn members(&self, version: ProtocolVersion<'_>) -> Map<String, Value> {
        let mut members = Map::new();
        if let Some(cursor) = &self.next_cursor {
            members.insert("nextCursor".to_owned(), cursor.as_str().into());
        }
        if !version.is_legacy() {
            members.insert("resultType".to_owned(), COMPLETE.into());
            members.insert("ttlMs".to_owned(), self.ttl_ms.into());
            members.insert("cacheScope".to_owned(), self.scope.name().into());
        }
        members
    }
}

impl Toolbox {
    /// Returns the result of `tools/list` for a client with this protocol version, which must not
    /// be cached.
    ///
    /// ```
    /// use serde_json::json;
    /// use stanchion_mcp::Toolbox;
    ///
    /// let toolbox = Toolbox::default();
    /// toolbox.replace([json!({"name": "now", "inputSchema": {"type": "object"}, "outputSchema": true})]);
    /// assert_eq!(
    ///     toolbox.list_result("2026-07-28"),
    ///     json!({
    ///         "tools": [{"name": "now", "inputSchema": {"type": "object"}, "outputSchema": {}}],
    ///         "resultType": "complete", "ttlMs": 0, "cacheScope": "private"
    ///     }),
    /// );
    /// ```
    pub fn list_result<'v>(&self, version: impl Into<ProtocolVersion<'v>>) -> Value {
        self.list_result_with(version, &Listing::default())
    }

    /// Returns the result of `tools/list` for a client with this protocol version. Tools that
    /// cannot be shown to it are left out: see [`Toolbox::unlisted`].
    pub fn list_result_with<'v>(&self, version: impl Into<ProtocolVersion<'v>>, listing: &Listing) -> Value {
        let version = version.into();
        let tools = self.tools().iter().filter_map(|tool| tool.definition_for(version).ok()).collect();
        let mut result = Map::from_iter([("tools".to_owned(), Value::Array(tools))]);
        result.extend(listing.members(version));
        Value::Object(result)
    }

    /// Returns the result of `tools/list` as JSON text. Definitions that were given as text are
    /// included unchanged.
    pub fn list_text<'v>(&self, version: impl Into<ProtocolVersion<'v>>, listing: &Listing) -> String {
        let version = version.into();
        let tools = self.tools();
        let texts: Vec<_> = tools.iter().filter_map(|tool| tool.definition_text_for(version).ok()).collect();
        let others = listing.members(version);
        let others = others.iter().map(|(name, value)| format!(",{}:{value}", Value::from(name.as_str())));
        format!("{{\"tools\":[{}]{}}}", texts.join(","), others.collect::<String>())
    }

    /// Returns the tools that cannot be shown to clients with this protocol version, because their
    /// wrapped output schemas would exceed the bounds.
    pub fn unlisted<'v>(&self, version: impl Into<ProtocolVersion<'v>>) -> Vec<RefusedTool> {
        let version = version.into();
        self.tools().iter().filter_map(|tool| tool.definition_for(version).err()).collect()
    }
}
