//! `\p{…}`: the Unicode properties that ECMA-262 knows, and the characters that have them.
//!
//! ECMA-262 wants names exactly as Unicode writes them (`\p{Letter}`, not `\p{letter}`), with
//! `digit`, `punct`, `cntrl` and `Combining_Mark` among them. Reading a pattern only looks the name
//! up; the [table](crate::unicode) of a property is unpacked by the first engine that asks for it.

use super::error::{Kind, quote};
use crate::unicode;

/// A Unicode property, or its absence, as a set of characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Property {
    property: unicode::Property,
    negated: bool,
}

impl Property {
    /// Finds the property `name`, or `name=value`.
    pub(super) fn find(name: &str, value: Option<&str>) -> Result<Property, Kind> {
        if let Some(property) = unicode::Property::find(name, value) {
            return Ok(Property { property, negated: false });
        }
        if let ("Changes_When_NFKC_Casefolded" | "CWKCF", None) = (name, value) {
            return Err(Kind::MissingTable("Changes_When_NFKC_Casefolded"));
        }
        Err(Kind::UnknownProperty(match value {
            None => quote(name),
            Some(value) => quote(&format!("{name}={}", quote(value))),
        }))
    }

    /// Whether it is `\P{…}`: the characters that do not have the property.
    pub fn is_negated(&self) -> bool {
        self.negated
    }

    /// Returns the characters that have the property, ascending; [negation](Property::is_negated)
    /// is not applied.
    pub fn ranges(&self) -> &'static [(char, char)] {
        self.property.ranges()
    }

    /// Whether the character is in the set, negation applied.
    pub fn contains(&self, c: char) -> bool {
        self.property.contains(c) != self.negated
    }

    pub(super) fn negate(self) -> Property {
        Property { negated: !self.negated, ..self }
    }
}
