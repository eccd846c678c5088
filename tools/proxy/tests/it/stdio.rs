//! The proxy between streams of bytes and a server that it starts.

use crate::common::{Sink, setup};
use serde_json::{Value, json};
use stanchion_proxy::transport::stdio::{Ended, between};
use stanchion_proxy::transport::{Stop, Stopper};
use std::ffi::OsString;
use std::io;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, duplex};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Returns the path of the example server. `cargo test` builds it with the tests; if only one test
/// was selected, it is built now.
pub(crate) fn server(behavior: &str) -> Vec<OsString> {
    let deps = std::env::current_exe().unwrap().parent().unwrap().to_owned();
    let path = deps.with_file_name("examples").join(format!("odd_server{}", std::env::consts::EXE_SUFFIX));
    if !path.exists() {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut build = std::process::Command::new(cargo);
        build.args(["build", "--offline", "--package", "stanchion-proxy", "--example", "odd_server"]);
        let built = build.current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
        assert!(path.exists(), "{}", String::from_utf8_lossy(&built.stderr));
    }
    vec![path.into(), behavior.into()]
}

/// A client of a proxy.
struct Client {
    to: Option<DuplexStream>,
    from: BufReader<DuplexStream>,
    proxy: JoinHandle<io::Result<Ended>>,
    stopper: Stopper,
    sink: Sink,
}

impl Client {
    fn new(behavior: &str, policy: &str) -> Client {
        let (setup, sink) = setup(policy, None);
        let (to, from_client) = duplex(1 << 16);
        let (to_client, from) = duplex(1 << 16);
        let (stopper, stop) = Stop::new();
        let command = server(behavior);
        let proxy =
            tokio::spawn(async move { between(&setup, from_client, to_client, &command, &stop).await });
        Client { to: Some(to), from: BufReader::new(from), proxy, stopper, sink }
    }

    async fn send(&mut self, message: &str) {
        self.to.as_mut().unwrap().write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn ask(&mut self, id: u64, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()).await;
    }

    async fn call(&mut self, id: u64, name: &str, arguments: Value) {
        self.ask(id, "tools/call", json!({"name": name, "arguments": arguments})).await;
    }

    async fn hear(&mut self) -> Value {
        let mut line = String::new();
        timeout(Duration::from_secs(60), self.from.read_line(&mut line)).await.expect("an answer").unwrap();
        serde_json::from_str(&line).unwrap_or_else(|error| panic!("{line}: {error}"))
    }

    /// Closes the client's side, and waits for the proxy.
    async fn end(mut self) -> (Ended, Sink) {
        self.to.take();
        let ended = timeout(Duration::from_secs(60), self.proxy).await.expect("the proxy ends");
        (ended.unwrap().unwrap(), self.sink)
    }
}

#[tokio::test]
async fn a_client_that_lists_nothing_is_checked_too() {
    let mut client = Client::new("plain", "");
    client.ask(1, "initialize", json!({"protocolVersion": "2025-06-18"})).await;
    assert_eq!(client.hear().await["result"]["protocolVersion"], "2025-06-18");
    client.call(2, "add", json!({"a": "1"})).await;
    client.call(3, "add", json!({"a": 1, "b": 2})).await;
    client.ask(4, "made/up", json!({})).await;
    assert_eq!(client.hear().await["result"]["isError"], true);
    let result = client.hear().await;
    assert_eq!((&result["id"], &result["result"]["structuredContent"]), (&json!(3), &json!({"result": 3.0})));
    assert_eq!(client.hear().await["result"]["method"], "made/up");
    client.ask(5, "tools/list", json!({})).await;
    let list = client.hear().await;
    let names: Vec<&str> = list["result"]["tools"]
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["echo", "add", "die", "never", "big"]);
    assert!(matches!(client.end().await.0, Ended::Client));
}

