//! Laws that hold for any input, for fuzz targets and their findings.

use serde_json::{Map, Value};
use stanchion::{Array as _, Node, Number, Object as _, Reader, View};

/// Checks that text is read as `serde_json` reads it: the same value, or a refusal at the same
/// place for the same reason.
///
/// # Errors
///
/// A description of the difference.
pub fn text(text: &[u8]) -> Result<(), String> {
    let mut reader = Reader::new();
    match (reader.parse(text), serde_json::from_slice::<Value>(text)) {
        (Ok(instance), Ok(value)) => {
            let (read, value) = (to_value(instance.root())?, to_value(&value)?);
            if read == value { Ok(()) } else { Err(format!("read as {read}, and not as {value}")) }
        }
        (Err(ours), Err(theirs)) if ours.to_string() == theirs.to_string() => Ok(()),
        (Err(ours), Err(theirs)) => Err(format!("refused as {ours}, and not as {theirs}")),
        (Ok(_), Err(error)) => Err(format!("taken, and not refused as {error}")),
        (Err(error), Ok(_)) => Err(format!("refused as {error}, and not taken")),
    }
}

/// Converts a node to a value. Numbers become doubles, since representations differ in how many
/// digits they keep.
fn to_value<'a>(node: impl Node<'a>) -> Result<Value, String> {
    Ok(match node.view() {
        View::Null => Value::Null,
        View::Bool(value) => value.into(),
        View::Number(Number::Unsigned(value)) => (value as f64).into(),
        View::Number(Number::Signed(value)) => (value as f64).into(),
        View::Number(Number::Float(value)) => value.into(),
        View::Number(Number::Exact(number)) => number.to_string().parse::<f64>().ok().into(),
        View::String(text) => text.into(),
        View::Array(items) => {
            let values = items.iter().map(to_value).collect::<Result<Vec<Value>, String>>()?;
            if items.len() != values.len() {
                return Err(format!("an array of {} says that it has {} items", values.len(), items.len()));
            }
            values.into()
        }
        View::Object(members) => {
            let mut values = Map::new();
            for (name, value) in members.iter() {
                values.insert(name.to_owned(), to_value(value)?);
            }
            if members.len() != values.len() {
                return Err(format!(
                    "an object of {} says that it has {} members",
                    values.len(),
                    members.len()
                ));
            }
            values.into()
        }
    })
}
