//! Asks a server for its tools over its standard input and output: JSON-RPC, one message per line.
//!
//! A server of 2026-07-28 is asked at once (`server/discover`, then `tools/list`). With an older
//! one, the handshake comes first (`initialize`, `notifications/initialized`). The server is
//! untrusted: the time, the length of a line, and the number of messages, pages and tools are
//! bounded, and its texts are only printed through [`console`](crate::console).

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::process::{Heard, Process};

/// The version without a handshake, and the last version with one.
const MODERN: &str = "2026-07-28";
const LEGACY: &str = "2025-11-25";

/// Most messages, pages and tools, and the longest cursor.
const MAX_MESSAGES: usize = 10_000;
const MAX_PAGES: usize = 1_000;
const MAX_TOOLS: usize = 100_000;
const MAX_CURSOR_BYTES: usize = 64 * 1024;

/// How long to wait for an answer to `server/discover` before a server is taken for an older one.
const PROBE: Duration = Duration::from_secs(5);

/// The answer of a server.
pub(crate) struct Listed {
    /// The protocol version that was agreed on.
    pub(crate) version: String,
    pub(crate) tools: Vec<Value>,
}

/// Starts a server, asks for its tools, and stops it.
pub(crate) fn list_tools(command: &[String], patience: Duration) -> Result<Listed, String> {
    let deadline = Instant::now() + patience;
    let mut talk = Talk::start(command, deadline)?;
    let probe = deadline.min(Instant::now() + PROBE.min(patience / 3));
    match talk.discover(probe) {
        Ok(versions) if versions.iter().any(|version| version == MODERN) => {}
        // It answered, if only with an error: it is still running.
        Ok(_) | Err(Fault::Refused(_)) => talk.greet()?,
        // It gave no answer, or ended. Some servers expect the handshake before anything else:
        // start it again.
        Err(Fault::Silent(_) | Fault::Ended(_)) => {
            drop(talk);
            talk = Talk::start(command, deadline)?;
            talk.greet()?;
        }
        Err(Fault::Broken(message)) => return Err(message),
    }
    let tools = talk.tools()?;
    Ok(Listed { version: talk.version, tools })
}

/// The reason why a request has no result.
enum Fault {
    /// The server answered with an error.
    Refused(String),
    /// The time was up.
    Silent(String),
    /// The server ended, or closed its output.
    Ended(String),
    /// The server breaks the protocol.
    Broken(String),
}

impl From<Fault> for String {
    fn from(fault: Fault) -> String {
        match fault {
            Fault::Refused(message)
            | Fault::Silent(message)
            | Fault::Ended(message)
            | Fault::Broken(message) => message,
        }
    }
}

/// A conversation with a server.
struct Talk {
    process: Process,
    deadline: Instant,
    asked: u64,
    heard: usize,
    version: String,
}

impl Talk {
    fn start(command: &[String], deadline: Instant) -> Result<Talk, String> {
        let process = Process::start(command)?;
        Ok(Talk { process, deadline, asked: 0, heard: 0, version: MODERN.to_owned() })
    }

    /// Asks for the versions that a server supports.
    fn discover(&mut self, until: Instant) -> Result<Vec<String>, Fault> {
        let answer = self.ask("server/discover", json!({}), until)?;
        let versions =
            answer.get("supportedVersions").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        Ok(versions.iter().filter_map(Value::as_str).map(str::to_owned).collect())
    }

    /// Does the handshake of older servers.
    fn greet(&mut self) -> Result<(), String> {
        self.version = LEGACY.to_owned();
        let greeting = json!({"protocolVersion": LEGACY, "capabilities": {}, "clientInfo": client()});
        let answer = self.ask("initialize", greeting, self.deadline)?;
        if let Some(version) = answer.get("protocolVersion").and_then(Value::as_str) {
            self.version = version.to_owned();
        }
        self.process.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        Ok(())
    }

