//! [`ValueSink`]: a schema that is read from objects.

use serde_json::{Map, Number, Value};
use stanchion::{BuildError, InstanceSink};

/// How deep a schema or options may be nested, as in the text of a schema.
const DEPTH: usize = 256;

/// How many values and names a schema may have. What compiles has far fewer.
const VALUES: u32 = 1 << 22;

/// A schema that is being read.
#[derive(Default)]
pub(crate) struct ValueSink {
    open: Vec<Open>,
    root: Option<Value>,
    values: u32,
}

enum Open {
    Array(Vec<Value>),
    Object { members: Map<String, Value>, name: String },
}

impl ValueSink {
    /// What was read.
    pub(crate) fn finish(self) -> Value {
        self.root.unwrap_or_default()
    }

    fn add(&mut self, value: Value) -> Result<(), BuildError> {
        if self.values >= VALUES {
            return Err(BuildError::Values { limit: VALUES });
        }
        self.values += 1;
        match self.open.last_mut() {
            Some(Open::Array(items)) => items.push(value),
            Some(Open::Object { members, name }) => drop(members.insert(std::mem::take(name), value)),
            None => self.root = Some(value),
        }
        Ok(())
    }

    fn begin(&mut self, open: Open) -> Result<(), BuildError> {
        if self.open.len() >= DEPTH {
            return Err(BuildError::Depth { limit: DEPTH });
        }
        self.open.push(open);
        Ok(())
    }
}

impl InstanceSink for ValueSink {
    fn null(&mut self) -> Result<(), BuildError> {
        self.add(Value::Null)
    }
    fn bool(&mut self, value: bool) -> Result<(), BuildError> {
        self.add(value.into())
    }
    fn unsigned(&mut self, value: u64) -> Result<(), BuildError> {
        self.add(value.into())
    }
    fn signed(&mut self, value: i64) -> Result<(), BuildError> {
        self.add(value.into())
    }
    fn float(&mut self, value: f64) -> Result<(), BuildError> {
        let number = Number::from_f64(value).ok_or(BuildError::NotANumber)?;
        self.add(Value::Number(number))
    }
    fn number(&mut self, text: &str) -> Result<(), BuildError> {
        let number: Number = text.parse().map_err(|_| BuildError::NotANumber)?;
        self.add(Value::Number(number))
    }
    fn string(&mut self, text: &str) -> Result<(), BuildError> {
        self.add(text.into())
    }
    fn name(&mut self, text: &str) -> Result<(), BuildError> {
        match self.open.last_mut() {
            Some(Open::Object { name, .. }) => {
                *name = text.to_owned();
                Ok(())
            }
            _ => Err(BuildError::Order),
        }
    }
    fn begin_array(&mut self) -> Result<(), BuildError> {
        self.begin(Open::Array(Vec::new()))
    }
    fn begin_object(&mut self) -> Result<(), BuildError> {
        self.begin(Open::Object { members: Map::new(), name: String::new() })
    }
    fn end(&mut self) -> Result<(), BuildError> {
        let value = match self.open.pop() {
            Some(Open::Array(items)) => Value::Array(items),
            Some(Open::Object { members, .. }) => Value::Object(members),
            None => return Err(BuildError::Order),
        };
        self.add(value)
    }
}
