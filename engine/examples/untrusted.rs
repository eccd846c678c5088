//! Refuses schemas that are too large or point outside their document, and ends runs that take too long.
//!
//! ```sh
//! cargo run -p stanchion --example untrusted
//! ```

use serde_json::{Value, json};
use stanchion::{Limits, SchemaError, Validator, Verdict};

fn main() -> Result<(), SchemaError> {
    // Nothing is fetched. A schema that wants something from elsewhere is refused.
    let foreign = Validator::new(&json!({"$ref": "https://example.com/schema.json"}));
    println!("{}", foreign.err().map(|error| error.to_string()).unwrap_or_default());

    // A bound is known before anything runs.
    let validator = Validator::builder()
        .limits(Limits::default().steps(1_000).steps_per_value(0))
        .build(&json!({"items": {"uniqueItems": true}}))?;
    println!("100 values in 1,000 bytes take at most {} steps", validator.cost().steps(100, 1_000));

    // What ends a run is neither valid nor invalid.
    let rows: Vec<Value> = (0..2_000).map(|row| json!([row, [row], {"a": row}])).collect();
    match validator.verdict(&Value::from(rows)) {
        Verdict::Valid => println!("valid"),
        Verdict::Invalid => println!("invalid"),
        Verdict::Undecided(exhausted) => println!("undecided: {exhausted}"),
    }
    Ok(())
}
