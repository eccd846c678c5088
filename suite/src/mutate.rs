//! Instances with one mistake, and the place that the first error should name.

use serde_json::{Map, Value, json};
use stanchion_vocab::pointer;

/// The kind of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    /// A member is missing.
    Missing,
    /// A member's name is misspelt.
    Misspelt,
    /// A value has another type.
    Type,
    /// A value has the same type, but is too large, too small, too long or not one of the choices.
    Range,
    /// A member was added.
    Extra,
}

/// An instance with one mistake.
#[derive(Debug)]
pub struct Mutant {
    /// The kind of the mistake.
    pub change: Change,
    /// The instance.
    pub instance: Value,
    /// The place of the error, a JSON Pointer: the place of the object for missing, misspelt and
    /// added members.
    pub place: String,
    /// For such members, names of which the error should contain one.
    pub names: Vec<String>,
}

impl Mutant {
    /// Whether an error with this place and message names the mistake.
    pub fn is_named_by(&self, place: &str, message: &str) -> bool {
        let has_name = || self.names.iter().any(|name| message.contains(&format!("\"{name}\"")));
        let is_here = place == self.place && (self.names.is_empty() || has_name());
        // The schema may allow any name, and still not any value.
        let is_added =
            |name: &String| self.change == Change::Extra && place == pointer::join(&self.place, name);
        is_here || self.names.iter().any(is_added)
    }
}

/// Returns all variants of an instance with one mistake, of each kind at each place. Some may still
/// be valid.
pub fn mutants(instance: &Value) -> Vec<Mutant> {
    let changes = [Change::Type, Change::Range, Change::Missing, Change::Misspelt, Change::Extra];
    let of_place = |place: &String| changes.map(|change| mutants_at(instance, place, change));
    places(instance).iter().flat_map(of_place).flatten().collect()
}

/// Returns the places of all values in an instance, as JSON Pointers.
pub fn places(instance: &Value) -> Vec<String> {
    let mut places = Vec::new();
    let mut waiting = vec![(String::new(), instance)];
    while let Some((place, value)) = waiting.pop() {
        if let Value::Object(members) = value {
            waiting.extend(members.iter().map(|(name, member)| (pointer::join(&place, name), member)));
        } else if let Value::Array(items) = value {
            let items = items.iter().enumerate();
            waiting.extend(items.map(|(index, item)| (pointer::join(&place, &index.to_string()), item)));
        }
        places.push(place);
    }
    places
}

/// Returns all variants of an instance with one kind of mistake at one place.
pub fn mutants_at(instance: &Value, place: &str, change: Change) -> Vec<Mutant> {
    let Some(value) = instance.pointer(place) else { return Vec::new() };
    let put = |names: &[&str], value: Value| {
        let mut instance = instance.clone();
        if let Some(target) = instance.pointer_mut(place) {
            *target = value;
        }
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        Mutant { change, instance, place: place.to_owned(), names }
    };
    match (change, value) {
        (Change::Type, _) => other_types(value).into_iter().map(|value| put(&[], value)).collect(),
        (Change::Range, _) => out_of_range(value).into_iter().map(|value| put(&[], value)).collect(),
        (Change::Missing, Value::Object(members)) => {
            members.keys().map(|name| put(&[name], without(members, name).into())).collect()
        }
        (Change::Misspelt, Value::Object(members)) => {
            let named = members.iter().map(|(name, member)| (name, misspell(name), member));
            let others = named.filter(|(_, wrong, _)| !members.contains_key(wrong));
            let misspelt = others.map(|(name, wrong, member)| {
                let mut misspelt = without(members, name);
                misspelt.insert(wrong.clone(), member.clone());
                put(&[name, &wrong], misspelt.into())
            });
            misspelt.collect()
        }
        (Change::Extra, Value::Object(members)) => {
            let mut more = members.clone();
            more.insert("surplus".to_owned(), json!(true));
            vec![put(&["surplus"], more.into())]
        }
        (Change::Missing | Change::Misspelt | Change::Extra, _) => Vec::new(),
    }
}

fn without(members: &Map<String, Value>, name: &str) -> Map<String, Value> {
    members
        .iter()
        .filter(|(other, _)| *other != name)
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect()
}

/// Returns a name with its last two letters swapped, or the last one doubled.
fn misspell(name: &str) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    match letters.len() {
        0 | 1 => letters.push('x'),
        count if letters[count - 1] == letters[count - 2] => letters.push(letters[count - 1]),
        count => letters.swap(count - 1, count - 2),
    }
    letters.into_iter().collect()
}

fn other_types(value: &Value) -> Vec<Value> {
    match value {
        Value::Null => vec![json!({"unexpected": 1})],
        Value::Bool(_) => vec![json!("yes")],
        Value::Number(_) => vec![json!("many")],
        Value::String(_) => vec![json!(4711)],
        Value::Array(_) => vec![json!(true)],
        Value::Object(_) => vec![json!("text"), json!([1])],
    }
}

fn out_of_range(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(_) => vec![json!(1_000_000_000_000_i64), json!(-1_000_000_000_000_i64), json!(0.123)],
        Value::String(_) => vec![json!(""), json!("?!"), json!("long ".repeat(20_000))],
        Value::Array(items) => {
            let many: Vec<Value> = items.iter().cycle().take(items.len() * 500).cloned().collect();
            vec![json!([]), many.into()]
        }
        Value::Null | Value::Bool(_) | Value::Object(_) => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_is_changed_in_each_way() {
        let found = mutants(&json!({"city": "x", "days": [1]}));
        let count = |change| found.iter().filter(|mutant| mutant.change == change).count();
        assert_eq!(count(Change::Missing), 2);
        assert_eq!(count(Change::Misspelt), 2);
        assert_eq!(count(Change::Extra), 1);
        assert_eq!(count(Change::Type), 5);
        assert!(found.iter().any(|mutant| mutant.instance == json!({"ciyt": "x", "days": [1]})));
        assert!(found.iter().any(|mutant| mutant.place == "/days/0" && mutant.instance["days"][0] == "many"));
    }
}
