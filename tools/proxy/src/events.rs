//! Events: what the proxy refused, changed or noticed. One JSON line each.

use crate::metrics::Metrics;
use serde_json::{Map, Value, json};
use std::io::Write;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A tool was left out of a list.
    ToolRefused,
    /// A tool is unusual, which is no reason to refuse it.
    ToolWarning,
    /// A tool differs from its approved definition, or was never approved.
    ToolChanged,
    /// Approved definitions were written to the lock file.
    Pinned,
    /// A call did not reach the server.
    CallRefused,
    /// A result did not reach the client.
    ResultRefused,
    /// A result was wrapped or mirrored for the client.
    ResultChanged,
    /// A form did not reach the client.
    FormRefused,
    /// The answer to a form did not reach the server.
    FormAnswerRefused,
    /// A message is not one of JSON-RPC.
    Malformed,
    /// A message is longer than allowed.
    TooLong,
    /// A response to nothing that was asked.
    Unasked,
    /// There are as many requests under way as allowed.
    Overload,
    /// The tools of the server could not be read.
    ListFailed,
    /// The server ended or cannot be reached.
    ServerFailed,
    /// The proxy started.
    Started,
    /// The proxy ended; has the summary.
    Ended,
}

impl Kind {
    /// Returns its name in events and metrics.
    pub fn name(self) -> &'static str {
        match self {
            Kind::ToolRefused => "tool_refused",
            Kind::ToolWarning => "tool_warning",
            Kind::ToolChanged => "tool_changed",
            Kind::Pinned => "pinned",
            Kind::CallRefused => "call_refused",
            Kind::ResultRefused => "result_refused",
            Kind::ResultChanged => "result_changed",
            Kind::FormRefused => "form_refused",
            Kind::FormAnswerRefused => "form_answer_refused",
            Kind::Malformed => "malformed",
            Kind::TooLong => "too_long",
            Kind::Unasked => "unasked",
            Kind::Overload => "overload",
            Kind::ListFailed => "list_failed",
            Kind::ServerFailed => "server_failed",
            Kind::Started => "started",
            Kind::Ended => "ended",
        }
    }
}

/// An event: its kind, and members of the line beside it.
#[derive(Clone, Debug)]
pub struct Event {
    /// What happened.
    pub kind: Kind,
    /// The other members of its line.
    pub members: Map<String, Value>,
}

impl Event {
    /// Makes an event.
    pub fn new(kind: Kind) -> Event {
        Event { kind, members: Map::new() }
    }

    /// Adds a member.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Event {
        self.members.insert(name.to_owned(), value.into());
        self
    }

    /// Adds the name of a tool.
    #[must_use]
    pub fn tool(self, name: &str) -> Event {
        // A name comes from a peer and may be long.
        self.with("tool", name.chars().take(200).collect::<String>())
    }
}

/// The place where events go: a writer of lines, counters, and nothing that can fail a message.
#[derive(Clone)]
pub struct Log(Arc<Inner>);

struct Inner {
    writer: Mutex<Option<Box<dyn Write + Send>>>,
    metrics: Metrics,
    messages: AtomicU64,
}

impl Log {
    /// Makes a log that writes lines, or none.
    pub fn new(writer: Option<Box<dyn Write + Send>>) -> Log {
        Log(Arc::new(Inner {
            writer: Mutex::new(writer),
            metrics: Metrics::new(),
            messages: AtomicU64::new(0),
        }))
    }

    /// Returns the counters.
    pub fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    /// Counts a message of a peer.
    pub fn count_message(&self, from: &'static str, bytes: usize) {
        self.0.messages.fetch_add(1, Ordering::Relaxed);
        self.0.metrics.message(from, bytes);
    }

    /// Writes an event as a line. A line that cannot be written is lost; messages go on.
    pub fn write(&self, event: Event) {
        self.0.metrics.event(event.kind);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let seconds = (now.as_millis() as f64) / 1000.0;
        let mut line = Map::from_iter([
            ("time".to_owned(), json!(seconds)),
            ("event".to_owned(), event.kind.name().into()),
        ]);
        line.extend(event.members);
        let line = format!("{}\n", Value::Object(line));
        if let Some(writer) = &mut *self.0.writer.lock().unwrap_or_else(PoisonError::into_inner) {
            let _ = writer.write_all(line.as_bytes()).and_then(|()| writer.flush());
        }
    }

    /// Returns the counts of all events and messages since the start, as JSON.
    pub fn summary(&self) -> Map<String, Value> {
        let mut summary =
            Map::from_iter([("messages".to_owned(), self.0.messages.load(Ordering::Relaxed).into())]);
        summary
            .extend(self.0.metrics.events().into_iter().map(|(name, count)| (name.to_owned(), count.into())));
        summary
    }
}

impl std::fmt::Debug for Log {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Log").finish_non_exhaustive()
    }
}
