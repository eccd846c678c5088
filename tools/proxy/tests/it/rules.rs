//! The rules, message by message.

use crate::common::{Peers, setup, tool};
use serde_json::{Value, json};
use stanchion_proxy::{Listing, Session, Tools};

fn counter() -> Value {
    json!({
        "name": "count",
        "inputSchema": {"type": "object", "properties": {"of": {"enum": ["bolts", "nuts"]}}, "required": ["of"]},
        "outputSchema": {"type": "integer"}
    })
}

fn spy() -> Value {
    json!({"name": "spy", "inputSchema": {"type": "object", "$ref": "http://169.254.169.254/"}})
}

#[test]
fn one_bad_tool_does_not_hide_the_others() {
    let mut deep = json!({});
    for _ in 0..200 {
        deep = json!({"not": deep});
    }
    let bottomless =
        json!({"name": "bottomless", "inputSchema": {"type": "object", "properties": {"a": deep}}});
    let nameless = json!({"inputSchema": {"type": "object"}});
    let tools = json!([spy(), counter(), bottomless, nameless, counter(), 12, tool("last")]);
    let peers = Peers::new("", "2026-07-28", tools);
    assert_eq!(peers.names(), ["count", "last"]);
    let events = peers.sink.events();
    assert_eq!(events.len(), 5, "{events:?}");
    assert!(events.iter().all(|event| event["event"] == "tool_refused" && event["action"] == "refused"));
}

#[test]
fn calls_are_checked_before_the_server_sees_them() {
    let mut peers = Peers::new("", "2025-11-25", json!([counter(), spy()]));
    assert_eq!(peers.sink.kinds(), ["tool_refused refused"]);
    let answer = peers.call("count", json!({"of": "cogs"})).unwrap_err();
    assert_eq!(answer["result"]["isError"], true);
    assert!(answer["result"]["content"][0]["text"].as_str().unwrap().contains("\"bolts\""), "{answer}");
    let answer = peers.call("count", json!([])).unwrap_err();
    assert_eq!(answer["error"]["code"], -32602);
    for name in ["spy", "other"] {
        let answer = peers.call(name, json!({})).unwrap_err();
        assert_eq!(answer["error"]["code"], -32602, "{answer}");
    }
    // The value is not in the events.
    let events = peers.sink.events();
    assert!(!format!("{events:?}").contains("cogs"), "{events:?}");
    assert_eq!(events[0]["errors"][0]["instancePath"], "/of");
    assert!(peers.call("count", json!({"of": "nuts"})).is_ok());
}

#[test]
fn results_are_checked_mirrored_and_wrapped() {
    let mut peers = Peers::new("", "2025-11-25", json!([counter()]));
    let schema = &peers.list["tools"][0]["outputSchema"];
    assert_eq!(schema["properties"]["result"], json!({"type": "integer"}));
    let id = peers.call("count", json!({"of": "nuts"})).unwrap();
    let result = peers.respond(id, json!({"content": [], "structuredContent": 42}));
    let mirror = json!([{"type": "text", "text": "42"}]);
    assert_eq!(result, json!({"content": mirror, "structuredContent": {"result": 42}}));
    let id = peers.call("count", json!({"of": "nuts"})).unwrap();
    let result = peers.respond(id, json!({"content": [], "structuredContent": "many"}));
    assert_eq!(result["isError"], true);
    assert!(result.get("structuredContent").is_none());

    let mut peers = Peers::new("", "2026-07-28", json!([counter()]));
    assert_eq!(peers.list["tools"], json!([counter()]));
    let id = peers.call("count", json!({"of": "nuts"})).unwrap();
    let result = peers.respond(id, json!({"content": [], "structuredContent": 42}));
    assert_eq!(result["structuredContent"], 42);
}

