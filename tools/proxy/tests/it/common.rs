//! A session with its events at hand.

use serde_json::{Value, json};
use stanchion_proxy::{Log, Pin, Policy, Session, Setup, Tools};
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

/// A writer whose bytes can be read.
#[derive(Clone, Default)]
pub(crate) struct Sink(Arc<Mutex<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Sink {
    /// Returns the events so far, and forgets them.
    pub(crate) fn events(&self) -> Vec<Value> {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap());
        let text = String::from_utf8(bytes).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Returns the kinds of events so far, with their action.
    pub(crate) fn kinds(&self) -> Vec<String> {
        let kind = |event: &Value| {
            let action = event["action"].as_str().map_or(String::new(), |action| format!(" {action}"));
            format!("{}{action}", event["event"].as_str().unwrap())
        };
        self.events().iter().map(kind).collect()
    }
}

/// A setup with a policy in TOML.
pub(crate) fn setup(policy: &str, pin: Option<Pin>) -> (Arc<Setup>, Sink) {
    let sink = Sink::default();
    let mut policy = policy.to_owned();
    let dry_run = policy.contains("# dry-run");
    policy = policy.replace("# dry-run", "");
    let mut policy = Policy::from_toml(&policy).unwrap();
    policy.dry_run = dry_run;
    (Setup::new(policy, pin, Log::new(Some(Box::new(sink.clone())))), sink)
}

/// A session whose version was agreed on, and whose tools were listed.
pub(crate) struct Peers {
    pub(crate) session: Session,
    pub(crate) sink: Sink,
    /// The list as the client got it.
    pub(crate) list: Value,
    id: u64,
}

impl Peers {
    pub(crate) fn new(policy: &str, version: &str, tools: Value) -> Peers {
        let (setup, sink) = setup(policy, None);
        Peers::with(&setup, sink, version, tools)
    }

    pub(crate) fn with(setup: &Arc<Setup>, sink: Sink, version: &str, tools: Value) -> Peers {
        let session = Session::new(setup, &Tools::new(setup));
        let mut peers = Peers { session, sink, list: Value::Null, id: 0 };
        peers.ask("initialize", json!({"protocolVersion": version}), json!({"protocolVersion": version}));
        peers.list = peers.ask("tools/list", json!({}), json!({"tools": tools}));
        peers
    }

    /// Sends a request, answers it as the server, and returns the result that the client gets.
    pub(crate) fn ask(&mut self, method: &str, params: Value, result: Value) -> Value {
        let id = self.request(method, params).expect("the request goes on");
        self.respond(id, result)
    }

    /// Sends a request. Returns its id, or the response of the proxy.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Result<u64, Value> {
        self.id += 1;
        let request =
            json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}).to_string();
        let step = self.session.client(request.as_bytes()).expect("the tools are known");
        match (step.onward, step.back) {
            (Some(onward), None) => {
                assert_eq!(onward, request);
                Ok(self.id)
            }
            (None, Some(back)) => Err(serde_json::from_str(&back).unwrap()),
            other => panic!("{other:?}"),
        }
    }

    /// Answers as the server. Returns the result that the client gets, or the error.
    pub(crate) fn respond(&mut self, id: u64, result: Value) -> Value {
        let response = json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string();
        let step = self.session.server(response.as_bytes());
        let onward: Value = serde_json::from_str(&step.onward.expect("the response goes on")).unwrap();
        assert_eq!(onward["id"], id);
        onward.get("result").or_else(|| onward.get("error")).cloned().unwrap()
    }

    /// Calls a tool.
    pub(crate) fn call(&mut self, name: &str, arguments: Value) -> Result<u64, Value> {
        self.request("tools/call", json!({"name": name, "arguments": arguments}))
    }

    /// Returns the names in the list that the client got.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.list["tools"]
            .as_array()
            .unwrap()
            .iter()
            .map(|tool| tool["name"].as_str().unwrap_or("-"))
            .collect()
    }
}

pub(crate) fn tool(name: &str) -> Value {
    json!({"name": name, "inputSchema": {"type": "object"}})
}