    /// Reads all pages of the list.
    fn tools(&mut self) -> Result<Vec<Value>, String> {
        let mut tools = Vec::new();
        let mut params = json!({});
        for _ in 0..MAX_PAGES {
            let mut page = self.ask("tools/list", params, self.deadline)?;
            match page.get_mut("tools").map(Value::take) {
                Some(Value::Array(more)) => tools.extend(more),
                Some(_) | None => {
                    return Err("tools/list: expected an array `tools` in the answer".to_owned());
                }
            }
            if tools.len() > MAX_TOOLS {
                return Err(format!("tools/list: more than {MAX_TOOLS} tools"));
            }
            let Some(cursor) = page.get("nextCursor").and_then(Value::as_str) else { return Ok(tools) };
            if cursor.len() > MAX_CURSOR_BYTES {
                return Err(format!("tools/list: a cursor of more than {MAX_CURSOR_BYTES} bytes"));
            }
            params = json!({"cursor": cursor});
        }
        Err(format!("tools/list: more than {MAX_PAGES} pages"))
    }

    /// Sends a request, and waits for its response.
    fn ask(&mut self, method: &str, mut params: Value, until: Instant) -> Result<Value, Fault> {
        if self.version == MODERN {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": MODERN,
                "io.modelcontextprotocol/clientInfo": client(),
                "io.modelcontextprotocol/clientCapabilities": {},
            });
        }
        self.asked += 1;
        let id = self.asked;
        self.process.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.hear(method, until)?;
            if message.get("method").is_some() {
                self.reply(&message);
            } else if message.get("id").is_some_and(|found| is_id(found, id)) {
                return answer(method, message);
            }
        }
    }

    /// Returns the next message. Lines that are not JSON objects are skipped: some servers print
    /// their log there.
    fn hear(&mut self, method: &str, until: Instant) -> Result<Value, Fault> {
        loop {
            let line = match self.process.read(until) {
                Heard::Line(line) => line,
                Heard::Silence => {
                    let said = self.process.said();
                    return Err(Fault::Silent(format!("{method}: no answer in the time given{said}")));
                }
                Heard::TooLong(limit) => {
                    return Err(Fault::Broken(format!("{method}: a line of more than {limit} bytes")));
                }
                Heard::End => {
                    let end = self.process.how_it_ended();
                    return Err(Fault::Ended(format!("{method}: the server {end} before it answered")));
                }
            };
            self.heard += 1;
            if self.heard > MAX_MESSAGES {
                return Err(Fault::Broken(format!("{method}: more than {MAX_MESSAGES} messages")));
            }
            if let Ok(message @ Value::Object(_)) = serde_json::from_slice(&line) {
                return Ok(message);
            }
        }
    }

    /// Replies to a request of the server: `ping` succeeds, all else is an error.
    fn reply(&mut self, message: &Value) {
        let Some(id) = message.get("id") else { return };
        let reply = if message["method"] == "ping" {
            json!({"jsonrpc": "2.0", "id": id, "result": {}})
        } else {
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "method not found"}})
        };
        self.process.write(&reply);
    }
}

/// Whether an identifier is ours. Some servers return a number as a string.
fn is_id(found: &Value, id: u64) -> bool {
    *found == id || found.as_str().is_some_and(|text| text == id.to_string())
}

fn answer(method: &str, mut message: Value) -> Result<Value, Fault> {
    if let Some(error) = message.get("error") {
        let said = error.get("message").and_then(Value::as_str).unwrap_or("an error without a message");
        let code = error.get("code").cloned().unwrap_or(Value::Null);
        return Err(Fault::Refused(format!("{method}: the server answered: {said} ({code})")));
    }
    match message.get_mut("result").map(Value::take) {
        Some(result @ Value::Object(_)) => Ok(result),
        Some(_) | None => Err(Fault::Broken(format!("{method}: expected an object `result` in the answer"))),
    }
}

fn client() -> Value {
    json!({"name": "stanchion", "version": env!("CARGO_PKG_VERSION")})
}
