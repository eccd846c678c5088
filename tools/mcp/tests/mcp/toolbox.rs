//! Many tools: each stands for itself, lists are replaced, threads share.

use serde_json::{Value, json};
use stanchion_mcp::{CallError, Compiler, Profile, TOOLS, Tool, ToolFault, Toolbox};
use std::thread;

fn definition(name: &str, property: &str) -> Value {
    json!({
        "name": name,
        "description": "A tool.",
        "inputSchema": {"type": "object", "required": [property]},
        "outputSchema": {"type": "object", "properties": {property: {"type": "integer"}}}
    })
}

#[test]
fn one_bad_tool_is_reported_and_the_others_work() {
    let toolbox = Toolbox::default();
    let loaded = toolbox.replace([
        definition("first", "a"),
        json!({"name": "bad", "inputSchema": {"type": "object", "properties": {"x": {"type": "strnig"}}}}),
        json!("no definition"),
        json!({"name": "outside", "inputSchema": {"type": "object"}, "outputSchema": {"$ref": "file:///etc/passwd"}}),
        definition("last", "b"),
        definition("first", "c"),
    ]);
    assert_eq!(loaded.tools, 2);
    let refused: Vec<(Option<&str>, Option<usize>)> =
        loaded.refused.iter().map(|refused| (refused.name(), refused.index())).collect();
    assert_eq!(
        refused,
        [(Some("bad"), Some(1)), (None, Some(2)), (Some("outside"), Some(3)), (Some("first"), Some(5))]
    );
    assert!(loaded.refused[0].to_string().starts_with("tool \"bad\": inputSchema: /properties/x/type: "));
    assert_eq!(loaded.refused[1].to_string(), "tool 2: /: expected an object, found \"no definition\"");
    assert!(matches!(loaded.refused[3].fault(), ToolFault::Duplicate));

    let names: Vec<String> = toolbox.tools().iter().map(|tool| tool.name().to_owned()).collect();
    assert_eq!(names, ["first", "last"]);
    assert!(toolbox.check_call("first", Some(&json!({"a": 1}))).is_ok());
    assert!(toolbox.check_call("last", Some(&json!({"a": 1}))).is_err());
    assert!(toolbox.get("bad").is_none());
    assert!(toolbox.refused("bad").is_some() && toolbox.refused("first").is_none());
}