#[tokio::test]
async fn a_thousand_calls_come_back_in_order() {
    let mut client = Client::new("plain", "");
    client.ask(0, "tools/list", json!({})).await;
    client.hear().await;
    for round in 0..10 {
        for id in 0..100 {
            client.call(1 + round * 100 + id, "echo", json!({"n": id})).await;
        }
        for id in 0..100 {
            assert_eq!(client.hear().await["id"], 1 + round * 100 + id);
        }
    }
    client.end().await;
}

#[tokio::test]
async fn a_server_that_dies_answers_everything() {
    let mut client = Client::new("plain", "");
    client.call(1, "never", json!({})).await;
    client.call(2, "die", json!({})).await;
    let mut answers = [client.hear().await, client.hear().await];
    answers.sort_by_key(|answer| answer["id"].as_u64());
    for (id, answer) in [1, 2].iter().zip(&answers) {
        assert_eq!(answer["id"], *id);
        let message = answer["error"]["message"].as_str().unwrap();
        assert!(message.contains("the server ended") && message.contains('7'), "{message}");
    }
    let (ended, sink) = client.end().await;
    assert!(matches!(ended, Ended::Server(status) if status.code() == Some(7)));
    // The half message is reported and not passed on.
    assert_eq!(sink.kinds(), ["tool_refused refused", "malformed refused", "server_failed"]);
}

#[tokio::test]
async fn garbage_does_not_reach_the_client() {
    let mut client = Client::new("garbage", "");
    client.call(1, "echo", json!({"a": 1})).await;
    assert_eq!(client.hear().await["result"]["content"][0]["text"], r#"{"a":1}"#);
    client.send("hello").await;
    assert_eq!(client.hear().await["error"]["code"], -32700);
    client.end().await;
}

#[tokio::test]
async fn messages_that_are_too_long_are_answered() {
    let mut client = Client::new("plain", "[limits]\nmessage_bytes = 100000");
    client.call(1, "big", json!({})).await;
    let answer = client.hear().await;
    assert_eq!(answer["id"], 1);
    assert!(answer["error"]["message"].as_str().unwrap().contains("100000 bytes"), "{answer}");
    client.call(2, "echo", json!({"a": "x".repeat(200_000)})).await;
    let answer = client.hear().await;
    assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(2), &json!(-32600)));
    client.call(3, "echo", json!({})).await;
    assert_eq!(client.hear().await["id"], 3);
    client.end().await;
}

#[tokio::test]
async fn a_server_that_does_not_list_its_tools_is_given_up() {
    let mut client = Client::new("mute", "[timeouts]\nlist = 0.2");
    client.call(1, "echo", json!({})).await;
    client.ask(2, "made/up", json!({})).await;
    let answer = client.hear().await;
    assert!(answer["error"]["message"].as_str().unwrap().contains("no answer in 0.2 seconds"), "{answer}");
    assert_eq!(client.hear().await["id"], 2);
    client.end().await;
}

#[tokio::test]
async fn an_endless_line_does_not_stop_the_end() {
    let client = Client::new("endless", "[timeouts]\nexit = 0.2\ndrain = 0.2");
    tokio::time::sleep(Duration::from_millis(300)).await;
    client.end().await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_stubborn_server_is_not_left_behind() {
    let client = Client::new("stubborn", "[timeouts]\nexit = 0.2\ndrain = 0.2");
    tokio::time::sleep(Duration::from_millis(300)).await;
    client.end().await;
}

#[tokio::test]
async fn a_stop_waits_for_what_is_under_way() {
    let mut client = Client::new("plain", "[timeouts]\ndrain = 0.5\nexit = 0.5");
    client.call(1, "never", json!({})).await;
    client.call(2, "echo", json!({})).await;
    assert_eq!(client.hear().await["id"], 2);
    client.stopper.stop();
    let answer = client.hear().await;
    assert_eq!(answer["id"], 1);
    assert!(answer["error"]["message"].as_str().unwrap().contains("the server ended"), "{answer}");
    client.end().await;
}
