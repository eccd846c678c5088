//! The tools of published servers, all in one box. They lie beside the workspace and not in it.

use crate::shared::shared;
use serde_json::{Map, Value, json};
use stanchion_mcp::{OutputSchema, Profile, Toolbox, legacy};

/// Returns the definitions, under names that are unique over all servers.
fn definitions() -> Option<Vec<Value>> {
    let text = shared("corpus/mcp-tools.jsonl")?;
    let definition = |line: &str| {
        let mut tool: Map<String, Value> = serde_json::from_str(line).expect("a tool");
        let (server, name) = (tool.remove("server"), tool.remove("tool"));
        let name = format!("{}/{}", server.unwrap_or_default(), name.unwrap_or_default());
        tool.insert("name".to_owned(), name.into());
        Value::Object(tool)
    };
    Some(text.lines().map(definition).collect())
}

#[test]
fn all_tools_of_published_servers_load_into_one_box() {
    let Some(definitions) = definitions() else { return };
    assert!(definitions.len() > 1_300, "{}", definitions.len());
    let toolbox = Toolbox::new(Profile::lenient());
    let loaded = toolbox.replace(definitions.clone());
    let refused: Vec<String> = loaded.refused.iter().map(ToString::to_string).collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
    assert_eq!((loaded.tools, loaded.unchanged), (definitions.len(), 0));
    let again = toolbox.replace(definitions.clone());
    assert_eq!(again.unchanged, definitions.len());
    // By the letter, nine lack a type and two have an array for `items`.
    let strict = Toolbox::default().replace(definitions);
    assert_eq!(strict.refused.len(), 11);
}

#[test]
fn defaults_of_published_tools_fit_or_are_left_out() {
    let Some(definitions) = definitions() else { return };
    let toolbox = Toolbox::new(Profile::lenient());
    toolbox.replace(definitions);
    let (mut filled, mut places) = (0, 0);
    for tool in toolbox.tools() {
        let Ok(result) = tool.fill_call(None) else { continue };
        assert!(tool.check_call(Some(&result.arguments)).is_ok(), "{}", tool.name());
        assert!(result.is_complete, "{}", tool.name());
        filled += 1;
        places += result.places.len();
    }
    assert!(filled > 100 && places > 100, "{filled} calls filled at {places} places");
}

#[test]
fn envelopes_of_published_schemas_mean_the_same() {
    let Some(definitions) = definitions() else { return };
    let toolbox = Toolbox::new(Profile::lenient());
    toolbox.replace(definitions);
    let mut valid = 0;
    for tool in toolbox.tools() {
        // What tools take is as good a schema as what they give, and there is more of it.
        let natural = tool.input();
        let wrapped = OutputSchema::with(&Profile::lenient(), legacy::wrap_schema(natural.schema()).unwrap());
        let wrapped = wrapped.unwrap_or_else(|refusal| panic!("{}: {refusal}", tool.name()));
        for instance in instances(natural.schema()) {
            let is_valid = natural.validate_arguments(&instance).is_ok();
            let enveloped = legacy::wrap_value(instance);
            let is_same = wrapped.validate_structured_content(&enveloped).is_ok() == is_valid;
            assert!(is_same, "{}: {enveloped}", tool.name());
            valid += usize::from(is_valid);
        }
    }
    assert!(valid > 500, "{valid} valid instances");
}

/// Nothing, and every property with a value of one type, for each type.
fn instances(schema: &Value) -> Vec<Value> {
    let properties = schema["properties"].as_object().cloned().unwrap_or_default();
    let all = |value: Value| properties.keys().map(|name| (name.clone(), value.clone())).collect::<Value>();
    vec![json!({}), all(json!("x")), all(json!(1)), all(json!(true)), all(json!([])), all(json!({}))]
}
