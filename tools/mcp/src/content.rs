//! The text mirror: structured content that is no object also comes as text, for clients that read text alone.
//!
//! A result has it if any of its blocks is a text; what the block says is the tool's business. What is there is left alone.

use serde_json::{Map, Value, json};

/// Whether a result lacks the mirror: its structured content is there and no object, and `content` has no text.
pub fn needs_mirror(structured: Option<&Value>, has_text: bool) -> bool {
    !has_text && structured.is_some_and(|value| !value.is_object())
}

/// Whether a block of `content` is a text.
pub fn has_text(content: &[Value]) -> bool {
    content.iter().any(|block| block.get("type").is_some_and(|kind| kind == "text"))
}

/// The text block that mirrors a value.
pub fn text_block(value: &Value) -> Value {
    json!({"type": "text", "text": value.to_string()})
}

/// Adds the mirror to a `CallToolResult`, if it lacks one.
///
/// ```
/// use serde_json::json;
/// use stanchion_mcp::content;
///
/// let mut result = json!({"structuredContent": 42});
/// content::add_mirror(result.as_object_mut().unwrap());
/// assert_eq!(result["content"], json!([{"type": "text", "text": "42"}]));
/// ```
pub fn add_mirror(result: &mut Map<String, Value>) {
    let blocks = result.get("content").and_then(Value::as_array);
    let structured = result.get("structuredContent");
    if !needs_mirror(structured, blocks.is_some_and(|blocks| has_text(blocks))) {
        return;
    }
    let block = structured.map(text_block);
    match result.entry("content").or_insert_with(|| json!([])) {
        Value::Array(blocks) => blocks.extend(block),
        // Not a list of blocks: whoever reads the result says so.
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Object(_) => {}
    }
}