#[test]
fn what_no_rule_touches_is_passed_byte_for_byte() {
    let mut peers = Peers::new("", "2025-11-25", json!([tool("a")]));
    let session = &mut peers.session;
    for message in [
        r#" {"jsonrpc" : "2.0", "id":"x\u0041", "method":"made/up", "params":{"n":1E400, "deep":[[[]]]}, "more": 1.0}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.10}}"#,
        r#"{"jsonrpc":"2.0","id":9,"result":{"action":"accept"}}"#,
        r#"[{"jsonrpc":"2.0","id":5,"method":"ping"}, {"jsonrpc":"2.0","method":"notifications/x"}]"#,
        r#"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{"name":"a","arguments":{"n":1.0}}}"#,
    ] {
        assert_eq!(session.client(message.as_bytes()).unwrap().onward.as_deref(), Some(message));
    }
    for message in [
        r#"{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[]}}"#,
        r#"{"result":{"unknown":18446744073709551616},"id":"xA","jsonrpc":"2.0"}"#,
        r#"[{"jsonrpc":"2.0","id":5,"result":{}}]"#,
        r#"{"jsonrpc":"2.0","id":6,"result":{ "content" : [], "structuredContent": {"n": 1.0} }}"#,
        r#"{"jsonrpc":"2.0","error":{"code":-32700,"message":"?"},"id":null}"#,
    ] {
        assert_eq!(session.server(message.as_bytes()).onward.as_deref(), Some(message));
    }
    assert_eq!(peers.sink.kinds(), [""; 0]);
}

#[test]
fn what_could_slip_past_a_check_is_refused() {
    let mut peers = Peers::new("", "2025-11-25", json!([counter()]));
    for (message, code) in [
        (r#"{"jsonrpc":"2.0","method":"tools/call","params":{"name":"count"}}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"count"}}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":{},"method":"tools/call","params":{"name":"count"}}"#, -32600),
        (r#"{"jsonrpc":"2.0","id":7,"method":"ping","method":"tools/call"}"#, -32600),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"other","name":"count"}}"#,
            -32602,
        ),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":["count"]}"#, -32602),
        (r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":7}}"#, -32602),
        (
            r#"{"jsonrpc":"2.0","id":7,"method":"tools\/call","params":{"name":"count","arguments":1}}"#,
            -32602,
        ),
        ("\u{feff}hello", -32700),
        ("[]", -32600),
        ("[1", -32700),
        ("{\"jsonrpc\":\"2.0\",\"id\":1,\"met", -32700),
    ] {
        let step = peers.session.client(message.as_bytes()).unwrap();
        assert_eq!(step.onward, None, "{message}");
        let back: Value = serde_json::from_str(&step.back.unwrap()).unwrap();
        assert_eq!(back["error"]["code"], code, "{message}: {back}");
    }
    assert!(peers.session.client(b"\xff\xfe").unwrap().back.unwrap().contains("UTF-8"));
    // Of a server, garbage is dropped: some print their log.
    for message in [&b"starting up ..."[..], b"\xff", b"{\"id\":1,\"resu", b"[]", b"{}"] {
        assert_eq!(peers.session.server(message), stanchion_proxy::Step::default());
    }
}

#[test]
fn responses_that_nobody_waits_for_are_dropped() {
    let mut peers = Peers::new("", "2025-11-25", json!([counter()]));
    let id = peers.call("count", json!({"of": "nuts"})).unwrap();
    let unasked = json!({"jsonrpc": "2.0", "id": 999, "result": {"structuredContent": "x"}}).to_string();
    assert_eq!(peers.session.server(unasked.as_bytes()).onward, None);
    let cancel = json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}});
    assert!(peers.session.client(cancel.to_string().as_bytes()).unwrap().onward.is_some());
    assert_eq!(peers.session.pending(), 0);
    let late = json!({"jsonrpc": "2.0", "id": id, "result": {"structuredContent": "x"}}).to_string();
    assert_eq!(peers.session.server(late.as_bytes()).onward, None);
}

