//! Validates a value of one's own type, without turning it into a `serde_json::Value` first.
//!
//! A representation implements [`Node`], [`Array`] and [`Object`]:
//!
//! 1. `Node` goes on a `Copy` handle, here a reference. Its one job is `view`: what the value is.
//! 2. Items come in order. Of members with the same name only the last may be there.
//! 3. `address` tells containers of one instance apart, since verdicts are remembered by it. An address in memory does.
//! 4. `get_cost` says honestly how many members `get` looks at, since runs pay for that: a list has to look at all.
//!
//! ```sh
//! cargo run -p stanchion --example own_node
//! ```

use serde_json::json;
use stanchion::{Array, Node, Number, Object, SchemaError, Validator, View};

/// A configuration value, as some program keeps it.
enum Config {
    Switch(bool),
    Count(u64),
    Text(String),
    List(Vec<Config>),
    Table(Vec<(String, Config)>),
}

impl<'a> Node<'a> for &'a Config {
    type Array = &'a [Config];
    type Object = &'a [(String, Config)];

    fn view(self) -> View<'a, Self> {
        match self {
            Config::Switch(value) => View::Bool(*value),
            Config::Count(value) => View::Number(Number::Unsigned(*value)),
            Config::Text(value) => View::String(value),
            Config::List(items) => View::Array(items.as_slice()),
            Config::Table(members) => View::Object(members.as_slice()),
        }
    }
}

impl<'a> Array<'a, &'a Config> for &'a [Config] {
    fn len(self) -> usize {
        self.len()
    }

    fn iter(self) -> impl Iterator<Item = &'a Config> {
        <[Config]>::iter(self)
    }

    fn address(self) -> usize {
        self.as_ptr().addr()
    }
}

impl<'a> Object<'a, &'a Config> for &'a [(String, Config)] {
    fn len(self) -> usize {
        self.len()
    }

    fn iter(self) -> impl Iterator<Item = (&'a str, &'a Config)> {
        <[(String, Config)]>::iter(self).map(|(name, value)| (name.as_str(), value))
    }

    fn get(self, name: &str) -> Option<&'a Config> {
        <[(String, Config)]>::iter(self).find(|(other, _)| other == name).map(|(_, value)| value)
    }

    fn address(self) -> usize {
        self.as_ptr().addr()
    }

    fn get_cost(self) -> usize {
        self.len()
    }
}

fn main() -> Result<(), SchemaError> {
    let validator = Validator::new(&json!({
        "properties": {
            "verbose": {"type": "boolean"},
            "workers": {"type": "integer", "maximum": 64},
            "paths": {"type": "array", "items": {"type": "string"}}
        }
    }))?;
    let config = Config::Table(vec![
        ("verbose".to_owned(), Config::Switch(true)),
        ("workers".to_owned(), Config::Count(100)),
        ("paths".to_owned(), Config::List(vec![Config::Text("src".to_owned())])),
    ]);
    for error in validator.iter_errors(&config) {
        println!("{error}");
    }
    Ok(())
}
