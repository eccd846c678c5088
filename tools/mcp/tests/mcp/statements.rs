//! The statements of the specification, each with its source and with a test. The table in the README is made of this file:
//! `UPDATE_EXPECT=1 cargo test -p stanchion-mcp --test mcp statements` writes it.

use serde_json::{Value, json};
use stanchion_mcp::header::{self, Headers};
use stanchion_mcp::stanchion::{Dialect, References};
use stanchion_mcp::{
    ElicitationSchema, InputSchema, Listing, Mirror, MirrorNumbers, OutputSchema, Profile, Prompt,
    ProtocolVersion, Sampling, Tool, Toolbox, Transport, legacy,
};

const OLD: &str = "2025-11-25";
const NEW: &str = "2026-07-28";

/// Tests, and the table of them.
macro_rules! statements {
    ($($place:literal: $statement:literal => fn $name:ident() $body:block)*) => {
        $(#[test] fn $name() $body)*
        const TABLE: &[(&str, &str, &str)] = &[$(($statement, $place, stringify!($name))),*];
    };
}

fn tool(output: Value) -> Tool {
    Tool::from_definition(json!({"name": "t", "inputSchema": {"type": "object"}, "outputSchema": output}))
        .unwrap()
}

fn tool_with(profile: &Profile, output: Value) -> Tool {
    let definition = json!({"name": "t", "inputSchema": {"type": "object"}, "outputSchema": output});
    Tool::from_definition_with(profile, definition).unwrap()
}

fn text_tool(output: &str) -> Tool {
    let text = format!(r#"{{"name": "t", "inputSchema": {{"type": "object"}}, "outputSchema": {output}}}"#);
    Tool::from_definition_text(&Profile::default(), &text).unwrap()
}

fn number_tool() -> Tool {
    tool(json!({"type": "number"}))
}

/// Whether the envelope of a schema accepts what the schema accepts.
#[track_caller]
fn means_the_same(profile: &Profile, schema: Value, instances: &[Value]) {
    let output = OutputSchema::with(profile, schema.clone()).unwrap();
    let envelope = OutputSchema::with(profile, output.schema_for(OLD).unwrap().clone()).unwrap();
    for instance in instances {
        let expected = output.validate_structured_content(instance).is_ok();
        let wrapped = envelope.validate_structured_content(&legacy::wrap_value(instance.clone())).is_ok();
        assert_eq!(wrapped, expected, "{schema}: {instance}\n{}", envelope.schema());
    }
}

statements! {
    "basic/index, ResultType": "a question to the client and a task are no final results, and pass unchecked" =>
    fn unfinished_results_pass_unchecked() {
        for result in [
            json!({"resultType": "input_required", "inputRequests": {}}),
            json!({"resultType": "task", "taskId": "1", "status": "working"}),
            json!({"task": {"taskId": "1", "status": "working"}}),
        ] {
            for version in [OLD, NEW] {
                assert_eq!(number_tool().send_result(version, result.clone()).unwrap(), result);
                assert_eq!(number_tool().receive_result(version, result.clone()).unwrap(), result);
                assert_eq!(number_tool().receive_result_text(version, &result.to_string()).unwrap(), result.to_string());
            }
        }
    }

    "basic/index, ResultType": "a result type that the client does not know is invalid, unless an extension has it" =>
    fn unknown_result_types_are_invalid() {
        let result = json!({"resultType": "banana", "content": [], "structuredContent": 1});
        let error = number_tool().receive_result(NEW, result.clone()).unwrap_err();
        assert_eq!(error.to_string(), "The result has an unknown resultType: \"banana\".");
        assert!(number_tool().receive_result_text(NEW, &result.to_string()).is_err());
        assert!(number_tool().receive_result(NEW, json!({"resultType": 1, "content": []})).is_err());
        let profile = Profile::default().result_type("banana");
        assert_eq!(tool_with(&profile, json!({"type": "number"})).receive_result(NEW, result.clone()).unwrap(), result);
    }

    "basic/index, ResultType": "every result carries a result type since 2026-07-28, and none before" =>
    fn results_carry_their_type() {
        let sent = |version| number_tool().send_result(version, json!({"structuredContent": 1})).unwrap();
        assert_eq!(sent(NEW)["resultType"], "complete");
        assert_eq!(sent(OLD).get("resultType"), None);
        assert!(number_tool().send_result_text(NEW, r#"{"structuredContent":1}"#).unwrap().contains(r#""resultType":"complete""#));
    }

    "server/tools, Listing Tools; server/utilities/caching": "a list of tools has resultType, ttlMs and cacheScope" =>
    fn lists_carry_their_type_and_cache_hints() {
        let toolbox = Toolbox::default();
        toolbox.insert(number_tool()).unwrap();
        let listing = Listing { ttl_ms: 5, next_cursor: Some("c".to_owned()), ..Listing::default() };
        let result = toolbox.list_result_with(NEW, &listing);
        assert_eq!(
            (&result["resultType"], &result["ttlMs"], &result["cacheScope"], &result["nextCursor"]),
            (&json!("complete"), &json!(5), &json!("private"), &json!("c"))
        );
        let old = toolbox.list_result(OLD);
        assert_eq!(old.as_object().unwrap().len(), 1);
        let text: Value = serde_json::from_str(&toolbox.list_text(NEW, &listing)).unwrap();
        assert_eq!(text, result);
    }

    "schema.ts, Tool": "an output schema is an object: booleans go out as objects, also in the envelope" =>
    fn boolean_output_schemas_go_out_as_objects() {
        for (given, sent) in [(json!(true), json!({})), (json!(false), json!({"not": {}}))] {
            let tool = tool(given);
            assert_eq!(tool.definition_for(NEW).unwrap()["outputSchema"], sent);
            assert_eq!(tool.definition_for(OLD).unwrap()["outputSchema"]["properties"]["result"], sent);
        }
        assert!(text_tool("true").definition_text_for(NEW).unwrap().contains(r#""outputSchema":{}"#));
    }

    "schema.ts, Tool": "an output schema is not made stricter, also not by a lenient profile" =>
    fn a_lenient_profile_stamps_no_output() {
        for schema in [json!({}), json!({"items": {"type": "number"}}), json!({"$dynamicRef": "#/$defs/a", "$defs": {"a": {"type": "array"}}})] {
            let lenient = tool_with(&Profile::lenient(), schema.clone());
            assert!(lenient.check_structured(Some(&json!([1])), false).is_ok(), "{schema}");
            assert_eq!(lenient.definition()["outputSchema"], schema);
        }
    }

    "basic/transports/streamable-http, Value Encoding": "a header has visible ASCII, space and tab alone" =>
    fn raw_characters_in_headers_are_refused() {
        let schema = json!({"type": "object", "properties": {"s": {"type": "string", "x-mcp-header": "S"}}});
        let headers = Headers::new(&schema).unwrap();
        for text in ["é", "a\u{7f}b", "a\u{0}b", "a\nb"] {
            assert!(headers.check(&json!({"s": text}), |_| Some(text)).is_err(), "{text:?}");
            assert!(headers.check(&json!({}), |_| Some(text)).is_err(), "{text:?}");
            assert!(headers.check(&json!({"s": text}), |_| Some(header::encode(text).leak())).is_ok());
        }
        assert!(headers.check(&json!({"s": "a\tb"}), |_| Some("a\tb")).is_ok());
    }

    "schema.ts, CallToolResult": "content is there: absent or null becomes an empty array, and is mirrored" =>
    fn absent_content_becomes_an_array() {
        for result in [json!({"structuredContent": {}}), json!({"content": null, "structuredContent": {}})] {
            let object = tool(json!({"type": "object"}));
            assert_eq!(object.send_result(NEW, result.clone()).unwrap()["content"], json!([]));
            assert_eq!(object.receive_result(NEW, result.clone()).unwrap()["content"], json!([]));
            assert!(object.send_result_text(NEW, &result.to_string()).unwrap().contains(r#""content":[]"#));
        }
        let sent = number_tool().send_result(NEW, json!({"content": null, "structuredContent": 1})).unwrap();
        assert_eq!(sent["content"], json!([{"type": "text", "text": "1"}]));
        assert!(number_tool().send_result(NEW, json!({"content": "no", "structuredContent": 1})).is_err());
    }

    "server/tools, Structured Content": "objects should be mirrored as text, too, which is a choice" =>
    fn objects_are_mirrored_by_choice() {
        let object = |mirror| tool_with(&Profile::default().mirror(mirror), json!({"type": "object"}));
        let sent = |tool: Tool| tool.send_result(NEW, json!({"structuredContent": {"a": 1}})).unwrap();
        assert_eq!(sent(object(Mirror::NonObjects))["content"], json!([]));
        assert_eq!(sent(object(Mirror::All))["content"], json!([{"type": "text", "text": "{\"a\":1}"}]));
    }

    "server/tools, x-mcp-header": "an integer beyond the safe range matches no header" =>
    fn integers_beyond_the_safe_range_match_no_header() {
        let schema = json!({"type": "object", "properties": {"i": {"type": "integer", "x-mcp-header": "I"}}});
        let headers = Headers::new(&schema).unwrap();
        let safe = 9_007_199_254_740_991_i64;
        assert!(headers.check(&json!({"i": safe}), |_| Some("9007199254740991")).is_ok());
        assert!(headers.check(&json!({"i": -safe}), |_| Some("-9007199254740991")).is_ok());
        assert!(headers.check(&json!({"i": safe + 1}), |_| Some("9007199254740992")).is_err());
        assert!(headers.check(&json!({"i": safe + 1}), |_| None).is_err());
    }

    "server/tools, x-mcp-header": "a client on Streamable HTTP drops tools with bad annotations, others need not" =>
    fn a_transport_sets_the_checks() {
        let definition = json!({"name": "t", "inputSchema": {"type": "object", "properties": {"a": {"items": {"x-mcp-header": "A"}}}}});
        let http = Profile::default().transport(Transport::StreamableHttp);
        assert!(Tool::from_definition_with(&http, definition.clone()).is_err());
        assert!(Tool::from_definition_with(&http.transport(Transport::Stdio), definition).is_ok());
    }

    "SEP-2106, older clients": "a reference with percent signs follows the schema into the envelope" =>
    fn references_with_percent_signs_are_followed() {
        let schema = json!({"items": {"$ref": "#%2F$defs%2Fx"}, "$defs": {"x": {"type": "string"}}});
        means_the_same(&Profile::default(), schema, &[json!(["a"]), json!([1])]);
    }

    "SEP-2106, older clients": "references that lead into data change no verdict in the envelope" =>
    fn references_into_data_are_followed() {
        let ring = json!({"additionalProperties": {"$ref": "#/examples/0"}, "examples": [{"$ref": "#"}]});
        means_the_same(&Profile::default(), ring, &[json!({"a": 1}), json!({"a": {"b": {}}}), json!(3)]);
        let map = json!({"items": {"$ref": "#/properties"}, "properties": {"items": {"type": "number"}, "const": {"$ref": "#/properties/items"}}});
        means_the_same(&Profile::default(), map, &[json!([1]), json!([[1]]), json!([["a"]]), json!({"items": "a"})]);
        let constant = json!({"not": {"$ref": "#/const"}, "const": {"$ref": "#/$defs/s"}, "$defs": {"s": {"type": "string"}}});
        means_the_same(&Profile::default(), constant, &[json!({"$ref": "#/$defs/s"}), json!("a"), json!(1)]);
    }

    "basic/index, Schema Dialect": "the dialect of a profile holds for envelopes, defaults and headers" =>
    fn the_dialect_of_the_profile_holds_everywhere() {
        let profile = Profile::default().dialect(Dialect::Draft07);
        let schema = json!({"items": {"$id": "https://example.com/", "$ref": "#/definitions/a"}, "definitions": {"a": {"type": "string"}}});
        means_the_same(&profile, schema, &[json!(["a"]), json!([1])]);
        let tuple = json!({"type": "object", "properties": {"l": {"prefixItems": [{"properties": {"a": {"default": 1}}}]}}});
        let fill = |profile: &Profile| InputSchema::with(profile, tuple.clone()).unwrap().fill_defaults(json!({"l": [{}]})).unwrap();
        assert_eq!(fill(&profile).arguments, json!({"l": [{}]}));
        assert_eq!(fill(&Profile::default()).arguments, json!({"l": [{"a": 1}]}));
    }

    "basic/index, Composition-Keyword Resource Use": "what is served in an envelope fits the bounds, or is refused with the reason" =>
    fn an_envelope_fits_the_bounds() {
        let deep = (0..63).fold(json!({"type": "array"}), |inner, _| json!({"items": inner}));
        let output = OutputSchema::new(json!({"items": deep})).unwrap();
        let refusal = output.schema_for(OLD).unwrap_err();
        assert!(refusal.is_for_older_clients() && refusal.to_string().contains("limit is 64"), "{refusal}");
        assert!(output.schema_for(NEW).is_ok());
        let toolbox = Toolbox::default();
        toolbox.insert(Tool::new("deep", InputSchema::new(json!({"type": "object"})).unwrap(), Some(output))).unwrap();
        assert_eq!(toolbox.list_result(OLD)["tools"], json!([]));
        assert_eq!((toolbox.unlisted(OLD).len(), toolbox.unlisted(NEW).len()), (1, 0));

        // What is shown to them can be compiled by them.
        let wide = |count: usize| OutputSchema::new(json!({"prefixItems": vec![json!({"minimum": 1}); count - 1]})).unwrap();
        assert!(OutputSchema::new(wide(9_999).schema_for(OLD).unwrap().clone()).is_ok());
        assert!(wide(10_000).schema_for(OLD).unwrap_err().is_for_older_clients());
    }

    "server/tools, Tool": "definitions and mirrors keep the order of members" =>
    fn the_order_of_members_is_kept() {
        let text = r#"{"z":1,"name":"t","outputSchema":{"type":"array"},"inputSchema":{"type":"object","b":1,"a":2},"a":0}"#;
        let tool = Tool::from_definition(serde_json::from_str(text).unwrap()).unwrap();
        assert_eq!(tool.definition_for(NEW).unwrap().to_string(), text);
        let sent = tool.send_result(NEW, serde_json::from_str(r#"{"structuredContent":[{"b":1,"a":2}]}"#).unwrap()).unwrap();
        assert_eq!(sent["content"][0]["text"], r#"[{"b":1,"a":2}]"#);
        let text = " { \"name\" : \"t\", \"inputSchema\": {\"type\": \"object\", \"maximum\": 1E2} } ";
        let tool = Tool::from_definition_text(&Profile::default(), text).unwrap();
        assert_eq!(tool.definition_text_for(NEW).unwrap(), text);
    }

    "server/tools, Structured Content": "numbers in mirrors keep their digits, or are JavaScript's by choice" =>
    fn numbers_keep_their_digits() {
        let exact = cfg!(feature = "arbitrary_precision");
        let content = if exact { "[1.0,1E2,18446744073709551616,1e400]" } else { "[1.0,1E2,18446744073709551616]" };
        let result = format!(r#"{{"structuredContent": {content}}}"#);
        let sent = text_tool("{}").send_result_text(OLD, &result).unwrap();
        assert!(sent.contains(&format!(r#""structuredContent":{{"result":{content}}}"#)), "{sent}");
        assert!(sent.contains(&format!(r#""text":"{content}""#)), "{sent}");
        let received = Tool::from_definition_text(&Profile::default(), &text_tool("{}").definition_text_for(OLD).unwrap()).unwrap();
        assert!(received.receive_result_text(OLD, &sent).unwrap().contains(&format!(r#""structuredContent":{content}"#)));
        assert!(text_tool(r#"{"items": {"maximum": 1E2}}"#).definition_text_for(OLD).unwrap().contains("1E2"));
        let javascript = tool_with(&Profile::default().mirror_numbers(MirrorNumbers::JavaScript), json!({}));
        let written = if exact { "[1,100,18446744073709552000,null]" } else { "[1,100,18446744073709552000]" };
        assert!(javascript.send_result_text(NEW, &result).unwrap().contains(&format!(r#""text":"{written}""#)));
        // What no double holds is never changed: it is refused, or kept.
        let huge = text_tool("{}").send_result_text(NEW, r#"{"structuredContent": 1e400}"#);
        assert_eq!(huge.is_ok_and(|sent| sent.contains(r#""text":"1e400""#)), exact);
    }

    "schema.ts, ElicitResult": "a form's values are texts, numbers, booleans and arrays of texts" =>
    fn values_of_forms_have_types() {
        let form = ElicitationSchema::new(json!({"type": "object", "properties": {"a": {"type": "string"}}})).unwrap();
        let accepts = |content: Value| form.check_result(&json!({"action": "accept", "content": content})).is_ok();
        assert!(accepts(json!({"a": "x", "more": ["y"]})));
        assert!(!accepts(json!({"a": 1})) && !accepts(json!({"more": {"nested": 1}})) && !accepts(json!({"more": null})));
        assert!(form.check_result(&json!({"action": "decline"})).is_ok());
        assert!(form.check_result(&json!({"action": "accept"})).is_err() && form.check_result(&json!({"action": "ok"})).is_err());
    }

    "client/elicitation, Requested Schema": "a default is one of the choices and within the bounds" =>
    fn defaults_of_forms_fit() {
        let form = |property: Value| ElicitationSchema::new(json!({"type": "object", "properties": {"p": property}, "required": ["p"]}));
        assert!(form(json!({"type": "string", "enum": ["a"], "default": "a"})).is_ok());
        for property in [
            json!({"type": "string", "enum": ["a"], "default": "b"}),
            json!({"type": "integer", "minimum": 3, "default": 2}),
            json!({"type": "string", "maxLength": 1, "default": "ab"}),
            json!({"type": "array", "items": {"type": "string", "enum": ["a"]}, "default": ["b"]}),
        ] {
            assert_eq!(form(property.clone()).unwrap_err().path(), "/properties/p/default", "{property}");
        }
        let filled = form(json!({"type": "string", "default": "x"})).unwrap().fill_content(json!({}));
        assert_eq!(filled, json!({"p": "x"}));
    }

    "client/elicitation of 2025-06-18, 2025-11-25 and 2026-07-28": "the subset differs by version" =>
    fn the_subset_of_forms_differs_by_version() {
        let takes = |version: &str, property: Value| {
            let schema = json!({"type": "object", "properties": {"p": property}});
            ElicitationSchema::for_version(&Profile::default(), version, schema).is_ok()
        };
        let pattern = json!({"type": "string", "title": "Name", "minLength": 3, "maxLength": 50, "pattern": "^[A-Za-z]+$", "format": "email"});
        assert!(takes("2025-11-25", pattern.clone()) && !takes(NEW, pattern.clone()) && !takes("2025-06-18", pattern));
        let titled = json!({"type": "string", "oneOf": [{"const": "a", "title": "A"}]});
        assert!(takes(NEW, titled.clone()) && takes("2025-11-25", titled.clone()) && !takes("2025-06-18", titled));
        assert!(!takes("2025-06-18", json!({"type": "string", "default": "x"})));
        assert!(takes("2025-06-18", json!({"type": "boolean", "default": true})));
        assert!(!takes("2025-03-26", json!({"type": "boolean"})));
    }

    "server/tools, Tool Names": "a name outside of the set is a warning" =>
    fn unusual_names_are_warned_of() {
        let warnings = |name: &str| {
            Tool::from_definition(json!({"name": name, "inputSchema": {"type": "object"}})).unwrap().warnings().len()
        };
        assert_eq!((warnings("admin.tools_list-2"), warnings("a b"), warnings(""), warnings(&"x".repeat(129))), (0, 1, 1, 1));
        let toolbox = Toolbox::default();
        let loaded = toolbox.replace([json!({"name": "a,b", "inputSchema": {"type": "object"}})]);
        assert_eq!((loaded.tools, loaded.warnings.len()), (1, 1));
    }

    "server/tools, Tool": "an output schema of null is none to a lenient profile, and refused otherwise" =>
    fn a_null_output_schema_is_none_to_a_lenient_profile() {
        let definition = json!({"name": "t", "inputSchema": {"type": "object"}, "outputSchema": null, "title": "T"});
        assert!(Tool::from_definition(definition.clone()).is_err());
        let tool = Tool::from_definition_with(&Profile::lenient(), definition).unwrap();
        assert!(tool.output().is_none());
        assert_eq!(tool.definition(), json!({"name": "t", "inputSchema": {"type": "object"}, "title": "T"}));
    }

    "server/tools, Error Handling": "texts of errors name no items of Rust" =>
    fn texts_name_no_items_of_rust() {
        let sampling = Sampling::new(Profile::default(), &json!({})).unwrap_err().to_string();
        let header = Headers::new(&json!({"x-mcp-header": 1})).unwrap_err().to_string();
        let form = ElicitationSchema::new(json!({})).unwrap_err().to_string();
        let result = number_tool().check_structured(None, false).unwrap_err().to_string();
        let envelope = legacy::wrap_schema(&json!({
            "$schema": Dialect::Draft201909.uri(), "items": {"$recursiveRef": "#"}, "$defs": {"a": {"$id": "https://example.com/a"}}
        })).unwrap_err().to_string();
        for text in [sampling, header, form, result, envelope] {
            assert!(!text.contains("::"), "{text}");
        }
    }

    "server/tools, Error Handling": "a default that does not fit does not drop the others" =>
    fn one_bad_default_leaves_the_others() {
        let input = InputSchema::new(json!({
            "type": "object",
            "properties": {"a": {"default": 1}, "b": {"default": 2}, "c": {"default": 3}},
            "dependentRequired": {"b": ["x"]}
        })).unwrap();
        let filled = input.fill_defaults(json!({})).unwrap();
        assert_eq!((filled.arguments, filled.is_complete), (json!({"a": 1, "c": 3}), true));
    }

    "JSON Schema, core, §8": "what looks like a default in data is none" =>
    fn defaults_are_not_read_from_data() {
        let input = InputSchema::new(json!({
            "type": "object",
            "properties": {"p": {"$ref": "#a"}},
            "examples": [{"$anchor": "a", "default": "wrong"}],
            "$defs": {"a": {"$anchor": "a", "default": "right"}}
        })).unwrap();
        assert_eq!(input.fill_defaults(json!({})).unwrap().arguments, json!({"p": "right"}));
        let input = InputSchema::new(json!({"type": "object", "properties": {"p": {"$recursiveRef": "#"}, "n": {"default": 1}}})).unwrap();
        assert_eq!(input.fill_defaults(json!({"p": {}})).unwrap().arguments, json!({"p": {}, "n": 1}));
    }

    "server/tools, Tool Result": "a mirror that is too long is an error, since it would not arrive" =>
    fn a_mirror_is_bounded() {
        let tool = tool_with(&Profile::default().mirror_bytes(10), json!({"type": "string"}));
        assert!(tool.send_result(NEW, json!({"structuredContent": "short"})).is_ok());
        let error = tool.send_result(NEW, json!({"structuredContent": "longer than ten"})).unwrap_err();
        assert!(error.to_string().contains("more than 10 bytes"), "{error}");
        assert!(tool.send_result_text(NEW, r#"{"structuredContent": "longer than ten"}"#).is_err());
    }

    "SEP-2663, Task": "the result of a finished task is checked, mirrored and wrapped" =>
    fn results_of_tasks_are_results() {
        // What `tasks/get` brings as `result` has the form of the call's own result.
        let result = json!({"content": [], "structuredContent": 3});
        assert_eq!(number_tool().send_result(OLD, result.clone()).unwrap()["structuredContent"], json!({"result": 3}));
        assert!(number_tool().send_result(NEW, json!({"structuredContent": "no"})).is_err());
        assert!(number_tool().receive_result(NEW, json!({"structuredContent": "no"})).is_err());
    }

    "server/prompts, Error Handling": "arguments of a prompt are texts, and those that are required are there" =>
    fn arguments_of_prompts_are_checked() {
        let prompt = Prompt::from_definition(&json!({"name": "p", "arguments": [{"name": "a", "required": true}, {"name": "b"}]})).unwrap();
        assert!(prompt.check_arguments(Some(&json!({"a": "x"}))).is_ok());
        for arguments in [None, Some(json!({"b": "x"})), Some(json!({"a": 1})), Some(json!([]))] {
            assert_eq!(prompt.check_arguments(arguments.as_ref()).unwrap_err().to_error()["code"], -32602);
        }
        assert_eq!(prompt.undeclared(&json!({"a": "", "c": ""})), ["c"]);
    }

    "basic/transports/streamable-http, Server Validation": "Mcp-Method and Mcp-Name say what the body says" =>
    fn standard_headers_say_what_the_body_says() {
        let request = json!({"method": "tools/call", "params": {"name": "naïve", "_meta": {"io.modelcontextprotocol/protocolVersion": NEW}}});
        let check = |method: Option<&'static str>, name: Option<&'static str>, version: Option<&'static str>| {
            header::check_request(&request, move |header| match header {
                "Mcp-Method" => method,
                "Mcp-Name" => name,
                _ => version,
            })
        };
        assert!(check(Some("tools/call"), Some("=?base64?bmHDr3Zl?="), Some(NEW)).is_ok());
        assert!(check(Some("tools/call"), Some("naïve"), Some(NEW)).is_err());
        assert!(check(Some("tools/list"), Some("=?base64?bmHDr3Zl?="), Some(NEW)).is_err());
        assert!(check(None, Some("=?base64?bmHDr3Zl?="), Some(NEW)).is_err());
        assert!(check(Some("tools/call"), None, Some(NEW)).is_err());
        assert!(check(Some("tools/call"), Some("=?base64?bmHDr3Zl?="), Some(OLD)).is_err());
        assert_eq!(check(None, None, None).unwrap_err().to_error()["code"], -32020);
    }

    "basic/index, _meta": "the version is that of the request, and its absence is visible" =>
    fn the_version_is_that_of_the_request() {
        let request = json!({"params": {"_meta": {"io.modelcontextprotocol/protocolVersion": NEW}}});
        assert_eq!(ProtocolVersion::of_request(&request).as_str(), Some(NEW));
        assert_eq!(ProtocolVersion::of_request(&request["params"]).as_str(), Some(NEW));
        assert_eq!(ProtocolVersion::of_request(&json!({"params": {"protocolVersion": OLD}})).as_str(), Some(OLD));
        assert!(ProtocolVersion::of_request(&json!({})).is_absent() && ProtocolVersion::ABSENT.is_legacy());
    }

    "server/tools, List Changed Notification; server/utilities/pagination": "lists come by pages, and change" =>
    fn lists_come_by_pages_and_change() {
        let definition = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
        let toolbox = Toolbox::default();
        assert!(toolbox.replace([definition("a")]).is_changed);
        assert!(!toolbox.replace([definition("a")]).is_changed);
        assert_eq!(toolbox.extend([definition("b")]).tools, 2);
        assert!(!toolbox.is_stale() && toolbox.notice(&json!({"method": "notifications/tools/list_changed"})) && toolbox.is_stale());
        toolbox.replace([definition("a")]);
        assert!(!toolbox.is_stale() && toolbox.len() == 1);
    }

    "client/sampling, Tool Use and Result Balance": "calls and results in sampling belong together, and arguments conform" =>
    fn calls_and_results_in_sampling_belong_together() {
        let call = |id: &str, city: Value| json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "w", "input": {"city": city}}]});
        let result = |id: &str| json!({"role": "user", "content": [{"type": "tool_result", "toolUseId": id, "content": []}]});
        let text = json!({"role": "user", "content": {"type": "text", "text": "hi"}});
        let tools = json!([{"name": "w", "inputSchema": {"type": "object", "properties": {"city": {"type": "string"}}}}]);
        let check = |messages: Value| Sampling::new(Profile::default(), &json!({"messages": messages, "tools": tools})).map(|read| read.0);
        assert!(check(json!([text, call("1", json!("Paris")), result("1")])).is_ok());
        assert!(check(json!([call("1", json!("Paris")), text])).is_err());
        assert!(check(json!([text, result("1")])).is_err());
        assert!(check(json!([call("1", json!(1)), result("1")])).is_err());
        let mixed = json!({"role": "user", "content": [{"type": "tool_result", "toolUseId": "1", "content": []}, {"type": "text", "text": "x"}]});
        assert!(check(json!([call("1", json!("Paris")), mixed])).is_err());
        let sampling = check(json!([text])).unwrap();
        assert!(sampling.check_result(&call("2", json!("Rome"))).is_ok() && sampling.check_result(&call("2", json!(2))).is_err());
    }

    "basic/index, $ref Resolution": "references leave the document only into what was handed over" =>
    fn references_lead_only_to_what_was_handed_over() {
        let schema = json!({"type": "object", "properties": {"a": {"$ref": "https://example.com/a"}}});
        assert!(InputSchema::new(schema.clone()).is_err());
        let profile = Profile::default().references(References::Bundled);
        assert!(InputSchema::with(&profile, schema.clone()).is_err());
        let input = InputSchema::with(&profile.resource("https://example.com/a", &json!({"type": "string"})), schema).unwrap();
        assert!(input.validate_arguments(&json!({"a": "x"})).is_ok() && input.validate_arguments(&json!({"a": 1})).is_err());
    }

    "bindings": "profiles and boxes come from JSON and go to JSON" =>
    fn profiles_and_boxes_have_a_form_in_json() {
        for sdk in stanchion_mcp::Sdk::ALL {
            let json = sdk.profile().to_json();
            assert_eq!(Profile::from_json(&json).unwrap().to_json(), json, "{sdk:?}");
            assert_eq!(Profile::from_json(&json!({"preset": sdk.name()})).unwrap().to_json(), json);
        }
        let (toolbox, _) = Toolbox::from_json_text(r#"{"tools":[{"name":"t","inputSchema":{"type":"object","x":1.0}}]}"#).unwrap();
        let text = toolbox.to_json_text();
        assert_eq!(Toolbox::from_json_text(&text).unwrap().0.to_json_text(), text);
        assert!(Profile::from_json(&json!({"limits": {"steps": -1}})).is_err());

        // All limits have camelCase names, and no other name is taken.
        let limits = Profile::default().to_json()["limits"].as_object().unwrap().clone();
        assert_eq!(limits.len(), stanchion_mcp::stanchion::Limits::default().values().count());
        for (name, value) in limits {
            let other = json!({"limits": {&name: value.as_u64().unwrap() - 1}});
            let chosen = Profile::from_json(&other).unwrap().to_json();
            assert_eq!(chosen["limits"][&name], other["limits"][&name]);
            let snake: String = name.chars().flat_map(|letter| {
                let underscore = letter.is_uppercase().then_some('_');
                underscore.into_iter().chain(letter.to_lowercase())
            }).collect();
            assert_eq!(Profile::from_json(&json!({"limits": {&snake: 1}})).is_ok(), snake == name, "{snake}");
        }
        let error = Profile::from_json(&json!({"limits": {"pattern_size": 1}})).unwrap_err().to_string();
        assert!(error.starts_with("/limits/pattern_size: unknown limit; there are ") && error.contains("\"patternSize\""), "{error}");

        // A choice of the preset can be taken back, and the builder has what was chosen.
        let profile = Profile::from_json(&json!({
            "preset": "python", "unknownDialect": null, "dialect": "draft-07", "references": "bundled",
            "resources": {"https://example.com/a": {"type": "string"}},
            "assertFormats": true, "ignoreFormats": ["date"], "messages": {"maskValues": true}
        })).unwrap();
        assert_eq!(Profile::from_json(&profile.to_json()).unwrap().to_json(), profile.to_json());
        let builder = profile.builder();
        assert!(builder.build(&json!({"$schema": "https://example.com/unknown"})).is_err());
        let validator = builder.build(&json!({"items": [
            {"$ref": "https://example.com/a"}, {"format": "date"}, {"format": "time"}
        ]})).unwrap();
        assert!(validator.is_valid(&json!(["a", "no date"])));
        assert!(!validator.is_valid(&json!([1])) && !validator.is_valid(&json!(["a", "", "no time"])));
    }
}

/// Statements whose tests need rmcp, or random values.
const ELSEWHERE: &[(&str, &str, &str)] = &[
    (
        "the result of a finished task goes through the layer's checks, too",
        "SEP-2663, Task",
        "results_of_finished_tasks_are_checked_mirrored_and_wrapped",
    ),
    (
        "of lists that were asked for at once, an older one never wins",
        "server/tools, List Changed Notification",
        "of_refreshes_at_once_an_older_list_never_wins",
    ),
    (
        "a call is answered, also if a check panics",
        "basic/index, Responses",
        "a_panicking_format_still_answers_the_call",
    ),
    (
        "a call is answered, also if its result is too large to be sent",
        "basic/index, Responses",
        "a_result_that_would_not_arrive_is_an_error",
    ),
    (
        "a list of as many tools as are allowed is compiled once",
        "server/tools, Listing Tools",
        "a_list_of_as_many_tools_as_are_allowed_is_compiled_once",
    ),
    (
        "an envelope accepts a wrapped value exactly if the schema accepts the value",
        "SEP-2106, older clients",
        "a_wrapped_schema_accepts_a_wrapped_value_exactly_if_the_schema_accepts_the_value",
    ),
    (
        "what was wrapped is unwrapped, with its order and digits",
        "SEP-2106, older clients",
        "unwrapping_gives_a_value_back_with_its_order_and_digits",
    ),
    (
        "filling defaults overwrites nothing, is idempotent, and leaves a valid call valid",
        "JSON Schema, validation, §9.2",
        "filling_defaults_overwrites_nothing_is_idempotent_and_leaves_a_valid_call_valid",
    ),
];

/// The table in the README has every statement with its test.
#[test]
fn the_table_in_the_readme_is_this_file() {
    let sources = [
        include_str!("../rmcp.rs"),
        include_str!("random.rs"),
        include_str!("../../src/rmcp/definitions.rs"),
    ];
    for (_, _, test) in ELSEWHERE {
        let is_there = sources.iter().any(|source| source.contains(&format!("fn {test}()")));
        assert!(is_there, "{test} is the test of a statement, and is not there");
    }
    let row =
        |(statement, place, test): &(&str, &str, &str)| format!("| {statement} | {place} | `{test}` |\n");
    let table: String = TABLE.iter().chain(ELSEWHERE).map(row).collect();
    let table = format!("| statement | where the specification says it | test |\n|---|---|---|\n{table}");
    crate::shared::check_readme("statements", &table);
}