#[test]
fn an_id_belongs_to_one_request_and_requests_are_bounded() {
    let mut peers = Peers::new("[limits]\npending = 1000", "2025-11-25", json!([counter()]));
    let mut refused = 0;
    for id in 0..100_000 {
        let request = format!(r#"{{"jsonrpc":"2.0","id":"r{id}","method":"ping"}}"#);
        let step = peers.session.client(request.as_bytes()).unwrap();
        refused += usize::from(step.back.is_some_and(|back| back.contains("-32000")));
    }
    assert_eq!((refused, peers.session.pending()), (99_000, 1_000));
    let again = br#"{"jsonrpc":"2.0","id":"r5","method":"ping"}"#;
    assert!(peers.session.client(again).unwrap().back.unwrap().contains("-32600"));
    // What was accepted is answered, also if the server ends.
    let answer = br#"{"jsonrpc":"2.0","id":"r5","result":{}}"#;
    assert!(peers.session.server(answer).onward.is_some());
    assert_eq!(peers.session.fail_all("the server ended").len(), 999);
}

#[test]
fn the_proxy_reads_the_tools_if_the_client_does_not() {
    let (setup, _) = setup("", None);
    let mut session = Session::new(&setup, &Tools::new(&setup));
    let call = json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": "count", "arguments": {}, "_meta": {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28", "progressToken": 3
        }}
    })
    .to_string();
    assert!(session.client(call.as_bytes()).is_err());
    let request: Value = serde_json::from_str(&session.list_request(call.as_bytes()).unwrap()).unwrap();
    assert_eq!(request["params"]["_meta"], json!({"io.modelcontextprotocol/protocolVersion": "2026-07-28"}));
    // Not twice at once.
    assert_eq!(session.list_request(call.as_bytes()), None);
    let page = json!({"id": request["id"], "result": {"tools": [spy()], "nextCursor": "2"}}).to_string();
    let step = session.server(page.as_bytes());
    assert_eq!(step.onward, None);
    let Some(Listing::Next(request)) = step.listing else { panic!("{step:?}") };
    let request: Value = serde_json::from_str(&request).unwrap();
    assert_eq!(request["params"]["cursor"], "2");
    let page = json!({"id": request["id"], "result": {"tools": [counter()]}}).to_string();
    assert_eq!(session.server(page.as_bytes()).listing, Some(Listing::Done));
    let answer = session.client(call.as_bytes()).unwrap().back.unwrap();
    assert!(answer.contains("isError"), "{answer}");

    // A list that changed is read again before the next call.
    let changed = br#"{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}"#;
    assert!(session.server(changed).onward.is_some());
    assert!(session.client(call.as_bytes()).is_err());
    // A server that does not list its tools has no calls.
    let request: Value = serde_json::from_str(&session.list_request(call.as_bytes()).unwrap()).unwrap();
    let failed = json!({"id": request["id"], "error": {"code": -32601, "message": "no"}}).to_string();
    assert_eq!(session.server(failed.as_bytes()).listing, Some(Listing::Done));
}

#[test]
fn pages_may_be_read_again_and_duplicates_are_found_across_them() {
    let mut peers = Peers::new("", "2025-11-25", json!([tool("a")]));
    let mut page = |cursor: Option<&str>, tools: Value, next: Value| {
        let mut params = json!({});
        if let Some(cursor) = cursor {
            params["cursor"] = cursor.into();
        }
        let list = peers.ask("tools/list", params, json!({"tools": tools, "nextCursor": next}));
        list["tools"].as_array().map_or(usize::MAX, Vec::len)
    };
    assert_eq!(page(None, json!([tool("a")]), json!("2")), 1);
    assert_eq!(page(Some("2"), json!([tool("b"), tool("a")]), json!("3")), 1);
    assert_eq!(page(Some("2"), json!([tool("b")]), json!("3")), 1);
    assert_eq!(page(Some("3"), json!([tool("b"), tool("c")]), Value::Null), 1);
    assert!(peers.call("c", json!({})).is_ok());
}

