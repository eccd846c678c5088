//! The result of `tools/list`, as a server sends it.

use super::{RefusedTool, Toolbox};
use crate::protocol::{COMPLETE, ProtocolVersion};
use serde_json::{Map, Value};

/// Who may keep a list that was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum CacheScope {
    /// Anybody, also a proxy between the server and its clients.
    Public,
    /// The one client that asked, with its authorization.
    #[default]
    Private,
}

impl CacheScope {
    /// Its name on the wire.
    pub fn name(self) -> &'static str {
        match self {
            CacheScope::Public => "public",
            CacheScope::Private => "private",
        }
    }
}

/// What a `tools/list` result says beside the tools: how long it may be kept, by whom, and where the next page is. By default it is stale at once.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Listing {
    /// For how many milliseconds the list may be kept.
    pub ttl_ms: u64,
    /// Who may keep it.
    pub scope: CacheScope,
    /// The cursor of the next page.
    pub next_cursor: Option<String>,
}

impl Listing {
    /// The members of the result beside `tools`. Before 2026-07-28 there is only the cursor.
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
    /// The result of `tools/list` for a client with that protocol version, which may be kept for no time.
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

    /// The result of `tools/list` for a client with that protocol version. Tools that cannot be shown to it are left out: see [`Toolbox::unlisted`].
    pub fn list_result_with<'v>(&self, version: impl Into<ProtocolVersion<'v>>, listing: &Listing) -> Value {
        let version = version.into();
        let tools = self.tools().iter().filter_map(|tool| tool.definition_for(version).ok()).collect();
        let mut result = Map::from_iter([("tools".to_owned(), Value::Array(tools))]);
        result.extend(listing.members(version));
        Value::Object(result)
    }

    /// The result of `tools/list` as JSON text. Definitions that were given as text are in it as they were given.
    pub fn list_text<'v>(&self, version: impl Into<ProtocolVersion<'v>>, listing: &Listing) -> String {
        let version = version.into();
        let tools = self.tools();
        let texts: Vec<_> = tools.iter().filter_map(|tool| tool.definition_text_for(version).ok()).collect();
        let others = listing.members(version);
        let others = others.iter().map(|(name, value)| format!(",{}:{value}", Value::from(name.as_str())));
        format!("{{\"tools\":[{}]{}}}", texts.join(","), others.collect::<String>())
    }

    /// The tools that cannot be shown to clients with that protocol version, because their output schemas would not fit the bounds in the envelope
    /// for older clients.
    pub fn unlisted<'v>(&self, version: impl Into<ProtocolVersion<'v>>) -> Vec<RefusedTool> {
        let version = version.into();
        self.tools().iter().filter_map(|tool| tool.definition_for(version).err()).collect()
    }
}
