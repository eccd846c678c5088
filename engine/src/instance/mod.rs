//! Access to JSON values, whatever parsed them.
//!
//! A representation implements [`Node`], which describes a value: by a [`Shape`], and with its
//! content by a [`View`]. The interpreter passes nodes on, reads shapes, and matches on views if it
//! needs the content, so it does not depend on `serde_json` or on tapes. The names that
//! `propertyNames` checks are nodes too: [`Name`].
//!
//! The following is the same for all representations; [`conformance`] tests each of them:
//!
//! - **Repeated names.** Of the members with one name, the last counts, and only that. A text is read
//!   that way; see [`text`].
//! - **Numbers.** An integer that fits 64 bits is exact. A number that is held as a float is the decimal number
//!   that its shortest text stands for (0.1 is a tenth). A number that is held by its text has all its digits. See [`number`].
//! - **Text** is UTF-8; a lone surrogate is a parse error.

#[cfg(test)]
pub(crate) mod conformance;
pub(crate) mod decimal;
pub(crate) mod divisor;
pub(crate) mod equal;
mod member_name;
mod name;
pub(crate) mod number;
mod serde_json;
#[cfg(feature = "simd-json")]
mod simd_json;
mod size;
mod tape;
pub(crate) mod text;
mod written;

pub use member_name::MemberName;
pub(crate) use member_name::{ONE_WORD, TWO_WORDS, are_equal_names, ends, last_word};
pub(crate) use name::Name;
pub use number::Number;
pub(crate) use serde_json::NUMBERS_ARE_TEXT;
#[cfg(feature = "simd-json")]
pub use simd_json::{TapeArray, TapeNode, TapeObject};
pub(crate) use size::size;
pub use tape::{
    BuildError, Decoder, Instance, InstanceArray, InstanceBuilder, InstanceNode, InstanceObject,
    InstanceSink, KeptInstance,
};

pub use written::Written;

use crate::limits::{Budget, Stopped};
use stanchion_vocab::{Type, TypeSet};

/// A JSON value in some representation.
pub trait Node<'a>: Copy {
    /// The type of an array in this representation.
    type Array: Array<'a, Self>;
    /// The type of an object in this representation.
    type Object: Object<'a, Self>;

    /// Returns the value's type and content.
    fn view(self) -> View<'a, Self>;

    /// Returns the array, if the value is one. Representations that build texts for a view override
    /// this with a shorter path.
    #[inline]
    fn as_array(self) -> Option<Self::Array> {
        if let View::Array(items) = self.view() { Some(items) } else { None }
    }

    /// Returns the object, if the value is one.
    #[inline]
    fn as_object(self) -> Option<Self::Object> {
        if let View::Object(members) = self.view() { Some(members) } else { None }
    }

    /// Returns the bytes of a text, if the value is one: enough to compare it.
    #[inline]
    fn text_bytes(self) -> Option<&'a [u8]> {
        if let View::String(text) = self.view() { Some(text.as_bytes()) } else { None }
    }

    /// Returns the value's shape: its type without its content.
    #[inline]
    fn shape(self) -> Shape {
        match self.view() {
            View::Null => Shape::Null,
            View::Bool(_) => Shape::Bool,
            View::Number(_) => Shape::Number,
            View::String(_) => Shape::String,
            View::Array(_) => Shape::Array,
            View::Object(_) => Shape::Object,
        }
    }
}

/// The shape of a JSON value: its type without its content. As a number, a shape is the type that
/// includes all its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Shape {
    /// `null`
    Null = Type::Null as u8,
    /// `true` or `false`
    Bool = Type::Boolean as u8,
    /// A number.
    Number = Type::Number as u8,
    /// Text.
    String = Type::String as u8,
    /// An array.
    Array = Type::Array as u8,
    /// An object.
    Object = Type::Object as u8,
}

/// The items of an array.
pub trait Array<'a, N>: Copy {
    /// Returns the number of items.
    fn len(self) -> usize;

    /// Whether there are no items.
    fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Iterates over the items, in order.
    fn iter(self) -> impl Iterator<Item = N>;

    /// Returns a number that no other array of the instance has, unless both are empty. It must not
    /// change during a validation.
    fn address(self) -> usize;
}

/// The members of an object. No two have the same name.
pub trait Object<'a, N>: Copy {
    /// Returns the number of members.
    fn len(self) -> usize;

    /// Whether there are no members.
    fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Iterates over the members, in any order that is the same each time.
    fn iter(self) -> impl Iterator<Item = (&'a str, N)>;

    /// Iterates over the members, with their names in a form for fast lookups.
    #[inline]
    fn iter_names(self) -> impl Iterator<Item = (impl MemberName<'a>, N)> {
        self.iter().map(|(name, value)| (name.as_bytes(), value))
    }

    /// Iterates over the values of all members, in the order of [`Object::iter`].
    #[inline]
    fn values(self) -> impl Iterator<Item = N> {
        self.iter().map(|(_, value)| value)
    }

    /// Returns the member of this name.
    fn get(self, name: &str) -> Option<N>;

    /// Returns a number that no other object of the instance has, unless both are empty. It must
    /// not change during a validation.
    fn address(self) -> usize;

    /// Returns the cost of [`Object::get`], as a number of members that are visited.
    fn get_cost(self) -> usize;
}

/// A JSON value, with its content.
pub enum View<'a, N: Node<'a>> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number<'a>),
    /// Text.
    String(&'a str),
    /// An array.
    Array(N::Array),
    /// An object.
    Object(N::Object),
}

impl<'a, N: Node<'a>> Clone for View<'a, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<'a, N: Node<'a>> Copy for View<'a, N> {}

impl<'a, N: Node<'a>> View<'a, N> {
    /// Returns the most exact type: `Integer` for a number without a fraction.
    pub fn kind(self) -> Type {
        match self {
            View::Null => Type::Null,
            View::Bool(_) => Type::Boolean,
            View::Number(number) if number.is_integer() => Type::Integer,
            View::Number(_) => Type::Number,
            View::String(_) => Type::String,
            View::Array(_) => Type::Array,
            View::Object(_) => Type::Object,
        }
    }

    /// Returns how many items or members the value has: 0 for a scalar.
    pub(crate) fn child_count(self) -> usize {
        match self {
            View::Array(items) => items.len(),
            View::Object(members) => members.len(),
            View::Null | View::Bool(_) | View::Number(_) | View::String(_) => 0,
        }
    }

    /// Whether the type is in the set. Charges for the digits that have to be read.
    #[inline(never)]
    pub(crate) fn is_one_of(self, types: TypeSet, budget: &mut Budget) -> Result<bool, Stopped> {
        let kind = match self {
            View::Null => Type::Null,
            View::Bool(_) => Type::Boolean,
            // Usually both kinds of numbers are in the set, or neither.
            View::Number(number) if types.has(Type::Integer) != types.has(Type::Number) => {
                if number.is_integer_within(budget)? { Type::Integer } else { Type::Number }
            }
            View::Number(_) => Type::Number,
            View::String(_) => Type::String,
            View::Array(_) => Type::Array,
            View::Object(_) => Type::Object,
        };
        Ok(types.has(kind))
    }
}
