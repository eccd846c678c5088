//! Profiles by SDK: a row for each choice, a column for each SDK. The table in the README is made of what the profiles do here.

use serde_json::{Value, json};
use stanchion_mcp::stanchion::Dialect;
use stanchion_mcp::{InputSchema, OutputSchema, Profile, Sdk, Tool};

/// A question to a profile, and the answer of each SDK in the order of [`Sdk::ALL`].
struct Row {
    question: &'static str,
    ask: fn(&Profile) -> String,
    answers: [&'static str; 6],
}

fn yes(answer: bool) -> String {
    if answer { "yes" } else { "no" }.to_owned()
}

fn tool(profile: &Profile, output: Value) -> Tool {
    let input = json!({"type": "object", "properties": {"n": {"type": "integer"}, "s": {"type": "string"}}});
    Tool::from_definition_with(profile, json!({"name": "t", "inputSchema": input, "outputSchema": output}))
        .unwrap()
}

fn dialect(profile: &Profile, uri: &str) -> String {
    match InputSchema::with(profile, json!({"$schema": uri, "type": "object", "minProperties": 1})) {
        Ok(_) => "read".to_owned(),
        Err(refusal) if refusal.to_string().contains("2020-12, 2019-09, draft-07, and draft-06") => {
            "refused, with its list".to_owned()
        }
        Err(_) => "refused".to_owned(),
    }
}

fn mirror(profile: &Profile, structured: Value) -> String {
    let any = json!({"anyOf": [{}]});
    let sent = tool(profile, any)
        .send_result("2026-07-28", json!({"structuredContent": structured}))
        .unwrap_or_default();
    sent["content"][0]["text"].as_str().map_or_else(|| "none".to_owned(), |text| format!("`{text}`"))
}

fn first_line(text: &str) -> String {
    format!("`{}`", text.lines().next().unwrap_or_default())
}

const ROWS: &[Row] = &[
    Row {
        question: "formats are asserted",
        ask: |profile| {
            let input = InputSchema::with(
                profile,
                json!({"type": "object", "properties": {"a": {"format": "ipv4"}}}),
            )
            .unwrap();
            yes(input.validate_arguments(&json!({"a": "x"})).is_err())
        },
        answers: ["yes", "no", "no", "no", "no", "no"],
    },
    Row {
        question: "draft-04",
        ask: |profile| dialect(profile, Dialect::Draft04.uri()),
        answers: ["refused, with its list", "read", "read", "read", "read", "read"],
    },
    Row {
        question: "a dialect that nobody knows",
        ask: |profile| dialect(profile, "https://example.com/dialect"),
        answers: ["refused, with its list", "read", "read", "refused", "read", "refused"],
    },
    Row {
        question: "`$schema` at the root is ignored",
        ask: |profile| {
            let schema = json!({"$schema": Dialect::Draft07.uri(), "type": "object", "$ref": "#/$defs/a", "minProperties": 1, "$defs": {"a": {}}});
            let input = InputSchema::with(profile, schema).unwrap();
            yes(input.validate_arguments(&json!({})).is_err())
        },
        answers: ["no", "no", "yes", "no", "no", "no"],
    },
    Row {
        question: "an input schema without `type`",
        ask: |profile| {
            if InputSchema::with(profile, json!({})).is_ok() { "is of an object" } else { "refused" }
                .to_owned()
        },
        answers: ["is of an object", "refused", "is of an object", "refused", "refused", "refused"],
    },
    Row {
        question: "an output schema without `type` is stamped",
        ask: |profile| {
            yes(OutputSchema::with(profile, json!({"properties": {}})).unwrap().schema()["type"] == "object")
        },
        answers: ["no", "no", "yes", "no", "no", "no"],
    },
    Row {
        question: "40 levels of `properties`",
        ask: |profile| {
            let schema = (0..40).fold(json!({}), |inner, _| json!({"properties": {"a": inner}}));
            let refusal = OutputSchema::with(profile, schema).err().map(|refusal| refusal.to_string());
            refusal.map_or_else(
                || "within bounds".to_owned(),
                |text| {
                    if text.contains("maximum depth") { "beyond the maximum depth" } else { "refused" }
                        .to_owned()
                },
            )
        },
        answers: [
            "within bounds",
            "within bounds",
            "beyond the maximum depth",
            "within bounds",
            "within bounds",
            "within bounds",
        ],
    },
    Row {
        question: "the mirror of `[1.0]`",
        ask: |profile| mirror(profile, json!([1.0])),
        answers: ["`[1]`", "`[1.0]`", "`[1.0]`", "none", "`[1.0]`", "`[1.0]`"],
    },
    Row {
        question: "the mirror of `{}`",
        ask: |profile| mirror(profile, json!({})),
        answers: ["none", "`{}`", "none", "none", "`{}`", "`{}`"],
    },
    Row {
        question: "`null` is structured content",
        ask: |profile| yes(tool(profile, json!({})).check_structured(Some(&Value::Null), false).is_ok()),
        answers: ["yes", "no", "no", "yes", "no", "yes"],
    },
    Row {
        question: "`\"arguments\": null` is `{}`",
        ask: |profile| yes(tool(profile, json!({})).check_call(Some(&Value::Null)).is_ok()),
        answers: ["no", "no", "yes", "no", "no", "yes"],
    },
    Row {
        question: "`[\"object\", \"null\"]` to older clients",
        ask: |profile| {
            let schema = json!({"$schema": Dialect::Draft202012.uri(), "type": ["object", "null"]});
            let output = OutputSchema::with(profile, schema).unwrap();
            if output.is_wrapped_for("2025-11-25") { "in the envelope" } else { "as an object" }.to_owned()
        },
        answers: [
            "in the envelope",
            "in the envelope",
            "in the envelope",
            "as an object",
            "in the envelope",
            "in the envelope",
        ],
    },
    Row {
        question: "`$schema` is repeated in the envelope",
        ask: |profile| {
            let output = OutputSchema::with(profile, json!({"$schema": Dialect::Draft202012.uri()})).unwrap();
            yes(output.schema_for("2025-11-25").unwrap().get("$schema").is_some()
                && !output.schema()["type"].is_string())
        },
        answers: ["yes", "yes", "no", "no", "yes", "yes"],
    },
    Row {
        question: "errors that are reported",
        ask: |profile| {
            let error = tool(profile, json!({}))
                .check_call(Some(&json!({"n": "x", "s": 1})))
                .unwrap_err()
                .to_string();
            if error.contains("/n") && error.contains("/s") { "all" } else { "the best" }.to_owned()
        },
        answers: ["all", "the best", "all", "all", "all", "the best"],
    },
    Row {
        question: "bad arguments begin with",
        ask: |profile| {
            first_line(
                &tool(profile, json!({})).check_call(Some(&json!({"n": "x"}))).unwrap_err().to_string(),
            )
        },
        answers: [
            "`Input validation error: Invalid arguments for tool t:`",
            "`Input validation error:`",
            "`Invalid arguments:`",
            "`The arguments do not conform to the tool's input schema:`",
            "`Validation failed: the arguments do not match the input schema. JSON schema validation errors:`",
            "`validating \"arguments\":`",
        ],
    },
    Row {
        question: "bad results begin with",
        ask: |profile| {
            first_line(
                &tool(profile, json!({"type": "integer"}))
                    .check_structured(Some(&json!("x")), false)
                    .unwrap_err()
                    .to_string(),
            )
        },
        answers: [
            "`Output validation error: Invalid structured content for tool t:`",
            "`Invalid structured content returned by tool t:`",
            "`Invalid result:`",
            "`The structured content does not conform to the tool's output schema:`",
            "`Validation failed: structuredContent does not match the outputSchema. JSON schema validation errors:`",
            "`validating tool output:`",
        ],
    },
    Row {
        question: "a wrong type says `want \"integer\"`",
        ask: |profile| {
            let error = tool(profile, json!({})).check_call(Some(&json!({"n": "x"}))).unwrap_err();
            yes(error.to_string().contains("want \"integer\""))
        },
        answers: ["no", "no", "no", "no", "no", "yes"],
    },
    Row {
        question: "a reference out of the schema is refused with",
        ask: |profile| {
            let definition =
                json!({"name": "t", "inputSchema": {"type": "object", "allOf": [{"$ref": "other.json"}]}});
            let text = Tool::from_definition_with(profile, definition).unwrap_err().to_string();
            let words = ["same-document", "Invalid schema for tool t", "Tool 't'", "other.json"];
            words
                .iter()
                .find(|word| text.contains(**word))
                .map_or_else(|| text.clone(), |word| format!("`{word}`"))
        },
        answers: [
            "`other.json`",
            "`Invalid schema for tool t`",
            "`same-document`",
            "`other.json`",
            "`Tool 't'`",
            "`other.json`",
        ],
    },
];

#[test]
fn every_cell_of_the_table_is_what_the_profile_does() {
    for row in ROWS {
        for (sdk, expected) in Sdk::ALL.into_iter().zip(row.answers) {
            assert_eq!((row.ask)(&sdk.profile()), expected, "{sdk:?}: {}", row.question);
        }
    }
}

#[test]
fn the_table_in_the_readme_is_this_one() {
    let line = |row: &Row| format!("| {} | {} |\n", row.question, row.answers.join(" | "));
    let rows: String = ROWS.iter().map(line).collect();
    let head = "| | TypeScript 2.4 | Python 2.3 | Ruby 1.3 | C# 2.2 | Java 2.1 | Go 1.7 |\n|---|---|---|---|---|---|---|\n";
    crate::shared::check_readme("presets", &format!("{head}{rows}"));
}
