//! Prints what to answer a language model whose tool call does not fit the tool's schema.
//!
//! ```sh
//! cargo run -p stanchion --example for_model
//! ```

use serde_json::json;
use stanchion::{SchemaError, Validator};

fn main() -> Result<(), SchemaError> {
    let validator = Validator::new(&json!({
        "type": "object",
        "properties": {
            "query": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "limit": {"type": "integer", "minimum": 1}
        },
        "required": ["query"]
    }))?;
    let call = json!({"query": "weather", "tags": "[\"italy\", \"turin\"]", "limit": "5"});

    // At most 500 characters: the errors, what to do about them, and what a right value looks like.
    println!("{}", validator.iter_errors(&call).for_model(500));
    Ok(())
}
