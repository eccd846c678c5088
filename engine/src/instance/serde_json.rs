//! `&serde_json::Value`, with and without `preserve_order` and `arbitrary_precision`.

use super::{Array, Node, Number, Object, Shape, View, Written};
use serde_json::{Map, Value};

/// Whether some crate of the program switched serde_json's `arbitrary_precision` on: a number
/// is then a text, and larger. Features are shared by a whole program, so our own flag does not show it.
pub(crate) const NUMBERS_ARE_TEXT: bool = size_of::<serde_json::Number>() > 16;

impl<'a> Node<'a> for &'a Value {
    type Array = &'a [Value];
    type Object = &'a Map<String, Value>;

    #[inline(always)]
    fn view(self) -> View<'a, Self> {
        match self {
            Value::Null => View::Null,
            Value::Bool(value) => View::Bool(*value),
            Value::Number(number) => View::Number(Number::from(number)),
            Value::String(text) => View::String(text),
            Value::Array(items) => View::Array(items.as_slice()),
            Value::Object(map) => View::Object(map),
        }
    }

    #[inline(always)]
    fn shape(self) -> Shape {
        match self {
            Value::Null => Shape::Null,
            Value::Bool(_) => Shape::Bool,
            Value::Number(_) => Shape::Number,
            Value::String(_) => Shape::String,
            Value::Array(_) => Shape::Array,
            Value::Object(_) => Shape::Object,
        }
    }
}

impl<'a> From<&'a serde_json::Number> for Number<'a> {
    #[inline]
    fn from(number: &'a serde_json::Number) -> Number<'a> {
        if let Some(value) = number.as_u64() {
            Number::Unsigned(value)
        } else if let Some(value) = number.as_i64() {
            Number::Signed(value)
        } else if NUMBERS_ARE_TEXT {
            Number::Exact(Written::from(number))
        } else {
            // Without `arbitrary_precision` what is no integer is a finite float.
            Number::Float(number.as_f64().unwrap_or(f64::NAN))
        }
    }
}

impl<'a> Array<'a, &'a Value> for &'a [Value] {
    #[inline]
    fn len(self) -> usize {
        self.len()
    }

    #[inline]
    fn iter(self) -> impl Iterator<Item = &'a Value> {
        self.iter()
    }

    fn address(self) -> usize {
        self.as_ptr().addr()
    }
}

impl<'a> Object<'a, &'a Value> for &'a Map<String, Value> {
    #[inline]
    fn len(self) -> usize {
        self.len()
    }

    #[inline]
    fn iter(self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.iter().map(|(name, value)| (name.as_str(), value))
    }

    #[inline]
    fn get(self, name: &str) -> Option<&'a Value> {
        self.get(name)
    }

    fn address(self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    #[inline]
    fn get_cost(self) -> usize {
        // A B-tree compares a few names at each level, and the more levels there are the farther away
        // in memory they are. A hash map takes less.
        let bits = self.len().max(1).ilog2() as usize;
        1 + bits * bits / 16
    }
}

#[cfg(test)]
mod tests {
    use crate::instance::conformance;

    #[test]
    fn conforms() {
        conformance::check(|text| {
            conformance::render(&serde_json::from_str::<serde_json::Value>(text).unwrap())
        });
    }
}
