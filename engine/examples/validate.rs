//! Compiles a schema, validates arguments against it, and prints all that is wrong with them.
//!
//! ```sh
//! cargo run -p stanchion --example validate
//! ```

use serde_json::json;
use stanchion::{SchemaError, Validator};

fn main() -> Result<(), SchemaError> {
    let validator = Validator::new(&json!({
        "type": "object",
        "properties": {
            "city": {"type": "string", "minLength": 1},
            "days": {"type": "integer", "minimum": 1, "maximum": 14}
        },
        "required": ["city"],
        "additionalProperties": false
    }))?;

    for arguments in [json!({"city": "Turin", "days": 3}), json!({"citty": "Turin", "days": 0})] {
        println!("{arguments}");
        if validator.is_valid(&arguments) {
            println!("  valid");
        }
        for error in validator.iter_errors(&arguments) {
            println!("  {error}");
        }
    }
    Ok(())
}
