//! The type names of JSON Schema, and sets of them.

use std::fmt;

/// One of the seven names that `type` may hold.
///
/// `Integer` is the numbers without a fraction, so every integer is a `Number` too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `null`
    Null,
    /// `true` and `false`
    Boolean,
    /// every number
    Number,
    /// text
    String,
    /// arrays
    Array,
    /// objects
    Object,
    /// numbers whose value has no fraction: `1` and `1.0` alike
    Integer,
}

impl Type {
    /// Every type, in the order in which a [`TypeSet`] lists them.
    pub const ALL: [Type; 7] =
        [Type::Null, Type::Boolean, Type::Integer, Type::Number, Type::String, Type::Array, Type::Object];

    /// Returns the type of this name.
    pub fn from_name(name: &str) -> Option<Type> {
        Type::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Returns the name, as `type` spells it.
    pub const fn name(self) -> &'static str {
        match self {
            Type::Null => "null",
            Type::Boolean => "boolean",
            Type::Integer => "integer",
            Type::Number => "number",
            Type::String => "string",
            Type::Array => "array",
            Type::Object => "object",
        }
    }
}

/// A set of types in one byte.
///
/// `integer` and `number` have a bit each, which stand for numbers without a fraction and with one. A set made
/// with [`TypeSet::with`] that holds `number` holds `integer` too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TypeSet(u8);

impl TypeSet {
    /// No type at all.
    pub const NONE: TypeSet = TypeSet(0);
    /// Every type.
    pub const ALL: TypeSet = TypeSet(0x7f);

    /// Returns this set with one more type.
    #[must_use]
    pub const fn with(self, kind: Type) -> TypeSet {
        let implied = if matches!(kind, Type::Number) { 1 << Type::Integer as u8 } else { 0 };
        TypeSet(self.0 | 1 << kind as u8 | implied)
    }

    /// Whether a value whose most exact type is `kind` is in the set.
    #[inline(always)]
    pub const fn has(self, kind: Type) -> bool {
        self.0 & (1 << kind as u8) != 0
    }

    /// Whether the set has the type whose number as a `u8` is `kind`.
    #[inline(always)]
    pub const fn has_bit(self, kind: u8) -> bool {
        (self.0 as u32).wrapping_shr(kind as u32) & 1 != 0
    }

    /// Returns the types that are in both sets.
    #[must_use]
    pub const fn and(self, other: TypeSet) -> TypeSet {
        TypeSet(self.0 & other.0)
    }

    /// Returns the types that are in either set.
    #[must_use]
    pub const fn or(self, other: TypeSet) -> TypeSet {
        TypeSet(self.0 | other.0)
    }

    /// Returns the types that are not in the set.
    #[must_use]
    pub const fn not(self) -> TypeSet {
        TypeSet(!self.0 & TypeSet::ALL.0)
    }

    /// Whether the set is empty.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Iterates over the types, without `integer` where `number` includes it.
    pub fn iter(self) -> impl Iterator<Item = Type> {
        Type::ALL
            .into_iter()
            .filter(move |&kind| self.has(kind) && !(kind == Type::Integer && self.has(Type::Number)))
    }
}

impl fmt::Display for TypeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, kind) in self.iter().enumerate() {
            if index > 0 {
                f.write_str(" ")?;
            }
            f.write_str(kind.name())?;
        }
        Ok(())
    }
}

impl fmt::Debug for TypeSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{self}}}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn number_implies_integer() {
        let numbers = TypeSet::NONE.with(Type::Number);
        assert!(numbers.has(Type::Integer) && numbers.has(Type::Number));
        assert_eq!(numbers.to_string(), "number");

        let integers = TypeSet::NONE.with(Type::Integer);
        assert!(integers.has(Type::Integer) && !integers.has(Type::Number));
        assert_eq!(integers.to_string(), "integer");
    }

    #[test]
    fn names_go_both_ways() {
        for kind in Type::ALL {
            assert_eq!(Type::from_name(kind.name()), Some(kind));
        }
        assert_eq!(Type::from_name("any"), None);
    }
}
