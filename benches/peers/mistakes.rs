//! Invalid instances for sets that have none: their own, made wrong in one place.

use serde_json::{Value, json};

use super::agree::Agreed;

/// So many are enough.
const MOST: usize = 600;

/// So many places are tried in an instance: some changes leave it valid.
const TRIES: usize = 16;

/// For each instance one that is wrong in one place: a value is of another type, or a member is missing, misspelt or added. All
/// validators refuse it.
pub(crate) fn make(agreed: &Agreed) -> Vec<Value> {
    let is_refused = |value: &Value| {
        agreed.validators.iter().all(|(_, validator)| validator.verdict(value) == Some(false))
    };
    let mut wrong = Vec::new();
    for (number, (instance, _)) in agreed.instances.iter().enumerate().take(MOST) {
        let mut places = Vec::new();
        list(&instance.value, String::new(), &mut places);
        let found = (0..TRIES).find_map(|attempt| {
            let number = number * TRIES + attempt;
            // Another place each time: the number is large and prime.
            let (parent, name) = places.get(number * 7919 % places.len().max(1))?;
            let changed = change(&instance.value, parent, name, number % 4)?;
            is_refused(&changed).then_some(changed)
        });
        wrong.extend(found);
    }
    // Parsed like all others, so that they lie in memory like those.
    wrong.into_iter().filter_map(|value| serde_json::from_str(&value.to_string()).ok()).collect()
}

/// All places but the root: a pointer to a container, and the name or index of a child.
fn list(value: &Value, place: String, places: &mut Vec<(String, String)>) {
    let children: Vec<(String, &Value)> = match value {
        Value::Array(items) => {
            items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
        }
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return,
    };
    if children.is_empty() {
        places.push((place, String::new()));
        return;
    }
    for (name, child) in children {
        let inside = format!("{place}/{}", name.replace('~', "~0").replace('/', "~1"));
        places.push((place.clone(), name));
        list(child, inside, places);
    }
}

/// An instance with another child in one place, if there can be such a change.
fn change(instance: &Value, parent: &str, name: &str, way: usize) -> Option<Value> {
    let mut instance = instance.clone();
    match (instance.pointer_mut(parent)?, way) {
        (Value::Object(members), 0) => {
            let value = members.get_mut(name)?;
            *value = if value.is_string() { json!(4711) } else { json!("text") };
        }
        (Value::Object(members), 1) => {
            members.remove(name)?;
        }
        (Value::Object(members), 2) => {
            let value = members.remove(name)?;
            let mut letters: Vec<char> = name.chars().collect();
            let last = letters.len().checked_sub(2)?;
            letters.swap(last, last + 1);
            members.insert(letters.into_iter().collect(), value);
        }
        (Value::Object(members), _) => {
            members.insert("surplus".to_owned(), json!(true));
        }
        (Value::Array(items), _) => {
            let item = items.get_mut(name.parse::<usize>().ok()?)?;
            *item = if item.is_string() { json!(4711) } else { json!("text") };
        }
        (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_), _) => return None,
    }
    Some(instance)
}