#[test]
fn a_list_has_at_most_ten_thousand_tools() {
    let tools: Vec<Value> = (0..10_005).map(|at| tool(&format!("t{at}"))).collect();
    let peers = Peers::new("", "2025-11-25", json!(tools));
    assert_eq!(peers.names().len(), 10_000);
}

#[test]
fn a_list_that_is_none_is_an_error() {
    let mut peers = Peers::new("", "2025-11-25", json!([tool("a")]));
    for list in [json!({"tools": {}}), json!({}), json!([]), json!(null)] {
        let error = peers.ask("tools/list", json!({}), list);
        assert_eq!(error["code"], -32603, "{error}");
    }
}

#[test]
fn modes_lists_and_costs() {
    let steps = |definition: Value| {
        let tool = stanchion_mcp::Tool::from_definition(definition).unwrap();
        tool.validators().map(|validator| validator.cost().steps(100, 4_000)).max().unwrap()
    };
    let costly = json!({"name": "costly", "inputSchema": {"type": "object", "properties": {"a": {
        "items": {"anyOf": (0..50).map(|at| json!({"minLength": at, "uniqueItems": true})).collect::<Vec<_>>()}
    }}}});
    let limit = steps(tool("cheap"));
    assert!(steps(costly.clone()) > limit);
    let policy = format!(
        "deny = ['delete_*']\n[limits]\ncost = {limit}\n[[tool]]\nname = 'spy'\nmode = 'warn'\n[[tool]]\nname = 'count'\nmode = 'off'"
    );
    let tools = json!([counter(), spy(), tool("delete_all"), costly, tool("cheap")]);
    let mut peers = Peers::new(&policy, "2025-11-25", tools);
    assert_eq!(peers.names(), ["count", "spy", "cheap"]);
    // What is off is not wrapped, either.
    assert_eq!(peers.list["tools"][0], counter());
    assert!(peers.call("count", json!({"of": 1})).is_ok());
    assert!(peers.call("spy", json!({"any": 1})).is_ok());
    for (name, reason) in [("delete_all", "policy"), ("costly", "steps")] {
        let answer = peers.call(name, json!({})).unwrap_err();
        assert!(answer["error"]["message"].as_str().unwrap().contains(reason), "{answer}");
    }
}