/// In the text of a list, schemas nest deeper than in texts of their own.
#[test]
fn a_deep_tool_does_not_hide_the_others() {
    let tool = |name: &str, levels: usize, inner: &str| {
        let (open, close) = (r#"{"allOf": ["#.repeat(levels), "]}".repeat(levels));
        format!(
            r#"{{"name": "{name}", "inputSchema": {{"type": "object", "allOf": [{open}{inner}{close}]}}}}"#
        )
    };
    let list = [
        tool("deep", 62, "true"),
        tool("deeper", 64, "true"),
        tool("deepest", 100_000, "true"),
        tool("broken", 62, "{]"),
        tool("flat", 1, "true"),
    ]
    .join(",");
    let toolbox = Toolbox::default();
    for text in [format!("[{list}]"), format!(r#"{{"tools": [{list}], "nextCursor": "1"}}"#)] {
        let loaded = toolbox.replace_text(&text).unwrap();
        let refused: Vec<Option<usize>> = loaded.refused.iter().map(|refused| refused.index()).collect();
        assert_eq!((loaded.tools, refused), (2, vec![Some(1), Some(2), Some(3)]), "{loaded:?}");
        assert!(toolbox.check_call("deep", None).is_ok() && toolbox.check_call("flat", None).is_ok());
    }
    let (toolbox, loaded) = Toolbox::from_json_text(&format!(r#"{{"tools": [{list}]}}"#)).unwrap();
    assert_eq!(loaded.tools, 2);
    assert_eq!(toolbox.extend_text(&format!("[{}]", tool("more", 62, "true"))).unwrap().tools, 3);
    let (again, loaded) = Toolbox::from_json_text(&toolbox.to_json_text()).unwrap();
    assert_eq!((loaded.tools, again.tools().len()), (3, 3));
    // What is around the definitions has to be JSON.
    for text in [format!("[{list}"), format!("[{list},,{{}}]"), format!(r#"{{"tools": [{list}], x}}"#)] {
        assert_eq!(toolbox.replace_text(&text).unwrap_err().kind(), "json");
    }
}

/// Names are compared by a table: this would take minutes otherwise.
#[test]
fn many_members_are_no_matter() {
    let members: Vec<String> = (0..200_000).map(|index| format!(r#""member {index}": 1"#)).collect();
    let toolbox = Toolbox::default();
    toolbox.replace_text(r#"[{"name": "t", "inputSchema": {"type": "object"}}]"#).unwrap();
    let params = format!(r#"{{"name": "t", {}}}"#, members.join(", "));
    assert!(toolbox.check_call_text(&params, "2025-11-25").is_ok());
}

#[test]
fn a_tool_that_is_not_there_is_a_malformed_request() {
    let error = Toolbox::default().check_call("nobody", None).unwrap_err();
    let CallError::Malformed(malformed) = error else { panic!("{error:?}") };
    assert_eq!(malformed.to_error(), json!({"code": -32602, "message": "unknown tool \"nobody\""}));
}

#[test]
fn replacing_a_list_compiles_what_changed() {
    let toolbox = Toolbox::new(Profile::lenient());
    let shorthand = json!({"name": "short", "inputSchema": {"properties": {}}, "outputSchema": {}});
    let list = [definition("a", "x"), definition("b", "y"), shorthand.clone()];
    assert_eq!(toolbox.replace(list.clone()).unchanged, 0);
    let kept = toolbox.compiler().kept();
    let a = toolbox.get("a").unwrap();

    let loaded = toolbox.replace(list);
    assert_eq!((loaded.tools, loaded.unchanged), (3, 3));
    assert_eq!(toolbox.compiler().kept(), kept);
    assert!(std::ptr::eq(toolbox.get("a").unwrap().input().schema(), a.input().schema()));

    // Another output schema leaves the input schema as it was.
    let mut changed = definition("b", "y");
    changed["outputSchema"] = json!({"type": "array"});
    let b = toolbox.get("b").unwrap();
    let loaded = toolbox.replace([changed, definition("new", "x"), shorthand]);
    assert_eq!((loaded.tools, loaded.unchanged), (3, 1));
    let new = toolbox.get("b").unwrap();
    assert!(std::ptr::eq(new.input().schema(), b.input().schema()));
    assert_eq!(new.output().unwrap().schema(), &json!({"type": "array"}));
    // «new» has the schemas of «a», which the cache still has; only one schema is new.
    assert_eq!(toolbox.compiler().kept(), kept + 1);
    assert!(toolbox.get("a").is_none());
}

#[test]
fn the_same_id_is_not_the_same_schema() {
    let compiler = Compiler::new(Profile::default());
    let schema = |kind: &str| json!({"$id": "https://example.com/s", "type": "object", "additionalProperties": {"type": kind}});
    let (text, number) =
        (compiler.input(schema("string")).unwrap(), compiler.input(schema("number")).unwrap());
    assert!(text.validate_arguments(&json!({"a": "x"})).is_ok());
    assert!(number.validate_arguments(&json!({"a": "x"})).is_err());
    assert_eq!(compiler.kept(), 2);
}

#[test]
fn boxes_share_a_compiler_and_its_bounds() {
    let compiler = Compiler::bounded(Profile::default(), 3, 1 << 20);
    for round in 0..20 {
        let toolbox = Toolbox::sharing(&compiler);
        toolbox.replace([definition("a", "x"), definition("b", &format!("y{round}"))]);
        assert!(toolbox.check_call("b", Some(&json!({format!("y{round}"): 1}))).is_ok());
        assert!(compiler.kept() <= 3);
    }
}

#[test]
fn tools_come_and_go() {
    let toolbox = Toolbox::default();
    toolbox.insert(Tool::from_definition(definition("a", "x")).unwrap()).unwrap();
    toolbox.insert(Tool::from_definition(definition("b", "x")).unwrap()).unwrap();
    toolbox.insert(Tool::from_definition(definition("a", "y")).unwrap()).unwrap();
    assert_eq!(toolbox.len(), 2);
    assert!(toolbox.check_call("a", Some(&json!({"y": 1}))).is_ok());
    assert_eq!(toolbox.remove("a").unwrap().name(), "a");
    assert!(toolbox.remove("a").is_none() && toolbox.get("a").is_none());
    assert_eq!(toolbox.tools().len(), 1);
}

#[test]
fn a_list_is_bounded() {
    let tool = |index: usize| json!({"name": index.to_string(), "inputSchema": {"type": "object"}});
    let toolbox = Toolbox::default();
    let loaded = toolbox.replace((0..).map(tool));
    assert_eq!((loaded.tools, loaded.refused.len()), (TOOLS, 1));
    assert_eq!(loaded.refused[0].to_string(), "tool 10000: the list has more than 10000 tools");
    assert!(toolbox.insert(Tool::from_definition(tool(TOOLS)).unwrap()).is_err());
    assert!(toolbox.insert(Tool::from_definition(tool(1)).unwrap()).is_ok());
}

#[test]
fn definitions_travel_by_version() {
    let definition = json!({
        "name": "t", "title": "T", "inputSchema": {"type": "object"}, "outputSchema": {"type": "array"},
        "annotations": {"readOnlyHint": true}
    });
    let tool = Tool::from_definition(definition.clone()).unwrap();
    assert_eq!(tool.definition_for("2026-07-28").unwrap(), definition);
    let old = tool.definition_for("2025-11-25").unwrap();
    assert_eq!(old["outputSchema"]["properties"]["result"], json!({"type": "array"}));
    assert_eq!((&old["title"], &old["annotations"]), (&definition["title"], &definition["annotations"]));
}

/// While lists are replaced, calls find each tool as one list or the other has it.
#[test]
fn threads_share_a_box() {
    let toolbox = Toolbox::default();
    let list = |property: &str| ["a", "b", "c"].map(|name| definition(name, property));
    toolbox.replace(list("x"));
    thread::scope(|scope| {
        scope.spawn(|| {
            for round in 0..200 {
                toolbox.replace(list(if round % 2 == 0 { "y" } else { "x" }));
            }
        });
        for name in ["a", "b", "c"] {
            let toolbox = &toolbox;
            scope.spawn(move || {
                for _ in 0..500 {
                    let tool = toolbox.get(name).expect("it is always there");
                    let takes = |property: &str| tool.check_call(Some(&json!({property: 1}))).is_ok();
                    assert!(takes("x") != takes("y"));
                }
            });
        }
    });
}
