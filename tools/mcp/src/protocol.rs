//! Constants of the protocol: versions, names of members, codes of errors.

use serde_json::Value;
use std::fmt;

/// The first protocol version whose clients accept any output schema, and whose results have a
/// `resultType`.
pub const FIRST_NATURAL: &str = "2026-07-28";
/// The first protocol version that has elicitation.
pub const FIRST_ELICITATION: &str = "2025-06-18";
/// The protocol version whose calls may become tasks by a member `task`, and whose forms may have a `pattern`.
pub const TASK_MEMBER: &str = "2025-11-25";

/// The key in `_meta` that has the protocol version of a request.
pub const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// The notification that a list of tools has changed.
pub const TOOLS_CHANGED: &str = "notifications/tools/list_changed";

/// JSON-RPC's code for invalid parameters.
pub const INVALID_PARAMS: i64 = -32602;
/// JSON-RPC's code for headers that disagree with the body.
pub const HEADER_MISMATCH: i64 = -32020;

/// The `resultType` of a result that is final.
pub const COMPLETE: &str = "complete";
/// The `resultType` of a result that asks the client for input.
pub const INPUT_REQUIRED: &str = "input_required";
/// The `resultType` of a result that stands for a task.
pub const TASK: &str = "task";

/// The protocol version of a peer. Versions are dates, and compare as text.
///
/// A peer without a version is treated as one from before 2026-07-28, because older clients accept
/// less. A missing version is [`ProtocolVersion::ABSENT`], never an empty text.
///
/// ```
/// use serde_json::json;
/// use stanchion_mcp::ProtocolVersion;
///
/// assert!(ProtocolVersion::from("2025-11-25").is_legacy());
/// assert!(!ProtocolVersion::from("2026-07-28").is_legacy());
/// assert!(ProtocolVersion::ABSENT.is_legacy() && ProtocolVersion::from("").is_absent());
///
/// // Since 2026-07-28 every request has its version in `_meta`, and there may be no `initialize`.
/// let request = json!({"method": "tools/list", "params": {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}});
/// assert_eq!(ProtocolVersion::of_request(&request).as_str(), Some("2026-07-28"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct ProtocolVersion<'v>(Option<&'v str>);

impl<'v> ProtocolVersion<'v> {
    /// The version of a peer that has not sent one.
    pub const ABSENT: ProtocolVersion<'static> = ProtocolVersion(None);

    /// The version of 2026-07-28.
    pub const NATURAL: ProtocolVersion<'static> = ProtocolVersion(Some(FIRST_NATURAL));

    /// Reads the version of a request from its `_meta`, and that of `initialize` from its parameters. `request` is the whole request or
    /// its `params`.
    pub fn of_request(request: &'v Value) -> ProtocolVersion<'v> {
        let params = request.get("params").unwrap_or(request);
        let in_meta = params.get("_meta").and_then(|meta| meta.get(META_VERSION));
        ProtocolVersion::from(in_meta.or_else(|| params.get("protocolVersion")).and_then(Value::as_str))
    }

    /// Returns the version as text, if the peer has sent one.
    pub fn as_str(self) -> Option<&'v str> {
        self.0
    }

    /// Whether the peer has not sent its version.
    pub fn is_absent(self) -> bool {
        self.0.is_none()
    }

    /// Whether the peer accepts only objects as structured content: it is from before 2026-07-28,
    /// or has not sent its version.
    pub fn is_legacy(self) -> bool {
        self.0.is_none_or(|version| version < FIRST_NATURAL)
    }
}

impl<'v> From<&'v str> for ProtocolVersion<'v> {
    fn from(version: &'v str) -> ProtocolVersion<'v> {
        ProtocolVersion(Some(version).filter(|version| !version.is_empty()))
    }
}

impl<'v> From<&'v String> for ProtocolVersion<'v> {
    fn from(version: &'v String) -> ProtocolVersion<'v> {
        ProtocolVersion::from(version.as_str())
    }
}

impl<'v> From<Option<&'v str>> for ProtocolVersion<'v> {
    fn from(version: Option<&'v str>) -> ProtocolVersion<'v> {
        version.map_or(ProtocolVersion::ABSENT, ProtocolVersion::from)
    }
}

impl fmt::Display for ProtocolVersion<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.unwrap_or("an unknown version"))
    }
}

/// The kind of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResultKind {
    /// A final result: `"resultType": "complete"`, or none, as before 2026-07-28.
    Complete,
    /// A request for input from the client: `"resultType": "input_required"`. The call continues
    /// when it is answered.
    InputRequired,
    /// A task: `"resultType": "task"`, or the member `task` of 2025-11-25. The result comes later.
    Task,
    /// A kind that the protocol does not define. An extension may.
    Extension(String),
}

impl ResultKind {
    /// Reads the kind of a result. `None` if its `resultType` is not a text.
    pub fn of(result: &Value) -> Option<ResultKind> {
        ResultKind::from_members(result.get("resultType"), |name| result.get(name).cloned())
    }

    /// Reads the kind from the members of a result.
    pub(crate) fn from_members(
        kind: Option<&Value>,
        member: impl Fn(&str) -> Option<Value>,
    ) -> Option<ResultKind> {
        match kind {
            None => {
                let is_task = member("content").is_none()
                    && member("task").is_some_and(|task| task.get("taskId").is_some_and(Value::is_string));
                Some(if is_task { ResultKind::Task } else { ResultKind::Complete })
            }
            Some(Value::String(name)) => Some(match name.as_str() {
                COMPLETE => ResultKind::Complete,
                INPUT_REQUIRED => ResultKind::InputRequired,
                TASK => ResultKind::Task,
                _ => ResultKind::Extension(name.clone()),
            }),
            Some(_) => None,
        }
    }
}