#[test]
fn a_dry_run_reports_and_changes_nothing() {
    let mut peers = Peers::new("deny = ['a'] # dry-run", "2025-11-25", json!([counter(), spy(), tool("a")]));
    assert_eq!(peers.list["tools"], json!([counter(), spy(), tool("a")]));
    let id = peers.call("count", json!({"of": 1})).unwrap();
    assert_eq!(peers.respond(id, json!({"structuredContent": "x"})), json!({"structuredContent": "x"}));
    let id = peers.call("count", json!({"of": "nuts"})).unwrap();
    assert_eq!(peers.respond(id, json!({"structuredContent": 1})), json!({"structuredContent": 1}));
    assert!(peers.call("a", json!({})).is_ok());
    let kinds = peers.sink.kinds();
    let expected = [
        "tool_refused passed",
        "tool_refused passed",
        "call_refused passed",
        "result_refused passed",
        "call_refused passed",
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn undecided_is_refused_unless_the_policy_says_otherwise() {
    let costly =
        json!({"name": "t", "inputSchema": {"type": "object", "properties": {"a": {"uniqueItems": true}}}});
    let arguments = json!({"a": (0..50_000).map(|at| json!({"k": at})).collect::<Vec<_>>()});
    let limits = "[limits]\nsteps = 10";
    let mut peers = Peers::new(limits, "2025-11-25", json!([costly.clone()]));
    let answer = peers.call("t", arguments.clone()).unwrap_err();
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    let mut peers = Peers::new(&format!("undecided = 'warn'\n{limits}"), "2025-11-25", json!([costly]));
    assert!(peers.call("t", arguments).is_ok());
    assert_eq!(peers.sink.kinds(), ["call_refused passed"]);
}

#[test]
fn forms_and_their_answers_are_checked() {
    let mut peers = Peers::new("", "2025-11-25", json!([]));
    let form = |id: u64, schema: Value| {
        json!({"jsonrpc": "2.0", "id": id, "method": "elicitation/create", "params": {"message": "?", "requestedSchema": schema}})
            .to_string()
    };
    let bad = form(1, json!({"type": "object", "properties": {"a": {"type": "object"}}}));
    let step = peers.session.server(bad.as_bytes());
    assert_eq!(step.onward, None);
    assert!(step.back.unwrap().contains("-32602"));
    let good = form(2, json!({"type": "object", "properties": {"age": {"type": "integer", "minimum": 18}}}));
    for (age, passes) in [(17, false), (18, true)] {
        assert!(peers.session.server(good.as_bytes()).onward.is_some());
        let answer =
            json!({"jsonrpc": "2.0", "id": 2, "result": {"action": "accept", "content": {"age": age}}});
        let answer = answer.to_string();
        let onward = peers.session.client(answer.as_bytes()).unwrap().onward.unwrap();
        assert_eq!(onward == answer, passes, "{onward}");
    }
    // 2026-07-28 asks in results.
    let mut peers = Peers::new("", "2026-07-28", json!([counter()]));
    let id = peers.call("count", json!({"of": "nuts"})).unwrap();
    let request = |schema: Value| json!({"resultType": "input_required", "inputRequests": {"a": {"method": "elicitation/create", "params": {"requestedSchema": schema}}}});
    let result =
        peers.respond(id, request(json!({"type": "object", "properties": {"a": {"type": "object"}}})));
    assert_eq!(result["isError"], true);
    let id = peers.call("count", json!({"of": "nuts"})).unwrap();
    let fine = request(json!({"type": "object", "properties": {}}));
    assert_eq!(peers.respond(id, fine.clone()), fine);
}

#[test]
fn results_of_tasks_are_checked() {
    let mut peers = Peers::new("", "2025-11-25", json!([counter()]));
    let id = peers.call("count", json!({"of": "nuts"})).unwrap();
    let started = json!({"task": {"taskId": "t1", "status": "working"}});
    assert_eq!(peers.respond(id, started.clone()), started);
    let result =
        peers.ask("tasks/result", json!({"taskId": "t1"}), json!({"content": [], "structuredContent": "x"}));
    assert_eq!(result["isError"], true);
    let state =
        json!({"taskId": "t1", "status": "completed", "result": {"content": [], "structuredContent": 1}});
    let state = peers.ask("tasks/get", json!({"taskId": "t1"}), state);
    assert_eq!(state["result"]["structuredContent"], json!({"result": 1}));
}

#[test]
fn the_rest_of_a_batch_goes_on() {
    let mut peers = Peers::new("", "2025-03-26", json!([counter()]));
    let call = |id: u64, of: &str| json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": "count", "arguments": {"of": of}}});
    let batch = json!([call(11, "nuts"), call(12, "cogs")]).to_string();
    let step = peers.session.client(batch.as_bytes()).unwrap();
    let (onward, back) = (step.onward.unwrap().into_owned(), step.back.unwrap());
    assert!(onward.starts_with('[') && onward.contains("11") && !onward.contains("cogs"));
    assert!(back.starts_with('[') && back.contains("12") && back.contains("isError"));
    let answers = json!([{"jsonrpc": "2.0", "id": 11, "result": {"structuredContent": 1}}]).to_string();
    let onward = peers.session.server(answers.as_bytes()).onward.unwrap().into_owned();
    assert!(onward.contains(r#"{"result":1}"#), "{onward}");
}
